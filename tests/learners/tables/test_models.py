from __future__ import annotations

import copy
import itertools
import json
import pickle
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learners import accounting
from learners.accounting import (
    ZCDP,
    ApproximateDP,
    ApproximateZCDP,
    AtOnce,
    BoundedRange,
    GaussianDP,
    Grouped,
    InAdvance,
    OneAtATime,
    Parallel,
    PostProcessed,
    PureDP,
    Scope,
    SelfComposed,
    Sequential,
    StreamParallel,
    UnderChallenge,
    UnderReplaceOne,
    total,
)
from learners.coins import SecureCoins, SeededCoins
from learners.rules import DecisionList
from learners.tables.columns import Categories, Cuts, FixedColumns, Flag
from learners.tables.guarantees import Guarantee, is_simulation
from learners.tables.ledgers import event_from_json, event_to_json
from learners.tables.models import ListModel, ListRule, VoteModel, pack
from learners.tables.records import as_records
from learners.tables.saved import load_model, model_from_json
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.files.documents import checksum, same_json
from tests.learners.tables.test_records import Frame

DATA = Scope.adaptive("replace_one")

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
    rules = tuple(ListRule(rule.tests[:1], rule.label) for rule in model.rules if rule.tests)
    single = replace(model, rules=rules).simplified()
    whole = single.labels_of(MATRIX)
    for i in range(len(single.rules)):
        left_out = replace(single, rules=single.rules[:i] + single.rules[i + 1 :])
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


def test_a_loaded_model_predicts_whatever_holds_a_table(tmp_path):
    """A data frame, dicts and an array as well as records: they were an AttributeError."""
    columns = FixedColumns(("x0", "x1"), (Cuts([40]), Flag()))
    rules = (ListRule(((0, False),), 1), ListRule(((1, True),), 0))
    ListModel(columns, ("no", "yes"), "", None, rules, 1).save(tmp_path / "m.json")
    model = load_model(tmp_path / "m.json")
    rows = [[39, 0], [41, 1], [41, 0]]
    dicts = [{"x1": flag, "x0": age} for age, flag in rows]
    frame = Frame({"x0": np.array([39, 41, 41]), "x1": np.array([0, 1, 0])})
    for table in (rows, np.array(rows), dicts, frame, as_records(rows)):
        assert model.predict(table) == ["yes", "no", "yes"]
        assert model.labels(table).tolist() == [1, 0, 1]


def test_models_look_at_the_columns_they_use_only():
    model = ListModel(COLUMNS, (0, 1), "", None, (ListRule(((5, True),), 1),), 0)
    assert model.predict(as_records([{"smoker": 1}, {"smoker": 0}])) == [1, 0]


def in_file(event, *, delta=None, simulated=True, conditional=False):
    """A model with this ledger, as parsed from its file."""
    guarantee = Guarantee.of(event, simulated=simulated, conditional=conditional, delta=delta)
    rules = (ListRule(((2, False), (5, True)), 0),)
    return json.loads(ListModel(COLUMNS, (0, 1), "y", guarantee, rules, 1).to_json())


def sealed(data):
    """The same with a checksum that fits: what somebody writes who knows how."""
    return {**data, "checksum": checksum(data)}


LIST_EVENT = Sequential(
    (SelfComposed(PureDP(Fraction(1, 10), name="a", scope=DATA), 2),
     PureDP(Fraction(1, 5), name="a", scope=DATA),
     ApproximateDP(1, Fraction(1, 10**6), name="b", scope=DATA))
)  # fmt: skip
VOTE_EVENT = Sequential(
    (StreamParallel(PureDP(Fraction(1, 5), name="count", scope=DATA), 7),
     SelfComposed(BoundedRange(Fraction(1, 50), name="draw", scope=DATA), 700))
)  # fmt: skip
TINY = Fraction(1, 10**6)


@pytest.mark.parametrize("method", ["basic", "advanced", "zcdp", "gaussian", "pld"])
def test_totals_by_every_method_are_found_again(method):
    own = Fraction(0) if method == "basic" else TINY
    guarantee = Guarantee(VOTE_EVENT, method, own, False, True)
    again = Guarantee.from_json(json.loads(json.dumps(guarantee.to_json())))
    assert again == guarantee
    assert again.epsilon == guarantee.epsilon > 0
    with pytest.raises(InvalidInput, match="adds up to epsilon"):
        Guarantee.from_json(again.to_json() | {"epsilon": str(guarantee.epsilon * 999 / 1000)})
    # A file of an earlier version may state a larger total by privacy loss distributions.
    larger = again.to_json() | {"epsilon": str(guarantee.epsilon * 11 / 10)}
    if method == "pld":
        assert Guarantee.from_json(larger) == guarantee
    else:
        with pytest.raises(InvalidInput, match="adds up to epsilon"):
            Guarantee.from_json(larger)


def test_a_guarantee_takes_the_best_composition():
    event = SelfComposed(BoundedRange(Fraction(1, 100), name="draws", scope=DATA), 10_000)
    guarantee = Guarantee.of(event, simulated=False, conditional=False, delta=TINY)
    assert guarantee.ledger == (("draws", 100, 0),)
    assert guarantee.epsilon == total(event, TINY).epsilon < 6
    assert "less than the sum" in str(guarantee)


@given(st.fractions(Fraction(1, 10**9), 10))
def test_budgets_are_shown_rounded_up(value):
    guarantee = Guarantee.of(PureDP(value, scope=DATA), simulated=False, conditional=False)
    shown = str(guarantee).split("in all: (")[1].split(",", maxsplit=1)[0]
    assert value <= Fraction(shown) <= value * (1 + Fraction(1, 10**5))


def test_what_is_conditional_says_so_everywhere():
    guarantee = Guarantee.of(LIST_EVENT, simulated=False, conditional=True)
    assert "conditional on the inputs" in str(guarantee)
    assert guarantee.to_json()["conditional"] is True
    assert str(guarantee.total).endswith("conditional on the rows as given")
    for again in (pickle.loads(pickle.dumps(guarantee.total)), copy.deepcopy(guarantee.total)):
        assert (*again, again.conditional) == (Fraction(7, 5), TINY, True)


def test_only_the_operating_system_is_no_simulation():
    class Own(SecureCoins):
        pass

    assert [is_simulation(coins) for coins in (SecureCoins(), SeededCoins(1), Own())] == [0, 1, 1]


# ---- ledgers in files

EVENTS = [
    LIST_EVENT,
    VOTE_EVENT,
    ZCDP(Fraction(1, 7), name="z", scope=Scope.adaptive("add_remove")),
    ApproximateZCDP(Fraction(1, 7), Fraction(1, 10**9), name="lists", scope=DATA),
    Sequential(
        (
            InAdvance(BoundedRange(1, scope=DATA), 3),
            GaussianDP(Fraction(1, 9), Fraction(1, 10**9), name="sums", scope=DATA),
        )
    ),
    Parallel(
        (
            PureDP(1, scope=DATA),
            PostProcessed(ApproximateDP(2, Fraction(1, 3), scope=DATA)),
        )
    ),
    OneAtATime(
        (
            AtOnce(ApproximateDP(1, Fraction(1, 9), scope=DATA)),
            PureDP(2, scope=DATA),
        )
    ),
    Grouped(ApproximateDP(1, Fraction(1, 3), scope=DATA), 3),
    UnderReplaceOne(PureDP(1, scope=Scope.adaptive("add_remove"))),
]


@pytest.mark.parametrize("event", EVENTS)
def test_ledgers_survive_files(event):
    assert event_from_json(json.loads(json.dumps(event_to_json(event)))) == event


def test_every_event_has_its_place_in_files_or_is_about_interactions():
    kinds = {
        kind
        for kind in vars(accounting).values()
        if isinstance(kind, type) and issubclass(kind, accounting.Event) and kind.__doc__
        and not kind.__name__.startswith("_")
    } - {accounting.Event, UnderChallenge}  # fmt: skip
    for kind in kinds:
        assert kind.__name__ in str(EVENTS)


# ---- what was changed in a file


def places(data, path=()):
    """The path of everything in a document."""
    yield path
    entries = data.items() if isinstance(data, dict) else enumerate(data)
    for key, value in entries if isinstance(data, (dict, list)) else ():
        if isinstance(value, (dict, list)):
            yield from places(value, (*path, key))
        else:
            yield (*path, key)


def other_values(value):
    """What somebody might write in its place."""
    if isinstance(value, dict):
        yield value | {"epsilon 1/1000": True}
        yield from ({k: v for k, v in value.items() if k != gone} for gone in value)
    elif isinstance(value, list):
        yield [*value, *value[-1:]]
        yield from (value[:i] + value[i + 1 :] for i in range(len(value)))
        yield value[::-1]
    elif isinstance(value, bool):
        yield from (not value, int(value))
    elif isinstance(value, int):
        yield from (value + 1, value - 1, 1000 * value, float(value), bool(value), str(value))
    elif isinstance(value, float):
        yield from (value - 1, int(value))
    elif isinstance(value, str):
        yield from (f"{value}0", "", None)
        if value[:1].isdigit():
            yield from (str(Fraction(value) / 2), "0", f"{value}/1", "nan", "1e999999", "9" * 300)
        yield from {"replace_one": ["add_remove"], "basic": ["pld"]}.get(value, [])
    else:
        yield 0


def edits(data):
    """All documents that differ from this one in one place."""
    for path in places(data):
        holder, value = None, data
        for key in path:
            holder, value = value, value[key]
        for other in other_values(value):
            if same_json(other, value):
                continue
            if holder is None:
                yield path, other
                continue
            holder[path[-1]] = other
            yield path, copy.deepcopy(data)
            holder[path[-1]] = value


@pytest.fixture(scope="module", params=["list", "advanced"])
def data(request):
    """A model file whose total is the sum or an advanced composition."""
    if request.param == "list":
        return in_file(LIST_EVENT)
    return in_file(VOTE_EVENT, delta=TINY, simulated=False, conditional=True)


def accepted(data):
    try:
        return model_from_json(data)
    except (InvalidInput, TooLarge):
        return None


def test_every_edit_of_a_file_is_noticed(data):
    assert accepted(data)
    found = [path for path, other in edits(data) if accepted(other)]
    assert found == []


def test_what_one_edit_with_a_new_checksum_can_still_say(data):
    """The list of `docs/tables.md`: what was learned, and two flags that only the learner knew.

    Nothing changes the total: ledger, events and total would have to be changed together.
    """
    before = model_from_json(data).guarantee
    found = set()
    for path, other in edits(data):
        model = accepted(sealed(other))
        if model is not None and path not in ((), ("checksum",)):
            found.add(".".join(str(key) for key in path if isinstance(key, str)))
            if path != ("privacy",):
                assert tuple(model.guarantee.total) == tuple(before.total)
                assert model.guarantee.scope == before.scope
                assert model.guarantee.neighbours == before.neighbours
    counts = {"privacy.events.count"} & found  # of interactive releases, which cost as much as one
    assert found - counts - {"columns", "classes", "rules", "target", "else"} == {
        "columns.name", "columns.cuts", "columns.categories", "rules.if", "rules.then",
        "privacy.simulated", "privacy.conditional",
    }  # fmt: skip
