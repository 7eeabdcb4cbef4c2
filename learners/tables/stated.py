"""What the owner of a table states about a model, beside what was learned."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from learners.tables.saved import checked_text
from lsclasses.errors import InvalidInput


@dataclass(frozen=True)
class Stated:
    """What the owner of the rows states about a model, beside what was learned.

    Attributes
    ----------
    sensitive : tuple of str
        The columns that are declared as sensitive.
    left_out : tuple of str
        Those of them that the learner did not see.
    declared : str
        Who or what declared the columns, such as a code book; empty if that is not said.
    """

    sensitive: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    declared: str = ""

    def to_json(self) -> dict[str, object]:
        """Write the statement for `from_json`."""
        return {
            "sensitive": list(self.sensitive),
            "left out": list(self.left_out),
            "declared": self.declared,
        }

    @classmethod
    def from_json(cls, data: Any) -> Stated:
        """Read the statement that `to_json` wrote.

        Raises
        ------
        InvalidInput
            If it is something else.
        """
        if not isinstance(data, dict) or set(data) != {"sensitive", "left out", "declared"}:
            raise InvalidInput('what is stated has "sensitive", "left out" and "declared".')
        sensitive, left_out = (
            tuple(checked_text(name, "column") for name in data[key])
            for key in ("sensitive", "left out")
        )
        return cls(sensitive, left_out, checked_text(data["declared"], "declaration"))
