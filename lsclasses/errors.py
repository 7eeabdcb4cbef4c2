"""The few ways in which a call can fail.

Every message says what was wrong, what was got, and what would be right.
"""

from __future__ import annotations


class LsclassesError(Exception):
    """Base of every error this library raises on purpose."""


class InvalidInput(LsclassesError, ValueError):
    """An argument, a file or a specification that is not what the call needs."""


class NotRealizable(LsclassesError, ValueError):
    """No concept of the class agrees with the examples, where one is required."""


class BadCertificate(LsclassesError, ValueError):
    """A certificate that does not prove its claim about the class it was checked against."""


class NoCertificate(BadCertificate):
    """Data that is no certificate at all, where one is to be read."""


class TooLarge(LsclassesError):
    """An instance that does not fit the stated limit.

    Parameters
    ----------
    message : str
        What was too large, the estimate and the limit.
    estimate, limit : int or float or None
        What the work would need and what it was allowed, in the same unit.
    lower, upper : int or None
        What was known of the quantity when the work stopped: ``lower <= value <= upper``.
    """

    def __init__(
        self,
        message: str,
        *,
        estimate: float | None = None,
        limit: float | None = None,
        lower: int | None = None,
        upper: int | None = None,
    ) -> None:
        super().__init__(message)
        self.estimate = estimate
        self.limit = limit
        self.lower = lower
        self.upper = upper


class InfiniteDimension(TooLarge):
    """A dimension that is known to be infinite, where a number is required."""
