"""Trees, shattered sets, lines, stars and covers, by their definitions."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction

PlainConcept = tuple[int, ...]
PlainClass = Collection[PlainConcept]
ShatteredShape = tuple[int, "ShatteredShape", "ShatteredShape"] | None
"""A binary tree: a leaf (None), or the point at the root and the subtrees of the labels 0 and 1."""


def points_of(C: PlainClass) -> range:
    """The points of a class; the empty class shows none."""
    return range(len(next(iter(C)))) if C else range(0)


def restrict(C: PlainClass, x: int, y: int) -> frozenset[PlainConcept]:
    """The concepts c with c(x) = y.

    Examples
    --------
    >>> sorted(restrict([(0, 0), (0, 1), (1, 1)], 1, 1))
    [(0, 1), (1, 1)]
    """
    return frozenset(c for c in C if c[x] == y)


# ---- Littlestone dimension


def nodes_on(branch: Sequence[int]) -> list[int]:
    """The breadth-first numbers of the nodes where the labels of a branch are given."""
    nodes = [0]
    for y in branch[:-1]:
        nodes.append(2 * nodes[-1] + 1 + y)
    return nodes[: len(branch)]


def shatters(C: PlainClass, tree: Sequence[int], depth: int) -> bool:
    """Whether every branch of a complete tree is followed by some concept.

    A branch y_1, ..., y_n passes the points x_1, ..., x_n; a concept c follows it if
    c(x_t) = y_t for all t. The tree of depth 0 has one branch, without points.
    """
    return all(
        any(
            all(c[tree[node]] == y for node, y in zip(nodes_on(branch), branch, strict=True))
            for c in C
        )
        for branch in itertools.product((0, 1), repeat=depth)
    )


def ldim(C: PlainClass) -> int:
    """The Littlestone dimension: the largest depth of a complete tree that the class shatters.

    -1 if there is none: the empty class does not even shatter the tree of depth 0. Different
    branches are followed by different concepts, so larger depths than log2 |C| are not tried.

    Examples
    --------
    >>> ldim([(0, 0, 0), (0, 0, 1), (0, 1, 1), (1, 1, 1)])
    2
    """
    return max(
        (
            depth
            for depth in range(len(C).bit_length())
            if any(
                shatters(C, tree, depth)
                for tree in itertools.product(points_of(C), repeat=2**depth - 1)
            )
        ),
        default=-1,
    )


def ldim_recursive(C: PlainClass) -> int:
    """The Littlestone dimension by its recursion over version spaces, each computed once.

    Ldim is -1 for the empty class, 0 for a single concept, and otherwise the maximum of
    1 + min(Ldim(C restricted to c(x) = 0), Ldim(C restricted to c(x) = 1)) over the points x that
    split the class. This is what the benchmarks compare the search with.

    Examples
    --------
    >>> ldim_recursive([(0, 0, 0), (0, 0, 1), (0, 1, 1), (1, 1, 1)])
    2
    """
    known: dict[frozenset[PlainConcept], int] = {}

    def dimension(V: frozenset[PlainConcept]) -> int:
        if V not in known:
            best = 0 if V else -1
            for x in points_of(V):
                zeros, ones = restrict(V, x, 0), restrict(V, x, 1)
                if zeros and ones:
                    best = max(best, 1 + min(dimension(zeros), dimension(ones)))
            known[V] = best
        return known[V]

    return dimension(frozenset(C))


def soa_label(C: PlainClass, x: int) -> int:
    """The label y for which {c in C : c(x) = y} has the larger Littlestone dimension; 0 on a tie.

    Examples
    --------
    >>> soa_label([(0, 0, 0), (0, 0, 1), (0, 1, 1), (1, 1, 1)], 2)
    1
    """
    return int(ldim_recursive(restrict(C, x, 1)) > ldim_recursive(restrict(C, x, 0)))


# ---- randomized Littlestone dimension


def shattered_trees(C: PlainClass) -> Iterator[ShatteredShape]:
    """Every binary tree, complete or not, each of whose branches some concept follows."""
    if C:
        yield None
    for x in points_of(C):
        zeros, ones = restrict(C, x, 0), restrict(C, x, 1)
        if zeros and ones:
            for left in shattered_trees(zeros):
                for right in shattered_trees(ones):
                    yield x, left, right


def expected_depth(tree: ShatteredShape) -> Fraction:
    """The expected length of a branch that goes left or right with probability 1/2 each."""
    if tree is None:
        return Fraction(0)
    _, zeros, ones = tree
    return 1 + (expected_depth(zeros) + expected_depth(ones)) / 2


def randomized_ldim(C: PlainClass) -> Fraction:
    """The randomized Littlestone dimension (Filmus, Hanneke, Mehalel and Moran 2023).

    Half the largest expected depth of a shattered binary tree, which need not be complete; -1
    for the empty class, which shatters no tree.

    Examples
    --------
    >>> randomized_ldim([(0, 0), (0, 1), (1, 1)])
    Fraction(3, 4)
    """
    return max((expected_depth(tree) / 2 for tree in shattered_trees(C)), default=Fraction(-1))


def randomized_ldim_recursive(C: PlainClass) -> Fraction:
    """The randomized Littlestone dimension by its recursion over version spaces.

    -1 for the empty class, 0 if no point splits the class, otherwise the maximum over the points
    x that do of 1/2 + (RL(c(x) = 0) + RL(c(x) = 1)) / 2.

    Examples
    --------
    >>> randomized_ldim_recursive([(0, 0, 0), (0, 0, 1), (0, 1, 1), (1, 1, 1)])
    Fraction(1, 1)
    """
    known: dict[frozenset[PlainConcept], Fraction] = {}

    def dimension(V: frozenset[PlainConcept]) -> Fraction:
        if V not in known:
            best = Fraction(0 if V else -1)
            for x in points_of(V):
                zeros, ones = restrict(V, x, 0), restrict(V, x, 1)
                if zeros and ones:
                    best = max(best, (1 + dimension(zeros) + dimension(ones)) / 2)
            known[V] = best
        return known[V]

    return dimension(frozenset(C))


# ---- VC dimension, growth, duals


def growth_function(C: PlainClass, n: int) -> int:
    """The largest number of labellings that the class induces on n distinct points.

    n must not exceed the number of points; the empty class induces none.

    Examples
    --------
    >>> [growth_function([(0, 0, 0), (0, 0, 1), (0, 1, 1), (1, 1, 1)], n) for n in range(4)]
    [1, 2, 3, 4]
    """
    return max(
        (
            len({tuple(c[x] for x in chosen) for c in C})
            for chosen in itertools.combinations(points_of(C), n)
        ),
        default=0,
    )


def vcdim(C: PlainClass) -> int:
    """The Vapnik-Chervonenkis dimension: the size of the largest set of points that is shattered.

    A set is shattered if the class induces all 2^n labellings on its n points. -1 if there is
    none: the empty class does not even shatter the empty set.

    Examples
    --------
    >>> vcdim([(0, 0, 0), (0, 0, 1), (0, 1, 1), (1, 1, 1)])
    1
    """
    sizes = range(len(points_of(C)) + 1)
    return max((n for n in sizes if growth_function(C, n) == 2**n), default=-1)


def dual(C: PlainClass) -> frozenset[PlainConcept]:
    """The dual class: its points are the concepts, its concepts the points, as functions of c.

    A domain has at least one point, and the points of an empty class are one and the same
    function on no concepts: the dual of the empty class is the class of the empty tuple.

    Examples
    --------
    >>> sorted(dual([(0, 0, 1), (0, 1, 1)]))
    [(0, 0), (0, 1), (1, 1)]
    """
    return frozenset(zip(*C, strict=True)) if C else frozenset({()})


def dual_ldim(C: PlainClass) -> int:
    """The Littlestone dimension of the dual class."""
    return ldim(dual(C))


def dual_vcdim(C: PlainClass) -> int:
    """The Vapnik-Chervonenkis dimension of the dual class."""
    return vcdim(dual(C))


# ---- thresholds, stars


def threshold_dim(C: PlainClass) -> int:
    """The largest k with points x_1..x_k and concepts h_1..h_k such that h_i(x_j) = 1 iff i <= j.

    0 if there are none, in particular for the empty class.

    Examples
    --------
    >>> threshold_dim([(0, 0, 0), (0, 0, 1), (0, 1, 1), (1, 1, 1)])
    3
    """
    return max(
        k
        for k in range(len(points_of(C)) + 1)
        if any(
            all(any(all(h[x[j]] == (i <= j) for j in range(k)) for h in C) for i in range(k))
            for x in itertools.permutations(points_of(C), k)
        )
    )


def star_number(C: PlainClass) -> int:
    """The star number (Hanneke and Yang 2015).

    The largest s for which there are distinct points x_1, ..., x_s and concepts h_0, ..., h_s
    such that, among these points, h_i differs from h_0 exactly at x_i. -1 if there is none: the
    empty class has no h_0.

    Examples
    --------
    >>> star_number([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])
    3
    """
    return max(
        (
            s
            for s in range(len(points_of(C)) + 1)
            for x in itertools.combinations(points_of(C), s)
            for centre in C
            if all(any(all((h[z] != centre[z]) == (z == x_i) for z in x) for h in C) for x_i in x)
        ),
        default=-1,
    )


def hollow_star_number(C: PlainClass) -> int:
    """The hollow star number (Bousquet, Hanneke, Moran and Zhivotovskiy 2020).

    The largest k for which some labelled sample of k distinct points is not realizable, but every
    sample that differs from it in exactly one label is; 0 if there is no such sample. The empty
    class gives 0 as well: no sample is realizable, not even the empty one.

    Examples
    --------
    >>> hollow_star_number([(1, 0, 0), (0, 1, 0), (0, 0, 1)])
    3
    """

    def realizable(x: Sequence[int], y: Sequence[int]) -> bool:
        return any(all(c[z] == label for z, label in zip(x, y, strict=True)) for c in C)

    return max(
        (
            k
            for k in range(len(points_of(C)) + 1)
            for x in itertools.combinations(points_of(C), k)
            for y in itertools.product((0, 1), repeat=k)
            if not realizable(x, y)
            and all(realizable(x, (*y[:i], 1 - y[i], *y[i + 1 :])) for i in range(k))
        ),
        default=0,
    )


def min_star_number(C: PlainClass) -> int:
    """The minimum star number (Hanneke 2024): the largest star around the best labelling.

    A set of points is a star centred at a labelling if a concept agrees with it there, and for each
    of the points one that differs there only. -1 for the empty class.

    Examples
    --------
    >>> min_star_number([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])
    1
    """

    def shown(x: Sequence[int], differing: set[int], g: Sequence[int]) -> bool:
        return any(all((h[z] != g[z]) == (z in differing) for z in x) for h in C)

    return min(
        max(
            (
                s
                for s in range(len(points_of(C)) + 1)
                for x in itertools.combinations(points_of(C), s)
                if shown(x, set(), g) and all(shown(x, {z}, g) for z in x)
            ),
            default=-1,
        )
        for g in itertools.product((0, 1), repeat=len(points_of(C)))
    )


def eluder_dim(C: PlainClass) -> int:
    """The eluder dimension ([RV13]; Li, Kamath, Foster and Srebro 2022).

    The largest m with points x_1, ..., x_m, a concept h and concepts h_i that differ from h at x_i
    and agree with it at the points before. -1 for the empty class.

    Examples
    --------
    >>> eluder_dim([(0, 0, 0), (0, 0, 1), (0, 1, 1), (1, 1, 1)])
    3
    """

    def eludes(h: PlainConcept, x: Sequence[int], i: int) -> bool:
        return any(f[x[i]] != h[x[i]] and all(f[z] == h[z] for z in x[:i]) for f in C)

    return max(
        (
            m
            for m in range(len(points_of(C)) + 1)
            for x in itertools.permutations(points_of(C), m)
            for h in C
            if all(eludes(h, x, i) for i in range(m))
        ),
        default=-1,
    )


def antipodal_shattering_dim(C: PlainClass) -> int:
    """The antipodal shattering dimension (Alon, Moran and Yehudayoff 2016); -1 for the empty class.

    The largest size of a set such that of each labelling and its complement one is induced.

    Examples
    --------
    >>> antipodal_shattering_dim([(0, 0, 0), (0, 0, 1), (0, 1, 1), (1, 0, 1)])
    3
    """

    def shattered(x: Sequence[int]) -> bool:
        shown = {tuple(c[z] for z in x) for c in C}
        return all(
            pattern in shown or tuple(1 - y for y in pattern) in shown
            for pattern in itertools.product((0, 1), repeat=len(x))
        )

    return max(
        (
            k
            for k in range(len(points_of(C)) + 1)
            for x in itertools.combinations(points_of(C), k)
            if shattered(x)
        ),
        default=-1,
    )


# ---- supports


def least_support(C: PlainClass) -> int:
    """The least number of points at which some concept is 1; 0 for the empty class."""
    return min((len([x for x in points_of(C) if c[x] == 1]) for c in C), default=0)


# ---- covers of trees


def zero_cover_number(C: PlainClass, tree: Sequence[int], depth: int) -> int:
    """The 0-covering number of a class on a tree [LWY25, Def. A.15].

    The least number of trees of the same depth with labels at their nodes such that, for every
    concept and every branch, one of them shows along the branch the labels that the concept gives
    to the points there.

    Examples
    --------
    >>> zero_cover_number([(0, 0), (0, 1), (1, 1)], (0, 1, 1), 2)
    3
    """
    branches = list(itertools.product((0, 1), repeat=depth))
    needed = {
        (branch, tuple(c[tree[node]] for node in nodes_on(branch)))
        for c in C
        for branch in branches
    }
    covers = [
        {(branch, tuple(labels[node] for node in nodes_on(branch))) for branch in branches}
        for labels in itertools.product((0, 1), repeat=2**depth - 1)
    ]
    return next(
        n
        for n in itertools.count()
        if any(needed <= set().union(*chosen) for chosen in itertools.combinations(covers, n))
    )


def max_zero_cover_number(C: PlainClass, depth: int) -> int:
    """The largest 0-covering number of a class on a tree of the given depth [LWY25, Def. A.15]."""
    trees = itertools.product(points_of(C), repeat=2**depth - 1)
    return max((zero_cover_number(C, tree, depth) for tree in trees), default=0)
