r"""Which sets of concepts a distribution on the points can describe, found by search.

A distribution w describes the set of the concepts h with w(h) >= theta. `described` labels one
concept after the other and leaves out what no distribution describes, so that its work grows with
the number of these sets and not with that of the ways to choose points.

**Nothing that is described is missing.** A partial labelling, 1 on I and 0 on O, is left out only
if it says that h is in the set and h' is not, where h' is 1 wherever h is (then w(h') >= w(h)), or
if there are nonnegative integers k, one a labelled concept, with

    max over points x of (sum_I k_h h(x) - sum_O k_h h(x))  <  theta (sum_I k_h - sum_O k_h).

*Proof.* If w describes such a set, sum_I k_h (w(h) - theta) + sum_O k_h (theta - w(h)) >= 0. But
that is the mean under w of the left side, less the right side, which is negative. QED If some k_h
with h in O is positive, the sum is positive, as w(h) < theta; then <= is enough.

The numbers come from a linear program in floating point and are rounded; the inequality is checked
in integers. Where that fails the labelling stays, so there may be sets that nothing describes: a
learner of all these sets is right all the same.
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
"""How many sets, and partial labellings, there may be: each takes a linear program."""
UNIT = 1 << 40
"""The numbers of a proof are multiples of 1/UNIT, rounded."""


@dataclass(frozen=True)
class _Partial:
    """Labels of the first concepts, and a distribution that roughly describes them."""

    labels: tuple[int, ...]
    witness: np.ndarray


def described(of: Table, threshold: Fraction) -> Table:
    """The class of all sets of concepts with share at least `threshold` under a distribution.

    Parameters
    ----------
    of : Table
    threshold : Fraction
        theta.

    Returns
    -------
    Table
        The sets, as a class on the concepts; perhaps with others that nothing describes.

    Raises
    ------
    TooLarge
        If there are more than 2^11.

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
                f"the first {place + 1} of {len(rows)} concepts, and each set is looked for. Take "
                "a larger alpha or a smaller class, or cut the estimates of a sanitizer "
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
    """A distribution that describes a labelling as well as any; None if provably none does."""
    last, side = rows[-1], labels[-1]
    others = rows[:-1][labels[:-1] != side]
    # The last concept is in the set and a larger one is not, or the other way round.
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
    """Whether these integers prove that no distribution describes a labelling; see the module."""
    if min(weights) < 0 or not any(weights):
        return False
    signed = [k if label else -k for k, label in zip(weights, labels.tolist(), strict=True)]
    most = max(
        sum(k for k, bit in zip(signed, column, strict=True) if bit) for column in rows.T.tolist()
    )
    return most < threshold * sum(signed) or (min(signed) < 0 and most == threshold * sum(signed))
