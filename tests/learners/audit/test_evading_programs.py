"""Programs whose loss an enumeration would miss: caught errors, other randomness, outputs."""

from __future__ import annotations

import copy
import math
import os
import random
import secrets
import uuid
from collections import OrderedDict
from fractions import Fraction

import numpy as np
import pytest

from learners.adapters import ExternalMechanism
from learners.audit import interactive, program
from learners.audit.outcomes import RaisedError, hashable_output
from learners.exact import (
    CannotEnumerate,
    EnumeratedRandom,
    exact_distribution,
    refused_other_randomness,
    require_same,
)
from learners.testing import assert_private
from lsclasses.errors import InvalidInput
from lsclasses.verdicts import Verdict

HALF = Fraction(1, 2)


def law_of_python(run):
    return exact_distribution(lambda coins: run(EnumeratedRandom(coins)))


# ---- caught refusals


def rounded_noise(rows, rng):
    try:
        return round(sum(rows) + rng.gauss(0, 0.01))
    except ValueError:
        return 0


def caught_by_all(rows, rng):
    try:
        return sum(rows) if rng.getrandbits(64) else 0
    except Exception:
        return 0


def ended_in_finally(rows, rng):
    found = 0
    try:
        found = round(sum(rows) + rng.gauss(0, 0.01))
    finally:
        return found  # noqa: B012


def raised_again(rows, rng):
    try:
        return round(sum(rows) + rng.gauss(0, 0.01))
    except Exception as problem:
        raise RuntimeError("no noise") from problem


@pytest.mark.parametrize("run", [rounded_noise, caught_by_all, ended_in_finally, raised_again])
def test_a_program_that_catches_the_refusal_is_sampled(run) -> None:
    found = program(run, [(0, 0), (0, 1)], source="random", samples=2000)
    assert not found.enumerated
    assert found.against((0, 0)).verdict == Verdict.VIOLATED
    with pytest.raises(AssertionError, match="not \\(0, 0\\)-differentially private"):
        assert_private(run, [(0, 0), (0, 1)], epsilon=0, source="random", samples=2000)


def test_refusals_of_numpy_and_of_games_are_not_caught() -> None:
    class Noisy:
        def answer(self, bit, rng):
            try:
                return round(bit + rng.normal(0, 1e-9))
            except ValueError:
                return 0

    with pytest.raises(CannotEnumerate, match=r"Generator\.normal"):
        interactive(lambda rng: Noisy(), [0, 1], (0, 0), rounds=1, source="numpy")

    def seeded(rng):
        try:
            rng.seed(1)
        except ValueError:
            return 0

    with pytest.raises(InvalidInput, match="seeds the generator"):
        law_of_python(seeded)


def test_a_caught_cut_is_refused() -> None:
    def run(coins):
        try:
            while not coins.flip(HALF):
                pass
        except BaseException:
            return coins.below(2)
        return 2

    with pytest.raises(InvalidInput, match="continues after the end of its branch"):
        exact_distribution(run, tail=Fraction(1, 4), depth=3)


def test_an_inner_exploration_does_not_take_the_cut_of_the_outer_one() -> None:
    def run(coins):
        if coins.flip(HALF):
            return 0
        exact_distribution(lambda inner: tuple(coins.flip(HALF) for _ in range(9)))
        return 1

    law = exact_distribution(run, tail=Fraction(1, 4), depth=3)
    assert set(law) == {0} and law[0] == law.tail == 0.5


# ---- other randomness


def test_a_program_that_does_not_repeat_itself_names_the_global_generator():
    for seed in range(3):
        random.seed(seed)
        with pytest.raises(InvalidInput, match="global generator of Python"):
            program(lambda bit, _rng: random.random(), [0, 1], "all", source="random")


def rarely(draw):
    return lambda bit, rng: bit if draw(rng) < 0.01 else 0


@pytest.mark.parametrize(
    ("draw", "words"),
    [
        (lambda rng: random.random(), "global generator of Python"),
        (lambda rng: np.random.random(), "global generator of NumPy"),  # noqa: NPY002
        (lambda rng: np.random.default_rng().random(), "operating system"),
        (lambda rng: np.random.RandomState().random(), "operating system"),
        (lambda rng: random.Random().random(), "operating system"),
        (lambda rng: random.SystemRandom().random(), "operating system"),
        (lambda rng: secrets.randbelow(1000) / 1000, "operating system"),
        (lambda rng: secrets.token_bytes(1)[0] / 256, "operating system"),
        (lambda rng: os.urandom(1)[0] / 256, "operating system"),
        (lambda rng: uuid.uuid4().int / 2**128, "operating system"),
    ],
)
def test_other_randomness_is_refused_in_every_run(draw, words: str) -> None:
    for source in ("coins", "random", "numpy"):
        with pytest.raises(InvalidInput, match=words):
            program(rarely(draw), [0, 1], "all", source=source)

    class Rare:
        def answer(self, bit, coins):
            try:
                return rarely(draw)(bit, coins)
            except ValueError:
                return 0

    with pytest.raises(InvalidInput, match=words):
        interactive(lambda coins: Rare(), [0, 1], (0, 0), rounds=1)


def test_the_bit_generator_is_refused() -> None:
    for draw in (
        lambda rng: np.random.RandomState(rng.bit_generator).rand(),
        lambda rng: np.random.Generator(rng._bit_generator).random(),
    ):
        found = program(rarely(draw), [0, 1], "all", source="numpy", samples=2000)
        assert not found.enumerated and "bit generator" in found.reason


def test_the_replaced_functions_return() -> None:
    before = os.urandom, random._urandom, random.Random.seed
    with refused_other_randomness():
        with refused_other_randomness():
            assert len(os.urandom(2)) == 2  # outside an enumeration
        assert random.Random(1).random() == random.Random(1).random()
        law = law_of_python(lambda rng: random.Random(3).random() < 0.5)
        assert len(law) == 1  # a seeded generator is a function
    with pytest.raises(InvalidInput, match="operating system"), refused_other_randomness():
        law_of_python(lambda rng: secrets.randbits(1))
    assert before == (os.urandom, random._urandom, random.Random.seed)


# ---- outputs


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({}, []),
        ([0], (0,)),
        ({1: 2}, ((1, 2),)),
        ({1: 2}, OrderedDict({1: 2})),
        (np.array([1]), [1]),
        (np.array([1.0]), np.array([1.0], np.float32)),
        (np.array([1]), np.array([True])),
        (np.zeros((0, 2)), np.zeros((0, 3))),
        (np.array(5), np.array([5])),
        ({1}, frozenset({1})),
        (np.float32(0.5), 0.5),
        (np.float32(0.0), np.float32(-0.0)),
        (np.int64(1), 1),
        (np.bool_(True), True),
        ([1], [True]),
        ({"a": [0.0]}, {"a": [-0.0]}),
    ],
)
def test_outputs_of_different_types_are_not_merged(one, other) -> None:
    with pytest.raises(InvalidInput, match="a reader can distinguish"):
        require_same(hashable_output(one), hashable_output(other))
    with pytest.raises(InvalidInput, match="a reader can distinguish"):
        program(
            lambda bit, rng: one if rng.random() < 0.5 else other, [0, 1], "all", source="random"
        )
    for each in (one, other):
        require_same(hashable_output(each), hashable_output(copy.deepcopy(each)))


@pytest.mark.parametrize(
    "make",
    [
        lambda: float("nan"),
        lambda: [float("nan")],
        lambda: np.array([math.nan]),
        lambda: np.float32(math.nan),
    ],
)
def test_nan_is_one_output(make) -> None:
    def run(bit, rng):
        return make() if rng.random() < (0.25, 0.5)[bit] else 1.0

    found = program(run, [0, 1], "all", source="random")
    assert found.enumerated and found.losses[0].ratio() == 2


# ---- inputs


@pytest.mark.parametrize(
    "inputs", [[{"a": 0}, {"a": 9}, {"b": 0}], [{1, 2}, {1, 3}], [iter("a"), iter("b")]]
)
@pytest.mark.parametrize("relation", ["replace_one", "add_remove"])
def test_inputs_without_an_order_need_another_relation(inputs, relation: str) -> None:
    with pytest.raises(InvalidInput, match="must be sequences of items"):
        program(lambda data, coins: 0, inputs, relation)
    assert program(lambda data, coins: 0, inputs, "all").pairs


def test_equal_inputs_are_not_neighbours() -> None:
    for inputs in ([0, 0], [[1], [1]], [np.ones(2), np.ones(2)]):
        with pytest.raises(InvalidInput, match="two neighbouring inputs that differ"):
            program(lambda data, coins: 0, inputs, "all")
    assert len(program(lambda data, coins: 0, [1, True, 1.0], "all").pairs) == 3


# ---- exceptions and blind spots


def test_exceptions_are_outputs_on_request() -> None:
    def strict(bit, rng):
        if rng.random() < (0.25, 0.5)[bit]:
            raise ValueError("too small")
        return 0

    for options in ({}, {"errors": "raise"}):
        with pytest.raises(ValueError, match="too small"):
            assert_private(strict, [0, 1], 0.5, neighbours="all", source="random", **options)
    options = {"neighbours": "all", "source": "random", "errors": "output"}
    assert assert_private(strict, [0, 1], 0.7, **options).verdict == Verdict.HOLDS
    with pytest.raises(AssertionError, match="RaisedError"):
        assert_private(strict, [0, 1], 0.6, **options)
    found = program(strict, [0, 1], **options)
    assert found.losses[0].ratio() == 2
    event = found.against((HALF, 0)).event
    assert event.outcomes == (RaisedError("ValueError", "too small"),)
    assert event.probabilities == (HALF / 2, HALF)

    own = random.Random(1)
    options["source"] = "internal"
    sampled = program(lambda bit: strict(bit, own), [0, 1], **options, samples=20_000)
    assert 0.5 < sampled.epsilon().lower < math.log(2)
    with pytest.raises(InvalidInput, match="'raise' or 'output'"):
        program(strict, [0, 1], "all", errors="ignore")


def test_refusals_are_not_outputs() -> None:
    def noisy(bit, rng):
        return round(bit + rng.gauss(0, 0.001))

    found = program(noisy, [0, 1], "all", source="random", errors="output", samples=2000)
    assert not found.enumerated and found.delta().lower > 0.9

    def unsupported(bit, rng):
        return bit if np.isnan(rng.random(2)).any() else 0

    found = program(unsupported, [0, 1], "all", source="numpy", errors="output", samples=2000)
    assert not found.enumerated and found.delta().lower == 0


def test_external_findings_and_games_state_their_blind_spots() -> None:
    found = ExternalMechanism("none", lambda bit, coins: 0, "coins", Fraction(1)).audit([0, 1])
    assert found.blind_spots is found.audit.blind_spots

    class Noisy:
        def answer(self, bit, coins):
            return bit + coins.laplace(1)

    options = {"rounds": 1, "tail": Fraction(1, 1024), "resolution": Fraction(1, 100)}
    game = interactive(lambda coins: Noisy(), [0, 1], (1, 0), **options)
    share = float(game.blind_spots.cut.split(",")[0].rpartition(" ")[2])
    assert 0 < share < 1 / 256

    class Silent:
        def answer(self, bit, coins):
            return 0

    exact = interactive(lambda coins: Silent(), [0, 1], (1, 0), rounds=1)
    assert exact.blind_spots.cut == "no probability"
