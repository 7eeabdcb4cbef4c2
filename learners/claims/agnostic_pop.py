"""POP that halts after mistakes, and in phases [KMMNS23, App. F]: exact audits, and its bound."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import catalog
from learners.audit import audit_game
from learners.coins import SeededCoins
from learners.games import Ask, Challenge, Move, OnlineGame
from learners.online.agnostic_pop import AgnosticPOP, POPUntilMistakes
from learners.online.experts import SOAExperts
from learners.online.play import play
from learners.online.pop import POP
from learners.online.pop_parameters import POPParameters
from learners.verify import Claim, ClaimCheck, Outcome, audited, checked
from lsclasses.table import Table

__all__ = ["checks"]

HALTING = Claim(
    "challenge-DP of POP[u,w]",
    "(epsilon(POP) + epsilon(counting), delta(POP))",
    source="learners.online.agnostic_pop, for [KMMNS23, Def. F.2]",
)
PHASES = Claim(
    "challenge-DP of POP in phases",
    "(epsilon of one phase, phases times its delta)",
    source="learners.online.agnostic_pop, for [KMMNS23, Thm F.4]",
)

MOVES: tuple[Move, ...] = (Ask((0, 0)), Ask((0, 1)), Challenge((0, 0), (0, 1)))


def _loud(copies: int, rounds: int, epsilon: int, base: SOAExperts) -> POP:
    """POP with noise for all rounds, and whatever delta so few copies give."""
    parameters = POPParameters(
        *(copies, 1, rounds, Fraction(epsilon)),
        *(Fraction(0), Fraction(0), Fraction(0), Fraction(0)),
        halting="never",
        raise_delta=True,
    )
    return POP(base, parameters)


def privacy(phases: int) -> Iterator[Outcome]:
    """All adaptive adversaries on one point, with halting after the first mistake or so."""
    copies, rounds, epsilon, counting = (16, 2, 4, 2) if phases == 1 else (8, 3, 6, 5)
    pop = _loud(copies, rounds, epsilon, SOAExperts(Table([[0], [1]]), 0))
    run = POPUntilMistakes(pop, 1, Fraction(counting))
    learner = run if phases == 1 else AgnosticPOP(run, phases)
    finding = audit_game(
        OnlineGame(learner, rounds),
        MOVES,
        learner.privacy,
        tail=Fraction(1, 2**13),
        resolution=Fraction(1, 10**4),
    )
    instance = f"k={copies}, T={rounds}, v=1" + f", {phases} phases" * (phases > 1)
    yield audited(HALTING if phases == 1 else PHASES, instance, finding)


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
    yield checked(learner.bound(0, failure), f"points:n=30, k=130, T={rounds}, OPT=0", observed)


def checks() -> list[ClaimCheck]:
    """Two audits, and four runs."""
    return [
        ClaimCheck("agnostic-pop", privacy, (1,)),
        ClaimCheck("agnostic-pop", privacy, (2,)),
        ClaimCheck("agnostic-pop", mistakes, (4,)),
    ]
