"""The best private online learner: known values, laws, forgeries and refusals."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from math import exp
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import catalog
from learners.coins import SeededCoins
from learners.exact import exact_distribution
from learners.optimal.frontier import Frontier
from learners.optimal.mistakes import optimal_mistakes
from learners.optimal.online_certificates import OnlineEvidence
from learners.playing.play import play
from learners.playing.state_files import StateFile, coins_of_segment
from lsclasses import Table
from lsclasses.errors import BadCertificate, InvalidInput
from tests.learners.optimal.naive_online import least_mistakes
from tests.strategies import tables

BIT = "constants:n=1"


@cache
def found(spec: str, rounds: int, epsilon: Any = 1, delta: Any = 0, **asked: Any) -> Frontier:
    C = Table([[0], [1]]) if spec == BIT else catalog.build(spec)
    result = optimal_mistakes(C, rounds, epsilon, delta, **asked)
    assert 0 <= result.upper - result.lower < Fraction(1, 10**6)
    return result


@pytest.mark.parametrize(
    ("spec", "rounds", "asked"),
    [
        (BIT, 3, {}),
        (BIT, 3, {"adversary": "adaptive"}),
        (BIT, 3, {"delta": "1/50"}),
        ("points:n=2", 2, {}),
        ("points:n=2", 2, {"delta": "1/100"}),
        ("points:n=3", 2, {"outputs": "class"}),
        ("thresholds:n=2", 2, {}),
        ("thresholds:n=2", 2, {"adversary": "adaptive", "outputs": "class"}),
        ("thresholds:n=2", 2, {"delta": "1/10", "outputs": "class"}),
    ],
)
def test_symmetry_and_hubs_change_no_value(spec, rounds, asked) -> None:
    C = Table([[0], [1]]) if spec == BIT else catalog.build(spec)
    concepts = [tuple(row) for row in C.to_table().labels.tolist()]
    proper = asked.get("outputs") == "class"
    outputs = concepts if proper else list(product((0, 1), repeat=len(concepts[0])))
    naive = least_mistakes(
        concepts,
        outputs,
        rounds,
        1,
        delta=float(Fraction(asked.get("delta", 0))),
        adaptive="adversary" in asked,
    )
    assert naive == pytest.approx(float(found(spec, rounds, **asked).upper), abs=1e-6)


@settings(max_examples=5, deadline=None)
@given(tables(min_concepts=2, max_concepts=4, max_points=2), st.sampled_from(["any", "class"]))
def test_more_privacy_more_rounds_and_fewer_outputs_cost_mistakes(C, outputs) -> None:
    def value(rounds: int, epsilon: Any, **asked: Any) -> Fraction:
        return optimal_mistakes(C, rounds, epsilon, outputs=outputs, **asked).upper

    slack = Fraction(1, 10**6)
    assert value(2, 2) <= value(2, 1) + slack <= value(2, Fraction(1, 2)) + 2 * slack
    assert value(1, 1) <= value(2, 1) + slack
    assert value(2, 1) <= value(2, 1, adversary="adaptive") + slack
    assert value(2, 1, delta=Fraction(1, 10)) <= value(2, 1) + slack
    assert optimal_mistakes(C, 2, 1).upper <= value(2, 1) + slack


@pytest.mark.parametrize(
    ("spec", "rounds", "asked"),
    [
        ("points:n=2", 2, {}),
        ("thresholds:n=2", 2, {}),
        ("thresholds:n=2", 2, {"adversary": "adaptive"}),
        ("points:n=3", 2, {"outputs": "class"}),
        (BIT, 4, {}),
        (BIT, 4, {"adversary": "adaptive"}),
        ("thresholds:n=2", 2, {"delta": "1/20"}),
    ],
)
def test_the_learner_plays_what_is_claimed(spec, rounds, asked) -> None:
    """Its exact mistakes: on no stream above the upper bound, on the hard ones at the lower."""
    result = found(spec, rounds, **asked)

    def mistakes(adversary: Any) -> Fraction:
        law = exact_distribution(
            lambda coins: play(result.learner, adversary, rounds, coins).mistakes
        )
        return sum(law.rational(count) * count for count in law)

    hard = mistakes(result.hard)
    assert result.lower - Fraction(1, 10**9) <= hard <= result.upper
    points = list(result.learner.domain)
    C = Table([[0], [1]]) if spec == BIT else catalog.build(spec)
    worst = max(
        mistakes(list(zip(points_of, labels, strict=True)))
        for points_of in product(points, repeat=rounds)
        for labels in {tuple(c(x) for x in points_of) for c in C.to_table()}
    )
    if "adversary" in asked:
        assert worst <= result.upper
    else:
        assert worst == result.upper


def test_hard_streams_are_a_law_of_realizable_streams() -> None:
    hard = found("points:n=3", 2).hard
    assert sum(hard.law.values()) == 1
    for stream in hard.law:
        assert any(
            all(c(x) == y for x, y in stream) for c in catalog.build("points:n=3").to_table()
        )
    assert hard.realizable and hard.sees == "nothing"


@pytest.mark.parametrize("asked", [{}, {"adversary": "adaptive"}])
def test_against_the_hard_adversary_no_other_learner_does_better(asked) -> None:
    """Such as one that publishes uniform functions."""
    result = found("points:n=2", 2, **asked)
    law = result.learner.law
    uniform = replace(
        result.learner,
        law=replace(law, first=(1,) * len(law.first), weights=(1,) * len(law.weights)),
    )
    exact = exact_distribution(lambda coins: play(uniform, result.hard, 2, coins).mistakes)
    assert sum(exact.rational(count) * count for count in exact) >= result.lower


def test_a_game_goes_on_from_a_file(tmp_path) -> None:
    learner = found("points:n=2", 3).learner
    first = StateFile(tmp_path / "game.json").claim(learner, simulated=True)
    first.play([(0, 1), (0, 1)], 2, coins_of_segment(1, 0))
    assert first.keep()
    second = StateFile(tmp_path / "game.json").claim(learner, simulated=True)
    game = second.play([(1, 0)], 1, coins_of_segment(1, second.number))
    assert game.counts.played == 3
    assert not second.keep()
    state = learner.start(SeededCoins(1))
    for data in (None, [0], [0, -1], [0, 4], [9, 0], ["0", 0]):
        with pytest.raises((InvalidInput, TypeError, ValueError)):
            learner.state_from_json(data)
    assert learner.state_from_json(learner.state_to_json(state)) == state


@pytest.mark.parametrize("asked", [{}, {"adversary": "adaptive"}, {"delta": "1/100"}])
def test_evidence_is_read_again_and_checked_without_a_solver(asked, monkeypatch) -> None:
    result = found("points:n=2", 2, **asked)
    monkeypatch.setattr("scipy.optimize.linprog", None)
    again = OnlineEvidence.from_json(json.loads(json.dumps(result.evidence.to_json())))
    assert again == result.evidence
    assert again.check(catalog.build("points:n=2")) == result.learner.law


SMALLER = Fraction(999, 1000)


def mutants(evidence: OnlineEvidence) -> dict[str, OnlineEvidence]:
    """Evidence that proves nothing, each by one small change."""
    row = next(iter(evidence.multipliers))
    unit = Fraction(1, 10**15)
    changed = {
        "epsilon a thousandth smaller": {"epsilon": evidence.epsilon * SMALLER},
        "epsilon a thousandth smaller, with its ratios": {
            "epsilon": evidence.epsilon * SMALLER,
            "below": Fraction(int(exp(evidence.epsilon * SMALLER) * 10**12), 10**12),
            "above": Fraction(int(exp(evidence.epsilon * SMALLER) * 10**12) + 1, 10**12),
        },
        "the upper bound too low": {"upper": evidence.upper - unit},
        "the lower bound too high": {"lower": evidence.lower + unit},
        "a negative multiplier": {
            "multipliers": {**evidence.multipliers, row: -evidence.multipliers[row]}
        },
        "weights of the adversary that do not add up": {
            "multipliers": {**evidence.multipliers, max(evidence.multipliers): 1}
        },
        "a row that is none": {"multipliers": {**evidence.multipliers, 10**6: 1}},
        "the ratio rounded up for the learner": {"below": evidence.above},
        "the ratio rounded down for the bound": {"above": evidence.below},
        "a ratio of less than 1": {"below": Fraction(1, 2)},
        "another number of rounds": {"rounds": evidence.rounds + 1},
        "other outputs": {"proper": True},
        "no rounds": {"rounds": 0},
        "a weight too few": {"weights": evidence.weights[1:]},
        "a negative weight": {"weights": (-1, *evidence.weights[1:])},
        "half a lower bound": {
            "multipliers": {key: value // 2 for key, value in evidence.multipliers.items()}
        },
    }
    for name in ("first", "weights"):
        weights = getattr(evidence, name)
        for place, weight in enumerate(weights):
            moved = (*weights[:place], weight + 1, *weights[place + 1 :])
            changed[f"{name} {place} one more"] = {name: moved}
    return {name: replace(evidence, **values) for name, values in changed.items()}


@pytest.mark.parametrize("asked", [{}, {"adversary": "adaptive"}, {"delta": "1/100"}])
def test_false_evidence_is_refused(asked) -> None:
    C = catalog.build("points:n=2")
    evidence = found("points:n=2", 2, **asked).evidence
    for name, mutant in mutants(evidence).items():
        with pytest.raises(BadCertificate):
            mutant.check(C)
            pytest.fail(name)
    with pytest.raises(BadCertificate):
        evidence.check(catalog.build("thresholds:n=2"))


def test_prefix_laws_that_disagree_are_refused() -> None:
    """What is published before an example depends on it."""
    evidence = found(BIT, 3).evidence
    orbits = found(BIT, 3).learner.law.transcripts.published[-1]
    # z_1 = 0, h_2 = 0, z_2 = 0, then either, is likelier, and with z_2 = 1 as likely as before.
    weights = [2 * w if i in orbits.of[:2] else w for i, w in enumerate(evidence.weights)]
    with pytest.raises(BadCertificate, match="first 2 rounds depends on the example of round 2"):
        replace(evidence, weights=tuple(weights)).check(Table([[0], [1]]))


def test_evidence_of_one_bit_is_not_private_if_it_is_copied() -> None:
    evidence = found(BIT, 2).evidence
    total = sum(evidence.weights)
    told = tuple(total if weight == max(evidence.weights) else 0 for weight in evidence.weights)
    with pytest.raises(BadCertificate, match="not private"):
        replace(evidence, weights=told, upper=Fraction(2)).check(Table([[0], [1]]))
