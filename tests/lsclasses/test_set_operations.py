"""Concept classes as collections and sets: finite families behave like tables."""

from __future__ import annotations

import gc
import operator
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import catalog
from lsclasses import (
    Concept,
    FiniteClass,
    FiniteDomain,
    IntegerRange,
    InvalidInput,
    LazyClass,
    ProductClass,
    Table,
    TooLarge,
    aggregate,
)
from lsclasses.set_operations import _LISTINGS

SMALL = (
    "thresholds:n=4",
    "points:n=4",
    "cube:n=4",
    "parities:n=2",
    "intervals:n=4",
    "monotone:n=2",
)
FAMILY = catalog.build("thresholds:n=4")
HUGE, INFINITE = catalog.build("thresholds:n=2^64"), catalog.build("thresholds:n=inf")


def concepts(C: Any) -> set[tuple[int, ...]]:
    return set(map(tuple, C.to_table().labels.tolist()))


@pytest.mark.parametrize("source", SMALL)
def test_a_family_is_the_collection_of_its_concepts(source: str) -> None:
    C = catalog.build(source)
    T = C.to_table()
    assert len(C) == len(T) == len(list(C)) == C.size
    assert [*C] == [*T] == [C[i] for i in range(len(C))]
    assert C[-1] == T[len(T) - 1]
    assert next(reversed(C)) == C[-1]
    assert C
    assert not C.restrict(T.points[0], 0).restrict(T.points[0], 1)
    assert np.asarray(C).tolist() == T.labels.tolist()
    for labels in product((0, 1), repeat=len(T.points)):
        there = labels in concepts(C)
        h = Concept.from_labels(T.points, labels)
        assert [each in C for each in (labels, list(labels), np.array(labels), h)] == [there] * 4
        assert ("".join(map(str, labels)) in C) == there
        place = T.position(h)
        assert [T.position(each) for each in (labels, "".join(map(str, labels)))] == [place] * 2


def test_only_labellings_have_positions() -> None:
    C = Table([[0, 0], [1, 1]], concepts=["f1", "11"])
    assert C.position("11") == 1
    with pytest.raises(InvalidInput, match=r"Its position is C.position\(C.concept\('f1'\)\)"):
        C.position("f1")
    assert C.position(C.concept("f1")) == 0
    for other in (1, None, "f2", (1, 1, 1)):
        with pytest.raises(InvalidInput, match=r"label"):
            C.position(other)


@given(st.sets(st.integers(0, 15), max_size=16), st.sampled_from(SMALL[:3]), st.booleans())
def test_operations_are_those_of_sets_of_concepts(
    chosen: set[int], source: str, swap: bool
) -> None:
    C, D = catalog.build(source), Table([f"{i:04b}" for i in chosen] or [], domain=range(4))
    left, right = (D, C) if swap else (C, D)
    mine, theirs = concepts(left), concepts(right)
    for made, expected in (
        (left | right, mine | theirs),
        (left & right, mine & theirs),
        (left - right, mine - theirs),
        (left ^ right, {tuple(np.bitwise_xor(a, b)) for a in mine for b in theirs}),
        (~left, {tuple(1 - np.array(a)) for a in mine}),
    ):
        assert isinstance(made, Table)
        assert concepts(made) == expected
    for compare in (operator.le, operator.lt, operator.ge, operator.gt):
        assert compare(left, right) == compare(mine, theirs)
    assert left.same_class(right) == right.same_class(left) == (mine == theirs)


def test_columns_in_another_order_are_aligned() -> None:
    C, D = Table(["01", "11"], domain="ab"), Table(["10"], domain="ba")
    assert (C | D).points == ("a", "b")
    assert D <= C
    assert not C <= D
    assert (C - D).labels.tolist() == [[1, 1]]


def test_equality_and_hash_of_classes_are_unchanged() -> None:
    T = FAMILY.to_table()
    assert FAMILY != T
    assert FAMILY.same_class(T)
    assert T.same_class(FAMILY)
    assert catalog.build("thresholds:n=4") == FAMILY
    assert hash(catalog.build("thresholds:n=4")) == hash(FAMILY)
    assert not FAMILY.same_class(T.rename("abcd"))
    assert not FAMILY.same_class(FAMILY.restrict(1, 1))


def test_classes_of_different_sizes_are_compared_without_a_list() -> None:
    assert HUGE.same_class(catalog.build("thresholds:n=2^64"))
    assert not HUGE.same_class(catalog.build("thresholds:n=2^64,zeros=0"))
    assert not HUGE.same_class(INFINITE)
    with pytest.raises(TooLarge, match=r"`size` returns"):
        catalog.build("thresholds:n=2^64,zeros=0").same_class(catalog.build("points:n=2^64"))


def test_a_product_joins_disjoint_domains() -> None:
    D = catalog.build("points:n=2").to_table().rename("ab")
    assert len(FAMILY * D) == len(FAMILY) * len(D)
    assert (FAMILY * D).points == (0, 1, 2, 3, "a", "b")
    with pytest.raises(InvalidInput, match=r"rename.*ProductClass"):
        FAMILY * FAMILY
    assert len(ProductClass(FAMILY, FAMILY)) == 25
    assert ProductClass(FAMILY, FAMILY)[7] in ProductClass(FAMILY, FAMILY)


def test_a_table_takes_a_class_with_its_names() -> None:
    assert Table(FAMILY) == FAMILY.to_table()
    assert Table(FAMILY).concept_names == FAMILY.to_table().concept_names
    named = Table(["01", "11"], domain="ab", concepts=["f", "g"])
    assert Table(named).points == ("a", "b")
    assert Table(named).concept_names == ("f", "g")
    assert Table(named, domain="xy", concepts="fg").points == ("x", "y")
    with pytest.raises(InvalidInput, match=r"The domain must name every column: 2. Got 3"):
        Table(named, domain="xyz")


USES: tuple[Callable[[Any], Any], ...] = (
    len,
    list,
    lambda C: C[0],
    lambda C: C | C,
    lambda C: C & FAMILY,
    lambda C: C - C,
    lambda C: ~C,
    lambda C: C <= FAMILY,
    lambda C: FAMILY < C,
    lambda C: C * FAMILY,
    np.asarray,
    Table,
)


@pytest.mark.parametrize("use", USES)
def test_large_and_infinite_families_refuse_in_a_sentence_that_names_size(
    use: Callable[[Any], Any],
) -> None:
    with pytest.raises(
        TooLarge, match=r"has 18446744073709551617 concepts.*`size` returns the num"
    ):
        use(HUGE)
    with pytest.raises(TooLarge, match=r"infinitely many concepts.*`size` returns None for an inf"):
        use(INFINITE)
    assert HUGE and INFINITE


def test_sizes_that_nobody_reads_are_rounded() -> None:
    with pytest.raises(TooLarge, match=r"has \d[.]?\d*e\+?301 concepts|10\^301"):
        len(catalog.build("cube:n=1000"))


def test_membership_needs_the_points_and_no_list_of_concepts() -> None:
    cube = catalog.build("cube:n=100")
    assert [1] * 100 in cube
    assert [1] * 100 not in catalog.build("points:n=100")
    with pytest.raises(
        TooLarge, match=r"`in` reads the label of every point.*18446744073709551616"
    ):
        operator.contains(HUGE, HUGE.soa())
    assert INFINITE.soa() not in FAMILY


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ([0, 0, 1], "A row needs one label for each point: 4. Got 3"),
        ("00111", "A row needs one label for each point: 4. Got 5"),
        ([0, 0, 1, 2], "A label must be 0 or 1. Got 2"),
        ("001x", "A label must be 0 or 1. Got 'x'"),
        (5, "A labelling must be a Hypothesis, or a row"),
        (None, "A labelling must be a Hypothesis, or a row"),
        ({0, 1, 2, 3}, "A labelling must be a Hypothesis, or a row"),
        (FAMILY, "A labelling must be a Hypothesis, or a row"),
    ],
)
@pytest.mark.parametrize("C", [FAMILY, FAMILY.to_table()])
def test_rows_that_are_no_labellings_are_refused(C: Any, row: Any, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        operator.contains(C, row)


@pytest.mark.parametrize("C", [FAMILY, FAMILY.to_table()])
def test_slices_and_names_are_no_positions(C: Any) -> None:
    with pytest.raises(
        InvalidInput, match=r"a class has no slices.*slice\(1, 3, None\).*list\(C\)"
    ):
        C[1:3]
    with pytest.raises(InvalidInput, match=r"must be an integer, its position. Got 'a'"):
        C["a"]
    with pytest.raises(IndexError, match=r"There is no concept 5: the class has 5 concepts"):
        C[5]
    with pytest.raises(TypeError, match="unsupported operand"):
        C | 5
    with pytest.raises(InvalidInput, match=r"The union needs concept classes. Got \[\[0\]\]"):
        C.union([[0]])


def test_a_listing_is_made_once_and_goes_with_its_class() -> None:
    C = catalog.build("thresholds:n=4")
    assert C[0].domain is C[1].domain
    before = len(_LISTINGS)
    del C
    gc.collect()
    assert len(_LISTINGS) < before


def test_named_functions_are_concepts_on_the_whole_domain() -> None:
    functions = {f"by {p}": lambda x, p=p: x % p == 0 for p in (2, 3, 5)}
    C = FiniteClass(functions, IntegerRange(1), points=range(1, 31))
    assert [h(100) for h in C] == [1, 0, 1]
    assert C["by 2"] in C
    assert C["by 2"] not in C.restrict(2, 0)
    assert len(C) == 3
    with pytest.raises(TooLarge, match=r"infinitely many points, and its table lists only 30"):
        C | C


def test_enumerations_are_listed_after_examples() -> None:
    C = LazyClass(FiniteDomain(range(3)), [lambda x, t=t: x >= t for t in range(4)])
    assert len(list(C)) == len(C) == 4
    left = C.restrict(1, 1)
    assert len(list(left)) == 2
    assert len(list(C)) == 4
    assert left < C


def test_aggregations_take_families() -> None:
    both = aggregate(lambda a, b: a and b, FAMILY, FAMILY.to_table())
    assert both.same_class(FAMILY)


def test_labels_are_read_only() -> None:
    T = FAMILY.to_table()
    for labels in (T.labels, T.column(1), T[0].labels):
        with pytest.raises(ValueError, match="read-only"):
            labels[0] = 1
    writeable = np.asarray(T)
    writeable[0] = 0
    assert T.labels[0].tolist() == [1, 1, 1, 1]
