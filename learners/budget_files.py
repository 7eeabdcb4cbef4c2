"""Budget of a data set in a file, with the privacy that may be spent and with each charge.

A `learners.accounting.PrivacyFilter` lives in one process, so a program that is started twice
spends twice. All commands and programs that release something about one set of rows share one
`BudgetFile`.

**Guarantee.** Charge all releases about the rows to one file, each before its first coin is drawn.
Then all releases together are (epsilon, delta)-differentially private for the numbers of the file,
under the neighbour relation of the file, for its unit, and against its adversary model. *Proof.*
The charges are the costs of an adaptive composition of mechanisms, whose parameters may depend on
earlier releases. Basic composition holds for it as a filter (Rogers et al. 2016), also if a paused
game resumes after other releases (concurrent composition, Haney et al. 2023). So if the sums of the
epsilons and of the deltas never exceed the budget, the whole is private for the budget. Six
conditions suffice:

1. *Every charge is a fraction, at least the cost of the release for each row of the budget.*
   `charge` adds the results of `basic`, exactly. If another accountant gives a smaller total,
   `charge` rounds this total up. It computes the total in balls, or in floating point with margins
   for all rounding errors. A game in segments is charged in full for each segment, to the budget of
   the rows of that segment.
2. *No two charges read one state of the file.* A process holds an exclusive lock from reading to
   writing, on the file that the name denotes when the process gets the lock.
3. *A charge is on the disk before the first coin of the release.* `release` charges and then calls
   the release. `charge` writes the new content next to the file, forces it to the disk, moves it
   into place, and forces the folder to the disk. A crash before the move leaves the old file, and
   the release has not begun. A crash after the move loses budget, and no privacy.
4. *All charges hold under one relation* (`learners.release_costs.converted`).
5. *All charges cover the adversary model of the budget.* A budget for adaptive streams refuses a
   guarantee that covers only streams fixed in advance.
6. *Each row is in at most one segment of a game.* A game is a single mechanism, and a row that it
   reads in two segments is two items, which need group privacy. So a budget refuses a second
   segment of one game.

**Limits.** A user who may write the file can write anything, or restore an old copy. The checksum
finds slips, not forgeries. The file contains only charged releases. A release that uses an earlier
release, such as private cut points, names the earlier charge, which the file must contain. The
classifiers refuse inputs of unknown origin. A budget for persons protects the persons of one
column. If a release counts only the first rows of each household, a change of one customer's rows
can make rows of other customers count. So a charge for households understates the cost for
customers. A budget without a file of rows (``data``) cannot compare the rows of two segments. The
locks are locks of the operating system (`fcntl.flock`). Programs on other machines that share a
folder need a file system that supports these locks. The file is for the owner of the rows, because
with ``data`` it contains a digest of them.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeVar

from learners import checked
from learners.accounting import (
    ADAPTIVE,
    FIXED,
    NEIGHBOURS,
    PRIVATE_UNITS,
    ApproximateDP,
    Event,
    Scope,
    Sequential,
    basic,
    scope,
)
from learners.codec import Codec, written
from learners.locked_files import force_folder, lock, locked
from learners.release_costs import converted, cost_of
from lsclasses.errors import InvalidInput
from lsclasses.files.documents import checksum, read_json, same_json, with_checksum
from lsclasses.files.sources import FileBytes
from lsclasses.files.writing import atomic_write
from lsclasses.json_text import entries_of
from lsclasses.numbers import as_printed, format_number, parse_number
from lsclasses.outputs import BUDGET_FORMAT

__all__ = ["UNITS", "BudgetFile", "BudgetState", "Charge"]

VERSION = 2
KIND = "a budget"
UNITS = ("row", "person")
"""The protected units of a budget: one row, or all rows of one person."""

Released = TypeVar("Released")


@dataclass(frozen=True)
class Charge:
    """The (epsilon, delta) spent on one release, with its time and description.

    Attributes
    ----------
    time : str
        Time of the charge in ISO 8601, in UTC.
    what : str
        Charged release in words.
    epsilon, delta : Fraction
        Cost of the release, at least 0 and not both 0.
    game : str
        Identifier of the game whose segment was charged, or an empty string.
    """

    time: str
    what: str
    epsilon: Fraction
    delta: Fraction
    game: str = ""


@dataclass(frozen=True)
class BudgetState:
    """The content of a budget's file.

    Attributes
    ----------
    epsilon, delta : Fraction
        Total budget.
    neighbours : str
        The relation that all charges are about.
    unit : str
        One of `UNITS`.
    stream : {"fixed", "adaptive"}
        Streams that all charges cover.
    data : str or None
        Digest of the file of the rows, if charges are tied to this file. Each charge compares the
        digest with the bytes from which its rows were parsed.
    charges : tuple of Charge
        Charges of the past, in order.
    """

    epsilon: Fraction
    delta: Fraction
    neighbours: str
    unit: str
    stream: str
    data: str | None
    charges: tuple[Charge, ...] = ()

    @property
    def scope(self) -> Scope:
        """Neighbour relation, adversary model and unit of the budget."""
        kind = Scope.adaptive if self.stream == ADAPTIVE else Scope.fixed
        return kind(self.neighbours, unit="person" if self.unit == "person" else "item")

    @property
    def spent(self) -> tuple[Fraction, Fraction]:
        """The total epsilon and delta of all charges to the budget."""
        return basic(
            Sequential(
                tuple(
                    ApproximateDP(each.epsilon, each.delta, scope=self.scope)
                    for each in self.charges
                )
            )
        )

    @property
    def remaining(self) -> tuple[Fraction, Fraction]:
        """The epsilon and delta of the budget that remain for charges."""
        epsilon, delta = self.spent
        return self.epsilon - epsilon, self.delta - delta

    def to_json(self) -> str:
        """Return the content of the budget's file as JSON values."""
        head = {"format": BUDGET_FORMAT, "version": VERSION}
        data = head | {each.name: written(getattr(self, each.name)) for each in fields(self)}
        return with_checksum(data)

    def readable_json(self) -> str:
        """Return the content of the file, which `from_json` reads.

        Raises
        ------
        InvalidInput
            If `from_json` would refuse the content because a number is too long. No release could
            be paid from such a file.
        """
        content = self.to_json()
        try:
            self.from_json(json.loads(content))
        except InvalidInput as problem:
            raise InvalidInput(f"Such a budget could not be read again: {problem}") from None
        return content

    @classmethod
    def from_json(cls, data: object) -> BudgetState:
        """Read the content of a budget's file that `to_json` wrote.

        Raises
        ------
        InvalidInput
            If the content is invalid, was changed since, or the charges exceed the budget.
        """
        if not isinstance(data, dict) or data.get("format") != BUDGET_FORMAT:
            raise InvalidInput(f'its "format" must be "{BUDGET_FORMAT}".')
        with entries_of("it is not a complete budget"):
            content = _upgraded(data)
            around = "format", "version", "checksum"
            found = CODEC.read(cls, {k: v for k, v in content.items() if k not in around})
            _limits(found.epsilon, found.delta)
            _require_kind(found.neighbours, found.unit, found.stream)
            # The ledger's events refuse negative numbers.
            left = found.remaining
        if min(left) < 0 or not all(each.epsilon or each.delta for each in found.charges):
            raise InvalidInput("the charges exceed the budget, or a charge costs 0.")
        games = [each.game for each in found.charges if each.game]
        if len(set(games)) < len(games):
            raise InvalidInput("two charges are for segments of one game.")
        if not same_json(json.loads(found.to_json()), content):
            raise InvalidInput(
                "another program changed it, because its checksum or an entry differs from the "
                "output of lsclasses."
            )
        return found


def _upgraded(data: dict[str, Any]) -> dict[str, Any]:
    """Return the content of a file in the present version.

    Version 1 states no adversary model. A budget of version 1 covers streams that are fixed in
    advance.
    """
    if type(data["version"]) is not int or data["version"] != 1:
        return data
    if data["checksum"] != checksum(data):
        raise InvalidInput("another program changed it, because its checksum is wrong.")
    charges = [{**each, "game": ""} for each in data["charges"]]
    content = {**data, "version": VERSION, "stream": FIXED, "charges": charges}
    return {**content, "checksum": checksum(content)}


def _require_kind(relation: str, unit: str, stream: str) -> None:
    if relation not in NEIGHBOURS or unit not in UNITS or stream not in (ADAPTIVE, FIXED):
        raise InvalidInput(
            f"A budget has a neighbour relation ({', '.join(NEIGHBOURS)}), a unit "
            f"({', '.join(UNITS)}) and a kind of streams ({ADAPTIVE}, {FIXED}). "
            f"Got {relation!r}, {unit!r} and {stream!r}."
        )


def _limits(epsilon: Fraction, delta: Fraction) -> tuple[Fraction, Fraction]:
    return checked.epsilon(epsilon), checked.delta(delta) if delta else delta


def _fraction(value: object, name: str) -> Fraction:
    if not isinstance(value, str):
        raise InvalidInput(f"numbers of a budget are strings such as 1/10. Got {value!r:.100}.")
    return parse_number(value, "number of a budget")


CODEC = Codec({Fraction: _fraction})


class BudgetFile:
    """A privacy budget in a file that records the charge of every release.

    The module `learners.budget_files` states the guarantees and the limits.

    Parameters
    ----------
    path : path
        Path of a file that `BudgetFile.new` created.

    Examples
    --------
    >>> import tempfile
    >>> from learners.accounting import PureDP, Scope
    >>> path = Path(tempfile.mkdtemp()) / "people.budget"
    >>> budget = BudgetFile.new(path, 1, "1e-6")
    >>> data = Scope.adaptive("replace_one")
    >>> budget.release(PureDP(Fraction(3, 4), scope=data), "an answer", lambda: 42)
    42
    >>> BudgetFile(path).charge(PureDP(Fraction(1, 2), scope=data), "another one")
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: The release was refused. The remaining budget is (epsilon, \
delta) = (1/4, 1/1000000), and 'another one' costs (1/2, 0).
    >>> budget.state.spent
    (Fraction(3, 4), Fraction(0, 1))
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        if not isinstance(path, (str, os.PathLike)):
            raise InvalidInput(
                "A budget file is the path of a file that 'lsclasses budget new FILE' or "
                f"BudgetFile.new(FILE, epsilon) creates. Got {path!r:.100}."
            )
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
        stream: str = ADAPTIVE,
        data: str | os.PathLike[str] | None = None,
    ) -> BudgetFile:
        """Create the file of a new privacy budget, readable only by the owner of the file.

        Parameters
        ----------
        path : path
            Path of the new file.
        epsilon, delta : Fraction, int, float or str
            Total budget. A float is read as the decimal that it prints.
        relation : str
            Neighbour relation: ``replace_one``, ``add_remove`` or ``challenge``.
        unit : {"row", "person"}
            Unit that the budget protects.
        stream : {"adaptive", "fixed"}
            Streams for which every charged guarantee must hold: streams that depend on earlier
            releases (``adaptive``), or only streams fixed before the first release.
        data : path, optional
            File with the protected rows. Charges for rows of another file are refused.

        Raises
        ------
        InvalidInput
            If the file exists already, or a parameter is invalid.
        """
        _require_kind(relation, unit, stream)
        state = BudgetState(
            *_limits(as_printed(epsilon, "epsilon"), as_printed(delta, "delta")),
            relation,
            unit,
            stream,
            None if data is None else FileBytes.read(data).digest,
        )
        content = state.readable_json()
        try:
            made = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
            with os.fdopen(made, "wb") as file:
                try:
                    # The lock prevents charges before the file is complete.
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
                f"The file {str(path)!r} exists already. Make each budget once. "
                "'lsclasses budget show' prints the remaining budget of a file."
            ) from None
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise InvalidInput(f"Cannot write {str(path)!r}: {reason}.") from None
        return cls(path)

    @property
    def state(self) -> BudgetState:
        """Content of the budget file at present, read from the disk at each access."""
        with locked(self.path, KIND) as real:
            return self._read(real)

    def charge(
        self,
        event: Event,
        what: str,
        *,
        delta: Fraction | None = None,
        data: str | None = None,
        after: Charge | None = None,
        game: str = "",
    ) -> Charge:
        """Charge this budget with the cost of a release. Make the release only after the charge.

        Parameters
        ----------
        event : Event
            Privacy cost of the release.
        what : str
            Description of the release.
        delta : Fraction, optional
            Total delta of the cost. The default is the delta of basic composition.
        data : str, optional
            Digest of the bytes from which the rows of the release were parsed
            (`lsclasses.files.sources.FileBytes.digest`). A path does not suffice, because its file
            may have changed.
        after : Charge, optional
            Charge, in this budget, of the earlier release that this release uses.
        game : str
            Identifier of the game, if the release is a segment of an online game.

        Raises
        ------
        InvalidInput
            If the remaining budget is too small, the budget is for another neighbour relation, unit
            or rows than the event, the charge `after` is not in this budget, or the file is
            damaged. Then the budget is not charged.
        """
        if data is not None and not re.fullmatch(r"sha256:[0-9a-f]{64}", str(data)):
            raise InvalidInput(
                "The digest of the bytes identifies the rows of a release: "
                f"FileBytes.read(path).digest. Got {str(data)!r}."
            )
        with locked(self.path, KIND) as real:
            state = self._read(real)
            self._require(state, after)
            self._require_scope(state, event)
            if game and any(each.game == game for each in state.charges):
                raise InvalidInput(
                    f"The release was refused. The budget {str(self.path)!r} has paid for a "
                    "segment of this game. A row that is in two segments needs group privacy. Give "
                    "the budget of the rows of this segment, or begin a new game."
                )
            if state.data not in (None, data):
                raise InvalidInput(
                    f"The release was refused. The budget {str(self.path)!r} is about another file "
                    "of rows."
                )
            epsilon, small = cost_of(converted(event, state.neighbours), delta)
            left = state.remaining
            if epsilon > left[0] or small > left[1]:
                raise InvalidInput(
                    "The release was refused. The remaining budget is (epsilon, delta) = "
                    f"{_pair(left, up=False)}, and {what!r} costs "
                    f"{_pair((epsilon, small), up=True)}."
                )
            now = datetime.now(UTC).isoformat(timespec="seconds")
            made = Charge(now, what, epsilon, small, game)
            kept = replace(state, charges=(*state.charges, made))
            atomic_write(real, kept.readable_json())
            force_folder(real)
            return made

    def _require_scope(self, state: BudgetState, event: Event) -> None:
        """Refuse an event for another unit or a weaker adversary model than the budget's."""
        held = scope(event)
        if held is not None and held.unit in PRIVATE_UNITS:
            raise InvalidInput("The release was refused. It does not protect the public rows.")
        unit = "person" if held is not None and held.unit == "person" else "row"
        if unit != state.unit:
            raise InvalidInput(
                f"The release was refused. The budget is for each {state.unit}, and this release "
                f"for each {unit}. Options for persons are --person COLUMN and --rows-per-person "
                "COUNT."
            )
        if held is not None and not held.adversary.covers(state.stream):
            raise InvalidInput(
                "The release was refused. The budget covers streams that depend on earlier "
                "releases, and this guarantee covers only streams that are fixed in advance. "
                "Choose delta = 0, or make a budget for fixed streams ('lsclasses budget new "
                "--stream fixed')."
            )

    def require(self, charge: Charge | None) -> None:
        """Check that this budget file contains a given charge. The charge None always passes.

        Raises
        ------
        InvalidInput
            If the budget does not contain the charge.
        """
        if charge is not None:
            self._require(self.state, charge)

    def _require(self, state: BudgetState, charge: Charge | None) -> None:
        if charge is not None and charge not in state.charges:
            raise InvalidInput(
                f"The release was refused. It builds on {charge.what!r}, for which "
                f"{_pair((charge.epsilon, charge.delta), up=True)} was paid from another budget "
                f"than {str(self.path)!r}."
            )

    def release(
        self, event: Event, what: str, run: Callable[[], Released], **said: Any
    ) -> Released:
        """Charge this budget for a release, then make the release. A failed release stays charged.

        A release that raises an error may have revealed information. Every release of this library
        with a budget file calls this method, so the charge is on the disk before any randomness.

        Parameters
        ----------
        event : Event
            Privacy cost of the release.
        what : str
            Description of the release.
        run : callable
            Function without arguments that makes the release.
        **said
            Further arguments of `BudgetFile.charge`.
        """
        return self.release_with_charge(event, what, run, **said)[0]

    def release_with_charge(
        self, event: Event, what: str, run: Callable[[], Released], **said: Any
    ) -> tuple[Released, Charge]:
        """Charge this budget for a release, make the release, and return its result and the charge.

        The method has the parameters of `BudgetFile.release`. A later release that uses this result
        passes the charge as ``after``.
        """
        charge = self.charge(event, what, **said)
        return run(), charge

    def _read(self, real: Path) -> BudgetState:
        # `self.path` may lead to another file now. Read and replace the locked file.
        data = read_json(real)
        try:
            return BudgetState.from_json(data)
        except InvalidInput as problem:
            raise InvalidInput(f"Cannot use {str(self.path)!r}: {problem}") from None


def _pair(pair: tuple[Fraction, Fraction], *, up: bool) -> str:
    """Return two numbers as a string, exact if it is short, else rounded up if `up` or down."""
    texts = [
        str(value) if len(str(value)) < 20 else f"about {format_number(value, up=up, down=not up)}"
        for value in pair
    ]
    return f"({', '.join(texts)})"
