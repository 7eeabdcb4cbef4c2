"""Named families of concept classes, and the one registry that lists them.

``catalog.build("thresholds:n=16")`` returns a class, and ``catalog.families()`` returns every
family. ``catalog/names.toml`` lists the families of this package. A plug-in lists its families as
entry points of the group ``lsclasses.families``. Each entry point names a subclass of `Family`.

A package of the distribution lsclasses.
"""

from typing import TYPE_CHECKING

from catalog.family import Fact, Family
from catalog.family_registry import FAMILIES, build, families, family, parse
from lsclasses.specifications import Parameter

if TYPE_CHECKING:
    from catalog.family_checks import check_family

__all__ = [
    "FAMILIES",
    "Fact",
    "Family",
    "Parameter",
    "build",
    "check_family",
    "families",
    "family",
    "parse",
]


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> object:
    # A program that builds classes does not load the checks of families, which verify by search.
    if name == "check_family":
        from catalog.family_checks import check_family

        return check_family
    raise AttributeError(f"module 'catalog' has no attribute {name!r}")
