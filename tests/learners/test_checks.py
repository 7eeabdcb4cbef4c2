"""Checks for those who write a learner or a mechanism: what ships passes, wrong objects do not."""

from __future__ import annotations

import importlib
import inspect
import itertools
import pkgutil
import random
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import catalog
import learners.batch
import learners.boolean
import learners.mechanisms
import learners.online
from learners.accounting import ZCDP, ApproximateDP, Event, PureDP, Sequential
from learners.auditable import AUDITABLE
from learners.batch.base import POPULATION_ERROR, BatchLearner
from learners.batch.samples import Sample
from learners.batch.trainable import TRAINABLE
from learners.bounds import REALIZABLE, Bound
from learners.checks import check_batch_learner, check_learner, check_mechanism
from learners.coins import Coins, SeededCoins
from learners.instances import Auditable, Instance
from learners.mechanisms.noise import DiscreteLaplace
from learners.online.base_learners import (
    FAMILY_LEARNERS,
    decision_list_learner,
    margin_halfspace_learner,
)
from learners.online.learner import OnlineLearner, PublishingLearner, as_learner
from learners.online.runnable import RUNNABLE
from lsclasses.errors import InvalidInput, NotRealizable
from lsclasses.hypothesis import Concept, Constant
from lsclasses.lazy import FunctionHypothesis
from lsclasses.online import OnlineState

SMALL = {
    "dp-winnow": "margin-halfspaces:d=3,norm=3",
    "layered-soa": "points:n=5",
    "proper-soa": "parities:n=2",
}
"""A class for each learner; the others get thresholds."""
C = catalog.build("thresholds:n=5")
HALF = Fraction(1, 2)
OWN = random.Random(5)


def small(name: str) -> str:
    return SMALL.get(name, "thresholds:n=5")


# ---- what ships


@pytest.mark.parametrize("name", RUNNABLE.names())
def test_every_learner_that_can_be_run_passes(name: str) -> None:
    check_learner(RUNNABLE[name].learner(small(name), 16), small(name), rounds=16)


@pytest.mark.parametrize("name", RUNNABLE.names())
def test_no_learner_plays_more_rounds_than_it_was_made_for(name: str) -> None:
    """It refuses the next one, or has halted: parameters and bounds are for so many."""
    learner = as_learner(RUNNABLE[name].learner(small(name), 4))
    if learner.rounds is None:
        return
    assert learner.rounds == 4 and learner.domain is not None
    coins, x = SeededCoins(1), next(iter(learner.domain))
    state = learner.start(coins)

    def played(state: Any) -> Any:
        after, _ = learner.predict(state, x, coins)
        return None if after is None else learner.learn(after, x, 0, coins)

    for _ in range(4):
        state = None if state is None else played(state)
    if state is not None:
        with pytest.raises(InvalidInput, match="made for 4 rounds"):
            played(state)


@pytest.mark.parametrize(
    ("learner", "source"),
    [
        (margin_halfspace_learner(3, 3), "margin-halfspaces:d=3,norm=3"),
        (decision_list_learner(2), "decision-lists:n=2"),
    ],
)
def test_learners_of_families_pass(learner: Any, source: str) -> None:
    check_learner(learner, source, rounds=12)


# All mechanisms pass: tests/learners/test_auditable.py says so, and how much each claims in vain.


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


class Mutating(Memory):
    def _observe(self, x: int, y: int) -> Any:
        object.__setattr__(self, "seen", self.seen | {(x, y)})
        return self


class Counting(OnlineState):
    """Counts how often it was asked."""

    asked = 0

    def _predict(self, x: int) -> int:
        self.asked += 1
        return 0

    def _observe(self, x: int, y: int) -> Any:
        return self

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Counting)

    def __hash__(self) -> int:
        return self.asked


class Sharing(Publisher):
    """All its states share one dictionary."""

    class Shared:
        def __init__(self) -> None:
            self.labels: dict[int, int] = {}

        def __call__(self, x: int) -> int:
            return self.labels.get(x, 0)

    def __init__(self) -> None:
        self.shared = self.Shared()

    def _begin(self, coins: Coins) -> Any:
        return self.shared

    def _receive(self, state: Any, point: int, label: int, coins: Coins) -> Any:
        self.shared.labels.update({point: label})
        return self.shared


class HashedById(Memory):
    def __hash__(self) -> int:
        return id(self)


class ComparedById(Memory):
    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return 1


@dataclass(frozen=True)
class Unhashable(Memory):
    seen: Any = field(default_factory=frozenset)

    def __hash__(self) -> int:
        return hash([self.seen])  # type: ignore[arg-type]


@dataclass(frozen=True)
class ComparedTooShort(Memory):
    """Equal if as many examples were seen."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Memory) and len(self.seen) == len(other.seen)

    def __hash__(self) -> int:
        return len(self.seen)


@dataclass(frozen=True)
class HashedByOrder(Memory):
    """Equal by what was seen, hashed by the order in which it was."""

    order: tuple[int, ...] = field(default=(), compare=False)

    def _observe(self, x: int, y: int) -> Any:
        return replace(self, seen=self.seen | {(x, y)}, order=(*self.order, x))

    def __hash__(self) -> int:
        return hash(self.order)


class GloballyRandom(Memory):
    def _predict(self, x: int) -> int:
        return random.randrange(2)


class RandomByItself(Memory):
    def _predict(self, x: int) -> int:
        return OWN.randrange(2)


class DrawsForNothing(Memory):
    def _predict(self, x: int) -> int:
        np.random.rand()  # noqa: NPY002
        return 0


class LearnsByChance(Memory):
    def _observe(self, x: int, y: int) -> Any:
        return replace(self, seen=self.seen | {(OWN.random(), y)})  # type: ignore[arg-type]


class Promising(Memory):
    mistake_bound = 1


@dataclass(frozen=True)
class PromisingLater(Memory):
    """What it promises at first holds, and not what it promises after two mistakes."""

    @property
    def mistake_bound(self) -> int:
        return 100 if len(self.seen) < 2 else 0


class Three(Memory):
    def _predict(self, x: int) -> int:
        return 3


class Bounded(Predictor):
    bounds = (Bound("[a plug-in]", "mistakes", "d", 1, hypotheses=(REALIZABLE,)),)


class RarelyBounded(Predictor):
    bounds = (
        Bound(
            "[a plug-in]", "mistakes", "d", 1, failure=Fraction(1, 10**4), hypotheses=(REALIZABLE,)
        ),
    )


class Unpriced(Predictor):
    privacy = (1, 0)


class Overpriced(Predictor):
    privacy = ZCDP(HALF)


class Single(Predictor):
    def _predict(self, state: Any, point: int, coins: Coins) -> Any:
        return state.predict(point)


class Refusing(Memory):
    def _observe(self, x: int, y: int) -> Any:
        raise NotRealizable("Not this example.")


class ChangesPredicted(Predictor):
    """Keeps a list in the state, and appends to it."""

    @dataclass(frozen=True)
    class Listed:
        log: Any

        def __hash__(self) -> int:
            return hash(tuple(self.log))

    def start(self, coins: Coins) -> Any:
        return self.Listed([])

    def _predict(self, state: Any, point: int, coins: Coins) -> Any:
        return state, 0

    def _learn(self, state: Any, point: int, label: int, coins: Coins) -> Any:
        state.log.append(point)
        return state


@pytest.mark.parametrize("learner", [Memory(), Publisher(), Predictor()])
def test_learners_of_every_kind_are_checked(learner: Any) -> None:
    check_learner(learner, C)


@pytest.mark.parametrize(
    ("learner", "message"),
    [
        (Mutating(), r"learning the label . of the point . changed the state .* hashes otherwise"),
        (Sharing(), r"learning the label 1 of the point . changed the state .* predicted 0 and"),
        (Counting(), r"predicting at the point . changed the state .* hashes otherwise"),
        (ChangesPredicted(), r"learning the label . of the point . changed the state .* hashes"),
        (HashedById(), r"results of type HashedById that are equal but have different hashes"),
        (ComparedById(), r"results of type ComparedById that are not equal\. They must be"),
        (Unhashable(), r"A Unhashable cannot be hashed \(unhashable type: 'list'\)"),
        (ComparedTooShort(), r"are equal, but at the point . one predicts . and the other ."),
        (HashedByOrder(), r"Two states of type HashedByOrder are equal but have different hashes"),
        (GloballyRandom(), r"The learner draws from a global random number generator"),
        (RandomByItself(), r"asked again about the point . in one state, with the same coins"),
        (DrawsForNothing(), r"The learner draws from a global random number generator"),
        (LearnsByChance(), r"results of type LearnsByChance that are not equal"),
        (Promising(), r"The mistake bound before round 1 is 1, but the learner errs . times"),
        (PromisingLater(), r"The mistake bound before round \d+ is 0, but the learner errs"),
        (Bounded(), r"breaks a bound that it states: round \d+ exceeds mistakes <= d = 1"),
        (RarelyBounded(), r"exceeds a bound that it states, mistakes <= d = 1 .* too many of 3"),
        (Three(), r"Round 1: the learner must predict 0 or 1\. Got 3"),
        (Single(), r"A learner answers with a pair"),
        (Unpriced(), r"The learner Unpriced must state in `privacy` .* Got \(1, 0\)"),
        (Overpriced(), r"zCDP event has no epsilon"),
        (Refusing(), r"refused a stream that a concept fits"),
        (object(), r"A learner is an OnlineLearner"),
    ],
    ids=lambda each: type(each).__name__,
)
def test_wrong_learners_fail(learner: Any, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        check_learner(learner, C)


def test_a_learner_of_too_few_rounds_is_refused() -> None:
    with pytest.raises(InvalidInput, match="at least 1"):
        check_learner(Memory(), C, rounds=0)


# ---- wrong mechanisms


def held(mechanism: Any, privacy: Any = None, pairs: Any = ((0, 1),)) -> Instance:
    """An instance of a mechanism that releases one count."""
    return Instance(mechanism, lambda each: each.release, pairs, privacy or mechanism.privacy)


class Free(DiscreteLaplace):
    """States no cost."""

    privacy = None  # type: ignore[assignment]


class HalfTheNoise(DiscreteLaplace):
    def release(self, count: int, coins: Coins) -> int:
        return count + coins.laplace(self.scale / 2)


class Worthless(DiscreteLaplace):
    @property
    def privacy(self) -> Event:
        one = ApproximateDP(self.epsilon, HALF)
        return Sequential((one, one))


@dataclass
class Settable:
    epsilon: Fraction

    @property
    def privacy(self) -> Event:
        return PureDP(self.epsilon)

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


class OtherNoise(DiscreteLaplace):
    def release(self, count: int, coins: Coins) -> int:
        return count + OWN.randrange(100)


class DrawsBeside(DiscreteLaplace):
    def release(self, count: int, coins: Coins) -> int:
        random.random()
        return super().release(count, coins)


class Unshown(DiscreteLaplace):
    def release(self, count: int, coins: Coins) -> Any:
        return [super().release(count, coins)]


class Singular(DiscreteLaplace):
    """Every object is another one."""

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)


def test_mechanisms_are_checked_by_entry_by_instance_and_all_together() -> None:
    found = check_mechanism([AUDITABLE["discrete_laplace"], held(DiscreteLaplace(1))])
    assert [each.epsilon for each in found] == [Fraction(1, 2), 1]
    check_mechanism(held(DiscreteLaplace(1, neighbours="add_remove")))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (held(Free(1), PureDP(1)), r"mechanism Free must state in `privacy` .* Got None"),
        (
            held(DiscreteLaplace(1), (1, 0)),
            r"The instance of DiscreteLaplace must state .*\(1, 0\)",
        ),
        (held(HalfTheNoise(1)), r"HalfTheNoise is not as private as it states: .* 0 and 1, delta"),
        (
            held(DiscreteLaplace(1), PureDP(2)),
            r"claims .* \(2, 0\), which is weaker than .*\(1, 0\)",
        ),
        (held(Worthless(1)), r"states a delta of 1; from 1 on, nothing is promised"),
        (held(DiscreteLaplace(1), ZCDP(1)), r"zCDP event has no epsilon"),
        (held(Settable(Fraction(1))), r"Settable\.epsilon can be set after the mechanism was made"),
        (held(Remembers(1)), r"Running Remembers changed it"),
        (held(OtherNoise(1)), r"Run twice on 0 with the same coins, OtherNoise released"),
        (held(DrawsBeside(1)), r"The mechanism draws from a global random number generator"),
        (held(Unshown(1)), r"A list cannot be hashed"),
        (held(Singular(1)), r"Copying Singular twice gave .* not equal"),
        (held(DiscreteLaplace(1), pairs=()), r"no neighbouring inputs to compare"),
        (held(DiscreteLaplace(1), pairs=((1, 1),)), r"nothing to audit"),
        ((), r"at least one small instance"),
        ((DiscreteLaplace(1),), r"an Auditable or an Instance\. Got DiscreteLaplace"),
    ],
    ids=lambda each: type(each.mechanism).__name__ if isinstance(each, Instance) else None,
)
def test_wrong_mechanisms_fail(wrong: Any, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        check_mechanism(wrong)


def test_an_audit_that_decides_nothing_fails() -> None:
    with pytest.raises(InvalidInput, match="DiscreteLaplace is undecided"):
        check_mechanism(
            held(DiscreteLaplace(1)), tail=Fraction(1, 16), resolution=Fraction(1, 10**12)
        )


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
}
"""Parameters with which a learner is made for few rows."""


def audits_of(learner: BatchLearner) -> list[Auditable]:
    return [entry for entry in AUDITABLE if type(entry.instance().mechanism) is type(learner)]


@pytest.mark.parametrize("name", TRAINABLE.names())
def test_every_learner_from_samples_passes(name: str) -> None:
    given = {**OF_FEW_ROWS.get(name, {})}
    source = "decision-lists:n=2" if name == "greedy-cover" else "points:n=5"
    learner = TRAINABLE[name].learner(source, given.pop("rows", None), **given)
    check_batch_learner(learner, audits_of(learner), rows=min(learner.rows or 40, 400))


class Own(BatchLearner):
    """Learns nothing, and keeps everything that is asked of it."""

    domain = C.domain
    concept_class = C

    def fit(self, sample: Sample, coins: Coins) -> Any:
        self._require(sample.domain)
        return Constant(C.domain, 0).canonical()


class Eager(Own):
    consistent = True


class Foreign(Own):
    def fit(self, sample: Sample, coins: Coins) -> Any:
        return Constant(C.domain, 0).canonical()


class Global(Own):
    def fit(self, sample: Sample, coins: Coins) -> Any:
        self._require(sample.domain)
        return Constant(C.domain, random.randrange(2)).canonical()


class Undetermined(Own):
    def fit(self, sample: Sample, coins: Coins) -> Any:
        self._require(sample.domain)
        return Constant(C.domain, OWN.randrange(2)).canonical()


@dataclass
class Adding(Own):
    seen: int = 0

    def fit(self, sample: Sample, coins: Coins) -> Any:
        self.seen += len(sample)
        return super().fit(sample, coins)


class Bare(Own):
    def fit(self, sample: Sample, coins: Coins) -> Any:
        self._require(sample.domain)
        return lambda x: 0


class Elsewhere(Own):
    def fit(self, sample: Sample, coins: Coins) -> Any:
        self._require(sample.domain)
        return Constant(catalog.build("thresholds:n=6").domain, 0)


class Partial(Own):
    def fit(self, sample: Sample, coins: Coins) -> Any:
        self._require(sample.domain)
        return FunctionHypothesis(C.domain, lambda x: 1 if x < 4 else 2)


class Naming(Own):
    privacy: Any = PureDP(1)

    def fit(self, sample: Sample, coins: Coins) -> Any:
        self._require(sample.domain)
        return Concept.from_labels(C.to_table().domain, [0] * 5, name=sample[0][0])


class Promising(Own):
    def bounds(self, rows: int | None = None) -> tuple[Bound, ...]:
        return (Bound("no paper", POPULATION_ERROR, "a", Fraction(1, 10)),)


class Saying(Own):
    def bounds(self, rows: int | None = None) -> Any:
        return ("small",)


class Sized(Own):
    rows = 0


class Halves(Own):
    rows = 2.5  # type: ignore[assignment]


class Priced(Own):
    privacy: Any = PureDP(1)


class Mispriced(Own):
    privacy: Any = (1, 0)


@pytest.mark.parametrize(
    ("learner", "message"),
    [
        (Eager(), "calls itself consistent, but is wrong on"),
        (Foreign(), "another domain must be refused with InvalidInput. Foreign learned it"),
        (Global(), "global random number generator"),
        (Undetermined(), "With the same coins, Undetermined found .* and then"),
        (Adding(), "Learning changed Adding"),
        (Bare(), "must find a Hypothesis on 5 points"),
        (Elsewhere(), "must find a Hypothesis on 5 points"),
        (Partial(), "must label every point with 0 or 1. At 4"),
        (Naming(), "agree everywhere but look different"),
        (Promising(), "exceeds a bound that it states, population error <= a"),
        (Saying(), "objects of the class Bound"),
        (Sized(), "Sized.rows must be a positive integer or None. Got 0"),
        (Halves(), "Halves.rows must be a positive integer or None. Got 2.5"),
        (Priced(), "at least one small instance"),
        (Mispriced(), "as an event of the ledger"),
        (Memory(), "is a learners.batch.base.BatchLearner"),
    ],
    ids=lambda each: type(each).__name__ if not isinstance(each, str) else "",
)
def test_wrong_learners_from_samples_are_found(learner: Any, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        check_batch_learner(learner)


def test_what_learns_nothing_passes() -> None:
    check_batch_learner(Own())


def test_audits_of_a_learner_from_samples_are_about_it_and_hold() -> None:
    generic = TRAINABLE["generic"].learner(C, alpha="1/4")
    with pytest.raises(InvalidInput, match=r"must be ones of GenericLearner\. Got one of Discrete"):
        check_batch_learner(generic, AUDITABLE["discrete_laplace"])
    with pytest.raises(InvalidInput, match="states no privacy, so there is nothing to audit"):
        check_batch_learner(Own(), AUDITABLE["generic_learner"])
    good = AUDITABLE["generic_learner"].instance()
    broken = replace(good, mechanism=replace(good.mechanism, epsilon=Fraction(4)))
    with pytest.raises(InvalidInput, match="GenericLearner is not as private as it states"):
        check_batch_learner(generic, broken)


# ---- nothing is forgotten


def public_classes(package: Any) -> dict[str, type]:
    """What the modules of a package export and define, but for protocols and base classes."""
    found = {}
    for listed in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        module = importlib.import_module(listed.name)
        for name in getattr(module, "__all__", ()):
            thing = getattr(module, name)
            if inspect.isclass(thing) and thing.__module__ == listed.name:
                abstract = inspect.isabstract(thing) or getattr(thing, "_is_protocol", False)
                if not abstract:
                    found[name] = thing
    return found


def test_every_public_mechanism_is_declared_for_audits() -> None:
    priced = {
        thing
        for thing in public_classes(learners.mechanisms).values()
        if isinstance(inspect.getattr_static(thing, "privacy", None), property)
    }
    assert len(priced) >= 13
    audited = {type(entry.instance().mechanism) for entry in AUDITABLE}
    assert priced <= audited


PARTS = {
    "BoundGuard": "watches another learner, for diagnosis",
    "ChosenForest": "ForestSOA given its choices, for claims",
    "ChosenLayers": "LayeredSOA given its choices, for its audit",
    "ConfidentWinnow": "what DPWinnow is compared with, in claims",
    "Deterministic": "makes a state playable",
    "FirstMistake": "a learner for audits, which shows an example plainly",
    "Doubling": "plays learners for 1, 2, 4, ... rounds",
    "POPUntilMistakes": "a phase of AgnosticPOP",
    "Randomized": "makes a randomized state playable",
    "SOAExperts": "what AgnosticPOP copies",
}
"""Public classes that play, and are no learners of their own."""


def test_every_public_online_learner_can_be_run() -> None:
    playing = {
        name
        for name, thing in public_classes(learners.online).items()
        if issubclass(thing, OnlineLearner | OnlineState)
    }
    assert playing >= {"POP", "AgnosticPOP", "DPWinnow", "Halving", "Winnow"}
    run = [RUNNABLE[name].learner(small(name), 4) for name in RUNNABLE.names()]
    # Where there are few concepts for the dimension, halving is taken instead.
    run.append(RUNNABLE["sparse-majority"].learner("points:n=64", 4))
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
    [((learners.online,), RUNNABLE), ((learners.batch, learners.boolean), TRAINABLE)],
    ids=["online", "batch"],
)
def test_every_declared_learner_is_an_entry_point(packages: Any, registry: Any) -> None:
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
        for package in (learners.batch, learners.boolean)
        for name, thing in public_classes(package).items()
        if issubclass(thing, BatchLearner)
    }
    source = "decision-lists:n=2"
    built = {type(entry.learner(source, 4000)).__name__ for entry in TRAINABLE}
    assert learning - built == set(INNER)


TOY = """
from learners.batch.base import BatchLearner
from learners.batch.trainable import Trainable
from lsclasses.hypothesis import Constant
from lsclasses.specifications import Parameter


class Always(BatchLearner):
    def __init__(self, C, label):
        self.of, self.label = C, label

    @property
    def domain(self):
        return self.of.domain

    def fit(self, sample, coins):
        self._require(sample.domain)
        return Constant(self.domain, self.label).canonical()


LEARNERS = (
    Trainable(
        "always",
        "one label for all points",
        (Parameter.flag("label", "the label"),),
        lambda C, rows, label: Always(C, label),
    ),
)
"""


def test_a_learner_from_samples_of_an_installed_package_is_found(installed: Any) -> None:
    installed("toy_batch", TOY, (TRAINABLE, "always", "toy_batch:LEARNERS"))
    learner = TRAINABLE["always"].learner(C, label="true")
    check_batch_learner(learner)
    assert learner.fit(Sample(C.domain, []), SeededCoins(1))(0) == 1


def test_what_is_no_learner_from_samples_is_named(installed: Any) -> None:
    installed("toy_batch", "LEARNERS = 3", (TRAINABLE, "always", "toy_batch:LEARNERS"))
    with pytest.raises(InvalidInput, match=r"declared by a learners.batch.trainable.Trainable"):
        TRAINABLE["always"]
