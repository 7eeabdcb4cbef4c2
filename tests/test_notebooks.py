"""Notebooks show what they say they show, and Jupyter can read them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.notebooks import FOLDER, executed, outputs, read, written

NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def test_there_is_one() -> None:
    assert NOTEBOOKS


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_shows_what_its_cells_give(path: Path) -> None:
    kept = read(path)
    assert executed(kept) == kept, "python -m tests.notebooks writes the outputs anew"
    assert path.read_text(encoding="utf-8") == written(kept)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_is_of_the_format_that_jupyter_reads(path: Path) -> None:
    kept = read(path)
    assert (kept["nbformat"], kept["nbformat_minor"]) == (4, 5)
    assert len({cell["id"] for cell in kept["cells"]}) == len(kept["cells"])
    for cell in kept["cells"]:
        needed = {"cell_type", "id", "metadata", "source"}
        needed |= {"execution_count", "outputs"} if cell["cell_type"] == "code" else set()
        assert set(cell) == needed
        assert all(line.endswith("\n") for line in cell["source"][:-1])


def test_what_a_cell_shows() -> None:
    class Rich:
        def __repr__(self) -> str:
            return "plain"

        def _repr_html_(self) -> str:
            return "<b>rich</b>"

        def _repr_svg_(self) -> None:
            return None

    names = {"rich": Rich()}
    assert outputs("print(1)\nrich", names) == [
        {"output_type": "stream", "name": "stdout", "text": ["1\n"]},
        {
            "output_type": "display_data",
            "data": {"text/plain": ["plain"], "text/html": ["<b>rich</b>"]},
            "metadata": {},
        },
    ]
    assert outputs("x = 1", names) == [] and names["x"] == 1
