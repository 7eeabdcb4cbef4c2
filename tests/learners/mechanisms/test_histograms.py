from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learners.accounting import basic
from learners.coins import SeededCoins
from learners.exact import exact_distribution
from learners.mechanisms.histograms import BoundedHistogram, StableHistogram
from lsclasses import Concept, FiniteDomain, PatchedHypothesis
from tests.learners.privacy_checks import assert_private
from tests.strategies import equal_names, lookalikes

TAIL = Fraction(1, 10**7)
SMALL = Fraction(1, 20)


def law_of(mechanism, counts):
    return exact_distribution(lambda coins: mechanism.release(counts, coins, key=str), tail=TAIL)


@pytest.mark.parametrize("kind", [StableHistogram, BoundedHistogram])
def test_an_added_item_is_hidden(kind):
    """Audits are of items that are replaced."""
    small = Fraction(1, 10**4)
    mechanism = kind(1, small, "add_remove")
    assert basic(mechanism.privacy) == (1, small)
    assert mechanism.privacy.neighbours == "add_remove"
    for x in range(4):
        p, q = (law_of(mechanism, {"x": each, "y": 0}) for each in (x, x + 1))
        assert_private(p, q, 1, small)


@pytest.mark.parametrize("neighbours", ["replace_one", "add_remove"])
@pytest.mark.parametrize("epsilon", [Fraction(1, 10), 2])
@pytest.mark.parametrize("small", [Fraction(1, 3), Fraction(1, 10**6)])
def test_the_thresholds_are_the_least_that_are_safe(neighbours, epsilon, small):
    counts = 2 if neighbours == "replace_one" else 1
    stable = StableHistogram(epsilon, small, neighbours)
    assert stable.scale * epsilon == counts
    q, tau = math.exp(-1 / stable.scale), stable.threshold
    assert q ** (tau - 1) / (1 + q) <= small
    assert tau == 1 or q ** (tau - 2) / (1 + q) > small
    bounded = BoundedHistogram(epsilon, small, neighbours)
    q, t = math.exp(-epsilon / counts), bounded.bound

    def edge(t):
        return q**t * (1 - q) / (1 + q - 2 * q ** (t + 1))

    assert edge(t) <= small / counts
    assert t == 1 or edge(t - 1) > small / counts
    assert bounded.threshold == t + 1


def test_noise_of_the_bounded_histogram_is_a_truncated_geometric():
    mechanism = BoundedHistogram(1, SMALL)
    t, count = mechanism.bound, 3 * mechanism.bound
    law = exact_distribution(lambda coins: mechanism.release("x" * count, coins))
    q = math.exp(-1 / 2)
    total = sum(q ** abs(z) for z in range(-t, t + 1))
    assert len(law) == 2 * t + 1
    for ((_, noisy),) in law:
        assert float(law[(("x", noisy),)]) == pytest.approx(q ** abs(noisy - count) / total)


@settings(max_examples=10)
@given(st.lists(lookalikes, min_size=1, max_size=3))
def test_which_of_equal_objects_was_given_does_not_show(pairs):
    seen = []
    for side in (0, 1):
        items = [pair[side] for pair in pairs * 30]
        stable, bounded = StableHistogram(2, SMALL), BoundedHistogram(2, SMALL)
        for mechanism in (stable, bounded):
            seen.append(mechanism.release(items, SeededCoins(1)))
            seen.append(mechanism.release(items, SeededCoins(1), key=repr))
            seen.append(mechanism.release(Counter(items), SeededCoins(1)))
        seen.append(stable.listed(Counter(items), SeededCoins(1)))
    assert repr(seen[:7]) == repr(seen[7:])


@settings(max_examples=10)
@given(st.data())
def test_a_domain_has_items_of_its_own(data):
    """Its own objects are released, also such as have no canonical form without it."""
    domain = FiniteDomain([1.0, ("a", True), frozenset({1, 2})])
    items = [data.draw(equal_names(x)) for x in domain.points[:2]] + [frozenset({2.0, True})]
    mechanism = StableHistogram(2, SMALL)
    released = mechanism.release(items * 30, SeededCoins(1), key=domain.index, domain=domain)
    assert sorted(repr(item) for item, _ in released) == sorted(map(repr, domain))


def test_hypotheses_that_agree_are_one_item():
    domain = FiniteDomain("ab")
    named = [Concept.from_labels(domain, (0, 1), name=name) for name in (None, "x", 1, True)]
    patched = PatchedHypothesis(Concept.from_labels(domain, (0, 0)), {"b": 1})
    for first in (*named, patched):
        ((found, _),) = StableHistogram(2, SMALL).release(
            [first, *named, patched] * 20, SeededCoins(1)
        )
        assert repr(found) == "Concept('01')"


@pytest.mark.parametrize("key", [None, len])
def test_the_order_of_equal_counts_is_left_to_chance_where_no_key_tells_items_apart(key):
    mechanism = StableHistogram(8, Fraction(1, 3))
    laws = [
        exact_distribution(
            lambda coins, items=items: tuple(
                item for item, _ in mechanism.release(items, coins, key=key)
            ),
            tail=Fraction(1, 10**6),
        )
        for items in ("xxyy", "yyxx")
    ]
    for names in (("x", "y"), ("y", "x")):
        assert float(laws[0][names]) > 0.4
        assert abs(float(laws[0][names]) - float(laws[1][names])) < 1e-5


@given(st.dictionaries(st.sampled_from("abcdef"), st.integers(0, 80)), st.integers(0, 99))
def test_releases_are_ordered_by_count_and_key(counts, seed):
    for mechanism in (StableHistogram(1, SMALL), BoundedHistogram(1, SMALL)):
        released = mechanism.release(counts, SeededCoins(seed), key=str)
        assert list(released) == sorted(released, key=lambda pair: (-pair[1], pair[0]))
        assert all(count >= mechanism.threshold for _, count in released)
        assert all(counts[item] > 0 for item, _ in released)


def test_items_are_listed_as_often_as_they_are_released() -> None:
    mechanism = StableHistogram(2, Fraction(1, 10), least=2)
    counts = {"a": 1, "b": 2, "c": 0}
    listed = exact_distribution(lambda coins: frozenset(mechanism.listed(counts, coins)))
    released = exact_distribution(
        lambda coins: frozenset(item for item, _ in mechanism.release(counts, coins, key=ord)),
        tail=Fraction(1, 2**30),
    )
    assert set(listed) == set(released)
    for names in listed:
        assert abs(float(listed[names]) - float(released[names])) < 1e-7


@pytest.mark.parametrize(("epsilon", "eta"), [(1, Fraction(1, 10)), (3, Fraction(1, 100))])
def test_as_many_items_as_estimates_need(epsilon: int, eta: Fraction) -> None:
    """[BLM20, Lemma 15]: the least number for which the threshold and the noise leave room."""
    mechanism = StableHistogram(epsilon, Fraction(1, 10**6))
    failure = Fraction(1, 20)

    def enough(k: int) -> bool:
        return eta * k >= mechanism.threshold + mechanism.accuracy(k, failure)

    size = mechanism.for_estimates(eta, failure)
    assert enough(size)
    assert not any(map(enough, range(1, size)))


def test_no_more_items_than_estimates_need_where_there_is_no_noise() -> None:
    mechanism = StableHistogram(100, Fraction(1, 10**6))
    assert (mechanism.threshold, mechanism.accuracy(10**6, SMALL)) == (2, 0)
    assert mechanism.for_estimates(Fraction(1, 7), SMALL) == 14
    assert mechanism.for_estimates(Fraction(2, 7), SMALL) == 7
