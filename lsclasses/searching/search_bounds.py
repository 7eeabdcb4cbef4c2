"""Bounds that a running search reports, and returns when it must stop."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import Self

from lsclasses.errors import TooLarge
from lsclasses.limits import Progress


class Bounds:
    """Bounds on a quantity, which a search improves inside a ``with`` block.

    A `TooLarge` that leaves the block contains the current bounds. A search that nests deeper than
    Python allows also raises `TooLarge`.

    Parameters
    ----------
    quantity : str
        Symbol of the quantity, for messages.
    lower, upper : int
        Known bounds at the start.
    progress : callable, optional
        Called as ``progress(lower, upper)`` at the start and whenever a bound improves.
    """

    __slots__ = ("_progress", "lower", "quantity", "upper")

    def __init__(
        self, quantity: str, lower: int, upper: int, progress: Progress | None = None
    ) -> None:
        self.quantity = quantity
        self.lower = lower
        self.upper = upper
        self._progress = progress

    @property
    def decided(self) -> bool:
        """Whether the lower bound equals the upper bound."""
        return self.lower >= self.upper

    def at_least(self, value: int) -> None:
        """Raise the lower bound to `value`, if `value` is larger."""
        if value > self.lower:
            self.lower = value
            self._tell()

    def at_most(self, value: int) -> None:
        """Lower the upper bound to `value`, if `value` is smaller."""
        if value < self.upper:
            self.upper = value
            self._tell()

    def _tell(self) -> None:
        if self._progress is not None:
            self._progress(self.lower, self.upper)

    def __enter__(self) -> Self:
        self._tell()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if isinstance(error, RecursionError):
            error = too_deep()
        if isinstance(error, TooLarge):
            known = f"{self.lower} <= {self.quantity} <= {self.upper}"
            raise TooLarge(
                f"{error} So far: {f'{self.quantity} = {self.lower}' if self.decided else known}.",
                estimate=error.estimate,
                limit=error.limit,
                lower=self.lower,
                upper=self.upper,
            ) from None


def too_deep() -> TooLarge:
    """Return the error to raise for a search that nests deeper than Python allows."""
    depth = sys.getrecursionlimit()
    return TooLarge(
        f"The search would nest deeper than Python's recursion limit of {depth} calls. Choose a "
        "class with fewer points, or raise the limit with sys.setrecursionlimit.",
        limit=depth,
    )
