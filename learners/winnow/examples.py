"""Rows of features and their labels, checked: arrays of 0 and 1."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from lsclasses.errors import InvalidInput


def checked_rows(X: ArrayLike, features: int) -> np.ndarray:
    """Rows of 0/1 features as an array of shape (rows, features); nothing is copied."""
    rows = X if isinstance(X, np.ndarray) else np.asarray(X)
    if rows.ndim != 2 or rows.shape[1] != features:
        raise InvalidInput(
            f"Examples must be rows of {features} features. Got an array of shape {rows.shape}."
        )
    if rows.dtype != bool and rows.dtype.kind not in "iu":
        raise InvalidInput(
            f"Features must be 0 or 1, as bool or integers. Got the type {rows.dtype}."
        )
    return rows


def _require_bits(block: np.ndarray) -> None:
    if block.dtype != bool and block.size and (block.min() < 0 or block.max() > 1):
        wrong = block[(block < 0) | (block > 1)][0]
        raise InvalidInput(
            f"Features must be 0 or 1; write (X > 0) for signs. Got {int(wrong)} among them."
        )


def _checked_labels(y: ArrayLike, rounds: int) -> np.ndarray:
    labels = np.asarray(y)
    if labels.shape != (rounds,):
        raise InvalidInput(
            f"There must be one label a row, {rounds} in all. Got an array of shape {labels.shape}."
        )
    if labels.dtype != bool and labels.size:
        if labels.dtype.kind not in "iu":
            raise InvalidInput(
                f"Labels must be 0 or 1, as bool or integers. Got the type {labels.dtype}."
            )
        _require_labels(labels)
    return labels.astype(bool)


def _require_labels(labels: np.ndarray) -> None:
    unknown = labels[(labels != 0) & (labels != 1)]
    if len(unknown):
        raise InvalidInput(f"Labels must be 0 or 1. Got {int(unknown[0])} among them.")
