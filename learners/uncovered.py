"""Notes that depend on the rows, which no guarantee covers."""

from __future__ import annotations


class UncoveredWarning(UserWarning):
    """Information for the owner of the rows only, since no guarantee covers it.

    Everything that is noted about rows in Python is a warning of this class, so that one filter
    keeps it out of logs and notebooks that are published:
    ``warnings.simplefilter("ignore", UncoveredWarning)``. Errors that name rows are as uncovered.
    Warnings of other classes depend on parameters and declarations only.
    """
