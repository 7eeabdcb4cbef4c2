"""POP's parameters at the limits of what they promise."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from learners.online import pop_parameters
from learners.online.pop_parameters import POPParameters

TINY = Fraction(1, 10**6)
BETA = Fraction(1, 20)


def quiet(reports: int = 100) -> POPParameters:
    """Next to no noise, and a halting test that may be early."""
    return POPParameters(
        4,
        reports,
        20,
        20 * 16,
        0,
        Fraction(1, 8),
        0,
        Fraction(1, 2),
        halting="cumulative",
        raise_delta=True,
    )


def test_it_does_not_halt_from_the_first_number_of_reports_that_early_halting_spares() -> None:
    """Noise, learning copies and the halting test may each fail with probability beta/3."""
    costly, early = quiet().costly(1, BETA), quiet().mechanism.early(20, BETA / 3)
    assert costly is not None
    assert early > quiet().mechanism.early(20, BETA / 2)
    for reports, applies in ((costly + early, False), (costly + early + 1, True)):
        (halts,) = (b for b in quiet(reports).bounds(1, BETA) if b.quantity == "halts")
        assert (halts.applies, halts.failure) == (applies, BETA)


def test_bounds_fail_with_probability_a_twentieth_unless_told_otherwise() -> None:
    assert quiet().bounds(1) == quiet().bounds(1, BETA) != quiet().bounds(1, BETA / 2)


def test_a_name_of_a_halting_test_may_be_any_string_that_is_equal() -> None:
    parameters = POPParameters.practical(50, 8, TINY)
    for other in (parameters, replace(parameters, halting="".join(["ne", "ver"]))):
        assert "halts" not in [bound.quantity for bound in other.bounds(1)]


def test_one_copy_is_enough_where_so_much_may_fail() -> None:
    ties = Fraction(9, 10)
    alone = POPParameters(1, 1, 2, 2, 0, 1, 0, ties)
    assert alone.majority_failure == ties
    assert "needs k >= 1" in str(alone)


@pytest.mark.parametrize("failure", [Fraction(1, 20), Fraction(9, 10)])
def test_who_never_errs_makes_no_mistakes_however_likely_a_failure_is(failure: Fraction) -> None:
    parameters = POPParameters.from_theorem(0, 100, 20, TINY, failure)
    assert parameters.costly(0, failure) == 0
    assert all(bound.applies for bound in parameters.bounds(0, failure))


@pytest.mark.parametrize(
    ("mistakes", "rounds", "epsilon", "best"), [(0, 10**6, 1, 2), (1, 10**8, 10, 10)]
)
def test_halting_gets_the_best_part_of_epsilon_from_a_quarter_to_a_1024th(
    monkeypatch: pytest.MonkeyPatch, mistakes: int, rounds: int, epsilon: int, best: int
) -> None:
    found = POPParameters.from_theorem(mistakes, rounds, epsilon, TINY, BETA)
    copies = {}
    for bits in range(2, 11):
        monkeypatch.setattr(pop_parameters, "SHARES", (Fraction(1, 2**bits),))
        alone = POPParameters.from_theorem(mistakes, rounds, epsilon, TINY, BETA)
        copies[bits] = alone.copies
    assert found.copies == min(copies.values()) == copies[best]
