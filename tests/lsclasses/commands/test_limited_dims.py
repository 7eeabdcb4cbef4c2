"""Where a limit strikes, `lsclasses dims` prints bounds on every dimension, and they hold."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import catalog
from lsclasses import Table
from tests.lsclasses.commands.test_cli import run_json

PAGE = Path(__file__).parents[3] / "docs" / "search.md"
LISTED = PAGE.read_text().partition("following 30 classes")[2].partition("\n## ")[0]
CLASSES = tuple(spec for spec in re.findall(r"`([^`]*)`", LISTED) if "/" not in spec)

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


def test_bounds_hold_wherever_a_limit_strikes(tmp_path: Path) -> None:
    assert len(set(CLASSES)) == 30
    assert len(list(open_ones(("intervals:n=6",), tmp_path))) > 25


@pytest.mark.slow
def test_they_hold_for_all_classes_of_the_page(tmp_path: Path) -> None:
    found = list(open_ones(CLASSES, tmp_path))
    assert len(found) > 1000
    unbounded = {
        name for name, bounds in found if bounds["lower"] is None or bounds["upper"] is None
    }
    assert unbounded == {"positive_no_clash_teaching_dim"}
