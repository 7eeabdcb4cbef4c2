"""The games of leaves: the proved bounds on weights, from any source."""

from __future__ import annotations

import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import catalog
from learners.majorities import leaves
from learners.majorities.leaves import SLACK, UNIT, LeafSolver
from learners.playing.base.proper_soa import FREE, Subclasses
from lsclasses import Table, TooLarge
from tests.oracles import ldim_recursive
from tests.strategies import plain, tables

keeps = st.sampled_from([Fraction(1, 10), Fraction(3, 20), Fraction(1, 3), Fraction(49, 100)])


def naive_ldim(table: Table) -> int:
    return ldim_recursive(plain(table))


@given(tables(max_concepts=10), st.data())
def test_subclasses_are_the_restrictions(table, data):
    known = Subclasses(table)
    chosen, left = known.all, table
    for _ in range(data.draw(st.integers(0, 2))):
        j, y = data.draw(st.integers(0, len(table.points) - 1)), data.draw(st.integers(0, 1))
        if known.side(chosen, j, y):
            chosen, left = known.side(chosen, j, y), left.restrict(table.points[j], y)
    assert {table[int(i)] for i in known.members(chosen)} == set(left)
    d = naive_ldim(left)
    assert known.dimension(chosen) == d
    for x, label in zip(table.points, known.labels(chosen), strict=True):
        after = [naive_ldim(left.restrict(x, y)) for y in (0, 1)]
        assert label == (FREE if max(after) < d else after.index(d))


def check_solution(table, solver, chosen):
    """What `Solved` says of its attributes, transcribed."""
    found = solver.solved(chosen)
    members = solver.subclasses.members(chosen).tolist()
    left = Table([table.labels[i] for i in members])
    for x, y in zip(left.points, found.labels, strict=True):
        assert naive_ldim(left.restrict(x, 1 - y)) < naive_ldim(left)
    positions, numbers = zip(*found.weights, strict=True)
    assert sum(numbers) == UNIT and min(numbers) > 0 and len(set(positions)) == len(positions)
    wrong = table.labels != np.array(found.labels)
    if found.good:
        assert set(positions) <= set(members)
        for j in range(len(table.points)):
            against = sum(n for i, n in found.weights if wrong[i, j])
            assert against <= (solver.keep + SLACK) * UNIT
    else:
        for i in members:
            assert sum(n for j, n in found.weights if wrong[i, j]) >= solver.keep * UNIT
    return found.good


@given(tables(max_concepts=10), keeps)
def test_solutions_are_what_they_say(table, keep):
    solver = LeafSolver(table, keep)
    check_solution(table, solver, solver.subclasses.all)
    for leaf, weight in solver.refined({solver.subclasses.all: Fraction(1)}):
        assert weight >= 1 and check_solution(table, solver, leaf)


@given(tables(max_concepts=10), keeps, st.randoms(use_true_random=False))
def test_a_solver_that_says_anything_proves_nothing_wrong(table, keep, random):
    def nonsense(errors):
        return tuple(
            leaves._rounded(
                np.array(
                    [random.choice([0.0, 1.0, -3.0, np.nan, np.inf, 1e-300]) for _ in range(size)]
                )
            )
            for size in errors.T.shape
        )

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(leaves, "_minimax", nonsense)
        solver = LeafSolver(table, keep)
        check_solution(table, solver, solver.subclasses.all)
        for leaf, _ in solver.refined({solver.subclasses.all: Fraction(1)}):
            assert check_solution(table, solver, leaf)


def test_weights_are_rounded_to_one_sum():
    rng = np.random.default_rng(0)
    for size in (1, 2, 3, 1000):
        weights = rng.random(size)
        rounded = leaves._rounded(weights)
        assert rounded.sum() == UNIT and rounded.min() >= 0
        assert np.abs(rounded / UNIT - weights / weights.sum()).max() < 2 / UNIT
    assert leaves._rounded(np.zeros(4)).tolist() == [UNIT // 4] * 4


def test_solvers_are_compared_by_rows_in_their_order():
    C, D = Table([[0, 1], [1, 1]]), Table([[1, 1], [0, 1]])
    third = Fraction(1, 3)
    assert C == D and LeafSolver(C, third) != LeafSolver(D, third)
    assert LeafSolver(C, third) == LeafSolver(Table([[0, 1], [1, 1]]), third)
    assert LeafSolver(C, third) != LeafSolver(C, Fraction(1, 4)) != "a solver"
    assert pickle.loads(pickle.dumps(LeafSolver(C, third))) == LeafSolver(C, third)


def test_too_many_leaves(monkeypatch):
    monkeypatch.setattr(leaves, "LEAVES_LIMIT", 3)
    # Nine points: every point function differs from the constant 0 on more than a tenth of them.
    C = catalog.build("points:n=9").to_table()
    solver = LeafSolver(C, Fraction(1, 10))
    with pytest.raises(TooLarge, match="more than 3 leaves"):
        solver.refined({solver.subclasses.all: Fraction(1)})
