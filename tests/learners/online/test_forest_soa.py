from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import catalog
from learners.accounting import basic
from learners.audit import PrivacyLoss
from learners.auditable import instance
from learners.bounds import DOES_NOT_APPLY, OBLIVIOUS, REALIZABLE, VACUOUS
from learners.checks import check_learner
from learners.coins import SeededCoins
from learners.exact import exact_law
from learners.multiset import Multiset
from learners.numbers import real
from learners.online.adversaries import Optimal, RandomConcept, Repeating
from learners.online.forest_parameters import (
    CORRECTS,
    DEEP,
    ENOUGH_NAMES,
    MANY,
    RARE,
    ForestParameters,
    frequency_shown,
)
from learners.online.forest_soa import Forest, ForestSOA
from learners.online.forest_tree import Tree
from learners.online.halving import Halving
from learners.online.learner import PublishedState
from learners.online.play import play
from learners.online.runnable import RUNNABLE
from learners.online.transcript import verdicts
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.soa import SOA, ConservativeSOA
from lsclasses.table import Table

TINY = Fraction(1, 10**6)
EIGHTH = Fraction(1, 8)
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


@pytest.mark.parametrize("base", [SOA(SMALL), ConservativeSOA(SMALL), Halving(SMALL)])
def test_it_is_what_every_learner_must_be(base):
    check_learner(ForestSOA(base, few()), SMALL)


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

    expected, found = exact_law(in_a_row), exact_law(counted)
    assert set(expected) == set(found)
    for outcome in expected:
        assert found.rational(outcome) == expected.rational(outcome)


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
        forest = state.kept
        assert forest.trees.total == forest.shown.total == 5
        shown = Counter()
        for tree, count in forest.trees.items():
            shown[tree.shown] += count
        assert forest.shown == Multiset(shown)
        left = sum(tree.pertinent * count for tree, count in forest.trees.items())
        assert left <= pertinent
        pertinent = left
        # One tree got the example, so one of the shown hypotheses is another one at most.
        gone = sum((+(Counter(before.kept.shown) - Counter(forest.shown))).values())
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
    assert state.kept.run.name is None
    assert state.hypothesis == SOA(SMALL).hypothesis.to_concept()


def test_it_costs_what_reads_examples():
    for count in (2, 3, 16):
        parameters = ForestParameters.practical(1, 1000, 1, TINY, histograms=count)
        assert basic(parameters.privacy) == (1, TINY)
        assert basic(parameters.names.privacy) == (
            Fraction(count, count - 1),
            count * TINY / (count - 1),
        )
    assert basic(few(paper_constants=True).privacy) == (60, Fraction(1, 3))  # 2/3 of 3/2 * 60
    printed = ForestParameters.from_theorem(1, 1000, 1, TINY, printed=True)
    c = printed.histograms
    assert basic(printed.privacy)[0] == Fraction(3, 2) * Fraction(c - 1, c)


def test_practical_parameters_are_those_of_the_names():
    found = [
        ForestParameters.practical(
            1, 10**5, epsilon, TINY, frequency=frequency, histograms=names
        ).trees
        for epsilon in (1, 8)
        for frequency, names in ((Fraction(1, 2), 4), (Fraction(1, 4), 16))
    ]
    assert found == [27264, 283136, 3456, 35328]
    assert ForestParameters.practical(2, 10, 1, TINY).leaves == 8
    assert ForestParameters.practical(9, 10, 1, TINY, leaves=4).leaves == 4


def test_the_theorem_is_met_by_its_parameters_and_vacuous():
    for mistake_bound in range(6):
        parameters = ForestParameters.from_theorem(mistake_bound, 1000, 1, TINY)
        assert parameters.leaves == 2 ** (mistake_bound + 1)
        assert parameters.frequency == frequency_shown(parameters.leaves)
        assert parameters.histograms == 8 * parameters.leaves / parameters.frequency
        likely, mean, switches = parameters.bounds(mistake_bound, corrects=True)
        assert not likely.unmet and not mean.unmet
        assert likely.vacuous and mean.vacuous and switches.vacuous
        assert {REALIZABLE, OBLIVIOUS} <= set(likely.hypotheses)
        assert likely.value <= mean.value  # (k_1 - 1) k_2 merges against k_1 k_2
        fewer = ForestParameters(
            **{
                name: getattr(parameters, name)
                for name in ("leaves", "frequency", "histograms", "epsilon", "delta", "rounds")
            },
            trees=parameters.trees - 1,
        )
        assert fewer.bounds(mistake_bound, corrects=True)[0].unmet == (MANY,)


def test_a_bound_says_what_is_not_met():
    parameters = ForestParameters.practical(1, 1000, 1, TINY)
    bound = parameters.bounds(1, corrects=True)[0]
    assert bound.unmet == (RARE, ENOUGH_NAMES, MANY)
    assert set(parameters.bounds(2, corrects=False)[0].unmet) >= {DEEP, CORRECTS}
    assert [each.quantity for each in parameters.bounds(None, corrects=True)] == ["switches"]
    C = catalog.build("points:n=8")
    assert CORRECTS in ForestSOA(Halving(C), parameters).bounds[0].unmet
    assert CORRECTS not in ForestSOA(SOA(C), parameters).bounds[0].unmet


def test_games_hold_the_bounds_against_what_happened():
    C = catalog.build("points:n=2^64")
    parameters = ForestParameters.from_theorem(1, 300, 1, TINY)
    learner = ForestSOA(SOA(C), parameters)
    verdict = {}
    for adversary in (RandomConcept(C), Repeating(C)):
        game = play(learner, adversary, 300, SeededCoins(1))
        verdict[adversary.sees] = verdicts([game])[0][1]
    assert verdict == {"nothing": VACUOUS, "this prediction": DOES_NOT_APPLY}


def test_it_learns_and_changes_no_more():
    C = catalog.build("points:n=2^64")
    parameters = ForestParameters.practical(
        1, 6000, 20, TINY, frequency=Fraction(1, 2), histograms=2
    )
    learner = ForestSOA(ConservativeSOA(C), parameters)
    game = play(learner, Repeating(C), 6000, SeededCoins(3))
    assert game.switches == 1
    assert game.curve("mistakes")[4500] == game.mistakes < 4500
    assert not game.violations


def test_more_rounds_than_it_was_made_for_are_refused():
    learner = ForestSOA(SOA(SMALL), few(rounds=2))
    with pytest.raises(InvalidInput, match="at most 2 rounds"):
        play(learner, Optimal(SMALL), 3, SeededCoins(0))
    coins = SeededCoins(0)
    state = learner.start(coins)
    for _ in range(2):
        state = learner.learn(state, 0, 1, coins)
    with pytest.raises(InvalidInput, match="made for 2 rounds"):
        learner.learn(state, 0, 1, coins)


def test_states_of_other_forests_are_refused():
    learner, cheap = ForestSOA(SOA(SMALL), few()), ForestSOA(SOA(SMALL), few(epsilon=1))
    state = cheap.start(SeededCoins(0))
    assert type(state) is PublishedState
    with pytest.raises(InvalidInput, match="epsilon was 1 and is 60 here"):
        learner.learn(state, 0, 1, SeededCoins(0))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"leaves": 3}, "power of two"),
        ({"leaves": 1}, "power of two"),
        ({"trees": 0}, "number of trees must be at least 1"),
        ({"frequency": 1}, "frequency eta must lie strictly between 0 and 1"),
        ({"frequency": Fraction(0)}, "frequency eta must lie strictly between 0 and 1"),
        ({"frequency": 0.5}, r"Write Fraction\(1, 2\)"),
        ({"histograms": 0}, "number of histograms must be at least 1"),
        ({"rounds": 0}, "number of rounds must be at least 1"),
        ({"delta": 0}, "delta"),
        ({"epsilon": -1}, "epsilon"),
    ],
)
def test_bad_parameters_are_refused(wrong, message):
    with pytest.raises(InvalidInput, match=message):
        few(**wrong)


def test_bad_requests_are_refused():
    with pytest.raises(InvalidInput, match="MistakeBounded"):
        ForestSOA(SMALL, few())
    with pytest.raises(InvalidInput, match="trees of at least 8 leaves"):
        ForestParameters.from_theorem(2, 100, 1, TINY, leaves=4)
    with pytest.raises(InvalidInput, match=r"at least 32 leaves, k_1 >= 2\^\(M \+ 1\) and 20"):
        ForestParameters.from_theorem(2, 100, 1, TINY, leaves=16, printed=True)
    with pytest.raises(TooLarge, match="up to the mistake bound 5"):
        ForestParameters.from_theorem(6, 100, 1, TINY)
    with pytest.raises(TooLarge, match="up to 64 leaves"):
        ForestParameters.from_theorem(2, 100, 1, TINY, leaves=128)
    with pytest.raises(InvalidInput, match="gives no privacy"):
        ForestParameters.practical(1, 100, 21, TINY)
    with pytest.raises(InvalidInput, match="delta must be positive"):
        ForestParameters.practical(1, 100, 1, 0)
    with pytest.raises(InvalidInput, match="number of rounds"):
        few().trees_needed()


def test_it_is_found_by_name():
    entry = RUNNABLE["forest-soa"]
    learner = entry.learner("points:n=9", 100, epsilon="8", trees="50", histograms="2")
    assert (learner.parameters.trees, learner.parameters.histograms) == (50, 2)
    assert basic(learner.privacy) == (8, TINY)
    theorem = entry.learner("points:n=9", 100, theorem=True, beta="1/10", leaves="8")
    assert theorem.failure == Fraction(1, 10)
    assert theorem.parameters.leaves == 8
    assert entry.learner("points:n=9", 100, theorem=True, printed=True).parameters.paper_constants
    with pytest.raises(InvalidInput, match="add --theorem"):
        entry.learner("points:n=9", 100, printed=True)
    with pytest.raises(InvalidInput, match="add --theorem"):
        entry.learner("points:n=9", 100, beta="1/10")
    with pytest.raises(InvalidInput, match="or --theorem"):
        entry.learner("points:n=9", 100, theorem=True, trees="50")


# ---- twins: some break privacy, some the mistake bound only


class AllTold(ForestSOA):
    """Every tree gets every example: two, where there are two."""

    def _receive(self, kept, point, label, coins):
        after = kept
        for tree, count in kept.trees.items():
            for _ in range(count):
                told = tree.after(point, label, coins)
                after = replace(
                    after,
                    trees=after.trees.exchanged(tree, told),
                    shown=after.shown.exchanged(tree.shown, told.shown),
                )
        return after


class Restarting(ForestSOA):
    """A test that has fired begins anew without being counted."""

    def _publish(self, kept, coins):
        after, name = super()._publish(kept, coins)
        if kept.run is not None:
            after = replace(after, run=replace(after.run, left=kept.run.left))
        return after, name


class Reusing(ForestSOA):
    """The histogram is asked in every round and paid for once."""

    def _publish(self, kept, coins):
        after, _name = super()._publish(kept, coins)
        run, names = after.run, self.parameters.names
        again = names._most_frequent(after.shown, coins, None, run.name)
        return replace(after, run=replace(run, name=again)), again or self.first


class Steered(ForestSOA):
    """Neither turns nor guesses are drawn: all examples of a tree go the same way."""

    def _receive(self, kept, point, label, coins):
        return super()._receive(kept, point, label, Undrawn(coins))


class Undrawn:
    """Coins that answer 0 where one of two is asked for."""

    def __init__(self, coins):
        self.coins = coins

    def below(self, n):
        return 0 if n == 2 else self.coins.below(n)


def loss_of(learner, specification, pairs=slice(None)):
    """The largest delta at the claimed epsilon, and the claimed one."""
    built = instance(specification)
    laws = built.release(learner(built.mechanism)).laws(tail=Fraction(1, 2**20))
    epsilon, delta = basic(built.privacy)
    found = [PrivacyLoss(laws(z), laws(o)).delta(epsilon) for z, o in built.pairs[pairs]]
    return max(found), delta


@pytest.mark.parametrize(
    ("kind", "specification"),
    [
        (AllTold, "forest_soa:rounds=3,epsilon=8,delta=3/25"),
        (Restarting, "forest_soa:trees=1,rounds=5,epsilon=8,delta=3/25"),
        (Reusing, "forest_soa:trees=1,rounds=4,epsilon=8,delta=3/25"),
    ],
)
def test_twins_that_give_examples_away_are_flagged(kind, specification):
    # The second pair has another mistake in the first place.
    broken, delta = loss_of(
        lambda right: kind(right.base, right.parameters), specification, slice(1, 2)
    )
    assert broken > real(delta)


def test_a_twin_that_breaks_the_mistake_bound_only_is_not_flagged():
    specification = "forest_soa:trees=3,rounds=4"
    found, delta = loss_of(lambda right: Steered(right.base, right.parameters), specification)
    assert found < real(delta)
    base = instance(specification).mechanism.base
    generous = few(leaves=4, trees=5, histograms=2)
    stream = [(0, 1)] * 400
    right, steered = (
        play(kind(base, generous), stream, 400, SeededCoins(5)).mistakes
        for kind in (ForestSOA, Steered)
    )
    assert right < 100
    assert steered == 400
