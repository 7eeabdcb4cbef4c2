"""A fresh forest in every round, for few mistakes against adaptive adversaries [GL21, Thm 4.2]."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import floor
from typing import Annotated, Any, Literal, get_args

from flint import arb

from catalog.hypotheses import hypothesis_from_json, hypothesis_to_json
from learners import checked
from learners.accounting import (
    ApproximateDP,
    AtOnce,
    Event,
    Scope,
    SelfComposed,
    largest_parameter,
    zcdp_rho,
)
from learners.balls import ball, log, rational_below
from learners.bounds import REALIZABLE, UNSEEN, Bound
from learners.budget import Budget
from learners.checked import Delta, Epsilon, Failure
from learners.coins import Coins
from learners.concentration import FAILURE
from learners.forest.algorithm import Forest, Leaves
from learners.forest.plan import (
    CORRECTS,
    DEEP,
    FREQUENCY,
    MANY,
    RARE,
    Frequency,
    Trees,
    checked_forest_budget,
    frequency_shown,
    leaves_for,
    practical_leaves,
    trees_for_frequency,
)
from learners.forest.tree import checked_leaves
from learners.mechanisms.histograms import StableHistogram
from learners.playing.entries import OnlineEntry, Source, bounded_state
from learners.playing.learner import PublishedState, PublishingLearner
from learners.playing.private_options import Base, Spending
from learners.playing.reduction import Reduction
from learners.states import require_own, require_rounds_left
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.frozen import set_frozen_fields
from lsclasses.hypothesis import Hypothesis
from lsclasses.numbers import format_number
from lsclasses.online import MistakeBounded
from lsclasses.options import Option, check_arguments, check_fields
from lsclasses.point_names import Label, Point, check_label, from_json, to_json

__all__ = ["LEARNERS", "Composition", "RerunForest", "RerunParameters"]

LONGEST = 2000
"""The largest number of rounds. Round t replays t - 1 examples, so T rounds replay about T^2/2."""

FINE = 1 << 40
"""The epsilon of a round is rounded down to a multiple of 2^-40."""

Composition = Literal["best", "printed"]
"""The rule that divides the budget among the rounds."""


@dataclass(frozen=True)
class RerunParameters:
    """The parameters of `RerunForest`, with number and size of trees, and the budget of a round.

    Parameters
    ----------
    leaves : int
        Number k_1 of leaves of every tree, a power of two.
    trees : int
        Number k_2 of trees.
    frequency : Fraction
        Approximate frequency eta of named hypotheses, strictly between 0 and 1.
    rounds : int
        Number T of rounds, at most 2000.
    epsilon, delta : Fraction or int
        Privacy cost of the histogram of one round.
    total : Fraction
        The delta at which the whole game is stated, more than T times the delta of one round.

    Raises
    ------
    InvalidInput
        If a parameter is out of range, or a float.
    TooLarge
        If there are more than 2000 rounds.

    Examples
    --------
    >>> print(RerunParameters.within(Budget(8, Fraction(1, 10**6)), 1, 100))
    Forests of 2229 trees with 4 leaves each, a fresh forest in each of 100 rounds
      histograms of (0.1539, 5e-09), noise of scale 12.99, threshold 349
    """

    leaves: int
    trees: Trees
    frequency: Frequency
    rounds: int
    epsilon: Epsilon
    delta: Delta
    total: Delta

    def __post_init__(self) -> None:
        set_frozen_fields(self, leaves=checked_leaves(self.leaves))
        check_fields(self)
        set_frozen_fields(self, rounds=_checked_rounds(self.rounds))
        if self.rounds * self.delta >= self.total:
            raise InvalidInput(
                f"The deltas of {self.rounds} rounds add up to "
                f"{format_number(self.rounds * self.delta, 3)}. The total must be more. "
                f"Got {format_number(self.total, 3)}."
            )

    @cached_property
    def histogram(self) -> StableHistogram:
        """The histogram that finds a frequent hypothesis in one round."""
        return StableHistogram.for_frequencies(
            self.epsilon, self.delta, frequency=self.frequency, size=self.trees
        )

    @property
    def privacy(self) -> Event:
        """The privacy cost of T rounds of `RerunForest`."""
        return SelfComposed(AtOnce(self.histogram.privacy), self.rounds)

    @classmethod
    @check_arguments
    def within(
        cls,
        budget: Budget,
        mistake_bound: int,
        rounds: int,
        *,
        frequency: Frequency = FREQUENCY,
        failure: Failure = FAILURE,
        leaves: int | None = None,
        composition: Composition = "best",
    ) -> RerunParameters:
        """Return parameters for a budget, with as few trees as accurate histograms allow.

        Parameters
        ----------
        mistake_bound : int
            Mistake bound M of the base learner.
        rounds : int
            Number T of rounds, at most 2000.
        budget : Budget
            Budget of the whole game.
        frequency : Fraction
            Approximate frequency eta of named hypotheses.
        failure : Fraction
            Largest probability that any of the histograms fails.
        leaves : int, optional
            Number k_1 of leaves of every tree. The default is 2^(M + 1), or 64 for M > 5.
        composition : {"best", "printed"}
            Rule for the epsilon of a round: the largest epsilon by the best accountant
            (`learners.accounting.largest_parameter`), at least sqrt(2 rho(epsilon, delta/2)/T) by
            zCDP, or epsilon/(2 sqrt(2 T ln(1/delta))) [GL21, (5)]. The delta of a round is
            delta/(2T).

        Raises
        ------
        InvalidInput
            If a parameter is out of range, or the budget is too weak.
        TooLarge
            If there are more than 2000 rounds.
        """
        width = practical_leaves(mistake_bound) if leaves is None else checked_leaves(leaves)
        eta = frequency
        each, lost, total = _per_round(rounds, budget, composition)
        trees = StableHistogram.size_needed(each, lost, frequency=eta, failure=failure / rounds)
        return cls(width, trees, eta, rounds, each, lost, total)

    @classmethod
    def from_theorem(
        cls, budget: Budget, mistake_bound: int, rounds: int, *, composition: Composition = "best"
    ) -> RerunParameters:
        """Return parameters for which a theorem bounds the mistakes.

        k_1 = 2^(M + 1), eta = 2^(-4 k_1)/(16 k_1), and k_2 so large that in every round some
        hypothesis is frequent, and is named, each except with probability 1/T.

        Parameters
        ----------
        budget, mistake_bound, rounds, composition
            Parameters of `within`.

        Raises
        ------
        InvalidInput
            For the reasons of `within`.
        TooLarge
            If there are more than 2000 rounds, or the mistake bound is above 5.

        Examples
        --------
        >>> found = RerunParameters.from_theorem(Budget(1, Fraction(1, 10**6)), 1, 1000)
        >>> found.trees.bit_length(), found.bounds(1, corrects=True)[0].vacuous
        (47, True)
        """
        each, lost, total = _per_round(rounds, budget, composition)
        width = leaves_for(mistake_bound)
        few = cls(width, 1, frequency_shown(width), rounds, each, lost, total)
        return replace(few, trees=few.trees_needed())

    def trees_needed(self) -> int:
        """Return the number of trees that `bounds` needs with these parameters."""
        bad = Fraction(1, self.rounds) if self.rounds > 1 else FAILURE
        return max(
            StableHistogram.size_needed(
                self.epsilon, self.delta, frequency=self.frequency, failure=bad
            ),
            trees_for_frequency(self.leaves, self.rounds, bad),
        )

    def bounds(self, mistake_bound: int | None, corrects: bool) -> tuple[Bound, ...]:
        """Return the bounds proved for `RerunForest` with these parameters and a base learner.

        Take any realizable stream, and let a forest play all of it. A vertex of a tree is pertinent
        if its copy of the base learner reads examples. Let V_t be the number of pertinent vertices
        of the forest before round t. The fresh forest of round t has the distribution of that
        forest before round t. Assume that the name drawn from it, of frequency eta/4 or more, errs
        on the example of round t. Then giving this example to the forest merges two vertices with
        probability eta/(4 k_1) or more. So P[h_t errs] <= (4 k_1/eta) E[V_t - V_{t+1}] + 2/T,
        because some hypothesis is frequent and a frequent hypothesis is named, each except with
        probability 1/T. The sum over all rounds is at most 4 k_1 (k_1 - 1) k_2/eta + 2, for every
        stream. An adversary that observes earlier names draws a stream from a distribution. The
        hypothesis h_t depends only on the examples before it and on fresh coins. So the mean number
        of mistakes is the average of these sums [GL21, Theorem 4.2, by Lemma 4.1 of Cesa-Bianchi
        and Lugosi 2006].

        Parameters
        ----------
        mistake_bound : int or None
            Mistake bound M of the base learner, or None if the learner has no bound.
        corrects : bool
            Whether the base learner predicts correctly at a point after a mistake at this point.
        """
        if mistake_bound is None:
            return ()
        met = {
            DEEP: self.leaves >= 2 << mistake_bound,
            CORRECTS: corrects,
            RARE: self.frequency <= frequency_shown(self.leaves),
        }
        met[MANY] = all(met.values()) and self.trees >= self.trees_needed()
        unmet = tuple(name for name, holds in met.items() if not holds)
        k_1, k_2, eta = self.leaves, self.trees, self.frequency
        mean = 4 * k_1 * (k_1 - 1) * k_2 / eta + 2
        hypotheses = (REALIZABLE, UNSEEN, *met)
        source = "[GL21, Thm 4.2], with constants"
        formula = "4*k_1*(k_1 - 1)*k_2/eta + 2"
        return (
            Bound(
                source, "mistakes", f"({formula})/beta", mean / FAILURE, self.rounds,
                FAILURE, hypotheses, unmet,
            ),
            Bound(
                source, "mean number of mistakes", formula, mean, self.rounds, 0, hypotheses, unmet
            ),
        )  # fmt: skip

    def __str__(self) -> str:
        histogram = self.histogram
        return "\n".join(
            [
                f"Forests of {format_number(self.trees, 4, exact=10**9)} trees with {self.leaves} "
                f"leaves each, a fresh forest in each of {self.rounds} rounds",
                f"  histograms of ({format_number(self.epsilon, 4)}, "
                f"{format_number(self.delta, 3)}), noise of "
                f"scale {format_number(histogram.scale, 4)}, threshold "
                f"{format_number(histogram.threshold, 4, exact=10**9)}",
            ]
        )


def _checked_rounds(rounds: object) -> int:
    number = checked.positive(rounds, "number of rounds")
    if number > LONGEST:
        raise TooLarge(
            f"A forest that grows again in every round takes about T^2/2 steps for T rounds, "
            f"because its mistake bound assumes fresh coins in every round. {number} rounds would "
            f"need {number * number // 2} steps and {number} histograms within the budget. The "
            f"limit is {LONGEST} rounds. For more rounds, forest-soa takes T steps. The mistake "
            "bound of forest-soa holds only against oblivious adversaries.",
            estimate=number,
            limit=LONGEST,
        )
    return number


def _per_round(
    rounds: object, budget: object, composition: object
) -> tuple[Fraction, Fraction, Fraction]:
    """Return the budget of one of T histograms, and the delta of the whole."""
    number = _checked_rounds(rounds)
    epsilon, delta = checked_forest_budget(budget)
    if composition not in get_args(Composition):
        raise InvalidInput(
            f"A budget is divided by {' or by '.join(get_args(Composition))}. Got {composition!r}."
        )
    if composition == "printed":
        # [GL21, (5)]
        each = rational_below(lambda: ball(epsilon) / (2 * (-2 * number * log(delta)).sqrt()), FINE)
    else:
        rho = zcdp_rho(epsilon, delta / 2)
        each = rational_below(lambda: _root(rho, number), FINE)
        if each:
            each = largest_parameter(
                lambda tried: _histograms(tried, delta / (2 * number), number),
                each,
                epsilon,
                delta,
                rounded=lambda tried: Fraction(floor(tried * FINE), FINE),
            )
    if not each:
        raise InvalidInput(
            f"The epsilon of a round is a multiple of 2^-40, and {format_number(epsilon)} in all "
            f"leaves less to each of {number}. Give a larger epsilon, or fewer rounds."
        )
    return each, delta / (2 * number), delta


def _histograms(epsilon: Fraction, delta: Fraction, rounds: int) -> Event:
    """Return the privacy cost of histograms of this epsilon and delta each."""
    each = ApproximateDP(epsilon, delta, name="histogram", scope=Scope.adaptive("replace_one"))
    return SelfComposed(AtOnce(each), rounds)


def _root(rho: Fraction, number: int) -> arb:
    """Return the epsilon for which `number` releases, epsilon^2/2 each, cost rho."""
    return (2 * ball(rho) / number).sqrt()


Example = tuple[Point, Label]
Examples = tuple[Example, ...]


@dataclass(frozen=True)
class Past:
    """The state of `RerunForest`: all examples so far. All of it is secret."""

    examples: Examples = ()


@dataclass(frozen=True)
class RerunForest(Reduction, PublishingLearner):
    """A private online learner that builds random trees from all examples anew in every round.

    A tree is a random tournament of copies of a base learner, as for `ForestSOA`, and shows one
    hypothesis. In every round, the learner gives all examples so far to random fresh trees. A noisy
    `StableHistogram` of the hypotheses that the trees show selects the hypothesis to publish. If
    the histogram releases no hypothesis, the learner publishes the base learner's first hypothesis.
    So each publication depends only on the examples and on fresh coins, not on earlier
    publications. The mistake bound needs these fresh coins in every round. **A game of T rounds
    takes T^2/2 steps**, and T is at most 2000.

    **Guarantee.** For all parameters and base learners: `privacy` is the cost of all published
    hypotheses, under replace-one, even if each example is chosen after observing all earlier
    hypotheses.

    **Proof.** Fix the random assignment of examples to trees in a round. A changed example changes
    the input of one tree, so it changes one item of the list that the histogram reads. Hence the
    published hypothesis of one round is (epsilon', delta')-DP, where (epsilon', delta') is the cost
    of one histogram. The game is an adaptive composition of T such releases [GL21, Lemma 5.4], each
    made at once with fresh coins.

    **Mistakes.** `bounds` hold for realizable streams, against adversaries that observe the
    hypotheses of earlier rounds, but not the hypothesis of the present round. The bound on the
    expected number of mistakes is of order sqrt(T). With the parameters of the theorem, the bounds
    are vacuous for all numbers of rounds that can be played.

    Parameters
    ----------
    base : MistakeBounded
        Base learner, as for `ForestSOA`.
    parameters : RerunParameters
        Numbers of rounds, trees and leaves, and the budget of the histograms.

    Raises
    ------
    InvalidInput
        If the base learner is not a `MistakeBounded` state.
    TooLarge
        If the hypotheses of the base learner have no canonical form that can be written.

    References
    ----------
    [GL21, Theorem 4.2].

    Examples
    --------
    >>> import catalog
    >>> from learners.coins import SeededCoins
    >>> from learners.playing.adversaries import Repeating
    >>> from learners.playing.play import play
    >>> from lsclasses.soa import ConservativeSOA
    >>> C = catalog.build("points:n=2^64")
    >>> parameters = RerunParameters.within(Budget(20, Fraction(1, 10**6)), 1, 60)
    >>> learner = RerunForest(ConservativeSOA(C), parameters)
    >>> print(play(learner, Repeating(C), 60, SeededCoins(1)).privacy)
    (20, 1e-06)-DP, one item replaced, against an adaptive adversary that observes every released \
value
    """

    base: MistakeBounded
    parameters: RerunParameters

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self.first  # refuses hypotheses that cannot be written

    @property
    def delta(self) -> Fraction:
        """The delta at which the total privacy of a game is stated."""
        return self.parameters.total

    @cached_property
    def bounds(self) -> tuple[Bound, ...]:
        """The proved mistake bounds of this learner."""
        return self.parameters.bounds(self.base_bound, self.base.corrects)

    def _begin(self, coins: Coins) -> Past:
        return Past()

    def _publish(self, past: Past, coins: Coins) -> tuple[Past, Hypothesis]:
        if len(past.examples) >= self.parameters.rounds:
            # All rounds are paid for, and no round remains to predict.
            return past, self.first
        # [GL21, App. A.2]: a fresh forest on the past, and a histogram of the hypotheses it shows.
        shown = self._shown(past.examples, coins)
        named = {name: count for name, count in shown.items() if name is not None}
        released = self.parameters.histogram.release(named, coins)
        name: Hypothesis = released[0][0] if released else self.first
        return past, name

    def _shown(self, examples: Examples, coins: Coins) -> Mapping[Hypothesis | None, int]:
        """The number of trees of a fresh forest that show each hypothesis after the examples."""
        forest = Forest.of(self.base, self.parameters.leaves, self.parameters.trees)
        for x, y in examples:
            forest = forest.after(x, y, coins)
        return forest.shown

    def _receive(self, past: Past, point: Point, label: Label, coins: Coins) -> Past:
        require_rounds_left(len(past.examples), self.rounds, "learner", "budget")
        return Past((*past.examples, (point, label)))

    def state_to_json(self, state: PublishedState) -> dict[str, Any]:
        """Return a state as JSON values: all examples, in the clear, and the current hypothesis.

        Each round replays all examples, so the state must contain them.
        """
        past: Past = require_own(self, state).inner
        examples = [[to_json(x), y] for x, y in past.examples]
        return {"examples": examples, "name": hypothesis_to_json(state.hypothesis)}

    def state_from_json(self, data: Any) -> PublishedState:
        """Return the state that `RerunForest.state_to_json` described as JSON values."""
        examples = tuple(
            (self.domain.require(from_json(x)), check_label(y)) for x, y in data["examples"]
        )
        name = hypothesis_from_json(data["name"], self.domain)
        return PublishedState(self, Past(examples), name)

    def __str__(self) -> str:
        return f"RerunForest of {type(self.base).__name__}"


# ---- by name


def _rerun(
    source: Source,
    rounds: int,
    *,
    budget: Spending,
    trees: Annotated[
        Trees | None,
        "The default is the least number for which the noisy histogram finds frequent hypotheses "
        "reliably",
    ] = None,
    leaves: Leaves = None,
    frequency: Annotated[Frequency | None, "The default is 1/4"] = None,
    base: Base,
    theorem: Annotated[
        bool,
        Option(
            "choose the numbers of trees and leaves and the frequency such that a mistake bound "
            "is proved. This option cannot be combined with --trees, --leaves or --frequency"
        ),
    ] = False,
    printed: Annotated[
        bool,
        Option(
            "divide epsilon and delta among the rounds by the composition theorem of the paper, "
            "not by zero-concentrated differential privacy (zCDP)"
        ),
    ] = False,
) -> RerunForest:
    state, bound = bounded_state(base, source)
    composition: Composition = "printed" if printed else "best"
    if theorem:
        if any(given is not None for given in (trees, leaves, frequency)):
            raise InvalidInput(
                "With --theorem, the numbers of trees and leaves and the frequency follow from the "
                "other parameters. Drop --trees, --leaves and --frequency, or --theorem."
            )
        parameters = RerunParameters.from_theorem(budget, bound, rounds, composition=composition)
        return RerunForest(state, parameters)
    parameters = RerunParameters.within(
        budget,
        bound,
        rounds,
        frequency=FREQUENCY if frequency is None else frequency,
        leaves=leaves,
        composition=composition,
    )
    return RerunForest(state, parameters if trees is None else replace(parameters, trees=trees))


LEARNERS = (
    OnlineEntry(
        "rerun-forest",
        "a new forest of trees of a base learner in every round, for at most 2000 rounds "
        "[GL21, Thm 4.2]",
        _rerun,
        details=(
            "Each tree is a tournament whose leaves are copies of the base learner. If the "
            "hypotheses of two siblings differ, the tree guesses a label at a point of "
            "difference. The sibling that errs on this example learns the example and moves up to "
            "the parent. The tree shows a hypothesis on which two siblings agree. In every round, "
            "the learner builds new trees from all earlier examples. It publishes a hypothesis "
            "that many trees show, which a noisy histogram finds."
        ),
    ),
)
