"""Values of the private atlas again, by another solver on another program."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from catalog.atlas.private_values import PrivateColumn, private_values
from learners.optimal.error import optimal_error
from learners.optimal.sample_problems import all_labellings, labels_of
from learners.private_atlas.computation import Task, atlas_masks
from tests.learners.optimal.naive_error import least_error, scip_value, scipy_value
from tests.learners.optimal.test_error import with_images


def some_values(count: int) -> list[tuple[Task, Fraction]]:
    """Random classes and epsilons: one row on at most four points, two rows on at most three."""
    rng = random.Random(59)
    tasks = [
        Task(points, mask, "V", rows)
        for rows, most in ((1, 4), (2, 3))
        for points in range(1, most + 1)
        for mask in atlas_masks(points)
        if mask.bit_count() > 1
    ]
    epsilons = Fraction(1, 2), Fraction(1), Fraction(2)
    return [(task, rng.choice(epsilons)) for task in rng.sample(tasks, count)]


def confirmed(task: Task, epsilon: Fraction, solve) -> None:
    """The program without symmetry, hubs or multisets has the value of the atlas.

    The hard prior comes from a new computation. For a finite prior, the program is a lower bound.
    """
    stored = private_values(task.points, task.mask)[PrivateColumn("V", task.size, epsilon)]
    C = task.table
    result = optimal_error(C, task.size, epsilon, tolerance=task.tolerance)
    challenges = with_images(C, result)
    outputs = list(all_labellings(task.points))
    value = least_error(
        outputs, len(labels_of(C.labels)[0]), task.size, float(epsilon), challenges, solve=solve
    )
    assert value <= float(stored.upper) + 1e-7
    assert value >= float(stored.lower) - float(task.tolerance)
    assert value == pytest.approx(float(result.lower), abs=1e-6)


@pytest.mark.parametrize("number", range(3))
def test_values_without_symmetry(number: int) -> None:
    task, epsilon = [each for each in some_values(50) if each[0].points <= 3][number]
    confirmed(task, epsilon, scipy_value)


@pytest.mark.slow
def test_fifty_values_by_a_second_solver() -> None:
    pytest.importorskip("pyscipopt")
    for task, epsilon in some_values(50):
        confirmed(task, epsilon, scip_value)
