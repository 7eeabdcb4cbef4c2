"""Isomorphic classes, equal up to the names of points and flipped labels at points.

Most dimensions do not change if the points of a class are permuted and all labels at some points
are complemented. Classes are *isomorphic* if such a map takes one class to the other. `isomorphic`
finds the map as evidence. `canonical_form` selects one class from all classes that are isomorphic
to a given class.

Concepts and classes have numbers for this purpose. Bit j of the number of a concept is its label at
the j-th point (`Table.row_bits`). Bit c of the *mask* of a class is 1 if the concept with the
number c belongs to the class. The canonical form is the class with the least mask.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from lsclasses.concept_class import ConceptClass, require_class
from lsclasses.domain import FiniteDomain
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.frozen import set_frozen_fields
from lsclasses.limits import Limit, Meter
from lsclasses.numbers import plural
from lsclasses.point_names import Label, Point, check_label
from lsclasses.searching.bitsets import members, of_members
from lsclasses.searching.search_bounds import too_deep
from lsclasses.table import Table

NAMED_POINTS = 5
"""Largest number of points of the classes with permanent names."""
POINTS_LIMIT = 62
"""Largest number of points of a class whose canonical form is searched.

The number of a concept must fit into a machine word.
"""


@dataclass(frozen=True)
class Isomorphism:
    """A map from one class to another class: a bijection of the points that may flip labels.

    Parameters
    ----------
    source, target : tuple of points
        Points of the first and of the second class. Point i of `source` is mapped to point i of
        `target`.
    flips : tuple of 0 or 1
        Entry 1 for each point at which labels are flipped, and 0 for the other points. A label y at
        ``source[i]`` becomes ``y ^ flips[i]`` at ``target[i]``.

    Raises
    ------
    InvalidInput
        If the three lengths differ, a point occurs twice, or a flip is neither 0 nor 1.

    Examples
    --------
    >>> from lsclasses import Table
    >>> move = Isomorphism(("a", "b"), ("x", "y"), (0, 1))
    >>> [c.support for c in move(Table([[1, 1], [0, 0]], domain="ba"))]
    [('x',), ('y',)]
    """

    source: tuple[Point, ...]
    target: tuple[Point, ...]
    flips: tuple[Label, ...]

    def __post_init__(self) -> None:
        source, target = FiniteDomain(self.source), FiniteDomain(self.target)
        set_frozen_fields(self, source=source.points, target=target.points)
        set_frozen_fields(self, flips=tuple(check_label(flip) for flip in self.flips))
        if not len(self.source) == len(self.target) == len(self.flips):
            raise InvalidInput(
                "An isomorphism needs one target and one flip for each point. Got "
                f"{plural(len(self.source), 'point')}, {plural(len(self.target), 'target')}, "
                f"{plural(len(self.flips), 'flip')}."
            )

    def __call__(self, C: ConceptClass) -> Table:
        """Return the image of a class. Concepts keep their names.

        Raises
        ------
        InvalidInput
            If the points of the class differ from the points of `source`.
        TooLarge
            If the class cannot be enumerated as a table.
        """
        table = C.to_table()
        if set(table.points) != set(self.source):
            raise InvalidInput(
                f"This isomorphism maps classes on {len(self.source)} points, the first of them "
                f"{self.source[0]!r}. Got one on other points."
            )
        labels = table._reordered(FiniteDomain(self.source)).labels
        flipped = labels ^ np.array(self.flips, dtype=np.uint8)
        return Table._of_distinct(
            FiniteDomain(self.target), np.packbits(flipped, axis=1), table.concept_names
        )

    def inverse(self) -> Isomorphism:
        """Return the inverse isomorphism, from the second class to the first class.

        Examples
        --------
        >>> Isomorphism(("a", "b"), ("x", "y"), (0, 1)).inverse()
        Isomorphism(source=('x', 'y'), target=('a', 'b'), flips=(0, 1))
        """
        return Isomorphism(self.target, self.source, self.flips)


def class_mask(C: ConceptClass) -> int:
    """Return the mask of a class. Bit c is 1 if the class has the concept with the number c.

    Bit j of the number of a concept is its label at the point j.

    Parameters
    ----------
    C : ConceptClass
        A class that can be enumerated as a table.

    Raises
    ------
    InvalidInput
        If the argument is not a class.
    TooLarge
        If there are more than 30 points, so that the number has more than 2^30 digits.

    Examples
    --------
    >>> from lsclasses import Table
    >>> bin(class_mask(Table([[0, 0], [1, 0], [1, 1]])))    # the concepts 0, 1 and 3
    '0b1011'
    """
    require_class(C, "class_mask()")
    table = C.to_table()
    if len(table.points) > 30:
        raise TooLarge(
            f"The mask of a class on {len(table.points)} points has 2^{len(table.points)} binary "
            "digits. The limit is 30 points.",
            estimate=len(table.points),
            limit=30,
        )
    return of_members(table.row_bits)


def class_of_mask(points: int, mask: int) -> Table:
    """Return the class with a given mask on the points 0, 1, ..., as a table.

    The concepts are in increasing order of their numbers.

    Examples
    --------
    >>> class_of_mask(2, 0b1011).labels.tolist()
    [[0, 0], [1, 0], [1, 1]]
    """
    return Table([[c >> j & 1 for j in range(points)] for c in members(mask)])


def isomorphic(
    C: ConceptClass, D: ConceptClass, *, flips: bool = True, limit: Limit | None = None
) -> Isomorphism | None:
    """Return an isomorphism from a class C to a class D, or None if no isomorphism exists.

    An isomorphism is a bijection of the points that maps the concepts of C to the concepts of D and
    may flip the labels at some points. It ignores the names of points and concepts. The search maps
    one point after another, as long as every pattern of labels on the mapped points occurs equally
    often in C and in D. If many points have similar labels, the search can take exponential time,
    so pass a limit.

    Parameters
    ----------
    C, D : ConceptClass
        Concept classes that can be enumerated as tables.
    flips : bool
        Whether labels may be flipped at points. By default they may.
    limit : Limit, optional
        Largest time and memory of the search.

    Raises
    ------
    InvalidInput
        If C or D is not a concept class.
    TooLarge
        If the limit is reached, or a class cannot be enumerated.

    Examples
    --------
    >>> from lsclasses import Table
    >>> C = Table([[0, 0, 0], [1, 0, 0], [1, 1, 0]], domain="abc")
    >>> D = Table([[0, 0, 1], [0, 1, 1], [0, 0, 0]], domain="xyz")
    >>> found = isomorphic(C, D)
    >>> found
    Isomorphism(source=('a', 'b', 'c'), target=('y', 'z', 'x'), flips=(1, 1, 0))
    >>> found(C) == D
    True
    >>> isomorphic(C, D, flips=False).flips
    (0, 0, 0)
    >>> isomorphic(C, Table([[0, 0, 0], [1, 0, 0], [0, 1, 1]])) is None
    True
    """
    for each in (C, D):
        require_class(each, "isomorphic()")
    A, B = C.to_table(), D.to_table()
    if (len(A), len(A.points)) != (len(B), len(B.points)):
        return None
    try:
        found = _MapSearch(A, B, flips, Meter(limit)).run()
    except RecursionError:
        raise too_deep() from None
    if found is None:
        return None
    return Isomorphism(
        A.points, tuple(B.points[z] for z, _ in found), tuple(flip for _, flip in found)
    )


def canonical_form(
    C: ConceptClass, *, flips: bool = True, limit: Limit | None = None
) -> tuple[Table, Isomorphism]:
    """Return the class of least mask that is isomorphic to C, and a map from C to this class.

    The function `class_mask` returns the mask of a class.

    Two classes have equal canonical forms if and only if they are isomorphic. The search is
    exhaustive except for bounds and interchangeable points, so it is intended for small tables.
    Pass a limit for other tables.

    Parameters
    ----------
    C : ConceptClass
        A class on at most 62 points that can be enumerated as a table.
    flips : bool
        Whether labels may be flipped at points. By default they may.
    limit : Limit, optional
        Time and memory that the search may use.

    Returns
    -------
    Table
        Table on the points 0, 1, ..., with the concepts in increasing order of their numbers.
    Isomorphism
        Map from C to this table.

    Raises
    ------
    InvalidInput
        If the argument is not a class.
    TooLarge
        If the limit is reached, there are too many points, or the class cannot be enumerated.

    Examples
    --------
    >>> from lsclasses import Table
    >>> C = Table([[0, 1, 1], [1, 1, 0], [1, 1, 1]], domain="abc")
    >>> canonical, found = canonical_form(C)
    >>> canonical.labels.tolist(), class_mask(canonical)
    ([[0, 0, 0], [1, 0, 0], [0, 1, 0]], 7)
    >>> found
    Isomorphism(source=('a', 'b', 'c'), target=(1, 2, 0), flips=(1, 1, 1))
    """
    require_class(C, "canonical_form()")
    table = C.to_table()
    points = len(table.points)
    if points > POINTS_LIMIT:
        raise TooLarge(
            f"Canonical forms are computed of classes on at most {POINTS_LIMIT} points. "
            f"Got {points}.",
            estimate=points,
            limit=POINTS_LIMIT,
        )
    numbers, order = _CanonicalSearch(table, flips, Meter(limit)).run()
    place = {x: points - 1 - i for i, (x, _) in enumerate(order)}
    flipped = dict(order)
    labels = np.array(
        [[number >> j & 1 for j in range(points)] for number in numbers], dtype=np.uint8
    )
    canonical = Table._of_distinct(
        FiniteDomain(range(points)), np.packbits(labels.reshape(len(numbers), points), axis=1)
    )
    return canonical, Isomorphism(
        table.points,
        tuple(place[x] for x in range(points)),
        tuple(flipped[x] for x in range(points)),
    )


def orbit_name(points: int, mask: int) -> str:
    """Return the name of an orbit: the number of points, and its least mask in hexadecimal.

    >>> orbit_name(3, 0b11011)
    '3:1b'
    """
    return f"{points}:{mask:x}"


def name_in_atlas(C: ConceptClass, *, limit: Limit | None = None) -> str | None:
    """Return the permanent name of a class up to isomorphism, or None for an unnamed class.

    Two classes have the same name if and only if they are isomorphic. The name consists of the
    number of points and, in hexadecimal digits, the least mask (`class_mask`) of all classes
    isomorphic to C. So every version and every machine gives the same name. Non-empty classes on at
    most `NAMED_POINTS` points have a name.

    Parameters
    ----------
    C : ConceptClass
    limit : Limit, optional
        Time and memory that the search for the least mask may use.

    Raises
    ------
    InvalidInput
        If the argument is not a class.
    TooLarge
        If the limit is reached.

    Examples
    --------
    >>> from lsclasses import Table
    >>> name_in_atlas(Table([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 0, 1]]))
    '3:1b'
    >>> name_in_atlas(Table([[1, 0, 0], [1, 0, 1], [1, 1, 1], [0, 0, 0]], domain="abc"))
    '3:1b'
    >>> name_in_atlas(Table([[0] * 6])) is None
    True
    """
    require_class(C, "name_in_atlas()")
    size = C.domain.size
    if size is None or not 1 <= size <= NAMED_POINTS or C.is_empty:
        return None
    return orbit_name(size, class_mask(canonical_form(C, limit=limit)[0]))


class _Interchange:
    """The pairs of points of a table that can be interchanged, on demand.

    Interchanging x and z with flip a exchanges the labels of x and z, and flips them if a is 1.
    With x = z and a = 1 this flips the labels of x.
    """

    def __init__(self, table: Table) -> None:
        self._rows = frozenset(table.row_bits)
        self._known: dict[tuple[int, int, int], bool] = {}

    def leaves_class(self, x: int, z: int, a: Label) -> bool:
        """Return whether the interchange takes the class to itself."""
        x, z = min(x, z), max(x, z)
        if (x, z, a) not in self._known:
            both = 1 << x | 1 << z
            self._known[x, z, a] = all(
                row ^ both * (row >> x & 1 ^ row >> z & 1) ^ both * a in self._rows
                for row in self._rows
            )
        return self._known[x, z, a]

    def covers(self, tried: list[tuple[int, Label]], x: int, flip: Label) -> bool:
        """Return whether an interchange maps a tried choice (point, flip) to the given choice."""
        return any(
            (z, other) == (x, flip) or self.leaves_class(x, z, flip ^ other) for z, other in tried
        )


class _MapSearch:
    """Backtracking over the points of A, with the image and the flip of each point."""

    def __init__(self, A: Table, B: Table, flips: bool, meter: Meter) -> None:
        self._meter = meter
        self._flips = (0, 1) if flips else (0,)
        self._columns = A.labels.T.astype(np.int64), B.labels.T.astype(np.int64)
        profiles = [_profiles(columns, flips) for columns in self._columns]
        kinds = np.unique(np.concatenate(profiles), axis=0, return_inverse=True)[1].reshape(2, -1)
        self._kinds = kinds
        sizes = np.bincount(kinds[0], minlength=int(kinds.max()) + 1)
        self._order = np.argsort(sizes[kinds[0]], kind="stable").tolist()
        self._interchange = _Interchange(B)
        self._chosen: dict[int, tuple[int, Label]] = {}

    def run(self) -> list[tuple[int, Label]] | None:
        """Return the image in B and the flip for each point of A."""
        if not np.array_equal(*np.sort(self._kinds, axis=1)):
            return None
        start = np.zeros(self._columns[0].shape[1], dtype=np.int64)
        if not self._extend(start, start):
            return None
        return [self._chosen[x] for x in range(len(self._order))]

    def _extend(self, left: np.ndarray, right: np.ndarray) -> bool:
        """Map the remaining points. Equal numbers in `left` and `right` are equal patterns."""
        self._meter.tick()
        if len(self._chosen) == len(self._order):
            return True
        x = self._order[len(self._chosen)]
        used = {z for z, _ in self._chosen.values()}
        patterns = 2 * left + self._columns[0][x]
        wanted = np.sort(patterns)
        tried: list[tuple[int, Label]] = []
        for z in np.flatnonzero(self._kinds[1] == self._kinds[0][x]).tolist():
            for flip in self._flips:
                if z in used:
                    continue
                found = 2 * right + (self._columns[1][z] ^ flip)
                if not np.array_equal(np.sort(found), wanted):
                    continue
                if self._interchange.covers(tried, z, flip):
                    continue
                values = np.unique(wanted)
                self._chosen[x] = z, flip
                if self._extend(np.searchsorted(values, patterns), np.searchsorted(values, found)):
                    return True
                del self._chosen[x]
                tried.append((z, flip))
        return False


def _profiles(columns: np.ndarray, flips: bool) -> np.ndarray:
    """Return a row of invariants for each point: its labels 1, and its dependence on other points.

    The dependence of two columns is (number of common 1s) * (concepts) - (product of their 1s). Its
    absolute value does not change if one of the columns is complemented.
    """
    concepts = columns.shape[1]
    ones = columns.sum(axis=1)
    dependence = columns @ columns.T * concepts - ones[:, None] * ones[None, :]
    if flips:
        ones, dependence = np.minimum(ones, concepts - ones), np.abs(dependence)
    return np.column_stack([ones, np.sort(dependence, axis=1)])


class _CanonicalSearch:
    """Branch and bound over the point, and its flip, for the highest bit, then for the next bit.

    Masks are compared by their largest concept first, then by the next largest concept. After the
    points of some bits are chosen, concepts with equal high bits form cells. The s concepts of a
    cell have different lower bits, so these are at least 0, ..., s - 1. This gives a lower bound on
    the mask.
    """

    def __init__(self, table: Table, flips: bool, meter: Meter) -> None:
        self._columns = table.labels.T.astype(np.int64)
        self._flips = (0, 1) if flips else (0,)
        self._interchange = _Interchange(table)
        self._meter = meter
        self._chosen: list[tuple[int, Label]] = []
        self._best: tuple[list[int], list[tuple[int, Label]]] | None = None

    def run(self) -> tuple[list[int], list[tuple[int, Label]]]:
        """Return the numbers of the concepts, and the points with flips from the highest bit on."""
        points, concepts = self._columns.shape
        self._extend(np.zeros(concepts, dtype=np.int64), list(range(points)))
        assert self._best is not None
        numbers, order = self._best
        return numbers[::-1], order

    def _extend(self, codes: np.ndarray, left: list[int]) -> None:
        self._meter.tick()
        if not left:
            self._best = np.sort(codes)[::-1].tolist(), list(self._chosen)
            return
        for least, further, x, flip in sorted(self._steps(codes, left), key=lambda step: step[0]):
            if self._best is not None and least >= self._best[0]:
                return
            self._chosen.append((x, flip))
            self._extend(further, [z for z in left if z != x])
            self._chosen.pop()

    def _steps(
        self, codes: np.ndarray, left: list[int]
    ) -> Iterator[tuple[list[int], np.ndarray, int, Label]]:
        """Yield the choices for the next bit, with the least possible numbers and the codes.

        One of several choices that an interchange of points exchanges is sufficient.
        """
        tried: list[tuple[int, Label]] = []
        places = np.arange(len(codes))
        for x in left:
            for flip in self._flips:
                if self._interchange.covers(tried, x, flip):
                    continue
                tried.append((x, flip))
                further = 2 * codes + (self._columns[x] ^ flip)
                cells = np.sort(further)
                below = places - np.searchsorted(cells, cells)
                least = (cells << (len(left) - 1)) + below
                yield least[::-1].tolist(), further, x, flip
