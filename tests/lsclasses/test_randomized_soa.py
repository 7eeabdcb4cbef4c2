from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from lsclasses import Limit, Table, TooLarge
from lsclasses.randomized_soa import RandomizedSOA, _below
from tests.strategies import tables


def worst_case(table: Table) -> Fraction:
    """What an adversary forces that knows the probabilities and keeps to some concept."""
    known: dict[Table, Fraction] = {}

    def most(state: RandomizedSOA) -> Fraction:
        version_space = state.version_space
        if version_space not in known:
            worst = Fraction(0)
            for x in version_space.domain:
                sides = [version_space.restrict(x, y) for y in (0, 1)]
                # Where all agree nothing is lost and nothing changes.
                if not any(side.is_empty for side in sides):
                    for y in (0, 1):
                        loss = state.expected_mistakes([(x, y)])
                        worst = max(worst, loss + most(state.observe(x, y)))
            known[version_space] = worst
        return known[version_space]

    return most(RandomizedSOA(table))


@given(tables())
def test_the_worst_adversary_forces_exactly_the_dimension(table: Table) -> None:
    assert worst_case(table) == table.randomized_ldim()


@given(tables(max_points=4))
def test_both_answers_are_equally_bad_unless_clipped(table: Table) -> None:
    state = RandomizedSOA(table)
    for x in table.points:
        p = state.predict_probability(x)
        sides = [table.restrict(x, y) for y in (0, 1)]
        if any(side.is_empty for side in sides):
            assert p == (0 if sides[1].is_empty else 1)
            continue
        if_zero, if_one = p + sides[0].randomized_ldim(), 1 - p + sides[1].randomized_ldim()
        assert max(if_zero, if_one) <= state.mistake_bound
        if 0 < p < 1:
            assert if_zero == if_one


def test_expected_mistakes_by_hand() -> None:
    # Thresholds on two points: RL = 3/4; from (0, 0) or (0, 1) on, one coin is left.
    state = RandomizedSOA(Table([[0, 0], [0, 1], [1, 1]], domain="ab"))
    assert state.mistake_bound == Fraction(3, 4)
    assert state.predict_probability("a") == Fraction(1, 4)
    assert state.expected_mistakes([("a", 1), ("b", 1)]) == Fraction(3, 4)
    assert state.expected_mistakes([("a", 0), ("b", 0), ("b", 0)]) == Fraction(3, 4)
    assert state.expected_mistakes([]) == 0


def test_states_are_equal_when_their_version_spaces_are() -> None:
    C = Table([[0, 0, 1], [0, 1, 1], [1, 1, 1]])
    state = RandomizedSOA(C)
    left, right = state.observe(0, 0).observe(1, 1), state.observe(1, 1).observe(0, 0)
    assert left == right
    assert hash(left) == hash(right)
    assert state != left
    assert state == RandomizedSOA(C)


def test_it_keeps_to_its_memory() -> None:
    big = Table(np.random.default_rng(0).integers(0, 2, (200, 40)) | np.eye(200, 40, dtype=int))
    with pytest.raises(TooLarge, match="memory"):
        RandomizedSOA(big, limit=Limit(memory=1000)).predict_probability(0)


@pytest.mark.parametrize("n", [1, 3, 256, 2**70 + 1])
def test_uniform_integers_of_any_size(n: int) -> None:
    rng = np.random.default_rng(0)
    drawn = [_below(n, rng) for _ in range(600)]
    assert all(0 <= i < n for i in drawn)
    if n <= 7:
        counts = [drawn.count(i) for i in range(n)]
        assert max(abs(count - 600 / n) for count in counts) < 5 * 600**0.5
    else:
        assert {8 * i // n for i in drawn} == set(range(8))
