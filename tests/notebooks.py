"""Run the notebooks in ``examples/`` without Jupyter, and keep what their cells show.

A cell shows what it prints and the value of its last expression, in the forms that Jupyter asks a
value for. ``python -m tests.notebooks`` writes the outputs into the notebooks; a test runs them
again and compares.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "examples"
FORMS = {
    "text/html": "_repr_html_",
    "text/latex": "_repr_latex_",
    "image/svg+xml": "_repr_svg_",
}


def outputs(source: str, names: dict[str, Any]) -> list[dict[str, Any]]:
    """What one cell shows, as a notebook keeps it."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed, shown = io.StringIO(), []
    value = None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "a cell", "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "a cell", "eval"), names)
    if printed.getvalue():
        text = printed.getvalue().splitlines(keepends=True)
        shown.append({"output_type": "stream", "name": "stdout", "text": text})
    if value is not None:
        data = {"text/plain": repr(value).splitlines(keepends=True)}
        for form, method in FORMS.items():
            found = getattr(value, method, lambda: None)()
            if found is not None:
                data[form] = found.splitlines(keepends=True)
        shown.append({"output_type": "display_data", "data": data, "metadata": {}})
    return shown


def executed(notebook: dict[str, Any]) -> dict[str, Any]:
    """The notebook with the outputs of all its cells, run from first to last."""
    names: dict[str, Any] = {"__name__": "__main__"}
    cells: list[dict[str, Any]] = []
    number = 0
    for cell in notebook["cells"]:
        cells.append(dict(cell))
        if cell["cell_type"] == "code":
            number += 1
            found = outputs("".join(cell["source"]), names)
            cells[-1] |= {"execution_count": number, "outputs": found}
    return {**notebook, "cells": cells}


def read(path: Path) -> dict[str, Any]:
    """A notebook."""
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def written(notebook: dict[str, Any]) -> str:
    """The notebook as it stands in its file."""
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    for path in sorted(FOLDER.glob("*.ipynb")):
        path.write_text(written(executed(read(path))), encoding="utf-8")
