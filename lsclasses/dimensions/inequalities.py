"""Inequalities between the dimensions of a class, as objects.

Each says that one formula in the dimensions never exceeds another, why, and how close they come on
small classes. They stand in ``inequalities.toml``, and `INEQUALITIES` is the single list: the
documentation prints it, ``lsclasses verify`` recomputes it on all classes of the atlas and on
members of the catalog, and ``lsclasses dims`` uses it where a search was stopped
(`lsclasses.dimensions.derived`).

Formulas know the quantities of `lsclasses.dimensions.quantities`.
"""

from __future__ import annotations

from importlib.resources import files

from lsclasses.data_files import from_table, parse
from lsclasses.dimensions.inequality import Inequality

__all__ = ["INEQUALITIES", "MAJORITIES", "OPERATIONS", "Inequality"]


def _listed(table: str) -> tuple[Inequality, ...]:
    return tuple(from_table(Inequality, each, f"'{table}'") for each in _TABLES[table])


_TABLES = parse(files(__package__).joinpath("inequalities.toml").read_text(encoding="utf-8"))

INEQUALITIES = _listed("classes")
"""The inequalities between the dimensions of every non-empty class."""

OPERATIONS = _listed("operations")
"""The inequalities for two non-empty classes on one domain, their union, and the class that a
Boolean function makes of them point by point (`lsclasses.aggregate`)."""

MAJORITIES = _listed("majorities")
"""The inequalities for the class of all majorities of three concepts (`Table.majority`)."""
