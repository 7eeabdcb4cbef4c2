"""Data frames of pandas, an optional package."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from lsclasses.errors import InvalidInput

if TYPE_CHECKING:
    import pandas

INSTALL = "Data frames need pandas: pip install 'lsclasses[pandas]'."


def data_frame(
    columns: Mapping[Any, Iterable[Any]], index: Iterable[Any] | None = None
) -> pandas.DataFrame:
    """Return a pandas data frame with the given columns.

    A name of a column may be a tuple. Fractions become floats. An array with two dimensions becomes
    a column of tuples.

    Raises
    ------
    InvalidInput
        If pandas is missing.
    """
    if find_spec("pandas") is None:
        raise InvalidInput(INSTALL)
    import pandas

    cells = {place: _cells(column) for place, column in enumerate(columns.values())}
    frame = pandas.DataFrame(cells)
    frame.columns = pandas.Index(list(columns), tupleize_cols=False)
    if index is not None:
        frame.index = pandas.Index(list(index), tupleize_cols=False)
    return frame


def _cells(column: Iterable[Any]) -> Any:
    if isinstance(column, np.ndarray) and column.ndim == 1:
        return column
    rows = column.tolist() if isinstance(column, np.ndarray) else column
    return [tuple(cell) if isinstance(cell, list) else _plain(cell) for cell in rows]


def _plain(cell: Any) -> Any:
    return float(cell) if isinstance(cell, Fraction) else cell
