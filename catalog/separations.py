"""Small classes that separate combinatorial parameters, after O. Bousquet's catalogue.

No two even sets differ at only one point. The cube with an apex has hollow star number 2. Few
membership queries identify a coded singleton. The six-split class has no parameters.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

from catalog.cube import cube_vectors
from catalog.facts import known
from catalog.family import Family
from lsclasses.specifications import Parameter
from lsclasses.table import Table

REFERENCE = "O. Bousquet's catalogue of combinatorial parameters"


class EvenParity(Family):
    """All sets of an even number of points.

    Examples
    --------
    >>> [c.support for c in EvenParity().table(n=3)]
    [(), (1, 2), (0, 2), (0, 1)]
    """

    name = "even-parity"
    title = "Sets of an even number of n points"
    definition = (
        "Points 0, ..., n-1. The concepts are the sets of an even number of points. Any two "
        "concepts differ at two points or more."
    )
    reference = REFERENCE
    parameters = (Parameter("n", "number of points", minimum=1, maximum=28),)
    facts = known(__file__, "even-parity")

    def _shape(self, *, n: int) -> tuple[int, int]:
        return 2 ** (n - 1), n

    def _table(self, *, n: int) -> Table:
        first = cube_vectors(n - 1)
        return Table(np.column_stack([first, first.sum(axis=1) % 2]))

    def instances(self) -> Iterator[dict[str, int]]:
        for n in range(1, 8):
            yield {"n": n}


class CubeWithApex(Family):
    """All sets of n points, and one more point as a set.

    Examples
    --------
    >>> [c.support for c in CubeWithApex().table(n=2)]
    [(), (1,), (0,), (0, 1), ('apex',)]
    """

    name = "cube-with-apex"
    title = "All sets of n points, and the set of one more point"
    definition = (
        "Points 0, ..., n-1 and 'apex'. The concepts are the subsets of the first n points, and "
        "the set that contains only 'apex'."
    )
    reference = REFERENCE
    parameters = (Parameter("n", "number of points of the cube", minimum=1, maximum=28),)
    facts = known(__file__, "cube-with-apex")

    def _shape(self, *, n: int) -> tuple[int, int]:
        return 2**n + 1, n + 1

    def _table(self, *, n: int) -> Table:
        labels = np.zeros((2**n + 1, n + 1), dtype=np.uint8)
        labels[:-1, :n] = cube_vectors(n)
        labels[-1, n] = 1
        return Table(labels, [*range(n), "apex"])

    def instances(self) -> Iterator[dict[str, int]]:
        for n in range(1, 7):
            yield {"n": n}


class CodedSingletons(Family):
    """The empty set and all single points, with tag points for the binary code of each concept.

    Examples
    --------
    >>> for c in CodedSingletons().table(n=3):
    ...     print(c.name, c.support)
    0 ()
    1 (1, ('tag', 1))
    2 (2, ('tag', 0))
    3 (3, ('tag', 0), ('tag', 1))
    """

    name = "coded-singletons"
    title = "Numbers i <= n: point i if i >= 1, and the binary digits of i"
    definition = (
        "Points 1, ..., n and ('tag', 0), ..., ('tag', r-1) for r = floor(log2 n) + 1. Every "
        "number i <= n has a concept. Among the points 1, ..., n, it labels only the point i with "
        "1. It labels the tags with the binary digits of i, highest first."
    )
    reference = REFERENCE
    parameters = (Parameter("n", "number of singletons", minimum=1, maximum=1 << 14),)
    facts = known(__file__, "coded-singletons")

    def _shape(self, *, n: int) -> tuple[int, int]:
        return n + 1, n + n.bit_length()

    def _table(self, *, n: int) -> Table:
        tags = n.bit_length()
        labels = np.hstack([np.eye(n + 1, dtype=np.uint8)[:, 1:], cube_vectors(tags)[: n + 1]])
        points = [*range(1, n + 1), *(("tag", j) for j in range(tags))]
        return Table(labels, points, range(n + 1))

    def instances(self) -> Iterator[dict[str, int]]:
        for n in (*range(1, 10), 12, 13, 15, 16):
            yield {"n": n}


class BalancedSixSplit(Family):
    """The class of six elements, whose points are the ten splits of the six into two triples.

    Examples
    --------
    >>> C = BalancedSixSplit().table()
    >>> C, C.ldim(), C.points[0]
    (<Table: 6 concepts on 10 points>, 2, (1, 2, 3))
    """

    name = "balanced-six-split"
    title = "Six elements on the ten splits of their set into triples"
    definition = (
        "Points are the 10 triples of numbers 1 <= v <= 6 that contain 1. Each point represents "
        "the split into the triple and its complement. Every number v has a concept, which is 1 "
        "at the triples that contain v."
    )
    reference = REFERENCE
    facts = known(__file__, "balanced-six-split")

    def _shape(self) -> tuple[int, int]:
        return 6, 10

    def _table(self) -> Table:
        numbers = range(1, 7)
        triples = [each for each in itertools.combinations(numbers, 3) if 1 in each]
        return Table([[v in triple for triple in triples] for v in numbers], triples, numbers)

    def instances(self) -> Iterator[dict[str, int]]:
        yield {}
