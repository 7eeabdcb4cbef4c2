from __future__ import annotations

import pickle
from fractions import Fraction

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline, make_pipeline

from learners.tables.binarizer import Binarizer, DefaultCutsWarning
from learners.tables.columns import NotPrivateWarning, PrivateCuts
from learners.tables.decision_list_classifier import (
    DecisionListClassifier,
    PrivateDecisionListClassifier,
)
from learners.tables.declarations import NOT_PRIVATE
from learners.tables.pipelines import joined_model
from learners.tables.records import as_records
from learners.tables.saved import load_model
from learners.tables.winnow_classifier import PrivateWinnowClassifier
from lsclasses.errors import InvalidInput
from tests.learners.tables.test_classifiers import COLUMNS, people

CUTS = {"age": PrivateCuts(0, 100, 10, 2, 0.5), "job": COLUMNS["job"]}
KINDS = [PrivateDecisionListClassifier, PrivateWinnowClassifier, DecisionListClassifier]


def pipeline(kind=PrivateDecisionListClassifier, columns=COLUMNS, **options):
    return make_pipeline(Binarizer(columns, random_state=1), kind(random_state=1, **options))


@pytest.mark.parametrize(
    ("kind", "columns"), [(KINDS[0], CUTS), (KINDS[1], COLUMNS), (KINDS[2], CUTS)]
)
def test_the_joined_model_predicts_from_the_raw_table(kind, columns, tmp_path):
    rows, y = people(300)
    fitted = pipeline(kind, columns).fit(rows, y)
    model = joined_model(fitted, target="risk")
    model.save(tmp_path / "m.json")
    loaded = load_model(tmp_path / "m.json")
    assert loaded == model
    fresh, _ = people(50, seed=1)
    assert loaded.predict(as_records(fresh)) == fitted.predict(fresh).tolist()
    assert "x0" not in model.text() and ("age" in model.text() or "job" in model.text())
    assert (model.target, model.classes) == ("risk", ("high", "low"))


def test_the_ledger_of_both_is_one_total():
    rows, y = people(500)
    for kind in KINDS[:2]:
        fitted = pipeline(kind, CUTS).fit(rows, y)
        assert fitted[-1].spent_.conditional and not fitted[0].spent_.conditional
        guarantee = joined_model(fitted).guarantee
        assert not guarantee.conditional
        assert guarantee.ledger[0] == ("a cut point of 'age'", Fraction(1, 2), 0)
        alone = fitted[-1].model_.guarantee
        assert guarantee.ledger[1:] == alone.ledger
        assert alone.epsilon < guarantee.epsilon <= alone.epsilon + Fraction(1, 2)
        assert guarantee.delta == Fraction(1, 10**6)


def test_only_what_was_declared_is_unconditional():
    rows, y = people(200)
    X = np.array([[row["age"]] for row in rows])
    with pytest.warns(DefaultCutsWarning):
        undeclared = pipeline(columns=None).fit(X, y)
    assert joined_model(undeclared).guarantee.conditional
    with pytest.warns(NotPrivateWarning):
        leaking = pipeline(columns=NOT_PRIVATE).fit(X, y)
    assert leaking[-1].spent_.conditional
    assert joined_model(leaking).guarantee is None
    # Declaring the features of another estimator as a table does not help.
    with pytest.warns(NotPrivateWarning):
        declared = make_pipeline(
            Binarizer(NOT_PRIVATE), PrivateDecisionListClassifier(columns="flag", random_state=1)
        ).fit(X, y)
    assert declared[-1].spent_.conditional
    assert joined_model(declared).guarantee is None


def test_what_is_simulated_in_part_is_simulated():
    rows, y = people(200)
    for columns, seeds, simulated in [
        (COLUMNS, (1, None), False),  # public cut points draw nothing
        (CUTS, (1, None), True),
        (CUTS, (None, 1), True),
        (CUTS, (None, None), False),
    ]:
        one, two = seeds
        fitted = make_pipeline(
            Binarizer(columns, random_state=one), PrivateDecisionListClassifier(random_state=two)
        ).fit(rows, y)
        assert joined_model(fitted).guarantee.simulated is simulated


def test_both_together_may_be_weak():
    rows, y = people(100)
    columns = {"age": PrivateCuts(0, 100, 10, 1, 15), "job": COLUMNS["job"]}
    fitted = pipeline(columns=columns, epsilon=15).fit(rows, y)
    with pytest.raises(InvalidInput, match="An epsilon above 20"):
        joined_model(fitted)
    assert joined_model(fitted, allow_weak_privacy=True).guarantee.epsilon == 30


def test_relations_are_not_mixed():
    rows, y = people(100)
    fitted = pipeline(columns=CUTS, neighbours="add_remove").fit(rows, y)
    with pytest.raises(InvalidInput, match="different neighbour relations"):
        joined_model(fitted)
    assert joined_model(fitted.set_params(binarizer__neighbours="add_remove").fit(rows, y))


def test_pickles_and_searches_can_be_joined():
    rows, y = people(300)
    fitted = pipeline(columns=CUTS).fit(rows, y)
    assert joined_model(pickle.loads(pickle.dumps(fitted))) == joined_model(fitted)
    X = np.array([[row["age"]] for row in rows])
    search = GridSearchCV(
        pipeline(columns=[40, 60]), {"privatedecisionlistclassifier__epsilon": [1, 2]}, cv=2
    ).fit(X, y)
    assert "x0 >= 60" in joined_model(search.best_estimator_).text()


@pytest.mark.parametrize("change", ["binarizer", "failed", "elsewhere", "copied", "glued"])
def test_parts_that_were_not_fitted_together_are_not_joined(change):
    """One of the two was fitted again by itself, or is of another pipeline."""
    rows, y = people(100)
    fitted = pipeline(columns=CUTS).fit(rows, y)
    if change == "binarizer":
        fitted[0].fit(rows)
    elif change == "failed":
        with pytest.raises(InvalidInput):
            fitted.set_params(privatedecisionlistclassifier__k=0).fit(rows, y)
    elif change == "elsewhere":
        fitted[1].fit(Binarizer(COLUMNS).fit_transform(rows), y)
    elif change == "copied":
        fitted[1].fit(fitted[0].transform(rows).copy(), y)
    else:
        other = pipeline(columns=CUTS).fit(rows, y)
        fitted = Pipeline([("a", fitted[0]), ("b", other[1])])
    with pytest.raises(InvalidInput, match="was not fitted on the output of this Binarizer"):
        joined_model(fitted)


def test_steps_that_do_nothing_are_passed_by():
    _, y = people(50)
    X = np.arange(50)[:, None]
    idle = Pipeline([("no", "passthrough"), *pipeline(DecisionListClassifier, [40]).steps])
    assert joined_model(idle.fit(X, y)).columns.count == 1


def test_what_is_not_fitted_is_refused():
    with pytest.raises(ValueError, match="not fitted yet"):
        joined_model(clone(pipeline()))


def test_matrices_are_forgotten_with_their_last_use():
    from learners.tables import binarizer as module

    made = Binarizer([40]).fit([[3]])
    matrix = made.transform([[50], [3]])
    assert module._maker(matrix) == made._made
    assert module._maker(matrix[:1]) is None
    before = len(module._MADE)
    del matrix
    assert len(module._MADE) == before - 1
