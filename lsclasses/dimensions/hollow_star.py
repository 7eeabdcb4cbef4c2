"""The hollow star number: how large a sample can be and yet contradict the class only as a whole.

It goes by several names. For a finite class it equals the dual Helly number and the co-VC
dimension: the least k such that every labelling of some of the points that is not realizable has a
part of at most k examples that is not. This is also the strong consistency dimension; the
consistency dimension (or certificate size) asks the same only of labellings of the whole domain and
can be smaller.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from lsclasses.dimensions import definitions
from lsclasses.dimensions.base import Evidence, dimension
from lsclasses.limits import Limit, Meter, Progress
from lsclasses.points import Label, Point
from lsclasses.searching.bitsets import members, of_members
from lsclasses.searching.bounds import Bounds

if TYPE_CHECKING:
    from lsclasses.table import Table

ONE_BY_ONE = 64
"""Examples against more concepts than that are counted all at once."""


def evidence(table: Table, limit: Limit | None) -> tuple[int, dict[str, Any]]:
    """The dimension with a witness that it is not smaller."""
    sample = largest_hollow_star(table, limit=limit) or ()
    return len(sample), {"sample": sample}


@dimension(
    "hollow star number",
    symbol="k_o",
    definition="The largest size of a labelled sample of distinct points that is not realizable "
    "while every sample differing from it in exactly one label is; 0 if there is none.",
    reference="Bousquet, Hanneke, Moran and Zhivotovskiy 2020",
    of_empty=0,
    meaning="How many examples a proof can need that no concept fits a sample; it "
    "decides whether learners that answer with concepts can be as good as "
    "others.",
    evidence=Evidence(
        evidence,
        "a sample that no concept fits, although every sample that differs from it in one label "
        "is fitted by one",
        definitions.hollow_star,
    ),
)
def hollow_star_number(
    table: Table, *, limit: Limit | None = None, progress: Progress | None = None
) -> int:
    """The size of the largest minimal non-realizable sample; 0 if every sample is realizable.

    Equivalently, the largest k for which some labelled sample of k distinct points is not
    realizable, but every sample that differs from it in exactly one label is. (If a sample is
    minimal, leaving an example out makes it realizable, by a concept that errs on that example;
    and conversely.) Finite values characterise proper learning with optimal sample complexity.
    Of the empty class, the empty sample is not realizable: 0.

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
    """A largest minimal non-realizable sample, or None if every sample is realizable.

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
    examples contradict every concept, and minimal if each of them has a concept that it alone
    contradicts: minimal non-realizable samples are minimal transversals. They are enumerated as by
    Murakami and Uno 2014: take a concept that is not contradicted yet, try each example that would,
    and let a later branch use only the examples of that concept that were tried before.

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
        """The examples (position of the point, label) of a largest one, in order, or None."""
        upper = min(self._points, self._whole.bit_length())
        with Bounds("the hollow star number", 0, upper, progress) as self._bounds:
            self._extend(self._whole, [], (1 << 2 * self._points) - 1)
            self._bounds.at_most(self._bounds.lower)
        if self._best is None:
            return None
        return sorted((example >> 1, example & 1) for example in self._best)

    def _extend(self, agreeing: int, alone: list[int], allowed: int) -> None:
        """Add examples to the sample.

        `agreeing` are the concepts that it does not contradict, `alone` those that each of its
        examples contradicts alone, `allowed` the examples that may be added.
        """
        self._meter.tick()
        size = len(alone)
        if not agreeing:
            if self._best is None or size > len(self._best):
                self._best = list(self._sample)
                self._bounds.at_least(size)
            return
        # Every further example takes a point, and contradicts a concept that now agrees alone.
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
        """The examples that contradict a concept, which are remembered."""
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
        """The allowed examples against that concept for which there are fewest."""
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
