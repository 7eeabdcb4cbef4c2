"""Evaluation of a statement on every class of the atlas."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from catalog.atlas import MOST_POINTS, POINTS, table
from catalog.atlas.atlas_table import AtlasTable, Distinct
from catalog.atlas.storage import there
from catalog.parameters import value
from catalog.refuting.statement import Sides, Statement, StatementParameter
from lsclasses.brackets import Bracket
from lsclasses.dimensions.expressions import Quantity, Real
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.files.tables import label_rows
from lsclasses.isomorphism import class_of_mask, orbit_name
from lsclasses.table import Table

if TYPE_CHECKING:
    import pandas

SHOWN_ROWS = 40
"""Largest number of rows of a table that is shown in full."""

Truth = Literal["holds", "fails", "not met", "no value", "undecided"]
OUTCOMES: tuple[Truth, ...] = ("holds", "fails", "not met", "no value", "undecided")
"""Outcomes of a statement on a class.

The statement is true or false, its condition is not met, a side has no value (for example, a
division by 0), or a side is too large to be computed.
"""


@dataclass(frozen=True)
class Found:
    """A class of the atlas with the values of both sides of a statement.

    Attributes
    ----------
    points, mask : int
        Number of points and mask, as in `catalog.atlas.AtlasClass`.
    sides : Sides
        Both sides of the statement.
    """

    points: int
    mask: int
    sides: Sides

    @property
    def name(self) -> str:
        """The permanent name of the class, if flips of labels are symmetries."""
        return orbit_name(self.points, self.mask)

    @property
    def table(self) -> Table:
        """The class as a table."""
        return class_of_mask(self.points, self.mask)


def table_rows(table: Table) -> list[str]:
    """Return the labels of a class as lines of digits, truncated for large classes."""
    rows = label_rows(table, SHOWN_ROWS)
    return [*rows, "..."] if len(table) > SHOWN_ROWS else rows


def lines_with_points(table: Table) -> list[str]:
    """Return lines with the labels of a class, below lines with the numbers of the points.

    Examples
    --------
    >>> print(*lines_with_points(Table([[0, 1], [1, 1]])), sep=chr(10))
    points  01
            01
            11
    """
    places = range(len(table.points))
    heads = [[str(x % 10) for x in places]]
    if len(places) > 10:
        heads.insert(0, [str(x // 10) if x % 10 == 0 else " " for x in places])
    lines = [*map("".join, heads), *table_rows(table)]
    return [f"points  {lines[0]}".rstrip(), *(f"        {line}" for line in lines[1:])]


@dataclass(frozen=True)
class Survey:
    """The outcomes of a statement on all classes on a number of points.

    Attributes
    ----------
    values : AtlasTable
        Classes with their parameters.
    distinct : Distinct
        Combinations of values of the statement's parameters that occur.
    combinations : list of dict
        Values of the statement's parameters in each combination.
    sides : list of Sides or None
        Both sides for each combination.
    outcomes : list of str
        One of `OUTCOMES` for each combination.
    """

    values: AtlasTable
    distinct: Distinct
    combinations: list[dict[str, Quantity]]
    sides: list[Sides | None]
    outcomes: list[Truth]

    @property
    def points(self) -> int:
        """Number of points of the classes."""
        return self.values.points

    def count(self, *wanted: Truth) -> int:
        """Return the number of classes with one of the given outcomes."""
        return int(self._are([each in wanted for each in self.outcomes]).sum())

    @property
    def equal(self) -> int:
        """Number of classes on which both sides are equal."""
        return int(self._are(self._equal()).sum())

    def where(self, wanted: Callable[[Sides], bool]) -> Iterator[Found]:
        """Yield the classes whose sides have a property, fewest concepts first."""
        return self._listed([each is not None and wanted(each) for each in self.sides])

    def number(self, wanted: Callable[[Sides], bool]) -> int:
        """Return the number of classes whose sides have a property."""
        return int(self._are([each is not None and wanted(each) for each in self.sides]).sum())

    def failures(self) -> Iterator[Found]:
        """Yield the classes for which the statement is false, fewest concepts first."""
        return self._listed([each == "fails" for each in self.outcomes])

    def holding(self) -> Iterator[Found]:
        """Yield the classes for which the statement is true, fewest concepts first."""
        return self._listed([each == "holds" for each in self.outcomes])

    def equalities(self) -> Iterator[Found]:
        """Yield the classes for which both sides are the same number, fewest concepts first."""
        return self._listed(self._equal())

    def differences(self) -> list[tuple[Real, int, Found]]:
        """Return each value of right - left with its number of classes and its smallest class."""
        kinds: dict[Real, list[int]] = {}
        for number, sides in enumerate(self.sides):
            if sides is not None:
                kinds.setdefault(sides.right - sides.left, []).append(number)
        rows = []
        for difference, numbers in kinds.items():
            chosen = np.zeros(len(self.sides), dtype=bool)
            chosen[numbers] = True
            rows.append((difference, int(self._are(chosen).sum()), next(self._listed(chosen))))
        return sorted(rows, key=lambda row: _middle(row[0]))

    def to_pandas(self) -> pandas.DataFrame:
        """Return a pandas data frame with a row for each class.

        A row contains the mask, the parameters, both sides and the outcome.

        Raises
        ------
        InvalidInput
            If pandas is missing.
        """
        from lsclasses.frames import data_frame

        places = self.distinct.inverse.tolist()
        columns: dict[str, Iterable[Any]] = {
            name: self.values[name] for name in ("points", "mask", "labelled")
        }
        for name in self.combinations[0]:
            columns[name] = [self.combinations[place][name] for place in places]
        for side in ("left", "right"):
            columns[side] = [getattr(self.sides[place], side, None) for place in places]
        return data_frame({**columns, "outcome": [self.outcomes[place] for place in places]})

    def _equal(self) -> list[bool]:
        return [sides is not None and sides.equal for sides in self.sides]

    def _are(self, chosen: Sequence[bool] | np.ndarray) -> np.ndarray:
        are: np.ndarray = np.asarray(chosen, dtype=bool)[self.distinct.inverse]
        return are

    def _listed(self, chosen: Sequence[bool] | np.ndarray) -> Iterator[Found]:
        places = np.flatnonzero(self._are(chosen))
        masks, sizes = self.values["mask"], self.values["size"]
        for i in places[np.lexsort((masks[places], sizes[places]))]:
            sides = self.sides[self.distinct.inverse[i]]
            assert sides is not None
            # A mask of six points fills 64 bits, and is stored as a signed number.
            yield Found(self.points, int(masks[i]) % (1 << (1 << self.points)), sides)


def _middle(number: Real) -> Real:
    """Return a number, or the mean of its bounds if only bounds are known."""
    return number.middle if isinstance(number, Bracket) else number


def survey(statement: Statement) -> Iterator[Survey]:
    """Return a survey of a statement for each number of points whose classes are known.

    Classes are taken up to flips of labels if no parameter of the statement changes under flips.
    The classes on five points are included if their file exists (``lsclasses atlas build``) and
    contains the parameters of the statement.

    Examples
    --------
    >>> for found in survey(Statement("vcdim >= ldim")):
    ...     if found.points < 5: print(found.points, len(found.values), found.count("fails"))
    1 2 0
    2 5 0
    3 21 1
    4 401 81
    >>> _, _, _, found, *_ = survey(Statement("vcdim >= ldim"))
    >>> next(found.failures())
    Found(points=4, mask=27, sides=Sides(left=1, right=2, holds=False, equal=False))
    """
    flips = not statement.flips_change
    for points in POINTS:
        yield judged(statement, table(points, flips=flips))
    if flips and there():
        five = table(MOST_POINTS)
        if set(statement.names) <= set(five.names):
            yield judged(statement, five)


@dataclass(frozen=True)
class _Coded:
    """A parameter without a column in the atlas, as its values and the index of each class."""

    values: list[Quantity]
    codes: np.ndarray


@cache
def _searched(
    name: str, parameter: StatementParameter | None, points: int, *, flips: bool
) -> _Coded:
    """Return the values on all classes on `points` points, by a search in each."""
    masks = table(points, flips=flips)["mask"].tolist()
    tables = (class_of_mask(points, mask) for mask in masks)
    compute = parameter or (lambda each: value(each, name))
    found = [compute(each) for each in tables]
    values = list(dict.fromkeys(found))
    places = {value: code for code, value in enumerate(values)}
    return _Coded(values, np.array([places[value] for value in found]))


def judged(statement: Statement, known: AtlasTable) -> Survey:
    """Return the survey of a statement on the classes of a table."""
    more: Mapping[str, _Coded] = {
        name: _searched(name, statement.more.get(name), known.points, flips=known.flips)
        for name in statement.names
        if name not in known.names
    }
    values = AtlasTable(
        known.points,
        flips=known.flips,
        names=(*known.names, *more),
        load=lambda name: more[name].codes if name in more else known.exact(name)[0],
    )
    distinct = values.distinct(statement.names)
    combinations: list[dict[str, Quantity]] = []
    for row in distinct.values:
        codes: Mapping[str, Any] = {name: row[name] for name in more}
        combinations.append({**row, **{name: more[name].values[codes[name]] for name in more}})
    sides: list[Sides | None] = []
    outcomes: list[Truth] = []
    for at in combinations:
        found = None
        try:
            found = statement.sides(at)
            outcome: Truth = "not met" if found is None else "holds" if found.holds else "fails"
        except InvalidInput:
            outcome = "no value"
        except TooLarge:
            outcome = "undecided"
        sides.append(found)
        outcomes.append(outcome)
    return Survey(values, distinct, combinations, sides, outcomes)
