"""Proofs of both bounds on the error of the best private learner from samples, checked in integers.

**Lower bound.** The evidence consists of challenges with multipliers, and of multipliers of the
rows of `ErrorProgram` (`learners.optimal.linear`). Multipliers of challenges that add up to 1 are a
prior over distributions on which every private learner has at least this error on average.

**Upper bound.** The evidence is a learner. It has an integer for each orbit of samples and answers,
which is its probability over a common total. The check does not trust the learner. It tests all
sums and all pairs of neighbouring samples one by one, without symmetry. The error is at most a
number for *all* distributions because no form exceeds it on the simplex, which
`learners.optimal.forms` proves in integers, for one concept of each orbit
(`learners.optimal.error_certificates`).

A learner from samples is tested, for each concept, on all distributions that the concept labels.

Concepts that an automorphism maps to each other have the same worst case, because the learner is
invariant. So one concept of each orbit is enough. If points can be exchanged without changing the
concept or the class, then their probabilities can be exchanged, too, and distributions that
decrease along such points are enough. These distributions are a simplex again. Its corners are, for
each block of such points, the uniform distributions on the first k of them.
"""

from __future__ import annotations

import reprlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any, Literal, Self, get_args

import numpy as np
from numpy.typing import NDArray

from learners.accounting import Event, Scope
from learners.optimal.error_program import PARTS, ErrorProgram, HardInstance
from learners.optimal.forms import Simplex
from learners.optimal.linear import (
    SCALE,
    as_vector,
    brief,
    guarantee,
    require_listable,
    require_ratios,
)
from learners.optimal.sample_problems import (
    Outputs,
    SampleProblem,
    labels_of,
    multiset_count,
    user_sample_count,
)
from learners.optimal.symmetries import image, orbits
from lsclasses.certificates.reading import (
    HEX,
    NATURAL,
    NATURALS,
    TEXT,
    ListOf,
    ListShape,
    ObjectShape,
)
from lsclasses.concept_class import ConceptClass
from lsclasses.errors import BadCertificate, InvalidInput
from lsclasses.json_text import entries_of
from lsclasses.numbers import integer, rational

# ---- worst case


Labelling = Literal["realizable", "agnostic"]


@dataclass(frozen=True)
class ConceptCase:
    """One concept, and the distributions over some examples.

    Parameters
    ----------
    question : Question
        Sample size, outputs and labels.
    concept : int
        Number of the concept.
    supported : tuple of int
        Examples of the distributions: the examples that the concept labels, or all examples in the
        agnostic case.

    Examples
    --------
    In the example, a learner of point functions always publishes 0. It errs with the probability of
    the target's point:

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
        """The simplex of the distributions, for forms of degree m + 1."""
        return Simplex(len(self.supported), self.question.rows + 1)

    @cached_property
    def corners(self) -> tuple[tuple[int, ...], ...] | None:
        """The corners of the part of the simplex that suffices, as weights with equal sums.

        None if this part is the whole simplex.
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
        """Return whether exchanging two points, with the concept's labels, keeps the class."""
        labels, points = self.question.concepts[self.concept], range(self.question.points)
        to = tuple({x: z, z: x}.get(point, point) for point in points)
        flip = labels[x] ^ labels[z]
        flips = tuple(flip if point in (x, z) else 0 for point in points)
        concepts = frozenset(self.question.concepts)
        return all(image((to, flips), c) in concepts for c in concepts)

    def form(self, errors: NDArray[Any], total: float) -> tuple[NDArray[Any], Any]:
        """Return the Bernstein coefficients, with their unit, of the learner's excess error.

        Parameters
        ----------
        errors : array, shape (multisets, examples)
            Mean probability of an error on each test example over all samples with these rows,
            times `total`: floats or Python integers.
        """
        samples, simplex = self.question.multisets, self.simplex
        members = np.array(self.supported)[simplex.multisets.members]
        labels = self.question.concepts[self.concept]
        own = np.array(
            [int(labels[z // 2] != z % 2) for z in range(self.question.examples)],
            dtype=errors.dtype,
        )
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
        """Return the distribution with these weights of the corners."""
        if self.corners is None:
            return at
        found: NDArray[np.float64] = at @ np.array(self.corners) / sum(self.corners[0])
        return found


def cases(question: SampleProblem, labels: Labelling) -> Iterator[ConceptCase]:
    """Yield one case for each orbit of concepts."""
    moved = [question.moved_concepts(each) for each in question.symmetries]
    for concept in orbits(len(question.concepts), moved)[1].tolist():
        own = (2 * x + y for x, y in enumerate(question.concepts[concept]))
        supported = range(question.examples) if labels == "agnostic" else own
        yield ConceptCase(question, concept, tuple(supported))


# ---- error certificates


FRACTIONS = ("epsilon", "delta", "below", "above", "lower", "upper")
ROWS = ListOf(ListShape(NATURAL, HEX))
"""JSON type of the integers for the rows of a program."""
SHAPE = ObjectShape(
    {
        "quantity": TEXT,
        "rows": NATURAL,
        "outputs": TEXT,
        "labels": TEXT,
        **dict.fromkeys(FRACTIONS, TEXT),
        "challenges": ListOf(
            ObjectShape({"concept": NATURAL, "weights": NATURALS, "multiplier": HEX})
        ),
        "multipliers": ROWS,
        "prices": ROWS,
        "weights": ListOf(HEX),
    },
    {"rows_per_user": NATURAL, "public_rows": NATURAL},
)
"""JSON types of the entries of `ErrorEvidence`. Optional entries are absent if they have their
default values."""
GROUPED = {"rows_per_user": 1, "public_rows": 0}
"""Default values of the optional entries."""


@dataclass(frozen=True)
class SampleLaw:
    """A learner that is invariant under the symmetries of the class, with integer weights.

    Parameters
    ----------
    program : ErrorProgram
        Program whose learner the table is.
    weights : tuple of int
        Weight of each orbit of (sample, answer).
    """

    program: ErrorProgram
    weights: tuple[int, ...]

    @cached_property
    def table(self) -> NDArray[np.object_]:
        """Return the weight of each answer on each sample, shape (samples, groups, answers).

        Raises
        ------
        BadCertificate
            If the number of weights differs from the number of orbits, one is negative, or sums
            differ.
        """
        asked = self.program.question
        if len(self.weights) != self.program.columns:
            raise BadCertificate(
                f"A learner needs {self.program.columns} weights, one for each orbit of samples "
                f"and answers. Got {len(self.weights)}."
            )
        if min(self.weights) < 0:
            raise BadCertificate(f"A weight must not be negative. Got {brief(min(self.weights))}.")
        whole = np.array(self.weights, dtype=object)[self.program.orbits[0]]
        table = whole.reshape(len(asked.samples), asked.groups, -1)
        sums = table.sum(axis=2)
        if (sums != sums[0, 0]).any() or not sums[0, 0]:
            raise BadCertificate("The weights of all answers must add up to one total.")
        return table

    @property
    def total(self) -> int:
        """The sum of the weights of a sample."""
        return int(self.table[0, 0].sum())

    def require_private(self, ratio: Fraction, delta: Fraction) -> None:
        """Refuse a learner that is not private for two samples that differ in one row.

        Parameters
        ----------
        ratio : Fraction
            Ratio of at most e^epsilon.
        delta : Fraction
            Delta of the privacy guarantee.

        Raises
        ------
        BadCertificate
            If the learner is not private. The message lists the shared rows.
        """
        asked = self.program.question
        if not asked.users:
            return
        for number, members in enumerate(asked.shared.members.tolist()):
            samples = asked.samples.with_each_user(asked.shared, np.array([number]))[0]
            if not _close(self.table[samples], ratio, delta * self.total):
                changed = "row" if asked.rows_per_user == 1 else "user"
                raise BadCertificate(
                    "The learner is not private: its output distinguishes two samples that share "
                    f"the rows {members} and differ in one {changed}."
                )

    # ---- error

    def errors(self) -> NDArray[np.object_]:
        """Return the mean weight of the answers that err, for each multiset and test example.

        The means are integers over `error_total`.
        """
        asked = self.program.question
        flat = self.table.reshape(len(asked.samples), asked.answers)
        found: NDArray[np.object_] = asked.mean_errors(flat @ asked.wrong.astype(object))
        return found

    @property
    def error_total(self) -> int:
        """The common denominator of `errors`."""
        return self.total * self.program.question.ordered

    def at_most(self, upper: Fraction, labels: Labelling) -> bool:
        """Return whether integers prove that the worst-case error is at most `upper`."""
        errors = self.errors()
        for each in cases(self.program.question, labels):
            form, unit = each.form(errors, self.error_total)
            if not each.simplex.is_at_most(form, upper * unit // 1):
                return False
        return True


def _close(laws: NDArray[np.object_], ratio: Fraction, allowed: Fraction) -> bool:
    """Return whether all pairs of distributions are close, shape (samples, groups, answers)."""
    if not allowed:
        most, least = laws.max(axis=0), laws.min(axis=0)
        return bool((most * ratio.denominator <= least * ratio.numerator).all())
    for law in laws:
        excess = law[None] * ratio.denominator - laws * ratio.numerator
        if (np.maximum(excess, 0).sum(axis=2) > allowed * ratio.denominator).any():
            return False
    return True


@dataclass(frozen=True)
class ErrorEvidence:
    """The evidence for the lower and the upper bound on the least error, which `check` tests.

    Parameters
    ----------
    rows : int
        Number of all rows.
    outputs : "any", "class" or "prediction"
        Allowed outputs of the learners.
    labels : "realizable" or "agnostic"
        Distributions that the error covers.
    epsilon, delta : Fraction
        Privacy of the learners.
    below, above : Fraction
        Bounds with below <= e^epsilon <= above.
    lower, upper : Fraction
        Claimed bounds.
    challenges : tuple of (Challenge, int)
        Challenges with multipliers over 2^44.
    multipliers, prices : mapping
        Dual values of the inequalities and of the equations of the program, as integers over 2^44,
        without zeros.
    weights : tuple of int
        Weight of each orbit of (sample, answer).
    rows_per_user : int
        Number of private rows of each user.
    public_rows : int
        Number of rows that privacy does not protect.
    """

    rows: int
    outputs: Outputs
    labels: Labelling
    epsilon: Fraction
    delta: Fraction
    below: Fraction
    above: Fraction
    lower: Fraction
    upper: Fraction
    challenges: tuple[tuple[HardInstance, int], ...]
    multipliers: Mapping[int, int]
    prices: Mapping[int, int]
    weights: tuple[int, ...]
    rows_per_user: int = 1
    public_rows: int = 0

    def to_json(self) -> dict[str, Any]:
        """Return the evidence as JSON. Large integers are hexadecimal strings."""
        return {
            "rows": self.rows,
            "outputs": self.outputs,
            "labels": self.labels,
            **{name: str(getattr(self, name)) for name in FRACTIONS},
            "challenges": [
                {"concept": each.concept, "weights": list(each.weights), "multiplier": hex(weight)}
                for each, weight in self.challenges
            ],
            "multipliers": [[row, hex(value)] for row, value in self.multipliers.items()],
            "prices": [[row, hex(value)] for row, value in self.prices.items()],
            "weights": [hex(weight) for weight in self.weights],
            **{
                name: getattr(self, name)
                for name, default in GROUPED.items()
                if getattr(self, name) != default
            },
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Return the evidence that `to_json` wrote."""
        with entries_of("it is not evidence about a private learner from samples"):
            return cls(
                rows=integer(data["rows"], "number of rows"),
                outputs=_one_of(data["outputs"], get_args(Outputs)),
                labels=_one_of(data["labels"], get_args(Labelling)),
                **{name: rational(data[name], name) for name in FRACTIONS},
                challenges=tuple(
                    (
                        HardInstance(
                            integer(each["concept"], "concept"),
                            tuple(integer(w, "weight") for w in each["weights"]),
                        ),
                        int(each["multiplier"], 16),
                    )
                    for each in data["challenges"]
                ),
                multipliers={row: int(value, 16) for row, value in data["multipliers"]},
                prices={row: int(value, 16) for row, value in data["prices"]},
                weights=tuple(int(weight, 16) for weight in data["weights"]),
                rows_per_user=integer(data.get("rows_per_user", 1), "rows_per_user"),
                public_rows=integer(data.get("public_rows", 0), "public_rows"),
            )

    def program(self, C: ConceptClass) -> ErrorProgram:
        """Return the linear program for a class, without rows for hard instances."""
        concepts = labels_of(C.to_table().labels)
        question = SampleProblem(
            concepts, self.rows, self.outputs, self.rows_per_user, self.public_rows
        )
        return ErrorProgram(question, self.delta)

    @property
    def guarantee(self) -> Event:
        """The privacy guarantee of the learner."""
        unit = "item" if self.rows_per_user == 1 else "person"
        if self.public_rows:
            unit = f"private {unit}"
        scope = Scope.adaptive("replace_one", unit=unit)  # the sample is read at once
        return guarantee(self.epsilon, self.delta, "optimal learner", scope)

    def check(self, C: ConceptClass) -> SampleLaw:
        """Return the learner of the upper bound, after a check of all claims for the class.

        Raises
        ------
        BadCertificate
            If a claim is not proved. The message names the claim.
        """
        if not 0 <= self.delta < 1 or self.rows < 1:
            raise BadCertificate("The privacy parameters or rows are out of range.")
        if (
            self.rows_per_user < 1
            or not 0 <= self.public_rows < self.rows
            or (self.rows - self.public_rows) % self.rows_per_user
        ):
            raise BadCertificate(
                f"{self.rows} rows must be {self.public_rows} public rows and at least one user of "
                f"{self.rows_per_user} rows."
            )
        require_ratios(self.epsilon, self.below, self.above)
        points = C.domain.size or 0
        require_listable(points, lambda: self._listed(C))
        program = self.program(C)
        lower = self.proved_lower(program)
        if self.lower > lower:
            raise BadCertificate(
                f"The claimed lower bound is {brief(self.lower)}, but the proved lower bound is "
                f"{brief(lower)}."
            )
        law = SampleLaw(program, self.weights)
        law.require_private(self.below, self.delta)
        if not law.at_most(self.upper, self.labels):
            raise BadCertificate(
                f"The claimed upper bound is {brief(self.upper)}, but the check does not prove it "
                "for all distributions."
            )
        return law

    def _listed(self, C: ConceptClass) -> int:
        """Return the largest number of items that a check lists."""
        points = C.domain.size or 0
        answers = 2**points if self.outputs == "any" else 2 * points + (C.size or 0)
        each, public, examples = self.rows_per_user, self.public_rows, 2 * points
        users = (self.rows - public) // each
        samples = user_sample_count(examples, users, each, public)
        pairs = user_sample_count(examples, users - 1, each, public)
        pairs *= multiset_count(examples, each) ** (2 if self.delta else 1)
        return max(samples * answers, samples * self.rows, pairs)

    def proved_lower(self, program: ErrorProgram) -> Fraction:
        """Return the lower bound that the multipliers prove."""
        asked = program.question
        for each, weight in self.challenges:
            self._require(asked, each, weight)
        linear = program.linear
        multipliers = as_vector(self.multipliers, linear.plain.rows)
        if (multipliers < 0).any():
            raise BadCertificate("A multiplier of an inequality must not be negative.")
        if sum(weight for _, weight in self.challenges) != SCALE:
            raise BadCertificate("The multipliers of the challenges must add up to 2^44.")
        prices = as_vector(self.prices, linear.equal.rows)
        return program.bound(self.challenges, multipliers, prices, self.above)

    def _require(self, asked: SampleProblem, each: HardInstance, weight: int) -> None:
        if not 0 <= each.concept < len(asked.concepts):
            raise BadCertificate(f"The class has no concept number {each.concept}.")
        w = each.weights
        if len(w) != asked.examples or min(w) < 0 or sum(w) != PARTS or weight < 0:
            raise BadCertificate(
                f"A challenge must have nonnegative weights of {asked.examples} examples, of sum "
                f"{PARTS}, and a nonnegative multiplier. Got {reprlib.repr(list(w))}, "
                f"{brief(weight)}."
            )
        labels = asked.concepts[each.concept]
        if self.labels == "realizable" and any(
            weight and labels[z // 2] != z % 2 for z, weight in enumerate(w)
        ):
            raise BadCertificate("A challenge must have examples that its concept labels equally.")


def _one_of(text: str, allowed: tuple[Any, ...]) -> Any:
    if text not in allowed:
        raise InvalidInput(f"It must be one of {', '.join(allowed)}. Got {text!r}.")
    return text
