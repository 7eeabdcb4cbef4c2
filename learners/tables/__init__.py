"""Learning on real tables: features from columns, scikit-learn estimators, models in files.

The estimators need scikit-learn, which is imported when one of them is asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from learners.tables.bayes import BayesModel
from learners.tables.columns import Categories, Cuts, FixedColumns, Flag
from learners.tables.fitted_columns import DataDependent, PrivateCuts
from learners.tables.models import ListModel, Model, VoteModel
from learners.tables.online_classifier import OnlineClassifier
from learners.tables.records import Records, as_records, load_records
from learners.tables.rule_models import RuleListModel
from learners.tables.saved import SavedModel, load_model
from learners.tables.schemas import Schema, load_schema

if TYPE_CHECKING:
    from learners.tables.binarizer import Binarizer
    from learners.tables.decision_lists import DecisionListClassifier, PrivateDecisionListClassifier
    from learners.tables.pipelines import joined_model
    from learners.tables.rule_lists import PrivateNaiveBayesClassifier, PrivateRuleListClassifier
    from learners.tables.winnow import PrivateWinnowClassifier

__all__ = [
    "BayesModel",
    "Binarizer",
    "Categories",
    "Cuts",
    "DataDependent",
    "DecisionListClassifier",
    "FixedColumns",
    "Flag",
    "ListModel",
    "Model",
    "OnlineClassifier",
    "PrivateCuts",
    "PrivateDecisionListClassifier",
    "PrivateNaiveBayesClassifier",
    "PrivateRuleListClassifier",
    "PrivateWinnowClassifier",
    "Records",
    "RuleListModel",
    "SavedModel",
    "Schema",
    "VoteModel",
    "as_records",
    "joined_model",
    "load_model",
    "load_records",
    "load_schema",
]

ESTIMATORS = {
    "Binarizer": "binarizer",
    "DecisionListClassifier": "decision_lists",
    "PrivateDecisionListClassifier": "decision_lists",
    "PrivateNaiveBayesClassifier": "rule_lists",
    "PrivateRuleListClassifier": "rule_lists",
    "PrivateWinnowClassifier": "winnow",
    "joined_model": "pipelines",
}
"""The modules of the names that need scikit-learn."""


def __getattr__(name: str) -> Any:
    if name in ESTIMATORS:
        return getattr(import_module(f"{__name__}.{ESTIMATORS[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
