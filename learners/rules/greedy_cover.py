"""Decision lists from tables, by private greedy covering or without privacy."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from learners.accounting import ApproximateDP, Event, Scope, checked_neighbours
from learners.balls import ball, log, rational_below
from learners.bounds import Bound
from learners.checked import Delta, Epsilon, Features
from learners.coins import Coins
from learners.concentration import FAILURE
from learners.rules.cover import cover_rate
from learners.rules.decision_list import DecisionList, Rule
from learners.rules.packed import Mask, PackedFeatures
from learners.rules.sample_sizes import errors_bound, sample_size, warn_of_few_rows
from lsclasses.errors import InvalidInput
from lsclasses.options import check_arguments, check_fields


class _Uncovered:
    """The rows that no rule has decided, and the errors of each rule on them.

    ``wrong[f, b]`` counts the rows on which feature f holds and whose label is not b. The last f
    is the constant feature that always holds.
    """

    def __init__(self, packed: PackedFeatures, labels: ArrayLike) -> None:
        if not isinstance(packed, PackedFeatures):
            raise InvalidInput(
                "Features must be packed. PackedFeatures.from_matrix packs them. "
                f"Got an object of type {type(packed).__name__}."
            )
        self._packed = packed
        self._left = packed.everything
        self._ones = packed.mask(_checked_labels(labels, packed.rows))
        self.wrong = np.zeros((packed.count + 1, 2), dtype=np.int64)
        self._add(self._left, 1)

    def _add(self, rows: Mask, sign: int) -> None:
        for label, among in ((0, rows & self._ones), (1, rows & ~self._ones)):
            self.wrong[:-1, label] += sign * self._packed.counts(among)
            self.wrong[-1, label] += sign * int(np.bitwise_count(among).sum(dtype=np.int64))

    def cover(self, feature: int) -> None:
        """Remove the rows on which the feature holds.

        Only words with such rows are counted again. Each row is removed once, so over all rounds
        this is the work of at most 64 full counts, for every number of rounds.
        """
        rows = self._packed.column(feature) & self._left
        self._left ^= rows
        self._add(rows, -1)


def _checked_labels(labels: ArrayLike, rows: int) -> NDArray[np.generic]:
    values = np.asarray(labels)
    if values.shape != (rows,):
        raise InvalidInput(
            f"There must be one label per row: {rows}. Got an array of shape {values.shape}."
        )
    with np.errstate(invalid="ignore"):
        wrong = ~((values == 0) | (values == 1))
    if np.any(wrong):
        raise InvalidInput(
            f"Labels must be 0 or 1. Got {values[wrong][0]!r}. Map the two labels to 0 and 1 first."
        )
    return values


@dataclass(frozen=True)
class GreedyCover:
    """A private learner of decision lists, which repeatedly chooses a rule with few errors.

    In every round, consider the pairs (f, b) of a label b and a feature f that is not used yet, or
    the constant feature that always holds. Each pair counts the remaining rows on which f holds and
    the label is not b. A pair is chosen with probability proportional to exp(-epsilon_0 count/2)
    and becomes the next rule. Then the rows on which f holds are removed. The list ends with the
    constant feature. With d features, it is chosen in round d + 1 at the latest.

    **Guarantee.** (epsilon, delta)-DP, for all features and every number of features, if the
    features were chosen without looking at the rows.

    **Proof.** This is covering by the exponential mechanism at rate t = epsilon_0/2 with monotone
    scores: one more row lowers, by 1, the scores of the pairs that hold on it with the other label.
    `learners.rules.cover` has the proof and the constants. In R = d + 1 rounds, replace-one needs
    (1 - e^-w)^(R+1) <= delta (1 - e^-t)^R with w = t - epsilon/(R + 1), and for any number of
    rounds (1 - e^-t) exp(-epsilon/(e^t - 1)) <= delta is enough. `choice_epsilon` is the largest
    such epsilon_0. After the constant feature is chosen, no rows remain, so all later choices would
    be uniform. Stopping at this point is post-processing of [BF25, Alg 3.1], which continues.

    [BF25] prints |F| rounds, although there are |F| + 1 features to choose from. So the constant
    feature may remain, and with it rows that no rule decides. The paper prints epsilon_0 =
    epsilon/(2 ln(1/delta) + 3). This is safe up to epsilon_0 = 4.67, and for epsilon <= 4 it is at
    least four times smaller than necessary.

    Parameters
    ----------
    epsilon, delta : Fraction
        Privacy cost of a list.
    neighbours : {"replace_one", "add_remove"}
        Neighbour relation of the guarantee.

    Raises
    ------
    InvalidInput
        If epsilon or delta is out of range, or a float.

    References
    ----------
    [BF25, Alg 3.1, Thm 3.5]; Gupta, Ligett, McSherry, Roth and Talwar 2010 for private covering

    Examples
    --------
    >>> from learners.coins import SeededCoins
    >>> rng = np.random.default_rng(1)
    >>> rows = rng.random((20_000, 3)) < 0.5
    >>> flies = rows[:, 0] & ~rows[:, 1]
    >>> packed = PackedFeatures.from_matrix(rows, names=["wings", "penguin", "song"])
    >>> learner = GreedyCover(1, Fraction(1, 10**6))
    >>> found = learner.fit(packed.literals(), flies, SeededCoins(1)).simplified()
    >>> print(found.text(("stays", "flies")))
    if not wings: stays
    else if penguin: stays
    else: flies
    >>> round(float(learner.epsilon_0), 4), round(float(learner.printed_epsilon_0), 4)
    (0.1695, 0.0326)
    """

    epsilon: Epsilon
    delta: Delta
    neighbours: str = "replace_one"

    def __post_init__(self) -> None:
        check_fields(self)
        checked_neighbours(self.neighbours)

    @check_arguments
    def choice_epsilon(self, features: Features) -> Fraction:
        """Return the epsilon_0 of each choice for lists over `features` features.

        Examples
        --------
        >>> learner = GreedyCover(1, Fraction(1, 10**6))
        >>> [round(float(learner.choice_epsilon(d)), 4) for d in (3, 10, 100, 1000)]
        [0.4345, 0.2611, 0.1788, 0.1704]
        """
        rounds = features + 1
        return 2 * cover_rate(self.epsilon, self.delta, neighbours=self.neighbours, rounds=rounds)

    @property
    def epsilon_0(self) -> Fraction:
        """The epsilon_0 of each choice that is private for every number of features.

        `choice_epsilon`, for a known number of features, is at least as large.
        """
        return 2 * cover_rate(self.epsilon, self.delta, neighbours=self.neighbours)

    @property
    def printed_epsilon_0(self) -> Fraction:
        """The epsilon_0 that [BF25, proof of Thm 3.5] prints, epsilon/(2 ln(1/delta) + 3)."""
        return rational_below(lambda: ball(self.epsilon) / (3 - 2 * log(self.delta)), 1 << 40)

    @property
    def privacy(self) -> Event:
        """The privacy cost of a list, for any number of features."""
        return ApproximateDP(
            self.epsilon, self.delta, name="greedy cover", scope=Scope.adaptive(self.neighbours)
        )

    def bounds(
        self,
        features: int,
        rows: int,
        alpha: Fraction = Fraction(1, 10),
        beta: Fraction = FAILURE,
    ) -> tuple[Bound, Bound]:
        """Return the bounds on the errors of a list, on its sample and in the population.

        Parameters
        ----------
        features, rows : int
            Numbers of features and of rows.
        alpha, beta : Fraction
            Target error in the population, and the probability of a larger error.

        Examples
        --------
        >>> on_sample, outside = GreedyCover(1, Fraction(1, 10**6)).bounds(20, 100_000)
        >>> print(outside)
        population error <= alpha = 1/10 [BF25, Thm 3.5], explicit, \
except with probability 1/20
        >>> on_sample.value, on_sample.check([30] * 9), on_sample.check([5000] * 9)
        (Fraction(900, 1), 'consistent', 'violated')
        """
        size = sample_size(
            features, self.epsilon, self.delta, alpha, beta, neighbours=self.neighbours
        )
        on_sample = errors_bound(features, self.choice_epsilon(features) / 2, beta / 2, rows=rows)
        return on_sample, size.bound(rows)

    def fit(
        self,
        packed: PackedFeatures,
        labels: ArrayLike,
        coins: Coins,
        *,
        accuracy: Fraction | None = Fraction(1, 10),
    ) -> DecisionList:
        """Learn a private decision list from labelled rows.

        Parameters
        ----------
        packed : PackedFeatures
            Features, without a constant feature, and their values on all rows.
        labels : array of 0 and 1, shape (rows,)
            Label of each row.
        coins : Coins
            Randomness, `SecureCoins` for a release.
        accuracy : Fraction, optional
            Target error. If [BF25, Thm 3.5] needs more rows for this error, a warning (`FewRows`)
            states the number of rows. The default gives no warning.

        Returns
        -------
        DecisionList
            List as chosen, with rules that never fire. `DecisionList.simplified` removes them.

        Raises
        ------
        InvalidInput
            If the rows do not have one label each, 0 or 1.
        """
        left = _Uncovered(packed, labels)
        if accuracy is not None:
            warn_of_few_rows(
                packed.count,
                packed.rows,
                self.epsilon,
                self.delta,
                accuracy,
                neighbours=self.neighbours,
            )
        rate = self.choice_epsilon(packed.count) / 2
        constant = packed.count
        features = np.arange(constant + 1)
        rules: list[Rule] = []
        while True:
            # [BF25, Alg 3.1]: q(S_j, (f, b)) = -(remaining rows with f and label 1 - b)
            wrong = left.wrong[features].ravel()
            values, counts = np.unique(wrong, return_counts=True)
            group = coins.pick((-values).tolist(), unit=rate, counts=counts.tolist())
            member = coins.below(int(counts[group]))
            place = int(np.flatnonzero(wrong == values[group])[member])
            feature, label = int(features[place // 2]), place % 2
            if feature == constant:
                return DecisionList(rules, label, packed.descriptions)
            rules.append(Rule(feature, label))
            left.cover(feature)
            features = np.delete(features, place // 2)


def greedy_list(packed: PackedFeatures, labels: ArrayLike) -> DecisionList:
    """Return the decision list of greedy covering without privacy.

    Each rule makes as few errors as possible. This is `GreedyCover` for epsilon to infinity, where
    only pairs with fewest errors are chosen. Among these pairs, the function takes a pair that is
    right on most remaining rows: the constant feature if it is among these pairs, or else the first
    pair. The function skips features that hold on no remaining row. They could be chosen, but they
    decide no rows of the sample. If some decision list is consistent with all labels, then the
    returned list is, too.

    Parameters
    ----------
    packed : PackedFeatures
        Features of the rows.
    labels : array of 0 and 1, shape (rows,)
        Label of each row.

    Raises
    ------
    InvalidInput
        If the rows do not have one label each, 0 or 1.

    Examples
    --------
    >>> packed = PackedFeatures.from_matrix([[1, 0], [1, 1], [0, 1], [1, 0]], ["wings", "penguin"])
    >>> print(greedy_list(packed, [1, 0, 0, 1]).text(("stays", "flies")))
    if penguin: stays
    else: flies
    """
    left = _Uncovered(packed, labels)
    constant = packed.count
    open_to_choice = np.ones(constant + 1, dtype=bool)
    rules: list[Rule] = []
    while True:
        wrong = left.wrong
        # The constant feature holds on all remaining rows, so a choice always exists.
        useful = open_to_choice & (wrong.any(axis=1) | (np.arange(constant + 1) == constant))
        # On ties the constant feature comes first, because it ends the list.
        pairs = np.flatnonzero(np.repeat(useful, 2))
        right = wrong[:, ::-1].ravel()
        best = int(
            pairs[np.lexsort((pairs < 2 * constant, -right[pairs], wrong.ravel()[pairs]))[0]]
        )
        feature, label = best // 2, best % 2
        if feature == constant:
            return DecisionList(rules, label, packed.descriptions)
        rules.append(Rule(feature, label))
        left.cover(feature)
        open_to_choice[feature] = False


def rivest(packed: PackedFeatures, labels: ArrayLike) -> DecisionList | None:
    """Return a decision list that is consistent with all labels, or None if no such list exists.

    The function takes rules in the order of their features. It takes the first feature that holds
    only on remaining rows of one label, until all remaining rows have one label.

    The function accepts and refuses the inputs that `greedy_list` accepts and refuses.

    References
    ----------
    Rivest 1987

    Examples
    --------
    >>> packed = PackedFeatures.from_matrix([[0, 0], [0, 1], [1, 0], [1, 1]])
    >>> rivest(packed, [0, 1, 1, 0]) is None  # parity
    True
    >>> print(rivest(packed, [0, 0, 1, 0]).text())
    if x1: 0
    else if x0: 1
    else: 0
    """
    left = _Uncovered(packed, labels)
    constant = packed.count
    rules: list[Rule] = []
    while True:
        wrong = left.wrong
        for label in (0, 1):
            if not wrong[constant, label]:
                return DecisionList(rules, label, packed.descriptions)
        fitting = np.flatnonzero((wrong == 0).any(axis=1) & wrong.any(axis=1))
        if not len(fitting):
            return None
        feature = int(fitting[0])
        rules.append(Rule(feature, int(wrong[feature, 1] == 0)))
        left.cover(feature)
