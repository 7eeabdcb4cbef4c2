"""Refusals, hints and messages of audits of programs, and programs with many branches."""

from __future__ import annotations

import copy
import math
import random
import warnings
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from learners.audit import enumerated_programs, interactive, of_distributions, program
from learners.audit.binned_outcomes import NumberBin, merged_bins
from learners.exact import EnumeratedRandom, branch_estimate, exact_distribution
from learners.testing import assert_private
from lsclasses.errors import InvalidInput
from lsclasses.verdicts import Verdict


def response(bit, rng):
    return bit if rng.random() < 0.75 else 1 - bit


class Responder:
    def answer(self, bit, rng):
        return response(bit, rng)


# ---- sources


@pytest.mark.parametrize(
    ("source", "draw"),
    [
        ("numpy", np.random.Generator.random),
        ("numpy", lambda rng: np.random.Generator.integers(rng, 4) / 4),
        ("numpy", lambda rng: copy.copy(rng).random()),
        ("random", random.Random.random),
        ("random", lambda rng: random.Random.getrandbits(rng, 2) / 4),
    ],
)
def test_functions_of_the_class_of_a_generator_are_not_enumerated(source: str, draw) -> None:
    """These functions draw from the generator below the enumeration, always the same number."""
    found = program(
        lambda bit, rng: bit if draw(rng) < 0.25 else 0, [0, 1], "all", source=source, samples=4000
    )
    assert not found.enumerated and "generator" in found.reason
    assert found.against((Fraction(1, 10), 0)).verdict == Verdict.VIOLATED


@pytest.mark.parametrize(
    ("source", "run", "remedy"),
    [
        ("coins", lambda bit, rng: rng.random() < 0.5, "source='random' for random.Random or"),
        ("coins", lambda bit, rng: rng.integers(2), "source='numpy' for numpy.random.Generator"),
        ("random", lambda bit, rng: rng.integers(2), "source='numpy'"),
        ("numpy", lambda bit, rng: rng.randrange(2), "source='random'"),
        ("numpy", lambda bit, rng: rng.laplace() + rng.randrange(2), "source='random'"),
        ("random", lambda bit, rng: rng.flip(Fraction(1, 2)), "source='coins'"),
    ],
)
@pytest.mark.parametrize("errors", ["raise", "output"])
def test_another_type_of_source_is_named(source: str, run, remedy: str, errors: str) -> None:
    with pytest.raises(InvalidInput, match=remedy):
        program(run, [0, 1], "all", source=source, errors=errors)


def test_other_missing_attributes_are_errors_of_the_program() -> None:
    with pytest.raises(AttributeError, match="missing"):
        program(lambda bit, rng: rng.missing(), [0, 1], "all", source="random")
    with pytest.raises(AttributeError, match="random"):
        program(lambda bit, rng: bit.random(), [0, 1], "all", source="coins")


@pytest.mark.parametrize("source", ["foo", "internal"])
def test_games_check_their_source(source: str) -> None:
    with pytest.raises(InvalidInput, match="coins, random or numpy"):
        interactive(lambda rng: Responder(), [0, 1], (2, 0), rounds=1, source=source)
    with pytest.raises(InvalidInput, match="Pass source='random'"):
        interactive(lambda rng: Responder(), [0, 1], (2, 0), rounds=1)


@pytest.mark.parametrize("datasets", [((0, 0), (1, 1)), ((0,), (0,)), ((0,), (0, 1)), ((0,),)])
def test_data_sets_of_a_game_differ_in_one_item(datasets) -> None:
    with pytest.raises(InvalidInput, match="differ in one item"):
        interactive(
            lambda data, rng: Responder(), [0], (1, 0), rounds=1, datasets=datasets, source="random"
        )


# ---- causes


def test_a_changed_input_is_named() -> None:
    def growing(rows, rng):
        rows.append(1)
        return rng.randrange(len(rows))

    def growing_once_more(rows, rng):
        rows.append(1)
        return rng.random() < 0.5, len(rows)

    for run in (growing, growing_once_more):
        with pytest.raises(InvalidInput, match="changes its input, which is now"):
            program(run, [[0], [1]], source="random")


def test_outputs_without_a_comparison_are_named() -> None:
    class Answer:
        pass

    for run in (
        lambda bit, rng: (rng.random() < 0.5, Answer()),
        lambda bit, rng: (rng.gauss(0, 1), Answer()),
    ):
        with pytest.raises(
            InvalidInput, match=r"type .*Answer, which are equal only to themselves"
        ):
            program(run, [0, 1], "all", source="random")


def test_repeated_draws_are_named_in_words() -> None:
    calls = []

    def run(bit, rng):
        calls.append(bit)
        return rng.random() < 0.5 ** len(calls)

    words = "an event of probability 1/2 at first and an event of probability 1/4 later"
    with pytest.raises(InvalidInput, match=words):
        program(run, [0, 1], "all", source="random")
    ended = []
    with pytest.raises(InvalidInput, match="a uniform integer below 3 at first and ended"):
        exact_distribution(lambda coins: ended or ended.append(coins.below(3)))


@pytest.mark.parametrize("value", [math.inf, -0.5, math.nan])
def test_the_refused_probability_is_named(value: float) -> None:
    with pytest.raises(InvalidInput, match=f"Got {value}"):
        of_distributions([0.5, value], [0.5, 0.5])


def test_arguments_without_effect_are_refused() -> None:
    counts = {"a": 500, "b": 500}
    with pytest.raises(InvalidInput, match="no error"):
        of_distributions(counts, counts, counts=True, error=0.0001)
    with pytest.raises(InvalidInput, match="pass counts=True"):
        of_distributions([0.5, 0.5], [0.5, 0.5], confidence=0.9)
    law = exact_distribution(lambda coins: coins.below(2))
    with pytest.raises(InvalidInput, match="no counts"):
        of_distributions(law, law, counts=True)


# ---- many branches


def loops(count: int, limit: int = 10**6):
    """Return a program with loops that draw until they succeed."""

    def run(bit, rng):
        found = 0
        for _ in range(count):
            while rng.random() < 0.5 and found < limit:
                found += 1
        return found if bit else -found

    return run


CUT = {"tail": Fraction(1, 2**60), "max_branches": 1 << 15, "depth": 64}


@pytest.mark.parametrize("limit", [5, 8])
def test_estimates_are_close_to_the_number_of_branches(limit: int) -> None:
    def run(coins):
        return loops(3, limit)(1, EnumeratedRandom(coins))

    branches = exact_distribution(run, **CUT).branches
    assert branches / 4 < branch_estimate(run, **CUT) < 2 * branches


def many_bits(bit, rng):
    return bit + sum(rng.getrandbits(1) for _ in range(16))


@pytest.mark.parametrize(
    ("run", "first", "limit", "most"),
    [
        (many_bits, 64, 1 << 10, 2_000),
        pytest.param(loops(8), 1 << 11, 1 << 15, 15_000, marks=pytest.mark.slow),
    ],
)
def test_an_estimate_ends_an_enumeration_early(monkeypatch, run, first, limit, most) -> None:
    """The programs have 2^16 and more than 64^8/8! = 7 * 10^9 branches."""
    monkeypatch.setattr(enumerated_programs, "FIRST_BRANCHES", first)
    runs = 0

    def counted(bit, rng):
        nonlocal runs
        runs += 1
        return run(bit, rng)

    found = program(counted, [0, 1], "all", source="random", samples=200, max_branches=limit)
    assert not found.enumerated and runs < most
    assert f"more than max_branches={limit} branches, about" in found.reason
    assert "A larger max_branches" in found.reason


def test_a_limit_samples_sooner() -> None:
    found = program(loops(2), [0, 1], "all", source="random", samples=200, max_branches=100)
    assert not found.enumerated and "more than max_branches=100 branches." in found.reason


def test_a_long_loop_gets_a_hint(monkeypatch) -> None:
    monkeypatch.setattr(enumerated_programs, "MANY_DRAWS", 32)
    loop = {"inputs": [0, 1], "neighbours": "all", "source": "random", "depth": 8}
    with pytest.warns(UserWarning, match=r"draws, so the audit can take long.* tail=1e-6"):
        program(loops(1), **loop)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert program(loops(1), **loop, tail=1e-6).enumerated


# ---- numbers and messages


@pytest.mark.parametrize("one", [1.1, "1.1", Decimal("1.1"), Fraction(11, 10)])
def test_numbers_are_read_as_they_are_printed(one) -> None:
    audited = program(response, [0, 1], "all", source="random", tail=1e-6, confidence=0.99)
    assert audited.against((one, 1e-6), resolution=1e-9).epsilon == Fraction(11, 10)
    assert audited.against((one, 0)).verdict == Verdict.HOLDS
    assert audited.epsilon(0.1) == audited.epsilon(Fraction(1, 10))
    assert audited.delta(one) == audited.delta(Fraction(11, 10))
    game = interactive(
        lambda rng: Responder(), [0, 1], (one, 0), rounds=1, source="random", tail=1e-6
    )
    assert (game.epsilon, game.verdict) == (Fraction(11, 10), Verdict.HOLDS)
    with pytest.raises(InvalidInput, match="strictly between 0 and 1"):
        program(response, [0, 1], "all", source="random", tail=1.0)


def failure(run, inputs, **options) -> str:
    with pytest.raises(AssertionError) as raised:
        assert_private(run, inputs, 1, neighbours="all", **options)
    return str(raised.value)


def test_long_inputs_are_compared() -> None:
    rows = tuple(range(1000))
    other = (*rows[:-1], 7)

    def run(data, rng):
        return data[-1] == 7

    message = failure(run, [rows, other], source="random")
    assert "differ   at index 999: 999 in input A, 7 in input B" in message
    assert message.count("... (4890 characters)") == 1
    arrays = failure(run, [np.array(rows), np.array(other)], source="random")
    assert "at index 999: 999 in input A, 7" in arrays
    shorter = failure(lambda data, rng: len(data), [rows, rows[:-1]], source="random")
    assert "from index 999 on: 1000 items in input A, 999 in input B" in shorter
    texts = failure(lambda data, rng: data[-1], ["a" * 600, "a" * 599 + "b"], source="random")
    assert "near character 600: ..." in texts and "aab'... " not in texts.splitlines()[1]
    assert "  differ " not in failure(lambda bit, rng: bit, [0, 1], source="random")


def test_intervals_of_an_event_are_merged() -> None:
    def noisy(bit, rng):
        return 3 * bit + rng.normal()

    message = failure(noisy, [0, 1], source="numpy", samples=4000)
    event = next(line for line in message.splitlines() if "event   " in line)
    assert event.count("number") <= 3
    low, high = NumberBin(0, 0, -math.inf, 0.5, "number"), NumberBin(2, 2, 1, math.inf, "number")
    middle = NumberBin(1, 1, 0.5, 1, "number")
    assert repr(merged_bins([high, middle])) == "(number of at least 0.5,)"
    assert repr(merged_bins([high, low, 3])) == "(3, number below 0.5, number of at least 1)"
    assert repr(merged_bins([high, low, middle])) == "(any number,)"
