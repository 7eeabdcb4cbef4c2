"""Certificates of the exact randomized Littlestone dimension.

``docs/certificates.md`` states the invariants Q1 to Q9 of the checker, and proves that they
suffice.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from lsclasses.certificates import depth_rules, reading
from lsclasses.certificates.base import Certificate, Subject
from lsclasses.certificates.reading import (
    LONG,
    NATURAL,
    NATURALS,
    ListOf,
    ListShape,
    ObjectShape,
    Shape,
)
from lsclasses.certificates.rows import Rows
from lsclasses.certificates.subject_class import SubjectClass
from lsclasses.errors import BadCertificate, InvalidInput
from lsclasses.limits import tick

if TYPE_CHECKING:
    import networkx as nx

Numbers = tuple[int, ...]

MOST_PLACES = 1 << 14
"""The largest number of binary places of a value."""
MOST_NUMBERS = 1 << 26
"""The largest number of numbers in a proof."""


@dataclass(frozen=True, slots=True)
class DepthBound:
    """A version space, and an upper bound on the expected depth of the trees that it shatters.

    Attributes
    ----------
    origin : tuple of int
        Number of an entry, and 2 x + y. The version space is the side of the entry where the x-th
        point has label y. Empty for the whole class.
    bound : int
        Bound in the units of the proof.
    steps : tuple of tuples of int
        Reasons why a side is not deeper than a later entry. Each step has the side, as 2 x + y, the
        later entry, and a matching, as in `rules.no_deeper`. The matching is omitted if the entry
        is the side itself.
    """

    origin: Numbers
    bound: int
    steps: tuple[Numbers, ...]


@dataclass(frozen=True, slots=True)
class DepthNode:
    """A node of a folded shattered tree.

    Attributes
    ----------
    origin : tuple of int
        Origin as for `DepthBound`, with nodes in place of entries.
    root : int
        Point at the root.
    below : two tuples of int
        For each side of the root, a later node and a matching, as in `rules.as_deep`. The matching
        is omitted if the node is the side itself. The tuple is empty if at most three concepts
        remain.
    """

    origin: Numbers
    root: int
    below: tuple[Numbers, Numbers]


@dataclass(frozen=True, repr=False)
class RandomizedLdimCertificate(Certificate):
    """A proof of the exact randomized Littlestone dimension.

    Parameters
    ----------
    subject : Subject
    places : int
        Number of binary places of depths, which are integers in units of 2^-places.
    value : int
        Largest expected depth of a shattered tree, twice the dimension.
    bounds : tuple of DepthBound
        Proof that no tree is deeper. The first bound is about the whole class.
    nodes : tuple of DepthNode
        Nodes of a tree of that depth, empty for at most three concepts.

    Examples
    --------
    >>> import catalog
    >>> from lsclasses.dimensions.depth_proofs import randomized_ldim_certificate
    >>> C = catalog.build("conjunctions:n=2").to_table()
    >>> proof = randomized_ldim_certificate(C)
    >>> print(proof)
    randomized_ldim = 13/8
    no deeper tree: 1 entries; a tree of this depth: 4 nodes
    >>> proof.verify(C)
    """

    kind: ClassVar[str] = "randomized-ldim"
    shape: ClassVar[Shape] = ObjectShape(
        {
            "places": NATURAL,
            "value": LONG,
            "bounds": ListOf(ListShape(NATURALS, NATURAL, ListOf(NATURALS))),
            "nodes": ListOf(ListShape(NATURALS, NATURAL, ListShape(NATURALS, NATURALS))),
        }
    )
    in_coq: ClassVar[bool] = False
    subject: Subject
    places: int
    value: int
    bounds: tuple[DepthBound, ...]
    nodes: tuple[DepthNode, ...]

    def __post_init__(self) -> None:
        reading.natural(self.places, MOST_PLACES)
        if reading.natural(self.value) >> self.places >= 1 << 63:
            raise BadCertificate("The value must be below 2^63.")
        size = 0
        for entry in reading.require_tuple(self.bounds, "The bounds"):
            reading.natural(entry.bound)
            size += _require_origin(entry.origin)
            for step in reading.require_tuple(entry.steps, "The steps"):
                size += _require_numbers(step)
                if len(step) < 2:
                    raise BadCertificate(
                        f"A step must have a side and an entry. Got {reading.brief(step)}."
                    )
        for node in reading.require_tuple(self.nodes, "The nodes"):
            reading.natural(node.root)
            size += _require_origin(node.origin)
            if len(reading.require_tuple(node.below, "The subtrees of a node")) != 2:
                raise BadCertificate(
                    f"A node must have two subtrees. Got {reading.brief(node.below)}."
                )
            size += sum(map(_require_numbers, node.below))
        if size > MOST_NUMBERS:
            raise BadCertificate(f"A proof must have at most {MOST_NUMBERS} numbers. Got {size}.")

    @property
    def claim(self) -> str:
        """The exact randomized Littlestone dimension that the certificate proves, as a formula."""
        return f"randomized_ldim = {Fraction(self.value, 2 << self.places)}"

    def _check(self, C: SubjectClass) -> None:
        if C.is_empty:
            raise BadCertificate(
                "The proof needs a class of at least one concept. Got an empty class."
            )
        table = C.to_table()
        whole = Rows.of_packed(table.packed, len(table.domain))
        if whole.distinct().shape[1] != len(whole):
            raise BadCertificate("The class must not repeat a concept.")
        _Bounds(whole, self).check()
        _Tree(whole, self).check()

    def _evidence(self) -> dict[str, Any]:
        return {
            "places": self.places,
            "value": self.value,
            "bounds": [
                [list(e.origin), e.bound, [list(step) for step in e.steps]] for e in self.bounds
            ],
            "nodes": [
                [list(node.origin), node.root, [list(side) for side in node.below]]
                for node in self.nodes
            ],
        }

    @classmethod
    def _from_evidence(cls, subject: Subject, data: Any) -> Self:
        bounds, nodes = [], []
        for origin, bound, steps in data["bounds"]:
            listed = tuple(tuple(step) for step in steps)
            bounds.append(DepthBound(tuple(origin), bound, listed))
        for origin, root, below in data["nodes"]:
            zero, one = (tuple(side) for side in below)
            nodes.append(DepthNode(tuple(origin), root, (zero, one)))
        return cls(subject, data["places"], data["value"], tuple(bounds), tuple(nodes))

    def to_networkx(self) -> nx.DiGraph:
        """Raise `InvalidInput`: most trees are too large, and none is complete."""
        raise InvalidInput(f"A certificate of the kind {self.kind} cannot be drawn.")

    def to_text(self) -> str:
        """Return a sentence with the numbers of entries and nodes of the proof."""
        return f"no deeper tree: {len(self.bounds)} entries; " + (
            f"a tree of this depth: {len(self.nodes)} nodes"
        )


class _Spaces:
    """The version spaces of entries or nodes, in their order."""

    def __init__(self, whole: Rows, origins: Iterable[Numbers], what: str) -> None:
        # Q6
        self._what = what
        self._points = whole.points
        self.rows: list[Rows] = []
        self._columns: dict[int, list[int]] = {}
        for i, origin in enumerate(origins):
            if bool(origin) != (i > 0) or (origin and origin[0] >= i):
                raise BadCertificate(
                    f"{what} {i} must be a side of an earlier one, except number 0."
                )
            rows = self.side(origin[0], origin[1]) if origin else whole
            if not len(rows):
                raise BadCertificate(f"{what} {i} has no concept.")
            self.rows.append(rows)
            if not i % 1024:
                tick()

    def side(self, i: int, code: int) -> Rows:
        """Return the side of a version space where the x-th point has label y, given 2 x + y."""
        if code >= 2 * self._points:
            raise BadCertificate(f"{self._what} {i} names point {code >> 1}, which does not exist.")
        return self.rows[i].restricted(code >> 1, code & 1)

    def columns(self, i: int) -> list[int]:
        """Return one of several equal or complementary non-constant columns of a version space."""
        if i not in self._columns:
            self._columns[i] = depth_rules.kinds(self.rows[i])
        return self._columns[i]

    def require_later(self, i: int, j: int) -> None:
        """Raise `BadCertificate` unless j comes after i."""
        if not i < j < len(self.rows):
            raise BadCertificate(f"{self._what} {i} refers to {j}, which does not come later.")

    def require_fitting(self, i: int, j: int, matching: Sequence[int]) -> None:
        """Raise `BadCertificate` unless a matching names a point for each column."""
        if not len(matching) == len(self.columns(j)) or not matching:
            raise BadCertificate(
                f"{self._what} {i}: a matching with {j} must have {len(self.columns(j))} points. "
                f"Got {len(matching)}."
            )
        if max(matching) >= 2 * self._points:
            raise BadCertificate(f"{self._what} {i}: a matching names a point that does not exist.")


class _Bounds:
    """Checker of the claim that no shattered tree is deeper than the value."""

    def __init__(self, whole: Rows, proof: RandomizedLdimCertificate) -> None:
        self._entries, self._places = proof.bounds, proof.places
        if not self._entries or self._entries[0].bound != proof.value:
            raise BadCertificate("The first entry must bound the depth by the value.")
        self._spaces = _Spaces(whole, (entry.origin for entry in self._entries), "Entry")

    def check(self) -> None:
        """Raise `BadCertificate` unless every entry follows from later entries."""
        for i, entry in enumerate(self._entries):
            tick()
            rows, columns = self._spaces.rows[i], self._spaces.columns(i)
            bounds: dict[int, int] = {}
            for step in entry.steps:
                self._check_step(i, step)
                bound = self._entries[step[1]].bound << depth_rules.PLACES
                bounds[step[0]] = min(bound, bounds.get(step[0], bound))
            if not columns:
                continue
            both = rows.common_ones(np.array(columns))[:, columns]
            counted = depth_rules.counted_sides(len(rows), np.diagonal(both), both).tolist()
            # Q8
            most = 2 * (entry.bound - (1 << self._places)) << depth_rules.PLACES
            for x, sides in zip(columns, counted, strict=True):
                depths = [sides[y] << self._places for y in (0, 1)]
                if sum(depths) > most:
                    depths = [min(d, bounds.get(2 * x + y, d)) for y, d in enumerate(depths)]
                if sum(depths) > most:
                    raise BadCertificate(
                        f"Entry {i}: trees with point {x} at the root may be deeper than its bound."
                    )

    def _check_step(self, i: int, step: Numbers) -> None:
        # Q7
        code, j, matching = step[0], step[1], step[2:]
        self._spaces.require_later(i, j)
        if not matching:
            if self._entries[j].origin != (i, code):
                raise BadCertificate(f"Entry {j} is not the side {code} of entry {i}.")
            return
        self._spaces.require_fitting(i, j, matching)
        side = self._spaces.side(i, code)
        columns = self._spaces.columns(j)
        if not len(side) or not depth_rules.no_deeper(
            side, self._spaces.rows[j], columns, matching
        ):
            raise BadCertificate(
                f"Entry {i}: the matching does not map the side {code} into entry {j}, or omits a "
                "column."
            )


class _Tree:
    """Checks that a tree as deep as the value is shattered."""

    def __init__(self, whole: Rows, proof: RandomizedLdimCertificate) -> None:
        self._whole, self._nodes = whole, proof.nodes
        self._value = Fraction(proof.value, 1 << proof.places)
        self._spaces = _Spaces(whole, (node.origin for node in self._nodes), "Node")
        self._depths: dict[int, Fraction] = {}

    def check(self) -> None:
        """Raise `BadCertificate` unless the tree is shattered and has the depth."""
        # Q9
        for i in reversed(range(len(self._nodes))):
            tick()
            node = self._nodes[i]
            below = [self._depth_below(i, 2 * node.root + y, node.below[y]) for y in (0, 1)]
            self._depths[i] = 1 + sum(below, Fraction(0)) / 2
        found = self._depths[0] if self._nodes else _small_depth(self._whole, "The class")
        if found != self._value:
            raise BadCertificate(f"The tree has expected depth {found} instead of {self._value}.")

    def _depth_below(self, i: int, code: int, below: Numbers) -> Fraction:
        """Return the depth of a tree that a side of a node shatters."""
        side = self._spaces.side(i, code)
        if not below:
            return _small_depth(side, f"Node {i}, side {code & 1}")
        j, matching = below[0], below[1:]
        self._spaces.require_later(i, j)
        if not matching:
            if self._nodes[j].origin != (i, code):
                raise BadCertificate(f"Node {j} is not the side {code} of node {i}.")
            return self._depths[j]
        self._spaces.require_fitting(i, j, matching)
        columns = self._spaces.columns(j)
        if not len(side) or not depth_rules.as_deep(side, self._spaces.rows[j], columns, matching):
            raise BadCertificate(f"Node {i}: node {j} is not part of the side {code}.")
        return self._depths[j]


def _small_depth(rows: Rows, where: str) -> Fraction:
    """Return the depth of a balanced tree for one, two or three concepts."""
    if not 1 <= len(rows) <= depth_rules.BALANCED_UP_TO:
        raise BadCertificate(
            f"{where}: without a node, the side must have one, two or three concepts. Got "
            f"{len(rows)}."
        )
    return Fraction((0, 2, 3)[len(rows) - 1], 2)


def _require_numbers(numbers: Numbers) -> int:
    """Check that integers are at least 0, and count them."""
    reading.require_tuple(numbers, "A list")
    if {*map(type, numbers)} - {int} or min(numbers, default=0) < 0:
        raise BadCertificate(
            f"The list must contain integers of at least 0. Got {reading.brief(numbers)}."
        )
    return len(numbers) + 1


def _require_origin(origin: Numbers) -> int:
    if len(reading.require_tuple(origin, "An origin")) not in (0, 2):
        raise BadCertificate(
            f"An origin must be an entry and a side, or empty. Got {reading.brief(origin)}."
        )
    return _require_numbers(origin)
