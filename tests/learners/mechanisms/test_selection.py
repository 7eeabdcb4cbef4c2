from __future__ import annotations

import itertools
import math
from fractions import Fraction

import pytest

from learners.accounting import basic
from learners.coins import SeededCoins
from learners.exact import exact_distribution
from learners.mechanisms.selection import ExponentialMechanism, PermuteAndFlip, ReportNoisyMax
from tests.learners.privacy_checks import assert_private, least_bound, loss, mass, reach

HALF, TAIL = Fraction(1, 2), Fraction(1, 10**7)


def law_of(mechanism, scores):
    return exact_distribution(lambda coins: mechanism.release(scores, coins), tail=TAIL)


def neighbours_of(scores, monotone):
    moves = [(0, 1)] * len(scores) if monotone else [(-1, 0, 1)] * len(scores)
    return [
        tuple(s + u for s, u in zip(scores, move, strict=True))
        for move in itertools.product(*moves)
        if any(move)
    ]


@pytest.mark.parametrize(
    ("kind", "scores"),
    [
        (ExponentialMechanism, [(0, 0, 0), (3, 0, 1), (-2, 2, 5)]),
        (PermuteAndFlip, [(0, 0, 0), (3, 0, 1), (-2, 2, 5)]),
        (ReportNoisyMax, [(0, 0), (3, 0), (0, 1)]),
    ],
)
def test_all_neighbours_of_few_monotone_scores_are_within_epsilon(kind, scores):
    """Audits are of scores that move both ways."""
    mechanism = kind(2, monotone=True)
    assert basic(mechanism.privacy) == (2, 0)
    for one in scores:
        p = law_of(mechanism, one)
        for other in neighbours_of(one, True):
            assert_private(p, law_of(mechanism, other), 2)


def test_the_exponential_mechanism_has_bounded_range():
    mechanism = ExponentialMechanism(1)
    p = law_of(mechanism, (0, 0, 0))
    widest = 0.0
    for other in neighbours_of((0, 0, 0), False):
        losses = [float(loss(p, law_of(mechanism, other), i)) for i in range(3)]
        widest = max(widest, max(losses) - min(losses))
    assert widest == pytest.approx(1)


def test_the_exponential_mechanism_has_its_law():
    scores = (3, 0, -2, 4)
    law = law_of(ExponentialMechanism(Fraction(1, 2), 2), scores)
    weights = [math.exp(s / 8) for s in scores]
    assert [float(law[i]) for i in range(4)] == pytest.approx([w / sum(weights) for w in weights])


def test_the_noisy_maximum_is_one_of_the_largest_noisy_scores():
    law = law_of(ReportNoisyMax(1), (1, 0))
    # Half of the ties count, of which each has the noise x and x + 1.
    larger = sum(mass(2, x) * (1 - reach(2, x + 1)) for x in range(-60, 61))
    ties = sum(mass(2, x) * mass(2, x + 1) for x in range(-60, 61))
    assert float(law[0]) == pytest.approx(larger + ties / 2, abs=1e-5)


def test_permute_and_flip_is_what_its_name_says():
    mechanism, scores = PermuteAndFlip(Fraction(3, 2)), (2, 0, 2, 1)

    def permute_and_flip(coins):
        for index in coins.shuffle(len(scores)):
            if coins.decays(mechanism.rate * (max(scores) - scores[index])):
                return index
        raise AssertionError("the best candidate always passes")

    literal, drawn = exact_distribution(permute_and_flip), law_of(mechanism, scores)
    for index in range(4):
        assert abs(literal[index] - drawn[index]) < 1e-15


def test_a_seed_gives_one_choice():
    coins = SeededCoins(11)
    drawn = [
        "".join(str(kind(HALF).release([5, 9, 7, 9], coins)) for _ in range(12))
        for kind in (ExponentialMechanism, PermuteAndFlip, ReportNoisyMax)
    ]
    assert drawn == ["112222131031", "230331111021", "331313333223"]


@pytest.mark.parametrize("candidates", [1, 2, 1000])
@pytest.mark.parametrize("failure", [Fraction(1, 3), Fraction(1, 1000)])
def test_shortfalls_are_those_of_the_proofs(candidates, failure):
    for epsilon, sensitivity in ((Fraction(1, 2), 1), (2, 3)):
        rate = Fraction(epsilon) / (2 * sensitivity)
        noisy = ReportNoisyMax(epsilon, sensitivity).shortfall(candidates, failure)
        assert noisy == 2 * least_bound(1 / rate, failure / candidates)
        for kind in (ExponentialMechanism, PermuteAndFlip):
            found = kind(epsilon, sensitivity).shortfall(candidates, failure)
            # The least of which no larger shortfall has a probability above the failure.
            assert candidates * math.exp(-rate * (found + 1)) < failure
            assert candidates * math.exp(-rate * found) >= failure
