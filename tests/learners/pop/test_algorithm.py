"""POP: the printed algorithm, what a deciding copy costs, mistakes, options by name."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

import catalog
from learners.audit import audit, audit_game
from learners.audit.audit_registry import instance
from learners.budget import Budget
from learners.coins import SeededCoins
from learners.concentration import FAILURE
from learners.exact import HALTED, exact_distribution
from learners.games import OnlineGame
from learners.playing.base.base_learner_names import decision_list_learner, margin_halfspace_learner
from learners.playing.base.halving import Halving
from learners.playing.entries import ONLINE_LEARNERS
from learners.playing.play import play
from learners.pop.algorithm import POP
from learners.pop.evidence.claims import MOVES, noisy_for_all_rounds, require_few_rounds
from learners.pop.evidence.instances import few_copies
from learners.pop.plan import POPParameters
from lsclasses import Table
from lsclasses.errors import InvalidInput
from lsclasses.soa import SOA, ConservativeSOA
from lsclasses.verdicts import Verdict
from tests.learners.privacy_checks import CUT

CUBE = Table([[0, 0], [0, 1], [1, 0], [1, 1]])


def tiny(copies, rounds, scale=Fraction(1, 2), halting="never", reports=1):
    """So little noise that few copies can hide one of them; epsilon is what that costs."""
    return POPParameters(
        copies,
        reports,
        rounds,
        rounds / scale,
        0,
        0 if halting == "never" else 6,
        0,
        0,
        halting=halting,
        raise_delta=True,
    )


# ---- what it does


def transcribed(base, parameters, stream, coins):
    """The algorithm as it is printed, with a list of copies."""
    k, shown = parameters.copies, []
    copies = [base] * k
    for index, (x, y) in enumerate(stream):
        votes = [copy.predict(x) for copy in copies]
        f = -abs(Fraction(k, 2) - sum(votes))
        # f + noise >= -k/4, where f is an integer or half of an odd number
        sigma = f + coins.laplace(parameters.scale) >= -Fraction(k, 4)
        majority = int(sum(votes) > k - sum(votes))
        shown.append((coins.below(2) if sigma else majority, sigma))
        if index < len(stream) - 1:  # what is learned last is never asked for
            chosen = coins.below(k)
            copies[chosen] = copies[chosen].observe(x, y)
    return tuple(shown)


@pytest.mark.parametrize(
    ("stream", "copies", "base"),
    [
        ([(0, 1), (1, 0)], 4, SOA),
        ([(0, 1), (0, 1), (0, 0)], 3, ConservativeSOA),
        pytest.param([(2, 1), (0, 0), (1, 0)], 4, SOA, marks=pytest.mark.slow),
    ],
)
def test_its_law_is_that_of_the_printed_algorithm(stream, copies, base):
    state = base(catalog.build("thresholds:n=3").to_table())
    parameters = tiny(copies, 3, Fraction(1, 3))
    learner = POP(state, parameters)

    def played(coins):
        transcript = play(learner, stream, len(stream), coins)
        return tuple(zip(transcript.predictions, map(bool, transcript.coins), strict=True))

    law = exact_distribution(played)
    printed = exact_distribution(
        lambda coins: transcribed(state, parameters, stream, coins), tail=Fraction(1, 2**14)
    )
    for shown in {*law, *printed}:
        one, other = (float(each[shown].mid()) if shown in each else 0 for each in (law, printed))
        assert one == pytest.approx(other, abs=1e-3)


BASES = pytest.mark.parametrize(
    "base",
    [
        SOA(catalog.build("thresholds:n=2^20")),
        ConservativeSOA(catalog.build("points:n=2^64")),
        Halving(catalog.build("points:n=2^10")),
        decision_list_learner(5),
        margin_halfspace_learner(5, 2),
    ],
    ids=lambda base: type(base).__name__,
)


@BASES
def test_any_learner_will_do(base):
    parameters = POPParameters.within(Budget(8, Fraction(1, 100)), 60, calibrated=False)
    points = [base.hypothesis.domain.sample(number) for number in range(60)]
    stream = [(x, base.predict(x)) for x in points]
    transcript = play(POP(base, parameters), stream, 60, SeededCoins(1), diagnostics=True)
    # Nobody errs: all copies agree, and noise alone makes few reports.
    assert transcript.played == 60
    assert transcript.mistakes <= transcript.reports < 10
    assert transcript.secret["contradicted"] == (0.0,) * 60


def test_contradicted_copies_are_counted():
    learner = POP(ConservativeSOA(catalog.build("points:n=9")), tiny(3, 30, Fraction(1, 20)))
    stream = [(1, 1), (2, 1)] * 15
    transcript = play(learner, stream, 30, SeededCoins(1), diagnostics=True)
    assert transcript.secret["contradicted"][0] == 0
    assert transcript.secret["contradicted"][-1] == 1


# ---- bad input


def test_bounds_are_stated_where_the_base_learner_knows_one():
    parameters = POPParameters.within(Budget(8, Fraction(1, 100)), 300, calibrated=False)
    half = POP(SOA(CUBE), parameters, Fraction(1, 2)).bounds
    assert half == parameters.bounds(2, Fraction(1, 2)) != POP(SOA(CUBE), parameters).bounds
    endless = POP(ConservativeSOA(catalog.build("thresholds:n=inf")), parameters)
    assert endless.bounds == ()
    assert play(endless, [(5, 1)] * 9, 9, SeededCoins(1)).played == 9


# ---- majorities, at small noise


@pytest.mark.parametrize("copies", range(1, 8))
def test_what_is_no_coin_is_the_majority_and_a_tie_is_0(copies):
    """In the exact law of a prediction, for every number of copies that predict 1."""
    learner = POP(ConservativeSOA(CUBE), tiny(copies, 1))
    state = next(iter(exact_distribution(learner.start)))
    for ones in range(copies + 1):
        assert state.copies.ones(0) == ones
        law = exact_distribution(lambda coins, state=state: learner._predict(state, 0, coins)[1])
        shown = {prediction.label for prediction in law if not prediction.coin}
        assert shown == {int(ones > copies - ones)}
        assert {prediction.label for prediction in law if prediction.coin} == {0, 1}
        if ones < copies:
            # One more copy that predicted 0 learns that the label is 1.
            state = replace(state, copies=state.copies.advanced(copies - 1 - ones, 0, 1))


# ---- by name and for audits


TINY = Fraction(1, 10**6)
NAME = "thresholds:n=7"
C = catalog.build(NAME)


def named(rounds: int = 100, **given: Any) -> POP:
    learner = ONLINE_LEARNERS["pop"].learner(NAME, rounds, **given)
    assert isinstance(learner, POP)
    return learner


@pytest.mark.parametrize("copies", [3, 5])
def test_no_copy_decides_a_majority_in_at_most_half_as_many_rounds_as_copies(copies: int) -> None:
    """One more round is enough for a copy of an odd number of copies to decide."""
    half = -(-copies // 2)
    for rounds in (half, half + 1):
        learner = POP(SOA(Table([[0], [1]])), noisy_for_all_rounds(copies, rounds, Fraction(3)))
        found = audit_game(OnlineGame(learner, rounds), MOVES, (3, 0))
        assert found.verdict == (Verdict.HOLDS if rounds == half else Verdict.VIOLATED)
        if rounds == half:
            require_few_rounds(copies, rounds)
        else:
            with pytest.raises(InvalidInput, match=f"at most {half}, half of the copies"):
                require_few_rounds(copies, rounds)


def test_by_name_it_has_as_few_copies_as_privacy_allows_or_more() -> None:
    least = POPParameters.within(Budget(Fraction(1), TINY), 100)
    assert named() == named(copies=least.copies) == POP(ConservativeSOA(C), least)
    more = least.copies + 7
    assert named(copies=more).parameters == replace(least, copies=more)
    counted = named(300, epsilon=20, reports=1).parameters
    assert counted == POPParameters.within(Budget(Fraction(20), TINY), 300, 1)
    assert counted.halting == "cumulative"
    assert named(1, copies=1).parameters.copies == 1
    assert named(base="soa").base == SOA(C)


def test_by_name_the_theorem_sets_all_numbers() -> None:
    """With the mistake bound of the base learner, and a failure that only the theorem has."""
    bound = SOA(C).mistake_bound
    assert bound is not None
    for failure, given in ((FAILURE, {}), (Fraction(1, 3), {"beta": "1/3"})):
        parameters = POPParameters.from_theorem(Budget(Fraction(1), TINY), bound, 100, failure)
        assert named(theorem=1, **given) == POP(ConservativeSOA(C), parameters, failure)


# ---- audited instances


def test_few_copies_have_noise_of_the_scale_that_was_asked_for() -> None:
    for scale in (Fraction(1, 3), Fraction(1, 2)):
        found = few_copies(3, 2, scale)
        assert (found.scale, found.rounds, found.halting) == (scale, 2, "never")
        # The epsilon is what two answers of that noise cost, and delta the majorities.
        assert found.privacy.epsilon == 2 / scale
        assert found.privacy.delta == found.majority_failure > 0
    assert few_copies(3, 2, scale, halting=Fraction(6)).halting == "cumulative"


@pytest.mark.parametrize(
    ("given", "sizes"),
    [
        ("copies=1,rounds=1", (1, 1, 1)),
        ("copies=1,rounds=2,scale=2/3", (1, 2, 4)),
        ("copies=1,rounds=1,points=2,halting=13/2,reports=1", (1, 1, 6)),
    ],
)
def test_the_smallest_instances_hold_what_they_claim(
    given: str, sizes: tuple[int, int, int]
) -> None:
    """On one point there are two examples: one pair to differ in, with each rest, at each place."""
    built = instance(f"pop:{given}")
    parameters = built.mechanism.parameters
    assert (parameters.copies, parameters.rounds, len(built.pairs)) == sizes
    assert audit(built.run, built.pairs, built.privacy, **CUT).verdict == Verdict.HOLDS


def test_an_audit_does_not_see_whether_it_halted_with_a_prediction_or_its_label() -> None:
    built = instance("pop:copies=1,rounds=2,halting=13/2")
    law = built.run.laws(tail=CUT["tail"])(built.pairs[0][0])
    halted = [answers for answers in law if HALTED in answers]
    assert halted and all(len(answers) in (3, 5) for answers in halted)
