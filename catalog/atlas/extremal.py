"""Extreme classes: for each value of a parameter, classes with the fewest and the most concepts.

``python -m catalog.atlas extremal FILE`` writes the page docs/extremal.md, from the file of the
classes on five points.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from catalog.atlas.atlas_table import AtlasTable
from catalog.atlas.columns import COLUMNS, column_names
from catalog.parameters import described
from lsclasses.dimensions import Value
from lsclasses.markdown import fill_markdown

VALUES = 8
"""Largest number of values for which the page lists every value of a parameter."""


@dataclass(frozen=True)
class Extreme:
    """The classes of the atlas with one value of a parameter.

    Attributes
    ----------
    value : int, Fraction or tuple of int
        Value of the parameter.
    classes : int
        Number of classes with the value.
    fewest, most : int
        Least and greatest number of concepts of these classes.
    smallest, largest : int
        Least mask of a class with `fewest` concepts, and of a class with `most` concepts.
    """

    value: Value
    classes: int
    fewest: int
    smallest: int
    most: int
    largest: int


def extremes(T: AtlasTable, name: str) -> list[Extreme]:
    """Return the classes with the fewest and the most concepts, for each value of a parameter.

    Parameters
    ----------
    T : AtlasTable
        Table of the classes.
    name : str
        Name of the parameter.

    Examples
    --------
    Sauer's lemma on four points: at most 1, 5, 11, 15 concepts have VC dimension 0, 1, 2, 3.

    >>> from catalog import atlas
    >>> [(each.value, each.fewest, each.most) for each in extremes(atlas.table(4), "vcdim")]
    [(0, 1, 1), (1, 2, 5), (2, 4, 11), (3, 8, 15), (4, 16, 16)]
    """
    found = T.distinct([name])
    sizes, masks = T["size"], T["mask"]
    order = np.lexsort((masks, sizes, found.inverse))
    ends = np.cumsum(found.count)
    rows = []
    for values, end, count in zip(found.values, ends.tolist(), found.count.tolist(), strict=True):
        first = order[end - count]
        most = sizes[order[end - 1]]
        among = order[end - count : end]
        last = among[np.searchsorted(sizes[among], most)]
        rows.append(
            Extreme(
                values[name],
                count,
                int(sizes[first]),
                int(masks[first]),
                int(most),
                int(masks[last]),
            )
        )
    return rows


def page(T: AtlasTable) -> str:
    """Return the page about all parameters whose values are not sequences, in Markdown."""
    lines = [
        "# Extremal classes",
        "",
        f"This page covers all {len(T):,} classes on {T.points} points, up to permutations of the "
        "points and flips of the labels at points ([atlas](atlas.md)).",
        "Each table is about one parameter. A row contains a value of the parameter and the number "
        "of classes with this value. The columns *fewest concepts* and *most concepts* contain the "
        "least and the greatest number of concepts of a class with this value. The column *mask* "
        "to the right of such a number contains an [integer](atlas.md#numbers-of-classes) that "
        "encodes a class with this value and this number of concepts. If several classes have this "
        "value and this number of concepts, the table lists the least of their masks.",
        f"If a parameter has more than {VALUES} different values on these classes, the table has "
        "rows only for the least and the greatest value.",
        "The tables agree with known bounds. For example, in the table of the VC dimension, the "
        "column *most concepts* equals the bound of Sauer's lemma in every row.",
        "The page about [parameters](parameters.md) defines terms such as projection, subcube and "
        "chain dimension.",
        "`python -m catalog.atlas extremal docs/extremal.md` writes this page.",
    ]
    for name in column_names(T.points, flips=T.flips):
        entry = described(name)
        if COLUMNS[name].sequence or entry is None:
            continue
        title = entry.title
        rows = extremes(T, name)
        shown = rows if len(rows) <= VALUES else [rows[0], rows[-1]]
        lines += [
            "",
            f"## {title[0].upper()}{title[1:]}",
            "",
            f"`{name}`: {entry.definition}",
            "",
            "| value | classes | fewest concepts | mask | most concepts | mask |",
            "|---|---|---|---|---|---|",
        ]
        lines += [
            f"| {each.value} | {each.classes:,} | {each.fewest} | {each.smallest} | {each.most} "
            f"| {each.largest} |"
            for each in shown
        ]
    return fill_markdown("\n".join(lines) + "\n")
