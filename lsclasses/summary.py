"""A summary of a class: its dimensions, each exact or with bounds, as text and as HTML."""

from __future__ import annotations

from dataclasses import dataclass

from lsclasses.html import html_table


@dataclass(frozen=True)
class SummaryRow:
    """One dimension of a class.

    Parameters
    ----------
    name, title : str
    value : str
        The exact value, or bounds; of sequences the first entries.
    source : str
        "closed form", "search" or "inequalities"; "limit reached" or "too large", where there is no
        exact value.
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

    def __str__(self) -> str:
        name, value = (max(len(getattr(r, w)) for r in self.rows) for w in ("name", "value"))
        lines = (f"  {r.name:{name}}  {r.value:{value}}  {r.source}" for r in self.rows)
        return "\n".join([self.title, *lines])

    def _repr_html_(self) -> str:
        cells = [(row.name, row.title, row.value, row.source) for row in self.rows]
        return html_table(self.title, cells, head=("", "dimension", "value", "source"))
