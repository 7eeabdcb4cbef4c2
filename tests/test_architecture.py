"""The house stands as docs/architecture.md says."""

from __future__ import annotations

import re
import subprocess
import sys

import networkx as nx
import pytest

import learners
from tests.floors import PICTURE, ROOT, import_graph, named_circles, picture


def test_imports_run_in_no_circle_but_the_named_ones() -> None:
    graph, named = import_graph().copy(), named_circles()
    assert named <= set(graph.edges), "a named import is gone: strike it from the page"
    graph.remove_edges_from(named)
    assert list(nx.simple_cycles(graph)) == []
    for edge in named:
        assert nx.has_path(graph, edge[1], edge[0]), f"{edge} closes no circle"


def test_packages_import_one_way() -> None:
    above = {"lsclasses": {"catalog", "learners"}, "catalog": {"learners"}, "learners": set()}
    wrong = [(a, b) for a, b in import_graph().edges if b.split(".")[0] in above[a.split(".")[0]]]
    assert wrong == []


def test_searches_know_neither_classes_nor_certificates() -> None:
    graph = import_graph()
    below = {each for each in graph if each.startswith("lsclasses.searching")}
    reached = set().union(*(nx.descendants(graph, each) for each in below))
    assert reached - below <= {"lsclasses.errors", "lsclasses.limits"}


def test_checkers_of_certificates_share_no_code_with_the_searches() -> None:
    """They import none; what a `Table` brings along, they do not call."""
    graph = import_graph()
    searches = ("lsclasses.searching", "lsclasses.dimensions")
    for checker in (each for each in graph if each.startswith("lsclasses.certificates.")):
        if checker != "lsclasses.certificates.extraction":
            assert [each for each in graph[checker] if each.startswith(searches)] == []
    assert list(graph["lsclasses.certificates.rules"]) == ["lsclasses.certificates.rows"]
    assert list(graph["lsclasses.certificates.rows"]) == []


def test_files_and_proofs_know_labels_and_no_class() -> None:
    """What a proof may ask of a class stands in `lsclasses.certificates.claimed`, all of it."""
    graph = import_graph()
    for each in graph:
        if each.startswith(("lsclasses.certificates", "lsclasses.files")):
            reached = nx.descendants(graph, each)
            assert reached.isdisjoint({"lsclasses.concept_class", "lsclasses.table"}), each


def test_the_picture_is_drawn_from_the_imports_of_today() -> None:
    assert PICTURE.read_text() == picture(), "run python -m tests.floors"


def is_evidence(module: str) -> bool:
    return "evidence" in module.split(".")[1:] and module.startswith("learners.")


def test_nothing_imports_evidence() -> None:
    """`verify` and `audit` find it by entry points, so that whoever runs a learner loads none."""
    wrong = [(a, b) for a, b in import_graph().edges if is_evidence(b) and not is_evidence(a)]
    assert wrong == []


GROUND = {
    *("accounting", "audit", "bounds", "coins", "curves", "exact", "games", "instances"),
    *("mechanisms", "multiset", "numbers", "states", "uncovered", "playing"),
}
ABOVE = {
    "playing": {"majorities"},
    "pop": set(),
    "majorities": set(),
    "forest": {"pop"},
    "layers": set(),
    "winnow": {"pop"},
    "experts": {"sanitizers"},
}
"""The slices that a slice imports besides the ground."""


@pytest.mark.parametrize("name", ABOVE)
def test_a_slice_imports_the_ground_and_what_it_is_made_of(name: str) -> None:
    imported = {
        b.split(".")[1]
        for a, b in import_graph().edges
        if a.startswith(f"learners.{name}.") and b.startswith("learners.") and not is_evidence(a)
    }
    assert imported - GROUND - {name} == ABOVE[name]


TAG = re.compile(r"# \[((?:BLM20|GL21|KMMNS23|LWY25|BF25), [^]]*)\]")
STEP = re.compile(r"\w+, [\w .]+?(?: (?:step|line)s? \w+(?:(?:, | and )\w+)*)?")
"""A paper, an algorithm as it names it, and steps or lines, each by its name: no ranges."""


def test_steps_of_papers_are_found_by_one_search() -> None:
    found = [
        tag
        for path in (ROOT / "learners").rglob("*.py")
        for tag in TAG.findall(path.read_text())
        if not re.search(r"Lemma|Thm|Claim|App|Cor|Prop|Def|section|\(\d+\)", tag)
    ]
    assert [tag for tag in found if not STEP.fullmatch(tag.replace("(", "").replace(")", ""))] == []
    assert {"BLM20, G step 2", "GL21, Alg 2 line 5", "KMMNS23, POP step 3f"} <= set(found)


@pytest.mark.parametrize("package", learners.PACKAGES)
def test_what_was_moved_is_refused_with_where_it_is(package: str) -> None:
    with pytest.raises(ModuleNotFoundError, match=rf"no package 'learners\.{package}' any more"):
        __import__(f"learners.{package}.anything")
    for old, new in learners.MOVED.items():
        place = ROOT / "learners" / new.replace(".", "/")
        assert place.with_suffix(".py").is_file() or (place / "__init__.py").is_file(), old


def test_whoever_runs_a_learner_loads_no_audit() -> None:
    code = (
        "import sys; from lsclasses.commands.application import app;"
        "app(['run', 'pop', 'points:n=4', '-T', '3', '--epsilon', '8', '--accept-weak'],"
        " standalone_mode=False);"
        "print([name for name in sys.modules if '.evidence' in name])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
