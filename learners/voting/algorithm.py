"""A private learner in which each mistake votes for the only consistent concept.

The class has Littlestone dimension 1. So after one mistake of the SOA, only one concept is
consistent. The learner publishes the first hypothesis of the SOA until the votes for a concept
noisily reach a threshold. Then it publishes this concept until the end. The guarantees cover
adaptive adversaries.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from catalog.hypotheses import hypothesis_from_json, hypothesis_to_json
from learners.bounds import REALIZABLE, Bound
from learners.budget import Budget
from learners.checked import Failure, Rounds
from learners.coins import Coins
from learners.concentration import FAILURE
from learners.mechanisms.voting_counters import VotingCounters, VotingRun
from learners.playing.entries import OnlineEntry, Source, base_state
from learners.playing.learner import PublishedState, PublishingLearner
from learners.playing.private_options import Base, Beta, Spending
from learners.playing.reduction import Reduction
from learners.states import require_own, require_rounds_left
from lsclasses.errors import InfiniteDimension, InvalidInput, TooLarge
from lsclasses.hypothesis import Hypothesis
from lsclasses.online import MistakeBounded
from lsclasses.options import check_arguments, check_fields
from lsclasses.point_names import Label, Point

__all__ = ["VotingLearner", "VotingState", "require_one_mistake", "vote"]


def require_one_mistake(base: MistakeBounded) -> int:
    """Return the mistake bound of a base learner. Refuse bounds above 1.

    Raises
    ------
    InvalidInput
        If the mistake bound of the base learner is unknown or above 1, or its first hypothesis has
        no canonical form.
    TooLarge
        If the computation of the mistake bound exceeds its limit.
    """
    try:
        bound = base.mistake_bound
    except InfiniteDimension:
        bound = None
    if bound is None or bound > 1:
        given = "no mistake bound" if bound is None else f"the mistake bound {bound}"
        raise InvalidInput(
            "Voting needs a base learner that errs at most once, so that a mistake leaves one "
            "hypothesis (docs/merging.md, Mistakes of voting). For the SOA, this is a class of "
            f"Littlestone dimension 1. Got {type(base).__name__} with {given}."
        )
    try:
        base.hypothesis.canonical()
    except TooLarge as error:
        raise InvalidInput(
            "Voting counts equal hypotheses, so the hypotheses of the base learner need a "
            f"canonical form. The hypothesis of {type(base).__name__} has none. {error}"
        ) from error
    return bound


def vote(base: MistakeBounded, point: Point, label: Label) -> Hypothesis | None:
    """Return the hypothesis of a base learner after one example, or None without a vote.

    Parameters
    ----------
    base : MistakeBounded
        Starting state of the base learner.
    point, label
        Example. The example votes if the first hypothesis errs on it, and some concept is
        consistent with it.

    Examples
    --------
    >>> import catalog
    >>> from lsclasses.soa import SOA
    >>> base = SOA(catalog.build("points:n=4"))
    >>> vote(base, 2, 1), vote(base, 2, 0)
    (<Always 0 but at 2>, None)
    """
    if base._predict(point) == label:
        return None
    after = base._observe(point, label)
    try:
        consistent = after.mistake_bound is not None
    except TooLarge:
        consistent = True
    return after.hypothesis.canonical() if consistent else None


@dataclass(frozen=True)
class VotingState:
    """The state of `VotingLearner`.

    Attributes
    ----------
    run : VotingRun
        Votes (secret). The run has halted if its item is published.
    hypothesis : Hypothesis
        Published hypothesis.
    played : int
        Number of examples received.
    """

    run: VotingRun
    hypothesis: Hypothesis
    played: int = 0


@dataclass(frozen=True)
class VotingLearner(Reduction, PublishingLearner):
    """A private online learner by votes, for base learners that err at most once.

    The learner first publishes h, the first hypothesis of the base learner. An example (x, y) with
    h(x) != y votes for c(x, y), the hypothesis of the base learner after this example. The
    mechanism `VotingCounters` counts the votes for each hypothesis. The first hypothesis whose
    count noisily reaches a threshold is published, and stays.

    **Guarantee.** The learner is (epsilon, delta)-DP if one example is replaced, against adaptive
    adversaries, on every stream and for every base learner.

    **Proof.** Before the counters output a hypothesis, the learner publishes only h. So every vote
    is a function of one example, and a replaced example replaces, adds or removes one vote. The
    published hypotheses are a function of the answers of `VotingCounters`, which is (epsilon,
    delta)-DP for adaptive votes. After the output, the learner reads no examples. QED

    **Mistakes.** On realizable streams, against adaptive adversaries, the learner makes at most m =
    `VotingCounters.most_votes` (beta) mistakes, except with probability beta. *Proof.* Let f be a
    concept that is consistent with all examples, and let h err on (x, y). Then c(x, y) = f.
    Otherwise c(x, y) differs from f at some point x', and the base learner errs twice on the
    realizable examples (x, y), (x', f(x')). So all votes are for f. After f is published, the
    learner makes no mistakes. Before f is published, each mistake is a vote, and the adversary
    observes only h. So the bound of `VotingCounters` on the number of votes holds. QED

    *The bound is tight.* Let r be the threshold of the counters. For every n >= r - 1, the
    adversary that repeats one mistake of h attains the bound of `VotingCounters` on the probability
    of more than n mistakes. So if m >= r, then m is the least mistake bound with failure
    probability beta.

    Parameters
    ----------
    base : MistakeBounded
        Starting state of the base learner, such as ``SOA(C)`` for a class of Littlestone dimension
        1. Its mistake bound is at most 1.
    parameters : VotingCounters
        Counters of the votes, which determine the privacy cost, the number of rounds and the
        threshold.
    failure : Fraction
        Failure probability beta of the mistake bound.

    Raises
    ------
    InvalidInput
        If the mistake bound of the base learner is unknown or above 1, its hypotheses have no
        canonical form, or a number is out of range.

    References
    ----------
    The learner and its proofs are of this project. `docs/merging.md` lists papers with similar
    ideas.

    Examples
    --------
    >>> import catalog
    >>> from learners.coins import SeededCoins
    >>> from learners.playing.adversaries import Repeating
    >>> from learners.playing.play import play
    >>> from lsclasses.soa import SOA
    >>> C = catalog.build("points:n=2^64")
    >>> learner = VotingLearner.within(Budget(1, Fraction(1, 10**6)), SOA(C), 10**4)
    >>> print(learner.bounds[0])
    mistakes <= r + late = 52 (proved in docs/merging.md), except with probability 1/20
    >>> game = play(learner, Repeating(C), 10**4, SeededCoins(1))
    >>> game.mistakes, game.switches
    (47, 1)
    """

    base: MistakeBounded
    parameters: VotingCounters
    failure: Failure = FAILURE

    def __post_init__(self) -> None:
        super().__post_init__()
        check_fields(self)
        require_one_mistake(self.base)

    @classmethod
    @check_arguments
    def within(
        cls, budget: Budget, base: MistakeBounded, rounds: Rounds, *, failure: Failure = FAILURE
    ) -> VotingLearner:
        """Return the learner for a privacy budget and a number of rounds.

        Raises
        ------
        InvalidInput
            If the delta of the budget is 0, or `VotingLearner` rejects the base learner.
        """
        return cls(base, VotingCounters(budget.epsilon, budget.delta, rounds), failure)

    @cached_property
    def bounds(self) -> tuple[Bound, ...]:
        """The bound on the mistakes, for realizable streams and adaptive adversaries."""
        if self.base_bound == 0:
            value, failure, formula = 0, Fraction(0), self.base.bound_symbol
        else:
            value, failure = self.parameters.most_votes(self.failure), self.failure
            formula = "r + late"
        rounds = self.parameters.rounds
        return (Bound(__name__, "mistakes", formula, value, rounds, failure, (REALIZABLE,)),)

    def _begin(self, coins: Coins) -> VotingState:
        return VotingState(self.parameters.start(coins), self.first)

    def _publish(self, inner: VotingState, coins: Coins) -> tuple[VotingState, Hypothesis]:
        return inner, inner.hypothesis

    def _receive(self, inner: VotingState, point: Point, label: Label, coins: Coins) -> VotingState:
        require_rounds_left(inner.played, self.rounds, "learner", "threshold")
        played = inner.played + 1
        if inner.run.halted:
            return replace(inner, played=played)
        chosen, run = inner.run.ask(vote(self.base, point, label), coins)
        hypothesis = inner.hypothesis if chosen is None else chosen
        assert isinstance(hypothesis, Hypothesis)
        return VotingState(run, hypothesis, played)

    def _kept_to_json(self, inner: VotingState) -> dict[str, Any]:
        return {
            "run": inner.run.to_json(hypothesis_to_json),
            "hypothesis": hypothesis_to_json(inner.hypothesis),
            "played": inner.played,
        }

    def _kept_from_json(self, data: Any) -> VotingState:
        def read(entry: Any) -> Hypothesis:
            return hypothesis_from_json(entry, self.domain)

        run = VotingRun.from_json(self.parameters, data["run"], read)
        return VotingState(run, read(data["hypothesis"]), int(data["played"]))

    def _in_force(self, inner: VotingState) -> Hypothesis:
        return inner.hypothesis

    def inspect(self, state: PublishedState) -> Mapping[str, float]:
        """Return secret diagnostics of a state, for simulations only and never for a release.

        Returns
        -------
        mapping
            ``candidates`` is the number of hypotheses with votes. ``missing`` is the least number
            of further votes after which some hypothesis is published with certainty.
        """
        inner: VotingState = require_own(self, state).inner
        missing = inner.run.missing
        least = min(missing.values(), default=self.parameters.threshold)
        return {"candidates": float(len(missing)), "missing": float(least)}

    def __str__(self) -> str:
        threshold = self.parameters.threshold
        return f"VotingLearner of {type(self.base).__name__}, threshold {threshold} votes"


# ---- by name


def _voting(
    source: Source, rounds: int, *, budget: Spending, base: Base, beta: Beta = None
) -> VotingLearner:
    failure = FAILURE if beta is None else beta
    return VotingLearner.within(budget, base_state(base, source), rounds, failure=failure)


LEARNERS = (
    OnlineEntry(
        "voting",
        "a private learner in which each mistake votes for a concept, for Littlestone dimension 1",
        _voting,
        details=(
            "The learner publishes the first hypothesis of the SOA (Standard Optimal Algorithm). "
            "Each example that this hypothesis mislabels is consistent with at most one concept, "
            "and votes for this concept. When the votes for a concept, plus noise, reach a "
            "threshold, the learner publishes this concept until the end."
        ),
    ),
)
