"""The closed forms of the forest's privacy, against enumerations of the production code."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest
from flint import ctx

from learners.accounting import basic
from learners.coins import SeededCoins
from learners.exact import HALTED, PRECISION, Stepwise, exact_distribution
from learners.forest.algorithm import Forest
from learners.forest.evidence.instances import (
    BOTH_LABELS,
    FirstMistake,
    both_labels_trees,
    colliding_labels,
    fixed_rerun,
    seen_in,
)
from learners.forest.evidence.name_privacy import (
    FixedTree,
    FreshNames,
    NoisyCounts,
    TwoSearches,
    audited,
    neighbouring_streams,
    shown_lists,
)
from learners.mechanisms.evidence.stream_instances import _Names
from learners.mechanisms.hist_sparse import HistSparse
from learners.mechanisms.histograms import StableHistogram
from lsclasses.domain import FiniteDomain

HALF = Fraction(1, 2)
CUT = Fraction(1, 2**20)


def test_the_most_frequent_item_is_that_of_the_histogram():
    histogram = StableHistogram(4, Fraction(1, 10))
    counts = {"a": 3, "b": 2, None: 1}

    def top(coins):
        released = histogram.release({"a": 3, "b": 2}, coins)
        return released[0][0] if released else "old"

    found = exact_distribution(top, tail=CUT)
    with ctx.workprec(PRECISION):
        law = NoisyCounts(histogram.scale, histogram.threshold).searched(counts, "old")
    assert set(law) == set(found)
    for name, chance in law.items():
        assert abs(float(chance) - float(found[name])) < 1e-3
    assert abs(sum(map(float, law.values())) - 1) < 1e-12


def test_the_names_are_those_of_the_paper_s_rule():
    """The rule ends with its second histogram, so that the name stays."""
    epsilon, size = Fraction(16), 4
    mechanism = HistSparse(epsilon, Fraction(1, 5), HALF, 2, size, paper_constants=True)
    lists = [{"a": 4}, {"a": 2, "b": 2}, {"a": 1, "b": 3}, {"b": 4}]
    items = [tuple(Counter(each).elements()) for each in lists]
    found = Stepwise(_Names(mechanism)).laws(tail=CUT)(tuple(items))

    def outcome(answers):
        names = [name for name in answers if name is not HALTED]
        time = next((t for t, name in enumerate(names) if name != names[0]), None)
        return names[0] if time is None else (names[0], time, names[time])

    exact = found.map(outcome)
    with ctx.workprec(PRECISION):
        law = TwoSearches.of(epsilon, HALF, size, mechanism.histogram.threshold).names(lists, None)
    assert set(law) == set(exact)
    for each in law:
        assert abs(float(law[each]) - float(exact[each])) < 1e-3


def test_half_of_the_noise_is_detected():
    """The audited loss exceeds the claim if the noises are those of twice the epsilon."""
    delta, size = Fraction(1, 10**5), 80
    mechanism = HistSparse(2, delta, HALF, 2, size, paper_constants=True)
    listed = mechanism.histogram.threshold
    fewer, more = {"a": 4, "b": 76}, {"a": 3, "b": 77}
    firsts = {"a": 41, "b": 39}, {"a": 40, "b": 40}
    pair = [firsts[0], *[fewer] * 12, more], [firsts[1], *[more] * 12, fewer]
    for factor, verdict in ((1, "holds"), (2, "violated")):
        run = TwoSearches.of(Fraction(2 * factor), HALF, size, listed)
        assert run.rare == 77
        assert audited(run, pair, None, basic(mechanism.privacy)).verdict == verdict


def test_a_tree_with_fixed_choices_is_a_tree_of_the_forest():
    """Every state that the fixed leaves reach occurs in the production forest."""
    base = FirstMistake(FiniteDomain(range(2)))
    reached = {(tree.pertinent, tree.shown) for seed in range(300) for tree in _grown(base, seed)}
    tree = FixedTree(base, 8, (Fraction(0), Fraction(0), Fraction(1), Fraction(0)))
    seen = []
    for leaf in (8, 10, 12, 14):
        tree.receive(leaf, (0, 1))
        assert (len(tree.states), tree.shown) in reached
        seen.append(tree.shown(0))
    assert seen == [0, 1, 0, 1]


def _grown(base, seed):
    coins, forest = SeededCoins(seed), Forest.of(base, 8, 1)
    for _ in range(8):
        forest = forest.after(0, 1, coins)
        yield from forest.trees


def test_the_streams_turn_one_tree_around():
    base = FirstMistake(FiniteDomain(range(2)))
    one, other = neighbouring_streams(4, 3, 2)
    assert sum(a != b for a, b in zip(one, other, strict=True)) == 1
    first = base.hypothesis.canonical()
    numbers = [[each[first] for each in shown_lists(stream, 4, base)] for stream in (one, other)]
    apart = [a - b for a, b in zip(*numbers, strict=True)]
    assert apart == [0] * 8 + [-1, -1, 1]


def test_fresh_forests_lose_what_one_histogram_loses():
    """With one round there is no adaptivity, and the loss is the loss of one list."""
    learner = fixed_rerun(Fraction(1), Fraction(1, 200), 22, 12)
    histogram = NoisyCounts(Fraction(2), learner.parameters.histogram.threshold)
    game = FreshNames(learner, histogram)
    with ctx.workprec(PRECISION):
        before, after = game.laws[10], game.laws[11]
        factor = Fraction(1, 2)
        worst = max(
            sum(
                max(0.0, float(p[name]) - 2.718281828459045**0.5 * float(q[name]))
                for name in before
            )
            for p, q in ((before, after), (after, before))
        )
        assert abs(float(game.delta(10, 1, factor)) - worst) < 1e-9
        assert game.delta(10, 2, factor) > game.delta(10, 1, factor)


@pytest.mark.parametrize("leaves", [4, 8, 16])
def test_trees_of_both_labels_are_the_lucky_trees(leaves):
    _, trees = sorted(seen_in(BOTH_LABELS, leaves), key=len)
    states = {tree.root for tree in trees}
    assert len(states) == len(both_labels_trees(leaves))
    shown = {tree.shown(0) for tree in trees}
    assert shown == set().union(*map(colliding_labels, both_labels_trees(leaves)))
