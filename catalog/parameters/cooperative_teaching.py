"""Numbers of examples if the learner draws conclusions from the teacher's choice of examples."""

from __future__ import annotations

import itertools

from catalog.parameters.base import (
    PROJECTED,
    Named,
    Numbers,
    Parts,
    evidence,
    parameter,
    pattern_on,
    subsets,
)
from catalog.parameters.teaching import teaching_size
from lsclasses.dimensions.definitions import Labels, Problem, _few_enough
from lsclasses.point_names import Point, name_text

# ---- samples that are too large for other concepts


def balbach_sizes(numbers: Numbers, points: int) -> dict[int, int]:
    """Return the size of a smallest sample that teaches each concept, after the last round."""
    sizes = {c: teaching_size(c, numbers, points) for c in numbers}
    while True:
        smaller = {
            c: min(
                s.bit_count()
                for s in subsets(points)
                if all((c ^ d) & s or sizes[d] < s.bit_count() for d in numbers if d != c)
            )
            for c in numbers
        }
        if smaller == sizes:
            return sizes
        sizes = smaller


@parameter(
    "Balbach teaching dimension",
    "BTD",
    PROJECTED,
    reference="Balbach 2008; Zilles, Lange, Holte and Zinkevich 2011",
)
def balbach_teaching_dim(numbers: Numbers, points: int) -> int:
    """The largest size of a concept, over all concepts, at the end of the following rounds. At
    first, the size of a concept is the least number of points whose labels distinguish it from all
    other concepts. A round replaces the size of each concept by the least k for which some k points
    distinguish it from all other concepts of size at least k. The rounds end when no size changes.

    A learner excludes a concept if fewer examples would teach it. A teacher that relies on this
    learner needs fewer examples in the next round.
    """
    return max(balbach_sizes(numbers, points).values())


# ---- searches for witnesses


def find_balbach(C: Named, value: int) -> Parts:
    sizes = balbach_sizes(C.numbers, C.n)
    return {"concept": C.concept(next(c for c in C.rows if sizes[c] == value))}


# ---- checks of witnesses


def check_balbach(labels: Labels, parts: Parts, value: int) -> Problem:
    concept = parts["concept"]
    if problem := labels.missing([concept]):
        return problem
    size = _sizes_by_rounds(labels)[concept]
    return f"{size} points teach {name_text(concept)}" if size < value else ""


def _sizes_by_rounds(labels: Labels) -> dict[Point, int]:
    """Return the sizes of all concepts after the last round, by the definition."""
    points, concepts = labels.points, labels.concepts
    _few_enough(len(points), len(points) // 2, "teach a concept")
    sets = [s for k in range(len(points) + 1) for s in itertools.combinations(points, k)]

    def size_after(c: Point, sizes: dict[Point, int]) -> int:
        for s in sets:
            agreeing = [d for d in concepts if pattern_on(labels, d, s) == pattern_on(labels, c, s)]
            if all(d == c or sizes[d] < len(s) for d in agreeing):
                return len(s)
        raise AssertionError("all points distinguish a concept from all other concepts")

    # No concept is excluded in the first round.
    sizes = dict.fromkeys(concepts, len(points) + 1)
    while (after := {c: size_after(c, sizes) for c in concepts}) != sizes:
        sizes = after
    return sizes


# ---- the parts of witnesses


evidence(
    "balbach_teaching_dim",
    "a concept whose size is at least n at the end of the rounds (n is the value)",
    find_balbach,
    check_balbach,
)
