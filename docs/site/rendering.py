"""Raw HTML from Markdown, and tables whose rows are sorted, filtered and opened."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from html import escape
from typing import Any

from docs.site.mathml import mathml


@cache
def _markdown() -> Any:
    from markdown_it import MarkdownIt
    from mdit_py_plugins.dollarmath import dollarmath_plugin

    reader = MarkdownIt("commonmark").enable("table")
    formulas = {"allow_digits": False, "double_inline": False}
    reader.use(dollarmath_plugin, **formulas, renderer=_formula)
    return reader


def _formula(latex: str, options: Mapping[str, Any]) -> str:
    return mathml(latex, display=bool(options.get("display_mode")))


def rendered(text: str, *, inline: bool = False) -> str:
    """Return Markdown as HTML, with links to the pages of the site.

    Examples
    --------
    >>> rendered("see [*errata*](errata.md#a)", inline=True)
    'see <a href="errata.html#a"><em>errata</em></a>'
    """
    reader = _markdown()
    tokens = reader.parseInline(text) if inline else reader.parse(text)
    for token in tokens:
        for inner in token.children or ():
            if inner.type == "link_open" and "://" not in (target := str(inner.attrs["href"])):
                inner.attrs["href"] = target.replace(".md", ".html")
    return str(reader.renderer.render(tokens, reader.options, {})).strip()


@dataclass(frozen=True)
class Row:
    """A row of a table.

    Attributes
    ----------
    cells : sequence of str
        Cells as HTML.
    opened : str
        HTML below an opened row, or an empty string if the row does not open.
    keys : mapping of str to str
        Values for the filters.
    order : mapping of int to float
        Numbers that sort columns whose cells are not numbers.
    anchor : str
        Anchor of the row for links.
    """

    cells: Sequence[str]
    opened: str = ""
    keys: Mapping[str, str] = field(default_factory=dict)
    order: Mapping[int, float] = field(default_factory=dict)
    anchor: str = ""


def table(
    name: str, head: Sequence[str], rows: Iterable[Row], filters: Mapping[str, str] | None = None
) -> str:
    """Return a table that is sorted by a click on a column's name.

    Parameters
    ----------
    name : str
        Description of the table for readers who cannot see it.
    head : sequence of str
    rows : iterable of Row
    filters : mapping of str to str
        Keys of the rows, with their names on the page.
    """
    rows = list(rows)
    top = "".join(f'<th scope="col">{escape(each)}</th>' for each in head)
    chosen = "".join(_filter(key, title, rows) for key, title in (filters or {}).items())
    if chosen:
        search = '<label>Text <input type="search" data-text></label>'
        chosen = (
            f'<form class="filters">{chosen}{search}<output aria-live="polite"></output></form>'
        )
    body = "".join(_row(row, len(head)) for row in rows)
    return (
        f'<div class="live-table">{chosen}<div class="scrolled" tabindex="0" role="region" '
        f'aria-label="{escape(name)}"><table><thead><tr>{top}</tr></thead>{body}</table></div></div>'
    )


def plain_table(name: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table without controls, in a box that scrolls.

    Examples
    --------
    >>> plain_table("Numbers", ["name"], [["<code>n</code>"]]).count("<tr>")
    2
    """
    top = "".join(f'<th scope="col">{escape(each)}</th>' for each in head)
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return (
        f'<div class="scrolled" tabindex="0" role="region" aria-label="{escape(name)}">'
        f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _filter(key: str, title: str, rows: Iterable[Row]) -> str:
    values = dict.fromkeys(row.keys[key] for row in rows)
    options = "".join(f"<option>{escape(each)}</option>" for each in values)
    return (
        f'<label>{escape(title)} <select data-key="{key}"><option value="">all</option>'
        f"{options}</select></label>"
    )


def _row(row: Row, columns: int) -> str:
    keys = "".join(f' data-{key}="{escape(value)}"' for key, value in row.keys.items())
    anchor = f' id="{escape(row.anchor)}"' if row.anchor else ""
    cells = "".join(
        f"<td{_order(row, column)}>{cell}</td>" for column, cell in enumerate(row.cells)
    )
    opened = f'<td colspan="{columns}"><div>{row.opened}</div></td>'
    below = f'<tr class="opened">{opened}</tr>' if row.opened else ""
    return f"<tbody{anchor}{keys}><tr>{cells}</tr>{below}</tbody>"


def _order(row: Row, column: int) -> str:
    return f' data-order="{row.order[column]:g}"' if column in row.order else ""


def raw(html: str) -> str:
    """Return HTML as a block of a page in Markdown."""
    return f"`````{{raw}} html\n{html}\n`````\n"
