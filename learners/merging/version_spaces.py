"""The version spaces that `MergingSOA` merges, their readiness and their lists.

A *node* is a version space. Whether a node is ready, and its list, depend only on the set of
concepts and on the level. So the results are stored per version space.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable
from contextlib import suppress
from typing import Any

from learners.merging.parameters import list_length, tree_depth
from lsclasses.concept_class import ConceptClass
from lsclasses.dimensions.decompositions import SubclassTrees
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.hypothesis import Hypothesis
from lsclasses.point_names import Label, Point, from_json, to_json
from lsclasses.table import Table

__all__ = ["ClosedFormNodes", "Example", "Node", "Nodes", "TableNodes", "nodes_of"]

Example = tuple[Point, Label]
Node = Hashable
"""A version space: a bit mask of concepts, or the examples that determine the version space."""
Item = Any
"""An item of a list, from which `Nodes.hypothesis` makes the hypothesis."""

LARGEST_TREE = 10**9
"""Largest allowed estimate (2 |X|)^b of the work for a tree of depth b. A class with more work is
refused."""


class Nodes(ABC):
    """The version spaces of a class, for levels 1, ..., d.

    Parameters
    ----------
    concept_class : ConceptClass
        Concept class.
    dimension : int
        Littlestone dimension d.
    """

    def __init__(self, concept_class: ConceptClass, dimension: int) -> None:
        self.concept_class, self.dimension = concept_class, dimension
        self._lists: dict[tuple[Node, int], tuple[Item, ...] | None] = {}

    @abstractmethod
    def node(self, examples: Iterable[Example]) -> Node:
        """Return the version space of the given examples as a node."""

    @abstractmethod
    def meet(self, nodes: Iterable[Node]) -> Node:
        """Return the intersection of version spaces."""

    @abstractmethod
    def _list(self, node: Node, level: int) -> tuple[Item, ...] | None:
        """Return the list of a node, or None if the node is not ready."""

    @abstractmethod
    def hypothesis(self, item: Item) -> Hypothesis:
        """Return the hypothesis of an item of a list."""

    @abstractmethod
    def key(self, item: Item) -> Any:
        """Return a sort key of an item. Different items have different keys."""

    def to_json(self, node: Node) -> Any:
        """Return a node as JSON values, which are as secret as the examples."""
        return node

    def from_json(self, data: Any) -> Node:
        """Return the node that `to_json` wrote."""
        if type(data) is not int or data < 0:
            raise InvalidInput(f"A version space is an integer of at least 0. Got {data!r:.80}.")
        return data

    def list_of(self, node: Node, level: int) -> tuple[Item, ...] | None:
        """Return the list of a node at a level r, or None if the node is not ready.

        For r < d, a node V is ready if it is not empty and f(V, d - r) <= b_r. Its list contains
        the SOAs of the leaves of dimension d - r of the canonical tree. For r = d, a node is ready
        if it has 1 to l_d concepts, which are its list.
        """
        key = node, level
        if key not in self._lists:
            self._lists[key] = self._list(node, level)
        return self._lists[key]


class TableNodes(Nodes):
    """The version spaces of a table as masks of concepts, for every dimension.

    Raises
    ------
    TooLarge
        If trees over the class might take too long.

    Examples
    --------
    >>> import catalog
    >>> nodes = TableNodes(catalog.build("at-most:n=4,k=2").to_table(), 2)
    >>> one = nodes.node([(0, 1)])
    >>> [nodes.hypothesis(item).support for item in nodes.list_of(one, 1)]
    [(0,)]
    >>> both = nodes.meet([one, nodes.node([(1, 1)])])
    >>> [nodes.hypothesis(item).support for item in nodes.list_of(both, 2)]
    [(0, 1)]
    """

    def __init__(self, table: Table, dimension: int) -> None:
        super().__init__(table, dimension)
        depth = tree_depth(dimension - 1) if dimension > 1 else 0
        estimate = (2 * len(table.points)) ** depth
        if estimate > LARGEST_TREE:
            raise TooLarge(
                f"Trees of depth {depth} over {len(table.points)} points may have about "
                f"{estimate:.3g} nodes. The limit is {LARGEST_TREE:.0e}. Choose a class with fewer "
                "points.",
                estimate=estimate,
                limit=LARGEST_TREE,
            )
        self._subclasses = SubclassTrees(table)
        self._index = {x: index for index, x in enumerate(table.points)}

    def node(self, examples: Iterable[Example]) -> int:
        subclasses = self._subclasses
        mask = subclasses.whole
        for x, y in examples:
            mask = subclasses.restrict(mask, self._index[x], y)
        return mask

    def meet(self, nodes: Iterable[Node]) -> int:
        mask = self._subclasses.whole
        for node in nodes:
            assert isinstance(node, int)
            mask &= node
        return mask

    def _list(self, node: Node, level: int) -> tuple[Item, ...] | None:
        assert isinstance(node, int)
        subclasses, leaf = self._subclasses, self.dimension - level
        if not leaf:
            if not 1 <= node.bit_count() <= list_length(level):
                return None
            return tuple(map(subclasses.rule, _members(node)))
        if not node or not subclasses.is_within(node, leaf, tree_depth(level)):
            return None
        return tuple(subclasses.rules(node, leaf))

    def hypothesis(self, item: Item) -> Hypothesis:
        return self._subclasses.hypothesis(item).canonical()

    def key(self, item: Item) -> int:
        found: int = item
        return found


def _members(mask: int) -> Iterable[int]:
    """Return the classes of single concepts of a subclass."""
    while mask:
        yield mask & -mask
        mask &= mask - 1


class ClosedFormNodes(Nodes):
    """The version spaces of a class in closed form, for dimension 2.

    A node is the set of its examples. The class answers `restrict`, `ldim` and `size` by formulas.
    A point that splits a class of two concepts separates them.

    Examples
    --------
    >>> import catalog
    >>> nodes = ClosedFormNodes(catalog.build("at-most:n=2^32,k=2"), 2)
    >>> one, other = nodes.node([(3, 1)]), nodes.node([(7, 1)])
    >>> nodes.list_of(one, 1)
    (<Always 0 but at 3>,)
    >>> nodes.list_of(nodes.meet([one, other]), 2)
    (<Always 0 but at 3, 7>,)
    """

    def __init__(self, concept_class: ConceptClass, dimension: int) -> None:
        super().__init__(concept_class, dimension)
        if dimension != 2:
            raise TooLarge(
                "A class in closed form can be merged for dimension 2 only. For larger dimensions, "
                f"trees need a table. Got {concept_class!r} and dimension {dimension}."
            )
        _require_canonical(concept_class)

    def node(self, examples: Iterable[Example]) -> frozenset[Example]:
        return frozenset(examples)

    def meet(self, nodes: Iterable[Node]) -> frozenset[Example]:
        return frozenset().union(*nodes)  # type: ignore[arg-type]

    def _list(self, node: Node, level: int) -> tuple[Item, ...] | None:
        version_space = self.concept_class
        for x, y in sorted(node, key=repr):  # type: ignore[call-overload]
            version_space = version_space._restrict(x, y)
        if version_space.is_empty:
            return None
        if level == 1:
            dimension = version_space.ldim()
            if dimension > 1:
                return None
            return (version_space.soa().canonical(),) if dimension == 1 else ()
        size = version_space.size
        if size is None or size > list_length(2):
            return None
        if size == 1:
            return (version_space.soa().canonical(),)
        x = version_space.splitting_point()
        return tuple(version_space._restrict(x, y).soa().canonical() for y in (0, 1))

    def hypothesis(self, item: Item) -> Hypothesis:
        assert isinstance(item, Hypothesis)
        return item

    def key(self, item: Item) -> str:
        return repr(item)

    def to_json(self, node: Node) -> Any:
        return [[to_json(x), y] for x, y in sorted(node, key=repr)]  # type: ignore[call-overload]

    def from_json(self, data: Any) -> Node:
        domain = self.concept_class.domain
        return frozenset((domain.require(from_json(x)), int(y)) for x, y in data)


def _require_canonical(C: ConceptClass) -> None:
    """Raise `InvalidInput` if equality of two SOAs of the class is not decided."""
    try:
        hash(C.soa().canonical())
    except TooLarge as error:
        raise InvalidInput(
            "The merging learner counts equal hypotheses, so it needs a class whose SOAs have a "
            f"canonical form. {C!r} has none. {error}"
        ) from error


def nodes_of(C: ConceptClass, dimension: int) -> Nodes:
    """Return the version spaces of a class, as a table if the class is small enough.

    Raises
    ------
    TooLarge
        If the dimension is above 2 and the class cannot be a table, or trees might take too long.
    InvalidInput
        If equality of hypotheses of the class is not decided.
    """
    listed: Table | None = None
    if dimension == 2:
        listed = C._listed()
    else:
        with suppress(TooLarge):
            listed = C.to_table()
    if listed is None:
        return ClosedFormNodes(C, dimension)
    return TableNodes(listed, dimension)
