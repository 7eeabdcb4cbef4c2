from __future__ import annotations

import itertools
import warnings
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learners.accounting import basic
from learners.audit import audit
from learners.coins import SecureCoins, SeededCoins
from learners.not_private import NotPrivateNotice
from learners.pac.base import FewRows
from learners.tables.binarizer import Binarizer, DefaultCutsWarning, coins_of
from learners.tables.columns import (
    DataDependent,
    NotPrivateWarning,
    PrivateCuts,
    UnseenCategoryWarning,
)
from learners.tables.decision_list_classifier import (
    DecisionListClassifier,
    PrivateDecisionListClassifier,
)
from learners.tables.records import as_records
from learners.tables.rule_lists import PrivateRuleListClassifier
from learners.tables.rule_training import private_list
from learners.tables.saved import load_model
from learners.tables.task import TaskOptions
from learners.tables.winnow_classifier import PrivateWinnowClassifier
from lsclasses.errors import InvalidInput
from lsclasses.verdicts import Verdict
from tests.learners.tables.test_records import Frame
from tests.strategies import equal_names

ROOM = {"epsilon": 20}
"""For tables of a few rows."""

PRIVATE = [PrivateDecisionListClassifier, PrivateWinnowClassifier]


def people(rows, seed=0):
    rng = np.random.default_rng(seed)
    ages = rng.integers(18, 90, rows)
    jobs = rng.choice(["cook", "nurse", "pilot"], rows)
    risk = np.where((ages >= 60) | (jobs == "pilot"), "high", "low")
    return [{"age": int(a), "job": str(j)} for a, j in zip(ages, jobs, strict=True)], risk


COLUMNS = {"age": [40, 60, 75], "job": ["cook", "nurse", "pilot"]}


# ---- privacy of a whole fit, exactly


def fitted(make):
    """What a fit releases for rows ((value, label), ...): the model's file."""

    def run(rows, coins):
        X, y = np.array([[value] for value, _ in rows], float), [label for _, label in rows]
        return make(coins).fit(X, y).to_json()

    return run


def neighbouring(items, rows, neighbours):
    """All pairs of neighbouring multisets of so many rows (and one row more)."""
    samples = list(itertools.combinations_with_replacement(items, rows))
    if neighbours == "add_remove":
        return [(sample, tuple(sorted((*sample, item)))) for sample in samples for item in items]
    return [
        (one, two)
        for one, two in itertools.combinations(samples, 2)
        if sum(abs(one.count(item) - two.count(item)) for item in items) == 2
    ]


@pytest.mark.parametrize("neighbours", ["replace_one", "add_remove"])
def test_the_whole_fit_costs_what_is_stated(neighbours):
    """Private cut points and the list together, on neighbouring tables of one or two rows."""
    items = [(0.0, 0), (2.0, 1)]

    def make(coins):
        return PrivateDecisionListClassifier(
            2,
            Fraction(1, 100),
            columns=PrivateCuts(-1, 3, 3, 1, Fraction(1, 2)),
            classes=(0, 1),
            neighbours=neighbours,
            random_state=coins,
        )

    spent = make(1).fit([[0], [2]], [0, 1]).spent_
    assert tuple(spent) == (2, Fraction(1, 100))
    finding = audit(fitted(make), neighbouring(items, 1, neighbours), spent)
    assert finding.verdict == Verdict.HOLDS


def test_keeping_rows_for_testing_does_not_tell_how_many_there_are():
    """All rows of a short table may be kept; under add_remove that is no reason to refuse it."""
    epsilon, delta = Fraction(1, 2), Fraction(1, 100)

    def run(rows, coins):
        table = as_records([{"x": x, "y": y} for x, y in rows])
        described = TaskOptions(target="y", cuts=["x=1"], test_split=Fraction(1, 2))
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                task = described.task(table, epsilon, delta=delta, neighbours="add_remove")
                model, *_ = private_list(task.draw(coins), 1, coins)
        except InvalidInput:
            return "refused"
        return model.to_json()

    pair = (((0.0, 0),), ((0.0, 0), (2.0, 1)))
    assert audit(run, [pair], (epsilon, delta)).verdict == Verdict.HOLDS


def test_cut_points_from_the_data_are_flagged():
    """The twin that the name warns of: no finite epsilon holds."""

    def make(coins):
        return PrivateDecisionListClassifier(
            2, Fraction(1, 100), columns=DataDependent(1), classes=(0, 1), random_state=coins
        )

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NotPrivateWarning)
        pair = ((0.0, 0), (0.0, 1)), ((0.0, 0), (2.0, 1))
        assert audit(fitted(make), [pair], (2, Fraction(1, 100))).verdict == Verdict.VIOLATED


@pytest.mark.slow
def test_a_whole_fit_of_winnow_costs_what_is_stated():
    items = [(0.0, 0), (0.0, 1), (1.0, 0), (1.0, 1)]

    def make(coins):
        return PrivateWinnowClassifier(
            9, Fraction(1, 100), columns="flag", classes=(0, 1), updates=1, draws=1, batch=1,
            random_state=coins,
        )  # fmt: skip

    model = make(1).fit([[0], [1]], [0, 1])
    pairs = neighbouring(items, 2, "replace_one")
    assert basic(model.privacy_)[0] >= model.spent_[0]
    cut = {"tail": Fraction(1, 10**4), "resolution": Fraction(1, 200)}
    assert audit(fitted(make), pairs, model.spent_, **cut).verdict == Verdict.HOLDS


# ---- tables of every kind


@pytest.mark.parametrize("kind", [PrivateWinnowClassifier, DecisionListClassifier])
def test_dicts_frames_and_arrays_give_the_same_model(kind):
    rows, y = people(60)
    ages = np.array([row["age"] for row in rows])
    jobs = np.array([row["job"] for row in rows])
    array = np.column_stack([ages.astype(object), jobs.astype(object)])
    by_dicts = kind(columns=COLUMNS, random_state=3).fit(rows, y)
    by_arrays = kind(columns=list(COLUMNS.values()), random_state=3).fit(array, y)
    frame = Frame({"age": ages, "job": jobs})
    by_frame = kind(columns=list(COLUMNS.values()), random_state=3).fit(frame, y)
    predicted = by_dicts.predict(rows).tolist()
    assert predicted == by_arrays.predict(array).tolist() == by_frame.predict(frame).tolist()
    assert by_dicts.text() == by_arrays.text().replace("x0", "age").replace("x1", "job")
    turned = [{"job": row["job"], "age": row["age"]} for row in rows]
    assert by_dicts.predict(turned).tolist() == predicted
    assert list(by_dicts.feature_names_in_) == ["age", "job"]


@settings(max_examples=10)
@given(st.data())
@pytest.mark.parametrize("kind", [PrivateDecisionListClassifier, DecisionListClassifier])
def test_which_of_equal_labels_was_given_does_not_show(kind, data):
    """Nor does any row's label change how the classes of the other rows are written."""
    made = kind(columns="flag", random_state=1, **({} if kind == DecisionListClassifier else ROOM))
    X, labels = [[0], [1]] * 10, [0, 1] * 10
    other = [data.draw(equal_names(label)) for label in labels]
    for y in (other, [*other[:-1], True], [1.0 if label else -0.0 for label in labels]):
        assert made.fit(X, y).to_json() == made.fit(X, labels).to_json()
        assert repr(made.classes_.tolist()) == "[0, 1]"
    floats = np.array([-0.0, 1.0] * 10)
    assert repr(made.fit(X, floats).classes_.tolist()) == "[0.0, 1.0]"
    words = np.array(["b", np.str_("a")] * 10, dtype=object)
    assert repr(made.fit(X, words).classes_.tolist()) == "['a', 'b']"
    words = words[[*range(10), *range(19, 9, -1)]]
    assert repr(made.fit(X, words).classes_.tolist()) == "['a', 'b']"


def test_the_binarizer_names_its_features():
    rows, _ = people(5)
    binarizer = Binarizer(COLUMNS).fit(rows)
    assert binarizer.get_feature_names_out().tolist()[:4] == [
        "age >= 40", "age >= 60", "age >= 75", "job = cook",
    ]  # fmt: skip
    assert binarizer.transform(rows).dtype == bool
    assert tuple(binarizer.spent_) == (0, 0)
    unnamed = Binarizer([1.5]).fit([[1], [2]])
    assert unnamed.get_feature_names_out().tolist() == ["x0 >= 1.5"]
    assert unnamed.get_feature_names_out(["size"]).tolist() == ["size >= 1.5"]


def test_boolean_arrays_are_taken_as_they_are():
    X = np.array([[True, False], [False, False], [True, True]])
    assert Binarizer().fit(X).get_feature_names_out().tolist() == ["x0", "x1"]
    assert DecisionListClassifier().fit(X, [1, 0, 1]).score(X, [1, 0, 1]) == 1


# ---- what is learned


@pytest.mark.parametrize("k", [1, 2])
def test_a_private_list_finds_a_short_rule_in_many_rows(k):
    """With a fixed seed. A rule that is wrong on 100 of the rows left is chosen with probability
    below exp(-1.5 * 100) < 10^-60 in a round where another is wrong on none."""
    rows, y = people(3000)
    model = PrivateDecisionListClassifier(20, k=k, columns=COLUMNS, random_state=5).fit(rows, y)
    assert model.score(*people(500, seed=1)) > 0.98
    assert model.rules_[-1][0] == "always"
    assert len(model.text().splitlines()) == len(model.rules_)


def test_winnow_goes_on_where_it_stopped():
    """Two calls of partial_fit make the draws of one."""
    rows, y = people(400)
    options = {"columns": COLUMNS, "rows": 400, "random_state": 4}
    whole = PrivateWinnowClassifier(20, **options).partial_fit(rows, y)
    parts = PrivateWinnowClassifier(20, **options).partial_fit(rows[:150], y[:150])
    first = parts.model_
    parts.partial_fit(rows[150:], y[150:])
    assert parts.model_ == whole.model_
    assert parts.spent_ == whole.spent_
    assert first != parts.model_
    again = PrivateWinnowClassifier(20, shuffle=False, **options).fit(rows, y)
    assert again.model_ == whole.model_
    assert again.fit(rows, y).model_ == whole.model_  # fit forgets


def test_partial_fit_takes_the_classes_first():
    model = PrivateWinnowClassifier(columns="flag", random_state=0)
    model.partial_fit([[1], [0]], ["a", "a"], classes=["a", "b"])
    model.partial_fit([[1]], ["b"])
    with pytest.raises(InvalidInput, match="Got 'c' in row 0"):
        model.partial_fit([[1]], ["c"])


# ---- what the guarantee is about


@pytest.mark.parametrize("kind", PRIVATE)
@pytest.mark.parametrize(
    ("columns", "X"),
    [(None, np.linspace(-1, 1, 20)[:, None]), (None, np.eye(20)[:, :2] > 0),
     ({}, np.eye(20)[:, :2])],
)  # fmt: skip
def test_a_matrix_without_declarations_has_a_conditional_ledger(kind, columns, X, tmp_path):
    """Whatever it holds, and wherever it says something: the estimator, its print, its file."""
    y = [0, 1] * 10
    model = kind(columns=columns, random_state=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DefaultCutsWarning)
        model.fit(X, y)
    assert model.spent_.conditional
    assert "conditional on the inputs" in str(model.model_.guarantee)
    model.model_.save(tmp_path / "m.json")
    assert load_model(tmp_path / "m.json").guarantee.conditional
    declared = kind(columns=[0.5], random_state=1).fit(X, y)
    assert not declared.spent_.conditional
    assert "conditional" not in str(declared.model_.guarantee)


def test_a_stream_is_conditional_if_a_part_of_it_is():
    binarizer = Binarizer([0.5]).fit([[0.0]])
    X, y = np.array([[0.0], [1.0]] * 20), [0, 1] * 20
    model = PrivateWinnowClassifier(columns="flag", random_state=1).partial_fit(X, y)
    assert not model.spent_.conditional
    model.partial_fit(binarizer.transform(X), y)
    assert model.spent_.conditional and model.model_.guarantee.conditional
    model.partial_fit(X, y)
    assert model.spent_.conditional


def test_a_stream_that_could_not_begin_is_not_gone_on_with():
    """Else the state of one stream would go on at the prices of another."""
    rows, y = people(50)
    model = PrivateWinnowClassifier(2, columns=COLUMNS, random_state=1).fit(rows, y)
    with pytest.raises(InvalidInput, match="0"):
        model.set_params(epsilon=0).fit(rows, y)
    assert not hasattr(model, "state_")
    model.set_params(epsilon=Fraction(1, 1000)).partial_fit(rows, y)
    assert model.spent_.epsilon <= Fraction(1, 1000)
    assert model.state_.updates <= model.learner_.updates


@pytest.mark.parametrize("kind", [*PRIVATE, DecisionListClassifier, Binarizer])
@pytest.mark.parametrize("value", [0.0, 37.0])
def test_who_uses_default_cuts_is_always_told(kind, value):
    """Whatever the values are: a warning that depends on them would be a release."""
    X, y = np.full((4, 4), value), [0, 1, 0, 1]
    with pytest.warns(DefaultCutsWarning, match="of 'x0', 'x1', 'x2' and 1 more") as caught:
        kind().fit(X, y)
    (told,) = (w for w in caught if w.category is DefaultCutsWarning)
    assert told.filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", "These rows")
        kind(columns=[30]).fit(X[:, :1], y)
        kind().fit(X[:, :1] > 0, y)


def test_columns_of_frames_keep_their_types_without_declarations_too():
    frame = Frame({"smoker": np.array([True, False]), "size": np.array([0.3, 1.2])})
    with pytest.warns(DefaultCutsWarning, match="declaration of 'x1', so"):
        model = Binarizer().fit(frame)
    assert model.get_feature_names_out().tolist()[:2] == ["x0", "x1 >= -2"]
    assert model.spent_.conditional


def test_zeros_and_ones_are_flags_only_by_declaration():
    X = np.eye(3)
    with pytest.warns(DefaultCutsWarning):
        assert Binarizer().fit(X).columns_.count == 27
    assert Binarizer("flag").fit(X).get_feature_names_out().tolist() == ["x0", "x1", "x2"]


def test_notes_about_rows_have_one_class():
    rows, y = people(50)
    for category, options in [
        (UnseenCategoryWarning, {"columns": {"age": [3], "job": ["cook"]}}),
        (FewRows, {"columns": COLUMNS, "accuracy": 0.1}),
    ]:
        assert issubclass(category, NotPrivateNotice)
        with pytest.warns(category):
            PrivateDecisionListClassifier(**options).fit(rows, y)
    # These depend on what was declared, and on nothing else.
    assert not issubclass(NotPrivateWarning, NotPrivateNotice)
    assert not issubclass(DefaultCutsWarning, NotPrivateNotice)


def test_weak_budgets_can_be_meant():
    rows, y = people(30)
    columns = {"age": PrivateCuts(0, 100, 10, 1, 21), "job": COLUMNS["job"]}
    assert tuple(Binarizer(columns, allow_weak_privacy=True).fit(rows).spent_) == (21, 0)
    for kind in PRIVATE:
        weak = kind("1e300", columns=COLUMNS, allow_weak_privacy=True, random_state=1).fit(rows, y)
        assert "inf" not in str(weak.model_.guarantee)


# ---- wrong input


def test_a_target_of_one_class_is_learned_where_both_are_public():
    rows, _ = people(4)
    one = PrivateDecisionListClassifier(columns=COLUMNS, classes=("a", "b")).fit(rows, ["a"] * 4)
    assert one.classes_.tolist() == ["a", "b"]


def test_lists_of_rows_keep_the_types_of_their_entries():
    """An array of all of them would hold texts, 'True' among them, or floats."""
    rows = [[True, 2**53 + 1, "a"], [False, 2.5, "b"]] * 10
    columns = ["flag", [str(2**53 + 1)], ["a", "b"]]
    model = DecisionListClassifier(columns=columns, unknown="ignore").fit(rows, [1, 0] * 10)
    read = model.columns_.matrix(model._read(rows[:1], reset=False))
    assert read.tolist() == [[True, True, True, False]]


def test_random_states():
    assert isinstance(coins_of(None), SecureCoins)
    seeded = SeededCoins(3)
    assert coins_of(seeded) is seeded
    draws = [
        coins_of(source).below(1 << 40)
        for source in (np.random.RandomState(2), np.random.RandomState(2))
    ]
    assert draws[0] == draws[1]
    assert coins_of(7).below(1 << 40) == SeededCoins(7).below(1 << 40)
    assert isinstance(coins_of(np.random.default_rng(1)), SeededCoins)


def test_frames_of_all_libraries_have_the_same_names_and_labels() -> None:
    pd = pytest.importorskip("pandas")
    pa = pytest.importorskip("pyarrow")
    frame = pd.DataFrame({" score": [50, 70] * 9, "flag": [True, False] * 9})
    table = pa.Table.from_pandas(frame, preserve_index=False)
    pl = pytest.importorskip("polars")
    for X in (frame, table, table.to_batches()[0], pl.from_arrow(table)):
        for name in ("score", " score"):
            learned = PrivateRuleListClassifier(
                epsilon=9, columns={name: [60], "flag": "flag"}, random_state=1
            )
            learned.fit(X, [0, 1] * 9)
            for other in (X, table):
                assert learned.predict(other).tolist() == [0, 1] * 9
    twice = pd.DataFrame([[1, 2], [3, 4]] * 9, columns=["a", "a"])
    learned = PrivateRuleListClassifier(
        epsilon=9, columns={"a#1": [2], "a#2": [3]}, random_state=1
    ).fit(twice, [0, 1] * 9)
    assert learned.predict(twice).tolist() == [0, 1] * 9
    y = pd.Series([0, 1] * 9)
    for kind in ("Int64", "int64[pyarrow]", "boolean", "bool[pyarrow]", "bool"):
        found = PrivateRuleListClassifier(epsilon=9, random_state=1, columns={"score": [60]})
        classes = found.fit(frame[[" score"]], y.astype(kind)).classes_
        assert classes.dtype.kind == ("i" if "nt" in kind else "b"), kind
