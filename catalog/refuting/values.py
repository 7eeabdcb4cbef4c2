"""The parameters of all classes on some number of points, as columns of integers."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np

from catalog.atlas import POINTS, classes
from catalog.atlas.columns import COLUMNS, column_names
from catalog.atlas.margins import quantities
from lsclasses.dimensions.expressions import Quantity
from lsclasses.dimensions.inequalities import quantity

__all__ = ["ClassValues", "Distinct", "class_values"]

SMALL = 1 << 22
"""Up to so many combinations of values are looked up; more are sorted."""
LARGE = 1 << 62


@dataclass(frozen=True)
class Distinct:
    """The different combinations of values of some parameters, and where they occur.

    Attributes
    ----------
    rows : list of dict
        The values by name.
    which : array of int, shape (classes,)
        For each class its place in `rows`.
    """

    rows: list[dict[str, Quantity]]
    which: np.ndarray


@dataclass(frozen=True)
class ClassValues:
    """All classes on some number of points, up to symmetry, with some of their parameters.

    Parameters
    ----------
    points : int
    flips : bool
        Whether they are all up to flips of labels, too, or up to permutations of the points only.
    masks : array of uint64, shape (classes,)
    values : mapping of str to array of int, shape (classes,) or (classes, k)
        By parameter; a sequence has a column for each entry.
    units : mapping of str to Fraction
        What the integers of a parameter count, if not ones.
    """

    points: int
    flips: bool
    masks: np.ndarray
    values: Mapping[str, np.ndarray]
    units: Mapping[str, Fraction]

    def __len__(self) -> int:
        return len(self.masks)

    @property
    def sizes(self) -> np.ndarray:
        """How many concepts each class has."""
        counted: np.ndarray = np.bitwise_count(self.masks).astype(np.int64)
        return counted

    def distinct(self, names: Sequence[str]) -> Distinct:
        """The combinations of values that occur.

        Formulas are then computed once for each, exactly, however many classes there are.

        Examples
        --------
        >>> found = class_values(3, ("vcdim", "ldim"), flips=True).distinct(("vcdim", "ldim"))
        >>> found.rows, np.bincount(found.which).tolist()  # doctest: +NORMALIZE_WHITESPACE
        ([{'vcdim': 0, 'ldim': 0}, {'vcdim': 1, 'ldim': 1}, {'vcdim': 1, 'ldim': 2},
          {'vcdim': 2, 'ldim': 2}, {'vcdim': 3, 'ldim': 3}], [1, 7, 1, 11, 1])
        """
        code = np.zeros(len(self), dtype=np.int64)
        space = 1
        for name in names:
            for column in self._columns(name):
                least, most = int(column.min()), int(column.max())
                if space * (most - least + 1) > LARGE:
                    code = np.unique(code, return_inverse=True)[1].astype(np.int64)
                    space = int(code.max()) + 1
                code = code * (most - least + 1) + (column - least)
                space *= most - least + 1
        found, first, which = _unique(code, space)
        rows = [{name: self._value(name, int(i)) for name in names} for i in first]
        assert len(found) == len(rows)
        return Distinct(rows, which)

    def _columns(self, name: str) -> Iterator[np.ndarray]:
        found = self.values[name].astype(np.int64)
        yield from found.T if found.ndim == 2 else (found,)

    def _value(self, name: str, i: int) -> Quantity:
        entry = self.values[name][i]
        if entry.ndim:
            return tuple(entry.tolist())
        # As searches give it: a fraction for whatever has a unit.
        return int(entry) * self.units[name] if name in self.units else int(entry)


def _unique(code: np.ndarray, space: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The codes that occur, where each does first, and which of them each entry is."""
    if space > SMALL:
        found, first, which = np.unique(code, return_index=True, return_inverse=True)
        return found, first, which
    first = np.full(space, -1)
    first[code[::-1]] = np.arange(len(code) - 1, -1, -1)
    found = np.flatnonzero(first >= 0)
    place = np.zeros(space, dtype=np.int64)
    place[found] = np.arange(len(found))
    return found, first[found], place[code]


def class_values(points: int, names: Sequence[str], *, flips: bool) -> ClassValues | None:
    """All classes on that many points with these parameters; None if they are not there.

    Parameters
    ----------
    points : int
    names : sequence of str
        Of `lsclasses.dimensions.inequalities.QUANTITIES`.
    flips : bool
        Whether flips are symmetries, too; then parameters that they change must not be among the
        names.

    Examples
    --------
    >>> found = class_values(2, ("size", "randomized_ldim"), flips=True)
    >>> found.masks.tolist(), found.values["size"].tolist()
    ([1, 3, 6, 7, 15], [1, 2, 2, 3, 4])
    >>> found.values["randomized_ldim"].tolist(), found.units
    ([0, 4, 4, 6, 8], {'randomized_ldim': Fraction(1, 8)})
    """
    if points not in POINTS:
        return None
    listed = classes(points, flips=flips)
    masks = np.array([C.mask for C in listed], dtype=np.uint64)
    given = column_names(points, flips=flips)
    units = {
        name: Fraction(1, COLUMNS[name].unit(points))
        for name in names
        if name in given and COLUMNS[name].denominator is not None
    }
    values: dict[str, np.ndarray] = {}
    for name in names:
        if name == "size":
            values[name] = np.bitwise_count(masks).astype(np.int64)
        elif name == "points":
            values[name] = np.full(len(masks), points)
        elif name == "zero_cover_number":
            covers = _covers(points)
            values[name] = np.array([covers[C.flipped] for C in listed])
        elif name in given:
            values[name] = _integers([C[name] for C in listed], units.get(name))
        else:
            values[name], unit = _searched(points, name, flips=flips)
            units |= {} if unit is None else {name: unit}
    return ClassValues(points, flips, masks, values, units)


def _integers(found: Sequence[Quantity], unit: Fraction | None) -> np.ndarray:
    if unit is None:
        return np.array(found, dtype=np.int64)
    counted = [Fraction(value) / unit for value in found]  # type: ignore[arg-type]
    assert all(count.denominator == 1 for count in counted)
    return np.array([count.numerator for count in counted], dtype=np.int64)


@cache
def _searched(points: int, name: str, *, flips: bool) -> tuple[np.ndarray, Fraction | None]:
    """A parameter that the atlas has no column of, by search in each class, and its unit."""
    found = [quantity(C.table, name) for C in classes(points, flips=flips)]
    if not any(isinstance(value, Fraction) for value in found):
        return _integers(found, None), None
    unit = Fraction(1, math.lcm(*(Fraction(value).denominator for value in found)))  # type: ignore[arg-type]
    return _integers(found, unit), unit


@cache
def _covers(points: int) -> dict[int, Quantity]:
    """The 0-covering numbers of the classes on that many points, by mask."""
    return {
        C.mask: values["zero_cover_number"]
        for C, values in quantities()
        if C.points == points and C.mask == C.flipped
    }
