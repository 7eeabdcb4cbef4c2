"""Dimensions of the space of realizable distributions, from spheres and from odd cycles.

A sample is *symmetric* if some concept agrees with all of its labels and some concept disagrees
with all of its labels. The distributions on symmetric samples form a simplicial complex. Its
simplices are the symmetric samples, and the exchange of both labels maps the complex to itself.
The spherical dimension is the largest n such that the n-sphere has a continuous map to the complex
that maps antipodes to distributions with exchanged labels. ``docs/parameters.md`` proves the
bounds.

A pair of a symmetric sample and its complement is stored as a set of points and the smaller of
both sets of points with label 1.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from catalog.parameters.algebra import check_vectors, find_vectors, sign_rank_bounds
from catalog.parameters.base import (
    PROJECTED,
    Named,
    Numbers,
    Parts,
    evidence,
    numbers_in_order,
    numbers_of,
    searched,
    subsets,
    unknown_names,
)
from lsclasses.dimensions.definitions import Labels, Problem, _few_enough
from lsclasses.errors import TooLarge
from lsclasses.limits import Limit, tick
from lsclasses.point_names import name_text
from lsclasses.searching.bitsets import members
from lsclasses.table import Table

Pair = tuple[int, int]
"""A symmetric sample with its complement, which has the opposite labels.

A sample is symmetric if some concept agrees with all labels and some concept disagrees with all
labels. The pair consists of the points of the sample and the smaller of the two sets of points with
label 1, both as bits.
"""

# ---- symmetric samples


def symmetric_pairs(numbers: Numbers, points: int) -> dict[int, list[Pair]]:
    """Return the symmetric samples, each with its complement, by their numbers of points.

    Examples
    --------
    >>> symmetric_pairs(frozenset({0b00, 0b01, 0b10}), 2)
    {1: [(1, 0), (2, 0)], 2: [(3, 1)]}
    """
    found: dict[int, list[Pair]] = {size: [] for size in range(1, points + 1)}
    for s in subsets(points):
        shown = {c & s for c in numbers}
        ones = sorted({min(p, s ^ p) for p in shown if s ^ p in shown})
        if s:
            found[s.bit_count()] += [(s, p) for p in ones]
    return found


def faces(pair: Pair) -> Iterator[Pair]:
    """Yield the samples with one point less than a symmetric sample of at least two points.

    Each sample is stored with its complement, as a `Pair`.
    """
    s, ones = pair
    for j in members(s):
        rest = s ^ 1 << j
        yield rest, min(ones & rest, rest & ~ones)


def alternates(pair: Pair) -> bool:
    """Return whether neighbouring points of the sample have different labels."""
    s, ones = pair
    labels = [ones >> j & 1 for j in members(s)]
    return all(a != b for a, b in itertools.pairwise(labels))


# ---- upper bound


def odd_faces(pairs: Sequence[Pair], below: Sequence[Pair]) -> list[Pair] | None:
    """Return smaller pairs that include an odd number of faces of each alternating pair.

    They include an even number of faces of every other pair. A pair alternates if neighbouring
    points of its sample have different labels.

    The result is None if no such set of smaller pairs exists. Then some set of pairs contains an
    odd number of alternating pairs, and each smaller pair is a face of an even number of them.
    """
    place = {pair: i for i, pair in enumerate(below)}
    pivots: dict[int, tuple[int, bool]] = {}
    for pair in pairs:
        tick()
        unknown = sum(1 << place[face] for face in faces(pair)) if below else 0
        odd = alternates(pair)
        while unknown and unknown.bit_length() in pivots:
            other, other_odd = pivots[unknown.bit_length()]
            unknown, odd = unknown ^ other, odd ^ other_odd
        if unknown:
            pivots[unknown.bit_length()] = unknown, odd
        elif odd:
            return None
    chosen = 0
    for length in sorted(pivots):
        unknown, odd = pivots[length]
        if (unknown & chosen).bit_count() % 2 != odd:
            chosen |= 1 << (length - 1)
    return [below[i] for i in members(chosen)]


def index_of(pairs: dict[int, list[Pair]]) -> tuple[int, list[Pair]]:
    """Return the index of the complex of symmetric samples, and pairs that prove an upper bound.

    The index is an upper bound on the spherical dimension. The returned pairs prove that the index
    is not larger.
    """
    below: list[Pair] = []
    for size, here in pairs.items():
        chosen = odd_faces(here, below)
        if chosen is not None:
            return size - 2, chosen
        below = here
    return len(pairs) - 1, []


# ---- lower bounds


def has_circle(pairs: dict[int, list[Pair]]) -> bool:
    """Return whether some path in the complex connects an example with its complement."""
    found: dict[tuple[int, int], set[tuple[int, int]]] = {}
    for s, ones in pairs.get(2, ()):
        for labels in (ones, s & ~ones):
            a, b = ((j, labels >> j & 1) for j in members(s))
            joined = found.get(a, {a}) | found.get(b, {b})
            for each in joined:
                found[each] = joined
    return any((j, 1 - y) in joined for (j, y), joined in found.items())


def has_sphere(pairs: dict[int, list[Pair]], points: int) -> bool:
    """Return whether pairs of triangles on four points, glued at edges, form a projective plane."""
    triangles = pairs.get(3, [])
    for four in itertools.combinations(range(points), 4):
        inside = sum(1 << j for j in four)
        here = [pair for pair in triangles if pair[0] & ~inside == 0]
        if any(is_projective_plane(chosen) for chosen in odd_cycles(here)):
            return True
    return False


def odd_cycles(triangles: Sequence[Pair]) -> Iterator[list[Pair]]:
    """Yield the sets of triangles, small ones first, with an odd number of alternating triangles
    whose edges each belong to an even number of triangles.
    """
    edges: dict[Pair, int] = {}
    reduced: dict[int, tuple[int, int]] = {}
    basis = []
    for i, triangle in enumerate(triangles):
        row, used = 0, 1 << i
        for edge in faces(triangle):
            row ^= 1 << edges.setdefault(edge, len(edges))
        while row and row.bit_length() in reduced:
            other, with_ = reduced[row.bit_length()]
            row, used = row ^ other, used ^ with_
        if row:
            reduced[row.bit_length()] = row, used
        else:
            basis.append(used)
    cycles = [0]
    for each in basis:
        cycles += [each ^ other for other in cycles]
    for cycle in sorted(cycles, key=int.bit_count):
        chosen = [triangles[i] for i in members(cycle)]
        if sum(map(alternates, chosen)) % 2:
            yield chosen


MOST_GLUINGS = 3**3
"""Largest number of ways to glue triangles that are tried."""


def is_projective_plane(triangles: Sequence[Pair]) -> bool:
    """Return whether the triangles can be glued in pairs at edges to a projective plane.

    A connected closed surface of Euler characteristic 1 is a projective plane. The number of ways
    that are tried is at most `MOST_GLUINGS`.
    """
    at: dict[Pair, list[int]] = {}
    for i, triangle in enumerate(triangles):
        for edge in faces(triangle):
            at.setdefault(edge, []).append(i)
    ways = [[(edge, way) for way in matchings(there)] for edge, there in at.items()]
    number = 1
    for each in ways:
        number *= len(each)
    if number > MOST_GLUINGS:
        return False
    return any(_is_plane(triangles, gluing) for gluing in itertools.product(*ways))


def matchings(items: Sequence[int]) -> Iterator[list[tuple[int, int]]]:
    """Yield the partitions of an even number of items into pairs."""
    if not items:
        yield []
        return
    first, *rest = items
    for i, other in enumerate(rest):
        for more in matchings([*rest[:i], *rest[i + 1 :]]):
            yield [(first, other), *more]


def _is_plane(
    triangles: Sequence[Pair], gluing: Iterable[tuple[Pair, list[tuple[int, int]]]]
) -> bool:
    """Return whether a gluing is connected and has Euler characteristic 1."""
    corners = {(i, j): {(i, j)} for i, (s, _) in enumerate(triangles) for j in members(s)}
    parts = {i: {i} for i in range(len(triangles))}
    for (edge, _), glued in gluing:
        for a, b in glued:
            _join(parts, a, b)
            for j in members(edge):
                _join(corners, (a, j), (b, j))
    vertices = len({id(each) for each in corners.values()})
    connected = len({id(each) for each in parts.values()}) == 1
    return connected and 2 * vertices - len(triangles) == 2


def _join(parts: dict[Any, set[Any]], a: object, b: object) -> None:
    """Join the parts of two names. Names of one part share one set."""
    if parts[a] is not parts[b]:
        joined = parts[a] | parts[b]
        for each in joined:
            parts[each] = joined


# ---- parameters


@searched(
    "spherical dimension",
    "sd",
    PROJECTED,
    reference="Chornomaz, Moran and Waknine 2025",
    least=-1,
)
def spherical_dim(table: Table, limit: Limit | None) -> int:
    """The largest n for which some continuous map from the n-sphere to the realizable distributions
    maps antipodes to distributions with exchanged labels. It is -1 if no such n exists. A
    distribution of examples is realizable if some concept agrees with all examples of positive
    probability.

    The search returns the dimension if the bounds of `spherical_dim_bounds` meet, as for all
    classes on at most four points. Otherwise, it raises `TooLarge` with the bounds.
    """
    return _decided("spherical dimension", spherical_dim_bounds(table, limit))


def spherical_dim_bounds(table: Table, limit: Limit | None = None) -> tuple[int, int]:
    """Return bounds on the spherical dimension of a non-empty class.

    The function `index_of` computes the upper bound. The lower bound is the largest n for which the
    search finds an n-sphere:

    * A shattered set of n + 1 points gives an n-sphere.
    * A set of n + 2 concepts gives an n-sphere if, for every pattern of labels of these concepts,
      the pattern or its complement occurs at some point.
    * The function `has_circle` searches for circles, and `has_sphere` for 2-spheres.

    Parameters
    ----------
    table : Table
    limit : Limit, optional
        Resources of the search.

    Examples
    --------
    >>> import catalog
    >>> spherical_dim_bounds(catalog.build("thresholds:n=4").to_table())
    (0, 0)
    >>> spherical_dim_bounds(catalog.build("cube:n=3").to_table())
    (2, 2)
    """
    points = len(table.points)
    pairs = symmetric_pairs(numbers_of(table), points)
    upper, _ = index_of(pairs)
    lower = table.vcdim(limit=limit) - 1
    if lower < upper and table.points:
        lower = max(lower, table.dual().antipodal_shattering_dim(limit=limit) - 2, 0)
    if lower < 1 <= upper and has_circle(pairs):
        lower = 1
    if lower < 2 <= upper and has_sphere(pairs, points):
        lower = 2
    return lower, upper


@searched(
    "SCO dimension",
    "SCO",
    PROJECTED,
    reference="Chornomaz, Moran and Waknine 2025",
)
def sco_dim(table: Table, limit: Limit | None) -> int:
    """The least d for which a reduction of the class to stochastic convex optimization in d real
    parameters exists. A reduction chooses a convex loss for each example, and a labelling of the
    points for each vector of parameters. It has numbers a > 0 and b < 1/2. On every realizable
    distribution, a vector whose expected loss is within a of the infimum has a labelling of error
    at most b.

    The search returns the dimension if the bounds of `sco_dim_bounds` meet, as for all classes on
    at most four points. Otherwise, it raises `TooLarge` with the bounds.
    """
    return _decided("SCO dimension", sco_dim_bounds(table, limit))


def sco_dim_bounds(table: Table, limit: Limit | None = None) -> tuple[int, int]:
    """Return bounds on the SCO dimension of a non-empty class.

    The lower bound is one more than the spherical dimension. The upper bound is one less than the
    sign rank of the class with one more point at which all concepts are 1. One more column raises
    the rank by at most 1, so the sign rank of the class is an upper bound, too. The upper bound is
    1 for thresholds, also after flips of labels.

    Parameters
    ----------
    table : Table
    limit : Limit, optional
        Resources of the search.

    Examples
    --------
    >>> import catalog
    >>> sco_dim_bounds(catalog.build("thresholds:n=4").to_table())
    (1, 1)
    >>> sco_dim_bounds(catalog.build("random:m=7,n=6,seed=5").to_table())
    (3, 3)
    """
    lower, _ = spherical_dim_bounds(table, limit)
    if lower == 0 and line_vectors(numbers_in_order(table), len(table.points)):
        return 1, 1
    _, affine = sign_rank_bounds(with_constant(table), limit)
    _, linear = sign_rank_bounds(table, limit)
    return lower + 1, min(affine - 1, linear)


def line_vectors(rows: Sequence[int], points: int) -> Parts | None:
    """Return vectors of two entries for thresholds with flipped labels, None for other classes.

    The positions of the concepts on a line start at the first concept. The concepts on one side of
    it differ from it in growing sets of points.
    """
    sets = [c ^ rows[0] for c in rows]
    some = next(filter(None, sets), 0)
    places = [-c.bit_count() if c & some else c.bit_count() for c in sets]
    columns = []
    for j in range(points):
        changed = [place for c, place in zip(sets, places, strict=True) if c >> j & 1]
        start = min(changed, key=abs, default=0)
        side = 1 if start > 0 else -1
        if changed != [place for place in places if start and place * side >= abs(start)]:
            return None
        slope, shift = (-2 * side, 2 * abs(start) - 1) if start else (0, 1)
        sign = 1 if rows[0] >> j & 1 else -1
        columns.append((sign * slope, sign * shift))
    return {"rows": tuple((place, 1) for place in places), "columns": (*columns, (0, 1))}


def with_constant(table: Table) -> Table:
    """Return the class with one more point, at which all concepts are 1."""
    return Table([[*row, 1] for row in table.labels.tolist()])


def _decided(title: str, bounds: tuple[int, int]) -> int:
    lower, upper = bounds
    if lower < upper:
        raise TooLarge(
            f"The {title} of the class lies between {lower} and {upper}. The search does not "
            "decide it.",
            lower=lower,
            upper=upper,
        )
    return lower


# ---- searches for witnesses


def find_odd_faces(C: Named, value: int) -> Parts:
    """Return samples that prove that the index of the class is not larger."""
    _, chosen = index_of(symmetric_pairs(C.numbers, C.n))
    return {"samples": tuple(C.sample(s, ones) for s, ones in chosen)}


def find_affine_vectors(C: Named, value: int) -> Parts:
    """Return vectors of the class with a constant point, with at most `value` + 1 entries."""
    if value == 1 and (found := line_vectors(C.rows, C.n)):
        return found
    found = find_vectors(Named(with_constant(C.table), C.limit), value + 1)
    if not found["columns"]:
        # Vectors of the class become longer by an entry for the constant point.
        own = find_vectors(C, value)
        rows, columns = ((*row, 1) for row in own["rows"]), ((*v, 0) for v in own["columns"])
        constant = (*(0,) * len(own["rows"][0]), 1)
        found = {"rows": tuple(rows), "columns": (*columns, constant)}
    return found


# ---- checks of witnesses


def check_odd_faces(labels: Labels, parts: Parts, value: int) -> Problem:
    """Return the error in samples that are faces of larger symmetric samples, or ""."""
    chosen = [frozenset(map(tuple, sample)) for sample in parts["samples"]]
    for sample in chosen:
        if problem := unknown_names(labels, [x for x, _ in sample]):
            return problem
        if len(sample) != value + 1:
            return f"a sample has {value + 1} examples"
    if len(set(chosen) | {_complement(each) for each in chosen}) < 2 * len(chosen):
        return "the samples must be different, also up to complements"
    points = labels.points
    _few_enough(len(points), min(value + 2, len(points) // 2), "have symmetric samples")
    for some in itertools.combinations(points, value + 2):
        rows = {tuple(labels.label(c, x) for x in some) for c in labels.concepts}
        for row in rows:
            if tuple(1 - y for y in row) not in rows:
                continue
            sample = frozenset(zip(some, row, strict=True))
            around = [sample - {each} for each in sample]
            inside = sum(face in chosen or _complement(face) in chosen for face in around)
            if inside % 2 != all(a != b for a, b in itertools.pairwise(row)):
                named = ", ".join(f"({name_text(x)}, {y})" for x, y in zip(some, row, strict=True))
                return f"the sample {named} has {inside} of the samples as faces"
    return ""


def _complement(sample: frozenset[tuple[object, int]]) -> frozenset[tuple[object, int]]:
    return frozenset((x, 1 - y) for x, y in sample)


def check_affine_vectors(labels: Labels, parts: Parts, value: int) -> Problem:
    """Return the error in vectors of the class with a constant point, or ""."""
    constant = object()
    rows = [[*(labels.label(c, x) for x in labels.points), 1] for c in labels.concepts]
    extended = Labels(labels.concepts, (*labels.points, constant), rows)
    return check_vectors(extended, parts, value + 1)


# ---- the parts of witnesses


evidence(
    "spherical_dim",
    "listed samples of n + 1 examples with the following property. If some concept agrees with a "
    "sample of n + 2 examples and some concept with its complement, the sample contains an odd "
    "number of the listed samples and their complements if and only if its labels alternate in the "
    "order of the points (n is the value)",
    find_odd_faces,
    check_odd_faces,
    at_most=True,
)
evidence(
    "sco_dim",
    "a vector for each concept and each point, and one more vector that has positive inner "
    "products with the vectors of all concepts, such that the other inner products have the signs "
    "of the labels. The vectors have at most n + 1 entries (n is the value)",
    find_affine_vectors,
    check_affine_vectors,
    at_most=True,
)
