"""Parameters, facts and formulas of families."""

from __future__ import annotations

import html
import math
from fractions import Fraction

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

import catalog
from catalog.family import Fact, FactInstance, Family
from catalog.points import Points
from catalog.thresholds import Thresholds
from lsclasses import Table
from lsclasses.specifications import Parameter

COUNT = Parameter("n", "a count", minimum=1, maximum=9)
SHARE = Parameter("share", "a share", minimum=0, maximum=1, rational=True)
KIND = Parameter("kind", "a kind", choices=("any", "monotone"))


class Sample(Family):
    """A family with a parameter of every kind."""

    name = "sample"
    title = "Sample"
    definition = "All labellings of one point."
    reference = "none"
    parameters = (COUNT, SHARE, KIND)

    def _shape(self, **values):
        return 2, 1

    def _table(self, **values):
        return Table([[0], [1]])

    def instances(self):
        yield {"n": 1, "share": "1/2", "kind": "any"}


# ---- parameters


@pytest.mark.parametrize(
    ("parameter", "given", "value"),
    [
        (COUNT, "3", 3),
        (COUNT, 3.0, 3),
        (SHARE, "1/3", Fraction(1, 3)),
        (SHARE, "0.25", Fraction(1, 4)),
        (SHARE, 1, Fraction(1)),
        (KIND, "monotone", "monotone"),
        (Parameter.flag("f", "a flag"), "true", 1),
        (Parameter.flag("f", "a flag"), True, 1),
    ],
)
def test_values_are_read(parameter, given, value):
    read = parameter.read("sample", given)
    assert read == value
    assert type(read) is type(value)


def test_all_parameters_get_a_value_in_their_order():
    values = Thresholds().values(ones="0", n="3")
    assert list(values.items()) == [("n", 3), ("zeros", 1), ("ones", 0)]


@given(
    n=st.integers(1, 9),
    share=st.fractions(0, 1, max_denominator=50),
    kind=st.sampled_from(KIND.choices),
)
def test_a_specification_gives_back_its_values(n, share, kind):
    family = Sample()
    values = family.values(n=n, share=share, kind=kind)
    name, _, text = family.spec(**values).partition(":")
    assert name == "sample"
    assert family.values(**family.values_in(text)) == values


# ---- facts and formulas


class Stated(Sample):
    """`Sample` with facts of every kind."""

    facts = (
        Fact("ldim", "n/2", when="Eq(n, 2) & (share > 0)", source="a"),
        Fact("vcdim", "n + share", relation="<=", source="b"),
        Fact("size", "2", source="c", printed="n", printed_in="[X]"),
    )


def test_facts_are_stated_where_they_apply():
    stated = Stated().stated(n=2, share="1/3", kind="any")
    assert [(s.fact.quantity, str(s)) for s in stated] == [
        ("ldim", "1"),
        ("vcdim", "<= 7/3"),
        ("size", "2"),
    ]
    assert [s.fact.quantity for s in Stated().stated(n=2, share=0, kind="any")] == ["vcdim", "size"]
    assert [s.fact.quantity for s in Stated().stated(n=3, share=1, kind="any")] == ["vcdim", "size"]


@pytest.mark.parametrize(
    ("relation", "agreeing"), [("==", {3}), ("<=", {1, 2, 3}), (">=", {3, 4, 5})]
)
def test_a_statement_knows_what_agrees_with_it(relation, agreeing):
    statement = FactInstance(Fact("ldim", "n", relation=relation), Fraction(3))
    assert {value for value in range(1, 6) if statement.holds(value)} == agreeing
    assert not any(statement.corrects(value) for value in range(6))


@pytest.mark.parametrize(("relation", "denied"), [("==", {1, 3}), ("<=", {3}), (">=", {1})])
def test_a_statement_knows_what_denies_the_print(relation, denied):
    statement = FactInstance(Fact("ldim", "n", relation=relation), Fraction(9), printed=Fraction(2))
    assert {value for value in (1, 2, 3) if statement.corrects(value)} == denied


def test_a_formula_with_conditions_is_piecewise():
    formula = Points().formula("hollow_star_number")
    n, empty = Points().symbols().values()
    assert isinstance(formula, sympy.Piecewise)
    assert [formula.subs({n: m, empty: e}) for m, e in [(5, 0), (5, 1), (1, 1)]] == [5, 2, 0]


def test_values_are_exact():
    values = Sample().values(n=9, share="1/3", kind="any")
    assert Sample().evaluate("Sum(share**i, (i, 1, n))", values) == Fraction(9841, 19683)
    assert Sample().evaluate("binomial(2*n, n)/2**100", values) == Fraction(48620, 2**100)
    assert Sample().evaluate("sqrt(n) - floor(sqrt(n + 1))", values) == 0


def test_infinite_and_large_parameters():
    line = Parameter("n", "points", minimum=1, infinite=True)
    assert line.read("line", "inf") == line.read("line", math.inf) == math.inf
    assert line.read("line", "2^64") == line.read("line", "2**64") == 2**64


@pytest.mark.parametrize("name", ["thresholds", "points"])
def test_infinite_members(name):
    found = catalog.family(name)
    assert found.values(**found.values_in(found.spec(n="inf").partition(":")[2]))["n"] == math.inf
    assert found.concept_class(n="inf").size is None
    assert found.stated(n="inf") == []


@pytest.mark.parametrize("name", list(catalog.families()))
def test_notebooks_show_all_facts(name):
    found = catalog.family(name)
    shown = found._repr_html_()
    assert shown.count("<tr>") == 1 + len(found.facts)
    assert all(html.escape(fact.source) in shown for fact in found.facts)
    latex = found._repr_latex_()
    exact = {fact.quantity for fact in found.facts if fact.relation == "=="}
    assert (latex is None) == (not exact)
    assert latex is None or latex.count(" &= ") == len(exact)


def test_values_too_long_to_be_written_down_are_left_out():
    stated = {s.fact.quantity: s.value for s in catalog.family("points").stated(n=2**64)}
    assert stated["ldim"] == 1
    assert stated["hollow_star_number"] == 2**64
    assert "randomized_ldim" not in stated
