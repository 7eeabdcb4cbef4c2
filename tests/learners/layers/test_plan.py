"""Parameters of layers, held to the recursion and to the conditions of the proofs."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import pytest

import catalog
from learners.balls import log
from learners.budget import Budget
from learners.coins import SeededCoins
from learners.layers.algorithm import LayeredSOA
from learners.layers.laws import Requirement, kept_pairs
from learners.layers.plan import COVERAGES, PROPORTIONS, SHARES, LayeredParameters
from learners.playing.adversaries import Repeating
from learners.playing.play import play
from lsclasses.soa import SOA
from tests.learners.layers.cases import TINY

HUNDREDTH = Fraction(1, 100)


@pytest.mark.parametrize(
    ("depth", "failure", "concepts", "epsilon"),
    [
        (2, Fraction(2, 7), None, Fraction(8)),
        (2, Fraction(12, 17), 4, Fraction(8)),
        # Where noise is large, it tells how long a list is.
        (2, Fraction(1, 4), 4, Fraction(1, 10**4)),
        (3, Fraction(12, 17), None, Fraction(8)),
    ],
)
def test_the_recursion_is_used_up(
    depth: int, failure: Fraction, concepts: int | None, epsilon: Fraction
) -> None:
    """Thresholds wait as long as said, and cuts are as high as the good pairs allow."""
    found = LayeredParameters.from_theorem(
        Budget(epsilon, HUNDREDTH), depth, 40, failure, concepts=concepts
    )
    assert found.sequences % 2 ** (depth + 1) == 0 and found.histogram is not None
    t = found.histogram.bound
    sizes = [found.sequences >> layer for layer in range(depth + 1)]
    # (N_s/2)/(M_s - 2t) hypotheses are on a list that is cut at M_s - t, one in layer 0.
    listed = 1 + sum(
        size // 2 // (cut - t) for size, cut in zip(sizes[1:], found.cuts, strict=True)
    )
    early = found.counter(0).early(found.rounds, failure / (4 * listed))
    waited = [threshold - early for threshold in found.thresholds]
    assert waited[-1] == 1
    assert any(
        waited[:-1] == [int(coverage * (size // 2)) for size in sizes[:-1]]
        for coverage in COVERAGES
    )
    # Lambda = ln(8 d F/beta'), where F counts concepts, or labellings by Sauer's lemma.
    good = [sizes[0] // 2]
    for s in range(depth):
        points = Fraction(2718281829, 10**9) * (2 * depth + Fraction(1, 2)) * sizes[s]
        many = depth * math.log(points / depth)
        log_f = (
            log(concepts) if concepts and math.log(concepts) < many else depth * log(points / depth)
        )
        deviation = log_f + log(Fraction(16 * depth) / failure)
        good.append(kept_pairs(good[-1], sizes[s], waited[s], deviation, last=s == depth - 1))
    assert found.cuts == tuple(pairs - t for pairs in good[1:])
    for layer in range(depth):
        higher = [cut + (layer == at) for at, cut in enumerate(found.cuts)]
        assert replace(found, cuts=tuple(higher)).bounds[0].value is None
    late = found.counter(0).late(failure / (4 * listed))
    lists = [1, *(size // 2 // (cut - t) for size, cut in zip(sizes[1:], found.cuts, strict=True))]
    assert found.bounds[0].value == sum(
        count * (threshold + late) for count, threshold in zip(lists, found.thresholds, strict=True)
    )


@pytest.mark.parametrize("failure", [Fraction(1, 20), Fraction(1, 10**30)])
def test_more_pairs_are_taken_until_the_release_is_sure_enough(failure: Fraction) -> None:
    asked = Requirement(1, 1000, Fraction(8), HUNDREDTH, failure, None)
    found = LayeredParameters._with_pairs(asked, Fraction(4, 5), PROPORTIONS[-1])
    (bound,) = found.bounds
    assert bound.applies and bound.failure == failure
    # One mistake less to wait for is not enough.
    first, last = found.thresholds
    assert not replace(found, thresholds=(first - 1, last)).bounds[0].applies


@pytest.mark.parametrize(
    ("rounds", "epsilon", "delta", "failure"),
    [
        (10**9, 6, 200, 10),
        pytest.param(10**6, 12, 2_000_000, 3, marks=pytest.mark.slow),
        pytest.param(10**4, 10, 20_000, 10, marks=pytest.mark.slow),
        pytest.param(1, 4, 20_000, 3, marks=pytest.mark.slow),
    ],
)
def test_no_neighbour_of_what_is_found_has_fewer_mistakes(
    rounds: int, epsilon: int, delta: int, failure: int
) -> None:
    asked = Requirement(
        1, rounds, Fraction(epsilon), Fraction(1, delta), Fraction(1, failure), None
    )
    grid = {
        (i, j): LayeredParameters._with_pairs(asked, share, proportion)
        for i, share in enumerate(SHARES)
        for j, proportion in enumerate(PROPORTIONS)
    }
    found = LayeredParameters.from_theorem(
        Budget(epsilon, asked.delta, allow_weak_privacy=True), 1, rounds, asked.failure
    )
    value = {place: other.bounds[0].value or rounds for place, other in grid.items()}
    places = [place for place, other in grid.items() if other == found]
    assert any(
        value[i, j] <= min(value.get((i + a, j), value[i, j]) for a in (-1, 1))
        and value[i, j] <= min(value.get((i, j + b), value[i, j]) for b in (-1, 1))
        for i, j in places
    )
    # What is best on the whole grid has less than a fifth fewer.
    assert value[places[0]] < min(value.values()) * Fraction(5, 4)


def test_thresholds_below_the_noise_promise_nothing() -> None:
    found = LayeredParameters.from_theorem(Budget(8, HUNDREDTH), 2, 1000, concepts=4)
    for at in range(3):
        thresholds = [0 if layer == at else each for layer, each in enumerate(found.thresholds)]
        assert replace(found, thresholds=tuple(thresholds)).bounds[0].value is None


@pytest.mark.parametrize("epsilon", [Fraction(8), Fraction(3), Fraction(1, 2000)])
def test_the_corrected_rule_takes_the_least_number_that_the_proof_needs(epsilon: Fraction) -> None:
    """For d = 1, [LWY25, Lemma B.3] with M_s = 2^(7 - 8*2^s) N_s."""
    T, beta, delta = 1000, Fraction(1, 20), HUNDREDTH
    found = LayeredParameters.from_theorem(Budget(epsilon, delta), 1, T, beta, rule="corrected")
    half = float(epsilon / 2)

    def enough(sequences: int) -> bool:
        good = sequences / 2 * 2.0 ** (7 - 16)
        noise = 8 * math.log(8 / delta) / half
        labellings = math.log(7 * sequences)
        spread = 2**16 * (labellings + math.log(6 / beta)) * 2**16 / 202
        return noise <= good / 4 and sequences >= spread

    assert enough(found.sequences) and found.sequences % 4 == 0
    assert not enough(found.sequences - 4)
    # The largest noise of a histogram stays below a quarter of the good pairs.
    assert found.cuts == (-(-3 * (found.sequences // 2) // 2**11),)


# ---- rules


def test_with_the_printed_rule_everybody_errs_for_ever() -> None:
    printed = LayeredParameters.from_theorem(Budget(1, TINY), 1, 10**6, rule="printed")
    # What it prints as M_0 is 2 N_0; M_1 is N_1/32, and three quarters of that are cut off.
    assert printed.cuts == (-(-3 * printed.sequences // 256),)
    learner = LayeredSOA(SOA(catalog.build("points:n=2^64")), printed)
    assert play(learner, Repeating(learner.base.version_space), 300, SeededCoins(1)).mistakes == 300
