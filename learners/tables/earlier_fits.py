"""Warnings about fits that follow earlier fits on equal rows.

The module warns users who select among several models of rows that were fitted before in this
process. For example, ten fits are ten releases, but the ledger of each fit states only the cost of
this fit. A search over parameters (scikit-learn's ``GridSearchCV``) makes many fits and shows only
one. So every fit keeps digests of its rows until the process ends. A release of rows that were
fitted before gives a warning, unless it is paid from a budget, which adds up the costs.

Digests are sums of the features and numbers of a row with fixed multipliers, modulo 2^64. Digests
are not secret, models and files do not contain them, and rows with equal features have equal
digests. In large tables, only rows whose digest ends in zeros are compared. These rows are the same
in every part of a table.
"""

from __future__ import annotations

import warnings
from collections import deque

import numpy as np
from numpy.typing import NDArray

from learners.not_private import NotPrivateNotice
from learners.tables.records import Records

COMPARED = 4096
"""Approximate largest number of compared rows of a table."""
REMEMBERED = 256
"""Number of earlier fits whose digests are stored."""
ROWS_AT_ONCE = 1 << 13
"""Number of rows whose digests are computed together."""
MANY = 0.5
"""Least share of known rows at which a table counts as the table of an earlier fit."""

_fits: deque[tuple[int, frozenset[int]]] = deque(maxlen=REMEMBERED)


def digests(matrix: NDArray[np.bool_], table: Records) -> NDArray[np.uint64]:
    """Return a digest of each row, computed from its features and its numeric entries.

    Parameters
    ----------
    matrix : array of shape (rows, features)
        Features of the rows.
    table : Records
        Rows of the table.
    """
    found = np.zeros(len(matrix), dtype=np.uint64)
    numeric = [column for column in table.columns if column.dtype.kind in "biuf"]
    bytes_of_a_row = -(-matrix.shape[1] // 8)
    multipliers = np.random.default_rng(0).integers(
        1, 1 << 63, bytes_of_a_row + len(numeric), dtype=np.uint64
    )
    with np.errstate(over="ignore"):
        for start in range(0, len(found), ROWS_AT_ONCE):
            part = slice(start, start + ROWS_AT_ONCE)
            for multiplier, eight in zip(multipliers, _eights(matrix[part]), strict=False):
                found[part] += multiplier * eight
            for multiplier, column in zip(multipliers[bytes_of_a_row:], numeric, strict=True):
                found[part] += multiplier * column[part].astype(np.float64).view(np.uint64)
        found ^= found >> np.uint64(31)
        found *= np.uint64(0x9E3779B97F4A7C15)
        found ^= found >> np.uint64(29)
    return found


def _eights(matrix: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Return eight features of each row as a byte, shape (ceil(features / 8), rows)."""
    features = matrix.T.view(np.uint8)
    found = features[::8].copy()
    for bit in range(1, 8):
        more = features[bit::8]
        found[: len(more)] |= more << np.uint8(bit)
    return found


def known(matrix: NDArray[np.bool_], table: Records) -> int:
    """Return the number of earlier fits that share most of these rows, and store the rows."""
    every = 1
    while len(matrix) > COMPARED * every:
        every *= 2
    found = digests(matrix, table)
    kept = found[found % np.uint64(every) == 0].tolist()
    times = 0
    for theirs, before in _fits:
        compared = kept if theirs <= every else [each for each in kept if not each % theirs]
        times += bool(compared) and sum(x in before for x in compared) >= MANY * len(compared)
    _fits.append((every, frozenset(kept)))
    return times


def warn_of_selection(
    matrix: NDArray[np.bool_], table: Records, *, release: bool, paid: bool, depth: int
) -> None:
    """Store the rows of a fit, and warn if an unpaid release follows earlier fits on them.

    Parameters
    ----------
    matrix : array of shape (rows, features)
        Features of the rows.
    table : Records
        Rows of the table.
    release : bool
        Whether the randomness is real. A draw from a seed is not a release.
    paid : bool
        Whether the fit was paid from a budget.
    depth : int
        Number of stack frames between this function and the line that the warning names.
    """
    times = known(matrix, table)
    if times and release and not paid:
        warnings.warn(
            f"These rows, or rows like them, were fitted {times} time{'s' * (times > 1)} before in "
            "this process, and no budget adds up the costs. Each fit is a separate release, and no "
            "guarantee covers a choice among them by their accuracy. Give all fits one budget= "
            "('lsclasses budget new'), or choose in advance. This warning cannot count fits in "
            "other processes, such as with n_jobs.",
            NotPrivateNotice,
            stacklevel=depth + 1,
        )
