"""Enumeration of vectors and subspaces."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.formulas import GaussianBinomial
from catalog.vector_spaces import require_prime, subspace_counts, subspaces, vectors
from lsclasses import InvalidInput


@pytest.mark.parametrize(("q", "n"), [(2, 1), (2, 4), (3, 2), (5, 2)])
def test_vectors_come_in_lexicographic_order(q, n):
    assert [tuple(x) for x in vectors(q, n).tolist()] == list(itertools.product(range(q), repeat=n))


@pytest.mark.parametrize(
    ("q", "n", "j"), [(2, 3, 0), (2, 3, 1), (2, 4, 2), (2, 3, 3), (3, 3, 1), (3, 3, 2), (5, 2, 1)]
)
def test_every_subspace_comes_once_with_syndromes_that_tell_its_cosets_apart(q, n, j):
    X = [tuple(x) for x in vectors(q, n).tolist()]
    found = set()
    for basis, syndromes in subspaces(q, n, j):
        span = {
            tuple(sum(c * b[i] for c, b in zip(cs, basis, strict=True)) % q for i in range(n))
            for cs in itertools.product(range(q), repeat=j)
        }
        assert len(span) == q**j
        found.add(frozenset(span))
        syndrome = dict(zip(X, map(tuple, syndromes.tolist()), strict=True))
        for x, y in itertools.product(X, repeat=2):
            difference = tuple((a - b) % q for a, b in zip(x, y, strict=True))
            assert (syndrome[x] == syndrome[y]) == (difference in span)
            if difference in span and x in span:
                assert not any(syndrome[x])
    assert len(found) == subspace_counts(q, n, n)[j] == GaussianBinomial(n, j, q)


@given(st.integers(2, 200))
def test_only_primes_are_orders_of_prime_fields(q):
    if all(q % p for p in range(2, q)):
        require_prime("affine", q)
    else:
        with pytest.raises(InvalidInput, match=f"must be a prime.*Got q={q} = "):
            require_prime("affine", q)
