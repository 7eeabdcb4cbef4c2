from __future__ import annotations

import itertools
import math
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learners.accounting import basic
from learners.audit import HOLDS, audit
from learners.coins import SeededCoins
from learners.exact import exact_law
from learners.mechanisms.histograms import AUDITS, BoundedHistogram, StableHistogram
from lsclasses import Concept, FiniteDomain, PatchedHypothesis
from lsclasses.errors import InvalidInput
from tests.learners.privacy_checks import assert_private, delta, smallest_instances
from tests.strategies import equal_names, lookalikes

TAIL = Fraction(1, 10**7)
SMALL = Fraction(1, 20)


def law_of(mechanism, counts):
    return exact_law(lambda coins: mechanism.release_counts(counts, coins, key=str), tail=TAIL)


@pytest.mark.parametrize("kind", [StableHistogram, BoundedHistogram])
@pytest.mark.parametrize("epsilon", [1, 2])
def test_replaced_items_are_hidden(kind, epsilon):
    mechanism = kind(epsilon, SMALL)
    assert basic(mechanism.privacy) == (epsilon, SMALL)
    for x, y in [(1, 0), (1, 1), (2, 0), (2, 1), (3, 2)]:
        p = law_of(mechanism, {"x": x, "y": y})
        q = law_of(mechanism, {"x": x - 1, "y": y + 1})
        assert_private(p, q, epsilon, SMALL)


@pytest.mark.parametrize("kind", [StableHistogram, BoundedHistogram])
@pytest.mark.parametrize("epsilon", [Fraction(1, 2), 1])
def test_added_items_are_hidden(kind, epsilon):
    small = Fraction(1, 10**4)
    mechanism = kind(epsilon, small, neighbours="add_remove")
    for x in range(4):
        assert_private(law_of(mechanism, {"x": x}), law_of(mechanism, {"x": x + 1}), epsilon, small)
    assert mechanism.privacy.neighbours == "add_remove"


@pytest.mark.parametrize("neighbours", ["replace_one", "add_remove"])
@pytest.mark.parametrize("epsilon", [Fraction(1, 10), 1, 2])
@pytest.mark.parametrize("small", [Fraction(1, 3), Fraction(1, 10**3), Fraction(1, 10**6)])
def test_the_thresholds_are_the_least_that_are_safe(neighbours, epsilon, small):
    stable = StableHistogram(epsilon, small, neighbours)
    q = math.exp(-1 / stable.scale)
    tau = stable.threshold
    assert q ** (tau - 1) / (1 + q) <= small
    assert tau == 1 or q ** (tau - 2) / (1 + q) > small
    bounded = BoundedHistogram(epsilon, small, neighbours)
    counts = 2 if neighbours == "replace_one" else 1
    q, t = math.exp(-epsilon / counts), bounded.bound

    def edge(t):
        return q**t * (1 - q) / (1 + q - 2 * q ** (t + 1))

    assert edge(t) <= small / counts
    assert t == 1 or edge(t - 1) > small / counts
    if epsilon <= 2 * math.log(32 / small):
        assert bounded.error <= 8 * math.log(8 / small) / epsilon
    assert bounded.threshold == t + 1


def test_a_threshold_lowered_by_one_is_noticed():
    class Lowered(StableHistogram):
        @property
        def threshold(self):
            return StableHistogram.threshold.func(self) - 1

    small = Fraction(1, 1000)
    p, q = (law_of(Lowered(1, small), {"x": x}) for x in (1, 0))
    assert delta(p, q, 1) > float(small)


def test_noise_of_the_bounded_histogram_is_a_truncated_geometric():
    mechanism = BoundedHistogram(1, SMALL)
    t, count = mechanism.bound, 3 * mechanism.bound
    law = exact_law(lambda coins: mechanism.release("x" * count, coins))
    q = math.exp(-1 / 2)
    total = sum(q ** abs(z) for z in range(-t, t + 1))
    assert len(law) == 2 * t + 1
    for ((_, noisy),) in law:
        assert float(law[(("x", noisy),)]) == pytest.approx(q ** abs(noisy - count) / total)


@settings(max_examples=50)
@given(st.lists(st.sampled_from("abcdefgh"), max_size=400), st.integers(0, 99))
def test_bounded_errors_are_sure(items, seed):
    mechanism = BoundedHistogram(2, Fraction(1, 100))
    released = dict(mechanism.release(items, SeededCoins(seed)))
    counts = Counter(items)
    assert set(released) <= set(counts)
    for item in counts:
        assert abs(released.get(item, 0) - counts[item]) <= mechanism.error
        if item in released:
            assert abs(released[item] - counts[item]) <= mechanism.bound


@pytest.mark.parametrize("kind", [StableHistogram, BoundedHistogram])
def test_the_order_of_the_data_does_not_show(kind):
    mechanism = kind(3, Fraction(1, 3))
    laws = [
        exact_law(
            lambda coins, items=items: mechanism.release(items, coins), tail=Fraction(1, 10**4)
        )
        for items in (("x", "x", "x", "y", "y"), ("y", "x", "y", "x", "x"))
    ]
    for released in set(laws[0]) | set(laws[1]):
        p, q = (law.probability(lambda found, of=released: found == of) for law in laws)
        assert p.overlaps(q)
    assert laws[0].tail < 0.01
    tied = [released for released in laws[0] if len({count for _, count in released}) == 1]
    assert {tuple(item for item, _ in released) for released in tied if len(released) == 2} == {
        ("x", "y"),
        ("y", "x"),
    }


@pytest.mark.parametrize("kind", [StableHistogram, BoundedHistogram])
def test_a_row_replaced_by_an_equal_object_changes_nothing(kind):
    mechanism = kind(1, Fraction(1, 10**6))
    pairs = [((1,) * 60, (True,) + (1,) * 59), ((0.0,) * 60, (-0.0,) + (0.0,) * 59)]
    assert repr(mechanism.release(pairs[0][1], SeededCoins(1))).startswith("((1, ")
    found = audit(mechanism.release, pairs, (0, Fraction(1, 10**6)), tail=Fraction(1, 10**9))
    assert found.verdict == HOLDS


@settings(max_examples=60)
@given(st.lists(lookalikes, max_size=4), st.integers(1, 60), st.integers(0, 99))
def test_which_of_equal_objects_was_given_does_not_show(pairs, copies, seed):
    items, others = ([pair[side] for pair in pairs * copies] for side in (0, 1))
    for mechanism in (StableHistogram(2, SMALL), BoundedHistogram(2, SMALL)):
        seen = [
            (
                mechanism.release(data, SeededCoins(seed)),
                mechanism.release(data, SeededCoins(seed), key=repr),
                mechanism.release_counts(Counter(data), SeededCoins(seed)),
            )
            for data in (items, others)
        ]
        assert repr(seen[0]) == repr(seen[1])
    listed = [StableHistogram(2, SMALL).listed(Counter(data), SeededCoins(seed))
              for data in (items, others)]  # fmt: skip
    assert repr(listed[0]) == repr(listed[1])


@settings(max_examples=20)
@given(st.data())
def test_a_domain_has_items_of_its_own(data):
    """Its own objects are released, also such as have no canonical form without it."""
    domain = FiniteDomain([1.0, ("a", True), frozenset({1, 2})])
    items = [data.draw(equal_names(x)) for x in domain.points[:2] for _ in range(30)]
    items += [frozenset({2.0, True})] * 30
    mechanism = StableHistogram(2, SMALL)
    released = mechanism.release(items, SeededCoins(1), key=domain.index, domain=domain)
    assert sorted(repr(item) for item, _ in released) == sorted(map(repr, domain))
    with pytest.raises(InvalidInput, match="'b' is not a point of the domain"):
        mechanism.release(["b"], SeededCoins(1), domain=domain)


def test_items_whose_equality_is_their_own_are_refused_each_by_itself():
    mechanism = StableHistogram(2, SMALL)
    for wrong in (float("nan"), frozenset({1}), 1j, object()):
        for items in ([wrong], ["a"] * 30 + [wrong]):
            with pytest.raises(InvalidInput, match=r"[Pp]oints? (and|or)|a point or an item"):
                mechanism.release(items, SeededCoins(1))


def test_hypotheses_that_agree_are_one_item():
    domain = FiniteDomain("ab")
    named = [Concept.from_labels(domain, (0, 1), name=name) for name in (None, "x", 1, True)]
    patched = PatchedHypothesis(Concept.from_labels(domain, (0, 0)), {"b": 1})
    for first in (*named, patched):
        ((found, _),) = StableHistogram(2, SMALL).release(
            [first, *named, patched] * 20, SeededCoins(1)
        )
        assert repr(found) == "Concept('01')"


@pytest.mark.parametrize("key", [len, lambda item: 0])
def test_a_key_that_does_not_tell_items_apart_leaves_their_order_to_chance(key):
    mechanism = StableHistogram(8, Fraction(1, 3))
    seen = {
        tuple(item for item, _ in mechanism.release(items, SeededCoins(seed), key=key))
        for items in ("xxxyyy", "yyyxxx")
        for seed in range(20)
    }
    assert {("x", "y"), ("y", "x")} <= seen
    laws = [
        exact_law(
            lambda coins, items=items: tuple(
                item for item, _ in mechanism.release(items, coins, key=key)
            ),
            tail=Fraction(1, 10**6),
        )
        for items in ("xxyy", "yyxx")
    ]
    for names in (("x", "y"), ("y", "x")):
        assert abs(float(laws[0][names]) - float(laws[1][names])) < 1e-5


@settings(max_examples=40)
@given(st.dictionaries(st.sampled_from("abcdef"), st.integers(0, 80)), st.integers(0, 99))
def test_releases_are_ordered_by_count_and_key(counts, seed):
    for mechanism in (StableHistogram(1, SMALL), BoundedHistogram(1, SMALL)):
        released = mechanism.release_counts(counts, SeededCoins(seed), key=str)
        assert list(released) == sorted(released, key=lambda pair: (-pair[1], pair[0]))
        assert all(count >= mechanism.threshold for _, count in released)
        assert all(counts[item] > 0 for item, _ in released)


def test_frequencies_are_told_apart():
    failure, eta = Fraction(1, 10), Fraction(1, 2)
    epsilon, small = 2, Fraction(1, 10)
    size = StableHistogram.size_needed(epsilon, small, frequency=eta, failure=failure)
    mechanism = StableHistogram.for_frequencies(epsilon, small, frequency=eta, size=size)
    assert mechanism.threshold == math.ceil(5 * size / 16)
    noise = mechanism.accuracy(size, failure)
    assert mechanism.threshold - noise > eta * size / 4
    assert math.floor(eta * size) + 1 - noise >= mechanism.threshold
    often, rarely = math.floor(size / 2) + 1, math.floor(size / 8)
    released = exact_law(
        lambda coins: tuple(
            item for item, _ in mechanism.release_counts({"x": often, "y": rarely}, coins, key=str)
        ),
        tail=TAIL,
    )
    assert released.probability(lambda items: items != ("x",)) <= 0.1


def test_accuracy_covers_all_items_at_once():
    mechanism = StableHistogram(2, SMALL)
    bound = mechanism.accuracy(2, Fraction(1, 5))
    law = law_of(mechanism, {"x": 30, "y": 30})
    assert law.probability(lambda released: any(abs(n - 30) > bound for _, n in released)) <= 0.2


def test_a_seed_gives_one_histogram():
    items = "a" * 60 + "b" * 45 + "c" * 30 + "d" * 3
    assert StableHistogram(1, Fraction(1, 1000)).release(items, SeededCoins(3)) == STORED[0]
    assert BoundedHistogram(1, Fraction(1, 1000)).release(items, SeededCoins(3)) == STORED[1]


STORED = [(("a", 60), ("b", 49), ("c", 24)), (("a", 60), ("b", 39), ("c", 31))]


@pytest.mark.parametrize("kind", [StableHistogram, BoundedHistogram])
def test_bad_input_is_refused(kind):
    for wrong in (0, 1, -1, Fraction(3, 2), 1e-6):
        with pytest.raises(InvalidInput, match="delta"):
            kind(1, wrong)
    with pytest.raises(InvalidInput, match="epsilon"):
        kind(0, SMALL)
    with pytest.raises(InvalidInput, match="at least 0"):
        kind(1, SMALL).release_counts({"x": -1}, SeededCoins(0))
    with pytest.raises(InvalidInput, match="must be an integer"):
        kind(1, SMALL).release_counts({"x": 1.5}, SeededCoins(0))
    with pytest.raises(InvalidInput, match="related by"):
        kind(1, SMALL, "substitute")
    assert kind(1, SMALL).release((), SeededCoins(0)) == ()


def test_all_small_data_sets_are_hidden_from_each_other():
    mechanism = StableHistogram(2, SMALL)
    laws = {
        items: exact_law(
            lambda coins, items=items: mechanism.release(items, coins, key=str),
            tail=Fraction(1, 10**6),
        )
        for items in itertools.product("xy", repeat=3)
    }
    for items, p in laws.items():
        for at, item in itertools.product(range(3), "xy"):
            assert_private(p, laws[(*items[:at], item, *items[at + 1 :])], 2, SMALL)


def test_items_are_listed_as_often_as_they_are_released() -> None:
    mechanism = StableHistogram(2, Fraction(1, 10), least=2)
    counts = {"a": 1, "b": 2, "c": 0, "d": 5}
    listed = exact_law(lambda coins: frozenset(mechanism.listed(counts, coins)))
    released = exact_law(
        lambda coins: frozenset(
            item for item, _ in mechanism.release_counts(counts, coins, key=ord)
        ),
        tail=Fraction(1, 2**30),
    )
    assert set(listed) == set(released)
    for names in listed:
        assert abs(float(listed[names]) - float(released[names])) < 1e-7


def test_as_many_items_as_estimates_need() -> None:
    """[BLM20, Lemma 15]: the least number for which the threshold and the noise leave room."""
    for epsilon, eta in ((1, Fraction(1, 10)), (3, Fraction(1, 100))):
        mechanism = StableHistogram(epsilon, Fraction(1, 10**6))
        size = mechanism.for_estimates(eta, Fraction(1, 20))

        def enough(k: int, mechanism: StableHistogram = mechanism, eta: Fraction = eta) -> bool:
            return eta * k >= mechanism.threshold + mechanism.accuracy(k, Fraction(1, 20))

        assert enough(size)
        assert not any(map(enough, range(1, size)))
        frequent = -(-size * eta // 1)
        counts = {"often": frequent, **{f"rare {i}": 1 for i in range(10)}}
        failures = 0
        for seed in range(200):
            found = dict(mechanism.release_counts(counts, SeededCoins(seed)))
            right = all(abs(found[item] - counts[item]) <= eta * size for item in found)
            failures += not (right and "often" in found)
        # At most one in twenty; more than 34 of 200 have a probability below 10^-6.
        assert failures <= 34


def test_no_more_items_than_estimates_need_where_there_is_no_noise() -> None:
    mechanism = StableHistogram(100, Fraction(1, 10**6))
    assert (mechanism.threshold, mechanism.accuracy(10**6, SMALL)) == (2, 0)
    assert mechanism.for_estimates(Fraction(1, 7), SMALL) == 14
    assert mechanism.for_estimates(Fraction(2, 7), SMALL) == 7


def test_an_added_item_needs_half_the_noise_of_a_replaced_one() -> None:
    for epsilon in (Fraction(1, 3), 1, 5):
        added, replaced = (
            StableHistogram(epsilon, SMALL, relation) for relation in ("add_remove", "replace_one")
        )
        assert added.scale * epsilon == 1
        assert replaced.scale * epsilon == 2


def test_one_person_and_two_items_are_the_fewest_to_audit() -> None:
    for built in smallest_instances(AUDITS, items=2, people=1).values():
        assert built.pairs == ((("a",), ("b",)),)
