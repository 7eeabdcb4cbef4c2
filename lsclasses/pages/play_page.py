"""The game behind the Littlestone dimension in a page, and a stream through the SOA.

Python computes the values and the best moves exactly, for all reachable positions of the game. The
script of the page only moves from one position to the next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from lsclasses.concept_class import ConceptClass
from lsclasses.errors import InvalidInput, TooLarge, nearest
from lsclasses.html import count
from lsclasses.html import count as number_text
from lsclasses.outputs import page_kind
from lsclasses.pages.document import Page, document
from lsclasses.point_names import Label, Point, name_text

# ---- positions of the game


LIMIT = 5000
"""The largest number of positions that a page stores."""
COUNTED = 10_000
"""The largest number of positions that are counted for an error message."""

NOWHERE = -1
"""The number that stands for the empty class, which is not a position."""


@dataclass
class Positions:
    """The positions of a game: version spaces that are reachable from a class.

    The positions are numbered in the order in which they are found.

    Two lists of examples with the same version space lead to one position.

    Attributes
    ----------
    spaces : list of ConceptClass
        Version spaces, all non-empty.
    moves : list of dict
        For each position and each presented point, the numbers of the positions after the labels 0
        and 1. The number is `NOWHERE` if no concept has the label.
    """

    spaces: list[ConceptClass] = field(default_factory=list)
    moves: list[dict[Point, tuple[int, int]]] = field(default_factory=list)
    _numbers: dict[ConceptClass, int] = field(default_factory=dict, repr=False)

    def number(self, space: ConceptClass) -> int:
        """Return the number of a version space. The first call for a version space assigns it.

        Raises
        ------
        TooLarge
            If there are more than `COUNTED` positions.
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
        """Add all positions that are reachable from the known positions.

        Parameters
        ----------
        asked : callable
            Function that returns the points that are presented at a version space.
        progress : callable
            Function that is called repeatedly with the number of positions.

        Raises
        ------
        TooLarge
            If more than `LIMIT` positions are reachable.
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
        """Return the Littlestone dimension of a position, or -1 for the empty class."""
        return NOWHERE if number == NOWHERE else self.spaces[number].ldim()

    def prediction(self, number: int, x: Point) -> Label:
        """Return the label that the SOA predicts for a point at a position.

        It is the label that allows more further mistakes, or 0 on a tie.

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
        f"A page of a game stores at most {LIMIT:,} positions. This game has {counted}. Play it "
        "in the terminal, or choose a smaller class.",
        estimate=estimate,
        limit=LIMIT,
    )


def splitting(space: ConceptClass) -> Iterator[Point]:
    """Yield the point that the optimal adversary presents at a version space, if there is one.

    The point is the root of a deepest shattered tree. A tree of depth 0 has no point.
    """
    if space.ldim() > 0:
        yield space.splitting_point()


def ignore(count: int) -> None:
    """Ignore a number of positions, as a progress function that shows no progress."""


def reached(
    C: ConceptClass, *, every_point: bool, progress: Callable[[int], None] = ignore
) -> Positions:
    """Return the positions that the game of online learning on a class can reach.

    Parameters
    ----------
    C : ConceptClass
        Non-empty class.
    every_point : bool
        Whether any point may be presented, or only the points of the optimal adversary.
    progress : callable
        Called with the number of positions, as in `Positions.expand`.

    Raises
    ------
    InvalidInput
        If the class is empty.
    TooLarge
        If there are too many positions.

    Examples
    --------
    >>> import catalog
    >>> C = catalog.build("thresholds:n=7")
    >>> len(reached(C, every_point=False).spaces), len(reached(C, every_point=True).spaces)
    (15, 36)
    """
    if C.is_empty:
        raise InvalidInput("A game needs a class with at least one concept. Got an empty class.")
    points: list[Any] = []
    if every_point:
        count = C.domain.size
        if count is None or count > LIMIT:
            raise TooLarge(
                "If any point may be presented, a page stores an answer for each of at most "
                f"{LIMIT:,} points. This class has {number_text(count)}.",
                estimate=count,
                limit=LIMIT,
            )
        points = list(C.domain)
    found = Positions()
    found.number(C)
    found.expand((lambda space: points) if every_point else splitting, progress)
    return found


# ---- pages


SIDES = ("learner", "adversary")
GAME = page_kind("a page of a game", "game")

MOST_CONCEPTS = 256
MOST_POINTS = 256
"""The largest number of points of a class whose labels a page shows."""

Step = tuple[Point, Label, Label, ConceptClass | None]
"""A round: the point, the prediction, the true label, and the version space after the round.

The version space is None if it is empty.
"""


def game_page(
    C: ConceptClass,
    *,
    name: str = "",
    you: str = "learner",
    progress: Callable[[int], None] = ignore,
) -> Page:
    """Return a web page with the game of online learning on a class.

    Parameters
    ----------
    C : ConceptClass
        Non-empty class of finite Littlestone dimension.
    name : str
        Name of the class on the page.
    you : "learner" or "adversary"
        Role of the reader. The learner plays against the optimal adversary, and the adversary plays
        against the SOA.
    progress : callable
        Function that is called repeatedly with the number of computed positions.

    Raises
    ------
    InvalidInput
        If the class is empty, or the role is unknown.
    TooLarge
        If the game has more than `lsclasses.pages.play_page.LIMIT` positions.

    Examples
    --------
    >>> import catalog
    >>> page = game_page(catalog.build("thresholds:n=7"), name="thresholds:n=7")
    >>> page.html.count("<script")
    2
    """
    if you not in SIDES:
        raise InvalidInput(f"You are learner or adversary. Got {you!r:.80}. {nearest(you, SIDES)}")
    positions = reached(C, every_point=you == "adversary", progress=progress)
    title = name or "A class"
    return document(
        f"{title}: you are the {you}",
        GAME_BODY,
        kind="game",
        data=_data(C, positions) | {"mode": you},
        script="game.js",
    )


def replay_page(C: ConceptClass, steps: Iterable[Step], *, name: str = "") -> Page:
    """Return a page that replays a stream through the SOA, round by round.

    Parameters
    ----------
    C : ConceptClass
        Non-empty class.
    steps : iterable of (point, prediction, label, version space or None)
        Rounds of the stream. The version space is None if it is empty.
    name : str
        Name of the class on the page.

    Raises
    ------
    TooLarge
        If the game trees next to the rounds have too many positions.

    Examples
    --------
    >>> import catalog
    >>> C = catalog.build("thresholds:n=7")
    >>> "replay" in replay_page(C, [(3, 0, 1, C.restrict(3, 1))]).html
    True
    """
    positions = Positions()
    positions.number(C)
    rounds = []
    for x, prediction, label, left in steps:
        after = NOWHERE if left is None else positions.number(left)
        rounds.append([name_text(x), prediction, label, after])
    positions.expand(splitting, ignore)
    title = name or "A class"
    return document(
        f"{title}: a stream through the SOA",
        GAME_BODY,
        kind="replay",
        data=_data(C, positions) | {"mode": "replay", "rounds": rounds},
        script="game.js",
    )


def _data(C: ConceptClass, positions: Positions) -> dict[str, Any]:
    """Return the data of the script, with points by name and positions by number."""
    table = _written_out(C)
    domain = [] if table is None else list(C.domain)
    named = dict.fromkeys([*domain, *(x for each in positions.moves for x in each)])
    place = {x: number for number, x in enumerate(named)}
    return {
        "points": [name_text(x) for x in named],
        "columns": len(domain),
        "concepts": [] if table is None else list(table),
        "positions": [
            _position(number, positions, place, table) for number in range(len(positions.spaces))
        ],
    }


def _position(
    number: int,
    positions: Positions,
    place: dict[Point, int],
    table: dict[str, int] | None,
) -> dict[str, Any]:
    space = positions.spaces[number]
    moves = positions.moves[number]
    forced = positions.ldim(number)
    found: dict[str, Any] = {
        "size": _size(space),
        "ldim": forced,
        "ask": place[next(splitting(space))] if forced > 0 else NOWHERE,
        "moves": {
            place[x]: [*after, positions.prediction(number, x)] for x, after in moves.items()
        },
    }
    if table is not None:
        found["left"] = [table[row] for row in _rows(space)]
    return found


def _size(space: ConceptClass) -> str:
    try:
        return count(space.size)
    except TooLarge:
        return "uncounted"


def _rows(space: ConceptClass) -> list[str]:
    return ["".join(map(str, row)) for row in space.to_table().labels.tolist()]


def _written_out(C: ConceptClass) -> dict[str, int] | None:
    """Return the numbers of the concepts of a small class by their labels."""
    try:
        size = C.size
    except TooLarge:
        return None
    points = C.domain.size
    if size is None or points is None or size > MOST_CONCEPTS or points > MOST_POINTS:
        return None
    return {row: number for number, row in enumerate(_rows(C))}


GAME_BODY = """\
<p id="rules"></p>
<div class="board">
<section aria-labelledby="now"><h2 id="now">Now</h2>
<p id="state" role="status" aria-live="polite"></p>
<div id="choices" class="choices"></div>
<div class="choices"><button type="button" id="hint">Hint</button>
<button type="button" id="undo">Undo</button>
<button type="button" id="restart">Start again</button></div>
<p id="hinted" aria-live="polite"></p>
<h2>Rounds</h2><div class="scrolled" tabindex="0" role="region" aria-label="Rounds played">
<table id="rounds"><thead><tr><th scope="col">round</th><th scope="col">point</th>
<th scope="col">predicted</th><th scope="col">label</th><th scope="col"></th></tr></thead>
<tbody></tbody></table></div>
</section>
<section><h2>What is left</h2><div id="left" class="scrolled" tabindex="0" role="region"
aria-label="Concepts that agree with all labels"></div>
<h2>What can be forced from here</h2><div id="tree"></div></section>
</div>
<noscript><p>This page plays by a script, which this browser does not run.</p></noscript>"""
