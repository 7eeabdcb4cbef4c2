"""The records of the papers' statements are complete, each number once, and say what they are."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import get_args

import pytest

from catalog.fact_checks import REQUEST, formula
from catalog.fact_checks import checks as facts
from learners.citing import refuting
from learners.claim_checks import ClaimCheck
from learners.claim_checks import checks as claims
from learners.papers import (
    ERRATUM_KINDS,
    TAGS,
    ErratumKind,
    coverage,
    errata,
    paper,
    records,
    statement,
)
from learners.papers.coverage import errata_page, recomputed
from learners.papers.paper_statements import KINDS, read
from lsclasses.installation import sources_digest
from lsclasses.results_file import ResultsFile

DOCS = Path(__file__).parents[3] / "docs"

# As counted in the papers: which word stands before which number.
NUMBERED = {
    "BLM20": """
        Thm 1 3 6 10 17
        Cor 2
        Def 4 7 8 9
        Prop 5
        Obs 11
        Lemma 12 13 14 15 16
    """,
    "GL21": """
        Def 2.1 2.2
        Thm 4.1 4.2 5.1 A.7
        Lemma 5.2 5.3 5.4 A.1 A.2 A.3
        Claim A.4 A.5 A.6
        Alg 1 2 3
    """,
    "KMMNS23": """
        Def 1.1 2.1 2.2 2.3 2.5 2.7 2.9 3.1 A.1 F.2
        Rem 1.2 3.2 4.1
        Ex 2.6
        Thm 2.4 2.8 2.10 3.3 3.4 4.2 5.1 5.2 5.3 C.1 E.1 F.1 F.4
        Lemma F.3
        Alg 1 2 3 4 5 6 7 8 9 10 11 12
    """,
    "LWY25": """
        Thm 1.1 1.2 2.5 2.6 3.1 4.1 4.2 4.4 D.2 E.5 E.10 E.11 E.12
        Def 2.1 2.2 2.3 2.4 2.7 A.1 A.2 A.3 A.4 A.9 A.15 A.20 A.21 E.1
        Lemma 2.8 A.5 A.6 A.7 A.8 A.10 A.11 A.12 A.13 A.14 A.16 A.18 A.19 A.22 A.23 B.1 B.2
            B.3 D.1 D.3 D.7 D.8 E.2 E.4 E.8 E.9
        Fact A.17 E.6
        Cor 4.3 D.4 E.13
        Claim D.5 D.6 E.3 E.7
        Alg 1 2 3 4 5 6 7
    """,
    "BF25": """
        Thm 1.1 1.2 3.5 4.4 4.5 4.11 4.12 A.6
        Prop 2.1 3.3 A.9
        Def 3.1 3.2 4.1
        Lemma 4.2 4.3 4.6 4.7 4.10 A.1 A.3 A.4
        Cor A.8
        Alg 3.1 4.1 4.2 A.1
    """,
}

UNNUMBERED_ALGORITHMS = ["SOA", "D_k", "Monte-Carlo D_k", "G", "M"]

UNDECIDABLE = {
    *("BLM20 Thm 3", "BLM20 Thm 6"),
    "KMMNS23 Ex 2.6",
    *("LWY25 Thm D.2", "LWY25 Cor D.4"),
}
"""The numbered ones. Whatever else is about something that can be enumerated is to be checked."""


@pytest.mark.parametrize("tag", TAGS)
def test_every_number_of_a_paper_has_one_record(tag):
    wanted, word = [], ""
    for each in NUMBERED[tag].split():
        if each in KINDS:
            word = each
        else:
            wanted.append(f"{word} {each}")
    assert sorted(wanted) == sorted(r.number for r in paper(tag).statements if r.numbered)


def test_algorithms_and_claims_without_number_have_records():
    for name in UNNUMBERED_ALGORITHMS:
        assert statement(f"BLM20 Alg {name}").kind == "algorithm"
    claims = [record for record in records().values() if record.kind == "claim in the text"]
    assert sum(record.paper == "BLM20" for record in claims) == 9
    assert sum(record.numbered for record in records().values()) == 171


def test_only_what_no_instance_decides_is_called_undecidable():
    found = {name for name, record in records().items() if record.undecidable and record.numbered}
    assert found == UNDECIDABLE


@pytest.mark.parametrize("record", records().values(), ids=list(records()))
def test_records_are_written_out(record):
    assert not record.title.endswith(".")
    assert record.text.endswith((".", ".)")) and record.text.count("$") % 2 == 0
    assert "  " not in record.text
    assert all(text.endswith(".") for text in (record.undecidable, record.missing) if text)
    for part in re.findall(r"\$([^$]*)\$", record.text):
        braces = re.sub(r"\\[{}]|[^{}]", "", part)
        while "{}" in braces:
            braces = braces.replace("{}", "")
        assert not braces


def test_texts_are_folded_and_hypotheses_are_in_full(tmp_path):
    """A word alone is one of the file's hypotheses; Markdown keeps its lines."""
    file = tmp_path / "lit88.toml"
    file.write_text(WHOLE)
    about = read(file)
    (record,) = about.statements
    assert record.text == "At most $d$ mistakes, and no fewer."
    assert record.checked == ("the stream is realizable", "d is finite")
    (erratum,) = record.errata
    assert erratum.explained == "It is not.\n\n```python\n>>> 1\n1\n\n```"
    assert [remark.heading for remark in about.remarks] == ["sharper here"]


WHOLE = """
[paper]
tag = "Lit88"
[[paper.remarks]]
heading = "sharper here"
text = "* One."

[hypotheses]
stream = "the stream is realizable"

["Thm 3"]
title = "the SOA errs rarely"
text = '''
At most $d$ mistakes,
and no fewer.
'''
checked = ["stream", "d is finite"]

[["Thm 3".errata]]
kind = "gap in a proof"
where = "page 1"
printed = "It follows."
instead = "it does not"
explained = '''
It is not.

```python
>>> 1
1

```
'''
"""


# ---- what is said against them

WITHDRAWN = {
    *("LWY25 Alg 1", "LWY25 Thm 3.1", "KMMNS23 Alg 6", "GL21 Alg 2", "GL21 Alg 3", "GL21 Thm 5.1"),
    *("BF25 Prop 2.1", "BF25 Lemma 4.2", "BF25 Lemma A.4", "BLM20 Lemma 16", "BLM20 Lemma 13"),
}
"""Listed as errata once, and none: right as printed, or slips of the text at hand."""


def said():
    return [
        (name, erratum)
        for kind in ERRATUM_KINDS
        for name, found in errata(kind).items()
        for erratum in found
    ]


def test_an_erratum_is_of_one_of_three_kinds():
    assert tuple(ERRATUM_KINDS) == get_args(ErratumKind)
    assert sorted(map(str, said())) == sorted(
        str((name, each)) for name, record in records().items() for each in record.errata
    )


def test_what_was_withdrawn_is_not_said_again():
    assert not [name for name in WITHDRAWN if statement(name).errata]


@pytest.mark.parametrize(
    ("name", "erratum"),
    [(name, each) for name, found in errata("refuted").items() for each in found],
    ids=list(errata("refuted")),
)
def test_what_is_refuted_is_recomputed(name, erratum):
    """By the claim that it names, which is about the statement and gives the same place."""
    row = next(refuting(erratum))
    assert (row.verdict, f"{row.family}: {row.quantity}") == ("erratum", erratum.witness)
    assert name in row.fact.statements and row.printed
    assert row.printed_in == f"[{name.partition(' ')[0]}, {erratum.where}]"


def test_nothing_else_is_called_an_erratum_by_verify():
    """Every fact and claim with something else in print is the witness of what is refuted."""
    refuting_claims = {
        f"{check.topic}: {claim.quantity}"
        for check in all_checks()
        for claim in check.claims
        if claim.printed
    }
    assert refuting_claims == {each.witness for _, each in said() if each.witness}


def test_the_page_on_errata_is_written_by_its_command():
    page = (DOCS / "errata.md").read_text(encoding="utf-8")
    assert errata_page(page) == page, "run: make coverage"
    flat = " ".join(page.split())
    for name, each in said():
        assert flat.count(f'**{each.where}**: "{each.printed}"') == 1, name


# ---- what recomputes them


def all_checks():
    return [*facts(), *claims()]


def test_checks_name_statements_that_there_are():
    for check in all_checks():
        for claim in check.claims:
            assert all(name in records() for name in claim.statements), claim
    assert not [name for name in recomputed() if statement(name).undecidable]


def status(record):
    return coverage.status(record, evidence()).status


def test_the_status_of_a_statement_follows_from_records_and_checks():
    assert status(statement("BLM20 Lemma 12")) == "checked"
    assert status(statement("BLM20 Thm 6")) == "not checkable"
    assert status(statement("GL21 Thm 4.1")) == "checked in part"
    # Theorem E.12 is quoted from another paper, whose algorithm is not implemented.
    built = [r.name for r in records().values() if r.numbered and status(r) == "not built yet"]
    assert built == ["LWY25 Thm E.12"]


def test_the_page_on_coverage_is_written_by_its_command():
    page = (DOCS / "coverage.md").read_text(encoding="utf-8")
    assert coverage.coverage_page(page) == page, "run: make coverage"


@cache
def evidence():
    return coverage.on_page((DOCS / "coverage.md").read_text(encoding="utf-8"))


def test_whatever_is_recomputed_has_an_instance():
    """And a margin, but for inequalities of dimensions, which have a slack instead."""
    found = evidence()
    for check in all_checks():
        for claim in check.claims if not isinstance(check, ClaimCheck) or not check.slow else ():
            if claim.statements:
                words = f"{check.topic}: {claim.quantity} {claim.relation} {formula(claim)}"
                assert found[words].instance, words
                assert 0 < float(found[words].margin or 1) <= 1, words


def test_numbers_on_the_page_are_what_verify_finds(verified):
    if verified is None:
        pytest.skip("`make verify` was not run on these sources")
    sources = sources_digest("catalog", "learners", "lsclasses")
    measured, found = coverage.measured(ResultsFile(verified, sources, REQUEST)), evidence()
    assert {words: found.get(words) for words in measured} == measured, "run: make margins"


def test_names_of_checks_are_different():
    names = [(check.topic, check.name) for check in all_checks()]
    assert len(set(names)) == len(names)
