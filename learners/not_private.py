"""Classes of warnings: warnings that depend on rows, and warnings that depend on public values."""

from __future__ import annotations


class NotPrivateNotice(UserWarning):
    """Information for the owner of the rows only, since no guarantee covers it.

    Every Python notice about rows is a warning of this class. So one filter keeps these notices out
    of logs and notebooks that are published: ``warnings.simplefilter("ignore", NotPrivateNotice)``.
    Errors that name rows have no guarantee either. Only a `PublicWarning` surely does not depend on
    rows. Warnings of other libraries may depend on rows, too.
    """


class PublicWarning(UserWarning):
    """Information that depends only on parameters, declarations and released values.

    The commands print these warnings as notes that may be published. The commands treat every other
    warning as one that depends on rows.
    """
