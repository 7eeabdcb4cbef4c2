"""Laws by which adversaries draw random points: a class's own, uniform, balanced in the labels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, get_args

import numpy as np

from lsclasses.concept_class import ConceptClass
from lsclasses.errors import InvalidInput
from lsclasses.hypothesis import Hypothesis
from lsclasses.points import Point

PointLaw = Literal["class", "uniform", "balanced"]
"""How random points are drawn; see `RandomConcept`."""

LISTED_UP_TO = 1 << 12
"""On domains of at most this many points, those of a label are listed."""
TRIES = 64
"""How often a point of the wanted label is tried for on larger domains."""

_LAW_WORDS = {"class": "random", "uniform": "uniform", "balanced": "balanced"}


def _point_law(
    C: ConceptClass, concept: Hypothesis, law: PointLaw, rng: np.random.Generator
) -> Callable[[], Point]:
    """Draws one random point after the other."""
    domain = C.domain
    if law == "class":
        return lambda: C._sample_point(rng, concept)
    if law == "uniform":
        return lambda: domain.sample(rng)
    if domain.size is not None and domain.size <= LISTED_UP_TO:
        of_label: list[list[Point]] = [[], []]
        for x in domain:
            of_label[concept._label(x)].append(x)
        sides = [points for points in of_label if points]

        def listed() -> Point:
            points = sides[int(rng.integers(len(sides)))]
            return points[int(rng.integers(len(points)))]

        return listed

    def tried() -> Point:
        wanted = int(rng.integers(2))
        x = C._sample_point(rng, concept)
        for _ in range(TRIES):
            if concept._label(x) == wanted:
                break
            x = C._sample_point(rng, concept)
        return x

    return tried


def _checked_law(law: PointLaw) -> PointLaw:
    if law not in get_args(PointLaw):
        raise InvalidInput(
            f"Random points are drawn by one of the laws {', '.join(get_args(PointLaw))}. "
            f"Got {law!r}."
        )
    return law


def _checked_class(C: object) -> ConceptClass:
    if not isinstance(C, ConceptClass):
        raise InvalidInput(f"An adversary needs a concept class. Got {C!r}.")
    if C.is_empty:
        raise InvalidInput("An adversary needs a class with at least one concept. Got none.")
    return C
