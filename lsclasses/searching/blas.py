"""Matrix products of NumPy on one thread, and of exact integers.

Threads of BLAS wait for each other by spinning. For small products, spinning needs several times
the processor time of the work itself.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import cache
from typing import Any

import numpy as np


@cache
def _libraries() -> Any:
    """Return the loaded libraries. Finding them takes longer than a small product."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def one_blas_thread() -> AbstractContextManager[Any]:
    """Return a context manager in which BLAS computes on one thread."""
    limiter: AbstractContextManager[Any] = _libraries().limit(limits=1, user_api="blas")
    return limiter


def exact_product(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Return the matrix product of small integers that a floating-point type represents exactly.

    A kernel of BLAS can set floating-point flags of unused lanes of a vector register. NumPy would
    then warn of an invalid value in a product that has none, so the flags are ignored.

    Parameters
    ----------
    left, right : numpy.ndarray
        Arrays of a floating-point type with integer entries. All sums must be exact in this type.

    Examples
    --------
    >>> exact_product(np.array([[1.0, 2.0]]), np.array([3.0, 4.0]))
    array([11.])
    """
    with np.errstate(all="ignore"):
        product: np.ndarray = left @ right
    return product
