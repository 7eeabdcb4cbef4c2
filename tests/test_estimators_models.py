from __future__ import annotations

import itertools
import json
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learners.accounting import ApproximateDP, BoundedRange, PureDP, SelfComposed, Sequential
from learners.boolean import DecisionList
from learners.estimators.columns import Categories, Cuts, FixedColumns, Flag
from learners.estimators.guarantees import Guarantee
from learners.estimators.models import (
    ListModel,
    ListRule,
    VoteModel,
    load_model,
    model_from_json,
    pack,
)
from learners.estimators.tables import as_records
from lsclasses.errors import InvalidInput

COLUMNS = FixedColumns(
    ("age", "job", "smoker"), (Cuts([20, 40, 60]), Categories(["cook", "nurse"]), Flag())
)
ROWS = [
    {"age": age, "job": job, "smoker": smoker}
    for age, job, smoker in itertools.product((5, 20, 50, 60), ("cook", "nurse", "pilot"), (0, 1))
]
"""A row for every cell of the three columns together."""

TABLE = as_records(ROWS)
MATRIX = COLUMNS.matrix(TABLE, "ignore")

rules = st.lists(
    st.builds(
        ListRule,
        st.lists(
            st.tuples(st.integers(0, COLUMNS.count - 1), st.booleans()), max_size=3, unique=True
        ).map(tuple),
        st.integers(0, 1),
    ),
    max_size=8,
).map(tuple)
lists = st.builds(
    lambda rules, default: ListModel(COLUMNS, ("no", "yes"), "risk", None, rules, default),
    rules,
    st.integers(0, 1),
)
votes = st.builds(
    lambda weights, bias: VoteModel(COLUMNS, ("no", "yes"), "risk", None, tuple(weights), bias),
    st.lists(st.integers(-3, 3), min_size=COLUMNS.count, max_size=COLUMNS.count),
    st.integers(-5, 5),
)


def naive_list(model, row):
    for rule in model.rules:
        if all(bool(row[feature]) == wanted for feature, wanted in rule.tests):
            return rule.label
    return model.default


def naive_vote(model, row):
    total = sum(w if holds else -w for w, holds in zip(model.weights, row, strict=True))
    return int(total + model.bias >= 0)


def python_of(model):
    scope: dict[str, object] = {}
    exec(model.to_python("f"), scope)
    return scope["f"]


@given(st.one_of(lists, votes))
def test_models_predict_by_definition_in_every_form(model):
    """On all cells: the matrix, the table, the Python function, and the model from its file."""
    naive = naive_list if isinstance(model, ListModel) else naive_vote
    expected = [naive(model, row) for row in MATRIX]
    assert model.labels_of(MATRIX).tolist() == expected
    assert model.labels(TABLE, "ignore").tolist() == expected
    function = python_of(model)
    assert [function(row) for row in ROWS] == [model.classes[label] for label in expected]
    assert model.predict(TABLE, "ignore") == [model.classes[label] for label in expected]
    again = model_from_json(json.loads(model.to_json()))
    assert again == model
    assert model.text() == again.text()


@settings(max_examples=400)
@given(lists)
def test_simplified_lists_are_the_same_function_with_fewer_tests(model):
    simple = model.simplified()
    assert np.array_equal(simple.labels_of(MATRIX), model.labels_of(MATRIX))
    assert len(simple.rules) <= len(model.rules)
    tests = [test for rule in simple.rules for test in rule.tests]
    assert len(tests) <= sum(len(rule.tests) for rule in model.rules)
    assert all(rule.tests for rule in simple.rules)
    assert simple.simplified() == simple


@given(lists)
def test_no_rule_of_a_simplified_list_of_single_tests_is_idle(model):
    """Where every rule tests one feature, each rule that is left decides some cell."""
    single = ListModel(
        COLUMNS,
        model.classes,
        "",
        None,
        tuple(ListRule(rule.tests[:1], rule.label) for rule in model.rules if rule.tests),
        model.default,
    ).simplified()
    whole = single.labels_of(MATRIX)
    for i in range(len(single.rules)):
        left_out = ListModel(
            COLUMNS, ("no", "yes"), "", None, single.rules[:i] + single.rules[i + 1 :],
            single.default,
        )  # fmt: skip
        assert not np.array_equal(left_out.labels_of(MATRIX), whole)


def test_a_list_over_packed_candidates_becomes_a_model_of_the_columns():
    packed = pack(COLUMNS, MATRIX, 2)
    names = packed.names
    rules = [(names.index("not 0"), 0), (names.index("3 and 5"), 1), (names.index("1"), 0)]
    found = DecisionList(rules, 1, packed.descriptions)
    model = ListModel.of(found, COLUMNS, (0, 1))
    assert np.array_equal(model.labels_of(MATRIX), found.labels(packed))
    assert model.text() == (
        "if age < 20: 0\nelse if job = cook and smoker: 1\nelse if age >= 40: 0\nelse: 1"
    )


def test_models_look_at_the_columns_they_use_only():
    model = ListModel(COLUMNS, (0, 1), "", None, (ListRule(((5, True),), 1),), 0)
    assert model.predict(as_records([{"smoker": 1}, {"smoker": 0}])) == [1, 0]
    with pytest.raises(InvalidInput, match="no column 'smoker'"):
        model.predict(as_records([{"age": 1}]))


def test_files_keep_models_and_guarantees(tmp_path):
    event = Sequential(
        (PureDP(Fraction(1, 10), name="a"), PureDP(Fraction(1, 5), name="a"),
         ApproximateDP(1, Fraction(1, 10**6), name="b"))
    )  # fmt: skip
    guarantee = Guarantee.of(event, simulated=True)
    model = ListModel(COLUMNS, (0, 1), "y", guarantee, (), 1)
    model.save(tmp_path / "m.json")
    again = load_model(tmp_path / "m.json")
    assert again == model
    assert again.guarantee is not None
    assert again.guarantee.ledger == (
        ("a", Fraction(3, 10), Fraction(0)),
        ("b", Fraction(1), Fraction(1, 10**6)),
    )
    assert "simulation" in str(again.guarantee)


def test_a_guarantee_takes_the_best_composition():
    event = SelfComposed(BoundedRange(Fraction(1, 100), name="draws"), 10_000)
    guarantee = Guarantee.of(event, simulated=False, delta=Fraction(1, 10**6))
    assert guarantee.ledger == (("draws", 100, 0),)
    assert guarantee.epsilon < 6
    assert "less than the sum" in str(guarantee)


@given(st.fractions(0, 10))
def test_budgets_are_shown_rounded_up(value):
    shown = str(Guarantee(value, Fraction(0), "replace_one", (), "basic", False))
    assert Fraction(shown.split("(")[1].split(",", maxsplit=1)[0]) >= value


@pytest.mark.parametrize(
    "change",
    [
        {"format": "other"}, {"version": 2}, {"kind": "forest"}, {"classes": [1]},
        {"columns": {}}, {"rules": [{"if": [[99, True]], "then": 1}]}, {"else": 2},
        {"rules": [{"then": 1}]}, {"privacy": {"epsilon": "1"}},
    ],
)  # fmt: skip
def test_damaged_models_are_refused(tmp_path, change):
    data = json.loads(ListModel(COLUMNS, (0, 1), "y", None, (), 1).to_json()) | change
    path = tmp_path / "m.json"
    path.write_text(json.dumps(data))
    with pytest.raises(InvalidInput, match="Cannot use"):
        load_model(path)


def changed(*keys, to):
    """A sound model with one entry changed; each of these was once read as another model."""
    rules = (ListRule(((2, False), (5, True)), 0),)
    event = PureDP(Fraction(1, 2), name="rules")
    guarantee = Guarantee.of(event, simulated=True)
    data = json.loads(ListModel(COLUMNS, (0, 1), "y", guarantee, rules, 1).to_json())
    *path, last = keys
    place = data
    for key in path:
        place = place[key]
    place[last] = to
    return data


@pytest.mark.parametrize(
    "data",
    [
        changed("kind", to=["decision list"]),
        changed("target", to=None),
        changed("classes", to=[1, 1]),
        changed("classes", to=[{}, []]),
        changed("rules", 0, "if", 0, 1, to="false"),
        changed("columns", 0, "cuts", to=[60, 40, 20]),
        changed("columns", 0, "cuts", to=[20, 20, 40, 60]),
        changed("columns", 2, to={"name": "age", "flag": True}),
        changed("columns", 2, to={"name": "smoker", "flag": False}),
        changed("columns", 2, to={"name": "smoker", "range": [0, 1], "steps": 1}),
        changed("privacy", "epsilon", to="1/0"),
        changed("privacy", "epsilon", to="-1"),
        changed("privacy", "epsilon", to="1e999999999"),
        changed("privacy", "ledger", 0, 1, to="1e9_99999999"),
        changed("privacy", "simulated", to="false"),
    ],
)
def test_models_that_would_be_read_as_others_are_refused(data):
    with pytest.raises(InvalidInput):
        model_from_json(data)


def test_votes_that_would_overflow_are_refused():
    data = json.loads(VoteModel(COLUMNS, (0, 1), "", None, (1,) * 6, 0).to_json())
    for change in ({"weights": [1 << 62, 1, 0, 0, 0, 0]}, {"bias": -(10**30)}):
        with pytest.raises(InvalidInput, match="add up to"):
            model_from_json(data | change)


def test_what_is_no_model_or_no_name_is_refused(tmp_path):
    path = tmp_path / "m.json"
    path.write_text("[]")
    with pytest.raises(InvalidInput, match="no model"):
        load_model(path)
    model = VoteModel(COLUMNS, (0, 1), "", None, (0,) * 6, 0)
    with pytest.raises(InvalidInput, match="name such as 'predict'"):
        model.to_python("def")
    data = json.loads(model.to_json()) | {"weights": [1]}
    with pytest.raises(InvalidInput, match="6 weights"):
        model_from_json(data)
