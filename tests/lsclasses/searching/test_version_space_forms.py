"""Version spaces by their definition, and the forms that renamed ones share."""

from __future__ import annotations

import numpy as np
import pytest

import catalog
from lsclasses.searching import version_space
from lsclasses.searching.version_space import (
    VersionSpace,
    arrange,
    arranged_rows,
    canonical_order,
    normal_form,
    row_words,
    scrambled,
)
from tests.lsclasses.searching.spaces import HEXAGON

pytestmark = pytest.mark.usefixtures("engine")

SHAPES = [(0, 3), (1, 4), (2, 1), (5, 6), (9, 8), (63, 9), (64, 65), (65, 10), (130, 70), (40, 130)]


def labels_of(concepts: int, points: int) -> np.ndarray:
    """Random labels with a column twice, one complemented and a constant one."""
    rng = np.random.default_rng(100 * concepts + points)
    labels = rng.integers(0, 2, (concepts, points), dtype=np.uint8)
    if points > 3:
        labels[:, 1] = labels[:, 0]
        labels[:, 2] = 1 - labels[:, 0]
        labels[:, 3] = 1
    return labels


@pytest.fixture(params=["unpacked", "packed"], autouse=True)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "packed":
        monkeypatch.setattr(version_space, "UNPACKED_UP_TO", -1)


@pytest.mark.parametrize(("concepts", "points"), SHAPES)
def test_each_column_is_kept_once_up_to_complement_and_no_constant_one(
    concepts: int, points: int
) -> None:
    labels = labels_of(concepts, points)
    space = VersionSpace.of_packed(np.packbits(labels, axis=1), points)
    columns = [tuple(column) for column in labels.T.tolist()]
    oriented = [tuple(y ^ column[0] for y in column) for column in columns if column]
    first = {column: j for j, column in reversed(list(enumerate(oriented))) if any(column)}
    expected = sorted(first, key=first.__getitem__)
    assert space.concepts == concepts
    assert space.source.tolist() == sorted(first.values())
    assert space.flipped.tolist() == [columns[j][0] for j in space.source.tolist()]
    assert len(space.words) == len(expected)
    width = -(-concepts // 64) * 8
    for word, column in zip(space.words, expected, strict=True):
        assert int.from_bytes(word, "little") == sum(y << i for i, y in enumerate(column))
        assert len(word) == width
    if not expected:
        return
    table = np.array(expected, dtype=np.int64).reshape(len(expected), concepts)
    assert space.columns.tolist() == table.tolist()
    assert space.ones.tolist() == table.sum(axis=1).tolist()
    assert space.both.tolist() == (table @ table.T).tolist()
    assert [int(row) for row in space.rows[0]] == [
        sum(int(y) << j for j, y in enumerate(row[:64])) for row in table.T.tolist()
    ]


@pytest.mark.parametrize(("concepts", "points"), SHAPES[2:])
def test_sides_and_parts_are_version_spaces_of_their_concepts(concepts: int, points: int) -> None:
    labels = labels_of(concepts, points)
    space = VersionSpace.of_packed(np.packbits(labels, axis=1), points)
    chosen = np.flatnonzero(np.random.default_rng(0).random(concepts) < 0.3)
    found = [(space.part(chosen), chosen)]
    for j in range(0, len(space.words), 1 + len(space.words) // 9):
        for y in (0, 1):
            column = labels[:, space.source[j]] ^ space.flipped[j]
            found.append((space.side(j, y), np.flatnonzero(column == y)))
    for part, rows in found:
        expected = VersionSpace.of_labels(labels[rows])
        assert part.concepts == len(rows)
        # Of columns that have become the same the first one in the part is kept.
        assert set(part.words) == set(expected.words)
        for word, j, flip in zip(part.words, part.source, part.flipped, strict=True):
            column = (labels[rows, j] ^ flip).tolist()
            assert int.from_bytes(word, "little") == sum(y << i for i, y in enumerate(column))


def renamed(labels: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    moved = rng.permutation(labels, axis=0)[:, rng.permutation(labels.shape[1])]
    return np.asarray(moved ^ rng.integers(0, 2, labels.shape[1]), dtype=np.uint8)


def own_labels(space: VersionSpace, order: np.ndarray, flip: np.ndarray) -> list[tuple[int, ...]]:
    return sorted(map(tuple, (space.columns[order] ^ flip[:, None]).T.tolist()))


SPECS = ["cube:n=4", "thresholds:n=9", "subsets:n=6,k=2", "points:n=7", "ltf:n=3"]


def test_renamings_of_symmetric_classes_get_one_form() -> None:
    """Counting does not tell their columns apart, so ties are broken, in the same way for all."""
    rng = np.random.default_rng(5)
    two = np.concatenate([np.kron(np.eye(2, dtype=np.uint8), HEXAGON), np.ones((1, 12), np.uint8)])
    tables = [catalog.build(spec).to_table().labels for spec in SPECS] + [HEXAGON, two]
    for labels in tables:
        first = VersionSpace.of_labels(labels)
        form = normal_form(first)
        for _ in range(5):
            other = VersionSpace.of_labels(renamed(labels, rng))
            again = normal_form(other)
            assert again.key == form.key
            # Then the columns correspond, in their orders and complemented so.
            assert own_labels(first, form.order, form.flip) == own_labels(
                other, again.order, again.flip
            )


def test_forms_of_other_classes_differ_and_hold_all_rows() -> None:
    rng = np.random.default_rng(6)
    by_key: dict[object, list[tuple[int, ...]]] = {}
    for _ in range(80):
        labels = np.unique(rng.integers(0, 2, (rng.integers(1, 6), 3), dtype=np.uint8), axis=0)
        space = VersionSpace.of_labels(labels)
        for form in (normal_form(space), normal_form(space, space.ones, space.both)):
            rows = own_labels(space, form.order, form.flip)
            assert by_key.setdefault(form.key, rows) == rows
            assert sorted(form.order.tolist()) == list(range(len(space.words)))
            assert set(form.flip.tolist()) <= {0, 1}
        plain = arrange(space)
        assert plain.key == (space.concepts, frozenset(space.words))
        assert [space.words[j] for j in plain.order] == sorted(space.words)
        assert not plain.flip.any()


@pytest.mark.parametrize("points", [1, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 130])
def test_words_of_rows_are_equal_exactly_if_the_rows_are(points: int) -> None:
    rng = np.random.default_rng(points)
    labels = rng.integers(0, 2, (6, points), dtype=np.uint8)
    labels = np.concatenate([labels, labels[:3]])
    labels[6, 0] ^= 1
    labels[7, -1] ^= 1
    words = row_words(labels.T)
    assert len(words) == 9
    same = [[bool(a == b) for b in words] for a in words]
    assert same == [[a == b for b in labels.tolist()] for a in labels.tolist()]
    space = VersionSpace.of_labels(labels)
    points = len(space.words)
    order, flip = rng.permutation(points), rng.integers(0, 2, points, dtype=np.uint8)
    for j in range(0, points, 5):
        other = flip.copy()
        other[j] ^= 1
        rows = (space.columns[order] ^ flip[:, None]).T.tolist()
        moved = (space.columns[order] ^ other[:, None]).T.tolist()
        assert (arranged_rows(space, order, other) == arranged_rows(space, order, flip)) == (
            sorted(rows) == sorted(moved)
        )


def test_an_order_follows_from_counts_alone() -> None:
    """Columns are ordered by their smaller side, and complemented so that this is the ones."""
    labels = np.tri(9, 3, -1, dtype=np.uint8)
    labels[:, 1] = [0, 0, 0, 0, 0, 0, 0, 1, 1]
    labels[:, 2] = [0, 1, 1, 1, 1, 1, 1, 1, 0]
    labels[:, 0] = [0, 0, 0, 1, 0, 1, 0, 1, 0]
    space = VersionSpace.of_labels(labels)
    order, flip = canonical_order(space.ones, space.both, space.concepts)
    smaller = np.minimum(space.ones, 9 - space.ones)[order]
    assert sorted(order.tolist()) == [0, 1, 2]
    assert sorted(smaller.tolist()) == smaller.tolist()
    assert flip.tolist() == [int(2 * n > 9) for n in space.ones[order]]


def test_words_are_scrambled_as_by_splitmix() -> None:
    """The first three numbers that SplitMix64 gives for the seed 1234567."""
    steps = np.arange(3, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    found = scrambled(np.uint64(1234567) + steps).tolist()
    assert found == [6457827717110365317, 3203168211198807973, 9817491932198370423]
