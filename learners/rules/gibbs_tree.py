r"""A decision tree of bounded depth drawn by the exponential mechanism: a Gibbs tree.

**Distribution.** A tree T tests public conditions, C of them. Its leaves carry labels from K. The
prior pi draws the tree from the root downwards. Above the largest depth D, a node is a leaf with
probability 1/2. Otherwise the node tests condition c with probability p_c/M, for public counts p_c
of sum M. At depth D, a node is a leaf. Labels of leaves are uniform. Let right(T) be the number of
rows that T labels correctly, each counted with the public weight w_y of its label. The mechanism
releases

    T  with probability  pi(T) exp(t right(T)) / Z.

**Privacy.** For neighbouring tables let u_T be the change of right(T). If a row is replaced, u_T =
w_y' [T right there] - w_y [T right here] lies in [-w, w] for all T, where w is the largest weight.
If a row is added, u_T lies in [0, w]. If a row is removed, u_T lies in [-w, 0]. The loss ln
P'(T)/P(T) is t u_T less the logarithm of the mean of e^(t u). So it takes values in an interval of
width 2 t w, or t w for add/remove, and the interval contains 0, because the loss is the logarithm
of a likelihood ratio. So the release is of bounded range 2 t w (or t w), thus pure, and costs an
eighth of its square in zCDP. The prior and the list of conditions must not depend on rows. The
labels are the labels of leaves, so the single choice covers them. An empty leaf has a uniform
label. Later processing of T without the rows (merging equal siblings, printing rules) is free.

**Utility**, for all trees T* at once: the T with right(T) <= right(T*) - s have together at most
the weight e^(t right(T*) - t s), and T* has the weight pi(T*) e^(t right(T*)). So one of these T is
released with probability at most e^(-t s)/pi(T*). With probability 1 - b, the released tree falls
short of every T* by at most (ln 1/pi(T*) + ln 1/b)/t rows, on its training rows. This is
[BLM20, Lemma 16] with a prior in place of a count: small trees, whose prior is large, lose least,
so the depth needs no choice.

**From a sample to all rows.** Let S be the secret sample, right_S(T) the count on S, and right(T)
the count on all rows. Let D(T) = right(T*) - right(T) for a fixed T*, which may depend on the rows
but not on S, and define D_S(T) in the same way. Let N be the number of trees, and 0 < l <= t. Given
S, T is released with probability at most 1 and at most (pi(T)/pi(T*)) e^(-t D_S(T)), so with at
most the power l/t of the latter. The mean of the numbers pi(T)^(l/t) is at most the power of their
mean, so these numbers add up to at most N^(1 - l/t). So for every s, adding up over the trees with
D(T) >= s,

    P[D >= s] <= N^(1 - l/t) pi(T*)^(-l/t) max over these T of E e^(-l D_S(T)),

for every released tree: the bound is uniform over all trees. Let d_i, from -w to w, be the
contribution of the i-th row to D(T).

*k of n rows without replacement* (Serfling 1974): E e^(-l D_S) <= exp(-l D k/n + l^2 w^2 V/2) with
V = k (1 - (k - 1)/n). Proof: let X_1, X_2, ... be the -d_i in the drawn order, without loss of
generality of mean 0, and S_j their sums. Given the first j - 1, the mean of X_j is
-S_(j-1)/(n - j + 1). So M_j = S_j/(n - j) is a martingale. Its steps are X_j less this mean, over
n - j. By Hoeffding's lemma, E e^(h M_k) <= exp(h^2 (2w)^2/8 sum over j <= k of (n - j)^-2). Take
h = l (n - k), for k < n. The last of these (n - k)^2/(n - j)^2 is 1. As 1/x^2 is less than
1/(x - 1/2) - 1/(x + 1/2), the others add up to at most (n - k)^2 (k - 1)/((n - k + 1/2)(n - 1/2)),
which is at most (n - k)(k - 1)/n, since (n - k + 1/2)(n - 1/2) >= (n - k) n. The sum is V. If k = n
then D_S = D, and the claim is trivial.

*Every row with chance q = k/n'*, where n' rows are declared: E e^(-l D_S) is the product of the
1 + q (e^(-l d_i) - 1), at most exp(q sum_i (e^(-l d_i) - 1)). As (e^x - 1 - x)/x^2 increases in x,
this is at most exp(-l D q + q n (e^(l w) - 1 - l w)), and q n <= k if there are n <= n' rows.

So except with probability b, with V_l = l^2 w^2 V/2 or k (e^(l w) - 1 - l w),

    D <= (n/k) ((V_l + ln N + ln 1/b)/l - (ln N - ln 1/pi(T*))/t)

(n' in place of n in the second case). Every l up to t is valid. If t is large enough, about
sqrt(2 (ln N + ln 1/b)/V)/w is best.

**Preferred trees.** If some conditions are plain (`Conditions.plain`), candidates are pairs of a
family and a tree. The first family has the plain trees, which test only plain conditions, with
their separate prior of this form. The second family has all trees. Each family has half of the
prior. A plain candidate has the score right(T) + a, for a public number a of weighted rows. The
released tree is the tree of the drawn candidate. As a depends on no row, scores change by u_T as
before, so the claim does not change. A tree that is not plain is preferred only if it is right on
about a more rows. Utility: compared with a plain T*, only the prior changes, which is halved.
Compared with any other T*, the released tree falls short by at most a more. (On a sample, add a to
the scores on the sample: the bound e^(-t D_S(T)) above becomes at most e^(-t (D_S(T) - a)), and the
last bound grows by a n/k. N counts both families.) First checking whether the best plain tree is
good enough would be a separate release, whose loss has no bound, as a test shows.

**Drawing.** For a node v and d levels below it, let e_b(v) be the weighted number of its rows with
label b less the weighted number of its rows with label 0. Up to a factor that all trees share, the
weights of all trees below v add up to

    W_0(v) = sum_b exp(t e_b(v)) / K
    W_d(v) = W_0(v)/2 + sum_c (p_c/2M) W_{d-1}(v and c) W_{d-1}(v and not c),

and T is drawn from the root downwards: a node is a leaf, or tests c, with probabilities in
proportion to these summands. By the chain rule, this gives the distribution above. It is not a
composition of choices. The draw needs only the counts of D conditions together
(`learners.rules.tree_weights`). With two families, the first pick lists the summands of both
families: the summands of plain trees times e^(t a) and the M of all, and the summands of all trees
times the M of plain trees.

**Exactness.** The rate t is a multiple of 2^-30. With one level left, all leaves and stumps are
listed. Their weights are exp(t integer) times integers, and `Coins.pick_from` is exact. With two or
three levels left, a summand is written as p exp(t I + s) with an integer I, its largest exponent,
and a float s, from -300 to 0. Then t I + s is rounded to a multiple of 2^-30, which is exact in
t I, and the pick is exact for the rounded weights. If each logarithm is off by at most g, the odds
of a pick are off by a factor within e^(+-2g). At most three picks of a tree are rounded (the root
and its two children), so its probability is off by a factor within e^(+-6g), its loss by 12 g, and
a range by 24 g. The rate is chosen for epsilon less `MARGIN` = 2^-25 > 24 g with g = 2^-30 as
follows.

*g = 2^-30.* Rounding contributes 2^-31. It remains to show that s is right within 2^-31. Let
u = 2^-53, and assume that NumPy's `exp` and `log` are right within 4 units in the last place, so
within 8u of their value (`tests/learners/rules/test_gibbs_tree.py` compares them with balls). All
sums are of at most 2^16 positive terms times positive integers, in any order, with a relative error
of at most 2^16 u (1 + 2^-30). The argument of an exponential is t (I - I') + s, not positive, where
I' is the largest I. If it is less than -700, the value may be lost altogether, which is less than
2^56 e^-700
of sums that are at least e^-300, since s is at least -300 in the term with the largest I. Elsewhere
computing the argument is off by at most 4u 700, besides the error of s itself, and so is the value,
relatively, with 8u more; the products with integers and the logarithm of the sum add 8u (1 + 300),
and subtracting the logarithm of 2 M K^2 adds as much. For d = 1, each sum over conditions of one
kind has a logarithm, and these are added up in the same way, which costs as much once more. All
together this is less than 2^-36. For d = 1, no float enters an argument except t times an integer,
so s is right within 2^-36. For d = 2, a summand has two such s, so it is right within 3 2^-36. For
d = 3, two of these are within 2^-33. Larger sums and counts are refused: `TERMS_LIMIT`,
`MASS_LIMIT`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import prod
from typing import Annotated

import numpy as np
from flint import arb
from numpy.typing import ArrayLike, NDArray

from learners import checked
from learners.accounting import BoundedRange, Event, PureDP, Scope, checked_neighbours
from learners.balls import ball, floor, log
from learners.bounds import Bound
from learners.checked import Epsilon, Failure
from learners.coins import Coins
from learners.mechanisms.subsampling import epsilon_on_sample, poisson_sample, uniform_sample
from learners.number_arguments import log_in_floats
from learners.rules.tree_weights import (
    LARGEST_WEIGHT,
    TreeCounts,
    count_together,
    split_weights,
    with_label_0,
)
from learners.rules.trees import Conditions, Leaf, Split, Tree, number_of_trees
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.frozen import set_frozen_fields
from lsclasses.options import Option, check_arguments, check_fields

UNIT = Fraction(1, 1 << 30)
"""Unit of rates and of rounded logarithms of weights."""

MARGIN = Fraction(1, 1 << 25)
"""Largest part of epsilon that rounding costs, see the module's docstring."""

DEEPEST = 3
"""Largest depth. The work grows with the number of conditions to this power."""

TERMS_LIMIT = 1 << 16
"""Largest number of terms that are added up for one weight."""

LARGEST_PRODUCT = 1 << 60
"""Largest product of rows and the rate in units, so that sums of logarithms fit 64 bits."""

MASS_LIMIT = 1 << 40
"""Largest sum of prior counts, times the number of labels squared."""


OF_ALL_ROWS = "(log(1/pi) + log(1/beta))/t"
FROM_A_SAMPLE = "n/k*((V + log(N) + log(1/beta))/l - (log(N) - log(1/pi))/t)"
"""Formula of the shortfall of a tree in the module's docstring, where V is V_l."""


@dataclass(frozen=True)
class GibbsTree:
    """A private decision tree, chosen with probability proportional to prior(T) exp(rate right(T)).

    **Guarantee.** (epsilon, 0)-DP, of bounded range epsilon without a sample. The module's
    docstring proves the guarantee, the distribution, the utility and the exactness of the draws.
    `learners.mechanisms.subsampling` has the proof for samples.

    Parameters
    ----------
    epsilon : Fraction or int
        Privacy budget, more than 2^-22.
    depth : int
        Largest number of conditions that are tested for a row, from 1 to 3.
    weights : tuple of int
        Public weights of the labels 0, 1, ..., one for each label. The number right(T) is the sum
        of the weights of the rows that the tree T labels correctly.
    neighbours : {"replace_one", "add_remove"}
    bonus : int
        Public number of weighted right rows that plain trees, if defined, count in addition.
    rows, sample : int, optional
        Size of a secret sample to learn from, and the public number `rows` of all rows. For
        add/remove, `rows` is a declared number, and each row is taken with probability sample/rows.

    Raises
    ------
    InvalidInput
        If epsilon, the depth or a weight is out of range, or a float.

    References
    ----------
    McSherry and Talwar 2007; [BLM20, Lemma 16]

    Examples
    --------
    >>> from learners.coins import SeededCoins
    >>> rng = np.random.default_rng(1)
    >>> rows = rng.random((2000, 3)) < 0.5
    >>> flies = rows[:, 0] & ~rows[:, 1]
    >>> mechanism = GibbsTree(Fraction(1, 2))
    >>> print(mechanism.fit(Conditions(3), rows, flies, SeededCoins(1)).pruned())
    Split(condition=1, holds=Leaf(label=0), fails=Split(condition=0, holds=Leaf(label=1), \
fails=Leaf(label=0)))
    >>> mechanism.privacy.eta, mechanism.privacy.neighbours
    (Fraction(1, 2), 'replace_one')
    """

    epsilon: Epsilon
    depth: Annotated[int, Option("depth", minimum=1)] = DEEPEST
    weights: tuple[int, ...] = (1, 1)
    neighbours: str = "replace_one"
    rows: int | None = None
    sample: int | None = None
    bonus: Annotated[int, Option("number of rows", minimum=0)] = 0

    def __post_init__(self) -> None:
        check_fields(self)
        set_frozen_fields(self, weights=checked.counts(self.weights, "weight of a label"))
        checked_neighbours(self.neighbours)
        if self.depth > DEEPEST:
            raise InvalidInput(f"The depth of a tree must be at most {DEEPEST}. Got {self.depth}.")
        if len(self.weights) < 2 or min(self.weights) < 1:
            raise InvalidInput(
                "There must be at least two labels, each of a weight of at least 1. "
                f"Got the weights {self.weights}."
            )
        if max(self.weights) > LARGEST_WEIGHT:
            raise InvalidInput(
                f"The weight of a label must be at most {LARGEST_WEIGHT}. Got {max(self.weights)}."
            )
        if self.sample is not None:
            rows = checked.positive(self.rows, "number of rows that is sampled from")
            if checked.positive(self.sample, "size of the sample") > rows:
                raise InvalidInput(
                    f"A sample must be at most as large as the {rows} rows. Got {self.sample}."
                )
        if self._numerator < 1:
            raise InvalidInput(
                f"For weights up to {max(self.weights)} the epsilon of a Gibbs tree must be more "
                f"than {MARGIN + self._range * UNIT}. Got {self.epsilon}."
            )

    @property
    def labels(self) -> int:
        """The number of labels."""
        return len(self.weights)

    @property
    def _range(self) -> int:
        """An upper bound on the range of the changes of the trees' scores."""
        return max(self.weights) * (2 if self.neighbours == "replace_one" else 1)

    @cached_property
    def epsilon_inside(self) -> Fraction:
        """The privacy cost of the choice of a tree, for the rows or the sample used."""
        if self.sample is None or self.rows is None:
            return self.epsilon
        return epsilon_on_sample(self.epsilon, Fraction(self.sample, self.rows))

    @cached_property
    def _numerator(self) -> int:
        """The rate in units."""
        return int((self.epsilon_inside - MARGIN) / self._range / UNIT)

    @property
    def rate(self) -> Fraction:
        """The change of the logarithm of a tree's weight for one more right row."""
        return self._numerator * UNIT

    @property
    def privacy(self) -> Event:
        """The privacy cost of a tree."""
        if self.sample is None:
            return BoundedRange(
                self.epsilon, name="Gibbs tree", scope=Scope.adaptive(self.neighbours)
            )
        return PureDP(
            self.epsilon,
            name="Gibbs tree of a secret sample",
            scope=Scope.adaptive(self.neighbours),
        )

    @check_arguments
    def shortfall(self, prior: Fraction, failure: Failure) -> int:
        """Return a bound on the weighted right rows of a tree minus the drawn tree's right rows.

        The prior of the compared tree is `prior`. The bound holds with probability 1 - failure, on
        the training rows (or the sample).

        Examples
        --------
        The example compares the bounds for a full tree of depth 3 over 100 conditions and for a
        single rule:

        >>> full, one = Fraction(1, 200**7 * 2**8), Fraction(1, 200 * 4 * 4)
        >>> [GibbsTree(1).shortfall(prior, Fraction(1, 20)) for prior in (full, one)]
        [91, 22]
        """
        counted = floor(lambda: (ball(MARGIN) - log(prior * failure)) / ball(self.rate))
        return counted + self.bonus

    @check_arguments
    def shortfall_of_all(
        self, prior: Fraction, conditions: Conditions | int, failure: Failure
    ) -> int:
        """Return the bound of `shortfall` for all rows, for a tree learned from a sample of them.

        Without a sample it is `shortfall`. With a sample for add/remove, it holds if there are at
        most as many rows as were declared.

        Parameters
        ----------
        prior : Fraction
            Prior of the tree that the released tree is compared with.
        conditions : Conditions or int
            Conditions of the trees, or the number of conditions.
        failure : Fraction

        Examples
        --------
        >>> mechanism = GibbsTree(1, rows=32_000, sample=13_000)
        >>> one = Fraction(1, 600 * 4 * 4)
        >>> tenth = Fraction(1, 10)
        >>> mechanism.shortfall(one, tenth), mechanism.shortfall_of_all(one, 300, tenth)
        (13, 2006)
        """
        if self.sample is None or self.rows is None:
            return self.shortfall(prior, failure)
        rows, sample, weight = self.rows, self.sample, max(self.weights)
        sizes = conditions.sizes if isinstance(conditions, Conditions) else (conditions,)
        trees = sum(number_of_trees(size, self.depth, self.labels) for size in sizes)
        spread = sample * (1 - Fraction(sample - 1, rows))
        chances = log_in_floats(Fraction(trees)) - log_in_floats(failure)
        best = Fraction(math.sqrt(2 * chances / spread) / weight).limit_denominator(1 << 30)
        slope = min(self.rate, max(best, UNIT))

        def deviation() -> arb:
            if self.neighbours == "replace_one":
                return ball(slope**2 * weight**2 * spread / 2)
            step = ball(slope * weight)
            return sample * (step.expm1() - step)

        def bound() -> arb:
            counted = log(trees)
            by_slope = (deviation() + counted + ball(MARGIN) - log(failure)) / ball(slope)
            return (
                (by_slope + self.bonus - (counted + log(prior)) / ball(self.rate)) * rows / sample
            )

        return floor(bound)

    def bounds(
        self,
        conditions: Conditions | int,
        rows: int | None = None,
        beta: Fraction = Fraction(1, 20),
    ) -> tuple[Bound, ...]:
        """Return the utility theorem for the best tree of each depth.

        The theorem is about all rows, also if the tree is learned from a sample of them. Rows count
        with the weights of their labels.

        Parameters
        ----------
        conditions : Conditions or int
            Conditions of the trees, or the number of equally likely conditions.
        rows : int, optional
            Number of rows, if it is public.
        beta : Fraction
            Probability of a larger shortfall.

        Examples
        --------
        >>> for bound in GibbsTree(1).bounds(100, 1000):
        ...     print(bound.quantity, bound.value)
        rows fewer right than the best tree of depth 0 8
        rows fewer right than the best tree of depth 1 22
        rows fewer right than the best tree of depth 2 48
        rows fewer right than the best tree of depth 3 91
        >>> print(GibbsTree(Fraction(1, 100)).bounds(100, 1000)[1])
        rows fewer right than the best tree of depth 1 <= (log(1/pi) + log(1/beta))/t = 2213 \
(proved in docs/rules.md, utility), except with probability 1/20, vacuous: at most 1000 anyway
        """
        if not isinstance(conditions, Conditions):
            conditions = Conditions(checked.positive(conditions, "number of conditions"))
        if self.sample is not None:
            rows = self.rows
        elif self.neighbours == "add_remove":
            # The bound holds for every number of rows.
            rows = None
        guessed = self.neighbours == "add_remove" and rows is not None
        unit = "rows" if max(self.weights) == 1 else "weighted rows"
        among = f", of at most {rows} rows" * guessed
        # Every tree equals one of full depth with the same labels, none of which is less likely.
        rarest = conditions.counts.index(min(conditions.counts))
        tree: Tree = Leaf(0)
        found = []
        for depth in range(self.depth + 1):
            prior = tree.prior(conditions, self.depth, self.labels) / len(conditions.sizes)
            found.append(
                Bound(
                    source="learners.rules.gibbs_tree, utility",
                    quantity=f"{unit} fewer right than the best tree of depth {depth}{among}",
                    formula=OF_ALL_ROWS if self.sample is None else FROM_A_SAMPLE,
                    value=self.shortfall_of_all(prior, conditions, beta),
                    trivial=None if rows is None else rows * max(self.weights),
                    failure=beta,
                    hypotheses=(f"there are at most {rows} rows",) * guessed,
                )
            )
            tree = Split(rarest, tree, tree)
        return tuple(found)

    def fit(
        self,
        conditions: Conditions,
        matrix: ArrayLike,
        labels: ArrayLike,
        coins: Coins,
    ) -> Tree:
        """Learn a private tree from labelled rows.

        Parameters
        ----------
        conditions : Conditions
            Conditions, chosen without looking at the rows.
        matrix : array of bool, shape (rows, features)
            Features of the rows.
        labels : array of int, shape (rows,)
            Labels of the rows, from 0 to K - 1.
        coins : Coins
            Randomness, `SecureCoins` for a release.

        Returns
        -------
        Leaf or Split
            Tree as drawn. `pruned` merges equal siblings.

        Raises
        ------
        InvalidInput
            If shapes do not match, a label does not exist, or the sample was planned for another
            number of rows.
        TooLarge
            If there are more conditions than weights can be added up for.
        """
        values, given = self._checked(conditions, matrix, labels)
        kept = self._sampled(len(given), coins)
        if kept is not None:
            values, given = values[kept], given[kept]
        counts = count_together(conditions, values, given, self.weights, self.depth)
        return self._draw(counts, coins)

    def _checked(
        self, conditions: Conditions, matrix: ArrayLike, labels: ArrayLike
    ) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
        values, given = np.asarray(matrix), np.asarray(labels)
        if values.ndim != 2 or values.shape[1] != conditions.features:
            raise InvalidInput(
                f"There must be {conditions.features} features per row. "
                f"Got an array of shape {values.shape}."
            )
        if values.dtype != np.bool_:
            # A larger number would count several times, beyond the change that one row may cause.
            raise InvalidInput(f"Features must be true or false. Got an array of {values.dtype}.")
        if given.shape != values.shape[:1]:
            raise InvalidInput(
                f"There must be one label per row: {len(values)}. "
                f"Got an array of shape {given.shape}."
            )
        if given.dtype.kind not in "biu" or (
            len(given) and not 0 <= int(given.min()) <= int(given.max()) < self.labels
        ):
            raise InvalidInput(
                f"Labels must be integers from 0 to {self.labels - 1}. Got {np.unique(given)[:5]}."
            )
        self.require_room(conditions, len(given))
        return values, given.astype(np.int64)

    def require_room(self, conditions: Conditions, rows: int) -> None:
        """Raise `TooLarge` for too many conditions or rows to compute the weights of trees."""
        if self.depth > 1 and self.labels**2 * len(conditions) + self.labels > TERMS_LIMIT:
            raise TooLarge(
                f"Trees of depth {self.depth} may test at most "
                f"{(TERMS_LIMIT - self.labels) // self.labels**2} conditions. "
                f"Got {len(conditions)}.",
                estimate=self.labels**2 * len(conditions),
                limit=TERMS_LIMIT,
            )
        mass = prod(each.total for each in conditions.families)
        if mass * self.labels**2 > MASS_LIMIT:
            raise TooLarge(
                f"The counts of the prior may add up to at most {MASS_LIMIT // self.labels**2}. "
                f"Got {mass}.",
                estimate=mass,
                limit=MASS_LIMIT,
            )
        most = max(rows, 1) * max(self.weights) + self.bonus
        if most * self._numerator > LARGEST_PRODUCT:
            raise TooLarge(
                "Weighted rows times the rate are too large for integers of 64 bits. "
                f"Got {rows} rows. Sample fewer of them.",
                estimate=rows,
                limit=LARGEST_PRODUCT // (max(self.weights) * self._numerator),
            )

    def _sampled(self, rows: int, coins: Coins) -> NDArray[np.intp] | None:
        """Return the sampled rows to learn from, which are secret. None for all rows."""
        if self.sample is None or self.rows is None:
            return None
        if self.neighbours == "add_remove":
            return poisson_sample(rows, Fraction(self.sample, self.rows), coins)
        if rows != self.rows:
            raise InvalidInput(
                f"The sample was planned for {self.rows} rows, on which its privacy cost depends. "
                f"Got {rows}."
            )
        return uniform_sample(rows, self.sample, coins)

    # ---- draws

    def _draw(self, counts: TreeCounts, coins: Coins) -> Tree:
        """Draw the tree below a node, or at the root from plain trees and all trees."""
        families = [TreeCounts(counts.array, each) for each in counts.conditions.families]
        if counts.depth == 1:
            listed, unit = [self._stumps(each) for each in families], self.rate
            bonus = self.bonus
        else:
            weights = split_weights(counts, float(self.rate))
            listed = [
                self._splits(each, *given) for each, given in zip(families, weights, strict=True)
            ]
            unit, bonus = UNIT, self.bonus * self._numerator
        if len(families) > 1:
            (values, prior), (others, other_prior) = listed
            plain, every = (each.conditions.total for each in families)
            listed = [(values + bonus, prior * every), (others, other_prior * plain)]
        drawn = coins.pick_from(
            np.concatenate([values for values, _ in listed]),
            unit=unit,
            counts=np.concatenate([prior for _, prior in listed]),
        )
        family = int(drawn >= len(listed[0][0]))
        return self._drawn(families[family], drawn - family * len(listed[0][0]), coins)

    def _splits(
        self, counts: TreeCounts, exponents: NDArray[np.int64], rests: NDArray[np.float64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the leaves and conditions of a node: logarithms of weights, and prior counts."""
        conditions, labels = counts.conditions, self.labels
        leaves = with_label_0(counts.whole).astype(np.int64)
        # A leaf has weight M e^(t e_b), a split K p_c e^(t I + s), both divided by 2 M K.
        values = np.concatenate([leaves, exponents]) * self._numerator
        values[labels:] += np.rint(rests * (1 << 30)).astype(np.int64)
        prior = [conditions.total] * labels + [labels * each for each in conditions.counts]
        return values, np.array(prior)

    def _stumps(self, counts: TreeCounts) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the leaves and the splits into two leaves, as integer scores and prior counts."""
        conditions, labels = counts.conditions, self.labels
        whole, parts = with_label_0(counts.whole), with_label_0(counts.parts)
        rests = whole[:, None] - parts
        # Times 2 M K^2: a leaf has weight M K e^(t e_b), a stump p_c e^(t (e_b + e_b')).
        scores = np.concatenate([whole, (parts[:, None] + rests[None]).ravel()])
        prior = np.concatenate(
            [
                np.full(labels, conditions.total * labels),
                np.tile(np.array(conditions.counts), labels**2),
            ]
        )
        return scores.astype(np.int64), prior

    def _drawn(self, counts: TreeCounts, place: int, coins: Coins) -> Tree:
        """Return the tree of a place in `_splits` or `_stumps`, after drawing the parts below."""
        labels = self.labels
        if place < labels:
            return Leaf(place)
        if counts.depth == 1:
            pair, condition = divmod(place - labels, len(counts.conditions))
            holds, fails = divmod(pair, labels)
            return Split(condition, Leaf(holds), Leaf(fails))
        condition = place - labels
        return Split(
            condition,
            self._draw(counts.below(condition, True), coins),
            self._draw(counts.below(condition, False), coins),
        )
