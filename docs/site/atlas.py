"""The atlas: a page for each class on at most four points, up to symmetry."""

from __future__ import annotations

from dataclasses import replace

from catalog import atlas
from catalog.atlas.atlas_table import AtlasClass
from catalog.atlas.pages import body
from catalog.parameters import PARAMETERS
from docs.site.rendering import Row, raw, table
from docs.site.writing import Sources
from lsclasses.drawing import STYLE

HEAD = ("class", "points", "concepts", "stands for", "Ldim", "VC", "dual VC", "star", "teaching")
COLUMNS = ("ldim", "vcdim", "dual_vcdim", "star_number", "teaching_dim")


def _row(found: AtlasClass) -> Row:
    known = [str(found.quantities.get(name, "")) for name in COLUMNS]
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
    """The name of its page; a colon is no part of file names everywhere."""
    return found.name.replace(":", "-")


def _shown(found: AtlasClass) -> str:
    """The dimensions of a class; its picture does without its style, of which all have the same."""
    kept = {name: value for name, value in found.quantities.items() if name not in PARAMETERS}
    return body(replace(found, quantities=kept)).replace(f"<style>{STYLE}</style>", "")


def write(sources: Sources) -> None:
    """Write an index, and a page for each class."""
    found = [each for points in atlas.POINTS for each in atlas.classes(points)]
    for each in found:
        sources.put(
            f"atlas/{_file(each)}.md",
            f"---\norphan: true\n---\n# {each.name}\n\n{raw(_shown(each))}",
        )
    live = table(
        "Classes on at most four points",
        HEAD,
        map(_row, found),
        {"points": "Points", "ldim": "Ldim", "vcdim": "VC"},
    )
    sources.put(
        "atlas/index.md",
        f"# Atlas of small classes\n\nThe {len(found)} classes on one to four points, once each up "
        "to the names of points and flipped labels; a name is the number of points and the mask in "
        "hexadecimal digits. "
        "`lsclasses atlas show NAME --html FILE` writes a page with [all "
        "parameters](../docs/parameters.md), also about a class on five points; "
        "[atlas](../docs/atlas.md) says what the columns are.\n\n" + raw(live),
    )
