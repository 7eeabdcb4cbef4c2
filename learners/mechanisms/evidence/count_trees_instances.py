"""Small instances of `learners.mechanisms.count_trees` for its audits, chosen by their power."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Annotated

from learners.audit.instances import (
    AddRemove,
    AuditEntry,
    ClaimedDelta,
    ClaimedEpsilon,
    Instance,
    Margin,
    clipped,
    neighbouring_tables,
    relation,
)
from learners.coins import Coins
from learners.exact import CensoredCoins
from learners.mechanisms.count_trees import CountTree, Levels
from lsclasses.specifications import Option


def _instance(
    *,
    epsilon: ClaimedEpsilon = Fraction(4),
    delta: ClaimedDelta = Fraction(0),
    bins: Annotated[int, Option("bins of the histogram", minimum=1, maximum=4)] = 3,
    branching: Annotated[
        int, Option("nodes that make one of the next level, 0 for none", minimum=0, maximum=4)
    ] = 2,
    rows: Annotated[int, Option("rows of the table", minimum=1, maximum=4)] = 1,
    margin: Margin = 0,
    add_remove: AddRemove = False,
) -> Instance:
    """All neighbouring tables of a small size, with noisy counts clipped to a range.

    The range contains all possible counts and a margin on both sides. For independent Laplace
    noise, clipping does not reduce the loss between two tables. See
    `learners.rules.evidence.naive_bayes_instances` for the reason.
    """
    mechanism = CountTree(
        epsilon, bins, branching or None, delta or None, neighbours=relation(add_remove)
    )

    def release(tree: CountTree) -> Callable[[tuple[int, ...], Coins], Levels]:
        def run(data: tuple[int, ...], coins: Coins) -> Levels:
            noisy = CensoredCoins(coins, rows + margin)
            found = tree.release([data.count(place) for place in range(bins)], noisy)
            levels: Levels = clipped(found, -margin, rows + margin)
            return levels

        return run

    return Instance(
        mechanism, release, neighbouring_tables(list(range(bins)), rows, mechanism.neighbours)
    )


def _gaussian(
    *,
    epsilon: ClaimedEpsilon = Fraction(4),
    delta: ClaimedDelta = Fraction(1, 20),
    margin: Margin = 1,
    add_remove: AddRemove = False,
) -> Instance:
    """The tables of one row in one of three bins, with a delta that allows Gaussian noise."""
    return _instance(epsilon=epsilon, delta=delta, margin=margin, add_remove=add_remove)


AUDITS = (
    AuditEntry(
        "count_tree",
        "noisy counts of bins, and of groups of them; rows replaced, or added",
        _instance,
    ),
    AuditEntry(
        "count_tree_gaussian",
        "the same counts with discrete Gaussian noise",
        _gaussian,
        measured=Fraction(285, 100),
        reason="zCDP gives a larger epsilon than the noise loses at this delta, and counts are "
        "clipped",
    ),
)
