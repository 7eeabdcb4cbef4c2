"""ChallengeAT: privacy over all adversaries of small games, accuracy by exact laws."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learners.accounting import basic
from learners.audit import HOLDS, VIOLATED, ExploredGame, audit_game
from learners.claims.pop import Query
from learners.coins import SeededCoins
from learners.exact import exact_law
from learners.games import (
    Ask,
    Challenge,
    ChallengeATGame,
    Datasets,
    MechanismQuerier,
    Unmerged,
)
from learners.mechanisms.challenge_at import AUDITS, ChallengeAT, ChallengeATRun
from learners.mechanisms.noise import noise_bound, tail
from lsclasses.errors import InvalidInput
from tests.learners.privacy_checks import least_epsilon, smallest_instances

UP, DOWN = Ask(Query(0, 1)), Ask(Query(1, 0))
FAR = Challenge(Query(-99, -99), Query(99, 99))
MOVES = [Datasets((0,), (1,)), UP, DOWN, FAR]
CUT = {"tail": Fraction(1, 2**20), "resolution": Fraction(1, 10**4)}


def explored(mechanism, rounds, moves=MOVES):
    return ExploredGame(ChallengeATGame(MechanismQuerier(mechanism), rounds), moves, **CUT)


def plain(reports, rounds, halting="cumulative"):
    return ChallengeAT(2, 0, reports, 0, 1, 0, horizon=rounds, halting=halting)


@pytest.mark.parametrize(
    ("reports", "rounds", "halting"),
    [(1, 2, "cumulative"), (1, 3, "cumulative"), (2, 3, "cumulative"), (1, 2, "tree")],
)
def test_all_adversaries_of_small_games_stay_within_the_claim(reports, rounds, halting):
    mechanism = plain(reports, rounds, halting)
    assert basic(mechanism.privacy) == (3, 0)
    game = explored(mechanism, rounds)
    assert game.against(mechanism.privacy).verdict == HOLDS
    # The challenge costs the epsilon of halting, every other answer its part: not much less.
    spent = 1 + Fraction(2 * (rounds - 1), rounds)
    assert game.against((spent, 0)).verdict == HOLDS
    assert game.against((spent * Fraction(2, 3), 0)).verdict == VIOLATED


@pytest.mark.parametrize(
    ("halting", "less"), [("cumulative", Fraction(1, 2)), ("tree", Fraction(9, 10))]
)
def test_a_halt_at_the_last_question_costs_what_halting_costs(halting, less):
    mechanism = plain(1, 1, halting)
    game = explored(mechanism, 1, [MOVES[0], FAR])
    assert game.against((mechanism.halting_epsilon, 0)).verdict == HOLDS
    # The answer is hidden and no other question is asked: all of this is the halt.
    assert game.against((less, 0)).verdict == VIOLATED


def test_equal_runs_behave_alike():
    for reports, rounds in ((1, 2), (2, 2)):
        mechanism = plain(reports, rounds)
        game = ChallengeATGame(MechanismQuerier(mechanism), rounds)
        cut = {"tail": Fraction(1, 2**8), "resolution": Fraction(1, 10)}
        plainly, apart = (audit_game(each, MOVES, (1, 0), **cut) for each in (game, Unmerged(game)))
        assert plainly.measured.overlaps(apart.measured) and plainly.measured > 0.05


@pytest.mark.parametrize("calibrated", [False, True])
def test_claims_with_a_delta_hold_and_are_not_void(calibrated):
    mechanism = ChallengeAT.for_budget(2, Fraction(1, 20), 1, 0, calibrated=calibrated)
    assert basic(mechanism.privacy) == (2, Fraction(1, 20))
    game = explored(mechanism, 3)
    assert game.against(mechanism.privacy).verdict == HOLDS
    assert game.against((Fraction(1, 4), Fraction(1, 100))).verdict == VIOLATED


@pytest.mark.parametrize(("epsilon", "delta"), [(1, Fraction(1, 10**3)), (3, Fraction(1, 10**6))])
def test_noise_for_many_questions_stays_within_delta(epsilon, delta):
    # One number asked again and again: the number of reports has all there is to know.
    mechanism = ChallengeAT.for_budget(epsilon, delta, 1, 0, horizon=400, halting="never")
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


# ---- broken relatives


@dataclass(frozen=True)
class ExactHalting:
    """Halts at exactly r reports, the challenge's among them."""

    mechanism: ChallengeAT
    made: int = 0
    halted: bool = False

    def start(self, coins):
        return self

    def ask(self, value, coins):
        reported = coins.at_least(value, self.mechanism.scale, 0)
        made = self.made + reported
        return reported, replace(self, made=made, halted=made >= self.mechanism.reports)


@dataclass(frozen=True)
class NoisyThreshold:
    """Noise on the threshold once, as in Sparse, and none on the numbers."""

    mechanism: ChallengeAT
    noise: int = 0
    halted: bool = False

    def start(self, coins):
        return replace(self, noise=coins.laplace(self.mechanism.scale))

    def ask(self, value, coins):
        return value >= self.noise, self


@pytest.mark.parametrize("broken", [ExactHalting, NoisyThreshold])
def test_broken_relatives_are_flagged(broken):
    mechanism = plain(1, 3)
    found = explored(broken(mechanism), 3).against(mechanism.privacy)
    assert found.verdict == VIOLATED
    assert found.measured > 0.01


def test_the_costs_of_reports_and_of_halting_add_up():
    mechanism = plain(1, 3)
    assert (mechanism.epsilon, mechanism.halting_epsilon) == (2, 1)
    assert explored(mechanism, 3).against((2, 0)).measured > 0.009


def test_too_little_noise_in_either_part_is_flagged():
    claim = plain(1, 3).privacy
    for weak in (replace(plain(1, 3), epsilon=4), replace(plain(1, 3), halting_epsilon=3)):
        assert explored(weak, 3).against(claim).verdict == VIOLATED


# ---- how it runs


@given(
    st.lists(st.integers(-3, 3), min_size=1, max_size=3),
    st.integers(1, 2),
    st.integers(-1, 2),
)
def test_answers_before_the_halt_are_a_product(values, reports, threshold):
    mechanism = ChallengeAT(1, 0, reports, threshold, 4, 0, horizon=8)
    law = exact_law(lambda coins: mechanism.answers(values, coins), tail=Fraction(1, 2**30))
    q, c = math.exp(-1 / 8), math.exp(-4)

    def reach(q, m):
        return q**m / (1 + q) if m >= 1 else 1 - q ** (1 - m) / (1 + q)

    # The law, transcribed: sum over the test's noisy threshold.
    expected: dict[tuple[bool, ...], float] = {}
    for noise in range(-12, 13):
        weight = (1 - c) / (1 + c) * c ** abs(noise)
        paths = {(): weight}
        for index, value in enumerate(values):
            longer: dict[tuple[bool, ...], float] = {}
            for path, mass in paths.items():
                for answer in (False, True):
                    p = reach(q, threshold - value)
                    step = mass * (p if answer else 1 - p)
                    stop = reach(c, reports + noise - sum(path) - answer)
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


def test_the_sharper_test_is_sharper():
    cumulative, tree = (
        ChallengeAT.for_budget(1, Fraction(1, 10**6), 50, 0, horizon=10**5, halting=halting)
        for halting in ("cumulative", "tree")
    )
    assert (cumulative.halting, tree.halting) == ("cumulative", "tree")
    assert cumulative.overrun < tree.overrun / 5
    assert cumulative.early(10**4, Fraction(1, 20)) < tree.early(10**4, Fraction(1, 20)) / 5
    assert cumulative.scale < tree.scale


# ---- [KMMNS23, Thm 4.2], corrected


def test_it_halts_before_the_printed_time_and_not_before_the_corrected_one():
    mechanism = ChallengeAT(1, 0, 6, 0, 2, 0, horizon=12)
    failure = Fraction(1, 20)
    early = mechanism.early(12, failure)
    assert early < 6
    always = exact_law(
        lambda coins: len(mechanism.answers([10**6] * 7, coins)), tail=Fraction(1, 2**22)
    )
    before = always.probability(lambda reports: reports < 6)
    assert before > 0.2  # printed: not before the 6th report
    assert always.probability(lambda reports: reports < 6 - early) <= float(failure)


@pytest.mark.parametrize("failure", [Fraction(1, 4), Fraction(1, 50)])
def test_reports_overrun_no_more_often_than_promised(failure):
    mechanism = ChallengeAT(1, Fraction(1, 100), 2, 0, 2, failure)
    most = mechanism.reports + mechanism.overrun
    law = exact_law(
        lambda coins: sum(mechanism.answers([10**6] * (most + 1), coins)), tail=Fraction(1, 2**22)
    )
    assert law.probability(lambda reports: reports > most) <= float(failure)


def test_wrong_answers_are_as_rare_as_promised():
    mechanism = ChallengeAT(2, 0, 9, 0, 2, 0, horizon=3)
    failure = Fraction(1, 4)
    a = mechanism.accuracy(3, failure)
    assert a == noise_bound(Fraction(3, 2), failure / 3)
    law = exact_law(lambda coins: mechanism.answers((a, -a - 1, a), coins), tail=Fraction(1, 2**30))
    right = {(True,), (True, False), (True, False, True)}
    assert law.probability(lambda answers: answers not in right) <= float(failure)


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
    mechanism = ChallengeAT.for_budget(epsilon, delta, reports, 0, share=share, horizon=horizon)
    assert basic(mechanism.privacy) == (epsilon, delta)
    size = math.log(1 / mechanism.delta)
    if mechanism.halting == "never":
        # Less noise by one step of the scale would exceed the budget either way.
        scale, less = float(mechanism.scale), float(mechanism.scale) - 1 / 8
        enough = least_epsilon(horizon / (2 * scale**2), float(mechanism.delta))
        assert min(horizon / scale, enough) <= epsilon * (1 + 1e-6)
        assert horizon / less > epsilon
        assert least_epsilon(horizon / (2 * less**2), float(mechanism.delta)) > epsilon
    else:
        most = reports + mechanism.overrun
        least = max(8 * size, 4.4 * math.sqrt(most * size)) / float(mechanism.epsilon)
        assert least * (1 - 1e-9) <= mechanism.scale <= least + 0.1


@pytest.mark.parametrize("delta", [0, Fraction(1, 10)])
def test_noise_for_all_questions_is_private_without_halting(delta):
    mechanism = ChallengeAT.for_budget(2, delta, 1, 0, horizon=3)
    assert mechanism.halting == "never"
    assert basic(mechanism.privacy) == (2, delta)
    game = explored(mechanism, 3)
    assert game.against(mechanism.privacy).verdict == HOLDS
    # All three answers count if no challenge is posed.
    worst = 3 / mechanism.scale
    assert game.against((worst, 0)).verdict == HOLDS
    assert game.against((worst * Fraction(4, 5), 0)).verdict == VIOLATED


@pytest.mark.parametrize("horizon", [None, 10**6])
def test_more_epsilon_is_never_more_noise(horizon):
    # The proof for few reports needs epsilon <= ln(1/delta) = 13.8; more helps halting only.
    tiny = Fraction(1, 10**6)
    less, more = (
        ChallengeAT.for_budget(epsilon, tiny, 5, 0, horizon=horizon) for epsilon in (18, 20)
    )
    assert (less.halting, more.halting) == ("cumulative", "cumulative")
    assert basic(more.privacy) == (20, tiny)
    assert more.scale <= less.scale
    assert more.overrun < less.overrun


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"delta": 0}, "needs a positive delta"),
        ({"halting_epsilon": 0}, "must be positive"),
        ({"halting": "never"}, "spends nothing on halting"),
        ({"delta": Fraction(1, 2), "halting_failure": Fraction(1, 2)}, "add up"),
        ({"halting": "cumulativ"}, "one of cumulative, tree"),
        ({"halting": "tree"}, "need a horizon"),
        ({"delta": 0, "halting_failure": 0}, "need a horizon"),
        ({"epsilon": 20}, r"epsilon <= ln\(1/delta\)"),
        ({"epsilon": 0.5}, r"Fraction\(1, 2\)"),
        ({"reports": 0}, "number of reports"),
        ({"sensitivity": 2, "calibrated": True}, "sensitivity 1"),
    ],
)
def test_bad_parameters_are_refused(given, message):
    right = {
        "epsilon": 1,
        "delta": Fraction(1, 100),
        "reports": 3,
        "threshold": 0,
        "halting_epsilon": 1,
        "halting_failure": Fraction(1, 100),
    }
    assert isinstance(ChallengeAT(**right).start(SeededCoins(0)), ChallengeATRun)
    with pytest.raises(InvalidInput, match=message):
        ChallengeAT(**{**right, **given})


def test_a_run_ends():
    mechanism, coins = ChallengeAT(1, 0, 9, 0, 1, 0, horizon=2), SeededCoins(0)
    run = mechanism.start(coins)
    for _ in range(2):
        _, run = run.ask(-99, coins)
    with pytest.raises(InvalidInput, match="made for 2 questions"):
        run.ask(0, coins)
    with pytest.raises(InvalidInput, match="budget is spent"):
        replace(run, halted=True).ask(0, coins)
    with pytest.raises(InvalidInput, match="need a horizon"):
        ChallengeAT.for_budget(1, Fraction(1, 10), 1, 0, halting="never")
    with pytest.raises(InvalidInput, match="share of halting"):
        ChallengeAT.for_budget(1, Fraction(1, 10), 1, 0, share=Fraction(1))


@pytest.mark.parametrize("sensitivity", [1, 3])
@pytest.mark.parametrize("horizon", [1, 4, 100])
@pytest.mark.parametrize("epsilon", [Fraction(7, 3), Fraction(20)])
def test_noise_for_all_questions_is_what_adding_up_needs(epsilon, horizon, sensitivity):
    mechanism = ChallengeAT(epsilon, 0, 1, 0, 0, 0, horizon, "never", sensitivity)
    needed = horizon * sensitivity / epsilon
    if needed <= 1:
        assert mechanism.scale == needed
    else:
        assert mechanism.scale == Fraction(math.ceil(16 * needed), 16)


def test_halting_is_told_by_the_letters_of_its_name():
    never = "".join(["ne", "ver"])
    assert ChallengeAT(1, 0, 1, 0, 0, 0, 5, never).test is None
    mechanism = ChallengeAT.for_budget(1, Fraction(1, 100), 1, 0, horizon=10**6, halting=never)
    assert mechanism.test is None
    assert mechanism.early(10, Fraction(1, 2)) == 0


@pytest.mark.parametrize("share", [-1, Fraction(-1, 2), 0, 1, Fraction(3, 2), 2])
def test_both_the_answers_and_halting_get_a_share(share):
    with pytest.raises(InvalidInput, match="must lie between 0 and 1"):
        AUDITS[0].instance(share=share)
    with pytest.raises(InvalidInput, match="must lie between 0 and 1"):
        ChallengeAT.for_budget(1, Fraction(1, 10), 1, 0, share=share)


def test_one_question_and_one_report_are_the_fewest_to_audit():
    built = smallest_instances(AUDITS, queries=1, reports=1)["challenge_at"]
    assert built.pairs == ((((-100, True),), ((100, True),)),)
    shared = AUDITS[0].instance(epsilon=3, delta=Fraction(1, 100), share=Fraction(1, 4))
    assert basic(shared.privacy) == (3, Fraction(1, 100))
    assert shared.mechanism.halting_epsilon == Fraction(3, 4)
