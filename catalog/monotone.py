"""Monotone Boolean functions."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from catalog.cube import cube_points, table_of
from catalog.facts import known
from catalog.family import Family
from lsclasses.domain import FiniteDomain
from lsclasses.specifications import Parameter
from lsclasses.table import Table

FACTS = known(__file__, "monotone")
DEDEKIND = tuple(int(fact.expression) for fact in FACTS if fact.quantity == "size")
"""Numbers of monotone functions of n = 0, ..., 6 variables."""


class MonotoneFunctions(Family):
    """Monotone functions of n variables.

    Examples
    --------
    >>> C = MonotoneFunctions().table(n=2)
    >>> [len(c.support) for c in C]
    [0, 1, 2, 2, 3, 4]
    >>> C.ldim(), MonotoneFunctions().table(n=5).ldim()
    (2, 10)
    """

    name = "monotone"
    packed = True
    title = "Monotone functions of n variables"
    definition = "Points {0,1}^n. The concepts are all functions f with f(x) <= f(y) if x <= y."
    reference = "Dedekind 1897; OEIS A000372"
    parameters = (Parameter("n", "number of variables", minimum=0, maximum=9),)
    facts = FACTS

    def _shape(self, *, n: int) -> tuple[int, int]:
        # For larger n: Hansel 1966
        most = DEDEKIND[n] if n < len(DEDEKIND) else int(3 ** math.comb(n, n // 2))
        return most, 2**n

    def _table(self, *, n: int) -> Table:
        # A function is a word, with its label at the first point in the highest of 2^i bits.
        words = np.array([0, 1], dtype=np.uint64)
        for i in range(n):
            # A function of one more variable is a pair of its restrictions to 0 and to 1.
            pairs = [words[words & zeros == zeros] | zeros << np.uint64(2**i) for zeros in words]
            words = np.concatenate(pairs)
        words <<= np.uint64(64 - 2**n)
        return table_of(words[:, None], FiniteDomain(cube_points(n)))

    def instances(self) -> Iterator[dict[str, int]]:
        for n in range(6):
            yield {"n": n}
