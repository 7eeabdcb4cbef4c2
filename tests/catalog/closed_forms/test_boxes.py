"""Boxes of a grid in closed form, against the tables of rectangles and against enumeration."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import catalog
from catalog.closed_forms.box_indicators import Box, BoxIndicator
from catalog.closed_forms.boxes import Boxes
from lsclasses.domain import FiniteDomain, IntegerGrid, lattice_points
from lsclasses.error_histograms import error_histogram
from lsclasses.errors import InvalidInput, TooLarge
from tests.catalog.closed_forms.closed_form_checks import check_all

FAMILY = catalog.family("rectangles")


@pytest.mark.parametrize(
    ("a", "b", "states"),
    [
        *((1, 1, 120), (1, 4, 30), (2, 2, 30), (2, 3, 15)),
        *(
            pytest.param(*sides, 120, marks=pytest.mark.slow)
            for sides in ((1, 4), (2, 2), (2, 3), (3, 3))
        ),
    ],
)
def test_every_version_space_is_the_one_of_the_table(a: int, b: int, states: int) -> None:
    check_all(Boxes(IntegerGrid(a, b)), FAMILY.table(a=a, b=b), max_states=states)


@st.composite
def samples(draw: Any) -> tuple[Boxes, dict[tuple[Any, int], int]]:
    sides = draw(st.sampled_from([(4,), (5, 1), (3, 4), (2, 2, 3), (4, 4)]))
    C: Any = Boxes(IntegerGrid(*sides))
    points = st.tuples(*(st.integers(0, side - 1) for side in sides))
    example = st.tuples(points, st.integers(0, 1))
    for x, y in draw(st.lists(example, max_size=4)):
        C = C if C.restrict(x, y).is_empty else C.restrict(x, y)
    return C, draw(st.dictionaries(example, st.integers(1, 3), max_size=8))


def concepts(C: Boxes) -> list[BoxIndicator]:
    """All boxes of a grid with the labels of the class, by enumeration of all corners."""
    grid = C.domain
    ranges = [range(side) for side in grid.sides]
    boxes: list[BoxIndicator] = [BoxIndicator(grid, None)]
    for first in lattice_points(ranges):
        for last in lattice_points(ranges):
            if all(a <= b for a, b in zip(first, last, strict=True)):
                boxes.append(BoxIndicator(grid, Box(first, last)))
    examples = list(C._leaving())
    return [h for h in boxes if all(h(x) == y for x, y in examples)]


@given(samples(), st.integers(0, 2**32))
def test_the_histogram_counts_and_draws_the_boxes(case: Any, seed: int) -> None:
    C, rows = case
    errors = Counter(sum(n for (x, y), n in rows.items() if h(x) != y) for h in concepts(C))
    histogram = error_histogram(C, rows)
    assert dict(histogram.counts) == dict(sorted(errors.items()))
    for number in histogram.counts:
        concept = histogram.sample(number, seed)
        assert concept in C.to_table()
        assert sum(n for (x, y), n in rows.items() if concept(x) != y) == number


def test_boxes_with_equal_errors_are_equally_likely() -> None:
    C = Boxes(IntegerGrid(3, 3)).restrict((1, 1), 1).restrict((0, 0), 0)
    histogram = error_histogram(C, {((2, 1), 0): 1})
    number = max(histogram.counts, key=lambda e: histogram.counts[e])
    rng = np.random.default_rng(5)
    drawn = Counter(histogram.sample(number, rng) for _ in range(200 * histogram.counts[number]))
    assert len(drawn) == histogram.counts[number]
    # The standard deviation of each number is at most 15. The seed is fixed.
    assert max(abs(each - 200) for each in drawn.values()) < 60


def test_numbers_of_boxes_exceed_machine_integers() -> None:
    C = Boxes(IntegerGrid(2**70, 2**70))
    rows = {((2**69, 5), 1): 2, ((7, 2**60), 0): 20}
    assert sum(error_histogram(C, rows).counts.values()) == C.size
    # The boxes that contain only the first point have their corners around it.
    left, below = 2**69 + 1, 6
    both = 8 * 6 * (2**70 - 2**69) * (2**70 - 2**60)
    only = left * below * (2**70 - 2**69) * (2**70 - 5) - both
    assert error_histogram(C, rows).counts[0] == only


def test_many_rows_are_refused_by_their_number() -> None:
    C = catalog.build("rectangles:a=1000,b=1000")
    assert isinstance(C, Boxes)
    for rows in ({((0, 0), 1): 5000}, {((i, i), 0): 5 for i in range(1000)}):
        with pytest.raises(TooLarge, match="5000 rows"):
            error_histogram(C, rows)


def test_a_grid_lists_its_points_in_order() -> None:
    grid = IntegerGrid(2, 3, 2)
    listed = FiniteDomain(grid)
    assert grid == listed and hash(grid) == hash(listed)
    assert [grid.index(x) for x in grid] == list(range(12))
    assert [grid.point(i) for i in range(12)] == list(grid)
    assert (0, 3, 0) not in grid and (0, 0) not in grid and 5 not in grid
    with pytest.raises(InvalidInput, match="sides"):
        IntegerGrid(3, 0)
