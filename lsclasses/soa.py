"""The Standard Optimal Algorithm as an online learner: an immutable state (`lsclasses.online`).

The adversary `learners.playing.adversaries.Optimal` forces Ldim mistakes. A file stores a version
space by a few examples that determine it in its class.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

from lsclasses.concept_class import ConceptClass, require_class
from lsclasses.domain import Domain
from lsclasses.errors import InvalidInput
from lsclasses.frozen import set_frozen_fields
from lsclasses.html import HIDDEN_FROM, hidden, html_table
from lsclasses.hypothesis import Hypothesis, PatchedHypothesis
from lsclasses.online import MistakeBounded
from lsclasses.point_names import Label, Point, check_label, from_json, name_text, to_json

__all__ = ["SOA", "ConservativeSOA"]


# ---- version spaces in files


def version_space_to_json(C: ConceptClass, left: ConceptClass) -> list[list[Any]]:
    """Return examples that determine a version space of a class, as JSON values.

    Parameters
    ----------
    C : ConceptClass
        The class.
    left : ConceptClass
        Restriction of the class with at least one concept.

    Raises
    ------
    InvalidInput
        If no examples are known that determine the version space.
    TooLarge
        If too many points must be enumerated to find the examples. The error can occur even if the
        version space is the whole class.

    Examples
    --------
    >>> import catalog
    >>> C = catalog.build("thresholds:n=2^64")
    >>> version_space_to_json(C, C.given([(5, 0), (2, 0), (9, 1), (10, 1)]))
    [[5, 0], [9, 1]]
    """
    found, version_space = [], C
    for x, y in left._leaving():
        if version_space == left:
            break
        after = version_space._restrict(x, y)
        if after != version_space:
            found.append([to_json(x), y])
            version_space = after
    if version_space != left:
        raise InvalidInput(
            f"No examples are known that determine {left!r}, so it cannot be written."
        )
    return found


def version_space_from_json(C: ConceptClass, data: Any) -> ConceptClass:
    """Return the version space of a class that `version_space_to_json` wrote.

    Raises
    ------
    InvalidInput
        If the data have another form, or no concept agrees with the examples.

    Examples
    --------
    >>> import catalog
    >>> version_space_from_json(catalog.build("thresholds:n=9"), [[5, 0], [7, 1]]).size
    2
    """
    left = C.given((from_json(x), y) for x, y in data)
    if left.is_empty:
        raise InvalidInput("no concept of the class agrees with the examples of a version space.")
    return left


# ---- the learner


@dataclass(frozen=True)
class SOA(MistakeBounded):
    """The Standard Optimal Algorithm, with at most Ldim mistakes on any realizable sequence.

    The version space contains the concepts that agree with every example. The learner predicts the
    label y for which the version space restricted to (x, y) has the larger Littlestone dimension
    (Ldim), and 0 for a tie.

    Parameters
    ----------
    version_space : ConceptClass
        Class with at least one concept.

    Attributes
    ----------
    version_space : ConceptClass
        Concepts that agree with all examples before the first contradiction.
    realizable : bool
        Whether some concept agrees with all examples so far. The first contradiction is the first
        example after which this is false. From then on, an example (x, y) only sets the prediction
        at x to y [BLM20, Def. 8].

    Raises
    ------
    InvalidInput
        If the class is empty.

    References
    ----------
    Littlestone 1988; [BLM20, section 3.2]

    Examples
    --------
    >>> import catalog
    >>> state = SOA(catalog.build("thresholds:n=7"))
    >>> state.mistake_bound
    3
    >>> state.predict(3), state.observe(3, 1).mistake_bound
    (0, 2)
    >>> contradicted = state.observe(3, 1).observe(5, 0)
    >>> contradicted.realizable, contradicted.predict(5), contradicted.mistake_bound
    (False, 0, None)
    """

    version_space: ConceptClass
    patches: tuple[tuple[Point, Label], ...] = ()
    realizable: bool = True
    _rule: Hypothesis | None = field(default=None, compare=False, repr=False)

    conservative: ClassVar[bool] = False
    """Whether the state changes only after mistakes."""
    bound_symbol: ClassVar[str] = "Ldim"
    consistent: ClassVar[bool] = True
    extended: ClassVar[bool] = True
    corrects: ClassVar[bool] = True

    def __post_init__(self) -> None:
        require_class(self.version_space, "The SOA")
        if self.version_space.is_empty:
            raise InvalidInput(
                "The SOA needs a class with at least one concept. Got an empty class."
            )
        if self._rule is None:
            set_frozen_fields(self, _rule=self.version_space.soa())

    @property
    def domain(self) -> Domain:
        """The points that the learner labels, which are the points of the class."""
        return self.version_space.domain

    @property
    def hypothesis(self) -> Hypothesis:
        """The hypothesis by which the learner predicts in this state."""
        assert self._rule is not None
        return PatchedHypothesis(self._rule, dict(self.patches)) if self.patches else self._rule

    @property
    def mistake_bound(self) -> int | None:
        """A bound on the remaining mistakes, or None if no concept agrees with all examples."""
        return self.version_space.ldim() if self.realizable else None

    def _repr_html_(self) -> str:
        """Return the size of the version space, for notebooks, without a search."""
        left = self.version_space
        known = left._known("ldim") if self.realizable else None
        rows = [
            ("version space", repr(left)),
            (
                "examples",
                "some concept agrees with all" if self.realizable else "no concept agrees with all",
            ),
            *([("mistakes still possible", known)] if known is not None else []),
            *((f"overridden at {name_text(x)}", y) for x, y in self.patches[:HIDDEN_FROM]),
        ]
        note = hidden(overrides=len(self.patches) - HIDDEN_FROM)
        return html_table(type(self).__name__, rows, note=note)

    def to_json(self, start: Self) -> dict[str, Any]:
        """Return this state as JSON values, which contain some of the examples.

        The object `start` is the starting state, before any example. The values contain a few
        examples that determine the version space. If no concept agrees with all examples, the
        values also contain each point whose prediction a later example changed, with the new label.
        The values are not encrypted.
        """
        return {
            "examples": version_space_to_json(start.version_space, self.version_space),
            "overridden": [[to_json(x), y] for x, y in self.patches],
            "realizable": self.realizable,
        }

    def from_json(self, data: Any) -> Self:
        """Return the state that `SOA.to_json` described as JSON values.

        The object `self` must be the starting state, before any example.
        """
        patches = (
            (self.domain.require(from_json(x)), check_label(y)) for x, y in data["overridden"]
        )
        left = version_space_from_json(self.version_space, data["examples"])
        return type(self)(left, tuple(patches), bool(data["realizable"]))

    def _predict(self, x: Point) -> Label:
        assert self._rule is not None
        return dict(self.patches).get(x, self._rule._label(x))

    def _observe(self, x: Point, y: Label) -> Self:
        if self.conservative and self._predict(x) == y:
            return self
        if self.realizable:
            left = self.version_space._restrict(x, y)
            if left is self.version_space:
                return self
            if not left.is_empty:
                return self if left == self.version_space else type(self)(left)
        # [BLM20, Def. 8]: no concept fits, so the rule changes at this point only.
        assert self._rule is not None
        patches = {**dict(self.patches), x: y}
        changed = [(p, b) for p, b in patches.items() if self._rule._label(p) != b]
        return type(self)(
            self.version_space,
            tuple(sorted(changed, key=repr)),
            realizable=False,
            _rule=self._rule,
        )


@dataclass(frozen=True)
class ConservativeSOA(SOA):
    """The SOA that changes its state only after mistakes.

    The Standard Optimal Algorithm (`SOA`) and this variant have the same mistake bound, because the
    proof of the bound may ignore examples that were predicted correctly. This variant has far fewer
    states. The version space contains the concepts that agree with the examples on which the
    learner made a mistake. So the learner can be wrong at a point at which an earlier prediction
    was right:

    >>> from lsclasses import Table
    >>> state = ConservativeSOA(Table([[1, 0, 0], [0, 1, 0], [1, 1, 0], [1, 0, 1]]))
    >>> state.observe(0, 1).observe(1, 1).predict(0)
    0

    Examples
    --------
    >>> import catalog
    >>> state = ConservativeSOA(catalog.build("thresholds:n=7"))
    >>> state.observe(0, 0) is state, state.observe(3, 1).version_space.size
    (True, 4)
    """

    conservative: ClassVar[bool] = True
    consistent: ClassVar[bool] = False
