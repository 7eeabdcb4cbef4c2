"""What a column is: features that a row's entry has, in words, as Python and as cells."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

import numpy as np

from learners.tables.records import Records

if TYPE_CHECKING:
    from learners.accounting import Event
    from learners.coins import Coins


def shown(text: str) -> str:
    r"""A name as it is printed: on one line, whatever characters it has.

    Examples
    --------
    >>> print(shown("âge"), shown("two\nlines"))
    âge 'two\nlines'
    """
    return text if text.isprintable() else repr(text)


class Column(ABC):
    """A declaration of how a column becomes Boolean features, perhaps from the data."""

    public: bool = True
    """Whether the features are public, or chosen with the privacy that `privacy` states."""

    @abstractmethod
    def fitted(self, table: Records, name: str, neighbours: str, coins: Coins) -> FixedColumn:
        """The fixed features, after a look at the table where that is needed."""

    def privacy(self, name: str, neighbours: str) -> Event | None:
        """The privacy cost of the look at the table; None if there was none."""
        return None


class FixedColumn(Column):
    """Features that are fixed beforehand, each a function of a row's entry."""

    @property
    @abstractmethod
    def count(self) -> int:
        """The number of features."""

    @property
    def rising(self) -> int:
        """The number of first features that are rising cut points: each implies those before."""
        return 0

    @abstractmethod
    def features(self, table: Records, name: str, unknown: str = "warn") -> np.ndarray:
        """The features of all rows, shape (rows, count), dtype bool."""

    @abstractmethod
    def holding(self, index: int) -> frozenset[int]:
        """The cells in which a feature holds.

        The features of a column divide its entries into count + 1 cells: the numbers between cut
        points, the categories and what is none of them, false and true.
        """

    @abstractmethod
    def described(self, name: str, index: int, holds: bool = True) -> str:
        """A feature, or its negation, in words."""

    @abstractmethod
    def source(self, name: str, index: int, holds: bool = True) -> str:
        """A feature, or its negation, as a Python expression in the dict ``row``."""

    @abstractmethod
    def cells(self, features: np.ndarray) -> np.ndarray:
        """The cells of rows by their features: shape (rows, count) to integers, shape (rows,)."""

    @abstractmethod
    def described_cells(self, name: str, cells: frozenset[int]) -> str:
        """The condition in words that the entry is in some cells, neither none nor all."""

    @abstractmethod
    def source_cells(self, name: str, cells: frozenset[int]) -> str:
        """The condition of `described_cells` as a Python expression in the dict ``row``."""

    @abstractmethod
    def to_json(self) -> dict[str, object]:
        """The declaration as JSON, which `as_column` reads."""

    def fitted(self, table: Records, name: str, neighbours: str, coins: Coins) -> FixedColumn:
        """The column itself, since it is fixed."""
        return self
