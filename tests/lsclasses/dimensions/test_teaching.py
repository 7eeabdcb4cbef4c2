from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings

from lsclasses import InvalidInput, Table, naive
from lsclasses.dimensions.teaching import (
    recursive_teaching_dim,
    teaching_dim,
    teaching_plan,
    teaching_set,
)
from tests.strategies import plain, tables


@settings(max_examples=100)
@given(tables(max_concepts=14, max_points=6))
def test_least_teaching_sets(table: Table) -> None:
    C = plain(table)
    for h in table:
        points = teaching_set(table, h)
        assert all(g == h or any(g(x) != h(x) for x in points) for g in table)
        assert len(points) == naive.teaching_set_size(tuple(h.labels.tolist()), C)


@settings(max_examples=60)
@given(tables(max_concepts=8, max_points=5, min_concepts=0))
def test_the_plan_teaches_every_concept_at_the_least_cost(table: Table) -> None:
    plan = teaching_plan(table)
    assert sorted(lesson.concept for lesson in plan) == list(range(len(table)))
    for i, lesson in enumerate(plan):
        h = table[lesson.concept]
        for later in plan[i + 1 :]:
            assert any(table[later.concept](x) != h(x) for x in lesson.points)
    order = max((len(lesson.points) for lesson in plan), default=-1)
    assert order == recursive_teaching_dim(table) == naive.recursive_teaching_dim(plain(table))


def test_a_concept_of_another_class_cannot_be_taught() -> None:
    C = Table([[0, 1], [1, 0]])
    with pytest.raises(InvalidInput, match="concept of the class"):
        teaching_set(C, Table([[1, 1]])[0])


def test_more_points_than_fit_a_machine_word() -> None:
    n = 150
    singletons = Table(np.concatenate([np.eye(n, dtype=int), np.zeros((1, n), dtype=int)]))
    assert teaching_dim(singletons) == n
    assert recursive_teaching_dim(singletons) == 1
    rows = np.array(list(itertools.product((0, 1), repeat=3)))
    spread = np.zeros((8, n), dtype=int)
    spread[:, [3, 70, 140]] = rows
    assert teaching_dim(Table(spread)) == 3


def test_names() -> None:
    C = Table([[0, 0], [0, 1]], domain="ab", concepts=["none", "b"])
    assert {lesson.concept for lesson in teaching_plan(C)} == {"none", "b"}
    assert teaching_set(C, C[1]) == ("b",)
