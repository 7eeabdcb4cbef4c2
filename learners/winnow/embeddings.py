"""Features under which the concepts of a class are halfspaces with a margin.

A family of halfspaces declares features and a margin. For every class that can be enumerated as a
table, the *concepts* can be the features, and then the margin is 1 (`ConceptFeatures`).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, get_args

import catalog
from learners.budget import Budget
from learners.playing.base.base_learner_names import MARGIN_LEARNERS, margin_learner
from learners.playing.entries import Source, class_of
from learners.playing.features import ConceptFeatures, Features
from learners.winnow.plan import WinnowParameters
from lsclasses.errors import InvalidInput, TooLarge

Embedded = Literal["own", "concepts"]
"""Name of a choice of features: ``own`` for the features of the family, or ``concepts``."""
FEATURES: tuple[Embedded, ...] = get_args(Embedded)


@dataclass(frozen=True)
class Embedding:
    """An embedding of a class as halfspaces with a margin.

    Attributes
    ----------
    features : Features
        Features of the points.
    margin : Fraction
        Margin that some halfspace of nonnegative weights over the experts has for each concept.
    bias, balanced : bool
        Whether there are a constant feature, and negations of the features, among the experts.
    """

    features: Features
    margin: Fraction
    bias: bool
    balanced: bool

    @property
    def experts(self) -> int:
        """The number of experts, each of which has a weight."""
        return (1 + self.balanced) * (self.features.count + self.bias)


def own_embedding(source: Source) -> Embedding:
    """Return the features and the margin that a family of halfspaces declares.

    Raises
    ------
    InvalidInput
        If the class is not given by the specification of a family in `MARGIN_LEARNERS`.

    Examples
    --------
    >>> found = own_embedding("decision-lists:n=3")
    >>> found.features, found.margin, found.experts
    (Literals(3, signed=False), Fraction(1, 127), 8)
    """
    if not isinstance(source, str):
        raise InvalidInput(
            "Only a family of halfspaces has specific features, and it is given by its "
            f"specification, such as margin-halfspaces:d=8,norm=3. Got {source!r}."
        )
    weighted = margin_learner(source)
    return Embedding(weighted.features, weighted.margin, weighted.bias, balanced=True)


def concept_embedding(source: Source) -> Embedding:
    """Return the concepts of a class as features, with margin 1.

    For each target concept, all weight is on this concept, so neither negations nor a constant are
    needed.

    Raises
    ------
    InvalidInput
        If the class has no concept.
    TooLarge
        If the class cannot be enumerated as a table.

    Examples
    --------
    >>> found = concept_embedding("decision-lists:n=3")
    >>> found.features.count, found.margin, found.experts
    (96, Fraction(1, 1), 96)
    """
    features = ConceptFeatures(class_of(source).to_table())
    return Embedding(features, Fraction(1), bias=False, balanced=False)


def best_embedding(
    source: Source,
    budget: Budget,
    rounds: int,
    failure: Fraction,
    features: Embedded | None = None,
) -> Embedding:
    """Return the embedding of a class with the smaller mistake bound of `DPWinnow`.

    The choice depends only on public values: the class, the budget, the number of rounds and the
    failure probability.

    Parameters
    ----------
    source : str or ConceptClass
        Concept class, or its specification.
    budget, rounds, failure
        Parameters of `WinnowParameters.from_theorem`.
    features : {"own", "concepts"}, optional
        The default is the better choice. On a tie, it is the features of the family.

    Raises
    ------
    InvalidInput
        If the features of the family are requested but do not exist, or a parameter is out of
        range.
    TooLarge
        If the concepts cannot be enumerated as a table, and other features do not exist.

    Examples
    --------
    >>> budget = Budget(4, Fraction(1, 10**6))
    >>> for spec in ("decision-lists:n=3", "margin-halfspaces:d=30,norm=1", "thresholds:n=7"):
    ...     print(best_embedding(spec, budget, 40_000, Fraction(1, 20)).features)
    ConceptFeatures(<Table: 96 concepts on 8 points>)
    Literals(30, signed=True)
    ConceptFeatures(<Table: 8 concepts on 7 points>)
    """
    if features not in (None, *FEATURES):
        raise InvalidInput(f"Features are one of {', '.join(FEATURES)}. Got {features!r}.")
    found: list[Embedding] = []
    if features == "own" or (features is None and _has_own(source)):
        found.append(own_embedding(source))
    if features != "own":
        try:
            found.append(concept_embedding(source))
        except TooLarge as error:
            if not found:
                raise TooLarge(
                    f"{error} Winnow takes the concepts as features and keeps a score for each "
                    "concept, unless the class is one of halfspaces with a known margin: "
                    f"{' and '.join(sorted(MARGIN_LEARNERS))}. With a feature for each concept, "
                    "its weights are exponential weights over the concepts. 'lsclasses run "
                    "dp-hedge' draws by such weights without a list.",
                    estimate=error.estimate,
                    limit=error.limit,
                ) from None
    if len(found) == 1:
        return found[0]

    def mistakes(each: Embedding) -> int:
        return WinnowParameters.from_theorem(
            budget, each.experts, each.margin, rounds, failure=failure
        ).mistakes

    return min(found, key=mistakes)


def _has_own(source: Source) -> bool:
    return isinstance(source, str) and catalog.parse(source)[0].name in MARGIN_LEARNERS
