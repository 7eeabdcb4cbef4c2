"""Affine and linear functionals over GF(2), in closed form: solving linear equations."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from catalog.closed_forms.by_formula import ByFormula, grow_tree, stated_value
from catalog.closed_forms.flat_indicators import FlatIndicator
from catalog.closed_forms.functional_errors import FunctionalErrors, require_small_rank
from catalog.closed_forms.linear_algebra import Subspace, zero_subspace
from catalog.vector_spaces import functionals
from lsclasses.domain import OnDomain, Vectors
from lsclasses.error_histograms import ErrorHistogram, Weights, label_weights
from lsclasses.packing import require_memory
from lsclasses.point_names import Label, Point

if TYPE_CHECKING:
    from lsclasses.table import Table


class Functionals(OnDomain[Vectors], ByFormula):
    """The affine functionals ``b + <a, x>`` of GF(2)^n that are consistent with given examples.

    Parameters
    ----------
    n : int
        Number of variables.
    linear : bool
        Whether b = 0.

    Notes
    -----
    An example is a linear equation in (b, a). The version space consists of the solutions of a
    system of such equations, which is kept in reduced row echelon form. The linear functionals have
    the label 0 at 0. If the solutions have d degrees of freedom, a point either has the same label
    in all solutions or halves them. So the Littlestone dimension is d. A shattered tree cannot be
    deeper, and d points whose equations are independent of each other and the system are shattered.
    Up to complements, the points that split the solutions are the nonzero vectors of the space of
    equations modulo the system, which has dimension d. Hence all other dimensions are the
    dimensions of the parities of d variables.

    The SOA predicts the label that all solutions have, or 0 on a tie. The points where it predicts
    1 are the x for which the system implies the equation (1, x) -> 1. They form a flat.

    References
    ----------
    Fischer and Simon 1992; Helmbold, Sloan and Warmuth 1990

    Examples
    --------
    >>> C = Functionals(2)
    >>> C.size, C.ldim(), C.restrict((0, 0), 1).restrict((1, 0), 0).soa()((1, 0))
    (8, 3, 0)
    >>> Functionals(256, linear=True).ldim()
    256
    """

    def __init__(self, n: int, *, linear: bool = False) -> None:
        # Rows (1, x, y) contain the coefficients of b, a_1, ..., a_n, then the right side.
        zero = zero_subspace(2, n + 2)
        self._linear = linear
        self._assign(Vectors(2, n), zero.spanned([(1, *([0] * (n + 1)))]) if linear else zero)

    def _assign(self, domain: Vectors, system: Subspace) -> None:
        self._domain = domain
        self._system = system
        # The equation 0 = 1 would be the last row. Then there is no solution.
        self._void = bool(system.rows) and system.rows[-1] == 1

    def _left(self, system: Subspace) -> Functionals:
        left: Functionals = Functionals.__new__(Functionals)
        left._linear = self._linear
        left._assign(self._domain, system)
        return left

    @property
    def _family(self) -> str:
        return "parities" if self._linear else "affine-functionals"

    @property
    def _freedom(self) -> int:
        """Number of degrees of freedom of the solutions."""
        return self._domain.n + 1 - self._system.dimension

    # ---- hooks

    def _is_empty(self) -> bool:
        return self._void

    def _restrict(self, x: Point, y: Label) -> Functionals:
        if self._void:
            return self
        remainder = self._system.remainder(self._system.vector((1, *x, y)))  # type: ignore[misc]
        if remainder is None:
            return self
        if remainder == 1:
            contradiction = zero_subspace(2, self._domain.n + 2).extended(1)
            return self._left(contradiction)
        return self._left(self._system.extended(remainder))

    @property
    def _state(self) -> Hashable:
        return self._system, self._linear

    def __repr__(self) -> str:
        text = f"<{self._family}:n={self._domain.n}"
        if self._void:
            return text + ": nothing left>"
        rows = [self._system.entries(row) for row in self._system.rows]
        return text + (f" solving {rows}>" if len(rows) > self._linear else ">")

    def _size(self) -> int:
        return 0 if self._void else int(2**self._freedom)

    def _formula(self, dimension: str) -> int | Fraction | None:
        d = self._freedom
        if dimension in ("ldim", "vcdim", "star_number", "teaching_dim", "recursive_teaching_dim"):
            return d
        if dimension == "randomized_ldim":
            return Fraction(d, 2)
        if self._system.dimension == self._linear:
            return stated_value(self._family, dimension, n=self._domain.n)
        return None

    def _ldim_after_one(self) -> int:
        if self._void:
            return -1
        # A point with label 1 in all solutions keeps all of them. Otherwise a point splits them.
        return self._freedom if self._soa().span.rows else self._freedom - 1

    def _soa_label(self, x: Point) -> Label:
        equation = self._system.vector((1, *x, 0))  # type: ignore[misc]
        return int(self._system.remainder(equation) == 1)

    def _soa(self) -> FlatIndicator:
        n = self._domain.n
        none = zero_subspace(2, n + 1)
        # The vectors (1, x) with label 1 span the flat. Among the implied equations (c, x, y),
        # they are the equations with c = y = 1. Their span consists of some equations with c = y.
        # Adding one row with c != y, the last, to the other such rows makes them equal. Then this
        # row is left out. No other row has a 1 at its pivot, so echelon form is preserved.
        unequal = [row for row in self._system.rows if (row >> n + 1 ^ row) & 1]
        last = unequal.pop() if unequal else 0
        rows = [
            (row ^ last if row in unequal else row) >> 1 for row in self._system.rows if row != last
        ]
        exists = rows and rows[0] >> n & 1
        return FlatIndicator(self._domain, none.with_rows(rows) if exists else none)

    # ---- errors on a sample

    def _error_histogram(self, weights: Weights, rows: int) -> ErrorHistogram:
        require_small_rank(min(rows, self._domain.size), self._freedom, repr(self))

        def equations() -> Iterator[tuple[Point, int, int, int, int]]:
            for x, (zeros, ones) in label_weights(weights).items():
                vector = self._system.vector((1, *x, 0))  # type: ignore[misc]
                remainder = self._system.remainder(vector) or 0
                yield x, remainder >> 1, remainder & 1, zeros, ones

        def member(
            examples: Sequence[tuple[Point, Label]], rng: np.random.Generator
        ) -> FlatIndicator:
            left = self
            for x, y in examples:
                left = left._restrict(x, y)
            return left._sample(rng)

        return FunctionalErrors(equations(), self._freedom, member)

    # ---- enumeration and sampling

    def _to_table(self) -> Table:
        n = self._domain.n
        require_memory(2 ** (n + 1), 2**n, repr(self))
        table = functionals(n, linear=self._linear)
        if self._void:
            return table.restrict(table.points[0], 0).restrict(table.points[0], 1)
        # The system comes from examples, so some row has the form (1, x, y) of an example. Adding
        # this row to the other rows (0, x', y') also makes them examples.
        rows = [self._system.entries(row) for row in self._system.rows]
        pivot = rows[:1]
        sums = (tuple(a ^ b for a, b in zip(row, pivot[0], strict=True)) for row in rows[1:])
        return table.given((row[1:-1], row[-1]) for row in [*pivot, *sums]).to_table()

    def _shattered_tree(self) -> tuple[Point, ...]:
        asked, depth = list(self._independent_points()), self._freedom
        return grow_tree(self, lambda _, d: asked[depth - d])

    def _splitting_point(self) -> Point:
        return next(self._independent_points())

    def _independent_points(self) -> Iterator[Point]:
        """Yield points whose labels neither the examples nor each other's labels determine."""
        n = self._domain.n
        span = zero_subspace(2, n + 1).spanned(
            self._system.entries(row)[:-1] for row in self._system.rows
        )
        for x in ((0,) * n, *(tuple(int(i == j) for i in range(n)) for j in range(n))):
            remainder = span.remainder(span.vector((1, *x)))
            if remainder is not None:
                span = span.extended(remainder)
                yield x

    def _sample(self, rng: np.random.Generator) -> FlatIndicator:
        """Return a uniformly random functional of the class."""
        solution = self
        while solution._freedom:
            x = self._domain._sample(rng)
            if solution._system.remainder(solution._system.vector((1, *x, 0))) not in (None, 1):
                solution = solution._restrict(x, int(rng.integers(2)))
        return solution._soa()
