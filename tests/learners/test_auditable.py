"""Mechanisms that can be audited by name: each holds what it claims, on all its small inputs."""

from __future__ import annotations

from fractions import Fraction

import pytest

from learners.accounting import basic
from learners.audit import HOLDS, VIOLATED, audit
from learners.auditable import AUDITABLE, Auditable, instance
from learners.games import are_neighbours
from lsclasses.errors import InvalidInput


@pytest.mark.parametrize("entry", AUDITABLE.values(), ids=AUDITABLE)
def test_every_mechanism_holds_its_claim_and_not_much_less(entry: Auditable) -> None:
    built = instance(entry.usage())
    cut = {"tail": Fraction(1, 2**32), "resolution": Fraction(1, 10**5)}
    found = audit(built.run, built.pairs, built.privacy, **cut)
    assert found.verdict == HOLDS
    epsilon, delta = basic(built.privacy)
    # The audit is no rubber stamp: a small part of the claim is refuted on the same inputs.
    part = audit(built.run, built.pairs, (epsilon / 100, delta / 100), **cut)
    assert part.verdict == VIOLATED


@pytest.mark.parametrize(
    ("specification", "pairs"),
    [
        ("discrete_laplace:sensitivity=3", 3),
        ("randomized_response:answers=4", 6),
        ("exponential_mechanism:candidates=2,scores=1", 6),
        ("stable_histogram:items=2,people=3", 3),
        ("stable_histogram:items=3,people=1", 3),
        ("above_threshold:queries=2", 6),
        ("cumulative_above_threshold:rounds=3", 12),
        ("tree_counter:rounds=2", 4),
        ("challenge_at:queries=2", 8),
        ("pop:rounds=3", 12),
        ("pop:rounds=2,points=2", 48),
        ("private_cuts:grid=2,rows=2", 2),
        ("private_cuts:grid=3,rows=1,add_remove=1", 3),
        ("greedy_cover:features=1,rows=2", 24),  # 6 pairs of rows in each of 4 rests
        ("greedy_cover:features=1,rows=2,add_remove=1", 20),  # to none or to one of 4, one of 4
    ],
)
def test_all_neighbours_of_the_input_space_are_compared(specification: str, pairs: int) -> None:
    built = instance(specification)
    assert len(set(map(frozenset, built.pairs))) == len(built.pairs) == pairs


def test_histograms_compare_multisets_that_differ_in_one_item() -> None:
    for zero, one in instance("stable_histogram:items=3,people=3").pairs:
        orders = [
            tuple(zero[i] for i in order)
            for order in ((0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 2, 1), (2, 1, 0), (1, 0, 2))
        ]
        assert any(are_neighbours(each, one) for each in orders) and zero != one


def test_values_are_exact() -> None:
    assert (
        instance("discrete_laplace:epsilon=0.1").privacy
        == instance("discrete_laplace:epsilon=1/10").privacy
    )


@pytest.mark.parametrize(
    ("specification", "message"),
    [
        ("discrete_laplas", "discrete_laplace"),
        ("", "Known"),
        ("discrete_laplace:eps=1", "written as in"),
        ("discrete_laplace:epsilon", "written as in"),
        ("discrete_laplace:epsilon=one", "such as 1/2"),
        ("discrete_laplace:epsilon=1/0", "such as 1/2"),
        ("discrete_laplace:epsilon=0", "positive"),
        ("discrete_laplace:sensitivity=1/2", "integer from 1"),
        ("tree_counter:rounds=9", "from 1 to 3"),
        ("pop:scale=0", "scale' must be positive"),
        ("pop:copies=2", "give no privacy"),
        ("randomized_response:answers=1", "from 2"),
    ],
)
def test_bad_specifications(specification: str, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        instance(specification)
