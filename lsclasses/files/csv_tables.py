"""Tables in CSV and in TSV: the first line names the points, and every other line is a concept."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from lsclasses.errors import InvalidInput
from lsclasses.files.comma_separated import csv_lines, require_commas, require_even
from lsclasses.files.text_content import decoded
from lsclasses.packed_labels import PackedLabels
from lsclasses.packing import require_memory
from lsclasses.point_names import from_text, to_text

CONCEPT_HEADS = ("", "concept", "name")
TRUTH = {"false": "0", "true": "1"}
"""The words that are read as labels in addition to 0 and 1, in upper or lower case."""
CSV_LIMIT = csv.field_size_limit()
"""The largest number of characters of a cell."""


def read_csv_table(data: bytes, name: str) -> PackedLabels:
    """Return the table in a CSV file."""
    return _labels_of_lines(_lines(data), name, _is_quoted(data))


def read_tsv_table(data: bytes, name: str) -> PackedLabels:
    """Return the table in a CSV file whose separators are tabs."""
    return _labels_of_lines(_lines(data, "\t"), name, _is_quoted(data), "\t")


def _is_quoted(data: bytes) -> bool:
    """Return whether the first line begins with a quotation mark."""
    return data.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n")[:1] == b'"'


def _labels_of_lines(
    lines: Iterator[_Line], name: str, quoted: bool, separator: str = ","
) -> PackedLabels:
    first = next(lines, None)
    if first is None:
        raise InvalidInput("the file is empty. Its first line should name the points.")
    header = first.cells
    if not quoted:
        _require_separator(header, separator)
    body = list(lines)
    if not body:
        raise InvalidInput("the file has only a header. Every further line should be a concept.")
    require_even(len(header), [(x.number, x.cells) for x in body if x.width != len(header)])
    named = header[0].strip().lower() in CONCEPT_HEADS or (
        len(header) > 1
        and not any(each.first.strip().casefold() in ("0", "1", *TRUTH) for each in body)
    )
    heads = header[named:]
    if not heads:
        raise InvalidInput(
            "the file has no point. Its only column contains the names of the concepts."
        )
    for j, head in enumerate(heads, start=1 + named):
        if not head.strip():
            raise InvalidInput(f"the point of column {j} has no name in the header.")
    _refuse_labels(heads, body, explicit=quoted or header[0].strip().lower() in CONCEPT_HEADS)
    require_memory(len(body), len(heads), name)
    labels = _plain_labels([each.text(named) for each in body], len(heads))
    if labels is None:
        labels = np.array([_csv_labels(each.number, each.cells[named:], heads) for each in body])
    names = [from_text(each.first) for each in body] if named else None
    return PackedLabels(labels, [from_text(head) for head in heads], names)


def _require_separator(header: Sequence[str], separator: str) -> None:
    """Refuse a file of one column whose header shows another separator."""
    if separator == ",":
        require_commas(header)
    elif len(header) == 1:
        for other, name in ((",", "commas"), (";", "semicolons"), ("|", "bars")):
            if other in header[0]:
                raise InvalidInput(
                    f"entries must be separated by tabs, and here they are by {name}. Got the "
                    f"single column {header[0]!r}."
                )


def _refuse_labels(heads: Sequence[str], body: Sequence[_Line], *, explicit: bool) -> None:
    """Refuse a first line that could be a concept. Quotation marks or a head exclude this."""
    words = {head.strip().casefold() for head in heads}
    digits = words <= {"0", "1"} and not explicit
    # Points may be called True and False, but a file of this library has 0 and 1 below them.
    truths = words <= {*TRUTH} and any(each.cells[-1].strip().casefold() in TRUTH for each in body)
    if digits or truths:
        quotes = ""
        if digits and len(words) == len(heads):
            marked = ",".join(f'"{head.strip()}"' for head in heads)
            quotes = f" If it names the points, write quotation marks: {marked}."
        raise InvalidInput(
            "the first line names the points, and here it holds labels: "
            f"{'0 and 1' if digits else 'True and False'} only. If it is a concept, write a line "
            f"with names of the points above it.{quotes}"
        )


class _Line(NamedTuple):
    """A line of a table with its cells, as one string if the separators are unambiguous.

    Lists of cells would use most of the time of reading, and most of the memory.
    """

    number: int
    first: str
    rest: str | list[str]
    width: int

    @classmethod
    def plain(cls, number: int, line: str) -> _Line:
        """Return a line without quotes."""
        first, comma, rest = line.partition(",")
        return cls(number, first, rest if comma else [], line.count(",") + 1)

    @property
    def cells(self) -> list[str]:
        rest = self.rest.split(",") if isinstance(self.rest, str) else self.rest
        return [self.first, *rest]

    def text(self, named: bool) -> str:
        """Return the cells of labels with a comma between them."""
        rest = self.rest if isinstance(self.rest, str) else ",".join(self.rest)
        return rest if named else f"{self.first},{rest}" if self.width > 1 else self.first


def _lines(data: bytes, separator: str = ",") -> Iterator[_Line]:
    """Yield the non-blank lines of a table. Lines without quotes are not split into cells."""
    text = decoded(data)
    lines = text.replace("\r\n", "\n").split("\n")
    unambiguous = '"' not in text and not (separator != "," and "," in text)
    if not unambiguous or any("\r" in line or len(line) > CSV_LIMIT for line in lines):
        for number, (first, *rest) in csv_lines(data, separator):
            yield _Line(number, first, rest, 1 + len(rest))
        return
    for number, line in enumerate(lines, start=1):
        if line:
            yield _Line.plain(number, line.replace(separator, ","))


def _plain_labels(rows: Sequence[str], points: int) -> np.ndarray | None:
    """Return the labels of rows whose cells are all 0 or 1 without spaces, or None."""
    text = ("\n".join(rows) + "\n").encode()
    if len(text) != 2 * points * len(rows):
        return None
    # The number of separators is right, so no cell contains a separator or two digits.
    written = np.frombuffer(text, dtype=np.uint8).reshape(len(rows), points, 2)
    digits = written[:, :, 0] - np.uint8(ord("0"))
    separated = (written[:, :-1, 1] == ord(",")).all() and (written[:, -1, 1] == ord("\n")).all()
    return digits if separated and (digits <= 1).all() else None


def _csv_labels(number: int, cells: Sequence[str], heads: Sequence[str]) -> np.ndarray:
    entries = cells
    if not {"0", "1"}.issuperset(entries):
        words = [cell.strip() for cell in cells]
        entries = [TRUTH.get(word.casefold(), word) for word in words]
        for head, entry in zip(heads, entries, strict=True):
            if entry not in ("0", "1"):
                raise InvalidInput(
                    "entries must be 0 or 1, or False or True. "
                    f"Got {entry!r} in line {number}, column {head!r}. A list of the members of "
                    "each set has the suffix .dat or .hyperedges."
                )
    return digits("".join(entries))


def digits(text: str) -> np.ndarray:
    """Return the digits of a string of 0 and 1 as the entries of a row."""
    return np.frombuffer(text.encode(), dtype=np.uint8) - np.uint8(ord("0"))


def csv_bytes(table: PackedLabels, separator: str = ",") -> bytes:
    """Return a table as the content of a CSV file."""
    header = [to_text(x) for x in table.points]
    names: list[str] | None = None
    if table.concept_names is not None:
        header.insert(0, "concept")
        names = [to_text(name) for name in table.concept_names]
    elif header[0].lower() in CONCEPT_HEADS:
        header[0] = repr(header[0])
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n", delimiter=separator)
    # Quotation marks distinguish the points 0 and 1 from labels, and a name from several names.
    ambiguous = names is None and (
        {"0", "1"}.issuperset(header) or (len(header) == 1 and not header[0].isalnum())
    )
    heads = csv.writer(
        buffer,
        lineterminator="\n",
        delimiter=separator,
        quoting=csv.QUOTE_ALL if ambiguous else csv.QUOTE_MINIMAL,
    )
    heads.writerow(header)
    for i, row in enumerate(table.labels.tolist()):
        writer.writerow(row if names is None else [names[i], *row])
    return buffer.getvalue().encode()


def tsv_bytes(table: PackedLabels) -> bytes:
    """Return a table as a CSV file whose separators are tabs."""
    return csv_bytes(table, "\t")
