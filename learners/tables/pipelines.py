"""From a fitted pipeline to one model: the table's columns, the rule, and one ledger of both.

The classifier at the end of a pipeline gets a matrix. It cannot name the table's columns, and its
ledger is conditional on whatever made the matrix. Where that was a `Binarizer`, the two together
know everything.
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
    """The model of a pipeline of a `Binarizer` and a classifier: it predicts from the raw table.

    Its ledger is the cost of the cut points and that of the rule, one after the other, both under
    the same neighbour relation; it is conditional only if the `Binarizer` has no declaration of the
    columns, and a simulation if one of them was. Without a ledger of both there is no guarantee.

    Parameters
    ----------
    pipeline : sklearn.pipeline.Pipeline
        Fitted as a whole: a `Binarizer`, then one of the classifiers of this package, which takes
        the features as they are.
    target : str
        The name of what is predicted.
    allow_weak_privacy : bool
        Whether the cost of both together may be one that protects nobody
        (`learners.budget.Budget`).

    Returns
    -------
    Model
        It can be saved; decision lists are simplified once more, since features of one column say
        something of each other.

    Raises
    ------
    InvalidInput
        If there are other steps, the classifier was not fitted on what this `Binarizer` made, or
        the guarantees are about different neighbour relations.

    Examples
    --------
    >>> from sklearn.pipeline import make_pipeline
    >>> from learners.tables.fitted_columns import PrivateCuts
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
            "The classifier was not fitted on what this Binarizer made, as far as is known, so "
            "their ledgers do not add up to one. Fit the pipeline as a whole, without its memory "
            "and with arrays as the output of its steps."
        )
    if not all(isinstance(column, Flag) for column in classifier.columns_.columns):
        raise InvalidInput(
            "The classifier must take the features as they are. Leave out its columns; those of "
            "the table are declared for the Binarizer."
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
            "The steps must be a Binarizer and a classifier of learners.tables: what other "
            "steps do with the rows is in no ledger, and not in the model. "
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
