"""Shattering-extremal and maximum classes on n + 1 points, computed from the classes on n points.

Let Sh(C) be the family of all sets that a class C on n points shatters, and St(C) the family of all
sets that C shatters *strongly*. S is in St(C) if C contains a *subcube of S*: a subcube in which
exactly the points of S are free. C is *extremal* if Sh(C) has exactly |C| sets, and *maximum* of VC
dimension d if |C| is the largest size that Sauer's lemma allows. A last point x splits C into the
bottom C0, the concepts that label x with 0, and the top C1. Both are classes on the other points.
Let U be their union and I their intersection.

**Sandwich.** |St(C)| <= |C| <= |Sh(C)|. The sets of Sh(C) without x are the sets of Sh(U). The set
S + x is in Sh(C) if S is in Sh(C0) and Sh(C1), so for every S in Sh(I). Hence
|Sh(C)| >= |Sh(U)| + |Sh(I)|, which is at least |U| + |I| = |C| by induction. St(C) consists of the
sets of St(C0) and St(C1), which are in St(U), and of S + x for each S in St(I).

**C is extremal iff Sh(C) = St(C), iff |St(C)| = |C|, iff its complement is extremal.** If C is
extremal, all inequalities above are equalities. So I is extremal, and S + x in Sh(C) means S in
Sh(I). For S in Sh(C), let x be each point of S in turn, and replace C by I each time. The last
class shatters the empty set, so it has a concept, which is a subcube of S in C. So Sh(C) is within
St(C), which is within Sh(C). S is shattered by C iff the complement contains no subcube in which
exactly the other points are free, so |Sh(C)| = 2^n - |St(complement)|. So if |St(C)| = |C|, the
complement is extremal, hence has |St| = |Sh| = its size, and C is extremal.

**Facets.** C0 is extremal if C is extremal. Let S be in Sh(C0), so in Sh(C) = St(C). If C1 also
shatters S, then S + x is in Sh(C) = St(C), so S is in St(C0). If C1 does not shatter S, then S is
in St(C) but not in St(C1), so S is in St(C0). It follows that an extremal class is extremal within
every subcube. Its one-inclusion graph is connected: by induction, the graphs of C0 and C1 are
connected, and if both have concepts, then {x} is in Sh(C) = St(C), which is an edge between them.

**Extensions.** C is extremal iff U and I are extremal and no edge of the one-inclusion graph joins
C0 - I to C1 - I. By the sandwich, C is extremal iff U and I are extremal and each S in St(U) is in
St(C0) or St(C1). Suppose that no such edge exists, and let Q be a subcube of S in U. I is extremal
within Q, so Q - I is also extremal, and is connected. So Q - I is on one side, and Q is within C0
or C1. Conversely, let an edge at the point y join a concept of C0 - I to a concept of C1 - I. In
the subcube of x and y through these concepts, C has only these two concepts, which differ at both
points. Two concepts that shatter three sets contradict the last paragraph.

So the extremal classes on n + 1 points are given by two extremal classes I within U on n points,
and a side for each connected component of U - I. There are 2^components choices of sides. A maximum
class of VC dimension d shatters exactly the sets of at most d points, and it has as many concepts
as such sets exist. So U is maximum of VC dimension d, I is maximum of VC dimension d - 1, and all
such pairs give maximum classes. ([RRB14] lifts maximum classes in this way. [CCMW19] surveys
extremal classes.)
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
    """Return the maximum classes of a VC dimension, one of each orbit under permutations and flips.

    A maximum class has as many concepts as Sauer's lemma allows for its VC dimension.

    Parameters
    ----------
    points : int
        Number of points, at most 6.
    vcdim : int
        VC dimension, at most `points`.

    Examples
    --------
    Maximum classes of VC dimension 1 are trees with a point at each edge. 3 trees have 5 vertices.

    >>> [len(maximum(4, d).masks) for d in range(5)]
    [1, 3, 3, 1, 1]
    """
    if vcdim in (0, points):
        return _representatives(full(points) if vcdim else np.uint64(1), points)
    unions, parts = maximum(points - 1, min(vcdim, points - 1)), maximum(points - 1, vcdim - 1)
    return _extended(unions, _orbits(parts, points - 1), points - 1, None)


def extremal(points: int, *, progress: Progress | None = None) -> Representatives:
    """Return the non-empty extremal classes, one of each orbit under permutations and flips.

    An extremal class shatters as many sets of points as it has concepts.

    Parameters
    ----------
    points : int
        Number of points, at most 6. On 6 points, the computation takes minutes.
    progress : callable, optional
        Function that is called with the number of finished extremal classes on one point less and
        the number of these classes, both up to symmetry.

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
    """Return the number of maximum classes on named points, without enumerating them.

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
    """Return the numbers of extremal classes on named points by size, without enumerating them.

    Examples
    --------
    As many extremal classes have k concepts as lack k concepts.

    >>> extremal_counts(3)
    {1: 8, 2: 12, 3: 24, 4: 38, 5: 24, 6: 12, 7: 8, 8: 1}
    """
    unions = extremal(points - 1)
    return _counts(unions, _with_empty(unions, points - 1), points - 1)


class ExtremalPairs:
    """The extremal classes on n + 1 named points as pairs of a union and an intersection.

    The last point divides a class into two classes on n points: the concepts with label 0 there and
    the concepts with label 1 there. The pair consists of their union and their intersection.

    Parameters
    ----------
    points : int
        The number n, 1 to 5.
    progress : callable, optional
        Function that is called with the number of finished unions and the number of unions.

    Attributes
    ----------
    weights : array of int64
        Number of extremal classes on n + 1 points whose union lies in each orbit.

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

        First an orbit of unions is drawn with probability proportional to its number of classes.
        Then an intersection within the representative union U is drawn. Its probability is
        proportional to the number of ways to assign each connected component of the remaining part
        of U to the label 0 or 1 at the last point. Then a fair coin assigns each component. A
        random symmetry of the n points makes the union uniform in its orbit.

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
    """Return all classes on named points."""
    group = symmetries(points, flips=True)
    return np.unique(np.concatenate([images(of.masks, each) for each in group]))


def _with_empty(of: Representatives, points: int) -> np.ndarray:
    return np.concatenate([np.zeros(1, dtype=np.uint64), _orbits(of, points)])


def _pairs(
    unions: Representatives, parts: np.ndarray
) -> Iterator[tuple[np.uint64, int, np.ndarray]]:
    """Yield each union, the size of its orbit, and the intersections within the union."""
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
    """Return representatives of the classes on n + 1 points with such unions and intersections.

    Every class arises at each of its points. It is therefore enough to keep the classes in which no
    point has more edges of the one-inclusion graph than the new point. A flip of the new point
    exchanges the sides.
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
    """Return whether no point has more edges than the new point, with its edge per concept of I.

    An edge of I at another point is in the bottom and in the top. Any other edge of U is on one
    side.
    """
    keep = np.ones(len(parts), dtype=bool)
    for j in range(points):
        edges_of_union = _edges(np.array([union], dtype=np.uint64), j, points)
        keep &= sizes(parts) >= edges_of_union + _edges(parts, j, points)
    return keep


def _edges(words: np.ndarray, point: int, points: int) -> np.ndarray:
    """Return the numbers of edges of one-inclusion graphs at a point."""
    return sizes(words & flipped(words, point, points) & without(point, points))


def _sides(part: np.ndarray, others: np.ndarray, points: int) -> tuple[np.ndarray, np.ndarray]:
    """Return bottoms and tops for every way to side components, the first one at the bottom."""
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
