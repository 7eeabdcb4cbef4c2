"""The one-inclusion graph, no-clash lessons, eluding sequences, and two theorems on the atlas."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
from hypothesis import given, settings

import catalog
from lsclasses import Table, TooLarge
from lsclasses.dimensions import one_inclusion
from lsclasses.dimensions.no_clash import no_clash_lessons
from tests.strategies import plain, tables


def test_the_densest_part_is_found_beside_a_sparse_rest() -> None:
    # A cube on three points, and a path that hangs on it.
    cube = [[*c, 0, 0, 0, 0] for c in itertools.product((0, 1), repeat=3)]
    path = [[1, 1, 1, *([1] * i), *([0] * (4 - i))] for i in range(1, 5)]
    C = Table(cube + path)
    assert (C.density(), C.average_degree()) == (Fraction(3, 2), Fraction(32, 12))
    assert (C.degeneracy(), C.min_degree(), C.max_degree()) == (3, 1, 4)
    assert set(C.witness("density").evidence["concepts"]) == set(range(8))


def test_flows_that_are_too_large_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(one_inclusion, "LARGEST_FLOW", 10)
    with pytest.raises(TooLarge, match="12 edges"):
        catalog.build("cube:n=3").to_table().density()


@settings(max_examples=10)
@given(tables(max_concepts=8, max_points=4))
def test_lessons_do_not_clash_and_are_no_larger_than_said(table: Table) -> None:
    label = {(c, x): table[c](x) for c in range(len(table)) for x in table.points}
    for positive in (False, True):
        lessons = no_clash_lessons(table, positive=positive)
        most = table.positive_no_clash_teaching_dim() if positive else table.no_clash_teaching_dim()
        assert max(len(lesson.points) for lesson in lessons) <= most
        assert [lesson.concept for lesson in lessons] == list(range(len(table)))
        if positive:
            assert all(label[c, x] for c, lesson in enumerate(lessons) for x in lesson.points)
        for c, d in itertools.combinations(range(len(table)), 2):
            both = {*lessons[c].points, *lessons[d].points}
            assert any(label[c, x] != label[d, x] for x in both)


@given(tables(max_concepts=10, max_points=4))
def test_antipodal_shattering_is_that_columns_are_always_independent(table: Table) -> None:
    """The dual sign rank: no weights of the columns give 0 in a matrix with these signs."""
    rows = plain(table)

    def dependent(points: tuple[int, ...]) -> bool:
        # Weights w give 0 in some such matrix if no row has only terms of one sign.
        return any(
            all(
                len({(row[x] * 2 - 1) * w for x, w in zip(points, ws, strict=True) if w}) > 1
                for row in rows
            )
            for ws in itertools.product((-1, 0, 1), repeat=len(points))
            if any(ws)
        )

    sizes = range(len(table.points) + 1)
    found = max(
        size
        for size in sizes
        if any(not dependent(x) for x in itertools.combinations(range(len(table.points)), size))
    )
    assert found == table.antipodal_shattering_dim()
