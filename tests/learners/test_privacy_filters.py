"""Budgets of privacy filters: a release that overdraws is refused before it runs."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from learners.accounting import (
    ZCDP,
    ApproximateDP,
    BoundedRange,
    PrivacyFilter,
    PureDP,
    Scope,
    SelfComposed,
    largest_parameter,
    total,
)
from lsclasses.errors import InvalidInput
from tests.learners.privacy_checks import least_epsilon

DELTA = Fraction(1, 10**6)
DATA = Scope.adaptive("replace_one")


def test_an_overdrawn_budget_releases_nothing() -> None:
    ran: list[str] = []
    budget = PrivacyFilter(1, DELTA)
    budget.release(
        ApproximateDP(Fraction(1, 2), DELTA / 2, scope=DATA),
        lambda: ran.append("first"),
    )
    for event in (
        PureDP(Fraction(51, 100), scope=DATA),
        ApproximateDP(0, DELTA, scope=DATA),
        ZCDP(Fraction(1, 10**9), scope=DATA),
    ):
        with pytest.raises(InvalidInput):
            budget.release(event, lambda: ran.append("never"))
    assert ran == ["first"]
    assert budget.spent == (Fraction(1, 2), DELTA / 2)
    budget.charge(ApproximateDP(Fraction(1, 2), DELTA / 2, scope=DATA))
    assert budget.spent == (1, DELTA)


def test_a_failed_run_stays_paid() -> None:
    budget = PrivacyFilter(1)

    def fails() -> None:
        raise RuntimeError("after half of it was printed")

    with pytest.raises(RuntimeError):
        budget.release(PureDP(1, scope=DATA), fails)
    with pytest.raises(InvalidInput, match="The release was refused"):
        budget.release(PureDP(Fraction(1, 10**9), scope=DATA), fails)


def test_a_concentrated_budget_takes_all_events_by_one_rule() -> None:
    budget = PrivacyFilter(2, DELTA, method="zcdp")
    events = (
        ZCDP(Fraction(1, 100), scope=DATA),
        PureDP(Fraction(1, 10), scope=DATA),
        BoundedRange(Fraction(1, 5), scope=DATA),
    )
    for event in events:
        budget.charge(event)
    rho = 0.01 + 0.01 / 2 + 0.04 / 8
    expected = least_epsilon(rho, float(DELTA / 2))
    assert float(budget.spent[0]) == pytest.approx(expected, rel=1e-6)
    assert budget.spent[1] == DELTA / 2
    budget.charge(ApproximateDP(0, DELTA / 2, scope=DATA))
    with pytest.raises(InvalidInput, match="overdraw"):
        budget.charge(ApproximateDP(0, Fraction(1, 10**12), scope=DATA))


@pytest.mark.parametrize("event", [PureDP, BoundedRange])
@pytest.mark.parametrize("count", [1, 30])
def test_the_largest_parameter_is_within_the_budget_and_uses_it(event: Any, count: int) -> None:
    def releases(each: Fraction) -> SelfComposed:
        return SelfComposed(event(each, scope=DATA), count)

    def rounded(each: Fraction) -> Fraction:
        return Fraction(int(each * 2**20), 2**20)

    start = rounded(Fraction(1, count))
    found = largest_parameter(releases, start, Fraction(1), DELTA, rounded=rounded)
    assert start <= found
    assert Fraction(98, 100) < total(releases(found), DELTA).epsilon <= 1
