"""The best predictor with private answers: known values, definitions, forgeries and refusals."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import exp

import pytest

import catalog
from learners.accounting import PureDP, Scope, neighbours
from learners.audit import audit_game
from learners.coins import SeededCoins
from learners.games import Ask, Challenge, OnlineGame
from learners.optimal.challenge import optimal_answers
from learners.optimal.challenge_certificates import ChallengeEvidence
from learners.optimal.frontier import Frontier
from learners.optimal.frontier_certificates import PrivateFrontier
from learners.optimal.mistakes import optimal_mistakes
from learners.private_atlas.ratios import predictor_mistakes
from lsclasses import Table
from lsclasses.certificates import Certificate
from lsclasses.errors import BadCertificate, InvalidInput, TooLarge
from lsclasses.verdicts import Verdict
from tests.learners.optimal.naive_challenge import least_answer_mistakes

BIT = "bit"


def built(spec: str) -> Table:
    return Table([[0], [1]]) if spec == BIT else catalog.build(spec).to_table()


@cache
def found(spec: str, rounds: int, epsilon: int | str = 1) -> Frontier:
    result = optimal_answers(built(spec), rounds, epsilon)
    assert 0 <= result.upper - result.lower < Fraction(1, 10**8)
    return result


@pytest.mark.parametrize(
    ("spec", "values"),
    [
        (BIT, {1: 0.5, 2: 0.7689, 3: 0.9529, 4: 1.0975, 5: 1.2277}),
        ("thresholds:n=2", {2: 0.8845, 3: 1.1531}),
        ("points:n=3", {2: 0.8845, 3: 1.1907}),
        ("cube:n=2", {2: 1, 3: 1.2689, 4: 1.5688}),
    ],
)
def test_known_values(spec: str, values: dict[int, float]) -> None:
    for rounds, value in values.items():
        assert float(found(spec, rounds).upper) == pytest.approx(value, abs=6e-5)


@pytest.mark.parametrize(
    ("spec", "rounds", "epsilon"),
    [(BIT, 3, "1/2"), (BIT, 4, 1), ("points:n=2", 2, 2), ("thresholds:n=2", 2, 1)],
)
def test_symmetry_hubs_and_a_separate_first_answer_change_no_value(
    spec: str, rounds: int, epsilon: int | str
) -> None:
    concepts = [tuple(row) for row in built(spec).labels.tolist()]
    naive = least_answer_mistakes(concepts, rounds, float(Fraction(epsilon)))
    assert naive == pytest.approx(float(found(spec, rounds, epsilon).upper), abs=1e-6)


def test_publishing_is_at_least_as_expensive() -> None:
    for rounds in (2, 3):
        published = optimal_mistakes(built("points:n=3"), rounds, 1)
        assert found("points:n=3", rounds).upper < published.lower


def test_the_predictor_makes_as_many_mistakes_as_claimed() -> None:
    result = found("thresholds:n=2", 3)
    exact = predictor_mistakes(built("thresholds:n=2"), result.learner, 3)
    assert exact == pytest.approx(float(result.upper), abs=1e-9)


def test_the_answers_need_the_whole_epsilon() -> None:
    learner = found(BIT, 3).learner
    moves = (Ask((0, 0)), Ask((0, 1)), Challenge((0, 0), (0, 1)))
    assert neighbours(learner.privacy) == "challenge"
    assert audit_game(OnlineGame(learner, 3), moves, learner.privacy).verdict == Verdict.HOLDS
    claim = PureDP(Fraction(9, 10), scope=Scope.adaptive("challenge"))
    assert audit_game(OnlineGame(learner, 3), moves, claim).verdict == Verdict.VIOLATED


def test_states_are_stored_and_read() -> None:
    learner, coins = found("points:n=2", 3).learner, SeededCoins(1)
    state = learner.start(coins)
    for point, label in ((0, 1), (1, 0), (0, 1)):
        assert learner.state_from_json(learner.state_to_json(state)) == state
        state, answer = learner.predict(state, point, coins)
        assert answer in (0, 1)
        state = learner.learn(state, point, label, coins)
    with pytest.raises(InvalidInput):
        learner.predict(state, 0, coins)
    for data in ([0, -1], [0, 1], [9, 0], [1, 4], ["0", 0]):
        with pytest.raises(InvalidInput):
            learner.state_from_json(data)
    with pytest.raises(InvalidInput, match="must follow the answer"):
        learner.learn(learner.start(coins), 0, 1, coins)


# ---- certificates


def test_evidence_is_read_again_and_checked_without_a_solver(monkeypatch) -> None:
    result, C = found("points:n=2", 3), built("points:n=2")
    monkeypatch.setattr("scipy.optimize.linprog", None)
    proof = PrivateFrontier.of(C, result.evidence)
    again = Certificate.from_json(json.loads(json.dumps(proof.to_json())))
    again.verify(C)
    assert again.evidence == result.evidence
    assert again.learner(C).law == result.learner.law
    assert "answers to all users except one" in proof.claim


SMALLER = Fraction(999, 1000)


def mutants(evidence: ChallengeEvidence) -> dict[str, ChallengeEvidence]:
    """Evidence that proves nothing, each by one small change."""
    row = next(iter(evidence.multipliers))
    unit = Fraction(1, 10**15)
    changed = {
        "a smaller epsilon": {"epsilon": evidence.epsilon * SMALLER},
        "a smaller epsilon with its ratios": {
            "epsilon": evidence.epsilon * SMALLER,
            "below": Fraction(int(exp(evidence.epsilon * SMALLER) * 10**12), 10**12),
            "above": Fraction(int(exp(evidence.epsilon * SMALLER) * 10**12) + 1, 10**12),
        },
        "the upper bound too low": {"upper": evidence.upper - unit},
        "the lower bound too high": {"lower": evidence.lower + unit},
        "a negative multiplier": {
            "multipliers": {**evidence.multipliers, row: -evidence.multipliers[row]}
        },
        "a row that does not exist": {"multipliers": {**evidence.multipliers, 10**6: 1}},
        "a ratio of less than 1": {"below": Fraction(1, 2)},
        "another number of rounds": {"rounds": evidence.rounds + 1},
        "no rounds": {"rounds": 0},
        "a weight too few": {"weights": evidence.weights[1:]},
        "a negative weight": {"weights": (-1, *evidence.weights[1:])},
        "half of the streams": {
            "multipliers": {key: value // 2 for key, value in evidence.multipliers.items()}
        },
    }
    for name in ("first", "weights"):
        weights = getattr(evidence, name)
        for place, weight in enumerate(weights):
            moved = (*weights[:place], weight + 1, *weights[place + 1 :])
            changed[f"{name} {place} one more"] = {name: moved}
    return {name: replace(evidence, **values) for name, values in changed.items()}


def test_false_evidence_is_refused() -> None:
    C, evidence = built("points:n=2"), found("points:n=2", 3).evidence
    for name, mutant in mutants(evidence).items():
        with pytest.raises(BadCertificate):
            mutant.check(C)
            pytest.fail(name)
    with pytest.raises(BadCertificate):
        evidence.check(built("thresholds:n=2"))


def test_a_predictor_that_repeats_the_last_label_is_not_private() -> None:
    """The later answers copy the label of the first user."""
    evidence = found(BIT, 2).evidence
    law = found(BIT, 2).learner.law
    orbits = law.transcripts.answered[-1]
    # The complete transcripts are (z_1, a_2): weight only where both labels are equal.
    copied = [0] * orbits.count
    for number in (0, 3):
        copied[orbits.of[number]] = law.total
    forged = replace(evidence, weights=tuple(copied), upper=Fraction(2))
    with pytest.raises(BadCertificate, match="not private: the answers to the other users"):
        forged.check(built(BIT))


# ---- refusals


def test_bad_input_is_refused() -> None:
    C = built("points:n=2")
    with pytest.raises(InvalidInput, match="Epsilon must be positive"):
        optimal_answers(C, 2, 0)
    with pytest.raises(InvalidInput, match="Epsilon must be finite"):
        optimal_answers(C, 2, "inf")
    with pytest.raises(InvalidInput, match="at least two concepts"):
        optimal_answers(Table([[0, 1]]), 2, 1)
    with pytest.raises(TooLarge, match=r"The limit is 150,000 rows\. Use at most 5 rounds"):
        optimal_answers(C, 9, 1)
