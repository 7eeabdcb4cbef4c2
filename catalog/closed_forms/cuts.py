"""Immutable sorted sets of integers that store their longest gaps and grow in logarithmic time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple


class TreapNode(NamedTuple):
    """A node of a treap: a search tree for the cuts that is also a heap for their priorities.

    The priority of a cut is its hash, so that the tree depends only on the set, not on the order of
    the cuts. Its depth is about the depth of a random search tree.

    Attributes
    ----------
    priority : tuple of int
        Hash of the cut.
    cut : int
        The cut of this node.
    left, right : TreapNode or None
        The subtrees with the smaller cuts and with the larger cuts.
    low, high : int
        Least and greatest cut in this subtree.
    longest : tuple of int
        Three longest distances of neighbouring cuts in this subtree, in ascending order.
    """

    priority: tuple[int, int]
    cut: int
    left: TreapNode | None
    right: TreapNode | None
    low: int
    high: int
    longest: tuple[int, ...]


class CutSet:
    """A set of integers, the *cuts*, with the distances between neighbouring cuts.

    Parameters
    ----------
    low, high : int
        Outermost cuts.

    Attributes
    ----------
    longest : tuple of int
        Three longest distances, or all if there are fewer, in ascending order.

    Examples
    --------
    >>> cuts = CutSet(0, 100).with_cut(30).with_cut(40)
    >>> list(cuts), cuts.longest, cuts.around(35), list(cuts.gaps_of(30))
    ([0, 30, 40, 100], (10, 30, 60), (30, 40), [(0, 30)])
    >>> cuts == CutSet(0, 100).with_cut(40).with_cut(30)
    True
    """

    __slots__ = ("_hash", "_length", "_root")

    def __init__(self, low: int, high: int) -> None:
        self._root = _inserted(_inserted(None, low, _priority(low)), high, _priority(high))
        self._length = 2
        self._hash = hash((low,)) ^ hash((high,))

    def with_cut(self, cut: int) -> CutSet:
        """Return the set with one more cut, which must be new and between the outermost cuts."""
        more = CutSet.__new__(CutSet)
        more._root = _inserted(self._root, cut, _priority(cut))
        more._length = self._length + 1
        more._hash = self._hash ^ hash((cut,))
        return more

    @property
    def longest(self) -> tuple[int, ...]:
        """The three longest distances of neighbouring cuts, in ascending order."""
        return self._root.longest

    def around(self, x: int) -> tuple[int, int]:
        """Return the greatest cut less than x and the least cut greater than or equal to x."""
        below, above = self._root.low, self._root.high
        node: TreapNode | None = self._root
        while node is not None:
            if node.cut < x:
                below, node = node.cut, node.right
            else:
                above, node = node.cut, node.left
        return below, above

    def gaps_of(self, distance: int) -> Iterator[tuple[int, int]]:
        """Yield all pairs of neighbouring cuts with the given distance."""
        stack: list[TreapNode | None] = [self._root]
        while stack:
            node = stack.pop()
            if node is None or not node.longest or node.longest[-1] < distance:
                continue
            if node.left is not None and node.cut - node.left.high == distance:
                yield node.left.high, node.cut
            if node.right is not None and node.right.low - node.cut == distance:
                yield node.cut, node.right.low
            stack += [node.right, node.left]

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[int]:
        stack: list[TreapNode] = []
        node: TreapNode | None = self._root
        while stack or node is not None:
            while node is not None:
                stack.append(node)
                node = node.left
            last = stack.pop()
            yield last.cut
            node = last.right

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CutSet):
            return NotImplemented
        if self._length != other._length or self._hash != other._hash:
            return False
        return self._root is other._root or all(a == b for a, b in zip(self, other, strict=True))

    def __hash__(self) -> int:
        return hash((self._length, self._hash))

    def __repr__(self) -> str:
        return f"CutSet({', '.join(map(str, self))})"


def _priority(cut: int) -> tuple[int, int]:
    # The hash of a pair. The hash of an integer is the integer, and would not balance the tree.
    return hash((cut, cut)), cut


def _node(
    priority: tuple[int, int], cut: int, left: TreapNode | None, right: TreapNode | None
) -> TreapNode:
    low = high = cut
    distances: tuple[int, ...] = ()
    if left is not None:
        low = left.low
        distances += (*left.longest, cut - left.high)
    if right is not None:
        high = right.high
        distances += (*right.longest, right.low - cut)
    return TreapNode(priority, cut, left, right, low, high, tuple(sorted(distances)[-3:]))


def _inserted(node: TreapNode | None, cut: int, priority: tuple[int, int]) -> TreapNode:
    if node is None:
        return _node(priority, cut, None, None)
    if priority > node.priority:
        return _node(priority, cut, *_split(node, cut))
    if cut < node.cut:
        return _node(node.priority, node.cut, _inserted(node.left, cut, priority), node.right)
    return _node(node.priority, node.cut, node.left, _inserted(node.right, cut, priority))


def _split(node: TreapNode | None, cut: int) -> tuple[TreapNode | None, TreapNode | None]:
    """Return the nodes with smaller cuts and the nodes with larger cuts."""
    if node is None:
        return None, None
    if node.cut < cut:
        smaller, larger = _split(node.right, cut)
        return _node(node.priority, node.cut, node.left, smaller), larger
    smaller, larger = _split(node.left, cut)
    return smaller, _node(node.priority, node.cut, larger, node.right)
