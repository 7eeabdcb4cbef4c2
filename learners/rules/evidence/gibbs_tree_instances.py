"""Small instances of `learners.rules.gibbs_tree` for its audits, chosen by their power."""

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
    Run,
    UndetectedVariant,
    neighbouring_tables,
    relation,
)
from learners.coins import Coins
from learners.rules.gibbs_tree import GibbsTree
from learners.rules.trees import Conditions, Tree
from lsclasses.specifications import Option


def _instance(
    *,
    epsilon: ClaimedEpsilon = Fraction(2),
    depth: Annotated[int, Option("conditions that are asked of a row", minimum=1, maximum=3)] = 1,
    features: Annotated[int, Option("columns of the table", minimum=1, maximum=2)] = 1,
    rows: Annotated[int, Option("rows of the table", minimum=1, maximum=6)] = 4,
    sample: Annotated[
        int, Option("rows that are sampled in secret, 0 for all", minimum=0, maximum=6)
    ] = 0,
    bonus: Annotated[
        int,
        Option(
            "rows that trees without a copy of the last feature count as right in addition; "
            "0 for no copy",
            minimum=0,
            maximum=6,
        ),
    ] = 0,
    add_remove: AddRemove = False,
) -> Instance:
    """All neighbouring tables of a small size."""
    mechanism = GibbsTree(
        epsilon,
        depth,
        neighbours=relation(add_remove),
        rows=rows if sample else None,
        sample=sample or None,
        bonus=bonus,
    )
    kinds = list(product((0, 1), repeat=features + 1))
    pairs = neighbouring_tables(kinds, rows, mechanism.neighbours)
    listed: list[tuple[int, int | None]] = [(j, None) for j in range(features)]
    conditions = (
        Conditions(features, [*listed, listed[-1]], plain=features)
        if bonus
        else Conditions(features)
    )
    return Instance(mechanism, _released(conditions), pairs)


def _sampled(
    *,
    epsilon: ClaimedEpsilon = Fraction(4),
    rows: Annotated[int, Option("rows of the table", minimum=1, maximum=6)] = 4,
    sample: Annotated[int, Option("rows that are sampled in secret", minimum=1, maximum=6)] = 3,
    add_remove: AddRemove = False,
) -> Instance:
    """All neighbouring tables of rows without the feature, which differ by their labels.

    From three rows of one label and one of the other, a tree of one condition and the rate that a
    sample of three is given, the loss is about what the proof allows.
    """
    mechanism = GibbsTree(epsilon, 1, neighbours=relation(add_remove), rows=rows, sample=sample)
    pairs = neighbouring_tables([(0, 0), (0, 1)], rows, mechanism.neighbours)
    return Instance(mechanism, _released(Conditions(1)), pairs)


def _released(conditions: Conditions) -> Callable[[GibbsTree], Run]:
    def release(learner: GibbsTree) -> Run:
        def run(data: tuple[tuple[int, ...], ...], coins: Coins) -> Tree:
            table = np.array(data, dtype=int).reshape(len(data), conditions.features + 1)
            return learner.fit(conditions, table[:, :-1] == 1, table[:, -1], coins)

        return run

    return release


AUDITS = (
    AuditEntry(
        "gibbs_tree",
        "a decision tree from a table of features and labels; rows replaced, or added",
        _instance,
        unseen=(
            UndetectedVariant(
                "the first rows are taken for a sample",
                "no sample is taken",
                "gibbs_tree_sampled",
            ),
        ),
    ),
    AuditEntry(
        "gibbs_tree_sampled",
        "the same from a secret sample of the rows",
        _sampled,
    ),
)
