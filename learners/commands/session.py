"""The steps of a command that makes a private release: randomness, budget, files and output."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from lsclasses.commands.output import note, print_json
from lsclasses.errors import InvalidInput
from lsclasses.files.sources import FileBytes, PathLike

if TYPE_CHECKING:
    from fractions import Fraction

    from learners.accounting import Event
    from learners.coins import Coins

Released = TypeVar("Released")

NOT_PRIVATE = "Not private, only for the owner of the rows:"
"""Notice on standard error that precedes all values that depend on rows and that no guarantee
covers."""


@dataclass(frozen=True)
class NotPrivate:
    """Values that depend on rows and that no guarantee covers.

    Parameters
    ----------
    values : callable
        ``values()`` computes the object that is printed as JSON.
    lines : callable
        ``lines()`` computes the values in words.
    """

    values: Callable[[], dict[str, object]]
    lines: Callable[[], Iterable[str]]

    def note(self, *, as_json: bool) -> None:
        """Print the values on standard error, marked by the notice `NOT_PRIVATE`.

        If rows make the computation fail, the notice marks the error message, too. So neither other
        messages nor the exit status depend on rows.
        """
        values, lines = {}, []
        try:
            if as_json:
                values = self.values()
            else:
                lines = [*self.lines()]
        except Exception as error:
            values, lines = {"error": str(error)}, [f"error: {error}"]
        if as_json:
            # A program reads the line, so a narrow terminal must not break it.
            note(f"{NOT_PRIVATE} {json.dumps(values)}", unbroken=True)
        else:
            note_not_private(lines)


@dataclass
class Session:
    """The steps around the work of a command: read, pay, release, write files, answer.

    Parameters
    ----------
    seed : int or None
        Seed of a simulation, or None to draw from the operating system.
    budget : Path or None
        File of the budget that pays for releases.
    as_json : bool
        Whether the answer is printed as JSON.
    """

    seed: int | None
    budget: Path | None
    as_json: bool
    _digest: str | None = field(default=None, init=False)
    _failed: BaseException | None = field(default=None, init=False)

    @property
    def simulated(self) -> bool:
        """Whether the run is a simulation, whose randomness a seed repeats."""
        return self.seed is not None

    def rows(self, path: Path) -> PathLike:
        """Return the source of the rows: bytes in memory if a budget may be tied to the bytes."""
        if self.budget is None:
            return path
        rows = FileBytes.read(path)
        self._digest = rows.digest
        return rows

    def release(
        self,
        event: Event | None,
        what: str,
        run: Callable[[Coins], Released],
        *,
        delta: Fraction | None = None,
        game: str = "",
    ) -> Released:
        """Charge a release about the rows to the budget, if there is one, then make it.

        The coins exist only inside of `run`, so no coin is drawn before the charge is on the disk.

        Parameters
        ----------
        event : Event or None
            Privacy cost of the release, or None if the release is not private.
        what : str
            Description of the release, for the budget.
        run : callable
            ``run(coins)`` makes the release.
        delta : Fraction, optional
            Delta at which the cost is stated.
        game : str
            Identifier of the game, if the release is a segment of a game.

        Raises
        ------
        InvalidInput
            If the release is a simulation or not private, or the budget refuses it.
        """
        if self.budget is None:
            return run(coins_from(self.seed))
        from learners.budget_files import BudgetFile

        if self.simulated:
            raise InvalidInput(
                "A budget pays for releases, whose randomness comes from the operating system. A "
                "draw from a seed is a simulation. Remove --budget or --seed."
            )
        if event is None:
            raise InvalidInput(
                "A budget pays only for private releases. This output is not private. Remove "
                "--budget."
            )
        return BudgetFile(self.budget).release(
            event,
            what,
            lambda: run(coins_from(self.seed)),
            delta=delta,
            data=self._digest,
            game=game,
        )

    def save(self, path: Path | None, write: Callable[[Path], object]) -> Path | None:
        """Write a file about the release and print its path. Without a path, return None.

        Errors and interruptions are raised after the answer, because the release is already paid
        for.
        """
        if path is None:
            return None
        try:
            write(path)
        except BaseException as error:
            self._failed = self._failed or error
            return None
        return path

    def answer(
        self,
        found: Callable[[], dict[str, object]],
        show: Callable[[], None],
        hidden: NotPrivate | None = None,
    ) -> None:
        """Print the results, as JSON or in words, then raise the first error in writing files.

        Parameters
        ----------
        found : callable
            ``found()`` returns the object that is printed as JSON.
        show : callable
            ``show()`` prints the results in words.
        hidden : NotPrivate, optional
            Values that no guarantee covers. They are printed after the results.
        """
        if self.as_json:
            print_json(found())
        else:
            show()
        if hidden is not None:
            hidden.note(as_json=self.as_json)
        if self._failed is not None:
            raise self._failed


def coins_from(seed: int | None) -> Coins:
    """Return the coins of a simulation, or of the operating system if there is no seed."""
    from learners.coins import SecureCoins, SeededCoins

    return SecureCoins() if seed is None else SeededCoins(seed)


def note_not_private(lines: Iterable[str]) -> None:
    """Print lines on standard error, below the notice that no guarantee covers them.

    All such lines are indented, so a reader or a program can separate them from other messages.
    No blank line precedes the notice, since the blank line would reveal that the notice exists.
    """
    note(NOT_PRIVATE)
    for line in lines:
        for part in line.splitlines():
            note(f"  {part}")


@contextmanager
def warnings_as_notes() -> Iterator[None]:
    """Print warnings on standard error, each once, at the end.

    The notice `NOT_PRIVATE` marks every warning that is not a `PublicWarning`. For example,
    warnings of NumPy can depend on rows.
    """
    from learners.not_private import PublicWarning

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            yield
        finally:
            texts = {str(each.message): each.category for each in caught}
            uncovered = [
                text for text, kind in texts.items() if not issubclass(kind, PublicWarning)
            ]
            for text in texts:
                if text not in uncovered:
                    note(f"Note: {text}")
            if uncovered:
                note_not_private(uncovered)
