"""Search for the smallest class for which a statement about parameters is false.

The search visits every class of the atlas first, so a counterexample in the atlas is the smallest
counterexample there. Then it visits members of the catalog and classes made of them, and then
generated tables. The searches in a table recompute the parameters of a counterexample, and share no
code with the columns of the atlas. A search without a counterexample proves the statement only for
the visited classes, for example for all classes on at most four points.
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
