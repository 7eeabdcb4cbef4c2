"""The predicted column, as labels 0 and 1."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence

import numpy as np

from learners.not_private import NotPrivateNotice
from learners.tables.records import FLAGS, Records
from lsclasses.errors import InvalidInput


def labels_of(
    entries: np.ndarray,
    classes: Sequence[object],
    place: Callable[[int], str],
    *,
    name: str = "",
    advice: str = "",
) -> np.ndarray:
    """Return whether each entry is the second of two classes, shape (rows,), dtype bool.

    Parameters
    ----------
    entries : numpy.ndarray
        Entries of the column, shape (rows,).
    classes : pair
    place : callable
        Function from the number of a row to its place, for the error.
    name : str
        Name of the column, for the error.
    advice : str
        Advice about an entry that is not a class. ``{got}`` is replaced by the entry.

    Raises
    ------
    InvalidInput
        If an entry is not one of the two classes.

    Examples
    --------
    >>> labels_of(np.array(["no", "yes", "no"]), ("no", "yes"), str).tolist()
    [False, True, False]
    """
    negative, positive = (np.asarray(entries == each, dtype=bool) for each in classes)
    strangers = np.flatnonzero(~(negative | positive))
    if len(strangers):
        row = int(strangers[0])
        got = entries.tolist()[row]
        raise InvalidInput(
            f"The target{f' {name!r}' * bool(name)} must be {classes[0]!r} or {classes[1]!r}. "
            f"Got {got!r} in {place(row)}{'; ' * bool(advice)}{advice.format(got=got)}."
        )
    return positive


def numbers_of(
    entries: np.ndarray, classes: Sequence[object], place: Callable[[int], str]
) -> np.ndarray:
    """Return the class of each entry, counted from 0, shape (rows,), dtype intp.

    Parameters
    ----------
    entries : numpy.ndarray
        Entries of the column, shape (rows,).
    classes : sequence
    place : callable
        Function from the number of a row to its place, for the error.

    Raises
    ------
    InvalidInput
        If an entry is not one of the classes.

    Examples
    --------
    >>> numbers_of(np.array(["b", "c", "a"]), ("a", "b", "c"), str).tolist()
    [1, 2, 0]
    """
    found = np.full(len(entries), -1, dtype=np.intp)
    for number, each in enumerate(classes):
        found[np.asarray(entries == each, dtype=bool)] = number
    strangers = np.flatnonzero(found < 0)
    if len(strangers):
        row = int(strangers[0])
        raise InvalidInput(
            f"The target must be one of {', '.join(map(repr, classes))}. "
            f"Got {entries.tolist()[row]!r} in {place(row)}."
        )
    return found


def read_target(
    table: Records, name: str, positive: str | None = None, negative: str | None = None
) -> tuple[np.ndarray, tuple[object, object]]:
    """Read the labels in a column of strings, and their classes.

    Parameters
    ----------
    table : Records
    name : str
        Predicted column.
    positive : str, optional
        Entry with the label 1. Without it, entries are read as 0 and 1.
    negative : str, optional
        Only other entry. Without it, all other entries have the label 0.

    Returns
    -------
    labels : numpy.ndarray
        Labels, shape (rows,), dtype bool.
    classes : pair
        Classes of the labels 0 and 1.

    Raises
    ------
    InvalidInput
        If an entry is not one of the two classes, or no entry is the positive class.

    Warns
    -----
    UserWarning
        If all labels are equal.

    Examples
    --------
    >>> from learners.tables.records import as_records
    >>> table = as_records([{"risk": "high"}, {"risk": "low"}, {"risk": "none"}])
    >>> labels, classes = read_target(table, "risk", "high")
    >>> labels.tolist(), classes
    ([True, False, False], ('not high', 'high'))
    """
    if positive is None and negative is not None:
        raise InvalidInput(
            "A negative value needs a positive value, which has the label 1. Got no positive value."
        )
    entries = table.stripped(name)
    classes: tuple[object, object] = (0, 1)
    if positive is None:
        if entries.dtype.kind == "O" or not ((entries == "0") | (entries == "1")).all():
            found = [FLAGS.get(text.lower(), text) for text in entries.tolist()]
            entries = np.array(found, dtype=object)
        else:
            entries = (entries == "1").astype(int)
        advice = (
            "name the value that counts as 1, such as --positive {got!r}. All others count as 0"
        )
        labels = labels_of(entries, classes, table.place, name=name, advice=advice)
    else:
        positive, negative = positive.strip(), None if negative is None else negative.strip()
        if negative == positive:
            raise InvalidInput(
                f"The positive and the negative value must differ. Got {positive!r} twice."
            )
        if not np.asarray(entries == positive, dtype=bool).any():
            known = sorted(set(entries.tolist()))
            raise InvalidInput(
                f"No row has {positive!r} as its {name!r}. The values are "
                f"{', '.join(map(repr, known[:5]))}{', ...' * (len(known) > 5)}."
            )
        if negative is None:
            classes, labels = (
                (f"not {positive}", positive),
                np.asarray(entries == positive, dtype=bool),
            )
        else:
            classes = negative, positive
            advice = "without a negative value, all values except the positive value count as 0"
            labels = labels_of(entries, classes, table.place, name=name, advice=advice)
    if labels.all() or not labels.any():
        warnings.warn(
            f"the target {name!r} is {classes[int(labels[0])]!r} in every row. Check --target and "
            "--positive.",
            NotPrivateNotice,
            stacklevel=2,
        )
    return labels, classes
