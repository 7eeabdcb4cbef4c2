"""Blockwise addressing: few points teach a concept, although blocks of d points are shattered."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from catalog.cube import cube_vectors
from catalog.facts import known
from catalog.family import Family
from lsclasses.specifications import Parameter
from lsclasses.table import Table


class BlockwiseAddressing(Family):
    """Concepts that each show a number i < 2^d twice: as one point, and as binary digits.

    Examples
    --------
    >>> for c in BlockwiseAddressing().table(d=1):
    ...     print(c.name, c.support)
    ('f', 0) (('x', 0),)
    ('f', 1) (('x', 1), ('y', 0), ('y', 1))
    ('g', 0) ('z', ('y', 0))
    ('g', 1) ('z', ('x', 0), ('x', 1), ('y', 1))
    """

    name = "blockwise-addressing"
    title = "Numbers i < 2^d: point i, and the digits of i in each block"
    definition = (
        "Points 'z', ('x', j) and ('y', j) for 0 <= j < 2^d. Every i < 2^d has two concepts. The "
        "concept ('f', i) is 0 at 'z'. Among the points x, it is 1 only at ('x', i). Its label at "
        "('y', j) is the binary digit j mod d of i, where digit 0 is the highest of d digits. The "
        "concept ('g', i) is 1 at 'z', and at the other points it is ('f', i) with x and y "
        "exchanged. So the concepts ('f', i) shatter every block of d consecutive points y, and "
        "the concepts ('g', i) shatter every block of d consecutive points x."
    )
    reference = "O. Bousquet's catalogue of combinatorial parameters"
    parameters = (Parameter("d", "length of the blocks", minimum=1, maximum=13),)
    facts = known(__file__, "blockwise-addressing")

    def _shape(self, *, d: int) -> tuple[int, int]:
        return 2 ** (d + 1), 2 ** (d + 1) + 1

    def _table(self, *, d: int) -> Table:
        own = np.eye(2**d, dtype=np.uint8)
        blocks = cube_vectors(d)[:, np.arange(2**d) % d]
        z = np.zeros((2**d, 1), dtype=np.uint8)
        labels = np.concatenate(
            [np.hstack([z, own, blocks]), np.hstack([1 - z, blocks, own])], axis=0
        )
        points = ["z", *((kind, j) for kind in "xy" for j in range(2**d))]
        return Table(labels, points, [(kind, i) for kind in "fg" for i in range(2**d)])

    def instances(self) -> Iterator[dict[str, int]]:
        for d in range(1, 6):
            yield {"d": d}
