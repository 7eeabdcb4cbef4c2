"""Discriminators of fooling games: exact audits, exact chances of a wrong answer, printed noise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import TypeVar

from flint import arb, ctx

from learners.audit.instances import Instance, Pairs, neighbouring_tables
from learners.audit.registry import instance
from learners.claim_checks import Claim, ClaimCheck, Outcome, audited, compare, recomputes
from learners.exact import PRECISION, OutputDistribution, exact_distribution
from learners.mechanisms.noise import tail
from learners.sanitizers.discriminators import (
    FoolingDiscriminator,
    MarkedPoints,
    RealizableDiscriminator,
)
from learners.sanitizers.points import PointSample
from lsclasses.hypothesis import Concept, Hypothesis
from lsclasses.points import Label
from lsclasses.table import Table

TOPIC = "sanitizers"
NAMES: dict[type, str] = {
    FoolingDiscriminator: "fooling_discriminator",
    RealizableDiscriminator: "realizable_discriminator",
}
Either = FoolingDiscriminator | RealizableDiscriminator
Kind = type[FoolingDiscriminator] | type[RealizableDiscriminator]
Answer = Concept | tuple[Concept, Label] | None
"""Of either: a concept with too large a share, or one with its label; None if there is none."""
Twin = TypeVar("Twin", FoolingDiscriminator, RealizableDiscriminator)

FOOLING = ("LWY25 Lemma D.7",)
REALIZABLE = ("LWY25 Lemma E.2",)

PRIVATE = {
    kind: Claim(
        f"privacy of {kind.__name__}",
        "epsilon",
        source="learners.sanitizers.discriminators",
        statements=statements,
        falsified="noise for a sensitivity of 1/n^2",
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
    """A twin of both discriminators, with noise for a sensitivity of 1/n^2 of the share."""

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
    return [q for q in product((0, 1, 2), repeat=len(C.domain)) if any(q)]


def _pairs(kind: Kind, C: Table, rows: int) -> Pairs:
    pairs = neighbouring_tables(list(C.domain), rows, "replace_one")
    return tuple(((zero, q), (one, q)) for q in _proposals(kind, C) for zero, one in pairs)


def _classes(points: int, concepts: int) -> list[Table]:
    """All classes of `concepts` concepts."""
    return [Table(list(chosen)) for chosen in combinations(_cube(points), concepts)]


def _cube(points: int) -> list[tuple[int, ...]]:
    return list(product((0, 1), repeat=points))


def _instances(kind: Kind, points: int, rows: int, concepts: int | None) -> Iterator[Instance]:
    shipped = instance(f"{NAMES[kind]}:points={points},rows={rows}")
    known = shipped.mechanism
    for C in [known.of] if concepts is None else _classes(points, concepts):
        mechanism = kind(C, rows, known.alpha, known.epsilon)
        yield Instance(mechanism, shipped.release, _pairs(kind, C, rows))


@recomputes(*PRIVATE.values())
def private(points: int, rows: int, concepts: int | None) -> Iterator[Outcome]:
    """All neighbouring data sets and proposals, for the class that ships or all of a size."""
    for kind, claim in PRIVATE.items():
        built = list(_instances(kind, points, rows, concepts))
        findings = [each.audit() for each in built]
        worst = max(range(len(built)), key=lambda i: float(findings[i].least_epsilon))
        twin = built[worst].audit(twin=_twin(built[worst].mechanism, TooLittleNoise))
        number = (
            f"the class of {len(built[0].mechanism.of)} concepts that ships"
            if concepts is None
            else f"all {len(built)} classes of {concepts} concepts"
        )
        where = f"{number}, {points} points, n = {rows}"
        yield audited(claim, where, findings[worst], false=twin)


# ---- accuracy


def wrong(
    discriminator: Either, points: PointSample, proposal: Sequence[int], answer: Answer
) -> bool:
    """Whether Lemmas D.7 and E.2, as they are worded, forbid an answer."""
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
    """The exact law of the answer."""
    data = MarkedPoints(points)
    return exact_distribution(lambda coins: discriminator.answer(data, proposal, coins))


def _spread(points: int, steps: int) -> list[tuple[int, ...]]:
    """All ways to share out `steps` steps among points."""
    return [q for q in product(range(steps + 1), repeat=points) if sum(q) == steps]


def _worst(discriminator: Either, proposals: Sequence[tuple[int, ...]], steps: int) -> arb:
    """Data whose shares are multiples of 1/steps, as nearly as n allows."""
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
    """Thresholds on two points, all proposals and all data on a grid, by exact laws."""
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
            claim, where, computed=found, stated=beta, twin=few, privacy=discriminator.privacy
        )


# ---- the printed noise


class LargeNoise:
    """A twin with the noise printed in [LWY25, proof of Lemma D.7], on the share."""

    size: int

    @property
    def scale(self) -> Fraction:
        """The right scale times the number of points."""
        return super().scale * self.size  # type: ignore[misc, no-any-return]


@recomputes(POWER)
def printed(alpha: Fraction, epsilon: Fraction) -> Iterator[Outcome]:
    """The number of points that the lemma needs, for a concept that is 1 everywhere or nowhere."""
    C, beta = Table([[0, 1]]), Fraction(1, 20)
    # [LWY25, proof of Lemma D.7]: 20 ln(60/(alpha beta))/(epsilon alpha), corrected to 60
    right = FoolingDiscriminator(C, 1, alpha, epsilon, beta=beta)
    right = FoolingDiscriminator(C, right.rows_needed, alpha, epsilon, beta=beta)
    with ctx.workprec(PRECISION):
        yield compare(
            POWER,
            f"alpha = {alpha}, epsilon = {epsilon}, beta = {beta}, n = {right.size}",
            computed=_power(_twin(right, LargeNoise)),
            stated=(1 + alpha) * epsilon / 3,
            twin=_power(right),
            privacy=(epsilon, 0),
        )


def _power(discriminator: FoolingDiscriminator) -> arb:
    """The gain in P[the test passes] of a part-0 concept that is 1 everywhere, not nowhere."""
    n, least = discriminator.size, discriminator.threshold(0)
    return tail(discriminator.scale, least - n) - tail(discriminator.scale, least)


def checks() -> list[ClaimCheck]:
    """All data sets and proposals of small instances; laws at the numbers of points proved."""
    tenth = Fraction(1, 10)
    return [
        *(ClaimCheck(TOPIC, private, (2, rows, None)) for rows in (3, 1)),
        ClaimCheck(TOPIC, private, (2, 2, None), slow=True),
        ClaimCheck(TOPIC, accurate, (Fraction(1, 4), Fraction(1), 8)),
        *(
            ClaimCheck(TOPIC, accurate, (Fraction(1, 4), Fraction(1), steps), slow=True)
            for steps in (10, 20)
        ),
        *(ClaimCheck(TOPIC, printed, (tenth, epsilon)) for epsilon in (tenth, Fraction(1))),
        *(ClaimCheck(TOPIC, private, (3, 3, concepts), slow=True) for concepts in (None, 2, 3)),
        ClaimCheck(TOPIC, accurate, (Fraction(1, 8), Fraction(1, 2), 40), slow=True),
    ]
