"""The exceptions of the library.

Every message states the problem, the given input and the expected input.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from unicodedata import normalize


class LsclassesError(Exception):
    """Base class of all errors that this library raises deliberately."""


class InvalidInput(LsclassesError, ValueError):
    """An error: an argument, a file or a specification does not meet the requirements of a call."""


class NotRealizable(LsclassesError, ValueError):
    """An error: a call needs a concept that agrees with all examples, and no concept does."""


class BadCertificate(LsclassesError, ValueError):
    """An error: a certificate does not prove its claim about the class for which it is checked."""


class NoCertificate(BadCertificate):
    """Data that are not a certificate, although the call reads a certificate."""


class TooLarge(LsclassesError):
    """An error: a computation exceeds a limit of time, memory or size.

    Parameters
    ----------
    message : str
        Error message, with the estimate and the limit.
    estimate, limit : int or float or None
        Required and allowed amount of the resource, in the same unit, such as seconds or bytes.
    lower, upper : int, Fraction, tuple of int or None
        Bounds on the requested value that were known when the computation stopped.
    """

    def __init__(
        self,
        message: str,
        *,
        estimate: float | None = None,
        limit: float | None = None,
        lower: Any = None,
        upper: Any = None,
    ) -> None:
        super().__init__(message)
        self.estimate = estimate
        self.limit = limit
        self.lower = lower
        self.upper = upper


class InfiniteDimension(TooLarge):
    """An error: a call needs the value of a dimension, but the dimension is infinite."""


class WorkersLost(LsclassesError):
    """An error: too many worker processes ended before their work was done."""


def listed(names: Iterable[str]) -> str:
    """Return some names as one string, with commas, and "and" before the last name."""
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def same_letters(word: str, known: Iterable[str]) -> str:
    """Return a hint if a word differs from a known word only in its Unicode characters.

    Examples
    --------
    >>> same_letters("e\u0301t\u00e9", ["\u00e9t\u00e9"])
    " '\u00e9t\u00e9' has the same letters, but other Unicode characters. Copy this name."
    >>> same_letters("ete", ["\u00e9t\u00e9"])
    ''
    """
    for name in known:
        if name != word and normalize("NFC", name) == normalize("NFC", word):
            return f" {name!r} has the same letters, but other Unicode characters. Copy this name."
    return ""


def nearest(word: str, known: Iterable[str], *, otherwise: str = "") -> str:
    """Return a hint for an unknown word: similar known words, or all known words.

    A known word is similar if few typing errors separate it from the unknown word. The largest
    number of errors is a third of the number of letters, and at least one. A known word is also
    similar if it contains the unknown word or all its parts. Case does not matter.

    Parameters
    ----------
    word : str
    known : iterable of str
    otherwise : str
        Hint if no known word is similar, for lists that are too long to print.

    Examples
    --------
    >>> nearest("treshold", ["points", "thresholds", "thresholds"])
    "Did you mean 'thresholds'?"
    >>> nearest("LTF", ["ltf", "parities"]), nearest("nope", ["ltf", "monotone"])
    ("Did you mean 'ltf'?", 'Known: ltf, monotone.')
    """
    names, word = sorted(set(known)), str(word)
    if hint := same_letters(word, names):
        return hint.strip()
    meant, slips = word.casefold().strip(), max(1, len(word.strip()) // 3)
    near: list[tuple[int, int, str]] = []
    for name in names:
        other = name.casefold()
        away = _slips(meant, other, slips)
        begun = -_agreeing(meant, other)
        if away <= slips:
            near.append((away, begun, name))
        elif len(meant) >= MEANT and all(part in other for part in meant.split()):
            near.append((slips + 1, begun, name))
    if near:
        return "Did you mean " + " or ".join(repr(name) for *_, name in sorted(near)[:3]) + "?"
    return otherwise or "Known: " + ", ".join(names) + "."


MEANT = 3
"""The least number of letters of a word for which names that contain it are suggested."""


def _agreeing(word: str, other: str) -> int:
    """Return the number of letters that two words have in common at their beginning."""
    pairs = enumerate(zip(word, other, strict=False))
    return next((i for i, (a, b) in pairs if a != b), min(len(word), len(other)))


def _slips(word: str, other: str, most: int) -> int:
    """Return the edit distance of two words, with swaps, or a larger number than `most`."""
    if abs(len(word) - len(other)) > most:
        return most + 1
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(word, 1):
        before, last, row = row, before, [i]
        for j, target in enumerate(other, 1):
            least = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != target))
            if i > 1 and j > 1 and letter == other[j - 2] and word[i - 2] == target:
                least = min(least, last[j - 2] + 1)
            row.append(least)
    return row[-1]
