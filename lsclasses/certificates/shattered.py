"""Lower bounds: shattered trees for the Littlestone dimension, shattered sets for VC.

``docs/certificates.md`` states the invariants T1 to T3, S1 and S2 of the checkers, and proves that
they suffice.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from lsclasses.certificates import reading
from lsclasses.certificates.base import Certificate, Subject
from lsclasses.certificates.reading import NAME, NATURAL, NULL, Either, ListOf, ObjectShape, Shape
from lsclasses.certificates.subject_class import SubjectClass
from lsclasses.drawing import SHOWN_DEPTH
from lsclasses.errors import BadCertificate, InfiniteDimension, InvalidInput, TooLarge
from lsclasses.limits import Limit, Progress, tick, within
from lsclasses.packed_labels import PackedLabels
from lsclasses.point_names import Label, Point, from_json, name_text, to_json

if TYPE_CHECKING:
    import networkx as nx


DEPTH_LIMIT = 20
"""The largest depth of an enumerated tree of a class in closed form. It has 2^20 leaves."""
DEPTH_IN_MEMORY = 60
"""A depth above which no tree fits into the memory of a computer."""


@dataclass(frozen=True, repr=False)
class ShatteredTree(Certificate):
    """A complete binary tree of points with a concept that agrees with every path.

    Attributes
    ----------
    depth : int
        Number of points on a path.
    points : tuple of points, length 2**depth - 1
        Inner nodes, breadth first. The children of node i are 2 i + 1 (label 0) and 2 i + 2 (label
        1).
    leaves : tuple, length 2**depth
        Name of a concept that agrees with each path, from left to right. Concepts without names are
        given by their positions in the table. All leaves are None if the class is not a table.

    References
    ----------
    [LWY25, Definition 2.1]

    Examples
    --------
    >>> from lsclasses import Table
    >>> C = Table([[1, 1, 1], [0, 1, 1], [0, 0, 1], [0, 0, 0]], domain="abc")
    >>> tree = C.shattered_tree()
    >>> tree.claim, tree.points, tree.leaves
    ('Ldim >= 2', ('b', 'c', 'a'), (3, 2, 1, 0))
    >>> tree.verify(C)
    """

    kind: ClassVar[str] = "shattered-tree"
    shape: ClassVar[Shape] = ObjectShape(
        {"depth": NATURAL, "points": ListOf(NAME), "leaves": ListOf(Either(NULL, NAME))}
    )
    subject: Subject
    depth: int
    points: tuple[Point, ...]
    leaves: tuple[Point | None, ...]

    def __post_init__(self) -> None:
        reading.natural(self.depth, DEPTH_IN_MEMORY)
        reading.require_tuple(self.points, "The points of a tree")
        reading.require_tuple(self.leaves, "The leaves of a tree")

    @classmethod
    def of(
        cls,
        C: SubjectClass,
        depth: int | None = None,
        *,
        limit: Limit | None = None,
        progress: Progress | None = None,
    ) -> ShatteredTree:
        """Return a shattered tree of depth Ldim, with named leaves if the class is small.

        A class of infinite Littlestone dimension shatters a tree of every depth. The method uses a
        tree of a finite set of its concepts.

        Parameters
        ----------
        C : ConceptClass
        depth : int, optional
            Number of levels of the tree, by default Ldim. A class of infinite Littlestone
            dimension needs this argument.
        limit, progress : optional
            Limit and progress as for `ConceptClass.ldim`. The time limit includes the tree.

        Raises
        ------
        InvalidInput
            If the class is empty, because it shatters no tree, or if the depth is negative.
        TooLarge
            If the tree is deeper than `DEPTH_LIMIT`, or if the limit is reached. (A table's tree
            has at most as many leaves as the table has concepts.) A class of infinite Littlestone
            dimension without a depth raises `InfiniteDimension`.
        """
        given = C
        with within(limit):
            try:
                deepest = C.ldim(limit=limit, progress=progress)
            except InfiniteDimension:
                C = _part_of_depth(C, depth)
                deepest = C.ldim()
            if deepest < 0:
                raise InvalidInput("The empty class shatters no tree, not even a tree of depth 0.")
            if depth is not None and depth < 0:
                raise InvalidInput(f"The depth of a tree is at least 0. Got {depth}.")
            first = depth is not None and depth < deepest
            depth = depth if first and depth is not None else deepest
            if depth > DEPTH_LIMIT and not isinstance(C, PackedLabels):
                raise TooLarge(
                    f"A shattered tree of depth {depth} has 2^{depth} leaves. Trees are "
                    f"enumerated up to depth {DEPTH_LIMIT}.",
                    estimate=depth,
                    limit=DEPTH_LIMIT,
                )
            points = _first_levels(C, depth) if first else C._shattered_tree()
            table = C._listed()
            leaves = (None,) * 2**depth if table is None else _leaves(table, points)
            return cls(Subject.of(given), depth, points, leaves)

    @property
    def claim(self) -> str:
        """The lower bound on the Littlestone dimension that the tree proves, as a formula."""
        return f"Ldim >= {self.depth}"

    def _check(self, C: SubjectClass) -> None:
        # T1
        if len(self.points) != 2**self.depth - 1 or len(self.leaves) != 2**self.depth:
            raise BadCertificate(
                f"A tree of depth {self.depth} has {2**self.depth - 1} points and "
                f"{2**self.depth} leaves. Got {len(self.points)} and {len(self.leaves)}."
            )
        table: PackedLabels | None = C if isinstance(C, PackedLabels) else None
        if table is None and any(name is not None for name in self.leaves):
            # Concepts have names only in the table of a class in closed form.
            table = C.to_table()
        # T2
        for node, x in enumerate(self.points):
            if x not in C.domain:
                raise BadCertificate(
                    f"Node {node} is labelled {reading.brief(x)}, which is not a point."
                )
        # T3
        if table is None:
            self._check_paths(C)
        else:
            self._check_leaves(table)

    def _check_leaves(self, table: PackedLabels) -> None:
        """Check that the concept at each leaf gives the points on its path the path's labels."""
        known = range(len(table)) if table.concept_names is None else table.concept_names
        position = {name: i for i, name in enumerate(known)}
        for i, name in enumerate(self.leaves):
            if name not in position:
                raise BadCertificate(
                    f"The leaf at the end of {self._path(i)} names {reading.brief(name)}, which "
                    "is not a concept."
                )
        rows = np.array([position[name] for name in self.leaves])
        columns = np.array([table.domain.index(x) for x in self.points], dtype=np.intp)
        labels, leaf = table.labels, np.arange(len(rows))
        for level in range(self.depth):
            node = (leaf >> (self.depth - level)) + 2**level - 1
            label = leaf >> (self.depth - level - 1) & 1
            wrong = np.flatnonzero(labels[rows, columns[node]] != label)
            if len(wrong):
                i = int(wrong[0])
                raise BadCertificate(
                    f"The leaf at the end of {self._path(i)} names "
                    f"{reading.brief(self.leaves[i])}, which is not a concept that agrees with "
                    "the path."
                )

    def _check_paths(self, C: SubjectClass) -> None:
        """Check that some concept follows each path, depth first to hold few version spaces."""
        stack: list[tuple[int, SubjectClass]] = [(0, C)]
        while stack:
            node, left = stack.pop()
            if left.is_empty:
                path = format(node + 1, "b")[1:]
                raise BadCertificate(f"No concept agrees with the path {path or '(root)'}.")
            if node < len(self.points):
                for label in (1, 0):
                    stack.append((2 * node + 1 + label, left.restrict(self.points[node], label)))

    def _folded(self) -> nx.DiGraph:
        """Return the graph with one node for all equal subtrees."""
        import networkx as nx

        inner = len(self.points)
        known: dict[tuple[Point, ...], int] = {}
        nodes = [0] * inner
        for i in reversed(range(inner)):
            below = nodes[2 * i + 1 : 2 * i + 3]
            nodes[i] = known.setdefault((self.points[i], *below), i)
        graph = nx.DiGraph()
        for i, node in enumerate(nodes):
            if node == i:
                layer = (i + 1).bit_length() - 1
                graph.add_node(i, label=name_text(self.points[i]), layer=layer, kind="point")
        for i in list(graph):
            zero, one = nodes[2 * i + 1 : 2 * i + 3] or (None, None)
            if zero is not None:
                graph.add_edge(i, zero, label="0, 1" if zero == one else "0")
            if one is not None and zero != one:
                graph.add_edge(i, one, label="1")
        return graph

    def _path(self, i: int) -> str:
        return f"the path {format(i, f'0{self.depth}b')}" if self.depth else "the empty path"

    def _evidence(self) -> dict[str, Any]:
        return {
            "depth": self.depth,
            "points": [to_json(x) for x in self.points],
            "leaves": [None if name is None else to_json(name) for name in self.leaves],
        }

    @classmethod
    def _from_evidence(cls, subject: Subject, data: Any) -> Self:
        leaves = (None if name is None else from_json(name) for name in data["leaves"])
        return cls(subject, data["depth"], reading.names_from_json(data["points"]), tuple(leaves))

    def __str__(self) -> str:
        """Return a drawing of the tree, or of its first levels if it is deep."""
        if self.depth <= SHOWN_DEPTH:
            return super().__str__()
        shown = self.first(SHOWN_DEPTH).to_text()
        return f"{self.claim}, the first {SHOWN_DEPTH} of {self.depth} levels\n{shown}"

    def legend(self) -> tuple[str, ...]:
        r"""Return sentences that explain the drawing of the tree.

        Examples
        --------
        >>> import catalog
        >>> print(*catalog.build("thresholds:n=7").shattered_tree().legend(), sep="\n")
        Circle: a point. Edge: its label, 0 or 1.
        Box: concept with all labels on its branch.
        Concept 6 labels 3 by 0, 5 by 0 and 6 by 1.
        """
        if not self.depth:
            return ()
        sentences = ["Circle: a point. Edge: its label, 0 or 1."]
        sentences.append("Box: concept with all labels on its branch.")
        if (name := self.leaves[1]) is not None and self.depth <= SHOWN_DEPTH:
            nodes = [2**level - 1 for level in range(self.depth)]
            labels = [*(0 for _ in nodes[1:]), 1]
            *first, last = (
                f"{name_text(self.points[node])} by {label}"
                for node, label in zip(nodes, labels, strict=True)
            )
            labelled = " and ".join([*([", ".join(first)] if first else []), last])
            sentences.append(f"Concept {name_text(name)} labels {labelled}.")
        return tuple(sentences)

    def to_svg(self) -> str:
        """Return the tree as SVG, with its claim above and its legend below."""
        from lsclasses.drawing import to_svg

        heading = f"Littlestone dimension at least {self.depth}"
        return to_svg(self.to_networkx(), heading=heading, legend=self.legend())

    def first(self, depth: int) -> ShatteredTree:
        """Return the first levels of the tree, which form a shattered tree of the given depth.

        Examples
        --------
        >>> import catalog
        >>> tree = catalog.build("thresholds:n=7").shattered_tree()
        >>> tree.first(1).points, tree.first(1).leaves, tree.first(5) is tree
        ((3,), (7, 3), True)
        """
        if depth < 0:
            raise InvalidInput(f"The depth of a tree is at least 0. Got {depth}.")
        if depth >= self.depth:
            return self
        leaves = self.leaves[:: 2 ** (self.depth - depth)]
        return type(self)(self.subject, depth, self.points[: 2**depth - 1], leaves)

    def to_networkx(self, *, fold: bool = False) -> nx.DiGraph:
        """Return the tree as a graph, in which a leaf shows the concept that agrees with its path.

        Parameters
        ----------
        fold : bool
            Whether equal subtrees are one node. Leaves are always distinct, so they are then
            omitted, and an edge may represent both labels.
        """
        import networkx as nx

        if fold and self.depth:
            return self._folded()
        graph = nx.DiGraph()
        inner = len(self.points)
        for i, name in enumerate([*self.points, *self.leaves]):
            layer = (i + 1).bit_length() - 1
            kind = "point" if i < inner else "concept"
            graph.add_node(i, label="" if name is None else name_text(name), layer=layer, kind=kind)
            if i:
                graph.add_edge((i - 1) // 2, i, label=str((i - 1) % 2))
        return graph


def _part_of_depth(C: SubjectClass, depth: int | None) -> SubjectClass:
    """Return finitely many concepts of an infinite class that shatter a tree of this depth."""
    if depth is None:
        raise InfiniteDimension(
            f"The Littlestone dimension of {C!r} is infinite, so it shatters a tree of every "
            f"depth. Choose a depth of at most {DEPTH_LIMIT} (--depth 3)."
        )
    if not 0 <= depth <= DEPTH_LIMIT:
        raise InvalidInput(f"The depth of a tree must be from 0 to {DEPTH_LIMIT}. Got {depth}.")
    return C._part_of_depth(depth)


def _first_levels(C: SubjectClass, depth: int) -> tuple[Point, ...]:
    """Return the inner nodes on the first levels of a shattered tree that is deeper."""
    points: list[Point] = []
    level = [C]
    for _ in range(depth):
        tick()
        roots = [left.splitting_point() for left in level]
        points += roots
        level = [left.restrict(x, y) for left, x in zip(level, roots, strict=True) for y in (0, 1)]
    return tuple(points)


def _leaves(table: PackedLabels, nodes: tuple[Point, ...]) -> tuple[Point, ...]:
    """Return, for every path of a shattered tree, the name of the first concept that agrees."""
    level = [np.arange(len(table))]
    for i, x in enumerate(nodes):
        tick()
        rows, j = level[i], table.domain.index(x)
        ones = table.packed[rows, j >> 3] >> (7 - j % 8) & 1 == 1
        level += [rows[~ones], rows[ones]]
    return tuple(table.concept_name(int(rows[0])) for rows in level[len(nodes) :])


@dataclass(frozen=True, repr=False)
class ShatteredSet(Certificate):
    """Points on which the class induces every labelling.

    Attributes
    ----------
    points : tuple of distinct points

    Examples
    --------
    >>> from lsclasses import Table
    >>> C = Table([[0, 0], [0, 1], [1, 0], [1, 1]], domain="ab")
    >>> evidence = C.vcdim_certificate().shattered
    >>> evidence.points, evidence.claim
    (('a', 'b'), 'VCdim >= 2')
    >>> evidence.verify(C)
    """

    kind: ClassVar[str] = "shattered-set"
    shape: ClassVar[Shape] = ObjectShape({"points": ListOf(NAME)})
    subject: Subject
    points: tuple[Point, ...]

    def __post_init__(self) -> None:
        reading.require_tuple(self.points, "The points of a shattered set")

    @classmethod
    def of(cls, C: SubjectClass, *, limit: Limit | None = None) -> ShatteredSet:
        """Return a largest set of points that the class shatters.

        Raises
        ------
        InvalidInput
            If the class is empty.
        TooLarge
            If the limit is reached.
        """
        from lsclasses.certificates.extraction import shattered_points

        if C.is_empty:
            raise InvalidInput("The empty class shatters no set, not even the empty set.")
        return cls(Subject.of(C), shattered_points(C.to_table(), limit))

    @property
    def claim(self) -> str:
        """The lower bound on the VC dimension that the set proves, as a formula."""
        return f"VCdim >= {len(self.points)}"

    def _check(self, C: SubjectClass) -> None:
        # S1
        for x in self.points:
            if x not in C.domain:
                raise BadCertificate(f"{reading.brief(x)} is not a point of the class.")
        if len(set(self.points)) != len(self.points):
            raise BadCertificate("The points of a shattered set must be distinct.")
        # S2
        for labels in itertools.product((0, 1), repeat=len(self.points)):
            if not is_induced(C, tuple(zip(self.points, labels, strict=True))):
                raise BadCertificate(
                    f"No concept labels the points {reading.brief(self.points)} with {labels}."
                )

    def _evidence(self) -> dict[str, Any]:
        return {"points": [to_json(x) for x in self.points]}

    @classmethod
    def _from_evidence(cls, subject: Subject, data: Any) -> Self:
        return cls(subject, reading.names_from_json(data["points"]))

    def to_networkx(self) -> nx.DiGraph:
        """Return the shattered tree whose levels are the points of the set."""
        import networkx as nx

        graph = nx.DiGraph()
        for i in range(2 ** (len(self.points) + 1) - 1):
            layer = (i + 1).bit_length() - 1
            inner = layer < len(self.points)
            path = format(i + 1, "b")[1:]
            graph.add_node(
                i,
                label=name_text(self.points[layer]) if inner else path,
                layer=layer,
                kind="point" if inner else "concept",
            )
            if i:
                graph.add_edge((i - 1) // 2, i, label=str((i - 1) % 2))
        return graph


def is_induced(C: SubjectClass | PackedLabels, labelling: tuple[tuple[Point, Label], ...]) -> bool:
    """Return whether some concept of the class agrees with a labelling."""
    if not isinstance(C, PackedLabels):
        return not C.given(labelling).is_empty
    left = (1 << len(C)) - 1
    for x, y in labelling:
        column = C.column_bits[C.domain.index(x)]
        left &= column if y else ~column
    return left != 0
