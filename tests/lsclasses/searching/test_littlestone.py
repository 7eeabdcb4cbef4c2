"""The searches for the Littlestone dimension and the randomized one, on both engines.

Every test of this file runs on each engine (`tests.lsclasses.searching.conftest`).
"""

from __future__ import annotations

import itertools
import pickle
import signal
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given

from lsclasses import InvalidInput, Limit, Table, TooLarge
from lsclasses.dimensions.littlestone import ldim_bounds
from tests import oracles
from tests.lsclasses.searching.conftest import require_interruptible
from tests.lsclasses.searching.spaces import balls
from tests.strategies import plain, tables

pytestmark = pytest.mark.usefixtures("engine")


BOTH = pytest.mark.parametrize("name", ["ldim", "randomized_ldim"])


@BOTH
@given(table=tables(max_concepts=5, max_points=4, min_concepts=0))
def test_small_tables_agree_with_the_definition(name, table):
    assert getattr(table, name)() == getattr(oracles, name)(plain(table))


@given(tables(min_concepts=0))
def test_a_splitting_point_leaves_one_dimension_less_at_least(table):
    if table.ldim() < 1:
        with pytest.raises(InvalidInput, match="at least two concepts"):
            table.splitting_point()
        return
    x = table.splitting_point()
    left = [oracles.ldim(plain(table.restrict(x, y))) for y in (0, 1)]
    assert min(left) == table.ldim() - 1


def hard_table() -> Table:
    """Unstructured, and just too small for the next depth: minutes on each engine, unlimited."""
    return Table(balls(40, 30))


def test_a_limit_on_time_gives_valid_bounds():
    table = hard_table()
    with pytest.raises(TooLarge, match=r"So far: \d+ <= Ldim <= 1\d") as stopped:
        table.ldim(limit=Limit(seconds=0.05))
    assert stopped.value.lower < stopped.value.upper <= 14


def test_there_are_bounds_even_if_the_time_is_up_before_the_search():
    with pytest.raises(TooLarge, match=r"1e-09 seconds.* So far: 0 <= Ldim <= 14\.") as stopped:
        hard_table().ldim(limit=Limit(seconds=1e-9))
    assert (stopped.value.lower, stopped.value.upper) == (0, 14)
    assert str(stopped.value).count("So far") == 1


def test_a_limit_on_memory_is_kept_and_stops_a_long_search():
    table = hard_table()
    with pytest.raises(TooLarge, match="limit of 300000 bytes") as stopped:
        table.ldim(limit=Limit(memory=3 * 10**5))
    assert stopped.value.lower < stopped.value.upper
    assert stopped.value.estimate < 5 * 10**5


@pytest.mark.parametrize("handler", [signal.default_int_handler, None], ids=["Ctrl-C", "handler"])
def test_an_interrupt_is_heard_at_once_and_bounds_are_kept(engine, handler):
    """A signal's handler runs and leaves the search, whatever it raises."""
    table = hard_table()
    # Much less happens between two looks of the NumPy engine.
    require_interruptible(table.ldim, 50 if engine == "native" else 400, handler)
    assert ldim_bounds(table, limit=Limit(seconds=0.01))[0] > 0


def test_a_limit_on_memory_gives_valid_bounds_and_more_memory_goes_on_from_there():
    rows = np.array([[i >> j & 1 for j in range(9)] for i in range(512)])
    table = Table(np.concatenate([rows, 1 - rows[:, ::-1], rows ^ (rows[:, :1])], axis=1))
    value = Table(table.labels).ldim()
    lower, upper = ldim_bounds(table, limit=Limit(memory=1))
    assert lower <= value <= upper
    assert table.ldim() == value


def test_bounds_close_in_and_an_interrupted_search_goes_on_where_it_stopped():
    table = Table(np.random.default_rng(3).integers(0, 2, (400, 10)))

    def interrupt(lower: int, upper: int) -> None:
        if lower > 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        table.ldim(progress=interrupt)
    seen: list[tuple[int, int]] = []
    value = table.ldim(progress=lambda lower, upper: seen.append((lower, upper)))
    assert seen[0][0] > 2 and seen[-1] == (value, value)
    assert all(a <= c <= value <= d <= b for (a, b), (c, d) in itertools.pairwise(seen))
    assert value == Table(table.labels).ldim()


@BOTH
def test_other_threads_get_answers_from_one_memory_too(name):
    """Four threads that ask about restrictions of one class at a time."""
    table = Table(np.random.default_rng(5).integers(0, 2, (120, 9)))
    parts = [table.restrict(x, y) for x in range(9) for y in (0, 1)]
    asked = getattr(Table, name)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(asked, parts * 3))
    assert found == [asked(Table(part.labels)) for part in parts] * 3


def test_a_table_is_copied_with_its_search():
    table = Table(np.random.default_rng(5).integers(0, 2, (60, 8)))
    value, depth = table.ldim(), table.restrict(1, 0).randomized_ldim()
    copied = pickle.loads(pickle.dumps(table))
    assert copied.restrict(0, 1).ldim() == table.restrict(0, 1).ldim()
    assert copied.ldim() == value and copied.restrict(1, 0).randomized_ldim() == depth


def test_depth_0_is_shattered_by_whatever_is_not_empty():
    """And no depth is by the empty class: its dimension is -1, not 0."""
    for rows, expected in (([], False), ([[0, 1]], True), ([[0, 1], [1, 1]], True)):
        table = Table(rows, domain="ab")
        for k in (0, -1):
            assert table._search.at_least(table._space, k) is expected
    assert Table([], domain="ab").ldim() == -1 and Table([[0, 1]], domain="ab").ldim() == 0
