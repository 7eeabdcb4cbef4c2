"""Instances of the claims about global stability: classes, targets and distributions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from typing import NamedTuple

import catalog
from learners.pac.distributions import FiniteDistribution
from learners.pac.tournaments import Level, Tournaments
from lsclasses.soa import SOA
from lsclasses.table import Table

ROWS = [[i >> j & 1 for j in range(3)] for i in range(8)]

Weights = tuple[tuple[int, ...], ...]

FEW: Weights = ((1, 1, 1), (1, 0, 3), (2, 1, 1))
"""Integer weights of three points, for several distributions."""
ALL: Weights = tuple(w for w in product(range(5), repeat=3) if sum(w) == 4)


class Case(NamedTuple):
    """A class, its learner, and a realizable distribution."""

    base: SOA
    d: int
    distribution: FiniteDistribution


@cache
def classes(dimensions: tuple[int, ...], every: int) -> tuple[Table, ...]:
    """Return all classes on three points of some dimensions, or every `every`-th of them."""
    tables = (Table([row for i, row in enumerate(ROWS) if code >> i & 1]) for code in range(1, 256))
    return tuple(C for C in tables if C.ldim() in dimensions)[::every]


def cases(
    dimensions: tuple[int, ...], weights: Sequence[tuple[int, ...]], every: int = 1
) -> Iterator[Case]:
    """Yield all concepts of the classes as targets, for some distributions of the points."""
    for C in classes(dimensions, every):
        base = SOA(C)
        for target in C:
            for each in weights:
                shares = {x: Fraction(w, sum(each)) for x, w in enumerate(each) if w}
                yield Case(base, C.ldim(), FiniteDistribution.labelled(target, shares))


def thresholds() -> Case:
    """Return the case whose target is the threshold x >= 3 on seven uniform points."""
    C = catalog.build("thresholds:n=7")
    return Case(SOA(C), 3, FiniteDistribution.labelled(C.given([(3, 1), (2, 0)]).soa()))


def points() -> Case:
    """Return the case whose target is one of nine points, which has half of the mass."""
    C = catalog.build("points:n=9")
    weights = {x: Fraction(1, 16) for x in range(9)} | {4: Fraction(1, 2)}
    return Case(SOA(C), 1, FiniteDistribution.labelled(C.restrict(4, 1).soa(), weights))


def flats() -> Case:
    """Return the case of a line of GF(7)^2 and a point outside, which needs one tournament."""
    C = catalog.build("affine:q=7,n=2,k=1")
    line = [(0, i) for i in range(7)]
    weights = {x: Fraction(13, 175) for x in line} | {(3, 3): Fraction(12, 25)}
    target = C.given([(line[0], 1), (line[1], 1)]).soa()
    return Case(SOA(C), 2, FiniteDistribution.labelled(target, weights))


def rare(weights: Mapping[int, Fraction]) -> Case:
    """Return the case of one or two of nine points with their weights, and a point outside."""
    size = len(weights)
    C = catalog.build("points:n=9" if size == 1 else f"subsets:n=9,k={size}")
    target = C.given([(x, 1) for x in weights]).soa()
    shares = {**weights, 8: 1 - sum(weights.values())}
    return Case(SOA(C), size, FiniteDistribution.labelled(target, shares))


def single() -> Case:
    """Return the case of one of nine points that eight rows miss with probability about 1/2.

    The probability is slightly above 1/2.
    """
    return rare({4: Fraction(829, 10**4)})


def double() -> Case:
    """Return the case of two of nine points that eight rows miss with probability about 1/4.

    The probability is slightly above 1/4.
    """
    return rare({0: Fraction(79, 1000), 1: Fraction(79, 1000)})


def opposite() -> Case:
    """Return the case of two concepts that three rows distinguish with probability about 1/4."""
    C = Table([[0, 0, 0], [1, 1, 0]])
    return Case(
        SOA(C),
        1,
        FiniteDistribution.labelled(C[1], {1: Fraction(9, 100), 2: Fraction(91, 100)}),
    )


def scattered() -> Case:
    """Return the case of a class of dimension 2 where G spreads outputs over many hypotheses."""
    rows = ("00001", "00111", "01001", "10001", "10111", "11011", "11110")
    C = Table([list(map(int, row)) for row in rows])
    weights = {1: Fraction(3, 41), 3: Fraction(8, 41), 4: Fraction(30, 41)}
    return Case(SOA(C), 2, FiniteDistribution.labelled(C[5], weights))


CASES = {
    "7 thresholds": thresholds,
    "9 points": points,
    "lines of GF(7)^2": flats,
    "one of 9 points": single,
    "two of 9 points": double,
    "two concepts": opposite,
    "7 concepts on 5 points, Ldim 2": scattered,
}
INSTANCES = (("lines of GF(7)^2", 2), ("7 thresholds", 1), ("9 points", 1))
"""Instances with an auxiliary sample size n."""
LARGER = (
    ("one of 9 points", 8),
    ("two of 9 points", 8),
    ("two concepts", 3),
    ("7 concepts on 5 points, Ldim 2", 3),
)
"""Instances with n > d."""


def chosen(
    where: str | Weights, dimensions: tuple[int, ...], n: int, every: int = 1
) -> tuple[str, Iterator[Case]]:
    """Return a case by its name, or classes on three points, with a description."""
    if isinstance(where, str):
        return f"{where}, n={n}", iter([CASES[where]()])
    bound = ", ".join(map(str, dimensions))
    name = f"{few(every)}, Ldim {bound}, all targets, {len(where)} distributions, n={n}"
    return name, cases(dimensions, where, every)


def few(every: int) -> str:
    """Return the description of the classes."""
    return "all classes on 3 points" if every == 1 else f"one in {every} classes on 3 points"


def realizable(base: SOA, distribution: FiniteDistribution) -> bool:
    """Return whether some concept is consistent with all examples of positive probability."""
    state = base
    for x, y in distribution.counts:
        state = state.observe(x, y)
    return state.realizable


def stays_below(found: Tournaments, levels: Sequence[Level]) -> bool:
    """Return whether the distributions of these levels are defined [BLM20, section 4]."""
    return all(
        before.largest < found.threshold for level in levels for before in found.levels[: level.k]
    )
