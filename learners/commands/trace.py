"""The rounds of a game: the lines of ``run --trace``, their JSON, and the page of ``run --html``.

A transcript has the points, predictions and labels of a game. The SOA draws no coins, so its states
are computed again from the examples.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import typer

from lsclasses.commands.output import READABLE_BITS, UNKNOWN, number, size_of
from lsclasses.errors import InfiniteDimension, InvalidInput, TooLarge
from lsclasses.point_names import name_text, to_json

if TYPE_CHECKING:
    from learners.playing.game import Round
    from learners.playing.learner import OnlineLearner
    from learners.playing.transcript import Transcript
    from lsclasses.pages.document import Page
    from lsclasses.soa import SOA


def _soa(player: OnlineLearner) -> SOA | None:
    """Return the starting state of the SOA, or None if the learner is not an SOA."""
    from learners.playing.learner import Deterministic
    from lsclasses.soa import SOA

    state = player.state if isinstance(player, Deterministic) else None
    return state if isinstance(state, SOA) else None


def rounds_of(player: OnlineLearner, game: Transcript) -> Iterator[Round]:
    """Yield the rounds of a game, with the states of the SOA, or with None for other learners."""
    from learners.playing.game import Round

    state, mistakes = _soa(player), 0
    played = zip(game.examples, game.predictions, strict=True)
    for place, ((x, y), prediction) in enumerate(played, start=1):
        mistakes += prediction != y
        state = None if state is None else state.observe(x, y)
        yield Round(place, x, prediction, y, mistakes, state)


def show_trace(player: OnlineLearner, game: Transcript) -> None:
    """Print a line for each round of a game."""
    width = max(map(len, ["point", *(name_text(x) for x, _ in game.examples)]))
    last = "" if _soa(player) is None else "  concepts left"
    typer.echo(f"\n{'round':>5}  {'point':{width}}  predicted  label           mistakes{last}")
    for each in rounds_of(player, game):
        mistake = "mistake" if each.mistake else ""
        typer.echo(
            f"{each.number:5}  {name_text(each.point):{width}}  {each.prediction:9}  "
            f"{each.label:5}  {mistake:7}  {each.mistakes:7}{_left(each.state)}"
        )


def _left(state: SOA | None) -> str:
    if state is None:
        return ""
    if not state.realizable:
        return "  none"
    return f"  {number(size_of(state.version_space))} (Ldim {_bound(state)})"


def trace_json(player: OnlineLearner, game: Transcript) -> list[dict[str, object]]:
    """Return an object for each round of a game."""
    return [
        {
            "round": each.number,
            "point": to_json(each.point),
            "prediction": each.prediction,
            "label": each.label,
            "mistake": each.mistake,
            "mistakes": each.mistakes,
            **({} if each.state is None else _left_json(each.state)),
        }
        for each in rounds_of(player, game)
    ]


def _left_json(state: SOA) -> dict[str, object]:
    fits = state.realizable
    return {
        "realizable": fits,
        "concepts": _number(size_of(state.version_space)) if fits else 0,
        "ldim": _number(_bound(state)) if fits else -1,
    }


def _number(count: int | str | None) -> int | None:
    """Return an integer for JSON, or null if it is infinite, unknown or has too many digits."""
    readable = isinstance(count, int) and count.bit_length() <= READABLE_BITS
    return int(count) if readable and count is not None else None


def _bound(state: SOA) -> int | str | None:
    """Return the mistake bound, in words if it is infinite or takes too long to compute."""
    try:
        return state.mistake_bound
    except InfiniteDimension:
        return "infinite"
    except TooLarge:
        return UNKNOWN


def replays(player: OnlineLearner) -> SOA:
    """Return the starting state of the SOA whose game is replayed, or raise an error.

    Raises
    ------
    InvalidInput
        If the learner is not an SOA, so that a page cannot show its version spaces, or if their
        dimension is infinite.
    """
    state = _soa(player)
    if state is None:
        raise InvalidInput(
            f"--html replays the version spaces of soa and conservative-soa. Got {player}. Write "
            "its rounds with --trace or --csv."
        )
    try:
        state.version_space.ldim()
    except InfiniteDimension as problem:
        raise InvalidInput(
            f"--html shows the Littlestone dimension of every version space. {problem} Write the "
            "rounds with --trace or --csv."
        ) from None
    return state


def replay_of(player: OnlineLearner, game: Transcript, *, name: str) -> Page:
    """Return the page that replays a game of the SOA.

    Parameters
    ----------
    player, game
        Learner and transcript of the game.
    name : str
        Name of the class on the page.
    """
    from lsclasses.pages.play_page import replay_page

    steps = (
        (
            each.point,
            each.prediction,
            each.label,
            each.state.version_space if each.state.realizable else None,
        )
        for each in rounds_of(player, game)
    )
    return replay_page(replays(player).version_space, steps, name=name)
