"""Witnesses: the set or sequence that shows how large a dimension is at least, and its check.

A search finds a witness; the check is the definition read off the labels, point by point, and
shares nothing with the search. What a witness of each dimension is stands in `EVIDENCE`.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from lsclasses.errors import BadCertificate, InvalidInput, TooLarge
from lsclasses.json_text import damaged
from lsclasses.points import Point, to_json, to_text

if TYPE_CHECKING:
    from lsclasses.concept_class import ConceptClass
    from lsclasses.table import Table

MOST_SETS = 10**6
"""Up to so many sets of points are tried, one after the other, by a check."""

SINGLE = ("centre", "concept", "target")
"""The parts of the evidence that are one name; the others are lists."""

FEW = 12
"""So many names of a list are printed."""

EVIDENCE = {
    "ldim": "the points of a complete tree, breadth first; the children of the i-th, counted from "
    "0, are 2 i + 1 (label 0) and 2 i + 2 (label 1), and every branch is followed by a concept",
    "vcdim": "points on which every labelling is induced",
    "dual_ldim": "the same as for ldim, with concepts for points and points for concepts",
    "dual_vcdim": "concepts that have every pattern of labels at some point",
    "threshold_dim": "points x_1, x_2, ... and concepts h_1, h_2, ... with h_i(x_j) = 1 iff i <= j",
    "star_number": "points, a centre and concepts, the i-th of which differs from the centre "
    "among these points at the i-th only",
    "hollow_star_number": "a sample that no concept fits, although every sample that differs from "
    "it in one label is fitted by one",
    "teaching_dim": "a concept, with a least set of points whose labels tell it from all others",
    "recursive_teaching_dim": "concepts, none of which fewer points tell from the rest of them",
    "max_degree": "a concept, with as many others that differ from it at one point only",
    "degeneracy": "concepts, each of which has as many neighbours among them",
    "density": "concepts, with as many pairs of neighbours for each of them",
    "eluder_dim": "points, a target and concepts, the i-th of which differs from the target at the "
    "i-th point, but at none of the points before",
    "antipodal_shattering_dim": "points; of each labelling of them and its complement one is "
    "induced",
    "extended_teaching_dim": "a sample of all points such that at least two concepts agree with "
    "each part of it that has fewer examples",
}
"""What the evidence is, by dimension."""


Problem = str
"""What is wrong; empty if nothing is."""


@dataclass(frozen=True)
class Witness:
    """What shows that a dimension of a class is at least `value`.

    Parameters
    ----------
    dimension : str
    value : int or Fraction
    evidence : mapping of str to tuple or name
        As `EVIDENCE` says; concepts are called as the class calls them, by their positions if it
        has no names for them.

    Examples
    --------
    >>> from lsclasses import Table
    >>> C = Table([[0, 0, 0], [0, 0, 1], [0, 1, 1], [1, 1, 1]], domain="abc")
    >>> witness = C.witness("threshold_dim")
    >>> print(witness)
    threshold_dim >= 3: points a, b, c; concepts 3, 2, 1
    >>> witness.verify(C)
    >>> Witness("threshold_dim", 2, {"points": "ab", "concepts": (1, 3)}).verify(C)
    Traceback (most recent call last):
        ...
    lsclasses.errors.BadCertificate: This is no witness of threshold_dim >= 2: concept 1 has ...
    """

    dimension: str
    value: int | Fraction
    evidence: Mapping[str, Any]

    def verify(self, C: ConceptClass) -> None:
        """Check the evidence against the definition, from the labels of the class alone.

        Parameters
        ----------
        C : ConceptClass

        Raises
        ------
        BadCertificate
            If it does not show what it says.
        TooLarge
            If C cannot be written out, or the definition speaks of more than a million sets.
        """
        require_witness(self.dimension)
        problem = self._malformed()
        if not problem:
            # What is gone through twice must not be an iterator, empty the second time.
            evidence = {
                name: part if name in SINGLE else tuple(part)
                for name, part in self.evidence.items()
            }
            try:
                problem = CHECKS[self.dimension](_Labels(C.to_table()), evidence, self.value)
            except (LookupError, TypeError, ValueError) as error:
                problem = damaged(error)
        if problem:
            raise BadCertificate(f"This is no witness of {self._claim}: {problem}.")

    def _malformed(self) -> Problem:
        """What is wrong with the form of the claim and the evidence."""
        kinds = (int, Fraction) if self.dimension == "density" else (int,)
        if type(self.value) not in kinds or self.value < 0:
            kind = "a fraction" if len(kinds) > 1 else "an integer"
            return f"the value must be {kind} of at least 0"
        if not isinstance(self.evidence, Mapping):
            return f"the evidence is a mapping from what it is to names. Got {self.evidence!r:.99}"
        for name, part in self.evidence.items():
            if name not in SINGLE and not isinstance(part, Iterable):
                return f"{name} must be a list. Got {part!r:.99}"
        return ""

    @property
    def _claim(self) -> str:
        return f"{self.dimension} >= {self.value}"

    def __str__(self) -> str:
        parts = "; ".join(_shown(name, part) for name, part in self.evidence.items())
        return f"{self._claim}: {parts}"

    def to_json(self) -> dict[str, Any]:
        """The dimension, the value, and the evidence with names as in files."""
        return {
            "dimension": self.dimension,
            "value": self.value if isinstance(self.value, int) else str(self.value),
            "evidence": {name: to_json(part) for name, part in self.evidence.items()},
        }


def require_witness(dimension: str) -> None:
    """Raise `InvalidInput` if there are no witnesses of a dimension."""
    if dimension not in EVIDENCE:
        raise InvalidInput(
            f"There are witnesses of {', '.join(EVIDENCE)}. Got {dimension!r}: no set or sequence "
            "of points and concepts alone shows how large that is."
        )


def _shown(name: str, part: Any) -> str:
    if name in SINGLE:
        return f"{name} {to_text(part)}"
    if name == "sample":
        return f"{name} {_short([f'({to_text(x)}, {y})' for x, y in part])}"
    return f"{name} {_short([to_text(each) for each in part])}"


def _short(names: Sequence[str]) -> str:
    if not names:
        return "none"
    more = f", ... ({len(names)} in all)" if len(names) > FEW else ""
    return ", ".join(names[:FEW]) + more


# ---- definitions, read off the labels


class _Labels:
    """The labels of a class by the names of concepts and points; wrong names are said to be so."""

    def __init__(self, table: Table) -> None:
        self.points = table.points
        self.concepts = tuple(table.concept_name(i) for i in range(len(table)))
        self._columns = {x: j for j, x in enumerate(self.points)}
        self._rows = {name: i for i, name in enumerate(self.concepts)}
        self._labels = table.labels.tolist()

    def label(self, concept: Point, x: Point) -> int:
        return int(self._labels[self._rows[concept]][self._columns[x]])

    def missing(self, concepts: Iterable[Point] = (), points: Iterable[Point] = ()) -> str:
        """What is no name of a concept, or of a point, if there is something."""
        for name in concepts:
            if name not in self._rows:
                return f"there is no concept {name!r}"
        for name in points:
            if name not in self._columns:
                return f"there is no point {name!r}"
        return ""

    def fits(self, sample: Sequence[tuple[Point, int]]) -> bool:
        return any(all(self.label(c, x) == y for x, y in sample) for c in self.concepts)


Check = Callable[[_Labels, Mapping[str, Any], Any], Problem]


def _counted(names: Sequence[Point], value: int, what: str) -> Problem:
    """Whether there are as many different names as there have to be."""
    if len(set(names)) != len(names) or len(names) != value:
        return f"{value} different {what} are needed, and these are {len(set(names))}"
    return ""


def _tree(labels: _Labels, evidence: Mapping[str, Any], value: int) -> Problem:
    nodes = evidence["tree"]
    if problem := labels.missing(points=nodes):
        return problem
    if len(nodes) != 2**value - 1:
        return f"a tree of depth {value} has {2**value - 1} nodes, and these are {len(nodes)}"
    for branch in itertools.product((0, 1), repeat=value):
        node, sample = 0, []
        for y in branch:
            sample.append((nodes[node], y))
            node = 2 * node + 1 + y
        if not labels.fits(sample):
            return f"no concept follows the branch {branch}"
    return ""


def _shattered(labels: _Labels, evidence: Mapping[str, Any], value: int) -> Problem:
    points = evidence["points"]
    if problem := labels.missing(points=points) or _counted(points, value, "points"):
        return problem
    for pattern in itertools.product((0, 1), repeat=value):
        if not labels.fits(list(zip(points, pattern, strict=True))):
            return f"no concept has the labels {pattern} there"
    return ""


def _dual_tree(labels: _Labels, evidence: Mapping[str, Any], value: int) -> Problem:
    return _tree(_dual(labels), evidence, value)


def _dual_shattered(labels: _Labels, evidence: Mapping[str, Any], value: int) -> Problem:
    return _shattered(_dual(labels), {"points": evidence["concepts"]}, value)


def _dual(labels: _Labels) -> _Labels:
    turned = _Labels.__new__(_Labels)
    turned.points, turned.concepts = labels.concepts, labels.points
    turned._rows, turned._columns = labels._columns, labels._rows
    turned._labels = [list(column) for column in zip(*labels._labels, strict=True)]
    return turned


def _thresholds(labels: _Labels, evidence: Mapping[str, Any], value: int) -> Problem:
    points, concepts = evidence["points"], evidence["concepts"]
    if problem := labels.missing(concepts, points):
        return problem
    if len(points) != value or len(concepts) != value:
        return f"{value} points and as many concepts are needed"
    for i, concept in enumerate(concepts):
        for j, x in enumerate(points):
            if labels.label(concept, x) != (i <= j):
                return (
                    f"concept {to_text(concept)} has label {labels.label(concept, x)} at the "
                    f"point {x!r}, where it must be {int(i <= j)}"
                )
    return ""


def _star(labels: _Labels, evidence: Mapping[str, Any], value: int) -> Problem:
    points, centre, concepts = evidence["points"], evidence["centre"], evidence["concepts"]
    if problem := labels.missing([centre, *concepts], points) or _counted(points, value, "points"):
        return problem
    if len(concepts) != value:
        return f"{value} concepts are needed, and these are {len(concepts)}"
    for i, concept in enumerate(concepts):
        for j, x in enumerate(points):
            if (labels.label(concept, x) != labels.label(centre, x)) != (i == j):
                return (
                    f"concept {to_text(concept)} must differ from the centre at the point "
                    f"{points[i]!r} only, and at {x!r} that is not so"
                )
    return ""


def _hollow_star(labels: _Labels, evidence: Mapping[str, Any], value: int) -> Problem:
    sample = list(evidence["sample"])
    if value == 0:
        return "" if not sample else "nothing is claimed, and there is a sample"
    points = [x for x, _ in sample]
    if problem := labels.missing(points=points) or _counted(points, value, "points"):
        return problem
    if labels.fits(sample):
        return "a concept fits the sample"
    for i, (x, y) in enumerate(sample):
        if not labels.fits([*sample[:i], (x, 1 - y), *sample[i + 1 :]]):
            return f"no concept fits the sample with the other label at {x!r}"
    return ""


def _teaching(labels: _Labels, evidence: Mapping[str, Any], value: int) -> Problem:
    concept, points = evidence["concept"], evidence["points"]
    if problem := labels.missing([concept], points) or _counted(points, value, "points"):
        return problem
    if not _teaches(labels, concept, labels.concepts, points):
        return f"these points do not tell {to_text(concept)} from all others"
    return _fewer(labels, concept, labels.concepts, value)


def _recursive_teaching(labels: _Labels, evidence: Mapping[str, Any], value: int) -> Problem:
    concepts = evidence["concepts"]
    if problem := labels.missing(concepts):
        return problem
    if not concepts:
        return "some concept is needed"
    problems = (_fewer(labels, concept, concepts, value) for concept in concepts)
    return next(filter(None, problems), "")


def _teaches(
    labels: _Labels, concept: Point, among: Iterable[Point], points: Sequence[Point]
) -> bool:
    return all(
        other == concept or any(labels.label(other, x) != labels.label(concept, x) for x in points)
        for other in among
    )


def _few_enough(points: int, size: int, what: str) -> None:
    """Raise `TooLarge` if there are too many sets of that size to try them all."""
    sets = math.comb(points, size)
    if sets > MOST_SETS:
        raise TooLarge(
            f"A check that no {size} points {what} tries {sets} sets; the limit is {MOST_SETS}.",
            estimate=sets,
            limit=MOST_SETS,
        )


def _fewer(labels: _Labels, concept: Point, among: Sequence[Point], value: int) -> Problem:
    """Whether fewer points than `value` tell a concept from others; one point less decides."""
    size = value - 1
    if size < 0:
        return ""
    if size > len(labels.points):
        return f"there are {len(labels.points)} points only, and so many tell concepts apart"
    _few_enough(len(labels.points), size, "teach a concept")
    for points in itertools.combinations(labels.points, size):
        if _teaches(labels, concept, among, points):
            named = _short([to_text(x) for x in points])
            return f"the points {named} tell {to_text(concept)} from the others already"
    return ""


def _differing(labels: _Labels, c: Point, d: Point) -> int:
    """At how many points two concepts differ."""
    return sum(labels.label(c, x) != labels.label(d, x) for x in labels.points)


def _neighbours(labels: _Labels, evidence: Mapping[str, Any], value: int) -> Problem:
    concept, concepts = evidence["concept"], evidence["concepts"]
    problem = labels.missing([concept, *concepts]) or _counted(concepts, value, "concepts")
    if problem:
        return problem
    for other in concepts:
        if _differing(labels, concept, other) != 1:
            return f"{to_text(other)} does not differ from {to_text(concept)} at one point only"
    return ""


def _part(labels: _Labels, evidence: Mapping[str, Any]) -> tuple[Problem, list[int]]:
    """What is wrong with a list of concepts, and how many neighbours each has in it."""
    concepts = evidence["concepts"]
    if problem := labels.missing(concepts) or _counted(concepts, len(concepts), "concepts"):
        return problem, []
    if not concepts:
        return "some concept is needed", []
    return "", [sum(_differing(labels, c, d) == 1 for d in concepts) for c in concepts]


def _degenerate(labels: _Labels, evidence: Mapping[str, Any], value: int) -> Problem:
    problem, degrees = _part(labels, evidence)
    if not problem and min(degrees) < value:
        return f"one of these concepts has {min(degrees)} neighbours among them"
    return problem


def _dense(labels: _Labels, evidence: Mapping[str, Any], value: Fraction) -> Problem:
    problem, degrees = _part(labels, evidence)
    if not problem and sum(degrees) < 2 * value * len(degrees):
        return f"of these {len(degrees)} concepts {sum(degrees) // 2} pairs are neighbours"
    return problem


def _eluding(labels: _Labels, evidence: Mapping[str, Any], value: int) -> Problem:
    points, target, concepts = evidence["points"], evidence["target"], evidence["concepts"]
    problem = labels.missing([target, *concepts], points) or _counted(points, value, "points")
    if problem:
        return problem
    if len(concepts) != value:
        return f"{value} concepts are needed, and these are {len(concepts)}"
    for i, concept in enumerate(concepts):
        for j, x in enumerate(points[: i + 1]):
            if (labels.label(concept, x) != labels.label(target, x)) != (i == j):
                return (
                    f"concept {to_text(concept)} must differ from the target at the point "
                    f"{points[i]!r} and at none before, and at {x!r} that is not so"
                )
    return ""


def _antipodal(labels: _Labels, evidence: Mapping[str, Any], value: int) -> Problem:
    points = evidence["points"]
    if problem := labels.missing(points=points) or _counted(points, value, "points"):
        return problem
    for pattern in itertools.product((0, 1), repeat=value):
        complement = [1 - y for y in pattern]
        if not any(labels.fits(list(zip(points, ys, strict=True))) for ys in (pattern, complement)):
            return f"no concept has the labels {pattern} there, and none has all others"
    return ""


def _unspecified(labels: _Labels, evidence: Mapping[str, Any], value: int) -> Problem:
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
            named = _short([to_text(x) for x, _ in part])
            return f"at most one concept agrees with it at {named}"
    return ""


CHECKS: dict[str, Check] = {
    "ldim": _tree,
    "vcdim": _shattered,
    "dual_ldim": _dual_tree,
    "dual_vcdim": _dual_shattered,
    "threshold_dim": _thresholds,
    "star_number": _star,
    "hollow_star_number": _hollow_star,
    "teaching_dim": _teaching,
    "recursive_teaching_dim": _recursive_teaching,
    "max_degree": _neighbours,
    "degeneracy": _degenerate,
    "density": _dense,
    "eluder_dim": _eluding,
    "antipodal_shattering_dim": _antipodal,
    "extended_teaching_dim": _unspecified,
}
"""The definition that evidence has to meet, by dimension."""
