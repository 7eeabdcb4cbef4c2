"""Small concept classes for property tests, and features given by a table."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from decimal import Decimal
from enum import IntEnum
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st

from learners.playing.features import Features
from lsclasses import Table
from lsclasses.point_names import Point

__all__ = [
    "GivenFeatures",
    "disguised_product",
    "equal_names",
    "lookalikes",
    "names",
    "plain",
    "tables",
]


@st.composite
def tables(
    draw: st.DrawFn, max_concepts: int = 8, max_points: int = 5, min_concepts: int = 1
) -> Table:
    """A table of distinct concepts on the points 0, 1, ..., in any order.

    `min_concepts=0` also gives the empty class.
    """
    least = max(1, (min_concepts - 1).bit_length())
    points = draw(st.integers(least, max_points), label="points")
    rows = draw(
        st.lists(
            st.integers(0, 2**points - 1),
            min_size=min_concepts,
            max_size=min(max_concepts, 2**points),
            unique=True,
        ),
        label="concepts",
    )
    return Table([[row >> j & 1 for j in range(points)] for row in rows], domain=range(points))


def plain(table: Table) -> frozenset[tuple[int, ...]]:
    """The class as `tests.oracles` takes it: a set of tuples of labels."""
    return frozenset(tuple(row) for row in table.labels.tolist())


def disguised_product(factors: Sequence[np.ndarray], rng: np.random.Generator) -> Table:
    """The product of classes, with points and concepts permuted and points complemented.

    Parameters
    ----------
    factors : sequence of arrays of 0/1, shape (concepts, points)
    rng : Generator
    """
    rows = np.zeros((1, 0), dtype=np.uint8)
    for factor in factors:
        left, right = np.repeat(rows, len(factor), axis=0), np.tile(factor, (len(rows), 1))
        rows = np.concatenate([left, right], axis=1).astype(np.uint8)
    rows = rng.permutation(rng.permutation(rows, axis=0), axis=1)
    return Table(rows ^ rng.integers(0, 2, rows.shape[1], dtype=np.uint8))


class GivenFeatures(Features):
    """Features that are written out as a table, one a row.

    Parameters
    ----------
    table : Table

    Examples
    --------
    >>> GivenFeatures(Table([[1, 1, 0], [0, 1, 1]], domain="abc")).values("a").astype(int).tolist()
    [1, 0]
    """

    def __init__(self, table: Table) -> None:
        super().__init__(table.domain, len(table))
        self.table = table

    def values(self, x: Point) -> np.ndarray:
        """The column of the point."""
        return self.table.column(x).astype(bool)

    def _key(self) -> Hashable:
        # Tables with the same rows in another order are equal, but number the features otherwise.
        return self.table.points, self.table.packed.tobytes()

    def __repr__(self) -> str:
        return f"GivenFeatures({self.table!r})"


@st.composite
def parts_of_products(draw: st.DrawFn) -> np.ndarray:
    """Some pairs from two classes, and one concept of each with all of the other."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1), label="seed"))
    left, right = (
        np.unique(rng.integers(0, 2, rng.integers((2, 1), (9, 5)), dtype=np.uint8), axis=0)
        for _ in range(2)
    )
    taken = rng.random((len(left), len(right))) < draw(st.sampled_from([0.1, 0.5, 0.9]))
    taken[0, :] = taken[:, -1] = True
    labels = np.array([[*left[i], *right[j]] for i, j in np.argwhere(taken)], dtype=np.uint8)
    labels = labels[:, rng.permutation(labels.shape[1])]
    return np.unique(labels ^ rng.integers(0, 2, labels.shape[1], dtype=np.uint8), axis=0)


# ---- names that are equal and look different


class Word(str):
    """A text of another type."""


class Digit(IntEnum):
    """Integers of another type."""

    NONE = 0
    ONE = 1
    TWO = 2


class Two(NamedTuple):
    """A tuple of another type."""

    first: Any
    second: Any


names = st.recursive(
    st.sampled_from(["", "a", "ß"])
    | st.integers(-1, 3)
    | st.sampled_from([0.5, -2.25, 0.1, 1e300, 2**70]),
    lambda inner: st.tuples(inner) | st.tuples(inner, inner),
    max_leaves=4,
)
"""Names of points in canonical form or not, few of them, so that equal ones come up."""


def equal_names(name: Any) -> st.SearchStrategy[Any]:
    """What equals a name and has the same hash: of other types, or written otherwise."""
    if isinstance(name, str):
        return st.sampled_from([name, np.str_(name), Word(name)])
    if isinstance(name, tuple):
        parts = st.tuples(*map(equal_names, name))
        return parts | parts.map(lambda pair: Two(*pair)) if len(name) == 2 else parts
    found = [name, Fraction(name), Decimal(name)]
    if abs(name) < 2**53:
        found += [float(name), np.float64(name), Decimal(name) + Decimal("0.00")]
    if name == int(name) and abs(name) < 2**53:
        found += [np.int64(int(name)), int(name)]
    found += [bool(name)] * (name in (0, 1)) + [-0.0] * (name == 0)
    found += [Digit(int(name))] if name in (0, 1, 2) else []
    return st.sampled_from([other for other in found if other == name])


lookalikes = names.flatmap(lambda name: st.tuples(st.just(name), equal_names(name)))
"""Two names that are equal, and may look different."""
