"""Replacers of points that are as bad as they may be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from learners.coins import Coins
from learners.sanitizers.intervals import Places, Replacer
from lsclasses.points import Point
from lsclasses.table import Table


@dataclass(frozen=True)
class AllowedReplacer(Replacer):
    """A replacer that [LWY25, Def. E.1] allows: it hits what is 1 at least `level` times.

    What is 1 less often, but somewhere, may be said to be 1 somewhere or not: never ("none"),
    always ("all"), or as coins fall ("random"). Points are a smallest set that hits all that is
    said to be 1 somewhere, or, as coins fall, another one.
    """

    table: Table
    level: int
    free: str

    @property
    def cost(self) -> None:
        return None

    @property
    def missed(self) -> int:
        return self.level - 1

    def replaced(self, points: Sequence[Point], coins: Coins) -> Places:
        counts = np.bincount(
            [self.table.domain.index(x) for x in points], minlength=len(self.table.domain)
        )
        rows = self.table.labels
        wanted = [
            row
            for row, ones in zip(rows, (rows @ counts).tolist(), strict=True)
            if ones >= self.level or (ones and self._said(coins))
        ]
        chosen = self._hitting(wanted, len(points), coins)
        return (*chosen, *(None,) * (len(points) - len(chosen)))

    def _said(self, coins: Coins) -> bool:
        return self.free == "all" or (self.free == "random" and coins.flip(Fraction(1, 2)))

    def _hitting(self, wanted: list[NDArray[np.uint8]], size: int, coins: Coins) -> Places:
        domain = self.table.domain
        sets = [
            chosen
            for length in range(size + 1)
            for chosen in combinations(range(len(domain)), min(length, len(domain)))
            if all(row[list(chosen)].any() for row in wanted)
        ]
        smallest = [chosen for chosen in sets if len(chosen) == len(sets[0])]
        if self.free == "random":
            smallest = sets
        at = coins.below(len(smallest))
        return tuple(domain[i] for i in smallest[at])


@dataclass(frozen=True)
class HidingReplacer(Replacer):
    """A replacer that shows the letter b if it occurs more than `most` times."""

    most: int

    @property
    def cost(self) -> None:
        return None

    @property
    def missed(self) -> int:
        return self.most

    def replaced(self, points: Sequence[Point], coins: Coins) -> Places:
        return ("b" if points.count("b") > self.most else "a",) * len(points)
