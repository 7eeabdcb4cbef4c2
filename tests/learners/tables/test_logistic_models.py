"""Logistic regression on declared columns: its printed accuracy bound and its options."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from learners.rules.logistic_accuracy import ExcessLogLoss
from learners.rules.logistic_gaussian import GaussianPerturbation
from learners.rules.logistic_regression import ObjectivePerturbation
from learners.rules.naive_bayes import SCORE_UNIT
from learners.tables import PrivateLogisticRegression
from learners.tables.bayes import CellScores
from learners.tables.logistic import (
    LARGEST_SCORE,
    LogisticTraining,
    described,
    excess_log_loss,
    promised,
    read_class_weights,
)
from learners.tables.records import as_records, load_records
from learners.tables.saved import load_model
from lsclasses.errors import InvalidInput
from tests.lsclasses.commands.test_cli import not_private_json, run

ROOT = Path(__file__).parents[3]
MECHANISM = ObjectivePerturbation(1, (1, 1, 3))
SCORES = CellScores(5, ((1, -2, 0), (7, 7, 7, 7)))


def rows(count: int = 2000) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(1)
    X = np.column_stack([rng.integers(18, 90, count), rng.random(count) < 0.3])
    return X, rng.random(count) < 1 / (1 + np.exp(-(X[:, 0] - 55) / 10 - X[:, 1]))


def fitted(**options: object) -> PrivateLogisticRegression:
    columns = [[30, 40, 50, 60, 70], "flag"]
    return PrivateLogisticRegression(columns=columns, random_state=1, **options).fit(*rows())


# ---- accuracy bound


def test_the_bound_covers_the_rounding_of_the_scores():
    found = excess_log_loss(MECHANISM, (SCORES,))
    assert found is not None
    # The bias and two columns are rounded to the nearest multiples of 1/SCORE_UNIT.
    assert found.per_row - ExcessLogLoss.of(MECHANISM).per_row >= Fraction(3, 2 * SCORE_UNIT)


def test_a_score_of_the_largest_size_has_no_bound():
    clipped = CellScores(5, ((1, -LARGEST_SCORE, 0), (7, 7, 7, 7)))
    assert excess_log_loss(MECHANISM, (clipped,)) is None
    assert promised(MECHANISM, (clipped,), 100, Fraction(4)).startswith("No bound on the log loss")


def test_the_bound_in_words_is_rounded_up_and_states_vacuity():
    found = excess_log_loss(MECHANISM, (SCORES,))
    assert found is not None and found.least_rows is not None
    said = promised(MECHANISM, (SCORES,), 10_000, Fraction(4))
    number = Fraction(said.split("at most ")[2].split(" per")[0])
    assert 0 <= number - found.bound(10_000).value / 10_000 < number / 100
    assert said.endswith("per training row, except with probability 1/20")
    few = promised(MECHANISM, (SCORES,), found.least_rows - 1, Fraction(4))
    assert "is vacuous" in few and few.endswith(f"needs {found.least_rows} rows")
    huge = promised(MECHANISM, (SCORES,), 10, Fraction(10) ** 400)
    assert "is vacuous" in huge and huge.endswith("e+800 rows")
    hidden = promised(MECHANISM, (SCORES,), None, Fraction(4))
    assert f"needs {found.least_rows} rows" in hidden and " in all plus " in hidden


def test_fitted_scores_are_within_the_bound():
    X, y = rows()
    model = fitted()
    found = model.excess_log_loss(norm=4, failure=0.01)
    odds = model.decision_function(X)
    loss = (np.logaddexp(0, odds) - y * odds).sum()
    ages = (np.searchsorted([30, 40, 50, 60, 70], X[:, 0], side="right") * 2 - 5) / 5
    flags = 2 * X[:, 1] - 1
    grid = np.linspace(-3, 3, 13)
    least = min(
        (np.logaddexp(0, z) - y * z).sum()
        for z in (a + b * ages + c * flags for a in grid for b in grid for c in grid)
    )
    assert found.failure == Fraction(1, 100)
    assert loss - least <= found.bound(len(y)).value


@pytest.mark.parametrize(("epsilon", "largest", "bound"), [(1, 0.0311, 0.110), (4, 0.0048, 0.0262)])
def test_the_page_states_the_bound_and_the_excess_on_the_example(epsilon, largest, bound):
    table = load_records(ROOT / "examples" / "people.csv")
    X, y = table.without(["risk", "job"]), np.array(table.cells("risk").texts()) == "high"
    cuts = list(range(10, 100, 10))
    ages = np.array([float(each) for each in X.cells("age").texts()])
    codes = [np.ones(len(y)), (2 * np.searchsorted(cuts, ages, side="right") - 9) / 9]
    codes.append(2 * np.array([float(each) for each in X.cells("smoker").texts()]) - 1)
    # The best weights of norm 8, by a general solver for constrained minima.
    best = np.array([-1.24680982, 7.39942476, 2.77380216]) @ codes
    least = (np.logaddexp(0, best) - y * best).mean()
    excesses = []
    for seed in range(4):
        model = PrivateLogisticRegression(
            epsilon=epsilon, columns={"age": cuts, "smoker": "flag"}, random_state=seed
        ).fit(X, y)
        odds = model.decision_function(X)
        excesses.append((np.logaddexp(0, odds) - y * odds).mean() - least)
    assert largest / 2 < max(excesses) < largest * 1.02
    found = float(model.excess_log_loss(norm=8).bound(len(y)).value) / len(y)
    assert 0.99 * bound < found <= bound


def test_bounds_need_a_fitted_model_and_numbers_in_range():
    with pytest.raises(InvalidInput, match="norm of the compared weights"):
        fitted().excess_log_loss(norm=-1)


# ---- class weights


def test_weights_of_1_change_nothing_and_the_heavier_class_is_predicted_more():
    X, y = rows()
    plain = fitted()
    for weights in ({True: 1}, {False: 1, True: "1"}):
        assert fitted(class_weight=weights).model_.scores == plain.model_.scores
    heavy, light = fitted(class_weight={True: 5}), fitted(class_weight={True: 0.2})
    shares = [float(model.predict(X).mean()) for model in (light, plain, heavy)]
    assert shares == sorted(set(shares))
    assert heavy.mechanism_.class_weights == (1, 5) and light.mechanism_.heaviest == 1
    assert heavy.spent_ == plain.spent_
    bound = heavy.excess_log_loss().bound(len(y))
    assert bound.quantity.startswith("weighted log loss")
    assert bound.trivial > 4.9 * plain.excess_log_loss().bound(len(y)).trivial


def test_only_ratios_of_weights_matter():
    """Multiples of the weights multiply l2 and the noise, and leave the minimum unchanged."""
    rng = np.random.default_rng(2)
    table = np.column_stack([np.full(50, 256), rng.integers(-256, 257, 50)])
    labels, found = rng.integers(0, 2, 50), []
    for times in (1, 8):
        mechanism = ObjectivePerturbation(
            1, (1, 1), l2=Fraction(8) * times, class_weights=(times, 2 * times)
        )
        noise = [3 * times << 26, -times << 26]
        minimum = mechanism.minimum(table, labels, noise)
        weights = np.array(minimum.values) / 2**minimum.bits
        found.append((weights, float(mechanism.noise.scale) / times))
    assert np.allclose(found[0][0], found[1][0], atol=1e-6)
    assert found[0][1] == pytest.approx(found[1][1])


@pytest.mark.parametrize(
    ("weights", "why"),
    [
        ("balanced", "Weights computed from the rows"),
        ([1, 3], "by class, such as {False: 1, True: 3}"),
        ({"yes": 3}, "classes of the target: False, True. Got the class 'yes'"),
        ({True: 0}, "weight of a class must be greater than 0 and at most 1000000. Got 0"),
        ({True: "many"}, "many"),
    ],
)
def test_weights_that_are_not_public_numbers_are_refused(weights, why):
    with pytest.raises(InvalidInput, match=why):
        fitted(class_weight=weights)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("balanced", "Declare public weights"),
        ("high=3,high=2", "two weights of 'high'"),
        ("high=-1", "weight of the class 'high'"),
        ("high=many", "weight of the class 'high'"),
    ],
)
def test_declared_weights_are_read_strictly(text, why):
    with pytest.raises(InvalidInput, match=why):
        read_class_weights(text)


# ---- several classes


def three_classes(count: int = 4000) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(2)
    X = np.column_stack([rng.integers(0, 90, count), rng.integers(0, 3, count)])
    noise = rng.normal(scale=8, size=count)
    return X, np.where(X[:, 1] == 2, "other", np.where(X[:, 0] + noise < 45, "low", "high"))


def classified(**options: object) -> PrivateLogisticRegression:
    columns = {"x0": [15, 30, 45, 60, 75], "x1": [0, 1, 2]}
    model = PrivateLogisticRegression(columns=columns, random_state=1, **options)
    return model.fit(*three_classes())


def test_several_classes_follow_the_conventions_of_scikit_learn():
    X, y = three_classes()
    model = classified(epsilon=4)
    assert model.classes_.tolist() == ["high", "low", "other"]
    chances, scores = model.predict_proba(X), model.decision_function(X)
    assert chances.shape == scores.shape == (len(y), 3)
    assert np.allclose(chances.sum(axis=1), 1) and (chances >= 0).all()
    assert (model.classes_[chances.argmax(axis=1)] == model.predict(X)).all()
    assert (model.classes_[scores.argmax(axis=1)] == model.predict(X)).all()
    sigmoids = 1 / (1 + np.exp(-scores))
    assert np.allclose(chances, sigmoids / sigmoids.sum(axis=1, keepdims=True))
    assert model.score(X, y) > 0.85 and model.spent_.summary == "(4, 0)-DP"


def test_models_of_several_classes_are_saved_and_written_as_python(tmp_path):
    model, path = classified().model_, tmp_path / "model.json"
    model.save(path)
    table = [{"x0": a, "x1": b} for a in (0, 20, 50, 80) for b in (0, 1, 2)]
    loaded = load_model(path)
    assert loaded == model and loaded.kind == "logistic regression of classes"
    scope: dict = {}
    exec(model.to_python("guess"), scope)
    assert [scope["guess"](row) for row in table] == loaded.predict(as_records(table))


def test_the_weights_of_several_classes_are_public_and_the_bound_is_about_all_regressions():
    X, y = three_classes()
    plain, heavy = classified(), classified(class_weight={"other": 6})
    assert (heavy.predict(X) == "other").mean() >= (plain.predict(X) == "other").mean()
    assert heavy.mechanism_.class_weights == (1, 1, 6)
    found = plain.excess_log_loss(norm=4)
    bound = found.bound(len(y))
    assert bound.quantity == "log loss of all regressions above the best weights of norm 4"
    odds = plain.decision_function(X)
    loss = (np.logaddexp(0, odds) - (y[:, None] == plain.classes_) * odds).sum()
    assert not bound.vacuous and loss <= 3 * len(y) * np.log(2)
    assert found.problems == 3 and found.zero_loss > 2


def test_the_command_prints_the_measures_of_several_classes(tmp_path):
    X, y = three_classes(1500)
    path = tmp_path / "rows.csv"
    lines = (f"{a},{b},{k}\n" for (a, b), k in zip(X.tolist(), y, strict=True))
    path.write_text("x0,x1,kind\n" + "".join(lines))
    words = ("learn", "logistic", path, "--target", "kind", "--classes", "low,high,other")
    cuts = ("--cuts", "x0=15,30,45,60,75", "--cuts", "x1=0,1,2", "--seed", 1)
    shown = run(*words, *cuts, "--class-weight", "other=2")
    assert "Excess weighted log loss of all regressions" in shown.stdout
    assert "mean AUC of a class against the rest 0." in shown.stderr
    found = not_private_json(run(*words, *cuts, "--json"))["score on the test rows"]
    assert 0.7 < found["AUC"] < 1 and len(found["AUC of each class"]) == 3
    assert 0 < found["Brier score"] < 0.5 and found["log loss"] > 0


# ---- Gaussian noise


def wide_rows(count: int = 60) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(4)
    X = rng.random((count, 80)) < 0.5
    return X, X[:, 0]


@pytest.mark.parametrize("neighbours", ["replace_one", "add_remove"])
def test_a_delta_gives_wide_tables_gaussian_noise_under_zcdp(neighbours, tmp_path):
    model = PrivateLogisticRegression(
        columns=["flag"] * 80, delta=1e-6, neighbours=neighbours, random_state=1
    ).fit(*wide_rows())
    assert isinstance(model.mechanism_, GaussianPerturbation)
    guarantee = model.model_.guarantee
    assert guarantee.method == "zcdp" and guarantee.neighbours == neighbours
    assert 0.99 < guarantee.epsilon <= 1 and guarantee.delta == Fraction(1, 10**6)
    assert guarantee.event.profile().rho == model.mechanism_.rho
    model.model_.save(tmp_path / "model.json")
    assert load_model(tmp_path / "model.json") == model.model_


def test_a_delta_leaves_narrow_tables_with_pure_noise():
    pure, same = fitted(epsilon=1), fitted(epsilon=1, delta=1e-6)
    assert type(same.mechanism_) is ObjectivePerturbation
    assert same.spent_.summary == "(1, 0)-DP" and same.model_.scores == pure.model_.scores


def test_a_person_needs_a_pure_guarantee():
    with pytest.raises(InvalidInput, match="--delta 0"):
        LogisticTraining(delta=Fraction(1, 10**6), person="name", neighbours="add_remove")


def test_a_tiny_largest_weight_is_stated():
    tiny, small = (
        ObjectivePerturbation(1, (1, 1), class_weights=(1, w)) for w in (1, Fraction(1, 100))
    )
    assert "rounding" not in described(tiny, None) + described(small, None)
    both = ObjectivePerturbation(1, (1, 1), class_weights=(Fraction(1, 100),) * 2)
    assert "The largest class weight is 0.01, so rounding" in described(both, None)
