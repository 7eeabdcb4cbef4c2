"""Private learning from samples: error against rows, time, and which learner needs fewest rows.

Errors are population losses, computed exactly, of 20 samples for each number of rows; the figures
show medians with bands from the 10 % to the 90 % quantile. Budget: epsilon = 1, delta = 10^-6.

* **255 thresholds**: uniform points, target x >= 100. The private learner of Littlestone classes
  (d = 8) is not drawn: it needs 10^10 rows.
* **2^20 point functions**: half of the rows at 12 points around the target, half anywhere. The
  exponential mechanism draws among all 2^20 concepts, those at points without rows together.
* **1-decision lists over 4 variables**: uniform points; 1050 concepts, d = 9.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from math import log
from textwrap import fill
from typing import TYPE_CHECKING

import numpy as np

import catalog
from benchmarks.kept import Kept, band, summary, write
from learners import plots
from learners.budget import Budget
from learners.coins import Coins, SeededCoins
from learners.pac import (
    Distribution,
    EmpiricalRiskMinimizer,
    FewRows,
    FinalHypothesis,
    FiniteDistribution,
    GenericLearner,
    LittlestoneParameters,
    Mixture,
    PrivateLittlestoneLearner,
    Sample,
    SubsampleAggregate,
    UniformDistribution,
    count_errors,
)
from learners.pac.littlestone_parameters import RULES
from learners.playing.features import ShortConjunctions
from learners.rules import DecisionListLearner, GreedyCover
from lsclasses.concept_class import ConceptClass
from lsclasses.hypothesis import Hypothesis
from lsclasses.soa import SOA
from lsclasses.table import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

EPSILON, DELTA = Fraction(1), Fraction(1, 10**6)
ALPHA = Fraction(1, 10)
NARROW = 24
"""Number of letters in a line of a legend that has only one panel."""
HALF = Fraction(1, 2)
SEEDS = 20
ROWS = (30, 56, 100, 178, 316, 562, 1000, 1778, 3162, 5623, 10_000, 17_783, 31_623)
BATCHES = 80
NAMES = (
    "ERM, not private",
    "exponential mechanism",
    f"subsample and aggregate, {BATCHES} batches",
    "private SOA",
    "greedy covering",
)
"""The learners of the figure of errors."""
ERM, MECHANISM, AGGREGATE, PRIVATE, COVER = NAMES

Learn = Callable[[Sample, Coins], Hypothesis]


def of_class(C: ConceptClass) -> dict[str, Learn]:
    """What works for every finite class that can be written out."""
    best = EmpiricalRiskMinimizer(C)
    return {
        ERM: best.fit,
        MECHANISM: GenericLearner(C, EPSILON).fit,
        AGGREGATE: SubsampleAggregate(best, BATCHES, EPSILON, DELTA).fit,
    }


def thresholds() -> tuple[Distribution, dict[str, Learn]]:
    C = catalog.build("thresholds:n=255")
    target = C.given([(100, 1), (99, 0)]).soa()
    return FiniteDistribution.labelled(target), of_class(C)


def points() -> tuple[Distribution, dict[str, Learn]]:
    C, place = catalog.build("points:n=2^20"), 500_000
    target = C.restrict(place, 1).soa()
    near = FiniteDistribution.labelled(target, range(place - 6, place + 6))
    D = Mixture([(HALF, near), (HALF, UniformDistribution(C.domain, target))])

    def errors(sample: Sample) -> tuple[list[Hypothesis], list[int], list[int]]:
        """Concepts at points with rows, one that stands for all others, and how many each is."""
        seen = sorted({x for x, _ in sample.counts})
        other = next(x for x in range(2**20) if x not in set(seen))
        ones = sum(n for (_, y), n in sample.counts.items() if y)
        wrong = [ones + sample.counts[x, 0] - sample.counts[x, 1] for x in seen]
        concepts = [C.restrict(x, 1).soa() for x in (*seen, other)]
        return concepts, [*wrong, ones], [1] * len(seen) + [2**20 - len(seen)]

    def erm(sample: Sample, coins: Coins) -> Hypothesis:
        concepts, wrong, _ = errors(sample)
        return concepts[int(np.argmin(wrong))]

    def mechanism(sample: Sample, coins: Coins) -> Hypothesis:
        concepts, wrong, counts = errors(sample)
        return concepts[coins.pick([-w for w in wrong], unit=EPSILON / 2, counts=counts)]

    # Whatever fits its rows can be aggregated: here the SOA.
    aggregate = SubsampleAggregate(FinalHypothesis(SOA(C)), BATCHES, EPSILON, DELTA)
    private = PrivateLittlestoneLearner.for_error(SOA(C), ALPHA, Budget(EPSILON, DELTA))
    return D, {
        ERM: erm,
        MECHANISM: mechanism,
        AGGREGATE: aggregate.fit,
        PRIVATE: private.fit,
    }


def decision_lists() -> tuple[Distribution, dict[str, Learn]]:
    C = catalog.build("decision-lists:n=4").to_table()
    features = ShortConjunctions(4, 1)
    D = FiniteDistribution.labelled(C[777])
    cover = DecisionListLearner(features, GreedyCover(EPSILON, DELTA))
    return D, {**of_class(C), COVER: cover.fit}


def measured(D: Distribution, learn: Learn) -> list[list[float]]:
    """The losses for each number of rows."""
    losses = [
        [
            float(D.loss(learn(D.sample_seeded(n, seed), SeededCoins(seed)).canonical()))
            for n in ROWS
        ]
        for seed in range(SEEDS)
    ]
    return summary(losses)


def errors() -> Figure:
    """Population errors against rows, for three classes."""
    kept = Kept("pac-errors")
    drawn, (*panels, free) = plots.figure(4, 6, rows=2)
    for ax, (title, make) in zip(
        panels,
        (
            ("255 thresholds", thresholds),
            ("2^20 point functions", points),
            ("1-decision lists on 4 bits", decision_lists),
        ),
        strict=True,
    ):
        print(f"\n{title}\n\n| rows | {' | '.join(map(str, ROWS))} |")
        print("|---" * (len(ROWS) + 1) + "|", flush=True)
        D, learners = make()
        for name, learn in learners.items():
            found = kept.get(title, name, measured=partial(measured, D, learn))
            medians = " | ".join(f"{median:.4f}" for _, median, _ in found)
            print(f"| {name} | {medians} |", flush=True)
            band(ax, ROWS, found, fill(name, NARROW), **plots.learner_style(name, markevery=2))
        ax.set(xscale="log", xlabel="rows")
        ax.set_title(title, fontsize="medium")
        ax.axhline(0, color="0.8", linewidth=0.8, zorder=0)
        # Of the promise's many more rows, only those of the private SOA are within reach.
        if make is points:
            needed = PrivateLittlestoneLearner.for_error(
                SOA(catalog.build("points:n=2^20")), ALPHA, Budget(EPSILON, DELTA)
            ).rows
            label = fill(f"rows that private SOA needs for error {float(ALPHA)}", NARROW)
            ax.axvline(needed, color=plots.color_of(PRIVATE), linestyle=":", label=label)
        ax.set_ylabel("population error")
    plots.common_legend(drawn, panels, panel=free)
    drawn.suptitle(
        f"Errors at epsilon = 1, delta = 10^-6,\nmedian of {SEEDS} samples, band from 10 % to 90 %",
        fontsize="medium",
    )
    return drawn


def crossing(rows: int) -> float:
    """log2 of the size of a class for which the exponential mechanism needs so many rows."""
    # rows = max(8, 4/epsilon) ln(2 N/beta)/alpha
    return (rows * float(ALPHA) / 8 - log(2 * 20)) / log(2)


PLACES = (
    ("points:n=2^20", 1, 20.0, (7, -6), "left"),
    ("points:n=2^999", 1, 999.0, (7, -3), "left"),
    ("affine:q=2,n=32,k=1", 2, 63.0, (7, -2), "left"),
    ("thresholds:n=255", 8, 8.0, (0, 15), "right"),
    ("decision-lists:n=4", 9, log(1050) / log(2), (28, 28), "right"),
)
"""Classes on the map: Littlestone dimension, log2 of the size, and where the name stands."""


def rows_map() -> Figure:
    """From which size of a class on does the private learner need fewer rows than EM?"""
    dimensions = range(1, 11)
    drawn, (ax,) = plots.figure(1, 5.6)
    print("\n| d | rows, by rule | from so many concepts on |\n|---|---|---|")
    top = 1e21
    private, mechanism = plots.color_of(PRIVATE), plots.color_of(MECHANISM)
    for rule, style, marker in zip(RULES, (":", "--", "-"), "s^o", strict=True):
        parameters = [
            LittlestoneParameters.for_error(d, ALPHA, Budget(EPSILON, DELTA), rule=rule)
            for d in dimensions
        ]
        sizes = [crossing(each.rows) for each in parameters]
        ax.plot(
            dimensions,
            sizes,
            marker=marker,
            markersize=4,
            color=private,
            linestyle=style,
            label=f"both need equally many rows: rule {rule!r}",
        )
        for d, each, size in zip(dimensions, parameters, sizes, strict=True):
            print(f"| {d} | {rule}: {each.rows} | 2^{size:.4g} |")
        if rule == "sharp":
            ax.fill_between(dimensions, sizes, top, color=private, alpha=0.12, linewidth=0)
            ax.fill_between(dimensions, dimensions, sizes, color=mechanism, alpha=0.12, linewidth=0)
    ax.fill_between(dimensions, dimensions, 0.5, color="0.85", linewidth=0)
    ax.plot(dimensions, dimensions, color="black", label="a class of dimension d has 2^d concepts")
    for name, d, size, shift, side in PLACES:
        ax.plot([d], [size], "k+")
        ax.annotate(
            name,
            (d, size),
            xytext=shift,
            textcoords="offset points",
            horizontalalignment=side,
            arrowprops={"arrowstyle": "-", "linewidth": 0.8} if shift[1] > 0 else None,
        )
    ax.text(4, 1e14, "fewest rows: private SOA", ha="center", color=private)
    ax.text(7, 6e4, "fewest rows: exponential mechanism", ha="center", color=mechanism)
    ax.text(5.5, 1.2, "no class", horizontalalignment="center", color="0.4")
    ax.set_yscale("log")
    ax.set_xlim(0.9, 10.1)
    ax.set_ylim(0.7, top)
    ax.set_xticks(list(dimensions))
    ax.set(xlabel="Littlestone dimension d", ylabel="log2 of the number of concepts")
    ax.set_title(
        "Which learner needs fewest rows?\n(alpha = 0.1, beta = 0.05, epsilon = 1, delta = 10^-6)",
        fontsize="medium",
    )
    plots.common_legend(drawn, [ax])
    return drawn


FIGURES = {"pac-map": rows_map, "pac-errors": errors}


def measure_mechanism(concepts: int = 100_000, places: int = 4096, rows: int = 1_000_000) -> None:
    """The exponential mechanism over many concepts and rows."""
    rng = np.random.default_rng(1)
    C = Table(rng.integers(2, size=(concepts, places), dtype=np.uint8))
    drawn = rng.integers(places, size=rows).tolist()
    target = C[concepts // 2].labels.tolist()
    sample = Sample.drawn(C.domain, tuple((x, target[x]) for x in drawn))
    before = time.perf_counter(), time.process_time()
    h = GenericLearner(C, EPSILON).fit(sample, SeededCoins(1))
    wall, processor = time.perf_counter() - before[0], time.process_time() - before[1]
    print(
        f"\n{concepts} concepts on {places} points, {rows} rows: {wall:.1f} s, {processor:.1f} s "
        f"of processor time; errors of the choice: {count_errors([h], sample)[0]}"
    )


def main() -> None:
    warnings.simplefilter("ignore", FewRows)
    measure_mechanism()
    write(FIGURES)


if __name__ == "__main__":
    main()
