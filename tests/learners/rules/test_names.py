"""Packages whose names are imported on demand: no name is that of a module, which would hide it."""

from __future__ import annotations

import importlib
import pkgutil

import pytest


@pytest.mark.parametrize("package", ["learners.rules", "learners.tables", "learners.mechanisms"])
def test_no_name_is_that_of_a_module(package: str) -> None:
    found = importlib.import_module(package)
    modules = {each.name for each in pkgutil.iter_modules(found.__path__)}
    assert not modules & set(found.__all__)
