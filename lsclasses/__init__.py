"""Concept classes and everything that can be asked of one.

``Table`` is a class written out, ``ConceptClass`` the protocol that it shares with the families in
closed form of the ``catalog`` package.
"""

from lsclasses.composite import DisjointUnion, ProductClass, TaggedUnion
from lsclasses.concept_class import ConceptClass
from lsclasses.domain import Domain, FiniteDomain, IntegerRange, Vectors
from lsclasses.errors import BadCertificate, InvalidInput, LsclassesError, NotRealizable, TooLarge
from lsclasses.hypothesis import Concept, Constant, Hypothesis, PatchedHypothesis
from lsclasses.isomorphism import Isomorphism, isomorphic
from lsclasses.lazy import FiniteClass, LazyClass, OracleClass
from lsclasses.limits import Limit
from lsclasses.table import Table, aggregate
from lsclasses.vote import Vote

__version__ = "0.1.0"

__all__ = [
    "BadCertificate",
    "Concept",
    "ConceptClass",
    "Constant",
    "DisjointUnion",
    "Domain",
    "FiniteClass",
    "FiniteDomain",
    "Hypothesis",
    "IntegerRange",
    "InvalidInput",
    "Isomorphism",
    "LazyClass",
    "Limit",
    "LsclassesError",
    "NotRealizable",
    "OracleClass",
    "PatchedHypothesis",
    "ProductClass",
    "Table",
    "TaggedUnion",
    "TooLarge",
    "Vectors",
    "Vote",
    "aggregate",
    "isomorphic",
]
