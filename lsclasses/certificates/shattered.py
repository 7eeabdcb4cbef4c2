"""Lower bounds: shattered trees for the Littlestone dimension, shattered sets for VC."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from lsclasses.certificates.base import Certificate, Subject, names_from_json, natural
from lsclasses.errors import BadCertificate, InvalidInput, TooLarge
from lsclasses.points import Point, to_json, to_text
from lsclasses.table import Table

if TYPE_CHECKING:
    import networkx as nx

    from lsclasses.concept_class import ConceptClass

__all__ = ["DEPTH_LIMIT", "ShatteredSet", "ShatteredTree"]

DEPTH_LIMIT = 20
"""The depth of the largest tree of a class in closed form that is written out: 2^20 leaves."""


@dataclass(frozen=True)
class ShatteredTree(Certificate):
    """A complete binary tree of points, every path of which some concept follows.

    Attributes
    ----------
    depth : int
        The number of points on a path.
    points : tuple of points, length 2**depth - 1
        The inner nodes, breadth first: the children of node i are 2 i + 1 (label 0) and 2 i + 2
        (label 1).
    leaves : tuple, length 2**depth
        For every path, left to right, the name of a concept that follows it (its position in the
        table when concepts have no names); None where the class is not a table.

    References
    ----------
    [LWY25, Definition 2.1]

    Examples
    --------
    >>> C = Table([[1, 1, 1], [0, 1, 1], [0, 0, 1], [0, 0, 0]], domain="abc")
    >>> tree = C.shattered_tree()
    >>> tree.claim, tree.points, tree.leaves
    ('Ldim >= 2', ('b', 'c', 'a'), (3, 2, 1, 0))
    >>> tree.verify(C)
    """

    kind: ClassVar[str] = "shattered-tree"
    subject: Subject
    depth: int
    points: tuple[Point, ...]
    leaves: tuple[Point | None, ...]

    @classmethod
    def of(cls, C: ConceptClass) -> ShatteredTree:
        """A shattered tree of depth Ldim; leaves are named where the class is small enough to list.

        Raises
        ------
        InvalidInput
            If the class is empty, and so shatters nothing.
        TooLarge
            If the tree is deeper than `DEPTH_LIMIT`. (A table's tree has no more leaves than the
            table has concepts.)
        """
        depth = C.ldim()
        if depth < 0:
            raise InvalidInput("The empty class shatters no tree, not even that of depth 0.")
        if depth > DEPTH_LIMIT and not isinstance(C, Table):
            raise TooLarge(
                f"A shattered tree of depth {depth} has 2^{depth} leaves; "
                f"trees are written out up to depth {DEPTH_LIMIT}.",
                estimate=depth,
                limit=DEPTH_LIMIT,
            )
        points, table = C._shattered_tree(), C._listed()
        leaves = (None,) * 2**depth if table is None else _leaves(table, points)
        return cls(Subject.of(C), depth, points, leaves)

    @property
    def claim(self) -> str:
        """The lower bound that the tree shows."""
        return f"Ldim >= {self.depth}"

    def _check(self, C: ConceptClass) -> None:
        if len(self.points) != 2**self.depth - 1 or len(self.leaves) != 2**self.depth:
            raise BadCertificate(
                f"A tree of depth {self.depth} has {2**self.depth - 1} points and "
                f"{2**self.depth} leaves. Got {len(self.points)} and {len(self.leaves)}."
            )
        if not isinstance(C, Table) and any(name is not None for name in self.leaves):
            # Concepts have names only in the table of a class in closed form.
            C = C.to_table()
        # Depth first, so that few version spaces are held at a time.
        stack: list[tuple[int, str, ConceptClass]] = [(0, "", C)]
        while stack:
            node, path, left = stack.pop()
            if left.is_empty:
                raise BadCertificate(f"No concept follows the path {path or '(root)'}.")
            if node >= len(self.points):
                self._check_leaf(node - len(self.points), path, C, left)
                continue
            x = self.points[node]
            if x not in C.domain:
                raise BadCertificate(f"Node {node} is labelled {x!r}, which is no point.")
            for label in (1, 0):
                stack.append((2 * node + 1 + label, path + str(label), left.restrict(x, label)))

    def _check_leaf(self, i: int, path: str, C: ConceptClass, left: ConceptClass) -> None:
        name = self.leaves[i]
        if not (isinstance(C, Table) and isinstance(left, Table)):
            follows = name is None
        elif left.concept_names is not None:
            follows = name in left.concept_names
        else:
            follows = isinstance(name, int) and 0 <= name < len(C) and C[name] in left
        if not follows:
            raise BadCertificate(
                f"The leaf at the end of the path {path or '(root)'} names {name!r}, which is no "
                "concept that follows the path."
            )

    def _evidence(self) -> dict[str, Any]:
        return {
            "depth": self.depth,
            "points": [to_json(x) for x in self.points],
            "leaves": [None if name is None else to_json(name) for name in self.leaves],
        }

    @classmethod
    def _from_evidence(cls, subject: Subject, data: dict[str, Any]) -> Self:
        leaves = data["leaves"]
        return cls(
            subject,
            natural(data["depth"], 60),
            names_from_json(data["points"]),
            tuple(None if name is None else names_from_json([name])[0] for name in leaves),
        )

    def to_networkx(self) -> nx.DiGraph:
        """The tree; a leaf shows the concept that follows its path."""
        import networkx as nx

        graph = nx.DiGraph()
        inner = len(self.points)
        for i, name in enumerate([*self.points, *self.leaves]):
            layer = (i + 1).bit_length() - 1
            kind = "point" if i < inner else "concept"
            graph.add_node(i, label="" if name is None else to_text(name), layer=layer, kind=kind)
            if i:
                graph.add_edge((i - 1) // 2, i, label=str((i - 1) % 2))
        return graph


def _leaves(table: Table, nodes: tuple[Point, ...]) -> tuple[Point, ...]:
    """For every path of a shattered tree the name of the first concept that follows it."""
    level = [np.arange(len(table))]
    for i, x in enumerate(nodes):
        rows = level[i]
        ones = table.column(x)[rows] == 1
        level += [rows[~ones], rows[ones]]
    return tuple(table.concept_name(int(rows[0])) for rows in level[len(nodes) :])


@dataclass(frozen=True)
class ShatteredSet(Certificate):
    """Points on which the class induces every labelling.

    Attributes
    ----------
    points : tuple of distinct points

    Examples
    --------
    >>> C = Table([[0, 0], [0, 1], [1, 0], [1, 1]], domain="ab")
    >>> evidence = C.vcdim_certificate().shattered
    >>> evidence.points, evidence.claim
    (('a', 'b'), 'VCdim >= 2')
    >>> evidence.verify(C)
    """

    kind: ClassVar[str] = "shattered-set"
    subject: Subject
    points: tuple[Point, ...]

    @property
    def claim(self) -> str:
        """The lower bound that the set shows."""
        return f"VCdim >= {len(self.points)}"

    def _check(self, C: ConceptClass) -> None:
        if len(set(self.points)) != len(self.points):
            raise BadCertificate("The points of a shattered set must be distinct.")
        for x in self.points:
            if x not in C.domain:
                raise BadCertificate(f"{x!r} is no point of the class.")
        for labels in itertools.product((0, 1), repeat=len(self.points)):
            if C.given(zip(self.points, labels, strict=True)).is_empty:
                raise BadCertificate(f"No concept labels the points {self.points!r} with {labels}.")

    def _evidence(self) -> dict[str, Any]:
        return {"points": [to_json(x) for x in self.points]}

    @classmethod
    def _from_evidence(cls, subject: Subject, data: dict[str, Any]) -> Self:
        return cls(subject, names_from_json(data["points"]))

    def to_networkx(self) -> nx.DiGraph:
        """The tree that asks the points one after the other, which is shattered as well."""
        import networkx as nx

        graph = nx.DiGraph()
        for i in range(2 ** (len(self.points) + 1) - 1):
            layer = (i + 1).bit_length() - 1
            inner = layer < len(self.points)
            path = format(i + 1, "b")[1:]
            graph.add_node(
                i,
                label=to_text(self.points[layer]) if inner else path,
                layer=layer,
                kind="point" if inner else "concept",
            )
            if i:
                graph.add_edge((i - 1) // 2, i, label=str((i - 1) % 2))
        return graph
