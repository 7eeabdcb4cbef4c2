"""How many queries identify a concept: membership queries, equivalence queries and partial ones.

A learner asks, an oracle answers truthfully, and the learner stops as soon as one concept alone
agrees with all answers: no query is spent on confirming it. What is counted is the worst case, over
the concepts and over the oracle's choice among counterexamples (Angluin 1988).

* A *membership query* is a point; the answer is its label.
* An *equivalence query* is a labelling of all points, any one, or for *proper* queries a concept of
  the class; the answer is yes, or a point at which it is wrong.
* A *partial equivalence query* is a labelling of some of the points; the answer is yes, if it is
  right there, or a point at which it is wrong (Maass and Turán 1992).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from lsclasses.dimensions.base import dimension
from lsclasses.limits import Limit, Meter, Progress
from lsclasses.searching.bounds import Bounds

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
        """The least cost with which the class is identified."""
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
        """Whether a version space is reduced to one concept at that cost."""
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
        """The concepts with label 0 and with label 1, for each column that has both."""
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
