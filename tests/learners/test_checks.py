"""Checks for those who write a learner or a mechanism: what ships passes, wrong objects do not."""

from __future__ import annotations

import importlib
import inspect
import itertools
import pkgutil
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache, partial
from typing import Any

import pytest

import catalog
import learners.mechanisms
import learners.pac
import learners.rules
from learners.accounting import Event, Privacy, PureDP, Scope
from learners.audit.audit_registry import AUDITABLE
from learners.audit.instances import Instance
from learners.checks import check_batch_learner, check_learner, check_mechanism
from learners.coins import Coins, SeededCoins
from learners.mechanisms.noise import DiscreteLaplace
from learners.pac.base import BatchLearner
from learners.pac.entries import BATCH_LEARNERS
from learners.pac.samples import Sample
from learners.playing.base.base_learner_names import (
    FAMILY_LEARNERS,
    decision_list_learner,
    margin_halfspace_learner,
)
from learners.playing.entries import ONLINE_LEARNERS
from learners.playing.learner import OnlineLearner, PublishingLearner, as_learner
from lsclasses.errors import InvalidInput, NotRealizable
from lsclasses.hypothesis import Constant
from lsclasses.online import OnlineState
from lsclasses.registry import own_names
from tests.learners.toy_package import TOY

SMALL = {
    "dp-winnow": "margin-halfspaces:d=3,norm=3",
    "layered-soa": "points:n=5",
    "optimal-predictor": "points:n=2",
    "proper-soa": "parities:n=2",
    "voting": "points:n=5",
}
"""A class for each learner; the others get thresholds."""
MOST_ROUNDS = {"optimal-predictor": 3}
"""The number of rounds of learners that solve a program for the whole game."""
C = catalog.build("thresholds:n=5")
HALF = Fraction(1, 2)


def small(name: str) -> str:
    return SMALL.get(name, "thresholds:n=5")


def few(name: str, rounds: int) -> int:
    return min(rounds, MOST_ROUNDS.get(name, rounds))


# ---- what ships


@pytest.mark.parametrize("name", ONLINE_LEARNERS.names())
def test_every_learner_that_can_be_run_passes(name: str) -> None:
    rounds = few(name, 6)
    check_learner(ONLINE_LEARNERS[name].learner(small(name), rounds), small(name), rounds=rounds)


@pytest.mark.parametrize("name", ONLINE_LEARNERS.names())
def test_no_learner_plays_more_rounds_than_it_was_made_for(name: str) -> None:
    """It refuses the next one, or has halted: parameters and bounds are for so many."""
    rounds = few(name, 4)
    learner = as_learner(ONLINE_LEARNERS[name].learner(small(name), rounds))
    if learner.rounds is None:
        return
    assert learner.rounds == rounds and learner.domain is not None
    coins, x = SeededCoins(1), next(iter(learner.domain))
    state = learner.start(coins)

    def played(state: Any) -> Any:
        after, _ = learner.predict(state, x, coins)
        return None if after is None else learner.learn(after, x, 0, coins)

    for _ in range(rounds):
        state = None if state is None else played(state)
    if state is not None:
        with pytest.raises(InvalidInput, match=f"is for {rounds} rounds"):
            played(state)


PRICED = {
    name: known
    for name in ONLINE_LEARNERS.names()
    if "epsilon" in (known := {each.name for each in ONLINE_LEARNERS[name].parameters})
}
"""The parameters of those that are made for a budget."""


@pytest.mark.parametrize("epsilon", [1, 8])
@pytest.mark.parametrize("name", PRICED)
def test_a_budget_is_kept_and_nearly_used(name: str, epsilon: int) -> None:
    learner = ONLINE_LEARNERS[name].learner(small(name), few(name, 50), epsilon=epsilon)
    stated = Privacy.of(learner.privacy, getattr(learner, "delta", None))
    assert Fraction(9, 10) * epsilon < stated.epsilon <= epsilon
    pure = "delta" not in PRICED[name]
    assert stated.delta == 0 if pure else 0 < stated.delta <= Fraction(1, 10**6)


WEAK = {"optimal-predictor": 25}
"""A weak epsilon of learners that refuse an epsilon of 1000."""


@pytest.mark.parametrize("name", PRICED)
def test_a_budget_that_protects_nobody_is_taken_if_it_is_meant(name: str) -> None:
    epsilon, rounds = WEAK.get(name, 1000), few(name, 8)
    for theorem in ({}, {"theorem": 1}) if "theorem" in PRICED[name] else ({},):
        made = ONLINE_LEARNERS[name].learner
        build = partial(made, small(name), rounds, epsilon=epsilon, **theorem)
        with pytest.raises(InvalidInput, match=str(epsilon)):
            build()
        assert build(allow_weak_privacy=1).privacy is not None


@pytest.mark.parametrize(
    ("learner", "source"),
    [
        (margin_halfspace_learner(3, 3), "margin-halfspaces:d=3,norm=3"),
        (decision_list_learner(2), "decision-lists:n=2"),
    ],
)
def test_learners_of_families_pass(learner: Any, source: str) -> None:
    check_learner(learner, source, rounds=6)


# All mechanisms pass in tests/learners/audit/test_audit_registry.py, which also states how much of
# each claim is not needed.


# ---- wrong learners


@dataclass(frozen=True)
class Memory(OnlineState):
    """Predicts labels that it has seen, and 0 elsewhere."""

    seen: frozenset[tuple[int, int]] = frozenset()

    def _predict(self, x: int) -> int:
        return int((x, 1) in self.seen)

    def __call__(self, x: int) -> int:
        return self.predict(x)

    def _observe(self, x: int, y: int) -> Any:
        return replace(self, seen=self.seen | {(x, y)})


class Publisher(PublishingLearner):
    """The same, as one that publishes hypotheses."""

    def _begin(self, coins: Coins) -> Any:
        return Memory()

    def _publish(self, state: Any, coins: Coins) -> Any:
        return state, state

    def _receive(self, state: Any, point: int, label: int, coins: Coins) -> Any:
        return state.observe(point, label)


class Predictor(OnlineLearner):
    """The same, as one that predicts and learns."""

    def start(self, coins: Coins) -> Any:
        return Memory()

    def _predict(self, state: Any, point: int, coins: Coins) -> Any:
        return state, state.predict(point)

    def _learn(self, state: Any, point: int, label: int, coins: Coins) -> Any:
        return state.observe(point, label)


@dataclass(frozen=True)
class HashedByOrder(Memory):
    """Equal by what was seen, hashed by the order in which it was."""

    order: tuple[int, ...] = field(default=(), compare=False)

    def _observe(self, x: int, y: int) -> Any:
        return replace(self, seen=self.seen | {(x, y)}, order=(*self.order, x))

    def __hash__(self) -> int:
        return hash(self.order)


class Refusing(Memory):
    def _observe(self, x: int, y: int) -> Any:
        raise NotRealizable("Not this example.")


@dataclass(frozen=True)
class Listed:
    """A state with a list in it."""

    log: Any

    def __hash__(self) -> int:
        return hash(tuple(self.log))


class ChangesPredicted(Predictor):
    """Appends to the list of the state after a prediction."""

    def start(self, coins: Coins) -> Any:
        return Listed([])

    def _predict(self, state: Any, point: int, coins: Coins) -> Any:
        return state, 0

    def _learn(self, state: Any, point: int, label: int, coins: Coins) -> Any:
        state.log.append(point)
        return state


def wrong(base: type, name: str, **members: Any) -> Any:
    """An object of a class like this one but for what is given."""
    return type(name, (base,), members)()


@pytest.mark.parametrize("learner", [Memory(), Publisher(), Predictor()])
def test_learners_of_every_kind_are_checked(learner: Any) -> None:
    check_learner(learner, C, rounds=8)


# ---- wrong mechanisms


def held(mechanism: Any, privacy: Any = None, pairs: Any = ((0, 1),)) -> Instance:
    """An instance of a mechanism that releases one count."""
    return Instance(mechanism, lambda each: each.release, pairs, privacy or mechanism.privacy)


class HalfTheNoise(DiscreteLaplace):
    def release(self, count: int, coins: Coins) -> int:
        return count + coins.laplace(self.scale / 2)


@dataclass
class Settable:
    epsilon: Fraction

    @property
    def privacy(self) -> Event:
        return PureDP(self.epsilon, scope=Scope.adaptive("replace_one"))

    def __hash__(self) -> int:
        return 1

    def release(self, count: int, coins: Coins) -> int:
        return count + coins.laplace(1 / self.epsilon)


class Remembers(DiscreteLaplace):
    """Changes as it runs, and compares what changed."""

    def release(self, count: int, coins: Coins) -> int:
        object.__setattr__(self, "runs", getattr(self, "runs", 0) + 1)
        return super().release(count, coins)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Remembers) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return 1


def test_mechanisms_are_checked_by_entry_by_instance_and_all_together() -> None:
    found = check_mechanism([AUDITABLE["discrete_laplace"], held(DiscreteLaplace(1))])
    assert [each.epsilon for each in found] == [Fraction(1, 2), 1]
    check_mechanism(held(DiscreteLaplace(1, neighbours="add_remove")))


def test_a_declaration_that_builds_another_mechanism_each_time_fails() -> None:
    epsilon = itertools.count(1)
    entry = replace(
        AUDITABLE["discrete_laplace"], build=lambda **_: held(DiscreteLaplace(next(epsilon)))
    )
    with pytest.raises(InvalidInput, match="Building 'discrete_laplace' twice"):
        check_mechanism(entry)


# ---- learners from samples

OF_FEW_ROWS: dict[str, dict[str, Any]] = {
    "private-littlestone": {"alpha": "49/100", "epsilon": 4, "delta": "1/100", "beta": "1/4"},
    "agnostic": {"rows": 40, "alpha": "1/4", "epsilon": 3},
    "subsample-aggregate": {"batches": 8, "epsilon": 4, "delta": "1/100"},
    "generic": {"alpha": "1/4"},
    "greedy-cover": {"epsilon": 4, "delta": "1/100", "alpha": "1/4"},
    "merging": {"epsilon": 8, "delta": "1/1000000", "alpha": "1/10"},
    "voting": {"epsilon": 4, "delta": "1/100", "alpha": "1/4"},
}
"""Parameters with which a learner is made for few rows."""


@cache
def declared() -> tuple[Any, ...]:
    """With one pair of each: tests/learners/audit/test_audit_registry.py holds them on all."""
    built = [entry.instance() for entry in AUDITABLE.values()]
    return tuple(
        replace(each, pairs=tuple(each.pairs)[:1]) for each in built if isinstance(each, Instance)
    )


@pytest.mark.parametrize("name", BATCH_LEARNERS.names())
def test_every_learner_from_samples_passes(name: str) -> None:
    given = {**OF_FEW_ROWS.get(name, {})}
    source = {"greedy-cover": "decision-lists:n=2", "merging": "thresholds:n=5"}.get(
        name, "points:n=5"
    )
    learner = BATCH_LEARNERS[name].learner(source, given.pop("rows", None), **given)
    audits = [each for each in declared() if type(each.mechanism) is type(learner)]
    check_batch_learner(learner, audits, rows=min(learner.rows or 40, 200))


class Own(BatchLearner):
    """Learns nothing, and keeps everything that is asked of it."""

    domain = C.domain
    concept_class = C

    def fit(self, sample: Sample, coins: Coins) -> Any:
        self._require(sample.domain)
        return self.found(sample)

    def found(self, sample: Sample) -> Any:
        return Constant(C.domain, 0).canonical()


@dataclass
class Adding(Own):
    seen: int = 0

    def found(self, sample: Sample) -> Any:
        self.seen += len(sample)
        return super().found(sample)


def test_what_learns_nothing_passes() -> None:
    check_batch_learner(Own())


# ---- nothing is forgotten


ONLINE = sorted({place.value.split(".")[1] for place in own_names()["learners"].values()})
SLICES = [
    importlib.import_module(f"learners.{name}") for name in (*ONLINE, "playing.base", "majorities")
]
"""The folders of online learners, by the listings of names."""


def public_classes(package: Any) -> dict[str, type]:
    """The public classes that a package's modules define, but for protocols, bases, evidence."""
    found = {}
    for listed in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        if listed.name.endswith(".evidence"):
            continue
        module = importlib.import_module(listed.name)
        for name, thing in vars(module).items():
            if name.startswith("_"):
                continue
            if inspect.isclass(thing) and thing.__module__ == listed.name:
                abstract = inspect.isabstract(thing) or getattr(thing, "_is_protocol", False)
                if not abstract:
                    found[name] = thing
    return found


PARTS = {
    "BoundGuard": "watches another learner, for diagnosis",
    "ConfidentWinnow": "what DPWinnow is compared with, in claims",
    "Deterministic": "makes a state playable",
    "Doubling": "plays learners for 1, 2, 4, ... rounds",
    "OptimalPublisher": "what optimal_mistakes returns",
    "POPUntilMistakes": "a phase of AgnosticPOP",
    "Randomized": "makes a randomized state playable",
    "SOAExperts": "what AgnosticPOP copies",
}
"""Public classes that play, and are no learners of their own."""


def test_every_public_online_learner_can_be_run() -> None:
    playing = {
        name
        for package in SLICES
        for name, thing in public_classes(package).items()
        if issubclass(thing, OnlineLearner | OnlineState)
    }
    assert playing >= {"POP", "AgnosticPOP", "DPWinnow", "Halving", "Winnow"}
    run = [
        ONLINE_LEARNERS[name].learner(small(name), few(name, 4)) for name in ONLINE_LEARNERS.names()
    ]
    # With mistakes of the best concept, other learners are built.
    run += [
        ONLINE_LEARNERS[name].learner(small(name), 4, mistakes=1)
        for name in ("soa", "randomized-soa")
    ]
    # Where there are few concepts for the dimension, halving is taken instead.
    run.append(ONLINE_LEARNERS["sparse-majority"].learner("points:n=64", 4))
    of_families = [
        factory(**family.values(**next(iter(family.instances()))))
        for family, factory in ((catalog.family(name), f) for name, f in FAMILY_LEARNERS.items())
    ]
    of_families.append(decision_list_learner(10_000, length=3, alternations=1))
    built = {type(each).__name__ for each in run + of_families}
    assert not playing - built - set(PARTS)
    assert set(PARTS) <= playing - built


@pytest.mark.parametrize(
    ("packages", "registry"),
    [(SLICES, ONLINE_LEARNERS), ((learners.pac, learners.rules), BATCH_LEARNERS)],
    ids=["online", "batch"],
)
def test_every_declared_learner_is_listed(packages: Any, registry: Any) -> None:
    declared = {
        entry.name
        for package in packages
        for listed in pkgutil.iter_modules(package.__path__, f"{package.__name__}.")
        for entry in getattr(importlib.import_module(listed.name), "LEARNERS", ())
    }
    assert declared == set(registry.names())


INNER = {"GloballyStableLearner": "what PrivateLittlestoneLearner runs on batches"}
"""Public learners from samples that have no name of their own."""


def test_every_public_learner_from_samples_has_a_name() -> None:
    learning = {
        name
        for package in (learners.pac, learners.rules)
        for name, thing in public_classes(package).items()
        if issubclass(thing, BatchLearner)
    }
    built = {
        type(
            entry.learner("points:n=5" if name == "voting" else "decision-lists:n=2", 4000)
        ).__name__
        for name, entry in BATCH_LEARNERS.items()
    }
    assert learning - built == set(INNER)


def test_a_learner_from_samples_of_an_installed_package_is_found(installed: Any) -> None:
    installed("toy_batch", TOY, (BATCH_LEARNERS, "always", "toy_batch:LEARNERS"))
    learner = BATCH_LEARNERS["always"].learner(C, label="true")
    check_batch_learner(learner)
    assert learner.fit(Sample(C.domain, []), SeededCoins(1))(0) == 1
