"""The base class of certificates, the identity of their class, and their file format.

A certificate file is a JSON object with ``format``, ``version``, ``kind``, the ``claim`` in words,
the ``class``, the evidence, and a ``digest`` of all other fields. The digest detects damage. Trust
in a certificate comes from `Certificate.verify`, which does not rely on any field of the file.
"""

from __future__ import annotations

import hashlib
import json
import os
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

from lsclasses.certificates import reading
from lsclasses.certificates.reading import Shape, require_shape
from lsclasses.certificates.subject_class import SubjectClass
from lsclasses.errors import BadCertificate, InvalidInput, NoCertificate, TooLarge
from lsclasses.html import count
from lsclasses.hypothesis import ENUMERATION_LIMIT
from lsclasses.packed_labels import PackedLabels
from lsclasses.registry import Registry

if TYPE_CHECKING:
    import networkx as nx


FORMAT = "lsclasses-certificate"
VERSIONS = (1, 2)
"""Versions of the format. Products need version 2, and earlier releases read only version 1."""
VALUES = 1 << 22
"""Largest number of JSON values in a certificate file.

A shattered tree of depth 20 has about half as many values.
"""
LINES = 200
"""Largest number of lines of a drawing when it is printed."""
HEADER = ("format", "version", "kind", "claim", "class", "digest")
"""The fields of a certificate file that do not contain evidence."""

T = TypeVar("T")


@dataclass(frozen=True)
class Subject:
    """The identity of the class that a certificate is about.

    Attributes
    ----------
    concepts, points : int or None
        Number of concepts and of points, or None for infinitely many.
    sha256 : str
        Digest of the table, in its order and with its names. If the table is too large to
        enumerate, digest of the class's description.
    """

    concepts: int | None
    points: int | None
    sha256: str

    @classmethod
    def of(cls, C: SubjectClass) -> Subject:
        """Return the identity of a class."""
        concepts, points = C.size, C.domain.size
        if concepts is None or points is None or concepts * points > ENUMERATION_LIMIT:
            described = repr(C)
            if not isinstance(C, PackedLabels):
                return cls(concepts, points, hashlib.sha256(described.encode()).hexdigest())
        return cls._of_labels(C.to_table())

    @classmethod
    def _of_labels(cls, table: PackedLabels) -> Subject:
        digest = hashlib.sha256(repr((table.points, table.concept_names)).encode())
        digest.update(table.packed.tobytes())
        return cls(len(table), len(table.points), digest.hexdigest())

    def require(self, C: SubjectClass) -> None:
        """Raise `BadCertificate` unless the class `C` has this identity."""
        other = Subject.of(C)
        if (self.concepts, self.points) != (other.concepts, other.points):
            raise BadCertificate(
                f"The certificate is for a class of {count(self.concepts)} concepts on "
                f"{count(self.points)} points. The given class has {count(other.concepts)} "
                f"concepts on {count(other.points)} points."
            )
        if self != other and not self._is_of_table(C):
            raise BadCertificate(
                f"The certificate is for another class of {self.concepts} concepts on "
                f"{self.points} points. The labels, the names or their order differ."
            )

    def _is_of_table(self, C: SubjectClass) -> bool:
        """Return whether it identifies the table of a class that `of` identifies by description."""
        if isinstance(C, PackedLabels):
            return False
        try:
            return self == Subject._of_labels(C.to_table())
        except TooLarge:
            return False

    def to_json(self) -> dict[str, Any]:
        """Return the identity as a JSON object."""
        return {"concepts": self.concepts, "points": self.points, "sha256": self.sha256}

    @classmethod
    def from_json(cls, data: Any) -> Subject:
        """Return the identity of a class from a JSON object that `to_json` returned."""
        reading.fields(data, {"concepts", "points", "sha256"})
        concepts, points, sha256 = data["concepts"], data["points"], data["sha256"]
        for number in (concepts, points):
            if number is not None:
                reading.natural(number)
        if not isinstance(sha256, str):
            raise BadCertificate(f"A digest must be a string. Got {reading.brief(sha256)}.")
        return cls(concepts, points, sha256)


class Certificate(ABC):
    """Immutable evidence for a claim about one class."""

    kind: ClassVar[str]
    """The name of the certificate type in the field ``kind`` of a file."""
    shape: ClassVar[Shape | None] = None
    """JSON types of the evidence. None if `_from_evidence` checks the types itself."""
    in_coq: ClassVar[bool] = True
    """Whether the checker that is proved sound in Coq supports this type of certificate."""
    subject: Subject
    """The identity of the class that the certificate is about."""

    @property
    @abstractmethod
    def claim(self) -> str:
        """The claim that is proved, as a formula."""

    @property
    def version(self) -> int:
        """The number of the earliest version of the file format that can express the evidence."""
        return 1

    @abstractmethod
    def _check(self, C: SubjectClass) -> None:
        """Raise `BadCertificate` unless the evidence proves the claim about `C`."""

    @abstractmethod
    def _evidence(self) -> dict[str, Any]:
        """Return the evidence as JSON values."""

    @classmethod
    @abstractmethod
    def _from_evidence(cls, subject: Subject, data: Any) -> Self:
        """Read the evidence that `_evidence` wrote. Malformed data may cause any error."""

    @abstractmethod
    def to_networkx(self) -> nx.DiGraph:
        """Return the evidence as a graph to draw.

        Nodes have ``label`` (str), ``layer`` (int, 0 at the top) and ``kind`` ("point",
        "concept" or "entry"). Edges have ``label``.
        """

    def require_in_coq(self) -> None:
        """Raise `InvalidInput` if the Coq checker does not support this kind of certificate."""
        if not self.in_coq:
            raise InvalidInput(
                f"The theory in Coq has no certificates of the kind {self.kind!r}. Check this "
                "certificate without --proved and --coq."
            )

    def verify(self, C: SubjectClass) -> None:
        """Check that the certificate proves its claim about a class, without any search.

        The check derives every version space from the class by restriction.

        Parameters
        ----------
        C : ConceptClass
            Class of the claim.

        Raises
        ------
        BadCertificate
            If the certificate is for another class or does not prove its claim. The message names
            the place of the error.
        """
        self.subject.require(C)
        self._check(C)

    def to_json(self) -> dict[str, Any]:
        """Return the certificate as a JSON object, with a digest of its contents.

        Raises
        ------
        InvalidInput
            If a name of a point or concept has no JSON form.
        """
        data = {
            "format": FORMAT,
            "version": self.version,
            "kind": self.kind,
            "claim": self.claim,
            "class": self.subject.to_json(),
            **self._evidence(),
        }
        return {**data, "digest": _digest(data)}

    @classmethod
    def from_json(cls, data: Any) -> Certificate:
        """Return the certificate that `to_json` wrote, as an object of this certificate type.

        Raises
        ------
        BadCertificate
            If the data are damaged or malformed. Data of another type raise `NoCertificate`.
        """
        return reading.malformed(lambda: cls._read(data))

    @classmethod
    def _read(cls, data: Any) -> Certificate:
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise NoCertificate(f'A certificate must be a JSON object with "format": "{FORMAT}".')
        version = data.get("version")
        if type(version) is not int or version not in VERSIONS:
            raise BadCertificate(
                f"This release reads certificates of version {' and '.join(map(str, VERSIONS))}. "
                f"Got version {reading.brief(version)}."
            )
        kinds: dict[str, type[Certificate]] = {kind.kind: kind for kind in _kinds(cls)}
        kind = data.get("kind")
        if isinstance(kind, str) and kind not in kinds and kind in OTHER_KINDS:
            kinds[data["kind"]] = OTHER_KINDS[data["kind"]]
        if not isinstance(data.get("kind"), str) or data["kind"] not in kinds:
            known = sorted({*kinds, *OTHER_KINDS.names()})
            raise BadCertificate(
                f"The kind of a certificate must be one of {', '.join(known)}. "
                f"Got {reading.brief(data.get('kind'))}."
            )
        if data.get("digest") != _digest({k: v for k, v in data.items() if k != "digest"}):
            raise BadCertificate(
                "The digest of the certificate does not match its contents. The file was changed "
                "or damaged after it was written."
            )
        evidence = {key: value for key, value in data.items() if key not in HEADER}
        kind = kinds[data["kind"]]
        if kind.shape is not None:
            require_shape(evidence, kind.shape)
        subject = Subject.from_json(data.get("class"))
        certificate = kind._from_evidence(subject, evidence)
        if certificate.version != version:
            raise BadCertificate(
                f"The evidence has version {certificate.version} of the format. The certificate "
                f"declares version {version}."
            )
        if certificate.claim != data.get("claim"):
            raise BadCertificate(
                f"The certificate claims {reading.brief(data.get('claim'))}, "
                f"but its evidence is for {reading.brief(certificate.claim)}."
            )
        return certificate

    def to_bytes(self) -> bytes:
        """Return the contents of the certificate's JSON file."""
        return (json.dumps(self.to_json()) + "\n").encode()

    def to_compressed(self) -> bytes:
        """Return the contents of the certificate's JSON file, compressed by gzip.

        The header of the compressed file names the format and the type of the certificate.
        """
        from lsclasses.files.documents import compressed

        return compressed(self.to_bytes(), f"{FORMAT}-{self.kind}.json")

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the certificate to a JSON file, which replaces an existing file atomically.

        The file is compressed if its name ends in ``.gz``.
        """
        from lsclasses.files.writing import atomic_write

        gz = os.fspath(path).lower().endswith(".gz")
        atomic_write(path, self.to_compressed() if gz else self.to_bytes())

    def __repr__(self) -> str:
        return f"<{self.kind} certificate: {self.claim}>"

    def __str__(self) -> str:
        """Return the claim and a drawing of the evidence, truncated if it is long."""
        lines = self.to_text().split("\n")
        hidden = len(lines) - LINES
        if hidden > 0:
            lines[LINES:] = [f"... and {hidden} more lines. to_text() prints all"]
        return "\n".join([self.claim, *lines])

    def to_text(self) -> str:
        """Return the evidence drawn with characters, for a terminal."""
        from lsclasses.drawing import to_text

        return to_text(self.to_networkx())

    def to_dot(self) -> str:
        """Return the graph of the evidence in the DOT language of Graphviz."""
        from lsclasses.drawing import to_dot

        return to_dot(self.to_networkx())

    def to_tex(self) -> str:
        """Return LaTeX code that draws the evidence with the package ``forest`` of TikZ."""
        from lsclasses.drawing import to_tex

        return to_tex(self.to_networkx())

    def to_svg(self) -> str:
        """Return an SVG drawing of the evidence."""
        from lsclasses.drawing import to_svg

        return to_svg(self.to_networkx())

    def _repr_svg_(self) -> str | None:
        """Return an SVG picture for notebooks, or None if the certificate cannot be drawn."""
        try:
            return self.to_svg()
        except (InvalidInput, TooLarge):
            return None


def load_certificate(path: str | os.PathLike[str]) -> Certificate:
    """Return the certificate in a JSON file, which may be compressed by gzip.

    Raises
    ------
    InvalidInput
        If the file cannot be read as JSON.
    BadCertificate
        If the file contains a damaged certificate, or `NoCertificate` if it contains no
        certificate.
    """
    from lsclasses.files.documents import read_json

    return Certificate.from_json(read_json(path, most=VALUES))


def _kinds(cls: type[Certificate]) -> list[type[Certificate]]:
    found = [cls] if "kind" in cls.__dict__ else []
    for child in cls.__subclasses__():
        found += _kinds(child)
    return found


def _kind(loaded: object) -> type[Certificate]:
    if not (isinstance(loaded, type) and issubclass(loaded, Certificate)):
        raise InvalidInput(
            "A kind of certificate is a subclass of lsclasses.certificates.base.Certificate. "
            f"Got {loaded!r}."
        )
    return loaded


OTHER_KINDS = Registry("certificates", "kind of certificate", _kind)
"""Kinds of certificates that other packages define, by name."""


def _digest(data: dict[str, Any]) -> str:
    text = json.dumps(data, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
