"""Tables of set systems, built from lines of names or numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

import numpy as np

from lsclasses.errors import InvalidInput
from lsclasses.packed_labels import PackedLabels
from lsclasses.packing import packed_incidences, require_memory
from lsclasses.point_names import Point, from_text

Words = tuple[int, list[str]]
"""A line of a file: its number and its words."""
DIGITS = 18
"""Largest number of digits of a number in a file. Such a number fits into 64 bits."""


def table_of_incidences(
    rows: np.ndarray,
    columns: np.ndarray,
    points: Sequence[Point],
    *,
    concepts: int | Sequence[Point],
    name: str,
) -> PackedLabels:
    """Return the table with label 1 at some positions, and label 0 elsewhere.

    Parameters
    ----------
    rows, columns : array of int
        Positions of the labels 1, which may repeat.
    points : sequence of names
    concepts : int or sequence of names
        Number of concepts, or their names.
    name : str
        Name of the file for an error.

    Raises
    ------
    InvalidInput
        If the table has no point or no concept.
    TooLarge
        If the table exceeds `lsclasses.packing.BYTE_LIMIT`.
    """
    names = None if isinstance(concepts, int) else concepts
    count = concepts if isinstance(concepts, int) else len(concepts)
    if not (count and points):
        raise InvalidInput(
            "a table has at least one point and one concept. "
            f"Got {len(points)} points and {count} concepts."
        )
    require_memory(count, len(points), name, packed=True)
    packed = packed_incidences(rows, columns, (count, len(points)))
    return PackedLabels._of_rows(packed, len(points), points, names)


def row_numbers(lengths: Iterable[int]) -> np.ndarray:
    """Return, for all entries of rows with given lengths, the number of the row of each entry.

    Examples
    --------
    >>> row_numbers([2, 0, 1]).tolist()
    [0, 0, 2]
    """
    counts = np.fromiter(lengths, dtype=np.intp)
    return np.repeat(np.arange(len(counts)), counts)


def whole_numbers(lines: Sequence[Words], least: int = 0, most: int | None = None) -> np.ndarray:
    """Return the words of all lines as one array of integers.

    Parameters
    ----------
    lines : sequence of (int, list of str)
    least, most : int
        Least and greatest allowed number.

    Raises
    ------
    InvalidInput
        If a word is not a whole number in this range. The message states the line.

    Examples
    --------
    >>> whole_numbers([(1, ["1", "2"]), (2, ["3"])]).tolist()
    [1, 2, 3]
    """
    words = list(chain.from_iterable(entries for _, entries in lines))
    digits = "".join(words)
    plain = all(words) and digits.isascii() and digits.isdecimal()
    if not words or (plain and max(map(len, words)) <= DIGITS):
        numbers = np.array(list(map(int, words)), dtype=np.int64)
        if not len(numbers) or (numbers.min() >= least and (most is None or numbers.max() <= most)):
            return numbers
    for number, entries in lines:
        for word in entries:
            whole = word.isascii() and word.isdecimal() and len(word) <= DIGITS
            if not (whole and least <= int(word) and (most is None or int(word) <= most)):
                span = f"from {least} on" if most is None else f"from {least} to {most}"
                raise InvalidInput(
                    f"line {number} must have whole numbers {span}. Got {word!r:.80}."
                )
    raise AssertionError


def name_positions(words: Sequence[str]) -> tuple[list[Point], np.ndarray]:
    """Return the distinct names of words, and the position of the name of each word.

    The names are in increasing order if all are integers, and in order of appearance otherwise.

    Examples
    --------
    >>> name_positions(["7", "3", "7"]), name_positions(["b", "a"])
    (([3, 7], array([1, 0, 1])), (['b', 'a'], array([0, 1])))
    """
    named = {word: from_text(word) for word in dict.fromkeys(words)}
    points = list(dict.fromkeys(named.values()))
    numbers = [point for point in points if isinstance(point, int)]
    if len(numbers) == len(points):
        points[:] = sorted(numbers)
    index = {point: i for i, point in enumerate(points)}
    positions = {word: index[name] for word, name in named.items()}
    return points, np.fromiter(map(positions.__getitem__, words), np.intp, len(words))


def distinct_names(lines: Iterable[tuple[int, str]], what: str) -> list[Point]:
    """Return the names in lines, one per line, and refuse repeated names.

    Parameters
    ----------
    lines : iterable of (int, str)
    what : str
        Noun for a name, such as "object", for the error message.
    """
    found: dict[Point, int] = {}
    for number, text in lines:
        name = from_text(text)
        if name in found:
            raise InvalidInput(
                f"line {number} repeats the {what} {name!r:.80} of line {found[name]}. "
                "Names must be distinct."
            )
        found[name] = number
    return list(found)
