"""Claims about private PAC learning [BLM20, section 5; LWY25, App. D], by exact distributions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from math import ceil, floor

from flint import arb, ctx

import catalog
from learners.accounting import basic
from learners.audit import PrivacyLoss, audit, neighbouring_pairs
from learners.balls import ball, ceiling, log
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
from learners.mechanisms.histograms import StableHistogram
from learners.mechanisms.noise import tail
from learners.pac.agnostic import AgnosticEmpirical
from learners.pac.distributions import FiniteDistribution
from learners.pac.evidence import (
    agnostic_rows,
    definitions,
    inline_claims,
    order_claims,
    row_claims,
    subsample_claims,
)
from learners.pac.evidence.agnostic_rows import RANGES, in_range
from learners.pac.evidence.instances import Labels, Weights, binomial_tail, choice_failure
from learners.pac.evidence.row_claims import SQUARE
from learners.pac.generic import GenericLearner, rows_realizable
from learners.pac.littlestone_parameters import LittlestoneParameters, Rule
from learners.pac.private_littlestone import PrivateLittlestoneLearner
from learners.pac.samples import Example, Sample
from lsclasses.hypothesis import Concept, Hypothesis
from lsclasses.soa import SOA
from lsclasses.table import Table

__all__ = ["checks"]

TOPIC = "private-pac"

PRIVATE = Claim(
    "privacy of the private learner for all outcomes of its batches",
    "(epsilon, delta)",
    source="learners.pac.private_littlestone",
    statements=("BLM20 Alg M", "BLM20 Thm 17", "BLM20 Thm 1", "BLM20 Def 9"),
    falsified="two batches that share a row",
    incorrect_object=True,
)
PRIVATE_LAWS = Claim(
    "delta(epsilon) of the private learner if one batch of two rows is replaced",
    "delta",
    source="learners.pac.private_littlestone",
    statements=("BLM20 Alg M", "BLM20 Thm 17"),
    falsified="all batches are replaced",
)
ESTIMATED = Claim(
    "P[an item of frequency eta is not listed, or its estimate errs by more than eta]",
    "beta",
    source="learners.mechanisms.histograms, for [BLM20, Lemma 15]",
    falsified="half as many items",
)
REALIZABLE = Claim(
    "realizable distribution: P[loss > alpha]",
    "beta",
    source="learners.pac.generic",
    statements=("LWY25 Def A.1",),
    falsified="a single row",
)
MISSED = Claim(
    "k batches, each of which outputs h with probability eta: P[h is not listed]",
    "beta/3",
    source="learners.pac.littlestone_parameters",
    statements=("BLM20 Thm 17", "BLM20 Thm 1"),
    falsified="half as many batches",
)
FREQUENT = Claim(
    "k = 128 ln(3/beta)/eta batches, each of which outputs h* with probability eta: "
    "P[frequency of h* < 7 eta/8]",
    "beta/3",
    source="Chernoff's bound, for the proof of [BLM20, Thm 17]",
    falsified="half of the batches",
)
UNIFORM = Claim(
    "k = C ln(3/beta)/eta batches, each of which outputs h with probability 1/2: "
    "P[|frequency of h - 1/2| > eta/8]",
    "2 exp(-k eta^2/32)",
    source="Hoeffding's inequality, for the proof of [BLM20, Thm 17]",
    printed="beta/3",
    printed_in="[BLM20, proof of Theorem 17]",
)
LEARNED = Claim(
    "population error of the private learner",
    "alpha, except with probability beta",
    source="learners.pac.littlestone_parameters, for [BLM20, Thm 1]",
    statements=("BLM20 Thm 1", "BLM20 Thm 17"),
    falsified="a histogram that releases no hypothesis",
    incorrect_object=True,
)
DEEPER = replace(LEARNED, quantity=f"d = 2 and 3: {LEARNED.quantity}")
PRICE = Claim(
    "privacy of the agnostic empirical learner",
    "(ln(e^r + 4 e^(r + r n/m + e) m/(n - m)), d m/n)",
    source="learners.pac.agnostic, for all epsilon",
    statements=("LWY25 Alg 4", "LWY25 Lemma D.3"),
    falsified="a choice that shows which concept errs least on the other rows, with epsilon r",
)

# ---- privacy of the private learner


def small(batches: int, epsilon: Fraction, delta: Fraction) -> PrivateLittlestoneLearner:
    """Return the learner of three thresholds on two points, with batches of two rows.

    The learner also reads one row that is in no batch, the *fresh* row.
    """
    C = catalog.build("thresholds:n=2").to_table()
    parameters = LittlestoneParameters(
        dimension=1,
        auxiliary=1,
        budget=1,
        batches=batches,
        fresh=1,
        epsilon=epsilon,
        delta=delta,
        choice_epsilon=epsilon,
    )
    return PrivateLittlestoneLearner(SOA(C), parameters)


def laws(learner: PrivateLittlestoneLearner) -> list[OutputDistribution[Hypothesis]]:
    """Return the distinct distributions of the output on a batch."""
    found: dict[frozenset[tuple[Labels, Fraction]], OutputDistribution[Hypothesis]] = {}
    for rows in product(product(learner.domain, (0, 1)), repeat=learner.parameters.batch):

        def run(coins: Coins, rows: Sequence[Example] = rows) -> Hypothesis:
            return learner.stable.fit(Sample(learner.domain, rows), coins)

        law = exact_distribution(run)
        found[frozenset((labels(h), law.rational(h)) for h in law)] = law
    return list(found.values())


def labels(h: Hypothesis) -> Labels:
    return tuple(h._label(x) for x in h.domain)


Run = Callable[[tuple[tuple[Labels, ...], Example], Coins], str]


def choosing(learner: PrivateLittlestoneLearner) -> Run:
    """Return the release from the outcomes of all batches, as labels, and the fresh row."""

    def run(data: tuple[tuple[Labels, ...], Example], coins: Coins) -> str:
        outcomes, fresh = data
        domain = learner.domain
        counts: Counter[Hypothesis] = Counter(
            Concept.from_labels(domain, each) for each in outcomes
        )
        return str(learner.choose(counts, Sample(domain, [fresh]), coins))

    return run


@recomputes(PRIVATE)
def private(epsilon: Fraction, delta: Fraction, batches: int) -> Iterator[Outcome]:
    """Check the privacy of the private Littlestone learner for all outcomes of its batches.

    Check the claim on all outcomes, where one outcome of k is exchanged, or the fresh row.

    The output distribution of the learner is an average over outcomes. By joint convexity of the
    hockey stick, this check is at least as strict as exchanging a row.
    """
    learner = small(batches, epsilon, delta)
    items = sorted({labels(h) for law in laws(learner) for h in law})
    rows: list[Example] = list(product(learner.domain, (0, 1)))[:2]
    pairs = [
        (((*others, one), row), ((*others, other), row))
        for others in combinations_with_replacement(items, batches - 1)
        for one, other in combinations(items, 2)
        for row in rows
    ]
    pairs += [
        ((outcomes, rows[0]), (outcomes, rows[1]))
        for outcomes in combinations_with_replacement(items, batches)
    ]
    shared = [
        (((*others, one, one), row), ((*others, other, other), row))
        for others in combinations_with_replacement(items, batches - 2)
        for one, other in combinations(items, 2)
        for row in rows[:1]
    ]
    run, claim = choosing(learner), learner.privacy
    threshold = learner.parameters.histogram.threshold
    where = f"k={batches}, threshold {threshold}, {len(items)} outcomes, {len(pairs)} pairs"
    yield audit_outcome(PRIVATE, where, audit(run, pairs, claim), false=audit(run, shared, claim))


@recomputes(PRIVATE_LAWS)
def private_laws(epsilon: Fraction, delta: Fraction, batches: int) -> Iterator[Outcome]:
    """Check the delta of the private Littlestone learner if one batch is replaced.

    Check the claim on all distributions that a batch can have, where one of k is exchanged.
    """
    learner = small(batches, epsilon, delta)
    known, row = laws(learner), next(iter(product(learner.domain, (0, 1))))
    run = choosing(learner)
    chosen: dict[tuple[Labels, ...], OutputDistribution[str]] = {}

    def law_of(outcomes: tuple[Labels, ...]) -> OutputDistribution[str]:
        if outcomes not in chosen:
            chosen[outcomes] = exact_distribution(lambda coins: run((outcomes, row), coins))
        return chosen[outcomes]

    def released(which: tuple[int, ...]) -> OutputDistribution[str]:
        weights: dict[tuple[Labels, ...], Fraction] = {}
        for drawn in product(*(known[i] for i in which)):
            key = tuple(sorted(map(labels, drawn)))
            p = Fraction(1)
            for i, h in zip(which, drawn, strict=True):
                p *= known[i].rational(h)
            weights[key] = weights.get(key, Fraction(0)) + p
        total: dict[str, arb] = {}
        with ctx.workprec(PRECISION):
            for outcomes, p in weights.items():
                for shown, chance in law_of(outcomes).items():
                    total[shown] = total.get(shown, arb(0)) + chance * ball(p)
        return OutputDistribution.of(total)

    numbers = range(len(known))
    released_laws = {
        which: released(which) for which in combinations_with_replacement(numbers, batches)
    }

    def exchanged(count: int) -> arb:
        """Return the largest delta(epsilon) if `count` distributions are exchanged together."""
        largest = arb(0)
        for others in combinations_with_replacement(numbers, batches - count):
            for one, other in combinations(numbers, 2):
                zero = released_laws[tuple(sorted((*others, *([one] * count))))]
                apart = released_laws[tuple(sorted((*others, *([other] * count))))]
                largest = largest.max(PrivacyLoss(zero, apart).delta(epsilon))
        return largest

    where = f"epsilon={epsilon}, k={batches}, {len(known)} distributions"
    all_of_them = exchanged(batches)
    yield compare(
        PRIVATE_LAWS,
        where,
        computed=exchanged(1),
        stated=delta,
        twin=all_of_them,
        changed=(1, batches),
        privacy=(epsilon, delta),
    )


# ---- accuracy of the mechanisms


@recomputes(ESTIMATED)
def estimated(epsilon: Fraction, eta: Fraction, beta: Fraction) -> Iterator[Outcome]:
    """Check the accuracy of histogram estimates [BLM20, Lemma 15].

    Check items of frequency eta, and other single items, whose noises are independent.
    """
    mechanism = StableHistogram(epsilon, Fraction(1, 1000))
    size = mechanism.for_estimates(eta, beta)

    def failure(k: int) -> arb:
        """Return the failure probability if 1/eta items have frequency eta, up to rounding."""
        frequent, reach = -(-k * eta // 1), int(k * eta)
        with ctx.workprec(PRECISION):
            # Listed, and off by at most eta k: noise from the threshold (or -eta k) on, to eta k.
            least = max(mechanism.threshold - frequent, -reach)
            good = tail(mechanism.scale, int(least)) - tail(mechanism.scale, reach + 1)
            return 1 - good ** int(1 / eta)

    where, half = f"epsilon={epsilon}, eta={eta}, k={size}", -(size // -2)
    yield compare(
        ESTIMATED,
        where,
        computed=failure(size),
        stated=beta,
        twin=failure(half),
        changed=(size, half),
        privacy=mechanism.privacy,
    )


@recomputes(REALIZABLE)
def realizable(
    epsilon: Fraction, alpha: Fraction, beta: Fraction, share: Fraction
) -> Iterator[Outcome]:
    """Check the failure probability of the exponential mechanism on realizable distributions.

    Check all labellings of two points, where the target labels the first point 1.
    """
    rows = rows_realizable(len(SQUARE), epsilon, alpha, beta)
    weights: Weights = {(0, 1): share, (1, 0): 1 - share}
    failing = [choice_failure(weights, SQUARE, epsilon, n, alpha) for n in (rows, 1)]
    where = f"epsilon={epsilon}, alpha={alpha}, {rows} rows, {shown(weights)}"
    yield compare(
        REALIZABLE,
        where,
        computed=failing[0],
        stated=beta,
        twin=failing[1],
        changed=(rows, 1),
        privacy=(epsilon, 0),
    )


def shown(weights: Weights) -> str:
    """Return a distribution as a string on one line."""
    return ", ".join(f"{weight} on {example}" for example, weight in weights.items())


# ---- the whole learner


@recomputes(MISSED)
def missed(d: int, rule: Rule) -> Iterator[Outcome]:
    """Check that a hypothesis of frequency eta is rarely missed by the histogram.

    Check the case of a binomial number of copies, with independent noise.
    """
    alpha, beta = Fraction(1, 10), Fraction(1, 20)
    found = LittlestoneParameters.for_error(
        d, alpha, Budget(Fraction(1), Fraction(1, 10**6)), beta=beta, rule=rule
    )
    histogram, eta = found.histogram, found.eta
    assert eta is not None

    def not_listed(k: int) -> arb:
        with ctx.workprec(PRECISION):
            ratio, chance, total = ball(eta / (1 - eta)), ball(1 - eta) ** k, arb(0)
            for copies in range(k + 1):
                total += chance * (1 - tail(histogram.scale, histogram.threshold - copies))
                chance *= ratio * (k - copies) / (copies + 1)
            return total

    where, half = f"d={d}, rule {rule}, k={found.batches}", -(found.batches // -2)
    yield compare(
        MISSED,
        where,
        computed=not_listed(found.batches),
        stated=beta / 3,
        twin=not_listed(half),
        changed=(found.batches, half),
        privacy=(found.epsilon, found.delta),
    )


def several(d: int, constant: int) -> tuple[Fraction, Fraction, int, str]:
    """Return the parameters eta and beta, the number of batches with this constant, and a label."""
    beta, eta = Fraction(1, 20), Fraction(1, (d + 1) << (d + 1))
    batches = ceiling(lambda: constant * log(3 / beta) / ball(eta))
    return eta, beta, batches, f"d={d}, eta={eta}, beta={beta}, k={batches}"


@recomputes(FREQUENT)
def rare(d: int) -> Iterator[Outcome]:
    """Check that a hypothesis of probability eta rarely has a frequency below 7 eta/8.

    Compute the exact binomial frequency of a hypothesis of probability eta among k outcomes.
    """
    eta, beta, batches, where = several(d, 128)
    half = -(batches // -2)

    def chance(k: int) -> arb:
        return 1 - binomial_tail(k, eta, ceil(Fraction(7, 8) * eta * k))

    with ctx.workprec(PRECISION):
        yield compare(
            FREQUENT,
            where,
            computed=chance(batches),
            stated=beta / 3,
            twin=chance(half),
            changed=(batches, half),
        )


@recomputes(UNIFORM)
def off(d: int, constant: int) -> Iterator[Outcome]:
    """Refute a failure probability in the proof of [BLM20, Thm 17].

    Compute the exact binomial frequency of a hypothesis of probability 1/2.

    For every constant C, eta may be so small that sqrt(C eta) is small, too. Then eta/8 is less
    than the standard deviation 1/(2 sqrt(k)).
    """
    eta, beta, batches, where = several(d, constant)
    half = Fraction(1, 2)
    above = floor((half + eta / 8) * batches) + 1
    with ctx.workprec(PRECISION):
        yield compare(
            UNIFORM,
            f"C={constant}, {where}",
            # A fair coin is above its mean as often as below it.
            computed=2 * binomial_tail(batches, half, above),
            stated=2 * (-ball(batches * eta**2) / 32).exp(),
            printed=beta / 3,
        )


@recomputes(LEARNED)
def learned(spec: str, examples: tuple[Example, ...], rule: Rule, runs: int) -> Iterator[Outcome]:
    """Check the error of the private Littlestone learner in simulations, for dimension 1."""
    yield _simulated(LEARNED, spec, examples, rule, runs)


@recomputes(DEEPER)
def deeper(spec: str, examples: tuple[Example, ...], rule: Rule, runs: int) -> Iterator[Outcome]:
    """Check the error of the private Littlestone learner in simulations, for larger dimensions."""
    yield _simulated(DEEPER, spec, examples, rule, runs)


def _simulated(
    claim: Claim, spec: str, examples: tuple[Example, ...], rule: Rule, runs: int
) -> Outcome:
    """Yield runs with half of the mass at few points, and with a 500th of the mass at each.

    A learner without a listed hypothesis returns the first rule, which errs on half of the mass.
    """
    C = catalog.build(spec)
    target = C.given(examples).soa()
    alpha, beta = Fraction(1, 5), Fraction(1, 10)
    learner = PrivateLittlestoneLearner.for_error(
        SOA(C), alpha, Budget(Fraction(9, 10), Fraction(1, 100)), beta=beta, rule=rule
    )
    parameters = learner.parameters
    silent = replace(learner, parameters=replace(parameters, least=parameters.batches**2))
    others = [x for x in range(12) if x not in dict(examples)][:2]

    def labelled(share: Fraction) -> FiniteDistribution:
        shares = {x: share for x, _ in examples}
        rest = (1 - share * len(shares)) / len(others)
        return FiniteDistribution.labelled(target, shares | dict.fromkeys(others, rest))

    frequent, rare = labelled(Fraction(1, 2 * len(examples))), labelled(Fraction(1, 500))

    def losses(given: PrivateLittlestoneLearner, law: FiniteDistribution) -> list[Fraction]:
        return [
            law.loss(given.fit(law.sample_seeded(given.rows, seed), SeededCoins(seed)))
            for seed in range(runs)
        ]

    def listed(law: FiniteDistribution) -> bool:
        """Return whether a batch outputs a hypothesis of small loss with probability eta."""
        outcomes = learner.stable.law(law)
        assert parameters.eta is not None
        with ctx.workprec(PRECISION):
            return any(
                outcomes[h] >= ball(parameters.eta) and law.loss(h) <= alpha / 2 for h in outcomes
            )

    epsilon, delta = basic(learner.privacy)
    return bound_outcome(
        claim,
        f"{spec}, rule {rule}, {learner.rows} rows",
        learner.bounds()[0],
        [*losses(learner, frequent), *losses(learner, rare)],
        twin=losses(silent, frequent),
        privacy=learner.privacy,
        hypotheses={
            "realizable": frequent.loss(target) == rare.loss(target) == 0,
            "the probability and the loss of h": listed(frequent) and listed(rare),
            "ldim": C.ldim() == parameters.dimension,
            RANGES: in_range(epsilon, delta, alpha, beta),
        },
    )


# ---- the agnostic empirical learner


@recomputes(PRICE)
def price(concepts: Sequence[Labels], size: int, rate: Fraction) -> Iterator[Outcome]:
    """Check the epsilon of the agnostic empirical learner on all multisets of rows.

    Check all multisets of rows. Rows are drawn uniformly, so their order does not matter.
    """
    C = Table(concepts)
    learner = AgnosticEmpirical(C, GenericLearner(C, Fraction(1)), rate, size)
    examples = list(product(C.domain, (0, 1)))
    pairs = [
        ((*others, one), (*others, other))
        for others in combinations_with_replacement(examples, size - 1)
        for one, other in combinations(examples, 2)
    ]

    def run(rows: tuple[Example, ...], coins: Coins) -> str:
        return str(learner.fit(Sample(C.domain, rows), coins))

    def telling(rows: tuple[Example, ...], coins: Coins) -> str:
        """Return the choice for the first rows, as a concept with the fewest errors on all rows."""
        sample = Sample(C.domain, rows)
        labelled = learner.relabelled(sample, list(rows[: learner.drawn]), coins)
        fitting = (h for h in C if not labelled.errors(h))
        return str(min(fitting, key=sample.errors))

    fixed = [(0, 0)] * learner.drawn
    others = neighbouring_pairs(
        (*fixed, *rest) for rest in product(examples, repeat=size - learner.drawn)
    )
    yield audit_outcome(
        PRICE,
        f"{len(C)} concepts, n={size}, m={learner.drawn}, {len(pairs)} pairs",
        audit(run, pairs, learner.privacy),
        false=audit(telling, others[:200], (rate, 0)),
    )


def checks() -> list[ClaimCheck]:
    """Return the checks: audits over all small inputs, failure probabilities, and simulations."""
    half, tenth = Fraction(1, 2), Fraction(1, 10)
    line, wide = ((0, 0), (0, 1), (1, 1)), ((0, 0, 0), (0, 0, 1), (0, 1, 0), (1, 1, 1))
    work: list[tuple[Callable[..., Iterable[Outcome]], tuple[object, ...]]] = [
        (private, (Fraction(2), Fraction(1, 100), 7)),
        (private_laws, (Fraction(2), Fraction(1, 100), 7)),
        (estimated, (Fraction(1), tenth, Fraction(1, 20))),
        (realizable, (Fraction(2), Fraction(2, 5), Fraction(2, 5), half)),
        (realizable, (Fraction(2), Fraction(2, 5), Fraction(2, 5), Fraction(41, 100))),
        *((rare, (d,)) for d in (4, 2, 1)),
        *((off, given) for given in ((1, 128), (9, 10**5))),
        (missed, (1, "sharp")),
        (missed, (2, "tight")),
        (learned, ("points:n=12", ((7, 1),), "sharp", 6)),
        (price, (line, 3, Fraction(1, 3))),
    ]
    slow: list[tuple[Callable[..., Iterable[Outcome]], tuple[object, ...]]] = [
        (private, (Fraction(9, 10), Fraction(1, 100), 11)),
        (private_laws, (Fraction(9, 10), Fraction(1, 100), 11)),
        (deeper, ("subsets:n=12,k=2", ((7, 1), (3, 1)), "sharp", 8)),
        (deeper, ("thresholds:n=12", ((3, 1), (2, 0)), "sharp", 8)),
        (price, (line, 4, Fraction(1, 4))),
        (price, (wide, 4, half)),
        (learned, ("points:n=12", ((7, 1),), "tight", 20)),
    ]
    return [
        *(ClaimCheck(TOPIC, each, arguments) for each, arguments in work),
        *row_claims.checks(TOPIC),
        *order_claims.checks(TOPIC),
        *definitions.checks(TOPIC),
        *agnostic_rows.checks(TOPIC),
        *inline_claims.boosting_checks(TOPIC),
        *subsample_claims.checks(TOPIC),
        *(ClaimCheck(TOPIC, each, arguments, slow=True) for each, arguments in slow),
    ]
