"""Our noise against an independent, vetted implementation (the extra ``crosscheck``)."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from learners.exact import exact_distribution
from tests.learners.test_coins import ERROR, p_value

dp = pytest.importorskip("opendp.prelude", reason="opendp is an optional cross-check")

SAMPLES = 50_000


def drawn_by_opendp(scale: Fraction) -> Counter:
    dp.enable_features("contrib")
    space = dp.vector_domain(dp.atom_domain(T="i64")), dp.l1_distance(T="i64")
    # The scales of this test are floats exactly.
    return Counter(dp.m.make_laplace(*space, scale=float(scale))([0] * SAMPLES))


@pytest.mark.parametrize("scale", [Fraction(1, 2), Fraction(1), Fraction(5, 2), Fraction(20)])
def test_opendp_draws_from_the_law_that_we_compute(scale):
    law = exact_distribution(lambda coins: coins.laplace(scale))
    assert p_value(law, drawn_by_opendp(scale)) > ERROR
