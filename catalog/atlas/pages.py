"""Pages about classes of the atlas."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from catalog import atlas
from catalog.atlas import MOST_POINTS, POINTS, classes, find, structured
from catalog.atlas.atlas_table import AtlasClass
from catalog.atlas.private_values import private_values
from catalog.atlas.storage import there
from catalog.parameters import described
from lsclasses.errors import InvalidInput, LsclassesError
from lsclasses.files.tables import label_rows
from lsclasses.isomorphism import canonical_form, class_mask, class_of_mask, orbit_name
from lsclasses.limits import Limit
from lsclasses.numbers import plural
from lsclasses.pages.class_report import class_table, relations, table, tree
from lsclasses.pages.document import Page, document, text

SECONDS = 2
"""Time limit of the search for one witness, in seconds."""
SHORT = 160
"""Number of characters above which the page hides a witness until the reader opens it."""


def named(name: str) -> AtlasClass:
    """Return the class of the atlas that has a name.

    Parameters
    ----------
    name : str
        Number of points and mask in hexadecimal digits, such as ``2:7``. Any of the equivalent
        masks is accepted. Classes on six points also have names, though the atlas does not list
        them.

    Raises
    ------
    InvalidInput
        If the name is invalid, or the classes on five points were not built.

    Examples
    --------
    >>> named("2:7"), named("2:b").name
    (AtlasClass(points=2, mask=7, flips=True, flipped=7, labelled=4), '2:7')
    """
    found = re.fullmatch(r"([1-9]):([0-9a-f]{1,16})", name)
    points, mask = (int(found[1]), int(found[2], 16)) if found else (0, 0)
    named_points = range(POINTS[0], structured.MOST_POINTS + 1)
    if points not in named_points:
        raise InvalidInput(
            f"The name of a class of the atlas is its number of points, {named_points[0]} to "
            f"{named_points[-1]}, and its mask in hexadecimal digits 0 to 9 and a to f, such as "
            f"2:7. 'lsclasses atlas find' prints the name. Got {name!r:.60}."
        )
    if not 0 < mask < 1 << (1 << points):
        raise InvalidInput(
            f"Classes on {plural(points, 'point')} have masks from 1 to "
            f"{(1 << (1 << points)) - 1:x}, in hexadecimal digits. Got {name!r:.60}."
        )
    if points > MOST_POINTS:
        return structured.on_six_points(mask)
    known = classes(points) if points in POINTS else ()
    for each in known:
        if each.mask == mask:
            return each
    return find(class_of_mask(points, mask))[0]


def body(found: AtlasClass) -> str:
    """Return the body of a page about a class of the atlas, as HTML.

    The body contains labels, quantities, best learners, a shattered tree and related classes.
    """
    C = found.table
    values = {"size": len(C), "points": found.points, **found.quantities}
    private = [
        (column.title, str(value))
        for column, value in private_values(found.points, found.flipped).items()
    ]
    best = ["<h2>Best private learners</h2>", table(("quantity", "value"), private)]
    return "\n".join(
        [
            f"<p>The class {stands_for(found)}. These classes differ in the names of points and in "
            "flipped labels.</p>",
            class_table(C),
            "<h2>Quantities</h2>",
            table(("quantity", "value"), [(name, _shown(value)) for name, value in values.items()]),
            *(best if private else ()),
            "<h2>A shattered tree</h2>",
            tree(C),
            "<h2>Relations that hold with equality</h2>",
            f"<ul>{''.join(_equalities(values))}</ul>",
        ]
    )


def stands_for(found: AtlasClass) -> str:
    """Return the number of classes that a class of the atlas represents, in words.

    >>> stands_for(named("2:7")), stands_for(named("1:3"))
    ('stands for 4 classes on named points', 'stands for 1 class on named points')
    """
    return f"stands for {plural(found.labelled, 'class', 'classes')} on named points"


def _equalities(values: Mapping[str, Any]) -> Iterator[str]:
    """Yield the inequalities between dimensions that are equalities for the class."""
    for each, close, _ in relations(values):
        if close == "equal":
            yield f"<li><code>{text(each)}</code></li>"


def _shown(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


# ---- evidence, neighbours, and other classes with the same number of concepts


def _witnesses(found: AtlasClass) -> Iterator[str]:
    """Yield a witness of each quantity for which a witness exists and is found in time."""
    for name in found.quantities:
        entry = described(name)
        if entry is None or entry.evidence is None:
            continue
        try:
            witness = str(entry.witness(found.table, limit=Limit(SECONDS)))
        except LsclassesError:  # the limit is reached, or a package is missing
            continue
        if len(witness) <= SHORT:
            yield f"<li>{text(witness)}</li>"
        else:
            claim, _, shown = witness.partition(": ")
            yield (
                f"<li><details><summary>{text(claim)}: {text(entry.evidence.shows)}</summary>"
                f"{text(shown)}</details></li>"
            )


def neighbours(found: AtlasClass) -> list[tuple[str, str, int, int]]:
    """Return the classes with one concept more or less than a class, once each up to symmetry.

    Returns
    -------
    list of (str, str, int, int)
        Name of a class, a signed concept, Littlestone dimension and VC dimension. The concept is
        the first one that leads to the class, + if it is added and - if it is removed. Smaller
        classes come first.

    Examples
    --------
    >>> neighbours(named("2:7"))
    [('2:3', '- 10', 1, 1), ('2:6', '- 00', 1, 1), ('2:f', '+ 11', 2, 2)]
    """
    seen: dict[tuple[int, int], tuple[str, str, int, int]] = {}
    for number in range(1 << found.points):
        changed = found.mask ^ (1 << number)
        if not changed:
            continue
        (labels,) = label_rows(class_of_mask(found.points, 1 << number))
        C = class_of_mask(found.points, changed)
        least = _least_mask(found.points, changed)
        sign = "-" if found.mask >> number & 1 else "+"
        row = (orbit_name(found.points, least), f"{sign} {labels}", C.ldim(), C.vcdim())
        seen.setdefault((len(C), least), row)
    return [seen[key] for key in sorted(seen)]


def _least_mask(points: int, mask: int) -> int:
    if points > MOST_POINTS:
        return structured.on_six_points(mask).mask
    return class_mask(canonical_form(class_of_mask(points, mask), flips=True)[0])


def extremes(found: AtlasClass) -> list[tuple[str, str, str]]:
    """Return the quantities whose values for a class are extreme among comparable classes.

    Comparable classes have as many points and as many concepts. Quantities that are equal for all
    comparable classes are omitted.

    Returns
    -------
    list of (str, str, str)
        Name of a quantity, its value, and whether this value is the largest or the least value.

    Examples
    --------
    >>> extremes(named("3:1b"))[:2]
    [('ldim', '2', 'the largest, as of 4 others'), ('vcdim', '1', 'the least, as of 1 other')]
    """
    T = atlas.table(found.points)
    alike = T["size"] == found["size"]
    (at,) = (T["mask"][alike] == found.mask).nonzero()[0]
    rows = []
    for name, value in found.quantities.items():
        if name not in T.names or not isinstance(value, (int, Fraction)):
            continue
        column = T.exact(name)[0][alike]
        own, ends = column[at], (column.min(), column.max())
        if ends[0] != ends[1] and own in ends:
            others = int((column == own).sum()) - 1
            as_of = f", as of {plural(others, 'other')}" if others else ", of this class only"
            which = "the largest" if own == ends[1] else "the least"
            rows.append((name, str(value), which + as_of))
    return rows


def _extremes_shown(found: AtlasClass) -> str:
    if found.points > MOST_POINTS:
        return "<p>Classes on six points are not all known.</p>"
    if found.points == MOST_POINTS and not there():
        return (
            "<p><code>lsclasses atlas build</code> computes the classes on five points for the "
            "comparison.</p>"
        )
    rows = extremes(found)
    same = plural(len(found.table), "concept")
    on = plural(found.points, "point")
    if not rows:
        return f"<p>No quantity is the largest or the least among classes of {same} on {on}.</p>"
    return f"<p>Among the classes of {same} on {on}, up to symmetry:</p>" + table(
        ("quantity", "value", "this is"), rows
    )


def _more(found: AtlasClass) -> str:
    """Return witnesses, neighbours and extremes, as HTML."""
    return "\n".join(
        [
            "<h2>Witnesses</h2>",
            "<p>Each witness proves one bound on a value. Concepts are numbered by their rows "
            "above and points by their columns, from 0 on. Long lists are truncated.</p>",
            f"<ul>{''.join(_witnesses(found))}</ul>",
            "<h2>Neighbours</h2>",
            "<p>The classes with one concept more (+) or less (-), once each up to symmetry.</p>",
            table(("class", "concept", "ldim", "vcdim"), neighbours(found)),
            "<h2>Extreme quantities</h2>",
            _extremes_shown(found),
        ]
    )


def page(found: AtlasClass) -> Page:
    """Return a page about a class: labels, values, witnesses, neighbours and extreme values.

    Examples
    --------
    >>> "growth_function" in page(named("2:7")).html
    True
    """
    return document(f"{found.name} in the atlas", f"{body(found)}\n{_more(found)}", kind="atlas")
