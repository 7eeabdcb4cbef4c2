"""The best private learner from samples: known values, closed forms, laws, forgeries, refusals."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import catalog
from learners.coins import SeededCoins
from learners.exact import exact_distribution
from learners.optimal import forms
from learners.optimal.error import non_private_error, optimal_error
from learners.optimal.error_certificates import ErrorEvidence
from learners.optimal.error_program import PARTS, HardInstance
from learners.optimal.forms import Simplex
from learners.optimal.frontier import Frontier
from learners.optimal.sample_problems import Multisets, all_labellings, labels_of
from learners.optimal.symmetries import image
from learners.pac.distributions import FiniteDistribution
from learners.pac.generic import GenericLearner
from learners.pac.samples import Sample
from lsclasses import Table
from lsclasses.errors import BadCertificate, InvalidInput, TooLarge
from tests.learners.optimal.naive_error import least_error
from tests.strategies import tables

BIT = "bit"


def built(spec: str) -> Table:
    return Table([[0], [1]]) if spec == BIT else catalog.build(spec).to_table()


@cache
def found(spec: str, rows: int, epsilon: Any = 1, delta: Any = 0, **asked: Any) -> Frontier:
    result = optimal_error(built(spec), rows, epsilon, delta, **asked)
    assert 0 <= result.upper - result.lower < Fraction(1, 10_000)
    return result


# ---- closed forms


def test_without_privacy_and_without_rows() -> None:
    C = built("points:n=3")
    for rows, value in ((1, 0.2222), (2, 0.0934), (3, 0.0572)):
        lower, upper = non_private_error(C, rows)
        assert float(lower) - 1e-4 < value < float(upper) + 1e-4
        assert found("points:n=3", rows).lower > upper
    # The uniform law on the two constants is the best answer without data for a bit.
    assert [float(each) for each in non_private_error(built(BIT), 0)] == pytest.approx(
        [0.5, 0.5], abs=1e-4
    )
    assert found(BIT, 1, Fraction(1, 100)).upper < non_private_error(built(BIT), 0)[1]


# ---- against definitions


def with_images(C: Table, result: Frontier) -> list[Any]:
    """The challenges of the hard prior, and what automorphisms make of them."""
    question = result.learner.choices.program.question
    todo = {each for each, _ in result.hard.challenges}
    seen: set[HardInstance] = set()
    while todo:
        each = todo.pop()
        seen.add(each)
        for symmetry in question.symmetries:
            weights = [0] * question.examples
            for z, place in enumerate(question.moved_examples(symmetry).tolist()):
                weights[place] = each.weights[z]
            concept = question.concepts.index(image(symmetry, question.concepts[each.concept]))
            todo |= {HardInstance(concept, tuple(weights))} - seen
    return [
        (
            question.concepts[each.concept],
            {(z // 2, z % 2): w / PARTS for z, w in enumerate(each.weights) if w},
        )
        for each in seen
    ]


@pytest.mark.parametrize(
    ("spec", "rows", "asked"),
    [
        ("points:n=3", 1, {}),
        ("points:n=2", 2, {}),
        ("points:n=3", 1, {"outputs": "class", "epsilon": "1/3"}),
        ("thresholds:n=2", 2, {}),
        ("cube:n=2", 2, {"outputs": "class"}),
        ("points:n=2", 1, {"labels": "agnostic"}),
        ("points:n=2", 2, {"epsilon": "1/10", "delta": "1/50"}),
        (BIT, 3, {"delta": "1/10"}),
        ("points:n=2", 2, {"rows_per_user": 2}),
        ("thresholds:n=2", 2, {"public_rows": 1}),
        ("cube:n=2", 2, {"public_rows": 1, "outputs": "class", "epsilon": "1/3"}),
        ("points:n=2", 2, {"public_rows": 1, "labels": "agnostic"}),
        (BIT, 3, {"rows_per_user": 2, "public_rows": 1, "labels": "agnostic"}),
        (BIT, 4, {"rows_per_user": 2, "delta": "1/10"}),
    ],
)
def test_without_symmetry_hubs_or_multisets_the_value_is_the_same(spec, rows, asked) -> None:
    result, C = found(spec, rows, **asked), built(spec)
    concepts = labels_of(C.labels)
    proper = asked.get("outputs") == "class"
    outputs = list(concepts) if proper else list(all_labellings(len(concepts[0])))
    value = least_error(
        outputs,
        len(concepts[0]),
        rows,
        float(Fraction(asked.get("epsilon", 1))),
        with_images(C, result),
        delta=float(Fraction(asked.get("delta", 0))),
        rows_per_user=asked.get("rows_per_user", 1),
        public_rows=asked.get("public_rows", 0),
    )
    assert value == pytest.approx(float(result.lower), abs=1e-7)


@pytest.mark.parametrize("spec", ["points:n=3", "thresholds:n=3", "cube:n=2"])
def test_users_and_public_rows_are_between_known_values(spec: str) -> None:
    """A user's guarantee implies a row's guarantee, and two shares of epsilon/2 imply a user's."""
    users = found(spec, 2, rows_per_user=2)
    assert found(spec, 2).lower <= users.upper
    assert users.lower <= found(spec, 2, Fraction(1, 2)).upper
    # One user of two rows may use only the first row.
    assert users.lower <= found(spec, 1).upper
    public = found(spec, 2, public_rows=1)
    assert public.lower <= found(spec, 2).upper
    assert public.lower <= non_private_error(built(spec), 1)[1]


def test_equal_rows_of_a_user_are_one_row_and_a_public_row_shows_one_bit() -> None:
    """Two constants on one point: all rows are equal, so k rows of a user are worth one row."""
    for users in (1, 2):
        for each in (2, 3):
            grouped = found(BIT, users * each, rows_per_user=each)
            assert abs(grouped.lower - found(BIT, users).lower) < Fraction(1, 10_000)
    assert found(BIT, 2, public_rows=1).lower == 0


def test_a_learner_of_users_is_private_for_sequences_of_rows() -> None:
    """The output distribution of the running learner, for every two sequences, in order."""
    C = built("points:n=2")
    learner = found("points:n=2", 3, rows_per_user=2, public_rows=1).learner
    examples = [(x, y) for x in C.domain for y in (0, 1)]
    laws = {}
    for rows in product(examples, repeat=3):
        law = exact_distribution(
            lambda coins, rows=rows: learner.fit(Sample(C.domain, rows), coins)
        )
        laws[rows] = {h: float(probability.mid()) for h, probability in law.items()}
    ratio = float(np.exp(1)) + 1e-9
    largest = 0.0
    for (one, law), (other, near) in product(laws.items(), repeat=2):
        if one[0] == other[0]:
            assert all(law[h] <= ratio * near[h] for h in law)
        elif one[1:] == other[1:]:
            largest = max(largest, *(law[h] / near[h] for h in law))
    # The public row is not protected.
    assert largest > 2 * ratio


def test_a_learner_of_rows_is_not_private_for_users() -> None:
    evidence = found("points:n=3", 2).evidence
    with pytest.raises(BadCertificate):
        replace(evidence, rows_per_user=2).check(built("points:n=3"))
    users = found("points:n=3", 2, rows_per_user=2).evidence
    for name in ({"rows_per_user": 1}, {"rows_per_user": 3}, {"public_rows": 2}):
        with pytest.raises(BadCertificate):
            replace(users, **name).check(built("points:n=3"))
    assert ErrorEvidence.from_json(json.loads(json.dumps(users.to_json()))) == users


def test_users_must_share_all_rows_that_are_not_public() -> None:
    with pytest.raises(InvalidInput, match="2 rows of users"):
        optimal_error(built("points:n=2"), 3, 1, rows_per_user=3, public_rows=1)
    with pytest.raises(InvalidInput, match="0 rows of users"):
        optimal_error(built("points:n=2"), 2, 1, public_rows=2)


@settings(max_examples=5)
@given(
    table=tables(max_concepts=4, max_points=2, min_concepts=2),
    rows=st.integers(1, 2),
    epsilon=st.sampled_from([Fraction(1, 2), Fraction(1), Fraction(3)]),
    weights=st.lists(st.integers(0, 6), min_size=2, max_size=2).filter(any),
    concept=st.integers(0, 3),
)
def test_bounds_hold_for_every_distribution_and_learner(
    table: Table, rows: int, epsilon: Fraction, weights: list[int], concept: int
) -> None:
    result = optimal_error(table, rows, epsilon, tolerance=Fraction(1, 100))
    c = table[concept % len(table)]
    counts = {(x, c(x)): w for x, w in zip(table.points, weights, strict=False) if w}
    D = FiniteDistribution.of_counts(table.domain, counts or {(0, c(0)): 1})
    law = result.learner.law(D, rows)
    assert sum(float(law[h]) * float(D.loss(h)) for h in law) <= float(result.upper) + 1e-9
    # The exponential mechanism is private, so on average over the hard prior it errs as much.
    other = GenericLearner(table, epsilon)
    worst = max(
        sum(float(p) * float(E.loss(h)) for h, p in other.law(E, rows).items())
        for _, E in result.hard.distributions()
    )
    assert worst >= float(result.lower) - 1e-9


# ---- the maximum of a form


@given(
    st.lists(st.integers(-50, 50), min_size=10, max_size=10),
    st.lists(st.integers(0, 5), min_size=3, max_size=3).filter(any),
)
def test_forms_are_bounded_by_parts_of_the_simplex(values: list[int], at: list[int]) -> None:
    S, D = Simplex(3, 3), [Fraction(x, sum(at)) for x in at]
    form = np.array(values, dtype=object)
    value = sum(
        order * D[a] * D[b] * D[c] * v
        for (a, b, c), order, v in zip(
            S.multisets.members.tolist(), S.multisets.orders, values, strict=True
        )
    )
    maximum = S.maximum(form.astype(float), 1e-6)
    assert float(value) <= maximum.upper + 1e-9
    assert S.is_at_most(form * 1000, int(maximum.upper * 1000) + 2)
    assert not S.is_at_most(form * 1000, int(np.floor(maximum.lower * 1000 - 1e-6)) - 1)


@given(values=st.lists(st.integers(-9, 9), min_size=10, max_size=10), most=st.integers(-9, 9))
def test_quadratic_forms_are_bounded_at_critical_points_as_by_bisections(values, most) -> None:
    """Small integers give many singular faces and ties."""
    S, form = Simplex(4, 2), np.array(values, dtype=object)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(forms, "MOST_CORNERS", 0)
        by_bisections = S.is_at_most(form * 10**6, most * 10**6 + 1, nodes=2_000)
    at_critical_points = S.is_at_most(form * 10**6, most * 10**6 + 1)
    # Bisections may end without an answer if the maximum is close to the bound.
    if by_bisections or abs(S.maximum(form.astype(float), 1e-9).upper - most) > 1e-3:
        assert at_critical_points == by_bisections
    assert at_critical_points == (S.maximum(form.astype(float), 1e-9).upper <= most + 1e-6)


@pytest.mark.parametrize(("kinds", "size"), [(4, 40), (2, 70), (6, 25), (1, 100), (5, 0)])
def test_positions_of_long_multisets_do_not_overflow(kinds: int, size: int) -> None:
    """With 64 rows of 2 examples, kinds**size exceeds 64 bits."""
    found = Multisets(kinds, size)
    some = np.random.default_rng(1).integers(0, len(found), 200)
    assert (found.index(found.members[some][:, ::-1]) == some).all()


def test_many_rows_of_a_bit_have_the_value_of_the_formula() -> None:
    """From m rows with labels of one bit, the least error is e^(-epsilon m/2)/2 for even m."""
    result = optimal_error(built(BIT), 64, Fraction(1, 32))
    assert abs(float(result.lower) - np.exp(-1) / 2) < 1e-4
    result.evidence.check(built(BIT))


def test_the_guarantee_excludes_public_rows() -> None:
    for users, unit in (({}, "item"), ({"rows_per_user": 2}, "person")):
        learner = found("points:n=2", 3, public_rows=1, **users).learner
        assert learner.privacy.scope.unit == f"private {unit}"
        assert f"one private {unit} replaced" in str(learner.privacy.scope)
    assert found("points:n=2", 2, rows_per_user=2).learner.privacy.scope.unit == "person"


def test_large_weights_of_users_are_integers_without_bounds() -> None:
    grouped = found(BIT, 12, rows_per_user=6)
    assert abs(grouped.lower - found(BIT, 2).lower) < Fraction(1, 10_000)


def test_large_problems_and_certificates_are_refused_quickly() -> None:
    for rows, users in ((10**10, {}), (10**5, {"rows_per_user": 10**5})):
        with pytest.raises(TooLarge):
            optimal_error(built("points:n=2"), rows, 1, **users)
        with pytest.raises(TooLarge):
            non_private_error(built("points:n=2"), rows)
    evidence = found("points:n=2", 2).evidence
    for large in (
        replace(evidence, rows=200_000),
        replace(evidence, rows=9, rows_per_user=9, delta=Fraction(1, 10)),
    ):
        with pytest.raises(BadCertificate, match="at most"):
            large.check(built("points:n=2") if large.delta == 0 else built("points:n=8"))


def test_multisets_are_found_in_any_order() -> None:
    pairs = Multisets(5, 3)
    rng = np.random.default_rng(1)
    shuffled = rng.permuted(pairs.members, axis=1)
    assert pairs.index(shuffled).tolist() == list(range(len(pairs)))
    assert sum(pairs.orders) == 5**3


# ---- learners that run


def test_the_learner_draws_by_its_law() -> None:
    result = found("points:n=3", 2, outputs="class")
    C, learner = built("points:n=3"), result.learner
    examples = list(product(C.points, (0, 1)))
    for rows in product(examples, repeat=2):
        law = exact_distribution(
            lambda coins, rows=rows: learner.fit(Sample(C.domain, rows), coins)
        )
        swapped = exact_distribution(
            lambda coins, rows=rows: learner.fit(Sample(C.domain, rows[::-1]), coins)
        )
        assert law == swapped and all(h in list(C) for h in law.weights)
    with pytest.raises(InvalidInput, match="needs 2 rows"):
        learner.fit(Sample(C.domain, examples[:1]), SeededCoins(0))


def test_a_predictor_answers_each_query_by_its_own_law() -> None:
    result = found("points:n=3", 2, outputs="prediction")
    C, rows = built("points:n=3"), [(0, 1), (1, 0)]
    for x in C.points:
        law = exact_distribution(
            lambda coins, x=x: result.learner.predict(Sample(C.domain, rows), x, coins)
        )
        assert set(law.weights) == {0, 1}
        assert (float(law[1]) > 0.5) == (x == 0)


# ---- forgeries


def forged(evidence: ErrorEvidence) -> dict[str, ErrorEvidence]:
    """Evidence that claims a little too much, or is damaged."""
    weights, (first, *others) = list(evidence.weights), evidence.challenges
    more = [weights[0] + 1, *weights[1:]]
    row = next(iter(evidence.multipliers))
    at = first[0].weights
    lost = replace(first[0], weights=(at[0] + 1, *at[1:]))
    unlabelled = replace(first[0], weights=tuple(at[z ^ 1] for z in range(len(at))))
    return {
        "epsilon smaller": replace(evidence, epsilon=evidence.epsilon * Fraction(999, 1000)),
        "below above e^epsilon": replace(evidence, below=evidence.above),
        "above below e^epsilon": replace(evidence, above=evidence.below),
        "U below the value": replace(evidence, upper=evidence.lower - Fraction(1, 10**6)),
        "L above the value": replace(evidence, lower=evidence.upper + Fraction(1, 10**6)),
        "an entry is larger": replace(evidence, weights=tuple(more)),
        "an entry is missing": replace(evidence, weights=tuple(weights[1:])),
        "a negative entry": replace(evidence, weights=(-1, *weights[1:])),
        "a negative multiplier": replace(evidence, multipliers={**evidence.multipliers, row: -1}),
        "a row that is not there": replace(evidence, multipliers={10**9: 1}),
        "weights that do not add up": replace(
            evidence, challenges=((first[0], first[1] + 1), *others)
        ),
        "a distribution that does not add up": replace(
            evidence, challenges=((lost, first[1]), *others)
        ),
        "a distribution that its concept does not label": replace(
            evidence, challenges=((unlabelled, first[1]), *others)
        ),
        "another concept": replace(
            evidence, challenges=((replace(first[0], concept=99), first[1]), *others)
        ),
        "no prices": replace(evidence, prices={}),
        "more rows": replace(evidence, rows=evidence.rows + 1),
        "a million rows": replace(evidence, rows=10**6),
    }


@pytest.mark.parametrize("asked", [{}, {"outputs": "class"}, {"delta": "1/100"}])
def test_forgeries_are_refused(asked: dict[str, Any]) -> None:
    evidence, C = found("points:n=3", 2, **asked).evidence, built("points:n=3")
    evidence.check(C)
    for name, each in forged(evidence).items():
        with pytest.raises(BadCertificate):
            print(name)
            each.check(C)
    with pytest.raises(BadCertificate):
        evidence.check(built("thresholds:n=3"))
    with pytest.raises(BadCertificate):
        evidence.check(Table([[1, 0, 0], [0, 1, 0], [0, 1, 1]]))


@pytest.mark.parametrize("asked", [{}, {"outputs": "prediction"}, {"delta": "1/100"}])
def test_a_learner_that_is_not_private_enough_is_refused(asked: dict[str, Any]) -> None:
    """Everything else about it is right: only the comparison of neighbours can tell."""
    evidence, other = (found("points:n=3", 2, e, **asked).evidence for e in (1, 2))
    forgery = replace(evidence, weights=other.weights, upper=other.upper)
    with pytest.raises(BadCertificate, match="not private"):
        forgery.check(built("points:n=3"))


def test_evidence_survives_json() -> None:
    for asked in ({}, {"outputs": "prediction"}, {"labels": "agnostic"}):
        evidence = found("points:n=2", 1, **asked).evidence
        again = ErrorEvidence.from_json(json.loads(json.dumps(evidence.to_json())))
        assert again == evidence
        law = again.check(built("points:n=2"))
        assert law.weights == evidence.weights


# ---- refusals
