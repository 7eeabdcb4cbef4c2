"""Constructed experts in groups, against experts that are enumerated one by one."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from learners.coins import SeededCoins
from learners.exact import exact_distribution
from learners.experts import constructed as constructed_experts
from learners.experts.constructed import (
    ConstructedExperts,
    SanitizedExample,
    TruePoints,
    continuations,
    number_of_experts,
)
from learners.experts.dartboard import ShrinkingDartboard
from learners.experts.evidence.constructed_claims import enumerated, indices
from learners.majorities.algorithm import sparse_majority
from learners.sanitizers.interval_sanitizer import SyntheticPoints
from lsclasses import Table
from lsclasses.errors import TooLarge
from lsclasses.soa import SOA, ConservativeSOA


class Listed(SyntheticPoints):
    """Synthetic points that were drawn for each interval by itself, not only for dyadic ones."""

    def __init__(self, points, time):
        self.points, self._time = points, time

    @property
    def time(self):
        return self._time

    def between(self, first, last):
        return self.points[first, last]


def drawn(rng, domain, rounds):
    letters = [*domain, None]
    return {
        (first, last): tuple(letters[i] for i in rng.integers(0, len(letters), last - first + 1))
        for last in range(1, rounds + 1)
        for first in range(1, last + 1)
    }


def enumerate_all(base, points, rounds, switches):
    """The rules of every expert, in the round after the last, too."""

    def between(first, last):
        return points[first, last] if last <= rounds else ()

    return [enumerated(base, chosen, rounds + 1, between) for chosen in indices(rounds, switches)]


def tallied(experts, points, stream):
    tally = experts.begin()
    for t, (x, y) in enumerate(stream, start=1):
        tally = tally.after(experts.require(SanitizedExample(x, y, Listed(points, t))))
    return tally


CLASSES = [
    Table([[0, 0], [1, 0], [0, 1]]),
    Table([[0, 1], [1, 0]]),
    Table([[0, 0, 0], [1, 0, 0], [1, 1, 0], [1, 1, 1]]),
    Table([[0, 0, 1], [1, 0, 0], [1, 1, 0], [0, 1, 1], [0, 1, 0]]),
]


@pytest.mark.parametrize("rounds", [1, 2, 5])
@pytest.mark.parametrize("switches", range(4))
def test_the_number_of_experts_is_that_of_index_chains(rounds, switches):
    chains = list(indices(rounds, switches))
    assert len(set(chains)) == len(chains) == number_of_experts(rounds, switches)
    # At any time, those that begin alike are as many as the continuations of what they have in
    # common: the number of switches by then, and the last of them.
    for time in range(rounds + 1):
        begun = Counter(tuple(pair for pair in chain if pair[1] <= time) for chain in chains)
        for prefix, count in begun.items():
            last = prefix[-1][1] if prefix else 0
            left = switches - len(prefix)
            assert count == continuations(left, time - last, rounds - time)


def test_a_tally_that_is_cleared_holds_the_same_experts():
    experts = ConstructedExperts(SOA(CLASSES[0]), 3, 2)
    tally = tallied(experts, drawn(np.random.default_rng(1), [0, 1], 3), [(0, 1), (1, 0)])
    expected = Counter()
    for (key, _), number in tally.groups.items():
        expected[key, 0] += number
    assert tally.cleared().groups == expected
    assert tally.cleared().time == tally.time


def test_equal_losses_make_equal_tallies():
    points = drawn(np.random.default_rng(1), [0, 1], 3)
    streams = list(product(product((0, 1), (0, 1)), repeat=3))
    tallies = {}
    for stream in streams:
        tally, again = (
            tallied(ConstructedExperts(ConservativeSOA(CLASSES[0]), 3, 2), points, stream)
            for _ in range(2)
        )
        assert tally == again and hash(tally) == hash(again)
        tallies.setdefault(frozenset(tally.groups.items()), set()).add(tally)
    assert all(len(equal) == 1 for equal in tallies.values())
    assert 1 < len(tallies) < len(streams)


@pytest.mark.parametrize("time", [0, 2, 4])
@pytest.mark.parametrize("base", [ConservativeSOA(CLASSES[2]), sparse_majority(CLASSES[3])])
def test_draws_have_the_law_of_exponential_weights_over_all_experts(base, time):
    rounds, rate = 4, Fraction(2, 3)
    points = drawn(np.random.default_rng(2), list(base.domain), rounds)
    stream = [(0, 1), (2, 0), (1, 1), (0, 0)][:time]
    experts = ConstructedExperts(base, rounds, 2)
    tally = tallied(experts, points, stream)
    law = exact_distribution(lambda coins: tally.draw(rate, coins).hypothesis)
    runs = enumerate_all(base, points, rounds, 2)
    # The same experts one by one: a source that is tested elsewhere.
    losses = [sum(h(x) != y for h, (x, y) in zip(rules, stream, strict=False)) for rules in runs]
    slow = exact_distribution(lambda coins: runs[coins.pick(losses, -rate)][time])
    assert tally.least == min(losses)
    assert (tally.best.hypothesis, tally.least) in {
        (rules[time], lost) for rules, lost in zip(runs, losses, strict=True)
    }
    assert set(law) == set(slow)
    assert all(law[h].overlaps(slow[h]) for h in law)


def test_beyond_64_bits_draws_have_the_same_law():
    base, rounds = ConservativeSOA(CLASSES[0]), 6
    points = drawn(np.random.default_rng(3), [0, 1], rounds)
    tally = tallied(ConstructedExperts(base, rounds, 2), points, [(0, 1), (1, 0), (0, 1)])
    expected = exact_distribution(lambda coins: tally.draw(Fraction(1, 2), coins))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(constructed_experts, "LARGEST", 1)
        again = tallied(ConstructedExperts(base, rounds, 2), points, [(0, 1), (1, 0), (0, 1)])
        found = exact_distribution(lambda coins: again.draw(Fraction(1, 2), coins))
    assert set(found) == set(expected)
    assert all(found[key].overlaps(expected[key]) for key in found)
    many = ConstructedExperts(ConservativeSOA(CLASSES[2]), 10**6, 4)
    assert many.size > 2**62
    assert many.begin().draw(Fraction(1), SeededCoins(1)).state == many.base


@pytest.mark.parametrize("switches", [1, 3])
def test_an_expert_that_is_followed_is_a_uniform_one(switches):
    base, rounds = ConservativeSOA(CLASSES[3]), 4
    points = drawn(np.random.default_rng(4), list(base.domain), rounds)
    experts = ConstructedExperts(base, rounds, switches)

    def followed(coins):
        expert = experts.begin().draw(Fraction(1), coins)
        rules = [expert.hypothesis]
        for t in range(1, rounds):
            item = SanitizedExample(0, 1, Listed(points, t))
            expert = experts.followed(expert, item, coins)
            rules.append(expert.hypothesis)
        return tuple(rules)

    law = exact_distribution(followed)
    runs = Counter(
        tuple(enumerated(base, chosen, rounds, Listed(points, rounds).between))
        for chosen in indices(rounds, switches)
    )
    total = sum(runs.values())
    assert {rules: law.rational(rules) for rules in law} == {
        rules: Fraction(number, total) for rules, number in runs.items()
    }


def test_an_expert_that_is_kept_by_the_dartboard_goes_on_switching():
    # Two rounds, one batch: nothing is drawn anew, and the expert drawn first switches or not.
    base = ConservativeSOA(CLASSES[0])
    experts = ConstructedExperts(base, 3)
    learner = ShrinkingDartboard(
        experts, rounds=3, rate=Fraction(1), batch=3, fake=Fraction(1, 2), switches=1
    )

    def rules(coins):
        state, shown, seen = learner.start(coins), [], ()
        for x in (1, 1):
            shown.append(state.hypothesis.hypothesis)
            seen += (x,)
            state = learner.receive(state, SanitizedExample(x, 1, TruePoints(seen)), coins)
        return (*shown, state.hypothesis.hypothesis)

    law = exact_distribution(rules)
    start, point = base.hypothesis, base.observe(1, 1).hypothesis
    # Of 7 experts, one switches after round 1 and two after round 2.
    assert law.rational((start, point, point)) == Fraction(1, 7)
    assert law.rational((start, start, point)) == Fraction(2, 7)
    assert law.rational((start, start, start)) == Fraction(4, 7)


@pytest.mark.parametrize("base", [ConservativeSOA(CLASSES[2]), SOA(CLASSES[3])])
def test_as_many_groups_as_labels_could_make_are_counted(base, monkeypatch):
    """One for a key of at most one switch, else one for each number of mistakes by then.

    So many are refused whatever the labels are, which are secret.
    """
    experts, rounds = ConstructedExperts(base, 6, 3), 6
    points = drawn(np.random.default_rng(6), list(base.domain), rounds)
    stream = [(0, 1), (2, 0), (1, 1), (0, 0), (1, 0), (2, 1)]
    for t, (x, y) in enumerate(stream, start=1):
        before = tallied(experts, points, stream[: t - 1])
        item = SanitizedExample(x, y, Listed(points, t))
        made = Counter(key for key, _ in before.after(item).groups)
        few = {key for key in made if key.switches in (0, 1)}
        assert all(made[key] == 1 for key in few)
        assert max(made.values()) <= t + 1
        many = len(few) + (t + 1) * (len(made) - len(few))
        monkeypatch.setattr(constructed_experts, "GROUPS_LIMIT", many)
        before.after(item)
        monkeypatch.setattr(constructed_experts, "GROUPS_LIMIT", many - 1)
        with pytest.raises(
            TooLarge, match="experts with at most 3 switches in 6 rounds"
        ) as refused:
            before.after(item)
        assert (refused.value.estimate, refused.value.limit) == (many, many - 1)
        monkeypatch.undo()
    assert {None, 0, 1, 2} <= {key.switches for key in made}
