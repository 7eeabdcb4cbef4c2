from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import catalog
from learners.coins import SeededCoins
from learners.exact import exact_distribution
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
    law = exact_distribution(D.draw)
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
    law = exact_distribution(D.draw)
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
