"""The separating classes of Maass and Turán, concept by concept."""

from __future__ import annotations

import itertools
import math

import pytest

from catalog.maass_turan import Addressing, Majority, TaggedSingletons


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_addresses_point_to_their_data(k):
    C = Addressing().table(k=k)
    bits = set()
    for c in C:
        address = "".join(str(c(("address", i))) for i in range(k))
        assert [c(("data", i)) for i in range(2**k)].index(1) == int(address, 2) == c.name
        assert sum(c(("data", i)) for i in range(2**k)) == 1
        bits.add(address)
    assert len(bits) == len(C) == 2**k


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_majorities(n):
    C = Majority().table(n=n)
    votes = {tuple(c(i) for i in range(n)): c("majority") for c in C}
    assert set(votes) == set(itertools.product((0, 1), repeat=n))
    assert all(majority == (sum(S) > n / 2) for S, majority in votes.items())


@pytest.mark.parametrize("n", [2, 3, 4, 5, 7, 8, 9, 10, 11, 15, 16, 17, 33, 100])
def test_tagged_singletons(n):
    C = TaggedSingletons().table(n=n)
    t = math.ceil(math.log2(n))
    tags = {("tag", number) for number in range(1, t + 1)}
    assert set(C.points) == {*range(1, n + 1), *tags}
    sets = {frozenset(c.support) for c in C}
    assert len(sets) == n + t + 1
    assert frozenset() in sets
    assert {frozenset({tag}) for tag in tags} <= sets
    for i in range(1, n + 1):
        number = next(f for f in range(1, t + 1) if i <= n * (1 - 0.5**f) + t + 1)
        assert frozenset({i, ("tag", number)}) in sets
