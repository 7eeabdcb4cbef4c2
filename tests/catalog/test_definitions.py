"""Families against their definitions: which labellings are concepts, and what their names say."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest

import catalog
from tests.strategies import plain

Labelling = dict[Any, int]


def cube(n: int) -> list[tuple[int, ...]]:
    return list(itertools.product((0, 1), repeat=n))


def grid(a: int, b: int) -> list[tuple[int, int]]:
    return list(itertools.product(range(a), range(b)))


def runs(f: Labelling) -> int:
    """How many runs of ones there are."""
    return [label for label, _ in itertools.groupby(f.values())].count(1)


def is_rectangle(f: Labelling) -> bool:
    """Whether all grid points between two ones are ones."""
    ones = [point for point in f if f[point]]
    return all(
        f[i, j]
        for (i1, j1), (i2, j2) in itertools.product(ones, repeat=2)
        for i in range(min(i1, i2), max(i1, i2) + 1)
        for j in range(min(j1, j2), max(j1, j2) + 1)
    )


def adds_up(f: Labelling, terms: int) -> bool:
    """Whether sums of that many points in GF(2)^n have the sums of their labels."""
    return all(
        f[tuple(sum(entries) % 2 for entries in zip(*points, strict=True))]
        == sum(map(f.__getitem__, points)) % 2
        for points in itertools.product(f, repeat=terms)
    )


def is_monotone(f: Labelling) -> bool:
    return all(
        f[x] <= f[y]
        for x, y in itertools.product(f, repeat=2)
        if all(a <= b for a, b in zip(x, y, strict=True))
    )


def members(**ranges: Iterable[int]) -> Iterator[dict[str, int]]:
    for values in itertools.product(*ranges.values()):
        yield dict(zip(ranges, values, strict=True))


SIZED = [(n, k) for n in range(1, 6) for k in range(n + 1)]
Fits = Callable[..., object]
DEFINITIONS: dict[str, tuple[Iterable[dict[str, int]], Callable[..., Any], Fits]] = {
    "points": (
        list(members(n=range(1, 6), empty=(0, 1))),
        lambda n, empty: range(n),
        lambda f, n, empty: sum(f.values()) in {1, 1 - empty},
    ),
    "intervals": (
        list(members(n=range(1, 8), k=(1, 2, 3), empty=(0, 1))),
        lambda n, k, empty: range(n),
        lambda f, n, k, empty: runs(f) <= k and (empty or any(f.values())),
    ),
    "subsets": (
        [{"n": n, "k": k} for n, k in SIZED],
        lambda n, k: range(n),
        lambda f, n, k: sum(f.values()) == k,
    ),
    "at-most": (
        [{"n": n, "k": k} for n, k in SIZED],
        lambda n, k: range(n),
        lambda f, n, k: sum(f.values()) <= k,
    ),
    "cube": (list(members(n=range(1, 6))), lambda n: range(n), lambda f, n: True),
    "middle-layers": (
        list(members(m=(1, 2, 3))),
        lambda m: range(2 * m + 1),
        lambda f, m: sum(f.values()) in {m, m + 1},
    ),
    "even-parity": (
        list(members(n=range(1, 7))),
        lambda n: range(n),
        lambda f, n: sum(f.values()) % 2 == 0,
    ),
    "cube-with-apex": (
        list(members(n=range(1, 6))),
        lambda n: [*range(n), "apex"],
        lambda f, n: not f["apex"] or sum(f.values()) == 1,
    ),
    "thresholds": (
        [
            each
            for each in members(n=range(1, 7), zeros=(0, 1), ones=(0, 1))
            if sum(each.values()) >= 2
        ],
        lambda n, zeros, ones: range(n),
        lambda f, n, zeros, ones: (
            all(a <= b for a, b in itertools.pairwise(f.values()))
            and (zeros or any(f.values()))
            and (ones or not all(f.values()))
        ),
    ),
    "rectangles": (
        [{"a": a, "b": b} for a, b in [(1, 1), (1, 4), (4, 1), (2, 2), (2, 4), (3, 3)]],
        grid,
        lambda f, a, b: is_rectangle(f),
    ),
    "parities": (list(members(n=(1, 2, 3))), cube, lambda f, n: adds_up(f, 2)),
    "affine-functionals": (list(members(n=(1, 2, 3))), cube, lambda f, n: adds_up(f, 3)),
    "monotone": (list(members(n=range(4))), cube, lambda f, n: is_monotone(f)),
}
"""Members of families, their points, and which labellings of these are concepts."""


@pytest.mark.parametrize("name", DEFINITIONS)
def test_concepts_are_the_labellings_that_fit_the_definition(name: str) -> None:
    listed, points, fits = DEFINITIONS[name]
    for values in listed:
        C = catalog.family(name).table(**values)
        assert C.points == tuple(points(**values))
        assert C.merged == 0
        assert plain(C) == {
            labels
            for labels in itertools.product((0, 1), repeat=len(C.points))
            if fits(dict(zip(C.points, labels, strict=True)), **values)
        }


def odd(coefficients: Iterable[int], constant: int = 0) -> Iterator[tuple[int, ...]]:
    return (x for x in cube(3) if (constant + sum(map(int.__mul__, coefficients, x))) % 2)


NAMES: dict[str, Callable[[Any], Iterable[Any]]] = {
    "points:n=4,empty=1": lambda name: () if name == "empty" else (name,),
    "intervals:n=7,k=3": lambda name: (x for a, b in name for x in range(a, b + 1)),
    "subsets:n=5,k=2": lambda name: name,
    "at-most:n=4,k=3": lambda name: name,
    "middle-layers:m=2": lambda name: name,
    "thresholds:n=5": lambda first: range(first, 5),
    "rectangles:a=3,b=4": lambda name: (
        itertools.product(*(range(a, b + 1) for a, b in name)) if name else ()
    ),
    "parities:n=3": odd,
    "affine-functionals:n=3": lambda name: odd(*name),
}
"""The points with label 1, by the name of a concept."""


@pytest.mark.parametrize("spec", NAMES)
def test_a_name_says_which_points_have_label_1(spec: str) -> None:
    for c in catalog.build(spec).to_table():
        assert c.support == tuple(NAMES[spec](c.name))


def test_the_intervals_in_a_name_do_not_touch() -> None:
    for c in catalog.build("intervals:n=7,k=3").to_table():
        assert all(b + 1 < a for (_, b), (a, _) in itertools.pairwise(c.name))


@pytest.mark.parametrize("m", range(2, 8))
def test_thresholds_are_counted_by_points_or_by_concepts(m: int) -> None:
    by_concepts = catalog.family("threshold-concepts").table(m=m)
    assert by_concepts == catalog.family("thresholds").table(n=m - 1)
    assert len(by_concepts) == m
