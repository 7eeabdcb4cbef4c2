"""Claims about learners in ``lsclasses verify``."""

from __future__ import annotations

import ast
import inspect
import pickle
from fractions import Fraction

import pytest
from flint import arb

from catalog.fact_checks import Claim
from learners.accounting import PureDP, Scope
from learners.audit import audit
from learners.bounds import Bound
from learners.claim_checks import (
    ClaimCheck,
    audit_outcome,
    bound_outcome,
    checks,
    compare,
    recomputes,
    topics,
)
from learners.papers import errata
from lsclasses.errors import InvalidInput
from lsclasses.verdicts import Verdict

NUMBERS = [Fraction(-1, 2), 3]
RELATIONS = {"==": lambda x, y: x == y, "<=": lambda x, y: x <= y, ">=": lambda x, y: x >= y}


def claim(relation="<=", **words):
    return Claim("size", "n", relation, **words)


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("computed", NUMBERS)
@pytest.mark.parametrize("stated", NUMBERS)
def test_numbers_are_compared_by_the_relation(relation, computed, stated):
    agrees = RELATIONS[relation](computed, stated)
    for left, right in [(computed, stated), (arb(float(computed)), stated)]:
        outcome = compare(claim(relation), "x", computed=left, stated=right)
        assert outcome.verdict == ("holds" if agrees else "violated")


@pytest.mark.parametrize("relation", RELATIONS)
def test_balls_decide_what_they_surely_can(relation):
    around = arb(1, 0.5)
    verdicts = [
        compare(claim(relation), "x", computed=around, stated=Fraction(stated, 4)).verdict
        for stated in (1, 4, 7)
    ]
    assert (
        verdicts
        == {
            "==": ["violated", "undecided", "violated"],
            "<=": ["violated", "undecided", "holds"],
            ">=": ["holds", "undecided", "violated"],
        }[relation]
    )


def test_an_erratum_is_what_holds_where_print_does_not():
    wrong = claim(printed="m", printed_in="[a paper]")
    verdicts = [
        compare(wrong, "x", computed=3, stated=stated, printed=printed).verdict
        for stated, printed in ((4, 2), (4, 3), (2, 4), (2, 1))
    ]
    assert verdicts == ["erratum", "holds", "violated", "violated"]
    (row,) = ClaimCheck("t", erratum).rows()
    assert (row.printed, row.printed_in) == ("m = 2", "[a paper]")


ERRATUM = claim(printed="m", printed_in="[a paper]")


@recomputes(ERRATUM)
def erratum():
    yield compare(ERRATUM, "x", computed=3, stated=4, printed=2)


@recomputes(ERRATUM)
def another():
    yield compare(claim(), "x", computed=1, stated=4)


UNNAMED = claim(printed="m")


@recomputes(UNNAMED)
def unnamed():
    yield compare(UNNAMED, "x", computed=3, stated=4, printed=2)


@pytest.mark.parametrize("relation", RELATIONS)
def test_a_false_form_is_refuted_by_what_contradicts_it(relation):
    def refutes(computed, false):
        found = compare(claim(relation), "x", computed=computed, stated=computed, false=false)
        assert found.verdict == "holds"
        return found.refutes

    sign = "" if relation == "==" else f"{relation} "
    assert refutes(3, 2) == ("" if relation == ">=" else f"{sign}2")
    assert refutes(3, 4) == ("" if relation == "<=" else f"{sign}4")
    assert refutes(3, 3) == ""


def test_a_broken_twin_is_refuted_if_it_contradicts_the_claim():
    wrong = claim(falsified="without noise", incorrect_object=True)
    found = [compare(wrong, "x", computed=1, stated=2, twin=twin).refutes for twin in (2, 3)]
    assert found == ["", "without noise, where it is 3"]
    bound = Bound("[a paper]", "mistakes", "d", 3, trivial=10)
    found = [bound_outcome(wrong, "x", bound, [1], twin=twin).refutes for twin in ([3], [4])]
    assert found == ["", "without noise, where it is 4"]
    found = [bound_outcome(wrong, "x", bound, [1], false=false).refutes for false in (1, 0)]
    assert found == ["", "<= 0"]


def comparisons():
    """Yield every call with an incorrect variant, and the claim or None if a call computes it."""
    for module in {inspect.getmodule(check.work) for check in checks()}:
        for call in ast.walk(ast.parse(inspect.getsource(module))):
            if isinstance(call, ast.Call):
                given = {each.arg for each in call.keywords}
                if "twin" in given and ast.unparse(call.func) in ("compare", "bound_outcome"):
                    yield given, vars(module).get(ast.unparse(call.args[0])), ast.unparse(call)


def test_every_incorrect_variant_declares_its_size():
    """The slow checks too, which these tests do not run."""
    found = list(comparisons())
    assert len(found) > 50
    for given, wrong, call in found:
        declared = wrong is None or wrong.drops or wrong.incorrect_object
        assert "changed" in given or declared, call


def test_an_audit_of_an_incorrect_mechanism_declares_its_size():
    def run_audit(chance):
        law = PureDP(Fraction(1), scope=Scope.adaptive("replace_one"))
        return audit(lambda n, coins: n ^ coins.flip(chance), [(0, 1)], law)

    fine, broken = run_audit(Fraction(1, 3)), run_audit(Fraction(1, 9))
    with pytest.raises(InvalidInput, match="a third of the chance"):
        audit_outcome(claim(falsified="a third of the chance"), "x", fine, false=broken)
    third = claim(falsified="a third of the chance")
    assert audit_outcome(third, "x", fine, false=broken, changed=(3, 1)).ratio == "3"


def test_audits_become_outcomes():
    def run_audit(epsilon):
        return audit(
            lambda n, coins: n ^ coins.flip(Fraction(1, 4)),
            [(0, 1)],
            PureDP(epsilon, scope=Scope.adaptive("replace_one")),
        )

    fine, broken = run_audit(Fraction(11, 10)), run_audit(Fraction(1))
    assert audit_outcome(claim(), "x", fine).verdict == "holds"
    assert audit_outcome(claim(), "x", broken).verdict == "violated"
    refuted = audit_outcome(claim(), "x", fine, false=broken).refutes
    assert refuted == "(1, 0), but delta(1) = 0.070429543"
    assert audit_outcome(claim(), "x", fine, false=fine).refutes == ""
    assert audit_outcome(claim(), "x", fine).refutes.startswith(
        "(33/40, 0), but delta(33/40) = 0.17"
    )
    assert (
        audit_outcome(claim(), "x", fine, false=(fine.loss, Fraction(2), Fraction(0))).refutes == ""
    )


def test_runs_become_outcomes():
    bound = Bound("[a paper]", "mistakes", "d", 3, trivial=10)
    assert bound_outcome(claim(), "x", bound, [1, 3]).computed == "3 at most in 2 runs"
    assert bound_outcome(claim(), "x", bound, [1, 3]).verdict == "consistent"
    assert bound_outcome(claim(), "x", bound, [1, 3], exact=True).verdict == "holds"
    assert bound_outcome(claim(), "x", bound, [4]).verdict == "violated"
    vacuous = Bound("[a paper]", "mistakes", "T", 10, trivial=10)
    assert bound_outcome(claim(), "x", vacuous, [1]).verdict == "vacuous"
    unmet = Bound("[a paper]", "mistakes", "d", 3, hypotheses=("k > 3",), unmet=("k > 3",))
    assert bound_outcome(claim(), "x", unmet, [9]).verdict == "does not apply"
    assert [*Verdict][-1] == "violated"


def test_every_topic_has_work_that_can_be_sent_away():
    found = topics()
    assert {"coin-game", "ledger", "mechanisms"} <= set(found)
    assert all(found.values())
    for name in found:
        listed = checks([name])
        assert listed and {check.topic for check in listed} == {name}
        assert all(pickle.loads(pickle.dumps(check)) == check for check in listed)
    assert len(checks()) == sum(len(checks([name])) for name in found)


def smallest():
    """The first check of every function; slow ones where `verify` has no others."""
    found = {}
    for check in checks():
        found.setdefault((check.topic, check.work), check)
    return [
        pytest.param(check, id=check.name, marks=[pytest.mark.slow] if check.slow else [])
        for check in found.values()
    ]


@pytest.mark.parametrize("check", smallest())
def test_every_check_refutes_a_false_form_of_its_claims(check, rows):
    """On its first instance; `lsclasses verify` says so of all that it recomputes."""
    found = rows(check)
    assert {row.verdict for row in found} <= {"holds", "erratum", "consistent", "exceeded"}
    assert all(claim.falsified or claim.printed for claim in check.claims)
    assert {row.fact for row in found} == set(check.claims)
    assert {row.fact for row in found if row.refutes} == set(check.claims)
    # Of the three kinds of errata only what is refuted is a verdict.
    said = {each.witness for group in errata("refuted").values() for each in group}
    assert {f"{r.family}: {r.quantity}" for r in found if r.verdict == "erratum"} <= said
