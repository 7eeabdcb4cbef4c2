"""Every fact of every family against the definitions transcribed in `lsclasses.naive`.

The searches have no part in this; `lsclasses verify` uses them and reaches further.
"""

from __future__ import annotations

import pytest

import catalog
from lsclasses import naive

DEFINITIONS = {
    "size": len,
    "points": lambda C: len(next(iter(C))),
    "ldim": naive.ldim_recursive,
    "vcdim": naive.vcdim,
    "dual_ldim": lambda C: naive.ldim_recursive(naive.dual(C)),
    "dual_vcdim": naive.dual_vcdim,
    "threshold_dim": naive.threshold_dim,
    "randomized_ldim": naive.randomized_ldim_recursive,
    "star_number": naive.star_number,
    "hollow_star_number": naive.hollow_star_number,
    "teaching_dim": naive.teaching_dim,
    "recursive_teaching_dim": naive.recursive_teaching_dim,
}


@pytest.mark.parametrize("name", list(catalog.families()))
def test_facts_hold_by_definition_on_tiny_members(name):
    family = catalog.family(name)
    for values in family.instances():
        table = family.table(**values)
        if len(table) > 6 or len(table.domain) > 4:
            continue
        plain = [tuple(row) for row in table.labels.tolist()]
        found: dict[str, object] = {}
        for statement in family.stated(**values):
            quantity = statement.fact.quantity
            if quantity not in found:
                found[quantity] = DEFINITIONS[quantity](plain)
            assert statement.holds(found[quantity]), (values, quantity, str(statement), found)
