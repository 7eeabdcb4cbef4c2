"""Claims about MWEM and about online learners that use a sanitizer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, pairwise, product
from typing import Any

import numpy as np
from flint import arb, ctx
from numpy.typing import NDArray

import catalog
from learners.audit import audit, audit_game, clopper_pearson
from learners.audit.audit_registry import instance
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
from learners.experts.batched_online import SanitizedOnline
from learners.experts.hedge import Hedge
from learners.games import AdaptiveStream, Ask, Challenge, Move
from learners.number_arguments import PRECISION
from learners.pac.samples import Example
from learners.playing.expert_sources import TableExperts
from learners.playing.learner import Kept
from learners.sanitizers.base import SANITIZATION_ERROR, ExactSanitizer, sanitization_error
from learners.sanitizers.mwem import MWEMRun, MWEMSanitizer
from learners.sanitizers.point_samples import PointSample
from lsclasses.table import Table

__all__ = ["StopsWithoutNoise", "WorstCoins", "_mwem_checks", "divergences"]


# ---- mwem


TOPIC = "sanitizers"
SOURCE = "learners.sanitizers.mwem"
SANITIZER = ("LWY25 Def 2.7",)
EPSILON, DELTA = Fraction(1), Fraction(1, 10**6)
CONFIDENCE = Fraction(1, 10**6)
LABELLED = "errors of "

PRIVATE = Claim(
    "privacy of MWEM, whole transcripts, all neighbouring data sets",
    "T (e_1 + e_2)",
    source=SOURCE,
    falsified="stopping without noise",
    incorrect_object=True,
)
FALL = Claim(
    "least fall of KL(P_S || P_t) in an update, divided by 2 (5 alpha/8)^2",
    "1 - 1/256",
    ">=",
    SOURCE,
    falsified="2",
)
STEP = Claim(
    "steps of 4 gap: least fall of KL(P_S || P_t), divided by gap^2",
    "2",
    ">=",
    SOURCE,
    falsified="5/2",
)
UPDATES = Claim(
    "choices and noise as bad as the proof allows: most updates, divided by ln|X|",
    "1/(2 (5 alpha/8)^2), rounding added",
    "<=",
    SOURCE,
    falsified="an eighth of it",
)
ROUNDS = Claim(
    "most rounds until WIN",
    "T",
    "<=",
    SOURCE,
    falsified="4",
)
WORST = Claim(
    f"{SANITIZATION_ERROR}, choices and noise as bad as the proof allows",
    "alpha",
    "<=",
    SOURCE,
    statements=SANITIZER,
    falsified="2/3 alpha",
)
ERROR = Claim(
    f"{SANITIZATION_ERROR} with the rows that are needed",
    "alpha",
    "<=",
    SOURCE,
    statements=SANITIZER,
    falsified="alpha/2",
)
FAILURE = Claim(
    f"P[{SANITIZATION_ERROR} > alpha], upper bound at confidence 1 - 10^-6",
    "beta",
    "<=",
    SOURCE,
    statements=SANITIZER,
    falsified="for alpha/2",
)


class StopsWithoutNoise(MWEMSanitizer):
    """An incorrect variant of MWEM, which compares true counts without noise and is not private."""

    def _passes(self, true: int, least: int, coins: Coins) -> bool:
        return true >= least


class WorstCoins(SeededCoins):
    """The worst coins that the proof of accuracy allows.

    Among the queries that fall short of the best by at most alpha n/8, these coins choose the worst
    query. The noise is plus or minus alpha n/8.

    Parameters
    ----------
    sanitizer : MWEMSanitizer
        Sanitizer that draws from the coins.
    rows : int
        Number of rows.
    noise : {"high", "low", "mixed"}
        Sign of the noise: always one sign, or both signs in turn.
    """

    def __init__(self, sanitizer: MWEMSanitizer, rows: int, noise: str) -> None:
        super().__init__(1)
        self._slack = sanitizer.alpha * rows / 8
        self._select = sanitizer.select
        self._signs = {"high": (1, 1), "low": (-1, -1), "mixed": (1, -1)}[noise]
        self._turn = 0

    def pick_from(
        self,
        log_weights: NDArray[np.integer],
        unit: Fraction | int = 1,
        counts: NDArray[np.int64] | None = None,
    ) -> int:
        """Return the worst query whose score is close enough to the best score."""
        # The unit is half of the budget over the factor by which scores are multiplied.
        factor = self._select / (2 * Fraction(unit))
        near = log_weights >= int(log_weights.max()) - int(self._slack * factor)
        return int(np.flatnonzero(near)[np.argmin(log_weights[near])])

    def at_least(self, value: int, scale: Fraction | int, threshold: int) -> bool:
        """Return whether the count reaches the threshold with the worst noise."""
        self._turn += 1
        return value + self._signs[self._turn % 2] * int(self._slack) >= threshold


def samples(C: Table, rows: int, several: int) -> list[PointSample]:
    """Return random data sets, from uniform points to a constant point."""
    found = []
    for seed in range(several):
        rng = np.random.default_rng(seed)
        law = rng.dirichlet([(0.02, 0.1, 0.5, 3)[seed % 4]] * len(C.domain))
        found.append(PointSample.at(C.domain, rng.choice(len(C.domain), rows, p=law)))
    return found


def table(specification: str) -> Table:
    """Return the class of a specification as a table.

    If the specification begins with `LABELLED`, the result is the class of the errors of the
    concepts on labelled points.
    """
    name = specification.removeprefix(LABELLED)
    C = catalog.build(name).to_table()
    return C if name == specification else C.label_class()


def worst_runs(
    C: Table, alpha: Fraction, rows: int = 997
) -> Iterator[tuple[MWEMSanitizer, PointSample, MWEMRun]]:
    """Return runs with the worst coins on some data sets."""
    sanitizer = MWEMSanitizer.for_error(C, alpha, Budget(EPSILON, DELTA))
    for sample in samples(C, rows, 12):
        for noise in ("high", "low", "mixed"):
            yield sanitizer, sample, sanitizer.run(sample, WorstCoins(sanitizer, rows, noise))


def divergences(
    sanitizer: MWEMSanitizer, sample: PointSample, updates: Sequence[int]
) -> Iterator[tuple[arb, arb, arb]]:
    """Yield the divergence KL(P_S || P*_t) before every update, with the shares of its query h.

    The shares are P_S(h) and P*_t(h). By the definitions, P*_t(x) is in proportion to the product
    of exp(5 alpha h(x)/2) over the updates so far, and KL is the sum of P ln(P/Q). The last entry,
    after the last update, has two zeros.
    """
    labels = sanitizer.of.labels
    queries = np.concatenate([labels, 1 - labels]).tolist()
    with ctx.workprec(PRECISION):
        true = [ball(Fraction(count, len(sample))) for count in sample.counts.tolist()]
        step = ball(5 * sanitizer.alpha / 2).exp()
        weights, zero = [arb(1)] * len(true), arb(0)
        for query in updates:
            ones = queries[query]
            law = _shares(weights)
            yield _divergence(true, law), _of(ones, true), _of(ones, law)
            weights = [w * step if y else w for w, y in zip(weights, ones, strict=True)]
        yield _divergence(true, _shares(weights)), zero, zero


def _shares(weights: Sequence[arb]) -> list[arb]:
    total = sum(weights, arb(0))
    return [weight / total for weight in weights]


def _divergence(true: Sequence[arb], law: Sequence[arb]) -> arb:
    return sum((p * (p / q).log() for p, q in zip(true, law, strict=True) if p > 0), arb(0))


def _of(ones: Sequence[int], law: Sequence[arb]) -> arb:
    return sum((p for p, y in zip(law, ones, strict=True) if y), arb(0))


def _least(balls: Sequence[arb]) -> arb:
    least = balls[0]
    for enclosure in balls:
        least = least.min(enclosure)
    return least


# ---- recomputed claims


@recomputes(PRIVATE)
def private(specification: str) -> Iterator[Outcome]:
    """Check the privacy of MWEM's transcripts on all neighbouring data sets."""
    built = instance(specification)
    good = built.mechanism
    twin = StopsWithoutNoise(good.of, good.alpha, good.max_rounds, good.select, good.test)
    yield audit_outcome(
        PRIVATE,
        specification.partition(":")[2] or "2 points, 3 rows, 2 rounds",
        built.audit(),
        false=audit(built.release(twin), [built.inputs], built.privacy),
    )


@recomputes(FALL, STEP, UPDATES, WORST)
def worst(specification: str, alpha: Fraction) -> Iterator[Outcome]:
    """Check the error and the number of updates of MWEM, with the worst allowed coins."""
    C = table(specification)
    falls, steps, updates, errors = [], [], 0, Fraction(0)
    for sanitizer, sample, run in worst_runs(C, alpha):
        path = list(divergences(sanitizer, sample, run.updates))
        with ctx.workprec(PRECISION):
            for (before, true, share), (after, _, _) in pairwise(path):
                gap = true - share
                falls.append((before - after) / (2 * ball(5 * alpha / 8) ** 2))
                moved = (1 + share * ((4 * gap).exp() - 1)).log()
                steps.append((4 * gap * true - moved) / gap**2)
        updates = max(updates, len(run.updates) if run.won else sanitizer.max_rounds + 1)
        errors = max(errors, sanitization_error(run.data, C, sample))
    where = f"{specification}, alpha={alpha}"
    with ctx.workprec(PRECISION):
        most, allowed = updates / log(len(C.domain)), 1 / ball(sanitizer.drop)
        yield compare(FALL, where, computed=_least(falls), stated=1 - Fraction(1, 256), false=2)
        yield compare(STEP, where, computed=_least(steps), stated=2, false=Fraction(5, 2))
        yield compare(UPDATES, where, computed=most, stated=allowed, false=allowed / 8)
    yield compare(WORST, where, computed=errors, stated=alpha, false=2 * alpha / 3)


@recomputes(ROUNDS, ERROR, FAILURE)
def seeded(specification: str, alpha: Fraction, seeds: int) -> Iterator[Outcome]:
    """Check the error of MWEM in seeded runs at the needed sample size."""
    C = table(specification)
    sanitizer = MWEMSanitizer.for_error(C, alpha, Budget(EPSILON, DELTA))
    rounds, errors = _runs(sanitizer, sanitizer.needed, seeds)
    where = f"{specification}, alpha={alpha}, n={sanitizer.needed}, {seeds} seeds"
    yield compare(
        ROUNDS,
        where,
        computed=max(rounds),
        stated=sanitizer.max_rounds,
        false=4,
        privacy=(EPSILON, DELTA),
    )
    yield bound_outcome(
        ERROR, where, sanitizer.bounds()[0], errors, false=alpha / 2, privacy=(EPSILON, DELTA)
    )
    yield compare(
        FAILURE,
        where,
        computed=_failure(errors, alpha)[1],
        stated=sanitizer.beta,
        twin=_failure(errors, alpha / 2)[0],
        changed=(alpha, alpha / 2),
        privacy=(EPSILON, DELTA),
    )


def _runs(sanitizer: MWEMSanitizer, rows: int, seeds: int) -> tuple[list[int], list[Fraction]]:
    several = samples(sanitizer.of, rows, 8)
    rounds, errors = [], []
    for seed in range(seeds):
        sample = several[seed % len(several)]
        run = sanitizer.run(sample, SeededCoins(seed))
        rounds.append(run.rounds if run.won else sanitizer.max_rounds + 1)
        errors.append(sanitization_error(run.data, sanitizer.of, sample))
    return rounds, errors


def _failure(errors: Sequence[Fraction], alpha: Fraction) -> tuple[Fraction, Fraction]:
    return clopper_pearson(sum(error > alpha for error in errors), len(errors), CONFIDENCE)


SEEDS = 280
"""Number of seeded runs. If no run fails, failures are rarer than beta = 1/20, with confidence 1 -
beta."""


def _mwem_checks() -> list[ClaimCheck]:
    """Return the checks of the smallest instances first."""
    audits = ("mwem:rounds=1", "mwem", "mwem:points=3", "mwem:alpha=1/4,rows=2,rounds=3")
    grid = [
        (specification, alpha)
        for specification in (
            "points:n=4",
            "thresholds:n=16",
            "cube:n=3",
            "intervals:n=8",
            "errors of thresholds:n=8",
        )
        for alpha in (Fraction(1, 4), Fraction(1, 2), Fraction(1, 10))
    ]
    return [
        *(ClaimCheck(TOPIC, private, (name,)) for name in audits),
        ClaimCheck(TOPIC, private, ("mwem:points=3,rounds=3",), slow=True),
        *(ClaimCheck(TOPIC, worst, each) for each in grid),
        ClaimCheck(TOPIC, seeded, ("thresholds:n=16", Fraction(1, 5), SEEDS)),
        ClaimCheck(TOPIC, seeded, ("intervals:n=8", Fraction(1, 10), SEEDS), slow=True),
        ClaimCheck(TOPIC, seeded, ("thresholds:n=256", Fraction(1, 10), SEEDS), slow=True),
        ClaimCheck(TOPIC, seeded, ("intervals:n=64", Fraction(1, 20), SEEDS), slow=True),
    ]


# ---- online


ALGORITHM = ("LWY25 Alg 3", "LWY25 Thm 4.1", "LWY25 Cor 4.3")

ONLINE_PRIVATE = Claim(
    "privacy of SanitizedOnline against all adaptive adversaries",
    "what one batch costs",
    source="learners.experts.batched_online",
    statements=ALGORITHM,
    falsified="copies are told the true examples",
    incorrect_object=True,
)
UNORDERED = replace(
    ONLINE_PRIVATE,
    quantity=f"{ONLINE_PRIVATE.quantity}, without the random order of synthetic examples",
)
REGRET = Claim(
    "expected regret of SanitizedOnline, mean over seeds",
    "B R(T/B) + 2 a T",
    source="learners.experts.batched_online",
    statements=("LWY25 Thm 4.1",),
    falsified="without the random order",
    incorrect_object=True,
)
PRIVATE_REGRET = replace(
    REGRET,
    formula="B R(T/B) + 2 a T + b T (T/B - 1)",
    falsified="half of it",
)


@dataclass(frozen=True)
class InOrder(SanitizedOnline):
    """An incorrect variant that gives the i-th synthetic example in domain order to copy i."""

    def _order(self, coins: Coins) -> tuple[int, ...]:
        return tuple(range(self.batch))


@dataclass(frozen=True)
class Open(SanitizedOnline):
    """An incorrect variant whose copies receive the true examples."""

    def _after_batch(
        self, copies: tuple[Kept, ...], counts: tuple[int, ...], coins: Coins
    ) -> tuple[Kept, ...]:
        true = replace(self, sanitizer=ExactSanitizer(self.sanitizer.concept_class))
        return SanitizedOnline._after_batch(true, copies, counts, coins)


# ---- privacy


def _learner(kind: type[SanitizedOnline], points: int, batches: int) -> SanitizedOnline:
    C = Table([[int(x == i) for x in range(points)] for i in range(points)] + [[0] * points])
    sanitizer = MWEMSanitizer(C.label_class(), Fraction(1, 2), 1, Fraction(1, 2), Fraction(3, 2))
    return kind(sanitizer, Hedge(TableExperts(C), batches, Fraction(30)), 2 * batches, 2)


def _moves(points: int) -> list[Move]:
    examples = list(product(range(points), (0, 1)))
    listed: list[Move] = [Ask(example) for example in examples]
    return listed + [Challenge(x, y) for x, y in combinations(examples, 2)]


@recomputes(ONLINE_PRIVATE, UNORDERED)
def online_private(points: int, batches: int) -> Iterator[Outcome]:
    """Check the privacy of `SanitizedOnline` against adaptive adversaries, for batches of two."""
    rounds, found = 2 * batches, {}
    for kind in (SanitizedOnline, InOrder, Open):
        learner = _learner(kind, points, batches)
        assert learner.privacy is not None
        game = AdaptiveStream(learner, rounds)
        found[kind] = audit_game(game, _moves(points), learner.privacy)
    where = f"{points} point{'s' * (points > 1)}, {batches} batches of 2"
    met = {"B divides T": rounds % learner.batch == 0}
    good, unordered, false = (found[kind] for kind in (SanitizedOnline, InOrder, Open))
    yield audit_outcome(ONLINE_PRIVATE, where, good, false=false, hypotheses=met)
    yield audit_outcome(UNORDERED, where, unordered, false=false, hypotheses=met)


# ---- regret


def expected_regret(learner: SanitizedOnline, stream: Sequence[Example], coins: Coins) -> float:
    """Return the expected mistakes given the sanitizer's releases, less the best concept's.

    The copies must be `Hedge` over a table. The expectation is over the draws of copies and
    concepts. It is computed and not sampled.
    """
    hedge = learner.copy
    assert isinstance(hedge, Hedge)
    experts = hedge.experts
    assert isinstance(experts, TableExperts)
    pairs: Any = learner.sanitizer.domain
    B, wrong = learner.batch, {pair: experts.losses(pair).astype(float) for pair in pairs}
    kept = learner._begin(coins)
    mistakes, least = 0.0, np.zeros(experts.size)
    for start in range(0, learner.rounds, B):
        losses = np.array([copy.tally.losses for copy in kept.copies])
        chances = np.exp(-float(hedge.rate) * (losses - losses.min(1, keepdims=True)))
        chances /= chances.sum(1, keepdims=True)
        drawn = chances.mean(0)
        for example in stream[start : start + B]:
            mistakes += float(wrong[example] @ drawn)
            least += wrong[example]
            kept = learner._receive(kept, *example, coins)
    return mistakes - float(least.min())


def _rounded(value: float) -> Fraction:
    """Return the number rounded to tenths."""
    return Fraction(round(10 * value), 10)


def _alternating(points: int, rounds: int) -> list[Example]:
    """Return every point in turn, all with the label 1."""
    return [(t % points, 1) for t in range(rounds)]


@recomputes(REGRET)
def order(points: int, batch: int, rounds: int, seeds: int) -> Iterator[Outcome]:
    """Check that the random order of synthetic examples is needed for a small regret."""
    C = Table([[int(x == i) for x in range(points)] for i in range(points)] + [[1] * points])
    exact, copies = ExactSanitizer(C.label_class()), Hedge(TableExperts(C), rounds // batch)
    stream, found = _alternating(points, rounds), {}
    for kind in (SanitizedOnline, InOrder):
        learner = kind(exact, copies, rounds, batch)
        runs = [expected_regret(learner, stream, SeededCoins(seed)) for seed in range(seeds)]
        found[kind] = _rounded(sum(runs) / seeds)
    value = SanitizedOnline(exact, copies, rounds, batch).bounds[0].value
    assert value is not None
    where = f"{points} points in turn, all positive, T = {rounds}, B = {batch}"
    yield compare(
        REGRET,
        where,
        computed=found[SanitizedOnline],
        stated=_rounded(float(value)),
        twin=found[InOrder],
        hypotheses={"B divides T": rounds % batch == 0},
    )


@recomputes(PRIVATE_REGRET)
def regret(
    spec: str, rounds: int, epsilon: Fraction, delta: Fraction, seeds: int
) -> Iterator[Outcome]:
    """Check the regret bound of `SanitizedOnline` with a private sanitizer.

    All examples have one point and the label 1, and there are two batches. With more batches, the
    bound on R(T/B) is further from the regret.
    """
    C, budget = catalog.build(spec), Budget(epsilon, delta)
    learner = SanitizedOnline.within(budget, C, rounds, batch=rounds // 2)
    value = learner.bounds[0].value
    assert value is not None
    stream = [(next(iter(C.domain)), 1)] * rounds
    runs = [expected_regret(learner, stream, SeededCoins(seed)) for seed in range(seeds)]
    stated = _rounded(float(value))
    yield compare(
        PRIVATE_REGRET,
        f"{spec}, T = {rounds}, B = {learner.batch}, epsilon = {epsilon}, one positive point",
        computed=_rounded(sum(runs) / seeds),
        stated=stated,
        false=stated / 2,
        trivial=rounds,
        privacy=budget,
        hypotheses={"B divides T": rounds % learner.batch == 0},
    )


def _online_checks() -> list[ClaimCheck]:
    """Return the checks of small games against all adversaries, and of regret by order."""
    weak = Fraction(2), Fraction(1, 100)
    return [
        ClaimCheck(TOPIC, online_private, (1, 2)),
        ClaimCheck(TOPIC, order, (2, 10, 2000, 5)),
        ClaimCheck(TOPIC, regret, ("points:n=2", 80_000, *weak, 1)),
        ClaimCheck(TOPIC, online_private, (2, 2), slow=True),
        ClaimCheck(TOPIC, online_private, (1, 3), slow=True),
        ClaimCheck(TOPIC, order, (4, 20, 20_000, 5), slow=True),
        ClaimCheck(TOPIC, regret, ("points:n=2", 120_000, *weak, 5), slow=True),
    ]


def checks() -> list[ClaimCheck]:
    """Return the checks of the topic, part by part."""
    return [*_mwem_checks(), *_online_checks()]
