"""Rows of words against lists of labels, around the ends of bytes and words, in one piece and in
several."""

from __future__ import annotations

import numpy as np
import pytest

from lsclasses.certificates import rows as rows_module
from lsclasses.certificates.rows import Rows, contained

SIZES = [(1, 1), (5, 7), (9, 8), (6, 9), (3, 63), (12, 64), (12, 65), (40, 128), (7, 130), (0, 70)]


def labels_of(rows: Rows) -> list[tuple[int, ...]]:
    """Word by word and bit by bit."""
    return [
        tuple(int(rows.words[j // 64, i]) >> j % 64 & 1 for j in range(rows.points))
        for i in range(len(rows))
    ]


def labels(count: int, points: int) -> np.ndarray:
    """Some columns constant, some equal, some complementary, none like the one beside it."""
    rng = np.random.default_rng(1000 * count + points)
    found = rng.integers(0, 2, (count, points), dtype=np.uint8)
    for j in range(points):
        how = rng.integers(5)
        if how == 0:
            found[:, j] = rng.integers(2)
        elif how < 3 and j > 2:
            found[:, j] = found[:, rng.integers(j)] ^ (how == 1)
    return found


def in_bits(columns: list[bool]) -> int:
    return sum(1 << j for j, chosen in enumerate(columns) if chosen)


@pytest.fixture(params=["in one piece", "in several"])
def pieces(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Few rows are unpacked at a time, and images put together from those of bytes."""
    if request.param == "in several":
        monkeypatch.setattr(rows_module, "AT_ONCE", 4)
        monkeypatch.setattr(rows_module, "MAPPED_FROM", 256)
    return request.param


@pytest.mark.parametrize(("count", "points"), SIZES)
def test_rows_are_the_labels_they_are_made_of(count, points):
    table = labels(count, points)
    rows = Rows.of_labels(table)
    assert (len(rows), rows.points) == (count, points)
    assert rows.words.shape == ((points + 63) // 64, count)
    assert labels_of(rows) == [tuple(row) for row in table.tolist()]
    # Bits beyond the last point are 0, so that rows can be compared as words.
    assert all(int(word) >> (points - 1) % 64 + 1 == 0 for word in rows.words[-1])
    assert np.array_equal(Rows.of_packed(np.packbits(table, axis=1), points).words, rows.words)
    for j in {0, points // 2, points - 1}:
        for y in (0, 1):
            expected = [tuple(row) for row in table.tolist() if row[j] == y]
            side = rows.restricted(j, y)
            assert side.points == points
            assert labels_of(side) == expected


@pytest.mark.usefixtures("pieces")
@pytest.mark.parametrize(("count", "points"), [size for size in SIZES if size[0]])
def test_columns_are_compared_and_counted(count, points):
    table = labels(count, points)
    rows, columns = Rows.of_labels(table), [column.tolist() for column in table.T]
    assert rows.varying() == in_bits([len(set(column)) == 2 for column in columns])
    for j in range(0, points, 3):
        other = [1 - y for y in columns[j]]
        assert rows.alike(j) == in_bits([column in (columns[j], other) for column in columns])
    assert rows.ones().tolist() == [sum(column) for column in columns]
    chosen = np.unique([0, points // 2, points - 1])
    assert rows.common_ones(chosen).tolist() == [
        [sum(a & b for a, b in zip(columns[x], column, strict=True)) for column in columns]
        for x in chosen.tolist()
    ]


@pytest.mark.parametrize(("count", "points"), SIZES)
def test_images_have_the_columns_in_their_order_and_complemented(count, points, pieces):
    table = np.resize(labels(count, points), (260 if pieces == "in several" else count, points))
    rows = Rows.of_labels(table)
    rng = np.random.default_rng(points)
    for length in {1, points, 66}:
        columns = rng.integers(points, size=length).tolist()
        flips = rng.integers(2, size=length).tolist()
        for given in (None, flips):
            image = rows.image(columns, given)
            turned = given or [0] * length
            expected = [
                tuple(row[x] ^ flip for x, flip in zip(columns, turned, strict=True))
                for row in table.tolist()
            ]
            assert image.points == length
            assert labels_of(image) == expected
            assert all(int(word) >> (length - 1) % 64 + 1 == 0 for word in image.words[-1])


@pytest.mark.usefixtures("pieces")
def test_on_no_points_there_is_one_labelling_or_none():
    for table, there in ((labels(5, 3), 1), (labels(300, 3), 1), (labels(0, 3), 0)):
        image = Rows.of_labels(table).image([])
        assert (len(image), image.points) == (len(table), 0)
        assert image.distinct().shape[1] == there
        assert Rows.of_labels(table[:, :0]).distinct().shape[1] == there


@pytest.mark.parametrize(("count", "points"), SIZES)
def test_each_row_is_once_in_a_set_and_sets_are_compared(count, points):
    table = labels(count, points)
    rng = np.random.default_rng(count)
    several = table[rng.integers(count, size=2 * count)] if count else table
    distinct = Rows(Rows.of_labels(several).distinct(), points)
    found = labels_of(distinct)
    expected = {tuple(row) for row in several.tolist()}
    assert len(found) == len(expected)
    assert set(found) == expected
    as_numbers = [sum(y << j for j, y in enumerate(row)) for row in found]
    assert as_numbers == sorted(as_numbers)
    whole = Rows.of_labels(table).distinct()
    assert contained(distinct.words, whole)
    assert contained(whole, distinct.words) == ({tuple(row) for row in table.tolist()} <= expected)
    for i in range(whole.shape[1]):
        fewer = np.delete(whole, i, axis=1)
        assert contained(fewer, whole)
        assert not contained(whole, fewer)
        # As many rows, and more rows, one of which is another one, in the first or the last word.
        for word, bit in ((0, 0), (len(whole) - 1, (points - 1) % 64)):
            other = fewer.copy()
            other = np.concatenate([other, whole[:, i : i + 1]], axis=1)
            other[word, -1] ^= np.uint64(1 << bit)
            strange = tuple(int(each) for each in other[:, -1])
            belongs = strange in {tuple(int(w) for w in row) for row in fewer.T}
            other = Rows(other, points).distinct()
            assert not contained(whole, other)
            assert contained(other, whole) == belongs
            assert contained(other[:, -1:], whole) == (
                tuple(int(w) for w in other[:, -1]) in {tuple(map(int, row)) for row in whole.T}
            )
