"""Set systems in files: lines of members, formal contexts and hypergraphs of hMETIS.

Lines of members (``.dat``, ``.hyperedges``)
    A line is a concept, the set of the names on the line. The points are the names in the file.
    Commas separate names if any line has a comma, and blanks otherwise. An empty line is the empty
    set. Lines of ``.hyperedges`` that begin with ``#`` or ``%`` are comments. Files of the Frequent
    Itemset Mining repository (FIMI) have this form.
Formal contexts (``.cxt``)
    The format of Burmeister: ``B``, a title, the numbers of objects and attributes, an empty line,
    and their names. A row of ``X`` and ``.`` for each object follows. Objects are concepts, and
    attributes are points.
Hypergraphs of hMETIS (``.hgr``)
    The first line has the numbers of hyperedges and vertices, and the form of the weights. A line
    has the vertices of a hyperedge, from 1. Hyperedges are concepts, and vertices are points.
    Weights are checked and omitted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np

from lsclasses.errors import InvalidInput
from lsclasses.files.incidences import (
    Words,
    distinct_names,
    name_positions,
    row_numbers,
    table_of_incidences,
    whole_numbers,
)
from lsclasses.files.text_content import Line, numbered_lines, other_format
from lsclasses.numbers import plural
from lsclasses.packed_labels import PackedLabels
from lsclasses.packing import require_memory
from lsclasses.point_names import Point, to_text

COMMENTS = ("#", "%")

# ---- lines of members


def read_members(data: bytes, name: str) -> PackedLabels:
    """Return the table of a ``.dat`` file. Every line is a set of names."""
    return _table_of_members(numbered_lines(data, ".dat"), name)


def read_hyperedges(data: bytes, name: str) -> PackedLabels:
    """Return the table of a ``.hyperedges`` file, which may have comments."""
    lines = numbered_lines(data, ".hyperedges")
    return _table_of_members([x for x in lines if not x[1].startswith(COMMENTS)], name)


def _table_of_members(lines: Sequence[tuple[int, str]], name: str) -> PackedLabels:
    commas = any("," in text for _, text in lines)
    members = [_split(*line, commas) for line in lines]
    points, columns = name_positions(list(chain.from_iterable(members)))
    rows = row_numbers(map(len, members))
    table = table_of_incidences(rows, columns, points, concepts=len(members), name=name)
    empty = [number for (number, _), names in zip(lines, members, strict=True) if not names]
    if empty:
        first = "" if len(empty) == 1 else f", the first of {len(empty)} such lines,"
        table.notes = (f"Line {empty[0]}{first} has no members and is the empty set.",)
    return table


def _split(number: int, text: str, commas: bool) -> list[str]:
    """Return the names on a line."""
    if not commas:
        return text.split()
    names = [part.strip() for part in text.split(",")]
    if names == [""]:
        return []
    if "" in names:
        raise InvalidInput(f"line {number} has an empty name between two commas. Got {text!r:.80}.")
    return names


def member_lines(table: PackedLabels) -> Iterator[bytes]:
    """Yield the parts of a ``.dat`` file with the members of each concept of a table.

    Raises
    ------
    InvalidInput
        If a name contains a blank or a comma, no concept contains some point, or the lines begin
        like a file of another format.
    """
    names = [to_text(x) for x in table.points]
    for text in names:
        if "," in text or text.split() != [text]:
            raise InvalidInput(
                f"A .dat file separates names by blanks, so the name {text!r:.80} cannot be "
                "written. Rename the point, or write .csv."
            )
    used = np.unpackbits(np.bitwise_or.reduce(table.packed, axis=0), count=len(names))
    if not used.all():
        raise InvalidInput(
            "A .dat file has only points that some concept contains. No concept contains the point "
            f"{names[int(np.argmin(used))]!r:.80}. Write .csv, .cxt or .hif.json."
        )
    lines = (" ".join([names[j] for j in members]) + "\n" for members in member_positions(table))
    begin: list[str] = []
    # A format is recognized by at most four lines after its comments.
    while len(begin) < 4 or begin[-4].startswith(("c", "#")):
        line = next(lines, None)
        if line is None:
            break
        begin.append(line)
    other = other_format("".join(begin).lstrip(), ".dat")
    if other is not None:
        raise InvalidInput(
            f"A .dat file of this class would begin like a file with the suffix {other}. Write "
            ".csv, .cxt or .hif.json."
        )
    for line in chain(begin, lines):
        yield line.encode()


def member_positions(table: PackedLabels) -> Iterator[list[int]]:
    """Yield the positions of the points of each concept."""
    for row in table.packed:
        yield np.flatnonzero(np.unpackbits(row, count=len(table.points))).tolist()


# ---- formal contexts


def read_context(data: bytes, name: str) -> PackedLabels:
    """Return the table of a formal context in the format of Burmeister, ``.cxt``."""
    lines = [Line(number, text.strip()) for number, text in numbered_lines(data, ".cxt")]
    while lines and not lines[-1].text:
        lines.pop()
    if lines[0].text != "B":
        raise InvalidInput(
            f"line 1 of a formal context is the letter B. Got {lines[0].text!r:.80}."
        )
    head = _context_head(lines)
    sizes = [(each.number, [each.text]) for each in lines[head : head + 2]]
    if len(sizes) < 2:
        raise InvalidInput(
            "lines 3 and 4 of a formal context have the numbers of objects and attributes. "
            f"Got {plural(len(lines), 'line')}."
        )
    objects, attributes = whole_numbers(sizes).tolist()
    require_memory(objects, attributes, name, packed=True)
    body = lines[head + 2 :]
    needed = 2 * objects + attributes
    if body and (not body[0].text or len(body) == needed + 1):
        body = body[1:]  # an empty line or a comment
    if len(body) != needed:
        raise InvalidInput(
            f"lines {sizes[0][0]} and {sizes[1][0]} declare {plural(objects, 'object')} and "
            f"{plural(attributes, 'attribute')}, so {plural(needed, 'line')} with names and rows "
            f"must follow. Got {len(body)}, up to line {lines[-1].number}."
        )
    concepts = distinct_names(body[:objects], "object")
    points = distinct_names(body[objects : objects + attributes], "attribute")
    rows, columns = _crosses(body[objects + attributes :], attributes)
    return table_of_incidences(rows, columns, points, concepts=concepts, name=name)


def _context_head(lines: Sequence[Line]) -> int:
    """Return the position of the number of objects. Some programs omit the title."""
    texts = [each.text for each in lines[1:4]]
    untitled = len(texts) > 1 and all(x.isdecimal() for x in texts[:2])
    return 1 if untitled and not (len(texts) > 2 and texts[2].isdecimal()) else 2


def _crosses(lines: Sequence[Line], attributes: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the positions of the crosses in the rows of a formal context."""
    for number, text in lines:
        if len(text) != attributes:
            raise InvalidInput(
                f"line {number} has {plural(len(text), 'sign')}, but the context has "
                f"{plural(attributes, 'attribute')}."
            )
        wrong = text.translate(SIGNS)
        if wrong:
            raise InvalidInput(f"line {number} must have the signs X and '.'. Got {wrong[0]!r}.")
    text = "".join(line.text for line in lines)
    signs = np.frombuffer(text.encode(), dtype=np.uint8).reshape(len(lines), attributes)
    rows, columns = np.nonzero(signs != ord("."))
    return rows, columns


SIGNS = str.maketrans("", "", "Xx.")


def context_lines(table: PackedLabels) -> Iterator[bytes]:
    """Yield the parts of a ``.cxt`` file of a table.

    Names with line breaks are written as Python literals.
    """
    yield f"B\n\n{len(table)}\n{len(table.points)}\n\n".encode()
    for name in chain((table.concept_name(i) for i in range(len(table))), table.points):
        yield f"{to_text(name)}\n".encode()
    letters = np.frombuffer(b".X", dtype=np.uint8)
    for row in table.packed:
        yield letters[np.unpackbits(row, count=len(table.points))].tobytes() + b"\n"


# ---- hypergraphs of hMETIS


NO_WEIGHTS = "The file has weights, which the table omits."
WEIGHTS = {0: (False, False), 1: (True, False), 10: (False, True), 11: (True, True)}
"""Whether hyperedges and whether vertices have weights, by the form number in the first line."""


def read_hmetis(data: bytes, name: str) -> PackedLabels:
    """Return the table of a hypergraph in the format of hMETIS, ``.hgr``."""
    lines = [
        Line(number, text.strip())
        for number, text in numbered_lines(data, ".hgr")
        if not text.startswith("%")
    ]
    while lines and not lines[0].text:
        lines.pop(0)
    if not lines:
        raise InvalidInput("the file has only comments. Expected a line 'HYPEREDGES VERTICES'.")
    edges, vertices, form = _hmetis_head(lines[0])
    require_memory(edges, vertices, name, packed=True)
    weighted, weights = WEIGHTS[form]
    body = _hmetis_body(lines, edges, vertices * weights)
    members = [(number, text.split()) for number, text in body[:edges]]
    if weighted:
        whole_numbers([(number, words[:1] or [""]) for number, words in members])
        members = [(number, words[1:]) for number, words in members]
    whole_numbers([(number, text.split()[:1]) for number, text in body[edges:]])
    columns = whole_numbers(members, 1, vertices) - 1
    rows = row_numbers(len(words) for _, words in members)
    points = list(range(1, vertices + 1))
    table = table_of_incidences(rows, columns, points, concepts=edges, name=name)
    if form:
        table.notes = (NO_WEIGHTS,)
    return table


def _hmetis_head(line: Line) -> tuple[int, int, int]:
    head: Words = (line.number, line.text.split())
    numbers = whole_numbers([head]).tolist()
    edges, vertices, form = [*numbers, 0] if len(numbers) == 2 else (*numbers, 0, 0, 0)[:3]
    if len(numbers) not in (2, 3) or form not in WEIGHTS:
        raise InvalidInput(
            f"line {line.number} must have the number of hyperedges, the number of vertices, and "
            f"perhaps the form 0, 1, 10 or 11 of the weights. Got {line.text!r:.80}."
        )
    return edges, vertices, form


def _hmetis_body(lines: Sequence[Line], edges: int, weights: int) -> list[Line]:
    """Return the lines of hyperedges and weights. Empty lines count only if lines are missing."""
    body = list(lines[1:])
    filled = [each for each in body if each.text]
    needed = edges + weights
    if len(filled) >= needed or len(body) < needed:
        body = filled
    elif not any(each.text for each in body[needed:]):
        body = body[:needed]
    if len(body) != needed:
        vertices = f" and {plural(weights, 'weight')} of vertices" if weights else ""
        raise InvalidInput(
            f"line {lines[0].number} declares {plural(edges, 'hyperedge')}{vertices}, so "
            f"{plural(needed, 'line')} must follow. Got {len(body)}, up to line "
            f"{lines[-1].number}."
        )
    return body


def hmetis_lines(table: PackedLabels) -> Iterator[bytes]:
    """Yield the parts of a ``.hgr`` file of a table, without the names of points and concepts."""
    yield f"{len(table)} {len(table.points)}\n".encode()
    for members in member_positions(table):
        yield (" ".join([str(j + 1) for j in members]) + "\n").encode()


def concept_names(table: PackedLabels) -> list[Point]:
    """Return the names of all concepts, which are numbers if the concepts have no names."""
    return [table.concept_name(i) for i in range(len(table))]
