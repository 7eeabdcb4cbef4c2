"""Controls: known-broken mechanisms that the exact audit must flag, known-good ones it must pass.

The broken ones are named after where they come from: Lyu, Su, Li 2017 (variants of the sparse
vector technique, six of them wrong), [GL21], [KMMNS23], and mistakes that are easily made. All
noise is discrete Laplace noise; all queries may differ by one between neighbours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from learners.audit import ExploredGame, PrivacyLoss, audit_game
from learners.audit.audit_registry import AUDITABLE, instance
from learners.exact import Stepwise
from learners.games import (
    AdaptiveQueries,
    Ask,
    Challenge,
    ChallengeATGame,
    Datasets,
    MechanismQuerier,
    Move,
)
from learners.mechanisms.fresh_noise import FreshNoiseThreshold
from learners.mechanisms.sparse_vector import AboveThreshold
from learners.pop.evidence.claims import Query
from lsclasses.verdicts import Verdict
from tests.learners.audit_table import least, on_page, written
from tests.learners.breaking import Twin
from tests.learners.incorrect_variants import TWINS
from tests.learners.mechanisms.incorrect_variants import SparseVector

CUT = Fraction(1, 2**32)
"""Where enumerations are cut; violations found are orders of magnitude larger."""
TINY = Fraction(1, 10**5)


def label(twin: Twin) -> str:
    return f"{twin.name}, {twin.mistake}"


# ---- the sparse vector technique and its variants


def vector_loss(program: Any, queries: list[tuple[int, int]]) -> PrivacyLoss[Any]:
    """For two data sets with these answers to the queries."""
    laws = Stepwise(program).laws(tail=CUT)
    return PrivacyLoss(laws([zero for zero, _ in queries]), laws([one for _, one in queries]))


def passed(loss: PrivacyLoss[Any], epsilon: Fraction) -> bool:
    """Up to what the enumeration cut."""
    return float(loss.delta(epsilon).upper()) <= 2 * float(loss.cut) + 1e-15


LOWER, HIGHER = [(0, 1)], [(1, 0)]


@pytest.mark.parametrize(
    ("broken", "queries", "quarters"),
    [
        # Lyu 3: after m queries below the threshold, the loss is (m + 1) epsilon/2.
        (SparseVector(2, 2, releases="noisy"), LOWER * 2 + HIGHER, 6),
        # Lyu 4: towards (1 + 6c) epsilon/4 as the number of queries grows; here c = 1.
        (SparseVector(4, Fraction(4, 3)), LOWER * 12 + HIGHER, 7),
        # Every answer costs epsilon/4 without noise on the threshold.
        (SparseVector(0, 4), [(1, 2)] * 5 + [(-1, -2)], 6),
        # What is enough for sums is too little where queries may move both ways.
        (SparseVector(1, 1), LOWER + HIGHER, None),
    ],
    ids=["Lyu 3", "Lyu 4", "plain threshold", "noise for sums"],
)
def test_broken_vectors_lose_what_is_known_of_them(
    broken: SparseVector, queries: list[tuple[int, int]], quarters: int | None
) -> None:
    """At epsilon = 1."""
    loss = vector_loss(broken, queries)
    assert loss.delta(1) > 0
    if quarters is not None:
        expected = Fraction(quarters, 4)
        assert float(expected) * 0.999 < float(loss.loss()[0]) <= float(expected) + 1e-12
        assert passed(loss, expected)


def test_lyu_1_and_7_are_right() -> None:
    for cutoff in (1, 2):
        right = SparseVector(2, 4 * cutoff, cutoff)
        for queries in (LOWER * 3 + HIGHER, (LOWER + HIGHER) * 2):
            assert passed(vector_loss(right, queries), Fraction(1))
    # Algorithm 7: a third each for the threshold, the comparisons and the released value.
    seventh = SparseVector(3, 6, 1, "fresh", 3)
    assert passed(vector_loss(seventh, LOWER * 2 + HIGHER), Fraction(1))
    cheap = replace(seventh, fresh_scale=1)
    assert vector_loss(cheap, LOWER * 6 + HIGHER).delta(1) > 0


def test_our_above_threshold_against_every_adversary() -> None:
    moves: list[Move] = [Datasets((0,), (1,))]
    moves += [Ask(Query(*query)) for query in ((0, 1), (1, 0))]
    game = AdaptiveQueries(MechanismQuerier(AboveThreshold(1, 1)), 3)
    explored = ExploredGame(game, moves, tail=Fraction(1, 2**42))
    assert explored.against((1, 0)).verdict == Verdict.HOLDS
    assert explored.against((Fraction(1, 2), 0)).verdict == Verdict.VIOLATED


def test_fresh_noise_with_one_query_in_two_versions() -> None:
    """[KMMNS23, Alg 9] asks for more than Algorithm 1 gives: its halt betrays the challenge.

    That the number of reports is hidden too is what ChallengeAT adds.
    """
    claim = (Fraction(1), Fraction(1, 100))
    moves: list[Move] = [Datasets((0,), (1,)), *(Ask(Query(*q)) for q in ((0, 1), (1, 0)))]
    moves.append(Challenge(Query(-999, -999), Query(999, 999)))
    game = ChallengeATGame(MechanismQuerier(FreshNoiseThreshold(*claim, 1, 0)), 4)
    found = audit_game(game, moves, claim)
    assert found.verdict == Verdict.VIOLATED
    assert any(isinstance(move, Challenge) for move in found.adversary.moves.values())
    assert audit_game(game, moves[:-1], claim).verdict == Verdict.HOLDS


# ---- broken twins against the instances that ship: tests/learners/incorrect_variants.py


PAGE = (Path(__file__).parents[2] / "docs" / "privacy.md").read_text(encoding="utf-8")
ON_PAGE = on_page(PAGE)


LONG = (
    "agnostic_empirical:",
    "count_tree_gaussian, scales the noise for the changes",
    "dp_winnow:",
    "forest_soa:",
    "greedy_cover, ends the list",
    "layered_soa_deep, spends the delta",
    "naive_bayes_gaussian, adds noise of a quarter",
    "optimal_publisher, draws each hypothesis",
    "pac_voting, lowers the threshold",
    "sparse_experts:",
    "sparse_experts, does not forget losses",
    "sparse_experts, does not limit the number",
    "sparse_experts, makes all draws",
    "voting, corrects the published hypothesis",
    "voting, counts the vote",
    "voting_counters:",
    "voting_counters, lets the first vote",
    "voting_counters, lowers the threshold",
    "voting_counters, spends epsilon",
)
"""First words of the names of variants and instances whose audit takes most of a second.

Another variant of each audit is flagged sooner, and the correct mechanism keeps its claim on the
default instance.
"""


def cases(found: Iterable[Any], name: Callable[[Any], str] = str) -> list[Any]:
    return [
        pytest.param(
            each, id=name(each), marks=pytest.mark.slow if name(each).startswith(LONG) else ()
        )
        for each in found
    ]


SEEN = [twin for twin in TWINS if twin.unseen is None]
UNSEEN = {twin: twin.unseen for twin in TWINS if twin.unseen is not None}
ELSEWHERE = {twin: declared.seen_by for twin, declared in UNSEEN.items() if declared.seen_by}
"""Second instances, by the twins that they flag."""


def test_every_long_name_is_the_name_of_a_variant_or_an_instance() -> None:
    names = [*map(label, TWINS), *ELSEWHERE.values()]
    assert all(any(name.startswith(each) for name in names) for each in LONG)


@pytest.mark.parametrize("twin", cases(SEEN, label))
def test_the_instance_that_ships_flags_the_broken_twin(twin: Twin) -> None:
    assert twin.violates(instance(twin.name))


@pytest.mark.parametrize("twin", cases(ELSEWHERE, label))
def test_what_the_default_instance_does_not_show_is_flagged_by_another(twin: Twin) -> None:
    assert twin.violates(instance(ELSEWHERE[twin]))


@pytest.mark.parametrize(
    "specification", cases(sorted(set(ELSEWHERE.values()) - set(AUDITABLE.names())))
)
def test_where_it_is_flagged_the_right_mechanism_keeps_its_claim(specification: str) -> None:
    built = instance(specification)
    # What is cut has to be small beside exp(-epsilon), too.
    cut: dict[str, Any] = {"tail": Fraction(1, 2**36), "resolution": TINY}
    assert built.audit(**cut).verdict == Verdict.HOLDS


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted({twin.name for twin in UNSEEN}))
def test_what_passes_needs_the_epsilon_that_the_page_says(name: str) -> None:
    built, found = instance(name), [twin for twin in UNSEEN if twin.name == name]
    assert not any(twin.violates(built) for twin in found)
    assert tuple(least(twin.needs(built)) for twin in found) == ON_PAGE[name].needs


def test_the_table_of_the_page_is_what_the_command_writes() -> None:
    """But for the numbers, which are measured where the audits and the twins are."""
    assert list(ON_PAGE) == list(AUDITABLE.names())
    assert written(PAGE, lambda entry: ON_PAGE[entry.name]) == PAGE


def test_every_audit_has_a_broken_twin_and_so_has_all_that_it_does_not_show() -> None:
    assert {twin.name for twin in TWINS} == set(AUDITABLE.names())
    declared = {(entry.name, each.mistake) for entry in AUDITABLE.values() for each in entry.unseen}
    assert {(twin.name, twin.mistake) for twin in UNSEEN} == declared
    assert len({label(twin) for twin in TWINS}) == len(TWINS)
    assert all(entry.reason for entry in AUDITABLE.values() if entry.measured is not None)
