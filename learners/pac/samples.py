"""Samples: labelled points in a fixed order, with the numbers of errors of hypotheses.

The rows of a sample may be drawn when a learner reads them. So a sample can have the astronomically
many rows that a theorem requires.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from os import PathLike
from typing import Any, Self, overload

import numpy as np
from numpy.typing import NDArray

from learners.coins import Coins, SeededCoins
from lsclasses.concept_class import ConceptClass
from lsclasses.domain import Domain, FiniteDomain, OnDomain
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.files.comma_separated import load_stream
from lsclasses.hypothesis import Concept, Hypothesis
from lsclasses.packed_sums import packed_errors
from lsclasses.point_names import Label, Point, check_label
from lsclasses.table import Table

Example = tuple[Point, Label]
"""A labelled point."""

Hypotheses = Sequence[Hypothesis] | Table
"""Candidate hypotheses in a fixed order."""

BLOCK = 256
"""Number of rows of a seeded sample that are drawn from the same coins."""


class DrawnRows(Sequence[Example]):
    """Rows of a sample that are computed only when they are read."""

    @abstractmethod
    def walk(self, places: range) -> Iterator[Example]:
        """Return the rows at some positions, in the order of the positions."""


class RememberedRows(DrawnRows):
    """Rows that are drawn when they are first read, and then stored."""

    def __init__(self, draw: Callable[[Coins], Example], rows: int, coins: Coins) -> None:
        self._draw = draw
        self._size = rows
        self._coins = coins
        self._drawn: dict[int, Example] = {}

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, place: Any) -> Any:
        row = self._drawn.get(place)
        if row is None:
            row = self._drawn[place] = self._draw(self._coins)
        return row

    def walk(self, places: range) -> Iterator[Example]:
        """Return the rows at some positions."""
        return map(self.__getitem__, places)


class SeededRows(DrawnRows):
    """Rows that are computed from a seed whenever they are read, a block at a time."""

    def __init__(self, draw: Callable[[Coins], Example], rows: int, seed: int) -> None:
        self._draw = draw
        self._size = rows
        self._seed = seed
        self._at = -1
        self._block: list[Example] = []
        self._coins: Coins = SeededCoins(0)

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, place: Any) -> Any:
        block, offset = divmod(place, BLOCK)
        if block != self._at:
            self._at, self._block = block, []
            # The separate key makes rows independent of noise from the same seed.
            self._coins = SeededCoins(np.random.SeedSequence(self._seed, spawn_key=(block,)))
        while len(self._block) <= offset:
            self._block.append(self._draw(self._coins))
        return self._block[offset]

    def walk(self, places: range) -> Iterator[Example]:
        """Yield the rows at some positions. Consecutive rows of a block are drawn together."""
        if places.step != 1:
            yield from map(self.__getitem__, places)
            return
        draw = self._draw
        place, stop = places.start, places.stop
        while place < stop:
            yield self[place]
            place += 1
            # Another reader of the sample may have continued with this block or another block.
            first = BLOCK * self._at
            block, coins, end = self._block, self._coins, min(stop, first + BLOCK)
            while first < place < end and len(block) == place - first:
                row = draw(coins)
                block.append(row)
                place += 1
                yield row


class Sample(OnDomain[Domain], Sequence[Example]):
    """A sample: labelled points of one domain in a fixed order.

    Parameters
    ----------
    domain : Domain
        Points that may occur.
    examples : iterable of (point, label)
        Rows of the sample, in order.

    Raises
    ------
    InvalidInput
        If a point is not in the domain, or a label is neither 0 nor 1.

    Examples
    --------
    >>> from lsclasses import IntegerRange
    >>> sample = Sample(IntegerRange(0, 8), [(3, 1), (1, 0), (3, 1), (6, 1)])
    >>> len(sample), sample[0], list(sample[1:3])
    (4, (3, 1), [(1, 0), (3, 1)])
    >>> from lsclasses import Constant
    >>> sample.errors(Constant(sample.domain, 1)), sample.loss(Constant(sample.domain, 0))
    (1, Fraction(3, 4))
    """

    def __init__(self, domain: Domain, examples: Iterable[tuple[object, object]]) -> None:
        rows = tuple((domain.require(x), check_label(y)) for x, y in examples)
        self._assign(domain, rows, range(len(rows)))

    def _assign(self, domain: Domain, rows: Sequence[Example], places: range) -> None:
        self._domain = domain
        self._rows = rows
        self._places = places

    @classmethod
    def drawn(cls, domain: Domain, rows: Sequence[Example]) -> Self:
        """Return a sample whose rows are the items of a sequence, which may compute them on demand.

        Unlike the constructor, the method does not check that the points belong to the domain.
        """
        sample = cls.__new__(cls)
        sample._assign(domain, rows, range(len(rows)))
        return sample

    @classmethod
    def load(cls, path: str | PathLike[str], domain: Domain | None = None) -> Sample:
        r"""Read a sample from a CSV file with the columns ``point,label``.

        Parameters
        ----------
        path : path
            Path of the file.
        domain : Domain, optional
            Domain of the points. By default, the domain consists of the different points in the
            file.

        Raises
        ------
        InvalidInput
            If the file cannot be read, a label is neither 0 nor 1, or a point is not in the
            domain.

        Examples
        --------
        >>> import tempfile, pathlib
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "rows.csv"
        >>> _ = path.write_text("point,label\na,1\nb,0\na,1\n")
        >>> Sample.load(path)
        <Sample of 3 rows on 2 points>
        """
        examples = load_stream(path)
        if domain is None:
            if not examples:
                raise InvalidInput(f"{str(path)!r} holds no rows, so the points are unknown.")
            domain = FiniteDomain(dict.fromkeys(x for x, _ in examples))
        return cls(domain, examples)

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, place: int) -> Example: ...

    @overload
    def __getitem__(self, place: slice) -> Self: ...

    def __getitem__(self, place: int | slice) -> Example | Self:
        if not isinstance(place, slice):
            return self._rows[self._places[place]]
        part = type(self).__new__(type(self))
        part._assign(self._domain, self._rows, self._places[place])
        return part

    def __iter__(self) -> Iterator[Example]:
        if isinstance(self._rows, DrawnRows):
            return self._rows.walk(self._places)
        return map(self._rows.__getitem__, self._places)

    def __repr__(self) -> str:
        points = self._domain.size
        where = "infinitely many" if points is None else points
        return f"<Sample of {len(self)} rows on {where} points>"

    @cached_property
    def counts(self) -> Counter[Example]:
        """The number of occurrences of each example. The property reads all rows."""
        return Counter(self)

    def errors(self, h: Hypothesis) -> int:
        """Return the number of rows of the sample on which a hypothesis is wrong.

        Raises
        ------
        InvalidInput
            If the hypothesis is defined on another domain.
        """
        return count_errors([h], self)[0]

    def loss(self, h: Hypothesis) -> Fraction:
        """Return the empirical loss of a hypothesis: the share of rows that it mislabels.

        Raises
        ------
        InvalidInput
            If the sample has no rows, or the hypothesis is defined on another domain.
        """
        if not len(self):
            raise InvalidInput("The empirical loss needs at least one row. Got no rows.")
        return Fraction(self.errors(h), len(self))

    def shuffled(self, coins: Coins) -> Sample:
        """Return the sample with the rows in a uniformly random order.

        Some learners cut a sample into batches at fixed positions. Their error bounds assume that
        the order of the rows is random. The rows of a file are often sorted.

        Examples
        --------
        >>> from learners.coins import SeededCoins
        >>> from lsclasses import IntegerRange
        >>> sample = Sample(IntegerRange(0, 4), [(x, 1) for x in range(4)])
        >>> [x for x, _ in sample.shuffled(SeededCoins(1))]
        [2, 0, 3, 1]
        """
        return self.drawn(self._domain, [self[i] for i in coins.shuffle(len(self))])


def count_errors(hypotheses: Hypotheses, sample: Sample | Mapping[Example, int]) -> list[int]:
    """Return the number of rows on which each of some hypotheses is wrong.

    The function first counts the rows of each example. After that, time and memory depend on the
    number of different examples, not on the number of rows.

    Parameters
    ----------
    hypotheses : sequence of Hypothesis, or Table
        Candidates on one domain.
    sample : Sample or mapping of example to count
        Rows, or the number of rows of each example.

    Raises
    ------
    InvalidInput
        If a hypothesis labels another domain than the domain of the sample.

    Examples
    --------
    >>> from lsclasses import Table
    >>> C = Table([[0, 0, 1], [0, 1, 1], [1, 1, 1]])
    >>> count_errors(C, {(0, 0): 5, (1, 0): 1, (2, 1): 10**30})
    [0, 1, 6]
    """
    counts: Mapping[Example, int]
    if isinstance(sample, Sample):
        _require_domain(hypotheses, sample.domain)
        counts = sample.counts
    else:
        counts = sample
    if not len(hypotheses):
        return []
    packed = _packed(hypotheses)
    if packed is None:
        assert not isinstance(hypotheses, Table)
        return [sum(n for (x, y), n in counts.items() if h._label(x) != y) for h in hypotheses]
    return packed_errors(*packed, counts)


def table_or_class(C: ConceptClass) -> Table | ConceptClass:
    """Return a class as a table, or the class itself if its table is too large.

    Raises
    ------
    InvalidInput
        If the class is empty or infinite.
    TooLarge
        If the table is too large, and no formula counts the concepts.

    Examples
    --------
    >>> import catalog
    >>> table_or_class(catalog.build("thresholds:n=3"))
    <Table: 4 concepts on 3 points>
    >>> table_or_class(catalog.build("thresholds:n=2^64")).size == 2**64 + 1
    True
    """
    if C.is_empty:
        raise InvalidInput("The class must have at least one concept. Got an empty class.")
    try:
        return C.to_table()
    except TooLarge as error:
        try:
            size = C.size
        except TooLarge:
            raise error from None
        if size is None:
            raise InvalidInput(
                f"{C!r} has infinitely many concepts. The learner needs a finite class."
            ) from None
    return C


def _require_domain(hypotheses: Hypotheses, domain: Domain) -> None:
    labelled = (
        [hypotheses.domain] if isinstance(hypotheses, Table) else [h.domain for h in hypotheses]
    )
    for other in {id(each): each for each in labelled}.values():
        if other != domain:
            raise InvalidInput(
                f"The hypotheses must label the domain of the sample, {domain.describe()}. "
                f"Got a hypothesis on {other.describe()}."
            )


def _packed(hypotheses: Hypotheses) -> tuple[NDArray[np.uint8], FiniteDomain] | None:
    """Return the labels, eight to a byte, if the hypotheses are stored as tables."""
    if isinstance(hypotheses, Table):
        return hypotheses.packed, hypotheses.domain
    written = [h for h in hypotheses if isinstance(h, Concept)]
    if len(written) < len(hypotheses):
        return None
    rows = np.frombuffer(b"".join(h.packed for h in written), np.uint8)
    return rows.reshape(len(written), -1), written[0].domain
