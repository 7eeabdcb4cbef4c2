"""Files that are written completely or not at all, and checks of paths."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from errno import EACCES, EISDIR, ENOTDIR, EPERM
from pathlib import Path

from lsclasses.errors import InvalidInput
from lsclasses.files.sources import PathLike, system_reason

Content = str | bytes | Iterator[bytes]
"""The content of a file, in parts if it is large."""


def make_folder(folder: Path) -> None:
    """Create a folder and its parents if they do not exist.

    Raises
    ------
    InvalidInput
        If the folder cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidInput(f"Cannot make the folder {str(folder)!r}: {error.strerror}.") from None


def atomic_write(path: PathLike, content: Content) -> None:
    """Write a file atomically. After a failure, the old file is unchanged.

    Raises
    ------
    InvalidInput
        If the file cannot be written.
    """
    write_all([(path, content)])


def write_all(contents: Collection[tuple[PathLike, Content]]) -> None:
    """Write several files, either all or none.

    A failure or an interruption leaves no new file.


    The function writes directly to a device, a pipe or standard output. It does not replace them by
    a file.

    Parameters
    ----------
    contents : collection of (path, str, bytes or iterator over bytes)
        Path and content of each file.

    Raises
    ------
    InvalidInput
        If one of the files cannot be written. The message names the file.
    """
    drafts: list[tuple[Path, Path]] = []
    created: list[Path] = []
    path: PathLike = ""
    try:
        for path, content in contents:
            if not _is_stream(Path(path)):
                drafts.append(_with_draft(Path(path)))
                _fill(*drafts[-1], _parts(content))
        for target, draft in drafts:
            path = target
            created += [target] * (not target.exists())
            draft.replace(target)
        for path, content in contents:
            if _is_stream(Path(path)):
                _send(Path(path), _parts(content))
    except BaseException as error:
        for left in [draft for _, draft in drafts] + created:
            with suppress(OSError):
                left.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise InvalidInput(f"Cannot write {str(path)!r}: {system_reason(error)}.") from None
        raise


def _parts(content: Content) -> Iterable[bytes]:
    if isinstance(content, str):
        content = content.encode()
    return [content] if isinstance(content, bytes) else content


def _fill(target: Path, draft: Path, parts: Iterable[bytes]) -> None:
    with draft.open("xb") as file:
        with suppress(FileNotFoundError):
            # A user who could not read the replaced file cannot read the new file.
            draft.chmod(stat.S_IMODE(target.stat().st_mode))
        file.writelines(parts)
        file.flush()
        os.fsync(file.fileno())


def _send(stream: Path, parts: Iterable[bytes]) -> None:
    if is_standard_output(stream):
        sys.stdout.flush()
        with open(1, "wb", closefd=False) as out:
            out.writelines(parts)
    else:
        with stream.open("wb") as out:
            out.writelines(parts)


def _is_stream(path: Path) -> bool:
    return is_standard_output(path) or (path.exists() and not path.is_file())


def is_standard_output(path: PathLike) -> bool:
    """Return whether a path, such as /dev/stdout, denotes standard output."""
    try:
        return os.path.samestat(Path(path).stat(), os.fstat(1))
    except OSError:
        return False


def check_writable(path: PathLike) -> None:
    """Raise `InvalidInput` if `atomic_write` cannot write to a path. Call it before long work.

    Raises
    ------
    InvalidInput
        If the path cannot be written, or an existing file at the path is write-protected.
    """
    target = Path(path)
    try:
        with suppress(FileNotFoundError):
            found = target.stat()
            mode = found.st_mode
            if stat.S_ISDIR(mode):
                raise IsADirectoryError(EISDIR, os.strerror(EISDIR))
            if stat.S_ISBLK(mode):
                raise PermissionError(EPERM, "it is a disk")
            if not mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH):
                raise PermissionError(EACCES, "it is write-protected")
            if not os.access(target, os.W_OK):
                raise PermissionError(EACCES, os.strerror(EACCES))
            if not stat.S_ISREG(mode) or is_standard_output(target):
                return
            folder = Path(os.path.realpath(target)).parent.stat()
            owners = (0, found.st_uid, folder.st_uid)
            if folder.st_mode & stat.S_ISVTX and getattr(os, "geteuid", int)() not in owners:
                # In a folder such as /tmp, users can replace only their own files.
                raise PermissionError(EPERM, os.strerror(EPERM))
        _, draft = _with_draft(target)
        draft.touch(exist_ok=False)
        draft.unlink()
    except OSError as error:
        raise InvalidInput(f"Cannot write {str(path)!r}: {system_reason(error)}.") from None


def check_folder(path: PathLike, names: Iterable[str] = ()) -> None:
    """Raise `InvalidInput` if a folder cannot be created, or no files can be created in it.

    Parameters
    ----------
    path : path
        Folder, which may not exist yet.
    names : iterable of str
        Names of the files that are to be made in the folder.

    Raises
    ------
    InvalidInput
        If these files cannot be written in the folder.
    """
    folder = Path(os.path.realpath(path))
    try:
        while not folder.exists():
            folder = folder.parent
        if not folder.is_dir():
            raise NotADirectoryError(ENOTDIR, os.strerror(ENOTDIR))
        _, draft = _with_draft(folder / "file")
        draft.touch(exist_ok=False)
        draft.unlink()
        for name in names:
            with suppress(FileNotFoundError):
                (folder / name).lstat()
    except OSError as error:
        raise InvalidInput(f"Cannot write into {str(path)!r}: {system_reason(error)}.") from None


def _with_draft(path: Path) -> tuple[Path, Path]:
    """Return the real path of a file, and a new name in its folder for the draft."""
    target = Path(os.path.realpath(path))
    return target, target.with_name(f".{target.name[:100]}.{os.urandom(4).hex()}.part")
