"""Games of generators and discriminators: against definitions, and within what is promised."""

from __future__ import annotations

from fractions import Fraction

import pytest

import catalog
from learners.accounting import SelfComposed
from learners.budget import Budget
from learners.coins import SeededCoins
from learners.sanitizers.base import sanitization_error
from learners.sanitizers.discriminators import AgnosticParts, FoolingDiscriminator
from learners.sanitizers.fooling import FoolingSanitizer
from learners.sanitizers.generators import DualGenerator, HedgeGenerator
from learners.sanitizers.mwem import MWEMSanitizer
from learners.sanitizers.point_samples import PointSample
from learners.sanitizers.sketches import RealizableFooling
from lsclasses import TooLarge
from tests.learners.sanitizers.small_classes import table

DELTA = Fraction(1, 10**6)
QUARTER = Fraction(1, 4)


@pytest.mark.parametrize(
    ("generator", "parts"),
    [(HedgeGenerator, AgnosticParts), (lambda C, a: DualGenerator(C, a, Fraction(1, 100)), None)],
)
def test_parts_can_be_exchanged(generator, parts):
    C, alpha = table("thresholds:n=4"), Fraction(3, 5)
    given = {} if parts is None else {"parts": parts}
    sanitizer = FoolingSanitizer.for_error(
        C, alpha, Budget(20, DELTA), beta=Fraction(1, 20), generator=generator, **given
    )
    (bound,) = sanitizer.bounds()
    assert bound.applies and not bound.vacuous and bound.failure == Fraction(1, 20)
    if parts is not None:
        # Hundreds of thousands of rows are drawn in every round: play with fewer.
        known = sanitizer.discriminator
        asked = FoolingDiscriminator(C, 400, Fraction("0.6"), Fraction(9), parts=parts)
        sanitizer = FoolingSanitizer(asked, sanitizer.generator, sanitizer.max_rounds)
        assert known.size > 400
    rows = PointSample.at(
        C.domain, [0, 3, 3, 3] * (sanitizer.rows // 4) + [0] * (sanitizer.rows % 4)
    )
    run = sanitizer.run(rows, SeededCoins(2))
    assert run.won and sanitization_error(run.data, C, rows) < alpha


def test_without_a_win_the_last_proposal_is_returned():
    C = table("points:n=8")
    discriminator = FoolingDiscriminator(C, 10_000, QUARTER, Fraction(20))
    sanitizer = FoolingSanitizer(discriminator, HedgeGenerator(C, QUARTER), 2)
    rows = PointSample.at(C.domain, [5] * 10_000)
    run = sanitizer.run(rows, SeededCoins(1))
    assert (run.won, run.rounds) == (False, 2)
    proposal = sanitizer.generator.start(SeededCoins(1))
    for answer in run.answers:
        proposal = proposal.after(answer, SeededCoins(1))
    assert run.data.weights == proposal.weights
    assert sanitizer.privacy == SelfComposed(discriminator.privacy, 2)
    assert not sanitizer.bounds()[0].applies


def test_games_promise_nothing_for_fewer_rows():
    C = table("points:n=3")
    for made in (FoolingSanitizer, RealizableFooling):
        sanitizer = made.for_error(C, QUARTER, Budget(1, DELTA))
        n = sanitizer.rows
        assert [sanitizer.bounds(rows)[0].applies for rows in (None, n, n - 1)] == [1, 1, 0]
        few = made.for_error(C, QUARTER, Budget(1, DELTA), rows=n - 1)
        assert not few.bounds()[0].applies


def test_a_run_tells_what_was_found_and_how_long_it_took(monkeypatch):
    C = table("thresholds:n=4")
    # Its first concept is no complement of another, nor is its complement in the class.
    small = next(i for i, h in enumerate(C) if 1 < sum(h.labels) < 4)
    other = C.complement()[small]
    assert C.position(other) is None
    script = [C[small], other, None]
    monkeypatch.setattr(FoolingDiscriminator, "answer", lambda *given: next(answers))
    discriminator = FoolingDiscriminator(C, 4, QUARTER, Fraction(1))
    for rounds, told, won in ((5, 2, True), (3, 2, True), (2, 2, False), (1, 1, False)):
        answers = iter(script)
        sanitizer = FoolingSanitizer(discriminator, HedgeGenerator(C, QUARTER), rounds)
        run = sanitizer.run(PointSample(C.domain, [0, 1, 2, 3]), SeededCoins(1))
        assert run.answers == ((small, 1), (small, 0))[:told]
        assert run.won is won and run.rounds == told + won


@pytest.mark.parametrize(
    ("beta", "rounds", "value", "failure"),
    [
        (Fraction(1, 3), 2, QUARTER, Fraction(2, 3)),
        (Fraction(1, 2), 2, 1, 0),
        (Fraction(1, 2), 3, 1, 0),
    ],
)
def test_what_may_always_fail_promises_nothing(beta, rounds, value, failure):
    C = table("points:n=3")
    discriminator = FoolingDiscriminator(C, 4, QUARTER, Fraction(1), beta=beta)
    sanitizer = FoolingSanitizer(discriminator, HedgeGenerator(C, QUARTER), rounds)
    (bound,) = sanitizer.bounds()
    assert (bound.value, bound.failure) == (value, failure)
    assert sanitizer.delta is None


@pytest.mark.parametrize("kind", [FoolingSanitizer, RealizableFooling, MWEMSanitizer])
def test_families_of_the_catalog_are_written_out(kind):
    family, budget = catalog.build("points:n=4"), Budget(1, DELTA)
    made = kind.for_error(family, Fraction(1, 3), budget)
    assert made == kind.for_error(family.to_table(), Fraction(1, 3), budget)
    with pytest.raises(TooLarge, match="would be a table of"):
        kind.for_error(catalog.build("thresholds:n=2^64"), Fraction(1, 3), budget)
