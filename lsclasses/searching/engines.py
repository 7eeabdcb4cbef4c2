"""The choice between the engines of the search, the compiled kernel and NumPy.

Both engines give the same answers. The environment variable ``LSCLASSES_ENGINE`` selects ``native``
or ``numpy``. By default, the kernel is used if it was built. A kernel with another interface than
this package calls, for example in an updated checkout, counts as not built.
"""

from __future__ import annotations

import os
from functools import cache
from typing import Literal

from lsclasses.errors import InvalidInput

VARIABLE = "LSCLASSES_ENGINE"
"""Name of the environment variable that chooses the engine."""
KERNEL_INTERFACE = 6
"""The number of the interface of the kernel's functions. It increases with every change.

`setup.py` reads the number from this file and compiles it into the kernel."""


@cache
def kernel_state() -> Literal["built", "missing", "outdated"]:
    """Return whether the compiled kernel is built, missing (or broken), or outdated."""
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
        If ``LSCLASSES_ENGINE`` names an unknown engine, or an engine that is not installed.
    """
    wanted = os.environ.get(VARIABLE, "")
    if wanted not in ("", "native", "numpy"):
        raise InvalidInput(f"{VARIABLE} must be native or numpy, or not be set. Got {wanted!r}.")
    if wanted == "native" and kernel_state() == "missing":
        raise InvalidInput(
            f"{VARIABLE} is native, but the kernel was not built when lsclasses was installed. "
            "Install lsclasses again with a C compiler, or unset the variable."
        )
    if wanted == "native" and kernel_state() == "outdated":
        raise InvalidInput(
            f"{VARIABLE} is native, but the compiled kernel has another version than lsclasses. "
            "Rebuild it ('pip install -e .' in a checkout), or unset the variable."
        )
    return wanted or ("native" if kernel_state() == "built" else "numpy")


def engine_text() -> str:
    """Return a description of the engine in use.

    It contains the processor instructions of the compiled kernel, or the reason why NumPy is used.
    """
    name = engine_name()
    if name == "numpy" and not os.environ.get(VARIABLE) and kernel_state() == "outdated":
        return (
            "numpy, because the compiled kernel has another version. 'pip install -e .' in a "
            "checkout rebuilds it"
        )
    if name == "numpy":
        return name
    from lsclasses.searching._kernel import LEVELS

    return f"{name}, {LEVELS[0]}"
