"""Dimensions that a family states for the whole class, and that have no formula after examples."""

from __future__ import annotations

from fractions import Fraction

from lsclasses.specifications import Value


def stated_value(family: str, dimension: str, **values: Value) -> Fraction | None:
    """The value of a dimension by the facts of a family; None if no fact gives it exactly.

    Examples
    --------
    >>> stated_value("affine", "dual_ldim", q=2, n=64, k=8, empty=0)
    Fraction(9, 1)
    """
    import catalog

    found = catalog.family(family)
    for fact in found.facts:
        if fact.quantity == dimension and fact.relation == "==" and found.applies(fact, values):
            return found.evaluate(fact.expression, values)
    return None
