"""ChallengeAT and POP [KMMNS23]: exact audits, the halting time, and the bound on mistakes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Any

from flint import arb

import catalog
from learners.accounting import basic
from learners.audit import audit_game
from learners.coins import SeededCoins
from learners.exact import exact_law
from learners.games import Ask, AskedAbout, Challenge, ChallengeATGame, Datasets, Move, OnlineGame
from learners.mechanisms.challenge_at import ChallengeAT, Halting
from learners.online.adversaries import Optimal, RandomConcept, Seeking
from learners.online.play import play
from learners.online.pop import POP
from learners.online.pop_parameters import POPParameters
from learners.verify import Claim, ClaimCheck, Outcome, audited, checked, compare
from lsclasses.soa import SOA

__all__ = ["Query", "checks"]

CHALLENGED = Claim(
    "privacy of ChallengeAT in its game",
    "(epsilon + halting_epsilon, delta + halting_failure)",
    source="learners.mechanisms.challenge_at, for [KMMNS23, Thm C.1]",
)
PREDICTED = Claim(
    "challenge-DP of POP",
    "(epsilon + halting_epsilon, delta + halting_failure + majority_failure)",
    source="learners.online.pop, for [KMMNS23, Thm 5.2]",
    printed="(epsilon, delta) of ChallengeAT for every k",
    printed_in="[KMMNS23, Thm 5.2]",
)
HALTED = Claim(
    "reports at which halting gets likelier than 1/20",
    "r - early",
    relation=">=",
    source="learners.mechanisms.challenge_at, for [KMMNS23, Thm 4.2]",
    printed="r",
    printed_in="[KMMNS23, Thm 4.2]",
)

CUT: dict[str, Any] = {"tail": Fraction(1, 2**20), "resolution": Fraction(1, 10**4)}


@dataclass(frozen=True)
class Query:
    """A question about a data set of one bit."""

    zero: int
    one: int

    def __call__(self, data: tuple[int]) -> int:
        """The answer before noise."""
        return self.one if data[0] else self.zero


def challenged(halting: Halting, rounds: int) -> Iterator[Outcome]:
    """All adaptive adversaries that move the number up or down, and one challenge far off."""
    mechanism = ChallengeAT(
        Fraction(2), Fraction(0), 1, 0, Fraction(1), Fraction(0), rounds, halting
    )
    moves: list[Move] = [Datasets((0,), (1,)), Ask(Query(0, 1)), Ask(Query(1, 0))]
    moves.append(Challenge(Query(-99, -99), Query(99, 99)))
    game = ChallengeATGame(AskedAbout(mechanism), rounds)
    finding = audit_game(game, moves, mechanism.privacy, **CUT)
    yield audited(CHALLENGED, f"r=1, T={rounds}, {halting}", finding)


def predicted(copies: int, points: int, halting: Halting) -> Iterator[Outcome]:
    """All adaptive adversaries on the class of all labellings."""
    rounds, never = 3, halting == "never"
    parameters = POPParameters(
        *(copies, 1, rounds, Fraction(2 * rounds), Fraction(0), Fraction(0 if never else 6)),
        *(Fraction(0), Fraction(0)),
        halting=halting,
        raise_delta=True,
    )
    learner = POP(SOA(catalog.build(f"cube:n={points}").to_table()), parameters)
    examples = list(product(range(points), (0, 1)))
    moves: list[Move] = [Ask(example) for example in examples]
    moves += [Challenge(zero, one) for zero, one in product(examples, repeat=2) if zero != one]
    game, (epsilon, _) = OnlineGame(learner, rounds), basic(learner.privacy)
    yield audited(
        PREDICTED,
        f"k={copies}, T={rounds}, {points} points, {halting} halting",
        audit_game(game, moves, learner.privacy, **CUT),
        printed=audit_game(game, moves, (epsilon, 0), **CUT),
    )


def halted(reports: int) -> Iterator[Outcome]:
    """The exact law of the number of reports, if there are nothing but reports."""
    failure, questions = Fraction(1, 20), reports
    mechanism = ChallengeAT(
        Fraction(1), Fraction(0), reports, 0, Fraction(2), Fraction(0), questions
    )
    law = exact_law(
        lambda coins: len(mechanism.answers([10**6] * questions, coins)), tail=Fraction(1, 2**18)
    )
    likely, mass = 0, arb(0)
    while not mass > float(failure):
        likely += 1
        mass += law[likely]
    yield compare(
        HALTED,
        f"r={reports}, halting_epsilon=2, T={questions}",
        computed=likely,
        stated=reports - mechanism.early(questions, failure),
        printed=reports,
    )


def erred(name: str, seeds: int) -> Iterator[Outcome]:
    """Realizable games at parameters that satisfy the theorem, with next to no noise."""
    rounds, failure = 600, Fraction(1, 10**7)
    C = catalog.build(name)
    d = C.ldim()
    loud = POPParameters(
        *(4, 1, rounds, Fraction(32 * rounds), Fraction(0), Fraction(16), Fraction(0)),
        Fraction(0),
        raise_delta=True,
    )
    costly = loud.costly(d, failure)
    assert costly is not None
    parameters = replace(loud, reports=costly + loud.mechanism.early(rounds, failure / 3) + 1)
    learner = POP(SOA(C), parameters)
    games = [
        play(learner, opponent(C), rounds, SeededCoins(seed))
        for opponent in (Optimal, Seeking, RandomConcept)
        for seed in range(seeds)
    ]
    for bound in parameters.bounds(d, failure):
        observed = [game.observed(bound) for game in games]
        yield checked(bound, f"{name}, k=4, T={rounds}", [each or 0 for each in observed])


def checks() -> list[ClaimCheck]:
    """Audits of both, the halting time, and games against three adversaries."""
    return [
        ClaimCheck("pop", challenged, ("cumulative", 3)),
        ClaimCheck("pop", challenged, ("tree", 2)),
        ClaimCheck("pop", predicted, (3, 2, "never")),
        ClaimCheck("pop", predicted, (4, 1, "never")),
        ClaimCheck("pop", predicted, (3, 1, "cumulative")),
        ClaimCheck("pop", halted, (6,)),
        ClaimCheck("pop", erred, ("thresholds:n=7", 3)),
        ClaimCheck("pop", erred, ("points:n=9", 3)),
    ]
