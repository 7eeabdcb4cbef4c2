"""Which checks are run for what is asked."""

from __future__ import annotations

import pickle

import pytest

from catalog.fact_checks import FactCheck
from catalog.fact_checks import checks as facts
from learners.check_selection import select
from learners.claim_checks import Claim, ClaimCheck, compare, recomputes
from learners.claim_checks import checks as claims
from learners.papers import TAGS, paper
from lsclasses import InvalidInput


def names(checks):
    return [check.name for check in checks]


def test_everything_is_chosen_by_default():
    chosen = select().checks
    assert names(chosen) == names([*facts(), *(each for each in claims() if not each.slow)])
    assert names(select(slow=True).checks) == names([*facts(), *claims()])


def test_topics_families_and_classes_add_up():
    chosen = select(topics=["ledger", "ledger"], families=["cube"], classes=["points:n=3"]).checks
    alone = [
        *facts(["cube"]),
        *select(classes=["points:n=3"]).checks,
        *(check for check in claims(["ledger"]) if not check.slow),
    ]
    assert names(chosen) == names(alone)
    assert len(set(names(chosen))) == len(chosen)


def test_a_class_has_its_facts_and_inequalities():
    known, inequalities = select(classes=["thresholds:n=3"]).checks
    assert isinstance(known, FactCheck) and known.name == "thresholds:n=3,zeros=1,ones=1"
    rows = [*known.rows(), *pickle.loads(pickle.dumps(inequalities)).rows()]
    assert {row.parameters for row in rows} == {"thresholds:n=3,zeros=1,ones=1"}
    assert {row.verdict for row in rows} == {"holds"}
    assert {"ldim", "2^min(k, vcdim)"} <= {row.quantity for row in rows}


@pytest.mark.parametrize("tag", TAGS)
def test_a_paper_is_all_its_statements(tag):
    selection = select(papers=[tag])
    own = {each.name for each in paper(tag).statements}
    assert set(selection.statements) == own
    for check in selection.checks:
        assert any(own & set(claim.statements) for claim in check.claims)
    assert selection == select(statements=sorted(own))


def test_rows_are_those_about_the_statement(rows):
    selection = select(statements=["GL21 Lemma 5.4", "GL21 Def 2.2"], topics=["ledger"])
    assert selection.statements == ("GL21 Def 2.2", "GL21 Lemma 5.4")
    computed = [row for check in claims(["ledger"]) for row in rows(check)]
    about = selection.of(computed)
    assert 0 < len(about) < len(computed)
    assert {name for row in about for name in row.fact.statements} == set(selection.statements)
    assert select(topics=["ledger"]).of(computed) == computed


LATER = Claim("2", "2", "==", statements=("BLM20 Thm 10",), falsified="3")


@recomputes(LATER)
def later():
    yield compare(LATER, "2", computed=2, stated=2, false=3)


def test_what_takes_long_is_asked_for(monkeypatch):
    check = ClaimCheck("later", later, slow=True)
    monkeypatch.setattr("learners.check_selection.claims", lambda names=None: [check])
    assert select(statements=["BLM20 Thm 10"], slow=True).checks == (check,)
    with pytest.raises(InvalidInput, match="--slow"):
        select(statements=["BLM20 Thm 10"])
