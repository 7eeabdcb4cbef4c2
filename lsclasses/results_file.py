"""Results of the parts of some work, kept in a file, so that a run that was stopped can go on.

The file has a line of JSON for its head and one for every part, appended when the part is done. Its
head says which sources made it, and what was asked of them: other results are never mixed with
these. A line that was cut off in the middle of writing is dropped.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from lsclasses import __version__
from lsclasses.errors import InvalidInput
from lsclasses.files.sources import PathLike
from lsclasses.files.writing import atomic_write, check_writable

FORMAT, VERSION = "lsclasses-results", 2


class ResultsFile:
    """A file of results by name: what is finished is there, and what is new is appended.

    Parameters
    ----------
    path : str or path-like
        Made if there is no file.
    sources : str
        What `lsclasses.installation.sources_digest` gives for the code that computes.
    asked : str
        What was asked, apart from the names of the parts.

    Raises
    ------
    InvalidInput
        If the file cannot be read or written, is none of results, is damaged, or was made by other
        sources or for another question. It is left as it is.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     ResultsFile(Path(folder) / "results.jsonl", "abc").add("a part", [1, 2])
    ...     found = ResultsFile(Path(folder) / "results.jsonl", "abc")
    >>> found.get("a part"), found.get("another")
    ([1, 2], None)
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
                f"{str(self._path)!r} is not a file of results, and is left as it is. Choose the "
                "name of one, or of a file that does not exist."
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
                f"{str(self._path)!r} holds results of another command, or of one with other "
                "options, which cannot be continued by this one. Choose another name."
            )
        for number, line in enumerate(lines[1:], start=2):
            entry = _object(line)
            if entry is None or not isinstance(entry.get("of"), str) or "found" not in entry:
                raise self.damaged(f"line {number}")
            self._found[entry["of"]] = entry["found"]
        if rest:
            atomic_write(self._path, complete + b"\n")

    def damaged(self, place: str) -> InvalidInput:
        """Return the error to raise where a place of the file is not what was written."""
        return InvalidInput(
            f"{str(self._path)!r} is damaged: {place} cannot be read. It is left as it is; choose "
            "another name."
        )

    def get(self, name: str) -> Any:
        """Return the result of that name; None if there is none."""
        return self._found.get(name)

    def add(self, name: str, found: Any) -> None:
        """Append a result, of what JSON has.

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
