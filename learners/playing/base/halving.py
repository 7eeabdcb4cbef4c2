"""The halving algorithm: predict the label of most remaining concepts."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

from lsclasses.concept_class import ConceptClass, VersionSpaceRule
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.hypothesis import ENUMERATION_LIMIT, Hypothesis
from lsclasses.online import MistakeBounded
from lsclasses.point_names import Label, Point
from lsclasses.soa import version_space_from_json, version_space_to_json


class MajorityVote(VersionSpaceRule):
    """The majority vote of the concepts of a class, with the label 0 on a tie.

    Parameters
    ----------
    version_space : ConceptClass
        Finite class whose concepts vote.

    Examples
    --------
    >>> from lsclasses import Table
    >>> h = MajorityVote(Table([[0, 0, 1], [0, 1, 1], [1, 1, 0]]))
    >>> [h(x) for x in range(3)]
    [0, 1, 1]
    """

    __slots__ = ()

    kind = "majority votes"

    def _compute(self, x: Point) -> Label:
        total, ones = self.version_space.size, self.version_space._restrict(x, 1).size
        assert total is not None
        assert ones is not None
        return int(2 * ones > total)


@dataclass(frozen=True)
class Halving(MistakeBounded):
    """The halving algorithm: at most floor(log2 m) mistakes on a class of m concepts.

    The learner predicts the label that most concepts of the version space give to the point (0 for
    a tie). Then it removes the concepts that disagree with the true label. Each mistake removes at
    least half of the remaining concepts.

    Parameters
    ----------
    version_space : ConceptClass
        Finite class that is not empty and can count its concepts after any examples.

    Attributes
    ----------
    version_space : ConceptClass
        Concepts that agree with the examples so far. If an example contradicts all of them, the
        version space stays unchanged.
    mistakes : int
        Number of mistakes so far. Equality of states ignores this number.
    realizable : bool
        Whether some concept agrees with all examples so far.

    Raises
    ------
    InvalidInput
        If the class is empty.
    TooLarge
        If the class is infinite.

    References
    ----------
    Barzdin and Freivalds 1972; Littlestone 1988

    Examples
    --------
    >>> import catalog
    >>> state = Halving(catalog.family("decision-lists").table(n=3))
    >>> state.mistake_bound, state.predict((0, 1, 1))
    (6, 0)
    >>> state.observe((0, 1, 1), 1).mistake_bound
    5
    """

    version_space: ConceptClass
    mistakes: int = field(default=0, compare=False)
    realizable: bool = True

    consistent: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.version_space.is_empty:
            raise InvalidInput("Halving needs a class with a concept. Got an empty class.")
        if self.version_space.size is None:
            raise TooLarge(
                f"Halving counts concepts, and {self.version_space!r} has infinitely many."
            )

    @cached_property
    def hypothesis(self) -> Hypothesis:
        """The rule (hypothesis) that predicts in this state. Rules with equal labels are equal."""
        size = self.version_space.domain.size
        # A rule by a formula is compared with other rules without a list of the points.
        large = size is None or size > ENUMERATION_LIMIT
        rule = self.version_space._majority_vote() if large else None
        return rule or MajorityVote(self.version_space)

    @property
    def mistake_bound(self) -> int | None:
        """A bound on the remaining mistakes, or None if no concept is consistent."""
        size = self.version_space.size
        assert size is not None
        return size.bit_length() - 1 if self.realizable else None

    def to_json(self, start: Halving) -> dict[str, Any]:
        """Return the state as JSON values, which contain some of the examples.

        The stored examples determine the version space.
        """
        return {
            "examples": version_space_to_json(start.version_space, self.version_space),
            "mistakes": self.mistakes,
            "realizable": self.realizable,
        }

    def from_json(self, data: Any) -> Halving:
        """Return the state that `Halving.to_json` wrote, if `self` is the start of the game."""
        left = version_space_from_json(self.version_space, data["examples"])
        return Halving(left, int(data["mistakes"]), bool(data["realizable"]))

    def _observe(self, x: Point, y: Label) -> Halving:
        mistakes = self.mistakes + (self._predict(x) != y)
        left = self.version_space._restrict(x, y)
        if left.is_empty:
            return Halving(self.version_space, mistakes, realizable=False)
        if left == self.version_space and mistakes == self.mistakes:
            return self
        return Halving(left, mistakes, self.realizable)
