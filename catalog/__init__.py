"""Named families of concept classes, and the one registry that lists them.

``catalog.build("thresholds:n=16")`` gives a class; ``catalog.families()`` lists what there is. A
package adds families of its own through the entry point group ``lsclasses.families``; each entry
point has the family's name and names a subclass of `Family`.
"""

from catalog.checks import check_family
from catalog.family import Fact, Family
from catalog.registry import FAMILIES, build, families, family, parse
from lsclasses.specifications import Parameter

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
