"""The version is one."""

from __future__ import annotations

import re
import tomllib

from lsclasses import __version__
from tests.floors import ROOT


def test_the_version_is_the_same_wherever_it_stands() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    cited = re.search(r"^version: (.*)$", (ROOT / "CITATION.cff").read_text(), re.M)
    sections = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.M)
    released = next(each for each in sections if each != "Unreleased")
    assert cited is not None
    assert __version__ == project["version"] == cited[1] == released
