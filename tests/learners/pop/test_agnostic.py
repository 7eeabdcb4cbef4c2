"""POP that halts after mistakes, and in phases: what it costs, when it halts, what it promises.

Its exact audits and its mistakes on streams are in `learners.pop.evidence.agnostic_claims`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

import pytest

import catalog
from learners.accounting import basic, neighbours
from learners.audit import ExploredGame, audit_game
from learners.bounds import REALIZABLE
from learners.budget import Budget
from learners.coins import SeededCoins
from learners.games import Ask, Challenge, OnlineGame, Unmerged
from learners.playing.base.soa_experts import SOAExperts, experts_bound
from learners.playing.entries import ONLINE_LEARNERS
from learners.playing.play import play
from learners.pop.agnostic import AgnosticPOP
from learners.pop.algorithm import POP
from learners.pop.plan import POPParameters
from learners.pop.until_mistakes import POPUntilMistakes
from lsclasses import Table
from lsclasses.errors import InvalidInput
from lsclasses.soa import ConservativeSOA
from lsclasses.verdicts import Verdict

HALF = Fraction(1, 2)
ONE_POINT = Table([[0], [1]])
MOVES = [Ask((0, 0)), Ask((0, 1)), Challenge((0, 0), (0, 1))]
LARGE = catalog.build("points:n=2^64")
TINY, BETA = Fraction(1, 10**6), Fraction(1, 20)
PATIENT = "no phase halts by R mistakes or reports"
FEW = "phases > OPT/(M + 1)"


def loud(copies, rounds, epsilon, base=None):
    """POP with noise for all rounds, and whatever delta so few copies give."""
    base = SOAExperts(ONE_POINT, 0) if base is None else base
    parameters = POPParameters(
        copies, 1, rounds, Fraction(epsilon), 0, 0, 0, 0, "never", raise_delta=True
    )
    return POP(base, parameters)


@pytest.mark.parametrize(("copies", "phases"), [(2, 0), pytest.param(3, 2, marks=pytest.mark.slow)])
def test_equal_states_behave_alike(copies, phases):
    run = POPUntilMistakes(loud(copies, 2, 16), 1, Fraction(6))
    game = OnlineGame(AgnosticPOP(run, phases) if phases else run, 2)
    plain, apart = (
        float(audit_game(each, MOVES[1:], (7, 0), tail=Fraction(1, 4)).measured.mid())
        for each in (game, Unmerged(game))
    )
    assert plain == pytest.approx(apart) and 0.001 < plain < 0.99


@dataclass(frozen=True)
class Telling:
    """Shows with every prediction in which phase it was made."""

    learner: AgnosticPOP

    def start(self, coins):
        return self.learner.start(coins)

    def predict(self, state, point, coins):
        after, prediction = self.learner.predict(state, point, coins)
        return after, (prediction, state.phase)

    def learn(self, state, point, label, coins):
        return self.learner.learn(state, point, label, coins)


def test_phases_may_be_shown():
    learner = AgnosticPOP(POPUntilMistakes(loud(3, 2, 8), 1, Fraction(5)), phases=2)
    game = ExploredGame(OnlineGame(Telling(learner), 2), MOVES[1:], tail=Fraction(1, 2**7))
    assert game.against(learner.privacy).verdict == Verdict.HOLDS
    assert game.against((3, HALF)).verdict == Verdict.VIOLATED


def test_the_ledger_of_phases():
    run = POPUntilMistakes(loud(40, 10, 4), 3, Fraction(1, 3))
    epsilon, delta = basic(run.privacy)
    assert epsilon == basic(run.pop.privacy)[0] + Fraction(1, 3)
    for phases in (1, 7):
        learner = AgnosticPOP(run, phases)
        assert basic(learner.privacy) == (epsilon, phases * delta)
        assert neighbours(learner.privacy) == "challenge"
    C = catalog.build("points:n=9")
    for reports in (None, 20):
        learner = AgnosticPOP.within(
            Budget(3, Fraction(1, 1000)), C, 2, 100, mistakes=9, phases=5, reports=reports
        )
        epsilon, delta = basic(learner.privacy)
        assert epsilon == 3 and delta <= Fraction(1, 1000)
        assert float(delta) > 0.0009


# ---- halting


def test_it_halts_after_about_so_many_mistakes():
    # Each end is passed with probability 10^-9.
    learner = POPUntilMistakes(loud(40, 400, 400), 100, HALF)
    failure = Fraction(1, 10**9)
    least, most = learner.least(failure), learner.most(failure)
    assert 0 < least < 100 < most < 200
    for seed in range(10):
        coins, mistakes = SeededCoins(seed), 0
        state = learner.start(coins)
        while state is not None:
            state, shown = learner.predict(state, 0, coins)
            mistakes += 1
            state = learner.learn(state, 0, 1 - shown.label, coins)
        assert least <= mistakes <= most


def test_right_predictions_are_not_counted():
    learner = POPUntilMistakes(loud(40, 200, 400), 30, HALF)
    transcript = play(learner, [(0, 0)] * 200, 200, SeededCoins(1))
    assert not transcript.halted and transcript.mistakes < 30


def test_phases_follow_each_other():
    run = POPUntilMistakes(loud(40, 1000, 1000), 100, HALF)
    learner = AgnosticPOP(run, phases=3)
    most = run.most(Fraction(1, 10**9))
    coins = SeededCoins(1)
    state, mistakes, phases = learner.start(coins), [0, 0, 0], []
    while state is not None:
        state, shown = learner.predict(state, 0, coins)
        mistakes[state.phase - 1] += 1
        phases.append(state.phase)
        before, state = state, learner.learn(state, 0, 1 - shown.label, coins)
        if state is not None and state.phase > before.phase:
            # A new phase knows nothing of the one before.
            assert state.run.counter.total == 0
            assert state.run.pop.copies == run.start(SeededCoins(2)).pop.copies
    assert phases == sorted(phases) and set(phases) == {1, 2, 3}
    assert all(0 < count <= most for count in mistakes)


def test_the_end_of_pop_ends_a_phase():
    parameters = POPParameters(
        3, 1, 500, Fraction(1), Fraction(1, 10), Fraction(3), Fraction(1, 10), 0,
        raise_delta=True,
    )  # fmt: skip
    run = POPUntilMistakes(POP(SOAExperts(ONE_POINT, 0), parameters), 500, Fraction(1))
    coins, learner = SeededCoins(4), AgnosticPOP(run, 1)
    state = learner.start(coins)
    while state.run is not None:
        state, _ = learner.predict(state, 0, coins)
        if state.run is not None:
            state = learner.learn(state, 0, 0, coins)
            assert state is not None
    with pytest.raises(InvalidInput, match="Learn its label"):
        learner.predict(state, 0, coins)
    assert learner.learn(state, 0, 0, coins) is None


# ---- mistakes


def test_the_bound_is_the_formula():
    """Parameters that satisfy its hypotheses: a huge epsilon, and little noise."""
    base = SOAExperts(catalog.build("points:n=30"), 1)
    pop = loud(130, 6000, 6000, base)
    costly = pop.parameters.costly(base.mistake_bound, Fraction(1, 10**6) / 40 / 2)
    run = POPUntilMistakes(pop, 1, Fraction(2))
    early = run.test.early(6000, Fraction(1, 10**6) / 40 / 4)
    learner = AgnosticPOP(replace(run, mistakes=costly + early + 1), 40)
    failure = Fraction(1, 10**6)
    most = learner.run.most(failure / 40 / 4)
    for optimum in (1, 2):
        assert learner.bound(optimum, failure).value == (optimum // 2 + 1) * most
    assert learner.bound(79, failure).applies
    assert learner.bound(80, failure).unmet == (FEW,)
    assert learner.bounds[0].hypotheses[0] == REALIZABLE


def test_parameters_from_the_theorem_meet_its_hypotheses():
    for errors, phases in ((None, None), (0, 5)):
        learner = AgnosticPOP.from_theorem(
            Budget(1, TINY), LARGE, 10**4, BETA, errors=errors, phases=phases
        )
        most = 1 if errors is None else errors
        assert learner.phases == (10**4 // 2 + 1 if phases is None else phases)
        assert learner.run.pop.base.errors == most
        assert learner.bound(0, BETA).applies and learner.bound(0, BETA).vacuous
        assert learner.bound(learner.phases * (most + 1) - 1, BETA).applies
        epsilon, delta = basic(learner.privacy)
        assert epsilon == 1 and delta <= TINY
        # u exceeds R, with a constant above 5: it is not enough that it exceeds k times the bound.
        base = experts_bound(1, most)
        assert learner.run.least(BETA / learner.phases / 4) > 5 * base * (
            learner.run.pop.parameters.copies * Fraction(9, 10)
        )


@pytest.mark.slow
def test_copies_grow_with_the_dimension_and_not_with_its_square():
    """[KMMNS23, Lemma F.3] prints k = O~(d^2/epsilon); doubling d must not make four times k."""

    def copies(errors):
        learner = AgnosticPOP.from_theorem(
            Budget(1, TINY), LARGE, 10**15, BETA, errors=errors, phases=10
        )
        return learner.run.pop.parameters.copies

    ratio = experts_bound(1, 8) / experts_bound(1, 4)
    assert ratio * 0.9 < copies(8) / copies(4) < ratio * 1.2


def test_a_point_that_is_none_is_refused_even_if_its_label_ends_the_game():
    run, coins = POPUntilMistakes(loud(40, 10, 400), 1, 400), SeededCoins(1)
    state, shown = run.predict(run.start(coins), 0, coins)
    with pytest.raises(InvalidInput, match="5 is not a point"):
        run.learn(state, 5, 1 - shown.label, coins)
    assert run.learn(state, 0, 1 - shown.label, coins) is None


def test_a_base_learner_need_not_allow_for_errors():
    pop = loud(40, 200, 200, ConservativeSOA(ONE_POINT))
    learner = AgnosticPOP(POPUntilMistakes(pop, 100, HALF), 2)
    transcript = play(learner, [(0, 1)] * 200, 200, SeededCoins(1))
    assert transcript.rounds == 200 and transcript.mistakes < 100
    assert learner.bound(0).hypotheses[0] == REALIZABLE


# ---- at the borders of the conditions


@pytest.fixture(scope="module")
def learner():
    return AgnosticPOP.from_theorem(Budget(1, TINY), LARGE, 10**6, BETA, phases=3, errors=2)


def test_a_phase_waits_for_one_mistake_more_than_can_be_explained(learner):
    run = learner.run
    assert learner.bound(0).unmet == ()
    hasty = AgnosticPOP(POPUntilMistakes(run.pop, run.mistakes - 1, run.epsilon), 3)
    assert hasty.bound(0).unmet == (PATIENT,)
    # R is for half of a phase's failure, the test on mistakes for a quarter of it.
    costly = learner.parameters.costly(run.pop.base.mistake_bound, BETA / 6)
    assert costly is not None and run.least(BETA / 12) == costly + 1


def test_a_phase_allows_more_reports_than_can_be_explained():
    """Next to no noise in the answers, and a test on reports that may be early."""
    base = SOAExperts(catalog.build("points:n=3"), 0)
    spent = 20 * 16, 0, Fraction(1, 8), 0, Fraction(1, 4)

    def bound(reports):
        parameters = POPParameters(4, reports, 20, *spent, halting="cumulative", raise_delta=True)
        return AgnosticPOP(POPUntilMistakes(POP(base, parameters), 10**4, 1), 2).bound(0)

    own = POPParameters(4, 1, 20, *spent, halting="cumulative", raise_delta=True)
    # Of a phase's failure, R mistakes and reports have a half, and early halting a sixth.
    costly, early = own.costly(base.mistake_bound, BETA / 4), own.mechanism.early(20, BETA / 12)
    assert costly is not None and early > 1
    assert bound(costly + early).unmet == (PATIENT,)
    assert bound(costly + early + 1).unmet == ()


@pytest.mark.parametrize(("errors", "holds"), [(0, True), (8, True), (9, False), (30, False)])
def test_phases_are_enough_while_there_are_more_than_errors_pay_for(learner, errors, holds):
    """Three errors or more end a phase that was made for two; there are three phases."""
    bound = learner.bound(errors)
    assert (FEW not in bound.unmet) == holds
    assert (REALIZABLE in bound.hypotheses) == (errors == 0)
    assert bound.value == (errors // 3 + 1) * learner.run.most(BETA / 12)


def test_by_name_a_phase_lasts_to_the_end_and_no_error_is_forgiven_unless_told():
    build = ONLINE_LEARNERS["agnostic-pop"].learner
    plain = build("points:n=9", 100, epsilon=4)
    assert (plain.run.mistakes, plain.phases, plain.run.pop.base.errors) == (100, 1, 0)
    told = build("points:n=9", 100, epsilon=4, mistakes=7, phases=2, errors=3)
    assert (told.run.mistakes, told.phases, told.run.pop.base.errors) == (7, 2, 3)
    assert basic(told.privacy)[0] == basic(plain.privacy)[0] == 4
