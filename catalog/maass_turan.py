"""Three classes that separate models of on-line learning: addressing, majority, tagged singletons.

They are due to Maass and Turán ("Lower bound methods and separation results for on-line learning
models", Machine Learning 9, 1992).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

from catalog.cube import cube_vectors
from catalog.facts import known
from catalog.family import Family
from lsclasses.point_names import Point
from lsclasses.specifications import Parameter
from lsclasses.table import Table

REFERENCE = "Maass and Turán 1992"


class Addressing(Family):
    """All addresses in binary digits, each with label 1 at the data point of the address.

    Examples
    --------
    >>> for c in Addressing().table(k=2):
    ...     print(c.name, c.support)
    0 (('data', 0),)
    1 (('address', 1), ('data', 1))
    2 (('address', 0), ('data', 2))
    3 (('address', 0), ('address', 1), ('data', 3))
    """

    name = "addressing"
    title = "Numbers i < 2^k: the binary digits of i, and data point i"
    definition = (
        "Points ('address', 0), ..., ('address', k-1) and ('data', 0), ..., ('data', 2^k - 1). "
        "Every number i < 2^k has a concept. It labels the address points with the binary digits "
        "of i, highest first. Among the data points, it labels only ('data', i) with 1. This is "
        "Maass and Turán's class on n = 2^k data points."
    )
    reference = REFERENCE
    parameters = (Parameter("k", "number of address bits", minimum=1, maximum=28),)
    facts = known(__file__, "addressing")

    def _shape(self, *, k: int) -> tuple[int, int]:
        return 2**k, 2**k + k

    def _table(self, *, k: int) -> Table:
        points = [("address", i) for i in range(k)] + [("data", i) for i in range(2**k)]
        labels = np.concatenate([cube_vectors(k), np.eye(2**k, dtype=np.uint8)], axis=1)
        return Table(labels, points, range(2**k))

    def instances(self) -> Iterator[dict[str, int]]:
        for k in range(1, 6):
            yield {"k": k}


class Majority(Family):
    """All subsets of n points, with one more point that is 1 if the subset is a majority.

    Examples
    --------
    >>> [c.support for c in Majority().table(n=2)]
    [(), (1,), (0,), (0, 1, 'majority')]
    """

    name = "majority"
    title = "Subsets S of n points, with the bit [|S| > n/2]"
    definition = (
        "Points 0, ..., n-1 and 'majority'. Every subset S of the first n points has a concept. "
        "The concept contains the points of S. It contains 'majority' iff S has more than n/2 "
        "elements."
    )
    reference = REFERENCE
    parameters = (Parameter("n", "number of voting points", minimum=1, maximum=28),)
    facts = known(__file__, "majority")

    def _shape(self, *, n: int) -> tuple[int, int]:
        return 2**n, n + 1

    def _table(self, *, n: int) -> Table:
        votes = cube_vectors(n)
        majority = 2 * votes.sum(axis=1, dtype=np.int64) > n
        return Table(np.column_stack([votes, majority]), [*range(n), "majority"])

    def instances(self) -> Iterator[dict[str, int]]:
        for n in range(1, 9):
            yield {"n": n}


class TaggedSingletons(Family):
    """Single points, each with one of few tags, so that a majority vote always determines a tag.

    Examples
    --------
    >>> [c.support for c in TaggedSingletons().table(n=3)]  # doctest: +NORMALIZE_WHITESPACE
    [(), (('tag', 1),), (('tag', 2),), (1, ('tag', 1)), (2, ('tag', 1)), (3, ('tag', 1))]
    """

    name = "tagged-singletons"
    title = "Points i with a tag f(i), single tags, and the empty set"
    definition = (
        "Points 1, ..., n and ('tag', 1), ..., ('tag', t) with t = ceiling(log2 n). The concepts "
        "are the empty set, the sets of a single tag, and the sets of a point i and the tag f(i). "
        "The tag f(i) of a point i is the least l with i <= n/2 + n/4 + ... + n/2^l + t + 1. "
        "For every tag l that is less than some f(i), the following holds. Of the concepts that "
        "contain none of the tags 1, ..., l - 1, more than half contain the tag l."
    )
    reference = (
        "Maass and Turán 1992; f as restated in O. Bousquet's catalogue of combinatorial parameters"
    )
    parameters = (Parameter("n", "number of singletons", minimum=2, maximum=1 << 14),)
    facts = known(__file__, "tagged-singletons")

    def _shape(self, *, n: int) -> tuple[int, int]:
        tags = (n - 1).bit_length()
        return n + tags + 1, n + tags

    def _table(self, *, n: int) -> Table:
        tags = (n - 1).bit_length()
        tag_names = [("tag", number) for number in range(1, tags + 1)]
        sets: list[tuple[Point, ...]] = [(), *((name,) for name in tag_names)]
        sets += [(i, ("tag", _tag(i, n, tags))) for i in range(1, n + 1)]
        return Table.from_sets([*range(1, n + 1), *tag_names], sets)

    def instances(self) -> Iterator[dict[str, int]]:
        for n in (*range(2, 13), 16, 17, 33):
            yield {"n": n}


def _tag(i: int, n: int, tags: int) -> int:
    """Return the least l with i <= n (1 - 2^-l) + tags + 1."""
    return next(
        number for number in itertools.count(1) if (i - tags - 1) * 2**number <= n * (2**number - 1)
    )
