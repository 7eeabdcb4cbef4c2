"""One word has one meaning: names of modules and of public classes are distinct."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PATHS = [
    path
    for package in ("lsclasses", "catalog", "learners")
    for path in sorted((ROOT / package).rglob("*.py"))
]

ROLES = {
    "checks": "checks of plug-ins of one kind",
    "closed_forms": "the closed form of the family with this name",
    "columns": "the columns of the atlas about this topic",
    "commands": "the command with this name",
    "evidence": "audit instances and claims about the learner with this name",
    "general_checks": "checks of this topic",
    "parameters": "the parameters of small classes about this topic",
}
"""Folders that state the role of a module, so its name is that of a topic or a command."""

CLASSES: dict[str, str] = {}
"""Names of several public classes, each with the reason."""

MODULES: dict[str, str] = {
    "agnostic": "the agnostic learner of each kind: POP, experts, samples",
    "algorithm": "the algorithm of the learner that gives the folder its name",
    "base": "the base classes of the folder",
    "entries": "the declarations of learners that one command lists",
    "evidence": "audit instances and claims about the learner of the folder",
    "plan": "the parameters of the learner that gives the folder its name",
}
"""Names of several modules, each with the reason."""


def repeated(names: Counter[str]) -> set[str]:
    """Return the names that occur more than once."""
    return {name for name, count in names.items() if count > 1}


def module_names() -> Counter[str]:
    """Count the last components of module names outside of folders that state a role."""
    return Counter(
        path.stem
        for path in PATHS
        if path.parent.name not in ROLES and not path.stem.startswith("__")
    )


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
        pytest.param(class_names, CLASSES, id="classes"),
        pytest.param(module_names, MODULES, id="modules"),
    ],
)
def test_only_the_listed_names_repeat(
    names: Callable[[], Counter[str]], allowed: dict[str, str]
) -> None:
    found = repeated(names())
    assert found - allowed.keys() == set(), "rename these, or list them with a reason"
    assert allowed.keys() - found == set(), "these are distinct today, so remove them from the list"


def test_every_role_is_the_name_of_a_folder() -> None:
    assert ROLES.keys() <= {path.parent.name for path in PATHS}


def test_sections_of_docstrings_have_a_title_of_one_line() -> None:
    """The site cannot be built if the title of a section continues a paragraph."""
    broken = []
    for path in PATHS:
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.ClassDef | ast.FunctionDef | ast.Module):
                continue
            lines = ["", *(ast.get_docstring(node) or "").split("\n")]
            for before, title, underline in zip(lines, lines[1:], lines[2:], strict=False):
                is_title = len(underline) >= 3 and set(underline) == {"-"}
                if is_title and (before or len(title) != len(underline)):
                    broken.append(f"{path.relative_to(ROOT)}: {title}")
    assert not broken
