"""Experts of whom one never loses: budgets, phases, conditions of the bound, who breaks it."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import combinations, product
from typing import Any, get_args

import pytest

import catalog
from learners.accounting import Privacy, basic, total
from learners.audit import audit, audit_game
from learners.audit.audit_registry import instance
from learners.budget import Budget
from learners.coins import SeededCoins
from learners.experts.phases import (
    EXPECTED_EARLY,
    MOST_PHASES,
    Phases,
    chance_that_all_end,
    sharp_phases,
)
from learners.experts.sparse import Rule, SparseVectorExperts, raised
from learners.games import AdaptiveStream, Ask, Challenge
from learners.mechanisms.sparse_vector import OneSidedThreshold
from learners.playing.expert_sources import LossVectors, experts_of
from lsclasses.errors import InvalidInput
from lsclasses.verdicts import Verdict
from tests.learners.privacy_checks import CUT

SMALL = Fraction(1, 10**6)


def made(experts: int = 2, **given: Any) -> SparseVectorExperts:
    values = {"rate": 1, "phases": 2, "threshold": 1, "rounds": 3, "counting": 24, **given}
    rate, phases, threshold = (values.pop(name) for name in ("rate", "phases", "threshold"))
    equal = Phases.equal(phases, threshold, Fraction(rate))
    return SparseVectorExperts(LossVectors(experts), phases=equal, **values)


@pytest.mark.parametrize("rule", get_args(Rule))
@pytest.mark.parametrize(
    ("experts", "rounds", "epsilon", "delta"),
    [
        *((2, 1, 1, SMALL), (17, 50, 2, 0), (17, 10**5, 1, SMALL)),
        pytest.param(2**20, 10**6, 4, SMALL, marks=pytest.mark.slow),
    ],
)
def test_the_budget_is_kept_and_the_bound_applies(
    experts: int, rounds: int, epsilon: Any, delta: Any, rule: Rule
) -> None:
    learner = SparseVectorExperts.within(
        Budget(epsilon, delta), LossVectors(experts), rounds, rule=rule
    )
    spent = total(learner.privacy, Fraction(delta)).epsilon / epsilon
    # zCDP calibrates many draws of the cautious rule.
    assert Fraction(999 if rule == "sharp" else 900, 1000) <= spent <= 1
    (bound,) = learner.bounds
    assert bound.applies


@pytest.mark.parametrize(("experts", "epsilon"), [(17, 1), (17, 4), (2**64, 1)])
def test_a_game_states_the_budget(experts: int, epsilon: int) -> None:
    """The accountant of games confirms weights from the optimal composition and from zCDP."""
    learner = SparseVectorExperts.within(
        Budget(epsilon, SMALL), experts_of(catalog.build(f"points:n={experts}")), 1000
    )
    stated = Privacy.of(learner.privacy, learner.delta)
    assert Fraction(99, 100) * epsilon < stated.epsilon <= epsilon


def test_epsilons_of_thresholds() -> None:
    assert [each.epsilon for each in made(counting=(1, 2)).mechanisms] == [1, 2]
    assert made(counting=3) == made(counting=(3, 3))
    with pytest.raises(InvalidInput, match="3 epsilons and 2 thresholds"):
        made(counting=(1, 2, 3))
    within = partial(SparseVectorExperts.within, Budget(1, SMALL), LossVectors(17), 10**4)
    for rule in get_args(Rule):
        given = within(share=Fraction(1, 4), rule=rule)
        assert {each.epsilon for each in given.mechanisms if each} == {Fraction(1, 4)}
        assert given.bounds[0].applies


def test_a_game_costs_its_dearest_phase() -> None:
    """The first pays for its threshold alone, the second for a draw, the third for two draws."""
    phases = Phases((1,) * 5, (1, 3, 2, 1), (Fraction(1),) * 4, blocks=(1, 1, 3))
    # 2 rate weight for each draw that reads a phase.
    costs = 9 + 2 * 1, 5 + 2 * 3, 3 + 2 * 2 * 2, 2 + 2 * 1, 1
    learner = replace(made(), phases=phases, counting=(9, 5, 3, 2, 1))
    assert basic(learner.privacy)[0] == max(costs)
    for phase, threshold in enumerate(learner.mechanisms):
        counting = [Fraction(1, 1000)] * 5
        counting[phase] = threshold.epsilon + 20
        alone = replace(learner, counting=tuple(counting))
        assert basic(alone.privacy)[0] == costs[phase] + 20


def test_a_phase_that_weighs_more_is_paid_for_though_its_threshold_is_cheaper() -> None:
    phases = Phases((1,) * 3, (1, 10), (Fraction(1),) * 2)
    learner = replace(made(), phases=phases, counting=(Fraction(1), Fraction(1, 2), Fraction(1, 2)))
    assert basic(learner.privacy)[0] == Fraction(1, 2) + 2 * 10


@pytest.mark.parametrize(
    ("experts", "failure", "most"),
    [
        # Further phases leave the chance above the failure probability, but take seconds.
        (8, Fraction(1, 10**9), 100),
        pytest.param(8, Fraction(1, 10**9), MOST_PHASES, marks=pytest.mark.slow),
        pytest.param(1 << 400, Fraction(1, 20), MOST_PHASES, marks=pytest.mark.slow),
    ],
)
def test_what_the_grid_does_not_resolve_is_refused(
    experts: int, failure: Fraction, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("learners.experts.phases.MOST_PHASES", most)
    with pytest.raises(InvalidInput, match="careful phases are proved to be enough"):
        sharp_phases(experts, 1000, (Fraction(1), Fraction(0)), failure)


def test_a_draw_reads_the_block_of_the_phase_before_it() -> None:
    """Thresholds that are reached at once, and losses of which a draw forgets none or all."""
    phases = Phases((-(10**6),) * 5, (1, 1, 1, 1), (Fraction(50),) * 4, blocks=(1, 2, 2))
    learner = SparseVectorExperts(LossVectors(4), rounds=5, phases=phases, counting=1)
    coins = SeededCoins(1)
    state = learner.start(coins)
    tallies = []
    for expert in (0, 1, 2, 3):
        losses = [0] * 4
        losses[expert] = 1
        state = learner.receive(state, tuple(losses), coins)  # type: ignore[assignment]
        tallies.append(state.inner.tally.losses.tolist())
    # After the draw of each phase; those of the second and the fourth begin a block.
    assert tallies == [[0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0], [0, 0, 0, 1]]


@pytest.mark.parametrize("delta", [Fraction(0), SMALL])
def test_one_more_in_any_weight_and_the_budget_is_exceeded(delta: Fraction) -> None:
    """By a fiftieth, because the weights are found on a grid."""
    learner = SparseVectorExperts.within(Budget(1, delta), LossVectors(50), 10**4)
    weights = learner.phases.weights
    for phase in (0, 1, len(weights) // 2, len(weights) - 1):
        more = list(weights)
        more[phase] += max(1, weights[phase] // 50)
        event = replace(learner, phases=replace(learner.phases, weights=tuple(more))).privacy
        assert total(event, delta).epsilon > 1


@pytest.mark.parametrize("failure", [Fraction(1, 20), Fraction(1, 1000)])
def test_the_bound_adds_up_thresholds(failure: Fraction) -> None:
    learner = SparseVectorExperts.within(
        Budget(Fraction(1, 10), SMALL), experts=LossVectors(17), rounds=10**4, failure=failure
    )
    phases = learner.phases
    watched = [each for each in learner.mechanisms if each]
    highest = [
        min(limit or 10**9, threshold + 7 * rise)
        for threshold, limit, rise in zip(
            phases.thresholds, phases.limits, phases.rises, strict=True
        )
    ]
    assert any(phases.rises) and phases.limits[0] == highest[0]
    assert learner.bound(failure).value == sum(highest) + raised(watched, failure / 8)
    assert learner.bound(failure).applies
    assert not learner.bound(failure / 10**6).applies


def test_seven_eighths_of_the_failure_are_for_phases_that_all_end() -> None:
    """The least failure at which the bound applies is 8/7 of P[all phases end]."""
    learner = made(17, rate=Fraction(1, 5), phases=9, threshold=20, rounds=10**4, counting=2)
    least = min(
        chance_that_all_end(
            learner.phases, 17, [each and each.early(10**4, m) for each in learner.mechanisms], m
        )
        for m in EXPECTED_EARLY
    )
    assert learner.bound(least * Fraction(8, 7)).applies
    assert not learner.bound(least * Fraction(8, 7) * Fraction(99, 100)).applies


def test_phases_end_at_their_limits() -> None:
    """The first phase has no threshold and lasts two rounds. The second one needs two losses."""
    phases = Phases((1, 2, 9), (1, 1), (Fraction(50),) * 2, limits=(2, 3, 0))
    learner = SparseVectorExperts(LossVectors(3), rounds=9, phases=phases, counting=(0, 100, 100))
    coins = SeededCoins(1)
    for losses, expected in (
        ((0,) * 8, [1, 1, 2, 2, 2, 3, 3, 3, 3]),
        ((1,) * 8, [1, 1, 2, 2, 3, 3, 3, 3, 3]),
    ):
        state = learner.start(coins)
        drawn = [state.inner.drawn]
        for loss in losses:
            item = [0, 0, 0]
            item[state.hypothesis] = loss
            state = learner.receive(state, item, coins)  # type: ignore[assignment]
            drawn.append(state.inner.drawn)
        assert drawn == expected
    with pytest.raises(InvalidInput, match="needs a threshold of positive epsilon"):
        replace(learner, phases=replace(phases, limits=()))


def test_a_threshold_of_somebody_else_is_refused() -> None:
    """The learner has paid for its own: one of epsilon = 1000 would cost as much."""
    learner, coins = made(threshold=5), SeededCoins(1)
    state = learner.start(coins)
    costly = OneSidedThreshold(1000, 1).start(coins)
    forged = replace(state, inner=replace(state.inner, run=costly))
    with pytest.raises(InvalidInput, match="was started"):
        learner.receive(forged, (0, 1), coins)


def test_no_more_experts_are_drawn_than_are_paid_for() -> None:
    """Every threshold is reached at once, hundreds of times."""
    learner, coins = made(rounds=310, phases=300, threshold=-(10**6)), SeededCoins(1)
    state = learner.start(coins)
    for drawn in range(1, 310):
        assert state.inner.drawn == min(drawn, 300)
        assert (state.inner.run is None) == (drawn > 300)
        state = learner.receive(state, (0, 1), coins)  # type: ignore[assignment]


def test_a_phase_that_never_ends_tells_nothing() -> None:
    """The first expert is drawn before anything is lost, and stays."""
    built = instance("sparse_experts:threshold=1000000")
    found = audit(built.run, built.pairs, built.privacy, **CUT)
    assert found.verdict == Verdict.HOLDS and found.least_epsilon == 0


def test_all_adaptive_adversaries() -> None:
    """Two experts; with three times the epsilon in thresholds the claim is violated."""
    vectors = list(product((0, 1), repeat=2))
    moves = (*map(Ask, vectors), *(Challenge(*pair) for pair in combinations(vectors, 2)))
    learner, cut = made(counting=8), Fraction(1, 2**16)
    loud = replace(learner, counting=Fraction(24))

    def verdict(of: SparseVectorExperts) -> str:
        game = AdaptiveStream(of, 2)
        resolution = Fraction(1, 10**3)
        return audit_game(game, moves, learner.privacy, tail=cut, resolution=resolution).verdict

    assert verdict(learner) == Verdict.HOLDS
    assert verdict(loud) == Verdict.VIOLATED


def test_an_expert_stays_until_it_has_lost_enough() -> None:
    """So large an epsilon that there is hardly any noise (an error has probability 10^-9)."""
    learner = made(3, rounds=12, counting=100, phases=3, rate=30)
    learner = replace(learner, phases=replace(learner.phases, thresholds=(3, 1, 2)))
    coins = SeededCoins(1)
    state = learner.start(coins)
    drawn = []
    for _ in range(12):
        item = [0, 0, 0]
        item[state.hypothesis] = 1
        state = learner.receive(state, item, coins)  # type: ignore[assignment]
        drawn.append(state.inner.drawn)
    # Each phase has its own threshold, and the last expert stays.
    assert drawn == [1, 1, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3]
    assert state.inner.run is None
