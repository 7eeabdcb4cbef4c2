"""The summary of a class, which `ConceptClass.summary` returns.

A summary lists the dimensions, each exact or with bounds, as a string, as HTML and as a mapping.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from lsclasses.html import html_table

if TYPE_CHECKING:
    import pandas

Quantity = int | Fraction | float | tuple[int, ...]
"""A value of a dimension. An infinite value is `math.inf`."""


@dataclass(frozen=True)
class SummaryRow:
    """A row of a summary: one dimension of a class.

    Parameters
    ----------
    name, title : str
    value : str
        Exact value or bounds. For sequences, only the first entries.
    source : str
        Source of an exact value: "closed form", "search" or "inequalities". For bounds, the reason
        why the value is unknown: "limit reached" or "too large".
    lower, upper : int, Fraction, float or tuple of int, optional
        The known bounds, equal for an exact value. An infinite bound is `math.inf`.
    """

    name: str
    title: str
    value: str
    source: str
    lower: Quantity | None = None
    upper: Quantity | None = None

    @property
    def exact(self) -> Quantity | None:
        """The value as a number, or None if only bounds are known."""
        return self.lower if self.lower == self.upper else None


@dataclass(frozen=True)
class Summary(Mapping[str, "Quantity | None"]):
    """The dimensions of a class, as a mapping from names to exact values.

    `ConceptClass.summary` returns it. The value of a dimension is None if only bounds are known.
    The bounds are in `rows`. ``pandas.Series(summary)`` is a series of the values, and `to_pandas`
    returns a data frame with bounds and sources.

    Parameters
    ----------
    title : str
        Description of the class.
    rows : tuple of SummaryRow

    Examples
    --------
    >>> import catalog
    >>> summary = catalog.build("thresholds:n=5").summary(["ldim", "vcdim"])
    >>> summary["ldim"], dict(summary)
    (2, {'ldim': 2, 'vcdim': 1})
    >>> summary.rows[0].source
    'closed form'
    """

    title: str
    rows: tuple[SummaryRow, ...]

    def __getitem__(self, name: str) -> Quantity | None:
        """Return the value of a dimension, or None if only bounds are known."""
        for row in self.rows:
            if row.name == name:
                return row.exact
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return (row.name for row in self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def to_pandas(self) -> pandas.DataFrame:
        """Return a data frame with a row for each dimension: value, bounds, source and title.

        Raises
        ------
        InvalidInput
            If pandas is missing.

        Examples
        --------
        >>> import catalog
        >>> frame = catalog.build("thresholds:n=5").summary(["ldim", "vcdim"]).to_pandas()
        >>> list(frame.columns), int(frame.loc["ldim", "value"])
        (['value', 'lower', 'upper', 'source', 'title'], 2)
        """
        from lsclasses.frames import data_frame

        columns: dict[str, list[Any]] = {
            "value": [row.exact for row in self.rows],
            "lower": [row.lower for row in self.rows],
            "upper": [row.upper for row in self.rows],
            "source": [row.source for row in self.rows],
            "title": [row.title for row in self.rows],
        }
        return data_frame(columns, list(self))

    def __str__(self) -> str:
        name, value = (max(len(getattr(r, w)) for r in self.rows) for w in ("name", "value"))
        lines = (f"  {r.name:{name}}  {r.value:{value}}  {r.source}" for r in self.rows)
        return "\n".join([self.title, *lines])

    def _repr_html_(self) -> str:
        cells = [(row.name, row.title, row.value, row.source) for row in self.rows]
        return html_table(self.title, cells, head=("", "dimension", "value", "source"))
