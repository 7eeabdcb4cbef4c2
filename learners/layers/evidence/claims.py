"""The layered learner [LWY25, section 3]: its privacy as a game, and its mistake bounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, permutations, product
from math import log
from typing import Any

import catalog
from learners.accounting import basic
from learners.audit import ExploredGame, audit_game, clopper_pearson
from learners.audit.claims import Cut
from learners.bounds import SIGNIFICANCE, Bound
from learners.budget import Budget
from learners.claim_checks import (
    Claim,
    ClaimCheck,
    Outcome,
    audit_outcome,
    bound_outcome,
    compare,
    recomputes,
)
from learners.coins import Coins, SeededCoins
from learners.exact import exact_distribution
from learners.games import AdaptiveStream, Ask, Challenge, Move
from learners.games.game_rules import one_challenge
from learners.layers.algorithm import Layer, LayeredSOA, MistakeSequence, SiblingPair
from learners.layers.evidence import kept_counts, printed, remarks
from learners.layers.evidence.instances import FixedCoinsLayers, NumberedPairs
from learners.layers.evidence.laws_of_layers import kept, split, unreleased
from learners.layers.plan import LayeredParameters
from learners.multiset import Multiset
from learners.playing.adversaries import Repeating, Seeking
from learners.playing.play import play
from lsclasses.point_names import Label, Point
from lsclasses.soa import SOA, ConservativeSOA
from lsclasses.table import Table

__all__ = ["TwoPairs", "checks"]


TOPIC = "layered"

PRIVATE = Claim(
    "privacy of LayeredSOA, given its choices, against adaptive inputs",
    "(epsilon_AT + epsilon, delta)",
    source="learners.layers.algorithm, for [LWY25, Lemma B.2]",
    statements=("LWY25 Lemma B.2", "LWY25 Alg 2"),
    falsified="with an example given to two pairs",
    incorrect_object=True,
)
HALVED = Claim(
    "privacy of LayeredSOA, given its choices, against adaptive inputs, one of two pairs told",
    "(epsilon_AT + epsilon, delta)",
    source="learners.layers.algorithm, for [LWY25, Lemma B.2]",
    statements=(*PRIVATE.statements, "LWY25 Thm 1.1", "LWY25 Thm 3.1"),
    falsified="(epsilon_AT + epsilon, delta/2)",
)
DRAWN = Claim(
    "privacy of LayeredSOA, its choices drawn, against adaptive inputs",
    "(epsilon_AT + epsilon, delta)",
    source="learners.layers.algorithm, for [LWY25, Lemma B.2]",
    statements=PRIVATE.statements,
    falsified="(epsilon_AT + epsilon, 0)",
)
GAMES = Claim(
    "mistakes of LayeredSOA, d = 1",
    "tau + late",
    source="docs/private-online.md, Theorem P, for [LWY25, Thm 3.1]",
    statements=("LWY25 Thm 3.1", "LWY25 Lemma B.3"),
    falsified="(tau + late)/2",
)
EXPECTED = Claim(
    "mean mistakes of LayeredSOA over the games, d = 1",
    "tau + late + beta T",
    source="docs/private-online.md, Theorem P, for [LWY25, Thm 1.1]",
    falsified="(tau + late + beta T)/2",
)
DEEPER = Claim(
    "mistakes of LayeredSOA, d = 2",
    "the sum over layers of lists times tau + late",
    source="docs/private-online.md, the recursion, for [LWY25, Thm 3.1]",
    statements=("LWY25 Thm 1.1", *GAMES.statements),
    falsified="a tenth of it",
)
SHARE = Claim(
    "share of games with more mistakes than tau + late, upper limit at confidence 1 - 10^-6, d = 1",
    "beta",
    source="docs/private-online.md, Theorem P, for [LWY25, Thm 3.1]",
    statements=GAMES.statements,
    falsified="more than (tau + late)/2",
)
FIRST = Claim(
    "good pairs of layer 0",
    "M_0 = 2^(7 - 8) N_0",
    relation=">=",
    source="learners.layers.plan, for [LWY25, Lemma B.3]",
    printed="M_0 = 128 * 2^(-6) N_0",
    printed_in="[LWY25, proof of Lemma B.3]",
)
PURE = Claim(
    "mean number of pairs that agree on another hypothesis than the target, after d mistakes",
    "0",
    relation="==",
    source="learners.layers.algorithm, for [LWY25, Alg 1]",
    falsified="if the learner continues with inconsistent examples",
    incorrect_object=True,
)

CUT: Cut = {"tail": Fraction(1, 2**20), "resolution": Fraction(1, 10**4)}
COARSE: Cut = {"tail": Fraction(1, 2**12), "resolution": Fraction(1, 10**3)}
NONE_OR_ONE = ((0, 0), (1, 0), (0, 1))
"""A class of Littlestone dimension 1 on two points."""


# ---- privacy


@dataclass(frozen=True)
class TwoPairs(FixedCoinsLayers):
    """An incorrect variant of `LayeredSOA` that gives every example to two pairs instead of one."""

    def _with_example(self, pairs: Any, point: Point, label: Label, coins: Coins) -> Any:
        one, two, three, four = pairs.pairs
        one, three = (self._extended(pair, point, label) for pair in (one, three))
        return NumberedPairs((one, two, three, four), pairs.played + 1)


@dataclass(frozen=True)
class ToldBefore(LayeredSOA):
    """`LayeredSOA`, started after some pairs received one example each."""

    history: tuple[tuple[Point, Label], ...] = ()

    def _begin(self, coins: Coins) -> Layer:
        layer = super()._begin(coins)
        ((pair, alike),) = layer.pairs.items()
        untold = Counter({pair: alike - len(self.history)})
        told = Counter(self._extended(pair, *example) for example in self.history)
        return replace(layer, pairs=Multiset(untold + told))


def moves(points: int, *, ordered: bool = True) -> list[Move]:
    """Return all examples, and all challenges of two of them, in both orders or in one."""
    examples = list(product(range(points), (0, 1)))
    listed: list[Move] = [Ask(example) for example in examples]
    pairs = permutations(examples, 2) if ordered else combinations(examples, 2)
    return listed + [Challenge(x, y) for x, y in pairs]


@recomputes(PRIVATE)
def private(before: int, rounds: int, waiting: Fraction, epsilon: Fraction) -> Iterator[Outcome]:
    """Check the privacy of `LayeredSOA` with fixed choices against all adaptive adversaries."""
    parameters = LayeredParameters(1, 8, rounds, (1, 1), waiting, epsilon, Fraction(1, 50), (1,))
    base, hit, miss = SOA(Table(list(NONE_OR_ONE))), (0, 1), (0, 0)
    learner = FixedCoinsLayers(base, parameters, history=(hit,) * before)
    twin = TwoPairs(base, parameters, history=(hit, miss, hit))
    claim = learner.privacy
    false = audit_game(AdaptiveStream(twin, 2), moves(2), claim, **CUT)
    yield audit_outcome(
        PRIVATE,
        f"N_0=8, T={rounds}, {before} pairs told before, epsilon_AT={waiting}",
        audit_game(AdaptiveStream(learner, rounds), moves(2), claim, **CUT),
        false=false,
    )


@recomputes(HALVED)
def halved(points: int, rounds: int, epsilon: Fraction, delta: Fraction) -> Iterator[Outcome]:
    """Check the delta of `LayeredSOA` against all adaptive adversaries, with four sequences.

    The parameter epsilon_AT equals epsilon. One of the two pairs has learned an example before. So
    the example of the other pair decides whether the one pair of the next layer agrees, and the
    histogram releases its hypothesis with a probability of nearly delta. The threshold is so low
    that the first hypothesis is often dropped.
    """
    parameters = LayeredParameters(1, 4, rounds, (-2, -2), epsilon, epsilon, delta, (1,))
    C = Table([[0], [1]] if points == 1 else list(NONE_OR_ONE))
    learner = FixedCoinsLayers(SOA(C), parameters, history=((0, 1),))
    every, played = moves(points, ordered=False), AdaptiveStream(learner, rounds)
    explored = ExploredGame(played, every, **COARSE)
    total, _ = basic(learner.privacy)
    yield audit_outcome(
        HALVED,
        f"{points} point{'s' * (points > 1)}, N_0=4, T={rounds}, epsilon_AT=epsilon={epsilon}",
        explored.against(learner.privacy),
        false=explored.against((total, delta / 2)),
        hypotheses={
            "at most one challenge is posed": one_challenge(played, Challenge((0, 0), (0, 1))),
            "2^(d+1) divides N_0": parameters.sequences % 2 ** (parameters.depth + 1) == 0,
            "d >= 1": parameters.depth >= 1,
        },
    )


@recomputes(DRAWN)
def drawn(before: int, rounds: int) -> Iterator[Outcome]:
    """Check the privacy of `LayeredSOA` over all draws of pairs, guesses and places."""
    parameters = LayeredParameters(
        1, 4, rounds, (1, 1), Fraction(4), Fraction(4), Fraction(1, 50), (1,)
    )
    base = SOA(Table(list(NONE_OR_ONE)))
    learner = ToldBefore(base, parameters, history=((0, 1),) * before)
    explored = ExploredGame(AdaptiveStream(learner, rounds), moves(2), **CUT)
    epsilon, _ = basic(learner.privacy)
    yield audit_outcome(
        DRAWN,
        f"N_0=4, T={rounds}, {before} of 2 pairs told before, epsilon_AT=4",
        explored.against(learner.privacy),
        false=explored.against((epsilon, 0)),
    )


# ---- games


DELTA = Fraction(1, 10**5)
"""The delta of the learners in the simulated games."""


def played(
    spec: str, epsilon: Fraction, rounds: int, games: int
) -> tuple[Bound, list[int], dict[str, bool]]:
    """Play games against adversaries that present points at which the hypothesis errs.

    Returns
    -------
    tuple
        The bound, the mistakes, and the hypotheses of the theorem, by name.
    """
    C = catalog.build(spec)
    parameters = LayeredParameters.from_theorem(Budget(epsilon, DELTA), 1, rounds)
    learner = LayeredSOA(ConservativeSOA(C), parameters)
    (bound,) = learner.bounds
    mistakes, realizable = [], True
    for seed in range(games):
        adversary = Seeking(C) if seed % 10 == 0 else Repeating(C)
        game = play(learner, adversary, rounds, SeededCoins(seed))
        mistakes.append(game.mistakes)
        realizable &= not C.given(set(game.examples)).is_empty
    return (
        bound,
        mistakes,
        {
            "ldim": C.ldim() == 1,
            "realizable": realizable,
            "delta": -log(DELTA) >= log(rounds),
        },
    )


@recomputes(GAMES, EXPECTED)
def erred(spec: str, epsilon: Fraction, rounds: int, games: int) -> Iterator[Outcome]:
    """Check the mistake bound of `LayeredSOA` for d = 1, which fails with probability 1/20."""
    bound, mistakes, met = played(spec, epsilon, rounds, games)
    assert bound.value is not None
    yield bound_outcome(
        GAMES,
        f"{spec}, epsilon={epsilon}, T={rounds}, adaptive",
        bound,
        mistakes,
        false=bound.value // 2,
        privacy=(epsilon, DELTA),
        hypotheses=met,
    )
    # With probability at most beta, a game exceeds the bound, with at most T mistakes.
    expected = bound.value + Fraction(bound.failure) * rounds
    yield compare(
        EXPECTED,
        f"{spec}, epsilon={epsilon}, T={rounds}, adaptive, {games} games",
        computed=Fraction(sum(mistakes), games),
        stated=expected,
        false=expected / 2,
        privacy=(epsilon, DELTA),
        trivial=rounds,
        hypotheses={name: met[name] for name in ("ldim", "realizable")},
    )


@recomputes(DEEPER)
def deeper(spec: str, rounds: int) -> Iterator[Outcome]:
    """Check the mistake bound of `LayeredSOA` for d = 2, in one long game."""
    C, failure = catalog.build(spec), Fraction(1, 10**6)
    budget = Budget(Fraction(8), Fraction(1, 10**4))
    parameters = LayeredParameters.from_theorem(
        budget, 2, rounds, failure, concepts=len(C.to_table())
    )
    learner, coins = LayeredSOA(ConservativeSOA(C), parameters), SeededCoins(1)
    (bound,) = learner.bounds
    assert bound.value is not None
    game = play(learner, Repeating(C), rounds, coins, keep_points=False)
    yield bound_outcome(
        DEEPER,
        f"{spec}, N_0={parameters.sequences}, T={rounds}, adaptive",
        bound,
        [game.mistakes],
        false=bound.value // 10,
        privacy=budget,
    )


@recomputes(SHARE)
def exceeded(spec: str, epsilon: Fraction, rounds: int, games: int) -> Iterator[Outcome]:
    """Bound the share of games that exceed the mistake bound, at confidence 1 - 10^-6."""
    bound, mistakes, met = played(spec, epsilon, rounds, games)
    assert bound.value is not None

    def limit(value: Fraction | int) -> Fraction:
        above = sum(number > value for number in mistakes)
        return clopper_pearson(above, games, SIGNIFICANCE)[1]

    half = -(bound.value // -2)
    yield compare(
        SHARE,
        f"{spec}, epsilon={epsilon}, T={rounds}, adaptive, {games} games",
        computed=limit(bound.value),
        stated=Fraction(bound.failure),
        twin=limit(half),
        changed=(bound.value, half),
        privacy=(epsilon, DELTA),
        hypotheses=met,
    )


# ---- content of the layers


@recomputes(FIRST)
def first(sequences: int) -> Iterator[Outcome]:
    """Refute the printed number of good pairs of layer 0, which has only N_0/2 pairs."""
    parameters = LayeredParameters(
        1, sequences, 9, (1, 1), Fraction(1), Fraction(1), Fraction(1, 9), (1,)
    )
    learner = LayeredSOA(SOA(Table(list(NONE_OR_ONE))), parameters)
    agreeing = sum(learner._counts(learner._begin(SeededCoins(1)).pairs).values())
    yield compare(
        FIRST,
        f"N_0={sequences}",
        computed=agreeing,
        stated=sequences // 2,
        printed=2 * sequences,
    )


@dataclass(frozen=True)
class _GoingOn(LayeredSOA):
    """A variant without bottom, which continues inconsistent sequences as in [BLM20, Def. 8]."""

    def _guessed(self, pair: SiblingPair, guess: Label) -> MistakeSequence | None:
        x, zero, one = pair.apart
        wrong = zero if guess else one
        return MistakeSequence(wrong.state.observe(x, guess), wrong.mistakes + 1)


@recomputes(PURE)
def pure(sequences: int) -> Iterator[Outcome]:
    """Check that pairs never agree on another hypothesis than the target after d mistakes."""
    parameters = LayeredParameters(
        1, sequences, 9, (1, 1), Fraction(1), Fraction(1), Fraction(1, 9), (1,)
    )

    def mean(learner: LayeredSOA) -> Fraction:
        layer = learner._begin(SeededCoins(1)).pairs
        for _ in range(sequences // 2):
            untold = next(pair for pair in layer if pair is not None and not pair.first.mistakes)
            layer = layer.exchanged(untold, learner._extended(untold, 0, 1))

        def others(coins: Coins) -> int:
            counts = learner._counts(learner._updated(0, layer, coins))
            return sum(
                count for h, count in counts.items() if tuple(map(h, range(2))) != NONE_OR_ONE[1]
            )

        law = exact_distribution(others)
        return sum((law.rational(value) * value for value in law), Fraction(0))

    base = SOA(Table(list(NONE_OR_ONE)))
    yield compare(
        PURE,
        f"N_0={sequences}",
        computed=mean(LayeredSOA(base, parameters)),
        stated=0,
        twin=mean(_GoingOn(base, parameters)),
        hypotheses={"the number of sequences is even": sequences % 2 == 0},
    )


def checks() -> list[ClaimCheck]:
    """Return the checks: audits, exact distributions and games, with small instances first."""
    tiny = Fraction(1, 10**6)
    return [
        ClaimCheck(TOPIC, private, (3, 2, Fraction(8), Fraction(4))),
        ClaimCheck(TOPIC, halved, (1, 3, Fraction(1), Fraction(1, 100))),
        ClaimCheck(TOPIC, drawn, (1, 2)),
        *printed.checks(TOPIC),
        ClaimCheck(TOPIC, unreleased, (Fraction(2), Fraction(1, 10**4), 10**4)),
        ClaimCheck(TOPIC, kept, (256, 3)),
        ClaimCheck(TOPIC, kept, (512, 2)),
        *kept_counts.checks(TOPIC),
        ClaimCheck(TOPIC, split, (24, (8, 4))),
        ClaimCheck(TOPIC, split, (96, (32, 16))),
        ClaimCheck(TOPIC, erred, ("points:n=2^64", Fraction(1), 1000, 8)),
        # The N_0 that the conditions in the proof of [LWY25, Lemma B.3] require, and the least N_0.
        ClaimCheck(TOPIC, first, (85622571164820624,)),
        ClaimCheck(TOPIC, first, (8,)),
        ClaimCheck(TOPIC, pure, (4,)),
        ClaimCheck(TOPIC, pure, (8,)),
        *remarks.checks(TOPIC),
        ClaimCheck(TOPIC, halved, (2, 3, Fraction(1), Fraction(1, 100)), slow=True),
        ClaimCheck(TOPIC, unreleased, (Fraction(1), tiny, 10**6), slow=True),
        ClaimCheck(TOPIC, private, (3, 2, Fraction(4), Fraction(4)), slow=True),
        ClaimCheck(TOPIC, private, (3, 4, Fraction(8), Fraction(4)), slow=True),
        *(ClaimCheck(TOPIC, private, (3, 3, Fraction(e), Fraction(4)), slow=True) for e in (1, 8)),
        ClaimCheck(TOPIC, exceeded, ("points:n=2^64", Fraction(8), 300, 3000), slow=True),
        ClaimCheck(TOPIC, deeper, ("thresholds:n=3", 6_200_000), slow=True),
        ClaimCheck(TOPIC, erred, ("points:n=2^64", Fraction(8), 300, 40), slow=True),
        ClaimCheck(TOPIC, erred, ("points:n=2^64", Fraction(1), 10**4, 100), slow=True),
        ClaimCheck(TOPIC, erred, ("affine:q=3,n=2,k=0", Fraction(4), 2000, 100), slow=True),
    ]
