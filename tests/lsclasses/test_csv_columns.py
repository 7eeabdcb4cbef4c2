"""CSV by columns says what the module csv says of the same bytes, line for line."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import lsclasses.csv_columns as module
from lsclasses.csv_columns import as_texts, csv_columns
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.files.comma_separated import read_csv


def answer(path: Path) -> object:
    try:
        found = csv_columns(path)
    except InvalidInput as error:
        return str(error)
    rows = [as_texts(column).tolist() for column in found.columns]
    return found.header, list(zip(*rows, strict=True)), found.lines.tolist()


def expected(path: Path) -> object:
    try:
        header, body = read_csv(path)
    except InvalidInput as error:
        return str(error)
    return header, [tuple(cells) for _, cells in body], [number for number, _ in body]


PIECES = st.sampled_from([*'a1,,\n\n\r" é\0日', "\r\n", '""', '"b"', '"x,\ny"'])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("csv")


@given(st.lists(PIECES, max_size=25).map("".join), st.integers(1, 40), st.booleans())
@example('a,b\n"1","2"\r\n\r\n3,"4,\n5"\n6,7', 5, False)
@example('a\n"never closed\n', 4, False)
@example("a,b\n1\n", 40, True)
@example('a\n""\n\n""', 2, False)
@example("ééééé,b\n1,é\n3,123456789\n4,5\n", 8, False)
def test_it_says_what_the_module_csv_says(folder, text, block, marked):
    path = folder / "any.csv"
    path.write_bytes(b"\xef\xbb\xbf" * marked + text.encode())
    before, module.BLOCK = module.BLOCK, block
    try:
        assert answer(path) == expected(path)
    finally:
        module.BLOCK = before


@given(st.lists(st.lists(st.text('ab,"\n\r é\0', max_size=6), min_size=3, max_size=3), max_size=9))
def test_whatever_is_written_is_read(folder, rows):
    out = io.StringIO()
    csv.writer(out).writerows([["x", "y", "z"], *rows])
    path = folder / "written.csv"
    path.write_bytes(out.getvalue().encode())
    found = csv_columns(path)
    assert list(zip(*(as_texts(c).tolist() for c in found.columns), strict=True)) == list(
        map(tuple, rows)
    )


def test_wide_entries_do_not_widen_the_others(folder, monkeypatch):
    monkeypatch.setattr(module, "BLOCK", 1 << 10)
    path = folder / "wide.csv"
    path.write_text("a,b\n" + "".join(f"{i},{'w' * (9000 if i == 7 else 1)}\n" for i in range(400)))
    assert answer(path) == expected(path)


def test_the_usual_way_is_the_fast_one(folder, monkeypatch):
    path = folder / "usual.csv"
    path.write_text('\ufeffage,job\r\n41,"cook, chef"\r\n\r\n29,pilot')
    seen = csv_columns(path)
    monkeypatch.setattr(module, "_parsed", None)
    again = csv_columns(path)
    assert [c.tolist() for c in again.columns] == [[b"41", b"29"], ["cook, chef", "pilot"]]
    assert again.lines.tolist() == seen.lines.tolist() == [2, 4]
    assert again.columns[1].dtype == np.dtypes.StringDType()


def test_a_file_that_would_fill_the_memory_is_refused_after_its_first_block(folder, monkeypatch):
    path = folder / "large.csv"
    path.write_text("a,b\n" + "1,2\n" * 10_000)
    monkeypatch.setattr(module, "BLOCK", 1 << 10)
    monkeypatch.setattr(module, "BYTE_LIMIT", 100_000)
    with pytest.raises(TooLarge, match=r"2 columns and about 10.* rows") as caught:
        csv_columns(path)
    assert 300_000 < caught.value.estimate < 340_000
