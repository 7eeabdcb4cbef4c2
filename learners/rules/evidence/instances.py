"""Small instances of `learners.rules.algorithm` for its audits, chosen by their power."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from typing import Annotated

from learners.audit.instances import (
    AuditEntry,
    ClaimedDelta,
    ClaimedEpsilon,
    Instance,
    neighbouring_tables,
)
from learners.coins import Coins
from learners.pac.base import FewRows
from learners.pac.samples import Example, Sample
from learners.playing.features import ShortConjunctions
from learners.rules.algorithm import DecisionListLearner
from learners.rules.greedy_cover import GreedyCover
from lsclasses.specifications import Option


def _listed(learner: DecisionListLearner) -> Callable[[Sequence[Example], Coins], str]:
    """The list that is published for some rows, far fewer than promises need."""

    def run(rows: Sequence[Example], coins: Coins) -> str:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FewRows)
            found = learner.fit(Sample(learner.domain, rows), coins)
        return found.decision_list.text().replace("\n", ", ")

    return run


def _instance(
    *,
    epsilon: ClaimedEpsilon = Fraction(2),
    delta: ClaimedDelta = Fraction(1, 100),
    rows: Annotated[int, Option("rows of the sample", minimum=1, maximum=8)] = 8,
) -> Instance:
    """All neighbouring samples of two points that one feature tells apart."""
    features = ShortConjunctions(1, 1, monotone=True)
    learner = DecisionListLearner(features, GreedyCover(epsilon, delta))
    pairs = neighbouring_tables(list(product(features.domain, (0, 1))), rows, "replace_one")
    return Instance(learner, _listed, pairs)


AUDITS = (
    AuditEntry(
        "decision_list_learner",
        "a decision list from a sample of points that have features",
        _instance,
    ),
)
