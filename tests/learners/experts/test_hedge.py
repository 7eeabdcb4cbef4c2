"""Exponential weights: exact laws, budgets, regret, and adversaries that see all experts."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from flint import ctx

import catalog
from learners.accounting import Privacy, basic, total, zcdp
from learners.accounting.bounded_ranges import fixed_delta
from learners.balls import at_most, ball
from learners.budget import Budget
from learners.coins import SeededCoins
from learners.exact import exact_distribution
from learners.experts.hedge import DPHedge, FollowTheLeader, Hedge, best_rate
from learners.number_arguments import PRECISION
from learners.playing.adversaries import (
    THIS,
    AdversaryRun,
    Noisy,
    RandomConcept,
    Seeking,
    StreamAdversary,
)
from learners.playing.expert_sources import LossVectors, TableExperts, experts_of
from learners.playing.loss_adversaries import FixedLosses
from learners.playing.play import LossRound, play
from learners.playing.transcript import Transcript, verdicts
from lsclasses import Table
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.soa import SOA

SMALL = Fraction(1, 10**6)


def test_the_law_of_each_expert_is_its_weight() -> None:
    learner = DPHedge(LossVectors(3, scale=2), 4, Fraction(3, 2))
    losses = [(1, 0, Fraction(1, 2)), (1, 1, 0), (0, Fraction(1, 2), 0)]

    def last(coins: Any) -> int:
        state = learner.start(coins)
        for item in losses:
            state = learner.receive(state, item, coins)
        return state.hypothesis

    law = exact_distribution(last)
    weights = [ball(Fraction(-3, 2) * sum(column)).exp() for column in zip(*losses, strict=True)]
    for expert, weight in enumerate(weights):
        assert law[expert].overlaps(weight / sum(weights[1:], weights[0]))
        assert float(law[expert].rad()) < 1e-20


@pytest.mark.parametrize(
    ("rounds", "epsilon", "delta"),
    [(1, 1, SMALL), (2, 1, SMALL), (10**4, 1, SMALL), (50, 4, 0)],
)
def test_the_budget_is_kept_and_used(rounds: int, epsilon: Any, delta: Any) -> None:
    learner = DPHedge.within(Budget(epsilon, delta), LossVectors(17), rounds)
    assert total(learner.privacy, Fraction(delta)).epsilon <= epsilon
    assert Privacy.of(learner.privacy, learner.delta).epsilon <= epsilon
    assert learner.rate <= best_rate(17, rounds)
    if learner.rate < best_rate(17, rounds):
        more = DPHedge(learner.experts, rounds, learner.rate * (1 + Fraction(1, 1000)))
        assert total(more.privacy, Fraction(delta)).epsilon > epsilon


@pytest.mark.parametrize("delta", [SMALL, Fraction(1, 100)])
@pytest.mark.parametrize("epsilon", [Fraction(1, 10), 1, 8])
@pytest.mark.parametrize("rounds", [2, 11, 300, 10**4, 10**7])
def test_all_accountants_allow_a_larger_rate_than_zcdp(
    rounds: int, epsilon: Any, delta: Fraction
) -> None:
    budget = Budget(epsilon, delta)
    best, old = (
        DPHedge.within(budget, LossVectors(1000), rounds, composition=name)
        for name in ("best", "zcdp")
    )
    assert zcdp(old.privacy, delta)[0] <= epsilon or basic(old.privacy)[0] <= epsilon
    assert old.rate <= best.rate <= best_rate(1000, rounds)
    assert Privacy.of(best.privacy, delta).epsilon <= epsilon
    for new, earlier in zip(best.regret(), old.regret(), strict=True):
        assert new.value <= earlier.value  # type: ignore[operator]
    if rounds > 2 and old.rate < best_rate(1000, rounds):
        assert best.rate > old.rate * Fraction(102, 100)


def test_the_calibrated_draws_are_not_below_the_optimum() -> None:
    """Draws fixed in advance cost at most the stated epsilon, and nearly all of it."""
    learner = DPHedge.within(Budget(1, SMALL), LossVectors(17), 201)
    with ctx.workprec(PRECISION):
        assert at_most(fixed_delta(2 * learner.rate, 200, Fraction(1)), SMALL)
        assert not at_most(
            fixed_delta(2 * learner.rate * Fraction(21, 20), 200, Fraction(1)), SMALL
        )


def test_an_unknown_composition_is_refused() -> None:
    with pytest.raises(InvalidInput, match="best, zcdp"):
        DPHedge.within(Budget(1, SMALL), LossVectors(17), 10, composition="rdp")


def test_a_large_budget_buys_no_larger_rate_than_is_best() -> None:
    learner = DPHedge.within(Budget(10**6, SMALL, allow_weak_privacy=True), LossVectors(5), 100)
    assert learner.rate == best_rate(5, 100)
    assert basic(learner.privacy)[0] < 10**3


def test_regret_is_counted_against_the_best_expert() -> None:
    losses = [(1, 0, 1), (0, 0, 1), (0, 1, 0), (1, 1, 0), (0, 0, 0)]
    game = play(Hedge(LossVectors(3), 5), losses, 5, SeededCoins(3))
    assert game.best == (0, 0, 1, 2, 2)
    assert game.chosen is not None and game.losses is not None
    assert game.losses == tuple(item[i] for item, i in zip(losses, game.chosen, strict=True))
    assert game.regret == sum(game.losses) - 2 == game.curve("regret")[-1]
    assert game.loss == sum(game.losses) and game.played == 5
    assert game.changed is not None
    assert game.switches == sum(a != b for a, b in pairwise(game.chosen)) + game.changed[-1]


def test_losses_between_0_and_1() -> None:
    losses = [(Fraction(1, 2), 0), (Fraction(1, 4), 1)]
    game = play(FollowTheLeader(LossVectors(2, scale=4)), losses, 2, SeededCoins(3))
    assert game.chosen == (0, 1)
    assert game.loss == Fraction(3, 2) and game.regret == Fraction(3, 4)
    assert game.curve("regret").tolist() == [0.5, 0.75]
    assert Transcript.from_json(game.to_json()) == game
    assert game.to_csv().splitlines() == ["round,expert,loss,best", "1,0,1/2,0", "2,1,1,3/4"]
    assert "loss      3/2" in str(game) and "regret    3/4" in str(game)


def test_a_class_and_vectors_of_its_errors_are_the_same_game() -> None:
    C = catalog.build("thresholds:n=6").to_table()
    stream = Noisy(RandomConcept(C), Fraction(1, 5))
    labelled = play(DPHedge(TableExperts(C), 60, Fraction(1, 3)), stream, 60, SeededCoins(5))
    vectors = [[int(c(x) != y) for c in C] for x, y in labelled.examples]
    plain = play(DPHedge(LossVectors(len(C)), 60, Fraction(1, 3)), vectors, 60, SeededCoins(5))
    assert labelled.best == plain.best
    assert labelled.mistakes - plain.loss == labelled.regret - plain.regret  # type: ignore[operator]
    best = min(sum(c(x) != y for x, y in labelled.examples) for c in C)
    assert labelled.regret == labelled.mistakes - best
    assert Transcript.from_json(labelled.to_json()) == labelled


def test_the_regret_of_other_learners_is_counted_if_asked_for() -> None:
    C = catalog.build("thresholds:n=7")
    game = play(SOA(C), [(3, 1), (2, 0), (3, 0)], 3, SeededCoins(1), experts=experts_of(C))
    assert game.best == (0, 0, 1) and game.regret == game.mistakes - 1
    assert play(SOA(C), [(3, 1)], 1, SeededCoins(1)).regret is None


def test_nothing_is_drawn_after_the_last_round() -> None:
    learner, coins = DPHedge(LossVectors(2), 2, Fraction(5)), SeededCoins(1)
    state = learner.start(coins)
    state = learner.receive(state, (0, 1), coins)
    last = learner.receive(state, (1, 0), coins)
    assert last is not None and last.hypothesis == state.hypothesis
    with pytest.raises(InvalidInput, match="is for 2 rounds"):
        learner.receive(last, (1, 0), coins)


def test_fixed_losses_vouch_for_an_expert_that_never_loses() -> None:
    assert FixedLosses([(0, 1, 1), (0, 1, 0)]).realizable
    assert not FixedLosses([(0, 1), (1,)]).realizable
    assert not FixedLosses([3, 4]).realizable


class DenyingRun(AdversaryRun):
    """Always the point 0, and the other label than was predicted."""

    def pose(self) -> tuple[int, None]:
        return 0, None

    def reveal(self, label: int, coin: bool) -> int:
        return 1 - label


class Denying(StreamAdversary):
    sees = THIS

    def begin(self, coins: Any) -> DenyingRun:
        return DenyingRun()


def test_no_regret_is_promised_against_an_adversary_that_sees_the_prediction() -> None:
    both = Table([[0], [1]])
    for learner in (Hedge(experts_of(both), 200), DPHedge(experts_of(both), 200, Fraction(1, 9))):
        game = play(learner, Denying(), 200, SeededCoins(1))
        assert game.mistakes == 200 and game.regret is not None and game.regret >= 100
        assert learner.bounds[0].value < 100
        assert [verdict for _, verdict in verdicts([game])[:2]] == ["does not apply"] * 2
        # An adversary that sees earlier predictions only cannot do that.
        seeking = play(learner, Seeking(both), 200, SeededCoins(1))
        assert verdicts([seeking])[0][1] == "consistent"


def test_sums_of_losses_never_wrap_around() -> None:
    finest = LossVectors(2, scale=2**60)
    learner, coins = Hedge(finest, 10, Fraction(1)), SeededCoins(1)
    state = learner.start(coins)
    for _ in range(3):
        state = learner.receive(state, (1, 0), coins)
    assert state.inner.tally.losses.tolist() == [3 * 2**60, 0]
    with pytest.raises(TooLarge, match="less than 4 rounds"):
        learner.receive(state, (1, 0), coins)


def test_rounds_with_losses_are_watched() -> None:
    seen: list[LossRound] = []
    losses = [(1, 0), (0, 1), (1, 1)]
    told: list[tuple[int, int]] = []
    watched: Any = {"watch": seen.append, "progress": lambda *numbers: told.append(numbers)}
    game = play(FollowTheLeader(LossVectors(2)), losses, 3, SeededCoins(1), **watched)
    assert [each.number for each in seen] == [1, 2, 3]
    assert [(each.expert, each.loss) for each in seen] == [(0, 1), (1, 1), (0, 1)]
    assert [each.losses.tolist() for each in seen] == [list(item) for item in losses]
    assert seen[-1].state.inner.played == 3 and told == [(3, 3)]
    assert game.loss == 3 and game.regret == 1
