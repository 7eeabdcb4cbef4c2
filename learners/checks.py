"""Checks of what every learner and every mechanism must satisfy, for those who write one.

They are to learners and mechanisms what `catalog.check_family` is to families: each raises an
`InvalidInput` that says in a sentence what is wrong. They look for mistakes on small inputs and
prove nothing beyond them.
"""

from __future__ import annotations

import pickle
import random
import warnings
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import fields, is_dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from learners.accounting import Event, basic
from learners.audit import HOLDS, VIOLATED, Finding
from learners.bounds import Bound
from learners.coins import Coins, SeededCoins
from learners.instances import Auditable, GameInstance, Instance
from learners.numbers import checked_positive, whole
from learners.pac.base import BatchLearner, FewRows
from learners.pac.distributions import UniformDistribution
from learners.pac.samples import Sample
from learners.pac.verdicts import Population
from learners.playing.adversaries import (
    NOTHING,
    Optimal,
    RandomConcept,
    Seeking,
    StreamAdversary,
)
from learners.playing.base.state import Prediction
from learners.playing.entries import Source, class_of
from learners.playing.learner import Deterministic, OnlineLearner, Playable, as_learner
from learners.playing.play import play
from learners.playing.transcript import verdicts
from lsclasses.domain import FiniteDomain
from lsclasses.errors import InvalidInput, NotRealizable, TooLarge
from lsclasses.hypothesis import Constant, Hypothesis
from lsclasses.online import OnlineState
from lsclasses.points import Label, Point, check_label

__all__ = [
    "check_batch_learner",
    "check_learner",
    "check_mechanism",
    "check_value",
    "no_other_randomness",
]

PROBES = 6
"""At so many points the predictions of two states are compared."""
ASKED = 8
"""So often is one state asked about one point before anything else: a fair coin that is not of the
coins is taken for a fixed prediction with probability 1/128 in a round."""
GAMES = 3
"""Games against each adversary that a bound is held against."""
REPEATS = 16
"""Seeds with which a mechanism is run twice."""
SAMPLES = 6
"""Samples of every kind that a learner from samples is given."""
ROWS = 40
"""How many rows samples have for a learner that is made for no number of them."""
LABELLED = 64
"""At so many points the labels of a hypothesis are looked at."""
TAIL = Fraction(1, 2**24)
RESOLUTION = Fraction(1, 10**5)
"""Where audits are cut: what follows from a mistake in a mechanism is far larger."""


# ---- online learners


def check_learner(learner: Playable, source: Source, *, rounds: int = 24, seed: int = 1) -> None:
    """Check that an online learner is what games, audits and private predictors rely on.

    It is played on streams that a concept of the class fits: random ones, and those of the
    adversaries `Seeking` and `Optimal`. On the way, every call is made twice, and

    * with the same coins it returns the same, and draws from no other generator;
    * no call changes a state that it was given: it still hashes and predicts as before;
    * states are equal by value; equal states hash equal and predict alike with the same coins;
    * no bound on mistakes is exceeded: neither ``bounds``, nor what a state states in
      ``mistake_bound`` of the rounds from there on;
    * ``privacy``, if it is stated, is an event of the ledger with a total.

    Parameters
    ----------
    learner : OnlineLearner, OnlineState or RandomizedSOA
        See `learners.playing.learner.as_learner`. A state is taken as the starting state.
    source : str or ConceptClass
        The class it learns, small, of finite Littlestone dimension.
    rounds : int
        Rounds of each game, at least 1; fewer if the learner is set up for fewer.
    seed : int
        Of all coins.

    Raises
    ------
    InvalidInput
        If something is wrong; the message says what.
    TooLarge
        If the class is too large for the optimal adversary.

    Examples
    --------
    >>> from learners.playing.base.halving import Halving
    >>> import catalog
    >>> C = catalog.build("thresholds:n=5")
    >>> check_learner(Halving(C), C)

    A learner that keeps its examples in one dictionary has no states:

    >>> from lsclasses.online import OnlineState
    >>> class Remembering(OnlineState):
    ...     def __init__(self): self.labels = {}
    ...     def _predict(self, x): return self.labels.get(x, 0)
    ...     def _observe(self, x, y): self.labels[x] = y; return self
    >>> check_learner(Remembering(), C)
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: Round 4: learning the label 1 of the point 2 changed the state \
that was given: at the point 2 it predicted 0 and predicts 1 now. Return a new state instead.
    """
    C = class_of(source)
    player = as_learner(learner)
    rounds = whole(rounds, "number of rounds")
    if rounds < 1:
        raise InvalidInput(f"The number of rounds must be at least 1. Got {rounds}.")
    if player.rounds is not None:
        rounds = min(rounds, player.rounds)
    if player.privacy is not None:
        _check_ledger(player, "learner")
    adversaries = (RandomConcept(C), RandomConcept(C, points="balanced"), Seeking(C), Optimal(C))
    seen: list[tuple[Any, Point]] = []
    for adversary in adversaries:
        try:
            with no_other_randomness("learner"):
                seen += _Walk(player, seed).along(adversary, rounds)
        except NotRealizable as error:
            raise InvalidInput(
                f"The learner refused a stream that a concept fits: {error}"
            ) from None
    _check_equal_states(player, seen, seed)
    for adversary in adversaries:
        _check_bounds(player, adversary, rounds, seed)


class _Walk:
    """One game in which every call is made twice, and every state is looked at before and after."""

    def __init__(self, player: OnlineLearner, seed: int) -> None:
        self._player, self._seed = player, seed

    def along(self, adversary: StreamAdversary, rounds: int) -> list[tuple[Any, Point]]:
        """The states, each with the point that it was asked about."""
        player, opponent = self._player, adversary.begin(SeededCoins(self._seed))
        points: list[Point] = []
        wrong: list[bool] = []
        promised: list[int | None] = []
        found: list[tuple[Any, Point]] = []
        state = self._state(player.start, "Starting")
        while state is not None and len(points) < rounds:
            posed = opponent.pose()
            if posed is None:
                break
            x, y = posed
            where = f"Round {len(points) + 1}: "
            self._require_determined(state, x, where)
            probes = list(dict.fromkeys((x, *reversed(points))))[:PROBES]
            with self._kept(state, probes, f"{where}predicting at the point {x!r}"):
                after, shown = self._predicted(state, x, where)
            if after is None and shown is None:
                break
            label, coin = _read(shown, where)
            found.append((state, x))
            promised.append(_promise(state) if isinstance(player, Deterministic) else None)
            if y is None:
                y = opponent.reveal(label, coin)
            points.append(x)
            wrong.append(label != y)
            if adversary.sees != NOTHING:
                opponent.hear(label, coin)
            if after is None:
                break
            act = f"{where}learning the label {y} of the point {x!r}"
            # What follows a prediction may be made for learning alone, so it is not asked again.
            number = _hash(after)
            with self._kept(state, probes, act):
                learned = self._state(partial(player.learn, after, x, y), act)
            if _hash(after) != number:
                raise InvalidInput(f"{act} {CHANGED}: it hashes otherwise now. {ANEW}")
            state = learned
        for number, promise in enumerate(promised):
            if promise is not None and sum(wrong[number:]) > promise:
                raise InvalidInput(
                    f"The mistake bound before round {number + 1} is {promise}, but the learner "
                    f"errs {sum(wrong[number:])} times from there on, on a stream that a concept "
                    f"fits: {adversary}, the points {points[: len(wrong)]}."
                )
        return found

    def _predicted(self, state: Any, x: Point, where: str) -> tuple[Any, Hashable]:
        (after, shown), (twin, _) = (_asked(self._player, state, x, self._seed) for _ in "ab")
        _require_equal(after, twin, f"{where}predicting at the point {x!r}")
        return after, shown

    def _require_determined(self, state: Any, x: Point, where: str) -> None:
        shown, *others = _answers(self._player, state, (x,) * ASKED, self._seed)
        for again in others:
            if shown != again:
                raise InvalidInput(
                    f"{where}asked again about the point {x!r} in one state, with the same coins, "
                    f"the learner predicted {_text(shown)} and then {_text(again)}. It must be "
                    "determined by its state and the coins."
                )

    def _state(self, step: Callable[[Coins], Any], act: str) -> Any:
        state, twin = step(SeededCoins(self._seed)), step(SeededCoins(self._seed))
        _require_equal(state, twin, act)
        return state

    @contextmanager
    def _kept(self, state: Any, probes: Sequence[Point], act: str) -> Iterator[None]:
        """Refuse that the state looks otherwise afterwards."""
        number = _hash(state)
        before = _answers(self._player, state, probes, self._seed)
        yield
        after = _answers(self._player, state, probes, self._seed)
        for x, old, new in zip(probes, before, after, strict=True):
            if old != new:
                raise InvalidInput(
                    f"{act} {CHANGED}: at the point {x!r} it predicted {_text(old)} and predicts "
                    f"{_text(new)} now. {ANEW}"
                )
        if _hash(state) != number:
            raise InvalidInput(f"{act} {CHANGED}: it hashes otherwise now. {ANEW}")


CHANGED = "changed the state that was given"
ANEW = "Return a new state instead."


def _read(shown: Any, where: str) -> tuple[Label, bool]:
    """The label and whether it is a coin."""
    try:
        if isinstance(shown, Prediction):
            return check_label(shown.label), shown.coin
        return check_label(shown), False
    except InvalidInput:
        raise InvalidInput(f"{where}the learner must predict 0 or 1. Got {shown!r}.") from None


def _text(shown: Hashable) -> str:
    if isinstance(shown, Prediction):
        return f"{shown.label} by a coin" if shown.coin else str(shown.label)
    return str(shown)


def _asked(player: OnlineLearner, state: Any, x: Point, seed: int) -> tuple[Any, Hashable]:
    answer = player.predict(state, x, SeededCoins(seed))
    if type(answer) is not tuple or len(answer) != 2:
        raise InvalidInput(f"A learner answers with a pair (state, prediction). Got {answer!r}.")
    return answer


def _answers(
    player: OnlineLearner, state: Any, points: Iterable[Point], seed: int
) -> list[Hashable]:
    return [_asked(player, state, x, seed)[1] for x in points]


def _promise(state: OnlineState) -> int | None:
    try:
        bound = state.mistake_bound
    except TooLarge:
        return None
    return None if bound is None else whole(bound, "mistake bound")


def _hash(thing: Any) -> int:
    try:
        return hash(thing)
    except TypeError as error:
        raise InvalidInput(
            f"A {type(thing).__name__} cannot be hashed ({error}), but states and mechanisms are "
            "compared and remembered by value. A frozen dataclass of hashable parts can be."
        ) from None


def _require_equal(one: Any, other: Any, act: str) -> None:
    """Refuse two results of one call that differ, or that are equal and hash otherwise."""
    if one != other:
        raise InvalidInput(
            f"{act} twice gave two results of type {type(one).__name__} that are not equal. They "
            "must be equal by value, as frozen dataclasses are, and all randomness must come from "
            "the coins."
        )
    if _hash(one) != _hash(other):
        raise InvalidInput(
            f"{act} twice gave two results of type {type(one).__name__} that are equal but have "
            "different hashes. Hash what is compared."
        )


def _check_equal_states(
    player: OnlineLearner, seen: Sequence[tuple[Any, Point]], seed: int
) -> None:
    """States that were reached on different ways and are equal hash equal and predict alike."""
    points = list(dict.fromkeys(x for _, x in seen))
    # Of each value the first state that was met, with its predictions.
    known: list[tuple[Any, list[Hashable]]] = []
    for state, _ in seen:
        equal = next((entry for entry in known if entry[0] == state), None)
        if equal is None:
            known.append((state, _answers(player, state, points, seed)))
            continue
        if equal[0] is state:
            continue
        if _hash(state) != _hash(equal[0]):
            raise InvalidInput(
                f"Two states of type {type(state).__name__} are equal but have different hashes. "
                "Hash what is compared."
            )
        for x, old, new in zip(
            points, equal[1], _answers(player, state, points, seed), strict=True
        ):
            if old != new:
                raise InvalidInput(
                    f"Two states of type {type(state).__name__} are equal, but at the point {x!r} "
                    f"one predicts {_text(old)} and the other {_text(new)}. Compare all that "
                    "predictions depend on."
                )


def _check_bounds(
    player: OnlineLearner, adversary: StreamAdversary, rounds: int, seed: int
) -> None:
    played = [play(player, adversary, rounds, SeededCoins(seed + i)) for i in range(GAMES)]
    for transcript in played:
        for violation in transcript.violations:
            raise InvalidInput(f"The learner breaks a bound that it states: {violation}.")
    for bound, verdict in verdicts(played):
        if verdict == VIOLATED:
            raise InvalidInput(
                f"The learner exceeds a bound that it states, {bound}, in too many of {GAMES} "
                f"games against an adversary: {adversary}."
            )


# ---- learners from samples


def check_batch_learner(
    learner: BatchLearner,
    audits: Auditable | Instance | Iterable[Auditable | Instance] = (),
    *,
    rows: int | None = None,
    seed: int = 1,
) -> None:
    """Check that a learner from samples is what the ledger, bounds and commands rely on.

    It learns small samples of random labels, and of labels that a concept of its class gives, and

    * with the same coins it finds the same, draws from no other generator, and is not changed;
    * what it finds is a `Hypothesis` on its domain that gives every point a label; if the learner
      is private, hypotheses that agree everywhere look alike, so that they show labels only
      (unless it says that it covers more, `BatchLearner.labels_only`);
    * if it calls itself consistent, it fits all rows wherever a concept does;
    * a sample of points of another domain is refused;
    * ``rows`` is a number of rows or None; ``bounds`` are `Bound`s, which nothing that it says of
      the number of rows leaves unmet at ``rows``, and none is exceeded more often than it may be
      on samples of that length;
    * ``privacy``, if it is stated, is an event of the ledger with a total, and the small instances
      that are declared beside it are about such learners and keep what is claimed.

    Parameters
    ----------
    learner : BatchLearner
        For a small class, if it is made for one.
    audits : Auditable, Instance, or several
        What is declared beside it; at least one, if it is private.
    rows : int, optional
        How many rows a sample has; if omitted, as many as the learner is made for, or 40.
    seed : int
        Of all coins.

    Raises
    ------
    InvalidInput
        If something is wrong; the message says what.

    Examples
    --------
    >>> import catalog
    >>> from learners.pac.generic import GenericLearner
    >>> from learners.pac.evidence.generic_instances import AUDITS
    >>> from learners.pac.plain import EmpiricalRiskMinimizer
    >>> C = catalog.build("thresholds:n=5")
    >>> check_batch_learner(EmpiricalRiskMinimizer(C))
    >>> check_batch_learner(GenericLearner(C, 1, Fraction(1, 4)), AUDITS)

    What learns from the last row alone must not call itself consistent:

    >>> class LastRow(BatchLearner):
    ...     consistent, domain, concept_class = True, C.domain, C
    ...     def fit(self, sample, coins):
    ...         self._require(sample.domain)
    ...         return Constant(C.domain, sample[-1][1] if len(sample) else 0).canonical()
    >>> check_batch_learner(LastRow())
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: LastRow calls itself consistent, but is wrong on 21 of 40 rows, \
which Concept('00011') fits.
    """
    name = type(learner).__name__
    if not isinstance(learner, BatchLearner):
        raise InvalidInput(
            f"A learner from samples is a learners.pac.base.BatchLearner. Got {learner!r}."
        )
    needed = learner.rows
    if needed is not None and (type(needed) is not int or needed < 1):
        raise InvalidInput(f"{name}.rows must be a positive integer or None. Got {needed!r}.")
    size = (needed or ROWS) if rows is None else checked_positive(rows, "number of rows")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FewRows)
        _check_found(learner, size, seed)
        _check_other_domain(learner)
        _check_batch_bounds(learner, size, seed)
    listed = (audits,) if isinstance(audits, Auditable | Instance) else tuple(audits)
    if learner.privacy is not None:
        _check_ledger(learner, "learner")
        _check_audits_of(name, listed)
        check_mechanism(listed)
    elif listed:
        raise InvalidInput(f"{name} states no privacy, so there is nothing to audit.")


def _check_found(learner: BatchLearner, size: int, seed: int) -> None:
    fitted, coins = _Fitted(learner, seed), SeededCoins(seed)
    for target in _targets(learner):
        uniform = UniformDistribution(learner.domain, target)
        for distribution in (uniform, uniform.noisy(Fraction(1, 2))):
            for _ in range(SAMPLES):
                fitted.on(distribution.sample(size, coins), target, distribution is uniform)


class _Fitted:
    """A learner on samples: every call is made twice, and what is found is looked at."""

    def __init__(self, learner: BatchLearner, seed: int) -> None:
        self._learner, self._seed = learner, seed
        self._name = type(learner).__name__
        self._found: dict[tuple[Label, ...], str] = {}
        domain = learner.domain
        self._points = [
            domain.point(i)
            for i in range(LABELLED if domain.size is None else min(LABELLED, domain.size))
        ]
        self._all = domain.size is not None and domain.size <= LABELLED

    def on(self, sample: Sample, target: Hypothesis, realizable: bool) -> None:
        """Learn one sample; it is realizable if the target gave the labels."""
        learner, name = self._learner, self._name
        before = deepcopy(learner)
        with no_other_randomness("learner"):
            found, twin = (learner.fit(sample, SeededCoins(self._seed)) for _ in "ab")
        if type(learner).__eq__ is not object.__eq__ and learner != before:
            raise InvalidInput(f"Learning changed {name}. What it finds belongs into a hypothesis.")
        if not isinstance(found, Hypothesis) or found.domain != learner.domain:
            raise InvalidInput(
                f"{name} must find a Hypothesis on {learner.domain.describe()}. Got {found!r}."
            )
        labels, again = (self._labels(h) for h in (found, twin))
        if labels != again or str(found) != str(twin):
            raise InvalidInput(
                f"With the same coins, {name} found {found} and then {twin} for one sample. All "
                "randomness must come from the coins."
            )
        if self._all and learner.labels_only and learner.privacy is not None:
            text = self._found.setdefault(labels, str(found))
            if text != str(found):
                raise InvalidInput(
                    f"{name} found {text} and {found}, which agree everywhere but look different: "
                    "what is seen of a private hypothesis are its labels, and nothing else. "
                    "Return `canonical()`, or set labels_only = False if privacy covers the form."
                )
        if learner.consistent and realizable and (wrong := sample.errors(found)):
            raise InvalidInput(
                f"{name} calls itself consistent, but is wrong on {wrong} of {len(sample)} rows, "
                f"which {target} fits."
            )

    def _labels(self, h: Hypothesis) -> tuple[Label, ...]:
        labels = []
        for x in self._points:
            try:
                labels.append(check_label(h(x)))
            except Exception as error:
                raise InvalidInput(
                    f"What {self._name} finds must label every point with 0 or 1. At {x!r}: {error}"
                ) from None
        return tuple(labels)


def _targets(learner: BatchLearner) -> list[Hypothesis]:
    """Some concepts of the learner's class; constants, if it is made for none."""
    C = learner.concept_class
    if C is None:
        return [Constant(learner.domain, label) for label in (0, 1)]
    concepts = C.to_table()
    chosen = {0, len(concepts) // 2, len(concepts) - 1}
    return [concepts[i].canonical() for i in sorted(chosen)]


def _check_other_domain(learner: BatchLearner) -> None:
    other = FiniteDomain(("no point of the learner",))
    try:
        learner.fit(Sample(other, [(other[0], 1)]), SeededCoins(0))
    except InvalidInput:
        return
    except Exception as error:
        refused = f"raised {error!r}"
    else:
        refused = "learned it"
    raise InvalidInput(
        f"A sample of points of another domain must be refused with InvalidInput. "
        f"{type(learner).__name__} {refused}."
    )


def _check_batch_bounds(learner: BatchLearner, size: int, seed: int) -> None:
    name = type(learner).__name__
    stated = learner.bounds()
    if not all(isinstance(bound, Bound) for bound in stated):
        raise InvalidInput(f"What is proved of {name} are objects of the class Bound. {stated!r}")
    C, coins = learner.concept_class, SeededCoins(seed)
    for target in _targets(learner):
        population = Population(UniformDistribution(learner.domain, target), Fraction(0))
        samples = [population.distribution.sample(size, coins) for _ in range(SAMPLES)]
        found = [learner.fit(sample, coins) for sample in samples]
        for bound in population.bounds(learner, size):
            values = [
                population.measured(bound.quantity, h, sample, C)
                for h, sample in zip(found, samples, strict=True)
            ]
            seen = [value for value in values if value is not None]
            if seen and population.verdict(bound, seen) == VIOLATED:
                raise InvalidInput(
                    f"{name} exceeds a bound that it states, {bound}, on {len(seen)} samples of "
                    f"{size} rows that {target} labels: {', '.join(map(str, seen))}."
                )


def _check_audits_of(name: str, audits: Sequence[Auditable | Instance]) -> None:
    for entry in audits:
        built = entry.instance() if isinstance(entry, Auditable) else entry
        if type(built.mechanism).__name__ != name:
            raise InvalidInput(
                f"The instances must be ones of {name}. "
                f"Got one of {type(built.mechanism).__name__}."
            )


# ---- mechanisms


def check_mechanism(
    audits: Auditable | Instance | GameInstance | Iterable[Auditable | Instance | GameInstance],
    *,
    tail: Fraction = TAIL,
    resolution: Fraction = RESOLUTION,
) -> tuple[Finding, ...]:
    """Check that a mechanism is what the ledger, audits and states rely on.

    On each small instance that is declared beside it,

    * what it costs is stated: ``privacy`` is an event of the ledger with a total, and the instance
      claims no more of it than the mechanism states;
    * it is a value: built twice with the same parameters, it is equal and hashes equal; its
      parameters cannot be set, and running it does not change it;
    * with the same coins it releases the same, and draws from no other generator;
    * its exact output laws on all neighbouring inputs of the instance keep the claim.

    Parameters
    ----------
    audits : Auditable, Instance, or several
        Such as the ``AUDITS`` of its module. Parameters are at their defaults.
    tail, resolution : Fraction
        As in `learners.audit.audit`.

    Returns
    -------
    tuple of Finding
        What was audited, one for each instance: how much of the claim is used there, and where.

    Raises
    ------
    InvalidInput
        If something is wrong; the message says what.
    TooLarge
        If an instance is too large to be enumerated.

    Examples
    --------
    >>> from learners.auditable import instance
    >>> from learners.instances import Instance
    >>> good = instance("discrete_laplace")
    >>> (found,) = check_mechanism(good)
    >>> found.verdict, round(float(found.least_epsilon), 6)
    ('holds exactly on this instance', 0.5)

    With half of the noise that the claim needs:

    >>> def run(count, coins): return count + coins.laplace(Fraction(1, 2))
    >>> check_mechanism(Instance(good.mechanism, lambda mechanism: run, good.pairs, good.privacy))
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: DiscreteLaplace is not as private as it states: for the \
neighbours 0 and 1, delta(1/2) is 0.684, and (epsilon, delta) = (1/2, 0) is claimed.
    """
    return tuple(_audited(built, tail, resolution) for built in _checked_values(audits))


def check_value(
    audits: Auditable | Instance | GameInstance | Iterable[Auditable | Instance | GameInstance],
) -> None:
    """Check what `check_mechanism` does, but for the output laws, which may take long.

    Raises
    ------
    InvalidInput
        If something is wrong; the message says what.

    Examples
    --------
    >>> from learners.auditable import AUDITABLE
    >>> check_value(AUDITABLE["discrete_laplace"])
    """
    for _ in _checked_values(audits):
        pass


def _checked_values(
    audits: Auditable | Instance | GameInstance | Iterable[Auditable | Instance | GameInstance],
) -> Iterator[Instance | GameInstance]:
    """The instances, each checked to be of a mechanism that is a value and draws by its coins."""
    entries = (
        (audits,) if isinstance(audits, Auditable | Instance | GameInstance) else tuple(audits)
    )
    if not entries:
        raise InvalidInput("A mechanism needs at least one small instance to be audited on.")
    for entry in entries:
        if isinstance(entry, Auditable):
            built, twin = (entry.instance() for _ in "ab")
            _require_equal(built.mechanism, twin.mechanism, f"Building {entry.name!r}")
        elif isinstance(entry, Instance | GameInstance):
            built = entry
        else:
            raise InvalidInput(
                "A mechanism is checked on what is declared beside it, an Auditable or an "
                f"Instance. Got {entry!r}."
            )
        _check_value(built)
        yield built


def _check_value(built: Instance | GameInstance) -> None:
    mechanism, name = built.mechanism, type(built.mechanism).__name__
    claimed = _check_event(built.privacy, f"The instance of {name}")
    # What a column or a feature costs depends on where it is used: then `privacy` is a method.
    if not callable(getattr(mechanism, "privacy", None)):
        stated = _check_ledger(mechanism, "mechanism")
        if claimed[0] > stated[0] or claimed[1] > stated[1]:
            raise InvalidInput(
                f"The instance of {name} claims (epsilon, delta) = {_pair(claimed)}, which is "
                f"weaker than what the mechanism states, {_pair(stated)}."
            )
    if not built.inputs:
        raise InvalidInput(f"The instance of {name} has no neighbouring inputs to compare.")
    _check_frozen(mechanism, name)
    with _unchanged(mechanism):
        for data in built.inputs:
            _check_repeated(built, data, name)


def _audited(built: Instance | GameInstance, tail: Fraction, resolution: Fraction) -> Finding:
    with _unchanged(built.mechanism):
        found = built.audit(tail=tail, resolution=resolution)
    if found.verdict != HOLDS:
        zero, one = found.pair
        measured = found.measured.str(3, radius=False)
        said = "is not as private as it states" if found.verdict == VIOLATED else "is undecided"
        raise InvalidInput(
            f"{type(built.mechanism).__name__} {said}: for the neighbours {zero!r} and {one!r}, "
            f"delta({found.epsilon}) is {measured}, and (epsilon, delta) = "
            f"{_pair(basic(built.privacy))} is claimed."
        )
    return found


@contextmanager
def _unchanged(mechanism: Any) -> Iterator[None]:
    """Refuse what changes a mechanism, or draws from the global generators."""
    name = type(mechanism).__name__
    number, snapshot = _hash(mechanism), deepcopy(mechanism)
    _require_equal(mechanism, snapshot, f"Copying {name}")
    with no_other_randomness("mechanism"):
        yield
    if _hash(mechanism) != number or mechanism != snapshot:
        raise InvalidInput(
            f"Running {name} changed it. What changes during a run belongs into a state that is "
            "handed in and out."
        )


def _check_repeated(built: Instance | GameInstance, data: Any, name: str) -> None:
    for seed in range(REPEATS):
        released = [built.run(data, SeededCoins(seed)) for _ in "ab"]
        if released[0] != released[1]:
            raise InvalidInput(
                f"Run twice on {data!r} with the same coins, {name} released {released[0]!r} and "
                f"{released[1]!r}. All randomness must come from the coins."
            )
        _hash(released[0])


def _check_frozen(mechanism: Any, name: str) -> None:
    if is_dataclass(mechanism):
        names = [entry.name for entry in fields(mechanism)]
    else:
        names = list(getattr(mechanism, "__dict__", ()))
    for parameter in names:
        try:
            setattr(mechanism, parameter, getattr(mechanism, parameter))
        except AttributeError:
            continue
        raise InvalidInput(
            f"{name}.{parameter} can be set after the mechanism was made, and its ledger with it. "
            "Make it a frozen dataclass."
        )


# ---- both


def _pair(claim: tuple[Fraction, Fraction]) -> str:
    return f"({claim[0]}, {claim[1]})"


def _check_ledger(thing: Any, noun: str) -> tuple[Fraction, Fraction]:
    name = type(thing).__name__
    return _check_event(getattr(thing, "privacy", None), f"The {noun} {name}")


def _check_event(event: Any, owner: str) -> tuple[Fraction, Fraction]:
    if not isinstance(event, Event):
        raise InvalidInput(
            f"{owner} must state in `privacy` what it costs, as an event of the ledger "
            f"(learners.accounting). Got {event!r}."
        )
    epsilon, delta = basic(event)
    if delta >= 1:
        raise InvalidInput(f"{owner} states a delta of {delta}; from 1 on, nothing is promised.")
    return epsilon, delta


@contextmanager
def no_other_randomness(noun: str) -> Iterator[None]:
    """Refuse draws from the global generators of Python and NumPy."""
    before = _global_generators()
    try:
        yield
    finally:
        # Where something else is wrong, this is why.
        if _global_generators() != before:
            raise InvalidInput(
                f"The {noun} draws from a global random number generator. All randomness must "
                "come from the coins that it is given."
            ) from None


def _global_generators() -> tuple[Hashable, ...]:
    state = np.random.get_state()  # noqa: NPY002 - whether others use it is the question
    return random.getstate(), pickle.dumps(state)
