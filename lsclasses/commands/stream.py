"""Standard output that says so when it cannot be written: a full disk, a pipe nobody reads."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EBADF, EPIPE
from io import TextIOWrapper
from typing import TextIO

from lsclasses.commands.output import note

UNWRITTEN = 74
"""Exit status when standard output cannot be written, as ``sysexits.h`` has it."""

UNREAD = 141
"""Exit status when the reader of a pipe leaves before its end, as shells have it."""


class OutputLost(Exception):
    """Standard output cannot be written; no `OSError`, which others handle as their own."""

    def __init__(self, reason: OSError) -> None:
        super().__init__(reason)
        self.reason = reason

    def report(self) -> int:
        """Report the failure, unless the reader closed the pipe; return the exit status."""
        if self.reason.errno == EPIPE:
            return UNREAD
        problem = (self.reason.strerror or str(self.reason)).lower()
        note(f"lsclasses: Cannot write to standard output: {problem}.")
        return UNWRITTEN


@contextmanager
def _writing() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise OutputLost(error) from None


class Output(TextIOWrapper):
    """A text stream like standard output, whose failures are `OutputLost`."""

    @classmethod
    def instead_of(cls, stream: TextIO | None) -> TextIO:
        """Wrap standard output; a closed or full one is refused before anything is written.

        Raises
        ------
        OutputLost
            If standard output is closed, or full already.
        """
        with _writing():
            if stream is None:
                raise OSError(EBADF, "it is closed")
            os.write(1, b"")
        if not isinstance(stream, TextIOWrapper):
            return stream
        return cls(
            stream.buffer,
            encoding=stream.encoding,
            errors="backslashreplace",
            line_buffering=stream.line_buffering,
            write_through=stream.write_through,
        )

    def write(self, text: str, /) -> int:
        """Write a text."""
        with _writing():
            return super().write(text)

    def flush(self) -> None:
        """Write the buffered text."""
        with _writing():
            super().flush()
