"""Mistakes on streams on which the best concept errs a few times [KMMNS23, Thm F.1]."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from math import comb

import catalog
from learners.claim_checks import Claim, ClaimCheck, Outcome, compare, recomputes
from learners.playing.base.soa_experts import SOAExperts, experts_bound
from lsclasses.table import Table

MISTAKES = Claim(
    "mistakes on the worst stream",
    "the largest n with 2^n <= C(n, <=d) C(n, <=M)",
    "<=",
    "learners.playing.base.soa_experts, for [KMMNS23, Thm F.1]",
    statements=("KMMNS23 Thm F.1",),
    falsified="half of this number",
)
RATE = Claim(
    "the largest n with 2^n <= C(n, <=d) C(n, <=M), the proved number of mistakes",
    "91/10 max(d, M), which is O(M + d ln T)",
    "<=",
    "learners.playing.base.soa_experts, for [KMMNS23, Thm F.1]",
    statements=("KMMNS23 Thm F.1",),
    falsified="half of this number",
)
REALIZABLE = Claim(
    "mistakes on the worst stream, M = 0",
    "Ldim",
    "==",
    "learners.playing.base.soa_experts",
    falsified="Ldim + 1",
)


def longest_run(C: Table, errors: int) -> tuple[int, int]:
    """Return the most mistakes of `SOAExperts`, and the most errors of the best concept.

    Some concept errs at most `errors` times.

    Streams of mistakes are the worst case of a learner that changes on mistakes only. So an
    adversary presents points and denies every prediction while some concept has errors left.
    """
    concepts, points, optimum = list(C), list(C.domain), 0

    @cache
    def longest(state: SOAExperts, spent: tuple[int, ...]) -> int:
        nonlocal optimum
        best, optimum = 0, max(optimum, min(spent))
        for x in points:
            y = 1 - state.predict(x)
            after = tuple(s + (c(x) != y) for s, c in zip(spent, concepts, strict=True))
            if min(after) <= errors:
                # Beyond the limit it does not matter by how much.
                capped = tuple(min(s, errors + 1) for s in after)
                best = max(best, 1 + longest(state.observe(x, y), capped))
        return best

    return longest(SOAExperts(C, errors), (0,) * len(concepts)), optimum


@recomputes(REALIZABLE)
def realizable(spec: str) -> Iterator[Outcome]:
    """Check that `SOAExperts` makes Ldim mistakes at worst against realizable adversaries."""
    C = catalog.build(spec).to_table()
    found, d = longest_run(C, 0)[0], C.ldim()
    yield compare(REALIZABLE, spec, computed=found, stated=d, false=d + 1)


@recomputes(MISTAKES)
def worst_streams(spec: str, errors: int) -> Iterator[Outcome]:
    """Check the mistake bound of `SOAExperts` for streams on which the best concept errs."""
    C = catalog.build(spec).to_table()
    (found, optimum), stated = longest_run(C, errors), experts_bound(C.ldim(), errors)
    yield compare(
        MISTAKES,
        f"{spec}, M={errors}",
        computed=found,
        stated=stated,
        false=Fraction(stated, 2),
        hypotheses={"some concept errs at most M* times": optimum <= errors},
    )


def longest_by_definition(d: int, errors: int) -> int:
    """Return the largest n with 2^n <= C(n, <=d) C(n, <=errors), from sums of binomials.

    C(n, <=u) <= (e n/u)^u, so for u = max(d, errors) and n >= 10 u the product is at most
    (e n/u)^(2u), which is less than 2^n. So no n above 10 u is a solution.
    """

    def subsets(n: int, most: int) -> int:
        return sum(comb(n, j) for j in range(most + 1))

    longest = range(10 * max(d, errors) + 1)
    return max(n for n in longest if 2**n <= subsets(n, d) * subsets(n, errors))


@recomputes(RATE)
def linear_growth(largest: int) -> Iterator[Outcome]:
    """Check that the proved number of mistakes is linear in d, for M = d and powers of 2."""
    for u in (1 << i for i in range(largest + 1)):
        yield compare(
            RATE,
            f"d = M = {u}",
            computed=longest_by_definition(u, u),
            stated=Fraction(91, 10) * u,
            false=Fraction(91, 20) * u,
        )


def checks() -> list[ClaimCheck]:
    """Return the checks: small classes, and up to two errors."""
    specs = ("points:n=3", "thresholds:n=3", "cube:n=2", "affine:q=2,n=2,k=1")
    return [
        ClaimCheck("experts", linear_growth, (6,)),
        *(ClaimCheck("experts", realizable, (spec,)) for spec in specs),
        *(
            ClaimCheck("experts", worst_streams, (spec, errors))
            for spec in specs
            for errors in (1, 2)
        ),
    ]
