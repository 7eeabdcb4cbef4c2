"""Splitting a case of a star, hollow star or line loses none, and closing one takes none away.

Whether a case takes in an object is decided by trying all, from what a case says of it.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import pytest

from lsclasses import Table
from lsclasses.certificates.cases.patterns import (
    HollowStar,
    PartOfSample,
    PartOfStar,
    Rest,
    StarNumberClaim,
    ThresholdLine,
    _largest,
)
from lsclasses.certificates.cases.replay import DimensionClaim, members


def with_star(claim: StarNumberClaim, state: PartOfStar) -> bool:
    rows = claim.rows
    missing = max(0, claim.value + 1 - len(state.rays))
    for added in itertools.combinations(members(state.points), missing):
        among = sum(1 << x for x in added)
        for centre in members(state.centres):
            differing = {(rows[c] ^ rows[centre]) & among for c in members(state.centres)}
            rays = ({(rows[c] ^ rows[centre]) & among for c in members(r)} for r in state.rays)
            if all(1 << x in differing for x in added) and all(0 in each for each in rays):
                return True
    return False


def with_hollow_star(claim: HollowStar, state: PartOfSample) -> bool:
    against = [claim._against(e) for e in range(2 * len(claim.columns))]
    for added in subsets(members(state.allowed)):
        if len(state.alone) + len(added) <= claim.value or len({e >> 1 for e in added}) < len(
            added
        ):
            continue
        times = [sum(against[e] >> c & 1 for e in added) for c in range(len(claim.rows))]
        alone = [[times[c] for c in members(state.agreeing & against[e])] for e in added]
        alone += [[times[c] + 1 for c in members(each)] for each in state.alone]
        if all(times[c] for c in members(state.agreeing)) and all(1 in each for each in alone):
            return True
    return False


def with_line(claim: ThresholdLine, state: Rest) -> bool:
    def longer(points: int, concepts: int, length: int) -> bool:
        return length == 0 or any(
            longer(points & claim.rows[c], concepts & ~claim.columns[x], length - 1)
            for c in members(concepts)
            for x in members(points & claim.rows[c])
        )

    return longer(state.points, state.concepts, state.length)


def subsets(numbers: Iterable[int]) -> list[tuple[int, ...]]:
    listed = list(numbers)
    return [s for k in range(len(listed) + 1) for s in itertools.combinations(listed, k)]


def choices(state: Any) -> Sequence[int]:
    if isinstance(state, Rest):
        return [0] if state.length > 1 else []
    return list(members(state.points if isinstance(state, PartOfStar) else state.agreeing))


def wander(
    claim: DimensionClaim[Any], exists: Callable[[Any, Any], bool], rng: Any
) -> tuple[int, int]:
    """Split cases at random; how many were closed, and how many split, with an object or not."""
    closed = split = 0
    waiting = [*claim.start()]
    while waiting and split < 12:
        state = waiting.pop(int(rng.integers(len(waiting))))
        claim.visit(state)
        found = exists(claim, state)
        if claim.closed(state, ()):
            assert not found, state
            closed += 1
        elif choices(state):
            cases = claim.cases(state, int(rng.choice(choices(state))))
            assert not found or any(exists(claim, case) for case in cases), state
            waiting += cases
            split += 1
    return closed, split


@pytest.mark.parametrize(
    ("kind", "exists"),
    [(StarNumberClaim, with_star), (HollowStar, with_hollow_star), (ThresholdLine, with_line)],
)
def test_no_object_is_lost_on_random_classes(kind: Any, exists: Any) -> None:
    """Of three to ten concepts on four points, whatever the claim; most cases are of no use."""
    rng = np.random.default_rng(41)
    closed = split = 0
    for _ in range(60):
        labels = rng.integers(0, 2, (int(rng.integers(3, 11)), 4))
        for value in range(4):
            once = wander(kind(Table(labels), value, {}), exists, rng)
            closed, split = closed + once[0], split + once[1]
    assert min(closed, split) > 100


def test_only_sets_that_are_part_of_others_are_left_out() -> None:
    assert _largest([0b11, 0b111, 0b11000, 0b111, 0b10]) == [0b111, 0b11000]
    assert _largest([0, 0]) == [0] and _largest([]) == []
