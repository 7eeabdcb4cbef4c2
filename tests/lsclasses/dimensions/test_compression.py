"""Schemes of least size against the definition, theorems and counts; their check attacked."""

from __future__ import annotations

import dataclasses
import itertools
from collections import Counter
from math import comb

import pytest
from hypothesis import given, settings

import catalog
from catalog import atlas
from lsclasses import Limit, Table, TooLarge
from lsclasses.dimensions import compression
from lsclasses.dimensions.compression import (
    CompressionScheme,
    compression_scheme,
    labelled_compression_size,
    unlabelled_compression_size,
)
from lsclasses.errors import LsclassesError
from tests import oracles
from tests.lsclasses.certificates.forging import passes
from tests.strategies import plain, tables

pytest.importorskip("pysat", reason="needs lsclasses[sat]")

SMALL = [each.table for points in (1, 2, 3) for each in atlas.classes(points, flips=False)]


@pytest.mark.parametrize("stable", [False, True])
@pytest.mark.parametrize("proper", [False, True])
@pytest.mark.parametrize("points", [1, 2])
def test_all_classes_on_two_points_by_the_definition(
    points: int, proper: bool, stable: bool
) -> None:
    for each in atlas.classes(points, flips=False):
        table, C = each.table, plain(each.table)
        for name in ("labelled_compression_size", "unlabelled_compression_size"):
            found = getattr(compression, name)(table, proper=proper, stable=stable)
            assert found == getattr(oracles, name)(C, proper=proper, stable=stable)


def test_without_samples_or_points_there_is_nothing_to_keep() -> None:
    empty, one = Table([], domain=range(7)), Table([[]], domain=[])
    assert oracles.labelled_compression_size([]) == oracles.unlabelled_compression_size([]) == -1
    assert labelled_compression_size(empty) == unlabelled_compression_size(empty) == -1
    assert labelled_compression_size(one) == unlabelled_compression_size(one, proper=True) == 0
    compression_scheme(empty, labelled=True).check(empty)


def test_all_classes_on_three_points_by_theorems_and_counts() -> None:
    maximum = 0
    for table in SMALL:
        points, dimension = len(table.points), table.vcdim()
        labelled, unlabelled = labelled_compression_size(table), unlabelled_compression_size(table)
        assert labelled <= unlabelled
        assert dimension <= unlabelled <= points
        assert labelled <= labelled_compression_size(table, proper=True) <= points
        assert unlabelled <= unlabelled_compression_size(table, proper=True) <= points
        # Whole samples of different concepts have different compression sets.
        assert len(table) <= sum(comb(points, k) * 2**k for k in range(labelled + 1))
        assert len(table) <= sum(comb(points, k) for k in range(unlabelled + 1))
        assert (labelled == 0) == (unlabelled == 0) == (len(table) == 1)
        if len(table) == sum(comb(points, k) for k in range(dimension + 1)):
            # Floyd and Warmuth 1995; Kuzmin and Warmuth 2007
            assert labelled <= dimension == unlabelled
            maximum += 1
    assert maximum > 10


def test_counting_rules_out_only_what_the_solver_rules_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def sizes() -> list[tuple[int, int]]:
        return [(labelled_compression_size(C), unlabelled_compression_size(C)) for C in SMALL]

    with_counting = sizes()
    monkeypatch.setattr(compression, "_enough_sets", lambda *_, **__: True)
    assert sizes() == with_counting


def test_warmuths_class_has_no_unlabelled_scheme_as_small_as_its_vc_dimension() -> None:
    C = catalog.build("warmuth").to_table()
    assert (C.vcdim(), labelled_compression_size(C), unlabelled_compression_size(C)) == (2, 2, 3)


@pytest.mark.slow
def test_unlabelled_sizes_on_four_points_are_vc_dimensions() -> None:
    for each in atlas.classes(4):
        assert unlabelled_compression_size(each.table) == each["vcdim"]


@settings(max_examples=10)
@given(tables(max_concepts=8, max_points=4, min_concepts=2))
def test_sizes_do_not_grow_with_fewer_concepts_nor_change_with_flips(table: Table) -> None:
    labels = table.labels
    for size in (labelled_compression_size, unlabelled_compression_size):
        assert size(Table(labels[1:])) <= size(table)
        assert size(Table(labels[:, ::-1] ^ 1)) == size(table)


def holds(
    scheme: CompressionScheme, table: Table, *, proper: bool = False, stable: bool = False
) -> bool:
    return passes(lambda: scheme.check(table, proper=proper, stable=stable))


@pytest.mark.parametrize("stride", [3, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("labelled", [False, True])
def test_the_check_accepts_exactly_the_schemes_of_the_definition(
    labelled: bool, stride: int
) -> None:
    table = Table([[0], [1]], domain="a")
    samples = [frozenset[tuple[str, int]](), frozenset({("a", 0)}), frozenset({("a", 1)})]
    sets = [frozenset[object](), frozenset({("a", 0)}), frozenset({("a", 1)}), frozenset("a")]
    found: Counter[bool] = Counter()
    every = itertools.product(
        itertools.product(sets, repeat=3),
        itertools.product([None, (0,), (1,), (0, 1)], repeat=4),
    )
    for kept, labels in itertools.islice(every, 0, None, stride):
        rebuilt = {k: y for k, y in zip(sets, labels, strict=True) if y is not None}
        scheme = CompressionScheme(labelled, dict(zip(samples, kept, strict=True)), rebuilt)
        right = all(
            k <= (sample if labelled else {x for x, _ in sample})
            and rebuilt.get(k) in [(y,) for y in (0, 1) if sample <= {("a", y)}]
            for sample, k in zip(samples, kept, strict=True)
        )
        assert holds(scheme, table) == right
        found[right] += 1
    assert found[True] > 10 < found[False]


@pytest.mark.parametrize("labelled", [False, True])
def test_schemes_of_other_samples_are_refused(labelled: bool) -> None:
    table = Table([[0, 0], [0, 1], [1, 1]])
    scheme = compression_scheme(table, labelled=labelled)
    assert holds(scheme, table)
    for sample in scheme.compressed:
        fewer = {other: kept for other, kept in scheme.compressed.items() if other != sample}
        assert not holds(dataclasses.replace(scheme, compressed=fewer), table)
    more = {**scheme.compressed, frozenset({(0, 1), (1, 0)}): frozenset[object]()}
    assert not holds(dataclasses.replace(scheme, compressed=more), table)


@pytest.mark.parametrize("labelled", [False, True])
def test_a_proper_scheme_rebuilds_concepts_only(labelled: bool) -> None:
    table = catalog.build("points:n=3").to_table()
    scheme = compression_scheme(table, labelled=labelled, proper=True)
    assert holds(scheme, table, proper=True)
    assert {*scheme.rebuilt.values()} <= plain(table)
    # Singletons take more if only they are rebuilt.
    assert oracles.unlabelled_compression_size(plain(table)) == 1
    assert oracles.unlabelled_compression_size(plain(table), proper=True) == 2
    other = compression_scheme(table, labelled=False)
    assert holds(other, table)
    assert not holds(other, table, proper=True)


@pytest.mark.parametrize("labelled", [False, True])
def test_the_check_of_stability_is_the_definition(labelled: bool) -> None:
    """Schemes of least size, stable or not, and what one other compression set makes of them."""
    found: Counter[bool] = Counter()
    for table in SMALL:
        scheme = compression_scheme(table, labelled=labelled)
        sample = max(scheme.compressed, key=lambda each: (len(each), sorted(each)))
        others = ({**scheme.compressed, sample: kept} for kept in scheme.rebuilt)
        for compressed in (scheme.compressed, *others):
            made = dataclasses.replace(scheme, compressed=compressed)
            if holds(made, table):
                right = all(
                    made.rebuilt[compressed[part]] == made.rebuilt[kept]
                    for whole, kept in compressed.items()
                    for part in compressed
                    if part <= whole and kept <= (part if labelled else {x for x, _ in part})
                )
                assert holds(made, table, stable=True) == right
                found[right] += 1
    assert found[True] > 10 < found[False]


def test_what_is_too_large_is_told() -> None:
    C = catalog.build("thresholds:n=5").to_table()
    with pytest.raises(TooLarge, match="memory") as caught:
        unlabelled_compression_size(C, limit=Limit(memory=1000))
    assert (caught.value.lower, caught.value.upper) == (1, 5)


def test_a_solver_that_takes_too_long_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compression, "CONFLICTS", 1)
    C = catalog.build("warmuth").to_table()
    with pytest.raises(
        TooLarge, match="2 <= the least size of unlabelled compression schemes <= 5"
    ):
        unlabelled_compression_size(C, limit=Limit(seconds=1e-9))
    assert unlabelled_compression_size(C, limit=Limit(seconds=60)) == 3


def test_without_a_solver_the_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compression, "find_spec", lambda _: None)
    with pytest.raises(LsclassesError, match=r"pip install 'lsclasses\[sat\]'"):
        labelled_compression_size(Table([[0], [1]]))
