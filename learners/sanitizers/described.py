r"""Sets of concepts that a distribution on the points can describe, found by search.

A distribution w describes the set of the concepts h with w(h) >= theta. `described` labels one
concept after the other and leaves out labellings that no distribution describes. So its work grows
with the number of these sets and not with the number of ways to choose points.

**No described set is missing.** A partial labelling, 1 on I and 0 on O, is left out only in two
cases. In the first case, it puts h into the set and not h', although h' is 1 on all points on which
h is 1 (then w(h') >= w(h)). In the second case, there are nonnegative integers k, one for each
labelled concept, with

    max over points x of (sum_I k_h h(x) - sum_O k_h h(x))  <  theta (sum_I k_h - sum_O k_h).

*Proof.* If w describes such a set, sum_I k_h (w(h) - theta) + sum_O k_h (theta - w(h)) >= 0. But
this sum is the mean under w of the left side, less the right side, which is negative. QED If some
k_h with h in O is positive, the sum is positive, as w(h) < theta. Then <= is enough.

A linear program in floating point finds the numbers, and they are rounded. The inequality is
checked in integers. If the check fails, the labelling stays, so the result may contain sets that no
distribution describes. A learner of all these sets is still correct.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from scipy.optimize import linprog

from lsclasses.errors import TooLarge
from lsclasses.limits import tick
from lsclasses.table import Table

MOST_DESCRIBED = 1 << 11
"""Largest number of sets and of partial labellings. Each of them needs a linear program."""
UNIT = 1 << 40
"""Denominator of the rounded numbers of a proof."""


@dataclass(frozen=True)
class _Partial:
    """Labels of the first concepts, and a distribution that approximately describes them."""

    labels: tuple[int, ...]
    witness: np.ndarray


def described(of: Table, threshold: Fraction) -> Table:
    """Return the class of all sets of concepts that some distribution describes.

    A distribution on the points describes the set of all concepts with share at least `threshold`.

    Parameters
    ----------
    of : Table
        Class of the sanitizer.
    threshold : Fraction
        Least share theta of a described concept.

    Returns
    -------
    Table
        Sets, as a class on the concepts. It may contain further sets that no distribution
        describes.

    Raises
    ------
    TooLarge
        If there are more than 2^11 sets.

    Examples
    --------
    >>> C = Table([[1, 0, 0], [0, 1, 0], [0, 0, 1]])
    >>> len(described(C, Fraction(1, 4))), len(described(C, Fraction(2, 5)))
    (7, 7)
    """
    dual = of.dual()
    rows = dual.labels.T.astype(np.int64)
    start = np.full(len(dual), 1 / len(dual))
    found = [_Partial((), start)]
    for place in range(len(rows)):
        found = [after for each in found for after in _labelled(rows, place, each, threshold)]
        if len(found) > MOST_DESCRIBED:
            raise TooLarge(
                f"Distributions on {len(dual)} points describe more than {MOST_DESCRIBED} sets of "
                f"the first {place + 1} of {len(rows)} concepts, and the search finds each set. "
                "Use a larger alpha or a smaller class, or cut the estimates of a sanitizer "
                "(CutSanitizer).",
                limit=MOST_DESCRIBED,
            )
        tick()
    return Table([each.labels for each in found], domain=dual.domain)


def _labelled(
    rows: np.ndarray, place: int, partial: _Partial, threshold: Fraction
) -> list[_Partial]:
    """Return the labellings of one more concept that are not excluded."""
    usual = int(rows[place] @ partial.witness >= float(threshold))
    found = [_Partial((*partial.labels, usual), partial.witness)]
    other = (*partial.labels, 1 - usual)
    witness = _witness(rows[: place + 1], np.array(other), threshold)
    if witness is not None:
        found.append(_Partial(other, witness))
    return found


def _witness(rows: np.ndarray, labels: np.ndarray, threshold: Fraction) -> np.ndarray | None:
    """Return a distribution that best describes a labelling. None if provably none describes it."""
    last, side = rows[-1], labels[-1]
    others = rows[:-1][labels[:-1] != side]
    # The last concept is in the set and a larger concept is not, or vice versa.
    if np.any(np.all(others >= last if side else others <= last, axis=1)):
        return None
    signs, points = 2 * labels - 1, rows.shape[1]
    # The largest t with signs (w(h) - theta) >= t.
    solved = linprog(
        np.append(np.zeros(points), -1.0),
        A_ub=np.column_stack([-signs[:, None] * rows, np.ones(len(rows))]),
        b_ub=-signs * float(threshold),
        A_eq=np.append(np.ones(points), 0.0)[None, :],
        b_eq=[1.0],
        bounds=[(0, None)] * points + [(None, None)],
        method="highs",
    )
    if solved.status != 0:
        return np.full(points, 1 / points)
    weights = np.rint(-solved.ineqlin.marginals * UNIT).astype(np.int64)
    proved = impossible(rows, labels, weights.tolist(), threshold)
    return None if proved else np.asarray(solved.x[:-1])


def impossible(
    rows: np.ndarray, labels: np.ndarray, weights: list[int], threshold: Fraction
) -> bool:
    """Return whether given integers prove that no distribution describes a labelling.

    The module's docstring states the inequality.
    """
    if min(weights) < 0 or not any(weights):
        return False
    signed = [k if label else -k for k, label in zip(weights, labels.tolist(), strict=True)]
    most = max(
        sum(k for k, bit in zip(signed, column, strict=True) if bit) for column in rows.T.tolist()
    )
    return most < threshold * sum(signed) or (min(signed) < 0 and most == threshold * sum(signed))
