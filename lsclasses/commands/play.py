"""``lsclasses play``: a person against the optimal adversary, or against the SOA."""

from __future__ import annotations

import re
import sys
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from io import TextIOWrapper
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import typer

from lsclasses.commands.application import INTERRUPTED, TEACHING, AsJson, Force, OneClass, command
from lsclasses.commands.classes import load
from lsclasses.commands.output import (
    counts,
    labelled,
    note,
    number,
    print_json,
    progress_line,
    say,
    size_of,
    value_json,
)
from lsclasses.concept_class import ConceptClass
from lsclasses.errors import InfiniteDimension, InvalidInput, nearest
from lsclasses.outputs import Writes
from lsclasses.pages.play_page import GAME, SIDES, game_page
from lsclasses.point_names import Label, Point, from_text, name_text, split_words, to_json
from lsclasses.soa import SOA

WORDS = ("hint", "left", "undo", "help", "quit")
"""Words that a player may type at any time, also by their first letters, and ? for help."""
LISTED = 12
"""The largest number of remaining concepts that are listed."""
INDENT = "  "
LONGEST_LINE = 1 << 20
"""Largest number of characters that are read as one line of input."""


@dataclass(frozen=True)
class Turn:
    """One round of the game: the point, the prediction and the true label."""

    point: Point
    prediction: Label
    label: Label

    @property
    def mistake(self) -> bool:
        """Whether the prediction was wrong."""
        return self.prediction != self.label


class InteractiveGame:
    """A game in progress, with its rounds so far. The last round can be undone.

    Parameters
    ----------
    C : ConceptClass
        Class that is not empty.

    Attributes
    ----------
    turns : list of Turn
        Rounds so far.
    most : int
        Number of mistakes that an adversary can force from the beginning: the Littlestone
        dimension.

    Raises
    ------
    InvalidInput
        If the class is empty.
    TooLarge
        If the Littlestone dimension is infinite or its search is too expensive.

    Examples
    --------
    >>> import catalog
    >>> game = InteractiveGame(catalog.build("thresholds:n=7"))
    >>> game.point, game.soa.predict(game.point)
    (3, 0)
    >>> game.take(Turn(3, 0, 1))
    >>> game.mistakes, game.forced, game.version_space.size
    (1, 2, 4)
    >>> game.take_back()
    >>> game.mistakes, game.forced
    (0, 3)
    """

    def __init__(self, C: ConceptClass) -> None:
        if C.is_empty:
            raise InvalidInput(
                "A game needs a class with at least one concept, because a concept determines the "
                "true labels. Got an empty class."
            )
        with progress_line() as show:
            show("Littlestone dimension ...")
            self.most = C.ldim(progress=lambda low, high: show(f"{low} <= ldim <= {high}"))
        self._states = [SOA(C)]
        self.turns: list[Turn] = []

    @property
    def soa(self) -> SOA:
        """The SOA for the version space after all examples of the game."""
        return self._states[-1]

    @property
    def version_space(self) -> ConceptClass:
        """The concepts that agree with all examples."""
        return self.soa.version_space

    @property
    def forced(self) -> int:
        """Number of further mistakes that an optimal adversary can force."""
        return self.version_space.ldim()

    @property
    def point(self) -> Point:
        """The point that an optimal adversary presents, if it can still force a mistake."""
        return self.version_space.splitting_point()

    @property
    def mistakes(self) -> int:
        """Number of mistakes so far."""
        return sum(turn.mistake for turn in self.turns)

    def take(self, turn: Turn) -> None:
        """Play one round with the given point and labels."""
        self._states.append(self.soa.observe(turn.point, turn.label))
        self.turns.append(turn)

    def take_back(self) -> None:
        """Undo the last round."""
        self._states.pop()
        self.turns.pop()


@command(TEACHING)
def play(
    source: OneClass,
    *,
    role: Annotated[
        str, typer.Option(metavar="ROLE", help=f"Your role: {' or '.join(SIDES)}.")
    ] = "learner",
    html: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the game as an HTML page for a browser."),
        Writes(GAME),
    ] = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Play the online learning game of the Littlestone dimension against an optimal opponent.

    As the learner, you predict labels, and the optimal adversary contradicts you. As the adversary,
    you choose points and labels, and the Standard Optimal Algorithm predicts. In each round, the
    command shows the version space and the number of mistakes that the adversary can still force.
    Without a terminal, the command reads your moves from standard input. With --json, the command
    prints the whole game at the end. The page of --html contains all positions of the game, so it
    needs no server. The game may have at most 5000 positions.
    """
    if role not in SIDES:
        raise InvalidInput(
            f"--role is learner or adversary. Got {role!r:.80}. {nearest(role, SIDES)}"
        )
    game = _game_on(source)
    if html is not None:
        _write_page(source, role, game.version_space, html)
        if as_json:
            print_json(_json(source, role, game))
        return
    line = _Line(quiet=as_json)
    side: _Side = (_Learner if role == "learner" else _Adversary)(game, line)
    interrupted = False
    try:
        line.say(
            f"{source}: {counts(game.version_space)}, Littlestone dimension {number(game.most)}"
        )
        if game.most:
            line.say(side.rules)
            line.say(ALSO)
        while game.forced:
            side.turn()
    except _Over:
        pass
    except KeyboardInterrupt:
        interrupted = True
        line.end()
    if as_json:
        print_json(_json(source, role, game))
    else:
        say(side.result())
    if interrupted:
        raise typer.Exit(INTERRUPTED)


def _game_on(source: str) -> InteractiveGame:
    """Return a game on a class. The error for an infinite family names a finite member."""
    try:
        return InteractiveGame(load(source))
    except InfiniteDimension as error:
        finite = re.sub(r"=inf\b", "=7", source)
        if finite == source:
            raise
        raise InfiniteDimension(
            f"{error} So the game has no end. Play a finite member of the family, such as {finite}."
        ) from None


def _write_page(source: str, role: str, C: ConceptClass, path: Path) -> None:
    with progress_line() as show:
        page = game_page(C, name=source, you=role, progress=lambda n: show(f"{n} positions ..."))
    page.save(path)
    note(f"Written: {path}")


ALSO = "Other words: hint (h), left (l), undo (u), help (?), quit (q)."


class _Over(Exception):
    """The person wants to stop, or there is no more input."""


class _Undo(Exception):
    """The person takes something back."""


class _Line:
    """The input of the person: a terminal, or moves in a pipe or file, several a line.

    A game that is printed as JSON is played on standard error.
    """

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self._typed = sys.stdin is not None and sys.stdin.isatty()
        if isinstance(sys.stdin, TextIOWrapper):
            # The game refuses words that are not valid text.
            sys.stdin.reconfigure(errors="backslashreplace")
        self._waiting: deque[str] = deque()

    def say(self, text: str, indent: str = "") -> None:
        if not self._quiet:
            say(text, indent)
        elif self._typed:
            note(indent + text)

    def end(self) -> None:
        """End the line on which a question was left unanswered."""
        if self._typed:
            self.say("")

    def ask(self, question: str, words: Callable[[str], list[str]]) -> str:
        """The next word, in a new line if all of the last one were used."""
        while not self._waiting:
            self._waiting.extend(words(self._read(question)))
            if self._typed and self._waiting:
                return self._waiting.popleft()
        word = self._waiting.popleft()
        self.say(f"{question} {word}")
        return word

    def _read(self, question: str) -> str:
        """A line, without its end."""
        try:
            if self._typed and not self._quiet:
                return input(f"{question} ")
            if self._typed:
                typer.echo(f"{question} ", err=True, nl=False)
            line = sys.stdin.readline(LONGEST_LINE + 1) if sys.stdin is not None else ""
        except (EOFError, ValueError):  # the latter of a stream that is closed
            line = ""
        if len(line) > LONGEST_LINE:
            raise InvalidInput(
                f"A line of moves has at most {LONGEST_LINE} characters. Got a longer line."
            )
        if not line:
            self.end()
            raise _Over
        return line.rstrip("\r\n")

    def refuse(self, problem: str) -> None:
        """Print the problem, and discard the rest of the line."""
        self._waiting.clear()
        if self._quiet:
            note(f"lsclasses: {problem}")
        else:
            self.say(problem, INDENT)


class _Side:
    """The moves common to both sides, and the end of a game."""

    rules: str

    def __init__(self, game: InteractiveGame, line: _Line) -> None:
        self.game, self.line = game, line

    def turn(self) -> None:
        """Play or undo a round."""
        raise NotImplementedError

    def result(self) -> str:
        """The result of the game."""
        raise NotImplementedError

    def hint(self, point: Point | None) -> str:
        """The best move for a point, or before the point is known."""
        raise NotImplementedError

    def answer(
        self, question: str, point: Point | None, words: Callable[[str], list[str]] = str.split
    ) -> str:
        """Return an answer to a question, after other commands of the player."""
        while True:
            word = self.line.ask(question, words)
            known = next((each for each in WORDS if word.lower() in (each, each[0])), None)
            if word == "?":
                known = "help"
            if known is None:
                return word
            if known == "quit":
                raise _Over
            if known == "undo":
                raise _Undo
            if known == "help":
                self.line.say(self.rules)
                self.line.say(ALSO)
            else:
                says = self.hint(point) if known == "hint" else _concepts(self.game.version_space)
                self.line.say(says, INDENT)

    def label(self, question: str, point: Point) -> Label:
        """Return a label that the player enters."""
        while True:
            word = self.answer(question, point)
            if word in ("0", "1"):
                return int(word)
            self.line.refuse(f"A label is 0 or 1. Got {word!r:.60}.")

    def take_back(self) -> None:
        if not self.game.turns:
            self.line.refuse("No move can be taken back.")
            return
        self.game.take_back()
        self.line.say(f"Taken back. {self.standing()}", INDENT)

    def take(self, turn: Turn) -> None:
        self.game.take(turn)
        what = f"mistake {self.game.mistakes}" if turn.mistake else "predicted right"
        self.line.say(f"The label is {turn.label}: {what}. {self.standing()}", INDENT)

    def standing(self) -> str:
        """The concepts left, and the number of mistakes that can still be forced."""
        size = size_of(self.game.version_space)
        concepts = f"{number(size)} {'concept' if size == 1 else 'concepts'} left"
        forced = self.game.forced
        more = f"{number(forced)} more mistake{'' if forced == 1 else 's'}" if forced else "no more"
        return f"{concepts}, {more} can be forced."

    def last(self) -> str:
        """The end of the game, for both players."""
        if not self.game.forced:
            concept = self.game.version_space.sample(0)
            return f"One concept remains, {labelled(concept)}."
        return f"You stopped the game. {_more(self.game.forced)} could be forced."


class _Learner(_Side):
    """The person predicts."""

    @property
    def rules(self) -> str:  # type: ignore[override]
        return (
            "You are the learner. Predict the label of each point, 0 or 1. The adversary then "
            "reveals the true label. Some concept of the class agrees with all true labels. The "
            f"adversary can force {_mistakes(self.game.most)}. The SOA makes no more."
        )

    def turn(self) -> None:
        point = self.game.point
        question = f"Round {len(self.game.turns) + 1}, point {name_text(point)}: your prediction?"
        try:
            predicted = self.label(question, point)
        except _Undo:
            self.take_back()
            return
        self.take(Turn(point, predicted, 1 - predicted))

    def hint(self, point: Point | None) -> str:
        after = [self.game.version_space.restrict(point, y).ldim() for y in (0, 1)]
        best = self.game.soa.predict(point)
        reason = (
            "as always if these numbers are equal"
            if after[0] == after[1]
            else "because an error then leaves fewer mistakes to force"
        )
        return (
            f"The adversary can force {_more(after[0])} after the label 0 and {_more(after[1])} "
            f"after the label 1. The SOA predicts {best}, {reason}."
        )

    def result(self) -> str:
        made, most = self.game.mistakes, self.game.most
        if not most:
            return f"{self.last()} No mistake can be forced, so the game is over."
        if self.game.forced:
            return f"{self.last()} You made {_mistakes(made)} so far."
        if made == most:
            return (
                f"{self.last()} You made {_mistakes(made)}: the bound, Ldim = {number(most)}, "
                "is met. No learner can do better against this adversary."
            )
        return (
            f"{self.last()} You made {_mistakes(made)}. The SOA would have made "
            f"{number(most)} = Ldim."
        )


class _Adversary(_Side):
    """The player presents points and reveals their true labels."""

    @property
    def rules(self) -> str:  # type: ignore[override]
        return (
            "You are the adversary. Name a point, read the prediction of the SOA, then enter the "
            "true label, 0 or 1. Some concept of the class must agree with all your labels. At "
            f"best you force {_mistakes(self.game.most)}. Write a point in quotes if its name is "
            "one of the other words."
        )

    def turn(self) -> None:
        try:
            point = self._point()
        except _Undo:
            self.take_back()
            return
        predicted = self.game.soa.predict(point)
        question = f"{INDENT}The SOA predicts {predicted} at {name_text(point)}. The true label?"
        try:
            while True:
                label = self.label(question, point)
                if not self.game.version_space.restrict(point, label).is_empty:
                    break
                self.line.refuse(
                    f"No remaining concept labels {name_text(point)} with {label}. The label can "
                    f"only be {1 - label}."
                )
        except _Undo:
            self.line.say("Another point, then.", INDENT)
            return
        self.take(Turn(point, predicted, label))

    def _point(self) -> Point:
        domain = self.game.version_space.domain

        def words(line: str) -> list[str]:
            # A name may contain blanks.
            if from_text(line) in domain:
                return [line.strip()]
            return [word for word in split_words(line, " ") if word]

        question = f"Round {len(self.game.turns) + 1}: which point?"
        while True:
            word = self.answer(question, None, words)
            try:
                return domain.require(from_text(word))
            except InvalidInput as error:
                self.line.refuse(f"{error!s:.200}")

    def hint(self, point: Point | None) -> str:
        left = self.game.version_space
        if point is None:
            return (
                f"Choose {name_text(self.game.point)}. For every prediction of the SOA, the other "
                "label forces a mistake and loses no later mistake."
            )
        predicted = self.game.soa.predict(point)
        sides = [left.restrict(point, y) for y in (0, 1)]
        worth = [int(y != predicted) + side.ldim() for y, side in enumerate(sides)]
        best = max((1 - predicted, predicted), key=lambda y: worth[y])
        if sides[best].is_empty:
            best = 1 - best
        return (
            f"The label {best} is best. You can then force {_mistakes(worth[best])}, including "
            "this round."
        )

    def result(self) -> str:
        made, most = self.game.mistakes, self.game.most
        if not most:
            return f"{self.last()} No mistake can be forced, so the game is over."
        says = f"The SOA made {_mistakes(made)}"
        if self.game.forced:
            return f"{self.last()} {says} so far."
        if made == most:
            return (
                f"{self.last()} {says}: the bound, Ldim = {number(most)}, is met. No "
                "adversary can force more."
            )
        return f"{self.last()} {says}. You could have forced {number(most)} = Ldim."


def _mistakes(count: int) -> str:
    return f"{number(count)} mistake{'' if count == 1 else 's'}" if count else "no mistake"


def _more(count: int) -> str:
    return f"{number(count) if count else 'no'} more mistake{'' if count == 1 else 's'}"


def _concepts(C: ConceptClass) -> str:
    """Return the concepts of the version space, one per line, if they are few."""
    table = C._listed()
    if table is None:
        return f"{counts(C)}, too many to list."
    shown = [labelled(concept) for concept in islice(table, LISTED)]
    hidden = len(table) - len(shown)
    return "\n".join([f"{counts(C)}:", *shown, *([f"and {hidden} more"] if hidden else [])])


def _json(source: str, role: str, game: InteractiveGame) -> dict[str, Any]:
    return {
        "name": source,
        "you": role,
        "ldim": value_json(game.most),
        "rounds": [
            {"point": to_json(turn.point), "prediction": turn.prediction, "label": turn.label}
            for turn in game.turns
        ],
        "mistakes": game.mistakes,
        "forced": value_json(game.forced),
        "concepts": value_json(size_of(game.version_space)),
        "finished": game.forced == 0,
    }
