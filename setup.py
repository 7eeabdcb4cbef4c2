"""The compiled module. Where it cannot be built, NumPy answers; `lsclasses --version` tells."""

from setuptools import Extension, setup

setup(
    ext_modules=[
        Extension(
            "lsclasses.searching._kernel",
            ["lsclasses/searching/_kernel.c"],
            extra_compile_args=["-O3", "-std=c11"],
            py_limited_api=True,
            optional=True,
        )
    ],
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
)
