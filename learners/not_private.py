"""Warnings about rows, and warnings that depend only on public values."""

from __future__ import annotations


class NotPrivateNotice(UserWarning):
    """Information for the owner of the rows only, since no guarantee covers it.

    Everything that is noted about rows in Python is a warning of this class, so that one filter
    keeps it out of logs and notebooks that are published:
    ``warnings.simplefilter("ignore", NotPrivateNotice)``. Errors that name rows are as uncovered.
    Only a `PublicWarning` is sure not to depend on rows. Other libraries warn of rows, too.
    """


class PublicWarning(UserWarning):
    """Information that depends only on parameters, declarations and released values.

    The commands print these warnings as notes that may be published. The commands treat every other
    warning as one that depends on rows.
    """
