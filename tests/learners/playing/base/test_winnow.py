"""Winnow for halfspaces with a margin and for short disjunctions, with sums of weights near 0."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st

import catalog
from learners.playing.base import state as base
from learners.playing.base.state import IntegerVector
from learners.playing.base.winnow import Winnow, winnow_bound
from learners.playing.features import Literals
from lsclasses import Table
from tests.learners.playing.online_checks import most_mistakes

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


# ---- sums of weights that are next to nothing, or nothing, and bounds that are integers


@pytest.mark.parametrize("bits", [0, 1, 5, 60, 120])
def test_at_margin_1_each_mistake_halves_the_experts(bits: int) -> None:
    """The bound is log2 of their number, an integer that no rounding may fall short of."""
    assert winnow_bound(2**bits, Fraction(1)) == bits
    assert bits == 0 or winnow_bound(2**bits - 1, Fraction(1)) == bits - 1


@pytest.mark.parametrize(("negative", "label"), [(0, 1), (1, 0), (2, 0)])
def test_the_sign_of_a_sum_is_exact(negative: int, label: int) -> None:
    """At margin 1/2 weights are as 3^a, and 3^40 - 2 (3^39 + ... + 1) = 1, far below rounding.

    With one or two more features of weight 1 against it, the sum is 0, which counts as -1, or -1.
    """
    agreements = [40, *(a for a in range(40) for _ in range(2)), *(0,) * negative]
    votes = tuple(int(a == 40) for a in agreements)
    sums = sum((2 * vote - 1) * 3**a for vote, a in zip(votes, agreements, strict=True))
    assert sums == 1 - negative
    state = Winnow(
        Literals(len(votes)),
        Fraction(1, 2),
        balanced=False,
        agreements=IntegerVector.of(np.array(agreements)),
        mistakes=40,
    )
    assert state.predict(votes) == label


@pytest.mark.parametrize("balanced", [False, True])
def test_at_margin_1_a_feature_that_erred_has_no_weight(balanced: bool) -> None:
    """So where all have erred, the sum is 0 and the prediction is 0, whatever the features are."""
    state = Winnow(Literals(3), Fraction(1), balanced=balanced)
    for x, y in (((1, 1, 0), 0), ((1, 1, 0), 1), ((0, 0, 1), 1), ((1, 0, 1), 1)):
        # Corrected whether it errs or not: the weights are what mistakes make them.
        state = state._corrected(x, y)
    assert state.mistake_bound is None
    assert {state.predict((a, b, c)) for a in (0, 1) for b in (0, 1) for c in (0, 1)} == {0}


@pytest.mark.parametrize("power", [0, 3, 16, 200])
@pytest.mark.parametrize("factor", [1, 7])
def test_no_margin_is_too_small_for_the_bound(factor: int, power: int) -> None:
    """It is ln N / KL, computed here to a thousand digits, at margins down to 10^-200."""
    denominator, experts = factor * 10**power, 20_002
    state = Winnow(Literals(10_000), Fraction(1, denominator), bias=True)
    assert state.experts == experts
    with ctx.workdps(1000):
        rho = arb(fmpq(1, denominator))
        kept = 0 if denominator == 1 else (1 - rho) * (1 - rho).log()
        exact = 2 * arb(experts).log() / ((1 + rho) * (1 + rho).log() + kept)
        bound = exact.floor().unique_fmpz()
    assert winnow_bound(experts, state.margin) == state.mistake_bound == bound


def test_a_sum_may_be_0_where_no_term_is() -> None:
    """At margin 1/3 the weights of no and one agreement are as 1 to 2."""
    state = Winnow(
        Literals(1), Fraction(1, 3), agreements=IntegerVector.of(np.array([1])), mistakes=1
    )
    signs = [state._sign(np.array(counts)) for counts in ([-2, 1], [2, -1], [-1, 1], [1, -1])]
    assert signs == [0, 0, 1, -1]


def test_signs_of_sums_that_nearly_cancel_are_exact() -> None:
    """(1 + rho)^2 and (1 - rho)^2 against 2 (1 + rho)(1 - rho): the sum is 4 rho^2."""
    tiny = Winnow(
        Literals(1), Fraction(1, 10**12), agreements=IntegerVector.of(np.array([1])), mistakes=2
    )
    assert tiny._sign(np.array([1, -2, 1])) == 1
    assert tiny._sign(np.array([-1, 2, -1])) == -1
    assert tiny._sign(np.zeros(3, dtype=np.int64)) == 0
