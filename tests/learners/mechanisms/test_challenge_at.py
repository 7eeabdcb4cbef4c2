"""ChallengeAT: privacy over all adversaries of small games, accuracy by exact laws."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learners.accounting import basic
from learners.audit import ExploredGame, audit_game
from learners.coins import SeededCoins
from learners.exact import exact_distribution
from learners.games import Ask, Challenge, ChallengeATGame, Datasets, MechanismQuerier, Unmerged
from learners.mechanisms.challenge_at import ChallengeAT
from learners.mechanisms.noise import tail
from learners.pop.evidence.claims import Query
from lsclasses.verdicts import Verdict
from tests.learners.privacy_checks import answers_delta, least_epsilon, mass, reach

UP, DOWN = Ask(Query(0, 1)), Ask(Query(1, 0))
FAR = Challenge(Query(-99, -99), Query(99, 99))
MOVES = [Datasets((0,), (1,)), UP, DOWN, FAR]
CUT = {"tail": Fraction(1, 2**20), "resolution": Fraction(1, 10**4)}


def explored(mechanism, rounds, moves=MOVES):
    return ExploredGame(ChallengeATGame(MechanismQuerier(mechanism), rounds), moves, **CUT)


def plain(reports, rounds, halting="cumulative"):
    return ChallengeAT(2, 0, reports, 0, 1, 0, horizon=rounds, halting=halting)


@pytest.mark.parametrize(
    ("halting", "less"), [("cumulative", Fraction(1, 2)), ("tree", Fraction(9, 10))]
)
def test_a_halt_at_the_last_question_costs_what_halting_costs(halting, less):
    mechanism = plain(1, 1, halting)
    game = explored(mechanism, 1, [MOVES[0], FAR])
    assert game.against((mechanism.halting_epsilon, 0)).verdict == Verdict.HOLDS
    # The answer is hidden and no other question is asked: all of this is the halt.
    assert game.against((less, 0)).verdict == Verdict.VIOLATED


def test_the_costs_of_reports_and_of_halting_add_up():
    """They are 2 and 1, and in three rounds more than 2 is lost."""
    assert explored(plain(1, 3), 3).against((2, 0)).measured > 0.009


def test_equal_runs_behave_alike():
    game = ChallengeATGame(MechanismQuerier(plain(1, 2)), 2)
    cut = {"tail": Fraction(1, 2**8), "resolution": Fraction(1, 10)}
    plainly, apart = (audit_game(each, MOVES, (1, 0), **cut) for each in (game, Unmerged(game)))
    assert plainly.measured.overlaps(apart.measured) and plainly.measured > 0.05


@pytest.mark.parametrize("calibrated", [pytest.param(False, marks=pytest.mark.slow), True])
def test_claims_with_a_delta_hold_and_are_not_void(calibrated):
    mechanism = ChallengeAT.within(2, Fraction(1, 20), 1, 0, calibrated=calibrated)
    assert basic(mechanism.privacy) == (2, Fraction(1, 20))
    game = explored(mechanism, 2)
    assert game.against(mechanism.privacy).verdict == Verdict.HOLDS
    assert game.against((Fraction(1, 4), Fraction(1, 100))).verdict == Verdict.VIOLATED


@pytest.mark.parametrize(("epsilon", "delta"), [(1, Fraction(1, 10**3)), (3, Fraction(1, 10**6))])
def test_noise_for_many_questions_stays_within_delta(epsilon, delta):
    # One number asked again and again: the number of reports has all there is to know.
    mechanism = ChallengeAT.within(epsilon, delta, 1, 0, horizon=400, halting="never")
    assert mechanism.scale < 400 / epsilon
    worst = 0.0
    for offset, shift in itertools.product((-20, 0, 1, 20), (1, -1)):
        p, other = (float(tail(mechanism.scale, m).mid()) for m in (offset, offset + shift))
        ours, theirs = (
            [math.comb(400, i) * chance**i * (1 - chance) ** (400 - i) for i in range(401)]
            for chance in (p, other)
        )
        pairs = zip(ours, theirs, strict=True)
        worst = max(worst, sum(max(a - math.exp(epsilon) * b, 0) for a, b in pairs))
    assert float(delta) / 1000 < worst <= delta


# ---- how it runs


@given(
    st.lists(st.integers(-3, 3), min_size=1, max_size=3),
    st.integers(1, 2),
    st.integers(-1, 2),
)
def test_answers_before_the_halt_are_a_product(values, reports, threshold):
    mechanism = ChallengeAT(1, 0, reports, threshold, 4, 0, horizon=8)
    law = exact_distribution(
        lambda coins: mechanism.answers(values, coins), tail=Fraction(1, 2**30)
    )
    # The law, transcribed: sum over the test's noisy threshold.
    expected: dict[tuple[bool, ...], float] = {}
    for noise in range(-12, 13):
        paths = {(): mass(1 / 4, noise)}
        for index, value in enumerate(values):
            longer: dict[tuple[bool, ...], float] = {}
            for path, likely in paths.items():
                for answer in (False, True):
                    p = reach(8, threshold - value)
                    step = likely * (p if answer else 1 - p)
                    stop = reach(1 / 4, reports + noise - sum(path) - answer)
                    ended = (*path, answer)
                    last = index == len(values) - 1
                    expected[ended] = expected.get(ended, 0) + step * (1 if last else stop)
                    if not last:
                        longer[ended] = step * (1 - stop)
            paths = longer
    assert {answers for answers, p in expected.items() if p > 1e-9} <= set(law)
    for answers in law:
        assert float(law[answers]) == pytest.approx(expected[answers], abs=1e-7)


@pytest.mark.parametrize("halting", ["cumulative", "tree"])
def test_a_long_run_halts_after_about_its_reports(halting):
    tiny = Fraction(1, 10**6)
    mechanism = ChallengeAT(3, tiny, 200, 1000, 1, tiny, horizon=4000, halting=halting)
    answers = mechanism.answers([-(10**6), 10**6] * 2000, SeededCoins(5))
    early, late = mechanism.early(4000, Fraction(1, 10**6)), mechanism.overrun
    assert 200 - early <= sum(answers) <= 200 + late
    assert len(answers) < 4000


# ---- [KMMNS23, Thm 4.2], corrected


@pytest.mark.parametrize("failure", [Fraction(1, 4), Fraction(1, 50)])
def test_reports_overrun_no_more_often_than_promised(failure):
    mechanism = ChallengeAT(1, Fraction(1, 100), 2, 0, 2, failure)
    most = mechanism.reports + mechanism.overrun
    law = exact_distribution(
        lambda coins: sum(mechanism.answers([10**6] * (most + 1), coins)), tail=Fraction(1, 2**22)
    )
    assert law.probability(lambda reports: reports > most) <= float(failure)


# ---- parameters


@given(
    st.fractions(Fraction(1, 10), 4, max_denominator=10),
    st.integers(2, 9),
    st.integers(1, 500),
    st.sampled_from([None, 10, 10**4]),
    st.sampled_from([Fraction(1, 4), Fraction(1, 10)]),
)
def test_a_budget_is_never_exceeded(epsilon, digits, reports, horizon, share):
    delta = Fraction(1, 10**digits)
    mechanism = ChallengeAT.within(epsilon, delta, reports, 0, share=share, horizon=horizon)
    assert basic(mechanism.privacy) == (epsilon, delta)
    if mechanism.halting == "never":
        closed, mechanism = mechanism, replace(mechanism, calibrated=True)
        enough = least_epsilon(horizon / (2 * float(closed.scale) ** 2), float(delta))
        assert mechanism.scale <= closed.scale
        assert min(horizon / float(closed.scale), enough) <= epsilon * (1 + 1e-6)
    size = math.log(1 / mechanism.delta)
    if mechanism.halting == "never":
        # Less noise by 2 % and a step of the scale would exceed the budget.
        scale, less = float(mechanism.scale), float(mechanism.scale) * 0.98 - 1 / 8
        if horizon / scale > epsilon:
            assert answers_delta(1 / scale, horizon, float(epsilon)) <= float(delta) * (1 + 1e-6)
        assert horizon / less > epsilon
        assert answers_delta(1 / less, horizon, float(epsilon)) > float(delta)
    else:
        most = reports + mechanism.overrun
        least = max(8 * size, 4.4 * math.sqrt(most * size)) / float(mechanism.epsilon)
        assert least * (1 - 1e-9) <= mechanism.scale <= least + 0.1


@pytest.mark.parametrize("horizon", [None, 10**6])
def test_more_epsilon_is_never_more_noise(horizon):
    # The proof for few reports needs epsilon <= ln(1/delta) = 13.8; more helps halting only.
    less, more = (
        ChallengeAT.within(epsilon, Fraction(1, 10**6), 5, 0, horizon=horizon)
        for epsilon in (18, 20)
    )
    assert less.halting == more.halting == "cumulative"
    assert basic(more.privacy) == (20, Fraction(1, 10**6))
    assert more.scale <= less.scale
    assert more.overrun < less.overrun


@pytest.mark.parametrize("delta", [0, Fraction(1, 10)])
def test_noise_for_all_questions_is_private_without_halting(delta):
    mechanism = ChallengeAT.within(2, delta, 1, 0, horizon=3)
    assert mechanism.halting == "never"
    assert basic(mechanism.privacy) == (2, delta)
    game = explored(mechanism, 3)
    assert game.against(mechanism.privacy).verdict == Verdict.HOLDS
    # All three answers count if no challenge is posed.
    worst = 3 / mechanism.scale
    assert game.against((worst, 0)).verdict == Verdict.HOLDS
    assert game.against((worst * Fraction(4, 5), 0)).verdict == Verdict.VIOLATED


@pytest.mark.parametrize("sensitivity", [1, 3])
@pytest.mark.parametrize(("epsilon", "horizon"), [(Fraction(7, 3), 4), (Fraction(20), 2)])
def test_noise_for_all_questions_is_what_adding_up_needs(epsilon, horizon, sensitivity):
    mechanism = ChallengeAT(epsilon, 0, 1, 0, 0, 0, horizon, "never", sensitivity)
    needed = horizon * sensitivity / epsilon
    if needed <= 1:
        assert mechanism.scale == needed
    else:
        assert mechanism.scale == Fraction(math.ceil(16 * needed), 16)


def test_without_halting_no_report_is_early():
    never = "".join(["ne", "ver"])  # told by its letters
    mechanism = ChallengeAT.within(1, Fraction(1, 100), 1, 0, horizon=10**6, halting=never)
    assert mechanism.test is None
    assert mechanism.early(10, Fraction(1, 2)) == 0
