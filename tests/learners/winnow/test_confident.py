"""Winnow that updates unless it is right and sure."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
from flint import arb, ctx
from hypothesis import given
from hypothesis import strategies as st

from learners.balls import ball
from learners.playing.base.state import IntegerVector
from learners.playing.base.winnow import winnow_bound
from learners.playing.features import Literals
from learners.winnow.confident import ConfidentWinnow, best_rate, sign_of_sum, update_bound


def experts_of(learner, x):
    """The experts' values at x: features, constant, then the negations."""
    z = [2 * int(e > 0) - 1 for e in x] + [1] * learner.bias
    return z + [-e for e in z] if learner.balanced else z


class Naive:
    """The algorithm as printed, with balls instead of numbers."""

    def __init__(self, learner):
        self.learner = learner
        self.w = [arb(1) / learner.experts] * learner.experts

    def product(self, x):
        return sum(
            (w * z for w, z in zip(self.w, experts_of(self.learner, x), strict=True)), arb(0)
        )

    def update(self, x, y):
        eta = ball(self.learner.eta)
        grown = [
            w * (eta * (2 * y - 1) * z).exp()
            for w, z in zip(self.w, experts_of(self.learner, x), strict=True)
        ]
        total = sum(grown, arb(0))
        self.w = [w / total for w in grown]


@st.composite
def learners(draw):
    d = draw(st.integers(1, 4))
    margin = draw(st.fractions(Fraction(1, 7), 1, max_denominator=9))
    confidence = draw(st.fractions(0, Fraction(9, 10), max_denominator=10))
    part = draw(st.fractions(Fraction(1, 20), Fraction(19, 20), max_denominator=20))
    # The hypothesis of the corrected lemma: eta < 2 (1 - c) rho.
    rate = draw(st.sampled_from([None, 2 * (1 - confidence) * margin * part]))
    bias, balanced = draw(st.booleans()), draw(st.booleans())
    return ConfidentWinnow(Literals(d), margin, confidence, rate, bias, balanced)


@given(learners(), st.data())
def test_it_does_what_is_printed(learner, data):
    state, points = learner, list(learner.domain)
    with ctx.workprec(256):
        naive = Naive(learner)
        for _ in range(data.draw(st.integers(1, 10))):
            x, y = data.draw(st.sampled_from(points)), data.draw(st.integers(0, 1))
            b = data.draw(st.booleans())
            product, edge = naive.product(x), ball(learner.confidence * learner.margin)
            tied = product.contains(0)
            # Balls of 256 bits decide everything but exact ties.
            assert state.predict(x) == (1 if tied or product > 0 else 0)
            sure = bool(abs(product) > edge) or (abs(product) - edge).contains(0)
            assert state.is_sure(x) == sure
            wrong = state.predict(x) != y
            after = state.observe(x, y, b)
            if wrong or (b and not sure):
                naive.update(x, y)
                assert (after.updates, after.mistakes) == (
                    state.updates + 1,
                    state.mistakes + wrong,
                )
            else:
                assert after is state
            state = after


@given(learners(), st.data())
def test_updates_stay_within_the_bound_on_streams_with_the_margin(learner, data):
    target = data.draw(
        st.lists(st.integers(0, 3), min_size=learner.experts, max_size=learner.experts).filter(any)
    )
    norm = sum(target)
    examples = []
    for x in learner.domain:
        value = Fraction(
            sum(v * z for v, z in zip(target, experts_of(learner, x), strict=True)), norm
        )
        if abs(value) >= learner.margin:
            examples.append((x, int(value > 0)))
    state, bound = learner, learner.bounds[0]
    assert learner.mistake_bound == bound.value
    assert bound.value <= printed_bound(learner)
    least = learner.mistake_bound
    if examples:
        # An adversary repeats whatever is updated on, for as long as it can.
        order = data.draw(st.permutations(examples))
        progress = True
        while progress:
            progress = False
            for x, y in order:
                after = state.observe(x, y)
                progress |= after is not state
                state = after
                assert state.mistake_bound is not None
                least = min(least, state.updates + state.mistake_bound)
                assert state.updates <= least
    assert state.mistakes <= state.updates <= bound.value
    assert bound.check([state.updates]) == "consistent"


def printed_bound(learner):
    """ln d / ((1 - c) eta rho - eta^2/2) where it has a meaning."""
    eta, rho, c = float(learner.eta), float(learner.margin), float(learner.confidence)
    denominator = (1 - c) * eta * rho - eta**2 / 2
    return math.inf if denominator <= 0 else math.log(learner.experts) / denominator + 1e-9


def test_without_confidence_and_at_the_best_rate_the_bound_is_that_of_winnow():
    for denominator in (2, 3, 10, 33):
        margin = Fraction(1, denominator)
        for experts in (2, 100, 20_002):
            sharp = winnow_bound(experts, margin)
            assert sharp <= update_bound(experts, margin) <= sharp + 1


@given(st.fractions(Fraction(1, 50), Fraction(49, 50)), st.fractions(0, Fraction(9, 10)))
def test_the_best_rate_is_the_best(margin, confidence):
    best = best_rate(margin, confidence)
    least = update_bound(1000, margin, None, confidence)
    assert best > 0
    for factor in (Fraction(1, 2), Fraction(9, 10), Fraction(11, 10), Fraction(3, 2)):
        assert update_bound(1000, margin, best * factor, confidence) >= least


def test_the_best_rate_is_positive_however_small():
    margin, close = Fraction(1, 2), 1 - Fraction(1, 10**9)
    rate = best_rate(margin, close)
    sup = math.atanh(0.5) - math.atanh(0.5 - 0.5e-9)
    assert sup * (1 - 2**-9) < rate < sup * (1 + 2**-20)
    # The relative entropy of close coins is about (rho - c rho)^2/(2 (1 - rho^2)).
    printed = math.log(10) * 2 * (1 - 0.25) / 0.5e-9**2
    assert math.isclose(update_bound(10, margin, confidence=close), printed, rel_tol=1e-3)


@given(
    st.dictionaries(st.integers(-30, 30), st.integers(-5, 5), max_size=8),
    st.fractions(Fraction(1, 10**6), 3),
)
def test_signs_of_sums_of_exponentials(terms, rate):
    levels, counts = np.array([*terms], dtype=np.int64), np.array([*terms.values()], dtype=np.int64)
    with ctx.workprec(4096):
        total = sum((c * (ball(rate) * level).exp() for level, c in terms.items()), arb(0))
        expected = 0 if not any(terms.values()) else 1 if total > 0 else -1
        assert expected == 0 or not total.contains(0)
    assert sign_of_sum(levels, counts, rate) == expected


def test_signs_that_floating_point_cannot_tell():
    # (e^eta - 1)^k is about eta^k: 10^-60 of its terms.
    for k in (2, 4, 5):
        binomials = np.array([(-1) ** (k - i) * math.comb(k, i) for i in range(k + 1)])
        assert sign_of_sum(np.arange(k + 1), binomials, Fraction(1, 10**12)) == 1
        assert sign_of_sum(np.arange(k + 1), -binomials, Fraction(1, 10**12)) == -1


def test_a_stream_without_the_margin_is_noticed():
    state = ConfidentWinnow(Literals(2), Fraction(1, 2), Fraction(1, 2))
    bound = state.bounds[0].value
    x = (1, 0)
    while state.mistake_bound is not None:
        state = state.observe(x, 1 - state.predict(x))
    assert state.updates <= bound + 1


def test_states_are_values():
    learner = ConfidentWinnow(Literals(2), Fraction(1, 2))
    one = learner.observe((1, 0), 0).observe((0, 0), 0)
    other = learner.observe((0, 0), 0).observe((1, 0), 0)
    assert one == other and hash(one) == hash(other) and one.hypothesis == other.hypothesis
    assert one.scores == IntegerVector.of(np.array([0, 2]))
    for x in itertools.product((0, 1), repeat=2):
        assert one.hypothesis(x) == one.predict(x)
