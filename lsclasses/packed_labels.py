"""The labels of finitely many concepts at finitely many points, packed, with their names.

These labels are the content of a table and of files, and proofs are checked against them.
`lsclasses.Table` adds the methods of a concept class.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np

from lsclasses.domain import FiniteDomain, OnDomain
from lsclasses.errors import InvalidInput
from lsclasses.limits import tick
from lsclasses.packing import (
    AT_ONCE,
    as_void,
    distinct_rows,
    packed_rows,
    packed_sparse,
    read_only,
    rectangular,
)
from lsclasses.point_names import Label, Point, name_text, plain

if TYPE_CHECKING:
    import pandas

    from lsclasses.searching.littlestone_search import ExpectedDepthSearch, LittlestoneSearch
    from lsclasses.searching.version_space import VersionSpace

CACHED_LABELS = 1 << 19
"""Number of labels that fit into the processor's cache, so that one step transposes them."""


class PackedLabels(OnDomain[FiniteDomain]):
    """Labels of concepts (rows) at points (columns), with the names of concepts and points.

    Parameters
    ----------
    rows, domain, concepts
        Parameters of `lsclasses.Table`.

    Attributes
    ----------
    merged, merged_names, notes, concept_names
        Attributes of `lsclasses.Table`.

    Examples
    --------
    >>> labels = PackedLabels([[0, 0, 1], [0, 1, 1], [0, 0, 1]], domain="abc")
    >>> len(labels), labels.merged, labels.points, labels.row_bits
    (2, 1, ('a', 'b', 'c'), (4, 6))
    """

    merged_names: tuple[tuple[Point, Point], ...]

    def __init__(
        self,
        rows: Any,
        domain: Iterable[Any] | None = None,
        concepts: Iterable[Any] | None = None,
    ) -> None:
        if hasattr(rows, "_listing"):  # a concept class
            self._copy(rows._listing(), domain, concepts)
            return
        if hasattr(rows, "to_numpy"):  # a data frame, or one of its columns
            domain = getattr(rows, "columns", None) if domain is None else domain
            concepts = _index_names(rows) if concepts is None else concepts
            rows = rows.to_numpy()
        points = None if domain is None else FiniteDomain(domain)
        if hasattr(rows, "tocoo"):  # a sparse matrix of scipy
            names = None if concepts is None else _concept_names(concepts, rows.shape[0])
            packed = packed_sparse(rows)
            self._assign_merged(_domain(points, rows.shape[1]), packed, names)
            return
        labels = rectangular(rows, points)
        points = _domain(points, labels.shape[1])
        names = None if concepts is None else _concept_names(concepts, len(labels))
        self._assign_merged(points, packed_rows(labels), names)

    def _copy(
        self, table: PackedLabels, domain: Iterable[Any] | None, concepts: Iterable[Any] | None
    ) -> None:
        """Take the labels of a table, and its names unless names are given."""
        points = table._domain
        if domain is not None:
            points = _domain(FiniteDomain(domain), len(points))
        names = table.concept_names
        if concepts is not None:
            names = _concept_names(concepts, len(table))
        self._assign(points, table._packed, names)
        if concepts is None:
            self.merged_names = table.merged_names

    def _assign_merged(
        self, domain: FiniteDomain, packed: np.ndarray, names: tuple[Point, ...] | None
    ) -> None:
        """Merge equal rows and keep the first of them."""
        distinct, first = distinct_rows(packed)
        self._assign(domain, distinct, None if names is None else tuple(names[i] for i in first))
        self.merged = len(packed) - len(distinct)
        self.merged_names = names_of_merged(packed, names) if self.merged and names else ()

    def _assign(
        self, domain: FiniteDomain, packed: np.ndarray, names: tuple[Point, ...] | None
    ) -> None:
        # The search identifies a table by this array, so its content must not change.
        packed.flags.writeable = False
        self._domain = domain
        self._packed = packed
        self.concept_names = names
        self.merged = 0
        self.merged_names = ()
        self.notes: tuple[str, ...] = ()
        self._shared_search: LittlestoneSearch | None = None
        self._shared_depths: ExpectedDepthSearch | None = None
        # The empty class has dimension -1, so both bounds are -1.
        self._ldim_bounds = (min(0, len(packed) - 1), len(packed).bit_length() - 1)

    @classmethod
    def _of_distinct(
        cls, domain: FiniteDomain, packed: np.ndarray, names: tuple[Point, ...] | None = None
    ) -> Self:
        """Return the labels of packed rows that are known to be distinct."""
        table = cls.__new__(cls)
        table._assign(domain, np.ascontiguousarray(packed), names)
        return table

    @classmethod
    def _of_rows(
        cls,
        packed: np.ndarray,
        points: int,
        domain: Iterable[Any] | None = None,
        concepts: Iterable[Any] | None = None,
    ) -> Self:
        """Return the labels of a user's packed rows, with checked names and counted duplicates."""
        names = None if concepts is None else _concept_names(concepts, len(packed))
        table = cls.__new__(cls)
        given = None if domain is None else FiniteDomain(domain)
        table._assign_merged(_domain(given, points), packed, names)
        return table

    @property
    def points(self) -> tuple[Point, ...]:
        """The points of the class, as a tuple in the order of the columns."""
        return self._domain.points

    @property
    def labels(self) -> np.ndarray:
        """The table of labels, as a read-only uint8 array of shape (concepts, points)."""
        return read_only(np.unpackbits(self._packed, axis=1, count=len(self._domain)))

    @property
    def packed(self) -> np.ndarray:
        """The labels as a read-only uint8 array of shape (concepts, ceil(points / 8)).

        Each byte contains eight labels of a concept, with the first label in the highest bit.
        """
        return self._packed

    def column(self, x: Any) -> np.ndarray:
        """Return the labels of one point in all concepts, a read-only array of type uint8."""
        return read_only(self._column(self._domain.index(x)))

    def _column(self, j: int) -> np.ndarray:
        bits: np.ndarray = self._packed[:, j >> 3] >> np.uint8(7 - (j & 7)) & np.uint8(1)
        return bits

    def _leaving(self) -> Iterator[tuple[Point, Label]]:
        count = len(self._domain)
        always = np.unpackbits(np.bitwise_and.reduce(self._packed, axis=0), count=count)
        ever = np.unpackbits(np.bitwise_or.reduce(self._packed, axis=0), count=count)
        # A point is constant if the conjunction of its labels equals their disjunction.
        for j in np.flatnonzero(always == ever).tolist():
            yield self._domain[j], int(always[j])

    @cached_property
    def row_bits(self) -> tuple[int, ...]:
        """One integer for each concept. Bit j is the label at the j-th point, counted from 0."""
        found: list[int] = []
        for start in range(0, len(self), AT_ONCE // 64):
            rows = self._packed[start : start + AT_ONCE // 64]
            labels = np.unpackbits(rows, axis=1, count=len(self._domain))
            flipped = np.packbits(labels, axis=1, bitorder="little")
            if flipped.shape[1] <= 8:
                # Rows of up to 64 labels become numbers in one call. The explicit byte order makes
                # them independent of the machine.
                words = np.zeros((len(flipped), 8), dtype=np.uint8)
                words[:, : flipped.shape[1]] = flipped
                found += words.view("<u8").ravel().tolist()
            else:
                found += [int.from_bytes(row.tobytes(), "little") for row in flipped]
            tick()
        return tuple(found)

    @cached_property
    def column_bits(self) -> tuple[int, ...]:
        """One integer for each point. Bit i is the label in the i-th concept, counted from 0."""
        packed = self._packed_columns("little")
        return tuple(int.from_bytes(column.tobytes(), "little") for column in packed)

    def _packed_columns(self, bitorder: Literal["little", "big"]) -> np.ndarray:
        """Return the columns with eight labels to a byte, shape (points, ceil(concepts / 8))."""
        points = len(self._domain)
        if len(self) * points <= CACHED_LABELS:
            return np.packbits(self.labels.T, axis=1, bitorder=bitorder)
        # Process one column after another, because transposing a table beyond the cache is slow.
        columns = np.empty((points, -(-len(self) // 8)), dtype=np.uint8)
        for j in range(points):
            if j % 8 == 0:
                eight = np.ascontiguousarray(self._packed[:, j // 8])
            # `packbits` reads every nonzero byte as 1, so the bit needs no shift.
            columns[j] = np.packbits(eight & np.uint8(128 >> j % 8), bitorder=bitorder)
            tick()
        return columns

    def concept_name(self, i: int) -> Point:
        """Return the name of the concept in row i, or the number i if concepts have no names."""
        return i if self.concept_names is None else self.concept_names[i]

    def to_latex(self) -> str:
        r"""Return the labels as a LaTeX table with a row per concept and a column per point.

        Examples
        --------
        >>> from lsclasses import Table
        >>> print(Table(["01", "11"], domain="ab", concepts=["f_1", "f_2"]).to_latex())
        \begin{tabular}{lcc}
           & a & b \\
          \hline
          f\_1 & 0 & 1 \\
          f\_2 & 1 & 1 \\
        \end{tabular}
        """
        from lsclasses.drawing import tex_table

        names = (name_text(self.concept_name(i)) for i in range(len(self)))
        rows = (
            [name, *map(str, row)] for name, row in zip(names, self.labels.tolist(), strict=True)
        )
        return tex_table(["", *map(name_text, self.points)], rows)

    def to_pandas(self) -> pandas.DataFrame:
        """Return the labels as a pandas data frame with a row per concept and a column per point.

        `Table` accepts this data frame.

        Raises
        ------
        InvalidInput
            If pandas is not installed.
        """
        from lsclasses.frames import data_frame

        return data_frame(dict(zip(self.points, self.labels.T, strict=True)), self.concept_names)

    def __len__(self) -> int:
        return len(self._packed)

    @property
    def _search(self) -> LittlestoneSearch:
        if self._shared_search is None:
            from lsclasses.searching.littlestone_search import LittlestoneSearch

            self._shared_search = LittlestoneSearch()
        return self._shared_search

    @property
    def _depths(self) -> ExpectedDepthSearch:
        if self._shared_depths is None:
            from lsclasses.searching.littlestone_search import ExpectedDepthSearch

            self._shared_depths = ExpectedDepthSearch(len(self._domain))
        return self._shared_depths

    @property
    def _space(self) -> VersionSpace:
        """The version space that the searches work on."""
        return self._search.space(self._packed, len(self._domain))


def _index_names(frame: Any) -> Iterable[Any] | None:
    """Return the names of the rows of a data frame, unless they are only numbers."""
    names = list(getattr(frame, "index", ()))
    twice = next((name for name, count in Counter(names).items() if count > 1), None)
    if twice is not None:
        raise InvalidInput(
            f"The index of a data frame names the concepts. Got {plain(twice)!r} more than once. "
            "Use frame.reset_index(drop=True), whose rows have only numbers, or pass concepts=."
        )
    return None if names == list(range(len(names))) else names


def names_of_merged(
    packed: np.ndarray, names: tuple[Point, ...]
) -> tuple[tuple[Point, Point], ...]:
    """Return pairs of names: a duplicate row, and the first row that equals it."""
    _, first, inverse = np.unique(as_void(packed), return_index=True, return_inverse=True)
    kept = first[inverse.reshape(-1)]
    duplicates = np.flatnonzero(kept != np.arange(len(packed))).tolist()
    return tuple((names[i], names[int(kept[i])]) for i in duplicates)


def _domain(given: FiniteDomain | None, points: int) -> FiniteDomain:
    """Return the domain of a table with `points` columns."""
    if given is None:
        return FiniteDomain(range(points))
    if len(given) != points:
        raise InvalidInput(f"The domain must name every column: {points}. Got {len(given)}.")
    return given


def _concept_names(concepts: Iterable[Any], count: int) -> tuple[Point, ...]:
    names = tuple(plain(name) for name in concepts)
    if len(names) != count:
        raise InvalidInput(f"There must be one concept name a row: {count}. Got {len(names)}.")
    if len(set(names)) < count:
        twice = next(name for name, times in Counter(names).items() if times > 1)
        raise InvalidInput(f"Concept names must be distinct. Got {twice!r} more than once.")
    return names
