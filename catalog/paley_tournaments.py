"""Quadratic-residue (Paley) tournaments: one example teaches a concept if concepts do not clash."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from catalog.facts import known
from catalog.family import Family
from catalog.vector_spaces import require_prime
from lsclasses.errors import InvalidInput
from lsclasses.specifications import Parameter
from lsclasses.table import Table


class PaleyTournaments(Family):
    """The out-neighbourhoods of the quadratic-residue tournament.

    Examples
    --------
    >>> [(c.name, c.support) for c in PaleyTournaments().table(p=3)]
    [(0, (2,)), (1, (0,)), (2, (1,))]
    """

    name = "paley-tournaments"
    title = "Quadratic-residue tournament on GF(p)"
    definition = (
        "Points 0, ..., p-1, for a prime p that is 3 modulo 4. The concept of a is 1 at b iff "
        "a - b is a nonzero square modulo p. So for any two distinct a and b, either a is 1 at b "
        "or b is 1 at a."
    )
    reference = "Simon 2022; O. Bousquet's catalogue of combinatorial parameters"
    parameters = (Parameter("p", "prime that is 3 modulo 4", minimum=3, maximum=1 << 13),)
    facts = known(__file__, "paley-tournaments")

    def _check(self, *, p: int) -> None:
        if p % 4 != 3:
            raise InvalidInput(
                f"The parameter 'p' of {self.name!r} must be a prime that is 3 modulo 4, such as "
                f"3, 7, 11 or 19. Got p={p}."
            )
        require_prime(self.name, p, "p")

    def _shape(self, *, p: int) -> tuple[int, int]:
        return p, p

    def _table(self, *, p: int) -> Table:
        numbers = np.arange(p, dtype=np.int64)
        is_square = np.zeros(p, dtype=np.uint8)
        is_square[numbers[1:] ** 2 % p] = 1
        return Table(is_square[(numbers[:, None] - numbers[None, :]) % p], concepts=range(p))

    def instances(self) -> Iterator[dict[str, int]]:
        for p in (3, 7, 11, 19, 23):
            yield {"p": p}
