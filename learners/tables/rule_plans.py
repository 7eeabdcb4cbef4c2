"""How a table is learned from by rules, from public numbers only: conditions, depth, sample, score.

Public are how many rows there are (for add/remove, how many are declared), how many columns,
features and conditions, and epsilon.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import isqrt

from learners import checked
from learners.rules.gibbs_tree import DEEPEST
from learners.rules.trees import Conditions
from learners.tables.columns import FixedColumns
from learners.tables.rule_models import feature_conditions
from lsclasses.errors import InvalidInput

BEST_SHARE = Fraction(3, 10)
"""The share of epsilon that a score gets, where rows are many."""

TOLERANCE = Fraction(1, 200)
"""A score is asked where it is right on more than about this share of the rows in addition."""

DISAGREEMENT = Fraction(1, 10)
"""The share of rows on which rules with a score and without it are taken to disagree."""

SURELY = Fraction(32, 25)
"""A normal variable is at most this many standard deviations above its mean in 9 of 10 cases."""

MANY = 10_000
"""From this number of rows times epsilon on, a score is worth its price."""

RANGES_UP_TO = 400
"""Ranges are conditions as long as there are no more conditions than this."""

DEEP_CONDITIONS = 512
"""With more conditions, trees have depth 2."""

DEEP_WORK = 6 * 10**10
"""About how many multiplications counting three features together may take."""

LEAST_SAMPLE = 5000
"""A smaller sample is not taken of more rows: then trees have depth 2."""


def public_rows(counted: int | None, declared: int | None, neighbours: str) -> int | None:
    """Return the public number of rows: counted, or declared under add/remove.

    Parameters
    ----------
    counted : int or None
        None before the rows were counted.
    declared : int or None
        Positive.
    neighbours : str

    Raises
    ------
    InvalidInput
        If a number is declared where rows are replaced: it would not be used.

    Examples
    --------
    >>> public_rows(240, None, "replace_one"), public_rows(240, 3000, "add_remove")
    (240, 3000)
    """
    if declared is None:
        return counted if neighbours == "replace_one" else None
    if neighbours == "replace_one":
        raise InvalidInput(
            "Where rows are replaced, their number is public and counted; it is not declared. "
            f"Got {declared}: leave it out, or protect the number of rows by add_remove."
        )
    return checked.positive(declared, "number of rows")


def best_share(rows: int | None, epsilon: Fraction) -> Fraction:
    """Return the share of epsilon that `learn best` spends on a score, from public numbers.

    Parameters
    ----------
    rows : int or None
        How many rows there are; for add/remove, how many were declared, or None.
    epsilon : Fraction

    Examples
    --------
    >>> [str(best_share(rows, Fraction(1))) for rows in (5000, 20_000, None)]
    ['0', '3/10', '0']
    """
    return BEST_SHARE if rows is not None and rows * epsilon >= MANY else Fraction(0)


def score_price(rows: int | None, tolerance: Fraction) -> int:
    """On how many rows more a score must be right, from public numbers.

    The tolerance says by how much a score must be better on fresh rows. On n rows that are learned
    from, two rules that are equally good on fresh rows and disagree on a share q of them differ by
    chance, with standard deviation sqrt(q n); so the normal quantile of 9/10 of that, for q = 1/10,
    is added. What the private choice adds, a few rows over epsilon, is less than the tolerance
    wherever `best_share` pays for a score. A tolerance of 0 prefers nothing.

    Parameters
    ----------
    rows : int or None
        How many rows are learned from, None if that is not public.
    tolerance : Fraction
        A share of the rows.

    Examples
    --------
    >>> [score_price(rows, Fraction(1, 200)) for rows in (5000, 20_000, 500_000)]
    [53, 157, 2786]
    >>> score_price(5000, Fraction(0)), score_price(None, Fraction(1, 200))
    (0, 0)
    """
    if rows is None or not tolerance:
        return 0
    return int(tolerance * rows) + isqrt(int(SURELY**2 * DISAGREEMENT * rows))


@dataclass(frozen=True)
class RulePlan:
    """The conditions and depth of trees, and the size of the sample.

    Attributes
    ----------
    conditions : Conditions
    depth : int
    sample : int or None
        How many of `rows` rows are sampled in secret; None for all.
    rows : int or None
    """

    conditions: Conditions
    depth: int
    sample: int | None
    rows: int | None


def plan(
    columns: FixedColumns,
    rows: int | None,
    *,
    score: bool = False,
    depth: int | None = None,
) -> RulePlan:
    """Choose conditions, depth and sample size from public numbers.

    Ranges of columns with cut points are conditions if there are no more than 400 conditions with
    them. Trees have depth 3 if the counts of three features together take some seconds at most, for
    all rows or else for a sample of at least 5000; otherwise depth 2, of all rows.

    Parameters
    ----------
    columns : FixedColumns
    rows : int or None
        How many rows there are, None if that is not public.
    score : bool
        Whether there is a score to ask.
    depth : int, optional
        Another depth.

    Examples
    --------
    >>> from learners.tables.columns import Cuts
    >>> columns = FixedColumns(("age",), (Cuts.steps(0, 100, 300),))
    >>> found = plan(columns, 10**6)
    >>> found.depth, found.sample, len(found.conditions)
    (3, 13333, 300)
    """
    pairs = sum(column.rising * (column.rising - 1) // 2 for column in columns.columns)
    ranges = columns.count + pairs <= RANGES_UP_TO
    conditions = feature_conditions(columns, ranges=ranges, score=score)
    work = conditions.features**3 // 6
    most = max(DEEP_WORK // max(work, 1), 1)
    if depth is None:
        few = rows is not None and most < min(rows, LEAST_SAMPLE)
        shallow = len(conditions) > DEEP_CONDITIONS or few
        depth = 2 if shallow or (rows is None and most < LEAST_SAMPLE) else DEEPEST
    sampled = depth == DEEPEST and rows is not None and most < rows
    return RulePlan(conditions, depth, most if sampled else None, rows if sampled else None)
