"""The parts of scikit-learn that the estimators use, and the error if it is not installed."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

try:
    from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin
    from sklearn.pipeline import Pipeline
    from sklearn.utils import Tags, column_or_1d
    from sklearn.utils.metaestimators import available_if as _available_if
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.validation import (
        _check_feature_names_in,
        assert_all_finite,
        check_consistent_length,
        check_is_fitted,
        validate_data,
    )
except ImportError as missing:
    raise ImportError(
        "The estimators need scikit-learn 1.6 or later: pip install 'lsclasses[sklearn]'. "
        "The command line and learners.tables.training work without scikit-learn."
    ) from missing

_Method = TypeVar("_Method", bound=Callable[..., Any])


def available_if(check: Callable[[Any], bool]) -> Callable[[_Method], _Method]:
    """Provide a method only if the check succeeds, like scikit-learn's function of this name."""
    found: Callable[[_Method], _Method] = _available_if(check)
    return found


PROBABILITIES = ("predict_proba", "predict_log_proba")


class NamesNextStep:
    """Mixin of classifiers. The error about missing probabilities states the next step."""

    def _without_probabilities(self) -> str:
        """Return the reason why there are no probabilities, and the next step."""
        return (
            "It predicts classes only: use predict. PrivateNaiveBayesClassifier() and "
            "PrivateRuleListClassifier(support_share=0.2) have probabilities."
        )

    if not TYPE_CHECKING:  # so mypy still finds misspelled attributes

        def __getattr__(self, name: str) -> Any:
            problem = f"{type(self).__name__!r} object has no attribute {name!r}"
            if name in PROBABILITIES:
                problem = f"{problem}. {self._without_probabilities()}"
            raise AttributeError(problem, name=name, obj=None)


checked_names = _check_feature_names_in

__all__ = [
    "BaseEstimator",
    "ClassifierMixin",
    "NamesNextStep",
    "Pipeline",
    "Tags",
    "TransformerMixin",
    "assert_all_finite",
    "available_if",
    "check_classification_targets",
    "check_consistent_length",
    "check_is_fitted",
    "checked_names",
    "column_or_1d",
    "validate_data",
]
