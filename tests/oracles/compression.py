"""Sample compression, by its definition."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import Any

from tests.oracles.dimensions import PlainClass, PlainConcept, points_of


def subsets(whole: tuple[Any, ...], most: int) -> Iterator[tuple[Any, ...]]:
    """The subsets of at most `most` elements."""
    for size in range(most + 1):
        yield from itertools.combinations(whole, size)


def possible(C: PlainClass, most: int, *, labelled: bool, proper: bool, stable: bool) -> bool:
    """Whether some reconstruction from sets of at most `most` points serves all samples."""
    points = tuple(points_of(C))
    samples = {tuple((x, c[x]) for x in some) for c in C for some in subsets(points, len(points))}

    def kept(sample: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        return list(subsets(sample if labelled else tuple(x for x, _ in sample), most))

    sets = list({some for sample in samples for some in kept(sample)})
    labellings = list(C) if proper else list(itertools.product((0, 1), repeat=len(points)))
    for chosen in itertools.product(labellings, repeat=len(sets)):
        rebuilt = dict(zip(sets, chosen, strict=True))
        right = {
            sample: [some for some in kept(sample) if all(rebuilt[some][x] == y for x, y in sample)]
            for sample in samples
        }
        if not all(right.values()):
            continue
        if not stable:
            return True
        for each in itertools.product(*right.values()):
            compressed = dict(zip(right, each, strict=True))
            if is_stable(compressed, rebuilt):
                return True
    return False


def is_stable(
    compressed: Mapping[tuple[Any, ...], tuple[Any, ...]], rebuilt: Mapping[Any, PlainConcept]
) -> bool:
    """Whether samples between a compression set and its sample are rebuilt as that is."""
    return all(
        rebuilt[compressed[part]] == rebuilt[some]
        for sample, some in compressed.items()
        for part in compressed
        if set(part) <= set(sample) and set(some) <= {*part, *(x for x, _ in part)}
    )


def size(C: PlainClass, *, labelled: bool, proper: bool, stable: bool) -> int:
    """The least size of a scheme."""
    if not C:
        return -1
    sizes = range(len(points_of(C)) + 1)
    return next(k for k in sizes if possible(C, k, labelled=labelled, proper=proper, stable=stable))


def labelled_compression_size(C: PlainClass, *, proper: bool = False, stable: bool = False) -> int:
    """The least size of a labelled sample compression scheme (Floyd and Warmuth 1995).

    A proper one rebuilds concepts only, and a stable one a sample as before if it loses others of
    its examples than those of its compression set (Bousquet, Hanneke, Moran and Zhivotovskiy 2020).
    -1 for the empty class.

    Examples
    --------
    >>> labelled_compression_size([(0, 0), (0, 1), (1, 0), (1, 1)])
    1
    """
    return size(C, labelled=True, proper=proper, stable=stable)


def unlabelled_compression_size(
    C: PlainClass, *, proper: bool = False, stable: bool = False
) -> int:
    """The least size of an unlabelled sample compression scheme (Kuzmin and Warmuth 2007).

    A proper one rebuilds concepts only, and a stable one a sample as before if it loses others of
    its examples than those of its compression set (Bousquet, Hanneke, Moran and Zhivotovskiy 2020).
    -1 for the empty class.

    Examples
    --------
    >>> unlabelled_compression_size([(0, 0), (0, 1), (1, 0), (1, 1)])
    2
    """
    return size(C, labelled=False, proper=proper, stable=stable)
