"""Boolean features of points, for the tests of decision lists and the weights of halfspaces."""

from __future__ import annotations

import itertools
import math
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Iterator
from functools import cached_property
from typing import TypeGuard

import numpy as np

from catalog.closed_forms.list_rules import SMALL, LiteralList
from lsclasses.domain import Domain, Vectors
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.point_names import Label, Point, plain
from lsclasses.table import Table

__all__ = ["ConceptFeatures", "Features", "Literals", "ShortConjunctions", "SignVectors"]

FEATURES_LIMIT = 1 << 24
"""The largest number of features that are computed for a point."""


_SIGNS = frozenset((-1, 1))


class Features(ABC):
    """Finitely many functions from points to 0 and 1. Objects with equal functions are equal."""

    def __init__(self, domain: Domain, count: int) -> None:
        self._domain, self._count = domain, count

    @property
    def domain(self) -> Domain:
        """The points on which the features are defined."""
        return self._domain

    @property
    def count(self) -> int:
        """The number of features."""
        return self._count

    @abstractmethod
    def values(self, x: Point) -> np.ndarray:
        """Return the features of a point, shape (count,), dtype bool."""

    def conjunction(self, feature: int) -> tuple[int, ...] | None:
        """Return the literals of a feature on {0,1}^n, or None if it is not a conjunction.

        Literal i is the variable i, and literal n + i is its negation, as in
        `catalog.closed_forms.list_rules`.
        """
        return None

    @abstractmethod
    def _key(self) -> Hashable:
        """Return a key that distinguishes these features from others of the same type."""

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        assert isinstance(other, Features)
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash((type(self), self._key()))


def list_over(
    features: Features, rules: Iterable[tuple[int, Label]], default: Label
) -> LiteralList | None:
    """Return a decision list over features as a list of conjunctions of literals.

    The result is None unless the points are vectors and each feature of the list is a conjunction
    of literals (`Features.conjunction`).

    Parameters
    ----------
    features : Features
        Features of the points.
    rules : iterable of (int, 0 or 1)
        Rules of the list: number of a feature, and the label of points with this feature.
    default : 0 or 1
        Label of points without any feature of the list.

    Examples
    --------
    >>> list_over(ShortConjunctions(3, 2), [(7, 1)], 0)
    <if x1 & not x2: 1, else 0>
    """
    if not isinstance(features.domain, Vectors):
        return None
    found = [(features.conjunction(feature), label) for feature, label in rules]
    known = [(literals, label) for literals, label in found if literals is not None]
    return LiteralList(features.domain, known, default) if len(known) == len(found) else None


def lists_are_comparable(features: Features) -> bool:
    """Return whether equality of any two lists over features of {0,1}^n is decided exactly.

    Examples
    --------
    >>> [lists_are_comparable(ShortConjunctions(n, k)) for n, k in ((200, 1), (9, 2), (200, 2))]
    [True, True, False]
    """
    if not isinstance(features.domain, Vectors):
        return False
    literals = isinstance(features, Literals) or features.count <= 2 * features.domain.n
    return literals or features.domain.n <= SMALL


class SignVectors(Domain):
    """All vectors of n entries -1 or 1, in lexicographic order, without enumeration.

    Parameters
    ----------
    n : int
        The number of entries.

    Examples
    --------
    >>> list(SignVectors(2))
    [(-1, -1), (-1, 1), (1, -1), (1, 1)]
    """

    __slots__ = ("n",)

    def __init__(self, n: int) -> None:
        if n < 1:
            raise InvalidInput(f"Vectors of signs need n >= 1 entries. Got n={n}.")
        self.n = n

    @property
    def size(self) -> int:
        """The number of points."""
        return int(2**self.n)

    def _holds(self, x: object) -> TypeGuard[tuple[int, ...]]:
        return (
            type(x) is tuple
            and len(x) == self.n
            and set(map(type, x)) == {int}
            and set(x) <= _SIGNS
        )

    def __contains__(self, x: object) -> bool:
        return self._holds(x) or (isinstance(x, tuple) and self._holds(plain(x)))

    def require(self, x: object) -> Point:
        """Return the point that equals `x` (see `Domain.require`)."""
        return x if self._holds(x) else super().require(x)

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        return itertools.product((-1, 1), repeat=self.n)

    def _position(self, x: Point) -> int:
        assert isinstance(x, tuple)
        return Vectors(2, self.n)._position(tuple(int(entry > 0) for entry in x))

    def _at(self, i: int) -> Point:
        return tuple(2 * bit - 1 for bit in Vectors(2, self.n)._at(i))

    def _key(self) -> Hashable:
        return self.n

    def _sample(self, rng: np.random.Generator) -> Point:
        return tuple((2 * rng.integers(2, size=self.n) - 1).tolist())

    def __repr__(self) -> str:
        return f"SignVectors({self.n})"


class Literals(Features):
    """The entries of vectors of bits, or of signs (1 where the sign is positive).

    Parameters
    ----------
    n : int
        The number of variables.
    signed : bool
        Whether points are vectors of -1 and 1 instead of 0 and 1.

    Examples
    --------
    >>> Literals(3, signed=True).values((1, -1, 1)).astype(int).tolist()
    [1, 0, 1]
    """

    def __init__(self, n: int, *, signed: bool = False) -> None:
        super().__init__(SignVectors(n) if signed else Vectors(2, n), n)

    def values(self, x: Point) -> np.ndarray:
        """Return the entries of a point as truth values."""
        return np.array(x) > 0

    def conjunction(self, feature: int) -> tuple[int, ...] | None:
        """Return the variable of a feature, if the points are vectors of 0 and 1."""
        return (feature,) if isinstance(self._domain, Vectors) else None

    def _key(self) -> Hashable:
        return self._domain

    def __repr__(self) -> str:
        return f"Literals({self.count}, signed={isinstance(self._domain, SignVectors)})"


class ShortConjunctions(Features):
    """The conjunctions of at least one and at most k literals, on {0,1}^n.

    Parameters
    ----------
    n : int
        The number of variables.
    k : int
        The largest number of literals, of different variables.
    monotone : bool
        Whether only variables are used, without negated variables.

    Raises
    ------
    InvalidInput
        If n or k is less than 1.
    TooLarge
        If there are more than `FEATURES_LIMIT` conjunctions.

    Examples
    --------
    >>> ShortConjunctions(2, 2, monotone=True).values((1, 0)).astype(int).tolist()
    [1, 0, 0]
    >>> ShortConjunctions(10_000, 1).count
    20000
    """

    def __init__(self, n: int, k: int, *, monotone: bool = False) -> None:
        if n < 1 or k < 1:
            raise InvalidInput(f"Conjunctions need n >= 1 and k >= 1. Got n={n}, k={k}.")
        self._n, self._k, self._monotone = n, min(k, n), bool(monotone)
        sizes = range(1, self._k + 1)
        count = sum(math.comb(n, j) * (1 if monotone else 2**j) for j in sizes)
        if count > FEATURES_LIMIT:
            raise TooLarge(
                f"There are {count} conjunctions of at most {k} literals over {n} variables. "
                f"The limit is {FEATURES_LIMIT}.",
                estimate=count,
                limit=FEATURES_LIMIT,
            )
        super().__init__(Vectors(2, n), count)

    @cached_property
    def _literals(self) -> list[np.ndarray]:
        """The conjunctions of each size, as rows of literals (i for x_i, n + i for not x_i)."""
        return [
            np.array(
                [
                    [i + self._n * negated for i, negated in zip(variables, signs, strict=True)]
                    for variables in itertools.combinations(range(self._n), size)
                    for signs in itertools.product((0,) if self._monotone else (0, 1), repeat=size)
                ],
                dtype=np.int32,
            )
            for size in range(1, self._k + 1)
        ]

    def values(self, x: Point) -> np.ndarray:
        """Return the values of the conjunctions, in the order of `catalog.decision_lists`."""
        ones = np.array(x) > 0
        literals = np.concatenate([ones, ~ones])
        parts = [literals[rows].all(axis=1) for rows in self._literals]
        return np.concatenate(parts)

    def conjunction(self, feature: int) -> tuple[int, ...]:
        """Return the literals of a feature.

        Examples
        --------
        >>> features = ShortConjunctions(3, 2)
        >>> features.conjunction(1), features.conjunction(7)
        ((3,), (0, 4))
        """
        for rows in self._literals:
            if feature < len(rows):
                return tuple(sorted(rows[feature].tolist()))
            feature -= len(rows)
        raise IndexError(feature)

    def _key(self) -> Hashable:
        return self._n, self._k, self._monotone

    def __repr__(self) -> str:
        return f"ShortConjunctions({self._n}, {self._k}, monotone={self._monotone})"


class ConceptFeatures(Features):
    """The concepts of a class as features: feature i of a point x is c_i(x).

    Every concept of the class is then the disjunction of one feature. It is also a halfspace with
    weight 1 on this feature and margin 1, and the decision list "if c_i then 1, else 0". So
    learners of halfspaces and of lists learn every class that can be enumerated as a table.

    **Privacy** equals the privacy of the learner. *Proof.* Learners over features are private for
    all features that are chosen without looking at examples. These features are a function of the
    class, which is public.

    Parameters
    ----------
    of : Table
        The class, with at least one concept.

    Raises
    ------
    InvalidInput
        If the class has no concept.

    Examples
    --------
    >>> features = ConceptFeatures(Table([[0, 0, 1], [0, 1, 1]], domain="abc"))
    >>> features, features.values("b").astype(int).tolist()
    (ConceptFeatures(<Table: 2 concepts on 3 points>), [0, 1])
    """

    def __init__(self, of: Table) -> None:
        if of.is_empty:
            raise InvalidInput("Concepts are features where there are any. The class has none.")
        super().__init__(of.domain, len(of))
        self.of = of

    def values(self, x: Point) -> np.ndarray:
        """Return the labels that the concepts give a point, in the order of the table."""
        return self.of.column(x).astype(bool)

    def _key(self) -> Hashable:
        # The order of the concepts matters, which tables do not compare.
        return self.of.domain, self.of.packed.tobytes()

    def __repr__(self) -> str:
        return f"ConceptFeatures({self.of!r})"
