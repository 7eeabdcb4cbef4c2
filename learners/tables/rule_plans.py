"""Plans for learning rules from a table: conditions, depth, sample and score, from public numbers.

The public numbers are epsilon and the numbers of rows (for add/remove, the declared number of
rows), columns, features and conditions.
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
"""Share of epsilon for a score, if there are many rows."""

TOLERANCE = Fraction(1, 200)
"""Default share of the rows by which rules with a score must be better than rules without a score,
approximately."""

DISAGREEMENT = Fraction(1, 10)
"""Assumed share of rows on which rules with a score and rules without a score disagree."""

SURELY = Fraction(32, 25)
"""The quantile of 9/10 of the normal distribution, in standard deviations."""

MANY = 10_000
"""Least number of rows times epsilon for which a score is worth its cost."""

RANGES_UP_TO = 400
"""Largest number of conditions, including ranges, for which ranges are used as conditions."""

DEEP_CONDITIONS = 512
"""Largest number of conditions for which trees have a depth of more than 2."""

DEEP_WORK = 6 * 10**10
"""Approximate largest number of multiplications for counting three features together."""

LEAST_SAMPLE = 5000
"""Least number of sampled rows. If the sample would be smaller, trees have depth 2 and use all
rows."""


def public_rows(counted: int | None, declared: int | None, neighbours: str) -> int | None:
    """Return the public number of rows: the true one, or the declared one for add/remove.

    Parameters
    ----------
    counted : int or None
        Counted number of rows. None before the rows were counted.
    declared : int or None
        Declared number of rows, which is positive.
    neighbours : str
        Neighbour relation of the guarantee.

    Raises
    ------
    InvalidInput
        If a number is declared although rows are replaced, because it would not be used.

    Examples
    --------
    >>> public_rows(240, None, "replace_one"), public_rows(240, 3000, "add_remove")
    (240, 3000)
    """
    if declared is None:
        return counted if neighbours == "replace_one" else None
    if neighbours == "replace_one":
        raise InvalidInput(
            "If rows are replaced, their number is public and counted, so it must not be declared. "
            f"Got {declared}. Leave it out, or protect the number of rows by add_remove."
        )
    return checked.positive(declared, "number of rows")


def best_share(rows: int | None, epsilon: Fraction) -> Fraction:
    """Return the share of epsilon that `learn best` spends on a score, from public numbers.

    Parameters
    ----------
    rows : int or None
        Number of rows. For add/remove, the declared number, or None.
    epsilon : Fraction
        Privacy cost of the release.

    Examples
    --------
    >>> [str(best_share(rows, Fraction(1))) for rows in (5000, 20_000, None)]
    ['0', '3/10', '0']
    """
    return BEST_SHARE if rows is not None and rows * epsilon >= MANY else Fraction(0)


def score_price(rows: int | None, tolerance: Fraction) -> int:
    """Return the number of rows by which a score must be better than conditions without it.

    The tolerance is the share by which a score must be better on fresh rows. Consider two rules
    that are equally good on fresh rows and disagree on a share q of them. On n training rows, they
    differ by chance, with standard deviation sqrt(q n). So the function adds the normal quantile of
    9/10 of this difference, for q = 1/10. The private choice adds a few rows over epsilon, which is
    less than the tolerance for all inputs for which `best_share` pays for a score. A tolerance of 0
    gives no preference.

    Parameters
    ----------
    rows : int or None
        Number of training rows. None if this number is not public.
    tolerance : Fraction
        Share of the rows.

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
        Conditions of the rules.
    depth : int
        Depth of the tree of rules.
    sample : int or None
        Number of rows that are sampled in secret from `rows` rows. None for all rows.
    rows : int or None
        Number of rows, or None if it is secret.
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
    them. Trees have depth 3 if the counts of three features together take a few seconds at most,
    for all rows or else for a sample of at least 5000 rows. Otherwise trees have depth 2 and use
    all rows.

    Parameters
    ----------
    columns : FixedColumns
        Columns that the rules use, with fixed bins.
    rows : int or None
        Number of rows. None if this number is not public.
    score : bool
        Whether conditions may use a score.
    depth : int, optional
        Depth to use instead.

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
