"""Games about two neighbouring data sets."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any

from learners.accounting import checked_neighbours
from learners.coins import Coins
from learners.games.game_rules import (
    HIDDEN,
    Ask,
    Challenge,
    Datasets,
    Game,
    Move,
    Step,
    View,
    check_challenges,
    require_started,
)
from learners.games.players import Querier
from lsclasses.errors import InvalidInput
from lsclasses.options import Option, check_fields


def are_neighbours(
    zero: Sequence[object], one: Sequence[object], relation: str = "replace_one"
) -> bool:
    """Return whether two data sets (sequences of items) are neighbours, or equal.

    Parameters
    ----------
    zero, one : sequence
        The two data sets.
    relation : str
        With ``"replace_one"``, neighbours have equal lengths and differ in at most one position.
        With ``"add_remove"``, removing one item of one data set gives the other data set.

    Raises
    ------
    InvalidInput
        If the name of the relation is unknown.

    Examples
    --------
    >>> are_neighbours("abc", "abd"), are_neighbours("abc", "ac")
    (True, False)
    >>> are_neighbours("abc", "ac", "add_remove")
    True
    """
    checked_neighbours(relation)
    zero, one = tuple(zero), tuple(one)
    if zero == one:
        return True
    if relation == "replace_one":
        return len(zero) == len(one) and sum(x != y for x, y in zip(zero, one, strict=True)) == 1
    shorter, longer = sorted((zero, one), key=len)
    return len(longer) == len(shorter) + 1 and any(
        longer[:i] + longer[i + 1 :] == shorter for i in range(len(longer))
    )


@dataclass(frozen=True)
class AdaptiveQueries(Game):
    """A game of adaptive queries about one of two neighbouring data sets [KMMNS23, Alg 2].

    The first move is `Datasets(zero, one)`, and every other move is `Ask(query)`. If a query is a
    Python function, the game checks that the values of the query on the two data sets differ by at
    most the sensitivity.

    **View.** The adversary observes all answers, and whether the mechanism halted. The game of
    [KMMNS23] ends "when M or B halts", where M is the mechanism and B the adversary, and B may ask
    any number of queries. If M halts at the last query, B could observe the halt by one more query,
    so this game shows the halt.

    Parameters
    ----------
    mechanism : Querier
        Mechanism that answers the queries.
    queries : int
        Largest number of queries.
    sensitivity : Fraction or int
        Largest difference of the values of a query on two neighbouring data sets.
    neighbours : str
        ``"replace_one"`` or ``"add_remove"``.

    Raises
    ------
    InvalidInput
        If a parameter is out of range.
    """

    reads_bit = False
    mechanism: Querier[Any, Any, Any]
    queries: Annotated[int, Option("number of queries", minimum=1)]
    sensitivity: Annotated[Fraction, Option("sensitivity")] = Fraction(1)
    neighbours: str = "replace_one"

    def __post_init__(self) -> None:
        check_fields(self)
        are_neighbours((), (), self.neighbours)

    @property
    def turns(self) -> int:
        """The number of moves: one move with the data sets, and one move for each query."""
        return self.queries + 1

    def begin(self, coins: Coins) -> Step:
        """Return the state of the mechanism before it has received a data set."""
        return "no data", None

    def check(self, view: View, move: Move) -> None:
        """Check that the first move is neighbouring data sets, and later moves are queries.

        The sensitivity of a query must be within the limit of the game.
        """
        self._check(view, move, 0)

    def _check(self, view: View, move: Move, challenges: int) -> None:
        if not view.moves:
            if not isinstance(move, Datasets):
                raise InvalidInput(f"The first move must be Datasets(zero, one). Got {move!r}.")
            if not are_neighbours(move.zero, move.one, self.neighbours):
                raise InvalidInput(
                    f"The data sets must be neighbours ({self.neighbours}). "
                    f"Got {move.zero!r} and {move.one!r}."
                )
            return
        allowed = (Ask, Challenge) if challenges else Ask
        if not isinstance(move, allowed):
            raise InvalidInput(f"A move after the data sets must be Ask(query). Got {move!r}.")
        check_challenges(view, move, challenges)
        data = view.moves[0]
        for query in (move.input(0), move.input(1)):
            if not callable(query):
                continue
            change = abs(query(data.input(0)) - query(data.input(1)))
            if change > self.sensitivity:
                raise InvalidInput(
                    f"A query may differ by at most {self.sensitivity} between neighbours. "
                    f"Got one that differs by {change}."
                )

    def respond(self, hidden: Hashable, move: Move, bit: int, coins: Coins) -> Step:
        """Return the next state and the answer. The answer to a challenge is hidden."""
        if isinstance(move, Datasets):
            return require_started(self.mechanism.start(move.input(bit), coins)), None
        state, answer = self.mechanism.answer(hidden, move.input(bit), coins)
        return state, HIDDEN if isinstance(move, Challenge) else answer

    def compares(self, relation: str) -> bool:
        """Return whether a neighbour relation is the relation of this game between data sets."""
        return relation == self.neighbours


@dataclass(frozen=True)
class ChallengeATGame(AdaptiveQueries):
    """A game with two neighbouring data sets, and one query in two versions [KMMNS23, Alg 9].

    The game is `AdaptiveQueries`, except that one query may be a `Challenge(zero, one)`: a secret
    bit selects one of two arbitrary queries, and its answer is hidden.

    **View.** The adversary observes all answers except the answer to the challenge, and whether the
    mechanism halted, also in the round of the challenge. In that round, only a halt can reveal
    information about the selected query. The mechanism `learners.mechanisms.ChallengeAT` pays
    `halting_epsilon` for this information.
    """

    def check(self, view: View, move: Move) -> None:
        """Check that the first move is data sets, and later moves are queries, one a challenge."""
        self._check(view, move, 1)
