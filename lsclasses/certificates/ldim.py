"""Both bounds on the Littlestone dimension."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

from lsclasses.certificates.base import Certificate, Subject
from lsclasses.certificates.failure import FailureDAG
from lsclasses.certificates.folded import FoldedTree
from lsclasses.certificates.shapes import Either, ObjectShape, Shape
from lsclasses.certificates.shattered import ShatteredTree
from lsclasses.certificates.subject_class import SubjectClass
from lsclasses.errors import BadCertificate
from lsclasses.limits import Limit, Progress, within

if TYPE_CHECKING:
    import networkx as nx


UNFOLDED_UP_TO = 10
"""A tree of this depth is written out, with its 2^10 leaves; deeper ones are folded."""


@dataclass(frozen=True, repr=False)
class LdimCertificate(Certificate):
    """A shattered tree and a failure DAG that meet: a proof of the exact Littlestone dimension.

    Attributes
    ----------
    tree : ShatteredTree or FoldedTree
        The latter if it is deeper than `UNFOLDED_UP_TO`.
    dag : FailureDAG

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
        """Build the proof for a class; the limit is for both halves, each reports progress.

        Raises
        ------
        InvalidInput
            If the class is empty.
        TooLarge
            If the time is up.
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
        """The exact value that both halves prove."""
        return f"Ldim = {self.tree.depth}"

    @property
    def version(self) -> int:
        """The file version that its halves need."""
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
        """The shattered tree as a graph."""
        return self.tree.to_networkx()
