"""Subspaces against their closure properties."""

from __future__ import annotations

import itertools

import pytest

from catalog.affine import AffineSubspaces, LinearSubspaces


def vectors(q, n):
    return list(itertools.product(range(q), repeat=n))


def combination(coefficients, members, q):
    pairs = list(zip(coefficients, members, strict=True))
    return tuple(sum(c * x[i] for c, x in pairs) % q for i in range(len(members[0])))


def subsets(points):
    for size in range(len(points) + 1):
        yield from map(frozenset, itertools.combinations(points, size))


def is_flat(members, q):
    """Nonempty and closed under s x + t y + u z with s + t + u = 1."""
    affine = [cs for cs in itertools.product(range(q), repeat=3) if sum(cs) % q == 1]
    return bool(members) and all(
        combination(cs, xs, q) in members
        for xs in itertools.product(members, repeat=3)
        for cs in affine
    )


def is_linear(members, q):
    """Nonempty and closed under s x + t y."""
    return bool(members) and all(
        combination(cs, xs, q) in members
        for xs in itertools.product(members, repeat=2)
        for cs in itertools.product(range(q), repeat=2)
    )


SMALL = [(2, 1), (2, 2), (2, 3), (3, 1), (3, 2), (5, 1), (7, 1)]


@pytest.mark.parametrize(("q", "n"), SMALL)
def test_flats_are_the_sets_closed_under_affine_combinations(q, n):
    flats = {S for S in subsets(vectors(q, n)) if len(S) in _powers(q, n) and is_flat(S, q)}
    for k in range(n + 1):
        expected = {S for S in flats if len(S) <= q**k}
        assert sets(AffineSubspaces().table(q=q, n=n, k=k)) == expected
        assert sets(AffineSubspaces().table(q=q, n=n, k=k, empty=1)) == expected | {frozenset()}


@pytest.mark.parametrize(("q", "n"), SMALL)
def test_subspaces_are_the_sets_closed_under_linear_combinations(q, n):
    linear = {S for S in subsets(vectors(q, n)) if len(S) in _powers(q, n) and is_linear(S, q)}
    for k in range(n + 1):
        expected = {S for S in linear if len(S) <= q**k}
        assert sets(LinearSubspaces().table(q=q, n=n, k=k)) == expected


def _powers(q, n):
    return {q**j for j in range(n + 1)}


def sets(table):
    return {frozenset(c.support) for c in table}


@pytest.mark.parametrize(("q", "n", "k"), [(2, 3, 2), (3, 2, 2), (5, 2, 1)])
def test_a_flat_is_named_by_its_least_vector_and_directions(q, n, k):
    for c in AffineSubspaces().table(q=q, n=n, k=k, empty=1):
        if c.name == ():
            assert c.support == ()
            continue
        origin, *directions = c.name
        assert origin == min(c.support)
        assert set(c.support) == {
            combination((1, *cs), (origin, *directions), q)
            for cs in itertools.product(range(q), repeat=len(directions))
        }
        assert len(c.support) == q ** len(directions)


@pytest.mark.parametrize(("q", "n", "k"), [(2, 3, 3), (3, 3, 2), (5, 2, 2)])
def test_a_subspace_is_named_by_its_basis(q, n, k):
    for c in LinearSubspaces().table(q=q, n=n, k=k):
        zero = (0,) * n
        assert set(c.support) == {
            combination((1, *cs), (zero, *c.name), q)
            for cs in itertools.product(range(q), repeat=len(c.name))
        }
