"""Majorities of concepts as online learners: mistakes, rules, and the evidence of every state."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TypeVar

import numpy as np
from flint import arb, ctx

import catalog
from catalog import atlas
from learners.claim_checks import Claim, ClaimCheck, Outcome, compare, recomputes
from learners.coins import SeededCoins
from learners.majorities.algorithm import SparseMajority, mistakes_at_most, sparse_majority
from learners.majorities.certificates import MajorityCertificate
from learners.majorities.sparse_halving import TOLERANCE, SparseHalving, halvings_at_most
from learners.number_arguments import PRECISION
from learners.playing.base.proper_soa import ProperSOA
from lsclasses.errors import BadCertificate, InvalidInput
from lsclasses.online import MistakeBounded
from lsclasses.soa import ConservativeSOA
from lsclasses.table import Table

# ---- majorities


S = TypeVar("S", bound=MistakeBounded)

STATEMENTS = ("LWY25 Lemma E.9",)
NONE = Fraction(10**6)
"""The growth of the reserved weight in a state in which no mistake is possible."""
SOURCE = "Theorem G of docs/sparse-majorities.md, for [LWY25, Lemma E.9]"
MISTAKES = {
    exact: Claim(
        f"mistakes of {'exact' if exact else 'sparse'} majorities on the worst stream",
        f"floor({'4.41' if exact else '6.46'} Ldim)",
        "<=",
        SOURCE,
        statements=STATEMENTS,
        falsified="Ldim - 1",
    )
    for exact in (False, True)
}
CONSTANTS = {
    exact: replace(
        claim,
        quantity=f"proved mistakes of {'exact' if exact else 'sparse'} majorities, per dimension",
        formula="441/100" if exact else "646/100",
        falsified="440/100" if exact else "645/100",
    )
    for exact, claim in MISTAKES.items()
}
RULES = Claim(
    "states whose rule is a majority of its m concepts, written out",
    "all reachable states",
    "==",
    SOURCE,
    statements=STATEMENTS,
    falsified="for m = 1",
)
EVIDENCE = Claim(
    "states whose certificate passes",
    "all reachable states",
    "==",
    SOURCE,
    statements=STATEMENTS,
    falsified="for one mistake less",
)
GROWTH = Claim(
    "growth of the share of all weight that is reserved for a concept, at a mistake",
    "1/(1/2 + tau + xi')",
    ">=",
    SOURCE,
    statements=STATEMENTS,
    falsified="3",
)
VOTES = Claim(
    "votes m of a sparse majority, at most",
    "the least odd m with 2 |X| exp(-2 m tau^2) < 1",
    "<=",
    "observed for draws with the fixed seed, proved for some draws",
    statements=STATEMENTS,
    falsified="1",
)
DUAL_VOTES = Claim(
    "most votes of sparse majorities, after random mistakes",
    "4 d_V*",
    "<=",
    "observed for draws with the fixed seed",
    statements=STATEMENTS,
    falsified="2 d_V*",
)
HALVING = Claim(
    "mistakes of sparse halving on the worst stream",
    "largest n with (3/5)^n N >= 1, for N concepts",
    "<=",
    SOURCE,
    statements=STATEMENTS,
    falsified="log2(N)/2",
)
HALVING_EVIDENCE = replace(EVIDENCE, quantity="states of sparse halving whose certificate passes")
HALVING_CONSTANT = Claim(
    "proved mistakes of sparse halving",
    "1.357 log2 N",
    "<=",
    SOURCE,
    statements=STATEMENTS,
    falsified="1.35 log2 N",
)
CHOICE = Claim(
    "classes for which the chosen learner's bound exceeds 6.46 Ldim, or the bound of halving",
    "0",
    "==",
    "learners.majorities.algorithm.sparse_majority",
    statements=STATEMENTS,
    falsified="0 for only one learner",
    incorrect_object=True,
)
PROPER = Claim(
    "states of the proper SOA whose rule is not a concept",
    "0",
    "==",
    "learners.playing.base.proper_soa: M = Ldim and m = 1 where there is one",
    statements=STATEMENTS,
    falsified="0 with all ties broken to 0",
    incorrect_object=True,
)
PROPER_MISTAKES = Claim(
    "mistakes of the proper SOA on the worst stream, beyond Ldim",
    "0",
    "==",
    PROPER.source,
    statements=STATEMENTS,
    falsified="-1",
)


def classes_on_three_points() -> list[Table]:
    """Return all 255 non-empty classes on three points."""
    rows = [[row >> j & 1 for j in range(3)] for row in range(8)]
    return [
        Table([row for i, row in enumerate(rows) if chosen >> i & 1]) for chosen in range(1, 256)
    ]


ALL, UP_TO_PERMUTATIONS = "all", "up to permutations"


def on_three_points(which: str) -> tuple[str, list[Table]]:
    """Return a description and the classes on three points.

    The classes are all classes ("all") or one class of each orbit of permutations of the points
    ("up to permutations").
    """
    if which == UP_TO_PERMUTATIONS:
        classes = [each.table for each in atlas.classes(3, flips=False)]
    else:
        classes = classes_on_three_points()
    return f"classes on 3 points, {which}", classes


def random_classes(seed: int, count: int) -> list[Table]:
    """Return random classes on 2 to 6 points, with 2 to 12 concepts, equal concepts merged."""
    rng = np.random.default_rng(seed)
    sizes = [(int(rng.integers(2, 13)), int(rng.integers(2, 7))) for _ in range(count)]
    return [Table(rng.integers(0, 2, size)) for size in sizes]


def reachable(start: S, C: Table) -> dict[S, int]:
    """Return all reachable states, each with the most mistakes that can be forced after it.

    Streams of mistakes are the worst case of a learner that changes on mistakes only. So every
    point is presented and the prediction denied, as long as a concept agrees with all examples. The
    state determines these concepts, because its leaves, or its version space, hold just these.
    """
    found: dict[S, int] = {}

    def forced(state: S, left: frozenset[int]) -> int:
        if state not in found:
            if (held := _left(state, C)) != left:
                raise AssertionError(f"{state!r} holds {set(held)}, not {set(left)}.")
            most = 0
            for x in C.domain:
                y = 1 - state.predict(x)
                agreeing = frozenset(np.flatnonzero(C.column(x) == y).tolist()) & left
                if agreeing:
                    most = max(most, 1 + forced(state.observe(x, y), agreeing))
            found[state] = most
        return found[state]

    forced(start, frozenset(range(len(C))))
    return found


def _left(state: MistakeBounded, C: Table) -> frozenset[int]:
    """Positions of the concepts that a state has not excluded."""
    if isinstance(state, SparseMajority):
        members = state.solver.subclasses.members
        return frozenset(i for leaf, _ in state.leaves for i in members(leaf).tolist())
    if isinstance(state, SparseHalving):
        return frozenset(state.subclasses.members(state.remaining).tolist())
    if isinstance(state, ProperSOA):
        return frozenset(state.rules.subclasses.members(state.remaining).tolist())
    assert isinstance(state, ConservativeSOA)
    positions = {concept: i for i, concept in enumerate(C)}
    return frozenset(positions[concept] for concept in state.version_space.to_table())


def reserves(proof: MajorityCertificate) -> dict[int, Fraction]:
    """Return the reserved weight of each remaining concept in the proof, as a share of all.

    A leaf of weight w and Littlestone dimension d reserves w xi^d for each of its members.
    """
    total = sum(leaf.weight for leaf in proof.leaves)
    shares: dict[int, Fraction] = {}
    for leaf in proof.leaves:
        part = leaf.weight * proof.keep**leaf.dimension / total
        for member in leaf.members:
            shares[member] = shares.get(member, Fraction(0)) + part
    return shares


def _growths(shares: dict[SparseMajority, dict[int, Fraction]], C: Table) -> Iterator[Fraction]:
    """Yield the growth of each share at each possible mistake, in any state."""
    yield NONE
    for state, before in shares.items():
        for x in C.domain:
            after = state.observe(x, 1 - state.predict(x))
            if after.realizable:
                yield min(part / before[c] for c, part in shares[after].items())


Played = tuple[Table, dict[SparseMajority, int]]
"""A class, and the most mistakes on the way to each reachable state of a learner."""


def _by_dimension(found: list[Played], exact: bool, where: str) -> Iterator[Outcome]:
    """Yield the most mistakes among classes of each Littlestone dimension."""
    share = Fraction(441 if exact else 646, 100)
    dimensions = [C.ldim() for C, _ in found]
    # A class of dimension 0 allows no mistake, which shows nothing about the constant.
    for d in sorted(set(dimensions) - {0}):
        played = [each for each, dim in zip(found, dimensions, strict=True) if dim == d]
        mistakes = [max(states.values()) for _, states in played]
        yield compare(
            MISTAKES[exact],
            f"{len(mistakes)} {where}, Ldim {d}",
            computed=max(mistakes),
            stated=int(share * d),
            false=d - 1,
            hypotheses={
                "ldim": all(C.shattered_tree().depth == d for C, _ in played),
                "realizable": all(state.realizable for _, states in played for state in states),
            },
        )


@recomputes(*MISTAKES.values(), RULES, EVIDENCE, GROWTH, VOTES)
def small_classes(which: str) -> Iterator[Outcome]:
    """Check mistakes, rules and certificates of `SparseMajority` on all classes on three points."""
    (where, classes), most_votes = on_three_points(which), 0
    for exact in MISTAKES:
        found: list[Played] = []
        number = members = concepts = proved = overstated = 0
        growth, factor = NONE, Fraction(1)
        for C in classes:
            states = reachable(SparseMajority(C, exact=exact), C)
            found.append((C, states))
            majorities: dict[int, Table] = {1: C}
            proofs = {state: state.certificate() for state in states}
            growth = min(
                growth, *_growths({state: reserves(proof) for state, proof in proofs.items()}, C)
            )
            for state, proof in proofs.items():
                number += 1
                rule = state.hypothesis
                # The exact mixture is a majority of millions, too many to be written in a table.
                if exact:
                    members += _is_majority(state, C)
                else:
                    if state.votes not in majorities:
                        majorities[state.votes] = C.majority(state.votes)
                    members += rule in majorities[state.votes]
                    most_votes = max(most_votes, state.votes)
                concepts += rule in C
                factor = Fraction(1, 2) + proof.tolerance + proof.share
                proved += _passes(proof, C)
                overstated += proof.bound > 0 and _passes(replace(proof, bound=proof.bound - 1), C)
        yield from _by_dimension(found, exact, where)
        kind = f"{len(classes)} {where}, {'exact' if exact else 'sparse'}"
        yield compare(
            RULES, kind, computed=members, stated=number, twin=concepts, changed=(most_votes, 1)
        )
        yield compare(
            EVIDENCE, kind, computed=proved, stated=number, twin=overstated, changed=(0, -1)
        )
        yield compare(GROWTH, kind, computed=growth, stated=1 / factor, false=3)
    about = f"{len(classes)} {where}, sparse"
    yield compare(VOTES, about, computed=most_votes, stated=_enough_votes(3), false=1)


@recomputes(*MISTAKES.values())
def random_tables(seed: int, count: int) -> Iterator[Outcome]:
    """Check the mistake bound of `SparseMajority` on random classes, against all adversaries."""
    for exact in MISTAKES:
        found = [
            (C, reachable(SparseMajority(C, exact=exact), C)) for C in random_classes(seed, count)
        ]
        yield from _by_dimension(found, exact, f"random classes, seed {seed}")


@recomputes(HALVING, HALVING_EVIDENCE)
def halving(which: str, seed: int, count: int) -> Iterator[Outcome]:
    """Check mistakes and certificates of `SparseHalving` against all adversaries."""
    for where, classes in (
        on_three_points(which),
        (f"random classes, seed {seed}", random_classes(seed, count)),
    ):
        number = proved = overstated = 0
        worst: dict[int, int] = {}
        met = {"ldim": True, "realizable": True}
        for C in classes:
            states = reachable(SparseHalving(C), C)
            met["ldim"] &= C.shattered_tree().depth == C.ldim()
            met["realizable"] &= all(state.realizable for state in states)
            worst[len(C)] = max(worst.get(len(C), 0), *states.values())
            for state in states:
                proof = state.certificate()
                number += 1
                proved += _passes(proof, C)
                overstated += proof.bound > 0 and _passes(replace(proof, bound=proof.bound - 1), C)
        for concepts, mistakes in sorted(worst.items()):
            yield compare(
                HALVING,
                f"{len(classes)} {where}, N = {concepts}",
                computed=mistakes,
                stated=halvings_at_most(concepts),
                false=Fraction(concepts.bit_length() - 1, 2),
                hypotheses=met,
            )
        about = f"{len(classes)} {where}"
        yield compare(
            HALVING_EVIDENCE,
            about,
            computed=proved,
            stated=number,
            twin=overstated,
            changed=(0, -1),
        )


@recomputes(CHOICE)
def choice(*specs: str) -> Iterator[Outcome]:
    """Check that `sparse_majority` chooses a learner with a bound of at most 6.46 Ldim."""
    by_one = [0, 0]
    more = 0
    for C in map(catalog.build, specs):
        both = halvings_at_most(C.size or 0), mistakes_at_most(C.ldim())
        by_one = [n + (bound > min(both)) for n, bound in zip(by_one, both, strict=True)]
        more += (sparse_majority(C).mistake_bound or 0) > min(both)
    yield compare(CHOICE, ", ".join(specs), computed=more, stated=0, twin=min(by_one))


@recomputes(HALVING_CONSTANT)
def halving_constant(power: int) -> Iterator[Outcome]:
    """Check that the bound of `SparseHalving` is at most 1.357 log2 N."""
    with ctx.workprec(PRECISION):
        for n in range(1, power + 1):
            concepts = -(-1 // (Fraction(1, 2) + TOLERANCE) ** n)
            log = arb(int(concepts)).log() / arb(2).log()
            yield compare(
                HALVING_CONSTANT,
                f"N = {concepts}",
                computed=halvings_at_most(int(concepts)),
                stated=log * 1357 / 1000,
                false=log * 135 / 100,
            )


@recomputes(PROPER, PROPER_MISTAKES)
def proper(which: str, seed: int, count: int) -> Iterator[Outcome]:
    """Check that the proper SOA publishes concepts and makes at most Ldim mistakes."""
    for where, classes in (
        (f"random classes, seed {seed}", random_classes(seed, count)),
        on_three_points(which),
    ):
        number = outside = usual = beyond = 0
        for C in classes:
            try:
                states = reachable(ProperSOA(C), C)
            except InvalidInput:
                continue
            number += 1
            outside += sum(state.hypothesis not in C for state in states)
            usual += sum(state.hypothesis not in C for state in reachable(ConservativeSOA(C), C))
            beyond = max(beyond, max(states.values()) - C.ldim())
        about = f"{number} of {len(classes)} {where}"
        yield compare(PROPER, about, computed=outside, stated=0, twin=usual)
        yield compare(PROPER_MISTAKES, about, computed=beyond, stated=0, false=-1)


@recomputes(DUAL_VOTES)
def dual_votes(name: str, sizes: Sequence[int], games: int) -> Iterator[Outcome]:
    """Check the number of votes on growing domains with a fixed dual VC dimension."""
    dimension = catalog.build(f"{name}:n={sizes[0]}").to_table().dual_vcdim()
    coins, most = SeededCoins(1), 0
    for size in sizes:
        C = catalog.build(f"{name}:n={size}").to_table()
        for _ in range(games):
            state, target = SparseMajority(C), C[coins.below(len(C))]
            wrong = list(C.domain)
            while wrong:
                most = max(most, state.votes)
                wrong = [x for x in C.domain if state.predict(x) != target(x)]
                if wrong:
                    x = wrong[coins.below(len(wrong))]
                    state = state.observe(x, target(x))
    yield compare(
        DUAL_VOTES,
        f"{name}, n = {', '.join(map(str, sizes))}, d_V* = {dimension}",
        computed=most,
        stated=4 * dimension,
        false=2 * dimension,
    )


def _enough_votes(points: int) -> int:
    """Return the least odd m at which 2 |X| exp(-2 m tau^2) < 1: some m draws pass."""
    m = 1
    with ctx.workprec(PRECISION):
        while not 2 * points * (arb(-m) / 50).exp() < 1:
            m += 2
    return m


def _is_majority(state: SparseMajority, C: Table) -> bool:
    """Return whether the rule agrees with at least half of its concepts, counted one by one."""
    votes = sum(state.voters.values())
    for x in C.domain:
        ones = sum(number for i, number in state.voters.items() if C[i](x))
        if state.predict(x) != (2 * ones >= votes):
            return False
    return True


def _passes(proof: object, C: Table) -> bool:
    try:
        proof.verify(C)  # type: ignore[attr-defined]
    except BadCertificate:
        return False
    return True


@recomputes(*CONSTANTS.values())
def constants(largest: int) -> Iterator[Outcome]:
    """Check the constants 4.41 and 6.46 of the bounds, for all dimensions up to a limit."""
    for exact, claim in CONSTANTS.items():
        per_dimension = max(
            Fraction(mistakes_at_most(d, exact=exact), d) for d in range(1, largest + 1)
        )
        stated = Fraction(441 if exact else 646, 100)
        yield compare(
            claim,
            f"Ldim 1 to {largest}",
            computed=per_dimension,
            stated=stated,
            false=stated - Fraction(1, 100),
        )


def checks() -> list[ClaimCheck]:
    """Return the checks: all classes on three points, and random classes on up to six points."""
    topic = "sparse-majority"
    return [
        ClaimCheck(topic, constants, (80,)),
        ClaimCheck(topic, small_classes, (UP_TO_PERMUTATIONS,)),
        ClaimCheck(topic, small_classes, (ALL,), slow=True),
        ClaimCheck(topic, random_tables, (0, 25)),
        ClaimCheck(topic, halving, (UP_TO_PERMUTATIONS, 0, 20)),
        ClaimCheck(topic, halving, (ALL, 0, 60), slow=True),
        ClaimCheck(topic, halving_constant, (30,)),
        ClaimCheck(topic, choice, ("points:n=64", "affine:q=2,n=4,k=1", "intervals:n=20")),
        ClaimCheck(topic, proper, (UP_TO_PERMUTATIONS, 0, 20)),
        ClaimCheck(topic, proper, (ALL, 0, 60), slow=True),
        ClaimCheck(topic, dual_votes, ("points", (8, 32, 128), 1)),
        *(
            ClaimCheck(topic, dual_votes, given, slow=True)
            for given in (("points", (8, 32, 64, 128), 10), ("thresholds", (8, 32, 128), 4))
        ),
        *(ClaimCheck(topic, random_tables, (seed, 1000), slow=True) for seed in (1, 2)),
    ]
