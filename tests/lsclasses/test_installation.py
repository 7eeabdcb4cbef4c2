from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from lsclasses import __version__, installation
from lsclasses.errors import InvalidInput
from lsclasses.installation import COMPANIONS, foreign_package
from lsclasses.registry import Place, Registry

ROOT = Path(__file__).parents[2]


def lsclasses(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The command line where this folder stands first on Python's path."""
    program = "import sys; from lsclasses.commands.application import main; main()"
    path = os.pathsep.join([str(folder), str(ROOT)])
    return subprocess.run(
        [sys.executable, "-c", program, *arguments],
        env={**os.environ, "PYTHONPATH": path},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    "name, arguments", [(COMPANIONS[0], ["dims", "points:n=3"]), (COMPANIONS[1], ["--version"])]
)
def test_a_foreign_package_is_said_in_one_sentence(
    tmp_path: Path, name: str, arguments: list[str]
) -> None:
    other = tmp_path / name / "__init__.py"
    other.parent.mkdir()
    other.write_text("raise ImportError('another package, which has nothing to do with it')\n")
    done = lsclasses(tmp_path, *arguments)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"lsclasses: Python imports the package {name!r} from {str(other)!r}")
    assert str(ROOT / name) in line and "uninstall it" in line
    assert done.stdout.startswith(__version__) == (arguments == ["--version"])


def test_a_folder_of_that_name_that_is_no_package_does_no_harm(tmp_path: Path) -> None:
    (tmp_path / "learners").mkdir()
    assert lsclasses(tmp_path, "--version").returncode == 0


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that the packages are installed into."""
    for name in COMPANIONS:
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text((ROOT / name / "__init__.py").read_text())

    def found(name: str) -> SimpleNamespace:
        file = tmp_path / name / "__init__.py"
        return SimpleNamespace(origin=str(file) if file.exists() else None)

    monkeypatch.setattr(installation, "HOME", tmp_path)
    monkeypatch.setattr(installation, "find_spec", found)
    return tmp_path


def test_a_package_that_was_overwritten_is_said(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    owners: dict[str, list[str]] = {}
    monkeypatch.setattr("importlib.metadata.packages_distributions", lambda: owners)
    assert foreign_package() == ""
    (site / "learners" / "__init__.py").write_text("from learners.core import Learner\n")
    assert "was overwritten by another distribution that has a package 'learners'" in (
        foreign_package()
    )
    owners["learners"] = ["learners", "lsclasses"]
    said = foreign_package()
    assert (
        "was overwritten by the distribution 'learners'. Uninstall this distribution, and reinstall"
        in said
    )

    registry = Registry("a group", "thing", lambda loaded: loaded)
    place = Place("something", "learners.no_such_module")
    monkeypatch.setattr("lsclasses.registry.own_names", lambda: {"a group": {place.name: place}})
    with pytest.raises(InvalidInput, match="was overwritten by the distribution 'learners'"):
        registry["something"]


def test_a_package_that_went_with_another_is_said(site: Path) -> None:
    """Uninstalling what overwrote a file deletes it."""
    (site / "learners" / "__init__.py").unlink()
    assert "has no __init__.py. Please reinstall lsclasses ('pip install" in foreign_package()
