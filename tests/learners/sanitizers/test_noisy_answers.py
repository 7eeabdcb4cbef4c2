"""Noisy answers: the rules of all sanitizers, and the tail that the bound states."""

from __future__ import annotations

from fractions import Fraction
from math import exp

import catalog
from learners.accounting import basic
from learners.sanitizers.noisy_answers import NoisyAnswers
from learners.sanitizers.sanitizer_checks import check_sanitizer

C = catalog.build("intervals:n=5").to_table()


def test_noisy_answers_keep_the_rules_of_sanitizers() -> None:
    check_sanitizer(NoisyAnswers(C, Fraction(1)))


def test_the_bound_is_that_of_the_tails() -> None:
    sanitizer = NoisyAnswers(C, Fraction(2))
    q = exp(-2 / len(C))

    def failure(off: int) -> float:
        return len(C) * 2 * q ** (off + 1) / (1 + q)

    assert failure(sanitizer.off) <= 1 / 20 < failure(sanitizer.off - 1)
    assert sanitizer.bounds(100)[0].value == Fraction(sanitizer.off, 100)
    assert sanitizer.bounds()[0].value is None
    assert basic(sanitizer.privacy) == (2, 0)
