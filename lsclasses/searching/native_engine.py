"""The engine in C, ``_kernel.c``, for the trees and sets that a version space shatters.

Its decisions are the decisions of `lsclasses.searching.numpy_engine`, and it searches expected
depths in a similar way, on columns of 64-bit words. The kernel runs without the interpreter's lock.
Every few milliseconds, it takes the lock for a moment, so that Ctrl-C and the meter have an effect.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from threading import RLock
from typing import TypeVar

import numpy as np

from lsclasses.limits import Meter
from lsclasses.searching import _kernel
from lsclasses.searching.native_spaces import no_more_memory
from lsclasses.searching.version_space import VersionSpace

_Answer = TypeVar("_Answer")


class NativeEngine:
    """The compiled searches for shattered trees. The engine stores bounds on version spaces.

    Parameters
    ----------
    level : str, optional
        Processor instructions, one of ``_kernel.LEVELS``. The default is the fastest level.
    normal_from_concepts : int, optional
        Least number of concepts of version spaces that are brought into normal form. Smaller
        version spaces are searched again instead.
    """

    uses_blas = False

    def __init__(self, level: str | None = None, normal_from_concepts: int = 200) -> None:
        self._made_of = (level, normal_from_concepts)
        self._search = _kernel.Search(level, normal_from_concepts)
        # `tick` runs signal handlers, and a handler may ask this engine again. A plain lock would
        # then wait forever. With this lock the kernel raises an error.
        self._lock = RLock()

    def __reduce__(self) -> tuple[type[NativeEngine], tuple[str | None, int]]:
        # A copy, for example in another process, has no remembered results.
        return type(self), self._made_of

    def at_least(self, space: VersionSpace, k: int, meter: Meter) -> bool:
        """Return whether a version space shatters a complete tree of depth k."""
        if k <= 0:
            return space.concepts > 0
        if space.concepts < 1 << k:
            return False
        columns = b"".join(space.words)
        return self._asked(
            lambda most: self._search.at_least(
                columns, space.concepts, k, most, meter.threads, meter.tick
            ),
            meter,
        )

    def expected_depth(self, space: VersionSpace, meter: Meter) -> Fraction:
        """Return the largest expected depth of a tree, if units of 2^-118 suffice.

        `DepthEngine` describes the method.
        """
        columns = b"".join(space.words)
        high, low = self._asked(
            lambda most: self._search.expected_depth(columns, space.concepts, most, meter.tick),
            meter,
        )
        return Fraction((high << 64) + low, 1 << _kernel.PLACES)

    def _asked(self, question: Callable[[int], _Answer | None], meter: Meter) -> _Answer:
        """Run the search with as many bytes as the meter leaves."""
        with self._lock:
            # The kernel's limit includes the bytes of earlier questions. The meter's remaining
            # memory excludes these bytes, so they are added.
            before = self._search.used
            try:
                answer = question(before + meter.memory_left)
            except MemoryError:
                raise no_more_memory() from None
            finally:
                # A search that stops early keeps its entries, so the meter is charged after errors
                # as well.
                meter.used += self._search.used - before
        if answer is None:
            raise meter.out_of_memory()
        return answer


def first_shattered(
    space: VersionSpace,
    order: Sequence[int],
    size: int,
    meter: Meter,
    *,
    fixed: int = 0,
    anywhere: bool = False,
    plan: Sequence[int] = (),
    patience: int = (1 << 64) - 1,
) -> tuple[int, ...] | None:
    """Return the first columns of a version space, in a given order, that form a shattered set.

    Parameters
    ----------
    space : VersionSpace
    order : sequence of int
        The columns to choose from. Sets are compared lexicographically, in this order.
    size : int
        Number of columns, from 1 to 31.
    meter : Meter
    fixed : int, optional
        Number of first columns that must belong to the set, less than `size`.
    anywhere : bool, optional
        Whether any shattered set is sufficient. The kernel then chooses the order of the columns.
    plan : sequence of int, optional
        Plan of `lsclasses.searching.vc_search` for the columns that complete the fixed columns.
    patience : int, optional
        Number of times that the search counts 8 million words before it gives up.

    Returns
    -------
    tuple of int, or None
        Columns of the set. An empty tuple means that no such set is shattered, and None means that
        the search gave up.

    Raises
    ------
    TooLarge
        If the meter's limit is reached, or the machine has no more memory.
    """
    columns = b"".join(space.words[j] for j in order)
    search = _kernel.Search()
    planned = np.array(plan, dtype=np.uint32).tobytes()
    try:
        found = search.first_shattered(
            columns,
            space.concepts,
            size,
            fixed,
            anywhere,
            planned,
            meter.memory_left,
            patience,
            meter.tick,
        )
    except MemoryError:
        raise no_more_memory() from None
    # The kernel returns None if it gives up, and also if its memory is used up. The flag
    # distinguishes these cases.
    if search.limited:
        raise meter.out_of_memory()
    return None if found is None else tuple(order[j] for j in found)
