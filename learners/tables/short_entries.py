"""Entries of up to 8 bytes, which are read as integers of 64 bits."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from lsclasses.csv_columns import as_texts


def numbers_of_known(entries: np.ndarray, known: Mapping[str, int]) -> np.ndarray | None:
    """Return the number of each entry, or None if an entry is not known.

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
    """Return the numbers in strings of up to 8 bytes, where each different string is parsed once.

    None if strings are longer or not all of them are finite numbers.
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
