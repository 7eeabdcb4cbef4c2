"""The layered learner against the algorithms as they are printed, transcribed with lists."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learners.coins import Coins, SeededCoins
from learners.exact import OutputDistribution, Stepwise, exact_distribution
from learners.layers.algorithm import Layer, LayeredSOA
from learners.layers.evidence.instances import published
from learners.layers.evidence.printed import PrintedLayers, both_layers, hypotheses_of, labels_of
from learners.multiset import Multiset
from lsclasses.soa import SOA
from lsclasses.table import Table
from tests.learners.layers.cases import SINGLE, STAIRS, small

CUT: dict[str, Any] = {"tail": Fraction(1, 2**30)}


def same(one: Any, other: Any, most: float) -> None:
    for outcome in {*one, *other}:
        assert abs(float(one.get(outcome, 0)) - float(other.get(outcome, 0))) < most


@pytest.mark.parametrize(
    "examples",
    [
        ((0, 1), (1, 1)),
        ((0, 1), (0, 0)),
        pytest.param(((0, 1), (0, 1), (1, 0)), marks=pytest.mark.slow),
        pytest.param(((1, 1), (0, 0), (1, 1)), marks=pytest.mark.slow),
    ],
    ids=["not-realizable", "contradicted", "realizable", "with-a-pause"],
)
def test_it_is_the_algorithm_that_is_printed(examples: Any) -> None:
    """The exact law of all that is published, against lists of sequences that are shuffled."""
    parameters = replace(small(4, 1, 2), epsilon=Fraction(1), delta=Fraction(1, 4))
    printed: OutputDistribution[Any] = Stepwise(PrintedLayers(SINGLE, parameters)).laws(**CUT)(
        examples
    )
    learner = LayeredSOA(SOA(SINGLE), parameters)
    production = (
        published(learner).laws(**CUT)(examples).map(lambda shown: tuple(map(labels_of, shown)))
    )
    assert set(printed) == set(production)
    same(printed, production, 1e-8)
    assert max(float(printed[shown]) for shown in printed) < 0.999 or len(printed) == 1


sequences = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 1)), max_size=2).map(tuple)


@settings(max_examples=6)
@given(st.lists(st.tuples(sequences, sequences), min_size=4, max_size=4))
def test_update_is_the_one_that_is_printed(pairs: Any) -> None:
    """The exact law of the next layer, of pairs of any sequences of mistakes of an SOA of d = 2."""
    parameters = small(8, 2)
    transcribed, learner = PrintedLayers(STAIRS, parameters), LayeredSOA(SOA(STAIRS), parameters)
    layer, kinds = both_layers(STAIRS, 2, pairs)
    printed = exact_distribution(lambda coins: transcribed.update(layer, coins)).map(
        transcribed.hypotheses
    )
    production = exact_distribution(lambda coins: learner._updated(0, kinds, coins)).map(
        hypotheses_of
    )
    same(printed, production, 1e-9)


UP, MIDDLE, DOWN = ((0, 1),), ((1, 1),), ((2, 0),)
"""The sequences of one mistake: after the first and the last, one concept is left."""


def test_a_pair_is_told_what_is_printed() -> None:
    """All pairs of sequences of mistakes, and all examples."""
    parameters = small(8, 2)
    transcribed, learner = PrintedLayers(STAIRS, parameters), LayeredSOA(SOA(STAIRS), parameters)
    of_mistakes = ((), UP, MIDDLE, DOWN, (*MIDDLE, *UP), (*UP, (1, 0)))
    assert [transcribed.soa(each) for each in of_mistakes] == [
        (0, 0, 1), (1, 1, 1), (0, 1, 1), (0, 0, 0), (1, 1, 1), None
    ]  # fmt: skip
    changed = set()
    for *pair, point, label in product(of_mistakes, of_mistakes, range(3), range(2)):
        _, (kind,) = both_layers(STAIRS, 2, [pair])
        after = transcribed.extended(*pair, (point, label))
        told = learner._extended(kind, point, label)
        assert hypotheses_of(Multiset({told: 1})) == transcribed.hypotheses(after)
        if after != tuple(pair):
            changed.add(label)
    assert changed == {0, 1}


TWO_EACH = [(UP, ()), (UP, ()), (MIDDLE, ()), (MIDDLE, ())]
FALLING = [(DOWN, ()), ((), DOWN), ((), ()), (UP, UP)]


@pytest.mark.parametrize(
    ("C", "cuts", "s", "pairs", "lengths"),
    [
        (STAIRS, (1, 1), 0, FALLING, {0, 1}),
        (STAIRS, (1, 1), 1, [(UP, MIDDLE), (UP, MIDDLE)], {0, 1}),
        (STAIRS, (3, 2), 1, [(UP, MIDDLE), (UP, MIDDLE)], {0, 1}),
        (STAIRS, (1, 1), 1, [(UP, UP), (MIDDLE, DOWN)], {0}),
        (STAIRS, (1, 1), 2, [((*MIDDLE, *UP), UP)], {0}),
        pytest.param(STAIRS, (3, 2), 0, FALLING, {0}, marks=pytest.mark.slow),
        pytest.param(SINGLE, (1,), 0, TWO_EACH, {0, 1, 2}, marks=pytest.mark.slow),
    ],
)
def test_what_follows_is_what_is_printed(
    C: Table, cuts: tuple[int, ...], s: int, pairs: Any, lengths: set[int]
) -> None:
    """The exact law of the next list, its layer and what is shown, over up to two Updates."""
    # What waits for mistakes has next to no noise, for which there would be many branches.
    noise: dict[str, Any] = {"waiting_epsilon": 99, "epsilon": 2, "delta": Fraction(1, 2)}
    depth = C.ldim()
    parameters = replace(small(8, depth), cuts=cuts, **noise)
    histogram = parameters.histogram
    assert histogram is not None and histogram.threshold == 2
    transcribed, learner = PrintedLayers(C, parameters), LayeredSOA(SOA(C), parameters)
    layer, kinds = both_layers(C, depth, pairs)
    first = SOA(C).hypothesis

    def printed(coins: Coins) -> Any:
        shown = labels_of(first)
        number, after, listed, shown = transcribed.following(s, layer, (shown,), shown, coins)
        return number, transcribed.hypotheses(after), listed[1:], shown

    def production(coins: Coins) -> Any:
        after = learner._next(Layer(s, kinds, first), coins)
        waiting = tuple(labels_of(h) for h in after.waiting)
        return after.number, hypotheses_of(after.pairs), waiting, labels_of(after.hypothesis)

    law = exact_distribution(printed)
    same(law, exact_distribution(production, **CUT), 1e-8)
    assert {len(listed) + bool(layer) for _, layer, listed, _ in law} == lengths


def test_a_list_is_shown_from_its_first_to_its_last() -> None:
    """While something waits nothing is updated, and the first that waits is shown next."""
    learner = LayeredSOA(SOA(STAIRS), small(8, 2))
    shown = [SOA(STAIRS.given(examples)).hypothesis for examples in ((), UP, MIDDLE, DOWN)]
    _, kinds = both_layers(STAIRS, 2, [(UP, UP), (UP, DOWN)])
    kept = Layer(1, kinds, shown[0], tuple(shown[1:]))
    for h in shown[1:]:
        kept = learner._next(kept, SeededCoins(1))
        assert (kept.number, kept.pairs, kept.hypothesis) == (1, kinds, h)
        assert kept.run is not None and kept.run.total == 0
    assert kept.waiting == ()
