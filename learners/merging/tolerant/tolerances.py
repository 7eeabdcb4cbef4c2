"""Tree depths, list lengths and tolerances of the tolerant learners.

Balls round every probability outwards. A tolerance or a loss is the least integer for which balls
prove a condition, so it can only exceed the least integer that satisfies the condition.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache
from math import comb

from flint import arb

from learners.balls import ball, certainly_le
from learners.number_arguments import least_integer


def depths_of(tolerance: int, levels: int) -> list[int]:
    """Return the tree depths B_1 = tolerance + 1 and B_(r+1) = 2 B_r + 1 of all levels.

    Examples
    --------
    >>> depths_of(4, 3)
    [5, 11, 23]
    """
    found = [tolerance + 1]
    while len(found) < levels:
        found.append(2 * found[-1] + 1)
    return found[:levels]


def lengths_of(tolerance: int, levels: int) -> list[int]:
    """Return the largest lengths u_1, ..., u_levels of the lists of all levels.

    u_r is the sum of C(B_r, j) over j <= r.

    Examples
    --------
    >>> lengths_of(4, 2)
    [6, 67]
    """
    depths = enumerate(depths_of(tolerance, levels), start=1)
    return [sum(comb(depth, j) for j in range(r + 1)) for r, depth in depths]


def at_most_chance(trials: int, chance: Fraction, most: int) -> arb:
    """Return P[Bin(trials, chance) <= most] as a ball, for 0 <= most < trials.

    Examples
    --------
    >>> print(at_most_chance(4, Fraction(1, 2), 1).str(6, radius=False))
    0.312500
    """
    # The terms are positive, so their sum loses no precision. Few terms are faster than the
    # incomplete beta function.
    other = 1 - ball(chance)
    term, ratio = other**trials, ball(chance) / other
    found = term
    for i in range(most):
        term *= ratio * (trials - i) / (i + 1)
        found += term
    return found


def tosses(more: int, less: int) -> arb:
    """Return P[Bin(t1 + t2 + 1, 1/2) <= t1] for t1 = `less` and t2 = `more`, as a ball.

    Lemma L9 of `docs/merging.md` calls this probability p(t1, t2).

    Examples
    --------
    >>> print(tosses(2, 1).str(6, radius=False))
    0.312500
    """
    return at_most_chance(more + less + 1, Fraction(1, 2), less)


@cache
def least_tolerance(less: int, failure: Fraction) -> int:
    """Return the least tau from `less` on for which `tosses` is at most a failure probability.

    Examples
    --------
    >>> [least_tolerance(0, Fraction(1, n)) for n in (2, 1000)]
    [0, 9]
    """
    return least_integer(
        lambda tau: certainly_le(lambda: tosses(tau, less), failure), less - 1, near=less + 20
    )


def tolerances(examples: list[int], pairs: int, failure: Fraction, dimension: int) -> list[int]:
    """Return the tolerances of the levels from the last level down, above the tolerance 0.

    Parameters
    ----------
    examples : list of int
        The largest numbers of examples of two parties at each level, from the last level down.
    pairs : int
        Number of ordered pairs of parties.
    failure : Fraction
        Failure probability of each level.
    dimension : int
        Littlestone dimension d.

    Examples
    --------
    >>> tolerances([100, 100], 6, Fraction(1, 100), 1)
    [15, 48]
    """
    found, below = [], 0
    for n in examples:
        predictors = sum(comb(n, i) for i in range(dimension + 1))
        below = least_tolerance(below, failure / (pairs * predictors))
        found.append(below)
    return found


@cache
def most_common(rounds: int, chance: Fraction, failure: Fraction) -> int:
    """Return a number m with P[Bin(T, p) > m] <= failure, for T = `rounds` and p = `chance`.

    By Chernoff's bound, P[Bin(T, p) >= c] <= e^(-D) for c >= Tp, where D is
    c ln(c/(Tp)) + (T - c) ln((T - c)/(T - Tp)).

    Examples
    --------
    >>> most_common(1000, Fraction(1, 2), Fraction(1, 1000))
    558
    """
    mean = rounds * chance

    def suffices(m: int) -> bool:
        c = m + 1

        def bound() -> arb:
            more, rest = ball(c / mean).log(), ball((rounds - c) / (rounds - mean)).log()
            return (-c * more - (rounds - c) * rest).exp()

        return c < rounds and certainly_le(bound, failure)

    return least_integer(suffices, math.ceil(mean) - 1, rounds)


@cache
def least_loss(teachers: int, length: int, tolerance: int, failure: Fraction) -> int:
    """Return the least loss L* with k u P[Bin(L* + 1, 1/k) <= tau] <= failure.

    Parameters
    ----------
    teachers, length, tolerance : int
        Number k of teachers, list length u and tolerance tau.
    failure : Fraction
        Failure probability of the bound.

    Examples
    --------
    >>> least_loss(2, 1, 0, Fraction(1, 7))
    3
    """

    def few(L: int) -> arb:
        return teachers * length * at_most_chance(L + 1, Fraction(1, teachers), tolerance)

    return least_integer(
        lambda L: certainly_le(lambda: few(L), failure),
        tolerance,
        near=teachers * (2 * tolerance + 20),
    )
