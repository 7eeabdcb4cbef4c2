"""Settings of the whole suite: property tests try the same inputs in every run.

`make test` tries 25 inputs of each, or fewer where one takes long; `make deep` tries 100.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

import pytest
from hypothesis import settings

from lsclasses.registry import Registry

settings.register_profile("quick", derandomize=True, deadline=None, max_examples=25)
settings.register_profile("deep", derandomize=True, deadline=None, max_examples=100)
settings.load_profile("quick")

Installer = Callable[..., None]


@pytest.fixture
def installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installer]:
    """Install a package of one module for the length of a test.

    ``installed("toy", text, (registry, name, value), ...)``: the module's name and text, and its
    entry points.
    """
    undo: list[Callable[[], object]] = []

    def install(module: str, text: str, *points: tuple[Registry, str, str]) -> None:
        folder = tmp_path_factory.mktemp("installed")
        (folder / f"{module}.py").write_text(text)
        info = folder / f"{module}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(
            "".join(f"[{registry.group}]\n{name} = {value}\n" for registry, name, value in points)
        )
        sys.path.insert(0, str(folder))
        undo.append(lambda: sys.path.remove(str(folder)))
        undo.append(lambda: sys.modules.pop(module, None))
        for registry, _, _ in points:
            undo.append(registry.forget)
            registry.forget()

    yield install
    for each in undo:
        each()
