"""Affine and linear functionals over GF(2) in closed form."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import catalog
from catalog.closed_forms.functionals import Functionals
from learners.playing.play import replay
from lsclasses.soa import SOA
from tests.catalog.closed_forms.closed_form_checks import check_all, check_version_spaces

PARITIES, AFFINE = catalog.family("parities"), catalog.family("affine-functionals")


@pytest.mark.parametrize("n", [1, 2])
def test_everything_on_small_spaces(n: int) -> None:
    check_all(Functionals(n), AFFINE.table(n=n), max_states=30)
    check_all(Functionals(n, linear=True), PARITIES.table(n=n), max_states=30)


@pytest.mark.parametrize("states", [10, pytest.param(2000, marks=pytest.mark.slow)])
def test_version_spaces_of_three_variables(states: int) -> None:
    check_version_spaces(Functionals(3, linear=True), PARITIES.table(n=3), max_states=states)
    check_version_spaces(Functionals(3), AFFINE.table(n=3), max_states=states)


@pytest.mark.parametrize("linear", [False, True])
def test_many_variables(linear: bool) -> None:
    n = 256
    C = Functionals(n, linear=linear)
    assert (C.ldim(), C.size) == (n + 1 - linear, 2 ** (n + 1 - linear))
    assert C.threshold_dim() == n + 1 - linear
    rng = np.random.default_rng(0)
    target = C.sample(rng)
    stream = list(C.sample_stream(300, rng, target=target))
    rounds = replay(SOA(C), stream)
    assert rounds[-1].mistakes <= C.ldim()
    left = rounds[-1].state.version_space
    assert left.size == 1
    assert left.soa() == target
    assert left == C.given(reversed(stream))
    assert pickle.loads(pickle.dumps(left)) == left
    other = C.sample(rng)
    x = target.disagreement(other)
    assert x is not None
    assert target(x) != other(x)


def test_an_additive_stream_is_predicted() -> None:
    rng = np.random.default_rng(5)
    C = Functionals(40, linear=True)
    a, x, y = (tuple(rng.integers(2, size=40).tolist()) for _ in range(3))

    def label(v: tuple[int, ...]) -> int:
        return sum(p * q for p, q in zip(a, v, strict=True)) % 2

    left = C.given([(x, label(x)), (y, label(y))])
    total = tuple((p + q) % 2 for p, q in zip(x, y, strict=True))
    assert left.soa()(total) == label(total)
    assert left.restrict(total, 1 - label(total)).is_empty
    # The sum says nothing about an affine functional, but the sum with 0 does.
    affine = Functionals(40).given([(x, label(x)), (y, label(y))])
    assert not affine.restrict(total, 1 - label(total)).is_empty
    assert affine.restrict((0,) * 40, 0).soa()(total) == label(total)
