"""The privacy loss of two distributions: delta(epsilon), events, the least epsilon, as balls."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from typing import Any, Generic, TypeVar

from flint import arb, ctx, fmpq

from learners import checked
from learners.balls import ball
from learners.exact import PRECISION, OutputDistribution, require_same
from lsclasses.numbers import rational

FAR = 1 << 16
"""The largest loss that a search for the least epsilon considers."""

Outcome = TypeVar("Outcome", bound=Hashable)


class PrivacyLoss(Generic[Outcome]):
    """The exact privacy loss of a pair of inputs, computed from two output distributions.

    Parameters
    ----------
    zero, one : OutputDistribution
        The output distributions on the two inputs.

    Examples
    --------
    >>> from learners.exact import exact_distribution
    >>> def response(bit):
    ...     return exact_distribution(lambda coins: coins.pick([0, 1]) ^ bit)
    >>> loss = PrivacyLoss(response(0), response(1))
    >>> print(loss.loss()[0].str(15, radius=False))
    1.00000000000000
    >>> print(loss.delta(Fraction(1, 2)).str(15, radius=False))  # (e - e^(1/2)) / (1 + e)
    0.287649136644968
    """

    def __init__(self, zero: OutputDistribution[Outcome], one: OutputDistribution[Outcome]) -> None:
        nothing = arb(0)
        self._pairs: list[tuple[Outcome, arb, arb]] = []
        with ctx.workprec(PRECISION):
            shared = 0
            for outcome, mine in zero.weights.items():
                other = one.weights.get(outcome)
                if other is not None:
                    shared += 1
                    require_same(outcome, other.first)
                q = nothing if other is None else other.enclosure
                self._pairs.append((outcome, mine.enclosure, q))
            # It takes long to hash some outcomes.
            if shared < len(one):
                for outcome, other in one.weights.items():
                    if outcome not in zero:
                        self._pairs.append((outcome, nothing, other.enclosure))
        self._cuts = zero.tail, one.tail
        self.branches = zero.branches + one.branches

    @property
    def cut(self) -> arb:
        """The larger of the probabilities that were cut off from the two distributions."""
        return self._cuts[0].max(self._cuts[1])

    def __len__(self) -> int:
        return len(self._pairs)

    def delta(self, epsilon: Fraction | int, direction: int | None = None) -> arb:
        """Return a ball that contains delta(epsilon), for the distributions P and Q on two inputs.

        Parameters
        ----------
        epsilon : Fraction or int
            Epsilon of the claim, at least 0.
        direction : int, optional
            0 for max_E P(E) - e^epsilon Q(E), 1 for max_E Q(E) - e^epsilon P(E). The default is the
            larger of these two values.

        Raises
        ------
        InvalidInput
            If epsilon is negative or a float.
        """
        epsilon = checked.nonnegative_fraction(epsilon, "epsilon")
        if direction is None:
            with ctx.workprec(PRECISION):
                return self.delta(epsilon, 0).max(self.delta(epsilon, 1))
        with ctx.workprec(PRECISION):
            factor, found = ball(epsilon).exp(), arb(0)
            for _, p, q in self._pairs:
                excess = (q - factor * p) if direction else (p - factor * q)
                found += excess.nonnegative_part()
            mine, other = self._cuts[direction], self._cuts[1 - direction]
            # The cut part may add all its mass, or fill up the other distribution where it lacks.
            wide = (found - factor * other).lower().union((found + mine).upper())
            return wide.nonnegative_part().min(arb(1))

    def event(self, epsilon: Fraction | int) -> tuple[int, tuple[Outcome, ...]]:
        """Return an event that attains delta(epsilon), as its direction and its outcomes.

        The direction is 0 if the event is likelier for the first input, and 1 otherwise.
        """
        epsilon = checked.nonnegative_fraction(epsilon, "epsilon")
        direction = int(midpoint(self.delta(epsilon, 1)) > midpoint(self.delta(epsilon, 0)))
        with ctx.workprec(PRECISION):
            factor = ball(epsilon).exp()
            return direction, tuple(
                outcome
                for outcome, p, q in self._pairs
                if ((q - factor * p) if direction else (p - factor * q)) > 0
            )

    def loss(self) -> tuple[arb, Outcome | None]:
        """Return a lower bound on the least epsilon with delta(epsilon) = 0, and an outcome.

        The bound is max_o |ln P(o)/Q(o)|, and the returned outcome o attains it. The probability
        that the enumeration cut off is added to the smaller of P(o) and Q(o). The bound is infinite
        if an outcome is possible for one input only and no probability was cut off.

        Examples
        --------
        >>> from learners.exact import exact_distribution
        >>> laws = [exact_distribution(lambda coins: n + coins.laplace(2)) for n in (0, 1)]
        >>> bound, outcome = PrivacyLoss(*laws).loss()
        >>> 0.499999999 < bound < 0.5
        True
        """
        best, witness = arb(0), None
        with ctx.workprec(PRECISION):
            for outcome, p, q in self._pairs:
                for large, small in ((p, q + self._cuts[1]), (q, p + self._cuts[0])):
                    if not large > small:
                        continue
                    bound = arb.pos_inf() if small.is_zero() else (large / small).log().lower()
                    if bound > best:
                        best, witness = bound, outcome
        return best, witness

    def witness(self) -> tuple[int, tuple[Outcome, ...]]:
        """Return the input (0 or 1) that makes the outcome of `loss` likelier, and the outcome.

        The outcome is in a tuple, which is empty if `loss` has no outcome.

        Examples
        --------
        >>> from learners.exact import exact_distribution
        >>> laws = [exact_distribution(lambda coins: coins.pick([n, 0])) for n in (0, 1)]
        >>> PrivacyLoss(*laws).witness()
        (0, (1,))
        """
        outcome = self.loss()[1]
        for known, p, q in self._pairs:
            if outcome is not None and known == outcome:
                return int(midpoint(q) > midpoint(p)), (outcome,)
        return 0, ()

    def epsilon(self, delta: Fraction | int = 0, digits: int = 12) -> arb:
        """Return a lower bound on the least epsilon for which this pair is (epsilon, delta)-close.

        Let P and Q be the output distributions on the two inputs. The pair is (epsilon,
        delta)-close if P(E) <= e^epsilon Q(E) + delta and Q(E) <= e^epsilon P(E) + delta for every
        event E.

        With delta = 0 the result is the value of the method `loss`. Otherwise bisection computes
        the result to `digits` digits, up to 65536. The result is infinite if outcomes that are
        possible for one input only have a probability above delta, and no probability was cut off
        for the second input.

        Examples
        --------
        >>> from learners.exact import exact_distribution
        >>> laws = [exact_distribution(lambda coins: n + coins.laplace(1)) for n in (0, 1)]
        >>> print(PrivacyLoss(*laws).epsilon(Fraction(1, 10)).str(6, radius=False))
        0.852905
        """
        delta = rational(delta, "delta")
        if not delta:
            return self.loss()[0]
        allowed = fmpq(delta.numerator, delta.denominator)
        if not self.delta(0) > allowed:
            return arb(0)
        if self._escaping() > allowed:
            return arb.pos_inf()
        low, high = Fraction(0), Fraction(1)
        while self.delta(high) > allowed:
            low, high = high, 2 * high
            if high > FAR:
                return ball(low)
        while (high - low) * 10**digits > 1:
            middle = (low + high) / 2
            if self.delta(middle) > allowed:
                low = middle
            else:
                high = middle
        return ball(low)

    def enough(self, delta: Fraction | int, digits: int = 12, least: Fraction | int = 0) -> arb:
        """Return an upper bound on the least epsilon for which this pair is (epsilon, delta)-close.

        Bisection between `least` and 65536 computes the bound to `digits` digits. The bound is
        infinite if it would exceed 65536, or if the probability that the enumeration cut off might
        exceed delta.

        Examples
        --------
        >>> from learners.exact import exact_distribution
        >>> laws = [exact_distribution(lambda coins: n + coins.laplace(1)) for n in (0, 1)]
        >>> loss, tenth = PrivacyLoss(*laws), Fraction(1, 10)
        >>> print(loss.enough(tenth).str(6, radius=False))
        0.852905
        >>> bool(loss.epsilon(tenth) <= loss.enough(tenth)), float(loss.enough(0))
        (True, inf)
        """
        allowed, low = (
            ball(rational(delta, "delta")),
            checked.nonnegative_fraction(least, "epsilon"),
        )
        if self.delta(low) <= allowed:
            return ball(low)
        high = low + 1
        while not self.delta(high) <= allowed:
            if high >= FAR:
                return arb.pos_inf()
            low, high = high, min(2 * high, Fraction(FAR))
        while (high - low) * 10**digits > 1:
            middle = (low + high) / 2
            if self.delta(middle) <= allowed:
                high = middle
            else:
                low = middle
        return ball(high)

    def _escaping(self) -> arb:
        """Return the certain mass of a distribution outside the other's support, the larger one."""
        with ctx.workprec(PRECISION):
            found = [arb(0), arb(0)]
            for _, p, q in self._pairs:
                for side, (mine, other) in enumerate(((p, q), (q, p))):
                    if other.is_zero() and self._cuts[1 - side].is_zero():
                        found[side] += mine
            return found[0].max(found[1])


def midpoint(enclosure: arb) -> float:
    """Return the middle of a ball, as a key to sort balls."""
    return float(enclosure.mid())


Losses = list[tuple[tuple[object, object], PrivacyLoss[Any]]]
"""Pairs of inputs, each with its privacy loss."""
