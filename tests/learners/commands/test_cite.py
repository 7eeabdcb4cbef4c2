"""``lsclasses cite``: works, facts and errata with witnesses that hold, wrong names."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import catalog
from learners.citing import YEAR, cite
from learners.papers import statement
from lsclasses import __version__
from lsclasses.bibliography import bibliography
from lsclasses.certificates.base import Subject
from lsclasses.commands.output import without_tex
from lsclasses.errors import InvalidInput
from tests.floors import ROOT
from tests.lsclasses.commands import test_cli as cli


def run(*arguments: str) -> str:
    return str(cli.run("cite", *arguments).stdout)


def test_a_work_is_found_by_tag_and_by_authors():
    assert run("hy15") == run("Hanneke and Yang 2015") == run("Hanneke", "and", "Yang", "2015")
    assert "Minimax analysis of active learning" in run("HY15")
    assert run("HY15", "--bibtex").startswith("@article{HY15,")


def test_all_works_are_printed_once():
    assert re.findall(r"^@\w+\{(\w+),$", run("--all", "--bibtex"), re.MULTILINE) == list(
        bibliography()
    )


@pytest.mark.parametrize("name", ["points.ldim", "warmuth.recursive_teaching_dim"])
def test_witnesses_of_facts_are_what_a_search_finds(name):
    """Each witness names a member and a value: search once more, and find the same."""
    family, _, quantity = name.partition(".")
    found = re.findall(r"(\S+) has \w+ (\S+) by search", cite(name).witness)
    for spec, value in found:
        assert spec.startswith(family)
        assert str(getattr(catalog.build(spec).to_table(), quantity)()) == value
    assert found


def test_what_is_refuted_comes_with_an_instance_that_is_recomputed():
    found = cite("bf25 lemma a.1")
    assert found.text == "BF25 Lemma A.1, EMCover is private"
    assert found.witness.startswith("rate=4, 370 rounds") and "printed" in found.witness
    affine = cite("BLM20 Sec 1, affine subspaces")
    assert "ldim is 1, printed: k = 0" in affine.witness


def test_an_erratum_is_cited_with_its_kind_its_place_and_the_words_of_the_paper():
    shown = run("GL21", "Lemma", "5.3")
    for each in statement("GL21 Lemma 5.3").errata:
        stop = "" if each.printed.endswith(".") else "."
        line = f'Gap in a proof, {each.where}: "{each.printed}"{stop} Explanation: {each.instead}.'
        assert without_tex(line) in shown and line in run("GL21", "Lemma", "5.3", "--bibtex")
        assert "\\" not in shown and "$" not in shown
    assert "Refuted" not in shown and "Witness" not in shown
    (known,) = json.loads(run("BLM20", "Alg", "G", "--json"))["errata"]
    assert known["kind"] == "imprecise or unspecified" and known["witness"] == ""


def test_notes_on_the_text_at_hand_are_not_offered():
    for name in ("KMMNS23 Alg 6", "GL21 Alg 3"):
        (note,) = statement(name).notes
        found = cite(name)
        assert not found.errata and not found.witness
        assert note not in run(*name.split()) and note not in run(*name.split(), "--json")


def test_a_step_is_where_its_tag_stands() -> None:
    """Whichever way it is written; the line of the code has the tag."""
    for name in ("GL21, Alg 2 line 5", "[gl21 alg 2 line 5]"):
        assert {step.tag for step in cite(name).steps} == {"GL21, Alg 2 line 5"}
    assert cite("BLM20 Alg G step 2").steps == cite("BLM20, G step 2").steps
    shown = " ".join(run("BLM20", "Alg", "G").split())
    for step in json.loads(run("BLM20", "Alg", "G", "--json"))["steps"]:
        line = (ROOT / step["file"]).read_text().splitlines()[step["line"] - 1]
        assert f"# [{step['step']}]" in line
        assert f"{step['step']}: {step['file']}, line {step['line']}" in shown


def test_a_step_that_no_code_takes_is_refused_with_those_that_are_taken() -> None:
    with pytest.raises(InvalidInput, match="BLM20 Alg G has tags for: step 2, step 3"):
        cite("BLM20, G step 1")


def test_a_dimension_is_cited_by_its_works() -> None:
    assert "[ZLHZ11]" in run("RTD") == run("recursive_teaching_dim")
    assert run("Littlestone", "dimension") == run("ldim")
    with pytest.raises(InvalidInput, match=r"No work is cited for 'diameter'"):
        cite("diameter")


def test_a_certificate_is_cited_with_its_claim_and_the_digest_of_its_class(tmp_path: Path) -> None:
    cli.run("dims", "thresholds:n=3", "--only", "ldim", "--certificate", tmp_path)
    (written,) = tmp_path.iterdir()
    said = " ".join(run(str(written)).split())
    assert said.startswith("Ldim = 2 for the class with 4 concepts on 3 points and the SHA-256 ")
    table = catalog.build("thresholds:n=3").to_table()
    assert Subject.of(table).sha256 in said and __version__ in said
    with pytest.raises(InvalidInput, match="no such file"):
        cite("proofs/six.csv.ldim.json")


def test_only_facts_that_exist_are_suggested() -> None:
    with pytest.raises(InvalidInput, match=r"Did you mean 'affine.ldim'") as error:
        cite("affin.ldim")
    for name in re.findall(r"'(\w\S*\.\w+)'", str(error.value))[1:]:
        assert cite(name).text
    with pytest.raises(InvalidInput) as error:
        cite("points.csv.ldim")
    assert "points.csv.ldim'?" not in str(error.value)


def test_the_library_is_cited_with_its_year() -> None:
    entry = run("--bibtex")
    assert entry.startswith("@misc{lsclasses,") and f"year = {{{YEAR}}}" in entry
    assert f"howpublished = {{lsclasses {__version__}}}" in entry
