"""Audits of pairs: all neighbours, the worst pair, and what a claim may be."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import pytest
from flint import arb, ctx
from hypothesis import given, settings
from hypothesis import strategies as st

from learners.accounting import PureDP, SelfComposed
from learners.audit import (
    HOLDS,
    RESOLUTION,
    UNDECIDED,
    VIOLATED,
    audit,
    neighbouring_pairs,
)
from learners.coins import Coins
from lsclasses.errors import InvalidInput, TooLarge
from tests.learners.audit.laws import HALF, close


def test_all_pairs_and_the_worst_of_them() -> None:
    def run(data: tuple[int, ...], coins: Coins) -> int:
        # Ones at the end weigh more: the sensitivity is 3, not 1.
        return sum(x * weight for x, weight in zip(data, (1, 2, 3), strict=True)) + coins.laplace(2)

    pairs = neighbouring_pairs(itertools.product((0, 1), repeat=3))
    assert len(pairs) == 12
    found = audit(run, pairs, (HALF, 0))
    assert found.verdict == VIOLATED
    assert found.pair[0][:2] == found.pair[1][:2] and found.pair[0][2] != found.pair[1][2]
    assert close(found.least_epsilon, 1.5)
    assert found.pairs == 12 and len(found.event) > 1
    assert audit(run, pairs, (Fraction(3, 2), 0)).verdict == HOLDS
    assert audit(run, pairs, SelfComposed(PureDP(HALF), 3)).verdict == HOLDS


@settings(deadline=None, max_examples=40)
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


def test_a_cut_that_is_too_coarse_leaves_it_undecided() -> None:
    def run(n: int, coins: Coins) -> int:
        return n + coins.laplace(2)

    assert audit(run, [(0, 1)], (HALF, 0), tail=Fraction(1, 100)).verdict == UNDECIDED
    assert audit(run, [(0, 1)], (HALF, 0)).verdict == HOLDS
    assert audit(run, [(0, 1)], (Fraction(1, 10), 0), tail=Fraction(1, 100)).verdict == VIOLATED


def test_a_delta_of_the_claim_is_used() -> None:
    def run(bit: int, coins: Coins) -> int:
        return bit if coins.flip(Fraction(1, 10)) else 2

    assert audit(run, [(0, 1)], (0, Fraction(1, 10))).verdict == HOLDS
    found = audit(run, [(0, 1)], (5, Fraction(99, 1000)))
    assert found.verdict == VIOLATED and found.least_epsilon == arb.pos_inf()


def noise(n: int, coins: Coins) -> int:
    return n + coins.laplace(1)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: audit(noise, [], (1, 0)), "no pair"),
        (lambda: audit(noise, [(0, 0), (1, 1)], (1, 0)), "no pair .* that differ"),
        (lambda: audit(noise, [([0], [1])], (1, 0)), "must be hashable"),
        (lambda: audit(noise, [(0, 1)], (-1, 0)), "at least 0"),
        (lambda: audit(noise, [(0, 1)], (0.5, 0)), r"Fraction\(1, 2\)"),
        (lambda: audit(noise, [(0, 1)], (1, 1)), "less than 1"),
        (lambda: audit(noise, [(0, 1)], (1, 0), resolution=1), "resolution must be at least 0"),
        (lambda: neighbouring_pairs("ab", "user"), "replace_one"),
    ],
)
def test_bad_input(make: Any, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        make()


def test_too_many_branches() -> None:
    with pytest.raises(TooLarge):
        audit(noise, [(0, 1)], (1, 0), max_branches=10)


def test_the_resolution_is_what_verdicts_use() -> None:
    def run(bit: int, coins: Coins) -> int:
        return bit if coins.flip(RESOLUTION / 2) else 2

    # More than claimed is violated, however little; the resolution only ever excuses balls.
    assert audit(run, [(0, 1)], (1, 0)).verdict == VIOLATED
    with ctx.workprec(128):
        assert audit(run, [(0, 1)], (1, RESOLUTION / 2)).verdict == HOLDS
