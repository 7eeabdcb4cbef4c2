"""``lsclasses soa``: online learning on a recorded stream."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lsclasses.commands.application import LEARNING, AsJson, Force, OneClass, command
from lsclasses.commands.classes import load
from lsclasses.commands.output import (
    READABLE_BITS,
    UNKNOWN,
    counts,
    note,
    number,
    print_json,
    say,
    size_of,
)
from lsclasses.files.comma_separated import load_stream
from lsclasses.numbers import plural
from lsclasses.outputs import Reads, Writes
from lsclasses.pages.play_page import REPLAY, Step, replay_page
from lsclasses.point_names import to_json, to_text

if TYPE_CHECKING:
    from learners.playing.play import Round
    from lsclasses.soa import SOA


@command(LEARNING)
def soa(
    source: OneClass,
    *,
    stream: Annotated[
        Path,
        typer.Option(
            metavar="FILE",
            help="CSV file of examples with the header point,label, one example per line.",
        ),
        Reads(),
    ],
    conservative: Annotated[
        bool, typer.Option("--conservative", help="Change the state only on mistakes.")
    ] = False,
    allow_nonrealizable: Annotated[
        bool,
        typer.Option(
            "--allow-nonrealizable",
            help="Continue after contradictory examples. The rule then changes only at the points "
            "of these examples [BLM20, Def 8].",
        ),
    ] = False,
    html: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write an HTML page that replays the rounds."),
        Writes(REPLAY),
    ] = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Replay a stream of examples through the Standard Optimal Algorithm.

    Each round shows the prediction, the true label, the version space and the number of mistakes so
    far. The last line compares the mistakes with the bound, the Littlestone dimension.
    """
    from learners.playing.play import replay
    from lsclasses.soa import SOA, ConservativeSOA

    examples = load_stream(stream)
    C = load(source)
    learner = ConservativeSOA(C) if conservative else SOA(C)
    bound = _bound(learner)
    names = [to_text(x) for x, _ in examples]
    width = max(map(len, ["point", *names]))
    if not as_json:
        say(f"{source}: {counts(C)}, Ldim {bound}")
        typer.echo(
            f"{'round':>5}  {'point':{width}}  predicted  label           mistakes  concepts left"
        )

    def left(state: SOA) -> str:
        return f"{number(size_of(state.version_space))} (Ldim {_bound(state)})"

    def row(played: Round) -> None:
        typer.echo(
            f"{played.number:5}  {to_text(played.point):{width}}  {played.prediction:9}  "
            f"{played.label:5}  {'mistake' if played.mistake else '':7}  {played.mistakes:7}  "
            f"{left(played.state) if played.state.realizable else 'none fits'}"
        )

    rounds = replay(
        learner,
        examples,
        require_realizable=not allow_nonrealizable,
        watch=None if as_json else row,
    )
    if html is not None:
        replay_page(C, map(_step, rounds), name=source).save(html)
        note(f"Written: {html}")
    mistakes = rounds[-1].mistakes if rounds else 0
    realizable = rounds[-1].state.realizable if rounds else True
    if as_json:
        print_json(
            {
                "name": source,
                "ldim": _number(bound),
                "conservative": conservative,
                "mistakes": mistakes,
                "realizable": realizable,
                "rounds": list(map(_json, rounds)),
            }
        )
        return
    shown = f"{plural(mistakes, 'mistake')} in {plural(len(examples), 'round')}"
    if realizable:
        say(f"{shown}. The bound is Ldim = {bound}.")
    else:
        say(f"{shown}. No concept agrees with the stream, so no bound holds.")


def _step(played: Round) -> Step:
    left = played.state.version_space if played.state.realizable else None
    return played.point, played.prediction, played.label, left


def _json(played: Round) -> dict[str, object]:
    fits = played.state.realizable
    return {
        "round": played.number,
        "point": to_json(played.point),
        "prediction": played.prediction,
        "label": played.label,
        "mistake": played.mistake,
        "mistakes": played.mistakes,
        "realizable": fits,
        "concepts": _number(size_of(played.state.version_space)) if fits else 0,
        "ldim": _number(_bound(played.state)) if fits else -1,
    }


def _number(count: int | str | None) -> int | None:
    """Return an integer for JSON, or null if it is infinite, unknown or has too many digits."""
    readable = isinstance(count, int) and count.bit_length() <= READABLE_BITS
    return int(count) if readable and count is not None else None


def _bound(learner: SOA) -> int | str | None:
    """The mistake bound, in words if it is infinite, or takes too much to find."""
    from lsclasses.errors import InfiniteDimension, TooLarge

    try:
        return learner.mistake_bound
    except InfiniteDimension:
        return "infinite"
    except TooLarge:
        return UNKNOWN
