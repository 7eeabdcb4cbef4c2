"""Sorted sets that know their longest gaps."""

from __future__ import annotations

import itertools
import pickle

from hypothesis import given
from hypothesis import strategies as st

from catalog.closed_forms.cuts import CutSet


@given(st.sets(st.integers(1, 99), max_size=30), st.randoms(use_true_random=False))
def test_cuts_are_a_sorted_set(chosen: set[int], random: object) -> None:
    order = sorted(chosen)
    random.shuffle(order)  # type: ignore[attr-defined]
    cuts = CutSet(0, 100)
    for cut in order:
        grown = cuts.with_cut(cut)
        assert len(grown) == len(cuts) + 1
        assert cut not in list(cuts)
        cuts = grown
    expected = [0, *sorted(chosen), 100]
    assert list(cuts) == expected
    assert len(cuts) == len(expected)
    gaps = list(itertools.pairwise(expected))
    assert cuts.longest == tuple(sorted(b - a for a, b in gaps)[-3:])
    for distance in range(1, 101):
        assert sorted(cuts.gaps_of(distance)) == [(a, b) for a, b in gaps if b - a == distance]
    for x in range(1, 100):
        assert cuts.around(x) == (
            max(c for c in expected if c < x),
            min(c for c in expected if c >= x),
        )


@given(
    st.lists(st.integers(1, 9), unique=True, max_size=6),
    st.lists(st.integers(1, 9), unique=True, max_size=6),
)
def test_cuts_are_equal_iff_the_sets_are(one: list[int], other: list[int]) -> None:
    a, b = CutSet(0, 10), CutSet(0, 10)
    for cut in one:
        a = a.with_cut(cut)
    for cut in other:
        b = b.with_cut(cut)
    assert (a == b) == (set(one) == set(other))
    assert a != b or hash(a) == hash(b)
    assert pickle.loads(pickle.dumps(a)) == a


def test_the_tree_is_not_deep() -> None:
    cuts = CutSet(-1, 2000)
    for cut in range(2000):
        cuts = cuts.with_cut(cut)

    def depth(node: object) -> int:
        return 0 if node is None else 1 + max(depth(node.left), depth(node.right))  # type: ignore[attr-defined]

    assert depth(cuts._root) < 40
