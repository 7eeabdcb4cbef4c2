"""Saved models: a rule with its ledger, checked when it is read.

A file holds only values that may be published: the rule, the names it uses, and the ledger. A
program that reads the file checks its privacy statements as far as a file permits: the total must
follow from the ledger, every entry must be one that `SavedModel.save` writes, and a checksum finds
later changes. A file cannot prove that its ledger describes the actual releases, because its writer
can write any content.

``names.toml`` lists the kinds of models under ``[models]``.
"""

from __future__ import annotations

import json
import os
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, TypedDict

from learners.tables.guarantees import Guarantee
from lsclasses.errors import InvalidInput
from lsclasses.files.documents import checksum, differing, read_json, with_checksum
from lsclasses.files.writing import atomic_write
from lsclasses.json_text import entries_of
from lsclasses.registry import Registry

if TYPE_CHECKING:
    import numpy as np

FORMAT = "lsclasses-model"
VERSION = 2

Entries = Mapping[str, Any]
"""The entries of a model's file. Programs read them under `entries_of`, which refuses wrong
types."""


class Common(TypedDict):
    """The parts of a model file that all models of rows share, except the columns."""

    classes: tuple[object, ...]
    target: str
    guarantee: Guarantee | None


class SavedModel(ABC):
    """A model that can be saved, with its ledger.

    ``names.toml`` lists a subclass by its kind, with hyphens for blanks.

    Attributes
    ----------
    kind : str
        Name of the type of the model in files.
    classes : tuple
        Classes of the labels 0, 1, ... Most types of models have two classes.
    target : str
        Predicted column. Empty if it has no name.
    guarantee : Guarantee or None
        None if the rule is not private.
    """

    kind: ClassVar[str]
    classes: tuple[object, ...]
    target: str
    guarantee: Guarantee | None

    @abstractmethod
    def predict(self, table: object, unknown: str = "warn") -> Sequence[object]:
        """Return the predicted label of each row of a table that `as_records` accepts."""

    @abstractmethod
    def text(self) -> str:
        """Return the rule of the model in words."""

    def probabilities(self, table: object, unknown: str = "warn") -> np.ndarray:
        """Return the class probabilities of the rows of a table, shape (rows, classes).

        Raises
        ------
        InvalidInput
            If the model has no probabilities.
        """
        raise InvalidInput(
            f"A {self.kind} gives labels but no probabilities. 'lsclasses learn rules "
            "--report-support 0.2' learns rules with probabilities, and pays for them."
        )

    def details(self) -> dict[str, object]:
        """Return the numbers that `text` prints in addition to the rule, as JSON values."""
        return {}

    @abstractmethod
    def _entries(self) -> dict[str, object]:
        """Return the entries of a file of the model, without its kind and its privacy."""

    @classmethod
    def _with_names_of_today(cls, data: Entries) -> Entries:
        """Return a document of an earlier version, with the names of this version."""
        return data

    @classmethod
    @abstractmethod
    def _of_entries(cls, data: Entries, guarantee: Guarantee | None) -> SavedModel:
        """Read the model from such entries, and refuse impossible ones."""

    def to_json(self) -> str:
        """Return the model as JSON. `model_from_json` reads it."""
        data = {
            "format": FORMAT,
            "version": VERSION,
            "kind": self.kind,
            **self._entries(),
            "privacy": None if self.guarantee is None else self.guarantee.to_json(),
        }
        return with_checksum(data)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to a file, completely or not at all.

        Raises
        ------
        InvalidInput
            If the file cannot be written.
        """
        atomic_write(path, self.to_json())


def _require_model(loaded: object) -> type[SavedModel]:
    if not (isinstance(loaded, type) and issubclass(loaded, SavedModel)):
        raise InvalidInput(
            f"A type of model must be a subclass of learners.tables.saved.SavedModel. "
            f"Got {loaded!r}."
        )
    return loaded


MODELS = Registry("models", "kind of model", _require_model)
"""Every type of model, by its name with hyphens."""


def model_from_json(data: object) -> SavedModel:
    """Return the model in a JSON document that was parsed.

    Raises
    ------
    InvalidInput
        If the document is not a model, states more privacy than its ledger has, or was changed
        since it was saved.
    """
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise InvalidInput(f'it is not a model: its "format" must be "{FORMAT}".')
    kind = data.get("kind")
    name = kind.replace(" ", "-") if isinstance(kind, str) else ""
    if data.get("version") != VERSION or name not in MODELS:
        kinds = ", ".join(each.replace("-", " ") for each in MODELS.names())
        raise InvalidInput(
            f"a model must have version {VERSION} and be one of {kinds}. "
            f"Got version {data.get('version')!r}, kind {kind!r}."
        )
    with entries_of("it is not a complete model"):
        privacy = data["privacy"]
        guarantee = None if privacy is None else Guarantee.from_json(privacy)
        model = MODELS[name]._of_entries(data, guarantee)
        _require_unchanged(model, data)
    return model


def _require_unchanged(model: SavedModel, data: dict[str, object]) -> None:
    """Refuse a document with foreign entries, or changed since it was saved."""
    # Another function compares the privacy of the document.
    today = model._with_names_of_today(data)
    for strange in differing(json.loads(model.to_json()), today, "privacy", "checksum"):
        raise InvalidInput(f'its "{strange}" does not follow from the rest of the model.')
    if data["checksum"] != checksum(data):
        raise InvalidInput(
            "it was changed after it was saved: its checksum does not match. Change a model "
            "in Python (dataclasses.replace) and save it again."
        )


def checked_text(value: object, name: str) -> str:
    """Return a string of a file, after a check of its type.

    Raises
    ------
    InvalidInput
        If the value is not a string.
    """
    if not isinstance(value, str):
        raise InvalidInput(f"the {name} must be a string. Got {value!r}.")
    return value


def load_model(path: str | os.PathLike[str]) -> SavedModel:
    """Read a model of a classifier from a file that `SavedModel.save` wrote.

    Raises
    ------
    InvalidInput
        If the file cannot be read, does not contain a model, states more privacy than its ledger
        proves, or was changed since it was saved.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from learners.tables.columns import Cuts, FixedColumns
    >>> from learners.tables.models import ListModel, ListRule
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "model.json"
    >>> columns = FixedColumns(("age",), (Cuts([40]),))
    >>> model = ListModel(columns, (0, 1), "", None, (ListRule(((0, False),), 0),), 1)
    >>> model.save(path)
    >>> load_model(path) == model
    True
    """
    data = read_json(path)
    try:
        return model_from_json(data)
    except InvalidInput as problem:
        raise InvalidInput(f"Cannot use {str(path)!r}: {problem}") from None
