"""Both bounds on the VC dimension."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

from lsclasses.certificates.base import Certificate, Subject, names_from_json
from lsclasses.certificates.shattered import ShatteredSet
from lsclasses.errors import BadCertificate, TooLarge
from lsclasses.limits import Limit, Meter
from lsclasses.points import Label, Point, check_label, to_json

if TYPE_CHECKING:
    import networkx as nx

    from lsclasses.concept_class import ConceptClass
    from lsclasses.table import Table

__all__ = ["VCCertificate"]

MISSING_LIMIT = 1 << 18
"""How many missing labellings a certificate may list."""


@dataclass(frozen=True)
class VCCertificate(Certificate):
    """A shattered set of size d, and why no set of size d + 1 is shattered.

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
    subject: Subject
    shattered: ShatteredSet
    reason: Literal["size", "missing"]
    missing: tuple[tuple[tuple[Point, Label], ...], ...] = ()

    @classmethod
    def of(cls, table: Table, *, limit: Limit | None = None) -> VCCertificate:
        """The proof for a table.

        Raises
        ------
        InvalidInput
            If the table is empty.
        TooLarge
            If more labellings would have to be listed than is practical; the shattered set alone
            is then still to be had from `ShatteredSet`.
        """
        from lsclasses.dimensions.vc import shattered_set

        subject = Subject.of(table)
        shattered = ShatteredSet(subject, shattered_set(table, limit=limit))
        size = len(shattered.points) + 1
        if len(table) < 2**size:
            return cls(subject, shattered, "size")
        return cls(subject, shattered, "missing", _missing(table, size, Meter(limit)))

    @property
    def claim(self) -> str:
        """The exact value."""
        return f"VCdim = {len(self.shattered.points)}"

    def _check(self, C: ConceptClass) -> None:
        self.shattered._check(C)
        size = len(self.shattered.points) + 1
        if self.reason == "size":
            count = C.size
            if self.missing or count is None or count >= 2**size:
                raise BadCertificate(f"{count} concepts are enough to shatter {size} points.")
            return
        points = C.to_table().points
        for labelling in self.missing:
            if not C.given(labelling).is_empty:
                raise BadCertificate(f"Some concept induces {labelling!r}; it is not missing.")
        prefixes = {tuple(x for x, _ in labelling) for labelling in self.missing}
        _require_cover(points, size, prefixes)

    def _evidence(self) -> dict[str, Any]:
        return {
            "shattered": self.shattered._evidence(),
            "reason": self.reason,
            "missing": [[[to_json(x), y] for x, y in labelling] for labelling in self.missing],
        }

    @classmethod
    def _from_evidence(cls, subject: Subject, data: dict[str, Any]) -> Self:
        if data["reason"] not in ("size", "missing"):
            raise BadCertificate(f"The reason must be 'size' or 'missing'. Got {data['reason']!r}.")
        missing = tuple(
            tuple((names_from_json([x])[0], check_label(y)) for x, y in labelling)
            for labelling in data["missing"]
        )
        shattered = ShatteredSet._from_evidence(subject, data["shattered"])
        return cls(subject, shattered, data["reason"], missing)

    def to_networkx(self) -> nx.DiGraph:
        """The tree of the shattered set."""
        return self.shattered.to_networkx()


def _missing(table: Table, size: int, meter: Meter) -> tuple[tuple[tuple[Point, Label], ...], ...]:
    """A missing labelling for a beginning of every `size` points in the order of the domain."""
    columns, points = table.column_bits, table.points
    found: list[tuple[tuple[Point, Label], ...]] = []
    # A set of points is kept as the concepts in each of its cells, first point slowest.
    stack: list[tuple[tuple[int, ...], list[int]]] = [((), [(1 << len(table)) - 1])]
    while stack:
        chosen, cells = stack.pop()
        for j in range((chosen[-1] if chosen else -1) + 1, len(points)):
            meter.tick()
            parts = [part for cell in cells for part in (cell & ~columns[j], cell & columns[j])]
            extended = (*chosen, j)
            empty = next((c for c, part in enumerate(parts) if not part), None)
            if empty is None:
                stack.append((extended, parts))
                continue
            if len(points) - j - 1 < size - len(extended):
                continue
            labels = format(empty, f"0{len(extended)}b")
            found.append(tuple((points[i], int(y)) for i, y in zip(extended, labels, strict=True)))
            if len(found) > MISSING_LIMIT:
                raise TooLarge(
                    "A proof that no larger set is shattered would list more than "
                    f"{MISSING_LIMIT} missing labellings; only the shattered set is certified.",
                    limit=MISSING_LIMIT,
                )
    return tuple(sorted(found, key=lambda labelling: [table.domain.index(x) for x, _ in labelling]))


def _require_cover(points: tuple[Point, ...], size: int, prefixes: set[tuple[Point, ...]]) -> None:
    """Every `size` points, in order, must begin with one of the prefixes."""
    stack: list[tuple[tuple[Point, ...], int]] = [((), 0)]
    while stack:
        chosen, start = stack.pop()
        if chosen in prefixes:
            continue
        if len(chosen) == size:
            raise BadCertificate(f"No missing labelling is given for the points {chosen!r}.")
        stack.extend(
            ((*chosen, points[j]), j + 1)
            for j in range(start, len(points) - (size - len(chosen)) + 1)
        )
