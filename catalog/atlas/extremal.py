"""Extremal classes: for each value of a parameter, those of fewest and of most concepts.

``python -m catalog.atlas extremal FILE`` writes the page docs/extremal.md, from the file of five
points.
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
"""Of a parameter with more values only the least and the greatest are on the page."""


@dataclass(frozen=True)
class Extreme:
    """The classes with one value of a parameter.

    Attributes
    ----------
    value : int, Fraction or tuple of int
    classes : int
        How many there are.
    fewest, most : int
        The least and the greatest number of concepts of one.
    smallest, largest : int
        The least masks of classes with `fewest` and with `most` concepts.
    """

    value: Value
    classes: int
    fewest: int
    smallest: int
    most: int
    largest: int


def extremes(T: AtlasTable, name: str) -> list[Extreme]:
    """The extremal classes for each value of a parameter, in increasing order of values.

    Parameters
    ----------
    T : AtlasTable
    name : str

    Examples
    --------
    Sauer's lemma on four points: no more than 1, 5, 11, 15 concepts have VC dimension 0, 1, 2, 3.

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
    """The page about all parameters that are no sequences, in Markdown."""
    lines = [
        "# Extremal classes",
        "",
        f"Of all {len(T):,} classes on {T.points} points, up to permutations and flips "
        "([atlas](atlas.md)): for each value of a parameter",
        "how many classes have it, and the fewest and the most concepts that a class with it has, "
        "each with the least [mask](atlas.md#numbers-of-classes)",
        f"of such a class. Of parameters with more than {VALUES} values the least and the greatest "
        "are listed. Sauer's lemma, for one, is the column of",
        "most concepts of the VC dimension. Written by `python -m catalog.atlas extremal "
        "docs/extremal.md`.",
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
