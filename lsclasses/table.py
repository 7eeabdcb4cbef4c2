"""Explicit finite classes: a 0/1 table with one row a concept and one column a point."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from lsclasses.concept_class import ConceptClass, iterated
from lsclasses.domain import FiniteDomain
from lsclasses.error_histograms import ErrorHistogram, ListedHistogram, Weights
from lsclasses.errors import InvalidInput, nearest
from lsclasses.html import HIDDEN_FROM, hidden, html_table, text_table
from lsclasses.hypothesis import Concept, Hypothesis
from lsclasses.limits import Limit, Progress, tick, within
from lsclasses.packed_labels import PackedLabels, names_of_merged
from lsclasses.packed_sums import packed_errors
from lsclasses.packing import as_void, distinct_rows, is_entry, packed_incidences, require_memory
from lsclasses.point_names import Label, Point, name_text, plain
from lsclasses.set_operations import concept_position, row_labelling


class Table(PackedLabels, ConceptClass):
    """A finite concept class, given by a table: a row per concept, a column per point.

    Parameters
    ----------
    rows : array-like of 0/1, shape (concepts, points), list of strings, data frame, sparse matrix
        Labels. A string consists of the characters 0 and 1. Equal rows become one concept, with the
        position and the name of the first of these rows.
    domain : iterable of hashable, optional
        Names of the points, one per column. The default is 0, 1, 2, ..., or the columns of the data
        frame.
    concepts : iterable of hashable, optional
        Names of the concepts, one per row. The default is the index of a data frame with row names.

    Attributes
    ----------
    merged : int
        Number of rows that were duplicates of earlier rows.
    merged_names : tuple of (name, name)
        Other names of concepts: pairs of the name of a duplicate row and the name of the concept.
        If this table was computed from another class, for example by a restriction, the duplicate
        may be a row of the other class.
    notes : tuple of str
        If the table was read from a file, sentences about parts of the file that are omitted.
    concept_names : tuple or None
        Names of the distinct concepts, if they were given.

    Raises
    ------
    InvalidInput
        If an entry is not 0 or 1, rows have different lengths, a name repeats, or the number of
        names is wrong. An empty list of rows gives the empty class and requires a `domain`.

    Examples
    --------
    >>> C = Table([[0, 0, 1], [0, 1, 1], [0, 0, 1]], domain=["a", "b", "c"])
    >>> C
    <Table: 2 concepts on 3 points (1 duplicate merged)>
    >>> C.ldim(), C.vcdim(), C.restrict("b", 1).size
    (1, 1, 1)
    >>> [c.support for c in C]
    [('c',), ('b', 'c')]
    >>> Table([[]]).ldim(), Table([], domain=[]).ldim()      # the empty function; no function
    (0, -1)
    >>> print(Table(["001", "011"], domain="abc", concepts=["f", "g"]))
    <Table: 2 concepts on 3 points>
       a b c
    f  0 0 1
    g  0 1 1
    >>> np.asarray(Table(["001", "011"])).tolist()
    [[0, 0, 1], [0, 1, 1]]
    """

    @classmethod
    def _of_packed(cls, domain: FiniteDomain, packed: np.ndarray) -> Table:
        """Return a table of packed rows. Expected duplicates are merged silently."""
        return cls._of_distinct(domain, distinct_rows(packed)[0])

    @classmethod
    def from_sets(cls, points: Iterable[Any], sets: Iterable[Iterable[Any]]) -> Table:
        """Return the class of given sets of points. A concept is 1 on the points of its set.

        Parameters
        ----------
        points : iterable of hashable
            Points of the class.
        sets : mapping of name to set, or iterable of sets
            Sets of points. A mapping also gives the names of the concepts.

        Raises
        ------
        InvalidInput
            If a set contains an element that is not a point.
        TooLarge
            If the table exceeds `lsclasses.packing.BYTE_LIMIT`.

        Examples
        --------
        >>> Table.from_sets("abc", [{"a"}, {"a", "c"}, ()]).ldim()
        1
        """
        domain = FiniteDomain(iterated(points, "points"))
        names = tuple(sets) if isinstance(sets, Mapping) else None
        given = sets.values() if isinstance(sets, Mapping) else sets
        members: list[int] = []
        counts: list[int] = []
        for members_of in iterated(given, "sets of points"):
            start = len(members)
            members += map(domain.index, members_of)
            counts.append(len(members) - start)
        require_memory(len(counts), len(domain), "The sets", packed=True)
        rows = np.repeat(np.arange(len(counts)), counts)
        columns = np.array(members, dtype=np.intp)
        packed = packed_incidences(rows, columns, (len(counts), len(domain)))
        return cls._of_rows(packed, len(domain), domain, names)

    @classmethod
    def from_functions(
        cls,
        domain: Iterable[Any],
        functions: Mapping[Any, Callable[[Any], Any]] | Iterable[Callable[[Any], Any]],
    ) -> Table:
        """Return the class of given functions, each of which is called at every point.

        Parameters
        ----------
        domain : iterable of hashable
            Points of the class.
        functions : mapping of name to function, or iterable of functions
            Functions with the value 0, 1, True or False at each point. A mapping also gives the
            names of the concepts.

        Raises
        ------
        InvalidInput
            If an argument is not a function, or a value is not a label.
        TooLarge
            If the table exceeds `lsclasses.packing.BYTE_LIMIT`.

        Examples
        --------
        >>> C = Table.from_functions(range(5), [lambda x, i=i: x >= i for i in range(6)])
        >>> C, C.ldim()
        (<Table: 6 concepts on 5 points>, 2)
        """
        points = FiniteDomain(iterated(domain, "points"))
        names = tuple(functions) if isinstance(functions, Mapping) else None
        given: Any = functions.values() if isinstance(functions, Mapping) else functions
        given = list(iterated(given, "functions"))
        for i, function in enumerate(given):
            if not callable(function):
                raise InvalidInput(f"Concept {i} must be a function. Got {function!r:.200}.")
        require_memory(len(given), len(points), "The functions")
        rows = [[_label(function(x), i, x) for x in points] for i, function in enumerate(given)]
        return cls(rows, points, names)

    @classmethod
    def _of(cls, labels: PackedLabels) -> Table:
        """Return the class of labels that were read."""
        table = cls._of_distinct(labels.domain, labels.packed, labels.concept_names)
        table.merged, table.merged_names = labels.merged, labels.merged_names
        table.notes = labels.notes
        return table

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Table:
        """Return the table in a file. The suffix determines the format (see `lsclasses.files`).

        The path ``-`` is standard input. The attributes `merged`, `merged_names` and `notes` of the
        table describe duplicate rows and omitted parts of the file.

        Raises
        ------
        InvalidInput
            If the file does not exist, or contains no table with at least one concept and one
            point.
        TooLarge
            If the table has more bytes than `lsclasses.packing.BYTE_LIMIT`, or the file has more
            bytes than `lsclasses.files.text_content.CONTENT_LIMIT`.
        """
        from lsclasses.files.tables import load_labels

        return cls._of(load_labels(path))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a non-empty table to a file, completely or not at all.

        The suffix determines the format, one of ``.csv``, ``.tsv``, ``.json``, ``.npy``, ``.npz``,
        ``.cxt``, ``.dat``, ``.hgr`` and ``.hif.json``. The formats ``.npy`` and ``.hgr`` store only
        the labels, and ``.dat`` stores no names of concepts.

        Raises
        ------
        InvalidInput
            If the suffix is unknown, the class is empty, the format cannot represent a name, or the
            file cannot be written.
        """
        from lsclasses.files.tables import save_labels

        save_labels(self, path)

    @classmethod
    def from_json(cls, data: Any) -> Table:
        """Return the table that `Table.to_json` described as a JSON object.

        Raises
        ------
        InvalidInput
            If the object is not a result of `Table.to_json`.
        TooLarge
            If the table exceeds `lsclasses.packing.BYTE_LIMIT`.
        """
        from lsclasses.files.tables import labels_from_json

        return cls._of(labels_from_json(data))

    def to_json(self) -> dict[str, Any]:
        """Return the table as a JSON object with its labels and names.

        Examples
        --------
        >>> Table([[0, 1], [1, 1]]).to_json()["rows"]
        ['01', '11']
        """
        from lsclasses.files.tables import labels_to_json

        return labels_to_json(self)

    # ---- contents

    def __getitem__(self, i: Any) -> Concept:
        """Return the concept at a position, the number of a row."""
        i = concept_position(i, len(self))
        name = None if self.concept_names is None else self.concept_names[i]
        return Concept(self._domain, self._packed[i].tobytes(), name)

    def concept(self, name: Any) -> Concept:
        """Return the concept with a given name, which may be the name of a merged duplicate row.

        A table without names numbers its concepts from 0.

        Raises
        ------
        InvalidInput
            If no concept has the name.

        Examples
        --------
        >>> C = Table(["10", "10", "01"], domain="xy", concepts=["a", "b", "c"])
        >>> C.concept("b").name, C.concept("c").support, C.merged_names
        ('a', ('y',), (('b', 'a'),))
        """
        key = plain(name)
        names: Sequence[Point] = self.concept_names or range(len(self))
        try:
            return self[names.index(dict(self.merged_names).get(key, key))]
        except ValueError:
            known = [each for each in (*names, *dict(self.merged_names)) if isinstance(each, str)]
            hint = nearest(str(key), known, otherwise=f"The class has {len(self)} concepts.")
            raise InvalidInput(f"No concept has the name {name!r:.80}. {hint}") from None

    def __iter__(self) -> Iterator[Concept]:
        return (self[i] for i in range(len(self)))

    @cached_property
    def _positions(self) -> dict[bytes, int]:
        return {row.tobytes(): i for i, row in enumerate(self._packed)}

    def position(self, h: object) -> int | None:
        """Return the row number of a labelling, or None if the labelling is not a concept.

        Parameters
        ----------
        h : Hypothesis or row of labels
            Labels of all points, in the forms that ``h in table`` accepts.

        Raises
        ------
        InvalidInput
            If `h` is not a labelling of all points.

        Examples
        --------
        >>> C = Table([[0, 0], [1, 1]], concepts=["f", "g"])
        >>> C.position(C[1]), C.position("11"), C.position((1, 0))
        (1, 1, None)
        """
        if not isinstance(h, Hypothesis):
            try:
                h = row_labelling(self._domain, h)
            except InvalidInput:
                if isinstance(h, str) and h in (
                    *(self.concept_names or ()),
                    *dict(self.merged_names),
                ):
                    raise InvalidInput(
                        "position() needs a labelling, such as a Hypothesis or a row of labels. "
                        f"Got {h!r:.80}, the name of a concept. Its position is "
                        f"C.position(C.concept({h!r:.80}))."
                    ) from None
                raise
        if h.domain == self._domain:
            return self._positions.get(h.to_concept().packed)
        if h.domain.size != len(self._domain) or any(x not in h.domain for x in self._domain):
            return None
        reordered = Concept.from_labels(self._domain, [h(x) for x in self._domain])
        return self._positions.get(reordered.packed)

    def _contains(self, h: Hypothesis) -> bool:
        return self.position(h) is not None

    def _listing(self) -> Table:
        return self

    def _reordered(self, domain: FiniteDomain) -> Table:
        """Return the same class with its columns in the order of `domain` (the same points)."""
        if domain == self._domain:
            return self
        order = [self._domain.index(x) for x in domain]
        return Table._of_distinct(
            domain, np.packbits(self.labels[:, order], axis=1), self.concept_names
        )

    def __eq__(self, other: object) -> bool:
        """Return whether both classes have the same points and concepts, in any order."""
        if not isinstance(other, Table):
            return NotImplemented
        if self is other:
            return True
        if len(self) != len(other) or hash(self) != hash(other):
            return False
        if set(self.points) != set(other.points):
            return False
        mine, theirs = as_void(self._packed), as_void(other._reordered(self._domain)._packed)
        return bool(np.array_equal(np.sort(mine), np.sort(theirs)))

    @cached_property
    def _hash(self) -> int:
        counts = [int(self._column(j).sum(dtype=np.int64)) for j in range(len(self._domain))]
        return hash((len(self), frozenset(zip(self.points, counts, strict=True))))

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        count, size = len(self), len(self._domain)
        text = (
            f"<Table: {count} concept{'' if count == 1 else 's'} "
            f"on {size} point{'' if size == 1 else 's'}"
        )
        if self.merged:
            text += f" ({self.merged} duplicate{'' if self.merged == 1 else 's'} merged)"
        return text + ">"

    def __str__(self) -> str:
        """Return the first rows and columns."""
        return text_table(*self._shown())

    def _repr_html_(self) -> str:
        """Return the first rows and columns, for notebooks."""
        title, rows, head, note = self._shown()
        return html_table(title, rows, head=head, note=note)

    def _shown(self) -> tuple[str, list[Sequence[Any]], Sequence[Any], str]:
        """Return a title, the first rows, the names of the first columns, and a note."""
        names = [name_text(self.concept_name(i)) for i in range(min(len(self), HIDDEN_FROM))]
        labels = self.labels[:HIDDEN_FROM, :HIDDEN_FROM].tolist()
        return (
            repr(self),
            [(name, *row) for name, row in zip(names, labels, strict=True)],
            ("", *map(name_text, self.points[:HIDDEN_FROM])),
            hidden(concepts=len(self) - HIDDEN_FROM, points=len(self.points) - HIDDEN_FROM),
        )

    def _known(self, dimension: str) -> int | Fraction | None:
        lower, upper = self._ldim_bounds
        return lower if dimension == "ldim" and lower >= upper else super()._known(dimension)

    # ---- hooks of ConceptClass

    def _is_empty(self) -> bool:
        return not len(self._packed)

    def _size(self) -> int:
        return len(self._packed)

    def _to_table(self) -> Table:
        return self

    def _listed(self) -> Table:
        return self

    def _error_histogram(self, weights: Weights, rows: int) -> ErrorHistogram:
        return ListedHistogram(self, packed_errors(self.packed, self.domain, weights))

    def _sample(self, rng: np.random.Generator) -> Concept:
        return self[int(rng.integers(len(self)))]

    def _restrict(self, x: Point, y: Label) -> Table:
        rows = (self._column(self._domain.index(x)) == y).nonzero()[0]
        if len(rows) == len(self):
            return self
        return self._subclass(rows)

    def restrict(self, x: Any, y: Any) -> Table:
        """Return the class of the concepts c with ``c(x) = y``, on the same domain."""
        restricted = super().restrict(x, y)
        assert isinstance(restricted, Table)
        return restricted

    def _subclass(self, rows: np.ndarray) -> Table:
        """Return the concepts at the given positions. The result shares bounds of the search."""
        names = self.concept_names
        kept = None if names is None else tuple(names[int(i)] for i in rows)
        table = Table._of_distinct(self._domain, self._packed[rows], kept)
        table._shared_search = self._search
        table._shared_depths = self._depths
        return table

    def _ldim(self, limit: Limit | None, progress: Progress | None) -> int:
        """Return the Littlestone dimension by search. A second call resumes with known bounds."""
        from lsclasses.searching.search_bounds import Bounds

        lower, upper = self._ldim_bounds
        if lower < upper:
            bounds = Bounds("Ldim", lower, upper, progress)
            try:
                with within(limit), bounds:
                    self._search.decide(self._space, bounds, limit)
            finally:
                self._ldim_bounds = (bounds.lower, bounds.upper)
        return self._ldim_bounds[0]

    def _shatters(self, depth: int) -> bool:
        """Return whether Ldim is at least `depth`. This is cheaper than computing Ldim."""
        return self._search.at_least(self._space, depth)

    # ---- classes made of classes

    def project(self, points: Iterable[Any]) -> Table:
        """Return the class restricted to given points, with equal labellings merged.

        Raises
        ------
        InvalidInput
            If a point is unknown or repeated, or no point is given.

        Examples
        --------
        >>> Table([[0, 0, 1], [0, 1, 1], [1, 0, 1]], domain="abc").project("ac")
        <Table: 2 concepts on 2 points>
        """
        domain = FiniteDomain(iterated(points, "points"))
        order = [self._domain.index(x) for x in domain]
        return Table._of_packed(domain, np.packbits(self.labels[:, order], axis=1))

    def dual(self) -> Table:
        """Return the dual class, whose points are the concepts and whose concepts are the points.

        The points of the dual class are the names of the concepts, or their row numbers if they
        have no names. Points with the same labels in all concepts become one concept, which has the
        name of the first of these points.

        Raises
        ------
        InvalidInput
            If the class is empty, because the dual class would have no points.

        Examples
        --------
        >>> C = Table([[0, 0, 1], [0, 1, 1]], domain="abc", concepts=["f", "g"])
        >>> [(c.name, c.support) for c in C.dual()]
        [('a', ()), ('b', ('g',)), ('c', ('f', 'g'))]
        """
        if self.is_empty:
            raise InvalidInput(
                "The empty class has no dual, because the dual would have no points."
            )
        columns = self._packed_columns("big")
        packed, first = distinct_rows(columns)
        domain = FiniteDomain(self._ticking_names())
        dual = Table._of_distinct(domain, packed, tuple(self.points[j] for j in first))
        if len(packed) < len(columns):
            dual.merged_names = names_of_merged(columns, self.points)
        return dual

    def _ticking_names(self) -> Iterator[Point]:
        for i in range(len(self)):
            tick()
            yield self.concept_name(i)

    def rename(self, points: Iterable[Any]) -> Table:
        """Return the table with new names of the points, in the order of the columns."""
        domain = FiniteDomain(points)
        if len(domain) != len(self._domain):
            raise InvalidInput(
                f"A new name is needed for each of the {len(self._domain)} points. "
                f"Got {len(domain)}."
            )
        return Table._of_distinct(domain, self._packed, self.concept_names)

    def label_class(self) -> Table:
        """Return the class of error functions: for each concept c, ``(x, y) -> [c(x) != y]``.

        [LWY25, section 2.3] defines this class. Its Littlestone dimension and its VC dimension
        equal the dimensions of the original class.

        Examples
        --------
        >>> E = Table([[0, 1]], domain="ab").label_class()
        >>> E[0].support
        (('a', 1), ('b', 0))
        """
        domain = FiniteDomain((x, y) for x in self.points for y in (0, 1))
        labels = self.labels
        errors = np.stack([labels != 0, labels != 1], axis=2).reshape(len(self), len(domain))
        return Table._of_distinct(domain, np.packbits(errors, axis=1), self.concept_names)

    def majority(self, m: int, *, threshold: Fraction | float | str = Fraction(1, 2)) -> Table:
        """Return all functions ``x -> [ (h_1(x) + ... + h_m(x)) / m >= threshold ]`` of m concepts.

        The concepts h_1, ..., h_m need not be different. For the threshold 1/2, [LWY25] (before
        Claim E.7) calls this class the class of majorities. For a number alpha,
        ``C.dual().majority(m, threshold=alpha / 2)`` is the class of sanitizations of [LWY25]
        (before Claim E.3).

        Parameters
        ----------
        m : int
            Number of concepts that vote, at least 1.
        threshold : Fraction, float or str such as "1/20"
            Least share of votes for the label 1, in (0, 1]. The comparison is exact.

        Raises
        ------
        InvalidInput
            If `m` or the threshold is out of range.
        TooLarge
            If an intermediate table of counts of votes would be too large.

        Examples
        --------
        >>> C = Table([[1, 0, 0], [0, 1, 0], [0, 0, 1]])
        >>> sorted(c.support for c in C.majority(3))
        [(), (0,), (1,), (2,)]
        """
        if not isinstance(m, (int, np.integer)) or m < 1:
            raise InvalidInput(f"The number m of voting concepts must be an int >= 1. Got {m!r}.")
        try:
            share = Fraction(threshold)
        except (TypeError, ValueError, ArithmeticError):
            share = Fraction(0)
        if not 0 < share <= 1:
            raise InvalidInput(f"The threshold must be a number in (0, 1]. Got {threshold!r}.")
        needed = math.ceil(share * int(m))
        labels = self.labels.astype(np.min_scalar_type(needed))
        # The number of votes that each point needs for label 1. It is 0 if label 1 is certain, and
        # one more than the number of remaining votes if label 0 is certain. Equal outcomes are
        # merged.
        missing = np.full((1, len(self._domain)), needed, dtype=labels.dtype)
        for left in reversed(range(int(m))):
            require_memory(len(missing) * len(self), len(self._domain), f"A step of majority({m})")
            cast = np.minimum(missing[:, None, :], labels[None, :, :])
            after = np.minimum(missing[:, None, :] - cast, labels.dtype.type(min(left + 1, needed)))
            after = after.reshape(len(missing) * len(self), len(self._domain))
            missing = after[np.unique(as_void(after), return_index=True)[1]]
        return Table._of_packed(self._domain, np.packbits(missing == 0, axis=1))

    # ---- trees

    def _shattered_tree(self) -> tuple[Point, ...]:
        nodes: list[Point] = []
        level = [self._space]
        for depth in range(self.ldim(), 0, -1):
            below = []
            for space in level:
                tick()
                j = self._search.root_column(space, depth)
                nodes.append(self.points[int(space.source[j])])
                flip = int(space.flipped[j])
                below += [space.side(j, label ^ flip) for label in (0, 1)]
            level = below
        return tuple(nodes)

    def _splitting_point(self) -> Point:
        space = self._space
        return self.points[int(space.source[self._search.root_column(space, self.ldim())])]


def _label(y: Any, i: int, x: Point) -> int:
    if not is_entry(y):
        raise InvalidInput(f"Function {i} must be 0 or 1 at the point {x!r}. Got {y!r:.200}.")
    return int(y)
