"""Settings of the whole suite: property tests try the same inputs in every run.

A property test has at most 10 inputs in `make test`, 25 in `make mutants` and 100 in `make deep`.
"""

from __future__ import annotations

import gc
import json
import os
import sys
import tomllib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import settings

from catalog.fact_checks import REQUEST, Check, Row, kept_rows
from lsclasses.installation import sources_digest
from lsclasses.registry import Registry
from lsclasses.results_file import ResultsFile

settings.register_profile("quick", derandomize=True, deadline=None, max_examples=10)
settings.register_profile("deep", derandomize=True, deadline=None, max_examples=100)
settings.load_profile("quick")

gc.disable()
"""Collecting tests produces almost no garbage, so the collector would only cost time."""


def pytest_collection_finish() -> None:
    """Exclude modules and tests from garbage collection, because they live until the end."""
    gc.freeze()
    gc.enable()


Installer = Callable[..., None]


@pytest.fixture(autouse=True)
def no_rows_seen() -> None:
    """Forget the rows that earlier tests fitted, because a second fit to them would warn."""
    if (module := sys.modules.get("learners.tables.earlier_fits")) is not None:
        module._fits.clear()


@pytest.fixture(scope="session")
def verified() -> Path | None:
    """Return the results of `make verify`, or None if they come from other sources."""
    kept = Path(os.environ.get("LSCLASSES_VERIFIED", "build/verified.jsonl")).absolute()
    if not kept.is_file():
        return None
    with kept.open(encoding="utf-8") as lines:
        made = json.loads(next(lines))["sources"]
    return kept if made == sources_digest("catalog", "learners", "lsclasses") else None


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


PLUGIN = Path(__file__).parents[1] / "examples" / "plugin"


@pytest.fixture
def plugin(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Path]:
    """`examples/plugin`, installed for the length of a test as its own metadata says."""
    from catalog.atlas.columns import COLUMNS
    from learners.audit.audit_registry import AUDITABLE
    from learners.claim_checks import TOPICS
    from learners.playing.adversaries import NAMED
    from learners.playing.entries import ONLINE_LEARNERS
    from lsclasses.dimensions import DIMENSIONS
    from lsclasses.specifications import FAMILIES

    registries = (AUDITABLE, COLUMNS, DIMENSIONS, FAMILIES, NAMED, ONLINE_LEARNERS, TOPICS)
    project = tomllib.loads((PLUGIN / "pyproject.toml").read_text())["project"]
    assert set(project["entry-points"]) == {each.group for each in registries}
    info = tmp_path_factory.mktemp("installed") / "lsclasses_plugin-1.0.dist-info"
    info.mkdir()
    head = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    (info / "METADATA").write_text(head)
    (info / "entry_points.txt").write_text(
        "".join(
            f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in points.items())
            for group, points in project["entry-points"].items()
        )
    )
    monkeypatch.syspath_prepend(PLUGIN)
    monkeypatch.syspath_prepend(info.parent)
    for each in registries:
        each.forget()
    yield PLUGIN
    for each in registries:
        each.forget()
    for name in [name for name in sys.modules if name.startswith("lsclasses_plugin")]:
        del sys.modules[name]


Rows = Callable[[Check], Sequence[Row]]


@pytest.fixture(scope="session")
def rows(verified: Path | None) -> Rows:
    """The rows of a check of `lsclasses verify`, computed here if `make verify` did not."""
    if verified is None:
        return lambda check: check.rows()
    kept = ResultsFile(verified, sources_digest("catalog", "learners", "lsclasses"), REQUEST)
    return lambda check: kept_rows(kept, check) or check.rows()
