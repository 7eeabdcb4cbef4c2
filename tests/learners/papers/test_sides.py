"""What is computed and what is stated come from different code, as far as the source tells."""

from __future__ import annotations

from math import comb

from catalog.fact_checks import checks as facts
from learners.claim_checks import audit_outcome, checks, compare
from learners.papers import records
from learners.papers.coverage import recomputed
from tests.learners.papers.sides import calls, common, comparisons, scope_of

IN_ONE_EXPRESSION = {"inequalities", "games"}
"""Topics whose rows have both sides in ``computed=``: two dimensions, two analyses of a game."""


def paths(number):
    return comb(number, 2)


def above(number):
    return 1 + paths(number)


class Learner:
    def bound(self, number):
        return above(number)


def against_itself(number):
    found, bound = [number], paths(number)
    found.append(above(number))
    yield compare(None, "", computed=paths(number), stated=bound)
    yield compare(None, "", computed=max(found), stated=bound)
    yield doubled(above(number), paths(number))
    learner = Learner()
    yield compare(None, "", computed=paths(number), stated=learner.bound(number))


def doubled(most, proved):
    return compare(None, "", computed=most, stated=2 * proved)


def on_an_instance(number):
    rows = above(number)
    yield compare(None, "", computed=len(range(rows)), stated=rows)


def test_a_formula_against_itself_is_found():
    """Directly, through a list, in a helper and through a method; an instance is no side's."""
    found = list(comparisons(scope_of(against_itself)))
    assert len(found) == 4 and all(paths in common(*sides) for sides in found)
    assert not any(common(*sides) for sides in comparisons(scope_of(on_an_instance)))


def test_two_sides_come_from_different_code():
    """Of every comparison; every checked statement has one, or an audit by exact laws."""
    seen = {}
    for work in {check.work for check in checks()}:
        found = list(comparisons(scope_of(work)))
        for sides in found:
            shared = sorted(function.__qualname__ for function in common(*sides))
            assert not shared, f"Both sides of {work.__module__}.{work.__name__} call {shared}."
        seen[work] = bool(found) or calls(scope_of(work), audit_outcome)
    about = {name for check in facts() for each in check.claims for name in each.statements}
    for check in checks():
        if seen[check.work] or check.topic in IN_ONE_EXPRESSION:
            about |= {name for claim in check.claims for name in claim.statements}
    whole = {name for name in recomputed() if not records()[name].missing}
    assert whole <= about
