"""The exact privacy loss between two laws, for tests: definitions, transcribed."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction

from flint import arb, ctx, fmpq

from learners.exact import PRECISION, Law


def delta(p: Law, q: Law, epsilon: Fraction | int) -> arb:
    """A ball around the sum over outcomes of (P - e^epsilon Q)_+, cut branches included."""
    with ctx.workprec(PRECISION):
        factor = arb(fmpq(Fraction(epsilon).numerator, Fraction(epsilon).denominator)).exp()
        listed = arb(0)
        for outcome in p:
            excess = p[outcome] - factor * q.get(outcome, arb(0))
            listed += excess.max(arb(0))
        # What was cut of P may count in full, what was cut of Q may take its part away.
        return (listed - factor * q.tail).union(listed + p.tail).max(arb(0))


def assert_private(p: Law, q: Law, epsilon: Fraction | int, bound: Fraction | float = 0) -> None:
    """Neither law exceeds the other by more than `bound` at `epsilon`, but for what was cut."""
    slack = float(p.tail.abs_upper()) + float(q.tail.abs_upper()) + 1e-30
    for one, other in ((p, q), (q, p)):
        assert delta(one, other, epsilon) <= arb(float(bound) * (1 + 1e-12) + slack)


def loss(p: Law, q: Law, outcome: Hashable) -> arb:
    """The privacy loss ln(P/Q) at an outcome."""
    with ctx.workprec(PRECISION):
        return (p[outcome] / q[outcome]).log()
