"""Tables for terminals of any width. Lines break only between words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from lsclasses.verdicts import Verdict

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType

STYLES = {
    Verdict.HOLDS: "green",
    Verdict.ERRATUM: "yellow",
    Verdict.CONSISTENT: "green",
    Verdict.EXCEEDED: "yellow",
    Verdict.VACUOUS: "yellow",
    Verdict.UNDECIDED: "yellow",
    Verdict.VIOLATED: "bold red",
}
"""Colours of verdicts on a terminal. Other verdicts have no colour."""

GAP = 3
"""Number of blanks between two columns of a table."""

LONG = 24
"""Number of characters above which a word, such as a specification, may break after punctuation."""

LINE = 18
"""Least width of a column whose entries are wrapped, about three words."""
NARROW = 16
"""Least width of an entry next to its heading. A narrower entry is printed below its heading."""


def wrapped(text: str, width: int) -> list[str]:
    """Return the lines of a string, broken between words, or after punctuation in long words.

    A word breaks in its middle only if it has no punctuation and is longer than a line.

    Parameters
    ----------
    text : str
    width : int
        The longest line, at least 1.

    Examples
    --------
    >>> wrapped("stated <= (1/2, 1/100)", 10)
    ['stated <=', '(1/2,', '1/100)']
    >>> wrapped("of decision-lists:n=4,k=2,length=0", 24)
    ['of', 'decision-lists:n=4,k=2,', 'length=0']
    """
    lines: list[str] = []
    for paragraph in text.split("\n"):
        line = ""
        for word in paragraph.split(" "):
            parts = [word] if len(word) <= width else _parts(word, width)
            for number, part in enumerate(parts):
                joined = f"{line} {part}" if line and not number else line + part
                if number or not line or len(joined) > width:
                    lines += [line] if line else []
                    line = part
                else:
                    line = joined
        lines.append(line)
    return lines


def _parts(word: str, width: int) -> list[str]:
    """Return the parts of a long word, broken after punctuation where possible."""
    parts = [""]
    for piece in _pieces(word):
        for start in range(0, len(piece), width):
            part = piece[start : start + width]
            if parts[-1] and len(parts[-1]) + len(part) > width:
                parts.append(part)
            else:
                parts[-1] += part
    return parts


def _pieces(word: str) -> list[str]:
    return re.findall(r"[^,;:/]*[,;:/]+|[^,;:/]+", word)


def _least(text: str) -> int:
    """Return the least width at which a string can be written."""
    words = text.replace("\n", " ").split(" ")
    return max(
        max(map(len, _pieces(word)), default=0) if len(word) > LONG else len(word) for word in words
    )


def _longest(text: str) -> int:
    return max(map(len, text.split("\n")))


def _readable(column: Sequence[str]) -> int:
    """Return the least width at which a column is wrapped, without broken words."""
    return max(*map(_least, column), min(max(map(_longest, column)), LINE))


def _shares(least: Sequence[int], most: Sequence[int], room: int) -> list[int] | None:
    """Return the widths of columns. Columns that are nearly wide enough are widened first."""
    widths = list(least)
    spare = room - sum(widths)
    if spare < 0:
        return None
    while spare and (growing := [j for j, width in enumerate(widths) if width < most[j]]):
        widths[min(growing, key=lambda j: most[j] - widths[j])] += 1
        spare -= 1
    return widths


def _is_simple(text: str, width: int) -> bool:
    """Return whether a string is one line of ASCII characters that fits the width."""
    return text.isascii() and text == text.strip() and wrapped(text, width) == [text]


def _style(head: str, verdict: Verdict | None) -> str:
    return STYLES.get(verdict, "") if verdict is not None and head == "verdict" else ""


class Grid:
    """A table with a horizontal line below its headings, for `terminal().print`.

    If the table does not fit without broken words, it is written row by row. Each entry is then
    next to the heading of its column.

    Parameters
    ----------
    heads : str
        Headings of the columns.
    right : sequence of str
        Headings of the columns that are aligned to the right.
    optional : sequence of str
        Headings of columns to omit, one after the other, until the table fits.
    grouped : bool
        Whether rows with equal first entries form a group, which shows the entry once.

    Examples
    --------
    >>> from rich.console import Console
    >>> table = Grid("family", "formula", "seconds", right=["seconds"])
    >>> table.add_row("thresholds", "floor(log2(n + 1))", "0.01")
    >>> Console(width=60).print(table)
    family       formula              seconds
    ─────────────────────────────────────────
    thresholds   floor(log2(n + 1))      0.01
    >>> Console(width=28).print(table)
    family   thresholds
    formula  floor(log2(n + 1))
    seconds  0.01
    """

    def __init__(
        self,
        *heads: str,
        right: Iterable[str] = (),
        optional: Sequence[str] = (),
        grouped: bool = False,
    ) -> None:
        self._heads = heads
        self._right = frozenset(right)
        self._optional = tuple(optional)
        self._grouped = grouped
        self._rows: list[tuple[str, ...]] = []
        self._verdicts: list[Verdict | None] = []

    def add_row(self, *cells: str, verdict: Verdict | None = None) -> None:
        """Add a row to the table, with one cell for each heading.

        `verdict` is the most severe verdict in the cell of the column "verdict". It gives the cell
        its colour.
        """
        self._rows.append(cells)
        self._verdicts.append(verdict)

    def plain(self, width: int) -> list[str] | None:
        """Return the lines of the table, made without the package rich, or None.

        The result is None if the table needs rich: for groups, entries of several lines, or wide
        characters.

        Examples
        --------
        >>> table = Grid("n", "name", right=["n"])
        >>> table.add_row("10", "ten")
        >>> table.plain(80)
        [' n   name', '─────────', '10   ten ']
        """
        fitting = self._fitting(width)
        if fitting is None or self._grouped:
            return None
        columns, widths = fitting
        rows = list(zip(*columns, strict=True))
        if not all(
            _is_simple(cell, size) for row in rows for cell, size in zip(row, widths, strict=True)
        ):
            return None
        sides = [str.rjust if head in self._right else str.ljust for head in rows[0]]
        lines = [
            (" " * GAP).join(
                side(cell, size) for side, cell, size in zip(sides, row, widths, strict=True)
            )
            for row in rows
        ]
        return [lines[0], "─" * len(lines[0]), *lines[1:]]

    def _fitting(self, width: int) -> tuple[list[tuple[str, ...]], list[int]] | None:
        """Return the visible columns and their widths, or None if they do not fit."""
        columns = list(zip(self._heads, *self._rows, strict=True))
        for number in range(len(self._optional) + 1):
            shown = [column for column in columns if column[0] not in self._optional[:number]]
            widths = _shares(
                [_readable(column) for column in shown],
                [max(map(_longest, column)) for column in shown],
                width - GAP * (len(shown) - 1),
            )
            if widths is not None:
                return shown, widths
        return None

    def __rich_console__(
        self, console: Console, options: ConsoleOptions
    ) -> Iterator[RenderableType]:
        fitting = self._fitting(options.max_width)
        if fitting is None:
            yield from self._lines(options.max_width)
        else:
            yield self._table(*fitting)

    def _table(self, columns: Sequence[Sequence[str]], widths: Sequence[int]) -> RenderableType:
        from rich import box
        from rich.table import Table
        from rich.text import Text

        table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
        for (head, *_), width in zip(columns, widths, strict=True):
            table.add_column(
                "\n".join(wrapped(head, width)),
                width=width,
                no_wrap=True,
                justify="right" if head in self._right else "left",
            )
        previous = ""
        heads = [head for head, *_ in columns]
        rows = zip(*(cells for _, *cells in columns), strict=True)
        for cells, verdict in zip(rows, self._verdicts, strict=True):
            row, first = cells, cells[0]
            if self._grouped and first == previous:
                row = ("", *cells[1:])
            elif self._grouped and previous:
                table.add_section()
            previous = first
            table.add_row(
                # A plain string would be searched for names of pictures, such as ":b:".
                *(
                    Text("\n".join(wrapped(cell, width)), _style(head, verdict))
                    for head, cell, width in zip(heads, row, widths, strict=True)
                )
            )
        return table

    def _lines(self, width: int) -> Iterator[RenderableType]:
        from rich.text import Text

        beside = max(map(len, self._heads)) + 2
        for number, row in enumerate(self._rows):
            if number:
                yield Text("")
            for head, cell in zip(self._heads, row, strict=True):
                if not cell:
                    continue
                if width - beside >= NARROW:
                    lines = wrapped(cell, width - beside)
                    starts = [head.ljust(beside), *[" " * beside] * (len(lines) - 1)]
                    shown = [start + line for start, line in zip(starts, lines, strict=True)]
                else:
                    shown = [head, *("  " + line for line in wrapped(cell, max(width - 2, 1)))]
                yield Text("\n".join(shown), no_wrap=True, overflow="ignore")
