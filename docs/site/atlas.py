"""The atlas: a page for each class on at most four points, up to symmetry."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

from catalog import atlas
from catalog.atlas.atlas_table import AtlasClass
from catalog.atlas.pages import body
from catalog.parameters import PARAMETERS
from docs.site.rendering import Row, raw, table
from docs.site.writing import Sources
from lsclasses.drawing import STYLE

DUAL = "dual_vcdim"
HEAD = ("class", "points", "concepts", "stands for", "Ldim", "VC", "dual VC", "star", "teaching")
COLUMNS = ("ldim", "vcdim", DUAL, "star_number", "teaching_dim")


@cache
def _dual_values(points: int) -> dict[int, list[int]]:
    """Return the dual VC dimensions of the classes that each class of the atlas stands for.

    Flipped labels change this dimension, so `AtlasClass` does not contain it.
    """
    found: dict[int, list[int]] = {}
    unflipped = atlas.table(points, flips=False)
    for name, value in zip(unflipped["flipped"], unflipped[DUAL], strict=True):
        found.setdefault(int(name), []).append(int(value))
    return found


def _value(found: AtlasClass, name: str) -> str:
    """Return a value, or the least and the greatest value if the classes differ."""
    if name != DUAL:
        return str(found[name])
    values = _dual_values(found.points)[found.flipped]
    least, greatest = min(values), max(values)
    return str(least) if least == greatest else f"{least} to {greatest}"


def _row(found: AtlasClass) -> Row:
    known = [_value(found, name) for name in COLUMNS]
    return Row(
        (
            f'<a href="{_file(found)}.html">{found.name}</a>',
            str(found.points),
            str(len(found.table)),
            str(found.labelled),
            *known,
        ),
        keys={"points": str(found.points), "ldim": known[0], "vcdim": known[1]},
    )


def _file(found: AtlasClass) -> str:
    """Return the name of the page of a class, without colons, which some systems forbid."""
    return found.name.replace(":", "-")


UNUSED = re.compile(r' class="label-[01]"|</?code>')
"""Marks of labels and inequalities, which take a fifth of a page."""


def _shown(found: AtlasClass) -> str:
    """Return the dimensions of a class without the marks and the style that all pages share."""
    kept = {name: value for name, value in found.quantities.items() if name not in PARAMETERS}
    return UNUSED.sub(
        "", body(replace(found, quantities=kept)).replace(f"<style>{STYLE}</style>", "")
    )


def write(sources: Sources) -> None:
    """Write an index, and a page for each class."""
    found = [each for points in atlas.POINTS for each in atlas.classes(points)]
    for each in found:
        sources.put(
            f"atlas/{_file(each)}.md",
            f"---\norphan: true\nno-search: true\n---\n# {each.name}\n\n{raw(_shown(each))}",
        )
    live = table(
        "Classes on at most four points",
        HEAD,
        map(_row, found),
        {"points": "Points", "ldim": "Ldim", "vcdim": "VC"},
    )
    sources.put(
        "atlas/index.md",
        f"# Atlas of small classes\n\nThe table lists {len(found)} classes on one to four points. "
        "Each stands for its orbit: the classes that differ only in the names of points and in "
        "flipped labels. A name consists of the number of points and the mask in hexadecimal "
        "digits. Flipped labels change the dual VC dimension, so its column lists the least and "
        "the greatest value of the orbit. `lsclasses atlas show NAME --html FILE` writes a page "
        "with [all parameters](../docs/parameters.md). The command also accepts classes "
        "on five points. [Atlas](../docs/atlas.md) describes the columns.\n\n" + raw(live),
    )
