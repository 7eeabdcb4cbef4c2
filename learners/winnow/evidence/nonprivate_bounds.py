"""The mistakes of the non-private Winnow that [BF25, section 1.2] quotes."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, product

from flint import arb, ctx

from learners.balls import ball, log
from learners.claim_checks import Claim, ClaimCheck, Outcome, compare, recomputes
from learners.exact import PRECISION
from learners.playing.base.base_learner_names import decision_list_margin
from learners.playing.base.winnow import Winnow, winnow_bound
from learners.playing.features import Literals

MARGIN = Claim(
    "most mistakes of Winnow on disjunctions of k of d variables, all adversaries",
    "2 (2k - 1)^2 ln(2d + 2)",
    source="learners.playing.base.winnow: the margin of disjunctions is 1/(2k - 1)",
    statements=("BF25 Sec 1.2, Winnow",),
    falsified="half of it",
)
DISJUNCTIONS = Claim(
    "mistake bound of Winnow at the margin of disjunctions of k of d variables",
    "8 k^2 ln(2d + 2)",
    source="learners.playing.base.winnow",
    statements=("BF25 Sec 1.2, Winnow",),
    falsified="8 k ln(2d + 2)",
    drops="the power 2 of k, replaced by 1",
)
LISTS = Claim(
    "mistake bound of Winnow at the margin of lists of r rules with D alternations",
    "8 (r/D + 1)^(2D) ln(2d + 2)",
    source="learners.playing.base.winnow",
    statements=("BF25 Sec 1.2, Winnow",),
    falsified="8 (r/D + 1)^D ln(2d + 2)",
    drops="the power 2D of the length, replaced by D",
)


Disjunction = tuple[int, ...]
"""A disjunction, as the numbers of its variables."""


@recomputes(MARGIN)
def disjunctions(k: int, d: int) -> Iterator[Outcome]:
    """Check the largest number of mistakes of Winnow on disjunctions of k of d variables.

    The check searches for the longest run of mistakes that is consistent with some disjunction.
    """
    points, targets = list(product((0, 1), repeat=d)), list(combinations(range(d), k))
    consistent = True

    @cache
    def most(state: Winnow, left: frozenset[Disjunction]) -> int:
        nonlocal consistent
        consistent &= bool(left)
        found = 0
        for x in points:
            y = 1 - state.predict(x)
            if rest := frozenset(each for each in left if _label(each, x) == y):
                found = max(found, 1 + most(state.observe(x, y), rest))
        return found

    margin = min(_margin(each, x) for each, x in product(targets, points))
    found = most(Winnow(Literals(d), margin, bias=True), frozenset(targets))
    with ctx.workprec(PRECISION):
        stated = 2 * (2 * k - 1) ** 2 * log(2 * d + 2)
        yield compare(
            MARGIN,
            f"k={k}, d={d}",
            computed=found,
            stated=stated,
            false=stated / 2,
            hypotheses={"the labels are those of a concept of the class": consistent},
        )


def _label(target: Disjunction, x: tuple[int, ...]) -> int:
    return int(any(x[i] for i in target))


def _margin(target: Disjunction, x: tuple[int, ...]) -> Fraction:
    """Return the margin with equal weights on the k variables, and k - 1 times one of them as bias.

    The weights add up to 2k - 1.
    """
    k = len(target)
    value = sum(2 * x[i] - 1 for i in target) + k - 1
    return Fraction((2 * _label(target, x) - 1) * value, 2 * k - 1)


def _size(d: int) -> arb:
    """Return 8 ln(2d + 2)."""
    return 8 * log(2 * d + 2)


@recomputes(DISJUNCTIONS)
def disjunction_rate(k: int, d: int) -> Iterator[Outcome]:
    """Check that the mistake bound for disjunctions is at most 8 k^2 ln(2d + 2).

    The check computes the mistake bound of Winnow for many variables.
    """
    with ctx.workprec(PRECISION):
        yield compare(
            DISJUNCTIONS,
            f"k={k}, d={d}",
            computed=winnow_bound(2 * d + 2, Fraction(1, 2 * k - 1)),
            stated=k**2 * _size(d),
            false=k * _size(d),
        )


@recomputes(LISTS)
def list_rate(rules: int, alternations: int, d: int) -> Iterator[Outcome]:
    """Check that the mistake bound for lists is at most 8 (r/D + 1)^(2D) ln(2d + 2).

    The check computes the mistake bound of Winnow for many variables. D = r is the case without a
    bound on alternations.
    """
    base = ball(Fraction(rules, alternations) + 1)
    with ctx.workprec(PRECISION):
        yield compare(
            LISTS,
            f"r={rules}, D={alternations}, d={d}",
            computed=winnow_bound(2 * d + 2, decision_list_margin(rules, alternations)),
            stated=base ** (2 * alternations) * _size(d),
            false=base**alternations * _size(d),
        )


def checks(topic: str) -> list[ClaimCheck]:
    """Return the checks: a search on few variables, and the bounds for many variables."""
    return [
        *(ClaimCheck(topic, disjunctions, (1, d)) for d in (4, 2)),
        ClaimCheck(topic, disjunctions, (2, 3)),
        *(ClaimCheck(topic, disjunction_rate, (k, 1000)) for k in (4, 16)),
        *(ClaimCheck(topic, list_rate, (*given, 1000)) for given in ((4, 1), (6, 2), (5, 5))),
    ]
