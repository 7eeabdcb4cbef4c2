from __future__ import annotations

import json
import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from learners.tables.binarizer import Binarizer
from learners.tables.columns import (
    Categories,
    Cuts,
    DataDependent,
    FixedColumns,
    Flag,
    UnseenCategoryWarning,
    WithMissing,
    plain_number,
)
from learners.tables.declarations import NOT_PRIVATE, as_column, column_from_text, declared_columns
from learners.tables.records import Records, as_records
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.numbers import as_printed

numbers = st.floats(-1e6, 1e6)
points = st.lists(numbers, min_size=1, max_size=5)
words = st.text("abcd -", min_size=1).map(str.strip).filter(bool)
numeric = st.one_of(st.just(Flag()), points.map(Cuts))
fixed_columns = st.one_of(
    numeric,
    numeric.map(WithMissing),
    st.lists(words, min_size=1, max_size=4, unique=True).map(Categories),
)
GONE = ["", " ", "NA", "?", None, float("nan")]


def entry_of(column):
    if isinstance(column, WithMissing):
        return st.one_of(entry_of(column.column), st.sampled_from(GONE))
    if isinstance(column, Cuts):
        return st.one_of(numbers, st.sampled_from(column.points))
    if isinstance(column, Categories):
        return st.one_of(words, st.sampled_from(column.values))
    return st.sampled_from([0, 1, "true", "False"])


def truth(column, index, entry):
    """Whether a feature holds: the definition."""
    if isinstance(column, WithMissing):
        if index == column.column.count:
            return entry in GONE
        return entry not in GONE and truth(column.column, index, entry)
    if isinstance(column, Cuts):
        return float(entry) >= column.points[index]
    if isinstance(column, Categories):
        return entry == column.values[index]
    return entry in (1, "true")


@st.composite
def tables(draw):
    columns = draw(st.lists(fixed_columns, min_size=1, max_size=4))
    rows = draw(st.lists(st.tuples(*map(entry_of, columns)), min_size=1, max_size=5))
    return FixedColumns(tuple(f"c{j}" for j in range(len(columns))), tuple(columns)), rows


@given(st.fractions(-10, 10), st.fractions(Fraction(1, 10**6), 10**9), st.integers(1, 40))
def test_steps_are_the_floats_nearest_to_equal_parts(low, width, count):
    exact = {float(low + width * i / (count + 1)) for i in range(1, count + 1)}
    assert Cuts.steps(low, low + width, count).points == tuple(sorted(exact))


@given(tables())
def test_features_are_what_they_say_in_every_form(drawn):
    """The matrix, the Python expressions and the definition agree; a model's file keeps them."""
    fixed, rows = drawn
    dicts = [dict(zip(fixed.names, row, strict=True)) for row in rows]
    matrix = fixed.matrix(as_records(dicts), unknown="ignore")
    expected = [
        [
            truth(column, index, entry)
            for column, entry in zip(fixed.columns, row, strict=True)
            for index in range(column.count)
        ]
        for row in rows
    ]
    assert matrix.tolist() == expected
    for i, row in enumerate(dicts):
        for j in range(fixed.count):
            assert eval(fixed.source(j), {"row": row}) == expected[i][j]
            assert eval(fixed.source(j, False), {"row": row}) != expected[i][j]
    kept = FixedColumns.from_json(json.loads(json.dumps(fixed.to_json())))
    assert kept == fixed and hash(kept) == hash(fixed)
    for name, column in zip(fixed.names, fixed.columns, strict=True):
        inner = column.column if isinstance(column, WithMissing) else column
        assert column.rising == (inner.count if isinstance(inner, Cuts) else 0)
        for index in range(column.count):
            # What is said of a feature is that it holds, unless its negation is asked for.
            assert column.described(name, index) == column.described(name, index, True)
            assert column.source(name, index) == column.source(name, index, True)
    assert len({fixed.described(j, holds) for j in range(fixed.count) for holds in (0, 1)}) == (
        2 * fixed.count
    )


class NAType:
    """What pandas has for missing values, by the name that it is known by."""

    def __repr__(self):
        return "<NA>"

    def __eq__(self, other):
        return self

    __hash__ = None

    def __bool__(self):
        raise TypeError("boolean value of NA is ambiguous")


class NaTType(NAType):
    def __repr__(self):
        return "NaT"


SPELLED = ["None", "<NA>", "NaT", "nan", "NaN", "NA", "?", "True", "False", "true", "0", "1", "3"]
SPELLED += ["3.0", "-0.0", "-3", "0.5", "007", "1e+20", str(10**20), "red", "None ", "1" * 400]
ODD = [*SPELLED, "", "  ", " 3", None, math.nan, np.float64("nan"), NAType(), NaTType()]
ODD += [True, False, np.True_, 0, 1, 3, 3.0, -0.0, -3.0, 0.5, 1e20, 10**20, np.int64(3)]
odd_columns = st.one_of(
    st.just(WithMissing(Flag())),
    st.just(WithMissing(Cuts([0.5, 2]))),
    st.lists(st.sampled_from([*SPELLED, ""]).map(str.strip), min_size=1, unique=True).map(
        Categories
    ),
)


@given(odd_columns, st.sampled_from(ODD))
@example(Categories(["None", ""]), "None")
@example(Categories(["red", ""]), "None")
@example(WithMissing(Flag()), "<NA>")
def test_exported_functions_take_the_same_for_missing_and_for_a_category(column, entry):
    fixed = FixedColumns(("c",), (column,))
    try:
        (row,) = fixed.matrix(as_records([{"c": entry}]), unknown="ignore").tolist()
    except InvalidInput:
        return  # what prediction refuses, an exported function need not
    scope = {"row": {"c": entry}}
    assert [eval(fixed.source(j), scope) for j in range(fixed.count)] == row
    assert [eval(fixed.source(j, False), scope) for j in range(fixed.count)] == [
        not holds for holds in row
    ]
    (cell,) = column.cells(np.array([row])).tolist()
    for other in range(column.count + 1):
        assert eval(column.source_cells("c", frozenset((other,))), scope) == (cell == other)


# ---- unknown categories, missing values, wrong declarations


def test_unknown_categories_warn_or_pass():
    fixed = FixedColumns(("job",), (Categories(["cook"]),))
    table = as_records([{"job": "cook"}, {"job": "pilot"}, {"job": "pirate"}])
    with pytest.warns(UnseenCategoryWarning, match="in 2 rows: the first is 'pilot' in row 1"):
        assert fixed.matrix(table).ravel().tolist() == [True, False, False]
    assert fixed.matrix(table, "ignore").sum() == 1


def test_whole_numbers_are_one_category_however_they_are_written():
    fixed = FixedColumns(("room",), (Categories([1, 2]),))
    for entry in (1, 1.0, "1", " 1.0", np.float64(1), np.int64(1)):
        row = {"room": entry}
        assert fixed.matrix(as_records([row])).tolist() == [[True, False]]
        assert eval(fixed.source(0), {"row": row})
        assert not eval(fixed.source(1), {"row": row})
    for values in (["3", "3.0"], ["3.0", "3"]):
        for entry in values:
            versions = Categories(values).features(as_records([{"v": entry}]).cells("v"), "error")
            assert versions.tolist() == [[entry == value for value in values]]


def test_columns_are_written_in_several_ways():
    assert column_from_text("-1.5,2e3") == as_column({"cuts": [-1.5, 2000]})
    assert column_from_text("0..10/4") == as_column({"range": [0, 10], "steps": 4})
    assert column_from_text("red, green") == as_column(["red", "green"])
    assert column_from_text("categories:1,2") == Categories(["1", "2"])
    assert column_from_text("flag") == as_column("flag") == Flag()
    assert column_from_text("0..1/8:2@1/3") == as_column(
        {"private_cuts": {"range": [0, 1], "grid": 8, "count": 2, "epsilon": "1/3"}}
    )
    assert column_from_text(NOT_PRIVATE) == DataDependent()


def test_columns_are_declared_by_name_or_in_order():
    names = ["a", "b"]
    assert declared_columns(names, {"b": [2]}) == (Flag(), Cuts([2]))
    assert declared_columns(names, [[1], ["x"]]) == (Cuts([1]), Categories(["x"]))
    assert declared_columns(names, ["flag", "flag"]) == (Flag(), Flag())
    assert declared_columns(["a"], ["flag"]) == (Flag(),)
    assert declared_columns(names, {"cuts": [3]}) == (Cuts([3]), Cuts([3]))
    assert declared_columns(["1", "2"], {1: [3]}) == (Cuts([3]), Flag())
    assert declared_columns(names, {"b": "flag", "*": [1]}) == (Cuts([1]), Flag())
    assert declared_columns(["*", "b"], {"*": [1]}) == (Cuts([1]), Flag())


DATES = ["2020-01-10", "2020-01-10 12:00", "2020-01-10T12:00:00Z", "2020-01-10T12:00+02:00"]
OTHER_DATES = [
    "2020/1/10", "10.01.2020", "1/10/20", "2020-01", "12:30", "9:05 am", "10 Jan 2020",
    "10. January 2020", "Jan 10 2020",
]  # fmt: skip


@pytest.mark.parametrize("date", DATES)
def test_iso_dates_are_cut_points(date):
    column = column_from_text(date)
    assert column == as_column([date]) == Cuts([date]) and column.dates
    assert FixedColumns.from_json(FixedColumns(("d",), (column,)).to_json()).columns == (column,)
    assert column_from_text(f"categories:{date}") == Categories([date])


@pytest.mark.parametrize("date", OTHER_DATES)
def test_dates_of_other_formats_are_no_categories_unless_it_is_said(date):
    with pytest.raises(InvalidInput, match="must be a number or an ISO date such as 2020-01-10"):
        column_from_text(date)
    assert as_column({"categories": [date]}) == Categories([date])
    assert column_from_text(f"categories:{date}") == Categories([date])


@pytest.mark.parametrize(
    "text", ["18-25,26-35", "2020-2021", "January,February", "1.2.3", "A-1,B-2", "10/12", "mon"]
)
def test_names_that_are_no_dates_are_categories(text):
    assert column_from_text(text) == Categories(text.split(","))


def test_budgets_are_the_numbers_they_print():
    for value in (0.1, "1/10", np.float32(0.1), np.float64(0.1), Decimal("0.1")):
        assert as_printed(value, "epsilon") == Fraction(1, 10)


@given(st.floats(allow_nan=False, allow_infinity=False))
@example(5e14)
@example(9_999_999_999_999_998.0)
@example(1e16)
def test_numbers_are_printed_exactly(value):
    assert float(plain_number(value)) == value
    # What is written with an exponent stays so.
    assert len(plain_number(value)) <= len(repr(value)) and plain_number(value)[-2:] != ".0"


def test_columns_may_be_many_and_so_may_their_features():
    names = tuple(f"c{j}" for j in range(300))
    flags = FixedColumns(names, (Flag(),) * 300)
    assert FixedColumns.from_json(flags.to_json()) == flags
    known = WithMissing(Cuts(range(300)))
    for entry, missing in (("", True), ("7", False)):
        assert eval(known.source("x", 300), {"row": {"x": entry}}) is missing


@pytest.mark.slow
def test_more_features_than_are_computed_at_once_are_as_they_say():
    fine = FixedColumns(("x",), (Cuts(range((1 << 18) + 1)),))
    found = fine.matrix(as_records([[-1], [5], [1 << 18]], fine.names))
    assert found.sum(axis=1).tolist() == [0, 6, (1 << 18) + 1]


@given(st.data())
def test_cells_are_those_of_holding_and_sets_of_cells_are_said_in_words_and_in_python(data):
    column = data.draw(fixed_columns)
    entries = data.draw(st.lists(entry_of(column), min_size=1, max_size=5))
    features = column.features(as_records([[e] for e in entries], names=["x"]).cells("x"), "ignore")
    cells = column.cells(features)
    for row, cell in zip(features, cells, strict=True):
        assert row.tolist() == [cell in column.holding(i) for i in range(column.count)]
    proper = st.integers(1, 2 ** (column.count + 1) - 2)
    bits = data.draw(proper)
    chosen = frozenset(i for i in range(column.count + 1) if bits >> i & 1)
    source = column.source_cells("x", chosen)
    for entry, cell in zip(entries, cells, strict=True):
        assert bool(eval(source, {"row": {"x": entry}})) == (cell in chosen)
    assert "x" in column.described_cells("x", chosen)


def test_sets_of_cells_read_as_ranges_and_lists():
    age, job = Cuts([30, 40, 60]), Categories(["cook", "nurse", "pilot"])
    assert age.described_cells("age", frozenset({1, 2})) == "30 <= age < 60"
    assert age.described_cells("age", frozenset({0, 3})) == "age < 30 or age >= 60"
    assert age.described_cells("age", frozenset({2, 3})) == "age >= 40"
    assert job.described_cells("job", frozenset({0, 2})) == "job = cook or job = pilot"
    assert job.described_cells("job", frozenset({1, 2, 3})) == "job != cook"
    assert Flag().described_cells("smoker", frozenset({0})) == "not smoker"
    known = WithMissing(age)
    assert known.described_cells("age", frozenset({1, 2})) == "30 <= age < 60"
    assert known.described_cells("age", frozenset({3, 4})) == "age is missing or age >= 60"
    assert known.described_cells("age", frozenset({4})) == "age is missing"
    assert known.described_cells("age", frozenset({0, 1, 2, 3})) == "age is not missing"


ENTRIES = st.sampled_from([0, 1, 2, 39.5, 40, True, False, float("nan"), float("inf"), "1", None])


@given(
    st.lists(st.lists(ENTRIES, min_size=3, max_size=3), min_size=1, max_size=5),
    st.lists(st.sampled_from(["flag", [1], [0.5, 40]]), min_size=3, max_size=3),
    st.sampled_from([object, float, int, bool]),
)
def test_many_columns_at_once_are_as_one_by_one(rows, specs, kind):
    names = ("a", "b", "c")
    columns = FixedColumns(names, declared_columns(names, specs))
    array = np.array(rows, dtype=object)
    if kind is not object:
        try:
            array = array.astype(kind)
        except (TypeError, ValueError, OverflowError):
            return

    def answer(table):
        try:
            return columns.matrix(table).tolist()
        except InvalidInput as error:
            return str(error)

    whole = as_records(array, names)
    apart = Records(names, tuple(np.array(column, dtype=array.dtype) for column in array.T))
    stepwise = [
        column.features(apart.cells(name))
        for name, column in zip(names, columns.columns, strict=True)
        if not isinstance(answer(apart), str)
    ]
    assert answer(whole) == answer(apart)
    assert not stepwise or answer(whole) == np.hstack(stepwise).tolist()


def test_many_rows_at_once_are_as_each_alone():
    """As many as are not computed in one step."""
    values = np.random.default_rng(1).integers(0, 4, (200_000, 3)).astype(float)
    columns = FixedColumns(("a", "b", "c"), tuple(Cuts([point]) for point in (1, 2, 3)))
    assert np.array_equal(columns.matrix(as_records(values, columns.names)), values >= [1, 2, 3])


def test_features_that_would_fill_the_memory_are_refused_beforehand():
    columns = FixedColumns(("a",), (Cuts(range(1 << 13)),))
    table = Records(("a",), (np.broadcast_to(np.float64(0), 1 << 21),))
    with pytest.raises(TooLarge, match="2097152") as refused:
        columns.matrix(table)
    assert (refused.value.estimate, refused.value.limit) == (1 << 34, 1 << 33)


def test_the_features_of_a_binarizer_are_not_the_array_itself():
    array = np.array([[True], [False]])
    made = Binarizer("flag").fit_transform(array)
    assert not np.shares_memory(made, array)
    assert Binarizer("flag").fit(array)._inputs(array) == (None, False)
