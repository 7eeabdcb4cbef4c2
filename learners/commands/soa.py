"""``lsclasses soa``: online learning on a recorded stream."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lsclasses.commands.application import LEARNING, AsJson, OneClass, command
from lsclasses.commands.classes import load
from lsclasses.commands.output import UNKNOWN, counts, number, print_json, size_of, value_json
from lsclasses.files import load_stream
from lsclasses.outputs import Reads
from lsclasses.points import to_json, to_text

if TYPE_CHECKING:
    from lsclasses.soa import SOA

__all__ = ["soa"]


@command(LEARNING)
def soa(
    source: OneClass,
    stream: Annotated[
        Path,
        typer.Option(
            metavar="FILE",
            help="The examples: CSV with the header point,label, one example a line.",
            show_default=False,
        ),
        Reads(),
    ],
    conservative: Annotated[
        bool, typer.Option("--conservative", help="Change the state on mistakes only.")
    ] = False,
    allow_nonrealizable: Annotated[
        bool,
        typer.Option(
            "--allow-nonrealizable",
            help="Go on when no concept fits, overriding the prediction point by point "
            "(BLM20, Def. 8).",
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Replay a stream of examples through the Standard Optimal Algorithm.

    Each round shows the prediction, the true label, what is left of the class, and the mistakes
    so far against the bound, the Littlestone dimension.
    """
    from lsclasses.soa import SOA, ConservativeSOA, replay

    examples = load_stream(stream)
    C = load(source)
    learner = ConservativeSOA(C) if conservative else SOA(C)
    bound = _bound(learner)
    names = [to_text(x) for x, _ in examples]
    width = max(map(len, ["point", *names]))
    if not as_json:
        typer.echo(f"{source}: {counts(C)}, Ldim {bound}")
        typer.echo(
            f"{'round':>5}  {'point':{width}}  predicted  label           mistakes  concepts left"
        )
    rounds: list[dict[str, Any]] = []
    mistakes = 0
    realizable = True
    for played in replay(learner, examples, require_realizable=not allow_nonrealizable):
        mistakes, realizable = played.mistakes, played.state.realizable
        size, ldim = size_of(played.state.version_space), _bound(played.state)
        if as_json:
            rounds.append(
                {
                    "round": played.number,
                    "point": to_json(played.point),
                    "prediction": played.prediction,
                    "label": played.label,
                    "mistake": played.mistake,
                    "mistakes": mistakes,
                    "realizable": realizable,
                    "concepts": value_json(size) if realizable else 0,
                    "ldim": ldim if realizable else -1,
                }
            )
            continue
        left = f"{number(size)} (Ldim {ldim})" if realizable else "none fits"
        typer.echo(
            f"{played.number:5}  {to_text(played.point):{width}}  {played.prediction:9}  "
            f"{played.label:5}  {'mistake' if played.mistake else '':7}  {mistakes:7}  {left}"
        )
    if as_json:
        print_json(
            {
                "name": source,
                "ldim": bound,
                "conservative": conservative,
                "mistakes": mistakes,
                "realizable": realizable,
                "rounds": rounds,
            }
        )
        return
    shown = f"{mistakes} mistake{'' if mistakes == 1 else 's'} in {len(examples)} rounds"
    if realizable:
        typer.echo(f"{shown}; the bound is Ldim = {bound}.")
    else:
        typer.echo(f"{shown}; no concept fits, so no bound holds.")


def _bound(learner: SOA) -> int | str | None:
    """The mistake bound, or `UNKNOWN` if it is infinite or takes too much to find."""
    from lsclasses.errors import TooLarge

    try:
        return learner.mistake_bound
    except TooLarge:
        return UNKNOWN
