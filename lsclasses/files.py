"""Tables and streams of examples in files: CSV, JSON, NPY and NPZ, chosen by the suffix.

CSV
    The first line names the points, every further line is a concept. The first column may hold
    the names of the concepts: it does if its head is empty, ``concept`` or ``name``, or if none
    of its entries is 0 or 1. Names are written as `lsclasses.points.to_text` does.
JSON
    ``{"format": "lsclasses-table", "version": 1, "points": [...], "concepts": [...] or null,
    "rows": ["0110", ...]}``; a row may also be a list of 0 and 1. An object that has an entry
    twice is refused, here and in all other JSON that is read.
NPY
    The bare array of shape (concepts, points); it keeps no names.
NPZ
    The arrays ``labels`` and, optionally, ``points`` and ``concepts``, whose entries are names in
    JSON. Nothing is ever unpickled.

A stream is a CSV file with the columns ``point,label`` (or ``x,y``), one example a line; others
beside them, as ``lsclasses run --csv`` writes them, are passed over.

The path ``-`` is standard input: a table in CSV, or in JSON, or a stream.
"""

from __future__ import annotations

import csv
import io
import json
import os
import stat
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from errno import EACCES, EISDIR, ENOTDIR, EPERM
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from lsclasses.arrays import npy_parts, npz_bytes, read_npy, read_npz
from lsclasses.compressed import expanded
from lsclasses.errors import InvalidInput
from lsclasses.json_text import parsed_json
from lsclasses.points import Label, Point, from_json, from_text, to_json, to_text
from lsclasses.table import Table, require_memory

__all__ = [
    "SUFFIXES",
    "FileBytes",
    "atomic_write",
    "check_folder",
    "check_writable",
    "csv_lines",
    "csv_parts",
    "is_standard_output",
    "load_stream",
    "load_table",
    "read_csv",
    "read_json",
    "reading",
    "require_commas",
    "require_even",
    "same_json",
    "save_table",
    "source_of",
    "table_from_json",
    "table_to_json",
    "write_all",
]

FORMAT = "lsclasses-table"
VERSION = 1

CONCEPT_HEADS = ("", "concept", "name")
STREAM_HEADS = (("point", "label"), ("x", "y"))

STANDARD_INPUT = Path("-")

PART = 1 << 16
"""About how many characters of rows are written at a time."""

PathLike = str | os.PathLike[str]
Content = str | bytes | Iterator[bytes]
"""What is written to a file; what is large comes in parts."""
Form = TypeVar("Form")


@dataclass(frozen=True)
class FileBytes(os.PathLike[str]):
    r"""The bytes of a file, read once.

    A path may lead to other bytes when it is read again: those of a pipe are gone, and a file may
    have been swapped. What reads rows takes this in place of their path, so that what is said of
    the bytes is said of what was read.

    Parameters
    ----------
    path : Path
        For messages; ``-`` is standard input.
    content : bytes

    Examples
    --------
    >>> import tempfile
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
        """All bytes of a file.

        Raises
        ------
        InvalidInput
            If it cannot be read.
        """
        source = Path(path)
        with reading(source):
            found = source_of(source)
            return cls(source, found if isinstance(found, bytes) else found.read_bytes())

    @cached_property
    def digest(self) -> str:
        """Their SHA-256, with the name of the method before it."""
        return f"sha256:{sha256(self.content).hexdigest()}"

    def __fspath__(self) -> str:
        return str(self.path)

    def __str__(self) -> str:
        return str(self.path)


def load_table(path: PathLike) -> Table:
    r"""Read a table.

    Parameters
    ----------
    path : path
        Its suffix, ``.csv``, ``.json``, ``.npy`` or ``.npz``, tells the format; ``-`` is standard
        input.

    Returns
    -------
    Table
        Its attribute `merged` says how many duplicate rows the file had.

    Raises
    ------
    InvalidInput
        If the file cannot be read, or is not a table of at least one concept on at least one
        point.
    TooLarge
        If the table exceeds `lsclasses.table.BYTE_LIMIT`.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "class.csv"
    >>> _ = path.write_text("concept,a,b\nnone,0,0\nboth,1,1\n")
    >>> load_table(path).concept_names
    ('none', 'both')
    """
    source = Path(path)
    if source == STANDARD_INPUT:
        with reading(source):
            data = sys.stdin.buffer.read()
            if data.lstrip()[:1] in (b"{", b"["):
                return table_from_json(parsed_json(data), "standard input")
            return _table_of_lines(csv_lines(data), "standard input")
    read = _by_suffix(source, READERS)
    with reading(source):
        return read(source)


def save_table(table: Table, path: PathLike) -> None:
    """Write a table, all of the file or nothing.

    Parameters
    ----------
    table : Table
        With at least one concept.
    path : path
        Its suffix tells the format. All formats keep the names of points and concepts, except
        ``.npy``, which holds the labels only.

    Raises
    ------
    InvalidInput
        If the suffix is unknown, the class is empty, a name cannot be written, or the file cannot.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "class.csv"
    >>> save_table(Table([[0, 1], [1, 1]], domain=["a", (0, 1)]), path)
    >>> print(path.read_text(), end="")
    a,"(0, 1)"
    0,1
    1,1
    """
    target = Path(path)
    write = _by_suffix(target, WRITERS)
    if table.is_empty or not table.points:
        missing = "the class is empty" if table.is_empty else "the class has no points"
        raise InvalidInput(
            f"Cannot write {str(target)!r}: {missing}, and a table in a file has at least one "
            "concept on at least one point."
        )
    atomic_write(target, write(table))


def load_stream(path: PathLike) -> list[tuple[Point, Label]]:
    r"""Read a stream of labelled examples.

    Parameters
    ----------
    path : path
        A CSV file whose header is ``point,label`` or ``x,y``, or has both among others; ``-`` is
        standard input.

    Returns
    -------
    list of (point, label)

    Raises
    ------
    InvalidInput
        If the file cannot be read, lacks the header, has a column of it twice, or a line is no
        example.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "examples.csv"
    >>> _ = path.write_text('point,label\n3,1\n"(0, 1)",0\n')
    >>> load_stream(path)
    [(3, 1), ((0, 1), 0)]
    >>> _ = path.write_text('round,point,label,prediction\n1,3,1,0\n')
    >>> load_stream(path)
    [(3, 1)]
    """
    with reading(Path(path)):
        lines = csv_lines(source_of(path))
        first = next(lines, None)
        if first is not None:
            require_commas(first[1])
        header = [] if first is None else [cell.strip().lower() for cell in first[1]]
        head = next((head for head in STREAM_HEADS if {*head} <= {*header}), None)
        if head is None:
            got = "an empty file" if first is None else repr(",".join(first[1]))
            lacking = len(header) == 2 and header[1] in ("0", "1")
            raise InvalidInput(
                f"a stream starts with the header point,label. Got {got}"
                + (", which is an example: write the header in a line above it." * lacking or ".")
            )
        for name in head:
            if header.count(name) > 1:
                raise InvalidInput(
                    f"the header of a stream has one column {name!r}. "
                    f"Got {header.count(name)} of them."
                )
        x, y = map(header.index, head)
        examples: list[tuple[Point, Label]] = []
        for number, cells in lines:
            if len(cells) != len(header):
                wanted = f"{len(header)} entries" if len(header) > 2 else "a point and a label"
                got = _count(len(cells), "entry", "entries")
                raise InvalidInput(f"line {number} should hold {wanted}. Got {got}.")
            if cells[y].strip() not in ("0", "1"):
                raise InvalidInput(f"the label in line {number} must be 0 or 1. Got {cells[y]!r}.")
            examples.append((from_text(cells[x]), int(cells[y])))
        return examples


def read_json(path: PathLike) -> Any:
    """The content of a JSON file, which may be compressed by gzip.

    Raises
    ------
    InvalidInput
        If it cannot be read or is not JSON.
    """
    source = Path(path)
    with reading(source):
        return parsed_json(expanded(source.read_bytes(), source))


def read_csv(path: PathLike) -> tuple[list[str], list[tuple[int, list[str]]]]:
    r"""The header of a CSV file, and its other lines, each with its number; blank ones left out.

    Parameters
    ----------
    path : path

    Raises
    ------
    InvalidInput
        If the file cannot be read, is empty, is separated by something else than commas, or a line
        has more or fewer entries than the header.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "people.csv"
    >>> _ = path.write_text('age,smoker\n\n41,1\n')
    >>> read_csv(path)
    (['age', 'smoker'], [(3, ['41', '1'])])
    """
    with reading(Path(path)):
        lines = csv_lines(source_of(path))
        first = next(lines, None)
        if first is None:
            raise InvalidInput("the file is empty; its first line should name the columns.")
        header = first[1]
        require_commas(header)
        body = list(lines)
        require_even(len(header), body)
        return header, body


def same_json(one: Any, other: Any) -> bool:
    """Whether two documents of JSON are written alike but for blanks and the order of entries.

    Python takes ``true`` for 1 and ``2.0`` for 2; who reads the text does not.

    Examples
    --------
    >>> same_json({"a": 1, "b": [2]}, {"b": [2], "a": 1}), same_json([1], [True])
    (True, False)
    """
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def atomic_write(path: PathLike, content: Content) -> None:
    """Write a file so that it is there completely or, after a failure, as it was before.

    Raises
    ------
    InvalidInput
        If the file cannot be written.
    """
    write_all([(path, content)])


def write_all(contents: Collection[tuple[PathLike, Content]]) -> None:
    """Write several files, all or none: after a failure or an interruption no new one is left.

    A device, a pipe or standard output is written to as it is; a file does not take its place.

    Parameters
    ----------
    contents : collection of (path, str, bytes or iterator over bytes)

    Raises
    ------
    InvalidInput
        If one of them cannot be written; the message names it.
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
            raise InvalidInput(f"Cannot write {str(path)!r}: {_reason(error)}.") from None
        raise


def _parts(content: Content) -> Iterable[bytes]:
    if isinstance(content, str):
        content = content.encode()
    return [content] if isinstance(content, bytes) else content


def _fill(target: Path, draft: Path, parts: Iterable[bytes]) -> None:
    with draft.open("xb") as file:
        with suppress(FileNotFoundError):
            # Who could not read the file that is replaced cannot read the new one.
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
    """Whether a path is what standard output goes to, such as /dev/stdout."""
    try:
        return os.path.samestat(Path(path).stat(), os.fstat(1))
    except OSError:
        return False


def check_writable(path: PathLike) -> None:
    """Refuse a path that `atomic_write` will not be able to write to, before long work is done.

    Raises
    ------
    InvalidInput
        If no file can be written there, or the one that is there is write-protected.
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
                # In a folder such as /tmp nobody replaces what others own.
                raise PermissionError(EPERM, os.strerror(EPERM))
        _, draft = _with_draft(target)
        draft.touch(exist_ok=False)
        draft.unlink()
    except OSError as error:
        raise InvalidInput(f"Cannot write {str(path)!r}: {_reason(error)}.") from None


def check_folder(path: PathLike, names: Iterable[str] = ()) -> None:
    """Refuse a folder in which no file can be made, or which cannot be made itself.

    Parameters
    ----------
    path : path
    names : iterable of str
        Of files that are to be made there.

    Raises
    ------
    InvalidInput
        If nothing can be written there, or not under these names.
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
        raise InvalidInput(f"Cannot write into {str(path)!r}: {_reason(error)}.") from None


def _with_draft(path: Path) -> tuple[Path, Path]:
    """Where a file really lies, and a new name beside it for what becomes the file."""
    target = Path(os.path.realpath(path))
    return target, target.with_name(f".{target.name[:100]}.{os.urandom(4).hex()}.part")


# ---- CSV


def _read_csv(path: Path) -> Table:
    return _table_of_lines(csv_lines(source_of(path)), repr(str(path)))


def _table_of_lines(lines: Iterator[tuple[int, list[str]]], name: str) -> Table:
    first = next(lines, None)
    if first is None:
        raise InvalidInput("the file is empty; its first line should name the points.")
    header = first[1]
    require_commas(header)
    body = list(lines)
    if not body:
        raise InvalidInput("there is only a header; every further line should be a concept.")
    require_even(len(header), body)
    named = header[0].strip().lower() in CONCEPT_HEADS or (
        len(header) > 1 and not any(cells[0].strip() in ("0", "1") for _, cells in body)
    )
    heads = header[named:]
    if not heads:
        raise InvalidInput("there is no point: the only column holds the names of the concepts.")
    for j, head in enumerate(heads, start=1 + named):
        if not head.strip():
            raise InvalidInput(f"the point of column {j} has no name in the header.")
    words = [head.strip() for head in heads]
    if {"0", "1"}.issuperset(words) and len({*words}) < len(words):
        raise InvalidInput(
            "the first line names the points, and here it holds labels: 0 and 1 only. If it is a "
            "concept, write a line with names of the points above it."
        )
    require_memory(len(body), len(heads), name)
    labels = np.array([_csv_labels(number, cells[named:], heads) for number, cells in body])
    names = [from_text(cells[0]) for _, cells in body] if named else None
    return Table(labels, [from_text(head) for head in heads], names)


def csv_parts(rows: Iterable[tuple[Sequence[str], int]]) -> Iterator[bytes]:
    r"""Rows as lines of CSV, in parts of moderate size, for `write_all`.

    Parameters
    ----------
    rows : iterable of (sequence of str, int)
        The entries of a row, and how often in turn it is written.

    Examples
    --------
    >>> b"".join(csv_parts([(["point"], 1), (["a, b"], 2)]))
    b'point\n"a, b"\n"a, b"\n'
    """
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    for entries, times in rows:
        if times == 1:
            writer.writerow(entries)
        else:
            if buffer.tell():
                yield _emptied(buffer)
            writer.writerow(entries)
            line = _emptied(buffer)
            most = max(1, PART // len(line))
            for _ in range(times // most):
                yield line * most
            yield line * (times % most)
        if buffer.tell() >= PART:
            yield _emptied(buffer)
    yield _emptied(buffer)


def _emptied(buffer: io.StringIO) -> bytes:
    text = buffer.getvalue()
    buffer.seek(0)
    buffer.truncate()
    return text.encode()


def require_commas(header: Sequence[str]) -> None:
    """Refuse a file of one column whose head shows what its columns are separated by."""
    if len(header) == 1:
        for separator, name in ((";", "semicolons"), ("\t", "tabs"), ("|", "bars")):
            if separator in header[0]:
                raise InvalidInput(
                    f"entries must be separated by commas, and here they are by {name}. Got the "
                    f"single column {header[0]!r}."
                )


def require_even(width: int, body: Sequence[tuple[int, Sequence[str]]]) -> None:
    """Refuse lines with more or fewer entries than the header, which has `width` of them."""
    for number, cells in body:
        if len(cells) != width:
            raise InvalidInput(
                f"line {number} has {_count(len(cells), 'entry', 'entries')}, "
                f"the header has {width}."
            )


def _csv_labels(number: int, cells: Sequence[str], heads: Sequence[str]) -> np.ndarray:
    entries = cells
    if not {"0", "1"}.issuperset(entries):
        entries = [cell.strip() for cell in cells]
        for head, entry in zip(heads, entries, strict=True):
            if entry not in ("0", "1"):
                raise InvalidInput(
                    f"entries must be 0 or 1. Got {entry!r} in line {number}, column {head!r}."
                )
    return _digits("".join(entries))


def _digits(text: str) -> np.ndarray:
    """The entries of a row written as a text of 0 and 1."""
    return np.frombuffer(text.encode(), dtype=np.uint8) - np.uint8(ord("0"))


def source_of(path: PathLike) -> Path | bytes:
    """Where the lines of a file are; or what they are, if they were read, or on standard input."""
    if isinstance(path, FileBytes):
        return path.content
    source = Path(path)
    return sys.stdin.buffer.read() if source == STANDARD_INPUT else source


def csv_lines(source: Path | bytes) -> Iterator[tuple[int, list[str]]]:
    """The lines that are not blank, each with its number, the first being 1."""
    opened: io.TextIOBase | io.TextIOWrapper = (
        io.StringIO(source.decode("utf-8-sig"), newline="")
        if isinstance(source, bytes)
        else source.open(encoding="utf-8-sig", newline="")
    )
    with opened as file:
        reader = csv.reader(file, strict=True)
        start = 1
        try:
            for cells in reader:
                if cells:
                    yield start, cells
                start = reader.line_num + 1
        except csv.Error as error:
            raise InvalidInput(f"line {start} is not valid CSV: {error}.") from None


def _csv_bytes(table: Table) -> bytes:
    header = [to_text(x) for x in table.points]
    names: list[str] | None = None
    if table.concept_names is not None:
        header.insert(0, "concept")
        names = [to_text(name) for name in table.concept_names]
    elif header[0].lower() in CONCEPT_HEADS:
        header[0] = repr(header[0])
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(header)
    for i, row in enumerate(table.labels.tolist()):
        writer.writerow(row if names is None else [names[i], *row])
    return buffer.getvalue().encode()


# ---- JSON


def _read_json(path: Path) -> Table:
    return table_from_json(parsed_json(path.read_bytes()), repr(str(path)))


def table_from_json(data: Any, name: str = "the table") -> Table:
    """The table in a JSON document that was parsed.

    Parameters
    ----------
    data : object
    name : str
        What it is called where it is too large.

    Raises
    ------
    InvalidInput
        If it is no table.
    TooLarge
        If it exceeds `lsclasses.table.BYTE_LIMIT`.
    """
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise InvalidInput(
            f'a table in JSON is an object with "format": "{FORMAT}", "points" and "rows".'
        )
    if data.get("version") != VERSION:
        raise InvalidInput(f"its version must be {VERSION}. Got {data.get('version')!r}.")
    points = _json_names(data, "points")
    rows = data.get("rows")
    if points is None or not isinstance(rows, list):
        raise InvalidInput('it needs the lists "points" and "rows".')
    if not points or not rows:
        raise InvalidInput("a table has at least one point and one concept.")
    require_memory(len(rows), len(points), name)
    labels = np.array([_json_labels(i, row, len(points)) for i, row in enumerate(rows)])
    return Table(labels, points, _json_names(data, "concepts"))


def _json_names(data: dict[str, Any], key: str) -> list[Point] | None:
    names = data.get(key)
    if names is not None and not isinstance(names, list):
        raise InvalidInput(f'"{key}" must be a list of names. Got {names!r}.')
    return None if names is None else [from_json(name) for name in names]


def _json_labels(i: int, row: Any, points: int) -> np.ndarray:
    if not isinstance(row, (str, list)):
        raise InvalidInput(f'row {i} must be a text such as "0110" or a list. Got {row!r}.')
    if len(row) != points:
        raise InvalidInput(
            f"row {i} has {_count(len(row), 'entry', 'entries')}, "
            f"but there are {_count(points, 'point', 'points')}."
        )
    for j, entry in enumerate(row):
        if entry not in ("0", "1") and not (type(entry) is int and entry in (0, 1)):
            raise InvalidInput(f"entries must be 0 or 1. Got {entry!r} in row {i}, column {j}.")
    return _digits("".join(map(str, row)))


def _json_bytes(table: Table) -> bytes:
    return (json.dumps(table_to_json(table), indent=1) + "\n").encode()


def table_to_json(table: Table) -> dict[str, Any]:
    """A table as an object of JSON; `table_from_json` reads it.

    Examples
    --------
    >>> table_to_json(Table([[0, 1], [1, 1]]))["rows"]
    ['01', '11']
    """
    names = table.concept_names
    return {
        "format": FORMAT,
        "version": VERSION,
        "points": [to_json(x) for x in table.points],
        "concepts": None if names is None else [to_json(name) for name in names],
        "rows": ["".join(map(str, row)) for row in table.labels.tolist()],
    }


# ---- what all formats share


READERS: dict[str, Callable[[Path], Table]] = {
    ".csv": _read_csv,
    ".json": _read_json,
    ".npy": read_npy,
    ".npz": read_npz,
}
WRITERS: dict[str, Callable[[Table], Content]] = {
    ".csv": _csv_bytes,
    ".json": _json_bytes,
    ".npy": npy_parts,
    ".npz": npz_bytes,
}
SUFFIXES = tuple(READERS)
"""The suffixes of the formats that tables are read from and written to."""


def _by_suffix(path: Path, known: dict[str, Form]) -> Form:
    found = known.get(path.suffix.lower())
    if found is None:
        raise InvalidInput(
            f"The suffix of a table's file tells its format, one of {', '.join(known)}. "
            f"Got {str(path)!r}."
        )
    return found


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Turn whatever goes wrong inside into `InvalidInput` that names the file."""
    try:
        yield
    except OSError as error:
        reason = _reason(error)
    except UnicodeDecodeError as error:
        reason = _encoding(error)
    except InvalidInput as error:
        reason = str(error).rstrip(".")
    else:
        return
    name = "standard input" if path == STANDARD_INPUT else repr(str(path))
    raise InvalidInput(f"Cannot read {name}: {reason}.") from None


def _encoding(error: UnicodeDecodeError) -> str:
    """What is wrong with bytes that are no UTF-8, and what they may be."""
    begin = bytes(error.object[:2])
    if begin in (b"\xff\xfe", b"\xfe\xff"):
        return "it is text in UTF-16; save it as UTF-8 (iconv -f UTF-16 -t UTF-8)"
    byte = error.object[error.start]
    return (
        f"it is not text in UTF-8: there is a byte 0x{byte:02X} where none can be. If it was "
        "written in Latin-1 or Windows-1252, save it as UTF-8 (iconv -f WINDOWS-1252 -t UTF-8)"
    )


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
