from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

import catalog
from learners.coins import SeededCoins
from learners.exact import exact_law
from learners.pac.distributions import FiniteDistribution, Mixture, UniformDistribution
from lsclasses import (
    Constant,
    FiniteDomain,
    IntegerRange,
    NotRealizable,
    PatchedHypothesis,
    Table,
    TaggedUnion,
    TooLarge,
    Vectors,
)

HALF = Fraction(1, 2)


@st.composite
def distributions(draw):
    """Distributions of every kind on three points, and their weights by the definition."""
    domain = FiniteDomain("abc")
    examples = [(x, y) for x in domain for y in (0, 1)]

    def finite():
        counts = draw(st.lists(st.integers(0, 3), min_size=6, max_size=6).filter(any))
        total = sum(counts)
        weights = {e: Fraction(n, total) for e, n in zip(examples, counts, strict=True) if n}
        return FiniteDistribution(domain, weights), weights

    kind = draw(st.sampled_from(["finite", "uniform", "noisy", "mixture"]))
    if kind == "uniform":
        labels = draw(st.lists(st.integers(0, 1), min_size=3, max_size=3))
        target = Table([labels], domain="abc")[0]
        return UniformDistribution(domain, target), {(x, target(x)): Fraction(1, 3) for x in domain}
    base, weights = finite()
    if kind == "finite":
        return base, weights
    if kind == "noisy":
        rate = draw(st.sampled_from([Fraction(0), Fraction(1, 3), Fraction(1)]))
        flipped = {
            (x, y): weights.get((x, y), 0) * (1 - rate) + weights.get((x, 1 - y), 0) * rate
            for x, y in examples
        }
        return base.noisy(rate), {e: w for e, w in flipped.items() if w}
    other, more = finite()
    share = Fraction(2, 5)
    both = {e: share * weights.get(e, 0) + (1 - share) * more.get(e, 0) for e in examples}
    return Mixture([(share, base), (1 - share, other)]), {e: w for e, w in both.items() if w}


@given(distributions())
def test_what_is_drawn_and_what_is_lost_follow_from_the_weights(case):
    D, weights = case
    law = exact_law(D.draw)
    assert {example: law.rational(example) for example in law} == weights
    C = Table([[i >> j & 1 for j in range(3)] for i in range(8)], domain="abc")
    for h in C:
        assert D.loss(h) == sum(w for (x, y), w in weights.items() if h(x) != y)
        for g in (C[0], C[5]):
            apart = sum((w for (x, _), w in weights.items() if h(x) != g(x)), Fraction(0))
            assert D.disagreement(g, h) == apart
    least, best = D.best(C)
    assert least == D.loss(best) == min(D.loss(h) for h in C)
    assert D.best(list(C)[3:4]) == (D.loss(C[3]), C[3])


@pytest.fixture(scope="module")
def mixed():
    """One point of 2^40 in half of the rows, any point in the others."""
    C = catalog.build("points:n=2^40")
    target = C.restrict(77, 1).soa()
    return Mixture([
        (HALF, FiniteDistribution.labelled(target, [77])),
        (HALF, UniformDistribution(C.domain, target)),
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


def test_counts_and_targets_make_distributions():
    domain = IntegerRange(0, 5)
    rows = [(1, 0), (3, 1), (1, 0), (1, 1)]
    D = FiniteDistribution.of_counts(domain, Counter(rows))
    assert D.weights == {(1, 0): HALF, (3, 1): HALF / 2, (1, 1): HALF / 2}
    one = FiniteDistribution.of_counts(domain, {(2, 1): 1, (3, 0): 0})
    assert one.weights == {(2, 1): 1} and one.draw(SeededCoins(1)) == (2, 1)
    assert (D.counts, D.total) == ({(1, 0): 2, (3, 1): 1, (1, 1): 1}, 4)
    C = catalog.build("thresholds:n=5")
    assert not D.is_realizable(C)
    with pytest.raises(NotRealizable, match="positive probability"):
        D.require_realizable(C)
    target = C.restrict(2, 1).restrict(1, 0).soa()
    uniform = FiniteDistribution.labelled(target)
    assert uniform.is_realizable(C)
    uniform.require_realizable(C)
    assert uniform == FiniteDistribution.labelled(target, range(5))
    assert hash(uniform) == hash(FiniteDistribution.labelled(target, range(5)))
    assert FiniteDistribution.labelled(target, [2, 2, 3]).weights[2, 1] == Fraction(2, 3)


@pytest.mark.parametrize(
    "domain",
    [Vectors(2, 3), Vectors(3, 2), TaggedUnion(FiniteDomain("ab"), IntegerRange(0, 2))],
    ids=repr,
)
def test_uniform_points_are_uniform(domain):
    D = UniformDistribution(domain, Constant(domain, 1))
    law = exact_law(D.draw)
    assert [law.rational((x, 1)) for x in domain] == [Fraction(1, domain.size)] * domain.size


def test_losses_on_large_domains_are_exact_where_the_representation_knows_distances():
    C = catalog.build("affine:q=2,n=64,k=2,empty=1")
    zero, one = (0,) * 64, (1,) * 64
    target = C.given([(zero, 1), (one, 1)]).soa()
    D = UniformDistribution(C.domain, target)
    assert D.loss(C.soa()) == Fraction(2, 2**64)
    patched = PatchedHypothesis(target, {zero: 0, (0,) * 63 + (1,): 1})
    assert D.loss(patched) == D.disagreement(patched, target) == Fraction(2, 2**64)
    with pytest.raises(TooLarge):
        UniformDistribution(IntegerRange(0), Constant(IntegerRange(0), 0))


def test_rows_and_coins_of_one_seed_are_independent():
    D = UniformDistribution(IntegerRange(0, 2**64), Constant(IntegerRange(0, 2**64), 1))
    rows = {x for seed in range(5) for x, _ in D.sample_seeded(1000, seed)[:300]}
    coins = [SeededCoins(seed) for seed in range(5)]
    assert len(rows) == 5 * 300
    assert not rows.intersection(each.below(2**64) for each in coins for _ in range(50))
