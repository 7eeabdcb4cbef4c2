"""Conjunctions and disjunctions against literals evaluated one by one."""

from __future__ import annotations

import itertools

import pytest

import catalog
from catalog.conjunctions import Conjunctions, Disjunctions
from lsclasses import InvalidInput, Table, TooLarge


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


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_de_morgan(n):
    assert Conjunctions().table(n=n).complement() == Disjunctions().table(n=n)
    negated = [tuple(1 - bit for bit in x) for x in cube(n)]
    monotone = Conjunctions().table(n=n, monotone=1).complement().rename(negated)
    assert monotone == Disjunctions().table(n=n, monotone=1)


@pytest.mark.parametrize("family", [Conjunctions(), Disjunctions()])
def test_the_elimination_algorithm_is_optimal(family):
    C = family.table(n=8)
    assert (C.size, len(C.points), C.ldim()) == (6562, 256, 9)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (
            "conjunctions",
            "needs the parameter 'n' .number of variables., an integer from 1 to 4096",
        ),
        ("conjunctions:n=0", "'n' of 'conjunctions' must be an integer from 1 to 4096. Got '0'"),
        ("disjunctions:n=2,monotone=2", "'monotone' of 'disjunctions' must be an integer from 0"),
        ("disjunctions:n=2,k=1", "'disjunctions' has no parameter 'k'"),
    ],
)
def test_wrong_parameters(spec, message):
    with pytest.raises(InvalidInput, match=message):
        catalog.build(spec)


@pytest.mark.parametrize("spec", ["conjunctions:n=12", "disjunctions:n=28,monotone=1"])
def test_too_many_variables(spec):
    """No table is begun; the class itself is in closed form."""
    with pytest.raises(TooLarge, match="the limit is 268435456"):
        catalog.build(spec).to_table()
