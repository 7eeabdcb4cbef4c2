from __future__ import annotations

import itertools
import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learners.accounting import basic
from learners.audit import HOLDS, VIOLATED, audit
from learners.coins import SeededCoins
from learners.exact import exact_law
from learners.mechanisms.selection import (
    AUDITS,
    ExponentialMechanism,
    PermuteAndFlip,
    ReportNoisyMax,
)
from lsclasses.errors import InvalidInput
from tests.learners.privacy_checks import (
    assert_private,
    delta,
    least_bound,
    loss,
    smallest_instances,
)

TAIL = Fraction(1, 10**7)


def law_of(mechanism, scores):
    return exact_law(lambda coins: mechanism.choose(scores, coins), tail=TAIL)


def neighbours_of(scores, monotone):
    moves = [(0, 1)] * len(scores) if monotone else [(-1, 0, 1)] * len(scores)
    return [
        tuple(s + u for s, u in zip(scores, move, strict=True))
        for move in itertools.product(*moves)
        if any(move)
    ]


@pytest.mark.parametrize("epsilon", [Fraction(1, 2), 1])
@pytest.mark.parametrize("monotone", [False, True])
@pytest.mark.parametrize("kind", [ExponentialMechanism, PermuteAndFlip])
def test_all_neighbours_of_three_scores_are_within_epsilon(kind, epsilon, monotone):
    mechanism = kind(epsilon, monotone=monotone)
    for scores in [(0, 0, 0), (3, 0, 1), (1, 1, 0), (-2, 2, 5)]:
        p = law_of(mechanism, scores)
        for other in neighbours_of(scores, monotone):
            assert_private(p, law_of(mechanism, other), epsilon)


@pytest.mark.parametrize("epsilon", [1, 2])
@pytest.mark.parametrize("monotone", [False, True])
def test_all_neighbours_of_two_noisy_scores_are_within_epsilon(epsilon, monotone):
    mechanism = ReportNoisyMax(epsilon, monotone=monotone)
    for scores in [(0, 0), (3, 0), (0, 1)]:
        p = law_of(mechanism, scores)
        for other in neighbours_of(scores, monotone):
            assert_private(p, law_of(mechanism, other), epsilon)


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


def test_the_noisy_maximum_is_the_first_largest_noisy_score():
    q = math.exp(-1 / 2)

    def p(z):
        return (1 - q) / (1 + q) * q ** abs(z)

    law = law_of(ReportNoisyMax(1), (1, 0))
    first = sum(p(x) * p(y) for x in range(-60, 61) for y in range(-60, 61) if x + 1 >= y)
    assert float(law[0]) == pytest.approx(first, abs=1e-5)


def test_permute_and_flip_is_what_its_name_says():
    mechanism, scores = PermuteAndFlip(Fraction(3, 2)), (2, 0, 2, 1)

    def permute_and_flip(coins):
        for index in coins.shuffle(len(scores)):
            if coins.decays(mechanism.rate * (max(scores) - scores[index])):
                return index
        raise AssertionError("the best candidate always passes")

    literal, drawn = exact_law(permute_and_flip), law_of(mechanism, scores)
    for index in range(4):
        assert abs(literal[index] - drawn[index]) < 1e-15


def test_missing_factors_of_two_are_noticed():
    for kind in (ExponentialMechanism, PermuteAndFlip):
        broken = kind(1, monotone=True)  # claims monotone scores where they are not
        p, q = law_of(broken, (0, 0)), law_of(broken, (1, -1))
        assert delta(p, q, 1) > 0.1


@pytest.mark.parametrize("kind", [ExponentialMechanism, PermuteAndFlip, ReportNoisyMax])
def test_shortfalls_are_bounded(kind):
    mechanism = kind(2)
    failure = Fraction(1, 10)
    most = mechanism.shortfall(2, failure)
    for gap in range(most + 3):
        law = law_of(mechanism, (0, gap))
        assert law.probability(lambda i, gap=gap: i == 0 and gap > most) <= 0.1


@given(st.lists(st.integers(-50, 50), min_size=1, max_size=6), st.integers(0, 1000))
def test_choices_are_candidates(scores, seed):
    for kind in (ExponentialMechanism, PermuteAndFlip, ReportNoisyMax):
        mechanism = kind(Fraction(1, 3))
        assert 0 <= mechanism.choose(scores, SeededCoins(seed)) < len(scores)
        assert basic(mechanism.privacy) == (Fraction(1, 3), 0)


def test_a_seed_gives_one_choice():
    coins = SeededCoins(11)
    scores = [5, 9, 7, 9]
    drawn = [
        [kind(Fraction(1, 2)).choose(scores, coins) for _ in range(12)]
        for kind in (ExponentialMechanism, PermuteAndFlip, ReportNoisyMax)
    ]
    assert drawn == STORED


STORED = [
    [1, 1, 2, 2, 2, 2, 1, 3, 1, 0, 3, 1],
    [2, 3, 0, 3, 3, 1, 1, 1, 1, 0, 2, 1],
    [3, 3, 1, 3, 1, 3, 3, 3, 3, 2, 2, 3],
]


@pytest.mark.parametrize("kind", [ExponentialMechanism, PermuteAndFlip, ReportNoisyMax])
def test_bad_input_is_refused(kind):
    with pytest.raises(InvalidInput, match="At least one score"):
        kind(1).choose([], SeededCoins(0))
    with pytest.raises(InvalidInput, match="score must be an integer"):
        kind(1).choose([0.5], SeededCoins(0))
    with pytest.raises(InvalidInput, match="epsilon must be"):
        kind(0)
    with pytest.raises(InvalidInput, match="at least 1"):
        kind(1, 0)
    with pytest.raises(InvalidInput, match="related by"):
        kind(1, neighbours="none")
    with pytest.raises(InvalidInput, match="number of candidates"):
        kind(1).shortfall(0, Fraction(1, 2))


@pytest.mark.parametrize("candidates", [1, 2, 9, 1000])
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


def test_one_candidate_with_two_scores_is_the_least_to_audit():
    built = smallest_instances(AUDITS, candidates=1, scores=1)
    assert len(built) == 3
    assert {instance.pairs for instance in built.values()} == {(((0,), (1,)),)}


@pytest.mark.parametrize("entry", [AUDITS[0], AUDITS[2]], ids=lambda entry: entry.name)
def test_what_is_audited_unless_told_otherwise_would_show_less_noise(entry):
    built = entry.instance()
    epsilon, _ = basic(built.privacy)
    for claimed, verdict in ((epsilon, HOLDS), (epsilon * Fraction(3, 4), VIOLATED)):
        assert audit(built.run, built.pairs, (claimed, 0)).verdict == verdict
