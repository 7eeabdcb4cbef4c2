"""Errata with their computations, which are made again by other formulas."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from learners.pac.evidence.row_claims import optimal
from learners.papers import errata, statement
from learners.pop.evidence.instances import early
from learners.rules import sample_size
from lsclasses import Table


@pytest.mark.parametrize(
    ("kind", "name", "where"),
    [
        ("refuted", "BLM20 Sec 1.1, agnostic sample complexity", "section 1.1, after Theorem 3"),
        ("refuted", "KMMNS23 Alg 10", "proof of Theorem C.1"),
        ("gap in a proof", "GL21 Thm 4.2", "Theorem 4.2"),
        ("gap in a proof", "GL21 Claim A.4", "proof of Claim A.4, (8)"),
        ("gap in a proof", "GL21 Claim A.6", "proof of Claim A.6"),
        ("gap in a proof", "BF25 Cor A.8", "Corollary A.8"),
        ("imprecise or unspecified", "BLM20 Sec 1, mistakes", "section 1"),
    ],
)
def test_the_erratum_is_listed(kind, name, where):
    assert where in [each.where for each in errata(kind)[name]]


@pytest.mark.parametrize("name", ["LWY25 Lemma D.7", "LWY25 Alg 5"])
def test_a_slip_that_the_next_lines_correct_is_a_note(name):
    assert name not in errata("refuted")
    assert statement(name).notes


@pytest.mark.parametrize("k", [10, 20, 30])
def test_the_number_after_theorem_3_exceeds_every_multiple_of_corollary_2(k):
    """About 2^k/16 times, since ln(1/delta) = 4^k ln 2 dominates all other terms."""
    (found,) = optimal(k, 1)
    assert found.verdict == "erratum"
    assert math.isclose(float(found.computed), 2**k / 16, rel_tol=0.01)
    assert next(optimal(k, 2**k)).verdict == "holds"


def test_the_distance_of_the_hybrids_is_the_probability_that_the_test_does_not_halt_in_time():
    """The challenge is reported in round 1, and not counted; round 2 is reported and counted.

    AboveThreshold for r + lambda = 2 reports halts after round 2. The test, with the threshold 1
    and noise of the scale 1/2, sees the sums 0 and 1.
    """
    (found,) = early(2)
    q = math.exp(-2)
    chances = {z: (1 - q) / (1 + q) * q ** abs(z) for z in range(-20, 21)}

    def below(bound):
        return sum(p for z, p in chances.items() if z < bound)

    late = sum(p * below(1 + z) * below(z) for z, p in chances.items())
    assert found.verdict == "erratum" and late > 1 / 8
    assert math.isclose(float(found.computed), late, abs_tol=1e-3)


def test_optimal_expected_mistakes_are_fewer_than_the_littlestone_dimension():
    coin = Table([[0], [1]])
    assert (coin.ldim(), coin.randomized_ldim()) == (1, Fraction(1, 2))


def test_the_chernoff_bound_of_claim_a4_has_a_square():
    """For binomial numbers of trees, over a grid: (8) fails, the claim never does."""
    failures = 0
    for k1, k2 in ((1, 8), (1, 32), (2, 64), (2, 256)):
        p = 2.0 ** (-2 * k1)
        tail = sum(
            math.comb(k2, m) * p**m * (1 - p) ** (k2 - m) for m in range(int(k2 * p / 2) + 1)
        )
        failures += tail > math.exp(-2 * k2 * p / 2)
        assert tail <= math.exp(-k2 * p**2 / 2)
    assert failures == 4


def test_fewer_trees_than_claim_a6_needs_make_its_bound_trivial():
    for k1 in (20, 32, 64):
        trees = 2 ** (3 * k1 + 2)
        assert Fraction(trees, 2 ** (2 * k1 + 1)) == 2 ** (k1 + 1)
        assert 2 * math.exp(-trees / (9 * 2 ** (8 * k1 + 6))) > 1


def test_theorem_3_5_needs_more_than_corollary_a8_for_small_errors():
    def rows(alpha):
        size = sample_size(3, 1, Fraction(1, 2), alpha, Fraction(1, 20), vc=1)
        return size.printed * alpha

    few, many = rows(Fraction(1, 10**50)), rows(Fraction(1, 10**100))
    assert math.isclose(many - few, 64 * 50 * math.log(10), rel_tol=1e-6)
