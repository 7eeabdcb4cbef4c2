"""A guard that detects learners that exceed their mistake bound."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Self

from lsclasses.errors import InvalidInput, LsclassesError
from lsclasses.frozen import set_frozen_fields
from lsclasses.hypothesis import Hypothesis
from lsclasses.online import MistakeBounded
from lsclasses.point_names import Label, Point

__all__ = ["BoundExceeded", "BoundGuard"]

SHOWN = 6
"""Number of examples that an error message shows."""

Linked = tuple["Linked", Point, Label] | None
"""A linked list of examples: the preceding examples, a point and its label. States share their
common examples."""


class BoundExceeded(LsclassesError):
    """The error that a learner exceeded its mistake bound.

    Attributes
    ----------
    examples : tuple of (point, label)
        A stream from the starting state on which the learner exceeds its bound. Examples that the
        learner predicted correctly and that left its state unchanged are omitted.
    mistakes, bound : int
        Number of mistakes, and the exceeded bound.
    """

    def __init__(
        self, message: str, examples: tuple[tuple[Point, Label], ...], mistakes: int, bound: int
    ) -> None:
        super().__init__(message)
        self.examples, self.mistakes, self.bound = examples, mistakes, bound


@dataclass(frozen=True)
class BoundGuard(MistakeBounded):
    """A mistake-bounded learner that raises `BoundExceeded` when it exceeds its mistake bound.

    The guard predicts and learns like the given state, and keeps the examples. If several copies of
    a learner (`learners.playing.copies.Copies`) have one state and equally many mistakes, then they
    share one list of examples. This list is correct for at least one of these copies.

    **For diagnosis only.** The error shows examples of users, and whether it is raised depends on
    these examples. No privacy guarantee covers the error or its occurrence. Do not wrap learners
    whose predictions are released.

    Parameters
    ----------
    state : MistakeBounded
        A starting state whose ``mistake_bound`` is a number.

    Attributes
    ----------
    bound : int
        The mistake bound of the starting state.
    mistakes : int
        Mistakes so far.

    Raises
    ------
    InvalidInput
        If the state has no mistake bound.

    Examples
    --------
    >>> import catalog
    >>> from lsclasses.soa import SOA
    >>> watched = BoundGuard(SOA(catalog.build("points:n=9")))
    >>> watched.bound
    1
    >>> try:
    ...     watched.observe(3, 1).observe(5, 0).observe(4, 1)
    ... except BoundExceeded as found:
    ...     print(found)
    ...     found.examples
    The learner SOA erred 2 times, but its mistake bound is 1. No concept agrees with the \
examples: (3, 1), (4, 1).
    ((3, 1), (4, 1))
    """

    state: MistakeBounded
    bound: int = -1
    mistakes: int = 0
    _seen: Linked = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.bound < 0:
            bound = self.state.mistake_bound
            if bound is None:
                raise InvalidInput(
                    f"Only a learner with a mistake bound can be watched. {self.state!r} has none."
                )
            set_frozen_fields(self, bound=bound)

    @property
    def hypothesis(self) -> Hypothesis:
        """The rule that predicts in this state."""
        return self.state.hypothesis

    @property
    def mistake_bound(self) -> int | None:
        """The remaining mistake bound, or None once no concept is consistent."""
        return self.state.mistake_bound

    def _predict(self, x: Point) -> Label:
        return self.state._predict(x)

    def _observe(self, x: Point, y: Label) -> Self:
        after = self.state._observe(x, y)
        wrong = self.state._predict(x) != y
        if not wrong and after == self.state:
            return self
        seen: Linked = (self._seen, x, y)
        mistakes = self.mistakes + wrong
        if mistakes > self.bound:
            self._raise(seen, mistakes, fitting=after.mistake_bound is not None)
        return type(self)(after, self.bound, mistakes, seen)

    def _raise(self, seen: Linked, mistakes: int, *, fitting: bool) -> None:
        examples = tuple(_unlinked(seen))[::-1]
        shown = ", ".join(map(repr, examples[:SHOWN])) + ", ..." * (len(examples) > SHOWN)
        cause = (
            "Either no concept agrees with the examples, or the bound is wrong:"
            if fitting
            else "No concept agrees with the examples:"
        )
        raise BoundExceeded(
            f"The learner {type(self.state).__name__} erred {mistakes} times, but its mistake "
            f"bound is {self.bound}. {cause} {shown}.",
            examples,
            mistakes,
            self.bound,
        )


def _unlinked(seen: Linked) -> Iterator[tuple[Point, Label]]:
    while seen is not None:
        seen, x, y = seen
        yield x, y
