"""Where a limit strikes, `lsclasses dims` prints bounds on every dimension, and they hold."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import catalog
from lsclasses import Table
from tests.lsclasses.commands.test_cli import run_json

CLASSES = (
    "intervals:n=6",
    "hamming-ball:n=5,r=2",
    "thresholds:n=12",
    "random:m=24,n=8",
    "rectangles:a=3,b=3",
    "addressing:k=1",
    "affine-functionals:n=3",
    "affine:q=2,n=3,k=1",
    "at-most:n=6,k=2",
    "blockwise-addressing:d=1",
    "conjunctions:n=3",
    "constants:n=4",
    "cube:n=4",
    "decision-lists:n=3",
    "decision-trees:n=2",
    "disjunctions:n=2",
    "hamming-balls:n=6,r=1,count=3",
    "linear:q=2,n=3,k=2",
    "ltf:n=3",
    "majority:n=3",
    "margin-halfspaces:d=2,norm=2,margin=1",
    "monotone:n=3",
    "parities:n=3",
    "points:n=9",
    "projective-lines:q=2",
    "random:m=60,n=6",
    "random:m=8,n=14",
    "subsets:n=6,k=2",
    "tagged-singletons:n=2",
    "warmuth",
)
"""As docs/search.md lists them."""

LIMITS = (
    ("--memory", "2K", "--threads", "2"),
    ("--seconds", "0.001"),
    ("--memory", "1", "--seconds", "1e-9"),
)


def saved(specs: tuple[str, ...], folder: Path) -> list[Path]:
    """Tables without closed forms, so that all is searched."""
    paths = [folder / f"{i}.npy" for i in range(len(specs))]
    for spec, path in zip(specs, paths, strict=True):
        Table(catalog.build(spec).to_table().labels).save(path)
    return paths


def between(bounds: dict[str, Any], value: Any) -> bool:
    entries = [(bounds["lower"], value, bounds["upper"])]
    if isinstance(value, list):
        entries = list(zip(bounds["lower"], value, bounds["upper"], strict=True))
    return all(
        (lower is None or number(lower) <= number(entry))
        and (upper is None or number(entry) <= number(upper))
        for lower, entry, upper in entries
    )


def number(written: object) -> Fraction:
    return Fraction(str(written))


def open_ones(specs: tuple[str, ...], folder: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """The dimensions on which a limit leaves bounds, which are checked."""
    paths = saved(specs, folder)
    whole = run_json("dims", *paths, "--only", "all")
    for limit in LIMITS:
        for spec, found, known in zip(
            specs, run_json("dims", *paths, "--only", "all", *limit), whole, strict=True
        ):
            for name in known["source"]:
                bounds = found.get("bounds", {}).get(name)
                if bounds is None:
                    assert found[name] == known[name], (spec, name, limit)
                else:
                    assert between(bounds, known[name]), (spec, name, limit, bounds)
                    yield name, bounds


def test_the_page_lists_the_classes() -> None:
    page = (Path(__file__).parents[3] / "docs" / "search.md").read_text()
    assert all(f"`{spec}`" in page for spec in CLASSES)
    assert len(set(CLASSES)) == 30


def test_bounds_hold_wherever_a_limit_strikes(tmp_path: Path) -> None:
    assert len(list(open_ones(CLASSES[:2], tmp_path))) > 50


@pytest.mark.slow
def test_they_hold_for_all_classes_of_the_page(tmp_path: Path) -> None:
    found = list(open_ones(CLASSES, tmp_path))
    assert len(found) > 1000
    unbounded = {
        name for name, bounds in found if bounds["lower"] is None or bounds["upper"] is None
    }
    assert unbounded == {"positive_no_clash_teaching_dim"}
