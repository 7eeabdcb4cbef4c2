"""Quadratic-residue tournaments against sums of squares."""

from __future__ import annotations

import itertools

import pytest

from catalog.paley_tournaments import PaleyTournaments
from lsclasses.errors import InvalidInput


@pytest.mark.parametrize("p", [3, 7, 11, 19])
def test_exactly_one_of_two_numbers_beats_the_other(p: int) -> None:
    C = PaleyTournaments().table(p=p)
    squares = {(x * x) % p for x in range(1, p)}
    assert [c.name for c in C] == list(C.points) == list(range(p))
    label = {(c.name, b): c(b) for c in C for b in C.points}
    assert {a - b for a, b in label if a >= b and label[a, b]} == squares
    for a, b in itertools.combinations(range(p), 2):
        assert label[a, b] + label[b, a] == 1
    for a, b in itertools.product(range(p), repeat=2):
        assert label[a, b] == label[(a + 1) % p, (b + 1) % p]
    assert not any(label[a, a] for a in range(p))


@pytest.mark.parametrize(
    ("p", "problem"),
    [
        (5, "must be a prime that is 3 modulo 4, such as 3, 7, 11 or 19. Got p=5."),
        (15, "'p' of 'paley-tournaments' must be a prime.*Got p=15 = 3"),
    ],
)
def test_other_numbers_are_refused(p: int, problem: str) -> None:
    with pytest.raises(InvalidInput, match=problem):
        PaleyTournaments().table(p=p)
