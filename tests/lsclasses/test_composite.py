"""Products and disjoint unions, against the tables that their definitions spell out."""

from __future__ import annotations

import itertools
import pickle
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import catalog
from learners.playing.play import replay
from lsclasses import (
    ConceptClass,
    Constant,
    DisjointUnion,
    FiniteDomain,
    IntegerRange,
    PatchedHypothesis,
    ProductClass,
    Table,
    TaggedUnion,
    TooLarge,
)
from lsclasses.composite import JoinedHypothesis
from lsclasses.dimensions import DIMENSIONS
from lsclasses.soa import SOA
from tests.catalog.closed_forms.closed_form_checks import check_all, check_streams, version_spaces
from tests.strategies import tables


def points_of(parts: Sequence[Table]) -> list[tuple]:
    return [(i, x) for i, part in enumerate(parts) for x in part.points]


def product_table(parts: Sequence[Table]) -> Table:
    rows = [
        list(itertools.chain.from_iterable(rows))
        for rows in itertools.product(*(part.labels.tolist() for part in parts))
    ]
    return Table(rows, domain=points_of(parts))


def union_table(parts: Sequence[Table]) -> Table:
    rows = []
    for i, part in enumerate(parts):
        for row in part.labels.tolist():
            blocks = [row if j == i else [0] * len(p.points) for j, p in enumerate(parts)]
            rows.append(list(itertools.chain.from_iterable(blocks)))
    return Table(rows, domain=points_of(parts))


KINDS = [(ProductClass, product_table), (DisjointUnion, union_table)]
SPECS = [
    ("thresholds:n=2", "points:n=2"),
    ("points:n=3,empty=1", "points:n=2"),
    ("thresholds:n=1",) * 3,
    pytest.param(("points:n=2", "at-most:n=2,k=1", "thresholds:n=1"), marks=pytest.mark.slow),
    pytest.param(("thresholds:n=3", "affine:q=2,n=1,k=1"), marks=pytest.mark.slow),
    pytest.param(("parities:n=1", "affine-functionals:n=1"), marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("kind", "definition"), KINDS)
@pytest.mark.parametrize("specs", SPECS)
def test_parts_in_closed_form(kind: type, definition: type, specs: Sequence[str]) -> None:
    parsed = [catalog.parse(spec) for spec in specs]
    written = [family.table(**values) for family, values in parsed]
    check_all(kind(*map(catalog.build, specs)), definition(written), max_states=20)


@pytest.mark.parametrize(("kind", "definition"), KINDS)
@settings(max_examples=10)
@given(st.lists(tables(max_concepts=5, max_points=3), min_size=1, max_size=3), st.data())
def test_parts_that_are_tables(
    kind: type, definition: type, parts: list[Table], data: st.DataObject
) -> None:
    closed, table = kind(*parts), definition(parts)
    assert closed.to_table() == table
    for name in ("vcdim", "randomized_ldim", "star_number", "teaching_dim", "hollow_star_number"):
        value = closed._closed_form(name)
        assert value is None or value == DIMENSIONS[name].search(table)
    for left, rows in version_spaces(closed, table, 25):
        assert (left.size, left.is_empty, left.ldim()) == (len(rows), rows.is_empty, rows.ldim())
        if not rows.is_empty:
            rule, searched = left.soa(), rows.soa()
            assert all(rule(x) == searched(x) for x in rows.domain)
    check_streams(closed, table, streams=2, seed=data.draw(st.integers(0, 99)))


@pytest.mark.parametrize(
    "spec",
    [
        *("thresholds:n=4,zeros=0", "thresholds:n=4,ones=0", "points:n=3", "points:n=3,empty=1"),
        *("at-most:n=4,k=2", "cube:n=2", "parities:n=2", "affine:q=3,n=1,k=1,empty=1"),
        *("linear:q=2,n=2,k=2", "affine-functionals:n=2", "intervals:n=4,empty=0"),
        *("conjunctions:n=2", "disjunctions:n=2,monotone=1"),
    ],
)
def test_what_closed_forms_tell_a_union(spec: str) -> None:
    """The dimension after a label 1, and where their rules differ from a constant."""
    family, values = catalog.parse(spec)
    for left, rows in version_spaces(family.concept_class(**values), family.table(**values), 50):
        value = left._ldim_after_one()
        assert value is None or value == max(rows.restrict(x, 1).ldim() for x in rows.domain)
        if rows.is_empty:
            continue
        rule = left.soa()
        for y in (0, 1):
            constant = Constant(rule.domain, y)
            differing = {x for x in rows.domain if rule(x) != y}
            assert set(rule._disagreements(constant)) == differing
            found = constant.disagreement(rule)
            assert found in differing if differing else found is None


# ---- large parts


def test_a_large_product() -> None:
    parts = [catalog.build(s) for s in ("affine:q=2,n=64,k=3", "thresholds:n=1099511627775")]
    C = ProductClass(*parts)
    assert (C.ldim(), C.vcdim(), C.domain.size) == (4 + 40, 4 + 1, 2**64 + 2**40 - 1)
    rng = np.random.default_rng(0)
    target = C.sample(rng)
    last = replay(SOA(C), C.sample_stream(100, rng, target=target))[-1]
    assert last.mistakes <= 44
    assert hash(last.state) == hash(pickle.loads(pickle.dumps(last.state)))
    shallow = ProductClass(parts[0], catalog.build("thresholds:n=15"))
    tree = shallow.shattered_tree()
    assert tree.depth == 8
    tree.verify(shallow)
    with pytest.raises(TooLarge, match="depth 44"):
        C.shattered_tree()


def test_products_with_infinite_parts() -> None:
    C = ProductClass(catalog.build("cube:n=2"), catalog.build("points:n=inf"))
    assert (C.size, C.domain.size, C.ldim()) == (None, None, 3)
    assert C.restrict((1, 10**30), 1).size == 4
    assert C.restrict((1, 5), 1).restrict((1, 6), 1).is_empty
    assert list(itertools.islice(C.domain, 4)) == [(0, 0), (0, 1), (1, 0), (1, 1)]


def test_a_large_disjoint_union() -> None:
    points = catalog.build("points:n=18446744073709551616")
    flats = catalog.build("affine:q=2,n=64,k=8")
    C = DisjointUnion(points, flats, flats)
    assert C.ldim() == 9
    assert C.restrict((1, (0,) * 64), 1).ldim() == 8
    assert C.restrict((0, 7), 1).ldim() == 0
    assert C.restrict((0, 7), 1).size == 1
    assert C.soa().disagreement(Constant(C.domain, 0)) is None
    known = C.restrict((1, (0,) * 64), 1)
    assert known.soa()((1, (0,) * 64)) == 1
    assert known.soa() == C.given([((2, (1,) * 64), 0), ((1, (0,) * 64), 1)]).soa()
    # Half-lines after whose last point all concepts are 1: two of them, and nothing for free.
    lines = [catalog.build("thresholds:n=1099511627776,zeros=0")] * 2
    assert DisjointUnion(*lines).ldim() == 41
    with pytest.raises(TooLarge, match="is 40 or 41") as caught:
        DisjointUnion(lines[0], points).ldim()
    assert (caught.value.lower, caught.value.upper) == (40, 41)


# ---- hypotheses


@given(st.data())
def test_joined_hypotheses_are_equal_iff_their_labels_are(data: st.DataObject) -> None:
    parts = [catalog.build(s) for s in ("thresholds:n=3", "affine:q=2,n=2,k=1", "points:n=2")]
    X = TaggedUnion(*(part.domain for part in parts))
    rng = np.random.default_rng(data.draw(st.integers(0, 10**6)))

    def some() -> JoinedHypothesis | PatchedHypothesis:
        chosen = [
            part.sample(rng) if rng.integers(2) else Constant(part.domain, int(rng.integers(2)))
            for part in parts
        ]
        h = JoinedHypothesis(X, chosen)
        points = list(X)
        patches = {points[int(rng.integers(len(points)))]: int(rng.integers(2)) for _ in range(3)}
        return PatchedHypothesis(h, patches) if rng.integers(2) else h

    g, h = some(), some()
    labels_differ = [x for x in X if g(x) != h(x)]
    assert (g == h) == (not labels_differ)
    x = g.disagreement(h)
    assert (x is None) == (not labels_differ)
    assert x is None or x in labels_differ
    same = PatchedHypothesis(g, {x: h(x) for x in labels_differ})
    assert same == h
    assert hash(same) == hash(h)


def test_constants_on_large_parts_and_their_own_rules_are_equal() -> None:
    parts = [catalog.build("affine:q=2,n=64,k=1"), catalog.build("points:n=inf")]
    X = TaggedUnion(*(part.domain for part in parts))
    rules = JoinedHypothesis(X, [part.soa() for part in parts])
    zeros = JoinedHypothesis(X, [Constant(part.domain, 0) for part in parts])
    assert rules == zeros
    assert hash(rules) == hash(zeros)
    assert PatchedHypothesis(rules, {(1, 5): 1}) != zeros


# ---- domains and inputs


def test_tagged_unions() -> None:
    X = TaggedUnion(FiniteDomain("ab"), IntegerRange(0))
    assert X.size is None
    assert list(itertools.islice(X, 4)) == [(0, "a"), (0, "b"), (1, 0), (1, 1)]
    two = TaggedUnion(IntegerRange(0), FiniteDomain("a"), IntegerRange(5))
    assert list(itertools.islice(two, 5)) == [(1, "a"), (0, 0), (2, 5), (0, 1), (2, 6)]
    assert X.require([1, np.int64(3)]) == (1, 3)
    assert [(0, "c") in X, (2, 0) in X, (-1, "a") in X, "ab" in X, (1, 7) in X] == [
        *([False] * 4),
        True,
    ]
    assert TaggedUnion(FiniteDomain("ab")) == TaggedUnion(FiniteDomain("ab"))
    assert TaggedUnion(FiniteDomain("ab")) != TaggedUnion(FiniteDomain("a"))
    assert TaggedUnion(FiniteDomain("ab")) == FiniteDomain([(0, "a"), (0, "b")])


def test_empty_parts() -> None:
    empty: ConceptClass = Table([], domain=[0, 1])
    full = Table([[0, 1], [1, 1]])
    product, union = ProductClass(full, empty), DisjointUnion(full, empty)
    assert product.is_empty
    assert (product.size, product.ldim()) == (0, -1)
    assert product == ProductClass(full, full).given([((0, 1), 0)])
    assert (union.size, union.ldim(), union.vcdim()) == (2, 1, 1)
    assert union.restrict((1, 0), 1).is_empty
    assert union.restrict((1, 0), 0) is union
    nothing = DisjointUnion(empty)
    assert (nothing.is_empty, nothing.size, nothing.ldim()) == (True, 0, -1)
    assert len(nothing.to_table()) == 0
