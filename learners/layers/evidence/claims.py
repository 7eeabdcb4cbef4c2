"""The layered learner [LWY25, section 3]: its privacy as a game, laws of layers, and mistakes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

import numpy as np
from flint import arb, ctx

import catalog
from learners.accounting import basic
from learners.audit import ExploredGame, audit_game, clopper_pearson
from learners.audit.claims import Cut
from learners.balls import ball
from learners.bounds import SIGNIFICANCE, Bound
from learners.budget import Budget
from learners.coins import Coins, SeededCoins
from learners.exact import PRECISION, exact_law
from learners.games import AdaptiveStream, Ask, Challenge, Move
from learners.layers.algorithm import Layer, LayeredSOA, MistakeSequence, SiblingPair
from learners.layers.evidence.instances import FixedCoinsLayers, NumberedPairs
from learners.layers.laws import kept_pairs
from learners.layers.plan import EARLY, UNRELEASED, LayeredParameters
from learners.mechanisms.histograms import BoundedHistogram
from learners.multiset import Multiset
from learners.playing.adversaries import Repeating, Seeking
from learners.playing.play import play
from learners.verify import Claim, ClaimCheck, Outcome, audited, checked, compare, recomputes
from lsclasses.points import Label, Point
from lsclasses.soa import SOA, ConservativeSOA
from lsclasses.table import Table

__all__ = ["TwoPairs", "checks"]


TOPIC = "layered"

PRIVATE = Claim(
    "privacy of LayeredSOA, given its choices, against adaptive inputs",
    "(epsilon_AT + epsilon, delta)",
    source="learners.layers.algorithm, for [LWY25, Lemma B.2]",
    statements=("LWY25 Lemma B.2", "LWY25 Alg 2"),
    falsified="an example is told to two pairs",
)
DRAWN = Claim(
    "privacy of LayeredSOA, its choices drawn, against adaptive inputs",
    "(epsilon_AT + epsilon, delta)",
    source="learners.layers.algorithm, for [LWY25, Lemma B.2]",
    statements=PRIVATE.statements,
    falsified="(epsilon_AT + epsilon, 0)",
)
UNRELEASED_AT = Claim(
    "P[the one hypothesis that is left is not released after R mistakes], d = 1",
    "2 beta/5",
    source="docs/private-online.md, Theorem P",
    statements=("LWY25 Lemma B.3",),
    falsified="after R/2 mistakes",
)
GAMES = Claim(
    "mistakes of LayeredSOA, d = 1",
    "tau + late",
    source="docs/private-online.md, Theorem P, for [LWY25, Thm 3.1]",
    statements=("LWY25 Thm 1.1", "LWY25 Thm 3.1", "LWY25 Lemma B.3"),
    falsified="(tau + late)/2",
)
DEEPER = Claim(
    "mistakes of LayeredSOA, d = 2",
    "the sum over layers of lists times tau + late",
    source="docs/private-online.md, the recursion, for [LWY25, Thm 3.1]",
    statements=GAMES.statements,
    falsified="a tenth of it",
)
SHARE = Claim(
    "share of games with more mistakes than tau + late, upper limit at confidence 1 - 10^-6, d = 1",
    "beta",
    source="docs/private-online.md, Theorem P, for [LWY25, Thm 3.1]",
    statements=GAMES.statements,
    falsified="more than (tau + late)/2",
)
KEPT = Claim(
    "P[Update keeps fewer good pairs than the recursion says] exp(Lambda)/8",
    "1",
    source="docs/private-online.md, the recursion",
    statements=("LWY25 Lemma B.3",),
    falsified="fewer than the mean",
)
LEMMA = Claim(
    "worst P[Update keeps at most (M/2 - r_1)^2/(6N) - r_2 good pairs] over what is allowed",
    "1",
    source="[LWY25, Lemma B.1]",
    statements=("LWY25 Lemma B.1", "LWY25 Alg 1"),
    falsified="with (M - r_1)^2/(6N)",
)
BOTH = Claim(
    "worst P[Update keeps too few good pairs of one of two concepts] over twice what is allowed",
    "1",
    source=LEMMA.source,
    falsified="with (3M/2 - r_1)^2/(6N)",
)
SPLIT = Claim(
    "mean number of good pairs of U right sequences at N places",
    "U^2/(6N)",
    relation=">=",
    source="[LWY25, Lemma B.1]",
    falsified="U^2/N",
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
    falsified="if the learner goes on where no concept fits",
)

CUT: Cut = {"tail": Fraction(1, 2**20), "resolution": Fraction(1, 10**4)}
NONE_OR_ONE = ((0, 0), (1, 0), (0, 1))
"""A class of Littlestone dimension 1 on two points."""


# ---- privacy


@dataclass(frozen=True)
class TwoPairs(FixedCoinsLayers):
    """A twin that gives every example to one sibling of each of two pairs."""

    def _with_example(self, pairs: Any, point: Point, label: Label, coins: Coins) -> Any:
        one, two, three, four = pairs.pairs
        one, three = (self._extended(pair, point, label) for pair in (one, three))
        return NumberedPairs((one, two, three, four), pairs.played + 1)


@dataclass(frozen=True)
class ToldBefore(LayeredSOA):
    """`LayeredSOA` with all its choices, some pairs of which were told an example each before."""

    history: tuple[tuple[Point, Label], ...] = ()

    def _begin(self, coins: Coins) -> Layer:
        layer = super()._begin(coins)
        ((pair, alike),) = layer.pairs.items()
        untold = Counter({pair: alike - len(self.history)})
        told = Counter(self._extended(pair, *example) for example in self.history)
        return replace(layer, pairs=Multiset(untold + told))


def moves(points: int) -> list[Move]:
    """All examples, and all challenges of two of them."""
    examples = list(product(range(points), (0, 1)))
    listed: list[Move] = [Ask(example) for example in examples]
    return listed + [Challenge(x, y) for x, y in product(examples, repeat=2) if x != y]


@recomputes(PRIVATE)
def private(before: int, rounds: int, waiting: Fraction, epsilon: Fraction) -> Iterator[Outcome]:
    """All adaptive adversaries on two points, eight sequences, with some pairs informed before."""
    parameters = LayeredParameters(1, 8, rounds, (1, 1), waiting, epsilon, Fraction(1, 50), (1,))
    base, hit, miss = SOA(Table(list(NONE_OR_ONE))), (0, 1), (0, 0)
    learner = FixedCoinsLayers(base, parameters, history=(hit,) * before)
    twin = TwoPairs(base, parameters, history=(hit, miss, hit))
    claim = learner.privacy
    false = audit_game(AdaptiveStream(twin, 2), moves(2), claim, **CUT)
    yield audited(
        PRIVATE,
        f"N_0=8, T={rounds}, {before} pairs told before, epsilon_AT={waiting}",
        audit_game(AdaptiveStream(learner, rounds), moves(2), claim, **CUT),
        false=false,
    )


@recomputes(DRAWN)
def drawn(before: int, rounds: int) -> Iterator[Outcome]:
    """All adaptive adversaries on two points, and all draws of pairs, guesses and places."""
    parameters = LayeredParameters(
        1, 4, rounds, (1, 1), Fraction(4), Fraction(4), Fraction(1, 50), (1,)
    )
    base = SOA(Table(list(NONE_OR_ONE)))
    learner = ToldBefore(base, parameters, history=((0, 1),) * before)
    explored = ExploredGame(AdaptiveStream(learner, rounds), moves(2), **CUT)
    epsilon, _ = basic(learner.privacy)
    yield audited(
        DRAWN,
        f"N_0=4, T={rounds}, {before} of 2 pairs told before, epsilon_AT=4",
        explored.against(learner.privacy),
        false=explored.against((epsilon, 0)),
    )


# ---- the laws of a layer


def occupied(cells: int, draws: int) -> list[arb]:
    """P[k of the cells are hit by uniform draws], k = 0, 1, ..., by inclusion and exclusion."""
    with ctx.workprec(16 * (cells + draws)):
        powers = [ball(Fraction(j, cells)) ** draws for j in range(cells + 1)]
        return [
            comb(cells, hit)
            * sum(((-1) ** (hit - j) * comb(hit, j) * powers[j] for j in range(hit + 1)), arb(0))
            for hit in range(cells + 1)
        ]


def together(places: int, right: int) -> list[Fraction]:
    """P[k pairs of places are both taken], k = 0, 1, ..., if `right` places are, uniformly."""
    pairs = places // 2
    return [
        Fraction(
            comb(pairs, both) * comb(pairs - both, right - 2 * both) << (right - 2 * both),
            comb(places, right),
        )
        if right - 2 * both >= 0 and pairs - both >= right - 2 * both
        else Fraction(0)
        for both in range(pairs + 1)
    ]


def not_released(pairs: int, mistakes: int, histogram: BoundedHistogram) -> arb:
    """The probability of `release_failures`, by sums over closed forms."""
    bound = histogram.bound
    q = (-ball(histogram.unit)).exp()
    whole = sum((q ** abs(z) for z in range(-bound, bound + 1)), arb(0))

    def too_few(both: int) -> arb:
        """P[both + Z < t + 1]; what does not occur is never released."""
        below = range(-bound, min(bound, bound - both) + 1)
        return arb(1) if not both else sum((q ** abs(z) for z in below), arb(0)) / whole

    with ctx.workprec(PRECISION):
        chances = [too_few(both) for both in range(2 * bound + 1)]
        given_right = [
            sum(
                (
                    ball(p) * chance
                    for p, chance in zip(together(pairs, right), chances, strict=False)
                ),
                arb(0),
            )
            for right in range(pairs + 1)
        ]
        hits = occupied(pairs, mistakes)
        found = arb(0)
        for hit, weight in enumerate(hits):
            guessed = sum(
                (comb(hit, right) * given_right[right] for right in range(hit + 1)), arb(0)
            )
            found += weight * guessed / arb(2) ** hit
        return found


@recomputes(UNRELEASED_AT)
def unreleased(epsilon: Fraction, delta: Fraction, rounds: int) -> Iterator[Outcome]:
    """Occupancy, binomial and matching laws in closed form, at the theorem's parameters."""
    parameters = LayeredParameters.from_theorem(Budget(epsilon, delta), 1, rounds)
    assert parameters.histogram is not None
    early = parameters.counter(0).early(rounds, EARLY * parameters.failure)
    mistakes = parameters.thresholds[0] - early
    pairs = parameters.pairs(0)
    yield compare(
        UNRELEASED_AT,
        f"epsilon={epsilon}, delta={delta}, T={rounds}: N_0={2 * pairs}, R={mistakes}",
        computed=not_released(pairs, mistakes, parameters.histogram),
        stated=UNRELEASED * parameters.failure,
        twin=not_released(pairs, mistakes // 2, parameters.histogram),
        privacy=(epsilon, delta),
    )


def guessed(hits: np.ndarray) -> np.ndarray:
    """The law of the number of right guesses, given that of the number of guesses."""
    right, row = np.zeros(len(hits)), np.zeros(len(hits))
    row[0] = 1.0
    for weight in hits:
        right += weight * row
        row = (row + np.r_[0.0, row[:-1]]) / 2
    return right


def taken_pairs(places: int) -> Iterator[np.ndarray]:
    """The law of the number of pairs of places that are both taken, after 0, 1, ... places."""
    law = np.zeros(places // 2 + 1)
    law[0] = 1.0
    twice = 2 * np.arange(places // 2 + 1)
    for placed in range(places + 1):
        yield law
        if placed < places:
            # No differences: what cannot happen has to stay 0.
            alone = np.maximum(placed - twice, 0)
            meets = law * alone / (places - placed)
            law = law * np.maximum(places - placed - alone, 0) / (places - placed)
            law[1:] += meets[:-1]


def met(right: np.ndarray) -> np.ndarray:
    """The law of the complete pairs, given the law of the number of places taken."""
    both: np.ndarray = sum(
        weight * law for weight, law in zip(right, taken_pairs(len(right) - 1), strict=True)
    )
    return both


@recomputes(KEPT)
def kept(pairs: int, coverage: int) -> Iterator[Outcome]:
    """All pairs good and alike, with one hypothesis after Update: exact laws, several Lambda."""
    mistakes = coverage * pairs
    hits, share = np.zeros(pairs + 1), np.arange(pairs + 1) / pairs
    hits[0] = 1.0
    for _ in range(mistakes):
        hits = hits * share + np.r_[0.0, (hits * (1 - share))[:-1]]
    law = met(guessed(hits))
    mean = int(law @ np.arange(len(law)))
    worst = twin = 0.0
    for deviation in range(2, 13):
        allowed = 8 * float(np.exp(-deviation))
        least = kept_pairs(pairs, 2 * pairs, mistakes, ball(deviation), last=True)
        worst = max(worst, float(law[:least].sum()) / allowed)
        twin = max(twin, float(law[:mean].sum()) / allowed)
    yield compare(
        KEPT,
        f"N={2 * pairs}, R={mistakes}, Lambda=2, ..., 12",
        computed=Fraction(worst).limit_denominator(10**9),
        stated=1,
        twin=Fraction(twin).limit_denominator(10**9),
    )


@recomputes(LEMMA)
def lemma(size: int) -> Iterator[Outcome]:
    """All pairs different, right sequences with one hypothesis: the exact law, all r_1, r_2.

    The least number of good pairs that is promised matters, so r_2 is what is left for it.
    """
    n = size // 2
    hits = np.zeros(n + 1)
    hits[n] = 1.0
    below = np.cumsum(met(guessed(hits)))

    def worst(of: int) -> float:
        """With (M/of - r_1)^2/(6 N) in place of (M/2 - r_1)^2/(6 N)."""
        found = 0.0
        for r_1 in range(1, n // 2 - 5, max(1, n // 512)):
            top = (n / of - r_1) ** 2 / (6 * n)
            least = np.arange(min(int(np.ceil(top)), len(below)))
            r_2 = top - least
            allowed = np.exp(-2 * r_1**2 / n) + np.exp(-2 * r_2**2 / (9 * n))
            if len(least):
                found = max(found, float((below[least] / allowed).max()))
        return found

    yield compare(
        LEMMA,
        f"N_s={size}, M={n}, one concept",
        computed=Fraction(worst(2)).limit_denominator(10**9),
        stated=1,
        twin=Fraction(worst(1)).limit_denominator(10**9),
    )


@recomputes(BOTH)
def both_concepts(size: int) -> Iterator[Outcome]:
    """All pairs different, and at each point exactly one of two guessed right.

    So u sequences are right for one of them and n - u for the other. If x pairs of places are taken
    by the first alone, n/2 - u + x are by the second: the lesser is at most c if x <= c + (u -
    n/2)_+.
    """
    n = size // 2
    chances = guessed(np.eye(n + 1)[n])
    below = np.zeros(n // 2 + 1)
    for right, law in enumerate(taken_pairs(n)):
        shift = max(0, right - n // 2)
        below += chances[right] * np.append(np.cumsum(law), np.ones(shift))[shift:][: n // 2 + 1]

    def worst(share: float) -> float:
        found = 0.0
        for r_1 in range(1, n // 2 - 5, max(1, n // 512)):
            top = (share * n - r_1) ** 2 / (6 * n)
            least = np.arange(min(int(np.ceil(top)), len(below)))
            allowed = np.exp(-2 * r_1**2 / n) + np.exp(-2 * (top - least) ** 2 / (9 * n))
            if len(least):
                found = max(found, float((below[least] / allowed).max()) / 2)
        return found

    yield compare(
        BOTH,
        f"N_s={size}, M={n}, two concepts that differ everywhere",
        computed=Fraction(worst(1 / 2)).limit_denominator(10**9),
        stated=1,
        twin=Fraction(worst(3 / 2)).limit_denominator(10**9),
    )


@recomputes(SPLIT)
def split(n: int, groups: tuple[int, int]) -> Iterator[Outcome]:
    """The exact law of Update, if right sequences have one of two hypotheses at random places.

    Good are the pairs that differ again, or those that agree on the commoner hypothesis; one of
    the two has to be many. The mean of the larger is at least that of the one the proof takes.
    """
    # States: places taken alone, by group, and pairs by kind; sequences come one by one.
    states: dict[tuple[int, int, int, int, int], Fraction] = {(0, 0, 0, 0, 0): Fraction(1)}
    for group, count in enumerate(groups):
        for _ in range(count):
            after: dict[tuple[int, int, int, int, int], Fraction] = {}
            for (a, b, mixed, one, two), weight in states.items():
                free = n - (a + b) - 2 * (mixed + one + two)
                options = [
                    (a, (a - 1, b, mixed + (group == 1), one + (group == 0), two)),
                    (b, (a, b - 1, mixed + (group == 0), one, two + (group == 1))),
                    (free - a - b, (a + (group == 0), b + (group == 1), mixed, one, two)),
                ]
                for ways, state in options:
                    if ways > 0:
                        share = weight * Fraction(ways, free)
                        after[state] = after.get(state, Fraction(0)) + share
            states = after
    mean = sum(
        (weight * max(mixed, one, two) for (_, _, mixed, one, two), weight in states.items()),
        Fraction(0),
    )
    right = sum(groups)
    yield compare(
        SPLIT,
        f"N={n}, hypotheses of {groups[0]} and {groups[1]}",
        computed=mean,
        stated=Fraction(right * right, 6 * n),
        false=Fraction(right * right, n),
    )


# ---- games


DELTA = Fraction(1, 10**4)
"""Of the games."""


def played(spec: str, epsilon: Fraction, rounds: int, games: int) -> tuple[Bound, list[int]]:
    """Games against adversaries that keep asking points where the hypothesis errs."""
    C = catalog.build(spec)
    parameters = LayeredParameters.from_theorem(Budget(epsilon, DELTA), 1, rounds)
    learner = LayeredSOA(ConservativeSOA(C), parameters)
    (bound,) = learner.bounds
    return bound, [
        play(
            learner,
            Seeking(C) if seed % 10 == 0 else Repeating(C),
            rounds,
            SeededCoins(seed),
            keep_points=False,
        ).mistakes
        for seed in range(games)
    ]


@recomputes(GAMES)
def erred(spec: str, epsilon: Fraction, rounds: int, games: int) -> Iterator[Outcome]:
    """The mistakes against the bound, which a game exceeds with probability at most 1/20."""
    bound, mistakes = played(spec, epsilon, rounds, games)
    assert bound.value is not None
    yield checked(
        GAMES,
        f"{spec}, epsilon={epsilon}, T={rounds}, adaptive",
        bound,
        mistakes,
        false=bound.value // 2,
        privacy=(epsilon, DELTA),
    )


@recomputes(DEEPER)
def deeper(spec: str, rounds: int) -> Iterator[Outcome]:
    """A game long enough for a non-vacuous bound, with the failure of a single game."""
    C, epsilon, failure = catalog.build(spec), Fraction(8), Fraction(1, 10**6)
    parameters = LayeredParameters.from_theorem(
        Budget(epsilon, DELTA), 2, rounds, failure, concepts=len(C.to_table())
    )
    learner, coins = LayeredSOA(ConservativeSOA(C), parameters), SeededCoins(1)
    (bound,) = learner.bounds
    assert bound.value is not None
    game = play(learner, Repeating(C), rounds, coins, keep_points=False)
    yield checked(
        DEEPER,
        f"{spec}, N_0={parameters.sequences}, T={rounds}, adaptive",
        bound,
        [game.mistakes],
        false=bound.value // 10,
        privacy=(epsilon, DELTA),
    )


@recomputes(SHARE)
def exceeded(spec: str, epsilon: Fraction, rounds: int, games: int) -> Iterator[Outcome]:
    """A bound on the share of games above the bound, with confidence 1 - 10^-6."""
    bound, mistakes = played(spec, epsilon, rounds, games)
    assert bound.value is not None

    def limit(value: Fraction | int) -> Fraction:
        above = sum(number > value for number in mistakes)
        return clopper_pearson(above, games, SIGNIFICANCE)[1]

    yield compare(
        SHARE,
        f"{spec}, epsilon={epsilon}, T={rounds}, adaptive, {games} games",
        computed=limit(bound.value),
        stated=Fraction(bound.failure),
        twin=limit(bound.value // 2),
        privacy=(epsilon, DELTA),
    )


# ---- what the layers hold


@recomputes(FIRST)
def first(sequences: int) -> Iterator[Outcome]:
    """The first layer, all of whose pairs agree; there are no more pairs."""
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
    """A twin without bottom: if no concept fits, it continues as in [BLM20, Def. 8]."""

    def _guessed(self, pair: SiblingPair, guess: Label) -> MistakeSequence | None:
        x, zero, one = pair.apart
        wrong = zero if guess else one
        return MistakeSequence(wrong.state.observe(x, guess), wrong.mistakes + 1)


@recomputes(PURE)
def pure(sequences: int) -> Iterator[Outcome]:
    """The mean over Update's choices, in a first layer whose pairs all learned (0, 1)."""
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

        law = exact_law(others)
        return sum((law.rational(value) * value for value in law), Fraction(0))

    base = SOA(Table(list(NONE_OR_ONE)))
    yield compare(
        PURE,
        f"N_0={sequences}",
        computed=mean(LayeredSOA(base, parameters)),
        stated=0,
        twin=mean(_GoingOn(base, parameters)),
    )


def checks() -> list[ClaimCheck]:
    """Audits, laws and games; small first."""
    tiny = Fraction(1, 10**6)
    return [
        ClaimCheck(TOPIC, private, (3, 2, Fraction(4), Fraction(4))),
        ClaimCheck(TOPIC, drawn, (1, 2)),
        ClaimCheck(TOPIC, unreleased, (Fraction(8), Fraction(1, 10**4), 10**4)),
        ClaimCheck(TOPIC, kept, (256, 3)),
        ClaimCheck(TOPIC, kept, (512, 2)),
        ClaimCheck(TOPIC, lemma, (1 << 12,)),
        ClaimCheck(TOPIC, both_concepts, (1 << 12,)),
        ClaimCheck(TOPIC, split, (12, (3, 3))),
        ClaimCheck(TOPIC, split, (24, (8, 4))),
        ClaimCheck(TOPIC, erred, ("points:n=2^64", Fraction(8), 300, 40)),
        # The N_0 that the conditions in the proof of [LWY25, Lemma B.3] ask for, and the least one.
        ClaimCheck(TOPIC, first, (85622571164820624,)),
        ClaimCheck(TOPIC, first, (8,)),
        ClaimCheck(TOPIC, pure, (4,)),
        ClaimCheck(TOPIC, pure, (8,)),
        ClaimCheck(TOPIC, lemma, (1 << 14,), slow=True),
        ClaimCheck(TOPIC, unreleased, (Fraction(1), tiny, 10**6), slow=True),
        ClaimCheck(TOPIC, private, (3, 4, Fraction(8), Fraction(4)), slow=True),
        *(ClaimCheck(TOPIC, private, (3, 3, Fraction(e), Fraction(4)), slow=True) for e in (1, 8)),
        ClaimCheck(TOPIC, exceeded, ("points:n=2^64", Fraction(8), 300, 3000), slow=True),
        ClaimCheck(TOPIC, deeper, ("thresholds:n=3", 6_200_000), slow=True),
        ClaimCheck(TOPIC, erred, ("points:n=2^64", Fraction(1), 10**4, 100), slow=True),
        ClaimCheck(TOPIC, erred, ("affine:q=3,n=2,k=0", Fraction(4), 2000, 100), slow=True),
    ]
