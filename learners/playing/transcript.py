"""Transcripts of games of online learning, with each round and the bounds stated in advance.

A `Transcript` is the experimenter's record. It holds the users' examples, so it must not be
released, even if the learner is private.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from learners import checked
from learners.bounds import EXPECTED, Bound
from learners.codec import Codec, written
from learners.playing.counts import NONE_YET, Counts, Violation
from lsclasses.errors import InvalidInput
from lsclasses.files.documents import read_json
from lsclasses.files.writing import atomic_write
from lsclasses.html import html_table
from lsclasses.json_text import entries_of
from lsclasses.numbers import integer, parse_number
from lsclasses.point_names import Label, Point, from_json, to_json, to_text
from lsclasses.verdicts import Verdict

if TYPE_CHECKING:
    import pandas

    from learners.accounting import Privacy

__all__ = ["Transcript", "Violation", "in_words", "transcript_format", "verdicts"]

FORMAT = "lsclasses-transcript"
VERSION = 1
CODEC = Codec()
EARLIER = "This file of an earlier version does not compare the guarantee with the game."


@dataclass(frozen=True)
class Transcript:
    """The record of one online game, round by round, with the bounds of the learner.

    Attributes
    ----------
    learner, adversary, randomness : str
        Descriptions of the learner, the adversary and the source of randomness.
    rounds : int
        Requested number of rounds. The property `played` is the actual number.
    predictions, labels, coins : bytes
        One byte per round: the predicted label, the true label, and whether the prediction is a
        *report*, that is, a fair coin that a private learner tosses if its copies noisily disagree.
    changed : bytes or None
        One byte per round: whether the learner's prediction rule (of a deterministic learner, its
        state) changed after the round. None if the learner does not report changes.
    points : tuple or None
        Points of the rounds, or None if the game did not record them.
    halted_at : int or None
        Number of rounds after which the learner halted, or None if it did not halt.
    interrupted : bool
        Whether Ctrl-C ended the game.
    realizable : bool
        Whether the adversary guarantees that some concept labels all examples.
    privacy : Privacy or None
        Total privacy of the learner with its adversary model. None without a guarantee.
    uncovered : str
        Reason why the privacy guarantee does not cover this game, or an empty string.
    bounds : tuple of Bound
        Bounds of the learner. If a bound has a hypothesis about the stream that the adversary does
        not guarantee, this hypothesis counts as not met.
    secret : mapping of str to tuple of float
        Secret diagnostics by name, computed from the learner's state without any privacy.
    secret_every : int
        Number of rounds between two records of diagnostics, or 0 without diagnostics.
    best : tuple of int or None
        For each round, the least loss of an expert up to its end, in multiples of `unit`. On
        labelled examples, a loss is a number of mistakes. None if the regret is not counted.
    chosen, losses : tuple or None
        Expert of each round and its loss in multiples of `unit`, in a game with vectors of losses,
        which has no predictions, labels and coins. None in other games.
    unit : Fraction
        Loss that is counted as 1 in `best` and `losses`.
    earlier : Counts
        Counts of the earlier segments of a resumed game. Regret and bounds refer to all segments.

    Examples
    --------
    >>> import catalog
    >>> from learners.coins import SeededCoins
    >>> from learners.playing.adversaries import Optimal
    >>> from learners.playing.play import play
    >>> from lsclasses.soa import SOA
    >>> C = catalog.build("thresholds:n=7")
    >>> transcript = play(SOA(C), Optimal(C), 5, SeededCoins(1))
    >>> transcript.mistakes, transcript.examples[:3], transcript.curve("mistakes").tolist()
    (3, ((3, 1), (1, 1), (0, 1)), [1, 2, 3, 3, 3])
    >>> print(transcript)
    SOA against optimal: 5 of 5 rounds
      mistakes  3
      switches  3
      mistakes <= Ldim = 3 mistake bound of the SOA: consistent
    """

    learner: str
    adversary: str
    randomness: str
    rounds: int
    predictions: bytes
    labels: bytes
    coins: bytes
    changed: bytes | None = None
    points: tuple[Point, ...] | None = None
    halted_at: int | None = None
    interrupted: bool = False
    realizable: bool = False
    privacy: Privacy | None = None
    uncovered: str = ""
    bounds: tuple[Bound, ...] = ()
    secret: Mapping[str, tuple[float, ...]] = field(default_factory=dict, hash=False)
    secret_every: int = 0
    best: tuple[int, ...] | None = None
    chosen: tuple[Hashable, ...] | None = None
    losses: tuple[int, ...] | None = None
    unit: Fraction = Fraction(1)
    earlier: Counts = NONE_YET

    @property
    def counts(self) -> Counts:
        """Numbers of rounds, mistakes, reports and switches of all segments of a resumed game."""
        lost = self.mistakes if self.losses is None else sum(self.losses)
        return self.earlier + Counts(self.played, lost, self.reports, self.switches or 0)

    @property
    def played(self) -> int:
        """The number of rounds in which the learner predicted a label or published an expert."""
        return len(self.predictions if self.losses is None else self.losses)

    @property
    def halted(self) -> bool:
        """Whether the learner halted, so that later rounds were not played."""
        return self.halted_at is not None

    @cached_property
    def mistakes(self) -> int:
        """The number of wrong predictions."""
        return int(self._per_round("mistakes").sum())

    @property
    def loss(self) -> Fraction | int:
        """The total loss of the learner. On labelled examples, it is the number of mistakes."""
        return self.mistakes if self.losses is None else _plainly(sum(self.losses) * self.unit)

    @property
    def regret(self) -> Fraction | int | None:
        """The learner's loss minus the least loss of an expert, or None if not counted."""
        if self.best is None:
            return None
        return _plainly((self.counts.mistakes - self.best[-1]) * self.unit) if self.best else 0

    @property
    def reports(self) -> int:
        """The number of reports: predictions by a fair coin because copies noisily disagreed."""
        return self.coins.count(1)

    @property
    def reporting(self) -> bool:
        """Whether the game has reports (predictions by a fair coin), or a bound on their number."""
        return bool(self.reports) or any(bound.quantity == "reports" for bound in self.bounds)

    @property
    def switches(self) -> int | None:
        """The number of rounds after which the prediction rule changed, or None if unknown."""
        return None if self.changed is None else self.changed.count(1)

    @property
    def examples(self) -> tuple[tuple[Point, Label], ...]:
        """The examples (point, label) of the game, in order.

        Raises
        ------
        InvalidInput
            If the game did not record the points.
        """
        if self.points is None:
            raise InvalidInput("The points of this game were not kept. Play with keep_points=True.")
        return tuple(zip(self.points, self.labels, strict=True))

    def _per_round(self, quantity: str) -> NDArray[np.uint8]:
        if quantity == "mistakes":
            return self._bits(self.predictions) ^ self._bits(self.labels)
        rows = {"reports": self.coins, "switches": self.changed}
        if quantity not in rows:
            raise InvalidInput(
                "A quantity of a transcript is one of mistakes, reports, switches, loss, regret. "
                f"Got {quantity!r}."
            )
        bits = rows[quantity]
        if bits is None:
            raise InvalidInput(f"The learner {self.learner} does not report when it switches.")
        return self._bits(bits)

    @staticmethod
    def _bits(data: bytes) -> NDArray[np.uint8]:
        return np.frombuffer(data, np.uint8)

    def curve(self, quantity: str) -> NDArray[np.number]:
        """Return an array with the total count, loss or regret up to the end of each round.

        Parameters
        ----------
        quantity : "mistakes", "reports", "switches", "loss" or "regret"
            Quantity. Losses and regrets are integers if `Transcript.unit` is 1, otherwise floats.

        Raises
        ------
        InvalidInput
            If the quantity is unknown, the learner reports no switches, or no regret was counted.
        """
        if quantity not in ("loss", "regret"):
            return np.cumsum(self._per_round(quantity), dtype=np.int64)
        per_round = self._per_round("mistakes") if self.losses is None else np.array(self.losses)
        units = np.cumsum(per_round, dtype=np.int64)
        if quantity == "regret":
            if self.best is None:
                raise InvalidInput(
                    "The regret of this game was not counted: play with experts=experts_of(C)."
                )
            units += self.earlier.mistakes - np.array(self.best, dtype=np.int64)
        return units if self.unit == 1 else units * float(self.unit)

    def observed(self, bound: Bound) -> Fraction | int | None:
        """Return this game's value of the quantity that a bound limits, or None if not recorded."""
        counts = self.counts
        known = {
            "regret": self.regret,
            "loss": _plainly(counts.mistakes * self.unit),
            "mistakes": None if self.losses is not None else counts.mistakes,
            "reports": counts.reports,
            "switches": None if self.switches is None else counts.switches,
            "halts": int(self.halted),
        }
        return known.get(bound.quantity)

    @cached_property
    def violations(self) -> tuple[Violation, ...]:
        """Bounds that hold with certainty and were exceeded in this game, possibly none."""
        found = []
        for bound in self.bounds:
            observed = self.observed(bound)
            if observed is None or bound.failure or not bound.applies or bound.value is None:
                continue
            if observed > bound.value:
                curve = self.curve(bound.quantity)
                before = Fraction(observed) - Fraction(curve[-1].item())
                number = int(np.argmax(curve > float(bound.value - before))) + 1
                stream = () if self.points is None else self.examples[:number]
                found.append(Violation(bound, number, stream))
        return tuple(found)

    # ---- words

    def __str__(self) -> str:
        return "\n".join([self._title(), *(f"  {line}" for line in self._lines())])

    __repr__ = __str__

    def _title(self) -> str:
        return f"{self.learner} against {self.adversary}: {self.played} of {self.rounds} rounds"

    def _lines(self) -> Iterator[str]:
        yield f"mistakes  {self.mistakes}" if self.losses is None else f"loss      {self.loss}"
        if self.regret is not None:
            yield f"regret    {self.regret}"
        if self.reporting:
            yield f"reports   {self.reports}"
        if self.switches is not None:
            yield f"switches  {self.switches}"
        if self.halted:
            yield f"halted in round {self.halted_at}"
        if self.interrupted:
            yield "interrupted"
        if self.privacy is not None:
            yield f"privacy   {self.privacy}"
        if self.uncovered:
            yield f"not covered: {self.uncovered}"
        yield from (in_words(bound, verdict.in_full) for bound, verdict in verdicts([self]))
        yield from map(str, self.violations)

    def _repr_html_(self) -> str:
        return html_table(self._title(), [(line,) for line in self._lines()])

    # ---- files

    def to_csv(self, *, secret: bool = False) -> str:
        """Return a CSV table of the rounds: point, label, prediction, coin and mistakes so far.

        If the regret is counted, lines also contain the least loss of an expert so far. In a game
        with vectors of losses, lines contain the expert, its loss, and the least loss of an expert
        so far.

        Parameters
        ----------
        secret : bool
            Whether to add a column for each secret diagnostic.

        Examples
        --------
        >>> from learners.coins import SeededCoins
        >>> from learners.playing.play import play
        >>> from lsclasses.online import OnlineState
        >>> class Yes(OnlineState):
        ...     def _predict(self, x): return 1
        ...     def _observe(self, x, y): return self
        >>> print(play(Yes(), [("a", 0), ((0, 1), 1)], 2, SeededCoins(1)).to_csv(), end="")
        round,point,label,prediction,coin,mistakes
        1,a,0,1,0,1
        2,"(0, 1)",1,1,0,1
        """
        texts: Mapping[str, Callable[[Any], object]]
        texts = {"point": to_text, "expert": to_text, "loss": str, "best": str}
        columns = self._columns(secret)
        cells = (map(texts.get(name, _same), column) for name, column in columns.items())
        buffer = io.StringIO()
        writer = csv.writer(buffer, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(zip(*cells, strict=True))
        return buffer.getvalue()

    def to_pandas(self, *, secret: bool = False) -> pandas.DataFrame:
        """Return the rounds as a pandas data frame with the columns of `Transcript.to_csv`.

        Raises
        ------
        InvalidInput
            If pandas is not installed.
        """
        from lsclasses.frames import data_frame

        return data_frame(self._columns(secret))

    def _columns(self, secret: bool) -> dict[str, Iterable[Any]]:
        columns: dict[str, Iterable[Any]] = {"round": range(1, self.played + 1)}
        if self.losses is None:
            columns |= {} if self.points is None else {"point": self.points}
            columns |= {"label": self.labels, "prediction": self.predictions, "coin": self.coins}
            columns["mistakes"] = self.curve("mistakes").tolist()
        else:
            columns["expert"] = self.chosen or ()
            columns["loss"] = [self.unit * loss for loss in self.losses]
        if self.best is not None:
            columns["best"] = [self.unit * loss for loss in self.best]
        for name, values in self.secret.items() if secret else ():
            column: list[float | None] = [None] * self.played
            # A learner that halts in the last round leaves no state to diagnose.
            for i, value in enumerate(values, start=1):
                column[i * self.secret_every - 1] = value
            columns[f"secret_{name}"] = column
        return columns

    def to_json(self, *, secret: bool = False) -> dict[str, object]:
        """Return the transcript as JSON values, which `Transcript.from_json` reads.

        Parameters
        ----------
        secret : bool
            Whether to include the field `secret`, the diagnostics of the learner's states.
        """
        data: dict[str, object] = {"format": FORMAT, "version": VERSION}
        for each in fields(self):
            value = getattr(self, each.name)
            data[each.name] = _bits_text(value) if isinstance(value, bytes) else written(value)
        data["privacy"] = None if self.privacy is None else self.privacy.to_json()
        data["points"] = None if self.points is None else [to_json(x) for x in self.points]
        data["chosen"] = None if self.chosen is None else [to_json(each) for each in self.chosen]
        data["secret"] = {k: list(v) for k, v in self.secret.items()} if secret else {}
        if self.earlier == NONE_YET:
            del data["earlier"]
        return data

    @classmethod
    def from_json(cls, data: object) -> Transcript:
        """Return the transcript from the JSON values that `Transcript.to_json` returned.

        Raises
        ------
        InvalidInput
            If the data do not describe a transcript.
        """
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise InvalidInput(f'A transcript is an object with "format": "{FORMAT}".')
        if type(data.get("version")) is not int or data["version"] != VERSION:
            raise InvalidInput(
                f"The version of a transcript must be {VERSION}. Got {data.get('version')!r}."
            )
        from learners.accounting import Privacy

        with entries_of("The data is not a complete transcript"):
            points = data["points"]
            unstated = EARLIER if data["privacy"] else ""
            # Files of earlier versions have no regret.
            best, chosen, losses = (data.get(name) for name in ("best", "chosen", "losses"))
            transcript = cls(
                **{
                    name: CODEC.value(str, data[name], name)
                    for name in ("learner", "adversary", "randomness")
                },
                rounds=checked.nonnegative(data["rounds"], "number of rounds"),
                predictions=_bits_of(data["predictions"]),
                labels=_bits_of(data["labels"]),
                coins=_bits_of(data["coins"]),
                changed=None if data["changed"] is None else _bits_of(data["changed"]),
                points=None if points is None else tuple(from_json(x) for x in points),
                halted_at=CODEC.value(int | None, data["halted_at"], "halted_at"),
                **{
                    name: CODEC.value(bool, data[name], name)
                    for name in ("interrupted", "realizable")
                },
                privacy=None if data["privacy"] is None else Privacy.from_json(data["privacy"]),
                uncovered=CODEC.value(str, data.get("uncovered", unstated), "uncovered"),
                bounds=CODEC.value(tuple[Bound, ...], data["bounds"], "bounds"),
                secret={str(k): tuple(map(float, v)) for k, v in data["secret"].items()},
                secret_every=integer(data["secret_every"], "number of rounds between diagnostics"),
                best=_counts(best),
                chosen=None if chosen is None else tuple(from_json(each) for each in chosen),
                losses=_counts(losses),
                unit=checked.positive_fraction(
                    parse_number(data.get("unit", "1"), "unit of the losses"), "unit of the losses"
                ),
                earlier=CODEC.read(Counts, data["earlier"]) if "earlier" in data else NONE_YET,
            )
            transcript._require_consistent()
        return transcript

    def _require_consistent(self) -> None:
        """Refuse entries that contradict each other."""
        played = self.played
        if played > self.rounds:
            raise InvalidInput(f"A game of {self.rounds} rounds has no {played} predictions.")
        if self.halted_at not in (None, played, played + 1):
            raise InvalidInput(
                "A learner halts in the last played round, or in the round after it. "
                f"Got round {self.halted_at} of {played}."
            )
        if (self.losses is None) != (self.chosen is None):
            raise InvalidInput(
                "A game with losses records the chosen expert of each round, and no other game "
                f"does. Got {'no losses' if self.losses is None else 'no experts'}."
            )
        diagnosed = max(map(len, self.secret.values()), default=0)
        if diagnosed * max(1, self.secret_every) > played or (diagnosed and self.secret_every < 1):
            raise InvalidInput("Diagnostics must belong to rounds that were played.")
        columns: list[Sequence[object] | None] = [self.changed, self.best]
        if self.losses is None:
            columns += [self.labels, self.coins, self.points]
        else:
            columns += [self.chosen]
            if self.predictions or self.labels or self.coins:
                raise InvalidInput("A game with losses has no labels.")
        if any(len(c) != self.played for c in columns if c is not None):
            raise InvalidInput("The columns of a transcript have the same length.")

    def save(self, path: str | Path, *, secret: bool = False) -> None:
        """Write the transcript to a ``.csv`` or ``.json`` file, completely or not at all.

        Parameters
        ----------
        path : path
            Path of the file. Its suffix specifies the format. Only a JSON file can be loaded again.
        secret : bool
            Whether to include the field `secret` (diagnostics of the states).

        Raises
        ------
        InvalidInput
            If the suffix is neither ``.csv`` nor ``.json``, or the file cannot be written.
        """
        if transcript_format(path) == "csv":
            atomic_write(path, self.to_csv(secret=secret))
        else:
            atomic_write(path, json.dumps(self.to_json(secret=secret), indent=1) + "\n")

    @classmethod
    def load(cls, path: str | Path) -> Transcript:
        """Return the transcript in a ``.json`` file that `Transcript.save` wrote.

        Raises
        ------
        InvalidInput
            If the file cannot be read or is not a transcript.
        """
        return cls.from_json(read_json(path))


def transcript_format(path: str | Path) -> str:
    """Return the format ``"csv"`` or ``"json"`` that the suffix of the file specifies.

    Raises
    ------
    InvalidInput
        If the suffix is neither ``.csv`` nor ``.json``.

    Examples
    --------
    >>> transcript_format("game.CSV")
    'csv'
    """
    suffix = Path(path).suffix.lower()
    if suffix not in (".csv", ".json"):
        raise InvalidInput(f"A transcript is written as .csv or .json. Got {str(path)!r}.")
    return suffix[1:]


def _bits_text(data: bytes) -> str:
    return "".join(map(str, data))


def _bits_of(text: object) -> bytes:
    if not isinstance(text, str) or not set(text) <= {"0", "1"}:
        raise InvalidInput("A column of a transcript must be a text of 0 and 1.")
    return bytes(map(int, text))


def _counts(data: Iterable[object] | None) -> tuple[int, ...] | None:
    return None if data is None else tuple(checked.nonnegative(each, "loss") for each in data)


def _same(value: object) -> object:
    return value


def _plainly(value: Fraction | int) -> Fraction | int:
    """Return an integer, where it is one."""
    return value if isinstance(value, int) or value.denominator > 1 else value.numerator


def verdicts(transcripts: Sequence[Transcript]) -> list[tuple[Bound, Verdict]]:
    """Return the verdicts on the bounds of a learner, by independent games that it played.

    Parameters
    ----------
    transcripts : sequence of Transcript
        Games of one learner, each with independent randomness.

    Returns
    -------
    list of (Bound, Verdict)
        Each bound with the verdict of `Bound.check`, for quantities that games show. For bounds on
        expectations, the verdict states why no game is compared with them.

    Raises
    ------
    InvalidInput
        If there is no game, or their bounds differ.

    Examples
    --------
    >>> import catalog
    >>> from learners.coins import SeededCoins
    >>> from learners.playing.adversaries import RandomConcept
    >>> from learners.playing.play import play
    >>> from lsclasses.soa import SOA
    >>> C = catalog.build("thresholds:n=7")
    >>> games = [play(SOA(C), RandomConcept(C), 5, SeededCoins(seed)) for seed in range(3)]
    >>> [(bound.quantity, verdict) for bound, verdict in verdicts(games)]
    [('mistakes', 'consistent')]
    """
    if not transcripts or any(each.bounds != transcripts[0].bounds for each in transcripts):
        raise InvalidInput("Bounds are compared with at least one game, all of the same learner.")
    judged = []
    for bound in transcripts[0].bounds:
        observed = [each.observed(bound) for each in transcripts]
        numbers = [number for number in observed if number is not None]
        if numbers:
            judged.append((bound, bound.check(numbers)))
        elif bound.quantity.startswith(EXPECTED) and bound.no_verdict_reason is not None:
            judged.append((bound, bound.no_verdict_reason))
    return judged


def in_words(bound: Bound, verdict: str) -> str:
    """Return a bound and its verdict in words. A verdict that the bound already states is omitted.

    Examples
    --------
    >>> in_words(Bound("[a paper]", "mistakes", "R", 5), "consistent")
    'mistakes <= R = 5 [a paper]: consistent'
    >>> in_words(Bound("[a paper]", "mistakes", "R", 5, trivial=3), "vacuous here")
    'mistakes <= R = 5 [a paper], vacuous: at most 3 anyway'
    """
    # The bound itself states why it is vacuous or does not apply.
    said = Verdict.VACUOUS.in_full, Verdict.DOES_NOT_APPLY.in_full
    return str(bound) if verdict in said else f"{bound}: {verdict}"
