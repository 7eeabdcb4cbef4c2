"""The atlas of five points: enumeration, columns, the file, questions; each beside a plain way.

``python -m benchmarks atlas`` measures processor times of one process, computes all columns, in a
temporary folder, and draws docs/atlas-distribution.svg and docs/atlas-lattice.svg.
"""

from __future__ import annotations

import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, TypeVar

import networkx as nx
import numpy as np

from benchmarks.kept import Kept, write
from catalog import atlas
from catalog.atlas.atlas_plots import never_exceeds, order, pairs, squares
from catalog.atlas.building import build
from catalog.atlas.columns import COLUMNS, column_names
from catalog.atlas.columns.batch import Batch
from catalog.atlas.margins import margin
from catalog.atlas.orbits import least_masks, representatives
from catalog.atlas.query import sql
from catalog.atlas.storage import VARIABLE
from catalog.parameters import PARAMETERS, value
from lsclasses import registry
from lsclasses.dimensions.inequalities import INEQUALITIES
from lsclasses.isomorphism import class_of_mask

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SAMPLE = 4096
SEARCHED = 20

T = TypeVar("T")


def timed(work: Callable[[], T]) -> tuple[T, float]:
    before = time.process_time()
    found = work()
    return found, time.process_time() - before


def enumeration() -> np.ndarray:
    classes, seconds = timed(lambda: representatives(5))
    rng = np.random.default_rng(0)
    masks = rng.integers(1, 2**32, SAMPLE, dtype=np.uint64)
    _, plain = timed(lambda: least_masks(masks, 5, flips=True))
    plain *= len(classes.masks) / SAMPLE
    print(f"\n{len(classes.masks)} classes enumerated: {seconds:.1f} s")
    print(
        "  comparing all 3840 symmetries of that many classes, found already: "
        f"{plain:.0f} s ({plain / seconds:.0f} times as long)"
    )
    return classes.masks


def columns(masks: np.ndarray) -> None:
    chosen = masks[np.random.default_rng(0).integers(0, len(masks), SAMPLE)]
    batch, seconds = timed(lambda: Batch(chosen, 5))
    tables = [class_of_mask(5, int(mask)) for mask in chosen[:SEARCHED]]
    print(f"\n| column | microseconds a class | search in a table, ms | ratio |\n|{'---|' * 4}")
    print(f"| the batch itself | {seconds / SAMPLE * 1e6:.2f} | | |")
    total = seconds
    for name in column_names(5, flips=True):
        _, seconds = timed(lambda name=name: COLUMNS[name](batch))  # type: ignore[misc]
        _, plain = timed(lambda name=name: [value(table, name) for table in tables])  # type: ignore[misc]
        total += seconds
        each, single = seconds / SAMPLE, plain / SEARCHED
        ratio = f"{single / each:.0f}" if each > 1e-8 else ""
        print(f"| `{name}` | {each * 1e6:.2f} | {single * 1e3:.2f} | {ratio} |")
    print(f"| all | {total / SAMPLE * 1e6:.1f} | | |")


def questions(path: Path) -> None:
    os.environ[VARIABLE] = str(path)
    five, seconds = timed(lambda: atlas.table(5))
    print(f"\nfile opened: {seconds:.3f} s; columns read:")
    for name in ("mask", "ldim", "vcdim", "randomized_ldim", "growth_function"):
        print(f"  {name}: {timed(lambda name=name: five[name])[1]:.3f} s")  # type: ignore[misc]
    held = [each for each in INEQUALITIES if each.names <= set(five.names)]
    for each in held:
        for name in each.names:
            five[name]
    times = [timed(lambda each=each: margin(each, [five]))[1] for each in held]  # type: ignore[misc]
    print(
        f"{len(held)} inequalities on all of them: {np.median(times):.3f} s each in the median, "
        f"{max(times):.2f} s at most"
    )
    for question in (
        "select ldim, vcdim, count(*) from atlas group by all",
        "select mask from atlas where ldim >= vcdim + 2",
        "select max(2 * randomized_ldim / ldim) from atlas where ldim > 0",
    ):
        sql(question)
        print(f"{question}: {timed(lambda q=question: sql(q))[1]:.3f} s")  # type: ignore[misc]
    print(f"  calls of registries per question: {registry_calls(lambda: sql(question))}")


def registry_calls(work: Callable[[], object]) -> int:
    """How many calls of `lsclasses.registry` look names up."""
    calls = 0

    def count(frame: FrameType, event: str, _: object) -> None:
        nonlocal calls
        calls += event == "call" and frame.f_code.co_filename == registry.__file__

    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
    return calls


def distribution() -> Axes:
    """How many classes have which dimensions."""

    def measured() -> list[list[int]]:
        return [[*map(int, at), count] for at, count in pairs(atlas.tables(), *names).items()]

    names = "vcdim", "ldim"
    counts = Kept("atlas-distribution").get(*names, measured=measured)
    return squares({(x, y): count for x, y, count in counts}, *names, most=5)


def lattice() -> Axes:
    """Which parameters never exceed which."""

    def measured() -> dict[str, list[str]]:
        found = never_exceeds(atlas.tables(), ["points", *chosen])
        return {node: sorted(found[node]) for node in found}

    names = [name for name in column_names(5, flips=True) if name not in PARAMETERS]
    chosen = [name for name in names if not COLUMNS[name].sequence]
    kept = Kept("atlas-lattice")
    above = kept.get("never larger than", measured=measured)
    total = kept.get("classes", measured=lambda: sum(map(len, atlas.tables())))
    return order(nx.DiGraph(above), total, most=5)


FIGURES = {"atlas-distribution": distribution, "atlas-lattice": lattice}


def main() -> None:
    masks = enumeration()
    columns(masks)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "atlas5.parquet"
        _, seconds = timed(lambda: build(path))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        size = path.stat().st_size / 1e6
        print(f"\nthe file: {seconds:.0f} s, {size:.1f} MB; peak memory so far {peak:.1f} GB")
        questions(path)
        write(FIGURES)


if __name__ == "__main__":
    main()
