"""Distributions with probabilities far below the range of floats, against 400-bit arithmetic."""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from flint import arb, ctx, fmpq

from learners.audit import Enclosure, of_distributions
from learners.audit.count_pairs import random_half
from learners.audit.distribution_files import load_distributions
from learners.audit.exact_measures import ExactMeasure, RatioOrder
from lsclasses.errors import InvalidInput

Exact = list[Fraction]
BITS = 400


def normalized(weights: Sequence[Fraction]) -> Exact:
    total = sum(weights)
    return [weight / total for weight in weights]


def wide(value: Fraction) -> arb:
    return arb(fmpq(value.numerator, value.denominator))


def contains(bounds: Enclosure, value: arb) -> bool:
    """Return whether the bounds contain a number, up to the precision of the reference."""
    slack = arb(2) ** (-300)
    return not (arb(bounds.lower) > value + slack or arb(bounds.upper) < value - slack)


def renyi(P: Exact, Q: Exact, order: int) -> arb:
    """The divergence by its definition, with exact powers."""
    total = sum((p**order / q ** (order - 1) for p, q in zip(P, Q, strict=True) if p), Fraction(0))
    return wide(total).log() / (order - 1)


def geometric(ratio: int, size: int) -> Exact:
    return normalized([Fraction(ratio) ** (size - i) for i in range(size)])


def binomial(size: int, p: Fraction) -> Exact:
    weights, odds, weight = [], p / (1 - p), (1 - p) ** size
    for k in range(size + 1):
        weights.append(weight)
        weight *= odds * Fraction(size - k, k + 1)
    return weights


def shifted(size: int, tiny: Fraction, other: Fraction) -> tuple[Exact, Exact]:
    """Uniform distributions except for one outcome of probability `tiny` or `other`."""
    share = Fraction(1, size)
    return tuple([share - each, *[share] * (size - 1), each] for each in (tiny, other))


TINY = Fraction(1, 10**400)
PAIRS = {
    "geometric": (geometric(20, 300), geometric(30, 300)),
    "binomial": (binomial(300, Fraction(1, 2)), binomial(300, Fraction(1, 100))),
    "binomial, 1500 outcomes": (binomial(1500, Fraction(1, 2)), binomial(1500, Fraction(2, 5))),
    "a tiny outcome": shifted(300, TINY, TINY / 10),
    "few outcomes": (
        normalized([TINY, Fraction(1), 1 / TINY]),
        normalized([Fraction(1), TINY, Fraction(2)]),
    ),
}


@pytest.mark.parametrize("name", PAIRS)
def test_divergences_of_tiny_probabilities_contain_the_exact_values(name: str) -> None:
    P, Q = PAIRS[name]
    loss = of_distributions(P, Q)
    with ctx.workprec(BITS):
        for direction, (p, q) in enumerate(((P, Q), (Q, P))):
            largest = max(x / y for x, y in zip(p, q, strict=True))
            assert contains(loss.renyi(math.inf, direction), wide(largest).log())
            if len(P) <= 301:
                for order in (2, 5):
                    low, high = loss.renyi(order, direction)
                    assert contains(Enclosure(low, high), renyi(p, q, order))
                    assert high - low < 1e-9 * (1 + high)
            entropy = sum(
                (wide(x) * (wide(x) / wide(y)).log() for x, y in zip(p, q, strict=True)), arb(0)
            )
            assert contains(loss.renyi(1, direction), entropy)
    rho = loss.zcdp().rho
    assert 0 <= rho.lower <= rho.upper < math.inf
    # D_2 <= 2 rho, and rho is at most D_infinity.
    assert loss.renyi(2).lower <= 2 * rho.upper and rho.lower <= loss.renyi(math.inf).upper


def test_an_outcome_of_probability_zero_makes_the_divergence_infinite() -> None:
    """However small the probability under the other distribution is."""
    for size in (3, 300, 5000):
        P, Q = shifted(size, TINY, Fraction(0))
        loss = of_distributions(P, Q)
        assert loss.renyi(math.inf) == loss.renyi(2) == (math.inf, math.inf)
        assert loss.zcdp().rho == (math.inf, math.inf) and loss.epsilon() == (math.inf, math.inf)
        assert loss.epsilon(TINY).lower == 0 and loss.renyi(2, 1).upper < 1e-3


def test_merged_groups_of_tiny_probabilities_are_close() -> None:
    """4201 outcomes are merged into 4096 groups, and the powers are known in closed form."""
    size = 4200
    loss = of_distributions(binomial(size, Fraction(1, 2)), binomial(size, Fraction(2, 5)))
    for order in (2, 8):
        # D_a of a binomial distribution is n times the divergence of one flip.
        one = renyi([Fraction(1, 2)] * 2, [Fraction(2, 5), Fraction(3, 5)], order)
        with ctx.workprec(BITS):
            low, high = loss.renyi(order, 0)
            assert contains(Enclosure(low, high), size * one) and high - low < 1e-2 * high


@pytest.mark.parametrize("order", [1e9, 2.0**40, 2.0**50, 1e308, 10**400, Fraction(10**400, 3)])
def test_large_orders_are_between_a_finite_order_and_infinity(order: float) -> None:
    for P, Q in (
        (["3/4", "1/4"], ["1/4", "3/4"]),
        ([0.75, 0.25], [0.25, 0.75]),
        PAIRS["geometric"],
    ):
        loss = of_distributions(P, Q)
        low, high = loss.renyi(order)
        assert loss.renyi(1e8).lower * (1 - 1e-6) <= low <= high
        assert high <= loss.renyi(math.inf).upper


@pytest.mark.parametrize("order", [0, -1, math.nan, -math.inf])
def test_orders_below_one_are_refused(order: float) -> None:
    with pytest.raises(InvalidInput, match="at least 1"):
        of_distributions(["1/2", "1/2"], ["1/2", "1/2"]).renyi(order)


@pytest.mark.parametrize(
    ("P", "Q", "error"),
    [
        ([0.5002, 0.3998, 0.1], [0.0, 1e-310, 1.0], Fraction(1, 1000)),
        ([1e-20, 1.0], [1e-322, 1.0], Fraction(1, 1000)),
        ([0.0, 1e-310, 1.0], [0.1, 0.5, 0.4], None),
        (["1e-400", 1.0], ["1e-20", 1.0], None),
        ([Fraction(1, 10**400), 1.0], [0.5, 0.5], None),
        (np.array([5e-324, 1.0]), np.array([0.5, 0.5]), None),
        (np.array([1e-310, 1.0], np.longdouble), np.array([0.5, 0.5], np.longdouble), None),
        ({"a": 2.0**-1001, "b": 1.0}, {"a": 0.5, "b": 0.5}, None),
    ],
)
def test_floats_that_may_have_underflown_are_refused(P, Q, error) -> None:
    with pytest.raises(InvalidInput, match="at least 2\\^-1000"):
        of_distributions(P, Q, error=error)


@pytest.mark.parametrize("number", ["1e-400", "0.00001e-330", "3E-500"])
def test_numbers_of_files_that_underflow_are_refused(tmp_path, number: str) -> None:
    path = tmp_path / "pair.json"
    path.write_text(f'{{"P": [{number}, 1.0], "Q": [0.5, 0.5]}}')
    with pytest.raises(InvalidInput, match="too small for a float"):
        load_distributions(path)
    path.write_text('{"P": [0.0e-400, 1.0], "Q": [0.5, 0.5]}')
    assert load_distributions(path).epsilon().lower == math.inf
    path.write_text('{"P": ["1e-400", "0.' + "9" * 400 + '"], "Q": ["1/2", "1/2"]}')
    assert load_distributions(path).renyi(math.inf, 1).lower > 400 * math.log(10) - 1


def random_floats(rng: np.random.Generator, size: int) -> np.ndarray:
    """Probabilities whose exponents spread over the whole allowed range, some of them 0."""
    weights = 2.0 ** rng.uniform(-990, 0, size) * (rng.random(size) < 0.8)
    weights[rng.integers(size)] = 1.0
    return weights / weights.sum()


@pytest.mark.parametrize("seed", range(40))
def test_bounds_of_floats_in_the_whole_range_contain_the_exact_values(seed: int) -> None:
    """The exact distributions are at the ends of the error, or have the floats as values."""
    rng = np.random.default_rng(seed)
    error = Fraction(1, 1000)
    P, Q = random_floats(rng, 6), random_floats(rng, 6)
    loss = of_distributions(P, Q, error=error)
    sides = []
    for side in (P, Q):
        # Change one outcome within its error, and keep the sum by the largest outcome.
        exact = normalized([Fraction(float(each)) for each in side])
        place, other = int(rng.integers(6)), int(side.argmax())
        change = exact[place] * error / 2 * int(rng.choice([-1, 1]))
        if place != other:
            exact[place] += change
            exact[other] -= change
        sides.append(exact)
    events = [e for k in range(7) for e in itertools.combinations(range(6), k)]
    mass = [[sum((side[i] for i in e), Fraction(0)) for e in events] for side in sides]
    with ctx.workprec(BITS):
        for delta in (Fraction(0), Fraction(1, 10**30), Fraction(1, 3)):
            ratios = [
                (p - delta) / q if q else math.inf for p, q in zip(*mass, strict=True) if p > delta
            ]
            best = max([*ratios, Fraction(1)])
            low, high = loss.epsilon(delta, 0)
            if best == math.inf:
                assert high == math.inf
            else:
                assert contains(Enclosure(low, high), wide(best).log())
        for epsilon in (0, 3, 600):
            value = max(wide(p) - wide(q) * arb(epsilon).exp() for p, q in zip(*mass, strict=True))
            assert contains(loss.delta(epsilon, 0), value)
        curve = loss.tradeoff()
        for p, q in zip(*mass, strict=True):
            assert curve.at(p).lower <= 1 - q


def test_zero_probabilities_of_both_inputs_give_no_warning(recwarn) -> None:
    loss = of_distributions([0.0, 0.5, 0.5], [0.0, 0.25, 0.75])
    assert loss.epsilon().lower > 0 and loss.tradeoff().at(0.5).upper < 1
    assert loss.renyi(2).lower > 0 and not recwarn.list


def test_bounds_near_zero_are_not_negative() -> None:
    near = Fraction(1, 10**50)
    half = Fraction(1, 2)
    loss = of_distributions([half + near, half - near], [half, half])
    low, high = loss.epsilon()
    assert 0 < low <= 2e-50 <= high < 2.1e-50
    for bounds in (
        loss.delta(0),
        loss.delta(1),
        loss.epsilon("1/4"),
        loss.renyi(1),
        loss.renyi(2),
        loss.renyi(math.inf),
        loss.zcdp().rho,
        of_distributions([0.5, 0.5], [0.5, 0.5]).renyi(2),
    ):
        assert 0 <= bounds.lower <= bounds.upper


@pytest.mark.parametrize("seed", range(30))
def test_equal_and_nearly_equal_ratios_have_the_order_of_fractions(seed: int) -> None:
    """Ratios beyond the range of floats, and ratios that differ by less than a rounding."""
    rng = np.random.default_rng(seed)
    numbers = [0, 1, 2, 3, 10**20, 10**20 + 1, 10**400, 10**400 + 1]
    size = 40
    p, q = ([numbers[i] for i in rng.integers(len(numbers), size=size)] for _ in range(2))
    order = RatioOrder(ExactMeasure(p, 1), ExactMeasure(q, 1))
    ratios = [Fraction(p[i], q[i]) if q[i] else math.inf for i in order.order]
    assert ratios == sorted(ratios, reverse=True) and len(ratios) == sum(
        1 for a, b in zip(p, q, strict=True) if a or b
    )
    ends = [k for k in range(1, len(ratios)) if ratios[k - 1] != ratios[k]]
    assert order.ends == [0, *ends, len(ratios)]
    for delta in (Fraction(0), Fraction(5), Fraction(10**400)):
        for more in (Fraction(0), Fraction(7)):
            values = [
                (x - delta) / (y + more) if y + more else math.inf if x > delta else 0
                for x, y in map(order.point, range(len(order.ends)))
            ]
            assert order.steepest(delta, more)[1] == max(1, *values)


@pytest.mark.parametrize("size", [10**4, pytest.param(10**6, marks=pytest.mark.slow)])
def test_a_million_fractions_take_a_few_seconds(size: int) -> None:
    """A quadratic or a slow sum of fractions takes minutes (108 s in an earlier version)."""
    rng = np.random.default_rng(1)
    P, Q = (normalized([Fraction(int(n)) for n in rng.integers(1, 10**6, size)]) for _ in "PQ")
    before = time.process_time()
    loss = of_distributions(P, Q)
    assert loss.delta(1).lower > 0 and loss.epsilon("1/1000").lower > 0
    assert time.process_time() - before < 20 * size / 10**6 + 1


def test_fractions_with_a_huge_common_denominator_are_refused() -> None:
    """The prefix sums of a million fractions with a denominator of 10^6 bits fill the memory."""
    with pytest.raises(InvalidInput, match="common denominator of 1001"):
        ExactMeasure.of([Fraction(1, 1 << 9_000_000), *[Fraction(1, 7)] * 1000])


# ---- event probabilities, curves and counts


def test_events_of_probability_zero_have_bounds() -> None:
    for Q in ([0.0, 1.0], [1e-200, 1.0]):
        for probability in of_distributions([0.5, 0.5], Q).event().probabilities:
            assert isinstance(probability, Enclosure) and probability.lower <= probability.upper
    exact = of_distributions(["1/2", "1/2"], [0, 1]).event().probabilities
    assert exact == (Fraction(1, 2), Fraction(0))


@pytest.mark.parametrize("kind", [Fraction, float])
def test_the_curve_at_a_vertical_line_is_its_lower_end(kind: type) -> None:
    P = [kind(0), kind(Fraction(1, 2)), kind(Fraction(1, 2))]
    Q = [kind(Fraction(1, 4)), kind(Fraction(1, 4)), kind(Fraction(1, 2))]
    curve = of_distributions(P, Q).tradeoff()
    assert curve.at(0).upper < 0.75 + 1e-12 and curve.at(0).lower > 0.75 - 1e-12
    assert curve.at(1).upper < 1e-12


def test_curves_near_a_steep_line_are_exact() -> None:
    """A first error of 10^-300 changes the second error by 1/2."""
    tiny = Fraction(1, 10**300)
    curve = of_distributions([tiny, 1 - tiny], ["1/2", "1/2"]).tradeoff()
    assert curve.at(tiny / 2) == (0.75, 0.75) and curve.at(tiny).lower <= 0.5 <= curve.at(0).upper


@pytest.mark.parametrize("seed", range(64))
def test_counts_have_two_halves_of_fixed_sizes(seed: int) -> None:
    rng = np.random.default_rng(seed)
    counts = rng.integers(0, [3, 10, 1000, 10**6][seed % 4], size=5)
    counts[1] += 4
    half = random_half(counts, rng)
    assert half.sum() == counts.sum() // 2 and (half >= 0).all() and (half <= counts).all()
    # The least counts have bounds.
    assert of_distributions([4, 0], [0, 4], counts=True, rng=seed).epsilon().lower == 0


def test_all_halves_of_the_draws_are_equally_likely() -> None:
    """Of 3 + 2 draws, the half of two draws has the hypergeometric distribution."""
    rng = np.random.default_rng(0)
    trials = 20_000
    found = [0, 0, 0]
    for _ in range(trials):
        found[random_half(np.array([3, 2]), rng)[0]] += 1
    for count, share in zip(found, (0.1, 0.6, 0.3), strict=True):
        assert abs(count - trials * share) < 5 * math.sqrt(trials * share * (1 - share))


def test_counts_above_the_range_of_a_sampler_are_divided() -> None:
    counts = np.array([10**12, 0, 10**12 + 1])
    assert random_half(counts, np.random.default_rng(0)).sum() == 10**12


def test_huge_epsilons_of_counts_and_floats_give_bounds() -> None:
    for loss in (
        of_distributions([1000, 0], [0, 1000], counts=True),
        of_distributions([0.5, 0.5], [0.25, 0.75]),
        of_distributions(["1/2", "1/2"], ["1/4", "3/4"]),
    ):
        for epsilon in (709, 710, 1000, 10**400):
            low, high = loss.delta(epsilon)
            assert 0 <= low <= high <= 1
            assert loss.against((epsilon, 0)).verdict != "violated"
