"""The exact privacy loss between two laws, for tests: definitions, transcribed."""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Iterable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from flint import arb, ctx

from learners.accounting import Event, basic, zcdp
from learners.audit import audit
from learners.audit.instances import AuditEntry, Instance
from learners.balls import ball
from learners.exact import PRECISION, OutputDistribution
from lsclasses.errors import InvalidInput
from lsclasses.verdicts import Verdict

CUT: dict[str, Any] = {"tail": Fraction(1, 2**24), "resolution": Fraction(1, 10**5)}
"""For audits of laws with noise that go no further than a test needs."""


def delta(p: OutputDistribution, q: OutputDistribution, epsilon: Fraction | int) -> arb:
    """A ball around the sum over outcomes of (P - e^epsilon Q)_+, cut branches included."""
    with ctx.workprec(PRECISION):
        factor = ball(epsilon).exp()
        listed = arb(0)
        for outcome in p:
            excess = p[outcome] - factor * q.get(outcome, arb(0))
            listed += excess.max(arb(0))
        # What was cut of P may count in full, what was cut of Q may take its part away.
        return (listed - factor * q.tail).union(listed + p.tail).max(arb(0))


def assert_private(
    p: OutputDistribution,
    q: OutputDistribution,
    epsilon: Fraction | int,
    bound: Fraction | float = 0,
) -> None:
    """Neither law exceeds the other by more than `bound` at `epsilon`, but for what was cut."""
    for one, other in ((p, q), (q, p)):
        with ctx.workprec(PRECISION):
            cut = one.tail + ball(epsilon).exp() * other.tail
            assert cut < 1e-3, f"too much was cut to tell: {cut}"
            allowed = arb(float(bound) * (1 + 1e-12) + 1e-30) + cut
            assert delta(one, other, epsilon) <= allowed


def loss(p: OutputDistribution, q: OutputDistribution, outcome: Hashable) -> arb:
    """The privacy loss ln(P/Q) at an outcome."""
    with ctx.workprec(PRECISION):
        return (p[outcome] / q[outcome]).log()


def least_epsilon(rho: float, delta: float) -> float:
    """Canonne, Kamath, Steinke 2020, Corollary 13, over a grid of orders a."""
    if not rho:
        return 0.0
    a = 1 + np.geomspace(1e-3, 1e6, 60_001)
    values = a * rho + (np.log(1 / (a * delta)) + (a - 1) * np.log1p(-1 / a)) / (a - 1)
    return max(0.0, float(values.min()))


def at_most(trials: int, chance: Any, most: int) -> Any:
    """P[Bin(trials, chance) <= most], by the definition."""
    return sum(
        math.comb(trials, i) * chance**i * (1 - chance) ** (trials - i) for i in range(most + 1)
    )


def mass(scale: Any, z: int) -> float:
    """P[Z = z] for discrete Laplace noise Z."""
    q = math.exp(-1 / scale)
    return (1 - q) / (1 + q) * q ** abs(z)


def reach(scale: Any, m: int) -> float:
    """P[Z >= m] for discrete Laplace noise Z."""
    q = math.exp(-1 / scale)
    return q**m / (1 + q) if m > 0 else 1 - q ** (1 - m) / (1 + q)


def answers_delta(each: float, count: int, epsilon: float) -> float:
    """Delta of `count` pure mechanisms, in floating point (Kairouz, Oh, Viswanath 2015).

    The loss is the sum of independent losses, which are `each` with probability e^each/(1 + e^each)
    and -each otherwise.
    """
    likely, total = 1 / (1 + math.exp(-each)), 0.0
    for right in range(count, -1, -1):
        loss = (2 * right - count) * each
        if loss <= epsilon:
            break
        log_ways = math.lgamma(count + 1) - math.lgamma(right + 1) - math.lgamma(count - right + 1)
        log_chance = log_ways + right * math.log(likely) + (count - right) * math.log1p(-likely)
        total += math.exp(log_chance) * -math.expm1(epsilon - loss)
    return total


def spent(event: Event, delta: Fraction | int) -> Fraction:
    """The epsilon of an event: by zCDP at a delta, by basic composition without one."""
    return zcdp(event, delta)[0] if delta else basic(event)[0]


def assert_same(one: OutputDistribution, other: OutputDistribution, apart: float = 0) -> None:
    """Two laws have the same outcomes, with probabilities that are no further apart than what was
    cut of them."""
    assert set(one) == set(other)
    with ctx.workprec(PRECISION):
        for outcome in one:
            assert not abs(one[outcome] - other[outcome]) > one.tail + other.tail + apart


def least_bound(scale: Fraction | int, failure: Fraction) -> int:
    """The least m with P[|Z| > m] <= failure, for discrete Laplace noise Z: one after the other."""
    return next(m for m in itertools.count() if 2 * reach(scale, m + 1) <= failure)


def smallest_instances(audits: Iterable[AuditEntry], **least: int) -> dict[str, Instance]:
    """The audited instances with these sizes, which hold their claims; smaller ones are refused.

    The default instance of each exists as well, and has something to compare.
    """
    found = {}
    for entry in audits:
        assert entry.instance().pairs
        known = {parameter.name for parameter in entry.parameters}
        sizes = {name: size for name, size in least.items() if name in known}
        built = found[entry.name] = entry.instance(**sizes)
        assert audit(built.run, built.pairs, built.privacy, **CUT).verdict == Verdict.HOLDS
        for name, size in sizes.items():
            with pytest.raises(InvalidInput, match=f"'{name}'.* from {size} to"):
                entry.instance(**{name: size - 1})
    return found
