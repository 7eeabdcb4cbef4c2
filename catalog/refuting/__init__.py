"""A search that refutes: the smallest class for which a statement about parameters is false.

Every class of the atlas comes first, so a counterexample that is found there is the smallest there
is; then members of the catalog, then tables made for the purpose. What is found is computed anew by
the searches in a table, which share no code with the columns of the atlas. That nothing is found
proves nothing beyond the classes that were all looked at.
"""

from catalog.refuting.refute import Refutation, refute
from catalog.refuting.statement import Sides, Statement
from catalog.refuting.survey import Survey, survey

__all__ = ["Refutation", "Sides", "Statement", "Survey", "refute", "survey"]
