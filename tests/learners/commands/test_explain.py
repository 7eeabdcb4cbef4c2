"""``lsclasses explain``: everything with a name has an explanation, whose examples are true."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import catalog
from catalog import FAMILIES
from learners.explaining import VERDICTS, explain
from learners.papers import TAGS, paper
from learners.papers.coverage import counts
from lsclasses.commands.application import app
from lsclasses.dimensions import DIMENSIONS
from lsclasses.verdicts import Verdict

COVERAGE = Path(__file__).parents[3] / "docs" / "coverage.md"


@pytest.mark.parametrize("name", DIMENSIONS)
def test_examples_of_dimensions_are_what_python_gives(name):
    found = explain(name)
    variables = {"catalog": catalog}
    exec(found.example[0], variables)
    for line in found.example[1:]:
        call, _, value = line.partition("  # ")
        assert str(eval(call, variables)) == value.strip(), line
    assert found.meaning and found.works and found.definition == DIMENSIONS[name].definition


@pytest.mark.parametrize("name", FAMILIES.names())
def test_examples_of_families_are_what_python_gives(name):
    found = explain(name)
    variables = {"catalog": catalog}
    exec(found.example[0], variables)
    for line in found.example[1:]:
        call, _, value = line.partition("  # ")
        assert eval(f"({call})", variables) == eval(f"({value})"), line


def test_every_verdict_that_is_printed_is_explained():
    assert set(Verdict) == set(VERDICTS)
    assert explain("vacuous").name == Verdict.VACUOUS.in_full
    assert explain("Does Not Apply").kind == "verdict"


def test_tags_say_what_rests_on_them():
    """What the page on coverage counts, and each kind of errata by itself."""
    page = COVERAGE.read_text()
    for tag in TAGS:
        meaning = explain(tag).meaning
        each = counts(paper(tag).statements)
        assert f"--only {tag}" in meaning
        assert meaning.startswith(f"Of its {sum(each.values())} numbered statements: ")
        assert f"{each['checked']} checked" in meaning
        assert f"| {tag} | {sum(each.values())} | {each['checked']} |" in page
        said = [erratum.kind for record in paper(tag).statements for erratum in record.errata]
        for kind in set(said):
            assert f"{said.count(kind)} {kind}" in meaning
    assert "star_number" in explain("HY15").related


def test_the_command_prints_text_and_json():
    shown = CliRunner().invoke(app, ["explain", "star", "number"])
    assert shown.exit_code == 0 and shown.stdout.startswith("star_number: star number, s\n")
    data = json.loads(CliRunner().invoke(app, ["explain", "LTF", "--json"]).stdout)
    assert data["name"] == "ltf" and "Mur71" in data["works"]
