"""CSV files by columns, with entries in arrays of NumPy's strings.

`csv_columns` and `lsclasses.files.comma_separated.read_csv` report the same errors for the same
file, line for line. The fast method cuts blocks of bytes at commas and line ends all at once. A
quoted entry is cut out as one entry if it contains no quotes. Python's module ``csv`` reads all
other entries. It is the definition against which the tests check the fast method.
"""

from __future__ import annotations

import codecs
import csv
import io
import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np

from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.files.comma_separated import csv_lines, require_commas, require_even
from lsclasses.files.sources import PathLike, reading, source_of

BYTE_LIMIT = 1 << 33
"""Largest number of bytes of the entries in memory, estimated from the first block."""

BLOCK = 1 << 18
"""Number of bytes that are cut at a time, so that results stay in the processor's cache."""

WIDE = 1 << 24
"""Largest number of bytes of the entries of a column that are cut out all at once."""

ROWS = 1 << 14
"""Number of rows that are read at a time from the module ``csv``."""

ENTRY_BYTES = 16
"""Bytes of an entry in an array of strings. Entries beyond 15 bytes also need their length."""

TEXT = np.dtypes.StringDType()

WORD = 8
"""Largest number of bytes of an entry that is cut out as one integer."""

NEWLINE, RETURN, QUOTE = b'\n\r"'


class _Unusual(Exception):
    """Syntax that only the module ``csv`` reads."""


@dataclass(frozen=True)
class CsvColumns:
    """The entries of a CSV file, stored by columns.

    Attributes
    ----------
    header : list of str
        The entries of the first line.
    columns : tuple of numpy.ndarray
        The entries of each column, shape (rows,). `as_texts` converts them to strings.
    lines : numpy.ndarray
        Number of the line where each row begins. The header is in line 1.
    """

    header: list[str]
    columns: tuple[np.ndarray, ...]
    lines: np.ndarray


def csv_columns(path: PathLike, separator: str = ",", option: str = "") -> CsvColumns:
    r"""Return the entries of a CSV file as columns.

    Parameters
    ----------
    path : path
        Path of the file, or ``-`` for standard input. If the path is an object
        `lsclasses.files.sources.FileBytes`, which stores the bytes, the file is not read again.
    separator : str
        Character between the entries of a line.
    option : str
        Name of the option that chooses the separator, for error messages.

    Raises
    ------
    InvalidInput
        If the file is not a CSV file, as in `lsclasses.files.comma_separated.read_csv`.
    TooLarge
        If the entries would need more than `BYTE_LIMIT` bytes.

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
            source = source.read_bytes()  # a pipe cannot be read twice
        size = len(source) if isinstance(source, bytes) else source.stat().st_size
        first = next(csv_lines(source, separator, option), None)
        if first is None:
            raise InvalidInput("the file is empty. Its first line should name the columns.")
        if separator == ",":
            require_commas(first[1], option)
        try:
            with io.BytesIO(source) if isinstance(source, bytes) else source.open("rb") as file:
                return _gathered(_cut(file, separator), first, size)
        except _Unusual:
            return _gathered(_parsed(source, separator), first, size)


def as_texts(entries: np.ndarray) -> np.ndarray:
    """Return a column of `CsvColumns` as strings, dtype `numpy.dtypes.StringDType`.

    Columns whose entries all have at most `WORD` bytes remain bytes. Their conversion to strings is
    the slowest step, and most columns are used as numbers or not at all.
    """
    return entries.astype(TEXT) if entries.dtype.kind == "S" else entries


# ---- short entries


def numbers_of_known(entries: np.ndarray, known: Mapping[str, int]) -> np.ndarray | None:
    """Return the number that a mapping assigns to each entry, or None if it lacks an entry.

    Parameters
    ----------
    entries : numpy.ndarray
        Entries of up to 8 bytes, shape (rows,), dtype bytes.
    known : mapping of str to int
        Number, at least 0, of each known entry. Only entries of ASCII characters are found.

    Examples
    --------
    >>> jobs = np.array([b"cook", b"pilot", b"cook"])
    >>> numbers_of_known(jobs, {"cook": 0, "pilot": 1}).tolist()
    [0, 1, 0]
    >>> numbers_of_known(jobs, {"cook": 0}) is None
    True
    """
    codes = np.ascontiguousarray(entries.astype("S8", copy=False)).view(np.uint64)
    found = np.full(len(codes), -1, dtype=np.intp)
    for text, number in known.items():
        if text and len(text) <= 8 and text.isascii():
            found[codes == np.array([text], dtype="S8").view(np.uint64)] = number
    return found if (found >= 0).all() else None


def short_numbers(entries: np.ndarray) -> np.ndarray | None:
    """Return the numbers that some strings of up to 8 bytes represent.

    Each different string is parsed only once. The result is None if some string is longer than 8
    bytes or does not represent a finite number.
    """
    kind = entries.dtype.kind
    if kind not in "ST" or (kind == "T" and np.strings.str_len(entries).max(initial=0) > 8):
        return None
    try:
        packed = entries.astype("S8", copy=False)
        whole = _whole_numbers(packed)
        if whole is not None:
            return whole
        different, places = np.unique(packed.view("<u8"), return_inverse=True)
        texts = as_texts(different.view("S8"))
        numbers = np.asarray(texts, dtype=np.float64)
    except ValueError:
        return None
    # Python and NumPy read 1_0 as 10.
    if (np.strings.find(texts, "_") >= 0).any() or not np.isfinite(numbers).all():
        return None
    found: np.ndarray = numbers[places]
    return found


def _whole_numbers(packed: np.ndarray) -> np.ndarray | None:
    """Return the numbers in strings of 8 bytes that consist of digits, or None for other strings.

    Examples
    --------
    >>> _whole_numbers(np.array([b"7", b"0123"], dtype="S8")).tolist()
    [7.0, 123.0]
    >>> _whole_numbers(np.array([b"7", b"-1"], dtype="S8")) is None
    True
    """
    found = np.zeros(len(packed), dtype=np.int64)
    for place, column in enumerate(np.ascontiguousarray(packed).view(np.uint8).reshape(-1, 8).T):
        digits = column - np.uint8(ord("0"))
        ended = column == 0
        if not (ended | (digits < 10)).all() or (place == 0 and ended.any()):
            return None
        if ended.all():
            break
        # Zeros fill strings only at their end, so no digit follows a zero byte.
        found = np.where(ended, found, 10 * found + digits)
    return found.astype(np.float64)


# ---- chunks


Chunk = tuple[list[np.ndarray], np.ndarray, int]
"""Some rows of a file: their columns, the numbers of their lines, and their number of bytes."""


def _gathered(chunks: Iterator[Chunk], first: tuple[int, list[str]], size: int) -> CsvColumns:
    """Return the columns of all chunks. The first chunk begins with the header."""
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
                # The header is kept apart, because its bytes may end within a character.
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
            f"need about {estimate} bytes. The limit is {BYTE_LIMIT} bytes. Write a file that has "
            "only the needed columns and rows.",
            estimate=estimate,
            limit=BYTE_LIMIT,
        )


def _parsed(source: Path | bytes, separator: str) -> Iterator[Chunk]:
    """Yield all lines, the header first, by the module ``csv``."""
    lines = csv_lines(source, separator)
    width = 0
    while body := list(itertools.islice(lines, ROWS)):
        width = width or len(body[0][1])
        require_even(width, body)
        columns = [
            np.array(column, dtype=TEXT) for column in zip(*(c for _, c in body), strict=True)
        ]
        read = sum(len(cell) + 1 for _, cells in body for cell in cells)
        yield columns, np.array([number for number, _ in body]), read


def _cut(file: BinaryIO, separator: str) -> Iterator[Chunk]:
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
        cut = _Block(block, ord(separator))
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
    """Bytes of whole lines, cut at commas and line ends.

    Attributes
    ----------
    end : int
        Length of all whole lines.
    breaks : int
        Number of line ends among the bytes, including line ends in quotes.
    """

    def __init__(self, block: bytes, separator: int) -> None:
        data = np.frombuffer(block, dtype=np.uint8)
        self._quoted = b'"' in block
        cuts = np.flatnonzero((data == separator) | (data == NEWLINE))
        if self._quoted:
            # A byte inside quotes has an odd number of quotes before it.
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
        # An empty line is not a row.
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
        """The number of entries of the first row."""
        return int(np.argmax(self._closing)) + 1 if len(self._closing) else 0

    def lines(self, line: int) -> np.ndarray:
        """Return the lines where rows begin, if the block begins in the given line."""
        if self.breaks == len(self._begins):
            return np.arange(line, line + self.breaks)
        breaks = np.flatnonzero(self._data == NEWLINE)
        found: np.ndarray = line + np.searchsorted(breaks, self._begins)
        return found

    def columns(self, width: int, *, headed: bool) -> list[np.ndarray]:
        """Return the entries by columns, with `width` entries per row.

        The first entries may be truncated, because the header may be cut. A column contains bytes
        if every entry has at most `WORD` bytes, and strings otherwise.
        """
        rows = len(self._begins)
        closing = np.zeros(width, dtype=bool)
        closing[-1:] = True
        if len(self._starts) != rows * width or not np.array_equal(
            self._closing.reshape(rows, width), np.broadcast_to(closing, (rows, width))
        ):
            raise _Unusual  # the module csv reports the ragged line
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
    """Return the first bytes of the strings at some places, at most `WORD`, shape (places,)."""
    windows = np.ndarray((len(data) - WORD + 1,), "<u8", data, strides=(1,))
    masks = np.array([(1 << 8 * size) - 1 for size in range(WORD + 1)], dtype="<u8")
    kept: np.ndarray = windows[starts] & masks.take(lengths, mode="clip")
    # NumPy removes zeros at the end of a string.
    return kept.astype("<u8", copy=False).view(f"S{WORD}")


def _texts(data: np.ndarray, starts: np.ndarray, lengths: np.ndarray, longest: int) -> np.ndarray:
    """Return the strings at some places, shape (places,)."""
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
