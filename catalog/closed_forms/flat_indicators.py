"""Indicators of flats: hypotheses that are 1 on a flat, compared by spans, and stacked.

A flat F of GF(q)^n is represented by the span of the vectors (1, x) of GF(q)^(n+1) for x in F. The
dimension of the flat is one less than the dimension of the span, and x is in F iff (1, x) is in the
span.
"""

from __future__ import annotations

import heapq
import itertools
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from catalog.closed_forms.exceptions import AllBut
from catalog.closed_forms.linear_algebra import Subspace, Vector, tuples, zero_subspace
from lsclasses.domain import OnDomain, Vectors
from lsclasses.errors import TooLarge
from lsclasses.hypothesis import Constant, Hypothesis, patched_in_order
from lsclasses.point_names import Label, Point
from lsclasses.random_integers import uniform_below
from lsclasses.stacks import GrowingArray, Listed, Stack, unsigned

SUPPORT_LIMIT = 1 << 12
"""Largest number of points in a set whose nearest flat is searched."""


class FlatIndicator(OnDomain[Vectors], Hypothesis):
    """The hypothesis that is 1 on a flat, or 0 everywhere.

    Parameters
    ----------
    domain : Vectors
    span : Subspace
        Span of the vectors (1, x) with x in the flat, or {0} for the empty set.

    Examples
    --------
    >>> from catalog.closed_forms.flats import Flats
    >>> C = Flats(2, 3, 1)
    >>> h = C.given([((0, 0, 0), 1), ((0, 1, 1), 1)]).soa()
    >>> h, h == C.given([((0, 1, 1), 1), ((0, 0, 0), 1)]).soa()
    (<Flat of dimension 1 in GF(2)^3>, True)
    >>> h.disagreement(C.soa())
    (0, 0, 0)
    """

    __slots__ = ("_domain", "span")

    def __init__(self, domain: Vectors, span: Subspace) -> None:
        self._domain = domain
        self.span = span

    def _label(self, x: Point) -> Label:
        return int(self.span.remainder(homogeneous(self.span, x)) is None)

    def _extension(self) -> Hashable:
        return "flat", self.span, frozenset()

    def _patched_extension(self, patches: Mapping[Point, Label]) -> tuple[Any, ...]:
        """Return the closest flat, if any is close, and where it is wrong, or else all ones.

        At most one flat differs from a set by less than an eighth of the size of the flat. For a
        second such flat, the two flats would differ in less than a fourth of the larger flat. But
        half of the larger of two flats lies outside the other flat.
        """
        changed = {homogeneous(self.span, x) for x in patches}
        if 8 * len(changed) < self._number():
            return "flat", self.span, frozenset(changed)
        ones = changed ^ set(_points(self.span))
        close = _close_flat(self.span, ones)
        if close is None:
            return "points", frozenset(ones)
        return "flat", close, frozenset(ones ^ set(_points(close)))

    def _canonical(self, patches: Mapping[Point, Label]) -> Hypothesis:
        wrong = {x: y for x, y in patches.items() if y != self._label(x)}
        if not wrong:
            return FlatIndicator(self._domain, self.span)
        kind, *_, points = extension = self._patched_extension(wrong)
        changed = sorted(self.span.entries(v)[1:] for v in points)
        if kind == "points":
            return AllBut(self._domain, 0, changed)
        flat = FlatIndicator(self._domain, extension[1])
        return patched_in_order(flat, {x: 1 - flat._label(x) for x in changed})

    def _number(self) -> int:
        """Return the number of points of the flat."""
        return int(self.span.q ** (self.span.dimension - 1)) if self.span.rows else 0

    def _disagreements(self, other: Hypothesis) -> Iterator[Point]:
        other = self._as_flat(other)
        if not isinstance(other, FlatIndicator):
            return super()._disagreements(other)
        return heapq.merge(_outside(self.span, other.span), _outside(other.span, self.span))

    def _distance(self, other: Hypothesis) -> int:
        other = self._as_flat(other)
        if not isinstance(other, FlatIndicator):
            return super()._distance(other)
        common = FlatIndicator(self._domain, _intersection(self.span, other.span))
        return self._number() + other._number() - 2 * common._number()

    def _as_flat(self, other: Hypothesis) -> Hypothesis:
        """Return the other hypothesis as a flat, where constants are the whole space or empty."""
        if not isinstance(other, Constant):
            return other
        span = zero_subspace(self.span.q, self.span.width)
        units = np.eye(self.span.width, dtype=int).tolist()
        return FlatIndicator(self._domain, span.spanned(units) if other.label else span)

    def _stack(self) -> FlatStack | Listed:
        return FlatStack(self._domain.n) if self.span.q == 2 else Listed()

    def sample_point(self, rng: np.random.Generator) -> Point:
        """Return a uniformly random point of the flat, which is not empty."""
        origin, *directions = self.span.rows
        multiples = [(uniform_below(rng, self.span.q), v) for v in directions]
        return self.span.entries(self.span.combination([(1, origin), *multiples]))[1:]

    def __repr__(self) -> str:
        space = f"GF({self.span.q})^{self._domain.n}"
        if not self.span.rows:
            return f"<No point of {space}>"
        return f"<Flat of dimension {self.span.dimension - 1} in {space}>"


class FlatStack(Stack[FlatIndicator]):
    """A stack of flats over GF(2), stored as the bases of their spans.

    One operation on arrays reduces a vector modulo all spans.

    Parameters
    ----------
    n : int
        The dimension of the space.

    Notes
    -----
    The first row of a basis is (1, x_0) with a point x_0 of the flat. The other rows are (0, v)
    with a direction v. So the directions must reduce x + x_0 to 0, which takes n bits. Flats with
    fewer directions than others are padded with zeros, which have no effect.
    """

    def __init__(self, n: int) -> None:
        self._n = n
        self._dtype = unsigned(1 << n)
        self._nonempty = GrowingArray(np.bool_)
        self._origins = GrowingArray(self._dtype)
        self._directions: list[GrowingArray] = []

    def accepts(self, h: Hypothesis) -> bool:
        """Return whether this stack can store a hypothesis, which must be a flat."""
        return isinstance(h, FlatIndicator)

    def append(self, h: FlatIndicator) -> None:
        """Put a flat on the stack."""
        rows = h.span.rows
        while len(self._directions) < len(rows) - 1:
            none = GrowingArray(self._dtype)
            none.fill(0, len(self._origins.array))
            self._directions.append(none)
        self._nonempty.append(bool(rows))
        self._origins.append(rows[0] ^ 1 << self._n if rows else 0)
        padded = itertools.chain(rows[1:], itertools.repeat(0))
        for column, row in zip(self._directions, padded, strict=False):
            column.append(row)

    def labels(self, x: Point) -> NDArray[np.bool_]:
        """Return the labels of the flats at a point."""
        vector = homogeneous(zero_subspace(2, self._n + 1), x) ^ 1 << self._n
        left = self._origins.array ^ vector
        for column in self._directions:
            # The sum is smaller iff there is a 1 at the row's pivot, its highest bit.
            np.minimum(left, left ^ column.array, out=left)
        labels: NDArray[np.bool_] = self._nonempty.array & (left == 0)
        return labels


def homogeneous(subspace: Subspace, x: Point) -> Vector:
    """Return the vector (1, x), which represents the point x in a span."""
    return subspace.vector((1, *x))  # type: ignore[misc]


def _points(flat: Subspace) -> Iterator[Vector]:
    """Return the vectors (1, x) of a flat."""
    return _translates(flat, flat.rows[0]) if flat.rows else iter(())


def _translates(flat: Subspace, origin: Vector) -> Iterator[Vector]:
    """Yield the vectors (1, x) of a flat, beginning with `origin`."""
    directions = flat.rows[1:]
    for factors in tuples(flat.q, len(directions)):
        multiples = zip(factors, directions, strict=True)
        yield flat.combination([(1, origin), *multiples])


def _outside(flat: Subspace, other: Subspace) -> Iterator[tuple[int, ...]]:
    """Yield the points of a flat that are not in the other flat, in lexicographic order.

    In reduced row echelon form, the coefficients of a point are its entries at the pivots, and the
    entries before a pivot depend on the coefficients before it. So points are in the order of
    their coefficients. The search fixes one coefficient after the other and skips branches that lie
    completely in the other flat. Every branch that it follows contains a point.
    """
    directions = flat.rows[1:]
    # Whether all directions from the i-th on are directions of the other flat.
    within = [True]
    for direction in reversed(directions):
        within.append(within[-1] and other.remainder(direction) is None)
    within.reverse()

    def walk(point: Vector, fixed: int) -> Iterator[tuple[int, ...]]:
        if within[fixed] and other.remainder(point) is None:
            return
        if fixed == len(directions):
            yield flat.entries(point)[1:]
            return
        for factor in range(flat.q):
            yield from walk(flat.combination([(1, point), (factor, directions[fixed])]), fixed + 1)

    return walk(flat.rows[0], 0) if flat.rows else iter(())


def _intersection(flat: Subspace, other: Subspace) -> Subspace:
    """Return the intersection of two flats, {0} if there is no common point.

    Along the rows (v, v) and (w, 0), for v and w in the bases, row reduction leaves (0, u) with u
    in both spans (Zassenhaus).
    """
    width = flat.width
    doubled = zero_subspace(flat.q, 2 * width)
    both = doubled.spanned(
        [*(2 * flat.entries(v) for v in flat.rows)]
        + [(*other.entries(w), *([0] * width)) for w in other.rows]
    )
    rows = [both.entries(row) for row in both.rows]
    common = zero_subspace(flat.q, width).spanned(
        [row[width:] for row in rows if not any(row[:width])]
    )
    meets = common.rows and flat.entries(common.rows[0])[0]
    return common if meets else zero_subspace(flat.q, width)


def _close_flat(space: Subspace, ones: set[Vector]) -> Subspace | None:
    """Return the flat that differs from a set of points in less than an eighth of its size, if any.

    A direction of such a flat is a difference that more than half of the points have with another
    point of the set. In the flat, more than 7/8 - 1/8 of its points have this difference with
    another point. Any other difference involves a point outside of the flat, so at most 2/8 of the
    points have this difference.
    """
    number, q = len(ones), space.q
    if not ones:
        return zero_subspace(q, space.width)
    size = 1
    while 9 * size <= 8 * number:
        size *= q
    if 8 * abs(size - number) >= size:
        return None
    if number > SUPPORT_LIMIT:
        raise TooLarge(
            f"To compare a hypothesis that was changed at many points, the {number} points where "
            f"it is 1 would have to be searched for a flat. The limit is {SUPPORT_LIMIT}.",
            estimate=number,
            limit=SUPPORT_LIMIT,
        )
    differences = Counter(
        space.combination([(1, v), (q - 1, w)]) for v, w in itertools.product(ones, repeat=2)
    )
    directions = zero_subspace(q, space.width)
    for difference, count in differences.items():
        if 2 * count > number:
            directions = directions.joined(difference)
    cosets = Counter(directions.remainder(v) for v in ones)
    # The remainder of (1, x) is scaled by its first entry, which is 1.
    flat = directions.joined(cosets.most_common(1)[0][0])
    outside = sum(flat.remainder(v) is not None for v in ones)
    points = q ** (flat.dimension - 1)
    missing = points - (number - outside)
    return flat if 8 * (outside + missing) < points else None
