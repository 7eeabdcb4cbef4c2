"""The dimensions of a concept class, one file for each topic, and the registry that lists them.

``DIMENSIONS`` is the single list: the command line, the documentation, the atlas and the
verification of the catalog read it. A new dimension is a `Dimension` beside its search, in a module
that is listed here in ``TOPICS``.
"""

from __future__ import annotations

from types import ModuleType
from typing import TYPE_CHECKING

from lsclasses.dimensions import (
    antipodal,
    centred_stars,
    dual,
    eluder,
    extended_teaching,
    growth,
    hollow_star,
    littlestone,
    no_clash,
    one_inclusion,
    orders,
    queries,
    randomized,
    star,
    teaching,
    threshold,
    vc,
)
from lsclasses.dimensions.base import Answer, Dimension, Value
from lsclasses.errors import InvalidInput
from lsclasses.points import nearest

if TYPE_CHECKING:
    from lsclasses.dimensions.witness import Witness as Witness

__all__ = ["DIMENSIONS", "TOPICS", "Answer", "Dimension", "Value", "dimension"]

TOPICS: tuple[ModuleType, ...] = (
    littlestone,
    vc,
    dual,
    threshold,
    randomized,
    star,
    hollow_star,
    teaching,
    growth,
    queries,
    orders,
    one_inclusion,
    eluder,
    antipodal,
    centred_stars,
    extended_teaching,
    no_clash,
)
"""The modules that dimensions are found in."""

DIMENSIONS: dict[str, Dimension] = {
    entry.name: entry
    for topic in TOPICS
    for entry in vars(topic).values()
    if isinstance(entry, Dimension)
}
"""Every dimension by name, in the order of listings: of topics, and in each as they stand there."""


def dimension(name: str) -> Dimension:
    """The dimension of that name.

    Raises
    ------
    InvalidInput
        If there is none; the message names the nearest.

    Examples
    --------
    >>> dimension("star_number").title
    'star number'
    """
    if name not in DIMENSIONS:
        raise InvalidInput(f"There is no dimension {name!r}. {nearest(name, DIMENSIONS)}")
    return DIMENSIONS[name]
