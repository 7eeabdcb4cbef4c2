from __future__ import annotations

import itertools
import json
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.pipeline import make_pipeline

from learners.accounting import PrivacyFilter, basic
from learners.audit import audit
from learners.rules.naive_bayes import NaiveBayes
from learners.rules.trees import Leaf, Split
from learners.tables import (
    Binarizer,
    PrivateNaiveBayesClassifier,
    PrivateRuleListClassifier,
    RuleListModel,
    joined_model,
    load_model,
)
from learners.tables.bayes import CellScores
from learners.tables.columns import Categories, Cuts, FixedColumns, Flag, WithMissing
from learners.tables.records import as_records
from learners.tables.rule_models import HALVES, CellRule, feature_conditions, rules_of
from learners.tables.rule_plans import best_share, plan
from learners.tables.rule_training import RuleOptions, private_rules
from learners.tables.saved import model_from_json
from learners.tables.task import TableTask
from lsclasses.errors import InvalidInput
from lsclasses.verdicts import Verdict
from tests.learners.tables.test_models import python_of

COLUMNS = FixedColumns(("age", "job", "smoker"), (Cuts([30, 40, 60]), Categories("abc"), Flag()))
DICTS = [
    {"age": age, "job": job, "smoker": smoker}
    for age, job, smoker in itertools.product((20, 35, 50, 70), "abcd", (0, 1))
]
"""A row for every cell of the three columns together."""
CELLS = list(itertools.product(range(4), range(4), range(2)))
ROWS = as_records(DICTS)
MATRIX = COLUMNS.matrix(ROWS, "ignore")
CONDITIONS = feature_conditions(COLUMNS)


def table(rows=3000, seed=1):
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.integers(18, 90, rows), rng.random(rows) < 0.3])
    y = (X[:, 0] >= 40) & (X[:, 0] < 75) & (X[:, 1] == 1)
    return X, np.where(y, "yes", "no")


def trees(depth):
    leaf = st.integers(0, 1).map(Leaf)
    if not depth:
        return leaf
    below = trees(depth - 1)
    return st.one_of(leaf, st.builds(Split, st.integers(0, len(CONDITIONS) - 1), below, below))


@given(trees(3))
def test_rules_say_what_the_tree_says_and_files_and_python_say_the_same(tree):
    rules, default = rules_of(tree, CONDITIONS, COLUMNS)
    assert len(rules) <= 4
    model = RuleListModel(COLUMNS, ("no", "yes"), "t", None, tuple(rules), default, None, ())
    wanted = tree.labels(CONDITIONS, MATRIX)
    assert model.labels_of(MATRIX).tolist() == wanted.tolist()
    # Disjoint, and none is empty.
    fired = np.array([[_fires(rule, row) for rule in rules] for row in CELLS])
    assert fired.sum(axis=1).max() <= 1 and fired.any(axis=0).all()
    assert model_from_json(json.loads(model.to_json())) == model
    assert list(map(python_of(model), DICTS)) == [("no", "yes")[label] for label in wanted]


def _fires(rule, row):
    return all(row[j] in cells for j, cells in rule.cells)


SCORES = CellScores(-(1 << 19), ((0, 1, 2 << 20, 0), (1 << 18, 0, 0, 0), (0, 1 << 20)))
SCORED = RuleListModel(
    COLUMNS, ("no", "yes"), "t", None, (CellRule(((2, (1,)), (3, (3, 4, 5))), 1),), 0, SCORES, ()
)


def test_a_score_is_one_more_column():
    # As files of earlier versions have it: logarithms of odds, without their noise.
    assert SCORED.text().splitlines() == [
        "if smoker and score >= 0: yes",
        "else: no",
        "score of yes (9 conditions in all; the logarithm of the odds):",
        "  -0.50",
        "  age: +0.00 if age < 30 or age >= 60, +0.00 if 30 <= age < 40, +2.00 if 40 <= age < 60",
        "  smoker: +0.00 if not smoker, +1.00 if smoker",
        "  job: +0.25 if job = a, +0.00 if job != a",
    ]
    z = SCORES.of(COLUMNS, lambda j: MATRIX[:, j], len(MATRIX))
    assert SCORED.labels_of(MATRIX).tolist() == ((z >= 0) & MATRIX[:, 6]).astype(int).tolist()
    # Every row is scored for itself, whatever rows are beside it.
    alone = [SCORES.of(COLUMNS, lambda j, r=row: r[None, j], 1)[0] for row in MATRIX]
    assert z.tolist() == alone
    assert list(map(python_of(SCORED), DICTS)) == SCORED.predict(ROWS, "ignore")


@pytest.mark.parametrize(
    "made",
    [
        PrivateRuleListClassifier(),
        PrivateRuleListClassifier(support_share=0.2, score_share=0.3),
        PrivateRuleListClassifier(neighbours="add_remove"),
        PrivateNaiveBayesClassifier(),
    ],
)
def test_fitting_costs_epsilon_and_nothing_more(made, tmp_path):
    X, y = table()
    model = made.set_params(epsilon=1, columns=[[40, 75], "flag"], random_state=1).fit(X, y)
    assert tuple(model.spent_) == (1, 0)
    assert model.score(X, y) > 0.85
    model.model_.save(tmp_path / "model.json")
    assert load_model(tmp_path / "model.json") == model.model_
    assert ((model.decision_function(X) >= 0) == (model.predict(X) == "yes")).all()
    if isinstance(model, PrivateNaiveBayesClassifier):
        assert model.predict_proba(X).sum(axis=1) == pytest.approx(1)


def test_ledgers_name_what_was_bought():
    X, y = table()
    model = PrivateRuleListClassifier(
        1, columns=[[40, 75], "flag"], score_share=0.3, support_share=0.1, random_state=1
    ).fit(X, y)
    assert [(name, cost) for name, cost, _ in model.model_.guarantee.ledger] == [
        ("naive Bayes", Fraction(3, 10)),
        ("Gibbs tree", Fraction(3, 5)),
        ("supports of rules", Fraction(1, 10)),
    ]
    truth = np.bincount(model.model_.places_of(model.columns_.matrix(as_records(X, ["x0", "x1"]))))
    noisy = [sum(pair) for pair in model.model_.supports]
    assert np.abs(truth - noisy).max() < 6 * 2 * 20  # scale 20: but with chance e^-6 a count


def test_more_than_two_classes(tmp_path):
    X, _ = table(1000)
    y = np.where(X[:, 0] < 40, "young", np.where(X[:, 1] == 1, "smokes", "other"))
    model = PrivateRuleListClassifier(
        4, columns=[[40, 75], "flag"], support_share=0.2, random_state=1
    ).fit(X, y)
    assert model.score(X, y) > 0.95 and tuple(model.spent_) == (4, 0)
    model.model_.save(tmp_path / "model.json")
    loaded = load_model(tmp_path / "model.json")
    assert loaded == model.model_
    assert loaded.predict(as_records(X, ["x0", "x1"])) == model.predict(X).tolist()
    scores = model.decision_function(X)
    assert (model.classes_[scores.argmax(axis=1)] == model.predict(X)).all()
    assert python_of(loaded)({"x0": 20, "x1": 1}) == "young"
    plain = PrivateRuleListClassifier(columns=[[40], "flag"], score_share="best").fit(X, y)
    assert tuple(plain.spent_) == (1, 0)


class Unnoised(NaiveBayes):
    def release(self, cells, sizes, labels, coins):
        counts = [
            np.bincount(2 * c + labels, minlength=2 * s) for c, s in zip(cells, sizes, strict=True)
        ]
        return tuple(tuple(map(tuple, each.reshape(-1, 2).tolist())) for each in counts)


@pytest.mark.parametrize("broken", [False, True])
def test_rules_that_ask_a_score_of_true_counts_are_flagged(monkeypatch, broken):
    """Laws of the whole stack on two tables of one row: depth 1, 3/4 of epsilon for the score.

    The score is cut at 0 only: with five cuts the laws take 30 times as long.
    """
    monkeypatch.setattr("learners.tables.rule_models.HALVES", range(1))
    if broken:
        monkeypatch.setattr("learners.tables.rule_training.NaiveBayes", Unnoised)
    columns = FixedColumns(("x",), (Flag(),))

    def run(label, coins):
        matrix = np.ones((1, 1), dtype=bool)
        task = TableTask(
            features=as_records(matrix, columns.names),
            declared=columns.columns,
            labels=np.array([label]),
            classes=(0, 1),
            epsilon=Fraction(16),
            neighbours="replace_one",
            unknown="error",
        )
        model, *_ = private_rules(
            task.draw(coins), coins, RuleOptions(score_share=Fraction(3, 4), depth=1)
        )
        return json.dumps(model._rule_json())

    found = audit(run, ((0, 1),), (Fraction(16), 0), tail=Fraction(1, 8))
    assert (found.verdict == Verdict.VIOLATED) == broken


def test_class_weights_move_rules_to_the_heavier_class():
    rng = np.random.default_rng(1)
    X = rng.random((4000, 1)) < 0.5
    y = rng.random(4000) < np.where(X[:, 0], 0.3, 0.05)
    plain = PrivateRuleListClassifier(2, columns="flag", random_state=1).fit(X, y)
    heavy = PrivateRuleListClassifier(
        2, columns="flag", class_weight={True: 4}, random_state=1
    ).fit(X, y)
    assert not plain.predict(X).any() and (heavy.predict(X) == X[:, 0]).all()
    assert heavy.mechanism_.rate < plain.mechanism_.rate / 3


def test_plans_depend_on_public_numbers_only():
    few, many = FixedColumns(("x",), (Cuts(range(20)),)), FixedColumns(("x",), (Cuts(range(350)),))
    assert (plan(few, 10**4).depth, plan(few, 10**4).sample) == (3, None)
    assert len(plan(few, None).conditions) == 20 * 21 // 2
    assert len(plan(many, 100).conditions) == 350
    sampled = plan(many, 10**6)
    assert sampled.depth == 3 and 5000 <= sampled.sample < 10**4 and sampled.rows == 10**6
    assert plan(FixedColumns(("x",), (Cuts(range(600)),)), 10**6).depth == 2
    assert plan(many, None).sample is None
    assert [best_share(n, Fraction(1, 2)) for n in (19_999, 20_000, None)] == [
        0,
        Fraction(3, 10),
        0,
    ]


def test_a_secret_sample_is_paid_for_as_the_whole(monkeypatch):
    monkeypatch.setattr("learners.tables.rule_plans.DEEP_WORK", 8000)
    monkeypatch.setattr("learners.tables.rule_plans.LEAST_SAMPLE", 1000)
    X, y = table()
    model = PrivateRuleListClassifier(1, columns=[[40, 75], "flag"], random_state=1).fit(X, y)
    assert model.mechanism_.sample is not None and model.mechanism_.rate > Fraction(1, 2)
    assert basic(model.privacy_) == (1, 0) and "secret sample" in str(model.model_.guarantee)
    declared = PrivateRuleListClassifier(
        1, columns=[[40, 75], "flag"], neighbours="add_remove", rows=4000, random_state=1
    ).fit(X, y)
    assert declared.mechanism_.sample is not None and basic(declared.privacy_) == (1, 0)


def test_a_number_of_rows_is_declared_only_where_it_is_protected():
    X, y = table(100)
    budget = PrivacyFilter(2)
    with pytest.raises(InvalidInput, match="4000"):
        PrivateRuleListClassifier(1, rows=4000, columns=[[40, 75], "flag"], budget=budget).fit(X, y)
    assert budget.spent == (0, 0), "nothing was paid for"


def test_scores_of_five_cuts_have_half_of_the_prior():
    conditions = feature_conditions(COLUMNS, score=True)
    assert 2 * sum(conditions.counts[-len(HALVES) :]) == conditions.total


@pytest.mark.parametrize(
    "classifier",
    [
        PrivateRuleListClassifier(1, score_share=0.4, support_share=0.1, random_state=2),
        PrivateRuleListClassifier(2, random_state=1),
        PrivateNaiveBayesClassifier(1, random_state=1),
    ],
)
def test_pipelines_are_joined_to_models_of_the_table(classifier, tmp_path):
    X, y = table()
    pipeline = make_pipeline(Binarizer([[30, 40, 60, 75], "flag"]), classifier).fit(X, y)
    joined = joined_model(pipeline, target="t")
    assert joined.columns.names == ("x0", "x1")
    assert joined.predict(as_records(X, ["x0", "x1"])) == pipeline.predict(X).tolist()
    joined.save(tmp_path / "joined.json")
    assert load_model(tmp_path / "joined.json") == joined


def test_missing_values_are_a_category_of_rules_too():
    rng = np.random.default_rng(1)
    rows = [
        {"age": "NA" if rng.random() < 0.3 else int(rng.integers(18, 90)), "job": "cook"}
        for _ in range(3000)
    ]
    y = np.array([row["age"] == "NA" or 40 <= row["age"] < 60 for row in rows])
    columns = {"age": WithMissing(Cuts([30, 40, 60, 75])), "job": ["cook", "nurse"]}
    model = PrivateRuleListClassifier(1, columns=columns, random_state=1).fit(rows, y)
    assert model.score(rows, y) > 0.99
    assert len(feature_conditions(model.columns_).listed) == 5 + 2 + 6
    bayes = PrivateNaiveBayesClassifier(1, columns=columns, random_state=1).fit(rows, y)
    for each in (model, bayes):
        assert list(map(python_of(each), rows[:50])) == each.predict(rows[:50]).tolist()


def three_ages() -> tuple[list[dict[str, object]], np.ndarray, dict[str, object]]:
    rng = np.random.default_rng(5)
    rows = [
        {"age": int(rng.integers(18, 90)), "job": rng.choice(["cook", "nurse"])}
        for _ in range(3000)
    ]
    y = np.array([["young", "middle", "old"][np.digitize(row["age"], [40, 60])] for row in rows])
    return rows, y, {"age": Cuts([30, 40, 50, 60]), "job": ["cook", "nurse"]}


def test_naive_bayes_of_three_classes_is_the_model_of_the_command() -> None:
    """The estimator and `learn naive-bayes --classes` draw the same noise for the same scores."""
    rows, y, columns = three_ages()
    model = PrivateNaiveBayesClassifier(1, columns=columns, random_state=1).fit(rows, y)
    assert model.classes_.tolist() == ["middle", "old", "young"]
    chances, scores = model.predict_proba(rows), model.decision_function(rows)
    assert chances.shape == scores.shape == (len(rows), 3)
    assert np.allclose(chances.sum(axis=1), 1)
    for each in (chances, scores):
        assert (model.classes_[each.argmax(axis=1)] == model.predict(rows)).all()
    assert model.score(rows, y) > 0.99
    assert list(map(python_of(model), rows[:50])) == model.predict(rows[:50]).tolist()
    # The noise does not depend on the number of classes, and neither does the cost.
    two = PrivateNaiveBayesClassifier(1, columns=columns, random_state=1).fit(rows, y == "old")
    assert model.spent_ == two.spent_
    counts = np.array([y == name for name in model.classes_]).sum(axis=1)
    assert np.allclose(chances.mean(axis=0), counts / len(rows), atol=0.02)
