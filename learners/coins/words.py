"""Exact samplers over uniform 64-bit words."""

from __future__ import annotations

from abc import abstractmethod
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate, pairwise

import numpy as np
from numpy.typing import NDArray

from learners.coins.base import Coins
from learners.coins.weighted_choices import LARGEST_PRODUCT, counts_together

WORDS = 512
"""Number of 64-bit words that are read from a source at a time."""

SPAN = 1 << 64

COMPARED = 12
"""Largest number of levels whose candidates are counted by comparing all candidates with the bounds
of each level."""
LISTED_MEMBERS = 1 << 10
"""Largest number of candidates that are listed one by one to find a drawn candidate."""
FEW = 16
"""Largest number of candidates from which a choice is drawn by rejecting uniform proposals."""
MANY = 32
"""Least number of candidates with counts for which arrays are faster than lists."""
DEEPEST = 64
"""The last level of weights. Candidates of this or a smaller weight are so unlikely that they share
this level."""
MOST_TOGETHER = 1 << 80
"""The largest number of candidates from which a choice is drawn by levels of weights. (3/8)^DEEPEST
is about 2^-90."""


class WordCoins(Coins):
    """Coins made of uniform 64-bit words by the exact samplers of Canonne, Kamath, Steinke 2020.

    A subclass supplies `_read`. Every draw is exact if the words are independent and uniform.
    Numbers below n are drawn by rejection, and exp(-x) by von Neumann's alternating series. Laplace
    noise of scale t/s has a random sign and the absolute value floor((u + t v)/s). Here, u is
    uniform below t and kept with probability exp(-u/t), and v is geometric.
    """

    def __init__(self) -> None:
        self._words: list[int] = []

    @abstractmethod
    def _read(self) -> list[int]:
        """Return at least one fresh uniform word of 64 bits. The last word is used first."""

    def _word(self) -> int:
        while True:
            try:
                return self._words.pop()
            except IndexError:
                self._words = self._read()

    def _below(self, n: int) -> int:
        if n > SPAN:
            return self._below_large(n)
        while True:
            try:
                word = self._words.pop()
            except IndexError:
                self._words = self._read()
                continue
            remainder = word % n
            # The last, incomplete block of n words is rejected.
            if word - remainder <= SPAN - n:
                return remainder

    def _below_large(self, n: int) -> int:
        bits = (n - 1).bit_length()
        while True:
            drawn = 0
            for _ in range(-(-bits // 64)):
                drawn = drawn << 64 | self._word()
            drawn >>= -bits % 64
            if drawn < n:
                return drawn

    def _flip(self, numerator: int, denominator: int) -> bool:
        return self._below(denominator) < numerator

    def _flips(self, numerator: int, denominator: int, count: int) -> list[bool]:
        if denominator > SPAN:
            return super()._flips(numerator, denominator, count)
        drawn: list[bool] = []
        while len(drawn) < count:
            # As in `_below`, words are used in order. Each word gives at most one draw.
            if not self._words:
                self._words = self._read()
            taken = self._words[len(drawn) - count :]
            del self._words[len(drawn) - count :]
            drawn += [
                word % denominator < numerator
                for word in reversed(taken)
                if word - word % denominator <= SPAN - denominator
            ]
        return drawn

    def _decays(self, numerator: int, denominator: int) -> bool:
        while numerator > denominator:
            if not self._decays(1, 1):
                return False
            numerator -= denominator
        # With x = numerator/denominator, step k is passed with probability x/k, so k steps are
        # passed with probability x^k/k!. An odd number of steps is tried with probability
        # 1 - x + x^2/2 - ... = exp(-x).
        below = self._below
        step, bound = 1, denominator
        while below(bound) < numerator:
            step += 1
            bound += denominator
        return step % 2 == 1

    def _failures(self, numerator: int, denominator: int, limit: int) -> int:
        """Return floor(ln(U)/ln(1 - p)) for a uniform number U and p = exp(-numerator/denominator).

        More than k coins fail with probability (1 - p)^(k + 1), and so does U < (1 - p)^(k + 1).
        The digits of U are read until they determine the result.
        """
        from flint import arb, ctx, fmpq

        digits, bits = self._word(), 64
        while True:
            with ctx.workprec(2 * bits + 64):
                low, high = (arb(fmpq(end, 1 << bits)) for end in (digits, digits + 1))
                log_failure = (-(arb(fmpq(-numerator, denominator)).exp())).log1p()
                fewest = high.log() / log_failure
                # The floor of a number far above the limit would need as many bits as the number.
                if fewest >= limit:
                    return limit
                least = fewest.floor().unique_fmpz()
                most = (low.log() / log_failure).floor().unique_fmpz() if digits else None
            if least is not None and least == most:
                return int(least)
            digits, bits = digits << 64 | self._word(), bits + 64

    def _noisy_maximum(
        self, scores: tuple[int, ...], counts: tuple[int, ...], numerator: int, denominator: int
    ) -> int:
        # Few draws need ball arithmetic, whose import takes time.
        from learners.coins import noisy_maximum

        return noisy_maximum.winner(scores, counts, numerator, denominator, self._word)

    def _pick(
        self, exponents: tuple[int, ...], denominator: int, counts: tuple[int, ...] | None
    ) -> int:
        if counts is None and len(exponents) <= FEW:
            while True:
                index = self._below(len(exponents))
                if self._decays(exponents[index], denominator):
                    return index
        if counts is not None and sum(counts) > MOST_TOGETHER:
            # So many light candidates would nearly always be proposed, and then rejected.
            return self._picks(exponents, denominator, counts, 1)[0]
        # A candidate of weight e^-x is on level k = floor(x). The deepest level holds all lighter
        # candidates. It is proposed in proportion to (3/8)^k > e^-k, and rejected for the excess.
        levels = [min(exponent // denominator, DEEPEST) for exponent in exponents]
        ends = _proposals(levels, counts or (1,) * len(levels))
        while True:
            index = bisect_right(ends, self._below(ends[-1]))
            if self._keeps(levels[index], exponents[index], denominator):
                return index

    def _keeps(self, level: int, exponent: int, denominator: int) -> bool:
        """Whether to keep a candidate proposed by its level, which makes up for the proposal."""
        kept = all(self._eight_to_three_e() for _ in range(level))
        return kept and self._decays(exponent - level * denominator, denominator)

    def _pick_from(
        self,
        gaps: NDArray[np.integer],
        numerator: int,
        denominator: int,
        counts: NDArray[np.int64] | None,
    ) -> int:
        largest = int(gaps.max())
        if max(largest * numerator, denominator) >= LARGEST_PRODUCT:
            return super()._pick_from(gaps, numerator, denominator, counts)
        # As in `_pick`, but candidates of a level are counted, and one of them is drawn.
        levels = _Levels(gaps, largest, numerator, denominator)
        sizes = levels.sizes(counts)
        ends = _proposals(range(len(sizes)), sizes)
        while True:
            level = bisect_right(ends, self._below(ends[-1])) if len(ends) > 1 else 0
            members = levels.members(level)
            if counts is None:
                size = sizes[level]
                index = _place_of(members, self._below(size) if size > 1 else 0)
            else:
                index = self._one_of(np.flatnonzero(members), counts)
            if self._keeps(level, int(gaps[index]) * numerator, denominator):
                return index

    def _pick_counted(
        self,
        gaps: NDArray[np.int64],
        numerator: int,
        denominator: int,
        counts: NDArray[np.uint64] | NDArray[np.object_],
    ) -> int:
        largest = int(gaps.max()) * numerator
        sums = None
        if len(gaps) >= MANY and max(largest, denominator) < LARGEST_PRODUCT:
            levels = np.minimum(gaps * numerator // denominator, DEEPEST)
            sums = _LevelSums.of(levels, counts)
        if sums is None:
            return super()._pick_counted(gaps, numerator, denominator, counts)
        while True:
            index = sums.locate(self._below(sums.total))
            if self._keeps(int(levels[index]), int(gaps[index]) * numerator, denominator):
                return index

    def _picks(
        self,
        exponents: tuple[int, ...],
        denominator: int,
        counts: tuple[int, ...] | None,
        draws: int,
    ) -> list[int]:
        weights = _CumulatedWeights(exponents, denominator, counts or (1,) * len(exponents))
        drawn = []
        for _ in range(draws):
            digits, bits = self._word(), 64
            while (index := weights.locate(digits, bits)) is None:
                digits, bits = digits << 64 | self._word(), bits + 64
            drawn.append(index)
        return drawn

    def _eight_to_three_e(self) -> bool:
        """True with probability 8/(3e), which is 8/9 + (1 - 1/5 + 1/(5 * 6) - ...)/9."""
        if self._below(9) < 8:
            return True
        # The first j steps are passed with probability 1/(5 * 6 * ... * (4 + j)).
        step = 5
        while not self._below(step):
            step += 1
        return step % 2 == 1

    def _laplace(self, numerator: int, denominator: int) -> int:
        below = self._below
        while True:
            remainder = below(numerator) if numerator > 1 else 0
            if remainder and not self._decays(remainder, numerator):
                continue
            # The quotient counts successes of probability 1/e, whose first step always passes.
            quotient = 0
            while True:
                step = 2
                while not below(step):
                    step += 1
                if step % 2 == 0:
                    break
                quotient += 1
            magnitude = (remainder + numerator * quotient) // denominator
            # A negative zero is rejected, or zero would be twice as likely as it should be.
            if self._word() & 1:
                return magnitude
            if magnitude:
                return -magnitude

    def _at_least(self, margin: int, numerator: int, denominator: int) -> bool:
        return self._laplace(numerator, denominator) >= margin


class _LevelSums:
    """The cumulated proposals of candidates in order, as the integers of `_proposals`.

    Integers of level k are multiples of a factor, so only counts are added, in two halves of 32
    bits. Sums of halves are exact in floating point.
    """

    def __init__(self, levels: NDArray[np.int64], counts: NDArray[np.uint64]) -> None:
        self._levels, self._counts = levels, counts
        self._low = (counts & np.uint64(0xFFFFFFFF)).astype(np.float64)
        self._high = (counts >> np.uint64(32)).astype(np.float64)
        depth = int(levels.max())
        self._factors = [3**level << 3 * (depth - level) for level in range(depth + 1)]
        self.total = self._before(len(levels))
        rough = np.array([float(factor) / float(8**depth) for factor in self._factors])
        self._rough = (counts.astype(np.float64) * rough[levels]).cumsum()

    @classmethod
    def of(
        cls, levels: NDArray[np.int64], counts: NDArray[np.uint64] | NDArray[np.object_]
    ) -> _LevelSums | None:
        """Return the sums, or None if the counts are too large for them or for proposals."""
        if counts.dtype != np.uint64 or len(counts) >= 1 << 21:
            return None
        largest = int(counts.max()) * len(counts)
        if largest > MOST_TOGETHER and sum(counts.tolist()) > MOST_TOGETHER:
            return None
        return cls(levels, counts.astype(np.uint64, copy=False))

    def _before(self, index: int) -> int:
        """Return the sum of the proposals before an index."""
        levels, bins = self._levels[:index], len(self._factors)
        low = np.bincount(levels, self._low[:index], bins).tolist()
        high = np.bincount(levels, self._high[:index], bins).tolist()
        total: int = sum(
            ((int(b) << 32) + int(a)) * factor
            for a, b, factor in zip(low, high, self._factors, strict=True)
        )
        return total

    def locate(self, drawn: int) -> int:
        """Return the first index whose sum exceeds a number below the total."""
        # Floating point finds a candidate nearby.
        target = drawn / self.total * self._rough[-1]
        index = min(int(self._rough.searchsorted(target, side="right")), len(self._rough) - 1)
        before = self._before(index)
        while drawn < before:
            index -= 1
            before -= self._proposals(index)
        while drawn >= (after := before + self._proposals(index)):
            index, before = index + 1, after
        return index

    def _proposals(self, index: int) -> int:
        factor: int = self._factors[int(self._levels[index])]
        return int(self._counts[index]) * factor


class _Levels:
    """The levels of candidates to pick from, as ranges of their gaps to the best candidate.

    A candidate of gap g is on level floor(g numerator/denominator), or on the deepest level.
    """

    def __init__(
        self, gaps: NDArray[np.integer], largest: int, numerator: int, denominator: int
    ) -> None:
        self._gaps, self._largest = gaps, largest
        depth = min(largest * numerator // denominator, DEEPEST)
        self._first = [0, *(-(-level * denominator // numerator) for level in range(1, depth + 1))]
        self._above: list[NDArray[np.bool_]] = []

    def sizes(self, counts: NDArray[np.int64] | None) -> list[int]:
        """Return the number of candidates on each level, weighted by the counts."""
        gaps, first = self._gaps, self._first
        if len(first) == 1 and counts is None:
            return [len(gaps)]
        if counts is None and len(first) <= COMPARED:
            # A comparison with each bound is faster than counting every gap.
            kind = gaps.dtype.type
            self._above = [gaps >= kind(bound) for bound in first[1:]]
            above = [len(gaps), *(int(np.count_nonzero(each)) for each in self._above), 0]
            return [a - b for a, b in pairwise(above)]
        if counts is None and self._largest < max(len(gaps), 1 << 16):
            of_gaps = np.bincount(gaps, minlength=self._largest + 1)
            ends = np.concatenate(([0], of_gaps.cumsum()))[[*first, self._largest + 1]]
            return [int(size) for size in np.diff(ends)]
        places = np.searchsorted(np.array(first), gaps, side="right") - 1
        return counts_together(places, len(first), counts)

    def members(self, level: int) -> NDArray[np.bool_]:
        """Return for each candidate whether it is on the level."""
        kind, gaps, deepest = self._gaps.dtype.type, self._gaps, level + 1 == len(self._first)
        if self._above:
            inside = self._above[level - 1] if level else ~self._above[0]
            # Candidates above the next bound are above this bound, too.
            return inside if deepest or not level else inside ^ self._above[level]
        inside = gaps >= kind(self._first[level])
        return inside if deepest else inside & (gaps < kind(self._first[level + 1]))


def _place_of(members: NDArray[np.bool_], rank: int) -> int:
    """Return the index of the member of this rank, which is 0 for the first member."""
    # Counting the members of halves reads each candidate at most once.
    start, stop = 0, len(members)
    while stop - start > LISTED_MEMBERS:
        middle = (start + stop) // 2
        before = int(np.count_nonzero(members[start:middle]))
        if rank < before:
            stop = middle
        else:
            start, rank = middle, rank - before
    return start + int(np.flatnonzero(members[start:stop])[rank])


def _proposals(levels: Sequence[int], sizes: Sequence[int]) -> list[int]:
    """Sums of (3/8)^level, of `sizes` candidates each, as integers of one denominator."""
    depth = max(levels)
    return list(
        accumulate(
            (size * 3**level) << 3 * (depth - level)
            for size, level in zip(sizes, levels, strict=True)
        )
    )


class _CumulatedWeights:
    """A partition of [0, 1) that locates a uniform number from its first binary digits.

    The parts have lengths in proportion to counts[i] exp(-exponents[i]/denominator). The integers
    of their ends have a bounded error. If these integers do not decide, the ends are computed
    again with more digits. With probability 1 some number of digits decides.
    """

    def __init__(
        self, exponents: tuple[int, ...], denominator: int, counts: tuple[int, ...]
    ) -> None:
        self._denominator = denominator
        self._order = sorted(range(len(exponents)), key=exponents.__getitem__)
        self._exponents = [exponents[i] for i in self._order]
        self._counts = [counts[i] for i in self._order]
        self._compute(192)

    def _compute(self, bits: int) -> None:
        from flint import arb, ctx, fmpq

        factors: dict[int, int] = {}
        weight, last, total = 1 << bits, 0, 0
        ends = []
        for exponent, count in zip(self._exponents, self._counts, strict=True):
            gap = exponent - last
            if gap:
                if gap not in factors:
                    with ctx.workprec(bits + 64):
                        factor = arb(fmpq(-gap, self._denominator)).exp() * arb(2) ** bits
                        rounded = factor.mid().floor().unique_fmpz()
                        assert rounded is not None
                        factors[gap] = int(rounded)
                weight = weight * factors[gap] >> bits
                last = exponent
            total += count * weight
            ends.append(total)
        self._bits, self._ends = bits, ends
        # A factor is off by 2 at most, and a product of numbers below 1 is rounded by 1 at most.
        # So the i-th weight is off by 3i at most, and all ends by 3i for each of the counts.
        self._error = 3 * len(ends) * sum(self._counts) + 1

    def locate(self, digits: int, bits: int) -> int | None:
        """Return the part with all numbers with these first digits, or None if it is unknown."""
        if bits > self._bits - 128:
            self._compute(2 * bits + 128)
        ends = self._ends
        low = (digits * ends[-1] >> bits) - 2 * self._error
        high = ((digits + 1) * ends[-1] >> bits) + 2 * self._error
        last = len(ends) - 1
        index = bisect_right(ends, low, 0, last)
        if index < last and ends[index] <= high:
            return None
        return self._order[index]
