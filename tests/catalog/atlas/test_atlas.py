from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from catalog import atlas
from catalog.atlas.__main__ import main
from catalog.atlas.columns import COLUMNS, column_names, compute
from catalog.atlas.orbits import class_count, images, least_masks, orbit_count, symmetries
from catalog.parameters import PARAMETERS
from catalog.parameters import value as value_of
from lsclasses import Table
from lsclasses.dimensions import DIMENSIONS, Value
from lsclasses.isomorphism import class_mask
from tests.strategies import tables

POINTS = list(atlas.POINTS)


def table_of(mask: int, points: int) -> Table:
    concepts = [c for c in range(2**points) if mask >> c & 1]
    return Table([[c >> j & 1 for j in range(points)] for c in concepts])


def in_batch(masks: list[int], points: int) -> list[dict[str, Value]]:
    """What the recursion over subcubes gives, as the registry gives it."""
    columns = compute(np.array(masks, dtype=np.uint64), points)
    return [
        {
            name: Fraction(int(column[i]), COLUMNS[name].unit(points))
            if COLUMNS[name].denominator
            else tuple(column[i].tolist())
            if COLUMNS[name].sequence
            else int(column[i])
            for name, column in columns.items()
        }
        for i in range(len(masks))
    ]


@pytest.mark.skipif(not find_spec("pysat"), reason="needs lsclasses[sat]")
def test_the_command_writes_where_it_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of one to three points, with which the file of the repository begins."""
    path = tmp_path / "atlas.csv"
    monkeypatch.setattr(sys, "argv", ["atlas", "build", str(path)])
    monkeypatch.setattr("catalog.atlas.build.POINTS", (1, 2, 3))
    main()
    classes = sum(orbit_count(points, flips=False) for points in (1, 2, 3))
    assert capsys.readouterr().out.startswith(f"{classes} classes up to permutations")
    written = path.read_bytes()
    assert written.count(b"\n") == classes + 1
    assert atlas.FILE.read_bytes().startswith(written)


@pytest.mark.skipif(not find_spec("pysat"), reason="needs lsclasses[sat]")
@pytest.mark.parametrize("count", [25, pytest.param(100, marks=pytest.mark.slow)])
def test_the_file_has_what_is_computed_of_classes_on_four_points(count: int) -> None:
    known = atlas.table(4, flips=False)
    some = np.random.default_rng(4).permutation(len(known))[:count]
    for name, column in compute(known["mask"][some].astype(np.uint64), 4).items():
        assert np.array_equal(column, known.exact(name)[0][some]), name


@pytest.mark.slow
@pytest.mark.skipif(not find_spec("pysat"), reason="needs lsclasses[sat]")
def test_the_command_writes_the_file_of_the_repository(tmp_path: Path) -> None:
    path = tmp_path / "atlas.csv"
    done = subprocess.run(
        [sys.executable, "-m", "catalog.atlas", "build", str(path)],
        check=True,
        capture_output=True,
        text=True,
    )
    assert done.stdout.startswith("4076 classes up to permutations")
    assert path.read_bytes() == atlas.FILE.read_bytes()


def test_the_command_says_where_it_cannot_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["atlas", "build", str(tmp_path / "missing" / "atlas.csv")])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert "Cannot write" in capsys.readouterr().err


@pytest.mark.parametrize("points", POINTS)
@pytest.mark.parametrize("flips", [True, False])
def test_every_class_is_there_once(points: int, flips: bool) -> None:
    found = atlas.classes(points, flips=flips)
    assert len(found) == orbit_count(points, flips=flips)
    assert sum(C.labelled for C in found) == class_count(points)
    masks = [C.mask for C in found]
    assert masks == sorted(set(masks))
    least = least_masks(np.array(masks, dtype=np.uint64), points, flips=flips)
    assert least.tolist() == masks


@pytest.mark.parametrize("points", POINTS)
def test_representatives_are_canonical_forms(points: int) -> None:
    rng = np.random.default_rng(points)
    for flips in (True, False):
        known = atlas.classes(points, flips=flips)
        for i in rng.integers(0, len(known), 20).tolist():
            C = known[i]
            assert C.table == C.table.canonical(flips=flips)
            assert class_mask(C.table) == C.mask
            assert class_mask(C.table.canonical()) == C.flipped


@pytest.mark.parametrize("count", [8, pytest.param(30, marks=pytest.mark.slow)])
def test_the_file_has_the_dimensions_that_a_search_finds(count: int) -> None:
    known = atlas.classes(4, flips=False)
    # Least schemes take long: tests/catalog/atlas/test_columns.py has a few of each kind.
    names = [name for name in COLUMNS if not name.endswith("_compression")]
    for i in np.random.default_rng(0).integers(0, len(known), count).tolist():
        for name in names:
            assert known[i][name] == value_of(known[i].table, name), (known[i], name)


@pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.slow)])
def test_batches_on_five_points_agree_with_searches(step: int) -> None:
    rng = np.random.default_rng(5)
    # Classes of few, of many, and of about half of all concepts.
    masks = [int(m) for m in rng.integers(1, 2**32, 12, dtype=np.uint64)]
    masks += [masks[0] & masks[1] & masks[2], masks[3] & masks[4], masks[5] | masks[6], 2**32 - 1]
    masks = masks[::step]
    for mask, found in zip(masks, in_batch(masks, 5), strict=True):
        table = table_of(mask, 5)
        for name in column_names(5, flips=False):
            assert found[name] == value_of(table, name), (mask, name)


def test_classes_up_to_flips_have_only_what_flips_leave() -> None:
    for C in atlas.classes(3):
        known = {**DIMENSIONS, **PARAMETERS}
        changed = {name for name, entry in known.items() if entry.flips_change}
        assert set(C.quantities) == COLUMNS.keys() - changed
    assert atlas.classes(3, flips=False)[-1]["threshold_dim"] == 3


def test_classes_of_one_orbit_share_their_dimensions() -> None:
    up_to_flips = {C.mask: C for C in atlas.classes(4)}
    for C in atlas.classes(4, flips=False):
        for name, value in up_to_flips[C.flipped].quantities.items():
            assert C[name] == value


@settings(max_examples=10)
@given(tables(max_concepts=16, max_points=4))
def test_a_class_is_found_with_the_map(table: Table) -> None:
    for flips in (True, False):
        found, move = atlas.find(table, flips=flips)
        assert move(table) == found.table
        assert found in atlas.classes(len(table.points), flips=flips)
        for name, value in found.quantities.items():
            assert value_of(table, name) == value


@pytest.mark.parametrize("flips", [True, False])
def test_a_class_on_five_points_is_found_without_a_file(flips: bool) -> None:
    rng = np.random.default_rng(7)
    for count in (5,) if flips else (16,):
        labels = [[c >> j & 1 for j in range(5)] for c in rng.permutation(32)[:count].tolist()]
        table = Table(labels, domain="abcde")
        found, move = atlas.find(table, flips=flips)
        assert move(table) == found.table
        orbit = np.array([class_mask(table)], dtype=np.uint64)
        assert [found.mask] == least_masks(orbit, 5, flips=flips).tolist()
        assert [found.flipped] == least_masks(orbit, 5, flips=True).tolist()
        assert set(found.quantities) == set(column_names(5, flips=flips))
        for name, value in found.quantities.items():
            assert value == value_of(table, name), name
        stabilizer = sum(
            int(images(orbit, each)[0]) == orbit[0] for each in symmetries(5, flips=flips)
        )
        assert found.labelled * stabilizer == len(symmetries(5, flips=flips))
