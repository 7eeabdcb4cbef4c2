"""Intervals in closed form."""

from __future__ import annotations

import itertools
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import catalog
from catalog.closed_forms.intervals import IntervalClass, ldim_of_sticks
from catalog.closed_forms.thresholds import Steps
from learners.playing.play import replay
from lsclasses import IntegerRange
from lsclasses.soa import SOA
from tests.catalog.closed_forms.closed_form_checks import check_all, check_streams

FAMILY = catalog.family("intervals")


@pytest.mark.parametrize("empty", [0, 1])
@pytest.mark.parametrize("n", [1, 2, 3, 4, pytest.param(7, marks=pytest.mark.slow)])
def test_every_version_space_is_the_one_of_the_table(n: int, empty: int) -> None:
    closed = IntervalClass(IntegerRange(0, n), empty=bool(empty))
    check_all(closed, FAMILY.table(n=n, empty=empty), max_states=250)


@settings(max_examples=4)
@given(st.integers(8, 24), st.booleans())
def test_streams_on_larger_domains(n: int, empty: bool) -> None:
    closed = IntervalClass(IntegerRange(3, n + 3), empty=empty)
    table = FAMILY.table(n=n, empty=int(empty)).rename(range(3, n + 3))
    assert closed.to_table() == table
    check_streams(closed, table, length=15, streams=4, seed=n)


@cache
def ldim_by_cutting(sticks: tuple[int, ...], empty: bool) -> int:
    """The recursion of the definition on the multiset of gaps."""
    best = 0 if empty or sticks else -1
    if sum(s * (s - 1) // 2 for s in sticks) + empty <= 1:
        return best
    for i, s in enumerate(sticks):
        for u in range(1, s // 2 + 1):
            pieces = [*sticks[:i], *sticks[i + 1 :], u, s - u]
            label_0 = ldim_by_cutting(tuple(sorted(p for p in pieces if p > 1)), empty)
            label_1 = u.bit_length() + (s - u).bit_length() - 2
            best = max(best, 1 + min(label_0, label_1))
    return best


def partitions(total: int, largest: int) -> list[tuple[int, ...]]:
    if total == 0:
        return [()]
    return [
        (*rest, part)
        for part in range(2, min(total, largest) + 1)
        for rest in partitions(total - part, part)
    ]


def test_the_two_longest_sticks_decide() -> None:
    for total in range(15):
        for sticks, empty in itertools.product(partitions(total, total), (False, True)):
            expected = ldim_by_cutting(tuple(sorted(sticks)), empty)
            assert ldim_of_sticks(sorted(sticks)[-2:], empty=empty) == expected, (sticks, empty)


def test_huge_domains() -> None:
    C = IntervalClass(IntegerRange(0, 2**80))
    assert (C.size, C.vcdim(), C.star_number()) == (2**79 * (2**80 + 1) + 1, 2, 2**80)
    assert C.ldim() == FAMILY.evaluate(
        next(f.expression for f in FAMILY.facts if f.quantity == "ldim" and "k, 1" in f.when),
        {"n": 2**80, "k": 1, "empty": 1},
    )
    target = Steps(C.domain, 0, [2**70 + 999, 2**79 + 5])
    state = SOA(C)
    for played in replay(state, C.sample_stream(300, 5, target=target)):
        state = played.state
    assert played.mistakes <= C.ldim()
    assert state.version_space.size < 10**4


@pytest.mark.parametrize("n", [40])
def test_trees_of_larger_classes_verify(n: int) -> None:
    C = IntervalClass(IntegerRange(0, n), empty=False)
    for left in (C, C.given([(n // 3, 0), (n // 2, 0)]), C.restrict(n // 2, 1)):
        left.shattered_tree().verify(left)


@given(st.integers(40, 2000), st.sets(st.integers(0, 1999), max_size=4), st.booleans())
def test_the_rule_before_a_1_is_written_out_rightly(n: int, zeros: set[int], empty: bool) -> None:
    C = IntervalClass(IntegerRange(0, n), empty=empty).given((x, 0) for x in zeros if x < n)
    if not C.is_empty:
        rule = C.soa()
        assert isinstance(rule._extension(), tuple)
        steps = Steps(C.domain, *rule._extension()[1:])
        assert all(steps(x) == rule(x) for x in C.domain)
