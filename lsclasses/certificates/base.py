"""What every certificate can do, the class it belongs to, and its file format.

A certificate file is a JSON object with ``format``, ``version``, ``kind``, the ``claim`` in words,
the ``class`` it is about, the evidence, and a ``digest`` of the rest. The digest detects damage;
what makes a certificate trustworthy is `Certificate.verify`, which believes nothing in the file.
"""

from __future__ import annotations

import hashlib
import json
import os
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

from lsclasses.errors import BadCertificate, InvalidInput
from lsclasses.hypothesis import ENUMERATION_LIMIT
from lsclasses.points import Point, from_json

if TYPE_CHECKING:
    import networkx as nx

    from lsclasses.concept_class import ConceptClass

__all__ = ["Certificate", "Subject", "load_certificate"]

FORMAT = "lsclasses-certificate"
VERSION = 1

T = TypeVar("T")


@dataclass(frozen=True)
class Subject:
    """Which class a certificate is about.

    Attributes
    ----------
    concepts, points : int or None
        How many there are; None when infinitely many.
    sha256 : str
        A digest of the table, in its order and with its names; of the class's description where
        the table is too large to write out.
    """

    concepts: int | None
    points: int | None
    sha256: str

    @classmethod
    def of(cls, C: ConceptClass) -> Subject:
        """The identity of a class."""
        concepts, points = C.size, C.domain.size
        if concepts is None or points is None or concepts * points > ENUMERATION_LIMIT:
            described = repr(C)
            from lsclasses.table import Table

            if not isinstance(C, Table):
                return cls(concepts, points, hashlib.sha256(described.encode()).hexdigest())
        table = C.to_table()
        digest = hashlib.sha256(repr((table.points, table.concept_names)).encode())
        digest.update(table.packed.tobytes())
        return cls(concepts, points, digest.hexdigest())

    def require(self, C: ConceptClass) -> None:
        """Raise `BadCertificate` unless `C` is the class."""
        other = Subject.of(C)
        if (self.concepts, self.points) != (other.concepts, other.points):
            raise BadCertificate(
                f"The certificate is for a class of {self.concepts} concepts on {self.points} "
                f"points. This one has {other.concepts} concepts on {other.points} points."
            )
        if self != other:
            raise BadCertificate(
                f"The certificate is for another class of {self.concepts} concepts on "
                f"{self.points} points: labels, names or their order differ."
            )

    def to_json(self) -> dict[str, Any]:
        """As a JSON object."""
        return {"concepts": self.concepts, "points": self.points, "sha256": self.sha256}

    @classmethod
    def from_json(cls, data: Any) -> Subject:
        """Read what `to_json` wrote."""
        return cls(data["concepts"], data["points"], str(data["sha256"]))


class Certificate(ABC):
    """Evidence for a claim about one class; immutable."""

    kind: ClassVar[str]
    """As written in files."""
    subject: Subject
    """The class it is about."""

    @property
    @abstractmethod
    def claim(self) -> str:
        """What is proved, as a formula."""

    @abstractmethod
    def _check(self, C: ConceptClass) -> None:
        """Raise `BadCertificate` unless the evidence proves the claim about `C`."""

    @abstractmethod
    def _evidence(self) -> dict[str, Any]:
        """The evidence as JSON values."""

    @classmethod
    @abstractmethod
    def _from_evidence(cls, subject: Subject, data: dict[str, Any]) -> Self:
        """Read what `_evidence` wrote; may raise any error that malformed data causes."""

    @abstractmethod
    def to_networkx(self) -> nx.DiGraph:
        """The evidence as a graph to draw.

        Nodes carry ``label`` (text), ``layer`` (int, 0 at the top) and ``kind`` ("point",
        "concept" or "entry"); edges carry ``label``.
        """

    def verify(self, C: ConceptClass) -> None:
        """Check the proof against the class, re-deriving every version space by restriction.

        Parameters
        ----------
        C : ConceptClass
            The class the certificate claims something about.

        Raises
        ------
        BadCertificate
            If it is for another class or does not prove its claim; the message says where.
        """
        self.subject.require(C)
        self._check(C)

    def to_json(self) -> dict[str, Any]:
        """The certificate as a JSON object, with a digest of its contents.

        Raises
        ------
        InvalidInput
            If a name of a point or concept has no JSON form.
        """
        data = {
            "format": FORMAT,
            "version": VERSION,
            "kind": self.kind,
            "claim": self.claim,
            "class": self.subject.to_json(),
            **self._evidence(),
        }
        return {**data, "digest": _digest(data)}

    @classmethod
    def from_json(cls, data: Any) -> Certificate:
        """Read what `to_json` wrote, as the kind of certificate it is.

        Raises
        ------
        BadCertificate
            If the data is no certificate, was changed, or is malformed.
        """
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise BadCertificate(f'A certificate is a JSON object with "format": "{FORMAT}".')
        if data.get("version") != VERSION:
            raise BadCertificate(
                f"This release reads certificates of version {VERSION}. "
                f"Got version {data.get('version')!r}."
            )
        kinds = {kind.kind: kind for kind in _kinds(cls)}
        if not isinstance(data.get("kind"), str) or data["kind"] not in kinds:
            raise BadCertificate(
                f"The kind of a certificate must be one of {', '.join(sorted(kinds))}. "
                f"Got {data.get('kind')!r}."
            )
        contents = {key: value for key, value in data.items() if key != "digest"}
        if data.get("digest") != _digest(contents):
            raise BadCertificate(
                "The digest of the certificate does not match its contents: the file was changed "
                "or damaged after it was written."
            )
        kind = kinds[data["kind"]]
        certificate = malformed(
            lambda: kind._from_evidence(Subject.from_json(data["class"]), contents)
        )
        if certificate.claim != data.get("claim"):
            raise BadCertificate(
                f"The certificate claims {data.get('claim')!r}, "
                f"but its evidence is for {certificate.claim!r}."
            )
        return certificate

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the certificate to a JSON file, atomically."""
        from lsclasses.files import atomic_write

        atomic_write(path, json.dumps(self.to_json()) + "\n")

    def to_text(self) -> str:
        """The evidence drawn with characters, for a terminal."""
        from lsclasses.drawing import to_text

        return to_text(self.to_networkx())

    def to_dot(self) -> str:
        """The evidence in the DOT language of Graphviz."""
        from lsclasses.drawing import to_dot

        return to_dot(self.to_networkx())

    def to_svg(self) -> str:
        """The evidence drawn as SVG."""
        from lsclasses.drawing import to_svg

        return to_svg(self.to_networkx())

    def _repr_svg_(self) -> str | None:
        """For notebooks; None when too large to draw."""
        from lsclasses.errors import TooLarge

        try:
            return self.to_svg()
        except TooLarge:
            return None


def load_certificate(path: str | os.PathLike[str]) -> Certificate:
    """Read a certificate from a JSON file.

    Raises
    ------
    InvalidInput
        If the file cannot be read as JSON.
    BadCertificate
        If it holds no certificate, or a damaged one.
    """
    from lsclasses.files import read_json

    return Certificate.from_json(read_json(path))


def malformed(read: Callable[[], T]) -> T:
    """Call `read`; whatever malformed data makes it raise becomes `BadCertificate`."""
    try:
        return read()
    except BadCertificate:
        raise
    except (InvalidInput, LookupError, TypeError, ValueError, AttributeError, OverflowError) as e:
        raise BadCertificate(f"The evidence is malformed: {type(e).__name__}: {e}.") from None


def names_from_json(values: Any) -> tuple[Point, ...]:
    """A JSON list of names."""
    if not isinstance(values, list):
        raise BadCertificate(f"Expected a list of names. Got {values!r}.")
    return tuple(from_json(value) for value in values)


def natural(value: Any, most: int | None = None) -> int:
    """A JSON integer that must be >= 0, and <= `most` if given."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise BadCertificate(f"Expected an integer >= 0. Got {value!r}.")
    if most is not None and value > most:
        raise BadCertificate(f"Expected an integer from 0 to {most}. Got {value!r}.")
    return value


def _kinds(cls: type[Certificate]) -> list[type[Certificate]]:
    found = [cls] if "kind" in cls.__dict__ else []
    for child in cls.__subclasses__():
        found += _kinds(child)
    return found


def _digest(data: dict[str, Any]) -> str:
    text = json.dumps(data, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
