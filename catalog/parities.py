"""Linear and affine functionals over GF(2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from catalog.family import ClosedForm, Fact
from catalog.forms.functionals import Functionals
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
    """Linear functionals over GF(2): the parities of sets of variables.

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
        "Points are the vectors of GF(2)^n; the concept of a vector a labels x with the sum of "
        "a_i x_i modulo 2."
    )
    facts = (
        Fact("size", "2**n", source="one functional for every vector"),
        Fact("points", "2**n", source="by definition"),
        Fact(
            "ldim", "n", source="a basis is shattered; every point that splits the class halves it"
        ),
        Fact("vcdim", "n", source="a basis is shattered; the class has 2^n concepts"),
        Fact("dual_ldim", "n", source="the table is symmetric"),
        Fact("dual_vcdim", "n", source="the table is symmetric"),
        Fact(
            "threshold_dim",
            "n",
            source="the table has rank n over GF(2), a triangular block of k ones has rank k; a "
            "basis is mapped to any n labellings",
        ),
        Fact("randomized_ldim", "n/2", source="every point that splits the class halves it"),
        Fact(
            "star_number",
            "n",
            source="adding the centre maps the class to itself; a star around 0 has full rank",
        ),
        Fact(
            "hollow_star_number",
            "n + 1",
            when="n >= 2",
            source="the smallest linear dependencies, with one label changed; the longest are a "
            "basis and its sum",
        ),
        Fact(
            "hollow_star_number",
            "1",
            when="Eq(n, 1)",
            source="only the label 1 at the point 0 fits no parity",
        ),
        Fact("teaching_dim", "n", source="n independent equations determine the functional"),
        Fact("recursive_teaching_dim", "n", source="every concept is as hard to teach as any"),
    )


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
        "Points are the vectors of GF(2)^n; the concept (a, b) labels x with b plus the sum of "
        "a_i x_i modulo 2."
    )
    facts = (
        Fact("size", "2**(n + 1)", source="one functional for every vector and constant"),
        Fact("points", "2**n", source="by definition"),
        Fact(
            "ldim",
            "n + 1",
            source="n + 1 affinely independent points are shattered; every point that splits the "
            "class halves it",
        ),
        Fact("vcdim", "n + 1", source="see ldim"),
        Fact("dual_ldim", "n", source="2^n points, which n coordinates tell apart"),
        Fact("dual_vcdim", "n", source="the n coordinates are shattered by the 2^n points"),
        Fact(
            "threshold_dim",
            "n + 1",
            source="the table has rank n + 1 over GF(2); see parities",
        ),
        Fact("randomized_ldim", "(n + 1)/2", source="every point that splits the class halves it"),
        Fact("star_number", "n + 1", source="the table has rank n + 1 over GF(2); see parities"),
        Fact(
            "hollow_star_number",
            "2*floor(n/2) + 2",
            when="n >= 2",
            source="the smallest affine dependencies, with one label changed: an even number of "
            "points, at most n + 2, whose sum is 0",
        ),
        Fact("hollow_star_number", "0", when="Eq(n, 1)", source="every sample fits"),
        Fact(
            "teaching_dim", "n + 1", source="n + 1 independent equations determine the functional"
        ),
        Fact("recursive_teaching_dim", "n + 1", source="every concept is as hard to teach as any"),
    )
