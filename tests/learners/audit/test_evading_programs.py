"""Programs whose loss an enumeration would miss: caught errors, hidden states, other randomness."""

from __future__ import annotations

import copy
import math
import os
import random
import secrets
import uuid
from collections import Counter, OrderedDict, defaultdict, deque
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from learners.adapters import ExternalMechanism
from learners.audit import interactive, program
from learners.audit.outcomes import RaisedError, hashable_output
from learners.exact import (
    CannotEnumerate,
    EnumeratedGenerator,
    EnumeratedRandom,
    exact_distribution,
    refused_other_randomness,
    require_same,
    state_key,
)
from learners.testing import assert_private
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.verdicts import Verdict

HALF = Fraction(1, 2)


def law_of_python(run):
    return exact_distribution(lambda coins: run(EnumeratedRandom(coins)))


def law_of_numpy(run):
    return exact_distribution(lambda coins: run(EnumeratedGenerator(coins)))


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


# ---- kept generators


class Boxed:
    def __init__(self, coins) -> None:
        self.box = [coins]

    def answer(self, bit, coins):
        return 0 if self.box[0].flip(HALF) else bit


class Flipping:
    def __init__(self, coins) -> None:
        self.flip = coins.flip

    def answer(self, bit, coins):
        return 0 if self.flip(HALF) else bit


class Closure:
    def __init__(self, coins) -> None:
        self.flip = lambda: coins.flip(HALF)

    def answer(self, bit, coins):
        return 0 if self.flip() else bit


KEPT: list = []


class Global:
    def __init__(self, coins) -> None:
        KEPT[:] = [coins]

    def answer(self, bit, coins):
        try:
            return 0 if KEPT[0].flip(HALF) else bit
        except Exception:
            return 0


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (Boxed, r"in object.box\[0\]"),
        (Flipping, "in object.flip"),
        (Closure, "whole state of object.flip"),
        (Global, "coins of an earlier run"),
    ],
)
def test_kept_generators_are_refused(make, words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        interactive(make, [0, 1], (0, 0), rounds=2)


@pytest.mark.parametrize("source", [EnumeratedRandom, EnumeratedGenerator, lambda coins: coins])
@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
def test_generators_are_not_copied(source, copied) -> None:
    with pytest.raises(CannotEnumerate, match="copies its"):
        exact_distribution(lambda coins: copied(source(coins)).random())


def test_numbers_of_earlier_runs_are_refused() -> None:
    numbers: list = []

    def run(rng):
        numbers.append(rng.random())
        return numbers[0] < 0.5

    with pytest.raises(CannotEnumerate, match="of an earlier run"):
        law_of_python(run)


# ---- states of interactive objects


@dataclass(slots=True)
class Slotted:
    k: int

    def answer(self, bit, coins):
        return bit if self.k == 1 else 0


class Base:
    __slots__ = ("k",)


class Inherited(Base):
    __slots__ = ()

    def __init__(self, k) -> None:
        self.k = k

    def answer(self, bit, coins):
        return bit if self.k == 1 else 0


class Entries(dict):
    def __init__(self, k) -> None:
        super().__init__(k=k)

    def answer(self, bit, coins):
        return bit if self["k"] == 1 else 0


class Boolean:
    def __init__(self, k) -> None:
        self.k = (1, True, 1)[k]

    def answer(self, bit, coins):
        return bit if self.k is True else 0


class Zero:
    def __init__(self, k) -> None:
        self.k = (0.0, -0.0, 0.0)[k]

    def answer(self, bit, coins):
        return bit if math.copysign(1, self.k) < 0 else 0


class Array:
    def __init__(self, k) -> None:
        self.k = np.array([1, 0], (int, bool, int)[k])

    def answer(self, bit, coins):
        return bit if self.k.dtype == bool else 0


class Alias:
    def __init__(self, k) -> None:
        one: list = []
        self.k = [one, one if k == 1 else []]

    def answer(self, bit, coins):
        self.k[0].append(0)
        return bit if self.k[1] else 0


@pytest.mark.parametrize("kind", [Slotted, Inherited, Entries, Boolean, Zero, Array, Alias])
def test_states_that_differ_in_any_part_are_not_merged(kind) -> None:
    found = interactive(lambda coins: kind(coins.below(3)), [0, 1], (0, 0), rounds=2)
    assert found.verdict == Verdict.VIOLATED
    assert found.measured.overlaps(1 / type(found.measured)(3))


def test_slots_are_states_of_objects_with_data_sets() -> None:
    class Later:
        __slots__ = ("count", "rows")

        def __init__(self, rows, coins) -> None:
            self.rows, self.count = rows, 0

        def answer(self, query, coins):
            self.count += 1
            return sum(self.rows) if self.count > 1 else 0

    found = interactive(Later, [0], (0, 0), rounds=2, datasets=((0, 0), (0, 1)))
    assert found.measured == 1


class Hiding(Counter):
    """A counter whose copies lose an attribute."""

    hidden = 0


def counter_with_attribute():
    found = Hiding(a=1)
    found.hidden = 1
    return found


class Copying:
    def __deepcopy__(self, memo):
        return self


class Reduced:
    def __init__(self) -> None:
        self.a, self.b = 1, 2

    def __getstate__(self):
        return {"a": self.a}


def views():
    found = np.zeros(3)
    return found, found[1:]


@pytest.mark.parametrize(
    "value",
    [
        counter_with_attribute(),
        Copying(),
        Reduced(),
        views(),
        [].append,
        (each for each in "a"),
        math,
        [random.Random(1)],
        {"a": np.random.default_rng(1)},
        np.random.RandomState(1),
        random.SystemRandom(),
    ],
)
def test_states_that_are_not_visible_are_refused(value) -> None:
    with pytest.raises(InvalidInput):
        state_key(value)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Slotted(1), Slotted(True)),
        (Counter(a=1), Counter(a=2)),
        (deque([1]), deque([1], 3)),
        (defaultdict(int), defaultdict(list)),
        (OrderedDict(a=1), {"a": 1}),
        (np.float32(1), np.float64(1)),
        (np.zeros((0, 2)), np.zeros((0, 3))),
        (Decimal(1), Decimal("1.0")),
        ({1}, frozenset({1})),
        (float("nan"), 1.0),
    ],
)
def test_keys_of_states_distinguish_types_and_values(one, other) -> None:
    assert state_key(one) == state_key(copy.deepcopy(one))
    assert state_key(one) != state_key(other)


def test_equal_items_of_different_types_are_refused() -> None:
    with pytest.raises(InvalidInput, match="the types are int and bool"):
        interactive(lambda coins: Slotted(1), [1, True], (0, 0), rounds=1)


# ---- uniform numbers


NAN = float("nan")


@pytest.mark.parametrize("name", ["__lt__", "__le__", "__gt__", "__ge__", "__eq__", "__ne__"])
@pytest.mark.parametrize("threshold", [NAN, -1.0, 0.0, 0.25, 2.0, math.inf, 1, Fraction(1, 3)])
def test_comparisons_agree_with_floats(name: str, threshold) -> None:
    """The true share of k/2^53 is the share of the multiples of 1/60, up to single points."""
    compare = getattr(__import__("operator"), name)
    for run, value in (
        (lambda u: u, lambda v: v),
        (lambda u: 1 - u, lambda v: 1 - v),
        (lambda u: -2 * u, lambda v: -2 * v),
    ):
        law = law_of_python(lambda rng, run=run: compare(run(rng.random()), threshold))
        listed = [compare(value((k + 0.5) / 60), threshold) for k in range(60)]
        share = Fraction(sum(listed), 60)
        assert abs(law.rational(True) - share) <= Fraction(1, 2**50)
        for threshold_array in (np.array([threshold], float), np.array([threshold], object)):
            arrays = law_of_python(
                lambda rng, run=run, bound=threshold_array: bool(
                    compare(run(rng.random()), bound)[0]
                )
            )
            assert abs(arrays.rational(True) - share) <= Fraction(1, 2**50)


def test_nan_thresholds_do_not_hide_a_loss() -> None:
    def above(bit, rng):
        return rng.random() > (NAN if bit == 0 else -1.0)

    for source in ("random", "numpy"):
        found = program(above, [0, 1], "all", source=source)
        assert found.enumerated and found.epsilon().lower == math.inf


def test_arithmetic_errors_occur_where_production_raises_them() -> None:
    def divided(bit, rng):
        try:
            value = rng.random() / bit
        except ZeroDivisionError:
            return "zero"
        return "ok" if value is not None else ""

    for operation in (divided, lambda bit, rng: _floor_divided(bit, rng)):
        found = program(operation, [0, 1], "all", source="random")
        assert found.enumerated and found.delta().lower == 1
        assert found.epsilon().lower == math.inf
    law = law_of_python(_overflows)
    assert law.rational("overflow") == 1


def _floor_divided(bit, rng):
    try:
        rng.random() // bit
    except ZeroDivisionError:
        return "zero"
    return "ok"


def _overflows(rng):
    try:
        rng.random() * 10**400
    except OverflowError:
        return "overflow"
    return "none"


@pytest.mark.parametrize(
    "use",
    [
        str,
        repr,
        "{:.2f}".format,
        "%s".__mod__,
        "%.3f".__mod__,
        hash,
        float,
        complex,
        Fraction,
        math.log,
        math.sqrt,
        np.log,
        np.array,
        lambda u: u.is_integer(),
        lambda u: u.hex(),
        lambda u: u.as_integer_ratio(),
        lambda u: u.real,
        lambda u: u**2,
        lambda u: 2**u,
        lambda u: u % 1,
        lambda u: divmod(u, 1),
        lambda u: 1 / u,
        lambda u: 1 // u,
        lambda u: abs(u - 0.5),
        lambda u: u * math.inf,
        lambda u: u + NAN,
        lambda u: u * 1e308 * 1e308,
        lambda u: np.float64(1) / u,
        lambda u: u / np.float64(0),
        lambda u: round(u, 2),
        lambda u: u == "a",
        lambda u: np.arange(3) * u,
    ],
)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_uses_of_a_float_with_many_branches_are_refused_although_caught(use) -> None:
    def run(rng):
        try:
            use(rng.random())
        except Exception:
            return 0
        return 1

    with pytest.raises(CannotEnumerate):
        law_of_python(run)


def test_printed_and_converted_numbers_are_sampled() -> None:
    def printed(bit, rng):
        return bit if str(rng.random()) < "0.5" else 0

    found = program(printed, [0, 1], "all", source="random", samples=2000)
    assert not found.enumerated and found.delta().lower > 0.3

    def exact(bit, rng):
        return (bit if Fraction(rng.random()) < HALF else 0), rng.random().is_integer()

    found = program(exact, [0, 1], "all", source="random", samples=2000)
    assert not found.enumerated and found.delta().lower > 0.3


def test_uses_in_other_libraries_are_sampled() -> None:
    def decimal(bit, rng):
        return bit if Decimal(rng.random()) < Decimal("0.5") else 0

    found = program(decimal, [0, 1], "all", source="random", samples=2000)
    assert not found.enumerated and "in a function" in found.reason
    assert found.delta().lower > 0.3


def test_a_uniform_number_is_a_float() -> None:
    def run(rng):
        u = rng.random()
        return isinstance(u, float), copy.copy(u) is u, copy.deepcopy(u) is u, abs(-u) <= 1

    assert law_of_python(run).rational((True, True, True, True)) == 1


def test_arrays_compare_in_their_type() -> None:
    """A float32 array converts the number to float32: it rounds to 1 with probability 2^-25."""
    law = law_of_numpy(lambda rng: bool((rng.random() < np.ones(1, np.float32))[0]))
    assert law.rational(False) == Fraction(1, 2**25)
    law = law_of_numpy(lambda rng: bool(np.ones(1, np.float32)[0] > rng.random()))
    assert law.rational(False) == Fraction(1, 2**25)
    law = law_of_numpy(lambda rng: bool((rng.random() < np.ones(1))[0]))
    assert law.rational(True) == 1


# ---- NumPy's checks


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        (lambda rng: rng.choice(2, p=[0.5, 0.5]), lambda rng: rng.choice(2, p=[0.5, 0.25])),
        (lambda rng: rng.choice(2, p=[0.5, 0.5]), lambda rng: rng.choice(2, p=[1.5, -0.5])),
        (lambda rng: rng.choice(2, p=[0.5, 0.5]), lambda rng: rng.choice(3, p=[0.5, 0.5])),
        (lambda rng: rng.choice(2, p=[0.5, 0.5]), lambda rng: rng.choice(2, p=[0.5, NAN])),
        (lambda rng: rng.choice(2), lambda rng: rng.choice(2, 3, replace=False)),
        (lambda rng: rng.binomial(2, 1.0), lambda rng: rng.binomial(2, 1.5)),
        (lambda rng: rng.binomial(2, 1.0), lambda rng: rng.binomial(-1, 0.5)),
        (lambda rng: rng.geometric(1.0), lambda rng: rng.geometric(0.0)),
        (lambda rng: rng.integers(2), lambda rng: rng.integers(0)),
        (
            lambda rng: rng.integers(0, 2, dtype=np.uint8),
            lambda rng: rng.integers(-1, 2, None, np.uint8),
        ),
    ],
)
def test_wrong_arguments_raise_the_errors_of_numpy(good, bad) -> None:
    def run(bit, rng):
        try:
            (bad if bit else good)(rng)
        except ValueError:
            return "error"
        return "value"

    for bit in (0, 1):
        drawn = run(bit, np.random.default_rng(0))
        assert drawn == ("value", "error")[bit]
        assert law_of_numpy(lambda rng, bit=bit: run(bit, rng)).rational(drawn) == 1


@pytest.mark.parametrize(
    "draw",
    [
        lambda rng: rng.integers(3),
        lambda rng: rng.integers(3, dtype=np.uint8),
        lambda rng: rng.integers(0, 2, dtype=bool),
        lambda rng: rng.binomial(2, 0.5),
        lambda rng: rng.geometric(0.5),
        lambda rng: rng.choice(3),
        lambda rng: rng.choice([1, 2]),
        lambda rng: rng.choice(["a", "b"]),
        lambda rng: rng.choice(3, 2),
        lambda rng: rng.choice(3, (1, 2), replace=False),
        lambda rng: rng.integers(3, size=(2, 1)),
        lambda rng: rng.binomial(2, 0.5, size=2),
        lambda rng: rng.random() < np.float64(0.5),
        lambda rng: rng.random() < 0.5,
    ],
)
def test_draws_have_the_types_of_numpy(draw) -> None:
    def kind(value):
        return type(value), getattr(value, "dtype", None), getattr(value, "shape", None)

    drawn = kind(draw(np.random.default_rng(0)))
    law = exact_distribution(
        lambda coins: kind(draw(EnumeratedGenerator(coins))) == drawn, tail=Fraction(1, 1000)
    )
    assert set(law) == {True}


@pytest.mark.parametrize(
    ("law_of", "draw"),
    [
        (law_of_python, lambda rng: rng.sample(range(10**12), 1)),
        (law_of_python, lambda rng: rng.getrandbits(10**12)),
        (law_of_python, lambda rng: rng.randbytes(10**12)),
        (law_of_numpy, lambda rng: rng.choice(10**12)),
        (law_of_numpy, lambda rng: rng.choice(10**12, 2, replace=False)),
        (law_of_numpy, lambda rng: rng.permutation(10**12)),
        (law_of_numpy, lambda rng: rng.random(10**12)),
        (law_of_numpy, lambda rng: rng.integers(2, size=10**12)),
    ],
)
def test_large_populations_are_refused_before_they_take_memory(law_of, draw) -> None:
    with pytest.raises((TooLarge, CannotEnumerate)):
        law_of(draw)


def test_samples_without_replacement_are_uniform_with_repeated_members() -> None:
    law = law_of_python(lambda rng: "".join(rng.sample("ab", 3, counts=[2, 3])))
    exact = {"bbb": 1, "aab": 1, "aba": 1, "baa": 1, "abb": 2, "bab": 2, "bba": 2}
    assert {each: law.rational(each) * 10 for each in law} == exact


def test_binomial_draws_of_many_trials_are_exact() -> None:
    law = law_of_numpy(lambda rng: rng.binomial(200, 0.25))
    for k in (0, 50, 200):
        assert law.rational(k) == math.comb(200, k) * Fraction(1, 4) ** k * Fraction(3, 4) ** (
            200 - k
        )


# ---- other randomness


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
        lambda: np.array([NAN]),
        lambda: np.float32(NAN),
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
    laws = [exact_distribution(lambda coins, p=p: coins.flip(p)) for p in (HALF / 2, HALF)]
    raised = found.losses[0].event(direction=1)
    assert raised.outcomes == (RaisedError("ValueError", "too small"),)
    assert raised.probabilities == tuple(law.rational(True) for law in laws)

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
    share = float(game.blind_spots.cut.rpartition(" ")[2])
    assert 0 < share < 1 / 256
    exact = interactive(lambda coins: Slotted(0), [0, 1], (1, 0), rounds=1)
    assert exact.blind_spots.cut == "no probability"
