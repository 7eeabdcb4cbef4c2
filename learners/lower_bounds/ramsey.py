"""Numbers of points that force homogeneous sets: Ramsey's theorem with explicit bounds.

Colour the sets of u elements of {1, ..., n} by c colours. R_u(k; c) is the least n such that each
colouring has k elements whose u-sets all have one colour. ``docs/lower-bounds.md`` proves the
bounds of this module.

* u = 1: R_1(k; c) = c (k - 1) + 1.
* u = 2: R(k_1, ..., k_c) <= 2 - c + the sum over i of R(k_1, ..., k_i - 1, ..., k_c).
* u > 2: R_u(k; c) <= c^(C(q, u-1) + q) with q = R_(u-1)(k - 1; c).

**Homogeneous sets of learners.** A set of m + 1 points determines m + 1 probabilities A_S(x) of a
learner, one for each removed point x. Round each probability to one of ceil(1/(2t)) cells of width
2t. So a learner colours the (m + 1)-sets by ceil(1/(2t))^(m + 1) colours, and a set with one colour
is homogeneous with tolerance t.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import ceil, comb, factorial, floor, log10

from lsclasses.errors import InvalidInput

BITS = 12_000
"""Largest number of bits of a power that is computed as an integer."""


@dataclass(frozen=True, repr=False)
class Tower:
    """The number 2^2^...^2^top, which is too large to compute.

    Attributes
    ----------
    height : int
        Number of twos, at least 1.
    top : int
        Exponent at the top.
    """

    height: int
    top: int

    def __str__(self) -> str:
        if self.top < 10**9:
            return "2^" * self.height + str(self.top)
        digits = floor(self.top.bit_length() * log10(2)) + 1
        return "2^" * self.height + f"(a number of about {digits} digits)"

    def __repr__(self) -> str:
        return f"<Tower {self}>"

    def scaled(self, factor: int) -> Tower:
        """Return an upper bound of the product with a positive integer."""
        if self.height == 1:
            return Tower(1, self.top + (factor - 1).bit_length())
        # f 2^x <= 2^(f x), as x >= 2.
        inner = Tower(self.height - 1, self.top).scaled(factor)
        return Tower(inner.height + 1, inner.top)

    def power(self, exponent: int) -> Tower:
        """Return an upper bound of the power with a positive integer."""
        if self.height == 1:
            return Tower(1, self.top * exponent)
        inner = Tower(self.height - 1, self.top).scaled(exponent)
        return Tower(inner.height + 1, inner.top)


Size = int | Tower


def ramsey_bound(uniformity: int, size: int, colours: int) -> Size:
    """Return an upper bound on the Ramsey number R_u(k; c).

    Colour the u-sets of {1, ..., n} by c colours. R_u(k; c) is the least n such that, for each
    colouring, all u-sets of some k elements have one colour. The bound is an integer if it is small
    enough.

    Parameters
    ----------
    uniformity : int
        Number u of elements of each coloured set.
    size : int
        Number k of elements whose u-sets have one colour, at least 1.
    colours : int
        Number c of colours.

    Examples
    --------
    >>> [ramsey_bound(2, 3, c) for c in (1, 2, 3, 4)]
    [3, 6, 17, 66]
    >>> ramsey_bound(1, 4, 3), ramsey_bound(3, 4, 2)
    (10, 2097152)
    >>> print(ramsey_bound(4, 5, 2))
    2^(a number of about 19 digits)
    """
    if min(uniformity, size, colours) < 1:
        raise InvalidInput(
            "Ramsey numbers need a positive uniformity, size and number of colours. Got "
            f"{uniformity}, {size} and {colours}."
        )
    if size <= uniformity or colours == 1:
        # A set of u elements has a single u-set. Smaller sets have none.
        return size
    if uniformity == 1:
        return colours * (size - 1) + 1
    if uniformity == 2:
        return _pairs(size, colours)
    return _stepped_up(ramsey_bound(uniformity - 1, size - 1, colours), uniformity - 1, colours)


def _pairs(size: int, colours: int) -> Size:
    """Return a bound for pairs."""
    if size == 3:
        return _triangles(colours)
    if colours * size <= 24:
        return _multicolour((size,) * colours)
    # R(k_1, ..., k_c) is at most a multinomial coefficient, which is less than c^(c (k - 1)).
    return _computed(colours, colours * (size - 1))


def _triangles(colours: int) -> Size:
    """Return the value of the recursion for triangles, 1 + c!(1 + 1/1! + ... + 1/c!)."""
    if colours > 1_000:
        # The value is at most 1 + 3 c! <= c^c.
        return _computed(colours, colours)
    return 1 + sum(factorial(colours) // factorial(i) for i in range(colours + 1))


@cache
def _multicolour(sizes: tuple[int, ...]) -> int:
    """Return the bound of the recursion for pairs, for sorted sizes."""
    sizes = tuple(sorted(each for each in sizes if each != 2))
    if not sizes:
        return 2
    if sizes[0] == 1:
        return 1
    if len(sizes) == 1:
        return sizes[0]
    smaller = (
        _multicolour(tuple(sorted((*sizes[:i], each - 1, *sizes[i + 1 :]))))
        for i, each in enumerate(sizes)
    )
    return 2 - len(sizes) + sum(smaller)


def _stepped_up(below: Size, chosen: int, colours: int) -> Size:
    """Return c^(C(q, u-1) + q) for q = `below` and u - 1 = `chosen` >= 2."""
    if isinstance(below, int):
        return _computed(colours, comb(below, chosen) + below)
    # C(q, j) + q <= q^j for j >= 2 and q >= 3.
    exponent = below.power(chosen).scaled((colours - 1).bit_length())
    return Tower(exponent.height + 1, exponent.top)


def _computed(base: int, exponent: int) -> Size:
    """Return a power, as a tower if it has too many digits."""
    bits = (base - 1).bit_length() * exponent
    if bits <= BITS:
        return int(base**exponent)
    return Tower(1, bits)


def colours_of_profiles(rows: int, tolerance: Fraction) -> int:
    """Return the number of colours ceil(1/(2t))^(m + 1) of the sets of m + 1 points.

    Examples
    --------
    >>> colours_of_profiles(2, Fraction(1, 20))
    1000
    """
    return int(ceil(1 / (2 * tolerance)) ** (rows + 1))


def points_that_force(rows: int, size: int, tolerance: Fraction) -> Size:
    """Return a number of points on which each learner has a homogeneous set of a size.

    Parameters
    ----------
    rows : int
        Sample size m.
    size : int
        Number of points of the homogeneous set.
    tolerance : Fraction
        Tolerance t of the homogeneous set.

    Examples
    --------
    >>> print(points_that_force(2, 4, Fraction(1, 20)))
    2^(a number of about 5138 digits)
    """
    return ramsey_bound(rows + 1, size, colours_of_profiles(rows, tolerance))
