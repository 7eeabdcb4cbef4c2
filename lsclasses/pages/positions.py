"""Positions of the mistake game: all that can be reached, with what is best in each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from lsclasses.concept_class import ConceptClass
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.html import count as number_text
from lsclasses.points import Label, Point

LIMIT = 5000
"""The largest number of positions that a page stores."""
COUNTED = 10_000
"""The largest number of positions that are counted, for a refusal to say how many there are."""

NOWHERE = -1
"""Stands for the empty class, which is no position."""


@dataclass
class Positions:
    """Version spaces that are reached from a class, numbered in the order in which they are met.

    Two lists of examples that leave the same concepts lead to one position.

    Attributes
    ----------
    spaces : list of ConceptClass
        None of them empty.
    moves : list of dict
        For each position and each point that is asked there, the numbers of the positions after
        the labels 0 and 1, `NOWHERE` where no concept has that label.
    """

    spaces: list[ConceptClass] = field(default_factory=list)
    moves: list[dict[Point, tuple[int, int]]] = field(default_factory=list)
    _numbers: dict[ConceptClass, int] = field(default_factory=dict, repr=False)

    def number(self, space: ConceptClass) -> int:
        """The number of a version space, which is new or known.

        Raises
        ------
        TooLarge
            If there are more than `COUNTED`.
        """
        if space.is_empty:
            return NOWHERE
        known = self._numbers.get(space)
        if known is not None:
            return known
        if len(self.spaces) == COUNTED:
            raise _too_many(f"more than {COUNTED:,}, where counting stopped", COUNTED + 1)
        self._numbers[space] = len(self.spaces)
        self.spaces.append(space)
        self.moves.append({})
        return self._numbers[space]

    def expand(
        self, asked: Callable[[ConceptClass], Iterable[Point]], progress: Callable[[int], None]
    ) -> None:
        """Add all that can be reached from what there is.

        Parameters
        ----------
        asked : callable
            Which points are asked at a version space.
        progress : callable
            Told the number of positions now and then.

        Raises
        ------
        TooLarge
            If there are more than `LIMIT` in the end.
        """
        number = 0
        while number < len(self.spaces):
            space = self.spaces[number]
            for x in asked(space):
                zero, one = (self.number(space.restrict(x, y)) for y in (0, 1))
                self.moves[number][x] = zero, one
            number += 1
            if number % 64 == 0:
                progress(len(self.spaces))
        if len(self.spaces) > LIMIT:
            raise _too_many(f"{len(self.spaces):,}", len(self.spaces))

    def ldim(self, number: int) -> int:
        """The Littlestone dimension of a position; -1 of the empty class."""
        return NOWHERE if number == NOWHERE else self.spaces[number].ldim()

    def prediction(self, number: int, x: Point) -> Label:
        """What the SOA predicts: the label after which more can be forced, 0 if both allow as much.

        Examples
        --------
        >>> import catalog
        >>> found = reached(catalog.build("thresholds:n=3"), every_point=True)
        >>> C = found.spaces[0]
        >>> [found.prediction(0, x) for x in C.domain] == [C.soa()(x) for x in C.domain]
        True
        """
        zero, one = self.moves[number][x]
        return int(self.ldim(one) > self.ldim(zero))


def _too_many(counted: str, estimate: int) -> TooLarge:
    return TooLarge(
        f"A page of a game stores at most {LIMIT:,} positions. This game has {counted}. "
        "Play it in the terminal, or take a smaller class.",
        estimate=estimate,
        limit=LIMIT,
    )


def splitting(space: ConceptClass) -> Iterator[Point]:
    """What the optimal adversary asks: a point of a deepest tree, if anything can be forced."""
    if space.ldim() > 0:
        yield space.splitting_point()


def ignore(count: int) -> None:
    """Show no progress."""


def reached(
    C: ConceptClass, *, every_point: bool, progress: Callable[[int], None] = ignore
) -> Positions:
    """All positions of the game on a class.

    Parameters
    ----------
    C : ConceptClass
        Not empty.
    every_point : bool
        Whether any point may be asked, or only what the optimal adversary asks.
    progress : callable
        As in `Positions.expand`.

    Raises
    ------
    InvalidInput
        If the class is empty.
    TooLarge
        If there are too many.

    Examples
    --------
    >>> import catalog
    >>> C = catalog.build("thresholds:n=7")
    >>> len(reached(C, every_point=False).spaces), len(reached(C, every_point=True).spaces)
    (15, 36)
    """
    if C.is_empty:
        raise InvalidInput("A game needs a class with at least one concept. Got an empty one.")
    points: list[Any] = []
    if every_point:
        count = C.domain.size
        if count is None or count > LIMIT:
            raise TooLarge(
                "Where any point may be asked, a page stores an answer for each, of at most "
                f"{LIMIT:,} points. This class has {number_text(count)}.",
                estimate=count,
                limit=LIMIT,
            )
        points = list(C.domain)
    found = Positions()
    found.number(C)
    found.expand((lambda space: points) if every_point else splitting, progress)
    return found
