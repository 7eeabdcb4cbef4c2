"""Documents of JSON: read from files, compared, and sealed by a checksum."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lsclasses.compressed import expanded
from lsclasses.files.sources import PathLike, reading
from lsclasses.json_text import parsed_json, require_few_values

COMPRESSED_VALUES = 1 << 22
"""Largest number of JSON values in a compressed file."""


def read_json(path: PathLike, *, most: int | None = None) -> Any:
    """Return the content of a JSON file, which may be compressed by gzip.

    Parameters
    ----------
    path : path
        The file. A compressed file has at most `COMPRESSED_VALUES` values, because a small file
        can otherwise fill the memory.
    most : int, optional
        Largest number of JSON values in a file that is not compressed.

    Raises
    ------
    InvalidInput
        If the file cannot be read, is not JSON or has too many values.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "list.json"
    >>> _ = path.write_text("[1, 2]")
    >>> read_json(path)
    [1, 2]
    """
    source = Path(path)
    with reading(source):
        content = source.read_bytes()
        text = expanded(content)
        limit = COMPRESSED_VALUES if text is not content else most
        if limit is not None:
            require_few_values(text, limit)
        return parsed_json(text)


def same_json(one: Any, other: Any) -> bool:
    """Whether two documents of JSON are written alike but for blanks and the order of entries.

    Python takes ``true`` for 1 and ``2.0`` for 2; who reads the text does not.

    Examples
    --------
    >>> same_json({"a": 1, "b": [2]}, {"b": [2], "a": 1}), same_json([1], [True])
    (True, False)
    """
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def differing(one: Mapping[str, object], other: Mapping[str, object], *but: str) -> list[str]:
    """The names of the entries that differ between two documents, some names excepted.

    Examples
    --------
    >>> differing({"a": 1, "b": 2, "c": 3}, {"a": True, "c": 4, "d": None}, "c")
    ['a', 'b']
    """
    names = (name for name in {**one, **other} if name not in but)
    return [name for name in names if not same_json(one.get(name), other.get(name))]


def checksum(data: Mapping[str, object]) -> str:
    """The SHA-256 of a document without its checksum, whatever blanks and line ends it has.

    It finds slips and edits. It is no signature: anyone can compute it.
    """
    rest = {key: value for key, value in data.items() if key != "checksum"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"))
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def with_checksum(data: Mapping[str, object]) -> str:
    """A document with its checksum, as it stands in a file."""
    return json.dumps({**data, "checksum": checksum(data)}, indent=1) + "\n"
