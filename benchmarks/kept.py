"""Numbers that were measured, kept in a file for each figure of docs that is drawn from them.

A file of the folder ``numbers`` has the name of its figure. Only what a file does not have is
measured, and kept at once; without the file, all of it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from learners import plots
from learners.plots import QUANTILES
from lsclasses.figures import save

DOCS = Path(__file__).parents[1] / "docs"
FOLDER = Path(__file__).with_name("numbers")

Drawings = Mapping[str, Callable[[], Any]]
"""Figures by their names in docs, each with the function that draws it."""


class Kept:
    """The numbers of a figure, each under what it is a number of."""

    def __init__(self, figure: str) -> None:
        self._path = FOLDER / f"{figure}.json"
        self._known: dict[str, Any] = {}
        if self._path.exists():
            self._known = json.loads(self._path.read_text(encoding="utf-8"))

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def get(self, *of: object, measured: Callable[[], Any]) -> Any:
        """What is kept; if there is nothing, what is measured now."""
        key = ", ".join(map(str, of))
        if key not in self._known:
            self._known[key] = self._measure(key, measured)
            lines = (f"{json.dumps(of)}: {json.dumps(each)}" for of, each in self._known.items())
            text = ",\n".join(lines)
            self._path.write_text(f"{{\n{text}\n}}\n", encoding="utf-8")
        return self._known[key]

    @staticmethod
    def _measure(key: str, measured: Callable[[], Any]) -> Any:
        return measured()


def summary(samples: ArrayLike) -> list[list[float]]:
    """What a band shows of samples of shape (runs, points): for each point, three quantiles."""
    shares = [QUANTILES[0], 0.5, QUANTILES[1]]
    found = np.quantile(np.asarray(samples, dtype=float), [float(each) for each in shares], axis=0)
    return [[float(f"{value:.6g}") for value in each] for each in found.T]


def band(
    ax: Any, x: ArrayLike, summaries: Sequence[Sequence[float]], label: str, **line: Any
) -> Any:
    """Draw `summary` as the band of its samples."""
    return plots.band(ax, x, np.transpose(summaries), label, quantiles=(0, 1), **line)


def write(drawings: Drawings) -> None:
    """Draw figures into docs."""
    for name, draw in drawings.items():
        save(draw(), DOCS / f"{name}.svg")
        print(f"docs/{name}.svg", flush=True)
