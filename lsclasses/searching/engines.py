"""Which engine searches for the shattered trees of a version space: the compiled kernel, or NumPy.

Both give the same answers. The environment variable ``LSCLASSES_ENGINE`` chooses, ``native`` or
``numpy``; without it the kernel is used wherever it was built. A kernel that was compiled for
another interface than this package calls, as in a checkout that has moved on, counts as not built.
"""

from __future__ import annotations

import os
from functools import cache
from typing import Literal

from lsclasses.errors import InvalidInput

VARIABLE = "LSCLASSES_ENGINE"
"""The environment variable that chooses the engine."""
KERNEL_INTERFACE = 6
"""Of the functions of the kernel: one more whenever what they take, give or mean changes.
`setup.py` reads it here and compiles it into the kernel."""


@cache
def kernel_state() -> Literal["built", "missing", "outdated"]:
    """Whether the kernel was built for this interpreter and package; a broken one is missing."""
    try:
        from lsclasses.searching import _kernel
    except ImportError:
        return "missing"
    # The first kernels had no interface number. They count as outdated.
    same = getattr(_kernel, "INTERFACE", None) == KERNEL_INTERFACE
    return "built" if same else "outdated"


def engine_name() -> str:
    """Return the engine in use, ``"native"`` or ``"numpy"``.

    Raises
    ------
    InvalidInput
        If ``LSCLASSES_ENGINE`` names no engine, or one that is not there.
    """
    wanted = os.environ.get(VARIABLE, "")
    if wanted not in ("", "native", "numpy"):
        raise InvalidInput(f"{VARIABLE} must be native or numpy, or not be set. Got {wanted!r}.")
    if wanted == "native" and kernel_state() == "missing":
        raise InvalidInput(
            f"{VARIABLE} is native, but the kernel was not built when lsclasses was installed; "
            "install it again where a C compiler is found, or unset the variable."
        )
    if wanted == "native" and kernel_state() == "outdated":
        raise InvalidInput(
            f"{VARIABLE} is native, but the compiled kernel is of another version than lsclasses; "
            "build it anew ('pip install -e .' in a checkout), or unset the variable."
        )
    return wanted or ("native" if kernel_state() == "built" else "numpy")


def engine_text() -> str:
    """The engine in use, and the instructions of the processor that it uses, or why it is NumPy."""
    name = engine_name()
    if name == "numpy" and not os.environ.get(VARIABLE) and kernel_state() == "outdated":
        return (
            "numpy, since the compiled kernel is of another version; "
            "'pip install -e .' in a checkout builds it anew"
        )
    if name == "numpy":
        return name
    from lsclasses.searching._kernel import LEVELS

    return f"{name}, {LEVELS[0]}"
