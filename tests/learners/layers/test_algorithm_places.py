"""Where sequences of the layered learner are put: what the permutation of Update is good for.

It changes nothing in law as long as the pair that is told is drawn uniformly, since then pairs
that have numbers can change places with each other. Told in turn, siblings can be made alike, and
without it the learner errs for ever, as privately as before.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest

import catalog
from learners.coins import Coins, SeededCoins
from learners.layers.algorithm import LayeredSOA, SiblingPair
from learners.layers.evidence.instances import FixedCoinsLayers, NumberedPairs, published
from learners.layers.plan import LayeredParameters
from learners.multiset import Multiset
from learners.playing.adversaries import FixedStream
from learners.playing.play import play
from lsclasses.soa import SOA, ConservativeSOA
from tests.learners.layers.cases import SINGLE, TINY

CUT: dict[str, Any] = {"tail": Fraction(1, 2**30)}


@dataclass(frozen=True)
class InPlace(FixedCoinsLayers):
    """Pairs are drawn and labels guessed, and the sequence of pair i moves to place i."""

    def _with_example(self, pairs: Any, point: Any, label: Any, coins: Coins) -> Any:
        at = coins.below(len(pairs.pairs))
        after = self._extended(pairs.pairs[at], point, label)
        return NumberedPairs((*pairs.pairs[:at], after, *pairs.pairs[at + 1 :]), pairs.played + 1)

    def _updated(self, number: int, pairs: Any, coins: Coins) -> Any:
        moved = [
            None if pair is None or pair.common is not None else self._guessed(pair, coins.below(2))
            for pair in pairs.pairs
        ]
        siblings = zip(moved[::2], moved[1::2], strict=True)
        return NumberedPairs(
            tuple(
                None if one is None or two is None else SiblingPair(one, two)
                for one, two in siblings
            )
        )


@pytest.mark.slow
@pytest.mark.parametrize("examples", [((0, 1), (0, 1)), ((0, 1), (1, 1), (0, 1))])
def test_the_permutation_changes_nothing_in_law(examples: Any) -> None:
    """The exact law of all that is published, of eight sequences, with and without it."""
    parameters = LayeredParameters(1, 8, 3, (1, 1), Fraction(2), Fraction(6), Fraction(1, 5), (1,))
    shuffled = published(LayeredSOA(SOA(SINGLE), parameters)).laws(**CUT)(examples)
    in_place = published(InPlace(SOA(SINGLE), parameters)).laws(**CUT)(examples)
    assert set(shuffled) == set(in_place) and len(shuffled) > 1
    for shown in shuffled:
        assert abs(float(shuffled[shown] - in_place[shown])) < 1e-8


class InTurn(LayeredSOA):
    """Pair t is told in round t, one after the other; places are drawn, or not."""

    shuffled = True

    def _begin(self, coins: Coins) -> Any:
        layer = super()._begin(coins)
        ((pair, alike),) = layer.pairs.items()
        row: Any = NumberedPairs((pair,) * alike)
        return type(layer)(layer.number, row, layer.hypothesis, layer.waiting, layer.run)

    def _with_example(self, pairs: Any, point: Any, label: Any, coins: Coins) -> Any:
        if not isinstance(pairs, NumberedPairs):
            return super()._with_example(pairs, point, label, coins)
        at = pairs.played % len(pairs.pairs)
        told = list(pairs.pairs)
        told[at] = self._extended(told[at], point, label)
        return NumberedPairs(tuple(told), pairs.played + 1)

    def _updated(self, number: int, pairs: Any, coins: Coins) -> Any:
        if self.shuffled:
            counted = Counter(pairs.pairs) if isinstance(pairs, NumberedPairs) else pairs
            return super()._updated(number, Multiset(dict(counted.items())), coins)
        return InPlace._updated(self, number, pairs, coins)  # type: ignore[arg-type]


class InTurnInPlace(InTurn):
    shuffled = False


@pytest.mark.slow
def test_told_in_turn_and_left_in_place_it_errs_for_ever() -> None:
    """Pairs 2i and 2i + 1 are told the same point of a line, and others another one.

    In place, siblings of layer 1 are alike, and no two pairs of siblings: none is released, none
    differs, and nothing is left for layer 2. At random places nearly all siblings differ, so that
    layer 2 knows the line.
    """
    C, sequences, rounds = catalog.build("affine:q=1009,n=2,k=1"), 1 << 12, 3000
    line = [(x, 0) for x in range(1009)]
    told = sequences // 2
    stream = [(line[(t % told) // 2 % 1009], 1) for t in range(rounds)]
    parameters = LayeredParameters(
        2, sequences, rounds, (told, 200, 1), Fraction(8), Fraction(20), TINY, (1, 1)
    )
    opponent = FixedStream(stream, C)
    assert opponent.realizable
    shuffled, in_place = (
        play(kind(ConservativeSOA(C), parameters), opponent, rounds, SeededCoins(1)).mistakes
        for kind in (InTurn, InTurnInPlace)
    )
    assert shuffled <= told + 200
    assert in_place == rounds
