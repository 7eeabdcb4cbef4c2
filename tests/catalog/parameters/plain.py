"""Parameters by other transcriptions of their definitions, on sets of tuples of labels."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from fractions import Fraction
from functools import cache

import numpy as np

from tests import oracles
from tests.oracles.queries import queries_of

Concept = tuple[int, ...]
Plain = frozenset[Concept]


def points_of(C: Plain) -> range:
    return range(len(next(iter(C))))


def sets_of_points(C: Plain) -> list[tuple[int, ...]]:
    points = points_of(C)
    return [s for k in range(len(points) + 1) for s in itertools.combinations(points, k)]


def shown(C: Plain, points: tuple[int, ...]) -> Plain:
    return frozenset(tuple(c[x] for x in points) for c in C)


# ---- algebra


def interpolation_degree(C: Plain) -> int:
    rows: list[list[int]] = []
    for s in sets_of_points(C):
        rows.append([int(all(c[x] for x in s)) for c in sorted(C)])
        if np.linalg.matrix_rank(np.array(rows)) == len(C):
            return len(s)
    raise AssertionError


def rank_modulo(matrix: np.ndarray, p: int) -> int:
    """The rank of an integer matrix over the field with p elements."""
    rows = [[int(a) % p for a in row] for row in matrix]
    rank = 0
    for column in range(matrix.shape[1]):
        at = next((i for i in range(rank, len(rows)) if rows[i][column]), None)
        if at is None:
            continue
        rows[rank], rows[at] = rows[at], rows[rank]
        for i in range(rank + 1, len(rows)):
            a, b = rows[rank][column], rows[i][column]
            rows[i] = [(a * z - b * y) % p for y, z in zip(rows[rank], rows[i], strict=True)]
        rank += 1
    return rank


def homology(facets: list[frozenset[object]], i: int, p: int) -> int:
    """The dimension of the reduced homology of a simplicial complex.

    The field has characteristic p.
    """

    def faces(size: int) -> list[tuple[object, ...]]:
        found = {s for f in facets for s in itertools.combinations(sorted(f, key=repr), size)}
        return sorted(found, key=repr)

    def rank(size: int) -> int:
        if size <= 0 or not faces(size) or not faces(size - 1):
            return 0
        place = {face: j for j, face in enumerate(faces(size - 1))}
        matrix = np.zeros((len(place), len(faces(size))))
        for column, face in enumerate(faces(size)):
            for k in range(size):
                matrix[place[face[:k] + face[k + 1 :]], column] = (-1) ** k
        return rank_modulo(matrix, p) if p else int(np.linalg.matrix_rank(matrix))

    return len(faces(i + 1)) - rank(i + 1) - rank(i + 2)


def yang_dimension(C: Plain, characteristic: int = 2) -> int:
    """By the lattice of least common multiples: sets of concepts that do not span a subcube."""
    best = 0
    for cube in itertools.product((0, 1, None), repeat=len(points_of(C))):
        inside = [c for c in C if all(y is None or y == z for y, z in zip(cube, c, strict=True))]
        if not inside or any(
            y is None and len({c[x] for c in inside}) < 2 for x, y in enumerate(cube)
        ):
            continue
        facets = [
            frozenset(c for c in inside if c[x] == z)
            for x, y in enumerate(cube)
            if y is None
            for z in (0, 1)
        ]
        for i in range(1, len(inside)):
            if i > best and facets and homology(facets, i - 1, characteristic):  # type: ignore[arg-type]
                best = i
    return best


def ternary_yang_dimension(C: Plain) -> int:
    return yang_dimension(C, 3)


def rational_yang_dimension(C: Plain) -> int:
    return yang_dimension(C, 0)


@cache
def realized(points: int, rank: int) -> list[frozenset[Concept]]:
    """All rows that go with columns in general position: with many random ones, every kind."""
    rng = np.random.default_rng(0)
    found = set()
    for _ in range(100):
        columns = rng.normal(size=(rank, points))
        rows = rng.normal(size=(300, rank)) @ columns > 0
        found.add(frozenset(map(tuple, rows.astype(int).tolist())))
    return sorted(found, key=len)


def sign_rank(C: Plain) -> int:
    points = len(points_of(C))
    return next(
        k
        for k in range(1, points + 1)
        if k == points or any(rows >= C for rows in realized(points, k))
    )


# ---- shattering


def dual_antipodal_shattering_dim(C: Plain) -> int:
    def shattered(concepts: tuple[Concept, ...]) -> bool:
        patterns = itertools.product((0, 1), repeat=len(concepts))
        return all(
            any(
                len({y ^ c[x] for y, c in zip(p, concepts, strict=True)}) == 1 for x in points_of(C)
            )
            for p in patterns
        )

    sizes = range(1, len(C) + 1)
    return max(k for k in sizes if any(map(shattered, itertools.combinations(C, k))))


def extremal_extension_vcdim(C: Plain) -> int:
    """Over all classes that contain C."""
    every = frozenset(itertools.product((0, 1), repeat=len(points_of(C))))
    best = len(points_of(C))
    for size in range(len(every - C) + 1):
        for more in itertools.combinations(sorted(every - C), size):
            E = C | frozenset(more)
            shattered = [s for s in sets_of_points(E) if len(shown(E, s)) == 2 ** len(s)]
            if len(shattered) == len(E):
                best = min(best, len(shattered[-1]))
    return best


def intersection_radon_number(C: Plain) -> int:
    def hull(part: tuple[int, ...]) -> set[int]:
        around = [c for c in C if all(c[x] for x in part)]
        return {x for x in points_of(C) if all(c[x] for c in around)}

    def has_partition(s: tuple[int, ...]) -> bool:
        parts = [t for t in sets_of_points(C) if t and set(t) < set(s)]
        return any(hull(t) & hull(tuple(set(s) - set(t))) for t in parts)

    sizes = range(len(points_of(C)) + 2)
    return next(r for r in sizes if all(has_partition(s) for s in sets_of_points(C) if len(s) == r))


# ---- orders


def shifted(C: Plain, order: tuple[int, ...]) -> Plain:
    """The class after its concepts are shifted down at the points of an order, one by one."""
    for x in order:
        low = {c: (*c[:x], 0, *c[x + 1 :]) for c in C}
        C = frozenset(c if low[c] in C else low[c] for c in C)
    return C


def largest_in_orders(C: Plain) -> list[int]:
    orders = itertools.permutations(points_of(C))
    return [max(map(sum, shifted(C, order))) for order in orders]


def least_order_shattered(C: Plain) -> int:
    return min(largest_in_orders(C))


def rebuilds(C: Plain, order: list[Concept]) -> int:
    """How many examples suffice if the first hypothesis that agrees with them is taken."""
    worst = 0
    for c in C:
        for sample in sets_of_points(C):
            for kept in (t for t in sets_of_points(C) if set(t) <= set(sample)):
                first = next(h for h in order if all(h[x] == c[x] for x in kept))
                if all(first[x] == c[x] for x in sample):
                    worst = max(worst, len(kept))
                    break
    return worst


def order_compression(C: Plain) -> int:
    every = itertools.product((0, 1), repeat=len(points_of(C)))
    return min(rebuilds(C, list(order)) for order in itertools.permutations(every))


def proper_order_compression(C: Plain) -> int:
    return min(rebuilds(C, list(order)) for order in itertools.permutations(C))


# ---- teaching


def positive_size(c: Concept, C: Plain) -> int:
    ones = [x for x in points_of(C) if c[x]]
    for k in range(len(ones) + 1):
        for s in itertools.combinations(ones, k):
            if all(other == c or any(not other[x] for x in s) for other in C):
                return k
    return len(points_of(C)) + 1


def positive_teaching_dim(C: Plain) -> int:
    return max(positive_size(c, C) for c in C)


@cache
def positive_recursive_teaching_dim(C: Plain) -> int:
    if not C:
        return 0
    return min(max(positive_size(c, C), positive_recursive_teaching_dim(C - {c})) for c in C)


def teaching_set_size(c: Concept, C: Plain) -> int:
    return next(
        len(s)
        for s in sets_of_points(C)
        if sum(shown(frozenset({c}), s) == shown(frozenset({d}), s) for d in C) == 1
    )


def average_teaching_dim(C: Plain) -> Fraction:
    return Fraction(sum(teaching_set_size(c, C) for c in C), len(C))


@cache
def balbach_size(c: Concept, C: Plain, rounds: int) -> int:
    """BTD^k(c): a smallest sample with c alone in CONS_size of Zilles et al."""

    def consistent(s: tuple[int, ...]) -> list[Concept]:
        return [
            d
            for d in C
            if all(d[x] == c[x] for x in s)
            and (not rounds or balbach_size(d, C, rounds - 1) >= len(s))
        ]

    return next(len(s) for s in sets_of_points(C) if consistent(s) == [c])


def balbach_teaching_dim(C: Plain) -> int:
    # A round that changes a size makes the sum of the sizes smaller.
    return max(balbach_size(c, C, len(C)) for c in C)


def subset_teaching_dim(C: Plain) -> int:
    """By CONS_sub of Zilles et al., with samples as sets of examples."""
    samples = {c: [frozenset((x, c[x]) for x in s) for s in sets_of_points(C)] for c in C}
    # A sample of c is a subset of the whole concept d if d agrees with it.
    taught = {c: {samples[c][-1]} for c in C}
    for _ in range(len(C) * (1 + len(points_of(C))) ** 2):
        alone = {
            c: [
                s
                for s in samples[c]
                if all(d == c or not any(s <= t for t in taught[d]) for d in C)
            ]
            for c in C
        }
        inside = {c: [s for s in alone[c] if any(s <= t for t in taught[c])] for c in C}
        taught = {c: {s for s in inside[c] if len(s) == min(map(len, inside[c]))} for c in C}
    return max(len(s) for c in C for s in taught[c])


def projected_no_clash_teaching_dim(C: Plain) -> int:
    """By a search over the teaching sets of one concept after the other."""

    def extends(given: list[tuple[Concept, tuple[int, ...]]], rest: list[Concept], k: int) -> bool:
        if not rest:
            return True
        first, *later = rest
        return any(
            extends([*given, (first, s)], later, k)
            for s in sets_of_points(frozenset(rest))
            if len(s) == min(k, len(first))
            and not any(all(first[x] == c[x] for x in (*s, *t)) for c, t in given)
        )

    projections = [sorted(shown(C, s)) for s in sets_of_points(C)]
    return max(next(k for k in range(5) if extends([], P, k)) for P in projections)


def hitting_size(C: Plain) -> int:
    return next(
        len(s) for s in sets_of_points(C) if all(not any(c) or any(c[x] for x in s) for c in C)
    )


# ---- stars


def projected_maximum_positive_degree(C: Plain) -> int:
    return max(
        sum(1 for x, y in enumerate(c) if y and (*c[:x], 0, *c[x + 1 :]) in P)
        for s in sets_of_points(C)
        for P in [shown(C, s)]
        for c in P
    )


@cache
def concept_star_number(C: Plain) -> int:
    """By the least teaching sets of a concept in all projections."""
    return min(
        max(
            teaching_set_size(tuple(c[x] for x in s), shown(C, s)) if s else 0
            for s in sets_of_points(C)
        )
        for c in C
    )


def subclass_star_number(C: Plain) -> int:
    sizes = range(1, len(C) + 1)
    parts = (frozenset(D) for k in sizes for D in itertools.combinations(sorted(C), k))
    return max(map(concept_star_number, parts))


def projected_distinguishing_range(C: Plain) -> int:
    def distinguishing_range(P: Plain) -> int:
        return next(len(t) for t in sets_of_points(P) if len(shown(P, t)) == len(P))

    return max(distinguishing_range(shown(C, s)) for s in sets_of_points(C))


def shattering_cover_vcdim(C: Plain) -> int:
    def shattered(P: Plain) -> list[int]:
        return [len(t) for t in sets_of_points(P) if len(shown(P, t)) == 2 ** len(t)]

    covers = (shattered(shown(C, s)) for s in sets_of_points(C))
    return min(max(cover) for cover in covers if len(cover) >= len(C))


def antichain_number(C: Plain) -> int:
    """By a search over all assignments of samples of at most k examples."""

    def extends(chosen: list[frozenset[tuple[int, int]]], rest: list[Concept], k: int) -> bool:
        if not rest:
            return True
        samples = (frozenset((x, rest[0][x]) for x in s) for s in sets_of_points(C) if len(s) <= k)
        return any(
            extends([*chosen, t], rest[1:], k)
            for t in samples
            if not any(t <= u or u <= t for u in chosen)
        )

    return next(k for k in range(len(points_of(C)) + 1) if extends([], sorted(C), k))


def version_space_radon_number(C: Plain) -> int:
    def hull(part: tuple[Concept, ...]) -> set[Concept]:
        return {c for c in C if all(any(d[x] == c[x] for d in part) for x in points_of(C))}

    def independent(D: tuple[Concept, ...]) -> bool:
        return not any(
            hull(part) & hull(tuple(d for d in D if d not in part))
            for k in range(1, len(D))
            for part in itertools.combinations(D, k)
        )

    return max(
        k
        for k in range(1, len(C) + 1)
        if any(map(independent, itertools.combinations(sorted(C), k)))
    )


# ---- queries


def questions(C: Plain) -> list[tuple[int | None, ...]]:
    """Membership queries as claims of one label."""
    n = len(points_of(C))
    return [tuple(1 if x == y else None for y in range(n)) for x in range(n)]


def membership_equivalence_queries(C: Plain) -> int:
    every = [*questions(C), *itertools.product((0, 1), repeat=len(points_of(C)))]
    return queries_of(C, lambda V: every)


def membership_proper_equivalence_queries(C: Plain) -> int:
    every = [*questions(C), *C]
    return queries_of(C, lambda V: every)


def projected_membership_queries(C: Plain) -> int:
    return max(oracles.membership_queries(shown(C, s)) for s in sets_of_points(C) if s)


@cache
def majority_queries(C: Plain) -> int:
    """All hypotheses that are right for at least half of what is left, at every point."""
    if len(C) == 1:
        return 0
    costs = []
    for h in itertools.product((0, 1), repeat=len(points_of(C))):
        wrong = [frozenset(c for c in C if c[x] != y) for x, y in enumerate(h)]
        if all(2 * len(V) <= len(C) for V in wrong):
            costs += [1 + majority_queries(V) for V in wrong if V]
    return max(costs)


# ---- mistakes


def transductive(C: Plain, sequence: tuple[int, ...]) -> int:
    """The least number of mistakes on a known sequence of points, over both predictions."""
    if not sequence:
        return 0
    sides = [(y, frozenset(c for c in C if c[sequence[0]] == y)) for y in (0, 1)]
    return min(
        max((y != guess) + transductive(side, sequence[1:]) for y, side in sides if side)
        for guess in (0, 1)
    )


def transductive_mistakes(C: Plain) -> tuple[int, ...]:
    """Over all sequences of points, also with repetitions."""
    points = points_of(C)
    return tuple(
        max(transductive(C, s) for s in itertools.product(points, repeat=n))
        for n in range(len(points) + 1)
    )


Errors = tuple[int, ...]
"""The numbers of errors of the concepts, which count only up to 2."""


def erred(C: Plain, errors: Errors, x: int, y: int) -> Errors:
    return tuple(min(2, e + (c[x] != y)) for c, e in zip(sorted(C), errors, strict=True))


def one_mistake_ldim(C: Plain) -> int:
    @cache
    def shatters(errors: Errors, depth: int) -> bool:
        if min(errors) > 1 or not depth:
            return min(errors) <= 1
        return any(
            all(shatters(erred(C, errors, x, y), depth - 1) for y in (0, 1)) for x in points_of(C)
        )

    return next(d for d in itertools.count() if not shatters((0,) * len(C), d + 1))


def few_mistakes_ldim(C: Plain, mistakes: int) -> int:
    @cache
    def shatters(errors: Errors, depth: int) -> bool:
        alive = min(errors) <= mistakes
        if not alive or not depth:
            return alive
        sides = (
            [
                tuple(
                    min(mistakes + 1, e + (c[x] != y))
                    for c, e in zip(sorted(C), errors, strict=True)
                )
                for y in (0, 1)
            ]
            for x in points_of(C)
        )
        return any(all(shatters(side, depth - 1) for side in both) for both in sides)

    return next(d for d in itertools.count() if not shatters((0,) * len(C), d + 1))


def two_mistake_ldim(C: Plain) -> int:
    return few_mistakes_ldim(C, 2)


def three_mistake_ldim(C: Plain) -> int:
    return few_mistakes_ldim(C, 3)


Trees = tuple[int, "Trees", "Trees"] | tuple[()]


def shattered_trees(C: Plain, depth: int) -> list[Trees]:
    """All complete trees of a depth whose branches each agree with some concept."""
    if not depth:
        return [()] if C else []
    return (
        [
            (x, zeros, ones)
            for x in points_of(C)
            for zeros in shattered_trees(frozenset(c for c in C if not c[x]), depth - 1)
            for ones in shattered_trees(frozenset(c for c in C if c[x]), depth - 1)
        ]
        if C
        else []
    )


def level_of(tree: Trees, level: int) -> set[int]:
    """The points of the nodes of a level."""
    if not tree:
        return set()
    if not level:
        return {tree[0]}
    return level_of(tree[1], level - 1) | level_of(tree[2], level - 1)


def subtrees_at(tree: Trees, level: int) -> list[Trees]:
    if not level or not tree:
        return [tree]
    return [*subtrees_at(tree[1], level - 1), *subtrees_at(tree[2], level - 1)]


def deepest(C: Plain, allowed: Callable[[Trees, int], bool]) -> int:
    """The largest depth of an allowed tree, from a list of all shattered trees."""
    depths = range(len(points_of(C)) + 1)
    return max(d for d in depths if any(allowed(tree, d) for tree in shattered_trees(C, d)))


def prefix_ldim(C: Plain, k: int) -> int:
    return deepest(
        C, lambda tree, depth: all(len(level_of(tree, i)) == 1 for i in range(min(k, depth)))
    )


def block_ldim(C: Plain, k: int) -> int:
    return deepest(
        C,
        lambda tree, depth: all(
            len(level_of(start, i)) == 1
            for level in range(0, depth, k)
            for start in subtrees_at(tree, level)
            for i in range(min(k, depth - level))
        ),
    )


def two_prefix_ldim(C: Plain) -> int:
    return prefix_ldim(C, 2)


def three_prefix_ldim(C: Plain) -> int:
    return prefix_ldim(C, 3)


def two_block_ldim(C: Plain) -> int:
    return block_ldim(C, 2)


def three_block_ldim(C: Plain) -> int:
    return block_ldim(C, 3)


def one_mistake_randomized_ldim(C: Plain) -> Fraction:
    """By the equation that the values of states satisfy."""

    @cache
    def value(errors: Errors) -> Fraction:
        found = [Fraction(0)]
        for x in points_of(C):
            sides = [erred(C, errors, x, y) for y in (0, 1)]
            if all(min(side) <= 1 for side in sides):
                others = [value(side) for side in sides if side != errors]
                # If V >= (1 + V + W)/2 for the value V of this state, then V >= 1 + W.
                found.append((1 + sum(others)) / 2 if len(others) == 2 else 1 + others[0])
        return max(found)

    return value((0,) * len(C))


Round = tuple[int, int, int | None]
"""A point, the prediction, and the label that the learner received, if it received one."""


def apple_tasting(C: Plain, rounds: int, history: tuple[Round, ...] = ()) -> int:
    """The least number of mistakes, over all deterministic learners and from the whole history."""
    alive = [c for c in C if all(y is None or c[x] == y for x, _, y in history)]
    if not rounds:
        return max(sum(c[x] != guess for x, guess, _ in history) for c in alive)
    return max(
        min(
            apple_tasting(C, rounds - 1, (*history, (x, 0, None))),
            max(apple_tasting(C, rounds - 1, (*history, (x, 1, y))) for y in {c[x] for c in alive}),
        )
        for x in points_of(C)
    )


def apple_tasting_mistakes(C: Plain) -> tuple[int, ...]:
    return tuple(apple_tasting(C, n) for n in range(len(points_of(C)) + 1))


def apple_littlestone_dim(C: Plain) -> int:
    def is_path(points: tuple[int, ...]) -> bool:
        wanted = [(*(0,) * i, 1) for i in range(len(points))] + [(0,) * len(points)]
        return all(
            any(all(c[x] == y for x, y in zip(points, labels, strict=False)) for c in C)
            for labels in wanted
        )

    sizes = range(len(points_of(C)) + 1)
    return max(k for k in sizes if any(map(is_path, itertools.permutations(points_of(C), k))))


NEW: dict[str, Callable[[Plain], int | Fraction | tuple[int, ...]]] = {
    each.__name__: each
    for each in (
        interpolation_degree,
        yang_dimension,
        ternary_yang_dimension,
        rational_yang_dimension,
        sign_rank,
        least_order_shattered,
        dual_antipodal_shattering_dim,
        extremal_extension_vcdim,
        intersection_radon_number,
        projected_maximum_positive_degree,
        concept_star_number,
        subclass_star_number,
        projected_distinguishing_range,
        shattering_cover_vcdim,
        antichain_number,
        version_space_radon_number,
        average_teaching_dim,
        balbach_teaching_dim,
        subset_teaching_dim,
        projected_no_clash_teaching_dim,
        positive_teaching_dim,
        positive_recursive_teaching_dim,
        hitting_size,
        membership_equivalence_queries,
        membership_proper_equivalence_queries,
        projected_membership_queries,
        majority_queries,
        transductive_mistakes,
        one_mistake_ldim,
        two_mistake_ldim,
        three_mistake_ldim,
        two_prefix_ldim,
        three_prefix_ldim,
        two_block_ldim,
        three_block_ldim,
        apple_tasting_mistakes,
        apple_littlestone_dim,
        one_mistake_randomized_ldim,
    )
}
