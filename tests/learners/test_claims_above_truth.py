"""Totals are at least the exact loss of compositions that this file computes by itself.

The file uses no function of the project for the exact values: it adds up the probabilities of
small instances in balls of 256 bits. For adaptive choices, every strategy gives a lower bound.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction

import pytest
from flint import arb, arb_poly, ctx, fmpq

from learners.accounting import (
    BoundedRange,
    Event,
    GaussianDP,
    InAdvance,
    PureDP,
    Scope,
    SelfComposed,
    Sequential,
    gaussian,
    total,
    zcdp_rho,
)
from learners.mechanisms import CountNoise

DATA = Scope.adaptive("replace_one")
BITS = 256
TINY = Fraction(1, 10**9)

Distribution = dict[Fraction, arb]
"""Probabilities of losses in the first world."""


def real(value: Fraction | int) -> arb:
    fraction = Fraction(value)
    return arb(fmpq(fraction.numerator, fraction.denominator))


def hockey_stick(losses: Iterable[tuple[Fraction, arb]], epsilon: Fraction) -> arb:
    """Return the sum of P[l] (1 - e^(epsilon - l)) over the losses l above epsilon."""
    found = arb(0)
    for loss, probability in losses:
        if loss > epsilon:
            found -= probability * real(epsilon - loss).expm1()
    return found


def convolved(*parts: Distribution) -> Distribution:
    joint: Distribution = {Fraction(0): arb(1)}
    for part in parts:
        found: Distribution = {}
        for (a, p), (b, q) in itertools.product(joint.items(), part.items()):
            found[a + b] = found.get(a + b, arb(0)) + p * q
        joint = found
    return joint


def two_valued(t: Fraction, width: Fraction, count: int) -> Distribution:
    """Return the total of `count` losses that are t or t - width."""
    p = (real(width).exp() - real(t).exp()) / real(width).expm1()
    return {
        count * t - i * width: math.comb(count, i) * p ** (count - i) * (1 - p) ** i
        for i in range(count + 1)
    }


def responses(epsilon: Fraction, count: int) -> Distribution:
    return two_valued(epsilon, 2 * epsilon, count)


def surely_above(delta: arb, allowed: Fraction) -> bool:
    return bool(delta > real(allowed))


# ---- discrete Gaussian noise


def noise_sum(variance: Fraction, change: tuple[int, ...]) -> dict[int, arb]:
    """Return the distribution of sum v_i X_i for discrete Gaussian X_i, by polynomials."""
    reach = int(13 * math.sqrt(variance)) + 20
    weights = [(-real(Fraction(z * z) / (2 * variance))).exp() for z in range(-reach, reach + 1)]
    mass, product, offset = sum(weights, arb(0)), arb_poly([1]), 0
    for step in change:
        spread = [arb(0)] * (2 * reach * step + 1)
        for place, weight in enumerate(weights):
            spread[place * step] = weight / mass
        product, offset = product * arb_poly(spread), offset + reach * step
    return {i - offset: product[i] for i in range(product.length())}


def noise_losses(variance: Fraction, change: tuple[int, ...]) -> Distribution:
    squares = sum(step * step for step in change)
    return {
        (squares + 2 * place) / (2 * variance): probability
        for place, probability in noise_sum(variance, change).items()
    }


NOISE = list(
    itertools.product(
        (Fraction(1, 3), Fraction(1), Fraction(3), Fraction(8), Fraction(19)),
        (Fraction(1, 100), Fraction(1, 10**6), Fraction(1, 10**12)),
        (1, 2, 3, 6),
    )
)


@pytest.mark.parametrize(("epsilon", "delta", "changes"), NOISE)
def test_noise_for_changes_by_one(epsilon: Fraction, delta: Fraction, changes: int) -> None:
    """The least noise hides the change, and noise of 3 % less variance does not."""
    from learners.accounting.discrete_gaussians import least_parameter

    variance = least_parameter(epsilon, delta, changes, changes, True)
    assert variance <= changes / (2 * zcdp_rho(epsilon, delta))
    with ctx.workprec(BITS):
        exact = hockey_stick(noise_losses(variance, (1,) * changes).items(), epsilon)
        assert not surely_above(exact, delta)
        # Fewer changes cost no more.
        fewer = hockey_stick(noise_losses(variance, (1,) * (changes - 1)).items(), epsilon)
        assert not surely_above(fewer, delta)
        # Noise of a variance far below 1 is 0 so often that the bound on sums is not sharp.
        if variance > Fraction(1, 2) or changes == 1:
            less = variance * Fraction(97, 100)
            exact = hockey_stick(noise_losses(less, (1,) * changes).items(), epsilon)
            assert surely_above(exact, delta * Fraction(99, 100))


VECTORS = list(
    itertools.product(
        ((2,), (1, 1, 1, 1), (2, 1), (3,), (2, 2, 1), (4, 3)),
        (Fraction(1, 2), Fraction(2), Fraction(9)),
        (Fraction(1, 100), Fraction(1, 10**7)),
    )
)


@pytest.mark.parametrize(("change", "epsilon", "delta"), VECTORS)
def test_noise_for_vectors(change: tuple[int, ...], epsilon: Fraction, delta: Fraction) -> None:
    squares = sum(step * step for step in change)
    noise = CountNoise(epsilon, 10 * sum(change), delta, squares=squares)
    assert noise.variance is not None
    with ctx.workprec(BITS):
        exact = hockey_stick(noise_losses(noise.variance, change).items(), epsilon)
        assert not surely_above(exact, delta)


PARTS = list(
    itertools.product(
        ("gaussian", "zcdp"), (Fraction(1), Fraction(6)), (Fraction(1, 50), Fraction(1, 10**6))
    )
)


@pytest.mark.parametrize(("composition", "epsilon", "delta"), PARTS)
def test_noise_for_parts_of_a_budget(composition: str, epsilon: Fraction, delta: Fraction) -> None:
    """The second release chooses its change after the first release: any change of its squares."""
    shares = Fraction(2, 3), Fraction(1, 3)
    parts = [
        CountNoise(epsilon, 60, delta, squares=squares, part=share, composition=composition)
        for squares, share in zip((4, 5), shares, strict=True)
    ]
    with ctx.workprec(BITS):
        first = list(noise_losses(parts[0].variance, (2,)).items())
        later = [
            sorted(noise_losses(parts[1].variance, change).items())
            for change in ((2, 1), (1, 1, 1, 1, 1))
        ]
        for losses in ([first, later[0]], [first, later[1]]):
            shortened = [[(x, p) for x, p in each if p > arb(2) ** -50] for each in losses]
            joint = ((x + y, p * q) for (x, p), (y, q) in itertools.product(*shortened))
            assert not surely_above(hockey_stick(joint, epsilon), delta)
    together = total(Sequential(tuple(part.privacy for part in parts)), delta)
    assert together.epsilon <= epsilon * (1 + TINY) and together.method == composition


# ---- normal noise


NORMAL = list(
    itertools.product(
        (Fraction(1, 10**6), Fraction(1, 30), Fraction(1), Fraction(25)),
        (Fraction(9, 10), Fraction(1, 100), Fraction(1, 10**6), Fraction(1, 10**40)),
    )
)


@pytest.mark.parametrize(("mu_squared", "delta"), NORMAL)
def test_normal_noise(mu_squared: Fraction, delta: Fraction) -> None:
    """Compare with an integral of the density, by upper and lower sums."""
    epsilon = gaussian(GaussianDP(mu_squared, scope=DATA), delta)[0]

    def exact(epsilon: Fraction) -> arb:
        mu = real(mu_squared).sqrt()

        def above(x: arb) -> arb:
            return (x / arb(2).sqrt()).erfc() / 2

        return above(real(epsilon) / mu - mu / 2) - real(epsilon).exp() * above(
            real(epsilon) / mu + mu / 2
        )

    with ctx.workprec(BITS):
        assert not surely_above(exact(epsilon), delta)
        if epsilon:
            assert surely_above(exact(epsilon * (1 - TINY)), delta)


# ---- pure mechanisms


PURE = list(
    itertools.product(
        (Fraction(1, 20), Fraction(1, 2), Fraction(2)),
        (1, 2, 7, 40, 300),
        (Fraction(1, 100), Fraction(1, 10**6), Fraction(1, 10**12), Fraction(1, 10**30)),
    )
)


@pytest.mark.parametrize(("epsilon", "count", "delta"), PURE)
def test_pure_mechanisms(epsilon: Fraction, count: int, delta: Fraction) -> None:
    """The total is the optimum, up to the last digits."""
    found = total(SelfComposed(PureDP(epsilon, scope=DATA), count), delta).epsilon
    with ctx.workprec(BITS):
        losses = responses(epsilon, count).items()
        assert not surely_above(hockey_stick(losses, found), delta)
        if found:
            assert surely_above(hockey_stick(losses, found * (1 - 10**3 * TINY)), delta)


DIFFERENT = list(
    itertools.product(
        (
            {Fraction(1, 3): 5, Fraction(2, 7): 6},
            {Fraction(1): 2, Fraction(1, 10): 30, Fraction(1, 9): 3},
            {Fraction(1, 5): 40, Fraction(1, 7): 41, Fraction(1, 11): 42},
        ),
        (Fraction(1, 100), Fraction(1, 10**6), Fraction(1, 10**12)),
    )
)


@pytest.mark.parametrize(("counts", "delta"), DIFFERENT)
def test_different_pure_mechanisms(counts: dict[Fraction, int], delta: Fraction) -> None:
    event = Sequential(tuple(SelfComposed(PureDP(e, scope=DATA), n) for e, n in counts.items()))
    found = total(event, delta).epsilon
    with ctx.workprec(BITS):
        losses = convolved(*(responses(e, n) for e, n in counts.items())).items()
        assert not surely_above(hockey_stick(losses, found), delta)
        assert surely_above(hockey_stick(losses, found * Fraction(99, 100)), delta)


# ---- choices of bounded range


def fixed_choices(eta: Fraction, count: int, epsilon: Fraction) -> arb:
    """Return the largest delta of equal choices, among some places of their interval.

    One place for each number of losses t - eta is the optimum of Dong, Durfee and Rogers.
    """
    found = arb(0)
    places = [eta * Fraction(i, 10) for i in range(1, 10)]
    places += [(epsilon + i * eta) / (count + 1) for i in range(1, count + 1)]
    for t in places:
        if t < eta:
            losses = two_valued(t, eta, count)
            found = found.max(hockey_stick(losses.items(), epsilon))
    return found


def adaptive_choices(eta: Fraction, count: int, epsilon: Fraction, places: int) -> arb:
    """Return the largest delta of strategies that choose among some places after each answer."""
    if not count:
        return -real(epsilon).expm1() if epsilon < 0 else arb(0)
    best = arb(0)
    for i in range(1, places):
        t = eta * Fraction(i, places)
        (_, p), (_, rest) = two_valued(t, eta, 1).items()
        first = adaptive_choices(eta, count - 1, epsilon - t, places)
        second = adaptive_choices(eta, count - 1, epsilon - t + eta, places)
        best = best.max(p * first + rest * second)
    return best


CHOICES = list(
    itertools.product(
        (Fraction(1, 10), Fraction(1, 2), Fraction(2)),
        (1, 2, 3, 12, 40),
        (Fraction(1, 100), Fraction(1, 10**6), Fraction(1, 10**12)),
    )
)


@pytest.mark.parametrize(("eta", "count", "delta"), CHOICES)
def test_choices(eta: Fraction, count: int, delta: Fraction) -> None:
    choice = BoundedRange(eta, scope=DATA)
    adaptive = total(SelfComposed(choice, count), delta).epsilon
    fixed = total(InAdvance(choice, count), delta).epsilon
    assert fixed <= adaptive
    with ctx.workprec(BITS):
        for claimed in (adaptive, fixed):
            assert not surely_above(fixed_choices(eta, count, claimed), delta)
        if count <= 3:
            assert not surely_above(adaptive_choices(eta, count, adaptive, 12), delta)
        if fixed:
            assert surely_above(fixed_choices(eta, count, fixed * (1 - 10**3 * TINY)), delta)
            assert adaptive <= fixed * Fraction(106, 100)


MIXED = list(
    itertools.product(
        (Fraction(1, 30), Fraction(1, 5)),
        ({Fraction(1, 3): 1}, {Fraction(2): 1}, {Fraction(1, 4): 2, Fraction(1): 1}),
        (Fraction(1, 100), Fraction(1, 10**6)),
    )
)


@pytest.mark.parametrize(("eta", "pure", "delta"), MIXED)
def test_many_choices_next_to_few_pure_mechanisms(
    eta: Fraction, pure: dict[Fraction, int], delta: Fraction
) -> None:
    """Equal choices in the middle of their interval are nearly the worst choices."""
    count = 100
    parts = [SelfComposed(PureDP(e, scope=DATA), often) for e, often in pure.items()]
    choices = SelfComposed(BoundedRange(eta, scope=DATA), count)
    found = gaussian(Sequential((*parts, choices)), delta)[0]
    with ctx.workprec(BITS):
        fixed = [responses(e, often) for e, often in pure.items()]
        for tenths in (4, 5, 6):
            middle = two_valued(eta * Fraction(tenths, 10), eta, count)
            losses = convolved(*fixed, middle).items()
            assert not surely_above(hockey_stick(losses, found), delta)
            if tenths == 5:
                assert surely_above(hockey_stick(losses, found * Fraction(3, 4)), delta)


def test_adaptive_choices_cost_more_than_choices_fixed_in_advance() -> None:
    """A claim for choices fixed in advance is false for adaptive choices."""
    eta, count = Fraction(2), 3
    gaps = []
    with ctx.workprec(BITS):
        for i in range(1, 6):
            epsilon = 3 * eta * Fraction(i, 6)
            adaptive = adaptive_choices(eta, count, epsilon, 10)
            delta = Fraction(float(adaptive.lower())) * Fraction(999, 1000)
            if delta:
                fixed = total(InAdvance(BoundedRange(eta, scope=DATA), count), delta).epsilon
                gaps.append(fixed < epsilon)
    assert any(gaps)


@pytest.mark.parametrize("places", [(1, 5), (2, 3, 6), (1, 4, 4, 7), (0, 3, 3)])
def test_different_places_cost_no_more(places: tuple[int, ...]) -> None:
    """Choices fixed in advance are worst with equal places of their intervals."""
    eta, count = Fraction(3, 2), len(places)
    with ctx.workprec(BITS):
        losses = convolved(*(two_valued(eta * Fraction(i, 8), eta, 1) for i in places)).items()
        for delta in (Fraction(1, 5), Fraction(1, 50), Fraction(1, 1000)):
            claimed = total(InAdvance(BoundedRange(eta, scope=DATA), count), delta).epsilon
            assert not surely_above(hockey_stick(losses, claimed), delta)


MIXED = list(
    itertools.product(
        (
            ((Fraction(1, 10), 20), (Fraction(1, 10), 20)),
            ((Fraction(2, 3), 1), (Fraction(1, 17), 60)),
            ((Fraction(3, 10), 6), (Fraction(1), 4)),
        ),
        (Fraction(1, 100), Fraction(1, 10**6), Fraction(1, 10**12)),
    )
)


@pytest.mark.parametrize(("parts", "delta"), MIXED)
def test_choices_after_pure_mechanisms(
    parts: tuple[tuple[Fraction, int], tuple[Fraction, int]], delta: Fraction
) -> None:
    (epsilon, tests), (eta, choices) = parts
    event = Sequential(
        (
            SelfComposed(PureDP(epsilon, scope=DATA), tests),
            SelfComposed(BoundedRange(eta, scope=DATA), choices),
        )
    )
    found = total(event, delta)
    claimed = [value for _, value in found.others]
    with ctx.workprec(BITS):
        for i in range(2, 12):
            t = eta * Fraction(i, 13)
            losses = convolved(responses(epsilon, tests), two_valued(t, eta, choices)).items()
            assert not any(surely_above(hockey_stick(losses, each), delta) for each in claimed)


MANY = list(
    itertools.product(
        ((Fraction(1, 100), 2000), (Fraction(1, 50), 1200)),
        (Fraction(1, 100), Fraction(1, 10**6), Fraction(1, 10**10)),
        (PureDP, BoundedRange),
    )
)


@pytest.mark.parametrize(("size", "delta", "kind"), MANY)
def test_every_accountant_of_many_releases(
    size: tuple[Fraction, int], delta: Fraction, kind: type[PureDP] | type[BoundedRange]
) -> None:
    loss, count = size
    event: Event = SelfComposed(kind(loss, scope=DATA), count)
    found = total(event, delta)
    with ctx.workprec(BITS):
        losses = responses(loss, count) if kind is PureDP else two_valued(loss / 2, loss, count)
        for _, claimed in found.others:
            assert not surely_above(hockey_stick(losses.items(), claimed), delta)


def test_the_number_of_settings() -> None:
    groups = (NOISE, VECTORS, PARTS, NORMAL, PURE, DIFFERENT, CHOICES, MIXED, MANY)
    sizes = Counter({i: len(group) for i, group in enumerate(groups)})
    assert sizes.total() >= 240
