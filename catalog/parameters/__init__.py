"""Parameters of small classes beside the dimensions, by their definitions, and what bounds them.

A module holds a family of parameters. A new one is a function with the decorator `parameter` in
the module of its family, and a new family a name in `FAMILIES`: statements (``lsclasses refute``),
``lsclasses explain``, ``lsclasses database`` and their page read `PARAMETERS`.

What holds between them and the dimensions stands in ``inequalities.toml``, with proofs.
"""

from __future__ import annotations

from importlib import import_module
from importlib.resources import files

from catalog.parameters.base import KNOWN, Numbers, Parameter, numbers_of, parameter
from lsclasses.data_files import filled, parse
from lsclasses.dimensions.inequality import Inequality

__all__ = ["PARAMETERS", "RELATIONS", "Numbers", "Parameter", "numbers_of", "parameter"]

FAMILIES = ("distances", "shattering", "algebra", "graph", "teaching", "queries", "compression")
for _family in FAMILIES:
    import_module(f"{__name__}.{_family}")

PARAMETERS: dict[str, Parameter] = dict(KNOWN)
"""Every parameter by its name."""

RELATIONS = tuple(
    filled(Inequality, each, "'classes'")
    for each in parse(files(__name__).joinpath("inequalities.toml").read_text(encoding="utf-8"))[
        "classes"
    ]
)
"""The inequalities for every non-empty class: between these parameters, and with dimensions."""
