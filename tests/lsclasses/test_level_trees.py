"""Trees with prescribed levels, against lists of all shattered trees."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import catalog
from catalog import atlas
from catalog.parameters import PARAMETERS
from lsclasses import InvalidInput, Limit, Table, TooLarge
from lsclasses.isomorphism import class_of_mask
from lsclasses.level_trees import LevelTrees, block_ldim, prefix_ldim
from tests.catalog.parameters import plain as other
from tests.strategies import plain

NUMBERS = (
    *(0, 16, 40, 24, 56, 12, 44, 28, 6, 38, 22, 14, 41, 25, 57, 21),
    *(53, 45, 29, 61, 19, 51, 43, 27, 59, 39, 23, 55, 15, 47, 31, 63),
)
SEPARATING = Table([f"{number:06b}" for number in NUMBERS])
"""A class of Littlestone dimension 5 on six points, which a search of refute found."""


@settings(max_examples=20)
@given(st.integers(1, 2**16 - 1), st.integers(1, 5))
def test_all_shattered_trees_on_four_points(mask: int, k: int) -> None:
    table = class_of_mask(4, mask)
    assert prefix_ldim(table, k) == other.prefix_ldim(plain(table), k)
    assert block_ldim(table, k) == other.block_ldim(plain(table), k)


@settings(max_examples=50)
@given(st.integers(1, 2**32 - 1))
def test_dimensions_lie_between_vcdim_and_ldim(mask: int) -> None:
    table = class_of_mask(5, mask)
    prefixes, blocks = ([of(table, k) for k in range(1, 8)] for of in (prefix_ldim, block_ldim))
    assert prefixes == sorted(prefixes, reverse=True)
    assert prefixes[0] == blocks[0] == table.ldim()
    assert prefixes[-1] == blocks[-1] == table.vcdim()
    assert all(table.vcdim() <= b <= p for b, p in zip(blocks, prefixes, strict=True))


def test_flips_of_labels_and_equal_points_change_neither_dimension() -> None:
    table = Table(["0000", "0101", "1011", "1110", "0110"])
    changed = Table([[*row, 1 - row[0], row[1]] for row in (1 - table.labels).tolist()])
    for k in (1, 2, 3):
        assert prefix_ldim(table, k) == prefix_ldim(changed, k)
        assert block_ldim(table, k) == block_ldim(changed, k)


def test_a_class_separates_prefixes_from_blocks() -> None:
    """After two levels with one point each, the next two levels need different points."""
    assert [prefix_ldim(SEPARATING, k) for k in (1, 2)] == [5, 5]
    assert block_ldim(SEPARATING, 2) == 4
    for name in ("two_prefix_ldim", "two_block_ldim"):
        PARAMETERS[name].witness(SEPARATING).verify(SEPARATING)


def test_on_four_points_three_levels_leave_the_vc_dimension() -> None:
    for each in atlas.classes(4):
        assert each["three_prefix_ldim"] == each["three_block_ldim"] == each["vcdim"]
        assert each["two_prefix_ldim"] == each["two_block_ldim"]


def test_the_empty_class_and_one_concept() -> None:
    assert prefix_ldim(Table([], domain="ab"), 2) == block_ldim(Table([], domain="ab"), 2) == -1
    assert prefix_ldim(Table([[0, 1]]), 3) == block_ldim(Table([[0, 1]]), 3) == 0


@pytest.mark.parametrize("k", [0, -1, -(10**30)])
def test_fewer_than_one_level_is_refused(k: int) -> None:
    for of in (prefix_ldim, block_ldim):
        with pytest.raises(InvalidInput, match=f"levels must be at least 1. Got {k}"):
            of(catalog.build("cube:n=2"), k)


def test_other_values_are_refused() -> None:
    with pytest.raises(InvalidInput, match=r"number of levels must be an integer. Got 2\.0"):
        block_ldim(catalog.build("cube:n=2"), 2.0)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="needs a concept class"):
        prefix_ldim([[0, 1]], 1)  # type: ignore[arg-type]


def test_more_levels_than_points_leave_the_vc_dimension() -> None:
    for spec in ("thresholds:n=40", "points:n=30,empty=1", "intervals:n=9"):
        C = catalog.build(spec)
        assert prefix_ldim(C, 10**30) == block_ldim(C, 10**30) == C.vcdim()


def test_large_searches_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TooLarge, match="limit"):
        block_ldim(catalog.build("ltf:n=3"), 2, limit=Limit(memory=1000))
    monkeypatch.setattr("lsclasses.level_trees.MOST_STATES", 10)
    with pytest.raises(TooLarge, match="more than 10 version spaces"):
        block_ldim(catalog.build("ltf:n=3"), 1)


def test_shattered_sets_come_with_their_parts() -> None:
    trees = LevelTrees(Table(["00", "01", "10"]))
    found = dict(trees.shattered(trees.everything, 2))
    assert sorted(found) == [(), (0,), (1,)]
    assert all(sum(parts) == trees.everything for parts in found.values())
