"""Formats of set systems: what other programs write is read, and what is written comes back."""

from __future__ import annotations

import csv
import gzip
import io
import itertools
import json
import warnings
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
import scipy.io
import scipy.sparse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lsclasses import InvalidInput, LsclassesError, Table, TooLarge
from lsclasses.files import text_content
from lsclasses.files.tables import READ, TEXTS, WRITTEN, file_suffix
from lsclasses.point_names import to_text

laws = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
labels = st.integers(1, 6).flatmap(
    lambda n: st.lists(st.lists(st.integers(0, 1), min_size=n, max_size=n), min_size=1, max_size=7)
)
edges = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=12)


def load(folder: Path, suffix: str, content: str | bytes) -> Table:
    path = folder / f"class{suffix}"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return Table.load(path)


def concepts(C: Table) -> set[frozenset[Any]]:
    return {frozenset(concept.support) for concept in C}


def sets(rows: list[list[int]], first: int = 0) -> set[frozenset[int]]:
    """The rows of a 0/1 table as sets of column numbers."""
    return {frozenset(j for j, y in enumerate(row, first) if y) for row in rows}


# ---- what reference writers write


@pytest.mark.parametrize("compressed", [False, True])
@laws
@given(labels)
def test_separated_values(tmp_path: Path, compressed: bool, rows: list[list[int]]) -> None:
    heads = [f"x{j}" for j in range(len(rows[0]))]
    for suffix, dialect in ((".csv", "excel"), (".tsv", "excel-tab")):
        text = io.StringIO()
        csv.writer(text, dialect).writerows([heads, *rows])
        data = text.getvalue().encode()
        if compressed:
            C = load(tmp_path, f"{suffix}.gz", gzip.compress(data))
        else:
            C = load(tmp_path, suffix, data)
        assert Table(rows, heads) == C and C.merged == len(rows) - len(C)


@laws
@given(labels)
def test_lines_of_members(tmp_path: Path, rows: list[list[int]]) -> None:
    members = [[str(j) for j, y in enumerate(row) if y] for row in rows]
    if not any(members):
        return
    for suffix, separator in ((".dat", " "), (".dat", "\t"), (".hyperedges", ", ")):
        C = load(tmp_path, suffix, "".join(separator.join(line) + "\n" for line in members))
        assert concepts(C) == sets(rows)
        assert C.points == tuple(j for j in range(len(rows[0])) if any(row[j] for row in rows))
        assert len(C.notes) == ([] in members)


@laws
@given(labels, st.booleans(), st.booleans())
def test_formal_contexts(tmp_path: Path, rows: list[list[int]], title: bool, crosses: bool) -> None:
    """With and without the empty line after the numbers, and with small crosses."""
    signs = (".", "X" if crosses else "x")
    lines = ["B", "a title" if title else "", str(len(rows)), str(len(rows[0]))]
    lines += [""] * title + [f"g{i}" for i in range(len(rows))]
    lines += [f"m{j}" for j in range(len(rows[0]))]
    lines += ["".join(signs[y] for y in row) for row in rows]
    C = load(tmp_path, ".cxt", "\n".join(lines))
    expected = Table(rows, [f"m{j}" for j in range(len(rows[0]))])
    assert expected == C and C.merged_names == Table(rows, concepts=objects(rows)).merged_names


def objects(rows: list[list[int]]) -> list[str]:
    return [f"g{i}" for i in range(len(rows))]


def test_formal_contexts_without_a_title_or_with_a_comment(tmp_path: Path) -> None:
    for head in ("B\n2\n2\n\n", "B\n2\n2\n", "B\n7\n2\n2\n", "B\n\n2\n2\na comment\n"):
        C = load(tmp_path, ".cxt", f"{head}a\nb\n1\n2\n.X\nXX\n\n")
        assert (C.points, C.concept_names) == ((1, 2), ("a", "b"))
        assert C.labels.tolist() == [[0, 1], [1, 1]]


@pytest.mark.parametrize("form", ["", " 0", " 1", " 10", " 11"])
@laws
@given(labels)
def test_hypergraphs_of_hmetis(tmp_path: Path, form: str, rows: list[list[int]]) -> None:
    lines = ["% a comment", f"{len(rows)} {len(rows[0])}{form}"]
    for row in rows:
        members = [str(j) for j, y in enumerate(row, 1) if y]
        lines.append(" ".join(["7"] * ("1" in form and form != " 10") + members))
    lines += ["3"] * (len(rows[0]) if "1" in form and form != " 1" else 0)
    C = load(tmp_path, ".hgr", "\n".join([*lines, "% the end"]) + "\n")
    assert concepts(C) == sets(rows, 1) and C.points == tuple(range(1, len(rows[0]) + 1))


def neighbours(graph: nx.Graph) -> set[frozenset[Any]]:
    return {frozenset(graph[x]) for x in graph}


@laws
@given(edges)
def test_lists_of_edges_of_networkx(tmp_path: Path, pairs: list[tuple[int, int]]) -> None:
    graph = nx.Graph(pairs)
    for data, delimiter in itertools.product((True, False), (" ", ",")):
        out = io.BytesIO()
        nx.write_edgelist(graph, out, data=data, delimiter=delimiter)
        for suffix in (".edgelist", ".edges"):
            C = load(tmp_path, suffix, b"# a comment\n" + out.getvalue())
            assert concepts(C) == neighbours(graph) and not C.notes
            assert C.points == tuple(sorted(graph))
    nx.set_edge_attributes(graph, 0.5, "weight")
    nx.write_weighted_edgelist(graph, tmp_path / "weights.edgelist")
    C = Table.load(tmp_path / "weights.edgelist")
    assert concepts(C) == neighbours(graph)
    assert C.notes == (
        "Each line has 1 number after its two nodes, which the table omits. Use the suffix "
        ".hyperedges if each line is a set of nodes.",
    )


@laws
@given(edges)
def test_dimacs_graphs(tmp_path: Path, pairs: list[tuple[int, int]]) -> None:
    """The declared number may count the lines, the edges, or both directions of each edge."""
    graph = nx.empty_graph(range(1, 8))
    graph.add_edges_from((u + 1, v + 1) for u, v in pairs)
    lines = [f"e {u + 1} {v + 1}" for u, v in pairs]
    for count in {len(pairs), graph.size(), 2 * graph.size()}:
        head = ["c a graph", f"p edge 7 {count}", "n 1 5"]
        for suffix in (".col", ".dimacs"):
            C = load(tmp_path, suffix, "\n".join(head + lines))
            assert concepts(C) == neighbours(graph) and C.points == tuple(range(1, 8))


@pytest.mark.parametrize("field", ["pattern", "integer", "real"])
@laws
@given(labels)
def test_matrices_of_scipy(tmp_path: Path, field: str, rows: list[list[int]]) -> None:
    path = tmp_path / "class.mtx"
    matrix = scipy.sparse.coo_array(np.array(rows))
    scipy.io.mmwrite(path, matrix, field=field, symmetry="general")
    C = Table.load(path)
    assert concepts(C) == sets(rows, 1) and C.points == tuple(range(1, len(rows[0]) + 1))
    if field != "pattern":
        scipy.io.mmwrite(path, np.array(rows), field=field, symmetry="general")
        assert Table.load(path) == C


@laws
@given(edges)
def test_symmetric_matrices_of_scipy(tmp_path: Path, pairs: list[tuple[int, int]]) -> None:
    graph = nx.Graph(pairs)
    path = tmp_path / "class.mtx"
    matrix = nx.to_scipy_sparse_array(graph, nodelist=sorted(graph))
    for written in (matrix, matrix.toarray()):
        scipy.io.mmwrite(path, written, field="integer", symmetry="symmetric")
        assert Table.load(path) == Table(matrix, range(1, len(graph) + 1))


@laws
@given(st.integers(1, 4).flatmap(lambda n: st.tuples(st.just(n), functions(n))))
def test_truth_tables(tmp_path: Path, given_functions: tuple[int, list[list[int]]]) -> None:
    """All rows (fr), only the rows with an output 1 (fd), and the terms of one variable."""
    n, outputs = given_functions
    vectors = list(itertools.product((0, 1), repeat=n))
    rows = list(zip(*outputs, strict=True))
    names = [f"f{j}" for j in range(len(outputs))]
    head = f"# a table\n.i {n}\n.o {len(outputs)}\n.ob {' '.join(names)}\n"
    terms = [
        "".join(map(str, vector)) + " | " + "".join(map(str, row)) + "\n"
        for vector, row in zip(vectors, rows, strict=True)
    ]
    complete = f"{head}.type fr\n.p {len(terms)}\n{''.join(terms)}.e\nignored\n"
    ones = head + "".join(term for term, row in zip(terms, rows, strict=True) if any(row)) + ".end"
    for text in (complete, ones):
        C = load(tmp_path, ".pla", text)
        assert Table(outputs, vectors) == C
        assert C.merged_names == Table(outputs, concepts=names).merged_names
    C = load(tmp_path, ".pla", f".i {n}\n.o 2\n{'-' * (n - 1)}1 10\n{'2' * n} 01\n")
    assert Table([[vector[-1] for vector in vectors], [1] * len(vectors)], vectors) == C


def functions(n: int) -> st.SearchStrategy[list[list[int]]]:
    row = st.lists(st.integers(0, 1), min_size=2**n, max_size=2**n)
    return st.lists(row, min_size=1, max_size=3)


def test_hypergraphs_in_hif(tmp_path: Path) -> None:
    data = {
        "network-type": "undirected",
        "metadata": {"name": "three people"},
        "incidences": [
            {"edge": "e", "node": 1, "weight": 2.0},
            {"edge": "e", "node": "1"},
            {"edge": "f", "node": 2, "attrs": {"role": "head"}},
        ],
        "nodes": [{"node": 3, "attrs": {}}],
        "edges": [{"edge": "g", "weight": 1}],
    }
    C = load(tmp_path, ".json", json.dumps(data))
    assert C.points == (3, 1, "1", 2) and C.concept_names == ("g", "e", "f")
    assert concepts(C) == {frozenset(), frozenset({1, "1"}), frozenset({2})}
    assert load(tmp_path, ".json.gz", gzip.compress(json.dumps(data).encode())) == C
    data["network-type"] = "directed"
    assert load(tmp_path, ".json", json.dumps(data)).notes == (
        "The hypergraph is directed. A concept is the union of head and tail of an edge.",
        "The file has weights or attributes, which the table omits.",
    )


# ---- what is written comes back


names = st.lists(
    st.text("ab01 ,;'\"#%é\n\t", max_size=4) | st.integers(-9, 9),
    min_size=6,
    max_size=6,
    unique=True,
)


@laws
@given(labels, names, names)
def test_contexts_come_back(
    tmp_path: Path, rows: list[list[int]], points: list[Any], named: list[Any]
) -> None:
    C = Table(rows[:6], points[: len(rows[0])], named[: len(rows[:6])])
    for name in ("class.cxt", "class.hif.json", "class.tsv"):
        C.save(tmp_path / name)
        D = Table.load(tmp_path / name)
        assert (D.points, D.concept_names) == (C.points, C.concept_names)
        assert D.labels.tolist() == C.labels.tolist()


@laws
@given(labels)
def test_sets_come_back_without_names(tmp_path: Path, rows: list[list[int]]) -> None:
    C = Table(rows, [f"x{j}" for j in range(len(rows[0]))])
    C.save(tmp_path / "class.hgr")
    D = Table.load(tmp_path / "class.hgr")
    assert D.labels.tolist() == C.labels.tolist() and D.points == tuple(range(1, len(rows[0]) + 1))
    if C.labels.any(axis=0).all():
        C.save(tmp_path / "class.dat")
        assert Table.load(tmp_path / "class.dat") == C
    else:
        with pytest.raises(InvalidInput, match=r"No concept contains the point 'x[0-9]'"):
            C.save(tmp_path / "class.dat")


def test_tables_on_the_points_0_and_1_come_back(tmp_path: Path) -> None:
    """Their first line could be a concept, so it has quotation marks."""
    for rows in ([[0, 1], [1, 0]], [[1, 0]], [[0], [1]]):
        C = Table(rows)
        for suffix in (".csv", ".tsv"):
            C.save(tmp_path / f"class{suffix}")
            assert Table.load(tmp_path / f"class{suffix}") == C
    Table([[0, 1]]).save(tmp_path / "class.csv")
    assert (tmp_path / "class.csv").read_text() == '"0","1"\n0,1\n'
    one = Table([[0], [1]], domain=["a;b"])
    one.save(tmp_path / "class.csv")
    assert Table.load(tmp_path / "class.csv") == one


# ---- sizes and damage


@pytest.mark.parametrize("suffix", sorted(TEXTS))
def test_a_content_or_a_line_that_is_too_long_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str
) -> None:
    bomb = gzip.compress(b"1 " * 10**6)
    monkeypatch.setattr(text_content, "CONTENT_LIMIT", 10**6)
    for name, content in ((f"{suffix}.gz", bomb), (suffix, b"1 " * 10**6)):
        with pytest.raises(TooLarge, match=r"The limit is 1000000 bytes") as stopped:
            load(tmp_path, name, content)
        assert (stopped.value.estimate, stopped.value.limit) == (2 * 10**6, 10**6)
    # The end of the file states a small size.
    with pytest.raises(TooLarge, match=r"The limit is 1000000 bytes"):
        load(tmp_path, f"{suffix}.gz", bomb + gzip.compress(b"1"))
    monkeypatch.setattr(text_content, "LINE_LIMIT", 100)
    monkeypatch.setattr(text_content, "PART", 50)
    for content in (b"1 " * 60, b"1\n" * 60 + b"1 " * 60 + b"\n1\n"):
        with pytest.raises(TooLarge, match=r"^Line (1|61) of .* The limit of a line is 100 bytes"):
            load(tmp_path, suffix, content)


def test_entries_are_counted_before_they_are_split(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text_content, "ENTRY_LIMIT", 20)
    for suffix, content in (
        (".dat", "1 2 3\n" * 7),
        (".mtx", "%%MatrixMarket matrix array integer general\n4 4\n" + "0\n" * 16),
        (".csv", "a,b\n" + "0,1\n" * 20),
        (".tsv", '"a"\tb\n' + "0\t1\n" * 10),
    ):
        with pytest.raises(TooLarge, match=r"The limit is 20 entries\."):
            load(tmp_path, suffix, content)
    assert len(load(tmp_path, ".csv", "a,b\n" + "0,1\n" * 19)) == 1


def test_a_file_of_two_gigabytes_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "class.dat"
    with path.open("wb") as file:
        file.truncate(2**31)
    with pytest.raises(TooLarge) as stopped:
        Table.load(path)
    assert stopped.value.estimate == 2**31


def test_lines_are_bounded_across_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_content, "LINE_LIMIT", 4)
    assert text_content.bounded([b"ab", b"cd\nab", b"cd"], "it") == b"abcd\nabcd"
    for parts in ([b"ab", b"cde\n"], [b"a\nb", b"cd", b"ef\n"]):
        with pytest.raises(TooLarge):
            text_content.bounded(parts, "it")


SAMPLES = {
    ".hyperedges": "# two sets\na b\nb c\n",
    ".edgelist": "a b\nb c {}\n",
    ".edges": "1 2 0.5\n2 3 1\n",
    ".col": "c graph\np edge 3 2\ne 1 2\ne 2 3\n",
    ".dimacs": "p col 3 1\ne 1 2\n",
    ".mtx": "%%MatrixMarket matrix coordinate integer general\n2 2 2\n1 1 1\n2 2 0\n",
    ".pla": ".i 2\n.o 1\n.type fr\n1- 1\n0- 0\n.e\n",
}


@pytest.mark.parametrize("suffix", [*SAMPLES, *(x for x in WRITTEN if x not in (".npy", ".npz"))])
@laws
@given(st.data())
def test_damaged_files_give_a_table_or_a_sentence(
    tmp_path: Path, suffix: str, data: st.DataObject
) -> None:
    path = tmp_path / f"class{suffix}"
    if suffix in SAMPLES:
        path.write_text(SAMPLES[suffix])
    else:
        Table([[0, 1, 1], [1, 1, 0]], domain=["a", "b", 3], concepts=["f", "g"]).save(path)
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(0, 3))):
        place = data.draw(st.integers(0, len(content) - 1))
        content[place : place + data.draw(st.integers(0, 2))] = data.draw(
            st.binary(max_size=2) | st.sampled_from([b"\n", b" ", b"0", b"9", b"-1", b"\xe9"])
        )
    path.write_bytes(content)
    try:
        C = Table.load(path)
    except LsclassesError as error:
        assert str(error).endswith((".", "?"))
    else:
        assert not C.is_empty and C.points


def test_suffixes() -> None:
    assert {*SAMPLES, *WRITTEN} >= {*READ}
    for name, suffix in (("a.b.cxt", ".cxt"), ("A.DAT.GZ", ".dat.gz"), ("csv", ""), (".gz", ".gz")):
        assert file_suffix(Path(name)) == suffix
    assert to_text("a b") == "a b"


@pytest.mark.parametrize(
    ("suffix", "text", "note"),
    [
        (".hgr", "1 2 1\n7 1 2\n", "The file has weights, which the table omits."),
        (".edgelist", "1 2 {'weight': 3}\n", "The file has attributes of edges"),
        (".col", "p edge 2 1\nn 1 5\ne 1 2\n", "The lines n have values of nodes"),
        (
            ".json",
            '{"incidences": [{"edge": 1, "node": 2, "weight": 3}]}',
            "The file has weights or attributes, which the table omits.",
        ),
    ],
)
def test_notes_name_what_a_table_omits(tmp_path: Path, suffix: str, text: str, note: str) -> None:
    (found,) = load(tmp_path, suffix, text).notes
    assert found.startswith(note)


def test_numbers_of_matrices_are_whole_for_every_version_of_numpy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """NumPy 2.0 warns and reads 2.9 as 2."""
    read = np.loadtxt

    def truncating(texts: list[str], **options: Any) -> Any:
        warnings.warn("truncated", DeprecationWarning, stacklevel=2)
        return read(texts, comments=None, ndmin=2).astype(np.int64)

    monkeypatch.setattr(np, "loadtxt", truncating)
    head = "%%MatrixMarket matrix coordinate real general\n2 2 1\n"
    for entry in ("1 2.9 1", "2 1 0.5", "2 1 1.7"):
        with pytest.raises(InvalidInput, match="line 3"):
            load(tmp_path, ".mtx", f"{head}{entry}\n")


@pytest.mark.parametrize(
    ("points", "members", "other"),
    [
        (["B", 3, 4, 1], [["B"], [], [3], [4], [1]], ".cxt"),
        (["p", "edge", 3, 4], [["p", "edge", 3], [4]], ".col"),
        (["c", "p", "edge", 3], [["c"], ["p", "edge", 3]], ".col"),
    ],
)
def test_a_saved_file_can_be_loaded(
    tmp_path: Path, points: list[Any], members: list[list[Any]], other: str
) -> None:
    C = Table.from_sets(points, members)
    with pytest.raises(InvalidInput, match=f"begin like a file with the suffix {other}"):
        C.save(tmp_path / "class.dat")
    C.save(tmp_path / "class.csv")
    assert Table.load(tmp_path / "class.csv") == C
