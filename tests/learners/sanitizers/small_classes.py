"""Small classes written out as tables, for the tests of sanitizers."""

from __future__ import annotations

from itertools import product

import catalog
from lsclasses import Table


def table(spec: str) -> Table:
    """The table of a class of the catalog."""
    return catalog.build(spec).to_table()


def all_concepts(points: int) -> Table:
    """Every set of the points 0, 1, ... as a concept."""
    return Table(list(product((0, 1), repeat=points)))
