"""The Littlestone dimension by search over shattered trees.

The search decides ``Ldim(V) >= k`` for the version spaces V it meets, and bisects on k. Four things
make it fast (``docs/search.md`` tells how much each):

* *compaction*: a version space is kept as its distinct non-constant columns up to complement, which
  is all the Littlestone dimension depends on;
* *look-ahead*: one matrix product counts every pair of columns, so a column whose sides cannot
  split once more is never tried;
* *the weaker side first*: of the two sides of a column, the one that looks less likely to shatter
  is asked first;
* *memory*: bounds found for a version space are kept under a key that renamings of points and
  concepts (and complements of columns) mostly share.

Nothing rests on luck: a key holds the whole compacted table, so equal keys mean isomorphic version
spaces. Hashing (of keys by Python, of columns while a canonical order is sought) can cost time when
it collides, never a wrong answer.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from lsclasses.limits import Limit, Meter
from lsclasses.searching.bounds import Bounds
from lsclasses.searching.version_space import Arrangement, VersionSpace, arrange, normal_form

__all__ = ["LittlestoneSearch", "one_blas_thread"]

NORMAL_UP_TO_POINTS = 128
"""Beyond this many distinct columns, a normal form costs more than it finds."""
TRIPLES_WORK = 1 << 25
"""Multiplications up to which counting triples of columns beats looking at sides one by one."""
PAIRS_AT_ONCE = 1 << 22
"""How many pairs of columns are counted at a time; tables with many points have too many."""
MANY_LABELS = 1 << 15
"""Version spaces with more labels are worth telling BLAS to use one thread."""
ENTRY_OVERHEAD = 200
"""Bytes that a stored bound takes beside its key, about."""


class Candidates(NamedTuple):
    """The columns worth trying at the root of a tree of depth k, the most balanced first.

    Attributes
    ----------
    columns : list of int
    first : list of 0 or 1
        For each of them the side that looks weaker.
    enough : bool
        Whether counting has shown that each of them is the root of a shattered tree.
    ones, both : array or None
        How many concepts label each column, and each pair of columns, with 1 (once counted).
    """

    columns: list[int]
    first: list[int]
    enough: bool
    ones: np.ndarray | None = None
    both: np.ndarray | None = None


class Known(NamedTuple):
    """What the search remembers of a version space.

    Attributes
    ----------
    lower, upper : int
        Bounds on its Littlestone dimension.
    root : int or None
        Where, in the order of its arrangement, the root of a shattered tree of depth `lower`
        stands; None as long as counting is all that is known.
    """

    lower: int
    upper: int
    root: int | None


UNKNOWN = Known(3, 1 << 30, None)
"""What is known of a version space that passes the look-ahead: it shatters depth 3."""


class LittlestoneSearch:
    """The decision procedure with its memory, shared by a table and all its restrictions."""

    normal_from_concepts = 200
    """Smaller version spaces are cheaper to search again than to bring into normal form."""

    def __init__(self) -> None:
        self._known: dict[tuple[object, ...], Known] = {}
        self._latest: tuple[np.ndarray, VersionSpace] | None = None
        self._used = 0
        self._meter = Meter(None)

    # ---- questions

    def space(self, packed: np.ndarray, points: int) -> VersionSpace:
        """The version space of a packed table, kept until another table of the family is asked."""
        if self._latest is None or self._latest[0] is not packed:
            labels = np.unpackbits(packed, axis=1, count=points)
            self._latest = packed, VersionSpace.of_labels(labels)
        return self._latest[1]

    def decide(self, space: VersionSpace, bounds: Bounds, limit: Limit | None) -> None:
        """Improve the bounds on the dimension of a version space until they meet.

        Raises
        ------
        TooLarge
            When the limit is reached; `bounds` holds what is known by then.
        """
        self._meter = Meter(limit, self._used)
        try:
            with bounds, one_blas_thread() if space.columns.size > MANY_LABELS else nullcontext():
                bounds.at_most(len(space.words))
                while not bounds.decided:
                    middle = (bounds.lower + bounds.upper + 1) // 2
                    if self.at_least(space, middle):
                        bounds.at_least(middle)
                    else:
                        bounds.at_most(middle - 1)
        finally:
            self._used = self._meter.used
            self._meter = Meter(None)

    def at_least(self, space: VersionSpace, k: int) -> bool:
        """Whether a complete tree of depth k is shattered."""
        if k <= 0:
            return space.concepts > 0
        if space.concepts < 1 << k:
            return False
        # Two restrictions in either order give one version space: worth a look before counting.
        plain = k > 3 and not self._normalised(space)
        arranged = arrange(space) if plain else None
        if arranged is not None and (answer := self._recall(arranged, k)) is not None:
            return answer
        candidates = self._candidates(space, k)
        root = candidates.columns[0] if candidates.enough and candidates.columns else None
        if not candidates.enough and candidates.columns:
            if arranged is None:
                arranged = normal_form(space, candidates.ones, candidates.both)
                if (answer := self._recall(arranged, k)) is not None:
                    return answer
            self._meter.tick(1)
            root = next(
                (
                    j
                    for j, first in zip(candidates.columns, candidates.first, strict=True)
                    if self.at_least(space.side(j, first), k - 1)
                    and self.at_least(space.side(j, 1 - first), k - 1)
                ),
                None,
            )
        if arranged is not None:
            self._remember(arranged, k, root)
        return root is not None

    def _normalised(self, space: VersionSpace) -> bool:
        """Whether bounds of the version space are kept under its normal form."""
        points = len(space.words)
        return space.concepts >= self.normal_from_concepts and points <= NORMAL_UP_TO_POINTS

    def _recall(self, arranged: Arrangement, k: int) -> bool | None:
        """Whether depth k is shattered, if that has been found out."""
        known = self._known.get(arranged.key)
        if known is None or known.lower < k <= known.upper:
            return None
        return k <= known.lower

    def _remember(self, arranged: Arrangement, k: int, root: int | None) -> None:
        """Keep that depth k is shattered, with the root of a tree, or that it is not."""
        known = self._known.get(arranged.key)
        if known is None:
            known = UNKNOWN
            self._meter.charge(_key_size(arranged.key))
        if root is None:
            known = known._replace(upper=k - 1)
        else:
            position = int(np.flatnonzero(arranged.order == root)[0])
            known = known._replace(lower=k, root=position)
        self._known[arranged.key] = known

    def root_column(self, space: VersionSpace, k: int) -> int:
        """A column that can label the root of a shattered tree of depth k >= 1 (there is one)."""
        candidates = self._candidates(space, k)
        if candidates.enough:
            return candidates.columns[0]
        self.at_least(space, k)
        normalised = self._normalised(space)
        arranged = (
            normal_form(space, candidates.ones, candidates.both) if normalised else arrange(space)
        )
        root = self._known[arranged.key].root
        assert root is not None
        return int(arranged.order[root])

    def counted_out(self, space: VersionSpace, k: int) -> bool:
        """Whether counting concepts, pairs and triples of columns already excludes depth k."""
        return space.concepts == 0 if k <= 0 else not self._candidates(space, k).columns

    # ---- one step

    def _candidates(self, space: VersionSpace, k: int) -> Candidates:
        """The columns to try at depth k >= 1; none if counting already excludes that depth."""
        columns = space.columns
        points, concepts = columns.shape
        if concepts < 1 << k:
            return Candidates([], [], enough=False)
        ones = columns.sum(axis=1, dtype=np.int32)
        smaller = np.minimum(ones, concepts - ones)
        tried = np.flatnonzero(smaller >= 1 << (k - 1))
        tried = tried[np.argsort(-smaller[tried], kind="stable")]
        if k <= 2 or not len(tried):
            return Candidates(tried.tolist(), [0] * len(tried), enough=True)
        # Counts are exact in float32 up to 2^24 concepts.
        factor = columns.astype(np.float32 if concepts < 1 << 24 else np.float64)
        promising: list[int] = []
        first: list[int] = []
        both = None
        for start in range(0, len(tried), max(1, PAIRS_AT_ONCE // points)):
            block = tried[start : start + max(1, PAIRS_AT_ONCE // points)]
            pairs = np.matmul(factor[block], factor.T).astype(np.int32)
            good, weaker = _promising(pairs, ones[block], ones, concepts, 1 << (k - 2))
            promising += block[good].tolist()
            first += weaker[good].tolist()
            if k == 3 and promising:
                break
            if start:
                self._meter.tick(1)
        enough = k == 3
        if points <= NORMAL_UP_TO_POINTS and promising and k > 3:
            both = np.matmul(factor, factor.T).astype(np.int32)
            if len(promising) * points**2 * concepts <= TRIPLES_WORK:
                passed = _both_sides_promising(factor, both, ones, promising, k - 1)
                promising = [j for j, good in zip(promising, passed, strict=True) if good]
                first = [side for side, good in zip(first, passed, strict=True) if good]
                enough = k == 4
        return Candidates(promising, first, enough, ones, both)


def _promising(
    both: np.ndarray, ones: np.ndarray, others: np.ndarray, concepts: int, least: int
) -> tuple[np.ndarray, np.ndarray]:
    """Which columns x leave, on both sides, a column that splits them in parts of some size.

    Parameters
    ----------
    both : array, shape (x, y)
        How many concepts label both x and y with 1.
    ones, others : arrays, shape (x,) and (y,)
        How many label each with 1.
    concepts, least : int
        How many there are, and how many each part must keep.

    Returns
    -------
    two arrays, shape (x,)
        Whether the column passes, and the side that looks weaker.
    """
    parts = _parts(both, ones[:, None], others[None, :], concepts)
    useful = [part >= least for part in parts]
    strength = [
        np.where(mask, part, 0).sum(axis=1) for mask, part in zip(useful, parts, strict=True)
    ]
    passes: np.ndarray = np.logical_and(useful[0].any(axis=1), useful[1].any(axis=1))
    return passes, (strength[1] <= strength[0]).astype(np.int8)


def _parts(
    both: np.ndarray, ones: np.ndarray, others: np.ndarray, concepts: Any
) -> tuple[np.ndarray, np.ndarray]:
    """How evenly columns y divide the two sides of columns x, from counts of common ones.

    Parameters
    ----------
    both : array, shape (..., x, y)
        How many concepts label both x and y with 1.
    ones, others : arrays that broadcast against it
        How many label x, and y, with 1.
    concepts : int or array
        How many there are.

    Returns
    -------
    tuple of two arrays, shape (..., x, y)
        The smaller part into which y divides the concepts that label x with 0, and with 1.
    """
    zero_one = others - both
    return (
        np.minimum(zero_one, concepts - ones - zero_one),
        np.minimum(both, ones - both),
    )


def _both_sides_promising(
    factor: np.ndarray, both: np.ndarray, ones: np.ndarray, tried: list[int], k: int
) -> np.ndarray:
    """For each column tried, whether on both its sides some column passes the look-ahead for k.

    For k = 3 the look-ahead is exact, so this decides depth 4.
    """
    concepts = factor.shape[1]
    triple = np.matmul(factor[tried][:, None, :] * factor[None, :, :], factor.T).astype(np.int32)
    least = 1 << (k - 2)
    passed = np.ones(len(tried), dtype=bool)
    for side in (0, 1):
        both_here = triple if side else both[None] - triple
        ones_here = both[tried] if side else ones[None, :] - both[tried]
        size = ones[tried] if side else concepts - ones[tried]
        parts = _parts(both_here, ones_here[:, :, None], ones_here[:, None, :], size[:, None, None])
        good = (parts[0].max(axis=2) >= least) & (parts[1].max(axis=2) >= least)
        passed &= good.any(axis=1)
    return passed


@cache
def _blas() -> Any:
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def one_blas_thread() -> AbstractContextManager[Any]:
    """Matrix products on one thread: they are small, and a second thread mostly waits for work."""
    limiter: AbstractContextManager[Any] = _blas().limit(limits=1, user_api="blas")
    return limiter


def _key_size(key: tuple[object, ...]) -> int:
    last = key[-1]
    parts = [last] if isinstance(last, bytes) else list(last)  # type: ignore[call-overload]
    return ENTRY_OVERHEAD + sum(len(part) + 33 for part in parts)
