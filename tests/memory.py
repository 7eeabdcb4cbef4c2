"""How much memory something takes, for tests of what is done a part at a time."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable


def most_memory(run: Callable[[], object]) -> int:
    """The most bytes that are allocated at a time while it runs, beside those before."""
    tracemalloc.start()
    try:
        run()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
