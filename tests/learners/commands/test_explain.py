"""``lsclasses explain``: everything with a name has an explanation, whose examples are true."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

import catalog
from catalog import FAMILIES
from catalog.parameters import PARAMETERS
from learners.explaining import VERDICTS, Example, explain, page, terms
from learners.papers import TAGS, paper
from learners.papers.coverage import recomputed
from lsclasses import Table
from lsclasses.commands.application import app
from lsclasses.dimensions import DIMENSIONS
from lsclasses.verdicts import Verdict

ROOT = Path(__file__).parents[3]
COVERAGE = ROOT / "docs" / "coverage.md"


@pytest.mark.parametrize("name", DIMENSIONS)
def test_examples_of_dimensions_are_what_python_gives(name):
    found = explain(name)
    variables = {"catalog": catalog}
    exec(found.example[0], variables)
    for line in found.example[1:]:
        call, _, value = line.partition("  # ")
        assert str(eval(call, variables)) == value.strip(), line
    entry = DIMENSIONS[name]
    assert found.meaning and found.definition == entry.definition
    assert found.works or entry.reference == "by definition"


@pytest.mark.parametrize(
    "of", [None, Example('catalog.build("cube:n=2")', catalog.build("cube:n=2"))]
)
@pytest.mark.parametrize("name", PARAMETERS)
def test_examples_of_parameters_are_what_python_gives(name, of):
    found = explain(name, of=of)
    shown = [line for line in found.example if "  # " in line]
    variables = {}
    exec("\n".join(found.example[: len(found.example) - len(shown)]), variables)
    assert len(shown) == 2 * PARAMETERS[name].available
    for line in shown:
        call, _, value = line.partition("  # ")
        assert str(eval(call, variables)) == value.strip(), line
    assert found.definition == PARAMETERS[name].definition
    assert "A witness that it is not " in found.meaning


@pytest.mark.parametrize("name", FAMILIES.names())
def test_examples_of_families_are_what_python_gives(name):
    found = explain(name)
    variables = {"catalog": catalog}
    exec(found.example[0], variables)
    for line in found.example[1:]:
        call, _, value = line.partition("  # ")
        assert eval(f"({call})", variables) == eval(f"({value})"), line


@pytest.mark.parametrize("name", terms())
def test_a_term_has_a_true_example_a_source_and_words_that_exist(name):
    term = terms()[name]
    for line in term.example:
        if "  # " in line:
            call, _, value = line.partition("  # ")
            assert repr(eval(call, {"catalog": catalog, "Table": Table})) == value
    assert all(explain(word).name == name for word in (name, *term.aliases))
    assert all(explain(word).definition for word in term.see)
    assert term.formula and (term.reference == "" or explain(name).works)


@pytest.mark.slow
def test_commands_of_the_glossary_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("stream.csv", "people.csv"):
        (tmp_path / name).write_bytes((ROOT / "examples" / name).read_bytes())
    commands = [
        "lsclasses budget new people.budget --epsilon 2 --delta 1e-5",
        "lsclasses pac generic thresholds:n=7 --data stream.csv --save hypothesis.json",
        *(line for term in terms().values() for line in term.example),
    ]
    done = {"lsclasses play thresholds:n=7"}  # it waits for a person
    for line in commands:
        program, *arguments = shlex.split(line)
        if program == "lsclasses" and line not in done:
            result = CliRunner().invoke(app, arguments)
            assert result.exit_code == 0, f"{line}\n{result.output}"
            done.add(line)


def test_the_page_is_what_the_glossary_says():
    written = "python -m learners.explaining > docs/glossary.md"
    assert (ROOT / "docs" / "glossary.md").read_text() == page(), written


def test_every_verdict_that_is_printed_is_explained():
    assert set(Verdict) == set(VERDICTS)
    for verdict in Verdict:
        for word in (verdict, verdict.in_full, verdict.title()):
            assert explain(word).name == verdict.in_full


def test_tags_say_what_rests_on_them():
    """What the page on coverage counts, and each kind of errata by itself."""
    page = COVERAGE.read_text()
    for tag in TAGS:
        meaning = explain(tag).meaning
        numbered = [each.name for each in paper(tag).statements if each.numbered]
        covered = sum(name in recomputed() for name in numbered)
        assert f"--only {tag}" in meaning
        assert f"recompute {covered} of {len(numbered)} numbered statements" in meaning
        assert f"| {tag} | {len(numbered)} | " in page
        said = [erratum.kind for record in paper(tag).statements for erratum in record.errata]
        for kind in set(said):
            assert f"{said.count(kind)} {kind}" in meaning
    assert "star_number" in explain("HY15").related


def test_the_class_of_the_example_may_be_given(tmp_path):
    path = tmp_path / "table.csv"
    Table([[0, 0], [0, 1], [1, 1]], domain="ab").save(path)
    for word, of, lines in (
        ("ldim", "cube:n=2", ("C.ldim()           # 2", "# ldim >= 2: tree ")),
        ("diameter", str(path), (f'C = Table.load("{path}")', "# diameter >= 2: points a, b; ")),
    ):
        shown = CliRunner().invoke(app, ["explain", word, "--class", of])
        assert shown.exit_code == 0 and all(line in shown.stdout for line in lines), shown.stdout


@pytest.mark.parametrize(
    ("word", "of", "problem"),
    [
        ("sign_rank", "warmuth", "The sign rank of the class lies between 3 and 4."),
        ("spherical_dim", "cube:n=8", "spherical_dim is computed on at most 7 points. Got 8."),
        ("vacuous", "cube:n=2", "Only dimensions and parameters of small classes have an example"),
    ],
)
def test_a_definition_is_printed_before_a_refused_example(word: str, of: str, problem: str):
    shown = CliRunner().invoke(app, ["explain", word, "--class", of])
    assert shown.exit_code == 2
    assert explain(word).definition in shown.stdout.replace("\n", " ")
    assert f"lsclasses: {problem}" in shown.stderr


def test_the_value_of_the_empty_class_is_stated():
    assert "Value on the empty class: -1." in explain("ldim").meaning
    assert "Value on the empty class: 0, and -1 on no points." in explain("dual_vcdim").meaning
    assert "Not defined for the empty class." in explain("diameter").meaning
