"""The closed forms behind the claims of [BLM20], against sums over all samples."""

from __future__ import annotations

from fractions import Fraction
from math import exp

import pytest

from learners.pac.evidence.agnostic_rows import in_range, worse_constant, worse_of_two
from learners.pac.evidence.inline_claims import boosting_checks, random_contest, stability_checks
from learners.pac.evidence.instances import choice_failure
from lsclasses import Table
from lsclasses.soa import SOA

HALF = Fraction(1, 2)


@pytest.mark.parametrize("rows", [1, 2, 7])
def test_the_worse_constant_is_chosen_as_often_as_in_all_samples(rows):
    share, epsilon = Fraction(3, 5), Fraction(9, 10)
    weights = {(0, 1): 1 - share, (0, 0): share}
    exact = choice_failure(weights, [(0,), (1,)], epsilon, rows, HALF)
    assert abs(float(worse_constant(share, rows, epsilon)) - float(exact)) < 1e-12


@pytest.mark.parametrize("rows", [1, 3, 6])
def test_the_worse_of_two_hypotheses_is_chosen_as_often_as_in_all_samples(rows):
    good, bad, epsilon = Fraction(1, 10), Fraction(3, 10), Fraction(1)
    weights = {(1, 1): good, (1, 0): bad, (0, 0): 1 - good - bad}
    exact = choice_failure(weights, [(0, 0), (0, 1)], epsilon, rows, Fraction(1, 5))
    assert abs(float(worse_of_two(good, bad, rows, epsilon)) - float(exact)) < 1e-12


def test_the_ranges_exclude_their_ends():
    tenth = Fraction(1, 10)
    assert in_range(tenth, Fraction(0), tenth, tenth)
    assert not in_range(Fraction(1), tenth, tenth, tenth)
    assert not in_range(tenth, tenth, HALF, tenth)


def test_a_contest_of_two_concepts_is_a_fair_coin():
    """One run has learned the target, and the other has not. The wrong label undoes the target."""
    C = Table([[0, 0], [1, 0]])
    states = {SOA(C): HALF, SOA(C).observe(0, 1): HALF}
    agree, won = random_contest(states, C[1], C.points)
    assert (agree, won) == (HALF, Fraction(1, 4))


def test_a_sample_of_the_rows_loses_more_than_its_share_of_epsilon():
    """By convexity, e^(p e) < 1 + p (e^e - 1). So the paper's p e is a little too small."""
    first, _ = boosting_checks("private-pac")
    (row,) = first.rows()
    assert row.verdict == "holds" and row.refutes.startswith("(1/40, 0)")
    assert exp(0.025) < 1 + (exp(0.1) - 1) / 4


def test_the_contest_of_lines_loses_the_pairs_that_agree():
    """Of 49 pairs of points on a line, 7 agree. A fair coin decides the others."""
    contest = stability_checks("stability")[1]
    (row,) = contest.rows()
    assert Fraction(row.computed) == HALF * Fraction(42, 49)
