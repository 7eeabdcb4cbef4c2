"""``lsclasses soa``: the former name of ``lsclasses run soa``, which the next release removes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from learners.commands.run import REPLAY, GameFiles, GameOptions, ShownParts, _run
from lsclasses.commands.application import LEARNING, AsJson, Force, OneClass, command
from lsclasses.commands.classes import STANDARD_INPUT
from lsclasses.commands.output import note
from lsclasses.commands.parallel_options import ParallelOptions
from lsclasses.files.comma_separated import load_stream
from lsclasses.outputs import Reads, Writes

MOVED = (
    "Note: 'lsclasses soa' is now 'lsclasses run soa ... --adversary stream:FILE', and the next "
    "release removes it."
)


@command(LEARNING)
def soa(
    source: OneClass,
    *,
    stream: Annotated[
        Path,
        typer.Option(metavar="FILE", help="CSV file of examples with the header point,label."),
        Reads(),
    ],
    conservative: Annotated[
        bool, typer.Option("--conservative", help="Run conservative-soa instead of soa.")
    ] = False,
    allow_nonrealizable: Annotated[
        bool,
        typer.Option(
            "--allow-nonrealizable",
            help="This option has no effect, because 'lsclasses run' always continues "
            "after examples that contradict all concepts.",
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
    """Run 'lsclasses run soa --adversary stream:FILE --trace'. The next release removes 'soa'."""
    from learners.playing.entries import ONLINE_LEARNERS

    note(MOVED)
    # Standard input can be read only once, so its examples are not counted.
    piped = str(stream) == STANDARD_INPUT
    rounds = "1000" if piped else str(max(1, len(load_stream(stream))))
    _run(
        ONLINE_LEARNERS["conservative-soa" if conservative else "soa"],
        source,
        game=GameOptions(rounds=rounds, adversary=f"stream:{stream}"),
        files=GameFiles(html=html, force=force),
        shown=ShownParts(trace=True),
        work=ParallelOptions(),
        options={},
        as_json=as_json,
    )
