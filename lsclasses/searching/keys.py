"""Keys under which searches remember what they know of a version space and all its renamings."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np

from lsclasses.limits import Meter
from lsclasses.searching.version_space import VersionSpace, normal_form

NORMAL_FORM_FROM_CONCEPTS = 12
"""Smaller version spaces are searched again faster than they are brought into normal form."""
NORMAL_FORM_UP_TO_POINTS = 128
"""With more distinct columns than this a normal form costs more than it finds."""
KEY_BYTES = 250
"""Bytes that a key takes beside the columns it holds, about."""


class KeyTable:
    """Keys of version spaces, each normal form computed once.

    Version spaces with one key are equal up to the names of points and concepts and the
    complements of points (a key holds the whole compacted table), so they share every dimension
    that does not depend on those. Isomorphic spaces mostly, not always, get one key.
    """

    def __init__(self) -> None:
        self._normal: dict[Hashable, Hashable] = {}

    def key(
        self, space: VersionSpace, meter: Meter, ones: np.ndarray, both: np.ndarray
    ) -> Hashable:
        """The key of a space, given how many concepts label each column, and each pair, with 1."""
        written = (space.concepts, frozenset(space.words))
        small = space.concepts < NORMAL_FORM_FROM_CONCEPTS
        if small or len(space.words) > NORMAL_FORM_UP_TO_POINTS:
            return written
        if written not in self._normal:
            # The dictionary holds the written key and the normal form, and each contains the whole
            # table. A `bytes` object takes 33 bytes in addition to its content.
            meter.charge(2 * (KEY_BYTES + sum(map(len, space.words)) + 33 * len(space.words)))
            self._normal[written] = normal_form(space, ones, both).key
        return self._normal[written]
