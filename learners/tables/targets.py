"""The predicted column of a table: its declaration, and the classes of its rows.

A target has two classes (0 and 1, a positive value and the other values, or the two sides of a
number) or several declared classes. Numeric and ordinal targets are not learned as numbers.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated

import numpy as np

from learners.not_private import NotPrivateNotice
from learners.tables.cells import FLAGS, Cells, class_numbers
from learners.tables.missing_values import is_number
from learners.tables.schemas import Schema, load_schema
from lsclasses.errors import InvalidInput
from lsclasses.files.comma_separated import listed_names
from lsclasses.numbers import parse_number
from lsclasses.options import Option
from lsclasses.outputs import Reads

MOST_CLASSES = 255
"""Largest number of classes of a target. Models store the class of a row as one byte."""

NUMERIC = (
    "regression and ordinal regression are not supported, so state the least number that counts "
    "as 1, a public number, such as --positive-from {got}"
)
"""Advice about a target of numbers. ``{got}`` is replaced by an entry."""

CATEGORICAL = "name the value that counts as 1, such as --positive {got!r}. All others count as 0"
"""Advice about a target of two named values."""

SEVERAL = (
    "name the value that counts as 1, such as --positive {got!r}, so that all others count as 0, "
    "or declare all classes with --classes"
)
"""Advice about a target of several named values."""


@dataclass(frozen=True)
class Target:
    """The declaration of the predicted column. All of its values are public.

    Parameters
    ----------
    name : str
        Name of the column.
    positive : str, optional
        Entry with the label 1. Without any declaration, entries are read as 0 and 1.
    negative : str, optional
        Only other entry. Without it, all other entries have the label 0.
    positive_from : str, optional
        Least number with the label 1. Smaller numbers have the label 0.
    classes : tuple of str
        All classes in the order of their labels, or an empty tuple.

    Raises
    ------
    InvalidInput
        If the values contradict each other.
    """

    name: str
    positive: str | None = None
    negative: str | None = None
    positive_from: str | None = None
    classes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        given = {
            "--positive": self.positive,
            "--positive-from": self.positive_from,
            "--classes": ",".join(self.classes) or None,
        }
        used = [f"{option} {value}" for option, value in given.items() if value is not None]
        if len(used) > 1:
            raise InvalidInput(
                "Only one of --positive, --positive-from and --classes declares the classes. Got "
                f"{' and '.join(used)}."
            )
        if self.positive is None and self.negative is not None:
            raise InvalidInput(
                "A negative value needs a positive value, which has the label 1. Got no positive "
                "value."
            )
        if self.classes and not 2 <= len(set(self.classes)) == len(self.classes) <= MOST_CLASSES:
            raise InvalidInput(
                f"--classes names 2 to {MOST_CLASSES} different classes, separated by commas. Got "
                f"{','.join(self.classes)!r}."
            )

    def labels(self, cells: Cells) -> tuple[np.ndarray, tuple[object, ...]]:
        """Read the predicted column as labels, with the classes of the labels.

        Returns
        -------
        labels : numpy.ndarray
            Labels, shape (rows,): dtype bool, or the numbers of the classes with `classes`.
        classes : tuple
            Classes of the labels 0, 1, ...

        Raises
        ------
        InvalidInput
            If an entry is not one of the classes, or no entry is in the positive class.

        Warns
        -----
        NotPrivateNotice
            If all labels are equal.

        Examples
        --------
        >>> cells = Cells("risk", np.array(["high", "low", "none"]))
        >>> labels, classes = Target("risk", "high").labels(cells)
        >>> labels.tolist(), classes
        ([True, False, False], ('not high', 'high'))
        >>> labels, classes = Target("risk", classes=("none", "low", "high")).labels(cells)
        >>> labels.tolist(), classes
        ([2, 1, 0], ('none', 'low', 'high'))
        >>> ages = Cells("age", np.array([39, 40]))
        >>> labels, classes = Target("age", positive_from="40").labels(ages)
        >>> labels.tolist(), classes
        ([False, True], ('below 40', 'at least 40'))
        """
        labels, classes = self._labels(cells)
        if (labels == labels[0]).all():
            warnings.warn(
                f"the target {cells.name!r} is {classes[int(labels[0])]!r} in every row. Check "
                "--target and --positive.",
                NotPrivateNotice,
                stacklevel=2,
            )
        return labels, classes

    def _labels(self, cells: Cells) -> tuple[np.ndarray, tuple[object, ...]]:
        if self.positive_from is not None:
            least = self.positive_from.strip()
            bound = float(parse_number(least, "option --positive-from"))
            return cells.numbers() >= bound, (f"below {least}", f"at least {least}")
        entries = cells.stripped()
        if self.classes:
            entries = _with_integers(entries, self.classes)
            numbers = class_numbers(entries, self.classes, cells.place, name=cells.name)
            return numbers, self.classes
        if self.positive is None:
            return _flag_labels(cells, entries)
        return _named_labels(cells, entries, self.positive.strip(), self.negative)


def _with_integers(entries: np.ndarray, names: Sequence[str | None]) -> np.ndarray:
    """Return the entries, where 1.0 is written 1 if 1 is one of the names."""
    if entries.dtype.kind in "TUO":
        for name in filter(None, names):
            if re.fullmatch(r"-?\d+", name.strip()):  # 1.0 is the class 1
                spelled = np.asarray(entries == f"{name.strip()}.0", dtype=bool)
                entries = np.where(spelled, name.strip(), entries)
    return entries


def _advice(entries: np.ndarray) -> str:
    """Return the advice about entries that are not 0 and 1."""
    known = {str(each) for each in entries.tolist()}
    if len(known) <= 2:
        return CATEGORICAL
    return NUMERIC if all(map(is_number, known)) else SEVERAL


def _flag_labels(cells: Cells, entries: np.ndarray) -> tuple[np.ndarray, tuple[object, ...]]:
    """Return the labels of entries that are 0 and 1."""
    if entries.dtype.kind == "O" or not ((entries == "0") | (entries == "1")).all():
        advice = _advice(entries)
        found = [FLAGS.get(text.lower(), text) for text in entries.tolist()]
        entries = np.array(found, dtype=object)
    else:
        advice, entries = "", (entries == "1").astype(int)
    numbers = class_numbers(entries, (0, 1), cells.place, name=cells.name, advice=advice)
    return numbers == 1, (0, 1)


def _named_labels(
    cells: Cells, entries: np.ndarray, positive: str, negative: str | None
) -> tuple[np.ndarray, tuple[object, ...]]:
    """Return the labels of entries that are named classes."""
    entries = _with_integers(entries, (positive, negative))
    ones = np.asarray(entries == positive, dtype=bool)
    if negative is not None and negative.strip() == positive:
        raise InvalidInput(
            f"The positive and the negative value must differ. Got {positive!r} twice."
        )
    if not ones.any():
        known = sorted(set(entries.tolist()))
        numeric = len(known) > 2 and all(map(is_number, known))
        raise InvalidInput(
            f"No row has {positive!r} as its {cells.name!r}. The values are "
            f"{', '.join(map(repr, known[:5]))}{', ...' * (len(known) > 5)}."
            + " For a target of numbers, --positive-from NUMBER states the least number that "
            "counts as 1." * numeric
        )
    if negative is None:
        return ones, (f"not {positive}", positive)
    classes = negative.strip(), positive
    advice = "without a negative value, all values except the positive value count as 0"
    class_numbers(entries, classes, cells.place, name=cells.name, advice=advice)
    return ones, classes


@dataclass(frozen=True, kw_only=True)
class TargetOptions:
    """The options that declare the target, and the schema that may also declare it."""

    target: Annotated[
        str | None,
        Option(
            "column to predict (the target). It is not needed if the schema names the target",
            metavar="COLUMN",
        ),
    ] = None
    positive: Annotated[
        str | None,
        Option(
            "value of the target that counts as 1. All other values count as 0. Without this "
            "option and the other options that declare classes, the target must be 0 or 1",
            metavar="VALUE",
        ),
    ] = None
    negative: Annotated[
        str | None,
        Option(
            "the only value that the target may have in addition to --positive", metavar="VALUE"
        ),
    ] = None
    positive_from: Annotated[
        str | None,
        Option(
            "for a numeric target, the least number that counts as 1. Smaller numbers count as "
            "0. Choose the number without looking at the rows",
            metavar="NUMBER",
        ),
    ] = None
    classes: Annotated[
        Collection[str],
        Option(
            "all classes of the target, separated by commas, for the learners best, rules, "
            "naive-bayes and logistic. Without this option, the target has two classes",
            metavar="CLASSES",
        ),
    ] = ()
    schema: Annotated[
        Path | Schema | None,
        Option(
            "TOML file with public declarations of the columns. 'lsclasses schema' writes a "
            "template",
            metavar="FILE",
        ),
        Reads(),
    ] = None

    @cached_property
    def declared(self) -> Schema | None:
        """The schema, read from its file if the option is a path."""
        if self.schema is None or isinstance(self.schema, Schema):
            return self.schema
        return load_schema(self.schema)

    def _agreed(self, name: str) -> str | None:
        """Return a part of the target, which the schema or an option declares."""
        given: str | None = getattr(self, name)
        known = self.declared
        declared: str | None = None if known is None else getattr(known, name)
        if None not in (given, declared) and given != declared:
            raise InvalidInput(
                f"The schema declares the {name} {declared!r}, but --{name.replace('_', '-')} is "
                f"{given!r}. Remove "
                "one of the two declarations."
            )
        return declared if given is None else given

    @cached_property
    def declaration(self) -> Target:
        """The declaration of the target column, from the options or the schema.

        Raises
        ------
        InvalidInput
            If the target is missing, or the schema and an option contradict each other.
        """
        target, positive, negative = map(self._agreed, ("target", "positive", "negative"))
        positive_from = self._agreed("positive_from")
        if not target:
            raise InvalidInput(
                "The target is missing. Add --target COLUMN, or a target in the schema."
            )
        schema = self.declared
        declared = [] if schema is None or schema.classes is None else [schema.classes]
        # A repeated class is refused by `Target`.
        classes, agreed = listed_names(self.classes), listed_names(declared)
        if classes and agreed and classes != agreed:
            raise InvalidInput(
                f"The schema declares the classes {agreed!r}, but --classes is {classes!r}. Remove "
                "one of the two declarations."
            )
        return Target(target, positive, negative, positive_from, tuple(classes or agreed))


def true_classes(classes: Sequence[object], cells: Cells) -> list[object]:
    """Return the class of each row, or None if its target is missing or is not a class.

    Parameters
    ----------
    classes : sequence
        Classes of a model, as `Target.labels` returns them.
    cells : Cells
        Target of the rows.

    Examples
    --------
    >>> true_classes(("below 40", "at least 40"), Cells("age", np.array(["39", "40", "NA", "old"])))
    ['below 40', 'at least 40', None, None]
    """
    texts = cells.texts(blank=True).tolist()
    if set(classes) == {0, 1}:
        return [FLAGS.get(text.lower()) for text in texts]
    first, last = classes[0], classes[-1]
    if len(classes) == 2:
        # A model without a negative value counts all other values as its first class.
        if first == f"not {last}":
            return [(last if text == str(last) else first) if text else None for text in texts]
        least = str(last).removeprefix("at least ")
        if first == f"below {least}" and is_number(least):
            bound = float(least)
            sides = [
                (first, last)[float(text) >= bound] if is_number(text) else None for text in texts
            ]
            return list(sides)
    known = {str(each): each for each in classes}
    return [known.get(text) for text in texts]
