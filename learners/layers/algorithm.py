"""A private learner against adaptive adversaries: layers of sequences [LWY25, section 3].

The learner publishes a hypothesis until it has erred about as often as the layer needs, and gives
each mistake to a random pair of sequences. When no hypothesis of the layer remains, it makes the
next layer from the disagreements of pairs, and a noisy list of the hypotheses on which pairs agree.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, Any

from catalog.hypotheses import hypothesis_from_json, hypothesis_to_json
from learners.bounds import Bound
from learners.coins import Coins
from learners.concentration import FAILURE
from learners.layers.defaults import usual_parameters, where_promised
from learners.layers.plan import (
    COVERAGE,
    ENOUGH,
    STEADY,
    Coverage,
    LayeredParameters,
    Rule,
    Sequences,
)
from learners.mechanisms.sparse_vector import CumulativeAboveThreshold, CumulativeRun
from learners.multiset import Multiset
from learners.playing.base.proper_soa import ProperSOA
from learners.playing.entries import OnlineEntry, Source, bounded_state, class_of
from learners.playing.learner import PublishedState, PublishingLearner
from learners.playing.private_options import Base, Beta, Spending
from learners.playing.reduction import Reduction
from learners.states import require_own, require_rounds_left
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.hypothesis import Hypothesis
from lsclasses.online import MistakeBounded
from lsclasses.options import Option
from lsclasses.point_names import Label, Point
from lsclasses.soa import SOA

__all__ = ["Layer", "LayeredSOA", "SiblingPair", "MistakeSequence"]

MOST_STATES = 1 << 10
"""Largest number of states of a base learner that are searched for an improper hypothesis."""


@dataclass(frozen=True)
class MistakeSequence:
    """A sequence of examples on which the base learner erred, stored as the learner's last state.

    Attributes
    ----------
    state : MistakeBounded
        State of the base learner after the examples.
    mistakes : int
        The length of the sequence.
    """

    state: MistakeBounded
    mistakes: int = 0

    def after(self, x: Point, y: Label, most: int) -> MistakeSequence | None:
        """Return the sequence with one more example, or None (bottom) if it is inconsistent.

        The sequence is inconsistent with every concept if the state reports an inconsistency, or if
        the sequence has more mistakes than the base learner makes on any concept. The learner's
        prediction is then irrelevant.
        """
        state = self.state._observe(x, y)
        if self.mistakes >= most or state.mistake_bound is None:
            return None
        return MistakeSequence(state, self.mistakes + 1)


@dataclass(frozen=True)
class SiblingPair:
    """Two sibling sequences, of which the first receives the input."""

    first: MistakeSequence
    second: MistakeSequence

    @cached_property
    def common(self) -> Hypothesis | None:
        """The common hypothesis of the two sequences, or None if their hypotheses differ."""
        one, other = self.first.state.hypothesis, self.second.state.hypothesis
        return one if one == other else None

    @cached_property
    def apart(self) -> tuple[Point, MistakeSequence, MistakeSequence]:
        """A point where the hypotheses differ, and the sequences that predict 0 and 1 at it."""
        one, other = self.first.state.hypothesis, self.second.state.hypothesis
        x = one.disagreement(other)
        zero, saying = (self.first, self.second) if other(x) else (self.second, self.first)
        return x, zero, saying


Kind = SiblingPair | None
"""A pair of sequences, or None for a pair of which a sequence is bottom. Such a pair has no further
effect."""


@dataclass(frozen=True)
class Layer:
    """The state of `LayeredSOA`, secret except for the layer's number and the hypotheses.

    Attributes
    ----------
    number : int
        Number s of the layer.
    pairs : Multiset
        The pairs of the layer, counted by their state.
    hypothesis : Hypothesis
        Published hypothesis, the first of the list.
    waiting : tuple of Hypothesis
        The rest of the list.
    run : CumulativeRun or None
        Counter of the hypothesis's mistakes, or None once all lists are exhausted.
    played : int
        Number of examples received in all.
    """

    number: int
    pairs: Multiset[Kind]
    hypothesis: Hypothesis
    waiting: tuple[Hypothesis, ...] = ()
    run: CumulativeRun | None = None
    played: int = 0


@dataclass(frozen=True)
class LayeredSOA(Reduction, PublishingLearner):
    """A private online learner that publishes hypotheses that many copies share [LWY25, Alg 1, 2].

    The learner keeps many sequences of examples, such that the base learner errs at every example
    of a sequence. A sequence stands for a copy of the base learner. The hypothesis of a sequence is
    the hypothesis of the base learner after the sequence. Layer s, for s = 0, ..., d, has N_s =
    N_0/2^s sequences, which form N_s/2 pairs. The sequences of layer 0 are empty. Each layer has a
    list of hypotheses, and the learner publishes the first hypothesis of this list. The list of
    layer 0 contains the hypothesis of the empty sequence. In every round a uniformly random pair is
    drawn. If both sequences of the pair have one hypothesis, and this hypothesis is wrong on the
    example, then the example is appended to the first sequence. A noisy test,
    `CumulativeAboveThreshold`, counts the mistakes of the published hypothesis. When the count
    noisily reaches a threshold, the hypothesis is removed from the list.

    When the list is empty, **Update** makes the next layer. For each pair with two different
    hypotheses, let x be the first point at which the hypotheses differ. A fair coin guesses a label
    y of x. The guessed example (x, y) is appended to the sequence whose hypothesis predicts the
    label 1 - y, and this sequence moves to a uniformly random place of the next layer. All other
    places of the next layer have no sequence. A sequence that is inconsistent with every concept is
    removed. If both sequences of a pair have one hypothesis, the pair votes for it. The new list
    contains the hypotheses that a noisy `BoundedHistogram` of the votes releases. If the histogram
    releases none, the next Update follows. The base learner makes at most d mistakes, so layer d is
    the last layer. After the list of layer d, the last hypothesis is published for ever.

    **Guarantee.** For all parameters, base learners and streams, all publications together are
    (epsilon_AT + epsilon, delta)-DP against adaptive inputs [LWY25, Def. 2.4]. The noisy tests cost
    epsilon_AT, and the histograms cost (epsilon, delta).

    **Proof.** Fix the learner's coins except for the noise: the pair that is drawn in each round,
    the guess of each pair, and the place to which the pair moves a sequence in an Update. These
    coins do not depend on examples. Take a transcript and an adversary. The transcript determines
    the adversary's examples except for one, the challenge, which is one of two examples. So there
    are two worlds. *At any time, the two worlds differ in at most one pair.* The challenge has
    different examples in the two worlds, and only the pair drawn in its round differs. Later
    examples are equal in both worlds, so they change all other pairs equally. But the pair that
    differs may have one hypothesis for both sequences, and learn, in one world only. So **both** of
    its sequences may come to differ. An Update makes at most one sequence of each pair, at the
    pair's own place. So the next layer begins with at most one sequence that differs. *The list of
    a layer is made then, before the layer learns anything.* At that time at least one sequence of
    the differing pair is equal in both worlds. If this pair votes, it votes for the hypothesis of
    the equal sequence. So the votes differ in at most one vote, which is present in only one world.
    No vote is **replaced by another vote**. The number of votes is secret. `BoundedHistogram` is
    (epsilon/d, delta/d)-DP for an added or removed item. In every round, one instance of
    `CumulativeAboveThreshold` reads the bit whether the published hypothesis errs. The two worlds
    differ only in the bit of the challenge, which one instance reads. So all instances together
    cost epsilon_AT and no delta (`StreamParallel`). The publications are computed from the answers
    of the instances and histograms. Average over the coins. The tests have delta = 0, and each
    histogram reads all its items at once. So both guarantees also hold conditionally on every
    sequence of earlier answers. Hence so does the whole guarantee
    (`learners.accounting.Event.on_every_history`).

    An error that the base learner raises, such as `TooLarge`, depends on the examples. So an error
    is not private. It ends the game.

    **Mistakes.** `bounds` hold for realizable streams and all adaptive adversaries. The proofs are
    in `docs/private-online.md`.

    **Cost.** The learner stores the number of equal pairs, so time and memory depend on the number
    of mistakes and not on N_0.

    Parameters
    ----------
    base : MistakeBounded
        Starting state of the base learner, a deterministic learner with a mistake bound. `bounds`
        require that this mistake bound holds for every concept of the class. The base learner must
        not raise an error on inconsistent examples.
    parameters : LayeredParameters
        Parameters of the layers. The number d (`depth`) of the last layer must be at least the
        mistake bound of the base learner.

    Raises
    ------
    InvalidInput
        If the base learner has no mistake bound, or a mistake bound larger than d.

    References
    ----------
    [LWY25, Alg 1, Alg 2, Thm 3.1, Lemma B.2], with thresholds and constants of this project.

    Examples
    --------
    >>> import catalog
    >>> from fractions import Fraction
    >>> from learners.budget import Budget
    >>> from learners.coins import SeededCoins
    >>> from learners.playing.adversaries import Repeating
    >>> from learners.playing.play import play
    >>> from lsclasses.soa import SOA
    >>> C = catalog.build("points:n=2^64")
    >>> parameters = LayeredParameters.from_theorem(Budget(1, Fraction(1, 10**6)), 1, 10**4)
    >>> learner = LayeredSOA(SOA(C), parameters)
    >>> game = play(learner, Repeating(C), 10**4, SeededCoins(1))
    >>> game.mistakes, game.switches
    (617, 1)
    """

    base: MistakeBounded
    parameters: LayeredParameters

    def __post_init__(self) -> None:
        super().__post_init__()
        most = self.base_bound
        if most is None:
            raise InvalidInput(
                "The base learner needs a mistake bound, because each mistake has a layer. "
                f"{type(self.base).__name__} has no bound."
            )
        if most > self.parameters.depth:
            raise InvalidInput(
                f"The base learner may err {most} times, so there must be layers 0 to {most}. The "
                f"parameters are for layers 0 to {self.parameters.depth}."
            )

    @cached_property
    def bounds(self) -> tuple[Bound, ...]:
        """The proved mistake bounds, each with a list of the assumptions that do not hold."""
        # On sequences of mistakes the conservative SOA is the SOA.
        steady = self.base.consistent or isinstance(self.base, SOA)
        return tuple(self._told(bound, steady) for bound in self.parameters.bounds)

    def _told(self, bound: Bound, steady: bool) -> Bound:
        """Return a bound with the hypotheses that are not met, and from where the theorem helps."""
        unmet, needs = bound.unmet, bound.hypotheses
        if ENOUGH in unmet and self.parameters.depth > 1:
            where = f"{ENOUGH}; {where_promised(self.parameters)}"
            needs, unmet = (*(name for name in needs if name != ENOUGH), where), (where,)
        if not steady and STEADY in needs:
            unmet = (STEADY, *unmet)
        return replace(bound, hypotheses=needs, unmet=unmet)

    @cached_property
    def proper(self) -> bool | None:
        """Whether all published hypotheses are concepts of the class, or None if unknown.

        The value is known for three base learners: `ProperSOA`, the SOA of a class whose formula
        shows that the SOA is proper, and the SOA of a finite class that is small enough to examine
        all sequences of mistakes.
        """
        if isinstance(self.base, ProperSOA):
            return True
        if not isinstance(self.base, SOA):
            return None
        if self.base.version_space._has_proper_soa():
            return True
        try:
            concepts = {h.to_concept() for h in self.base.version_space.to_table()}
            seen, found = {self.base}, [self.base]
            for state in found:
                if state.hypothesis.to_concept() not in concepts:
                    return False
                for x in state.domain:
                    after = state._observe(x, 1 - state._predict(x))
                    if after.realizable and after not in seen:
                        seen.add(after)
                        found.append(after)
                if len(found) > MOST_STATES:
                    return None
        except TooLarge:
            return None
        return True

    @cached_property
    def _counters(self) -> tuple[CumulativeAboveThreshold, ...]:
        """The counters of mistakes, by layer."""
        return tuple(map(self.parameters.counter, range(self.parameters.depth + 1)))

    # ---- the first layer

    def _begin(self, coins: Coins) -> Layer:
        # [LWY25, Alg 2 line 1], [LWY25, Alg 2 line 2]
        empty = MistakeSequence(self.base)
        first: dict[Kind, int] = {SiblingPair(empty, empty): self.parameters.pairs(0)}
        only = self.first  # [LWY25, Alg 2 line 3]
        run = self._counters[0].start(coins)  # [LWY25, Alg 2 line 4]
        return Layer(0, Multiset(first), only, (), run)

    def _publish(self, layer: Layer, coins: Coins) -> tuple[Layer, Hypothesis]:
        return layer, layer.hypothesis  # [LWY25, Alg 2 line 6]

    # ---- a round

    def _receive(self, layer: Layer, point: Point, label: Label, coins: Coins) -> Layer:
        require_rounds_left(layer.played, self.rounds, "learner", "bounds")
        played = layer.played + 1
        if layer.run is None:
            return replace(layer, played=played)
        # The examples of the last layer are never read.
        pairs = layer.pairs
        if layer.number < self.parameters.depth:
            pairs = self._with_example(pairs, point, label, coins)
        # [LWY25, Alg 2 line 12]
        reached, run = layer.run.ask(int(layer.hypothesis._label(point) != label), coins)
        after = replace(layer, pairs=pairs, run=run, played=played)
        # [LWY25, Alg 2 line 13]
        return self._next(after, coins) if reached else after

    def _with_example(
        self, pairs: Multiset[Kind], point: Point, label: Label, coins: Coins
    ) -> Multiset[Kind]:
        """Return the layer after a uniformly random pair has learned the example."""
        # [LWY25, Alg 2 line 7]: the pair is drawn for every example.
        drawn = pairs.draw(coins)
        after = self._extended(drawn, point, label)
        return pairs if after is drawn else pairs.exchanged(drawn, after)

    def _extended(self, pair: Kind, point: Point, label: Label) -> Kind:
        """Return the pair after it has learned an example."""
        # [LWY25, Alg 2 line 8]
        if pair is None or pair.common is None or pair.common._label(point) == label:
            return pair
        # [LWY25, Alg 2 line 9]
        first = pair.first.after(point, label, self.parameters.depth)
        return None if first is None else SiblingPair(first, pair.second)

    def _next(self, layer: Layer, coins: Coins) -> Layer:
        """Return the next hypothesis of the list, or of the next non-empty list."""
        # [LWY25, Alg 2 line 14]: the current hypothesis is left, and the next hypothesis waits.
        number, pairs, waiting = layer.number, layer.pairs, layer.waiting
        while number < self.parameters.depth and not waiting:  # [LWY25, Alg 2 line 15]
            pairs = self._updated(number, pairs, coins)  # [LWY25, Alg 2 line 16]
            number += 1  # [LWY25, Alg 2 line 17]
            waiting = self._listed(number, pairs, coins)
        if not waiting:
            return Layer(number, Multiset(), layer.hypothesis, played=layer.played)
        run = self._counters[number].start(coins)  # [LWY25, Alg 2 line 23]
        return Layer(number, pairs, waiting[0], waiting[1:], run, layer.played)

    # ---- a new layer

    def _updated(self, number: int, pairs: Multiset[Kind], coins: Coins) -> Multiset[Kind]:
        """Update [LWY25, Alg 1]: the next layer."""
        moving: list[MistakeSequence] = []
        for pair, alike in pairs.items():
            # [LWY25, Alg 1 line 5]. Sequences that are inconsistent with every concept are bottom.
            if pair is None or pair.common is not None:
                continue
            for _ in range(alike):
                # [LWY25, Alg 1 line 6]
                after = self._guessed(pair, coins.below(2))
                if after is not None:
                    moving.append(after)
        size = self.parameters.pairs(number)
        # [LWY25, Alg 1 line 3]: a random permutation places the sequences that are not bottom.
        placed = dict(zip(coins.places(len(moving), size), moving, strict=True))
        found: Counter[Kind] = Counter(
            SiblingPair(sequence, placed[place + 1])
            for place, sequence in placed.items()
            if place % 2 == 0 and place + 1 in placed
        )
        found[None] = size // 2 - found.total()
        return Multiset(found)

    def _guessed(self, pair: SiblingPair, guess: Label) -> MistakeSequence | None:
        """The sequence of a pair that errs on the guessed label, after it learned that label."""
        # [LWY25, Alg 1 line 7]
        x, zero, one = pair.apart
        return (zero if guess else one).after(x, guess, self.parameters.depth)

    def _listed(self, number: int, pairs: Multiset[Kind], coins: Coins) -> tuple[Hypothesis, ...]:
        """Return the released hypotheses, in decreasing order of their noisy counts."""
        histogram = self.parameters.histogram
        assert histogram is not None
        # [LWY25, Alg 2 line 18], [LWY25, Alg 2 line 19]
        released = histogram.release(self._counts(pairs), coins)
        cut = self.parameters.cuts[number - 1]  # [LWY25, Alg 2 line 20]
        return tuple(h for h, count in released if count >= cut)

    def _counts(self, pairs: Multiset[Kind]) -> Mapping[Hypothesis, int]:
        """Return the number of pairs that agree on each hypothesis."""
        counts: Counter[Hypothesis] = Counter()
        for pair, alike in pairs.items():
            if pair is not None and pair.common is not None:
                counts[pair.common] += alike
        return counts

    # ---- guarantees and diagnostics

    def _kept_to_json(self, layer: Layer) -> dict[str, Any]:
        return {
            "number": layer.number,
            "pairs": [[self._pair_to_json(pair), count] for pair, count in layer.pairs.items()],
            "hypothesis": hypothesis_to_json(layer.hypothesis),
            "waiting": list(map(hypothesis_to_json, layer.waiting)),
            "run": None if layer.run is None else layer.run.to_json(),
            "played": layer.played,
        }

    def _pair_to_json(self, pair: Kind) -> list[list[Any]] | None:
        if pair is None:
            return None
        both = pair.first, pair.second
        return [[each.state.to_json(self.base), each.mistakes] for each in both]

    def _kept_from_json(self, data: Any) -> Layer:
        number = data["number"]
        pairs = Multiset((self._pair_from_json(pair), count) for pair, count in data["pairs"])
        hypothesis, *waiting = (
            hypothesis_from_json(each, self.domain)
            for each in (data["hypothesis"], *data["waiting"])
        )
        run = data["run"]
        if run is not None:
            run = CumulativeRun.from_json(self._counters[number], run)
        return Layer(number, pairs, hypothesis, tuple(waiting), run, data["played"])

    def _pair_from_json(self, data: Any) -> Kind:
        if data is None:
            return None
        first, second = (
            MistakeSequence(self.base.from_json(state), mistakes) for state, mistakes in data
        )
        return SiblingPair(first, second)

    def _in_force(self, layer: Layer) -> Hypothesis:
        return layer.hypothesis

    def inspect(self, state: PublishedState) -> Mapping[str, float]:
        """Return secret diagnostics of a state, for simulations only and never for a release.

        Returns
        -------
        mapping
            ``layer`` is the number of the present layer. ``list`` is the number of hypotheses still
            to publish, and ``mistakes`` is the number of mistakes of the published hypothesis. The
            layer consists of pairs of sequences of examples, each with a hypothesis. ``agree`` is
            the number of pairs with two equal hypotheses, ``differ`` the number with two different
            hypotheses, and ``dead`` the number of pairs that lack a sequence. Equal pairs are
            stored once, and ``kinds`` is the number of stored pairs.

        Raises
        ------
        InvalidInput
            If another learner started the state.
        """
        layer: Layer = require_own(self, state).inner
        found: Counter[str] = Counter()
        for pair, alike in layer.pairs.items():
            together = "agree" if pair is not None and pair.common is not None else "differ"
            found["dead" if pair is None else together] += alike
        return {
            "layer": float(layer.number),
            "list": float(len(layer.waiting) + (layer.run is not None)),
            "mistakes": float(0 if layer.run is None else layer.run.total),
            "kinds": float(len(layer.pairs)),
            **{name: float(found[name]) for name in ("agree", "differ", "dead")},
        }

    def __str__(self) -> str:
        proper = {True: ", proper", False: ", improper", None: ""}[self.proper]
        base = type(self.base).__name__
        return f"LayeredSOA of {self.parameters.sequences} sequences of {base}{proper}"


# ---- by name


def _layered(
    source: Source,
    rounds: int,
    *,
    budget: Spending,
    base: Base,
    theorem: Annotated[
        bool,
        Option(
            "choose parameters for which a mistake bound is proved. This choice is the default "
            "if the proved bound is less than the number of rounds, or if the mistake bound of "
            "the base learner is 1"
        ),
    ] = False,
    rule: Annotated[
        Rule | None,
        Option(
            "proof whose constants the learner uses: the proof of this project (tight), the proof "
            "in the paper (printed) or a correction of the paper's proof (corrected). The default "
            "is tight"
        ),
    ] = None,
    sequences: Annotated[
        Sequences | None,
        "The default is a number for which, on average, sequences remain in every layer",
    ] = None,
    coverage: Annotated[Coverage | None, "The default is 3"] = None,
    beta: Beta = None,
) -> LayeredSOA:
    state, most = bounded_state(base, source)
    failure, concepts = FAILURE if beta is None else beta, _concepts(source)
    if theorem or rule is not None:
        if sequences is not None or coverage is not None:
            raise InvalidInput(
                "With --theorem or --rule, the number of sequences and how well they are covered "
                "follow from the other parameters. Drop --sequences and --coverage, or --theorem "
                "and --rule."
            )
        parameters = LayeredParameters.from_theorem(
            budget, most, rounds, failure, rule=rule or "tight", concepts=concepts
        )
        return LayeredSOA(state, parameters)
    if sequences is None:
        if coverage is not None:
            raise InvalidInput("The option --coverage goes with --sequences.")
        parameters = usual_parameters(budget, most, rounds, failure, concepts=concepts)
        return LayeredSOA(state, parameters)
    parameters = LayeredParameters.within(
        budget,
        sequences,
        most,
        rounds,
        coverage=COVERAGE if coverage is None else coverage,
        failure=failure,
        concepts=concepts,
    )
    return LayeredSOA(state, parameters)


def _concepts(source: Source) -> int | None:
    """Return the size of the class, if it is known."""
    try:
        return class_of(source).size
    except TooLarge:
        return None


LEARNERS = (
    OnlineEntry(
        "layered-soa",
        "published hypotheses on which many sequences of examples agree, private against "
        "adaptive adversaries [LWY25, Alg 2]",
        _layered,
        details=(
            "A sequence is a list of examples on each of which the base learner errs. Each layer "
            "has pairs of sequences. The learner publishes a hypothesis that both sequences of "
            "many pairs have. Each mistake of this hypothesis extends a sequence of a random pair "
            "that has the hypothesis. If no published hypothesis of the layer remains, pairs with "
            "two different hypotheses form the sequences of the next layer."
        ),
    ),
)
