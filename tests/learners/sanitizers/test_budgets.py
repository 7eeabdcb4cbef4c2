"""Whatever budget a sanitizer is made for, it keeps it and wastes hardly any."""

from __future__ import annotations

from fractions import Fraction

import pytest

from learners.accounting import basic, neighbours, total, zcdp
from learners.budget import Budget
from learners.sanitizers.fooling import FoolingSanitizer
from learners.sanitizers.independent import IndependentAnswers
from learners.sanitizers.mwem import MWEMSanitizer
from learners.sanitizers.sketches import RealizableFooling
from tests.learners.sanitizers.small_classes import table

QUARTER = Fraction(1, 4)
MADE = {
    "mwem": lambda budget: MWEMSanitizer.for_error(table("thresholds:n=9"), QUARTER, budget),
    "fooling": lambda budget: FoolingSanitizer.for_error(table("thresholds:n=9"), QUARTER, budget),
    "sketches": lambda budget: RealizableFooling.for_error(table("points:n=3"), QUARTER, budget),
    "independent": lambda budget: IndependentAnswers.within(budget, table("intervals:n=9")),
}


@pytest.mark.parametrize("epsilon", [Fraction(1, 3), Fraction(1), Fraction(9)])
@pytest.mark.parametrize("delta", [Fraction(0), Fraction(1, 10**6)])
@pytest.mark.parametrize("name", MADE)
def test_the_budget_is_kept_and_nearly_used(name, delta, epsilon):
    sanitizer = MADE[name](Budget(epsilon, delta))
    event = sanitizer.privacy
    spent = basic(event)[0]
    if delta:
        composed = total(event, delta) if name in ("independent", "mwem") else None
        spent = min(spent, composed.epsilon if composed else zcdp(event, delta)[0])
    # Rounds of sketches are few, and their losses are rounded.
    share = Fraction(9, 10) if name == "sketches" else Fraction(99, 100)
    assert share * epsilon < spent <= epsilon
    assert neighbours(event) == "replace_one"
    assert sanitizer.bounds()[0].applies
    assert sanitizer.delta == (delta or None)
