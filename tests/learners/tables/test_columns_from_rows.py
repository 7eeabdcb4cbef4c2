"""Columns whose features are chosen by looking at the rows: what that costs, and what is chosen."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from learners.accounting import basic
from learners.audit import audit
from learners.coins import SeededCoins
from learners.exact import exact_distribution
from learners.tables.columns import (
    Categories,
    Cuts,
    DataDependent,
    Flag,
    NotPrivateWarning,
    PrivateCuts,
    fit_columns,
)
from learners.tables.declarations import NOT_PRIVATE, declared_columns
from learners.tables.records import as_records
from lsclasses.verdicts import Verdict


def law_input(column, neighbours):
    def run(values, coins):
        table = as_records([[value] for value in values], names=["a"])
        return column.fitted(table.cells("a"), neighbours, coins).points

    return run


@pytest.mark.parametrize("neighbours", ["replace_one", "add_remove"])
@pytest.mark.parametrize(("grid", "count"), [(4, 1), (3, 2)])
def test_private_cut_points_cost_what_they_state(neighbours, grid, count):
    """All neighbouring columns of up to two entries, in the law of the production code."""
    column = PrivateCuts(0, 4, grid, count, 1)
    spent = basic(column.privacy("a", neighbours))
    assert spent == (1, 0)
    if neighbours == "replace_one":
        pairs = [
            ((a, x), (a, y)) for a in (0, 2, 4) for x, y in itertools.combinations((0, 2, 4), 2)
        ]
    else:
        pairs = [((a,), (a, b)) for a, b in itertools.product((0, 2, 4), repeat=2)]
    assert audit(law_input(column, neighbours), pairs, spent).verdict == Verdict.HOLDS


def law_of_cuts(values, grid, count, epsilon):
    """Which cut points are chosen of 1, 2, ..., grid - 1 and how likely: the definition."""
    chances = []
    for j in range(1, count + 1):
        scores = {
            point: -abs((count + 1) * sum(value < point for value in values) - j * len(values))
            for point in range(1, grid)
        }
        weights = {x: math.exp(epsilon / count * u / (2 * count + 2)) for x, u in scores.items()}
        chances.append({x: w / sum(weights.values()) for x, w in weights.items()})
    law: dict[tuple[float, ...], float] = {}
    for chosen in itertools.product(range(1, grid), repeat=count):
        points = tuple(map(float, sorted(set(chosen))))
        chance = math.prod(each[x] for each, x in zip(chances, chosen, strict=True))
        law[points] = law.get(points, 0) + chance
    return law


def close(law, expected):
    return set(law) == set(expected) and all(
        abs(float(law[x]) - chance) < 1e-9 for x, chance in expected.items()
    )


@pytest.mark.parametrize("count", [1, 2])
def test_cut_points_have_the_law_that_is_proved_private(count):
    column = PrivateCuts(0, 4, 4, count, 3)
    for neighbours in ("replace_one", "add_remove"):
        run = law_input(column, neighbours)
        for values in [(0, 2, 4), (3,), (1, 1, 1, 2)]:
            law = exact_distribution(lambda coins, run=run, values=values: run(values, coins))
            assert close(law, law_of_cuts(values, 4, count, 3))


def test_a_grid_of_two_steps_has_one_point():
    assert PrivateCuts(0, 1, 2, 1, 1).candidates == (0.5,)


def test_private_cut_points_are_near_the_quantiles():
    """With epsilon 3 and 4000 rows, a grid point off by a tenth of the range has probability
    below exp(-(3/3/2) * 4 * 400 / 4) < 10^-80 of being chosen."""
    table = as_records([[i / 40] for i in range(4000)], names=["a"])
    found = PrivateCuts(0, 100, 20, 3, 3).fitted(table.cells("a"), "replace_one", SeededCoins(5))
    assert np.abs(np.array(found.points) - [25, 50, 75]).max() <= 10


def test_many_cut_points_of_a_fine_grid_take_passes_over_the_rows_only():
    """Grid points between two rows are drawn together: 10^6 scores would take seconds."""
    table = as_records([[i] for i in range(100)], names=["a"])
    found = PrivateCuts(0, 100, 2**16, 20, 10**4).fitted(
        table.cells("a"), "replace_one", SeededCoins(5)
    )
    assert len(found.points) == 20
    assert np.abs(np.array(found.points) - 100 * np.arange(1, 21) / 21).max() <= 2


def test_columns_from_the_data_leave_no_guarantee():
    table = as_records([[1.0, "a"], [2.0, "b"], [3.0, "a"]], names=["n", "t"])
    declared = declared_columns(table.names, NOT_PRIVATE)
    with pytest.warns(NotPrivateWarning, match="no privacy guarantee"):
        fixed, cost = fit_columns(declared, table, "replace_one", SeededCoins(0))
    assert cost is None
    assert fixed.columns == (Cuts([1.5, 2, 2.5]), Categories(["a", "b"]))


def test_the_cost_of_several_private_columns_adds_up():
    columns = [PrivateCuts(0, 1, 4, 2, "0.25"), Flag(), PrivateCuts(0, 9, 3, 1, 0.5)]
    table = as_records([[0.2, 1, 3], [0.9, 0, 5]])
    _, cost = fit_columns(columns, table, "add_remove", SeededCoins(0))
    assert cost is not None
    assert basic(cost) == (Fraction(3, 4), 0)
    assert {leaf.neighbours for leaf in cost.leaves()} == {"add_remove"}
    assert {leaf.name for leaf in cost.leaves()} == {"a cut point of 'x0'", "a cut point of 'x2'"}


def test_what_is_missing_is_one_of_the_categories_that_occur():
    table = as_records([["a"], [None], ["b"], ["a"]], names=["t"])
    found = DataDependent().fitted(table.cells("t"), "replace_one", SeededCoins(0))
    assert found == Categories(["", "a", "b"])
