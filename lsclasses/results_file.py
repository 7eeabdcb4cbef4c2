"""A file of finished results, from which a stopped run can be resumed.

The file has a line of JSON for its head and a line for every finished part. The head records a
digest of the code that made the file, and a description of the computation. So a file never mixes
results of different code or of different computations. A line that was truncated during writing is
dropped.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from lsclasses import __version__
from lsclasses.errors import InvalidInput
from lsclasses.files.sources import PathLike
from lsclasses.files.writing import atomic_write, check_writable

FORMAT, VERSION = "lsclasses-results", 2

Result = TypeVar("Result")


class ResultsFile:
    """A file that stores results of a computation by the names of its parts.

    Finished results are read from the file, and new results are appended.

    Parameters
    ----------
    path : str or path-like
        Path of the file, which is created if it does not exist.
    sources : str
        Result of `lsclasses.installation.sources_digest` for the code that computes.
    asked : str
        Description of the computation, without the names of the parts.

    Raises
    ------
    InvalidInput
        If the file cannot be read or written, is not a file of results, is damaged, or was made by
        other sources or for another request. The file is not changed.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     ResultsFile(Path(folder) / "results.jsonl", "abc").add("a part", [1, 2])
    ...     found = ResultsFile(Path(folder) / "results.jsonl", "abc")
    >>> found.get("a part", tuple), found.get("another", tuple)
    ((1, 2), None)
    """

    def __init__(self, path: PathLike, sources: str, asked: str = "") -> None:
        self._path = Path(path)
        self._found: dict[str, Any] = {}
        head = {"format": FORMAT, "version": VERSION, "program": __version__}
        head |= {"sources": sources, "asked": asked}
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
                f"{str(self._path)!r} is not a file of results, and it was not changed. Choose a "
                "file of results, or a name that does not exist."
            )
        if {**first, "asked": head["asked"]} != head:
            raise InvalidInput(
                f"{str(self._path)!r} holds results of other code than this "
                f"(it was written by version {first.get('program')}, this is {__version__}"
                f"{'' if first.get('program') != __version__ else ' with changes'}), which cannot "
                "be continued. Choose another name."
            )
        if first != head:
            raise InvalidInput(
                f"{str(self._path)!r} has results of another command or of other options. This "
                "command cannot continue them. Choose another name."
            )
        for number, line in enumerate(lines[1:], start=2):
            entry = _object(line)
            if entry is None or not isinstance(entry.get("of"), str) or "found" not in entry:
                raise self._damaged(f"Line {number}")
            self._found[entry["of"]] = entry["found"]
        if rest:
            atomic_write(self._path, complete + b"\n")

    def _damaged(self, place: str) -> InvalidInput:
        """Return the error for a place of the file that was not written by this class."""
        return InvalidInput(
            f"{str(self._path)!r} is damaged. {place} cannot be read. The file was not changed. "
            "Choose another name."
        )

    def __contains__(self, name: str) -> bool:
        return self._found.get(name) is not None

    def get(self, name: str, read: Callable[[Any], Result]) -> Result | None:
        """Return the result with this name, or None if no such result exists.

        Parameters
        ----------
        name : str
        read : callable
            Function from the JSON values of a result to the result.

        Raises
        ------
        InvalidInput
            If `read` refuses the values, because the file was changed.
        """
        if name not in self:
            return None
        try:
            return read(self._found[name])
        except (LookupError, TypeError, ValueError):
            raise self._damaged(f"The result of {name!r}") from None

    def add(self, name: str, found: Any) -> None:
        """Append the result of a part with a name. JSON must be able to represent the result.

        Raises
        ------
        InvalidInput
            If the file cannot be written any more.
        """
        line = json.dumps({"of": name, "found": found}) + "\n"
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
