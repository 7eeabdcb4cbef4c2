"""Optimal online learners for sequences on which the best concept errs at most k times.

`lsclasses.mistake_budgets` defines the dimensions L_k and RL_k, which are the mistake bounds of the
learners, and proves the recursions. A state of a learner stores how many mistakes each concept may
still make.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar, Self

from lsclasses.concept_class import ConceptClass, require_class
from lsclasses.domain import Domain
from lsclasses.errors import InvalidInput, NotRealizable
from lsclasses.frozen import set_frozen_fields
from lsclasses.limits import Limit
from lsclasses.mistake_budgets import (
    Budgets,
    MistakeBudgetGame,
    documented_for_mistakes,
    number_of_mistakes,
)
from lsclasses.online import OnlineState
from lsclasses.point_names import Label, Point, check_label
from lsclasses.randomized_soa import RandomizedSOA


@documented_for_mistakes
@dataclass(frozen=True)
class BudgetSOA(OnlineState):
    """The Standard Optimal Algorithm for k-realizable sequences, with at most L_k mistakes.

    A sequence is k-realizable if some concept errs at most k times. L_k is the k-mistake
    Littlestone dimension (`lsclasses.budgeted_ldim`). On a point, the learner predicts the label
    after which the remaining sequence can force more mistakes (label 0 for a tie). If the
    prediction is wrong, the number of mistakes that can still be forced decreases by at least one.
    So the learner makes at most L_k mistakes if some concept errs at most k times, and no
    deterministic learner guarantees fewer mistakes.

    Attributes
    ----------
    realizable : bool
        Whether some concept erred at most k times so far. If an example makes every concept err
        more than k times, the learner ignores the example.

    Examples
    --------
    >>> from lsclasses import Table
    >>> state = BudgetSOA(Table([[0], [1]]), 1)
    >>> state.mistake_bound, state.predict(0)
    (3, 0)
    >>> after = state.observe(0, 1).observe(0, 1)
    >>> after.mistake_bound, after.predict(0)
    (1, 1)
    """

    concept_class: ConceptClass
    mistakes: int
    budgets: Budgets = ()
    realizable: bool = True
    _game: MistakeBudgetGame | None = field(default=None, compare=False, repr=False)

    bound_symbol: ClassVar[str] = "L_k"

    def __post_init__(self) -> None:
        if self._game is None:
            game, budgets = _started(self.concept_class, self.mistakes, None)
            set_frozen_fields(self, budgets=budgets, _game=game)

    @property
    def domain(self) -> Domain:
        """The points that the learner labels, which are the points of the class."""
        return self.concept_class.domain

    @property
    def best_errors(self) -> int:
        """Largest number of errors of the best concept for which the mistake bound holds."""
        return self.mistakes

    @property
    def mistake_bound(self) -> int | None:
        """A bound on the learner's remaining mistakes.

        It is None if every concept erred more than `mistakes` times.
        """
        return self._solved.depth(self.budgets) if self.realizable else None

    @property
    def _solved(self) -> MistakeBudgetGame:
        assert self._game is not None
        return self._game

    def _index(self, x: Point) -> int:
        return self._solved.table.domain.index(x)

    def _predict(self, x: Point) -> Label:
        game, j = self._solved, self._index(x)
        zeros, ones = (game.depth(game.after(self.budgets, j, label)) for label in (0, 1))
        return int(ones > zeros)

    def _observe(self, x: Point, y: Label) -> Self:
        after = self._solved.after(self.budgets, self._index(x), y)
        if not after:
            return type(self)(self.concept_class, self.mistakes, self.budgets, False, self._game)
        if after == self.budgets:
            return self
        return type(self)(self.concept_class, self.mistakes, after, self.realizable, self._game)

    def to_json(self, start: Self) -> dict[str, Any]:
        """Return a state as JSON values: the sets of concepts with 0, 1, ... mistakes left."""
        return {"budgets": list(map(str, self.budgets)), "realizable": self.realizable}

    def from_json(self, data: Any) -> Self:
        """Return the state that `to_json` wrote, for the starting state `self`."""
        budgets = _read_budgets(data["budgets"], self.budgets)
        return type(self)(
            self.concept_class, self.mistakes, budgets, bool(data["realizable"]), self._game
        )


def _started(
    C: ConceptClass, mistakes: int, limit: Limit | None
) -> tuple[MistakeBudgetGame, Budgets]:
    require_class(C, "The SOA for a number of mistakes")
    k = number_of_mistakes(mistakes)
    if C.is_empty:
        raise InvalidInput("The SOA needs a class with at least one concept. Got an empty class.")
    game = MistakeBudgetGame(C.to_table(), limit)
    return game, game.start(k)


@documented_for_mistakes
class RandomizedBudgetSOA(RandomizedSOA):
    """The optimal randomized learner for k-realizable sequences, with RL_k expected mistakes.

    A sequence is k-realizable if some concept errs at most k times. RL_k is the k-mistake
    randomized Littlestone dimension (`lsclasses.budgeted_randomized_ldim`). On a point, the learner
    predicts 1 with the probability that makes both labels equally bad, clipped to [0, 1]. So it
    makes at most RL_k mistakes in expectation if some concept errs at most k times and the
    adversary chooses the label of a round before the prediction is revealed.

    Examples
    --------
    >>> from lsclasses import Table
    >>> state = RandomizedBudgetSOA(Table([[0], [1]]), 1)
    >>> state.mistake_bound, state.predict_probability(0)
    (Fraction(7, 4), Fraction(1, 2))
    >>> after = state.observe(0, 1)
    >>> after.mistake_bound, after.predict_probability(0)
    (Fraction(5, 4), Fraction(3, 4))
    """

    __slots__ = ("_game", "budgets", "mistakes")

    bound_symbol: ClassVar[str] = "RL_k"

    def __init__(
        self, concept_class: ConceptClass, mistakes: int, *, limit: Limit | None = None
    ) -> None:
        self._game, self.budgets = _started(concept_class, mistakes, limit)
        super().__init__(self._game.table)
        self.mistakes = mistakes

    @property
    def best_errors(self) -> int:
        """Largest number of errors of the best concept for which the mistake bound holds."""
        return self.mistakes

    @property
    def mistake_bound(self) -> Fraction:
        """A bound on the expected number of further mistakes: the value RL of the current state.

        RL is half the largest expected branch length of a tree that the concepts shatter with the
        mistakes that they have left.
        """
        return self._game.expected(self.budgets)

    def _probability(self, x: Point) -> Fraction:
        zeros, ones = (self._game.expected(self._after(x, label)) for label in (0, 1))
        return min(max((1 + ones - zeros) / 2, Fraction(0)), Fraction(1))

    def _after(self, x: Point, y: Label) -> Budgets:
        return self._game.after(self.budgets, self._game.table.domain.index(x), y)

    def observe(self, x: Any, y: Any) -> RandomizedBudgetSOA:
        """Return the learner's next state, after the true label y of a point x is revealed.

        Raises
        ------
        InvalidInput
            If x is not a point of the domain or y is not a label.
        NotRealizable
            If every concept has then erred more than k times.
        """
        after = self._after(self.version_space.domain.require(x), check_label(y))
        if not after:
            raise NotRealizable(
                f"After the label {y} of the point {x!r}, every concept has erred more than "
                f"{self.mistakes} times. The learner is defined only on sequences on which some "
                "concept errs at most so often."
            )
        return self._at_budgets(after)

    def _at_budgets(self, budgets: Budgets) -> RandomizedBudgetSOA:
        state = RandomizedBudgetSOA.__new__(RandomizedBudgetSOA)
        state.version_space, state._values = self.version_space, self._values
        state._game, state.mistakes, state.budgets = self._game, self.mistakes, budgets
        return state

    def to_json(self, start: RandomizedSOA) -> Any:
        """Return the sets of concepts with 0, 1, ... mistakes left."""
        return list(map(str, self.budgets))

    def from_json(self, data: Any) -> RandomizedBudgetSOA:
        """Return the state that `to_json` wrote, for the starting state `self`."""
        return self._at_budgets(_read_budgets(data, self.budgets))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RandomizedBudgetSOA):
            return NotImplemented
        return (self.version_space, self.budgets) == (other.version_space, other.budgets)

    def __hash__(self) -> int:
        return hash((RandomizedBudgetSOA, self.version_space, self.budgets))

    def __repr__(self) -> str:
        return f"RandomizedBudgetSOA({self.version_space!r}, {self.mistakes})"


def _read_budgets(data: Any, start: Budgets) -> Budgets:
    """Return nested sets of concepts that a file contains, each at most the set of the start."""
    budgets = tuple(int(each) for each in data)
    if not budgets or len(budgets) > len(start) or budgets[-1] <= 0:
        raise InvalidInput("The budgets of a state must be sets of concepts, one for each number.")
    for larger, smaller in zip((start[0], *budgets), budgets, strict=False):
        if smaller & ~larger:
            raise InvalidInput("The sets of concepts in the budgets of a state must be nested.")
    return budgets
