"""POP as it is built by name and for audits: what options mean, and which of them go together."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

import catalog
from learners.audit import HOLDS, audit
from learners.auditable import instance
from learners.online.pop import POP, few_copies
from learners.online.pop_parameters import FAILURE, POPParameters
from learners.online.runnable import RUNNABLE
from lsclasses.soa import SOA, ConservativeSOA

TINY = Fraction(1, 10**6)
NAME = "thresholds:n=7"
C = catalog.build(NAME)
CUT: dict[str, Any] = {"tail": Fraction(1, 2**24), "resolution": Fraction(1, 10**5)}


def named(rounds: int = 100, **given: Any) -> POP:
    learner = RUNNABLE["pop"].learner(NAME, rounds, **given)
    assert isinstance(learner, POP)
    return learner


def test_by_name_it_has_as_few_copies_as_privacy_allows_or_more() -> None:
    least = POPParameters.practical(100, Fraction(1), TINY)
    assert named() == named(copies=least.copies) == POP(ConservativeSOA(C), least)
    more = least.copies + 7
    assert named(copies=more).parameters == replace(least, copies=more)
    counted = named(300, epsilon=20, reports=1).parameters
    assert counted == POPParameters.practical(300, Fraction(20), TINY, 1)
    assert counted.halting == "cumulative"
    assert named(1, copies=1).parameters.copies == 1
    assert named(base="soa").base == SOA(C)


def test_by_name_the_theorem_sets_all_numbers() -> None:
    """With the mistake bound of the base learner, and a failure that only the theorem has."""
    bound = SOA(C).mistake_bound
    assert bound is not None
    for failure, given in ((FAILURE, {}), (Fraction(1, 3), {"beta": "1/3"})):
        parameters = POPParameters.from_theorem(bound, 100, Fraction(1), TINY, failure)
        assert named(theorem=1, **given) == POP(ConservativeSOA(C), parameters, failure)


def test_a_weak_budget_is_taken_if_it_is_meant() -> None:
    for theorem in (0, 1):
        found = named(epsilon=1000, theorem=theorem, accept_weak=1)
        assert found.privacy.epsilon == 1000


# ---- audited instances


def test_few_copies_have_noise_of_the_scale_that_was_asked_for() -> None:
    for scale in (Fraction(1, 3), Fraction(1, 2)):
        found = few_copies(3, 2, scale)
        assert (found.scale, found.rounds, found.halting) == (scale, 2, "never")
        # The epsilon is what two answers of that noise cost, and delta the majorities.
        assert found.privacy.epsilon == 2 / scale
        assert found.privacy.delta == found.majority_failure > 0
    assert few_copies(3, 2, scale, halting=Fraction(6)).halting == "cumulative"


@pytest.mark.parametrize(
    ("given", "sizes"),
    [
        ("copies=1,rounds=1", (1, 1, 1)),
        ("copies=1,rounds=2,scale=2/3", (1, 2, 4)),
        ("copies=1,rounds=1,points=2,halting=13/2,reports=1", (1, 1, 6)),
    ],
)
def test_the_smallest_instances_hold_what_they_claim(
    given: str, sizes: tuple[int, int, int]
) -> None:
    """On one point there are two examples: one pair to differ in, with each rest, at each place."""
    built = instance(f"pop:{given}")
    parameters = built.mechanism.parameters
    assert (parameters.copies, parameters.rounds, len(built.pairs)) == sizes
    assert audit(built.run, built.pairs, built.privacy, **CUT).verdict == HOLDS
