"""Classes of all sets of given sizes: k points, at most k points, the middle sizes, all sizes."""

from __future__ import annotations

import itertools
import math
from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from catalog.closed_forms.counted_sets import CountedSets
from catalog.cube import by_size
from catalog.facts import known
from catalog.family import ClosedForm
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
        """Return the sizes of the concepts, as sets of points."""

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
        return _sets_table(n, self._sizes(n=n, **values))


def _sets_table(n: int, sizes: range) -> Table:
    """Return the table of all sets of these sizes, named by their points."""
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
        "Points 0, ..., n-1. The concepts are the sets of exactly k points, 0 <= k <= n. With "
        "n=inf the points are all natural numbers."
    )
    reference = "Littlestone 1988"
    parameters = (_ANY_POINTS, Parameter("k", "number of ones", minimum=0))
    facts = known(__file__, "subsets")

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
        "Points 0, ..., n-1. The concepts are the sets of at most k points, 0 <= k <= n. With "
        "n=inf the points are all natural numbers."
    )
    reference = "Floyd and Warmuth 1995"
    parameters = (_ANY_POINTS, Parameter("k", "largest number of ones", minimum=0))
    facts = known(__file__, "at-most")

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
    definition = "Points 0, ..., n-1. Every labelling is a concept."
    reference = "Littlestone 1988"
    parameters = (_POINTS,)
    facts = known(__file__, "cube")

    def _sizes(self, *, n: int) -> range:
        return range(n + 1)

    def instances(self) -> Iterator[dict[str, int]]:
        for n in range(1, 8):
            yield {"n": n}


class MiddleLayers(ClosedForm):
    """The two middle layers of a cube of odd dimension.

    Examples
    --------
    >>> [c.name for c in MiddleLayers().table(m=1)]
    [(0,), (1,), (2,), (0, 1), (0, 2), (1, 2)]
    >>> MiddleLayers().concept_class(m=2**64).ldim() == 2**64 + 1
    True
    """

    name = "middle-layers"
    title = "Sets of m or m + 1 of 2m + 1 points"
    definition = (
        "Points 0, ..., 2m. The concepts are the sets of m points and the sets of m + 1 points."
    )
    reference = "O. Bousquet's catalogue of combinatorial parameters"
    parameters = (Parameter("m", "smaller size of a set", minimum=1),)
    facts = known(__file__, "middle-layers")

    def _concept_class(self, *, m: int) -> CountedSets:
        return CountedSets(IntegerRange(0, 2 * m + 1), m, m + 1)

    def _table(self, *, m: int) -> Table:
        return _sets_table(2 * m + 1, range(m, m + 2))

    def instances(self) -> Iterator[dict[str, int]]:
        for m in range(1, 4):
            yield {"m": m}
