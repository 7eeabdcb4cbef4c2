"""The loss of given distributions against the definitions, on all events and on fine grids."""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest

from learners.audit import of_distributions
from learners.audit.cumulants import _chord_bound
from learners.exact import exact_distribution
from lsclasses.errors import InvalidInput
from lsclasses.verdicts import Verdict

Exact = list[Fraction]


def random_pair(seed: int, size: int, *, zeros: bool = False) -> tuple[Exact, Exact]:
    rng = np.random.default_rng(seed)
    sides = []
    for _ in range(2):
        weights = rng.integers(0 if zeros else 1, 20, size)
        weights[rng.integers(size)] += 1
        total = int(weights.sum())
        sides.append([Fraction(int(weight), total) for weight in weights])
    return sides[0], sides[1]


def events(size: int) -> list[tuple[int, ...]]:
    return [e for k in range(size + 1) for e in itertools.combinations(range(size), k)]


def mass(side: Sequence[Fraction], event: tuple[int, ...]) -> Fraction:
    return sum((side[i] for i in event), Fraction(0))


def ratio_by_definition(P: Exact, Q: Exact, delta: Fraction) -> Fraction | float:
    """The least e^epsilon with P(E) <= e^epsilon Q(E) + delta for all events of both directions."""
    least: Fraction | float = Fraction(1)
    for (p, q), event in itertools.product(((P, Q), (Q, P)), events(len(P))):
        excess = mass(p, event) - delta
        if excess > 0:
            missed = mass(q, event)
            least = max(least, excess / missed if missed else math.inf)
    return least


@pytest.mark.parametrize("zeros", [False, True])
@pytest.mark.parametrize("seed", range(12))
def test_exact_losses_are_the_largest_over_all_events(seed: int, zeros: bool) -> None:
    P, Q = random_pair(seed, 5, zeros=zeros)
    loss = of_distributions(P, Q)
    for delta in (Fraction(0), Fraction(1, 50), Fraction(1, 5)):
        assert loss.ratio(delta) == ratio_by_definition(P, Q, delta)
        low, high = loss.epsilon(delta)
        if high < math.inf:
            assert low <= math.log(loss.ratio(delta)) * (1 + 1e-15) and high - low < 1e-15 * (
                1 + high
            )
    for epsilon in (Fraction(0), Fraction(1, 3), Fraction(2)):
        brute = max(
            float(mass(p, e)) - math.exp(epsilon) * float(mass(q, e))
            for p, q in ((P, Q), (Q, P))
            for e in events(5)
        )
        low, high = loss.delta(epsilon)
        assert low <= high <= low + 1e-15 and abs(high - brute) < 1e-14


@pytest.mark.parametrize("seed", range(12))
def test_tradeoff_vertices_are_the_neyman_pearson_curve(seed: int) -> None:
    """The least second error of all events, and of mixtures of two events, at each first error."""
    P, Q = random_pair(seed, 5, zeros=seed % 2 == 0)
    curve = of_distributions(P, Q).tradeoff()
    vertices = curve.vertices
    points = [(mass(P, e), 1 - mass(Q, e)) for e in events(5)]
    assert set(vertices) <= set(points)
    for x, y in points:
        # No event lies below a chord of two neighbouring vertices.
        for (a, b), (c, d) in itertools.pairwise(vertices):
            if a <= x <= c and a < c:
                assert y >= b + (d - b) * (x - a) / (c - a)
    assert all(a[0] <= b[0] and a[1] >= b[1] for a, b in itertools.pairwise(vertices))
    assert curve.at(0).upper >= 1 - float(mass(Q, tuple(i for i in range(5) if not P[i]))) - 1e-12


def renyi(P: Sequence[float], Q: Sequence[float], order: float) -> float:
    terms = [order * math.log(p) + (1 - order) * math.log(q) for p, q in zip(P, Q, strict=True)]
    top = max(terms)
    return (top + math.log(math.fsum(math.exp(term - top) for term in terms))) / (order - 1)


@pytest.mark.parametrize("seed", range(6))
def test_renyi_and_zcdp_enclose_a_fine_grid(seed: int) -> None:
    P, Q = random_pair(seed, 4)
    floats = [float(p) for p in P], [float(q) for q in Q]
    exact, rounded = of_distributions(P, Q), of_distributions(*floats, error=1e-15)
    for loss in (exact, rounded):
        for order in (1.25, 2.0, 7.5, 60.0):
            for side, pair in enumerate((floats, floats[::-1])):
                low, high = loss.renyi(order, side)
                assert low <= renyi(*pair, order) * (1 + 1e-12) and high >= low
                assert high - low < 1e-10
        grid = [
            max(renyi(*floats, order), renyi(*floats[::-1], order)) / order
            for order in 1 + np.geomspace(1e-5, 300, 1000)
        ]
        found = loss.zcdp()
        assert max(grid) <= found.rho.upper * (1 + 1e-9)
        assert found.rho.lower <= found.rho.upper <= found.rho.lower * (1 + 2e-4)
        assert abs(max(grid) - found.rho.lower) <= 1e-4 * max(grid)


def test_relative_entropy_is_the_divergence_of_order_one() -> None:
    P, Q = [Fraction(3, 4), Fraction(1, 4)], [Fraction(1, 4), Fraction(3, 4)]
    entropy = 0.5 * math.log(3)
    for loss in (of_distributions(P, Q), of_distributions([0.75, 0.25], [0.25, 0.75])):
        low, high = loss.renyi(1)
        assert low <= entropy * (1 + 1e-15) and entropy * (1 - 1e-15) <= high and high - low < 1e-12


@pytest.mark.parametrize("seed", range(200))
def test_the_bound_of_a_chord_covers_its_interval(seed: int) -> None:
    rng = np.random.default_rng(seed)
    low = 1 + 10 ** rng.uniform(-6, 2)
    high = low + (low - 1) * 10 ** rng.uniform(-3, 2)
    psi_low = 10 ** rng.uniform(-8, 2)
    psi_high = psi_low + (high - low) * 10 ** rng.uniform(-8, 2)
    bound = _chord_bound(low, high, psi_low, psi_high)
    slope = (psi_high - psi_low) / (high - low)
    orders = np.linspace(low, high, 2001)
    values = (psi_low + slope * (orders - low)) / (orders * (orders - 1))
    assert values.max() <= bound * (1 + 1e-9)
    assert bound <= values.max() * (1 + 1e-4)


def permute_and_flip(scores: Sequence[Fraction]) -> object:
    """The mechanism of McKenna and Sheldon 2020 with epsilon = 2 and sensitivity 1."""

    def run(coins):
        for candidate in coins.shuffle(len(scores)):
            if coins.decays(max(scores) - scores[candidate]):
                return candidate
        raise AssertionError("the best candidate is always accepted")

    return exact_distribution(run)


def test_permute_and_flip_needs_more_than_an_eighth_of_epsilon_squared() -> None:
    zero = [Fraction(0), Fraction(-3, 4), Fraction(-5)]
    one = [Fraction(-1), Fraction(1, 4), Fraction(-6)]
    loss = of_distributions(permute_and_flip(zero), permute_and_flip(one))
    assert 0.9721 < loss.zcdp().rho.lower <= loss.zcdp().rho.upper < 0.9722
    assert loss.renyi(1).lower > 0.972  # the divergence, at orders close to 1
    assert loss.epsilon().upper <= 2
    assert loss.zcdp().rho.lower > Fraction(2**2, 8)


def test_randomized_response_has_its_closed_forms() -> None:
    loss = of_distributions({0: "3/4", 1: "1/4"}, {0: "1/4", 1: "3/4"})
    assert loss.ratio() == 3 and loss.ratio("1/10") == Fraction(13, 5)
    assert loss.tradeoff().vertices == [(0, 1), (Fraction(1, 4), Fraction(1, 4)), (1, 0)]
    event = loss.event()
    assert event.outcomes == (0,) and event.probabilities == (Fraction(3, 4), Fraction(1, 4))
    assert loss.against(("11/10", 0)).verdict == Verdict.HOLDS
    assert loss.against((1, 0)).verdict == Verdict.VIOLATED


# ---- floats


def gaussians(size: int) -> tuple[np.ndarray, np.ndarray]:
    x = np.linspace(-8, 9, size)
    P, Q = np.exp(-x * x / 2), np.exp(-((x - 1) ** 2) / 2)
    return P / P.sum(), Q / Q.sum()


@pytest.mark.parametrize("size", [30, 6000])
def test_bounds_of_floats_contain_the_exact_values(size: int) -> None:
    """Merged groups are used for the larger size."""
    P, Q = gaussians(size)
    loss = of_distributions(P, Q, error=1e-12)
    # Integers are proportional to the floats, and sums of integers are exact and fast.
    exact = [[int(math.ldexp(float(value), 120)) for value in side] for side in (P, Q)]
    totals = [sum(side) for side in exact]
    sides = [
        [Fraction(value, total) for value in side]
        for side, total in zip(exact, totals, strict=True)
    ]
    ratios = [float(p / q) for p, q in zip(*sides, strict=True)]
    order = sorted(range(size), key=ratios.__getitem__, reverse=True)
    sums = [
        [Fraction(part, total) for part in itertools.accumulate(side[i] for i in order)]
        for side, total in zip(exact, totals, strict=True)
    ]
    for delta in (Fraction(0), Fraction(1, 10**5), Fraction(1, 4)):
        best = max((p - delta) / q for p, q in zip(*sums, strict=True))
        low, high = loss.epsilon(delta, 0)
        assert low <= math.log(best) <= high and high - low < 1e-7
    for epsilon in (Fraction(0), Fraction(1), Fraction(4)):
        factor = math.exp(epsilon)
        value = sum(max(0.0, float(p) - factor * float(q)) for p, q in zip(*sides, strict=True))
        low, high = loss.delta(epsilon, 0)
        assert low <= value * (1 + 1e-12) + 1e-18 and value <= high and high - low < 1e-10
    for order_ in (1.5, 2.0, 8.0):
        value = renyi(P.tolist(), Q.tolist(), order_)
        low, high = loss.renyi(order_, 0)
        assert low <= value * (1 + 1e-9) and value * (1 - 1e-9) <= high
        assert high - low < 1e-3 * value


@pytest.mark.parametrize("size", [10**5, pytest.param(10**6, marks=pytest.mark.slow)])
def test_a_million_outcomes_take_at_most_a_second(size: int) -> None:
    """The time is the best of three, because other processes may run."""
    P, Q = gaussians(size)
    spent = []
    for _ in range(3 if size == 10**6 else 1):
        before = time.process_time()
        loss = of_distributions(P, Q, error=1e-12)
        low, high = loss.epsilon("1e-6")
        assert 4.7 < low <= high < 4.9
        assert 0.126936 < loss.delta(1).lower <= loss.delta(1).upper < 0.126938
        assert 0.4999 < loss.zcdp().rho.lower <= loss.zcdp().rho.upper < 0.5001
        assert len(loss.tradeoff().lower) == size + 1
        spent.append(time.process_time() - before)
    assert min(spent) < 1.5  # a second on an idle processor


# ---- counts


def test_counts_give_lower_bounds_that_hold() -> None:
    rng = np.random.default_rng(3)
    P, Q = np.array([0.7, 0.2, 0.1]), np.array([0.3, 0.3, 0.4])
    true = of_distributions(P, Q, error=1e-15)
    drawn = [rng.multinomial(40_000, side) for side in (P, Q)]
    loss = of_distributions(*drawn, counts=True)
    for delta in ("0", "1/10"):
        low, high = loss.epsilon(delta)
        exact = true.epsilon(delta).lower
        assert 0.8 * exact < low < exact and high == math.inf
    assert 0.3 < loss.delta(0).lower < 0.4 and loss.delta(0).upper == 1
    assert 0.2 < loss.renyi(2).lower < true.renyi(2).upper
    assert 0.2 < loss.zcdp().rho.lower < true.zcdp().rho.upper and loss.zcdp().rho.upper == math.inf
    assert loss.against((1, 0)).verdict == Verdict.VIOLATED
    assert loss.against((2, 0)).verdict == Verdict.CONSISTENT
    curve = loss.tradeoff()
    for alpha in (0.1, 0.35, 0.6):
        assert (
            curve.at(alpha).lower == 0 and curve.at(alpha).upper >= true.tradeoff().at(alpha).lower
        )


@pytest.mark.parametrize("trials", [60, pytest.param(200, marks=pytest.mark.slow)])
def test_counts_of_equal_distributions_seldom_refute_privacy(trials: int) -> None:
    """At confidence 3/4, at most a quarter of the claims fails, plus five standard deviations."""
    rng = np.random.default_rng(5)
    wrong = 0
    for seed in range(trials):
        drawn = [rng.multinomial(2000, [0.1] * 10) for _ in range(2)]
        loss = of_distributions(*drawn, counts=True, confidence=Fraction(3, 4), rng=seed)
        wrong += loss.epsilon().lower > 0
    assert wrong <= trials / 4 + 5 * math.sqrt(trials * 3 / 16)


# ---- bad input


def test_different_supports_need_an_infinite_epsilon_at_delta_zero() -> None:
    for loss in (
        of_distributions({"a": "1/2", "b": "1/2"}, {"b": "1/2", "c": "1/2"}),
        of_distributions([0.5, 0.5, 0.0], [0.0, 0.5, 0.5]),
    ):
        assert loss.epsilon() == (math.inf, math.inf)
        assert loss.epsilon("1/4") == (math.inf, math.inf)
        assert loss.epsilon("1/2").lower == 0
        assert loss.zcdp().rho.lower == math.inf == loss.renyi(2).lower


@pytest.mark.parametrize(
    ("P", "Q", "options", "words"),
    [
        ({"a": "1/2"}, {"a": 1}, {}, "sum to exactly 1. Got 1/2"),
        ([0.5, 0.4], [0.5, 0.5], {}, "They sum to 1 - 0.1"),
        ([0.5, 0.5 + 1e-12], [0.5, 0.5], {}, r"pass error=1e-12 or more"),
        ([Fraction(3, 2), Fraction(-1, 2)], [1, 0], {}, "at least 0. Got -1/2"),
        ([1.5, -0.5], [1.0, 0.0], {}, "at least 0. Got -0.5"),
        ([float("nan"), 1.0], [1.0, 0.0], {}, "finite"),
        ({}, {}, {}, "at least one outcome"),
        ([], [], {}, "at least one outcome"),
        ([1, 0], [1], {}, r"shapes \(2,\) and \(1,\)"),
        ({"a": 1}, [1], {}, "both be mappings"),
        ([9, 9], [9, -2], {"counts": True}, "at least 0. Got -2"),
        ([1.5, 2], [1, 2], {"counts": True}, "integer. Got 1.5"),
        ([0, 0], [3, 4], {"counts": True}, "at least 4. Got 0"),
        ({1: 1}, {True: 1}, {}, "a reader can distinguish"),
        ([True, False], [True, False], {}, "Got True"),
    ],
)
def test_bad_distributions_are_refused(P, Q, options, words) -> None:
    with pytest.raises(InvalidInput, match=words):
        of_distributions(P, Q, **options)


def test_bad_arguments_are_refused() -> None:
    loss = of_distributions([0.5, 0.5], [0.5, 0.5])
    for call, words in (
        (lambda: loss.ratio(), "only for probabilities that are fractions"),
        (lambda: loss.renyi(Fraction(1, 2)), "at least 1"),
        (lambda: loss.delta(-1), "at least 0"),
        (lambda: loss.epsilon(1), "less than 1"),
        (lambda: loss.delta(1, 2), "must be 0, 1 or None"),
        (lambda: of_distributions([0.5, 0.5], [0.5, 0.5], error=2), "from 0 to 1/1000"),
    ):
        with pytest.raises((InvalidInput, ValueError), match=words):
            call()


def test_cut_mass_widens_the_bounds_and_is_stated() -> None:
    laws = [exact_distribution(lambda coins, n=n: n + coins.laplace(1)) for n in (0, 1)]
    loss = of_distributions(*laws)
    assert 0.999999999 < loss.epsilon().lower <= 1 and loss.epsilon().upper == math.inf
    assert loss.epsilon("1e-9").upper < 1.000001
    assert "probability at most" in loss.blind_spots.cut
    assert loss.renyi(2).lower > 0.5 and loss.renyi(2).upper == math.inf
