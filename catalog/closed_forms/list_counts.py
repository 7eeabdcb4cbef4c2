"""Numbers of decision lists, uniform random lists of single literals, and bounds on dimensions."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np

from catalog.closed_forms.by_formula import stated_value
from catalog.closed_forms.list_rules import LiteralList
from lsclasses.domain import Vectors
from lsclasses.error_histograms import weighted_place
from lsclasses.errors import TooLarge
from lsclasses.random_integers import uniform_below

COUNTED_UP_TO = 500
"""Largest number of rules of the lists that are counted."""
RANDOM_RULES = 8
"""Largest number of rules of a random list of conjunctions."""
MOST_FUNCTIONS = 1 << 24
"""Largest number of functions of short lists that are listed."""


@dataclass(frozen=True)
class ListBounds:
    """The parameters of a class of decision lists, as in the family ``decision-lists``.

    Parameters
    ----------
    n : int
        Number of variables.
    k : int
        Largest number of literals in a rule.
    length, alternations : int
        Largest length of a list, and largest number of its alternations: rules whose label differs
        from the next label of the list. 0 means no bound.
    monotone : bool
        Whether rules test only variables.
    """

    n: int
    k: int = 1
    length: int = 0
    alternations: int = 0
    monotone: bool = False

    @property
    def features(self) -> int:
        """The number of conjunctions that a rule may test."""
        sizes = range(1, min(self.k, self.n) + 1)
        return sum(math.comb(self.n, i) * (1 if self.monotone else 2**i) for i in sizes)

    @property
    def rules(self) -> int:
        """The largest number of rules that a list needs in addition to its default."""
        most = self.n if self.k == 1 else self.features
        return min(self.length - 1, most) if self.length else most

    @property
    def changes(self) -> int:
        """The largest number of alternations that a list of the class can have."""
        return min(self.alternations, self.rules) if self.alternations else self.rules

    @property
    def is_short(self) -> bool:
        """Whether the class has few functions, and each function depends on at most two variables.

        Such a function has its rarer label exactly where some conjunction of at most two literals
        holds.
        """
        fits = (self.rules <= 1 and min(self.k, self.n) <= 2) or (self.rules <= 2 and self.k == 1)
        return fits and 2 * math.comb(self.n, 2) * len(self.pair_values) <= MOST_FUNCTIONS

    @property
    def pair_values(self) -> list[tuple[int, int]]:
        """The pairs of values of two variables at which a short list may have its rarer label.

        Two rules with equal labels, on variables, give the default's label where both are 0. Two
        rules with different labels give the second label where the first is 0 and the second is 1.
        """
        if self.rules < 2 and min(self.k, self.n) < 2:
            return []
        if not self.monotone:
            return [(1, 1), (1, 0), (0, 1), (0, 0)] if self.rules else []
        if self.k > 1:
            return [(1, 1)] if self.rules else []
        return [(0, 0), (0, 1), (1, 0)] if self.changes > 1 else [(0, 0)]

    def __str__(self) -> str:
        parts = [f"n={self.n}", f"k={self.k}"]
        parts += [f"length {self.length}"] * (self.length > 0)
        parts += [f"{self.alternations} alternations"] * (self.alternations > 0)
        return ", ".join([*parts, *["monotone"] * self.monotone])


# ---- lists of single literals


@cache
def counts_by_variables(bounds: ListBounds) -> tuple[int, ...]:
    """Return, for every j, the number of functions of 1-decision lists that depend on j variables.

    Raises
    ------
    TooLarge
        If the lists may have more than `COUNTED_UP_TO` rules.

    Examples
    --------
    >>> counts_by_variables(ListBounds(4)), sum(counts_by_variables(ListBounds(4)))
    ((2, 8, 48, 256, 736), 1050)
    """
    rules = bounds.rules
    if rules > COUNTED_UP_TO:
        raise TooLarge(
            f"The functions of decision lists with up to {rules} rules are not counted. The limit "
            f"is {COUNTED_UP_TO} rules.",
            estimate=rules,
            limit=COUNTED_UP_TO,
        )
    found = [2]
    for j in range(1, rules + 1):
        if bounds.monotone:
            found.append(2 * math.comb(bounds.n, j) * _partitions(j, _blocks(bounds, j), 1))
        elif j == 1:
            found.append(2 * bounds.n)
        else:
            partitions = _partitions(j, _blocks(bounds, j), 2)
            found.append(math.comb(bounds.n, j) * partitions << j + 1)
    return tuple(found)


def _blocks(bounds: ListBounds, variables: int) -> int:
    return min(bounds.changes, variables)


def _partitions(things: int, blocks: int, last: int) -> int:
    """Return the number of sequences of at most `blocks` blocks that partition the things.

    The last block has at least `last` things.
    """
    # Rows of numbers have few different lengths, so that other numbers of things reuse them.
    length = 1 << things.bit_length()
    if blocks >= things:
        return _all_partitions(length, last)[things]
    return _few_blocks(length, blocks, last)[things]


@cache
def _all_partitions(length: int, last: int) -> tuple[int, ...]:
    """Return the numbers for less than `length` things and any number of blocks."""
    row = [0]
    for j in range(1, length):
        row.append(int(j >= last) + sum(math.comb(j, i) * row[i] for i in range(1, j)))
    return tuple(row)


@cache
def _few_blocks(length: int, blocks: int, last: int) -> tuple[int, ...]:
    """Return the numbers for less than `length` things and at most `blocks` blocks."""
    if not blocks:
        return (0,) * length
    row = _few_blocks(length, blocks - 1, last)
    return tuple(
        int(j >= last) + sum(math.comb(j, i) * row[i] for i in range(1, j)) for j in range(length)
    )


def random_literal_list(bounds: ListBounds, rng: np.random.Generator) -> LiteralList:
    """Return a uniformly random function of the 1-decision lists, as a list in normal form."""
    n = bounds.n
    count = weighted_place(counts_by_variables(bounds), rng)
    variables = _some_of(n, count, rng)
    label = int(rng.integers(2))
    if bounds.monotone or count == 1:
        literals = variables
    else:
        literals = [v + n * int(rng.integers(2)) for v in variables]
    rules: list[tuple[list[int], int]] = []
    for size in _random_sizes(count, _blocks(bounds, count), bounds, rng):
        rules += [([literals.pop()], label) for _ in range(size)]
        label = 1 - label
    return LiteralList(Vectors(2, n), rules, label)


def _random_sizes(
    things: int, blocks: int, bounds: ListBounds, rng: np.random.Generator
) -> Iterator[int]:
    """Yield the sizes of the blocks of a uniformly random sequence of blocks."""
    last = 1 if bounds.monotone or things == 1 else 2
    while things:
        numbers = [0] * things
        for size in range(1, things):
            if blocks > 1:
                rest = _partitions(things - size, min(blocks - 1, things - size), last)
                numbers[size - 1] = math.comb(things, size) * rest
        numbers[-1] = int(things >= last)
        size = weighted_place(numbers, rng) + 1
        yield size
        things, blocks = things - size, blocks - 1


def _some_of(n: int, count: int, rng: np.random.Generator) -> list[int]:
    """Return different variables in uniformly random order."""
    variables = list(range(n))
    for i in range(count):
        j = i + uniform_below(rng, n - i)
        variables[i], variables[j] = variables[j], variables[i]
    return variables[:count]


# ---- random lists of conjunctions


def random_list(bounds: ListBounds, rng: np.random.Generator) -> LiteralList:
    """Return a random k-decision list, whose function is not uniform over the class.

    The number of rules is uniform from 0 to the largest number, but at most `RANDOM_RULES`, because
    random points seldom reach later rules. The conjunctions are independent and uniform over the
    conjunctions of at most k literals. The label of a rule differs from the label before with
    probability 1/2 until the alternations are used up.
    """
    n, k = bounds.n, min(bounds.k, bounds.n)
    sizes = [math.comb(n, i) * (1 if bounds.monotone else 2**i) for i in range(1, k + 1)]
    rules: list[tuple[list[int], int]] = []
    label, changes = int(rng.integers(2)), bounds.changes
    for _ in range(uniform_below(rng, min(bounds.rules, RANDOM_RULES) + 1)):
        chosen = _some_of(n, weighted_place(sizes, rng) + 1, rng)
        literals = [v if bounds.monotone else v + n * int(rng.integers(2)) for v in chosen]
        rules.append((literals, label))
        if changes and rng.integers(2):
            label, changes = 1 - label, changes - 1
    return LiteralList(Vectors(2, n), rules, label)


# ---- dimensions


def stated_or_bounds(
    bounds: ListBounds, dimension: str, *, whole: bool, size: int | None, hardness: str = ""
) -> Fraction | int | None:
    """Return the value of a dimension that the facts of the family state, or None.

    If no fact states the Littlestone dimension or the VC dimension, `TooLarge` with proved bounds
    is raised.

    Parameters
    ----------
    bounds : ListBounds
    dimension : str
        Name of the dimension.
    whole : bool
        Whether the class is the whole class, without restriction by examples.
    size : int, optional
        Number of concepts, if it is known.
    hardness : str
        Proved reason why no fast algorithm computes the dimension, or ''.

    Raises
    ------
    TooLarge
        If the Littlestone dimension or the VC dimension is unknown. Lists of r - 1 rules label the
        unit vectors by every set of at most r - 1 ones, and n single variables label
        floor(log2(n)) points by every set. The VC dimension is at most the dimension of the
        polynomials of degree k, whose signs the lists are. The Littlestone dimension is at most the
        mistake bound of halving and of elimination by levels.
    """
    if whole:
        value = _stated(bounds, dimension)
        if value is not None:
            return value
    if dimension not in ("ldim", "vcdim"):
        return None
    blocks, features = bounds.changes + 1, bounds.features + 1
    upper = (blocks + 1) * features - blocks * (blocks + 1) // 2
    if size is not None:
        upper = min(upper, size.bit_length() - 1)
    if dimension == "vcdim":
        upper = min(upper, sum(math.comb(bounds.n, i) for i in range(min(bounds.k, bounds.n) + 1)))
    lower = 0
    if whole and bounds.rules:
        lower = max(min(bounds.rules, bounds.n), bounds.n.bit_length() - 1)
        lower = max(lower, int(_stated(bounds, "vcdim") or 0))
    if lower == upper:
        return lower
    name = {"ldim": "Littlestone", "vcdim": "VC"}[dimension]
    raise TooLarge(
        f"No formula gives the {name} dimension of the decision lists with {bounds}. It is at "
        f"least {lower} and at most {upper}. A table of all concepts on 2^{bounds.n} points is too "
        "large for a search."
        + (hardness and f" {hardness}")
        + " The learner best needs only a mistake bound." * (dimension == "ldim"),
        lower=lower,
        upper=upper,
    )


@cache
def _stated(bounds: ListBounds, dimension: str) -> Fraction | None:
    try:
        return stated_value(
            "decision-lists",
            dimension,
            n=bounds.n,
            k=bounds.k,
            length=bounds.length,
            alternations=bounds.alternations,
            monotone=int(bounds.monotone),
        )
    except TooLarge:
        return None
