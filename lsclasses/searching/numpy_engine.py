"""Does a version space shatter a complete tree of depth k? The engine that needs NumPy alone.

Five things make it fast (``docs/search.md`` tells how much each):

* *compaction*: a version space is kept as its distinct non-constant columns up to complement, which
  is all the Littlestone dimension depends on;
* *look-ahead*: one matrix product counts every pair of columns, so a column whose sides cannot
  split once more is never tried;
* *the weaker side first*: of the two sides of a column, the one that looks less likely to shatter
  is asked first;
* *memory*: bounds found for a version space are kept under a key that renamings of points and
  concepts (and complements of columns) mostly share;
* *products*: a version space whose columns fall into independent groups is settled by its factors.

Nothing rests on luck: a key holds the whole compacted table, so equal keys mean isomorphic version
spaces. Hashing (of keys by Python, of columns while a canonical order is sought) can cost time when
it collides, never a wrong answer.
"""

from __future__ import annotations

from typing import NamedTuple

from lsclasses.limits import Meter
from lsclasses.searching.look_ahead import NORMAL_UP_TO_POINTS, candidates
from lsclasses.searching.products import factors
from lsclasses.searching.version_space import Arrangement, VersionSpace, arrange, normal_form

ENTRY_OVERHEAD = 200
"""Bytes that a stored bound takes beside its key, about."""


class Known(NamedTuple):
    """Remembered bounds on the Littlestone dimension of a version space."""

    lower: int
    upper: int


UNKNOWN = Known(3, 1 << 30)
"""The bounds for a version space that passes the look-ahead: it shatters depth 3."""


class NumpyEngine:
    """The decision procedure with its memory."""

    uses_blas = True
    normal_from_concepts = 200
    """Smaller version spaces are cheaper to search again than to bring into normal form."""
    products_from_concepts = 200
    """Smaller version spaces are cheaper to search than to compare with a product."""

    def __init__(self) -> None:
        self._known: dict[tuple[object, ...], Known] = {}

    def at_least(self, space: VersionSpace, k: int, meter: Meter) -> bool:
        if k <= 0:
            return space.concepts > 0
        if space.concepts < 1 << k:
            return False
        # Counting decides depths up to 3, so only answers on greater depths are stored.
        # Two restrictions in either order give one version space: worth a look before counting.
        plain = k > 3 and not self._normalised(space)
        arranged = arrange(space) if plain else None
        if arranged is not None and (answer := self._recall(arranged, k)) is not None:
            return answer
        tried = candidates(space, k, meter)
        if tried.enough or not tried.columns:
            answer = bool(tried.columns)
        else:
            if arranged is None:
                arranged = normal_form(space, tried.ones, tried.both)
                if (answer := self._recall(arranged, k)) is not None:
                    return answer
            meter.tick()
            parts = factors(space) if space.concepts >= self.products_from_concepts else []
            answer = (
                self._sum_at_least(parts, k, meter)
                if parts
                else any(
                    self.at_least(space.side(j, first), k - 1, meter)
                    and self.at_least(space.side(j, 1 - first), k - 1, meter)
                    for j, first in zip(tried.columns, tried.first, strict=True)
                )
            )
        if arranged is not None:
            self._remember(arranged, k, meter, answer=answer)
        return answer

    def _sum_at_least(self, parts: list[VersionSpace], k: int, meter: Meter) -> bool:
        """Whether the dimensions of the factors of a product add up to k."""
        # Each factor has a dimension of at least 1, as it has a column that is not constant.
        needed = k - len(parts)
        for part in parts:
            # A factor needs to contribute at most `needed` more than 1. Larger dimensions of the
            # factor do not change the answer.
            lower, upper = 1, min(needed + 1, part.concepts.bit_length() - 1)
            while lower < upper:
                middle = (lower + upper + 1) // 2
                if self.at_least(part, middle, meter):
                    lower = middle
                else:
                    upper = middle - 1
            needed -= lower - 1
        return needed <= 0

    def _normalised(self, space: VersionSpace) -> bool:
        """Whether bounds of the version space are kept under its normal form."""
        points = len(space.words)
        return space.concepts >= self.normal_from_concepts and points <= NORMAL_UP_TO_POINTS

    def _recall(self, arranged: Arrangement, k: int) -> bool | None:
        """Whether depth k is shattered, if that has been found out."""
        known = self._known.get(arranged.key)
        if known is None or known.lower < k <= known.upper:
            return None
        return k <= known.lower

    def _remember(self, arranged: Arrangement, k: int, meter: Meter, *, answer: bool) -> None:
        """Keep that depth k is shattered, or that it is not."""
        known = self._known.get(arranged.key)
        if known is None:
            known = UNKNOWN
            meter.charge(_key_size(arranged.key))
        self._known[arranged.key] = (
            # The question was open, so `lower` < k <= `upper` holds and the new bound is tighter.
            known._replace(lower=k) if answer else known._replace(upper=k - 1)
        )


def _key_size(key: tuple[object, ...]) -> int:
    last = key[-1]
    parts = [last] if isinstance(last, bytes) else list(last)  # type: ignore[call-overload]
    return ENTRY_OVERHEAD + sum(len(part) + 33 for part in parts)
