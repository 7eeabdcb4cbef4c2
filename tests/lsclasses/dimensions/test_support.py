from __future__ import annotations

from hypothesis import given

from lsclasses import Table
from lsclasses.dimensions.support import least_support
from tests.strategies import plain, tables


@given(tables(min_concepts=0))
def test_no_concept_has_a_smaller_support(table: Table) -> None:
    supports = [sum(concept) for concept in plain(table)]
    assert least_support(table) == (min(supports) if supports else 0)
