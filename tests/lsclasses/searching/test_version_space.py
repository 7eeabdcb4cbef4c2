"""Version spaces made of packed tables, a part at a time, are those made of labels."""

from __future__ import annotations

import numpy as np
import pytest

from lsclasses import InvalidInput, Table, table
from lsclasses.searching import version_space
from lsclasses.searching.version_space import VersionSpace


@pytest.mark.parametrize("concepts", [1, 2, 63, 64, 65, 127, 128, 200, 1000])
@pytest.mark.parametrize("points", [1, 7, 8, 9, 70])
def test_large_tables_give_the_version_space_of_their_labels(concepts, points, monkeypatch):
    rng = np.random.default_rng(concepts * 100 + points)
    labels = rng.integers(0, 2, (concepts, points), dtype=np.uint8)
    labels[:, points // 2] = labels[:, 0] ^ 1  # the complement of another column
    labels[:, points - 1] = 1  # a constant one
    expected = VersionSpace.of_labels(labels)
    monkeypatch.setattr(version_space, "UNPACKED_UP_TO", -1)
    monkeypatch.setattr(version_space, "AT_ONCE", 64)
    found = VersionSpace.of_packed(np.packbits(labels, axis=1), points)
    assert found.concepts == expected.concepts
    assert found.words == expected.words
    assert found.source.tolist() == expected.source.tolist()
    assert found.flipped.tolist() == expected.flipped.tolist()
    assert np.array_equal(found.columns, expected.columns)


def test_tables_are_checked_and_packed_a_part_at_a_time(monkeypatch):
    monkeypatch.setattr(table, "AT_ONCE", 20)
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
