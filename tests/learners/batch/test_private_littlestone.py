from __future__ import annotations

import warnings
from collections import Counter
from dataclasses import FrozenInstanceError, dataclass, field
from fractions import Fraction
from itertools import combinations_with_replacement, product

import pytest

import catalog
from catalog.forms.flats import FlatIndicator
from learners.accounting import basic
from learners.audit import audit, clopper_pearson
from learners.batch import FewRows, Sample
from learners.batch.distributions import FiniteDistribution, Mixture, UniformDistribution
from learners.batch.globally_stable import GloballyStableLearner
from learners.batch.littlestone_parameters import LittlestoneParameters
from learners.batch.private_littlestone import AUDITS, PrivateLittlestoneLearner
from learners.coins import SeededCoins
from learners.exact import exact_law
from lsclasses import Concept, Constant, InvalidInput, Table, TooLarge
from lsclasses.domain import Domain
from lsclasses.soa import SOA, ConservativeSOA

HALF, TENTH, MILLIONTH = Fraction(1, 2), Fraction(1, 10), Fraction(1, 10**6)


def small(batches, epsilon, delta, **more):
    """The learner of two thresholds on one point and the like, with tiny batches."""
    C = catalog.build("thresholds:n=2").to_table()
    parameters = LittlestoneParameters(
        dimension=1,
        auxiliary=1,
        budget=1,
        batches=batches,
        fresh=1,
        epsilon=Fraction(epsilon),
        delta=Fraction(delta),
        choice_epsilon=Fraction(epsilon),
        **more,
    )
    return PrivateLittlestoneLearner(SOA(C), parameters)


def outcomes_that_occur(learner):
    """What the globally stable learner outputs on some batch, as strings of labels."""
    found = set()
    domain = learner.domain
    for rows in product(product(domain, (0, 1)), repeat=learner.parameters.batch):
        law = exact_law(lambda coins, rows=rows: learner.stable.fit(Sample(domain, rows), coins))
        found |= {"".join(map(str, h.labels)) for h in law}
    return sorted(found)


def chosen(learner):
    def run(data, coins):
        outcomes, fresh = data
        counts = Counter(Concept.from_labels(learner.domain, map(int, each)) for each in outcomes)
        return str(learner.choose(counts, Sample(learner.domain, fresh), coins))

    return run


def neighbours(items, examples, batches):
    """All pairs that differ in the outcome of one batch, or in the fresh row."""
    for others in combinations_with_replacement(items, batches - 1):
        for row in examples:
            for one, other in product(items, repeat=2):
                if one < other:
                    yield ((*others, one), (row,)), ((*others, other), (row,))
    for outcomes in combinations_with_replacement(items, batches):
        for one, other in product(examples, repeat=2):
            if one < other:
                yield (outcomes, (one,)), (outcomes, (other,))


@pytest.mark.parametrize(
    ("epsilon", "delta", "batches", "threshold"), [(4, "1/4", 4, 2), (1, "1/100", 12, 10)]
)
def test_privacy_for_all_outcomes_of_the_batches(epsilon, delta, batches, threshold):
    learner = small(batches, epsilon, delta)
    assert learner.parameters.histogram.threshold == threshold
    items = outcomes_that_occur(learner)
    assert len(items) >= 3
    examples = list(product(learner.domain, (0, 1)))
    pairs = list(neighbours(items, examples[:2], batches))
    found = audit(chosen(learner), pairs, learner.privacy)
    assert found.verdict == "holds exactly on this instance"
    assert basic(learner.privacy) == (epsilon, Fraction(delta))
    # The budget is used: most of delta, for an outcome that one batch alone has.
    assert float(found.measured) > 0


def test_batches_that_share_a_row_are_found_out():
    """Then one row changes two outcomes."""
    learner = small(4, 4, "1/4")
    items = outcomes_that_occur(learner)
    row = ((0, 1),)
    pairs = [
        (((*others, one, one), row), ((*others, other, other), row))
        for others in combinations_with_replacement(items, 2)
        for one, other in product(items, repeat=2)
        if one < other
    ]
    assert audit(chosen(learner), pairs, learner.privacy).verdict == "violated"


def test_whole_samples_are_private():
    """All rows, all coins: two batches of two rows, and a fresh row."""
    C = Table([[0], [1]])
    parameters = LittlestoneParameters(
        dimension=1, auxiliary=1, budget=1, batches=2, fresh=1,
        epsilon=Fraction(4), delta=Fraction(1, 4), choice_epsilon=Fraction(4),
    )  # fmt: skip
    learner = PrivateLittlestoneLearner(SOA(C), parameters)
    labels = list(product((0, 1), repeat=5))
    pairs = [
        (one, other)
        for one, other in product(labels, repeat=2)
        if one < other and sum(a != b for a, b in zip(one, other, strict=True)) == 1
    ]
    found = audit(
        lambda data, coins: str(learner.fit(Sample(C.domain, [(0, y) for y in data]), coins)),
        pairs,
        learner.privacy,
    )
    assert found.verdict == "holds exactly on this instance"
    assert found.measured > 0


def test_the_audit_that_ships_compares_all_outcomes_and_rows():
    (entry,) = AUDITS
    assert basic(entry.instance().privacy)[1] > 0
    # One outcome of three differs, or one fresh row of two; the order matters for neither.
    small = entry.instance(delta=Fraction(1, 4), batches=3, fresh=2)
    found = audit(small.run, small.pairs, small.privacy)
    assert found.verdict == "holds exactly on this instance"
    # There are outcomes of which both labels are listed, and the fresh rows choose.
    assert audit(small.run, small.pairs, (Fraction(1), Fraction(1, 4))).verdict == "violated"
    threes, twos = (list(combinations_with_replacement((0, 1), size)) for size in (3, 2))
    expected = {
        frozenset(((a, b), (c, d)))
        for (a, b), (c, d) in product(product(threes, twos), repeat=2)
        if abs(sum(a) - sum(c)) + abs(sum(b) - sum(d)) == 1
    }
    assert {
        frozenset(tuple(tuple(sorted(part)) for part in data) for data in pair)
        for pair in small.pairs
    } == expected
    assert len(small.pairs) == len(expected)
    for names in ({"batches": 1, "fresh": 1}, {"batches": 16, "fresh": 8}):
        assert entry.instance(**names).pairs
    for name, values in (("batches", (0, 17)), ("fresh", (0, 9))):
        for value in values:
            with pytest.raises(InvalidInput, match=f"'{name}'.* from 1 to"):
                entry.instance(**{name: value})


FLATS = "affine:q=2,n=32,k=1,empty=1"
LINE = [((0,) * 32, 1), ((0,) * 31 + (1,), 1)]


@pytest.mark.parametrize(
    ("spec", "target", "near", "alpha", "rule"),
    [
        ("points:n=2^20", [(77, 1)], Fraction(1, 10), Fraction(2, 5), "printed"),
        (FLATS, LINE, Fraction(1, 10), Fraction(2, 5), "tight"),
        (FLATS, LINE, HALF, Fraction(1, 5), "sharp"),
        ("thresholds:n=7", [(3, 1), (2, 0)], HALF, Fraction(2, 5), "sharp"),
    ],
)
def test_it_learns_at_the_parameters_of_the_theorem(spec, target, near, alpha, rule):
    C = catalog.build(spec)
    h = C.given(target).soa()
    learner = PrivateLittlestoneLearner.for_error(SOA(C), alpha, 4, MILLIONTH, rule=rule)
    # With few rows near the target's own points, tournaments often find rules that differ.
    D = Mixture([
        (near, FiniteDistribution.labelled(h, [x for x, _ in target])),
        (1 - near, UniformDistribution(C.domain, h)),
    ])  # fmt: skip
    found = learner.fit(D.sample_seeded(learner.rows, 3), SeededCoins(4))
    assert D.loss(found) <= alpha
    (bound,) = learner.bounds()
    assert bound.check([D.loss(found)]) == "consistent"
    assert (bound.value, bound.failure, bound.unmet) == (alpha, Fraction(1, 20), ())


def test_the_promise_holds_in_simulation():
    """Failures are not more frequent than promised, at an error of 10^-6 for the test."""
    C = catalog.build("points:n=3")
    beta = Fraction(2, 5)
    learner = PrivateLittlestoneLearner.for_error(
        SOA(C), Fraction(9, 20), 10, Fraction(1, 20), beta=beta
    )
    target = C.restrict(1, 1).soa()
    D = FiniteDistribution.labelled(target, {0: Fraction(5, 20), 1: Fraction(15, 20)})
    runs = 150
    failures = sum(
        D.loss(learner.fit(D.sample_seeded(learner.rows, seed), SeededCoins(seed)))
        > Fraction(9, 20)
        for seed in range(runs)
    )
    assert clopper_pearson(failures, runs, MILLIONTH)[0] <= beta


def test_few_rows_are_a_warning_with_the_number():
    C = catalog.build("points:n=3")
    learner = PrivateLittlestoneLearner.for_error(SOA(C), Fraction(2, 5), 4, MILLIONTH)
    D = FiniteDistribution.labelled(C.restrict(1, 1).soa())
    for rows in (0, 5, learner.parameters.batches, learner.rows - 1):
        with pytest.warns(FewRows, match=rf"needs {learner.rows} rows; there are {rows}\.") as told:
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


@pytest.mark.parametrize("rows", [*range(0, 60, 7), 59, 60, 61, 90])
def test_a_row_is_in_one_batch_or_among_the_fresh_rows(monkeypatch, rows):
    """On which the privacy rests, for any number of rows; each point here is that of one row."""
    C = catalog.build("points:n=100")
    parameters = LittlestoneParameters(
        dimension=1, auxiliary=2, budget=4, batches=5, fresh=10,
        epsilon=Fraction(9), delta=TENTH, choice_epsilon=Fraction(9),
    )  # fmt: skip
    assert parameters.rows == 5 * 10 + 10
    learner = PrivateLittlestoneLearner(SOA(C), parameters)
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
    learner = PrivateLittlestoneLearner.for_error(SOA(Table([[0], [1]])), TENTH, 1, MILLIONTH)
    _, about, most = learner.parameters.read
    assert about < most
    assert [learner.reads(rows) for rows in (0, 9, about, most)] == [0, 9, about, about]


def test_nothing_listed_is_the_rule_before_any_example():
    learner = small(4, 1, MILLIONTH)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = learner.fit(Sample(learner.domain, [(0, 1)] * 5), SeededCoins(1))
    assert found == learner.stable.fallback


def test_what_is_published_does_not_show_how_it_came_about():
    C = catalog.build("affine:q=2,n=3,k=1,empty=1")
    learner = GloballyStableLearner(SOA(C), 3)
    h = C.given([((0, 0, 0), 1), ((0, 0, 1), 1)]).soa()
    D = FiniteDistribution.labelled(h)
    found = [learner.fit(D.sample_seeded(learner.rows, i), SeededCoins(i)) for i in range(30)]
    by_labels = {}
    for g in found:
        by_labels.setdefault(tuple(g.to_concept().labels), set()).add((type(g), repr(g)))
    assert all(len(forms) == 1 for forms in by_labels.values())
    assert (FlatIndicator, repr(h)) in by_labels[tuple(h.to_concept().labels)]


def test_large_dimensions_and_named_arguments():
    C = catalog.build("thresholds:n=2^600")
    d = SOA(C).mistake_bound
    assert d == 600
    own = {"auxiliary": 1, "budget": 1, "batches": 1, "fresh": 1}
    own |= {"epsilon": Fraction(1), "delta": TENTH, "choice_epsilon": Fraction(1)}
    learner = PrivateLittlestoneLearner(SOA(C), LittlestoneParameters(int("600"), **own))
    with pytest.raises(FrozenInstanceError):
        learner.base = SOA(C)
    base = SOA(catalog.build("points:n=9"))
    assert PrivateLittlestoneLearner.for_error(
        base=base, alpha=TENTH, epsilon=Fraction(1), delta=MILLIONTH
    ) == PrivateLittlestoneLearner.for_error(base, TENTH, 1, MILLIONTH)


def test_bad_input_is_refused():
    C = catalog.build("thresholds:n=3")
    parameters = LittlestoneParameters.for_error(2, TENTH, 1, MILLIONTH)
    with pytest.raises(InvalidInput, match="ConservativeSOA"):
        PrivateLittlestoneLearner(ConservativeSOA(C), parameters)
    with pytest.raises(InvalidInput, match=r"dimension 2. Got a base learner with mistake bound 1"):
        PrivateLittlestoneLearner(SOA(catalog.build("points:n=3")), parameters)
    with pytest.raises(InvalidInput, match="one concept"):
        PrivateLittlestoneLearner.for_error(SOA(Table([[0, 1]])), TENTH, 1, MILLIONTH)
    with pytest.raises(TooLarge, match="infinite"):
        PrivateLittlestoneLearner.for_error(
            SOA(catalog.build("thresholds:n=inf")), TENTH, 1, MILLIONTH
        )
    learner = PrivateLittlestoneLearner(SOA(C), parameters)
    with pytest.raises(InvalidInput, match="The learner labels 3 points"):
        learner.fit(Sample(catalog.build("points:n=4").domain, []), SeededCoins(1))
