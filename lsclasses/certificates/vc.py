"""Both bounds on the VC dimension.

The invariants U1 to U3 that the checker goes through beside those of a shattered set, and the proof
that they suffice, stand in ``docs/certificates.md``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

from lsclasses.certificates import reading
from lsclasses.certificates.base import Certificate, Subject
from lsclasses.certificates.shapes import LABEL, NAME, TEXT, ListOf, ListShape, ObjectShape, Shape
from lsclasses.certificates.shattered import ShatteredSet, is_induced
from lsclasses.certificates.subject_class import SubjectClass
from lsclasses.errors import BadCertificate
from lsclasses.limits import Limit, Progress, within
from lsclasses.points import Label, Point, from_json, to_json

if TYPE_CHECKING:
    import networkx as nx


@dataclass(frozen=True, repr=False)
class VCCertificate(Certificate):
    """A proof of the exact VC dimension d: a shattered set of size d, and no larger one.

    Attributes
    ----------
    shattered : ShatteredSet
    reason : "size" or "missing"
        Either there are fewer than 2^(d+1) concepts; or `missing` lists labellings, written
        ((x, y), ...), that no concept induces, such that every d + 1 points, in the order of the
        domain, begin with the points of a listed one.

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
        """Build the proof for a class.

        Parameters
        ----------
        C : ConceptClass
        limit : Limit, optional
        progress : callable, optional
            Called with (how many missing labellings are listed, how many may be).

        Raises
        ------
        InvalidInput
            If the class is empty.
        TooLarge
            If more labellings would have to be listed than is practical; the shattered set alone
            is then still to be had from `ShatteredSet`.
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
        """The exact value that is proved."""
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
                        f"A missing labelling names {reading.brief(x)}, which is no point."
                    )
            if is_induced(table, labelling):
                raise BadCertificate(
                    f"Some concept induces {reading.brief(labelling)}; it is not missing."
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
        """The tree of the shattered set."""
        return self.shattered.to_networkx()


def _require_cover(points: tuple[Point, ...], size: int, prefixes: set[tuple[Point, ...]]) -> None:
    """Every `size` points, in order, must begin with one of the prefixes."""
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
