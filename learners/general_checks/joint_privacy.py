"""Joint privacy [KMMNS23, Def 2.5] of one answer for each user, by exact audits."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from fractions import Fraction
from functools import partial
from itertools import product

from flint import arb

from learners.accounting import basic
from learners.audit import audit, audit_joint, neighbouring_pairs
from learners.claim_checks import Claim, ClaimCheck, Outcome, audit_outcome, compare, recomputes
from learners.coins import Coins
from learners.exact import OutputDistribution, exact_distribution
from learners.games import are_neighbours
from learners.general_checks.plans import worst_event
from learners.playing.base.state import Prediction
from learners.pop.algorithm import POP
from learners.pop.plan import POPParameters
from lsclasses.soa import SOA
from lsclasses.table import Table

JOINT = Claim(
    "joint privacy of POP on fixed streams",
    "as challenge-DP",
    source="[KMMNS23, Def 2.5], by oblivious adversaries in [KMMNS23, Def 3.1]",
    statements=("KMMNS23 Def 2.5",),
    falsified="(epsilon, delta/4)",
)
BILLS = Claim(
    "joint privacy of water bills (whether a bill is above a third of a noisy total)",
    "(epsilon, 0), for noise of scale 1/epsilon",
    source="[KMMNS23, Def 2.5]",
    falsified="with the household's bill",
    incorrect_object=True,
)

EVENTS = Claim(
    "gap between the joint delta by all events and by the audit",
    "10^-12",
    source="[KMMNS23, Def 2.5]",
    falsified="with the answer of the changed item",
    incorrect_object=True,
)


@recomputes(JOINT)
def joint(copies: int, rounds: int) -> Iterator[Outcome]:
    """Check that POP is jointly private on fixed streams [KMMNS23, Def 2.5].

    Check all streams over one point, where each user observes the prediction of their round.
    """
    parameters = POPParameters(
        *(copies, 1, rounds, Fraction(2 * rounds), Fraction(0), Fraction(0)),
        *(Fraction(0), Fraction(0)),
        halting="never",
        raise_delta=True,
    )
    learner = POP(SOA(Table([[0], [1]])), parameters)

    def run(stream: tuple[tuple[int, int], ...], coins: Coins) -> tuple[Hashable, ...]:
        state: object = learner.start(coins)
        predictions: list[Hashable] = []
        for number, (x, y) in enumerate(stream, 1):
            state, predicted = learner.predict(state, x, coins)
            assert isinstance(predicted, Prediction)
            predictions.append((predicted.label, predicted.coin))
            if number < len(stream):
                state = learner.learn(state, x, y, coins)
        return tuple(predictions)

    streams = list(product([(0, 0), (0, 1)], repeat=rounds))
    claim = basic(learner.privacy)
    found = audit_joint(run, streams, claim)
    # The streams in which the first person's label has the largest effect.
    worst = [((0, label), (0, 1), *[(0, 0)] * (rounds - 2)) for label in (0, 1)]
    false = audit_joint(run, worst, (claim[0], claim[1] / 4))
    yield audit_outcome(JOINT, f"k={copies}, T={rounds}, one point", found, false=false)


@recomputes(BILLS)
def bills(households: int) -> Iterator[Outcome]:
    """Check the joint privacy of water bills, which depend on a noisy total.

    Check streams of users who use one unit of water or none.
    """
    claim = Fraction(1), Fraction(0)

    def run(data: tuple[int, ...], coins: Coins) -> tuple[Hashable, ...]:
        total = sum(data) + coins.laplace(1)
        return tuple(3 * bit > total for bit in data)

    cities = list(product((0, 1), repeat=households))
    pairs = tuple(neighbouring_pairs(cities))
    yield audit_outcome(
        BILLS,
        f"{households} households, epsilon=1",
        audit_joint(run, cities, claim),
        false=audit(run, pairs, claim),
        hypotheses={
            "the data sets have the same length and differ in one item": all(
                are_neighbours(*pair) for pair in pairs
            )
        },
    )


def without(law: OutputDistribution[tuple[Hashable, ...]], i: int) -> OutputDistribution[Hashable]:
    """Return the distribution of all answers but the i-th."""
    return law.map(lambda seen: (*seen[:i], *seen[i + 1 :]))


@recomputes(EVENTS)
def events(households: int, epsilon: Fraction) -> Iterator[Outcome]:
    """Check the delta of joint privacy against the maximum over all events.

    Check noisy comparisons with the sum of all items, for all pairs and events, one by one.
    """

    def run(data: tuple[int, ...], coins: Coins) -> tuple[Hashable, ...]:
        high = coins.flip(Fraction(1 + sum(data), households + 2))
        return tuple(int(bit != high) for bit in data)

    cities = list(product((0, 1), repeat=households))
    laws = {data: exact_distribution(partial(run, data)) for data in cities}
    delta, shown, near = arb(0), arb(0), True
    for zero, i in product(cities, range(households)):
        one = (*zero[:i], 1 - zero[i], *zero[i + 1 :])
        near &= are_neighbours(zero, one)
        delta = delta.max(worst_event(without(laws[zero], i), without(laws[one], i), epsilon)[0])
        shown = shown.max(worst_event(laws[zero], laws[one], epsilon)[0])
    found = audit_joint(run, cities, (epsilon, 0)).measured
    yield compare(
        EVENTS,
        f"{households} items of one bit, epsilon={epsilon}",
        computed=abs(delta - found).upper(),
        stated=Fraction(1, 10**12),
        twin=abs(shown - found),
        privacy=(epsilon, 0),
        hypotheses={"the data sets have the same length and differ in one item": near},
    )


def checks(topic: str) -> list[ClaimCheck]:
    """Return checks with three users."""
    return [
        ClaimCheck(topic, joint, (3, 3)),
        ClaimCheck(topic, joint, (4, 3), slow=True),
        ClaimCheck(topic, bills, (3,)),
        ClaimCheck(topic, events, (3, Fraction(1, 3))),
    ]
