"""Dimensions by their definitions: all trees, all samples, all covers, on all small classes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, product
from math import comb

from catalog.atlas import classes
from learners.claim_checks import Claim, ClaimCheck, Outcome, compare, recomputes
from lsclasses.dimensions.set_cover import max_zero_cover_number
from lsclasses.table import Table

TOPIC = "dimensions"

Rows = Sequence[Sequence[int]]

LITTLESTONE = Claim(
    "classes whose Littlestone dimension by definition differs from the search, or dually",
    "0",
    "==",
    source="[LWY25, Def 2.1 and 2.2]",
    statements=("LWY25 Def 2.1", "LWY25 Def 2.2"),
    falsified="if all nodes of a level of a tree have one point",
    incorrect_object=True,
)
CERTIFIED = Claim(
    "classes whose certificate's tree is not shattered by definition, or not of depth Ldim",
    "0",
    "==",
    source="[LWY25, Def 2.1]",
    falsified="not of depth Ldim + 1",
)
GROWTH = Claim(
    "classes whose growth function by definition differs from the search",
    "0",
    "==",
    source="[LWY25, Def A.3]",
    falsified="with samples of one point fewer",
)
VAPNIK = Claim(
    "classes whose VC dimension by definition differs from the search, or dually",
    "0",
    "==",
    source="[LWY25, Def A.4]",
    falsified="if all labellings except one suffice",
)
COVER = Claim(
    "classes whose largest 0-covering number by definition differs from the search",
    "0",
    "==",
    source="[LWY25, Def A.15]",
    falsified="if one labelled tree must agree with a concept on all branches",
    incorrect_object=True,
)
ZEROS = Claim(
    "Ldim of the sets of zeros of polynomials",
    "C(n + r, r)",
    source="every mistake after the first ones is a point that a further polynomial spares",
    statements=("BLM20 Sec 1, polynomial equalities",),
    falsified="C(n + r, r) - 1",
)


def rows_of(C: Table) -> Rows:
    """Return the concepts as rows of labels."""
    rows: Rows = C.labels.tolist()
    return rows


def shattered(rows: Rows, tree: Sequence[int], depth: int) -> bool:
    """Return whether a tree is shattered: every path is realized by a concept [LWY25, Def 2.1].

    The children of node i are 2i + 1 and 2i + 2.
    """
    for path in product((0, 1), repeat=depth):
        node, asked = 0, []
        for label in path:
            asked.append(tree[node])
            node = 2 * node + 1 + label
        if not any(all(row[x] == y for x, y in zip(asked, path, strict=True)) for row in rows):
            return False
    return True


def deepest(rows: Rows, trees: Callable[[int, int], Iterator[Sequence[int]]]) -> int:
    """Return the largest depth of a shattered tree of a list [LWY25, Def 2.2]."""
    points, depth = len(rows[0]), 0
    # The 2^depth branches of a shattered tree are followed by different concepts.
    while 2 ** (depth + 1) <= len(rows) and any(
        shattered(rows, tree, depth + 1) for tree in trees(points, depth + 1)
    ):
        depth += 1
    return depth


def all_trees(points: int, depth: int) -> Iterator[Sequence[int]]:
    """Return all trees of a depth whose nodes are points."""
    return product(range(points), repeat=2**depth - 1)


def level_trees(points: int, depth: int) -> Iterator[Sequence[int]]:
    """Yield the trees with one point per level, that is, the sets that may be shattered."""
    for order in product(range(points), repeat=depth):
        yield [order[level] for level in range(depth) for _ in range(2**level)]


def _atlas(points: int) -> list[Table]:
    return [C.table for C in classes(points)]


@recomputes(LITTLESTONE)
def littlestone(points: int) -> Iterator[Outcome]:
    """Check the search for the Littlestone dimension by the definition, on small classes.

    Check all trees, for the class and for its dual, whose points are the concepts.
    """
    wrong = twin = 0
    for C in _atlas(points):
        rows = rows_of(C)
        found = deepest(rows, all_trees)
        wrong += found != C.ldim()
        twin += deepest(rows, level_trees) != C.ldim()
        if len(rows) <= points + 1:
            dual = list(map(list, zip(*rows, strict=True)))
            wrong += deepest(dual, all_trees) != C.dual_ldim()
    yield compare(
        LITTLESTONE, f"all classes on {points} points", computed=wrong, stated=0, twin=twin
    )


@recomputes(CERTIFIED)
def certified(points: int) -> Iterator[Outcome]:
    """Check that the tree of each certificate is shattered, on small classes.

    Check the tree of the certificate by the definition.
    """
    wrong = twin = 0
    for C in _atlas(points):
        tree = [C.points.index(x) for x in C.shattered_tree().points]
        depth = C.ldim()
        holds = len(tree) == 2**depth - 1 and shattered(rows_of(C), tree, depth)
        wrong += not holds
        twin += len(tree) != 2 ** (depth + 1) - 1
    yield compare(
        CERTIFIED,
        f"all classes on {points} points",
        computed=wrong,
        stated=0,
        twin=twin,
        changed=(0, 1),
    )


def _labellings(rows: Rows, sample: Sequence[int]) -> int:
    return len({tuple(row[x] for x in sample) for row in rows})


@recomputes(GROWTH, VAPNIK)
def growth(points: int) -> Iterator[Outcome]:
    """Check the growth function and the VC dimension by their definitions, on small classes.

    Check all samples, with repetitions, and all sets of concepts for the dual class.
    """
    wrong = twin = wrong_vc = twin_vc = 0
    for C in _atlas(points):
        rows = rows_of(C)
        found = [
            max(_labellings(rows, sample) for sample in product(range(points), repeat=n))
            for n in range(points + 1)
        ]
        wrong += tuple(found) != C.growth_function()
        twin += (1, *found[:-1]) != C.growth_function()
        most, missing_one = (
            max(n for n in range(points + 1) if found[n] >= 2**n - missing) for missing in (0, 1)
        )
        wrong_vc += most != C.vcdim()
        # The points of the dual class are the concepts.
        dual = list(map(list, zip(*rows, strict=True)))
        shattering = (
            n
            for n in range(points + 1)
            for sample in combinations(range(len(rows)), n)
            if _labellings(dual, sample) == 2**n
        )
        wrong_vc += max(shattering) != C.dual_vcdim()
        twin_vc += missing_one != C.vcdim()
    instance = f"all classes on {points} points"
    yield compare(GROWTH, instance, computed=wrong, stated=0, twin=twin, changed=(0, -1))
    yield compare(VAPNIK, instance, computed=wrong_vc, stated=0, twin=twin_vc, changed=(0, -1))


def least_cover(rows: Rows, tree: Sequence[int]) -> int:
    """Return the least number of labelled trees that cover a tree of depth 2 [LWY25, Def A.15]."""
    # The labels that a concept gives along a branch, which its first turn decides.
    needed = {(turn, (row[tree[0]], row[tree[1 + turn]])) for row in rows for turn in (0, 1)}
    candidates = [
        {need for need in needed if (v[0], v[1 + need[0]]) == need[1]}
        for v in product((0, 1), repeat=3)
    ]
    for size in range(len(candidates) + 1):
        for chosen in combinations(candidates, size):
            if set().union(*chosen) == needed:
                return size
    raise AssertionError("all labelled trees together cover everything")


@recomputes(COVER)
def covers(points: int) -> Iterator[Outcome]:
    """Check the 0-covering number by its definition, on small classes.

    Check all trees of depth 2, and all sets of labelled trees.
    """
    wrong = twin = 0
    for C in _atlas(points):
        rows, stated = rows_of(C), max_zero_cover_number(C, 2)
        trees = list(product(range(points), repeat=3))
        wrong += max(least_cover(rows, tree) for tree in trees) != stated
        twin += max(len({tuple(row[x] for x in tree) for row in rows}) for tree in trees) != stated
    yield compare(
        COVER, f"all classes on {points} points, depth 2", computed=wrong, stated=0, twin=twin
    )


@recomputes(ZEROS)
def zeros(q: int, n: int, r: int) -> Iterator[Outcome]:
    """Check that sets of zeros of polynomials have Ldim at most C(n + r, r).

    Check all polynomials of degree at most r over the field of q elements, q prime.
    """
    points = list(product(range(q), repeat=n))
    monomials = [powers for powers in product(range(r + 1), repeat=n) if sum(powers) <= r]
    values = []
    for powers in monomials:
        row = []
        for point in points:
            term = 1
            for x, power in zip(point, powers, strict=True):
                term = term * x**power % q
            row.append(term)
        values.append(row)
    sets = set()
    for weights in product(range(q), repeat=len(monomials)):
        sets.add(
            tuple(
                int(sum(w * row[i] for w, row in zip(weights, values, strict=True)) % q == 0)
                for i in range(len(points))
            )
        )
    stated = comb(n + r, r)
    assert stated == len(monomials)
    table = Table(sorted(sets))
    yield compare(
        ZEROS,
        f"q={q}, n={n}, r={r}",
        computed=table.ldim(),
        stated=stated,
        false=stated - 1,
        trivial=len(sets).bit_length() - 1,
        hypotheses={
            "each concept is the set of zeros of one polynomial of degree at most r": all(
                sum(powers) <= r for powers in monomials
            )
        },
    )


def checks() -> list[ClaimCheck]:
    """Return checks on two and three points, and on four points for fast searches."""
    return [
        *(ClaimCheck(TOPIC, littlestone, (points,)) for points in (3, 1, 2)),
        *(ClaimCheck(TOPIC, certified, (points,)) for points in (3, 4)),
        *(ClaimCheck(TOPIC, growth, (points,), slow=points > 3) for points in (3, 2, 4)),
        *(ClaimCheck(TOPIC, covers, (points,)) for points in (3, 2)),
        *(ClaimCheck(TOPIC, zeros, given) for given in ((5, 2, 1), (5, 1, 2), (7, 1, 2))),
    ]
