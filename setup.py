"""The compiled module. Where it cannot be built, NumPy answers; `lsclasses --version` tells."""

import re
from pathlib import Path

from setuptools import Extension, setup

ENGINES = "lsclasses/searching/engines.py"
INTERFACE = re.search(r"^KERNEL_INTERFACE = (\d+)$", Path(ENGINES).read_text("utf-8"), re.MULTILINE)

setup(
    ext_modules=[
        Extension(
            "lsclasses.searching._kernel",
            ["lsclasses/searching/_kernel.c"],
            depends=[ENGINES],
            define_macros=[("KERNEL_INTERFACE", INTERFACE[1])],
            extra_compile_args=["-O3", "-std=c11", "-pthread"],
            extra_link_args=["-pthread"],
            py_limited_api=True,
            optional=True,
        )
    ],
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
)
