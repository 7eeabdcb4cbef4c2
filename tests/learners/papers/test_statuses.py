"""Statuses follow from stored conditions by one rule, and no statement has a written status."""

from __future__ import annotations

import re
from dataclasses import fields, replace
from fractions import Fraction
from pathlib import Path

import pytest

from catalog.check_rows import OBJECT, Claim, Row, factor
from catalog.fact_checks import REQUEST, kept_rows
from learners.bounds import Bound
from learners.claim_checks import bound_outcome, checks, compare
from learners.papers import coverage, records
from learners.papers.paper_statements import PaperStatement, read
from learners.papers.statuses import (
    STATUSES,
    TRIVIAL,
    ClosestInstance,
    failures,
    is_private,
    row_status,
    statement_status,
)
from learners.row_conditions import hypothesis_names
from lsclasses.errors import InvalidInput
from lsclasses.installation import sources_digest
from lsclasses.results_file import ResultsFile
from lsclasses.verdicts import Verdict

PAGE = Path(__file__).parents[3] / "docs" / "coverage.md"
WORDS = "games: mistakes <= 2^d"
GOOD = ClosestInstance("d=3", "(1, 1/1000)", "0.2", "0.6", "1.5", "0.3")

TRIVIAL_ROWS = {
    ("BF25 Lemma 4.7", "4 experts, 1 drawn, U=6"): "min(1, U p) is 1, but not for U = 3",
    ("BF25 Thm 4.5", "4 experts, 1 drawn, U=6"): "min(1, U p) is 1, but not for U = 3",
    ("BF25 Lemma A.1", "rate=4, 370 rounds, delta=10^-6"): "an erratum, whose right bound is 1",
    (
        "BLM20 Thm 17",
        "C=128, d=4, eta=1/160, beta=1/20, k=83853",
    ): "an erratum, whose right bound is above 1",
    **{
        (f"KMMNS23 {number}", instance): "noise for all rounds, as in basic composition"
        for number, instance in (
            ("Thm 5.2", "k=7, T=3, one point"),
            ("Alg 7", "k=7, T=3, one point"),
            ("Alg 4", "k=7, T=3, one point"),
            ("Def 3.1", "k=7, T=3, one point"),
            ("Def F.2", "k=16, T=2, v=1, epsilon=1/2 + 3/2"),
            *(
                (number, f"r=1, T=2, halting_epsilon={halting}")
                for number in ("Thm C.1", "Alg 6", "Alg 9")
                for halting in ("1/2, cumulative", "2, tree")
            ),
        )
    },
}
"""The trivial rows of today. All others fail."""


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({}, "checked"),
        ({"privacy": "(2, 1/100)"}, "checked"),
        ({"privacy": "(5/2, 0)"}, "checked at weak privacy"),
        ({"privacy": "(1, 1/50)"}, "checked at weak privacy"),
        ({"attained": "0.0009", "ratio": "object"}, "checked, loose"),
        ({"attained": "0.0009", "privacy": "(8, 0)"}, "checked, loose"),
        ({"ratio": "2.01"}, "checked in part"),
        ({"ratio": "2 units"}, "checked in part"),
        ({"ratio": "inf"}, "checked in part"),
        ({"ratio": "inf", "attained": "", "margin": "1"}, "checked in part"),
        ({"ratio": ""}, "checked in part"),
        ({"ratio": "1 unit"}, "checked"),
        ({"ratio": "drops log T"}, "checked"),
        ({"trivial": "0.99"}, "checked in part"),
        ({"instance": ""}, "checked in part"),
    ],
)
def test_a_row_has_the_status_of_its_worst_condition(changed, expected):
    failed = failures(WORDS, replace(GOOD, **changed))
    assert row_status(failed) == expected
    assert bool(failed) == (expected != "checked")


def test_equations_need_no_bound_but_privacy():
    row = replace(GOOD, ratio="50", attained="1e-30")
    for words in ("games: gap <= 10^-12", "games: streams that differ == 0", "games: errors <= 0"):
        assert not failures(words, row)
    assert row_status(failures("games: gap == 0", replace(row, privacy="(8, 0)"))) == STATUSES[1]


def statement(**fields):
    return PaperStatement("Lit88", "Thm 3", "the SOA", "At most $d$ mistakes.", **fields)


def test_one_row_meets_all_conditions():
    """A loose bound at good privacy and a tight bound at weak privacy do not add up."""
    loose = replace(GOOD, attained="0.0001", ratio="object")
    weak = replace(GOOD, privacy="(8, 0)")
    found = statement_status(statement(), [(WORDS, loose), (WORDS, weak)], {})
    assert found.status == "checked at weak privacy" and (found.claims, found.reached) == (2, 1)
    assert statement_status(statement(), [(WORDS, weak), (WORDS, GOOD)], {}).status == "checked"
    partly = statement(missing="The case d = 0.")
    assert statement_status(partly, [(WORDS, GOOD)], {}).status == "checked in part"
    assert statement_status(statement(), [], {}).status == "not built yet"
    assert statement_status(statement(undecidable="It is."), [], {}).status == "not checkable"


def test_evaluated_hypotheses_are_counted():
    names = {"ldim": "the class has Littlestone dimension d", "d >= 1": "d >= 1"}
    rows = [(WORDS, GOOD), (WORDS, replace(GOOD, hypotheses="d >= 1; other"))]
    found = statement_status(statement(), rows, names)
    assert found.evaluated == ("d >= 1",)
    assert found.unevaluated == (names["ldim"],)
    assert str(found) == "checked (1 of 2 hypotheses evaluated)"


def test_a_statement_about_privacy_needs_a_private_run():
    plain = replace(GOOD, privacy="")
    assert not failures(WORDS, plain, records()["BLM20 Prop 5"])
    assert row_status(failures(WORDS, plain, records()["BLM20 Thm 1"])) == STATUSES[1]
    assert not is_private(records()["GL21 Lemma 5.2"])


# ---- what a check stores

MARGIN = Claim("updates", "2 d", statements=("BF25 Lemma 4.2",), falsified="d")
PRIVATE = Claim("P[an item is missed]", "beta", falsified="a twentieth of the rows")


def test_a_false_hypothesis_fails_the_check():
    given = {"computed": 3, "stated": 4, "false": 2}
    row = compare(MARGIN, "d=2", **given, hypotheses={"margin": True})
    assert row.hypotheses == ("margin",) and row.ratio == "2"
    with pytest.raises(InvalidInput, match="does not meet the hypothesis 'margin'"):
        compare(MARGIN, "d=2", **given, hypotheses={"margin": False})
    with pytest.raises(InvalidInput, match="do not list the hypothesis 'ldim'"):
        compare(MARGIN, "d=2", **given, hypotheses={"ldim": True})
    assert set(hypothesis_names("BF25 Lemma 4.2")) == {"margin", "eta < 2(1 - c) rho"}


def test_bounds_are_compared_with_trivial_bounds():
    beta = Fraction(1, 10)
    row = compare(
        PRIVATE, "n=9", computed=Fraction(1, 20), stated=beta, twin=Fraction(1, 5), changed=(20, 1)
    )
    assert (row.trivial, row.ratio) == ("0.1", "20")
    assert compare(MARGIN, "T=4", computed=3, stated=8, trivial=4).trivial == "2"
    bound = Bound("[a paper]", "mistakes", "R", 3, 4)
    outcome = bound_outcome(MARGIN, "T=4", bound, [2], exact=True, false=1)
    assert (outcome.trivial, outcome.ratio) == ("0.75", "3")


def test_the_factor_of_a_dropped_term_is_its_name():
    dropped = replace(MARGIN, drops="log T")
    row = compare(dropped, "d=2", computed=3, stated=400, false=2)
    assert row.ratio == "drops log T"
    assert (factor(4, 3), factor(Fraction(1, 2), Fraction(1, 8))) == ("1 unit", "4")


def test_the_factor_of_a_variant_is_declared_and_not_read_from_its_words():
    half = replace(MARGIN, falsified="from a/2 on")
    row = compare(half, "d=2", computed=3, stated=4, twin=5, changed=(Fraction(22), Fraction(2)))
    assert row.ratio == "11"
    found = bound_outcome(
        half, "d=2", Bound("[a paper]", "n", "d", 3), [1], twin=[4], changed=(9, 3)
    )
    assert found.ratio == "3"
    with pytest.raises(InvalidInput, match="from a/2 on"):
        compare(half, "d=2", computed=3, stated=4, twin=5)
    with pytest.raises(InvalidInput, match="from a/2 on"):
        bound_outcome(half, "d=2", Bound("[a paper]", "n", "d", 3), [1], twin=[4])
    wrong = replace(half, incorrect_object=True)
    assert compare(wrong, "d=2", computed=3, stated=4, twin=5).ratio == OBJECT
    assert compare(replace(half, drops="a"), "d=2", computed=3, stated=4, twin=5).ratio == "drops a"


# ---- the statuses of today


def test_every_trivial_row_is_listed(verified):
    """On the page, and if `make verify` was run on these sources, among all rows."""
    page = on_page()
    found = [
        (name, row.instance)
        for name, every in coverage.recomputed().items()
        for words in every
        if is_trivial((row := page[words]).trivial)
    ]
    if verified is not None:
        sources = sources_digest("catalog", "learners", "lsclasses")
        results = ResultsFile(verified, sources, REQUEST)
        rows = [row for check in checks() for row in kept_rows(results, check) or ()]
        found += [
            (name, row.parameters)
            for row in rows
            if is_trivial(row.trivial) and row.verdict != Verdict.ERRATUM
            for name in row.fact.statements
        ]
    assert set(found) <= set(TRIVIAL_ROWS)


def is_trivial(share):
    return bool(share) and Fraction(share) >= TRIVIAL


def on_page():
    return coverage.on_page(PAGE.read_text(encoding="utf-8"))


def test_a_written_status_is_refused(tmp_path):
    """In a record, in a line of the page and in its first table."""
    assert "status" not in {each.name for each in fields(PaperStatement)}
    file = tmp_path / "lit88.toml"
    head = '[paper]\ntag = "Lit88"\n["Thm 3"]\ntitle = "the SOA"\ntext = "At most $d$ mistakes."\n'
    file.write_text(head)
    assert read(file)
    file.write_text(head + 'status = "checked"\n')
    with pytest.raises(InvalidInput, match="status"):
        read(file)
    page = PAGE.read_text(encoding="utf-8")
    assert coverage.coverage_page(page) == page, "run: make coverage"
    line = re.compile(r"^(\*\*.*?\): \*)(checked in part)", re.MULTILINE)
    written = line.sub(r"\1checked", page)
    counts = re.sub(r"^\| all \| 171 \| \d+", "| all | 171 | 171", page, flags=re.MULTILINE)
    for tampered in (written, counts):
        assert tampered != page and coverage.coverage_page(tampered) == page


def test_rows_about_growth_do_not_count():
    """They raise no status, and they are no claims that a status has to reach."""
    about = records()["BLM20 Thm 1"]
    claim = Claim("mistakes at 2u / at u", "16", falsified="8", growth=True)
    found = compare(claim, "u = 2", computed=15, stated=16, false=8)
    grows = "growth: mistakes at 2u / at u <= 16"
    row = ClosestInstance.of(grows, [Row(**vars(found), family="growth", seconds=0)])
    assert failures(grows, row)["the row compares two values of the bound"] == "checked in part"
    alone = statement_status(about, [(grows, row)], {})
    assert (alone.status, alone.claims) == ("checked in part", 1)
    run = ClosestInstance("T = 9", "(1, 0)", "0.1", "0.9", "2")
    both = statement_status(about, [("games: mistakes <= 7", run), (grows, row)], {})
    assert (both.status, both.claims, both.reached) == ("checked", 1, 1)
