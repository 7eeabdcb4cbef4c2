"""Claims about discriminators and the fooling algorithm of Algorithm 10."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from typing import TypeVar

from flint import arb, ctx

import catalog
from learners.accounting import total
from learners.audit.audit_registry import instance
from learners.audit.instances import Instance, Pairs, neighbouring_tables
from learners.balls import ball, ceiling
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
from learners.exact import PRECISION, OutputDistribution, exact_distribution
from learners.mechanisms.noise import tail
from learners.pac.samples import Example, Sample
from learners.sanitizers.base import ExactSanitizer, Release, sanitization_error
from learners.sanitizers.discriminators import (
    FoolingDiscriminator,
    MarkedPoints,
    RealizableDiscriminator,
)
from learners.sanitizers.evidence.instances import RevealingSanitizer
from learners.sanitizers.evidence.rounds import data_sets
from learners.sanitizers.fooling import FoolingSanitizer
from learners.sanitizers.mwem import MWEMSanitizer
from learners.sanitizers.point_samples import PointSample
from learners.sanitizers.splitting import LabelledBySplitting, SplitEstimates
from lsclasses.hypothesis import Concept, Hypothesis
from lsclasses.point_names import Label
from lsclasses.table import Table

# ---- discriminators


TOPIC = "sanitizers"
NAMES: dict[type, str] = {
    FoolingDiscriminator: "fooling_discriminator",
    RealizableDiscriminator: "realizable_discriminator",
}
Either = FoolingDiscriminator | RealizableDiscriminator
Kind = type[FoolingDiscriminator] | type[RealizableDiscriminator]
Answer = Concept | tuple[Concept, Label] | None
"""Answer of either discriminator: a concept with too large a share, one with its label, or None."""
Twin = TypeVar("Twin", FoolingDiscriminator, RealizableDiscriminator)

FOOLING = ("LWY25 Lemma D.7",)
REALIZABLE = ("LWY25 Lemma E.2",)

PRIVATE = {
    kind: Claim(
        f"privacy of {kind.__name__}",
        "epsilon",
        source="learners.sanitizers.discriminators",
        statements=statements,
        falsified="epsilon/2",
    )
    for kind, statements in ((FoolingDiscriminator, FOOLING), (RealizableDiscriminator, REALIZABLE))
}
WRONG = {
    kind: Claim(
        f"worst P[an answer of {kind.__name__} is wrong] with rows_needed points",
        "beta",
        source="learners.sanitizers.discriminators",
        statements=statements,
        falsified="with a twentieth of the points",
    )
    for kind, statements in ((FoolingDiscriminator, FOOLING), (RealizableDiscriminator, REALIZABLE))
}
POWER = Claim(
    "P[a test passes at the gap 1] - P[it passes at the gap 0], with the printed noise",
    "(1 + alpha) epsilon/3",
    source="learners.sanitizers.discriminators",
    statements=FOOLING,
    falsified="with the noise that is right",
)


# ---- privacy


class TooLittleNoise:
    """An incorrect variant of both discriminators, with noise for share sensitivity 1/n^2."""

    size: int

    @property
    def scale(self) -> Fraction:
        """The right scale divided by n."""
        return super().scale / self.size  # type: ignore[misc, no-any-return]


def _twin(discriminator: Twin, wrong: type) -> Twin:
    kind = type(discriminator)
    made = type(f"{wrong.__name__}{kind.__name__}", (wrong, kind), {})
    d = discriminator
    twin: Twin = made(d.of, d.size, d.alpha, d.epsilon, beta=d.beta, parts=d.parts)
    return twin


def _proposals(kind: Kind, C: Table) -> list[tuple[int, ...]]:
    if kind is RealizableDiscriminator:
        return list(product((0, 1), repeat=len(C)))
    weights = (0, 1, 2) if len(C.domain) < 3 else (0, 1)
    return [q for q in product(weights, repeat=len(C.domain)) if any(q)]


def _pairs(kind: Kind, C: Table, rows: int) -> Pairs:
    pairs = neighbouring_tables(list(C.domain), rows, "replace_one")
    return tuple(((zero, q), (one, q)) for q in _proposals(kind, C) for zero, one in pairs)


def _classes(points: int, concepts: int) -> list[Table]:
    """Return all classes of `concepts` concepts."""
    return [Table(list(chosen)) for chosen in combinations(_cube(points), concepts)]


def _cube(points: int) -> list[tuple[int, ...]]:
    return list(product((0, 1), repeat=points))


def _instances(kind: Kind, points: int, rows: int, concepts: int | None) -> Iterator[Instance]:
    shipped = instance(f"{NAMES[kind]}:points={points},rows={rows},epsilon=1")
    known = shipped.mechanism
    for C in [known.of] if concepts is None else _classes(points, concepts):
        mechanism = kind(C, rows, known.alpha, known.epsilon)
        yield Instance(mechanism, shipped.release, _pairs(kind, C, rows))


@recomputes(*PRIVATE.values())
def private(points: int, rows: int, concepts: int | None) -> Iterator[Outcome]:
    """Check the privacy of the discriminators on all neighbouring data sets.

    Check all neighbouring data sets and proposals, for the shipped class or all of a size.
    """
    for kind, claim in PRIVATE.items():
        built = list(_instances(kind, points, rows, concepts))
        findings = [each.audit() for each in built]
        worst = max(range(len(built)), key=lambda i: float(findings[i].least_epsilon))
        number = (
            f"the class of {len(built[0].mechanism.of)} concepts that ships"
            if concepts is None
            else f"all {len(built)} classes of {concepts} concepts"
        )
        where = f"{number}, {points} points, n = {rows}"
        yield audit_outcome(claim, where, findings[worst], false=Fraction(1, 2))


# ---- accuracy


def wrong(
    discriminator: Either, points: PointSample, proposal: Sequence[int], answer: Answer
) -> bool:
    """Return whether Lemmas D.7 and E.2, as they are worded, forbid an answer."""
    alpha, shares = discriminator.alpha, dict(enumerate(points.frequencies(discriminator.of)))
    if isinstance(discriminator, RealizableDiscriminator):
        if answer is None:
            return any(
                (share >= alpha and not proposal[h]) or (share == 0 and proposal[h])
                for h, share in shares.items()
            )
        assert isinstance(answer, tuple)
        h, label = discriminator.of.position(answer[0]), answer[1]
        assert h is not None
        far = shares[h] >= 5 * alpha / 9 if label else shares[h] <= 4 * alpha / 9
        return proposal[h] == label or not far
    weights, total = dict(zip(points.domain, proposal, strict=True)), sum(proposal)

    def proposed(h: Hypothesis) -> Fraction:
        return Fraction(sum(w for x, w in weights.items() if h(x)), total)

    if answer is None:
        return any(abs(shares[i] - proposed(h)) > alpha for i, h in enumerate(discriminator.of))
    assert isinstance(answer, Concept)
    return bool(points.frequency(answer) - proposed(answer) < alpha / 2)


def answers(
    discriminator: Either, points: PointSample, proposal: Sequence[int]
) -> OutputDistribution[Answer]:
    """Return the exact distribution of the answer."""
    data = MarkedPoints(points)
    return exact_distribution(lambda coins: discriminator.answer(data, proposal, coins))


def _spread(points: int, steps: int) -> list[tuple[int, ...]]:
    """Return all ways to distribute `steps` steps among points."""
    return [q for q in product(range(steps + 1), repeat=points) if sum(q) == steps]


def _worst(discriminator: Either, proposals: Sequence[tuple[int, ...]], steps: int) -> arb:
    """Return the worst case for data with shares that are multiples of 1/steps, up to rounding."""
    C, n, worst = discriminator.of, discriminator.size, arb(0)
    for shares in _spread(len(C.domain), steps):
        counts = [n * share // steps for share in shares]
        counts[max(range(len(counts)), key=counts.__getitem__)] += n - sum(counts)
        points = PointSample.counted(C.domain, dict(zip(C.domain, counts, strict=True)))
        for proposal in proposals:
            law = answers(discriminator, points, proposal)
            chance = law.probability(
                lambda answer: wrong(discriminator, points, proposal, answer)  # noqa: B023
            )
            worst = worst.max(chance)
    return worst


@recomputes(*WRONG.values())
def accurate(alpha: Fraction, epsilon: Fraction, steps: int) -> Iterator[Outcome]:
    """Check the failure probability of the discriminators on two points.

    Check thresholds on two points, with all proposals and all data on a grid, exactly.
    """
    C, beta = Table([[1, 1], [0, 1], [0, 0]]), Fraction(1, 20)
    for kind, claim in WRONG.items():
        discriminator = kind(C, 1, alpha, epsilon, beta=beta)
        n = discriminator.rows_needed
        proposals = _proposals(kind, C) if kind is RealizableDiscriminator else _spread(2, steps)
        with ctx.workprec(PRECISION):
            found, few = (
                _worst(kind(C, size, alpha, epsilon, beta=beta), proposals, steps)
                for size in (n, n // 20)
            )
        where = f"thresholds on 2 points, alpha = {alpha}, epsilon = {epsilon}, n = {n}"
        yield compare(
            claim,
            where,
            computed=found,
            stated=beta,
            twin=few,
            changed=(n, n // 20),
            privacy=discriminator.privacy,
        )


# ---- the printed noise


class LargeNoise:
    """An incorrect variant with the noise on the share in [LWY25, proof of Lemma D.7]."""

    size: int

    @property
    def scale(self) -> Fraction:
        """The right scale times the number of points."""
        return super().scale * self.size  # type: ignore[misc, no-any-return]


@recomputes(POWER)
def printed(alpha: Fraction, epsilon: Fraction) -> Iterator[Outcome]:
    """Check that a test with the printed noise hardly depends on the data.

    Compute the number of points that the lemma needs, for a constant concept.
    """
    C, beta = Table([[0, 1]]), Fraction(1, 20)
    # [LWY25, proof of Lemma D.7]: 20 ln(60/(alpha beta))/(epsilon alpha), corrected to 60
    right = FoolingDiscriminator(C, 1, alpha, epsilon, beta=beta)
    right = FoolingDiscriminator(C, right.rows_needed, alpha, epsilon, beta=beta)
    loud = _twin(right, LargeNoise)
    with ctx.workprec(PRECISION):
        yield compare(
            POWER,
            f"alpha = {alpha}, epsilon = {epsilon}, beta = {beta}, n = {right.size}",
            computed=_power(loud),
            stated=(1 + alpha) * epsilon / 3,
            twin=_power(right),
            changed=(loud.scale, right.scale),
            privacy=(epsilon, 0),
        )


def _power(discriminator: FoolingDiscriminator) -> arb:
    """Return the gain in P[the test passes] of a part-0 concept that is 1 always, not never."""
    n, least = discriminator.size, discriminator.threshold(0)
    return tail(discriminator.scale, least - n) - tail(discriminator.scale, least)


def _discriminators_checks() -> list[ClaimCheck]:
    """Return the checks of small instances and of exact distributions at the proved sizes."""
    tenth = Fraction(1, 10)
    return [
        ClaimCheck(TOPIC, private, (3, 3, None)),
        ClaimCheck(TOPIC, accurate, (Fraction(1, 4), Fraction(1), 8)),
        *(
            ClaimCheck(TOPIC, accurate, (Fraction(1, 4), Fraction(1), steps), slow=True)
            for steps in (10, 20)
        ),
        *(ClaimCheck(TOPIC, printed, (tenth, epsilon)) for epsilon in (tenth, Fraction(1))),
        *(ClaimCheck(TOPIC, private, (2, rows, None), slow=True) for rows in (1, 2, 3)),
        *(ClaimCheck(TOPIC, private, (3, 3, concepts), slow=True) for concepts in (2, 3)),
        ClaimCheck(TOPIC, accurate, (Fraction(1, 8), Fraction(1, 2), 40), slow=True),
    ]


# ---- fooling


ERROR = Claim(
    "sanitization error of FoolingSanitizer",
    "alpha",
    source="learners.sanitizers.fooling",
    statements=("LWY25 Def 2.7", "LWY25 Lemma D.7", "LWY25 Thm 4.2"),
    falsified="alpha/2",
)
SPLIT = Claim(
    "most that the formula for errors is off, over all concepts and data sets, without noise",
    "0",
    relation="==",
    source="learners.sanitizers.splitting",
    statements=("LWY25 Lemma 2.8",),
    falsified="without what the padding contributes",
    incorrect_object=True,
)
SPLIT_ERROR = Claim(
    "error of split estimates whose parts are off by alpha, and the number of ones by z",
    "2 alpha + z/n",
    source="learners.sanitizers.splitting",
    statements=("LWY25 Lemma 2.8",),
    falsified="2 alpha",
)


ONES = Claim(
    "exact inner estimates, n = ceil(ln(1/beta)/(epsilon alpha)): P[sanitization error of "
    "LabelledBySplitting > alpha]",
    "beta",
    source="learners.sanitizers.splitting",
    statements=("LWY25 Lemma 2.8",),
    falsified="with half of n",
)
REVEALED = Claim(
    "delta of LabelledBySplitting, if the inner sanitizer reveals its points with probability "
    "delta",
    "2 delta",
    source="learners.sanitizers.splitting",
    statements=("LWY25 Lemma 2.8",),
    falsified="delta",
)
NOISY = Claim(
    "sanitization error of LabelledBySplitting with a private sanitizer inside",
    "2 alpha + z/n",
    source="learners.sanitizers.splitting",
    statements=("LWY25 Lemma 2.8",),
    falsified="half of it",
)


# ---- errors


@recomputes(ERROR)
def errors(spec: str, alpha: Fraction, seeds: int) -> Iterator[Outcome]:
    """Check the error of `FoolingSanitizer` at the sample size that is proved to suffice."""
    C = catalog.build(spec).to_table()
    budget = Budget(Fraction(1), Fraction(1, 10**6))
    sanitizer = FoolingSanitizer.for_error(C, alpha, budget)
    (bound,), found = sanitizer.bounds(), []
    for seed, points in enumerate(data_sets(C) * (seeds // 4)):
        repeated = points.places.repeat(sanitizer.rows // len(points) + 1)[: sanitizer.rows]
        rows = PointSample.at(C.domain, repeated)
        found.append(sanitization_error(sanitizer.release(rows, SeededCoins(seed)), C, rows))
    where = f"{spec}, n = {sanitizer.rows}"
    yield bound_outcome(ERROR, where, bound, found, false=alpha / 2, privacy=budget)


# ---- labels


@dataclass(frozen=True)
class _Off(Release):
    """The true shares with a number added to each share."""

    true: Release
    added: Fraction

    @property
    def domain(self):  # type: ignore[no-untyped-def]
        return self.true.domain

    def _estimate(self, h):  # type: ignore[no-untyped-def]
        return self.true._estimate(h) + self.added


def _split(C: Table, rows: Sequence[Example], off: Fraction, ones: int) -> SplitEstimates:
    """Return the estimates of `LabelledBySplitting` by its definition, with inner errors."""
    parts = []
    for label, sign in ((0, 1), (1, -1)):
        padded = [x if y == label else C.domain[0] for x, y in rows]
        true = ExactSanitizer(C).release(padded, SeededCoins(0))
        parts.append(_Off(true, sign * off))
    share = Fraction(sum(y for _, y in rows) + ones, len(rows))
    return SplitEstimates(C.label_class().domain, parts[0], parts[1], share)


@recomputes(SPLIT, SPLIT_ERROR)
def split(points: int, size: int) -> Iterator[Outcome]:
    """Check the estimates of labelled data by splitting [LWY25, Lemma 2.8].

    Check the claim on all concepts and all labelled data sets of a size, up to order.
    """
    C = Table(list(product((0, 1), repeat=points)))
    errors_of = C.label_class()
    kinds = list(product(C.domain, (0, 1)))
    worst = bare = far = Fraction(0)
    off, ones = Fraction(1, 10 * size), 1
    for rows in product(kinds, repeat=size):
        if list(rows) != sorted(rows):
            continue
        sample, exact, moved = Sample(C.domain, rows), _split(C, rows, Fraction(0), 0), []
        moved = [_split(C, rows, off, sign * ones) for sign in (1, -1)]
        share = exact.share
        for h, wrong in zip(C, errors_of, strict=True):
            true = sample.loss(h)
            worst = max(worst, abs(exact.estimate(wrong) - true))
            plain = share + exact.zeros.estimate(h) - exact.ones.estimate(h)
            bare = max(bare, abs(plain - true))
            far = max(far, *(abs(each.estimate(wrong) - true) for each in moved))
    where = f"all concepts on {points} points, n = {size}"
    yield compare(SPLIT, where, computed=worst, stated=0, twin=bare)
    yield compare(
        SPLIT_ERROR,
        where,
        computed=far,
        stated=2 * off + Fraction(ones, size),
        false=2 * off,
    )


@recomputes(ONES)
def number_of_ones(epsilon: Fraction, alpha: Fraction, beta: Fraction) -> Iterator[Outcome]:
    """Check the error of `LabelledBySplitting` with exact inner estimates.

    Check both labellings of one point, with half of the labels 1, at the stated size.
    """
    C = Table([[0], [1]])
    sanitizer = LabelledBySplitting(ExactSanitizer(C), epsilon, beta)

    def failure(size: int) -> arb:
        rows = PointSample(sanitizer.domain, [(0, i % 2) for i in range(size)])

        def error(coins: Coins) -> Fraction:
            released = sanitizer.release(rows, coins)
            return sanitization_error(released, sanitizer.concept_class, rows)

        return exact_distribution(error).probability(lambda error: error > alpha)

    size = ceiling(lambda: -ball(beta).log() / ball(epsilon * alpha))
    half = -(size // -2)
    yield compare(
        ONES,
        f"epsilon = {epsilon}, alpha = {alpha}, beta = {beta}, n = {size}",
        computed=failure(size),
        stated=beta,
        twin=failure(half),
        changed=(size, half),
    )


@recomputes(REVEALED)
def revealed(epsilon: Fraction, delta: Fraction) -> Iterator[Outcome]:
    """Check that the delta of `LabelledBySplitting` is twice the inner delta.

    Check the claim on all neighbouring labelled data sets of one row on two points.
    """
    inner = RevealingSanitizer(Table([[0, 1]]), epsilon, delta)
    sanitizer = LabelledBySplitting(inner, epsilon)
    pairs = neighbouring_tables(list(sanitizer.domain), 1, "replace_one")
    assert sanitizer.privacy is not None
    found = Instance(sanitizer, lambda each: each.release, pairs).audit()
    yield compare(
        REVEALED,
        f"2 points, n = 1, epsilon = {epsilon} each, delta = {delta}",
        computed=found.measured,
        stated=2 * delta,
        false=delta,
        privacy=sanitizer.privacy,
    )


@recomputes(NOISY)
def noisy(spec: str, alpha: Fraction, runs: int) -> Iterator[Outcome]:
    """Check the error of `LabelledBySplitting` with a private inner sanitizer.

    Check the claim on runs at the sample size that the inner sanitizer needs.
    """
    C = catalog.build(spec).to_table()
    inner = MWEMSanitizer.for_error(C, alpha, Budget(Fraction(1), Fraction(1, 10**6)))
    sanitizer, size = LabelledBySplitting(inner, Fraction(1, 10)), inner.needed
    (bound,), found = sanitizer.bounds(size), []
    assert bound.value is not None and sanitizer.privacy is not None
    for seed in range(runs):
        # Most runs have the data set with the largest errors, to refute half of the bound.
        moved = 1 + seed // 8
        points = [(x * x // 3 + moved) % len(C.domain) for x in range(size)]
        rows = PointSample(sanitizer.domain, [(x, int(x < 2 + moved)) for x in points])
        released = sanitizer.release(rows, SeededCoins(seed))
        found.append(sanitization_error(released, sanitizer.concept_class, rows))
    spent = total(sanitizer.privacy, sanitizer.delta or Fraction(0))
    yield bound_outcome(
        NOISY,
        f"{spec}, alpha = {alpha}, n = {size}",
        bound,
        found,
        false=Fraction(bound.value) / 2,
        privacy=(spent.epsilon, spent.delta),
    )


def _fooling_checks() -> list[ClaimCheck]:
    """Return the checks of complete runs, and of the formula for errors."""
    return [
        ClaimCheck(TOPIC, errors, ("thresholds:n=8", Fraction(2, 5), 8)),
        ClaimCheck(TOPIC, split, (2, 3)),
        ClaimCheck(TOPIC, number_of_ones, (Fraction(1, 2), Fraction(1, 5), Fraction(1, 100))),
        ClaimCheck(TOPIC, revealed, (Fraction(1, 2), Fraction(1, 200))),
        ClaimCheck(TOPIC, noisy, ("thresholds:n=8", Fraction(1, 5), 9)),
        ClaimCheck(TOPIC, errors, ("intervals:n=16", Fraction(1, 5), 20), slow=True),
        ClaimCheck(TOPIC, split, (3, 3), slow=True),
    ]


def checks() -> list[ClaimCheck]:
    """Return the checks of the topic, part by part."""
    return [*_discriminators_checks(), *_fooling_checks()]
