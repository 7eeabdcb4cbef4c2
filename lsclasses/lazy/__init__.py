"""Classes that are not written down: enumerated, or asked about, only as far as a query needs.

`LazyClass` is given by an enumeration of its concepts or a predicate on labellings, `OracleClass`
by a procedure that tells whether some concept fits examples, and `FiniteClass` by finitely many
functions under names, on a domain of any size.
"""

from __future__ import annotations

from lsclasses.lazy.enumerated import LazyClass, OracleClass
from lsclasses.lazy.finite import FiniteClass, FunctionHypothesis

__all__ = ["FiniteClass", "FunctionHypothesis", "LazyClass", "OracleClass"]
