"""Classes given by an oracle, which tells whether some concept fits examples."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any

from lsclasses.domain import Domain, FiniteDomain
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.hypothesis import Hypothesis
from lsclasses.lazy.examples import CONCEPTS_LIMIT, SourceAndExamples
from lsclasses.packing import require_memory
from lsclasses.points import Label, Point
from lsclasses.table import Table

Oracle = Callable[[tuple[tuple[Point, Label], ...]], Any]


class OracleClass(SourceAndExamples):
    """A class given by a procedure that tells whether some concept fits examples.

    Dimensions and the SOA need a table. It is found point by point, following only those labellings
    of the first points that some concept fits: at most two questions a point for every concept.

    Parameters
    ----------
    domain : Domain or iterable of points
    oracle : callable
        Given a tuple of examples (point, label) about different points, it says whether a concept
        fits all of them: a truth value; or a `Hypothesis` of the class that does, None if there is
        none, which saves questions.
    limit : int
        How many concepts may be found when the class is written out.

    Examples
    --------
    Closed under intersection: some concept fits iff no 0 is implied by the 1s.

    >>> def fits(examples):
    ...     ones = [x for x, y in examples if y]
    ...     return not any(min(ones) <= x <= max(ones) for x, y in examples if ones and not y)
    >>> C = OracleClass(range(8), fits)
    >>> C.size, C.ldim(), C.restrict(3, 1).restrict(6, 1).restrict(5, 0).is_empty
    (37, 4, True)
    """

    def __init__(
        self, domain: Domain | Iterable[Any], oracle: Oracle, *, limit: int = CONCEPTS_LIMIT
    ) -> None:
        if not callable(oracle):
            raise InvalidInput(
                f"An oracle must be a function of a tuple of examples. Got {oracle!r}."
            )
        self._domain = domain if isinstance(domain, Domain) else FiniteDomain(domain)
        self._oracle = oracle
        self._limit = limit
        self._examples = {}
        self._contradictory = False
        self._table = None
        self._answer: Any = ...

    def _source(self) -> Hashable:
        return self._oracle, self._domain

    def _extended(self, x: Point, y: Label) -> OracleClass:
        left: OracleClass = super()._extended(x, y)
        known = self._answer
        if not (isinstance(known, Hypothesis) and not left._contradictory and known._label(x) == y):
            left._answer = None if left._contradictory else ...
        return left

    def _asked(self) -> Any:
        """The answer of the oracle about the examples."""
        if self._answer is ...:
            self._answer = self._oracle(self.examples)
            if isinstance(self._answer, Hypothesis) and any(
                self._answer._label(x) != y for x, y in self._examples.items()
            ):
                raise InvalidInput(
                    "The oracle must give a hypothesis that agrees with the examples. "
                    f"Got {self._answer!r} for {list(self.examples)!r}."
                )
        return self._answer

    def _is_empty(self) -> bool:
        if self._table is not None:
            return self._table.is_empty
        return not self._asked_truth()

    def _asked_truth(self) -> bool:
        answer = self._asked()
        return isinstance(answer, Hypothesis) or bool(answer)

    def _written(self) -> Table:
        points = self._points("write out a class")
        rows: list[list[Label]] = []
        # Depth first, so that few version spaces are held at a time.
        stack: list[tuple[int, OracleClass, list[Label]]] = [(0, self, [])]
        while stack:
            j, left, labels = stack.pop()
            if left.is_empty:
                continue
            if j == len(points):
                if len(rows) == self._limit:
                    raise TooLarge(
                        f"The class has more than {self._limit} concepts. Allow more, or ask about "
                        "a smaller class.",
                        estimate=self._limit + 1,
                        limit=self._limit,
                    )
                require_memory(len(rows) + 1, len(points), repr(self))
                rows.append(labels)
                continue
            for y in (1, 0):
                below = left._restrict(points[j], y)
                assert isinstance(below, OracleClass)
                stack.append((j + 1, below, [*labels, y]))
        return Table(rows, domain=points)
