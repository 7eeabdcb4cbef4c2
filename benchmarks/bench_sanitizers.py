"""Sanitizers: how fast MWEM is, its error against n, and true beside synthetic data.

``python -m benchmarks sanitizers`` measures the times and draws docs/sanitizers-error.svg and
docs/sanitizers-ages.svg.

The baseline of the times is the same game in floating point: weights multiplied in place, Gumbel
noise, Laplace noise. The baseline of the errors is `IndependentAnswers`, at the same budget.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from math import exp, log
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

import catalog
from benchmarks.kept import Kept, band, summary, write
from learners import plots
from learners.budget import Budget
from learners.coins import Coins, SecureCoins, SeededCoins
from learners.sanitizers import IndependentAnswers, MWEMSanitizer, PointSample, sanitization_error
from lsclasses.figures import COLORS, REFERENCE, SERIES, series_style
from lsclasses.files.comma_separated import read_csv
from lsclasses.table import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

AGES = Path(__file__).parents[1] / "examples" / "ages.csv"
EPSILON, DELTA = Fraction(1), Fraction(1, 10**6)
ALPHAS = (Fraction(1, 20), Fraction(1, 10), Fraction(1, 5))
ROWS = (100, 300, 1000, 3000, 10**4, 3 * 10**4, 10**5, 3 * 10**5, 10**6)
SEEDS = 9


class AllRounds(MWEMSanitizer):
    """Goes on to the last round, as hardly any data set makes it."""

    def _passes(self, true: int, least: int, coins: Coins) -> bool:
        super()._passes(true, least, coins)
        return True


def floating(C: Table, counts: NDArray[np.int64], made: MWEMSanitizer) -> float:
    """Seconds of the same game in floating point: not exact, and on no real machine private."""
    labels, rng = C.labels.astype(np.float64), np.random.default_rng(1)
    before, size = time.process_time(), int(counts.sum())
    true, weights = labels @ counts / size, np.full(len(C.domain), 1 / len(C.domain))
    for _ in range(made.max_rounds):
        scores = size * (true - labels @ weights)
        both = np.concatenate([scores, -scores]) * float(made.select) / 2
        query = int((both + rng.gumbel(size=len(both))).argmax())
        rng.laplace(scale=float(1 / made.test))
        sign = 1 if query < len(C) else -1
        weights *= np.exp(sign * float(made.rate) * labels[query % len(C)])
        weights /= weights.sum()
    return time.process_time() - before


def times() -> None:
    points, concepts, rows = 2**12, 10**4, 660_000
    rng = np.random.default_rng(1)
    C = Table(rng.integers(0, 2, (concepts, points), dtype=np.uint8))
    made = MWEMSanitizer.for_error(C, Fraction(1, 10), Budget(EPSILON, DELTA))
    longest = AllRounds(C, made.alpha, made.max_rounds, made.select, made.test)
    sample = PointSample.at(C.domain, (points * rng.random(rows) ** 6).astype(np.int64))
    print("| coins | domain | concepts | rows | rounds | seconds | memory | floating point |")
    print("|---|---|---|---|---|---|---|---|")
    runs: tuple[tuple[str, Coins], ...] = (("seeded", SeededCoins(1)), ("secure", SecureCoins()))
    for name, coins in runs:
        before = time.process_time()
        run = longest.run(sample, coins)
        took = time.process_time() - before
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        plain = floating(C, np.array(sample.counts), made)
        row = f"{points} | {concepts} | {rows} | {run.rounds} | {took:.1f} s | {peak} MB"
        print(f"| {name} | {row} | {plain:.1f} s |", flush=True)


# ---- errors


class Sized(Table):
    """A table of which only the size matters."""

    def __init__(self, concepts: int) -> None:
        super().__init__(np.zeros((1, 4096), dtype=np.uint8))
        self._concepts = concepts

    def __len__(self) -> int:
        return self._concepts


def needed() -> None:
    """Rows that are needed by the bounds, on 2^12 points."""
    print("\n| concepts on 4096 points | alpha | MWEM | independent answers |\n|---|---|---|---|")
    for concepts in (10**2, 10**3, 10**4, 10**5, 10**6, 10**7):
        C = Sized(concepts)
        answers = IndependentAnswers.within(Budget(EPSILON, DELTA), C)
        for alpha in ALPHAS:
            made = MWEMSanitizer.for_error(C, alpha, Budget(EPSILON, DELTA))
            print(f"| {concepts} | {float(alpha)} | {made.needed} | {answers.rows_for(alpha)} |")


def ages() -> dict[int, int]:
    """The public histogram of the example."""
    return {int(x): int(count) for _, (x, count) in read_csv(AGES)[1]}


def drawn(C: Table, law: NDArray[np.float64], rows: int, seed: int) -> PointSample:
    rng = np.random.default_rng([rows, seed])
    return PointSample.at(C.domain, rng.choice(len(C.domain), rows, p=law / law.sum()))


def steep() -> NDArray[np.float64]:
    """A law on 256 points that falls like 1/(1 + x)."""
    return np.array([1 / (1 + x) for x in range(256)])


def old() -> NDArray[np.float64]:
    counts = ages()
    return np.array([counts.get(x, 0) for x in range(128)], dtype=np.float64)


CLASSES: tuple[tuple[str, Callable[[], NDArray[np.float64]], str], ...] = (
    ("thresholds:n=256", steep, "weights 1/(1 + x)"),
    ("intervals:n=128", old, "ages of examples/ages.csv"),
)


def crossing(one: list[float], other: list[float]) -> tuple[float, float] | None:
    """Where the second curve falls below the first for good, on the lines between the rows."""
    for i in range(len(ROWS) - 1, 0, -1):
        ahead, behind = one[i - 1] - other[i - 1], one[i] - other[i]
        if ahead <= 0 < behind:
            part = ahead / (ahead - behind)
            at = exp(log(ROWS[i - 1]) + part * log(ROWS[i] / ROWS[i - 1]))
            return at, exp(log(one[i - 1]) + part * log(one[i] / one[i - 1]))
    return None


def released(C: Table, law: NDArray[np.float64], sanitizer: Any) -> list[list[float]]:
    """For each number of rows, the errors of releases of samples."""
    found = []
    for rows in ROWS:
        samples = [drawn(C, law, rows, seed) for seed in range(SEEDS)]
        found.append(
            [
                float(sanitization_error(sanitizer.release(each, SeededCoins(seed)), C, each))
                for seed, each in enumerate(samples)
            ]
        )
    return summary(np.transpose(found))


def errors() -> Figure:
    """Errors against the number of rows, for two classes."""
    kept = Kept("sanitizers-error")
    canvas, panels = plots.figure(2, 5, one_scale=True)
    print("\n| class | rows | " + " | ".join(f"alpha = {float(a)}" for a in ALPHAS), end="")
    print(" | independent |\n|---|---|---|---|---|---|")
    for (spec, law, what), ax in zip(CLASSES, panels, strict=True):
        C = catalog.build(spec).to_table()
        made = {a: MWEMSanitizer.for_error(C, a, Budget(EPSILON, DELTA)) for a in ALPHAS}
        answers = IndependentAnswers.within(Budget(EPSILON, DELTA), C)
        curves = {
            key: kept.get(
                *(spec, key or "independent answers"),
                measured=partial(released, C, law(), sanitizer),
            )
            for key, sanitizer in ({**made, None: answers}).items()
        }
        middle = {key: [median for _, median, _ in found] for key, found in curves.items()}
        for rows, row in zip(ROWS, zip(*middle.values(), strict=True), strict=True):
            print(f"| {spec} | {rows} | " + " | ".join(f"{x:.3f}" for x in row) + " |", flush=True)
        for (key, found), color in zip(curves.items(), SERIES, strict=False):
            label = "independent answers" if key is None else f"MWEM, alpha = {float(key)}"
            band(ax, ROWS, found, label, **series_style(color))
            if key is None:
                continue
            marks = {"color": COLORS[color], "markersize": 11}
            ax.plot([made[key].needed], [float(key)], "*", **marks)
            if (met := crossing(middle[key], middle[None])) is not None:
                ax.plot(*[[x] for x in met], "o", fillstyle="none", **marks)
                print(f"crossing at alpha = {float(key)}: n = {met[0]:.0f}, error {met[1]:.3f}")
        ax.set(xscale="log", yscale="log", xlabel="rows n")
        ax.set_title(f"{spec},\n{what}", fontsize="medium")
        for marker, text in (
            ({"marker": "*"}, "alpha at the rows that its proof needs"),
            ({"marker": "o", "mfc": "none"}, "independent answers are better from here on"),
        ):
            ax.plot([], [], " ", color=REFERENCE, ms=11, label=text, **marker)
    panels[0].set_ylabel("error")
    plots.common_legend(canvas, panels)
    canvas.suptitle(
        "Sanitization error, epsilon = 1, delta = 10^-6,\n"
        f"median of {SEEDS} seeds, band from 10 % to 90 %",
        fontsize="medium",
    )
    return canvas


def histogram() -> Figure:
    """True ages and synthetic ones, with the least alpha that the rows afford."""
    C, rows = catalog.build("intervals:n=128").to_table(), 10**6
    sample = drawn(C, old(), rows, 1)
    made = MWEMSanitizer.within(Budget(EPSILON, DELTA), C, rows)
    data = made.release(sample, SeededCoins(1))
    error = sanitization_error(data, C, sample)
    canvas, (ax,) = plots.figure(1, 3.8)
    across = range(128)
    ax.bar(across, sample.counts / rows, width=1, color="0.8", label="true ages")
    shares = [weight / data.total for weight in data.weights]
    ax.step(across, shares, where="mid", label=f"synthetic ages, alpha = {float(made.alpha)}")
    ax.set(xlabel="age in years", ylabel="share of the rows")
    plots.common_legend(canvas, [ax])
    ax.set_title(
        "10^6 ages, epsilon = 1, delta = 10^-6:\n"
        f"the largest error of a range of ages is {float(error):.3f}",
        fontsize="medium",
    )
    print(f"\nages: alpha = {float(made.alpha)}, worst range off by {float(error):.4f}")
    return canvas


FIGURES = {"sanitizers-error": errors, "sanitizers-ages": histogram}


def main() -> None:
    times()
    needed()
    write(FIGURES)


if __name__ == "__main__":
    main()
