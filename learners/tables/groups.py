"""Error rates and rates of positive predictions for the rows of each group, with noise.

Each training row is in one group (a cell of a declared column), has one label and gets one
prediction. So it is counted in one of 4 cells of its group. A replaced row changes two of these
counts by 1. An added or removed row changes one count by 1. So `CountNoise` for two counts (or for
one count) makes all counts private together, for every number of groups. The model is public at
this point, so its prediction is a function of the row only. Rates are computed from the noisy
counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import hypot
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from learners import checked
from learners.accounting import Event, checked_neighbours
from learners.checked import Epsilon
from learners.mechanisms.count_noise import CountNoise
from learners.tables.columns import Column, FixedColumn
from learners.tables.saved import checked_text
from lsclasses.errors import InvalidInput
from lsclasses.files.comma_separated import unquoted
from lsclasses.numbers import as_printed, integer, parse_number
from lsclasses.options import check_fields

if TYPE_CHECKING:
    from learners.coins import Coins
    from learners.tables.records import Records

Counts = tuple[tuple[int, int, int, int], ...]
"""Noisy numbers of rows of every group, for the four pairs (label, prediction): (0, 0), (0, 1), (1,
0) and (1, 1)."""

FEW = 3
"""Least noisy number of rows for which a rate is printed, in standard deviations of the noise."""


@dataclass(frozen=True)
class PrivateGroupCounts:
    """Noisy numbers of rows by group, label and prediction. The module contains the proof.

    **Guarantee.** (epsilon, 0)-DP.

    Parameters
    ----------
    epsilon : Fraction or int
        Privacy cost of the release.
    neighbours : {"replace_one", "add_remove"}
        Neighbour relation of the guarantee.

    Raises
    ------
    InvalidInput
        If epsilon is not positive, or the relation does not exist.

    Examples
    --------
    >>> from learners.coins import SeededCoins
    >>> groups, labels = np.array([0, 1, 1] * 100), np.array([0, 1, 0] * 100)
    >>> PrivateGroupCounts(1).release(groups, 2, labels, labels, SeededCoins(1))
    ((93, -3, 2, -1), (100, 0, 0, 100))
    """

    epsilon: Epsilon
    neighbours: str = "replace_one"

    def __post_init__(self) -> None:
        check_fields(self)
        checked_neighbours(self.neighbours)

    @property
    def changes(self) -> int:
        """The largest number of counts that one row changes, each by 1."""
        return 2 if self.neighbours == "replace_one" else 1

    @property
    def noise(self) -> CountNoise:
        """The noise of every count."""
        return CountNoise(self.epsilon, self.changes, None, self.neighbours, "rates by group")

    @property
    def privacy(self) -> Event:
        """The privacy cost of all counts together."""
        return self.noise.privacy

    def release(
        self,
        groups: NDArray[np.integer],
        size: int,
        labels: NDArray[Any],
        predicted: NDArray[Any],
        coins: Coins,
    ) -> Counts:
        """Release the noisy counts by group, label and prediction.

        Parameters
        ----------
        groups : array of int, shape (rows,)
            Number of the group of each row.
        size : int
            Number of groups.
        labels, predicted : array of 0 and 1, shape (rows,)
            True and predicted label of each row.
        coins : Coins
            Source of the random draws.
        """
        places = 4 * groups.astype(np.int64) + 2 * labels.astype(np.int64)
        counts = np.bincount(places + predicted.astype(np.int64), minlength=4 * size)
        # Python's integers, because noise for a small epsilon exceeds 64 bits.
        noise = self.noise.draw(4 * size, coins)
        noisy = [count + drawn for count, drawn in zip(counts.tolist(), noise, strict=True)]
        return tuple(
            (noisy[i], noisy[i + 1], noisy[i + 2], noisy[i + 3]) for i in range(0, 4 * size, 4)
        )


@dataclass(frozen=True)
class GroupShare:
    """A request for rates by group: the column of the groups, and its share of epsilon.

    Attributes
    ----------
    column : str
        Column that makes groups.
    share : Fraction
        Share of epsilon for noisy rates.
    names : tuple of str
        Names of the groups, in words. Empty before `of_rows`.
    cells : numpy.ndarray or None
        Group of each row. None before `of_rows`.
    """

    column: str
    share: Fraction
    names: tuple[str, ...] = ()
    cells: NDArray[np.integer] | None = field(default=None, repr=False)

    @classmethod
    def parse(cls, text: str) -> GroupShare:
        """Return the request ``COLUMN=SHARE``. Double quotes protect commas of the name.

        Raises
        ------
        InvalidInput
            If the string has another form, or the share leaves no budget for learning.

        Examples
        --------
        >>> GroupShare.parse("gender=0.1").share
        Fraction(1, 10)
        """
        name, equals, share = text.rpartition("=")
        if not equals or not name.strip():
            raise InvalidInput(
                "Rates by group must be requested as COLUMN=SHARE, such as gender=0.1, with a "
                f"share of epsilon. Got {text!r}."
            )
        part = checked.share(as_printed(share, "share of epsilon"), "share of epsilon")
        return cls(unquoted(name), part)

    def of_rows(self, table: Records, known: Mapping[str, Column], unknown: str) -> GroupShare:
        """Return the request with the group of each row.

        Parameters
        ----------
        table : Records
            Rows of the table.
        known : mapping from str to Column
            Declarations of the columns.
        unknown : {"warn", "error", "ignore"}
            Treatment of undeclared categories.

        Raises
        ------
        InvalidInput
            If the column has no public cut points or categories, or an entry cannot be read.
        """
        column = known.get(self.column)
        if not isinstance(column, FixedColumn):
            raise InvalidInput(
                "Groups need a column with public cut points or categories, but "
                f"{self.column!r} has no such declaration. Declare it by --cuts or in the schema. "
                "(A column that --sensitive leaves out still needs a declaration.)"
            )
        names = tuple(
            column.described_cells(self.column, frozenset((cell,)))
            for cell in range(column.count + 1)
        )
        cells = column.cells(column.features(table.cells(self.column), unknown))
        return replace(self, names=names, cells=cells)

    def paid_from(
        self, epsilon: Fraction, kept: NDArray[np.integer], neighbours: str
    ) -> tuple[Groups, Fraction]:
        """Return the release of rates for some rows, and the epsilon that remains.

        Parameters
        ----------
        epsilon : Fraction
            Budget of which the share is taken.
        kept : numpy.ndarray
            Numbers of the rows.
        neighbours : {"replace_one", "add_remove"}
            Neighbour relation of the guarantee.
        """
        assert self.cells is not None
        mechanism = PrivateGroupCounts(epsilon * self.share, neighbours)
        groups = Groups(self.column, self.names, self.cells[kept], mechanism)
        return groups, epsilon * (1 - self.share)


@dataclass(frozen=True)
class Groups:
    """The groups of the training rows, and the release of rates by group.

    Attributes
    ----------
    column : str
        Name of the column.
    names : tuple of str
        Names of the groups.
    cells : numpy.ndarray
        Group of each row.
    mechanism : PrivateGroupCounts
        Mechanism that releases the counts.
    """

    column: str
    names: tuple[str, ...]
    cells: NDArray[np.integer]
    mechanism: PrivateGroupCounts

    def release(self, labels: NDArray[Any], predicted: NDArray[Any], coins: Coins) -> GroupRates:
        """Release the rates of a model by group, from labels and predictions of the rows."""
        counts = self.mechanism.release(self.cells, len(self.names), labels, predicted, coins)
        return GroupRates(self.column, self.names, counts, self.mechanism.noise.scale)


@dataclass(frozen=True)
class GroupRates:
    """The noisy counts by group of a model, and the rates computed from these counts.

    Attributes
    ----------
    column : str
        Name of the column.
    names : tuple of str
        Names of the groups, in words.
    counts : tuple of tuple of int
        Noisy counts of each group, in the order of `Counts`.
    scale : Fraction
        Scale of the discrete Laplace noise of each count.
    """

    column: str
    names: tuple[str, ...]
    counts: Counts
    scale: Fraction

    @property
    def deviation(self) -> float:
        """The standard deviation of the noise of one count."""
        return CountNoise(1 / self.scale, 1).deviation

    def rates(self, group: int) -> tuple[tuple[float, float] | None, ...]:
        """Return the rates of a group, each with the standard deviation of its noise.

        The rates are the shares of rows predicted 1 among all rows, among the rows of label 1 and
        among the rows of label 0. A rate is None if there are too few rows for the noise.
        """
        a, b, c, d = self.counts[group]
        sides = (2, a + c, 2, b + d), (1, c, 1, d), (1, a, 1, b)
        found: list[tuple[float, float] | None] = []
        for many, no, more, yes in sides:
            whole = no + yes
            if whole <= FEW * self.deviation * (many + more) ** 0.5 or whole <= 0:
                found.append(None)
                continue
            share = min(max(yes / whole, 0.0), 1.0)
            error = self.deviation * hypot(many**0.5 * share, more**0.5 * (1 - share)) / whole
            found.append((share, error))
        return tuple(found)

    def table(self, positive: object) -> list[tuple[str, ...]]:
        """Return the rates in words as a table, with a header and one row for each group."""
        head = (
            "group",
            "rows",
            f"predicted {positive}",
            f"of label {positive}",
            "of other labels",
        )
        lines: list[tuple[str, ...]] = [head]
        for i, name in enumerate(self.names):
            rates = [
                "too few rows" if rate is None else f"{rate[0]:.3f} +- {rate[1]:.3f}"
                for rate in self.rates(i)
            ]
            lines.append((name, f"{sum(self.counts[i])} +- {2 * self.deviation:.1f}", *rates))
        return lines

    def text(self, positive: object) -> str:
        """Return the table of rates as lines of one width."""
        lines = self.table(positive)
        wide = [max(len(line[j]) for line in lines) for j in range(len(lines[0]))]
        return "\n".join(
            "  ".join(cell.ljust(width) for cell, width in zip(line, wide, strict=True)).rstrip()
            for line in lines
        )

    def to_json(self) -> dict[str, object]:
        """Return the counts as JSON values, for `from_json`."""
        return {
            "column": self.column,
            "names": list(self.names),
            "counts": [list(group) for group in self.counts],
            "scale": str(self.scale),
        }

    @classmethod
    def from_json(cls, data: Any) -> GroupRates:
        """Return the counts that `to_json` wrote.

        Raises
        ------
        InvalidInput
            If a group does not have four integers.
        """
        if not isinstance(data, dict) or set(data) != {"column", "names", "counts", "scale"}:
            raise InvalidInput("rates by group need a column, names, counts and a scale.")
        counts = tuple(_four(group) for group in data["counts"])
        names = tuple(checked_text(name, "name of a group") for name in data["names"])
        if len(names) != len(counts):
            raise InvalidInput(f"there are {len(names)} groups, but counts of {len(counts)}.")
        scale = checked.positive_fraction(
            parse_number(checked_text(data["scale"], "scale"), "scale"), "scale"
        )
        return cls(checked_text(data["column"], "column"), names, counts, scale)


def _four(group: Sequence[object]) -> tuple[int, int, int, int]:
    if not isinstance(group, list) or len(group) != 4:
        raise InvalidInput(f"a group must have four counts. Got {group!r:.200}.")
    a, b, c, d = (integer(count, "count") for count in group)
    return a, b, c, d
