"""Classes of all sets of a given size, of at most a given size, and of all sets."""

from __future__ import annotations

import itertools
import math
from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from catalog.family import ClosedForm, Fact
from catalog.forms.counted_sets import CountedSets
from catalog.labellings import by_size
from lsclasses.domain import IntegerRange
from lsclasses.errors import InvalidInput
from lsclasses.specifications import Parameter
from lsclasses.table import Table

_POINTS = Parameter("n", "number of points", minimum=1)
_ANY_POINTS = replace(_POINTS, infinite=True)


class _SetsBySize(ClosedForm):
    """All sets of points whose sizes are in a range."""

    @abstractmethod
    def _sizes(self, *args: Any, **values: Any) -> range:
        """How many ones the concepts have."""

    def _check(self, *, n: int | float, k: int = 0) -> None:
        if k > n:
            raise InvalidInput(
                f"The parameter 'k' of {self.name!r} must be at most the number n={n} of points. "
                f"Got k={k}."
            )

    def _concept_class(self, *, n: int | float, **values: int) -> CountedSets:
        sizes = self._sizes(n=n, **values)
        domain = IntegerRange(0, None if isinstance(n, float) else n)
        return CountedSets(domain, sizes[0], sizes[-1])

    def _table(self, *, n: int, **values: int) -> Table:
        sizes = self._sizes(n=n, **values)
        names = [name for size in sizes for name in itertools.combinations(range(n), size)]
        return Table(by_size(n, sizes), concepts=names)


class Subsets(_SetsBySize):
    """All concepts with exactly k ones.

    Examples
    --------
    >>> C = Subsets().table(n=4, k=2)
    >>> [c.name for c in C]
    [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    >>> C.ldim(), Subsets().concept_class(n=2**64, k=5).ldim()
    (2, 5)
    """

    name = "subsets"
    title = "Sets of exactly k of n points"
    definition = (
        "Points 0, ..., n-1; the concepts are the sets of exactly k points, 0 <= k <= n. With "
        "n=inf the points are all natural numbers."
    )
    reference = "Littlestone 1988"
    parameters = (_ANY_POINTS, Parameter("k", "number of ones", minimum=0))
    facts = (
        Fact("size", "binomial(n, k)", source="by definition"),
        Fact("points", "n", source="by definition"),
        Fact(
            "ldim",
            "Min(k, n - k)",
            source="predicting always 0 errs k times, always 1 errs n - k times; any "
            "min(k, n - k) points are shattered",
        ),
        Fact(
            "vcdim",
            "Min(k, n - k)",
            source="min(k, n - k) points leave room for the ones and zeros that are still needed",
        ),
        Fact(
            "dual_ldim",
            "floor_log2(Min(k, n - k)) + 1",
            when="(k >= 1) & (k < n)",
            source="after the answer 1 to the first set at most k points are left, after 0 at most "
            "n - k; the lower bound is the dual VC dimension",
        ),
        Fact(
            "dual_vcdim",
            "floor_log2(Min(k, n - k)) + 1",
            when="(k >= 1) & (k < n)",
            source="d sets are shattered iff each of the 2^(d-1) cells inside and outside each of "
            "them can get a point: 2^(d-1) <= k, n - k; further points go to all or to none",
        ),
        Fact("dual_ldim", "0", when="Eq(k, 0) | Eq(k, n)", source="all points look alike"),
        Fact("dual_vcdim", "0", when="Eq(k, 0) | Eq(k, n)", source="all points look alike"),
        Fact(
            "threshold_dim",
            "Min(k, n - k + 1)",
            source="the first concept contains all t points, so t <= k; the last contains one of "
            "them and k - 1 others, so t <= n - k + 1; and this suffices",
        ),
        Fact(
            "randomized_ldim",
            "Sum(binomial(i + j, i)/2**(i + j), (i, 0, k - 1), (j, 0, n - k - 1))/2",
            source="every point splits alike, so this is half the expected number of fair coins "
            "until there are k ones or n - k zeros, summed over the (ones, zeros) before",
        ),
        Fact(
            "star_number",
            "Max(n - 2, k, n - k)",
            when="(k >= 1) & (k < n)",
            source="a star of ones needs a zero outside, a star of zeros a 1, a mixed star both",
        ),
        Fact("star_number", "0", when="Eq(k, 0) | Eq(k, n)", source="there is only one concept"),
        Fact(
            "hollow_star_number",
            "Max(k, n - k) + 1",
            when="(k >= 1) & (k < n)",
            source="a sample fits no concept iff it has k + 1 ones or n - k + 1 zeros",
        ),
        Fact(
            "hollow_star_number",
            "1",
            when="Eq(k, 0) | Eq(k, n)",
            source="a sample does not fit iff one of its labels is wrong",
        ),
        Fact(
            "teaching_dim",
            "Min(k, n - k)",
            source="all ones or all zeros must be shown, else one of each can be exchanged",
        ),
        Fact(
            "recursive_teaching_dim",
            "Min(k, n - k)",
            source="permutations map every concept to every other, so the easiest is no easier",
        ),
    )

    def _sizes(self, *, n: int | float, k: int) -> range:
        return range(k, k + 1)

    def instances(self) -> Iterator[dict[str, int]]:
        for n in range(1, 8):
            for k in range(n + 1):
                if math.comb(n, k) <= 35:
                    yield {"n": n, "k": k}


class AtMost(_SetsBySize):
    """All concepts with at most k ones.

    Examples
    --------
    >>> C = AtMost().table(n=3, k=1)
    >>> [c.name for c in C]
    [(), (0,), (1,), (2,)]
    """

    name = "at-most"
    title = "Sets of at most k of n points"
    definition = (
        "Points 0, ..., n-1; the concepts are the sets of at most k points, 0 <= k <= n. With "
        "n=inf the points are all natural numbers."
    )
    reference = "Floyd and Warmuth 1995"
    parameters = (_ANY_POINTS, Parameter("k", "largest number of ones", minimum=0))
    facts = (
        Fact("size", "Sum(binomial(n, i), (i, 0, k))", source="by definition"),
        Fact("points", "n", source="by definition"),
        Fact(
            "ldim",
            "k",
            source="predicting always 0 errs at most k times; any k points are shattered",
        ),
        Fact("vcdim", "k", source="any k points are shattered, k + 1 cannot all be 1"),
        Fact(
            "dual_ldim",
            "Min(floor_log2(k) + 1, floor_log2(n))",
            when="k >= 1",
            source="n points are left at first, at most k after the first answer 1; the lower "
            "bound is the dual VC dimension",
        ),
        Fact(
            "dual_vcdim",
            "Min(floor_log2(k) + 1, floor_log2(n))",
            when="k >= 1",
            source="d sets are shattered iff each of 2^d cells can get a point, 2^(d-1) in each "
            "set: 2^d <= n and 2^(d-1) <= k",
        ),
        Fact("dual_ldim", "0", when="Eq(k, 0)", source="all points look alike"),
        Fact("dual_vcdim", "0", when="Eq(k, 0)", source="all points look alike"),
        Fact(
            "threshold_dim",
            "k",
            source="the first concept contains all the points; the sets {x_i, ..., x_k} do it",
        ),
        Fact(
            "randomized_ldim",
            "Sum(binomial(t, i)/2**t, (i, 0, k - 1), (t, 0, n - 1))/2",
            source="every point splits alike, so this is half the expected number of fair coins "
            "until there are k ones or n coins: the sum of P[fewer than k ones among t coins]",
        ),
        Fact("star_number", "n", when="k >= 1", source="the empty set and the single points"),
        Fact("star_number", "0", when="Eq(k, 0)", source="there is only one concept"),
        Fact(
            "hollow_star_number",
            "k + 1",
            when="k < n",
            source="a sample fits no concept iff it has k + 1 ones",
        ),
        Fact("hollow_star_number", "0", when="Eq(k, n)", source="every sample fits"),
        Fact(
            "teaching_dim",
            "n",
            when="k >= 1",
            source="the empty set needs all n zeros, since any point could be added",
        ),
        Fact("teaching_dim", "0", when="Eq(k, 0)", source="there is only one concept"),
        Fact(
            "recursive_teaching_dim",
            "k",
            source="teach larger sets first, by their points; k points carry a full cube as a "
            "subclass, whose teaching dimension is k for every concept",
        ),
    )

    def _sizes(self, *, n: int | float, k: int) -> range:
        return range(k + 1)

    def instances(self) -> Iterator[dict[str, int]]:
        for n in range(1, 9):
            for k in range(n + 1):
                if n <= 4 or k <= 2:
                    yield {"n": n, "k": k}


class Cube(_SetsBySize):
    """All labellings of n points.

    Examples
    --------
    >>> Cube().table(n=3).vcdim()
    3
    """

    name = "cube"
    title = "All labellings of n points"
    definition = "Points 0, ..., n-1; every labelling is a concept."
    reference = "Littlestone 1988"
    parameters = (_POINTS,)
    facts = (
        Fact("size", "2**n", source="by definition"),
        Fact("points", "n", source="by definition"),
        Fact("ldim", "n", source="any label may be wrong"),
        Fact("vcdim", "n", source="by definition"),
        Fact("dual_ldim", "floor_log2(n)", source="every set of points is a question"),
        Fact("dual_vcdim", "floor_log2(n)", source="every set of points is a question"),
        Fact("threshold_dim", "n", source="all concepts x_i, ..., x_n are there"),
        Fact("randomized_ldim", "n/2", source="every point halves the class"),
        Fact("star_number", "n", source="any concept is the centre of a star"),
        Fact("hollow_star_number", "0", source="every sample fits"),
        Fact("teaching_dim", "n", source="any point that is not shown could change"),
        Fact("recursive_teaching_dim", "n", source="every concept is as hard to teach as any"),
    )

    def _sizes(self, *, n: int) -> range:
        return range(n + 1)

    def instances(self) -> Iterator[dict[str, int]]:
        for n in range(1, 8):
            yield {"n": n}
