"""Classes given by an enumeration of their concepts, drawn from as far as a query needs."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any

import numpy as np

from lsclasses.domain import Domain, FiniteDomain
from lsclasses.errors import TooLarge
from lsclasses.hypothesis import Hypothesis
from lsclasses.lazy.examples import CONCEPTS_LIMIT, SourceAndExamples
from lsclasses.lazy.functions import Labelling, hypothesis_of
from lsclasses.packing import require_memory
from lsclasses.table import Table


class _Enumeration:
    """An iterator of labellings, drawn from as far as needed; shared by all version spaces."""

    def __init__(self, domain: Domain, concepts: Iterator[Any], limit: int) -> None:
        self._domain = domain
        self._rest = concepts
        self._limit = limit
        self._drawn: list[Hypothesis] = []
        self._finished = False

    def __getitem__(self, i: int) -> Hypothesis | None:
        """The i-th labelling; None if there are at most i."""
        while i >= len(self._drawn) and not self._finished:
            if len(self._drawn) == self._limit:
                raise TooLarge(
                    f"The first {self._limit} concepts of the enumeration do not settle this. "
                    "Allow more concepts, or ask about a smaller class.",
                    estimate=self._limit + 1,
                    limit=self._limit,
                )
            try:
                self._drawn.append(hypothesis_of(self._domain, next(self._rest)))
            except StopIteration:
                self._finished = True
        return self._drawn[i] if i < len(self._drawn) else None

    def __iter__(self) -> Iterator[Hypothesis]:
        i = 0
        while (h := self[i]) is not None:
            yield h
            i += 1

    @property
    def drawn(self) -> int:
        """The number of labellings drawn so far."""
        return len(self._drawn)


class LazyClass(SourceAndExamples):
    """A class given by an enumeration of its concepts, which may be endless.

    Whether some concept fits examples is answered by the first that does; the search for it starts
    where the one for fewer examples ended. The size, dimensions and the SOA need all concepts.

    Parameters
    ----------
    domain : Domain or iterable of points
    concepts : iterable, or callable that returns one
        Hypotheses on the domain, or functions from points to labels. Repetitions do not matter.
    limit : int
        How many concepts may be drawn.

    Examples
    --------
    All unions of residue classes, smaller moduli first, without end:

    >>> from lsclasses import IntegerRange
    >>> import itertools
    >>> def periodic():
    ...     for m in itertools.count(1):
    ...         for rests in itertools.product((0, 1), repeat=m):
    ...             yield lambda x, m=m, rests=rests: rests[x % m]
    >>> C = LazyClass(IntegerRange(0), periodic)
    >>> left = C.given([(0, 1), (1, 0), (2, 0), (3, 1)])
    >>> left.is_empty, left.drawn
    (False, 11)
    """

    def __init__(
        self,
        domain: Domain | Iterable[Any],
        concepts: Iterable[Labelling] | Callable[[], Iterable[Labelling]],
        *,
        limit: int = CONCEPTS_LIMIT,
    ) -> None:
        self._domain = domain if isinstance(domain, Domain) else FiniteDomain(domain)
        drawn = concepts() if callable(concepts) else concepts
        self._enumeration = _Enumeration(self._domain, iter(drawn), limit)
        self._examples = {}
        self._contradictory = False
        self._table = None
        self._first = 0

    @property
    def drawn(self) -> int:
        """The number of concepts of the enumeration that queries have drawn so far."""
        return self._enumeration.drawn

    def _source(self) -> Hashable:
        return self._enumeration

    def _fits(self, h: Hypothesis) -> bool:
        return all(h._label(x) == y for x, y in self._examples.items())

    def _is_empty(self) -> bool:
        if self._contradictory:
            return True
        while (h := self._enumeration[self._first]) is not None and not self._fits(h):
            self._first += 1
        return h is None

    def _size(self) -> int:
        if self._domain.size is not None:
            return len(self.to_table())
        if self._contradictory:
            return 0
        return len({h for h in self._enumeration if self._fits(h)})

    def _written(self) -> Table:
        points = self._points("write out a class")
        rows: list[np.ndarray] = []
        names: list[int] = []
        if not self._contradictory:
            for i, h in enumerate(self._enumeration):
                if self._fits(h):
                    require_memory(len(rows) + 1, len(points), repr(self))
                    rows.append(h.to_concept().labels)
                    names.append(i)
        table = Table(np.array(rows) if rows else [], domain=points, concepts=names)
        table.merged = 0
        return table
