"""Conversion of a fitted pipeline to one model with columns of the table, a rule and a ledger.

The classifier at the end of a pipeline gets a matrix. It cannot name the table's columns, and its
ledger is conditional on the step that made the matrix. If this step was a `Binarizer`, the two
together contain the complete information.
"""

from __future__ import annotations

from dataclasses import replace

from learners.budget import Budget
from learners.tables.binarizer import Binarizer
from learners.tables.columns import Flag
from learners.tables.decision_list_classifier import TableClassifier
from learners.tables.guarantees import Guarantee, in_sequence
from learners.tables.models import Model
from learners.tables.scikit import Pipeline, check_is_fitted
from lsclasses.errors import InvalidInput


def joined_model(pipeline: object, *, target: str = "", allow_weak_privacy: bool = False) -> Model:
    """Return the model of a pipeline of a `Binarizer` and a classifier, for the original table.

    Its ledger is the sequential composition of the cost of the cut points and the cost of the rule,
    both under the same neighbour relation. The guarantee is conditional only if the `Binarizer` has
    no declaration of the columns. It is a simulation if one of the two steps was a simulation. If
    one of the two ledgers is missing, the model has no guarantee.

    Parameters
    ----------
    pipeline : sklearn.pipeline.Pipeline
        Pipeline that was fitted as a whole: a `Binarizer`, then a classifier of this package, which
        must not transform the features.
    target : str
        Name of the predicted column.
    allow_weak_privacy : bool
        Whether a total cost that gives almost no protection is allowed (`learners.budget.Budget`).

    Returns
    -------
    Model
        Model that can be saved. Decision lists are simplified once more, because features of one
        column are logically related.

    Raises
    ------
    InvalidInput
        If there are other steps, the classifier was not fitted on the output of this `Binarizer`,
        or the guarantees are about different neighbour relations.

    Examples
    --------
    >>> from sklearn.pipeline import make_pipeline
    >>> from learners.tables.columns import PrivateCuts
    >>> from learners.tables.decision_list_classifier import PrivateDecisionListClassifier
    >>> table = [{"age": age} for age in range(20, 80)] * 500
    >>> risk = ["high" if row["age"] >= 50 else "low" for row in table]
    >>> pipeline = make_pipeline(
    ...     Binarizer({"age": PrivateCuts(0, 100, 10, 1, epsilon=0.5)}, random_state=1),
    ...     PrivateDecisionListClassifier(0.5, random_state=1)).fit(table, risk)
    >>> pipeline[-1].rules_, pipeline[-1].spent_.summary
    ([('x0', 'high'), ('always', 'low')], '(1/2, 1e-06)-DP')
    >>> model = joined_model(pipeline, target="risk")
    >>> print(model.text())
    if age >= 50: high
    else: low
    >>> print(model.guarantee)
    a cut point of 'age': epsilon 0.5
    greedy cover: epsilon 0.5, delta 1e-06
    in all: (1, 1e-06)-differentially private, one row replaced
    covered: an adaptive adversary that observes every released value
    This is a simulation: the randomness came from a seed, so do not publish it.
    """
    binarizer, classifier = _steps(pipeline)
    check_is_fitted(binarizer)
    check_is_fitted(classifier)
    if classifier._maker != binarizer._made:
        raise InvalidInput(
            "The classifier was not fitted on the output of this Binarizer, as far as is known, so "
            "their ledgers cannot be combined. Fit the pipeline as a whole, without its memory and "
            "with arrays as the output of its steps."
        )
    if not all(isinstance(column, Flag) for column in classifier.columns_.columns):
        raise InvalidInput(
            "The classifier must use the features unchanged. Leave out its columns, and declare "
            "the columns of the table for the Binarizer."
        )
    guarantee = _together(binarizer, classifier)
    if guarantee is not None:
        Budget(guarantee.epsilon, guarantee.delta, allow_weak_privacy=allow_weak_privacy)
    model = classifier.model_.on(binarizer.columns_)
    return replace(model, target=target, guarantee=guarantee)


def _steps(pipeline: object) -> tuple[Binarizer, TableClassifier]:
    if not isinstance(pipeline, Pipeline):
        raise InvalidInput(f"A pipeline of scikit-learn is needed. Got {pipeline!r}.")
    steps = [step for _, step in pipeline.steps if step not in (None, "passthrough")]
    if (
        len(steps) != 2
        or not isinstance(steps[0], Binarizer)
        or not isinstance(steps[1], TableClassifier)
    ):
        raise InvalidInput(
            "The steps must be a Binarizer and a classifier of learners.tables. The work of other "
            "steps on the rows is neither in a ledger nor in the model. "
            f"Got {', '.join(type(step).__name__ for step in steps)}."
        )
    return steps[0], steps[1]


def _together(binarizer: Binarizer, classifier: TableClassifier) -> Guarantee | None:
    features, spent, rule = binarizer.privacy_, binarizer.spent_, classifier.model_.guarantee
    if features is None or spent is None or rule is None:
        return None
    return Guarantee.of(
        in_sequence([features, rule.event]),
        simulated=binarizer._made.simulated or rule.simulated,
        conditional=spent.conditional,
        delta=rule.delta,
    )
