"""The merging learner: its steps by definition, its states and its refusals."""

from __future__ import annotations

import random
import warnings
from collections import Counter
from fractions import Fraction
from itertools import permutations, product

import pytest

import catalog
from learners.accounting import basic
from learners.budget import Budget
from learners.coins import SeededCoins
from learners.exact import exact_distribution
from learners.merging.algorithm import MergingSOA
from learners.merging.draws import MOST_KINDS, drawn, remaining
from learners.merging.entries import FewNodesWarning, checked_dimension, practical_parameters
from learners.merging.evidence.games import mixed_game
from learners.merging.parameters import MergingLevel, MergingParameters
from learners.merging.planner import plan_for
from learners.merging.version_spaces import ClosedFormNodes, TableNodes, nodes_of
from learners.playing.adversaries import Repeating
from learners.playing.entries import ONLINE_LEARNERS
from learners.playing.play import play
from lsclasses import Table
from lsclasses.errors import InvalidInput, TooLarge
from tests.oracles import decompositions as oracle
from tests.oracles import ldim, soa_label
from tests.strategies import plain

MILLIONTH = Fraction(1, 10**6)
BUDGET = Budget(1, MILLIONTH)


def tiny(spec: str, dimension: int, nodes: int = 1, rounds: int = 100) -> MergingSOA:
    """A learner with little noise."""
    level = MergingLevel(100 * dimension, Fraction(1, 100), noise="laplace", functions=3)
    parameters = MergingParameters(dimension, rounds, nodes, Fraction(50), 1, (level,) * dimension)
    return MergingSOA(catalog.build(spec), parameters)


# ---- lists


@pytest.mark.parametrize("points", [3, pytest.param(4, marks=pytest.mark.slow)])
def test_lists_are_as_defined_on_all_nodes_of_a_small_class(points: int) -> None:
    C = catalog.build(f"at-most:n={points},k=3").to_table()
    nodes = TableNodes(C, 3)
    examples = list(product(range(points), (0, 1)))
    for chosen in ((), *[(each,) for each in examples], *product(examples, repeat=2)):
        left, node = plain(C.given(chosen)), nodes.node(chosen)
        for level, (depth, leaf) in {1: (0, 2), 2: (1, 1)}.items():
            found = nodes.list_of(node, level)
            if not left or oracle.leaf_depth(left, leaf) > depth:
                assert found is None
            else:
                labels = [tuple(map(nodes.hypothesis(item), range(points))) for item in found or ()]
                assert labels == oracle.canonical_soas(left, leaf)
        last = nodes.list_of(node, 3)
        if 1 <= len(left) <= 7:
            assert {tuple(map(nodes.hypothesis(i), range(points))) for i in last or ()} == set(left)
        else:
            assert last is None


def test_lists_do_not_depend_on_the_order_of_examples() -> None:
    nodes = TableNodes(catalog.build("thresholds:n=15").to_table(), 4)
    examples = [(3, 0), (12, 1), (5, 0)]
    found = {nodes.list_of(nodes.node(order), 2) for order in permutations(examples)}
    assert len(found) == 1


def test_closed_forms_have_the_lists_of_their_tables() -> None:
    C = catalog.build("at-most:n=5,k=2")
    table, formula = TableNodes(C.to_table(), 2), ClosedFormNodes(C, 2)
    examples = list(product(range(5), (0, 1)))
    for level, size in ((1, 1), (2, 2), (2, 3)):
        for chosen in product(examples, repeat=size):
            one = table.list_of(table.node(chosen), level)
            other = formula.list_of(formula.node(chosen), level)
            assert (one is None) == (other is None)
            labels = [
                {tuple(map(nodes.hypothesis(item), range(5))) for item in items or ()}
                for nodes, items in ((table, one), (formula, other))
            ]
            assert labels[0] == labels[1]


def test_the_class_without_a_bound_on_its_trees_is_refused() -> None:
    with pytest.raises(TooLarge, match=r"The limit is 1e\+09"):
        TableNodes(catalog.build("points:n=600").to_table(), 4)
    C = catalog.build("at-most:n=2^32,k=3")
    for nodes in (ClosedFormNodes, nodes_of):
        with pytest.raises(TooLarge, match=r"for dimension 2 only.*dimension 3"):
            nodes(C, 3)


# ---- draws


@pytest.mark.parametrize("number", [1, 2, 3])
def test_draws_without_replacement_are_uniform(number: int) -> None:
    counts = {"a": 2, "b": 1, "c": 1}
    law = exact_distribution(lambda coins: tuple(drawn(counts, number, coins)))
    copies = Counter(order[:number] for order in permutations("aabc"))
    assert {each: law.rational(each) for each in law} == {
        each: Fraction(count, 24) for each, count in copies.items()
    }


def test_many_kinds_are_shuffled_uniformly(monkeypatch: pytest.MonkeyPatch) -> None:
    few = exact_distribution(lambda coins: tuple(drawn({"a": 2, "b": 1}, 2, coins)))
    monkeypatch.setattr("learners.merging.draws.MOST_KINDS", 1)
    many = exact_distribution(lambda coins: tuple(drawn({"a": 2, "b": 1}, 2, coins)))
    assert {each: few.rational(each) for each in few} == {
        each: many.rational(each) for each in many
    }
    assert MOST_KINDS > 1


def test_a_random_subset_has_the_hypergeometric_distribution() -> None:
    law = exact_distribution(lambda coins: remaining({"a": 3, "b": 2}, 2, coins)["a"])
    assert [law.rational(n) for n in range(3)] == [Fraction(n, 10) for n in (1, 6, 3)]


# ---- games


def test_the_game_without_noise_follows_the_algorithm() -> None:
    learner, coins = tiny("at-most:n=4,k=2", 2, nodes=4), SeededCoins(1)
    state, published = learner.start(coins), []
    for _ in range(60):
        wrong = [x for x in (0, 1) if not state.hypothesis(x)]
        if state.hypothesis not in published:
            published.append(state.hypothesis)
        if not wrong:
            break
        state = learner._learn(state, wrong[0], 1, coins)
    # The SOA errs 8 times at point 0. All nodes share the function {0}, which errs 4 times.
    assert [[x for x in range(4) if h(x)] for h in published] == [[], [0], [0, 1]]


@pytest.mark.parametrize(("dimension", "spec"), [(2, "at-most:n=4,k=2"), (3, "thresholds:n=7")])
def test_games_end_with_the_target_within_the_bound(dimension: int, spec: str) -> None:
    C = catalog.build(spec)
    plan = plan_for(dimension, 10**6, Budget(8, MILLIONTH))
    learner = MergingSOA.of_plan(C, plan)
    (bound,) = learner.bounds
    assert bound.value == plan.bound
    game = play(learner, Repeating(C), 4000, SeededCoins(2))
    assert game.mistakes <= plan.bound


@pytest.mark.parametrize("dimension", [2, 3, 4])
def test_the_formula_of_the_bound_has_its_value(dimension: int) -> None:
    plan = plan_for(dimension, 10**6, BUDGET)
    (bound,) = MergingSOA.of_plan(Table([[0, 1], [1, 0]]), plan).bounds
    parameters = plan.parameters
    values = {"a": parameters.margin, "late": plan.late, f"j_{dimension}": plan.played_last}
    values |= {f"k_{r}": parameters.nodes_at(r) for r in range(1, dimension + 1)}
    values |= {f"j_{r}": parameters.level(r).functions for r in range(1, dimension)}
    assert eval(bound.formula, {}, values) == bound.value == plan.bound
    assert f"= {plan.bound} (proved in docs/merging.md, Theorem M2), except" in str(bound)


def test_the_mistakes_of_an_adversary_that_mixes_points_are_within_the_bound() -> None:
    learner = MergingSOA.of_plan(
        catalog.build("at-most:n=4,k=2"), plan_for(2, 10**6, Budget(8, MILLIONTH))
    )
    assert learner.plan is not None
    assert max(mixed_game(learner, (0, 1), seed) for seed in range(5)) <= learner.plan.bound


def test_an_unrealizable_stream_is_played_to_the_end() -> None:
    learner = tiny("at-most:n=4,k=2", 2, nodes=3, rounds=400)
    rng = random.Random(1)
    stream = [(rng.randrange(4), rng.randrange(2)) for _ in range(400)]
    assert play(learner, stream, 400, SeededCoins(1)).played == 400


def test_a_state_continues_from_a_file() -> None:
    for spec in ("at-most:n=4,k=2", "at-most:n=2^32,k=2"):
        learner, coins = tiny(spec, 2, nodes=4), SeededCoins(3)
        state = learner.start(coins)
        for i in range(10):
            state = learner._learn(state, i % 2, 1, coins)
        assert learner.state_from_json(learner.state_to_json(state)) == state


def test_one_concept_is_published_without_privacy_cost() -> None:
    C = Table([[0, 1, 0]])
    learner = ONLINE_LEARNERS["merging"].learner(C, 10)
    assert basic(learner.privacy) == (0, 0)
    assert play(learner, [(1, 1), (0, 1), (0, 1)], 3, SeededCoins(1)).mistakes == 2


# ---- options


def test_dimensions_are_checked() -> None:
    C = catalog.build("thresholds:n=7")
    assert checked_dimension(C, None) == 3
    for dimension, words in ((2, "Littlestone dimension 3"), (5, "dimension 5")):
        with pytest.raises(InvalidInput, match=words):
            checked_dimension(C, dimension)
    for command in ("run", "pac"):
        with pytest.raises(InvalidInput, match=f"'lsclasses {command} voting'"):
            checked_dimension(catalog.build("points:n=5"), None, command)
    with pytest.raises(InvalidInput, match="finite Littlestone dimension"):
        checked_dimension(catalog.build("thresholds:n=inf"), None)


def test_a_larger_dimension_is_noted() -> None:
    learner = ONLINE_LEARNERS["merging"].learner("thresholds:n=3", 100, dimension=3)
    assert "the Littlestone dimension is 2" in str(learner)


def test_the_practical_mode_is_private_and_states_no_bound() -> None:
    with pytest.warns(FewNodesWarning):
        learner = ONLINE_LEARNERS["merging"].learner(
            "thresholds:n=7", 100, nodes=5, functions="2,1"
        )
    assert learner.bounds == ()
    assert learner.parameters.nodes_at(1) == 20
    assert [level.functions for level in learner.parameters.levels] == [2, 1, 1]
    for wrong in ("2", "0,1", "1,x"):
        with pytest.raises(InvalidInput):
            ONLINE_LEARNERS["merging"].learner("thresholds:n=7", 100, nodes=5, functions=wrong)
    with pytest.raises(InvalidInput, match="--nodes"):
        ONLINE_LEARNERS["merging"].learner("thresholds:n=7", 100, functions="1,1")


def test_levels_that_cannot_release_a_function_are_noted() -> None:
    with pytest.warns(FewNodesWarning, match=r"level 1 has 400 .*, level 3 has 100") as found:
        few = practical_parameters(3, 10**5, BUDGET, nodes=100, functions=(1, 3))
    assert len(found) == 1 and few.silent == (1, 3)
    assert [few.nodes_at(r) > few.histograms[r - 1].threshold for r in (1, 2, 3)] == [
        False,
        True,
        False,
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert practical_parameters(3, 10**5, BUDGET, nodes=200, functions=(1, 3)).silent == ()


def test_practical_parameters_need_a_delta() -> None:
    with pytest.raises(InvalidInput, match="positive delta"):
        practical_parameters(2, 100, Budget(1), nodes=5, functions=(1,))


def test_the_soa_of_a_node_refutes_published_functions() -> None:
    """A later list contains no function at which a node has a mistake."""
    C = catalog.build("at-most:n=4,k=3").to_table()
    for x, y in product(range(4), (0, 1)):
        left = plain(C.restrict(x, y))
        assert ldim(left) < 0 or soa_label(left, x) == y
