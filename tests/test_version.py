"""The version is one."""

from __future__ import annotations

import re
import tomllib

from learners.citing import YEAR
from lsclasses import __version__
from tests.floors import ROOT


def test_the_version_is_the_same_wherever_it_stands() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    cited = re.search(r"^version: (.*)$", (ROOT / "CITATION.cff").read_text(), re.M)
    sections = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.M)
    released = next(each for each in sections if each != "Unreleased")
    assert cited is not None
    assert __version__ == project["version"] == cited[1] == released


def test_the_date_of_the_release_is_one() -> None:
    text = (ROOT / "CITATION.cff").read_text()
    cited = re.search(r"^date-released: (.*)$", text, re.M)
    dated = re.search(
        rf"^## {re.escape(__version__)} \((.*)\)$", (ROOT / "CHANGELOG.md").read_text(), re.M
    )
    assert cited is not None and dated is not None
    assert cited[1] == dated[1] and cited[1].startswith(f"{YEAR}-")
