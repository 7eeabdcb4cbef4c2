"""Online learning when the best concept errs a bounded number of times, solved exactly.

A sequence of examples is *k-realizable* if some concept disagrees with at most k of its labels. A
tree of points is *k-shattered* if every branch is k-realizable. Points may repeat on a branch.

* The k-mistake Littlestone dimension L_k is the largest depth of a complete k-shattered tree. It is
  the least number of mistakes that a deterministic learner can guarantee on k-realizable sequences.
* The randomized dimension RL_k is half the largest expected branch length of a k-shattered tree. It
  is the least expected number of mistakes that a learner with coins can guarantee.

L_0 and RL_0 are the Littlestone dimension and the randomized Littlestone dimension. The theorems
are by Filmus, Hanneke, Mehalel and Moran 2023.

**Recursion.** A state gives every concept its *budget*: the number of mistakes that it may still
make, or -1 if it has made too many. The value of a state depends on the budgets only. Let v_y be
the state after the label y at a point x. If remaining concepts disagree at x, a tree with root x
has the depth 1 + min(L(v_0), L(v_1)) and the expected depth 1 + (D(v_0) + D(v_1))/2 with D = 2 RL.
If all remaining concepts have the label y at x, then v_y = v, and the other label lowers all
budgets by one. Let v - 1 be this state. A path of n such nodes has the minimal branch length
1 + L(v - 1) and, as n grows, the expected depth 2 + D(v - 1). So L(v) >= 1 + L(v - 1) and
RL(v) >= 1 + RL(v - 1), and every tree is an iteration of these two steps.
"""

from __future__ import annotations

import inspect
import itertools
import re
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeVar

from lsclasses.concept_class import ConceptClass, require_class
from lsclasses.dimensions.queries import distinct_columns
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.limits import Limit, Meter
from lsclasses.numbers import integer
from lsclasses.point_names import Label

if TYPE_CHECKING:
    from lsclasses.table import Table

__all__ = [
    "MOST_STATES",
    "MistakeBudgetGame",
    "agnostic_regret",
    "budgeted_ldim",
    "budgeted_randomized_ldim",
]

MOST_STATES = 1 << 18
"""Largest number of states that a recursion visits."""

STATE_BYTES = 300
"""Approximate number of bytes of a stored state, without the sets of concepts."""

Budgets = tuple[int, ...]
"""A state of the game: a tuple of sets of concepts, as bits.

Entry i contains the concepts that may still make at least i mistakes. Empty sets are omitted.
"""

Value = TypeVar("Value", int, Fraction)


class MistakeBudgetGame:
    """A solver of the game on k-realizable sequences, which stores values of visited states.

    A sequence is k-realizable if some concept errs at most k times.

    Parameters
    ----------
    table : Table
        Table with at least one concept.
    limit : Limit, optional
        Time and memory that the recursions may use.

    Examples
    --------
    >>> from lsclasses import Table
    >>> game = MistakeBudgetGame(Table([[0], [1]]))
    >>> game.depth(game.start(1)), game.expected(game.start(1))
    (3, Fraction(7, 4))
    """

    def __init__(self, table: Table, limit: Limit | None = None) -> None:
        self.table = table
        self.everything = (1 << len(table)) - 1
        self._columns = distinct_columns(table)
        self._constant = any(column in (0, self.everything) for column in table.column_bits)
        self._meter = Meter(limit)
        self._mistakes = 0
        self._depths: dict[Budgets, int] = {(): -1}
        self._expected: dict[Budgets, Fraction] = {(): Fraction(-1)}

    def start(self, mistakes: int) -> Budgets:
        """Return the first state, in which every concept may still make `mistakes` mistakes."""
        self._mistakes = max(self._mistakes, mistakes)
        return (self.everything,) * (mistakes + 1)

    def after(self, state: Budgets, point: int, label: Label) -> Budgets:
        """Return the state after a label at a point, given by its index in the table."""
        ones = self.table.column_bits[point]
        return _after(state, ones if label else self.everything & ~ones)

    def depth(self, state: Budgets) -> int:
        """Return the value L of a state: the largest depth of a complete shattered tree."""
        return self._value(state, self._depths, _deterministic)

    def expected(self, state: Budgets) -> Fraction:
        """Return the value RL of a state: half the largest expected depth of a shattered tree."""
        return self._value(state, self._expected, _randomized)

    def best_point(self, state: Budgets) -> int | None:
        """Return the root of a deepest complete shattered tree, or None if the depth is 0."""
        depth = self.depth(state)
        if depth <= 0:
            return None
        for x in range(len(self.table.points)):
            sides = [self.after(state, x, label) for label in (0, 1)]
            # If all concepts agree, one side is the state itself.
            if 1 + min(map(self.depth, sides)) == depth:
                return x
        raise AssertionError("A state of positive depth has a deepest tree.")

    def _value(
        self,
        state: Budgets,
        known: dict[Budgets, Value],
        together: Callable[[Value, Value], Value],
    ) -> Value:
        """Return a value of a state, by a depth-first recursion with an explicit stack."""
        stack = [state]
        splits: list[tuple[Budgets, Budgets]]
        lowered: list[Budgets]
        while stack:
            current = stack[-1]
            if current in known:
                stack.pop()
                continue
            splits, lowered = self._options(current)
            sides = [*itertools.chain.from_iterable(splits), *lowered]
            missing = [side for side in sides if side not in known]
            if missing:
                stack += missing
                continue
            # The value of the empty state is -1, so that lowering to the empty state gives 0.
            best = known[()] + 1
            for side in lowered:
                best = max(best, known[side] + 1)
            for zeros, ones in splits:
                best = max(best, together(known[zeros], known[ones]))
            known[stack.pop()] = best
            self._count(len(known), current)
        return known[state]

    def _options(self, state: Budgets) -> tuple[list[tuple[Budgets, Budgets]], list[Budgets]]:
        """Return both sides for each point that splits the state, and the lowered state, if any."""
        alive, splits, constant = state[0], [], self._constant
        for ones in self._columns:
            if alive & ones and alive & ~ones:
                zeros = self.everything & ~ones
                splits.append((_after(state, zeros), _after(state, ones)))
            else:
                constant = True
        return splits, [state[1:]] if constant else []

    def _count(self, states: int, state: Budgets) -> None:
        self._meter.tick()
        self._meter.charge(STATE_BYTES + len(state) * len(self.table) // 8)
        if states > MOST_STATES:
            estimate = _states(len(self.table), len(self._columns), self._mistakes)
            raise TooLarge(
                f"The game on k-realizable sequences has more than {MOST_STATES} states, at most "
                f"{float(estimate):.3g}. Choose a smaller class or fewer mistakes.",
                estimate=estimate,
                limit=MOST_STATES,
            )


def _after(state: Budgets, agreeing: int) -> Budgets:
    """Return the state after an example with which the given concepts agree."""
    after = [
        (here & agreeing) | (more & ~agreeing)
        for here, more in zip(state, (*state[1:], 0), strict=True)
    ]
    while after and not after[-1]:
        after.pop()
    return tuple(after)


def _deterministic(zeros: int, ones: int) -> int:
    return 1 + min(zeros, ones)


def _randomized(zeros: Fraction, ones: Fraction) -> Fraction:
    return (1 + zeros + ones) / 2


def _states(concepts: int, columns: int, mistakes: int) -> int:
    """Return an upper bound on the number of states: of budgets, and of differences of labels."""
    by_concepts = (mistakes + 2) ** min(concepts, 1000)
    by_points = (mistakes + 1) * (2 * mistakes + 3) ** min(columns, 1000)
    states: int = min(by_concepts, by_points)
    return states


# ---- dimensions


Documented = TypeVar("Documented", bound=Callable[..., Any])

REFERENCE = "Filmus, Hanneke, Mehalel and Moran 2023"
PARAMETERS = {
    "C": "ConceptClass\n    Class that can be enumerated as a table.",
    "concept_class": "ConceptClass\n"
    "    Class with at least one concept that can be enumerated as a table.",
    "mistakes": "int\n    The number k of mistakes that the best concept may make, at least 0.",
    "limit": "Limit, optional\n    Time and memory of the recursion.",
}
"""Parameters of the dimensions and the learners for k mistakes, with their descriptions."""


def documented_for_mistakes(documented: Documented) -> Documented:
    r"""Return a function or class with a completed docstring: parameters, errors and reference.

    `PARAMETERS` describes the parameters, which precede the sections ``Returns`` and
    ``Attributes``. The errors and the reference precede the examples.

    Examples
    --------
    >>> headings = re.findall(r"(.*)\n---", budgeted_ldim.__doc__)
    >>> [heading.strip() for heading in headings]
    ['Parameters', 'Returns', 'Raises', 'References', 'Examples']
    """
    text, _, examples = inspect.cleandoc(documented.__doc__ or "").partition("\n\nExamples\n")
    result = re.search(r"\n\n(?:Returns|Attributes)\n-", text)
    start = result.start() if result else len(text)
    names = [name for name in inspect.signature(documented).parameters if name in PARAMETERS]
    empty = "the class is empty or " if "concept_class" in names else ""
    limit = ", or the limit is reached" if "limit" in names else ""
    parts = (
        text[:start],
        "\n".join(["Parameters\n----------", *(f"{name} : {PARAMETERS[name]}" for name in names)]),
        text[start:].strip(),
        f"Raises\n------\nInvalidInput\n    If {empty}k is negative.\n"
        f"TooLarge\n    If the game has too many states{limit}.",
        f"References\n----------\n{REFERENCE}",
        f"Examples\n{examples}",
    )
    documented.__doc__ = "\n\n".join(filter(None, parts))
    return documented


@documented_for_mistakes
def budgeted_ldim(C: ConceptClass, mistakes: int, *, limit: Limit | None = None) -> int:
    """Return the k-mistake Littlestone dimension L_k of a class.

    L_k is the largest depth of a complete binary tree of points such that, for every branch, some
    concept disagrees with at most k labels on the branch. Points may repeat on a branch.

    Returns
    -------
    int
        The least number of mistakes that a deterministic online learner can guarantee if some
        concept errs at most k times. The value is -1 for the empty class, and the Littlestone
        dimension for k = 0.

    Examples
    --------
    >>> import catalog
    >>> C = catalog.build("thresholds:n=3")
    >>> [budgeted_ldim(C, k) for k in range(4)]
    [2, 4, 6, 8]
    """
    game, k = _game(C, mistakes, limit)
    return -1 if game is None else game.depth(game.start(k))


@documented_for_mistakes
def budgeted_randomized_ldim(
    C: ConceptClass, mistakes: int, *, limit: Limit | None = None
) -> Fraction:
    """Return the k-mistake randomized Littlestone dimension RL_k of a class.

    RL_k is half the largest expected branch length of a binary tree of points such that, for every
    branch, some concept disagrees with at most k labels on the branch. A branch takes each label
    with probability 1/2. Points may repeat on a branch, and trees may be infinite.

    Returns
    -------
    Fraction
        The least expected number of mistakes that an online learner with random coins can guarantee
        if some concept errs at most k times. The adversary observes earlier predictions, but not
        the coins of the current round. The value is -1 for the empty class.

    Examples
    --------
    >>> from lsclasses import Table
    >>> [str(budgeted_randomized_ldim(Table([[0], [1]]), k)) for k in range(4)]
    ['1/2', '7/4', '47/16', '131/32']
    """
    game, k = _game(C, mistakes, limit)
    return Fraction(-1) if game is None else game.expected(game.start(k))


def _game(
    C: ConceptClass, mistakes: int, limit: Limit | None
) -> tuple[MistakeBudgetGame | None, int]:
    require_class(C, "The number of mistakes")
    k = number_of_mistakes(mistakes)
    return (None if C.is_empty else MistakeBudgetGame(C.to_table(), limit)), k


def number_of_mistakes(value: object) -> int:
    """Return the number of mistakes of the best concept if it is an integer of at least 0.

    Raises
    ------
    InvalidInput
        If the number is negative or not an integer.
    """
    k = integer(value, "number of mistakes")
    if k < 0:
        raise InvalidInput(f"The number of mistakes must be at least 0. Got {k}.")
    return k


# ---- regret


def agnostic_regret(C: ConceptClass, rounds: int, *, limit: Limit | None = None) -> Fraction:
    """Return the exact minimax regret of agnostic online learning in a number of rounds.

    In every round, the adversary presents a point, the learner states a probability of each label,
    and the adversary chooses the label. The regret is the expected number of mistakes minus the
    number of mistakes of the best concept.

    Parameters
    ----------
    C : ConceptClass
        Class that can be enumerated as a table, with at least one concept.
    rounds : int
        Number of rounds, at least 0.
    limit : Limit, optional
        Time and memory of the recursion.

    Returns
    -------
    Fraction
        The least regret that a learner can guarantee against every adversary.

    Raises
    ------
    InvalidInput
        If the class is empty or the number of rounds is negative.
    TooLarge
        If the game has too many states, or the limit is reached.

    References
    ----------
    Ben-David, Pal and Shalev-Shwartz 2009

    Notes
    -----
    A state gives each concept its *excess*: its mistakes minus the fewest mistakes of a concept.
    With t rounds left, concepts of excess at least t can never become better than the best concept,
    so they are left out. Let s_y be 1 if every best concept errs at the label y, and 0 otherwise.
    Let R_y be the value of the state after the label y, with t - 1 rounds left. Let p be the
    probability that the learner states for the label 1. For each point, the losses p + R_0 - s_0
    for the label 0 and 1 - p + R_1 - s_1 for the label 1 define a matrix game. The value of a state
    is the largest solution of these games.

    Examples
    --------
    For two constants, the regret is half of the mean distance of a random walk from its start.

    >>> from lsclasses import Table
    >>> [str(agnostic_regret(Table([[0], [1]]), T)) for T in range(5)]
    ['0', '1/2', '1/2', '3/4', '3/4']
    """
    require_class(C, "The regret")
    T = integer(rounds, "number of rounds")
    if C.is_empty or T < 0:
        raise InvalidInput(
            "The regret needs a class with at least one concept and a number of rounds of at least "
            f"0. Got {C!r} and {T} rounds."
        )
    table = C.to_table()
    return _RegretGame(table, Meter(limit)).regret(T)


class _RegretGame:
    """The recursion of `agnostic_regret`, forwards over reachable states and then backwards."""

    def __init__(self, table: Table, meter: Meter) -> None:
        self._everything = (1 << len(table)) - 1
        self._columns = list(dict.fromkeys(table.column_bits))
        self._meter = meter

    def regret(self, rounds: int) -> Fraction:
        """Return the regret of the game of a number of rounds."""
        start: Budgets = (self._everything,) if rounds else ()
        layers = [{start}]
        total = 0
        for left in range(rounds, 0, -1):
            following = set()
            for state in layers[-1]:
                for column in self._columns:
                    for label in (0, 1):
                        following.add(self._after(state, column, label, left - 1)[0])
                self._meter.tick()
            total += len(following)
            self._meter.charge(
                len(following) * (STATE_BYTES + left * self._everything.bit_length() // 8)
            )
            if total > MOST_STATES:
                raise TooLarge(
                    f"The game has more than {MOST_STATES} states in its first "
                    f"{rounds - left + 1} of {rounds} rounds. Choose a smaller class or fewer "
                    "rounds.",
                    estimate=total,
                    limit=MOST_STATES,
                )
            layers.append(following)
        values = dict.fromkeys(layers.pop(), Fraction(0))
        for left, layer in enumerate(reversed(layers), start=1):
            values = {state: self._best(state, values, left) for state in layer}
            self._meter.tick()
        return values[start]

    def _best(self, state: Budgets, values: dict[Budgets, Fraction], left: int) -> Fraction:
        best = Fraction(0)
        for column in self._columns:
            zeros, ones = (
                values[after] - shift
                for after, shift in (
                    self._after(state, column, label, left - 1) for label in (0, 1)
                )
            )
            # A probability outside of [0, 1] is clipped, so the larger value is the loss then.
            best = max(best, zeros, ones, (1 + zeros + ones) / 2)
        return best

    def _after(self, state: Budgets, column: int, label: Label, left: int) -> tuple[Budgets, int]:
        """Return the concepts of excess at most 0, 1, ... after an example, and its shift."""
        agreeing = column if label else self._everything & ~column
        after, below = [], 0
        for here in state:
            after.append((here & agreeing) | below)
            below = here
        after.append(below)
        shift = int(not after[0])
        kept = after[shift : shift + left]
        return tuple(kept), shift
