"""Coins for a release, over the randomness of the operating system."""

from __future__ import annotations

import os
import weakref
from array import array

from learners.coins.words import WORDS, WordCoins


class SecureCoins(WordCoins):
    """Coins for a release, with exact integer samplers over the operating system's randomness.

    The samplers use no floating point numbers, so the noise has exactly the stated distribution.
    (Mironov 2012 shows how noise made of floats reveals data.) The coins read words from
    ``os.urandom`` a few thousand bytes at a time and use each word once. Copies, pickles and forked
    child processes start with an empty buffer, so they share no words. The running time of a draw
    depends on its result (`docs/randomness.md`).

    Examples
    --------
    >>> coins = SecureCoins()
    >>> 0 <= coins.below(6) < 6
    True
    >>> coins.laplace(0.1)
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: The scale must be an int or a Fraction, not a float. The float \
0.1 is 3602879701896397/36028797018963968. Write Fraction(1, 10) for the printed number.
    """

    def __init__(self) -> None:
        super().__init__()
        _SECURE.add(self)

    def _read(self) -> list[int]:
        return array("Q", os.urandom(8 * WORDS)).tolist()

    def __reduce__(self) -> tuple[type[SecureCoins], tuple[()]]:
        return type(self), ()


_SECURE: weakref.WeakSet[SecureCoins] = weakref.WeakSet()


def _forget_words() -> None:
    for coins in _SECURE:
        coins._words = []


if hasattr(os, "register_at_fork"):  # only where processes can fork
    os.register_at_fork(after_in_child=_forget_words)
