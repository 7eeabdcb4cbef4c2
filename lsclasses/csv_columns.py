"""CSV files by columns: entries as texts in NumPy's strings, without an object for each of them.

`csv_columns` says what `lsclasses.files.comma_separated.read_csv` says of the same file, line for
line. Blocks of bytes are cut at commas and line ends all at once; a quoted entry is cut out as one,
as long as it has no quotes inside. What is written in any other way is read by Python's module
``csv``, which is the definition that the tests hold the fast way against.
"""

from __future__ import annotations

import codecs
import csv
import io
import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np

from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.files.comma_separated import csv_lines, require_commas, require_even
from lsclasses.files.sources import PathLike, reading, source_of

BYTE_LIMIT = 1 << 33
"""How many bytes the entries of a file may take in memory, as estimated from its first block."""

BLOCK = 1 << 18
"""How many bytes are cut at a time: what is made of them stays in the processor's cache."""

WIDE = 1 << 24
"""The entries of a column are cut out all at once if they take no more bytes than this."""

ROWS = 1 << 14
"""How many rows are taken at a time from the module ``csv``."""

ENTRY_BYTES = 16
"""The bytes of an entry in an array of texts; beyond 15 bytes its length is added."""

TEXT = np.dtypes.StringDType()

WORD = 8
"""Entries of so many bytes are cut out as one number."""

COMMA, NEWLINE, RETURN, QUOTE = b',\n\r"'


class _Unusual(Exception):
    """Something is written in a way that is left to the module ``csv``."""


@dataclass(frozen=True)
class CsvColumns:
    """The entries of a CSV file.

    Attributes
    ----------
    header : list of str
        The entries of the first line.
    columns : tuple of numpy.ndarray
        One for each of them, shape (rows,), as `as_texts` reads them.
    lines : numpy.ndarray
        The number of the line where each row begins, the header being in line 1.
    """

    header: list[str]
    columns: tuple[np.ndarray, ...]
    lines: np.ndarray


def csv_columns(path: PathLike) -> CsvColumns:
    r"""Read a CSV file by columns.

    Parameters
    ----------
    path : path
        ``-`` is standard input; `lsclasses.files.sources.FileBytes` are not read again.

    Raises
    ------
    InvalidInput
        As `lsclasses.files.comma_separated.read_csv`.
    TooLarge
        If its entries would take more than `BYTE_LIMIT`.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "people.csv"
    >>> _ = path.write_text('age,job\n\n41,"cook, chef"\n29,pilot\n')
    >>> table = csv_columns(path)
    >>> table.header, [column.tolist() for column in table.columns], table.lines.tolist()
    (['age', 'job'], [[b'41', b'29'], ['cook, chef', 'pilot']], [3, 4])
    >>> as_texts(table.columns[0]).tolist()
    ['41', '29']
    """
    with reading(Path(path)):
        source = source_of(path)
        if isinstance(source, Path) and not source.is_file():
            source = source.read_bytes()  # what comes through a pipe cannot be read twice
        size = len(source) if isinstance(source, bytes) else source.stat().st_size
        first = next(csv_lines(source), None)
        if first is None:
            raise InvalidInput("the file is empty; its first line should name the columns.")
        require_commas(first[1])
        try:
            with io.BytesIO(source) if isinstance(source, bytes) else source.open("rb") as file:
                return _gathered(_cut(file), first, size)
        except _Unusual:
            return _gathered(_parsed(source), first, size)


def as_texts(entries: np.ndarray) -> np.ndarray:
    """Return a column of `CsvColumns` as texts, dtype `numpy.dtypes.StringDType`.

    Columns without an entry of more than `WORD` bytes are kept as bytes, since to make texts of
    them takes longer than all else, and most columns are asked for as numbers, or not at all.
    """
    return entries.astype(TEXT) if entries.dtype.kind == "S" else entries


Chunk = tuple[list[np.ndarray], np.ndarray, int]
"""Some rows by columns of texts or bytes, where they begin, and how many bytes they take."""


def _gathered(chunks: Iterator[Chunk], first: tuple[int, list[str]], size: int) -> CsvColumns:
    """Return the columns of all chunks, of which the first one begins with the header."""
    # Written into place, since many small arrays would leave holes that are as large as the table.
    whole: list[np.ndarray] = []
    lines: list[np.ndarray] = []
    done = 0
    for columns, begins, read in chunks:
        if not whole:
            _require_room(len(begins), len(columns), size / max(read, 1))
            room = len(begins) + int(len(begins) * 1.02 * size / max(read, 1))
            whole = [np.empty(room, dtype=column.dtype) for column in columns]
        end = done + len(begins)
        for j, column in enumerate(columns):
            if column.dtype != whole[j].dtype and whole[j].dtype != TEXT:
                texts = np.empty(len(whole[j]), dtype=TEXT)
                # The header is kept apart; its bytes may end within a character here.
                texts[1:done] = whole[j][1:done]
                whole[j] = texts
            if end > len(whole[j]):
                more = np.empty(end, dtype=whole[j].dtype)
                whole[j] = np.concatenate([whole[j][:done], more])
            whole[j][done:end] = column
        lines.append(begins)
        done = end
    return CsvColumns(
        first[1], tuple(column[1:done] for column in whole), np.concatenate(lines)[1:]
    )


def _require_room(rows: int, columns: int, times: float) -> None:
    estimate = int(rows * times * columns * ENTRY_BYTES)
    if estimate > BYTE_LIMIT:
        raise TooLarge(
            f"the file has {columns} columns and about {int(rows * times)} rows, whose entries "
            f"take about {estimate} bytes; the limit is {BYTE_LIMIT} bytes. Write a file without "
            "the columns or rows that are not needed.",
            estimate=estimate,
            limit=BYTE_LIMIT,
        )


def _parsed(source: Path | bytes) -> Iterator[Chunk]:
    """Yield all lines, the header first, by the module ``csv``."""
    lines = csv_lines(source)
    width = 0
    while body := list(itertools.islice(lines, ROWS)):
        width = width or len(body[0][1])
        require_even(width, body)
        columns = [
            np.array(column, dtype=TEXT) for column in zip(*(c for _, c in body), strict=True)
        ]
        read = sum(len(cell) + 1 for _, cells in body for cell in cells)
        yield columns, np.array([number for number, _ in body]), read


def _cut(file: BinaryIO) -> Iterator[Chunk]:
    """Yield the columns by cutting blocks, until something unusual comes."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    width, line, left, size, headed = 0, 1, b"", BLOCK, True
    if (begin := file.read(3)) != codecs.BOM_UTF8:
        left = begin
    while True:
        read = file.read(size)
        block = left + read
        last = len(read) < size
        if not block:
            return
        if last and not block.endswith(b"\n"):
            block += b"\n"
        cut = _Block(block)
        if not cut.end:
            if last:
                raise _Unusual  # a quote that is never closed
            left, size = block, 2 * size  # a line that is longer than the block
            continue
        decoder.decode(block[: cut.end], last)
        width = width or cut.first_width
        if width:
            yield cut.columns(width, headed=headed), cut.lines(line), cut.end
            headed = False
        line += cut.breaks
        left, size = block[cut.end :], BLOCK
        if last:
            if left:
                raise _Unusual  # a quote that is never closed
            return


class _Block:
    """Bytes cut at commas and line ends, as far as whole lines go.

    Attributes
    ----------
    end : int
        The length of all whole lines.
    breaks : int
        How many line ends there are among them, those in quotes included.
    """

    def __init__(self, block: bytes) -> None:
        data = np.frombuffer(block, dtype=np.uint8)
        self._quoted = b'"' in block
        cuts = np.flatnonzero((data == COMMA) | (data == NEWLINE))
        if self._quoted:
            # What is inside quotes has an odd number of them before it.
            inside = np.logical_xor.accumulate(data == QUOTE)
            cuts = cuts[~inside[cuts]]
        closing = data[cuts] == NEWLINE
        newlines = np.flatnonzero(closing)
        self.end = int(cuts[newlines[-1]]) + 1 if len(newlines) else 0
        if not self.end:
            return
        returns = block.count(b"\r", 0, self.end) if b"\r" in block else 0
        if b"\0" in block or (returns and returns != block.count(b"\r\n", 0, self.end)):
            raise _Unusual
        self._data = data[: self.end]
        cuts, closing = cuts[: newlines[-1] + 1], closing[: newlines[-1] + 1]
        starts = np.empty_like(cuts)
        starts[0], starts[1:] = 0, cuts[:-1] + 1
        ends = cuts
        if returns:
            ends = cuts - (closing & (cuts > starts) & (data[cuts - 1] == RETURN))
        first = np.append(0, newlines[:-1] + 1)
        # A line without any byte is no row.
        blank = closing[first] & (ends[first] == starts[first])
        self._begins = starts[first[~blank]]
        if blank.any():
            kept = np.ones(len(cuts), dtype=bool)
            kept[first[blank]] = False
            starts, ends, closing = starts[kept], ends[kept], closing[kept]
        self._starts, self._ends, self._closing = starts, ends, closing
        self.breaks = block.count(b"\n", 0, self.end) if self._quoted else len(newlines)

    @property
    def first_width(self) -> int:
        """How many entries the first row has."""
        return int(np.argmax(self._closing)) + 1 if len(self._closing) else 0

    def lines(self, line: int) -> np.ndarray:
        """Return the lines where rows begin, if the block begins in this one."""
        if self.breaks == len(self._begins):
            return np.arange(line, line + self.breaks)
        breaks = np.flatnonzero(self._data == NEWLINE)
        found: np.ndarray = line + np.searchsorted(breaks, self._begins)
        return found

    def columns(self, width: int, *, headed: bool) -> list[np.ndarray]:
        """The entries by columns, `width` of them in every row; those of a header may be cut off.

        A column is of bytes if no entry has more than `WORD` of them, and else of texts.
        """
        rows = len(self._begins)
        closing = np.zeros(width, dtype=bool)
        closing[-1:] = True
        if len(self._starts) != rows * width or not np.array_equal(
            self._closing.reshape(rows, width), np.broadcast_to(closing, (rows, width))
        ):
            raise _Unusual  # the module csv says which line is ragged
        starts, ends = self._starts, self._ends
        if self._quoted:
            starts, ends = self._unquoted(starts, ends)
        lengths = (ends - starts).reshape(rows, width)
        # Every entry is cut out with the bytes behind it, up to the longest of its column.
        longest = lengths[int(headed) :].max(axis=0, initial=0)
        behind = max(WORD, int(longest.max(initial=0)))
        data = np.concatenate([self._data, np.zeros(behind, dtype=np.uint8)])
        words = _words(data, starts, lengths.ravel()).reshape(rows, width)
        return [
            words[:, j]
            if longest[j] <= WORD
            else _texts(data, starts[j::width], lengths[:, j], int(longest[j]))
            for j in range(width)
        ]

    def _unquoted(self, starts: np.ndarray, ends: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the positions where entries begin and end, without the quotes around them."""
        quoted = (self._data[starts] == QUOTE) & (ends > starts)
        opened, closed = starts[quoted], ends[quoted] - 1
        if (
            (closed <= opened).any()
            or (self._data[closed] != QUOTE).any()
            or np.count_nonzero(self._data == QUOTE) != 2 * np.count_nonzero(quoted)
        ):
            raise _Unusual
        return starts + quoted, ends - quoted


def _words(data: np.ndarray, starts: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """Return the first bytes of the texts at some places, up to `WORD` of them; shape (places,)."""
    windows = np.ndarray((len(data) - WORD + 1,), "<u8", data, strides=(1,))
    masks = np.array([(1 << 8 * size) - 1 for size in range(WORD + 1)], dtype="<u8")
    kept: np.ndarray = windows[starts] & masks.take(lengths, mode="clip")
    # Zeros behind a text are left out by NumPy.
    return kept.astype("<u8", copy=False).view(f"S{WORD}")


def _texts(data: np.ndarray, starts: np.ndarray, lengths: np.ndarray, longest: int) -> np.ndarray:
    """Return the texts at some places, shape (places,)."""
    if longest > csv.field_size_limit():
        raise _Unusual
    if longest * len(starts) > WIDE:
        raw = data.tobytes()
        return np.array(
            [
                raw[start : start + length].decode()
                for start, length in zip(starts.tolist(), lengths.tolist(), strict=True)
            ],
            dtype=TEXT,
        )
    windows = np.ndarray((len(data) - longest + 1,), f"V{longest}", data, strides=(1,))
    cells = windows[starts].view(np.uint8).reshape(len(starts), longest)
    cells *= np.arange(longest, dtype=np.int32) < lengths[:, None].astype(np.int32)
    texts: np.ndarray = cells.view(f"S{longest}").ravel().astype(TEXT)
    return texts
