"""Flats of a vector space over a prime field, in closed form: affine and linear subspaces.

`catalog.closed_forms.flat_indicators` describes the representation of a flat.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from catalog.closed_forms.by_formula import ByFormula, grow_tree, stated_value
from catalog.closed_forms.exceptions import GrowingSet
from catalog.closed_forms.flat_errors import errors_of_point_sets, errors_through
from catalog.closed_forms.flat_indicators import FlatIndicator, homogeneous
from catalog.closed_forms.linear_algebra import (
    Avoiding,
    Subspace,
    Vector,
    largest_avoiding,
    subspace_avoiding,
    zero_subspace,
)
from catalog.vector_spaces import flat_counts, flats, linear_subspaces, subspace_counts
from lsclasses.domain import OnDomain, Vectors
from lsclasses.error_histograms import ErrorHistogram, Weights, label_weights
from lsclasses.errors import TooLarge
from lsclasses.hypothesis import Hypothesis
from lsclasses.packing import require_memory
from lsclasses.point_names import Label, Point
from lsclasses.random_integers import uniform_below

if TYPE_CHECKING:
    from lsclasses.table import Table

COUNTING_LIMIT = 1 << 18
"""Largest number of steps of inclusion and exclusion that count the flats of a version space."""
REJECTIONS = 1000
"""Number of random flats with excluded points that are rejected before sampling gives up."""


class Flats(OnDomain[Vectors], ByFormula):
    r"""The flats of GF(q)^n of dimension at most k, or the flats consistent with some examples.

    Parameters
    ----------
    q : int
        Prime.
    n : int
        Dimension of the space.
    k : int
        Largest dimension of a flat, at most n.
    empty : bool
        Whether the empty set is also a concept.
    linear : bool
        Whether all flats must contain 0.

    Notes
    -----
    The version space consists of the flats of dimension at most k that contain the affine hull F of
    the points labelled 1 and none of the points labelled 0. If F is not empty, points that span the
    same flat with F are in the same flats, so one vector is kept for all of them. For a flat F of
    dimension k, no further point is possible, and no excluded points are kept. In all other cases,
    the version space determines F and the excluded points. The smallest flat is F, and a flat one
    dimension higher is missing exactly where a point is excluded. So equal version spaces have
    equal states. (The only other coincidence is that all points but one are excluded and the empty
    set is not a concept.)

    *Littlestone dimension.* Let s be the largest dimension of a flat G in the version space. If F
    is not empty, the dimension is s - dim F. Predicting 1 on the hull of the points labelled 1 so
    far errs once for every dimension by which the target exceeds F. Points of G that are affinely
    independent of F and each other are shattered, because the flats spanned by F and some of these
    points lie in G and contain no others of them. If F is empty and the empty set is a concept, the
    same argument gives s + 1, where s = -1 if only the empty set is left. If F is empty and the
    empty set is not a concept, a flat is needed that contains none of s + 1 independent points of
    G. Any other point is such a flat, and the dimension is s + 1. There is no other point only if
    q = 2, s = 1 and exactly two points are left. Then the flats {a}, {b}, {a, b} have dimension 1.
    (If one point is left, then F is that point.) The VC dimension is the same in each case, because
    the trees query the same points on all branches. `largest_avoiding` computes s.

    *The SOA* predicts 1 on F and 0 elsewhere. The label 1 at x outside F leaves dimension at most
    s - dim F - 1. The label 0 leaves at least this dimension, because the flats remain that contain
    F and all independent points of G but one (chosen such that x is not among them). If F is empty,
    the label 1 leaves at most s, and the label 0 leaves s by the same argument, unless the
    dimension after it is an exception: q = 2, k >= 1, and x and one other point are left. Then the
    SOA predicts 1 at these two points. (After label 0, two points might also be left, with
    dimension 1. But then label 1 does not leave more.)

    References
    ----------
    Helmbold, Sloan and Warmuth 1990 (closure algorithm); Bose and Burton 1966; Crapo and Rota 1970

    Examples
    --------
    >>> C = Flats(2, 64, 8)
    >>> zero, one = (0,) * 64, (1,) * 64
    >>> C.ldim(), C.restrict(zero, 1).ldim(), C.given([(zero, 1), (one, 1)]).ldim()
    (9, 8, 7)
    >>> C.given([(zero, 1), (one, 1)]).soa()(one)
    1
    """

    def __init__(
        self, q: int, n: int, k: int, *, empty: bool = False, linear: bool = False
    ) -> None:
        zero = zero_subspace(q, n + 1)
        origin = (1, *([0] * n))
        self._domain = Vectors(q, n)
        self._number = self._domain.size
        self._largest = k + 1
        self._linear = linear
        self._assign(
            zero.spanned([origin]) if linear else zero, GrowingSet(), empty=empty and not linear
        )

    def _assign(self, hull: Subspace, excluded: GrowingSet[Vector], *, empty: bool) -> None:
        self._hull = hull
        self._excluded = excluded
        self._empty = empty
        self._void = False

    def _left(self, hull: Subspace, excluded: GrowingSet[Vector], *, empty: bool = False) -> Flats:
        """Return the class of the flats that contain one flat and avoid excluded points."""
        left: Flats = Flats.__new__(Flats)
        left._domain = self._domain
        left._number = self._number
        left._largest = self._largest
        left._linear = self._linear
        left._assign(hull, excluded, empty=empty)
        return left

    def _nothing(self) -> Flats:
        nothing = self._left(zero_subspace(self._hull.q, self._hull.width), GrowingSet())
        nothing._void = True
        return nothing

    # ---- hooks

    def _is_empty(self) -> bool:
        return self._void

    def _restrict(self, x: Point, y: Label) -> Flats:
        if self._void:
            return self
        hull = self._hull
        remainder = hull.remainder(homogeneous(hull, x))
        if y:
            if remainder is None:
                return self
            if hull.dimension == self._largest or remainder in self._excluded:
                return self._nothing()
            return self._through(remainder)
        if remainder is None:
            return self._nothing()
        if (hull.rows and hull.dimension == self._largest) or remainder in self._excluded:
            return self
        excluded = self._excluded.added(remainder)
        if not hull.rows and not self._empty and len(excluded) >= self._number - 1:
            if len(excluded) == self._number:
                return self._nothing()
            last = next(self._remaining(excluded))
            return self._left(hull, excluded)._through(last)
        return self._left(hull, excluded, empty=self._empty)

    def _remaining(self, excluded: GrowingSet[Vector]) -> Iterator[Vector]:
        """Return the vectors (1, x) that are not excluded."""
        vectors = (homogeneous(self._hull, x) for x in self._domain)
        return (v for v in vectors if v not in excluded)

    def _through(self, remainder: Vector) -> Flats:
        """Return the version space if one more point, not excluded, is labelled 1."""
        hull = self._hull.extended(remainder)
        if hull.dimension == self._largest:
            return self._left(hull, GrowingSet())
        return self._left(hull, GrowingSet(hull.remainder(w) for w in self._excluded))

    @property
    def _state(self) -> Hashable:
        settings = (self._largest, self._linear, self._empty, self._void)
        return self._hull, self._excluded, settings

    def __repr__(self) -> str:
        family = "linear" if self._linear else "affine"
        text = f"<{family}:q={self._hull.q},n={self._domain.n},k={self._largest - 1}"
        if self._void:
            return text + ": nothing left>"
        if not self._linear:
            text += f",empty={int(self._empty)}"
        if self._hull.rows:
            text += f" through {[self._hull.entries(row) for row in self._hull.rows]}"
        if len(self._excluded):
            excluded = sorted(map(self._hull.entries, self._excluded))
            text += f" avoiding {excluded}" if len(excluded) <= 8 else _digest(excluded)
        return text + ">"

    def _size(self) -> int:
        if self._void:
            return 0
        hull, missing = self._hull, self._largest - self._hull.dimension
        if missing <= 1:
            # An excluded vector excludes the one flat that it spans with the hull.
            return self._containing(hull) - len(self._excluded) + self._empty
        signs: Counter[Subspace] = Counter({hull: 1})
        steps = 0
        for w in self._excluded:
            steps += len(signs)
            if steps > COUNTING_LIMIT:
                raise TooLarge(
                    f"Counting the flats that avoid {len(self._excluded)} excluded points by "
                    f"inclusion and exclusion takes more than {COUNTING_LIMIT} steps.",
                    limit=COUNTING_LIMIT,
                )
            for subspace, sign in list(signs.items()):
                joined = subspace.joined(w)
                if joined.dimension <= self._largest:
                    signs[joined] -= sign
                    if not signs[joined]:
                        del signs[joined]
        return sum(sign * self._containing(U) for U, sign in signs.items()) + self._empty

    def _counts_version_spaces(self, rows: int | None = None) -> bool:
        missing = self._largest - self._hull.dimension
        if rows is None or missing <= 1:
            return True
        # The signs after w excluded vectors belong to at most sum C(w, j) subspaces, j <= missing.
        most = rows + len(self._excluded)
        return sum(math.comb(most, j + 1) for j in range(missing + 1)) <= COUNTING_LIMIT

    def _containing(self, subspace: Subspace) -> int:
        """Return the number of flats of dimension at most k that contain a flat."""
        return sum(self._numbers(subspace))

    def _numbers(self, subspace: Subspace) -> list[int]:
        """Return the number of flats that contain a flat, by dimension, from its dimension on.

        For the zero subspace, the numbers begin with dimension 0.
        """
        q, n, k, j = self._hull.q, self._domain.n, self._largest - 1, subspace.dimension - 1
        if j < 0:
            return [q ** (n - i) * count for i, count in enumerate(subspace_counts(q, n, k))]
        return subspace_counts(q, n - j, k - j)

    def _formula(self, dimension: str) -> int | Fraction | None:
        if dimension not in ("ldim", "vcdim", "threshold_dim"):
            return self._stated(dimension)
        if dimension == "threshold_dim":
            # The points of a chain are independent, but the last point may lie in the hull.
            return self._top.dimension - max(self._hull.dimension - 1, 0)
        if self._two_points_only:
            return 1
        return self._top.dimension - self._hull.dimension

    def _stated(self, dimension: str) -> Fraction | None:
        """Return the statement of the family about the whole class, without any examples."""
        if len(self._excluded) or self._hull.dimension != self._linear:
            return None
        values = {"q": self._hull.q, "n": self._domain.n, "k": self._largest - 1}
        if self._linear:
            return stated_value("linear", dimension, **values)
        return stated_value("affine", dimension, **values, empty=int(self._empty))

    def _ldim_after_one(self) -> int:
        if self._hull.rows:
            return self.ldim()
        return -1 if self._void else self._top.dimension - 1

    @cached_property
    def _top(self) -> Avoiding:
        """Largest flat of the version space."""
        if not self._hull.rows and len(self._excluded) == self._number:
            return Avoiding(0, None, [])
        try:
            return largest_avoiding(self._hull, self._excluded, self._largest)
        except TooLarge as stopped:
            assert stopped.lower is not None and stopped.upper is not None
            raise TooLarge(
                str(stopped),
                limit=stopped.limit,
                lower=stopped.lower - self._hull.dimension,
                upper=stopped.upper - self._hull.dimension,
            ) from None

    @property
    def _two_points_only(self) -> bool:
        """Whether the class is {a}, {b}, {a, b}: too few points for the general formula."""
        return (
            self._hull.q == 2
            and not self._hull.rows
            and not self._empty
            and self._largest > 1
            and len(self._excluded) == self._number - 2
        )

    def _soa_label(self, x: Point) -> Label:
        return self._soa()._label(x)

    def _soa(self) -> FlatIndicator:
        span = self._hull
        if self._two_points_only:
            for v in self._remaining(self._excluded):
                span = span.joined(v)
        return FlatIndicator(self._domain, span)

    # ---- errors on a sample

    def _error_histogram(self, weights: Weights, rows: int) -> ErrorHistogram:
        hull = self._hull
        if self._void or (hull.rows and hull.dimension == self._largest):
            return super()._error_histogram(weights, rows)
        if not hull.rows and self._largest <= (2 if hull.q == 2 else 1):
            excluded = (hull.entries(w)[1:] for w in self._excluded)
            sizes = range(0 if self._empty else 1, self._largest + 1)
            return errors_of_point_sets(
                self._domain, sizes, excluded, weights, rows=rows, flat=self._flat_of
            )
        if hull.rows and hull.dimension == self._largest - 1:
            gains = (
                (hull.remainder(homogeneous(hull, x)), zeros, ones)
                for x, (zeros, ones) in label_weights(weights).items()
            )
            return errors_through(
                hull,
                self._excluded,
                self._size(),
                gains,
                lambda span: FlatIndicator(self._domain, span),
            )
        return self._listed_errors(weights, rows)

    def _listed_errors(self, weights: Weights, rows: int) -> ErrorHistogram:
        """Return the histogram from a list of all groups that the sample distinguishes."""
        points = min(rows, self._number)
        if not self._counts_version_spaces(points):
            power = self._largest - max(self._hull.dimension - 1, 0) - bool(self._hull.rows)
            raise TooLarge(
                f"Counting the concepts of {self!r} by their errors on {rows} rows takes up to "
                f"{points}^{power} steps, one for each subspace that sample points span. The limit "
                f"is {COUNTING_LIMIT}. For subspaces of any dimension, no polynomial algorithm is "
                "known, because a hyperplane with the fewest errors is a nearest codeword, which "
                "is NP-hard to find [BMT78]. Take fewer rows or "
                "a smaller k.",
                limit=COUNTING_LIMIT,
            )
        return super()._error_histogram(weights, rows)

    # ---- enumeration and sampling

    def _to_table(self) -> Table:
        q, n, k = self._hull.q, self._domain.n, self._largest - 1
        most = sum(subspace_counts(q, n, k)) if self._linear else flat_counts(q, n, k) + 1
        require_memory(most, q**n, repr(self))
        table = linear_subspaces(q, n, k) if self._linear else flats(q, n, k, empty=self._empty)
        if self._void:
            x = table.points[0]
            return table.restrict(x, 0).restrict(x, 1)
        return table.given(self._examples()).to_table()

    def _examples(self) -> Iterator[tuple[Point, Label]]:
        """Yield examples that lead from the whole class to this class."""
        if not self._hull.rows:
            yield from ((self._hull.entries(v)[1:], 0) for v in self._excluded)
            return
        origin = self._hull.rows[0]
        for row in self._hull.rows[1:]:
            yield self._point(origin, row), 1
        yield self._point(origin), 1
        for w in self._excluded:
            yield self._point(origin, w), 0

    def _point(self, *vectors: Vector) -> tuple[int, ...]:
        """Return the point x for which (1, x) is the sum of the vectors."""
        return self._hull.entries(self._hull.combination((1, v) for v in vectors))[1:]

    def _shattered_tree(self) -> tuple[Point, ...]:
        asked = [] if self._void else list(self._independent_points())
        depth = self.ldim()
        return grow_tree(self, lambda _, d: asked[depth - d])

    def _splitting_point(self) -> Point:
        return next(self._independent_points())

    def _independent_points(self) -> Iterator[Point]:
        """Yield points of a largest flat, affinely independent of the hull and each other."""
        if self._top.dimension == 0:
            return
        top = subspace_avoiding(self._hull, self._excluded, self._top)
        origin = (self._hull if self._hull.rows else top).rows[0]
        if not self._hull.rows:
            yield self._point(origin)
        span = self._hull if self._hull.rows else self._hull.joined(origin)
        for row in top.rows:
            remainder = span.remainder(row)
            if remainder is not None:
                span = span.extended(remainder)
                yield self._point(origin, remainder)

    def _sample(self, rng: np.random.Generator) -> FlatIndicator:
        """Return a uniformly random flat of the class."""
        numbers = self._numbers(self._hull)
        total = sum(numbers)
        for _ in range(REJECTIONS):
            index = uniform_below(rng, total + self._empty)
            if index == total:
                return FlatIndicator(self._domain, self._hull)
            steps = 0 if self._hull.rows else 1
            for number in numbers:
                if index < number:
                    break
                index -= number
                steps += 1
            flat = self._random_flat(rng, steps)
            if all(flat.remainder(w) is not None for w in self._excluded):
                return FlatIndicator(self._domain, flat)
        table = self.to_table()
        return self._flat_of(table[uniform_below(rng, len(table))].support)

    def _random_flat(self, rng: np.random.Generator, steps: int) -> Subspace:
        """Return a uniformly random flat through the hull, of a dimension larger by `steps`."""
        flat = self._hull
        while steps:
            # A random vector outside of a subspace is the next vector of a random basis.
            x = self._domain._sample(rng)
            remainder = flat.remainder(homogeneous(flat, x))
            if remainder is not None:
                flat = flat.extended(remainder)
                steps -= 1
        return flat

    def _flat_of(self, points: Iterable[Point]) -> FlatIndicator:
        """Return the smallest flat that contains the points."""
        span = zero_subspace(self._hull.q, self._hull.width)
        for x in points:
            span = span.joined(homogeneous(span, x))
        return FlatIndicator(self._domain, span)

    def _sample_point(self, rng: np.random.Generator, target: Hypothesis) -> Point:
        """Return a uniform point of the target or of the whole space, with equal probability.

        A flat of small dimension has so few points that a uniform point would almost never hit it.
        """
        if isinstance(target, FlatIndicator) and target.span.rows and rng.integers(2):
            return target.sample_point(rng)
        return self._domain.sample(rng)


def _digest(vectors: list[tuple[int, ...]]) -> str:
    """Return a short string for a long list."""
    digest = hashlib.sha256(repr(vectors).encode()).hexdigest()
    return f" avoiding {len(vectors)} vectors, sha256 {digest}"
