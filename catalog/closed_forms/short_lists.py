"""Decision lists whose functions depend on at most two variables each, by products of matrices.

A short list has at most two rules of single literals, or one rule of two literals. It has one label
where a conjunction of at most two literals holds, and the other label elsewhere. So the number of
errors of every list follows from the numbers of rows on which pairs of literals hold.
"""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterable
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from catalog.closed_forms.by_formula import ByFormula
from catalog.closed_forms.list_counts import ListBounds, stated_or_bounds
from catalog.closed_forms.list_hardness import hardness_of_dimensions
from catalog.closed_forms.list_rules import LiteralList, literal_values, point_bytes, point_near
from catalog.cube import require_cube
from lsclasses.domain import OnDomain, Vectors
from lsclasses.error_histograms import ErrorHistogram, Weights, label_weights
from lsclasses.errors import TooLarge
from lsclasses.hypothesis import Hypothesis
from lsclasses.packing import require_memory
from lsclasses.point_names import Label, Point
from lsclasses.random_integers import uniform_below
from lsclasses.table import Table

MOST_ROWS = 1 << 52
"""Largest number of rows. Floating-point numbers represent sums up to this number exactly."""
ROWS_AT_A_TIME = 1 << 12
"""Number of different points of a sample that are read at once."""


class ShortLists(OnDomain[Vectors], ByFormula):
    """The short decision lists on {0,1}^n, or the lists that are consistent with some examples.

    The class has every function once, although several lists compute it. The state is the set of
    functions that are consistent with the examples.

    Parameters
    ----------
    bounds : ListBounds
        Parameters of the class. `is_short` holds for them.

    Examples
    --------
    >>> C = ShortLists(ListBounds(200, length=3))
    >>> C.size, C.restrict((0,) * 200, 1).size
    (159602, 79801)
    """

    def __init__(self, bounds: ListBounds) -> None:
        self.bounds = bounds
        self._domain = Vectors(2, bounds.n)
        self._first, self._second = _conjunctions(bounds)
        # Functions with label 0 and with label 1 where the conjunction holds. A single literal with
        # label 0 is the opposite literal with label 1, so the literals are variables.
        self._alive = np.ones((2, len(self._first)), dtype=bool)
        self._examples: tuple[tuple[Point, Label], ...] = ()

    @property
    def _state(self) -> Hashable:
        return self.bounds, np.packbits(self._alive).tobytes()

    def _is_empty(self) -> bool:
        return not self._alive.any()

    def _size(self) -> int:
        return int(np.count_nonzero(self._alive))

    def _restrict(self, x: Point, y: Label) -> ShortLists:
        holds = self._holds(x)
        alive = self._alive & np.stack([holds != y, holds == y])
        if np.array_equal(alive, self._alive):
            return self
        left: ShortLists = ShortLists.__new__(ShortLists)
        left.bounds, left._domain = self.bounds, self._domain
        left._first, left._second = self._first, self._second
        left._alive, left._examples = alive, (*self._examples, (x, y))
        return left

    def _holds(self, x: Point) -> NDArray[np.bool_]:
        """Return which of the conjunctions hold at a point."""
        values = literal_values(x)
        holds: NDArray[np.bool_] = values[self._first] & values[self._second]
        return holds

    def _leaving(self) -> Iterable[tuple[Point, Label]]:
        return self._examples

    def _formula(self, dimension: str) -> int | Fraction | None:
        if self._examples and dimension in ("ldim", "vcdim") and self._size() <= 3:
            return int(self._size() > 1)
        whole = not self._examples
        hardness = self._hardness_of_dimensions() if dimension == "ldim" else ""
        return stated_or_bounds(
            self.bounds, dimension, whole=whole, size=self._size(), hardness=hardness
        )

    def _hardness_of_dimensions(self) -> str:
        return hardness_of_dimensions(self.bounds)

    def _contains_zero(self) -> bool:
        # The conjunction of no literals comes first.
        return bool(self._alive[0, 0])

    def _soa(self) -> Hypothesis:
        # Refuse the rule at once if its labels need unknown dimensions.
        self.ldim()
        return super()._soa()

    # ---- concepts

    def _concept(self, label: int, place: int) -> LiteralList:
        always = 2 * self.bounds.n
        literals = [int(i) for i in (self._first[place], self._second[place]) if i != always]
        if not literals:
            return LiteralList(self._domain, (), label)
        return LiteralList(self._domain, [(literals, label)], 1 - label)

    def _lists_concepts(self) -> bool:
        return True

    def _concept_at(self, place: int) -> LiteralList:
        label, conjunction = divmod(int(np.flatnonzero(self._alive)[place]), len(self._first))
        return self._concept(label, conjunction)

    def _labels_of_concepts(self, x: Point) -> NDArray[np.bool_]:
        holds = self._holds(x)
        return np.concatenate([~holds[self._alive[0]], holds[self._alive[1]]])

    def _sample(self, rng: np.random.Generator) -> LiteralList:
        label, place = _chosen(self._alive, rng)
        return self._concept(label, place)

    def _sample_point(self, rng: np.random.Generator, target: Hypothesis) -> Point:
        return point_near(target, self._domain, rng)

    def _to_table(self) -> Table:
        n = self.bounds.n
        require_cube(n, "Decision lists")
        require_memory(self._size(), 2**n, repr(self))
        columns = [self._holds(x) for x in self._domain]
        holds = np.stack(columns, axis=1)
        rows = [holds[i] == bool(label) for label, i in np.argwhere(self._alive)]
        return Table(np.array(rows).reshape(-1, 2**n), domain=self._domain)

    def _error_histogram(self, weights: Weights, rows: int) -> ErrorHistogram:
        return ShortListErrors(self, weights, rows)

    def __repr__(self) -> str:
        known = f", {len(self._examples)} examples" if self._examples else ""
        return f"<Decision lists, {self.bounds}{known}>"


class ShortListErrors(ErrorHistogram):
    """The histogram of short decision lists by their errors on a sample.

    Let g(x) be the number of rows (x, 1) minus the number of rows (x, 0). If a list has label
    1 exactly where a conjunction holds, its number of errors is the number of rows with label 1
    minus the sum of g over the points where the conjunction holds. For a pair of literals, this sum
    is an entry of a product of matrices.

    Parameters
    ----------
    lists : ShortLists
    weights : mapping of (point, label) to int
        Number of rows that equal each example.
    rows : int
        Number of rows of the whole sample. A sample with too many rows is refused.
    """

    def __init__(self, lists: ShortLists, weights: Weights, rows: int) -> None:
        if rows > MOST_ROWS:
            raise TooLarge(
                f"The errors of short decision lists are counted on at most {MOST_ROWS} rows. Got "
                f"{rows}.",
                estimate=rows,
                limit=MOST_ROWS,
            )
        self._lists = lists
        ones = sum(count for (_, y), count in weights.items() if y)
        gained = _gains(lists.bounds.n, weights)[lists._first, lists._second].astype(np.int64)
        zeros = sum(weights.values()) - ones
        self._errors = np.stack([zeros + gained, ones - gained])
        numbers, counts = np.unique(self._errors[lists._alive], return_counts=True)
        self.counts = dict(zip(numbers.tolist(), counts.tolist(), strict=True))

    def _sample(self, errors: int, rng: np.random.Generator) -> LiteralList:
        label, place = _chosen(self._lists._alive & (self._errors == errors), rng)
        return self._lists._concept(label, place)


def _chosen(alive: NDArray[np.bool_], rng: np.random.Generator) -> tuple[int, int]:
    """Return a uniform position with the value true."""
    places = np.flatnonzero(alive)
    label, place = divmod(int(places[uniform_below(rng, len(places))]), alive.shape[1])
    return label, place


def _conjunctions(bounds: ListBounds) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the two literals of each conjunction. Literal 2 n always holds."""
    n = bounds.n
    always = 2 * n
    pairs: list[NDArray[np.integer]] = [np.array([[always], [always]])]
    if bounds.rules:
        pairs.append(np.stack([np.arange(n), np.full(n, always)]))
    i, j = np.triu_indices(n, 1)
    pairs += [np.stack([i + n * (not a), j + n * (not b)]) for a, b in bounds.pair_values]
    first, second = np.concatenate(pairs, axis=1).astype(np.int32)
    return first, second


def _gains(n: int, weights: Weights) -> NDArray[np.float64]:
    """Return the sum of g over the points where both literals hold, shape (2 n + 1, 2 n + 1)."""
    together, single, total = np.zeros((n, n)), np.zeros(n), 0.0
    points = iter(label_weights(weights).items())
    while block := list(itertools.islice(points, ROWS_AT_A_TIME)):
        joined = b"".join(point_bytes(x) for x, _ in block)
        values = np.frombuffer(joined, np.uint8).reshape(len(block), n).astype(np.float64)
        gain = np.array([ones - zeros for _, (zeros, ones) in block], dtype=np.float64)
        together += values.T @ (values * gain[:, None])
        single += gain @ values
        total += gain.sum()
    # Every number is an integer of absolute value at most 2^53, so all sums are exact.
    mixed = single[:, None] - together
    negated = total - single[:, None] - single[None, :] + together
    pairs = np.block([[together, mixed], [mixed.T, negated]])
    one = np.concatenate([single, total - single, [total]])
    return np.block([[pairs, one[:-1, None]], [one[None, :]]])
