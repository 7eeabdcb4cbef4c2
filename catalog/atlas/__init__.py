"""Every concept class on at most four points, up to symmetry, with all its dimensions.

Up to permutations of the points and flips of the labels at some points, there are
2 + 5 + 21 + 401 non-empty classes on 1 to 4 points. Up to permutations only, there are
3 + 11 + 79 + 3983. A statement about small classes can therefore be checked on all of them. A class
with constant or equal columns counts as a class on all its points, not on fewer.

``python -m catalog.atlas build`` computes the file that this package reads.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from catalog.atlas.atlas_table import OWN, AtlasClass, AtlasTable
from catalog.atlas.build import POINTS
from catalog.atlas.columns import COLUMNS, column_names, compute
from catalog.atlas.orbits import images, least_masks, symmetries
from catalog.atlas.storage import default_path, five_points, there
from lsclasses.concept_class import require_class
from lsclasses.errors import InvalidInput
from lsclasses.isomorphism import Isomorphism, canonical_form, class_mask
from lsclasses.limits import Limit

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from lsclasses.concept_class import ConceptClass

__all__ = [
    "FILE",
    "MOST_POINTS",
    "POINTS",
    "AtlasClass",
    "AtlasTable",
    "classes",
    "find",
    "plot",
    "table",
    "tables",
]

FILE = Path(__file__).with_name("classes.csv")
"""File with one row for each class on at most four points, up to permutations of the points.

`catalog.atlas.build.HEAD` lists the columns.
"""

MOST_POINTS = 5
"""Largest number of points. Every user computes the file of the classes on 5 points once."""


def classes(points: int, *, flips: bool = True) -> tuple[AtlasClass, ...]:
    """Return all non-empty classes on a number of points, each once up to symmetry.

    Parameters
    ----------
    points : int
        Number of points: 1, 2, 3 or 4.
    flips : bool
        Whether flipping all labels at a point is a symmetry, as permuting the points is.

    Returns
    -------
    tuple of AtlasClass
        Classes in increasing order of their bit masks (`AtlasClass.mask`).

    Raises
    ------
    InvalidInput
        If the atlas has no classes on that many points.

    Examples
    --------
    >>> [len(classes(n)) for n in POINTS], [len(classes(n, flips=False)) for n in POINTS]
    ([2, 5, 21, 401], [3, 11, 79, 3983])

    The classes on four points with the largest difference of Littlestone and VC dimension:

    >>> gaps = [C["ldim"] - C["vcdim"] for C in classes(4)]
    >>> max(gaps), gaps.count(max(gaps))
    (1, 81)
    """
    number = next((number for number in POINTS if number == points), None)
    if number is None:
        raise InvalidInput(
            f"The atlas has the classes on {POINTS[0]} to {POINTS[-1]} points. Got {points!r}."
        )
    return _classes(number, flips)


def find(
    C: ConceptClass, *, flips: bool = True, limit: Limit | None = None
) -> tuple[AtlasClass, Isomorphism]:
    """Find the class of the atlas that is isomorphic to a class, and the isomorphism.

    Parameters
    ----------
    C : ConceptClass
        A non-empty class on 1 to 5 points.
    flips : bool
        Whether flipping all labels at a point is a symmetry, as for `classes`.
    limit : Limit, optional
        Time and memory of the search for the isomorphism.

    Raises
    ------
    InvalidInput
        If the class is empty or on more points.

    Examples
    --------
    >>> from lsclasses import Table
    >>> found, move = find(Table([[1, 1], [0, 1], [1, 0]], domain="ab"))
    >>> found.mask, move(Table([[1, 1], [0, 1], [1, 0]], domain="ab")) == found.table
    (7, True)
    """
    require_class(C, "find()")
    if C.is_empty or C.domain.size not in (*POINTS, MOST_POINTS):
        raise InvalidInput(
            f"The atlas has the non-empty classes on {POINTS[0]} to {MOST_POINTS} points. "
            f"Got {C!r}."
        )
    canonical, move = canonical_form(C, flips=flips, limit=limit)
    mask = class_mask(canonical)
    if len(canonical.points) == MOST_POINTS:
        return _on_most_points(mask, flips), move
    known = classes(len(canonical.points), flips=flips)
    return next(entry for entry in known if entry.mask == mask), move


def table(points: int, *, flips: bool = True) -> AtlasTable:
    """Return all non-empty classes on a number of points as columns of numbers.

    Parameters
    ----------
    points : int
        Number of points, 1 to 5. ``lsclasses atlas build`` computes the file of the classes on 5
        points. Only requested columns are read from the file.
    flips : bool
        Whether flipping all labels at a point is a symmetry, as for `classes`. On 5 points, only
        True is allowed, because there are 37,333,247 classes otherwise.

    Raises
    ------
    InvalidInput
        If the atlas lacks these classes, or the file is missing.

    Examples
    --------
    >>> T = table(4)
    >>> int(T["star_number"].max()), int(T["labelled"].sum()) == 2**16 - 1
    (4, True)
    >>> table(2, flips=False)["threshold_dim"].tolist()
    [0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2]
    """
    if points in POINTS:
        return _small_table(int(points), flips)
    if points != MOST_POINTS:
        raise InvalidInput(
            f"The atlas has the classes on {POINTS[0]} to {MOST_POINTS} points. Got {points!r}."
        )
    if not flips:
        raise InvalidInput(
            f"On {MOST_POINTS} points, the atlas has the classes up to permutations and flips. Up "
            "to permutations only, there are 37,333,247 classes."
        )
    path = default_path()
    return _file_table(path, path.stat().st_mtime_ns if path.exists() else 0)


def plot(x: str, y: str, *, ax: Axes | None = None) -> Axes:
    """Draw the joint distribution of two columns over all classes up to permutations and flips.

    The classes on five points are included if their file exists.

    Parameters
    ----------
    x, y : str
        Columns, such as ``vcdim`` and ``ldim``.
    ax : matplotlib Axes, optional
        Axes to draw on. By default, a new figure.

    Raises
    ------
    InvalidInput
        If the column does not exist, or its values are sequences.
    LsclassesError
        If matplotlib is missing.

    Examples
    --------
    >>> plot("vcdim", "ldim").get_xlabel()
    'Vapnik-Chervonenkis dimension'
    """
    from catalog.atlas.atlas_plots import distribution

    return distribution(tables(), x, y, ax)


def tables() -> list[AtlasTable]:
    """Return one table of all classes up to permutations and flips for each number of points.

    The classes on five points are included if their file exists.
    """
    return [table(points) for points in (*POINTS, *(MOST_POINTS,) * there())]


def _on_most_points(mask: int, flips: bool) -> AtlasClass:
    """Return the class of a least mask on `MOST_POINTS` points, computed without the file."""
    masks = np.array([mask], dtype=np.uint64)
    orbit = {int(images(masks, each)[0]) for each in symmetries(MOST_POINTS, flips=flips)}
    own = {"mask": masks, "labelled": np.array([len(orbit)])}
    if not flips:
        own["flipped"] = least_masks(masks, MOST_POINTS, flips=True)
    return AtlasTable.computed(MOST_POINTS, own, flips=flips).at(0)


@cache
def _classes(points: int, flips: bool) -> tuple[AtlasClass, ...]:
    return _small_table(points, flips).all()


@cache
def _small_table(points: int, flips: bool) -> AtlasTable:
    head, lines = _file(points)
    rows = [line.split(",", len(OWN)) for line in lines]
    place = {name: head.index(name) for name in OWN[1:]}
    own = {name: np.array([int(row[at]) for row in rows]) for name, at in place.items()}
    if flips:
        kept = own["mask"] == own["flipped"]
        orbit = np.searchsorted(own["mask"][kept], own["flipped"])
        labelled = np.bincount(orbit, own["labelled"]).astype(np.int64)
        own = {"mask": own["mask"][kept], "labelled": labelled}
        rows = [rows[i] for i in np.flatnonzero(kept).tolist()]
    entries = zip(*(row[-1].split(",") for row in rows), strict=True)
    text = dict(zip(head[len(OWN) :], entries, strict=True))

    def load(name: str) -> np.ndarray:
        if name in own:
            return own[name]
        if name in text:
            return _integers(name, text[name], points)
        # Columns of other packages are not in the file.
        return compute(own["mask"].astype(np.uint64), points, [name])[name]

    names = ("points", *own, *column_names(points, flips=flips))
    return AtlasTable(points, flips=flips, names=names, load=load)


@lru_cache(maxsize=1)
def _file_table(path: Path, written: int) -> AtlasTable:
    return five_points(path).table()


def _file(points: int) -> tuple[list[str], list[str]]:
    """Return the names of the columns, and the lines of the classes on a number of points.

    The columns that identify the class come first, and no entry contains a comma.
    """
    head, *lines = _text().splitlines()
    return head.split(","), [line for line in lines if line.startswith(f"{points},")]


@cache
def _text() -> str:
    return FILE.read_text(encoding="utf-8")


def _integers(name: str, entries: Sequence[str], points: int) -> np.ndarray:
    """Return a column of integers from its entries. Fractions are given by their numerators."""
    column = COLUMNS[name]
    if column.denominator is not None:
        unit = column.unit(points)
        numerators = {text: int(Fraction(text) * unit) for text in set(entries)}
        return np.array([numerators[text] for text in entries], dtype=np.int64)
    if column.sequence:
        return np.array([text.split() for text in entries], dtype=np.int64)
    return np.array(entries, dtype=np.int64)
