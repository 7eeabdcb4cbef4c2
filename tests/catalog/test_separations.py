"""Coded singletons and six splits, concept by concept."""

from __future__ import annotations

import itertools

import pytest

from catalog.separations import BalancedSixSplit, CodedSingletons


@pytest.mark.parametrize("n", [1, 2, 3, 4, 7, 8, 20])
def test_each_number_has_its_singleton_and_its_digits(n: int) -> None:
    C = CodedSingletons().table(n=n)
    tags = [point for point in C.points if isinstance(point, tuple)]
    assert list(C.points) == [*range(1, n + 1), *tags]
    assert 2 ** (len(tags) - 1) < n + 1 <= 2 ** len(tags)
    assert [c.name for c in C] == list(range(n + 1))
    for c in C:
        assert [i for i in range(1, n + 1) if c(i)] == ([c.name] if c.name else [])
        assert int("".join(str(c(tag)) for tag in tags), 2) == c.name


def test_the_points_are_the_splits_into_triples() -> None:
    C = BalancedSixSplit().table()
    splits = {frozenset({frozenset(x), frozenset(range(1, 7)) - set(x)}) for x in C.points}
    assert len(splits) == len(C.points) == 10
    assert all(len(half) == 3 for split in splits for half in split)
    assert all(c(x) == (c.name in x) for c in C for x in C.points)


def test_every_pair_of_splits_is_shattered() -> None:
    C = BalancedSixSplit().table()
    for pair in itertools.combinations(C.points, 2):
        assert len({tuple(c(x) for x in pair) for c in C}) == 4
