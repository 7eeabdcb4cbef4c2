"""What a failure DAG consists of: version spaces, and a reason for each of their points."""

from __future__ import annotations

from dataclasses import dataclass

from lsclasses.certificates.base import label, natural, require_tuple
from lsclasses.errors import BadCertificate
from lsclasses.points import Label, Point

__all__ = ["Entry", "Match", "Step"]

Match = tuple[Point, Point, Label]
"""A point of a side, the point of an entry it corresponds to, and 1 if labels are swapped."""


@dataclass(frozen=True)
class Step:
    """Why one point cannot be the root of a shattered tree of the entry's depth.

    Attributes
    ----------
    point : Point
    side : 0 or 1
        The label whose restriction does not shatter a tree one less deep.
    entry : int or None
        The entry that refutes that restriction; None if counting does.
    matching : tuple of Match, or None
        How the restriction sits inside the entry's version space; None if all of its concepts
        belong to that space.
    """

    point: Point
    side: Label
    entry: int | None = None
    matching: tuple[Match, ...] | None = None

    def __post_init__(self) -> None:
        label(self.side)
        if self.entry is not None:
            natural(self.entry)
        if self.matching is not None:
            if self.entry is None:
                raise BadCertificate(
                    "A step without an entry is justified by counting, not by a matching."
                )
            for match in require_tuple(self.matching, "A matching"):
                if len(require_tuple(match, "A match")) != 3:
                    raise BadCertificate(f"A match is (point, point, 0 or 1). Got {match!r}.")
                label(match[2])


@dataclass(frozen=True)
class Entry:
    """A version space that does not shatter a tree of the given depth.

    Attributes
    ----------
    depth : int
        At least 0.
    parent : int or None
        The entry of which it is a restriction; None for the whole class.
    point, side
        The restriction of the parent.
    steps : tuple of Step, or None
        A reason for every non-constant column, up to complement, of an entry of depth 1 or more;
        None if counting refutes the whole version space.
    """

    depth: int
    parent: int | None
    point: Point | None
    side: Label | None
    steps: tuple[Step, ...] | None

    def __post_init__(self) -> None:
        natural(self.depth)
        if self.parent is not None:
            natural(self.parent)
            label(self.side)
        elif self.point is not None or self.side is not None:
            raise BadCertificate(
                "An entry without a parent is about the whole class. "
                f"Got the restriction {self.point!r} = {self.side!r}."
            )
        if self.steps is not None:
            for step in require_tuple(self.steps, "The steps of an entry"):
                if not isinstance(step, Step):
                    raise BadCertificate(f"Expected a step. Got {step!r}.")
