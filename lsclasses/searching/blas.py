"""Matrix products of NumPy on one thread.

Threads of BLAS wait for each other by spinning. For small products that takes several times the
processor time of the work itself.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import cache
from typing import Any


@cache
def _libraries() -> Any:
    """The libraries that are loaded; to look for them takes longer than a small product."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def one_blas_thread() -> AbstractContextManager[Any]:
    """While it is entered, BLAS computes on one thread."""
    limiter: AbstractContextManager[Any] = _libraries().limit(limits=1, user_api="blas")
    return limiter
