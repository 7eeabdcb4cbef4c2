"""Small instances of `learners.rules.naive_bayes` and its correction for their audits."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Annotated

import numpy as np

from learners.audit.instances import (
    AddRemove,
    AuditEntry,
    ClaimedEpsilon,
    Instance,
    Unseen,
    neighbouring_tables,
    relation,
)
from learners.coins import Coins
from learners.rules.bayes_correction import CorrectedBayes, Sums
from learners.rules.naive_bayes import NaiveBayes, Tables
from lsclasses.specifications import Option


def _instance(
    *,
    epsilon: ClaimedEpsilon = Fraction(4),
    columns: Annotated[int, Option("columns of the table", minimum=1, maximum=2)] = 1,
    cells: Annotated[int, Option("cells of a column", minimum=1, maximum=2)] = 1,
    rows: Annotated[int, Option("rows of the table", minimum=1, maximum=4)] = 2,
    add_remove: AddRemove = False,
) -> Instance:
    """All neighbouring tables of a small size; counts are clipped to what is possible.

    Clipping is post-processing, and loses nothing of the loss between two tables: beyond the range
    of the true counts the loss of Laplace noise is that at its end.
    """
    mechanism = NaiveBayes(epsilon, columns, neighbours=relation(add_remove))

    def release(learner: NaiveBayes) -> Callable[[tuple[tuple[int, ...], ...], Coins], Tables]:
        def run(data: tuple[tuple[int, ...], ...], coins: Coins) -> Tables:
            table = np.array(data, dtype=int).reshape(len(data), columns + 1)
            found = learner.release(list(table.T[:-1]), [cells] * columns, table[:, -1], coins)
            return tuple(
                tuple((min(max(a, 0), rows), min(max(b, 0), rows)) for a, b in column)
                for column in found
            )

        return run

    kinds = [(*place, y) for place in product(range(cells), repeat=columns) for y in (0, 1)]
    pairs = neighbouring_tables(kinds, rows, mechanism.neighbours)
    return Instance(mechanism, release, pairs)


def _corrected(
    *,
    epsilon: ClaimedEpsilon = Fraction(12),
    share: Annotated[
        Fraction, Option("the part of epsilon for the sums of residuals", minimum=Fraction(1, 10))
    ] = Fraction(2, 5),
    unit: Annotated[int, Option("residuals are multiples of 1/unit", minimum=1, maximum=4)] = 2,
    rows: Annotated[int, Option("rows of the table", minimum=1, maximum=2)] = 1,
    add_remove: AddRemove = False,
) -> Instance:
    """All neighbouring tables of one column and cell; what is seen is clipped to what is possible.

    The sums depend on the counts that were released, clipped or not.
    """
    mechanism = CorrectedBayes(epsilon, 1, share, None, relation(add_remove), unit)

    def release(
        learner: CorrectedBayes,
    ) -> Callable[[tuple[int, ...], Coins], tuple[Tables, Sums]]:
        def run(data: tuple[int, ...], coins: Coins) -> tuple[Tables, Sums]:
            labels, cells = np.array(data, dtype=int), np.zeros(len(data), dtype=int)
            (((zero, one),),), ((found,),) = learner.release([cells], [1], labels, coins)
            counts = min(max(zero, 0), rows), min(max(one, 0), rows)
            most = rows * unit
            return ((counts,),), ((min(max(found, -most), most),),)

        return run

    return Instance(mechanism, release, neighbouring_tables((0, 1), rows, mechanism.neighbours))


AUDITS = (
    AuditEntry(
        "naive_bayes",
        "noisy counts of every column, cell and label; rows replaced, or added",
        _instance,
        unseen=(
            Unseen(
                "noise for one column",
                "there is one column; the noise of two has many more values, unless it is small",
                "naive_bayes:columns=2,rows=1,epsilon=16",
            ),
        ),
    ),
    AuditEntry(
        "corrected_naive_bayes",
        "naive Bayes counts, and sums of the residuals that they leave; rows replaced, or added",
        _corrected,
    ),
)
