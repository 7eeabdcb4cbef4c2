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
"""Approximate number of bytes of stored bounds on a cost, without the version space."""


class QueryGame(ABC):
    """Base of games in which a player identifies a concept at the least worst-case cost.

    The search tries costs from a lower bound upwards. For each cost, a search splits version
    spaces, which are sets of concepts as bits of integers. Constant columns are left out, and only
    one of several equal or complementary columns is kept. The omitted columns give no information,
    so no player queries them.

    Parameters
    ----------
    table : Table
        Table with at least one concept.
    meter : Meter
        Meter of the time and the memory. It ticks once for every version space.
    """

    what: ClassVar[str]
    """The name of the quantity, for error messages."""

    def __init__(self, table: Table, meter: Meter) -> None:
        self.everything = (1 << len(table)) - 1
        self.columns = distinct_columns(table)
        self._meter = meter
        self._known: dict[int, tuple[int, int]] = {}

    def value(self, progress: Progress | None) -> int:
        """Return the least cost that suffices to identify every concept."""
        lower, upper = self.bounds()
        with Bounds(self.what, lower, upper, progress) as bounds:
            while not bounds.decided:
                if self.is_solved(self.everything, bounds.lower):
                    bounds.at_most(bounds.lower)
                else:
                    bounds.at_least(bounds.lower + 1)
        return bounds.lower

    def bounds(self) -> tuple[int, int]:
        """Return a lower and an upper bound on the cost, without a search.

        The upper bound holds because each split removes at least one concept.
        """
        concepts = self.everything.bit_length()
        return int(concepts > 1), concepts - 1

    def is_solved(self, space: int, price: int) -> bool:
        """Return whether a given cost suffices to reduce a version space to one concept."""
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
        """Decide `is_solved` for at least two concepts and a positive cost."""

    def splits(self, space: int) -> Iterator[tuple[int, int]]:
        """Yield both sides of a version space for each column that splits it.

        The sides are the concepts with label 0 and the concepts with label 1.
        """
        for column in self.columns:
            self._meter.tick()
            ones = space & column
            if ones and ones != space:
                yield space ^ ones, ones


def distinct_columns(table: Table) -> list[int]:
    """Return the essential columns of a table as sets of the concepts with label 1.

    Constant columns are left out. Of equal or complementary columns, only one is kept.
    """
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
    definition="The least number of membership queries that identify every concept. A membership "
    "query asks for the label of a point.",
    reference="Angluin 1988",
    of_empty=-1,
    meaning="The depth of the shallowest decision tree that distinguishes all concepts.",
)
def membership_queries(
    table: Table, *, limit: Limit | None = None, progress: Progress | None = None
) -> int:
    """The least number of points whose labels, requested one by one, identify any concept.

    It is the least depth of a decision tree with one concept at each leaf. The value is -1 for the
    empty class, which has no concept to identify.

    Examples
    --------
    One of n points is found by queries of all points except one. A threshold is found by bisection.

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
    definition="The least number of equivalence queries that identify every concept. An "
    "equivalence query proposes any labelling of all points, and the answer is a point where the "
    "labelling is wrong. A query that only confirms the last remaining concept is not counted.",
    reference="Angluin 1988; Littlestone 1988",
    of_empty=-1,
    meaning="It equals the Littlestone dimension, because a mistake is a counterexample.",
)
def equivalence_queries(
    table: Table, *, limit: Limit | None = None, progress: Progress | None = None
) -> int:
    """The least number of equivalence queries, with any labelling as the hypothesis.

    It equals the Littlestone dimension. With every counterexample, the Littlestone dimension of the
    SOA's version space decreases by at least one. At dimension 0, one concept remains. Conversely,
    an oracle can answer with counterexamples that follow a shattered tree, each time to the side
    that the hypothesis contradicts. Then the number of queries is at least the depth of the tree.
    The value is -1 for the empty class.

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
        # If a hypothesis contradicts an earlier answer, the same counterexample is possible again
        # and gives no information. So only concepts of the version space are useful hypotheses.
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
    "concepts of the class may be proposed. A query that only confirms the last remaining concept "
    "is not counted.",
    reference="Angluin 1988",
    of_empty=-1,
    meaning="The cost of learning from counterexamples with hypotheses of the class only.",
)
def proper_equivalence_queries(
    table: Table, *, limit: Limit | None = None, progress: Progress | None = None
) -> int:
    """The least number of equivalence queries whose hypotheses are concepts of the class.

    The value is -1 for the empty class.

    Examples
    --------
    A wrong proposed point can be its own counterexample, unless the empty set can be proposed.

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
        # Labellings of all points are possible queries, and Ldim of them suffice.
        concepts = self.everything.bit_length()
        return int(concepts > 1), concepts.bit_length() - 1

    def _is_solved(self, space: int, price: int) -> bool:
        # Every possible label is claimed, because more claims leave fewer concepts if all are
        # right.
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
    definition="The least number of partial equivalence queries that identify every concept. A "
    "partial equivalence query proposes labels of some points. The answer is yes if all these "
    "labels are right, or else a point where the label is wrong.",
    reference="Maass and Turán 1992",
    of_empty=-1,
    meaning="The most informative queries. Membership queries and equivalence queries are "
    "special cases.",
)
def partial_equivalence_queries(
    table: Table, *, limit: Limit | None = None, progress: Progress | None = None
) -> int:
    """The least number of partial equivalence queries that identify any concept.

    The value is -1 for the empty class.

    Examples
    --------
    A query proposes label 0 for half of the points, then for half of the remaining points.
    Membership queries find one of the thresholds between two counterexamples, with as many queries
    as the Littlestone dimension.

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
    definition="The least number of mistakes, for the worst concept, of a learner that chooses "
    "the order of the points. In every round, the learner chooses the next point, predicts its "
    "label and then observes the label, until all points are labelled.",
    reference="Goldman and Sloan 1994; Ben-David, Kushilevitz and Mansour 1997",
    of_empty=-1,
    meaning="The cost of online learning if the learner chooses the order of the points.",
)
def self_directed_mistakes(
    table: Table, *, limit: Limit | None = None, progress: Progress | None = None
) -> int:
    """The least number of mistakes of a learner that chooses the next point in every round.

    The value is -1 for the empty class.

    Examples
    --------
    The learner visits the points from right to left and predicts 1 until its first mistake.

    >>> import catalog
    >>> self_directed_mistakes(catalog.build("thresholds:n=7").to_table())
    1
    """
    return -1 if table.is_empty else _SelfDirected(table, Meter(limit)).value(progress)


@dimension(
    "mistakes in the best order",
    symbol="M_best",
    definition="For the best order of the points, the least number of mistakes, for the worst "
    "concept, of a learner that knows the order in advance. The learner predicts the label of "
    "each point and then observes the label.",
    reference="Ben-David, Kushilevitz and Mansour 1997",
    of_empty=-1,
    meaning="The cost of online learning if a teacher fixes the order of the points in advance.",
)
def best_order_mistakes(
    table: Table, *, limit: Limit | None = None, progress: Progress | None = None
) -> int:
    """The least number of mistakes over a known order of all points, for the best order.

    The value is -1 for the empty class.

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
    definition="For the worst order of the points, the least number of mistakes, for the worst "
    "concept, of a learner that knows the order in advance. The learner predicts the label of "
    "each point and then observes the label.",
    reference="Ben-David, Kushilevitz and Mansour 1997",
    of_empty=-1,
    meaning="The number of mistakes that an adversary forces if it must announce the order of "
    "the points.",
)
def worst_order_mistakes(
    table: Table, *, limit: Limit | None = None, progress: Progress | None = None
) -> int:
    """The least number of mistakes over a known order of all points, for the worst order.

    The value is -1 for the empty class.

    Examples
    --------
    A known order is easier for the learner than an adversary that observes the predictions.

    >>> from lsclasses import Table
    >>> words = "0000", "1000", "1100", "0010", "0110", "1110", "0001", "1001"
    >>> C = Table([[int(label) for label in word] for word in words])
    >>> worst_order_mistakes(C), C.ldim()
    (2, 3)
    """
    return _over_orders(table, "the mistakes in the worst order", max, limit, progress)


def paid(zeros: int, ones: int) -> int:
    """Return the number of mistakes of a learner that must next predict the label of a point.

    The arguments are the numbers of mistakes after the label 0 and after the label 1, or -1 if no
    concept has the label. The learner predicts the label with the larger number, so only the other
    label is a mistake.
    """
    return zeros + (zeros >= 0) if zeros == ones else max(zeros, ones)


Vector = tuple[int, ...]
"""Numbers of mistakes on the last points of an order, one number for each cell.

A cell is the set of concepts with equal labels at all earlier points.
"""


def _over_orders(
    table: Table,
    what: str,
    extreme: Callable[[int, int], int],
    limit: Limit | None,
    progress: Progress | None,
) -> int:
    """Return the cost of the best order for `min`, and of the worst order for `max`."""
    if table.is_empty:
        return -1
    columns, meter = distinct_columns(table), Meter(limit)
    # The cost is at most Ldim, and at least 1 if there are two concepts.
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

    The earlier points, in any order, divide the concepts into cells. An order of the last points
    has a cost for each cell. `paid` computes the cost with one more point before the order, and it
    increases with both of its arguments. So an order of a set matters only if no other order of the
    set is at least as extreme in every cell.
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
    """Yield the cells that all points form, with their numbers."""
    for c in range(concepts):
        meter.tick()
        meter.charge(c // 8)
        yield 1 << c, c


def _cells(columns: Sequence[int], asked: int, concepts: int, meter: Meter) -> dict[int, int]:
    """Return the cells that points form, with their numbers."""
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
    """Return the vectors except those for which another vector is as extreme in every entry."""
    kept: list[Vector] = []
    for vector in sorted(vectors, key=sum, reverse=extreme is max):
        meter.tick()
        if not any(tuple(map(extreme, other, vector)) == other for other in kept):
            kept.append(vector)
    return kept
