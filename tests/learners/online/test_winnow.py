"""Winnow for halfspaces with a margin and for short disjunctions."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import catalog
from learners.online import base
from learners.online.base import IntegerVector
from learners.online.features import Literals
from learners.online.winnow import Winnow, signed_values, winnow_bound
from lsclasses import InvalidInput, Table
from tests.learners.online.online_checks import check_stream, most_mistakes
from tests.strategies import GivenFeatures

HALFSPACES = catalog.family("margin-halfspaces")


# ---- halfspaces


@pytest.mark.parametrize(
    ("d", "norm", "margin"), [(1, 1, 1), (2, 1, 1), (3, 1, 1), (3, 3, 1), (3, 5, 2), (4, 1, 1)]
)
def test_no_adversary_exceeds_the_bound(d: int, norm: int, margin: int) -> None:
    table = HALFSPACES.table(d=d, norm=norm, margin=margin)
    learner = Winnow(Literals(d, signed=True), Fraction(margin, norm))
    bound = learner.mistake_bound
    assert bound == winnow_bound(2 * d, Fraction(margin, norm))
    assert table.ldim() <= most_mistakes(learner, table) <= bound


def test_no_adversary_exceeds_the_bound_with_a_bias_or_without_negative_weights() -> None:
    # Thresholds of one variable, with a bias: x1, its negation and the constants.
    cube = list(itertools.product((0, 1), repeat=2))
    rows = [[0] * 4, [1] * 4, *([x[i] ^ s for x in cube] for i in (0, 1) for s in (0, 1))]
    learner = Winnow(Literals(2), Fraction(1), bias=True)
    assert learner.mistake_bound == 2
    assert most_mistakes(learner, Table(rows, domain=cube)) <= 2
    # Majorities of three of four variables, none negated.
    signs = list(itertools.product((-1, 1), repeat=4))
    majorities = [
        [int(sum(x[i] for i in chosen) > 0) for x in signs]
        for chosen in itertools.combinations(range(4), 3)
    ]
    monotone = Winnow(Literals(4, signed=True), Fraction(1, 3), balanced=False)
    assert monotone.mistake_bound == winnow_bound(4, Fraction(1, 3)) == 24
    assert most_mistakes(monotone, Table(majorities, domain=signs)) <= 24


def naive_weights(learner: Winnow, mistakes: list[tuple[tuple[int, ...], int]]) -> list[Fraction]:
    """The weights by their definition: those of z_i first, then those of -z_i."""
    rho = learner.margin
    count = learner.features.count + learner.bias
    weights = [Fraction(1)] * (2 * count if learner.balanced else count)
    for x, y in mistakes:
        z = signed(learner, x)
        copies = [*z, *(-e for e in z)] if learner.balanced else z
        weights = [w * (1 + rho * (2 * y - 1) * e) for w, e in zip(weights, copies, strict=True)]
    return weights


def signed(learner: Winnow, x: tuple[int, ...]) -> list[int]:
    z = [2 * int(e > 0) - 1 for e in x]
    return [*z, 1] if learner.bias else z


@given(st.data())
def test_predictions_are_those_of_the_exact_weights(data: st.DataObject) -> None:
    d = data.draw(st.integers(1, 4))
    margin = data.draw(st.fractions(Fraction(1, 7), 1, max_denominator=9))
    learner = Winnow(Literals(d), margin, data.draw(st.booleans()), data.draw(st.booleans()))
    state, mistakes = learner, []
    points = list(itertools.product((0, 1), repeat=d))
    for _ in range(data.draw(st.integers(0, 12))):
        x = data.draw(st.sampled_from(points))
        y = 1 - state.predict(x)
        mistakes.append((x, y))
        state = state.observe(x, y)
    weights = naive_weights(learner, mistakes)
    for x in points:
        z = signed(learner, x)
        copies = [*z, *(-e for e in z)] if learner.balanced else z
        assert state.predict(x) == int(sum(map(lambda w, e: w * e, weights, copies)) > 0)
    # What may still come: the largest r with (len + r) K <= ln W.
    total = sum(weights)
    divergence = sum(float(s) * math.log(s) for s in (1 + margin, 1 - margin) if s) / 2
    left = -1.0 if not total else math.log(total) / divergence - len(mistakes)
    if abs(left - round(left)) > 1e-9:
        assert state.mistake_bound == (math.floor(left) if left >= 0 else None)
    assert state.mistakes == len(mistakes)


def test_ties_are_decided_exactly() -> None:
    # Floating point cannot tell these weighted sums from 0; all weights occur with both signs.
    learner = Winnow(Literals(40, signed=True), Fraction(1, 3))
    rng = np.random.default_rng(0)
    state = learner
    for _ in range(60):
        x = tuple((2 * rng.integers(2, size=40) - 1).tolist())
        state = state.observe(x, 1 - state.predict(x))
    by_weight: dict[int, list[int]] = {}
    for i, a in enumerate(state.agreements.array.tolist()):
        by_weight.setdefault(a, []).append(i)
    signs = [0] * 40
    for members in by_weight.values():
        for position, i in enumerate(members):
            signs[i] = 1 if position % 2 else -1
    values = np.array(signs) > 0
    counts = np.zeros(state.mistakes + 1, dtype=np.int64)
    np.add.at(counts, state.agreements.array, signed_values(values, state.bias))
    counts -= counts[::-1].copy()
    weights = naive_weights(learner, [])
    assert len(weights) == 80
    exact = sum(
        int(c) * (1 + state.margin) ** a * (1 - state.margin) ** (state.mistakes - a)
        for a, c in enumerate(counts.tolist())
    )
    assert state.predict(tuple(signs)) == int(exact > 0)
    assert state._sign(np.zeros(5, dtype=np.int64)) == 0
    # (1 + rho)^2 and (1 - rho)^2 against 2 (1 + rho)(1 - rho) at rho = 0 would tie; here they
    # differ by the least there is.
    tiny = Winnow(Literals(1), Fraction(1, 10**12), agreements=IntegerVector.of(np.array([1])))
    tiny = Winnow(tiny.features, tiny.margin, agreements=tiny.agreements, mistakes=2)
    assert tiny._sign(np.array([1, -2, 1])) == 1
    assert tiny._sign(np.array([-1, 2, -1])) == -1


def test_the_bound_is_at_most_the_textbook_one() -> None:
    for denominator in (1, 2, 3, 10, 33):
        for experts in (2, 100, 20_002):
            margin = Fraction(1, denominator)
            assert winnow_bound(experts, margin) <= 2 * math.log(experts) * denominator**2
    assert winnow_bound(1024, Fraction(1)) == 10
    assert winnow_bound(1, Fraction(1, 3)) == 0


@pytest.mark.parametrize("k", [1, 3, 5])
def test_ten_thousand_variables(k: int) -> None:
    n = 10_000
    learner = Winnow(Literals(n, signed=True), Fraction(1, k))
    rng = np.random.default_rng(k)
    chosen, flips = rng.choice(n, k, replace=False), 2 * rng.integers(2, size=k) - 1
    points = 2 * rng.integers(2, size=(250, n), dtype=np.int8) - 1
    labels = (points[:, chosen] @ flips.astype(np.int8) > 0).astype(int)
    stream = [(tuple(x), y) for x, y in zip(points.tolist(), labels.tolist(), strict=True)]
    state = check_stream(learner, stream)
    assert 0 < state.mistakes <= learner.mistake_bound


@pytest.mark.parametrize("bits", [0, 1, 5, 18, 19])
def test_with_margin_one_there_is_a_mistake_for_each_bit_of_a_feature_s_number(bits: int) -> None:
    """A bound that is an integer is that integer, although logarithms are rounded."""
    learner = Winnow(Literals(2**bits), Fraction(1), balanced=False)
    assert learner.mistake_bound == winnow_bound(2**bits, Fraction(1)) == bits


def test_a_stream_that_no_halfspace_fits_is_noticed() -> None:
    learner = Winnow(Literals(3, signed=True), Fraction(1, 3))
    assert learner.mistake_bound is not None
    state = learner
    while state.mistake_bound is not None:
        x = (1, 1, 1) if state.mistakes % 2 else (1, 1, -1)
        state = state.observe(x, 1 - state.predict(x))
    assert state.mistakes <= learner.mistake_bound + 1


def test_states_and_hypotheses(monkeypatch: pytest.MonkeyPatch) -> None:
    learner = Winnow(Literals(3, signed=True), Fraction(1, 3))
    points = list(learner.domain)
    for first, second in itertools.product(points, repeat=2):
        one = learner.observe(first, 1).observe(second, 0)
        other = learner.observe(second, 0).observe(first, 1)
        if one.mistakes == other.mistakes == 2:
            assert one == other
        same = [one.predict(x) for x in points] == [other.predict(x) for x in points]
        assert (one.hypothesis == other.hypothesis) == same
        assert (one.hypothesis.disagreement(other.hypothesis) is None) == same
    monkeypatch.setattr(base, "LISTED_UP_TO", 1)
    changed = learner.observe(points[-1], 1)
    assert changed.hypothesis == learner.observe(points[-1], 1).hypothesis
    assert changed.hypothesis != learner.hypothesis
    assert (
        len({changed.hypothesis, learner.hypothesis, Winnow(learner.features, 1).hypothesis}) == 3
    )
    for margin in (0, Fraction(-1, 2), Fraction(3, 2)):
        with pytest.raises(InvalidInput, match="margin is a number in"):
            Winnow(learner.features, margin)
    with pytest.raises(InvalidInput, match="at least one feature"):
        Winnow(GivenFeatures(Table([], domain=[0])), Fraction(1, 2))
