"""From the columns of a real table to Boolean features: how each column becomes true or false.

What a feature asks of a row must not depend on the other rows, or a guarantee about one row would
say nothing: a cut point at the median, or a list of the categories that occur, gives data away
before any learner runs. Here are the features that are fixed beforehand: flags, public cut points,
public categories. `learners.tables.fitted_columns` has those that are chosen by looking at the
rows, privately or not, and `learners.tables.declarations` reads what people write.

One changed row changes one row of fixed features, so that the guarantee of a learner on the
features is a guarantee on the table. Errors and warnings name rows: they are for the owner of the
data, and must not be published.
"""

from learners.tables.columns.base import Column, FixedColumn, shown
from learners.tables.columns.categories import Categories, UnseenCategoryWarning, WithMissing
from learners.tables.columns.numeric import Cuts, Flag, plain_number, public_range
from learners.tables.columns.of_table import UNKNOWN, FixedColumns, require_unknown

__all__ = [
    "UNKNOWN",
    "Categories",
    "Column",
    "Cuts",
    "FixedColumn",
    "FixedColumns",
    "Flag",
    "UnseenCategoryWarning",
    "WithMissing",
    "plain_number",
    "public_range",
    "require_unknown",
    "shown",
]
