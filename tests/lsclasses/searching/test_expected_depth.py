"""The search for expected depths, on both engines and in all regimes.

Every test of this file runs on each engine (`tests.lsclasses.searching.conftest`).
"""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import catalog
from lsclasses import Limit, Table, TooLarge
from lsclasses.dimensions.littlestone import balanced_depth
from lsclasses.limits import Meter
from lsclasses.searching import engines, littlestone_search
from lsclasses.searching.numpy_engine import NumpyDepths
from tests import oracles
from tests.lsclasses.searching.conftest import KERNEL, require_interruptible
from tests.strategies import disguised_product, plain, tables

pytestmark = pytest.mark.usefixtures("engine")

compiled = pytest.mark.skipif(KERNEL is None, reason="no kernel was built")


def random_table(seed: int, concepts: int, points: int, density: float = 0.5) -> Table:
    return Table(np.random.default_rng(seed).random((concepts, points)) < density)


def hard_table() -> Table:
    """Unstructured, with few labels 1: minutes on each engine, unlimited."""
    return random_table(0, 3000, 24, 0.2)


@settings(max_examples=10)
@given(tables(max_concepts=12, max_points=5), st.booleans())
def test_one_memory_answers_for_all_restrictions(table, whole_first):
    if whole_first:
        table.randomized_ldim()
    for part in (*(table.restrict(x, y) for x in table.points for y in (0, 1)), table):
        assert part.randomized_ldim() == oracles.randomized_ldim_recursive(plain(part))


class TooCoarse:
    """An engine to which every version space is too fine, after some work."""

    def expected_depth(self, space, meter):
        meter.charge(1000)
        raise OverflowError


def test_what_is_too_fine_for_an_engine_is_found_by_the_other_one(monkeypatch):
    """And so are, from then on, restrictions of the class; what the first kept is forgotten."""
    monkeypatch.setattr(littlestone_search, "new_depth_engine", lambda points: TooCoarse())
    table = Table(np.eye(20, dtype=int))
    assert table.randomized_ldim(limit=Limit(memory=10**6)) == 1 - Fraction(1, 2**19)
    plain_search = NumpyDepths(20)
    meter = Meter(None)
    assert plain_search.expected_depth(table._space, meter) == 2 - Fraction(1, 2**18)
    assert table._depths._used == meter.used
    assert table.restrict(0, 0).randomized_ldim() == 1 - Fraction(1, 2**18)


@pytest.mark.parametrize("k", [1, 2, 3, 6, 11, 16, 200])
def test_thresholds_have_balanced_trees(k):
    assert Table(np.tri(k, k, -1, dtype=int)).randomized_ldim() == balanced_depth(k) / 2


@pytest.mark.parametrize("name", ["decision-lists:n=3", "rectangles:a=3,b=3", "ltf:n=3"])
def test_families_have_one_value_on_both_engines(name, monkeypatch):
    """And between its bounds by the Littlestone dimension and by counting."""
    table = catalog.build(name).to_table()
    value = table.randomized_ldim()
    assert Fraction(table.ldim(), 2) <= value <= min(table.ldim(), balanced_depth(len(table)) / 2)
    monkeypatch.setattr(littlestone_search, "new_depth_engine", NumpyDepths)
    assert Table(table.labels).randomized_ldim() == value


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=5)
def test_products_add_up(seed):
    rng = np.random.default_rng(seed)
    parts = [np.unique(rng.integers(0, 2, (9, 4), dtype=np.uint8), axis=0) for _ in range(2)]
    values = [oracles.randomized_ldim_recursive(plain(Table(part))) for part in parts]
    assert disguised_product(parts, rng).randomized_ldim() == sum(values)


@compiled
def test_a_product_of_large_classes_is_as_easy_as_its_factors(monkeypatch):
    """Together it has 27000 concepts; no engine but the kernel looks for products."""
    monkeypatch.setenv(engines.VARIABLE, "native")
    rng = np.random.default_rng(4)
    parts = [np.unique(rng.integers(0, 2, (30, 8), dtype=np.uint8), axis=0) for _ in range(3)]
    values = [oracles.randomized_ldim_recursive(plain(Table(part))) for part in parts]
    assert disguised_product(parts, rng).randomized_ldim(limit=Limit(seconds=60)) == sum(values)


def test_a_limit_on_time_stops_a_long_search(monkeypatch):
    """The clock is looked at again and again, and after the first look that is late no more."""
    looks = []

    def clock() -> float:
        looks.append(len(looks) / 64)
        return looks[-1]

    monkeypatch.setattr("lsclasses.limits.time", SimpleNamespace(monotonic=clock))
    table = hard_table()
    with pytest.raises(TooLarge, match=r"limit of 0\.125 seconds"):
        table.randomized_ldim(limit=Limit(seconds=0.125))
    # The first look is that at the start, from which the limit counts.
    assert looks == [i / 64 for i in range(10)]


def test_a_limit_on_memory_is_kept_and_stops_a_long_search():
    with pytest.raises(TooLarge, match="limit of 300000 bytes") as stopped:
        hard_table().randomized_ldim(limit=Limit(memory=3 * 10**5))
    assert stopped.value.estimate < 5 * 10**5


def test_what_was_found_is_kept_and_counts_against_the_limit():
    """With little memory the search does not end; with more it goes on, and warm it takes none."""
    table = random_table(3, 150, 7)
    used = [0]
    for memory in (2**i for i in range(8, 30)):
        try:
            value = table.randomized_ldim(limit=Limit(memory=memory))
        except TooLarge as stopped:
            assert stopped.limit == memory
            used.append(table._depths._used)
        else:
            break
    assert value == oracles.randomized_ldim_recursive(plain(table))
    most = table._depths._used
    assert used == sorted(used) and 0 < used[-1] <= most <= memory
    assert table.randomized_ldim() == value and table._depths._used == most
    with pytest.raises(TooLarge, match="limit of 1 bytes"):
        random_table(3, 151, 7).restrict(0, 0).randomized_ldim(limit=Limit(memory=1))


def test_an_interrupt_is_heard_at_once():
    """A signal's handler runs and leaves the search, and it can go on."""
    table = hard_table()
    require_interruptible(table.randomized_ldim, 50, None)
    part = table.given([(0, 1), (1, 1), (2, 1)])
    assert part.randomized_ldim() == Table(part.labels).randomized_ldim() > 1


@compiled
def test_many_points_do_without_normal_forms():
    """Beyond 128 columns version spaces are kept as they are."""
    table = random_table(8, 40, 200)
    assert len(table._space.words) > 128
    value = table.randomized_ldim()
    assert value == Table(table.labels, domain=range(200)).randomized_ldim()
    assert value <= balanced_depth(len(table)) / 2


def test_nothing_is_counted_but_what_the_engine_keeps(engine):
    space, meter = random_table(3, 100, 7)._space, Meter(None)
    value = littlestone_search.new_depth_engine(7).expected_depth(space, meter)
    search = littlestone_search.ExpectedDepthSearch(7)
    assert search.depth(space) == value
    assert search._used == meter.used > 0
    if engine == "numpy":
        # To the byte: the kernel counts the memory as well in which it works.
        search = littlestone_search.ExpectedDepthSearch(7)
        for _ in range(2):
            # It is kept, and counts on: who asks again needs no more.
            assert search.depth(space, Limit(memory=meter.used)) == value
        with pytest.raises(TooLarge, match="bytes"):
            littlestone_search.ExpectedDepthSearch(7).depth(space, Limit(memory=meter.used - 1))
