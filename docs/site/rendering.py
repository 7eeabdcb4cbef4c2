"""What stands in raw HTML: texts in Markdown, tables whose rows are sorted, filtered and opened."""

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
    """Return a text in Markdown as HTML; its links to pages lead to those of the site.

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
        HTML.
    opened : str
        HTML that is shown when the row is opened; nothing if it cannot be.
    keys : mapping of str to str
        What filters look at.
    order : mapping of int to float
        The numbers that some columns are sorted by, where their texts are none.
    anchor : str
        By what the row can be linked to.
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
        What it shows, for those who do not see it.
    head : sequence of str
    rows : iterable of Row
    filters : mapping of str to str
        Keys of the rows, and how they are called.
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
    """HTML inside a page in Markdown."""
    return f"`````{{raw}} html\n{html}\n`````\n"
