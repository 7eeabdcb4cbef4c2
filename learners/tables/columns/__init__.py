"""Conversion of the columns of a real table to Boolean features.

The condition of a feature on a row must not depend on the other rows. Otherwise, a guarantee about
one row would be useless: a cut point at the median, or a list of the categories that occur,
discloses data before any learner runs. The modules `numeric` and `categories` contain the features
that are fixed in advance: flags, public cut points and public categories. `from_rows` contains the
features that are chosen by looking at the rows, privately or not. `of_table` applies declarations
to all columns of a table. `learners.tables.declarations` reads the declarations of users.

One changed row changes one row of fixed features, so a guarantee of a learner on the features is a
guarantee on the table. Errors and warnings name rows. They are for the owner of the data and must
not be published.
"""

from learners.tables.columns.base import Column, FixedColumn, shown
from learners.tables.columns.categories import Categories, UnseenCategoryWarning, WithMissing
from learners.tables.columns.from_rows import DataDependent, PrivateCuts
from learners.tables.columns.numeric import Cuts, Flag, plain_number, public_range
from learners.tables.columns.of_table import (
    UNKNOWN,
    FixedColumns,
    NotPrivateWarning,
    choice_cost,
    fit_columns,
    remaining_epsilon,
    require_readable,
    require_unknown,
)

__all__ = [
    "UNKNOWN",
    "Categories",
    "Column",
    "Cuts",
    "DataDependent",
    "FixedColumn",
    "FixedColumns",
    "Flag",
    "NotPrivateWarning",
    "PrivateCuts",
    "UnseenCategoryWarning",
    "WithMissing",
    "choice_cost",
    "fit_columns",
    "plain_number",
    "public_range",
    "remaining_epsilon",
    "require_readable",
    "require_unknown",
    "shown",
]
