"""Words of the field lead to the right page, to the right dimension, or to "not computed"."""

from __future__ import annotations

import json
import re

import pytest
from typer.testing import CliRunner

from catalog.parameters import PARAMETERS
from learners.explaining import explain
from lsclasses import Table
from lsclasses.commands.application import app
from lsclasses.dimensions import DIMENSIONS
from lsclasses.dimensions.base import aliases
from lsclasses.dimensions.not_computed import other_words
from lsclasses.errors import InvalidInput
from lsclasses.registry import spelling
from tests.lsclasses.commands.test_cli import run

SAME = {
    "VC dimension": "vcdim",
    "vc-dim": "vcdim",
    "Vapnik-Chervonenkis": "vcdim",
    "Littlestone": "ldim",
    "online dimension": "ldim",
    "optimal mistake bound": "ldim",
    "shatter function": "growth_function",
    "growth function": "growth_function",
    "shattering coefficients": "growth_function",
    "dual Helly number": "hollow_star_number",
    "co-VC dimension": "hollow_star_number",
    "strong consistency dimension": "hollow_star_number",
    "decision tree depth": "membership_queries",
    "membership query complexity": "membership_queries",
    "equivalence query complexity": "equivalence_queries",
    "dual sign rank": "antipodal_shattering_dim",
    "RTD": "recursive_teaching_dim",
    "eluder dimension": "eluder_dim",
}
"""Words that name a dimension, for `explain` and for queries of a dimension."""

TERMS = {
    "hypergraph": ("concept class", ""),
    "range space": ("concept class", ""),
    "set system": ("concept class", ""),
    "hyperedge": ("concept", ""),
    "ground set": ("domain", ""),
    "trace": ("dichotomy", ""),
    "dichotomies": ("dichotomy", ""),
    "dichotomy": ("dichotomy", ""),
    "break point": ("break point", ""),
    "VC index": ("break point", ""),
    "Sauer-Shelah": ("sauer-shelah lemma", ""),
    "Sauer\u2013Shelah lemma": ("sauer-shelah lemma", ""),
    "sauer's lemma": ("sauer-shelah lemma", ""),
    "ladder": ("ladder", "threshold_dim"),
    "ladder number": ("ladder", ""),
    "ladder index": ("ladder", ""),
    "half graph": ("ladder", "threshold_dim"),
    "order property": ("order property", ""),
    "stable formula": ("stable formula", ""),
    "NIP": ("nip", ""),
    "independence property": ("nip", ""),
    "tree rank": ("2-rank", "ldim"),
    "Shelah rank": ("2-rank", "ldim"),
    "thicket dimension": ("2-rank", "ldim"),
    "R(x=x, Delta, 2)": ("2-rank", "ldim"),
    "SOA": ("soa", ""),
    "mistake bound": ("mistake bound", "ldim"),
    "query complexity": ("query complexity", ""),
    "exact learning": ("query complexity", ""),
}
"""The term that `explain` prints, and the dimension that the word names, if it names one."""

PARAMETER = {
    "hitting set": "hitting_size",
    "transversals": "hitting_size",
    "sign-rank": "sign_rank",
    "average teaching dimension": "average_teaching_dim",
}

NEAREST = {
    "Helly": "hollow_star_number",
    "Helly number": "hollow_star_number",
    "certificate size": "hollow_star_number",
    "VC density": "growth_function",
    "dual shatter function": "growth_function",
    "order dimension": "",
    "Natarajan": "vcdim",
    "Natarajan dimension": "vcdim",
    "graph dimension": "vcdim",
    "pseudo-dimension": "vcdim",
    "fat-shattering": "vcdim",
    "sequential fat-shattering dimension": "ldim",
    "Rademacher complexity": "vcdim",
    "covering number": "",
    "epsilon nets": "vcdim",
    "disagreement coefficient": "star_number",
    "PBTD": "recursive_teaching_dim",
    "Morley rank": "ldim",
    "chromatic number": "",
    "statistical query dimension": "",
}
"""Words that are not computed, each with the nearest dimension."""


def refusal(word: str) -> str:
    with pytest.raises(InvalidInput) as refused:
        Table(["0", "1"]).witness(word)
    assert "Did you mean" not in str(refused.value)
    return str(refused.value)


@pytest.mark.parametrize("word", SAME)
def test_other_names_of_dimensions(word: str) -> None:
    assert explain(word).name == DIMENSIONS.require(word) == SAME[word]


@pytest.mark.parametrize("word", TERMS)
def test_terms(word: str) -> None:
    term, dimension = TERMS[word]
    assert explain(word).name == term
    if dimension:
        assert DIMENSIONS.require(word) == dimension
    elif word not in ("hyperedge", "ground set"):
        assert len(refusal(word)) < 400


@pytest.mark.parametrize("word", PARAMETER)
def test_parameters(word: str) -> None:
    assert explain(word).name == PARAMETER[word]


@pytest.mark.parametrize("word", NEAREST)
def test_words_that_are_not_computed(word: str) -> None:
    found = explain(word)
    assert found.kind == "not computed by this library"
    assert found.related[:1] == ((NEAREST[word],) if NEAREST[word] else ())
    assert found.definition in refusal(word)
    assert NEAREST[word] in found.definition


def test_every_word_is_consistent() -> None:
    """No word is both a dimension and not computed, and all words that are named exist."""
    for key, word in other_words().items():
        assert key not in DIMENSIONS and key not in aliases()
        assert all(name in DIMENSIONS for name in word.see)
        assert spelling(key) == key
        if word.page:
            assert explain(word.page).kind != "not computed by this library"
        named = {part for part in re.split(r"[^\w]+", word.answer) if "_" in part}
        known = {*DIMENSIONS, *PARAMETERS, "set_cover", "max_zero_cover_number", "sauer_bound"}
        assert named <= known, named - known


def test_the_command_dims_gives_the_same_answers() -> None:
    def answer(word: str) -> tuple[int, str]:
        result = CliRunner().invoke(app, ["dims", "thresholds:n=3", "--only", word])
        return result.exit_code, result.output

    status, shown = answer("R(x=x, Delta, 2),vcdim")
    assert status == 0 and "ldim   2" in shown and "vcdim  1" in shown
    status, shown = answer("helly")
    assert status == 2 and "hollow_star_number" in shown and "--only all" not in shown
    status, shown = answer("nonsense")
    assert status == 2 and "--only all" in shown


def test_the_command_explain() -> None:
    result = CliRunner().invoke(app, ["explain", "natarajan", "dimension"])
    assert result.exit_code == 0
    assert "not computed by this library" in result.output
    assert "vcdim" in result.output


@pytest.mark.parametrize("name", sorted(PARAMETERS))
def test_a_query_for_a_dimension_names_the_command_that_computes_a_parameter(name: str) -> None:
    expected = f"There is no dimension {name!r}. 'lsclasses explain {name} --class SPEC' computes"
    assert refusal(name).startswith(expected)
    assert PARAMETERS[name].name in refusal(PARAMETERS[name].title)
    said = run("dims", "thresholds:n=2", "--only", name, status=2).stderr
    assert f"'lsclasses explain {name} --class SPEC'" in said and "--only all" not in said


def test_the_command_of_the_remedy_computes_the_parameter() -> None:
    said = run("explain", "spherical_dim", "--class", "thresholds:n=2").stdout
    assert 'PARAMETERS["spherical_dim"](C)          # 0' in said


@pytest.mark.parametrize(
    ("word", "spec", "refused"),
    [
        ("spherical_dim", "thresholds:n=9", "computed on at most 7 points. Got 9."),
        ("sign_rank", "warmuth", "lies between 3 and 4"),
        ("DP", "warmuth", "Only dimensions and parameters of small classes"),
    ],
)
def test_a_refused_class_leaves_the_definition(word: str, spec: str, refused: str) -> None:
    found = explain(word)
    done = run("explain", word, "--class", spec, status=2)
    assert found.definition in done.stdout and "catalog.build" not in done.stdout
    assert refused in done.stderr
    done = run("explain", word, "--class", spec, "--json", status=2)
    assert json.loads(done.stdout)["definition"] == found.definition


def test_an_unknown_word_with_a_class_is_refused_alone() -> None:
    done = run("explain", "fooo", "--class", "warmuth", status=2)
    assert not done.stdout and "No entry is called 'fooo'." in done.stderr
