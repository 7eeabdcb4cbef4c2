"""Certificates of upper bounds on the Littlestone dimension: no point can be the root.

To shatter a tree of depth k, a class needs a point both of whose restrictions shatter depth k - 1.
A `FailureDAG` refutes that. For every point it names a side that fails. Counting refutes the side,
or the side is isomorphic to a part of a version space that another entry refutes at a smaller
depth. Alternatively, the entry names groups of points whose dimensions add up to less than k.
Another entry at a smaller depth bounds the dimension of each group. Depths decrease, so the
argument is not circular. Symmetries of a version space transfer a reason from one point to another.

``docs/certificates.md`` states the invariants D1 to D8 of the checker, and proves that they
suffice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

from lsclasses.certificates import reading, rules
from lsclasses.certificates.base import Certificate, Subject
from lsclasses.certificates.certificate_entries import Factor, FailureEntry, FailureStep, Match
from lsclasses.certificates.reading import (
    INTEGER,
    LABEL,
    MATCHING,
    NAME,
    NATURAL,
    NULL,
    Either,
    ListOf,
    ListShape,
    ObjectShape,
    Shape,
)
from lsclasses.certificates.rows import Rows
from lsclasses.certificates.subject_class import SubjectClass
from lsclasses.errors import BadCertificate
from lsclasses.limits import Limit, Progress, within
from lsclasses.packed_labels import PackedLabels
from lsclasses.point_names import Label, Point, name_text, to_json

if TYPE_CHECKING:
    import networkx as nx


STEP = Either(ListShape(NATURAL, LABEL), ListShape(NATURAL, LABEL, NATURAL, Either(NULL, MATCHING)))
"""Shape of a step in JSON. Counting or an entry justifies the step."""


@dataclass(frozen=True, repr=False)
class FailureDAG(Certificate):
    """A proof that no tree deeper than `dimension` is shattered.

    Attributes
    ----------
    dimension : int
        Upper bound.
    entries : tuple of FailureEntry
        Entries of the proof. The first entry refutes depth ``dimension + 1`` for the whole class.
        Parents come before their children.

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
    shape: ClassVar[Shape] = ObjectShape(
        {
            "dimension": INTEGER,
            "points": ListOf(NAME),
            "entries": ListOf(
                ObjectShape(
                    {"depth": NATURAL},
                    {
                        "parent": NATURAL,
                        "point": NATURAL,
                        "side": LABEL,
                        "given": ListOf(ListShape(NATURAL, LABEL)),
                        "steps": Either(NULL, ListOf(STEP)),
                        "symmetries": ListOf(MATCHING),
                        "factors": ListOf(ListShape(NATURAL, MATCHING)),
                    },
                )
            ),
        }
    )
    subject: Subject
    dimension: int
    entries: tuple[FailureEntry, ...]

    def __post_init__(self) -> None:
        reading.natural(self.dimension, least=-1)
        for entry in reading.require_tuple(self.entries, "The entries"):
            if not isinstance(entry, FailureEntry):
                raise BadCertificate(f"Expected an entry. Got {reading.brief(entry)}.")

    @classmethod
    def of(
        cls, C: SubjectClass, *, limit: Limit | None = None, progress: Progress | None = None
    ) -> FailureDAG:
        """Return the failure DAG of a class, built from the search for its Littlestone dimension.

        Parameters
        ----------
        C : ConceptClass
        limit : Limit, optional
            Time for the search for the dimension and for writing the proof.
        progress : callable, optional
            Called with the number of written entries and the number of required entries.

        Raises
        ------
        TooLarge
            If the time is up.
        """
        from lsclasses.certificates.extraction import failure_entries

        with within(limit):
            dimension = C.ldim(limit=limit)
            entries = failure_entries(C.to_table(), dimension, limit, progress)
            return cls(Subject.of(C), dimension, entries)

    @property
    def claim(self) -> str:
        """The upper bound on the Littlestone dimension that the entries prove, as a formula."""
        return f"Ldim <= {self.dimension}"

    @property
    def version(self) -> int:
        """The file version: 2 if an entry has factors, symmetries or other restrictions, else 1."""
        plain = all(
            entry.factors is None
            and not entry.symmetries
            and len(entry.given) == (entry.parent is not None)
            for entry in self.entries
        )
        return 1 if plain else 2

    def _check(self, C: SubjectClass) -> None:
        # D1
        if not self.entries or self.entries[0].depth != self.dimension + 1:
            raise BadCertificate(
                f"The first entry must refute depth {self.dimension + 1} for the whole class."
            )
        _Checker(self.entries, C.to_table()).check()

    # ---- file format

    def _evidence(self) -> dict[str, Any]:
        index: dict[Point, int] = {}

        def number(x: Point) -> int:
            return index.setdefault(x, len(index))

        def pairs(matching: tuple[Match, ...]) -> list[list[Any]]:
            return [[number(x), number(z), flip] for x, z, flip in matching]

        def written(step: FailureStep) -> list[Any]:
            reason: list[Any] = [number(step.point), step.side]
            if step.entry is not None:
                reason += [step.entry, None if step.matching is None else pairs(step.matching)]
            return reason

        entries: list[dict[str, Any]] = []
        for entry in self.entries:
            data: dict[str, Any] = {"depth": entry.depth}
            if entry.factors is not None:
                data["factors"] = [[f.entry, pairs(f.matching)] for f in entry.factors]
            else:
                data["steps"] = None if entry.steps is None else [written(s) for s in entry.steps]
                if entry.symmetries:
                    data["symmetries"] = [pairs(matching) for matching in entry.symmetries]
            if entry.parent is not None:
                data["parent"] = entry.parent
                given = [[number(x), y] for x, y in entry.given]
                if len(given) == 1:
                    [[data["point"], data["side"]]] = given
                else:
                    data["given"] = given
            entries.append(data)
        return {
            "dimension": self.dimension,
            "points": [to_json(x) for x in index],
            "entries": entries,
        }

    @classmethod
    def _from_evidence(cls, subject: Subject, data: Any) -> Self:
        points = reading.names_from_json(data["points"])

        def point(j: Any) -> Point:
            return points[reading.natural(j, len(points) - 1)]

        def pairs(values: Any) -> tuple[Match, ...]:
            return tuple((point(x), point(z), flip) for x, z, flip in values)

        def step(values: Any) -> FailureStep:
            if len(values) == 2:
                return FailureStep(point(values[0]), values[1])
            j, side, entry, matching = values
            matching = None if matching is None else pairs(matching)
            return FailureStep(point(j), side, reading.natural(entry), matching)

        def factor(values: Any) -> Factor:
            entry, matching = values
            return Factor(entry, pairs(matching))

        origins: tuple[set[str], ...] = (set(), {"parent", "point", "side"}, {"parent", "given"})
        reasons: tuple[set[str], ...] = ({"steps"}, {"steps", "symmetries"}, {"factors"})
        shapes = [{"depth"} | how | origin for how in reasons for origin in origins]
        entries = []
        for values in data["entries"]:
            reading.fields(values, *shapes)
            parent = reading.natural(values["parent"]) if "parent" in values else None
            given = [[values["point"], values["side"]]] if "point" in values else []
            given = values.get("given", given)
            if "given" in values and len(given) == 1:
                raise BadCertificate("A single restriction must be written as a point and a side.")
            steps = values.get("steps")
            entries.append(
                FailureEntry(
                    values["depth"],
                    parent,
                    tuple((point(x), y) for x, y in given),
                    None if steps is None else tuple(map(step, steps)),
                    tuple(map(factor, values["factors"])) if "factors" in values else None,
                    tuple(map(pairs, values.get("symmetries", []))),
                )
            )
        return cls(subject, data["dimension"], tuple(entries))

    def to_networkx(self) -> nx.DiGraph:
        """Return the entries, with an edge for each step or factor that refers to another entry."""
        import networkx as nx

        graph = nx.DiGraph()
        for i, entry in enumerate(self.entries):
            reason = "counting" if entry.steps is None else f"{len(entry.steps)} points"
            if entry.factors is not None:
                reason = f"{len(entry.factors)} factors"
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
                    labels.setdefault(step.entry, []).append(f"{name_text(step.point)}={step.side}")
            for factor in entry.factors or ():
                group = f"{{{', '.join(name_text(x) for x, _, _ in factor.matching[:3])}"
                group += ", ...}" if len(factor.matching) > 3 else "}"
                labels.setdefault(factor.entry, []).append(group)
            for target, steps in labels.items():
                shown = ", ".join(steps[:3]) + (", ..." if len(steps) > 3 else "")
                graph.add_edge(i, target, label=shown)
        return graph


class _Checker:
    """Goes through the entries of a failure DAG."""

    def __init__(self, entries: tuple[FailureEntry, ...], table: PackedLabels) -> None:
        self._entries = entries
        self._domain = table.domain
        self._whole = Rows.of_packed(table.packed, len(table.domain))
        self._spaces: list[Rows] = []

    def check(self) -> None:
        """Raise `BadCertificate` unless every entry is refuted."""
        for i, entry in enumerate(self._entries):
            self._spaces.append(self._restriction(i, entry))
        for i, entry in enumerate(self._entries):
            space = self._spaces[i]
            if entry.factors is not None:
                self._check_factors(i, space, entry.factors)
                continue
            if entry.steps is None:
                # D3
                if not rules.refuted_by_counting(space, entry.depth):
                    raise BadCertificate(
                        f"Entry {i}: counting does not exclude depth {entry.depth}."
                    )
                continue
            columns = [self._column(f"Entry {i}", step.point) for step in entry.steps]
            self._require_steps(i, space, columns, entry.symmetries)
            for step, column in zip(entry.steps, columns, strict=True):
                side = space.restricted(column, step.side)
                where = f"Entry {i}, point {reading.brief(step.point)}, side {step.side}"
                self._check_step(where, step, side, entry.depth - 1)

    def _column(self, where: str, x: Point) -> int:
        if x not in self._domain:
            raise BadCertificate(f"{where} names {reading.brief(x)}, which is not a point.")
        return self._domain.index(x)

    def _restriction(self, i: int, entry: FailureEntry) -> Rows:
        # D2
        if i == 0:
            if entry.parent is not None:
                raise BadCertificate("The first entry must be about the whole class.")
            return self._whole
        if entry.parent is None or entry.parent >= i:
            raise BadCertificate(
                f"Entry {i} must restrict an earlier entry. Got parent "
                f"{reading.brief(entry.parent)}."
            )
        rows = self._spaces[entry.parent]
        for x, y in entry.given:
            rows = rows.restricted(self._column(f"Entry {i}", x), y)
        return rows

    def _require_steps(
        self, i: int, space: Rows, columns: list[int], symmetries: tuple[tuple[Match, ...], ...]
    ) -> None:
        # D8
        depth, matchings = self._entries[i].depth, []
        for number, symmetry in enumerate(symmetries):
            matchings.append(self._columns(f"Entry {i}", symmetry))
            if not rules.symmetric(space, matchings[-1]):
                raise BadCertificate(
                    f"Entry {i}: symmetry {number} does not map the version space into itself, or "
                    "omits a column."
                )
        settled = rules.settled_columns(columns, matchings)
        # D4
        if rules.refuted_by_steps(space, depth, settled):
            return
        if depth < 1:
            raise BadCertificate(
                f"Entry {i} gives steps against depth {depth}. A tree of depth 0 has no root, so "
                "only counting can refute it."
            )
        x = self._domain[rules.unlisted_columns(space, settled)[0]]
        raise BadCertificate(f"Entry {i} gives no reason why {reading.brief(x)} fails at the root.")

    def _check_step(self, where: str, step: FailureStep, side: Rows, depth: int) -> None:
        if step.entry is None:
            # D5
            if not rules.refuted_by_counting(side, depth):
                raise BadCertificate(f"{where}: counting does not exclude depth {depth}.")
            return
        # D6
        entry, entry_depth = self._referred(where, step.entry)
        matching = None if step.matching is None else self._columns(where, step.matching)
        if rules.refuted_by_entry(side, depth, entry, entry_depth, matching):
            return
        if entry_depth > depth:
            raise BadCertificate(
                f"{where} needs a refutation of depth {depth}. Entry {step.entry} refutes only "
                f"depth {entry_depth}."
            )
        if matching is None:
            raise BadCertificate(f"{where} is not inside the version space of entry {step.entry}.")
        if rules.unlisted_columns(side, [x for x, _, _ in matching]):
            raise BadCertificate(f"{where}: the matching omits a column.")
        raise BadCertificate(
            f"{where}: the matching does not map its concepts into the other entry."
        )

    def _check_factors(self, i: int, space: Rows, factors: tuple[Factor, ...]) -> None:
        # D7
        where, depth = f"Entry {i}", self._entries[i].depth
        parts = [
            (*self._referred(where, factor.entry), self._columns(where, factor.matching))
            for factor in factors
        ]
        if rules.refuted_by_factors(space, depth, parts):
            return
        depths = [entry_depth for _, entry_depth, _ in parts]
        if not all(entry_depth < depth for entry_depth in depths):
            raise BadCertificate(
                f"{where} has depth {depth}, so its factors must be refuted at smaller depths. "
                f"Got {', '.join(map(str, depths))}."
            )
        total = sum(entry_depth - 1 for entry_depth in depths)
        if total >= depth:
            raise BadCertificate(
                f"{where}: its factors may shatter trees with total depth {total}. This does not "
                f"exclude depth {depth}."
            )
        if left_out := rules.unlisted_columns(
            space, [x for _, _, matching in parts for x, _, _ in matching]
        ):
            raise BadCertificate(
                f"{where}: no factor has the point {reading.brief(self._domain[left_out[0]])}."
            )
        raise BadCertificate(
            f"{where}: a matching does not map its labellings into the other entry."
        )

    def _referred(self, where: str, entry: int) -> tuple[Rows, int]:
        """Return the version space and depth of an entry that is referred to."""
        if entry >= len(self._entries):
            raise BadCertificate(f"{where} refers to entry {entry}, which does not exist.")
        return self._spaces[entry], self._entries[entry].depth

    def _columns(self, where: str, matching: tuple[Match, ...]) -> list[tuple[int, int, Label]]:
        return [(self._column(where, x), self._column(where, z), flip) for x, z, flip in matching]
