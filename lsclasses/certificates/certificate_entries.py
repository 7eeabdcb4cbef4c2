"""The parts of a failure DAG and of a folded tree.

A failure DAG consists of version spaces and of reasons why no version space shatters a deeper tree.
A folded tree consists of nodes and of reasons why both sides of a node shatter a tree.
"""

from __future__ import annotations

from dataclasses import dataclass

from lsclasses.certificates import reading
from lsclasses.errors import BadCertificate
from lsclasses.point_names import Label, Point

# ---- failure DAGs


Match = tuple[Point, Point, Label]
"""Correspondence of a point of a side to a point of an entry.

It lists both points and 1 if the labels 0 and 1 are swapped, else 0.
"""


@dataclass(frozen=True)
class FailureStep:
    """A reason why a point cannot be the root of a shattered tree, as a step of a `FailureEntry`.

    Attributes
    ----------
    point : Point
        The point that cannot be the root.
    side : 0 or 1
        Label whose restriction does not shatter a tree of depth k - 1, where k is the depth that
        the `FailureEntry` refutes.
    entry : int or None
        Number of another entry that refutes this restriction, or None if counting refutes it.
    matching : tuple of Match, or None
        Embedding of the restriction into the version space of `entry`, or None if all concepts of
        the restriction belong to this version space.
    """

    point: Point
    side: Label
    entry: int | None = None
    matching: tuple[Match, ...] | None = None

    def __post_init__(self) -> None:
        reading.label(self.side)
        if self.entry is not None:
            reading.natural(self.entry)
        if self.matching is not None:
            if self.entry is None:
                raise BadCertificate(
                    "Counting justifies a step without an entry, so the step must not have a "
                    "matching."
                )
            require_matching(self.matching)


@dataclass(frozen=True)
class Factor:
    """A bound on the Littlestone dimension of a version space on a group of its points.

    Attributes
    ----------
    entry : int
        Number of the entry that refutes some depth for the labellings of the group.
    matching : tuple of Match
        The points of the group, and how their labellings sit inside the entry's version space.
    """

    entry: int
    matching: tuple[Match, ...]

    def __post_init__(self) -> None:
        reading.natural(self.entry)
        require_matching(self.matching)


@dataclass(frozen=True)
class FailureEntry:
    """A version space that does not shatter a tree of the given depth.

    Attributes
    ----------
    depth : int
        Depth, at least 0.
    parent : int or None
        Entry that this entry restricts, or None for the whole class.
    given : tuple of (point, label)
        Restrictions of the parent.
    steps : tuple of FailureStep, or None
        Reason for every non-constant column of an entry of depth 1 or more. One column represents
        all columns that equal it up to complement or that symmetries map to it.
    factors : tuple of Factor, or None
        Groups of points such that every non-constant column is in some group. The dimensions of the
        groups add up to less than the depth. Without steps and factors, counting refutes the whole
        version space.
    symmetries : tuple of tuples of Match
        Maps of the version space into itself. An entry without steps has no symmetries.
    """

    depth: int
    parent: int | None = None
    given: tuple[tuple[Point, Label], ...] = ()
    steps: tuple[FailureStep, ...] | None = None
    factors: tuple[Factor, ...] | None = None
    symmetries: tuple[tuple[Match, ...], ...] = ()

    def __post_init__(self) -> None:
        reading.natural(self.depth)
        for example in reading.require_tuple(self.given, "The restrictions of an entry"):
            if len(reading.require_tuple(example, "A restriction")) != 2:
                raise BadCertificate(
                    f"A restriction must be (point, 0 or 1). Got {reading.brief(example)}."
                )
            reading.label(example[1])
        if self.parent is not None:
            reading.natural(self.parent)
        elif self.given:
            raise BadCertificate(
                "An entry without a parent is about the whole class, so it must not have "
                f"restrictions. Got {reading.brief(self.given)}."
            )
        if self.steps is not None and self.factors is not None:
            raise BadCertificate("An entry cannot have both steps and factors.")
        if self.steps is None and self.symmetries:
            raise BadCertificate(
                "Symmetries need steps that they map to other points. Got no steps."
            )
        for matching in reading.require_tuple(self.symmetries, "The symmetries of an entry"):
            require_matching(matching)
        for reasons, kind, what in (
            (self.steps, FailureStep, "The steps of an entry"),
            (self.factors, Factor, "The factors of an entry"),
        ):
            for reason in () if reasons is None else reading.require_tuple(reasons, what):
                if not isinstance(reason, kind):
                    raise BadCertificate(
                        f"{what} have the wrong type. Got {reading.brief(reason)}."
                    )


def require_matching(matching: tuple[Match, ...]) -> None:
    """Raise `BadCertificate` unless a value has the form of a matching, a tuple of `Match`."""
    for match in reading.require_tuple(matching, "A matching"):
        if len(reading.require_tuple(match, "A match")) != 3:
            raise BadCertificate(
                f"A match must be (point, point, 0 or 1). Got {reading.brief(match)}."
            )
        reading.label(match[2])


# ---- folded trees


@dataclass(frozen=True)
class Subtree:
    """Evidence that one side of a node shatters a tree that is one level shorter.

    The version space of a node shatters a tree with the node's point at the root. The side 0 or 1
    of the node consists of the concepts of its version space with this label at the point. The side
    must shatter the subtree with this label, whose depth is the depth of the node's tree minus 1.

    Attributes
    ----------
    node : int or None
        Node that is the root of the subtree.
    matching : tuple of Match, or None
        Embedding of that node's version space into the side, or None if the space is the side
        itself.
    points : tuple of Point
        Without a node, shattered points of the side, as many as the depth of the subtree.
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
            raise BadCertificate(
                "A subtree must have a node, with or without a matching, or points."
            )


@dataclass(frozen=True)
class Node:
    """An inner node of a folded tree.

    Attributes
    ----------
    parent : int or None
        Node above this node, or None for the root of the whole tree.
    side : 0, 1 or None
        Side of the parent.
    root : Point
        Point of the node.
    subtrees : tuple of two Subtree
        Subtrees on the sides 0 and 1.
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
                f"A node without a parent must not have a side. Got {reading.brief(self.side)}."
            )
        below = reading.require_tuple(self.subtrees, "The subtrees of a node")
        if len(below) != 2 or not all(isinstance(each, Subtree) for each in below):
            raise BadCertificate(f"A node must have two subtrees. Got {reading.brief(below)}.")
