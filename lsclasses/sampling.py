"""Exact uniform integers of any size from a NumPy generator."""

from __future__ import annotations

import numpy as np

__all__ = ["uniform_below"]


def uniform_below(rng: np.random.Generator, n: int) -> int:
    """A uniform integer from 0 to n - 1, exactly, however large n is.

    Parameters
    ----------
    rng : numpy.random.Generator
    n : int
        At least 1.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> [uniform_below(rng, 6) for _ in range(4)]
    [5, 3, 3, 1]
    >>> uniform_below(rng, 10**30) < 10**30
    True
    """
    if n <= 1 << 63:
        return int(rng.integers(n))
    bits = (n - 1).bit_length()
    surplus = -bits % 8
    while True:
        # Rejection: a number of as many bits as n - 1 is below n with probability above 1/2.
        drawn = int.from_bytes(rng.bytes((bits + surplus) // 8), "little") >> surplus
        if drawn < n:
            return drawn
