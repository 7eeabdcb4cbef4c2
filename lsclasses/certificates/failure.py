"""Upper bounds on the Littlestone dimension: why every column fails at the root of a deeper tree.

To shatter a tree of depth k, a class needs a point both of whose restrictions shatter depth k - 1.
A `FailureDAG` refutes that: for every point it names a side that fails, because it is refuted by
counting, or because it is isomorphic to a part of a version space refuted in another entry at a
smaller depth. Depths decrease, so there is no circle.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from lsclasses.certificates.base import Certificate, Subject, natural
from lsclasses.certificates.shattered import ShatteredTree
from lsclasses.errors import BadCertificate
from lsclasses.points import Label, Point, check_label, from_json, to_json, to_text
from lsclasses.searching.version_space import Arrangement, VersionSpace, normal_form
from lsclasses.table import Table

if TYPE_CHECKING:
    import networkx as nx

    from lsclasses.concept_class import ConceptClass

__all__ = ["Entry", "FailureDAG", "LdimCertificate", "Match", "Step"]

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
        How the restriction sits inside the entry's version space; None if it is that space.
    """

    point: Point
    side: Label
    entry: int | None = None
    matching: tuple[Match, ...] | None = None


@dataclass(frozen=True)
class Entry:
    """A version space that does not shatter a tree of the given depth.

    Attributes
    ----------
    depth : int
    parent : int or None
        The entry of which it is a restriction; None for the whole class.
    point, side
        The restriction of the parent.
    steps : tuple of Step, or None
        A reason for every non-constant column, up to complement; None if counting refutes the
        whole version space.
    """

    depth: int
    parent: int | None
    point: Point | None
    side: Label | None
    steps: tuple[Step, ...] | None


LOOK_AHEAD = 3
"""How many levels below a version space the checker counts."""


def refuted_by_counting(labels: np.ndarray, depth: int, look_ahead: int = LOOK_AHEAD) -> bool:
    """Whether counting concepts shows that a table shatters no tree of the given depth.

    Depth k takes 2^k concepts; and a point, neither of whose sides is refuted at depth k - 1 by
    counting one level less far ahead.

    Parameters
    ----------
    labels : array of 0/1, shape (concepts, points)
        Distinct rows.
    depth, look_ahead : int

    Examples
    --------
    >>> thresholds = np.array([[1, 1, 1], [0, 1, 1], [0, 0, 1], [0, 0, 0]])
    >>> refuted_by_counting(thresholds, 2), refuted_by_counting(thresholds, 3)
    (False, True)
    """
    concepts = len(labels)
    if concepts < 2**depth:
        return True
    if depth == 0 or look_ahead == 0:
        return False
    ones = labels.sum(axis=0, dtype=np.int64)
    alive = np.flatnonzero(np.minimum(ones, concepts - ones) >= 2 ** (depth - 1))
    if look_ahead == 1 or depth == 1:
        return not len(alive)
    if look_ahead == 2:
        wide = labels.astype(np.float64)
        both = wide[:, alive].T @ wide
        some = (np.minimum(both, ones[alive, None] - both) >= 2 ** (depth - 2)).any(axis=1)
        none = ones[None, :] - both
        rest = concepts - ones[alive, None] - none
        return not (some & (np.minimum(none, rest) >= 2 ** (depth - 2)).any(axis=1)).any()
    return all(
        any(
            refuted_by_counting(labels[labels[:, x] == label], depth - 1, look_ahead - 1)
            for label in (0, 1)
        )
        for x in alive
    )


@dataclass(frozen=True)
class FailureDAG(Certificate):
    """A proof that no tree deeper than `dimension` is shattered.

    Attributes
    ----------
    dimension : int
        The upper bound.
    entries : tuple of Entry
        The first one refutes depth ``dimension + 1`` for the whole class; parents come before
        their children.

    Examples
    --------
    >>> import catalog
    >>> C = catalog.build("decision-lists:n=4").to_table()
    >>> dag = C.failure_dag()
    >>> dag.claim, len(dag.entries)
    ('Ldim <= 9', 1)
    >>> dag.verify(C)
    """

    kind: ClassVar[str] = "failure-dag"
    subject: Subject
    dimension: int
    entries: tuple[Entry, ...]

    @classmethod
    def of(cls, table: Table) -> FailureDAG:
        """The proof that the search for a table's dimension amounts to."""
        dimension = table.ldim()
        return cls(Subject.of(table), dimension, _Extraction(table).entries(dimension + 1))

    @property
    def claim(self) -> str:
        """The upper bound that the entries show."""
        return f"Ldim <= {self.dimension}"

    # ---- checking

    def _check(self, C: ConceptClass) -> None:
        table = C.to_table()
        if not self.entries or self.entries[0].depth != self.dimension + 1:
            raise BadCertificate(
                f"The first entry must refute depth {self.dimension + 1} for the whole class."
            )
        spaces: list[Table] = []
        for i, entry in enumerate(self.entries):
            spaces.append(self._space(i, entry, table, spaces))
        for i, entry in enumerate(self.entries):
            if entry.steps is None:
                if not refuted_by_counting(spaces[i].labels, entry.depth):
                    raise BadCertificate(
                        f"Entry {i}: counting does not exclude depth {entry.depth}."
                    )
                continue
            self._require_all_columns(i, spaces[i], [step.point for step in entry.steps])
            for step in entry.steps:
                self._check_step(i, step, spaces)

    def _space(self, i: int, entry: Entry, table: Table, before: list[Table]) -> Table:
        if i == 0:
            if (entry.parent, entry.point, entry.side) != (None, None, None):
                raise BadCertificate("The first entry must be about the whole class.")
            return table
        if entry.parent is None or not 0 <= entry.parent < i:
            raise BadCertificate(
                f"Entry {i} must restrict an entry before it. Got parent {entry.parent!r}."
            )
        if entry.point not in table.domain:
            raise BadCertificate(f"Entry {i} restricts {entry.point!r}, which is no point.")
        return before[entry.parent].restrict(entry.point, entry.side)

    @staticmethod
    def _require_all_columns(i: int, space: Table, listed: list[Point]) -> None:
        """Every non-constant column of the space must be listed, itself or its complement."""
        for x in listed:
            if x not in space.domain:
                raise BadCertificate(f"Entry {i} lists {x!r}, which is no point.")
        oriented = space.labels ^ space.labels[:1]
        columns = [column.tobytes() for column in np.packbits(oriented, axis=0).T]
        covered = {columns[space.domain.index(x)] for x in listed}
        covered.add(bytes(len(columns[0])))
        for x, column in zip(space.points, columns, strict=True):
            if column not in covered:
                raise BadCertificate(f"Entry {i} gives no reason why {x!r} fails at the root.")

    def _check_step(self, i: int, step: Step, spaces: list[Table]) -> None:
        depth = self.entries[i].depth - 1
        side = spaces[i].restrict(step.point, step.side)
        where = f"Entry {i}, point {step.point!r}, side {step.side}"
        if step.entry is None:
            if not refuted_by_counting(side.labels, depth):
                raise BadCertificate(f"{where}: counting does not exclude depth {depth}.")
            return
        if not 0 <= step.entry < len(self.entries):
            raise BadCertificate(f"{where} refers to entry {step.entry}, which does not exist.")
        entry = self.entries[step.entry]
        if entry.depth > depth:
            raise BadCertificate(
                f"{where} needs a refutation of depth {depth}; entry {step.entry} refutes only "
                f"depth {entry.depth}."
            )
        if step.matching is None:
            if (entry.parent, entry.point, entry.side) != (i, step.point, step.side):
                raise BadCertificate(f"{where} is not the version space of entry {step.entry}.")
            return
        self._check_matching(where, step.matching, side, spaces[step.entry])

    def _check_matching(
        self, where: str, matching: tuple[Match, ...], side: Table, refuted: Table
    ) -> None:
        """The side, its columns renamed and flipped, must be contained in the refuted space.

        All its non-constant columns take part, so it has the dimension of its image; and the image
        has at most that of the space that contains it.
        """
        for x, z, _ in matching:
            if x not in side.domain or z not in side.domain:
                raise BadCertificate(f"{where}: {x!r} or {z!r} is no point.")
        if not matching:
            raise BadCertificate(f"{where}: an empty matching shows nothing.")
        self._require_all_columns_matched(where, side, [x for x, _, _ in matching])
        flips = np.array([flip for _, _, flip in matching], dtype=np.uint8)
        image = side.labels[:, [side.domain.index(x) for x, _, _ in matching]] ^ flips
        target = refuted.labels[:, [refuted.domain.index(z) for _, z, _ in matching]]
        if not _rows(image) <= _rows(target):
            raise BadCertificate(
                f"{where}: the matching does not map its concepts into the entry it refers to."
            )

    def _require_all_columns_matched(self, where: str, side: Table, listed: list[Point]) -> None:
        try:
            self._require_all_columns(0, side, listed)
        except BadCertificate:
            raise BadCertificate(f"{where}: the matching leaves out a column.") from None

    # ---- file format

    def _evidence(self) -> dict[str, Any]:
        index: dict[Point, int] = {}

        def number(x: Point) -> int:
            return index.setdefault(x, len(index))

        entries: list[dict[str, Any]] = []
        for entry in self.entries:
            steps = entry.steps and [
                [number(step.point), step.side]
                if step.entry is None
                else [
                    number(step.point),
                    step.side,
                    step.entry,
                    step.matching
                    and [[number(x), number(z), flip] for x, z, flip in step.matching],
                ]
                for step in entry.steps
            ]
            data: dict[str, Any] = {"depth": entry.depth, "steps": steps}
            if entry.parent is not None:
                data |= {"parent": entry.parent, "point": number(entry.point), "side": entry.side}
            entries.append(data)
        return {
            "dimension": self.dimension,
            "points": [to_json(x) for x in index],
            "entries": entries,
        }

    @classmethod
    def _from_evidence(cls, subject: Subject, data: dict[str, Any]) -> Self:
        points = [from_json(x) for x in data["points"]]

        def point(j: Any) -> Point:
            return points[natural(j, len(points) - 1)]

        def step(values: list[Any]) -> Step:
            if len(values) == 2:
                return Step(point(values[0]), check_label(values[1]))
            j, side, entry, matching = values
            pairs = (
                None
                if matching is None
                else tuple((point(x), point(z), check_label(flip)) for x, z, flip in matching)
            )
            return Step(point(j), check_label(side), natural(entry), pairs)

        entries = []
        for values in data["entries"]:
            restricted = "parent" in values
            entries.append(
                Entry(
                    natural(values["depth"]),
                    natural(values["parent"]) if restricted else None,
                    point(values["point"]) if restricted else None,
                    check_label(values["side"]) if restricted else None,
                    None if values["steps"] is None else tuple(map(step, values["steps"])),
                )
            )
        dimension = data["dimension"]
        return cls(subject, natural(dimension + 1) - 1, tuple(entries))

    def to_networkx(self) -> nx.DiGraph:
        """The entries, with an edge for every step that refers to another entry."""
        import networkx as nx

        graph = nx.DiGraph()
        for i, entry in enumerate(self.entries):
            reason = "counting" if entry.steps is None else f"{len(entry.steps)} points"
            graph.add_node(
                i,
                label=f"#{i}: no depth {entry.depth} ({reason})",
                layer=self.entries[0].depth - entry.depth,
                kind="entry",
            )
        for i, entry in enumerate(self.entries):
            labels: dict[int, list[str]] = {}
            for step in entry.steps or ():
                if step.entry is not None:
                    labels.setdefault(step.entry, []).append(f"{to_text(step.point)}={step.side}")
            for target, steps in labels.items():
                shown = ", ".join(steps[:3]) + (", ..." if len(steps) > 3 else "")
                graph.add_edge(i, target, label=shown)
        return graph


def _rows(labels: np.ndarray) -> set[bytes]:
    return {row.tobytes() for row in np.packbits(labels, axis=1)}


_Origin = tuple[int, int | None, Point | None, Label | None]
"""The depth, parent, point and side of an entry."""


class _Extraction:
    """Reads a failure DAG off the warm memory of a search."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._search = table._search
        self._spaces: list[VersionSpace] = []
        self._arranged: list[Arrangement] = []
        self._origins: list[_Origin] = []
        self._known: dict[tuple[tuple[object, ...], int], int] = {}

    def entries(self, depth: int) -> tuple[Entry, ...]:
        """All entries, beginning with the whole table at the given depth."""
        whole = self._table._space
        self._add(whole, normal_form(whole), (depth, None, None, None))
        found: list[Entry] = []
        while len(found) < len(self._spaces):
            i = len(found)
            origin = self._origins[i]
            counted = self._search.counted_out(self._spaces[i], origin[0])
            found.append(Entry(*origin, None if counted else self._steps(i)))
        return tuple(found)

    def _add(self, space: VersionSpace, arranged: Arrangement, origin: _Origin) -> int:
        self._spaces.append(space)
        self._arranged.append(arranged)
        self._origins.append(origin)
        self._known[arranged.key, origin[0]] = len(self._spaces) - 1
        return len(self._spaces) - 1

    def _steps(self, i: int) -> tuple[Step, ...]:
        space, depth = self._spaces[i], self._origins[i][0] - 1
        return tuple(self._step(i, space, j, depth) for j in range(len(space.words)))

    def _step(self, i: int, space: VersionSpace, j: int, depth: int) -> Step:
        point, flip = self._table.points[int(space.source[j])], int(space.flipped[j])
        sides = [space.side(j, side) for side in (0, 1)]
        for side in (0, 1):
            if self._search.counted_out(sides[side], depth):
                return Step(point, side ^ flip)
        arranged = [normal_form(side) for side in sides]
        for side in (0, 1):
            known = self._known.get((arranged[side].key, depth))
            if known is not None:
                matching = self._matching(sides[side], arranged[side], known)
                return Step(point, side ^ flip, known, matching)
        side = min((0, 1), key=lambda side: sides[side].concepts)
        if self._search.at_least(sides[side], depth):
            side = 1 - side
        added = self._add(sides[side], arranged[side], (depth, i, point, side ^ flip))
        return Step(point, side ^ flip, added)

    def _matching(self, side: VersionSpace, arranged: Arrangement, known: int) -> tuple[Match, ...]:
        space, target = self._spaces[known], self._arranged[known]
        points = self._table.points
        return tuple(
            (
                points[int(side.source[a])],
                points[int(space.source[b])],
                int(side.flipped[a] ^ space.flipped[b] ^ flip_a ^ flip_b),
            )
            for a, b, flip_a, flip_b in zip(
                arranged.order, target.order, arranged.flip, target.flip, strict=True
            )
        )


@dataclass(frozen=True)
class LdimCertificate(Certificate):
    """A shattered tree and a failure DAG that meet: a proof of the exact Littlestone dimension.

    Examples
    --------
    >>> import catalog
    >>> C = catalog.build("thresholds:n=7").to_table()
    >>> proof = C.ldim_certificate()
    >>> proof.claim
    'Ldim = 3'
    >>> proof.verify(C)
    """

    kind: ClassVar[str] = "ldim"
    subject: Subject
    tree: ShatteredTree
    dag: FailureDAG

    @classmethod
    def of(cls, table: Table) -> LdimCertificate:
        """The proof for a table.

        Raises
        ------
        InvalidInput
            If the table is empty.
        """
        return cls(Subject.of(table), ShatteredTree.of(table), FailureDAG.of(table))

    @property
    def claim(self) -> str:
        """The exact value."""
        return f"Ldim = {self.tree.depth}"

    def _check(self, C: ConceptClass) -> None:
        if self.tree.depth != self.dag.dimension:
            raise BadCertificate(
                f"The two halves do not meet: {self.tree.claim}, but {self.dag.claim}."
            )
        self.tree._check(C)
        self.dag._check(C)

    def _evidence(self) -> dict[str, Any]:
        return {"tree": self.tree._evidence(), "dag": self.dag._evidence()}

    @classmethod
    def _from_evidence(cls, subject: Subject, data: dict[str, Any]) -> Self:
        return cls(
            subject,
            ShatteredTree._from_evidence(subject, data["tree"]),
            FailureDAG._from_evidence(subject, data["dag"]),
        )

    def to_networkx(self) -> nx.DiGraph:
        """The shattered tree."""
        return self.tree.to_networkx()
