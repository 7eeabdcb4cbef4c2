"""Streams of labelled examples in CSV files, one example a line."""

from __future__ import annotations

from pathlib import Path

from lsclasses.errors import InvalidInput
from lsclasses.files.comma_separated import csv_lines, require_commas
from lsclasses.files.sources import PathLike, reading, source_of
from lsclasses.numbers import plural
from lsclasses.points import Label, Point, from_text

STREAM_HEADS = (("point", "label"), ("x", "y"))


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
                got = plural(len(cells), "entry", "entries")
                raise InvalidInput(f"line {number} should hold {wanted}. Got {got}.")
            if cells[y].strip() not in ("0", "1"):
                raise InvalidInput(f"the label in line {number} must be 0 or 1. Got {cells[y]!r}.")
            examples.append((from_text(cells[x]), int(cells[y])))
        return examples
