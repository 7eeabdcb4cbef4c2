r"""The factor between the scores and the log-odds of a private logistic regression.

The regularisation moves the weights towards 0, so the scores are too close to 0. The noise moves
the scores away from 0. `sharpening` estimates the factor T that corrects both errors, from the
released weights and from public numbers. The probability of label 1 is the logistic function of T
times the score. A positive factor changes neither the order of the scores nor their signs, so it
changes neither labels nor the area under the ROC curve.

**Privacy.** T is a function of the released weights, of the parameters of the mechanism, of the
declared columns and of a public number of rows. So the pair of the weights and T is post-processing
of the weights, and it has the privacy guarantee of the weights, for every rule of this form.

**Rule.** The rule is a heuristic, and no theorem bounds its error. Suppose that the entries are
independent and uniform on the cells of their columns. Let v_j be the variance of feature j in the
cells of its column, and n the number of rows. Let H be the largest slope of the interpolated
logistic function, and W the largest weight of a class. Replace the slope of the losses by H W. Then
the objective is quadratic. Its minimum without noise is the unregularised minimum, multiplied by n
H W v_j/(n H W v_j + l2) in coordinate j. The mean of the reciprocals, weighted by v_j, is

    1 + l2 D/(n H W sum_j v_j).

The noise b_j of variance s^2 adds -b_j/(n H W v_j + l2) to weight j. So the noise adds a variance N
= s^2 sum_j v_j/(n H W v_j + l2)^2 to the variance V of the scores. The share 1 - N/V of V is
signal. The best linear prediction of the signal from the score multiplies the score by this share.
So

    T = (1 - N/V) (1 + l2 D/(n H W sum_j v_j)).

If N/V is above 1/2, both parts are unreliable, and T is 1. The rule `LEAST_SIGNAL` was chosen on
tables other than pima and spambase.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from learners.rules.logistic_objective import CURVATURE, FEATURE_UNIT
from learners.rules.logistic_regression import ObjectivePerturbation

LEAST_SIGNAL = 0.5
"""Least share of the variance of the scores that must not be noise."""
STEPS = 64
"""The factor is a multiple of 1/64."""
LARGEST = 8
"""Largest factor."""


def sharpening(
    mechanism: ObjectivePerturbation,
    weights: Sequence[int],
    codes: Sequence[NDArray[np.integer]],
    rows: int,
) -> Fraction:
    """Return the factor T of the module, rounded to a multiple of 1/64.

    Parameters
    ----------
    mechanism : ObjectivePerturbation
    weights : sequence of int
        Released weights, in units of 2^-weight_bits.
    codes : sequence of array of int, shape (cells, coordinates)
        Features of the cells of each column, without the intercept.
    rows : int
        Public number of rows.

    Examples
    --------
    >>> mechanism = ObjectivePerturbation(1, (1, 1))
    >>> codes = [np.array([[-256], [0], [256]])]
    >>> [str(sharpening(mechanism, [0, 2 << 32], codes, rows)) for rows in (200, 20_000)]
    ['79/64', '1']
    >>> str(sharpening(mechanism, [0, 1 << 29], codes, 200))  # mostly noise
    '1'
    """
    size = mechanism.dimension
    matrix = np.array(weights, dtype=np.float64).reshape(mechanism.problems, size)[:, 1:]
    matrix /= 1 << mechanism.weight_bits
    spread, variance, place = [], 0.0, 0
    for code in codes:
        features = code / FEATURE_UNIT
        own = matrix[:, place : place + code.shape[1]]
        spread.append(features.var(axis=0))
        variance += float((features @ own.T).var(axis=0).sum())
        place += code.shape[1]
    v = np.concatenate([np.zeros(0), *spread])
    l2, steep = float(mechanism.l2 or 0), float(rows * CURVATURE * mechanism.heaviest)
    # The mean square of b x has a part for each block of each regression.
    blocks = len(mechanism.blocks) * mechanism.problems
    square = mechanism.noise_square / blocks * mechanism.problems
    noise = square * float((v / (steep * v + l2) ** 2).sum())
    if variance <= 0 or (signal := 1 - noise / variance) < LEAST_SIGNAL:
        return Fraction(1)
    factor = signal * (1 + l2 * len(v) / (steep * float(v.sum())))
    return Fraction(max(1, round(min(factor, LARGEST) * STEPS)), STEPS)
