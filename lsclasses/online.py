"""The base of deterministic online learners: immutable states that predict and observe.

``state.predict(x)`` gives a label and ``state.observe(x, y)`` the state after learning the true
label. Both check the point and the label once and call a hook; a learner overrides hooks only.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Self

from lsclasses.domain import Domain
from lsclasses.errors import InvalidInput
from lsclasses.frozen import ShortRepr
from lsclasses.hypothesis import Hypothesis
from lsclasses.point_names import Label, Point, check_label

__all__ = ["MistakeBounded", "OnlineState"]


class OnlineState(ShortRepr, ABC):
    """A state of a deterministic online learner; a subclass supplies `_predict` and `_observe`.

    It should be hashable, and equal to states that behave alike from then on, so that many copies
    of a learner can share the few states they are really in.

    Examples
    --------
    >>> class Yes(OnlineState):
    ...     def _predict(self, x): return 1
    ...     def _observe(self, x, y): return self
    >>> Yes().predict("any point"), Yes().mistake_bound
    (1, None)
    """

    bound_symbol: ClassVar[str] = "M"
    """How formulas call the mistake bound: Ldim where it is that."""

    @property
    def domain(self) -> Domain | None:
        """The points that are labelled; None if it is any point."""
        return None

    @property
    def mistake_bound(self) -> int | None:
        """The remaining mistake bound while some concept fits; None if none is known."""
        return None

    def predict(self, x: Any) -> Label:
        """Return the label predicted for the point x.

        Raises
        ------
        InvalidInput
            If x is no point of the domain.
        """
        return self._predict(self._point(x))

    def observe(self, x: Any, y: Any) -> Self:
        """Return the state after the true label y of x has been revealed.

        Raises
        ------
        InvalidInput
            If x is no point of the domain or y no label.
        """
        return self._observe(self._point(x), check_label(y))

    def _point(self, x: Any) -> Point:
        domain = self.domain
        return x if domain is None else domain.require(x)

    def to_json(self, start: Self) -> Any:
        """This state in a file, given the state that it came from; `from_json` reads it.

        A state tells of the examples. Which of them stand in the file in the clear, each learner
        says.

        Raises
        ------
        InvalidInput
            If the learner does not say how its states are written.
        """
        raise InvalidInput(
            f"States of {type(self).__name__} cannot be written to a file: it does not say how."
        )

    def from_json(self, data: Any) -> Self:
        """Return the state that `to_json` wrote, which came from this one.

        Raises
        ------
        InvalidInput
            If it is something else.
        """
        raise InvalidInput(
            f"States of {type(self).__name__} cannot be read from a file: it does not say how."
        )

    @abstractmethod
    def _predict(self, x: Point) -> Label:
        """Return the label predicted for a point of the domain."""

    @abstractmethod
    def _observe(self, x: Point, y: Label) -> Self:
        """Return the state after the true label of a point of the domain."""


class MistakeBounded(OnlineState):
    """A deterministic online learner that knows how many mistakes it can still make.

    The SOA is one, with the Littlestone dimension as its bound. A subclass supplies `hypothesis`,
    `mistake_bound` and `_observe`.
    """

    consistent: ClassVar[bool] = False
    """Whether the rule is right on all examples seen, as long as some concept is."""
    extended: ClassVar[bool] = False
    """Whether an example that no concept fits overrides the rule at its point [BLM20, Def. 8]."""
    corrects: ClassVar[bool] = False
    """Whether the rule is right at a point on which it has just erred, also if no concept fits."""

    @property
    @abstractmethod
    def hypothesis(self) -> Hypothesis:
        """The rule that predicts in this state."""

    @property
    @abstractmethod
    def mistake_bound(self) -> int | None:
        """The remaining mistake bound while some concept fits; None once none does."""

    @property
    def domain(self) -> Domain:
        """The points that are labelled."""
        return self.hypothesis.domain

    def _predict(self, x: Point) -> Label:
        return self.hypothesis._label(x)
