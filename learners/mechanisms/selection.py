"""Choosing one of finitely many candidates by its score, privately.

Three mechanisms have one interface: the exponential mechanism, the noisy maximum and
permute-and-flip. All take integer scores. `monotone` means that a neighbouring input moves all
scores in one direction, which halves the noise.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from learners import checked
from learners.accounting import BoundedRange, Event, PureDP, Scope, checked_neighbours
from learners.balls import ball, floor, log
from learners.checked import Epsilon, Failure, Sensitivity
from learners.coins import Coins, require_coins
from learners.mechanisms.noise import noise_bound
from lsclasses.options import Option, check_arguments, check_fields


@dataclass(frozen=True)
class SelectionMechanism(ABC):
    """Base class of the mechanisms that choose a candidate by its score.

    Parameters
    ----------
    epsilon : Fraction or int
        Privacy cost of one choice.
    sensitivity : int
        Largest change of one score between neighbouring inputs, at least 1.
    monotone : bool
        Whether all scores move in one direction between neighbours. For example, this holds when
        an item is added to a data set and scores count the items that match.
    neighbours : {"replace_one", "add_remove"}
        Relation under which the sensitivity and `monotone` hold.

    Raises
    ------
    InvalidInput
        If a parameter is out of range or a float.
    """

    epsilon: Epsilon
    sensitivity: Sensitivity = 1
    monotone: bool = False
    neighbours: str = "replace_one"

    def __post_init__(self) -> None:
        check_fields(self)
        checked_neighbours(self.neighbours)

    @property
    def rate(self) -> Fraction:
        """The factor by which a score is multiplied in the logarithm of a candidate's weight."""
        return self.epsilon / (self.sensitivity if self.monotone else 2 * self.sensitivity)

    @property
    @abstractmethod
    def privacy(self) -> Event:
        """The privacy cost of one choice."""

    def release(self, scores: Sequence[int], coins: Coins) -> int:
        """Choose a candidate and return its index.

        Parameters
        ----------
        scores : sequence of int
            One score per candidate. Larger scores are better.

        Raises
        ------
        InvalidInput
            If there is no candidate, or a score is not an integer.
        """
        require_coins(coins)
        return self._choose(checked.counts(scores, "score"), coins)

    @abstractmethod
    def _choose(self, scores: tuple[int, ...], coins: Coins) -> int: ...

    @check_arguments
    def shortfall(
        self,
        candidates: Annotated[int, Option("number of candidates", minimum=1)],
        failure: Failure,
    ) -> int:
        """Return a bound that the best score minus the chosen score rarely exceeds.

        Parameters
        ----------
        candidates : int
            Number of candidates.
        failure : Fraction
            Largest probability that the difference exceeds the bound.
        """
        return self._shortfall(candidates, failure)

    def _shortfall(self, candidates: int, failure: Fraction) -> int:
        # A given candidate that falls short by s is chosen with probability <= exp(-rate s).
        return floor(lambda: log(candidates / failure) / ball(self.rate))


@dataclass(frozen=True)
class ExponentialMechanism(SelectionMechanism):
    """A mechanism that chooses candidate i with probability proportional to exp(rate * score_i).

    The rate is epsilon / (2 sensitivity), or epsilon / sensitivity for monotone scores, which all
    rise or all fall if an item is added.

    **Guarantee.** The choice has bounded range epsilon: for any two neighbouring inputs, the
    privacy losses of all candidates lie in an interval of width epsilon. Hence the choice is
    (epsilon, 0)-DP and (epsilon^2/8)-zCDP.

    **Proof.** Let the scores change by the vector u. Then the loss of candidate i is -rate u_i +
    ln(E[exp(rate u)]), where the expectation is over the chosen candidate. So the losses lie in an
    interval of width rate (max u - min u), at most 2 rate sensitivity = epsilon. For monotone
    scores, the entries of u lie in [0, sensitivity] or in [-sensitivity, 0], which saves the factor
    2. The losses are logarithms of ratios of probabilities, so 0 lies in the interval, and no loss
    exceeds epsilon.

    **Utility.** A given candidate whose score is s below the best score is chosen with probability
    at most exp(-rate s). So with probability 1 - failure the score of the chosen candidate is at
    most ln(candidates/failure)/rate below the best score.

    References
    ----------
    McSherry and Talwar 2007; Durfee and Rogers 2019 for the range.

    Examples
    --------
    >>> from learners.coins import SeededCoins
    >>> mechanism = ExponentialMechanism(Fraction(1, 2))
    >>> coins = SeededCoins(1)
    >>> [mechanism.release([10, 30, 20], coins) for _ in range(10)]
    [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]
    >>> mechanism.shortfall(3, Fraction(1, 100))
    22
    """

    @property
    def privacy(self) -> Event:
        """The privacy cost of one choice of a candidate."""
        return BoundedRange(
            self.epsilon, name="exponential mechanism", scope=Scope.adaptive(self.neighbours)
        )

    def _choose(self, scores: tuple[int, ...], coins: Coins) -> int:
        return coins.pick(scores, unit=self.rate)

    def release(
        self,
        scores: Sequence[int] | NDArray[np.integer],
        coins: Coins,
        *,
        counts: Sequence[int] | NDArray[np.int64] | None = None,
    ) -> int:
        """Choose a candidate at random by the scores and return its index.

        For the same seed, an array and a sequence with the same scores may lead to different
        choices. The output distributions are equal.

        Parameters
        ----------
        scores : sequence of int, or array of integers, shape (candidates,)
            Score of each candidate.
        coins : Coins
            Source of randomness, `SecureCoins` for a release.
        counts : sequence or array of integers, shape (candidates,), optional
            Number of candidates with equal score that each index represents. In a sequence, the
            numbers may be arbitrarily large. After the choice of an index, the caller draws one of
            its candidates uniformly. The assignment of candidates to indices may depend on the
            data, because it does not affect the distribution of the finally drawn candidate.

        Raises
        ------
        InvalidInput
            If there is no candidate, a score is not an integer, scores differ by 2^62 or more, or a
            count is not positive.

        Examples
        --------
        >>> import numpy as np
        >>> from learners.coins import SeededCoins
        >>> scores = np.zeros(10**5, dtype=np.int64)
        >>> scores[77] = 100
        >>> ExponentialMechanism(1).release(scores, SeededCoins(1))
        77
        """
        if isinstance(counts, Sequence):
            require_coins(coins)
            return coins.pick(checked.counts(scores, "score"), unit=self.rate, counts=counts)
        if isinstance(scores, np.ndarray) or counts is not None:
            return coins.pick_from(np.asarray(scores), unit=self.rate, counts=counts)
        return super().release(scores, coins)


@dataclass(frozen=True)
class ReportNoisyMax(SelectionMechanism):
    """A mechanism that adds noise to every score and chooses the candidate of the best noisy score.

    The noise is discrete Laplace noise of scale 1/rate. If several candidates have the largest
    noisy score, one of them is chosen uniformly. The noisy scores themselves are **not** released.
    (The release of all noisy scores would have a much larger privacy cost.)

    **Guarantee.** The choice is (epsilon, 0)-DP.

    **Proof.** Add to each noisy score a uniform number in [0, 1), which breaks ties. Fix these
    numbers, and the noise of all candidates except i. Candidate i is reported if and only if the
    noise of i is at least some integer k. In a neighbouring input the other scores rise by at most
    the sensitivity D and the score of i falls by at most D. So a noise of at least k + 2D still
    suffices (k + D for monotone scores). The probability P[Z >= k] falls by a factor of at most
    exp(-rate 2D) = exp(-epsilon), since P[Z >= k + 1] >= exp(-rate) P[Z >= k] for every k. Average
    over the noise of the other candidates.

    **Utility.** With probability 1 - failure, all noises have absolute value at most m =
    noise_bound(1/rate, failure/candidates), and the chosen score is at most 2m below the best
    score.

    **Many equal candidates.** The method `release` accepts groups of candidates with equal scores,
    and draws the largest noise of each group from its distribution (`Coins.noisy_maximum`). The
    chosen group has the same distribution as if all candidates were listed. So the mechanism can
    choose among the concepts of huge classes (`learners.pac.generic.draw_by_errors`). *Remark:*
    with Gumbel noise instead of Laplace noise, the choice would have the distribution of
    `ExponentialMechanism` (Durfee and Rogers 2019).

    References
    ----------
    Dwork and Roth 2014, claim 3.9, with discrete noise and ties.

    Examples
    --------
    >>> from learners.coins import SeededCoins
    >>> ReportNoisyMax(1).release([10, 30, 20], SeededCoins(1))
    1
    """

    @property
    def privacy(self) -> Event:
        """The privacy cost of one choice."""
        return PureDP(self.epsilon, name="report noisy max", scope=Scope.adaptive(self.neighbours))

    def release(
        self, scores: Sequence[int], coins: Coins, *, counts: Sequence[int] | None = None
    ) -> int:
        """Choose a candidate at random by the scores and return its index.

        Parameters
        ----------
        scores : sequence of int
            Score of each candidate.
        coins : Coins
            Source of randomness, `SecureCoins` for a release.
        counts : sequence of int, optional
            Number of candidates with equal score that each index represents. After the choice of an
            index, the caller draws one of its candidates uniformly. The assignment of candidates to
            indices may depend on the data, because it does not affect the distribution of the
            finally drawn candidate.

        Raises
        ------
        InvalidInput
            If there is no candidate, a score is not an integer, or a count is not positive.

        Examples
        --------
        >>> from learners.coins import SeededCoins
        >>> ReportNoisyMax(1).release([0, 200], SeededCoins(1), counts=[2**64, 1])
        1
        """
        if counts is None:
            return super().release(scores, coins)
        require_coins(coins)
        return coins.noisy_maximum(checked.counts(scores, "score"), 1 / self.rate, counts)

    def _choose(self, scores: tuple[int, ...], coins: Coins) -> int:
        noise = coins.laplaces(1 / self.rate, len(scores))
        noisy = [score + z for score, z in zip(scores, noise, strict=True)]
        best = max(noisy)
        places = [place for place, value in enumerate(noisy) if value == best]
        # A single candidate needs no draw, since every copy would be a branch of the exact output.
        return places[0] if len(places) == 1 else places[coins.below(len(places))]

    def _shortfall(self, candidates: int, failure: Fraction) -> int:
        return 2 * noise_bound(1 / self.rate, failure / candidates)


@dataclass(frozen=True)
class PermuteAndFlip(SelectionMechanism):
    """Permute-and-flip: a private choice of a candidate with a large score.

    A candidate *passes* with probability exp(-rate (best - score)), where best is the largest
    score. Permute-and-flip goes through the candidates in random order until one passes.
    Equivalently, all candidates are tested, and a uniformly random candidate among the passing
    candidates is chosen. This class uses the second form.

    **Guarantee.** The choice is (epsilon, 0)-DP.

    **Proof.** Give every candidate independent exponential noise of rate `rate` and report the
    largest noisy score. Each noisy score exceeds the best score independently with probability
    exp(-rate (best - score)). Exponential noise is memoryless, so the amounts by which noisy scores
    exceed the best score are independent with equal distributions. So given the set of noisy scores
    that exceed the best score, the reported candidate is uniform in this set. This is the output
    distribution of permute-and-flip. Now fix the noise of all candidates except i, and let t be the
    bound that the noise of i must exceed. In a neighbouring input t rises by at most 2 sensitivity
    (monotone scores: sensitivity), and P[E > t] = min(1, exp(-rate t)) falls by a factor of at most
    exp(epsilon).

    **Utility.** A candidate is chosen only if it passes, which has probability exp(-rate (best -
    score)). So the bound of the exponential mechanism also holds for permute-and-flip.

    References
    ----------
    McKenna and Sheldon 2020; Ding et al. 2021 for the equivalence.

    Examples
    --------
    >>> from learners.coins import SeededCoins
    >>> PermuteAndFlip(1).release([10, 30, 20], SeededCoins(1))
    1
    """

    @property
    def privacy(self) -> Event:
        """The privacy cost of one choice."""
        return PureDP(self.epsilon, name="permute and flip", scope=Scope.adaptive(self.neighbours))

    def _choose(self, scores: tuple[int, ...], coins: Coins) -> int:
        best = max(scores)
        passed = [
            index for index, score in enumerate(scores) if coins.decays(self.rate * (best - score))
        ]
        return passed[coins.below(len(passed))]
