"""POP that halts after mistakes, and in phases [KMMNS23, App. F]: exact audits, and its bound."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import catalog
from learners.accounting import basic
from learners.audit import audit_game, view_loss
from learners.coins import SeededCoins
from learners.games import Ask, Challenge, Move, Oblivious, OnlineGame
from learners.online.agnostic_pop import AgnosticPOP, POPUntilMistakes
from learners.online.experts import SOAExperts
from learners.online.play import play
from learners.online.pop import POP
from learners.online.pop_parameters import POPParameters
from learners.verify import Claim, ClaimCheck, Outcome, audited, checked, recomputes
from lsclasses.table import Table

__all__ = ["checks"]

HALTING = Claim(
    "challenge-DP of POP[u,w]",
    "(epsilon(POP) + epsilon(counting), delta(POP))",
    source="learners.online.agnostic_pop, for [KMMNS23, Def F.2]",
    statements=("KMMNS23 Def F.2",),
    falsified="(epsilon(POP), delta(POP))",
)
PHASES = Claim(
    "challenge-DP of POP in phases",
    "(epsilon of one phase, phases times its delta)",
    source="learners.online.agnostic_pop, for [KMMNS23, Thm F.4]",
    statements=("KMMNS23 Thm F.4",),
    falsified="(1/4 epsilon of one phase, phases times its delta)",
)
MISTAKES = Claim(
    "mistakes of POP in phases",
    "(floor(OPT/(M + 1)) + 1) w",
    source="learners.online.agnostic_pop, for [KMMNS23, Thm F.4]",
    statements=("KMMNS23 Thm F.4",),
    falsified="Ldim",
)

MOVES: tuple[Move, ...] = (Ask((0, 0)), Ask((0, 1)), Challenge((0, 0), (0, 1)))

CHALLENGED = Oblivious((Challenge((0, 0), (0, 1)), Ask((0, 1)), Ask((0, 1))))
"""The adversary who changes the first label, on which all copies err, or none."""

CUT: dict[str, Any] = {"tail": Fraction(1, 2**13), "resolution": Fraction(1, 10**4)}


def _loud(copies: int, rounds: int, epsilon: int, base: SOAExperts) -> POP:
    """POP with noise for all rounds, and whatever delta so few copies give."""
    parameters = POPParameters(
        *(copies, 1, rounds, Fraction(epsilon)),
        *(Fraction(0), Fraction(0), Fraction(0), Fraction(0)),
        halting="never",
        raise_delta=True,
    )
    return POP(base, parameters)


@recomputes(HALTING)
def halting(copies: int) -> Iterator[Outcome]:
    """All adaptive adversaries on one point, with halting after the first mistake or so."""
    learner = POPUntilMistakes(
        _loud(copies, 2, 2, SOAExperts(Table([[0], [1]]), 0)), 1, Fraction(5)
    )
    game, without = OnlineGame(learner, 2), basic(learner.pop.privacy)
    yield audited(
        HALTING,
        f"k={copies}, T=2, v=1",
        audit_game(game, MOVES, learner.privacy, **CUT),
        false=(view_loss(game, CHALLENGED, tail=CUT["tail"]), *without),
    )


@recomputes(PHASES)
def phases(count: int) -> Iterator[Outcome]:
    """The same adversaries against a learner that starts anew when it has halted."""
    run = POPUntilMistakes(_loud(8, 3, 6, SOAExperts(Table([[0], [1]]), 0)), 1, Fraction(5))
    learner = AgnosticPOP(run, count)
    game, (epsilon, delta) = OnlineGame(learner, 3), basic(learner.privacy)
    yield audited(
        PHASES,
        f"k=8, T=3, v=1, {count} phases",
        audit_game(game, MOVES, learner.privacy, **CUT),
        false=(view_loss(game, CHALLENGED, tail=CUT["tail"]), epsilon / 4, delta),
    )


@recomputes(MISTAKES)
def mistakes(seeds: int) -> Iterator[Outcome]:
    """Realizable runs with so large an epsilon that the bound says something."""
    rounds, failure = 6000, Fraction(1, 10**6)
    base = SOAExperts(catalog.build("points:n=30"), 0)
    pop = _loud(130, rounds, rounds, base)
    costly = pop.parameters.costly(1, failure / 2)
    assert costly is not None
    run = POPUntilMistakes(pop, 1, Fraction(2))
    patient = replace(run, mistakes=costly + run.test.early(rounds, failure / 4) + 1)
    learner = AgnosticPOP(patient, 1)
    observed = []
    for seed in range(seeds):
        coins = SeededCoins(seed)
        target = coins.below(30)
        stream = ((x, int(x == target)) for x in (coins.below(30) for _ in range(rounds)))
        observed.append(play(learner, stream, rounds, coins).mistakes)
    yield checked(
        MISTAKES,
        f"points:n=30, k=130, T={rounds}, OPT=0",
        learner.bound(0, failure),
        observed,
        false=1,
    )


def checks() -> list[ClaimCheck]:
    """Two audits, and four runs."""
    return [
        ClaimCheck("agnostic-pop", halting, (16,)),
        ClaimCheck("agnostic-pop", phases, (2,)),
        ClaimCheck("agnostic-pop", mistakes, (4,)),
    ]
