"""The layered learner against the algorithms as they are printed, transcribed with lists."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learners.coins import Coins, SeededCoins
from learners.exact import OutputDistribution, Stepwise, exact_distribution
from learners.layers.algorithm import Layer, LayeredSOA, MistakeSequence, SiblingPair
from learners.layers.evidence.instances import published
from learners.layers.plan import LayeredParameters
from learners.multiset import Multiset
from lsclasses.soa import SOA
from lsclasses.table import Table
from tests.learners.layers.cases import SINGLE, STAIRS, labels, small

CUT: dict[str, Any] = {"tail": Fraction(1, 2**30)}


@dataclass(frozen=True)
class Transcribed:
    """[LWY25, Alg 1 and 2] as they are printed, with bottom for what no concept fits."""

    C: Table
    parameters: LayeredParameters

    def soa(self, examples: Any) -> Any:
        """The labels that the SOA gives after examples, None for bottom."""
        if examples is None:
            return None
        left = self.C.given(examples)
        return None if left.is_empty else tuple(left.soa()(x) for x in self.C.domain)

    def start(self, coins: Coins) -> Any:
        layer = ((),) * self.parameters.sequences
        return 0, layer, (self.soa(()),), self.soa(()), self._waits(0, coins)

    def _waits(self, s: int, coins: Coins) -> Any:
        scale = 1 / self.parameters.waiting_epsilon
        return self.parameters.thresholds[s] + coins.laplace(scale), 0

    def answer(self, state: Any, example: tuple[int, int], coins: Coins) -> tuple[Any, Hashable]:
        (s, layer, listed, shown, waits), (x, y) = state, example
        if waits is None:
            return state, shown
        i = 2 * coins.below(len(layer) // 2)
        layer = (*layer[:i], *self.told(layer[i], layer[i + 1], example), *layer[i + 2 :])
        threshold, total = waits
        total += shown[self.C.domain.index(x)] != y
        waits = threshold, total
        if coins.at_least(total, 1 / self.parameters.waiting_epsilon, threshold):
            s, layer, listed, shown = self.next(s, layer, listed, shown, coins)
            waits = self._waits(s, coins) if listed else None
        return (s, layer, listed, shown, waits), shown

    def told(self, first: Any, second: Any, example: tuple[int, int]) -> tuple[Any, Any]:
        """A pair of sequences after an example."""
        says, (x, y) = self.soa(first), example
        if says == self.soa(second) is not None and says[self.C.domain.index(x)] != y:
            return (*first, example), second
        return first, second

    def next(self, s: int, layer: Any, listed: Any, shown: Any, coins: Coins) -> Any:
        """What follows the hypothesis that is shown, the first of the list."""
        listed = listed[1:]
        while s < self.parameters.depth and not listed:
            layer, s = self.update(layer, coins), s + 1
            agreed = Counter(
                self.soa(one)
                for one, two in zip(layer[::2], layer[1::2], strict=True)
                if self.soa(one) == self.soa(two) is not None
            )
            histogram = self.parameters.histogram
            assert histogram is not None
            released = histogram.release(agreed, coins)
            listed = tuple(h for h, c in released if c >= self.parameters.cuts[s - 1])
        return s, layer if listed else (), listed, listed[0] if listed else shown

    def update(self, layer: Any, coins: Coins) -> Any:
        """The sequences of the next layer."""
        size = len(layer) // 2
        after: list[Any] = [None] * size
        order = coins.shuffle(size)
        for i, (one, two) in enumerate(zip(layer[::2], layer[1::2], strict=True)):
            says = self.soa(one), self.soa(two)
            if None in says or says[0] == says[1]:
                continue
            j = next(j for j in range(len(says[0])) if says[0][j] != says[1][j])
            guess = coins.below(2)
            wrong = one if says[0][j] != guess else two
            after[order[i]] = (*wrong, (self.C.domain[j], guess))
        return tuple(after)

    def says(self, layer: Any) -> tuple[Any, ...]:
        """The hypotheses of all pairs, in an order that does not matter; None with a bottom."""
        pairs = (
            (self.soa(one), self.soa(two)) for one, two in zip(layer[::2], layer[1::2], strict=True)
        )
        return tuple(sorted((None if None in pair else pair for pair in pairs), key=repr))


def said(pairs: Multiset[Any]) -> tuple[Any, ...]:
    """`Transcribed.says` of the pairs of a layer."""
    found = (
        pair and tuple(labels(each.state.hypothesis) for each in (pair.first, pair.second))
        for pair in Counter(pairs).elements()
    )
    return tuple(sorted(found, key=repr))


def followed(C: Table, most: int, examples: Any) -> Any:
    """Those of the examples on which the SOA errs, as a sequence and as a state."""
    kept: tuple[Any, ...] = ()
    state: MistakeSequence | None = MistakeSequence(SOA(C))
    for x, y in examples:
        if state is not None and state.state.predict(x) != y:
            kept, state = (*kept, (x, y)), state.after(x, y, most)
    return kept, state


def both(C: Table, most: int, pairs: Any) -> tuple[Any, Multiset[Any]]:
    """A layer with these pairs of sequences of mistakes, as a list and as it is kept."""
    rows = [[followed(C, most, each) for each in pair] for pair in pairs]
    kinds = Counter(
        None if None in (states := [state for _, state in row]) else SiblingPair(*states)
        for row in rows
    )
    return tuple(kept for row in rows for kept, _ in row), Multiset(kinds)


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
    printed: OutputDistribution[Any] = Stepwise(Transcribed(SINGLE, parameters)).laws(**CUT)(
        examples
    )
    learner = LayeredSOA(SOA(SINGLE), parameters)
    production = (
        published(learner).laws(**CUT)(examples).map(lambda shown: tuple(map(labels, shown)))
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
    transcribed, learner = Transcribed(STAIRS, parameters), LayeredSOA(SOA(STAIRS), parameters)
    layer, kinds = both(STAIRS, 2, pairs)
    printed = exact_distribution(lambda coins: transcribed.update(layer, coins)).map(
        transcribed.says
    )
    production = exact_distribution(lambda coins: learner._updated(0, kinds, coins)).map(said)
    same(printed, production, 1e-9)


UP, MIDDLE, DOWN = ((0, 1),), ((1, 1),), ((2, 0),)
"""The sequences of one mistake: after the first and the last, one concept is left."""


def test_a_pair_is_told_what_is_printed() -> None:
    """All pairs of sequences of mistakes, and all examples."""
    parameters = small(8, 2)
    transcribed, learner = Transcribed(STAIRS, parameters), LayeredSOA(SOA(STAIRS), parameters)
    of_mistakes = ((), UP, MIDDLE, DOWN, (*MIDDLE, *UP), (*UP, (1, 0)))
    assert [transcribed.soa(each) for each in of_mistakes] == [
        (0, 0, 1), (1, 1, 1), (0, 1, 1), (0, 0, 0), (1, 1, 1), None
    ]  # fmt: skip
    changed = set()
    for *pair, point, label in product(of_mistakes, of_mistakes, range(3), range(2)):
        _, (kind,) = both(STAIRS, 2, [pair])
        after = transcribed.told(*pair, (point, label))
        told = learner._extended(kind, point, label)
        assert said(Multiset({told: 1})) == transcribed.says(after)
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
    transcribed, learner = Transcribed(C, parameters), LayeredSOA(SOA(C), parameters)
    layer, kinds = both(C, depth, pairs)
    first = SOA(C).hypothesis

    def printed(coins: Coins) -> Any:
        shown = labels(first)
        number, after, listed, shown = transcribed.next(s, layer, (shown,), shown, coins)
        return number, transcribed.says(after), listed[1:], shown

    def production(coins: Coins) -> Any:
        after = learner._next(Layer(s, kinds, first), coins)
        waiting = tuple(labels(h) for h in after.waiting)
        return after.number, said(after.pairs), waiting, labels(after.hypothesis)

    law = exact_distribution(printed)
    same(law, exact_distribution(production, **CUT), 1e-8)
    assert {len(listed) + bool(layer) for _, layer, listed, _ in law} == lengths


def test_a_list_is_shown_from_its_first_to_its_last() -> None:
    """While something waits nothing is updated, and the first that waits is shown next."""
    learner = LayeredSOA(SOA(STAIRS), small(8, 2))
    shown = [SOA(STAIRS.given(examples)).hypothesis for examples in ((), UP, MIDDLE, DOWN)]
    _, kinds = both(STAIRS, 2, [(UP, UP), (UP, DOWN)])
    kept = Layer(1, kinds, shown[0], tuple(shown[1:]))
    for h in shown[1:]:
        kept = learner._next(kept, SeededCoins(1))
        assert (kept.number, kept.pairs, kept.hypothesis) == (1, kinds, h)
        assert kept.run is not None and kept.run.total == 0
    assert kept.waiting == ()
