"""The points of the Boolean cube and the literals on it, which many families share."""

from __future__ import annotations

import itertools

import numpy as np

from lsclasses.errors import TooLarge
from lsclasses.points import Point

MAX_VARIABLES = 28
"""With more variables, the points of the cube alone exceed what a table may hold."""


def require_cube(n: int, what: str) -> None:
    """Raise `TooLarge` if the points of {0,1}^n alone are too many for a table."""
    if n > MAX_VARIABLES:
        raise TooLarge(
            f"{what} on {n} variables would be a table with 2^{n} points; tables go up to "
            f"{MAX_VARIABLES} variables.",
            estimate=n,
            limit=MAX_VARIABLES,
        )


def cube_points(n: int, *, signed: bool = False) -> list[Point]:
    """The points of {0,1}^n, or of {-1,1}^n, as tuples in lexicographic order.

    Examples
    --------
    >>> cube_points(2)
    [(0, 0), (0, 1), (1, 0), (1, 1)]
    >>> cube_points(1, signed=True)
    [(-1,), (1,)]
    """
    return list(itertools.product((-1, 1) if signed else (0, 1), repeat=n))


def cube_vectors(n: int) -> np.ndarray:
    """The points of {0,1}^n as the rows of an array, in lexicographic order.

    Returns
    -------
    ndarray of uint8, shape (2**n, n)

    Examples
    --------
    >>> cube_vectors(2).tolist()
    [[0, 0], [0, 1], [1, 0], [1, 1]]
    """
    numbers = np.arange(1 << n, dtype=np.uint32)[:, None]
    places = np.arange(n - 1, -1, -1, dtype=np.uint32)[None, :]
    return (numbers >> places & 1).astype(np.uint8)
