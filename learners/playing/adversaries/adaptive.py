"""Adversaries that observe predictions, and seek disagreement or walk down a shattered tree."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np

from learners.coins import Coins
from learners.playing.adversaries.base import (
    EARLIER,
    THIS,
    AdversaryRun,
    StreamAdversary,
    _checked_class,
    _generator,
    _point_law,
)
from lsclasses.concept_class import ConceptClass, OfClass
from lsclasses.errors import TooLarge
from lsclasses.hypothesis import Hypothesis
from lsclasses.options import Option, check_fields
from lsclasses.point_names import Label, Point


class _InClass(AdversaryRun):
    """Base of adaptive adversaries, with the version space and the moves on a single concept."""

    _settled: Hypothesis | None = None
    """The concept, once it is the only one left."""

    def __init__(self, C: ConceptClass, coins: Coins) -> None:
        self._class, self._left, self._coins = C, C, coins
        self._asked: dict[Point, Label] = {}

    @cached_property
    def _rng(self) -> np.random.Generator:
        # The tree uses no coins, so that short games have exact output distributions.
        return _generator(self._coins)

    def _split(self) -> Point | None:
        """Return a point whose labels both lower Ldim by at most 1, or None for one concept."""
        if self._settled is None:
            if self._left.ldim() > 0:
                return self._left.splitting_point()
            self._settled = self._left.sample(self._rng)
            self._again = tuple(self._asked)
            self._random_point = _point_law(self._class, self._settled, "class", self._rng)
        return None

    def _fix(self, x: Point, y: Label) -> None:
        self._left = self._left._restrict(x, y)
        self._asked[x] = y

    def _afterwards(self) -> tuple[Point, Label]:
        """Return an earlier point or a random point, by a fair coin."""
        assert self._settled is not None
        if self._again and self._rng.integers(2):
            x = self._again[int(self._rng.integers(len(self._again)))]
        else:
            x = self._random_point()
        return x, self._settled._label(x)

    @property
    def concept(self) -> Hypothesis:
        """One of the concepts left."""
        return self._left.sample(self._rng) if self._settled is None else self._settled


@dataclass(frozen=True)
class _Adaptive(OfClass, StreamAdversary):
    concept_class: ConceptClass

    def __post_init__(self) -> None:
        _checked_class(self.concept_class)

    @property
    def realizable(self) -> bool:
        """True, because some concept is always consistent with all revealed labels."""
        return True


@dataclass(frozen=True)
class Seeking(_Adaptive):
    """An adversary that seeks disagreement in a realizable stream, with labels fixed in advance.

    While the learner errs or tosses a coin at a point, the adversary repeats that point. Otherwise
    it presents a point that splits the version space, with the label that the SOA would not
    predict. When one concept remains, earlier points alternate with random points.

    Parameters
    ----------
    concept_class : ConceptClass
        Class that is not empty and has finite Littlestone dimension.

    Examples
    --------
    >>> import catalog
    >>> from learners.coins import SeededCoins
    >>> opponent = Seeking(catalog.build("thresholds:n=7")).begin(SeededCoins(1))
    >>> opponent.pose(), opponent.hear(0, coin=False)
    ((3, 1), None)
    >>> opponent.pose(), opponent.hear(1, coin=True)
    ((3, 1), None)
    >>> opponent.pose(), opponent.hear(1, coin=False)
    ((3, 1), None)
    >>> opponent.pose()
    (1, 1)
    """

    sees = EARLIER

    def begin(self, coins: Coins) -> AdversaryRun:
        """Return a run of the adversary, whose version space is the whole class."""
        return _Seeker(self.concept_class, coins)

    def __str__(self) -> str:
        return "disagreement seeking"


class _Seeker(_InClass):
    _last: tuple[Point, Label] | None = None
    _repeat = False

    def pose(self) -> tuple[Point, Label]:
        if self._repeat and self._last is not None:
            return self._last
        x = self._split()
        if x is None:
            self._last = self._afterwards()
        else:
            self._last = x, 1 - self._left._soa_label(x)
            self._fix(*self._last)
        return self._last

    def hear(self, label: Label, coin: bool) -> None:
        assert self._last is not None
        self._repeat = coin or label != self._last[1]


@dataclass(frozen=True)
class Optimal(_Adaptive):
    """The optimal adversary, which forces Ldim mistakes on every deterministic learner.

    The adversary walks from the root of a shattered tree to a leaf. At each point it reveals the
    label that the learner did not predict, so it forces as many mistakes as the Littlestone
    dimension. Then one consistent concept labels all further points. Each further point is an
    earlier point with probability 1/2, and a random point otherwise.

    Parameters
    ----------
    concept_class : ConceptClass
        Class that is not empty and has finite Littlestone dimension.
    mistakes : int
        Number k of labels with which the best concept may disagree, 0 for a realizable stream. If k
        is positive, the class must be a small table. Then the adversary forces as many mistakes as
        the k-mistake Littlestone dimension (`lsclasses.mistake_budgets`).

    References
    ----------
    Littlestone 1988; Filmus, Hanneke, Mehalel and Moran 2023

    Examples
    --------
    >>> import catalog
    >>> from learners.coins import SeededCoins
    >>> opponent = Optimal(catalog.build("thresholds:n=7")).begin(SeededCoins(1))
    >>> opponent.pose(), opponent.reveal(0, coin=False), opponent.pose()
    ((3, None), 1, (1, None))
    """

    mistakes: Annotated[int, Option("number of mistakes of the best concept", minimum=0)] = 0

    sees = THIS

    def __post_init__(self) -> None:
        super().__post_init__()
        check_fields(self)

    @property
    def realizable(self) -> bool:
        """Whether some concept is consistent with all revealed labels."""
        return self.mistakes == 0

    @property
    def errors(self) -> int:
        """The number of errors of the best concept."""
        return self.mistakes

    def begin(self, coins: Coins) -> AdversaryRun:
        """Return the adversary's state at the start of a game. Its version space is the class."""
        if self.mistakes:
            return _BudgetWalker(self.concept_class, coins, self.mistakes)
        return _Walker(self.concept_class, coins, 0)

    def __str__(self) -> str:
        if self.mistakes == 0:
            return "optimal"
        times = "once" if self.mistakes == 1 else f"{self.mistakes} times"
        return f"optimal, where the best concept errs at most {times}"


class _BudgetWalker(AdversaryRun):
    """A walk down a deepest tree for k-realizable sequences, then a concept with mistakes left."""

    def __init__(self, C: ConceptClass, coins: Coins, mistakes: int) -> None:
        from lsclasses.mistake_budgets import MistakeBudgetGame

        self._class, self._coins = C, coins
        self._game = MistakeBudgetGame(C.to_table())
        self._budgets = self._game.start(mistakes)
        self._settled: Hypothesis | None = None

    def pose(self) -> tuple[Point, Label | None]:
        table = self._game.table
        if self._settled is None:
            deepest = self._game.best_point(self._budgets)
            if deepest is not None:
                self._posed = deepest
                return table.points[deepest], None
            # Every concept that remains has a budget of at least 0, so its labels are possible.
            rng = _generator(self._coins)
            remaining = [i for i in range(len(table)) if self._budgets[0] >> i & 1]
            self._settled = table[remaining[int(rng.integers(len(remaining)))]]
            self._random_point = _point_law(self._class, self._settled, "class", rng)
        x = self._random_point()
        return x, self._settled._label(x)

    def reveal(self, label: Label, coin: bool) -> Label:
        self._budgets = self._game.after(self._budgets, self._posed, 1 - label)
        return 1 - label


@dataclass(frozen=True)
class Repeating(_Adaptive):
    """The optimal adversary that repeats a point until the learner is right on it.

    Some learners, such as [KMMNS23, Alg 7], keep many copies of another learner and give each
    example to one copy. Such a learner errs at a point until most of its copies have learned the
    label. The adversary `Optimal` moves to the next point after one mistake, so it forces fewer
    mistakes.

    At the end of the tree one concept remains. Against a learner that publishes hypotheses, the
    adversary then continues. While the current hypothesis differs from that concept, it presents a
    point of difference. So every round is a mistake until the learner publishes another
    hypothesis.

    Parameters
    ----------
    concept_class : ConceptClass
        Class that is not empty and has finite Littlestone dimension.
    patience : int
        Number of consecutive right predictions after which the adversary moves on. Predictions by a
        fair coin do not count.

    Raises
    ------
    InvalidInput
        If the class is empty or the patience not positive.

    Examples
    --------
    >>> import catalog
    >>> from learners.coins import SeededCoins
    >>> opponent = Repeating(catalog.build("thresholds:n=7")).begin(SeededCoins(1))
    >>> opponent.pose(), opponent.reveal(0, coin=False), opponent.hear(0, coin=False)
    ((3, None), 1, None)
    >>> opponent.pose(), opponent.hear(1, coin=False)
    ((3, 1), None)
    >>> opponent.pose()
    (1, None)

    In the example, each concept contains one point of the line, the target. The shattered tree
    forces only one mistake. Afterwards, the hypothesis without any point is wrong only at the
    target:

    >>> C = catalog.build("points:n=9")
    >>> opponent = Repeating(C).begin(SeededCoins(1))
    >>> opponent.pose(), opponent.reveal(0, coin=False), opponent.hear(1, coin=False)
    ((0, None), 1, None)
    >>> opponent.read(C.soa())
    >>> opponent.pose(), opponent.hear(0, coin=False), opponent.pose()
    ((0, 1), None, (0, 1))
    """

    patience: Annotated[int, Option("patience of the adversary", minimum=1)] = 1

    sees = THIS

    def __post_init__(self) -> None:
        super().__post_init__()
        check_fields(self)

    def begin(self, coins: Coins) -> AdversaryRun:
        """Return a run of the adversary, whose version space is the whole class."""
        return _Walker(self.concept_class, coins, self.patience)

    def __str__(self) -> str:
        times = "once" if self.patience == 1 else f"{self.patience} times in a row"
        return f"repeating a point until it is predicted right {times}"


class _Walker(_InClass):
    _node: Point | None = None
    _right = 0
    _published: Hypothesis | None = None
    _compared: tuple[Hypothesis, Point | None] | None = None

    def __init__(self, C: ConceptClass, coins: Coins, patience: int) -> None:
        super().__init__(C, coins)
        self._patience = patience

    def pose(self) -> tuple[Point, Label | None]:
        if self._node is not None:
            return self._node, self._asked[self._node]
        x = self._split()
        if x is None:
            wrong = self._wrong()
            return self._afterwards() if wrong is None else (wrong, self._labelled(wrong))
        self._posed = x
        return x, None

    def read(self, hypothesis: Hypothesis) -> None:
        if self._patience:
            self._published = hypothesis

    def _wrong(self) -> Point | None:
        """Return a point where the published hypothesis differs from the remaining concept."""
        if self._published is None or self._settled is None:
            return None
        if self._compared is None or self._compared[0] is not self._published:
            try:
                x = self._settled.disagreement(self._published)
            except TooLarge:
                x = None
            self._compared = self._published, x
        return self._compared[1]

    def _labelled(self, x: Point) -> Label:
        assert self._settled is not None
        return self._settled._label(x)

    def reveal(self, label: Label, coin: bool) -> Label:
        self._fix(self._posed, 1 - label)
        if self._patience:
            self._node, self._right = self._posed, 0
        return 1 - label

    def hear(self, label: Label, coin: bool) -> None:
        if self._node is None:
            return
        right = label == self._asked[self._node] and not coin
        self._right = self._right + 1 if right else 0
        if self._right >= self._patience:
            self._node = None
