from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

import catalog
from lsclasses import Table
from lsclasses.dimensions import teaching
from lsclasses.dimensions.teaching import (
    Lesson,
    recursive_teaching_dim,
    teaching_dim,
    teaching_plan,
    teaching_set,
)
from tests import oracles
from tests.strategies import plain, tables


@given(tables(max_concepts=14, max_points=6))
def test_least_teaching_sets(table: Table) -> None:
    C = plain(table)
    for h in table:
        points = teaching_set(table, h)
        assert all(g == h or any(g(x) != h(x) for x in points) for g in table)
        assert len(points) == oracles.teaching_set_size(tuple(h.labels.tolist()), C)


def closed_under_turning(table: Table) -> Table:
    """The concepts, moved around the points and complemented in all ways."""
    rows = np.concatenate([np.roll(table.labels, j, axis=1) for j in range(len(table.points))])
    return Table(np.concatenate([rows, 1 - rows]), table.domain)


@pytest.mark.parametrize("from_ratio", [0, teaching.SYMMETRIES_FROM])
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=10)
@given(tables(max_concepts=8, max_points=5, min_concepts=0))
def test_the_plan_teaches_every_concept_at_the_least_cost(
    from_ratio: int, monkeypatch: pytest.MonkeyPatch, table: Table
) -> None:
    monkeypatch.setattr(teaching, "SYMMETRIES_FROM", from_ratio)
    check_plan(table)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=5)
@given(tables(max_concepts=1, max_points=4))
def test_plans_of_symmetric_classes(monkeypatch: pytest.MonkeyPatch, table: Table) -> None:
    monkeypatch.setattr(teaching, "SYMMETRIES_FROM", 0)
    symmetric = closed_under_turning(table)
    check_plan(symmetric)
    assert teaching_dim(symmetric) == oracles.teaching_dim(plain(symmetric))


def test_a_class_with_many_symmetries_has_the_plan_of_one_without() -> None:
    lists = catalog.build("decision-lists:n=3").to_table()
    assert len(lists) >= teaching.SYMMETRIES_FROM * len(lists.points)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(teaching, "SYMMETRIES_FROM", len(lists))
        one_by_one = teaching_dim(lists), recursive_teaching_dim(lists)
    assert (teaching_dim(lists), recursive_teaching_dim(lists)) == one_by_one
    check_lessons(lists, teaching_plan(lists))


@pytest.mark.slow
def test_decision_lists_on_five_variables() -> None:
    lists = catalog.build("decision-lists:n=5")
    assert (lists.teaching_dim(), lists.recursive_teaching_dim()) == (32, 6)


def check_lessons(table: Table, plan: tuple[Lesson, ...]) -> None:
    assert sorted(lesson.concept for lesson in plan) == list(range(len(table)))
    labels = table.labels
    for i, lesson in enumerate(plan):
        later = labels[[other.concept for other in plan[i + 1 :]]]
        points = [table.domain.index(x) for x in lesson.points]
        assert np.all((later[:, points] != labels[lesson.concept, points]).any(axis=1))


def check_plan(table: Table) -> None:
    plan = teaching_plan(table)
    check_lessons(table, plan)
    order = max((len(lesson.points) for lesson in plan), default=-1)
    assert order == recursive_teaching_dim(table) == oracles.recursive_teaching_dim(plain(table))


def test_more_points_than_fit_a_machine_word() -> None:
    n = 150
    singletons = Table(np.concatenate([np.eye(n, dtype=int), np.zeros((1, n), dtype=int)]))
    assert teaching_dim(singletons) == n
    assert recursive_teaching_dim(singletons) == 1
    rows = np.array(list(itertools.product((0, 1), repeat=3)))
    spread = np.zeros((8, n), dtype=int)
    spread[:, [3, 70, 140]] = rows
    assert teaching_dim(Table(spread)) == 3
