"""Mistakes on streams on which the best concept errs a few times [KMMNS23, Thm F.1]."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache

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
    """Check the claim on all realizable adversaries on a small class."""
    C = catalog.build(spec).to_table()
    found, d = longest_run(C, 0)[0], C.ldim()
    yield compare(REALIZABLE, spec, computed=found, stated=d, false=d + 1)


@recomputes(MISTAKES)
def worst_streams(spec: str, errors: int) -> Iterator[Outcome]:
    """Check the claim on all adaptive adversaries on a small class."""
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


def checks() -> list[ClaimCheck]:
    """Return the checks: small classes, and up to two errors."""
    specs = ("points:n=3", "thresholds:n=3", "cube:n=2", "affine:q=2,n=2,k=1")
    return [
        *(ClaimCheck("experts", realizable, (spec,)) for spec in specs),
        *(
            ClaimCheck("experts", worst_streams, (spec, errors))
            for spec in specs
            for errors in (1, 2)
        ),
    ]
