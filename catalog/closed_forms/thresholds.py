"""Thresholds on a range of integers of any size, or on all integers from some point on.

A version space is a range of starts: the concept of start i labels x with 1 iff x >= i. An example
cuts the range; how deep a tree it shatters depends on its length alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

import numpy as np

from catalog.closed_forms.by_formula import ByFormula
from catalog.closed_forms.steps import Steps
from catalog.closed_forms.trees import grow_tree
from lsclasses.domain import IntegerRange, OnDomain
from lsclasses.errors import InfiniteDimension, InvalidInput, TooLarge
from lsclasses.hypothesis import Hypothesis
from lsclasses.packing import require_memory
from lsclasses.points import Label, Point
from lsclasses.sampling import spread, uniform_below
from lsclasses.table import Table

INFINITE: Final = frozenset({"ldim", "dual_ldim", "threshold_dim", "randomized_ldim"})
"""Dimensions that infinitely many thresholds make infinite."""


class ThresholdClass(OnDomain[IntegerRange], ByFormula):
    """The concepts that are 1 from a start on, for a range of starts.

    Parameters
    ----------
    domain : IntegerRange
    first : int
        The least start. The first point of the domain, or less, gives the constant 1.
    last : int, optional
        The largest start; one past the last point gives the constant 0. On an infinite domain it
        may be omitted: there is no largest.
    zeros : bool
        Whether the constant 0 belongs to a class without largest start.

    Notes
    -----
    Ldim is floor(log2 m) for m starts (Littlestone 1988), and infinite for infinitely many. The
    SOA's rule is a threshold itself. With infinitely many starts it predicts 0 everywhere, since
    the label 1 leaves finitely many.

    Examples
    --------
    >>> C = ThresholdClass(IntegerRange(0, 2**64 - 1), 0, 2**64 - 1)
    >>> C.ldim(), C.restrict(2**63 - 1, 1).ldim(), C.soa()(2**63 - 1), C.soa()(2**63)
    (64, 63, 0, 1)
    """

    __slots__ = ("_domain", "first", "last", "zeros")

    def __init__(
        self, domain: IntegerRange, first: int, last: int | None = None, *, zeros: bool = False
    ) -> None:
        if last is None and domain.stop is not None:
            raise InvalidInput(
                "Thresholds on a finite domain need a largest start, at most "
                f"{domain.stop}, which gives the constant 0. Got none."
            )
        self._domain = domain
        self.first = max(first, domain.start)
        self.last = last if last is None or domain.stop is None else min(last, domain.stop)
        if self.last is not None and self.first > self.last:
            self.first, self.last = domain.start + 1, domain.start
        self.zeros = zeros and last is None

    @property
    def _state(self) -> tuple[int, int | None, bool]:
        return self.first, self.last, self.zeros

    def _is_empty(self) -> bool:
        return self.last is not None and self.first > self.last

    def _size(self) -> int | None:
        return None if self.last is None else self.last - self.first + 1

    def _leaving(self) -> Iterator[tuple[Point, Label]]:
        if self.first > self._domain.start:
            yield self.first - 1, 0
        if self.last is not None and self.last in self._domain:
            yield self.last, 1

    def _restrict(self, x: Point, y: Label) -> ThresholdClass:
        assert isinstance(x, int)
        if y:
            if self.last is not None and self.last <= x:
                return self
            return ThresholdClass(self._domain, self.first, x)
        if x < self.first:
            return self
        return ThresholdClass(self._domain, x + 1, self.last, zeros=self.zeros)

    def __repr__(self) -> str:
        size, start, stop = self._domain.size, self._domain.start, self._domain.stop
        points = f"{size} points" if start == 0 else f"{start}, ..., {(stop or 0) - 1}"
        if stop is None:
            points = f"{start}, {start + 1}, ..."
        if self._is_empty():
            return f"<Thresholds on {points}: none left>"
        if self.last is None:
            also = " or never" if self.zeros else ""
            return f"<Thresholds on {points}: start {self.first} or later{also}>"
        return f"<Thresholds on {points}: start {self.first} to {self.last}>"

    # ---- dimensions

    def _has_proper_soa(self) -> bool:
        # With the point, what the label 1 leaves grows and what 0 leaves shrinks; below the first
        # start only 0 is possible, from the last one on only 1. So the rule's start is in between.
        return self.last is not None

    def _formula(self, dimension: str) -> int | Fraction | None:
        m = self._size()
        if m is None and dimension in INFINITE:
            raise InfiniteDimension(f"The dimension {dimension!r} of {self!r} is infinite.")
        if m is None and "teaching" in dimension:
            return None
        constants = (self.first > self._domain.start) + self._is_one_somewhere()
        most = 2 if m is None else m - 1
        match dimension:
            case "ldim":
                return _floor_log2(m)
            case "vcdim" | "recursive_teaching_dim":
                return min(1, most)
            case "star_number" | "teaching_dim":
                return min(2, most)
            case "hollow_star_number":
                # Two labels 1, 0 in this order, or one that contradicts a constant point.
                return 2 if most >= 2 else min(1, constants)
            case "dual_ldim":
                return _floor_log2(most + constants)
            case "dual_vcdim":
                return min(1, most + constants - 1)
            case "threshold_dim":
                return most + self._is_one_somewhere()
            case "randomized_ldim":
                # Filmus, Hanneke, Mehalel and Moran 2023: between powers of two it is linear in m.
                depth = _floor_log2(m)
                return Fraction(depth, 2) + Fraction(most + 1 - 2**depth, 2 ** (depth + 1))
            case _:
                return None

    def _is_one_somewhere(self) -> bool:
        """Whether all concepts are 1 at some point."""
        stop = self._domain.stop
        return self.last is not None and (stop is None or self.last < stop)

    def _ldim_after_one(self) -> int | None:
        # The last point is 1 in all concepts but the constant 0.
        if self._is_one_somewhere():
            return self.ldim()
        return None if self.last is None else _floor_log2(self.last - self.first)

    # ---- the Standard Optimal Algorithm

    def _soa(self) -> Steps:
        m = self._size()
        if m is None or m == 0:
            return Steps(self._domain, 0, ())
        return Steps(self._domain, 0, (self.first - 1 + least_majority(m),))

    def _soa_label(self, x: Point) -> Label:
        return self._soa()._label(x)

    def _shattered_tree(self) -> tuple[Point, ...]:
        return grow_tree(self, lambda left, d: left.first - 1 + 2 ** (d - 1))

    def _part_of_depth(self, depth: int) -> ThresholdClass:
        # The first 2^depth starts.
        return ThresholdClass(self._domain, self.first, self.first + 2**depth - 1)

    def _splitting_point(self) -> Point:
        return self.first - 1 + (1 << self.ldim() - 1)

    # ---- enumeration and sampling

    def _to_table(self) -> Table:
        m = self._size()
        start, stop = self._domain.start, self._domain.stop
        if m is None or stop is None:
            raise TooLarge(f"{self!r} is infinite and cannot be written out as a table.")
        require_memory(max(m, 1), stop - start, repr(self))
        starts = range(self.first, self.first + m)
        labels = np.arange(start, stop)[None, :] >= np.array(starts)[:, None]
        return Table(labels, domain=range(start, stop), concepts=starts)

    def _sample(self, rng: np.random.Generator) -> Steps:
        """A uniform concept; without largest start, one that exceeds the least by `spread`."""
        m = self._size()
        later = spread(rng) if m is None else uniform_below(rng, m)
        return Steps(self._domain, 0, (self.first + later,))

    def _sample_point(self, rng: np.random.Generator, target: Hypothesis) -> int:
        """Half the time uniform, half the time near the start of the target, at every scale."""
        return point_near_change(self._domain, rng, target)


def least_majority(m: int) -> int:
    """The least a with floor(log2 a) > floor(log2(m - a)), where log2 of 0 counts as -1; m >= 1.

    So of m thresholds, the SOA predicts 1 once at least that many are 1.

    Examples
    --------
    >>> [least_majority(m) for m in range(1, 9)]
    [1, 2, 2, 3, 4, 4, 4, 5]
    """
    if m == 1:
        return 1
    # With 2^d <= m < 2^(d+1), either a has as many digits as m, or one less and m - a two less.
    d = _floor_log2(m)
    return min(1 << d, m + 1 - (1 << d - 1))


def point_near_change(domain: IntegerRange, rng: np.random.Generator, target: Hypothesis) -> int:
    """A random point for a stream: uniform, or near a place where the target changes its label.

    On an infinite domain `spread` takes the place of the uniform law.
    """
    changes = target.changes if isinstance(target, Steps) else ()
    if changes and rng.integers(2):
        change = changes[int(rng.integers(len(changes)))]
        x = change + spread(rng) if rng.integers(2) else change - 1 - spread(rng)
        if x in domain:
            return x
    if domain.stop is None:
        return domain.start + spread(rng)
    return domain.start + uniform_below(rng, domain.stop - domain.start)


def _floor_log2(m: int | None) -> int:
    assert m is not None
    return m.bit_length() - 1
