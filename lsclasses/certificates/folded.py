"""Lower bounds on the Littlestone dimension of large classes, as folded shattered trees.

A tree that proves Ldim(C) >= d has 2^d leaves. In a `FoldedTree`, a subtree ends if its version
space shatters a set with as many points as the tree has remaining levels. If version spaces differ
only in the names of points and concepts, the file contains only one of their subtrees.

``docs/certificates.md`` states the invariants G1 to G6 of the checker, and proves that they
suffice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

from lsclasses.certificates import reading, rules
from lsclasses.certificates.base import Certificate, Subject
from lsclasses.certificates.certificate_entries import Node, Subtree
from lsclasses.certificates.reading import (
    LABEL,
    MATCHING,
    NAME,
    NATURAL,
    NATURALS,
    Either,
    ListOf,
    ListShape,
    ObjectShape,
    Shape,
)
from lsclasses.certificates.rows import Rows
from lsclasses.certificates.subject_class import SubjectClass
from lsclasses.errors import BadCertificate, InvalidInput
from lsclasses.limits import Limit, Progress, within
from lsclasses.packed_labels import PackedLabels
from lsclasses.point_names import Label, Point, name_text, to_json

if TYPE_CHECKING:
    import networkx as nx


SUBTREE = Either(NATURAL, NATURALS, ObjectShape({"node": NATURAL, "matching": MATCHING}))
"""Shape of a subtree in JSON: a node, points, or a node with a matching."""


@dataclass(frozen=True, repr=False)
class FoldedTree(Certificate):
    """A shattered tree that stores isomorphic subtrees once and omits most leaves.

    Attributes
    ----------
    depth : int
        Depth of the tree.
    nodes : tuple of Node
        Nodes of the tree, empty if the depth is 0. The first node is the root, and parents come
        before their children.

    Examples
    --------
    >>> import catalog
    >>> C = catalog.build("ltf:n=4").to_table()
    >>> tree = FoldedTree.of(C)
    >>> tree.claim, len(tree.nodes), 2**tree.depth
    ('Ldim >= 9', 21, 512)
    >>> tree.verify(C)
    """

    kind: ClassVar[str] = "folded-tree"
    shape: ClassVar[Shape] = ObjectShape(
        {
            "depth": NATURAL,
            "points": ListOf(NAME),
            "nodes": ListOf(
                Either(
                    ListShape(NATURAL, LABEL, NATURAL, SUBTREE, SUBTREE),
                    ListShape(NATURAL, SUBTREE, SUBTREE),
                )
            ),
        }
    )
    subject: Subject
    depth: int
    nodes: tuple[Node, ...]

    def __post_init__(self) -> None:
        reading.natural(self.depth)
        for node in reading.require_tuple(self.nodes, "The nodes"):
            if not isinstance(node, Node):
                raise BadCertificate(f"Expected a node. Got {reading.brief(node)}.")
        for i, node in enumerate(self.nodes):
            # G2
            if (node.parent is None) != (i == 0) or (node.parent or 0) >= max(i, 1):
                raise BadCertificate(
                    "The first node must have no parent, and every other node must have an "
                    f"earlier parent. Got parent {reading.brief(node.parent)} of node {i}."
                )
            for subtree in node.subtrees:
                if subtree.node is not None and subtree.node >= len(self.nodes):
                    raise BadCertificate(
                        f"Node {i} refers to node {subtree.node}, which does not exist."
                    )

    @classmethod
    def of(
        cls, C: SubjectClass, *, limit: Limit | None = None, progress: Progress | None = None
    ) -> FoldedTree:
        """Return a folded tree that a class shatters and whose depth is its Littlestone dimension.

        Parameters
        ----------
        C : ConceptClass
        limit : Limit, optional
            Time for the search for the dimension and for writing the proof.
        progress : callable, optional
            Called with the number of written nodes and the number of required nodes.

        Raises
        ------
        InvalidInput
            If the class is empty, because it shatters no tree.
        TooLarge
            If the time limit is reached.
        """
        from lsclasses.certificates.extraction import folded_nodes

        if C.is_empty:
            raise InvalidInput("The empty class shatters no tree, not even a tree of depth 0.")
        with within(limit):
            depth = C.ldim(limit=limit)
            return cls(Subject.of(C), depth, folded_nodes(C.to_table(), depth, limit, progress))

    @property
    def claim(self) -> str:
        """The lower bound on the Littlestone dimension that the tree proves, as a formula."""
        return f"Ldim >= {self.depth}"

    @property
    def version(self) -> int:
        """The version of the file format, always 2, because version 1 has no folded trees."""
        return 2

    def _check(self, C: SubjectClass) -> None:
        # G1
        if not self.depth:
            if self.nodes or C.is_empty:
                raise BadCertificate(
                    "A tree of depth 0 has no nodes, and a class that shatters it has a concept."
                )
            return
        if not self.nodes:
            raise BadCertificate(f"A tree of depth {self.depth} has a root. Got no node.")
        _Checker(self.depth, self.nodes, C.to_table()).check()

    def _evidence(self) -> dict[str, Any]:
        index: dict[Point, int] = {}

        def number(x: Point) -> int:
            return index.setdefault(x, len(index))

        def written(subtree: Subtree) -> Any:
            if subtree.node is None:
                return [number(x) for x in subtree.points]
            if subtree.matching is None:
                return subtree.node
            pairs = [[number(x), number(z), flip] for x, z, flip in subtree.matching]
            return {"node": subtree.node, "matching": pairs}

        nodes = []
        for node in self.nodes:
            place = [] if node.parent is None else [node.parent, node.side]
            nodes.append([*place, number(node.root), *map(written, node.subtrees)])
        return {"depth": self.depth, "points": [to_json(x) for x in index], "nodes": nodes}

    @classmethod
    def _from_evidence(cls, subject: Subject, data: Any) -> Self:
        points = reading.names_from_json(data["points"])

        def point(j: Any) -> Point:
            return points[reading.natural(j, len(points) - 1)]

        def subtree(value: Any) -> Subtree:
            if isinstance(value, list):
                return Subtree(points=tuple(map(point, value)))
            if not isinstance(value, dict):
                return Subtree(reading.natural(value))
            pairs = value["matching"]
            matching = tuple((point(x), point(z), flip) for x, z, flip in pairs)
            return Subtree(reading.natural(value["node"]), matching)

        nodes = []
        for value in data["nodes"]:
            *place, root, zero, one = value
            parent, side = place or (None, None)
            if place:
                reading.natural(parent)
            nodes.append(Node(parent, side, point(root), (subtree(zero), subtree(one))))
        return cls(subject, data["depth"], tuple(nodes))

    def to_networkx(self) -> nx.DiGraph:
        """Return the stored nodes, with an edge for each side that refers to a node."""
        import networkx as nx

        graph = nx.DiGraph()
        layers: list[int] = []
        for i, node in enumerate(self.nodes):
            layers.append(0 if node.parent is None else layers[node.parent] + 1)
            graph.add_node(i, label=name_text(node.root), layer=layers[i], kind="point")
        if not self.nodes:
            graph.add_node(0, label="", layer=0, kind="concept")
        for i, node in enumerate(self.nodes):
            zero, one = (subtree.node for subtree in node.subtrees)
            if zero is not None:
                graph.add_edge(i, zero, label="0, 1" if zero == one else "0")
            if one is not None and zero != one:
                graph.add_edge(i, one, label="1")
        return graph


class _Checker:
    """Checker of the nodes of a folded tree, level by level.

    Nodes of the next level prove which trees the two sides of a node shatter. So the version spaces
    of two levels are kept at a time.
    """

    def __init__(self, depth: int, nodes: tuple[Node, ...], table: PackedLabels) -> None:
        self._nodes = nodes
        self._domain = table.domain
        self._depths: list[int] = []
        self._children: dict[int, list[int]] = {}
        self._spaces = {0: Rows.of_packed(table.packed, len(table.domain))}
        for i, node in enumerate(nodes):
            # G2
            if node.parent is None:
                self._depths.append(depth)
                continue
            self._column(f"Node {node.parent}", nodes[node.parent].root)
            self._depths.append(self._depths[node.parent] - 1)
            self._children.setdefault(node.parent, []).append(i)
            # G3
            if self._depths[i] < 1:
                raise BadCertificate(f"Node {i} lies below the lowest level of the tree.")

    def check(self) -> None:
        """Raise `BadCertificate` unless each node's version space shatters the tree below it."""
        levels: dict[int, list[int]] = {}
        for i, depth in enumerate(self._depths):
            levels.setdefault(depth, []).append(i)
        for _, level in sorted(levels.items(), reverse=True):
            # G2
            for i in level:
                for child in self._children.get(i, ()):
                    self._spaces[child] = self._side(i, self._nodes[child].side)
            for i in level:
                for side in (0, 1):
                    self._check_subtree(i, side, self._nodes[i].subtrees[side])
            for i in level:
                del self._spaces[i]

    def _side(self, i: int, side: Label | None) -> Rows:
        column = self._column(f"Node {i}", self._nodes[i].root)
        return self._spaces[i].restricted(column, 1 if side else 0)

    def _column(self, where: str, x: Point) -> int:
        if x not in self._domain:
            raise BadCertificate(f"{where} names {reading.brief(x)}, which is not a point.")
        return self._domain.index(x)

    def _check_subtree(self, i: int, side: Label, subtree: Subtree) -> None:
        where, depth = f"Node {i}, side {side}", self._depths[i] - 1
        if subtree.node is None:
            # G4
            columns = [self._column(where, x) for x in subtree.points]
            if not rules.shattered_by_set(self._side(i, side), depth, columns):
                raise BadCertificate(
                    f"{where} needs a set of size {depth} that it shatters. "
                    f"Got {reading.brief(subtree.points)}."
                )
            return
        j = subtree.node
        if subtree.matching is None:
            # G5
            if (self._nodes[j].parent, self._nodes[j].side) != (i, side):
                raise BadCertificate(f"{where}: node {j} lies elsewhere.")
            return
        # G6
        matching = [
            (self._column(where, x), self._column(where, z), flip)
            for x, z, flip in subtree.matching
        ]
        if self._depths[j] != depth:
            raise BadCertificate(
                f"{where} needs a tree of depth {depth}. The tree below node {j} has depth "
                f"{self._depths[j]}."
            )
        entry = self._spaces[j]
        if rules.shattered_by_entry(self._side(i, side), depth, entry, self._depths[j], matching):
            return
        if rules.unlisted_columns(entry, [z for _, z, _ in matching]):
            raise BadCertificate(f"{where}: the matching leaves out a column of node {j}.")
        raise BadCertificate(
            f"{where}: the matching does not map the concepts of node {j} into it."
        )
