"""Proofs by cases of exact star, hollow star, threshold and teaching numbers.

An object proves one bound, and cases prove the other bound.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

from lsclasses.certificates import reading
from lsclasses.certificates.base import Certificate, Subject
from lsclasses.certificates.cases.lessons import (
    NoClash,
    PositiveNoClash,
    RecursiveTeaching,
    Teaching,
)
from lsclasses.certificates.cases.patterns import HollowStar, StarNumberClaim, ThresholdLine
from lsclasses.certificates.cases.replay import (
    DimensionClaim,
    Evidence,
    Item,
    replay,
    require_items,
)
from lsclasses.certificates.reading import (
    NATURAL,
    NATURALS,
    TEXT,
    Either,
    ListOf,
    MapOf,
    ObjectShape,
    Shape,
)
from lsclasses.certificates.subject_class import SubjectClass
from lsclasses.errors import BadCertificate, InvalidInput, nearest

if TYPE_CHECKING:
    import networkx as nx

CLAIMS: Mapping[str, type[DimensionClaim[Any]]] = {
    "threshold_dim": ThresholdLine,
    "star_number": StarNumberClaim,
    "hollow_star_number": HollowStar,
    "teaching_dim": Teaching,
    "recursive_teaching_dim": RecursiveTeaching,
    "no_clash_teaching_dim": NoClash,
    "positive_no_clash_teaching_dim": PositiveNoClash,
}
"""The dimensions with proofs by cases, and the checker of each dimension."""


NUMBERS = ListOf(Either(NATURAL, NATURALS))
"""Shape in JSON of a list whose elements are numbers or lists of numbers."""


@dataclass(frozen=True, repr=False)
class ProofByCases(Certificate):
    """A proof of the exact value of a dimension: an object for one bound, and cases.

    Parameters
    ----------
    subject : Subject
    quantity : str
        The name of the dimension.
    value : int
        The exact value of the dimension.
    evidence : mapping of str to tuple
        The object that shows one bound, by positions of points and concepts.
    cases : tuple of int or tuple of int
        Proof of the other bound, one item for each case. A number splits the case into further
        cases. A tuple is a reason that closes the case.

    Examples
    --------
    >>> import catalog
    >>> from lsclasses.dimensions.case_proofs import proof_by_cases
    >>> C = catalog.build("points:n=3").to_table()
    >>> proof = proof_by_cases(C, "recursive_teaching_dim")
    >>> proof.claim, proof.evidence["lessons"]
    ('recursive_teaching_dim = 1', ((0,), (1,), ()))
    >>> proof.verify(C)
    """

    kind: ClassVar[str] = "proof-by-cases"
    shape: ClassVar[Shape] = ObjectShape(
        {
            "quantity": TEXT,
            "value": NATURAL,
            "evidence": MapOf(NUMBERS),
            "cases": NUMBERS,
        }
    )
    in_coq: ClassVar[bool] = False
    subject: Subject
    quantity: str
    value: int
    evidence: Evidence
    cases: tuple[Item, ...]

    def __post_init__(self) -> None:
        if not isinstance(self.quantity, str) or self.quantity not in CLAIMS:
            raise BadCertificate(
                f"Proofs by cases of {reading.brief(self.quantity)} do not exist. "
                f"{nearest(str(self.quantity), CLAIMS)}"
            )
        reading.natural(self.value)
        fields = CLAIMS[self.quantity].FIELDS
        reading.fields(self.evidence, fields.keys())
        for part, depth in fields.items():
            lists = self.evidence[part] if depth == 2 else (self.evidence[part],)
            for numbers in reading.require_tuple(lists, f"The {part}"):
                for number in reading.require_tuple(numbers, f"The {part}"):
                    reading.natural(number)
        require_items(self.cases)

    @property
    def claim(self) -> str:
        """The exact value that the certificate proves."""
        return f"{self.quantity} = {self.value}"

    def _check(self, C: SubjectClass) -> None:
        if C.is_empty:
            raise BadCertificate("A proof by cases needs a class of at least one concept.")
        claim = CLAIMS[self.quantity](C.to_table(), self.value, self.evidence)
        claim.check_evidence()
        replay(claim, self.cases)

    def _evidence(self) -> dict[str, Any]:
        return {
            "quantity": self.quantity,
            "value": self.value,
            "evidence": {part: _listed(numbers) for part, numbers in self.evidence.items()},
            "cases": _listed(self.cases),
        }

    @classmethod
    def _from_evidence(cls, subject: Subject, data: Any) -> Self:
        evidence = {part: _read(numbers) for part, numbers in data["evidence"].items()}
        return cls(subject, data["quantity"], data["value"], evidence, _read(data["cases"]))

    def to_networkx(self) -> nx.DiGraph:
        """Raise `InvalidInput`: without the class the cases are only numbers."""
        raise InvalidInput(
            f"A certificate of the kind {self.kind} cannot be drawn, because its cases are "
            "numbers that only the class explains."
        )

    def to_text(self) -> str:
        """Return the claim and the numbers of split and closed cases."""
        closed = sum(isinstance(item, tuple) for item in self.cases)
        return f"cases: {len(self.cases) - closed} split, {closed} closed"


def _listed(values: Any) -> Any:
    return [list(each) if isinstance(each, tuple) else each for each in values]


def _read(values: Any) -> tuple[Any, ...]:
    return tuple(tuple(v) if isinstance(v, list) else v for v in values)
