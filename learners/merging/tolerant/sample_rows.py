"""Rows of PAC-T(d), the form of the tolerant learner for samples.

`docs/merging.md` defines PAC-T(d) and proves its bound.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

from flint import arb

from learners.balls import ball, certainly_le
from learners.checked import CompositionDelta, Epsilon, Failure
from learners.concentration import FAILURE
from learners.merging.tolerant.tolerances import at_most_chance, lengths_of, tolerances
from learners.number_arguments import least_integer
from lsclasses.errors import TooLarge
from lsclasses.options import Option, check_arguments

__all__ = ["TolerantRows", "tolerant_rows"]

Dimension = Annotated[int, Option("dimension", minimum=1, maximum=100)]
Error = Annotated[Fraction, Option("error alpha", above=0, below=1)]

MOST = 10**7
"""Largest number of blocks that the search tries."""


@dataclass(frozen=True)
class TolerantRows:
    """Parameters of the learner PAC-T(d) of `docs/merging.md`: k blocks of n rows.

    Examples
    --------
    >>> TolerantRows(44, 527).rows
    23188
    """

    blocks: int
    size: int

    @property
    def rows(self) -> int:
        """The number of rows of all blocks."""
        return self.blocks * self.size


@check_arguments
def tolerant_rows(
    dimension: Dimension,
    epsilon: Epsilon,
    delta: CompositionDelta,
    alpha: Error,
    beta: Failure = FAILURE,
) -> TolerantRows:
    """Return blocks of rows for which PAC-T(d) has error at most alpha.

    `docs/merging.md` describes this learner. The error is larger with probability at most beta.

    Parameters
    ----------
    dimension : int
        Littlestone dimension d.
    epsilon, delta : Fraction
        Privacy of a hypothesis.
    alpha, beta : Fraction
        Error alpha, and probability beta of a larger error.

    Raises
    ------
    TooLarge
        If more than 10^7 blocks are needed.

    Examples
    --------
    >>> [tolerant_rows(d, 1, Fraction(1, 10**6), Fraction(1, 10)).rows for d in (1, 2)]
    [23188, 108750]
    """
    # 2a + ln(1/(1 - delta0)) = epsilon. A larger delta0 would leave a small or negative a. With the
    # limit, ln(1/(1 - delta0)) <= epsilon/20.
    missed = min(delta, epsilon / (20 + epsilon))

    def rate() -> arb:
        return (ball(epsilon) + (1 - ball(missed)).log()) / 2

    blocks = 2
    while blocks <= MOST:
        size = _block_size(dimension, blocks, alpha, beta)
        lengths = lengths_of(_block_tolerances(dimension, blocks, size, beta)[-1], dimension)
        items = 1 + sum(lengths)

        def needed(count: int = blocks, items: int = items) -> arb:
            logs = ball(3 * items / (missed * beta)).log() + (1 + ball(count * missed)).log()
            return logs / rate()

        least = 1 + least_integer(lambda k: certainly_le(needed, k), 0)
        if least <= blocks:
            return TolerantRows(blocks, size)
        blocks = least
    raise TooLarge(f"PAC-T({dimension}) needs more than {MOST} blocks.", limit=MOST)


def _block_tolerances(d: int, blocks: int, size: int, beta: Fraction) -> list[int]:
    """Return tau_(d-1), ..., tau_0."""
    return tolerances([2 * size] * d, blocks * (blocks - 1), beta / (3 * d), d)


def _block_size(d: int, blocks: int, alpha: Fraction, beta: Fraction) -> int:
    """Return the least block size for which a wrong hypothesis passes no other block."""

    def suffices(size: int) -> bool:
        found = _block_tolerances(d, blocks, size, beta)
        if found[-1] >= size:
            return False
        lengths = lengths_of(found[-1], d)
        # Level r has lists of u_r functions with at most tau_r errors, where u_0 = 1.
        levels = list(zip([1, *lengths], [*reversed(found), 0], strict=True))

        def passing() -> arb:
            total = sum((u * at_most_chance(size, alpha, tau) for u, tau in levels), arb(0))
            return total * blocks * (blocks - 1) / 2

        return certainly_le(passing, beta / 3)

    return least_integer(suffices, 1, near=int(20 * d * d / alpha))
