from __future__ import annotations

import datetime as dt
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learners.estimators.columns import Categories, Cuts, FixedColumns
from learners.estimators.tables import Records, as_records, load_records, plain_text
from lsclasses.errors import InvalidInput
from lsclasses.files import read_csv
from tests.strategies import equal_names


class Frame:
    """What pandas and polars have in common, and nothing else."""

    def __init__(self, data):
        self.columns = list(data)
        self._data = data
        self.shape = (len(data[self.columns[0]]), len(data))

    def __getitem__(self, name):
        return self._data[name]

    def __len__(self):
        return self.shape[0]


class LazyFrame:
    """The same whose rows are not there yet, as those of polars and Spark."""

    columns = ("age",)

    def __getitem__(self, name):
        raise TypeError("'LazyFrame' object is not subscriptable (aside from slicing)")


def write(tmp_path, text):
    path = tmp_path / "table.csv"
    path.write_text(text)
    return path


def test_csv_frames_arrays_and_dicts_hold_the_same_table(tmp_path):
    path = write(tmp_path, "age,job\n41,cook\n 29 ,nurse\n")
    tables = [
        load_records(path),
        as_records(Frame({"age": np.array([41, 29]), "job": np.array(["cook", "nurse"])})),
        as_records(np.array([[41, "cook"], [29.0, "nurse"]], dtype=object), names=["age", "job"]),
        as_records([{"age": 41, "job": "cook"}, {"job": " nurse", "age": "29"}]),
    ]
    for table in tables:
        assert table.names == ("age", "job")
        assert len(table) == 2
        assert table.numbers("age").tolist() == [41, 29]
        assert table.texts("job").tolist() == ["cook", "nurse"]
        assert table.texts("age").tolist() == ["41", "29"]


def test_columns_and_rows_are_chosen():
    table = as_records([[1, 2, 3], [4, 5, 6]], names=list("abc"))
    assert table.without(["b"]).names == ("a", "c")
    assert table.rows(np.array([1])).numbers("c").tolist() == [6]
    with pytest.raises(InvalidInput, match="no column 'd'"):
        table.without(["d"])
    with pytest.raises(
        InvalidInput, match=r"There is no column 'z'. The columns are 'a', 'b', 'c'"
    ):
        table.column("z")


@pytest.mark.parametrize("entry", ["", "  ", "nan", None, math.nan])
def test_missing_numbers_are_named_by_column_and_row(entry):
    table = as_records([{"age": 1}, {"age": entry}])
    with pytest.raises(InvalidInput, match=r"Column 'age' has a missing value .* in row 1\."):
        table.numbers("age")


def test_rows_of_files_are_named_by_their_line(tmp_path):
    table = load_records(write(tmp_path, 'age,note\n1,"two\nlines"\n\n,b\n'))
    with pytest.raises(InvalidInput, match=r"'age' has a missing value .* in line 5\."):
        table.numbers("age")
    chosen = table.rows(np.array([1]))
    with pytest.raises(InvalidInput, match=r"in line 5\."):
        chosen.numbers("age")


def test_what_is_no_number_or_flag_is_refused():
    table = as_records([{"a": "1"}, {"a": "many"}])
    with pytest.raises(InvalidInput, match=r"should hold numbers\. Got 'many' in row 1"):
        table.numbers("a")
    with pytest.raises(InvalidInput, match=r"taken to hold 0 and 1.* Got 'many' in row 1"):
        table.flags("a")
    with pytest.raises(InvalidInput, match="infinite"):
        as_records([["inf"]]).numbers("x0")
    with pytest.raises(InvalidInput, match="missing value"):
        as_records([["a"], [""]]).texts("x0")
    assert as_records([["a"], [None]]).texts("x0", blank=True).tolist() == ["a", ""]


def test_what_python_alone_takes_for_a_number_is_refused():
    for column in (np.array(["7", "1_0"]), np.array(["7", "1_0"], dtype=object)):
        with pytest.raises(InvalidInput, match="Got '1_0' in row 1"):
            Records(("a",), (column,)).numbers("a")
    with pytest.raises(InvalidInput, match=r"infinite \(inf\) in row 1"):
        as_records([[1], [10**400]]).numbers("x0")


@pytest.mark.parametrize("kind", ["datetime64[D]", "datetime64[ns]", "timedelta64[s]", "complex"])
def test_dates_are_not_counted_in_units_of_their_type(kind):
    table = Records(("day",), (np.array([1, 2]).astype(kind),))
    for read in (table.numbers, table.texts, table.flags):
        with pytest.raises(InvalidInput, match="turn dates into numbers or texts first"):
            read("day")


@pytest.mark.parametrize(
    "entry", [np.datetime64("2020-01-10"), np.timedelta64(5, "D"), dt.date(2020, 1, 10),
              dt.datetime(2020, 1, 10), dt.time(9), dt.timedelta(5)]
)  # fmt: skip
def test_dates_among_other_objects_are_refused(entry):
    table = as_records([{"day": 1}, {"day": entry}])
    for read in (table.numbers, table.texts, table.flags):
        with pytest.raises(InvalidInput, match="turn dates into numbers or texts first"):
            read("day")


def test_entries_of_lists_do_not_change_with_other_rows():
    """Else one row could change all others, and a guarantee about one row would not hold."""
    rows = [[True, 2**53 + 1, "a"], ["x", 0.5, 0.1]]
    alone, together = as_records(rows[:1]), as_records(rows)
    for name in alone.names:
        assert alone.texts(name)[0] == together.texts(name)[0]


@pytest.mark.parametrize(
    "column", [np.array([0.0, 1.0]), np.array([False, True]), np.array(["false", "TRUE"])]
)
def test_flags_are_read_from_every_type(column):
    assert Records(("f",), (column,)).flags("f").tolist() == [False, True]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "empty"),
        ("a,b\n", "only a header"),
        ("a,b\n1\n", "line 2 has 1 entry, the header has 2"),
        ("a,b\n1,2,3\n", "line 2 has 3 entries, the header has 2"),
        ("a,\n1,2\n", "column 2 has none"),
        ("a,a\n1,2\n", "different names"),
        ('a\n"1\n', "not valid CSV"),
    ],
)
def test_broken_files_are_refused(tmp_path, text, problem):
    with pytest.raises(InvalidInput, match=problem):
        load_records(write(tmp_path, text))


def test_a_file_without_a_header_is_told_so(tmp_path):
    hint = r"If the first line is a row, write a line with the names of the columns above it\.$"
    for text in ("41,1,high\n", "41,1,1\n", "41,,1\n"):
        with pytest.raises(InvalidInput, match=hint):
            load_records(write(tmp_path, text + "39,0,1\n")).column("risk")
    named = load_records(write(tmp_path, "age,risk\n39,1\n"))
    for table in (named, as_records([[1, 2]], names=["0", "1"])):  # not from a file, so no line
        with pytest.raises(InvalidInput, match=r"'\.$"):
            table.column("smoker")


def test_absent_files_and_other_shapes_are_refused(tmp_path):
    with pytest.raises(InvalidInput, match="no such file"):
        read_csv(tmp_path / "none.csv")
    with pytest.raises(InvalidInput, match=r"Got shape \(2,\)"):
        as_records([1, 2])
    with pytest.raises(InvalidInput, match=r"should have 1 columns\. Got 2"):
        as_records([[1, 2]], names=["a"])
    with pytest.raises(InvalidInput, match=r"lazy one first, .* collect\(\)\. Got a LazyFrame\."):
        as_records(LazyFrame())
    with pytest.raises(InvalidInput, match="as row 1"):
        as_records([{"a": 1}, {"b": 1}])
    with pytest.raises(InvalidInput, match="same length"):
        Records(("a", "b"), (np.zeros(1), np.zeros(2)))


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1))
def test_numbers_survive_being_written(values):
    table = as_records([{"a": repr(value)} for value in values])
    assert table.numbers("a").tolist() == values


@given(st.integers(-(10**12), 10**12))
def test_whole_numbers_have_one_text_whatever_their_type(n):
    assert {plain_text(n), plain_text(float(n)), plain_text(str(n)), plain_text(np.int64(n))} == {
        str(n)
    }


whole = st.integers(-1, 2).flatmap(lambda n: st.tuples(st.just(n), equal_names(n)))


@given(st.lists(whole, min_size=1, max_size=6))
def test_equal_whole_numbers_have_equal_features(pairs):
    columns = FixedColumns(("x",), (Categories([-1, 0, 1, 2]),))
    cuts = FixedColumns(("x",), (Cuts([0, 1, 1.5]),))
    for kind in (columns, cuts):
        found = [
            kind.matrix(as_records([[pair[side]] for pair in pairs], ["x"]), "ignore")
            for side in (0, 1)
        ]
        assert (found[0] == found[1]).all()
