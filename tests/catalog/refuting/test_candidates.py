"""Classes made of others, each against its definition in words, concept by concept."""

from __future__ import annotations

import itertools
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.refuting.candidates import CLOSURES, CONCEPTS, JOINS, POINTS, candidates, members
from catalog.refuting.conjecture_file import refuting_classes
from lsclasses import Table
from lsclasses.isomorphism import class_of_mask

Words = list[tuple[int, ...]]

small = st.integers(1, 3).flatmap(
    lambda points: st.integers(1, 2 ** (2**points) - 1).map(
        lambda mask: class_of_mask(points, mask)
    )
)


def words(table: Table) -> Words:
    return [tuple(row) for row in table.labels.tolist()]


def naive(operation: str, C: Words) -> Words:
    """What is made of one class, as words."""
    if operation == "doubled":
        return [h + h for h in C]
    if operation == "isolated":
        return [(*h, 0, 0) for h in C] + [(*C[0], 1, 1)]
    if operation == "complement":
        return [tuple(1 - label for label in h) for h in C]
    if operation == "with complements":
        flipped = naive("complement", C)
        return C + [h for h in flipped if h not in C]
    if operation == "numbered":
        digits = max(1, len(bin(len(C) - 1)) - 2)
        return [h + tuple(i // 2**k % 2 for k in range(digits)) for i, h in enumerate(C)]
    assert operation == "dual"
    return [tuple(h[x] for h in C) for x in range(len(C[0]))]


def naive_join(operation: str, C: Words, D: Words) -> Words | None:
    """What is made of two."""
    if operation == "product":
        return [h + g for h in C for g in D]
    if operation == "disjoint union":
        zeros = (0,) * len(D[0]), (0,) * len(C[0])
        return [h + zeros[0] for h in C] + [zeros[1] + g for g in D]
    if operation == "lexicographic sum":
        zeros = (0,) * len(D[0])
        return [
            h + tuple(y for j in range(len(C)) for y in (g if i == j else zeros))
            for i, h in enumerate(C)
            for g in D
        ]
    assert operation == "union"
    return C + D if len(C[0]) == len(D[0]) else None


@pytest.mark.parametrize("operation", CLOSURES)
@given(small)
def test_what_is_made_of_one(operation: str, table: Table) -> None:
    made = words(CLOSURES[operation](table))
    assert set(made) == set(naive(operation, words(table)))
    assert len(made) == len(set(made))


@pytest.mark.parametrize("operation", JOINS)
@given(small, small)
def test_what_is_made_of_two(operation: str, one: Table, other: Table) -> None:
    made, expected = JOINS[operation](one, other), naive_join(operation, words(one), words(other))
    if made is None or expected is None:
        assert made is None and expected is None
        return
    assert set(words(made)) == set(expected)
    assert len(made) == len(set(expected))


@given(small)
def test_what_the_operations_are_for(table: Table) -> None:
    """No neighbours are left; a concept has none; few queries identify a concept."""
    twice = CLOSURES["doubled"](table)
    assert twice.max_degree() == 0 and twice.ldim() == table.ldim()
    assert CLOSURES["isolated"](table).min_degree() == 0
    assert CLOSURES["numbered"](table).membership_queries() <= max(1, (len(table) - 1).bit_length())


@given(C=small, D=small)
def test_a_lexicographic_sum_is_learned_one_class_after_the_other(C: Table, D: Table) -> None:
    made = JOINS["lexicographic sum"](C, D)
    assert made is not None and len(made) == len(C) * len(D)
    assert made.ldim() >= C.ldim() + D.ldim()
    assert made.vcdim() >= max(C.vcdim(), D.vcdim())


@cache
def first() -> list[tuple[str, Table]]:
    return list(itertools.islice(candidates(), 450))


def test_each_is_taken_once_and_is_small() -> None:
    listed = first()
    assert len({name for name, _ in listed}) == len(listed)
    rows = [np.unique(table.labels, axis=0) for _, table in listed]
    assert all(len(row) == len(table) for row, (_, table) in zip(rows, listed, strict=True))
    assert len({(row.shape, row.tobytes()) for row in rows}) == len(rows)
    assert max(len(table) for _, table in listed) <= CONCEPTS
    assert max(len(table.points) for _, table in listed) <= POINTS


def test_all_kinds_come_early() -> None:
    names = [name for name, _ in first()]
    for kind in (*(set(CLOSURES) - {"complement"}), *JOINS, "a class that refutes "):
        assert any(name.startswith(kind) for name in names), kind
    assert not any(name.startswith("complement(") for name in names)
    flipped = itertools.islice(candidates(flips=False), 60)
    assert any(name.startswith("complement(") for name, _ in flipped)


def test_members_are_small_and_in_order() -> None:
    listed = [(len(table.points), len(table)) for _, table in members()]
    assert len(listed) > 100 and max(listed) <= (POINTS, CONCEPTS)
    assert [points for points, _ in listed] == sorted(points for points, _ in listed)


def test_candidates_pass_by_refuting_classes_of_256_concepts() -> None:
    sizes = [len(table) for _, table in refuting_classes()]
    assert max(sizes) >= 256
    found = itertools.islice(candidates(), 400)
    assert {name.partition("(")[0] for name, _ in found} >= {"doubled", "dual", "numbered"}
