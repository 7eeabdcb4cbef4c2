"""Boolean features of many rows, packed to one bit each, and conjunctions of them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.numbers import plural
from lsclasses.options import Option, check_arguments

CONJUNCTIONS_LIMIT = 1 << 20
"""Largest number of conjunctions that may be features."""

BLOCK = 1 << 21
"""Number of words of 64 rows in a block that is processed together."""

Mask = NDArray[np.uint64]
"""A set of rows, with 64 rows in a word and the first row in the lowest bit."""


@dataclass(frozen=True)
class Conjunction:
    """A conjunction of named features and negations.

    Attributes
    ----------
    literals : tuple of (str, bool)
        Names of features, and whether they must hold. A conjunction without literals always holds.

    Examples
    --------
    >>> print(Conjunction((("wings", True), ("feathers", False))))
    wings and not feathers
    """

    literals: tuple[tuple[str, bool], ...]

    def __str__(self) -> str:
        parts = [name if wanted else f"not {name}" for name, wanted in self.literals]
        return " and ".join(parts) or "always"


Literals = Annotated[
    int,
    Option(
        "largest number of literals in a conjunction",
        minimum=1,
        noun="largest number of literals k",
    ),
]


@check_arguments
def conjunction_count(
    variables: Annotated[int, Option("number of variables", minimum=1)],
    k: Literals,
    *,
    monotone: bool = False,
) -> int:
    """Return the number of conjunctions of one to k literals of different variables.

    The number is the sum of 2^j C(variables, j) over j = 1, ..., k, without 2^j if `monotone`.
    Including the empty conjunction, the number is at most e^2 variables^k.

    Parameters
    ----------
    variables, k : int
        Numbers of variables and of literals, at least 1.
    monotone : bool
        Whether variables are not negated.

    Raises
    ------
    InvalidInput
        If a parameter is less than 1.

    References
    ----------
    [BF25, Prop. A.9]

    Examples
    --------
    >>> [conjunction_count(100, k) for k in (1, 2, 3)]
    [200, 20000, 1313600]
    """
    return sum(
        math.comb(variables, j) * (1 if monotone else 2**j) for j in range(1, min(k, variables) + 1)
    )


class PackedFeatures:
    """The values of Boolean features on the rows of a table, one bit each.

    The object is immutable. Sets of rows are masks: arrays of words of 64 rows, as returned by
    `everything` and `column`. Features can be conjunctions of packed columns. Conjunctions are
    never stored, but computed in blocks when they are counted.

    Attributes
    ----------
    rows, count : int
        Number of rows and number of features.
    descriptions : tuple of Conjunction
        Meaning of every feature, in terms of the given names.

    Examples
    --------
    >>> packed = PackedFeatures.from_matrix([[1, 0], [1, 1], [0, 1]], names=["wings", "song"])
    >>> packed.rows, packed.count, packed.counts(packed.everything).tolist()
    (3, 2, [2, 2])
    >>> packed.literals().names
    ('wings', 'not wings', 'song', 'not song')
    >>> packed.conjunctions(2, monotone=True).names
    ('wings', 'song', 'wings and song')
    """

    def __init__(
        self,
        words: Mask,
        rows: int,
        literals: Sequence[tuple[str, bool]],
        terms: NDArray[np.int32],
    ) -> None:
        self._words = words  # one row of words for each packed column
        self._literals = tuple(literals)  # the meaning of each packed column
        self._terms = terms  # the packed columns that each feature is the conjunction of
        self.rows = rows

    @classmethod
    def from_matrix(cls, matrix: ArrayLike, names: Iterable[str] | None = None) -> PackedFeatures:
        """Pack a matrix of truth values.

        Parameters
        ----------
        matrix : array of bool, shape (rows, features)
            Truth values. Zeros and ones of another type are truth values too.
        names : iterable of str, optional
            Names of the features, all different. By default ``x0``, ``x1``, ...

        Raises
        ------
        InvalidInput
            If there are no features, an entry is not a truth value, or names are missing or
            repeated.
        """
        values = np.asarray(matrix)
        if values.ndim != 2 or values.shape[1] == 0:
            raise InvalidInput(
                "Features must be a matrix with one row per example and at least one column. "
                f"Got an array of shape {values.shape}."
            )
        rows, columns = values.shape
        named = _checked_names(names, columns)
        words = np.zeros((columns, _words_for(rows)), dtype=np.uint64)
        packed_bytes = words.view(np.uint8)
        step = max(64, BLOCK // columns // 64 * 64)
        for start in range(0, rows, step):
            packed = _packed(_truth_values(values[start : start + step]))
            packed_bytes[:, start // 8 : start // 8 + packed.shape[1]] = packed
        terms = np.arange(columns, dtype=np.int32)[:, None]
        return cls(words, rows, [(name, True) for name in named], terms)

    @property
    def count(self) -> int:
        """The number of features."""
        return len(self._terms)

    @property
    def descriptions(self) -> tuple[Conjunction, ...]:
        """The descriptions of the features."""
        return tuple(self.description(j) for j in range(self.count))

    @property
    def names(self) -> tuple[str, ...]:
        """The descriptions of the features, in words."""
        return tuple(map(str, self.descriptions))

    def description(self, j: int) -> Conjunction:
        """Return the description of feature j."""
        return Conjunction(tuple(self._literals[i] for i in dict.fromkeys(self._terms[j].tolist())))

    def name(self, j: int) -> str:
        """Return the description of feature j, in words."""
        return str(self.description(j))

    @property
    def everything(self) -> Mask:
        """The mask that contains all rows."""
        return self.mask(np.ones(self.rows, dtype=bool))

    def mask(self, chosen: ArrayLike) -> Mask:
        """Return the mask of the rows whose entry in a vector of `rows` truth values is true.

        Raises
        ------
        InvalidInput
            If the rows do not have one truth value each.
        """
        values = np.asarray(chosen)
        if values.shape != (self.rows,):
            raise InvalidInput(
                f"A set of rows needs one truth value per row: {self.rows}. "
                f"Got an array of shape {values.shape}."
            )
        words = np.zeros(self._words.shape[1], dtype=np.uint64)
        packed = np.packbits(_truth_values(values), bitorder="little")
        words.view(np.uint8)[: len(packed)] = packed
        return words

    def unpacked(self, mask: Mask) -> NDArray[np.bool_]:
        """Return a mask as truth values, shape (rows,)."""
        bits = np.unpackbits(mask.view(np.uint8), count=self.rows, bitorder="little")
        return bits.view(np.bool_)

    def column(self, j: int) -> Mask:
        """Return the mask of the rows where feature j holds."""
        words: Mask = np.bitwise_and.reduce(self._words[self._terms[j]], axis=0)
        return words

    def counts(self, mask: Mask) -> NDArray[np.int64]:
        """Return the number of rows of the mask on which each feature holds, shape (count,).

        The work is proportional to the words of the mask that are not empty.
        """
        chosen = np.flatnonzero(mask)
        found = np.zeros(self.count, dtype=np.int64)
        if not len(chosen):
            return found
        words, wanted = self._words, mask
        if 2 * len(chosen) < len(mask):
            words, wanted = words[:, chosen], mask[chosen]
        step = max(1, BLOCK // len(wanted))
        for start in range(0, self.count, step):
            terms = self._terms[start : start + step]
            holds = words[terms[:, 0]] & wanted
            for others in terms.T[1:]:
                holds &= words[others]
            np.bitwise_count(holds).sum(axis=1, dtype=np.int64, out=found[start : start + step])
        return found

    def literals(self) -> PackedFeatures:
        """Return the features and their negations, each feature before its negation.

        Raises
        ------
        InvalidInput
            If these features are conjunctions already.
        """
        return self.conjunctions(1)

    def conjunctions(self, k: int, *, monotone: bool = False) -> PackedFeatures:
        """Return all conjunctions of one to k of these features and their negations.

        Negations are left out if `monotone`. No conjunction has a feature twice, so none is
        contradictory. Shorter conjunctions come first, then the order is the order of the features,
        and a feature comes before its negation. Each conjunction uses a few bytes of memory,
        because its column is computed on demand.

        Parameters
        ----------
        k : int
            Largest number of literals.
        monotone : bool
            Whether to leave out negations.

        Raises
        ------
        InvalidInput
            If k is less than 1, or these features are conjunctions already.
        TooLarge
            If there are more conjunctions than `CONJUNCTIONS_LIMIT`.

        References
        ----------
        [BF25, App. A.3]
        """
        width = len(self._literals)
        if self._terms.shape != (width, 1) or not all(wanted for _, wanted in self._literals):
            raise InvalidInput(
                "Conjunctions must be made of plain features, not of other conjunctions."
            )
        require_conjunctions(width, k, monotone=monotone)
        k = min(k, width)
        words, literals = self._words, list(self._literals)
        if not monotone:
            words = np.concatenate([words, ~words & self.everything])
            literals += [(name, False) for name, _ in self._literals]
        terms = []
        for size in range(1, k + 1):
            variables = np.array(list(itertools.combinations(range(width), size)), dtype=np.int32)
            signs = np.array(
                list(itertools.product((0,) if monotone else (0, width), repeat=size)),
                dtype=np.int32,
            )
            listed = (variables[:, None, :] + signs[None, :, :]).reshape(-1, size)
            # The last literal is repeated, which does not change a conjunction.
            terms.append(np.pad(listed, ((0, 0), (0, k - size)), mode="edge"))
        return PackedFeatures(words, self.rows, literals, np.concatenate(terms))

    def __repr__(self) -> str:
        return f"<{self.count} features of {self.rows} rows>"


def require_conjunctions(features: int, k: int, *, monotone: bool = False) -> None:
    """Refuse more conjunctions of at most k literals than `CONJUNCTIONS_LIMIT`.

    Raises
    ------
    TooLarge
    """
    total = conjunction_count(features, k, monotone=monotone)
    if total > CONJUNCTIONS_LIMIT:
        raise TooLarge(
            f"There are {total} conjunctions of at most {k} literals of {features} features. The "
            f"limit is {CONJUNCTIONS_LIMIT}. Use shorter or monotone conjunctions, or fewer "
            "features.",
            estimate=total,
            limit=CONJUNCTIONS_LIMIT,
        )


def _packed(block: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Return rows of truth values, shape (rows, features), as bits: (features, bytes of 8 rows)."""
    if block.flags.f_contiguous or block.strides[0] == block.itemsize:
        return np.packbits(block.T, axis=1, bitorder="little")
    # Eight rows at a time are packed as they lie in memory, so only an eighth is transposed.
    whole = len(block) // 8 * 8
    octets = np.ascontiguousarray(block[:whole]).view(np.uint8).reshape(-1, 8, block.shape[1])
    bits = octets[:, 0].copy()
    for i in range(1, 8):
        bits |= octets[:, i] << np.uint8(i)
    rest = np.packbits(block[whole:], axis=0, bitorder="little")
    return np.concatenate([bits, rest]).T


def _words_for(rows: int) -> int:
    return max(1, -(-rows // 64))


def _checked_names(names: Iterable[str] | None, columns: int) -> tuple[str, ...]:
    named = tuple(f"x{j}" for j in range(columns)) if names is None else tuple(names)
    if len(named) != columns:
        raise InvalidInput(
            f"Every feature needs a name. Got {plural(len(named), 'name')} for "
            f"{plural(columns, 'feature')}."
        )
    for name in named:
        if not isinstance(name, str):
            raise InvalidInput(f"The name of a feature must be a string. Got {name!r}.")
    if len(set(named)) != columns:
        repeated = next(name for i, name in enumerate(named) if name in named[:i])
        raise InvalidInput(f"The names of features must be different. Got {repeated!r} twice.")
    return named


def _truth_values(values: NDArray[Any]) -> NDArray[np.bool_]:
    if values.dtype == np.bool_:
        return values
    with np.errstate(invalid="ignore"):
        known = (values == 0) | (values == 1)
    if not np.all(known):
        wrong = values[~known][0]
        raise InvalidInput(
            "Features must have the values true and false, or 0 and 1. "
            f"Got {wrong!r}. Make features of other columns first."
        )
    truth: NDArray[np.bool_] = values == 1
    return truth
