"""Version spaces made of packed tables, a part at a time, are those made of labels."""

from __future__ import annotations

import numpy as np
import pytest

from lsclasses import InvalidInput, Table, packing
from lsclasses.limits import Meter
from lsclasses.searching import bit_matrix, look_ahead, version_space
from lsclasses.searching.look_ahead import candidates
from lsclasses.searching.version_space import VersionSpace, normal_form

pytestmark = pytest.mark.usefixtures("engine")


def same(found: VersionSpace, expected: VersionSpace) -> bool:
    return (found.concepts, found.words) == (expected.concepts, expected.words) and all(
        np.array_equal(getattr(found, name), getattr(expected, name))
        for name in ("source", "flipped", "columns", "ones")
    )


@pytest.mark.parametrize("concepts", [1, 2, 64, 65, 200])
@pytest.mark.parametrize("points", [1, 8, 9, 70])
def test_what_stays_packed_is_the_same_as_what_does_not(concepts, points, monkeypatch):
    """The version space, its sides, their normal forms, and which roots counting leaves."""
    rng = np.random.default_rng(concepts * 100 + points)
    labels = rng.integers(0, 2, (concepts, points), dtype=np.uint8)
    labels[:, points // 2] = labels[:, 0] ^ 1  # the complement of another column
    labels[:, points - 1] = 1  # a constant one
    monkeypatch.setattr(look_ahead, "TRIPLES_WORK", 0)

    def seen(space: VersionSpace) -> list[object]:
        sides = [space.side(j, y) for j in range(min(3, len(space.words))) for y in (0, 1)]
        forms = [normal_form(side) for side in sides]
        tried = [candidates(side, k, Meter(None)) for side in sides for k in range(1, 6)]
        return [
            sides,
            [(form.order.tolist(), form.flip.tolist()) for form in forms],
            [(each.columns, each.first, each.enough) for each in tried],
        ]

    expected = VersionSpace.of_labels(labels)
    unpacked, *rest = seen(expected)
    monkeypatch.setattr(version_space, "UNPACKED_UP_TO", -1)
    monkeypatch.setattr(bit_matrix, "AT_ONCE", 3)
    found = VersionSpace.of_packed(np.packbits(labels, axis=1), points)
    assert same(found, expected)
    packed, *others = seen(found)
    assert all(map(same, packed, unpacked))
    assert others == rest


@pytest.mark.parametrize("points", [5, 64, 100])
def test_packed_version_spaces_have_one_key_exactly_if_their_rows_are_the_same(points, monkeypatch):
    monkeypatch.setattr(version_space, "UNPACKED_UP_TO", -1)
    rng = np.random.default_rng(points)
    keys: dict[object, set[frozenset[tuple[int, ...]]]] = {}
    for _ in range(80):
        # Few ones, so that not all kinds of columns occur in each.
        labels = np.unique(rng.random((5, points)) < 0.05, axis=0)
        space = VersionSpace.of_packed(np.packbits(labels, axis=1), points)
        form = normal_form(space)
        arranged = (space.columns ^ form.flip[np.argsort(form.order), None])[form.order]
        keys.setdefault(form.key, set()).add(frozenset(map(tuple, arranged.T.tolist())))
    assert all(len(rows) == 1 for rows in keys.values())
    assert len(set().union(*keys.values())) == len(keys) > 4


def test_tables_are_checked_and_packed_a_part_at_a_time(monkeypatch):
    monkeypatch.setattr(packing, "AT_ONCE", 20)
    labels = np.random.default_rng(0).integers(0, 2, (50, 7))
    assert np.array_equal(Table(labels).labels, np.array(list(dict.fromkeys(map(tuple, labels)))))
    labels[33, 4] = 7
    with pytest.raises(InvalidInput, match="Got 7 in row 33, column 4"):
        Table(labels)


def test_a_file_that_is_mapped_and_damaged_is_refused(tmp_path):
    path = tmp_path / "table.npy"
    labels = np.random.default_rng(0).integers(0, 2, (5000, 9), dtype=np.uint8)
    np.save(path, labels)
    assert len(Table.load(path)) == len(np.unique(labels, axis=0))
    whole = path.read_bytes()
    path.write_bytes(whole[:-1000])
    with pytest.raises(InvalidInput, match="not complete"):
        Table.load(path)
    path.write_bytes(whole[:-1] + b"\x09")
    with pytest.raises(InvalidInput, match="Got 9 in row 4999, column 8"):
        Table.load(path)
