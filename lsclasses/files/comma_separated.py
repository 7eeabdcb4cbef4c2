"""Reading and writing of the lines of CSV files.

A stream of labelled examples has one example per line.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Container, Iterable, Iterator, Sequence
from pathlib import Path

from lsclasses.errors import InvalidInput
from lsclasses.files.sources import PathLike, reading, source_of
from lsclasses.numbers import plural
from lsclasses.point_names import Label, Point, from_text

SEPARATORS = {";": "semicolons", "\t": "tabs", "|": "bars"}
"""Characters other than a comma that separate entries in some files."""

PART = 1 << 16
"""Approximate number of characters of rows that are written at a time."""


def read_csv(path: PathLike) -> tuple[list[str], list[tuple[int, list[str]]]]:
    r"""Return the header of a CSV file, and its other non-blank lines with their numbers.

    Parameters
    ----------
    path : path

    Raises
    ------
    InvalidInput
        If the file cannot be read, is empty, has another separator than a comma, or a line has more
        or fewer entries than the header.

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
            raise InvalidInput("the file is empty. Its first line should name the columns.")
        header = first[1]
        require_commas(header)
        body = list(lines)
        require_even(len(header), body)
        return header, body


def csv_parts(rows: Iterable[tuple[Sequence[str], int]]) -> Iterator[bytes]:
    r"""Yield rows as lines of CSV, in parts of moderate size, for `write_all`.

    Parameters
    ----------
    rows : iterable of (sequence of str, int)
        The entries of a row, and the number of times that the row is repeated.

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


def require_commas(header: Sequence[str], option: str = "") -> None:
    """Raise an error for a header of one column that contains a separator other than a comma.

    Parameters
    ----------
    header : sequence of str
    option : str
        Option of the command that chooses the separator, such as ``--separator``. An empty string
        means that the command has no such option.
    """
    if len(header) == 1:
        for separator, name in SEPARATORS.items():
            if separator in header[0]:
                shown = "tab" if separator == "\t" else f"'{separator}'"
                remedy = f"Add {option} {shown}." if option else "Write the file with commas."
                raise InvalidInput(
                    f"entries must be separated by commas, and here they are by {name}. Got the "
                    f"single column {header[0]!r}. {remedy}"
                )


def require_even(width: int, body: Sequence[tuple[int, Sequence[str]]]) -> None:
    """Raise an error if a line does not have `width` entries, as the header has."""
    for number, cells in body:
        if len(cells) != width:
            raise InvalidInput(
                f"line {number} has {plural(len(cells), 'entry', 'entries')}, "
                f"the header has {width}."
            )


def csv_lines(
    source: Path | bytes, separator: str = ",", option: str = ""
) -> Iterator[tuple[int, list[str]]]:
    """Yield the non-blank lines of a CSV file as lists of entries, each with its number from 1.

    `option` is the option of the command that chooses the separator, for error messages.
    """
    opened: io.TextIOBase | io.TextIOWrapper = (
        io.StringIO(source.decode("utf-8-sig"), newline="")
        if isinstance(source, bytes)
        else source.open(encoding="utf-8-sig", newline="")
    )
    with opened as file:
        reader = csv.reader(file, strict=True, delimiter=separator)
        start = 1
        try:
            for cells in reader:
                if cells:
                    yield start, cells
                start = reader.line_num + 1
        except csv.Error as error:
            if start == 1 and separator == ",":
                file.seek(0)
                line = file.readline()
                if any(line.count(each) > line.count(",") for each in SEPARATORS):
                    require_commas([line.rstrip()], option)
            raise InvalidInput(f"line {start} is not valid CSV: {error}.") from None


# ---- streams of examples


STREAM_HEADS = (("point", "label"), ("x", "y"))


def load_stream(path: PathLike) -> list[tuple[Point, Label]]:
    r"""Return the labelled examples of a stream in a CSV file.

    Parameters
    ----------
    path : path
        CSV file with the columns ``point,label`` or ``x,y``, perhaps among other columns. The path
        ``-`` is standard input.

    Returns
    -------
    list of (point, label)

    Raises
    ------
    InvalidInput
        If the file cannot be read, has no such header, repeats one of these columns, or contains a
        line that is not an example.

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
            remedy = "."
            if len(header) == 2 and header[1] in ("0", "1"):
                remedy = ", which is an example. Write the header in a line above it."
            elif header == ["point"]:
                remedy = ", so the labels are missing."
            raise InvalidInput(f"a stream starts with the header point,label. Got {got}{remedy}")
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


# ---- lists of names in options


def quoted_parts(text: str, separator: str = ",") -> list[tuple[str, bool]]:
    """Return the parts of a list in a string, each with whether it is in double quotes.

    A name in double quotes may contain every character. A double quote inside of the quotes is
    written twice. Blanks around parts are removed, except inside of quotes.

    Parameters
    ----------
    text : str
    separator : str
        Character between the parts.

    Raises
    ------
    InvalidInput
        If quotes are not closed, or other characters follow the closing quote.

    Examples
    --------
    >>> quoted_parts('low, "$1 to $9,999"')
    [('low', False), ('$1 to $9,999', True)]
    """
    parts: list[tuple[str, bool]] = []
    rest = text
    while True:
        rest = rest.lstrip()
        if rest.startswith('"'):
            found = QUOTED.match(rest)
            after = rest[found.end() :].lstrip() if found else ""
            if found is None or (after and not after.startswith(separator)):
                raise InvalidInput(
                    "A name in double quotes must end with a double quote, and a double quote in "
                    f"the name must be written twice. Got {text!r:.200}."
                )
            parts.append((found[1].replace('""', '"'), True))
            rest = after
        else:
            part, comma, after = rest.partition(separator)
            parts.append((part.strip(), False))
            rest = comma + after
        if not rest:
            return parts
        rest = rest[len(separator) :]


QUOTED = re.compile(r'"((?:[^"]|"")*)"')
"""Pattern of a name in double quotes."""


def quoted(name: str) -> str:
    """Return a name for a list that `quoted_parts` reads, in double quotes if necessary.

    Examples
    --------
    >>> print(quoted("cook"), quoted("$1 to $9,999"))
    cook "$1 to $9,999"
    """
    plain = name and name == name.strip() and not set(name) & set(',"=+|:\n\r')
    return name if plain else '"' + name.replace('"', '""') + '"'


def unquoted(text: str) -> str:
    """Return a name without its double quotes and without blanks around it.

    Examples
    --------
    >>> unquoted('"a, b"'), unquoted(" cook ")
    ('a, b', 'cook')
    """
    found = QUOTED.fullmatch(text.strip())
    return found[1].replace('""', '"') if found else text.strip()


def split_declaration(text: str) -> tuple[str, str | None]:
    """Return the two parts of ``COLUMN=SPEC``: the column, and its declaration.

    The declaration is None for a string without ``=``.

    A name in double quotes may contain an equal sign.

    Examples
    --------
    >>> split_declaration("age=30,40"), split_declaration('"a=b"=0,1'), split_declaration("a.json")
    (('age', '30,40'), ('a=b', '0,1'), ('a.json', None))
    """
    found = QUOTED.match(text.lstrip())
    end = 0 if found is None else found.end()
    between, equals, spec = text.lstrip()[end:].partition("=")
    if found is not None and not between.strip():
        return unquoted(found[0]), spec if equals else None
    name, equals, spec = text.partition("=")
    return name.strip(), spec if equals else None


def split_names(given: Iterable[str], known: Container[str] = ()) -> list[str]:
    """Return the distinct names in the values of an option.

    Users may repeat the option, or separate names in one value by commas.

    Parameters
    ----------
    given : iterable of str
        Values of the option.
    known : container of str
        Names that may contain commas. Quotation marks protect commas of other names.

    Examples
    --------
    >>> split_names(["id,signup_date", "age"]), split_names(["city, state"], {"city, state"})
    (['id', 'signup_date', 'age'], ['city, state'])
    >>> split_names(['id,"city, state"'])
    ['id', 'city, state']
    """
    return list(dict.fromkeys(listed_names(given, known)))


def listed_names(given: Iterable[str], known: Container[str] = ()) -> list[str]:
    """Return all names in the values of an option, as `split_names` does, but also repeated names.

    Examples
    --------
    >>> listed_names(["low,high,low"])
    ['low', 'high', 'low']
    """
    names: list[str] = []
    for value in given:
        if value in known or not set(value) & set(',"'):
            names.append(value)
        else:
            names += [part for part, literal in quoted_parts(value) if part or literal]
    return names
