"""``lsclasses run``: an online learner against an adversary."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from learners.commands.budget import BudgetOption, pay, rows_of
from learners.commands.named import command_for, entries_grid, entries_json, learner_group
from lsclasses.commands.application import (
    INTERRUPTED,
    LEARNING,
    AsJson,
    Force,
    command,
)
from lsclasses.commands.classes import load
from lsclasses.commands.output import (
    note,
    print_json,
    progress_line,
    say,
    terminal,
    value_json,
)
from lsclasses.commands.tables import Grid
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.figures import FIGURE
from lsclasses.numbers import plural
from lsclasses.outputs import Kind, Reads, Writes, json_head

if TYPE_CHECKING:
    from collections.abc import Callable

    from learners.bounds import Bound
    from learners.coins import Coins
    from learners.playing.adversaries import StreamAdversary
    from learners.playing.entries import Runnable
    from learners.playing.learner import OnlineLearner
    from learners.playing.transcript import Transcript
    from lsclasses.concept_class import ConceptClass

__all__ = ["run"]

GAME = Kind(
    "a game",
    {
        ".csv": rb"round,(point,)?label,prediction,coin,mistakes[,\n]",
        ".json": json_head("lsclasses-transcript"),
    },
)

VIOLATED_STATUS = 1
"""Exit status when a bound is violated."""

DIAGNOSED = 500
"""In how many rounds the learner's state is looked at for plots, about."""


def _runnable() -> Any:
    from learners.playing.entries import RUNNABLE

    return RUNNABLE


def _build(entry: Runnable) -> Any:
    """The command that plays a learner."""
    return command_for(entry, _run, _help(entry), last=2)


def _help(entry: Runnable) -> str:
    return (
        f"Play {entry.name}: {entry.title}.\n\nPrinted are the learner's parameters, what it "
        "guarantees, what happened, and a verdict on each bound. The exit status is 1 if a bound "
        "is violated.\n\nWith --secure and a stream in a file, mistakes, regret and verdicts are "
        "computed from people's labels: no guarantee covers them, and they go to standard error "
        "(with --json, under a name that says so)."
    )


def _list(as_json: bool) -> None:
    from learners.playing.adversaries import NAMED
    from learners.playing.entries import RUNNABLE

    if as_json:
        print_json(
            {
                "learners": entries_json(RUNNABLE),
                "adversaries": [
                    {"name": each.name, "title": each.title, "usage": each.usage()}
                    for each in NAMED
                ],
            }
        )
        return
    adversaries = Grid("adversary", "what it does")
    for each in NAMED:
        adversaries.add_row(each.usage(), each.title)
    adversaries.add_row("stream:FILE", "the examples in a CSV file")
    terminal().print(entries_grid("learner", RUNNABLE), "", adversaries)
    say("\n'lsclasses run LEARNER --help' explains the options of one.")


run = command(LEARNING)(
    learner_group(
        _runnable,
        _build,
        _help,
        name="run",
        rows="SPEC|FILE",
        text="Play an online learner against an adversary. Without one, learners and adversaries "
        "are listed.",
        listing=_list,
    )
)


def _run(
    entry: Any,
    options: Mapping[str, Any],
    source: Annotated[
        str,
        typer.Argument(
            metavar="SPEC|FILE",
            help="A class: a specification such as thresholds:n=16, or a table in a file.",
            show_default=False,
        ),
        Reads(),
    ],
    *,
    rounds: Annotated[
        int, typer.Option("--rounds", "-T", metavar="COUNT", min=1, help="Rounds, at most.")
    ] = 1000,
    adversary: Annotated[
        str,
        typer.Option(
            metavar="NAME[:OPTIONS]",
            help="Who poses points and labels; stream:FILE for a CSV file.",
        ),
        Reads(prefix="stream:"),
    ] = "random",
    doubling: Annotated[
        bool,
        typer.Option(
            "--doubling",
            help="Do not tell the learner how many rounds there are: fresh ones play 1, 2, 4, ... "
            "rounds. Where their deltas add up, each gets a share of --delta.",
        ),
    ] = False,
    seed: Annotated[
        int | None,
        typer.Option(
            metavar="SEED", min=0, help="Of the simulation; 0, if omitted.", show_default=False
        ),
    ] = None,
    seeds: Annotated[
        int, typer.Option(metavar="COUNT", min=1, help="So many games, the first with --seed.")
    ] = 1,
    secure: Annotated[
        bool, typer.Option("--secure", help="Draw from the operating system instead of a seed.")
    ] = False,
    plot: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Draw mistakes, regret, reports and disagreement (.svg, .pdf, .png).",
            show_default=False,
        ),
        Writes(FIGURE),
    ] = None,
    csv: Annotated[
        Path | None,
        typer.Option(
            "--csv",
            metavar="FILE",
            help="Write the game round by round (.csv, or .json for all of it).",
            show_default=False,
        ),
        Writes(GAME),
    ] = None,
    secret: Annotated[
        bool,
        typer.Option(
            "--secret", help="With --csv: add what the learner's secret state was, for diagnosis."
        ),
    ] = False,
    budget: BudgetOption = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    from learners.playing.adversaries import FixedStream
    from learners.playing.adversaries import adversary as named
    from learners.playing.doubling import Doubling
    from learners.playing.learner import as_learner
    from learners.playing.play import play
    from learners.playing.transcript import verdicts
    from learners.plots import figure_format, overview, save

    if csv is not None and seeds > 1:
        raise InvalidInput(f"--csv writes one game. Got {seeds} games; drop --seeds.")
    if secret and csv is None:
        raise InvalidInput("--secret adds to what --csv writes; add --csv FILE.")
    if plot is not None:
        # A long game should not be played to be lost in the end, where matplotlib is missing.
        figure_format(plot)
    if secure and seed is not None:
        raise InvalidInput("A game is played with a seed or with --secure, not with both.")
    stream = adversary.partition(":")[2] if adversary.startswith("stream:") else None
    if budget is not None and (stream is None or not secure or seeds > 1):
        raise InvalidInput(
            "--budget is for one game on people's data: a stream in a file (--adversary "
            "stream:FILE), with randomness from the operating system (--secure)."
        )
    first = seed or 0
    C: ConceptClass | None = None
    try:
        C = load(source)
    except TooLarge as error:
        if not adversary.startswith("stream:"):
            raise TooLarge(
                f"{error} A learner that needs no table, such as best, can be run on it against a "
                "stream in a file: --adversary stream:FILE."
            ) from None
    # A family that is too large to be built may have a learner, and a stream in a file.
    digest: str | None = None
    if stream is not None and (C is None or budget is not None):
        examples, digest = rows_of(Path(stream), budget)
        opponent: StreamAdversary = FixedStream.load(examples, C)
    else:
        assert C is not None
        opponent = named(adversary, C)

    def made(known: int, **shares: Any) -> Any:
        chosen = {**options, **shares}
        return entry.learner(source if C is None or entry.specified else C, known, **chosen)

    if doubling:
        buckets = rounds.bit_length()
        player: OnlineLearner = Doubling(made, buckets, rounds)
        event, delta = player.privacy, entry.values(**options).get("delta")
        if event is not None and not event.on_every_history and delta is not None:
            player = Doubling(partial(made, delta=delta / buckets), buckets, rounds)
    else:
        player = as_learner(made(rounds))
    pay(
        budget,
        player.privacy,
        f"run {entry.name} {source}, {plural(rounds, 'round')}",
        simulated=not secure,
        delta=player.delta,
        data=digest,
    )
    if not as_json:
        _print_learner(player, source, opponent, rounds)
    if (
        "reports" in options
        and getattr(getattr(player, "parameters", None), "halting", "") == "never"
    ):
        note(
            f"Noise for all rounds is no larger than for {options['reports']} reports: it never "
            "halts."
        )
    if not secure and player.privacy is not None:
        which = f"seed {first}" if seeds == 1 else f"seeds {first} to {first + seeds - 1}"
        note(f"This is a simulation, {which}: who knows the seed can undo the noise.")
    games: list[Transcript] = []
    with progress_line() as show:
        for number in range(seeds):
            coins, text = _coins(secure, first + number)
            games.append(
                play(
                    player,
                    opponent,
                    rounds,
                    coins,
                    diagnostics=0 if plot is None and not secret else -(-rounds // DIAGNOSED),
                    keep_points=csv is not None or seeds == 1,
                    progress=_telling(show, f"game {number + 1} of {seeds}"),
                    note=text,
                )
            )
            if games[-1].interrupted:
                break
    judged = verdicts([replace(each, points=None) for each in games])
    # Of people's examples, only what is computed from what the learner showed is private.
    owned = stream is not None and secure and player.privacy is not None
    public = [(bound, None) for bound in player.bounds] if owned else judged
    try:
        if csv is not None:
            games[0].save(csv, secret=secret)
        if plot is not None:
            save(overview(games, on=source), plot)
    finally:
        # What was played is shown, even if it could not be written.
        if as_json:
            found = _json(source, getattr(player, "parameters", None), games, public)
            print_json(_divided(found, games, judged) if owned else found)
        else:
            _print_games(games, public, owned=owned)
            if owned:
                files = csv is not None or plot is not None
                _note_uncovered(games[0], judged, files=files)
    if games[-1].interrupted:
        raise typer.Exit(INTERRUPTED)
    if any(verdict == "violated" for _, verdict in judged):
        raise typer.Exit(VIOLATED_STATUS)


def _coins(secure: bool, seed: int) -> tuple[Coins, str]:
    from learners.coins import SecureCoins, SeededCoins

    return (SecureCoins(), "") if secure else (SeededCoins(seed), f"seed {seed}")


def _telling(show: Callable[[str], None], which: str) -> Callable[[int, int], None]:
    return lambda played, mistakes: show(
        f"{which}: {plural(played, 'round')}, {plural(mistakes, 'mistake')}"
    )


def _print_learner(
    player: OnlineLearner, source: str, opponent: StreamAdversary, rounds: int
) -> None:
    say(f"{_first_line(player)} on {source}, {plural(rounds, 'round')}")
    say(f"adversary: {opponent}; it sees {_SEES[opponent.sees]}")
    parameters = getattr(player, "parameters", None)
    if parameters is not None:
        say(f"\n{parameters}")


_SEES = {
    "nothing": "no prediction",
    "earlier predictions": "earlier predictions",
    "this prediction": "each prediction before it reveals the label",
}


def _first_line(thing: Any) -> str:
    return str(thing).partition("\n")[0]


def _print_games(
    games: list[Transcript], judged: Sequence[tuple[Bound, str | None]], *, owned: bool
) -> None:
    """What may be published, if the examples are people's; else everything."""
    from learners.playing.transcript import in_words

    first = games[0]
    typer.echo()
    if first.privacy is not None:
        say(f"privacy   {first.privacy}, whatever the adversary does")
    if len(games) == 1:
        _print_game(first, owned=owned)
    else:
        _print_many(games)
    say("\nbounds" if judged else "\nNo bound is stated.")
    for bound, verdict in judged:
        say(f"  {bound if verdict is None else in_words(bound, verdict)}")
    if not owned:
        for violation in first.violations:
            say(f"  {violation}")


def _note_uncovered(game: Transcript, judged: Sequence[tuple[Bound, str]], *, files: bool) -> None:
    """What is computed from the labels of all examples, and what it says of the bounds."""
    from learners.playing.transcript import in_words

    note("\nNot covered by the guarantee, so for your eyes only:")
    for line in _measured(game):
        note(f"  {line}")
    for bound, verdict in judged:
        note(f"  {in_words(bound, verdict)}")
    for violation in game.violations:
        note(f"  {violation}")
    if files:
        note("  all that is in the files of --csv and --plot")


def _print_game(game: Transcript, *, owned: bool) -> None:
    say(f"played    {game.played} of {plural(game.rounds, 'round')}{_ending(game)}")
    if not owned:
        for line in _measured(game):
            say(line)
    if game.switches is not None:
        say(f"switches  {game.switches}")


def _measured(game: Transcript) -> Iterator[str]:
    """What depends on labels, and on predictions that belong to their users."""
    yield f"mistakes  {game.mistakes}"
    if game.regret is not None:
        yield f"regret    {game.regret}, against the best of the experts"
    if game.reporting:
        yield f"reports   {game.reports}"


def _ending(game: Transcript) -> str:
    if game.interrupted:
        return ", interrupted"
    return f", then halted (round {game.halted_at})" if game.halted else ""


def _print_many(games: list[Transcript]) -> None:
    counted = ("regret",) if games[0].regret is not None else ()
    table = Grid("seed", "played", "mistakes", *counted, "reports", "halted")
    for game in games:
        table.add_row(
            game.randomness.rpartition(" ")[2] if "seed" in game.randomness else "-",
            *(str(game.played), str(game.mistakes)),
            *(str(game.regret) for _ in counted),
            str(game.reports),
            "" if game.halted_at is None else f"in round {game.halted_at}",
        )
    terminal().print(table)


def _json(
    source: str,
    parameters: Any,
    games: list[Transcript],
    judged: Sequence[tuple[Bound, str | None]],
) -> dict[str, Any]:
    first = games[0]
    return {
        "class": source,
        "learner": first.learner,
        "adversary": first.adversary,
        "rounds": first.rounds,
        "parameters": None
        if parameters is None
        else {each.name: value_json(getattr(parameters, each.name)) for each in fields(parameters)},
        "privacy": None
        if first.privacy is None
        else {
            "epsilon": str(first.privacy.epsilon),
            "delta": str(first.privacy.delta),
            "neighbours": first.privacy.neighbours,
        },
        "bounds": [_bound_json(*each) for each in judged],
        "games": [
            {
                "randomness": game.randomness,
                "played": game.played,
                **_measured_json(game),
                "switches": game.switches,
                "halted_at": game.halted_at,
                "interrupted": game.interrupted,
            }
            for game in games
        ],
    }


def _bound_json(bound: Bound, verdict: str | None) -> dict[str, Any]:
    return {
        "quantity": bound.quantity,
        "formula": bound.formula,
        "value": None if bound.value is None else str(bound.value),
        "source": bound.source,
        "failure": str(bound.failure),
        "verdict": verdict,
    }


def _measured_json(game: Transcript) -> dict[str, Any]:
    return {"mistakes": game.mistakes, "regret": game.regret, "reports": game.reports}


def _divided(
    found: dict[str, Any], games: list[Transcript], judged: Sequence[tuple[Bound, str]]
) -> dict[str, Any]:
    """The answer, with what no guarantee covers under a name that says so, and nowhere else."""
    measured = [_measured_json(game) for game in games]
    shown = [
        {name: None if name in own else value for name, value in game.items()}
        for game, own in zip(found["games"], measured, strict=True)
    ]
    uncovered = {"games": measured, "bounds": [_bound_json(*each) for each in judged]}
    return {**found, "games": shown, "not covered by the guarantee": uncovered}
