"""The content of text files of classes, read up to a limit, and its lines with their numbers.

A small compressed file can expand to any number of bytes. So a file is read in parts, and the
reader stops before a part exceeds the limit of a file or of a line.
"""

from __future__ import annotations

import io
import os
import re
import stat
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.files.documents import MAGIC
from lsclasses.files.sources import encoding_problem

if TYPE_CHECKING:
    from gzip import GzipFile

CONTENT_LIMIT = 1 << 30
"""Largest number of bytes of the content of a file, after decompression."""
LINE_LIMIT = 1 << 28
"""Largest number of bytes of a line."""
ENTRY_LIMIT = 1 << 25
"""Largest number of lines and words of a file whose lines are split into words."""
ENTRY_BYTES = 100
"""Approximate upper bound on the number of bytes of memory for a line or a word."""
PART = 1 << 20
"""Number of bytes that are read at a time."""
GZIP = ".gz"
RATIO = 1032
"""Largest possible ratio of the size of a file's content to its compressed size."""


class Line(NamedTuple):
    """A line of a file with its number, counted from 1."""

    number: int
    text: str


def read_content(path: Path) -> bytes:
    """Return the content of a text file, decompressed if its name ends in ``.gz``.

    Raises
    ------
    InvalidInput
        If the suffix ``.gz`` does not agree with the content, or a compressed file is damaged.
    TooLarge
        If the content has more than `CONTENT_LIMIT` bytes, or a line has more than `LINE_LIMIT`.
    """
    name = repr(str(path))
    with path.open("rb") as file:
        compressed = file.peek(2)[:2] == MAGIC
        if compressed != path.name.lower().endswith(GZIP):
            raise InvalidInput(
                "it is compressed by gzip, so its name must end in .gz."
                if compressed
                else "it is not compressed by gzip, so its name must not end in .gz."
            )
        _require_size(_declared_size(file, compressed), name)
        return bounded(_expanded_parts(file) if compressed else parts_of(file), name)


def parts_of(file: BinaryIO | GzipFile) -> Iterator[bytes]:
    """Yield the bytes of an open file in parts."""
    while part := file.read(PART):
        yield part


def _declared_size(file: BinaryIO, compressed: bool) -> int:
    """Return the size of the content as the system or the end of a compressed file states it."""
    found = os.fstat(file.fileno())
    if not stat.S_ISREG(found.st_mode):
        return 0
    if not compressed:
        return found.st_size
    # The last four bytes of a gzip file are the size of the content modulo 2^32. A damaged file can
    # have any bytes, also the size of a content that cannot be compressed so far.
    size = int.from_bytes(os.pread(file.fileno(), 4, max(0, found.st_size - 4)), "little")
    return size if size <= RATIO * found.st_size else 0


def _expanded_parts(file: BinaryIO) -> Iterator[bytes]:
    import gzip

    try:
        with gzip.GzipFile(fileobj=file) as opened:
            yield from parts_of(opened)
    except EOFError:
        raise InvalidInput("it is a compressed file that is not complete.") from None
    except (gzip.BadGzipFile, zlib.error):
        raise InvalidInput("it is a damaged compressed file.") from None


def bounded(parts: Iterable[bytes], name: str) -> bytes:
    r"""Return the parts of a text, joined to one string of bytes.

    Parameters
    ----------
    parts : iterable of bytes
        Parts of the text.
    name : str
        Name of the source for the error.

    Raises
    ------
    TooLarge
        If the text or one of its lines has too many bytes.

    Examples
    --------
    >>> bounded([b"a,b", b"\n0,1"], "a table")
    b'a,b\n0,1'
    """
    content, line, length = io.BytesIO(), 1, 0
    for part in parts:
        _require_size(content.tell() + len(part), name)
        content.write(part)
        breaks = part.count(b"\n")
        length += part.find(b"\n") if breaks else len(part)
        if length > LINE_LIMIT:
            raise TooLarge(
                f"Line {line} of {name} has at least {length} bytes. The limit of a line is "
                f"{LINE_LIMIT} bytes.",
                estimate=length,
                limit=LINE_LIMIT,
            )
        if breaks:
            line, length = line + breaks, len(part) - part.rfind(b"\n") - 1
    return content.getvalue()


def _require_size(size: int, name: str) -> None:
    if size > CONTENT_LIMIT:
        raise TooLarge(
            f"The content of {name} has at least {size} bytes. The limit is {CONTENT_LIMIT} bytes.",
            estimate=size,
            limit=CONTENT_LIMIT,
        )


def require_entries(data: bytes, name: str, separators: Iterable[bytes]) -> None:
    r"""Raise `TooLarge` if a text has too many entries, before a list of them is made.

    Parameters
    ----------
    data : bytes
        The text.
    name : str
        Name of the source for the error.
    separators : iterable of bytes
        Separators of entries. Their number is compared with `ENTRY_LIMIT`.

    Raises
    ------
    TooLarge
        If the text contains more than `ENTRY_LIMIT` separators.

    Examples
    --------
    >>> require_entries(b"1 2\n3\n", "a hypergraph", (b" ", b"\n"))
    """
    count = sum(map(data.count, separators))
    if count > ENTRY_LIMIT:
        raise TooLarge(
            f"The content of {name} has about {count} entries, which need up to about "
            f"{count * ENTRY_BYTES / 10**9:.2g} GB of memory. The limit is {ENTRY_LIMIT} entries.",
            estimate=count,
            limit=ENTRY_LIMIT,
        )


def decoded(data: bytes) -> str:
    """Return the string that bytes in UTF-8 represent.

    Raises
    ------
    InvalidInput
        If the bytes are not a text in UTF-8. The message states the line.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InvalidInput(f"{encoding_problem(error, line)}.") from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise InvalidInput(f"it is not a text file, because line {line} contains the byte 0x00.")
    return text


BEGINNINGS = {
    ".mtx": r"(?i:%%MatrixMarket)",
    ".json": r'\{\s*"',
    ".cxt": r"B\n[^\n]*\n\s*[0-9]+\s*\n\s*[0-9]+\s*\n",
    ".col": r"(?:c[^\n]*\n)*p (?:edge|col) [0-9]",
    ".pla": r"(?:#[^\n]*\n)*\.i [0-9]",
    ".xml": r"<\?xml",
    ".html": r"(?i:<!doctype html|<html)",
}
"""Regular expressions for the beginning of a file in each format, by suffix."""


def other_format(text: str, suffix: str) -> str | None:
    """Return the suffix of another format that a text seems to have, or None."""
    found = (
        other
        for other, pattern in BEGINNINGS.items()
        if other != suffix and re.match(pattern, text)
    )
    return next(found, None)


def numbered_lines(data: bytes, suffix: str) -> list[tuple[int, str]]:
    """Return the lines of a text file without their ends, each with its number.

    Parameters
    ----------
    data : bytes
        Content of the file.
    suffix : str
        Suffix of the file, for an error if the content begins like another format.

    Raises
    ------
    InvalidInput
        If the file is empty, is not a text in UTF-8, or begins like a file of another format.
    """
    text = decoded(data).replace("\r\n", "\n")
    if not text.strip():
        raise InvalidInput(f"the file is empty. Expected {CONTENTS[suffix]}.")
    begin = text.lstrip()
    other = other_format(begin, suffix)
    if other is not None:
        line = text.count("\n", 0, len(text) - len(begin)) + 1
        raise InvalidInput(
            f"line {line} begins like a file with the suffix {other}. Expected "
            f"{CONTENTS[suffix]}. Got {begin.splitlines()[0]!r:.80}."
        )
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return list(enumerate(lines, start=1))


CONTENTS = {
    ".dat": "a line with the members of each set",
    ".hyperedges": "a line with the members of each set",
    ".cxt": "a formal context, whose first line is B",
    ".hgr": "a line with the numbers of hyperedges and vertices",
    ".edgelist": "a line with the two nodes of each edge",
    ".edges": "a line with the two nodes of each edge",
    ".col": "a DIMACS graph with a line 'p edge NODES EDGES'",
    ".dimacs": "a DIMACS graph with a line 'p edge NODES EDGES'",
    ".mtx": "a matrix, whose first line begins with %%MatrixMarket",
    ".pla": "a truth table with the lines .i and .o",
}
"""Descriptions of the text formats of set systems, by suffix, for error messages."""
