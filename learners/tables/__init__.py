"""Learning on real tables: features from columns, scikit-learn estimators, models in files.

The estimators, `Binarizer` and `joined_model` need scikit-learn, which is imported when one of them
is used. ``from learners.tables import *`` leaves them out.
"""

from __future__ import annotations

from importlib import import_module as _import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from learners.tables.bayes import BayesModel
    from learners.tables.binarizer import Binarizer as Binarizer
    from learners.tables.columns import (
        Categories,
        Cuts,
        DataDependent,
        FixedColumns,
        Flag,
        PrivateCuts,
    )
    from learners.tables.decision_list_classifier import (
        DecisionListClassifier as DecisionListClassifier,
    )
    from learners.tables.decision_list_classifier import (
        PrivateDecisionListClassifier as PrivateDecisionListClassifier,
    )
    from learners.tables.logistic_classifier import (
        PrivateLogisticRegression as PrivateLogisticRegression,
    )
    from learners.tables.logistic_models import LogisticModel
    from learners.tables.models import ListModel, Model, VoteModel
    from learners.tables.online_classifier import OnlineClassifier as OnlineClassifier
    from learners.tables.pipelines import joined_model as joined_model
    from learners.tables.records import Records, as_records, load_records
    from learners.tables.rule_lists import (
        PrivateNaiveBayesClassifier as PrivateNaiveBayesClassifier,
    )
    from learners.tables.rule_lists import PrivateRuleListClassifier as PrivateRuleListClassifier
    from learners.tables.rule_models import RuleListModel
    from learners.tables.saved import SavedModel, load_model
    from learners.tables.schemas import Schema, load_schema
    from learners.tables.winnow_classifier import PrivateWinnowClassifier as PrivateWinnowClassifier

__all__ = [
    "BayesModel",
    "Categories",
    "Cuts",
    "DataDependent",
    "FixedColumns",
    "Flag",
    "ListModel",
    "LogisticModel",
    "Model",
    "PrivateCuts",
    "Records",
    "RuleListModel",
    "SavedModel",
    "Schema",
    "VoteModel",
    "as_records",
    "load_model",
    "load_records",
    "load_schema",
]

_HOMES = {
    "BayesModel": "learners.tables.bayes",
    "Binarizer": "learners.tables.binarizer",
    "Categories": "learners.tables.columns",
    "Cuts": "learners.tables.columns",
    "DataDependent": "learners.tables.columns",
    "DecisionListClassifier": "learners.tables.decision_list_classifier",
    "FixedColumns": "learners.tables.columns",
    "Flag": "learners.tables.columns",
    "ListModel": "learners.tables.models",
    "LogisticModel": "learners.tables.logistic_models",
    "Model": "learners.tables.models",
    "OnlineClassifier": "learners.tables.online_classifier",
    "PrivateCuts": "learners.tables.columns",
    "PrivateDecisionListClassifier": "learners.tables.decision_list_classifier",
    "PrivateLogisticRegression": "learners.tables.logistic_classifier",
    "PrivateNaiveBayesClassifier": "learners.tables.rule_lists",
    "PrivateRuleListClassifier": "learners.tables.rule_lists",
    "PrivateWinnowClassifier": "learners.tables.winnow_classifier",
    "Records": "learners.tables.records",
    "RuleListModel": "learners.tables.rule_models",
    "SavedModel": "learners.tables.saved",
    "Schema": "learners.tables.schemas",
    "VoteModel": "learners.tables.models",
    "as_records": "learners.tables.records",
    "joined_model": "learners.tables.pipelines",
    "load_model": "learners.tables.saved",
    "load_records": "learners.tables.records",
    "load_schema": "learners.tables.schemas",
}
"""The module of each name. A module is imported when a program requests the name, because the
estimators need scikit-learn and predicting needs no learner."""


def __dir__() -> list[str]:
    return sorted(_HOMES)


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(_import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
