"""Truth tables in the PLA format of Espresso (``.pla``).

The concepts are the outputs, and the points are all vectors of inputs, tuples of 0 and 1. The line
``.ob`` names the concepts. With ``.type f`` or ``fd`` (the default), an output is 1 on the terms
that list it, and 0 elsewhere. With ``.type fr`` or ``fdr``, the terms list the inputs of both
labels. A table needs a label for every vector, so values that the file leaves open are refused.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.files.incidences import Words, distinct_names, table_of_incidences, whole_numbers
from lsclasses.files.text_content import numbered_lines
from lsclasses.numbers import plural
from lsclasses.packed_labels import PackedLabels
from lsclasses.packing import BYTE_LIMIT
from lsclasses.point_names import Point

TYPES = ("f", "fd", "fr", "fdr")
KEYWORDS = (".i", ".o", ".p", ".ilb", ".ob", ".type", ".e", ".end")
ON, OFF, OPEN, IGNORED = "14", "0", "-2", "~3"
"""Characters for an output: label 1, label 0, "don't care", and no statement."""
SIDES: dict[str, slice | int] = {"0": 0, "1": 1, "-": slice(None), "2": slice(None)}
POINT_BYTES = 56
"""Number of bytes of memory of a tuple, without its entries."""


@dataclass
class _TruthTable:
    """The lines of a truth table."""

    keywords: dict[str, Words] = field(default_factory=dict)
    terms: list[tuple[int, str]] = field(default_factory=list)

    def number(self, keyword: str) -> int:
        """Return the number in a required line."""
        if keyword not in self.keywords:
            raise InvalidInput(f"the file has no line '{keyword} NUMBER'.")
        line, words = self.keywords[keyword]
        if len(words) != 1:
            raise InvalidInput(f"line {line} must have one number. Got {' '.join(words)!r:.80}.")
        return int(whole_numbers([(line, words)], 1)[0])


def read_truth_table(data: bytes, name: str) -> PackedLabels:
    """Return the table of the outputs of a truth table on all vectors of inputs."""
    found = _lines(data)
    inputs, outputs = found.number(".i"), found.number(".o")
    size = 2 ** min(inputs, 64) * (outputs + POINT_BYTES + 8 * inputs)
    if size > BYTE_LIMIT:
        raise TooLarge(
            f"{name} would be a table of {plural(outputs, 'concept')} on 2^{inputs} points, which "
            f"needs {size} bytes. The limit is {BYTE_LIMIT} bytes.",
            estimate=size,
            limit=BYTE_LIMIT,
        )
    names: dict[str, list[Point]] = {}
    for keyword, count in ((".ilb", inputs), (".ob", outputs)):
        if keyword in found.keywords:
            line, words = found.keywords[keyword]
            if len(words) != count:
                raise InvalidInput(
                    f"line {line} must have {plural(count, 'name')}. Got {len(words)}."
                )
            what = "input" if keyword == ".ilb" else "output"
            names[keyword] = distinct_names([(line, word) for word in words], what)
    if ".p" in found.keywords and found.number(".p") != len(found.terms):
        raise InvalidInput(
            f"line {found.keywords['.p'][0]} declares {plural(found.number('.p'), 'term')}. The "
            f"file has {len(found.terms)}."
        )
    labels = _labels(found, inputs, outputs).reshape(outputs, -1)
    points = list(itertools.product((0, 1), repeat=inputs))
    rows, columns = np.nonzero(labels)
    return table_of_incidences(rows, columns, points, concepts=names.get(".ob", outputs), name=name)


def _lines(data: bytes) -> _TruthTable:
    """Return the keywords and the terms of a file."""
    found = _TruthTable()
    for number, line in numbered_lines(data, ".pla"):
        text = line.partition("#")[0].strip()
        if not text:
            continue
        if not text.startswith("."):
            found.terms.append((number, "".join(text.replace("|", " ").split())))
            continue
        keyword, *words = text.split()
        if keyword not in KEYWORDS:
            raise InvalidInput(
                f"line {number} must have one of the keywords {', '.join(KEYWORDS)}. "
                f"Got {keyword!r:.80}."
            )
        if keyword in (".e", ".end"):
            break
        if keyword in found.keywords:
            before = found.keywords[keyword][0]
            raise InvalidInput(f"line {number} repeats the keyword {keyword} of line {before}.")
        found.keywords[keyword] = (number, words)
    return found


def _labels(found: _TruthTable, inputs: int, outputs: int) -> np.ndarray:
    """Return the labels, with an axis for the outputs and an axis for each input."""
    line, words = found.keywords.get(".type", (0, ["fd"]))
    if len(words) != 1 or words[0] not in TYPES:
        raise InvalidInput(
            f"line {line} must have one of the types {', '.join(TYPES)}. "
            f"Got {' '.join(words)!r:.80}."
        )
    kind = words[0]
    on = np.zeros((outputs, *[2] * inputs), dtype=np.uint8)
    off = np.zeros_like(on) if "r" in kind else None
    for number, term in found.terms:
        place = _place(number, term, inputs, outputs)
        for j, sign in enumerate(term[inputs:]):
            if sign in ON:
                on[(j, *place)] = 1
            elif sign in OPEN and "d" in kind:
                raise InvalidInput(
                    f"line {number} leaves output {j + 1} open ({sign}). A table needs a label for "
                    "every vector of inputs."
                )
            elif sign in OFF and off is not None:
                off[(j, *place)] = 1
    if off is not None:
        _require_one_label(on, off)
    return on


def _place(number: int, term: str, inputs: int, outputs: int) -> Sequence[slice | int]:
    """Return the index of the vectors of a term."""
    if len(term) != inputs + outputs:
        raise InvalidInput(
            f"line {number} must have {plural(inputs, 'input')} and {plural(outputs, 'output')}. "
            f"Got {plural(len(term), 'sign')}."
        )
    for signs, known in ((term[:inputs], "01-2"), (term[inputs:], ON + OFF + OPEN + IGNORED)):
        for sign in signs:
            if sign not in known:
                raise InvalidInput(
                    f"line {number} must have the signs {' '.join(known)}. Got {sign!r}."
                )
    return [SIDES[sign] for sign in term[:inputs]]


def _require_one_label(on: np.ndarray, off: np.ndarray) -> None:
    """Refuse outputs with two labels or without a label at some vector of inputs."""
    for wrong, problem in ((on & off, "both labels"), ((on | off) ^ 1, "no label")):
        if wrong.any():
            j, *vector = np.argwhere(wrong)[0].tolist()
            raise InvalidInput(
                f"output {j + 1} has {problem} at the inputs {''.join(map(str, vector))}. A table "
                "needs one label for every vector of inputs."
            )
