"""The Standard Optimal Algorithm as an online learner, and the adversary that matches it.

An online learner is an immutable state: ``state.predict(x)`` gives a label, ``state.observe(x, y)``
the state after learning the true label, ``state.hypothesis`` the rule that predicts. States are
hashable, so that many copies of a learner can share the few states they are really in.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol, Self

from lsclasses.certificates import ShatteredTree
from lsclasses.concept_class import ConceptClass
from lsclasses.errors import InvalidInput, NotRealizable
from lsclasses.hypothesis import Hypothesis, PatchedHypothesis
from lsclasses.points import Label, Point, check_label

__all__ = ["SOA", "ConservativeSOA", "OnlineLearner", "Round", "play_against_adversary", "replay"]


class OnlineLearner(Protocol):
    """What a deterministic online learner must offer to be played with."""

    def predict(self, x: Any) -> Label:
        """The label predicted for the point x."""
        ...

    def observe(self, x: Any, y: Any) -> Self:
        """The state after the true label y of x has been revealed."""
        ...


@dataclass(frozen=True)
class SOA:
    """The Standard Optimal Algorithm: it makes at most Ldim mistakes on any realizable sequence.

    It predicts the label whose restriction of the version space has the larger Littlestone
    dimension (ties: 0) and keeps the concepts that agree with every example.

    Parameters
    ----------
    version_space : ConceptClass
        The class, not empty.

    Attributes
    ----------
    version_space : ConceptClass
        The concepts that agree with the examples up to the last one that some concept fits.
    realizable : bool
        Whether some concept agrees with all examples so far. Once none does, every example just
        overrides the prediction rule at its own point [BLM20, Def. 8].

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
    """Whether the state changes on mistakes only."""
    consistent: ClassVar[bool] = True
    """Whether the rule is right on all examples seen, as long as some concept is."""
    extended: ClassVar[bool] = True
    """Whether an example that no concept fits overrides the rule at its point [BLM20, Def. 8]."""

    def __post_init__(self) -> None:
        if self.version_space.is_empty:
            raise InvalidInput("The SOA needs a class with at least one concept. Got an empty one.")
        if self._rule is None:
            object.__setattr__(self, "_rule", self.version_space.soa())

    @property
    def hypothesis(self) -> Hypothesis:
        """The rule that predicts in this state, equal by extension."""
        assert self._rule is not None
        return PatchedHypothesis(self._rule, dict(self.patches)) if self.patches else self._rule

    @property
    def mistake_bound(self) -> int | None:
        """How many more mistakes are possible while some concept fits; None once none does."""
        return self.version_space.ldim() if self.realizable else None

    def predict(self, x: Any) -> Label:
        """The label predicted for the point x.

        Raises
        ------
        InvalidInput
            If x is no point of the domain.
        """
        assert self._rule is not None
        point = self.version_space.domain.require(x)
        if self.patches:
            return dict(self.patches).get(point, self._rule._label(point))
        return self._rule._label(point)

    def observe(self, x: Any, y: Any) -> Self:
        """The state after the true label y of x has been revealed.

        Raises
        ------
        InvalidInput
            If x is no point of the domain or y no label.
        """
        return self._observe(self.version_space.domain.require(x), check_label(y))

    def _observe(self, point: Point, label: Label) -> Self:
        """`observe` for a labelled point of the domain."""
        if self.conservative and self.predict(point) == label:
            return self
        if self.realizable:
            left = self.version_space._restrict(point, label)
            if left is self.version_space:
                return self
            if not left.is_empty:
                return self if left == self.version_space else type(self)(left)
        # [BLM20, Def. 8]: no concept fits, so the rule changes at this point only.
        assert self._rule is not None
        patches = {**dict(self.patches), point: label}
        changed = [(p, b) for p, b in patches.items() if self._rule._label(p) != b]
        return type(self)(
            self.version_space,
            tuple(sorted(changed, key=repr)),
            realizable=False,
            _rule=self._rule,
        )


@dataclass(frozen=True)
class ConservativeSOA(SOA):
    """The SOA that changes its state on mistakes only.

    It has the same mistake bound (an example predicted correctly may be ignored in the analysis)
    and far fewer states. Its version space holds the concepts that agree with its mistakes, and its
    rule can be wrong on an example that it predicted correctly and forgot:

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


@dataclass(frozen=True)
class Round:
    """One round of online learning: what was asked, predicted and revealed.

    Attributes
    ----------
    number : int
        1 for the first round.
    point, prediction, label
        What the learner saw, said and was told.
    mistakes : int
        Mistakes so far, this round included.
    state : SOA
        The learner after the round.
    """

    number: int
    point: Point
    prediction: Label
    label: Label
    mistakes: int
    state: SOA

    @property
    def mistake(self) -> bool:
        """Whether the prediction was wrong."""
        return self.prediction != self.label


def replay(
    state: SOA, examples: Iterable[tuple[Any, Any]], *, require_realizable: bool = True
) -> Iterator[Round]:
    """Run the SOA on a stream and tell what happens in each round.

    Parameters
    ----------
    state : SOA
        Where to start.
    examples : iterable of (point, label)
    require_realizable : bool
        Whether to stop at an example after which no concept fits.

    Raises
    ------
    NotRealizable
        At the first example that no concept left agrees with, if that is required.
    InvalidInput
        If an example is no labelled point of the domain.

    Examples
    --------
    >>> import catalog
    >>> stream = [(3, 1), (1, 1), (0, 0)]
    >>> [r.mistakes for r in replay(SOA(catalog.build("thresholds:n=7")), stream)]
    [1, 2, 2]
    """
    mistakes = 0
    # A conservative state ignores examples, so it cannot tell whether a concept fits all of them.
    fitting = state.version_space
    for number, (x, y) in enumerate(examples, start=1):
        prediction = state.predict(x)
        label = check_label(y)
        state = state.observe(x, label)
        if require_realizable:
            fitting = fitting.restrict(x, label)
        if require_realizable and (fitting.is_empty or not state.realizable):
            raise NotRealizable(
                f"Example {number}, the point {x!r} with label {label}, contradicts the examples "
                "before it: no concept of the class agrees with all of them."
            )
        mistakes += prediction != label
        yield Round(
            number, state.version_space.domain.require(x), prediction, label, mistakes, state
        )


def play_against_adversary(
    learner: OnlineLearner, tree: ShatteredTree
) -> list[tuple[Point, Label]]:
    """The examples that an adversary forces on a deterministic learner, each of them a mistake.

    The adversary walks down a shattered tree and always reveals the label that was not predicted;
    the leaf it reaches is a concept that fits, so the sequence is realizable. With a tree of depth
    Ldim no deterministic learner can do better than the SOA.

    Parameters
    ----------
    learner : OnlineLearner
        The starting state.
    tree : ShatteredTree
        Shattered by the class.

    Returns
    -------
    list of (point, label)
        As many examples as the tree is deep; the learner errs on each.

    References
    ----------
    Littlestone 1988; Ben-David, Pal and Shalev-Shwartz 2009

    Examples
    --------
    >>> import catalog
    >>> C = catalog.build("thresholds:n=7")
    >>> play_against_adversary(SOA(C), C.shattered_tree())
    [(3, 1), (1, 1), (0, 1)]
    """
    examples: list[tuple[Point, Label]] = []
    node = 0
    while node < len(tree.points):
        x = tree.points[node]
        y = 1 - learner.predict(x)
        learner = learner.observe(x, y)
        examples.append((x, y))
        node = 2 * node + 1 + y
    return examples
