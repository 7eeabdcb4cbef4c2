"""Mistakes of POP on repeated examples, at the parameters of [KMMNS23, Thm 5.3].

All copies err on the example until they learn it. If W of the k copies have not learned it, the
next round lowers W with probability W/k. So W is the state of a Markov chain, and a state lasts k/W
rounds on average.

The stream repeats each of d examples until all copies have learned it. The numbers of mistakes in
different states are independent. So the mean and a bound on the variance give an interval for a
quantile, by Cantelli's inequality.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

import catalog
from learners.balls import ball
from learners.budget import Budget
from learners.claim_checks import Claim, ClaimCheck, Outcome, compare, recomputes
from learners.pop.plan import POPParameters
from lsclasses.soa import SOA
from lsclasses.table import Table

GROWTH = Claim(
    "expected mistakes of POP without halts on a repeated example, at the theorem's parameters: at "
    "epsilon/2 divided by at epsilon",
    "4, the growth of 1/epsilon^2",
    source="learners.pop.plan, for [KMMNS23, Thm 5.3]",
    statements=("KMMNS23 Thm 5.1", "KMMNS23 Thm 5.3"),
    falsified="2, the growth of 1/epsilon",
    growth=True,
)
QUANTILE = Claim(
    "(1 - beta)-quantile of the mistakes of POP without halts on d repeated examples, at the "
    "theorem's parameters",
    "R",
    source="learners.pop.plan, for [KMMNS23, Thm 5.3]",
    statements=GROWTH.statements,
    falsified="R of a base learner that errs at most once, for as many copies",
    drops="the factor d of d k",
)

BLOCKS = 1 << 17
"""Number of blocks of states whose sums are bounded together."""


def mistake_chances(parameters: POPParameters, wrong: np.ndarray) -> np.ndarray:
    """Return the probability of a mistake if `wrong` copies err, which increases with their number.

    A round is a report if the minority and the noise together have at least a quarter of the
    copies. A report errs with probability 1/2. Otherwise, the majority errs or is right.
    """
    copies, scale = parameters.copies, float(parameters.scale)
    minority = np.minimum(wrong, copies - wrong)
    missing = -(-copies // 4) - minority
    far = np.exp(-np.abs(np.where(missing >= 1, missing, 1 - missing)) / scale)
    beyond = far / (1 + np.exp(-1 / scale))
    report = np.where(missing >= 1, beyond, 1 - beyond)
    return np.asarray(report / 2 + (1 - report) * (2 * wrong > copies))


def expected_mistakes(parameters: POPParameters) -> tuple[Fraction, Fraction]:
    """Return a lower and an upper bound on the expected mistakes until all copies have learned.

    In a block of states, the number of rounds decreases and the probability of a mistake increases.
    """
    copies = parameters.copies
    edges = np.unique(np.linspace(0, copies, BLOCKS + 1).astype(np.int64))
    first, last = edges[:-1] + 1, edges[1:]
    sizes = (last - first + 1) * float(copies)
    low = sizes / last * mistake_chances(parameters, first)
    high = sizes / first * mistake_chances(parameters, last)
    return Fraction(float(low.sum())), Fraction(float(high.sum()))


def mistake_variance(parameters: POPParameters) -> Fraction:
    """Return an upper bound on the variance of the mistakes until all copies have learned.

    The number N of rounds of a state is geometric with mean E, and its variance is at most E^2. If
    a round errs with probability p, the mistakes of the state have variance E p (1 - p) + p^2 V[N].
    """
    copies = parameters.copies
    edges = np.unique(np.linspace(0, copies, BLOCKS + 1).astype(np.int64))
    first, last = edges[:-1] + 1, edges[1:]
    mean = copies / first * mistake_chances(parameters, last)
    return Fraction(float(((last - first + 1) * (mean + mean**2)).sum()))


def most_errors(state: Any, left: Table, rounds: int) -> int:
    """Return the most mistakes of a deterministic learner on realizable streams."""
    known: dict[tuple[Any, Table, int], int] = {}

    def most(state: Any, left: Table, rounds: int) -> int:
        key = state, left, rounds
        if rounds and key not in known:
            found = 0
            for x, y in product(left.points, (0, 1)):
                if not (rest := left.restrict(x, y)).is_empty:
                    erred = int(state.predict(x) != y)
                    found = max(found, erred + most(state.observe(x, y), rest, rounds - 1))
            known[key] = found
        return known.get(key, 0)

    return most(state, left, rounds)


@recomputes(GROWTH)
def growth(rounds: int) -> Sequence[Outcome]:
    """Check that the mistakes of POP grow with 1/epsilon^2, for one repeated example."""
    table, delta = catalog.build("points:n=3").to_table(), Fraction(1, 100)
    base, (x, y) = SOA(table), (0, 1)
    assert base.predict(x) != y == base.observe(x, y).predict(x)
    (_, most), (least, _) = (
        expected_mistakes(
            POPParameters.from_theorem(Budget(epsilon, delta), 1, rounds, Fraction(1, 20))
        )
        for epsilon in (Fraction(1), Fraction(2))
    )
    return [
        compare(
            GROWTH,
            f"d=1, T={rounds}, delta={delta}, epsilon=2 and 1",
            computed=most / least,
            stated=4,
            false=2,
            privacy=(2, delta),
            hypotheses={
                "base": most_errors(base, table, 3) <= 1,
                "realizable": not table.restrict(x, y).is_empty,
            },
        )
    ]


@recomputes(QUANTILE)
def quantile(d: int, rounds: int) -> Sequence[Outcome]:
    """Check the mistake bound R of POP on d repeated examples, for all labellings."""
    table = catalog.build(f"cube:n={d}").to_table()
    budget, failure = Budget(Fraction(2), Fraction(1, 100)), Fraction(1, 20)
    parameters = POPParameters.from_theorem(budget, d, rounds, failure, margin=Fraction(1, 200))
    state, left = SOA(table), table
    for x in table.points:
        y = 1 - state.predict(x)
        state, left = state.observe(x, y), left.restrict(x, y)
    low, high = expected_mistakes(parameters)
    spread = ball(d * mistake_variance(parameters)).sqrt() * ball(1 / failure).sqrt()
    both = (d * ball(low) - spread).union(d * ball(high) + spread)
    stated, false = (parameters.costly(each, failure) for each in (d, 1))
    assert stated is not None and false is not None
    return [
        compare(
            QUANTILE,
            f"d={d}, T={rounds}, k={parameters.copies}, epsilon={budget.epsilon}, beta={failure}",
            computed=both,
            stated=stated,
            false=false,
            privacy=(budget.epsilon, budget.delta),
            trivial=rounds,
            hypotheses={
                "base": most_errors(SOA(table), table, d + 1) <= d,
                "realizable": not left.is_empty,
            },
        )
    ]


def checks(topic: str) -> list[ClaimCheck]:
    """Return the checks, for so many rounds that POP halts."""
    return [ClaimCheck(topic, growth, (2**40,)), ClaimCheck(topic, quantile, (4, 2**40))]
