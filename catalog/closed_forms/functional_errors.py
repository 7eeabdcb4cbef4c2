"""Histograms of the errors of affine functionals of GF(2)^n on a sample.

Let r be the rank of the equations of the sample points, modulo the equations of the class. The
labels of r independent points are free and determine the labels of all sample points, each of which
is a sum of some of these labels, possibly with a constant. So the sample distinguishes 2^r groups
of equally many functionals. A fast Walsh-Hadamard transform adds up the errors of all groups.

No algorithm of polynomial time in r is known. With one, the exponential mechanism for a large
epsilon would find a functional with the fewest errors. This is the problem of the nearest codeword,
which is NP-hard [BMT78].
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lsclasses.error_histograms import MACHINE, ErrorHistogram
from lsclasses.errors import TooLarge
from lsclasses.hypothesis import Hypothesis
from lsclasses.point_names import Label, Point
from lsclasses.random_integers import uniform_below

MOST_RANK = 22
"""Largest number of independent sample points of a histogram."""


def require_small_rank(rows: int, freedom: int, name: str) -> None:
    """Raise `TooLarge` if a class has too many groups of functionals on a sample.

    The decision depends on the public number of rows, not on the rows.

    Raises
    ------
    TooLarge
        If `rows` and `freedom` both exceed `MOST_RANK`.
    """
    if (rank := min(rows, freedom)) > MOST_RANK:
        raise TooLarge(
            f"Counting the concepts of {name} by their errors on {rows} rows takes a step for each "
            f"of 2^{rank} groups of concepts. The limit is 2^{MOST_RANK}. No polynomial algorithm "
            "is known, because a functional with the fewest errors is a nearest codeword, which "
            "is NP-hard to find [BMT78]. Take at most "
            f"{MOST_RANK} rows or a class with at most 2^{MOST_RANK} concepts.",
            estimate=1 << rank if rank < 1 << 12 else None,
            limit=1 << MOST_RANK,
        )


class FunctionalErrors(ErrorHistogram):
    """The histogram of the number of errors on a sample, over the functionals of a class.

    The labels of the functionals are affine functions of some free labels.

    Parameters
    ----------
    rows : iterable of (point, int, int, int, int)
        For each sample point: the point, its equation, the constant c of its label, and its numbers
        of rows with label 0 and 1. The equation is an integer whose bits are the coefficients. The
        label is c plus the value of the equation.
    freedom : int
        Number of degrees of freedom of the functionals.
    member : callable
        ``member(examples, rng)`` returns a uniformly random functional with the labels of some
        examples.
    """

    def __init__(
        self,
        rows: Iterable[tuple[Point, int, int, int, int]],
        freedom: int,
        member: Callable[[Sequence[tuple[Point, Label]], np.random.Generator], Hypothesis],
    ) -> None:
        self._member = member
        self._basis: list[tuple[Point, Label]] = []
        pivots: list[tuple[int, int]] = []
        gains: dict[int, int] = {}
        total = ones_in_all = 0
        for x, vector, constant, zeros, ones in rows:
            # `chosen` has the bits of the independent points whose labels add up to this label.
            equation, chosen = vector, 0
            for pivot, combination in pivots:
                if equation ^ pivot < equation:
                    equation, chosen = equation ^ pivot, chosen ^ combination
            if equation:
                own = 1 << len(self._basis)
                pivots.append((equation, chosen ^ own))
                pivots.sort(reverse=True)
                self._basis.append((x, constant))
                chosen = own
            gain = zeros - ones
            gains[chosen] = gains.get(chosen, 0) + (-gain if constant else gain)
            total, ones_in_all = total + zeros + ones, ones_in_all + ones + constant * gain
        # A point errs `ones` times with label 0, and `zeros - ones` times more often with label 1.
        # The label is (1 - (-1)^(sum))/2, with the sum of the free labels of the point.
        spectrum = np.zeros(1 << len(self._basis), np.int64 if total < MACHINE >> 1 else object)
        for place, gain in gains.items():
            spectrum[place] = gain
        transformed = _walsh_hadamard(spectrum)
        self._errors = ones_in_all + (sum(gains.values()) - transformed) // 2
        values, numbers = np.unique(self._errors, return_counts=True)
        multiple = 1 << freedom - len(self._basis)
        self.counts = {
            int(e): int(n) * multiple for e, n in zip(values, numbers.tolist(), strict=True)
        }

    def _sample(self, errors: int, rng: np.random.Generator) -> Hypothesis:
        groups = np.flatnonzero(self._errors == errors)
        group = int(groups[uniform_below(rng, len(groups))])
        labels = [(x, group >> i & 1 ^ c) for i, (x, c) in enumerate(self._basis)]
        return self._member(labels, rng)


def _walsh_hadamard(values: NDArray[Any]) -> NDArray[Any]:
    """Return the sums of the values at s times (-1)^<s, y>, for all y."""
    step = 1
    while step < len(values):
        pairs = values.reshape(-1, 2, step)
        values = np.stack([pairs[:, 0] + pairs[:, 1], pairs[:, 0] - pairs[:, 1]], axis=1)
        values = values.reshape(-1)
        step *= 2
    return values
