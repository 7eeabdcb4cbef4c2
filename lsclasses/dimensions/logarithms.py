"""Numbers made of binary logarithms, compared exactly.

A formula such as ``log2(size)/2`` has no rational value for most sizes, and rounding must not
decide an inequality. A `Logarithmic` number is a quotient of two polynomials with rational
coefficients in the logarithms of odd primes: ``log2(12) = 2 + log2(3)``.

The sign of a number is decided in two steps. If the numerator is the zero polynomial, the number is
0. Otherwise, intervals of rising precision enclose the number until an interval excludes 0. For
polynomials of degree 1, some interval excludes 0, because 1 and the logarithms of different odd
primes are linearly independent over the rationals. A relation between them would be a relation
between integers, 2^a = 3^b 5^c ..., which factor uniquely. (Integers that are too long to be
factored are compared as products.) For polynomials of higher degree, such a result is not known. If
4096 bits do not decide the sign, an error reports this.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache, total_ordering

from lsclasses.errors import InvalidInput, TooLarge

Monomial = tuple[int, ...]
"""A product of binary logarithms, given by the arguments of the logarithms in increasing order."""
Polynomial = Mapping[Monomial, Fraction]
Interval = tuple[Fraction, Fraction]

PRECISIONS = (64, 128, 256, 512, 1024, 2048, 4096)
"""Numbers of bits of the enclosing intervals. After the last number, an error is raised."""
PRODUCT_BITS = 1 << 20
"""The largest number of bits of integer products that are compared instead of logarithms."""
FACTORED_BITS = 128
"""The largest number of bits of an integer that is factored.

The logarithm of a longer integer is not split."""
MONOMIALS_LIMIT = 256
"""The largest number of terms of a polynomial."""


@total_ordering
class Logarithmic:
    """A number made of binary logarithms that is not known to be rational.

    Sums, products and quotients with rational numbers and with each other are exact. Comparisons
    are exact, too. A rational result is an ordinary number again.

    Parameters
    ----------
    above, below : mapping
        Numerator and denominator: polynomials as mappings from monomials to coefficients.

    Examples
    --------
    >>> log2(12), log2(12) - log2(3), log2(27) / log2(3)
    (log2(3) + 2, 2, 3)
    >>> log2(3) > Fraction(158496, 100000), log2(3) < Fraction(158497, 100000)
    (True, True)
    """

    __slots__ = ("_above", "_below")

    def __init__(self, above: Polynomial, below: Polynomial) -> None:
        self._above = dict(above)
        self._below = dict(below)

    # ---- arithmetic

    def __add__(self, other: Real) -> Real:
        if (parts := _parts(other)) is None:
            return NotImplemented
        above, below = parts
        if below == self._below:
            return _number(_sum(self._above, above), below)
        return _number(
            _sum(_product(self._above, below), _product(above, self._below)),
            _product(self._below, below),
        )

    def __neg__(self) -> Real:
        return Logarithmic({term: -c for term, c in self._above.items()}, self._below)

    def __sub__(self, other: Real) -> Real:
        return self + -other

    def __rsub__(self, other: Real) -> Real:
        return -self + other

    def __mul__(self, other: Real) -> Real:
        if (parts := _parts(other)) is None:
            return NotImplemented
        above, below = parts
        return _number(_product(self._above, above), _product(self._below, below))

    def __truediv__(self, other: Real) -> Real:
        if (parts := _parts(other)) is None:
            return NotImplemented
        above, below = parts
        if not above:
            raise ZeroDivisionError("a division by 0")
        return _number(_product(self._above, below), _product(self._below, above))

    def __rtruediv__(self, other: Real) -> Real:
        return _inverse(self) * other

    def __pow__(self, times: int) -> Real:
        result: Real = Fraction(1)
        for _ in range(abs(times)):
            result = self * result
        return Fraction(1) / result if times < 0 else result

    __radd__ = __add__
    __rmul__ = __mul__

    # ---- order

    def sign(self) -> int:
        """Return the sign of the number: -1, 0 or 1.

        Raises
        ------
        TooLarge
            If intervals of 4096 bits do not decide the sign.
        """
        if not self._above:
            return 0
        for bits in PRECISIONS:
            found = self.enclosure(bits)
            if found is not None and (found[0] > 0 or found[1] < 0):
                return 1 if found[0] > 0 else -1
            if (exact := self._compared_as_products()) is not None:
                return exact
        raise TooLarge(
            f"{PRECISIONS[-1]} bits do not decide the sign of a number made of logarithms.",
            limit=PRECISIONS[-1],
        )

    def _compared_as_products(self) -> int | None:
        """Return the sign of c log2 a + ... as the sign of a^c ... - 1, or None in other forms."""
        if self._below != ONE or any(len(term) > 1 for term in self._above):
            return None
        scale = math.lcm(*(c.denominator for c in self._above.values()))
        powers = [(term[0] if term else 2, int(c * scale)) for term, c in self._above.items()]
        if sum(m.bit_length() * abs(c) for m, c in powers) > PRODUCT_BITS:
            return None
        one, other = (math.prod(int(m ** max(s * c, 0)) for m, c in powers) for s in (1, -1))
        return int(one > other) - int(one < other)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (int, Fraction, Logarithmic)):
            return NotImplemented
        difference = self - other
        return difference.sign() == 0 if isinstance(difference, Logarithmic) else difference == 0

    def __lt__(self, other: Real) -> bool:
        difference = self - other
        return (difference.sign() if isinstance(difference, Logarithmic) else difference) < 0

    def __hash__(self) -> int:
        # Equal numbers may have different polynomials, so all of them have the same hash value.
        return hash(self.__class__)

    def enclosure(self, bits: int) -> Interval | None:
        """Return a rational interval that contains the number.

        The interval is None if the denominator may be 0 at this precision.
        """
        above, below = (_enclosed(part, bits) for part in (self._above, self._below))
        if below[0] <= 0 <= below[1]:
            return None
        ends = [a / b for a in above for b in below]
        return min(ends), max(ends)

    def __floor__(self) -> int:
        """Return the largest integer that does not exceed the number."""
        for bits in PRECISIONS:
            found = self.enclosure(bits)
            if found is not None and math.floor(found[0]) == math.floor(found[1]):
                return math.floor(found[0])
        raise TooLarge(
            f"{PRECISIONS[-1]} bits do not decide the integer part of a number.",
            limit=PRECISIONS[-1],
        )

    def __ceil__(self) -> int:
        """Return the least integer that is at least the number."""
        return -math.floor(-self)

    def __float__(self) -> float:
        found = self.enclosure(PRECISIONS[1])
        return math.nan if found is None else float(sum(found) / 2)

    def __str__(self) -> str:
        above, below = (_written(part) for part in (self._above, self._below))
        return above if below == "1" else f"({above})/({below})"

    __repr__ = __str__


Real = int | Fraction | Logarithmic
"""Type of the value of a formula."""


def log2(m: int | Fraction) -> Real:
    """Return the binary logarithm of a positive number, exactly.

    Raises
    ------
    InvalidInput
        If the number is not positive.

    Examples
    --------
    >>> log2(8), log2(Fraction(1, 2)), log2(10), log2(Fraction(9, 2)) / 2
    (3, -1, log2(5) + 1, log2(3) - 1/2)
    """
    if isinstance(m, Logarithmic):
        raise InvalidInput(f"log2 needs a rational number. Got {m}.")
    if m <= 0:
        raise InvalidInput(f"log2 needs a positive number. Got {m}.")
    whole = Fraction(m)
    terms: dict[Monomial, Fraction] = {}
    for number, sign in ((whole.numerator, 1), (whole.denominator, -1)):
        for factor, power in _factors(number):
            term = () if factor == 2 else (factor,)
            terms[term] = terms.get(term, Fraction(0)) + sign * power
    return _number(terms, ONE)


def rounded(value: Real, places: int, *, up: bool) -> int | Fraction:
    """Return a rational value unchanged, and round any other value to a multiple of 2^-places.

    Examples
    --------
    >>> rounded(log2(1050), 10, up=True), rounded(log2(1050), 10, up=False)
    (Fraction(5139, 512), Fraction(10277, 1024))
    """
    if not isinstance(value, Logarithmic):
        return value
    scaled = value * 2**places
    return _plain(Fraction(math.ceil(scaled) if up else math.floor(scaled), 2**places))


# ---- polynomials

ONE: Polynomial = {(): Fraction(1)}


def _parts(value: object) -> tuple[Polynomial, Polynomial] | None:
    """Return the two polynomials of a number, or None for other values."""
    if isinstance(value, Logarithmic):
        return value._above, value._below
    if isinstance(value, (int, Fraction)):
        return ({(): Fraction(value)} if value else {}), ONE
    return None


def _number(above: Polynomial, below: Polynomial) -> Real:
    """Return a quotient of polynomials, as a rational number if one is a multiple of the other."""
    above = {term: c for term, c in above.items() if c}
    below = {term: c for term, c in below.items() if c}
    if max(len(above), len(below)) > MONOMIALS_LIMIT:
        raise TooLarge(
            f"A number made of logarithms has at most {MONOMIALS_LIMIT} terms.",
            limit=MONOMIALS_LIMIT,
        )
    if not above:
        return 0
    first = next(iter(below))
    if above.keys() == below.keys():
        ratio = above[first] / below[first]
        if all(above[term] == ratio * below[term] for term in above):
            return _plain(ratio)
    if below.keys() == {()}:
        above = {term: c / below[()] for term, c in above.items()}
        below = ONE
    return Logarithmic(above, below)


def _inverse(value: Logarithmic) -> Real:
    return _number(value._below, value._above)


def _sum(one: Polynomial, other: Polynomial) -> dict[Monomial, Fraction]:
    result = dict(one)
    for term, c in other.items():
        result[term] = result.get(term, Fraction(0)) + c
    return result


def _product(one: Polynomial, other: Polynomial) -> dict[Monomial, Fraction]:
    result: dict[Monomial, Fraction] = {}
    for first, a in one.items():
        for second, b in other.items():
            term = tuple(sorted(first + second))
            result[term] = result.get(term, Fraction(0)) + a * b
    return {term: c for term, c in result.items() if c}


def _written(polynomial: Polynomial) -> str:
    text = ""
    for term, c in sorted(polynomial.items(), key=lambda part: (-len(part[0]), part[0])):
        factors = [f"log2({m})" for m in term]
        if abs(c) != 1 or not factors:
            factors.insert(0, str(abs(c)))
        sign = " - " if c < 0 else " + "
        text += (sign if text else "-" * (c < 0)) + "*".join(factors)
    return text


# ---- intervals


def _enclosed(polynomial: Polynomial, bits: int) -> Interval:
    low = high = Fraction(0)
    for term, c in polynomial.items():
        interval = (c, c)
        for m in term:
            # Logarithms of numbers from 2 on are positive, so the ends keep their places.
            ends = [a * b for a, b in zip(interval, _log2_enclosed(m, bits), strict=True)]
            if c < 0:
                ends = [a * b for a, b in zip(interval, _log2_enclosed(m, bits)[::-1], strict=True)]
            interval = (ends[0], ends[1])
        low, high = low + interval[0], high + interval[1]
    return low, high


@lru_cache(maxsize=1 << 12)
def _log2_enclosed(m: int, bits: int) -> Interval:
    from flint import arb, ctx

    with ctx.workprec(bits):
        ball = arb(m).log_base(2)
        return _exact(ball.lower()), _exact(ball.upper())


def _exact(end: object) -> Fraction:
    mantissa, exponent = end.man_exp()  # type: ignore[attr-defined]
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


@lru_cache(maxsize=1 << 12)
def _factors(m: int) -> tuple[tuple[int, int], ...]:
    """Return the prime factors with their powers. For a long number, split off only 2."""
    from flint import fmpz

    if m.bit_length() <= FACTORED_BITS:
        return tuple((int(p), int(power)) for p, power in fmpz(m).factor())
    twos = (m & -m).bit_length() - 1
    rest = m >> twos
    return ((2, twos),) * bool(twos) + ((rest, 1),) * (rest > 1)


def _plain(value: Fraction) -> int | Fraction:
    return value.numerator if value.denominator == 1 else value
