"""Privacy losses of an event as multisets, from which every accountant computes its total."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

Runs = tuple[tuple[Fraction, int], ...]
"""A multiset of positive numbers, as pairs (value, multiplicity), largest value first."""


@dataclass(frozen=True)
class Profile:
    """The list of privacy losses that one changed item can cause in a release.

    The release is a post-processing of an adaptive composition of five parts. Each number in
    `losses` is the epsilon of a mechanism with delta = 0. Each number in `ranges` is the range of a
    mechanism whose privacy loss takes values in an interval of this width. `rho` is the parameter
    of a rho-zCDP mechanism. `mu_squared` is the square of mu for a mu-Gaussian DP mechanism.
    `delta` is the probability that the output is arbitrary. For (epsilon, delta)-DP mechanisms this
    decomposition is the theorem of Kairouz, Oh, Viswanath 2015 (Lyu 2022 for interactive
    mechanisms).
    """

    losses: Runs = ()
    ranges: Runs = ()
    rho: Fraction = Fraction(0)
    delta: Fraction = Fraction(0)
    mu_squared: Fraction = Fraction(0)

    def times(self, count: int) -> Profile:
        """Return the profile of a number of equal releases, one after another."""
        if not count:
            # Entries of multiplicity 0 are losses that never occur, and accountants expect positive
            # counts.
            return Profile()
        return Profile(
            tuple((value, often * count) for value, often in self.losses),
            tuple((value, often * count) for value, often in self.ranges),
            self.rho * count,
            self.delta * count,
            self.mu_squared * count,
        )

    @property
    def unbounded(self) -> bool:
        """Whether a part of the loss has no largest value, as for zCDP and Gaussian noise."""
        return bool(self.rho or self.mu_squared)

    @property
    def pathwise(self) -> Fraction:
        """The sum of all `losses` and `ranges`, the epsilon of basic composition."""
        return _sum(self.losses) + _sum(self.ranges)

    @property
    def concentrated(self) -> Fraction:
        """The total rho of the profile, with all losses and ranges converted to zCDP."""
        converted = sum((value**2 / 2 * often for value, often in self.losses), Fraction(0))
        return (
            self.rho
            + self.mu_squared / 2
            + converted
            + sum((value**2 / 8 * often for value, often in self.ranges), Fraction(0))
        )


def _sum(runs: Runs) -> Fraction:
    return sum((value * often for value, often in runs), Fraction(0))


def _merged(several: Iterable[Runs]) -> Runs:
    """Return the union of multisets."""
    counts: dict[Fraction, int] = {}
    for runs in several:
        for value, often in runs:
            counts[value] = counts.get(value, 0) + often
    return tuple(sorted(counts.items(), reverse=True))


def _dominating(several: Sequence[Runs]) -> Runs:
    """Return the multiset whose i-th largest element is the largest i-th largest element."""
    # Multiplicities may exceed 2^100, so the elements are not listed. All multisets are constant
    # between two ends.
    ends = {0}
    for runs in several:
        end = 0
        for _, often in runs:
            end += often
            ends.add(end)
    counts: dict[Fraction, int] = {}
    marks = sorted(ends)
    for start, stop in pairwise(marks):
        value = max(_element(runs, start) for runs in several)
        counts[value] = counts.get(value, 0) + stop - start
    return tuple(sorted(counts.items(), reverse=True))


def _element(runs: Runs, index: int) -> Fraction:
    for value, often in runs:
        if index < often:
            return value
        index -= often
    return Fraction(0)


def _runs(value: Fraction) -> Runs:
    return ((value, 1),) if value else ()


def _dominating_profile(parts: Sequence[Profile]) -> Profile:
    """Return a profile that dominates all of these."""
    return Profile(
        _dominating([part.losses for part in parts]),
        _dominating([part.ranges for part in parts]),
        max((part.rho for part in parts), default=Fraction(0)),
        max((part.delta for part in parts), default=Fraction(0)),
        max((part.mu_squared for part in parts), default=Fraction(0)),
    )
