"""The engines of the search, for tests that must hold on each."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

import pytest

from lsclasses.searching import engines

KERNEL: ModuleType | None = None
if engines.kernel_state() == "built":
    KERNEL = import_module("lsclasses.searching._kernel")

ENGINES = [
    pytest.param("native", marks=pytest.mark.skipif(KERNEL is None, reason="no kernel was built")),
    "numpy",
]


@pytest.fixture(params=ENGINES, scope="module")
def engine(request):
    """Each engine in turn, for all tests of a module."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(engines.VARIABLE, request.param)
        yield request.param
