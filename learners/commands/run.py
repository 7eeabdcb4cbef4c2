"""``lsclasses run``: an online learner against an adversary."""

from __future__ import annotations

from dataclasses import fields, replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lsclasses.commands.application import INTERRUPTED, LEARNING, AsJson, Force, command
from lsclasses.commands.classes import load
from lsclasses.commands.output import grid, note, print_json, progress_line, terminal, value_json
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.numbers import parsed
from lsclasses.outputs import Kind, Reads, Writes, json_head

if TYPE_CHECKING:
    from collections.abc import Callable

    from learners.coins import Coins
    from learners.online.adversaries import StreamAdversary
    from learners.online.transcript import Transcript
    from lsclasses.concept_class import ConceptClass

__all__ = ["run"]

GAME = Kind(
    "a game",
    {
        ".csv": rb"round,(point,)?label,prediction,coin,mistakes[,\n]",
        ".json": json_head("lsclasses-transcript"),
    },
)
FIGURE = Kind(
    "a figure of games",
    {
        ".svg": rb"<\?xml.{,2000}<dc:creator>\s*<cc:Agent>\s*<dc:title>lsclasses</dc:title>",
        ".pdf": rb"%PDF-.*/Creator \(lsclasses\)",
        ".png": rb"\x89PNG\r\n\x1a\n.{,200}tEXtSoftware\x00lsclasses",
    },
)

VIOLATED_STATUS = 1
"""Exit status when a bound is violated."""

DIAGNOSED = 500
"""In how many rounds the learner's state is looked at for plots, about."""


@command(LEARNING)
def run(
    learner: Annotated[
        str | None,
        typer.Argument(
            metavar="LEARNER",
            help="Such as pop or soa. Without it, learners and adversaries are listed.",
            show_default=False,
        ),
    ] = None,
    source: Annotated[
        str | None,
        typer.Argument(
            metavar="SPEC|FILE",
            help="A class: a specification such as thresholds:n=16, or a table in a file.",
            show_default=False,
        ),
        Reads(),
    ] = None,
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
    epsilon: Annotated[
        str | None, typer.Option(metavar="NUMBER", help="Privacy budget.", show_default=False)
    ] = None,
    delta: Annotated[
        str | None, typer.Option(metavar="NUMBER", help="Privacy budget.", show_default=False)
    ] = None,
    reports: Annotated[
        int | None,
        typer.Option(
            metavar="COUNT",
            min=1,
            help="Noisy disagreements after which it halts, about. Never, if omitted, or if that "
            "takes no more noise.",
            show_default=False,
        ),
    ] = None,
    copies: Annotated[
        int | None,
        typer.Option(
            metavar="COUNT",
            min=1,
            help="Copies of the base learner; the least that privacy allows, if omitted.",
            show_default=False,
        ),
    ] = None,
    base: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The learner that is made private.", show_default=False),
    ] = None,
    errors: Annotated[
        int | None,
        typer.Option(
            metavar="COUNT",
            min=0,
            help="Of agnostic-pop: errors of the best concept that a phase forgives.",
            show_default=False,
        ),
    ] = None,
    mistakes: Annotated[
        int | None,
        typer.Option(
            metavar="COUNT",
            min=1,
            help="Of agnostic-pop: mistakes after which a phase ends, about.",
            show_default=False,
        ),
    ] = None,
    phases: Annotated[
        int | None,
        typer.Option(
            metavar="COUNT",
            min=1,
            help="Of agnostic-pop: how many phases, at most.",
            show_default=False,
        ),
    ] = None,
    theorem: Annotated[
        bool,
        typer.Option("--theorem", help="Take the parameters that the mistake bound is proved for."),
    ] = False,
    beta: Annotated[
        str | None,
        typer.Option(
            metavar="NUMBER",
            help="With --theorem: how likely the bound may fail.",
            show_default=False,
        ),
    ] = None,
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
            help="Draw mistakes, reports and disagreement (.svg, .pdf, .png).",
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
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Play an online learner against an adversary.

    Printed are the learner's parameters, what it guarantees, what happened, and a verdict on each
    bound. The exit status is 1 if a bound is violated.
    """
    from learners.online.adversaries import FixedStream
    from learners.online.adversaries import adversary as named
    from learners.online.play import play
    from learners.online.runnable import RUNNABLE, runnable
    from learners.online.transcript import verdicts
    from learners.plots import figure_format, overview, save

    if learner is None:
        _list(as_json)
        return
    if source is None:
        raise InvalidInput(f"Which class? Write lsclasses run {learner} SPEC, or a file.")
    if csv is not None and seeds > 1:
        raise InvalidInput(f"--csv writes one game. Got {seeds} games; drop --seeds.")
    if secret and csv is None:
        raise InvalidInput("--secret adds to what --csv writes; add --csv FILE.")
    if plot is not None:
        # A long game should not be played to be lost in the end, where matplotlib is missing.
        figure_format(plot)
    if secure and seed is not None:
        raise InvalidInput("A game is played with a seed or with --secure, not with both.")
    first = seed or 0
    given = {
        "epsilon": _number(epsilon, "--epsilon"),
        "delta": _number(delta, "--delta"),
        "reports": reports,
        "copies": copies,
        "errors": errors,
        "mistakes": mistakes,
        "phases": phases,
        "base": base,
        "theorem": theorem or None,
        "beta": _number(beta, "--beta"),
    }
    options = {name: value for name, value in given.items() if value is not None}
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
    opponent = FixedStream.load(adversary.partition(":")[2]) if C is None else named(adversary, C)
    specified = learner in RUNNABLE and RUNNABLE[learner].specified
    player = runnable(learner, source if C is None or specified else C, rounds, options)
    if not as_json:
        _print_learner(player, source, opponent, rounds)
    if (
        reports is not None
        and getattr(getattr(player, "parameters", None), "halting", "") == "never"
    ):
        note(f"Noise for all rounds is no larger than for {reports} reports: it never halts.")
    if not secure and getattr(player, "privacy", None) is not None:
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
    if as_json:
        print_json(_json(source, getattr(player, "parameters", None), games, judged))
    else:
        _print_games(games, judged)
    if csv is not None:
        games[0].save(csv, secret=secret)
    if plot is not None:
        save(overview(games), plot)
    if games[-1].interrupted:
        raise typer.Exit(INTERRUPTED)
    if any(verdict == "violated" for _, verdict in judged):
        raise typer.Exit(VIOLATED_STATUS)


def _number(text: str | None, option: str) -> Fraction | None:
    return None if text is None else parsed(text, f"option {option}")


def _coins(secure: bool, seed: int) -> tuple[Coins, str]:
    from learners.coins import SecureCoins, SeededCoins

    return (SecureCoins(), "") if secure else (SeededCoins(seed), f"seed {seed}")


def _telling(show: Callable[[str], None], which: str) -> Callable[[int, int], None]:
    return lambda played, mistakes: show(f"{which}: {played} rounds, {mistakes} mistakes")


def _list(as_json: bool) -> None:
    from learners.online.adversaries import ADVERSARIES
    from learners.online.runnable import RUNNABLE

    if as_json:
        print_json(
            {
                "learners": [
                    {"name": each.name, "title": each.title, "options": list(each.options)}
                    for each in RUNNABLE.values()
                ],
                "adversaries": [
                    {"name": each.name, "title": each.title, "usage": each.usage()}
                    for each in ADVERSARIES.values()
                ],
            }
        )
        return
    learners = grid("learner", "what it does", "options")
    for entry in RUNNABLE.values():
        learners.add_row(entry.name, entry.title, " ".join(f"--{each}" for each in entry.options))
    adversaries = grid("adversary", "what it does")
    for each in ADVERSARIES.values():
        adversaries.add_row(each.usage(), each.title)
    adversaries.add_row("stream:FILE", "the examples in a CSV file")
    terminal().print(learners, "", adversaries)


def _print_learner(player: Any, source: str, opponent: StreamAdversary, rounds: int) -> None:
    from learners.online.play import as_learner

    learner = as_learner(player)
    typer.echo(f"{_first_line(learner)} on {source}, {rounds} rounds")
    typer.echo(f"adversary: {opponent}; it sees {_SEES[opponent.sees]}")
    parameters = getattr(player, "parameters", None)
    if parameters is not None:
        typer.echo(f"\n{parameters}")


_SEES = {
    "nothing": "no prediction",
    "earlier predictions": "earlier predictions",
    "this prediction": "each prediction before it reveals the label",
}


def _first_line(thing: Any) -> str:
    return str(thing).partition("\n")[0]


def _print_games(games: list[Transcript], judged: list[Any]) -> None:
    from learners.online.transcript import said

    first = games[0]
    typer.echo()
    if first.privacy is not None:
        typer.echo(f"privacy   {first.privacy}, whatever the adversary does")
    if len(games) == 1:
        _print_game(first)
    else:
        _print_many(games)
    typer.echo("\nbounds" if judged else "\nNo bound is stated.")
    for bound, verdict in judged:
        typer.echo(f"  {said(bound, verdict)}")
    for violation in first.violations:
        typer.echo(f"  {violation}")


def _print_game(game: Transcript) -> None:
    typer.echo(f"played    {game.played} of {game.rounds} rounds{_ending(game)}")
    typer.echo(f"mistakes  {game.mistakes}")
    if game.reporting:
        typer.echo(f"reports   {game.reports}")
    if game.switches is not None:
        typer.echo(f"switches  {game.switches}")


def _ending(game: Transcript) -> str:
    if game.interrupted:
        return ", interrupted"
    return f", then halted (round {game.halted_at})" if game.halted else ""


def _print_many(games: list[Transcript]) -> None:
    table = grid("seed", "played", "mistakes", "reports", "halted")
    for game in games:
        table.add_row(
            game.randomness.rpartition(" ")[2] if "seed" in game.randomness else "-",
            *(str(game.played), str(game.mistakes), str(game.reports)),
            "" if game.halted_at is None else f"in round {game.halted_at}",
        )
    terminal().print(table)


def _plain(value: Any) -> Any:
    whole = isinstance(value, Fraction) and value.denominator == 1
    return value_json(value.numerator if whole else value)


def _json(
    source: str, parameters: Any, games: list[Transcript], judged: list[Any]
) -> dict[str, Any]:
    first = games[0]
    return {
        "class": source,
        "learner": first.learner,
        "adversary": first.adversary,
        "rounds": first.rounds,
        "parameters": None
        if parameters is None
        else {each.name: _plain(getattr(parameters, each.name)) for each in fields(parameters)},
        "privacy": None
        if first.privacy is None
        else {
            "epsilon": str(first.privacy.epsilon),
            "delta": str(first.privacy.delta),
            "neighbours": first.privacy.neighbours,
        },
        "bounds": [
            {
                "quantity": bound.quantity,
                "formula": bound.formula,
                "value": None if bound.value is None else _plain(bound.value),
                "source": bound.source,
                "failure": str(bound.failure),
                "verdict": verdict,
            }
            for bound, verdict in judged
        ],
        "games": [
            {
                "randomness": game.randomness,
                "played": game.played,
                "mistakes": game.mistakes,
                "reports": game.reports,
                "switches": game.switches,
                "halted_at": game.halted_at,
                "interrupted": game.interrupted,
            }
            for game in games
        ],
    }
