"""Programs with Python's, NumPy's and other generators: exact losses, samples, and bad programs."""

from __future__ import annotations

import itertools
import math
import random
from fractions import Fraction

import numpy as np
import pytest

from learners.audit import interactive, program
from learners.exact import (
    CannotEnumerate,
    EnumeratedGenerator,
    EnumeratedRandom,
    exact_distribution,
)
from learners.testing import assert_private
from lsclasses.errors import InvalidInput
from lsclasses.verdicts import Verdict
from tests.learners.audit.controls import CONTROLS, Control

CUT = {"tail": Fraction(1, 2**18), "depth": 24}
RESOLUTION = Fraction(1, 1000)
LONG = ("algorithm 2", "algorithm 3", "algorithm 6")
"""Controls with many branches. `tests/learners/test_audit_controls.py` has smaller instances."""


# ---- controls


@pytest.mark.parametrize(
    "control",
    [
        pytest.param(each, id=each.name, marks=pytest.mark.slow if each.name.endswith(LONG) else ())
        for each in CONTROLS
    ],
)
def test_controls_are_flagged_and_correct_mechanisms_pass(control: Control) -> None:
    options = {"neighbours": "all", "source": control.source, "resolution": RESOLUTION, **CUT}
    if control.private:
        assert assert_private(control.run, control.pair, 1, **options).verdict == Verdict.HOLDS
        return
    with pytest.raises(AssertionError, match=r"not \(1, 0\)-differentially private") as raised:
        assert_private(control.run, control.pair, 1, **options)
    for data in control.pair:
        assert repr(data) in str(raised.value)


def test_the_exact_losses_of_controls_are_known() -> None:
    known = {
        "noise for sensitivity 1, rows to 2": 2,
        "sum without clamping": 5,
        "a noise for each count": 1,
        "discrete Laplace noise by loops": 1,
        "report noisy max with its value": 1.5,
    }
    for control in CONTROLS:
        if control.name in known:
            found = program(control.run, control.pair, "all", source=control.source, **CUT)
            assert 0.98 * known[control.name] < found.epsilon().lower <= known[control.name] + 1e-9


# ---- drop-in generators


def law_of_python(run):
    return exact_distribution(lambda coins: run(EnumeratedRandom(coins)))


def law_of_numpy(run):
    return exact_distribution(lambda coins: run(EnumeratedGenerator(coins)))


PYTHON = {
    "randrange": (lambda rng: rng.randrange(2, 9, 3), {2: 1, 5: 1, 8: 1}),
    "randint": (lambda rng: rng.randint(1, 4), dict.fromkeys((1, 2, 3, 4), 1)),
    "choice": (lambda rng: rng.choice("aab"), {"a": 2, "b": 1}),
    "sample": (
        lambda rng: tuple(rng.sample(range(3), 2)),
        dict.fromkeys(itertools.permutations(range(3), 2), 1),
    ),
    "getrandbits": (lambda rng: rng.getrandbits(2), dict.fromkeys(range(4), 1)),
    "less": (lambda rng: rng.random() < 0.25, {True: 1, False: 3}),
    "reflected": (lambda rng: rng.random() >= 0.25, {True: 3, False: 1}),
    "chain": (lambda rng: 0.25 <= rng.random() < 0.5, {True: 1, False: 3}),
    "floor": (lambda rng: int(4 * rng.random()), dict.fromkeys(range(4), 1)),
    "one minus": (lambda rng: 1 - rng.random() <= 0.25, {True: 1, False: 3}),
    "uniform": (lambda rng: rng.uniform(-1, 3) > 2, {True: 1, False: 3}),
    "weights": (lambda rng: rng.choices("ab", [1, 3])[0], {"a": 1, "b": 3}),
    "choices": (
        lambda rng: tuple(rng.choices("ab", k=2)),
        dict.fromkeys(itertools.product("ab", repeat=2), 1),
    ),
}


@pytest.mark.parametrize("name", PYTHON)
def test_draws_of_python_have_their_probabilities(name: str) -> None:
    run, weights = PYTHON[name]
    law = law_of_python(run)
    total = sum(weights.values())
    assert set(law) == set(weights)
    for outcome, weight in weights.items():
        # Bounds of uniform numbers are rounded to multiples of 2^-53.
        assert abs(law.rational(outcome) - Fraction(weight, total)) <= Fraction(1, 2**53)


def test_shuffles_are_uniform() -> None:
    def shuffled(rng):
        items = [0, 1, 2]
        rng.shuffle(items)
        return tuple(items)

    for law in (law_of_python(shuffled), law_of_numpy(shuffled)):
        assert {law.rational(order) for order in law} == {Fraction(1, 6)} and len(law) == 6


def test_a_comparison_refines_the_uniform_number() -> None:
    def run(rng):
        u = rng.random()
        return u < 0.5, u < 0.25

    law = law_of_python(run)
    quarter = Fraction(1, 4)
    assert {outcome: law.rational(outcome) for outcome in law} == {
        (True, True): quarter,
        (True, False): quarter,
        (False, False): 2 * quarter,
    }


def test_the_probability_of_a_comparison_is_that_of_floating_point() -> None:
    """random() < p holds for ceil(p 2^53) of the 2^53 equally likely numbers."""
    for p in (0.1, 1 / 3, 5e-324, 1 - 2**-53):
        law = law_of_python(lambda rng, p=p: rng.random() < p)
        assert law.rational(True) == Fraction(math.ceil(Fraction(p) * 2**53), 2**53)


NUMPY = {
    "integers": (lambda rng: int(rng.integers(1, 3, endpoint=True)), {1: 1, 2: 1, 3: 1}),
    "array": (
        lambda rng: tuple(rng.integers(0, 2, size=2).tolist()),
        dict.fromkeys(itertools.product((0, 1), repeat=2), 1),
    ),
    "choice": (lambda rng: str(rng.choice(["a", "b"], p=[0.25, 0.75])), {"a": 1, "b": 3}),
    "subset": (
        lambda rng: tuple(rng.choice(3, 2, replace=False).tolist()),
        dict.fromkeys(itertools.permutations(range(3), 2), 1),
    ),
    "permutation": (
        lambda rng: tuple(rng.permutation(3).tolist()),
        dict.fromkeys(itertools.permutations(range(3)), 1),
    ),
    "binomial": (lambda rng: int(rng.binomial(2, 0.5)), {0: 1, 1: 2, 2: 1}),
    "random": (lambda rng: int((rng.random(2) < 0.5).sum()), {0: 1, 1: 2, 2: 1}),
    "numpy number": (lambda rng: bool(np.float64(0.25) > rng.random()), {True: 1, False: 3}),
}


@pytest.mark.parametrize("name", NUMPY)
def test_draws_of_numpy_have_their_probabilities(name: str) -> None:
    run, weights = NUMPY[name]
    law = law_of_numpy(run)
    assert set(law) == set(weights)
    for outcome, weight in weights.items():
        assert law.rational(outcome) == Fraction(weight, sum(weights.values()))


@pytest.mark.parametrize("name", ["sample", "choices", "weights", "uniform", "floor"])
def test_enumerated_draws_agree_with_the_generator_of_python(name: str) -> None:
    """Pearson's statistic of 4000 draws has a tail probability of about 10^-6 beyond 45."""
    run, _ = PYTHON[name]
    law, rng = law_of_python(run), random.Random(7)
    drawn = [run(rng) for _ in range(4000)]
    statistic = sum(
        (drawn.count(outcome) - 4000 * float(law[outcome])) ** 2 / (4000 * float(law[outcome]))
        for outcome in law
    )
    assert statistic < 45


def test_geometric_draws_are_cut_with_their_mass() -> None:
    law = exact_distribution(
        lambda coins: EnumeratedGenerator(coins).geometric(0.5), tail=Fraction(1, 1000)
    )
    assert 0 < float(law.tail) < 0.001
    assert all(abs(float(law[k]) - 0.5**k) < 1e-15 for k in law)


@pytest.mark.parametrize(
    "use",
    [
        lambda rng: math.log(rng.random()),
        lambda rng: rng.random(),
        lambda rng: rng.gauss(0, 1) > 0,
        lambda rng: rng.random() < rng.random(),
        lambda rng: rng.random() * rng.random() < 0.5,
        lambda rng: 1 / rng.random() > 2,
        lambda rng: rng.getstate(),
        lambda rng: int(1e6 * rng.random()),
    ],
)
def test_uses_with_too_many_branches_are_refused(use) -> None:
    with pytest.raises(CannotEnumerate):
        law_of_python(use)


def test_a_generator_that_is_seeded_is_refused() -> None:
    with pytest.raises(InvalidInput, match="seeds the generator"):
        law_of_python(lambda rng: rng.seed(1))


# ---- samples


def test_programs_with_continuous_noise_are_sampled_with_their_power() -> None:
    def noisy(count, rng):
        return count + rng.laplace(scale=2)

    found = program(noisy, [0, 1], "all", source="numpy", samples=20_000)
    assert not found.enumerated and "Generator.laplace" in found.reason
    assert 0.3 < found.epsilon().lower <= 0.5 < found.epsilon().upper == math.inf
    assert found.against((Fraction(1, 2), 0)).verdict == Verdict.CONSISTENT
    refuted = found.against((Fraction(1, 4), 0))
    assert refuted.verdict == Verdict.VIOLATED
    assert "refute no epsilon above" in refuted.power


def test_vectors_are_projected_on_the_difference_of_their_means() -> None:
    def noisy(rows, rng):
        return np.array(rows) + rng.normal(scale=0.5, size=3)

    found = program(noisy, [(0, 0, 0), (0, 1, 0)], source="numpy", samples=10_000)
    assert found.epsilon().lower > 2


def test_internal_randomness_is_sampled() -> None:
    own = random.Random(3)
    found = program(
        lambda bit: bit if own.random() < 0.75 else 1 - bit,
        [0, 1],
        "all",
        source="internal",
        samples=20_000,
    )
    assert 0.9 < found.epsilon().lower < math.log(3)


# ---- bad programs


class Stateful:
    def __init__(self) -> None:
        self.calls = 0

    def exact(self, bit, rng):
        self.calls += 1
        return rng.randrange(2) if self.calls < 4 else bit

    def drifting(self, bit):
        self.calls += 1
        return self.calls > 2000


def test_programs_that_keep_state_are_refused() -> None:
    with pytest.raises(InvalidInput, match="does not repeat itself"):
        program(Stateful().exact, [0, 1], "all", source="random")
    with pytest.raises(InvalidInput, match="keeps state between runs"):
        program(Stateful().drifting, [0, 1], "all", source="internal", samples=2000)

    def shrinking(rows, rng):
        rows.pop()
        return len(rows) + rng.laplace()

    with pytest.raises(InvalidInput, match="changes its input"):
        program(shrinking, [[0] * 99, [0] * 98 + [1]], source="numpy", samples=200)


def test_infinite_draws_are_cut_with_stated_mass() -> None:
    def forever(bit, rng):
        while rng.random() >= 0.5:
            pass
        return bit

    found = program(forever, [0, 1], "all", source="random", tail=Fraction(1, 2**20), depth=20)
    assert "probability at most 9.54e-07" in found.blind_spots.cut
    assert 0.99999 <= found.delta(1).lower < 1


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"inputs": [(0, 0), (1, 1)]}, "no two are neighbours"),
        ({"inputs": [(0, 0)]}, "Got 1 inputs"),
        ({"inputs": [0, 1]}, "must be sequences of items"),
        ({"inputs": [(0,), (1,)], "source": "secrets"}, "coins, random, numpy or internal"),
        ({"inputs": [(0,), (1,)], "neighbours": "swap"}, "swap"),
    ],
)
def test_bad_arguments_are_refused(options, words) -> None:
    with pytest.raises(InvalidInput, match=words):
        program(lambda rows, coins: 0, **options)


def test_relations_and_functions_select_the_pairs() -> None:
    rows = [(0,), (1,), (0, 1)]
    constant = {"run": lambda rows, coins: 0, "inputs": rows}
    assert program(**constant).pairs == (((0,), (1,)),)
    assert len(program(**constant, neighbours="add_remove").pairs) == 2
    assert len(program(**constant, neighbours="all").pairs) == 3
    chosen = program(**constant, neighbours=lambda zero, one: len(zero) < len(one))
    assert len(chosen.pairs) == 2 and chosen.epsilon().upper == 0


# ---- interactive programs


class Alarm:
    def __init__(self, source, fresh=True) -> None:
        self.count, self.threshold, self.halted = 0, 1 + source.laplace(2), False
        self.fresh = fresh

    def answer(self, bit, source):
        self.count += bit
        noise = source.laplace(4) if self.fresh else 0
        self.halted = self.count + noise >= self.threshold
        return self.halted


GAME = {"rounds": 2, "tail": Fraction(1, 2**12), "resolution": Fraction(1, 100)}


def test_an_adversary_chooses_when_to_challenge() -> None:
    assert interactive(Alarm, [0, 1], (1, 0), **GAME).verdict == Verdict.HOLDS
    found = interactive(Alarm, [0, 1], (Fraction(1, 4), 0), **GAME)
    assert found.verdict == Verdict.VIOLATED
    assert any("other moves" in each for each in found.blind_spots.unseen)


def test_queries_about_a_data_set() -> None:
    class Counter:
        def __init__(self, rows, source) -> None:
            self.total = sum(rows)

        def answer(self, query, source):
            return self.total + source.laplace(query)

    pair = (0, 1), (1, 1)
    options = {"rounds": 1, "datasets": pair, "tail": Fraction(1, 2**30)}
    options["resolution"] = Fraction(1, 10**6)
    assert interactive(Counter, [2], ("51/100", 0), **options).verdict == Verdict.HOLDS
    assert interactive(Counter, [1, 2], ("51/100", 0), **options).verdict == Verdict.VIOLATED


def test_objects_that_hide_their_state_are_refused() -> None:
    class Keeps:
        def __init__(self, source) -> None:
            self.source = source

    with pytest.raises(InvalidInput, match=r"source of randomness .* in object\.source"):
        interactive(Keeps, [0, 1], (1, 0), rounds=1)
