"""Numbers of queries, and of mistakes in the best, the worst and a self-directed order."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar

from lsclasses.dimensions.base import dimension
from lsclasses.limits import Limit, Meter, Progress
from lsclasses.searching.bitsets import members
from lsclasses.searching.search_bounds import Bounds

if TYPE_CHECKING:
    from lsclasses.table import Table


ENTRY_BYTES = 200
"""Bytes that what is known of a version space takes beside the space itself, about."""


class QueryGame(ABC):
    """A game of identification: its least worst-case cost until one concept is left.

    Costs are tried from a lower bound upwards, each by a search that splits version spaces: sets of
    concepts, as bits of integers. Equal, complementary and constant columns are left out but for
    one: they tell nothing new, and cost nothing.

    Parameters
    ----------
    table : Table
        Not empty.
    meter : Meter
        Ticks on every version space.
    """

    what: ClassVar[str]
    """The name of the quantity, for messages."""

    def __init__(self, table: Table, meter: Meter) -> None:
        self.everything = (1 << len(table)) - 1
        self.columns = distinct_columns(table)
        self._meter = meter
        self._known: dict[int, tuple[int, int]] = {}

    def value(self, progress: Progress | None) -> int:
        """Return the least cost with which the class is identified."""
        lower, upper = self.bounds()
        with Bounds(self.what, lower, upper, progress) as bounds:
            while not bounds.decided:
                if self.is_solved(self.everything, bounds.lower):
                    bounds.at_most(bounds.lower)
                else:
                    bounds.at_least(bounds.lower + 1)
        return bounds.lower

    def bounds(self) -> tuple[int, int]:
        """Bounds on the cost that need no search; each split leaves at least one concept less."""
        concepts = self.everything.bit_length()
        return int(concepts > 1), concepts - 1

    def is_solved(self, space: int, price: int) -> bool:
        """Return whether a version space is reduced to one concept at that cost."""
        if not space & (space - 1):
            return True
        if price <= 0:
            return False
        below, enough = self._known.get(space, (0, self.everything.bit_length()))
        if price <= below or price >= enough:
            return price >= enough
        self._meter.tick()
        solved = self._is_solved(space, price)
        if space not in self._known:
            self._meter.charge(ENTRY_BYTES + space.bit_length() // 8)
        below, enough = self._known.get(space, (0, self.everything.bit_length()))
        self._known[space] = (below, price) if solved else (price, enough)
        return solved

    @abstractmethod
    def _is_solved(self, space: int, price: int) -> bool:
        """As `is_solved`, for at least two concepts and a positive cost that is not decided yet."""

    def splits(self, space: int) -> Iterator[tuple[int, int]]:
        """Yield the concepts with label 0 and with label 1, for each column that has both."""
        for column in self.columns:
            self._meter.tick()
            ones = space & column
            if ones and ones != space:
                yield space ^ ones, ones


def distinct_columns(table: Table) -> list[int]:
    """The columns that are not constant, as sets of concepts, one of those that split the same."""
    everything = (1 << len(table)) - 1
    oriented = (everything ^ column if column & 1 else column for column in table.column_bits)
    return list(dict.fromkeys(column for column in oriented if column))


# ---- membership queries


class _Membership(QueryGame):
    what = "the number of membership queries"

    def bounds(self) -> tuple[int, int]:
        concepts = self.everything.bit_length()
        return (concepts - 1).bit_length(), min(concepts - 1, len(self.columns))

    def _is_solved(self, space: int, price: int) -> bool:
        if space.bit_count() > 1 << price:
            return False
        most = 1 << (price - 1)
        pairs = [pair for pair in self.splits(space) if max(map(int.bit_count, pair)) <= most]
        pairs.sort(key=lambda pair: max(map(int.bit_count, pair)))
        return any(all(self.is_solved(side, price - 1) for side in pair) for pair in pairs)


@dimension(
    "membership query complexity",
    symbol="Q_m",
    definition="The least number of membership queries, which ask for the label of a point, that "
    "identify every concept.",
    reference="Angluin 1988",
    of_empty=-1,
    meaning="How deep a decision tree has to be that tells all concepts apart.",
)
def membership_queries(
    table: Table, *, limit: Limit | None = None, progress: Progress | None = None
) -> int:
    """The least number of points whose labels, asked one after the other, identify any concept.

    It is the least depth of a decision tree with one concept at each leaf. -1 for the empty class,
    which has no concept to identify.

    Examples
    --------
    Points are found among n by asking for all but one of them, thresholds by bisection.

    >>> import catalog
    >>> membership_queries(catalog.build("points:n=6").to_table())
    5
    >>> membership_queries(catalog.build("thresholds:n=7").to_table())
    3
    """
    return -1 if table.is_empty else _Membership(table, Meter(limit)).value(progress)


# ---- equivalence queries


@dimension(
    "equivalence query complexity",
    symbol="Q_eq",
    definition="The least number of equivalence queries, which propose a labelling of all points "
    "and are answered by a point where it is wrong, that identify every concept; any labelling "
    "may be proposed, and none has to be confirmed.",
    reference="Angluin 1988; Littlestone 1988",
    of_empty=-1,
    meaning="It is the Littlestone dimension: a mistake is a counterexample.",
)
def equivalence_queries(
    table: Table, *, limit: Limit | None = None, progress: Progress | None = None
) -> int:
    """The least number of equivalence queries, with any labelling as the hypothesis.

    This is the Littlestone dimension. The SOA's hypotheses lose one level of the dimension with
    every counterexample, and at dimension 0 one concept is left; conversely, an oracle whose
    counterexamples follow a shattered tree, each time to the side that the hypothesis denies, is
    asked as often as the tree is deep. -1 for the empty class.

    Examples
    --------
    >>> import catalog
    >>> equivalence_queries(catalog.build("points:n=6").to_table())
    1
    """
    return table._ldim(limit, progress)


class _Proper(QueryGame):
    what = "the number of proper equivalence queries"

    def _is_solved(self, space: int, price: int) -> bool:
        # A hypothesis that an earlier answer denies is denied once more in the same way, which
        # tells nothing: only concepts that are left are worth proposing.
        good = space
        for zeros, ones in self.splits(space):
            if not self.is_solved(zeros, price - 1):
                good &= zeros
            if good and not self.is_solved(ones, price - 1):
                good &= ones
            if not good:
                return False
        return True


@dimension(
    "proper equivalence query complexity",
    symbol="Q_peq",
    definition="The least number of equivalence queries that identify every concept if only "
    "concepts of the class may be proposed; none has to be confirmed.",
    reference="Angluin 1988",
    of_empty=-1,
    meaning="What it costs to learn from counterexamples with hypotheses of the class only.",
)
def proper_equivalence_queries(
    table: Table, *, limit: Limit | None = None, progress: Progress | None = None
) -> int:
    """The least number of equivalence queries whose hypotheses are concepts of the class.

    -1 for the empty class.

    Examples
    --------
    A point that is denied is denied where it lies, unless the empty set can be proposed.

    >>> import catalog
    >>> proper_equivalence_queries(catalog.build("points:n=6").to_table())
    5
    >>> proper_equivalence_queries(catalog.build("points:n=6,empty=1").to_table())
    1
    """
    return -1 if table.is_empty else _Proper(table, Meter(limit)).value(progress)


class _Partial(QueryGame):
    what = "the number of partial equivalence queries"

    def bounds(self) -> tuple[int, int]:
        # Labellings of all points are among the queries, and Ldim of them suffice.
        concepts = self.everything.bit_length()
        return int(concepts > 1), concepts.bit_length() - 1

    def _is_solved(self, space: int, price: int) -> bool:
        # Every label that may be claimed is: more claims leave less if they are all right.
        right = space
        for zeros, ones in self.splits(space):
            claims_one = self.is_solved(zeros, price - 1)
            if claims_one and self.is_solved(ones, price - 1):
                return True
            if claims_one:
                right &= ones
            elif self.is_solved(ones, price - 1):
                right &= zeros
        return right != space and self.is_solved(right, price - 1)


@dimension(
    "partial equivalence query complexity",
    symbol="Q_par",
    definition="The least number of partial equivalence queries, which propose a labelling of "
    "some points and are answered by yes or by a point where it is wrong, that identify every "
    "concept.",
    reference="Maass and Turán 1992",
    of_empty=-1,
    meaning="The most informative of these queries: membership queries and equivalence queries "
    "are special ones.",
)
def partial_equivalence_queries(
    table: Table, *, limit: Limit | None = None, progress: Progress | None = None
) -> int:
    """The least number of partial equivalence queries that identify any concept.

    -1 for the empty class.

    Examples
    --------
    Half of the points are claimed to be 0, then half of the rest: one of the thresholds between two
    counterexamples is found by asking for points, as many as the dimension is.

    >>> import catalog
    >>> C = catalog.build("thresholds:n=7").to_table()
    >>> partial_equivalence_queries(C), C.ldim()
    (2, 3)
    """
    return -1 if table.is_empty else _Partial(table, Meter(limit)).value(progress)


# ---- mistakes in an order of the points


class _SelfDirected(QueryGame):
    what = "the self-directed learning complexity"

    def bounds(self) -> tuple[int, int]:
        # At most Ldim, as in any order.
        concepts = self.everything.bit_length()
        return int(concepts > 1), concepts.bit_length() - 1

    def _is_solved(self, space: int, price: int) -> bool:
        # The label of the smaller side is the mistake that is tried first.
        for pair in sorted(self.splits(space), key=lambda pair: min(map(int.bit_count, pair))):
            for mistake, right in sorted(
                (pair, pair[::-1]), key=lambda sides: sides[0].bit_count()
            ):
                if self.is_solved(mistake, price - 1) and self.is_solved(right, price):
                    return True
        return False


@dimension(
    "self-directed learning complexity",
    symbol="M_sd",
    definition="The least number of mistakes of a learner that chooses the next point in every "
    "round, predicts its label and then sees it, until all points are labelled.",
    reference="Goldman and Sloan 1994; Ben-David, Kushilevitz and Mansour 1997",
    of_empty=-1,
    meaning="How much easier on-line learning becomes if the learner decides what comes next.",
)
def self_directed_mistakes(
    table: Table, *, limit: Limit | None = None, progress: Progress | None = None
) -> int:
    """The least number of mistakes of a learner that chooses the next point every time.

    -1 for the empty class.

    Examples
    --------
    Thresholds are learned from right to left, predicting 1 until the first mistake.

    >>> import catalog
    >>> self_directed_mistakes(catalog.build("thresholds:n=7").to_table())
    1
    """
    return -1 if table.is_empty else _SelfDirected(table, Meter(limit)).value(progress)


@dimension(
    "mistakes in the best order",
    symbol="M_best",
    definition="The least number of mistakes of a learner that predicts the labels of all points "
    "in an order known beforehand, seeing each label after its prediction, for the best order.",
    reference="Ben-David, Kushilevitz and Mansour 1997",
    of_empty=-1,
    meaning="How much a teacher helps who may only put the points in order, once and for all.",
)
def best_order_mistakes(
    table: Table, *, limit: Limit | None = None, progress: Progress | None = None
) -> int:
    """The least number of mistakes over a known order of all points, of the best such order.

    -1 for the empty class.

    Examples
    --------
    >>> import catalog
    >>> C = catalog.build("thresholds:n=7").to_table()
    >>> best_order_mistakes(C), worst_order_mistakes(C), C.ldim()
    (1, 3, 3)
    """
    return _over_orders(table, "the mistakes in the best order", min, limit, progress)


@dimension(
    "mistakes in the worst order",
    symbol="M_worst",
    definition="The least number of mistakes of a learner that predicts the labels of all points "
    "in an order known beforehand, seeing each label after its prediction, for the worst order.",
    reference="Ben-David, Kushilevitz and Mansour 1997",
    of_empty=-1,
    meaning="What is left of the Littlestone dimension if the adversary has to announce the order.",
)
def worst_order_mistakes(
    table: Table, *, limit: Limit | None = None, progress: Progress | None = None
) -> int:
    """The least number of mistakes over a known order of all points, of the worst such order.

    -1 for the empty class.

    Examples
    --------
    An order that is known is easier than an adversary who sees the predictions.

    >>> from lsclasses import Table
    >>> words = "0000", "1000", "1100", "0010", "0110", "1110", "0001", "1001"
    >>> C = Table([[int(label) for label in word] for word in words])
    >>> worst_order_mistakes(C), C.ldim()
    (2, 3)
    """
    return _over_orders(table, "the mistakes in the worst order", max, limit, progress)


def paid(zeros: int, ones: int) -> int:
    """The cost of a learner at a point, given its cost after either label (-1 if impossible).

    It predicts the label after which it would pay more, and pays for a mistake only on the other.
    """
    return zeros + (zeros >= 0) if zeros == ones else max(zeros, ones)


Vector = tuple[int, ...]
"""The cost of an order of the last points, for each cell that the points before them make."""


def _over_orders(
    table: Table,
    what: str,
    extreme: Callable[[int, int], int],
    limit: Limit | None,
    progress: Progress | None,
) -> int:
    """The cost of the order that is extreme: the best one for `min`, the worst one for `max`."""
    if table.is_empty:
        return -1
    columns, meter = distinct_columns(table), Meter(limit)
    # At most Ldim, and more than nothing if there is something to find out.
    upper = min(len(columns), len(table).bit_length() - 1)
    with Bounds(what, int(len(table) > 1), upper, progress) as bounds:
        value = bounds.lower if bounds.decided else _best_cost(columns, len(table), extreme, meter)
        bounds.at_least(value)
        bounds.at_most(value)
    return value


def _best_cost(
    columns: Sequence[int], concepts: int, extreme: Callable[[int, int], int], meter: Meter
) -> int:
    """Return the least cost by dynamic programming over the sets of points that come last.

    The points asked before, whatever their order, divide the concepts into cells. What an order of
    the last points costs is a number for each cell; the cost with one more point before them
    follows by `paid`, which increases with both numbers. So of all orders of a set only those
    matter whose costs are not everywhere as large as those of another, or as small.
    """
    points = range(len(columns))
    everything = (1 << len(columns)) - 1
    costs: dict[int, list[Vector]] = {0: [(0,) * concepts]}
    fine = {everything: dict(_single_concepts(concepts, meter))}
    for _ in points:
        longer: dict[int, set[Vector]] = {}
        coarse: dict[int, dict[int, int]] = {}
        for last, vectors in costs.items():
            before = everything ^ last
            cells = fine[before]
            for x in members(before):
                asked = before ^ (1 << x)
                if asked not in coarse:
                    coarse[asked] = _cells(columns, asked, concepts, meter)
                halves = []
                for cell in coarse[asked]:
                    meter.tick()
                    zeros, ones = cell & ~columns[x], cell & columns[x]
                    halves.append((cells.get(zeros, -1), cells.get(ones, -1)))
                found = longer.setdefault(everything ^ asked, set())
                for vector in vectors:
                    meter.tick()
                    known = (*vector, -1)
                    found.add(tuple(paid(known[i], known[j]) for i, j in halves))
        costs = {last: _extreme(found, extreme, meter) for last, found in longer.items()}
        fine = coarse
        meter.charge(sum(8 * len(cells) * len(costs[everything ^ s]) for s, cells in fine.items()))
    ((value,),) = costs[everything]
    return value


def _single_concepts(concepts: int, meter: Meter) -> Iterator[tuple[int, int]]:
    """Yield the cells that all points make, with their numbers."""
    for c in range(concepts):
        meter.tick()
        meter.charge(c // 8)
        yield 1 << c, c


def _cells(columns: Sequence[int], asked: int, concepts: int, meter: Meter) -> dict[int, int]:
    """Return the cells that points make of the concepts, with their numbers."""
    cells = [(1 << concepts) - 1]
    for x in members(asked):
        column, whole = columns[x], cells
        cells = []
        for cell in whole:
            meter.tick()
            cells += [part for part in (cell & ~column, cell & column) if part]
    return {cell: number for number, cell in enumerate(cells)}


def _extreme(
    vectors: set[Vector], extreme: Callable[[int, int], int], meter: Meter
) -> list[Vector]:
    """Return the vectors that no other one is at least as extreme as in every entry."""
    kept: list[Vector] = []
    for vector in sorted(vectors, key=sum, reverse=extreme is max):
        meter.tick()
        if not any(tuple(map(extreme, other, vector)) == other for other in kept):
            kept.append(vector)
    return kept
