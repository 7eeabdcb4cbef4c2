"""The forest of SOAs: its law, invariants, parameters, games, what is audited."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import catalog
from learners.accounting import basic
from learners.bounds import OBLIVIOUS, REALIZABLE
from learners.budget import Budget
from learners.coins import SeededCoins
from learners.exact import exact_distribution
from learners.forest.algorithm import Forest, ForestSOA
from learners.forest.evidence.instances import FirstMistake, FixedCoinsForest
from learners.forest.plan import CORRECTS, ForestParameters, frequency_shown
from learners.forest.tree import Tree
from learners.multiset import Multiset
from learners.playing.base.halving import Halving
from learners.playing.entries import ONLINE_LEARNERS
from lsclasses.domain import FiniteDomain
from lsclasses.soa import SOA
from lsclasses.table import Table
from tests.learners.privacy_checks import assert_same

TINY = Fraction(1, 10**6)
SMALL = Table([[0, 0], [0, 1], [1, 1]])


def few(**changed):
    """Parameters that name things after a few examples."""
    given = {
        "leaves": 2,
        "trees": 3,
        "frequency": Fraction(1, 2),
        "histograms": 3,
        "epsilon": Fraction(60),
        "delta": Fraction(1, 2),
    }
    return ForestParameters(**{**given, **changed})


@pytest.mark.parametrize(("leaves", "trees", "rounds"), [(2, 3, 3), (4, 2, 2)])
def test_counted_trees_have_the_law_of_trees_in_a_row(leaves, trees, rounds):
    stream = [(0, 1), (1, 0), (0, 1)][:rounds]

    def in_a_row(coins):
        row = [Tree.of(SOA(SMALL), leaves)] * trees
        for x, y in stream:
            i = coins.below(trees)
            row[i] = row[i].after(x, y, coins)
        return frozenset(Counter(tree.shown for tree in row).items())

    def counted(coins):
        forest = Forest.of(SOA(SMALL), leaves, trees)
        for x, y in stream:
            forest = forest.after(x, y, coins)
        return frozenset(forest.shown.items())

    assert_same(exact_distribution(in_a_row), exact_distribution(counted))


@given(
    st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), max_size=40),
    st.sampled_from([2, 4]),
    st.integers(0, 999),
)
def test_invariants_of_a_forest(stream, leaves, seed):
    learner = ForestSOA(SOA(SMALL), few(leaves=leaves, trees=5))
    coins, names = SeededCoins(seed), 0
    state = learner.start(coins)
    pertinent = 5 * leaves
    for x, y in stream:
        before, state = state, learner.learn(state, x, y, coins)
        forest = state.inner
        assert forest.trees.total == forest.shown.total == 5
        shown = Counter()
        for tree, count in forest.trees.items():
            shown[tree.shown] += count
        assert forest.shown == Multiset(shown)
        left = sum(tree.pertinent * count for tree, count in forest.trees.items())
        assert left <= pertinent
        pertinent = left
        # One tree got the example, so one of the shown hypotheses is another one at most.
        gone = sum((+(Counter(before.inner.shown) - Counter(forest.shown))).values())
        assert gone <= 1
        names += learner.switched(before, state)
    # At most k_2 (k_1 - 1) merges; a tree that has come to its end has no vertex left.
    assert pertinent >= 0
    assert names <= learner.parameters.histograms - 1


def test_after_the_last_histogram_the_name_stays():
    learner = ForestSOA(SOA(SMALL), few(histograms=1))
    state, coins = learner.start(SeededCoins(1)), SeededCoins(2)
    first = state.hypothesis
    for _ in range(60):
        state = learner.learn(state, 0, 1, coins)
    assert state.hypothesis == first
    assert learner.inspect(state)["moved"] == 1
    assert basic(learner.privacy) == (0, 0)


def test_what_has_no_name_yet_is_the_first_hypothesis():
    # The threshold of a histogram with so small a delta is never reached by 3 trees.
    learner = ForestSOA(SOA(SMALL), few(epsilon=1, delta=TINY))
    state = learner.start(SeededCoins(1))
    assert state.inner.run.name is None
    assert state.hypothesis == SOA(SMALL).hypothesis.to_concept()


def test_it_costs_what_reads_examples():
    for count in (2, 3, 16):
        parameters = ForestParameters.within(Budget(1, TINY), 1, 1000, histograms=count)
        assert basic(parameters.privacy) == (1, TINY)
        assert basic(parameters.names.privacy) == (
            Fraction(count, count - 1),
            count * TINY / (count - 1),
        )
    assert basic(few(paper_constants=True).privacy) == (60, Fraction(1, 3))  # 2/3 of 3/2 * 60
    printed = ForestParameters.from_theorem(Budget(1, TINY), 1, 1000, printed=True)
    c = printed.histograms
    assert basic(printed.privacy)[0] == Fraction(3, 2) * Fraction(c - 1, c)


def test_the_theorem_is_met_by_its_parameters_and_vacuous():
    for mistake_bound in range(6):
        parameters = ForestParameters.from_theorem(Budget(1, TINY), mistake_bound, 1000)
        assert parameters.leaves == 2 ** (mistake_bound + 1)
        assert parameters.frequency == frequency_shown(parameters.leaves)
        assert parameters.histograms == 8 * parameters.leaves / parameters.frequency
        likely, mean, switches = parameters.bounds(mistake_bound, corrects=True)
        assert not likely.unmet and not mean.unmet
        assert likely.vacuous and mean.vacuous and switches.vacuous
        assert {REALIZABLE, OBLIVIOUS} <= set(likely.hypotheses)
        assert likely.value <= mean.value  # (k_1 - 1) k_2 merges against k_1 k_2


def test_a_bound_says_whether_the_base_learner_corrects():
    parameters = ForestParameters.within(Budget(1, TINY), 1, 1000)
    C = catalog.build("points:n=8")
    assert CORRECTS in ForestSOA(Halving(C), parameters).bounds[0].unmet
    assert CORRECTS not in ForestSOA(SOA(C), parameters).bounds[0].unmet


def test_it_is_found_by_name():
    entry = ONLINE_LEARNERS["forest-soa"]
    learner = entry.learner("points:n=9", 100, epsilon="8", trees="50", histograms="2")
    assert (learner.parameters.trees, learner.parameters.histograms) == (50, 2)
    assert basic(learner.privacy) == (8, TINY)
    theorem = entry.learner("points:n=9", 100, theorem=True, beta="1/10", leaves="8")
    assert theorem.failure == Fraction(1, 10)
    assert theorem.parameters.leaves == 8
    assert entry.learner("points:n=9", 100, theorem=True, printed=True).parameters.paper_constants
    # The least that there is can be asked for.
    for name, least in (("histograms", 1), ("leaves", 2), ("trees", 1)):
        few_of = entry.learner("points:n=9", 100, epsilon=8, **{name: least})
        assert getattr(few_of.parameters, name) == least


# ---- what is audited, and the least that can be asked for by name


BASE = FirstMistake(FiniteDomain(range(3)))


def test_each_round_tells_the_next_tree_until_none_is_left() -> None:
    parameters = ForestParameters(4, 2, Fraction(1, 2), 2, Fraction(8), Fraction(1, 9))
    learner = FixedCoinsForest(BASE, parameters, history=((0, 1),))
    coins = SeededCoins(1)
    forest = learner._begin(coins)
    fresh = learner._tree
    for number, left in enumerate((1, 0, 0, 0), start=1):
        forest = learner._receive(forest, 0, 1, coins)
        assert (forest.played, forest.trees.get(fresh, 0)) == (number, left)
        assert sum(count for _, count in forest.trees.items()) == 2
