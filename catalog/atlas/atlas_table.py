"""Single classes of the atlas, and all classes on n points as columns of numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from catalog.atlas.columns import COLUMNS, column_names, compute
from catalog.parameters import described
from lsclasses.dimensions import Value
from lsclasses.errors import InvalidInput, nearest
from lsclasses.isomorphism import class_of_mask, orbit_name
from lsclasses.table import Table

if TYPE_CHECKING:
    import pandas

OWN = ("points", "mask", "labelled", "flipped")
"""Columns that describe a class itself, not the values of its quantities.

They are the number of points, the mask, the number of represented classes on named points, and the
least mask after flips.
"""


@dataclass(frozen=True)
class AtlasClass:
    """The representative of an orbit of classes.

    An orbit consists of all classes that permutations of the points, and flips of labels if they
    count as symmetries, take to each other.

    Parameters
    ----------
    points : int
        Number of points. The points are called 0, 1, ...
    mask : int
        Least mask of the orbit. Bit c is 1 if the concept with the number c belongs to the class,
        and bit j of the number of a concept is its label at the point j.
    flips : bool
        Whether the class also represents the classes with flipped labels at some points.
    flipped : int
        Least mask after flips. It equals `mask` if flips are symmetries.
    labelled : int
        Number of classes on named points that the class represents.
    quantities : mapping of str to value
        Values that all represented classes share, by name. The names are the names in
        `catalog.atlas.columns.COLUMNS`. If flips are symmetries, the quantities that flips change
        are left out.

    Examples
    --------
    >>> from catalog import atlas
    >>> C = atlas.classes(2)[3]
    >>> C
    AtlasClass(points=2, mask=7, flips=True, flipped=7, labelled=4)
    >>> C.table.labels.tolist()
    [[0, 0], [1, 0], [0, 1]]
    >>> C["ldim"], str(C["randomized_ldim"]), C["growth_function"]
    (1, '3/4', (1, 2, 3))
    """

    points: int
    mask: int
    flips: bool
    flipped: int
    labelled: int
    quantities: Mapping[str, Value] = field(compare=False, repr=False)

    @property
    def name(self) -> str:
        """The permanent name of the orbit, such as ``2:7`` (see `isomorphism.name_in_atlas`)."""
        return orbit_name(self.points, self.flipped)

    @cached_property
    def table(self) -> Table:
        """The class as a table, with concepts in increasing order of their numbers."""
        return class_of_mask(self.points, self.mask)

    def __getitem__(self, name: str) -> Value:
        """Return the value of the dimension, or other quantity, of that name.

        Raises
        ------
        InvalidInput
            If the column does not exist, or the represented classes differ in it.
        """
        if name not in self.quantities:
            raise missing(name, self.points)
        return self.quantities[name]


@dataclass(frozen=True)
class Distinct:
    """The combinations of values that some quantities take on the classes of a table.

    Attributes
    ----------
    values : list of dict
        The quantities by name, once for each combination that occurs: integers, fractions, and
        tuples of integers.
    first : array of int, shape (combinations,)
        Index of the first class with each combination.
    count : array of int, shape (combinations,)
        Number of classes with each combination.
    inverse : array of int, shape (classes,)
        Index of the combination of each class.
    """

    values: list[dict[str, Value]]
    first: np.ndarray
    count: np.ndarray
    inverse: np.ndarray


class AtlasTable:
    """All classes on n points, once each up to symmetry, as columns.

    ``table[name]`` is an array with an entry for each class, in increasing order of masks. Its type
    is int64, or float64 for fractions, rounded to the nearest number (`exact` returns the exact
    fractions). For sequences, the array has a row for each class. Arrays are read on demand and
    must not be written to.

    Parameters
    ----------
    points : int
    flips : bool
        Whether classes that differ by flips are represented by one class.
    names : sequence of str
        Columns ``points``, ``mask`` and ``labelled``, quantities of
        `catalog.atlas.columns.COLUMNS`, and ``flipped`` if flips are not symmetries.
    load : callable
        ``load(name)`` returns the integers of each column except ``points``. For a column with a
        denominator, these are the numerators.

    Examples
    --------
    >>> from catalog import atlas
    >>> T = atlas.table(4)
    >>> len(T), T["mask"][:5].tolist(), int((T["ldim"] > T["vcdim"]).sum())
    (401, [1, 3, 6, 7, 15], 81)
    >>> T["randomized_ldim"].max(), T.exact("randomized_ldim")[1]
    (np.float64(2.0), 32)
    """

    def __init__(
        self,
        points: int,
        *,
        flips: bool,
        names: Sequence[str],
        load: Callable[[str], np.ndarray],
    ) -> None:
        self.points = points
        self.flips = flips
        self.names = tuple(names)
        self._load = load
        self._integers: dict[str, tuple[np.ndarray, int]] = {}
        self._floats: dict[str, np.ndarray] = {}

    @classmethod
    def computed(cls, points: int, own: Mapping[str, np.ndarray], *, flips: bool) -> AtlasTable:
        """Return a table of given classes, whose columns are computed on demand.

        Parameters
        ----------
        points : int
        own : mapping of str to array
            The columns ``mask`` and ``labelled``, and ``flipped`` if flips are not symmetries.
        flips : bool
        """

        def load(name: str) -> np.ndarray:
            if name in own:
                return own[name]
            return compute(own["mask"].astype(np.uint64), points, [name])[name]

        names = ("points", *own, *column_names(points, flips=flips))
        return cls(points, flips=flips, names=names, load=load)

    def __len__(self) -> int:
        return len(self.exact("mask")[0])

    def __repr__(self) -> str:
        return f"<{len(self)} classes on {self.points} points, {len(self.names)} columns>"

    def __getitem__(self, name: str) -> np.ndarray:
        """Return the column of that name.

        Raises
        ------
        InvalidInput
            If the column does not exist.
        """
        integers, unit = self.exact(name)
        if unit == 1:
            return integers
        if name not in self._floats:
            self._floats[name] = _frozen(integers / unit)
        return self._floats[name]

    def exact(self, name: str) -> tuple[np.ndarray, int]:
        """Return a column as integers (numerators) with their common denominator.

        The denominator of a column of integers is 1.

        Raises
        ------
        InvalidInput
            If the column does not exist.
        """
        if name not in self.names:
            raise missing(name, self.points)
        if name not in self._integers:
            if name == "points":
                found = np.full(len(self), self.points, dtype=np.int64)
            else:
                found = self._load(name).astype(np.int64)
            self._integers[name] = _frozen(found), _unit(name, self.points)
        return self._integers[name]

    def at(self, row: int) -> AtlasClass:
        """Return the class in a row of the table.

        Examples
        --------
        >>> from catalog import atlas
        >>> atlas.table(2).at(3) == atlas.classes(2)[3]
        True
        """
        values = self.values(row)
        own = {name: values.pop(name) for name in OWN if name in values}
        mask, flipped, labelled = own["mask"], own.get("flipped", own["mask"]), own["labelled"]
        assert isinstance(mask, int) and isinstance(flipped, int) and isinstance(labelled, int)
        return AtlasClass(self.points, mask, self.flips, flipped, labelled, values)

    def all(self) -> tuple[AtlasClass, ...]:
        """Return the classes in all rows of the table."""
        columns = {name: self._values(name) for name in self.names}
        masks, labelled = (self[name].tolist() for name in ("mask", "labelled"))
        flipped = self["flipped"].tolist() if "flipped" in self.names else masks
        quantities = {name: column for name, column in columns.items() if name not in OWN}
        rows = zip(*quantities.values(), strict=True)
        return tuple(
            AtlasClass(
                self.points, mask, self.flips, other, count, dict(zip(quantities, row, strict=True))
            )
            for mask, other, count, row in zip(masks, flipped, labelled, rows, strict=True)
        )

    def values(self, row: int, names: Iterable[str] | None = None) -> dict[str, Value]:
        """Return the exact values of the quantities of the class in a row, by name.

        Examples
        --------
        >>> from catalog import atlas
        >>> atlas.table(2).values(3, ["mask", "randomized_ldim", "growth_function"])
        {'mask': 7, 'randomized_ldim': Fraction(3, 4), 'growth_function': (1, 2, 3)}
        """
        chosen = self.names if names is None else names
        return {name: self._values(name, slice(row, row + 1))[0] for name in chosen}

    def to_pandas(self, names: Iterable[str] | None = None) -> pandas.DataFrame:
        """Return a data frame with a row per class, fractions as floats and sequences as tuples.

        Parameters
        ----------
        names : iterable of str, optional
            Columns of the data frame. By default, all columns.

        Raises
        ------
        InvalidInput
            If pandas is missing, or one of the columns does not exist.
        """
        from lsclasses.frames import data_frame

        return data_frame({name: self[name] for name in (self.names if names is None else names)})

    def distinct(self, names: Sequence[str]) -> Distinct:
        """Return the combinations of values that occur in some columns.

        Only few combinations occur. So a slow exact computation can run once per combination, and
        its result holds for all classes with this combination.

        Parameters
        ----------
        names : sequence of str

        Raises
        ------
        InvalidInput
            If one of the columns does not exist.

        Examples
        --------
        >>> from catalog import atlas
        >>> found = atlas.table(3).distinct(["ldim", "vcdim"])
        >>> [(*each.values(), n) for each, n in zip(found.values, found.count.tolist())]
        [(0, 0, 1), (1, 1, 7), (2, 1, 1), (2, 2, 11), (3, 3, 1)]
        """
        key = np.zeros(len(self), dtype=np.int64)
        for name in names:
            integers = self.exact(name)[0]
            for part in integers.reshape(len(integers), -1).T:
                places = part - part.min()
                if int(places.max()) > len(places):
                    places = np.unique(places, return_inverse=True)[1]
                kinds = int(places.max()) + 1
                # Both factors are at most the number of classes, which is far below 2^31.
                if int(key.max(initial=0)) >= 2**62 // kinds:
                    key = np.unique(key, return_inverse=True)[1]
                key = key * kinds + places
        first, count, inverse = _distinct(key)
        rows = [self.values(row, names) for row in first.tolist()]
        return Distinct(rows, first, count, inverse)

    def _values(self, name: str, rows: slice = slice(None)) -> list[Value]:
        """Return exact values of a column."""
        entries, unit = self.exact(name)
        integers: list[Any] = entries[rows].tolist()
        if entries.ndim > 1:
            return list(map(tuple, integers))
        if not _fractions(name):
            return integers
        fractions = {whole: Fraction(whole, unit) for whole in set(integers)}
        return [fractions[whole] for whole in integers]


def _distinct(key: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the first position, the frequency and the index of natural numbers."""
    if int(key.max(initial=0)) > 4 * len(key):
        _, first, inverse, count = np.unique(
            key, return_index=True, return_inverse=True, return_counts=True
        )
        return first, count, inverse
    # Small numbers are counted in a table, without sorting.
    counts = np.bincount(key)
    occurring = np.flatnonzero(counts)
    place = np.zeros(len(counts), dtype=np.int64)
    place[key[::-1]] = np.arange(len(key))[::-1]
    first = place[occurring]
    place[occurring] = np.arange(len(occurring))
    return first, counts[occurring], place[key]


def missing(name: str, points: int) -> InvalidInput:
    """Return the error to raise for a column that the classes on `points` points do not have."""
    entry = described(name)
    if entry is not None and entry.flips_change:
        more = (
            "Take classes up to permutations only: flips=False."
            if points < 5
            else "The atlas has it for classes up to permutations on at most 4 points."
        )
        return InvalidInput(
            f"Flipping labels at points changes the {entry.title}, so classes up to "
            f"flips have none. {more}"
        )
    if name in COLUMNS and points > COLUMNS[name].most_points:
        return InvalidInput(
            f"The atlas has {name} of classes on at most {COLUMNS[name].most_points} points."
        )
    if name in COLUMNS:
        return InvalidInput(
            f"This file of the atlas does not have {name}; 'lsclasses atlas build' adds "
            "new columns."
        )
    if entry is not None:
        return InvalidInput(f"The atlas does not have the {entry.title}.")
    listed = "'lsclasses atlas sql \"describe atlas\"' lists all."
    hint = nearest(name, (*OWN, *COLUMNS), otherwise=listed)
    return InvalidInput(f"The atlas has no column {name!r}. {hint}")


def _fractions(name: str) -> bool:
    column = COLUMNS.get(name)
    return column is not None and column.denominator is not None


def _unit(name: str, points: int) -> int:
    column = None if name in OWN else COLUMNS.get(name)
    return 1 if column is None else int(column.unit(points))


def _frozen(column: np.ndarray) -> np.ndarray:
    column.flags.writeable = False
    return column
