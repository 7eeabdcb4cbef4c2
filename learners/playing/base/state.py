"""Immutable states of mistake-bounded online learners, which change on mistakes only."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from learners.playing.features import Features
from lsclasses.domain import Domain
from lsclasses.errors import InvalidInput
from lsclasses.hypothesis import Hypothesis, PatchedHypothesis
from lsclasses.online import MistakeBounded
from lsclasses.point_names import Label, Point
from lsclasses.stacks import Listed

LISTED_UP_TO = 1 << 10
"""Largest size of a domain on which rules over features are compared by their labels."""


@dataclass(frozen=True)
class Prediction:
    """The prediction of a randomized learner in a round.

    Attributes
    ----------
    label : int
        The predicted label, 0 or 1.
    coin : bool
        Whether the label is a fair coin, tossed because the learner's copies noisily disagreed.
        If this flag is published, the privacy proof covers it.

    Examples
    --------
    >>> int(Prediction(1, coin=True)), Prediction(1) == Prediction(1, coin=True)
    (1, False)
    """

    label: Label
    coin: bool = False

    def __int__(self) -> int:
        return self.label


class ConservativeLearner(MistakeBounded):
    """A conservative learner, whose state changes on mistakes only.

    It must supply `hypothesis`, `mistakes`, `mistake_bound`, equality and `_corrected`.
    """

    @abstractmethod
    def _corrected(self, x: Point, y: Label) -> Self:
        """Return the state after a mistake at x, whose label is y."""

    def _observe(self, x: Point, y: Label) -> Self:
        return self if self._predict(x) == y else self._corrected(x, y)


@dataclass(frozen=True)
class IntegerVector:
    """An immutable, hashable vector of integers.

    Parameters
    ----------
    packed : bytes
        The entries as 32-bit integers.

    Examples
    --------
    >>> v = IntegerVector.of(np.array([3, -1]))
    >>> v.array.tolist(), v == IntegerVector.of(np.array([3, -1]))
    ([3, -1], True)
    """

    packed: bytes = b""

    @classmethod
    def of(cls, entries: np.ndarray) -> IntegerVector:
        """Return a vector with the given integers, shape (entries,)."""
        return cls(entries.astype(np.int32).tobytes())

    def filled(self, entries: int) -> IntegerVector:
        """Return this vector, or a vector of zeros if it is empty.

        Raises
        ------
        InvalidInput
            If the vector is not empty and has another number of entries.
        """
        if not self.packed:
            return IntegerVector.of(np.zeros(entries))
        if len(self.array) != entries:
            raise InvalidInput(
                f"There must be one integer for each of {entries} features. Got "
                f"{len(self.array)}, which a state with other features has left."
            )
        return self

    @cached_property
    def array(self) -> np.ndarray:
        """The integers, shape (entries,), dtype int32, read-only."""
        return np.frombuffer(self.packed, np.int32)

    def __repr__(self) -> str:
        return f"<Vector of {len(self.array)} integers>"


class FeatureRule(Hypothesis):
    """A rule over features, such as a decision list or a halfspace.

    It is hard to decide whether two such rules have equal labels everywhere. So on domains of more
    than `LISTED_UP_TO` points, two rules are equal if and only if their fields are equal.
    """

    @abstractmethod
    def _description(self) -> Hashable:
        """Return a key that describes the rule."""

    def _is_listed(self) -> bool:
        size = self.domain.size
        return size is not None and size <= LISTED_UP_TO

    def _extension(self) -> Hashable:
        return self.to_concept()._extension() if self._is_listed() else self._description()

    def _patched_extension(self, patches: Mapping[Point, Label]) -> Hashable:
        if self._is_listed():
            return PatchedHypothesis(self, patches).to_concept()._extension()
        return super()._patched_extension(patches)


class ValueRule(FeatureRule):
    """A rule that is computed from feature values, so that many rules can share these values."""

    features: Features
    """The features that the rule tests."""

    @abstractmethod
    def _label_by(self, values: np.ndarray) -> Label:
        """Return the label of a point whose features have the given values, shape (features,)."""

    @property
    def domain(self) -> Domain:
        """The points that the rule labels."""
        return self.features.domain

    def _label(self, x: Point) -> Label:
        return self._label_by(self.features.values(x))

    def _stack(self) -> FeatureStack:
        return FeatureStack(self.features)


class FeatureStack(Listed):
    """A stack of rules over common features, whose values are computed once for a point.

    Parameters
    ----------
    features : Features
        Features of the points.
    """

    def __init__(self, features: Features) -> None:
        super().__init__()
        self._features = features

    def accepts(self, h: Hypothesis) -> bool:
        """Return whether the hypothesis is a rule over these features."""
        return isinstance(h, ValueRule) and h.features == self._features

    def _answers(self, hypotheses: list[Hypothesis], x: Point) -> Iterable[Label]:
        values = self._features.values(x)
        return (h._label_by(values) for h in hypotheses if isinstance(h, ValueRule))
