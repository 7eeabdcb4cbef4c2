"""Histograms of errors of closed forms against counts over tables, and drawn concepts."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import catalog
from catalog.closed_forms.boxes import Boxes
from catalog.closed_forms.interval_unions import IntervalUnions
from catalog.closed_forms.list_counts import ListBounds
from catalog.closed_forms.short_lists import ShortLists
from learners.coins import CoinGenerator, SeededCoins
from learners.exact import exact_distribution
from learners.mechanisms.selection import ExponentialMechanism
from learners.pac.generic import GenericLearner, draw_by_errors
from learners.pac.samples import Sample
from lsclasses import ConceptClass, DisjointUnion, Hypothesis, ProductClass
from lsclasses.domain import IntegerGrid, IntegerRange
from lsclasses.error_histograms import convolved, error_histogram
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.stacks import HypothesisStack

SPECS = (
    "thresholds:n=7",
    "points:n=5",
    "points:n=5,empty=1",
    "at-most:n=5,k=2",
    "cube:n=4",
    "intervals:n=6",
    "intervals:n=5,empty=0",
    "affine:q=2,n=3,k=1",
    "affine:q=2,n=3,k=2,empty=1",
    "affine:q=3,n=2,k=0",
    "affine:q=3,n=2,k=1,empty=1",
    "linear:q=2,n=3,k=1",
    "linear:q=3,n=2,k=1",
    "linear:q=2,n=3,k=2",
    "conjunctions:n=3",
    "conjunctions:n=3,monotone=1",
    "disjunctions:n=3",
    "disjunctions:n=3,monotone=1",
    "rectangles:a=2,b=2",
    "parities:n=3",
    "affine-functionals:n=3",
)


def composites() -> list[ConceptClass]:
    thresholds, points = catalog.build("thresholds:n=4"), catalog.build("points:n=3,empty=1")
    intervals = catalog.build("intervals:n=3")
    return [
        ProductClass(thresholds, points),
        ProductClass(points, intervals, thresholds),
        DisjointUnion(thresholds, points),
        DisjointUnion(points, intervals, catalog.build("points:n=2")),
    ]


SHORT_LISTS = (
    ListBounds(3, length=3),
    ListBounds(3, length=2),
    ListBounds(3, 2, length=2),
    ListBounds(3, length=3, monotone=True),
    ListBounds(3, length=3, alternations=1, monotone=True),
    ListBounds(3, 2, length=2, monotone=True),
)


def classes() -> list[ConceptClass]:
    lists = map(ShortLists, SHORT_LISTS)
    return [
        *(catalog.build(spec) for spec in SPECS),
        *composites(),
        *lists,
        Boxes(IntegerGrid(2, 3)),
    ]


@st.composite
def version_spaces(draw: Any) -> ConceptClass:
    C = draw(st.sampled_from(classes()))
    for x, y in draw(st.lists(st.tuples(st.sampled_from(list(C.domain)), st.integers(0, 1)))):
        restricted = C.restrict(x, y)
        C = C if restricted.is_empty else restricted
    return C


@st.composite
def classes_with_rows(draw: Any) -> tuple[ConceptClass, dict[tuple[Any, int], int]]:
    C = draw(version_spaces())
    example = st.tuples(st.sampled_from(list(C.domain)), st.integers(0, 1))
    return C, draw(st.dictionaries(example, st.integers(1, 3), max_size=8))


def counted(C: ConceptClass, rows: dict[tuple[Any, int], int]) -> dict[int, int]:
    """Return the number of concepts of a table with each number of errors, by the definition."""
    errors = Counter(sum(n for (x, y), n in rows.items() if c(x) != y) for c in C.to_table())
    return dict(sorted(errors.items()))


@given(classes_with_rows())
def test_the_counts_are_the_counts_over_the_table(case: Any) -> None:
    C, rows = case
    assert dict(error_histogram(C, rows).counts) == counted(C, rows)


@given(classes_with_rows(), st.integers(0, 2**32))
def test_a_drawn_concept_belongs_to_the_class_and_has_the_number_of_errors(
    case: Any, seed: int
) -> None:
    C, rows = case
    histogram = error_histogram(C, rows)
    for errors in histogram.counts:
        concept = histogram.sample(errors, seed)
        assert concept in C
        assert sum(n for (x, y), n in rows.items() if concept(x) != y) == errors


SMALL = (
    "thresholds:n=5",
    "points:n=4",
    "intervals:n=4",
    "at-most:n=4,k=2",
    "cube:n=3",
    "conjunctions:n=2",
    "disjunctions:n=2,monotone=1",
    "parities:n=2",
    "affine-functionals:n=2",
    "affine:q=2,n=2,k=1",
    "linear:q=3,n=2,k=1",
)


def small_classes() -> list[ConceptClass]:
    unions = IntervalUnions(IntegerRange(0, 5), 2)
    return [
        *map(catalog.build, SMALL),
        *map(ShortLists, SHORT_LISTS),
        unions,
        Boxes(IntegerGrid(2, 3)),
    ]


@pytest.mark.parametrize("C", small_classes(), ids=str)
def test_the_closed_form_draws_with_the_distribution_of_the_table(C: ConceptClass) -> None:
    first, second, third = list(C.domain)[:3]
    rows = {(first, 1): 1, (second, 0): 2, (third, 1): 2}
    mechanism = ExponentialMechanism(Fraction(1, 2))
    sample = Sample(C.domain, [example for example, n in rows.items() for _ in range(n)])
    listed = GenericLearner(C.to_table(), Fraction(1, 2))

    def labels(concept: Hypothesis) -> tuple[int, ...]:
        return tuple(map(concept, C.domain))

    by_errors = exact_distribution(
        lambda coins: draw_by_errors(error_histogram(C, rows), mechanism, coins)
    ).map(labels)
    by_table = exact_distribution(lambda coins: listed.fit(sample, coins)).map(labels)
    assert by_errors.tail == by_table.tail == 0
    assert set(by_errors) == set(by_table) == {labels(c) for c in C.to_table()}
    for concept in by_table:
        assert by_errors[concept].overlaps(by_table[concept])
        assert by_errors[concept].rad() < 1e-12


@pytest.mark.parametrize("mean", [64, pytest.param(200, marks=pytest.mark.slow)])
@pytest.mark.parametrize("C", composites(), ids=str)
def test_concepts_with_equal_errors_are_equally_likely(C: ConceptClass, mean: int) -> None:
    rows = {(x, i % 2): 1 for i, x in enumerate(C.domain)}
    histogram = error_histogram(C, rows)
    errors = max(histogram.counts, key=lambda e: histogram.counts[e])
    coins = CoinGenerator(SeededCoins(7))
    drawn = Counter(histogram.sample(errors, coins) for _ in range(mean * histogram.counts[errors]))
    assert len(drawn) == histogram.counts[errors]
    # The standard deviation of each number is at most the root of the mean. The seed is fixed.
    assert max(abs(number - mean) for number in drawn.values()) < 4.25 * mean**0.5


def test_weights_may_exceed_machine_integers() -> None:
    C = catalog.build("affine:q=2,n=3,k=2")
    point = next(iter(C.domain))
    assert set(error_histogram(C, {(point, 1): 10**30}).counts) == {0, 10**30}


def test_dense_polynomials_give_the_products_of_sparse_ones(monkeypatch: Any) -> None:
    one, other = {-3: 2, 0: 1, 5: 10**20}, {-1: 7, 2: 1}
    sparse = convolved(one, other)
    monkeypatch.setattr("lsclasses.error_histograms.MOST_PRODUCTS", 0)
    assert convolved(one, other) == sparse


@pytest.mark.parametrize("n", [80, pytest.param(200, marks=pytest.mark.slow)])
def test_many_rows_of_intervals_are_counted_by_divide_and_conquer(n: int) -> None:
    C = catalog.build(f"intervals:n={n}")
    labels = np.random.default_rng(3).integers(2, size=n)
    rows = {(x, int(y)): 1 + x % 3 for x, y in enumerate(labels.tolist())}
    assert dict(error_histogram(C, rows).counts) == counted(C, rows)


def test_too_many_groups_are_refused_by_the_number_of_rows() -> None:
    C = catalog.build("affine:q=2,n=64,k=4")
    rows = {(x, 0): 1 for x, _ in zip(C.domain, range(64), strict=False)}
    with pytest.raises(TooLarge, match="64 rows"):
        error_histogram(C, rows)


@pytest.mark.parametrize("join", [ProductClass, DisjointUnion])
def test_a_refusal_does_not_depend_on_the_parts_of_the_rows(join: Any) -> None:
    part = catalog.build("intervals:n=2^64,k=3")
    C = join(part, part)
    for rows in ({((0, 5), 1): 200_000}, {((0, 5), 1): 100_000, ((1, 7), 0): 100_000}):
        with pytest.raises(TooLarge, match="200000 rows"):
            error_histogram(C, rows)


@pytest.mark.parametrize("points", [1, 150])
def test_affine_subspaces_are_refused_by_the_number_of_rows(points: int) -> None:
    C = catalog.build("affine:q=2,n=64,k=2")
    vectors = [tuple(int(b) for b in f"{i:064b}") for i in range(points)]
    with pytest.raises(TooLarge, match="150 rows"):
        error_histogram(C, [(vectors[i % points], 0) for i in range(150)])


def test_sums_of_huge_weights_do_not_wrap_around() -> None:
    C = catalog.build("conjunctions:n=2")
    rows = {((0, 0), 1): 2**62, ((0, 1), 1): 2**62, ((1, 0), 1): 2**62}
    assert dict(error_histogram(C, rows).counts) == counted(C, rows)
    product = ProductClass(*[catalog.build("thresholds:n=50")] * 2)
    huge = {((i, j), j % 2): 3 ** (j + i) for i in range(2) for j in range(50)}
    assert sum(error_histogram(product, huge).counts.values()) == 51**2


def test_wrong_arguments_are_refused() -> None:
    C = catalog.build("thresholds:n=2^64")
    with pytest.raises(InvalidInput, match="infinitely many"):
        error_histogram(catalog.build("thresholds:n=inf"), [])
    for examples in (5, [(5,)], "ab", {5: 1}):
        with pytest.raises(InvalidInput, match=r"pair|list"):
            error_histogram(C, examples)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="-1"):
        error_histogram(C, {(0, 1): -1})
    with pytest.raises(InvalidInput, match="5 errors"):
        error_histogram(C, [(0, 1)]).sample(5)


def test_errors_of_short_lists_over_many_variables() -> None:
    C = catalog.build("decision-lists:n=40,length=3")
    rows = Counter(C.sample_stream(500, 1)) + Counter(
        {(x, 1 - y): 2 for x, y in C.sample_stream(50, 2)}
    )
    stack = HypothesisStack(C.domain)
    for place in range(C.size or 0):
        stack.append(C._concept_at(place))
    for x, _ in rows:
        assert (C._labels_of_concepts(x) == stack.labels(x)).all()
    errors = sum(n * (stack.labels(x) != bool(y)) for (x, y), n in rows.items())
    numbers, counts = np.unique(errors, return_counts=True)
    found = error_histogram(C, rows)
    assert dict(found.counts) == dict(zip(numbers.tolist(), counts.tolist(), strict=True))
    drawn = found.sample(found.least, 1)
    assert sum(n for (x, y), n in rows.items() if drawn(x) != y) == found.least


def test_longer_lists_refuse_by_the_number_of_rows_only() -> None:
    C = catalog.build("decision-lists:n=40,length=4")
    messages = set()
    for seed in (1, 2):
        with pytest.raises(TooLarge, match="each of 30 rows") as refused:
            error_histogram(C, Counter(C.sample_stream(30, seed)))
        messages.add(str(refused.value))
    assert len(messages) == 1


REFUSED = (
    ("parities:n=64", r"\[BMT78\]"),
    ("affine:q=2,n=64,k=32", r"\[BMT78\]"),
    ("conjunctions:n=64", "Angluin and Laird 1988"),
    ("disjunctions:n=64", "Angluin and Laird 1988"),
)


@pytest.mark.parametrize(("spec", "source"), REFUSED)
def test_refusals_cite_the_hardness_of_the_fewest_errors(spec: str, source: str) -> None:
    C = catalog.build(spec)
    point = C.domain.point(0)
    with pytest.raises(TooLarge, match=source):
        error_histogram(C, {(point, 0): 10**5})
