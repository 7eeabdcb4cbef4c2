"""Shattering in the larger classes that contain a class."""

from __future__ import annotations

import itertools
from functools import cache

import numpy as np

from catalog.parameters.base import (
    Named,
    Numbers,
    Parts,
    evidence,
    not_a_label,
    parameter,
    pattern_on,
)
from lsclasses.dimensions.definitions import Labels, Problem, _few_enough, listed
from lsclasses.point_names import name_text
from lsclasses.searching.bitsets import members

EXTENDED = 4
"""Largest number of points for which all classes are tried."""

# ---- extremal classes


@cache
def extremal_classes(points: int) -> tuple[np.ndarray, np.ndarray]:
    """Return two arrays, indexed by the mask of a class: whether it is extremal, and its VCdim.

    Examples
    --------
    >>> extremal, vcdims = extremal_classes(2)
    >>> np.flatnonzero(~extremal).tolist()    # two concepts that differ at both points
    [6, 9]
    """
    masks = np.arange(1 << (1 << points))
    count, vcdims = np.zeros((2, len(masks)), dtype=np.int8)
    for s in range(1 << points):
        shattered = masks > 0
        for pattern in {c & s for c in range(1 << points)}:
            shown = sum(1 << c for c in range(1 << points) if c & s == pattern)
            shattered &= (masks & shown) > 0
        count += shattered
        vcdims[shattered] = np.maximum(vcdims[shattered], s.bit_count())
    sizes = sum((masks >> c & 1 for c in range(1 << points)), start=np.zeros_like(masks))
    return count == sizes, vcdims


@cache
def extension_vcdims(points: int) -> np.ndarray:
    """Return an array: for the mask of each class, the least VCdim of an extremal superclass."""
    extremal, vcdims = extremal_classes(points)
    found = np.where(extremal, vcdims, np.int8(points))
    for c in range(1 << points):
        # Compare each class without the concept c with the class with the concept c.
        halves = found.reshape(-1, 2, 1 << c)
        np.minimum(halves[:, 0], halves[:, 1], out=halves[:, 0])
    return found


@parameter(
    "extremal extension VC dimension",
    "VC_ext",
    EXTENDED,
    reference="Chase, Chornomaz, Hanneke, Moran and Yehudayoff 2024",
)
def extremal_extension_vcdim(numbers: Numbers, points: int) -> int:
    """The least VC dimension of an extremal class on the same points that contains the class. A
    class is extremal if it shatters as many sets of points, including the empty set, as it has
    concepts.
    """
    return int(extension_vcdims(points)[sum(1 << c for c in numbers)])


# ---- searches for witnesses


def find_extension(C: Named, value: int) -> Parts:
    """Return an extremal class that contains all concepts, as evidence."""
    extremal, vcdims = extremal_classes(C.n)
    mask = sum(1 << c for c in C.rows)
    masks = np.arange(len(extremal))
    good = masks[extremal & (vcdims == value) & (masks & mask == mask)].tolist()
    concepts = members(min(good, key=int.bit_count))
    return {"labellings": tuple(tuple(c >> j & 1 for j in range(C.n)) for c in concepts)}


# ---- checks of witnesses


def check_extension(labels: Labels, parts: Parts, value: int) -> Problem:
    """Return the error in an extremal class that contains all concepts, or ""."""
    rows, points = [tuple(row) for row in parts["labellings"]], labels.points
    if any(len(row) != len(points) for row in rows):
        return f"a labelling has {len(points)} labels"
    if problem := not_a_label(y for row in rows for y in row):
        return problem
    if len(set(rows)) < len(rows):
        return "the labellings must be different"
    for c in labels.concepts:
        if pattern_on(labels, c, points) not in rows:
            return f"the concept {name_text(c)} is not among the labellings"
    _few_enough(len(points), len(points) // 2, "be shattered")
    shattered = 0
    for size in range(len(points) + 1):
        for chosen in itertools.combinations(range(len(points)), size):
            if len({tuple(row[j] for j in chosen) for row in rows}) == 2**size:
                if size > value:
                    return f"points {listed([name_text(points[j]) for j in chosen])} are shattered"
                shattered += 1
    if shattered != len(rows):
        return f"{len(rows)} labellings shatter {shattered} sets, so that they are not extremal"
    return ""


# ---- the parts of witnesses


evidence(
    "extremal_extension_vcdim",
    "the labellings of an extremal class that contains all concepts, and shatters no set of more "
    "than n points (n is the value)",
    find_extension,
    check_extension,
    at_most=True,
)
