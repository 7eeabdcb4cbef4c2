"""Page of all families: ``python -m catalog.family_pages docs`` writes it with its pictures.

A picture shows the table of a small member: one row per concept and one column per point. A dark
square is the label 1.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from html import escape
from pathlib import Path

from catalog.family import Fact, Family
from catalog.family_registry import families
from lsclasses.files.writing import atomic_write
from lsclasses.markdown import fill_markdown
from lsclasses.table import Table

MOST_CONCEPTS = 32
"""Largest number of concepts of a member that a picture shows."""
MOST_POINTS = 36
"""Largest number of points of a member that a picture shows."""
MOST_CASES = 3
"""Largest number of cases of a closed form that the page lists."""
LONGEST_CASE = 60
"""Largest number of characters of a case that the page lists."""
CELL = 8
"""Width of a square in pixels."""
MARGIN = 4
"""Width of the margin of a picture in pixels."""
FOLDER = "families"
"""Folder of the pictures, next to the page."""
NAMES = {"ldim": "Littlestone dimension", "vcdim": "VC dimension"}


def label_picture(C: Table, title: str) -> str:
    """Return the labels of a table as an SVG picture.

    Parameters
    ----------
    C : Table
        Class with few concepts and points.
    title : str
        Description for screen readers.

    Examples
    --------
    >>> label_picture(Table([[0, 1], [1, 1]]), "A class").count("h8v8h-8z")
    3
    """
    width, height = (CELL * n + 2 * MARGIN for n in (C.domain.size, len(C)))
    squares = [
        f"M{MARGIN + CELL * j} {MARGIN + CELL * i}h{CELL}v{CELL}h-{CELL}z"
        for i, row in enumerate(C.labels.tolist())
        for j, y in enumerate(row)
        if y
    ]
    rows, columns = len(C), int(C.domain.size)
    lines = [f"M{MARGIN} {MARGIN + CELL * i}h{CELL * columns}" for i in range(rows + 1)]
    lines += [f"M{MARGIN + CELL * j} {MARGIN}v{CELL * rows}" for j in range(columns + 1)]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" role="img">',
            f"<title>{escape(title)}</title>",
            f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
            f'<path d="{"".join(squares)}" fill="#0072b2"/>',
            f'<path d="{"".join(lines)}" stroke="#b0b0b0" fill="none"/>',
            "</svg>",
            "",
        ]
    )


def member_for_picture(family: Family) -> tuple[str, Table]:
    """Return the specification and the table of the largest member that fits in a picture.

    Examples
    --------
    >>> from catalog import family
    >>> member_for_picture(family("warmuth"))[0]
    'warmuth'
    """
    found: list[tuple[int, str, Table]] = []
    for values in family.instances():
        C = family.concept_class(**values)
        size, points = C.size or 0, C.domain.size
        if 0 < size <= MOST_CONCEPTS and points is not None and 0 < points <= MOST_POINTS:
            found.append((size * points, family.spec(**values), C.to_table()))
    _, spec, table = max(found, key=lambda each: each[0])
    return spec, table


def _condition(text: str) -> str:
    """Return a condition of a fact in the notation of a reader.

    Examples
    --------
    >>> _condition("Eq(k, 1) & (n > 3)")
    'k = 1 and n > 3'
    """
    text = re.sub(r"Eq\(([^(),]+), ([^(),]+)\)", r"\1 = \2", text)
    text = text.replace("~(", "not (").replace(" & ", " and ").replace(" | ", " or ")
    return re.sub(r"(?<!not )\((\w+ [<>=]+ [\w* +-]+)\)", r"\1", text)


def _closed_form(family: Family, quantity: str) -> str:
    """Cases of the exact value of a dimension, or a command that prints all cases."""
    exact = [f for f in family.facts if f.quantity == quantity and f.relation == "=="]
    cases = [_case(fact) for fact in exact]
    every = f"`lsclasses catalog {family.name}`"
    if not cases:
        return f"bounds, see {every}"
    if len(cases) > MOST_CASES or any(len(case) > LONGEST_CASE for case in cases):
        return f"{len(cases)} cases, see {every}"
    return "<br>".join(cases)


def _case(fact: Fact) -> str:
    when = "" if fact.when == "True" else f" if {_condition(fact.when)}"
    return f"`{fact.expression}`{when}".replace("|", "\\|")


def page() -> str:
    """Return the page of all families in Markdown."""
    known = families()
    lines = [
        "# Families",
        "",
        f"The catalog has {len(known)} families of concept classes. A specification such as "
        "`thresholds:n=7` names a member of a family. Every command accepts a specification, and "
        "`catalog.build` returns the class.",
        "",
        "```console",
        "$ lsclasses dims thresholds:n=7",
        "...",
        "$ lsclasses catalog thresholds",
        "...",
        "```",
        "",
        "The table lists the specification, the definition, the Littlestone dimension (Ldim) and "
        "the VC dimension of every family. A parameter with a value, such as `k=1`, is optional, "
        "and the value is its default. In the formulas, `Min` and `Max` are the smaller and the "
        "larger of two values, and `floor_log2` is the logarithm to base 2, rounded down. The "
        "picture in each row shows the labels of one member of the family. In a picture, each "
        "concept is a row of squares and each point is a column. A dark square is the label 1.",
        "",
        "`lsclasses verify` compares every formula with a search on small members. [Closed "
        "forms](closed-forms.md) lists the families whose members of any size need no search. "
        "[Adding a family](add-a-family.md) explains how to write a family.",
        "",
        "| family | definition | Ldim | VC | picture |",
        "|---|---|---|---|---|",
        *map(_row, known.values()),
    ]
    return fill_markdown("\n".join([*lines, ""]))


def _row(family: Family) -> str:
    spec, _ = member_for_picture(family)
    definition = escape(family.definition, quote=False).replace("|", "\\|").replace("*", "\\*")
    title = family.title.replace("|", "\\|")
    cells = (
        f'<a id="{family.name}"></a>**{title}** ({family.reference})<br>`{family.usage()}`',
        definition,
        _closed_form(family, "ldim"),
        _closed_form(family, "vcdim"),
        f"![Table of {spec}]({FOLDER}/{family.name}.svg)<br>`{spec}`",
    )
    return f"| {' | '.join(cells)} |"


def pictures() -> Iterator[tuple[str, str]]:
    """Yield the file name and the contents of every picture of the page."""
    for family in families().values():
        spec, table = member_for_picture(family)
        title = f"{spec}: {len(table)} concepts (rows) on {table.domain.size} points (columns)"
        yield f"{FOLDER}/{family.name}.svg", label_picture(table, title)


def write(folder: Path) -> None:
    """Write the page and its pictures into a folder."""
    (folder / FOLDER).mkdir(exist_ok=True)
    for name, picture in pictures():
        atomic_write(folder / name, picture)
    atomic_write(folder / "families.md", page())


if __name__ == "__main__":
    write(Path(sys.argv[1]))
