"""Splitting a case of lessons loses none, and closing one takes none away.

Whether there are lessons is decided by trying all.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from lsclasses import Table
from lsclasses.certificates.cases.lessons import (
    LessonCase,
    Lessons,
    NoClash,
    PositiveNoClash,
    RecursiveTeaching,
    Teaching,
)
from tests.lsclasses.certificates.forging import unless_refused

POINTS = 3


def exist(claim: Lessons, state: LessonCase) -> bool:
    """Whether lessons of fewer points than claimed teach, that are as the case says."""
    rows = claim.rows
    numbers = [0] if state.target >= 0 else range(len(rows))
    possible = [
        [
            lesson
            for lesson in range(1 << POINTS)
            if lesson.bit_count() < claim.value
            and not state.chosen.get(i, 0) & ~lesson
            and not state.excluded.get(i, 0) & lesson
            and not (isinstance(claim, PositiveNoClash) and lesson & ~rows[i])
        ]
        for i in numbers
    ]
    if isinstance(claim, Teaching):
        others = [j for j in members_of(claim) if j != state.target]
        return any(all((rows[state.target] ^ rows[j]) & x for j in others) for x in possible[0])
    pairs = list(itertools.combinations(range(len(rows)), 2))
    return any(
        all((lessons[i] | lessons[j]) & (rows[i] ^ rows[j]) for i, j in pairs)
        for lessons in itertools.product(*possible)
    )


def members_of(claim: Teaching) -> list[int]:
    hardest = claim.positions("hardest")
    return list(hardest) if isinstance(claim, RecursiveTeaching) else list(range(len(claim.rows)))


def usable(claim: Lessons, state: LessonCase) -> list[int]:
    """The numbers of sets that are not met."""
    numbers = range(len(claim.rows) ** 2)
    return [n for n in numbers if unless_refused(claim.possible, state, n) is not None]


@pytest.mark.parametrize("kind", [Teaching, RecursiveTeaching, NoClash, PositiveNoClash])
def test_no_lessons_are_lost_on_random_classes(kind: Any) -> None:
    """Reasons are random lists of sets, with repetitions."""
    rng = np.random.default_rng(41)
    closed = split = 0
    for _ in range(50):
        labels = rng.integers(0, 2, (int(rng.integers(2, 8 if kind is Teaching else 6)), POINTS))
        table = Table(labels)
        for value in range(1, 4):
            hardest = rng.permutation(len(table))[: int(rng.integers(1, len(table) + 1))]
            claim = kind(table, value, {"hardest": tuple(hardest.tolist())})
            waiting = claim.start()
            for _ in range(6):
                if not waiting:
                    break
                state = waiting.pop(int(rng.integers(len(waiting))))
                found, sets = exist(claim, state), usable(claim, state)
                for size in range(5 if sets else 1):
                    reason = tuple(rng.choice(sets, size).tolist()) if size else ()
                    if claim.closed(state, reason):
                        assert not found, (state, reason)
                        closed += 1
                if sets:
                    cases = claim.cases(state, int(rng.choice(sets)))
                    assert found == any(exist(claim, case) for case in cases), state
                    waiting += cases
                    split += 1
    assert min(closed, split) > 50


def test_points_that_are_chosen_are_fewer_to_come() -> None:
    """One point of two is chosen, and two sets without a point in common are still to be met."""
    claim = Teaching(Table([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]), 3, {"hardest": (0,)})
    assert claim.closed(LessonCase(0, {0: 0b001}, {}), (2, 3))
    assert not claim.closed(LessonCase(0, {}, {}), (2, 3))
