from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product

import pytest

import catalog
from learners.audit import audit, neighbouring_pairs
from learners.budget import Budget
from learners.coins import SeededCoins
from learners.pac import FewRows, Sample
from learners.pac.distributions import FiniteDistribution
from learners.pac.littlestone_parameters import LittlestoneParameters
from learners.pac.private_littlestone import PrivateLittlestoneLearner
from lsclasses import Constant, Table
from lsclasses.domain import Domain
from lsclasses.soa import SOA

TENTH, MILLIONTH = Fraction(1, 10), Fraction(1, 10**6)


def parameters(batches, epsilon, delta, **more):
    """For dimension 1, with batches of two rows and a fresh one unless told otherwise."""
    sizes = {"auxiliary": 1, "budget": 1, "fresh": 1, **more}
    return LittlestoneParameters(
        dimension=1,
        batches=batches,
        epsilon=epsilon,
        delta=delta,
        choice_epsilon=epsilon,
        **sizes,
    )


def test_whole_samples_are_private():
    """All rows, all coins: two batches of two rows, and a fresh row."""
    C = Table([[0], [1]])
    learner = PrivateLittlestoneLearner(SOA(C), parameters(2, Fraction(4), Fraction(1, 4)))
    found = audit(
        lambda data, coins: str(learner.fit(Sample(C.domain, [(0, y) for y in data]), coins)),
        neighbouring_pairs(product((0, 1), repeat=5)),
        learner.privacy,
    )
    assert found.verdict == "holds"
    assert found.measured > 0


def test_few_rows_are_a_warning_with_the_number():
    C = catalog.build("points:n=3")
    learner = PrivateLittlestoneLearner.for_error(
        base=SOA(C), alpha=Fraction(2, 5), budget=Budget(4, MILLIONTH)
    )
    D = FiniteDistribution.labelled(C.restrict(1, 1).soa())
    for rows in (0, 5, learner.parameters.batches, learner.rows - 1):
        with pytest.warns(FewRows, match=rf"{learner.rows} rows, but there are {rows}\.") as told:
            learner.fit(D.sample_seeded(rows, 1), SeededCoins(1))
        assert told[0].filename == __file__
        batch, fresh = learner._blocks(rows)
        assert learner.parameters.batches * batch + fresh <= rows
    assert learner.bounds(100)[0].unmet == (f"at least {learner.rows} rows",)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        learner.fit(D.sample_seeded(learner.rows + 9, 1), SeededCoins(1))


@dataclass
class Recorder:
    """Stands in for the globally stable learner, and keeps what it was given."""

    domain: Domain
    batches: list = field(default_factory=list)

    @property
    def fallback(self):
        return Constant(self.domain, 0)

    def fit(self, sample, coins):
        self.batches.append([x for x, _ in sample])
        return self.fallback


@pytest.mark.parametrize("rows", [0, 7, 28, 59, 60, 61])
def test_a_row_is_in_one_batch_or_among_the_fresh_rows(monkeypatch, rows):
    """On which the privacy rests, for any number of rows; each point here is that of one row."""
    C = catalog.build("points:n=100")
    sizes = parameters(5, Fraction(9), TENTH, auxiliary=2, budget=4, fresh=10)
    assert sizes.rows == 5 * 10 + 10
    learner = PrivateLittlestoneLearner(SOA(C), sizes)
    recorder, fresh = Recorder(C.domain), []
    monkeypatch.setattr(PrivateLittlestoneLearner, "stable", recorder)
    monkeypatch.setattr(
        PrivateLittlestoneLearner,
        "choose",
        lambda self, outcomes, sample, coins: fresh.extend(x for x, _ in sample) or outcomes,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        outcomes = learner.fit(Sample(C.domain, [(i, 1) for i in range(rows)]), SeededCoins(1))
    assert outcomes == {recorder.fallback: 5}
    read = [x for batch in recorder.batches for x in batch] + fresh
    assert read == list(range(len(read)))
    # Both kinds shrink in proportion, and as few rows are left over as can be.
    assert len(fresh) == min(10, rows * 10 // 60)
    assert {len(batch) for batch in recorder.batches} <= {min(10, (rows - len(fresh)) // 5)}


def test_what_is_read_is_foretold():
    learner = PrivateLittlestoneLearner.for_error(
        SOA(Table([[0], [1]])), TENTH, Budget(1, MILLIONTH)
    )
    _, about, most = learner.parameters.read
    assert about < most
    assert [learner.reads(rows) for rows in (0, 9, about, most)] == [0, 9, about, about]


@pytest.mark.filterwarnings("ignore::learners.pac.FewRows")
def test_nothing_listed_is_the_rule_before_any_example():
    C = catalog.build("thresholds:n=2").to_table()
    learner = PrivateLittlestoneLearner(SOA(C), parameters(4, Fraction(1), MILLIONTH))
    found = learner.fit(Sample(C.domain, [(0, 1)] * 5), SeededCoins(1))
    assert found == learner.stable.fallback


def test_dimensions_may_be_large():
    C = catalog.build("thresholds:n=2^600")
    sizes = LittlestoneParameters(int("600"), 1, 1, 1, 1, Fraction(1), TENTH, Fraction(1))
    assert PrivateLittlestoneLearner(SOA(C), sizes).rows == 3
