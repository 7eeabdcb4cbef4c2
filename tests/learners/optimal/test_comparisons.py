"""Worst cases of other learners: against optima, single distributions, and other code."""

from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement, product

import pytest
from hypothesis import given

import catalog
from learners.exact import OutputDistribution, exact_distribution
from learners.experts.hedge import FollowTheLeader
from learners.optimal import comparisons
from learners.optimal.comparisons import (
    VersionSpaces,
    learner_error,
    learner_mistakes,
    non_private_mistakes,
    split_budget_hedge,
)
from learners.optimal.error import optimal_error
from learners.optimal.mistakes import optimal_mistakes
from learners.pac.distributions import FiniteDistribution
from learners.pac.generic import GenericLearner
from learners.playing.entries import ONLINE_LEARNERS
from learners.playing.expert_sources import experts_of
from learners.playing.learner import PublishedState, PublishingLearner
from lsclasses.concept_class import ConceptClass
from lsclasses.dimensions.littlestone import randomized_ldim
from lsclasses.errors import TooLarge
from lsclasses.table import Table
from tests.strategies import tables

CLOSE = 1e-5


def expected_error(learner: GenericLearner, D: FiniteDistribution, rows: int) -> float:
    law = learner.law(D, rows)
    return float(sum(float(law[h].mid()) * D.loss(h) for h in law))


@pytest.mark.parametrize("spec", ["points:n=3", "thresholds:n=2", "cube:n=2"])
def test_no_distribution_is_worse_and_some_is_almost_as_bad(spec: str) -> None:
    C, parts, rows = catalog.build(spec).to_table(), 8, 2
    learner = GenericLearner(C, 1)
    worst = learner_error(C, learner, rows)
    found = []
    for c in C:
        for counts in product(range(parts + 1), repeat=len(C.points)):
            if sum(counts) == parts:
                weights = {(x, c(x)): k for x, k in zip(C.points, counts, strict=True) if k}
                D = FiniteDistribution.of_counts(C.domain, weights)
                found.append(expected_error(learner, D, rows))
    assert worst - 1 / parts < max(found) <= worst + CLOSE


def test_the_best_learner_errs_as_its_bounds_say() -> None:
    C = catalog.build("points:n=2")
    for labels in ("realizable", "agnostic"):
        found = optimal_error(C, 1, 1, labels=labels)  # type: ignore[arg-type]
        assert found.lower - CLOSE <= learner_error(C, found.learner, 1, labels)  # type: ignore[arg-type]
        assert learner_error(C, found.learner, 1, labels) <= found.upper + CLOSE  # type: ignore[arg-type]
    online = optimal_mistakes(C, 2, 1)
    assert learner_mistakes(C, online.learner, 2) == pytest.approx(float(online.upper))


@given(tables(max_points=3, max_concepts=4, min_concepts=1))
def test_long_games_without_privacy_have_the_randomized_dimension(C: Table) -> None:
    assert non_private_mistakes(C, max(1, C.size - 1)) == randomized_ldim(C)


def test_shares_of_epsilon_are_no_better_than_the_best_private_learner() -> None:
    C = catalog.build("thresholds:n=2")
    for rounds in (1, 2, 3):
        proper = optimal_mistakes(C, rounds, Fraction(1, 2), outputs="class")
        hedge = split_budget_hedge(C, rounds, Fraction(1, 2))
        assert learner_mistakes(C, hedge, rounds) >= float(proper.lower)


def test_many_rounds_without_privacy_reach_the_randomized_littlestone_dimension() -> None:
    C = catalog.build("cube:n=4")
    assert [non_private_mistakes(C, T) for T in (3, 4, 12)] == [Fraction(3, 2), 2, 2]


def worst_of_all_streams(C: ConceptClass, learner: PublishingLearner, rounds: int) -> float:
    """The definition: every stream that a concept labels, one after the other."""

    def mistakes(stream: tuple[tuple[object, int], ...]) -> float:
        law: OutputDistribution[PublishedState | None] = exact_distribution(learner.start)
        total = 0.0
        for number, (x, y) in enumerate(stream):
            if number:
                before = stream[number - 1]
                law = law.then(
                    lambda state, coins, z=before: state and learner.learn(state, *z, coins)  # type: ignore[misc]
                )
            total += float(
                law.probability(lambda s, x=x, y=y: s is not None and s.hypothesis(x) != y).mid()  # type: ignore[misc]
            )
        return total

    streams = {
        tuple((x, int(c(x))) for x in points)
        for c in C
        for points in product(C.domain, repeat=rounds)
    }
    return max(map(mistakes, streams))


@pytest.mark.parametrize("spec", ["thresholds:n=2", "points:n=3"])
def test_remembered_games_have_the_worst_of_all_streams(spec: str) -> None:
    C = catalog.build(spec)
    leader = FollowTheLeader(experts_of(C))
    sparse = ONLINE_LEARNERS["sparse-experts"].learner(C, 2, epsilon=1, delta=0)
    hedge = split_budget_hedge(C, 3, 1)
    for learner, rounds in ((leader, 3), (sparse, 2), (hedge, 3)):
        found = learner_mistakes(C, learner, rounds)
        assert found == pytest.approx(worst_of_all_streams(C, learner, rounds), abs=1e-9)


@given(tables(max_points=3, max_concepts=5, min_concepts=1))
def test_histories_are_multisets_that_a_concept_labels(C: Table) -> None:
    examples = list(product(C.domain, (0, 1)))
    for most in (0, 1, 3):
        listed = [
            history
            for size in range(most + 1)
            for history in combinations_with_replacement(examples, size)
            if any(all(c(x) == y for x, y in history) for c in C)
        ]
        assert VersionSpaces.of(C).histories(most) == len(listed)
        assert len({frozenset(Counter(each).items()) for each in listed}) == len(listed)


def test_too_many_distributions_are_refused_before_any_is_computed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    C = catalog.build("cube:n=4")
    monkeypatch.setattr(comparisons, "exact_distribution", None)
    with pytest.raises(TooLarge, match=r"8,361 distributions .* Use at most 10 rounds\."):
        learner_mistakes(C, split_budget_hedge(C, 11, 1), 11)
    with pytest.raises(TooLarge, match=r"Use a smaller class\."):
        learner_mistakes(C, split_budget_hedge(C, 2, 1), 2, most_draws=15)
