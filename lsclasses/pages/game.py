"""The game behind the Littlestone dimension in a page, and a stream through the SOA.

What a page needs to know is computed here, exactly, and stored in it; its script only walks from
one position to the next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from lsclasses.concept_class import ConceptClass
from lsclasses.errors import InvalidInput, TooLarge, nearest
from lsclasses.html import count
from lsclasses.outputs import page_kind
from lsclasses.pages.document import Page, document
from lsclasses.pages.positions import NOWHERE, Positions, ignore, reached, splitting
from lsclasses.points import Label, Point, to_text

SIDES = ("learner", "adversary")
GAME = page_kind("a page of a game", "game")
REPLAY = page_kind("a page of a replayed stream", "replay")

MOST_CONCEPTS = 256
MOST_POINTS = 256
"""What is larger is not written out in a page: only how many concepts are left is said."""

Step = tuple[Point, Label, Label, ConceptClass | None]
"""A round: the point, what was predicted, the true label, and what is left; None if no concept."""


def game_page(
    C: ConceptClass,
    *,
    name: str = "",
    you: str = "learner",
    progress: Callable[[int], None] = ignore,
) -> Page:
    """The game on a class, to be played in a browser.

    Parameters
    ----------
    C : ConceptClass
        Not empty, of finite Littlestone dimension.
    name : str
        How the class is called.
    you : "learner" or "adversary"
        Whom the reader plays: the learner, against the optimal adversary, or the adversary,
        against the SOA.
    progress : callable
        Told the number of positions now and then.

    Raises
    ------
    InvalidInput
        If the class is empty, or there is no such side.
    TooLarge
        If the game has more than `lsclasses.pages.positions.LIMIT` positions.

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
    """A stream through the SOA, round by round.

    Parameters
    ----------
    C : ConceptClass
        Not empty.
    steps : iterable of (point, prediction, label, version space or None)
    name : str
        How the class is called.

    Raises
    ------
    TooLarge
        If the trees of the game that are shown beside the rounds have too many positions.

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
        rounds.append([to_text(x), prediction, label, after])
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
    """What the script reads: points by name, and positions by number."""
    table = _written_out(C)
    domain = [] if table is None else list(C.domain)
    named = dict.fromkeys([*domain, *(x for each in positions.moves for x in each)])
    place = {x: number for number, x in enumerate(named)}
    return {
        "points": [to_text(x) for x in named],
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
    """The concepts of a class that is small enough, by their labels, each with its number."""
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
