from decimal import Decimal, localcontext
from fractions import Fraction
from math import exp, log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import catalog
from learners.accounting import basic, total, zcdp
from learners.budget import Budget
from learners.coins import SecureCoins, SeededCoins
from learners.exact import exact_distribution
from learners.sanitizers import mwem
from learners.sanitizers.mwem import MWEMSanitizer
from learners.sanitizers.point_samples import PointSample
from lsclasses import Table
from lsclasses.errors import TooLarge
from tests.learners.sanitizers.small_classes import all_concepts
from tests.memory import most_memory

DELTA = Fraction(1, 10**6)
TENTH = Fraction(1, 10)


def label_of(C, query, x):
    """The definition of a query: concepts first, then their complements."""
    index = query % len(C)
    return int(C.labels[index][x]) if query < len(C) else 1 - int(C.labels[index][x])


def ideal_weights(C, alpha, updates):
    """[LWY25, App. D.2] transcribed, in floating point: one multiplication an update."""
    weights = [1.0] * len(C.domain)
    for query in updates:
        weights = [w * exp(2.5 * alpha * label_of(C, query, x)) for x, w in enumerate(weights)]
    return [w / sum(weights) for w in weights]


@given(st.integers(1, 5), st.data())
def test_integer_weights_are_the_ideal_ones_up_to_the_rounding_stated(points, data):
    C = all_concepts(points)
    alpha = Fraction(data.draw(st.integers(1, 99)), 100)
    sanitizer = MWEMSanitizer(C, alpha, 99, 1, 1)
    updates = tuple(data.draw(st.lists(st.integers(0, 2 * len(C) - 1), max_size=60)))
    weights = sanitizer.weights(updates)
    ideal = ideal_weights(C, float(alpha), updates)
    whole = sum(weights)
    assert whole <= 2 * 1024 * points / alpha
    for concept in C.labels:
        share = sum(w for w, y in zip(weights, concept, strict=True) if y) / whole
        true = sum(w for w, y in zip(ideal, concept, strict=True) if y)
        assert abs(share - true) <= float(sanitizer.rounding) + 1e-12
    assert sanitizer.rounding < alpha / 1000


def test_weights_are_the_same_integers_by_other_arithmetic():
    """In decimal digits, many more than needed; updates 0, 1, 1, 3 raise, and 8 and 10 lower."""
    C = catalog.build("thresholds:n=5").to_table()
    sanitizer = MWEMSanitizer(C, TENTH, 99, 1, 1)
    updates = (0, 1, 1, 3, 8, 10)
    raised = [sum(label_of(C, query, x) for query in updates) for x in range(5)]
    with localcontext() as context:
        context.prec = 60
        fine = [int(2**60 * (-Decimal(max(raised) - k) / 4).exp()) for k in raised]
    K = (1024 * 5 * 10 - 1).bit_length()
    weights = tuple((each << K) // sum(fine) for each in fine)
    assert sanitizer.weights(updates) == weights
    assert weights[0] == 9545 and len(set(weights)) > 2


def test_updates_count_and_their_order_does_not():
    sanitizer = MWEMSanitizer(all_concepts(3), TENTH, 99, 1, 1)
    assert sanitizer.weights((1, 6, 9)) == sanitizer.weights((9, 1, 6))
    # A query and its complement raise all points.
    assert sanitizer.weights((3, 3 + 8)) == sanitizer.weights(())


@given(st.data())
def test_a_score_differs_between_neighbours_by_its_true_sensitivity(data):
    """What the choice is given, for two data sets that differ in a row, after the same rounds."""
    C = all_concepts(3)
    sanitizer = MWEMSanitizer(C, Fraction(1, 3), 1, 1, 1)
    updates = data.draw(st.lists(st.integers(0, 15), max_size=9))
    places = data.draw(st.lists(st.integers(0, 2), min_size=1, max_size=6))
    other = [data.draw(st.integers(0, 2)), *places[1:]]
    W = sum(sanitizer.weights(tuple(updates)))
    seen = []

    class Watching(SeededCoins):
        def pick_from(self, log_weights, unit=1, counts=None):
            seen.append((log_weights.tolist(), unit))
            return updates[len(seen) - 1] if len(seen) <= len(updates) else 0

        def at_least(self, value, scale, threshold):
            return True

    made = MWEMSanitizer(C, Fraction(1, 3), len(updates) + 1, 1, 1)
    scores = []
    for rows in (places, other):
        seen.clear()
        made.run(PointSample.at(C.domain, rows), Watching(1))
        scores.append(seen[-1])
    (one, unit), (two, same) = scores
    assert unit == same == Fraction(1, 2 * W)
    changes = {abs(a - b) for a, b in zip(one, two, strict=True)}
    assert changes <= {0, W}
    # The score times W, by the definition of [LWY25, Lemma D.7], with shares as fractions.
    weights = sanitizer.weights(tuple(updates))
    for query, score in enumerate(one):
        true = Fraction(sum(label_of(C, query, x) for x in places), len(places))
        share = Fraction(sum(w for x, w in enumerate(weights) if label_of(C, query, x)), W)
        assert score == W * len(places) * (true - share)


def test_the_law_of_a_round_is_that_of_the_definition():
    """One round on three rows: the law of (query, passed) of the code that runs."""
    C = Table([[1, 0, 0], [1, 1, 0]])
    rows, alpha, e1, e2 = [0, 0, 1], Fraction(1, 3), Fraction(1, 2), Fraction(3, 2)
    sanitizer = MWEMSanitizer(C, alpha, 1, e1, e2)
    law = exact_distribution(lambda coins: sanitizer.run(PointSample(C.domain, rows), coins))
    gaps = [3 * (2 / 3 - 1 / 3), 3 * (1 - 2 / 3)]
    gaps += [-gap for gap in gaps]
    chances = [exp(float(e1) * gap / 2) for gap in gaps]
    q = exp(-float(e2))
    for run in law:
        (query,) = run.chosen
        least = -(-(3 * float(alpha) * 3 / 4 - gaps[query]) // 1)
        passed = q**least / (1 + q) if least >= 1 else 1 - q ** (1 - least) / (1 + q)
        expected = chances[query] / sum(chances) * (1 - passed if run.won else passed)
        assert abs(float(law[run].mid()) - expected) < 1e-12
    assert len(law) == 8


def test_large_tables_are_read_in_parts_with_the_same_result(monkeypatch):
    C = catalog.build("intervals:n=20").to_table()
    sample = PointSample.at(C.domain, np.arange(5000) ** 2 % 20)

    def runs():
        return MWEMSanitizer.for_error(C, TENTH, Budget(8, DELTA)).run(sample, SeededCoins(3))

    whole = runs()
    monkeypatch.setattr(mwem, "ENTRIES", 0)
    monkeypatch.setattr(mwem, "CHUNK", 333)
    assert runs() == whole
    assert whole.rounds > 2


def test_large_tables_are_not_held_as_numbers(monkeypatch):
    labels = np.random.default_rng(1).integers(2, size=(1024, 1024), dtype=np.uint8)
    sanitizer = MWEMSanitizer(Table(labels), TENTH, 1, 1, 1)
    sample = PointSample.at(sanitizer.domain, np.arange(100))
    monkeypatch.setattr(mwem, "ENTRIES", labels.size - 1)
    monkeypatch.setattr(mwem, "CHUNK", 1 << 14)
    assert most_memory(lambda: sanitizer.run(sample, SeededCoins(1))) < labels.size


# ---- privacy


@settings(max_examples=8)
@given(
    st.integers(1, 40),
    st.integers(2, 60),
    st.fractions(Fraction(1, 50), Fraction(9, 10)),
    st.fractions(Fraction(1, 20), 20),
    st.sampled_from([Fraction(0), DELTA, Fraction(1, 100)]),
)
def test_budgets_are_kept(concepts, points, alpha, epsilon, delta):
    rng = np.random.default_rng(concepts)
    C = Table(rng.integers(0, 2, (concepts, points)))
    sanitizer = MWEMSanitizer.for_error(C, alpha, Budget(epsilon, delta))
    by_zcdp = MWEMSanitizer.for_error(C, alpha, Budget(epsilon, delta), composition="zcdp")
    for made in (sanitizer, by_zcdp):
        assert total(made.privacy, delta).epsilon <= epsilon
        assert made.test <= made.select
    assert sanitizer.select >= by_zcdp.select and sanitizer.needed <= by_zcdp.needed
    if not delta:
        assert sanitizer == by_zcdp
    else:
        least = min(zcdp(by_zcdp.privacy, delta)[0], basic(by_zcdp.privacy)[0])
        assert least <= epsilon


@pytest.mark.parametrize(
    ("spec", "part", "epsilon", "gain"),
    [("thresholds:n=16", 5, 1, 0.06), ("intervals:n=32", 10, 4, 0.05), ("points:n=3", 2, 1, 0.05)],
)
def test_fewer_rows_are_needed_than_by_zcdp(spec, part, epsilon, gain):
    C, budget = catalog.build(spec).to_table(), Budget(epsilon, DELTA)
    best = MWEMSanitizer.for_error(C, Fraction(1, part), budget)
    by_zcdp = MWEMSanitizer.for_error(C, Fraction(1, part), budget, composition="zcdp")
    assert best.max_rounds == by_zcdp.max_rounds
    assert best.needed < (1 - gain) * by_zcdp.needed
    assert total(best.privacy, DELTA).method == "pld"


# ---- the rows that are needed


def test_needed_rows_make_both_failures_as_unlikely_as_promised():
    """By the definition of the two tails, and one row in fifty less is too few."""
    C = catalog.build("intervals:n=16").to_table()
    # Where one of the budgets is large, one of the failures does not happen: beta/2 is left.
    for sanitizer, left in (
        (MWEMSanitizer.for_error(C, TENTH, Budget(1, DELTA)), 1 / 20),
        (MWEMSanitizer.for_error(C, TENTH, Budget(4)), 1 / 20),
        (MWEMSanitizer(C, TENTH, 300, Fraction(1, 100), 1), 1 / 40),
        (MWEMSanitizer(C, TENTH, 300, 1, Fraction(1, 100)), 1 / 40),
    ):
        T = sanitizer.max_rounds

        def failure(rows, made=sanitizer, T=T):
            slack = float(made.alpha) * rows / 8
            choice = made.queries * exp(-float(made.select) * slack / 2)
            q = exp(-float(made.test))
            return T * (choice + 2 * q ** (int(slack) + 1) / (1 + q))

        assert failure(sanitizer.needed) <= left < failure(int(0.98 * sanitizer.needed))


def test_rounds_are_one_more_than_updates_can_be():
    for points, alpha in ((256, TENTH), (4096, TENTH), (2, Fraction(1, 2))):
        C = Table(np.eye(1, points, dtype=np.uint8))
        sanitizer = MWEMSanitizer.for_error(C, alpha, Budget(1, DELTA), composition="zcdp")
        ideal = log(points) / (2 * (5 * alpha / 8) ** 2)
        assert ideal < sanitizer.max_rounds < 1.01 * ideal + 2
        assert sanitizer.max_rounds == int(log(points) / sanitizer.drop) + 1


def test_rows_afford_the_least_error_on_the_grid():
    C = catalog.build("thresholds:n=32").to_table()
    # Few rows afford an error above 1/2 only.
    for rows, least in ((50_000, 0), (2000, Fraction(1, 2))):
        sanitizer = MWEMSanitizer.within(Budget(1, DELTA), C, rows)
        assert sanitizer.needed <= rows and sanitizer.alpha > least
        less = MWEMSanitizer.for_error(C, sanitizer.alpha - Fraction(1, 1000), Budget(1, DELTA))
        assert less.needed > rows


def test_bounds_say_what_is_not_met():
    C = catalog.build("thresholds:n=32").to_table()
    sanitizer = MWEMSanitizer.for_error(C, TENTH, Budget(1, DELTA))
    assert sanitizer.bounds()[0].applies and sanitizer.bounds(sanitizer.needed)[0].applies
    assert sanitizer.bounds(sanitizer.needed - 1)[0].unmet == (f"at least {sanitizer.needed} rows",)
    hasty = MWEMSanitizer(C, TENTH, 3, 1, 1)
    assert hasty.bounds()[0].unmet == (f"at least {sanitizer.max_rounds} rounds",)


def test_a_domain_of_one_point_needs_no_updates():
    sanitizer = MWEMSanitizer.for_error(Table([[1], [0]]), TENTH, Budget(1, DELTA))
    assert sanitizer.max_rounds == 1
    assert sanitizer.release([0] * 9, SecureCoins()).weights[0] > 0


def test_scores_that_do_not_fit_are_refused():
    sanitizer = MWEMSanitizer(Table([[0, 1]]), TENTH, 9, 1, 1)

    class Endless(PointSample):
        size = 2**50

        def __len__(self):
            return self.size

    endless = Endless(sanitizer.domain, [0])
    with pytest.raises(TooLarge, match="64 bits") as refused:
        sanitizer.release(endless, SeededCoins(1))
    assert refused.value.estimate == 2**50
    endless.size = refused.value.limit
    assert sanitizer.release(endless, SeededCoins(1)).rows == endless.size
    endless.size += 1
    with pytest.raises(TooLarge):
        sanitizer.release(endless, SeededCoins(1))
