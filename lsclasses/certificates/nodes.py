"""What a folded tree consists of: nodes, and reasons why both their sides shatter a tree."""

from __future__ import annotations

from dataclasses import dataclass

from lsclasses.certificates import reading
from lsclasses.certificates.entries import Match, require_matching
from lsclasses.errors import BadCertificate
from lsclasses.points import Label, Point


@dataclass(frozen=True)
class Subtree:
    """Evidence that one side of a node shatters a tree one level less deep.

    Attributes
    ----------
    node : int or None
        The node that is the root of the subtree.
    matching : tuple of Match, or None
        How that node's version space sits inside the side; None if it is the side itself.
    points : tuple of Point
        If there is no node: as many points as the subtree is deep, which the side shatters.
    """

    node: int | None = None
    matching: tuple[Match, ...] | None = None
    points: tuple[Point, ...] = ()

    def __post_init__(self) -> None:
        reading.require_tuple(self.points, "The points of a subtree")
        if self.matching is not None:
            require_matching(self.matching)
        if self.node is not None:
            reading.natural(self.node)
        if (self.node is None and self.matching is not None) or (
            self.node is not None and self.points
        ):
            raise BadCertificate("A subtree has a node, with or without a matching, or points.")


@dataclass(frozen=True)
class Node:
    """An inner node of the tree.

    Attributes
    ----------
    parent : int or None
        The node above it; None for the root of the whole tree.
    side : 0, 1 or None
        On which side of the parent it lies.
    root : Point
        Its point.
    subtrees : tuple of two Subtree
        What lies below it, on the sides 0 and 1.
    """

    parent: int | None
    side: Label | None
    root: Point
    subtrees: tuple[Subtree, Subtree]

    def __post_init__(self) -> None:
        if self.parent is not None:
            reading.natural(self.parent)
            reading.label(self.side)
        elif self.side is not None:
            raise BadCertificate(
                f"A node without a parent has no side. Got {reading.brief(self.side)}."
            )
        below = reading.require_tuple(self.subtrees, "The subtrees of a node")
        if len(below) != 2 or not all(isinstance(each, Subtree) for each in below):
            raise BadCertificate(f"A node has two subtrees. Got {reading.brief(below)}.")
