"""Mechanisms that can be audited by name: each holds what it claims, on all its small inputs."""

from __future__ import annotations

from fractions import Fraction
from importlib import import_module
from inspect import isabstract
from itertools import combinations, product
from pathlib import Path
from pkgutil import walk_packages
from typing import Any

import numpy as np
import pytest

import learners
from learners.audit import PrivacyLoss, audit
from learners.audit.audit_registry import AUDITABLE, instance
from learners.audit.instances import AuditEntry, Pairs, clipped, opposite_numbers
from learners.checks import check_value
from learners.exact import Stepwise, exact_distribution
from learners.forest.plan import ForestParameters
from learners.forest.rerun import RerunParameters
from learners.games import MechanismResponder
from learners.general_checks.composed_games import Respondent
from learners.general_checks.mechanisms import SLOW, default_audit
from learners.layers.plan import LayeredParameters
from learners.mechanisms.count_noise import CountNoise
from learners.mechanisms.counter import DyadicIntervals
from learners.mechanisms.sparse_vector import AboveThreshold, Sparse
from learners.merging.evidence.instances import SmallBatches
from learners.merging.parameters import MergingParameters
from learners.pac.evidence.subsample_claims import Recognizer
from learners.pac.littlestone_parameters import LittlestoneParameters
from learners.pac.merging import RowParameters
from learners.pac.merging_plans import MergingRowPlan
from learners.papers.coverage import ClosestInstance
from learners.playing.evidence import Hinting
from learners.playing.reduction import ReductionPlan
from learners.pop.plan import POPParameters
from learners.rules.logistic_gaussian import GaussianPerturbation
from learners.sanitizers.evidence.instances import RevealingSanitizer
from learners.tables.histogram_releases import PrivateHistogram
from lsclasses.verdicts import Verdict
from tests.conftest import Rows
from tests.learners.audit_table import on_page, share
from tests.learners.privacy_checks import CUT

ON_PAGE = on_page((Path(__file__).parents[3] / "docs" / "privacy.md").read_text(encoding="utf-8"))


SMALLER = {
    "forest_soa": "leaves=2,trees=4,rounds=3",
    "merging_soa": "rounds=2",
    "pop": "copies=3,rounds=2,points=2",
    "sparse_experts": "rounds=3",
    "stable_histogram": "items=2,people=2",
    "tree_counter": "rounds=3,epsilon=6",
    "voting": "rounds=2",
    "voting_counters": "rounds=2",
}
"""Smaller instances of the audits that take seconds. `make verify` and the slow tests run the
default instances."""


@pytest.mark.parametrize(
    "entry",
    [
        pytest.param(
            entry, id=name, marks=[pytest.mark.slow] if name in SLOW or name in SMALLER else []
        )
        for name, entry in AUDITABLE.items()
    ],
)
def test_the_default_instance_passes_and_holds_its_claim_and_hardly_less(
    entry: AuditEntry, rows: Rows
) -> None:
    check_value(entry)
    held, power = rows(default_audit(entry.name))
    assert (held.verdict, power.verdict) == ("holds", "holds")
    # What is violated: three quarters of the claimed epsilon, or what is declared.
    assert held.refutes and power.refutes
    # docs/privacy.md says how much it holds.
    assert share(power, entry) == ON_PAGE[entry.name].share


def test_every_declared_audit_is_listed() -> None:
    modules = [import_module(each.name) for each in walk_packages(learners.__path__, "learners.")]
    declared = [entry.name for module in modules for entry in getattr(module, "AUDITS", ())]
    assert sorted(declared) == sorted(AUDITABLE.names())


def states_its_cost(kind: type) -> type | None:
    """The class from which a class has the event that it states, if it states one."""
    return next((each for each in kind.__mro__ if "privacy" in vars(each)), None)


def test_whatever_says_what_it_costs_is_audited_by_name() -> None:
    audited = {
        each for name in AUDITABLE.names() for each in type(instance(name).mechanism).__mro__
    }
    # Parameters of learners that are audited, and learners inside of one that is; what an event
    # costs on every interval; the noise of counts, inside of all that publish some, and the
    # histogram, which publishes a tree of counts. Two checks compute the exact loss of the learners
    # that they construct, Recognizer, Respondent and RevealingSanitizer. The Gaussian noise of
    # logistic regression has too many values for an enumeration. Its Rényi divergence is integrated
    # instead (`tests/learners/rules/test_logistic_gaussian.py`).
    exempt = {
        GaussianPerturbation,
        ForestParameters,
        LayeredParameters,
        ReductionPlan,
        POPParameters,
        RerunParameters,
        LittlestoneParameters,
        DyadicIntervals,
        ClosestInstance,
        Hinting,
        CountNoise,
        PrivateHistogram,
        Recognizer,
        Respondent,
        RevealingSanitizer,
        MergingParameters,
        MergingRowPlan,
        RowParameters,
        SmallBatches,
    }
    kinds = {
        kind
        for module in walk_packages(learners.__path__, "learners.")
        for kind in vars(import_module(module.name)).values()
        if isinstance(kind, type) and kind.__module__ == module.name and not isabstract(kind)
    }
    stating = {kind for kind in kinds if vars(kind).get("privacy") is not None}
    inheriting = {
        kind
        for kind in kinds - stating
        if states_its_cost(kind) in stating and ".evidence." not in f"{kind.__module__}."
    }
    assert (stating | inheriting) - audited == exempt


@pytest.mark.parametrize(
    "specification",
    [
        *(f"{name}:{parameters}" for name, parameters in SMALLER.items()),
        "discrete_laplace:sensitivity=3",
        "exponential_mechanism:candidates=3,scores=1",
        "fresh_noise_threshold:epsilon=4,delta=1/100,reports=2,queries=6,calibrated=0",
        "hist_sparse:histograms=2,lists=2,size=3",
        "hist_sparse:printed=1,lists=3",
        "hist_sparse:printed=1,lists=3,histograms=2,size=3",
        "challenge_at:delta=1/100,queries=2",
        "challenge_at:tree=1,queries=2,epsilon=12",
        "challenge_at:queries=1",
        "greedy_cover:rows=2,add_remove=1",
        "private_cuts:grid=3,rows=2,add_remove=1",
        "gibbs_tree:features=2,rows=2",
        "gibbs_tree:rows=2,sample=1,add_remove=1",
        "gibbs_tree:bonus=2,rows=3",
        "gibbs_tree:bonus=1,rows=2,add_remove=1",
        "gibbs_tree_sampled:rows=3,sample=2,add_remove=1",
        "naive_bayes:add_remove=1",
        "naive_bayes:columns=1,rows=2",
        "naive_bayes_gaussian:columns=2,add_remove=1,margin=1",
        "count_tree:bins=2,branching=0,rows=2",
        "count_tree:add_remove=1,rows=2",
        "group_rates:rows=2",
        "dp_winnow:features=1,rounds=2,updates=1",
        "pop:copies=3,rounds=2,halting=6",
        *(
            pytest.param(each, marks=pytest.mark.slow)
            for each in (
                "stable_histogram:items=3,people=3",
                "em_cover:rounds=3,items=2",
                "greedy_cover:features=2,rows=2",
                "private_cuts:count=1,grid=5,epsilon=4",
                "agnostic_pop:copies=8,phases=3",
                "forest_soa:trees=1,rounds=4",
                "gibbs_tree:depth=2,rows=2",
                "gibbs_tree:depth=2,rows=2,add_remove=1",
                "gibbs_tree:rows=3,sample=2",
                "naive_bayes:others=2",
                "naive_bayes_gaussian:columns=3,add_remove=1,margin=1",
            )
        ),
    ],
)
def test_other_parameters_hold_their_claims(specification: str) -> None:
    built = instance(specification)
    assert built.audit(**CUT).verdict == Verdict.HOLDS


@pytest.mark.parametrize(
    ("specification", "pairs"),
    [
        ("discrete_laplace:sensitivity=3", 3),
        ("randomized_response:answers=4", 6),
        ("exponential_mechanism:candidates=2,scores=1", 6),
        ("stable_histogram:items=2,people=3", 3),
        ("stable_histogram:items=3,people=1", 3),
        ("above_threshold:queries=3", 4),
        ("cumulative_above_threshold:rounds=3", 12),
        ("tree_counter:rounds=2", 4),
        ("challenge_at:queries=2", 4),
        ("pop:rounds=3", 12),
        ("pop:rounds=2,points=2", 48),
        ("private_cuts:grid=2,rows=2", 2),
        ("private_cuts:grid=3,rows=2,add_remove=1", 9),  # one of 3 is added to one of 3
        ("greedy_cover:features=1,rows=2", 24),  # 6 pairs of rows in each of 4 rests
        ("greedy_cover:features=1,rows=2,add_remove=1", 20),  # to none or to one of 4, one of 4
        ("dp_hedge:experts=2,rounds=2", 4),  # of 6, two differ by the names of experts
        ("sanitized_online:points=2,batch=1,rounds=3", 48),  # the last batch is not read
        ("constructed_experts:rounds=3", 288),
        ("agnostic_pop", 4),
        ("forest_soa:rounds=4", 8),  # a mistake for another one or none, in every place
        ("rerun_forest:rounds=4", 4),  # an early example, or the last one
        ("generic_learner:points=2,rows=1", 6),
        ("private_littlestone:delta=1/4,batches=3,fresh=2", 17),  # orders do not matter
        ("dp_winnow:features=2,rounds=1", 28),
    ],
)
def test_all_neighbours_of_the_input_space_are_compared(specification: str, pairs: int) -> None:
    built = instance(specification)
    assert len(set(map(frozenset, built.pairs))) == len(built.pairs) == pairs


def test_the_inputs_of_a_game_are_the_two_secret_bits() -> None:
    zero, one = instance("doubling").inputs
    assert (zero.bit, one.bit) == (0, 1) and zero.adversary == one.adversary


def test_tables_differ_in_their_first_row_and_their_order_is_seen() -> None:
    pairs = instance("stable_histogram:items=3,people=3").pairs
    assert all(zero[1:] == one[1:] and zero[0] != one[0] for zero, one in pairs)
    assert len({frozenset(tuple(sorted(data)) for data in pair) for pair in pairs}) == 18


def opposite_loss(pairs: Pairs, mechanism: Any) -> float:
    laws = Stepwise(MechanismResponder(mechanism)).laws(tail=Fraction(1, 2**20))
    return max(float(PrivacyLoss(laws(zero), laws(one)).loss()[0]) for zero, one in pairs)


@pytest.mark.parametrize("mechanism", [AboveThreshold(2, 1), Sparse(4, 2, 0)])
def test_opposite_numbers_lose_as_much_as_all_pairs_of_numbers(mechanism: Any) -> None:
    everything = tuple(combinations(product((0, 1), repeat=4), 2))
    assert opposite_loss(opposite_numbers(4), mechanism) == opposite_loss(everything, mechanism)


@pytest.mark.parametrize(
    ("name", "gaussian"),
    [
        ("naive_bayes_gaussian", lambda made: made.noise.variance),
        ("count_tree_gaussian", lambda made: made.noise.variance),
    ],
)
def test_audits_with_a_delta_draw_gaussian_noise(name: str, gaussian: Any) -> None:
    assert gaussian(instance(name).mechanism) is not None


@pytest.mark.parametrize(
    "specification",
    ["naive_bayes:columns=1,cells=1,rows=2", "naive_bayes:columns=1,cells=1,margin=1"],
)
def test_censored_noise_gives_the_distribution_of_clipped_counts(specification: str) -> None:
    """Compared with noise that is enumerated up to a probability of 2^-40."""
    built = instance(specification)
    margin = 1 if "margin" in specification else 0
    rows = len(built.pairs[0][0])

    def plain(data: Any, coins: Any) -> Any:
        table = np.array(data)
        found = built.mechanism.release([table[:, 0]], [1], table[:, 1], coins)
        return clipped(found, -margin, rows + margin)

    for data in built.pairs[0]:
        censored = exact_distribution(lambda coins, data=data: built.run(data, coins))
        full = exact_distribution(
            lambda coins, data=data: plain(data, coins), tail=Fraction(1, 2**40)
        )
        assert censored.tail == 0 and set(censored) == set(full)
        for outcome, chance in censored.items():
            assert abs(float(chance - full[outcome])) < 1e-9


def test_clipping_hides_a_part_of_shared_noise() -> None:
    """Two counts with one noise differ by a known number, unless both are clipped to one end."""

    def released(first: int, noisy: int) -> tuple[int, int]:
        return first + noisy, noisy

    exact = {
        ones: exact_distribution(lambda c, n=ones: released(n, c.laplace(1))) for ones in (0, 1)
    }
    shown = {ones: law.map(lambda pair: clipped(pair, 0, 1)) for ones, law in exact.items()}
    assert float(PrivacyLoss(exact[0], exact[1]).delta(0)) > 0.999
    assert float(PrivacyLoss(shown[0], shown[1]).delta(0)) < 0.75


def test_clipped_sums_lose_as_much_as_counts() -> None:
    built, cut = instance("tree_counter:rounds=2,epsilon=4"), Fraction(1, 2**30)
    counts = audit(built.mechanism.answers, built.pairs, built.privacy, tail=cut)
    sums = audit(built.run, built.pairs, built.privacy, tail=cut)
    for epsilon in (1, 2, 3):
        one, other = (found.loss.delta(epsilon) for found in (counts, sums))
        assert abs(float(one) - float(other)) < 1e-6
