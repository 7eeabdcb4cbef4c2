"""Claims in the text of [BLM20] that have no number: a simple construction, pure boosting."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product

from flint import arb

from learners.audit import audit
from learners.balls import ball, rational_above
from learners.claim_checks import Claim, ClaimCheck, Outcome, audit_outcome, compare, recomputes
from learners.coins import Coins
from learners.mechanisms.randomized_response import RandomizedResponse
from learners.pac.evidence.stability_instances import CASES, Case, Weights, chosen, realizable
from lsclasses.hypothesis import Hypothesis
from lsclasses.point_names import Point
from lsclasses.soa import SOA

SIMPLE = ("BLM20 Sec 2.1, simple construction",)

IDENTIFIED = Claim(
    "samples on which the SOA makes d mistakes and does not return the target",
    "0",
    "==",
    source="[BLM20, section 2.1]",
    statements=SIMPLE,
    falsified="samples with d - 1 mistakes",
)
CONTEST = Claim(
    "two samples with d - 1 mistakes: P[their random contest outputs the target]",
    "3/8",
    ">=",
    source="[BLM20, section 2.1]",
    statements=SIMPLE,
    falsified="3/4",
)
SAMPLED = Claim(
    "privacy of a learner of (e0, d0) on a random share p of the rows",
    "(ln(1 + p (e^e0 - 1)), p d0)",
    source="learners.mechanisms.subsampling, for [BLM20, section 1.1.2]",
    statements=("BLM20 Sec 1.1.2, pure boosting",),
    falsified="(p e0, p d0)",
)

RARELY_EQUAL = "two runs with d - 1 mistakes agree with probability less than 1/4"
"""Name of the hypothesis of the second case of the simple construction."""


# ---- section 2.1


Finished = tuple[SOA, int]
"""The state after a sample, and the number of its mistakes."""


def runs(case: Case, n: int) -> dict[Finished, Fraction]:
    """Return the distribution of the SOA's state and number of mistakes after n examples."""
    found: dict[Finished, Fraction] = {(case.base, 0): Fraction(1)}
    for _ in range(n):
        later: dict[Finished, Fraction] = {}
        for (state, mistakes), chance in found.items():
            for (x, y), weight in case.distribution.weights.items():
                key = state.observe(x, y), mistakes + (state.predict(x) != y)
                later[key] = later.get(key, Fraction(0)) + chance * weight
        found = later
    return found


@recomputes(IDENTIFIED)
def identified(weights: Weights, n: int, every: int) -> Iterator[Outcome]:
    """Check that an SOA with d mistakes has identified the target [BLM20, section 2.1].

    Check the rules of the SOA after d mistakes and after d - 1 mistakes.
    """
    where, instances = chosen(weights, (1, 2), n, every)
    wrong, met = {0: 0, 1: 0}, {"ldim": True, "realizable": True}
    for case in instances:
        C = case.base.version_space.to_table()
        met["ldim"] &= C.ldim() == case.d
        met["realizable"] &= realizable(case.base, case.distribution)
        targets = [h for h in C if not case.distribution.loss(h)]
        for state, mistakes in runs(case, n):
            if (missing := case.d - mistakes) in wrong:
                rule = state.hypothesis
                wrong[missing] += any(rule(x) != h(x) for h in targets for x in C.domain)
    yield compare(
        IDENTIFIED,
        where,
        computed=wrong[0],
        stated=0,
        twin=wrong[1],
        changed=(0, -1),
        hypotheses=met,
    )


def random_contest(
    one: Mapping[SOA, Fraction], target: Hypothesis, points: Sequence[Point]
) -> tuple[Fraction, Fraction]:
    """Return P[two runs agree] and P[the contest outputs the target], given the states.

    The label of the point is a fair coin. The run that errs on it observes the label.
    """
    agree = won = Fraction(0)
    for (f, p), (g, q) in product(one.items(), repeat=2):
        x = next((x for x in points if f.predict(x) != g.predict(x)), None)
        if x is None:
            agree += p * q
            continue
        for y in (0, 1):
            loser = f if f.predict(x) != y else g
            after = loser.observe(x, y).hypothesis
            won += p * q / 2 * all(after(z) == target(z) for z in points)
    return agree, won


@recomputes(CONTEST)
def contest(name: str, n: int) -> Iterator[Outcome]:
    """Check that a random contest of two samples outputs the target with probability 3/8.

    Check the second case of the construction on all pairs of samples.
    """
    case = CASES[name]()
    space = case.base.version_space
    points = list(space.domain)
    target = space.given(list(case.distribution.counts)).soa()
    states: dict[SOA, Fraction] = {}
    for (state, mistakes), chance in runs(case, n).items():
        if mistakes == case.d - 1:
            states[state] = states.get(state, Fraction(0)) + chance
    total = sum(states.values(), Fraction(0))
    given = {state: chance / total for state, chance in states.items()}
    agree, won = random_contest(given, target, points)
    yield compare(
        CONTEST,
        f"{name}, n={n}, P[d - 1 mistakes] = {float(total):.3g}",
        computed=won,
        stated=Fraction(3, 8),
        false=Fraction(3, 4),
        hypotheses={
            "ldim": space.ldim() == case.d,
            "realizable": realizable(case.base, case.distribution),
            RARELY_EQUAL: agree < Fraction(1, 4),
        },
    )


# ---- section 1.1.2


def on_share(epsilon: Fraction, share: Fraction) -> arb:
    """Return the epsilon on a random share of the rows."""
    return (1 + ball(share) * (ball(epsilon).exp() - 1)).log()


@recomputes(SAMPLED)
def sampled(epsilon: Fraction, delta: Fraction, rows: int) -> Iterator[Outcome]:
    """Check the privacy of a learner on a random share of the rows.

    Check the claim on a learner of one row that is as private as stated, on one of several rows.

    With probability d0 it reveals its row. Otherwise, it is randomized response.
    """
    response = RandomizedResponse(epsilon)

    def run(data: tuple[int, ...], coins: Coins) -> tuple[int, bool]:
        row = data[coins.below(rows)]
        if delta and coins.flip(delta):
            return row, True
        return response.release(row, coins), False

    share = Fraction(1, rows)
    stated = rational_above(lambda: on_share(epsilon, share), FINE)
    pair = (0,) * rows, (1, *(0,) * (rows - 1))
    yield audit_outcome(
        SAMPLED,
        f"e0={epsilon}, d0={delta}, p=1/{rows}",
        audit(run, [pair], (stated, share * delta)),
        false=audit(run, [pair], (share * epsilon, share * delta)),
        hypotheses={"0 < p < 1": 0 < share < 1},
    )


FINE = 1 << 60
"""Denominator 2^60 of epsilons that are rounded to fractions."""


def stability_checks(topic: str) -> list[ClaimCheck]:
    """Return the checks of the simple construction."""
    return [
        ClaimCheck(topic, identified, (((1, 1, 1), (1, 0, 3)), 2, 12)),
        ClaimCheck(topic, contest, ("lines of GF(7)^2", 2)),
    ]


def boosting_checks(topic: str) -> list[ClaimCheck]:
    """Return the checks of random samples of the rows."""
    given = (Fraction(1, 10), Fraction(0), 4), (Fraction(1, 10), Fraction(1, 1000), 4)
    return [ClaimCheck(topic, sampled, each) for each in given]
