"""Learning when the best concept errs k times, against the definitions."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

import catalog
from learners.coins import SeededCoins
from learners.playing.adversaries import Optimal
from learners.playing.base.halving import Halving
from learners.playing.play import play
from lsclasses import Table
from lsclasses.budget_soa import BudgetSOA, RandomizedBudgetSOA
from lsclasses.errors import InvalidInput, NotRealizable, TooLarge
from lsclasses.mistake_budgets import agnostic_regret, budgeted_ldim, budgeted_randomized_ldim

Rows = tuple[tuple[int, ...], ...]

CONSTANTS = Table([[0], [1]])


def small_classes(points: int) -> Iterator[Table]:
    """All classes with at least one concept."""
    concepts = list(itertools.product((0, 1), repeat=points))
    for size in range(1, len(concepts) + 1):
        for chosen in itertools.combinations(concepts, size):
            yield Table(list(chosen))


def rows_of(C: Table) -> Rows:
    return tuple(tuple(int(C[i](x)) for x in C.points) for i in range(len(C)))


# ---- reference implementations


def noisy_class(C: Table, k: int, copies: int) -> Table:
    """All labellings of copies of the points that differ from a concept in at most k places."""
    found = set()
    for row in rows_of(C):
        labels = [y for y in row for _ in range(copies)]
        for size in range(k + 1):
            for places in itertools.combinations(range(len(labels)), size):
                flipped = list(labels)
                for place in places:
                    flipped[place] ^= 1
                found.add(tuple(flipped))
    return Table(sorted(found))


def expected_depth_of_length(rows: Rows, k: int, length: int) -> Fraction:
    """The largest expected depth of a k-shattered tree with branches of at most `length` nodes."""

    @cache
    def depth(budgets: tuple[int, ...], left: int) -> Fraction:
        best = Fraction(0)
        for x in range(len(rows[0])) if left else ():
            sides = []
            for label in (0, 1):
                after = tuple(b - (row[x] != label) for b, row in zip(budgets, rows, strict=True))
                sides.append(tuple(max(b, -1) for b in after))
            if all(max(side) >= 0 for side in sides):
                best = max(best, 1 + sum(depth(side, left - 1) for side in sides) / 2)
        return best

    return depth((k,) * len(rows), length)


def naive_regret(rows: Rows, rounds: int) -> Fraction:
    """The minimax regret, from all losses and all points, without a reduction of states."""

    @cache
    def value(losses: tuple[int, ...], left: int) -> Fraction:
        if left == 0:
            return Fraction(-min(losses))
        best = None
        for x in range(len(rows[0])):
            zeros, ones = (
                value(
                    tuple(n + (row[x] != y) for n, row in zip(losses, rows, strict=True)), left - 1
                )
                for y in (0, 1)
            )
            # The learner's loss is p at the label 0 and 1 - p at the label 1.
            crossing = min(max((1 + ones - zeros) / 2, Fraction(0)), Fraction(1))
            solved = min(max(p + zeros, 1 - p + ones) for p in (Fraction(0), crossing, Fraction(1)))
            best = solved if best is None else max(best, solved)
        assert best is not None
        return best

    return value((0,) * len(rows), rounds)


# ---- dimensions


def test_known_values():
    # [Filmus, Hanneke, Mehalel and Moran 2023], and the values that this project checked by hand.
    assert [budgeted_ldim(CONSTANTS, k) for k in range(5)] == [2 * k + 1 for k in range(5)]
    constants = [budgeted_randomized_ldim(CONSTANTS, k) for k in range(4)]
    assert constants == [Fraction(*v) for v in ((1, 2), (7, 4), (47, 16), (131, 32))]
    points = catalog.build("points:n=3")
    found = [budgeted_randomized_ldim(points, k) for k in range(3)]
    assert found == [Fraction(*v) for v in ((3, 4), (67, 32), (857, 256))]


def test_a_cube_allows_two_mistakes_for_each_error():
    cube = catalog.build("cube:n=3")
    assert [budgeted_ldim(cube, k) for k in range(4)] == [3 + 2 * k for k in range(4)]


@pytest.mark.parametrize("points", [1, 2, 3])
def test_without_errors_they_are_the_littlestone_dimensions(points):
    for C in small_classes(points):
        assert budgeted_ldim(C, 0) == C.ldim()
        assert budgeted_randomized_ldim(C, 0) == C.randomized_ldim()


@pytest.mark.parametrize("k", [1, 2])
def test_the_dimension_is_the_littlestone_dimension_of_the_noisy_class(k):
    # A tree of depth L + 1 uses each point at most L + 1 times on a branch.
    for C in small_classes(2) if k == 1 else (CONSTANTS,):
        found = budgeted_ldim(C, k)
        assert noisy_class(C, k, found + 1).ldim() == found


@pytest.mark.parametrize("k", [0, 1, 2])
def test_the_randomized_dimension_is_the_limit_of_finite_trees(k):
    for C in small_classes(2):
        value = 2 * budgeted_randomized_ldim(C, k)
        short, long = (expected_depth_of_length(rows_of(C), k, n) for n in (20, 40))
        assert short <= long <= value
        assert value - long <= Fraction(1, 1000)


def test_an_empty_class_has_the_value_minus_one():
    empty = Table([], domain="ab")
    assert budgeted_ldim(empty, 2) == -1
    assert budgeted_randomized_ldim(empty, 2) == -1


def test_a_class_without_points_forces_no_mistake():
    single = Table(np.zeros((1, 0), dtype=np.uint8), domain=[])
    assert budgeted_ldim(single, 3) == 0
    assert budgeted_randomized_ldim(single, 3) == 0


def test_bad_input():
    for wrong in (-1, "1/2", 1.5):
        with pytest.raises(InvalidInput, match=str(wrong)):
            budgeted_ldim(CONSTANTS, wrong)
    with pytest.raises(InvalidInput, match="-1"):
        agnostic_regret(CONSTANTS, -1)
    with pytest.raises(InvalidInput, match="empty"):
        BudgetSOA(Table([], domain="ab"), 1)


def test_a_large_game_is_refused_with_the_number_of_states(monkeypatch):
    monkeypatch.setattr("lsclasses.mistake_budgets.MOST_STATES", 100)
    with pytest.raises(TooLarge, match="more than 100 states") as refused:
        budgeted_ldim(catalog.build("cube:n=4"), 3)
    # 4 budgets, and differences of labels from -4 to 4 at each of 4 points.
    assert refused.value.estimate == 4 * 9**4
    with pytest.raises(TooLarge, match="more than 100 states"):
        agnostic_regret(catalog.build("cube:n=4"), 20)


# ---- learners


def realizable_sequences(C: Table, k: int, length: int) -> Iterator[list[tuple[int, int]]]:
    rows = rows_of(C)
    examples = list(itertools.product(range(len(C.points)), (0, 1)))
    for chosen in itertools.product(examples, repeat=length):
        if min(sum(row[x] != y for x, y in chosen) for row in rows) <= k:
            yield [(C.points[x], y) for x, y in chosen]


@pytest.mark.parametrize("k", [0, 1])
@pytest.mark.parametrize("spec", ["thresholds:n=2", "points:n=2", "cube:n=2"])
def test_the_learner_makes_at_most_its_bound_of_mistakes_and_attains_it(spec, k):
    C = catalog.build(spec).to_table()
    most = 0
    for examples in realizable_sequences(C, k, 5):
        state, mistakes = BudgetSOA(C, k), 0
        for x, y in examples:
            mistakes += state.predict(x) != y
            state = state.observe(x, y)
        most = max(most, mistakes)
    assert most == min(budgeted_ldim(C, k), 5)


@pytest.mark.parametrize("k", [0, 1])
@pytest.mark.parametrize("spec", ["thresholds:n=2", "points:n=2"])
def test_the_randomized_learner_keeps_its_bound_in_expectation(spec, k):
    C = catalog.build(spec).to_table()
    bound = budgeted_randomized_ldim(C, k)
    start, most = RandomizedBudgetSOA(C, k), Fraction(0)
    for examples in realizable_sequences(C, k, 5):
        most = max(most, start.expected_mistakes(examples))
    assert bound - Fraction(1, 2) < most <= bound


def test_an_impossible_label_changes_no_budget():
    state = BudgetSOA(CONSTANTS, 0).observe(0, 1)
    after = state.observe(0, 0)
    assert (after.realizable, after.mistake_bound, after.budgets) == (False, None, state.budgets)
    with pytest.raises(NotRealizable, match="more than 0 times"):
        RandomizedBudgetSOA(CONSTANTS, 0).observe(0, 1).observe(0, 0)


@pytest.mark.parametrize("learner", [BudgetSOA, RandomizedBudgetSOA])
def test_a_state_is_read_from_its_json(learner):
    start = learner(catalog.build("thresholds:n=3"), 2)
    state = start.observe(1, 1).observe(2, 0)
    assert start.from_json(state.to_json(start)) == state
    with pytest.raises(InvalidInput, match="budgets"):
        written = state.to_json(start)
        if isinstance(written, dict):
            written["budgets"] = ["0"]
        else:
            written = ["0"]
        start.from_json(written)


@pytest.mark.parametrize("k", [1, 2])
@pytest.mark.parametrize("spec", ["thresholds:n=3", "points:n=3"])
def test_the_optimal_adversary_forces_the_bound_and_keeps_its_promise(spec, k):
    C = catalog.build(spec).to_table()
    adversary = Optimal(C, k)
    learner = BudgetSOA(C, k)
    played = play(learner, adversary, 60, SeededCoins(1), keep_points=True)
    assert played.mistakes == budgeted_ldim(C, k)
    errors = [sum(C[i](x) != y for x, y in played.examples) for i in range(len(C))]
    assert min(errors) <= k
    assert play(Halving(C), adversary, 60, SeededCoins(1)).mistakes >= played.mistakes


# ---- regret


@pytest.mark.parametrize("rounds", [0, 1, 2, 3, 4, 5])
def test_the_regret_is_the_minimax_value(rounds):
    for spec in ("thresholds:n=2", "points:n=3", "cube:n=2"):
        C = catalog.build(spec).to_table()
        assert agnostic_regret(C, rounds) == naive_regret(rows_of(C), rounds)


def test_the_regret_of_two_constants_is_half_of_the_mean_distance_of_a_random_walk():
    for rounds in range(9):
        walks = itertools.product((-1, 1), repeat=rounds)
        mean = Fraction(sum(abs(sum(walk)) for walk in walks), 2**rounds)
        assert agnostic_regret(CONSTANTS, rounds) == mean / 2
