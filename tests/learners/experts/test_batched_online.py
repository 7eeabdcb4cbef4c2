"""Algorithm 3 of [LWY25] against a transcription, its bound, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import log, sqrt

import pytest

import catalog
from learners.accounting import AtOnce, OneAtATime, basic, neighbours
from learners.budget import Budget
from learners.coins import SeededCoins
from learners.experts.batched_online import SanitizedOnline
from learners.experts.hedge import FollowTheLeader, Hedge
from learners.playing.expert_sources import TableExperts
from learners.sanitizers.base import ExactSanitizer
from learners.sanitizers.evidence.batches import by_code, by_steps
from learners.sanitizers.fooling import FoolingSanitizer
from learners.sanitizers.mwem import MWEMSanitizer
from lsclasses import Table
from lsclasses.verdicts import Verdict

DELTA = Fraction(1, 10**6)
H = [(0, 0), (0, 1), (1, 1)]
C = Table(H)


def exact(rounds, batch, rate=Fraction(1), table=C):
    copies = Hedge(TableExperts(table), rounds // batch, rate)
    return SanitizedOnline(ExactSanitizer(table.label_class()), copies, rounds, batch)


def test_the_law_is_that_of_the_algorithm():
    """Of three batches: which example of the second a copy is told does not depend on the first."""
    stream, concepts = [(0, 1), (1, 0), (1, 0), (0, 1), (0, 0), (0, 1)], [(0, 1), (1, 1)]
    law = by_code(exact(6, 2, table=Table(concepts)), stream)
    expected = by_steps(concepts, stream, 2)
    assert set(law) == set(expected)
    for view in law:
        assert float(law[view]) == pytest.approx(float(expected[view]))


def test_privacy_is_that_of_one_batch():
    learner = SanitizedOnline.within(Budget(4, DELTA), "thresholds:n=4", 10_000)
    assert learner.batches > 2
    assert learner.privacy == OneAtATime((AtOnce(learner.sanitizer.privacy),))
    assert neighbours(learner.privacy) == "replace_one" and learner.delta == DELTA
    pure = SanitizedOnline.within(Budget(4), "thresholds:n=4", 10_000)
    assert Fraction(99, 100) * 4 < basic(pure.privacy)[0] <= 4
    assert exact(4, 2).privacy is None


def test_the_bound_is_the_sum_of_its_parts():
    inner = MWEMSanitizer.for_error(C.label_class(), Fraction(1, 20), Budget(16, DELTA))
    B, T = 2 * inner.needed, 20 * inner.needed
    learner = SanitizedOnline(inner, Hedge(TableExperts(C), 10), T, B)
    (bound,) = learner.bounds
    a = 1 / 20 + 4 / (4 * B)
    expected = B * sqrt(10 * log(3) / 2) + 2 * a * T + T * 9 / 20
    assert float(bound.value) == pytest.approx(expected, rel=1e-6)
    # For too few examples no error is promised, and so no regret.
    few = SanitizedOnline(inner, Hedge(TableExperts(C), 10), 1000, 100)
    assert few.bounds[0].value is None and few.bounds[0].vacuous
    leader = SanitizedOnline(inner, FollowTheLeader(TableExperts(C)), T, B)
    assert leader.bounds[0].value is None


def test_batches_are_chosen_by_the_bound():
    T = 400_000
    learner = SanitizedOnline.within(Budget(16, DELTA), "thresholds:n=4", T)
    assert not learner.bounds[0].vacuous
    small = SanitizedOnline.within(Budget(1, DELTA), "thresholds:n=4", 1000)
    assert small.bounds[0].check([0]) == Verdict.VACUOUS and small.batch == 100
    # A prime number: one batch of all rounds would be over before anything is learned.
    for rounds in (1, 10_007):
        assert SanitizedOnline.within(Budget(16, DELTA), "thresholds:n=2", rounds).batch == 1


@pytest.mark.parametrize("T", [60_060, pytest.param(180 * 90_001, marks=pytest.mark.slow)])
def test_no_batch_would_give_a_lesser_bound(T):
    """All divisors of T; the second T has large gaps between those that are large enough."""
    C = catalog.build("thresholds:n=4")

    def made(**options):
        return SanitizedOnline.within(Budget(8, DELTA), C, T, composition="zcdp", **options)

    learner = made()
    values = [
        other.bounds[0].value
        for batch in range(1, T)
        if T % batch == 0
        for other in (made(batch=batch),)
    ]
    assert learner.bounds[0].value == min(value for value in values if value is not None)
    best = SanitizedOnline.within(Budget(8, DELTA), C, T)
    assert best.bounds[0].value <= learner.bounds[0].value


@pytest.mark.parametrize(
    ("T", "batch"),
    [
        *((900, 90), (9, 1)),
        *(pytest.param(*each, marks=pytest.mark.slow) for each in ((990, 99), (99, 9), (10, 1))),
    ],
)
def test_where_every_bound_is_vacuous_there_are_ten_batches_or_more(T, batch):
    learner = SanitizedOnline.within(Budget(1, DELTA), "thresholds:n=4", T)
    assert learner.bounds[0].vacuous and learner.batch == batch


def test_the_last_batch_is_not_read():
    class Loud(ExactSanitizer):
        def _release(self, sample, coins):
            raise AssertionError

    learner = replace(exact(3, 3), sanitizer=Loud(C.label_class()))
    coins = SeededCoins(1)
    state = learner.start(coins)
    for _ in range(3):
        state = learner.receive(state, (0, 1), coins)
    assert learner.batches == 1 and learner.privacy == OneAtATime(())


def test_batches_may_have_as_many_examples_as_the_sanitizer_is_made_for():
    sanitizer = FoolingSanitizer.for_error(C.label_class(), Fraction(1, 2), Budget(20, DELTA))
    learner = SanitizedOnline(
        sanitizer, Hedge(TableExperts(C), 2), 2 * sanitizer.rows, sanitizer.rows
    )
    assert learner.batches == 2
