"""Which engine decides whether a version space shatters a tree: the compiled kernel, or NumPy.

Both give the same answers. The environment variable ``LSCLASSES_ENGINE`` chooses, ``native`` or
``numpy``; without it the kernel is used wherever it was built.
"""

from __future__ import annotations

import os
from functools import cache
from typing import Protocol

from lsclasses.errors import InvalidInput
from lsclasses.limits import Meter
from lsclasses.searching.version_space import VersionSpace

__all__ = ["VARIABLE", "Engine", "engine_name", "engine_text", "new_engine"]

VARIABLE = "LSCLASSES_ENGINE"
"""The environment variable that chooses the engine."""


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


@cache
def _built() -> bool:
    """Whether the kernel was built for this interpreter; a broken one counts as none."""
    try:
        from lsclasses.searching import _kernel  # noqa: F401
    except ImportError:
        return False
    return True


def engine_name() -> str:
    """The engine in use, ``"native"`` or ``"numpy"``.

    Raises
    ------
    InvalidInput
        If ``LSCLASSES_ENGINE`` names no engine, or one that is not there.
    """
    wanted = os.environ.get(VARIABLE, "")
    if wanted not in ("", "native", "numpy"):
        raise InvalidInput(f"{VARIABLE} must be native or numpy, or not be set. Got {wanted!r}.")
    if wanted == "native" and not _built():
        raise InvalidInput(
            f"{VARIABLE} is native, but the kernel was not built when lsclasses was installed; "
            "install it again where a C compiler is found, or unset the variable."
        )
    return wanted or ("native" if _built() else "numpy")


def engine_text() -> str:
    """The engine in use, and the instructions of the processor that it uses."""
    name = engine_name()
    if name == "numpy":
        return name
    from lsclasses.searching._kernel import LEVELS

    return f"{name}, {LEVELS[0]}"


def new_engine() -> Engine:
    """An engine that remembers nothing yet."""
    if engine_name() == "native":
        from lsclasses.searching.native_engine import NativeEngine

        return NativeEngine()
    from lsclasses.searching.numpy_engine import NumpyEngine

    return NumpyEngine()
