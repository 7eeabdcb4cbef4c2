"""Monotone Boolean functions."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from catalog.cube import cube_points
from catalog.facts import at, dual_facts, tabulated
from catalog.family import Fact, Family
from catalog.labellings import table_of
from lsclasses.domain import FiniteDomain
from lsclasses.specifications import Parameter
from lsclasses.table import Table

DEDEKIND = (2, 3, 6, 20, 168, 7581, 7828354)
"""How many monotone functions of n = 0, ..., 6 variables there are (OEIS A000372)."""

SMALL = "n <= 4"


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
    definition = "Points {0,1}^n; the concepts are all functions f with f(x) <= f(y) if x <= y."
    reference = "Dedekind 1897; OEIS A000372"
    parameters = (Parameter("n", "number of variables", minimum=0, maximum=9),)
    facts = (
        *tabulated("size", at("n", DEDEKIND), source="Dedekind numbers, OEIS A000372"),
        Fact("points", "2**n", source="by definition"),
        Fact("ldim", "binomial(n, floor(n/2))", "n <= 6", source="found by search"),
        Fact(
            "ldim",
            "binomial(n, floor(n/2))",
            relation=">=",
            source="the points with floor(n/2) ones are shattered",
        ),
        Fact(
            "ldim",
            "10*2**(n - 5)",
            "n >= 5",
            relation="<=",
            source=(
                "a function is a pair of functions of n - 1 variables, so Ldim is at most twice "
                "theirs, which is 10 at n = 5"
            ),
        ),
        Fact(
            "vcdim",
            "binomial(n, floor(n/2))",
            source="shattered sets are antichains; Sperner's theorem",
        ),
        *dual_facts(searched=SMALL),
        Fact(
            "threshold_dim",
            "2**n",
            source="in an order of all points that extends <=, every end is monotone",
            searched=SMALL,
        ),
        *tabulated("randomized_ldim", at("n", ("1/2", "3/4", "5/4", "131/64", "1829/512"))),
        Fact(
            "randomized_ldim",
            "binomial(n, floor(n/2))/2",
            relation=">=",
            source="RL >= vcdim / 2",
            searched=SMALL,
        ),
        Fact(
            "star_number",
            "binomial(n + 1, floor((n + 1)/2))",
            source=(
                "the points where the centre is 1, and those where it is 0, form antichains: two "
                "neighbouring levels are the largest union of two (Erdős 1945)"
            ),
            searched=SMALL,
        ),
        Fact(
            "hollow_star_number",
            "2",
            "n >= 1",
            source="x <= y, labelled 1 and 0",
            searched=SMALL,
        ),
        Fact("hollow_star_number", "0", "Eq(n, 0)", source="both labellings of the point"),
        Fact(
            "teaching_dim",
            "binomial(n + 1, floor((n + 1)/2))",
            source=(
                "the least points labelled 1 and the greatest labelled 0 teach a function, and "
                "none of them can be left out; see star_number"
            ),
            searched=SMALL,
        ),
        Fact(
            "recursive_teaching_dim",
            "binomial(n, floor(n/2))",
            source=(
                "larger functions first, by their least ones, an antichain; the functions that are "
                "arbitrary on the middle level and constant above and below are a full cube"
            ),
            searched=SMALL,
        ),
    )

    def _shape(self, *, n: int) -> tuple[int, int]:
        # Beyond the numbers listed: Hansel 1966
        most = DEDEKIND[n] if n < len(DEDEKIND) else int(3 ** math.comb(n, n // 2))
        return most, 2**n

    def _table(self, *, n: int) -> Table:
        # A function as a word, its label at the first point in the highest of 2^i bits.
        words = np.array([0, 1], dtype=np.uint64)
        for i in range(n):
            # A function of one more variable is a pair: its restrictions to 0 and to 1.
            pairs = [words[words & zeros == zeros] | zeros << np.uint64(2**i) for zeros in words]
            words = np.concatenate(pairs)
        words <<= np.uint64(64 - 2**n)
        return table_of(words[:, None], FiniteDomain(cube_points(n)))

    def instances(self) -> Iterator[dict[str, int]]:
        for n in range(6):
            yield {"n": n}
