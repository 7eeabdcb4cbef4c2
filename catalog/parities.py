"""Linear and affine functionals over GF(2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from catalog.closed_forms.functionals import Functionals
from catalog.facts import known
from catalog.family import ClosedForm
from catalog.vector_spaces import functionals
from lsclasses.specifications import Parameter
from lsclasses.table import Table


class _FunctionalsOverTwo(ClosedForm):
    """Functionals on the vectors of GF(2)^n."""

    reference = "Fischer and Simon 1992"
    parameters = (Parameter("n", "number of variables", minimum=1, maximum=256),)
    linear: ClassVar[bool]

    def _concept_class(self, *, n: int) -> Functionals:
        return Functionals(n, linear=self.linear)

    def _table(self, *, n: int) -> Table:
        return functionals(n, linear=self.linear)

    def instances(self) -> Iterator[dict[str, int]]:
        for n in (1, 2, 3, 4):
            yield {"n": n}


class Parities(_FunctionalsOverTwo):
    """Linear functionals over GF(2), the parities of sets of variables.

    Examples
    --------
    >>> C = Parities().table(n=2)
    >>> [(c.name, c.support) for c in C][1:3]
    [((0, 1), ((0, 1), (1, 1))), ((1, 0), ((1, 0), (1, 1)))]
    >>> C.ldim(), C.dual_ldim()
    (2, 2)
    """

    name = "parities"
    linear = True
    title = "Parities of n variables"
    definition = (
        "Points are the vectors of GF(2)^n. The concept of a vector a labels x with the sum of "
        "a_i x_i modulo 2."
    )
    facts = known(__file__, "parities")


class AffineFunctionals(_FunctionalsOverTwo):
    """Affine functionals over GF(2): parities and their complements.

    Examples
    --------
    >>> C = AffineFunctionals().table(n=1)
    >>> [(c.name, c.support) for c in C]
    [(((0,), 0), ()), (((0,), 1), ((0,), (1,))), (((1,), 0), ((1,),)), (((1,), 1), ((0,),))]
    >>> C.ldim(), C.dual_ldim()
    (2, 1)
    """

    name = "affine-functionals"
    linear = False
    title = "Parities of n variables and their complements"
    definition = (
        "Points are the vectors of GF(2)^n. The concept (a, b) labels x with b plus the sum of "
        "a_i x_i modulo 2."
    )
    facts = known(__file__, "affine-functionals")
