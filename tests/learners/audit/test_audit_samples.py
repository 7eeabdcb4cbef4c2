"""Audits from samples: Clopper-Pearson by the binomial, and what is found."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learners.audit import PrivacyLoss, audit_samples, clopper_pearson
from learners.coins import Coins
from learners.exact import exact_distribution
from lsclasses.verdicts import Verdict
from tests.learners.audit.laws import HALF


def binomial_tail(trials: int, p: Fraction, least: int) -> Fraction:
    return sum(
        (math.comb(trials, k) * p**k * (1 - p) ** (trials - k) for k in range(least, trials + 1)),
        Fraction(0),
    )


@given(st.integers(1, 40), st.data(), st.sampled_from([Fraction(1, 20), Fraction(1, 10**6)]))
def test_clopper_pearson_by_the_binomial(trials: int, data: Any, error: Fraction) -> None:
    successes = data.draw(st.integers(0, trials))
    lower, upper = clopper_pearson(successes, trials, error)
    nudge = Fraction(1, 10**6)
    if successes:
        assert binomial_tail(trials, lower, successes) <= error
        assert binomial_tail(trials, lower + nudge, successes) > error
    else:
        assert lower == 0
    if successes < trials:
        missed = trials - successes
        assert binomial_tail(trials, 1 - upper, missed) <= error
        assert binomial_tail(trials, 1 - upper + nudge, missed) > error
    else:
        assert upper == 1


def test_a_true_claim_is_hardly_ever_violated() -> None:
    """At confidence 3/4, at most a quarter of audits may err."""
    noisy = [lambda coins, n=n: n + coins.laplace(1) for n in (0, 1)]
    wrong = sum(
        audit_samples(*noisy, (1, 0), samples=30, confidence=Fraction(3, 4), rng=seed).verdict
        == Verdict.VIOLATED
        for seed in range(12)
    )
    # P[Bin(12, 1/4) >= 11] < 10^-5.
    assert wrong < 11


def test_samples_find_what_is_there_and_not_more() -> None:
    noisy = [lambda coins, n=n: n + coins.laplace(1) for n in (0, 1)]
    exact = PrivacyLoss(*(exact_distribution(run) for run in noisy))
    found = audit_samples(*noisy, (HALF, 0), samples=4000, rng=7)
    assert found.verdict == Verdict.VIOLATED
    assert 0.2 < found.bound <= float(exact.delta(HALF))
    assert 0.8 < found.least_epsilon <= 1
    honest = audit_samples(*noisy, (1, 0), samples=1000, rng=7)
    assert honest.verdict == Verdict.CONSISTENT and honest.least_epsilon <= 1


def test_a_seed_repeats_everything_that_is_found() -> None:
    noisy = [lambda coins, n=n: n + coins.laplace(1) for n in (0, 1)]
    one, again, other = (
        audit_samples(*noisy, (HALF, 0), samples=50, rng=seed) for seed in (5, 5, 6)
    )
    assert one == again != other


def test_samples_respect_delta() -> None:
    leaky = [lambda coins, n=n: n if coins.flip(Fraction(1, 20)) else 2 for n in (0, 1)]
    assert (
        audit_samples(*leaky, (1, Fraction(1, 20)), samples=4000, rng=1).verdict
        == Verdict.CONSISTENT
    )
    found = audit_samples(*leaky, (1, Fraction(1, 50)), samples=4000, rng=1)
    assert (
        found.verdict == Verdict.VIOLATED and found.event in ((0,), (1,)) and found.counts[1] == 0
    )


@pytest.mark.parametrize(
    ("confidence", "delta"), [(None, Fraction(0)), (Fraction(1, 3), Fraction(1, 10))]
)
def test_both_bounds_share_the_error(confidence: Fraction | None, delta: Fraction) -> None:
    """P[event] is bounded from below for one input and from above for the other, each at half."""
    noisy = [lambda coins, n=n: n + coins.laplace(1) for n in (0, 1)]
    given = {} if confidence is None else {"confidence": confidence}
    found = audit_samples(*noisy, (HALF, delta), samples=300, rng=3, **given)
    assert found.confidence == (1 - Fraction(1, 10**6) if confidence is None else confidence)
    error = (1 - found.confidence) / 2
    low = clopper_pearson(found.counts[0], 300, error)[0]
    high = clopper_pearson(found.counts[1], 300, error)[1]
    assert found.bound == pytest.approx(low - math.exp(0.5) * high)
    assert found.least_epsilon == pytest.approx(math.log((low - delta) / high))


def test_whatever_is_seen_for_one_input_only_is_the_event() -> None:
    found = audit_samples(lambda coins: "a", lambda coins: "b", (1, 0), samples=1, rng=1)
    assert (found.event, found.counts, found.direction) == (("a",), (1, 0), 0)
    same = audit_samples(lambda coins: "a", lambda coins: "a", (1, 0), samples=9, rng=1)
    assert same.verdict == Verdict.CONSISTENT and same.least_epsilon == 0


@pytest.mark.parametrize("leaky", [0, 1])
def test_samples_choose_the_direction_that_gains_more(leaky: int) -> None:
    """30 % of one law are outcomes that the other one lacks; the reverse direction gains 8 %."""

    def leaks(coins: Coins) -> str:
        return "zzzbcccccc"[coins.below(10)]

    def hides(coins: Coins) -> str:
        return "b" if coins.flip(Fraction(35, 100)) else "c"

    runs = (hides, leaks) if leaky else (leaks, hides)
    found = audit_samples(*runs, (1, Fraction(1, 10)), samples=1000, rng=5)
    assert found.verdict == Verdict.VIOLATED and found.direction == leaky and found.event == ("z",)
    assert found.counts[1] == 0
