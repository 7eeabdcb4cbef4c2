"""Distinct states of the copies of POP, which bound the calls of the base learner."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import catalog
from learners.budget import Budget
from learners.claim_checks import Claim, ClaimCheck, Outcome, compare, recomputes
from learners.coins import SeededCoins
from learners.pop.algorithm import POP
from learners.pop.plan import POPParameters
from lsclasses.soa import SOA

CALLS = Claim(
    "distinct states of the copies of POP, and updates, in T rounds",
    "the sum of min(k, i) + 1 over the rounds i",
    source="learners.pop.algorithm",
    statements=("KMMNS23 Sec 1.1, efficiency",),
    falsified="half of it",
)


@recomputes(CALLS)
def calls(rounds: int) -> Iterator[Outcome]:
    """Check the number of distinct states of POP's copies, and of updates of the base learner.

    The stream has the label 0 at different points of point functions, so each example makes a new
    state. All copies predict 0, so the game continues for more than k rounds.
    """
    parameters = POPParameters.within(Budget(Fraction(2), Fraction(1, 100)), rounds, reports=20)
    learner, coins = POP(SOA(catalog.build("points:n=2^20")), parameters), SeededCoins(1)
    state: Any = learner.start(coins)
    asked = 0
    for x in range(1, rounds + 1):
        asked += state.copies.distinct + 1
        state, _ = learner.predict(state, x, coins)
        state = learner.learn(state, x, 0, coins)
    most = sum(min(parameters.copies, i) + 1 for i in range(1, rounds + 1))
    yield compare(
        CALLS,
        f"k={parameters.copies}, T={rounds}",
        computed=asked,
        stated=most,
        false=Fraction(most, 2),
        privacy=learner.privacy,
    )


def checks(topic: str) -> list[ClaimCheck]:
    """Return the check of a game with more rounds than copies."""
    return [ClaimCheck(topic, calls, (700,))]
