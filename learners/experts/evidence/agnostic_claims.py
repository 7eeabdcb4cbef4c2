"""Agnostic learners from constructed experts [LWY25, Thm 4.4, App. E]: privacy and regret."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

from flint import ctx

import catalog
from learners.accounting import Sequential, basic
from learners.audit import ExploredGame
from learners.audit.audit_registry import instance
from learners.audit.claims import Cut
from learners.balls import ball, log, round_up
from learners.budget import Budget
from learners.claim_checks import (
    Claim,
    ClaimCheck,
    Outcome,
    audit_outcome,
    bound_outcome,
    compare,
    recomputes,
)
from learners.coins import SeededCoins
from learners.experts.agnostic import AgnosticExperts, agnostic_experts
from learners.experts.constructed import ConstructedExperts
from learners.experts.evidence.instances import ShownRules
from learners.experts.hedge import DPHedge
from learners.games import AdaptiveInputs, Ask, Challenge, Move
from learners.number_arguments import PRECISION
from learners.playing.adversaries import Repeating
from learners.playing.base.proper_soa import proper_soa
from learners.playing.play import play
from learners.sanitizers.evidence.sketches import dimension_hypotheses
from lsclasses.concept_class import ConceptClass

WHOLE = Claim(
    "privacy of experts built from synthetic points and drawn by their losses, all streams",
    "(epsilon of the points + epsilon of the draws, delta)",
    source="learners.experts.agnostic, for [LWY25, Thm 4.4]",
    statements=("LWY25 Thm 4.4", "LWY25 Alg 7"),
    falsified="without the draws",
)
ADAPTIVE = Claim(
    "privacy of experts built from synthetic points and drawn by their losses, all adaptive "
    "adversaries",
    "(epsilon of the points + epsilon of the draws, 0)",
    source=WHOLE.source,
    statements=("LWY25 Thm 4.4", "LWY25 Thm E.10", "LWY25 Alg 7"),
    falsified="half of that epsilon",
)
REGRET = Claim(
    "regret of the learner from constructed experts",
    "ln(N)/eta + eta T/8 + sqrt(T ln(1/beta)/2) + M K",
    "<=",
    source="learners.experts.agnostic, for [LWY25, Thm 4.4]",
    statements=("LWY25 Thm 4.4", "LWY25 Cor E.13", "LWY25 Thm 1.2"),
    falsified="without synthetic points",
    incorrect_object=True,
)
FOLLOWED = Claim(
    "points on which a concept's best expert differs from it, with private synthetic points",
    "M K",
    "<=",
    source="learners.experts.agnostic, for [LWY25, Thm E.10]",
    falsified="without synthetic points",
    incorrect_object=True,
)
RATE = Claim(
    "ln(N)/eta + eta T/8 with the eta of a budget, for constructed experts",
    "4 sqrt(T ln(1/delta)) d ln(T)/epsilon, for M = d <= T, epsilon <= 1 and delta <= 1/20",
    "<=",
    source="learners.experts.hedge with ln(N) <= 2 M ln(T), for [LWY25, Cor. E.13]",
    statements=("LWY25 Cor E.13", "LWY25 Thm 1.2"),
    falsified="2 sqrt(T ln(1/delta)) d ln(T)/epsilon",
)

CUT: Cut = {"tail": Fraction(1, 2**24), "resolution": Fraction(1, 10**5)}
GAME = "constructed_experts:rate=1/4,epsilon=1/2"
RARE = Fraction(1, 10**6)
"""Failure probability of the regret bound in the recomputed games."""
AUDITED = (
    "constructed_experts:rounds=3",
    "constructed_experts:chooser=dartboard,rounds=3",
    "constructed_experts:replacer=released,rounds=3",
)


@recomputes(WHOLE)
def whole(name: str) -> Iterator[Outcome]:
    """Check the privacy of the published rules and synthetic points, on all fixed streams."""
    built = instance(name)
    found = built.audit(**CUT)
    assert isinstance(built.privacy, Sequential)
    epsilon, delta = basic(built.privacy.events[0])
    yield audit_outcome(WHOLE, name, found, false=(found.loss, epsilon, delta))


@recomputes(ADAPTIVE)
def adaptive(name: str, rounds: int) -> Iterator[Outcome]:
    """Check the privacy of the published rules and points against all adaptive adversaries."""
    built = instance(name)
    learner = built.mechanism
    examples = [(x, y) for x in learner.concept_class.domain for y in (0, 1)]
    every: list[Move] = [Ask(example) for example in examples]
    every += [Challenge(zero, one) for zero, one in combinations(examples, 2)]
    explored = ExploredGame(AdaptiveInputs(ShownRules(learner), rounds), every, **CUT)
    epsilon, _ = basic(built.privacy)
    yield audit_outcome(
        ADAPTIVE,
        f"{name}, {rounds} examples",
        explored.against(built.privacy),
        false=explored.against((epsilon / 2, 0)),
        hypotheses=_dimensions(learner.concept_class),
    )


def _dimensions(C: ConceptClass) -> dict[str, bool]:
    """Return the hypotheses about the dimensions. The dimension d is the number of switches."""
    met = dimension_hypotheses(C.to_table())
    return met | {"ldim": met["ldim"] and proper_soa(C).mistake_bound == C.ldim()}


def _learners(
    C: ConceptClass, rounds: int, budget: Budget
) -> tuple[AgnosticExperts, AgnosticExperts]:
    """Return the learner, and the incorrect variant without synthetic points."""
    learner = agnostic_experts(C, rounds, budget)
    sanitizer = learner.sanitizer
    blind = replace(sanitizer, replacers=(None,) * len(sanitizer.replacers))
    return learner, replace(learner, sanitizer=blind)


@recomputes(REGRET)
def regret(
    spec: str, rounds: int, epsilon: Fraction, delta: Fraction, seeds: int
) -> Iterator[Outcome]:
    """Check the regret bound against an adversary that repeats a point of a mistake.

    Some concept labels all examples, so the regret is the number of mistakes.
    """
    C, budget = catalog.build(spec), Budget(epsilon, delta)
    learner, blind = _learners(C, rounds, budget)
    usual = learner.bounds[0]
    # With failure probability RARE, one run of the variant refutes the bound.
    with ctx.workprec(PRECISION):
        deviations = [(-rounds * log(each) / 2).sqrt() for each in (RARE, Fraction(usual.failure))]
        value = round_up(ball(usual.value or 0) + deviations[0] - deviations[1])

    def regrets(player: AgnosticExperts, runs: int) -> list[Fraction | int]:
        games = (play(player, Repeating(C), rounds, SeededCoins(seed)) for seed in range(runs))
        return [game.regret or 0 for game in games]

    yield bound_outcome(
        REGRET,
        f"{spec}, T={rounds}, epsilon={epsilon}, beta={RARE}, adaptive",
        replace(usual, value=value, failure=RARE),
        regrets(learner, seeds),
        twin=regrets(blind, 1),
        privacy=budget,
        hypotheses=_dimensions(C),
    )


@recomputes(FOLLOWED)
def followed(spec: str, rounds: int, epsilon: Fraction, delta: Fraction) -> Iterator[Outcome]:
    """Check that an expert follows the concept, on a stream of one point with label 1.

    The loss of the best expert is the number of rounds in which it differs from the concept. The
    variant has no synthetic points.
    """
    C, budget = catalog.build(spec), Budget(epsilon, delta)
    learner, blind = _learners(C, rounds, budget)

    def distance(player: AgnosticExperts) -> int:
        coins = SeededCoins(7)
        state = player._begin(coins)
        for _ in range(rounds):
            state = player._receive(state, 1, 1, coins)
        return state.chosen.tally.least

    yield compare(
        FOLLOWED,
        f"{spec}, T={rounds}, epsilon={epsilon}",
        computed=distance(learner),
        stated=learner.excess,
        twin=distance(blind),
        trivial=rounds,
        privacy=budget,
        hypotheses=_dimensions(C),
    )


@recomputes(RATE)
def rate() -> Iterator[Outcome]:
    """Compute the bound of the choosing algorithm relative to the first term of [LWY25, Cor. E.13].

    N is the sum of C(T + k, 2k) over k <= M, which is at most T^(2M) for M <= T and T >= 2. For M =
    1, this is 1 + T(T + 1)/2 <= T^2. For M >= 2, C(T + k, 2k) <= (T + 1/2)^(2k)/(2k)! is at most e
    T^(2k)/(2k)!, and the sum is at most 0.63 T^(2M). With the constant 2 of Theorem E.11, this
    gives the constant 4.
    """
    delta = Fraction(1, 10**6)
    for T, d, epsilon in ((10**3, 1, 1), (10**5, 2, 1), (10**9, 6, 1), (10**6, 3, Fraction(1, 10))):
        base = proper_soa(catalog.build(f"at-most:n=2^64,k={d}"))
        chooser = DPHedge.within(Budget(Fraction(epsilon), delta), ConstructedExperts(base, T), T)
        with ctx.workprec(PRECISION):
            shape = (-T * log(delta)).sqrt() * d * log(T) / ball(Fraction(epsilon))
            yield compare(
                RATE,
                f"T={T}, d=M={d}, epsilon={epsilon}, delta={delta}",
                computed=chooser.regret()[1].value or 0,
                stated=4 * shape,
                false=2 * shape,
                privacy=(epsilon, delta),
                hypotheses={"ldim": catalog.build(f"at-most:n=2^64,k={d}").ldim() == d},
            )


def checks(topic: str) -> list[ClaimCheck]:
    """Return the checks: the game against all adversaries, audits, long games, and the rate."""
    C, epsilon = "at-most:n=2,k=1", Fraction(2)
    large, small = Fraction(1, 100), Fraction(1, 10**4)
    return [
        ClaimCheck(topic, adaptive, (GAME, 2)),
        # The default audit looks at two rounds of the first of these.
        *(ClaimCheck(topic, whole, (name,), slow=True) for name in AUDITED),
        ClaimCheck(topic, regret, (C, 4000, epsilon, large, 1)),
        ClaimCheck(topic, followed, (C, 4000, epsilon, large)),
        ClaimCheck(topic, regret, (C, 10_000, epsilon, small, 3), slow=True),
        ClaimCheck(topic, followed, (C, 10_000, epsilon, small), slow=True),
        ClaimCheck(topic, rate),
    ]
