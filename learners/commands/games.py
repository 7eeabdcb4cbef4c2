"""Games of an online learner against an adversary, and the output about them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import typer

from learners.commands.session import coins_from
from lsclasses.commands.output import note, progress_line, say, terminal, value_json
from lsclasses.commands.parallel_options import results
from lsclasses.commands.tables import Grid
from lsclasses.numbers import plural
from lsclasses.verdicts import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor

    from learners.bounds import Bound
    from learners.commands.session import Session
    from learners.playing.adversaries import StreamAdversary
    from learners.playing.learner import OnlineLearner
    from learners.playing.state_files import Segment
    from learners.playing.transcript import Transcript
    from lsclasses.results_file import ResultsFile

_Seeds = Sequence[int | None]
_Asked = Mapping[str, Any]

OBSERVED = {
    "nothing": "no prediction",
    "earlier predictions": "earlier predictions",
    "this prediction": "each prediction before it reveals the label",
}
"""The information of an adversary, in words."""


@dataclass
class Games:
    """Games of one learner, each with a separate seed.

    Attributes
    ----------
    session : Session
        Steps around the release, with the randomness and the output format.
    source : str
        The class.
    player : OnlineLearner
        The learner.
    opponent : StreamAdversary
        The adversary.
    rounds : int
        Largest number of rounds per game.
    owned : bool
        Whether the examples belong to people. Then no guarantee covers the labels, or values that
        depend on the labels.
    in_files : bool
        Whether the whole game is also written to files.
    segment : Segment or None
        Segment of a game, if the game is played in segments.
    played : list of Transcript
        Transcripts of the finished games.
    stopped : KeyboardInterrupt or WorkersLost or None
        Reason why other processes played fewer games than requested.
    """

    session: Session
    source: str
    player: OnlineLearner
    opponent: StreamAdversary
    rounds: int
    owned: bool
    in_files: bool = False
    segment: Segment | None = None
    played: list[Transcript] = field(default_factory=list)
    stopped: BaseException | None = None

    def play(
        self,
        games: int,
        *,
        diagnostics: int,
        keep_points: bool,
        shared: AbstractContextManager[Executor | None],
        kept: ResultsFile | None = None,
    ) -> None:
        """Play `games` games, the first with the seed of the session, until an interruption.

        Parameters
        ----------
        games : int
            Number of games.
        diagnostics : int
            Number of rounds between two diagnoses, see `learners.playing.play.play`.
        keep_points : bool
            Whether the transcripts contain the points.
        shared : context manager
            Executor of the games, see `lsclasses.commands.parallel_options.make_executor`.
        kept : ResultsFile, optional
            Results file with finished games.
        """
        from learners.playing.transcript import Transcript
        from lsclasses.errors import WorkersLost

        first = self.session.seed
        if first is not None and self.player.privacy is not None:
            which = f"seed {first}" if games == 1 else f"seeds {first} to {first + games - 1}"
            note(f"This is a simulation, {which}: who knows the seed can undo the noise.")
        seeds = [None if first is None else first + number for number in range(games)]
        asked = {"diagnostics": diagnostics, "keep_points": keep_points}
        try:
            with shared as executor, progress_line() as show:
                here = partial(self._here, seeds, asked, show)
                there = partial(replace(self, played=[])._there, seeds, asked)
                found = results(
                    here if executor is None else there,
                    [f"seed {seed}" for seed in seeds],
                    int,
                    executor,
                    kept,
                    written=lambda game: None if game.interrupted else game.to_json(secret=True),
                    read=Transcript.from_json,
                )
                for game in found:
                    self.played.append(game)
                    if executor is not None:
                        show(f"{len(self.played)} of {plural(games, 'game')} ...")
                    if game.interrupted:
                        break
        except (KeyboardInterrupt, WorkersLost) as stopped:
            if not self.played:
                raise
            self.stopped = stopped

    def _here(
        self, seeds: _Seeds, asked: _Asked, show: Callable[[str], None], number: int
    ) -> Transcript:
        """Play a game, and print its progress."""
        progress = _progress(show, f"game {number + 1} of {len(seeds)}", counted=not self.owned)
        return self._one(seeds[number], progress=progress, **asked)

    def _there(self, seeds: _Seeds, asked: _Asked, number: int) -> Transcript:
        """Play a game in another process."""
        return self._one(seeds[number], **asked)

    def _one(self, seed: int | None, **asked: Any) -> Transcript:
        """Play a game, or a segment of one."""
        from learners.playing.play import play

        asked["note"] = "" if seed is None else f"seed {seed}"
        if self.segment is None:
            return play(self.player, self.opponent, self.rounds, coins_from(seed), **asked)
        from learners.playing.state_files import coins_of_segment

        left = self.rounds - self.segment.before.played
        coins = coins_of_segment(seed, self.segment.number)
        return self.segment.play(self.opponent, left, coins, **asked)

    @property
    def parameters(self) -> Any:
        """The learner's parameters, if it has any."""
        return getattr(self.player, "parameters", None)

    @cached_property
    def judged(self) -> Sequence[tuple[Bound, Verdict]]:
        """The bounds of the learner, each with its verdict on all games."""
        from learners.playing.transcript import verdicts

        return verdicts([replace(each, points=None) for each in self.played])

    @property
    def public(self) -> Sequence[tuple[Bound, Verdict | None]]:
        """The bounds for the output, without verdicts if the examples belong to people."""
        return [(bound, None) for bound in self.player.bounds] if self.owned else self.judged

    # ---- in words

    def show_players(self) -> None:
        """Print the learner and the adversary."""
        learner = str(self.player).partition("\n")[0]
        say(f"{learner} on {self.source}, {plural(self.rounds, 'round')}")
        say(f"adversary: {self.opponent} (observes {OBSERVED[self.opponent.sees]})")
        if self.parameters is not None:
            say(f"\n{self.parameters}")

    def note_reports(self, reports: object) -> None:
        """Print a note if the requested number of reports has no effect."""
        if getattr(self.parameters, "halting", "") == "never":
            note(f"Noise for all rounds is no larger than for {reports} reports: it never halts.")

    def show_ledger(self) -> None:
        """Print the privacy events of the learner."""
        say("\nLedger:")
        event = self.player.privacy
        text = "The learner has no privacy guarantee." if event is None else str(event)
        for line in text.splitlines():
            say(line, indent="  ")

    def show(self) -> None:
        """Print the results, except values that no guarantee covers."""
        from learners.playing.transcript import in_words

        first = self.played[0]
        typer.echo()
        if self.stopped is not None:
            say(f"stopped   after {plural(len(self.played), 'game')}")
        if first.privacy is not None:
            say(f"privacy   {first.privacy}")
        if first.uncovered:
            say(f"not covered: {first.uncovered}")
        if self.owned and self.session.budget is None:
            say("budget    none covers these rows")
        if len(self.played) == 1:
            self._show_game(first)
        else:
            _show_games(self.played)
        public = self.public
        say("\nbounds" if public else "\nNo bound is stated.")
        for bound, verdict in public:
            if verdict is None:
                say(f"  {bound}")
            else:
                words = verdict.in_full
                say(f"  {in_words(bound, words)}", verdict=(words, verdict))
        if not self.owned:
            for violation in first.violations:
                say(f"  {violation}")

    def _show_game(self, game: Transcript) -> None:
        say(f"played    {game.played} of {plural(game.rounds, 'round')}{_ending(game)}")
        if not self.owned:
            for line in _measured(game):
                say(line)
        if game.switches is not None:
            say(f"switches  {game.switches}")
        if self.segment is not None:
            say(f"segment   {self.segment.number + 1}, {self._so_far(self.segment, game)}")

    def _so_far(self, segment: Segment, game: Transcript) -> str:
        """Return a summary of all segments, and the path of the game's state."""
        counts = game.counts
        rounds = f"{counts.played} of {plural(self.rounds, 'round')} in all"
        mistakes = "" if self.owned else f" with {plural(counts.mistakes, 'mistake')}"
        state = f"paused in {segment.file.path}" if segment.paused else "the game has ended"
        return f"{rounds}{mistakes}; {state}"

    def measures(self) -> Iterator[str]:
        """Yield the mistakes and the verdicts of a game, which depend on the labels."""
        from learners.playing.transcript import in_words

        yield from _measured(self.played[0])
        for bound, verdict in self.judged:
            yield in_words(bound, verdict.in_full)
        yield from map(str, self.played[0].violations)
        if self.in_files:
            yield "the files of --csv and --plot"

    # ---- as JSON

    def to_json(self) -> dict[str, object]:
        """Return the results as JSON, except values that no guarantee covers."""
        first = self.played[0]
        found = {
            "class": self.source,
            "learner": first.learner,
            "adversary": first.adversary,
            "rounds": first.rounds,
            "parameters": None
            if self.parameters is None
            else {
                each.name: value_json(getattr(self.parameters, each.name))
                for each in fields(self.parameters)
            },
            "privacy": None if first.privacy is None else first.privacy.to_json(),
            "not covered": first.uncovered or None,
            "budget": None if self.session.budget is None else str(self.session.budget),
            "bounds": [
                {**bound.to_json(), "verdict": verdict and verdict.in_full}
                for bound, verdict in self.public
            ],
            "games": [self._game_json(game) for game in self.played],
        }
        if self.segment is not None:
            found["segment"] = {
                "number": self.segment.number + 1,
                "played": first.counts.played,
                "mistakes": None if self.owned else first.counts.mistakes,
                "paused": self.segment.paused,
            }
        return found

    def measures_json(self) -> dict[str, object]:
        """Return the mistakes and the verdicts of the games, which depend on the labels."""
        return {
            "games": [_measured_json(game) for game in self.played],
            "bounds": [
                {**bound.to_json(), "verdict": verdict.in_full} for bound, verdict in self.judged
            ],
        }

    def _game_json(self, game: Transcript) -> dict[str, object]:
        measured = _measured_json(game)
        return {
            "randomness": game.randomness,
            "played": game.played,
            **(dict.fromkeys(measured) if self.owned else measured),
            "switches": game.switches,
            "halted_at": game.halted_at,
            "interrupted": game.interrupted,
        }


def _progress(
    show: Callable[[str], None], which: str, *, counted: bool
) -> Callable[[int, int], None]:
    """Show the rounds of a game, and its mistakes unless they depend on people's labels."""
    return lambda played, mistakes: show(
        f"{which}: {plural(played, 'round')}"
        + (f", {plural(mistakes, 'mistake')}" if counted else "")
    )


def _measured(game: Transcript) -> Iterator[str]:
    """The results that depend on labels, or on predictions that belong to their users."""
    yield f"mistakes  {game.mistakes}"
    if game.regret is not None:
        yield f"regret    {game.regret}, against the best of the experts"
    if game.reporting:
        yield f"reports   {game.reports}"


def _measured_json(game: Transcript) -> dict[str, object]:
    return {"mistakes": game.mistakes, "regret": game.regret, "reports": game.reports}


def _ending(game: Transcript) -> str:
    if game.interrupted:
        return ", interrupted"
    return f", then halted (round {game.halted_at})" if game.halted else ""


def _show_games(games: list[Transcript]) -> None:
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
