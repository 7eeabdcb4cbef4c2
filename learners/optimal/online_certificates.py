"""Proofs of both bounds on the mistakes of the best private online learner, checked in integers.

**Lower bound.** The evidence consists of multipliers of the rows of `OnlineProgram`
(`learners.optimal.linear`). The multipliers of the adversary's moves are a strategy: a distribution
of streams or, adaptive, the probability of each example after each history.

**Upper bound.** The evidence is a learner. It has an integer for each orbit of complete
transcripts, which is its probability over a common total, and an integer for each orbit of first
hypotheses. The check does not trust the learner. It tests all sums, all pairs of neighbouring
streams and all realizable streams one by one, without symmetry.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm, prod
from typing import Any, Self

import numpy as np

from learners.accounting import HYPOTHESES, Event, Scope
from learners.optimal.linear import (
    SCALE,
    Array,
    as_vector,
    brief,
    guarantee,
    require_listable,
    require_ratios,
)
from learners.optimal.online_program import OnlineProgram
from learners.optimal.transcripts import Orbits, Transcripts, as_objects
from lsclasses.certificates.reading import HEX, NATURAL, TEXT, ListOf, ListShape, ObjectShape
from lsclasses.concept_class import ConceptClass
from lsclasses.errors import BadCertificate
from lsclasses.json_text import entries_of
from lsclasses.numbers import integer, rational

MIXED = 30
"""Exponent of the mixture. A proposed learner is mixed with 2^-30 of the uniform learner, which is
private."""
BITS = 64
FRACTIONS = ("epsilon", "delta", "below", "above", "lower", "upper")
SHAPE = ObjectShape(
    {
        "quantity": TEXT,
        "rounds": NATURAL,
        "adversary": TEXT,
        "outputs": TEXT,
        **dict.fromkeys(FRACTIONS, TEXT),
        "multipliers": ListOf(ListShape(NATURAL, HEX)),
        "prices": ListOf(ListShape(NATURAL, HEX)),
        "first": ListOf(HEX),
        "weights": ListOf(HEX),
    }
)
"""JSON types of the entries of `OnlineEvidence`."""


@dataclass(frozen=True)
class TranscriptLaw:
    """The distribution of an invariant learner's transcripts, in integers.

    Parameters
    ----------
    transcripts : Transcripts
        All streams and transcripts of the game.
    first : tuple of int
        Weight of each orbit of first hypotheses.
    weights : tuple of int
        Weight of each orbit of complete transcripts. For one round, the weights in `first`.
    """

    transcripts: Transcripts
    first: tuple[int, ...]
    weights: tuple[int, ...]

    @cached_property
    def published(self) -> tuple[Array, ...]:
        """The weights of the transcripts z_1, h_2, ..., h_t, at index t.

        Raises
        ------
        BadCertificate
            If the number of weights differs from the number of orbits, a weight is negative, or the
            output before an example depends on it.
        """
        found = self.transcripts
        for weights, orbits in ((self.first, found.published[1]), (self.weights, self._complete)):
            if len(weights) != orbits.count:
                raise BadCertificate(
                    f"A learner needs {orbits.count} weights, one for each orbit. Got "
                    f"{len(weights)}."
                )
            if min(weights) < 0:
                raise BadCertificate(f"A weight must not be negative. Got {brief(min(weights))}.")
        levels = [as_objects(self.weights)[self._complete.of]]
        for t in range(found.rounds - 1, 0, -1):
            sums = levels[0].reshape(-1, found.examples, len(found.outputs)).sum(axis=2)
            if (sums != sums[:, :1]).any():
                raise BadCertificate(
                    f"The output of the first {t} rounds depends on the example of round {t}, "
                    "which is revealed after it: prefix distributions disagree."
                )
            levels.insert(0, sums[:, 0])
        first = as_objects(self.first)[found.published[1].of]
        total = as_objects([first.sum()])
        if total[0] <= 0:
            raise BadCertificate("The weights of a learner must have a positive total. Got 0.")
        if found.rounds == 1:
            levels = [total]
        if levels[0][0] != total[0]:
            raise BadCertificate(
                f"First hypotheses have the total weight {brief(total[0])}, later hypotheses "
                f"{brief(levels[0][0])}: "
                "prefix distributions disagree."
            )
        return (total, first, *levels[1:])

    @property
    def _complete(self) -> Orbits:
        return self.transcripts.published[-1]

    @property
    def total(self) -> int:
        """The sum of all weights of a stream."""
        return int(self.published[0][0])

    def require_private(self, ratio: Fraction, delta: Fraction = Fraction(0)) -> None:
        """Refuse a learner that is not private for two streams that differ in one example.

        Parameters
        ----------
        ratio : Fraction
            Ratio of at most e^epsilon.
        delta : Fraction
            Delta of the privacy guarantee.

        Raises
        ------
        BadCertificate
            If the learner is not private. The message states the round of the example.
        """
        found, complete = self.transcripts, self.published[-1]
        for t in range(1, found.rounds):
            neighbours = complete.reshape(-1, found.examples, found.place(t))
            if delta:
                private = self._loss(neighbours, ratio) <= delta * self.total
            else:
                most, least = neighbours.max(axis=1), neighbours.min(axis=1)
                private = bool((most * ratio.denominator <= least * ratio.numerator).all())
            if not private:
                raise BadCertificate(
                    "The learner is not private: its output distinguishes two streams that differ "
                    f"in the example of round {t}."
                )

    def _loss(self, neighbours: Array, ratio: Fraction) -> Fraction:
        """Return the largest hockey-stick divergence, times the total, for a replaced example."""
        found = self.transcripts
        numbers = np.arange(found.size).reshape(neighbours.shape)[:, 0]
        streams = np.zeros_like(numbers)
        for t in range(1, found.rounds):
            streams = streams * found.examples + numbers // found.place(t) % found.examples
        worst = 0
        for z in range(found.examples):
            for other in range(found.examples):
                excess = (
                    neighbours[:, z] * ratio.denominator - neighbours[:, other] * ratio.numerator
                )
                sums = np.zeros(int(streams.max()) + 1, dtype=object)
                np.add.at(sums, streams.ravel(), np.maximum(excess, 0).ravel())
                worst = max(worst, *sums.tolist())
        return Fraction(worst, ratio.denominator)

    def mistakes(self, adaptive: bool) -> Fraction:
        """Return the expected number of mistakes in the worst case over adversaries, exactly."""
        gains = [
            law.reshape(-1, len(self.transcripts.outputs)) @ self.transcripts.errs.astype(object)
            for law in self.published[1:]
        ]
        worst = self._adapted(gains) if adaptive else self._fixed(gains)
        return Fraction(worst, self.total)

    def _fixed(self, gains: list[Array]) -> int:
        found, sums = self.transcripts, np.zeros(1, dtype=object)
        for t, gain in enumerate(gains):
            shape = (*((len(found.outputs), found.examples) * t)[1:], found.examples)
            mistakes = gain.reshape(shape).sum(axis=tuple(range(1, 2 * t - 1, 2)))
            sums = (sums[:, None] + mistakes.reshape(len(sums), -1)).ravel()
        streams = np.array(found.realizable) @ found.examples ** np.arange(found.rounds)[::-1]
        return int(max(sums[streams]))

    def _adapted(self, gains: list[Array]) -> int:
        found, worth = self.transcripts, np.zeros(0, dtype=object)
        for t in reversed(range(found.rounds)):
            gain = gains[t]
            if t + 1 < found.rounds:
                hypotheses = len(found.outputs) if t else 1
                gain = gain + worth.reshape(-1, hypotheses, found.examples).sum(axis=1)
            versions = found.versions(np.arange(len(gain)), t)
            fits = (versions[:, None] & found.consistent).any(axis=2)
            # No move reaches a history that is not realizable, so its value is not read.
            worth = np.where(fits, gain, 0).max(axis=1)
        return int(worth[0])


@dataclass(frozen=True)
class OnlineEvidence:
    """The evidence for the lower and the upper bound on the optimum, which `check` tests.

    Parameters
    ----------
    rounds : int
        Number of rounds.
    epsilon, delta : Fraction
        Privacy of the learners.
    adaptive : bool
        Whether adversaries observe the hypotheses of earlier rounds.
    proper : bool
        Whether only concepts of the class are published.
    below, above : Fraction
        Bounds with below <= e^epsilon <= above.
    lower, upper : Fraction
        Claimed bounds.
    multipliers, prices : mapping
        Dual values of the inequalities and of the equations of the program
        (`learners.optimal.online_program`), as integers over 2^44, without zeros.
    first, weights : tuple of int
        Unnormalized probability of each orbit of first hypotheses, and of complete transcripts.
    """

    rounds: int
    epsilon: Fraction
    delta: Fraction
    adaptive: bool
    proper: bool
    below: Fraction
    above: Fraction
    lower: Fraction
    upper: Fraction
    multipliers: Mapping[int, int]
    prices: Mapping[int, int]
    first: tuple[int, ...]
    weights: tuple[int, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the evidence as JSON. Large integers are hexadecimal strings."""
        return {
            "rounds": self.rounds,
            "adversary": "adaptive" if self.adaptive else "oblivious",
            "outputs": "class" if self.proper else "any",
            **{name: str(getattr(self, name)) for name in FRACTIONS},
            "multipliers": [[row, hex(value)] for row, value in self.multipliers.items()],
            "prices": [[row, hex(value)] for row, value in self.prices.items()],
            "first": [hex(weight) for weight in self.first],
            "weights": [hex(weight) for weight in self.weights],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Return the evidence that `to_json` wrote."""
        with entries_of("it is not evidence about a private online learner"):
            return cls(
                rounds=integer(data["rounds"], "number of rounds"),
                adaptive={"adaptive": True, "oblivious": False}[data["adversary"]],
                proper={"class": True, "any": False}[data["outputs"]],
                **{name: rational(data[name], name) for name in FRACTIONS},
                multipliers={row: int(value, 16) for row, value in data["multipliers"]},
                prices={row: int(value, 16) for row, value in data["prices"]},
                first=tuple(int(weight, 16) for weight in data["first"]),
                weights=tuple(int(weight, 16) for weight in data["weights"]),
            )

    @property
    def guarantee(self) -> Event:
        """The privacy guarantee of the learner."""
        # The comparison is about pairs of fixed streams. Only pure bounds cover adaptive streams.
        kind = Scope.fixed if self.delta else Scope.adaptive
        scope = kind("replace_one", observes=HYPOTHESES)
        return guarantee(self.epsilon, self.delta, "optimal publisher", scope)

    def check(self, C: ConceptClass) -> TranscriptLaw:
        """Return the learner of the upper bound, after a check of all claims for the class.

        Raises
        ------
        BadCertificate
            If a claim is not proved. The message names the claim.
        """
        if not 0 <= self.delta < 1 or self.rounds < 1:
            raise BadCertificate("The privacy parameters or rounds are out of range.")
        if self.delta and self.adaptive:
            raise BadCertificate(
                "A certificate with delta > 0 must have an oblivious adversary. The check compares "
                "fixed streams, and for delta > 0 it would not prove privacy for adaptive streams."
            )
        require_ratios(self.epsilon, self.below, self.above)
        points = C.domain.size or 0
        outputs = C.size or 0 if self.proper else 2**points
        steps = min(self.rounds, 64)
        require_listable(points, lambda: outputs**steps * (2 * points) ** (steps - 1))
        program = OnlineProgram(
            Transcripts.of(C, self.rounds, proper=self.proper), self.delta, self.adaptive
        )
        lower = self._proved_lower(program)
        if self.lower > lower:
            raise BadCertificate(
                f"The claimed lower bound is {brief(self.lower)}, but the proved lower bound is "
                f"{brief(lower)}."
            )
        law = TranscriptLaw(program.transcripts, self.first, self.weights)
        law.require_private(self.below, self.delta)
        mistakes = law.mistakes(self.adaptive)
        if self.upper < mistakes:
            raise BadCertificate(
                f"The claimed upper bound is {brief(self.upper)}, but the learner makes "
                f"{brief(mistakes)} mistakes."
            )
        return law

    def _proved_lower(self, program: OnlineProgram) -> Fraction:
        linear = program.linear
        multipliers = as_vector(self.multipliers, linear.plain.rows)
        if (multipliers < 0).any():
            raise BadCertificate("A multiplier of an inequality must not be negative.")
        strategy = sum(
            int(multipliers[row]) for row, move in program.moves if program.is_first(move)
        )
        if strategy != SCALE:
            raise BadCertificate(
                "The weights of the adversary's first moves must add up to 2^44. They add up to "
                f"{brief(strategy)}."
            )
        return linear.bound(multipliers, as_vector(self.prices, linear.equal.rows), self.above)


def proposed_law(
    transcripts: Transcripts, primal: list[Array], mixed: int = MIXED
) -> TranscriptLaw:
    """Return a learner with integer weights, with consistent prefixes, that is close to a proposal.

    The proposal is mixed with 2^-mixed of the uniform learner, which is private with a loss of 0.
    This compensates for the solver's errors. Weights are rounded from the first round on. After a
    history, m possible outputs may be in one orbit. Let u_t be a common multiple of all these m of
    round t. The total is a multiple of u_1 ... u_T, and a history before round t has a multiple of
    u_t ... u_T. Each orbit gets a multiple of u_t ... u_T / m, rounded down, and the remainder goes
    to the most likely orbit. So all sums are exact, and each orbit gets a multiple of
    u_(t+1) ... u_T.

    Parameters
    ----------
    transcripts : Transcripts
        All streams and transcripts of the game.
    primal : list of array
        Floats for the orbits of z_1, h_2, ..., h_t, at index t - 1.
    """
    hypotheses, published = np.arange(len(transcripts.outputs)), transcripts.published
    children = [
        published[t + 1].of[each.representatives[:, None] * len(hypotheses) + hypotheses].tolist()
        for t, each in enumerate(transcripts.histories)
    ]
    units = [lcm(*(m for of in each for m in Counter(of).values())) for each in children]
    total, uniform = prod(units) << BITS, 1.0
    laws: list[list[int]] = []
    for t, histories in enumerate(transcripts.histories):
        uniform = uniform / len(hypotheses) if t > 1 else 1 / len(hypotheses)
        before = histories.representatives // transcripts.examples
        parents = as_objects(laws[-1])[published[t].of[before]] if t > 1 else [total] * len(before)
        shares = np.maximum(primal[t], 0) * (1 - 2.0**-mixed) + uniform * 2.0**-mixed
        wide = [round(share * 2.0**100) for share in shares.tolist()]
        found = [0] * published[t + 1].count
        for parent, of in zip(parents, children[t], strict=True):
            split_weight(parent, Counter(of), wide, prod(units[t:]), found)
        laws.append(found)
    return TranscriptLaw(transcripts, tuple(laws[0]), tuple(laws[-1]))


def split_weight(
    weight: int, children: Counter[int], shares: list[int], unit: int, found: list[int]
) -> None:
    """Split the weight of a history among the orbits of the next outputs."""
    total, left = sum(shares[child] * m for child, m in children.items()), weight
    for child, m in children.items():
        step = unit // m
        found[child] = weight * shares[child] // (total * step) * step
        left -= m * found[child]
    likeliest = max(children, key=lambda child: shares[child] * children[child])
    found[likeliest] += left // children[likeliest]
