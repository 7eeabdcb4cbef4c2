"""Tables: what is accepted, and every operation against its definition on sets of functions."""

from __future__ import annotations

import copy
import itertools
import pickle
import time
from fractions import Fraction
from typing import Any

import networkx as nx
import numpy as np
import pandas
import pytest
from hypothesis import given
from hypothesis import strategies as st

import catalog
from lsclasses import Concept, FiniteDomain, InvalidInput, Limit, Table, TooLarge, aggregate
from lsclasses.dimensions import DIMENSIONS
from lsclasses.packing import require_memory

Function = frozenset[tuple[Any, int]]
"""A labelling in the oracle: the set of its pairs (point, label)."""


@st.composite
def small_tables(draw: st.DrawFn, points: int | None = None, rows: int = 8) -> Table:
    n = points or draw(st.integers(1, 10))
    row = st.lists(st.integers(0, 1), min_size=n, max_size=n)
    return Table(draw(st.lists(row, max_size=rows)), domain=[f"x{j}" for j in range(n)])


@st.composite
def pairs_of_tables(draw: st.DrawFn) -> tuple[Table, Table]:
    n = draw(st.integers(1, 10))
    return draw(small_tables(n, 6)), draw(small_tables(n, 6))


def functions(C: Table) -> set[Function]:
    return {frozenset((x, c(x)) for x in C.points) for c in C}


def shuffled(C: Table, seed: int) -> Table:
    """The same class with rows and columns in another order."""
    rng = np.random.default_rng(seed)
    columns, rows = rng.permutation(len(C.domain)), rng.permutation(len(C))
    return Table(C.labels[rows][:, columns], [C.points[j] for j in columns])


# ---- construction


@given(st.integers(1, 20), st.data())
def test_a_table_holds_its_distinct_rows_in_order(n: int, data: st.DataObject) -> None:
    row = st.tuples(*[st.integers(0, 1)] * n)
    rows = data.draw(st.lists(row, min_size=1, max_size=12))
    C = Table(rows, concepts=[f"c{i}" for i in range(len(rows))])
    distinct = list(dict.fromkeys(rows))
    assert C.labels.tolist() == [list(row) for row in distinct]
    assert C.labels.dtype == np.uint8
    assert len(C) == C.size == len(distinct)
    assert C.merged == len(rows) - len(distinct)
    assert C.concept_names == tuple(f"c{rows.index(row)}" for row in distinct)
    assert C.points == tuple(range(n))
    for j in range(n):
        assert C.column(j).tolist() == [row[j] for row in distinct]


@pytest.mark.parametrize(
    "rows",
    [
        [[0, 1], [1, 1]],
        [(False, True), (True, True)],
        ((0.0, 1.0), (1, 1)),
        [np.array([0, 1]), [True, 1]],
        np.array([[0, 1], [1, 1]], dtype=float),
        np.array([[0, 1], [1, 1]], dtype=object),
        np.array([[0, 1], [1, 1]], dtype=bool),
        np.asfortranarray([[0, 1], [1, 1]]),
        (row for row in [[0, 1], [1, 1]]),
        {"f": [0, 1], "g": [1, 1]}.values(),
    ],
)
def test_any_array_of_0_and_1_is_a_table(rows: Any) -> None:
    assert Table(rows).labels.tolist() == [[0, 1], [1, 1]]


def test_an_object_that_offers_an_array_is_read_through_it() -> None:
    class Frame:
        def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
            return np.array([[0, 1]])

        def __iter__(self) -> Any:
            return iter(["a", "b"])

    assert Table(Frame()).labels.tolist() == [[0, 1]]


def test_the_empty_class_needs_only_a_domain() -> None:
    for domain in ("ab", iter("ab"), np.array(["a", "b"]), FiniteDomain("ab")):
        C = Table([], domain=domain)
        assert C.is_empty and C.size == 0 and list(C) == []
        assert C.points == ("a", "b")
        assert C.labels.shape == (0, 2)
        assert (C.row_bits, C.column_bits) == ((), (0, 0))
    assert Table(np.zeros((0, 2))) == Table([], domain=[0, 1])


def test_from_sets() -> None:
    C = Table.from_sets(iter("abc"), {"f": {"a"}, "g": "ca", "none": ()})
    assert [(c.name, c.support) for c in C] == [("f", ("a",)), ("g", ("a", "c")), ("none", ())]
    assert Table.from_sets(range(3), iter([[0], (1, 2)])) == Table([[1, 0, 0], [0, 1, 1]])
    assert Table.from_sets("ab", []).is_empty


def test_too_many_entries_are_refused_with_estimate_and_limit() -> None:
    require_memory(1 << 14, 1 << 14, "It")
    with pytest.raises(TooLarge, match="16385") as caught:
        require_memory((1 << 14) + 1, 1 << 14, "It")
    assert (caught.value.estimate, caught.value.limit) == (((1 << 14) + 1) << 14, 1 << 28)


# ---- contents


@given(small_tables())
def test_concepts_are_the_rows(C: Table) -> None:
    for i, c in enumerate(C):
        assert c.labels.tolist() == C.labels[i].tolist()
        assert [c(x) for x in C.points] == C.labels[i].tolist()
        assert c in C
        assert C.position(c) == i
        assert C[i - len(C)] == c
        assert C.row_bits[i] == sum(int(y) << j for j, y in enumerate(C.labels[i]))
    for j, x in enumerate(C.points):
        assert C.column_bits[j] == sum(int(y) << i for i, y in enumerate(C.labels[:, j]))
        assert C.column(x).tolist() == C.labels[:, j].tolist()


@given(small_tables(), st.data())
def test_membership_is_by_extension(C: Table, data: st.DataObject) -> None:
    n = len(C.domain)
    labels = data.draw(st.lists(st.integers(0, 1), min_size=n, max_size=n))
    order = data.draw(st.permutations(range(n)))
    h = Concept.from_labels([C.points[j] for j in order], [labels[j] for j in order])
    assert (h in C) == (labels in C.labels.tolist())


def test_what_cannot_be_a_member_is_not() -> None:
    C = Table([[0, 1], [1, 1]], domain="ab")
    for other in (Concept.from_labels("ac", [0, 1]), Concept.from_labels("abc", [0, 1, 0])):
        assert other not in C
    assert C[np.int64(1)].support == ("a", "b")


def test_nothing_handed_out_changes_the_table() -> None:
    rows = np.array([[0, 1], [1, 1]], dtype=np.uint8)
    C = Table(rows)
    rows[0, 0] = 1
    np.asarray(C)[0, 0] = 1
    assert C.labels.tolist() == [[0, 1], [1, 1]]
    with pytest.raises(ValueError, match=r"read-only"):
        C.packed[0, 0] = 0


@given(small_tables(), st.integers(0, 99))
def test_equality_and_hash_ignore_order_and_names(C: Table, seed: int) -> None:
    D = shuffled(C, seed)
    named = Table(D.labels, D.points, [f"c{i}" for i in range(len(D))])
    for same in (D, named, copy.deepcopy(C), pickle.loads(pickle.dumps(C))):
        assert same == C
        assert hash(same) == hash(C)


@given(pairs_of_tables())
def test_tables_are_equal_iff_they_hold_the_same_functions(pair: tuple[Table, Table]) -> None:
    C, D = pair
    assert (C == D) == (functions(C) == functions(D))
    assert C.rename([(x, 0) for x in C.points]) != C
    assert C != "C"
    # These two have as many ones in each column.
    assert Table([[0, 0], [1, 1]]) != Table([[0, 1], [1, 0]])


# ---- restriction


@given(small_tables(), st.data())
def test_restriction_keeps_the_concepts_with_that_label(C: Table, data: st.DataObject) -> None:
    x = data.draw(st.sampled_from(C.points))
    parts = [C.restrict(x, y) for y in (0, 1)]
    for y, part in enumerate(parts):
        assert functions(part) == {f for f in functions(C) if (x, y) in f}
        assert part.domain == C.domain
        assert part.restrict(x, y) == part
        assert part.restrict(x, 1 - y).is_empty
    assert parts[0] | parts[1] == C


@given(small_tables(), st.data())
def test_the_version_space_does_not_depend_on_the_order(C: Table, data: st.DataObject) -> None:
    example = st.tuples(st.sampled_from(C.points), st.integers(0, 1))
    examples = data.draw(st.lists(example, max_size=4))
    expected = {f for f in functions(C) if f.issuperset(examples)}
    version_space = C.given(data.draw(st.permutations(examples)))
    assert isinstance(version_space, Table)
    assert functions(version_space) == expected


# ---- classes made of classes


@given(small_tables(), st.data())
def test_projection(C: Table, data: st.DataObject) -> None:
    points = data.draw(st.lists(st.sampled_from(C.points), min_size=1, unique=True))
    P = C.project(iter(points))
    assert P.points == tuple(points)
    assert functions(P) == {frozenset((x, y) for x, y in f if x in points) for f in functions(C)}


@given(small_tables())
def test_dual(C: Table) -> None:
    if C.is_empty:
        return
    D = C.dual()
    assert D.points == tuple(range(len(C)))
    assert functions(D) == {frozenset((i, c(x)) for i, c in enumerate(C)) for x in C.points}
    assert D.concept_names is not None
    for f in D:
        assert f.labels.tolist() == C.column(f.name).tolist()
    # The dual of the dual has the points that concepts tell apart.
    assert functions(D.dual()) == functions(C.project(D.concept_names).rename(D.concept_names))


@given(small_tables())
def test_complement(C: Table) -> None:
    assert functions(C.complement()) == {frozenset((x, 1 - y) for x, y in f) for f in functions(C)}
    assert C.complement().complement() == C


@given(pairs_of_tables(), st.integers(0, 99))
def test_set_operations_do_not_depend_on_column_order(pair: tuple[Table, Table], seed: int) -> None:
    C, D = pair[0], shuffled(pair[1], seed)
    f, g = functions(C), functions(D)
    assert functions(C | D) == f | g
    assert functions(C & D) == f & g
    assert functions(C ^ D) == {frozenset((x, y ^ dict(b)[x]) for x, y in a) for a in f for b in g}
    assert C | D == D | C
    assert C & D == D & C
    assert C ^ D == D ^ C


@given(small_tables(rows=5), small_tables(rows=5))
def test_product(C: Table, D: Table) -> None:
    D = D.rename([(x, "right") for x in D.points])
    assert functions(C.product(D)) == {f | g for f in functions(C) for g in functions(D)}
    assert len(C.product(D)) == len(C) * len(D)


@given(small_tables())
def test_label_class(C: Table) -> None:
    E = C.label_class()
    assert functions(E) == {
        frozenset(((x, y), int(y != label)) for x, label in f for y in (0, 1)) for f in functions(C)
    }
    assert len(E) == len(C)


@given(small_tables(rows=3), st.integers(1, 40), st.integers(1, 40))
def test_majority_counts_votes(C: Table, m: int, needed: int) -> None:
    """How many of m votes each concept gets is drawn up in all ways, and none is merged."""
    needed = min(needed, m)
    shares = [count for count in itertools.product(range(m + 1), repeat=len(C)) if sum(count) == m]
    votes = np.array(shares) @ C.labels if len(C) else np.zeros((0, len(C.points)))
    rows = {tuple(map(int, row)) for row in votes >= needed}
    for share in (Fraction(needed, m), Fraction(2 * needed - 1, 2 * m)):
        for threshold in (share, str(share)):
            assert set(map(tuple, C.majority(m, threshold=threshold).labels.tolist())) == rows


def test_majority_reaches_the_threshold() -> None:
    """By definition, where the threshold is a share of votes that can be, and where it is none."""
    C = Table(np.eye(3, dtype=int))
    for m, threshold in itertools.product((2, 3, 4), map(Fraction, ("1/20", "1/2", "2/3", "1"))):
        expected = {
            tuple(int(Fraction(sum(labels), m) >= threshold) for labels in zip(*votes, strict=True))
            for votes in itertools.product(C.labels.tolist(), repeat=m)
        }
        found = C.majority(m, threshold=threshold)
        assert set(map(tuple, found.labels.tolist())) == expected, (m, threshold)


def test_votes_on_no_points() -> None:
    C = Table([[]])
    assert C.majority(3) == aggregate(lambda a, b: a, C, C) == C
    assert not len(Table([], domain=[]).majority(3))


def test_majority_of_very_many_votes_does_not_overflow() -> None:
    C = Table([[0, 1]])
    assert all(C.majority(m) == C for m in (127, 128, 255, 256))


@given(st.integers(1, 3), st.data())
def test_aggregate(k: int, data: st.DataObject) -> None:
    n = data.draw(st.integers(1, 9))
    classes = [shuffled(data.draw(small_tables(n, 4)), i) for i in range(k)]
    truth = data.draw(st.lists(st.integers(0, 1), min_size=2**k, max_size=2**k))

    def g(*labels: int) -> int:
        return truth[int("".join(map(str, labels)), 2)]

    expected = {
        frozenset((x, g(*(dict(f)[x] for f in chosen))) for x in classes[0].points)
        for chosen in itertools.product(*map(functions, classes))
    }
    assert functions(aggregate(g, *classes)) == expected


def test_operations_that_would_explode_are_refused_before_they_start() -> None:
    cube = Table((np.arange(1 << 14)[:, None] >> np.arange(14)) & 1)
    other = cube.rename(range(14, 28))
    for operation in (
        *(lambda: cube ^ cube, lambda: cube.product(other)),
        *(lambda: cube.majority(2), lambda: aggregate(min, cube, cube)),
    ):
        with pytest.raises(TooLarge) as caught:
            operation()
        assert caught.value.estimate > caught.value.limit  # type: ignore[operator]


class Frame:
    """What pandas and polars have in common, with an index as pandas has."""

    def __init__(self, labels, columns, index):
        self.labels, self.columns, self.index = labels, columns, index

    def to_numpy(self):
        return np.array(self.labels)


def test_the_names_of_a_data_frame_are_kept_unless_its_rows_are_only_numbered():
    C = Table(Frame([[False, True], [True, True]], ["a", "b"], ["f", "g"]))
    assert C.points == ("a", "b") and C.concept_names == ("f", "g")
    assert Table(["01", "11"], domain="ab") == C
    assert Table(Frame([[0, 1], [1, 1]], ["a", "b"], range(2))).concept_names is None
    assert Table(Frame([[0, 1]], ["a", "b"], ["f"]), domain="xy", concepts="h").points == ("x", "y")
    twice = Frame([[0, 1], [1, 1]], ["a", "b"], ["f", "f"])
    with pytest.raises(InvalidInput, match=r"Got 'f' more than once. Use frame.reset_index"):
        Table(twice)
    assert Table(twice, concepts="gh").concept_names == ("g", "h")


def test_texts_of_0_and_1_are_labels_in_whatever_they_stand():
    C = Table(["01", "10"])
    series = Frame(["01", "10"], None, ["f", "g"])
    del series.columns
    for rows in (
        np.array(["01", "10"]),
        np.array(["01", "10"], dtype=object),
        [["0", "1"], ("1", 0)],
        np.array([["0", "1"], ["1", "0"]]),
        Frame([["0", "1"], ["1", "0"]], [0, 1], range(2)),
        series,
    ):
        assert Table(rows) == C
    assert Table(series).concept_names == ("f", "g")


def test_an_array_of_a_table_is_its_labels():
    C = Table(["011", "001"])
    assert np.array_equal(np.asarray(C), C.labels) and np.asarray(C, dtype=bool).dtype == bool
    assert Table(np.asarray(C)) == C
    assert np.array_equal(np.array(C, copy=True), C.labels)
    with pytest.raises(ValueError, match="so an array of them is a copy"):
        np.array(C, copy=False)


def test_a_summary_has_each_dimension_exactly_or_says_why_not():
    C = Table(["001", "011", "111"])
    rows = {row.name: row for row in C.summary().rows}
    assert list(rows) == list(DIMENSIONS)
    for name in ("ldim", "randomized_ldim", "star_number"):
        assert rows[name].value == str(getattr(C, name)()) and rows[name].source == "search"
    assert "<th>ldim</th>" in C.summary()._repr_html_()
    infinite = catalog.build("thresholds:n=inf")
    assert infinite.summary(["ldim"]).rows[0].value == "infinite"
    row = infinite.summary(["growth_function"]).rows[0]
    assert (row.value, row.source) == ("unknown", "too large")
    (row,) = catalog.build("ltf:n=4").summary(["growth_function"], limit=Limit(seconds=0.001)).rows
    assert row.source == "limit reached" and row.value.endswith("..1882 ...")
    with pytest.raises(InvalidInput, match="needs at least one name of a dimension"):
        C.summary([])


def test_a_summary_has_bounds_that_follow_from_other_dimensions():
    rows = catalog.build("points:n=2^64").summary(["eluder_dim", "randomized_ldim"]).rows
    assert [(row.value, row.source) for row in rows] == [
        (str(2**64 - 1), "inequalities"),
        ("0.5 to 1", "too large"),
    ]
    # What is found first, in another order than dimensions are named in, counts for all.
    rows = catalog.build("ltf:n=4").summary(["ldim", "vcdim"], limit=Limit(seconds=1e-3)).rows
    assert int(rows[0].value.split()[0]) >= int(rows[1].value.split()[0])


def test_a_summary_takes_no_longer_than_its_limit():
    start = time.monotonic()
    found = catalog.build("ltf:n=4").summary(limit=Limit(seconds=0.1))
    assert time.monotonic() - start < 5
    assert all(row.source != "limit reached" or row.value != "unknown" for row in found.rows)


def test_a_summary_is_a_mapping_and_a_data_frame():
    C = Table(["001", "011", "111"])
    found = C.summary(["ldim", "VC dimension", "randomized_ldim", "growth_function"])
    assert found["ldim"] == C.ldim()
    assert found["vcdim"] == C.vcdim()
    assert dict(found) == {name: getattr(C, name)() for name in found}
    assert len(found) == 4
    assert found == C.summary(list(found))
    with pytest.raises(KeyError):
        found["size"]
    series = pandas.Series(found)
    assert list(series.index) == list(found)
    frame = found.to_pandas()
    assert frame.loc["growth_function", "value"] == C.growth_function()
    assert frame.loc["ldim", "lower"] == frame.loc["ldim", "upper"] == C.ldim()
    infinite = catalog.build("thresholds:n=inf").summary(["ldim", "teaching_dim"])
    assert infinite["ldim"] == float("inf")
    assert infinite["teaching_dim"] is None
    (row,) = catalog.build("points:n=2^64").summary(["randomized_ldim"]).rows
    assert (row.exact, row.lower, row.upper) == (None, Fraction(1, 2), 1)


@pytest.mark.parametrize(
    ("rows", "constructor"),
    [
        ([{"a"}], "from_sets"),
        ({"f": {"a"}}, "from_sets"),
        ([frozenset()], "from_sets"),
        (lambda x: 0, "from_functions"),
        ([len, abs], "from_functions"),
        ({"f": len}, "from_functions"),
        (nx.path_graph(3), "neighbourhoods.graph., cliques.graph."),
        ("thresholds:n=7", "catalog.build.*Table.load"),
        ({"f": [0, 1]}, "takes a mapping m of names to rows"),
    ],
)
def test_other_descriptions_name_the_right_constructor(rows, constructor):
    with pytest.raises(InvalidInput, match=f"A table needs a list of rows.*Got.*{constructor}"):
        Table(rows)
