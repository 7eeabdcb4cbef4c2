"""The parameters that are taken for any dimension, and what is said of where a promise begins."""

from __future__ import annotations

from fractions import Fraction

import pytest

import catalog
from learners.budget import Budget
from learners.coins import SeededCoins
from learners.layers.algorithm import LayeredSOA
from learners.layers.defaults import FARTHEST, helps_from, usual_parameters
from learners.layers.laws import MOST_LAYERS, MOST_SEQUENCES, usual_sequences
from learners.layers.plan import COVERAGE, ENOUGH, STEADY, LayeredParameters
from learners.playing.adversaries import Repeating
from learners.playing.base.halving import Halving
from learners.playing.entries import ONLINE_LEARNERS
from learners.playing.play import play
from lsclasses.errors import TooLarge

BUDGET = Budget(1, Fraction(1, 10**6))
TWENTIETH = Fraction(1, 20)


def test_as_many_sequences_as_every_layer_needs_in_the_mean() -> None:
    for depth, pairs in ((1, 50), (2, 75), (3, 110), (4, 1)):
        sequences = usual_sequences(depth, COVERAGE, pairs)
        assert sequences % (2 << depth) == 0
        reached = [_counts(depth, size) for size in (sequences, sequences - (2 << depth))]
        assert min(reached[0]) >= pairs > min(reached[1])
    assert usual_sequences(5, COVERAGE, 100) == usual_sequences(59, COVERAGE, 1) == MOST_SEQUENCES
    assert usual_sequences(60, COVERAGE, 1) == 2 * MOST_SEQUENCES


def _counts(depth: int, sequences: int) -> list[float]:
    """The mean number of good pairs in layers 1 to d, if pairs are hit three times each."""
    hit, share, counts = 1 - 2.718281828459045**-3, 1.0, []
    for layer in range(1, depth + 1):
        share = (share * hit / 2) ** 2
        counts.append(share * sequences / 2 ** (layer + 1))
    return counts


def test_theorems_are_taken_where_their_bound_is_below_the_rounds() -> None:
    helpful = helps_from(BUDGET, 2, TWENTIETH, 4)
    assert helpful is not None and 10**6 < helpful < 10**7
    before, after = (usual_parameters(BUDGET, 2, T, concepts=4) for T in (helpful - 1, helpful))
    assert (before.rule, after.rule) == ("practical", "tight")
    assert after.bounds[0].value is not None and after.bounds[0].value < helpful
    assert before == LayeredParameters.within(BUDGET, before.sequences, 2, helpful - 1, concepts=4)
    assert usual_parameters(BUDGET, 1, 50).rule == "tight"
    assert helps_from(BUDGET, 3, TWENTIETH, 8) is None and FARTHEST == 10**9
    assert usual_parameters(BUDGET, 0, 50).depth == 0


def test_where_a_promise_begins_is_said() -> None:
    needs = [
        ONLINE_LEARNERS["layered-soa"].learner(spec, 100).bounds[0].unmet
        for spec in ("thresholds:n=3", "thresholds:n=7", "thresholds:n=2^20")
    ]
    assert all(len(each) == 1 and each[0].startswith(ENOUGH) for each in needs)
    assert "below T from T = 8.03e+06 on" in needs[0][0]
    assert all("no bound is known that is below T for a T up to 10^9" in n for (n,) in needs[1:])
    C = catalog.build("thresholds:n=3").to_table()
    parameters = usual_parameters(BUDGET, 2, 100, concepts=4)
    unmet = LayeredSOA(Halving(C), parameters).bounds[0].unmet
    assert unmet[-1].startswith(ENOUGH) and set(unmet[:-1]) <= {STEADY}


@pytest.mark.parametrize(
    ("spec", "depth"),
    [
        pytest.param("thresholds:n=2^64", 64, marks=pytest.mark.slow),
        pytest.param("affine:q=2,n=64,k=62", 63, marks=pytest.mark.slow),
        ("cube:n=600", 600),
    ],
)
def test_there_is_a_layer_for_each_of_many_mistakes(spec: str, depth: int) -> None:
    learner = ONLINE_LEARNERS["layered-soa"].learner(spec, 30)
    assert isinstance(learner, LayeredSOA) and learner.parameters.depth == depth
    assert learner.parameters.pairs(depth - 1) == 2 and learner.parameters.pairs(depth) == 1
    C = catalog.build(spec)
    assert play(learner, Repeating(C), 30, SeededCoins(1)).switches == 0
    with pytest.raises(TooLarge, match=r"at least 2\^4098 sequences.* Many layers\)"):
        usual_parameters(BUDGET, MOST_LAYERS + 1, 30)
