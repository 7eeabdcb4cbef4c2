"""The linear program of the best private learner from samples, for some distributions.

The columns (variables) are p(a | S) for each orbit of a sample S and an answer a, then columns that
privacy needs, and last the error V in the worst case, which is minimised.

**Privacy, delta = 0.** All samples that differ in one row share a multiset R of m - 1 rows. (With
several rows for each user, they differ in one user and share the rows of all other users.) Their
probabilities of a are within a factor r = e^epsilon of each other if and only if some u(R, a) has
u <= p(a | R + z) <= r u for all examples z (u = min p). So a *hub* u takes two rows for each z,
instead of one row for each pair.

**Privacy, delta > 0.** For each ordered pair of neighbouring samples, and each group of answers,
the sum of the positive parts of p(a | S) - r p(a | S') is at most delta. Slack columns represent
the positive parts.

**Challenges.** A challenge is a concept c and a distribution D of examples, realizable by c or,
agnostic, any distribution. For both, the expected error is linear in p, so V >= error - error of c
is a row. Finitely many challenges give a lower bound on the worst case over all challenges. The
challenges with positive multipliers are a *hard prior*, as their multipliers add up to 1 for the
best bound.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learners.optimal.linear import SCALE, ApproximateSolution, LinearProgram
from learners.optimal.sample_problems import SampleProblem, UserSamples
from learners.optimal.symmetries import Integers, orbits

PARTS = 1 << 12
"""Denominator of the probabilities of distributions in challenges."""


@dataclass(frozen=True)
class HardInstance:
    """A concept, and a distribution of labelled examples.

    Attributes
    ----------
    concept : int
        Number of the concept. Only the error above the error of this concept counts.
    weights : tuple of int
        Weight of each example, over `PARTS`.
    """

    concept: int
    weights: tuple[int, ...]


@dataclass(frozen=True)
class ErrorProgram:
    """The linear program of the best learner without challenges, and methods to add challenges.

    Parameters
    ----------
    question : Question
        Sample size, outputs and labels.
    delta : Fraction
        Delta of the privacy guarantee.
    private : bool
        Whether the program has rows for privacy.
    """

    question: SampleProblem
    delta: Fraction = Fraction(0)
    private: bool = True

    @cached_property
    def orbits(self) -> tuple[Integers, Integers]:
        """The orbit of each (sample, answer), numbered S * answers + a, and their first members."""
        return self._orbits(self.question.samples)

    def _orbits(self, samples: UserSamples) -> tuple[Integers, Integers]:
        asked, found = self.question, []
        for each in asked.symmetries:
            moved = samples.index(asked.moved_examples(each)[samples.members])
            found.append((moved[:, None] * asked.answers + asked.moved_answers(each)).ravel())
        return orbits(len(samples) * asked.answers, found)

    @property
    def columns(self) -> int:
        """The number of orbits of (sample, answer)."""
        return len(self.orbits[1])

    @cached_property
    def linear(self) -> LinearProgram:
        """The program without challenges. Its last column V is the minimised worst-case error."""
        linear = LinearProgram()
        linear.new(self.columns)
        self._sums(linear)
        if self.private and self.question.users:
            if self.delta:
                self._slacks(linear)
            else:
                self._hubs(linear)
        linear.new(1)
        return linear

    def _sums(self, linear: LinearProgram) -> None:
        """Add rows that make the probabilities of each group add up to 1."""
        asked, (of, _) = self.question, self.orbits
        of = of.reshape(len(asked.samples), asked.groups, -1)
        for sample in self._first_samples(asked.samples):
            for group in of[sample]:
                (row,) = linear.equal.new(1)
                linear.equal.add(row, group)
                linear.totals[int(row)] = 1

    def _first_samples(self, samples: UserSamples) -> Integers:
        """Return one sample of each orbit."""
        asked = self.question
        moved = [
            samples.index(asked.moved_examples(each)[samples.members]) for each in asked.symmetries
        ]
        return orbits(len(samples), moved)[1]

    def _with(self, shared: Integers) -> Integers:
        """Return the numbers of the samples with one more user, a column for each user."""
        return self.question.samples.with_each_user(self.question.shared, shared)

    def _hubs(self, linear: LinearProgram) -> None:
        asked, (of, _) = self.question, self.orbits
        _, first = self._orbits(asked.shared)
        shared, answers = np.divmod(first, asked.answers)
        tied = of[self._with(shared) * asked.answers + answers[:, None]]
        hubs = linear.new(len(first))
        pairs = np.unique(np.stack([np.repeat(hubs, tied.shape[1]), tied.ravel()], axis=1), axis=0)
        above, below = linear.plain.new(len(pairs)), linear.plain.new(len(pairs))
        linear.plain.add(above, pairs[:, 0])
        linear.plain.add(above, pairs[:, 1], -1)
        linear.plain.add(below, pairs[:, 1])
        linear.ratio.add(below, pairs[:, 0], -1)

    def _slacks(self, linear: LinearProgram) -> None:
        asked, (of, _) = self.question, self.orbits
        of = of.reshape(len(asked.samples), asked.groups, -1)
        for one, other in self._pairs():
            for group in range(asked.groups):
                both = np.stack([of[one, group], of[other, group]], axis=1)
                kinds, counts = np.unique(both, axis=0, return_counts=True)
                slacks, rows = linear.new(len(kinds)), linear.plain.new(len(kinds))
                linear.plain.add(rows, kinds[:, 0])
                linear.ratio.add(rows, kinds[:, 1], -1)
                linear.plain.add(rows, slacks, -1)
                (row,) = linear.plain.new(1)
                for slack, count in zip(slacks, counts.tolist(), strict=True):
                    linear.plain.add(row, slack, count)
                linear.right[int(row)] = self.delta

    def _pairs(self) -> list[tuple[int, int]]:
        """Return one ordered pair of neighbouring samples of each orbit."""
        asked = self.question
        shared, records = asked.shared, asked.samples.records
        with_one = self._with(np.arange(len(shared)))
        size = len(records)
        numbers = np.arange(len(shared) * size * size).reshape(-1, size, size)
        moved = []
        for each in asked.symmetries:
            example = asked.moved_examples(each)
            image, user = (
                shared.index(example[shared.members]),
                records.index(example[records.members]),
            )
            moved.append(numbers[image][:, user[:, None], user[None, :]].ravel())
        first = orbits(numbers.size, moved)[1]
        found = []
        for number in first.tolist():
            place, pair = divmod(number, size * size)
            one, other = divmod(pair, size)
            if one != other:
                found.append((int(with_one[place, one]), int(with_one[place, other])))
        return found

    # ---- challenges

    def row(self, challenge: HardInstance) -> NDArray[np.object_]:
        """Return the coefficients of the expected error on a challenge, as integers.

        The coefficients belong to the columns p, the probabilities of the answers. They are
        multiplied by `PARTS`^(rows + 1).
        """
        asked = self.question
        weights = np.array(challenge.weights, dtype=object)
        likely = np.array(
            [
                count * prod(weights[z] for z in members)
                for count, members in zip(
                    asked.samples.orders, asked.samples.members.tolist(), strict=True
                )
            ],
            dtype=object,
        )
        loss = asked.wrong.astype(object) @ weights
        return self._summed(likely, loss)

    def row_in_floats(self, challenge: HardInstance) -> NDArray[np.float64]:
        """Return the coefficients of the expected error on a challenge, in floating point."""
        asked = self.question
        weights = np.array(challenge.weights) / PARTS
        likely = np.array(asked.samples.orders, dtype=float) * np.prod(
            weights[asked.samples.members], axis=1
        )
        return self._summed(likely, asked.wrong @ weights)

    def _summed(self, likely: NDArray[Any], loss: NDArray[Any]) -> NDArray[Any]:
        found = np.zeros(self.columns, dtype=likely.dtype)
        some = np.flatnonzero(likely)
        of = self.orbits[0].reshape(-1, self.question.answers)[some]
        np.add.at(found, of, likely[some, None] * loss)
        return found

    def errors(self, primal: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the probability that a proposed learner errs, for each sample and test example."""
        asked = self.question
        table = primal[: self.columns][self.orbits[0]].reshape(len(asked.samples), asked.answers)
        found: NDArray[np.float64] = asked.mean_errors(table @ asked.wrong) / asked.ordered
        return found

    def allowance(self, challenge: HardInstance) -> Fraction:
        """Return the error of the concept of a challenge."""
        concept = self.question.concepts[challenge.concept]
        wrong = sum(w for z, w in enumerate(challenge.weights) if concept[z // 2] != z % 2)
        return Fraction(wrong, PARTS)

    def propose(
        self, challenges: Mapping[HardInstance, NDArray[np.float64]], ratio: Fraction
    ) -> ApproximateSolution:
        """Solve the program with challenges in floats. The multipliers of the challenges come last.

        Parameters
        ----------
        challenges : mapping of HardInstance to array
            Challenges with their rows, as `row_in_floats` returns them.
        ratio : Fraction
            Approximate e^epsilon.
        """
        whole = LinearProgram(
            limits=self.linear.limits,
            plain=self.linear.plain.copy(),
            ratio=self.linear.ratio,
            equal=self.linear.equal,
            right=dict(self.linear.right),
            totals=self.linear.totals,
        )
        numbers = whole.plain.new(len(challenges))
        found = np.stack(list(challenges.values()))
        places, columns = np.nonzero(found)
        whole.plain.add(numbers[places], columns, found[places, columns])
        whole.plain.add(numbers, whole.columns - 1, -1)
        for number, challenge in zip(numbers.tolist(), challenges, strict=True):
            whole.right[number] = self.allowance(challenge)
        return whole.propose(ratio)

    def bound(
        self,
        challenges: Sequence[tuple[HardInstance, int]],
        multipliers: NDArray[np.object_],
        prices: NDArray[np.object_],
        ratio: Fraction,
    ) -> Fraction:
        """Return the lower bound that multipliers prove, in exact arithmetic.

        Parameters
        ----------
        challenges : sequence of (Challenge, int)
            Challenges, each with its nonnegative multiplier over `SCALE`.
        multipliers, prices : array of int
            Multipliers of the rows of privacy and of the sums, over `SCALE`.
        ratio : Fraction
            Ratio of at least e^epsilon.
        """
        unit = PARTS ** (self.question.rows + 1)
        extra = np.zeros(self.linear.columns, dtype=object)
        right = Fraction(0)
        for challenge, weight in challenges:
            extra[: self.columns] += self.row(challenge) * weight
            extra[-1] -= weight * unit
            right += weight * self.allowance(challenge)
        found = self.linear.bound(multipliers, prices, ratio, extra, unit)
        return found - right / SCALE
