"""Claims about learners in ``lsclasses verify``."""

from __future__ import annotations

import pickle
from fractions import Fraction

import pytest
from flint import arb

from catalog.verify import SEVERITY, Claim, run, summarize
from learners.accounting import PureDP
from learners.audit import audit
from learners.bounds import Bound
from learners.verify import ClaimCheck, audited, checked, checks, compare, topics
from lsclasses.errors import InvalidInput

NUMBERS = [Fraction(-1, 2), 0, 3, Fraction(7, 2)]
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
            "==": ["violated", "not decided", "violated"],
            "<=": ["violated", "not decided", "holds"],
            ">=": ["holds", "not decided", "violated"],
        }[relation]
    )


def test_an_erratum_is_what_holds_where_print_does_not():
    wrong = claim(printed="m", printed_in="[a paper]")
    verdicts = [
        compare(wrong, "x", computed=3, stated=stated, printed=printed).verdict
        for stated, printed in ((4, 2), (4, 3), (2, 4), (2, 1))
    ]
    assert verdicts == ["erratum", "holds", "violated", "violated"]
    (row,) = ClaimCheck("t", _erratum).rows()
    assert (row.printed, row.printed_in) == ("m = 2", "[a paper]")
    (row,) = ClaimCheck("t", _no_erratum).rows()
    assert (row.printed, row.printed_in) == ("", "")


def _erratum():
    yield compare(claim(printed="m", printed_in="[a paper]"), "x", computed=3, stated=4, printed=2)


def _no_erratum():
    yield compare(claim(printed="m", printed_in="[a paper]"), "x", computed=1, stated=4, printed=2)


def test_audits_become_outcomes():
    def run_audit(epsilon):
        return audit(lambda n, coins: n ^ coins.flip(Fraction(1, 4)), [(0, 1)], PureDP(epsilon))

    fine, broken = run_audit(Fraction(11, 10)), run_audit(Fraction(1))
    assert audited(claim(), "x", fine).verdict == "holds"
    assert audited(claim(), "x", broken).verdict == "violated"
    both = audited(claim(printed="1"), "x", fine, printed=broken)
    assert both.verdict == "erratum"
    assert both.printed == "(1, 0), but delta(1) = 0.070429543"
    assert audited(claim(), "x", fine, printed=fine).verdict == "holds"


def test_runs_become_outcomes():
    bound = Bound("[a paper]", "mistakes", "d", 3, trivial=10)
    assert checked(bound, "x", [1, 3]).computed == "3 at most in 2 runs"
    assert checked(bound, "x", [1, 3]).verdict == "consistent"
    assert checked(bound, "x", [1, 3], exact=True).verdict == "holds"
    assert checked(bound, "x", [4]).verdict == "violated"
    vacuous = checked(Bound("[a paper]", "mistakes", "T", 10, trivial=10), "x", [1])
    assert vacuous.verdict == "vacuous" and vacuous.claim.source == "[a paper]"
    unmet = Bound("[a paper]", "mistakes", "d", 3, hypotheses=("k > 3",), unmet=("k > 3",))
    assert checked(unmet, "x", [9]).verdict == "not decided"
    assert SEVERITY.index("violated") == len(SEVERITY) - 1


def test_every_topic_has_work_that_can_be_sent_away():
    found = topics()
    assert {"coin-game", "ledger", "mechanisms"} <= set(found)
    assert all(found.values())
    for name in found:
        listed = checks([name])
        assert listed and {check.topic for check in listed} == {name}
        assert all(pickle.loads(pickle.dumps(check)) == check for check in listed)
    assert len(checks()) == sum(len(checks([name])) for name in found)
    with pytest.raises(InvalidInput, match="no topic 'pops'"):
        checks(["pops"])


def test_claims_hold():
    rows = list(run(checks(["coin-game", "ledger"])))
    assert {row.verdict for row in rows} == {"holds", "erratum"}
    errata = [summary for summary in summarize(rows) if summary.verdict == "erratum"]
    assert [summary.quantity for summary in errata] == ["(1 - failure)-quantile of the bad rounds"]
    assert errata[0].formula.startswith("<= 5 (M k + L")
    assert all(row.seconds >= 0 for row in rows)
