"""The selection trap: rows that are fitted again without a budget, and how to pay for a choice."""

from __future__ import annotations

import warnings
from fractions import Fraction

import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV

from learners.budget_files import BudgetFile
from learners.coins import SecureCoins
from learners.mechanisms import ExponentialMechanism
from learners.not_private import NotPrivateNotice
from learners.tables import PrivateNaiveBayesClassifier, PrivateRuleListClassifier, earlier_fits
from learners.tables.earlier_fits import COMPARED, digests
from learners.tables.records import as_records


def people(rows, seed=1):
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.normal(50, 20, rows), rng.random(rows) < 0.3]).astype(float)
    return X, (X[:, 0] >= 60).astype(int)


COLUMNS = [[20, 40, 60, 80], "flag"]


def fitted(X, y, kind=PrivateRuleListClassifier, **given):
    return kind(columns=COLUMNS, **given).fit(X, y)


def notes(*, of):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        of()
    return [str(each.message) for each in caught if each.category is NotPrivateNotice]


@pytest.mark.parametrize("rows", [200, 40 * COMPARED])
def test_most_rows_of_a_table_are_known_again_in_any_order_and_by_any_learner(rows):
    X, y = people(rows)
    assert not notes(of=lambda: fitted(X, y))
    part = np.random.default_rng(2).permutation(rows)[: 2 * rows // 3]
    (said,) = notes(of=lambda: fitted(X[part], y[part], PrivateNaiveBayesClassifier))
    assert "fitted 1 time before in this process" in said and "n_jobs" in said
    other, labels = people(rows, seed=3)
    assert not notes(of=lambda: fitted(other, labels))


def test_simulations_and_what_is_paid_for_give_no_warning(tmp_path):
    X, y = people(200)
    budget = BudgetFile.new(tmp_path / "budget.json", 3, 0)
    assert not notes(of=lambda: fitted(X, y, random_state=1))
    assert not notes(of=lambda: fitted(X, y, budget=budget))
    # But a release after them is one of rows that were looked at.
    (said,) = notes(of=lambda: fitted(X, y))
    assert "2 times before" in said


def test_a_search_warns_and_with_a_budget_every_fit_is_paid(tmp_path):
    X, y = people(400)
    grid = {"depth": [1, 2]}
    search = GridSearchCV(PrivateRuleListClassifier(columns=COLUMNS), grid, cv=2)
    # Two folds share no row; each is fitted again for the other depth, and all rows at last.
    # What load_records gives is searched like an array.
    table = as_records(X, ["age", "smoker"])
    assert len(notes(of=lambda: search.fit(table, y))) == 3
    with pytest.raises(TypeError, match="chosen by an array of their numbers"):
        table[3]
    budget = BudgetFile.new(tmp_path / "budget.json", Fraction(1, 2), 0)
    search.estimator.set_params(budget=budget, epsilon=Fraction(1, 10))
    assert not notes(of=lambda: search.fit(X, y))
    assert budget.state.remaining == (0, 0) and len(budget.state.charges) == 5


def test_a_choice_among_models_is_paid_from_the_same_budget(tmp_path):
    X, y = people(2000)
    budget = BudgetFile.new(tmp_path / "budget.json", 1, 0)
    learning, held = slice(0, 1500), slice(1500, None)
    models = [
        fitted(X[learning], y[learning], depth=depth, epsilon="2/5", budget=budget)
        for depth in (1, 2)
    ]
    right = [int((model.predict(X[held]) == y[held]).sum()) for model in models]
    choice = ExponentialMechanism(Fraction(1, 5))
    budget.charge(choice.privacy, "which depth")
    assert choice.release(right, SecureCoins()) in (0, 1)
    assert budget.state.remaining == (0, 0)


def test_digests_are_functions_of_each_row_that_differ_for_different_rows(monkeypatch):
    rng = np.random.default_rng(4)
    matrix = rng.random((500, 21)) < 0.5
    table = as_records([[k] for k in range(500)], names=("k",))
    texts = as_records([["a"]] * 500, names=("k",))
    whole = digests(matrix, table)
    assert len(set(whole.tolist())) == 500
    monkeypatch.setattr(earlier_fits, "ROWS_AT_ONCE", 7)
    order = rng.permutation(500)
    for form in (np.asfortranarray, np.ascontiguousarray):
        assert (digests(form(matrix[order]), table.rows(order)) == whole[order]).all()
    # Without numbers, each feature changes the digest.
    flipped = np.repeat(matrix[:1], 22, axis=0) ^ np.eye(22, 21, dtype=bool)
    assert len(set(digests(flipped, texts.rows(np.arange(22))).tolist())) == 22
