"""The engine that needs NumPy alone, asked directly: its answers, its memory, its limits."""

from __future__ import annotations

import numpy as np
import pytest

from lsclasses import Limit, TooLarge
from lsclasses.limits import Meter
from lsclasses.searching import numpy_engine
from lsclasses.searching.numpy_engine import NumpyEngine
from lsclasses.searching.version_space import VersionSpace
from tests.lsclasses.searching.spaces import bytes_of, cube, rows, space_of, true_ldim
from tests.strategies import disguised_product

SETTINGS = [(200, 200), (0, 200), (200, 0), (0, 0)]


def made(normal_from: int, products_from: int) -> NumpyEngine:
    engine = NumpyEngine()
    engine.normal_from_concepts = normal_from
    engine.products_from_concepts = products_from
    return engine


def expired() -> Meter:
    """A meter whose time is up, which stops every search."""
    return Meter(Limit(seconds=1e-9))


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_each_depth_is_decided_as_by_the_recursion_whatever_was_asked_before(setting):
    """One engine for all tables, depths in any order, some of them twice."""
    rng, engine, meter = np.random.default_rng(1), made(*setting), Meter(None)
    for seed in range(8):
        labels = rows(seed, int(rng.integers(20, 90)), 7, float(rng.choice([0.3, 0.5])))
        space, value = space_of(labels), true_ldim(labels)
        for k in rng.permutation([*range(-1, value + 3), value, value + 1]).tolist():
            assert engine.at_least(space, k, meter) is (k <= value), (seed, k)


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_few_concepts_and_whole_cubes(setting):
    """2^k concepts shatter depth k exactly if they are a cube, and fewer never do."""
    engine, meter = made(*setting), Meter(None)
    for k in range(1, 6):
        assert engine.at_least(space_of(cube(k)), k, meter)
        assert not engine.at_least(space_of(cube(k)), k + 1, meter)
        assert not engine.at_least(space_of(cube(k)[1:]), k, meter)
    for k in (-1, 0, 1):
        assert engine.at_least(space_of(np.zeros((1, 3))), k, meter) is (k <= 0)
        assert engine.at_least(space_of(np.zeros((0, 3))), k, meter) is False


def exhausted(engine: NumpyEngine, space: VersionSpace, k: int) -> bool | None:
    """What the engine says of a depth without working; None if it would have to."""
    meter = expired()
    try:
        answer = engine.at_least(space, k, meter)
    except TooLarge:
        return None
    assert meter.used == 0
    return answer


@pytest.mark.parametrize("normal_from", [200, 0])
def test_what_was_found_is_told_again_without_work_and_bounds_other_depths(normal_from):
    """If depth k is shattered so is k - 1, if it is not then k + 1 is not: both are remembered."""
    labels = rows(0, 150, 9, 0.3)
    space, value = space_of(labels), true_ldim(labels)
    assert value > 4
    asked = []
    for order in ((value, value + 1), (value + 1, value)):
        engine, used = made(normal_from, 200), []
        for k in order:
            assert exhausted(engine, space, k) is None
            meter = Meter(None)
            assert engine.at_least(space, k, meter) is (k <= value)
            used.append(meter.used)
            assert exhausted(engine, space, k) is (k <= value)
        for k in (value - 1, value, value + 1, value + 2):
            assert exhausted(engine, space, k) is (k <= value)
        asked.append(used)
    assert all(used[0] > 0 for used in asked)


def test_a_renamed_class_is_known_by_its_normal_form():
    rng, labels = np.random.default_rng(2), rows(3, 150, 9)
    renamed = rng.permutation(labels)[:, rng.permutation(9)] ^ rng.integers(0, 2, 9, dtype=np.uint8)
    for normal_from, known in ((0, True), (len(labels) + 1, None)):
        engine = made(normal_from, 200)
        assert engine.at_least(space_of(labels), 5, Meter(None))
        assert exhausted(engine, space_of(renamed), 5) is known


def test_a_class_of_too_many_columns_is_known_as_it_is(monkeypatch):
    labels = rows(3, 150, 9)
    monkeypatch.setattr("lsclasses.searching.numpy_engine.NORMAL_UP_TO_POINTS", 8)
    engine = made(0, 200)
    assert engine.at_least(space_of(labels), 5, Meter(None))
    assert exhausted(engine, space_of(labels), 5) is True
    assert exhausted(engine, space_of(np.flip(labels, 0)), 5) is None


@pytest.mark.parametrize("normal_from", [1000, 0])
def test_memory_is_charged_for_what_is_kept_about(normal_from):
    """Each version space once, however many depths are asked about."""
    engine, meter = made(normal_from, 1000), Meter(None)
    for seed in range(3):
        space = space_of(rows(seed, 200, 10))
        for k in (5, 6, 7):
            engine.at_least(space, k, meter)
    kept = sum(bytes_of(key) for key in engine._known)
    # Beside each key there are two bounds and a place in the dictionary.
    assert 0.4 < meter.used / (kept + 150 * len(engine._known)) < 1.2
    with pytest.raises(TooLarge, match="limit of 1000 bytes"):
        made(normal_from, 1000).at_least(space, 6, Meter(Limit(memory=1000)))


def test_a_product_is_settled_by_its_factors():
    """Depth by depth; with the factors of a class of 27000 concepts little is left to search."""
    rng = np.random.default_rng(4)
    drawn = [rows(seed, 30, 8) for seed in range(3)]
    values = [true_ldim(part) for part in drawn]
    for count in (2, 3):
        space, total = disguised_product(drawn[:count], rng)._space, sum(values[:count])
        for order in ((total + 1, total), (total, total + 1), (total - 1, total + 2)):
            engine, meter = made(200, 200), Meter(Limit(memory=10**6))
            for k in order:
                assert engine.at_least(space, k, meter) is (k <= total)


def test_factors_of_one_column_each_and_of_unequal_dimensions():
    engine, rng = made(0, 0), np.random.default_rng(0)
    bit, star, chain = np.eye(2, 1), np.eye(6), np.tri(9, 8, -1)
    for parts in [
        [bit] * 4,
        [rows(0, 40, 7), bit],
        [star] * 4,
        [star, rows(1, 60, 8)],
        [chain, star],
    ]:
        total = sum(true_ldim(part) for part in parts)
        table = disguised_product([part.astype(np.uint8) for part in parts], rng)
        for k in range(total + 3):
            assert engine.at_least(table._space, k, Meter(None)) is (k <= total), k


@pytest.mark.parametrize("turned", [False, True])
def test_both_sides_of_a_root_are_asked_whichever_is_first(turned, monkeypatch):
    """In these classes counting leaves columns only one of whose sides shatters enough."""
    usual = numpy_engine.candidates

    def candidates(space, k, meter):
        tried = usual(space, k, meter)
        return tried._replace(first=[first ^ turned for first in tried.first])

    monkeypatch.setattr(numpy_engine, "candidates", candidates)
    for seed in (0, 11, 12, 15, 39, 41, 49, 144):
        labels = rows(seed, 60, 6)
        value = true_ldim(labels)
        for k in (value, value + 1):
            assert made(200, 200).at_least(space_of(labels), k, Meter(None)) is (k <= value)
