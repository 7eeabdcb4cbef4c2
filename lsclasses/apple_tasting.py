"""Online learning in which only a prediction of 1 reveals the label, solved exactly.

In every round of *apple tasting* (Helmbold, Littlestone and Long 2000), the adversary presents a
point and the learner predicts its label. If the prediction is 1, the learner receives the label.
After a prediction of 0, the learner receives no feedback. Some concept must agree with all labels.
The value of a class in T rounds is the least number of mistakes that a deterministic learner can
guarantee (Raman, Subedi, Raman and Tewari 2024; Chase and Mehalel 2024).

**Recursion.** A state consists of the version space V of the received labels, and of the number
s(x) of predictions of 0 at each point x. These predictions cost a concept c the sum of s(x) c(x)
mistakes. Every sequence of labels that some concept of V agrees with is possible, so the value
without further rounds is W(V, s, 0) = max over c in V of this sum. With t rounds,

    W(V, s, t) = max over x of min(W(V, s + e_x, t - 1), max over y of cost(y) + W(V_y, s', t - 1)).

The first term is a prediction of 0. In the second term, V_y contains the concepts with the label y
at x, and s' is s without x. The cost is 1 for y = 0, and s(x) for y = 1. The maximum has at least
the value W(V, s, 0), because a round at a point with a known label causes no mistake. If all
concepts of V agree at x, the learner predicts their label, so only points that split V matter.

**Trees.** A binary tree of points has *width* w and depth d if each branch ends after w labels 1 or
after d points, whichever comes first. A class shatters a tree if, for every branch, some concept
agrees with all labels on the branch. The *Apple Littlestone dimension* AL_w is the largest depth of
a shattered tree of width w (Raman, Subedi, Raman and Tewari 2024, Definition 6). The subtrees of
the root are a tree of width w and depth d - 1 and a tree of width w - 1 and depth d - 1. So

    AL_w(V) = max over x that split V of 1 + min(AL_w(V_0), AL_(w-1)(V_1)),

where AL_0 is infinite, and AL_w is 0 if no point splits V.

The code decides W >= k for k = 1, 2, ... and stops at a state with W(V, s, 0) >= k. So a number of
rounds far above the number of points costs no more time.
"""

from __future__ import annotations

from lsclasses.concept_class import ConceptClass, require_class
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.limits import Limit, Meter
from lsclasses.numbers import integer
from lsclasses.point_names import Label, Point
from lsclasses.table import Table

__all__ = [
    "MOST_STATES",
    "AppleTastingGame",
    "AppleTree",
    "apple_littlestone_dim",
    "apple_littlestone_tree",
    "apple_tasting_mistakes",
]

MOST_STATES = 1 << 18
"""Largest number of pairs (state, number of mistakes) that the recursion visits."""

MOST_COLUMNS = 20
"""Largest number of different columns, which bounds the depth of the recursion."""

DEEPEST = 200
"""Largest number of different columns of a class whose trees are searched. A branch queries each
column at most once, so this number bounds the depth of the recursion."""

STATE_BYTES = 300
"""Approximate number of bytes of memory for a stored pair (state, number of mistakes)."""

AppleTree = tuple[()] | tuple[Point, "AppleTree", "AppleTree"]
"""A tree of points: empty, or its root with the subtrees for the labels 0 and 1."""

State = tuple[int, tuple[int, ...]]
"""A state of the game: the version space as a set of bits, and a number for each column.

The number counts the predictions of 0 at the column. It is 0 if all concepts of the version space
agree at the column.
"""


class AppleTastingGame:
    """A solver of apple tasting on a table, which stores the values of all visited states.

    Parameters
    ----------
    table : Table
        Table with at least one concept.
    limit : Limit, optional
        Time and memory that the recursion may use.

    Attributes
    ----------
    columns : list of int
        The distinct columns of the table that are not constant, as sets of bits of the concepts.

    Examples
    --------
    >>> from lsclasses import Table
    >>> game = AppleTastingGame(Table([[0, 0], [1, 0], [0, 1]]))
    >>> [game.mistakes(game.start, rounds) for rounds in range(5)]
    [0, 1, 1, 2, 2]
    """

    def __init__(self, table: Table, limit: Limit | None = None) -> None:
        everything = (1 << len(table)) - 1
        columns = dict.fromkeys(table.column_bits)
        self.columns = [ones for ones in columns if ones not in (0, everything)]
        if len(self.columns) > MOST_COLUMNS:
            raise TooLarge(
                f"The game of apple tasting is solved on at most {MOST_COLUMNS} different columns. "
                f"Got {len(self.columns)}. Choose a class on fewer points.",
                estimate=len(self.columns),
                limit=MOST_COLUMNS,
            )
        self.start: State = (everything, (0,) * len(self.columns))
        self._meter = Meter(limit)
        self._known: dict[tuple[State, int], tuple[int, int | None]] = {}

    def after_zero(self, state: State, column: int) -> State:
        """Return the state after a prediction of 0 at a column, without feedback."""
        alive, silent = state
        return alive, (*silent[:column], silent[column] + 1, *silent[column + 1 :])

    def after_one(self, state: State, column: int, label: Label) -> tuple[int, State]:
        """Return the mistakes that become certain after a prediction of 1, and the next state.

        The learner receives the label. Points at which all remaining concepts agree leave the
        state, and the mistakes at these points become certain.
        """
        alive, silent = state
        ones = self.columns[column]
        kept = alive & ones if label else alive & ~ones
        settled, rest = int(not label), list(silent)
        for j, count in enumerate(silent):
            if count and not (kept & self.columns[j] and kept & ~self.columns[j]):
                settled += count if kept & self.columns[j] else 0
                rest[j] = 0
        return settled, (kept, tuple(rest))

    def mistakes(self, state: State, rounds: int) -> int:
        """Return the largest number of mistakes that an adversary can force from a state.

        The number includes mistakes of earlier predictions of 0. `rounds` is the number of
        remaining rounds.

        Raises
        ------
        TooLarge
            If there are too many states, or the limit is reached.
        """
        count = self.settled(state)
        while self.forces(state, rounds, count + 1):
            count += 1
        return count

    def forces(self, state: State, rounds: int, count: int) -> bool:
        """Return whether an adversary can force `count` mistakes from a state."""
        if count <= 0:
            return True
        failed, forced = self._known.get((state, count), (-1, None))
        if rounds > failed and (forced is None or rounds < forced):
            if self.settled(state) >= count or self.move(state, rounds, count) is not None:
                forced = rounds
            else:
                failed = rounds
            self._count()
            self._known[state, count] = failed, forced
        return rounds > failed

    def move(self, state: State, rounds: int, count: int) -> tuple[int, Label] | None:
        """Return an adversary's next move if it can force `count` mistakes, or None.

        The move is a column, and the label that the adversary reveals if the learner predicts 1.
        """
        alive = state[0]
        for column, ones in enumerate(self.columns if rounds else ()):
            if alive & ones and alive & ~ones:
                label = self._answer(state, column, rounds, count)
                untasted = self.after_zero(state, column)
                if label is not None and self.forces(untasted, rounds - 1, count):
                    return column, label
        return None

    def _answer(self, state: State, column: int, rounds: int, count: int) -> Label | None:
        """Return the label after a prediction of 1 that forces the mistakes, if there is one."""
        for label in (0, 1):
            settled, after = self.after_one(state, column, label)
            if self.forces(after, rounds - 1, count - settled):
                return label
        return None

    def settled(self, state: State) -> int:
        """Return how many predictions of 0 so far are wrong for the worst remaining concept."""
        alive, silent = state
        used = [(self.columns[j], count) for j, count in enumerate(silent) if count]
        return max(
            sum(count for ones, count in used if ones >> c & 1)
            for c in range(alive.bit_length())
            if alive >> c & 1
        )

    def _count(self) -> None:
        self._meter.tick()
        self._meter.charge(STATE_BYTES)
        if len(self._known) >= MOST_STATES:
            raise TooLarge(
                f"The game of apple tasting has more than {MOST_STATES} states. Choose a smaller "
                "class or fewer rounds.",
                estimate=MOST_STATES + 1,
                limit=MOST_STATES,
            )


def apple_tasting_mistakes(C: ConceptClass, rounds: int, *, limit: Limit | None = None) -> int:
    """Return the least number of mistakes that a deterministic learner guarantees in apple tasting.

    In each round, the adversary presents a point and the learner predicts its label. The learner
    receives the label only if the prediction is 1. Some concept agrees with all labels.

    Parameters
    ----------
    C : ConceptClass
        Class that can be enumerated as a table.
    rounds : int
        Number of rounds, at least 0. Both sides know it.
    limit : Limit, optional
        Time and memory of the recursion.

    Returns
    -------
    int
        The number of mistakes, or -1 for the empty class.

    Raises
    ------
    InvalidInput
        If the number of rounds is negative.
    TooLarge
        If the game has too many states, or the limit is reached.

    References
    ----------
    Raman, Subedi, Raman and Tewari 2024; Chase and Mehalel 2024

    Examples
    --------
    >>> import catalog
    >>> C = catalog.build("points:n=4,empty=1")
    >>> [apple_tasting_mistakes(C, rounds) for rounds in (0, 1, 2, 3, 5, 8)]
    [0, 1, 1, 2, 3, 4]
    """
    require_class(C, "The number of mistakes")
    count = integer(rounds, "number of rounds")
    if count < 0:
        raise InvalidInput(f"The number of rounds must be at least 0. Got {count}.")
    if C.is_empty:
        return -1
    game = AppleTastingGame(C.to_table(), limit)
    return game.mistakes(game.start, count)


# ---- trees of bounded width


class _AppleTrees:
    """The recursion for AL_w over version spaces, with the values of all visited states."""

    def __init__(self, table: Table, limit: Limit | None) -> None:
        self.everything = (1 << len(table)) - 1
        first: dict[int, Point] = {}
        for ones, x in zip(table.column_bits, table.points, strict=True):
            if 0 < ones < self.everything:
                first.setdefault(ones, x)
        self.columns = list(first.items())
        if len(self.columns) > DEEPEST:
            raise TooLarge(
                f"The class has {len(self.columns)} different columns. The limit is {DEEPEST}. "
                "Choose a smaller class.",
                estimate=len(self.columns),
                limit=DEEPEST,
            )
        self._meter = Meter(limit)
        self._known: dict[tuple[int, int], int] = {}

    def depth(self, alive: int, width: int) -> int:
        """Return AL_w of a version space."""
        if (alive, width) not in self._known:
            deeper = (self._with_root(alive, ones, width) for ones, _ in self.columns)
            self._known[alive, width] = max(deeper, default=0)
            self._meter.tick()
            self._meter.charge(STATE_BYTES)
            if len(self._known) >= MOST_STATES:
                raise TooLarge(
                    f"The Apple Littlestone dimension has more than {MOST_STATES} version spaces. "
                    "Choose a smaller class.",
                    estimate=MOST_STATES + 1,
                    limit=MOST_STATES,
                )
        return self._known[alive, width]

    def _with_root(self, alive: int, ones: int, width: int) -> int:
        """Return the largest depth with a point at the root, 0 if the point does not split."""
        zero, one = alive & ~ones, alive & ones
        if not zero or not one:
            return 0
        if width == 1:
            return 1 + self.depth(zero, 1)
        return 1 + min(self.depth(zero, width), self.depth(one, width - 1))

    def tree(self, alive: int, width: int, depth: int) -> AppleTree:
        """Return a tree of a depth of at most `depth` of the version space."""
        if not depth or not width:
            return ()
        ones, x = next(
            (ones, x) for ones, x in self.columns if self._with_root(alive, ones, width) >= depth
        )
        sides = ((alive & ~ones, width), (alive & ones, width - 1))
        zero, one = (self.tree(side, more, depth - 1) for side, more in sides)
        return x, zero, one


def apple_littlestone_dim(C: ConceptClass, width: int, *, limit: Limit | None = None) -> int:
    """Return the Apple Littlestone dimension AL_w of a class for a width w.

    AL_w is the largest depth d of a binary tree of points in which each branch ends after w labels
    1 or after d points. For every branch, some concept agrees with all labels on the branch. A
    deterministic learner that receives every label makes at most w - 1 mistakes with the
    prediction 0 and at most AL_w mistakes with the prediction 1.

    Parameters
    ----------
    C : ConceptClass
        Class that can be enumerated as a table.
    width : int
        Width of the trees, at least 1.
    limit : Limit, optional
        Time and memory of the recursion.

    Returns
    -------
    int
        The dimension, or -1 for the empty class. It is the Littlestone dimension if the width is
        larger than the Littlestone dimension.

    Raises
    ------
    InvalidInput
        If the width is less than 1.
    TooLarge
        If there are too many version spaces, or the limit is reached.

    References
    ----------
    Raman, Subedi, Raman and Tewari 2024

    Examples
    --------
    >>> import catalog
    >>> C = catalog.build("points:n=4,empty=1")
    >>> [apple_littlestone_dim(C, width) for width in (1, 2, 3)]
    [4, 1, 1]
    """
    trees, w = _apple_trees(C, width, limit)
    return -1 if trees is None else trees.depth(trees.everything, w)


def apple_littlestone_tree(C: ConceptClass, width: int, *, limit: Limit | None = None) -> AppleTree:
    """Return a tree that proves the lower bound on the Apple Littlestone dimension.

    Parameters
    ----------
    C : ConceptClass
        Non-empty class that can be enumerated as a table.
    width : int
        Width of the tree, at least 1.
    limit : Limit, optional
        Time and memory of the recursion.

    Returns
    -------
    tuple
        The root with the subtrees for the labels 0 and 1, or an empty tuple for the end of a
        branch.

    Raises
    ------
    InvalidInput
        If the width is less than 1 or the class is empty.
    TooLarge
        If there are too many version spaces, or the limit is reached.

    Examples
    --------
    >>> from lsclasses import Table
    >>> apple_littlestone_tree(Table([[0, 0], [1, 0], [0, 1]], domain="ab"), 1)
    ('a', ('b', (), ()), ())
    """
    trees, w = _apple_trees(C, width, limit)
    if trees is None:
        raise InvalidInput("The empty class has no tree. Choose a class with a concept.")
    return trees.tree(trees.everything, w, trees.depth(trees.everything, w))


def _apple_trees(
    C: ConceptClass, width: int, limit: Limit | None
) -> tuple[_AppleTrees | None, int]:
    require_class(C, "The Apple Littlestone dimension")
    w = integer(width, "width")
    if w < 1:
        raise InvalidInput(f"The width of the trees must be at least 1. Got {w}.")
    if C.is_empty:
        return None, w
    table = C.to_table()
    # A branch has no more labels 1 than the class has points, so wider trees are complete trees.
    return _AppleTrees(table, limit), min(w, len(table.points) + 1)
