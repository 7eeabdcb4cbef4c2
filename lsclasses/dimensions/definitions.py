"""Definitions of dimensions, as functions that check the evidence of witnesses.

The definitions share no code with the searches that find the witnesses. Each function takes the
labels of a class, the parts of the evidence, and the claimed value. It returns the error in the
evidence, or an empty string.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from lsclasses.errors import TooLarge
from lsclasses.point_names import Point, name_text

MOST_SETS = 10**6
"""The largest number of sets of points that a check tries."""

FEW = 12
"""The largest number of printed names of a list."""

Problem = str
"""The error in some evidence as a string, which is empty if the evidence is correct."""


class Labels:
    """The labels of a class by the names of concepts and points, with a report of unknown names.

    Parameters
    ----------
    concepts, points : sequence of names
    labels : sequence of sequence of int
        A row for each concept.
    """

    def __init__(
        self, concepts: Sequence[Point], points: Sequence[Point], labels: Sequence[Sequence[int]]
    ) -> None:
        self.concepts, self.points = tuple(concepts), tuple(points)
        self._rows = {name: i for i, name in enumerate(concepts)}
        self._columns = {x: j for j, x in enumerate(points)}
        self._labels = labels

    def label(self, concept: Point, x: Point) -> int:
        """Return the label that a concept gives a point."""
        return int(self._labels[self._rows[concept]][self._columns[x]])

    def missing(self, concepts: Iterable[Point] = (), points: Iterable[Point] = ()) -> str:
        """Return a report of the first unknown concept or point, or "" if all are known."""
        for name in concepts:
            if name not in self._rows:
                return f"there is no concept {name!r}"
        for name in points:
            if name not in self._columns:
                return f"there is no point {name!r}"
        return ""

    def fits(self, sample: Sequence[tuple[Point, int]]) -> bool:
        """Return whether some concept agrees with all examples."""
        return any(all(self.label(c, x) == y for x, y in sample) for c in self.concepts)


Check = Callable[[Labels, Mapping[str, Any], Any], Problem]


def _counted(names: Sequence[Point], value: int, what: str) -> Problem:
    """Return the error if the names repeat or their number is wrong."""
    if len(set(names)) != len(names) or len(names) != value:
        return f"the evidence must have {value} different {what}. Got {len(set(names))}"
    return ""


def tree(labels: Labels, evidence: Mapping[str, Any], value: int) -> Problem:
    """Return the error in a shattered tree of depth `value`, or an empty string."""
    nodes = evidence["tree"]
    if problem := labels.missing(points=nodes):
        return problem
    if len(nodes) != 2**value - 1:
        return f"a tree of depth {value} has {2**value - 1} nodes. Got {len(nodes)}"
    for branch in itertools.product((0, 1), repeat=value):
        node, sample = 0, []
        for y in branch:
            sample.append((nodes[node], y))
            node = 2 * node + 1 + y
        if not labels.fits(sample):
            return f"no concept follows the branch {branch}"
    return ""


def shattered(labels: Labels, evidence: Mapping[str, Any], value: int) -> Problem:
    """Return the error in a shattered set of `value` points, or an empty string."""
    points = evidence["points"]
    if problem := labels.missing(points=points) or _counted(points, value, "points"):
        return problem
    for pattern in itertools.product((0, 1), repeat=value):
        if not labels.fits(list(zip(points, pattern, strict=True))):
            return f"no concept has the labels {pattern} at these points"
    return ""


def dual_tree(labels: Labels, evidence: Mapping[str, Any], value: int) -> Problem:
    """Return the error in a shattered tree of the dual class, or an empty string."""
    return tree(_dual(labels), evidence, value)


def dual_shattered(labels: Labels, evidence: Mapping[str, Any], value: int) -> Problem:
    """Return the error in a set of concepts that the dual class shatters, or an empty string."""
    return shattered(_dual(labels), {"points": evidence["concepts"]}, value)


def _dual(labels: Labels) -> Labels:
    columns = list(zip(*labels._labels, strict=True))
    return Labels(labels.points, labels.concepts, columns)


def thresholds(labels: Labels, evidence: Mapping[str, Any], value: int) -> Problem:
    """Return the error in evidence for `value` thresholds, or an empty string.

    The evidence lists points and concepts. Concept i must label point j with 1 if and only if
    i <= j.
    """
    points, concepts = evidence["points"], evidence["concepts"]
    if problem := labels.missing(concepts, points):
        return problem
    if len(points) != value or len(concepts) != value:
        return f"the evidence must have {value} points and as many concepts"
    for i, concept in enumerate(concepts):
        for j, x in enumerate(points):
            if labels.label(concept, x) != (i <= j):
                return (
                    f"concept {name_text(concept)} has label {labels.label(concept, x)} at the "
                    f"point {x!r}, where it must be {int(i <= j)}"
                )
    return ""


def star(labels: Labels, evidence: Mapping[str, Any], value: int) -> Problem:
    """Return the error in a star with `value` points, or an empty string."""
    points, centre, concepts = evidence["points"], evidence["centre"], evidence["concepts"]
    if problem := labels.missing([centre, *concepts], points) or _counted(points, value, "points"):
        return problem
    if len(concepts) != value:
        return f"the evidence must have {value} concepts. Got {len(concepts)}"
    for i, concept in enumerate(concepts):
        for j, x in enumerate(points):
            if (labels.label(concept, x) != labels.label(centre, x)) != (i == j):
                return (
                    f"concept {name_text(concept)} must differ from the centre exactly at the "
                    f"point {points[i]!r}, but not so at {x!r}"
                )
    return ""


def hollow_star(labels: Labels, evidence: Mapping[str, Any], value: int) -> Problem:
    """Return the error in a hollow star with `value` points, or an empty string."""
    sample = list(evidence["sample"])
    if value == 0:
        return "" if not sample else "the value is 0, so the sample must be empty"
    points = [x for x, _ in sample]
    if problem := labels.missing(points=points) or _counted(points, value, "points"):
        return problem
    if labels.fits(sample):
        return "some concept agrees with the sample"
    for i, (x, y) in enumerate(sample):
        if not labels.fits([*sample[:i], (x, 1 - y), *sample[i + 1 :]]):
            return f"no concept agrees with the sample with the other label at {x!r}"
    return ""


def teaching(labels: Labels, evidence: Mapping[str, Any], value: int) -> Problem:
    """Return the error in a smallest teaching set of `value` points, or an empty string."""
    concept, points = evidence["concept"], evidence["points"]
    if problem := labels.missing([concept], points) or _counted(points, value, "points"):
        return problem
    if not _teaches(labels, concept, labels.concepts, points):
        return f"these points do not distinguish {name_text(concept)} from all other concepts"
    return _fewer(labels, concept, labels.concepts, value)


def recursive_teaching(labels: Labels, evidence: Mapping[str, Any], value: int) -> Problem:
    """Return the error in concepts that prove the order `value` of teaching plans, or "".

    Each concept needs at least `value` points to be distinguished from the other given concepts.
    """
    concepts = evidence["concepts"]
    if problem := labels.missing(concepts):
        return problem
    if not concepts:
        return "the evidence must have at least one concept"
    problems = (_fewer(labels, concept, concepts, value) for concept in concepts)
    return next(filter(None, problems), "")


def _teaches(
    labels: Labels, concept: Point, among: Iterable[Point], points: Sequence[Point]
) -> bool:
    return all(
        other == concept or any(labels.label(other, x) != labels.label(concept, x) for x in points)
        for other in among
    )


def _few_enough(points: int, size: int, what: str) -> None:
    """Raise `TooLarge` if there are too many sets of this size to try all of them."""
    sets = math.comb(points, size)
    if sets > MOST_SETS:
        raise TooLarge(
            f"A check that no {size} points {what} tries {sets} sets. The limit is {MOST_SETS}.",
            estimate=sets,
            limit=MOST_SETS,
        )


def _fewer(labels: Labels, concept: Point, among: Sequence[Point], value: int) -> Problem:
    """Return the error if `value` - 1 points distinguish a concept from all others."""
    size = value - 1
    if size < 0:
        return ""
    if size > len(labels.points):
        return (
            f"the domain has only {len(labels.points)} points, and together they distinguish "
            "concepts"
        )
    _few_enough(len(labels.points), size, "teach a concept")
    for points in itertools.combinations(labels.points, size):
        if _teaches(labels, concept, among, points):
            named = listed([name_text(x) for x in points])
            told = name_text(concept)
            return f"the points {named} already distinguish {told} from all other concepts"
    return ""


def _differing(labels: Labels, c: Point, d: Point) -> int:
    """Return the number of points at which two concepts differ."""
    return sum(labels.label(c, x) != labels.label(d, x) for x in labels.points)


def neighbours(labels: Labels, evidence: Mapping[str, Any], value: int) -> Problem:
    """Return the error in a concept with `value` neighbours, or an empty string."""
    concept, concepts = evidence["concept"], evidence["concepts"]
    problem = labels.missing([concept, *concepts]) or _counted(concepts, value, "concepts")
    if problem:
        return problem
    for other in concepts:
        if _differing(labels, concept, other) != 1:
            return f"{name_text(other)} must differ from {name_text(concept)} at exactly one point"
    return ""


def _part(labels: Labels, evidence: Mapping[str, Any]) -> tuple[Problem, list[int]]:
    """Return the error in a list of concepts, and the number of neighbours of each within it."""
    concepts = evidence["concepts"]
    if problem := labels.missing(concepts) or _counted(concepts, len(concepts), "concepts"):
        return problem, []
    if not concepts:
        return "the evidence must have at least one concept", []
    return "", [sum(_differing(labels, c, d) == 1 for d in concepts) for c in concepts]


def degenerate(labels: Labels, evidence: Mapping[str, Any], value: int) -> Problem:
    """Return the error in a subgraph of minimum degree `value`, or an empty string."""
    problem, degrees = _part(labels, evidence)
    if not problem and min(degrees) < value:
        return f"one of these concepts has {min(degrees)} neighbours among them"
    return problem


def dense(labels: Labels, evidence: Mapping[str, Any], value: Fraction) -> Problem:
    """Return the error in a subgraph of density `value`, or an empty string."""
    problem, degrees = _part(labels, evidence)
    if not problem and sum(degrees) < 2 * value * len(degrees):
        return f"these {len(degrees)} concepts have {sum(degrees) // 2} pairs of neighbours"
    return problem


def eluding(labels: Labels, evidence: Mapping[str, Any], value: int) -> Problem:
    """Return the error in an eluder sequence of length `value`, or an empty string."""
    points, target, concepts = evidence["points"], evidence["target"], evidence["concepts"]
    problem = labels.missing([target, *concepts], points) or _counted(points, value, "points")
    if problem:
        return problem
    if len(concepts) != value:
        return f"the evidence must have {value} concepts. Got {len(concepts)}"
    for i, concept in enumerate(concepts):
        for j, x in enumerate(points[: i + 1]):
            if (labels.label(concept, x) != labels.label(target, x)) != (i == j):
                return (
                    f"concept {name_text(concept)} must differ from the target at the point "
                    f"{points[i]!r} and at no earlier point, but not so at {x!r}"
                )
    return ""


def antipodal(labels: Labels, evidence: Mapping[str, Any], value: int) -> Problem:
    """Return the error in an antipodally shattered set of `value` points, or an empty string."""
    points = evidence["points"]
    if problem := labels.missing(points=points) or _counted(points, value, "points"):
        return problem
    for pattern in itertools.product((0, 1), repeat=value):
        complement = [1 - y for y in pattern]
        if not any(labels.fits(list(zip(points, ys, strict=True))) for ys in (pattern, complement)):
            return (
                f"no concept has the labels {pattern} at these points, and no concept has the "
                "complement"
            )
    return ""


def unspecified(labels: Labels, evidence: Mapping[str, Any], value: int) -> Problem:
    """Return the error in a labelling that fewer than `value` points do not specify, or "".

    Points specify a labelling if at most one concept agrees with the labelling on the points.
    """
    sample = list(evidence["sample"])
    points = [x for x, _ in sample]
    total = len(labels.points)
    if problem := labels.missing(points=points) or _counted(points, total, "points"):
        return problem
    if value == 0:
        return ""
    _few_enough(total, value - 1, "specify a labelling")
    for part in itertools.combinations(sample, min(value - 1, total)):
        agreeing = sum(all(labels.label(c, x) == y for x, y in part) for c in labels.concepts)
        if agreeing <= 1:
            named = listed([name_text(x) for x, _ in part])
            return f"at most one concept agrees with the labelling at {named}"
    return ""


def listed(names: Sequence[str]) -> str:
    """Return some names, separated by commas. A long list is cut after its first names."""
    if not names:
        return "none"
    more = f", ... ({len(names)} in all)" if len(names) > FEW else ""
    return ", ".join(names[:FEW]) + more
