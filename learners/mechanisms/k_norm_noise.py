r"""Noise for vectors whose change lies in a product of cross-polytopes.

A vector has blocks of coordinates. Its *norm* is the largest of the l_1 norms of its blocks. The
unit ball K of the norm is a product of cross-polytopes, and for blocks of one coordinate K is the
cube. The *ideal noise* of scale s has the density exp(-norm(b)/s)/(D! s^D vol K) in D dimensions. A
shift v changes this density by a factor of at most exp(norm(v)/s).

**Draw.** The ideal noise is r u. The radius r is a sum of D independent exponential variables of
mean s. The vector u is on the boundary of K: one block, chosen with probability (its
coordinates)/D, is uniform on the boundary of its cross-polytope, and every other block is uniform
inside its cross-polytope.

*Proof.* Let U be uniform in K. The norm of a block of m coordinates of U is at most t with
probability t^m, independently of the direction of the block and of the other blocks. The block of
largest norm has m coordinates with probability m/D for each such block. Given the largest norm t
and its block, the directions are unchanged, and the other blocks are uniform in t times their
cross-polytopes. So U/norm(U) has the distribution of u and is independent of norm(U). The ideal
noise B has a density that depends on norm(b) only, so B/norm(B) also has the distribution of u and
is independent of norm(B). The volume of t K is t^D vol K. So norm(B) has a density proportional to
t^(D-1) exp(-t/s), the density of a sum of D exponential variables of mean s. QED

A point of the cross-polytope with m coordinates has random signs. Its sizes are the first m gaps
that m sorted uniform numbers leave in [0, 1]. For a point of the boundary, m - 1 numbers leave m
gaps.

**Exact integers close to the ideal noise.** Computers cannot draw real numbers. The class draws
integers z such that, for some coupling, every coordinate of z differs from the ideal noise by at
most `KNormNoise.error`. *Proof.* If E is exponential with mean s, then floor(E) = k with
probability (1 - q) q^k for q = exp(-1/s). For discrete Laplace noise Z, the number Z if Z >= 0 and
-Z - 1 otherwise has this distribution, because (1 - q)/(1 + q) (q^k + q^(k+1)) = (1 - q) q^k. The
sum R of D such numbers satisfies R <= r < R + D. The binary expansions of the uniform numbers are
cut after k digits, where 2^k > R. The cut keeps their order and changes each gap by less than 2^-k.
So each coordinate of R u changes by less than 1, and rounding R u toward 0 changes it by less than
1. With |u_i| <= 1, the distance is less than D + 2. For D = 1, u is -1 or 1, and the distance is
less than 1. QED
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from learners.checked import positive
from learners.coins import Coins
from lsclasses.errors import InvalidInput
from lsclasses.frozen import set_frozen_fields
from lsclasses.numbers import rational


@dataclass(frozen=True)
class KNormNoise:
    """Integer noise close to real noise whose density depends on the norm of the vector.

    The norm of a vector is the largest l_1 norm of its blocks of coordinates. The real noise of
    scale s has a density proportional to exp(-norm/s).

    Parameters
    ----------
    scale : Fraction or int
        Scale of the ideal noise, positive.
    blocks : tuple of int
        Number of coordinates of each block.

    Raises
    ------
    InvalidInput
        If the scale is not positive or a float, or a block has no coordinates.

    References
    ----------
    [HT10] introduces noise for the norm of a convex body.

    Examples
    --------
    >>> from learners.coins import SeededCoins
    >>> noise = KNormNoise(100, (1, 1, 3))
    >>> noise.draw(SeededCoins(1)), noise.error
    ([100, 85, -12, -9, -179], 7)
    """

    scale: Fraction | int
    blocks: tuple[int, ...]

    def __post_init__(self) -> None:
        scale = rational(self.scale, "scale")
        if scale <= 0:
            raise InvalidInput(f"The scale of the noise must be positive. Got {self.scale}.")
        blocks = tuple(positive(block, "number of coordinates of a block") for block in self.blocks)
        if not blocks:
            raise InvalidInput("The noise needs at least one block of coordinates. Got no block.")
        set_frozen_fields(self, scale=scale, blocks=blocks)

    @property
    def dimension(self) -> int:
        """The number of coordinates of all blocks."""
        return sum(self.blocks)

    @property
    def error(self) -> int:
        """The bound on the distance of each coordinate from the ideal noise."""
        return self.dimension + 2 if self.dimension > 1 else 1

    def draw(self, coins: Coins) -> list[int]:
        """Return integers, each within `error` of the ideal noise."""
        drawn = coins.laplaces(self.scale, self.dimension)
        radius = sum(each if each >= 0 else -each - 1 for each in drawn)
        bits = radius.bit_length()
        chosen = coins.below(self.dimension)
        found: list[int] = []
        for size in self.blocks:
            outer = len(found) <= chosen < len(found) + size
            for gap in _gaps(size, bits, coins, outer=outer):
                length = radius * gap >> bits
                found.append(-length if coins.below(2) else length)
        return found


def _gaps(size: int, bits: int, coins: Coins, *, outer: bool) -> list[int]:
    """Return the first gaps between sorted random multiples of 2^-bits, in units of 2^-bits."""
    whole = 1 << bits
    ends = sorted(coins.below(whole) for _ in range(size - outer)) + [whole] * outer
    return [end - start for start, end in zip([0, *ends], ends, strict=False)]
