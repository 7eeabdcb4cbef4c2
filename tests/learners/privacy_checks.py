"""The exact privacy loss between two laws, for tests: definitions, transcribed."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction

import numpy as np
from flint import arb, ctx

from learners.exact import PRECISION, Law
from learners.numbers import real


def delta(p: Law, q: Law, epsilon: Fraction | int) -> arb:
    """A ball around the sum over outcomes of (P - e^epsilon Q)_+, cut branches included."""
    with ctx.workprec(PRECISION):
        factor = real(epsilon).exp()
        listed = arb(0)
        for outcome in p:
            excess = p[outcome] - factor * q.get(outcome, arb(0))
            listed += excess.max(arb(0))
        # What was cut of P may count in full, what was cut of Q may take its part away.
        return (listed - factor * q.tail).union(listed + p.tail).max(arb(0))


def assert_private(p: Law, q: Law, epsilon: Fraction | int, bound: Fraction | float = 0) -> None:
    """Neither law exceeds the other by more than `bound` at `epsilon`, but for what was cut."""
    for one, other in ((p, q), (q, p)):
        with ctx.workprec(PRECISION):
            cut = one.tail + real(epsilon).exp() * other.tail
            assert cut < 1e-3, f"too much was cut to tell: {cut}"
            allowed = arb(float(bound) * (1 + 1e-12) + 1e-30) + cut
            assert delta(one, other, epsilon) <= allowed


def loss(p: Law, q: Law, outcome: Hashable) -> arb:
    """The privacy loss ln(P/Q) at an outcome."""
    with ctx.workprec(PRECISION):
        return (p[outcome] / q[outcome]).log()


def least_epsilon(rho: float, delta: float) -> float:
    """Canonne, Kamath, Steinke 2020, Corollary 13, over a grid of orders a."""
    if not rho:
        return 0.0
    a = 1 + np.geomspace(1e-3, 1e6, 200_001)
    values = a * rho + (np.log(1 / (a * delta)) + (a - 1) * np.log1p(-1 / a)) / (a - 1)
    return max(0.0, float(values.min()))
