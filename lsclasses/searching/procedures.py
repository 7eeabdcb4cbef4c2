"""The decision procedures of the engine that is chosen (`lsclasses.searching.engines`)."""

from __future__ import annotations

from fractions import Fraction
from typing import Protocol

from lsclasses.limits import Meter
from lsclasses.searching.engines import engine_name
from lsclasses.searching.version_space import VersionSpace


class Engine(Protocol):
    """A decision procedure with its memory."""

    uses_blas: bool
    """Whether it multiplies matrices, so that telling BLAS to use one thread pays."""

    def at_least(self, space: VersionSpace, k: int, meter: Meter) -> bool:
        """Whether a complete tree of depth k is shattered.

        Raises
        ------
        TooLarge
            When the meter's limit is reached; what was found out by then is remembered.
        """


class DepthEngine(Protocol):
    """A search for expected depths, with its memory."""

    def expected_depth(self, space: VersionSpace, meter: Meter) -> Fraction:
        """The largest expected depth of a shattered tree.

        Raises
        ------
        TooLarge
            When the meter's limit is reached; what was found out by then is remembered.
        OverflowError
            When the engine cannot count as finely as this version space needs.
        """


def new_engine() -> Engine:
    """An engine that remembers nothing yet."""
    if engine_name() == "native":
        # The import fails if the kernel was not built, so only this branch contains it.
        from lsclasses.searching.native_engine import NativeEngine

        return NativeEngine()
    from lsclasses.searching.numpy_engine import NumpyEngine

    return NumpyEngine()


def new_depth_engine(points: int) -> DepthEngine:
    """An engine for expected depths over a domain of `points` points that remembers nothing yet."""
    if engine_name() == "native":
        from lsclasses.searching.keys import NORMAL_FORM_FROM_CONCEPTS
        from lsclasses.searching.native_engine import NativeEngine

        return NativeEngine(normal_from_concepts=NORMAL_FORM_FROM_CONCEPTS)
    from lsclasses.searching.numpy_depths import NumpyDepths

    return NumpyDepths(points)
