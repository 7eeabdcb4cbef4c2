"""The page of all families and its pictures against the registry and the tables."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import catalog
from catalog.family_pages import CELL, MARGIN, label_picture, member_for_picture, page, pictures
from lsclasses import Table

DOCS = Path(__file__).parents[2] / "docs"


def dark_squares(picture: str) -> set[tuple[int, int]]:
    """Rows and columns of the dark squares of a picture."""
    corners = re.findall(rf"M(\d+) (\d+)h{CELL}v{CELL}h-{CELL}z", picture)
    return {((int(y) - MARGIN) // CELL, (int(x) - MARGIN) // CELL) for x, y in corners}


def test_the_page_lists_every_family() -> None:
    written = (DOCS / "families.md").read_text(encoding="utf-8")
    assert written == page(), "run make coverage"
    rows = re.findall(r'^\| <a id="([\w-]+)"></a>', written, re.MULTILINE)
    assert rows == list(catalog.families())
    assert all(row.count(" | ") == 4 for row in written.splitlines() if row.startswith("| <a"))


def test_the_pictures_are_up_to_date() -> None:
    found = dict(pictures())
    assert {f"families/{path.name}" for path in (DOCS / "families").iterdir()} == set(found)
    for name, picture in found.items():
        assert (DOCS / name).read_text(encoding="utf-8") == picture, "run make coverage"


@pytest.mark.parametrize("name", ["thresholds", "affine", "majority"])
def test_a_picture_has_a_dark_square_for_every_label_1(name: str) -> None:
    spec, _ = member_for_picture(catalog.family(name))
    C = catalog.build(spec).to_table()
    ones = {(i, j) for i, c in enumerate(C) for j, x in enumerate(C.domain) if c(x) == 1}
    assert dark_squares(label_picture(C, spec)) == ones


def test_titles_are_no_markup() -> None:
    assert "<b>" not in label_picture(Table([[1]]), "<b>")
