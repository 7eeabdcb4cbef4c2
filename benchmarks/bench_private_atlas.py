"""The private atlas: the figures of docs/private-atlas.md, and ratios of learners to the optimum.

``python -m benchmarks private_atlas`` computes the ratios that are not kept, and draws the figures
docs/private-atlas.svg, docs/private-atlas-ratios.svg and docs/private-atlas-privacy.svg. The optima
are read from the installed values.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from statistics import median
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.kept import Kept, write
from catalog.atlas import classes
from catalog.atlas.atlas_table import AtlasClass
from catalog.atlas.private_values import PrivateColumn, private_values
from learners import plots
from learners.optimal.comparisons import learner_mistakes
from learners.pac.entries import BATCH_LEARNERS
from learners.playing.entries import ONLINE_LEARNERS
from learners.playing.learner import as_learner
from learners.private_atlas.ratios import any_learner_error
from learners.private_atlas.value_comparisons import valued
from lsclasses.figures import series_style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ONE = Fraction(1)
MOST_POINTS = 3
"""Largest number of points of the classes of the ratios."""
FROM_SAMPLES = {"generic": (1, 2, 3), "private-littlestone": (1, 2)}
ONLINE = {"dp-hedge": (2, 3), "dartboard": (2, 3)}
"""Learners with their numbers of rows or rounds."""


@dataclass(frozen=True)
class Measurement:
    """A learner on a class."""

    learner: str
    size: int
    known: AtlasClass

    @property
    def online(self) -> bool:
        """Whether the learner plays rounds."""
        return self.learner in ONLINE

    @property
    def column(self) -> PrivateColumn:
        """The column of the optimum."""
        return PrivateColumn("M" if self.online else "V", self.size, ONE)

    @property
    def optimum(self) -> float:
        """The value of the best private learner."""
        values = private_values(self.known.points, self.known.mask)
        return float(values[self.column].middle)

    def value(self) -> float:
        """The exact error or mistakes of the learner."""
        C = self.known.table
        if self.online:
            learner: Any = as_learner(
                ONLINE_LEARNERS[self.learner].learner(C, self.size, epsilon=ONE)
            )
            found = learner_mistakes(C, learner, self.size)
        else:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                learner = BATCH_LEARNERS[self.learner].learner(C, self.size, epsilon=ONE)
                found = any_learner_error(C, learner, self.size)
        return float(f"{found:.9g}")


def measurements() -> Iterator[Measurement]:
    """Yield all learners on all classes of at least two concepts on few points."""
    for learner, sizes in {**FROM_SAMPLES, **ONLINE}.items():
        for size in sizes:
            for points in range(1, MOST_POINTS + 1):
                for known in classes(points):
                    if known.mask.bit_count() > 1:
                        yield Measurement(learner, size, known)


def ratios() -> dict[tuple[str, int], list[tuple[float, AtlasClass]]]:
    """Return the ratios to the optimum, by learner and size."""
    kept = Kept("private-atlas")
    found: dict[tuple[str, int], list[tuple[float, AtlasClass]]] = {}
    for each in measurements():
        value = kept.get(each.learner, each.size, each.known.name, measured=each.value)
        found.setdefault((each.learner, each.size), []).append((value / each.optimum, each.known))
    return found


def table() -> None:
    """Print the least, the median and the largest ratio of each learner."""
    print("| learner | rows or rounds | least ratio | median | largest |")
    print("|---|---|---|---|---|")
    for (learner, size), found in ratios().items():
        least, most = min(found, key=lambda e: e[0]), max(found, key=lambda e: e[0])
        middle = median(ratio for ratio, _ in found)
        print(
            f"| {learner} | {size} | {least[0]:.3f} ({least[1].name}) | {middle:.3f} | "
            f"{most[0]:.3f} ({most[1].name}) |"
        )


def by_dimension() -> Figure:
    """The least error against the Littlestone dimension and the number of concepts."""
    drawn, (left, right) = plots.figure(2, 3.8, rows=1)
    found = valued(PrivateColumn("V", 2, ONE), (4,))
    rng = np.random.default_rng(0)
    for ax, read, label in (
        (left, lambda C: float(C["ldim"]), "Littlestone dimension"),
        (right, lambda C: float(np.log2(C.mask.bit_count())), "log2 of the size"),
    ):
        x = np.array([read(each.known) for each in found])
        y = [float(each.value.middle) for each in found]
        spread = rng.uniform(-0.12, 0.12, len(x)) if ax is left else 0
        ax.plot(x + spread, y, **series_style("blue", linestyle="", markersize=2.5))
        ax.set(xlabel=label, ylabel="least expected error V(2)")
    drawn.suptitle("Classes on 4 points, two rows, epsilon = 1", fontsize="medium")
    return drawn


def learner_ratios() -> Figure:
    """The ratios of the exponential mechanism and of DP-Hedge to the optimum."""
    known = ratios()
    drawn, (left, right) = plots.figure(2, 3.8, rows=1)
    for ax, learner, sizes, what in (
        (left, "generic", FROM_SAMPLES["generic"], "rows"),
        (right, "dp-hedge", ONLINE["dp-hedge"], "rounds"),
    ):
        for size, color in zip(sizes, ("blue", "orange", "green"), strict=False):
            x = [C.mask.bit_count() for _, C in known[learner, size]]
            y = [ratio for ratio, _ in known[learner, size]]
            ax.plot(
                x,
                y,
                label=f"{size} {what}" if size > 1 else "1 row",
                **series_style(color, linestyle="", markersize=4),
            )
        ax.set(xlabel="concepts", ylabel="ratio to the optimum", title=learner)
        ax.title.set_fontsize("medium")
        plots.whole_ticks(ax, y=False)
        plots.legend(ax)
    drawn.suptitle("Classes on at most 3 points, epsilon = 1", fontsize="medium")
    return drawn


def by_epsilon() -> Figure:
    """The least errors and the fewest mistakes at three epsilons."""
    drawn, (left, right) = plots.figure(2, 3.8, rows=1)
    for ax, quantity, label in ((left, "V", "V(2)"), (right, "M", "M(3)")):
        size = 2 if quantity == "V" else 3
        for epsilon, color in (
            (Fraction(1, 2), "vermilion"),
            (ONE, "blue"),
            (Fraction(2), "green"),
        ):
            column = PrivateColumn(quantity, size, epsilon)  # type: ignore[arg-type]
            found = valued(column, (3,))
            x = [each.known.mask.bit_count() for each in found]
            y = [float(each.value.middle) for each in found]
            style = series_style(color, linestyle="", markersize=4)
            ax.plot(x, y, label=f"epsilon = {epsilon}", **style)
        ax.set(xlabel="concepts", ylabel=label)
        plots.legend(ax)
    left.set_title("error from two rows", fontsize="medium")
    right.set_title("mistakes in three rounds", fontsize="medium")
    drawn.suptitle("Classes on 3 points", fontsize="medium")
    return drawn


FIGURES = {
    "private-atlas": by_dimension,
    "private-atlas-ratios": learner_ratios,
    "private-atlas-privacy": by_epsilon,
}


def main() -> None:
    table()
    write(FIGURES)


if __name__ == "__main__":
    main()
