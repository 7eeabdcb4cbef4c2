"""The code follows docs/architecture.md."""

from __future__ import annotations

import pkgutil
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import networkx as nx
import pytest

from learners.papers import records
from learners.papers.steps import tagged
from lsclasses.registry import own_names
from tests.floors import PICTURE, ROOT, import_graph, named_circles, picture
from tests.house import CIRCLE, WIDE_FOLDERS, most_parameters, python_files, row_route

ARCHITECTURE = ROOT / "docs" / "architecture.md"


def test_imports_run_in_no_circle_but_the_named_ones() -> None:
    graph, named = import_graph().copy(), named_circles()
    assert named <= set(graph.edges), "a named import is gone: strike it from the page"
    graph.remove_edges_from(named)
    assert list(nx.simple_cycles(graph)) == []
    for edge in named:
        assert nx.has_path(graph, edge[1], edge[0]), f"{edge} closes no circle"
    assert max(map(len, nx.strongly_connected_components(import_graph()))) <= CIRCLE


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
    """What a proof may ask of a class stands in `lsclasses.certificates.subject_class`, all of
    it."""
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
    """`verify` and `audit` find it by names.toml, so running a learner loads no evidence."""
    wrong = [(a, b) for a, b in import_graph().edges if is_evidence(b) and not is_evidence(a)]
    assert wrong == []


ALLOWED = re.search(r"\*\*Allowed imports\.\*\*(.*?)\n\n", ARCHITECTURE.read_text(), re.DOTALL)
assert ALLOWED is not None
SHARED = set(re.findall(r"`([^`]*)`", ALLOWED[1].partition("`experts` also")[0]))
"""The modules that docs/architecture.md allows to every folder of an online learner."""
TOPS = {"lsclasses", "catalog", "learners"}
ALSO = {"playing": {"majorities"}, "experts": {"sanitizers"}, "optimal": {"experts", "pac"}}
"""The folders that a folder also imports."""
ONLINE = {place.value.split(".")[1] for place in own_names()["learners"].values()} | {"majorities"}
"""The folders of online learners."""


@pytest.mark.parametrize("name", sorted(ONLINE))
def test_the_folder_of_a_learner_imports_only_what_it_may(name: str) -> None:
    imported = {
        b.split(".")[1]
        for a, b in import_graph().edges
        if f"{a}.".startswith(f"learners.{name}.")
        and b.startswith("learners.")
        and not is_evidence(a)
    }
    assert imported - SHARED - {name} == ALSO.get(name, set())


def test_the_page_names_modules_and_further_imports() -> None:
    modules = {path.stem for path in (ROOT / "learners").iterdir()}
    assert TOPS < SHARED <= modules | TOPS
    assert {"playing"} == SHARED & ONLINE
    assert all(
        f"`{name}` also imports `{other}`" in " ".join(ALLOWED[1].split())
        for name, others in ALSO.items()
        for other in others
    )


TAG = re.compile(r"\[((?:BLM20|GL21|KMMNS23|LWY25|BF25), [^]]*)\]")
ALGORITHM = re.compile(r"BLM20, (G|M|D_k)|\w+, Alg [\d.]+")
STEPS = {
    "BLM20, G step": "2 3",
    "BLM20, D_k step": "1 (i) (ii) (iii) (iv) (v)",
    "BLM20, M step": "1 2 3",
    "GL21, Alg 1 line": "3 4 5 6 7 9 11 13 14 15 16 17 18 26 28 29",
    "GL21, Alg 2 line": "3 5 7 8 9 10 11 12 14 16 17",
    "KMMNS23, Alg 6 step": "3a 3b 3c 3d 3e",
    "KMMNS23, Alg 7 step": "1 2 3a 3b 3c 3d 3e 3f 3g 3h",
    "KMMNS23, Alg 12 step": "1 2a 2b 2c 2d 2e 3",
    "LWY25, Alg 1 line": "3 5 6 7",
    "LWY25, Alg 2 line": "1 2 3 4 6 7 8 9 12 13 14 15 16 17 18 19 20 23",
    "LWY25, Alg 3 line": "1 4 5 6 7 8",
    "LWY25, Alg 4 line": "1 4 5 6 7",
    "LWY25, Alg 5 line": "5 8 9",
    "LWY25, Alg 6 line": "3 4 5",
    "LWY25, Alg 7 line": "5 7 8 9",
}
"""The steps that code takes. Ends of loops are none, nor lines that only name what follows."""


def test_steps_of_papers_are_found_by_one_search() -> None:
    comments = [
        line[line.index("# [") :]
        for path in (ROOT / "learners").rglob("*.py")
        for line in path.read_text().splitlines()
        if "# [" in line
    ]
    statement = r"Lemma|Thm|Claim|App|Cor|Prop|Def|section|\[\w+, \(\d+\)"
    tags = [
        tag
        for comment in comments
        for tag in TAG.findall(comment)
        if not re.search(statement, f"[{tag}")
    ]
    steps = {step.tag for step in tagged()}
    assert [tag for tag in tags if tag not in steps and not ALGORITHM.fullmatch(tag)] == []
    missing = {f"{of} {step}" for of, steps in STEPS.items() for step in steps.split()} - steps
    assert missing == set()
    assert {step.statement for step in tagged()} <= set(records())


def test_running_a_learner_loads_no_audit_and_no_papers() -> None:
    code = (
        "import sys; from lsclasses.commands.application import app;"
        "app(['run', 'pop', 'points:n=4', '-T', '3', '--epsilon', '8', '--allow-weak-privacy'],"
        " standalone_mode=False);"
        "print([name for name in sys.modules if '.evidence' in name or name == 'learners.papers'])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_what_the_changelog_says_of_moved_names_is_true_today() -> None:
    text = (ROOT / "CHANGELOG.md").read_text()
    rows = re.findall(r"^\| (.+) \| (.+) \|$", text, flags=re.MULTILINE)[1:]
    assert len(rows) > 20
    for _, place in rows:
        now = re.sub(r"entry point group `[\w.]+`", "", place)
        for name in re.findall(r"`((?:lsclasses|catalog|learners)(?:\.\w+)+)`", now):
            pkgutil.resolve_name(name)


FOR_ALL_VERSIONS = {"learners.tables.scikit"}
"""Modules that give what they import: of scikit-learn, where it is installed."""


def test_what_is_public_is_listed_where_users_import_it_from() -> None:
    """``__all__`` stands in packages, and in the modules that a page or an example imports from."""
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]
    pages += [path for kind in ("md", "py") for path in (ROOT / "examples").rglob(f"*.{kind}")]
    texts = [
        re.sub(r"from (lsclasses|catalog|learners) import (\w+)", r"import \1.\2", page.read_text())
        for page in pages
    ]
    imported = re.compile(r"(?:from|import) ((?:lsclasses|catalog|learners)\.[\w.]+)")
    named = {name for text in texts for name in imported.findall(text)}
    listed = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for package in ("lsclasses", "catalog", "learners")
        for path in (ROOT / package).rglob("*.py")
        if path.name != "__init__.py" and re.search(r"^__all__ = ", path.read_text(), re.M)
    }
    assert listed - FOR_ALL_VERSIONS <= named


TOP = {
    "files": {
        ".gitignore",
        ".pre-commit-config.yaml",
        ".zenodo.json",
        "CHANGELOG.md",
        "CITATION.cff",
        "CONTRIBUTING.md",
        "LICENSE",
        "Makefile",
        "README.md",
        "SECURITY.md",
        "conftest.py",
        "pyproject.toml",
        "setup.py",
    },
    "folders": {".ci", "benchmarks", "docs", "examples", "out", "proof", "tests", *TOPS},
}
"""What lies at the top of the repository."""


def test_the_top_of_the_repository_has_only_what_it_may() -> None:
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listed.returncode:
        pytest.skip("no checkout of git")
    paths = listed.stdout.splitlines()
    assert {path for path in paths if "/" not in path} == TOP["files"]
    assert {path.partition("/")[0] for path in paths if "/" in path} == TOP["folders"]


IMPORTED_AS = {"python-flint": "flint"}


def test_every_core_dependency_has_a_reason_and_is_imported() -> None:
    """CONTRIBUTING.md lists the dependencies of the core, and the code imports each of them."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    core = {re.split(r"[<>=]", each)[0] for each in project["dependencies"]}
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = text.partition("## Requirements of the core")[2].partition("\n## ")[0]
    assert set(re.findall(r"^\| `([\w-]+)` \| \S", table, re.M)) == core
    code = "\n".join(path.read_text() for path in python_files(ROOT, *sorted(TOPS)))
    for name in core:
        module = IMPORTED_AS.get(name, name)
        assert re.search(rf"^ *(from|import) {module}\b", code, re.M), name


MOST_FILES, MOST_PARAMETERS = 15, 10


def test_a_row_of_a_table_visits_few_files(tmp_path: Path) -> None:
    route = row_route(ROOT, tmp_path)
    assert "learners/tables/cells.py" in route
    assert len(route) <= MOST_FILES, route


def test_functions_of_tables_and_commands_have_few_parameters() -> None:
    most, name = most_parameters(python_files(ROOT, *WIDE_FOLDERS))
    assert most <= MOST_PARAMETERS, name
