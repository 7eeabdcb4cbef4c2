"""Lines of projective planes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from catalog.facts import known
from catalog.family import Family
from catalog.vector_spaces import FIELD, require_prime, vectors
from lsclasses.table import Table


class ProjectiveLines(Family):
    """The lines of the projective plane over GF(q).

    Examples
    --------
    >>> C = ProjectiveLines().table(q=2)
    >>> C, C.ldim()
    (<Table: 7 concepts on 7 points>, 2)
    >>> C[0].name, C[0].support
    ((0, 0, 1), ((0, 1, 0), (1, 0, 0), (1, 1, 0)))
    """

    name = "projective-lines"
    title = "Lines of the projective plane PG(2, q)"
    definition = (
        "Points are the lines through 0 of GF(q)^3, q prime. The name of a point is the vector on "
        "its line whose first nonzero entry is 1. Each such vector a also names a concept, which "
        "is 1 at the points x with a_1 x_1 + a_2 x_2 + a_3 x_3 = 0."
    )
    reference = "Alon, Haussler and Welzl 1987"
    parameters = (FIELD,)
    facts = known(__file__, "projective-lines")

    def _check(self, *, q: int) -> None:
        require_prime(self.name, q)

    def _shape(self, *, q: int) -> tuple[int, int]:
        return q**2 + q + 1, q**2 + q + 1

    def _table(self, *, q: int) -> Table:
        X = vectors(q, 3)
        X = X[X[np.arange(len(X)), (X != 0).argmax(axis=1)] == 1]
        labels = np.array([X @ a % q == 0 for a in X])
        return Table(labels, domain=X.tolist(), concepts=X.tolist())

    def instances(self) -> Iterator[dict[str, int]]:
        for q in (2, 3, 5):
            yield {"q": q}
