"""Sources of data: a path, standard input, or bytes, with errors that name the file."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from lsclasses.errors import InvalidInput

STANDARD_INPUT = Path("-")
PathLike = str | os.PathLike[str]


@dataclass(frozen=True)
class FileBytes(os.PathLike[str]):
    r"""The bytes of a file, read once.

    A second read of a path may return different bytes, because a pipe is then empty and a file may
    have been replaced. Functions that read rows accept this object instead of the path. So all
    statements about the bytes refer to the bytes that were read first.

    Parameters
    ----------
    path : Path
        Path for messages, where ``-`` is standard input.
    content : bytes

    Examples
    --------
    >>> import tempfile
    >>> from lsclasses.files.comma_separated import load_stream
    >>> path = Path(tempfile.mkdtemp()) / "examples.csv"
    >>> _ = path.write_text("point,label\n3,1\n")
    >>> rows = FileBytes.read(path)
    >>> _ = path.write_text("point,label\n4,0\n")
    >>> load_stream(rows), rows.digest == FileBytes.read(path).digest
    ([(3, 1)], False)
    """

    path: Path
    content: bytes = field(repr=False)

    @classmethod
    def read(cls, path: PathLike) -> FileBytes:
        """Return all bytes of a file.

        Raises
        ------
        InvalidInput
            If the file cannot be read.
        """
        source = Path(path)
        with reading(source):
            found = source_of(source)
            return cls(source, found if isinstance(found, bytes) else found.read_bytes())

    @cached_property
    def digest(self) -> str:
        """The SHA-256 digest of the bytes, as a string that begins with ``sha256:``."""
        from hashlib import sha256

        return f"sha256:{sha256(self.content).hexdigest()}"

    def __fspath__(self) -> str:
        return str(self.path)

    def __str__(self) -> str:
        return str(self.path)


def source_of(path: PathLike) -> Path | bytes:
    """Return the source of some data: a path, or the bytes if they are available.

    The bytes are returned for standard input and for `FileBytes`.
    """
    if isinstance(path, FileBytes):
        return path.content
    source = Path(path)
    return sys.stdin.buffer.read() if source == STANDARD_INPUT else source


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Return a context manager that turns errors in its block into `InvalidInput`.

    The message names the file. Errors of the operating system, of decoding and of the content are
    converted.
    """
    try:
        yield
    except OSError as error:
        reason = system_reason(error)
    except UnicodeDecodeError as error:
        reason = encoding_problem(error)
    except InvalidInput as error:
        reason = str(error).rstrip(".")
    else:
        return
    name = "standard input" if path == STANDARD_INPUT else repr(str(path))
    stop = "" if reason.endswith("?") else "."
    raise InvalidInput(f"Cannot read {name}: {reason}{stop}") from None


def encoding_problem(error: UnicodeDecodeError, line: int = 0) -> str:
    """Return an error text for bytes that are not UTF-8, with a remedy and the line if known."""
    begin = bytes(error.object[:2])
    if begin in (b"\xff\xfe", b"\xfe\xff"):
        return "it is a file in UTF-16. Save it as UTF-8 (iconv -f UTF-16 -t UTF-8)"
    if begin == b"\x1f\x8b":
        return "it is compressed by gzip. Decompress it (gunzip)"
    byte = error.object[error.start]
    place = f" in line {line}" if line else ""
    return (
        f"it is not a file in UTF-8, because of the byte 0x{byte:02X}{place}. If it was written in "
        "Latin-1 or Windows-1252, save it as UTF-8 (iconv -f WINDOWS-1252 -t UTF-8)"
    )


def system_reason(error: OSError) -> str:
    """Return the reason of an error of the operating system, in lower case."""
    return (error.strerror or str(error)).lower()
