"""Which floating-point type counts exactly.

Counts of concepts on two or more columns are products of matrices of zeros and ones, which floating
point multiplies much faster than integers. They are exact as long as every partial sum, in whatever
order they are taken, is an integer that the type represents.
"""

from __future__ import annotations

import numpy as np

SINGLE = 1 << 24
"""All integers up to this have a float32 of their own; the next one has none."""


def counting_type(most: int) -> type[np.float32 | np.float64]:
    """The smaller of two types that holds all integers from -most to most, below 2^53.

    Parameters
    ----------
    most : int
        No partial sum is larger in absolute value.

    Examples
    --------
    >>> counting_type(1000), counting_type(10**8)
    (<class 'numpy.float32'>, <class 'numpy.float64'>)
    >>> int(np.float32(2**24) + np.float32(1)) - 2**24   # why the limit is where it is
    0
    """
    return np.float32 if most <= SINGLE else np.float64
