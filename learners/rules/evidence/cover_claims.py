"""Claims about private decision lists: rounds, martingale lemma and constants of covering."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction

import numpy as np
from flint import arb, ctx
from numpy.typing import NDArray

from learners.accounting import PureDP, Scope, SelfComposed, advanced
from learners.audit.audit_registry import instance
from learners.balls import ball, ceiling, floor, log
from learners.claim_checks import Claim, ClaimCheck, Outcome, audit_outcome, compare, recomputes
from learners.coins import SeededCoins
from learners.exact import PRECISION, exact_distribution
from learners.number_arguments import least_integer
from learners.rules import GreedyCover, PackedFeatures, rivest, sample_size
from learners.rules.cover import (
    cover_epsilon,
    printed_cover_epsilon,
    worst_cover_divergence,
    worst_uncovered_tail,
)
from learners.rules.evidence import transcriptions
from learners.rules.packed import Mask

__all__ = ["checks"]

TOPIC = "greedy-cover"

ROUNDS = Claim(
    "rounds of greedy covering until the constant feature is chosen",
    "F + 1",
    "==",
    source="docs/decision-lists.md",
    statements=("BF25 Alg 3.1",),
    falsified="F",
)

TAIL = Claim(
    "P[Y > y] against the worst adversary",
    "exp(-y)",
    source="[BF25, Lemma A.3]",
    falsified="exp(-3 y/2)",
)

MONOTONE = Claim(
    "worst divergence of covering, monotone scores",
    "(1 - e^-w)^(R + 1)/(1 - e^-t)^R, w = (R t - epsilon)/(R + 1)",
    source="learners.rules.cover",
    statements=("BF25 Lemma A.1", "BF25 Alg A.1"),
    falsified="half of it",
)

GENERAL = Claim(
    "worst divergence of covering",
    "(1 - e^-t) exp(-(epsilon - t)/(e^t - 1))",
    source="learners.rules.cover",
    statements=("BF25 Lemma A.1", "BF25 Alg A.1"),
    falsified="half of it",
)

PASSED_OVER = Claim(
    "P[an item is never covered]",
    "min(1, e^epsilon P[never, without it] + delta)",
    source="learners.rules.cover",
    printed="the same for epsilon = 2 e (ln(1/delta) + 3/2), e twice the rate",
    printed_in="[BF25, Lemma A.1]",
    statements=("BF25 Lemma A.1",),
)

AS_PRINTED = Claim(
    "worst divergence of covering at epsilon = 2 e (ln(1/delta) + 3/2), e = 2 rate",
    "delta, for e <= 4.67",
    source="learners.rules.cover",
    statements=("BF25 Lemma A.1",),
    falsified="at an eighth of this epsilon",
)

PRIVACY = Claim(
    "privacy of greedy_cover",
    "(epsilon, delta)",
    source="learners.rules.cover",
    statements=("BF25 Thm 3.5", "BF25 Thm 1.1", "BF25 Alg 3.1", "BF25 Cor A.8"),
    falsified="(epsilon/2, delta)",
)

ROWS_OF_THE_PROOF = Claim(
    "rows that the proof of the theorem asks for",
    "with |F| + 1, 2 ln(1/delta) + 3 and beta/2",
    "==",
    source="[BF25, Thm 3.5], its proof",
    statements=("BF25 Thm 3.5", "BF25 Thm 1.1"),
    falsified="with |F|, 2 ln(1/delta) + 3/2 and beta",
)


COMPOSED = Claim(
    "errors by advanced composition over M = |F| + 1 choices, epsilon <= 1",
    "3 M^(3/2) sqrt(2 ln(1/delta)) ln(2 M^2/beta)/epsilon",
    source="[BF25, section 1.1], by the bound of its Lemma A.4",
    statements=("BF25 Sec 1.1, composition",),
    falsified="3 M sqrt(2 ln(1/delta)) ln(2 M^2/beta)/epsilon",
    drops="the power 3/2 of M, replaced by 1",
)

WORK = Claim(
    "words of the table, candidates and function calls of a run of greedy_cover on n rows",
    "2 (F + 1)(F + n) + 800 (F + 1)",
    source="learners.rules.greedy_cover",
    statements=("BF25 Sec 1.1, running time", "BF25 Thm 3.5", "BF25 Thm 1.1"),
    falsified="2 (F + n) + 800 (F + 1)",
    drops="the factor F + 1 of F + n",
)


@recomputes(ROUNDS)
def rounds(features: int) -> Iterator[Outcome]:
    """Check that greedy covering takes up to F + 1 rounds, by exact distributions."""
    table = PackedFeatures.from_matrix([[0] * features])
    learner = GreedyCover(Fraction(1), Fraction(1, 10))
    law = exact_distribution(lambda coins: learner.fit(table, [1], coins, accuracy=None))
    most = max(len(found.rules) + 1 for found in law)
    yield compare(ROUNDS, f"F={features}", computed=most, stated=features + 1, false=features)


@recomputes(COMPOSED)
def composed(choices: int) -> Iterator[Outcome]:
    """Check the error bound that greedy covering would have by advanced composition.

    [BF25, section 1.1] compares the theorem with this bound.
    """
    epsilon, delta, beta = Fraction(1), Fraction(1, 10**6), Fraction(1, 20)
    fine = 1 << 30

    def errors(M: int) -> arb:
        def exceeds(units: int) -> bool:
            choice = PureDP(Fraction(units, fine), scope=Scope.adaptive("replace_one"))
            return advanced(SelfComposed(choice, M), delta)[0] > epsilon

        # Half of the epsilon of a choice is the rate of its weights.
        rate = Fraction(least_integer(exceeds, 1, fine) - 1, 2 * fine)
        return M * log(2 * M**2 / beta) / ball(rate)

    with ctx.workprec(PRECISION):
        shape = 3 * choices * (-2 * log(delta)).sqrt() * log(2 * choices**2 / beta) / ball(epsilon)
        yield compare(
            COMPOSED,
            f"M={choices}, epsilon=1, delta=10^-6, beta=1/20",
            computed=errors(choices),
            stated=shape * ball(choices).sqrt(),
            false=shape,
            privacy=(epsilon, delta),
        )


class CountingCoins(SeededCoins):
    """Coins that count the candidates among which they pick."""

    candidates = 0

    def pick(
        self,
        log_weights: Sequence[Fraction | int],
        unit: Fraction | int = 1,
        counts: Sequence[int] | None = None,
    ) -> int:
        """Pick a group of candidates, and count the candidates."""
        self.candidates += len(log_weights) if counts is None else sum(counts)
        return super().pick(log_weights, unit, counts)


class CountingFeatures(PackedFeatures):
    """Features that count the words of 64 rows that are read."""

    words = 0

    def column(self, j: int) -> Mask:
        """Read all words of a feature, and count the words."""
        found = super().column(j)
        self.words += len(found)
        return found

    def counts(self, mask: Mask) -> NDArray[np.int64]:
        """Read the nonempty words of the mask for each feature, and count the words."""
        self.words += self.count * int(np.count_nonzero(mask))
        return super().counts(mask)


@contextmanager
def counted_calls() -> Iterator[Counter[str]]:
    """Count the calls of functions, also of functions in C."""
    found: Counter[str] = Counter()
    before = sys.getprofile()
    sys.setprofile(lambda frame, event, argument: found.update((event,)))
    try:
        yield found
    finally:
        sys.setprofile(before)


@recomputes(WORK)
def work(features: int, blocks: int) -> Iterator[Outcome]:
    """Check the work of `greedy_cover`: words read, candidates and function calls.

    Each row has one feature and a random label. Each word of 64 rows contains rows of all features,
    so every round counts all words again.
    """
    learner, coins = GreedyCover(Fraction(2), Fraction(1, 100)), CountingCoins(3)
    kinds = np.tile(np.eye(features, dtype=bool), (blocks, 1))
    labels = np.tile(np.arange(features) % 2, blocks)
    packed = CountingFeatures.from_matrix(kinds)
    assert isinstance(packed, CountingFeatures)
    learner.choice_epsilon(features)
    with counted_calls() as calls:
        learner.fit(packed, labels, coins, accuracy=None)
    n, fixed = len(labels), 800 * (features + 1)
    # The number of calls depends on the version of Python, so it is rounded up.
    rounded = -(calls.total() // -fixed) * fixed
    yield compare(
        WORK,
        f"F={features}, n={n}",
        computed=packed.words + coins.candidates + rounded,
        stated=2 * (features + 1) * (features + n) + fixed,
        false=2 * (features + n) + fixed,
        privacy=(learner.epsilon, learner.delta),
        hypotheses={"labelled": rivest(packed, labels) is not None},
    )


@recomputes(TAIL)
def tail(turns: int, grid: int, level: Fraction) -> Iterator[Outcome]:
    """Check the tail bound of the martingale lemma [BF25, Lemma A.3], by dynamic programming."""
    with ctx.workprec(PRECISION):
        yield compare(
            TAIL,
            f"{turns} rounds, chances in 1/{grid}, y={level}",
            computed=worst_uncovered_tail(turns, level, grid),
            stated=(-ball(level)).exp(),
            false=(-ball(level) * 3 / 2).exp(),
        )


@recomputes(MONOTONE)
def divergence(turns: int, growth: Fraction, factor: Fraction) -> Iterator[Outcome]:
    """Check the divergence of covering with monotone scores, by dynamic programming."""
    with ctx.workprec(PRECISION):
        t, epsilon = log(1 + growth), log(factor)
        w = (turns * t - epsilon) / (turns + 1)
        stated = (1 - (-w).exp()) ** (turns + 1) / (1 - (-t).exp()) ** turns
        yield compare(
            MONOTONE,
            f"R={turns}, chances in 1/6, e^t={1 + growth}, e^epsilon={factor}",
            computed=worst_cover_divergence(turns, growth, factor, 6),
            stated=stated,
            false=stated / 2,
        )


@recomputes(GENERAL)
def divergence_both_ways(growth: Fraction, factor: Fraction) -> Iterator[Outcome]:
    """Check the divergence of covering with scores that move both ways."""
    stated = growth / (1 + growth) * ((1 + growth) / factor) ** int(1 / growth)
    yield compare(
        GENERAL,
        f"6 rounds, chances in 1/6, e^t={1 + growth}, e^epsilon={factor}",
        computed=worst_cover_divergence(6, growth, factor, 6, monotone=False),
        stated=stated,
        false=stated / 2,
    )


@recomputes(AS_PRINTED)
def as_printed(turns: int, growth: Fraction, delta: Fraction, grid: int) -> Iterator[Outcome]:
    """Check the printed epsilon of covering [BF25, Lemma A.1] for a small epsilon."""

    def worst(level: arb) -> Fraction:
        # The factor is rounded down, which makes the requirement stronger.
        factor = Fraction(floor(lambda: 1000 * level.exp()), 1000)
        return worst_cover_divergence(turns, growth, factor, grid, monotone=False)

    with ctx.workprec(PRECISION):
        doubled = 2 * log(1 + growth)
        epsilon = 2 * doubled * (log(1 / delta) + ball(Fraction(3, 2)))
        yield compare(
            AS_PRINTED,
            f"{turns} rounds, chances in 1/{grid}, e={float(doubled.mid()):.3g}, delta={delta}",
            computed=worst(epsilon),
            stated=delta,
            twin=worst(epsilon / 8),
            changed=(8, 1),
            privacy=(Fraction(floor(lambda: 100 * epsilon), 100), delta),
        )


@recomputes(PASSED_OVER)
def passed_over(rate: Fraction, turns: int) -> Iterator[Outcome]:
    """Refute the printed epsilon of covering [BF25, Lemma A.1], on two candidates."""
    delta = Fraction(1, 10**6)
    proved = cover_epsilon(rate, delta, neighbours="add_remove", rounds=turns)
    with ctx.workprec(PRECISION):
        without = ball(Fraction(1, 2**turns))
        yield compare(
            PASSED_OVER,
            f"rate={rate}, {turns} rounds, delta=10^-6",
            computed=(1 + (-ball(rate)).exp()) ** -turns,
            stated=(ball(proved).exp() * without + ball(delta)).min(ball(1)),
            printed=ball(printed_cover_epsilon(2 * rate, delta)).exp() * without + ball(delta),
        )


@recomputes(PRIVACY)
def claimed(parameters: str) -> Iterator[Outcome]:
    """Check the privacy of `greedy_cover` on all neighbouring small tables."""
    built = instance(f"greedy_cover:{parameters}")
    finding = built.audit()
    yield audit_outcome(PRIVACY, parameters, finding, false=Fraction(1, 2))


@recomputes(ROWS_OF_THE_PROOF)
def rows(features: int) -> Iterator[Outcome]:
    """Check the number of rows in the proof of [BF25, Thm 3.5] against the printed number."""
    epsilon, delta, alpha, beta = Fraction(1), Fraction(1, 10**6), Fraction(1, 10), Fraction(1, 20)
    size = sample_size(features, epsilon, delta, alpha, beta)
    # Errors (M/t) ln(4 M^2/beta), with t = epsilon-hat/2, must be at most n alpha/2.
    M = features + 1
    needed = ceiling(
        lambda: 4 * M * log(4 * M**2 / beta) * (3 - 2 * log(delta)) / (ball(alpha) * ball(epsilon))
    )
    yield compare(
        ROWS_OF_THE_PROOF,
        f"F={features}, epsilon=1, delta=10^-6, alpha=1/10, beta=1/20",
        computed=needed,
        stated=size.corrected,
        false=size.printed,
        privacy=(epsilon, delta),
    )


def checks() -> list[ClaimCheck]:
    """Return the checks. Each takes a few seconds at most."""
    levels = [Fraction(1, 2), Fraction(1), Fraction(5, 2)]
    return [
        *(ClaimCheck(TOPIC, rounds, (features,)) for features in (1, 2, 3)),
        ClaimCheck(TOPIC, composed, (1000,)),
        *(ClaimCheck(TOPIC, work, given) for given in ((20, 400), (40, 400))),
        *(ClaimCheck(TOPIC, tail, (12, 12, level)) for level in levels),
        *(
            ClaimCheck(TOPIC, divergence, (turns, Fraction(1), factor))
            for turns in (2, 6)
            for factor in (Fraction(1), Fraction(2), Fraction(3))
        ),
        *(
            ClaimCheck(TOPIC, divergence_both_ways, (growth, factor))
            for growth in (Fraction(1, 4), Fraction(1))
            for factor in (Fraction(2), Fraction(4))
        ),
        ClaimCheck(TOPIC, as_printed, (20, Fraction(9), Fraction(1, 4), 3)),
        ClaimCheck(TOPIC, passed_over, (Fraction(4), 370)),
        *(
            ClaimCheck(TOPIC, claimed, (parameters,))
            for parameters in (
                "epsilon=2,delta=1/100,features=1,rows=5",
                "epsilon=2,delta=1/100,features=1,rows=4,add_remove=1",
                "epsilon=2,delta=1/100,features=2,rows=2",
                "epsilon=2,delta=1/100,features=2,rows=2,add_remove=1",
            )
        ),
        *(ClaimCheck(TOPIC, rows, (features,)) for features in (20, 500)),
        *transcriptions.checks(TOPIC),
    ]
