"""Halfspaces with a margin, for decision lists and point functions [BF25, section 4].

In this module, features have the values -1 and 1. Take a halfspace over d features and a constant
feature, with weights of any sign. It equals a halfspace with nonnegative weights over 2 (d + 1)
experts: the features, the constant and the negations of all these. `DPWinnow` of
`learners.winnow.algorithm` learns in this form.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from learners.playing.base.state import ValueRule
from learners.playing.base.winnow import signed_values
from learners.playing.features import Features
from lsclasses.domain import IntegerRange
from lsclasses.errors import InvalidInput
from lsclasses.frozen import set_frozen_fields
from lsclasses.numbers import integer
from lsclasses.point_names import Label, Point

__all__ = ["Halfspace", "Indicators", "list_halfspace"]


@dataclass(frozen=True, eq=False)
class Halfspace(ValueRule):
    """A halfspace: 1 exactly if an integer sum of features in {-1, 1} and a constant is >= 0.

    Parameters
    ----------
    features : Features
        Features of the points.
    weights : tuple of int
        One weight for each feature, and the weight of the constant last.

    Raises
    ------
    InvalidInput
        If the number of weights is wrong, or all weights are 0.

    Examples
    --------
    >>> from learners.playing.features import Literals
    >>> majority = Halfspace(Literals(3, signed=True), (1, 1, 1, 0))
    >>> majority((1, -1, 1)), majority.margin(majority.domain)
    (1, Fraction(1, 3))
    >>> majority.target.tolist()
    [1, 1, 1, 0, 0, 0, 0, 0]
    """

    features: Features
    weights: tuple[int, ...]

    def __post_init__(self) -> None:
        weights = tuple(integer(weight, "weight") for weight in self.weights)
        if len(weights) != self.features.count + 1 or not any(weights):
            raise InvalidInput(
                f"A halfspace needs {self.features.count + 1} weights that are not all 0: one a "
                f"feature and one for the constant. Got {list(weights)}."
            )
        set_frozen_fields(self, weights=weights)

    @property
    def norm(self) -> int:
        """The sum of the absolute values of the weights."""
        return sum(map(abs, self.weights))

    @property
    def target(self) -> np.ndarray:
        """The weights of the experts: the features and the constant, then their negations.

        These weights are nonnegative and have the same sum as the absolute values of the weights of
        the features. So the margin is the same [BF25, section 4.3]. The shape is (2 (features +
        1),).
        """
        signed = np.array(self.weights)
        return np.concatenate([np.maximum(signed, 0), np.maximum(-signed, 0)])

    def value(self, x: Point) -> int:
        """Return the weighted sum of features and constant at a point of the domain."""
        return self._value(self.features.values(self.domain.require(x)))

    def _value(self, values: np.ndarray) -> int:
        signs = signed_values(values, bias=True)
        return sum(w * z for w, z in zip(self.weights, signs.tolist(), strict=True))

    def margin(self, points: Iterable[Point]) -> Fraction:
        """Return the least absolute value of the weighted sum over these points, over the norm.

        Raises
        ------
        InvalidInput
            If no points are given.
        """
        values = [abs(self.value(x)) for x in points]
        if not values:
            raise InvalidInput("A margin is taken over at least one point. Got none.")
        return Fraction(min(values), self.norm)

    def _label_by(self, values: np.ndarray) -> Label:
        return int(self._value(values) >= 0)

    def _description(self) -> Hashable:
        return "halfspace", self.features, self.weights


def list_halfspace(
    features: Features, rules: Sequence[tuple[int, Label]], default: Label
) -> Halfspace:
    r"""Return a decision list as a halfspace with an explicit margin [BF25, Lemma 4.10, Thm 4.12].

    The list is "if feature i_1 holds then b_1, else if feature i_2 holds then b_2, ..., else the
    default". Rules at the end with the bit of the default are dropped. The other rules form D runs
    of n_1, ..., n_D rules with equal bits. Start with the weight 1 for the default. Then choose the
    weights run by run, from the last run to the first. Each rule of a run weighs one more than the
    default and all later runs together. So the first rule that holds decides, and |f| >= 1, where
    f = +-1 + the sum of +-u over the rules that hold. All weights together are T with T + 1 = 2
    (n_1 + 1) ... (n_D + 1), since a run takes T to T + n (T + 1). Written with features -1 and 1,
    half of a rule's weight goes to the constant, and the absolute values add up to at most T. The
    code multiplies all weights by 2.

    Hence the margin is at least 1/(2 (n_1 + 1) ... (n_D + 1) - 1), on every point. For r - 1 rules
    and D alternations, `learners.playing.base.base_learner_names.decision_list_margin` is the least
    of these bounds. The paper prints Omega(1/r^D), for monotone 1-decision lists. The proof only
    uses that the features are Boolean.

    Parameters
    ----------
    features : Features
        Features that the rules test.
    rules : sequence of (int, label)
        For each rule: the index of its feature (from 0) and its bit.
    default : label
        Label of points that no rule covers.

    Returns
    -------
    Halfspace
        Its weighted sum is at least 2 in absolute value everywhere, so its margin is at least
        ``Fraction(2, norm)``.

    Raises
    ------
    InvalidInput
        If a feature does not exist, or a bit is neither 0 nor 1.

    Examples
    --------
    >>> from learners.playing.features import Literals
    >>> halfspace = list_halfspace(Literals(3), [(0, 1), (2, 0)], default=1)
    >>> halfspace.weights, halfspace.margin(halfspace.domain)
    ((4, 0, -2, 4), Fraction(1, 5))
    >>> [halfspace(x) for x in [(1, 0, 1), (0, 0, 1), (0, 1, 0)]]
    [1, 0, 1]
    """
    for index, _ in rules:
        if not 0 <= integer(index, "index of a feature") < features.count:
            raise InvalidInput(
                f"The features are numbered from 0 to {features.count - 1}. Got {index}."
            )
    for bit in (default, *(bit for _, bit in rules)):
        if bit not in (0, 1):
            raise InvalidInput(f"The bits of a decision list are 0 and 1. Got {bit!r}.")
    kept = list(rules)
    while kept and kept[-1][1] == default:
        kept.pop()
    weights = [0] * (features.count + 1)
    weights[-1] = 2 if default else -2
    total = later = 1
    follows = default
    for index, bit in reversed(kept):
        if bit != follows:
            later, follows = total, bit
        weight = later + 1 if bit else -later - 1
        weights[index] += weight
        weights[-1] += weight
        total += later + 1
    return Halfspace(features, tuple(weights))


class Indicators(Features):
    """Unit vectors as features of n points, where feature i holds at the point i only.

    With -1 and 1 the point i becomes (-1, ..., -1, 1, -1, ..., -1). The point function of i, 1 at i
    only, is then the halfspace with weight 1 on feature i. So point functions are halfspaces with
    margin 1, and lower bounds for them are lower bounds for halfspaces. **The embedding of
    [BF25, section 4.4]** has all signs reversed. Its halfspaces are the negations of point
    functions, which does not affect the lower bound.

    Parameters
    ----------
    n : int
        Number of points.

    Raises
    ------
    InvalidInput
        If n is less than 1.

    Examples
    --------
    >>> features = Indicators(4)
    >>> Halfspace(features, (0, 0, 1, 0, 0)).to_concept().support
    (2,)
    """

    def __init__(self, n: int) -> None:
        if integer(n, "number of points") < 1:
            raise InvalidInput(f"There must be at least one point. Got n={n}.")
        super().__init__(IntegerRange(0, n), n)

    def values(self, x: Point) -> np.ndarray:
        """Return the unit vector of a point."""
        return np.asarray(np.arange(self.count) == x)

    def _key(self) -> Hashable:
        return self.count

    def __repr__(self) -> str:
        return f"Indicators({self.count})"
