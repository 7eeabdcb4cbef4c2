"""The exact laws of single draws: uniform, biased, weighted, and noise from a table."""

from __future__ import annotations

from functools import lru_cache

from flint import arb, ctx, fmpq

PRECISION = 128
"""Bits of the balls that probabilities are computed with."""

Probability = fmpq | arb


@lru_cache(maxsize=1024)
def _uniform(n: int) -> tuple[tuple[int, fmpq], ...]:
    return tuple((value, fmpq(1, n)) for value in range(n))


def _biased(numerator: int, denominator: int) -> tuple[tuple[bool, fmpq], ...]:
    p = fmpq(numerator, denominator)
    return ((True, p), (False, 1 - p))


@lru_cache(maxsize=4096)
def _decaying(numerator: int, denominator: int) -> tuple[tuple[bool, arb], ...]:
    with ctx.workprec(PRECISION):
        exponent = arb(fmpq(-numerator, denominator))
        return ((True, exponent.exp()), (False, -exponent.expm1()))


@lru_cache(maxsize=1024)
def _weighted(
    exponents: tuple[int, ...], denominator: int, counts: tuple[int, ...] | None
) -> tuple[tuple[int, Probability], ...]:
    sizes = (1,) * len(exponents) if counts is None else counts
    if not any(exponents):
        total_size = sum(sizes)
        return tuple((index, fmpq(size, total_size)) for index, size in enumerate(sizes))
    with ctx.workprec(PRECISION):
        weights = [
            size * arb(fmpq(-exponent, denominator)).exp()
            for size, exponent in zip(sizes, exponents, strict=True)
        ]
        total = sum(weights, arb(0))
        return tuple((index, weight / total) for index, weight in enumerate(weights))


@lru_cache(maxsize=65536)
def _exceeding(
    margin: int, numerator: int, denominator: int
) -> tuple[tuple[bool, arb], tuple[bool, arb]]:
    with ctx.workprec(PRECISION):
        rate = arb(fmpq(denominator, numerator))
        far = (-rate * (margin if margin >= 1 else 1 - margin)).exp() / (1 + (-rate).exp())
        yes, no = (far, 1 - far) if margin >= 1 else (1 - far, far)
        return ((True, yes), (False, no))


@lru_cache(maxsize=256)
def _noise_table(
    numerator: int, denominator: int, width: int
) -> tuple[tuple[tuple[int, arb], ...], arb, arb]:
    """The values 0, 1, -1, ..., -width with their probabilities, the rate, and 1 + q."""
    with ctx.workprec(PRECISION):
        rate = arb(fmpq(denominator, numerator))
        q = (-rate).exp()
        centre = -(-rate).expm1() / (1 + q)
        table = [(0, centre)]
        for size in range(1, width + 1):
            p = centre * (-rate * size).exp()
            table += [(size, p), (-size, p)]
        return tuple(table), rate, 1 + q


def _noise(
    numerator: int, denominator: int, width: int, reach: int
) -> tuple[tuple[tuple[int, arb], ...], arb]:
    """A table that begins with the values up to the reach, and the probability of the others."""
    table, rate, one_and_q = _noise_table(numerator, denominator, width)
    return table, 2 * (-rate * (reach + 1)).exp() / one_and_q


@lru_cache(maxsize=256)
def _gaussian_tail(numerator: int, denominator: int, least: int) -> arb:
    """A ball around the sum of exp(-z^2/(2 s)) over all z >= least, where least >= 0."""
    with ctx.workprec(PRECISION):
        rate, total, z = arb(fmpq(denominator, 2 * numerator)), arb(0), least
        negligible = arb(2) ** (-2 * PRECISION)
        while not (weight := (-rate * z * z).exp()) < negligible * (total + weight):
            total, z = total + weight, z + 1
        # Each term is at most exp(-rate (2 z + 1)) times the term before it.
        rest = weight / -(-rate * (2 * z + 1)).expm1()
        return total + arb(0).union(rest)


@lru_cache(maxsize=256)
def _gaussian_table(
    numerator: int, denominator: int, width: int
) -> tuple[tuple[tuple[int, arb], ...], arb]:
    """The values 0, 1, -1, ..., -width with their probabilities, and the sum of all weights."""
    with ctx.workprec(PRECISION):
        rate = arb(fmpq(denominator, 2 * numerator))
        total = 1 + 2 * _gaussian_tail(numerator, denominator, 1)
        table = [(0, 1 / total)]
        for size in range(1, width + 1):
            p = (-rate * size * size).exp() / total
            table += [(size, p), (-size, p)]
        return tuple(table), total


def _gaussian(
    numerator: int, denominator: int, width: int, reach: int
) -> tuple[tuple[tuple[int, arb], ...], arb]:
    """A table that begins with the values up to the reach, and the probability of the others."""
    table, total = _gaussian_table(numerator, denominator, width)
    return table, 2 * _gaussian_tail(numerator, denominator, reach + 1) / total


@lru_cache(maxsize=256)
def _censored_gaussian(numerator: int, denominator: int, reach: int) -> tuple[tuple[int, arb], ...]:
    """The values 0, 1, -1, ..., -reach. The last two stand for all values beyond them, too."""
    table, total = _gaussian_table(numerator, denominator, max(reach - 1, 0))
    with ctx.workprec(PRECISION):
        end = _gaussian_tail(numerator, denominator, reach) / total
        return (*table, (reach, end), (-reach, end))
