"""Outputs and inputs of audited programs that are easily merged, cut or refused."""

from __future__ import annotations

import enum
from datetime import UTC, datetime, timedelta, timezone
from fractions import Fraction

import numpy as np
import pytest

from learners.audit import interactive, of_distributions, program
from learners.testing import assert_private
from lsclasses.errors import InvalidInput


class Model:
    """An object that is equal only to itself."""


MODEL = Model()


def fitted(x, _rng):
    MODEL.weight = x
    return MODEL


def test_an_object_whose_attributes_are_not_compared_is_refused():
    for run in (fitted, lambda x, rng: (fitted(x, rng), 0)):
        with pytest.raises(InvalidInput, match=r"type Model.*Return their values"):
            assert_private(run, [(0,), (1,)], 0, source="random")


NOON = datetime(2020, 1, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    "outputs",
    [
        (range(0, 3, 2), range(0, 4, 2)),
        (np.datetime64("2020-01-01"), np.datetime64("2020-01-01T00")),
        (np.timedelta64(1, "h"), np.timedelta64(60, "m")),
        (NOON, NOON.astimezone(timezone(timedelta(hours=1)))),
        (datetime(2020, 1, 1), datetime(2020, 1, 1, fold=1)),
    ],
)
def test_equal_outputs_that_are_written_differently_are_refused(outputs):
    assert outputs[0] == outputs[1]
    with pytest.raises(InvalidInput, match="distinguish"):
        assert_private(lambda x, _rng: outputs[x], [0, 1], 0, neighbours="all", source="random")


def test_bytes_of_uniform_arrays_are_not_enumerated():
    def pointers(x, rng):
        return x if rng.random(1).tobytes()[0] % 16 == 3 else 0

    found = program(pointers, [0, 1], "all", source="numpy", samples=400)
    assert not found.enumerated


def test_draws_after_the_end_of_an_estimated_path_are_enumerated():
    def parity(_x, rng):
        try:
            drawn = [rng.randrange(2) for _ in range(11)]
        finally:
            last = rng.randrange(2)
        return (sum(drawn) + last) % 2

    found = assert_private(parity, [0, 1], 0, neighbours="all", source="random")
    assert found.enumerated


def test_cut_programs_and_rows_that_are_arrays_have_bounds():
    cut = program(
        lambda _x, coins: coins.below(2) + coins.below(2),
        [0, 1],
        "all",
        tail=Fraction(9, 10),
        depth=0,
    )
    assert (cut.delta(0).lower, cut.delta(0).upper) == (0, 1)
    rows = [[np.array([1, 2]), np.array([3, end])] for end in (4, 5)]
    assert program(lambda data, _coins: int(data[1][1]), rows).delta(0).lower == 1


def test_many_ratios_that_balls_do_not_separate_from_one_are_all_compared():
    size, tiny = 1000, Fraction(1, 10**45)
    shifts = [(i - size // 2) * tiny for i in range(size)]
    shifts[0] = Fraction(0)
    mean = sum(shifts) / size
    P = [Fraction(1, size) + each - mean for each in shifts]
    exact = sum((each - mean for each in shifts if each > mean), Fraction(0))
    bounds = of_distributions(P, [Fraction(1, size)] * size).delta(0, 0)
    assert Fraction(bounds.lower) <= exact <= Fraction(bounds.upper)


def test_float32_has_its_own_rounding_error():
    given = [np.array(each, np.float32) for each in ([0.3, 0.7], [0.7, 0.3])]
    bounds = of_distributions(*given).epsilon()
    assert bounds.lower < np.log(7 / 3) < bounds.upper


class Permission(enum.IntFlag):
    READ = 1


class Flagged:
    def __init__(self, coins):
        self.permission = Permission(8 << coins.below(3))

    def answer(self, bit, _coins):
        return bit if self.permission == 16 else 0


class Ordered:
    def __init__(self, coins):
        for name in ("ab", "ba", "ab")[coins.below(3)]:
            setattr(self, name, 0)

    def answer(self, bit, _coins):
        return bit if next(iter(vars(self))) == "b" else 0


@pytest.mark.parametrize("machine", [Flagged, Ordered])
def test_flags_and_the_order_of_attributes_are_parts_of_a_state(machine):
    found = interactive(machine, [0, 1], (0, 0), rounds=2)
    assert found.verdict == "violated"
    assert abs(float(found.measured) - 1 / 3) < 1e-9
