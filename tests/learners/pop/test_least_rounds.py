"""The first T at which the bound of [KMMNS23, Lemma F.3 and Thm F.4] is below T, by other code.

`AgnosticPOP.from_theorem` searches for its parameters. Where its bound w(T) is T or more, noise for
all T answers is less than noise for as many reports, so that all parameters are closed formulas in
T; here they are computed anew, in balls. The noise stays below a = k/8, so that w depends on a,
early halts and constants, none of which decreases with T. Hence w(T) >= T implies w(T') >= T' for
all T' from T to w(T), and the iteration T <- w(T) + 1 ends at the least T with w(T) < T. (Noise
is rounded up to steps, as is k, so that w may pass T again at the next step.)
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb

import numpy as np
import pytest
from flint import arb, ctx

import catalog
from learners.budget import Budget
from learners.pop.agnostic import AgnosticPOP

EPSILON, DELTA, BETA = 2, Fraction(1, 100), Fraction(1, 20)
CASES = [
    pytest.param("points:n=2^64", 1, 1, 0, 91_776_768, marks=pytest.mark.slow),
    pytest.param("thresholds:n=3", 2, 1, 0, 766_353_064, marks=pytest.mark.slow),
    ("points:n=2^64", 1, 6, 10, 7_786_068_919),
]
"""A class, its Littlestone dimension, phases, errors of the best concept, and the least T."""

START = 10**5
"""With fewer rounds every mistake bound is above T, and k may be what privacy asks for."""


def ball(value: Fraction | int) -> arb:
    value = Fraction(value)
    return arb(value.numerator) / value.denominator


def up(value: arb) -> int:
    return int(value.ceil().unique_fmpz())


def most_experts_err(d: int, errors: int) -> int:
    """The largest n with 2^n <= C(n, <=d) C(n, <=M), tried one by one."""

    def sets(n, j):
        return sum(comb(n, i) for i in range(j + 1))

    return max(n for n in range(100) if 2**n <= sets(n, d) * sets(n, errors))


def zcdp(epsilon: Fraction, delta: Fraction) -> arb:
    """The greatest (epsilon - c(k)/k)/(k + 1), c(k) = ln(1/delta) + k ln k - (k+1) ln(k+1).

    Newton's method for the root of k (k + 1) (epsilon - c') - (2k + 1) (k epsilon - c), whose
    derivative is -1 - 2 (k epsilon - c).
    """
    eps, size = ball(epsilon), -ball(delta).log()
    k = 2 * size / eps
    for _ in range(12):
        spare = k * eps - size - k * k.log() + (k + 1) * (k + 1).log()
        slope = k * (k + 1) * (eps - k.log() + (k + 1).log()) - (2 * k + 1) * spare
        k = (k + slope / (1 + 2 * spare)).mid()
    spare = k * eps - size - k * k.log() + (k + 1) * (k + 1).log()
    return spare / (k * (k + 1))


def log_tail(n: int, trials: int, p: arb) -> arb:
    """ln P[Bin(N, p) <= n], term by term from n downwards until a geometric series is all left.

    The terms relative to the first one are floats, whose errors stay below 10^-9 of their sum.
    """
    q = 1 - p
    ways = arb(trials + 1).lgamma() - arb(n + 1).lgamma() - arb(trials - n + 1).lgamma()
    odds, total, term = float(q / p), 1.0, 1.0
    for first in range(n, 0, -4096):
        j = np.arange(first, max(first - 4096, 0), -1)
        ratios = odds * j / (trials - j + 1)
        terms = term * np.cumprod(ratios)
        total, term = total + float(terms.sum()), float(terms[-1])
        if term * ratios[-1] < 1e-10 * (1 - ratios[-1]):
            break
    return ways + n * p.log() + (trials - n) * q.log() + arb(total, 1e-9 * total).log()


def trials(n: int, p: arb, failure: Fraction) -> int:
    """The least N with P[Bin(N, p) <= n] <= failure, by secants from about the mean."""
    goal = ball(failure).log()
    mean = n / float(p)
    at, after = int(mean), int(mean + 4 * (mean / float(p)) ** 0.5)
    here, there = log_tail(n, at, p) - goal, log_tail(n, after, p) - goal
    while abs(after - at) > 1:
        step = up((there * (after - at) / (there - here)).mid()) or 1
        at, after, here = after, after - step, there
        there = log_tail(n, after, p) - goal
    while there > 0:
        after, there = after + 1, log_tail(n, after + 1, p) - goal
    while log_tail(n, after - 1, p) < goal:
        after -= 1
    return after


@cache
def passed(m: int) -> arb:
    """P[Z - Z' > m], as a sum over the second noise."""
    q = (-ball(Fraction(EPSILON, 16))).exp()
    mass = (1 - q) / (1 + q)
    total = 2 * q**600
    for z in range(-600, 601):
        beyond = q ** (m + 1 + z) / (1 + q) if m + z >= 0 else 1 - q ** -(m + z) / (1 + q)
        total += mass * q ** abs(z) * beyond
    return total


@dataclass(frozen=True)
class Closed:
    """The bound of agnostic POP as a formula in the number of rounds."""

    dimension: int
    phases: int
    errors: int

    def noise(self, scale: arb, failure: Fraction) -> int:
        return up(scale * (2 / (1 + (-1 / scale).exp()) / ball(failure)).log()) - 1

    def scale(self, T: int) -> arb:
        answers = Fraction(15, 16) * EPSILON
        rho = zcdp(answers, Fraction(7, 8) * DELTA / self.phases)
        return ball(Fraction(up(16 * (T / (2 * rho)).sqrt()), 16))

    def costly(self, T: int) -> int:
        forgiven = max(self.dimension, 1)
        base, each = most_experts_err(self.dimension, forgiven), BETA / self.phases
        scale = self.scale(T)
        a = self.noise(scale, each / (3 * T))
        others = (T - 1) / (1 + (-1 / scale).exp()) / ball(DELTA / 8 / self.phases)
        assert 8 * a >= 4 * up(scale * others.log()) - 1
        return trials((8 * base - 1) * a, ball(Fraction(1, 8)), each / 6)

    def bound(self, T: int) -> int:
        each, counting, m = BETA / self.phases, ball(Fraction(EPSILON, 16)), 0
        scale = 1 / counting
        early = self.noise(scale, each / 4) + self.noise(scale, each / (4 * T))
        while not passed(m) <= ball(each / 4):
            m += 1
        halting = self.errors // (max(self.dimension, 1) + 1)
        return (halting + 1) * (self.costly(T) + early + 1 + m)


@pytest.mark.parametrize(("spec", "d", "phases", "errors", "least"), CASES)
def test_the_first_number_of_rounds_at_which_the_bound_says_something(
    spec, d, phases, errors, least
):
    """The numbers in the records of the two statements."""
    C, budget = catalog.build(spec), Budget(EPSILON, DELTA)
    assert C.ldim() == d
    with ctx.workprec(100):
        closed = Closed(d, phases, errors)
        T = START
        while (bound := closed.bound(T)) >= T:
            T = bound + 1
        assert least == T
        values = {T: closed.bound(T) for T in (least // 2, least - 1, least)}
    for T, value in values.items():
        learner = AgnosticPOP.from_theorem(budget, C, T, BETA, phases=phases)
        assert learner.bound(errors, BETA).applies
        assert learner.bound(errors, BETA).value == value
