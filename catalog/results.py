"""Results of finished checks, kept in a file, so that a run that was stopped can go on.

The file has a line of JSON for its head and one for every check, appended when the check is done.
Its head says which sources made it: results of other sources are never mixed with these. A line
that was cut off in the middle of writing is dropped.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from catalog.verify import Check, Row
from lsclasses import __version__
from lsclasses.errors import InvalidInput
from lsclasses.files.sources import PathLike
from lsclasses.files.writing import atomic_write, check_writable
from lsclasses.verdicts import Verdict

FORMAT, VERSION = "lsclasses-results", 1

TEXTS = (
    *("parameters", "stated", "computed", "printed"),
    *("refutes", "margin", "attained", "epsilon", "delta"),
)
"""The fields of a row that are written as they are."""
FOLLOWING = ("quantity", "printed_in")
"""The parts of a row that follow from the claim, for readers of the file."""


class Results:
    """A file of results: finished results are not computed again, and new ones are appended.

    Parameters
    ----------
    path : str or path-like
        Made if there is no file.
    sources : str
        What `lsclasses.installation.sources_digest` gives for the code that computes.

    Raises
    ------
    InvalidInput
        If the file cannot be read or written, is none of results, is damaged, or was made by other
        sources. It is left as it is.

    Examples
    --------
    >>> import tempfile
    >>> from catalog.verify import checks
    >>> (check,) = checks(["warmuth"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     results = Results(Path(folder) / "results.jsonl", sources="abc")
    ...     results.add(check, check.rows())
    ...     known = Results(Path(folder) / "results.jsonl", sources="abc").rows(check)
    >>> [row.computed for row in known] == [row.computed for row in check.rows()]
    True
    """

    def __init__(self, path: PathLike, sources: str) -> None:
        self._path = Path(path)
        self._rows: dict[str, list[Any]] = {}
        head = {"format": FORMAT, "version": VERSION, "program": __version__, "sources": sources}
        check_writable(self._path)
        if self._path.exists() and not self._path.is_file():
            raise InvalidInput(
                f"Results are kept in a file that can be read again. Got {str(path)!r}."
            )
        try:
            text = self._path.read_bytes() if self._path.exists() else b""
        except OSError as error:
            raise InvalidInput(f"Cannot read {str(path)!r}: {error.strerror}.") from None
        if text:
            self._read(text, head)
        else:
            atomic_write(self._path, json.dumps(head) + "\n")

    def _read(self, text: bytes, head: dict[str, Any]) -> None:
        complete, _, rest = text.rpartition(b"\n")
        lines = complete.split(b"\n")
        first = _object(lines[0])
        if first is None or first.get("format") != FORMAT:
            raise InvalidInput(
                f"{str(self._path)!r} is not a file of results, and is left as it is. Choose the "
                "name of one, or of a file that does not exist."
            )
        if first != head:
            raise InvalidInput(
                f"{str(self._path)!r} holds results of other code than this "
                f"(it was written by version {first.get('program')}, this is {__version__}"
                f"{'' if first.get('program') != __version__ else ' with changes'}), which cannot "
                "be continued. Choose another name."
            )
        for number, line in enumerate(lines[1:], start=2):
            entry = _object(line)
            if entry is None or not (
                isinstance(entry.get("check"), str) and isinstance(entry.get("rows"), list)
            ):
                raise self._damaged(number)
            self._rows[entry["check"]] = entry["rows"]
        if rest:
            atomic_write(self._path, complete + b"\n")

    def _damaged(self, where: int | str) -> InvalidInput:
        place = f"line {where}" if isinstance(where, int) else f"the rows of {where!r}"
        return InvalidInput(
            f"{str(self._path)!r} is damaged: {place} cannot be read. It is left as it is; choose "
            "another name."
        )

    def rows(self, check: Check) -> list[Row] | None:
        """The rows of a check, if it is in the file.

        Raises
        ------
        InvalidInput
            If they cannot be read.
        """
        known = self._rows.get(check.name)
        if known is None:
            return None
        try:
            return [_row(check, data) for data in known]
        except (LookupError, TypeError, ValueError):
            raise self._damaged(check.name) from None

    def add(self, check: Check, rows: Sequence[Row]) -> None:
        """Append the rows of a finished check.

        Raises
        ------
        InvalidInput
            If the file cannot be written any more.
        """
        claims = list(check.claims)
        data = [
            {
                **{name: value for name in (*TEXTS, *FOLLOWING) if (value := getattr(row, name))},
                "verdict": row.verdict,
                "seconds": round(row.seconds, 6),
                "claim": claims.index(row.fact),
            }
            for row in rows
        ]
        line = json.dumps({"check": check.name, "rows": data}) + "\n"
        try:
            with self._path.open("ab") as file:
                file.write(line.encode())
        except OSError as error:
            raise InvalidInput(f"Cannot write {str(self._path)!r}: {error.strerror}.") from None


def _object(line: bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _row(check: Check, data: dict[str, Any]) -> Row:
    index = data["claim"]
    if index not in range(len(check.claims)):
        raise ValueError
    texts = {name: data.get(name, "") for name in TEXTS}
    if not all(isinstance(value, str) for value in texts.values()):
        raise TypeError
    return Row(
        family=check.topic,
        verdict=Verdict(data["verdict"]),
        seconds=float(data["seconds"]),
        fact=check.claims[index],
        **texts,
    )
