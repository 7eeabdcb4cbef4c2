"""Affine and linear subspaces of a vector space over a prime field."""

from __future__ import annotations

from collections.abc import Iterator

from catalog.closed_forms.flats import Flats
from catalog.facts import known
from catalog.family import ClosedForm
from catalog.vector_spaces import DIMENSION, FIELD, flats, linear_subspaces, require_prime
from lsclasses.errors import InvalidInput
from lsclasses.specifications import Parameter
from lsclasses.table import Table

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
        "Points are the vectors of GF(q)^n, q prime. The concepts are the affine subspaces (flats) "
        "of GF(q)^n of dimension 0, ..., k, where 0 <= k <= n. The name of a flat contains its "
        "least vector and a basis of its directions in reduced echelon form. With empty=1, the "
        "empty set is a concept as well."
    )
    reference = "[BLM20, section 1]; Helmbold, Sloan and Warmuth 1990 (closure algorithm)"
    parameters = (
        FIELD,
        DIMENSION,
        _DEGREE,
        Parameter.flag("empty", "include the empty set", default=0),
    )
    facts = known(__file__, "affine")

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
        "Points are the vectors of GF(q)^n, q prime. The concepts are the linear subspaces of "
        "GF(q)^n of dimension 0, ..., k, where 0 <= k <= n. The name of a subspace is its basis in "
        "reduced echelon form."
    )
    reference = "[BLM20, section 1]; Helmbold, Sloan and Warmuth 1990 (closure algorithm)"
    parameters = (FIELD, DIMENSION, _DEGREE)
    facts = known(__file__, "linear")

    def _concept_class(self, *, q: int, n: int, k: int) -> Flats:
        return Flats(q, n, k, linear=True)

    def _table(self, *, q: int, n: int, k: int) -> Table:
        return linear_subspaces(q, n, k)

    def instances(self) -> Iterator[dict[str, int]]:
        for q, n in ((2, 1), (2, 2), (2, 3), (2, 4), (3, 1), (3, 2), (3, 3), (5, 1), (5, 2)):
            for k in range(n + 1):
                yield {"q": q, "n": n, "k": k}
