"""``lsclasses run``: an online learner against an adversary."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from learners.commands.games import Games
from learners.commands.learner_commands import (
    command_for,
    entries_grid,
    entries_json,
    learner_group,
)
from learners.commands.options import BudgetOption, ClassSource, adversaries, read_rounds
from learners.commands.session import NotPrivate, Session, warnings_as_notes
from learners.commands.trace import replay_of, replays, show_trace, trace_json
from lsclasses.commands.application import (
    CONTRADICTED,
    INTERRUPTED,
    LEARNING,
    AsJson,
    Force,
    command,
)
from lsclasses.commands.classes import is_file, load
from lsclasses.commands.option_groups import OptionGroup
from lsclasses.commands.output import note, print_json, say, terminal
from lsclasses.commands.parallel_options import (
    ParallelOptions,
    make_executor,
    open_results,
    result_key,
)
from lsclasses.commands.tables import Grid
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.figures import FIGURE
from lsclasses.numbers import plural
from lsclasses.outputs import (
    STATE_FORMAT,
    Continues,
    FileFormat,
    Reads,
    Writes,
    json_head,
    page_kind,
)
from lsclasses.verdicts import Verdict

if TYPE_CHECKING:
    from typer.core import TyperCommand

    from learners.playing.adversaries import StreamAdversary
    from learners.playing.entries import OnlineEntry, Source
    from learners.playing.learner import OnlineLearner, Playable
    from learners.playing.state_files import StateFile
    from lsclasses.concept_class import ConceptClass
    from lsclasses.registry import Registry
    from lsclasses.results_file import ResultsFile

GAME = FileFormat(
    "a game",
    {
        ".csv": rb"round,(point,)?label,prediction,coin,mistakes[,\n]",
        ".json": json_head("lsclasses-transcript"),
    },
)

STATE = FileFormat("a paused game", {".json": json_head(STATE_FORMAT)})

REPLAY = page_kind("a page of a replayed stream", "replay")

DIAGNOSED = 500
"""Approximate number of rounds in which plots record the learner's state."""


def _runnable() -> Registry[OnlineEntry]:
    from learners.playing.entries import ONLINE_LEARNERS

    return ONLINE_LEARNERS


def _build(entry: OnlineEntry) -> TyperCommand:
    """Build the command that plays a learner."""
    return command_for(entry, _run, _help(entry))


def _help(entry: OnlineEntry) -> str:
    details = f"{entry.details}\n\n" if entry.details else ""
    text = (
        f"Play {entry.name}: {entry.title}.\n\n{details}The output lists the learner's parameters, "
        "its guarantee and the game. It also states for each proved bound whether the game "
        "respects the bound. "
        "The exit status is 1 if a bound is violated."
    )
    if all(each.name != "epsilon" for each in entry.parameters):
        return text
    return (
        f"{text}\n\nWith --secure and --adversary stream:FILE, the learner runs on the examples of "
        "people. The mistakes, the regret and the comparisons with bounds depend on people's "
        "labels, so the privacy guarantee does not cover these results. The command then prints "
        "these results only on standard error, below a notice, and the exit status does not "
        "depend on them."
    )


def _list(as_json: bool) -> None:
    from learners.playing.adversaries import NAMED
    from learners.playing.entries import ONLINE_LEARNERS

    if as_json:
        print_json(
            {
                "learners": entries_json(ONLINE_LEARNERS.values()),
                "adversaries": [
                    {"name": each.name, "title": each.title, "usage": each.usage()}
                    for each in NAMED.values()
                ],
            }
        )
        return
    adversaries = Grid("adversary", "what it does")
    for each in NAMED.values():
        adversaries.add_row(each.usage(), each.title)
    adversaries.add_row("stream:FILE", "the examples in a CSV file")
    terminal().print(entries_grid("learner", ONLINE_LEARNERS.values()), "", adversaries)
    say("\n'lsclasses run LEARNER --help' explains the options of a learner.")


run = command(LEARNING)(
    learner_group(
        _runnable,
        _build,
        _help,
        name="run",
        rows="SPEC|FILE",
        text="Play an online learner against an adversary. Without a learner, the command lists "
        "all learners and adversaries.",
        listing=_list,
    )
)


@dataclass(frozen=True, kw_only=True)
class GameOptions(OptionGroup):
    """The game: its rounds, its adversary and its coins."""

    rounds: Annotated[
        str,
        typer.Option(
            "--rounds",
            "-T",
            metavar="INTEGER",
            help="Number of rounds of the game, for example 1e4. The game ends earlier if the "
            "learner halts or the stream ends.",
        ),
    ] = "1000"
    adversary: Annotated[
        str,
        typer.Option(
            metavar="NAME[:OPTIONS]",
            help="Adversary that chooses the points and labels, or stream:FILE for the examples "
            "in a CSV file. 'lsclasses run' lists all adversaries.",
            autocompletion=adversaries,
        ),
        Reads(prefix="stream:"),
    ] = "random"
    doubling: Annotated[
        bool,
        typer.Option(
            "--doubling",
            help="Play with learners that do not know the number of rounds of the game. A new "
            "learner, made for 1, 2, 4, 8, ... rounds, replaces the old learner in rounds 1, 2, "
            "4, 8, and so on. For some private learners, such as pop, the delta of the game is "
            "the sum of the deltas of all new learners, and each gets an equal share of --delta.",
        ),
    ] = False
    seed: Annotated[
        int | None,
        typer.Option(metavar="INTEGER", min=0, help="Seed of the simulation, 0 by default."),
    ] = None
    seeds: Annotated[
        int,
        typer.Option(
            metavar="INTEGER",
            min=1,
            help="Number of games. The seeds of the games are the value of --seed, this value + "
            "1, and so on.",
        ),
    ] = 1
    secure: Annotated[
        bool,
        typer.Option(
            "--secure", help="Take random numbers from the operating system instead of a seed."
        ),
    ] = False
    budget: BudgetOption = None

    def __post_init__(self) -> None:
        if self.secure and self.seed is not None:
            raise InvalidInput("A game is played with a seed or with --secure, not with both.")
        if self.budget is not None and (self.stream is None or not self.secure or self.seeds > 1):
            raise InvalidInput(
                "--budget is for one game on people's data: a stream in a file (--adversary "
                "stream:FILE), with randomness from the operating system (--secure)."
            )

    @property
    def stream(self) -> str | None:
        """The path of the adversary's file, or None if the adversary reads no file."""
        name = self.adversary
        return name.partition(":")[2] if name.startswith("stream:") else None

    def session(self, *, as_json: bool) -> Session:
        """Return the steps around the game."""
        return Session(None if self.secure else self.seed or 0, self.budget, as_json)


@dataclass(frozen=True, kw_only=True)
class GameFiles(OptionGroup):
    """The files that a game reads and writes."""

    plot: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Draw the curves of the game, such as mistakes and regret, to FILE (.svg, .pdf, "
            ".png).",
        ),
        Writes(FIGURE),
    ] = None
    csv: Annotated[
        Path | None,
        typer.Option(
            "--csv",
            metavar="FILE",
            help="Write the rounds of the game as a table (.csv), or the rounds with the name "
            "of the learner and the guarantee (.json).",
        ),
        Writes(GAME),
    ] = None
    secret: Annotated[
        bool,
        typer.Option(
            "--secret",
            help="Also write values that no privacy guarantee covers, such as people's "
            "labels, with --csv and --plot. The output of --csv then also contains the learner's "
            "secret state.",
        ),
    ] = False
    html: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write an HTML page that replays the rounds. Only the learners soa and "
            "conservative-soa have such a page.",
        ),
        Writes(REPLAY),
    ] = None
    state: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Play a long game in several calls, with one stream file per call. If FILE "
            "exists, the game continues from the state in FILE. At the end of the stream, the "
            "command writes the new state to FILE. Keep FILE as secret as the examples. No "
            "person may have rows in two calls.",
        ),
        Continues(STATE),
    ] = None
    force: Force = False

    def __post_init__(self) -> None:
        if self.secret and self.csv is None and self.plot is None:
            raise InvalidInput("--secret is about the files of --csv and --plot. Add one of them.")


@dataclass(frozen=True, kw_only=True)
class ShownParts(OptionGroup):
    """The additional parts of the output that the user requested."""

    trace: Annotated[
        bool,
        typer.Option(
            "--trace",
            help="Print the point, the prediction, the label and the number of mistakes of every "
            "round. For soa and conservative-soa, also print the version space.",
        ),
    ] = False
    ledger: Annotated[
        bool,
        typer.Option(
            "--ledger",
            help="Print the ledger, which lists the learner's privacy events and their costs.",
        ),
    ] = False


@warnings_as_notes()
def _run(
    entry: OnlineEntry,
    source: ClassSource,
    *,
    game: GameOptions,
    files: GameFiles,
    shown: ShownParts,
    work: ParallelOptions,
    options: Mapping[str, object],
    as_json: AsJson = False,
) -> None:
    from lsclasses.figures import figure_format

    _require_one_game(game, files, shown, work)
    if files.plot is not None:
        # A long game should not be played to be lost in the end, where matplotlib is missing.
        figure_format(files.plot)
    horizon, stream, seeds = read_rounds(game.rounds), game.stream, game.seeds
    diagnostics = 0 if files.plot is None and not files.secret else -(-horizon // DIAGNOSED)
    keep_points = seeds == 1 or files.csv is not None
    asked = [entry.name, dict(options), horizon, game.doubling, diagnostics, keep_points]
    shared = make_executor(work.jobs, work.dask, parts=seeds)
    again = not game.secure and files.state is None
    kept = _kept(work.resume, [source, stream or game.adversary], asked, again=again)
    session = game.session(as_json=as_json)
    C = _class_of(source, stream)
    opponent = _opponent(session, game.adversary, stream, C)
    player = _player(entry, options, built_from(entry, source, C), horizon, game.doubling)
    # For people's examples, only values that the learner released are private.
    owned = stream is not None and game.secure and player.privacy is not None
    if owned:
        _require_release(player, opponent, files, trace=shown.trace)
    if files.html is not None:
        replays(player)
    games = Games(session, source, player, opponent, horizon, owned)
    file, identifier = _game_of(files.state, player, session, horizon)

    def play(coins: object) -> None:
        # The games take coins by their seeds.
        if file is not None:
            games.segment = file.claim(
                player, simulated=session.simulated, rounds=horizon, game=identifier
            )
        if not as_json:
            games.show_players()
        if "reports" in options:
            games.note_reports(options["reports"])
        games.play(
            seeds, diagnostics=diagnostics, keep_points=keep_points, shared=shared, kept=kept
        )

    what = f"run {entry.name} {source}, {plural(horizon, 'round')}"
    session.release(player.privacy, what, play, delta=player.delta, game=identifier)
    _note_further_examples(opponent, horizon)
    first, segment = games.played[0], games.segment
    session.save(files.state, lambda _: segment and segment.keep())
    session.save(files.csv, lambda path: first.save(path, secret=files.secret))
    session.save(files.plot, partial(_draw, games))
    session.save(files.html, lambda path: replay_of(player, first, name=source).save(path))
    games.in_files = files.csv is not None or files.plot is not None
    _answer(games, shown)


def _draw(games: Games, path: Path) -> None:
    from learners.plots import overview
    from lsclasses.figures import save as save_figure

    save_figure(overview(games.played, on=games.source), path)


def _answer(games: Games, shown: ShownParts) -> None:
    """Print the results and the requested parts of them, then end with an exit status."""
    hidden = NotPrivate(games.measures_json, games.measures) if games.owned else None

    def show() -> None:
        if shown.trace:
            show_trace(games.player, games.played[0])
        games.show()
        if shown.ledger:
            games.show_ledger()

    def to_json() -> dict[str, object]:
        found, event = games.to_json(), games.player.privacy
        if shown.ledger:
            found["ledger"] = None if event is None else str(event).splitlines()
        if shown.trace:
            found["trace"] = trace_json(games.player, games.played[0])
        return found

    games.session.answer(to_json, show, hidden)
    _end(games)


def _end(games: Games) -> None:
    """End with the error that stopped the games, or with the exit status of their verdicts."""
    if games.stopped is not None:
        raise games.stopped
    if games.played[-1].interrupted:
        raise typer.Exit(INTERRUPTED)
    # A verdict on people's labels must not reach the exit status of a release.
    if not games.owned and any(verdict == Verdict.VIOLATED for _, verdict in games.judged):
        raise typer.Exit(CONTRADICTED)


def _kept(
    resume: Path | None, read: Sequence[str], asked: Sequence[object], *, again: bool
) -> ResultsFile | None:
    """Return the results file of games whose seeds determine them."""
    if resume is None:
        return None
    if not again:
        raise InvalidInput(
            "--resume is for games with seeds, because a seed determines the game. Remove --secure "
            "and --state."
        )
    return open_results(resume, f"run {asked} {[result_key(each) for each in read]}")


def _game_of(
    state: Path | None, player: OnlineLearner, session: Session, rounds: int
) -> tuple[StateFile | None, str]:
    """The file of a game in segments, and the identifier that its budgets know it by."""
    if state is None:
        return None, ""
    from learners.playing.state_files import StateFile, new_game

    file = StateFile(state)
    found = file.game(player, simulated=session.simulated, rounds=rounds)
    return file, found or new_game()


def _require_release(
    player: OnlineLearner, opponent: StreamAdversary, files: GameFiles, *, trace: bool
) -> None:
    """Refuse a game on people's examples that would release more than the guarantee covers."""
    from learners.playing.adversaries import FixedStream

    if trace:
        raise InvalidInput(
            "--trace prints labels and mistakes, which no guarantee covers. Remove --trace, or "
            "write them for the owner of the rows with --csv and --secret."
        )
    if not files.secret and (files.csv is not None or files.plot is not None):
        raise InvalidInput(
            "--csv and --plot write labels and mistakes, which no guarantee covers. Add --secret "
            "to write them for the owner of the rows, or leave both options out."
        )
    # An example outside of the domain would end the game between two outputs.
    if isinstance(opponent, FixedStream) and player.domain is not None:
        for number, (x, _) in enumerate(opponent.examples, start=1):
            try:
                player.domain.require(x)
            except InvalidInput as problem:
                raise InvalidInput(f"Example {number}: {problem}") from None


def _require_one_game(
    game: GameOptions, files: GameFiles, shown: ShownParts, work: ParallelOptions
) -> None:
    """Refuse options that are for one game, or for several games."""
    seeds, traced = game.seeds, shown.trace or files.html is not None
    if work.dask is not None and seeds == 1:
        raise InvalidInput("--dask is for several games, --seeds COUNT. Got one.")
    if files.csv is not None and seeds > 1:
        raise InvalidInput(f"--csv writes one game. Got {seeds} games. Remove --seeds.")
    if traced and seeds > 1:
        raise InvalidInput(f"--trace and --html show one game. Got {seeds} games. Remove --seeds.")
    if traced and files.state is not None:
        raise InvalidInput(
            "--trace and --html show a whole game, and --state plays a segment of a game. Remove "
            "--state, or write the rounds of the segment with --csv."
        )
    if files.state is not None and (game.stream is None or seeds > 1):
        raise InvalidInput(
            "--state is for one game on a stream in files, one segment per run: --adversary "
            "stream:FILE."
        )


def _class_of(source: str, stream: str | None) -> ConceptClass | None:
    """Return the class, or None if only the class is too large, not the learner."""
    try:
        return load(source)
    except TooLarge as error:
        if stream is None:
            raise TooLarge(
                f"{error} A learner that needs no table, such as best, can be run on it against a "
                "stream in a file: --adversary stream:FILE."
            ) from None
        return None


def _opponent(
    session: Session, adversary: str, stream: str | None, C: ConceptClass | None
) -> StreamAdversary:
    from learners.playing.adversaries import FixedStream
    from learners.playing.adversaries import adversary as named

    if stream:
        return FixedStream.load(session.rows(Path(stream)), C)
    assert C is not None
    return named(adversary, C)


def _note_further_examples(opponent: StreamAdversary, rounds: int) -> None:
    """Note that a stream in a file has more examples than the game has rounds, if so."""
    count = len(getattr(opponent, "examples", ()))
    if count > rounds:
        note(
            f"Note: the stream has {plural(count, 'example')}, and the game has "
            f"{plural(rounds, 'round')}. --rounds {count} plays all examples."
        )


def built_from(entry: OnlineEntry, source: str, C: ConceptClass | None) -> Source:
    """Return the class, or its specification if the learner is built from specifications."""
    return source if C is None or (entry.specified and not is_file(source)) else C


def _player(
    entry: OnlineEntry, options: Mapping[str, object], source: Source, rounds: int, doubling: bool
) -> OnlineLearner:
    """The learner, or fresh learners for 1, 2, 4, ... rounds."""
    from learners.playing.learner import as_learner

    made = partial(_made, entry, options, source)
    if not doubling:
        return as_learner(made(rounds))
    from learners.playing.doubling import Doubling

    buckets = rounds.bit_length()
    player = Doubling(made, buckets, rounds)
    event, delta = player.privacy, entry.values(**options).get("delta")
    if event is not None and not event.on_every_history and delta is not None:
        return Doubling(partial(made, delta=Fraction(delta) / buckets), buckets, rounds)
    return player


def _made(
    entry: OnlineEntry, options: Mapping[str, object], source: Source, rounds: int, **shares: object
) -> Playable:
    return entry.learner(source, rounds, **{**options, **shares})
