"""What `check_family` accepts and, above all, what it rejects."""

from __future__ import annotations

import itertools

import pytest

import catalog
from catalog.checks import check_family
from catalog.family import Fact, Family, Parameter
from lsclasses import InvalidInput, Limit, Table


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


def spoilt(**attributes):
    return type("Spoilt", (Chains,), attributes)


def with_facts(*facts):
    return spoilt(facts=facts)


def test_a_right_family_passes_as_class_and_as_object():
    check_family(Chains)
    check_family(Chains())


@pytest.mark.parametrize(
    "name", ["thresholds", "points", "linear", "rectangles", "random", "conjunctions"]
)
def test_families_of_the_catalog_pass(name):
    check_family(catalog.family(name))


counter = itertools.count()


class Incomplete(Family):
    """A family without a table."""

    name = "incomplete"


class WrongClosedForm(Table):
    """A class whose formula for Ldim is off by one."""

    def _closed_form(self, dimension):
        return 0 if dimension == "ldim" else None


WRONG = {
    "no family": (object(), "must be a subclass of catalog.Family. Got <object"),
    "another class": (Table, "must be a subclass of catalog.Family"),
    "abstract": (Incomplete, "Incomplete must define _shape, _table, instances"),
    "no title": (spoilt(title=""), "needs the class attribute 'title', a text. Got ''"),
    "no reference": (spoilt(reference=None), "needs the class attribute 'reference'"),
    "bad name": (spoilt(name="Two Chains"), "lower-case words.*Got 'Two Chains'"),
    "name with colon": (spoilt(name="two:chains"), "lower-case words"),
    "parameter twice": (
        spoilt(parameters=Chains.parameters * 2),
        "'n' of 'two-chains' must have a name of its own",
    ),
    "parameter of two words": (
        spoilt(parameters=(Parameter("number of points", "", minimum=1),)),
        "must have a name of its own, a single word",
    ),
    "default out of range": (
        spoilt(parameters=(Parameter("n", "", default=0, minimum=1),)),
        "'n' of 'two-chains' must be an integer >= 1. Got 0",
    ),
    "default of another type": (
        spoilt(parameters=(Parameter("n", "", default="1"),)),
        "has the default '1', which reads as 1",
    ),
    "unknown quantity": (
        with_facts(Fact("depth", "1", source="x")),
        "must be about one of .*ldim.* Got 'depth'",
    ),
    "unknown relation": (
        with_facts(Fact("ldim", "1", relation="=", source="x")),  # type: ignore[arg-type]
        "one of the relations ==, <=, >=. Got '='",
    ),
    "no source": (with_facts(Fact("size", "n + 1")), "needs a source"),
    "half an erratum": (
        with_facts(Fact("size", "n + 1", source="x", printed="n")),
        "both what is printed and where",
    ),
    "unreadable formula": (with_facts(Fact("size", "n +", source="x")), "'n .' .* cannot be read"),
    "unreadable condition": (
        with_facts(Fact("size", "n + 1", when="n == 1", source="x")),
        "An equation is written Eq",
    ),
    "foreign symbol": (with_facts(Fact("size", "m + 1", source="x")), "Got m"),
    "no number": (
        with_facts(Fact("growth_function", "n + 1", source="x")),
        "cannot be verified: The growth_function of a class is no number",
    ),
    "irrational": (
        with_facts(Fact("size", "sqrt(n + 1)", source="x")),
        "cannot be verified: .* must have an exact rational value",
    ),
    "undecided condition": (
        with_facts(Fact("size", "n + 1", when="f(n) > 0", source="x")),
        r"cannot be verified: The condition 'f\(n\) > 0' must be true or false",
    ),
    "wrong fact": (
        with_facts(Fact("ldim", "n", source="x")),
        "The ldim of 'two-chains:n=2' is stated to be 2. The search finds 1",
    ),
    "wrong bound": (
        with_facts(Fact("vcdim", "n", relation=">=", source="x")),
        "The vcdim of 'two-chains:n=2' is stated to be >= 2. The search finds 1",
    ),
    "never applies": (
        with_facts(Fact("size", "n + 1", when="n > 7", source="x")),
        "No instance of 'two-chains' reaches the fact 'size'",
    ),
    "never searched": (
        with_facts(Fact("size", "n + 1", searched="n > 7", source="x")),
        "No instance of 'two-chains' reaches the fact 'size'",
    ),
    "no instances": (spoilt(instances=lambda self: iter(())), "has no instances"),
    "instance no mapping": (
        spoilt(instances=lambda self: iter([3])),
        "must be mappings of parameters to values. Got 3",
    ),
    "instance out of range": (
        spoilt(instances=lambda self: iter([{"n": 0}])),
        "'n' of 'two-chains' must be an integer from 1 to 50. Got 0",
    ),
    "instance of unknown parameter": (
        spoilt(instances=lambda self: iter([{"m": 1}])),
        "has no parameter 'm'",
    ),
    "no table": (spoilt(_table=lambda self, n: [[0]]), "must be a Table. Got"),
    "fewer announced": (
        spoilt(_shape=lambda self, n: (n, n)),
        "at most 1 concepts on 1 points. Its table has 2 on 1",
    ),
    "other points announced": (
        spoilt(_shape=lambda self, n: (n + 1, n + 1)),
        "at most 2 concepts on 2 points. Its table has 2 on 1",
    ),
    "empty class": (
        spoilt(_table=lambda self, n: Table([], domain=range(n))),
        "is an empty class",
    ),
    "different every time": (
        spoilt(_table=lambda self, n: Table([[next(counter) % 2] + [0] * (n - 1)])),
        "is not the same class every time",
    ),
    "another concept class": (
        spoilt(_concept_class=lambda self, n: Table([[0] * n])),
        "The concept class of 'two-chains:n=1' is not the one in its table",
    ),
    "wrong closed form": (
        spoilt(
            _concept_class=lambda self, n: WrongClosedForm(
                [[int(x < i) for x in range(n)] for i in range(n + 1)]
            )
        ),
        "The closed form of ldim of 'two-chains:n=1' is 0. The search finds 1",
    ),
    "closed form against a fact that is not searched": (
        spoilt(
            facts=(Fact("ldim", "floor_log2(n + 1)", source="halving", searched="n > 1"),),
            _concept_class=lambda self, n: WrongClosedForm(
                [[int(x < i) for x in range(n)] for i in range(n + 1)]
            ),
        ),
        "The closed form of ldim of 'two-chains:n=1' is 0. It is stated to be 1",
    ),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_family_is_rejected_with_what_is_wrong(what):
    family, message = WRONG[what]
    with pytest.raises(InvalidInput, match=message):
        check_family(family)


def test_a_fact_that_takes_too_long_is_rejected():
    from numpy.random import default_rng

    labels = default_rng(1).integers(0, 2, size=(300, 40))
    slow = spoilt(
        facts=(Fact("ldim", "6", source="x"),),
        _shape=lambda self, n: (300, 40),
        _table=lambda self, n: Table(labels),
    )
    with pytest.raises(InvalidInput, match=r"was stopped: \d+ to \d+. Allow more"):
        check_family(slow, limit=Limit(memory=1))


def test_a_specification_must_read_back():
    class Words(Chains):
        parameters = (Parameter("n", "", choices=("a,b", "c")),)
        facts = ()

        def instances(self):
            yield {"n": "a,b"}

    with pytest.raises(InvalidInput, match="written name=value"):
        check_family(Words)
