"""Relations between the parameters of small classes, and with dimensions, with proofs."""

from __future__ import annotations

from importlib.resources import files

from lsclasses.data_files import from_table, parse
from lsclasses.dimensions.inequalities import Inequality

RELATIONS = tuple(
    from_table(Inequality, each, "'classes'")
    for each in parse(files(__package__).joinpath("inequalities.toml").read_text(encoding="utf-8"))[
        "classes"
    ]
)
"""Inequalities, with proofs, that hold for the parameters of every non-empty class."""
