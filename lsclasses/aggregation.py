"""Aggregations: classes whose labels are a Boolean function of the labels of several concepts."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from lsclasses.concept_class import ConceptClass
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.packing import as_void, require_memory
from lsclasses.set_operations import aligned_tables
from lsclasses.table import Table

AGGREGATION_LIMIT = 20
"""The largest number of classes in an aggregation, whose truth table has 2^k entries."""


def aggregate(function: Callable[..., Any], *classes: ConceptClass) -> Table:
    """Return the class of all ``x -> G(h_1(x), ..., h_k(x))`` with h_i in the i-th class.

    [LWY25, Appendix A.3] defines this class.

    Parameters
    ----------
    function : callable of k labels
        The Boolean function G.
    *classes : ConceptClass
        The k classes, which have equal domains.

    Raises
    ------
    InvalidInput
        If G is not a function or returns a value other than 0 or 1, if no class is given, if an
        argument is not a concept class, or if the domains differ.
    TooLarge
        If a class cannot be enumerated, or the result would have too many concepts for a table.

    Examples
    --------
    >>> C = Table([[1, 0], [0, 1]])
    >>> sorted(c.support for c in aggregate(lambda a, b: a and b, C, C))
    [(), (0,), (1,)]
    """
    from lsclasses.point_names import check_label

    if not callable(function):
        raise InvalidInput(
            "An aggregation takes a function of k labels first, then k classes: "
            f"aggregate(lambda a, b: a ^ b, C, D). Got {function!r:.200} for the function."
        )
    if not classes:
        raise InvalidInput("An aggregation needs at least one class. Got none.")
    tables = aligned_tables("aggregation", *classes)
    domain = tables[0].domain
    count = math.prod(len(table) for table in tables)
    require_memory(count, len(domain), "The aggregation")
    k = len(tables)
    if k > AGGREGATION_LIMIT:
        raise TooLarge(
            f"An aggregation may take {AGGREGATION_LIMIT} classes. Got {k}.",
            estimate=k,
            limit=AGGREGATION_LIMIT,
        )
    truth = np.array(
        [check_label(function(*inputs)) for inputs in itertools.product((0, 1), repeat=k)],
        dtype=np.uint8,
    )
    # Row i of `codes` holds, for every point, the number whose binary digits are the labels so far.
    codes = np.zeros((1, len(domain)), dtype=np.int64)
    for table in tables:
        sums = 2 * codes[:, None, :] + table.labels[None, :, :]
        sums = sums.reshape(len(codes) * len(table), len(domain))
        codes = sums[np.unique(as_void(sums), return_index=True)[1]]
    return Table._of_packed(domain, np.packbits(truth[codes], axis=1))
