"""The doubling trick for an unknown horizon: a fresh learner for 1, 2, 4, 8, ... rounds."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Annotated, Any

from learners.accounting import Event, OneAtATime
from learners.bounds import Bound
from learners.checked import Rounds
from learners.coins import Coins
from learners.playing.expert_sources import ExpertSource
from learners.playing.learner import Kept, OnlineLearner, Playable, Shown, as_learner
from learners.states import State, require_own
from lsclasses.domain import Domain
from lsclasses.errors import InvalidInput
from lsclasses.hypothesis import Hypothesis
from lsclasses.options import Option, check_arguments, check_fields
from lsclasses.point_names import Label, Point


@dataclass(frozen=True)
class DoublingState(State["Doubling"]):
    """The state of the learner `Doubling` between rounds.

    Attributes
    ----------
    bucket : int
        Number k of the bucket. The current learner plays rounds 2^k to 2^(k+1) - 1.
    played : int
        Number of these rounds that have been played.
    inner : object
        State of the current learner.
    """

    bucket: int
    played: int
    inner: Kept


@dataclass(frozen=True)
class Doubling(OnlineLearner):
    """The doubling trick: rounds 2^k to 2^(k+1) - 1 get a fresh learner for 2^k rounds.

    **Guarantee.** The property `privacy` states the guarantee. If the learners' guarantees hold on
    every history (`learners.accounting.Event.on_every_history`), the guarantee has the largest
    epsilon and the largest delta of the learners. If this property is not known, as for the learner
    POP (`learners.pop`), the deltas add up, and epsilon is the largest sum of losses in one of the
    learners.

    **Proof.** A learner starts with fresh coins and reads only the examples of its rounds. No
    output shows whether the learner halts in its last round, because the next learner starts in any
    case. So this is `learners.accounting.OneAtATime`. It is not enough for a single payment of
    delta that the rounds of each learner are fixed in advance. The adversary chooses when to
    challenge, and may wait for a learner that shows that it will reveal its next example.

    **Mistakes.** The mistake bound is the sum of the learners' bounds. If these bounds are A + B ln
    T with probability 1 - beta, the sum is of order A log T + B log^2 T, with probability 1 - beta
    log2 T. The factor log^2 T is the cost of not knowing T.

    Parameters
    ----------
    learner_for : callable
        ``learner_for(rounds)`` makes a learner for a number of rounds.
    buckets : int
        Largest number of learners. At most 2^buckets - 1 rounds are played.
    longest : int, optional
        Largest number of rounds played, if it is smaller than 2^buckets - 1. `bounds` refer to this
        number. The learners do not receive this number.

    Raises
    ------
    InvalidInput
        If the number of buckets or the number of rounds is not positive.

    Examples
    --------
    >>> from learners.budget import Budget
    >>> import catalog
    >>> from learners.coins import SeededCoins
    >>> from learners.playing.adversaries import Repeating
    >>> from learners.layers.algorithm import LayeredSOA
    >>> from learners.layers.plan import LayeredParameters
    >>> from learners.playing.play import play
    >>> from lsclasses.soa import SOA
    >>> C, tiny = catalog.build("points:n=2^64"), Fraction(1, 10**6)
    >>> def layers(rounds):
    ...     parameters = LayeredParameters.from_theorem(
    ...         Budget(4, tiny), 1, rounds, Fraction(1, 1000)
    ...     )
    ...     return LayeredSOA(SOA(C), parameters)
    >>> learner = Doubling(layers, buckets=20)
    >>> print(learner.within(2000))
    mistakes <= M = 1239 [learners.playing.doubling], except with probability 1/500
    >>> play(learner, Repeating(C), 2000, SeededCoins(1)).mistakes
    1221
    """

    learner_for: Callable[[int], Playable]
    buckets: Annotated[int, Option("number of buckets", minimum=1)] = 30
    longest: Rounds | None = None

    def __post_init__(self) -> None:
        check_fields(self)

    @cached_property
    def _made(self) -> dict[int, OnlineLearner]:
        """The learners that have been made, by bucket."""
        return {}

    def learner(self, bucket: int) -> OnlineLearner:
        """Return the learner of a bucket of rounds, which is created once."""
        if bucket not in self._made:
            self._made[bucket] = as_learner(self.learner_for(1 << bucket))
        return self._made[bucket]

    @property
    def described_parts(self) -> Mapping[str, OnlineLearner]:
        """The first and the last learner, by which a description identifies `learner_for`."""
        return {f"for 2^{bucket} rounds": self.learner(bucket) for bucket in (0, self.buckets - 1)}

    def _all(self) -> Iterator[OnlineLearner]:
        return map(self.learner, range(self.buckets))

    @property
    def privacy(self) -> Event | None:
        """The privacy cost of a whole game, or None if some learner states no guarantee."""
        events = [learner.privacy for learner in self._all()]
        listed = tuple(event for event in events if event is not None)
        return OneAtATime(listed) if len(listed) == len(events) else None

    @property
    def delta(self) -> Fraction | None:
        """The delta of `privacy`, the largest or the sum of the learners' deltas."""
        event = self.privacy
        if event is None or all(each.delta is None for each in self._all()):
            return None
        deltas = [
            each.privacy.profile().delta if each.delta is None else each.delta
            for each in self._all()
            if each.privacy is not None
        ]
        return max(deltas) if event.on_every_history else sum(deltas, Fraction(0))

    @property
    def domain(self) -> Domain | None:
        """The points that the learners label."""
        return self.learner(0).domain

    @property
    def comparators(self) -> ExpertSource | None:
        """The comparators of the regret, which are the learners' comparators over all rounds."""
        return self.learner(0).comparators

    @property
    def rounds(self) -> int:
        """The largest number of rounds of a game."""
        most = (1 << self.buckets) - 1
        return most if self.longest is None else min(most, self.longest)

    @property
    def bounds(self) -> tuple[Bound, ...]:
        """The sum of the learners' bounds on mistakes, for all rounds (see `within`)."""
        bound = self.within(self.rounds)
        return () if bound is None else (bound,)

    @check_arguments
    def within(self, rounds: Rounds) -> Bound | None:
        """Return the mistake bound for `rounds` rounds, or None if no bound is proved.

        For a learner whose bound does not apply or is vacuous, the bound is the number of its
        rounds. The probabilities with which the other bounds fail add up.

        Raises
        ------
        InvalidInput
            If the learner plays fewer rounds, or the number of rounds is not positive.
        """
        if rounds > self.rounds:
            raise InvalidInput(f"At most {self.rounds} rounds are played. Got {rounds}.")
        total, failure = Fraction(0), Fraction(0)
        hypotheses: dict[str, None] = {}
        for bucket in range(rounds.bit_length()):
            length = min(1 << bucket, rounds - (1 << bucket) + 1)
            best = min(
                (
                    bound
                    for bound in self.learner(bucket).bounds
                    if bound.quantity == "mistakes"
                    and bound.applies
                    and bound.value is not None
                    and bound.value < length
                ),
                key=lambda bound: Fraction(bound.value or 0),
                default=None,
            )
            if best is None or best.value is None:
                total += length
            else:
                total += Fraction(best.value)
                failure += Fraction(best.failure)
                hypotheses |= dict.fromkeys(best.hypotheses)
        if failure >= 1 or not hypotheses:
            return None
        source = "[learners.playing.doubling]"
        return Bound(source, "mistakes", "M", total, rounds, failure, tuple(hypotheses))

    # ---- rounds

    def start(self, coins: Coins) -> DoublingState | None:
        """Return the state before the first round, with the first learner."""
        return self._started(0, coins)

    def _started(self, bucket: int, coins: Coins) -> DoublingState | None:
        if bucket >= self.buckets:
            return None
        inner = self.learner(bucket).start(coins)
        return None if inner is None else DoublingState(self, bucket, 0, inner)

    def _predict(
        self, state: DoublingState, point: Point, coins: Coins
    ) -> tuple[DoublingState | None, Shown]:
        require_own(self, state)
        after, shown = self.learner(state.bucket)._predict(state.inner, point, coins)
        return (None if after is None else replace(state, inner=after)), shown

    def _learn(
        self, state: DoublingState, point: Point, label: Label, coins: Coins
    ) -> DoublingState | None:
        require_own(self, state)
        after = self.learner(state.bucket)._learn(state.inner, point, label, coins)
        return self._later(state, after, coins)

    def _later(self, state: DoublingState, inner: Kept, coins: Coins) -> DoublingState | None:
        """Return the state after a round. The game ends if a learner halts too early."""
        if state.played + 1 == 1 << state.bucket:
            return self._started(state.bucket + 1, coins)
        if inner is None:
            return None
        return replace(state, played=state.played + 1, inner=inner)

    def state_to_json(self, state: DoublingState) -> dict[str, Any]:
        """Return the state of the current learner, with the number of its bucket."""
        require_own(self, state)
        inner = self.learner(state.bucket).state_to_json(state.inner)
        return {"bucket": state.bucket, "played": state.played, "inner": inner}

    def state_from_json(self, data: Any) -> DoublingState:
        """Return the state that `state_to_json` wrote."""
        inner = self.learner(data["bucket"]).state_from_json(data["inner"])
        return DoublingState(self, data["bucket"], data["played"], inner)

    @property
    def counts_switches(self) -> bool:
        """Whether the learners report their switches."""
        return self.learner(0).counts_switches

    def switched(self, before: DoublingState, after: DoublingState) -> bool:
        """Return whether the hypothesis changed, where an equal hypothesis is not a change."""
        if before.bucket == after.bucket:
            return self.learner(before.bucket).switched(before.inner, after.inner)
        shown = self.published(before), self.published(after)
        return None in shown or shown[0] != shown[1]

    def inspect(self, state: DoublingState) -> Mapping[str, float]:
        """Return secret diagnostics of the current learner, for simulations, and its ``bucket``."""
        require_own(self, state)
        inner = self.learner(state.bucket).inspect(state.inner)
        return {"bucket": float(state.bucket), **inner}

    # ---- for learners that publish

    def published(self, state: DoublingState) -> Hypothesis | None:
        """Return the hypothesis published before the next round, or None if none is published."""
        return self.learner(state.bucket).published(state.inner)

    def publish(self, state: DoublingState, coins: Coins) -> tuple[DoublingState | None, Hashable]:
        """Return the state and the current hypothesis, if the learners publish hypotheses.

        Raises
        ------
        InvalidInput
            If the learner does not publish hypotheses, or another learner started the state.
        """
        require_own(self, state)
        learner = self.learner(state.bucket)
        if not hasattr(learner, "publish"):
            raise InvalidInput(f"{learner} does not publish hypotheses.")
        after, hypothesis = learner.publish(state.inner, coins)
        return (None if after is None else replace(state, inner=after)), hypothesis

    def receive(
        self, state: DoublingState, item: tuple[object, object], coins: Coins
    ) -> DoublingState | None:
        """Return the state after an example (point, label).

        Raises
        ------
        InvalidInput
            If `learn` rejects the example or the state.
        """
        return self.learn(state, *item, coins)  # type: ignore[no-any-return]

    def __str__(self) -> str:
        return f"Doubling of {self.learner(0)}"
