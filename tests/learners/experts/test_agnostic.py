"""The agnostic learner from constructed experts: budgets, bounds, laws."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product

from hypothesis import given

import catalog
from learners.bounds import OBLIVIOUS, UNSEEN
from learners.budget import Budget
from learners.coins import SeededCoins
from learners.experts import agnostic as module
from learners.experts.agnostic import FOLLOWED, agnostic_experts, differences, quoted_regret
from learners.experts.dartboard import ShrinkingDartboard
from learners.playing.adversaries import FixedStream, Noisy, RandomConcept
from learners.playing.entries import ONLINE_LEARNERS
from learners.playing.expert_sources import experts_of
from learners.playing.play import play
from learners.sanitizers.interval_sanitizer import IntervalSanitizer, KeptPoints
from lsclasses.soa import ConservativeSOA
from tests.strategies import tables

POINTS = catalog.build("at-most:n=8,k=1")
MILLIONTH = Fraction(1, 10**6)


def test_the_best_share_is_found():
    given = POINTS, 3000, Budget(4, MILLIONTH)
    best, *others = (
        agnostic_experts(*given, share=share).bounds[1].value
        for share in (None, *(Fraction(i, 16) for i in range(1, 16)))
    )
    assert best == min(others) < max(others)


def test_shares_are_tried_from_the_smallest():
    """The more rounds, the less the sanitizer needs of what choosing gets dearer without."""
    given = 10**10, Budget(1, MILLIONTH)
    best = agnostic_experts(POINTS, *given)
    assert best == agnostic_experts(POINTS, *given, share=Fraction(1, 16))
    assert best != agnostic_experts(POINTS, *given, share=Fraction(1, 8))


def test_bounds_add_what_the_best_expert_loses_more():
    learner = agnostic_experts(POINTS, 10**4, Budget(Fraction(4), MILLIONTH))
    assert learner.excess == learner.sanitizer.seen  # M = 1
    for own, choosing in zip(learner.bounds, learner.chooser.bounds, strict=True):
        if choosing.value is not None:
            assert own.value == choosing.value + learner.excess
        assert own.trivial is None or own.trivial == 10**4
        assert UNSEEN in own.hypotheses or own.value is None
    assert not learner.bounds[0].vacuous
    assert learner.parameters.experts == learner.experts.size
    assert "vacuous" not in str(learner.parameters)
    short = agnostic_experts(POINTS, 100, Budget(Fraction(1), MILLIONTH))
    assert short.bounds[0].vacuous
    assert "vacuous" in str(short.parameters)
    fixed = agnostic_experts(POINTS, 100, Budget(Fraction(4), MILLIONTH), oblivious=True)
    assert OBLIVIOUS in fixed.bounds[0].hypotheses
    assert quoted_regret("oblivious").hypotheses == (OBLIVIOUS,)
    assert quoted_regret("adaptive").hypotheses == ()


def test_with_too_few_switches_the_bound_does_not_apply():
    C = catalog.build("thresholds:n=7")
    learner = agnostic_experts(C, 50, Budget(Fraction(8), MILLIONTH), switches=1)
    assert learner.experts.switches == 1 < learner.experts.base.mistake_bound
    assert all(bound.unmet == (FOLLOWED,) for bound in learner.bounds[:2])
    enough = learner.experts.base.mistake_bound
    for switches in (enough, enough + 1, None):
        more = agnostic_experts(C, 50, Budget(Fraction(8), MILLIONTH), switches=switches)
        assert more.bounds[0].applies and FOLLOWED in more.bounds[0].hypotheses


@dataclass(frozen=True)
class Failing(KeptPoints):
    failure: Fraction = Fraction(1, 1000)


def with_failure(learner, chance):
    """A learner of 64 rounds with a sanitizer that fails so often."""
    sanitizer = IntervalSanitizer(64, (None,) * 6 + (Failing(chance),))
    return replace(learner, sanitizer=sanitizer)


def test_a_sanitizer_that_fails_is_counted():
    sure = agnostic_experts(POINTS, 64, Budget(Fraction(4), MILLIONTH))
    failing = with_failure(sure, Fraction(1, 1000))
    likely, expected = failing.bounds[:2]
    plain = sure.chooser.bounds
    assert likely.failure == plain[0].failure + Fraction(1, 1000)
    assert likely.value == plain[0].value + failing.excess
    assert expected.value == plain[1].value + failing.excess + Fraction(64, 1000)
    assert failing.privacy is None


def test_bounds_that_would_fail_with_certainty_are_not_stated():
    sure = agnostic_experts(POINTS, 64, Budget(Fraction(4), MILLIONTH))
    spare = 1 - sure.bounds[0].failure
    stated = [
        [bound.quantity for bound in with_failure(sure, chance).bounds[:-1]]
        for chance in (spare - MILLIONTH, spare, 1)
    ]
    assert stated == [["regret", "expected regret"], ["expected regret"], []]


def test_where_nothing_is_sanitized_nothing_is_missed_in_no_length():
    blind = replace(
        agnostic_experts(POINTS, 64, Budget(Fraction(4), MILLIONTH)),
        sanitizer=IntervalSanitizer(64, (None,) * 7),
    )
    assert (blind.parameters.lengths, blind.parameters.missed) == (0, 0)
    assert blind.excess == 65 > blind.rounds, "what is always 1 is not seen"


def test_regret_is_counted_against_the_concepts_and_not_against_the_experts():
    learner = agnostic_experts(POINTS, 100, Budget(Fraction(12), MILLIONTH))
    noisy = Noisy(RandomConcept(POINTS), Fraction(1, 10))
    game = play(learner, noisy, 100, SeededCoins(0))
    again = play(learner, noisy, 100, SeededCoins(0), experts=experts_of(POINTS))
    assert again.regret == game.regret


def test_how_far_rules_are_from_concepts():
    for spec, proper in (("at-most:n=9,k=2", 4), ("points:n=9", 2), ("thresholds:n=6", 6)):
        C = catalog.build(spec)
        table = C.to_table().labels
        widest = max((a != b).sum() for a in table for b in table)
        assert widest <= differences(C, proper=True) == proper
        assert differences(C, proper=False) == C.domain.size
    assert differences(catalog.build("at-most:n=2^64,k=1"), proper=True) == 2**64


@given(tables())
def test_how_far_rules_are_from_concepts_by_the_majority(C):
    """Twice the largest distance from it; a support has at least one point, though."""
    rows = C.to_table().labels.tolist()
    majority = [2 * sum(column) > len(rows) for column in zip(*rows, strict=True)]
    widest = max(sum(a != b for a, b in zip(row, majority, strict=True)) for row in rows)
    assert differences(C, proper=True) == min(len(majority), max(1, 2 * widest))
    assert all(
        sum(a != b for a, b in zip(*pair, strict=True)) <= differences(C, proper=True)
        for pair in product(rows, rows)
    )


def test_classes_that_are_too_large_to_write_out_are_not(monkeypatch):
    assert differences(catalog.build("at-most:n=9,k=1"), proper=True) == 2
    monkeypatch.setattr(module, "BYTE_LIMIT", 90)
    assert differences(catalog.build("at-most:n=9,k=1"), proper=True) == 2
    monkeypatch.setattr(module, "BYTE_LIMIT", 89)
    assert differences(catalog.build("at-most:n=9,k=1"), proper=True) == 9


def test_huge_domains_are_learned_from_what_is_known_of_them():
    C = catalog.build("at-most:n=2^64,k=1")
    learner = agnostic_experts(C, 400, Budget(Fraction(16), MILLIONTH), support=2)
    small = agnostic_experts(POINTS, 400, Budget(Fraction(16), MILLIONTH))
    assert learner.bounds[0].value == small.bounds[0].value
    game = play(learner, FixedStream([(10**15, 1)] * 400), 400, SeededCoins(2))
    assert game.mistakes < 300


def test_by_name():
    entry = ONLINE_LEARNERS["constructed-experts"]
    learner = entry.learner("thresholds:n=3", 40, epsilon="8", base="sparse-majority", switches=2)
    assert learner.experts.switches == 2
    assert learner.sanitizer.replacers[-1].support == 3
    proper = entry.learner("at-most:n=6,k=1", 40, base="proper-soa", oblivious=1)
    assert proper.sanitizer.replacers[-1].support == 2
    assert isinstance(proper.chooser, ShrinkingDartboard)
    assert isinstance(entry.learner("points:n=5", 40).experts.base, ConservativeSOA)
