"""Conjunctions and disjunctions against literals evaluated one by one."""

from __future__ import annotations

import itertools

import pytest

from catalog.conjunctions import Conjunctions, Disjunctions
from lsclasses import Table


def cube(n):
    return list(itertools.product((0, 1), repeat=n))


def literal_sets(n, monotone):
    """All sets of literals (variable, value it must have), contradictory ones too."""
    literals = [(i, 1) for i in range(n)] + ([] if monotone else [(i, 0) for i in range(n)])
    for size in range(len(literals) + 1):
        yield from itertools.combinations(literals, size)


@pytest.mark.parametrize("monotone", [0, 1])
@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize(("family", "quantifier"), [(Conjunctions(), all), (Disjunctions(), any)])
def test_every_set_of_literals_gives_a_concept(family, quantifier, n, monotone):
    rows = [
        [int(quantifier(x[i] == value for i, value in literals)) for x in cube(n)]
        for literals in literal_sets(n, monotone)
    ]
    table = family.table(n=n, monotone=monotone)
    assert table == Table(rows, cube(n))
    assert table.size == (2**n if monotone else 3**n + 1)
    assert table.merged == 0


@pytest.mark.parametrize("monotone", [0, 1])
@pytest.mark.parametrize(
    ("family", "sign", "quantifier"), [(Conjunctions(), " & ", all), (Disjunctions(), " | ", any)]
)
def test_names_say_what_the_concept_is(family, sign, quantifier, monotone):
    for c in family.table(n=3, monotone=monotone):
        if c.name in ("true", "false"):
            assert all(c(x) == (c.name == "true") for x in cube(3))
            continue
        literals = [(int(part.lstrip("~x")) - 1, part[0] != "~") for part in c.name.split(sign)]
        assert all(c(x) == quantifier(x[i] == value for i, value in literals) for x in cube(3))
