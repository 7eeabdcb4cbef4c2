"""Columns whose features are chosen by looking at the rows, either privately or without privacy.

With privately chosen features, the guarantee of the table is the sequential composition of the
guarantee of the choice and the guarantee of a learner on the features.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from learners import checked
from learners.accounting import Event, SelfComposed, Sequential
from learners.coins import Coins
from learners.mechanisms.selection import ExponentialMechanism
from learners.not_private import PublicWarning
from learners.tables.columns import (
    Categories,
    Column,
    Cuts,
    FixedColumn,
    FixedColumns,
    public_range,
)
from learners.tables.records import Records
from lsclasses.errors import InvalidInput
from lsclasses.frozen import set_frozen_fields
from lsclasses.numbers import as_printed, plural


class NotPrivateWarning(PublicWarning):
    """Some values were taken from the data without privacy, so no guarantee remains."""


@dataclass(frozen=True)
class PrivateCuts(Column):
    """A numeric column whose cut points are approximate quantiles, chosen privately from a grid.

    The grid divides a public range into equal steps. The exponential mechanism chooses the j-th
    of `count` cut points with score ``-|(count + 1) #{rows below it} - j rows|``. Each choice has
    an equal share of epsilon.

    **Guarantee.** (epsilon, 0)-DP, under both neighbour relations, by basic composition.

    **Proof.** One replaced row changes the number of rows below a grid point by at most 1 and not
    the number of rows, so the score by at most count + 1. One added row changes the product
    difference by (count + 1) - j or by -j, at most count in absolute value. So the sensitivity is
    at most count + 1, and each choice costs epsilon/count.

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

    Raises
    ------
    InvalidInput
        If the range is empty, the grid has one step, `count` is 0, or epsilon is not positive.

    Examples
    --------
    >>> from learners.coins import SeededCoins
    >>> from learners.tables.records import as_records
    >>> column = PrivateCuts(0, 100, grid=20, count=1, epsilon=1)
    >>> ages = as_records([[20 + i % 31] for i in range(1000)], names=["age"])  # median 35
    >>> column.fitted(ages, "age", "replace_one", SeededCoins(1))
    Cuts(points=(35.0,))
    """

    low: Fraction
    high: Fraction
    grid: int
    count: int
    epsilon: Fraction

    def __post_init__(self) -> None:
        low, high = public_range(self.low, self.high)
        grid = checked.positive(self.grid, "number of steps of the grid")
        if grid < 2:
            raise InvalidInput("The grid needs at least 2 steps to have a point. Got 1.")
        epsilon = checked.epsilon(as_printed(self.epsilon, "epsilon of the cut points"))
        count = checked.positive(self.count, "number of cut points")
        set_frozen_fields(self, low=low, high=high, grid=grid, count=count, epsilon=epsilon)

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

    def fitted(self, table: Records, name: str, neighbours: str, coins: Coins) -> Cuts:
        """Choose the cut points privately.

        Grid points with equal rows below them have equal scores. So the mechanism first chooses
        the number of rows below, and then one of its grid points uniformly. This gives the same
        output distribution.
        """
        values, candidates = np.sort(table.numbers(name)), self.candidates
        number = np.searchsorted(values, np.array(candidates), side="left")
        below, firsts, sizes = np.unique(number, return_index=True, return_counts=True)
        mechanism, parts, rows = self._mechanism(neighbours), self.count + 1, len(values)
        chosen = []
        for j in range(1, parts):
            place = mechanism.release(-abs(parts * below - j * rows), coins, counts=sizes)
            chosen.append(candidates[firsts[place] + coins.below(int(sizes[place]))])
        return Cuts(chosen)


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
    >>> from learners.tables.records import as_records
    >>> table = as_records([[1, "a"], [2, "b"], [9, "a"]], names=["size", "kind"])
    >>> DataDependent(1).fitted(table, "size", "replace_one", SeededCoins(1))
    Cuts(points=(2.0,))
    >>> DataDependent(1).fitted(table, "kind", "replace_one", SeededCoins(1))
    Categories(values=('a', 'b'))
    """

    count: int = 3

    public = False

    def __post_init__(self) -> None:
        set_frozen_fields(self, count=checked.positive(self.count, "number of cut points"))

    def fitted(self, table: Records, name: str, neighbours: str, coins: Coins) -> FixedColumn:
        """Return the features that the data suggest."""
        entries = table.column(name)
        if entries.dtype.kind not in "biuf":
            texts = table.texts(name, blank=True)
            try:
                for text in texts.tolist():
                    float(text)
            except ValueError:
                return Categories(sorted(set(texts.tolist())))
        shares = [j / (self.count + 1) for j in range(1, self.count + 1)]
        return Cuts(np.quantile(table.numbers(name), shares).tolist())


def choice_cost(
    declared: Sequence[Column], names: Sequence[str], neighbours: str
) -> Sequential | None:
    """Return the privacy cost of choosing the features of columns, before looking at the rows.

    Returns
    -------
    Sequential or None
        None if features will be taken from the data without privacy.

    Raises
    ------
    InvalidInput
        If the number of declarations differs from the number of columns.

    Examples
    --------
    >>> from learners.accounting import basic
    >>> cost = choice_cost([PrivateCuts(0, 1, 10, 2, 0.5), Categories("ab")], ["size", "kind"],
    ...                    "replace_one")
    >>> basic(cost)
    (Fraction(1, 2), Fraction(0, 1))
    >>> choice_cost([DataDependent()], ["size"], "replace_one") is None
    True
    """
    if len(declared) != len(names):
        raise InvalidInput(
            f"Every column must be declared. Got {plural(len(declared), 'declaration')} for "
            f"{plural(len(names), 'column')}."
        )
    if not all(column.public for column in declared):
        return None
    costs = [column.privacy(name, neighbours) for name, column in zip(names, declared, strict=True)]
    return Sequential(tuple(cost for cost in costs if cost is not None))


def require_readable(table: Records, declared: Iterable[Column], unknown: str) -> None:
    """Read all entries of a table as declared, without coins, so that errors precede the charge.

    Parameters
    ----------
    table : Records
    declared : iterable of Column
        Declaration of each column.
    unknown : {"warn", "error", "ignore"}
        Treatment of undeclared categories. Only ``"error"`` refuses them in this function.

    Raises
    ------
    InvalidInput
        If an entry cannot be read.
    """
    for name, column in zip(table.names, declared, strict=True):
        if isinstance(column, PrivateCuts):
            table.numbers(name)
        elif isinstance(column, FixedColumn):
            column.features(table, name, unknown if unknown == "error" else "ignore")


def fit_columns(
    declared: Sequence[Column], table: Records, neighbours: str, coins: Coins
) -> tuple[FixedColumns, Event | None]:
    """Return the features of all columns of a table, and the privacy cost of choosing them.

    Parameters
    ----------
    declared : sequence of Column
        Declaration of every column of the table.
    table : Records
    neighbours : {"replace_one", "add_remove"}
    coins : Coins

    Returns
    -------
    columns : FixedColumns
    cost : Event or None
        None if features were taken from the data without privacy.

    Examples
    --------
    >>> from learners.coins import SeededCoins
    >>> from learners.accounting import basic
    >>> from learners.tables.columns import Flag
    >>> from learners.tables.records import as_records
    >>> table = as_records([[i, 0] for i in range(500)], names=["income", "smoker"])
    >>> columns = [PrivateCuts(0, 1000, 10, 1, 0.5), Flag()]
    >>> fixed, cost = fit_columns(columns, table, "replace_one", SeededCoins(0))
    >>> [fixed.described(j) for j in range(fixed.count)], basic(cost)
    (['income >= 200', 'smoker'], (Fraction(1, 2), Fraction(0, 1)))
    """
    cost = choice_cost(declared, table.names, neighbours)
    if cost is None:
        warnings.warn(
            "Cut points or categories are taken from the data, so every model that is learned from "
            "them has no privacy guarantee.",
            NotPrivateWarning,
            stacklevel=3,
        )
    fixed = [
        column.fitted(table, name, neighbours, coins)
        for name, column in zip(table.names, declared, strict=True)
    ]
    return FixedColumns(table.names, tuple(fixed)), cost
