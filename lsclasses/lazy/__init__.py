"""Classes without a table, which are evaluated only as far as a query needs.

`LazyClass` is given by an enumeration of its concepts or a predicate on labellings. `OracleClass`
is given by a procedure that decides whether some concept agrees with examples. `FiniteClass` is
given by finitely many named functions on a domain of any size.
"""

from __future__ import annotations

from lsclasses.lazy.enumerated import LazyClass, OracleClass
from lsclasses.lazy.finite import FiniteClass, FunctionHypothesis

__all__ = ["FiniteClass", "FunctionHypothesis", "LazyClass", "OracleClass"]
