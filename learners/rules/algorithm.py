"""Greedy covering as a learner from samples of any points that have Boolean features."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Annotated

import numpy as np

from learners import checked
from learners.accounting import Event
from learners.bounds import Bound
from learners.coins import Coins
from learners.concentration import FAILURE
from learners.pac.base import BatchLearner, checked_error, warn_of_few_rows
from learners.pac.entries import Alpha, Beta, SampleEntry
from learners.pac.samples import Sample
from learners.playing.entries import Spending
from learners.playing.features import Features, ShortConjunctions
from learners.rules.decision_list import ListHypothesis
from learners.rules.greedy_cover import GreedyCover
from learners.rules.packed import PackedFeatures
from learners.rules.sample_size import SampleSize, sample_size
from lsclasses.concept_class import ConceptClass
from lsclasses.domain import Domain, Vectors
from lsclasses.errors import InvalidInput
from lsclasses.frozen import settle
from lsclasses.specifications import Option


@dataclass(frozen=True)
class DecisionListLearner(BatchLearner):
    """`GreedyCover` on the features of points: a private learner of decision lists.

    Parameters
    ----------
    features : Features
        Chosen without looking at rows.
    mechanism : GreedyCover
    alpha, beta : Fraction
        The error that `rows` and `bounds` are about, and the probability of a larger one.

    Raises
    ------
    InvalidInput
        If alpha or beta is out of range, or a float.

    References
    ----------
    [BF25, Thm 3.5, Cor. A.8]

    Examples
    --------
    >>> from learners.pac.distributions import UniformDistribution
    >>> from learners.rules.decision_list import DecisionList
    >>> from learners.coins import SeededCoins
    >>> from learners.playing.features import ShortConjunctions
    >>> features = ShortConjunctions(4, 1)
    >>> target = DecisionList([(0, 1), (3, 0)], 0, [f"f{i}" for i in range(8)]).hypothesis(features)
    >>> D = UniformDistribution(features.domain, target)
    >>> learner = DecisionListLearner(features, GreedyCover(1, Fraction(1, 10**6)))
    >>> learner.rows
    13815
    >>> D.loss(learner.fit(D.sample(learner.rows, SeededCoins(1)), SeededCoins(2)))
    Fraction(0, 1)
    """

    features: Features
    mechanism: GreedyCover
    alpha: Fraction = Fraction(1, 10)
    beta: Fraction = FAILURE
    labels_only = False

    def __post_init__(self) -> None:
        settle(self, alpha=checked_error(self.alpha), beta=checked.failure(self.beta))

    @property
    def domain(self) -> Domain:
        """The points that have the features."""
        return self.features.domain

    @property
    def privacy(self) -> Event:
        """What a list costs."""
        return self.mechanism.privacy

    @cached_property
    def size(self) -> SampleSize:
        """What is known of the number of rows."""
        mechanism = self.mechanism
        return sample_size(
            self.features.count,
            mechanism.epsilon,
            mechanism.delta,
            self.alpha,
            self.beta,
            neighbours=mechanism.neighbours,
        )

    @property
    def rows(self) -> int:
        """How many rows the promise needs."""
        return self.size.rows

    def bounds(self, rows: int | None = None) -> tuple[Bound, ...]:
        """The promise for a sample of so many rows; as many as it needs, if omitted."""
        size = self.size
        return (size.bound(size.rows if rows is None else rows),)

    def fit(self, sample: Sample, coins: Coins) -> ListHypothesis:
        """A private decision list.

        There is a warning (`FewRows`) if the promise needs more rows.

        Raises
        ------
        InvalidInput
            If the sample is one of points of another domain, or has no row.
        """
        self._require(sample.domain)
        warn_of_few_rows(self.rows, len(sample))
        points = list(dict.fromkeys(x for x, _ in sample))
        numbers = {x: i for i, x in enumerate(points)}
        values = np.array([self.features.values(x) for x in points])
        values = values.reshape(len(points), self.features.count)
        order = np.array([numbers[x] for x, _ in sample], dtype=np.intp)
        labels = np.array([y for _, y in sample], dtype=np.uint8)
        packed = PackedFeatures.from_matrix(values[order])
        found = self.mechanism.fit(packed, labels, coins, accuracy=None)
        return found.hypothesis(self.features)


def _learner(
    C: ConceptClass,
    rows: int | None,
    *,
    budget: Spending,
    alpha: Alpha,
    beta: Beta,
    k: Annotated[int, Option("literals in a condition, at most", minimum=1)] = 1,
) -> DecisionListLearner:
    point = next(iter(C.domain))
    n = len(point) if isinstance(point, tuple) else 0
    if not n or C.domain != Vectors(2, n):
        raise InvalidInput(
            "Greedy covering learns decision lists over the coordinates of the points of {0,1}^n, "
            f"such as those of decision-lists:n=4. Got {C.domain.describe()}."
        )
    return DecisionListLearner(ShortConjunctions(n, k), GreedyCover(*budget), alpha, beta)


LEARNERS = (
    SampleEntry(
        "greedy-cover",
        "a decision list over the coordinates of points of {0,1}^n [BF25]",
        _learner,
    ),
)
