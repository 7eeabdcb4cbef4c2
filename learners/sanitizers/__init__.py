"""Sanitizers: synthetic data on which every concept of a class looks as on the true data."""

from learners.sanitizers.base import (
    SANITIZATION_ERROR,
    ExactSanitizer,
    Sanitized,
    Sanitizer,
    SyntheticData,
    sanitization_error,
    worst_estimate,
)
from learners.sanitizers.points import PointSample

__all__ = [
    "SANITIZATION_ERROR",
    "ExactSanitizer",
    "PointSample",
    "Sanitized",
    "Sanitizer",
    "SyntheticData",
    "sanitization_error",
    "worst_estimate",
]
