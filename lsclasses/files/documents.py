"""JSON documents: their compression, comparison and checksums.

A compressed file has the same bytes each time it is written, and is read up to a limit. The header
of a compressed file names its content, so a command can distinguish its own files from other files
of the user before it replaces them.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from lsclasses.errors import InvalidInput
from lsclasses.files.sources import PathLike, reading
from lsclasses.json_text import parsed_json, require_few_values

# ---- compressed files


MAGIC = b"\x1f\x8b"
EXPANDED_LIMIT = 1 << 30
"""Largest number of bytes of the content of a compressed file."""


def compressed(content: bytes, name: str) -> bytes:
    """Return the content of a file compressed by gzip, with a header that names its type.

    Examples
    --------
    >>> expanded(compressed(b"{}", "empty.json"))
    b'{}'
    """
    import gzip

    buffer = io.BytesIO()
    with gzip.GzipFile(name, "wb", fileobj=buffer, mtime=0) as file:
        file.write(content)
    return buffer.getvalue()


def compressed_head(names: str) -> bytes:
    """Return a regular expression for the beginning of compressed files of the given types."""
    return re.escape(MAGIC) + rb"\x08\x08.{6}(?:" + names.encode() + rb")\x00"


def expanded(data: bytes) -> bytes:
    """Return the content of a file, decompressed if it is compressed.

    Raises
    ------
    InvalidInput
        If the file is damaged, or its content has more than `EXPANDED_LIMIT` bytes.
    """
    if not data.startswith(MAGIC):
        return data
    reader = zlib.decompressobj(wbits=zlib.MAX_WBITS + 16)
    try:
        content = reader.decompress(data, EXPANDED_LIMIT + 1)
    except zlib.error:
        raise InvalidInput("it is a damaged compressed file.") from None
    if len(content) > EXPANDED_LIMIT:
        raise InvalidInput(
            f"it is a compressed file of more than {EXPANDED_LIMIT} bytes, which is the limit."
        )
    if not reader.eof or reader.unused_data:
        found = "continues after its end" if reader.eof else "is not complete"
        raise InvalidInput(f"it is a compressed file that {found}.")
    return content


# ---- documents


COMPRESSED_VALUES = 1 << 22
"""Largest number of JSON values in a compressed file."""


def read_json(
    path: PathLike, *, most: int | None = None, real: Callable[[str], Any] = float
) -> Any:
    """Return the content of a JSON file, which may be compressed by gzip.

    Parameters
    ----------
    path : path
        The file. A compressed file has at most `COMPRESSED_VALUES` values, because a small file
        can otherwise fill the memory.
    most : int, optional
        Largest number of JSON values in a file that is not compressed.
    real : callable
        Function that returns the value of a number with a decimal point or an exponent.

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
        return parsed_json(text, real=real)


def same_json(one: Any, other: Any) -> bool:
    """Return whether two JSON documents are equal except for blanks and the order of entries.

    For Python, ``true`` equals 1 and ``2.0`` equals 2, but not for this function.

    Examples
    --------
    >>> same_json({"a": 1, "b": [2]}, {"b": [2], "a": 1}), same_json([1], [True])
    (True, False)
    """
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def differing(one: Mapping[str, object], other: Mapping[str, object], *but: str) -> list[str]:
    """Return the names of the entries that differ between two documents, except given names.

    Examples
    --------
    >>> differing({"a": 1, "b": 2, "c": 3}, {"a": True, "c": 4, "d": None}, "c")
    ['a', 'b']
    """
    names = (name for name in {**one, **other} if name not in but)
    return [name for name in names if not same_json(one.get(name), other.get(name))]


def checksum(data: Mapping[str, object]) -> str:
    """Return the SHA-256 of the entries of a document, without its entry for the checksum.

    The checksum does not depend on blanks and line ends. It detects accidental changes. It is not a
    signature, because anyone can compute it.
    """
    rest = {key: value for key, value in data.items() if key != "checksum"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"))
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def with_checksum(data: Mapping[str, object]) -> str:
    """Return a document with an added checksum, as the content of a JSON file."""
    return json.dumps({**data, "checksum": checksum(data)}, indent=1) + "\n"
