"""Games in segments: the file of a game that was paused between two rounds.

A segment starts from the state in the file and takes the file, so no other process can start from
that state. When the segment ends, the file contains the next state.

**The file is as secret as the examples.** It holds the kept state of the learner, and the learner's
guarantee does not cover this state. The state includes noisy thresholds and hypotheses that were
drawn and not shown yet. It also includes counts, weights and version spaces that depend on the
examples. ``state_to_json`` of each learner documents which of the learner's examples the file
contains. The SOA keeps points at which the version space was cut. Halving over a table keeps the
remaining concepts. Exponential weights keep the losses of all experts.

**Every value is drawn once.** The state contains all earlier draws. Later draws come from coins of
the new segment. Two runs from one state would draw twice where the guarantee counts one draw, as
noise for one count or one expert for one round. An adversary who observes both draws learns more
than epsilon. So

1. a segment holds the lock of the file, enters the state's checksum in the journal (``FILE.used``)
   and marks the file as in play. All of this is forced to the disk *before any coin is drawn*.
2. a state whose checksum is in the journal is refused, also if it was copied back. A file that is
   in play is also refused, whether the segment still runs or was broken off.

   The journal lies next to the real file, even if links point to the file. A state is bound to the
   name of the file to which it was written, so a copy with another name is refused.

This check misses a copy of the file in another folder or on another machine, and a journal that was
removed. If you make such copies, play at most one of them.

**The ledger.** The file names the game and states the privacy cost of the whole game. Each segment
charges this full cost to the budget of its rows, because the guarantee of the game bounds the loss
of each row, whichever segment contains the row. A budget refuses a second segment of one game,
because a row in two segments is two items of the game, and needs group privacy. The rows of
different segments must belong to different people. A game that stops within a segment was charged.

**Streams.** The examples of a later segment may depend on the values that earlier segments
published. So `claim` refuses a release (not a simulation) of a learner whose guarantee covers only
streams that are fixed in advance.
"""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import lsclasses
from learners.accounting import ADAPTIVE, scope
from learners.codec import Codec, written
from learners.coins import Coins, SecureCoins, SeededCoins
from learners.locked_files import force_folder, locked
from learners.playing.adversaries import StreamAdversary
from learners.playing.counts import NONE_YET, Counts
from learners.playing.game import PausedGame
from learners.playing.learner import OnlineLearner, Playable, as_learner
from learners.playing.play import play
from learners.playing.transcript import Transcript
from learners.states import description, differences
from lsclasses.errors import InvalidInput
from lsclasses.files.documents import checksum, read_json, with_checksum
from lsclasses.files.sources import system_reason
from lsclasses.files.writing import atomic_write
from lsclasses.json_text import entries_of
from lsclasses.numbers import plural
from lsclasses.outputs import STATE_FORMAT

VERSION = 2
KIND = "a paused game"
PAUSED, IN_PLAY, ENDED = "paused", "in play", "ended"
NOTE = "State of a learner between two rounds: as secret as the examples, for one segment only."
CODEC = Codec()


def coins_of_segment(seed: int | None, number: int) -> Coins:
    """Return the coins of a segment, from the operating system or for a simulation.

    Parameters
    ----------
    seed : int or None
        Seed of a simulation. The first segment has the coins of the seed, and segment k has the
        coins of the seed's k-th child (`numpy.random.SeedSequence`). No two segments share words.
    number : int
        Number k of the segment, 0 for the first segment.

    Examples
    --------
    >>> [coins_of_segment(1, number).below(1000) for number in (0, 1, 2, 1)]
    [197, 172, 705, 172]
    """
    if seed is None:
        return SecureCoins()
    if not number:
        return SeededCoins(seed)
    return SeededCoins(np.random.SeedSequence(seed, spawn_key=(number,)))


@dataclass
class Segment:
    """A segment of a game, which holds the game's file until it ends.

    Attributes
    ----------
    file : StateFile
        File of the paused game.
    learner : OnlineLearner
        Learner of the game.
    simulated : bool
        Whether coins come from a seed.
    game : str
        Identifier of the game, which all segments share.
    number : int
        0 for the first segment.
    resume : PausedGame or None
        Game at the start of the segment, or None for the first segment.
    paused : bool
        Whether the file holds a state, so that another segment can follow.
    """

    file: StateFile
    learner: OnlineLearner
    simulated: bool
    game: str
    number: int = 0
    resume: PausedGame | None = None
    paused: bool = field(default=False, init=False)
    _last: PausedGame | None = field(default=None, init=False)

    @property
    def before(self) -> Counts:
        """The counts of the game at the start of the segment."""
        return NONE_YET if self.resume is None else self.resume.counts

    def play(
        self, adversary: StreamAdversary, rounds: int, coins: Coins, **asked: Any
    ) -> Transcript:
        """Play the rounds of the segment. Then `keep` writes the next state into the file.

        Parameters
        ----------
        adversary, rounds, coins, **asked
            Arguments of `learners.playing.play.play`.
        """

        def remember(paused: PausedGame) -> None:
            over = self.learner.rounds is not None and paused.counts.played >= self.learner.rounds
            self._last = None if over else paused

        return play(
            self.learner, adversary, rounds, coins, resume=self.resume, pause=remember, **asked
        )

    def keep(self) -> bool:
        """Write the state after the segment, or the end of the game, into the file.

        Returns
        -------
        bool
            Whether another segment can follow.

        Raises
        ------
        InvalidInput
            If the file cannot be written, or no examples are known that determine a version space
            of the state.
        TooLarge
            If such examples take too long to find.
        """
        self.file._put(self, self._last)
        self.paused = self._last is not None
        return self.paused

    def withdraw(self) -> None:
        """Delete the file of a new game of which no round was played.

        Raises
        ------
        InvalidInput
            If the segment is not the first, so that its file contains the paused game.
        """
        if self.number:
            raise InvalidInput("The file of a later segment contains the game. It is not deleted.")
        self.file.path.unlink(missing_ok=True)


class StateFile:
    """The file of a game that is played in segments. The module documents its content.

    Parameters
    ----------
    path : path
        Path of the file. The journal of used states lies next to it, as ``path.used``.

    Examples
    --------
    >>> import tempfile
    >>> import catalog
    >>> from lsclasses.soa import SOA
    >>> C, path = catalog.build("thresholds:n=7"), Path(tempfile.mkdtemp()) / "game.json"
    >>> first = StateFile(path).claim(SOA(C), simulated=True)
    >>> first.play([(3, 1), (1, 1)], 2, coins_of_segment(1, 0)).mistakes
    2
    >>> first.keep()
    True
    >>> second = StateFile(path).claim(SOA(C), simulated=True)
    >>> game = second.play([(0, 0)], 1, coins_of_segment(1, second.number))
    >>> game.mistakes, game.counts.mistakes, game.counts.played
    (0, 2, 3)
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)

    @property
    def journal(self) -> Path:
        """The file with the checksums of the states from which segments have begun."""
        return self._real.with_name(f"{self._real.name}.used")

    @property
    def _real(self) -> Path:
        return Path(os.path.realpath(self.path))

    def game(self, learner: Playable, *, simulated: bool, rounds: int | None = None) -> str:
        """Return the identifier of the paused game, or an empty string if the file does not exist.

        The method writes no file, so a caller can charge the next segment before `claim`.

        Parameters
        ----------
        learner, simulated, rounds
            Arguments of `claim`.

        Raises
        ------
        InvalidInput
            If `claim` would refuse the file.
        """
        player = as_learner(learner)
        _require_segments(player, simulated=simulated)
        if not os.path.lexists(self.path):
            return ""
        with locked(self.path, KIND) as real:
            if not real.stat().st_size:
                return ""
            data, _ = self._paused_game(real, player, simulated, rounds)
        return str(data["game"])

    def claim(
        self, learner: Playable, *, simulated: bool, rounds: int | None = None, game: str = ""
    ) -> Segment:
        """Take the file for one segment of a new or a paused game, before any coin is drawn.

        Parameters
        ----------
        learner : OnlineLearner, OnlineState or RandomizedSOA
            Learner of all segments.
        simulated : bool
            Whether coins come from a seed.
        rounds : int, optional
            Largest number of rounds of all segments together. A learner with a fixed number of
            rounds needs no value.
        game : str
            Identifier of the game that was charged. If it is empty, a new game gets a random
            identifier.

        Raises
        ------
        InvalidInput
            If the file does not contain a paused game, was changed, was used before, is in play or
            has ended. Also if another learner, class, number of rounds or version of this library
            wrote it, if only one of two segments would be a simulation, if the file contains
            another game, or if no round remains to be played.
        """
        player = as_learner(learner)
        _require_segments(player, simulated=simulated)
        try:
            with suppress(FileExistsError):
                os.close(os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        except OSError as error:
            raise InvalidInput(
                f"Cannot write {str(self.path)!r}: {system_reason(error)}."
            ) from None
        with locked(self.path, KIND) as real:
            if real.stat().st_size:
                segment = self._resumed(real, player, simulated, rounds, game)
            else:
                segment = Segment(self, player, simulated, game or new_game())
            try:
                atomic_write(real, with_checksum(self._head(IN_PLAY, segment)))
            except BaseException:
                # No coin was drawn, so the paused game can be played again.
                if segment.number:
                    self._forget_last_use()
                else:
                    segment.withdraw()
                raise
            force_folder(real)
        return segment

    def _forget_last_use(self) -> None:
        """Remove the last line of the journal."""
        used = self.journal.read_text().split()
        atomic_write(self.journal, "".join(f"\n{each}\n" for each in used[:-1]))

    def _paused_game(
        self, real: Path, learner: OnlineLearner, simulated: bool, rounds: int | None
    ) -> tuple[dict[str, Any], PausedGame]:
        """Return the content of the file, and the game that the next segment begins from."""
        try:
            data = _checked(read_json(real))
            self._require_unused(data)
            _require_same(data, learner, simulated)
            with entries_of("it is not a complete state of a game"):
                CODEC.value(str, data["game"], "game")
                at = _paused(learner, data)
            if rounds is not None and at.counts.played >= rounds:
                raise InvalidInput(
                    f"{plural(at.counts.played, 'round')} of it were played, and there are "
                    f"{rounds} in all. Give more rounds."
                )
        except InvalidInput as problem:
            raise InvalidInput(f"Cannot resume {str(self.path)!r}: {problem}") from None
        return data, at

    def _resumed(
        self, real: Path, learner: OnlineLearner, simulated: bool, rounds: int | None, game: str
    ) -> Segment:
        """Return the segment that begins from the state in the file, entered in the journal."""
        data, at = self._paused_game(real, learner, simulated, rounds)
        if game not in ("", data["game"]):
            raise InvalidInput(
                f"Cannot resume {str(self.path)!r}: its game differs from the game that was "
                "charged."
            )
        with self.journal.open("a") as file:
            # On a separate line, also after a line that a full disk has cut short.
            file.write(f"\n{data['checksum']}\n")
            file.flush()
            os.fsync(file.fileno())
        return Segment(self, learner, simulated, data["game"], data["segment"] + 1, at)

    def _require_unused(self, data: dict[str, Any]) -> None:
        if data["file"] != self._real.name:
            raise InvalidInput(
                f"it was written as {data['file']!r}, and copies are not played. Give the file "
                "that name again, next to its journal."
            )
        used = self.journal.read_text().split() if self.journal.exists() else []
        if data["checksum"] in used:
            raise InvalidInput(
                f"a segment has begun from this state before, according to {str(self.journal)!r}. "
                "Every state may be used once. Resume the newest state."
            )

    def _head(self, status: str, segment: Segment) -> dict[str, Any]:
        return {
            "format": STATE_FORMAT,
            "version": VERSION,
            "note": NOTE,
            "program": lsclasses.__version__,
            "status": status,
            "segment": segment.number,
            "game": segment.game,
            "simulated": segment.simulated,
            # A random name, so that different states have different checksums even in equal games.
            "name": os.urandom(16).hex(),
            "file": self._real.name,
            "learner": description(segment.learner, "learner"),
            "ledger": _ledger(segment.learner),
        }

    def _put(self, segment: Segment, paused: PausedGame | None) -> None:
        """Replace the file in play by the file of the next state, or of the ended game."""
        content = self._head(ENDED if paused is None else PAUSED, segment)
        if paused is not None:
            experts, tally = segment.learner.comparators, paused.tally
            kept = experts is not None and tally is not None
            content |= {
                "counts": written(paused.counts),
                "state": segment.learner.state_to_json(paused.state),
                "tally": experts.tally_to_json(tally) if kept else None,  # type: ignore[union-attr, arg-type]
            }
        with locked(self.path, KIND) as real:
            atomic_write(real, with_checksum(content))
            force_folder(real)


def new_game() -> str:
    """Return a random identifier of a game."""
    return os.urandom(16).hex()


def _require_segments(learner: OnlineLearner, *, simulated: bool) -> None:
    """Refuse a learner that cannot be played in segments, before a coin is drawn."""
    event = learner.privacy
    held = None if event is None else scope(event)
    if not simulated and held is not None and not held.adversary.covers(ADAPTIVE):
        raise InvalidInput(
            "The guarantee of this learner covers only streams that are fixed in advance, and the "
            "examples of a later segment may depend on earlier outputs. Choose a learner with "
            "delta = 0, or play all rounds in one game."
        )
    learner.state_to_json(learner.start(SeededCoins(0)))  # these coins are dropped


def _ledger(learner: OnlineLearner) -> dict[str, object] | None:
    """Return the privacy cost of the whole game."""
    from learners.accounting import Privacy

    event = learner.privacy
    if event is None:
        return None
    found = Privacy.of(event, learner.delta)
    return {
        **found.to_json(),
        "charged": "in full for each segment, to the budget of the rows of that segment",
    }


def _checked(data: Any) -> dict[str, Any]:
    """Return the content of a file, if it is a paused game as this library wrote it."""
    if not isinstance(data, dict) or data.get("format") != STATE_FORMAT:
        raise InvalidInput(f'it is not a paused game. Its "format" is not "{STATE_FORMAT}".')
    with entries_of("it is not a complete state of a game"):
        if data["checksum"] != checksum(data):
            raise InvalidInput("it was changed by something else than lsclasses: see its checksum.")
        if (data["version"], data["program"]) != (VERSION, lsclasses.__version__):
            raise InvalidInput(
                f"lsclasses {data['program']} wrote it, and this is {lsclasses.__version__}. The "
                "state of a learner differs from version to version."
            )
        if data["status"] == IN_PLAY:
            raise InvalidInput(
                "it is in play, or its last segment was broken off. The values that this segment "
                "has drawn may have been published, so the state before cannot be played again. "
                "Begin a new game in another file, which costs its budget again."
            )
        if data["status"] == ENDED:
            raise InvalidInput("its game has ended and cannot be resumed.")
    return data


def _require_same(data: dict[str, Any], learner: OnlineLearner, simulated: bool) -> None:
    different = differences(data["learner"], description(learner, "learner"))
    if different:
        raise InvalidInput(
            f"it is of another learner, class or number of rounds: {different}. Continue with the "
            "learner and the class that began the game."
        )
    if data["simulated"] != simulated:
        was, now = ("a simulation", "--secure") if data["simulated"] else ("--secure", "a seed")
        raise InvalidInput(
            f"it was begun as {was} and would go on with {now}. The guarantee needs one kind of "
            "coins for all segments."
        )


def _paused(learner: OnlineLearner, data: dict[str, Any]) -> PausedGame:
    tally = data["tally"]
    experts = learner.comparators
    return PausedGame(
        learner.state_from_json(data["state"]),
        None if tally is None or experts is None else experts.tally_from_json(tally),
        CODEC.read(Counts, data["counts"]),
    )
