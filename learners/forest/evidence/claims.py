"""The forest DP-SOA [GL21] against all adaptive adversaries, its lucky trees, and its mistakes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import comb

from flint import arb, ctx

import catalog
from learners.audit import ExploredGame
from learners.audit.audit_registry import instance
from learners.audit.claims import Cut
from learners.balls import ball, ceiling, log
from learners.bounds import OBLIVIOUS, REALIZABLE, Bound
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
from learners.concentration import chernoff_trials
from learners.exact import PRECISION, exact_distribution
from learners.forest.algorithm import Forest, ForestSOA
from learners.forest.evidence import consistent_trees, name_privacy
from learners.forest.evidence.instances import (
    BOTH_LABELS,
    FirstMistake,
    rarest,
    seen_in,
    too_few,
    tree_after,
)
from learners.forest.plan import ForestParameters, trees_for_frequency
from learners.forest.tree import Tree
from learners.games import AdaptiveStream, Ask, Challenge, Move
from learners.multiset import Multiset
from lsclasses.domain import FiniteDomain
from lsclasses.hypothesis import Hypothesis
from lsclasses.numbers import format_number
from lsclasses.point_names import Label
from lsclasses.soa import ConservativeSOA

__all__ = ["checks"]

TOPIC = "forest"

ADAPTIVE = Claim(
    "privacy of published hypotheses against all adversaries who choose examples after seeing them",
    "(epsilon, delta)",
    source="learners.forest.algorithm, for [GL21, Lemma A.1]",
    statements=("GL21 Lemma A.1", "GL21 Alg 1", "GL21 Thm 4.1"),
    falsified="(epsilon/8, delta/1000)",
)
COMPOSED = Claim(
    "epsilon/epsilon' that T mechanisms of (epsilon', delta/(2T)) need to be (epsilon, delta)",
    "2 sqrt(2 T ln(2/delta))",
    source="learners.accounting, for [GL21, Lemma 5.4]",
    falsified="2 sqrt(2 T ln(1/delta)), for every delta",
)
USUAL = Claim(
    COMPOSED.quantity + ", delta <= 1/2",
    "2 sqrt(2 T ln(1/delta))",
    source="[GL21, Lemma 5.4]",
    statements=COMPOSED.statements,
    falsified="2 sqrt(2 T)",
    drops="ln(1/delta)",
)
NAMES = Claim(
    "names that are replaced in lists of k_2 trees that merge k_1 - 1 times each",
    "8 (k_1 - 1)/eta",
    source="docs/private-online.md, for [GL21, Lemma A.3]",
    falsified="4 k_1/eta",
)

FREQUENT = Claim(
    "P[in some round no hypothesis is shown by a share 2^(-4 k_1)/(4 k_1) of the trees]",
    "beta",
    source="docs/private-online.md, for [GL21, Lemma A.2]",
    falsified="with 2^d leaves",
)
PROOF = Claim(
    "(1 - beta)-sure share of trees that show f, if a share 2^(-4 k_1 - 3) of them has a pair of f",
    "2^(-4 k_1)/(16 k_1)",
    relation=">=",
    source="[GL21, Lemma A.2], its proof",
    falsified="2^(-4 k_1)/(4 k_1)",
)
HEAVY = Claim(
    "least share of the vertices of lucky trees at some height that have one hypothesis",
    "2^(-k_1)",
    relation=">=",
    source="[GL21, Claim A.5]",
    falsified="all of them",
)
PAIRS = Claim(
    "worst P[few trees have a pair of the heavy f] exp(2^(-8 k_1 - 6) k_2/9)/2",
    "1",
    source="[GL21, Claim A.6]",
    falsified="with 2^d leaves",
)
ARRANGED = Claim(
    "P[the sibling of a leaf that predicts f does so, too], given that m of n leaves do",
    "0",
    relation="==",
    source="docs/errata.md",
    printed="(m - 1)/(n - 1)",
    printed_in="[GL21, proof of Claim A.6]",
    statements=("GL21 Claim A.6",),
)
MERGES = Claim(
    "mean number of mistakes until two vertices merge, of a name of frequency eta/16",
    "16 k_1/eta",
    source="docs/private-online.md, for [GL21, Lemma A.3]",
    falsified="16/eta",
    drops="k_1",
)
MISTAKES = Claim(
    "mistakes of ForestSOA, for a stream fixed in advance",
    "16 k_1 (R + L + sqrt(L^2 + 2 R L))/eta, R = (k_1 - 1) k_2, L = ln(1/beta)",
    source="docs/private-online.md, for [GL21, Thm 4.1]",
    statements=("GL21 Thm 4.1", "GL21 Lemma A.3"),
    falsified="for R = k_1 - 1",
    drops="k_2",
)
RERUN = Claim(
    "mean number of mistakes of the fresh forests' names of frequency eta/4",
    "4 k_1 (k_1 - 1) k_2/eta",
    source="learners.forest.rerun, for [GL21, Thm 4.2]",
    falsified="1",
)
CUT: Cut = {"tail": Fraction(1, 2**12), "resolution": Fraction(1, 100)}
"""Arguments of this module's audits: where to cut infinite distributions, and the tolerance."""


@recomputes(ADAPTIVE)
def adaptive(specification: str) -> Iterator[Outcome]:
    """Check the privacy of `ForestSOA` against all adaptive adversaries on two points."""
    hit, miss, other = (0, 1), (0, 0), (1, 1)
    moves: list[Move] = [Ask(hit), Ask(other), Challenge(hit, miss), Challenge(hit, other)]
    learner = instance(specification).mechanism
    explored = ExploredGame(AdaptiveStream(learner, 3), moves, **CUT)
    right = explored.against(learner.privacy)
    false = explored.against((right.epsilon / 8, right.delta / 1000))
    yield audit_outcome(ADAPTIVE, f"{specification.partition(':')[2]}, T=3", right, false=false)


# ---- lucky trees


def conditions(spec: str, d: int, leaves: int) -> dict[str, bool]:
    """Return whether the hypotheses of the lemmas hold, for streams labelled by a concept."""
    C = catalog.build(spec).to_table()
    return {
        "ldim": C.ldim() == d,
        "realizable": all(len(C.given([(x, h(x)) for x in C.domain])) > 0 for h in C),
        "leaves": leaves & leaves - 1 == 0,
    }


@recomputes(FREQUENT)
def frequent(spec: str, d: int, leaves: int, rounds: int, failure: Fraction) -> Iterator[Outcome]:
    """Check that in every round, many trees show one hypothesis, except with probability beta."""
    trees = trees_for_frequency(leaves, rounds, failure)
    eta = Fraction(1, 4 * leaves << 4 * leaves)

    def chance(width: int) -> arb:
        share = rarest(spec, width)
        return too_few(trees, Fraction(2, 1 << width), eta / share) if share else arb(1)

    with ctx.workprec(PRECISION):
        yield compare(
            FREQUENT,
            f"{spec}, k_1={leaves}, k_2={format_number(trees)}",
            computed=chance(leaves),
            stated=failure,
            twin=chance(1 << d) if d else None,
            changed=(leaves, 1 << d),
            hypotheses=conditions(spec, d, leaves),
        )


@recomputes(HEAVY)
def heavy(spec: str, d: int, leaves: int) -> Iterator[Outcome]:
    """Check the share of the vertices of lucky trees that have one hypothesis [GL21, Claim A.5]."""
    least = Fraction(1)
    for trees in seen_in(spec, leaves):
        shares = []
        for tree in trees:
            share: dict[tuple[int, Hypothesis], Fraction] = {}
            for depth, vertex in tree.vertices():
                kind = depth, vertex.state.hypothesis.canonical()
                share[kind] = share.get(kind, Fraction(0)) + Fraction(1, 1 << depth)
            shares.append(share)
        kinds = {kind for share in shares for kind in share}
        least = min(least, *(sum(share.values(), Fraction(0)) / len(kinds) for share in shares))
    yield compare(
        HEAVY,
        f"{spec}, k_1={leaves}",
        computed=least,
        stated=Fraction(1, 1 << leaves),
        false=Fraction(1) if leaves > 2 else None,
        hypotheses=conditions(spec, d, leaves),
    )


@recomputes(PAIRS)
def pairs(spec: str, d: int, leaves: int) -> Iterator[Outcome]:
    """Check the number of trees in which two siblings share a hypothesis [GL21, Claim A.6].

    Two of k_1 vertices in that share of the lucky trees, at one of log2(k_1) heights, are enough
    for a heavy hypothesis. The numbers of trees are so large that the stated failure probability
    is at most 9/10.
    """
    share = rarest(spec, leaves)
    assert 2 * share / (leaves * (leaves.bit_length() - 1)) >= Fraction(1, 1 << leaves)
    power = Fraction(1, 9 << 8 * leaves + 6)
    least = ceiling(lambda: log(Fraction(20, 9)) / ball(power))

    def worst(width: int) -> arb:
        share, found = rarest(spec, width), arb(0)
        for trees in (least << i for i in range(4)):
            few = Fraction(1, 2 << 2 * leaves)
            chance = too_few(trees, Fraction(2, 1 << width), few / share) if share else arb(1)
            found = found.max(chance * ball(power * trees).exp() / 2)
        return found

    with ctx.workprec(PRECISION):
        yield compare(
            PAIRS,
            f"{spec}, k_1={leaves}, k_2 >= {format_number(least)}",
            computed=worst(leaves),
            stated=1,
            twin=worst(1 << d) if d else None,
            changed=(leaves, 1 << d),
            hypotheses=conditions(spec, d, leaves),
        )


@recomputes(PROOF)
def proved(leaves: int, rounds: int, failure: Fraction) -> Iterator[Outcome]:
    """Check the share of trees that show f, by the binomial distribution in the proof.

    The proof has n = 2^(-4 k_1 - 3) k_2 trees, each of which shows f with probability 1/k_1. The
    quantile is at most the mean, and by Chernoff's bound it is close to the mean.
    """
    trees = trees_for_frequency(leaves, rounds, failure)
    mean = Fraction(1, leaves << 4 * leaves + 3)
    with ctx.workprec(PRECISION):
        least = ball(mean) * (1 - (-2 * log(failure) / ball(mean * trees)).sqrt())
        yield compare(
            PROOF,
            f"k_1={leaves}, k_2={format_number(trees)}, beta={format_number(failure)}",
            computed=least.union(ball(mean)),
            stated=Fraction(1, 16 * leaves << 4 * leaves),
            false=Fraction(1, 4 * leaves << 4 * leaves),
            hypotheses={"leaves": leaves & leaves - 1 == 0},
        )


@recomputes(ARRANGED)
def arranged(trees: int, leaves: int, rounds: int) -> Iterator[Outcome]:
    """Refute a probability in the proof of [GL21, Claim A.6], on one repeated example.

    After one of two siblings has learned the example, the siblings differ, and no later example
    reaches the other sibling.
    """
    base = FirstMistake(FiniteDomain(range(2)))

    def labels(coins: Coins) -> tuple[Label, ...]:
        states, merged = [base] * (trees * leaves), set()
        for _ in range(rounds):
            leaf = coins.below(len(states))
            if leaf // 2 in merged:
                continue
            states[leaf] = states[leaf]._observe(0, 1)
            if states[leaf].hypothesis != states[leaf ^ 1].hypothesis:
                merged.add(leaf // 2)
        return tuple(state.predict(0) for state in states)

    law = exact_distribution(labels)
    given = {says: law.rational(says) for says in law if sum(says) == rounds}
    both = sum(
        (weight * sum(a & b for a, b in zip(says[::2], says[1::2], strict=True)) * 2 / rounds)
        for says, weight in given.items()
    )
    yield compare(
        ARRANGED,
        f"k_1={leaves}, k_2={trees}, m={rounds}",
        computed=Fraction(both) / sum(given.values()),
        stated=0,
        printed=Fraction(rounds - 1, trees * leaves - 1),
        hypotheses=conditions("points:n=2", base.most, leaves),
    )


# ---- mistakes


@recomputes(MERGES)
def merges(leaves: int, trees: int, frequency: Fraction) -> Iterator[Outcome]:
    """Check the mean number of mistakes until two vertices merge, if few trees show the name.

    In each of these trees, only two leaves still err. The other trees are complete.
    """
    few = trees * frequency / 16
    assert few.denominator == 1
    tree, ended = Tree.of(FirstMistake(FiniteDomain(range(2))), leaves), Tree(None, None)
    name = tree.shown
    while (after := tree_after(tree, [(0, 1)])).shown == name:
        tree = after
    forest = Forest(
        Multiset({tree: int(few), ended: trees - int(few)}),
        Multiset({name: int(few), None: trees - int(few)}),
    )
    pertinent = int(few) * tree.pertinent
    law = exact_distribution(
        lambda coins: sum(
            tree.pertinent * count for tree, count in forest.after(0, 1, coins).trees.items()
        )
    )
    chance = sum(law.rational(left) for left in law if left < pertinent)
    yield compare(
        MERGES,
        f"k_1={leaves}, k_2={trees}, eta={frequency}",
        computed=1 / Fraction(chance),
        stated=16 * leaves / frequency,
        false=16 / frequency,
        hypotheses={"leaves": leaves & leaves - 1 == 0},
    )


@recomputes(MISTAKES)
def mistakes(trees: int, frequency: Fraction, rounds: int, games: int) -> Iterator[Outcome]:
    """Check the mistake bound of `ForestSOA` on one repeated mistake of point functions.

    This stream is the worst stream for point functions. After the second histogram, the name stays.
    """
    spec, example = "points:n=9", (3, 1)
    C = catalog.build(spec)
    # Half of the budget of the names is charged.
    parameters = ForestParameters(4, trees, frequency, 2, Fraction(4), Fraction(1, 50))
    learner = ForestSOA(ConservativeSOA(C), parameters)
    failure = Fraction(1, 100)
    bound = Bound(
        MISTAKES.source, "mistakes", MISTAKES.formula,
        chernoff_trials(3 * trees, frequency / 64, failure), rounds, failure,
        (REALIZABLE, OBLIVIOUS),
    )  # fmt: skip

    def erred(seed: int) -> int:
        coins, found = SeededCoins(seed), 0
        state = learner.start(coins)
        for played in range(rounds):
            assert state is not None
            wrong = int(state.hypothesis(example[0]) != example[1])
            if not state.inner.run.remaining:
                return found + wrong * (rounds - played)
            found += wrong
            state = learner.receive(state, example, coins)
        return found

    yield bound_outcome(
        MISTAKES,
        f"{spec}, k_1=4, k_2={trees}, eta={frequency}, c=2, T={rounds}",
        bound,
        map(erred, range(games)),
        false=chernoff_trials(3, frequency / 64, failure),
        privacy=learner.privacy,
        hypotheses={
            "ldim": C.ldim() == learner.base_bound,
            "realizable": C.given([example]).ldim() >= 0,
            "leaves": parameters.leaves & parameters.leaves - 1 == 0,
        },
    )


@recomputes(RERUN)
def rerun(trees: int, frequency: Fraction, rounds: int) -> Iterator[Outcome]:
    """Check the mistake bound of `RerunForest`, by the exact distribution of a forest."""
    leaves = 4
    first = Forest.of(FirstMistake(FiniteDomain(range(2))), leaves, trees)

    @cache
    def after(
        trees: Multiset[Tree], shown: Multiset[Hypothesis | None]
    ) -> list[tuple[Forest, Fraction]]:
        forest = Forest(trees, shown)
        law = exact_distribution(lambda coins: replace(forest.after(0, 1, coins), played=0))
        return [(later, law.rational(later)) for later in law]

    law, mean = {first: Fraction(1)}, Fraction(0)
    for _ in range(rounds):
        later: dict[Forest, Fraction] = {}
        for forest, weight in law.items():
            name = max(
                (name for name in forest.shown if name is not None),
                key=lambda name: (forest.shown[name], name(0)),
                default=None,
            )
            if name is not None and forest.shown[name] >= frequency / 4 * trees:
                mean += weight * (1 - name(0))
            for each, chance in after(forest.trees, forest.shown):
                later[each] = later.get(each, Fraction(0)) + weight * chance
        law = later
    yield compare(
        RERUN,
        f"k_1={leaves}, k_2={trees}, eta={frequency}, T={rounds}",
        computed=mean,
        stated=4 * leaves * (leaves - 1) * trees / frequency,
        false=1,
    )


# ---- names and composition


def replaced_names(leaves: int, trees: int, share: Fraction) -> int:
    """Return the number of successive names, each found at frequency eta/4 and replaced at eta/8.

    The lists are constructed as follows. Each item of a row is shown by eta k_2/8 trees, and the
    current name by twice as many. The additional trees move to the next item, to the end of the row
    and back again. Among all trees, the trees with the most remaining merges move.
    """
    step = trees * share / 8
    assert step.denominator == 1
    few = int(step)
    left = [leaves - 1] * trees
    row = [list(range(start, start + few)) for start in range(0, trees - few, few)]
    row[0] += range(trees - few, trees)
    at, way, names = 0, 1, 0
    while True:
        assert len(row[at]) >= trees * share / 4, "what is named is frequent"
        if not 0 <= at + way < len(row):
            way = -way
        moving = sorted(row[at], key=lambda tree: -left[tree])[:few]
        if not all(left[tree] for tree in moving):
            return names
        row[at] = [tree for tree in row[at] if tree not in moving]
        assert len(row[at]) <= trees * share / 8, "what is replaced is rare"
        at += way
        row[at] += moving
        for tree in moving:
            left[tree] -= 1
        names += 1


@recomputes(NAMES)
def names(leaves: int, trees: int, share: Fraction) -> Iterator[Outcome]:
    """Check the number of names that lists can replace, which exceeds the printed number."""
    yield compare(
        NAMES,
        f"k_1={leaves}, k_2={trees}, eta={share}",
        computed=replaced_names(leaves, trees, share),
        stated=8 * (leaves - 1) / share,
        false=4 * leaves / share,
        hypotheses={"leaves": leaves & leaves - 1 == 0},
    )


def composed(rounds: int, each: Fraction, epsilon: Fraction, delta: Fraction) -> arb:
    """Return the exact worst-case delta at epsilon of T mechanisms of (each, delta/(2T)).

    With probability delta/(2T) each reveals its input. Otherwise it is randomized response
    (Kairouz, Oh, Viswanath 2015).
    """
    odds = ball(each).exp()
    heads = odds / (1 + odds)
    kept = arb(0)
    for ones in range(rounds + 1):
        loss = (2 * ones - rounds) * each
        if loss > epsilon:
            weight = comb(rounds, ones) * heads**ones * (1 - heads) ** (rounds - ones)
            kept += weight * (1 - ball(epsilon - loss).exp())
    return 1 - ball(1 - delta / (2 * rounds)) ** rounds * (1 - kept)


def least_divisor(rounds: int, epsilon: Fraction, delta: Fraction) -> arb:
    """Return the least divisor of epsilon, by bisection on exact binomial distributions."""
    low, high = Fraction(1, 100), Fraction(1000)
    while high - low > Fraction(1, 1000):
        middle = (low + high) / 2
        if composed(rounds, epsilon / middle, epsilon, delta) <= ball(delta):
            high = middle
        else:
            low = middle
    return ball(low).union(ball(high))


@recomputes(COMPOSED)
def composition(rounds: int, epsilon: Fraction, delta: Fraction) -> Iterator[Outcome]:
    """Check the divisor of epsilon in [GL21, Lemma 5.4], with half of delta as slack."""
    with ctx.workprec(PRECISION):
        yield compare(
            COMPOSED,
            f"T={rounds}, epsilon={epsilon}, delta={delta}",
            computed=least_divisor(rounds, epsilon, delta),
            stated=2 * (2 * rounds * log(2 / delta)).sqrt(),
            privacy=(epsilon, delta),
            false=2 * (-2 * rounds * log(delta)).sqrt(),
        )


@recomputes(USUAL)
def usual_composition(rounds: int, epsilon: Fraction, delta: Fraction) -> Iterator[Outcome]:
    """Check [GL21, Lemma 5.4] as printed, for delta of at most 1/2."""
    with ctx.workprec(PRECISION):
        yield compare(
            USUAL,
            f"T={rounds}, epsilon={epsilon}, delta={delta}",
            computed=least_divisor(rounds, epsilon, delta),
            stated=2 * (-2 * rounds * log(delta)).sqrt(),
            privacy=(epsilon, delta),
            false=2 * ball(2 * rounds).sqrt(),
            hypotheses={"epsilon <= 1": epsilon <= 1, "delta <= 1/2": delta <= Fraction(1, 2)},
        )


def checks() -> list[ClaimCheck]:
    """Return the checks: small forests, and a delta at which the usual composition fails."""
    return [
        ClaimCheck(TOPIC, composition, (16, Fraction(1), Fraction(499, 500))),
        ClaimCheck(TOPIC, usual_composition, (100, Fraction(1), Fraction(1, 10**6))),
        ClaimCheck(TOPIC, usual_composition, (16, Fraction(1), Fraction(1, 2))),
        ClaimCheck(TOPIC, names, (4, 64, Fraction(1, 4))),
        ClaimCheck(TOPIC, names, (16, 512, Fraction(1, 16))),
        *consistent_trees.checks(TOPIC),
        *name_privacy.checks(TOPIC),
        # [GL21, Lemma A.2 and Claim A.6] are about 20 leaves and more.
        ClaimCheck(TOPIC, frequent, (BOTH_LABELS, 1, 32, 10**6, Fraction(1, 20))),
        ClaimCheck(TOPIC, frequent, ("points:n=3", 1, 4, 10**6, Fraction(1, 20))),
        ClaimCheck(TOPIC, proved, (32, 10**6, Fraction(1, 10**6))),
        ClaimCheck(TOPIC, heavy, ("points:n=3", 1, 4)),
        ClaimCheck(TOPIC, pairs, (BOTH_LABELS, 1, 32)),
        ClaimCheck(TOPIC, pairs, ("points:n=3", 1, 4)),
        ClaimCheck(TOPIC, arranged, (1, 32, 2)),
        ClaimCheck(TOPIC, arranged, (4, 4, 3)),
        ClaimCheck(TOPIC, merges, (4, 64, Fraction(1, 4))),
        ClaimCheck(TOPIC, mistakes, (384, Fraction(1, 2), 190_000, 3)),
        ClaimCheck(TOPIC, rerun, (2, Fraction(1, 2), 60)),
        ClaimCheck(TOPIC, adaptive, ("forest_soa:trees=1,epsilon=8,delta=3/25",)),
        ClaimCheck(TOPIC, frequent, ("thresholds:n=3", 2, 8, 10**6, Fraction(1, 20)), slow=True),
        ClaimCheck(TOPIC, heavy, ("thresholds:n=3", 2, 8), slow=True),
        ClaimCheck(TOPIC, pairs, ("thresholds:n=3", 2, 8), slow=True),
        ClaimCheck(TOPIC, rerun, (3, Fraction(1, 2), 60), slow=True),
        ClaimCheck(
            TOPIC, adaptive, ("forest_soa:leaves=2,trees=4,epsilon=8,delta=3/25",), slow=True
        ),
    ]
