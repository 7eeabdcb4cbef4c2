"""Small concept classes for property tests."""

from __future__ import annotations

from hypothesis import strategies as st

from lsclasses import Table

__all__ = ["plain", "tables"]


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
    """The class as `lsclasses.naive` takes it: a set of tuples of labels."""
    return frozenset(tuple(row) for row in table.labels.tolist())
