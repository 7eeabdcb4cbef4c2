"""Evidence and probabilities: what is said of noise is held against its exact law."""

from __future__ import annotations

import json
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom
from sklearn.base import clone
from sklearn.metrics import log_loss

from learners.audit import audit
from learners.mechanisms.count_noise import CountNoise
from learners.rules.naive_bayes import cell_noise, cell_scores
from learners.rules.trees import Leaf, Split
from learners.tables import (
    DecisionListClassifier,
    PrivateDecisionListClassifier,
    PrivateRuleListClassifier,
    RuleListModel,
    load_model,
)
from learners.tables.columns import Categories, Cuts, FixedColumns, Flag
from learners.tables.records import as_records
from learners.tables.rule_models import feature_conditions, leaves_of, rules_of
from learners.tables.rule_plans import score_price
from learners.tables.rule_supports import (
    RuleEstimate,
    further_error,
    noisy_supports,
    shares,
    shares_right,
)
from learners.tables.saved import model_from_json
from lsclasses.errors import InvalidInput
from lsclasses.verdicts import Verdict
from tests.learners.tables.test_models import python_of
from tests.learners.tables.test_rule_lists import COLUMNS, CONDITIONS, MATRIX, ROWS, table, trees


def laplace(scale, most):
    """The exact law of discrete Laplace noise, from its definition, as floats."""
    q = math.exp(-1 / scale)
    return {z: (1 - q) / (1 + q) * q ** abs(z) for z in range(-most, most + 1)}


def gaussian(variance, most):
    weights = {z: math.exp(-z * z / (2 * variance)) for z in range(-most, most + 1)}
    total = sum(weights.values())
    return {z: weight / total for z, weight in weights.items()}


def added(law, times):
    """The law of a sum of independent draws, added up term by term."""
    found = {0: 1.0}
    for _ in range(times):
        new: dict[int, float] = {}
        for a, p in found.items():
            for b, r in law.items():
                new[a + b] = new.get(a + b, 0.0) + p * r
        found = new
    return found


@pytest.mark.parametrize(
    ("noise", "law"),
    [
        (CountNoise(1, 2), laplace(2, 60)),
        (CountNoise(Fraction(3), 1), laplace(1 / 3, 12)),
        (CountNoise(1, 40, Fraction(1, 10**6)), None),
    ],
)
@pytest.mark.parametrize("summed", [0, 1, 2, 3])
@pytest.mark.parametrize("failure", [Fraction(1, 20), Fraction(1, 80)])
def test_the_radius_is_the_least_one(noise, law, summed, failure):
    if law is None:
        assert noise.variance is not None
        law = gaussian(float(noise.variance), 250)
    sums = added(law, summed)

    def beyond(r):
        return sum(p for z, p in sums.items() if abs(z) > r)

    radius = noise.radius(summed, failure)
    assert beyond(radius) <= failure
    assert not radius or beyond(radius - 1) > failure


@settings(max_examples=10)
@given(st.lists(st.integers(0, 60), min_size=2, max_size=3), st.integers(1, 3))
def test_what_is_said_of_a_rule_holds_in_95_of_100_draws(truth, leaves):
    """The exact law of the sums of noise: of one label, and of all others."""
    scale = Fraction(3, 2)
    law = laplace(float(scale), 40)
    one, rest = added(law, leaves), added(law, leaves * (len(truth) - 1))
    others = sum(truth[1:])
    true_share = (truth[0] + 1) / (sum(truth) + len(truth))
    rows_wrong = share_wrong = 0.0
    known: dict[tuple[int, int], RuleEstimate] = {}
    for a, p in one.items():
        for b, r in rest.items():
            if p * r > 1e-7:
                counts = (truth[0] + a, others + b, *[0] * (len(truth) - 2))
                at = counts[:2]
                if at not in known:
                    known[at] = RuleEstimate.of(counts, 0, leaves, scale)
                said = known[at]
                rows_wrong += p * r * (abs(said.rows - sum(truth)) > said.rows_noise)
                share_wrong += p * r * (abs(said.share - true_share) > said.share_noise + 1e-12)
    assert rows_wrong <= 0.05 and share_wrong <= 0.05


def test_a_shorter_radius_would_be_seen():
    """The test above with half of the noise said: it misses more than 5 %."""
    radius = CountNoise(1, 2).radius(2)
    sums = added(laplace(2, 60), 2)
    assert sum(p for z, p in sums.items() if abs(z) > radius // 2) > 0.05


@pytest.mark.parametrize(
    "truth",
    [((30, 2), (1, 25)), pytest.param(((9, 4), (0, 0)), marks=pytest.mark.slow)],
)
def test_the_noise_of_naive_bayes_scores_is_what_is_said(truth):
    noise = CountNoise(Fraction(2), 2)
    exact = cell_scores((truth,), noise.deviation)
    law = laplace(1, 9)
    wrong = [0.0, 0.0, 0.0]
    for (a, p), (b, q), (c, r), (d, s) in (
        (one, two, three, four)
        for one in law.items()
        for two in law.items()
        for three in law.items()
        for four in law.items()
        if one[1] * two[1] * three[1] * four[1] > 3e-6
    ):
        tables = (((truth[0][0] + a, truth[0][1] + b), (truth[1][0] + c, truth[1][1] + d)),)
        bias, scores = cell_scores(tables, noise.deviation)
        far, radii = cell_noise(tables, noise)
        chance = p * q * r * s
        wrong[0] += chance * (abs(bias - exact[0]) > far + 2)
        for i in (0, 1):
            wrong[1 + i] += chance * (abs(scores[0][i] - exact[1][0][i]) > radii[0][i] + 2)
    assert max(wrong) <= 0.05


def counted(tree):
    """The model of a tree, with supports that name the leaves."""
    rules, default = rules_of(tree, CONDITIONS, COLUMNS)
    leaves = leaves_of(tree, CONDITIONS, COLUMNS)
    supports = tuple((100 + i, 7 * i) for i in range(len(leaves)))
    return RuleListModel(
        *(COLUMNS, ("no", "yes"), "t", None, tuple(rules), default, None, supports),
        leaves=leaves,
        noise=Fraction(5, 2),
    )


@given(trees(3))
def test_leaves_have_all_rows_and_the_labels_of_the_rules(tree):
    model = counted(tree)
    places = model.places_of(MATRIX)
    assert places.max() < len(model.leaves)
    labels = np.array([leaf.label for leaf in model.leaves])
    assert (labels[places] == model.labels_of(MATRIX)).all()
    assert model_from_json(json.loads(model.to_json())) == model
    evidence = model.evidence()
    assert len(evidence) == len(model.rules) + 1
    assert sum(each.rows for each in evidence) == sum(map(sum, model.supports))
    chances = model.probabilities(ROWS, "ignore")
    assert chances == pytest.approx(shares(model.supports, model.noise)[places])
    assert chances.sum(axis=1) == pytest.approx(1)
    assert model.text().count("95 % interval") >= len(evidence)


@pytest.mark.parametrize(("claimed", "seen"), [(4, False), (3, True)])
@pytest.mark.parametrize("rule", ["replace_one", "add_remove"])
def test_supports_cost_what_the_ledger_says_and_not_less(claimed, seen, rule):
    """Exact laws: a row of the other label, or one row more."""

    def run(data, coins):
        places, labels = np.zeros(len(data), dtype=int), np.array(data, dtype=int)
        return noisy_supports(places, labels, (1, 2), Fraction(4), coins, neighbours=rule)[0]

    pair = ((0,), (1,)) if rule == "replace_one" else ((), (1,))
    found = audit(run, (pair,), (Fraction(claimed), 0), tail=Fraction(1, 2**12))
    assert (found.verdict == Verdict.VIOLATED) == seen


def test_probabilities_are_calibrated_and_thresholds_are_free(tmp_path):
    rng = np.random.default_rng(1)
    X = np.column_stack([rng.integers(0, 100, 20_000), rng.random(20_000) < 0.5])
    chance = np.where(X[:, 0] < 30, 0.1, np.where(X[:, 1] == 1, 0.8, 0.3))
    y = rng.random(20_000) < chance
    fitted = PrivateRuleListClassifier(
        1, columns=[[30, 60], "flag"], support_share=0.2, random_state=1
    ).fit(X, y)
    found = fitted.predict_proba(X)[:, 1]
    assert np.abs(found - chance).max() < 0.25
    for each in np.unique(found):
        assert abs(y[found == each].mean() - each) < 0.02
    assert log_loss(y, found) < log_loss(y, np.full(len(y), y.mean())) - 0.05
    fitted.model_.save(tmp_path / "model.json")
    loaded = load_model(tmp_path / "model.json")
    assert loaded.probabilities(as_records(X, ["x0", "x1"]))[:, 1] == pytest.approx(found)
    assert tuple(fitted.spent_) == (1, 0)


def test_probabilities_that_were_not_paid_for_are_refused():
    X, y = table(500)
    bare = PrivateRuleListClassifier(1, columns=[[40, 75], "flag"], random_state=1)
    assert not hasattr(bare, "predict_proba")
    with pytest.raises(AttributeError, match=r"Fit with support_share=0.2. Got support_share=0"):
        bare.predict_proba(X)
    for other in (PrivateDecisionListClassifier(), DecisionListClassifier()):
        assert not hasattr(other, "predict_proba")
        with pytest.raises(AttributeError, match=r"use predict. PrivateNaiveBayesClassifier\(\)"):
            other.predict_proba(X)
        with pytest.raises(AttributeError, match=r"has no attribute 'nonsense'$"):
            _ = other.nonsense
        assert clone(other).get_params() == other.get_params()
    with pytest.raises(InvalidInput, match="--report-support"):
        bare.fit(X, y).model_.probabilities(as_records(X, ["x0", "x1"]))
    with pytest.raises(InvalidInput, match="no probabilities"):
        load_model("tests/recorded/earlier/winnow.json").probabilities([])


def test_scores_are_small_integers_with_their_scale():
    rng = np.random.default_rng(3)
    X = rng.random((20_000, 9)) < 0.5
    y = X.sum(axis=1) + rng.normal(0, 0.5, 20_000) > 4.5
    fitted = PrivateRuleListClassifier(
        4, columns="flag", score_share="best", support_share=0.1, random_state=1
    ).fit(X, y)
    model = fitted.model_
    assert model.score is not None and model.score.unit == 10
    assert max(abs(point) for cell in model.score.cells for point in cell) < 100
    text = model.text()
    assert "10 points multiply the odds" in text and "x8: " in text
    assert model.literals >= 18 and len(model.details()["score"]["conditions"]) == 18
    rows = [dict(zip(fitted.columns_.names, row, strict=True)) for row in X[:64].tolist()]
    assert list(map(python_of(fitted), rows)) == fitted.predict(X[:64]).tolist()


def test_a_score_is_asked_only_where_it_pays():
    """Labels that three conditions explain and a score does as well: no score is asked."""
    rng = np.random.default_rng(5)
    X = np.column_stack([rng.integers(0, 4, 40_000), rng.integers(0, 100, 40_000)])
    X = np.column_stack([X, rng.random((40_000, 6)) < 0.5])
    y = (X[:, 0] == 0) | ((X[:, 1] >= 50) & (X[:, 2] == 1))
    y ^= rng.random(40_000) < 0.1
    columns = [Categories("0123"), Cuts([25, 50, 75]), *[Flag()] * 6]
    for seed in range(3):
        fitted = PrivateRuleListClassifier(
            1, columns=columns, score_share="best", random_state=seed
        ).fit(X, y)
        assert fitted.model_.score is None and fitted.score(X, y) > 0.89
        # A two-hundredth of the rows, and what chance makes of 40,000 of them.
        assert fitted.mechanism_.bonus == 200 + 80
    unknown = PrivateRuleListClassifier(
        1, columns=columns, score_share=0.3, neighbours="add_remove", random_state=1
    ).fit(X, y)
    assert unknown.mechanism_.bonus == 0
    with pytest.raises(InvalidInput, match="tolerance"):
        PrivateRuleListClassifier(score_tolerance=2, columns=columns).fit(X, y)


@pytest.mark.parametrize("rows", [2500, 10_000, 250_000])
def test_chance_alone_seldom_buys_a_score(rows):
    """Rules that are equally good and disagree on a tenth of the rows: the exact law of the gap."""
    price = score_price(rows, Fraction(1, 10**9))
    # Of the rows on which they disagree, the score is right on a fair half.
    differ = rows // 10
    assert 0.08 < binom.sf((differ + price) // 2, differ, 0.5) < 0.1
    assert score_price(rows, Fraction(1, 200)) == price + rows // 200


def test_leaves_of_flags_are_those_of_their_columns():
    """A model on flags, moved to columns whose features they are, has the same probabilities."""
    flags = FixedColumns(tuple("abcdefg"), (Flag(),) * 7)
    conditions = feature_conditions(flags)
    tree = Split(0, Split(3, Leaf(1), Leaf(0)), Split(6, Leaf(1), Leaf(0)))
    rules, default = rules_of(tree, conditions, flags)
    leaves = leaves_of(tree, conditions, flags)
    model = RuleListModel(
        *(flags, (0, 1), "", None, tuple(rules), default, None, ((9, 1), (2, 8), (5, 5), (7, 1))),
        leaves=leaves,
        noise=Fraction(2),
    )
    moved = model.on(COLUMNS)
    assert moved.places_of(MATRIX).max() < len(moved.leaves)
    assert (
        model.shares()[model.places_of(MATRIX)] == moved.shares()[moved.places_of(MATRIX)]
    ).all()


def test_accuracies_are_those_of_the_rows_where_there_is_hardly_any_noise():
    rng = np.random.default_rng(2)
    places, labels = rng.integers(0, 4, 3000), rng.integers(0, 3, 3000)
    counts = np.zeros((4, 3), dtype=int)
    np.add.at(counts, (places, labels), 1)
    said = np.array([2, 0, 1, 0])
    right = said[places] == labels
    accuracy, balanced = shares_right(tuple(map(tuple, counts.tolist())), said, Fraction(1, 100))
    assert accuracy[0] == pytest.approx(right.mean(), abs=1e-3) and accuracy[1] == 0
    wanted = np.mean([right[labels == b].mean() for b in range(3)])
    assert balanced[0] == pytest.approx(wanted, abs=1e-3) and balanced[1] == 0


@pytest.mark.parametrize(("rows", "flipped"), [(400, 0.3), (1000, 0.45), (4000, 0.3)])
def test_the_accuracy_on_further_rows_is_within_its_error(rows, flipped):
    """A simulation: rules at epsilon 1, tested on a quarter as many further rows."""
    runs, further = 40, rows // 4
    covered = by_noise = 0
    for seed in range(runs):
        rng = np.random.default_rng(seed)
        X = rng.integers(0, 100, (rows + further, 3))
        y = (X[:, 0] >= 50) ^ (rng.random(rows + further) < flipped)
        model = PrivateRuleListClassifier(
            epsilon=1, columns=[[25, 50, 75]] * 3, support_share=0.2, random_state=seed
        ).fit(X[:rows], y[:rows])
        found = model.model_.details()["accuracy"]
        error = abs((model.predict(X[rows:]) == y[rows:]).mean() - found["share"])
        covered += error <= found["share of further rows +- (95 %)"]
        by_noise += error <= found["share +- (95 %)"]
    assert covered >= 36  # fewer has probability below .05 if 95 % are covered
    assert by_noise <= covered


def test_the_error_on_further_rows_adds_the_sampling_error_of_both_samples():
    n = 10_000
    found = further_error(((n // 2, 0), (0, n // 2)), 0.5, 0.0)
    assert found == pytest.approx(1.96 * np.sqrt(0.25 / n + 0.25 / (n / 4)), rel=0.01)
    assert further_error(((1, 1),), 0.5, None) is None
