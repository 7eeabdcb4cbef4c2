"""The largest expected depth of a shattered tree, when branches turn with probability 1/2.

Trees need not be complete. The depth is twice the randomized Littlestone dimension. An engine finds
it (`lsclasses.searching.engines`); the kernel counts in units of 2^-118, and where that is not fine
enough NumPy's engine, which counts in integers of any size, takes over.
"""

from __future__ import annotations

from fractions import Fraction

from lsclasses.limits import Limit, Meter
from lsclasses.searching.numpy_depths import NumpyDepths
from lsclasses.searching.procedures import DepthEngine, new_depth_engine
from lsclasses.searching.version_space import VersionSpace


class ExpectedDepthSearch:
    """An engine with its memory, shared by a table and all its restrictions.

    Parameters
    ----------
    points : int
        The number of points of the domain.
    """

    def __init__(self, points: int) -> None:
        self._points = points
        self._engine: DepthEngine | None = None
        self._used = 0

    def depth(self, space: VersionSpace, limit: Limit | None = None) -> Fraction:
        """The expected depth of a version space that is not empty.

        Raises
        ------
        TooLarge
            When the limit is reached; what was found out by then is remembered.
        """
        if self._engine is None:
            self._engine = new_depth_engine(self._points)
        meter = Meter(limit, self._used)
        try:
            return self._engine.expected_depth(space, meter)
        except OverflowError:
            # The kernel's memory is freed together with the kernel's engine, so the meter restarts
            # at 0.
            self._engine = NumpyDepths(self._points)
            meter.used = 0
            return self._engine.expected_depth(space, meter)
        finally:
            self._used = meter.used
