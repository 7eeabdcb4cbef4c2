"""JSON documents: strict reading, compressed files, comparison and checksums.

Strict reading refuses an object with a repeated or a missing entry. A compressed file has the same
bytes each time it is written, and is read up to a limit. The header of a compressed file names its
content. So a command can tell its own files from other files of the user before it replaces them.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
import sys
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from lsclasses.errors import InvalidInput, LsclassesError
from lsclasses.files.sources import PathLike, reading

# ---- strict JSON


def parsed_json(text: bytes) -> Any:
    """Parse a text as a JSON document.

    Raises
    ------
    InvalidInput
        If it is not JSON, is nested too deeply, or an object has an entry twice.
    UnicodeDecodeError
        If it is not in UTF-8.

    Examples
    --------
    >>> parsed_json(b'{"rows": ["01"]}')
    {'rows': ['01']}
    """
    try:
        return json.loads(text, object_pairs_hook=_once)
    except RecursionError:
        raise InvalidInput("it is nested too deeply to be JSON of this library.") from None
    except json.JSONDecodeError as error:
        raise InvalidInput(
            f"it is not valid JSON, or not complete ({error.msg} in line {error.lineno})."
        ) from None
    except ValueError as error:
        if isinstance(error, (UnicodeDecodeError, InvalidInput)):
            raise
        digits = sys.get_int_max_str_digits()
        raise InvalidInput(f"it holds a number of more than {digits} digits.") from None


STRING = re.compile(rb'"(?:[^"\\]|\\.)*"', re.DOTALL)
VALUE_BYTES = 100
"""Largest number of bytes of memory for a value of a list or an object, about."""


def require_few_values(text: bytes, most: int) -> None:
    """Refuse a JSON document with too many values before any of them is built.

    Python needs many times the size of the document for short values, such as empty lists.

    Parameters
    ----------
    text : bytes
        The document.
    most : int
        Largest number of values. An upper bound on the number is compared with it: an empty list
        counts as two values.

    Raises
    ------
    InvalidInput
        If the document can have more values. The message states the limit and an estimate of the
        memory.

    Examples
    --------
    >>> require_few_values(b'[1, "a, b, [c", {"d": []}]', 6)
    >>> require_few_values(b"[[], [], []]", 6)
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: it has about 7 JSON values, which need up to about ...
    """
    if 1 + sum(map(text.count, (b",", b"[", b"{"))) <= most:
        return
    bare = STRING.sub(b"", text)
    values = 1 + sum(map(bare.count, (b",", b"[", b"{")))
    if values > most:
        memory = f"{values * VALUE_BYTES / 10**9:.2g} GB"
        raise InvalidInput(
            f"it has about {values:,} JSON values, which need up to about {memory} of memory. The "
            f"limit is {most:,} values."
        )


WRONG = (LookupError, TypeError, ValueError, ArithmeticError, AttributeError, RecursionError)
"""The errors that Python raises for data of a wrong form."""


@contextmanager
def entries_of(refusal: str) -> Iterator[None]:
    """Refuse a document that lacks an entry or has one of the wrong type.

    Parameters
    ----------
    refusal : str
        How the sentence begins that says what is wrong.

    Examples
    --------
    >>> with entries_of("it is no complete model"):
    ...     {"else": 1}["rules"]
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: it is no complete model: there is no 'rules' in it.
    """
    try:
        yield
    except LsclassesError:
        raise
    except WRONG as error:
        raise InvalidInput(f"{refusal}: {damaged(error)}.") from None


def damaged(error: Exception) -> str:
    """The error for data that Python fails to parse."""
    if isinstance(error, KeyError):
        return f"there is no {error.args[0]!r:.200} in it"
    return "something in it is of another kind than what belongs there"


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON; of two entries with one name, a person may read the other one."""
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise InvalidInput(f'an object says "{name}" twice.')
        found[name] = value
    return found


# ---- compressed files


MAGIC = b"\x1f\x8b"
EXPANDED_LIMIT = 1 << 30
"""How many bytes a compressed file may hold."""


def compressed(content: bytes, name: str) -> bytes:
    """Compress the content of a file; the header names its kind.

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
    """The mark of a compressed file whose header has one of some names, a regular expression."""
    return re.escape(MAGIC) + rb"\x08\x08.{6}(?:" + names.encode() + rb")\x00"


def expanded(data: bytes) -> bytes:
    """The content of a file, decompressed if it is compressed.

    Raises
    ------
    InvalidInput
        If it is damaged, or holds more than `EXPANDED_LIMIT` bytes.
    """
    if not data.startswith(MAGIC):
        return data
    reader = zlib.decompressobj(wbits=zlib.MAX_WBITS + 16)
    try:
        content = reader.decompress(data, EXPANDED_LIMIT + 1)
    except zlib.error:
        raise InvalidInput("it is a compressed file that is damaged.") from None
    if len(content) > EXPANDED_LIMIT:
        raise InvalidInput(
            f"it is a compressed file of more than {EXPANDED_LIMIT} bytes, which is the limit."
        )
    if not reader.eof or reader.unused_data:
        found = "goes on behind its end" if reader.eof else "is not complete"
        raise InvalidInput(f"it is a compressed file that {found}.")
    return content


# ---- documents


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
