"""Conjunctions and disjunctions of literals."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import reduce
from typing import ClassVar

import numpy as np

from catalog.closed_forms.terms import Terms
from catalog.cube import cube_points
from catalog.facts import known
from catalog.family import ClosedForm
from lsclasses.specifications import Parameter
from lsclasses.table import Table

ABSENT, POSITIVE, NEGATIVE = "", "x", "~x"
"""Forms in which a variable occurs in the name of a conjunction or disjunction."""


# Complementing all labels and negating all variables turns conjunctions into disjunctions. So the
# two families share every dimension that is symmetric in the labels. Proofs are for conjunctions.
# S is a set of literals, T a point, and the conjunction of S is 1 at T iff T satisfies S.


class _JoinedLiterals(ClosedForm):
    """All literals of a set of literals joined by one sign."""

    parameters = (
        Parameter("n", "number of variables", minimum=1, maximum=4096),
        Parameter.flag("monotone", "use only variables, without negations"),
    )
    conjunctions: ClassVar[bool]
    sign: ClassVar[str]

    def _concept_class(self, *, n: int, monotone: int) -> Terms:
        return Terms(n, conjunctions=self.conjunctions, monotone=bool(monotone))

    def _table(self, *, n: int, monotone: int) -> Table:
        # One literal decides the rule: label 0 for a conjunction and 1 for a disjunction. A product
        # of factors, one for each variable, is 1 where no literal decides.
        positive, negative = ((0, 1), (1, 0)) if self.conjunctions else ((1, 0), (0, 1))
        occurrences = {ABSENT: (1, 1), POSITIVE: positive}
        if not monotone:
            occurrences[NEGATIVE] = negative
        factor = np.array(list(occurrences.values()), dtype=np.uint8)
        undecided = reduce(np.kron, [factor] * n)
        labels = undecided if self.conjunctions else 1 - undecided
        empty, contrary = ("true", "false") if self.conjunctions else ("false", "true")
        names = [
            self.sign.join(f"{literal}{i}" for i, literal in enumerate(chosen, start=1) if literal)
            or empty
            for chosen in itertools.product(occurrences, repeat=n)
        ]
        if not monotone:
            labels = np.vstack([labels, np.full_like(labels[:1], not self.conjunctions)])
            names.append(contrary)
        return Table(labels, cube_points(n), names)

    def instances(self) -> Iterator[dict[str, int]]:
        for monotone in (0, 1):
            for n in (1, 2, 3, 4, 5, 8):
                yield {"n": n, "monotone": monotone}


class Conjunctions(_JoinedLiterals):
    """Conjunctions of literals.

    Examples
    --------
    >>> C = Conjunctions().table(n=2, monotone=1)
    >>> [(c.name, c.support) for c in C]  # doctest: +NORMALIZE_WHITESPACE
    [('true', ((0, 0), (0, 1), (1, 0), (1, 1))), ('x2', ((0, 1), (1, 1))),
     ('x1', ((1, 0), (1, 1))), ('x1 & x2', ((1, 1),))]
    >>> C.ldim(), Conjunctions().table(n=2).ldim()
    (2, 3)
    """

    name = "conjunctions"
    conjunctions, sign = True, " & "
    title = "Conjunctions of literals of n variables"
    definition = (
        "Points {0,1}^n. The 3^n + 1 concepts are the contradiction and the conjunctions of "
        "literals, where each variable is absent, positive or negated. With monotone=1, the class "
        "has the 2^n conjunctions of variables, including the empty conjunction, which is 1 "
        "everywhere."
    )
    reference = "Valiant 1984; Littlestone 1988"
    facts = known(__file__, "shared", "conjunctions")


class Disjunctions(_JoinedLiterals):
    """Disjunctions of literals.

    Examples
    --------
    >>> C = Disjunctions().table(n=2, monotone=1)
    >>> [(c.name, c.support) for c in C]  # doctest: +NORMALIZE_WHITESPACE
    [('false', ()), ('x2', ((0, 1), (1, 1))), ('x1', ((1, 0), (1, 1))),
     ('x1 | x2', ((0, 1), (1, 0), (1, 1)))]
    """

    name = "disjunctions"
    conjunctions, sign = False, " | "
    title = "Disjunctions of literals of n variables"
    definition = (
        "Points {0,1}^n. The 3^n + 1 concepts are the tautology and the disjunctions of literals, "
        "where each variable is absent, positive or negated. With monotone=1, the class has the "
        "2^n disjunctions of variables, including the empty disjunction, which is 0 everywhere."
    )
    reference = "Littlestone 1988"
    facts = known(__file__, "shared", "disjunctions")
