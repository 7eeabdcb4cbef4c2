"""One call of a command that releases something: randomness, payment, files, and the answer."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from lsclasses.commands.output import note, print_json
from lsclasses.errors import InvalidInput
from lsclasses.files.sources import FileBytes, PathLike

if TYPE_CHECKING:
    from fractions import Fraction

    from learners.accounting import Event
    from learners.coins import Coins


@dataclass
class Session:
    """The steps around the work of a command: read, pay, release, write files, answer.

    Parameters
    ----------
    seed : int or None
        Of a simulation; None draws from the operating system.
    budget : Path or None
        Where releases are paid from.
    as_json : bool
        Whether the answer is printed as JSON.
    """

    seed: int | None
    budget: Path | None
    as_json: bool
    _digest: str | None = field(default=None, init=False)
    _failed: BaseException | None = field(default=None, init=False)

    @cached_property
    def coins(self) -> Coins:
        """The source of all randomness."""
        from learners.coins import SecureCoins, SeededCoins

        return SecureCoins() if self.seed is None else SeededCoins(self.seed)

    @property
    def simulated(self) -> bool:
        """Whether the randomness can be repeated."""
        return self.seed is not None

    def rows(self, path: Path) -> PathLike:
        """The source of the rows: bytes in memory where a budget may be tied to them."""
        if self.budget is None:
            return path
        rows = FileBytes.read(path)
        self._digest = rows.digest
        return rows

    def pay(
        self, event: Event | None, what: str, *, delta: Fraction | None = None, unit: str = "row"
    ) -> None:
        """Charge a release about the rows to the budget, if there is one.

        Raises
        ------
        InvalidInput
            If the release is a simulation or not private, or the budget refuses it.
        """
        if self.budget is None:
            return
        from learners.budget_files import BudgetFile

        if self.simulated:
            raise InvalidInput(
                "A budget is for releases, whose randomness comes from the operating system; what "
                "is drawn from a seed is a simulation. Leave out --budget, or --seed."
            )
        if event is None:
            raise InvalidInput("Only what is private can be paid from a budget. This is not.")
        BudgetFile(self.budget).charge(event, what, delta=delta, data=self._digest, unit=unit)

    def save(self, path: Path | None, write: Callable[[Path], object]) -> Path | None:
        """Write a file of what was released, and say where it is; None if there is none.

        Whatever goes wrong, an interruption too, is raised when the answer has been given: it was
        paid for.
        """
        if path is None:
            return None
        try:
            write(path)
        except BaseException as error:
            self._failed = self._failed or error
            return None
        return path

    def answer(self, found: Callable[[], dict[str, object]], show: Callable[[], None]) -> None:
        """Print the results, as JSON or in words; then raise the first error in writing files.

        Parameters
        ----------
        found : callable
            ``found()`` is what is printed as JSON.
        show : callable
            ``show()`` prints it in words.
        """
        if self.as_json:
            print_json(found())
        else:
            show()
        if self._failed is not None:
            raise self._failed


@contextmanager
def warnings_as_notes() -> Iterator[None]:
    """Print warnings on standard error, each once, at the end."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            yield
        finally:
            for text in dict.fromkeys(str(warning.message) for warning in caught):
                note(f"Note: {text}")
