"""The version is one."""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any

from learners.citing import LIBRARY, YEAR
from lsclasses import __version__
from tests.floors import ROOT


def archived() -> dict[str, Any]:
    """The metadata for the archive Zenodo."""
    found: dict[str, Any] = json.loads((ROOT / ".zenodo.json").read_text(encoding="utf-8"))
    return found


def cited(field: str) -> str:
    """A field of CITATION.cff on one line."""
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    found = re.search(rf'^{field}: "?(.*?)"?$', text, re.M)
    assert found is not None, field
    return found[1]


def test_the_version_is_the_same_wherever_it_stands() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    sections = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.M)
    released = next(each for each in sections if each != "Unreleased")
    assert __version__ == project["version"] == cited("version") == released
    assert __version__ == archived()["version"]


def test_the_date_of_the_release_is_one() -> None:
    dated = re.search(
        rf"^## {re.escape(__version__)} \((.*)\)$", (ROOT / "CHANGELOG.md").read_text(), re.M
    )
    assert dated is not None
    assert cited("date-released") == dated[1] and dated[1].startswith(f"{YEAR}-")
    assert archived()["publication_date"] == dated[1]


def test_the_two_citations_agree() -> None:
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    record = archived()
    assert record["title"] == cited("title") == LIBRARY
    assert record["license"] == cited("license")
    assert record["upload_type"] == cited("type")
    assert f'name: "{record["creators"][0]["name"]}"' in text
    assert [f"  - {word}" for word in record["keywords"]] == re.findall(
        r"^  - [^-:\n]*$", text.partition("keywords:")[2].partition("authors:")[0], re.M
    )
    abstract = " ".join(text.partition("abstract: >-")[2].partition("type:")[0].split())
    assert record["description"] == f"<p>{abstract}</p>"
