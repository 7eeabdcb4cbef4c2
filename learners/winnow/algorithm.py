"""A differentially private Winnow for halfspaces with a margin [BF25, section 4.2].

The learner publishes a sequence of hypotheses, each an average of a few features drawn by their
weights. `DPWinnow` is the mechanism. It is private for all values of its parameters, and it
computes its privacy cost from them. `learners.winnow.plan` computes parameters from a theorem.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Annotated, Any

import numpy as np

from learners import checked
from learners.accounting import Event, total
from learners.bounds import Bound
from learners.budget import Budget
from learners.checked import Delta, Epsilon
from learners.coins import Coins
from learners.concentration import FAILURE
from learners.mechanisms.noise import noise_bound
from learners.mechanisms.sparse_vector import CumulativeAboveThreshold
from learners.playing.base.state import IntegerVector
from learners.playing.base.winnow import require_features
from learners.playing.entries import OnlineEntry, Source
from learners.playing.features import Features
from learners.playing.private_options import Beta, Spending
from learners.states import require_own
from learners.winnow.embeddings import Embedded, best_embedding
from learners.winnow.plan import Batch, CountingShare, WinnowParameters
from learners.winnow.votes import PlaysBlocks, SampledVote
from learners.winnow.winnow_costs import calibrated_rate, winnow_cost
from learners.winnow.winnow_states import EndedPhase, WinnowState
from lsclasses.domain import Domain
from lsclasses.errors import TooLarge
from lsclasses.frozen import set_frozen_fields
from lsclasses.numbers import format_number
from lsclasses.options import Option, check_arguments, check_fields
from lsclasses.point_names import Label, Point

DRAWS_LIMIT = 1 << 24
"""The largest number of experts in a hypothesis. A million are drawn in a few seconds."""
CHOSEN = ("rate", "updates", "draws", "threshold", "threshold_epsilon", "batch")
"""The parameters that a theorem chooses, except the experts, as in `WinnowParameters`."""


Rate = Annotated[Fraction, Option("learning rate", above=0)]
Updates = Annotated[int, Option("number of updates", minimum=1)]
Draws = Annotated[int, Option("number of draws", minimum=1)]


@dataclass(frozen=True)
class DPWinnow(PlaysBlocks[WinnowState]):
    r"""A private variant of Winnow that publishes random samples of its weighted experts.

    Features and labels y have the values -1 and 1. If there is a bias, a constant feature has the
    value 1. The experts z are these features and, if the learner is balanced, their negations. The
    weight of expert j is proportional to exp(rate * s_j), with integer scores s. The current
    hypothesis is a list of drawn experts. It predicts 1 if at least half of these experts have the
    value 1 (**sgn(0) = +1**). Before the first update, the hypothesis contains every expert once.
    If the learner is balanced, this first hypothesis always predicts 1.

    A *phase* is the time in which one hypothesis is published. In a phase, a noisy test,
    `CumulativeAboveThreshold`, counts mistakes, and the learner stores the first `batch` mistakes.
    When the count noisily reaches `threshold`, an *update* follows: for each stored mistake, y z is
    added to s, and `draws` experts are drawn by their new weights. They are the next hypothesis.
    After `updates` updates the hypothesis stays, and counting ends.

    **Guarantee.** For all values of the parameters, `privacy` covers the sequence of hypotheses and
    the rounds in which they begin, under replace-one. The cost is the sum of `threshold_epsilon`
    for counting mistakes and of updates * draws mechanisms of bounded range 4 * rate for the draws
    of experts. The guarantee also holds against adversaries that choose examples after observing
    hypotheses.

    **Proof.** Compare two streams that differ in the example of one round, in phase p. Fix the
    releases before each step, which determine all predictions. Phases before p have equal
    distributions. One bit that the test of phase p counts differs, so the round in which phase p
    ends is (threshold_epsilon, 0)-DP. At the end of phase p, the sums of y z over the stored
    mistakes differ in at most one term of each sum. (If the changed example is a mistake in one
    stream only, the next mistake may take its place in the other stream.) So in all later phases,
    the two vectors s differ by u, by u' or by u - u', where u and u' are values of y z. In later
    phases, examples and predictions are equal. So a draw of the expert j with probability
    proportional to exp(rate s_j) has a privacy loss in an interval of width at most 4 rate, because
    u - u' has entries in {-2, 0, 2}. There are at most updates * draws draws.

    The proof of [BF25, Thm 4.4] uses the range 2 rate for a draw, half of the correct value. The
    correct range is 4 rate **also if an example is added or removed**, because another mistake then
    takes the place of a removed mistake among the stored mistakes. The theorem itself remains true
    with the correct range.

    **Utility.** The mistake bound is proved for **oblivious** adversaries only, because it needs
    examples that are independent of the drawn experts. An adversary that observes a hypothesis can
    present the points at which the hypothesis differs from the weighted vote of all experts. The
    docstring of `WinnowParameters` contains the bound.

    Parameters
    ----------
    features : Features
        Features of points.
    rate : Fraction
        Factor of the scores in the logarithm of a weight. The paper's eta is batch * rate.
    updates : int
        Largest number K of updates, that is, of drawn hypotheses.
    draws : int
        Number m of experts drawn for a hypothesis.
    threshold : int
        Number L of mistakes after which, up to noise, a phase ends.
    threshold_epsilon : Fraction
        Privacy cost of counting mistakes in all phases together.
    batch : int
        Largest number of mistakes of a phase that change the scores, 1 in the paper. The privacy
        cost of a draw does not depend on `batch`, and a larger rate * batch needs fewer updates.
    bias : bool
        Whether there is a constant feature.
    balanced : bool
        Whether there are negations of the features.
    parameters : WinnowParameters, optional
        Parameters of the theorem from which the other parameters were computed, if any. They have
        the mistake bound.
    delta : Fraction, optional
        Delta of the stated total privacy. It has no other effect.

    Raises
    ------
    InvalidInput
        If a number is out of range, or a float, or there is no feature.

    References
    ----------
    [BF25, Alg 4.2], with the following corrections. In rounds without an update, the weights w^(t)
    and the hypothesis stay. The learner checks that updates remain before it queries TestAboveThr,
    because an answer has a privacy cost. An update uses only mistakes of the current phase. If no
    mistake is stored when a phase ends, experts are drawn by unchanged weights. A tie counts as +1.
    Counting mistakes costs `threshold_epsilon` only once, because only one phase reads the example
    that differs.

    Examples
    --------
    >>> from learners.coins import SeededCoins
    >>> from learners.playing.features import Literals
    >>> delta = Fraction(1, 10**6)
    >>> learner = DPWinnow.within(
    ...     Budget(Fraction(3), delta), Literals(50), updates=10, draws=50, batch=100
    ... )
    >>> rng = np.random.default_rng(0)
    >>> X = rng.random((20_000, 50)) < 1/2
    >>> y = X[:, 3] | X[:, 7] & X[:, 8]
    >>> run = learner.run(X, y, SeededCoins(1))
    >>> run.updates, run.mistakes
    (10, 2909)
    >>> average = learner.averaged(run.phases)
    >>> float((average.labels(X) == y).mean())
    0.88125
    >>> average.weights[[2, 3, 7, 8]]
    array([ 5, 72, 20, 17])
    """

    features: Features
    rate: Rate
    updates: Updates
    draws: Draws
    threshold: int
    threshold_epsilon: Epsilon
    batch: Batch = 1
    bias: bool = True
    balanced: bool = True
    parameters: WinnowParameters | None = None
    delta: Delta | None = None

    def __post_init__(self) -> None:
        check_fields(self)
        set_frozen_fields(self, bias=bool(self.bias), balanced=bool(self.balanced))
        require_features(self.experts)
        set_frozen_fields(self, threshold=self.counter.threshold)

    @classmethod
    def from_theorem(
        cls,
        budget: Budget,
        features: Features,
        margin: Fraction,
        rounds: int,
        *,
        failure: Fraction = Fraction(1, 20),
        bias: bool = True,
        balanced: bool = True,
        **options: Any,
    ) -> DPWinnow:
        """Return the learner with the parameters of `WinnowParameters.from_theorem`.

        Parameters
        ----------
        features, bias, balanced
            Features, and whether a constant feature and negations are added, as for `DPWinnow`.
            They determine the number of experts.
        budget, margin, rounds, failure, **options
            Arguments of `WinnowParameters.from_theorem`.
        """
        experts = (1 + bool(balanced)) * (features.count + bool(bias))
        chosen = WinnowParameters.from_theorem(
            budget, experts, margin, rounds, failure=failure, **options
        )
        return cls(
            features,
            **{name: getattr(chosen, name) for name in CHOSEN},
            bias=bias,
            balanced=balanced,
            parameters=chosen,
            delta=chosen.delta,
        )

    @classmethod
    def for_class(
        cls,
        source: Source,
        budget: Budget,
        rounds: int,
        *,
        failure: Fraction = FAILURE,
        features: Embedded | None = None,
    ) -> DPWinnow:
        """Return the learner for a concept class, whose concepts are halfspaces over some features.

        The features come from the family of the class, or are the concepts of the class. They
        depend only on the class, which is public, so they have no privacy cost.

        Parameters
        ----------
        source, budget, rounds, failure, features
            Arguments of `learners.winnow.embeddings.best_embedding`.

        Examples
        --------
        >>> learner = DPWinnow.for_class("thresholds:n=7", Budget(4, Fraction(1, 10**6)), 40_000)
        >>> learner.features.count, int(learner.bounds[0].value)
        (8, 1048)
        """
        found = best_embedding(source, budget, rounds, failure, features)
        return cls.from_theorem(
            budget,
            found.features,
            found.margin,
            rounds,
            failure=failure,
            bias=found.bias,
            balanced=found.balanced,
        )

    @classmethod
    @check_arguments
    def within(
        cls,
        budget: Budget,
        features: Features,
        *,
        updates: Updates,
        draws: Draws,
        batch: Batch,
        threshold: int | None = None,
        share: CountingShare = Fraction(1, 3),
        bias: bool = True,
        balanced: bool = True,
    ) -> DPWinnow:
        """Return an (epsilon, delta)-DP learner with `updates` updates, without a mistake bound.

        Parameters
        ----------
        features, updates, draws, batch, bias, balanced
            Parameters of `DPWinnow`.
        budget : Budget
            Privacy budget of the whole game.
        threshold : int, optional
            Number L of mistakes after which, up to noise, a phase ends. The default is `batch` + t,
            where the noise of a count exceeds t with probability 1/10. So most updates use `batch`
            mistakes.
        share : Fraction
            Share of epsilon that is spent on counting mistakes.

        Examples
        --------
        >>> from learners.playing.features import Literals
        >>> learner = DPWinnow.within(
        ...     Budget(1, Fraction(1, 10**6)), Literals(30), updates=30, draws=50, batch=150
        ... )
        >>> learner.threshold, float(learner.rate * learner.batch)
        (164, 0.31237684393090603)
        >>> float(learner.spent()[0])
        0.9996723042196755
        """
        epsilon, delta = Budget.require(budget)
        counting = share * epsilon
        rate = calibrated_rate(epsilon, checked.delta(delta), counting, updates, draws)
        if threshold is None:
            # The counter has noise twice, on the threshold and on the sum.
            reserve = 2 * noise_bound(1 / counting, Fraction(1, 10))
            threshold = batch + reserve
        return cls(
            features,
            rate,
            updates,
            draws,
            threshold,
            counting,
            batch,
            bias,
            balanced,
            delta=delta,
        )

    @property
    def domain(self) -> Domain:
        """The domain of the points of which the features are functions."""
        return self.features.domain

    @property
    def experts(self) -> int:
        """The number of weights, one for each expert."""
        return (1 + self.balanced) * (self.features.count + self.bias)

    @cached_property
    def counter(self) -> CumulativeAboveThreshold:
        """The counter whose report ends a phase."""
        return CumulativeAboveThreshold(self.threshold_epsilon, self.threshold)

    @property
    def privacy(self) -> Event:
        """The privacy cost of the whole sequence of hypotheses, for a stream of any length."""
        return winnow_cost(self.rate, self.threshold_epsilon, self.updates, self.draws)

    def spent(self, delta: Fraction | None = None) -> tuple[Fraction, Fraction]:
        """Return the smallest total (epsilon, delta) of a game that some accountant proves.

        Parameters
        ----------
        delta : Fraction, optional
            Delta of the total. The default is the learner's delta, or 0 if it has no delta.
        """
        found = total(self.privacy, self.delta or Fraction(0) if delta is None else delta)
        return found.epsilon, found.delta

    @property
    def bounds(self) -> tuple[Bound, ...]:
        """The bounds on mistakes and updates, or an empty tuple if `parameters` is None."""
        if self.parameters is None:
            return ()
        actual = {name: getattr(self, name) for name in ("experts", *CHOSEN)}
        return replace(self.parameters, **actual).bounds

    def __str__(self) -> str:
        return (
            f"DPWinnow over {self.experts} experts: {self.updates} updates of {self.batch} "
            f"mistakes at rate {format_number(self.rate, 3)}, {self.draws} draws each, phases of "
            f"about {self.threshold} mistakes"
        )

    # ---- the protocols of `learners.games`: Learner and Publisher

    def start(self, coins: Coins) -> WinnowState:
        """Return the learner's state before the first round, with all scores 0.

        Raises
        ------
        TooLarge
            If a hypothesis would be the vote of more than 2^24 experts.
        """
        self.require_room()
        zero = IntegerVector.of(np.zeros(self.features.count + self.bias))
        votes = IntegerVector.of(np.ones(self.experts))
        return WinnowState(self, votes, 0, zero, self.counter.start(coins), zero)

    def require_room(self) -> None:
        """Raise `TooLarge` if a hypothesis would be the vote of more than 2^24 experts.

        Raises
        ------
        TooLarge
        """
        if self.draws > DRAWS_LIMIT:
            raise TooLarge(
                f"Each hypothesis would be the vote of {self.draws} drawn experts. The limit is "
                f"{DRAWS_LIMIT}. The smaller the margin, the more are needed.",
                estimate=self.draws,
                limit=DRAWS_LIMIT,
            )

    def publish(self, state: WinnowState, coins: Coins) -> tuple[WinnowState, SampledVote]:
        """Return a state and its current hypothesis, which is public.

        Raises
        ------
        InvalidInput
            If another learner started the state.
        """
        return state, self.hypothesis(state)

    def receive(self, state: WinnowState, item: tuple[object, object], coins: Coins) -> WinnowState:
        """Return the learner's state after an example (point, label).

        Raises
        ------
        InvalidInput
            If `DPWinnow.learn` rejects the example or the state.
        """
        return self.learn(state, *item, coins)  # type: ignore[no-any-return]

    def _predict(self, state: WinnowState, point: Point, coins: Coins) -> tuple[WinnowState, Label]:
        return state, self.hypothesis(state)._label(point)

    def _learn(self, state: WinnowState, point: Point, label: Label, coins: Coins) -> WinnowState:
        return self._after(self._heard(state, point, label, coins), coins)

    def _heard(
        self, state: WinnowState, point: Point, label: Label, coins: Coins
    ) -> WinnowState | EndedPhase:
        """Read one round."""
        require_own(self, state)
        values = self.features.values(point)
        wrong = np.array([self.hypothesis(state)._label_by(values) != label])
        labels = np.array([label], dtype=bool)
        return self._read(state, values[None, :], labels, wrong, coins)[1]

    def state_to_json(self, state: WinnowState) -> dict[str, Any]:
        """Return the state as JSON values: numbers of votes, scores and counts of mistakes."""
        require_own(self, state)
        return state.to_json()

    def state_from_json(self, data: Any) -> WinnowState:
        """Return the state that `DPWinnow.state_to_json` wrote."""
        return WinnowState.from_json(self, data)

    def switched(self, before: WinnowState, after: WinnowState) -> bool:
        """Return whether the current hypothesis differs between two states."""
        return before.updates != after.updates

    def inspect(self, state: WinnowState) -> Mapping[str, float]:
        """Return secret diagnostics of a state for plots. Only the value ``updates`` is public."""
        require_own(self, state)
        waiting = 0 if state.waiting is None else state.waiting.total
        scores = np.abs(state.scores.array)
        return {
            "updates": float(state.updates),
            "mistakes in this phase": float(waiting),
            "largest score": float(scores.max()),
        }

    # ---- a round, and a block of them

    def _advanced(
        self,
        state: WinnowState,
        rows: np.ndarray,
        labels: np.ndarray,
        wrong: np.ndarray,
        coins: Coins,
    ) -> tuple[int, WinnowState]:
        """Read rounds until a phase ends, and return their number and the state after them."""
        read, left = self._read(state, rows, labels, wrong, coins)
        return read, self._after(left, coins)

    def _read(
        self,
        state: WinnowState,
        rows: np.ndarray,
        labels: np.ndarray,
        wrong: np.ndarray,
        coins: Coins,
    ) -> tuple[int, WinnowState | EndedPhase]:
        """Read rounds until a phase ends, and return their number and the remaining work."""
        # [BF25, Alg 4.2]: k < K comes first, so that no answer is consumed after K updates.
        waiting = state.waiting
        if waiting is None:
            return len(rows), state
        read, ended = 0, False
        for mistake in wrong.tolist():
            ended, waiting = waiting.ask(mistake, coins)
            read += 1
            if ended:
                break
        # The first mistakes of the current phase.
        chosen = np.flatnonzero(wrong[:read])[: self.batch - state.held]
        if len(chosen):
            cached = IntegerVector.of(state.cached.array + self._sum(rows, labels, chosen))
            state = replace(state, cached=cached, held=state.held + len(chosen))
        if ended:
            return read, EndedPhase(state.updates, state.scores, state.cached, state.held)
        return read, replace(state, waiting=waiting)

    def _after(self, left: WinnowState | EndedPhase, coins: Coins) -> WinnowState:
        return self._updated(left, coins) if isinstance(left, EndedPhase) else left

    def _sum(self, rows: np.ndarray, labels: np.ndarray, chosen: np.ndarray) -> np.ndarray:
        """Return the sum of y z over the chosen rows, without negations (features + bias,)."""
        signs = 2 * labels[chosen].astype(np.int64) - 1
        # y (2x - 1), added up over the rows.
        parts = [2 * (signs @ rows[chosen].astype(np.int64)) - signs.sum()]
        return np.append(parts[0], signs.sum()) if self.bias else parts[0]

    def _updated(self, state: EndedPhase, coins: Coins) -> WinnowState:
        """End a phase: update the scores, and draw a new hypothesis."""
        scores = IntegerVector.of(state.scores.array + state.cached.array)
        updates = state.updates + 1
        waiting = self.counter.start(coins) if updates < self.updates else None
        zero = IntegerVector.of(np.zeros(len(scores.array)))
        return WinnowState(self, self._drawn(scores, coins), updates, scores, waiting, zero)

    def _drawn(self, scores: IntegerVector, coins: Coins) -> IntegerVector:
        """Return the number of times that each expert occurs in `draws` draws by weight."""
        half = scores.array.astype(np.int64)
        every = np.concatenate([half, -half]) if self.balanced else half
        # Experts of equal score are equally likely: draw the score, then one of them.
        order = np.argsort(every, kind="stable")
        ordered = every[order]
        starts = np.concatenate([[0], np.flatnonzero(ordered[1:] != ordered[:-1]) + 1])
        sizes = np.diff(starts, append=len(ordered)).tolist()
        picked = coins.picks(ordered[starts].tolist(), self.draws, self.rate, counts=sizes)
        places = [int(starts[level]) + coins.below(sizes[level]) for level in picked]
        return IntegerVector.of(np.bincount(order[places], minlength=self.experts))


# ---- by name


def _dp_winnow(
    source: Source,
    rounds: int,
    *,
    budget: Spending,
    features: Annotated[
        Embedded | None,
        Option(
            "features that vote: own (the features of the family, for a family of halfspaces with "
            "a margin) or concepts (every concept is a feature, and the margin is 1). The default "
            "is the choice with the smaller bound on the mistakes"
        ),
    ] = None,
    beta: Beta = None,
) -> DPWinnow:
    failure = FAILURE if beta is None else beta
    return DPWinnow.for_class(source, budget, rounds, failure=failure, features=features)


LEARNERS = (
    OnlineEntry(
        "dp-winnow",
        "a private vote of features or of concepts, for halfspaces with a margin [BF25, section 4]",
        _dp_winnow,
        specified=True,
        details=(
            "A halfspace is a weighted vote of features, and its margin is the least difference "
            "between winning and losing votes at a point, as a share of all votes. The learner "
            "draws the features of its vote by their weights. When the number of mistakes, plus "
            "noise, reaches a threshold, the learner updates the weights and draws new features."
        ),
    ),
)
