"""What a witness of a parameter has to meet, read off the labels point by point.

Each function takes the labels of a class, the evidence by its parts, and the value that it is said
to show, and says what is wrong, if anything is; as in `lsclasses.dimensions.definitions`. They
share nothing with the searches. Whether the value is shown to be no smaller or no larger stands
with the parameter.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from lsclasses.dimensions.compression import CompressionScheme
from lsclasses.dimensions.definitions import Labels, Problem, _counted, _few_enough, listed
from lsclasses.errors import BadCertificate
from lsclasses.points import Point, to_text
from lsclasses.table import Table

Evidence = Mapping[str, Any]
Pattern = tuple[int, ...]


def _pattern(labels: Labels, concept: Point, points: Sequence[Point]) -> Pattern:
    return tuple(labels.label(concept, x) for x in points)


def _shown(labels: Labels, points: Sequence[Point]) -> set[Pattern]:
    """The patterns of labels of the class on some points."""
    return {_pattern(labels, c, points) for c in labels.concepts}


def _at_most(names: Sequence[Point], value: int, what: str) -> Problem:
    if len(names) > value:
        return f"at most {value} {what} are needed, and these are {len(names)}"
    return ""


def _named(labels: Labels, points: Sequence[Point], concepts: Sequence[Point] = ()) -> Problem:
    """Whether all names are known, and no point stands twice."""
    return labels.missing(concepts, points) or _counted(points, len(points), "points")


def _no_labels(labels: Iterable[Any]) -> Problem:
    """What would agree with no concept for another reason than that no concept has these labels."""
    return next((f"a label is 0 or 1, and not {y!r}" for y in labels if y not in (0, 1)), "")


# ---- distances


def differing(labels: Labels, evidence: Evidence, value: int) -> Problem:
    points, zeros, ones = evidence["points"], evidence["zeros"], evidence["ones"]
    if problem := _named(labels, points, (*zeros, *ones)) or _counted(points, value, "points"):
        return problem
    for x, zero, one in zip(points, zeros, ones, strict=True):
        if labels.label(zero, x) or not labels.label(one, x):
            return f"{to_text(zero)} and {to_text(one)} do not have the labels 0 and 1 at {x!r}"
    return ""


def far_apart(labels: Labels, evidence: Evidence, value: int, *, oriented: bool = False) -> Problem:
    points, (one, other) = evidence["points"], evidence["concepts"]
    if problem := _named(labels, points, (one, other)) or _counted(points, value, "points"):
        return problem
    for x in points:
        pair = labels.label(one, x), labels.label(other, x)
        if (pair != (0, 1)) if oriented else (pair[0] == pair[1]):
            return f"the two concepts have the labels {pair[0]} and {pair[1]} at {x!r}"
    return ""


def ball(labels: Labels, evidence: Evidence, value: int) -> Problem:
    centre = dict(evidence["sample"])
    if problem := labels.missing(points=centre):
        return problem
    if len(centre) != len(labels.points):
        return f"the centre has a label for each of the {len(labels.points)} points"
    for c in labels.concepts:
        distance = sum(labels.label(c, x) != y for x, y in centre.items())
        if distance > value:
            return f"{to_text(c)} differs from the centre at {distance} points"
    return ""


def telling_apart(labels: Labels, evidence: Evidence, value: int) -> Problem:
    points = evidence["points"]
    if problem := _named(labels, points) or _at_most(points, value, "points"):
        return problem
    if len(_shown(labels, points)) < len(labels.concepts):
        return "two concepts have the same labels there"
    return ""


# ---- chains and shattering


def chain(labels: Labels, evidence: Evidence, value: int) -> Problem:
    points, concepts, flipped = evidence["points"], evidence["concepts"], evidence["flipped"]
    problem = _named(labels, points, concepts) or _counted(points, value, "points")
    if problem or (problem := labels.missing(points=flipped)):
        return problem
    if len(concepts) != value + 1:
        return f"{value + 1} concepts are needed, and these are {len(concepts)}"
    for k, concept in enumerate(concepts):
        for i, x in enumerate(points):
            if labels.label(concept, x) != (i < k) ^ (x in flipped):
                return f"concept {to_text(concept)} has not the label it needs at {x!r}"
    return ""


def unflipped_chain(labels: Labels, evidence: Evidence, value: int) -> Problem:
    return chain(labels, {**evidence, "flipped": ()}, value)


def shattered_sets(labels: Labels, evidence: Evidence, value: int) -> Problem:
    sets = evidence["sets"]
    for points in sets:
        if problem := _named(labels, points):
            return problem
        if len(_shown(labels, points)) < 2 ** len(points):
            return f"the points {listed([to_text(x) for x in points])} are not shattered"
    return _counted([frozenset(points) for points in sets], value, "sets")


def not_shattered(labels: Labels, evidence: Evidence, value: int) -> Problem:
    sample = evidence["sample"]
    points = [x for x, _ in sample]
    if problem := _named(labels, points) or _no_labels(y for _, y in sample):
        return problem
    if not sample:
        moving = sum(len(_shown(labels, [x])) == 2 for x in labels.points)
        return f"concepts differ at {moving} points" if moving > value else ""
    if constant := [x for x in points if len(_shown(labels, [x])) < 2]:
        return f"all concepts agree at {constant[0]!r}"
    if labels.fits(sample):
        return "a concept agrees with the sample"
    return _at_most(points, value + 1, "points")


def subcube(labels: Labels, evidence: Evidence, value: int) -> Problem:
    points, concept = evidence["points"], evidence["concept"]
    if problem := _named(labels, points, [concept]) or _counted(points, value, "points"):
        return problem
    rest = [(x, labels.label(concept, x)) for x in labels.points if x not in points]
    for pattern in itertools.product((0, 1), repeat=value):
        if not labels.fits([*rest, *zip(points, pattern, strict=True)]):
            return f"no concept has the labels {pattern} there and is like this one elsewhere"
    return ""


def order_shattered(labels: Labels, evidence: Evidence, value: int) -> Problem:
    order = evidence["points"]
    if problem := _named(labels, order) or _counted(order, len(labels.points), "points"):
        return problem
    largest = max(map(len, _in_order(_shown(labels, order))))
    return f"this order shatters {largest} points" if largest > value else ""


def _in_order(patterns: set[Pattern]) -> set[tuple[int, ...]]:
    """The sets that the order of the entries shatters, by places counted from the end."""
    places = len(next(iter(patterns)))
    if not places:
        return {()}
    rest = {p[1:] for p in patterns}
    both = {p for p in rest if {(0, *p), (1, *p)} <= patterns}
    with_first = {(places, *each) for each in _in_order(both)} if both else set()
    return _in_order(rest) | with_first


# ---- polynomials and degrees


def no_polynomial(labels: Labels, evidence: Evidence, value: int) -> Problem:
    weights = evidence["weights"]
    if problem := labels.missing([c for c, _ in weights]):
        return problem
    if any(type(w) is not int for _, w in weights):
        return "weights are integers"
    total = {c: sum(w for d, w in weights if d == c) for c, _ in weights}
    if not any(total.values()):
        return "some weight must not be 0"
    if value > len(labels.points):
        return f"there are monomials of degree at most {len(labels.points)} only"
    for size in range(value):
        _few_enough(len(labels.points), size, "are in a monomial of nonzero sum")
        for points in itertools.combinations(labels.points, size):
            if sum(w for c, w in total.items() if all(_pattern(labels, c, points))):
                named = listed([to_text(x) for x in points])
                return f"the weights of the concepts that are 1 at {named} do not add up to 0"
    return ""


def cycle(labels: Labels, evidence: Evidence, value: int) -> Problem:
    """Faces are sets of examples at free points that some concept of the subcube contradicts."""
    points, fixed = evidence["points"], dict(evidence["sample"])
    if problem := _named(labels, [*points, *fixed]):
        return problem
    if len(points) + len(fixed) != len(labels.points):
        return "each point is free or fixed"
    inside = {
        frozenset((x, 1 - labels.label(c, x)) for x in points)
        for c in labels.concepts
        if all(labels.label(c, x) == y for x, y in fixed.items())
    }
    parts = [{frozenset(face) for face in evidence[name]} for name in ("cycle", "cocycle")]
    for face in (*parts[0], *parts[1]):
        if len(face) != value or not any(face <= each for each in inside):
            return f"a face has {value} examples that one concept of the subcube contradicts"
    below = Counter(face - {each} for face in parts[0] for each in face)
    if any(times % 2 for times in below.values()):
        return "the boundary of the cycle is not 0"
    above = {frozenset(f) for each in inside for f in itertools.combinations(each, value + 1)}
    if any(sum(face - {each} in parts[1] for each in face) % 2 for face in above):
        return "the cocycle is not 0 on all boundaries"
    if len(parts[0] & parts[1]) % 2 == 0:
        return "the cycle and the cocycle have an even number of faces in common"
    return ""


def vectors(labels: Labels, evidence: Evidence, value: int) -> Problem:
    rows, columns = evidence["rows"], evidence["columns"]
    if (len(rows), len(columns)) != (len(labels.concepts), len(labels.points)):
        return "each concept and each point has a vector"
    if any(len(vector) > value for vector in (*rows, *columns)):
        return f"a vector has more than {value} entries"
    if any(type(a) not in (int, Fraction) for vector in (*rows, *columns) for a in vector):
        return "entries are integers or fractions"  # products of floats are rounded, or nan
    for c, row in zip(labels.concepts, rows, strict=True):
        for x, column in zip(labels.points, columns, strict=True):
            product = sum(a * b for a, b in zip(row, column, strict=True))
            if not product or (product > 0) != labels.label(c, x):
                return f"the product for {to_text(c)} and {x!r} is {product}"
    return ""


def positive_neighbours(labels: Labels, evidence: Evidence, value: int) -> Problem:
    concept, concepts = evidence["concept"], evidence["concepts"]
    problem = labels.missing([concept, *concepts]) or _counted(concepts, value, "concepts")
    if problem:
        return problem
    for other in concepts:
        change = [x for x in labels.points if labels.label(other, x) != labels.label(concept, x)]
        if len(change) != 1 or labels.label(other, change[0]):
            return f"{to_text(other)} does not have one point less than {to_text(concept)}"
    return ""


def projected_neighbours(labels: Labels, evidence: Evidence, value: int) -> Problem:
    points, concept, concepts = evidence["points"], evidence["concept"], evidence["concepts"]
    if problem := _named(labels, points, [concept, *concepts]):
        return problem
    changes = []
    for other in concepts:
        change = [x for x in points if labels.label(other, x) != labels.label(concept, x)]
        if len(change) != 1:
            return f"{to_text(other)} does not differ from {to_text(concept)} at one of the points"
        changes += change
    return _counted(changes, value, "points at which one of these differs")


def _degrees(patterns: set[Pattern]) -> list[int]:
    def changed(p: Pattern, i: int) -> Pattern:
        return (*p[:i], 1 - p[i], *p[i + 1 :])

    return [sum(changed(p, i) in patterns for i in range(len(p))) for p in patterns]


def projected_degrees(labels: Labels, evidence: Evidence, value: int) -> Problem:
    points = evidence["points"]
    if problem := _named(labels, points):
        return problem
    least = min(_degrees(_shown(labels, points)))
    return f"a concept has {least} neighbours on these points" if least < value else ""


def projected_edges(labels: Labels, evidence: Evidence, value: Fraction) -> Problem:
    points = evidence["points"]
    if problem := _named(labels, points):
        return problem
    degrees = _degrees(_shown(labels, points))
    average = Fraction(sum(degrees), len(degrees))
    return f"the average degree on these points is {average}" if average < value else ""


# ---- teaching


def taught(labels: Labels, evidence: Evidence, value: int) -> Problem:
    points, concept = evidence["points"], evidence["concept"]
    if problem := _named(labels, points, [concept]) or _at_most(points, value, "points"):
        return problem
    own = _pattern(labels, concept, points)
    if any(c != concept and _pattern(labels, c, points) == own for c in labels.concepts):
        return f"these points do not tell {to_text(concept)} from all others"
    return ""


def _untaught(patterns: Collection[Pattern], value: int) -> Problem:
    """Whether none of some patterns is told from the others by fewer than `value` places."""
    if not value:
        return ""
    places = len(next(iter(patterns)))
    if value > places:
        return f"all {places} points tell what differs on them"
    _few_enough(places, value - 1, "teach a concept")
    for chosen in itertools.combinations(range(places), value - 1):
        seen = [tuple(p[i] for i in chosen) for p in patterns]
        if any(seen.count(part) == 1 for part in seen):
            return f"fewer than {value} of the points tell a concept from the others"
    return ""


def projected_untaught(labels: Labels, evidence: Evidence, value: int) -> Problem:
    points = evidence["points"]
    return _named(labels, points) or _untaught(_shown(labels, points), value)


def projected_core(labels: Labels, evidence: Evidence, value: int) -> Problem:
    points, concepts = evidence["points"], evidence["concepts"]
    if problem := _named(labels, points, concepts):
        return problem
    if not concepts:
        return "some concept is needed"
    return _untaught({_pattern(labels, c, points) for c in concepts}, value)


def _told_by_ones(labels: Labels, concept: Point, among: Iterable[Point], value: int) -> Problem:
    """Whether no fewer than `value` points with label 1 tell a concept from others."""
    if not value:
        return ""
    ones = [x for x in labels.points if labels.label(concept, x)]
    size = min(value - 1, len(ones))
    _few_enough(len(ones), size, "teach a concept")
    others = [c for c in among if c != concept]
    for points in itertools.combinations(ones, size):
        if not any(all(_pattern(labels, c, points)) for c in others):
            named = listed([to_text(x) for x in points])
            return f"the points {named} tell {to_text(concept)} from the others already"
    return ""


def positive_teaching(labels: Labels, evidence: Evidence, value: int) -> Problem:
    concept = evidence["concept"]
    if problem := labels.missing([concept]):
        return problem
    if value > len(labels.points) + 1:
        return f"it is at most {len(labels.points) + 1}"
    return _told_by_ones(labels, concept, labels.concepts, value)


def positive_core(labels: Labels, evidence: Evidence, value: int) -> Problem:
    concepts = evidence["concepts"]
    if problem := labels.missing(concepts):
        return problem
    if not concepts:
        return "some concept is needed"
    return next(filter(None, (_told_by_ones(labels, c, concepts, value) for c in concepts)), "")


def hitting(labels: Labels, evidence: Evidence, value: int) -> Problem:
    points = evidence["points"]
    if problem := _named(labels, points) or _at_most(points, value, "points"):
        return problem
    for c in labels.concepts:
        if any(_pattern(labels, c, labels.points)) and not any(_pattern(labels, c, points)):
            return f"{to_text(c)} is 1 at none of them"
    return ""


# ---- queries


def strategy(labels: Labels, evidence: Evidence, value: int, *, proper: bool = False) -> Problem:
    return _identifies(labels, evidence["strategy"], labels.concepts, value, proper)


def _identifies(
    labels: Labels, node: Any, left: Sequence[Point], queries: int, proper: bool
) -> Problem:
    """Whether a strategy identifies every concept that is left, with some number of queries."""
    if len(left) <= 1:
        return ""
    if not queries:
        return f"no query is left to tell {listed([to_text(c) for c in left])} apart"

    def side(x: Point, y: int) -> list[Point]:
        return [c for c in left if labels.label(c, x) == y]

    what, about, *answers = node
    if what == "ask":
        parts = [(side(about, y), answers[y]) for y in (0, 1)]
    elif what == "propose":
        if problem := labels.missing([about]) if proper else _no_labels(about):
            return problem
        proposed = _pattern(labels, about, labels.points) if proper else about
        known = dict(answers[0])
        # After the counterexample x, the concepts with the other label there are left.
        wrong = [(x, side(x, 1 - y)) for x, y in zip(labels.points, proposed, strict=True)]
        parts = [(part, known[x] if part else ()) for x, part in wrong]
    else:
        return f"a query is called 'ask' or 'propose'. Got {what!r:.60}"
    return next(
        filter(None, (_identifies(labels, then, c, queries - 1, proper) for c, then in parts)), ""
    )


def projected_queries(labels: Labels, evidence: Evidence, value: int) -> Problem:
    points = evidence["points"]
    if problem := _named(labels, points):
        return problem
    if value and _asked(frozenset(_shown(labels, points)), value - 1, {}):
        return f"{value - 1} membership queries suffice on these points"
    return ""


def _asked(left: frozenset[Pattern], queries: int, known: dict[Any, bool]) -> bool:
    """Whether some number of membership queries leaves one pattern, tried out."""
    if len(left) <= 1 or not queries:
        return len(left) <= 1
    if (left, queries) not in known:
        sides = (
            [frozenset(p for p in left if p[i] == y) for y in (0, 1)]
            for i in range(len(next(iter(left))))
        )
        known[left, queries] = any(
            all(_asked(side, queries - 1, known) for side in both) for both in sides if all(both)
        )
    return known[left, queries]


def majorities(labels: Labels, evidence: Evidence, value: int) -> Problem:
    sample = evidence["sample"]
    if len(sample) != value:
        return f"{value} counterexamples are needed, and these are {len(sample)}"
    if problem := labels.missing(points=[x for x, _ in sample]):
        return problem
    left: Sequence[Point] = labels.concepts
    for x, y in sample:
        agreeing = [c for c in left if labels.label(c, x) == y]
        if not agreeing or 2 * len(agreeing) > len(left):
            return f"{len(agreeing)} of {len(left)} concepts have the label {y} at {x!r}"
        left = agreeing
    return ""


# ---- sample compression


def scheme(labelled: bool, proper: bool, stable: bool) -> Callable[..., Problem]:
    """The check of a scheme of a kind."""
    return partial(_scheme, labelled=labelled, proper=proper, stable=stable)


def _table(labels: Labels) -> Table:
    rows = [_pattern(labels, c, labels.points) for c in labels.concepts]
    return Table(rows, domain=labels.points)


def _scheme(
    labels: Labels, evidence: Evidence, value: int, *, labelled: bool, proper: bool, stable: bool
) -> Problem:
    found = CompressionScheme(
        labelled,
        {frozenset(sample): frozenset(kept) for sample, kept in evidence["compressed"]},
        {frozenset(kept): tuple(rebuilt) for kept, rebuilt in evidence["rebuilt"]},
    )
    try:
        found.check(_table(labels), proper=proper, stable=stable)
    except BadCertificate as error:
        return str(error).rstrip(".")
    return f"{found.size} are kept of a sample" if found.size > value else ""


def order(labels: Labels, evidence: Evidence, value: int) -> Problem:
    return _rebuilt_in_order(labels, [tuple(each) for each in evidence["labellings"]], value)


def order_of_concepts(labels: Labels, evidence: Evidence, value: int) -> Problem:
    concepts = evidence["concepts"]
    if problem := labels.missing(concepts):
        return problem
    return _rebuilt_in_order(labels, [_pattern(labels, c, labels.points) for c in concepts], value)


def _rebuilt_in_order(labels: Labels, hypotheses: Sequence[Pattern], value: int) -> Problem:
    """Whether every sample has a few examples whose first hypothesis agrees with all of it."""
    n = len(labels.points)
    if any(len(h) != n for h in hypotheses):
        return f"a labelling has {n} labels"
    if problem := _no_labels(itertools.chain(*hypotheses)):
        return problem
    for size in range(n + 1):
        for places in itertools.combinations(range(n), size):
            for pattern in _shown(labels, [labels.points[i] for i in places]):
                sample = list(zip(places, pattern, strict=True))
                kept = itertools.combinations(sample, min(size, value))
                if not any(_first(hypotheses, part, sample) for part in kept):
                    described = [f"({to_text(labels.points[i])}, {y})" for i, y in sample]
                    return f"the sample {listed(described)} is not rebuilt"
    return ""


def _first(
    hypotheses: Sequence[Pattern], kept: Sequence[tuple[int, int]], sample: list[tuple[int, int]]
) -> bool:
    """Whether the first hypothesis that agrees with what is kept agrees with the sample."""
    for h in hypotheses:
        if all(h[i] == y for i, y in kept):
            return all(h[i] == y for i, y in sample)
    return False
