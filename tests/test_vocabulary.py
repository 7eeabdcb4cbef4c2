"""One word has one meaning: names of modules and public classes are distinct."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PATHS = [
    path
    for package in ("lsclasses", "catalog", "learners")
    for path in sorted((ROOT / package).rglob("*.py"))
]

CLASSES: dict[str, str] = {}
"""Names of several public classes, each with the reason."""

MODULES: dict[str, str] = {
    "agnostic": "agnostic learners of three packages",
    "aggregation": "majorities of tables, and checks of them",
    "algebra": "definitions of parameters, and columns of the atlas",
    "algorithm": "the algorithm of one learner each",
    "base": "base classes of one package each",
    "batch": "columns computed in batches, and checks of batch learners",
    "bounds": "bounds of searches, and bounds of learners",
    "budget": "privacy budgets, and the command for them",
    "certificates": "certificates of one package each",
    "checks": "checks of input of one package each",
    "claims": "evidence of one learner each",
    "coin_game": "the game, and checks of its bounds",
    "command": "the command of one package each",
    "compression": "sample compression as a search, a definition, a column and a plain form",
    "concentration": "tail bounds, and checks of them",
    "constants": "the family of constants, and constants of inequalities",
    "cover": "covers of classes, and covers by rules",
    "decision_lists": "decision lists as a class, a base learner and a classifier",
    "described": "descriptions of learners, and of sanitizers",
    "entries": "entries of one registry or file format each",
    "evidence": "audits and claims of one learner each",
    "fooling": "the algorithm, and its evidence",
    "frontier": "the computation, and the command for it",
    "game": "the page of a game, and the state of a game",
    "games": "columns, audits, checks and a command about games",
    "graph": "graph parameters as a definition, a column and a plain form",
    "halving": "Halving, and sparse majorities of Halving",
    "histograms": "the mechanism, and the release for tables",
    "hypotheses": "hypotheses of classes, and of tables",
    "inequalities": "inequalities between dimensions, and checks of numeric inequalities",
    "instances": "evidence of one learner each",
    "intervals": "the family, its closed form, and the sanitizer",
    "littlestone": "the dimension, and its search",
    "margins": "margins of classes in the atlas, and in Winnow",
    "mechanisms": "checks of mechanisms given by a user, and checks of claims",
    "mwem": "the sanitizer, and its evidence",
    "named": "names of adversaries, and of base learners",
    "numbers": "exact numbers in general, in learners and in accounting",
    "online": "online states, checks of online learners, and evidence",
    "plan": "parameters of one learner each",
    "play": "the command, and the loop of rounds",
    "plots": "figures of the atlas, and of learners",
    "points": "names of points, the family of point functions, and points of sanitizers",
    "queries": "query dimensions as a search, a definition and a plain form",
    "reading": "readers of certificates, and of papers",
    "registry": "registries of entry points, of families and of audits",
    "relations": "relations of the database, of parameters and of neighbours",
    "report": "reports of one command or package each",
    "rows": "rows of certificates, and the command for sample sizes",
    "rules": "rules of certificates, and of games",
    "samples": "samples of audits, of optimal learners and of batch learners",
    "selection": "the private mechanism, and the choice of checks",
    "shattering": "definitions of parameters, and columns of the atlas",
    "sketches": "the algorithm, and its evidence",
    "soa": "the learner, and its command",
    "stability": "global stability, and the command for it",
    "statement": "statements of refute, and of papers",
    "states": "states that are hashed, and states of Winnow",
    "streams": "streams of files, games, checks and adversaries",
    "structured": "structured classes of the atlas, and of refute",
    "tables": "tables in files, on pages and in commands",
    "teaching": "teaching dimensions as a search, a definition, a column and a plain form",
    "thresholds": "the family, and its closed form",
    "values": "values of the database, and checks of values",
    "vc": "the VC dimension, its search and its certificate",
    "verdicts": "verdicts of checks, and of samples",
    "winnow": "the base learner, and the classifier",
}
"""Names of several modules, each with the reason."""


def repeated(names: Counter[str]) -> set[str]:
    """Return the names that occur more than once."""
    return {name for name, count in names.items() if count > 1}


def module_names() -> Counter[str]:
    """Count the last components of module names."""
    return Counter(path.stem for path in PATHS if not path.stem.startswith("__"))


def class_names() -> Counter[str]:
    """Count the names of public classes at the top level of modules."""
    return Counter(
        node.name
        for path in PATHS
        for node in ast.parse(path.read_text()).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )


@pytest.mark.parametrize(
    ("names", "allowed"),
    [
        pytest.param(class_names(), CLASSES, id="classes"),
        pytest.param(module_names(), MODULES, id="modules"),
    ],
)
def test_only_the_listed_names_repeat(names: Counter[str], allowed: dict[str, str]) -> None:
    found = repeated(names)
    assert found - allowed.keys() == set(), "rename these, or list them with a reason"
    assert allowed.keys() - found == set(), "these are distinct today, so remove them from the list"


def test_each_listed_name_has_a_reason() -> None:
    assert all(reason.strip() for reason in {**CLASSES, **MODULES}.values())
