"""Exact sums of weights over the ones of packed labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from lsclasses.domain import FiniteDomain
from lsclasses.point_names import Label, Point

CHUNK = 1 << 22
"""Number of labels that are unpacked together."""

FLOAT_BITS = 53
"""Largest number of bits of integers that floats represent exactly."""


def weighted_sums(packed: NDArray[np.uint8], weights: Sequence[int]) -> list[int]:
    """Return, for each row, the exact sum of the weights of the points with label 1.

    Parameters
    ----------
    packed : array of uint8, shape (rows, bytes)
        Labels, eight to a byte, as in `Table.packed`.
    weights : sequence of int
        Weight of each point, of any size.

    Examples
    --------
    >>> from lsclasses import Table
    >>> weighted_sums(Table([[1, 0, 1], [0, 1, 1]]).packed, [10**30, -1, 5])
    [1000000000000000000000000000005, 4]
    """
    # The searches are loaded only where sums are computed.
    from lsclasses.searching.blas import exact_product

    if not any(weights):
        return [0] * len(packed)
    points = len(weights)
    # Weights are multiplied by few bits at a time, so that sums over all points fit.
    limb_bits = FLOAT_BITS - points.bit_length()
    limbs = range(0, max(map(abs, weights)).bit_length(), limb_bits)
    mask = (1 << limb_bits) - 1
    columns = np.array(
        [[(-1 if w < 0 else 1) * (abs(w) >> limb & mask) for limb in limbs] for w in weights],
        dtype=np.float64,
    )
    step = max(1, CHUNK // points)
    sums: list[int] = []
    for start in range(0, len(packed), step):
        labels = np.unpackbits(packed[start : start + step], axis=1, count=points)
        for products in exact_product(labels.astype(np.float64), columns).tolist():
            sums.append(sum(int(p) << limb for p, limb in zip(products, limbs, strict=True)))
    return sums


def packed_errors(
    packed: NDArray[np.uint8], domain: FiniteDomain, counts: Mapping[tuple[Point, Label], int]
) -> list[int]:
    """Return, for each of some labellings, the number of rows of a sample on which it is wrong.

    Parameters
    ----------
    packed : array of uint8, shape (rows, bytes)
        Labels, eight to a byte, as in `Table.packed`.
    domain : FiniteDomain
        Points of the labellings.
    counts : mapping of (point, label) to int
        Number of rows that equal each example.

    Examples
    --------
    >>> from lsclasses import Table
    >>> C = Table([[0, 0, 1], [0, 1, 1], [1, 1, 1]])
    >>> packed_errors(C.packed, C.domain, {(0, 0): 5, (1, 0): 1, (2, 1): 10**30})
    [0, 1, 6]
    """
    excess = [0] * len(domain)
    for (x, y), n in counts.items():
        excess[domain.index(x)] += -n if y else n
    # A hypothesis that is 0 everywhere errs on all ones. Each 1 of its labels changes the count.
    ones = sum(n for (_, y), n in counts.items() if y)
    return [ones + change for change in weighted_sums(packed, excess)]
