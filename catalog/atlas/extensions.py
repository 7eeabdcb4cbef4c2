"""Shattering-extremal and maximum classes on n + 1 points, from those on n.

Let Sh(C) be the family of all sets that a class C on n points shatters, and St(C) that of all sets
that it shatters *strongly*: S is in St(C) if some subcube in which exactly the points of S are free
is contained in C. C is *extremal* if Sh(C) has exactly |C| sets, and *maximum* of VC dimension d if
|C| is the largest that Sauer's lemma allows. A last point x splits C into the bottom C0, the
concepts that label x with 0, and the top C1, both classes on the other points. Let U be their union
and I their intersection.

**Sandwich.** |St(C)| <= |C| <= |Sh(C)|: the sets of Sh(C) without x are those of Sh(U), and S + x
is in it if S is in Sh(C0) and Sh(C1), so for every S in Sh(I); hence |Sh(C)| >= |Sh(U)| + |Sh(I)|,
which is at least |U| + |I| = |C| by induction. And St(C) consists of St(C0), St(C1), whose sets are
in St(U), and of S + x for each S in St(I).

**C is extremal iff Sh(C) = St(C), iff |St(C)| = |C|, iff its complement is extremal.** If C is
extremal, all inequalities above are equalities. So I is extremal, and S + x in Sh(C) means S in
Sh(I). For S in Sh(C), take its points for x one after the other: what is left in the end shatters
the empty set, so it has a concept, which is a subcube of S in C. So Sh(C) is within St(C), which is
within Sh(C). S is shattered by C iff the complement contains no subcube in which exactly the other
points are free, so |Sh(C)| = 2^n - |St(complement)|. So if |St(C)| = |C|, the complement is
extremal, hence has |St| = |Sh| = its size, and C is extremal.

**Facets.** C0 is extremal if C is. Let S be in Sh(C0), so in Sh(C) = St(C). If C1 shatters S as
well, S + x is in Sh(C) = St(C), so S is in St(C0). If not, S is in St(C) without being in St(C1),
so it is in St(C0). It follows that an extremal class is extremal within every subcube, and that its
one-inclusion graph is connected: C0 and C1 are, by induction, and if both have concepts, {x} is in
Sh(C) = St(C), an edge between them.

**Extensions.** C is extremal iff U and I are, and no edge of the one-inclusion graph joins C0 - I
to C1 - I. By the sandwich C is extremal iff U and I are and each S in St(U) is in St(C0) or St(C1).
Suppose no such edge, and let Q be a subcube of S in U. I is extremal within Q, so Q - I is too and
is connected. So it is on one side, and Q is within C0 or C1. Conversely let an edge at the point y
join a concept of C0 - I to one of C1 - I. In the subcube of x and y through them C has these two
concepts only, which differ at both points: two concepts that shatter three sets, against the last
paragraph.

So the extremal classes on n + 1 points are given by two extremal classes I within U on n points,
and a side for each connected component of U - I: there are 2^components of them. In a maximum class
of VC dimension d exactly the sets of at most d points are shattered, which are as many as it has
concepts; so U is maximum of VC dimension d, and I of d - 1, and all such pairs give maximum
classes. (Maximum classes are lifted in this way in [RRB14]; extremal ones are surveyed in
[CCMW19].)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

import numpy as np

from catalog.atlas.bitmasks import (
    component_counts,
    components,
    flipped,
    full,
    least,
    sizes,
    without,
)
from catalog.atlas.orbits import Representatives, images, symmetries

Progress = Callable[[int, int], None]


@cache
def maximum(points: int, vcdim: int) -> Representatives:
    """The maximum classes of a VC dimension, one of each orbit under permutations and flips.

    Parameters
    ----------
    points : int
        At most 6.
    vcdim : int
        At most `points`.

    Examples
    --------
    Maximum classes of VC dimension 1 are trees with a point at each edge: 3 trees have 5 vertices.

    >>> [len(maximum(4, d).masks) for d in range(5)]
    [1, 3, 3, 1, 1]
    """
    if vcdim in (0, points):
        return _representatives(full(points) if vcdim else np.uint64(1), points)
    unions, parts = maximum(points - 1, min(vcdim, points - 1)), maximum(points - 1, vcdim - 1)
    return _extended(unions, _orbits(parts, points - 1), points - 1, None)


def extremal(points: int, *, progress: Progress | None = None) -> Representatives:
    """The non-empty extremal classes, one of each orbit under permutations and flips.

    Parameters
    ----------
    points : int
        At most 6; on 6 points this takes minutes.
    progress : callable, optional
        Called with how many of the extremal classes on one point less are done, and how many
        there are up to symmetry.

    Examples
    --------
    >>> [len(extremal(n).masks) for n in (1, 2, 3, 4)]
    [2, 4, 10, 46]
    """
    if points == 1:
        return Representatives(np.array([1, 3], np.uint64), np.array([2, 1]))
    unions = extremal(points - 1)
    return _extended(unions, _with_empty(unions, points - 1), points - 1, progress)


def maximum_count(points: int, vcdim: int) -> int:
    """The number of maximum classes on named points, without looking at one of them.

    Examples
    --------
    >>> [maximum_count(4, d) for d in range(5)]
    [16, 400, 400, 16, 1]
    """
    if vcdim in (0, points):
        return 1 if vcdim else 1 << points
    unions, parts = maximum(points - 1, min(vcdim, points - 1)), maximum(points - 1, vcdim - 1)
    return sum(_counts(unions, _orbits(parts, points - 1), points - 1).values())


def extremal_counts(points: int) -> dict[int, int]:
    """The numbers of extremal classes on named points by size, without looking at one of them.

    Examples
    --------
    As many have k concepts as lack k.

    >>> extremal_counts(3)
    {1: 8, 2: 12, 3: 24, 4: 38, 5: 24, 6: 12, 7: 8, 8: 1}
    """
    unions = extremal(points - 1)
    return _counts(unions, _with_empty(unions, points - 1), points - 1)


class ExtremalPairs:
    """The extremal classes on n + 1 named points as pairs of a union and an intersection.

    Parameters
    ----------
    points : int
        The number n, 1 to 5.
    progress : callable, optional
        Function that is called with the number of finished unions and the number of unions.

    Attributes
    ----------
    weights : array of int64
        Number of classes for each orbit of unions.

    Examples
    --------
    >>> int(ExtremalPairs(2).weights.sum()) == sum(extremal_counts(3).values())
    True
    """

    def __init__(self, points: int, *, progress: Progress | None = None) -> None:
        self._points = points
        self._unions = extremal(points)
        self._parts = _with_empty(self._unions, points)
        weights = []
        for done, (union, labelled, within) in enumerate(_pairs(self._unions, self._parts), 1):
            weights.append(labelled * int(self._sidings(union, within).sum()))
            if progress is not None:
                progress(done, len(self._unions.masks))
        self.weights = np.array(weights, dtype=np.int64)

    def _sidings(self, union: np.uint64, within: np.ndarray) -> np.ndarray:
        """Return the number of ways to put the components of U - I on the two sides, for each I."""
        counts = component_counts(union & ~within, self._points)
        found: np.ndarray = np.left_shift(np.int64(1), counts)
        return found

    def sample(self, number: int, rng: np.random.Generator) -> np.ndarray:
        """Draw extremal classes on n + 1 points independently and uniformly.

        A union is drawn with the number of its classes, then an intersection within it, and a side
        for each component. A random symmetry of the n points makes the union uniform in its orbit.

        Examples
        --------
        >>> masks = ExtremalPairs(2).sample(1000, np.random.default_rng(0))
        >>> len(np.unique(masks)), sum(extremal_counts(3).values())
        (127, 127)
        """
        ends = np.cumsum(self.weights)
        drawn = np.searchsorted(ends, rng.integers(0, ends[-1], number), side="right")
        found = np.zeros(number, dtype=np.uint64)
        group = symmetries(self._points, flips=True)
        for place in np.unique(drawn).tolist():
            chosen = np.flatnonzero(drawn == place)
            union = self._unions.masks[place]
            within = self._parts[(self._parts & ~union) == 0]
            sidings = np.cumsum(self._sidings(union, within))
            ranks = rng.integers(0, sidings[-1], len(chosen))
            parts = within[np.searchsorted(sidings, ranks, side="right")]
            bottom, top = parts.copy(), parts.copy()
            for component in components(union & ~parts, self._points):
                at_top = rng.integers(0, 2, len(chosen), dtype=np.uint64) * component
                top |= at_top
                bottom |= component ^ at_top
            moves = group[rng.integers(0, len(group), len(chosen))]
            for i, move in zip(chosen.tolist(), moves, strict=True):
                pair = images(np.array([bottom[0], top[0]]), move)
                bottom, top = bottom[1:], top[1:]
                found[i] = pair[1] << np.uint64(1 << self._points) | pair[0]
        return found


def _representatives(word: np.uint64, points: int) -> Representatives:
    return Representatives(*least(np.array([word], dtype=np.uint64), points))


def _orbits(of: Representatives, points: int) -> np.ndarray:
    """All classes on named points."""
    group = symmetries(points, flips=True)
    return np.unique(np.concatenate([images(of.masks, each) for each in group]))


def _with_empty(of: Representatives, points: int) -> np.ndarray:
    return np.concatenate([np.zeros(1, dtype=np.uint64), _orbits(of, points)])


def _pairs(
    unions: Representatives, parts: np.ndarray
) -> Iterator[tuple[np.uint64, int, np.ndarray]]:
    """Each union, the size of its orbit, and the parts that are within it."""
    for union, labelled in zip(unions.masks, unions.labelled.tolist(), strict=True):
        yield union, labelled, parts[(parts & ~union) == 0]


def _counts(unions: Representatives, parts: np.ndarray, points: int) -> dict[int, int]:
    found: dict[int, int] = {}
    for union, labelled, within in _pairs(unions, parts):
        kinds = (int(union).bit_count() + sizes(within)) << 8 | component_counts(
            union & ~within, points
        )
        for kind, pairs in zip(*np.unique(kinds, return_counts=True), strict=True):
            size, several = int(kind) >> 8, int(kind) & 255
            found[size] = found.get(size, 0) + (labelled * int(pairs) << several)
    return dict(sorted(found.items()))


def _extended(
    unions: Representatives, parts: np.ndarray, points: int, progress: Progress | None
) -> Representatives:
    """Representatives of the classes on one point more with such unions and intersections.

    Every class is found at each of its points, so those are enough in which no point has more
    edges of the one-inclusion graph than the new one. Flipping the new point exchanges the sides.
    """
    masks, labelled = np.zeros(0, dtype=np.uint64), np.zeros(0, dtype=np.int64)
    for done, (union, _, within) in enumerate(_pairs(unions, parts), start=1):
        found = [np.zeros(0, dtype=np.uint64)]
        chosen = within[_most_at_new(union, within, points)]
        for each in np.array_split(chosen, len(chosen) // 4096 + 1):
            bottom, top = _sides(each, union & ~each, points)
            found.append(top << np.uint64(1 << points) | bottom)
        new, orbits = least(np.concatenate(found), points + 1)
        masks, first = np.unique(np.concatenate([masks, new]), return_index=True)
        labelled = np.concatenate([labelled, orbits])[first]
        if progress is not None:
            progress(done, len(unions.masks))
    return Representatives(masks, labelled)


def _most_at_new(union: np.uint64, parts: np.ndarray, points: int) -> np.ndarray:
    """Whether no point has more edges than the new one, where there is one for each concept of I.

    An edge of I at another point is at the bottom and at the top, any other edge of U on one side.
    """
    keep = np.ones(len(parts), dtype=bool)
    for j in range(points):
        edges_of_union = _edges(np.array([union], dtype=np.uint64), j, points)
        keep &= sizes(parts) >= edges_of_union + _edges(parts, j, points)
    return keep


def _edges(words: np.ndarray, point: int, points: int) -> np.ndarray:
    """The numbers of edges of one-inclusion graphs at a point."""
    return sizes(words & flipped(words, point, points) & without(point, points))


def _sides(part: np.ndarray, others: np.ndarray, points: int) -> tuple[np.ndarray, np.ndarray]:
    """Bottom and top for every way to side components; the first one is at the bottom."""
    bottom, top, owner = part, part, np.arange(len(part))
    for number, each in enumerate(components(others, points)):
        component = each[owner]
        if number == 0:
            bottom = bottom | component
            continue
        two = component != 0
        bottom, top, owner = (
            np.concatenate([bottom | component, bottom[two]]),
            np.concatenate([top, (top | component)[two]]),
            np.concatenate([owner, owner[two]]),
        )
    return bottom, top
