"""Files: every table comes back as it was, and no damaged file is taken for a table."""

from __future__ import annotations

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
from lsclasses.files import (
    SUFFIXES,
    atomic_write,
    check_writable,
    csv_parts,
    load_stream,
    load_table,
    read_json,
)
from lsclasses.points import to_text

laws = settings(
    deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture]
)

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


@pytest.mark.parametrize("suffix", [".csv", ".json", ".npz"])
@laws
@given(named_tables())
def test_every_table_comes_back(tmp_path: Path, suffix: str, C: Table) -> None:
    path = tmp_path / f"class{suffix}"
    C.save(path)
    assert_same(C, Table.load(path))


@pytest.mark.parametrize("suffix", [".csv", ".json", ".npz"])
@pytest.mark.parametrize(
    "name",
    ["concept", "Name", "", "0", "1", "\ud800", "\ufeffa", "\r", "\x00", "a\r\nb", " a", "'"],
)
def test_names_that_a_format_might_mistake_come_back(
    tmp_path: Path, suffix: str, name: str
) -> None:
    path = tmp_path / f"class{suffix}"
    for C in (
        Table([[0, 1], [1, 1]], domain=[name, "b"]),
        Table([[0], [1]], domain=[name]),
        Table([[0, 1], [1, 1]], domain=["b", name], concepts=[name, 0]),
    ):
        C.save(path)
        assert_same(C, load_table(path))


@laws
@given(named_tables())
def test_npy_keeps_the_labels(tmp_path: Path, C: Table) -> None:
    path = tmp_path / "class.npy"
    C.save(path)
    assert Table.load(path).labels.tolist() == C.labels.tolist()
    assert np.load(path).tolist() == C.labels.tolist()


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
        contents = []
        for name in ("first", "second"):
            path = tmp_path / f"{name}{suffix}"
            Table([[0, 1], [1, 1]], concepts="fg").save(path)
            contents.append(path.read_bytes())
        assert contents[0] == contents[1]


def test_the_case_of_the_suffix_does_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "CLASS.CSV"
    Table([[0, 1]]).save(path)
    assert Table.load(str(path)) == Table([[0, 1]])


# ---- CSV as people and other programs write it


@pytest.mark.parametrize(
    ("text", "points", "concepts"),
    [
        ("a,b\n0,1\n1,1\n", ("a", "b"), None),
        ("a,b\r\n0,1\r\n1,1\r\n", ("a", "b"), None),
        ("a,b\n0,1\n1,1", ("a", "b"), None),
        ("\ufeffa,b\n0,1\n\n1,1\n\n", ("a", "b"), None),
        ("\n a , b\n 0, 1\n1 ,1 \n", ("a", "b"), None),
        ('"a","b"\n"0","1"\n"1","1"\n', ("a", "b"), None),
        (",a,b\n0,0,1\n1,1,1\n", ("a", "b"), (0, 1)),
        ("concept,a,b\nf,0,1\ng,1,1\n", ("a", "b"), ("f", "g")),
        ("Name,0,1\n0,0,1\n1,1,1\n", (0, 1), (0, 1)),
        ("who,a,b\nf,0,1\ng,1,1\n", ("a", "b"), ("f", "g")),
        ("who,a,b\n10,0,1\n11,1,1\n", ("a", "b"), (10, 11)),
        ("'concept',b\n0,1\n1,1\n", ("concept", "b"), None),
        ('"(0, 1)","(1, 1)"\n0,1\n1,1\n', ((0, 1), (1, 1)), None),
        ('"x\ny",b\n0,1\n1,1\n', ("x\ny", "b"), None),
    ],
)
def test_csv_variants(tmp_path: Path, text: str, points: Any, concepts: Any) -> None:
    path = tmp_path / "class.csv"
    path.write_bytes(text.encode())
    C = load_table(path)
    assert repr(C.points) == repr(points)
    assert repr(C.concept_names) == repr(concepts)
    assert C.labels.tolist() == [[0, 1], [1, 1]]


def test_duplicate_rows_are_merged_and_counted(tmp_path: Path) -> None:
    path = tmp_path / "class.csv"
    path.write_text("concept,a,b\nf,0,1\ng,0,1\nh,1,1\n")
    C = load_table(path)
    assert C.merged == 1
    assert C.concept_names == ("f", "h")


def test_json_rows_may_be_lists(tmp_path: Path) -> None:
    path = tmp_path / "class.json"
    data = {"format": "lsclasses-table", "version": 1, "points": ["a", "b"], "rows": [[0, 1], "11"]}
    path.write_text(json.dumps(data))
    assert_same(load_table(path), Table([[0, 1], [1, 1]], domain="ab"))


def test_npz_names_are_optional(tmp_path: Path) -> None:
    path = tmp_path / "class.npz"
    np.savez(path, labels=np.array([[0, 1], [1, 1]], dtype=bool))
    assert_same(load_table(path), Table([[0, 1], [1, 1]]))


# ---- what is refused


def csv(text: str) -> tuple[str, bytes]:
    return ".csv", text.encode()


def table_json(**changes: Any) -> tuple[str, bytes]:
    data = {"format": "lsclasses-table", "version": 1, "points": ["a", "b"], "rows": ["01", "11"]}
    return ".json", json.dumps({**data, **changes}).encode()


def numpy_bytes(path: Path, *arrays: Any, **named: Any) -> bytes:
    if named:
        np.savez(path, *arrays, allow_pickle=True, **named)
    else:
        np.save(path, arrays[0], allow_pickle=True)
    return path.read_bytes()


@pytest.mark.parametrize(
    ("file", "message"),
    [
        (csv(""), "the file is empty"),
        (csv("\n\n"), "the file is empty"),
        (csv("a,b\n"), "there is only a header"),
        (csv("a,b\n0,1\n1\n"), r"line 3 has 1 entry, the header has 2"),
        (csv("a,b\n0,1\n\n1,1,1\n"), r"line 4 has 3 entries, the header has 2"),
        (csv('"a\nb",c\n0,1\n1,1,1\n'), r"line 4 has 3 entries"),
        (csv("a,b\n0,1\n1,2\n"), r"entries must be 0 or 1. Got '2' in line 3, column 'b'"),
        (csv("a,b\n0,\n"), r"Got '' in line 2, column 'b'"),
        (csv("a\nb\n"), r"Got 'b' in line 2, column 'a'"),
        (csv("concept,a\nf,x\n"), r"Got 'x' in line 2, column 'a'"),
        (csv("a,b,a\n0,1,1\n"), r"must be distinct. Got 'a' more than once"),
        (csv("0,1,1\n1,1,0\n"), r"holds labels: 0 and 1 only. .* write a line with names"),
        (csv("f,0, 1,1\ng,1,1,0\n"), r"holds labels: 0 and 1 only"),
        (csv("2,2\n1,0\n"), r"must be distinct. Got 2 more than once"),
        (csv("concept,a\nf,0\nf,1\n"), r"Concept names must be distinct. Got 'f'"),
        (csv("concept\nf\n"), r"there is no point"),
        (csv("a,,b\n0,1,1\n"), r"the point of column 2 has no name"),
        (csv('a,b\n0,"1\n1,1\n'), r"line 2 is not valid CSV"),
        (csv("a;b\n0;1\n"), r"here they are by semicolons. Got the single column 'a;b'"),
        ((".csv", b"a,b\n0,\xff\n"), r"it is not text in UTF-8"),
        ((".csv", b"\x93NUMPY\x01\x00"), r"it is not text in UTF-8"),
        ((".json", b""), r"it is not valid JSON"),
        ((".json", b'{"format": "lsclasses-ta'), r"it is not valid JSON, or not complete"),
        ((".json", b"\xff\xfe\xff"), r"it is text in UTF-16; save it as UTF-8"),
        ((".json", b"\xffa"), r"it is not text in UTF-8"),
        ((".json", b"[" * 100_000), r"nested too deeply"),
        ((".json", b"[" + b"1" * 10_000 + b"]"), r"a number that is too long"),
        ((".json", b'{"rows": ["01"], "rows": ["10"]}'), r'an object says "rows" twice'),
        ((".json", b"[[0, 1]]"), r'an object with "format": "lsclasses-table"'),
        (table_json(format="other"), r'an object with "format": "lsclasses-table"'),
        (table_json(version=2), r"its version must be 1. Got 2"),
        (table_json(points=None), r'it needs the lists "points" and "rows"'),
        (table_json(points="ab"), r'"points" must be a list of names'),
        (table_json(points=["a", None]), r"A name in a JSON file must be .*Got None"),
        (table_json(points=["a", "a"]), r"must be distinct"),
        (table_json(points=[], rows=["", ""]), r"at least one point and one concept"),
        (table_json(rows=[]), r"at least one point and one concept"),
        (table_json(rows={"f": "01"}), r'it needs the lists "points" and "rows"'),
        (table_json(rows=["01", "1"]), r"row 1 has 1 entry, but there are 2 points"),
        (table_json(rows=["01", "12"]), r"Got '2' in row 1, column 1"),
        (table_json(rows=["01", "1²"]), r"Got '²' in row 1, column 1"),
        (table_json(rows=["01", [1, True]]), r"Got True in row 1, column 1"),
        (table_json(rows=["01", ["01", 1]]), r"Got '01' in row 1, column 0"),
        (table_json(rows=["01", 11]), r'row 1 must be a text such as "0110" or a list'),
        (table_json(concepts="fg"), r'"concepts" must be a list'),
        (table_json(concepts=["f"]), r"one concept name a row: 2. Got 1"),
        ((".npy", b""), r"no array of numbers in NumPy's format, or it is not complete"),
        ((".npy", b"hello, world"), r"no array of numbers in NumPy's format"),
        ((".npz", b"PK\x03\x04 and then nothing"), r"no array of numbers in NumPy's format"),
    ],
)
def test_files_that_are_no_tables(tmp_path: Path, file: tuple[str, bytes], message: str) -> None:
    path = tmp_path / f"class{file[0]}"
    path.write_bytes(file[1])
    with pytest.raises(InvalidInput, match=message) as caught:
        load_table(path)
    assert str(caught.value).startswith(f"Cannot read {str(path)!r}: ")
    assert str(caught.value).endswith(".")
    assert not str(caught.value).endswith("..")


def test_arrays_that_are_no_tables(tmp_path: Path) -> None:
    labels = np.array([[0, 1], [1, 1]])
    npy, npz = tmp_path / "class.npy", tmp_path / "class.npz"
    for array, message in (
        (np.array([0, 1]), r"two dimensions .*Got 1"),
        (np.array([[0, 2]]), r"Entries must be 0 or 1. Got 2"),
        (np.array([["0", "1"]]), r"as numbers or as truth values. Got dtype\('<U1'\)"),
        (np.array([[0, 1j]]), r"as numbers or as truth values. Got dtype\('complex128'\)"),
        (np.zeros((0, 3)), r"at least one concept"),
        (np.zeros((3, 0)), r"at least one point"),
        (np.array([[0, 1]], dtype=object), r"Got dtype\('O'\)"),
    ):
        numpy_bytes(npy, array)
        with pytest.raises(InvalidInput, match=message):
            load_table(npy)
    for arrays, message in (
        ({"rows": labels}, r'it needs an array "labels"'),
        ({"labels": labels, "points": np.array(["a", "b"])}, r"it is not valid JSON"),
        ({"labels": labels, "points": np.array([1, 2])}, r'"points" must hold one text a name'),
        ({"labels": labels, "points": np.array(['"a"'])}, r"name every column: 2. Got 1"),
        ({"labels": labels, "concepts": np.array(["null", "1"])}, r"A name in a JSON file"),
        ({"labels": labels.astype(object)}, r"Got dtype\('O'\)"),
    ):
        numpy_bytes(npz, **arrays)
        with pytest.raises(InvalidInput, match=message):
            load_table(npz)


def test_arrays_with_the_other_suffix(tmp_path: Path) -> None:
    npy, npz = tmp_path / "class.npy", tmp_path / "class.npz"
    C = Table([[0, 1]])
    C.save(npy)
    C.save(npz)
    npy_bytes, npz_bytes = npy.read_bytes(), npz.read_bytes()
    npz.write_bytes(npy_bytes)
    npy.write_bytes(npz_bytes)
    with pytest.raises(InvalidInput, match=r"one bare array; such a file has the suffix .npy"):
        load_table(npz)
    with pytest.raises(InvalidInput, match=r"several arrays; such a file has the suffix .npz"):
        load_table(npy)


def test_a_false_header_does_not_fill_the_memory(tmp_path: Path) -> None:
    path = tmp_path / "class.npy"
    data = numpy_bytes(path, np.zeros((10, 10), dtype=np.uint8))
    path.write_bytes(data.replace(b"(10, 10), }        ", b"(1000000000, 10), }"))
    with pytest.raises(InvalidInput, match=r"not complete"):
        load_table(path)


@pytest.mark.parametrize("suffix", SUFFIXES)
@settings(
    deadline=None, max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
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
        C = load_table(path)
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
    for length in range(len(content)):
        path.write_bytes(content[:length])
        try:
            rest = load_table(path)
        except InvalidInput:
            continue
        # CSV has no end mark, so a file cut at the end of a line is a smaller table.
        assert suffix == ".csv" or rest == C
        assert rest.labels.tolist() == C.labels.tolist()[: len(rest)]


@pytest.mark.parametrize("name", ["class", "class.txt", "class.csv.gz", ".csv", "thresholds:n=3"])
def test_an_unknown_suffix(tmp_path: Path, name: str) -> None:
    for use in (load_table, Table([[0]]).save):
        with pytest.raises(InvalidInput, match=r"one of .csv, .json, .npy, .npz. Got"):
            use(tmp_path / name)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_files_that_cannot_be_read(tmp_path: Path, suffix: str) -> None:
    missing, folder = tmp_path / f"missing{suffix}", tmp_path / f"folder{suffix}"
    folder.mkdir()
    with pytest.raises(InvalidInput, match=r"Cannot read .*missing.*: no such file or directory"):
        load_table(missing)
    with pytest.raises(InvalidInput, match=r"Cannot read .*folder.*: is a directory"):
        load_table(folder)
    with pytest.raises(InvalidInput, match=r"Cannot write .*folder.*: is a directory"):
        Table([[0]]).save(folder)
    with pytest.raises(InvalidInput, match=r"Cannot write .*: no such file or directory"):
        Table([[0]]).save(tmp_path / "nowhere" / f"class{suffix}")


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_the_empty_class_is_not_written(tmp_path: Path, suffix: str) -> None:
    with pytest.raises(InvalidInput, match=r"the class is empty"):
        Table([], domain="ab").save(tmp_path / f"class{suffix}")
    assert list(tmp_path.iterdir()) == []


def test_names_that_cannot_be_written_leave_the_old_file(tmp_path: Path) -> None:
    for suffix in (".csv", ".json", ".npz"):
        path = tmp_path / f"class{suffix}"
        path.write_text("old")
        with pytest.raises(InvalidInput, match=r"rename it first"):
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


def test_a_failure_while_writing_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    path = tmp_path / "out.txt"
    path.write_text("old")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InvalidInput, match=r"Cannot write .*: no space left on device."):
        atomic_write(path, "new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_an_interruption_while_writing_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(descriptor: int) -> None:
        raise KeyboardInterrupt

    path = tmp_path / "out.txt"
    path.write_text("old")
    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
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
    for wrong, reason in ((tmp_path, "is a directory"), (path / "x", "not a directory")):
        for writing in (check_writable, lambda path: atomic_write(path, "new")):
            with pytest.raises(InvalidInput, match=f"Cannot write .*: {reason}"):
                writing(wrong)


def test_a_device_stays_a_device(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    atomic_write(pipe, "hello")
    assert os.read(reader, 100) == b"hello"
    os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


# ---- streams and other JSON


@laws
@given(st.lists(st.tuples(names, st.integers(0, 1)), max_size=6))
def test_every_stream_comes_back(tmp_path: Path, examples: list[tuple[Any, int]]) -> None:
    import csv as csv_module

    path = tmp_path / "examples.csv"
    with path.open("w", newline="") as file:
        writer = csv_module.writer(file)
        writer.writerow(["point", "label"])
        writer.writerows((to_text(x), y) for x, y in examples)
    assert repr(load_stream(path)) == repr(examples)


def test_stream_heads(tmp_path: Path) -> None:
    path = tmp_path / "examples.csv"
    for head in ("point,label", "x,y", " Point , Label "):
        path.write_text(f"{head}\n3, 1\n\na,0\n")
        assert load_stream(path) == [(3, 1), ("a", 0)]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", r"starts with the header point,label. Got an empty file"),
        (b"3,1\n", r"header point,label. Got '3,1', which is an example: write the header"),
        (b"3,2\n", r"starts with the header point,label. Got '3,2'\.$"),
        (b"point,point,label\n3,5,1\n", r"one column 'point'. Got 2 of them"),
        (b"label,Point,LABEL\n1,5,1\n", r"one column 'label'. Got 2 of them"),
        (b"x,y,z,y,y\n3,1,3,1,1\n", r"one column 'y'. Got 3 of them"),
        (b"point,label\n3\n", r"line 2 should hold a point and a label. Got 1"),
        (b"x,y\n3,1\n(0, 1),1\n", r"line 3 should hold a point and a label. Got 3"),
        (b"x,y\n3,2\n", r"the label in line 2 must be 0 or 1. Got '2'"),
        (b"x,y\n3,\n", r"the label in line 2 must be 0 or 1. Got ''"),
        (b"x,y\n\xff,1\n", r"not text in UTF-8"),
    ],
)
def test_files_that_are_no_streams(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "examples.csv"
    path.write_bytes(content)
    with pytest.raises(InvalidInput, match=message):
        load_stream(path)
    with pytest.raises(InvalidInput, match=r"no such file"):
        load_stream(tmp_path / "missing.csv")


@given(
    st.lists(st.tuples(st.lists(st.text(max_size=9), max_size=3), st.integers(0, 70)), max_size=9)
)
def test_rows_in_parts_are_what_the_module_csv_writes(rows: list[tuple[list[str], int]]) -> None:
    import csv as csv_module

    text = io.StringIO()
    for entries, times in rows:
        csv_module.writer(text, lineterminator="\n").writerows([entries] * times)
    assert b"".join(csv_parts(rows)).decode() == text.getvalue()


def test_rows_are_written_in_parts_of_moderate_size() -> None:
    for rows in ([(["point"], 10**6)], ((["point"], 1) for _ in range(10**5))):
        assert max(map(len, csv_parts(rows))) <= 2**17


def test_read_json(tmp_path: Path) -> None:
    path = tmp_path / "any.json"
    path.write_text('{"a": [1, "é"]}', encoding="utf-8")
    assert read_json(path) == {"a": [1, "é"]}
    path.write_text("{")
    with pytest.raises(InvalidInput, match=r"Cannot read .*not valid JSON"):
        read_json(path)
    with pytest.raises(InvalidInput, match=r"no such file"):
        read_json(tmp_path / "missing.json")
