"""Algorithms 1 and 2 of [LWY25], transcribed with lists of sequences and compared with the code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb, ctx

import catalog
from learners.balls import ball
from learners.budget import Budget
from learners.claim_checks import Claim, ClaimCheck, Outcome, compare, recomputes
from learners.coins import Coins
from learners.exact import PRECISION, OutputDistribution, exact_distribution
from learners.layers.algorithm import Kind, Layer, LayeredSOA, MistakeSequence, SiblingPair
from learners.layers.plan import LayeredParameters
from learners.mechanisms.sparse_vector import CumulativeRun
from learners.multiset import Multiset
from lsclasses.hypothesis import Hypothesis
from lsclasses.point_names import Label, Point
from lsclasses.soa import SOA
from lsclasses.table import Table

UPDATED = Claim(
    "distance of the distributions of the next layer, by Update and by Algorithm 1 with lists",
    "10^-12",
    source="[LWY25, Alg 1]",
    falsified="with every sequence at the place of its pair",
    incorrect_object=True,
)
ROUND = Claim(
    "distance of the distributions of the next state, by LayeredSOA and by Algorithm 2 with lists, "
    "at equal thresholds, cuts and noise",
    "10^-5",
    source="[LWY25, Alg 2]",
    falsified="with the example for both sequences of a pair",
    incorrect_object=True,
)
NUMBERS = Claim(
    "largest distance of a threshold N_s + 8 (ln T + ln(6T/beta))/epsilon_0 and of a cut 3 M_s/4 "
    "from the numbers of the printed rule",
    "1",
    source="[LWY25, Alg 2]",
    falsified="with cuts M_s/2",
)

TAIL = Fraction(1, 2**20)
"""Largest probability of the noise that is cut off."""
SINGLE = Table([[0, 0], [1, 0], [0, 1]])
"""The class of functions on two points that are 1 at no point or at one point, so d = 1."""

Example = tuple[Point, Label]
Examples = tuple[Example, ...] | None
"""Sequence of examples, or None for bottom."""
Labels = tuple[int, ...]


@dataclass(frozen=True)
class PrintedLayers:
    """[LWY25, Alg 1 and 2] as they are printed, with lists of sequences.

    Sequences that no concept of the class is consistent with are bottom. When all lists are empty,
    the algorithm halts. Then this transcription, like the code, publishes the last hypothesis.

    Parameters
    ----------
    C : Table
        Concept class.
    parameters : LayeredParameters
        Thresholds, cuts and noise, which are the parameters of the code.
    permuted : bool
        Whether Update permutes the sequences.
    both : bool
        Whether the second sequence of a pair receives the example, too, which is incorrect.
    """

    C: Table
    parameters: LayeredParameters
    permuted: bool = True
    both: bool = False

    def soa(self, examples: Examples) -> Labels | None:
        """Return the labels of the SOA after the examples, or None for bottom."""
        if examples is None:
            return None
        left = self.C.given(examples)
        return None if left.is_empty else tuple(left.soa()(x) for x in self.C.domain)

    def start(self, coins: Coins) -> Any:
        """Return the first state [LWY25, Alg 2 lines 1 to 4]."""
        layer = ((),) * self.parameters.sequences
        return 0, layer, (self.soa(()),), self.soa(()), self._counter(0, coins)

    def _counter(self, s: int, coins: Coins) -> tuple[int, int]:
        scale = 1 / self.parameters.waiting_epsilon
        return self.parameters.thresholds[s] + coins.laplace(scale), 0

    def answer(self, state: Any, example: Example, coins: Coins) -> tuple[Any, Hashable]:
        """Return the state after a round, and the next published hypothesis."""
        (s, layer, listed, shown, counter), (x, y) = state, example
        if counter is None:
            return state, shown
        i = 2 * coins.below(len(layer) // 2)  # [LWY25, Alg 2 line 7]
        layer = (*layer[:i], *self.extended(layer[i], layer[i + 1], example), *layer[i + 2 :])
        threshold, total = counter
        total += shown[self.C.domain.index(x)] != y  # line 12
        counter = threshold, total
        if coins.at_least(total, 1 / self.parameters.waiting_epsilon, threshold):  # line 13
            s, layer, listed, shown = self.following(s, layer, listed, shown, coins)
            counter = self._counter(s, coins) if listed else None  # line 23
        return (s, layer, listed, shown, counter), shown

    def extended(
        self, first: Examples, second: Examples, example: Example
    ) -> tuple[Examples, Examples]:
        """Return a pair of sequences after an example [LWY25, Alg 2 lines 8 and 9]."""
        labels, (x, y) = self.soa(first), example
        if first is None or labels is None or labels != self.soa(second):
            return first, second
        if labels[self.C.domain.index(x)] == y:
            return first, second
        longer = (*first, example)
        return longer, longer if self.both else second

    def following(
        self, s: int, layer: Sequence[Examples], listed: Any, shown: Any, coins: Coins
    ) -> Any:
        """Return the state after the first hypothesis of the list is removed."""
        listed = listed[1:]  # [LWY25, Alg 2 line 14]
        while s < self.parameters.depth and not listed:  # line 15
            layer, s = self.update(layer, coins), s + 1  # lines 16 and 17
            agreed = Counter(  # line 18
                labels
                for one, two in zip(layer[::2], layer[1::2], strict=True)
                if (labels := self.soa(one)) is not None and labels == self.soa(two)
            )
            histogram = self.parameters.histogram
            assert histogram is not None
            released = histogram.release(agreed, coins)  # line 19
            cut = self.parameters.cuts[s - 1]
            listed = tuple(h for h, count in released if count >= cut)  # line 20
        return s, layer if listed else (), listed, listed[0] if listed else shown

    def update(self, layer: Sequence[Examples], coins: Coins) -> tuple[Examples, ...]:
        """Return the sequences of the next layer [LWY25, Alg 1]."""
        size = len(layer) // 2  # line 1
        after: list[Examples] = [None] * size  # line 2
        order = coins.shuffle(size) if self.permuted else range(size)  # line 3
        for i, (one, two) in enumerate(zip(layer[::2], layer[1::2], strict=True)):  # line 4
            first, second = self.soa(one), self.soa(two)
            if one is None or two is None or first is None or second is None or first == second:
                continue  # line 5
            j = next(j for j in range(len(first)) if first[j] != second[j])
            guess = coins.below(2)  # line 6
            wrong = one if first[j] != guess else two
            after[order[i]] = (*wrong, (self.C.domain[j], guess))  # line 7
        return tuple(after)

    def hypotheses(self, layer: Sequence[Examples]) -> tuple[Any, ...]:
        """Return the hypotheses of all pairs in a canonical order, or None with a bottom."""
        pairs = (
            (self.soa(one), self.soa(two)) for one, two in zip(layer[::2], layer[1::2], strict=True)
        )
        return tuple(sorted((None if None in pair else pair for pair in pairs), key=repr))


def labels_of(h: Hypothesis) -> Labels:
    """Return the labels of a hypothesis on its domain."""
    return tuple(h(x) for x in h.domain)


def hypotheses_of(pairs: Multiset[Kind]) -> tuple[Any, ...]:
    """Return `PrintedLayers.hypotheses` of the pairs of a layer of the code."""
    found = (
        None
        if pair is None
        else tuple(labels_of(each.state.hypothesis) for each in (pair.first, pair.second))
        for pair in Counter(pairs).elements()
    )
    return tuple(sorted(found, key=repr))


def mistakes_among(
    C: Table, most: int, examples: Sequence[Example]
) -> tuple[Examples, MistakeSequence | None]:
    """Return the examples on which the SOA errs, as a sequence and as a state of the code."""
    kept: tuple[Example, ...] = ()
    state: MistakeSequence | None = MistakeSequence(SOA(C))
    for x, y in examples:
        if state is not None and state.state.predict(x) != y:
            kept, state = (*kept, (x, y)), state.after(x, y, most)
    return kept, state


def both_layers(
    C: Table, most: int, pairs: Sequence[Any]
) -> tuple[tuple[Examples, ...], Multiset[Kind]]:
    """Return a layer of sibling pairs of example sequences, in two representations.

    The first representation lists all sequences that remain, as in Algorithm 1 of [LWY25]. The
    second representation is the multiset of pairs that the production code stores.
    """
    rows = [[mistakes_among(C, most, each) for each in pair] for pair in pairs]
    kinds: Counter[Kind] = Counter()
    for (_, one), (_, two) in rows:
        kinds[None if one is None or two is None else SiblingPair(one, two)] += 1
    return tuple(kept for row in rows for kept, _ in row), Multiset(kinds)


def distance(one: OutputDistribution[Any], other: OutputDistribution[Any]) -> arb:
    """Return the largest difference of the probabilities of an outcome."""
    worst = arb(0)
    for outcome in {*one, *other}:
        worst = worst.max(abs(one.get(outcome, arb(0)) - other.get(outcome, arb(0))))
    return worst


@recomputes(UPDATED)
def updated(spec: str, examples: Sequence[tuple[Examples, Examples]]) -> Iterator[Outcome]:
    """Compare Update with Algorithm 1 of [LWY25], by the distribution of the next layer."""
    C = catalog.build(spec).to_table()
    depth, unit = C.ldim(), Fraction(1)
    sequences = 2 * len(examples)
    parameters = LayeredParameters(
        depth, sequences, 9, (1,) * (depth + 1), unit, unit, unit / 100, (1,) * depth
    )
    layer, kinds = both_layers(C, depth, examples)
    learner = LayeredSOA(SOA(C), parameters)
    law = exact_distribution(lambda coins: learner._updated(0, kinds, coins)).map(hypotheses_of)

    def apart(printed: PrintedLayers) -> arb:
        other = exact_distribution(lambda coins: printed.update(layer, coins))
        return distance(law, other.map(printed.hypotheses))

    yield compare(
        UPDATED,
        f"{spec}, {sequences} sequences of mistakes",
        computed=apart(PrintedLayers(C, parameters)),
        stated=Fraction(1, 10**12),
        twin=apart(PrintedLayers(C, parameters, permuted=False)),
        hypotheses={"the number of sequences is even": len(layer) % 2 == 0},
    )


@recomputes(ROUND)
def rounds(layer: Sequence[tuple[Examples, Examples]], threshold: int) -> Iterator[Outcome]:
    """Compare a round of `LayeredSOA` with Algorithm 2 of [LWY25], for a noisy threshold."""
    one, delta, x, y = Fraction(1), Fraction(1, 100), 0, 1
    parameters = LayeredParameters(1, 2 * len(layer), 9, (0, 0), one, one, delta, (1,))
    learner = LayeredSOA(SOA(SINGLE), parameters)
    first, (listed, kinds) = SOA(SINGLE).hypothesis, both_layers(SINGLE, 1, layer)
    run = CumulativeRun(parameters.counter(0), threshold)

    def code(coins: Coins) -> Hashable:
        after = learner._receive(Layer(0, kinds, first, (), run), x, y, coins)
        waiting = tuple(map(labels_of, after.waiting))
        counter = after.run and (after.run.noisy_threshold, after.run.total)
        shown = labels_of(after.hypothesis)
        return after.number, hypotheses_of(after.pairs), waiting, shown, counter

    law = exact_distribution(code, tail=TAIL)

    def apart(printed: PrintedLayers) -> arb:
        shown = labels_of(first)

        def transcribed(coins: Coins) -> Hashable:
            state = 0, listed, (shown,), shown, (threshold, 0)
            (s, left, names, current, counter), _ = printed.answer(state, (x, y), coins)
            return s, printed.hypotheses(left), names[1:], current, counter

        return distance(law, exact_distribution(transcribed, tail=TAIL))

    yield compare(
        ROUND,
        f"N_0={2 * len(layer)}, d=1, noisy threshold {threshold}, epsilon_AT=epsilon=1",
        computed=apart(PrintedLayers(SINGLE, parameters)),
        stated=Fraction(1, 10**5),
        twin=apart(PrintedLayers(SINGLE, parameters, both=True)),
        privacy=(2, delta),
        hypotheses={
            "2^(d+1) divides N_0": parameters.sequences % 2 ** (parameters.depth + 1) == 0,
            "d >= 1": SINGLE.ldim() >= 1,
        },
    )


@recomputes(NUMBERS)
def numbers(horizon: int) -> Iterator[Outcome]:
    """Compare thresholds and cuts with the numbers of the printed rule, for d = 1."""
    delta, beta = Fraction(1, 10**6), Fraction(1, 20)
    printed = LayeredParameters.from_theorem(
        Budget(Fraction(1), delta), 1, horizon, beta, rule="printed"
    )

    def apart(share: Fraction) -> arb:
        with ctx.workprec(PRECISION):
            logarithms = ball(horizon).log() + ball(6 * horizon / beta).log()
            # epsilon_0 = 1/2, and M_1 = 128 * 2^-12 N_1
            gaps = [
                abs(threshold - (printed.sequences >> s) - 16 * logarithms)
                for s, threshold in enumerate(printed.thresholds)
            ]
            gaps.append(ball(abs(printed.cuts[0] - share * (printed.sequences >> 1) / 32)))
            return max(gaps, key=float)

    shares = Fraction(3, 4), Fraction(1, 2)
    yield compare(
        NUMBERS,
        f"d=1, T={horizon}, epsilon=1, delta=10^-6, beta={beta}",
        computed=apart(shares[0]),
        stated=1,
        twin=apart(shares[1]),
        changed=shares,
    )


UP, MIDDLE, DOWN = ((0, 1),), ((1, 1),), ((2, 0),)
"""Three sequences of one example on which the SOA of three thresholds errs."""
LAYER = (((), UP), (UP, MIDDLE), ((), DOWN), (UP, UP))
"""A layer of four pairs. In three pairs, the hypotheses of the two sequences differ."""


def checks(topic: str) -> list[ClaimCheck]:
    """Return the checks: transcriptions on small layers, and the numbers of the printed rule."""
    return [
        ClaimCheck(topic, updated, ("thresholds:n=3", LAYER)),
        ClaimCheck(topic, rounds, ((((), ()), (UP, ())), 1)),
        ClaimCheck(topic, rounds, ((((), ()), ((), ())), 2)),
        ClaimCheck(topic, numbers, (10**6,)),
    ]
