"""Proofs of both bounds on the mistakes of the best predictor with private answers, in integers.

**Lower bound.** The evidence consists of multipliers of the rows of `ChallengeProgram`
(`learners.optimal.linear`). The multipliers of the streams are a distribution of streams.

**Upper bound.** The evidence is a predictor. It has an integer for each orbit of complete
transcripts, which is its probability over a common total, and an integer for each orbit of first
answers. The check does not trust the predictor. It tests all sums, all pairs of streams that differ
in one example, and all realizable streams one by one, without symmetry.
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

from learners.accounting import Event, Scope
from learners.optimal.challenge_program import ChallengeProgram
from learners.optimal.challenge_transcripts import ChallengeTranscripts
from learners.optimal.linear import (
    LISTED,
    SCALE,
    Array,
    as_vector,
    brief,
    guarantee,
    require_ratios,
)
from learners.optimal.online_certificates import BITS, MIXED, split_weight
from learners.optimal.transcripts import Orbits, as_objects
from lsclasses.certificates.reading import HEX, NATURAL, TEXT, ListOf, ListShape, ObjectShape
from lsclasses.concept_class import ConceptClass
from lsclasses.errors import BadCertificate
from lsclasses.json_text import entries_of
from lsclasses.numbers import integer, rational

FRACTIONS = ("epsilon", "below", "above", "lower", "upper")
SHAPE = ObjectShape(
    {
        "quantity": TEXT,
        "rounds": NATURAL,
        **dict.fromkeys(FRACTIONS, TEXT),
        "multipliers": ListOf(ListShape(NATURAL, HEX)),
        "prices": ListOf(ListShape(NATURAL, HEX)),
        "first": ListOf(HEX),
        "weights": ListOf(HEX),
    }
)
"""JSON types of the entries of `ChallengeEvidence`."""


@dataclass(frozen=True)
class AnswerLaw:
    """The distribution of an invariant predictor's answers, in integers.

    Parameters
    ----------
    transcripts : ChallengeTranscripts
        All streams and transcripts of the game.
    first : tuple of int
        Weight of each orbit of a first query with its answer.
    weights : tuple of int
        Weight of each orbit of complete transcripts. For one round, the weights in `first`.
    """

    transcripts: ChallengeTranscripts
    first: tuple[int, ...]
    weights: tuple[int, ...]

    @cached_property
    def answered(self) -> tuple[Array, ...]:
        """The weights of transcripts with t answers, at index t - 1.

        Raises
        ------
        BadCertificate
            If the number of weights differs from the number of orbits, a weight is negative, or an
            answer depends on a later query or on the label of its query.
        """
        found = self.transcripts
        for weights, orbits in ((self.first, found.answered[1]), (self.weights, self._complete)):
            if len(weights) != orbits.count:
                raise BadCertificate(
                    f"A predictor needs {orbits.count} weights, one for each orbit. Got "
                    f"{len(weights)}."
                )
            if min(weights) < 0:
                raise BadCertificate(f"A weight must not be negative. Got {brief(min(weights))}.")
        first = as_objects(self.first)[found.answered[1].of]
        totals = first.reshape(-1, 2).sum(axis=1)
        if (totals != totals[0]).any() or totals[0] <= 0:
            raise BadCertificate("First answers must have one positive total weight.")
        levels = [as_objects(self.weights)[self._complete.of]] if found.rounds > 1 else []
        for t in range(found.rounds, 1, -1):
            sums = levels[0].reshape(-1, found.points, 2).sum(axis=2)
            # The last digit of a history is 4x + 2a + y. The label y and the next query come after
            # the answer a. In the first round, nothing but the total comes before them.
            sums = sums.reshape(-1, 2 * found.points) if t > 2 else sums.reshape(1, -1)
            if (sums != sums[:, :1]).any():
                raise BadCertificate(
                    f"The answers of the first {t - 1} rounds depend on the label of round {t - 1} "
                    f"or the query of round {t}, which come after them."
                )
            levels.insert(0, sums[:, 0])
        if levels and levels[0][0] != totals[0]:
            raise BadCertificate(
                f"First answers have the total weight {brief(totals[0])}, later answers "
                f"{brief(levels[0][0])}."
            )
        return (first, *levels[1:])

    @property
    def _complete(self) -> Orbits:
        return self.transcripts.answered[-1]

    @property
    def total(self) -> int:
        """The sum of all weights of a stream."""
        return int(self.answered[0][:2].sum())

    def require_private(self, ratio: Fraction) -> None:
        """Refuse a predictor whose answers to all other users are not private for some user.

        Parameters
        ----------
        ratio : Fraction
            Ratio of at most e^epsilon.

        Raises
        ------
        BadCertificate
            If the predictor is not private. The message states the round of the user.
        """
        found, complete = self.transcripts, self.answered[-1]
        for t in range(1, found.rounds):
            if t == 1:
                views = complete.reshape(1, found.examples, found.place(1))
            else:
                users = complete.reshape(-1, found.points, 2, 2, found.place(t))
                views = users.sum(axis=2).reshape(-1, found.examples, found.place(t))
            most, least = views.max(axis=1), views.min(axis=1)
            if (most * ratio.denominator > least * ratio.numerator).any():
                raise BadCertificate(
                    "The predictor is not private: the answers to the other users distinguish two "
                    f"streams that differ in the example of round {t}."
                )

    def mistakes(self) -> Fraction:
        """Return the expected number of mistakes on the worst realizable stream, exactly."""
        worst = max(
            sum(
                int(law[errors].sum())
                for law, errors in zip(self.answered, self.transcripts.errors(stream), strict=True)
            )
            for stream in self.transcripts.realizable
        )
        return Fraction(worst, self.total)


@dataclass(frozen=True)
class ChallengeEvidence:
    """The evidence for the lower and the upper bound on the optimum, which `check` tests.

    Parameters
    ----------
    rounds : int
        Number of rounds.
    epsilon : Fraction
        Epsilon of the learners.
    below, above : Fraction
        Bounds with below <= e^epsilon <= above.
    lower, upper : Fraction
        Claimed bounds.
    multipliers, prices : mapping
        Dual values of the inequalities and of the equations of the program
        (`learners.optimal.challenge_program`), as integers over 2^44, without zeros.
    first, weights : tuple of int
        Weights of each orbit of first queries with answers, and of complete transcripts.
    """

    rounds: int
    epsilon: Fraction
    below: Fraction
    above: Fraction
    lower: Fraction
    upper: Fraction
    multipliers: Mapping[int, int]
    prices: Mapping[int, int]
    first: tuple[int, ...]
    weights: tuple[int, ...]

    delta = Fraction(0)

    def to_json(self) -> dict[str, Any]:
        """Return the evidence as JSON. Large integers are hexadecimal strings."""
        return {
            "rounds": self.rounds,
            **{name: str(getattr(self, name)) for name in FRACTIONS},
            "multipliers": [[row, hex(value)] for row, value in self.multipliers.items()],
            "prices": [[row, hex(value)] for row, value in self.prices.items()],
            "first": [hex(weight) for weight in self.first],
            "weights": [hex(weight) for weight in self.weights],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Return the evidence that `to_json` wrote."""
        with entries_of("it is not evidence about a predictor with private answers"):
            return cls(
                rounds=integer(data["rounds"], "number of rounds"),
                **{name: rational(data[name], name) for name in FRACTIONS},
                multipliers={row: int(value, 16) for row, value in data["multipliers"]},
                prices={row: int(value, 16) for row, value in data["prices"]},
                first=tuple(int(weight, 16) for weight in data["first"]),
                weights=tuple(int(weight, 16) for weight in data["weights"]),
            )

    @property
    def guarantee(self) -> Event:
        """The privacy of the answers to all users except one."""
        return guarantee(self.epsilon, self.delta, "optimal predictor", Scope.adaptive("challenge"))

    def check(self, C: ConceptClass) -> AnswerLaw:
        """Return the predictor of the upper bound, after a check of all claims for the class.

        Raises
        ------
        BadCertificate
            If a claim is not proved. The message names the claim.
        """
        if self.rounds < 1:
            raise BadCertificate("The number of rounds is out of range.")
        require_ratios(self.epsilon, self.below, self.above)
        points = C.domain.size or 0
        if not 1 <= points <= 8 or (4 * points) ** min(self.rounds, 64) > LISTED:
            raise BadCertificate(
                "A certificate about private answers must be about a class on 1 to 8 points, and "
                f"at most {LISTED:,} transcripts."
            )
        program = ChallengeProgram(ChallengeTranscripts.of(C, self.rounds))
        lower = self._proved_lower(program)
        if self.lower > lower:
            raise BadCertificate(
                f"The claimed lower bound is {brief(self.lower)}, but the proved lower bound is "
                f"{brief(lower)}."
            )
        law = AnswerLaw(program.transcripts, self.first, self.weights)
        law.require_private(self.below)
        mistakes = law.mistakes()
        if self.upper < mistakes:
            raise BadCertificate(
                f"The claimed upper bound is {brief(self.upper)}, but the predictor makes "
                f"{brief(mistakes)} mistakes."
            )
        return law

    def _proved_lower(self, program: ChallengeProgram) -> Fraction:
        linear = program.linear
        multipliers = as_vector(self.multipliers, linear.plain.rows)
        if (multipliers < 0).any():
            raise BadCertificate("A multiplier of an inequality must not be negative.")
        strategy = sum(int(multipliers[row]) for row, _ in program.moves)
        if strategy != SCALE:
            raise BadCertificate(
                f"The weights of the streams must add up to 2^44. They add up to {brief(strategy)}."
            )
        return linear.bound(multipliers, as_vector(self.prices, linear.equal.rows), self.above)


def proposed_law(
    transcripts: ChallengeTranscripts, primal: list[Array], mixed: int = MIXED
) -> AnswerLaw:
    """Return a predictor with integer weights that is close to a proposal in floats.

    The proposal is mixed with 2^-mixed of the predictor that answers by fair coins, which is
    private with a loss of 0. This compensates for the solver's errors. The weight of a history with
    a query is split between the two answers, from the first round on. If both answers are in one
    orbit, each gets half of the weight. So the total is a multiple of 2 for each round with such a
    query.

    Parameters
    ----------
    transcripts : ChallengeTranscripts
        All streams and transcripts of the game.
    primal : list of array
        Floats for the orbits of transcripts with t answers, at index t - 1.
    """
    answered = transcripts.answered
    queries = [transcripts.histories(t) for t in range(transcripts.rounds)]
    children = [
        answered[t + 1].of[query[:, None] + np.arange(2)].tolist()
        for t, query in enumerate(queries)
    ]
    units = [lcm(*(m for of in each for m in Counter(of).values())) for each in children]
    total, uniform = prod(units) << BITS, 1.0
    laws: list[list[int]] = []
    for t, query in enumerate(queries):
        uniform = uniform / 2 if t > 1 else 1 / 2
        parents: Array | list[int] = [total] * len(query)
        if t > 1:
            parents = as_objects(laws[-1])[answered[t].of[transcripts.before(query, t + 1)]]
        shares = np.maximum(primal[t], 0) * (1 - 2.0**-mixed) + uniform * 2.0**-mixed
        wide = [round(share * 2.0**100) for share in shares.tolist()]
        found = [0] * answered[t + 1].count
        for parent, of in zip(parents, children[t], strict=True):
            split_weight(parent, Counter(of), wide, prod(units[t:]), found)
        laws.append(found)
    return AnswerLaw(transcripts, tuple(laws[0]), tuple(laws[-1]))
