"""Private prediction from experts [LWY25, App. E.3]: privacy, regret, adaptive failures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, partial
from itertools import combinations, product
from typing import Any

import numpy as np
from flint import arb, ctx

from learners.accounting import Event
from learners.audit import audit, audit_game
from learners.audit.audit_registry import instance
from learners.audit.claims import Cut
from learners.balls import ball, log
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
from learners.coins import Coins, SeededCoins
from learners.exact import OutputDistribution, exact_distribution
from learners.experts.dartboard import ShrinkingDartboard
from learners.experts.hedge import DPHedge
from learners.experts.phases import Phases
from learners.experts.sparse import SparseVectorExperts
from learners.games import AdaptiveStream, Ask, Challenge, Move
from learners.mechanisms.runs import StreamMechanism, StreamRun
from learners.number_arguments import PRECISION
from learners.playing.evidence import published
from learners.playing.expert_sources import LossVectors
from learners.playing.learner import PublishedState
from learners.playing.loss_adversaries import Chasing, RandomLosses
from learners.playing.play import play

ADAPTIVE = ("LWY25 Thm E.11",)

HEDGE = Claim(
    "privacy of DPHedge, all adaptive adversaries",
    "(2 (T - 1) eta, 0)",
    source="learners.experts.hedge, for [LWY25, Thm E.11]",
    statements=ADAPTIVE,
    falsified="with twice the rate",
)
REGRET = Claim(
    "expected regret of DPHedge on the worst losses in {0, 1}",
    "ln(N)/eta + eta T/8",
    "<=",
    HEDGE.source,
    statements=ADAPTIVE,
    falsified="ln(N)/eta",
)
BUDGETED = Claim(
    "expected regret of DPHedge at the rate of a budget, on the worst losses of two experts",
    "2 sqrt(T ln(1/delta)) ln(N)/epsilon",
    source="learners.experts.hedge, for [LWY25, Thm E.11]",
    falsified="half of it",
)
CONSTANT = Claim(
    "ln(N)/eta + eta T/8 with the eta of a budget",
    "2 sqrt(T ln(1/delta)) ln(N)/epsilon, for epsilon <= 1 and delta <= 1/20",
    "<=",
    HEDGE.source,
    statements=ADAPTIVE,
    falsified="sqrt(T ln(1/delta)) ln(N)/epsilon",
)
FREE = Claim(
    "largest p with T^(1/3)/epsilon^(2/3) <= sqrt(T) at epsilon = T^-p",
    "1/4",
    "==",
    source="[LWY25, section 1.1]",
    statements=("LWY25 Sec 1.1, privacy",),
    falsified="1/3",
)
INSTANCES = Claim(
    "privacy of learners from experts, all neighbouring losses in {0, 1}",
    "(epsilon, delta)",
    source="learners.experts.hedge, dartboard, sparse_experts",
    falsified="(3/4 epsilon, delta)",
)
UNCOUNTED = Claim(
    "privacy of the dartboard",
    "(epsilon(keep) + 2 K eta, 0)",
    source="learners.experts.dartboard",
    falsified="(epsilon(keep), 0)",
)
MARGINAL = Claim(
    "largest distance of the distribution of an expert from exponential weights, all losses",
    "10^-20",
    "<=",
    "learners.experts.dartboard",
    falsified="for K = 1",
)
DARTBOARD_REGRET = Claim(
    "expected regret of the dartboard on the worst fixed losses",
    "ln(N)/eta + eta T B/8 + T r",
    "<=",
    "learners.experts.dartboard",
    falsified="0",
)
LOSS = Claim(
    "P[loss > L + b] of SparseVectorExperts, all fixed losses with a perfect expert",
    "beta",
    "<=",
    "learners.experts.sparse",
    falsified="for P[loss > 0]",
)
LOSSES = Claim(
    "loss of SparseVectorExperts, some expert perfect, losses fixed",
    "L + b",
    "<=",
    "learners.experts.sparse",
    falsified="against an adversary who observes the experts",
    incorrect_object=True,
)
DELTAS = Claim(
    "delta of K phases whose tests are (0, delta)-DP",
    "1 - (1 - delta)^(K - 1)",
    ">=",
    "learners.accounting.StreamParallel",
    falsified="1",
)

AUDITED = (
    *("dp_hedge", "dartboard", "sparse_experts:rounds=3"),
    "sparse_experts:block=1,easing=1/2,rounds=3",
    "sparse_experts:limit=1,phases=2,rounds=3",
)
SLOW = ("dp_hedge:rounds=4", "dartboard:rounds=4,switches=2", "sparse_experts:rounds=4")
CUT: Cut = {"tail": Fraction(1, 2**24), "resolution": Fraction(1, 10**5)}
TAIL = Fraction(1, 2**24)
RATE = Fraction(1, 4)
"""Rate of the games against all adversaries, whose epsilon is 1 for three rounds."""

VECTORS = tuple(product((0, 1), repeat=3))[:-1]
"""Loss vectors of a round. A loss of all experts is omitted, because it does not change the
weights."""
MOVES: tuple[Move, ...] = (
    *map(Ask, VECTORS),
    *(Challenge(zero, one) for zero, one in combinations(VECTORS, 2)),
)


@recomputes(HEDGE)
def hedge(rounds: int) -> Iterator[Outcome]:
    """Check the privacy of `DPHedge` against adversaries that choose losses after the experts."""
    learner = DPHedge(LossVectors(3), rounds, RATE)
    twice = replace(learner, rate=2 * learner.rate)
    yield audit_outcome(
        HEDGE,
        f"N=3, T={rounds}, eta={RATE}",
        audit_game(AdaptiveStream(learner, rounds), MOVES, learner.privacy),
        false=audit_game(AdaptiveStream(twice, 2), MOVES, _after(learner, 2)),
    )


def _after(learner: DPHedge, rounds: int) -> Event:
    """Return the privacy cost of `rounds` rounds of the learner."""
    return replace(learner, rounds=rounds).privacy


def worst_regret(experts: int, rounds: int, rate: Fraction) -> arb:
    """Return the largest expected regret of exponential weights, over all losses in {0, 1}.

    The future depends on the losses of the experts so far. It does not depend on their names or on
    a loss common to all experts. The distributions are computed from the learner's draws.
    """
    # A unit of 1/T, so that a single vector may hold the losses of all rounds.
    begin = LossVectors(experts, scale=rounds).begin()
    vectors = list(product((0, 1), repeat=experts))

    @cache
    def law(losses: tuple[int, ...]) -> OutputDistribution[int]:
        tally = begin.after(np.array(losses))
        return exact_distribution(lambda coins: tally.draw(rate, coins))

    @cache
    def most(losses: tuple[int, ...], left: int) -> arb:
        if not left:
            return arb(0)
        drawn, found = law(losses), arb.neg_inf()
        for vector in vectors:
            expected = sum((drawn[i] for i in range(experts) if vector[i]), arb(0))
            later = sorted(a + b for a, b in zip(losses, vector, strict=True))
            rest = most(tuple(a - later[0] for a in later), left - 1)
            found = found.max(expected - later[0] + rest)
        return found

    with ctx.workprec(PRECISION):
        return most((0,) * experts, rounds)


@recomputes(REGRET)
def regret(experts: int, rounds: int, rate: Fraction) -> Iterator[Outcome]:
    """Check the expected regret of `DPHedge` on the worst losses, by dynamic programming."""
    with ctx.workprec(PRECISION):
        first = log(experts) / ball(rate)
        yield compare(
            REGRET,
            f"N={experts}, T={rounds}, eta={rate}",
            computed=worst_regret(experts, rounds, rate),
            stated=first + ball(rate) * rounds / 8,
            false=first,
        )


@recomputes(BUDGETED)
def budgeted(rounds: int) -> Iterator[Outcome]:
    """Check the expected regret of `DPHedge` at the rate of a privacy budget, for two experts."""
    budget = Budget(Fraction(1), Fraction(1, 10**6))
    rate = float(DPHedge.within(budget, LossVectors(2), rounds).rate)
    apart = np.arange(-rounds, rounds + 1)
    first = 1 / (1 + np.exp(rate * apart))
    # `worst` is the learner's loss minus the second expert's loss. At the end, the first expert's
    # lead is added. A round adds P[first] if only the first loses, and subtracts it if only the
    # second loses.
    worst = -np.minimum(apart, 0).astype(float)
    for _ in range(rounds):
        ahead, behind = np.r_[worst[1:], -np.inf], np.r_[-np.inf, worst[:-1]]
        worst = np.maximum(worst, np.maximum(first + ahead, behind - first))
    with ctx.workprec(PRECISION):
        stated = 2 * (rounds * log(10**6)).sqrt() * log(2)
        yield compare(
            BUDGETED,
            f"N=2, T={rounds}",
            computed=Fraction(float(worst[rounds])),
            stated=stated,
            false=stated / 2,
            privacy=budget,
        )


@recomputes(CONSTANT)
def constant() -> Iterator[Outcome]:
    """Compute the largest bound relative to [LWY25, Thm E.11] over a grid of parameters.

    Let L = ln(1/delta) >= ln 20. The rate is at most sqrt(2/(T - 1)) (sqrt(L + epsilon) - sqrt(L)).
    At this rate, ln(N)/eta is at most 1.53 sqrt(T L) ln(N)/epsilon, and eta T/8 is at most a
    sixteenth of sqrt(T L) ln(N)/epsilon. At the rate of the least regret, which is used if it is
    less, the regret sqrt(T ln(N)/2) is at most half of sqrt(T L) ln(N)/epsilon.
    """
    for epsilon, delta in ((Fraction(1), Fraction(1, 10**6)), (Fraction(1, 10), Fraction(1, 20))):
        for N, T in ((17, 10**4), (2, 1), (10**5, 10**6), (2, 10**9)):
            learner = DPHedge.within(Budget(epsilon, delta), LossVectors(N), T)
            with ctx.workprec(PRECISION):
                shape = (-T * log(delta)).sqrt() * log(N) / ball(epsilon)
                yield compare(
                    CONSTANT,
                    f"N={N}, T={T}, epsilon={epsilon}, delta={delta}",
                    computed=learner.regret()[1].value or 0,
                    stated=2 * shape,
                    false=shape,
                    privacy=(epsilon, delta),
                )


@recomputes(FREE)
def free(steps: int) -> Iterator[Outcome]:
    """Compare T^(1/3)/epsilon^(2/3) with sqrt(T) for T = 2^steps and epsilon = 2^-k."""
    horizon = 2**steps
    most = max(k for k in range(steps + 1) if horizon**2 * 2 ** (4 * k) <= horizon**3)
    yield compare(
        FREE,
        f"T=2^{steps}",
        computed=Fraction(most, steps),
        stated=Fraction(1, 4),
        false=Fraction(1, 3),
    )


@recomputes(INSTANCES)
def instances(name: str) -> Iterator[Outcome]:
    """Check the privacy of a learner from experts, on all neighbouring losses in {0, 1}."""
    built = instance(name)
    yield audit_outcome(INSTANCES, name, built.audit(**CUT))


@recomputes(UNCOUNTED)
def uncounted() -> Iterator[Outcome]:
    """Check that the dartboard is less private than its decisions without its draws."""
    built = instance("dartboard")
    found = built.audit()
    alone = built.mechanism.keep_epsilon
    yield audit_outcome(UNCOUNTED, "dartboard", found, false=(found.loss, alone, Fraction(0)))


def _distance(learner: ShrinkingDartboard, losses: tuple[tuple[int, ...], ...]) -> arb:
    """Return the total variation distance of the last expert from exponential weights."""
    totals = [sum(column) for column in zip(*losses, strict=True)] if losses else [0, 0, 0]
    law = published(learner).laws()((*losses, (0, 0, 0))).map(_last)
    with ctx.workprec(PRECISION):
        weights = [(-ball(learner.rate) * lost).exp() for lost in totals]
        total = sum(weights, arb(0))
        apart = (abs(law[i] - weight / total) for i, weight in enumerate(weights))
        return sum(apart, arb(0)) / 2


@recomputes(MARGINAL)
def marginal(rounds: int, batch: int) -> Iterator[Outcome]:
    """Check that the dartboard's expert has the distribution of exponential weights."""
    made = ShrinkingDartboard(
        LossVectors(3),
        rounds=rounds,
        rate=Fraction(3, 2),
        batch=batch,
        fake=Fraction(1, 3),
        switches=rounds,
    )
    capped = replace(made, switches=1)
    before = rounds - 1 - (rounds - 1) % batch
    worst = [arb(0), arb(0)]
    for losses in product(product((0, 1), repeat=3), repeat=before):
        for which, learner in enumerate((made, capped)):
            worst[which] = worst[which].max(_distance(learner, losses))
    yield compare(
        MARGINAL,
        f"N=3, T={rounds}, B={batch}, eta=3/2, p=1/3",
        computed=Fraction(float(worst[0].upper())),
        stated=Fraction(1, 10**20),
        twin=Fraction(float(worst[1].lower())),
        changed=(rounds, 1),
    )


def _lost(losses: tuple[tuple[int, ...], ...], answers: Any) -> int:
    """Return the total loss of the published experts."""
    return sum(lost[expert] for (_, expert), lost in zip(answers, losses, strict=True))


def _last(answers: Any) -> int:
    """Return the expert published last."""
    return int(answers[-1][1])


@recomputes(DARTBOARD_REGRET)
def dartboard_regret(rounds: int, batch: int, switches: int) -> Iterator[Outcome]:
    """Check the expected regret of the dartboard on all streams of losses in {0, 1}."""
    learner = ShrinkingDartboard(
        LossVectors(2),
        rounds=rounds,
        rate=Fraction(1),
        batch=batch,
        fake=Fraction(1, 3),
        switches=switches,
    )
    laws, worst = published(learner).laws(), arb(0)
    with ctx.workprec(PRECISION):
        for losses in product(product((0, 1), repeat=2), repeat=rounds):
            law = laws(losses).map(partial(_lost, losses))
            expected = sum((law[lost] * lost for lost in law), arb(0))
            worst = worst.max(expected - min(map(sum, zip(*losses, strict=True))))
    yield compare(
        DARTBOARD_REGRET,
        f"N=2, T={rounds}, B={batch}, K={switches}, eta=1, p=1/3",
        computed=worst,
        stated=Fraction(learner.bounds[0].value or 0),
        false=0,
    )


Position = tuple[PublishedState | None, int]
"""The state of a learner, with the loss of the learner so far."""


@recomputes(LOSS)
def loss(rounds: int) -> Iterator[Outcome]:
    """Check the loss bound of `SparseVectorExperts` for two experts, of which one has no loss."""
    learner = SparseVectorExperts(
        LossVectors(2),
        rounds=rounds,
        phases=Phases.equal(3, 1, Fraction(3, 8)),
        counting=Fraction(40),
    )
    beta = Fraction(2, 5)
    bound = learner.bound(beta)
    worst = [arb(0), arb(0)]

    def step(bit: int, position: Position, coins: Coins) -> Position:
        state, lost = position
        assert state is not None
        item = (0, bit)
        return learner.receive(state, item, coins), lost + item[state.hypothesis]

    def exceeds(law: OutputDistribution[Position], limit: Fraction | int) -> arb:
        return law.probability(lambda position: position[1] > limit)

    def walk(law: OutputDistribution[Position], ones: int, left: int) -> None:
        if ones + left <= limit:  # with so few losses it is not exceeded
            return
        if not left:
            worst[0] = worst[0].max(exceeds(law, limit))
            worst[1] = worst[1].max(exceeds(law, 0))
            return
        for bit in (0, 1):
            walk(law.then(partial(step, bit), tail=TAIL), ones + bit, left - 1)

    assert bound.applies and not bound.vacuous
    limit = bound.value or 0
    walk(exact_distribution(lambda coins: (learner.start(coins), 0), tail=TAIL), 0, rounds)
    yield compare(
        LOSS,
        f"N=2, T={rounds}, K=3, eta=3/8, L + b = {bound.value}",
        computed=worst[0],
        stated=beta,
        twin=worst[1],
        changed=(limit, 0),
    )


@recomputes(LOSSES)
def losses(experts: int, rounds: int, seeds: int) -> Iterator[Outcome]:
    """Check the loss bound of `SparseVectorExperts` on random losses, for a large epsilon."""
    learner = SparseVectorExperts.within(
        Budget(Fraction(16), Fraction(1, 10**6)),
        LossVectors(experts),
        rounds,
        failure=Fraction(1, 10**6),
    )
    fixed = RandomLosses(experts, best=Fraction(0))
    games = [play(learner, fixed, rounds, SeededCoins(seed)) for seed in range(seeds)]
    chased = [play(learner, Chasing(experts), rounds, SeededCoins(seed)) for seed in range(seeds)]
    yield bound_outcome(
        LOSSES,
        f"N={experts}, T={rounds}, epsilon=16",
        learner.bound(Fraction(1, 10**6)),
        [game.loss for game in games],
        twin=[game.loss for game in chased],
    )


@dataclass(frozen=True)
class _Sleeper(StreamMechanism[bool, "_SleeperRun"]):
    """A test that ends at once, or with probability `chance` waits and then reveals a loss.

    It is (0, chance)-DP, because it reads losses only if it waits.
    """

    chance: Fraction

    def start(self, coins: Coins) -> _SleeperRun:
        return _SleeperRun(self)


@dataclass(frozen=True)
class _SleeperRun(StreamRun[_Sleeper, bool]):
    waits: bool | None = None

    @property
    def halted(self) -> bool:
        return self.waits is False

    def _ask(self, bit: int, coins: Coins) -> tuple[bool, _SleeperRun]:
        waits = coins.flip(self.mechanism.chance) if self.waits is None else not bit
        return not waits, replace(self, waits=waits)


@dataclass(frozen=True)
class _WithSleepers(SparseVectorExperts):
    """A learner whose phases end by a `_Sleeper`."""

    chance: Fraction = Fraction(1, 8)

    @property
    def mechanisms(self) -> Any:
        return (_Sleeper(self.chance),) * len(self.phases.thresholds)


@recomputes(DELTAS)
def deltas(phases: int) -> Iterator[Outcome]:
    """Check that the deltas of K phases add up, if each phase may wait for the changed round."""
    learner = _WithSleepers(
        LossVectors(2),
        rounds=phases + 1,
        phases=Phases.equal(phases, 1, Fraction(1, 10**6)),
        counting=Fraction(1),
    )
    chance = learner.chance
    quiet = ((0, 0),) * (phases - 1)
    pair = (*quiet, (0, 0), (0, 0)), (*quiet, (1, 1), (0, 0))
    found = audit(published(learner), [pair], (0, chance))
    yield compare(
        DELTAS,
        f"K={phases}, delta={chance}",
        computed=found.measured,
        stated=1 - (1 - chance) ** (phases - 1) - Fraction(1, 10**5),
        false=1,
    )


def checks() -> list[ClaimCheck]:
    """Return the checks: audits, exact regrets, and games at larger sizes."""
    topic = "experts-private"
    rates = (Fraction(1), Fraction(1, 2), Fraction(3))
    return [
        ClaimCheck(topic, budgeted, (1000,)),
        ClaimCheck(topic, hedge, (3,)),
        ClaimCheck(topic, hedge, (4,), slow=True),
        *(
            ClaimCheck(topic, regret, (experts, rounds, rate))
            for experts, rounds in ((2, 4), (2, 12), (3, 12))
            for rate in rates
        ),
        ClaimCheck(topic, constant),
        ClaimCheck(topic, free, (48,)),
        *(ClaimCheck(topic, instances, (name,)) for name in AUDITED),
        *(ClaimCheck(topic, instances, (name,), slow=True) for name in SLOW),
        ClaimCheck(topic, uncounted),
        ClaimCheck(topic, marginal, (3, 1)),
        ClaimCheck(topic, marginal, (3, 2)),
        ClaimCheck(topic, marginal, (4, 1), slow=True),
        ClaimCheck(topic, dartboard_regret, (4, 1, 2)),
        ClaimCheck(topic, dartboard_regret, (4, 2, 1)),
        ClaimCheck(topic, loss, (7,)),
        ClaimCheck(topic, losses, (1000, 2_500, 2)),
        ClaimCheck(topic, losses, (1000, 10_000, 3), slow=True),
        ClaimCheck(topic, deltas, (3,)),
        ClaimCheck(topic, deltas, (4,)),
    ]
