"""Learning decision lists by elimination: every mistake moves features one level down."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from catalog.closed_forms.list_rules import LiteralList, WrittenAsList
from learners import checked
from learners.playing.base.state import ConservativeLearner, IntegerVector, ValueRule
from learners.playing.features import Features, list_over, lists_are_comparable
from lsclasses.errors import InvalidInput
from lsclasses.frozen import set_frozen_fields
from lsclasses.point_names import Label, Point


class LevelsHypothesis(WrittenAsList, ValueRule):
    """A decision list by levels, where the first level with a feature that holds decides.

    An odd level gives the label 0, and an even level gives 1. The constant feature holds
    everywhere, so some level decides.

    Parameters
    ----------
    features : Features
        Features of the points.
    levels : IntegerVector
        Level of every feature, the constant feature last. Levels count from 1.
    """

    __slots__ = ("features", "levels")

    def __init__(self, features: Features, levels: IntegerVector) -> None:
        self.features = features
        self.levels = levels

    def _label_by(self, values: np.ndarray) -> Label:
        return 1 - self.deciding(values)[0] % 2

    def deciding(self, values: np.ndarray) -> tuple[int, np.ndarray]:
        """Return the deciding level and its features that hold, shape (features + 1,).

        Parameters
        ----------
        values : numpy.ndarray
            The features of a point, shape (features,).
        """
        holds = np.append(values, True)
        levels = self.levels.array
        first = int(levels[holds].min())
        return first, holds & (levels == first)

    def _is_comparable(self) -> bool:
        return lists_are_comparable(self.features)

    def _as_list(self) -> LiteralList | None:
        *levels, last = self.levels.array.tolist()
        order = sorted((level, i) for i, level in enumerate(levels) if level < last)
        rules = [(i, 1 - level % 2) for level, i in order]
        return list_over(self.features, rules, 1 - last % 2)

    def _description(self) -> Hashable:
        return "levels", self.features, self.levels

    def __repr__(self) -> str:
        return f"<Decision list of {int(self.levels.array.max())} levels over {self.features!r}>"


@dataclass(frozen=True)
class DecisionListElimination(ConservativeLearner):
    r"""An online learner of decision lists over N features with few alternations.

    All features, and the constant feature 1, start on level 1. A point is labelled by the first
    level with a feature that holds: 0 by odd levels, 1 by even ones. On a mistake, the features of
    the deciding level that hold at the point move down one level.

    Parameters
    ----------
    features : Features
        Features that the rules of a list test.
    blocks : int
        Largest number of blocks of a list. A *block* is a maximal run of rules with equal bits, and
        the default at the end counts as a rule. The number is one more than the number of
        alternations.

    Attributes
    ----------
    levels : IntegerVector
        Level of every feature, the constant feature last.
    mistakes : int
        Number of mistakes so far. Equality of states ignores this number.

    Raises
    ------
    InvalidInput
        If `blocks` is less than 1.

    Notes
    -----
    *Bound.* Let a list have m blocks and no useless rules, so that features are tested once and
    m <= N + 1. Put s = 0 if its first bit is 0, else s = 1. Then level j + s has the bit of block
    j.

    A feature of block j never goes below level j + s. Assume that it is on this level, that it
    holds at x, and that the learner errs on this level. Then the true label of x differs from the
    bit of block j. So a feature of an earlier block j' holds at x, and it is on level j' + s at
    most, an earlier level. But the first level with a feature that holds was the level of block j.

    So the level that decides is m + s at most (the default rule always holds), and features outside
    of the list make at most m + s steps. One feature of block j makes at most j + s - 1 steps. In
    total this is at most (N + 1)(m + s) - m(m + 1)/2, and every mistake is a step. With s = 1 and m
    as large as allowed (at most N + 1) this gives

        M = (m + 1)(N + 1) - m(m + 1)/2.

    Steps are never repeated, for every sequence of examples. So the remaining bound is M minus the
    steps made.

    References
    ----------
    Rivest 1987; Helmbold, Sloan and Warmuth 1990 (nested differences); Blum 1996 and
    Nevo and El-Yaniv 2002, with O(r N) mistakes for lists of length r

    Examples
    --------
    >>> from learners.playing.features import ShortConjunctions
    >>> state = DecisionListElimination(ShortConjunctions(10_000, 1), blocks=3)
    >>> state.mistake_bound
    79998
    >>> x = (1,) * 10_000
    >>> state.predict(x), state.observe(x, 1).predict(x), state.observe(x, 1).mistakes
    (0, 1, 1)
    """

    features: Features
    blocks: int
    levels: IntegerVector = field(default=IntegerVector())
    mistakes: int = field(default=0, compare=False)

    def __post_init__(self) -> None:
        if self.blocks < 1:
            raise InvalidInput(
                f"A decision list has at least one block of rules. Got blocks={self.blocks}."
            )
        if not self.levels.packed:
            set_frozen_fields(self, levels=IntegerVector.of(np.ones(self.features.count + 1)))

    @cached_property
    def hypothesis(self) -> LevelsHypothesis:
        """The decision list that predicts in this state."""
        return LevelsHypothesis(self.features, self.levels)

    @property
    def mistake_bound(self) -> int | None:
        """The remaining mistake bound, or None once no list is consistent."""
        rules = self.features.count + 1
        m = min(self.blocks, rules)
        steps = int(self.levels.array.sum(dtype=np.int64)) - rules
        left = (m + 1) * rules - m * (m + 1) // 2 - steps
        return left if left >= 0 else None

    def to_json(self, start: DecisionListElimination) -> dict[str, Any]:
        """Return the level of every feature as JSON values, which contain no examples."""
        return {"levels": self.levels.array.tolist(), "mistakes": self.mistakes}

    def from_json(self, data: Any) -> DecisionListElimination:
        """Return the state that `to_json` wrote, which was derived from the state `self`."""
        levels = IntegerVector.of(np.array(data["levels"])).filled(self.features.count + 1)
        mistakes = checked.nonnegative(data["mistakes"], "number of mistakes")
        return replace(self, levels=levels, mistakes=mistakes)

    def _corrected(self, x: Point, y: Label) -> DecisionListElimination:
        _, wrong = self.hypothesis.deciding(self.features.values(x))
        levels = IntegerVector.of(self.levels.array + wrong)
        return DecisionListElimination(self.features, self.blocks, levels, self.mistakes + 1)
