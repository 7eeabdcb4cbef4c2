"""Both bounds on the VC dimension, and both bounds on the Littlestone dimension.

``docs/certificates.md`` states the invariants U1 to U3, which the checker of the VC dimension
tests in addition to the invariants of a shattered set, and proves that they suffice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

from lsclasses.certificates import reading
from lsclasses.certificates.base import Certificate, Subject
from lsclasses.certificates.failure import FailureDAG
from lsclasses.certificates.folded import FoldedTree
from lsclasses.certificates.reading import (
    LABEL,
    NAME,
    TEXT,
    Either,
    ListOf,
    ListShape,
    ObjectShape,
    Shape,
)
from lsclasses.certificates.shattered import ShatteredSet, ShatteredTree, is_induced
from lsclasses.certificates.subject_class import SubjectClass
from lsclasses.errors import BadCertificate
from lsclasses.limits import Limit, Progress, within
from lsclasses.point_names import Label, Point, from_json, to_json

if TYPE_CHECKING:
    import networkx as nx


# ---- the VC dimension


@dataclass(frozen=True, repr=False)
class VCCertificate(Certificate):
    """A proof of the exact VC dimension d, with a shattered set of size d.

    Attributes
    ----------
    shattered : ShatteredSet
        A shattered set of d points.
    reason : "size" or "missing"
        Reason for the upper bound. "size" means that there are fewer than 2^(d+1) concepts.
        "missing" means that `missing` lists labellings ((x, y), ...) that no concept induces. Every
        d + 1 points, in the order of the domain, must begin with the points of a listed labelling.

    Examples
    --------
    >>> import catalog
    >>> C = catalog.build("thresholds:n=3").to_table()
    >>> proof = C.vcdim_certificate()
    >>> proof.claim, proof.reason
    ('VCdim = 1', 'missing')
    >>> proof.missing
    (((0, 1), (1, 0)), ((0, 1), (2, 0)), ((1, 1), (2, 0)))
    >>> proof.verify(C)
    """

    kind: ClassVar[str] = "vcdim"
    shape: ClassVar[Shape] = ObjectShape(
        {
            "shattered": ShatteredSet.shape,
            "reason": TEXT,
            "missing": ListOf(ListOf(ListShape(NAME, LABEL))),
        }
    )
    subject: Subject
    shattered: ShatteredSet
    reason: Literal["size", "missing"]
    missing: tuple[tuple[tuple[Point, Label], ...], ...] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.shattered, ShatteredSet):
            raise BadCertificate(f"Expected a shattered set. Got {reading.brief(self.shattered)}.")
        if self.reason not in ("size", "missing"):
            raise BadCertificate(
                f"The reason must be 'size' or 'missing'. Got {reading.brief(self.reason)}."
            )
        for labelling in reading.require_tuple(self.missing, "The missing labellings"):
            for example in reading.require_tuple(labelling, "A labelling"):
                if len(reading.require_tuple(example, "An example")) != 2:
                    raise BadCertificate(
                        f"An example is (point, 0 or 1). Got {reading.brief(example)}."
                    )
                reading.label(example[1])

    @classmethod
    def of(
        cls, C: SubjectClass, *, limit: Limit | None = None, progress: Progress | None = None
    ) -> VCCertificate:
        """Return a proof of the VC dimension of a class.

        Parameters
        ----------
        C : ConceptClass
        limit : Limit, optional
            Time and memory for the search for the dimension and for writing the proof.
        progress : callable, optional
            Called with the number of listed missing labellings and the largest allowed number.

        Raises
        ------
        InvalidInput
            If the class is empty.
        TooLarge
            If the proof would list too many labellings. `ShatteredSet` still proves the lower
            bound.
        """
        from lsclasses.certificates.extraction import missing_labellings

        with within(limit):
            shattered, table = ShatteredSet.of(C, limit=limit), C.to_table()
            size = len(shattered.points) + 1
            if len(table) < 2**size:
                return cls(shattered.subject, shattered, "size")
            missing = missing_labellings(table, size, limit, progress)
            return cls(shattered.subject, shattered, "missing", missing)

    @property
    def claim(self) -> str:
        """The exact VC dimension that the certificate proves, as a formula."""
        return f"VCdim = {len(self.shattered.points)}"

    def _check(self, C: SubjectClass) -> None:
        self.shattered._check(C)
        size = len(self.shattered.points) + 1
        if self.reason == "size":
            # U1
            count = C.size
            if self.missing or count is None or count.bit_length() > size:
                raise BadCertificate(f"{count} concepts are enough to shatter {size} points.")
            return
        table = C.to_table()
        for labelling in self.missing:
            # U2
            for x, _ in labelling:
                if x not in table.domain:
                    raise BadCertificate(
                        f"A missing labelling names {reading.brief(x)}, which is not a point."
                    )
            if is_induced(table, labelling):
                raise BadCertificate(
                    f"Some concept induces {reading.brief(labelling)}, so the labelling is not "
                    "missing."
                )
        # U3
        prefixes = {tuple(x for x, _ in labelling) for labelling in self.missing}
        _require_cover(table.points, size, prefixes)

    def _evidence(self) -> dict[str, Any]:
        return {
            "shattered": self.shattered._evidence(),
            "reason": self.reason,
            "missing": [[[to_json(x), y] for x, y in labelling] for labelling in self.missing],
        }

    @classmethod
    def _from_evidence(cls, subject: Subject, data: Any) -> Self:
        missing = tuple(
            tuple((from_json(x), y) for x, y in labelling) for labelling in data["missing"]
        )
        shattered = ShatteredSet._from_evidence(subject, data["shattered"])
        return cls(subject, shattered, data["reason"], missing)

    def to_networkx(self) -> nx.DiGraph:
        """Return the tree of the shattered set."""
        return self.shattered.to_networkx()


def _require_cover(points: tuple[Point, ...], size: int, prefixes: set[tuple[Point, ...]]) -> None:
    """Check that every `size` points, in order, begin with one of the prefixes."""
    stack: list[tuple[tuple[Point, ...], int]] = [((), 0)]
    while stack:
        chosen, start = stack.pop()
        if chosen in prefixes:
            continue
        if len(chosen) == size:
            raise BadCertificate(
                f"No missing labelling is given for the points {reading.brief(chosen)}."
            )
        stack.extend(
            ((*chosen, points[j]), j + 1)
            for j in range(start, len(points) - (size - len(chosen)) + 1)
        )


# ---- the Littlestone dimension


UNFOLDED_UP_TO = 10
"""The largest depth of a tree with enumerated leaves, at most 2^10. Deeper trees are folded."""


@dataclass(frozen=True, repr=False)
class LdimCertificate(Certificate):
    """A shattered tree and a failure DAG with equal bounds: a proof of the Littlestone dimension.

    Attributes
    ----------
    tree : ShatteredTree or FoldedTree
        A `FoldedTree` if the tree is deeper than `UNFOLDED_UP_TO`.
    dag : FailureDAG
        Proof that the class shatters no deeper tree.

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
    shape: ClassVar[Shape] = ObjectShape(
        {"tree": Either(FoldedTree.shape, ShatteredTree.shape), "dag": FailureDAG.shape}
    )
    subject: Subject
    tree: ShatteredTree | FoldedTree
    dag: FailureDAG

    @classmethod
    def of(
        cls, C: SubjectClass, *, limit: Limit | None = None, progress: Progress | None = None
    ) -> LdimCertificate:
        """Return a proof of the Littlestone dimension of a class, with one limit for both bounds.

        Raises
        ------
        InvalidInput
            If the class is empty.
        TooLarge
            If the time limit is reached.
        """
        tree: ShatteredTree | FoldedTree
        with within(limit):
            if C.ldim(limit=limit) <= UNFOLDED_UP_TO:
                tree = ShatteredTree.of(C)
            else:
                tree = FoldedTree.of(C, progress=progress)
            dag = FailureDAG.of(C, limit=limit, progress=progress)
        return cls(Subject.of(C), tree, dag)

    @property
    def claim(self) -> str:
        """The exact Littlestone dimension that the tree and the DAG prove, as a formula."""
        return f"Ldim = {self.tree.depth}"

    @property
    def version(self) -> int:
        """The version of the file format that the tree and the DAG need."""
        return max(self.tree.version, self.dag.version)

    def _check(self, C: SubjectClass) -> None:
        if self.tree.depth != self.dag.dimension:
            raise BadCertificate(
                f"The two halves do not meet: {self.tree.claim}, but {self.dag.claim}."
            )
        self.tree._check(C)
        self.dag._check(C)

    def _evidence(self) -> dict[str, Any]:
        return {"tree": self.tree._evidence(), "dag": self.dag._evidence()}

    @classmethod
    def _from_evidence(cls, subject: Subject, data: Any) -> Self:
        kind = FoldedTree if "nodes" in data["tree"] else ShatteredTree
        return cls(
            subject,
            kind._from_evidence(subject, data["tree"]),
            FailureDAG._from_evidence(subject, data["dag"]),
        )

    def to_networkx(self) -> nx.DiGraph:
        """Return the shattered tree as a graph."""
        return self.tree.to_networkx()
