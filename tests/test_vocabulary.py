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
