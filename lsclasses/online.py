"""The base class of deterministic online learners, with immutable states.

``state.predict(x)`` returns a label. ``state.observe(x, y)`` returns the state after the true label
is observed. Both check the point and the label once and call a hook. A learner overrides only
hooks.
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
    """A state of a deterministic online learner. A subclass supplies `_predict` and `_observe`.

    A state should be hashable, and equal to states with equal later behaviour. Then many copies of
    a learner can share their few distinct states.

    Examples
    --------
    >>> class Yes(OnlineState):
    ...     def _predict(self, x): return 1
    ...     def _observe(self, x, y): return self
    >>> Yes().predict("any point"), Yes().mistake_bound
    (1, None)
    """

    bound_symbol: ClassVar[str] = "M"
    """The symbol of the mistake bound in formulas, such as Ldim."""

    @property
    def best_errors(self) -> int:
        """The largest number of errors of the best concept for which `mistake_bound` holds.

        The value 0 means that the bound holds only if some concept agrees with all examples.
        """
        return 0

    @property
    def domain(self) -> Domain | None:
        """The domain of the predictions, or None for arbitrary points."""
        return None

    @property
    def mistake_bound(self) -> int | None:
        """A bound on the remaining mistakes on realizable streams, or None if none is known."""
        return None

    def predict(self, x: Any) -> Label:
        """Return the label that the learner predicts in this state for a point x.

        Raises
        ------
        InvalidInput
            If x is not a point of the domain.
        """
        return self._predict(self._point(x))

    def observe(self, x: Any, y: Any) -> Self:
        """Return the learner's next state, after it observes the true label y of a point x.

        Raises
        ------
        InvalidInput
            If x is not a point of the domain or y is not a label.
        """
        return self._observe(self._point(x), check_label(y))

    def _point(self, x: Any) -> Point:
        domain = self.domain
        return x if domain is None else domain.require(x)

    def to_json(self, start: Self) -> Any:
        """Return this state as JSON values, which ``start.from_json`` converts back to the state.

        The object `start` is the starting state, before any example. The values reveal information
        about the examples. The documentation of each learner describes the examples that its values
        contain.

        Raises
        ------
        InvalidInput
            If the learner does not support files of states.
        """
        raise InvalidInput(
            f"States of {type(self).__name__} cannot be written to a file, because the class does "
            "not define to_json."
        )

    def from_json(self, data: Any) -> Self:
        """Return the state that ``state.to_json(self)`` described as JSON values.

        The object `self` must be the starting state, before any example.

        Raises
        ------
        InvalidInput
            If the data are not JSON values of a state of this learner.
        """
        raise InvalidInput(
            f"States of {type(self).__name__} cannot be read from a file, because the class does "
            "not define from_json."
        )

    @abstractmethod
    def _predict(self, x: Point) -> Label:
        """Return the label predicted for a point of the domain."""

    @abstractmethod
    def _observe(self, x: Point, y: Label) -> Self:
        """Return the state after the true label of a point of the domain."""


class MistakeBounded(OnlineState):
    """A deterministic online learner with a bound on the mistakes that it can still make.

    An example is the SOA, whose bound is the Littlestone dimension. A subclass supplies
    `hypothesis`, `mistake_bound` and `_observe`.
    """

    consistent: ClassVar[bool] = False
    """Whether the rule agrees with all earlier examples if some concept agrees with them."""
    extended: ClassVar[bool] = False
    """Whether the rule adopts the label of an example that no concept agrees with.

    The label then replaces the rule's label at the point of the example [BLM20, Def. 8].
    """
    corrects: ClassVar[bool] = False
    """Whether the rule is right at the point of its latest mistake.

    This holds even if no concept agrees with the examples.
    """

    @property
    @abstractmethod
    def hypothesis(self) -> Hypothesis:
        """The rule that predicts in this state."""

    @property
    @abstractmethod
    def mistake_bound(self) -> int | None:
        """A bound on the remaining mistakes, or None if no concept agrees with all examples."""

    @property
    def domain(self) -> Domain:
        """The points that the learner labels."""
        return self.hypothesis.domain

    def _predict(self, x: Point) -> Label:
        return self.hypothesis._label(x)
