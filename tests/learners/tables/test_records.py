from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learners.tables.cells import plain_text
from learners.tables.columns import Categories, Cuts, FixedColumns
from learners.tables.records import Records, as_records, load_records
from lsclasses.errors import InvalidInput
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
        assert table.cells("age").numbers().tolist() == [41, 29]
        assert table.cells("job").texts().tolist() == ["cook", "nurse"]
        assert table.cells("age").texts().tolist() == ["41", "29"]


def test_entries_of_lists_do_not_change_with_other_rows():
    """Else one row could change all others, and a guarantee about one row would not hold."""
    rows = [[True, 2**53 + 1, "a"], ["x", 0.5, 0.1]]
    alone, together = as_records(rows[:1]), as_records(rows)
    for name in alone.names:
        assert alone.cells(name).texts()[0] == together.cells(name).texts()[0]


@pytest.mark.parametrize(
    "column", [np.array([0.0, 1.0]), np.array([False, True]), np.array(["false", "TRUE"])]
)
def test_flags_are_read_from_every_type(column):
    assert Records(("f",), (column,)).cells("f").flags().tolist() == [False, True]


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1))
def test_numbers_survive_being_written(values):
    table = as_records([{"a": repr(value)} for value in values])
    assert table.cells("a").numbers().tolist() == values


SHORT = ["1", " 2", "3 ", "-4.5", "1e3", "+.5", "1_0", "0x1", "nan", "-inf", "", "NA", "\u0663"]
SHORT += ["12345678", "123456789", "1,5"]


@given(st.lists(st.sampled_from(SHORT), min_size=1, max_size=4))
def test_short_texts_are_the_numbers_that_objects_are(texts):
    """NumPy's own texts are read once for each that differs; objects one after the other."""
    found = []
    for dtype in (np.dtypes.StringDType(), object):
        table = Records(("a",), (np.array(texts, dtype=dtype),))
        try:
            found.append(table.cells("a").numbers().tolist())
        except InvalidInput as refused:
            found.append(str(refused))
    assert found[0] == found[1]


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
