"""Numbers of queries and mistakes, and dimensions that a recursion over version spaces computes.

The *sides* of a version space at a point x are its concepts with label 0 and its concepts with
label 1 at x. If both sides are not empty, x *splits* the version space. A formula such as 1 + max
of both sides applies the same quantity to both sides. The version spaces of the dual class are sets
of points.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

import numpy as np

from catalog.atlas.columns.batch import (
    FREE,
    Batch,
    Subcube,
    column,
    largest,
    projections,
    shared,
    with_,
)

# ---- version spaces


@column()
def ldim(batch: Batch) -> np.ndarray:
    """Return the Littlestone dimension of each class.

    The dimension is the largest 1 + min(dimensions of both sides), over all points x that split the
    version space. It is 0 if no point splits the version space, and -1 if the version space is
    empty.
    """
    found = batch.shown.astype(np.int8) - 1
    for cube in batch.subcubes:
        for zeros, ones in batch.sides(cube):
            # An empty side gives 1 + (-1) = 0, the value of a version space without a split.
            deeper = np.where(batch.shown[cube], 1 + np.minimum(found[zeros], found[ones]), -1)
            np.maximum(found[cube], deeper, out=found[cube])
    return batch.of_whole(found)


@column(denominator=lambda points: 2 ** (points + 1))
def randomized_ldim(batch: Batch) -> np.ndarray:
    """Return the randomized Littlestone dimension RL of each class.

    RL is the largest 1/2 + (RL of side 0 + RL of side 1) / 2, over all points x that split the
    version space. It is 0 if no point splits the version space.
    """
    # Twice RL is an expected depth. For a subcube with f free points, it is a multiple of
    # 2^-(f - 1), so halving the sum of two sides is exact in units of 2^-points.
    depth = np.zeros(batch.shown.shape, dtype=np.int16)
    for cube in batch.subcubes:
        for zeros, ones in batch.sides(cube):
            deeper = (1 << batch.points) + (depth[zeros] + depth[ones]) // 2
            splits = batch.shown[zeros] & batch.shown[ones]
            np.maximum(depth[cube], np.where(splits, deeper, 0), out=depth[cube])
    return batch.of_whole(depth)


@column(sequence=True)
def zero_cover_number(batch: Batch) -> np.ndarray:
    """Return the zero cover numbers N(H, n) of each class H, for n = 0, 1, ..., points.

    N(H, n) is the largest N(H_0, n - 1) + N(H_1, n - 1), over all points x with sides H_0 and H_1.
    N(H, 0) is 1 for a non-empty class and 0 for the empty class.
    """
    found = batch.shown.astype(np.int8)
    of_whole = [batch.of_whole(found)]
    for _ in range(batch.points):
        # A point that is queried again leaves one side unchanged, and the other side empty.
        deeper = found.copy()
        for cube in batch.subcubes:
            for zeros, ones in batch.sides(cube):
                np.maximum(deeper[cube], found[zeros] + found[ones], out=deeper[cube])
        found = deeper
        of_whole.append(batch.of_whole(found))
    return np.stack(of_whole, axis=1)


@column()
def eluder_dim(batch: Batch) -> np.ndarray:
    """Return the eluder dimension of each class.

    The dimension is the largest 1 + max(dimensions of both sides), over all points x that split the
    version space. It is 0 if no point splits the version space.
    """
    found = batch.shown.astype(np.int8) - 1
    for cube in batch.subcubes:
        for zeros, ones in batch.sides(cube):
            splits = batch.shown[zeros] & batch.shown[ones]
            longer = np.maximum(found[zeros], found[ones]) + splits
            np.maximum(found[cube], longer, out=found[cube])
    return batch.of_whole(found)


# ---- dual


@column()
def dual_ldim(batch: Batch) -> np.ndarray:
    """Return the Littlestone dimension of the dual of each class.

    The recursion is over sets of points, and each concept splits a set into two parts.
    """
    found = np.zeros((2**batch.points, batch.classes), dtype=np.int8)
    for points in sorted(range(1, 2**batch.points), key=int.bit_count):
        for concept in range(2**batch.points):
            ones = points & concept
            if ones in (0, points):
                continue
            deeper = 1 + np.minimum(found[ones], found[points ^ ones])
            deeper[~batch.present[concept]] = 0
            np.maximum(found[points], deeper, out=found[points])
    everything: np.ndarray = found[-1]
    return everything


@column()
def dual_vcdim(batch: Batch) -> np.ndarray:
    """Return the VC dimension of the dual of each class, which is at most 2 on few points.

    The dimension is the largest number of concepts for which every pattern of their labels occurs
    at some point.
    """
    found = np.zeros(batch.classes, dtype=np.int8)
    everywhere = 2**batch.points - 1
    for concept in range(1, everywhere):
        found[batch.present[concept]] = 1
    for c, d in itertools.combinations(range(2**batch.points), 2):
        if c & d and c & ~d and d & ~c and everywhere & ~(c | d):
            found[batch.present[c] & batch.present[d]] = 2
    return found


# ---- games


LARGE = np.int8(100)
Cost = Callable[[Batch, np.ndarray, Subcube], np.ndarray]
"""Cost of a query in a subcube with at least two concepts, given the costs of smaller subcubes."""


@column()
def membership_queries(batch: Batch) -> np.ndarray:
    """Return the least number Q of membership queries that identify a concept, for each class.

    Q is the least cost of a query at a point x. The cost is 1 + max(Q of both sides) if x splits
    the version space. If one side is empty, the cost is the Q of the other side.
    """
    found = batch.shown.astype(np.int8) - 1
    for cube in batch.subcubes:
        if FREE in cube:
            found[cube] = LARGE
        for zeros, ones in batch.sides(cube):
            splits = batch.shown[zeros] & batch.shown[ones]
            np.minimum(found[cube], np.maximum(found[zeros], found[ones]) + splits, out=found[cube])
    return batch.of_whole(found)


@column()
def equivalence_queries(batch: Batch) -> np.ndarray:
    """Return the least number of equivalence queries with any labellings, for each class.

    This number is the Littlestone dimension.
    """
    return ldim(batch)


def identified(batch: Batch, cost: Cost) -> np.ndarray:
    """Return the least number of queries after which one concept remains, for each class.

    Parameters
    ----------
    batch : Batch
    cost : callable
        Function that returns the least cost of the next query in a subcube with at least two
        concepts.
    """
    found = batch.shown.astype(np.int8) - 1
    concepts = batch.counts(batch.present)
    for cube in batch.subcubes:
        if FREE in cube:
            found[cube] = np.where(concepts[cube] > 1, cost(batch, found, cube), found[cube])
    return batch.of_whole(found)


@column()
def proper_equivalence_queries(batch: Batch) -> np.ndarray:
    """Return the least number Q of equivalence queries with concepts of each class.

    A query proposes a concept h of the version space. The answer names a point x at which h is
    wrong. So Q is the least, over all h, of 1 + the largest Q of a side with the label 1 - h(x).
    """
    return identified(batch, _proposed)


def _proposed(batch: Batch, found: np.ndarray, cube: Subcube) -> np.ndarray:
    """Return the least cost of proposing a concept of a subcube that is not a single concept."""
    free = [axis for axis, entry in enumerate(cube) if entry == FREE]
    least = np.full(batch.classes, LARGE)
    for concept in itertools.product(*((0, 1) if y == FREE else (y,) for y in cube)):
        worst = found[with_(cube, free[0], 1 - concept[free[0]])]
        for axis in free[1:]:
            worst = np.maximum(worst, found[with_(cube, axis, 1 - concept[axis])])
        # A concept outside of the class must not be proposed.
        np.minimum(least, np.where(batch.shown[concept], worst + 1, LARGE), out=least)
    return least


def _asked(batch: Batch, found: np.ndarray, cube: Subcube) -> np.ndarray:
    """Return the least cost of a query at a point that splits the class in a subcube."""
    least = np.full(batch.classes, LARGE)
    for zeros, ones in batch.sides(cube):
        splits = batch.shown[zeros] & batch.shown[ones]
        worst = np.maximum(found[zeros], found[ones]) + 1
        np.minimum(least, np.where(splits, worst, LARGE), out=least)
    return least


def _asked_or_improper(batch: Batch, found: np.ndarray, cube: Subcube) -> np.ndarray:
    """Return the least cost of a membership query, or of proposing any labelling."""
    sides = [np.minimum(found[zeros], found[ones]) for zeros, ones in batch.sides(cube)]
    least: np.ndarray = np.minimum(np.maximum.reduce(sides) + 1, _asked(batch, found, cube))
    return least


def _asked_or_proposed(batch: Batch, found: np.ndarray, cube: Subcube) -> np.ndarray:
    """Return the least cost of a membership query, or of proposing a concept of the class."""
    least: np.ndarray = np.minimum(_proposed(batch, found, cube), _asked(batch, found, cube))
    return least


def _claimed(batch: Batch, found: np.ndarray, cube: Subcube) -> np.ndarray:
    """Return the least cost of claiming labels at some points."""
    least = np.full(batch.classes, LARGE)
    for claimed in itertools.product(*((FREE, 0, 1) if y == FREE else (y,) for y in cube)):
        if claimed != cube:
            worst = found[claimed]
            for axis, y in enumerate(claimed):
                if y != cube[axis]:
                    worst = np.maximum(worst, found[with_(cube, axis, 1 - y)])
            np.minimum(least, worst + 1, out=least)
    return least


@column()
def membership_equivalence_queries(batch: Batch) -> np.ndarray:
    """Return the least number Q of queries of two types that identify a concept, for each class.

    A query is a membership query or proposes any labelling. Q is 1 + the smaller of two numbers.
    For a membership query, the number is the least, over the points x, of the larger Q of the two
    sides at x. For a proposed labelling, the number is the largest, over the points x, of the
    smaller Q of the two sides.
    """
    return identified(batch, _asked_or_improper)


@column()
def membership_proper_equivalence_queries(batch: Batch) -> np.ndarray:
    """Return the least number Q of queries of two types that identify a concept, for each class.

    A query is a membership query or proposes a concept of the class. Q is 0 for a single concept.
    Otherwise, it is the smaller of two costs: the least cost of a membership query, and the least
    cost of proposing a concept of the version space.
    """
    return identified(batch, _asked_or_proposed)


@column()
def projected_membership_queries(batch: Batch) -> np.ndarray:
    """Return the largest number of membership queries of a projection of each class."""
    return largest(membership_queries(each) for each in projections(batch))


@column()
def majority_queries(batch: Batch) -> np.ndarray:
    """Return the majority complexity M of each class.

    M is the largest 1 + M(side), over all non-empty sides with at most half of the concepts of the
    version space. It is 0 if no such side exists.
    """
    found = batch.shown.astype(np.int8) - 1
    concepts = batch.counts(batch.present)
    for cube in batch.subcubes:
        for side in itertools.chain.from_iterable(batch.sides(cube)):
            less = 2 * concepts[side] <= concepts[cube]
            longer = np.where(batch.shown[side] & less, found[side] + 1, 0)
            np.maximum(found[cube], longer, out=found[cube], where=batch.shown[cube])
    return batch.of_whole(found)


@column()
def partial_equivalence_queries(batch: Batch) -> np.ndarray:
    """Return the least number Q of partial equivalence queries that identify a concept.

    Q is computed for each class. It is the least, over all claims, of 1 + the largest Q after an
    answer. A claim states labels at some points. The answer confirms all labels, or names a point
    with a wrong label. The version space then consists of the concepts that agree with the answer.
    """
    return identified(batch, _claimed)


def paid(zeros: np.ndarray, ones: np.ndarray) -> np.ndarray:
    """Return the number of mistakes if the learner must next predict the label of a given point.

    Parameters
    ----------
    zeros, ones : array of int
        Number of mistakes after the label 0 and after the label 1, or -1 for an impossible label.
    """
    cost: np.ndarray = np.maximum(zeros, ones) + ((zeros == ones) & (zeros >= 0))
    return cost


@column()
def self_directed_mistakes(batch: Batch) -> np.ndarray:
    """Return the number of mistakes of a self-directed learner, for each class.

    The learner chooses the next point, so the number is the least number of `paid` at any point.
    """
    found = batch.shown.astype(np.int8) - 1
    for cube in batch.subcubes:
        if FREE in cube:
            found[cube] = np.minimum.reduce(
                [paid(found[zeros], found[ones]) for zeros, ones in batch.sides(cube)]
            )
    return batch.of_whole(found)


@shared
def _in_orders(batch: Batch) -> tuple[np.ndarray, np.ndarray]:
    """Return the least and the largest cost over all orders of the points."""

    def orders(costs: np.ndarray) -> Iterator[np.ndarray]:
        """Yield the costs in every order, given the final costs after all points are queried."""
        if costs.ndim == 1:
            yield costs
        for axis in range(costs.ndim - 1):
            yield from orders(paid(costs.take(0, axis), costs.take(1, axis)))

    end = batch.present.astype(np.int8) - 1
    least = most = None
    for costs in orders(end.reshape((2,) * batch.points + (batch.classes,))):
        least = costs if least is None else np.minimum(least, costs)
        most = costs if most is None else np.maximum(most, costs)
    assert least is not None
    assert most is not None
    return least, most


@column()
def best_order_mistakes(batch: Batch) -> np.ndarray:
    """Return the number of forced mistakes in the best order of the points, for each class."""
    return _in_orders(batch)[0]


@column()
def worst_order_mistakes(batch: Batch) -> np.ndarray:
    """Return the number of forced mistakes in the worst order of the points, for each class."""
    return _in_orders(batch)[1]


@column(sequence=True, most_points=4)
def transductive_mistakes(batch: Batch) -> np.ndarray:
    """Return the numbers of transductive mistakes in n = 0, 1, ... rounds, for each class.

    Entry n is the largest `worst_order_mistakes` of a projection to n points.
    """
    curve = np.zeros((batch.classes, batch.points + 1), dtype=np.int8)
    for each in projections(batch):
        entry = curve[:, each.points]
        np.maximum(entry, worst_order_mistakes(each), out=entry)
    return curve
