"""Files: every table comes back as it was, and no damaged file is taken for a table."""

from __future__ import annotations

import csv
import errno
import io
import json
import os
import stat
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lsclasses import InvalidInput, LsclassesError, Table
from lsclasses.files.comma_separated import csv_lines, csv_parts, load_stream
from lsclasses.files.csv_tables import _lines
from lsclasses.files.tables import SUFFIXES
from lsclasses.files.writing import atomic_write, check_writable
from lsclasses.point_names import to_text

laws = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])

words = st.text(alphabet="ab01 ,;'\"\n\r\t()\\\ufeff\x00é", max_size=6) | st.sampled_from(
    ["", "concept", "name", "point", "0", "1", "'0'", "(0, 1)", "007", "nan", "a,b"]
)
names = st.recursive(
    words | st.text(max_size=6) | st.integers() | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3).map(tuple),
    max_leaves=4,
)


@st.composite
def named_tables(draw: st.DrawFn) -> Table:
    n = draw(st.integers(1, 10))
    m = draw(st.integers(1, 8))
    row = st.lists(st.integers(0, 1), min_size=n, max_size=n)
    points = draw(st.none() | st.lists(names, min_size=n, max_size=n, unique=True))
    concepts = draw(st.none() | st.lists(names, min_size=m, max_size=m, unique=True))
    return Table(draw(st.lists(row, min_size=m, max_size=m)), points, concepts)


def assert_same(C: Table, D: Table) -> None:
    """Same rows in the same order, and the very same names."""
    assert repr(D.points) == repr(C.points)
    assert repr(D.concept_names) == repr(C.concept_names)
    assert D.labels.tolist() == C.labels.tolist()
    assert D == C


@pytest.mark.parametrize("suffix", SUFFIXES)
@laws
@given(named_tables())
def test_every_table_comes_back(tmp_path: Path, suffix: str, C: Table) -> None:
    """Without its names where the file is one array, which NumPy reads as well."""
    path = tmp_path / f"class{suffix}"
    C.save(path)
    assert_same(C if suffix != ".npy" else Table(C.labels), Table.load(path))
    assert suffix != ".npy" or np.array_equal(np.load(path), C.labels)


@pytest.mark.parametrize("suffix", [".csv", ".json", ".npz"])
def test_names_that_a_format_might_mistake_come_back(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"class{suffix}"
    ordinary, strange = ["concept", "Name", "0", " a", "'"], ["\ud800", "\ufeffa", "\x00"]
    for name in (*ordinary, *strange, "", "\r", "a\r\nb"):
        for C in (
            Table([[0], [1]], domain=[name]),
            Table([[0, 1], [1, 1]], domain=["b", name], concepts=[name, 0]),
        ):
            C.save(path)
            assert_same(C, Table.load(path))


def test_the_formats_are_as_documented(tmp_path: Path) -> None:
    C = Table([[0, 1], [1, 1]], domain=["a", (0, 1)], concepts=["f", 7])
    for suffix in SUFFIXES:
        C.save(tmp_path / f"class{suffix}")
    assert (tmp_path / "class.csv").read_text() == 'concept,a,"(0, 1)"\nf,0,1\n7,1,1\n'
    assert json.loads((tmp_path / "class.json").read_text()) == {
        "format": "lsclasses-table",
        "version": 1,
        "points": ["a", [0, 1]],
        "concepts": ["f", 7],
        "rows": ["01", "11"],
    }
    with np.load(tmp_path / "class.npz") as arrays:
        assert sorted(arrays) == ["concepts", "labels", "points"]
        assert arrays["labels"].tolist() == [[0, 1], [1, 1]]
        assert arrays["points"].tolist() == ['"a"', "[0, 1]"]


def test_the_same_table_gives_the_same_bytes(tmp_path: Path) -> None:
    for suffix in SUFFIXES:
        first, second = (tmp_path / f"{name}{suffix}" for name in ("first", "second"))
        for path in (first, second):
            Table([[0, 1], [1, 1]], concepts="fg").save(path)
        assert first.read_bytes() == second.read_bytes()


def test_the_case_of_the_suffix_does_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "CLASS.CSV"
    Table([[0, 1]]).save(path)
    assert Table.load(str(path)) == Table([[0, 1]])


# ---- CSV as people and other programs write it


@pytest.mark.parametrize(
    ("text", "points", "concepts"),
    [
        ("a,b\n0,1\n1,1\n", ("a", "b"), None),
        ("a,b\n0,1\n1,1", ("a", "b"), None),
        ("\ufeffa,b\n0,1\n\n1,1\n\n", ("a", "b"), None),
        ("\n a , b\n 0, 1\n1 ,1 \n", ("a", "b"), None),
        ('"a","b"\n"0","1"\n"1","1"\n', ("a", "b"), None),
        (",a,b\n0,0,1\n1,1,1\n", ("a", "b"), (0, 1)),
        ("concept,a,b\nf,0,1\ng,1,1\n", ("a", "b"), ("f", "g")),
        ("Name,0,1\n0,0,1\n1,1,1\n", (0, 1), (0, 1)),
        ("who,a,b\n10,0,1\n11,1,1\n", ("a", "b"), (10, 11)),
        ("'concept',b\n0,1\n1,1\n", ("concept", "b"), None),
        ('"(0, 1)","(1, 1)"\n0,1\n1,1\n', ((0, 1), (1, 1)), None),
        ('"x\ny",b\n0,1\n1,1\n', ("x\ny", "b"), None),
    ],
)
def test_csv_variants(tmp_path: Path, text: str, points: Any, concepts: Any) -> None:
    path = tmp_path / "class.csv"
    path.write_bytes(text.encode())
    C = Table.load(path)
    assert repr(C.points) == repr(points)
    assert repr(C.concept_names) == repr(concepts)
    assert C.labels.tolist() == [[0, 1], [1, 1]]


def test_json_rows_may_be_lists(tmp_path: Path) -> None:
    path = tmp_path / "class.json"
    data = {"format": "lsclasses-table", "version": 1, "points": ["a", "b"], "rows": [[0, 1], "11"]}
    path.write_text(json.dumps(data))
    assert_same(Table.load(path), Table([[0, 1], [1, 1]], domain="ab"))


def test_npz_names_are_optional(tmp_path: Path) -> None:
    path = tmp_path / "class.npz"
    np.savez(path, labels=np.array([[0, 1], [1, 1]], dtype=bool))
    assert_same(Table.load(path), Table([[0, 1], [1, 1]]))


# ---- what is damaged


@pytest.mark.parametrize("suffix", SUFFIXES)
@laws
@given(st.data())
def test_damaged_files_give_a_table_or_a_sentence(
    tmp_path: Path, suffix: str, data: st.DataObject
) -> None:
    path = tmp_path / f"class{suffix}"
    Table([[0, 1, 1], [1, 1, 0]], domain=["a", "b", (0, 1)], concepts=["f", "g"]).save(path)
    content = bytearray(path.read_bytes())
    if data.draw(st.booleans()):
        del content[data.draw(st.integers(0, len(content) - 1)) :]
    for _ in range(data.draw(st.integers(0, 3))):
        if content:
            content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(content)
    try:
        C = Table.load(path)
    except LsclassesError as error:
        assert str(error).endswith(".")
    else:
        assert not C.is_empty


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_every_truncation_is_noticed_unless_whole_lines_are_left(
    tmp_path: Path, suffix: str
) -> None:
    path = tmp_path / f"class{suffix}"
    C = Table([[0, 1, 1], [1, 1, 0]], domain=["a", "b", (0, 1)], concepts=["f", "g"])
    C.save(path)
    content = path.read_bytes()
    for length in {*range(0, len(content), 5), *range(len(content) - 5, len(content))}:
        path.write_bytes(content[:length])
        try:
            rest = Table.load(path)
        except InvalidInput:
            continue
        # CSV has no end mark, so a file cut at the end of a line is a smaller table.
        assert suffix == ".csv" or rest == C
        assert rest.labels.tolist() == C.labels.tolist()[: len(rest)]


def test_names_that_cannot_be_written_leave_the_old_file(tmp_path: Path) -> None:
    for suffix in (".csv", ".json", ".npz"):
        path = tmp_path / f"class{suffix}"
        path.write_text("old")
        with pytest.raises(InvalidInput, match=r"Rename it first"):
            Table([[0]], domain=[frozenset()]).save(path)
        assert path.read_text() == "old"


# ---- writing all or nothing


def test_writing_replaces_a_file_and_leaves_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    for content in ("first", b"second"):
        atomic_write(path, content)
        assert path.read_bytes() == (content if isinstance(content, bytes) else content.encode())
        assert list(tmp_path.iterdir()) == [path]
    plain = tmp_path / "plain.txt"
    plain.write_text("")
    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IMODE(plain.stat().st_mode)


@pytest.mark.parametrize("interrupted", [False, True])
def test_a_failure_while_writing_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, interrupted: bool
) -> None:
    def fails(descriptor: int) -> None:
        raise KeyboardInterrupt if interrupted else OSError(errno.ENOSPC, "No space left on device")

    path = tmp_path / "out.txt"
    path.write_text("old")
    monkeypatch.setattr(os, "fsync", fails)
    with pytest.raises(KeyboardInterrupt if interrupted else InvalidInput):
        atomic_write(path, "new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "target.txt", tmp_path / "link.txt"
    target.write_text("old")
    link.symlink_to(target)
    atomic_write(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"


def test_a_path_can_be_tried_before_the_work(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    check_writable(path)
    assert list(tmp_path.iterdir()) == []
    path.write_text("old")
    check_writable(path)
    assert path.read_text() == "old" and list(tmp_path.iterdir()) == [path]
    check_writable("/dev/null")


def test_a_device_stays_a_device(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    atomic_write(pipe, "hello")
    assert os.read(reader, 100) == b"hello"
    os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


# ---- streams and other JSON


@given(st.lists(st.lists(words, max_size=4).map(",".join), max_size=6).map("\n".join))
def test_lines_without_quotes_are_those_that_the_reader_of_csv_finds(text: str) -> None:
    data = text.replace("\0", "").encode()
    try:
        expected = list(csv_lines(data))
    except InvalidInput as error:
        with pytest.raises(InvalidInput) as refused:
            list(_lines(data))
        assert str(refused.value) == str(error)
        return
    found = list(_lines(data))
    assert [(each.number, each.cells) for each in found] == expected
    assert [each.width for each in found] == [len(cells) for _, cells in expected]
    assert [each.text(False) for each in found] == [",".join(cells) for _, cells in expected]


@laws
@given(st.lists(st.tuples(names, st.integers(0, 1)), max_size=6))
def test_every_stream_comes_back(tmp_path: Path, examples: list[tuple[Any, int]]) -> None:
    path = tmp_path / "examples.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["point", "label"])
        writer.writerows((to_text(x), y) for x, y in examples)
    assert repr(load_stream(path)) == repr(examples)


def test_stream_heads(tmp_path: Path) -> None:
    path = tmp_path / "examples.csv"
    for head in ("point,label", "x,y", " Point , Label "):
        path.write_text(f"{head}\n3, 1\n\na,0\n")
        assert load_stream(path) == [(3, 1), ("a", 0)]


@given(
    st.lists(st.tuples(st.lists(st.text(max_size=9), max_size=3), st.integers(0, 70)), max_size=9)
)
def test_rows_in_parts_are_what_the_module_csv_writes(rows: list[tuple[list[str], int]]) -> None:
    text = io.StringIO()
    for entries, times in rows:
        csv.writer(text, lineterminator="\n").writerows([entries] * times)
    assert b"".join(csv_parts(rows)).decode() == text.getvalue()


def test_rows_are_written_in_parts_of_moderate_size() -> None:
    for rows in ([(["point"], 10**5)], ((["point"], 1) for _ in range(10**5))):
        assert max(map(len, csv_parts(rows))) <= 2**17
