"""Greedy covering as a learner from samples, for points with Boolean features."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Annotated, Literal

import numpy as np

from catalog.closed_forms.long_lists import LongLists
from catalog.closed_forms.short_lists import ShortLists
from learners.accounting import Event
from learners.bounds import Bound
from learners.checked import Failure
from learners.coins import Coins
from learners.concentration import FAILURE
from learners.pac.base import REALIZABLE, BatchLearner, Error, warn_of_few_rows
from learners.pac.entries import Alpha, Beta, SampleEntry
from learners.pac.littlestone_parameters import rows_in_words
from learners.pac.samples import Sample
from learners.playing.features import ConceptFeatures, Features, ShortConjunctions
from learners.playing.private_options import Spending
from learners.rules.decision_list import ListHypothesis
from learners.rules.greedy_cover import GreedyCover, rivest
from learners.rules.packed import Literals, PackedFeatures
from learners.rules.sample_sizes import A_LIST_FITS, SampleSize, sample_size
from lsclasses.concept_class import ConceptClass
from lsclasses.domain import Domain, Vectors
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.options import Option, check_arguments, check_fields
from lsclasses.table import Table

MOST_VALUES = 1 << 31
"""Largest number of feature values on all rows. Each value takes a byte before it is packed."""


@dataclass(frozen=True)
class DecisionListLearner(BatchLearner):
    """A private batch learner of decision lists over Boolean features, by `GreedyCover`.

    Parameters
    ----------
    features : Features
        Boolean features of points, chosen without looking at the rows.
    mechanism : GreedyCover
        Mechanism that learns the decision list, with its privacy cost.
    alpha, beta : Fraction
        Error for which `rows` and `bounds` are stated, and the probability of a larger error.
    covers : bool
        Whether every concept of the class that labels the rows is known to be a decision list over
        the features. If so,
        the error bound requires that some concept is consistent with the sample. Otherwise it
        requires that some decision list is consistent, which the library does not check.

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
    alpha: Error = Fraction(1, 10)
    beta: Failure = FAILURE
    covers: bool = False
    labels_only = False

    def __post_init__(self) -> None:
        check_fields(self)

    @property
    def domain(self) -> Domain:
        """The domain of the points of which the features are functions."""
        return self.features.domain

    @property
    def privacy(self) -> Event:
        """The privacy cost of a learned decision list."""
        return self.mechanism.privacy

    @cached_property
    def size(self) -> SampleSize:
        """The sample sizes that the error bound needs."""
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
        """The number of rows that the error bound needs."""
        return self.size.rows

    def bounds(self, rows: int | None = None) -> tuple[Bound, ...]:
        """Return the error bound for samples of `rows` rows. The default is ``self.rows``."""
        size = self.size
        bound = size.bound(size.rows if rows is None else rows)
        if self.covers:
            fits = (REALIZABLE if each == A_LIST_FITS else each for each in bound.hypotheses)
            bound = replace(bound, hypotheses=tuple(fits))
        return (bound,)

    def fit(self, sample: Sample, coins: Coins) -> ListHypothesis:
        """Learn a decision list privately from a sample.

        The method warns (`FewRows`) if the error bound needs more rows than the sample has.

        Raises
        ------
        InvalidInput
            If the points of the sample are from another domain, or the sample has no rows.
        TooLarge
            If the number of features times the number of rows exceeds 2^31.
        """
        self._require(sample.domain)
        if (size := len(sample) * self.features.count) > MOST_VALUES:
            raise TooLarge(
                f"{len(sample)} rows with {self.features.count} features each are {size} truth "
                f"values. The limit is {MOST_VALUES}. Use fewer rows, for example with a larger "
                "alpha or epsilon, or a learner that does not count the errors of every rule.",
                estimate=size,
                limit=MOST_VALUES,
            )
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


# ---- for a class

Conditions = Literal["own", "concepts"]
"""The features of rules: conjunctions of coordinates of {0,1}^n, or concepts of the class."""


@check_arguments
def conditions_for(
    C: ConceptClass,
    k: Literals = 1,
    features: Conditions | None = None,
) -> Features:
    """Return the features over which decision lists for a class need the fewest rows.

    The number of rows grows with the number of features, and the bound holds if every concept is a
    list over the features. This is true for the concepts themselves, "if c then 1, else 0". For
    conjunctions, the function computes whether this is true. All computations use only the class,
    which is public, so the guarantee does not change.

    Parameters
    ----------
    C : ConceptClass
        Concept class.
    k : int
        Largest number of literals of a conjunction.
    features : {"own", "concepts"}, optional
        Features to use: "own" for conjunctions, or "concepts". The default is the choice with fewer
        rows, or conjunctions if the class is too large for a table.

    Raises
    ------
    InvalidInput
        If conjunctions are requested or are the only option, but the points are not the points of
        {0,1}^n, or if the class has no concepts.
    TooLarge
        If the concepts are requested and cannot be enumerated as a table.

    Examples
    --------
    >>> import catalog
    >>> for spec in ("decision-lists:n=3", "parities:n=3", "thresholds:n=7"):
    ...     print(conditions_for(catalog.build(spec)))
    ShortConjunctions(3, 1, monotone=False)
    ConceptFeatures(<Table: 8 concepts on 8 points>)
    ConceptFeatures(<Table: 8 concepts on 7 points>)
    """
    n = _coordinates(C)
    if features == "own" and not n:
        raise InvalidInput(
            "Conjunctions of coordinates need the points of {0,1}^n, for example of "
            f"decision-lists:n=4. Got {C.domain.describe()}. Use the concepts as features."
        )
    if features == "own":
        return ShortConjunctions(n, k)
    try:
        concepts = ConceptFeatures(C.to_table())
    except TooLarge as error:
        if n and features is None:
            return ShortConjunctions(n, k)
        raise TooLarge(_needs_list(C, error), estimate=error.estimate, limit=error.limit) from None
    if not n or features == "concepts":
        return concepts
    own = ShortConjunctions(n, k)
    return own if own.count <= concepts.count and _are_lists(concepts.of, own) else concepts


def _needs_list(C: ConceptClass, error: TooLarge) -> str:
    """Return the reason why greedy covering needs a list of the concepts, for every sample.

    A list over d features has at least d/2 rules in expectation, for every sample, as
    docs/decision-lists.md proves. So groups of concepts with equal labels on the sample do not make
    a run shorter.
    """
    try:
        size = C.size
    except TooLarge:
        size = None
    known = "all concepts" if size is None else f"N = {rows_in_words(size)} concepts"
    return (
        f"{error} Greedy covering over {known} chooses each unused concept at least as often as "
        "the rule that ends the list. So its list has at least N/2 rules on average, for every "
        "sample (docs/decision-lists.md, The algorithm). It needs a smaller class, or points of "
        "{0,1}^n with coordinates as features (decision-lists:n=200)."
    )


def _coordinates(C: ConceptClass) -> int:
    """Return the n for which the points are {0,1}^n, or 0 if no such n exists."""
    point = next(iter(C.domain), None)
    n = len(point) if isinstance(point, tuple) else 0
    return n if n and C.domain == Vectors(2, n) else 0


def _is_listed(C: ConceptClass) -> bool:
    """Return whether the class is small enough to be listed by `conditions_for`."""
    try:
        C.to_table()
    except TooLarge:
        return False
    return True


def _are_lists(of: Table, features: Features) -> bool:
    """Return whether every concept is a decision list over the features."""
    values = np.array([features.values(x) for x in of.domain])
    packed = PackedFeatures.from_matrix(values)
    return all(rivest(packed, labels) is not None for labels in of.labels)


def _learner(
    C: ConceptClass,
    rows: int | None,
    *,
    budget: Spending,
    alpha: Alpha,
    beta: Beta,
    features: Annotated[
        Conditions | None,
        Option(
            "features of the lists: own (conjunctions of coordinates of {0,1}^n) or concepts "
            "(the concepts of the class). If every concept is a decision list over both sets of "
            "features, the default is the set for which fewer rows suffice"
        ),
    ] = None,
    k: Literals = 1,
) -> DecisionListLearner:
    conditions = conditions_for(C, k, features)
    covers = isinstance(conditions, ConceptFeatures) or (features is None and _is_listed(C))
    if isinstance(C, (LongLists, ShortLists)):
        covers = C.bounds.k <= k
    return DecisionListLearner(conditions, GreedyCover(*budget), alpha, beta, covers)


LEARNERS = (
    SampleEntry(
        "greedy-cover",
        "a private decision list over coordinates of {0,1}^n, or over concepts of the class [BF25]",
        _learner,
        details=(
            "A decision list is a list of rules 'if the feature is 1, predict this label', and "
            "the first rule that applies decides. The exponential mechanism chooses one rule "
            "after another. A rule with fewer errors on the rows that no earlier rule decides has "
            "a larger probability."
        ),
    ),
)
