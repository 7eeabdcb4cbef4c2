"""Certificates: evidence for a dimension that can be checked without trusting the search.

A lower bound is shown by what is shattered: a `ShatteredTree`, a `FoldedTree` where that would be
too large, a `ShatteredSet`; an upper bound by a `FailureDAG`, which says for every column of every
version space it visits which side fails. `ProofByCases` proves stars, thresholds and teaching
dimensions, and `RandomizedLdimCertificate` expected depths. Each certificate re-derives everything
from the class, by restriction, when it verifies itself.
"""

from lsclasses.certificates.base import Certificate, Subject, load_certificate
from lsclasses.certificates.cases.proof import ProofByCases
from lsclasses.certificates.certificate_entries import (
    Factor,
    FailureEntry,
    FailureStep,
    Node,
    Subtree,
)
from lsclasses.certificates.depths import RandomizedLdimCertificate
from lsclasses.certificates.failure import FailureDAG
from lsclasses.certificates.folded import FoldedTree
from lsclasses.certificates.shattered import ShatteredSet, ShatteredTree
from lsclasses.certificates.values import LdimCertificate, VCCertificate

__all__ = [
    "Certificate",
    "FailureEntry",
    "Factor",
    "FailureDAG",
    "FoldedTree",
    "LdimCertificate",
    "Node",
    "ProofByCases",
    "RandomizedLdimCertificate",
    "ShatteredSet",
    "ShatteredTree",
    "FailureStep",
    "Subject",
    "Subtree",
    "VCCertificate",
    "load_certificate",
]
