"""Random integers of any size, drawn from a NumPy generator with exact distributions."""

from __future__ import annotations

import numpy as np


def uniform_below(rng: np.random.Generator, n: int) -> int:
    """Return a uniform integer from 0 to n - 1, exactly, however large n is.

    Parameters
    ----------
    rng : numpy.random.Generator
    n : int
        Upper bound, at least 1.

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


def spread(rng: np.random.Generator) -> int:
    """Return a random natural number of any order of magnitude.

    The number x has probability 2^-(2 floor(log2(x+1)) + 1). This distribution belongs to the Elias
    gamma code of x + 1. The number of binary digits of x + 1 is geometric, and all numbers with
    equally many digits are equally likely. The distribution replaces a uniform distribution on
    infinite sets. It prefers small numbers, but numbers of every size occur.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> [spread(rng) for _ in range(8)]
    [2, 0, 30, 0, 0, 4, 1, 0]
    """
    power = 1 << int(rng.geometric(0.5)) - 1
    return power - 1 + uniform_below(rng, power)
