"""Decision lists of any length without a table, as far as their version spaces can be decided.

Rivest's algorithm decides whether an unbounded list is consistent with examples. With bounded
alternations, it covers as many examples as possible in every block. With bounded length, the
problem contains set cover, so a search decides it within a limit.

**Fewest errors.** A 1-decision list with the fewest errors on a sample is NP-hard to find. *Proof.*
Take a graph on the vertices 1, ..., n. The sample has n + 1 rows each of the zero vector and of
every e_i + e_j for an edge ij, all with label 0. It also has one row of every e_i with label 1. Let
h have the fewest errors. The constant 0 has n errors, so h is 0 on all repeated rows. If h(e_i) =
h(e_j) = 1 for an edge ij, then h is the exclusive or of two variables on the points 0, e_i, e_j and
e_i + e_j, but no 1-decision list is. So the i with h(e_i) = 1 are an independent set. Conversely,
let I be independent. The list with the rules "if x_j: 0" for all j outside I, then "if x_i: 1" for
all i in I, then 0, errs only on the n - |I| rows of e_j with j outside I. So the fewest errors are
n minus the largest size of an independent set. QED The lists have positive literals and at most two
alternations. A draw by weights exp(-rate errors) also finds such a list with probability 1/2 if
every row is repeated ln(2 N)/rate times, for N lists.

The module `catalog.closed_forms.list_hardness` proves that version spaces are hard to count.
"""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from catalog.closed_forms.by_formula import ByFormula
from catalog.closed_forms.list_counts import (
    ListBounds,
    counts_by_variables,
    random_list,
    random_literal_list,
    stated_or_bounds,
)
from catalog.closed_forms.list_hardness import PAGE, hardness_of_counts, hardness_of_dimensions
from catalog.closed_forms.list_rules import LiteralList, Rules, point_bytes, point_near
from catalog.cube import MAX_VARIABLES
from lsclasses.domain import OnDomain, Vectors
from lsclasses.error_histograms import ErrorHistogram, Weights
from lsclasses.errors import TooLarge
from lsclasses.hypothesis import Hypothesis
from lsclasses.point_names import Label, Point
from lsclasses.table import Table

MOST_BYTES = 1 << 28
"""Largest number of bytes of the values of all conjunctions on all examples.

A byte contains eight values.
"""
MOST_LISTS = 1 << 12
"""Largest number of beginnings of lists that the search for a short list tries."""


class LongLists(OnDomain[Vectors], ByFormula):
    """The decision lists on {0,1}^n, or the lists that are consistent with some examples.

    Parameters
    ----------
    bounds : ListBounds
        Parameters of the class.

    Notes
    -----
    The state is the set of examples. So two version spaces compare as different if their examples
    differ, even where the same lists are consistent with both.

    *Random concepts.* Before an example, 1-decision lists are uniform over their functions if they
    have at most `catalog.closed_forms.list_counts.COUNTED_UP_TO` rules. The distribution of other
    lists is the distribution of `catalog.closed_forms.list_counts.random_list`. After examples, the
    concept is the list that `consistent_list` finds, so it is not random.

    References
    ----------
    Rivest 1987

    Examples
    --------
    >>> C = LongLists(ListBounds(200))
    >>> one, zero = (1,) * 200, (0,) * 200
    >>> C.given([(one, 1), (zero, 0)]).is_empty, C.given([(one, 1), (one, 0)]).is_empty
    (False, True)
    """

    def __init__(self, bounds: ListBounds, examples: Mapping[Point, Label] | None = None) -> None:
        self.bounds = bounds
        self._domain = Vectors(2, bounds.n)
        self._examples: Mapping[Point, Label] | None = {} if examples is None else examples

    @property
    def _state(self) -> Hashable:
        examples = self._examples
        return self.bounds, None if examples is None else frozenset(examples.items())

    def _restrict(self, x: Point, y: Label) -> LongLists:
        if self._examples is None or self._examples.get(x) == y:
            return self
        left = LongLists(self.bounds)
        # A point with both labels leaves no list.
        left._examples = None if x in self._examples else {**self._examples, x: y}
        return left

    def _is_empty(self) -> bool:
        return self._consistent is None

    @cached_property
    def _consistent(self) -> LiteralList | None:
        """A list that is consistent with all examples, or None if no such list exists."""
        return None if self._examples is None else consistent_list(self.bounds, self._examples)

    def _leaving(self) -> Iterable[tuple[Point, Label]]:
        return () if self._examples is None else self._examples.items()

    def _size(self) -> int:
        if self._examples is None:
            return 0
        if self._examples or self.bounds.k > 1:
            kind = "that are consistent with examples" if self._examples else "of conjunctions"
            reason = self._hardness_of_counts()
            raise TooLarge(
                f"No formula gives the number of decision lists {kind}, {self.bounds}."
                + (reason and f" {reason} The learner best needs only a consistent list.")
            )
        return sum(counts_by_variables(self.bounds))

    def _formula(self, dimension: str) -> int | Fraction | None:
        size = None
        if self.bounds.k == 1:
            try:
                size = sum(counts_by_variables(self.bounds))
            except TooLarge:
                size = None
        hardness = self._hardness_of_dimensions() if dimension == "ldim" else ""
        return stated_or_bounds(
            self.bounds, dimension, whole=not self._examples, size=size, hardness=hardness
        )

    def _closed_form(self, dimension: str) -> int | Fraction | None:
        # Whether a list is consistent can be a hard problem, and bounds do not need the answer.
        return (
            super()._closed_form(dimension) if self._examples is None else self._formula(dimension)
        )

    def _counts_version_spaces(self, rows: int | None = None) -> bool:
        return False

    def _hardness_of_counts(self) -> str:
        return hardness_of_counts(self.bounds)

    def _hardness_of_dimensions(self) -> str:
        return hardness_of_dimensions(self.bounds)

    def _hardness_of_weights(self) -> str:
        if self.bounds.k > 1 or self.bounds.length or self.bounds.alternations == 1:
            return ""
        return (
            "A draw by weights of the errors finds a list with the fewest errors if the rows are "
            "repeated. Such a list is NP-hard to find, by a reduction from independent sets "
            f"({PAGE})."
        )

    def _soa(self) -> Hypothesis:
        # Refuse the rule at once if its labels need unknown dimensions.
        self.ldim()
        return super()._soa()

    def _contains_zero(self) -> bool:
        return self._examples is not None and not any(self._examples.values())

    def _sample(self, rng: np.random.Generator) -> LiteralList:
        if self._examples:
            assert self._consistent is not None
            return self._consistent
        if self.bounds.k == 1:
            try:
                return random_literal_list(self.bounds, rng)
            except TooLarge:
                pass
        return random_list(self.bounds, rng)

    def _sample_point(self, rng: np.random.Generator, target: Hypothesis) -> Point:
        return point_near(target, self._domain, rng)

    def _to_table(self) -> Table:
        raise TooLarge(
            f"The decision lists with {self.bounds} are not listed. A table has a column for each "
            f"of 2^{self.bounds.n} points, and tables have at most {MAX_VARIABLES} variables. "
            "Lists of at most two literals, length=3 for k=1 or length=2 for k=2, are counted and "
            "drawn without a table."
        )

    def _error_histogram(self, weights: Weights, rows: int) -> ErrorHistogram:
        lists = "all functions"
        if self.bounds.k == 1 and not self._examples:
            number = sum(counts_by_variables(self.bounds))
            steps = number * rows
            lists = f"about 2^{number.bit_length() - 1} functions"
        else:
            steps = None
        reason = self._hardness_of_weights()
        raise TooLarge(
            "A draw by errors needs the number of lists with each number of errors. For decision "
            f"lists of more than two rules, {self.bounds}, this takes a step for each of {lists}"
            + (f" and each of {rows} rows" if rows else "")
            + (f", about 2^{steps.bit_length() - 1} steps. " if steps else ". ")
            + (reason and f"{reason} ")
            + "Take length=3 for k=1, or length=2 for k=2.",
            estimate=steps,
        )

    def __repr__(self) -> str:
        known = f", {len(self._examples)} examples" if self._examples else ""
        empty = ", none left" if self._examples is None else ""
        return f"<Decision lists, {self.bounds}{known}{empty}>"


# ---- consistent lists


def consistent_list(bounds: ListBounds, examples: Mapping[Point, Label]) -> LiteralList | None:
    """Return a list of the class that is consistent with the examples, or None without such a list.

    Raises
    ------
    TooLarge
        If the values of all conjunctions take too much memory, or the search for a list of bounded
        length is stopped.

    Examples
    --------
    >>> examples = {(1, 0, 1): 1, (0, 0, 1): 0, (0, 1, 0): 1}
    >>> consistent_list(ListBounds(3), examples)
    <if x1: 1, else if x2: 1, else 0>
    >>> consistent_list(ListBounds(3, length=1), examples) is None
    True
    """
    search = _Search.of(bounds, examples)
    found = search.by_blocks()
    if found is not None and len(found[0]) > bounds.rules:
        found = search.short()
    return None if found is None else LiteralList(Vectors(2, bounds.n), *found)


Found = tuple[Rules, Label]


@dataclass
class _Search:
    """The values of all conjunctions on the examples, packed along the examples."""

    bounds: ListBounds
    conjunctions: _Conjunctions
    values: NDArray[np.uint8]
    ones: NDArray[np.uint8]
    everything: NDArray[np.uint8]
    tried: int = 0

    @classmethod
    def of(cls, bounds: ListBounds, examples: Mapping[Point, Label]) -> _Search:
        width = -(-len(examples) // 8)
        size = bounds.features * max(1, width)
        if size > MOST_BYTES:
            raise TooLarge(
                f"The values of {bounds.features} conjunctions on {len(examples)} examples take "
                f"{size} bytes. The limit is {MOST_BYTES} bytes.",
                estimate=size,
                limit=MOST_BYTES,
            )
        joined = b"".join(map(point_bytes, examples))
        points = np.frombuffer(joined, np.uint8).reshape(len(examples), bounds.n).T
        literals = np.packbits(np.concatenate([points, 1 - points]), axis=1)
        conjunctions = _Conjunctions(bounds)
        ones = np.packbits(np.array(list(examples.values()), dtype=np.uint8))
        everything = np.packbits(np.ones(len(examples), dtype=np.uint8))
        return cls(bounds, conjunctions, conjunctions.values(literals), ones, everything)

    def _pure(self, left: NDArray[np.uint8], label: Label) -> NDArray[np.intp]:
        """Return the conjunctions that hold on a remaining example, and only on such of a label."""
        other = left & (~self.ones if label else self.ones)
        holds = (self.values & left).any(axis=1)
        return np.flatnonzero(holds & ~(self.values & other).any(axis=1))

    def _single_label(self, left: NDArray[np.uint8]) -> Label | None:
        """Return the label of all remaining examples, or None if both labels remain."""
        if not (left & self.ones).any():
            return 0
        return None if (left & ~self.ones).any() else 1

    # ---- by blocks

    def by_blocks(self) -> Found | None:
        """Return a consistent list of blocks, or None if no list is consistent.

        Every block covers as many examples as possible. Covering more examples in a block never
        hurts, because every list that is consistent with the remaining examples is consistent with
        fewer of them. So the result is None only if no list with these alternations is consistent.
        """
        attempts = [found for label in (0, 1) if (found := self._blocks(label)) is not None]
        return min(attempts, key=lambda found: len(found[0]), default=None)

    def _blocks(self, label: Label) -> Found | None:
        left, rules, failures = self.everything, list[tuple[int, Label]](), 0
        # Unbounded lists have at most one block for every conjunction.
        for _ in range(self.bounds.changes + 1):
            default = self._single_label(left)
            if default is not None:
                return self._listed(rules, default)
            if failures == 2:
                return None
            chosen = self._cover(left, self._pure(left, label))
            failures = 0 if len(chosen) else failures + 1
            for i in chosen:
                left = left & ~self.values[i]
                rules.append((i, label))
            label = 1 - label
        return None

    def _cover(self, left: NDArray[np.uint8], pure: NDArray[np.intp]) -> list[int]:
        """Return some of the given conjunctions that cover their examples, greedily."""
        chosen = []
        values = self.values[pure] & left
        while len(pure):
            numbers = np.bitwise_count(values).sum(axis=1)
            best = int(numbers.argmax())
            if not numbers[best]:
                break
            chosen.append(int(pure[best]))
            values &= ~values[best]
        return chosen

    def _listed(self, rules: Iterable[tuple[int, Label]], default: Label) -> Found:
        return tuple((self.conjunctions[i], label) for i, label in rules), default

    # ---- bounded length

    def short(self) -> Found | None:
        """Return a consistent list of bounded length, by trying beginnings of lists."""
        self.tried = 0
        found = self._continued(self.everything, (), self.bounds.changes)
        return None if found is None else self._listed(*found)

    def _continued(
        self, left: NDArray[np.uint8], rules: tuple[tuple[int, Label], ...], changes: int
    ) -> tuple[tuple[tuple[int, Label], ...], Label] | None:
        self.tried += 1
        if self.tried > MOST_LISTS:
            raise TooLarge(
                f"Whether a list with {self.bounds} is consistent with {self._number} examples "
                f"contains a set cover problem. The search stopped after {MOST_LISTS} beginnings "
                "of lists. Unbounded length is decided quickly.",
                limit=MOST_LISTS,
            )
        default = self._single_label(left)
        if default is not None and not (rules and rules[-1][1] != default and not changes):
            return rules, default
        if len(rules) >= self.bounds.rules:
            return None
        for label in (0, 1):
            remaining = changes - (bool(rules) and rules[-1][1] != label)
            if remaining < 0:
                continue
            for i in self._largest(left, self._pure(left, label)):
                found = self._continued(left & ~self.values[i], (*rules, (i, label)), remaining)
                if found is not None:
                    return found
        return None

    def _largest(self, left: NDArray[np.uint8], pure: NDArray[np.intp]) -> Iterator[int]:
        """Yield conjunctions whose examples no other conjunction covers, largest first.

        Another list is consistent with fewer remaining examples, so a smaller set is never needed.
        """
        values = self.values[pure] & left
        order = np.argsort(-np.bitwise_count(values).sum(axis=1, dtype=np.int64), kind="stable")
        kept: list[NDArray[np.uint8]] = []
        for place in order:
            if not any(not (values[place] & ~larger).any() for larger in kept):
                kept.append(values[place])
                yield int(pure[place])

    @property
    def _number(self) -> int:
        return int(np.bitwise_count(self.everything).sum())


class _Conjunctions:
    """The conjunctions of at most k literals, in the order of `_Search.values`."""

    def __init__(self, bounds: ListBounds) -> None:
        n, k = bounds.n, min(bounds.k, bounds.n)
        signs = (0,) if bounds.monotone else (0, 1)
        self._literals = [
            np.array(
                [
                    [v + n * sign for v, sign in zip(chosen, values, strict=True)]
                    for chosen in itertools.combinations(range(n), size)
                    for values in itertools.product(signs, repeat=size)
                ],
                dtype=np.int32,
            )
            for size in range(1, k + 1)
        ]

    def values(self, literals: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return the packed values of all conjunctions, from the packed values of the literals."""
        return np.concatenate(
            [np.bitwise_and.reduce(literals[rows], axis=1) for rows in self._literals]
        )

    def __getitem__(self, place: int) -> tuple[int, ...]:
        for rows in self._literals:
            if place < len(rows):
                return tuple(sorted(rows[place].tolist()))
            place -= len(rows)
        raise IndexError(place)
