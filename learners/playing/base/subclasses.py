"""The subclasses of one table that a learner comes to, as sets of rows, with what is known of them.

A subclass is an integer: bit i says whether it holds the i-th concept.
"""

from __future__ import annotations

from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from learners import checked
from lsclasses.concept_class import ConceptClass
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.points import Label
from lsclasses.table import Table

FREE = -1
"""Stands for a label that may be either."""
KNOWN_SUBCLASSES = 1 << 16
"""Of how many subclasses the dimension and the labels are remembered."""

Known = TypeVar("Known")


class Left(Protocol):
    """The state of a learner that keeps the concepts that agree with its mistakes."""

    @property
    def remaining(self) -> int: ...

    @property
    def mistakes(self) -> int: ...

    @property
    def realizable(self) -> bool: ...


class Subclasses:
    """The subclasses of a table; equal for tables with the same rows and points in the same order.

    Parameters
    ----------
    table : Table
        Not empty.

    Raises
    ------
    InvalidInput
        If the table is empty.

    Examples
    --------
    >>> C = Subclasses(Table([[0, 0], [0, 1], [1, 1]]))
    >>> C.all, C.side(C.all, 1, 1), C.dimension(C.all)
    (7, 6, 1)
    >>> C.labels(C.all).tolist(), C.labels(C.side(C.all, 1, 1)).tolist()
    ([0, 1], [-1, 1])
    """

    def __init__(self, table: Table) -> None:
        if table.is_empty:
            raise InvalidInput("A learner needs a class with at least one concept. Got none.")
        self.table = table
        self.rows: NDArray[np.uint8] = table.labels
        self.all = (1 << len(table)) - 1
        self._key = table.points, table.packed.tobytes()
        self._dimensions: dict[int, int] = {}
        self._labels: dict[int, NDArray[np.int8]] = {}

    def __eq__(self, other: object) -> bool:
        # Tables are equal whatever the order of their rows, but rows have numbers here.
        return type(other) is type(self) and other.__dict__["_key"] == self._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.table,)

    def members(self, subclass: int) -> NDArray[np.intp]:
        """The positions of the concepts of a subclass, in increasing order."""
        count = len(self.table)
        packed = np.frombuffer(subclass.to_bytes(-(-count // 8), "little"), np.uint8)
        return np.unpackbits(packed, count=count, bitorder="little").nonzero()[0]

    def side(self, subclass: int, point: int, label: Label) -> int:
        """The concepts of a subclass that give a label to the point in a position."""
        ones = self.table.column_bits[point]
        return subclass & ones if label else subclass & ~ones

    def dimension(self, subclass: int) -> int:
        """The Littlestone dimension of a subclass; -1 if it is empty."""
        found = self._dimensions.get(subclass)
        if found is None:
            found = self._written_out(subclass).ldim()
            _remember(self._dimensions, subclass, found)
        return found

    def labels(self, subclass: int) -> NDArray[np.int8]:
        """For each point, the label to predict so that a mistake lowers the dimension, or `FREE`.

        Parameters
        ----------
        subclass : int
            Not empty.

        Returns
        -------
        ndarray of shape (points,)
        """
        found = self._labels.get(subclass)
        if found is None:
            dimension = self.dimension(subclass)
            # At most one label leaves the dimension as it is, or it would be larger.
            found = np.array(
                [
                    1
                    if self._keeps(self.side(subclass, x, 1), dimension)
                    else 0
                    if self._keeps(self.side(subclass, x, 0), dimension)
                    else FREE
                    for x in range(len(self.table.domain))
                ],
                np.int8,
            )
            found.flags.writeable = False
            _remember(self._labels, subclass, found)
        return found

    def _keeps(self, side: int, dimension: int) -> bool:
        return side.bit_count() >= 1 << dimension and self._written_out(side)._shatters(dimension)

    def _written_out(self, subclass: int) -> Table:
        return self.table if subclass == self.all else self.table._subclass(self.members(subclass))


def written_out(C: ConceptClass) -> Table:
    """The table of a class whose subclasses a learner searches.

    Raises
    ------
    TooLarge
        If it cannot be written out; the message says what can be run then.

    Examples
    --------
    >>> import catalog
    >>> written_out(catalog.build("points:n=inf"))
    Traceback (most recent call last):
        ...
    lsclasses.errors.TooLarge: <Sets of 1 of infinitely many points> is infinite and cannot be \
written out as a table. This learner weighs single concepts. The SOA needs no table where a \
formula knows the Littlestone dimension: lsclasses run soa, or pop, agnostic-pop and layered-soa \
with it.
    """
    try:
        return C.to_table()
    except TooLarge as stopped:
        raise TooLarge(
            f"{stopped} This learner weighs single concepts. The SOA needs no table where a "
            "formula knows the Littlestone dimension: lsclasses run soa, or pop, agnostic-pop and "
            "layered-soa with it.",
            estimate=stopped.estimate,
            limit=stopped.limit,
        ) from None


def subclass_to_json(left: Left) -> dict[str, Any]:
    """A learner's state in a file that keeps concepts as bits; no example is in the clear."""
    return {
        "remaining": f"{left.remaining:x}",
        "mistakes": left.mistakes,
        "realizable": left.realizable,
    }


def subclass_from_json(subclasses: Subclasses, data: Any) -> dict[str, Any]:
    """The fields that `subclass_to_json` wrote.

    Raises
    ------
    InvalidInput
        If there are no such concepts.
    """
    remaining = int(data["remaining"], 16)
    if not 0 < remaining <= subclasses.all:
        raise InvalidInput("the concepts that are left are some of the class.")
    return {
        "remaining": remaining,
        "mistakes": checked.nonnegative(data["mistakes"], "number of mistakes"),
        "realizable": bool(data["realizable"]),
    }


def _remember(known: dict[int, Known], subclass: int, value: Known) -> None:
    if len(known) >= KNOWN_SUBCLASSES:
        known.clear()
    known[subclass] = value
