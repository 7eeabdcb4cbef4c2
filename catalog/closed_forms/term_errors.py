"""Histograms of the errors of conjunctions and disjunctions on a sample.

A concept chooses, for every variable, one of its literals or none. It has its quiet label at a
point if no chosen literal is active there. So the number of rows at quiet points, for all choices
together, is a sum over the variables one by one: without a literal of a variable, all points count,
and with a literal, only the points where it is not active. This takes a step for each variable and
each of the 3^n choices (2^n for monotone classes).

No algorithm of polynomial time in n is known. With one, the exponential mechanism for a large
epsilon would find a conjunction with the fewest errors, which is NP-hard (Angluin and Laird 1988).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lsclasses.error_histograms import MACHINE, ErrorHistogram
from lsclasses.errors import TooLarge
from lsclasses.hypothesis import Hypothesis
from lsclasses.random_integers import uniform_below

MOST_CHOICES = 1 << 23
"""Largest number of choices of literals of a histogram."""

Variables = Sequence[tuple[int, ...]]
"""Literals that a concept may contain, as numbers of bits, for each relevant variable."""


def require_few_choices(variables: Variables, name: str) -> None:
    """Raise `TooLarge` if a class has too many choices of literals for a histogram.

    Raises
    ------
    TooLarge
        If the number of choices of literals exceeds `MOST_CHOICES`.
    """
    choices = math.prod(1 + len(literals) for literals in variables)
    if choices > MOST_CHOICES:
        power = f"about 2^{choices.bit_length() - 1}"
        raise TooLarge(
            f"Counting the concepts of {name} by their errors takes a step for each of {power} "
            f"concepts. The limit is {MOST_CHOICES}. No polynomial algorithm is known, because a "
            "conjunction with the fewest errors is NP-hard to find (Angluin and Laird 1988). Take "
            "at most 14 variables, or 23 variables without negations.",
            estimate=choices if choices.bit_length() < 1 << 12 else None,
            limit=MOST_CHOICES,
        )


class TermErrors(ErrorHistogram):
    """The histogram of the number of errors on a sample, over sets of literals.

    A set contains at most one literal of each variable. A literal is active at a point if it makes
    a conjunction 0, or a disjunction 1. The quiet label is the label of points without an active
    literal of the set.

    Parameters
    ----------
    variables : sequence of tuple of int
        Literals that a concept may contain, for each relevant variable.
    rows : iterable of (int, int, int)
        For each sample point: the active literals as bits, and the numbers of rows with the label
        that is not quiet and with the quiet label.
    demands : iterable of int
        Sets of literals, as bits, that a concept must meet.
    contradiction : bool
        Whether the concept that is never quiet is in the class, too.
    member : callable
        ``member(S)`` returns the concept of a set of literals as bits, or of None for the concept
        that is never quiet.
    """

    def __init__(
        self,
        variables: Variables,
        rows: Iterable[tuple[int, int, int]],
        demands: Iterable[int],
        *,
        contradiction: bool,
        member: Callable[[int | None], Hypothesis],
    ) -> None:
        self._variables, self._member = variables, member
        rows = list(rows)
        small = sum(loud + quiet for _, loud, quiet in rows) < MACHINE
        # Rows with the quiet label are errors of a concept that is not quiet at their point.
        self._never = sum(quiet for _, _, quiet in rows)
        changes = ((active, loud - quiet) for active, loud, quiet in rows)
        self._errors = self._never + self._quiet_sums(changes, np.int64 if small else object)
        missed = [(demand, 1) for demand in demands]
        self._valid = (
            self._quiet_sums(missed, np.int64) == 0
            if missed
            else np.ones(len(self._errors), dtype=bool)
        )
        values, numbers = np.unique(self._errors[self._valid], return_counts=True)
        found = dict(zip(map(int, values.tolist()), numbers.tolist(), strict=True))
        self._contradiction = contradiction
        if contradiction:
            found[self._never] = found.get(self._never, 0) + 1
        self.counts = dict(sorted(found.items()))

    def _quiet_sums(self, points: Iterable[tuple[int, int]], dtype: type) -> NDArray[Any]:
        """Return the sum of the weights of all quiet points, for each choice of literals."""
        shape = [1 + len(literals) for literals in self._variables]
        sums: NDArray[Any] = np.zeros(math.prod(shape), dtype)
        for active, weight in points:
            place = 0
            for literals in self._variables:
                place *= 1 + len(literals)
                place += next((i for i, b in enumerate(literals, 1) if active >> b & 1), 0)
            sums[place] += weight
        step = 1
        for size in reversed(shape):
            parts = sums.reshape(-1, size, step)
            everything = parts.sum(axis=1, keepdims=True)
            # Choice 0 is no literal, and choice i is the i-th literal of the variable.
            sums = np.concatenate([everything, everything - parts[:, 1:]], axis=1).reshape(-1)
            step *= size
        return sums

    def _sample(self, errors: int, rng: np.random.Generator) -> Hypothesis:
        places = np.flatnonzero(self._valid & (self._errors == errors))
        never = self._contradiction and errors == self._never
        drawn = uniform_below(rng, len(places) + never)
        if drawn == len(places):
            return self._member(None)
        place, chosen = int(places[drawn]), 0
        for literals in reversed(self._variables):
            place, choice = divmod(place, 1 + len(literals))
            chosen |= 1 << literals[choice - 1] if choice else 0
        return self._member(chosen)
