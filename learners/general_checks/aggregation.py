"""Boolean aggregations of classes: bounds on their dimensions, and the counting step in proofs"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction

import numpy as np
from flint import arb

from catalog.atlas import classes
from catalog.check_rows import UNIT, factor
from learners.claim_checks import Claim, ClaimCheck, Outcome, compare, recomputes
from learners.general_checks.inequalities import claim_of
from lsclasses import Concept, Table, aggregate
from lsclasses.dimensions import DIMENSIONS
from lsclasses.dimensions.expressions import counted
from lsclasses.dimensions.growth import sauer_bound
from lsclasses.dimensions.inequalities import MAJORITIES, OPERATIONS, Inequality
from lsclasses.dimensions.set_cover import zero_cover_number
from lsclasses.dimensions.vc import shattered_set
from lsclasses.point_names import Point
from lsclasses.verdicts import Verdict

NAMES = ("ldim", "vcdim", "dual_ldim", "dual_vcdim")
LEMMAS = {name: f"LWY25 Lemma A.{19 if name.startswith('dual') else 18}" for name in NAMES}
FUNCTIONS: dict[str, Callable[[int, int], int]] = {
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
}


DIMENSIONS_MET = "the dimensions of the k classes"
DUAL_MET = "the dual dimensions of the k classes"


def operation_claim(inequality: Inequality) -> Claim:
    """Return the claim of an inequality between a class and the classes from which it is built."""
    operation, _, name = inequality.left.partition("_")
    made, product = {
        "union": ("the union of A and B", ""),
        "aggregate": ("G(A, B)", f"sauer(n, {name}_1) sauer(n, {name}_2)"),
        "majority": ("the majorities of 3 concepts", f"sauer(n, {name})^3"),
    }[operation]
    claim = replace(claim_of(inequality), quantity=f"{name} of {made}")
    if not product:
        return claim
    formula = f"largest n with 2^n <= {product}"
    return replace(claim, formula=formula, falsified=f"{formula}, less 1")


OPERATION_CLAIMS = tuple(map(operation_claim, OPERATIONS))
MAJORITY_CLAIMS = tuple(map(operation_claim, MAJORITIES))
LARGEST = {
    name: Claim(
        f"largest {name} of G(A, B) on 3 points",
        "min(3, d_1 + d_2 + 1), and max(d_1, d_2) if one of them is 0",
        "==",
        "observed on all classes with 3 points and all 16 functions G, without a proof",
        statements=(LEMMAS[name],),
        falsified="min(3, d_1 + d_2)",
    )
    for name in ("ldim", "vcdim")
}
BOUNDS = {
    name: Claim(
        f"{name} of G(A, B), where A and B have {name} 1",
        "5, the largest n with 2^n <= sauer(n, 1)^2",
        source="counting, as in the proof of [LWY25, Lemma A.19]",
        statements=(LEMMAS[name],),
        falsified=str(false),
    )
    for name, false in (("ldim", 2), ("vcdim", 2), ("dual_ldim", 1))
}
TREES = Claim(
    "2^n, for a tree T of depth n that G(A, B) shatters",
    "N(0, A, T) N(0, B, T)",
    source="products of 0-covers, as in the proof of [LWY25, Lemma A.19]",
    statements=("LWY25 Lemma A.18", "LWY25 Def A.15"),
    falsified="N(0, A, T) N(0, B, T) / 2",
)
SETS = Claim(
    "2^n, for n points S that G(A, B) shatters",
    "|A on S| |B on S|",
    source="as in the proof of [LWY25, Lemma A.19]",
    statements=("LWY25 Lemma A.18",),
    falsified="|A on S| |B on S| / 2",
)
DUAL_TREES = Claim(
    "2^n, for a tree of depth n of pairs of concepts that the points shatter through G",
    "N(0, X, T^A) N(0, X, T^B)",
    source="[LWY25, proof of Lemma A.19]",
    statements=("LWY25 Lemma A.19",),
    falsified="N(0, X, T^A) N(0, X, T^B) / 2",
)
DUAL_SETS = Claim(
    "2^n, for n pairs of concepts that the points shatter through G",
    "|X on the first concepts| |X on the second|",
    source="[LWY25, proof of Lemma A.19]",
    statements=("LWY25 Lemma A.19",),
    falsified="|X on the first concepts| |X on the second| / 2",
)
MAJORITY_TREES = Claim(
    "2^n, for a tree T of depth n that the majorities of 3 concepts of C shatter",
    "N(0, C, T)^3",
    source="products of 0-covers",
    statements=("LWY25 Lemma A.18",),
    falsified="N(0, C, T)",
)
XOR = {
    name: Claim(
        f"{name} of the majorities of 3 concepts, each xor a concept",
        f"largest n with 2^n <= sauer(n, {name})^4",
        source="as for any aggregation of m + 1 classes, in closed form 2 k d log2(e k), k = m + 1",
        statements=("LWY25 Claim E.7",),
        falsified=name,
    )
    for name in ("ldim", "dual_ldim", "vcdim")
}
XOR_TREES = Claim(
    "2^n, for a tree T of depth n that the majorities of 3 concepts of C, xor a concept, shatter",
    "N(0, C, T)^4",
    source="products of 0-covers",
    statements=("LWY25 Claim E.7",),
    falsified="N(0, C, T)",
)
XOR_SETS = Claim(
    "2^n, for n points S that the majorities of 3 concepts of C, xor a concept, shatter",
    "|C on S|^4",
    source="four concepts determine each labelling of S",
    statements=("LWY25 Claim E.7",),
    falsified="|C on S|^2",
    drops="the exponent 4, replaced by 2",
)
DUAL_DIMENSION = Claim(
    "largest dual Littlestone dimension of classes with Littlestone dimension d",
    "2^(2^(d + 1)) - 2",
    source="a class of dimension at least 2^s - 1 contains s thresholds",
    statements=("LWY25 Sec 4.1, dual dimension",),
    falsified="2^(2^d) - 2",
    drops="the exponent 2^(d + 1), replaced by 2^d",
)
EXPLICIT = Claim(
    "largest n with 2^n <= sauer(n, d)^k",
    "2 k d log2(e k)",
    source="sauer(n, d) <= (e n/d)^d",
    statements=("LWY25 Lemma A.18", "LWY25 Lemma A.19", "LWY25 Claim E.3", "LWY25 Claim E.7"),
    falsified="2 k d",
    drops="log2(e k)",
)
BINOMIALS = Claim(
    "C(n, 0) + ... + C(n, d)",
    "(e n/d)^d for 1 <= d < n",
    source="(d/n)^d (1 + n/d)^n",
    statements=("LWY25 Lemma A.5", "LWY25 Lemma A.16"),
    falsified="(n/d)^d",
    drops="e^d",
)


def dimension_of(table: Table, name: str) -> int:
    """Return an integer dimension of a table, computed by search."""
    value = DIMENSIONS[name].search(table)
    assert isinstance(value, int)
    return value


# ---- all pairs on three points


def aggregated_masks(points: int, function: int) -> np.ndarray:
    """Return the masks of G(A, B) for all pairs of classes, where bit 2 a + b of G is G(a, b)."""
    concepts = 2**points
    masks = np.arange(2**concepts, dtype=np.int64)
    result = np.zeros((len(masks), len(masks)), dtype=np.int64)
    for a, b in itertools.product(range(concepts), repeat=2):
        labels = [function >> (2 * (a >> j & 1) + (b >> j & 1)) & 1 for j in range(points)]
        both = (masks[:, None] >> a & 1) & (masks[None, :] >> b & 1)
        result |= both << sum(label << j for j, label in enumerate(labels))
    return result


def dimensions_by_mask(points: int) -> dict[str, np.ndarray]:
    """Return the dimensions of all classes by mask, found by search, and -1 for the empty class."""
    found = {name: np.full(2 ** (2**points), -1) for name in NAMES}
    for mask in range(1, 2 ** (2**points)):
        concepts = [c for c in range(2**points) if mask >> c & 1]
        table = Table([[c >> j & 1 for j in range(points)] for c in concepts])
        for name, values in found.items():
            values[mask] = dimension_of(table, name)
    return found


@recomputes(*OPERATION_CLAIMS, *LARGEST.values())
def pairs_of_labelled_classes(points: int) -> Iterator[Outcome]:
    """Check bounds on dimensions of unions and aggregations, for all pairs of non-empty classes.

    Classes that differ by a permutation of the points or by flips of labels count as different. So
    the pairs contain each class with every permuted and flipped version of every other class.
    """
    dims = dimensions_by_mask(points)
    masks = np.arange(1, 2 ** (2**points))
    made = {"union": [masks[:, None] | masks[None, :]]}
    made["aggregate"] = [aggregated_masks(points, g)[1:, 1:] for g in range(16)]
    for claim, inequality in zip(OPERATION_CLAIMS, OPERATIONS, strict=True):
        operation, _, name = inequality.left.partition("_")
        values = dims[name]
        margins: dict[tuple[int, int], int] = {}
        empty = 0
        for d, e in itertools.product(sorted(set(values[1:].tolist())), repeat=2):
            bound = math.floor(inequality.sides[1]({f"{name}_1": d, f"{name}_2": e}))
            chosen = np.ix_(values[1:] == d, values[1:] == e)
            most = max(int(values[result[chosen]].max()) for result in made[operation])
            margins[d, e] = bound - most
            empty += bound >= int(values.max())
        least = min(margins.values())
        example = min(margins, key=lambda pair: (margins[pair], pair))
        refuted = least - inequality.slack - 1 < 0
        yield Outcome(
            claim,
            f"all {len(masks) ** 2} pairs on {points} points"
            + (", 16 functions G" if operation == "aggregate" else ""),
            f"<= {claim.formula}",
            f"right - left >= {least}, vacuous for {empty} of {len(margins)} (d_1, d_2)",
            Verdict.HOLDS if least == inequality.slack else Verdict.VIOLATED,
            refutes=f"<= {claim.falsified}, for dimensions {example}" if refuted else "",
            ratio=UNIT,
        )
    for name, claim in LARGEST.items():
        values = dims[name]
        for d, e in itertools.combinations_with_replacement(range(points + 1), 2):
            chosen = np.ix_(values[1:] == d, values[1:] == e)
            most = max(int(values[result[chosen]].max()) for result in made["aggregate"])
            stated = min(points, d + e + 1) if d and e else max(d, e)
            yield compare(
                claim,
                f"d_1 = {d}, d_2 = {e}",
                computed=most,
                stated=stated,
                false=min(points, d + e),
            )


# ---- more points, drawn with a fixed seed


def tree_class(points: int, rng: np.random.Generator) -> Table:
    """Return a random class of VC dimension 1, in which the concepts form a tree.

    Each point adds a copy of an earlier concept in which only the label of this point differs. So
    each point is an edge of the tree, and the concepts label any two points in only three ways.
    """
    rows = [rng.integers(0, 2, points)]
    for x in range(points):
        row = rows[rng.integers(len(rows))].copy()
        row[x] ^= 1
        rows.append(row)
    return Table(np.array(rows))


def disjoint_changes(points: int, rng: np.random.Generator) -> Table:
    """Return a class of Littlestone dimension 1 that changes a concept on disjoint sets."""
    base, sets = rng.integers(0, 2, points), rng.integers(0, points, points)
    return Table(np.array([base, *(base ^ (sets == i) for i in range(points))]))


def pairs(points: int, name: str) -> Iterator[tuple[Table, Table]]:
    """Return pairs of classes whose dimension `name` is 1, transposed for dual dimensions."""
    rng = np.random.default_rng(points)
    draw = tree_class if name == "vcdim" else disjoint_changes
    for _ in range(3):
        first, second = draw(points, rng), draw(points, rng)
        if name.startswith("dual"):
            common = min(len(first), len(second))
            first, second = (
                Table(C.labels[:common]).dual().rename(range(common)) for C in (first, second)
            )
        assert dimension_of(first, name) == dimension_of(second, name) == 1
        yield first, second


@recomputes(*BOUNDS.values())
def pairs_of_dimension_one(points: int) -> Iterator[Outcome]:
    """Check the largest dimension of aggregations over pairs of classes of dimension 1."""
    for name, claim in BOUNDS.items():
        size = 8 * points if name.startswith("dual") else points
        made = [
            aggregate(function, A, B)
            for A, B in pairs(size, name)
            for function in FUNCTIONS.values()
        ]
        outcome = compare(
            claim,
            f"{len(made)} aggregations of classes drawn on {size} points",
            computed=max(dimension_of(both, name) for both in made),
            stated=counted(1, 1),
            false=int(claim.falsified),
        )
        room = max(
            (len(C.points) if name.startswith("dual") else min(len(C), 2 ** len(C.points)))
            for C in made
        )
        if 2 ** (counted(1, 1) + 1) > room:
            outcome = replace(outcome, verdict=Verdict.VACUOUS)
        elif outcome.verdict == Verdict.HOLDS:
            outcome = replace(outcome, verdict=Verdict.CONSISTENT)
        yield outcome


# ---- the counting step


def independent(points: int) -> tuple[Table, Table]:
    """Return all labellings of the first points, and of the other points: independent classes."""
    words = np.array(list(itertools.product((0, 1), repeat=points)))
    first, second = words.copy(), words.copy()
    first[:, points // 2 :] = 0
    second[:, : points // 2] = 0
    return Table(first), Table(second)


def instances(points: int) -> Iterator[tuple[str, Table, Table, Callable[[int, int], int]]]:
    """Return pairs of classes with an aggregating function: independent, and of dimension 1."""
    first, second = independent(points)
    yield f"independent parts of {points} points, or", first, second, FUNCTIONS["or"]
    for i, (A, B) in enumerate(itertools.islice(pairs(points, "ldim"), 3)):
        for name, function in FUNCTIONS.items():
            yield f"pair {i + 1} of Ldim 1 on {points} points, {name}", A, B, function


@recomputes(TREES, SETS, DUAL_TREES, DUAL_SETS)
def counting(points: int) -> Iterator[Outcome]:
    """Check that 2^n is at most a product of covers, on shattered trees and sets of depth n."""
    for instance, A, B, function in instances(points):
        both = aggregate(function, A, B)
        tree = both.shattered_tree()
        covers = [zero_cover_number(C, tree) for C in (A, B)]
        met = all(
            cover <= sauer_bound(tree.depth, C.ldim())
            for cover, C in zip(covers, (A, B), strict=True)
        )
        yield step(TREES, instance, tree.depth, math.prod(covers), {DIMENSIONS_MET: met})
        chosen = shattered_set(both)
        traces = [len(C.project(chosen)) for C in (A, B)]
        met = all(
            trace <= sauer_bound(len(chosen), C.vcdim())
            for trace, C in zip(traces, (A, B), strict=True)
        )
        yield step(SETS, instance, len(chosen), math.prod(traces), {DIMENSIONS_MET: met})
        yield from dual_steps(A, B, function, instance)


def step(claim: Claim, instance: str, depth: int, product: int, met: dict[str, bool]) -> Outcome:
    """Return the outcome of the comparison of 2^depth with a product of covering numbers."""
    false = Fraction(product, 2)
    return compare(claim, instance, computed=2**depth, stated=product, false=false, hypotheses=met)


def dual_steps(
    A: Table, B: Table, function: Callable[[int, int], int], instance: str
) -> Iterator[Outcome]:
    """Check the counting step for the dual class, where G combines pairs of concepts."""
    both = aggregate(function, A, B)
    parts: dict[Point, tuple[int, int]] = {}
    for a, b in itertools.product(range(len(A)), range(len(B))):
        labels = [function(*pair) for pair in zip(A.labels[a], B.labels[b], strict=True)]
        parts[both.position(Concept.from_labels(both.domain, labels))] = a, b
    tree = both.dual().shattered_tree()
    first, second = zip(*(parts[node] for node in tree.points), strict=True)
    duals = A.dual(), B.dual()
    covers = [zero_cover_number(C, nodes) for C, nodes in zip(duals, (first, second), strict=True)]
    met = all(
        cover <= sauer_bound(tree.depth, C.ldim()) for cover, C in zip(covers, duals, strict=True)
    )
    yield step(DUAL_TREES, instance, tree.depth, math.prod(covers), {DUAL_MET: met})
    chosen = shattered_set(both.dual())
    first, second = zip(*(parts[i] for i in chosen), strict=True)
    traces = [len(C.project(set(nodes))) for C, nodes in zip(duals, (first, second), strict=True)]
    met = all(
        trace <= sauer_bound(len(chosen), C.vcdim()) for trace, C in zip(traces, duals, strict=True)
    )
    yield step(DUAL_SETS, instance, len(chosen), math.prod(traces), {DUAL_MET: met})


@recomputes(MAJORITY_TREES, *MAJORITY_CLAIMS)
def majorities(points: int) -> Iterator[Outcome]:
    """Check bounds on majorities of three concepts, for every class on `points` points."""
    known = classes(points, flips=False)
    made = [C.table.majority(3) for C in known]
    for claim, inequality in zip(MAJORITY_CLAIMS, MAJORITIES, strict=True):
        name = inequality.left.removeprefix("majority_")
        margins = [
            min(inequality.margins({**C.quantities, inequality.left: dimension_of(both, name)}))
            for C, both in zip(known, made, strict=True)
        ]
        least = min(margins)
        yield Outcome(
            claim,
            f"{len(known)} classes on {points} points",
            f"<= {claim.formula}",
            f"right - left >= {least}, vacuous for {sum(C[name] != 0 for C in known)}",
            Verdict.HOLDS if least >= 0 else Verdict.VIOLATED,
            refutes=f"<= {claim.falsified}, for the mask {known[margins.index(least)].mask}"
            if least < inequality.slack + 1
            else "",
            ratio=UNIT,
        )
    found = []
    for C, both in zip(known, made, strict=True):
        tree = both.shattered_tree()
        cover = zero_cover_number(C.table, tree)
        violated = 2**tree.depth > cover**3
        found.append((violated, Fraction(2**tree.depth, cover), C.mask, tree.depth, cover))
    *_, mask, depth, cover = max(found)
    yield compare(
        MAJORITY_TREES,
        f"{len(known)} classes on {points} points, most for the mask {mask}",
        computed=2**depth,
        stated=cover**3,
        false=cover,
    )


@recomputes(XOR_TREES, *XOR.values())
def majorities_xor(points: int) -> Iterator[Outcome]:
    """Check bounds on exclusive ors of a concept and a majority of three concepts."""
    known = [C.table for C in classes(3, flips=False)]
    larger = disjoint_changes(points, np.random.default_rng(points))
    known += [larger, larger.dual()]
    where = f"{len(known) - 2} classes on 3 points, one of Ldim 1 on {points} and its dual"
    made = [aggregate(FUNCTIONS["xor"], C.majority(3), C) for C in known]
    for name, claim in XOR.items():
        dims = [dimension_of(C, name) for C in known]
        found = [dimension_of(both, name) for both in made]
        bounds = [counted(*[d] * 4) for d in dims]
        least = min(bound - n for bound, n in zip(bounds, found, strict=True))
        # Littlestone dimension n needs at least 2^n concepts, and dually at least 2^n points.
        sizes = [len(C.points) if name.startswith("dual") else len(C) for C in made]
        empty = sum(size < 2 << bound for size, bound in zip(sizes, bounds, strict=True))
        grown, d = max((n - d, d) for n, d in zip(found, dims, strict=True))
        yield Outcome(
            claim,
            where,
            f"<= {claim.formula}",
            f"right - left >= {least}, vacuous for {empty}, and {name} {d} becomes {d + grown}",
            Verdict.HOLDS if least >= 0 else Verdict.VIOLATED,
            refutes=f"<= {claim.falsified}, that is {d}" if grown else "",
            ratio=factor(counted(*[d] * 4), d),
        )
    steps = []
    for C, both in zip(known, made, strict=True):
        tree = both.shattered_tree()
        cover = zero_cover_number(C, tree)
        steps.append((2**tree.depth > cover**4, Fraction(2**tree.depth, cover), tree.depth, cover))
    *_, depth, cover = max(steps)
    about = f"{where}, most for depth {depth}"
    yield compare(XOR_TREES, about, computed=2**depth, stated=cover**4, false=cover)


def four_blocks(size: int) -> Table:
    """Return a class on 4 blocks of points, each concept of which is free on one block.

    On the first three blocks, the majority of three concepts that are free on different blocks is
    the free part of one of them. The fourth type is 0 outside its block, so it flips the labels of
    the last block only.
    """
    rows: set[tuple[int, ...]] = set()
    zero, one = (0,) * size, (1,) * size
    for word in itertools.product((0, 1), repeat=size):
        rows.add(word + one + zero + zero)
        rows.add(zero + word + one + zero)
        rows.add(one + zero + word + zero)
        rows.add(zero + zero + zero + word)
    return Table(sorted(rows))


@recomputes(XOR_SETS)
def majorities_of_blocks(size: int) -> Iterator[Outcome]:
    """Check that four concepts of `four_blocks` make all labellings of all points."""
    C = four_blocks(size)
    both = aggregate(FUNCTIONS["xor"], C.majority(3), C)
    chosen = shattered_set(both)
    traces = len(C.project(chosen))
    yield compare(
        XOR_SETS,
        f"4 blocks of {size} points, {len(C)} concepts, n={len(chosen)}",
        computed=2 ** len(chosen),
        stated=traces**4,
        false=traces**2,
        hypotheses={
            "ldim": C.shattered_tree().depth == C.ldim(),
            "dual": C.dual().shattered_tree().depth == C.dual_ldim(),
            "vc": len(shattered_set(C)) == C.vcdim(),
        },
    )


@recomputes(DUAL_DIMENSION)
def dual_dimensions(points: int) -> Iterator[Outcome]:
    """Check the bound on the dual Littlestone dimension by the Littlestone dimension.

    Check the dual of all labellings, and all classes on `points` points, up to permutations.
    """
    cube = Table(list(itertools.product((0, 1), repeat=points)))
    found = {(1, f"the dual of all labellings of {points} points"): [cube.dual()]}
    for each in classes(points, flips=False):
        d = each.table.ldim()
        found.setdefault((d, f"all classes on {points} points"), []).append(each.table)
    for (d, which), tables in sorted(found.items(), reverse=True):
        yield compare(
            DUAL_DIMENSION,
            f"{which}, d={d}",
            computed=max(table.dual().ldim() for table in tables),
            stated=2 ** (2 ** (d + 1)) - 2,
            false=2 ** (2**d) - 2,
            hypotheses={"ldim": all(table.shattered_tree().depth == d for table in tables)},
        )


# ---- arithmetic


@recomputes(EXPLICIT)
def explicit(k: int) -> Iterator[Outcome]:
    """Check the bound 2 k d log2(e k) on aggregations, which papers print without constants."""
    for d in (1, 2, 4, 8, 16):
        log = arb(k).log() + 1
        yield compare(
            EXPLICIT,
            f"k={k}, d={d}",
            computed=counted(*[d] * k),
            stated=2 * k * d * log / arb(2).log(),
            false=2 * k * d,
        )


@recomputes(BINOMIALS)
def binomials(d: int) -> Iterator[Outcome]:
    """Check that C(n, 0) + ... + C(n, d) is at most (e n/d)^d, from the smallest n on."""
    for n in (d + 1, 2 * d + 1, 10 * d, 1000 * d):
        yield compare(
            BINOMIALS,
            f"n={n}, d={d}",
            computed=sauer_bound(n, d),
            stated=(arb(n) / d * arb.const_e()) ** d,
            false=Fraction(n, d) ** d,
        )


def checks() -> list[ClaimCheck]:
    """Return checks of all classes on 3 points, of classes up to 10 points, trees, constants."""
    return [
        ClaimCheck("aggregation", pairs_of_labelled_classes, (3,)),
        *(ClaimCheck("aggregation", pairs_of_dimension_one, (n,)) for n in (14, 18)),
        *(ClaimCheck("aggregation", counting, (n,)) for n in (6, 8)),
        *(ClaimCheck("aggregation", majorities, (n,)) for n in (3, 2, 1)),
        ClaimCheck("aggregation", majorities_xor, (8,)),
        ClaimCheck("aggregation", majorities_of_blocks, (3,)),
        ClaimCheck("aggregation", dual_dimensions, (3,)),
        *(ClaimCheck("aggregation", explicit, (k,)) for k in (2, 3, 4, 5, 8)),
        *(ClaimCheck("aggregation", binomials, (d,)) for d in (5, 1, 20)),
    ]
