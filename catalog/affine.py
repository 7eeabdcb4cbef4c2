"""Affine and linear subspaces of a vector space over a prime field."""

from __future__ import annotations

from collections.abc import Iterator

from catalog.family import ClosedForm, Fact
from catalog.forms.flats import Flats
from catalog.vector_spaces import DIMENSION, FIELD, flats, linear_subspaces, require_prime
from lsclasses.errors import InvalidInput
from lsclasses.specifications import Parameter
from lsclasses.table import Table

_LINE_WITHOUT_EMPTY = "Eq(q, 2) & Eq(n, 1) & Eq(k, 1) & Eq(empty, 0)"
"""The class {{0}, {1}, {0, 1}}: too few points for a flat outside of two independent ones."""
_OTHERWISE = f"~({_LINE_WITHOUT_EMPTY})"
_DEGREE = Parameter("k", "largest dimension of a subspace", minimum=0, maximum=256)


class _Subspaces(ClosedForm):
    """Subspaces of GF(q)^n of dimension at most k."""

    def _check(self, *, q: int, n: int, k: int, empty: int = 0) -> None:
        require_prime(self.name, q)
        if k > n:
            raise InvalidInput(
                f"The parameter 'k' of {self.name!r} must be at most the dimension n={n} of the "
                f"space. Got k={k}."
            )


class AffineSubspaces(_Subspaces):
    """Affine subspaces of GF(q)^n of dimension at most k, with or without the empty set.

    Examples
    --------
    >>> C = AffineSubspaces().table(q=2, n=2, k=1)
    >>> C
    <Table: 10 concepts on 4 points>
    >>> C[9].name, C[9].support
    (((1, 0), (0, 1)), ((1, 0), (1, 1)))
    >>> C.ldim()
    2
    """

    name = "affine"
    title = "Affine subspaces of GF(q)^n of dimension at most k"
    definition = (
        "Points are the vectors of GF(q)^n, q prime; the concepts are its affine subspaces (flats) "
        "of dimension 0, ..., k, where 0 <= k <= n, named by their least vector and a basis of "
        "their directions in reduced echelon form. With the flag empty, the empty set is a concept "
        "as well."
    )
    reference = "[BLM20, section 1]; Helmbold, Sloan and Warmuth 1990 (closure algorithm)"
    parameters = (
        FIELD,
        DIMENSION,
        _DEGREE,
        Parameter.flag("empty", "include the empty set", default=0),
    )
    facts = (
        Fact(
            "size",
            "Sum(q**(n - j)*gauss(n, j, q), (j, 0, k)) + empty",
            source="a j-dimensional linear subspace has q^(n-j) cosets",
        ),
        Fact("points", "q**n", source="by definition"),
        Fact(
            "ldim",
            "k + 1",
            when=_OTHERWISE,
            source="the affine hull of the ones seen so far errs once to find a point and once for "
            "every dimension; the VC dimension is as large",
            printed="k",
            printed_in="[BLM20, section 1]",
            statements=("BLM20 Sec 1, affine subspaces",),
        ),
        Fact(
            "ldim",
            "1",
            when=_LINE_WITHOUT_EMPTY,
            source="three concepts on two points",
            printed="k",
            printed_in="[BLM20, section 1]",
            statements=("BLM20 Sec 1, affine subspaces",),
        ),
        Fact(
            "vcdim",
            "k + 1",
            when=_OTHERWISE,
            source="k + 1 affinely independent points: the flat that some of them span contains no "
            "other; none of them are in the empty set, or in a point outside; the ones that a "
            "shattered set leaves out one by one are affinely independent",
        ),
        Fact("vcdim", "1", when=_LINE_WITHOUT_EMPTY, source="three concepts on two points"),
        Fact(
            "dual_ldim",
            "Min(k + 1, n)",
            source="predict 0 unless the flat contains all points that are left: the first error "
            "leaves a flat of dimension at most k and less than n, every other one less of it; the "
            "lower bound is the dual VC dimension",
        ),
        Fact(
            "dual_vcdim",
            "Min(k + 1, n)",
            source="the flats x_i = 0 inside a space of dimension min(k + 1, n); and intersecting "
            "d shattered flats one after the other lowers the dimension every time",
        ),
        Fact(
            "threshold_dim",
            "k + 1",
            source="x_i lies outside of a flat through x_(i+1), ..., so the points are affinely "
            "independent, and the first flat contains all of them; any such points will do",
        ),
        Fact(
            "randomized_ldim",
            "1 - 2**(1 - q**n - empty)",
            when="Eq(k, 0)",
            source="these are the point functions; see points",
        ),
        Fact(
            "randomized_ldim",
            "Rational(5, 4) - 2**(1 - q - empty)",
            when="Eq(k, 1) & Eq(n, 1)",
            source="all points are alike; the first leaves two concepts with label 1 and point "
            "functions on q - 1 points with label 0",
        ),
        Fact(
            "star_number",
            "q**n - 1 + empty",
            when=_OTHERWISE,
            source="the single points around the empty set, or around the point left out; all "
            "points need two flats for each of them whose sizes differ by one",
        ),
        Fact(
            "star_number",
            "2",
            when=_LINE_WITHOUT_EMPTY,
            source="the two points around the whole line",
        ),
        Fact(
            "hollow_star_number",
            "q**n",
            when="Eq(empty, 0)",
            source="all points labelled 0; other minimal samples that fit no flat have at most "
            "n + 2 <= q^n points, or the two points of GF(2)",
        ),
        Fact(
            "hollow_star_number",
            "k + 2",
            when="Eq(empty, 1) & (k < n)",
            source="a minimal sample that fits no flat has k + 2 affinely independent ones, or "
            "at most k + 1 and a zero in their affine hull",
        ),
        Fact(
            "hollow_star_number",
            "n + 2",
            when="Eq(empty, 1) & Eq(k, n) & ((q > 2) | Eq(Mod(n, 2), 0))",
            source="n + 1 independent ones and a zero that is an affine combination of them with "
            "all coefficients nonzero; over GF(2) their number must be odd",
        ),
        Fact(
            "hollow_star_number",
            "n + 1",
            when="Eq(empty, 1) & Eq(k, n) & Eq(q, 2) & Eq(Mod(n, 2), 1) & (n > 1)",
            source="as before, with the largest odd number of ones, n",
        ),
        Fact(
            "hollow_star_number",
            "0",
            when="Eq(empty, 1) & Eq(k, n) & Eq(q, 2) & Eq(n, 1)",
            source="every sample fits",
        ),
        Fact(
            "teaching_dim",
            "q**n",
            when="Eq(empty, 1)",
            source="the empty set needs a zero at every point",
        ),
        Fact(
            "teaching_dim",
            "1",
            when="Eq(empty, 0) & Eq(k, 0)",
            source="the point of the concept tells it from all others",
        ),
        Fact(
            "teaching_dim",
            "Max(2, 2**n - 1)",
            when="Eq(empty, 0) & (k >= 1) & Eq(q, 2)",
            source="a point needs zeros at all others; a flat of dimension j > 0 needs j + 1 ones "
            "and, if j < k, a zero in each of the 2^(n-j) - 1 flats right above it",
        ),
        Fact(
            "teaching_dim",
            "1 + (q**n - 1)/(q - 1)",
            when="Eq(empty, 0) & (k >= 1) & (q > 2)",
            source="a point needs itself and a zero on each line through it; a flat of dimension j "
            "needs no more: j + 1 ones and, if j < k, a zero in each flat right above it",
        ),
        Fact(
            "recursive_teaching_dim",
            "k + 1",
            when=_OTHERWISE,
            source="teach larger flats first, each by k + 1 or fewer points that span it; the "
            "k-dimensional flats of a (k+1)-dimensional one (if k = n: the hyperplanes, the space, "
            "and over GF(2) the empty set or, for n > 1, all flats) need k + 1 examples each",
        ),
        Fact(
            "recursive_teaching_dim",
            "1",
            when=_LINE_WITHOUT_EMPTY,
            source="teach each point by a zero at the other, then the line",
        ),
    )

    def _concept_class(self, *, q: int, n: int, k: int, empty: int) -> Flats:
        return Flats(q, n, k, empty=bool(empty))

    def _table(self, *, q: int, n: int, k: int, empty: int) -> Table:
        return flats(q, n, k, empty=bool(empty))

    def instances(self) -> Iterator[dict[str, int]]:
        for q, n in ((2, 1), (2, 2), (2, 3), (3, 1), (3, 2), (5, 1), (5, 2)):
            for k in range(n + 1):
                for empty in (0, 1):
                    yield {"q": q, "n": n, "k": k, "empty": empty}
        for q, n, k in ((2, 4, 1), (2, 4, 2), (2, 4, 3), (3, 3, 1)):
            yield {"q": q, "n": n, "k": k, "empty": 0}


class LinearSubspaces(_Subspaces):
    """Linear subspaces of GF(q)^n of dimension at most k.

    Examples
    --------
    >>> C = LinearSubspaces().table(q=2, n=2, k=1)
    >>> [(c.name, c.support) for c in C][-1]
    (((0, 1),), ((0, 0), (0, 1)))
    >>> C.ldim()
    1
    """

    name = "linear"
    title = "Linear subspaces of GF(q)^n of dimension at most k"
    definition = (
        "Points are the vectors of GF(q)^n, q prime; the concepts are its linear subspaces of "
        "dimension 0, ..., k, where 0 <= k <= n, named by their basis in reduced echelon form."
    )
    reference = "[BLM20, section 1]; Helmbold, Sloan and Warmuth 1990 (closure algorithm)"
    parameters = (FIELD, DIMENSION, _DEGREE)
    facts = (
        Fact("size", "Sum(gauss(n, j, q), (j, 0, k))", source="by definition"),
        Fact("points", "q**n", source="by definition"),
        Fact(
            "ldim",
            "k",
            source="the span of the ones seen so far errs once for every dimension; the VC "
            "dimension is as large",
        ),
        Fact(
            "vcdim",
            "k",
            source="any k linearly independent points; a shattered set is independent",
        ),
        Fact(
            "dual_ldim",
            "Min(k + 1, n)",
            source="as for affine: an error lowers the dimension of what is left, and at most k is "
            "left after the first",
        ),
        Fact(
            "dual_vcdim",
            "Min(k + 1, n)",
            source="the subspaces x_i = 0 of a space of dimension min(k + 1, n)",
        ),
        Fact(
            "threshold_dim",
            "k + 1",
            source="k linearly independent points and, last, the point 0, which is in all of them",
        ),
        Fact(
            "randomized_ldim",
            "k*(1 - 2**(-(q**n - 1)/(q - 1)))",
            when="k <= 1",
            source="for k = 1 these are the point functions on the lines through 0, with the empty "
            "concept; see points",
        ),
        Fact(
            "star_number",
            "(q**n - 1)/(q - 1)",
            when="k >= 1",
            source="the lines through 0 around {0}; points of one line look alike",
        ),
        Fact("star_number", "0", when="Eq(k, 0)", source="there is only one concept"),
        Fact(
            "hollow_star_number",
            "k + 1",
            when="(q > 2) | (n > 1) | Eq(k, 0)",
            source="a minimal sample that fits no subspace has k + 1 independent ones, or at most "
            "k and a zero that is a combination of them with nonzero coefficients",
        ),
        Fact(
            "hollow_star_number",
            "1",
            when="Eq(q, 2) & Eq(n, 1) & Eq(k, 1)",
            source="only the label 0 at the point 0 fits no subspace",
        ),
        Fact(
            "teaching_dim",
            "(q**n - 1)/(q - 1)",
            when="k >= 1",
            source="{0} needs a zero on each line; a subspace of dimension j needs no more: j ones "
            "and, if j < k, a zero in each subspace right above it",
        ),
        Fact("teaching_dim", "0", when="Eq(k, 0)", source="there is only one concept"),
        Fact(
            "recursive_teaching_dim",
            "k",
            source="teach larger subspaces first, by a basis; the k-dimensional subspaces of a "
            "(k+1)-dimensional one (if k = n: the hyperplanes and the space) need k examples each",
        ),
    )

    def _concept_class(self, *, q: int, n: int, k: int) -> Flats:
        return Flats(q, n, k, linear=True)

    def _table(self, *, q: int, n: int, k: int) -> Table:
        return linear_subspaces(q, n, k)

    def instances(self) -> Iterator[dict[str, int]]:
        for q, n in ((2, 1), (2, 2), (2, 3), (2, 4), (3, 1), (3, 2), (3, 3), (5, 1), (5, 2)):
            for k in range(n + 1):
                yield {"q": q, "n": n, "k": k}
