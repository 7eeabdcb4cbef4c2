"""Statements of the owner of a table about a model, in addition to the learned parts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from learners.tables.saved import checked_text
from lsclasses.errors import InvalidInput


@dataclass(frozen=True)
class Stated:
    """Statements of the owner of the rows about a model, in addition to the learned parts.

    Attributes
    ----------
    sensitive : tuple of str
        Columns that are declared as sensitive.
    left_out : tuple of str
        Sensitive columns that were not given to the learner.
    declared : str
        Person or source that declared the columns, such as a code book. Empty if unknown.
    """

    sensitive: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    declared: str = ""

    def to_json(self) -> dict[str, object]:
        """Return the statement as JSON values, for `from_json`."""
        return {
            "sensitive": list(self.sensitive),
            "left out": list(self.left_out),
            "declared": self.declared,
        }

    @classmethod
    def from_json(cls, data: Any) -> Stated:
        """Return the statement that `to_json` wrote.

        Raises
        ------
        InvalidInput
            If the data are not such a statement.
        """
        if not isinstance(data, dict) or set(data) != {"sensitive", "left out", "declared"}:
            raise InvalidInput('the statements need "sensitive", "left out" and "declared".')
        sensitive, left_out = (
            tuple(checked_text(name, "column") for name in data[key])
            for key in ("sensitive", "left out")
        )
        return cls(sensitive, left_out, checked_text(data["declared"], "declaration"))
