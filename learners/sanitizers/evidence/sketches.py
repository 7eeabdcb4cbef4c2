"""Claims about realizable sanitizers and about releases.

The claims are about dimensions and errors of sketches, about data sets that are rounded to rows,
and about the points that a histogram releases.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import combinations_with_replacement, product
from math import comb

import numpy as np

import catalog
from catalog import atlas
from learners.budget import Budget
from learners.claim_checks import Claim, ClaimCheck, Outcome, bound_outcome, compare, recomputes
from learners.coins import SeededCoins
from learners.exact import exact_distribution
from learners.mechanisms.histograms import BoundedHistogram
from learners.sanitizers.base import SyntheticData
from learners.sanitizers.point_samples import PointSample
from learners.sanitizers.realizable import HistogramSanitizer, realizable_error
from learners.sanitizers.sketches import LEARNERS, RealizableFooling, sketch_size, sketches
from lsclasses.dimensions.vc import shattered_set
from lsclasses.table import Table

__all__ = ["_sketches_checks"]


# ---- sketches


TOPIC = "sanitizers"
SOURCE = "learners.sanitizers.sketches"

LDIM = Claim(
    "largest Littlestone dimension of sketches",
    "largest n with 2^n <= C(sauer(n, d*) + m - 1, m)",
    source="[LWY25, Claim E.3], by unordered products of 0-covers",
    falsified="half of it",
)
FITS = Claim(
    "data sets that no sketch fits",
    "0",
    relation="==",
    source=SOURCE,
    statements=("LWY25 Lemma E.4",),
    falsified="of two points each",
)
LEAST = Claim(
    "least size at which some sketch fits every data set",
    "floor(9 |X|/(2 alpha)) + 1",
    source=SOURCE,
    statements=("LWY25 Lemma E.4",),
    falsified="one less than found",
)
MISTAKES = Claim(
    "answers before no concept is left on which the learner of sketches is wrong",
    "its mistake bound",
    source=SOURCE,
    statements=("LWY25 Thm E.5",),
    falsified="one less than found",
)
ERROR = Claim(
    "realizable sanitization error of RealizableFooling",
    "alpha",
    source=SOURCE,
    statements=("LWY25 Thm E.5", "LWY25 Def E.1"),
    falsified="alpha/2",
)


NEEDED = Claim(
    "most points with which RealizableFooling errs in over a tenth of the runs, by doubling",
    "the number from which on its error is at most alpha, except with probability beta",
    source=SOURCE,
    statements=("LWY25 Thm E.5",),
    falsified="a hundredth of it",
)


def unordered_bound(dimension: int, m: int) -> int:
    """Return the largest n with 2^n <= C(sauer(n, d) + m - 1, m).

    A sketch depends on m points in any order. So the multisets of m members of a 0-cover of the
    points form a 0-cover of the sketches, and a shattered tree of depth n needs 2^n members.
    """

    def covers(n: int) -> int:
        members = sum(comb(n, i) for i in range(dimension + 1))
        return comb(members + m - 1, m)

    # The explicit bound 2 m d log2(e m) is less than the end of the range.
    return max(n for n in range(4 * m * dimension * (m + 1)) if 2**n <= covers(n))


@recomputes(LDIM)
def dimensions(points: int, alpha: Fraction, sizes: Sequence[int]) -> Iterator[Outcome]:
    """Check the Littlestone dimension of sketches, for all classes on `points` points."""
    found: dict[int, list[Table]] = {}
    for C in (each.table for each in atlas.classes(points)):
        found.setdefault(C.dual_ldim(), []).append(C)
    for dual, classes in sorted(found.items()):
        for m in sizes if dual else ():
            stated = unordered_bound(dual, m)
            where = f"{len(classes)} classes on {points} points, d* = {dual}, m = {m}"
            yield compare(
                LDIM,
                f"{where}, alpha = {alpha}",
                computed=max(sketches(C, alpha, m).ldim() for C in classes),
                stated=stated,
                false=Fraction(stated, 2),
                hypotheses={"dual": all(C.dual().ldim() == dual for C in classes)},
            )


@recomputes(LDIM)
def larger(spec: str, alpha: Fraction, m: int) -> Iterator[Outcome]:
    """Check the Littlestone dimension of sketches, for a larger class and larger sketches."""
    C = catalog.build(spec).to_table()
    dual = C.dual_ldim()
    stated = unordered_bound(dual, m)
    yield compare(
        LDIM,
        f"{spec}, d* = {dual}, m = {m}, alpha = {alpha}",
        computed=sketches(C, alpha, m).ldim(),
        stated=stated,
        false=Fraction(stated, 2),
        hypotheses={"dual": C.dual().ldim() == dual},
    )


def _fitting(C: Table, alpha: Fraction, size: int, rows: int) -> int:
    """Return the number of data sets of `rows` rows that some sketch of a size fits."""
    candidates = sketches(C, alpha, size).labels.astype(bool)
    columns, fits = C.labels.astype(np.int64), 0
    for places in combinations_with_replacement(range(len(C.domain)), rows):
        shares = [Fraction(int(ones), rows) for ones in columns[:, list(places)].sum(1)]
        within = np.array([share >= 5 * alpha / 9 for share in shares])
        without = np.array([share <= 4 * alpha / 9 for share in shares])
        fits += bool(np.any(candidates[:, within].all(1) & ~candidates[:, without].any(1)))
    return fits


@recomputes(FITS, LEAST)
def fitting(specs: Sequence[str], alpha: Fraction, rows: int) -> Iterator[Outcome]:
    """Check that every data set has a sketch of the proved size [LWY25, Lemma E.4].

    Check all data sets of `rows` rows, with sketches of every size up to the proved size.
    """
    for spec in specs:
        C = catalog.build(spec).to_table()
        proved = sketch_size(len(C.dual()), alpha)
        every = sum(1 for _ in combinations_with_replacement(range(len(C.domain)), rows))
        where = f"{spec}, alpha = {alpha}, all {every} data sets of {rows} points"
        missed = [every - _fitting(C, alpha, size, rows) for size in (proved, 2)]
        met = {"vc": len(shattered_set(C)) == C.vcdim()}
        yield compare(
            FITS,
            where,
            computed=missed[0],
            stated=0,
            twin=missed[1],
            changed=(proved, 2),
            hypotheses=met,
        )
        least = next(m for m in range(1, proved + 1) if _fitting(C, alpha, m, rows) == every)
        yield compare(LEAST, where, computed=least, stated=proved, false=least - 1)


@recomputes(MISTAKES)
def mistakes(specs: Sequence[str], alpha: Fraction, rows: int) -> Iterator[Outcome]:
    """Check the mistake bound of the learner of sketches in the fooling game.

    Compute the longest game over all data sets and all answers that Lemma E.2 allows.
    """
    for spec in specs:
        C = catalog.build(spec).to_table()
        candidates = sketches(C, alpha, sketch_size(len(C.dual()), alpha))
        for name, learner in LEARNERS.items():
            start, most = learner(candidates), 0
            for places in combinations_with_replacement(range(len(C.domain)), rows):
                shares = PointSample.at(C.domain, list(places)).frequencies(C)
                right = {
                    h: int(share >= 5 * alpha / 9)
                    for h, share in zip(candidates.domain, shares, strict=True)
                    if not 4 * alpha / 9 < share < 5 * alpha / 9
                }
                states, told = {start}, 0
                while True:
                    states = {
                        state.observe(h, label)
                        for state in states
                        for h, label in right.items()
                        if state.predict(h) != label
                    }
                    if not states:
                        break
                    told += 1
                most = max(most, told)
            assert start.mistake_bound is not None
            yield compare(
                MISTAKES,
                f"{spec}, alpha = {alpha}, all data sets of {rows} points, {name}",
                computed=most,
                stated=start.mistake_bound,
                false=most - 1,
            )


@recomputes(ERROR)
def errors(spec: str, alpha: Fraction, seeds: int) -> Iterator[Outcome]:
    """Check the error of `RealizableFooling` at the sample size that is proved to suffice."""
    C = catalog.build(spec).to_table()
    budget = Budget(Fraction(1), Fraction(1, 10**6))
    sanitizer = RealizableFooling.for_error(C, alpha, budget)
    (bound,), found, size = sanitizer.bounds(), [], len(C.domain)
    for seed in range(seeds):
        # Some points are frequent, some nearly alpha/2, and some do not occur. Half of the runs
        # have the data sets with the largest errors, to refute half of the bound.
        coins = SeededCoins(seed if 2 * seed >= seeds else seed % 3)
        weights = [coins.below(5) for _ in range(size)]
        weights[seed % size] += 1
        coins = SeededCoins(seed)
        total = sum(weights)
        places = np.repeat(np.arange(size), [sanitizer.rows * w // total for w in weights])
        rest = np.full(sanitizer.rows - len(places), seed % size)
        rows = PointSample.at(C.domain, np.concatenate([places, rest]))
        found.append(realizable_error(sanitizer.release(rows, coins), C, rows))
    where = f"{spec}, n = {sanitizer.rows}"
    yield bound_outcome(
        ERROR,
        where,
        bound,
        found,
        false=alpha / 2,
        privacy=budget,
        hypotheses=dimension_hypotheses(C),
    )


@recomputes(NEEDED)
def needed(spec: str, alpha: Fraction, runs: int) -> Iterator[Outcome]:
    """Check the number of points from which `RealizableFooling` is accurate.

    Check data sets with equal points, and with three in ten points at a second place.
    """
    C = catalog.build(spec).to_table()
    budget = Budget(Fraction(1), Fraction(1, 10**6))
    sanitizer = RealizableFooling.for_error(C, alpha, budget)

    def fails(size: int) -> bool:
        smaller = replace(sanitizer, discriminator=replace(sanitizer.discriminator, size=size))
        wrong = 0
        for seed in range(runs):
            first = size - 3 * size // 10 if seed % 2 else size
            places = np.repeat([seed % 3, (seed + 1) % 3], [first, size - first])
            rows = PointSample.at(C.domain, places)
            released = smaller.release(rows, SeededCoins(seed))
            wrong += realizable_error(released, C, rows) > alpha
        return 10 * wrong > runs

    most = 1
    while fails(2 * most):
        most *= 2
    yield compare(
        NEEDED,
        f"{spec}, alpha = {alpha}, {runs} runs each",
        computed=most,
        stated=sanitizer.rows,
        false=Fraction(sanitizer.rows, 100),
        privacy=budget,
    )


def _sketches_checks() -> list[ClaimCheck]:
    """Return the checks of small classes, whose sketches can be enumerated as a table."""
    return [
        ClaimCheck(TOPIC, dimensions, (3, Fraction(2, 3), (2, 3))),
        ClaimCheck(TOPIC, larger, ("points:n=6", Fraction(1, 2), 2)),
        *(ClaimCheck(TOPIC, larger, ("intervals:n=4", Fraction(1, 2), m)) for m in (4, 5)),
        ClaimCheck(TOPIC, fitting, (("points:n=3", "thresholds:n=3"), Fraction(1, 2), 18)),
        ClaimCheck(TOPIC, mistakes, (("points:n=3", "thresholds:n=3"), Fraction(1, 2), 6)),
        ClaimCheck(TOPIC, errors, ("thresholds:n=4", Fraction(1, 2), 20)),
        ClaimCheck(TOPIC, needed, ("points:n=3", Fraction(1, 4), 16)),
        ClaimCheck(TOPIC, dimensions, (4, Fraction(1, 2), (3, 4)), slow=True),
        ClaimCheck(
            TOPIC, fitting, (("points:n=4", "intervals:n=3"), Fraction(1, 3), 18), slow=True
        ),
        ClaimCheck(
            TOPIC, mistakes, (("points:n=4", "intervals:n=3"), Fraction(1, 2), 8), slow=True
        ),
        ClaimCheck(TOPIC, errors, ("points:n=4", Fraction(1, 4), 100), slow=True),
    ]


def dimension_hypotheses(C: Table) -> dict[str, bool]:
    """Return whether trees and a shattered set of the dimensions exist."""
    return {
        "ldim": C.shattered_tree().depth == C.ldim(),
        "dual": C.dual().shattered_tree().depth == C.dual_ldim(),
        "vc": len(shattered_set(C)) == C.vcdim(),
    }


# ---- released


ROUNDED = Claim(
    "largest change of a share, all sets of points, by rounding weights to n rows",
    "|X|/(4n)",
    "<=",
    "learners.sanitizers.base",
    falsified="|X|/(5n)",
)
MISSED = Claim(
    "realizable sanitization error of HistogramSanitizer, all data sets and all noises",
    "2 t s/n",
    "<=",
    "learners.sanitizers.realizable",
    statements=("LWY25 Def E.1",),
    falsified="(2 t s - 1)/n",
)


FROM_ESTIMATES = Claim(
    "largest error of a data set whose shares are within alpha of estimates, which are within "
    "alpha of the true shares",
    "2 alpha",
    source="[LWY25, section 2.3]",
    statements=("LWY25 Sec 2.3, data sets",),
    falsified="alpha",
)


@recomputes(FROM_ESTIMATES)
def from_estimates(points: int, rows: int, alpha: Fraction) -> Iterator[Outcome]:
    """Check the error of data sets that are made from estimates [LWY25, section 2.3].

    Check all data sets of `rows` rows for the singletons, with all estimates on a grid.
    """
    C = Table(np.eye(points, dtype=np.uint8))
    every = [
        tuple(PointSample.counted(C.domain, dict(enumerate(counts))).frequencies(C))
        for counts in product(range(rows + 1), repeat=points)
        if sum(counts) == rows
    ]
    grid = [Fraction(i, 2 * rows) for i in range(2 * rows + 1)]

    def near(one: Sequence[Fraction], other: Sequence[Fraction]) -> bool:
        return all(abs(a - b) <= alpha for a, b in zip(one, other, strict=True))

    worst = Fraction(0)
    for estimates in product(grid, repeat=points):
        allowed = [shares for shares in every if near(shares, estimates)]
        for one, other in product(allowed, repeat=2):
            worst = max(worst, *(abs(a - b) for a, b in zip(one, other, strict=True)))
    yield compare(
        FROM_ESTIMATES,
        f"{points} singletons, n={rows}, alpha={alpha}",
        computed=worst,
        stated=2 * alpha,
        false=alpha,
        trivial=1,
    )


@recomputes(ROUNDED)
def rounded(points: int, largest: int, size: int) -> Iterator[Outcome]:
    """Check the change of a share by rounding weights to n rows.

    Check all weights up to a largest weight, with the class of all sets of points.
    """
    C = Table(list(product((0, 1), repeat=points)))
    worst = Fraction(0)
    for weights in product(range(largest + 1), repeat=points):
        if any(weights):
            data = SyntheticData(C.domain, weights, size)
            shares = zip(data.estimates(C), data.dataset().frequencies(C), strict=True)
            worst = max(worst, *(abs(exact - share) for exact, share in shares))
    yield compare(
        ROUNDED,
        f"|X|={points}, n={size}, weights 0..{largest}",
        computed=worst,
        stated=Fraction(points, 4 * size),
        false=Fraction(points, 5 * size),
    )


@recomputes(MISSED)
def missed(rows: int) -> Iterator[Outcome]:
    """Check the realizable error of `HistogramSanitizer` on all data sets.

    Check two points as concepts, with the exact distribution of the release on each data set.

    If there are 4t + 1 rows, one of two points always occurs more than 2t times. With 4t rows, both
    points may be missed, each on half of the data.
    """
    C = Table([[1, 0], [0, 1]])
    sanitizer = HistogramSanitizer(C, BoundedHistogram(Fraction(2), Fraction(1, 100)))
    worst = Fraction(0)
    for ones in range(rows + 1):
        sample = PointSample.counted(C.domain, {0: rows - ones, 1: ones})
        law = exact_distribution(partial(sanitizer.release, sample))
        worst = max(worst, *(realizable_error(released, C, sample) for released in law))
    yield compare(
        MISSED,
        f"2 points, n={rows}",
        computed=worst,
        stated=Fraction(sanitizer.missed, rows),
        false=Fraction(sanitizer.missed - 1, rows),
        privacy=sanitizer.privacy,
    )


def _released_checks() -> list[ClaimCheck]:
    """Return the checks of the smallest instances first."""
    return [
        ClaimCheck(TOPIC, rounded, (2, 6, 3)),
        ClaimCheck(TOPIC, rounded, (4, 3, 5)),
        ClaimCheck(TOPIC, from_estimates, (2, 4, Fraction(1, 4))),
        ClaimCheck(TOPIC, missed, (14,)),
        ClaimCheck(TOPIC, missed, (24,)),
        ClaimCheck(TOPIC, rounded, (5, 4, 7), slow=True),
    ]


def checks() -> list[ClaimCheck]:
    """Return the checks of the topic, part by part."""
    return [*_sketches_checks(), *_released_checks()]
