from __future__ import annotations

from fractions import Fraction
from itertools import islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import catalog
from learners.coins import SeededCoins
from learners.pac.distributions import FiniteDistribution, Mixture, UniformDistribution
from learners.pac.samples import Sample, count_errors
from lsclasses import Constant, FiniteDomain, IntegerRange, Table
from lsclasses.packed_sums import weighted_sums
from tests.memory import most_memory


@st.composite
def classes_and_rows(draw):
    points = draw(st.integers(1, 11))
    bits = st.lists(st.integers(0, 1), min_size=points, max_size=points)
    rows = draw(st.lists(bits, min_size=1, max_size=6))
    examples = st.tuples(st.integers(0, points - 1), st.integers(0, 1))
    return Table(rows), draw(st.lists(examples, max_size=12))


@given(classes_and_rows(), st.sampled_from([1, 3, 2**26, 10**40]))
def test_errors_are_counted_as_the_definition_says(case, weight):
    C, rows = case
    sample = Sample(C.domain, rows)
    expected = [sum(c(x) != y for x, y in rows) for c in C]
    assert count_errors(C, sample) == expected
    assert count_errors(list(C), sample) == expected
    # Constants are not written out; they are asked one by one.
    constants = [Constant(C.domain, y) for y in (0, 1)]
    assert count_errors(constants, sample) == [sum(y != label for _, y in rows) for label in (0, 1)]
    heavy = {example: weight * (i + 1) for i, example in enumerate(dict.fromkeys(rows))}
    expected = [sum(n for (x, y), n in heavy.items() if c(x) != y) for c in C]
    assert count_errors(C, heavy) == expected
    if rows:
        assert [sample.loss(c) for c in C] == [
            Fraction(wrong, len(rows)) for wrong in count_errors(C, rows_counted(rows))
        ]


def rows_counted(rows):
    return {example: rows.count(example) for example in rows}


def test_without_a_point_or_a_row_nothing_is_wrong():
    for labels in ([], [0, 1]):
        C = Table([labels])
        nothing = Sample(C.domain, [])
        assert count_errors(C, nothing) == count_errors(list(C), nothing) == [0]
        assert count_errors([Constant(C.domain, 1)], nothing) == [0]
        assert weighted_sums(C.packed, [0] * len(labels)) == [0]


def test_many_labels_are_unpacked_some_at_a_time(monkeypatch):
    monkeypatch.setattr("lsclasses.packed_sums.CHUNK", 5)
    C = Table([[i >> j & 1 for j in range(4)] for i in range(16)])
    counts = {(0, 1): 2, (1, 0): 3, (3, 1): 5, (3, 0): 7}
    expected = [sum(n for (x, y), n in counts.items() if c(x) != y) for c in C]
    assert count_errors(C, counts) == expected
    large = Table(np.random.default_rng(1).integers(2, size=(512, 1024), dtype=np.uint8))
    monkeypatch.setattr("lsclasses.packed_sums.CHUNK", 1 << 14)
    # All labels as floats would take eight bytes each.
    assert most_memory(lambda: count_errors(large, {(0, 1): 1})) < large.labels.size


@pytest.mark.parametrize("points", [1, 8, 9, 1000])
def test_sums_of_weights_are_exact_for_weights_around_the_precision_of_floats(points):
    C = Table([[1] * points, [i % 2 for i in range(points)]] if points > 1 else [[1], [0]])
    for bits in (40, 43, 49, 50, 51, 52, 53, 54, 103):
        weights = [2**bits - 1 - (i % 3) for i in range(points)]
        for signed in (weights, [-w if i % 3 else w for i, w in enumerate(weights)]):
            expected = [sum(w for w, y in zip(signed, c.labels, strict=True) if y) for c in C]
            assert weighted_sums(C.packed, signed) == expected


def test_parts_are_views_of_the_same_rows():
    domain = IntegerRange(0, 9)
    sample = Sample(domain, [(i % 9, i % 2) for i in range(20)])
    part = sample[5:15][2:]
    assert list(part) == list(sample)[7:15]
    assert part[-1] == sample[14]
    assert part.domain == domain
    assert len(sample[30:]) == 0
    assert sorted(sample.shuffled(SeededCoins(3))) == sorted(sample)


def test_rows_are_read_from_files(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("point,label\n3,1\n1,0\n")
    assert list(Sample.load(path, IntegerRange(0, 4))) == [(3, 1), (1, 0)]
    assert Sample.load(path).domain == FiniteDomain([3, 1])
    path.write_text("point,label\n")
    assert len(Sample.load(path, IntegerRange(0, 3))) == 0


# ---- rows that are drawn when they are read


@pytest.fixture(scope="module")
def mixed():
    """One point of 2^40 in half of the rows, any point in the others."""
    C = catalog.build("points:n=2^40")
    target = C.restrict(77, 1).soa()
    return Mixture([
        (Fraction(1, 2), FiniteDistribution.labelled(target, [77])),
        (Fraction(1, 2), UniformDistribution(C.domain, target)),
    ])  # fmt: skip


def test_rows_that_are_seeded_read_the_same_however_they_are_read(mixed):
    sample = mixed.sample_seeded(10**12, seed=3)
    rows = [sample[i] for i in range(600)]
    for part in (slice(600), slice(599, None, -1), slice(3, 600, 7)):
        assert list(mixed.sample_seeded(10**12, seed=3)[part][:600]) == rows[part]
    # By several who take turns, and one row at a time while others read other blocks as far.
    fresh = mixed.sample_seeded(10**12, seed=3)
    readers = [iter(fresh[start:600]) for start in (0, 10, 250, 256)]
    taken = [list(islice(each, 20)) for _ in range(10) for each in readers]
    for i, start in enumerate((0, 10, 250, 256)):
        assert [row for part in taken[i::4] for row in part] == rows[start : start + 200]
    parts = [fresh[start : start + 200] for start in (0, 200, 400)]
    assert list(zip(*parts, strict=True)) == list(
        zip(rows[:200], rows[200:400], rows[400:], strict=True)
    )
    assert sample[-1] == sample[10**12 - 1]
    assert list(fresh[10**11 + 3 : 10**11 + 9]) == [fresh[10**11 + i] for i in range(3, 9)]


def test_rows_that_are_seeded_depend_on_the_seed_and_not_on_their_number(mixed):
    first = list(mixed.sample_seeded(10**12, seed=3)[250:300])
    assert first == list(mixed.sample_seeded(10**6, seed=3)[250:300])
    assert first != list(mixed.sample_seeded(10**6, seed=4)[250:300])
    # Half of 1000 rows, within six standard deviations.
    sample = mixed.sample_seeded(10**12, seed=3)
    assert abs(sum(x == 77 for x, _ in sample[:1000]) - 500) < 6 * 250**0.5


def test_rows_on_demand_are_drawn_once_and_only_if_read():
    class Counted(SeededCoins):
        drawn = 0

        def _below(self, n):
            Counted.drawn += 1
            return super()._below(n)

    D = FiniteDistribution.labelled(Constant(FiniteDomain("abc"), 1))
    sample = D.sample_on_demand(10**9, Counted(1))
    assert Counted.drawn == 0
    seen = [sample[10**8], sample[5], sample[10**8]]
    assert seen[0] == seen[2]
    assert Counted.drawn == 2
    assert [sample[10**8 : 10**8 + 1][0], sample[5]] == seen[:2]


def test_rows_and_coins_of_one_seed_are_independent():
    D = UniformDistribution(IntegerRange(0, 2**64), Constant(IntegerRange(0, 2**64), 1))
    rows = {x for seed in range(5) for x, _ in D.sample_seeded(1000, seed)[:300]}
    coins = [SeededCoins(seed) for seed in range(5)]
    assert len(rows) == 5 * 300
    assert not rows.intersection(each.below(2**64) for each in coins for _ in range(50))
