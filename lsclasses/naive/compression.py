"""Sample compression, by its definition."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from lsclasses.naive.dimensions import PlainClass, points_of


def subsets(whole: tuple[Any, ...], most: int) -> Iterator[tuple[Any, ...]]:
    """The subsets of at most `most` elements."""
    for size in range(most + 1):
        yield from itertools.combinations(whole, size)


def possible(C: PlainClass, most: int, *, labelled: bool, proper: bool) -> bool:
    """Whether some reconstruction from sets of at most `most` points serves all samples."""
    points = tuple(points_of(C))
    samples = {tuple((x, c[x]) for x in some) for c in C for some in subsets(points, len(points))}

    def kept(sample: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        return list(subsets(sample if labelled else tuple(x for x, _ in sample), most))

    sets = list({some for sample in samples for some in kept(sample)})
    labellings = list(C) if proper else list(itertools.product((0, 1), repeat=len(points)))
    return any(
        all(
            any(all(rebuilt[some][x] == y for x, y in sample) for some in kept(sample))
            for sample in samples
        )
        for rebuilt in (
            dict(zip(sets, chosen, strict=True))
            for chosen in itertools.product(labellings, repeat=len(sets))
        )
    )


def size(C: PlainClass, *, labelled: bool, proper: bool) -> int:
    """The least size of a scheme."""
    if not C:
        return -1
    sizes = range(len(points_of(C)) + 1)
    return next(k for k in sizes if possible(C, k, labelled=labelled, proper=proper))


def labelled_compression_size(C: PlainClass, *, proper: bool = False) -> int:
    """The least size of a labelled sample compression scheme (Floyd and Warmuth 1995).

    A proper one rebuilds concepts only. -1 for the empty class.

    Examples
    --------
    >>> labelled_compression_size([(0, 0), (0, 1), (1, 0), (1, 1)])
    1
    """
    return size(C, labelled=True, proper=proper)


def unlabelled_compression_size(C: PlainClass, *, proper: bool = False) -> int:
    """The least size of an unlabelled sample compression scheme (Kuzmin and Warmuth 2007).

    A proper one rebuilds concepts only. -1 for the empty class.

    Examples
    --------
    >>> unlabelled_compression_size([(0, 0), (0, 1), (1, 0), (1, 1)])
    2
    """
    return size(C, labelled=False, proper=proper)
