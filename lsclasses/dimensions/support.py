"""Sizes of supports, the sets of points at which concepts are 1."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsclasses.dimensions.base import dimension
from lsclasses.limits import Limit, Progress

if TYPE_CHECKING:
    from lsclasses.table import Table


@dimension(
    "least support",
    symbol="w",
    reference="by definition",
    of_empty=0,
    flips_change=True,
)
def least_support(
    table: Table, *, limit: Limit | None = None, progress: Progress | None = None
) -> int:
    """The least number of points at which some concept of the class is 1.

    Examples
    --------
    >>> from lsclasses import Table
    >>> least_support(Table([[0, 1, 1], [1, 1, 1]])), least_support(Table([], domain="ab"))
    (2, 0)
    """
    return min(map(int.bit_count, table.row_bits), default=0)
