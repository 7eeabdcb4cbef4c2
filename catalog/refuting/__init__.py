"""A search that refutes: the smallest class for which a statement about parameters is false.

Every class of the atlas comes first, so a counterexample that is found there is the smallest there
is; then members of the catalog and what is made of them, then tables made for the purpose. What is
found is computed anew by the searches in a table, which share no code with the columns of the
atlas. That nothing is found proves nothing beyond the classes that were all looked at.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from catalog.refuting.refutation import Refutation, refute
    from catalog.refuting.statement import Sides, Statement, StatementParameter
    from catalog.refuting.surveying import Survey, survey

__all__ = ["StatementParameter", "Refutation", "Sides", "Statement", "Survey", "refute", "survey"]


def __getattr__(name: str) -> object:
    # The list of commands is printed without searches.
    if name not in __all__:
        raise AttributeError(f"module 'catalog.refuting' has no attribute {name!r}")
    from catalog.refuting import refutation, statement, surveying

    found = {**vars(statement), **vars(surveying), **vars(refutation)}
    globals().update({each: found[each] for each in __all__})
    return found[name]
