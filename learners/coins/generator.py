"""The part of NumPy's random generator that concept classes use, drawn from coins."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from learners.coins.base import Coins


class CoinGenerator:
    """A source of uniform integers and bytes for `ConceptClass._sample`, drawn from coins.

    Parameters
    ----------
    coins : Coins
        Source of randomness.

    Examples
    --------
    >>> from learners.coins import SeededCoins
    >>> CoinGenerator(SeededCoins(1)).integers(10) < 10
    True
    """

    def __init__(self, coins: Coins) -> None:
        self._coins = coins

    def integers(self, high: int, *, size: int | None = None) -> int | NDArray[np.int64]:
        """Return a uniform integer from 0 to `high` - 1, or an array of such integers."""
        if size is None:
            return self._coins.below(high)
        return np.array([self._coins.below(high) for _ in range(size)], dtype=np.int64)

    def bytes(self, length: int) -> bytes:
        """Return `length` uniform bytes."""
        return self._coins.below(1 << 8 * length).to_bytes(length, "little")
