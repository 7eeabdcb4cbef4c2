"""Threads that search together answer as one does, within one limit."""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from lsclasses import Limit, Table, TooLarge, limits
from lsclasses.certificates import FoldedTree, LdimCertificate
from lsclasses.limits import Meter
from lsclasses.searching import engines
from tests.lsclasses.searching.conftest import KERNEL, require_interruptible
from tests.lsclasses.searching.spaces import balls, rows, space_of, true_ldim
from tests.strategies import disguised_product

compiled = pytest.mark.skipif(KERNEL is None, reason="no kernel was built")
EVERYTHING = 1 << 60
"""Bytes."""


def eager(normal_from: int = 20, shared_from: int = 0) -> object:
    """A search whose threads begin at once, and share even the smallest version spaces."""
    return KERNEL.Search(None, normal_from, shared_from, 0)


def asked(search, space, k, threads, *, memory=EVERYTHING, check=lambda: None):
    return search.at_least(b"".join(space.words), space.concepts, k, memory, threads, check)


@pytest.fixture
def at_once(monkeypatch):
    """All searches of this process have three threads, from their first version space on."""
    from lsclasses.searching import native_engine

    def search(level=None, normal_from=200):
        return KERNEL.Search(level, normal_from, 0, 0)

    kernel = SimpleNamespace(Search=search, PLACES=KERNEL.PLACES)
    monkeypatch.setattr(native_engine, "_kernel", kernel)
    monkeypatch.setattr(limits, "processors", lambda: 3)
    monkeypatch.setenv(limits.THREADS, "3")
    monkeypatch.setenv(engines.VARIABLE, "native")


@compiled
def test_each_depth_is_decided_as_by_the_recursion():
    rng = np.random.default_rng(3)
    for seed in range(40):
        labels = rows(
            seed, int(rng.integers(2, 70)), int(rng.integers(2, 8)), rng.choice([0.3, 0.5])
        )
        space, value = space_of(labels), true_ldim(labels)
        search = eager(int(rng.choice([0, 20, 200])), int(rng.choice([0, 30])))
        for k in rng.permutation([*range(value + 3), value]).tolist():
            threads = int(rng.integers(1, 5))
            assert asked(search, space, k, threads) is (k <= value), (seed, k, threads)


@compiled
def test_hard_and_symmetric_classes_and_products_have_the_depth_that_one_thread_finds():
    factors = [rows(seed, 40, 8) for seed in range(2)]
    tables = (balls(8, 15), rows(1, 600, 70), rows(2, 300, 130), np.eye(150), rows(0, 2000, 12))
    for labels in (*tables, disguised_product(factors, np.random.default_rng(0)).labels):
        space, alone = space_of(np.unique(labels, axis=0)), eager(200, 200)
        depth = max(k for k in range(12) if asked(alone, space, k, 1))
        for threads in (2, 3):
            search = eager(200, 200)
            assert asked(search, space, depth + 1, threads) is False
            assert asked(search, space, depth, threads) is True


@compiled
def test_certificates_are_those_of_one_thread_byte_for_byte(at_once, monkeypatch):
    for make in (lambda: balls(4, 12), lambda: rows(5, 200, 9), lambda: np.tri(40)):
        written = []
        for threads in ("1", "3", "3"):
            monkeypatch.setenv(limits.THREADS, threads)
            table = Table(np.unique(make().astype(np.uint8), axis=0))
            written.append(
                json.dumps([LdimCertificate.of(table).to_json(), FoldedTree.of(table).to_json()])
            )
        assert len(set(written)) == 1


@compiled
def test_memory_is_limited_for_all_threads_together():
    """With too little the search stops, goes on when it gets more, and ends as any other."""
    space = space_of(balls(6, 14))
    alone = eager()
    depth = max(k for k in range(12) if asked(alone, space, k, 1))
    stopped = 0
    for threads in (2, 4):
        for k in (depth, depth + 1):
            search = eager()
            for memory in np.geomspace(1000, 4 * alone.used, 40).astype(int).tolist():
                answer = asked(search, space, k, threads, memory=memory)
                assert search.used <= memory
                assert search.limited if answer is None else answer is (k <= depth)
                stopped += answer is None
            assert answer is (k <= depth)
    assert stopped > 40


@compiled
def test_a_limit_that_is_enough_for_one_thread_is_nearly_enough_for_several(at_once):
    """Threads give their memory back where the one that leads needs it."""
    table = balls(6, 14)
    with pytest.raises(TooLarge, match="limit of 30000 bytes") as stopped:
        Table(table).ldim(limit=Limit(memory=30_000))
    value = Table(table).ldim(limit=Limit(memory=1 << 24, threads=1))
    assert stopped.value.lower <= value <= stopped.value.upper
    assert Table(table).ldim(limit=Limit(memory=1 << 22, threads=3)) == value


@compiled
@pytest.mark.parametrize("looks", [1, 5])
def test_a_signal_ends_all_threads(at_once, looks):
    table = Table(balls(40, 30))
    before = threading.active_count(), tasks()
    require_interruptible(table.ldim, looks, None)
    assert threading.active_count() == before[0]
    require_as_before(before[1])


def tasks() -> int:
    """How many threads the system knows of this process; 0 where it does not tell."""
    folder = Path("/proc/self/task")
    return len(list(folder.iterdir())) if folder.exists() else 0


def require_as_before(count: int) -> None:
    """The system may still list a thread for a moment after it was joined."""
    for _ in range(1000):
        if tasks() <= count:
            return
        time.sleep(0.01)
    raise AssertionError("threads are left")


@compiled
@pytest.mark.skipif(not tasks(), reason="the system does not tell its threads")
def test_threads_begin_after_some_work_and_end_with_the_question():
    space, before = space_of(balls(40, 30)), tasks()
    for alone, helpers in ((0, 2), (1 << 40, 0)):
        seen: list[int] = []

        def look(seen=seen):
            seen.append(tasks() - before)
            if len(seen) == 6:
                raise InterruptedError

        with pytest.raises(InterruptedError):
            asked(KERNEL.Search(None, 200, 200, alone), space, 12, 3, check=look)
        assert max(seen) == helpers
        require_as_before(before)


def test_no_more_threads_search_than_there_are_processors(monkeypatch):
    monkeypatch.setattr(limits, "processors", lambda: 4)
    monkeypatch.delenv(limits.THREADS, raising=False)
    assert Meter(None).threads == 1
    assert Meter(Limit(threads=3)).threads == Meter(Limit(threads=3)).rest.threads == 3
    assert Meter(Limit(threads=9, seconds=5)).threads == 4
    assert Meter(Limit(threads=9, seconds=5)).rest.threads == 9
    monkeypatch.setenv(limits.THREADS, "2")
    assert Meter(None).threads == 2
    assert Meter(Limit(threads=1)).threads == 1
