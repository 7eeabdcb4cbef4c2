"""Checks of the files that commands write.

A command never writes over its inputs or over a file of another program. A parameter of a command
that names a file has a mark. `Reads` marks an input file. `Writes` marks an output file, with the
`FileFormat` of the option. `Creates` marks an output file that must not exist yet. `Continues`
marks a file that is read first if it exists. `check_files` wraps the command. Before the command
reads, computes or spends anything, it checks that

* an output is not a file that the command reads or writes elsewhere, under any name: ``./``, a
  symbolic or hard link, or another case if the system ignores case,
* the suffix of each output agrees with its format,
* an existing file is replaced only if it is empty, or if its beginning shows that this program
  wrote it for the same option. ``--force`` replaces other files, too, except write-protected files
  and budgets, because expenses must never be forgotten,
* the file can be written.
"""

from __future__ import annotations

import functools
import inspect
import os
import re
import stat
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from lsclasses.errors import InvalidInput
from lsclasses.files.writing import check_folder, check_writable, is_standard_output

SAMPLE = 1 << 16
"""Number of bytes at the beginning, and at the end, of a file that are examined."""

BUDGET_FORMAT = "lsclasses-budget"
"""The name of the format of budget files, which `learners.budget_files` writes.

No output replaces a budget file.
"""
STATE_FORMAT = "lsclasses-paused-game"
"""The name of the format of paused games, which `learners.playing.state_files` writes."""
BUDGET_LIMIT = 1 << 26
"""Largest size in bytes of a file that is read as a whole to check whether it is a budget."""


@dataclass(frozen=True)
class FileFormat:
    """A type of file that this program writes for one option.

    Attributes
    ----------
    title : str
        Name of the type with an article, such as "a picture of a tree".
    marks : mapping from str to bytes or None
        Regular expression that matches only files of this type, for each suffix. None means that
        files of this type cannot be distinguished from other files.
    """

    title: str
    marks: Mapping[str, bytes | None]

    @property
    def endings(self) -> str:
        """The suffixes of the file names, in words: ``.svg, .pdf or .png``."""
        *most, last = self.marks
        return f"{', '.join(most)} or {last}" if most else last

    @property
    def single(self) -> bool:
        """Whether all suffixes of the type have the same format."""
        return len(set(self.marks.values())) == 1

    def recognises(self, path: Path) -> bool:
        """Return whether the beginning and the end of a file show that it is of this type."""
        mark = self.marks.get(path.suffix.lower())
        if mark is None:
            return False
        with path.open("rb") as file:
            sample = file.read(SAMPLE)
            if path.stat().st_size > 2 * SAMPLE:
                file.seek(-SAMPLE, os.SEEK_END)
            sample += file.read()
        return re.match(mark, sample, re.DOTALL) is not None


def page_kind(title: str, kind: str) -> FileFormat:
    """Return the file format of HTML pages that begin with a comment that names the given kind."""
    mark = rb"<!doctype html>\n<!-- lsclasses: " + kind.encode() + rb" -->"
    return FileFormat(title, {".html": mark, ".htm": mark})


def json_head(form: str, kind: str = "") -> bytes:
    r"""Return a pattern for the beginning of a JSON file with the given format and type.

    Examples
    --------
    >>> bool(re.match(json_head("lsclasses-model"), b'{\n "format": "lsclasses-model",'))
    True
    """
    head = rf'\s*\{{\s*"format":\s*"{form}"'
    return (head + (rf',\s*"version":\s*\d+,\s*"kind":\s*"(?:{kind})"' if kind else "")).encode()


@dataclass(frozen=True)
class Reads:
    """Annotation of a parameter that names one or several files which the command reads.

    Attributes
    ----------
    prefix : str
        Prefix by which strings with a file name are recognized. The name follows the prefix.
    unless : str
        A string that contains this part does not name a file.
    """

    prefix: str = ""
    unless: str = ""

    def paths(self, value: Any) -> Iterable[Path]:
        """Yield the paths that the value of the parameter names. A specification names no path."""
        for text in map(str, value if isinstance(value, (list, tuple)) else [value]):
            if text.startswith(self.prefix) and not (self.unless and self.unless in text):
                yield Path(text[len(self.prefix) :])


@dataclass(frozen=True)
class Writes:
    """Annotation of a parameter that names the file, or the folder, which the command writes.

    Attributes
    ----------
    kind : FileFormat
        Type of the written file.
    folder : bool
        Whether the parameter names a folder.
    argument : str
        Name of the command for messages, if the parameter is an argument and not an option.
    """

    kind: FileFormat
    folder: bool = False
    argument: str = ""


@dataclass(frozen=True)
class Creates:
    """Annotation of a parameter that names a file which the command makes and never replaces."""


@dataclass(frozen=True)
class Continues:
    """Annotation of a parameter that names a file of a resumed command.

    The command reads the file first if the file exists, and replaces it later.

    The command never replaces an existing file of another type, even with ``--force``.
    """

    kind: FileFormat


Mark = Reads | Writes | Creates | Continues


def marks(command: Callable[..., Any]) -> dict[str, Mark]:
    """Return the annotation of each parameter of a command whose value is a file name."""
    hints = get_type_hints(command, include_extras=True)
    return {
        name: part
        for name, hint in hints.items()
        if get_origin(hint) is Annotated
        for part in get_args(hint)[1:]
        if isinstance(part, Mark)
    }


def check_files(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command that checks the paths in its parameters before it runs."""

    @functools.wraps(command)
    def run(**given: Any) -> None:
        # Read the annotations now, because their evaluation takes too long for a list of commands.
        parameters = inspect.signature(command).parameters
        defaults = {name: each.default for name, each in parameters.items()}
        _check(marks(command), defaults | given)
        command(**given)

    return run


def _check(marked: Mapping[str, Mark], given: Mapping[str, Any]) -> None:
    named = [(name, mark) for name, mark in marked.items() if given[name] is not None]
    read = [
        path for name, mark in named if isinstance(mark, Reads) for path in mark.paths(given[name])
    ]
    for path in read:
        if is_standard_output(path) and path.is_file():
            raise InvalidInput(
                f"{str(path)!r} is an input of this command, so standard output cannot be written "
                "to it."
            )
    written: list[Path] = []
    for name, mark in named:
        if isinstance(mark, Creates):
            check_new(Path(given[name]))
        if not isinstance(mark, Writes | Continues):
            continue
        option, path = getattr(mark, "argument", "") or f"--{name}", Path(given[name])
        if isinstance(mark, Writes) and mark.folder:
            check_folder(path)
            continue
        for other in written:
            if _same(path, other):
                raise InvalidInput(
                    f"Another option already writes {str(path)!r}. {option} needs another name."
                )
        force = isinstance(mark, Writes) and given.get("force", False)
        require_output(path, mark.kind, option, read, force=force)
        written.append(path)


def check_new(path: Path) -> None:
    """Raise `InvalidInput` if a file exists at a path, or cannot be created.

    Raises
    ------
    InvalidInput
        If a file exists at the path, or the file cannot be created.
    """
    if os.path.lexists(path):
        raise InvalidInput(
            f"The file {str(path)!r} already exists, and this command never replaces it."
        )
    check_writable(path)


def require_output(
    path: Path, kind: FileFormat, option: str, read: Iterable[Path], *, force: bool
) -> None:
    """Raise `InvalidInput` if a command must not or cannot write its output to a path.

    Parameters
    ----------
    path : Path
    kind : FileFormat
        Type of the written file.
    option : str
        Option that names the file.
    read : iterable of Path
        Inputs of the command.
    force : bool
        Whether a file of another type may be replaced, unless it is a budget.

    Raises
    ------
    InvalidInput
        If the file must not be replaced, cannot be written, or has a suffix of another type.
    """
    for other in read:
        if _same(path, other):
            raise InvalidInput(
                f"{str(path)!r} is an input of this command, so it cannot be an output, too "
                f"({option})."
            )
    check_writable(path)
    found = path.stat() if path.exists() else None
    stream = found is not None and (
        stat.S_ISFIFO(found.st_mode) or stat.S_ISCHR(found.st_mode) or is_standard_output(path)
    )
    if path.suffix.lower() not in kind.marks and not (stream and kind.single):
        raise InvalidInput(
            f"{option} writes {kind.title}, so the name of its file must end in {kind.endings}. "
            f"Got {str(path)!r}."
        )
    if found is None or stream or not found.st_size:
        return
    if _is_budget(path):
        raise InvalidInput(
            f"{str(path)!r} is a budget. Budgets are never replaced, even with --force, because "
            f"their expenses would be forgotten. Choose another name ({option})."
        )
    if force:
        return
    try:
        own = kind.recognises(path)
    except OSError:
        own = False
    if not own:
        raise InvalidInput(
            f"The file {str(path)!r} already exists, and it is not {kind.title} that {option} "
            "wrote. Choose another name, or add --force to replace it."
        )


def require_folder(folder: Path, page: str, kind: FileFormat) -> None:
    """Raise `InvalidInput` unless a folder is empty or contains only an earlier output.

    Parameters
    ----------
    folder : Path
        Folder that receives the output.
    page : str
        File that identifies the folder.
    kind : FileFormat
        Type of that file.

    Raises
    ------
    InvalidInput
        If the folder is not empty and lacks the file `page` of this type.
    """
    if not folder.exists() or not any(folder.iterdir()):
        return
    if not ((folder / page).is_file() and kind.recognises(folder / page)):
        raise InvalidInput(
            f"The folder {str(folder)!r} is not empty, and it does not contain a "
            f"{kind.title.removeprefix('a ')} that could be replaced. Choose another folder, or "
            "add --force to write into it."
        )


def _is_budget(path: Path) -> bool:
    """Return whether a file is a budget, for every form of its JSON, or begins as one."""
    try:
        with path.open("rb") as file:
            if re.match(json_head(BUDGET_FORMAT), file.read(SAMPLE)):
                return True
        from lsclasses.files.documents import read_json

        data = read_json(path) if path.stat().st_size <= BUDGET_LIMIT else None
    except (OSError, InvalidInput):
        return False
    return isinstance(data, dict) and data.get("format") == BUDGET_FORMAT


def _same(one: Path, two: Path) -> bool:
    """Return whether two paths lead to one file, which need not exist yet."""
    try:
        return one.samefile(two)
    except OSError:
        return os.path.realpath(one) == os.path.realpath(two)
