"""Every learner runs on every finite class, or says why no learner of its kind can."""

from __future__ import annotations

import warnings
from fractions import Fraction

import pytest

import catalog
from learners.budget import Budget
from learners.coins import SeededCoins
from learners.pac.distributions import FiniteDistribution
from learners.pac.entries import BATCH_LEARNERS
from learners.playing.adversaries import adversary
from learners.playing.entries import ONLINE_LEARNERS
from learners.playing.learner import as_learner
from learners.playing.play import play
from learners.sanitizers.base import sanitization_error
from learners.sanitizers.independent import IndependentAnswers
from learners.sanitizers.mwem import MWEMSanitizer
from learners.sanitizers.point_samples import PointSample
from lsclasses import Table
from lsclasses.errors import InvalidInput, TooLarge
from tests.learners.four_classes import FOUR

ROUNDS = 8
NOT_PROPER = "No way to break ties makes the SOA's rule always a concept"
"""Found by search: no proper SOA exists, which is not private anyway."""
NOT_ONE = "Voting needs a base learner that errs at most once"
"""All four classes have a Littlestone dimension above 1."""
TOO_DEEP = "The merging learner has parameters for dimensions up to 4"
"""Decision lists have a larger Littlestone dimension."""
REFUSALS = {"proper-soa": NOT_PROPER, "voting": NOT_ONE, "merging": TOO_DEEP}


def written_out(source: str | Table) -> Table:
    return source if isinstance(source, Table) else catalog.build(source).to_table()


@pytest.mark.parametrize("source", FOUR.values(), ids=FOUR)
@pytest.mark.parametrize("name", ONLINE_LEARNERS.names())
def test_every_online_learner_plays_every_class(name: str, source: str | Table) -> None:
    C = written_out(source)
    if name == "optimal-predictor":
        # The program of a game of eight rounds is too large, or the class has too many points.
        with pytest.raises((InvalidInput, TooLarge), match=r"rounds|points"):
            ONLINE_LEARNERS[name].learner(source, ROUNDS)
        return
    try:
        learner = as_learner(ONLINE_LEARNERS[name].learner(source, ROUNDS))
    except InvalidInput as refused:
        assert str(refused).startswith(REFUSALS[name])
        return
    game = play(learner, adversary("random", C), ROUNDS, SeededCoins(1))
    assert game.played == ROUNDS or game.halted_at is not None


@pytest.mark.parametrize("source", FOUR.values(), ids=FOUR)
@pytest.mark.parametrize("name", BATCH_LEARNERS.names())
def test_every_learner_from_samples_learns_every_class(name: str, source: str | Table) -> None:
    C = written_out(source)
    if name == "voting":
        with pytest.raises(InvalidInput, match=NOT_ONE):
            BATCH_LEARNERS[name].learner(source, 1_000)
        return
    if name == "merging" and C.ldim() > 4:
        with pytest.raises(InvalidInput, match=TOO_DEEP):
            BATCH_LEARNERS[name].learner(source, 1_000)
        return
    learner = BATCH_LEARNERS[name].learner(source, 1_000)
    rows = FiniteDistribution.labelled(C[1]).sample_seeded(1_000, seed=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = learner.fit(rows, SeededCoins(1))
    assert {found(x) for x in C.domain} <= {0, 1}


@pytest.mark.parametrize("source", FOUR.values(), ids=FOUR)
def test_every_class_has_sanitizers(source: str | Table) -> None:
    C, budget, alpha = written_out(source), Budget(4, Fraction(1, 10**6)), Fraction(1, 5)
    mwem = MWEMSanitizer.for_error(C, alpha, budget)
    for sanitizer in (mwem, IndependentAnswers.within(budget, C)):
        places = [x * x % len(C.domain) for x in range(mwem.needed)]
        rows = PointSample.at(C.domain, places)
        assert sanitization_error(sanitizer.release(rows, SeededCoins(1)), C, rows) < alpha
