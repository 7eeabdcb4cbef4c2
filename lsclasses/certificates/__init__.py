"""Certificates: evidence for a dimension that can be checked without trusting the search.

A lower bound has a shattered object as evidence. The object is a `ShatteredTree`, a `FoldedTree` if
the tree would be too large, or a `ShatteredSet`. An upper bound has a `FailureDAG` as evidence,
which names a side that fails for every column of every version space that it visits. `ProofByCases`
proves stars, thresholds and teaching dimensions, and `RandomizedLdimCertificate` proves expected
depths. When a certificate verifies itself, it derives every version space again from the class, by
restriction.
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
