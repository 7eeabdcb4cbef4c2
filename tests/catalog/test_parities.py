"""Functionals over GF(2) against their defining equations."""

from __future__ import annotations

import itertools

import pytest

from catalog.parities import AffineFunctionals, Parities


def functions(n):
    """All functions from GF(2)^n to GF(2), as dictionaries."""
    points = list(itertools.product((0, 1), repeat=n))
    for labels in itertools.product((0, 1), repeat=2**n):
        yield dict(zip(points, labels, strict=True))


def plus(*vectors):
    return tuple(sum(entries) % 2 for entries in zip(*vectors, strict=True))


@pytest.mark.parametrize("n", [1, 2, 3])
def test_parities_are_the_additive_functions(n):
    additive = {
        tuple(x for x in f if f[x])
        for f in functions(n)
        if all(f[plus(x, y)] == (f[x] + f[y]) % 2 for x, y in itertools.product(f, repeat=2))
    }
    assert {c.support for c in Parities().table(n=n)} == additive


@pytest.mark.parametrize("n", [1, 2, 3])
def test_affine_functionals_add_up_over_affine_sums(n):
    affine = {
        tuple(x for x in f if f[x])
        for f in functions(n)
        if all(
            f[plus(x, y, z)] == (f[x] + f[y] + f[z]) % 2
            for x, y, z in itertools.product(f, repeat=3)
        )
    }
    assert {c.support for c in AffineFunctionals().table(n=n)} == affine


def test_functionals_are_named_by_their_coefficients():
    for c in Parities().table(n=3):
        assert all(c(x) == sum(a * b for a, b in zip(c.name, x, strict=True)) % 2 for x in c.domain)
    for c in AffineFunctionals().table(n=3):
        a, b = c.name
        assert all(
            c(x) == (b + sum(s * t for s, t in zip(a, x, strict=True))) % 2 for x in c.domain
        )
