"""What `check_family` accepts and, above all, what it rejects."""

from __future__ import annotations

import pytest

import catalog
from catalog.family import Fact, Family
from catalog.family_checks import check_family
from lsclasses import InvalidInput, Table
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


class Windows(Family):
    """The sets of w consecutive points of n points on a line."""

    name = "windows"
    title = "Windows"
    definition = "Points 0, ..., n-1; the concepts are the sets of w consecutive points."
    reference = "an example"
    parameters = (Parameter("n", "points", minimum=1), Parameter("w", "width", minimum=1))

    def _shape(self, *, n, w):
        return n - w + 1, n

    def _table(self, *, n, w):
        return Table([[int(i <= x < i + w) for x in range(n)] for i in range(n - w + 1)])

    def instances(self):
        yield {"n": 3, "w": 2}


class Checked(Windows):
    def _check(self, *, n, w):
        if w > n:
            raise InvalidInput(f"A window has at most n={n} points. Got w={w}.")


def test_a_table_that_cannot_be_built_names_the_member_and_the_hook():
    assert len(Windows().table(n=3, w=2)) == 2
    with pytest.raises(InvalidInput, match=r"'windows:n=3,w=5' cannot be built.*Windows._check"):
        Windows().table(n=3, w=5)
    with pytest.raises(InvalidInput, match=r"^A window has at most n=3 points. Got w=5.$"):
        Checked().table(n=3, w=5)


def test_a_table_must_be_a_table():
    class Rows(Windows):
        def _table(self, *, n, w):
            return [[0] * n]

    with pytest.raises(InvalidInput, match=r"Rows._table must return a Table. Got \[\[0, 0, 0\]\]"):
        Rows().table(n=3, w=2)
