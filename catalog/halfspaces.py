"""Halfspaces over the cube: all linear threshold functions, and those with an integer margin."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

import numpy as np

from catalog.cube import (
    as_labels,
    as_words,
    cube_points,
    cube_vectors,
    distinct,
    require_cube,
    table_of,
)
from catalog.facts import known
from catalog.family import Family
from lsclasses.domain import FiniteDomain
from lsclasses.errors import InvalidInput
from lsclasses.specifications import Parameter
from lsclasses.table import Table

CHUNK = 1 << 21
"""Approximate number of labels that are computed at a time."""

LEARNABLE_DIMENSION = 10_000
"""Largest dimension of a class. Learners run on such classes without a table."""

LARGEST_WEIGHT = (0, 1, 1, 2, 3, 5, 9)
"""Largest weights: entry n suffices as a bound on integer weights for n variables.

Every threshold function of n variables has integer weights of at most this absolute value.
"""

LTF_FACTS = known(__file__, "ltf")
LTF_COUNTS = tuple(int(fact.expression) for fact in LTF_FACTS if fact.quantity == "size")
"""Numbers of linear threshold functions of n = 0, ..., 6 variables."""


class LinearThresholdFunctions(Family):
    """All linear threshold functions of at most six variables.

    The table contains every function with integer weights up to 1, 1, 2, 3, 5, 9 (for n = 1, ...,
    6) and an integer threshold. Functions with weights in descending order come first, then their
    images under permuting and negating variables. These weights suffice, because the number of
    functions agrees with the known number (Muroga 1971; OEIS A000609).

    Examples
    --------
    >>> [LinearThresholdFunctions().table(n=n).size for n in range(5)]
    [2, 4, 14, 104, 1882]
    >>> LinearThresholdFunctions().table(n=4, signed=1).ldim()
    9
    """

    name = "ltf"
    packed = True
    title = "Linear threshold functions, x -> [<w, x> >= t], of n variables"
    definition = (
        "Points {0,1}^n, or {-1,1}^n when signed. The concepts are all functions that are 1 iff "
        "<w, x> >= t, for real weights w and a real threshold t."
    )
    reference = "Muroga 1971; OEIS A000609"
    parameters = (
        Parameter("n", "number of variables", minimum=0, maximum=len(LTF_COUNTS) - 1),
        Parameter.flag("signed", "use points with coordinates -1 and 1 instead of 0 and 1"),
    )
    facts = LTF_FACTS

    def _shape(self, *, n: int, signed: int) -> tuple[int, int]:
        return LTF_COUNTS[n], 2**n

    def _table(self, *, n: int, signed: int) -> Table:
        vectors = cube_vectors(n)
        weights = np.array(
            list(itertools.combinations_with_replacement(range(LARGEST_WEIGHT[n], -1, -1), n)),
            dtype=np.int64,
        )
        sums = weights @ vectors.T
        functions = np.concatenate([sums >= t for t in range(sums.max() + 2)])
        ordered = as_labels(distinct(as_words(functions)), 2**n)
        places = 1 << np.arange(n - 1, -1, -1)
        images = [
            distinct(
                np.concatenate(
                    [
                        as_words(
                            ordered[
                                :, (vectors[:, order] ^ np.array(flips, dtype=np.uint8)) @ places
                            ]
                        )
                        for flips in itertools.product((0, 1), repeat=n)
                    ]
                )
            )
            for order in map(list, itertools.permutations(range(n)))
        ]
        points = FiniteDomain(cube_points(n, signed=bool(signed)))
        return table_of(distinct(np.concatenate(images)), points)

    def instances(self) -> Iterator[dict[str, int]]:
        for n in range(6):
            yield {"n": n, "signed": 0}
        yield {"n": 2, "signed": 1}


class MarginHalfspaces(Family):
    """Homogeneous halfspaces over {-1,1}^d whose margin on all points is large.

    Examples
    --------
    Norm 3 and margin 1 allow the literals and the majorities of three:

    >>> C = MarginHalfspaces().table(d=4, norm=3, margin=1)
    >>> C.size == 2 * 4 + 8 * 4, C.ldim()
    (True, 5)
    """

    name = "margin-halfspaces"
    title = "Halfspaces with integer weights of bounded norm and large margin"
    definition = (
        "Points {-1,1}^d. The concepts are the functions that are 1 iff <w, x> > 0, for integer "
        "vectors w with |w_1| + ... + |w_d| <= norm and |<w, x>| >= margin at every point x. In "
        "the terms of [BF25], every concept has a margin rho of at least margin/norm."
    )
    reference = "[BF25, section 2]"
    parameters = (
        Parameter("d", "dimension of the space", minimum=1, maximum=LEARNABLE_DIMENSION),
        Parameter("norm", "largest sum of absolute weights", minimum=1, maximum=4096),
        Parameter("margin", "smallest absolute value of <w, x>", default=1, minimum=1),
    )
    facts = known(__file__, "margin-halfspaces")

    def _check(self, *, d: int, norm: int, margin: int) -> None:
        if norm < margin:
            raise InvalidInput(
                f"A halfspace with norm {norm} cannot have margin {margin}, so the class would be "
                f"empty. Use norm >= margin."
            )

    def _shape(self, *, d: int, norm: int, margin: int) -> tuple[int, int]:
        require_cube(d, "Halfspaces")
        vectors = sum(2**i * math.comb(d, i) * math.comb(norm, i) for i in range(d + 1))
        return vectors, 2**d

    def _table(self, *, d: int, norm: int, margin: int) -> Table:
        signs = (2 * cube_vectors(d).astype(np.int32) - 1).T
        step = max(1, CHUNK >> d)
        descending = _descending(d, norm)
        kept, functions = [], []
        for start in range(0, len(descending), step):
            weights = descending[start : start + step]
            sums = weights @ signs
            far = np.abs(sums).min(axis=1) >= margin
            kept.append(weights[far])
            functions.append(as_words(sums[far] > 0))
        chosen = _cheapest(np.concatenate(kept), np.concatenate(functions))
        vectors = itertools.chain.from_iterable(_rearranged(tuple(w)) for w in chosen.tolist())
        words = [
            as_words(np.array(some, dtype=np.int32) @ signs > 0)
            for some in iter(lambda: list(itertools.islice(vectors, step)), [])
        ]
        labels = as_labels(distinct(np.concatenate(words)), 2**d)
        return Table(labels, cube_points(d, signed=True))

    def instances(self) -> Iterator[dict[str, int]]:
        for d, norm, margin in (
            *((1, 1, 1), (1, 5, 2), (2, 1, 1), (2, 3, 1), (3, 1, 1), (3, 2, 1), (3, 3, 1)),
            *((3, 8, 2), (4, 1, 1), (4, 5, 2), (4, 3, 1), (4, 4, 1), (4, 5, 1), (4, 10, 2)),
            *((5, 2, 2), (5, 3, 1), (5, 5, 1), (5, 9, 1), (6, 3, 1), (8, 1, 1)),
        ):
            yield {"d": d, "norm": norm, "margin": margin}


def _descending(parts: int, norm: int) -> np.ndarray:
    """Return all descending tuples of `parts` natural numbers with sum at most `norm`, as rows."""
    weights = np.zeros((1, 0), dtype=np.int32)
    left = last = np.array([norm], dtype=np.int32)
    for _ in range(parts):
        choices = np.minimum(left, last) + 1
        starts = np.repeat(np.cumsum(choices) - choices, choices)
        last = (np.arange(len(starts)) - starts).astype(np.int32)
        left = np.repeat(left, choices) - last
        weights = np.column_stack([np.repeat(weights, choices, axis=0), last])
    return weights


def _cheapest(weights: np.ndarray, functions: np.ndarray) -> np.ndarray:
    """Return, for every function, the given weights with the fewest rearrangements."""
    d = weights.shape[1]
    repeated = np.ones(len(weights))
    run = np.ones(len(weights))
    for i in range(1, d):
        run = np.where(weights[:, i] == weights[:, i - 1], run + 1, 1)
        repeated *= run
    rearrangements = 2.0 ** np.count_nonzero(weights, axis=1) / repeated  # up to the factor d!
    order = np.lexsort((rearrangements, *functions.T))
    grouped = functions[order]
    first = np.ones(len(order), dtype=bool)
    first[1:] = (grouped[1:] != grouped[:-1]).any(axis=1)
    chosen: np.ndarray = weights[order[first]]
    return chosen


def _rearranged(weights: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield every vector that arises from permuting and negating the entries, each once."""
    if not weights:
        yield ()
    for weight in sorted(set(weights)):
        place = weights.index(weight)
        for others in _rearranged(weights[:place] + weights[place + 1 :]):
            yield (weight, *others)
            if weight:
                yield (-weight, *others)
