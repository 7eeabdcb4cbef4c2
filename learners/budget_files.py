"""A budget of a data set, kept in a file: what may be spent on it, and what was, by any program.

A `learners.accounting.PrivacyFilter` lives in one process; who starts a program twice spends twice.
A `BudgetFile` is shared by all commands and programs that release something about the same rows.

**What holds.** Let all releases about the rows be charged to one file, each before anything of it
is seen. Then all of them together are (epsilon, delta)-differentially private for the numbers the
file was made with, under its relation and for its unit. *Proof.* The charges are the costs of an
adaptive composition of mechanisms, whose parameters may depend on what was released before. Basic
composition holds for it as a filter (Rogers et al. 2016): if the sums of epsilons and of deltas
never exceed the budget, the whole is private for the budget. It is enough that

1. *every charge is a fraction, at least what the release costs*: `charge` adds up what `basic`
   makes of the event, exactly; where only zCDP or advanced composition gives a total, that is
   rounded up with balls (totals in floating point are not used);
2. *no two charges see the same file*: an exclusive lock is held from reading to writing, on the
   file that the name still stands for when the lock is had;
3. *a charge is kept before anything is released*: the new content is written beside the file,
   forced to the disk, moved into its place, and the folder is forced to the disk too, before
   `charge` returns. A crash before the move leaves the old file, and nothing was released; a crash
   after it loses what was charged, and no privacy;
4. *all charges hold under one relation*: see `converted`.

**What does not.** A user who may write the file can write anything, or restore an old copy; the
checksum finds slips, not forgeries. Releases that were not charged are not in it. What a release
builds on, such as cut points that were chosen privately, is a release of its own: `charge` takes it
as ``after``, and refuses unless it stands in the same file; the classifiers refuse inputs of which
nobody said how they were made. A budget for persons
is about those of one column: rows of a customer that leave make room for others of the same
household, so a charge for households says too little of customers. The locks are those of the
operating system (`fcntl.flock`), and programs on other machines that share a folder need a file
system on which they hold. The file is for the owner of the rows: with ``data`` it holds a digest of
them.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeVar

from learners import checked
from learners.accounting import (
    CHALLENGE,
    NEIGHBOURS,
    ApproximateDP,
    Event,
    Sequential,
    UnderChallenge,
    UnderReplaceOne,
    advanced,
    basic,
    neighbours,
    zcdp,
)
from learners.codec import Codec, written
from learners.locked_files import force_folder, lock, locked
from learners.numbers import as_printed
from lsclasses.errors import InvalidInput
from lsclasses.files.documents import read_json, same_json, sealed
from lsclasses.files.sources import FileBytes
from lsclasses.files.writing import atomic_write
from lsclasses.json_text import entries_of
from lsclasses.numbers import parsed, shown
from lsclasses.outputs import BUDGET_FORMAT

__all__ = ["UNITS", "BudgetFile", "BudgetState", "Charge", "converted", "cost_of"]

VERSION = 1
KIND = "a budget"
UNITS = ("row", "person")
"""The protected units of a budget: one row, or all rows of one person."""

Released = TypeVar("Released")


def cost_of(event: Event, delta: Fraction | None = None) -> tuple[Fraction, Fraction]:
    """The (epsilon, delta) that a release costs, by basic or zCDP composition, rounded up.

    Parameters
    ----------
    event : Event
    delta : Fraction, optional
        In all, where that may be more than the deltas of its parts.

    Raises
    ------
    InvalidInput
        If it costs nothing, or is known to be zCDP only and there is no delta.

    Examples
    --------
    >>> from learners.accounting import PureDP, SelfComposed
    >>> cost_of(SelfComposed(PureDP(Fraction(1, 10)), 3))
    (Fraction(3, 10), Fraction(0, 1))
    """
    found: list[tuple[Fraction, Fraction]] = []
    with suppress(InvalidInput):
        found.append(basic(event))
    if delta is not None and (not found or found[0][1] < delta):
        found.append(zcdp(event, delta))
        if len(found) > 1:
            found.append(advanced(event, delta - found[0][1]))
    cost = min(found) if found else basic(event)
    if not any(cost):
        raise InvalidInput("Whatever is released of rows costs something. Got a cost of 0.")
    return cost


def converted(event: Event, relation: str) -> Event:
    """An event converted to the neighbour relation of a budget.

    What replaces one row is what others see under ``challenge`` (`UnderChallenge`); one row added
    or removed, twice, is one row replaced (`UnderReplaceOne`). Nothing else follows: under
    ``replace_one`` the number of rows may be told, and under ``challenge`` a user's own row.

    Raises
    ------
    InvalidInput
        If the event's relation says nothing about this one.

    Examples
    --------
    >>> from learners.accounting import PureDP
    >>> basic(converted(PureDP(1, neighbours="add_remove"), "replace_one"))
    (Fraction(2, 1), Fraction(0, 1))
    """
    held = neighbours(event)
    if held in (None, relation):
        return event
    if held == "add_remove" and relation != "add_remove":
        event, held = UnderReplaceOne(event), "replace_one"
    if held == "replace_one" and relation == CHALLENGE:
        event, held = UnderChallenge(event), CHALLENGE
    if held != relation:
        raise InvalidInput(
            f"A guarantee under {held} says nothing under {relation}, which the budget is about."
        )
    return event


@dataclass(frozen=True)
class Charge:
    """The (epsilon, delta) spent on one release, with its time and description.

    Attributes
    ----------
    time : str
        When, as in ISO 8601, in UTC.
    what : str
        On what, in words.
    epsilon, delta : Fraction
        At least 0, and not both 0.
    """

    time: str
    what: str
    epsilon: Fraction
    delta: Fraction


@dataclass(frozen=True)
class BudgetState:
    """The content of a budget's file.

    Attributes
    ----------
    epsilon, delta : Fraction
        What may be spent in all.
    neighbours : str
        The relation that all charges are about.
    unit : str
        One of `UNITS`.
    data : str or None
        The digest of the rows' file, if charges are tied to it: each is compared with the bytes
        that its rows were parsed from.
    charges : tuple of Charge
        What was spent, in order.
    """

    epsilon: Fraction
    delta: Fraction
    neighbours: str
    unit: str
    data: str | None
    charges: tuple[Charge, ...] = ()

    @property
    def spent(self) -> tuple[Fraction, Fraction]:
        """Epsilon and delta of all charges."""
        return basic(
            Sequential(
                tuple(
                    ApproximateDP(each.epsilon, each.delta, neighbours=self.neighbours)
                    for each in self.charges
                )
            )
        )

    @property
    def remaining(self) -> tuple[Fraction, Fraction]:
        """The epsilon and delta that remain."""
        epsilon, delta = self.spent
        return self.epsilon - epsilon, self.delta - delta

    def to_json(self) -> str:
        """The content of the file."""
        head = {"format": BUDGET_FORMAT, "version": VERSION}
        data = head | {each.name: written(getattr(self, each.name)) for each in fields(self)}
        return sealed(data)

    def readable_json(self) -> str:
        """The content of the file, which `from_json` reads.

        Raises
        ------
        InvalidInput
            If it would not, as a number is too long: nothing could be paid from the file any more.
        """
        content = self.to_json()
        try:
            self.from_json(json.loads(content))
        except InvalidInput as problem:
            raise InvalidInput(f"Such a budget could not be read again: {problem}") from None
        return content

    @classmethod
    def from_json(cls, data: object) -> BudgetState:
        """Read what `to_json` wrote.

        Raises
        ------
        InvalidInput
            If it is something else, was changed since, or more is spent than there is.
        """
        if not isinstance(data, dict) or data.get("format") != BUDGET_FORMAT:
            raise InvalidInput(f'it is no budget: its "format" is not "{BUDGET_FORMAT}".')
        with entries_of("it is no complete budget"):
            around = "format", "version", "checksum"
            found = CODEC.read(cls, {k: v for k, v in data.items() if k not in around})
            _limits(found.epsilon, found.delta)
            # The ledger's events refuse negative numbers.
            left = found.remaining
        if found.neighbours not in NEIGHBOURS or found.unit not in UNITS:
            raise InvalidInput(
                f"a budget is about one of {', '.join(NEIGHBOURS)} and of {', '.join(UNITS)}. "
                f"Got {found.neighbours!r} and {found.unit!r}."
            )
        if min(left) < 0 or not all(each.epsilon or each.delta for each in found.charges):
            raise InvalidInput("more is spent than there is, or a charge is of nothing.")
        if not same_json(json.loads(found.to_json()), data):
            raise InvalidInput(
                "it was changed by something else than lsclasses: its checksum or an entry is not "
                "what would be written."
            )
        return found


def _limits(epsilon: Fraction, delta: Fraction) -> tuple[Fraction, Fraction]:
    return checked.epsilon(epsilon), checked.delta(delta) if delta else delta


def _fraction(value: object, name: str) -> Fraction:
    if not isinstance(value, str):
        raise InvalidInput(f"numbers of a budget are texts such as 1/10. Got {value!r:.100}.")
    return parsed(value, "number of a budget")


CODEC = Codec({Fraction: _fraction})


class BudgetFile:
    """A budget in a file; the module says which guarantees hold and which do not.

    Parameters
    ----------
    path : path
        Of a file that `new` made.

    Examples
    --------
    >>> import tempfile
    >>> from learners.accounting import PureDP
    >>> path = Path(tempfile.mkdtemp()) / "people.budget"
    >>> budget = BudgetFile.new(path, 1, "1e-6")
    >>> budget.release(PureDP(Fraction(3, 4)), "an answer", lambda: 42)
    42
    >>> BudgetFile(path).charge(PureDP(Fraction(1, 2)), "another one")
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: Nothing was released: (epsilon, delta) = (1/4, 1/1000000) is \
left of the budget, and (1/2, 0) was asked for 'another one'.
    >>> budget.state.spent
    (Fraction(3, 4), Fraction(0, 1))
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)

    @classmethod
    def new(
        cls,
        path: str | os.PathLike[str],
        epsilon: object,
        delta: object = 0,
        *,
        relation: str = "replace_one",
        unit: str = "row",
        data: str | os.PathLike[str] | None = None,
    ) -> BudgetFile:
        """Create the file of a new budget, readable by its owner only.

        Parameters
        ----------
        path : path
        epsilon, delta : Fraction, int, float or text
            What may be spent in all; a float is read as the decimal it prints.
        relation : str
            ``replace_one``, ``add_remove`` or ``challenge``.
        unit : {"row", "person"}
        data : path, optional
            The file with the rows: charges for other rows are refused then.

        Raises
        ------
        InvalidInput
            If there is such a file already, or a parameter is wrong.
        """
        if relation not in NEIGHBOURS or unit not in UNITS:
            raise InvalidInput(
                f"A budget is about one of {', '.join(NEIGHBOURS)} and of {', '.join(UNITS)}. "
                f"Got {relation!r} and {unit!r}."
            )
        state = BudgetState(
            *_limits(as_printed(epsilon, "epsilon"), as_printed(delta, "delta")),
            relation,
            unit,
            None if data is None else FileBytes.read(data).digest,
        )
        content = state.readable_json()
        try:
            made = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
            with os.fdopen(made, "wb") as file:
                try:
                    # Nobody pays from it before it is kept.
                    lock(file)
                    file.write(content.encode())
                    file.flush()
                    os.fsync(file.fileno())
                    force_folder(Path(path))
                except BaseException:
                    Path(path).unlink()
                    raise
        except FileExistsError:
            raise InvalidInput(
                f"There is a file {str(path)!r} already. A budget is made once; "
                "'lsclasses budget show' says what is left of one."
            ) from None
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise InvalidInput(f"Cannot write {str(path)!r}: {reason}.") from None
        return cls(path)

    @property
    def state(self) -> BudgetState:
        """Read the present content of the file."""
        with locked(self.path, KIND) as real:
            return self._read(real)

    def charge(
        self,
        event: Event,
        what: str,
        *,
        delta: Fraction | None = None,
        data: str | None = None,
        unit: str = "row",
        after: Charge | None = None,
    ) -> Charge:
        """Pay for a release, which may be looked at once this has returned.

        Parameters
        ----------
        event : Event
        what : str
            The release in words.
        delta : Fraction, optional
            As in `cost_of`.
        data : str, optional
            The digest of the bytes that its rows were parsed from
            (`lsclasses.files.sources.FileBytes.digest`). A path may lead to other bytes by now.
        unit : {"row", "person"}
            Whom the event is about.
        after : Charge, optional
            What this release builds on, paid from the same budget.

        Raises
        ------
        InvalidInput
            If not enough is left, the budget is about another relation, unit or other rows, what
            the release builds on was not paid from it, or the file is damaged; nothing is charged
            then.
        """
        if data is not None and not re.fullmatch(r"sha256:[0-9a-f]{64}", str(data)):
            raise InvalidInput(
                "The rows of a release are known by the digest of the bytes that they were parsed "
                f"from: FileBytes.read(path).digest. Got {str(data)!r}."
            )
        with locked(self.path, KIND) as real:
            state = self._read(real)
            self._require(state, after)
            if unit != state.unit:
                raise InvalidInput(
                    f"Nothing was released: the budget is for each {state.unit}, and this release "
                    f"for each {unit}. Persons are told by --person COLUMN --rows-per-person "
                    "COUNT."
                )
            if state.data not in (None, data):
                raise InvalidInput(
                    f"Nothing was released: the budget {str(self.path)!r} is about another file "
                    "of rows than this."
                )
            epsilon, small = cost_of(converted(event, state.neighbours), delta)
            left = state.remaining
            if epsilon > left[0] or small > left[1]:
                raise InvalidInput(
                    f"Nothing was released: (epsilon, delta) = {_pair(left, up=False)} is left of "
                    f"the budget, and {_pair((epsilon, small), up=True)} was asked for {what!r}."
                )
            now = datetime.now(UTC).isoformat(timespec="seconds")
            made = Charge(now, what, epsilon, small)
            kept = replace(state, charges=(*state.charges, made))
            atomic_write(real, kept.readable_json())
            force_folder(real)
            return made

    def require(self, charge: Charge | None) -> None:
        """Refuse to go on unless this budget has a charge; None is no charge.

        Raises
        ------
        InvalidInput
        """
        if charge is not None:
            self._require(self.state, charge)

    def _require(self, state: BudgetState, charge: Charge | None) -> None:
        if charge is not None and charge not in state.charges:
            raise InvalidInput(
                f"Nothing was released: it builds on {charge.what!r}, for which "
                f"{_pair((charge.epsilon, charge.delta), up=True)} was paid from another budget "
                f"than {str(self.path)!r}."
            )

    def release(
        self, event: Event, what: str, run: Callable[[], Released], **said: Any
    ) -> Released:
        """Pay for a release, then make it; a run that fails has been paid for, since it ran."""
        self.charge(event, what, **said)
        return run()

    def _read(self, real: Path) -> BudgetState:
        # Not `self.path`, which may lead elsewhere by now: what is locked is read and replaced.
        data = read_json(real)
        try:
            return BudgetState.from_json(data)
        except InvalidInput as problem:
            raise InvalidInput(f"Cannot use {str(self.path)!r}: {problem}") from None


def _pair(pair: tuple[Fraction, Fraction], *, up: bool) -> str:
    """Two numbers, exact where that is short, else rounded up or down as `up` says."""
    texts = [
        str(value) if len(str(value)) < 20 else f"about {shown(value, up=up, down=not up)}"
        for value in pair
    ]
    return f"({', '.join(texts)})"
