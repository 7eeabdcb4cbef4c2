"""Vectors and subspaces over prime fields, which several families enumerate."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

from lsclasses.errors import InvalidInput
from lsclasses.point_names import Point
from lsclasses.specifications import Parameter
from lsclasses.table import Table

Vector = tuple[int, ...]

FIELD = Parameter("q", "order of the field, a prime", minimum=2, maximum=2**31 - 1)
DIMENSION = Parameter("n", "dimension of the space", minimum=1, maximum=256)


def require_prime(family: str, q: int, name: str = "q") -> None:
    """Raise `InvalidInput` unless the value q of a family's parameter is prime."""
    divisor = next((p for p in range(2, int(q**0.5) + 1) if q % p == 0), None)
    if divisor is not None:
        raise InvalidInput(
            f"The parameter {name!r} of {family!r} must be a prime, since the field is the "
            f"integers modulo {name}. Got {name}={q} = {divisor} * {q // divisor}."
        )


def vectors(q: int, n: int) -> np.ndarray:
    """Return an array whose rows are the vectors of GF(q)^n in lexicographic order.

    Examples
    --------
    >>> vectors(2, 2).tolist()
    [[0, 0], [0, 1], [1, 0], [1, 1]]
    """
    return np.indices((q,) * n).reshape(n, -1).T


def subspace_counts(q: int, n: int, k: int) -> list[int]:
    """Return the numbers of j-dimensional subspaces of GF(q)^n for j = 0, ..., k.

    These numbers are Gaussian binomials.

    Examples
    --------
    >>> subspace_counts(2, 4, 4)
    [1, 15, 35, 15, 1]
    """
    counts = [1]
    for j in range(k):
        counts.append(counts[-1] * (q ** (n - j) - 1) // (q ** (j + 1) - 1))
    return counts


def subspaces(q: int, n: int, j: int) -> Iterator[tuple[tuple[Vector, ...], np.ndarray]]:
    """Yield every j-dimensional subspace of GF(q)^n with the syndromes of its cosets.

    Each subspace is given by its basis in reduced row echelon form and the syndromes of all
    vectors in the order of `vectors`. The syndromes have the shape (q**n, n - j). Two vectors have
    equal syndromes iff they lie in one coset. To compute the syndrome of x, use the basis to clear
    the pivots of x. The entries of the result at the n - j columns without pivot are the syndrome.
    So the syndrome is 0 on the subspace itself.

    Examples
    --------
    >>> for basis, syndromes in subspaces(2, 2, 1):
    ...     print(basis, syndromes[:, 0].tolist())
    ((1, 0),) [0, 1, 0, 1]
    ((1, 1),) [0, 1, 1, 0]
    ((0, 1),) [0, 0, 1, 1]
    """
    X = vectors(q, n)
    for pivots in itertools.combinations(range(n), j):
        others = [c for c in range(n) if c not in pivots]
        # Except for its pivot 1, a basis row is free exactly at later columns without pivot.
        free = [(i, c) for i, pivot in enumerate(pivots) for c in others if c > pivot]
        basis = np.zeros((j, n), dtype=np.int64)
        basis[range(j), pivots] = 1
        for entries in itertools.product(range(q), repeat=len(free)):
            for (i, c), entry in zip(free, entries, strict=True):
                basis[i, c] = entry
            syndromes = (X[:, others] - X[:, pivots] @ basis[:, others]) % q
            yield tuple(tuple(row) for row in basis.tolist()), syndromes


def flat_counts(q: int, n: int, k: int) -> int:
    """Return the number of affine subspaces of GF(q)^n of dimension at most k.

    Examples
    --------
    >>> flat_counts(2, 3, 1)
    36
    """
    return sum(q ** (n - j) * count for j, count in enumerate(subspace_counts(q, n, k)))


def flats(q: int, n: int, k: int, *, empty: bool) -> Table:
    """Return the affine subspaces of GF(q)^n of dimension at most k, optionally with the empty set.

    A flat is named by its least vector and a basis of its directions in reduced echelon form.

    Examples
    --------
    >>> [c.name for c in flats(2, 1, 1, empty=True)]
    [(), ((0,),), ((1,),), ((0,), (1,))]
    """
    X = vectors(q, n)
    points = [tuple(x) for x in X.tolist()]
    labels = np.zeros((flat_counts(q, n, k) + empty, q**n), dtype=bool)
    names: list[Point] = [()] * empty
    for j in range(k + 1):
        # In the order of `vectors`, the first point with a syndrome is the least of its coset.
        weights = q ** np.arange(n - j - 1, -1, -1)
        for basis, syndromes in subspaces(q, n, j):
            codes = syndromes @ weights
            cosets, least = np.unique(codes, return_index=True)
            labels[len(names) : len(names) + len(cosets)] = codes == cosets[:, None]
            names.extend((points[i], *basis) for i in least)
    return Table(labels, domain=points, concepts=names)


def linear_subspaces(q: int, n: int, k: int) -> Table:
    """Return the class of the linear subspaces of GF(q)^n of dimension at most k.

    Reduced bases are the names of the subspaces.
    """
    labels = np.zeros((sum(subspace_counts(q, n, k)), q**n), dtype=bool)
    names: list[Point] = []
    for j in range(k + 1):
        for basis, syndromes in subspaces(q, n, j):
            labels[len(names)] = ~syndromes.any(axis=1)
            names.append(basis)
    return Table(labels, domain=vectors(q, n).tolist(), concepts=names)


def functionals(n: int, *, linear: bool) -> Table:
    """Return the class of the linear or affine functionals on GF(2)^n.

    The name of a functional consists of its coefficients. For affine functionals, it also contains
    the constant.

    Parameters
    ----------
    n : int
    linear : bool
        Whether only linear functionals (with constant 0) are concepts. If not, all affine
        functionals are concepts.
    """
    X = vectors(2, n).astype(np.uint8)
    sums = X @ X.T % 2
    if linear:
        return Table(sums, domain=X.tolist(), concepts=X.tolist())
    labels = np.stack([sums, 1 - sums], axis=1).reshape(-1, len(X))
    names = [(a, b) for a in X.tolist() for b in (0, 1)]
    return Table(labels, domain=X.tolist(), concepts=names)
