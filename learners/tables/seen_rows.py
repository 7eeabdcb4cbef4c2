"""Rows that were fitted before in this process: a warning for whoever selects among models.

Ten fits are ten releases, and the ledger of each says what that one cost. A search over parameters
(scikit-learn's ``GridSearchCV``) makes many and shows one of them. So every fit keeps digests of
its rows for as long as the process lives, and a release of rows that were fitted before says so,
unless it is paid from a budget, which adds up.

Digests are sums of the features and numbers of a row with fixed multipliers, modulo 2^64. They are
no secrets, are not kept in models or files, and confuse rows with equal features. Of large tables
only rows whose digest ends in zeros are compared, which are the same ones in every part of a table.
"""

from __future__ import annotations

import warnings
from collections import deque

import numpy as np
from numpy.typing import NDArray

from learners.not_private import NotPrivateNotice
from learners.tables.records import Records

COMPARED = 4096
"""About how many rows of a table are compared, at most."""
REMEMBERED = 256
"""How many fits are remembered."""
MANY = 0.5
"""From this share of known rows on, they are taken for the same table."""

_fits: deque[tuple[int, frozenset[int]]] = deque(maxlen=REMEMBERED)


def digests(matrix: NDArray[np.bool_], table: Records) -> NDArray[np.uint64]:
    """A number for each row: of its features, and of the columns that hold numbers.

    Parameters
    ----------
    matrix : array of shape (rows, features)
    table : Records
    """
    found = np.zeros(len(matrix), dtype=np.uint64)
    numeric = [column for column in table.columns if column.dtype.kind in "biuf"]
    multipliers = np.random.default_rng(0).integers(
        1, 1 << 63, matrix.shape[1] + len(numeric), dtype=np.uint64
    )
    with np.errstate(over="ignore"):
        for j in range(matrix.shape[1]):
            found += multipliers[j] * matrix[:, j]
        for multiplier, column in zip(multipliers[matrix.shape[1] :], numeric, strict=True):
            found += multiplier * column.astype(np.float64).view(np.uint64)
        found ^= found >> np.uint64(31)
        found *= np.uint64(0x9E3779B97F4A7C15)
        found ^= found >> np.uint64(29)
    return found


def known(matrix: NDArray[np.bool_], table: Records) -> int:
    """In how many earlier fits most of these rows were; they are remembered from now on."""
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
    """Remember the rows of a fit, and warn if a release that nothing adds up follows others.

    Parameters
    ----------
    matrix : array of shape (rows, features)
    table : Records
    release : bool
        Whether the randomness is real; what is drawn from a seed is no release.
    paid : bool
        Whether it was paid from a budget.
    depth : int
        Which caller the warning names.
    """
    times = known(matrix, table)
    if times and release and not paid:
        warnings.warn(
            f"These rows, or rows like them, were fitted {times} time{'s' * (times > 1)} before in "
            "this process, and no budget adds up what that costs: each fit is a release of its "
            "own, and choosing among them by their accuracy is covered by nothing. Give all fits "
            "one budget= ('lsclasses budget new'), or choose beforehand. Fits in other processes, "
            "such as with n_jobs, are not seen here.",
            NotPrivateNotice,
            stacklevel=depth + 1,
        )
