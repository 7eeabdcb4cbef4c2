"""Failure DAGs entry by entry: each must hold, whatever stands before it; how they are written and
drawn."""

from __future__ import annotations

from itertools import permutations

import pytest

from lsclasses import BadCertificate, Table
from lsclasses.certificates import Factor, FailureDAG, FailureEntry, FailureStep, Subject

SQUARE = Table([[0, 0], [0, 1], [1, 0], [1, 1]], domain=range(2))
"""Its Littlestone dimension is 2."""
SQUARE_AND_ONE = Table([[0, 0, 0], [0, 0, 1], [0, 1, 0], [0, 1, 1], [1, 0, 0]], domain=range(3))
"""Both sides of the points 1 and 2 split, and one side of the point 0 is a single concept."""


def dag(table: Table, dimension: int, *entries: FailureEntry) -> FailureDAG:
    return FailureDAG(Subject.of(table), dimension, entries)


@pytest.mark.parametrize(
    "order", list(permutations(("counting", "steps", "factors"))), ids="-".join
)
def test_what_is_refuted_before_an_entry_does_not_refute_it(order):
    """The last entry says that half the square has one concept, and the first one rests on it."""
    counted, last = 1 + order.index("counting"), 4
    true = {
        "counting": FailureEntry(1, 0, ((0, 0), (1, 0))),
        "steps": FailureEntry(2, 0, ((0, 0),), (FailureStep(1, 0),)),
        "factors": FailureEntry(2, 0, ((0, 1), (1, 0)), factors=(Factor(counted, ((1, 1, 0),)),)),
    }
    before = [true[kind] for kind in order]
    proof = dag(SQUARE, 2, FailureEntry(3), *before)
    proof.verify(SQUARE)
    assert FailureDAG.from_json(proof.to_json()) == proof
    steps = (FailureStep(0, 0, last), FailureStep(1, 0, last, ((0, 1, 0),)))
    forged = dag(SQUARE, 1, FailureEntry(2, steps=steps), *before, FailureEntry(1, 0, ((0, 0),)))
    with pytest.raises(BadCertificate, match=f"Entry {last}: counting does not exclude depth 1"):
        forged.verify(SQUARE)


def test_every_symmetry_is_looked_at():
    """The point 0 fails; what takes the others to it is no symmetry."""
    same = tuple((x, x, 0) for x in range(3))
    false = tuple((x, 0, 0) for x in range(3))
    step = FailureStep(0, 1)
    for symmetries in ((false,), (same, false), (false, same), (same, same, false)):
        forged = dag(SQUARE_AND_ONE, 1, FailureEntry(2, steps=(step,), symmetries=symmetries))
        number = symmetries.index(false)
        with pytest.raises(BadCertificate, match=f"symmetry {number} does not map"):
            forged.verify(SQUARE_AND_ONE)
    with pytest.raises(BadCertificate, match="no reason why 1 fails"):
        dag(SQUARE_AND_ONE, 1, FailureEntry(2, steps=(step,), symmetries=(same,))).verify(
            SQUARE_AND_ONE
        )


def test_restrictions_are_written_as_they_are_and_tell_the_version():
    """None, one or two of them; releases that read version 1 know entries with exactly one."""
    for given, version in (((), 2), (((0, 0),), 1), (((0, 0), (1, 1)), 2)):
        proof = dag(SQUARE, 2, FailureEntry(3), FailureEntry(3, 0, given))
        proof.verify(SQUARE)
        assert proof.version == proof.to_json()["version"] == version
        assert FailureDAG.from_json(proof.to_json()) == proof


def test_drawings_show_three_of_many_and_dots_for_the_rest():
    cube = Table([[i >> x & 1 for x in range(8)] for i in range(256)], domain=range(8))

    def group(points: range) -> Factor:
        return Factor(1, tuple((x, x, 0) for x in points))

    def steps(count: int) -> tuple[FailureStep, ...]:
        return tuple(FailureStep(x, 0, 2) for x in range(count))

    drawn = dag(
        cube,
        8,
        FailureEntry(9, factors=(group(range(4)),)),
        FailureEntry(7, steps=steps(4)),
        FailureEntry(6),
    )
    graph = drawn.to_networkx()
    assert graph.edges[0, 1]["label"] == "{0, 1, 2, ...}"
    assert graph.edges[1, 2]["label"] == "0=0, 1=0, 2=0, ..."
    assert [graph.nodes[i]["layer"] for i in range(3)] == [0, 2, 3]
    drawn = dag(
        cube,
        8,
        FailureEntry(9, factors=(group(range(3)),)),
        FailureEntry(7, steps=steps(3)),
        FailureEntry(6),
    )
    graph = drawn.to_networkx()
    assert graph.edges[0, 1]["label"] == "{0, 1, 2}"
    assert graph.edges[1, 2]["label"] == "0=0, 1=0, 2=0"
    reasons = [graph.nodes[i]["label"] for i in range(3)]
    assert reasons == [
        "#0: no depth 9 (1 factors)", "#1: no depth 7 (3 points)", "#2: no depth 6 (counting)"
    ]  # fmt: skip
