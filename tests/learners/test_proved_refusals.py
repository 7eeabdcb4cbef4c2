"""Refusals of large classes name a proof, and the proofs agree with the code."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from pathlib import Path

import pytest

import catalog
from learners.budget import Budget
from learners.coins import SeededCoins
from learners.layers.algorithm import LayeredSOA, MistakeSequence, SiblingPair
from learners.layers.plan import LayeredParameters
from learners.multiset import Multiset
from learners.pac.entries import BATCH_LEARNERS
from learners.playing.adversaries import Repeating
from learners.playing.entries import ONLINE_LEARNERS
from learners.playing.play import play
from learners.trials import ComparisonSetting, Trial, new_trial, run_trial
from lsclasses.soa import ConservativeSOA

DOCS = Path(__file__).parents[2] / "docs"
BUDGET = Budget(1, Fraction(1, 10**6))
CITED = re.compile(r"\(docs/([a-z-]+\.md)(?:, ([^()]+))?\)")
NEEDS_LIST = {"dp-winnow"}
"""Learners that refuse by the number of concepts, and name a learner that needs no list."""
LARGE = {
    "thresholds:n=2^64": {
        "online": ("dp-winnow", "merging", "optimal-predictor", "sanitized", "voting"),
        "sample": ("greedy-cover", "merging", "voting"),
    },
    "decision-lists:n=200": {
        "online": (
            *("agnostic-pop", "conservative-soa", "dartboard", "dp-hedge", "dp-winnow"),
            *("exact-majority", "follow-the-leader", "halving", "hedge", "layered-soa", "merging"),
            *("optimal-predictor", "proper-soa", "randomized-soa", "sanitized", "soa"),
            *("sparse-experts", "sparse-majority", "voting"),
        ),
        "sample": (
            *("agnostic", "erm", "generic", "halving", "merging", "private-littlestone", "soa"),
            *("subsample-aggregate", "voting"),
        ),
    },
    "addressing:k=4": {
        "online": ("optimal-predictor", "proper-soa", "voting"),
        "sample": ("voting",),
    },
    "points:n=12,empty=1": {"online": ("merging", "optimal-predictor"), "sample": ("merging",)},
}
"""Learners that refuse a class in games of 40 rounds, and in samples of 40 rows."""


def refusals(spec: str, names: Mapping[str, Iterable[str]]) -> Iterator[Trial]:
    """The named learners that refuse a class."""
    C = catalog.build(spec)
    setting = ComparisonSetting(spec, C, BUDGET, 40, 40, "random", range(1), most=0)
    learners = {"online": ONLINE_LEARNERS, "sample": BATCH_LEARNERS}
    for kind, chosen in names.items():
        for name in chosen:
            found = [new_trial(learners[kind][name])]
            run_trial(learners[kind][name], setting, found.append)
            if found[-1].refused:
                yield found[-1]


@pytest.mark.parametrize("spec", LARGE)
def test_refusals_cite_a_section_with_a_proof(spec: str) -> None:
    found = list(refusals(spec, LARGE[spec]))
    refused = {(trial.setting, trial.learner) for trial in found}
    assert refused == {(kind, name) for kind, names in LARGE[spec].items() for name in names}
    for trial in found:
        cited = CITED.findall(trial.refused)
        assert cited or trial.learner in NEEDS_LIST, trial.refused
        for page, section in cited:
            headings = re.findall(r"^##+ (.+)$", (DOCS / page).read_text(), re.M)
            assert not section or section in headings, (page, section)
        assert " 0 rows" not in trial.refused
        for name in re.findall(r"lsclasses run ([a-z-]+)", trial.refused):
            assert ("online", name) not in refused, (trial.learner, name)


@pytest.mark.slow
@pytest.mark.parametrize("spec", LARGE)
def test_all_other_learners_run(spec: str) -> None:
    names = {"online": list(ONLINE_LEARNERS), "sample": list(BATCH_LEARNERS)}
    refused = {(trial.setting, trial.learner) for trial in refusals(spec, names)}
    assert refused == {(kind, name) for kind, names in LARGE[spec].items() for name in names}


# ---- many layers


def layered(depth: int, rounds: int) -> LayeredSOA:
    """The least number of sequences, of which the first hypothesis is dropped at once."""
    thresholds, cuts = (1,) * (depth + 1), (1,) * depth
    parameters = LayeredParameters(
        depth, 2 << depth, rounds, thresholds, 50, 50, Fraction(1, 10), cuts
    )
    return LayeredSOA(ConservativeSOA(catalog.build(f"cube:n={depth}")), parameters)


def test_many_layers_keep_the_first_hypothesis() -> None:
    """docs/private-online.md, Many layers: with the probability 1 - T^2/2^d at least."""
    rounds, depth, C = 8, 14, catalog.build("cube:n=14")
    assert Fraction(rounds**2, 1 << depth) < Fraction(1, 100)
    games = [
        play(layered(depth, rounds), Repeating(C), rounds, SeededCoins(seed)) for seed in range(20)
    ]
    assert all(game.switches == 0 and game.mistakes == rounds for game in games)


@pytest.mark.parametrize(("depth", "hits"), [(3, 5), (8, 5), (14, 5)])
def test_an_update_seldom_makes_a_pair_of_many_places(depth: int, hits: int) -> None:
    learner, runs = layered(depth, hits), 400
    empty = MistakeSequence(learner.base)
    longer = empty.after(0, 1 - learner.base.predict(0), depth)
    assert longer is not None
    whole = 1 << depth
    pairs = Multiset({SiblingPair(longer, empty): hits, SiblingPair(empty, empty): whole - hits})
    found = Fraction(0)
    for seed in range(runs):
        after = learner._updated(0, pairs, SeededCoins(seed))
        found += Fraction(any(pair is not None for pair, _ in after.items()), runs)
    exact = Fraction(hits * (hits - 1), 2 * (whole - 1))
    assert exact <= Fraction(hits**2, whole)
    assert found <= exact + Fraction(1, 20)
    # A wrong guess makes a sequence that no concept is consistent with, so half of them remain.
    assert found > exact / 6 or depth > 3


# ---- the choices of MWEM


@pytest.mark.parametrize("n", [7, 30])
def test_the_second_choice_of_mwem_has_many_weights(n: int) -> None:
    """docs/agnostic-online.md, Synthetic batches: at least (n + 1)/(2 (B + 1)) scores."""
    C = catalog.build(f"thresholds:n={n}").to_table()
    wrong, chosen, batch = C.label_class(), n // 3, [(1, 0), (n // 2, 1), (n // 2, 0)]
    errors = [[int(h(z)) for z in wrong.domain] for h in wrong]
    weights = [5 if raised else 3 for raised in errors[chosen]]
    places = [wrong.domain.index(z) for z in batch]
    scores: Counter[Fraction] = Counter()
    for row in errors:
        synthetic = Fraction(sum(w for w, e in zip(weights, row, strict=True) if e), sum(weights))
        scores[Fraction(sum(row[z] for z in places), len(batch)) - synthetic] += 1
    assert sum(scores.values()) == n + 1
    assert max(scores.values()) <= 2 * (len(batch) + 1)
    assert len(scores) >= Fraction(n + 1, 2 * (len(batch) + 1))
    assert len({sum(row) for row in errors}) == 1
