"""Where commands may write: never over what they read, nor over a file that is not theirs.

A parameter of a command that names a file is marked: `Reads` if the file is read, `Writes` if it is
written, with the `FileFormat` of file that is written for that option, `Creates` if it must not be
there yet, `Continues` if it is read first where it is there. `check_files` wraps the command, so
that before anything is read, computed or paid for

* no output is the file that something else is read from or written to, under whatever name:
  ``./``, a symbolic or hard link, another case where the system ignores case;
* the ending of each output agrees with what is written;
* an existing file is replaced only if it is empty, or what this program wrote for the same option,
  which its beginning tells; ``--force`` replaces other files too, if they are not write-protected
  and no budgets: what was spent is never forgotten;
* something can be written there.
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
"""How many bytes at the beginning, and at the end, of a file are looked at."""

BUDGET_FORMAT = "lsclasses-budget"
"""The format of the files that no output replaces; `learners.budget_files` writes them."""
STATE_FORMAT = "lsclasses-paused-game"
"""The format of paused games; `learners.playing.state_files` writes them."""
BUDGET_LIMIT = 1 << 26
"""The size of a file that is read as a whole to see whether it is a budget."""


@dataclass(frozen=True)
class FileFormat:
    """A kind of file that this program writes for one option.

    Attributes
    ----------
    title : str
        With an article, such as "a picture of a tree".
    marks : mapping from str to bytes or None
        For each ending, a regular expression that matches only in files of this kind; None if they
        cannot be told from files of users.
    """

    title: str
    marks: Mapping[str, bytes | None]

    @property
    def endings(self) -> str:
        """The endings of its file names, in words: ``.svg, .pdf or .png``."""
        *most, last = self.marks
        return f"{', '.join(most)} or {last}" if most else last

    @property
    def single(self) -> bool:
        """Whether it has one format, whatever the name of the file ends in."""
        return len(set(self.marks.values())) == 1

    def recognises(self, path: Path) -> bool:
        """Return whether a file is of this kind, by its beginning and end."""
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
    """What the program writes for an option that names such a page."""
    mark = rb"<!doctype html>\n<!-- lsclasses: " + kind.encode() + rb" -->"
    return FileFormat(title, {".html": mark, ".htm": mark})


def json_head(form: str, kind: str = "") -> bytes:
    r"""The mark of a file in JSON that begins with its format, and its kind if it has several.

    Examples
    --------
    >>> bool(re.match(json_head("lsclasses-model"), b'{\n "format": "lsclasses-model",'))
    True
    """
    head = rf'\s*\{{\s*"format":\s*"{form}"'
    return (head + (rf',\s*"version":\s*\d+,\s*"kind":\s*"(?:{kind})"' if kind else "")).encode()


@dataclass(frozen=True)
class Reads:
    """Marks a parameter that names a file, or several, which the command reads.

    Attributes
    ----------
    prefix : str
        Only a text that begins so names a file, by what follows.
    unless : str
        A text that contains this names no file.
    """

    prefix: str = ""
    unless: str = ""

    def paths(self, value: Any) -> Iterable[Path]:
        """Yield the files that the value of the parameter names; a specification names none."""
        for text in map(str, value if isinstance(value, (list, tuple)) else [value]):
            if text.startswith(self.prefix) and not (self.unless and self.unless in text):
                yield Path(text[len(self.prefix) :])


@dataclass(frozen=True)
class Writes:
    """Marks a parameter that names the file, or the folder, which the command writes."""

    kind: FileFormat
    folder: bool = False


@dataclass(frozen=True)
class Creates:
    """Marks a parameter that names a file which the command makes, and never replaces."""


@dataclass(frozen=True)
class Continues:
    """Marks a parameter that names a file which the command goes on from, and then replaces.

    Another file that is there is never replaced, not even with ``--force``.
    """

    kind: FileFormat


Mark = Reads | Writes | Creates | Continues


def marks(command: Callable[..., Any]) -> dict[str, Mark]:
    """Return the marked parameters of a command, by name."""
    hints = get_type_hints(command, include_extras=True)
    return {
        name: part
        for name, hint in hints.items()
        if get_origin(hint) is Annotated
        for part in get_args(hint)[1:]
        if isinstance(part, Mark)
    }


def check_files(command: Callable[..., None]) -> Callable[..., None]:
    """Wrap a command so that it refuses bad paths in its marked parameters before it runs."""

    @functools.wraps(command)
    def run(**given: Any) -> None:
        # Read now, and not when all commands are listed: annotations take long to evaluate.
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
                f"{str(path)!r} is read here, so standard output cannot be written to it as well."
            )
    written: list[Path] = []
    for name, mark in named:
        if isinstance(mark, Creates):
            check_new(Path(given[name]))
        if not isinstance(mark, Writes | Continues):
            continue
        option, path = f"--{name}", Path(given[name])
        if isinstance(mark, Writes) and mark.folder:
            check_folder(path)
            continue
        for other in written:
            if _same(path, other):
                raise InvalidInput(
                    f"{str(path)!r} is written already; {option} needs another name."
                )
        force = isinstance(mark, Writes) and given.get("force", False)
        require_output(path, mark.kind, option, read, force=force)
        written.append(path)


def check_new(path: Path) -> None:
    """Refuse a path where no file can be made, or where there is one.

    Raises
    ------
    InvalidInput
    """
    if os.path.lexists(path):
        raise InvalidInput(f"There is a file {str(path)!r} already, and it is never replaced.")
    check_writable(path)


def require_output(
    path: Path, kind: FileFormat, option: str, read: Iterable[Path], *, force: bool
) -> None:
    """Refuse a file that must not, or cannot, be written.

    Parameters
    ----------
    path : Path
    kind : Kind
        What is written.
    option : str
        Which option names it.
    read : iterable of Path
        What the command reads.
    force : bool
        Whether a file that is not of this kind may be replaced, unless it is a budget.

    Raises
    ------
    InvalidInput
        Also if the ending of the name is not one of the kind's.
    """
    for other in read:
        if _same(path, other):
            raise InvalidInput(
                f"{str(path)!r} is read here, so it cannot be written to as well ({option})."
            )
    check_writable(path)
    found = path.stat() if path.exists() else None
    stream = found is not None and (
        stat.S_ISFIFO(found.st_mode) or stat.S_ISCHR(found.st_mode) or is_standard_output(path)
    )
    if path.suffix.lower() not in kind.marks and not (stream and kind.single):
        raise InvalidInput(
            f"{option} writes {kind.title}, so the name of its file ends in {kind.endings}. "
            f"Got {str(path)!r}."
        )
    if found is None or stream or not found.st_size:
        return
    if _is_budget(path):
        raise InvalidInput(
            f"{str(path)!r} is a budget, which is never replaced, not even with --force: what was "
            f"spent would be forgotten. Choose another name ({option})."
        )
    if force:
        return
    try:
        own = kind.recognises(path)
    except OSError:
        own = False
    if not own:
        raise InvalidInput(
            f"There is a file {str(path)!r} already, and it is not {kind.title} that {option} "
            "wrote. Choose another name, or add --force to replace it."
        )


def require_folder(folder: Path, page: str, kind: FileFormat) -> None:
    """Refuse a folder in which there is something else than what is written there as a whole.

    Parameters
    ----------
    folder : Path
    page : str
        The file in it by which it is known.
    kind : Kind
        What that file is.

    Raises
    ------
    InvalidInput
    """
    if not folder.exists() or not any(folder.iterdir()):
        return
    if not ((folder / page).is_file() and kind.recognises(folder / page)):
        raise InvalidInput(
            f"The folder {str(folder)!r} is not empty, and there is no "
            f"{kind.title.removeprefix('a ')} in it that could be written anew. Choose another "
            "one, or add --force to write into it."
        )


def _is_budget(path: Path) -> bool:
    """Return whether a file is a budget, in whatever way its JSON is written, or begins as one."""
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
    """Return whether two names are of one file, which need not exist yet."""
    try:
        return one.samefile(two)
    except OSError:
        return os.path.realpath(one) == os.path.realpath(two)
