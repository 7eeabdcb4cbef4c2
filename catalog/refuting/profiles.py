"""Classes on six points whose growth function a statement's condition bounds.

``growth_function[2] <= 3`` in a condition, and ``vcdim <= 1``, hold for all parts of a class for
which they hold. So every such class of m concepts has one concept more than such a class of m - 1,
and all are found size by size, once each up to symmetry. There are too many on six points unless
the bounds are low; sizes are taken as long as they have at most `MOST` classes to be compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from catalog.atlas.atlas_table import AtlasTable
from catalog.atlas.columns import compute
from catalog.atlas.structured import COLUMNS_ON_SIX
from catalog.atlas.words import least, without
from catalog.refuting.statement import Statement
from catalog.refuting.surveying import Survey, judged
from lsclasses.dimensions.expressions import Expression

POINTS = 6
MOST = 4_000
"""How many classes, before those that are the same up to symmetry are put together, are compared:
some seconds."""
KNOWN = frozenset({"points", "growth_function", *COLUMNS_ON_SIX})
"""What is computed for many classes on six points at once."""


@dataclass(frozen=True)
class Profile:
    """A statement on the classes on six points whose growth function its condition bounds.

    Attributes
    ----------
    bounds : dict of int to int
        The largest values of entries of the growth function.
    concepts : int
        All classes of at most this number of concepts were looked at.
    complete : bool
        Whether no class within the bounds has more.
    survey : Survey
    """

    bounds: dict[int, int]
    concepts: int
    complete: bool
    survey: Survey

    def to_json(self) -> dict[str, object]:
        """What ``--json`` prints."""
        return {
            "points": POINTS,
            "classes": len(self.survey.values),
            "concepts": self.concepts,
            "complete": self.complete,
            "bounds": [{"entry": entry, "most": most} for entry, most in self.bounds.items()],
        }

    def __str__(self) -> str:
        bounds = " and ".join(f"growth_function[{i}] <= {b}" for i, b in self.bounds.items())
        concepts = "" if self.complete else f" of at most {self.concepts} concepts"
        return f"all {len(self.survey.values)} classes on {POINTS} points{concepts} with {bounds}"


def profile_of(statement: Statement) -> Profile | None:
    """Hold a statement against the classes on six points that its condition bounds.

    None if it bounds no entry of the growth function, or if the statement is about what is not
    computed for many classes at once.

    Examples
    --------
    >>> found = profile_of(Statement("size <= 2 when growth_function[2] == 2"))
    >>> print(found, found.survey.count("fails"))
    all 7 classes on 6 points with growth_function[2] <= 2 0
    """
    bounds = bounds_of(statement)
    if not bounds or not set(statement.names) <= KNOWN:
        return None
    flips = not statement.flips_change
    found, complete = _sizes(bounds, flips)
    if not found:
        return None
    masks, labelled = (np.concatenate(parts) for parts in zip(*found, strict=True))
    order = np.argsort(masks)
    names = sorted({"size", *statement.names} - {"points"})
    own = {"mask": masks[order], "labelled": labelled[order]}
    columns = {**own, **compute(own["mask"], POINTS, names)}
    known = AtlasTable(POINTS, flips=flips, names=("points", *columns), load=columns.__getitem__)
    return Profile(bounds, len(found), complete, judged(statement, known))


def bounds_of(statement: Statement) -> dict[int, int]:
    """The entries of the growth function that a condition bounds, with their largest values.

    Examples
    --------
    >>> bounds_of(Statement("size <= 7 when growth_function[3] < 7 and vcdim == 1"))
    {2: 3, 3: 6}
    """
    found: dict[int, int] = {}
    for condition in statement.conditions:
        for entry, most in _bound(condition):
            found[entry] = min(most, found.get(entry, most))
    return dict(sorted(found.items()))


def _bound(condition: Expression) -> Iterator[tuple[int, int]]:
    assert condition.sides is not None
    left, sign, right = condition.sides
    if sign in (">", ">="):
        left, sign, right = right, {">": "<", ">=": "<="}[sign], left
    if right.names or sign not in ("<", "<=", "=="):
        return
    value = right({})
    if not isinstance(value, int):
        return
    most = value - (sign == "<")
    entry = left.index or ""
    if left.bare == "vcdim" and 0 <= most < POINTS:
        yield most + 1, 2 ** (most + 1) - 1
    elif left.bare == "growth_function" and entry.isdecimal() and int(entry) <= POINTS:
        yield int(entry), most


def _sizes(
    bounds: Mapping[int, int], flips: bool
) -> tuple[list[tuple[np.ndarray, np.ndarray]], bool]:
    """The classes within the bounds by size, one of each orbit, with the sizes of the orbits.

    Also whether these are all.
    """
    concepts = np.uint64(1) << np.arange(1 << POINTS, dtype=np.uint64)
    words, left = np.zeros(1, dtype=np.uint64), MOST
    found: list[tuple[np.ndarray, np.ndarray]] = []
    while True:
        larger = np.unique((words[:, None] | concepts).ravel())
        larger = larger[np.bitwise_count(larger) > np.bitwise_count(words[0])]
        larger = larger[_within(larger, bounds)]
        left -= len(larger)
        if not len(larger) or left < 0:
            return found, not len(larger)
        masks, orbits = least(larger, POINTS, flips=flips)
        words, first = np.unique(masks, return_index=True)
        found.append((words, orbits[first]))


def _within(words: np.ndarray, bounds: Mapping[int, int]) -> np.ndarray:
    """Whether the growth functions of classes keep within bounds."""
    found = np.ones(len(words), dtype=bool)
    for chosen in range(1 << POINTS):
        most = bounds.get(chosen.bit_count())
        if most is not None:
            shown = words
            for j in range(POINTS):
                if not chosen >> j & 1:
                    shown = (shown | shown >> np.uint64(1 << j)) & without(j, POINTS)
            found &= np.bitwise_count(shown) <= most
    return found
