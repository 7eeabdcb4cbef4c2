"""Tables as strings and for notebooks.

Names in tables come from users' files, so the functions escape all markup.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

HIDDEN_FROM = 20
"""The largest number of rows, and of columns, that are shown in full."""

LONG = 200
"""The largest number of characters of a string that is not truncated."""


def _written(value: Any) -> str:
    """Return a string without markup and control characters, truncated if it is long."""
    text = str(value)
    text = text if len(text) <= LONG else text[: LONG - 1] + "…"
    from html import escape  # loads a table of all entities

    return escape("".join(c if c.isprintable() else repr(c)[1:-1] for c in text))


def html_table(
    title: Any, rows: Iterable[Sequence[Any]], *, head: Sequence[Any] = (), note: str = ""
) -> str:
    """Return an HTML table. The first entry of each row is the name of the row.

    Parameters
    ----------
    title : object
        Line above the table.
    rows : iterable of sequences
    head : sequence, optional
        Names of the columns.
    note : str
        Line below the table, such as the result of `hidden`.

    Examples
    --------
    >>> html_table("a < b", [("<i>", 1)])
    '<p>a &lt; b</p><table><tr><th>&lt;i&gt;</th><td>1</td></tr></table>'
    """
    top = "".join(f"<th>{_written(name)}</th>" for name in head)
    body = "".join(
        f"<tr><th>{_written(name)}</th>"
        + "".join(f"<td>{_written(cell)}</td>" for cell in cells)
        + "</tr>"
        for name, *cells in rows
    )
    return f"<p>{_written(title)}</p><table>{f'<tr>{top}</tr>' if top else ''}{body}</table>" + (
        f"<p>{_written(note)}</p>" if note else ""
    )


def text_table(title: str, rows: Sequence[Sequence[Any]], head: Sequence[Any], note: str) -> str:
    """Return a table as a string with aligned columns, for a terminal.

    Examples
    --------
    >>> print(text_table("two", [("f", 0), ("g", 1)], ("", "point"), "no more"))
    two
       point
    f  0
    g  1
    no more
    """
    cells = [[str(cell) for cell in row] for row in (head, *rows)]
    first, *widths = (max(map(len, column)) for column in zip(*cells, strict=True))
    lines = [f"{name:{first}}  " + " ".join(map(str.ljust, row, widths)) for name, *row in cells]
    return "\n".join([title, *map(str.rstrip, lines), *filter(None, [note])])


def html_list(tree: tuple[str, Sequence[Any]]) -> str:
    """Return nested HTML lists from a tree. An item is a string with a list of further items.

    Examples
    --------
    >>> html_list(("all", [("one", []), ("two", [])]))
    '<ul><li>all<ul><li>one</li></ul><ul><li>two</li></ul></li></ul>'
    """
    text, below = tree
    return f"<ul><li>{_written(text)}{''.join(map(html_list, below))}</li></ul>"


def hidden(**counts: int) -> str:
    """Return a note about the parts of a table that are not shown, or an empty string.

    Examples
    --------
    >>> hidden(concepts=12, points=1), hidden(concepts=0)
    ('12 more concepts and 1 more point are not shown.', '')
    """
    parts = [
        f"{number} more {name[:-1] if number == 1 else name}"
        for name, number in counts.items()
        if number > 0
    ]
    is_one = len(parts) == 1 and parts[0].startswith("1 ")
    return f"{' and '.join(parts)} {'is' if is_one else 'are'} not shown." if parts else ""


def count(number: int | None) -> str:
    """Return a count of any size as a string. None means infinitely many."""
    from lsclasses.numbers import format_number

    if number is None:
        return "infinitely many"
    return str(number) if number < 10**15 else format_number(number, 3)
