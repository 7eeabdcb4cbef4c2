"""POP that halts after mistakes, and in phases [KMMNS23, App. F]: exact audits and its bound."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import catalog
from learners.accounting import basic
from learners.audit import audit_game, view_loss
from learners.audit.claims import Cut
from learners.bounds import Bound
from learners.claim_checks import (
    Claim,
    ClaimCheck,
    Outcome,
    audit_outcome,
    bound_outcome,
    compare,
    recomputes,
)
from learners.coins import Coins, SeededCoins
from learners.exact import OutputDistribution, exact_distribution
from learners.experts.evidence.claims import longest_run
from learners.games import Ask, Oblivious, OnlineGame
from learners.playing.base.soa_experts import SOAExperts
from learners.playing.play import play
from learners.pop.agnostic import AgnosticPOP
from learners.pop.algorithm import POP
from learners.pop.evidence.claims import FLIP, MOVES, noisy_for_all_rounds, require_few_rounds
from learners.pop.until_mistakes import MistakesState, POPUntilMistakes
from lsclasses.table import Table

HALTING = Claim(
    "challenge-DP of POP[u,w] over at most k/2 rounds",
    "(epsilon(POP) + epsilon(counting), 0)",
    source="learners.pop.agnostic, for [KMMNS23, Def F.2]",
    falsified="(1/2 epsilon, 0)",
)
LATE = Claim(
    "P[POP[u,w] has not halted after w mistakes], mistakes in all rounds",
    "failure",
    source=HALTING.source,
    statements=HALTING.statements,
    falsified="after w - 1 mistakes",
)
EARLY = Claim(
    "P[POP[u,w] halts with fewer than u mistakes], mistakes in all rounds",
    "failure",
    source=HALTING.source,
    statements=HALTING.statements,
    falsified="with fewer than v mistakes",
    drops="the term v - u",
)
PHASES = Claim(
    "challenge-DP of POP in phases",
    "(epsilon of one phase, phases times its delta)",
    source="learners.pop.agnostic, for [KMMNS23, Thm F.4]",
    falsified="(1/4 epsilon of one phase, phases times its delta)",
)
MISTAKES = Claim(
    "mistakes of POP in phases",
    "(floor(OPT/(M + 1)) + 1) w",
    source="learners.pop.agnostic, for [KMMNS23, Thm F.4]",
    falsified="OPT + 1",
)
AT_THE_HALT = Claim(
    "phases that halt before every concept has erred more than M times",
    "0",
    source="learners.pop.agnostic, for [KMMNS23, Lemma F.3]",
    falsified="for u = 2",
)

CHALLENGED = Oblivious((FLIP, Ask((0, 1)), Ask((0, 1))))
"""The adversary whose challenge is the first label. All copies err on one of its two versions, and
no copy errs on the other."""

FAILURE = Fraction(1, 10**6)
"""The failure probability of the mistake bounds."""

CUT: Cut = {"tail": Fraction(1, 2**13), "resolution": Fraction(1, 10**4)}


def _loud(copies: int, rounds: int, epsilon: Fraction | int, base: SOAExperts) -> POP:
    return POP(base, noisy_for_all_rounds(copies, rounds, Fraction(epsilon)))


@recomputes(HALTING)
def halting(copies: int) -> Iterator[Outcome]:
    """Check the privacy of POP that halts after mistakes, against all adaptive adversaries.

    Check all adaptive adversaries on one point, with a halt after about the first mistake.
    """
    rounds, half = 2, Fraction(1, 2)
    require_few_rounds(copies, rounds)
    pop = _loud(copies, rounds, half, SOAExperts(Table([[0], [1]]), 0))
    learner = POPUntilMistakes(pop, 1, Fraction(3, 2))
    game, claim = OnlineGame(learner, rounds), (Fraction(2), Fraction(0))
    cut: Cut = {"tail": Fraction(1, 2**11), "resolution": Fraction(1, 10**4)}
    yield audit_outcome(
        HALTING,
        f"k={copies}, T={rounds}, v=1, epsilon={half} + {learner.epsilon}",
        audit_game(game, MOVES, claim, **cut),
        false=(view_loss(game, CHALLENGED, tail=cut["tail"]), claim[0] / 2, claim[1]),
        trivial=(rounds / pop.parameters.scale + learner.epsilon, Fraction(0)),
    )


def _at_halt(learner: POPUntilMistakes, rounds: int) -> OutputDistribution[tuple[int, bool]]:
    """Return the number of mistakes and whether it halted, if every prediction is denied.

    The mistakes do not depend on the predictions. So POP restarts in each round, which merges its
    states, and the prediction is always 0.
    """
    first = learner.start(SeededCoins(1))

    def deny(course: tuple[Any, int], coins: Coins) -> tuple[Any, int]:
        counter, wrong = course
        if counter is None:
            return course
        state = learner._learn(replace(first, counter=counter, shown=0), 0, 1, coins)
        return None if state is None else state.counter, wrong + 1

    law: OutputDistribution[tuple[Any, int]] = exact_distribution(
        lambda coins: (learner.test.start(coins), 0), tail=Fraction(1, 2**20)
    )
    for _ in range(rounds):
        law = law.then(deny, tail=Fraction(1, 2**20))
    return law.map(lambda course: (course[1], course[0] is None))


def _later(mistakes: int, end: tuple[int, bool]) -> bool:
    return end[0] > mistakes


def _halted_before(mistakes: int, end: tuple[int, bool]) -> bool:
    return end[1] and end[0] < mistakes


@recomputes(LATE, EARLY)
def at_halt(copies: int) -> Iterator[Outcome]:
    """Check the numbers u and w of mistakes between which the test of POP[u,w] halts.

    Deny every prediction, until the learner halts or the rounds end.
    """
    failure, privacy = Fraction(1, 4), (Fraction(2), Fraction(0))
    for claim, v, rounds in ((LATE, 3, 5), (EARLY, 6, 6)):
        require_few_rounds(copies, rounds)
        pop = _loud(copies, rounds, 1, SOAExperts(Table([[0], [1]]), 0))
        learner = POPUntilMistakes(pop, v, Fraction(1))
        law, most, least = _at_halt(learner, rounds), learner.most(failure), learner.least(failure)
        if claim is LATE:
            right, wrong = (law.probability(partial(_later, w)) for w in (most, most - 1))
        else:
            right, wrong = (law.probability(partial(_halted_before, u)) for u in (least, v))
        yield compare(
            claim,
            f"v={v}, u={least}, w={most}, T={rounds}, k={copies}",
            computed=right,
            stated=failure,
            twin=wrong,
            changed=(most, most - 1) if claim is LATE else None,
            privacy=privacy,
        )


@recomputes(PHASES)
def phases(count: int, rounds: int) -> Iterator[Outcome]:
    """Check the privacy of POP in phases, against all adaptive adversaries."""
    run = POPUntilMistakes(
        _loud(8, rounds, 2 * rounds, SOAExperts(Table([[0], [1]]), 0)), 1, Fraction(5)
    )
    learner = AgnosticPOP(run, count)
    game, (epsilon, delta) = OnlineGame(learner, rounds), basic(learner.privacy)
    yield audit_outcome(
        PHASES,
        f"k=8, T={rounds}, v=1, {count} phases",
        audit_game(game, MOVES, learner.privacy, **CUT),
        false=(view_loss(game, CHALLENGED, tail=CUT["tail"]), epsilon / 4, delta),
    )


def _patient(copies: int, errors: int, rounds: int, phases: int, points: int) -> AgnosticPOP:
    """Return the learner of the bound, with little noise and no halt by R mistakes or reports."""
    base = SOAExperts(catalog.build(f"points:n={points}"), errors)
    pop = _loud(copies, rounds, 32 * rounds, base)
    bound, each = base.mistake_bound, FAILURE / phases
    assert bound is not None
    costly = pop.parameters.costly(bound, each / 2)
    assert costly is not None
    run = POPUntilMistakes(pop, 1, Fraction(2))
    enough = costly + run.test.early(rounds, each / 4) + 1
    return AgnosticPOP(replace(run, mistakes=enough), phases)


def _stream(points: int, rounds: int, flips: int, coins: Coins) -> list[tuple[int, int]]:
    """Return a stream with half of its points at the target, and `flips` wrong labels."""
    target, stream = coins.below(points), []
    for _ in range(rounds):
        x = target if coins.flip(Fraction(1, 2)) else coins.below(points)
        stream.append((x, int(x == target)))
    for at in (coins.below(rounds) for _ in range(flips)):
        stream[at] = stream[at][0], 1 - stream[at][1]
    return stream


@recomputes(MISTAKES)
def mistakes(copies: int, errors: int, flips: int, seeds: int) -> Iterator[Outcome]:
    """Check the mistake bound of POP in phases, if the best concept errs a few times.

    Check streams with few wrong labels, at an epsilon large enough for a non-vacuous bound.
    """
    points, rounds = 8, 4000
    learner = _patient(copies, errors, rounds, flips // (errors + 1) + 1, points)
    observed = []
    for seed in range(seeds):
        coins = SeededCoins(seed)
        stream = _stream(points, rounds, flips, coins)
        observed.append(play(learner, stream, rounds, coins).mistakes)
    yield bound_outcome(
        MISTAKES,
        f"points:n={points}, k={copies}, M={errors}, T={rounds}, OPT <= {flips}",
        learner.bound(flips, FAILURE),
        observed,
        false=flips + 1,
        privacy=learner.privacy,
        hypotheses={
            "the class has Littlestone dimension d": catalog.build(f"points:n={points}").ldim() == 1
        },
    )


@recomputes(AT_THE_HALT)
def halts(copies: int, errors: int, seeds: int) -> Iterator[Outcome]:
    """Check that a phase halts only after the best concept has erred more than M times.

    Play random labels until the first phase halts, when the best concept must have erred.
    """
    points, rounds = 3, 2000
    learner = _patient(copies, errors, rounds, 1, points)

    def early(run: POPUntilMistakes, seed: int) -> int:
        """Return whether some concept errs at most M times before the phase halts."""
        coins, wrong = SeededCoins(seed), [0] * points
        state: MistakesState | None = run.start(coins)
        for _ in range(rounds):
            if state is None:
                return int(min(wrong) <= errors)
            x, y = coins.below(points), coins.below(2)
            wrong = [count + (int(x == c) != y) for c, count in enumerate(wrong)]
            state, _ = run.predict(state, x, coins)
            state = None if state is None else run.learn(state, x, y, coins)
        return 0

    hasty = replace(learner.run, mistakes=2)
    most = learner.run.pop.base.mistake_bound
    worst, _ = longest_run(catalog.build(f"points:n={points}").to_table(), errors)
    yield bound_outcome(
        AT_THE_HALT,
        f"points:n={points}, k={copies}, M={errors}, u={learner.run.mistakes}",
        Bound(AT_THE_HALT.source, AT_THE_HALT.quantity, "0", 0, 1, failure=FAILURE),
        [early(learner.run, seed) for seed in range(seeds)],
        twin=[early(hasty, seed) for seed in range(seeds)],
        changed=(learner.run.mistakes, 2),
        privacy=learner.privacy,
        hypotheses={
            "the base learner errs at most so often on streams with OPT <= M*": most is not None
            and worst <= most
        },
    )


def checks() -> list[ClaimCheck]:
    """Return the checks: two audits, and runs with and without wrong labels."""
    return [
        ClaimCheck("agnostic-pop", halting, (16,)),
        ClaimCheck("agnostic-pop", at_halt, (32,)),
        ClaimCheck("agnostic-pop", phases, (2, 2)),
        *(ClaimCheck("agnostic-pop", phases, (count, 3), slow=True) for count in (2, 3)),
        ClaimCheck("agnostic-pop", mistakes, (4, 0, 0, 2)),
        ClaimCheck("agnostic-pop", mistakes, (4, 1, 4, 2)),
        ClaimCheck("agnostic-pop", halts, (4, 1, 20)),
    ]
