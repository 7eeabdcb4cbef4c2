"""All readers of tables agree on every cell: files, frames, dicts, histograms and estimators."""

from __future__ import annotations

import csv
import io
import warnings
from dataclasses import dataclass
from datetime import date, datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learners.tables import Binarizer
from learners.tables.columns import Categories, Cuts, FixedColumn, FixedColumns, Flag
from learners.tables.declarations import with_missing
from learners.tables.histogram_releases import Bins
from learners.tables.records import Records, as_records, load_records
from learners.tables.schemas import infer_schema, load_schema
from learners.tables.task import TaskOptions
from lsclasses.errors import InvalidInput
from lsclasses.files.comma_separated import quoted

WORDS = ["cook", "a,b", 'say "no"', "007", "7", "01", "é", "e\u0301", "NULL", "x=y", "a b", "-1"]
MARKERS = ["", "NA", "?", "NULL", "-999"]


@dataclass
class Drawn:
    """A column: its declaration, its entries in Python and as strings of a file."""

    column: FixedColumn
    bins: str
    entries: list[Any]
    texts: list[str]


def drawn(column: FixedColumn, bins: str, entries: list[Any], texts: list[str]) -> Drawn:
    return Drawn(with_missing(column).with_markers(["NULL", "-999"]), bins, entries, texts)


def listed(values: st.SearchStrategy[Any], rows: int) -> st.SearchStrategy[list[Any]]:
    return st.lists(st.one_of(st.none(), values), min_size=rows, max_size=rows)


@st.composite
def numbers(draw: st.DrawFn, rows: int) -> Drawn:
    whole = draw(st.booleans())
    values = st.integers(-5, 5) if whole else st.sampled_from([-1.5, 0.0, 1.0, 2.25, 1e3])
    entries = draw(listed(values, rows))
    texts = [draw(st.sampled_from(MARKERS)) if each is None else repr(each) for each in entries]
    return drawn(Cuts([-1, 1, 2.5]), "-5,0,1,1001", entries, texts)


@st.composite
def days(draw: st.DrawFn, rows: int) -> Drawn:
    timed = draw(st.booleans())
    values: Any = (
        st.datetimes(datetime(2019, 1, 1), datetime(2021, 1, 1)).map(
            lambda each: each.replace(microsecond=0)
        )
        if timed
        else st.dates(date(2019, 1, 1), date(2021, 1, 1))
    )
    entries = draw(listed(values, rows))
    texts = [draw(st.sampled_from(MARKERS[:3])) if e is None else e.isoformat() for e in entries]
    column = Cuts(["2019-07-01", "2020-01-01T12:00"])
    return drawn(column, "2019-01-01,2020-01-01,2021-01-02", entries, texts)


@st.composite
def names(draw: st.DrawFn, rows: int) -> Drawn:
    declared = draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=4, unique=True))
    entries = draw(listed(st.sampled_from(WORDS), rows))
    gone = [each for each in MARKERS if each not in declared]
    texts = [draw(st.sampled_from(gone)) if each is None else each for each in entries]
    bins = "categories:" + ",".join(map(quoted, declared))
    return drawn(Categories(declared), bins, entries, texts)


@st.composite
def flags(draw: st.DrawFn, rows: int) -> Drawn:
    entries = draw(listed(st.booleans(), rows))
    spelled = {True: ["1", "true", "True", "1.0"], False: ["0", "false", "0.0"]}
    texts = [draw(st.sampled_from(MARKERS if e is None else spelled[e])) for e in entries]
    return drawn(Flag(), "", entries, texts)


@st.composite
def tables(draw: st.DrawFn) -> list[Drawn]:
    rows = draw(st.integers(1, 6))
    kinds = st.sampled_from([numbers, days, names, flags])
    return [draw(draw(kinds)(rows)) for _ in range(draw(st.integers(1, 3)))]


def written(columns: list[Drawn], folder: Path, separator: str) -> Path:
    """A file whose first column is an index without a name, and which has two columns `twin`."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, delimiter=separator, lineterminator="\r\n")
    heads = [f"c{j}" for j in range(len(columns))]
    writer.writerow(["", *heads, "twin", "twin"])
    for i, row in enumerate(zip(*(each.texts for each in columns), strict=True)):
        writer.writerow([i, *row, "inf", "nonsense"])
    path = folder / "table.csv"
    path.write_bytes(b"\xef\xbb\xbf" + buffer.getvalue().encode())
    return path


def frames(columns: list[Drawn]) -> dict[str, Any]:
    """The table in memory, in several types."""
    data = {f"c{j}": each.entries for j, each in enumerate(columns)}
    rows = [dict(zip(data, row, strict=True)) for row in zip(*data.values(), strict=True)]
    return {
        "pandas": pd.DataFrame(data),
        "pandas of nullable types": pd.DataFrame(data).convert_dtypes(),
        "pandas with Arrow": pd.DataFrame(data).convert_dtypes(dtype_backend="pyarrow"),
        "polars": pl.DataFrame(data, strict=False),
        "pyarrow": pa.table(data),
        "dicts": rows,
    }


@pytest.mark.filterwarnings("ignore")
@given(tables(), st.sampled_from([",", ";", "\t"]))
def test_all_readers_agree_on_every_cell(
    tmp_path_factory: pytest.TempPathFactory, columns: list[Drawn], separator: str
) -> None:
    path = written(columns, tmp_path_factory.mktemp("table"), separator)
    fixed = FixedColumns(
        tuple(f"c{j}" for j in range(len(columns))), tuple(each.column for each in columns)
    )
    file = load_records(path, separator=separator, missing=["NULL,-999"])
    expected = fixed.matrix(file, "ignore")
    for kind, frame in frames(columns).items():
        found = fixed.matrix(as_records(frame), "ignore")
        assert found.tolist() == expected.tolist(), kind
        declared = dict(zip(fixed.names, fixed.columns, strict=True))
        transformed = Binarizer(declared, unknown="ignore").fit(frame).transform(frame)
        assert transformed.tolist() == expected.tolist(), kind
    for row, entries in enumerate(zip(*(each.texts for each in columns), strict=True)):
        strings = dict(zip(fixed.names, entries, strict=True))
        for j in range(fixed.count):
            source = eval(fixed.source(j), {"row": strings, "datetime": datetime})
            assert bool(source) == expected[row, j], fixed.source(j)
    for j, each in enumerate(columns):
        if each.bins:
            bins, name = Bins(each.bins), f"c{j}"
            counts = bins.counts(file, name)
            assert sum(counts) == len(file)
            for kind, frame in frames(columns).items():
                marked = as_records(frame).with_markers(file.markers)
                assert bins.counts(marked, name) == counts, kind


@pytest.mark.filterwarnings("ignore")
@given(tables())
def test_learn_accepts_every_schema_that_schema_writes(
    tmp_path_factory: pytest.TempPathFactory, columns: list[Drawn]
) -> None:
    folder = tmp_path_factory.mktemp("schema")
    path = written(columns, folder, ",")
    text = path.read_bytes().decode("utf-8-sig").replace(",inf,nonsense", ",1,0")
    path.write_text(text)
    table = load_records(path, missing=["NULL,-999"])
    schema = folder / "schema.toml"
    schema.write_text(infer_schema(table, "a table"))
    options = TaskOptions(target="twin#1", schema=load_schema(schema), test_split=0)
    try:
        task = options.task(load_records(path), 1)  # type: ignore[arg-type]
    except Exception as problem:
        assert "No column remains to learn from" in str(problem)
        return
    assert isinstance(task.features, Records) and len(task.features) == len(table)
    assert np.isfinite(task.labels).all()


def test_markers_of_flags_and_dates_hold_in_all_types() -> None:
    for entries in (np.array(["0", "1"]), np.array([0, 1]), np.array([0, 1], dtype=object)):
        marked = Records(("s",), (entries,)).cells("s").with_markers(["0"])
        with pytest.raises(InvalidInput, match="has a missing value"):
            marked.flags()
    days = pd.DataFrame({"d": pd.to_datetime(["1900-01-01", "2021-01-01"])})
    found = as_records(days).cells("d").with_markers(["1900-01-01"])
    assert found.missing().tolist() == [True, False]


def test_values_that_are_not_numbers_are_named() -> None:
    def refusal(*entries: object) -> str:
        with pytest.raises(InvalidInput) as refused:
            as_records([{"a": each} for each in entries]).cells("a").numbers()
        return str(refused.value)

    assert "Got 'x' in row 1." in refusal("1", "x")
    assert "Got -inf in row 0." in refusal(float("-inf"), 1.0)
    assert "--missing a=NAN" in refusal("NAN", "1")


def test_a_column_without_a_name_is_left_out_of_a_task(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(",a,y\n5,1,0\n6,0,1\n7,1,0\n")
    task = TaskOptions(target="y", drop=[""]).task(load_records(path), Fraction(1))
    assert task.features.names == ("a",)


def test_missing_values_of_pandas_are_compared() -> None:
    frame = pd.DataFrame({"a": pd.array([1, None, 1], dtype="Int64").astype(object)})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        as_records(frame).warn_of_constants(np.arange(3))


def test_markers_that_are_numbers_mark_equal_numbers_in_all_types() -> None:
    for marker in ("9", "9.0", "-1.5", "-1.50"):
        number = float(marker)
        for entries in (
            np.array([number, 90.0, 1.0]),
            np.array([f"{number:.2f}", "90", "v9.0"]),
            np.array([f"{number:g}", "90.0", "x"]),
            np.array([f"{number:.1f}", "0.9", "x"], dtype=np.dtypes.StringDType()),
            np.array([int(number) if number == 9 else number, 90, "9x"], dtype=object),
        ):
            cells = Records(("s",), (entries,)).cells("s").with_markers([marker])
            assert cells.missing().tolist() == [True, False, False], (marker, entries)
