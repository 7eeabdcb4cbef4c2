"""Uniform random classes on at most six points, and confidence intervals for shares of classes.

Classes are drawn independently and uniformly from all classes of a type *on named points*: classes
that differ by a permutation of the points are different. An orbit of such classes is therefore
drawn in proportion to its number of classes. The same seed gives the same classes. Clopper-Pearson
intervals estimate shares of all classes.
"""

from __future__ import annotations

from math import ceil, floor
from typing import NamedTuple

import numpy as np
from scipy.stats import binomtest

from catalog.atlas.closed import ClosedPairs
from catalog.atlas.extensions import ExtremalPairs, Progress
from catalog.atlas.orbits import Representatives, images, symmetries
from catalog.atlas.structured import (
    KINDS,
    MOST_POINTS,
    OF_DIMENSION,
    column,
    no_dimension,
    structured,
)
from lsclasses.errors import InvalidInput, nearest

CONFIDENCE = 0.95
"""The default confidence of each pair of bounds on a share."""
ROUNDED = 1e-9
"""Unit to which bounds are rounded outwards, because versions of SciPy differ in later digits."""

ANY = "any"
"""Name of the type of all non-empty classes."""


class Share(NamedTuple):
    """A value of a parameter in a sample of classes, with bounds on its share of all classes.

    Attributes
    ----------
    value : int
        Value of the parameter.
    classes : int
        Number of classes of the sample with this value.
    lower, upper : float
        Bounds on the share of all classes with this value. At a confidence of 95 %, at most about 5
        of 100 such pairs of bounds do not contain the share.
    """

    value: int
    classes: int
    lower: float
    upper: float


def sample(
    kind: str,
    points: int,
    number: int,
    *,
    vcdim: int | None = None,
    size: int | None = None,
    seed: int = 0,
    among: Representatives | None = None,
    progress: Progress | None = None,
) -> np.ndarray:
    """Draw classes of a type independently and uniformly from the classes on named points.

    Parameters
    ----------
    kind : str
        ``any``, or one of `catalog.atlas.structured.KINDS`. Intersection-closed classes are
        intersection-closed without flips.
    points : int
        Number of points, 1 to 6.
    number : int
        Number of drawn classes.
    vcdim : int, optional
        VC dimension, as for `catalog.atlas.structured.structured`.
    size : int, optional
        Number of concepts, for the type ``any`` only. By default, classes have all sizes.
    seed : int
        Seed of NumPy's generator.
    among : Representatives, optional
        List of the classes of this type, if available. Only maximum and maximal classes need the
        list.
    progress : callable, optional
        Function that is called with the number of finished steps and the number of steps.

    Returns
    -------
    array of uint64
        Masks of the drawn classes. Bit i of a mask is 1 if the class contains the concept whose
        labels are the binary digits of i.

    Raises
    ------
    InvalidInput
        If a parameter is out of range.
    TooLarge
        If the classes of this type cannot be listed.

    Examples
    --------
    >>> [int(mask).bit_count() for mask in sample("any", 6, 4, size=3)]
    [3, 3, 3, 3]
    >>> bool((sample("any", 2, 1000, seed=1) == 0).any())
    False
    """
    check_sample(kind, points, number, vcdim=vcdim, size=size)
    rng = np.random.default_rng(seed)
    if kind == ANY:
        return _any(points, number, size, rng)
    if kind == "intersection-closed" and vcdim is None:
        return ClosedPairs(points - 1).sample(number, rng)
    if kind == "extremal" and vcdim is None and points > 1:
        return ExtremalPairs(points - 1, progress=progress).sample(number, rng)
    found = structured(kind, points, vcdim, progress=progress) if among is None else among
    ends = np.cumsum(found.labelled)
    drawn = np.searchsorted(ends, rng.integers(0, ends[-1], number), side="right")
    group = symmetries(points, flips=True)
    moved = rng.integers(0, len(group), number)
    pairs = zip(found.masks[drawn], group[moved], strict=True)
    return np.concatenate([images(mask[None], each) for mask, each in pairs])


def check_sample(
    kind: str, points: int, number: int, *, vcdim: int | None = None, size: int | None = None
) -> None:
    """Check the parameters of `sample`, before a list of classes is made.

    Raises
    ------
    InvalidInput
        If a parameter is out of range.
    """
    if kind not in (ANY, *KINDS):
        raise InvalidInput(f"The atlas has no {kind!r} classes. {nearest(kind, (ANY, *KINDS))}")
    if points not in range(1, MOST_POINTS + 1):
        raise InvalidInput(f"Classes are drawn on 1 to {MOST_POINTS} points. Got {points}.")
    if number < 1:
        raise InvalidInput(f"A sample has at least one class. Got {number}.")
    if size is not None and (kind != ANY or not 1 <= size <= 1 << points):
        raise InvalidInput(
            f"Classes of a given size are of the kind {ANY!r} and have 1 to {1 << points} concepts "
            f"on {points} points. Got {kind!r} of size {size}."
        )
    if vcdim is not None and kind == ANY:
        raise InvalidInput(
            f"Classes of the kind {ANY!r} are drawn from the classes of all VC dimensions."
        )
    if kind in OF_DIMENSION and (vcdim is None or not 0 <= vcdim <= points):
        raise InvalidInput(no_dimension(kind, points, vcdim))


def _any(points: int, number: int, size: int | None, rng: np.random.Generator) -> np.ndarray:
    concepts = 1 << points
    if size is None:
        return rng.integers(1, 1 << concepts, number, dtype=np.uint64)
    orders = rng.permuted(np.tile(np.arange(concepts, dtype=np.uint64), (number, 1)), axis=1)
    found: np.ndarray = np.bitwise_or.reduce(np.uint64(1) << orders[:, :size], axis=1)
    return found


def shares(
    masks: np.ndarray, points: int, name: str, confidence: float = CONFIDENCE
) -> list[Share]:
    """Return the values of a parameter in a sample, with bounds on their shares among all classes.

    Parameters
    ----------
    masks : array of uint64
        Drawn classes, as `sample` returns them. Bit i of a mask is 1 if the class contains the
        concept whose labels are the binary digits of i.
    points : int
        Number of points of the classes.
    name : str
        Parameter, one of `catalog.atlas.structured.COLUMNS_ON_SIX`.
    confidence : float
        Probability with which each pair of bounds contains the share.

    References
    ----------
    Clopper, Pearson 1934.

    Examples
    --------
    One of the 15 classes on two points has VC dimension 2, which is a share of 0.067.

    >>> for each in shares(sample("any", 2, 1000), 2, "vcdim"):
    ...     print(each.value, each.classes, f"{each.lower:.3f} to {each.upper:.3f}")
    0 239 0.213 to 0.267
    1 686 0.656 to 0.715
    2 75 0.059 to 0.093
    """
    values, counts = np.unique(column(masks, points, name), return_counts=True)
    found = []
    for value, count in zip(values.tolist(), counts.tolist(), strict=True):
        bounds = binomtest(count, len(masks)).proportion_ci(confidence, method="exact")
        low, high = (float(bound) / ROUNDED for bound in (bounds.low, bounds.high))
        lower, upper = floor(low) * ROUNDED, min(1.0, ceil(high) * ROUNDED)
        found.append(Share(value, count, round(lower, 9), round(upper, 9)))
    return found
