"""How many mistakes a learner makes that knows or chooses the order of the points.

All points are asked, each once, and the learner predicts their labels before it sees them. Who
chooses the order makes the difference (Ben-David, Kushilevitz and Mansour 1997):

* the *self-directed* learner chooses the next point when it has seen the labels of the others;
* in the *best order* a helpful teacher, in the *worst order* an adversary, chooses the order of all
  points beforehand; the learner knows it.

The on-line learner, who is asked one point after the other by an adversary, makes as many mistakes
as the Littlestone dimension says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from lsclasses.dimensions.base import dimension
from lsclasses.dimensions.queries import QueryGame, distinct_columns
from lsclasses.limits import Limit, Meter, Progress
from lsclasses.searching.bitsets import members
from lsclasses.searching.bounds import Bounds

if TYPE_CHECKING:
    from lsclasses.table import Table


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
    """The least cost by dynamic programming over the sets of points that come last.

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
    """The cells that all points make, with their numbers."""
    for c in range(concepts):
        meter.tick()
        meter.charge(c // 8)
        yield 1 << c, c


def _cells(columns: Sequence[int], asked: int, concepts: int, meter: Meter) -> dict[int, int]:
    """The cells that points make of the concepts, with their numbers."""
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
    """The vectors that no other one is at least as extreme as in every entry."""
    kept: list[Vector] = []
    for vector in sorted(vectors, key=sum, reverse=extreme is max):
        meter.tick()
        if not any(tuple(map(extreme, other, vector)) == other for other in kept):
            kept.append(vector)
    return kept
