"""Tables of Boolean features, and learners of decision lists from them."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from learners.pac.base import FewRows
    from learners.rules.algorithm import DecisionListLearner
    from learners.rules.cover import EMCover
    from learners.rules.decision_list import DecisionList, Rule
    from learners.rules.gibbs_tree import GibbsTree
    from learners.rules.greedy_cover import GreedyCover, greedy_list, rivest
    from learners.rules.logistic_accuracy import ExcessLogLoss
    from learners.rules.logistic_regression import ObjectivePerturbation
    from learners.rules.naive_bayes import NaiveBayes
    from learners.rules.packed import Conjunction, PackedFeatures, conjunction_count
    from learners.rules.sample_sizes import promised_error, sample_size
    from learners.rules.trees import Conditions, Leaf, Split

__all__ = [
    "Conditions",
    "Conjunction",
    "DecisionList",
    "DecisionListLearner",
    "EMCover",
    "ExcessLogLoss",
    "FewRows",
    "GibbsTree",
    "GreedyCover",
    "Leaf",
    "NaiveBayes",
    "ObjectivePerturbation",
    "PackedFeatures",
    "Rule",
    "Split",
    "conjunction_count",
    "greedy_list",
    "promised_error",
    "rivest",
    "sample_size",
]

HOMES = {
    "Conditions": "learners.rules.trees",
    "Conjunction": "learners.rules.packed",
    "DecisionList": "learners.rules.decision_list",
    "DecisionListLearner": "learners.rules.algorithm",
    "EMCover": "learners.rules.cover",
    "ExcessLogLoss": "learners.rules.logistic_accuracy",
    "FewRows": "learners.pac.base",
    "GibbsTree": "learners.rules.gibbs_tree",
    "GreedyCover": "learners.rules.greedy_cover",
    "Leaf": "learners.rules.trees",
    "NaiveBayes": "learners.rules.naive_bayes",
    "ObjectivePerturbation": "learners.rules.logistic_regression",
    "PackedFeatures": "learners.rules.packed",
    "Rule": "learners.rules.decision_list",
    "Split": "learners.rules.trees",
    "conjunction_count": "learners.rules.packed",
    "greedy_list": "learners.rules.greedy_cover",
    "promised_error": "learners.rules.sample_sizes",
    "rivest": "learners.rules.greedy_cover",
    "sample_size": "learners.rules.sample_sizes",
}
"""Module that defines each public name of this package. A module is imported when a program
requests the name, because a model that predicts needs no learner."""


def __getattr__(name: str) -> Any:
    if name in HOMES:
        return getattr(import_module(HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
