"""POP that halts after mistakes, and in phases: exact audits, halting, and the mistake bound."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

import pytest

import catalog
from learners.accounting import basic, neighbours
from learners.audit import HOLDS, VIOLATED, ExploredGame, audit_game
from learners.bounds import REALIZABLE
from learners.coins import SeededCoins
from learners.games import Ask, Challenge, OnlineGame, Unmerged
from learners.online.agnostic_pop import AgnosticPOP, AgnosticState, POPUntilMistakes
from learners.online.copies import Copies
from learners.online.experts import SOAExperts, experts_bound
from learners.online.play import play
from learners.online.pop import POP
from learners.online.pop_parameters import POPParameters
from lsclasses import Table
from lsclasses.errors import InvalidInput
from lsclasses.soa import ConservativeSOA

HALF = Fraction(1, 2)
ONE_POINT = Table([[0], [1]])
MOVES = [Ask((0, 0)), Ask((0, 1)), Challenge((0, 0), (0, 1))]
TAIL, RESOLUTION = Fraction(1, 2**12), Fraction(1, 10**4)


def loud(copies, rounds, epsilon, base=None):
    """POP with noise for all rounds, and whatever delta so few copies give."""
    base = SOAExperts(ONE_POINT, 0) if base is None else base
    parameters = POPParameters(
        copies, 1, rounds, Fraction(epsilon), 0, 0, 0, 0, "never", raise_delta=True
    )
    return POP(base, parameters)


def explored(learner, rounds):
    game = OnlineGame(learner, rounds)
    return ExploredGame(game, MOVES, tail=TAIL, resolution=RESOLUTION)


# ---- privacy


@dataclass(frozen=True)
class Counting(POPUntilMistakes):
    """The same, but it halts after exactly so many mistakes."""

    def _learn(self, state, point, label, coins):
        total = state.counter.total + (state.shown != label)
        if total >= self.mistakes:
            return None
        counter = replace(state.counter, total=total)
        return replace(state, pop=self.pop.learn(state.pop, point, label, coins), counter=counter)


@dataclass(frozen=True)
class Keeping(AgnosticPOP):
    """The same, but the copies of a new phase know the example that ended the last one."""

    def _learn(self, state, point, label, coins):
        after = super()._learn(state, point, label, coins)
        if after is None or after.phase == state.phase:
            return after
        copies = Copies.of(self.run.pop.base.observe(point, label), self.parameters.copies)
        return replace(after, run=replace(after.run, pop=replace(after.run.pop, copies=copies)))




def test_a_halt_in_the_last_round_costs_what_counting_costs():
    """There is one round, its prediction is hidden: all there is to see is whether it halts."""
    learner = POPUntilMistakes(loud(2, 1, 4), 1, Fraction(3, 2))
    game = explored(learner, 1)
    assert game.against((Fraction(3, 2), 0)).verdict == HOLDS
    assert game.against((HALF, Fraction(1, 5))).verdict == VIOLATED
    exact = explored(Counting(loud(2, 1, 4), 1, Fraction(3, 2)), 1)
    assert exact.against((2, HALF)).verdict == VIOLATED


def test_equal_states_behave_alike():
    run = POPUntilMistakes(loud(3, 2, 16), 1, Fraction(6))
    for learner in (run.pop, run, AgnosticPOP(run, 2)):
        game = OnlineGame(learner, 2)
        plain, apart = (
            float(audit_game(each, MOVES[1:], (7, 0), tail=Fraction(1, 4)).measured.mid())
            for each in (game, Unmerged(game))
        )
        assert plain == pytest.approx(apart) and 0.001 < plain < 0.99


def test_two_halting_tests_are_private_together():
    parameters = POPParameters(
        8, 1, 2, Fraction(4), Fraction(1, 100), Fraction(5), Fraction(1, 10), 0, raise_delta=True
    )
    learner = POPUntilMistakes(POP(SOAExperts(ONE_POINT, 0), parameters), 1, Fraction(4))
    epsilon, delta = basic(learner.privacy)
    assert epsilon == 13 and delta < 1
    game = explored(learner, 2)
    assert game.against(learner.privacy).verdict == HOLDS
    # The audit sees that something must be paid: one example decides whether the game goes on.
    assert game.against((1, Fraction(1, 10))).verdict == VIOLATED


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
    learner = AgnosticPOP(POPUntilMistakes(loud(4, 3, 6), 1, Fraction(5)), phases=2)
    game = ExploredGame(OnlineGame(Telling(learner), 3), MOVES[1:], tail=Fraction(1, 2**7))
    assert game.against(learner.privacy).verdict == HOLDS
    assert game.against((3, HALF)).verdict == VIOLATED


def test_the_ledger_of_phases():
    run = POPUntilMistakes(loud(40, 10, 4), 3, Fraction(1, 3))
    epsilon, delta = basic(run.privacy)
    for phases in (1, 2, 7):
        learner = AgnosticPOP(run, phases)
        assert basic(learner.privacy) == (epsilon, phases * delta)
        assert neighbours(learner.privacy) == "challenge"
    C = catalog.build("points:n=9")
    for reports in (None, 20):
        learner = AgnosticPOP.practical(
            C, 2, 100, 3, Fraction(1, 1000), mistakes=9, phases=5, reports=reports
        )
        epsilon, delta = basic(learner.privacy)
        assert epsilon == 3 and delta <= Fraction(1, 1000)
        assert float(delta) > 0.0009


# ---- halting


def stubborn(learner, rounds, seed):
    """Mistakes and rounds of a game in which every prediction is wrong."""
    coins = SeededCoins(seed)
    state, mistakes, played = learner.start(coins), 0, 0
    while state is not None and played < rounds:
        state, shown = learner.predict(state, 0, coins)
        played += 1
        mistakes += 1
        if state is not None:
            state = learner.learn(state, 0, 1 - shown.label, coins)
    return mistakes, played


def test_it_halts_after_about_so_many_mistakes():
    # 200 games; each end is passed with probability 10^-9.
    learner = POPUntilMistakes(loud(40, 400, 400), 100, HALF)
    failure = Fraction(1, 10**9)
    least, most = learner.least(failure), learner.most(failure)
    assert 0 < least < 100 < most < 200
    for seed in range(200):
        mistakes, _ = stubborn(learner, 400, seed)
        assert least <= mistakes <= most


def test_right_predictions_are_not_counted():
    learner = POPUntilMistakes(loud(40, 400, 400), 100, HALF)
    transcript = play(learner, [(0, 0)] * 400, 400, SeededCoins(1), diagnostics=100)
    assert transcript.rounds == 400 and not transcript.halted
    assert transcript.mistakes < 100


def test_phases_follow_each_other():
    run = POPUntilMistakes(loud(40, 2000, 2000), 100, HALF)
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
    with pytest.raises(InvalidInput, match="tell its label"):
        learner.predict(state, 0, coins)
    assert learner.learn(state, 0, 0, coins) is None
    assert dict(learner.inspect(state)) == {"phase": 1.0}


# ---- mistakes


def patient(errors, rounds, phases):
    """Parameters that satisfy the hypotheses of the bound: a huge epsilon, and little noise."""
    C = catalog.build("points:n=30")
    base = SOAExperts(C, errors)
    parameters = POPParameters(
        130, 1, rounds, Fraction(rounds), 0, 0, 0, 0, "never", raise_delta=True
    )
    each = Fraction(1, 10**6) / phases
    costly = parameters.costly(base.mistake_bound, each / 2)
    run = POPUntilMistakes(POP(base, parameters), 1, Fraction(2))
    early = run.test.early(rounds, each / 4)
    return AgnosticPOP(replace(run, mistakes=costly + early + 1), phases)




def test_the_bound_is_the_formula():
    learner = patient(1, 6000, 40)
    failure = Fraction(1, 10**6)
    most = learner.run.most(failure / 40 / 4)
    for optimum in (0, 1, 2, 5):
        assert learner.bound(optimum, failure).value == (optimum // 2 + 1) * most
    assert learner.bound(79, failure).applies
    assert learner.bound(80, failure).unmet == ("phases > OPT/(M + 1)",)
    hasty = replace(learner, run=replace(learner.run, mistakes=40))
    assert hasty.bound(0, failure).unmet == ("no phase halts by R mistakes or reports",)
    assert learner.bounds[0].hypotheses[0] == REALIZABLE


def test_parameters_from_the_theorem_meet_its_hypotheses():
    C = catalog.build("points:n=2^64")
    failure = Fraction(1, 20)
    for errors, phases in ((None, None), (0, 5), (3, 10)):
        learner = AgnosticPOP.from_theorem(
            C, 10**4, 1, Fraction(1, 10**6), failure, errors=errors, phases=phases
        )
        most = 1 if errors is None else errors
        assert learner.phases == (10**4 // 2 + 1 if phases is None else phases)
        assert learner.run.pop.base.errors == most
        assert learner.bound(0, failure).applies and learner.bound(0, failure).vacuous
        assert learner.bound(learner.phases * (most + 1) - 1, failure).applies
        epsilon, delta = basic(learner.privacy)
        assert epsilon == 1 and delta <= Fraction(1, 10**6)
        # u exceeds R, with a constant above 5: it is not enough that it exceeds k times the bound.
        base = experts_bound(1, most)
        assert learner.run.least(failure / learner.phases / 4) > 5 * base * (
            learner.run.pop.parameters.copies * Fraction(9, 10)
        )


def test_copies_grow_with_the_dimension_and_not_with_its_square():
    """[KMMNS23, Lemma F.3] prints k = O~(d^2/epsilon); doubling d must not make four times k."""

    def copies(errors, epsilon):
        return AgnosticPOP.from_theorem(
            catalog.build("points:n=2^64"), 10**15, epsilon, Fraction(1, 10**6),
            Fraction(1, 20), errors=errors, phases=10,
        ).run.pop.parameters.copies  # fmt: skip

    first, second = copies(4, 1), copies(8, 1)
    ratio = experts_bound(1, 8) / experts_bound(1, 4)
    assert ratio * 0.9 < second / first < ratio * 1.2
    assert 3.5 < copies(4, HALF) / first < 4.5


# ---- bad input




def test_labels_come_after_predictions():
    run, coins = POPUntilMistakes(loud(40, 10, 400), 1, 400), SeededCoins(1)
    with pytest.raises(InvalidInput, match="predict first"):
        run.learn(run.start(coins), 0, 1, coins)
    # A wrong prediction ends the game; a point that is none is refused all the same.
    state, shown = run.predict(run.start(coins), 0, coins)
    with pytest.raises(InvalidInput, match="not a point"):
        run.learn(state, 5, 1 - shown.label, coins)
    assert run.learn(state, 0, 1 - shown.label, coins) is None


def test_any_base_learner():
    learner = AgnosticPOP(
        POPUntilMistakes(loud(40, 500, 500, ConservativeSOA(ONE_POINT)), 200, HALF), 2
    )
    transcript = play(learner, [(0, 1)] * 500, 500, SeededCoins(1))
    assert transcript.rounds == 500 and transcript.mistakes < 200
    assert learner.bound(0).hypotheses[0] == REALIZABLE
