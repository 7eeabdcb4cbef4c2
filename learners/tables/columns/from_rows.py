"""Columns whose features are chosen by looking at the rows, either privately or without privacy.

With privately chosen features, the guarantee of the table is the sequential composition of the
guarantee of the choice and the guarantee of a learner on the features.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Annotated

import numpy as np

from learners.accounting import Event, SelfComposed
from learners.checked import Epsilon
from learners.coins import Coins
from learners.mechanisms.selection import ExponentialMechanism
from learners.tables.cells import Cells
from learners.tables.columns.base import Column, FixedColumn
from learners.tables.columns.categories import Categories
from learners.tables.columns.numeric import Cuts, public_range
from learners.tables.dates import DAY, is_date
from lsclasses.errors import InvalidInput
from lsclasses.frozen import set_frozen_fields
from lsclasses.numbers import as_printed
from lsclasses.options import Option, check_fields

CutPoints = Annotated[int, Option("number of cut points", minimum=1)]


@dataclass(frozen=True)
class PrivateCuts(Column):
    """A numeric column whose cut points are approximate quantiles, chosen privately from a grid.

    The grid divides a public range into equal steps. The exponential mechanism chooses the j-th
    of `count` cut points with score ``-|(count + 1) #{rows below it} - j rows|``. Each choice has
    an equal share of epsilon.

    **Guarantee.** (epsilon, 0)-DP, under both neighbour relations, by basic composition.

    **Proof.** One replaced row changes the number of rows below a grid point by at most 1 and not
    the number of rows, so the score by at most count + 1. One added row changes the difference of
    the two products by (count + 1) - j or by -j, at most count in absolute value. So the
    sensitivity is at most count + 1, and each choice costs epsilon/count.

    Parameters
    ----------
    low, high : numbers
        Ends of the public range. Entries may lie outside.
    grid : int
        Number of steps of the range, at least 2. The grid points inside are candidates.
    count : int
        Number of chosen cut points. Equal cut points count once.
    epsilon : Fraction, float or text
        Privacy cost of all cut points. A float is read as the decimal it prints.
    dates : bool
        Whether the ends are dates in seconds. If the ends are given as dates, the value is true.

    Raises
    ------
    InvalidInput
        If the range is empty, the grid has one step, `count` is 0, or epsilon is not positive.

    Examples
    --------
    >>> from learners.coins import SeededCoins
    >>> from learners.tables.cells import Cells
    >>> column = PrivateCuts(0, 100, grid=20, count=1, epsilon=1)
    >>> ages = Cells("age", np.array([20 + i % 31 for i in range(1000)]))  # median 35
    >>> column.fitted(ages, "replace_one", SeededCoins(1))
    Cuts(points=(35.0,))
    """

    low: Fraction
    high: Fraction
    grid: Annotated[int, Option("number of steps of the grid", minimum=2)]
    count: CutPoints
    epsilon: Epsilon
    dates: bool = False

    def __post_init__(self) -> None:
        low, high, dates = public_range(self.low, self.high)
        epsilon = as_printed(self.epsilon, "epsilon of the cut points")
        set_frozen_fields(self, low=low, high=high, epsilon=epsilon, dates=self.dates or dates)
        check_fields(self)

    def require_readable(self, cells: Cells) -> None:
        """Refuse entries that are not numbers, so that errors precede the charge."""
        cells.numbers(dates=self.dates)

    @property
    def largest(self) -> Cuts:
        """A column with as many cut points as this declaration can choose at most."""
        return Cuts(range(self.count))

    @property
    def candidates(self) -> tuple[float, ...]:
        """The grid points inside the range."""
        return Cuts.steps(self.low, self.high, self.grid - 1).points

    def _mechanism(self, neighbours: str) -> ExponentialMechanism:
        return ExponentialMechanism(
            self.epsilon / self.count, sensitivity=self.count + 1, neighbours=neighbours
        )

    def privacy(self, name: str, neighbours: str) -> Event:
        """Return the privacy cost of choosing the cut points."""
        one = replace(
            self._mechanism(neighbours).privacy,
            name=f"a cut point of {name!r}",  # type: ignore
        )
        return SelfComposed(one, self.count)

    def fitted(self, cells: Cells, neighbours: str, coins: Coins) -> Cuts:
        """Choose the cut points privately from the column's values.

        Grid points with the same number of rows below them have equal scores. So the mechanism
        first chooses this number, and then one of the grid points with this number uniformly. This
        gives the same output distribution as a choice among all grid points.
        """
        values, candidates = np.sort(cells.numbers(dates=self.dates)), self.candidates
        number = np.searchsorted(values, np.array(candidates), side="left")
        below, firsts, sizes = np.unique(number, return_index=True, return_counts=True)
        mechanism, parts, rows = self._mechanism(neighbours), self.count + 1, len(values)
        chosen = []
        for j in range(1, parts):
            place = mechanism.release(-abs(parts * below - j * rows), coins, counts=sizes)
            chosen.append(candidates[firsts[place] + coins.below(int(sizes[place]))])
        return Cuts(chosen, self.dates)


@dataclass(frozen=True)
class DataDependent(Column):
    """Cut points at quantiles, or all categories that occur. **Not private**.

    Parameters
    ----------
    count : int
        Number of cut points of a numeric column.

    Examples
    --------
    >>> from learners.coins import SeededCoins
    >>> from learners.tables.cells import Cells
    >>> sizes, kinds = Cells("size", np.array([1, 2, 9])), Cells("kind", np.array(["a", "b", "a"]))
    >>> DataDependent(1).fitted(sizes, "replace_one", SeededCoins(1))
    Cuts(points=(2.0,))
    >>> DataDependent(1).fitted(kinds, "replace_one", SeededCoins(1))
    Categories(values=('a', 'b'))
    """

    count: CutPoints = 3

    public = False

    def __post_init__(self) -> None:
        check_fields(self)

    def fitted(self, cells: Cells, neighbours: str, coins: Coins) -> FixedColumn:
        """Return the features chosen from the data, without privacy."""
        if cells.entries.dtype.kind not in "biuf":
            texts = cells.texts(blank=True)
            if all(map(is_date, texts.tolist())):
                with suppress(InvalidInput):  # strings such as 2020-02-30 are categories
                    return self._quantiles(cells, dates=True)
            try:
                for text in texts.tolist():
                    float(text)
            except ValueError:
                return Categories(sorted(set(texts.tolist())))
        return self._quantiles(cells, dates=False)

    def _quantiles(self, cells: Cells, *, dates: bool) -> Cuts:
        """Return cut points at quantiles. A date is rounded to its midnight."""
        shares = [j / (self.count + 1) for j in range(1, self.count + 1)]
        points = np.quantile(cells.numbers(dates=dates), shares)
        return Cuts((points // DAY * DAY if dates else points).tolist(), dates)
