"""The best private learners from samples, as learners that run, and their hard distributions."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

import numpy as np

from learners.accounting import Event
from learners.bounds import EXPECTED, Bound
from learners.coins import Coins
from learners.optimal.error_certificates import SampleLaw
from learners.optimal.error_program import HardInstance
from learners.optimal.linear import SCALE
from learners.pac.base import INDEPENDENT, POPULATION_ERROR, REALIZABLE, TRIVIAL_ERROR, BatchLearner
from learners.pac.distributions import FiniteDistribution
from learners.pac.samples import Sample
from lsclasses.domain import FiniteDomain
from lsclasses.errors import InvalidInput
from lsclasses.hypothesis import Concept, Hypothesis
from lsclasses.point_names import Label, Point
from lsclasses.table import Table


@dataclass(frozen=True)
class _FromLaw:
    """The common part of both types of learners.

    Parameters
    ----------
    points : FiniteDomain
        Points in the order of `choices`.
    choices : SampleLaw
        Distribution of answers for each multiset of rows.
    guarantee : Event
        `PureDP` or `ApproximateDP`.
    error : Fraction
        Upper bound on the expected error for every distribution.
    """

    points: FiniteDomain
    choices: SampleLaw = field(repr=False)
    guarantee: Event
    error: Fraction

    def _weights(self, sample: Sample, group: int) -> list[int]:
        """Return the weights of the answers of a group."""
        if sample.domain != self.points:
            raise InvalidInput(
                f"The learner labels {self.points.describe()}. Got rows with points of "
                f"{sample.domain.describe()}."
            )
        asked = self.choices.program.question
        if len(sample) != asked.rows:
            raise InvalidInput(f"The learner needs {asked.rows} rows. Got {len(sample)}.")
        rows = np.array([[2 * self.points.index(x) + y for x, y in sample]], dtype=np.int64)
        weights: list[int] = self.choices.table[asked.samples.index(rows)[0], group].tolist()
        return weights


@dataclass(frozen=True)
class OptimalLearner(_FromLaw, BatchLearner):
    """A private learner that draws its hypothesis from a distribution for each multiset of rows.

    **Guarantee.** (epsilon, delta)-DP for a replaced row: all pairs of samples were compared in
    integers (`SampleLaw.require_private`). If the learner was computed for public rows, the first
    rows of a sample are public, and the guarantee is only about the other rows. If it was computed
    for users, the rows of a user are consecutive, and the guarantee is for a replaced user.

    **Accuracy.** Its expected error was bounded for all distributions (`SampleLaw.at_most`). No
    private learner has an error that is smaller by more than the gap of the bounds.
    """

    @property
    def domain(self) -> FiniteDomain:
        """The points that the hypotheses label."""
        return self.points

    @property
    def privacy(self) -> Event:
        """The privacy cost of one learned hypothesis."""
        return self.guarantee

    @property
    def rows(self) -> int:
        """The number of rows that a sample must have."""
        return self.choices.program.question.rows

    def bounds(self, rows: int | None = None) -> tuple[Bound, ...]:
        """Return the proved bound on the expected error, for every distribution."""
        return (
            Bound(
                "computed for all distributions",
                f"{EXPECTED}{POPULATION_ERROR}",
                "V",
                self.error,
                trivial=TRIVIAL_ERROR,
                hypotheses=(REALIZABLE, INDEPENDENT),
            ),
        )

    @cached_property
    def _hypotheses(self) -> tuple[Concept, ...]:
        asked = self.choices.program.question
        return tuple(Concept.from_labels(self.points, labels) for labels in asked.hypotheses)

    def fit(self, sample: Sample, coins: Coins) -> Hypothesis:
        """Draw a hypothesis by the distribution for these rows."""
        return self._hypotheses[_drawn(self._weights(sample, 0), coins)]


@dataclass(frozen=True)
class OptimalPredictor(_FromLaw):
    """A private predictor with the least expected error over all distributions.

    For each multiset of rows and each query point, the predictor has a distribution of the label.

    **Guarantee.** Each label is (epsilon, delta)-DP for a replaced row. The privacy costs of
    several queries with the same sample add up.

    **Accuracy.** Its expected error was bounded for all distributions (`SampleLaw.at_most`). No
    private predictor has an error that is smaller by more than the gap of the bounds.
    """

    @property
    def rows(self) -> int:
        """The number of rows that a sample must have."""
        return self.choices.program.question.rows

    def predict(self, sample: Sample, point: Point, coins: Coins) -> Label:
        """Draw a label of a point by the distribution for these rows."""
        return _drawn(self._weights(sample, self.points.index(point)), coins)


def _drawn(weights: list[int], coins: Coins) -> int:
    possible = [a for a, weight in enumerate(weights) if weight]
    return possible[coins.pick([0] * len(possible), counts=[weights[a] for a in possible])]


@dataclass(frozen=True)
class HardPrior:
    """The prior of a lower bound: distributions on which every private learner errs on average.

    Parameters
    ----------
    concepts : Table
        Concept class.
    challenges : tuple of (Challenge, int)
        Challenges with weights over 2^44.
    """

    concepts: Table
    challenges: tuple[tuple[HardInstance, int], ...]

    def distributions(self) -> list[tuple[Fraction, FiniteDistribution]]:
        """Return the distributions with their probabilities, up to symmetries of the class."""
        found = []
        for each, weight in self.challenges:
            counts = {
                (self.concepts.points[z // 2], z % 2): count
                for z, count in enumerate(each.weights)
                if count
            }
            distribution = FiniteDistribution.of_counts(self.concepts.domain, counts)
            found.append((Fraction(weight, SCALE), distribution))
        return found
