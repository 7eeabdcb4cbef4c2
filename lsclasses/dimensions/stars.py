"""The star number, the minimum star number and the hollow star number.

The star number is the size of the largest star whose centre is a concept. The minimum star number
is the size of the largest star around the labelling that has the smallest stars. The hollow star
number is the size of the largest minimal sample that no concept agrees with.

The hollow star number has several names. For a finite class it equals the dual Helly number and the
co-VC dimension. Both are the least k such that every non-realizable sample contains a
non-realizable sample of at most k examples. It also equals the strong consistency dimension. The
consistency dimension (or certificate size) considers only labellings of the whole domain, so it can
be smaller.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lsclasses.dimensions import definitions
from lsclasses.dimensions.base import Evidence, dimension
from lsclasses.dimensions.queries import distinct_columns
from lsclasses.errors import InvalidInput
from lsclasses.limits import Limit, Meter, Progress
from lsclasses.point_names import Label, Point
from lsclasses.searching.bitsets import members, of_members
from lsclasses.searching.search_bounds import Bounds

if TYPE_CHECKING:
    from lsclasses.table import Table


class Star(NamedTuple):
    """A star: points, a centre, and a concept for each point.

    Attributes
    ----------
    points : tuple of points x_1, ..., x_s
    centre : concept name
    concepts : tuple of concept names
        Concepts. The i-th concept differs from the centre at x_i and at no other x_j. It may differ
        at other points of the domain. Concepts without names are given by their positions in the
        table.
    """

    points: tuple[Point, ...]
    centre: Point
    concepts: tuple[Point, ...]


def star_evidence(table: Table, limit: Limit | None) -> tuple[int, dict[str, Any]]:
    """Return the star number of a table with a witness of the lower bound."""
    star = largest_star(table, limit=limit)
    return len(star.points), star._asdict()


@dimension(
    "star number",
    symbol="s",
    definition="The largest s for which points x_1, ..., x_s and concepts h_0, ..., h_s exist "
    "such that, among these points, h_i differs from h_0 exactly at x_i.",
    reference="Hanneke and Yang 2015",
    of_empty=-1,
    meaning="An active learner, which requests labels one by one, may need as many labels as the "
    "star number to detect where a concept differs. So the star number decides whether such "
    "requests save labels.",
    evidence=Evidence(
        star_evidence,
        "points, a centre and concepts, where among these points the i-th concept differs from "
        "the centre exactly at the i-th point",
        definitions.star,
    ),
)
def star_number(
    table: Table, *, limit: Limit | None = None, progress: Progress | None = None
) -> int:
    """The largest s for which a centre h_0 and concepts h_1, ..., h_s on s points form a star.

    Among the points x_1, ..., x_s, concept h_i differs from h_0 exactly at x_i. The star number is
    at least the VC dimension and determines the number of labels that active learning needs. The
    empty class has no centre h_0, so its value is -1.

    Examples
    --------
    >>> from lsclasses import Table
    >>> star_number(Table([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]))
    3
    """
    if table.is_empty:
        return -1
    return len(_StarSearch(table, Meter(limit)).run(progress).points)


def largest_star(table: Table, *, limit: Limit | None = None) -> Star:
    """Return a largest star, the witness of `star_number`.

    Raises
    ------
    InvalidInput
        If the class is empty.

    Examples
    --------
    >>> from lsclasses import Table
    >>> largest_star(Table([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], domain="abc"))
    Star(points=('a', 'b', 'c'), centre=0, concepts=(1, 2, 3))
    """
    if table.is_empty:
        raise InvalidInput("The empty class has no star, because it has no concept as a centre.")
    return _StarSearch(table, Meter(limit)).run(None)


class _StarSearch:
    """Branch and bound over the labelled samples that are stars.

    A sample is a star if some concepts agree with it (the possible centres) and, for each of its
    points, some concepts disagree only there (the rays). Every part of a star is a star, so points
    are added in the order of the domain. Each further point takes its ray from the present centres
    and leaves a centre. So r more points need more than r centres.
    """

    def __init__(self, table: Table, meter: Meter) -> None:
        self._table = table
        self._columns = table.column_bits
        self._meter = meter
        self._points: list[int] = []
        self._best: tuple[list[int], int, list[int]] = ([], 0, [])

    def run(self, progress: Progress | None) -> Star:
        """Return a largest star of a class that is not empty."""
        table = self._table
        whole = (1 << len(table)) - 1
        splitting = [j for j, column in enumerate(self._columns) if column not in (0, whole)]
        upper = min(len(splitting), len(table) - 1)
        with Bounds("the star number", 0, upper, progress) as self._bounds:
            self._extend(whole, [], splitting)
            self._bounds.at_most(self._bounds.lower)
        points, centres, rays = self._best
        first, *others = (table.concept_name(next(members(h))) for h in (centres or 1, *rays))
        return Star(tuple(table.points[j] for j in points), first, tuple(others))

    def _extend(self, centres: int, rays: list[int], candidates: list[int]) -> None:
        self._meter.tick()
        size = len(rays)
        if size > self._bounds.lower:
            self._best = (list(self._points), centres, rays)
            self._bounds.at_least(size)
        if self._bounds.decided:
            return
        more_than = self._bounds.lower - size
        alive: list[int] = []
        sides: list[tuple[int, int]] = []
        for j in candidates:
            self._meter.tick()
            column = self._columns[j]
            ones = centres & column
            zeros = centres ^ ones
            if not (ones and zeros):
                continue
            if ones.bit_count() <= more_than or not all(ray & column for ray in rays):
                ones = 0
            if zeros.bit_count() <= more_than or not all(ray & ~column for ray in rays):
                zeros = 0
            if ones or zeros:
                alive.append(j)
                sides.append((zeros, ones))
        for i, j in enumerate(alive):
            if size + len(alive) - i <= self._bounds.lower:
                return
            for label in (0, 1):
                if side := sides[i][label]:
                    column = self._columns[j] if label else ~self._columns[j]
                    self._points.append(j)
                    self._extend(
                        side, [ray & column for ray in rays] + [centres ^ side], alive[i + 1 :]
                    )
                    self._points.pop()


# ---- the least star number of a centre


CentredStar = tuple[int, tuple[int, ...]]
"""A star as sets of concepts.

The first set contains the concepts that agree with the centre on all points of the star. The other
sets contain, for each point, the concepts that disagree only at this point.
"""


@dimension(
    "minimum star number",
    symbol="s_min",
    definition="The least, over all labellings g of the points, of the size of the largest star "
    "centred at g. A set of points is a star centred at g if some concept agrees with g on the "
    "set and, for each point of the set, some concept agrees with g on all other points of the "
    "set but not at this point.",
    reference="Hanneke 2024",
    of_empty=-1,
    meaning="Some stable sample compression scheme keeps this number of points and no labels.",
)
def min_star_number(
    table: Table, *, limit: Limit | None = None, progress: Progress | None = None
) -> int:
    """The least, over all labellings g, of the size of the largest star centred at g.

    A set of points is a star centred at g if some concept agrees with g on the set and, for each
    point of the set, some concept agrees with g on all other points of the set but not at this
    point. g need not be a concept. The value is -1 for the empty class.

    Examples
    --------
    The largest star centred at the all-one labelling has one point. All five points are a star
    centred at the all-zero labelling.

    >>> import catalog
    >>> C = catalog.build("points:n=5,empty=1").to_table()
    >>> min_star_number(C), C.star_number()
    (1, 5)
    """
    if table.is_empty:
        return -1
    columns, meter = distinct_columns(table), Meter(limit)
    upper = min(len(columns), len(table) - 1)
    with Bounds("the minimum star number", int(len(table) > 1), upper, progress) as bounds:
        while not bounds.decided:
            whole: CentredStar = ((1 << len(table)) - 1, ())
            if _has_centre(columns, [whole], bounds.lower, meter):
                bounds.at_most(bounds.lower)
            else:
                bounds.at_least(bounds.lower + 1)
    return bounds.lower


def _has_centre(columns: list[int], stars: list[CentredStar], most: int, meter: Meter) -> bool:
    """Return whether the other points can be labelled so that no star exceeds `most` points.

    `stars` are all stars around the labels given so far. Parts of stars are stars, so one more
    point creates new stars only from these.
    """
    if not columns:
        return True
    column, *others = columns
    for flip in (0, -1):
        larger: list[CentredStar] = []
        agree = column ^ flip
        for centres, rays in stars:
            meter.tick()
            longer = (*(ray & agree for ray in rays), centres & ~agree)
            if centres & agree and all(longer):
                larger.append((centres & agree, longer))
                if len(longer) > most:
                    break
        else:
            if _has_centre(others, stars + larger, most, meter):
                return True
    return False


# ---- hollow stars


ONE_BY_ONE = 64
"""The largest number of concepts whose contradicting examples are counted one by one."""


def hollow_star_evidence(table: Table, limit: Limit | None) -> tuple[int, dict[str, Any]]:
    """Return the hollow star number of a table with a witness of the lower bound."""
    sample = largest_hollow_star(table, limit=limit) or ()
    return len(sample), {"sample": sample}


@dimension(
    "hollow star number",
    symbol="k_o",
    definition="The largest size of a labelled sample of distinct points that is not realizable, "
    "although every sample that differs from it in exactly one label is realizable. It is 0 if "
    "no such sample exists.",
    reference="Bousquet, Hanneke, Moran and Zhivotovskiy 2020",
    of_empty=0,
    meaning="The number of examples that a proof can need that no concept agrees with a sample. "
    "It decides whether learners that output concepts can be as good as other learners.",
    evidence=Evidence(
        hollow_star_evidence,
        "a sample that no concept agrees with, although for every sample that differs from it in "
        "one label, some concept agrees with the sample",
        definitions.hollow_star,
    ),
)
def hollow_star_number(
    table: Table, *, limit: Limit | None = None, progress: Progress | None = None
) -> int:
    """The size of the largest minimal non-realizable sample, or 0 if every sample is realizable.

    Equivalently, it is the largest k for which some labelled sample of k distinct points is not
    realizable, but every sample that differs from it in exactly one label is realizable. (If a
    sample is minimal, it becomes realizable without an example, by a concept that errs on that
    example. The converse holds, too.) Finite values characterise proper learning with optimal
    sample complexity. The empty sample is not realizable by the empty class, so its value is 0.

    References
    ----------
    Bousquet, Hanneke, Moran and Zhivotovskiy 2020 (hollow star, dual Helly number);
    Kane, Livni, Moran and Yehudayoff 2019 (co-VC dimension); Balcázar, Castro, Guijarro and
    Simon 2002 (strong consistency dimension)

    Examples
    --------
    >>> from lsclasses import Table
    >>> hollow_star_number(Table([[1, 0, 0], [0, 1, 0], [0, 0, 1]]))
    3
    """
    return len(_HollowStarSearch(table, Meter(limit)).run(progress) or ())


def largest_hollow_star(
    table: Table, *, limit: Limit | None = None
) -> tuple[tuple[Point, Label], ...] | None:
    """Return a largest minimal non-realizable sample, or None if every sample is realizable.

    Examples
    --------
    >>> from lsclasses import Table
    >>> largest_hollow_star(Table([[1, 0, 0], [0, 1, 0], [0, 0, 1]], domain="abc"))
    (('a', 0), ('b', 0), ('c', 0))
    """
    sample = _HollowStarSearch(table, Meter(limit)).run(None)
    return None if sample is None else tuple((table.points[j], y) for j, y in sample)


class _HollowStarSearch:
    """Branch and bound over minimal samples that contradict more and more concepts.

    An example (x, y) contradicts the concepts with c(x) = 1 - y. A sample is not realizable if its
    examples contradict every concept. It is minimal if each example contradicts a concept that no
    other example contradicts. So minimal non-realizable samples are minimal transversals. Murakami
    and Uno 2014 enumerate them as follows. Take a concept that is not contradicted yet and try each
    example that contradicts it. A later branch may use only those examples of that concept that
    were tried before.

    The example (j-th point, y) has the number 2 j + y.
    """

    def __init__(self, table: Table, meter: Meter) -> None:
        whole = (1 << len(table)) - 1
        self._labels = table.labels
        self._whole = whole
        self._points = len(table.points)
        self._contradicts = [
            bits for column in table.column_bits for bits in (column, whole ^ column)
        ]
        self._rows = table.row_bits
        self._label_0 = of_members(range(0, 2 * self._points, 2))
        self._against: dict[int, int] = {}
        self._meter = meter
        self._sample: list[int] = []
        self._best: list[int] | None = None

    def run(self, progress: Progress | None) -> list[tuple[int, Label]] | None:
        """Return the examples (position of the point, label) of a largest sample, or None."""
        upper = min(self._points, self._whole.bit_length())
        with Bounds("the hollow star number", 0, upper, progress) as self._bounds:
            self._extend(self._whole, [], (1 << 2 * self._points) - 1)
            self._bounds.at_most(self._bounds.lower)
        if self._best is None:
            return None
        return sorted((example >> 1, example & 1) for example in self._best)

    def _extend(self, agreeing: int, alone: list[int], allowed: int) -> None:
        """Add examples to the sample.

        `agreeing` are the concepts that the sample does not contradict. `alone` are, for each
        example, the concepts that only this example contradicts. `allowed` are the examples that
        may be added.
        """
        self._meter.tick()
        size = len(alone)
        if not agreeing:
            if self._best is None or size > len(self._best):
                self._best = list(self._sample)
                self._bounds.at_least(size)
            return
        # Every further example uses a point, and contradicts a concept that no other one
        # contradicts.
        points = ((allowed | allowed >> 1) & self._label_0).bit_count()
        if self._best is not None and size + min(agreeing.bit_count(), points) <= len(self._best):
            return
        choice = self._fewest_examples(agreeing, allowed)
        allowed &= ~choice
        for example in members(choice):
            kept = ~self._contradicts[example]
            still_alone = [concepts & kept for concepts in alone]
            if all(still_alone):
                still_alone.append(agreeing & ~kept)
                self._sample.append(example)
                self._extend(agreeing & kept, still_alone, allowed & ~(3 << (example & ~1)))
                self._sample.pop()
            allowed |= 1 << example

    def _contradicting(self, concept: int) -> int:
        """Return the examples that contradict a concept, and remember them."""
        row = self._rows[concept]
        examples = of_members(2 * j + 1 - (row >> j & 1) for j in range(self._points))
        self._against[concept] = examples
        return examples

    @cached_property
    def _words_against(self) -> np.ndarray:
        """The examples that contradict each concept, as bits of words."""
        examples = np.stack([self._labels, 1 - self._labels], axis=2).reshape(len(self._labels), -1)
        packed = np.packbits(examples, axis=1, bitorder="little")
        self._meter.charge(packed.nbytes)
        padded = np.pad(packed, ((0, 0), (0, -packed.shape[1] % 8)))
        return np.ascontiguousarray(padded).view(np.uint64)

    def _fewest_examples(self, agreeing: int, allowed: int) -> int:
        """Return the allowed examples against a concept that fewest allowed examples contradict."""
        if agreeing.bit_count() > ONE_BY_ONE:
            against = self._words_against
            size = -(-len(against) // 8)
            bits = np.frombuffer(agreeing.to_bytes(size, "little"), dtype=np.uint8)
            concepts = np.flatnonzero(np.unpackbits(bits, bitorder="little"))
            words = np.frombuffer(allowed.to_bytes(8 * against.shape[1], "little"), dtype=np.uint64)
            examples = against[concepts] & words
            counts = np.bitwise_count(examples).sum(axis=1, dtype=np.int64)
            return int.from_bytes(examples[int(counts.argmin())].tobytes(), "little")
        fewest, least = 0, 2 * self._points + 1
        for concept in members(agreeing):
            examples_against = self._against.get(concept)
            if examples_against is None:
                self._meter.tick()
                examples_against = self._contradicting(concept)
            examples_against &= allowed
            count = examples_against.bit_count()
            if count < least:
                fewest, least = examples_against, count
                if count <= 1:
                    break
        return fewest
