"""Claims about global stability [BLM20, section 4]: tournaments, frequent hypotheses, learner G."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product

from flint import arb, ctx

from learners.balls import ball
from learners.claim_checks import Claim, ClaimCheck, Outcome, compare, recomputes
from learners.coins import SeededCoins
from learners.exact import PRECISION, exact_distribution
from learners.pac.base import BatchLearner
from learners.pac.distributions import FiniteDistribution
from learners.pac.entries import EmpiricalRiskMinimizer, FinalHypothesis
from learners.pac.evidence import inline_claims
from learners.pac.evidence.stability_instances import (
    ALL,
    FEW,
    INSTANCES,
    LARGER,
    ROWS,
    Weights,
    cases,
    chosen,
    few,
    flats,
    rare,
    realizable,
    stays_below,
    thresholds,
)
from learners.pac.globally_stable import GloballyStableLearner
from learners.pac.samples import Example, Sample
from learners.pac.tournaments import Level, least_frequency, mean_costs, tournaments
from learners.playing.base.halving import Halving
from lsclasses.errors import InvalidInput
from lsclasses.hypothesis import Hypothesis
from lsclasses.soa import SOA, ConservativeSOA
from lsclasses.table import Table

TOPIC = "stability"

GENERALIZES = Claim(
    "output h of a consistent learner: largest n loss(h)/ln(1/P[h])",
    "1",
    source="[BLM20, Prop 5]",
    statements=("BLM20 Prop 5", "BLM20 Def 4", "BLM20 Def 7"),
    falsified="1/2",
)
FINITE = Claim(
    "N concepts: least N P[the most likely output]",
    "1",
    ">=",
    source="[BLM20, section 1.1.1]",
    statements=("BLM20 Sec 1.1.1, finite classes", "BLM20 Def 4"),
    falsified="3/2",
)
FREQUENT = Claim(
    "best f and k with D_k defined: least 2^d P[SOA(S T) = f]",
    "1",
    ">=",
    source="[BLM20, Lemma 12]",
    statements=("BLM20 Lemma 12", "BLM20 Alg D_k"),
    falsified="for k = 0",
    incorrect_object=True,
)
GOOD = Claim(
    "f with P[SOA(S T) = f] >= 2^-d, n > d: largest n loss(f)/d",
    "1",
    source="[BLM20, Lemma 13]",
    falsified="1/2",
)
CHEAP = Claim(
    "largest mean number of examples for a sample of D_k, divided by 4^(k+1) n",
    "1",
    source="[BLM20, Lemma 14]",
    falsified="divided by 2^k n",
)
MEAN = Claim(
    "largest mean number of examples for a sample of D_k, divided by the mean if two rules differ "
    "with probability 1 - 2^-d",
    "1",
    source="learners.pac.tournaments, for [BLM20, Lemma 14]",
    falsified="if rules always differ",
)
FORCED = Claim(
    "tournament examples on which the SOA does not err, and last examples that its rule mislabels",
    "0",
    "==",
    source="[BLM20, Observation 11]",
    statements=("BLM20 Obs 11",),
    falsified="a base learner that forgets what it predicted",
    incorrect_object=True,
)
STABLE = Claim(
    "f with loss(f) <= d/n that G outputs most often: least (d + 1) 2^(d+1) P[G outputs f]",
    "1",
    ">=",
    source="[BLM20, Thm 10]",
    statements=("BLM20 Thm 10", "BLM20 Alg G"),
    falsified="2^(d+1)",
    drops="2^(d+1)",
)
LOW = Claim(
    "f with (d + 1) 2^(d+1) P[G outputs f] >= 1, n > d: least n loss(f)/d",
    "1",
    source="[BLM20, Thm 10]",
    statements=("BLM20 Thm 10", "BLM20 Alg G"),
    falsified="1/n",
    drops="the power 1 of 1/n, replaced by 2",
)
SHARPER = Claim(
    "f with loss(f) <= d/n that G outputs most often, N the budget of G, C_d the largest possible "
    "cost of a sample of D_d: least P[G outputs f], divided by 2^-d P[C_d <= N]/(d + 1)",
    "1",
    ">=",
    source="learners.pac.tournaments",
    statements=("BLM20 Thm 10",),
    falsified="2",
)
CODE = Claim(
    "distance of the output distributions of G, by its code and by tournaments",
    "0",
    source="learners.pac.tournaments",
    statements=("BLM20 Alg G", "BLM20 Alg Monte-Carlo D_k", "BLM20 Alg D_k"),
    falsified="a budget that is larger by one tournament",
)
VALUE = Claim(
    "target x >= 3 on 7 uniform points, n = 1: largest P[SOA(S T) = f]",
    "3/7, 103/252, 26914/85911 for k = 0, 1, 2",
    "==",
    source="learners.pac.tournaments",
    statements=("BLM20 Alg D_k",),
    falsified="2^-d",
)

DIFFER = Claim(
    "P[two rules of D_0 differ]",
    "36/49 for x >= 3 on 7 uniform points, n = 1; by hand for a line of GF(7)^2, n = 2",
    "==",
    source="learners.pac.tournaments",
    statements=("BLM20 Alg D_k",),
    falsified="1 - the largest P[SOA(T) = f]",
)
COST = Claim(
    "mean number of examples that D_1 takes",
    "49/18 for x >= 3 on 7 uniform points, n = 1; 4.6955 for a line of GF(7)^2, n = 2",
    "==",
    source="learners.pac.tournaments",
    statements=("BLM20 Alg D_k", "BLM20 Lemma 14"),
    falsified="2 n, those of one attempt",
)


@recomputes(FREQUENT, CHEAP, MEAN)
def lemmas(which: str | Weights, n: int) -> Iterator[Outcome]:
    """Check that some hypothesis is frequent, and the cost of samples [BLM20, Lemmas 12, 14].

    Check the lemmas on one instance, or on all classes over three points.
    """
    where, instances = chosen(which, (1, 2, 3), n)
    frequent: list[Fraction] = []
    at_once: list[Fraction] = []
    cheap, mean = [Fraction(0)], [Fraction(0)]
    # The mean numbers by the false variants, each with the numbers of claim and variant.
    lower: list[tuple[Fraction, Fraction, int]] = []
    differing: list[tuple[Fraction, Fraction, int]] = []
    met = {"ldim": True, "realizable": True}
    defined = True
    for base, d, distribution in instances:
        found = tournaments(base, distribution, n)
        met["ldim"] &= base.version_space.ldim() == d
        met["realizable"] &= realizable(base, distribution)
        defined &= stays_below(found, found.defined)
        frequent.append(max(level.largest for level in found.defined) * 2**d)
        at_once.append(found.levels[0].largest * 2**d)
        for level in found.defined:
            cheap.append(level.expected / (4 ** (level.k + 1) * n))
            few = 2**level.k
            lower.append((level.expected / (few * n), Fraction(4 ** (level.k + 1)), few))
            if level.k:
                cost, less = mean_costs(d)[level.k], 2 ** (level.k + 1) - 2
                mean.append(level.expected / (cost * n))
                differing.append((level.expected / (less * n), cost, less))
    yield compare(
        FREQUENT, where, computed=min(frequent), stated=1, twin=min(at_once), hypotheses=met
    )
    met = {"D_k is defined": defined}
    for claim, ratios, false in ((CHEAP, cheap, lower), (MEAN, mean, differing)):
        # A sample without defined tournaments has no mean that a false variant changes.
        twin, few, many = max(false, default=(None, 1, 1))
        yield compare(
            claim,
            where,
            computed=max(ratios),
            stated=1,
            twin=twin,
            changed=(few, many),
            hypotheses=met,
        )


def require_short(d: int, n: int) -> None:
    """Require that the bound d/n on a loss is less than 1."""
    if n <= d:
        raise InvalidInput(f"The bound d/n is less than 1 for n > d. Got n = {n}, d = {d}.")


@recomputes(GOOD)
def generalization(
    which: str | Weights, n: int, dimensions: tuple[int, ...] = (1,), every: int = 1
) -> Iterator[Outcome]:
    """Check that frequent outputs of SOA(S T) have a small loss [BLM20, Lemma 13].

    Compute the losses of frequent outputs of SOA(S T), where the bound d/n is below 1.
    """
    where, instances = chosen(which, dimensions, n, every)
    losses = [Fraction(0)]
    met = {"ldim": True, "realizable": True, "D_k is defined": True}
    for base, d, distribution in instances:
        require_short(d, n)
        found = tournaments(base, distribution, n)
        met["ldim"] &= base.version_space.ldim() == d
        met["realizable"] &= realizable(base, distribution)
        met["D_k is defined"] &= stays_below(found, found.defined)
        losses += [
            n * distribution.loss(h) / d
            for level in found.defined
            for h in level.law
            if level.law.rational(h) >= Fraction(1, 1 << d)
        ]
    yield compare(GOOD, where, computed=max(losses), stated=1, false=Fraction(1, 2), hypotheses=met)


@recomputes(VALUE, DIFFER, COST)
def values() -> Iterator[Outcome]:
    """Check probabilities of the tournaments D_k on two instances.

    Compare values with values computed by other programs or by hand.
    """
    base, _, distribution = thresholds()
    found = tournaments(base, distribution, 1, beyond=True)
    stated = Fraction(3, 7), Fraction(103, 252), Fraction(26914, 85911)
    for k, value in enumerate(stated):
        largest = found.levels[k].largest
        yield compare(VALUE, f"k={k}", computed=largest, stated=value, false=found.threshold)
    yield from _first_tournament("7 thresholds", found.levels, Fraction(36, 49), 1)
    base, _, distribution = flats()
    # Two examples: none on the line, two different points of it, or one of its seven points.
    chances = [Fraction(12, 25) ** 2, Fraction(13, 25) ** 2 * Fraction(6, 7)]
    chances += 7 * [(1 - sum(chances, Fraction(0))) / 7]
    differ = 1 - sum((p * p for p in chances), Fraction(0))
    yield from _first_tournament(
        "lines of GF(7)^2", tournaments(base, distribution, 2).levels, differ, 2
    )


def _first_tournament(
    where: str, found: Sequence[Level], differ: Fraction, n: int
) -> Iterator[Outcome]:
    zero, one = found[0], found[1]
    yield compare(DIFFER, where, computed=zero.differ, stated=differ, false=1 - zero.largest)
    yield compare(COST, where, computed=one.expected, stated=2 * n / differ, false=2 * n)


UNUSED = SeededCoins(0)
"""Coins that deterministic learners do not use."""


def learners_of(C: Table) -> list[BatchLearner]:
    """Return the consistent learners of the library that learn every class."""
    return [FinalHypothesis(SOA(C)), FinalHypothesis(Halving(C)), EmpiricalRiskMinimizer(C)]


def fits(learner: BatchLearner, distribution: FiniteDistribution, n: int) -> bool:
    """Return whether the outputs on all samples of n examples are consistent with the samples.

    The learner is deterministic.
    """
    rows = product(distribution.counts, repeat=n)
    samples = [Sample(distribution.domain, each) for each in rows]
    return not any(sample.errors(learner.fit(sample, UNUSED)) for sample in samples)


@recomputes(GENERALIZES, FINITE)
def consistent_learners(weights: Weights, n: int, every: int) -> Iterator[Outcome]:
    """Check that likely outputs of consistent learners generalize [BLM20, Prop 5].

    Check the claim on all hypotheses that occur, by the exact distributions over all samples.
    """
    ratios, likeliest = [arb(0)], [arb(8)]
    met = {"realizable": True, "the learner is consistent on every realizable sample": True}
    finite = {"every output is one of finitely many hypotheses": True}
    with ctx.workprec(PRECISION):
        for base, _, distribution in cases((1, 2, 3), weights, every):
            C = base.version_space.to_table()
            met["realizable"] &= realizable(base, distribution)
            for learner in learners_of(C):
                met["the learner is consistent on every realizable sample"] &= fits(
                    learner, distribution, n
                )
                law = learner.law(distribution, n)
                if isinstance(learner, EmpiricalRiskMinimizer):
                    finite["every output is one of finitely many hypotheses"] &= all(
                        h in C for h in law
                    )
                for h in law:
                    p = law.rational(h)
                    loss = distribution.loss(h)
                    if loss:
                        ratios.append(ball(n * loss) / -ball(p).log())
                if isinstance(learner, EmpiricalRiskMinimizer):
                    likeliest.append(ball(len(C) * max(law.rational(h) for h in law)))
        where = f"SOA, halving, ERM on {few(every)}, n={n}"
        largest, least = max(ratios, key=float), min(likeliest, key=float)
        yield compare(
            GENERALIZES, where, computed=largest, stated=1, false=Fraction(1, 2), hypotheses=met
        )
        where = f"ERM on {few(every)}, n={n}"
        yield compare(
            FINITE, where, computed=least, stated=1, false=Fraction(3, 2), hypotheses=finite
        )


def fought(
    base: SOA, samples: Sequence[Sequence[Example]], support: Sequence[Example]
) -> Iterator[tuple[tuple[Example, ...], int]]:
    """Return the samples that tournaments of D_k [BLM20] produce, by brute force for n = 1."""
    runs: list[tuple[tuple[Example, ...], Hypothesis]] = []
    for S in samples:
        for example in support:
            sequence = (*S, example)
            state = base
            for x, y in sequence:
                state = state.observe(x, y)
            runs.append((sequence, state.hypothesis))
    domain = list(base.version_space.domain)
    for (one, f), (other, g) in product(runs, repeat=2):
        x = next((x for x in domain if f(x) != g(x)), None)
        if x is not None:
            for y in (0, 1):
                yield (*(one if f(x) != y else other), (x, y)), len(one)


def unforced(base: SOA, distribution: FiniteDistribution, depth: int) -> int:
    """Return the number of tournament examples without a mistake, or of wrong final rules."""
    support, faults = list(distribution.counts), 0
    samples: list[tuple[Example, ...]] = [()]
    for k in range(depth + 1):
        for S, (x, y) in product(samples, support):
            state, mistakes = base, []
            for place, (a, b) in enumerate(S):
                mistakes += [place] * (state.predict(a) != b)
                state = state.observe(a, b)
            # Tournament examples are at positions 1, 3, ..., 2k - 1.
            faults += sum(2 * i + 1 not in mistakes for i in range(k))
            faults += state.observe(x, y).predict(x) != y
        if k < depth:
            samples = sorted({S for S, _ in fought(base, samples, support)}, key=repr)
    return faults


@recomputes(FORCED)
def forced(dimensions: tuple[int, ...]) -> Iterator[Outcome]:
    """Check that the SOA errs on every tournament example [BLM20, Observation 11].

    Check the claim on all samples of all defined D_k, with n = 1.
    """
    # The target is 110, and the examples are (0, 1), (1, 1). Then the rule is 0 at the point 0.
    C = Table([[1, 0, 0], [0, 1, 0], [1, 1, 0], [1, 0, 1]])
    forgetful = forgotten(ConservativeSOA(C), FiniteDistribution.labelled(C[2], [0, 1]))
    faults, deepest, defined = 0, 0, True
    for base, _, distribution in cases(dimensions, [(1, 1, 1)]):
        found = tournaments(base, distribution, 1)
        defined &= stays_below(found, found.defined)
        depth = len(found.defined) - 1
        deepest = max(deepest, depth)
        faults += unforced(base, distribution, depth)
    bound = ", ".join(map(str, dimensions))
    yield compare(
        FORCED,
        f"{few(1)}, Ldim {bound}, all targets, all samples for k <= {deepest}, n=1",
        computed=faults,
        stated=0,
        twin=forgetful,
        hypotheses={"D_k is defined": defined},
    )


def forgotten(base: SOA, distribution: FiniteDistribution) -> int:
    """Return the number of samples of two examples whose rule is wrong on one of them."""
    faults = 0
    for one, other in product(distribution.counts, repeat=2):
        state = base.observe(*one).observe(*other)
        faults += any(state.predict(x) != y for x, y in (one, other))
    return faults


@recomputes(STABLE, SHARPER)
def theorem(which: str | Weights, n: int, every: int = 1) -> Iterator[Outcome]:
    """Check the global stability of the learner G [BLM20, Thm 10].

    Check the theorem on one instance or on classes on three points, by exact distributions.
    """
    where, instances = chosen(which, (1, 2), n, every)
    printed, sharper, least = [], [], 3
    met = {"ldim": True, "realizable": True, "d >= 1": True}
    with ctx.workprec(PRECISION):
        for base, d, distribution in instances:
            least = min(least, d)
            met["ldim"] &= base.version_space.ldim() == d
            met["realizable"] &= realizable(base, distribution)
            met["d >= 1"] &= d >= 1
            learner = GloballyStableLearner(base, n)
            law = learner.law(distribution)
            best = max((law[h] for h in law if distribution.loss(h) <= Fraction(d, n)), key=float)
            printed.append(best / ball(learner.printed_eta))
            sharper.append(best / ball(least_frequency(d, learner.budget)))
        yield compare(
            STABLE,
            where,
            computed=min(printed, key=float),
            stated=1,
            false=2 << least,
            hypotheses=met,
        )
        yield compare(
            SHARPER, where, computed=min(sharper, key=float), stated=1, false=2, hypotheses=met
        )


@recomputes(LOW)
def low_loss(n: int) -> Iterator[Outcome]:
    """Check that frequent outputs of the learner G have a small loss [BLM20, Thm 10].

    Compute the least loss of a frequent output of G, where its first rule is most frequent.

    For d = 1, let u be the probability that n examples contain a mistake of the first rule h. Then
    G outputs the target with probability at least u/2 + (1 - (1 - 2 u (1 - u))^32)/4, which is the
    stated 1/8 if u >= .0103. Otherwise, n loss(h) <= -ln(1 - u) <= .0104. So no instance attains
    more of the bound. The instance has n loss(h) = 1/100. For n > 100, this is more than 1/n.
    """
    base, d, distribution = rare({4: Fraction(1, 100 * n)})
    require_short(d, n)
    with ctx.workprec(PRECISION):
        law = GloballyStableLearner(base, n).law(distribution)
        frequent = [h for h in law if law[h] * ((d + 1) << d + 1) >= 1]
    yield compare(
        LOW,
        f"one of 9 points, of mass 1/{100 * n}, n={n}",
        computed=min(map(distribution.loss, frequent)) * Fraction(n, d),
        stated=1,
        false=Fraction(1, n),
        hypotheses={
            "ldim": base.version_space.ldim() == d,
            "realizable": realizable(base, distribution),
            "d >= 1": d >= 1,
        },
    )


@recomputes(CODE)
def production(code: int, target: int, budget: int) -> Iterator[Outcome]:
    """Compare the code of the learner G with the distributions of its tournaments.

    Compare all branches of the production code with the distributions of tournaments.
    """
    C = Table([row for i, row in enumerate(ROWS) if code >> i & 1])
    distribution = FiniteDistribution.labelled(C[target])
    learner = GloballyStableLearner(SOA(C), 1, budget)
    run = exact_distribution(
        lambda coins: learner.fit(
            distribution.sample_on_demand(learner.rows, coins), coins
        ).canonical()
    )
    apart = []
    for each in (learner, GloballyStableLearner(SOA(C), 1, budget + 2)):
        law = each.law(distribution)
        with ctx.workprec(PRECISION):
            outcomes = {*law, *run}
            apart.append(
                sum((abs(law.get(h, arb(0)) - run.get(h, arb(0))) for h in outcomes), arb(0)) / 2
            )
    where = f"{len(C)} concepts on 3 points, n=1, budget {budget}"
    # A probability 0 is a ball around 0.
    yield compare(
        CODE,
        where,
        computed=apart[0].upper() if apart[0] < 1e-30 else apart[0],
        stated=Fraction(1, 10**30),
        twin=apart[1],
        changed=(budget, budget + 2),
        hypotheses={"ldim": C.ldim() == learner.base.mistake_bound},
    )


def checks() -> list[ClaimCheck]:
    """Return the checks of the lemmas and the theorem, on small instances.

    The instances include all classes over three points.
    """

    def check(work: object, *arguments: object, slow: bool = False) -> ClaimCheck:
        return ClaimCheck(TOPIC, work, arguments, slow)  # type: ignore[arg-type]

    return [
        check(lemmas, FEW[:2], 1),
        check(lemmas, FEW, 1, slow=True),
        *(check(lemmas, name, n) for name, n in INSTANCES),
        check(lemmas, ALL, 1, slow=True),
        check(lemmas, ALL, 2, slow=True),
        *(check(generalization, name, n) for name, n in LARGER[:2]),
        check(generalization, ALL, 2, (1,), 5),
        check(generalization, ALL, 2, slow=True),
        check(generalization, ALL, 3, (1, 2), slow=True),
        check(values),
        check(consistent_learners, FEW[1:2], 2, 5),
        check(consistent_learners, FEW, 3, 1, slow=True),
        check(forced, (1,)),
        check(forced, (2, 3), slow=True),
        check(theorem, FEW[:1], 1, 3),
        *(check(theorem, name, n) for name, n in (*INSTANCES, *LARGER)),
        check(low_loss, 256),
        check(theorem, FEW, 1, slow=True),
        check(theorem, FEW, 2, slow=True),
        check(production, 0b10110, 1, 4),
        *inline_claims.stability_checks(TOPIC),
    ]
