"""Secret samples of the rows, on which a private mechanism is more private for the whole table.

A mechanism runs on a share q of the rows that the coins choose, and the choice stays secret. Let
the mechanism be (t, 0)-DP for all orders of rows in either table. (Samples come in rising order, so
a row may move when another row takes its place.) Then the mechanism on the sample is (epsilon,
0)-DP for the table, with e^epsilon = 1 + q (e^t - 1), in two cases:

* **replace-one**, if k of the n rows are chosen without replacement, q = k/n, and n is public
* **add/remove**, if every row is chosen by an independent coin of the public probability q

*Proof, replace-one.* Fix the row that is replaced. The output distribution is
P = (1 - q) P0 + q P1, where P1 is the distribution given that the row is chosen. For the neighbour,
P' = (1 - q) P0 + q P1', since samples without the row are the same. P1 <= e^t P1', because a sample
with the row has a neighbour with its replacement. For P1 <= e^t P0, take a uniform sample with the
row, and replace the row by a uniform row outside the sample. The result is a uniform sample without
the row, and a neighbour. (If k = n then q = 1, and the claim is trivial.) With N = min(P0, P1'),
for any set of outputs, P1 - P1' <= e^t N - P1' <= (e^t - 1) N, and N <= P' because P' is an average
of P0 and P1'. So P - P' = q (P1 - P1') <= q (e^t - 1) P'.

*Proof, add/remove.* Let P be the output distribution with the row and P0 the distribution without
the row. Then P = (1 - q) P0 + q P1, where P1 is the distribution given that the row is chosen.
Since the other choices are the same and the two samples are neighbours, e^-t P0 <= P1 <= e^t P0. So
P <= (1 + q (e^t - 1)) P0, and P0 <= P/(1 - q + q e^-t). With X = 1 or e^-t, of probabilities 1 - q
and q, Jensen's inequality gives 1/E[X] <= E[1/X] = 1 + q (e^t - 1).

The proofs need the sample to be secret, and to be drawn again for each release. A bounded range
does not carry over to the whole table. A sample gives a pure guarantee only.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

import numpy as np
from flint import arb

from learners.balls import ball, rational_below
from learners.checked import Epsilon
from learners.coins import Coins
from lsclasses.options import Option, check_arguments

DENOMINATOR = 1 << 40
"""The epsilon on a sample is rounded down to a fraction with this denominator."""


@check_arguments
def epsilon_on_sample(
    epsilon: Epsilon, share: Annotated[Fraction, Option("share of the rows", above=0, maximum=1)]
) -> Fraction:
    """Return the epsilon that a mechanism may spend on a secret random sample, rounded down.

    Parameters
    ----------
    epsilon : Fraction
        Epsilon of the whole table.
    share : Fraction
        Share q of the rows, from 0 (excluded) to 1.

    Raises
    ------
    InvalidInput
        If epsilon is not positive, the share is out of range, or one of them is a float.

    Examples
    --------
    >>> round(float(epsilon_on_sample(Fraction(1), Fraction(1, 10))), 4)
    2.9005
    >>> epsilon_on_sample(Fraction(1), Fraction(1))
    Fraction(1, 1)
    """
    if share == 1:
        return epsilon
    return rational_below(lambda: _log_odds(epsilon, share), DENOMINATOR)


def _log_odds(epsilon: Fraction, share: Fraction) -> arb:
    return (ball(epsilon).expm1() / ball(share) + 1).log()


def uniform_sample(rows: int, size: int, coins: Coins) -> np.ndarray:
    """Return a uniformly random set of `size` rows, **secret**, in increasing order.

    Examples
    --------
    >>> from learners.coins import SeededCoins
    >>> uniform_sample(10, 4, SeededCoins(1)).tolist()
    [3, 6, 7, 9]
    """
    return np.sort(np.array(coins.places(size, rows), dtype=np.intp))


def poisson_sample(rows: int, share: Fraction, coins: Coins) -> np.ndarray:
    """Return a Poisson sample of the rows, **secret**, in increasing order: one coin for each row.

    Examples
    --------
    >>> from learners.coins import SeededCoins
    >>> poisson_sample(10, Fraction(1, 3), SeededCoins(1)).tolist()
    [3, 5, 6]
    """
    return np.flatnonzero([coins.flip(share) for _ in range(rows)])
