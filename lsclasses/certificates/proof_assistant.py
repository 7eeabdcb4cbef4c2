"""Certificates for the checker that is proved sound in Coq, and for Coq itself.

``proof/`` contains the proved checker, and ``docs/proved.md`` states its theorems. Only the command
``check`` needs this module.

A file for Coq contains a certificate and its class, and its theorem is the claim. The file needs
the theories in ``proof/theories``. Coq computes the proved checker on the file. Users must trust
only one fact about the file, namely that its rows are the intended class.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from lsclasses.certificates.base import Certificate
from lsclasses.certificates.certificate_entries import FailureEntry, Match, Node, Subtree
from lsclasses.certificates.failure import FailureDAG
from lsclasses.certificates.folded import FoldedTree
from lsclasses.certificates.shattered import ShatteredSet, ShatteredTree
from lsclasses.certificates.subject_class import SubjectClass
from lsclasses.certificates.values import LdimCertificate, VCCertificate
from lsclasses.errors import BadCertificate, InvalidInput, TooLarge
from lsclasses.packed_labels import PackedLabels
from lsclasses.point_names import Label, Point, to_json

# ---- the proved checker


CHECKER = "lsclasses-proved"
"""The name of the program that is the proved checker."""
BUILT = Path(__file__).parents[2] / "build" / "proof" / CHECKER
"""The path of the checker in a checkout after ``make -C proof checker``."""
REFUSED = 1
"""The exit status of the proved checker if a certificate does not prove its claim."""


def proved_checker() -> Path:
    """Return the path of the proved checker.

    Raises
    ------
    InvalidInput
        If the checker is not installed.
    """
    found = shutil.which(CHECKER)
    if found is not None:
        return Path(found)
    if BUILT.is_file():
        return BUILT
    raise InvalidInput(
        f"--proved needs the program {CHECKER}, which is neither on the PATH nor at {BUILT}. "
        "Build it in a checkout by 'make -C proof checker', which needs only OCaml."
    )


def verify_proved(certificate: Certificate, C: SubjectClass) -> None:
    """Have the proved checker verify a certificate.

    Parameters
    ----------
    certificate : Certificate
    C : ConceptClass
        Class whose rows are enumerated.

    Raises
    ------
    BadCertificate
        If the checker refuses the certificate.
    InvalidInput
        If the checker is not installed, or cannot read the certificate or the class.
    TooLarge
        If the class is too large for a table.
    """
    certificate.require_in_coq()
    checker, table = proved_checker(), C.to_table()
    # A class in closed form has no names for the leaves of a tree.
    closed = [] if isinstance(C, PackedLabels) else ["--closed"]
    with tempfile.TemporaryDirectory() as folder:
        evidence, rows = Path(folder) / "certificate.json", Path(folder) / "rows.packed"
        evidence.write_bytes(certificate.to_bytes())
        with rows.open("wb") as file:
            for part in packed_parts(table):
                file.write(part)
        answer = subprocess.run(
            [checker, *closed, evidence, rows], capture_output=True, text=True, check=False
        )
    if answer.returncode == 0:
        return
    said = answer.stderr.strip().removeprefix(f"{CHECKER}: ")
    said = said.replace(f"{evidence} proves nothing of {rows}: ", "")
    if answer.returncode == REFUSED:
        raise BadCertificate(f"The proved checker refuses it: {said}")
    raise InvalidInput(f"The proved checker stopped (status {answer.returncode}): {said}")


def packed_parts(table: PackedLabels) -> Iterator[bytes]:
    """Yield the input of the proved checker: a line of names in JSON, then the rows as bytes."""
    names = table.concept_names
    head = {
        "format": "lsclasses-packed",
        "version": 1,
        "points": [to_json(x) for x in table.points],
        "concepts": None if names is None else [to_json(name) for name in names],
        "rows": len(table),
    }
    yield json.dumps(head).encode() + b"\n"
    yield table.packed.tobytes()


# ---- files for Coq


ROWS_LIMIT = 1 << 12
"""Largest number of concepts of an exported class. Coq needs minutes for more concepts."""

HEAD = """\
(* {claim}: coqc -Q build/proof Lsclasses FILE, after 'make -C proof theory'. *)

From Coq Require Import List NArith PArith.
From Lsclasses Require Import Ldim Rules Vc Check.
Import ListNotations.
Local Open Scope positive_scope.

(* The points are numbered from 1; bit x of a row is the label of the point x. *)
Definition label (c : N) (x : positive) : bool := N.testbit c (Npos x).
Definition domain : list positive := {domain}.
Definition concepts : list N := {rows}.
Definition evidence : certificate positive := {evidence}.

Theorem certified : claim label domain concepts evidence.
Proof.
  apply (check_sound label (fun x => x) (fun x z same => same)). vm_compute. reflexivity.
Qed.

Theorem {name} : {statement}.
Proof. exact certified. Qed.
Print Assumptions {name}.
"""
CLASS = "label (fun x => In x domain) (fun c => In c concepts)"


def to_coq(certificate: Certificate, C: SubjectClass) -> str:
    """Return a file for Coq with the class, the certificate and the claim as a theorem.

    Raises
    ------
    BadCertificate
        If the certificate is for another class.
    TooLarge
        If the class has more than 4096 concepts.

    Examples
    --------
    >>> import catalog
    >>> C = catalog.build("thresholds:n=3").to_table()
    >>> print(to_coq(C.vcdim_certificate(), C))
    (* VCdim = 1: ...
    Theorem vcdim : is_vcdim label (fun x => In x domain) (fun c => In c concepts) 1%nat.
    ...
    """
    certificate.require_in_coq()
    certificate.subject.require(C)
    table = C.to_table()
    if len(table) > ROWS_LIMIT:
        raise TooLarge(
            f"Coq supports classes of up to {ROWS_LIMIT} concepts in this way. Got {len(table)}. "
            "'lsclasses check --proved' supports larger classes.",
            estimate=len(table),
            limit=ROWS_LIMIT,
        )
    name, statement = _statement(certificate)
    return HEAD.format(
        claim=certificate.claim,
        domain=_list(str(x + 1) for x in range(len(table.points))),
        rows=_list(f"{2 * row}%N" for row in table.row_bits),
        evidence=_Terms(table).certificate(certificate),
        name=name,
        statement=statement,
    )


def _statement(certificate: Certificate) -> tuple[str, str]:
    """Return the name of the theorem, and its statement."""
    quantity, relation, value = certificate.claim.split()
    if relation == "<=":
        return "ldim", f"forall k, shatters {CLASS} k -> (k < {int(value) + 1})%nat"
    if relation == "=":
        name = quantity.lower()
        return name, f"is_{name} {CLASS} {value}%nat"
    if isinstance(certificate, ShatteredSet):
        return "vcdim", "claim label domain concepts evidence"
    return "ldim", f"shatters {CLASS} {value}%nat"


def _list(terms: Iterable[str]) -> str:
    return f"[{'; '.join(terms)}]"


def _bit(y: Label) -> str:
    return "true" if y else "false"


def _option(value: Any, term: Callable[[Any], str]) -> str:
    return "None" if value is None else f"(Some {term(value)})"


class _Terms:
    """Terms of Coq for the parts of certificates on one class."""

    def __init__(self, table: PackedLabels) -> None:
        self._domain = table.domain
        names = range(len(table)) if table.concept_names is None else table.concept_names
        self._concepts = {name: str(i + 1) for i, name in enumerate(names)}

    def certificate(self, each: Certificate) -> str:
        match each:
            case LdimCertificate():
                return f"LdimIs {self.lower(each.tree)} {self.dag(each.dag)}"
            case FailureDAG():
                return f"LdimAtMost {self.dag(each)}"
            case ShatteredSet():
                return f"VcdimAtLeast {self.points(each.points)}"
            case VCCertificate():
                missing = _list(map(self.examples, each.missing))
                why = "(Size positive)" if each.reason == "size" else f"(Missing {missing})"
                return f"VcdimIs {self.points(each.shattered.points)} {why}"
            case _:
                return f"LdimAtLeast {self.lower(each)}"

    def point(self, x: Point) -> str:
        return str(self._domain.index(x) + 1)

    def points(self, xs: Iterable[Point]) -> str:
        return _list(map(self.point, xs))

    def examples(self, examples: Iterable[tuple[Point, Label]]) -> str:
        return _list(f"({self.point(x)}, {_bit(y)})" for x, y in examples)

    def matching(self, matching: Iterable[Match]) -> str:
        pairs = ((self.point(x), self.point(z), _bit(flip)) for x, z, flip in matching)
        return _list(f"({', '.join(pair)})" for pair in pairs)

    def lower(self, tree: Certificate) -> str:
        if isinstance(tree, FoldedTree):
            return f"(Folded {tree.depth}%nat {_list(map(self.node, tree.nodes))})"
        assert isinstance(tree, ShatteredTree)
        leaves = None if None in tree.leaves else [self._concepts[name] for name in tree.leaves]
        return f"(Unfolded {tree.depth}%nat {self.points(tree.points)} {_option(leaves, _list)})"

    def node(self, node: Node) -> str:
        place = None if node.parent is None else f"({node.parent + 1}, {_bit(node.side or 0)})"
        subtrees = " ".join(map(self.subtree, node.subtrees))
        return f"Node {_option(place, str)} {self.point(node.root)} {subtrees}"

    def subtree(self, subtree: Subtree) -> str:
        if subtree.node is None:
            return f"(ShatteredSet {self.points(subtree.points)})"
        return f"(Below {subtree.node + 1} {_option(subtree.matching, self.matching)})"

    def dag(self, dag: FailureDAG) -> str:
        return f"(Dag {dag.dimension + 1}%nat {_list(map(self.entry, dag.entries))})"

    def entry(self, entry: FailureEntry) -> str:
        parent = None if entry.parent is None else entry.parent + 1
        given = self.examples(entry.given)
        return f"Entry {_option(parent, str)} {given} {entry.depth}%nat {self.reason(entry)}"

    def reason(self, entry: FailureEntry) -> str:
        if entry.factors is not None:
            factors = (f"({f.entry + 1}, {self.matching(f.matching)})" for f in entry.factors)
            return f"(Factors {_list(factors)})"
        if entry.steps is None:
            return "(Counting positive)"
        steps = []
        for step in entry.steps:
            by = None
            if step.entry is not None:
                by = f"({step.entry + 1}, {_option(step.matching, self.matching)})"
            steps.append(f"Step {self.point(step.point)} {_bit(step.side)} {_option(by, str)}")
        return f"(Steps {_list(steps)} {_list(map(self.matching, entry.symmetries))})"
