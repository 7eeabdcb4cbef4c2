"""What `check_family` accepts and, above all, what it rejects."""

from __future__ import annotations

import pytest

import catalog
from catalog.family import Fact, Family
from catalog.family_checks import check_family
from lsclasses import Table
from lsclasses.specifications import Parameter


class Chains(Family):
    """A right family, to be spoilt in every way."""

    name = "two-chains"
    title = "Thresholds, once more"
    definition = "Points 0, ..., n-1; the sets of the first i points."
    reference = "none"
    parameters = (Parameter("n", "number of points", minimum=1, maximum=50),)
    facts = (
        Fact("size", "n + 1", source="count"),
        Fact("ldim", "floor_log2(n + 1)", source="halving"),
        Fact("vcdim", "1", source="chains", printed="n", printed_in="[X]"),
        Fact("star_number", "2", when="n > 1", source="neighbours"),
    )

    def _shape(self, *, n):
        return n + 1, n

    def _table(self, *, n):
        return Table([[int(x < i) for x in range(n)] for i in range(n + 1)])

    def instances(self):
        yield from ({"n": n} for n in (1, 2, 3, 7))


def test_a_right_family_passes_as_class_and_as_object():
    check_family(Chains)
    check_family(Chains())


@pytest.mark.parametrize("name", ["points", "random"])
def test_families_of_the_catalog_pass(name):
    check_family(catalog.family(name))
