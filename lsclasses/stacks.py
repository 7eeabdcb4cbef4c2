"""Many hypotheses on one domain, labelled together.

Some learners keep a hundred thousand copies of another learner and evaluate all their hypotheses at
each point. So hypotheses of one representation form a stack. Arrays contain their parts, and one
pass over the arrays labels a point by all hypotheses. `Hypothesis._stack` returns the stack of a
representation. Hypotheses of other representations are evaluated one by one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

from lsclasses.errors import InvalidInput
from lsclasses.point_names import Label, Point

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

    from lsclasses.domain import Domain
    from lsclasses.hypothesis import Hypothesis

KNOWN_BYTES = 1 << 26
"""Largest number of bytes of stored labels of hypotheses that are evaluated one by one."""
KEPT_POINT = 1 << 8
"""Number of bytes to store a point, without one byte for each label."""

H = TypeVar("H", bound="Hypothesis")


class GrowingArray:
    """An array that grows along its last axis, one entry (or column) at a time.

    Parameters
    ----------
    dtype : numpy dtype
    head : tuple of int
        Shape of the array without the last axis.

    Examples
    --------
    >>> numbers = GrowingArray(np.uint8)
    >>> for number in (3, 1, 2):
    ...     numbers.append(number)
    >>> numbers.array
    array([3, 1, 2], dtype=uint8)
    """

    __slots__ = ("_array", "_length")

    def __init__(self, dtype: DTypeLike, head: tuple[int, ...] = ()) -> None:
        self._array: NDArray[Any] = np.zeros((*head, 16), dtype)
        self._length = 0

    def append(self, entry: Any) -> None:
        """Append an entry, or a column of the shape `head`."""
        self._reserve(self._length + 1)
        self._array[..., self._length] = entry
        self._length += 1

    def fill(self, entry: Any, length: int) -> None:
        """Append a number repeatedly until the array has `length` entries."""
        self._reserve(length)
        self._array[..., self._length : length] = entry
        self._length = length

    def _reserve(self, length: int) -> None:
        *head, capacity = self._array.shape
        if length > capacity:
            larger = np.zeros((*head, max(length, 2 * capacity)), self._array.dtype)
            larger[..., : self._length] = self.array
            self._array = larger

    @property
    def array(self) -> NDArray[Any]:
        """The entries so far, shape ``(*head, length)``."""
        return self._array[..., : self._length]


def unsigned(size: int | None) -> type:
    """Return the smallest unsigned type of NumPy for numbers below `size`.

    If no such type is large enough, the result is the type of Python's integers.

    Examples
    --------
    >>> unsigned(2**20).__name__, unsigned(2**64).__name__, unsigned(None).__name__
    ('uint32', 'uint64', 'object')
    """
    if size is not None:
        for dtype in (np.uint8, np.uint16, np.uint32, np.uint64):
            if size - 1 <= np.iinfo(dtype).max:
                return dtype
    return object


class Stack(ABC, Generic[H]):
    """A stack: a sequence of hypotheses of one type of representation."""

    @abstractmethod
    def accepts(self, h: Hypothesis) -> bool:
        """Return whether this stack can store a hypothesis, given that the domains are equal."""

    @abstractmethod
    def append(self, h: H) -> None:
        """Append a hypothesis to the stack. `accepts` must be true for the hypothesis."""

    @abstractmethod
    def labels(self, x: Point) -> NDArray[np.bool_]:
        """Return the read-only labels of the hypotheses at a point, shape (hypotheses,)."""


class Listed(Stack["Hypothesis"]):
    """A stack of hypotheses of any type, which are evaluated one by one.

    The stack stores the labels at recent points.
    """

    def __init__(self) -> None:
        self._hypotheses: list[Hypothesis] = []
        self._known: dict[Point, NDArray[np.bool_]] = {}

    def accepts(self, h: Hypothesis) -> bool:
        """Return whether this stack can store a hypothesis, which must have no special stack."""
        return type(h._stack()) is Listed

    def append(self, h: Hypothesis) -> None:
        """Put a hypothesis on the stack."""
        self._hypotheses.append(h)

    def labels(self, x: Point) -> NDArray[np.bool_]:
        """Return the labels of the hypotheses at a point."""
        known = self._known.get(x)
        first = 0 if known is None else len(known)
        asked = self._hypotheses[first:]
        if known is None or asked:
            new = np.fromiter(self._answers(asked, x), np.bool_, len(asked))
            known = new if known is None else np.concatenate([known, new])
            self._known[x] = known
            while len(self._known) * (len(known) + KEPT_POINT) > KNOWN_BYTES:
                del self._known[next(iter(self._known))]
        return known

    def _answers(self, hypotheses: list[Hypothesis], x: Point) -> Iterable[Label]:
        """Return the labels of some of the hypotheses at a point."""
        return (h._label(x) for h in hypotheses)


class HypothesisStack:
    """A stack of hypotheses of any types of representations.

    Hypotheses may also be patched at finitely many points.

    Parameters
    ----------
    domain : Domain
        Domain of all hypotheses.

    Examples
    --------
    >>> import catalog
    >>> C = catalog.build("thresholds:n=2^20")
    >>> stack = HypothesisStack(C.domain)
    >>> for x in (10, 1000, 2**19):
    ...     stack.append(C.restrict(x, 1).soa())
    >>> stack.labels(300).tolist()
    [True, False, False]
    """

    def __init__(self, domain: Domain) -> None:
        self.domain = domain
        self._length = 0
        self._parts: list[tuple[Stack[Any], GrowingArray]] = []
        self._changed: dict[Point, dict[int, Label]] = {}

    def __len__(self) -> int:
        return self._length

    def append(self, h: Hypothesis) -> None:
        """Append a hypothesis to the stack.

        Raises
        ------
        InvalidInput
            If the hypothesis labels another domain.
        """
        if h.domain is not self.domain and h.domain != self.domain:
            raise InvalidInput(
                f"Only hypotheses on one domain, {self.domain.describe()}, can be labelled "
                f"together. Got one on {h.domain.describe()}."
            )
        base, changes = h._base_and_changes()
        part, positions = self._part_for(base)
        part.append(base)
        positions.append(self._length)
        for x, label in changes.items():
            self._changed.setdefault(x, {})[self._length] = label
        self._length += 1

    def _part_for(self, h: Hypothesis) -> tuple[Stack[Any], GrowingArray]:
        """Return a stack that accepts a hypothesis, and the positions of its hypotheses."""
        for part in self._parts:
            if part[0].accepts(h):
                return part
        part = h._stack(), GrowingArray(np.intp)
        self._parts.append(part)
        return part

    def labels(self, x: Point) -> NDArray[np.bool_]:
        """Return the read-only labels of the hypotheses at a point, shape (hypotheses,)."""
        changed = self._changed.get(x)
        if len(self._parts) == 1:
            labels: NDArray[np.bool_] = self._parts[0][0].labels(x)
            if not changed:
                return labels
            labels = labels.copy()
        else:
            labels = np.empty(self._length, np.bool_)
            for part, positions in self._parts:
                labels[positions.array] = part.labels(x)
        for position, label in (changed or {}).items():
            labels[position] = label
        return labels
