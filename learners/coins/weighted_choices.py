"""Checks and counts of the candidates of a weighted choice."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm

import numpy as np
from numpy.typing import NDArray

from lsclasses.errors import InvalidInput
from lsclasses.numbers import integer, rational

LARGEST_PRODUCT = 1 << 62
"""Differences of weights in an array, and products with such differences, must be less than this
number."""


def scaled_candidates(
    log_weights: Sequence[Fraction | int], unit: Fraction | int, counts: Sequence[int] | None
) -> tuple[tuple[int, ...], int, tuple[int, ...] | None]:
    """Return each weight's gap to the largest weight, over one denominator, and the counts."""
    if not len(log_weights):
        raise InvalidInput("At least one weight is needed. Got none.")
    repeated = None
    if counts is not None:
        repeated = tuple(integer(count, "count") for count in counts)
        if len(repeated) != len(log_weights) or min(repeated) < 1:
            raise InvalidInput(
                "Every weight needs a count of at least 1. "
                f"Got {len(log_weights)} weights and the counts {list(repeated)}."
            )
    numerator, denominator = rational(unit, "unit of the weights").as_integer_ratio()
    if all(type(weight) is int for weight in log_weights):
        scaled = [numerator * int(weight) for weight in log_weights]
    else:
        weights = [rational(weight, "logarithm of a weight") for weight in log_weights]
        common = lcm(*(weight.denominator for weight in weights))
        scaled = [int(numerator * common * weight) for weight in weights]
        denominator *= common
    top = max(scaled)
    return tuple([top - weight for weight in scaled]), denominator, repeated


def checked_counts(counts: NDArray[np.integer], candidates: int) -> NDArray[np.int64]:
    """Return the counts of candidates as a checked array."""
    sizes = np.asarray(counts)
    if sizes.shape != (candidates,) or sizes.dtype.kind not in "iu" or sizes.min() < 1:
        raise InvalidInput(
            f"Every weight needs a count of at least 1, {candidates} integers in a vector. Got an "
            f"array of {sizes.dtype} of shape {sizes.shape}."
        )
    largest = int(sizes.max())
    if largest * candidates >= LARGEST_PRODUCT and sum(sizes.tolist()) >= LARGEST_PRODUCT:
        raise InvalidInput(
            "Counts in an array must be less than 2^62 together. `pick` takes larger counts. "
            f"Got {sum(sizes.tolist())}."
        )
    return sizes.astype(np.int64)


def counts_together(
    places: NDArray[np.int64], number: int, counts: NDArray[np.int64] | None
) -> list[int]:
    """Return the number of candidates at each of `number` places, with multiplicity `counts`."""
    sizes = np.zeros(number, dtype=np.int64)
    if counts is None:
        sizes = np.bincount(places, minlength=number)
    else:
        np.add.at(sizes, places, counts)
    return [int(size) for size in sizes]


def gaps_to_best(weights: NDArray[np.integer], *, largest: bool) -> NDArray[np.integer]:
    """Return the difference of each weight to the largest, or to the least, weight.

    The result may be the array of weights itself, so it must not be changed.

    Raises
    ------
    InvalidInput
        If weights differ by 2^62 or more.

    Examples
    --------
    >>> gaps_to_best(np.array([3, 0, 1], dtype=np.uint8), largest=True).tolist()
    [0, 3, 2]
    """
    low, high = int(weights.min()), int(weights.max())
    if high - low >= LARGEST_PRODUCT:
        raise InvalidInput(
            "The weights of candidates may differ by less than 2^62. Got weights from "
            f"{low} to {high}."
        )
    if not largest and not low:
        # If some expert has no loss, the losses are the gaps, and a copy would take time.
        return weights
    if weights.dtype.kind == "i":
        weights = weights.astype(np.int64)  # differences of narrow integers wrap around
    kind = weights.dtype.type
    return kind(high) - weights if largest else weights - kind(low)
