"""Small instances of `learners.mechanisms.count_trees` for its audits, chosen by their power."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Annotated

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
from learners.mechanisms.count_trees import CountTree, Levels
from lsclasses.specifications import Option


def _instance(
    *,
    epsilon: ClaimedEpsilon = Fraction(4),
    bins: Annotated[int, Option("bins of the histogram", minimum=1, maximum=4)] = 2,
    branching: Annotated[
        int, Option("nodes that make one of the next level, 0 for none", minimum=0, maximum=4)
    ] = 0,
    rows: Annotated[int, Option("rows of the table", minimum=1, maximum=4)] = 2,
    add_remove: AddRemove = False,
) -> Instance:
    """All neighbouring tables of a small size; counts are clipped to what is possible.

    Clipping loses nothing of the loss between two tables, as for `learners.rules.naive_bayes`.
    """
    mechanism = CountTree(epsilon, bins, branching or None, neighbours=relation(add_remove))

    def release(tree: CountTree) -> Callable[[tuple[int, ...], Coins], Levels]:
        def run(data: tuple[int, ...], coins: Coins) -> Levels:
            found = tree.release([data.count(place) for place in range(bins)], coins)
            return tuple(tuple(min(max(x, 0), rows) for x in level) for level in found)

        return run

    return Instance(
        mechanism, release, neighbouring_tables(list(range(bins)), rows, mechanism.neighbours)
    )


AUDITS = (
    AuditEntry(
        "count_tree",
        "noisy counts of bins, and of groups of them; rows replaced, or added",
        _instance,
        unseen=(
            Unseen(
                "noise for one level",
                "there is one level; the noise of two has many more values, unless it is small",
                "count_tree:bins=3,branching=2,rows=1,epsilon=14",
            ),
        ),
    ),
)
