"""Locks by which only one program at a time reads and replaces a file."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from lsclasses.errors import InvalidInput


def force_folder(path: Path) -> None:
    """Write the entries of a folder to the disk, as `os.fsync` does for the content of files."""
    folder = os.open(Path(os.path.realpath(path)).parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def lock(file: BinaryIO) -> None:
    """Wait for the lock of an open file, which is held until the file is closed."""
    try:
        import fcntl
    except ImportError:
        raise InvalidInput("Files that are spent from need the file locks of Unix.") from None
    fcntl.flock(file, fcntl.LOCK_EX)


@contextmanager
def locked(path: Path, kind: str) -> Iterator[Path]:
    """Hold the lock of a file during a ``with`` statement, and yield the file's real path.

    The holder may put a new file in the place of the old file. So a process that waited for the
    lock of the old file must begin again.

    Parameters
    ----------
    path : Path
        Path of the file.
    kind : str
        Type of the file in error messages, such as "a budget".

    Raises
    ------
    InvalidInput
        If the file cannot be opened, or is not a file with a single name.
    """
    real = Path(os.path.realpath(path))
    try:
        while True:
            with real.open("r+b") as file:
                lock(file)
                held = os.fstat(file.fileno())
                now = None
                with suppress(FileNotFoundError):
                    now = real.stat()
                if now is None or not os.path.samestat(held, now):
                    continue
                if not stat.S_ISREG(held.st_mode) or held.st_nlink > 1:
                    raise InvalidInput(
                        f"Cannot use {str(path)!r}. {kind} must be a file with one name, because "
                        "a second name would keep the old content. Remove its hard links."
                    )
                yield real
                return
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InvalidInput(
            f"Cannot use the {kind.partition(' ')[2]} {str(path)!r}: {reason}."
        ) from None
