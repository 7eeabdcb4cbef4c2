"""Lines of projective planes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from catalog.family import Fact, Family
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
        "Points are the lines through 0 of GF(q)^3, q prime, named by the vector on them whose "
        "first nonzero entry is 1; the concept of such a vector a is the line of all x with "
        "a_1 x_1 + a_2 x_2 + a_3 x_3 = 0."
    )
    reference = "Alon, Haussler and Welzl 1987"
    parameters = (FIELD,)
    facts = (
        Fact("size", "q**2 + q + 1", source="(q^3 - 1)/(q - 1) vectors"),
        Fact("points", "q**2 + q + 1", source="(q^3 - 1)/(q - 1) vectors"),
        Fact("ldim", "2", source="two points of a line determine it; any two points are shattered"),
        Fact("vcdim", "2", source="any two points are shattered; three ones must be collinear"),
        Fact("dual_ldim", "2", source="the dual of the plane is the plane"),
        Fact("dual_vcdim", "2", source="the dual of the plane is the plane"),
        Fact("threshold_dim", "2", source="two lines share only one point"),
        Fact(
            "star_number",
            "q + 1",
            relation=">=",
            searched="q < 5",
            source="around a line: one of its points p, and a point on each other line through p",
        ),
        Fact(
            "star_number",
            "2*q - 2",
            relation=">=",
            searched="q < 5",
            source="around the line at infinity: two affine lines without their common point, each "
            "point with its parallel to the other line",
        ),
        Fact(
            "star_number",
            "floor(q*sqrt(q)) + 1",
            relation="<=",
            searched="q < 5",
            source="Illes, Szonyi and Wettl 1991 (strong representative systems) for stars off "
            "the centre; a star with one point on the centre has at most q + 1 points, with two 2",
        ),
        Fact(
            "hollow_star_number",
            "Max(q + 2, floor(q*sqrt(q)) + 1)",
            relation="<=",
            source="Bruen and Thas 1977: a minimal set that meets all lines has at most "
            "q sqrt(q) + 1 points; a minimal sample with a 1 at p has at most q + 1 zeros, one on "
            "each line through p",
        ),
        Fact(
            "hollow_star_number",
            "q + 2",
            relation=">=",
            source="a 1 at p and a 0 on each line through p, not all zeros on one line",
        ),
        Fact(
            "hollow_star_number",
            "3*(q + 1)/2",
            when="q > 2",
            relation=">=",
            source="the projective triangle, a minimal set that meets all lines (Hirschfeld 1998)",
        ),
        Fact("teaching_dim", "2", source="two points of the line, and no less"),
        Fact("recursive_teaching_dim", "2", source="every line is as hard to teach as any"),
    )

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
