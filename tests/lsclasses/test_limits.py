"""Limits stop a search in time and in memory, and refuse nonsense."""

from __future__ import annotations

from threading import Thread
from typing import Any

import numpy as np
import pytest

import catalog
from lsclasses import FiniteDomain, Limit, Table, TooLarge, limits
from lsclasses.certificates import FailureDAG, FoldedTree, LdimCertificate, ShatteredTree
from lsclasses.dimensions.base import READING_ORDER
from lsclasses.limits import Meter, tick, within
from lsclasses.searching.bit_matrix import row_order
from lsclasses.searching.bitsets import maximal, members
from lsclasses.searching.products import split
from lsclasses.searching.symmetry import Symmetry, orbit_starts
from lsclasses.searching.version_space import VersionSpace


def test_memory_may_be_used_up_to_the_limit() -> None:
    meter = Meter(Limit(memory=100), used=10)
    meter.charge(50)
    meter.charge(40)
    with pytest.raises(TooLarge, match="limit of 100 bytes") as caught:
        meter.charge(1)
    assert (caught.value.estimate, caught.value.limit) == (101, 100)


def test_without_a_limit_nothing_stops() -> None:
    meter = Meter(None)
    for _ in range(3):
        meter.tick()
        meter.charge(1 << 40)
    assert meter.used == 3 << 40


class Clock:
    """A clock that stands still until it is set, and counts how often it is looked at."""

    def __init__(self) -> None:
        self.now, self.looks = 1000.0, 0

    def monotonic(self) -> float:
        self.looks += 1
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(limits, "time", clock)
    return clock


def test_every_step_looks_at_the_clock(clock: Clock) -> None:
    """One step can take a tenth of a second, so that even a second one would be too late."""
    meter = Meter(Limit(seconds=2))
    meter.tick()
    clock.now += 2.001
    with pytest.raises(TooLarge, match="limit of 2 seconds") as caught:
        meter.tick()
    assert caught.value.limit == 2


def test_what_is_left_is_for_a_search_on_behalf_of_another(clock: Clock) -> None:
    meter = Meter(Limit(seconds=2, memory=7))
    clock.now += 1.5
    assert meter.rest == Limit(seconds=0.5, memory=7)
    clock.now += 9
    assert meter.rest == Limit(seconds=1e-3, memory=7)
    assert Meter(None).rest == Limit()


def test_whatever_runs_inside_keeps_to_the_shortest_limit(clock: Clock) -> None:
    tick()
    with within(Limit(seconds=2)):
        clock.now += 1
        with within(None), within(Limit(memory=1)):
            tick()
        with within(Limit(seconds=9)):
            tick()
            clock.now += 1.5  # the inner one has seven seconds left
            with pytest.raises(TooLarge, match="limit of 2 seconds"):
                tick()
    tick()
    with within(Limit(seconds=9)), within(Limit(seconds=1)):
        clock.now += 2
        with pytest.raises(TooLarge, match="limit of 1 seconds"):
            tick()
    tick()
    with within(Limit(seconds=2)):
        clock.now += 1.5
        meter = Meter(Limit(seconds=2))  # of a search that began after other work
        assert meter.rest.seconds == 0.5
        clock.now += 1
        with pytest.raises(TooLarge, match="limit of 2 seconds"):
            meter.tick()
    with within(Limit(seconds=1)):
        clock.now += 2
        other = Thread(target=tick)  # another thread runs another search
        other.start()
        other.join()


LARGE = Table(np.random.default_rng(3).random((9000, 64)) < 0.5)
"""Too many labels to give each a byte."""
SPACE = LARGE._space

BULK = {
    "columns as integers": lambda: fresh().column_bits,
    "rows as integers": lambda: fresh().row_bits,
    "the dual class": lambda: fresh().dual(),
    "a version space": lambda: VersionSpace.of_packed(LARGE.packed, 64),
    "pairs of columns": lambda: part().both,
    "rows of words": lambda: part().rows,
    "labels as bytes": lambda: part().columns,
    "a side": lambda: part().side(0, 1),
    "a split": lambda: split(part()),
    "symmetries": lambda: orbit_starts(2, [Symmetry(np.arange(1), np.array([1, 0]))]),
    "members of a large set": lambda: list(members(1 << 20_000)),
    "maximal sets": lambda: maximal([1, 2]),
    "points of a domain": lambda: FiniteDomain(range(3)),
}


def fresh() -> Table:
    return Table._of_distinct(LARGE.domain, LARGE.packed)


def part() -> VersionSpace:
    """The version space without what it remembers."""
    return VersionSpace(SPACE.concepts, SPACE.words, SPACE.source, SPACE.flipped)


@pytest.mark.parametrize("what", BULK)
def test_what_searches_share_looks_at_the_clock_of_the_search(clock: Clock, what: str) -> None:
    assert SPACE.large
    with within(Limit(seconds=2)):
        before = clock.looks
        BULK[what]()
        assert clock.looks > before
        clock.now += 3
        with pytest.raises(TooLarge, match="limit of 2 seconds"):
            BULK[what]()
    BULK[what]()


def test_every_dimension_stops_at_the_first_look(monkeypatch: pytest.MonkeyPatch) -> None:
    class Late(Clock):
        def monotonic(self) -> float:
            self.now += 1.5
            return self.now

    monkeypatch.setattr(limits, "time", Late())
    for name in READING_ORDER:
        with pytest.raises(TooLarge, match="limit of 1 seconds"):
            getattr(fresh(), name)(limit=Limit(seconds=1))


def test_what_is_done_a_part_at_a_time_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(np.random.default_rng(5).random((300, 11)) < 0.4)
    rows = np.random.default_rng(6).integers(0, 9, (2, 500)).astype(np.uint64)
    whole = table.column_bits, table.row_bits, table.dual(), table.growth_function()
    for module, name in (
        ("lsclasses.packed_labels", "CACHED_LABELS"),
        ("lsclasses.packed_labels", "AT_ONCE"),
        ("lsclasses.packing", "AT_ONCE"),
        ("lsclasses.domain", "AT_ONCE"),
        ("lsclasses.dimensions.growth", "LABELS"),
        ("lsclasses.searching.version_space", "UNPACKED_UP_TO"),
        ("lsclasses.searching.version_space", "AT_ONCE"),
        ("lsclasses.searching.bit_matrix", "SORTED_AT_ONCE"),
    ):
        monkeypatch.setattr(f"{module}.{name}", 64)
    other = Table._of_distinct(FiniteDomain(range(11)), table.packed)
    parts = other.column_bits, other.row_bits, other.dual(), other.growth_function()
    assert parts == whole
    assert other.teaching_dim() == table.teaching_dim()
    assert row_order(rows).tolist() == np.lexsort(rows).tolist()
    assert row_order(rows[:1] * 0).tolist() == list(range(500))


@pytest.mark.parametrize("shape", [(0, 3), (1, 0), (1, 2)])
def test_bulk_work_takes_classes_without_concepts_or_columns(shape: tuple[int, int]) -> None:
    table = Table(np.zeros(shape, dtype=np.uint8))
    space = table._space
    assert space.packed.shape == (0, -(-space.concepts // 64))
    assert space.rows.shape == (0, shape[0]) and space.columns.shape == (0, shape[0])
    assert row_order(space.rows).tolist() == list(range(shape[0]))
    assert len(table.row_bits) == shape[0] and len(table.column_bits) == shape[1]


# ---- certificates


@pytest.mark.parametrize("searched", [False, True])
@pytest.mark.parametrize("kind", [LdimCertificate, FailureDAG, FoldedTree, ShatteredTree])
def test_a_certificate_and_the_search_before_it_share_the_time(kind: Any, searched: bool) -> None:
    table, none = catalog.build("monotone:n=4").to_table(), Limit(seconds=1e-9)
    if searched:
        table.ldim()
    with pytest.raises(TooLarge, match="within the limit"):
        kind.of(table, limit=none)
    if not searched:  # nor had it searched to the end
        with pytest.raises(TooLarge, match="within the limit"):
            table.ldim(limit=none)
    if searched:
        assert kind.of(table).claim == kind.of(table, limit=Limit(seconds=60)).claim


def test_a_class_is_certified_within_a_limit() -> None:
    C = catalog.build("monotone:n=4")
    for certify in (C.ldim_certificate, C.vcdim_certificate, C.failure_dag):
        with pytest.raises(TooLarge, match="within the limit"):
            certify(limit=Limit(seconds=1e-9))
