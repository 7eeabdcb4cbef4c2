"""What a learner from samples is tested on: for each concept all distributions that it labels.

Concepts that an automorphism maps to each other have the same worst case, as the learner is
invariant: one of each orbit is enough. Where points may be exchanged without changing the concept
or the class, so may their probabilities, and distributions that decrease along such points are
enough. They are a simplex again: its corners are, for each block of such points, the uniform laws
on the first k of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import lcm
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from learners.optimal.forms import Simplex
from learners.optimal.samples import SampleProblem
from learners.optimal.symmetries import image, orbits

Labelling = Literal["realizable", "agnostic"]


@dataclass(frozen=True)
class ConceptCase:
    """One concept, and the distributions over some examples.

    Parameters
    ----------
    question : Question
    concept : int
        Its number.
    supported : tuple of int
        The examples of the distributions: those that the concept labels, or, agnostic, all.

    Examples
    --------
    A learner of points that always answers 0 everywhere errs with the probability of the point:

    >>> asked = SampleProblem(((1, 0, 0), (0, 1, 0), (0, 0, 1)), 1, "any")
    >>> case = next(cases(asked, "realizable"))
    >>> case.supported, case.corners
    ((1, 2, 4), ((2, 0, 0), (0, 2, 0), (0, 1, 1)))
    """

    question: SampleProblem
    concept: int
    supported: tuple[int, ...]

    @cached_property
    def simplex(self) -> Simplex:
        """The simplex of their distributions, for forms of degree m + 1."""
        return Simplex(len(self.supported), self.question.rows + 1)

    @cached_property
    def corners(self) -> tuple[tuple[int, ...], ...] | None:
        """The corners of the part of the simplex that is enough, with one sum of weights.

        None if that is the whole simplex.
        """
        if len(self.supported) > self.question.points:
            return None
        blocks: list[list[int]] = []
        for x in range(self.question.points):
            block = next((each for each in blocks if self._exchangeable(each[0], x)), None)
            if block is None:
                blocks.append([x])
            else:
                block.append(x)
        if len(blocks) == self.question.points:
            return None
        whole = lcm(*(k for block in blocks for k in range(1, len(block) + 1)))
        return tuple(
            tuple(whole // k if x in block[:k] else 0 for x in range(self.question.points))
            for block in blocks
            for k in range(1, len(block) + 1)
        )

    def _exchangeable(self, x: int, z: int) -> bool:
        """Whether exchanging two points, with the labels that the concept has, keeps the class."""
        labels, points = self.question.concepts[self.concept], range(self.question.points)
        to = tuple({x: z, z: x}.get(point, point) for point in points)
        flip = labels[x] ^ labels[z]
        flips = tuple(flip if point in (x, z) else 0 for point in points)
        concepts = frozenset(self.question.concepts)
        return all(image((to, flips), c) in concepts for c in concepts)

    def form(self, errors: NDArray[Any], total: float) -> tuple[NDArray[Any], Any]:
        """The Bernstein coefficients of the error above the concept's, and their unit.

        Parameters
        ----------
        errors : array, shape (samples, examples)
            How likely an error on each test example is, times `total`: floats or Python integers.
        """
        samples, simplex = self.question.samples, self.simplex
        members = np.array(self.supported)[simplex.multisets.members]
        labels = self.question.concepts[self.concept]
        own = np.array([int(labels[z // 2] != z % 2) for z in range(self.question.examples)])
        found = np.zeros(len(members), dtype=errors.dtype)
        for place in range(simplex.degree):
            last = members[:, place]
            found += errors[samples.index(np.delete(members, place, axis=1)), last]
            found -= own[last] * total
        unit: Any = total * simplex.degree
        if self.corners is not None:
            found = simplex.on_corners(found, self.corners)
            unit *= sum(self.corners[0]) ** simplex.degree
        return found, unit

    def probabilities(self, at: NDArray[np.float64]) -> NDArray[np.float64]:
        """The distribution with these weights of the corners."""
        if self.corners is None:
            return at
        found: NDArray[np.float64] = at @ np.array(self.corners) / sum(self.corners[0])
        return found


def cases(question: SampleProblem, labels: Labelling) -> Iterator[ConceptCase]:
    """One case for each orbit of concepts."""
    moved = [question.moved_concepts(each) for each in question.symmetries]
    for concept in orbits(len(question.concepts), moved)[1].tolist():
        own = (2 * x + y for x, y in enumerate(question.concepts[concept]))
        supported = range(question.examples) if labels == "agnostic" else own
        yield ConceptCase(question, concept, tuple(supported))
