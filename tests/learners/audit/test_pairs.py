"""Audits of pairs: all neighbours, the worst pair, and what a claim may be."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import pytest
from flint import arb, ctx
from hypothesis import given
from hypothesis import strategies as st

from learners.accounting import PureDP, Scope, SelfComposed
from learners.audit import RESOLUTION, PrivacyLoss, audit, audit_joint, neighbouring_pairs
from learners.coins import Coins
from lsclasses.verdicts import Verdict
from tests.learners.audit.laws import HALF, close, rational_law, weights

positive = st.lists(st.integers(1, 6), min_size=4, max_size=4)
"""Shares of laws between which all losses are finite."""


def test_all_pairs_and_the_worst_of_them() -> None:
    def run(data: tuple[int, ...], coins: Coins) -> int:
        # Ones at the end weigh more: the sensitivity is 3, not 1.
        return sum(x * weight for x, weight in zip(data, (1, 2, 3), strict=True)) + coins.laplace(2)

    pairs = neighbouring_pairs(itertools.product((0, 1), repeat=3))
    assert len(pairs) == 12
    found = audit(run, pairs, (HALF, 0))
    assert found.verdict == Verdict.VIOLATED
    assert found.pair[0][:2] == found.pair[1][:2] and found.pair[0][2] != found.pair[1][2]
    assert close(found.least_epsilon, 1.5)
    assert found.pairs == 12 and len(found.event) > 1
    assert audit(run, pairs, (Fraction(3, 2), 0)).verdict == Verdict.HOLDS
    assert (
        audit(
            run, pairs, SelfComposed(PureDP(HALF, scope=Scope.adaptive("replace_one")), 3)
        ).verdict
        == Verdict.HOLDS
    )


@given(
    st.lists(st.text("ab", max_size=3), unique=True), st.sampled_from(["replace_one", "add_remove"])
)
def test_pairs_are_all_neighbours_once(inputs: list[str], relation: str) -> None:
    from learners.games import are_neighbours

    expected = {
        frozenset((x, y))
        for x in inputs
        for y in inputs
        if x != y and are_neighbours(x, y, relation)
    }
    found = neighbouring_pairs(inputs, relation)
    assert {frozenset(pair) for pair in found} == expected and len(found) == len(expected)


@given(
    st.sampled_from([weights, positive]).flatmap(
        lambda parts: st.lists(parts, min_size=2, max_size=5)
    ),
    st.sampled_from([Fraction(0), Fraction(1, 10), HALF, Fraction(2)]),
    st.sampled_from([Fraction(0), Fraction(1, 30), Fraction(1, 4)]),
)
def test_findings_are_about_the_worst_of_all_pairs(
    laws: list[list[int]], epsilon: Fraction, delta: Fraction
) -> None:
    def run(i: int, coins: Coins) -> int:
        slots = [o for o, part in enumerate(laws[i]) for _ in range(part)]
        return slots[coins.below(len(slots))]

    pairs = list(itertools.combinations(range(len(laws)), 2))
    found = audit(run, pairs, (epsilon, delta))
    losses = {(i, j): PrivacyLoss(*map(rational_law, (laws[i], laws[j]))) for i, j in pairs}
    measured = {pair: float(loss.delta(epsilon).mid()) for pair, loss in losses.items()}
    needed = {pair: float(loss.epsilon(delta)) for pair, loss in losses.items()}
    assert float(found.measured.mid()) == pytest.approx(max(measured.values()), abs=1e-12)
    assert float(found.least_epsilon) == pytest.approx(max(needed.values()), abs=1e-9)
    assert found.enough_epsilon >= found.least_epsilon * arb(1 - 1e-9)
    if max(measured.values()) > delta + Fraction(1, 10**12):
        assert measured[found.pair] == pytest.approx(max(measured.values()), abs=1e-12)
        assert found.verdict == Verdict.VIOLATED
    elif max(needed.values()) > 1e-9:
        # Within what rounding makes of equal ones.
        assert needed[found.pair] == pytest.approx(max(needed.values()), rel=1e-8)
    assert (found.pairs, found.branches) == (len(pairs), sum(map(sum, laws)))
    assert found.cut.is_zero()


def test_a_pair_may_be_given_in_either_order() -> None:
    def run(bit: int, coins: Coins) -> bool:
        return coins.flip(Fraction(1 + bit, 3))

    one_way, other_way = (audit(run, [pair], (HALF, 0)) for pair in [(0, 1), (1, 0)])
    assert close(one_way.least_epsilon, math.log(2)) and close(other_way.least_epsilon, math.log(2))


def test_within_the_claim_the_pair_that_needs_most_epsilon_is_named() -> None:
    """What tells all, rarely, takes delta and no epsilon; a response takes epsilon and no delta."""

    def run(asked: tuple[str, int], coins: Coins) -> int:
        way, bit = asked
        if way == "rarely":
            return bit if coins.flip(Fraction(1, 50)) else 2
        return int(coins.flip(Fraction(2 + bit, 5)))

    rarely, response = pairs = [((way, 0), (way, 1)) for way in ("rarely", "response")]
    assert audit(run, pairs, (HALF, Fraction(1, 30))).pair == response
    assert audit(run, pairs, (HALF, Fraction(1, 100))).pair == rarely


def test_everybody_but_the_changed_person_is_in_the_view() -> None:
    streams = list(itertools.product((0, 1), repeat=3))

    def neighbour(data: tuple[int, ...], coins: Coins) -> list[int]:
        """Each is told the bit of the one before, and the first one their own."""
        return [data[max(i - 1, 0)] for i in range(3)]

    def alone(data: tuple[int, ...], coins: Coins) -> list[int]:
        return list(data)

    assert audit_joint(neighbour, streams, (1, 0)).verdict == Verdict.VIOLATED
    found = audit_joint(alone, streams, (0, 0))
    assert found.verdict == Verdict.HOLDS and found.pairs == 12
    # The law of a stream is explored once, for all users that may be left out.
    assert found.branches == len(streams)


def test_a_cut_that_is_too_coarse_leaves_it_undecided() -> None:
    def run(n: int, coins: Coins) -> int:
        return n + coins.laplace(2)

    assert audit(run, [(0, 1)], (HALF, 0), tail=Fraction(1, 100)).verdict == Verdict.UNDECIDED
    assert audit(run, [(0, 1)], (HALF, 0)).verdict == Verdict.HOLDS
    assert (
        audit(run, [(0, 1)], (Fraction(1, 10), 0), tail=Fraction(1, 100)).verdict
        == Verdict.VIOLATED
    )


def test_the_resolution_is_what_verdicts_use() -> None:
    def run(bit: int, coins: Coins) -> int:
        return bit if coins.flip(RESOLUTION / 2) else 2

    # More than claimed is violated, however little; the resolution only ever excuses balls.
    assert audit(run, [(0, 1)], (1, 0)).verdict == Verdict.VIOLATED
    with ctx.workprec(128):
        assert audit(run, [(0, 1)], (1, RESOLUTION / 2)).verdict == Verdict.HOLDS
