"""Pages about classes of the atlas."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from catalog.atlas import MOST_POINTS, POINTS, classes, find, structured
from catalog.atlas.atlas_table import AtlasClass
from lsclasses.errors import InvalidInput
from lsclasses.isomorphism import class_of_mask
from lsclasses.pages.document import Page, document, text
from lsclasses.pages.report import relations
from lsclasses.pages.tables import class_table, table, tree


def named(name: str) -> AtlasClass:
    """The class of the atlas that has a name.

    Parameters
    ----------
    name : str
        Points, and the mask in hexadecimal digits, such as ``2:7``; of equivalent masks any. Six
        points have names as well, though the atlas does not list their classes.

    Raises
    ------
    InvalidInput
        If that is no name, or the classes on five points were not built.

    Examples
    --------
    >>> named("2:7"), named("2:b").name
    (AtlasClass(points=2, mask=7, flips=True, flipped=7, labelled=4), '2:7')
    """
    found = re.fullmatch(r"([1-9]):([0-9a-f]{1,16})", name)
    points, mask = (int(found[1]), int(found[2], 16)) if found else (0, 0)
    named_points = range(POINTS[0], structured.MOST_POINTS + 1)
    if not (points in named_points and 0 < mask < 1 << (1 << points)):
        raise InvalidInput(
            f"A class of the atlas is called by its points, {named_points[0]} to "
            f"{named_points[-1]}, and the hexadecimal digits of its mask, such as 2:7. "
            f"Got {name!r:.60}."
        )
    if points > MOST_POINTS:
        return structured.on_six_points(mask)
    known = classes(points) if points in POINTS else ()
    for each in known:
        if each.mask == mask:
            return each
    return find(class_of_mask(points, mask))[0]


def body(found: AtlasClass) -> str:
    """What is known of a class, as HTML: labels, quantities, a shattered tree, relations."""
    C = found.table
    values = {"size": len(C), "points": found.points, **found.quantities}
    stands = "class" if found.labelled == 1 else "classes"
    return "\n".join(
        [
            f"<p>It stands for {found.labelled} {stands} on named points: those that differ in the "
            "names of points and in flipped labels.</p>",
            class_table(C),
            "<h2>Quantities</h2>",
            table(("quantity", "value"), [(name, _shown(value)) for name, value in values.items()]),
            "<h2>A shattered tree</h2>",
            tree(C),
            "<h2>Relations that hold with equality</h2>",
            f"<ul>{''.join(_equalities(values))}</ul>",
        ]
    )


def _equalities(values: Mapping[str, Any]) -> Iterator[str]:
    """The inequalities between dimensions that are equalities here."""
    for each, close, _ in relations(values):
        if close == "equal":
            yield f"<li><code>{text(each)}</code></li>"


def _shown(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def page(found: AtlasClass) -> Page:
    """A page about a class.

    Examples
    --------
    >>> "growth_function" in page(named("2:7")).html
    True
    """
    return document(f"{found.name} in the atlas", body(found), kind="atlas")
