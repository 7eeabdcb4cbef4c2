"""Controls: known-broken mechanisms that the exact audit must flag, known-good ones it must pass.

The broken ones are named after where they come from: Lyu, Su, Li 2017 (variants of the sparse
vector technique, six of them wrong), [GL21], [KMMNS23], and mistakes that are easily made. All
noise is discrete Laplace noise; all queries may differ by one between neighbours.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Iterable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from flint import arb, fmpq

from learners.accounting import basic
from learners.audit import (
    HOLDS,
    VIOLATED,
    ExploredGame,
    Finding,
    PrivacyLoss,
    audit,
    audit_game,
    neighbouring_pairs,
)
from learners.auditable import AUDITABLE, instance
from learners.claims.pop import Query
from learners.coins import Coins
from learners.exact import Law, Stepwise, exact_law
from learners.games import (
    AdaptiveInputs,
    AdaptiveQueries,
    Ask,
    Challenge,
    ChallengeATGame,
    Datasets,
    MechanismQuerier,
    MechanismResponder,
    Move,
)
from learners.mechanisms.counter import TreeCounter
from learners.mechanisms.fresh_noise import FreshNoiseThreshold
from learners.mechanisms.histograms import BoundedHistogram, StableHistogram
from learners.mechanisms.noise import DiscreteLaplace
from learners.mechanisms.randomized_response import RandomizedResponse
from learners.mechanisms.selection import ExponentialMechanism, PermuteAndFlip, ReportNoisyMax
from learners.mechanisms.sparse_vector import AboveThreshold, CumulativeAboveThreshold, Sparse
from tests.learners.audit_table import least, on_page, written
from tests.learners.twins import TWINS, SparseVector, Twin

HALF = Fraction(1, 2)
EPSILONS = [HALF, Fraction(1)]
CUT = Fraction(1, 2**32)
"""Where enumerations are cut; violations found are orders of magnitude larger."""
TINY = Fraction(1, 10**5)


def label(twin: Twin) -> str:
    return f"{twin.name}, {twin.mistake}"


def number(value: Fraction) -> arb:
    return arb(fmpq(value.numerator, value.denominator))


def holds(found: Finding) -> bool:
    """Up to what the enumeration cut."""
    return float(found.measured.upper()) <= float(found.delta) + 2 * float(found.cut) + 1e-15


def flagged(loss: PrivacyLoss[Any], epsilon: Fraction, delta: Fraction = Fraction(0)) -> bool:
    return bool(loss.delta(epsilon) > number(delta))


def passed(loss: PrivacyLoss[Any], epsilon: Fraction, delta: Fraction = Fraction(0)) -> bool:
    """Up to what the enumeration cut."""
    return float(loss.delta(epsilon).upper()) <= float(delta) + 2 * float(loss.cut) + 1e-15


def steps(
    start: Callable[[Coins], Any], step: Callable[[Any, Any, Coins], Any], items: Iterable[Any]
) -> Law[Any]:
    """The law of a state after items, states merged after every step."""
    law: Law[Any] = exact_law(start, tail=CUT)
    for item in items:
        law = law.then(lambda state, coins, item=item: step(state, item, coins), tail=CUT)
    return law


# ---- the sparse vector technique and its variants


def vector_loss(
    program: Any, queries: list[tuple[int, int]], cut: Fraction = CUT
) -> PrivacyLoss[Any]:
    """For two data sets with these answers to the queries."""
    laws = Stepwise(program).laws(tail=cut)
    return PrivacyLoss(laws([zero for zero, _ in queries]), laws([one for _, one in queries]))


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("queries", [2, 3])
def test_lyu_3_releases_the_value_it_compared(epsilon: Fraction, queries: int) -> None:
    """After m queries below the threshold, the loss is (m + 1) epsilon/2."""
    broken = SparseVector(2 / epsilon, 2 / epsilon, releases="noisy")
    loss = vector_loss(broken, [(0, 1)] * queries + [(1, 0)])
    assert flagged(loss, epsilon) or queries == 1
    expected = (queries + 1) * epsilon / 2
    assert float(expected) * 0.999 < float(loss.loss()[0]) <= float(expected)
    assert passed(loss, expected)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_lyu_4_scales_query_noise_without_its_cutoff(epsilon: Fraction) -> None:
    """Towards (1 + 6c) epsilon/4 as the number of queries grows; here c = 1."""
    loss = vector_loss(SparseVector(4 / epsilon, 4 / (3 * epsilon)), [(0, 1)] * 12 + [(1, 0)])
    assert flagged(loss, epsilon)
    expected = 7 * epsilon / 4
    assert float(expected) * 0.999 < float(loss.loss()[0]) <= float(expected)
    assert passed(loss, expected)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_lyu_5_adds_no_noise_to_queries(epsilon: Fraction) -> None:
    """Infinite: "no, yes" tells which query was larger."""
    loss = vector_loss(SparseVector(2 / epsilon, 0, cutoff=None), [(0, 1), (1, 0)])
    assert flagged(loss, epsilon)
    assert loss.delta(10) > 0.05, "no epsilon helps"
    assert float(loss.loss()[0]) > 18, "as much as the cut lets one see"


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_lyu_6_has_no_cutoff(epsilon: Fraction) -> None:
    """Chen, Machanavajjhala 2015: grows with the number of queries."""
    broken = SparseVector(2 / epsilon, 2 / epsilon, cutoff=None)
    losses = [vector_loss(broken, [(0, 1)] * k + [(1, 0)] * k) for k in (1, 2)]
    found = [float(loss.loss()[0]) for loss in losses]
    assert found[0] < epsilon < 1.5 * epsilon < found[1]
    assert flagged(losses[1], epsilon)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_no_noise_on_the_threshold(epsilon: Fraction) -> None:
    """Every answer costs epsilon/4: six of them 3 epsilon/2."""
    loss = vector_loss(SparseVector(0, 4 / epsilon), [(1, 2)] * 5 + [(-1, -2)])
    assert flagged(loss, epsilon)
    assert abs(float(loss.loss()[0]) - 1.5 * float(epsilon)) < 1e-12
    assert passed(loss, 3 * epsilon / 2)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_the_right_scales_without_a_cutoff(epsilon: Fraction) -> None:
    broken = SparseVector(2 / epsilon, 4 / epsilon, cutoff=None)
    assert flagged(vector_loss(broken, [(0, 1)] * 3 + [(1, 0)] * 3), epsilon)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_lyu_1_and_7_are_right(epsilon: Fraction) -> None:
    for cutoff in (1, 2):
        right = SparseVector(2 / epsilon, 4 * cutoff / epsilon, cutoff)
        for queries in ([(0, 1)] * 4 + [(1, 0)] * 2, [(0, 1), (1, 0)] * 3, [(3, 4)] * 6):
            assert passed(vector_loss(right, queries), epsilon)
    # Algorithm 7: a third each for the threshold, the comparisons and the released value.
    seventh = SparseVector(3 / epsilon, 6 / epsilon, 1, "fresh", 3 / epsilon)
    assert passed(vector_loss(seventh, [(0, 1), (0, 1), (1, 0)]), epsilon)
    cheap = replace(seventh, fresh_scale=1 / epsilon)
    assert flagged(vector_loss(cheap, [(0, 1)] * 6 + [(1, 0)]), epsilon)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_our_above_threshold_against_every_adversary(epsilon: Fraction) -> None:
    moves: list[Move] = [Datasets((0,), (1,))]
    moves += [Ask(Query(*query)) for query in ((0, 0), (0, 1), (1, 0))]
    game = AdaptiveQueries(MechanismQuerier(AboveThreshold(epsilon, 1)), 3)
    explored = ExploredGame(game, moves, tail=Fraction(1, 2**42))
    assert explored.against((epsilon, 0)).verdict == HOLDS
    assert explored.against((epsilon / 2, 0)).verdict == VIOLATED

    class Halved(AboveThreshold):
        """Half the noise of the queries."""

        @property
        def query_scale(self) -> Fraction:
            return self.sensitivity / self.epsilon

    halved = AdaptiveQueries(MechanismQuerier(Halved(epsilon, 1)), 3)
    assert audit_game(halved, moves, (epsilon, 0), tail=CUT).verdict == VIOLATED


@pytest.mark.parametrize("epsilon", [Fraction(1), Fraction(2)])
def test_sparse_redraws_its_threshold(epsilon: Fraction) -> None:
    mechanism = Sparse(epsilon / 2, reports=2, threshold=0)
    assert basic(mechanism.privacy) == (epsilon, 0)
    queries, cut = [(0, 1), (0, 1), (1, 0)] * 2, Fraction(1, 2**16)
    assert passed(vector_loss(MechanismResponder(mechanism), queries, cut), epsilon)
    # Two reports for the price of one:
    twice = MechanismResponder(Sparse(epsilon, reports=2, threshold=0))
    assert flagged(vector_loss(twice, queries, cut), epsilon)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_cumulative_sums_need_less_noise_than_queries(epsilon: Fraction) -> None:
    mechanism = CumulativeAboveThreshold(epsilon, threshold=1)
    moves: list[Move] = [Ask(0), Ask(1), Challenge(0, 1)]
    found = audit_game(
        AdaptiveInputs(MechanismResponder(mechanism), 3),
        moves,
        (epsilon, 0),
        tail=Fraction(1, 2**42),
    )
    assert found.verdict == HOLDS
    # The same noise is too little where queries may move both ways.
    both_ways = SparseVector(1 / epsilon, 1 / epsilon)
    assert flagged(vector_loss(both_ways, [(0, 1), (1, 0)]), epsilon)


def test_kmmns_1_with_constant_one() -> None:
    """[KMMNS23, Alg. 1] with gamma = sqrt(r) ln(r/delta)/epsilon, r = 1: more than 4 delta."""
    epsilon, delta = Fraction(1), Fraction(1, 10**6)
    queries = [(-1, 0)] * 90
    printed = SparseVector(0, Fraction(138, 10), 1)
    assert flagged(vector_loss(printed, queries), epsilon, 4 * delta)
    for calibrated in (False, True):
        right = FreshNoiseThreshold(epsilon, delta, 1, 0, calibrated=calibrated)
        loss = vector_loss(SparseVector(0, right.scale, 1), queries)
        assert passed(loss, epsilon, delta)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_fresh_noise_with_one_query_in_two_versions(epsilon: Fraction) -> None:
    """[KMMNS23, Alg. 9] asks for more than Algorithm 1 gives: its halt betrays the challenge.

    That the number of reports is hidden too is what ChallengeAT adds.
    """
    mechanism = FreshNoiseThreshold(epsilon, Fraction(1, 100), 1, 0)

    moves: list[Move] = [Datasets((0,), (1,)), *(Ask(Query(*q)) for q in ((0, 1), (1, 0)))]
    moves.append(Challenge(Query(-999, -999), Query(999, 999)))
    game = ChallengeATGame(MechanismQuerier(mechanism), 4)
    found = audit_game(game, moves, (epsilon, Fraction(1, 100)))
    assert found.verdict == VIOLATED
    assert any(isinstance(move, Challenge) for move in found.adversary.moves.values())
    without = audit_game(game, moves[:-1], (epsilon, Fraction(1, 100)))
    assert without.verdict == HOLDS


# ---- choosing


SCORES = [((0, 0), (1, -1)), ((3, 0), (2, 1)), ((0, 2), (1, 1)), ((5, 0), (4, 0))]


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("kind", [ExponentialMechanism, ReportNoisyMax, PermuteAndFlip])
def test_selection(kind: Any, epsilon: Fraction) -> None:
    """With exp(epsilon u), or noise 1/epsilon, up to 2 epsilon, unless scores are monotone."""
    right, broken = kind(epsilon), kind(epsilon, monotone=True)

    def audited(mechanism: Any, pairs: Any, claim: Any) -> Finding:
        return audit(
            lambda scores, coins: mechanism.choose(scores, coins),
            pairs,
            claim,
            tail=Fraction(1, 2**24),
        )

    assert holds(audited(right, SCORES, right.privacy))
    found = audited(broken, SCORES, (epsilon, 0))
    assert found.verdict == VIOLATED and float(found.least_epsilon) <= 2 * epsilon
    rising = [((0, 0), (1, 1)), ((3, 0), (4, 0)), ((2, 0), (2, 1))]
    assert holds(audited(broken, rising, broken.privacy))


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_exponential_mechanism_without_the_half(epsilon: Fraction) -> None:
    broken = ExponentialMechanism(epsilon, monotone=True)
    far = [((9 * k, 0), (9 * k - 1, 1)) for k in (1, 2, 3)]
    found = audit(lambda s, coins: broken.choose(s, coins), far, (epsilon, 0))
    assert 1.99 * epsilon < float(found.least_epsilon) <= 2 * epsilon


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_noisy_maximum_that_returns_the_value(epsilon: Fraction) -> None:
    """k candidates: k epsilon/2."""
    k = 5

    def law(score: int) -> Law[Any]:
        return steps(
            lambda coins: None,
            lambda best, item, coins: max(
                -(10**9) if best is None else best, item + coins.laplace(2 / epsilon)
            ),
            [score] * k,
        )

    loss = PrivacyLoss(law(0), law(1))
    assert flagged(loss, epsilon)
    assert abs(float(loss.loss()[0]) - k * float(epsilon) / 2) < 1e-3
    assert passed(loss, k * epsilon / 2)


# ---- noise


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_laplace_and_randomized_response_are_tight(epsilon: Fraction) -> None:
    laplace, response = DiscreteLaplace(epsilon), RandomizedResponse(epsilon, 3)
    for run in (laplace.release, response.report):
        found = audit(run, [(0, 1), (1, 2)], (epsilon, 0))
        assert found.verdict == HOLDS
        assert abs(float(found.least_epsilon) - float(epsilon)) < 1e-6
        assert audit(run, [(0, 1)], (epsilon * Fraction(99, 100), 0)).verdict == VIOLATED


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_too_little_noise(epsilon: Fraction) -> None:
    twins: list[tuple[Callable[[int, Coins], Hashable], float]] = [
        (lambda n, coins: n + coins.laplace(1 / (2 * epsilon)), 2.0 * float(epsilon)),
        (lambda n, coins: n, float("inf")),
        (lambda n, coins: 2 * n + coins.laplace(1 / epsilon), 2.0 * float(epsilon)),
        (lambda n, coins: (n + coins.laplace(1 / epsilon), n % 2), float("inf")),
    ]
    for run, expected in twins:
        found = audit(run, [(0, 1)], (epsilon, 0), tail=CUT)
        assert found.verdict == VIOLATED
        if expected < 10:
            assert abs(float(found.least_epsilon) - expected) < 1e-4


def test_scale_epsilon_instead_of_its_inverse() -> None:
    """At epsilon = 1/2 the loss is 2; at epsilon = 1 it happens to be right."""
    for epsilon, verdict in ((HALF, VIOLATED), (Fraction(1), HOLDS)):
        found = audit(lambda n, coins: n + coins.laplace(epsilon), [(0, 1)], (epsilon, 0))  # noqa: B023
        assert found.verdict == verdict
        assert abs(float(found.least_epsilon) - 1 / float(epsilon)) < 1e-6


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_truncated_noise_is_not_pure(epsilon: Fraction) -> None:
    """|Z| <= 3/epsilon: infinite."""
    reach = int(3 / epsilon)

    def run(n: int, coins: Coins) -> int:
        return n + coins.pick([-epsilon * abs(z) for z in range(-reach, reach + 1)]) - reach

    found = audit(run, [(0, 1)], (epsilon, 0))
    assert found.verdict == VIOLATED and found.least_epsilon == arb.pos_inf()
    assert set(found.event) in ({-reach}, {reach + 1})


# ---- histograms


def histogram(mechanism: Any) -> Callable[[Any, Coins], Hashable]:
    return lambda data, coins: mechanism.release(data, coins, key=ord)


SMALL = [
    *map("".join, itertools.product("ab", repeat=1)),
    *map("".join, itertools.product("ab", repeat=2)),
]


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("relation", ["replace_one", "add_remove"])
def test_stable_histogram(epsilon: Fraction, relation: str) -> None:
    delta = Fraction(1, 100)
    pairs = neighbouring_pairs(["", *SMALL], relation)
    right = StableHistogram(epsilon, delta, relation)
    found = audit(histogram(right), pairs, right.privacy, tail=Fraction(1, 2**24))
    assert holds(found) and float(found.measured) > delta / 3

    class Lowered(StableHistogram):
        """Its threshold is one too low."""

        @property
        def threshold(self) -> int:
            return super().threshold - 1

    broken = Lowered(epsilon, delta, relation)
    found = audit(histogram(broken), pairs, (epsilon, delta), tail=Fraction(1, 2**24))
    assert found.verdict == VIOLATED


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_bounded_histogram(epsilon: Fraction) -> None:
    delta = Fraction(1, 200)
    pairs = neighbouring_pairs(SMALL)
    right = BoundedHistogram(epsilon, delta)
    assert audit(histogram(right), pairs, right.privacy).verdict == HOLDS

    class Narrow(BoundedHistogram):
        """Its noise reaches one less far."""

        @property
        def bound(self) -> int:
            return super().bound - 1

    # One count appears while another leaves the reach of its noise at the other end.
    many = 2 * right.bound - 1
    pair = [("a" + "b" * many, "b" * (many + 1))]
    broken = Narrow(epsilon, delta)
    assert audit(histogram(right), pair, right.privacy).verdict == HOLDS
    assert audit(histogram(broken), pair, (epsilon, delta)).verdict == VIOLATED


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_the_order_of_the_data_must_not_show(epsilon: Fraction) -> None:
    """Released in the order of first occurrence, a histogram shows who came first."""
    right = StableHistogram(epsilon, Fraction(1, 10))

    def in_order_of_data(data: str, coins: Coins) -> Hashable:
        released = dict(right.release(data, coins, key=ord))
        return tuple(item for item in dict.fromkeys(data) if item in released)

    pair = [("abbbbbbaaaaa", "bbbbbbbaaaaa")]
    found = audit(in_order_of_data, pair, right.privacy, tail=Fraction(1, 2**20))
    assert found.verdict == VIOLATED
    assert holds(audit(histogram(right), pair, right.privacy, tail=Fraction(1, 2**20)))


@pytest.mark.parametrize("epsilon", [4, 8])
def test_hist_sparse_and_the_rule_of_the_paper(epsilon: int) -> None:
    """[GL21, Alg. 2] has half of the noise and a test less, which makes up for it for c = 2."""
    right, paper = (
        instance(f"hist_sparse:epsilon={epsilon},size={7 - epsilon // 4},printed={switch}")
        for switch in (0, 1)
    )
    delta, cut = right.mechanism.delta, {"tail": Fraction(1, 2**26), "resolution": TINY}
    assert basic(right.privacy) == (epsilon, delta)
    assert basic(paper.privacy) == (Fraction(epsilon, 2), delta)
    assert audit(right.run, right.pairs, right.privacy, **cut).verdict == HOLDS
    assert audit(paper.run, paper.pairs, paper.privacy, **cut).verdict == HOLDS
    (halved,) = (twin for twin in TWINS if twin.name == "hist_sparse")
    assert audit(halved.run(right), right.pairs, right.privacy, **cut).verdict == VIOLATED
    two = instance("hist_sparse:histograms=2,size=3,lists=3,printed=1")
    assert basic(two.privacy) == (8, two.mechanism.delta)
    assert audit(two.run, two.pairs, two.privacy, **cut).verdict == HOLDS


# ---- counting


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_tree_counter(epsilon: Fraction) -> None:
    pairs = neighbouring_pairs(itertools.product((0, 1), repeat=2))
    right = TreeCounter(epsilon, horizon=2)
    found = audit(right.answers, pairs, right.privacy, tail=Fraction(1, 2**26))
    assert passed(found.loss, epsilon) and float(found.least_epsilon) > 0.99 * epsilon

    class Cheap(TreeCounter):
        """All levels share one epsilon each, instead of one among them."""

        @property
        def scale(self) -> Fraction:
            return 1 / self.epsilon

    found = audit(Cheap(epsilon, 2).answers, pairs, (epsilon, 0), tail=Fraction(1, 2**26))
    assert found.verdict == VIOLATED
    assert abs(float(found.least_epsilon) - 2 * float(epsilon)) < 1e-2


# ---- broken twins against the instances that ship: tests/learners/twins.py


PAGE = (Path(__file__).parents[2] / "docs" / "privacy.md").read_text(encoding="utf-8")
ON_PAGE = on_page(PAGE)


def slowly(name: str, *slow: str) -> Any:
    """The mark of what takes long for these audits."""
    return pytest.mark.slow if name in slow else ()


SEEN = [twin for twin in TWINS if twin.unseen is None]
UNSEEN = {twin: twin.unseen for twin in TWINS if twin.unseen is not None}
ELSEWHERE = {twin: declared.seen_by for twin, declared in UNSEEN.items() if declared.seen_by}
"""Second instances, by the twins that they flag."""


@pytest.mark.parametrize("twin", SEEN, ids=label)
def test_the_instance_that_ships_flags_the_broken_twin(twin: Twin) -> None:
    assert twin.violates(instance(twin.name))


@pytest.mark.parametrize(
    "twin",
    [
        pytest.param(each, marks=slowly(each.name, "dp_winnow"), id=label(each))
        for each in ELSEWHERE
    ],
)
def test_what_the_default_instance_does_not_show_is_flagged_by_another(twin: Twin) -> None:
    assert twin.violates(instance(ELSEWHERE[twin]))


@pytest.mark.parametrize(
    "specification",
    [
        pytest.param(each, marks=slowly(each.partition(":")[0], "dp_winnow", "forest_soa"))
        for each in sorted(set(ELSEWHERE.values()) - set(AUDITABLE.names()))
    ],
)
def test_where_it_is_flagged_the_right_mechanism_keeps_its_claim(specification: str) -> None:
    built = instance(specification)
    # What is cut has to be small beside exp(-epsilon), too.
    cut: dict[str, Any] = {"tail": Fraction(1, 2**36), "resolution": TINY}
    assert audit(built.run, built.pairs, built.privacy, **cut).verdict == HOLDS


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
    declared = {(entry.name, each.mistake) for entry in AUDITABLE for each in entry.unseen}
    assert {(twin.name, twin.mistake) for twin in UNSEEN} == declared
    assert len({label(twin) for twin in TWINS}) == len(TWINS)
    assert all(entry.reason for entry in AUDITABLE if entry.measured is not None)
