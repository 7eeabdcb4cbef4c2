"""A summary of a class: its dimensions, each exact or with bounds, as text and as HTML."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lsclasses.dimensions import DIMENSIONS
from lsclasses.errors import InfiniteDimension, TooLarge
from lsclasses.html import html_table
from lsclasses.limits import Limit

if TYPE_CHECKING:
    from lsclasses.concept_class import ConceptClass


@dataclass(frozen=True)
class SummaryRow:
    """One dimension of a class.

    Parameters
    ----------
    name, title : str
    value : str
        The exact value, or bounds where a limit was reached.
    source : str
        "closed form" or "search"; "limit reached" or "too large", where there is no exact value.
    """

    name: str
    title: str
    value: str
    source: str


@dataclass(frozen=True)
class Summary:
    """The dimensions of a class; made by `ConceptClass.summary`.

    Parameters
    ----------
    title : str
        The class.
    rows : tuple of SummaryRow
        ``pandas.DataFrame(summary.rows)`` is a data frame of them.
    """

    title: str
    rows: tuple[SummaryRow, ...]

    @classmethod
    def of(cls, C: ConceptClass, names: Iterable[str] | None, limit: Limit) -> Summary:
        """Compute it; `limit` is for each dimension by itself."""
        chosen = DIMENSIONS if names is None else names
        return cls(repr(C), tuple(_row(C, name, limit) for name in chosen))

    def __str__(self) -> str:
        name, value = (max(len(getattr(r, w)) for r in self.rows) for w in ("name", "value"))
        lines = (f"  {r.name:{name}}  {r.value:{value}}  {r.source}" for r in self.rows)
        return "\n".join([self.title, *lines])

    def _repr_html_(self) -> str:
        cells = [(row.name, row.title, row.value, row.source) for row in self.rows]
        return html_table(self.title, cells, head=("", "dimension", "value", "source"))


def _row(C: ConceptClass, name: str, limit: Limit) -> SummaryRow:
    DIMENSIONS.require(name)
    entry = DIMENSIONS[name]
    try:
        found = entry.evaluate(C, limit=limit)
    except InfiniteDimension:
        return SummaryRow(name, entry.title, "infinite", "closed form")
    except TooLarge as stopped:
        bounds = stopped.lower, stopped.upper
        low, high = ("?" if bound is None else str(bound) for bound in bounds)
        shown = "unknown" if bounds == (None, None) else f"{low} to {high}"
        reached = stopped.limit is not None and stopped.limit in (limit.seconds, limit.memory)
        return SummaryRow(name, entry.title, shown, "limit reached" if reached else "too large")
    value = found.value
    shown = " ".join(map(str, value)) if isinstance(value, tuple) else str(value)
    return SummaryRow(name, entry.title, shown, found.source)
