from __future__ import annotations

import numpy as np
import pytest

from catalog.atlas.orbits import (
    FEW,
    Representatives,
    _Facets,
    class_count,
    images,
    least_masks,
    orbit_count,
    representatives,
    symmetries,
)
from lsclasses.errors import LsclassesError


@pytest.fixture(scope="module")
def on_five() -> Representatives:
    return representatives(5)


@pytest.mark.parametrize("points", [1, 2, 3, 4])
def test_small_classes_are_those_that_comparing_all_symmetries_finds(points: int) -> None:
    everything = np.arange(1, class_count(points) + 1, dtype=np.uint64)
    least = least_masks(everything, points, flips=True)
    masks, labelled = np.unique(least, return_counts=True)
    found = representatives(points)
    assert found.masks.tolist() == masks.tolist()
    assert found.labelled.tolist() == labelled.tolist()


def test_five_points_have_as_many_as_counted_without_looking(on_five: Representatives) -> None:
    assert len(on_five.masks) == orbit_count(5, flips=True) == 1_228_157
    assert int(on_five.labelled.sum()) == class_count(5)
    assert bool((np.diff(on_five.masks.astype(np.int64)) > 0).all())


def test_five_points_have_the_least_masks_of_random_classes(on_five: Representatives) -> None:
    rng = np.random.default_rng(0)
    # As many of each size, not only classes of about 16 concepts.
    sizes = np.repeat(np.arange(1, 33), 2)
    numbers = (rng.permutation(32)[:size] for size in sizes)
    masks = np.array([sum(1 << int(c) for c in chosen) for chosen in numbers], dtype=np.uint64)
    least = least_masks(masks, 5, flips=True)
    assert (on_five.masks[np.searchsorted(on_five.masks, least)] == least).all()


def test_the_sizes_of_orbits_are_those_of_their_images(on_five: Representatives) -> None:
    rng = np.random.default_rng(1)
    # Half of them among the few classes with the most symmetries.
    order = np.argsort(on_five.labelled, kind="stable")
    chosen = np.concatenate([order[rng.integers(0, 3000, 12)], rng.integers(0, len(order), 12)])
    group = symmetries(5, flips=True)
    moved = np.array([images(on_five.masks[chosen], each) for each in group])
    assert moved.min(axis=0).tolist() == on_five.masks[chosen].tolist()
    assert [len(np.unique(column)) for column in moved.T] == on_five.labelled[chosen].tolist()


def test_many_classes_are_moved_as_each_is() -> None:
    masks = np.random.default_rng(2).integers(1, 2**32, FEW, dtype=np.uint64)
    for permutation in symmetries(5, flips=True)[::400]:
        alone = [images(masks[i : i + 1], permutation) for i in range(FEW)]
        assert images(masks, permutation).tolist() == np.concatenate(alone).tolist()


@pytest.mark.parametrize(
    ("kept", "more", "message"),
    [
        (slice(0, 5), -1, "5 orbits were found, of 14 classes. There are 5, of 15"),
        (slice(0, 5), 1, "5 orbits were found, of 16 classes. There are 5, of 15"),
        (slice(0, 4), 1, "4 orbits were found, of 15 classes. There are 5, of 15"),
    ],
)
def test_mistakes_are_noticed(
    kept: slice, more: int, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One class too few or too many, or one orbit too few with all classes between the others."""
    masks, labelled = (array[kept].copy() for array in representatives(2))
    labelled[0] += more
    monkeypatch.setattr(_Facets, "representatives", lambda self: Representatives(masks, labelled))
    with pytest.raises(LsclassesError, match=message):
        representatives(2)
