"""Claims about the numbers of rows that the private learners from samples need."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product
from math import ceil, comb, log, sqrt

from flint import arb, ctx

import catalog
from learners.accounting import basic
from learners.balls import ball
from learners.bounds import Bound
from learners.budget import Budget
from learners.claim_checks import Claim, ClaimCheck, Outcome, bound_outcome, compare, recomputes
from learners.coins import SeededCoins
from learners.exact import PRECISION, exact_distribution
from learners.number_arguments import least_integer
from learners.pac.agnostic import AgnosticEmpirical
from learners.pac.base import FewRows
from learners.pac.distributions import Distribution, FiniteDistribution
from learners.pac.evidence.agnostic_rows import RANGES, in_range
from learners.pac.evidence.instances import Labels, Weights, choice_failure
from learners.pac.generic import GenericLearner, rows_agnostic, rows_for_best, rows_realizable
from learners.pac.private_littlestone import PrivateLittlestoneLearner
from learners.pac.samples import Sample
from lsclasses.dimensions.vc import shattered_set
from lsclasses.hypothesis import Concept
from lsclasses.soa import SOA
from lsclasses.table import Table

# ---- row


SQUARE: list[Labels] = list(product((0, 1), repeat=2))
"""The class of all labellings of two points."""
SQUARE_TABLE = Table(SQUARE)
SURE = Fraction(10_000)
"""Epsilon so large that the exponential mechanism chooses a concept with the fewest errors."""

BEST = Claim(
    "some hypothesis has loss alpha/2: largest number of rows at which P[loss > alpha] exceeds "
    "beta",
    "max((72/alpha) ln(4 N/beta), (12/(alpha epsilon)) ln(2 N/beta))",
    source="learners.pac.generic, for [BLM20, Lemma 16]",
    falsified="a thirtieth of it",
)
QUADRATIC = "the power 2 of 1/alpha, replaced by 1"
AGNOSTIC = Claim(
    "exponential mechanism: largest number of rows at which P[loss > least loss + alpha] exceeds "
    "beta",
    "max((9/(2 alpha^2)) ln(4 N/beta), (6/(alpha epsilon)) ln(2 N/beta))",
    source="learners.pac.generic",
    statements=("LWY25 Def A.2",),
    falsified="max((9/(2 alpha)) ln(4 N/beta), (6/(alpha epsilon)) ln(2 N/beta))",
    drops=QUADRATIC,
)
FEWEST_ERRORS = Claim(
    "fewest errors on the sample: largest number of rows at which P[loss > least loss + alpha] "
    "exceeds beta",
    "(2/alpha^2) ln(2 N/beta)",
    source="[LWY25, Def A.2], by Hoeffding's inequality",
    falsified="(2/alpha) ln(2 N/beta)",
    drops=QUADRATIC,
)
EMPIRICAL = Claim(
    "largest number of rows at which P[empirical error > least empirical error + 5a] exceeds 3b",
    "the n with 5a = 5 max((2/(r n)) ln(N/b), (4/m) ln(N^2/(2b)), (2/(e m)) ln(N/b))",
    source="learners.pac.agnostic, for [LWY25, Claim D.6]",
    statements=("LWY25 Claim D.6", "LWY25 Lemma D.3", "LWY25 Def A.9"),
    falsified="this n times sqrt(5a)",
    drops="the power 1 of 1/(5a), replaced by 1/2",
)
SCORED = Claim(
    "exponential mechanism: largest number of rows at which P[empirical error > least empirical "
    "error + alpha] exceeds beta",
    "(2/(alpha epsilon)) ln(N/beta)",
    source="[LWY25, Lemma A.23], for [LWY25, Def A.9]",
    statements=("LWY25 Def A.9",),
    falsified="half of it",
)
COROLLARY = Claim(
    "excess population error of the agnostic learner with M as its inner learner",
    "alpha + 2 ln(N/b)/(r n) + sqrt(ln(N^2/b)/(2 m)) + 2 sqrt(ln(2 N/b)/(2 n)), "
    "except with probability 4 b",
    source="learners.pac.evidence.row_claims, for [BLM20, Cor 2]",
    falsified="a histogram that releases no hypothesis",
    incorrect_object=True,
)
OPTIMAL = Claim(
    "alpha = 2^-k, delta = 2^-(4^k): number of examples by the sentence after Theorem 3, divided "
    "by the number by Corollary 2",
    "2^k/15",
    source="[BLM20, Cor 2], with all constants 1 and d = VC = 1",
    statements=("BLM20 Sec 1.1, agnostic sample complexity",),
    printed="C",
    printed_in="[BLM20, section 1.1, after Theorem 3]",
)
LOSS = Claim(
    "labellings whose population or empirical loss differs from the definition, or whose mean "
    "empirical loss differs from the population loss",
    "0",
    "==",
    source="[BLM20, Def 7]",
    falsified="with every labelled point counted once",
    incorrect_object=True,
)


def _most(fails: Callable[[int], bool]) -> int:
    """Return the largest sample size that fails, if failing is monotone in it."""
    return least_integer(lambda n: not fails(n), 0) - 1


@recomputes(BEST)
def best(epsilon: Fraction, alpha: Fraction, beta: Fraction) -> Iterator[Outcome]:
    """Check the number of rows of the exponential mechanism, if a loss of alpha/2 is possible.

    Check the claim on a hypothesis with loss alpha/2, and one with slightly more than alpha.
    """
    more = alpha + Fraction(1, 1000)
    weights: Weights = {(1, 1): alpha / 2, (1, 0): more, (0, 0): 1 - alpha / 2 - more}
    stated = rows_for_best(2, epsilon, alpha, beta)

    def fails(n: int) -> bool:
        return bool(choice_failure(weights, SQUARE[:2], epsilon, n, alpha) > ball(beta))

    yield compare(
        BEST,
        f"epsilon={epsilon}, alpha={alpha}, beta={beta}, two hypotheses",
        computed=_most(fails),
        stated=stated,
        false=Fraction(stated, 30),
        privacy=(epsilon, 0),
        hypotheses={
            "H is finite": len(SQUARE[:2]) == 2,
            "some member of H has loss at most alpha": any(
                sum(weights.get((x, 1 - y), Fraction(0)) for x, y in enumerate(h)) <= alpha
                for h in SQUARE[:2]
            ),
            "epsilon <= 1, as section 3.3 has it": epsilon <= 1,
        },
    )


@recomputes(AGNOSTIC, FEWEST_ERRORS)
def agnostic(epsilon: Fraction, alpha: Fraction, beta: Fraction) -> Iterator[Outcome]:
    """Check the agnostic numbers of rows, of the exponential mechanism and of fewest errors.

    Check all labellings of two points, where labels of the second are slightly too unequal.
    """
    gap = alpha + Fraction(1, 512)
    weights: Weights = {(1, 1): (1 - gap) / 2, (1, 0): (1 + gap) / 2}
    count = len(SQUARE)
    by_hand = Fraction(2 * log(2 * count / beta)) / alpha**2
    linear = Fraction(max(4.5 * log(4 * count / beta), 6 / epsilon * log(2 * count / beta))) / alpha
    for claim, price, stated, false in (
        (AGNOSTIC, epsilon, Fraction(rows_agnostic(count, epsilon, alpha, beta)), linear),
        (FEWEST_ERRORS, SURE, by_hand, by_hand * alpha),
    ):

        def fails(n: int, price: Fraction = price) -> bool:
            failure = choice_failure(weights, SQUARE, price, n, (1 - gap) / 2 + alpha)
            return bool(failure > ball(beta))

        yield compare(
            claim,
            f"alpha={alpha}, beta={beta}, all labellings of two points",
            computed=_most(fails),
            stated=stated,
            false=false,
            privacy=(epsilon, 0) if claim is AGNOSTIC else None,
        )


@recomputes(SCORED)
def scored(concepts: int, alpha: Fraction, beta: Fraction, noise: int) -> Iterator[Outcome]:
    """Check the number of rows for the empirical error of the exponential mechanism.

    Check singletons, on samples where all but one err on slightly more than a share of alpha.

    All singletons label the last point 0. A share of 1/noise of the rows has this point with the
    label 1, so that all singletons err. With noise 0, the sample is realizable.
    """
    C = Table([[int(x == i) for x in range(concepts + 1)] for i in range(concepts)])
    learner = GenericLearner(C, Fraction(1))

    def fails(n: int) -> bool:
        wrong = n // noise if noise else 0
        right = int(alpha * n) + 1
        rows = [(0, 1)] * right + [(concepts, 1)] * wrong
        sample = Sample(C.domain, rows + [(concepts, 0)] * (n - len(rows)))
        least = min(sample.loss(h) for h in C)
        law = exact_distribution(lambda coins: learner.fit(sample, coins))
        return bool(law.probability(lambda h: sample.loss(h) > least + alpha) > ball(beta))

    stated = Fraction(2 * log(concepts / beta)) / alpha
    yield compare(
        SCORED,
        f"alpha={alpha}, beta={beta}, {concepts} singletons, "
        + (f"1/{noise} of the labels wrong" if noise else "realizable"),
        computed=_most(fails),
        stated=stated,
        false=stated / 2,
        privacy=learner.privacy,
    )


def agnostic_law(
    counts: tuple[int, int, int], drawn: int, rate: Fraction, epsilon: Fraction
) -> dict[Labels, arb]:
    """Return the output distribution of [LWY25, Alg 4] on two points, step by step.

    The class has all labellings. `counts` are the counts of the examples (0, 1), (0, 0) and (1, 0).
    The number of drawn rows with the first point is hypergeometric, and the algorithm depends only
    on the drawn points.
    """
    ones, zeros, others = counts
    size, errors = sum(counts), empirical_errors(counts)
    output = dict.fromkeys(SQUARE, arb(0))
    with ctx.workprec(PRECISION):
        for first in range(max(0, drawn - others), min(drawn, ones + zeros) + 1):
            # Step 1: the number of drawn rows with the first point.
            chance = Fraction(1)
            if others:
                chance *= comb(ones + zeros, first) * comb(others, drawn - first)
                chance /= comb(size, drawn)
            numbers = first, drawn - first
            # Step 3: one concept for each labelling of the drawn points.
            ways = {tuple(y if n else 0 for y, n in zip(h, numbers, strict=True)) for h in SQUARE}

            def apart(h: Labels, f: Labels, numbers: tuple[int, int] = numbers) -> Fraction:
                differing = (n for a, b, n in zip(h, f, numbers, strict=True) if a != b)
                return Fraction(sum(differing), drawn)

            # Steps 4 and 5: the score, and the exponential mechanism with sensitivity 1/n.
            weights = {
                h: (-ball(rate * size * min(apart(h, f) + errors[f] for f in SQUARE)) / 2).exp()
                for h in ways
            }
            total = sum(weights.values(), arb(0))
            for h, weight in weights.items():
                # Steps 6 and 7: the exponential mechanism on the relabelled rows.
                found = {g: (-ball(epsilon * drawn * apart(g, h)) / 2).exp() for g in SQUARE}
                whole = sum(found.values(), arb(0))
                for g, share in found.items():
                    output[g] += ball(chance) * weight / total * share / whole
    return output


def empirical_errors(counts: tuple[int, int, int]) -> dict[Labels, Fraction]:
    """Return the empirical error of each labelling of two points."""
    ones, zeros, others = counts
    size = sum(counts)
    return {h: Fraction((zeros if h[0] else ones) + others * h[1], size) for h in SQUARE}


@recomputes(EMPIRICAL)
def empirical(rate: Fraction, size: int) -> Iterator[Outcome]:
    """Check the number of rows of the agnostic empirical learner [LWY25, Claim D.6].

    Check samples whose first point has slightly more labels 0 than the allowed error.
    """
    epsilon, beta = Fraction(1), Fraction(1, 100)
    inner = GenericLearner(SQUARE_TABLE, epsilon)
    learner = AgnosticEmpirical(SQUARE_TABLE, inner, rate, size, beta)
    allowed = learner.bounds()[0].value
    assert allowed is not None

    def fails(n: int) -> bool:
        ones = int(n * (1 - allowed) / 2)
        counts = ones, n - ones, 0
        errors = empirical_errors(counts)
        law = agnostic_law(counts, max(1, int(rate * n)), rate, epsilon)
        wrong = (law[h] for h in SQUARE if errors[h] - min(errors.values()) > allowed)
        return bool(sum(wrong, arb(0)) > ball(3 * beta))

    yield compare(
        EMPIRICAL,
        f"r={rate}, e=1, b={beta}, 5a={float(allowed):.3g}, all labellings of two points",
        computed=_most(fails),
        stated=size,
        false=Fraction(size * sqrt(allowed)),
        privacy=learner.privacy,
        hypotheses={
            "vc": len(shattered_set(SQUARE_TABLE)) == SQUARE_TABLE.vcdim(),
            "m = ceil(epsilon n)": learner.drawn == ceil(rate * size),
        },
    )


@recomputes(COROLLARY)
def corollary(spec: str, point: int, runs: int) -> Iterator[Outcome]:
    """Check the excess error of the agnostic learner around the private Littlestone learner.

    Check labels of a concept with a tenth flipped, where its point is frequent or missed.

    A learner without a listed hypothesis returns the first rule, whose error is 3/4.
    """
    C = catalog.build(spec)
    concepts, noise, fails = len(C.to_table()), Fraction(1, 10), Fraction(1, 100)
    alpha, multiple = Fraction(2, 5), 20
    inner = PrivateLittlestoneLearner.for_error(
        SOA(C), alpha, Budget(Fraction(1), Fraction(1, 1000)), beta=fails / concepts
    )
    drawn, target = inner.rows, C.given([(point, 1)]).soa()
    learner = AgnosticEmpirical(C, inner, Fraction(1, multiple), multiple * drawn, fails)

    def noisy(share: Fraction) -> FiniteDistribution:
        weights = {x: share if x == point else (1 - share) / 11 for x in range(12)}
        flips = (0, 1 - noise), (1, noise)
        return FiniteDistribution(
            C.domain,
            {
                (x, target(x) ^ flip): weight * chance
                for x, weight in weights.items()
                for flip, chance in flips
            },
        )

    frequent, rare = noisy(Fraction(3, 4)), noisy(Fraction(1, 500))
    exact = -log(fails)
    slack = 2 * (log(concepts) + exact) / float(learner.rate * learner.size)
    slack += sqrt((2 * log(concepts) + exact) / (2 * drawn))
    slack += 2 * sqrt((log(2 * concepts) + exact) / (2 * learner.size))
    bound = Bound(
        "[BLM20, Cor 2], explicit",
        "excess population error",
        "alpha + x + t + 2*u",
        alpha + Fraction(slack),
        Fraction(1, 2),
        4 * fails,
    )

    def excess(given: AgnosticEmpirical, law: Distribution, count: int) -> list[Fraction]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FewRows)
            found = [
                given.fit(law.sample_seeded(given.size, seed), SeededCoins(seed))
                for seed in range(count)
            ]
        return [law.loss(h) - law.loss(target) for h in found]

    parameters = replace(inner.parameters, least=inner.parameters.batches**2)
    silent = replace(learner, inner=replace(inner, parameters=parameters), size=2 * drawn)
    epsilon, delta = basic(learner.privacy)
    yield bound_outcome(
        COROLLARY,
        f"{spec}, noise {noise}, N={concepts}, n={learner.size}, m={drawn}, r={learner.rate}, "
        f"b={fails}",
        bound,
        [*excess(learner, frequent, runs), *excess(learner, rare, runs)],
        twin=excess(silent, frequent, 5),
        privacy=learner.privacy,
        hypotheses={
            "ldim": C.ldim() == inner.parameters.dimension,
            RANGES: in_range(epsilon, delta, alpha, 4 * fails),
        },
    )


@recomputes(OPTIMAL)
def optimal(k: int, constant: int) -> Iterator[Outcome]:
    """Refute a sentence about the agnostic number of examples in [BLM20, section 1.1].

    Compare both numbers of examples at epsilon = 1 and beta = 1/4.

    If the sentence after Theorem 3 were true, then a constant C would bound the ratio for all k.
    """
    with ctx.workprec(PRECISION):
        # 1/alpha, and ln(1/(beta delta)).
        inverse, rare = ball(2**k), ball(4).log() + 4**k * ball(2).log()
        after = rare * inverse**2
        corollary = 16 * (1 + rare) * inverse + (1 + ball(4).log()) * inverse**2
        yield compare(
            OPTIMAL,
            f"k={k}, C={constant}",
            computed=after / corollary,
            stated=Fraction(2**k, 15),
            printed=constant,
            privacy=(1, Fraction(1, 1 << 4**k)) if k <= SMALL else None,
        )


SMALL = 8
"""Largest k for which delta is written as a fraction."""


@recomputes(LOSS)
def losses(size: int) -> Iterator[Outcome]:
    """Check population and empirical losses by their definition [BLM20, Def 7].

    Check all labellings of three points and all samples of a non-uniform distribution.
    """
    third, twelfth = Fraction(1, 3), Fraction(1, 12)
    weights = {(0, 0): third, (0, 1): twelfth, (1, 1): third, (2, 0): Fraction(1, 4)}
    table = Table(list(product((0, 1), repeat=3)))
    distribution = FiniteDistribution(table.domain, weights)

    def wrong(h: Concept, counted: Callable[[Fraction], Fraction]) -> bool:
        population = sum((counted(weights[x, y]) for x, y in weights if h(x) != y), Fraction(0))
        mean = Fraction(0)
        for rows in product(weights, repeat=size):
            empirical = Fraction(sum(h(x) != y for x, y in rows), size)
            chance = Fraction(1)
            for example in rows:
                chance *= weights[example]
            mean += chance * Sample(table.domain, rows).loss(h)
            if Sample(table.domain, rows).loss(h) != empirical:
                return True
        return not distribution.loss(h) == population == mean

    found = [
        sum(wrong(h, counted) for h in table)
        for counted in (lambda weight: weight, lambda weight: Fraction(1, len(weights)))
    ]
    yield compare(
        LOSS,
        f"all labellings of three points, all samples of {size} rows",
        computed=found[0],
        stated=0,
        twin=found[1],
    )


def _row_checks(topic: str) -> Sequence[ClaimCheck]:
    """Return exact failure probabilities, and runs."""
    tenth, fifth = Fraction(1, 10), Fraction(1, 5)
    return [
        ClaimCheck(topic, best, (Fraction(1), Fraction(2, 5), tenth)),
        ClaimCheck(topic, agnostic, (Fraction(2), Fraction(1, 16), tenth)),
        ClaimCheck(topic, empirical, (tenth, 10**6)),
        *(ClaimCheck(topic, scored, (16, fifth, Fraction(1, 100), noise)) for noise in (4, 0)),
        ClaimCheck(topic, losses, (2,)),
        ClaimCheck(topic, optimal, (6, 3)),
        ClaimCheck(topic, corollary, ("points:n=12", 7, 1)),
    ]


# ---- resampled


SOURCE = "learners.pac.evidence.row_claims"
LEMMA = ("LWY25 Lemma A.10",)

PURE = Claim(
    "worst (e, 0)-private learner on n rows drawn from 3 e n rows: least epsilon, in hundredths",
    "1",
    source=SOURCE,
    statements=LEMMA,
    falsified="1/2",
)
DELTA = Claim(
    "worst (e, d)-private learner on n rows drawn from 3 e n rows: delta(1)",
    "3 d/(2 e)",
    source=SOURCE,
    statements=LEMMA,
    falsified="3 d/(4 e)",
)
RESAMPLED = Claim(
    "n rows drawn from 3 e n rows: P[empirical error > alpha]",
    "beta",
    source=SOURCE,
    statements=LEMMA,
    falsified="with a twentieth of the draws",
)


def _worst(rows: int, epsilon: Fraction, delta: Fraction) -> list[arb]:
    """Return P[the answer is 1] by the number of ones among the rows, with largest growth."""
    growth = ball(epsilon).exp()
    found = [1 / (1 + growth ** (rows // 2))]
    for _ in range(rows):
        now = found[-1]
        found.append((growth * now + ball(delta)).min(1 - (1 - now - ball(delta)) / growth))
    return found


def _resampled(chances: Sequence[arb], size: int) -> list[arb]:
    """Return P[the answer is 1] by the number of ones in the sample before resampling."""
    rows = len(chances) - 1

    def mean(share: Fraction) -> arb:
        return sum(
            (
                ball(comb(rows, k) * share**k * (1 - share) ** (rows - k)) * chance
                for k, chance in enumerate(chances)
            ),
            arb(0),
        )

    return [mean(Fraction(ones, size)) for ones in range(size + 1)]


def _divergence(chances: Sequence[arb], epsilon: Fraction) -> arb:
    """Return the largest delta(epsilon) of two neighbouring samples, over both answers."""
    factor, largest = ball(epsilon).exp(), arb(0)
    for one, other in pairwise(chances):
        for p, q in ((one, other), (other, one), (1 - one, 1 - other), (1 - other, 1 - one)):
            largest = largest.max(p - factor * q)
    return largest


@recomputes(PURE, DELTA)
def private(rows: int, epsilon: Fraction, delta: Fraction) -> Iterator[Outcome]:
    """Check the privacy of a learner on n rows that are drawn from 3 e n rows.

    Check a learner with a one-bit answer that changes as much as allowed with each row.
    """
    size, tiny = ceil(3 * epsilon * rows), ball(Fraction(1, 10**15))
    where = f"e={epsilon}, n={rows}, m={size}"
    met = {"epsilon <= 1": epsilon <= 1, "n >= 1/epsilon": rows * epsilon >= 1}
    with ctx.workprec(PRECISION):
        pure = _resampled(_worst(rows, epsilon, Fraction(0)), size)
        least = least_integer(
            lambda hundredths: bool(_divergence(pure, Fraction(hundredths, 100)) <= tiny), 0
        )
        yield compare(
            PURE,
            where,
            computed=Fraction(least, 100),
            stated=1,
            false=Fraction(1, 2),
            privacy=(1, 0),
            hypotheses=met,
        )
        worst, stated = _worst(rows, epsilon, delta), 3 * delta / (2 * epsilon)
        yield compare(
            DELTA,
            f"{where}, d={delta}",
            computed=_divergence(_resampled(worst, size), Fraction(1)),
            stated=stated,
            false=stated / 2,
            privacy=(1, stated),
            hypotheses=met,
        )


@recomputes(RESAMPLED)
def accurate(epsilon: Fraction, alpha: Fraction, beta: Fraction) -> Iterator[Outcome]:
    """Check the accuracy of a learner on n rows that are drawn from 3 e n rows.

    Check all labellings of two points, the second with a bit more than alpha of the sample.
    """
    rows = rows_realizable(len(SQUARE), epsilon, alpha, beta)
    size = ceil(3 * epsilon * rows)
    second = Fraction(int(alpha * size) + 1, size)
    weights: Weights = {(0, 1): 1 - second, (1, 0): second}
    failing = [choice_failure(weights, SQUARE, epsilon, n, alpha) for n in (rows, rows // 20)]
    yield compare(
        RESAMPLED,
        f"e={epsilon}, alpha={alpha}, beta={beta}, n={rows}, m={size}",
        computed=failing[0],
        stated=beta,
        twin=failing[1],
        changed=(rows, rows // 20),
        privacy=(1, 0),
        hypotheses={"epsilon <= 1": epsilon <= 1, "n >= 1/epsilon": rows * epsilon >= 1},
    )


def _resampled_checks(topic: str) -> Sequence[ClaimCheck]:
    """Return the checks by exact distributions."""
    half, fifth = Fraction(1, 2), Fraction(1, 5)
    return [
        ClaimCheck(topic, private, (24, Fraction(1), Fraction(1, 10**4))),
        ClaimCheck(topic, accurate, (half, fifth, Fraction(1, 10))),
    ]


def checks(topic: str) -> Sequence[ClaimCheck]:
    """Return the checks of the numbers of rows, under the name of a topic."""
    return [*_row_checks(topic), *_resampled_checks(topic)]
