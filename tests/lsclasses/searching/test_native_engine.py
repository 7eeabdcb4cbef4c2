"""The engine in C, asked directly: its answers, what it charges, when it gives up."""

from __future__ import annotations

import itertools
import pickle
from fractions import Fraction

import numpy as np
import pytest

from lsclasses import Limit, TooLarge
from lsclasses.limits import Meter
from tests.lsclasses.searching.conftest import KERNEL
from tests.lsclasses.searching.spaces import (
    balls,
    cube,
    first_shattered_set,
    is_shattered,
    rows,
    space_of,
    true_depth,
    true_ldim,
)

pytestmark = pytest.mark.skipif(KERNEL is None, reason="no kernel was built")
if KERNEL is not None:
    from lsclasses.searching.native_engine import NativeEngine, first_shattered


def test_each_depth_is_decided_as_by_the_recursion_whatever_was_asked_before():
    rng, engine, meter = np.random.default_rng(1), NativeEngine(None, 20), Meter(None)
    for seed, concepts in enumerate((1, 2, 3, 20, 63, 64, 65, 100)):
        labels = rng.permutation(rows(seed, 2 * concepts, 7))[:concepts]
        space, value = space_of(labels), true_ldim(labels)
        for k in rng.permutation([*range(-1, value + 3), value]).tolist():
            assert engine.at_least(space, k, meter) is (k <= value), (seed, k)
        assert engine.expected_depth(space, meter) == true_depth(labels)


def test_whole_cubes_and_classes_of_no_concept():
    """2^k concepts shatter depth k exactly if they are a cube, and fewer never do."""
    engine, meter = NativeEngine(), Meter(None)
    for k in range(1, 8):
        assert engine.at_least(space_of(cube(k)), k, meter)
        assert engine.expected_depth(space_of(cube(k)), meter) == k
        assert not engine.at_least(space_of(cube(k)), k + 1, meter)
        assert not engine.at_least(space_of(cube(k)[1:]), k, meter)
    one = engine.expected_depth(space_of(np.eye(3)), meter)
    assert (one.numerator, one.denominator) == (3, 2)
    for k in (-2, -1, 0, 1):
        assert engine.at_least(space_of(np.zeros((1, 3))), k, meter) is (k <= 0)
        assert engine.at_least(space_of(np.zeros((0, 3))), k, meter) is False


def test_depths_are_exact_and_what_is_too_fine_is_said():
    """One concept is peeled off at a time: the last of 120 levels counts for 2^-118."""
    engine = NativeEngine()
    for n in (54, 56, 100, 120):
        space = space_of(np.eye(n))
        assert engine.expected_depth(space, Meter(None)) == 2 - Fraction(1, 2 ** (n - 2))
    with pytest.raises(OverflowError, match="too many binary places"):
        engine.expected_depth(space_of(np.eye(121)), Meter(None))


@pytest.mark.parametrize("ask", ["depth", "expected"])
def test_what_it_keeps_is_charged_once_and_only_so_much_more_is_allowed(ask):
    space, other, third = (space_of(rows(seed, 250 + 50 * seed, 10)) for seed in range(3))

    def asked(engine, space, meter):
        if ask == "depth":
            return engine.at_least(space, 7, meter)
        return engine.expected_depth(space, meter)

    engine, meter = NativeEngine(None, 20), Meter(None)
    first = asked(engine, space, meter)
    kept = meter.used
    assert kept == engine._search.used > 0
    again = Meter(None)
    assert asked(engine, space, again) == first
    assert again.used == 0
    # A limit counts from where a search begins, whatever was kept before.
    wide = Meter(Limit(memory=1 << 24))
    assert asked(engine, other, wide) == asked(NativeEngine(None, 20), other, Meter(None))
    assert wide.used == engine._search.used - kept > 0
    narrow = Meter(Limit(memory=100))
    with pytest.raises(TooLarge, match="limit of 100 bytes"):
        asked(engine, third, narrow)


def test_memory_that_is_missing_is_said(monkeypatch):
    class Full:
        used = 0
        limited = False

        def __init__(self, *made_of):
            pass

        def at_least(self, *given):
            raise MemoryError

        first_shattered = at_least

    monkeypatch.setattr("lsclasses.searching.native_engine._kernel.Search", Full)
    space = space_of(cube(3))
    with pytest.raises(TooLarge, match="no more memory on this machine"):
        NativeEngine().at_least(space, 2, Meter(None))
    with pytest.raises(TooLarge, match="no more memory on this machine"):
        first_shattered(space, range(3), 2, Meter(None))


WORDS_BETWEEN_LOOKS = 1 << 23
"""So many words are counted in milliseconds."""


class Looks(Meter):
    """At each look at the clock, how many version spaces an engine has searched; stops it then."""

    __slots__ = ("engine", "most", "seen")

    def __init__(self, engine, most):
        super().__init__(None)
        self.engine, self.most, self.seen = engine, most, []

    def tick(self):
        self.seen.append(self.engine._search.nodes)
        if len(self.seen) == self.most:
            raise InterruptedError


def test_it_looks_at_the_clock_while_it_counts_the_pairs_of_columns_of_a_single_version_space():
    engine, concepts, points = NativeEngine(), 640, 4000
    looks = Looks(engine, -1)
    assert engine.at_least(space_of(rows(1, concepts, points)), 5, looks)
    words = points * (points - 1) // 2 * (concepts // 64)
    assert looks.seen.count(1) >= words // WORDS_BETWEEN_LOOKS > 8


@pytest.mark.parametrize(
    ("labels", "ask"),
    [
        (balls(40, 30), lambda engine, space, meter: engine.at_least(space, 12, meter)),
        (rows(0, 3000, 24, 0.2), lambda engine, *given: engine.expected_depth(*given)),
    ],
    ids=["at_least", "expected_depth"],
)
def test_it_looks_at_the_clock_once_in_many_small_version_spaces(labels, ask):
    """Each counts as 80 words at least, however few there are of its concepts."""
    engine = NativeEngine()
    looks = Looks(engine, 8)
    with pytest.raises(InterruptedError):
        ask(engine, space_of(labels), looks)
    between = np.diff([0, *looks.seen])
    assert 1 < between.max() < WORDS_BETWEEN_LOOKS // 80


def test_a_copy_is_made_of_the_same_and_remembers_nothing():
    level = KERNEL.LEVELS[-1]
    engine = NativeEngine(level, 7)
    engine.at_least(space_of(rows(0, 150, 10)), 6, Meter(None))
    copied = pickle.loads(pickle.dumps(engine))
    assert copied.__reduce__() == engine.__reduce__() == (NativeEngine, (level, 7))
    assert copied._search.used == 0 < engine._search.used
    assert copied.at_least(space_of(cube(4)), 4, Meter(None))


def test_the_first_shattered_set_is_the_first_in_the_order_that_was_given():
    rng, seen = np.random.default_rng(2), set()
    for seed in range(20):
        space = space_of(rows(seed, int(rng.choice([12, 30, 64, 65, 90])), 8, 0.4))
        order = rng.permutation(len(space.words)).tolist()[: int(rng.integers(5, 9))]
        for size, fixed in itertools.product(range(1, 5), range(3)):
            if fixed >= size or len(order) < size:
                continue
            wanted = first_shattered_set(space, order, size, fixed)
            kwargs = {"fixed": fixed} if fixed else {}
            assert first_shattered(space, order, size, Meter(None), **kwargs) == (wanted or ())
            seen.add((fixed, wanted is None))
    assert len(seen) == 6


def test_any_shattered_set_will_do():
    """In classes that shatter some sets of a size, or none; of cells of few words and of many."""
    rng, seen = np.random.default_rng(5), set()
    shapes = [(45, 8, 0.5), (90, 9, 0.4), (300, 10, 0.5), (700, 9, 0.45), (9000, 16, 0.3)]
    for seed, shape in enumerate(shapes * 3):
        space = space_of(rows(seed, *shape))
        order = rng.permutation(len(space.words)).tolist()
        for size in range(1, 9):
            first = first_shattered(space, order, size, Meter(None))
            found = first_shattered(space, order, size, Meter(None), anywhere=True)
            assert bool(found) == bool(first)
            assert not found or is_shattered(space, found)
            seen.add((size, found == ()))
    assert {(4, False), (5, False), (5, True), (8, True)} <= seen


def test_the_plan_of_a_search_is_followed():
    """All points are shattered; so the first are found that a plan allows."""
    space = space_of(cube(6))
    for plan, wanted in [
        ((0,), (0, 1, 2)),
        ((1, 1, 3, 2, 2, 3, 0), (1, 2, 3)),
        ((2, 1, 2, 1, 3, 0, 2, 3, 2, 4, 5, 0), (2, 4, 5)),
        ((1, 1, 2, 1, 3, 0), ()),
        ((1, 0, 10, 3, 2, 3, 5, 1, 2, 3, 2, 3, 5, 0), (0, 2, 3, 5)),
        ((1, 0, 9, 3, 2, 3, 5, 1, 2, 2, 1, 3, 0), ()),
    ]:
        size = 3 if len(plan) < 13 else 4
        assert first_shattered(space, range(6), size, Meter(None), plan=plan) == wanted


@pytest.mark.parametrize("plan", [(1,), (1, 0, 1, 0), (1, 0, 2, 0, 1), (0, 0), (2, 0, 1, 0)])
def test_a_plan_that_is_none_is_refused(plan):
    with pytest.raises(ValueError, match="a plan tries points"):
        first_shattered(space_of(cube(6)), range(6), 4, Meter(None), plan=plan)


def test_a_search_for_a_set_gives_up_when_its_patience_or_memory_ends():
    space = space_of(np.random.default_rng(1).integers(0, 2, (3000, 60)))
    every = range(60)
    assert first_shattered(space, range(26), 10, Meter(None), patience=1) is None
    assert first_shattered(space, range(20), 10, Meter(None)) == ()
    found = first_shattered(space, every, 4, Meter(None))
    assert len(found) == 4
    with pytest.raises(TooLarge, match="limit of 1000 bytes"):
        first_shattered(space, every, 4, Meter(Limit(memory=1000)))
    assert first_shattered(space, every, 4, Meter(Limit(memory=1 << 24))) == found
    with pytest.raises(TooLarge, match="seconds"):
        first_shattered(space, every, 11, Meter(Limit(seconds=1e-3)))
