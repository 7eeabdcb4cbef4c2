"""Claims about the number of rounds of sequential fooling games [LWY25, Lemma D.8]."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product

import catalog
from learners.claim_checks import Claim, ClaimCheck, Outcome, compare, recomputes
from learners.coins import Coins, SeededCoins
from learners.sanitizers.base import SyntheticData
from learners.sanitizers.generators import (
    GRAIN,
    Answer,
    DualGenerator,
    DualProposal,
    Generator,
    HedgeGenerator,
    Proposal,
)
from learners.sanitizers.point_samples import PointSample
from lsclasses.soa import ConservativeSOA
from lsclasses.table import Table

TOPIC = "sanitizers"
GENERATOR = ("LWY25 Lemma D.8",)

HEDGE = Claim(
    "most rounds of HedgeGenerator, while some concept is off by alpha/2",
    "floor(ln|X|/D) + 1, nearly 2 ln|X|/alpha^2",
    source="learners.sanitizers.generators",
    statements=GENERATOR,
    falsified="a tenth of that",
)
ALL_ANSWERS = Claim(
    HEDGE.quantity + ", for all answers",
    HEDGE.formula,
    source=HEDGE.source,
    statements=GENERATOR,
    falsified="half of that",
)
DUAL = Claim(
    "most rounds of DualGenerator, drawn ones too, while some concept is off by alpha/2",
    "the least R with 6 R alpha/25 > sqrt(R ln(N)/2) + sqrt(2 R ln(1/b))",
    source="learners.sanitizers.generators",
    statements=GENERATOR,
    falsified="a thousandth of that",
)
ALL_DRAWS = Claim(
    "most rounds of DualGenerator, while some concept is off by alpha/2, for all answers and draws",
    DUAL.formula,
    source=DUAL.source,
    statements=GENERATOR,
    falsified="with experts that ignore all examples",
    incorrect_object=True,
)

Choose = Callable[[Sequence[tuple[int, Fraction]], Coins], tuple[int, Fraction]]
ANSWERS: dict[str, Choose] = {
    "largest gap": lambda gaps, coins: max(gaps, key=lambda gap: abs(gap[1])),
    "smallest gap": lambda gaps, coins: min(gaps, key=lambda gap: abs(gap[1])),
    "random gap": lambda gaps, coins: gaps[coins.below(len(gaps))],
}
"""Rules for the concept that a discriminator returns, by the gap P_S(h) - P_t(h)."""


def game(
    generator: Generator, points: PointSample, choose: Choose, coins: Coins
) -> tuple[int, Proposal]:
    """Return the number of answers until every share is within alpha/2, and the proposal then."""
    C, told, true = generator.of, 0, points.frequencies(generator.of)
    proposal = generator.start(coins)
    while True:
        shares = SyntheticData(C.domain, proposal.weights, len(points)).estimates(C)
        gaps = [(h, true[h] - share) for h, share in enumerate(shares)]
        off = [gap for gap in gaps if abs(gap[1]) >= generator.alpha / 2]
        if not off:
            return told, proposal
        h, gap = choose(off, coins)
        proposal, told = proposal.after((h, int(gap > 0)), coins), told + 1


def data_sets(C: Table) -> list[PointSample]:
    """Return data sets of three shapes: equal points, two extreme points, decreasing counts."""
    size = len(C.domain)
    return [
        PointSample.at(C.domain, [0]),
        PointSample.at(C.domain, [size // 2]),
        PointSample.at(C.domain, [0, size - 1]),
        PointSample.at(C.domain, [i * i // size for i in range(size)]),
    ]


@recomputes(HEDGE, DUAL)
def rounds(specs: Sequence[str], alpha: Fraction) -> Iterator[Outcome]:
    """Check the number of rounds of both generators, for three rules of the discriminator."""
    for spec in specs:
        C = catalog.build(spec).to_table()
        for kind, claim, part in ((HedgeGenerator, HEDGE, 10), (DualGenerator, DUAL, 1000)):
            generator: Generator = kind(C, alpha)
            most = 0
            for points, (seed, choose) in product(data_sets(C), enumerate(ANSWERS.values())):
                told, proposal = game(generator, points, choose, SeededCoins(seed))
                drawn = proposal.drawn if isinstance(proposal, DualProposal) else 0
                most = max(most, told + drawn + 1)
            where = f"{spec}, alpha = {alpha}"
            if isinstance(generator, DualGenerator):
                where += f", d* = {generator.dimension}"
            yield compare(
                claim,
                where,
                computed=most,
                stated=generator.rounds,
                false=generator.rounds // part,
            )


def longest(generator: Generator, points: PointSample) -> int:
    """Return the largest number of answers, whose order does not matter."""
    C, true, coins = generator.of, points.frequencies(generator.of), SeededCoins(0)
    known: dict[tuple[tuple[int, int], ...], int] = {}

    def most(proposal: Proposal, told: tuple[tuple[int, int], ...]) -> int:
        if told not in known:
            shares = SyntheticData(C.domain, proposal.weights, len(points)).estimates(C)
            gaps = ((h, true[h] - share) for h, share in enumerate(shares))
            wrong = [(h, int(gap > 0)) for h, gap in gaps if abs(gap) >= generator.alpha / 2]
            known[told] = max(
                (
                    1 + most(proposal.after(answer, coins), tuple(sorted((*told, answer))))
                    for answer in wrong
                ),
                default=0,
            )
        return known[told]

    return most(generator.start(coins), ())


@recomputes(ALL_ANSWERS)
def all_answers(specs: Sequence[str], alpha: Fraction) -> Iterator[Outcome]:
    """Check the number of rounds of `HedgeGenerator` for all possible answers."""
    for spec in specs:
        generator = HedgeGenerator(catalog.build(spec).to_table(), alpha)
        yield compare(
            ALL_ANSWERS,
            f"{spec}, alpha = {alpha}, all answers",
            computed=1 + max(longest(generator, points) for points in data_sets(generator.of)),
            stated=generator.rounds,
            false=Fraction(generator.rounds, 2),
        )


# ---- all answers and all draws


class Deaf(DualProposal):
    """An incorrect variant whose experts ignore all examples."""

    def _reweighted(self, example: Answer) -> DualProposal:
        return self


def settled(proposal: DualProposal) -> Iterator[DualProposal]:
    """Yield the proposals after all draws, where the generator draws examples until it proposes."""
    shares, off = proposal._nearest()
    if off <= float(proposal.generator.alpha) / 4 or not proposal.remaining:
        weights = [0] * len(proposal.generator.of.domain)
        for place, share in zip(proposal.generator._points, shares, strict=True):
            weights[place] = int(share * GRAIN)
        yield replace(proposal, proposed=tuple(weights))
        return
    for example in proposal._witness()[0]:
        yield from settled(replace(proposal._reweighted(example), drawn=proposal.drawn + 1))


def most_rounds(first: DualProposal, points: PointSample) -> int:
    """Return the largest number of rounds, with drawn examples, over all answers and draws.

    Proposals with equal numbers of rounds and equal weights of the experts have equal futures.
    """
    generator = first.generator
    C, true = generator.of, points.frequencies(generator.of)
    pending, most = list(settled(first)), 0
    known: set[object] = set()
    while pending:
        proposal = pending.pop()
        rounds = proposal.asked + proposal.drawn
        groups = ((hash(key), round(weight, 9)) for key, weight in proposal.groups.items())
        state = rounds, tuple(sorted(groups))
        if state in known:
            continue
        known.add(state)
        most = max(most, rounds + 1)
        if rounds >= generator.rounds:
            continue
        for answer in right_answers(C, true, proposal, len(points)):
            later = replace(proposal._reweighted(answer), asked=proposal.asked + 1)
            pending += settled(later)
    return most


def right_answers(
    C: Table, true: Sequence[Fraction], proposal: Proposal, rows: int
) -> Iterator[Answer]:
    """Yield the concepts whose proposed shares are off by alpha/2, with their labels."""
    alpha = proposal.generator.alpha  # type: ignore[attr-defined]
    shares = SyntheticData(C.domain, proposal.weights, rows).estimates(C)
    for h, (share, proposed) in enumerate(zip(true, shares, strict=True)):
        if abs(share - proposed) >= alpha / 2:
            yield h, int(share > proposed)


@recomputes(ALL_DRAWS)
def all_draws(spec: str, alpha: Fraction) -> Iterator[Outcome]:
    """Check the number of rounds of `DualGenerator` for all possible answers and draws."""
    C = catalog.build(spec).to_table()
    generator = DualGenerator(C, alpha, Fraction(1, 4))
    begun = {(ConservativeSOA(generator.dual), 0): 1.0}
    found = [most_rounds(DualProposal(generator, begun), points) for points in data_sets(C)]
    longest_game = data_sets(C)[found.index(max(found))]
    yield compare(
        ALL_DRAWS,
        f"{spec}, alpha = {alpha}, b = {generator.beta}, d* = {generator.dimension}",
        computed=max(found),
        stated=generator.rounds,
        twin=most_rounds(Deaf(generator, begun), longest_game),
        hypotheses={"dual": generator.dimension == C.dual().ldim()},
    )


def checks() -> list[ClaimCheck]:
    """Return the checks of games of both generators."""
    return [
        ClaimCheck(TOPIC, rounds, (("thresholds:n=4",), Fraction(3, 4))),
        ClaimCheck(TOPIC, all_answers, (("thresholds:n=4",), Fraction(3, 4))),
        ClaimCheck(TOPIC, all_answers, (("thresholds:n=3", "thresholds:n=4"), Fraction(1, 2))),
        ClaimCheck(TOPIC, all_draws, ("thresholds:n=2", Fraction(9, 10))),
        ClaimCheck(TOPIC, all_draws, ("thresholds:n=3", Fraction(3, 4)), slow=True),
        *(
            ClaimCheck(TOPIC, rounds, ((f"thresholds:n={n}",), Fraction(1, 2)), slow=True)
            for n in (4, 5)
        ),
        ClaimCheck(
            TOPIC,
            rounds,
            (("thresholds:n=16", "points:n=16", "intervals:n=6"), Fraction(1, 4)),
            slow=True,
        ),
    ]
