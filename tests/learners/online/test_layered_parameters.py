"""Parameters of layers, held to the recursion and to the conditions of the proofs."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import pytest

from learners.numbers import log
from learners.online.layer_laws import kept_pairs
from learners.online.layered_parameters import COVERAGES, LayeredParameters

HUNDREDTH = Fraction(1, 100)


@pytest.mark.parametrize(
    ("depth", "failure", "concepts"),
    [(2, Fraction(2, 7), None), (2, Fraction(12, 17), 4), (3, Fraction(12, 17), None)],
)
def test_the_recursion_is_used_up(depth: int, failure: Fraction, concepts: int | None) -> None:
    """Thresholds wait as long as said, and cuts are as high as the good pairs allow."""
    found = LayeredParameters.from_theorem(depth, 40, 8, HUNDREDTH, failure, concepts=concepts)
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


def test_few_sequences_are_found() -> None:
    """No number of sequences in a wide range does better, with the same split and waiting."""
    found = LayeredParameters.from_theorem(2, 1000, 8, HUNDREDTH, Fraction(1, 4), concepts=4)
    (bound,) = found.bounds
    assert bound.value is not None and found.histogram is not None
    t, early = found.histogram.bound, found.thresholds[-1] - 1
    coverage = Fraction(found.thresholds[0] - early, found.sequences // 2)
    tried = 0
    for eighths in range(2, 40):
        sequences = found.sequences * eighths // 64 * 8
        for cut in {found.cuts[0] * eighths // 8, found.cuts[0] * eighths // 9}:
            for last in (found.cuts[1], found.cuts[1] * 2, t + 1):
                thresholds = tuple(
                    int(coverage * (sequences >> s + 1)) + early + 1 for s in range(2)
                )
                other = replace(
                    found,
                    sequences=sequences,
                    cuts=(cut, last),
                    thresholds=(*thresholds, early + 2),
                )
                value = other.bounds[0].value
                tried += value is not None
                assert value is None or value > bound.value * Fraction(97, 100)
    assert tried > 20


@pytest.mark.parametrize("failure", [Fraction(1, 20), Fraction(1, 10**4)])
def test_more_pairs_are_taken_until_the_release_is_sure_enough(failure: Fraction) -> None:
    parameters = LayeredParameters.from_theorem(1, 1000, 8, HUNDREDTH, failure)
    (bound,) = parameters.bounds
    assert bound.applies and bound.failure == failure
    # One mistake less to wait for is not enough.
    first, last = parameters.thresholds
    assert replace(parameters, thresholds=(first - 1, last)).bounds[0].value is None


def test_thresholds_below_the_noise_promise_nothing() -> None:
    found = LayeredParameters.from_theorem(2, 1000, 8, HUNDREDTH, concepts=4)
    for at in range(3):
        thresholds = [0 if layer == at else each for layer, each in enumerate(found.thresholds)]
        assert replace(found, thresholds=tuple(thresholds)).bounds[0].value is None


@pytest.mark.parametrize("epsilon", [Fraction(8), Fraction(3), Fraction(1, 2000)])
def test_the_corrected_rule_takes_the_least_number_that_the_proof_needs(epsilon: Fraction) -> None:
    """For d = 1, [LWY25, Lemma B.3] with M_s = 2^(7 - 8*2^s) N_s."""
    T, beta, delta = 1000, Fraction(1, 20), HUNDREDTH
    found = LayeredParameters.from_theorem(1, T, epsilon, delta, beta, rule="corrected")
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
