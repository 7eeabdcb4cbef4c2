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
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lsclasses.dimensions.bounds import Bounds
from lsclasses.errors import TooLarge
from lsclasses.limits import Limit, Meter

if TYPE_CHECKING:
    from lsclasses.concept_class import ConceptClass, Progress
    from lsclasses.table import Table

__all__ = [
    "Arrangement",
    "LittlestoneSearch",
    "VersionSpace",
    "arrange",
    "ldim",
    "ldim_bounds",
    "normal_form",
    "one_blas_thread",
]

NORMAL_UP_TO_POINTS = 128
"""Beyond this many distinct columns, a normal form costs more than it finds."""
TRIPLES_WORK = 1 << 25
"""Multiplications up to which counting triples of columns beats looking at sides one by one."""
PAIRS_AT_ONCE = 1 << 22
"""How many pairs of columns are counted at a time; tables with many points have too many."""
INDIVIDUALISATIONS = 16
"""How many ties the normal form breaks before it gives up on being canonical."""
MANY_BYTES = 1 << 12
"""Tables from this packed size on are worth telling BLAS to use one thread."""
ENTRY_OVERHEAD = 200
"""Bytes that a stored bound takes beside its key, about."""


def ldim(C: ConceptClass, *, limit: Limit | None = None, progress: Progress | None = None) -> int:
    """The Littlestone dimension: the depth of the deepest shattered tree; -1 for the empty class.

    Parameters
    ----------
    C : ConceptClass
    limit : Limit, optional
        What the search may use. Bounds found before it is reached are kept with the class, so a
        second call goes on from there; so does a call after an interruption.
    progress : callable, optional
        Called with (lower, upper) whenever a bound improves.

    Raises
    ------
    TooLarge
        If the limit is reached; its `lower` and `upper` hold the bounds found.

    References
    ----------
    Littlestone 1988; [LWY25, Definition 2.2]

    Examples
    --------
    >>> import catalog
    >>> ldim(catalog.build("affine:q=2,n=3,k=1"))
    2
    """
    known = C._closed_form("ldim")
    if known is not None:
        return int(known)
    table = C.to_table()
    return table._search.ldim(table, limit, progress)


def ldim_bounds(
    C: ConceptClass, *, limit: Limit | None = None, progress: Progress | None = None
) -> tuple[int, int]:
    """Bounds ``(lower, upper)`` on the Littlestone dimension, equal unless the limit is reached.

    Examples
    --------
    >>> import catalog
    >>> ldim_bounds(catalog.build("cube:n=5"), limit=Limit(seconds=10))
    (5, 5)
    """
    try:
        value = ldim(C, limit=limit, progress=progress)
    except TooLarge as stopped:
        if stopped.lower is None or stopped.upper is None:
            raise
        return stopped.lower, stopped.upper
    return value, value


class VersionSpace(NamedTuple):
    """A version space, compacted: what the search works on.

    Attributes
    ----------
    columns : array of uint8, shape (points, concepts)
        Distinct non-constant columns, each complemented if need be so that the first concept
        labels every point 0.
    source : array of int, shape (points,)
        Which column of the original table each one is.
    flipped : array of uint8, shape (points,)
        1 where the original column was complemented.
    words : tuple of bytes
        The columns, packed; as a set they identify the version space.
    """

    columns: np.ndarray
    source: np.ndarray
    flipped: np.ndarray
    words: tuple[bytes, ...]

    @classmethod
    def of_labels(cls, labels: np.ndarray) -> VersionSpace:
        """The version space of a whole table, shape (concepts, points)."""
        columns = np.ascontiguousarray(labels.T)
        points = len(columns)
        return cls._compact(columns, np.arange(points), np.zeros(points, dtype=np.uint8))

    @classmethod
    def _compact(cls, columns: np.ndarray, source: np.ndarray, flipped: np.ndarray) -> VersionSpace:
        if not columns.shape[1]:
            return cls(columns[:0], source[:0], flipped[:0], ())
        first = columns[:, :1]
        oriented = columns ^ first
        packed = np.packbits(oriented, axis=1)
        width = packed.shape[1]
        buffer = packed.tobytes()
        distinct: dict[bytes, int] = {}
        for j in range(len(columns)):
            distinct.setdefault(buffer[j * width : (j + 1) * width], j)
        distinct.pop(bytes(width), None)
        kept = np.fromiter(distinct.values(), dtype=np.intp, count=len(distinct))
        return cls(
            oriented if len(kept) == len(oriented) else oriented[kept],
            source[kept],
            flipped[kept] ^ first[kept, 0],
            tuple(distinct),
        )

    @property
    def concepts(self) -> int:
        """How many concepts are left (only of a space that is not empty)."""
        return int(self.columns.shape[1])

    def rows(self, j: int, side: int) -> np.ndarray:
        """Positions, among the concepts left, of those that give column j the label `side`."""
        column = self.columns[j].view(np.bool_)
        return np.flatnonzero(column if side else ~column)

    def side(self, j: int, side: int) -> VersionSpace:
        """The concepts that give column j the (oriented) label `side`, compacted."""
        kept = np.take(self.columns, self.rows(j, side), axis=1)
        return self._compact(kept, self.source, self.flipped)


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


class Arrangement(NamedTuple):
    """A key of a version space, and how its columns stand in it.

    Two version spaces with one key are isomorphic: the i-th column of `order` of the one, flipped
    as `flip` says, corresponds to the i-th of the other.
    """

    key: tuple[object, ...]
    order: np.ndarray
    flip: np.ndarray


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
        self._used = 0
        self._meter = Meter(None)

    # ---- questions

    def ldim(self, table: Table, limit: Limit | None, progress: Progress | None) -> int:
        """The dimension of a table; raises `TooLarge` with bounds when the limit is reached."""
        lower, upper = table._ldim_bounds
        if lower == upper:
            return lower
        self._meter = Meter(limit, self._used)
        bounds = Bounds("Ldim", lower, upper, progress)
        try:
            with bounds, one_blas_thread() if table.packed.size > MANY_BYTES else nullcontext():
                space = VersionSpace.of_labels(table.labels)
                bounds.at_most(len(space.words))
                while not bounds.decided:
                    middle = (bounds.lower + bounds.upper + 1) // 2
                    if self.at_least(space, middle):
                        bounds.at_least(middle)
                    else:
                        bounds.at_most(middle - 1)
        finally:
            table._ldim_bounds = (bounds.lower, bounds.upper)
            self._used = self._meter.used
            self._meter = Meter(None)
        return bounds.lower

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


def arrange(space: VersionSpace) -> Arrangement:
    """The version space as it is: its key is the set of its columns."""
    order = sorted(range(len(space.words)), key=space.words.__getitem__)
    return Arrangement(
        (space.concepts, frozenset(space.words)),
        np.array(order, dtype=np.intp),
        np.zeros(len(order), dtype=np.uint8),
    )


def normal_form(
    space: VersionSpace, ones: np.ndarray | None = None, both: np.ndarray | None = None
) -> Arrangement:
    """The version space in a form that isomorphic ones mostly share: its key is the sorted rows.

    Counts that are at hand can be passed on.
    """
    points, concepts = space.columns.shape
    if not points:
        return arrange(space)
    if ones is None or both is None:
        ones = space.columns.sum(axis=1, dtype=np.int64)
        wide = space.columns.astype(np.float64)
        both = np.matmul(wide, wide.T).astype(np.int64)
    colour = _literal_colours(ones, both, concepts)
    plain, complemented = colour[:points], colour[points:]
    flip = (complemented < plain).astype(np.uint8)
    order = np.argsort(np.minimum(plain, complemented), kind="stable")
    arranged = (space.columns ^ flip[:, None])[order]
    return Arrangement((concepts, points, _sorted_words(arranged)), order, flip[order])


def _sorted_words(columns: np.ndarray) -> bytes:
    """The set of rows of a (points, concepts) table as one string of bytes."""
    points, concepts = columns.shape
    width = (points + 7) // 8
    if width <= 8:
        width = next(size for size in (1, 2, 4, 8) if size >= width)
    # Rows padded to whole words pack as one flat string, several times faster than row by row.
    rows = np.zeros((concepts, 8 * width), dtype=np.uint8)
    rows[:, :points] = columns.T
    word = f"u{width}" if width <= 8 else f"V{width}"
    return np.sort(np.packbits(rows.ravel()).view(word)).tobytes()


def _literal_colours(ones: np.ndarray, both: np.ndarray, concepts: int) -> np.ndarray:
    """Colours of the literals (column, polarity) that renaming points and concepts preserves.

    Literals are refined by how many concepts they share with literals of each colour; ties are
    broken by singling out one literal of the smallest tied class. Different literals may share a
    mixed value by accident, which only makes a key less canonical.
    """
    points = len(ones)
    shared = np.empty((2 * points, 2 * points), dtype=np.uint64)
    shared[:points, :points] = both
    shared[:points, points:] = ones[:, None] - both
    shared[points:, :points] = shared[:points, points:].T
    shared[points:, points:] = concepts - ones[:, None] - ones[None, :] + both
    shared = _mix(shared)
    colour, classes = _ranks(np.concatenate([ones, concepts - ones]))
    colour, classes = _refined(colour, classes, shared)
    for _ in range(INDIVIDUALISATIONS):
        if classes == 2 * points:
            break
        sizes = np.bincount(colour)
        sizes[sizes < 2] = 2 * points
        colour = 2 * colour + 1
        colour[int((colour == 2 * int(sizes.argmin()) + 1).argmax())] -= 1
        colour, classes = _ranks(colour)
        colour, classes = _refined(colour, classes, shared)
    return colour


def _refined(colour: np.ndarray, classes: int, shared: np.ndarray) -> tuple[np.ndarray, int]:
    while classes < len(colour):
        mark = _mix(colour.astype(np.uint64) + np.uint64(1))
        signature = _mix(shared + mark[None, :]).sum(axis=1)
        refined, count = _ranks(signature, colour)
        if count == classes:
            break
        colour, classes = refined, count
    return colour, classes


def _ranks(minor: np.ndarray, major: np.ndarray | None = None) -> tuple[np.ndarray, int]:
    """The rank of every entry by (major, minor), equal entries sharing one; and how many ranks."""
    major = np.zeros(len(minor), dtype=np.int64) if major is None else major
    order = np.lexsort((minor, major))
    low, high = minor[order], major[order]
    new = np.zeros(len(order), dtype=np.int64)
    new[1:] = (low[1:] != low[:-1]) | (high[1:] != high[:-1])
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.cumsum(new)
    return rank, int(new.sum()) + 1


def _mix(values: np.ndarray) -> np.ndarray:
    """Scramble 64-bit words (the finaliser of SplitMix64, Steele et al. 2014)."""
    values = values + np.uint64(0x9E3779B97F4A7C15)
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed: np.ndarray = values ^ (values >> np.uint64(31))
    return mixed


def _key_size(key: tuple[object, ...]) -> int:
    last = key[-1]
    parts = [last] if isinstance(last, bytes) else list(last)  # type: ignore[call-overload]
    return ENTRY_OVERHEAD + sum(len(part) + 33 for part in parts)
