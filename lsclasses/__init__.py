"""Concept classes, their dimensions and their certificates.

``Table`` is a class enumerated as a table. ``ConceptClass`` is the protocol of tables and of the
families in closed form of the ``catalog`` package.
"""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING

from lsclasses.errors import (
    BadCertificate,
    InfiniteDimension,
    InvalidInput,
    LsclassesError,
    NotRealizable,
    TooLarge,
)
from lsclasses.limits import Limit

if TYPE_CHECKING:
    from lsclasses.aggregation import aggregate
    from lsclasses.composite import DisjointUnion, ProductClass, TaggedUnion
    from lsclasses.concept_class import ConceptClass
    from lsclasses.domain import Domain, FiniteDomain, IntegerRange, Vectors
    from lsclasses.graphs import cliques, independent_sets, neighbourhoods, paths
    from lsclasses.hypergraphs import hyperedges
    from lsclasses.hypothesis import Concept, Constant, Hypothesis, PatchedHypothesis
    from lsclasses.isomorphism import Isomorphism, isomorphic
    from lsclasses.lazy import FiniteClass, LazyClass, OracleClass
    from lsclasses.soa import SOA, ConservativeSOA
    from lsclasses.table import Table
    from lsclasses.vote import Vote

__version__ = "0.2.0"

__all__ = [
    "BadCertificate",
    "Concept",
    "ConceptClass",
    "ConservativeSOA",
    "Constant",
    "DisjointUnion",
    "Domain",
    "FiniteClass",
    "FiniteDomain",
    "Hypothesis",
    "InfiniteDimension",
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
    "SOA",
    "Table",
    "TaggedUnion",
    "TooLarge",
    "Vectors",
    "Vote",
    "aggregate",
    "cliques",
    "hyperedges",
    "independent_sets",
    "isomorphic",
    "neighbourhoods",
    "paths",
]

_WHEN_ASKED = {
    "aggregation": ("aggregate",),
    "composite": ("DisjointUnion", "ProductClass", "TaggedUnion"),
    "concept_class": ("ConceptClass",),
    "domain": ("Domain", "FiniteDomain", "IntegerRange", "Vectors"),
    "graphs": ("cliques", "independent_sets", "neighbourhoods", "paths"),
    "hypergraphs": ("hyperedges",),
    "hypothesis": ("Concept", "Constant", "Hypothesis", "PatchedHypothesis"),
    "isomorphism": ("Isomorphism", "isomorphic"),
    "lazy": ("FiniteClass", "LazyClass", "OracleClass"),
    "soa": ("SOA", "ConservativeSOA"),
    "table": ("Table",),
    "vote": ("Vote",),
}
"""Public names, listed by the module that defines them.

The first use of a name imports its module, so commands start fast.
"""


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> object:
    for module, names in _WHEN_ASKED.items():
        if name in names:
            return getattr(_import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
