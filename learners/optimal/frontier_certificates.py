"""Certificates of both bounds on the best private learner of a class, for `lsclasses check`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Self

from learners.optimal.challenge_certificates import SHAPE as CHALLENGE_SHAPE
from learners.optimal.challenge_certificates import ChallengeEvidence
from learners.optimal.error_certificates import SHAPE as ERROR_SHAPE
from learners.optimal.error_certificates import ErrorEvidence
from learners.optimal.linear import SHORT
from learners.optimal.online_certificates import SHAPE as ONLINE_SHAPE
from learners.optimal.online_certificates import OnlineEvidence
from learners.optimal.predictor import OptimalAnswers
from learners.optimal.publisher import OptimalPublisher
from learners.optimal.sample_learner import OptimalLearner, OptimalPredictor
from lsclasses.certificates import Certificate
from lsclasses.certificates.base import Subject
from lsclasses.certificates.reading import Either, Shape
from lsclasses.concept_class import ConceptClass
from lsclasses.errors import BadCertificate, InvalidInput, nearest
from lsclasses.numbers import format_number

if TYPE_CHECKING:
    import networkx as nx

    from lsclasses.certificates.subject_class import SubjectClass

DIGITS = 9
"""Number of digits of the claimed bounds, which are rounded to the safe side."""
Evidence = ErrorEvidence | OnlineEvidence | ChallengeEvidence
ANSWERS = "expected mistakes of private answers"
"""The name of the bounded quantity in certificates about predictors."""
QUANTITIES: dict[str, Callable[[dict[str, Any]], Evidence]] = {
    "expected error": ErrorEvidence.from_json,
    "expected mistakes": OnlineEvidence.from_json,
    ANSWERS: ChallengeEvidence.from_json,
}


@dataclass(frozen=True, repr=False)
class PrivateFrontier(Certificate):
    """Both bounds on the expected error, or mistakes, of the best private learner of a class.

    Parameters
    ----------
    subject : Subject
        Class that the certificate is about.
    evidence : ErrorEvidence, OnlineEvidence or ChallengeEvidence
        Evidence of both bounds.

    Examples
    --------
    >>> import catalog
    >>> from learners.optimal.error import optimal_error
    >>> C = catalog.build("points:n=2")
    >>> proof = PrivateFrontier.of(C, optimal_error(C, 1, 1).evidence)
    >>> proof.verify(C)
    >>> proof.claim.split(" <= ")[1]
    'least expected error of (1, 0)-private learners from 1 rows (any, realizable)'
    """

    kind: ClassVar[str] = "private-frontier"
    shape: ClassVar[Shape] = Either(ERROR_SHAPE, ONLINE_SHAPE, CHALLENGE_SHAPE)
    in_coq: ClassVar[bool] = False
    subject: Subject
    evidence: Evidence

    @classmethod
    def of(cls, C: ConceptClass, evidence: Evidence) -> Self:
        """Return the certificate of a class."""
        return cls(Subject.of(C), evidence)

    @property
    def quantity(self) -> str:
        """The name of the bounded quantity."""
        if isinstance(self.evidence, ChallengeEvidence):
            return ANSWERS
        errors = isinstance(self.evidence, ErrorEvidence)
        return "expected error" if errors else "expected mistakes"

    @property
    def claim(self) -> str:
        """The claim: both bounds as decimals."""
        found = self.evidence
        if isinstance(found, ErrorEvidence):
            users = "" if found.rows_per_user == 1 else f", users of {found.rows_per_user} rows"
            public = f", {found.public_rows} of them public" * bool(found.public_rows)
            game = f"from {found.rows} rows{public}{users} ({found.outputs}, {found.labels})"
        elif isinstance(found, ChallengeEvidence):
            game = f"over {found.rounds} rounds (answers to all users except one, oblivious)"
        else:
            outputs = "class" if found.proper else "any"
            adversary = "adaptive" if found.adaptive else "oblivious"
            game = f"over {found.rounds} rounds ({outputs}, {adversary})"
        lower, upper = (
            format_number(found.lower, DIGITS, down=True),
            format_number(found.upper, DIGITS, up=True),
        )
        privacy = f"({_rounded_up(found.epsilon)}, {_rounded_up(found.delta)})-private"
        return f"{lower} <= least {self.quantity} of {privacy} learners {game} <= {upper}"

    def _check(self, C: SubjectClass) -> None:
        self.evidence.check(_as_class(C))

    def learner(
        self, C: ConceptClass
    ) -> OptimalLearner | OptimalPredictor | OptimalPublisher | OptimalAnswers:
        """Return the learner of the upper bound, after a check of all claims.

        Raises
        ------
        BadCertificate
            If the certificate is for another class, or does not prove its claim.
        """
        self.subject.require(C)
        found, domain = self.evidence, C.to_table().domain
        if isinstance(found, ChallengeEvidence):
            return OptimalAnswers(domain, found.check(C), found.guarantee, found.upper)
        if isinstance(found, OnlineEvidence):
            return OptimalPublisher(
                domain, found.check(C), found.guarantee, found.upper, found.adaptive
            )
        kind = OptimalPredictor if found.outputs == "prediction" else OptimalLearner
        return kind(domain, found.check(C), found.guarantee, found.upper)

    def _evidence(self) -> dict[str, Any]:
        return {"quantity": self.quantity, **self.evidence.to_json()}

    @classmethod
    def _from_evidence(cls, subject: Subject, data: Any) -> Self:
        quantity = data["quantity"]
        if quantity not in QUANTITIES:
            raise BadCertificate(
                f"The quantity must be one of {', '.join(QUANTITIES)}. Got {quantity!r:.80}. "
                f"{nearest(quantity, QUANTITIES)}"
            )
        found = cls(subject, QUANTITIES[quantity](data))
        if found._evidence() != data:
            raise BadCertificate("The evidence has unknown fields or number formats.")
        return found

    def to_networkx(self) -> nx.DiGraph:
        """Raise `InvalidInput`, because tables and multipliers have no graph."""
        raise InvalidInput(
            f"A certificate of the kind {self.kind} cannot be drawn, because its evidence is a "
            "table and multipliers."
        )

    def to_text(self) -> str:
        """Return the sizes of the parts of the evidence."""
        found = self.evidence
        return "\n".join(
            [
                f"{len(found.multipliers) + len(found.prices)} multipliers prove the lower bound",
                f"a learner with {len(found.weights)} weights proves the upper bound",
            ]
        )


def _rounded_up(number: Fraction) -> str:
    """Return a privacy parameter exactly if it is short, else rounded up."""
    return format_number(number, DIGITS, exact=SHORT, up=True)


def _as_class(C: SubjectClass) -> ConceptClass:
    if not isinstance(C, ConceptClass):
        raise BadCertificate(f"The evidence must be about a class of concepts. Got {C!r}.")
    return C
