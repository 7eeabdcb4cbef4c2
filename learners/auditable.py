"""Small instances on which the mechanisms can be audited by name.

A specification such as ``above_threshold:epsilon=1/2,queries=4`` names a mechanism, its parameters
and the size of its input space. `instance` builds the mechanism, all its inputs of that size and
their neighbouring pairs. The registry is what ``lsclasses audit`` lists.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from typing import Any

from learners.accounting import NEIGHBOURS, Event
from learners.audit import neighbouring_pairs
from learners.coins import Coins
from lsclasses.errors import InvalidInput
from lsclasses.numbers import parsed
from lsclasses.points import nearest

__all__ = ["AUDITABLE", "Auditable", "Instance", "instance"]

LETTERS = "abcdefgh"


@dataclass(frozen=True)
class Instance:
    """A mechanism with parameters, how it runs, and the neighbouring inputs to compare.

    Attributes
    ----------
    mechanism : object
    run : callable
        ``run(data, coins)`` returns what is released.
    pairs : tuple
        The neighbouring inputs.
    privacy : Event
        What the mechanism claims.
    """

    mechanism: Any
    run: Callable[[Any, Coins], Hashable]
    pairs: tuple[tuple[Any, Any], ...]
    privacy: Event


@dataclass(frozen=True)
class Auditable:
    """How one mechanism is audited.

    Attributes
    ----------
    name, title : str
    parameters : mapping
        The defaults, by name.
    build : callable
        Takes the parameters by name and returns an `Instance`.
    """

    name: str
    title: str
    parameters: Mapping[str, Fraction]
    build: Callable[..., Instance]

    def usage(self) -> str:
        """The specification with its defaults."""
        return self.name + ":" + ",".join(f"{k}={v}" for k, v in self.parameters.items())


def _whole(value: Fraction, name: str, least: int, most: int) -> int:
    if value.denominator != 1 or not least <= value <= most:
        raise InvalidInput(
            f"The parameter {name!r} must be an integer from {least} to {most}. Got {value}."
        )
    return int(value)


def _discrete_laplace(epsilon: Fraction, sensitivity: Fraction) -> Instance:
    from learners.mechanisms.noise import DiscreteLaplace

    reach = _whole(sensitivity, "sensitivity", 1, 16)
    mechanism = DiscreteLaplace(epsilon, reach)
    pairs = tuple((0, count) for count in range(1, reach + 1))
    return Instance(mechanism, mechanism.release, pairs, mechanism.privacy)


def _randomized_response(epsilon: Fraction, answers: Fraction) -> Instance:
    from learners.mechanisms.randomized_response import RandomizedResponse

    count = _whole(answers, "answers", 2, 64)
    mechanism = RandomizedResponse(epsilon, count)
    pairs = tuple(combinations(range(count), 2))
    return Instance(mechanism, mechanism.report, pairs, mechanism.privacy)


def _selection(name: str) -> Callable[..., Instance]:
    def build(epsilon: Fraction, candidates: Fraction, scores: Fraction) -> Instance:
        from learners.mechanisms import selection

        kinds: dict[str, Any] = {
            "exponential_mechanism": selection.ExponentialMechanism,
            "report_noisy_max": selection.ReportNoisyMax,
            "permute_and_flip": selection.PermuteAndFlip,
        }
        mechanism = kinds[name](epsilon)
        count, top = _whole(candidates, "candidates", 1, 4), _whole(scores, "scores", 1, 8)
        tables = product(range(top + 1), repeat=count)
        pairs = tuple(
            (zero, one)
            for zero, one in combinations(tables, 2)
            if all(abs(x - y) <= 1 for x, y in zip(zero, one, strict=True))
        )
        return Instance(mechanism, mechanism.choose, pairs, mechanism.privacy)

    return build


def _histogram(name: str) -> Callable[..., Instance]:
    def build(epsilon: Fraction, delta: Fraction, items: Fraction, people: Fraction) -> Instance:
        from learners.mechanisms import histograms

        kinds: dict[str, Any] = {
            "stable_histogram": histograms.StableHistogram,
            "bounded_histogram": histograms.BoundedHistogram,
        }
        mechanism = kinds[name](epsilon, delta)
        letters = LETTERS[: _whole(items, "items", 1, len(LETTERS))]
        size = _whole(people, "people", 1, 64)
        # Only counts matter, so data sets are sorted: the pairs are those of multisets.
        data = dict.fromkeys(tuple(sorted(each)) for each in product(letters, repeat=size))
        pairs = tuple(
            (zero, one) for zero, one in combinations(data, 2) if _exchanged(zero, one) == 1
        )
        return Instance(
            mechanism,
            lambda data, coins: mechanism.release(data, coins, key=ord),
            pairs,
            mechanism.privacy,
        )

    return build


def _exchanged(zero: Iterable[Hashable], one: Iterable[Hashable]) -> int:
    """How many items of one multiset are missing in the other."""
    left = list(one)
    missing = 0
    for item in zero:
        if item in left:
            left.remove(item)
        else:
            missing += 1
    return missing


def _numbers(count: int) -> tuple[tuple[Any, Any], ...]:
    """Pairs of sequences of which every number may differ by one."""
    return tuple(combinations(product((0, 1), repeat=count), 2))


def _above_threshold(epsilon: Fraction, threshold: Fraction, queries: Fraction) -> Instance:
    from learners.mechanisms.sparse_vector import AboveThreshold

    mechanism = AboveThreshold(epsilon, _whole(threshold, "threshold", -(10**6), 10**6))
    pairs = _numbers(_whole(queries, "queries", 1, 8))
    return Instance(mechanism, mechanism.answers, pairs, mechanism.privacy)


def _sparse(
    epsilon: Fraction, reports: Fraction, threshold: Fraction, queries: Fraction
) -> Instance:
    from learners.mechanisms.sparse_vector import Sparse

    mechanism = Sparse(
        epsilon,
        _whole(reports, "reports", 1, 3),
        _whole(threshold, "threshold", -(10**6), 10**6),
    )
    pairs = _numbers(_whole(queries, "queries", 1, 5))
    return Instance(mechanism, mechanism.answers, pairs, mechanism.privacy)


def _fresh_noise_threshold(
    epsilon: Fraction, delta: Fraction, reports: Fraction, threshold: Fraction, queries: Fraction
) -> Instance:
    from learners.mechanisms.fresh_noise import FreshNoiseThreshold

    mechanism = FreshNoiseThreshold(
        epsilon,
        delta,
        _whole(reports, "reports", 1, 8),
        _whole(threshold, "threshold", -(10**6), 10**6),
    )
    pairs = _numbers(_whole(queries, "queries", 1, 8))
    return Instance(mechanism, mechanism.answers, pairs, mechanism.privacy)


def _streams(rounds: Fraction, most: int) -> tuple[tuple[Any, Any], ...]:
    count = _whole(rounds, "rounds", 1, most)
    return tuple(neighbouring_pairs(product((0, 1), repeat=count)))


def _cumulative_above_threshold(
    epsilon: Fraction, threshold: Fraction, rounds: Fraction
) -> Instance:
    from learners.mechanisms.sparse_vector import CumulativeAboveThreshold

    mechanism = CumulativeAboveThreshold(epsilon, _whole(threshold, "threshold", -(10**6), 10**6))
    return Instance(mechanism, mechanism.answers, _streams(rounds, 8), mechanism.privacy)


def _tree_counter(epsilon: Fraction, rounds: Fraction) -> Instance:
    from learners.mechanisms.counter import TreeCounter

    mechanism = TreeCounter(epsilon, _whole(rounds, "rounds", 1, 3))
    return Instance(mechanism, mechanism.answers, _streams(rounds, 3), mechanism.privacy)


def _greedy_cover(
    epsilon: Fraction, delta: Fraction, features: Fraction, rows: Fraction, add_remove: Fraction
) -> Instance:
    import numpy as np

    from learners.boolean import GreedyCover, PackedFeatures

    count, size = _whole(features, "features", 1, 2), _whole(rows, "rows", 1, 6)
    changed = _whole(add_remove, "add_remove", 0, 1)
    mechanism = GreedyCover(epsilon, delta, NEIGHBOURS[changed])
    kinds = list(product((0, 1), repeat=count + 1))

    def run(data: tuple[tuple[int, ...], ...], coins: Coins) -> Hashable:
        table = np.array(data, dtype=int).reshape(len(data), count + 1)
        packed = PackedFeatures.from_matrix(table[:, :-1])
        found = mechanism.fit(packed, table[:, -1], coins, accuracy=None)
        return found.text().replace("\n", ", ")

    pairs = _neighbouring_tables(kinds, size, mechanism.neighbours)
    return Instance(mechanism, run, pairs, mechanism.privacy)


def _private_cuts(
    epsilon: Fraction, grid: Fraction, count: Fraction, rows: Fraction, add_remove: Fraction
) -> Instance:
    from learners.estimators.fitted_columns import PrivateCuts
    from learners.estimators.tables import as_records

    steps = _whole(grid, "grid", 2, 5)
    neighbours = NEIGHBOURS[_whole(add_remove, "add_remove", 0, 1)]
    chosen = _whole(count, "count", 1, 2)
    column = PrivateCuts(Fraction(0), Fraction(steps), steps, chosen, epsilon)

    def run(values: tuple[int, ...], coins: Coins) -> Hashable:
        table = as_records([[value] for value in values], ["x"])
        return column.fitted(table, "x", neighbours, coins).points

    pairs = _neighbouring_tables(range(steps), _whole(rows, "rows", 1, 6), neighbours)
    return Instance(column, run, pairs, column.privacy("x", neighbours))


def _neighbouring_tables(kinds: Sequence[Any], size: int, neighbours: str) -> tuple[Any, ...]:
    """Neighbouring tables of rows of some kinds, of which only how often each occurs matters."""
    tables = {n: list(combinations_with_replacement(kinds, n)) for n in range(size + 1)}
    if neighbours == "add_remove":
        return tuple(
            (data, tuple(sorted((*data, row))))
            for n in range(size)
            for data in tables[n]
            for row in kinds
        )
    return tuple(
        (zero, one) for zero, one in combinations(tables[size], 2) if _exchanged(zero, one) == 1
    )


def _dp_winnow(
    *,
    rate: Fraction,
    updates: Fraction,
    draws: Fraction,
    batch: Fraction,
    threshold: Fraction,
    epsilon: Fraction,
    features: Fraction,
    rounds: Fraction,
) -> Instance:
    import numpy as np

    from learners.online.dp_winnow import DPWinnow
    from learners.online.features import Literals

    count = _whole(features, "features", 1, 2)
    mechanism = DPWinnow(
        Literals(count),
        rate,
        _whole(updates, "updates", 1, 2),
        _whole(draws, "draws", 1, 3),
        _whole(threshold, "threshold", -(10**6), 10**6),
        epsilon,
        _whole(batch, "batch", 1, 4),
        bias=False,
    )

    def run(data: tuple[tuple[int, ...], ...], coins: Coins) -> Hashable:
        table = np.array(data)
        found = mechanism.run(table[:, :-1], table[:, -1], coins)
        return tuple((phase.start, tuple(phase.votes.array.tolist())) for phase in found.phases)

    examples = product((0, 1), repeat=count + 1)
    streams = product(examples, repeat=_whole(rounds, "rounds", 1, 3))
    return Instance(mechanism, run, tuple(neighbouring_pairs(streams)), mechanism.privacy)


HIDDEN = "hidden"
HALTED = "halted"
FAR = 100
"""A question whose number is so far from the threshold stands for the challenge."""


def _challenge_at(
    *,
    epsilon: Fraction,
    delta: Fraction,
    reports: Fraction,
    threshold: Fraction,
    queries: Fraction,
    tree: Fraction,
) -> Instance:
    from learners.mechanisms.challenge_at import ChallengeAT

    count = _whole(queries, "queries", 1, 4)
    mechanism = ChallengeAT(
        epsilon * Fraction(3, 4),
        delta * Fraction(7, 8),
        _whole(reports, "reports", 1, 8),
        _whole(threshold, "threshold", -9, 9),
        epsilon / 4,
        delta / 8,
        count,
        "tree" if _whole(tree, "tree", 0, 1) else "cumulative",
    )

    def run(numbers: tuple[int, ...], coins: Coins) -> Hashable:
        state, shown = mechanism.start(coins), []
        for number in numbers:
            answer, state = state.ask(number, coins)
            shown.append(HIDDEN if abs(number) == FAR else str(answer))
            if state.halted:
                # Seen after the last question, too.
                return (*shown, HALTED)
        return tuple(shown)

    pairs = tuple(
        ((*zero[:at], -FAR, *zero[at:]), (*one[:at], FAR, *one[at:]))
        for zero, one in product(product((0, 1), repeat=count - 1), repeat=2)
        for at in range(count)
    )
    return Instance(mechanism, run, pairs, mechanism.privacy)


def _pop(
    *,
    copies: Fraction,
    rounds: Fraction,
    scale: Fraction,
    points: Fraction,
    halting: Fraction,
    reports: Fraction,
) -> Instance:
    from learners.online.pop import POP
    from learners.online.pop_parameters import POPParameters
    from lsclasses.soa import SOA
    from lsclasses.table import Table

    count, size = _whole(rounds, "rounds", 1, 4), _whole(points, "points", 1, 2)
    if scale <= 0:
        raise InvalidInput(f"The parameter 'scale' must be positive. Got {scale}.")
    parameters = POPParameters(
        _whole(copies, "copies", 1, 8),
        _whole(reports, "reports", 1, 8),
        count,
        count / scale,
        Fraction(0),
        halting,
        Fraction(0),
        Fraction(0),
        halting="cumulative" if halting else "never",
        raise_delta=True,
    )
    everything = Table([list(labels) for labels in product((0, 1), repeat=size)])
    learner = POP(SOA(everything), parameters)

    def run(data: tuple[tuple[tuple[int, int], ...], int], coins: Coins) -> Hashable:
        stream, challenge = data
        state, shown = learner.start(coins), []
        for number, (x, y) in enumerate(stream, 1):
            after, predicted = learner.predict(state, x, coins)
            label = f"coin {predicted.label}" if predicted.coin else str(predicted.label)
            shown.append(HIDDEN if number == challenge else label)
            if after is None:
                # Seen after the last round, too; what is learned there is not.
                return (*shown, HALTED)
            if number < len(stream):
                state = learner.learn(after, x, y, coins)
        return tuple(shown)

    examples = tuple(product(range(size), (0, 1)))
    pairs = tuple(
        (((*rest[:at], zero, *rest[at:]), at + 1), ((*rest[:at], one, *rest[at:]), at + 1))
        for rest in product(examples, repeat=count - 1)
        for at in range(count)
        for zero, one in combinations(examples, 2)
    )
    return Instance(learner, run, pairs, learner.privacy)


def _entry(
    name: str, title: str, build: Callable[..., Instance], **parameters: str | int
) -> Auditable:
    return Auditable(name, title, {k: Fraction(v) for k, v in parameters.items()}, build)


AUDITABLE: dict[str, Auditable] = {
    entry.name: entry
    for entry in (
        _entry(
            "discrete_laplace",
            "discrete Laplace noise on a count",
            _discrete_laplace,
            epsilon=1,
            sensitivity=1,
        ),
        _entry(
            "randomized_response",
            "one of several answers, mostly the true one",
            _randomized_response,
            epsilon=1,
            answers=2,
        ),
        *(
            _entry(name, title, _selection(name), epsilon=1, candidates=2, scores=2)
            for name, title in (
                ("exponential_mechanism", "a candidate by its exponential weight"),
                ("report_noisy_max", "the candidate with the largest noisy score"),
                ("permute_and_flip", "a candidate that passes its coin"),
            )
        ),
        *(
            _entry(name, title, _histogram(name), epsilon=1, delta="1/100", items=2, people=2)
            for name, title in (
                ("stable_histogram", "noisy counts that reach a threshold"),
                ("bounded_histogram", "noisy counts with a sure error"),
            )
        ),
        _entry(
            "above_threshold",
            "the first number above a threshold; all numbers may differ",
            _above_threshold,
            epsilon=1,
            threshold=1,
            queries=3,
        ),
        _entry(
            "cumulative_above_threshold",
            "the first time the count of a stream reaches a threshold",
            _cumulative_above_threshold,
            epsilon=1,
            threshold=1,
            rounds=3,
        ),
        _entry(
            "sparse",
            "several numbers above a threshold, at epsilon each; all numbers may differ",
            _sparse,
            epsilon=2,
            reports=2,
            threshold=1,
            queries=2,
        ),
        _entry(
            "fresh_noise_threshold",
            "reports above a threshold that has no noise",
            _fresh_noise_threshold,
            epsilon=1,
            delta="1/100",
            reports=1,
            threshold=1,
            queries=4,
        ),
        _entry(
            "greedy_cover",
            "a decision list from a table of features and labels; rows replaced, or added",
            _greedy_cover,
            epsilon=1,
            delta="1/10",
            features=1,
            rows=4,
            add_remove=0,
        ),
        _entry(
            "private_cuts",
            "cut points of a numeric column, chosen from a grid; rows replaced, or added",
            _private_cuts,
            epsilon=1,
            grid=4,
            count=1,
            rows=4,
            add_remove=0,
        ),
        _entry(
            "dp_winnow",
            "the hypotheses of the private Winnow, and when they change",
            _dp_winnow,
            rate="1/2",
            updates=1,
            draws=1,
            batch=1,
            threshold=1,
            epsilon=2,
            features=1,
            rounds=2,
        ),
        _entry(
            "challenge_at",
            "reports above a threshold; one question in two versions, its answer hidden",
            _challenge_at,
            epsilon=1,
            delta="1/100",
            reports=1,
            threshold=1,
            queries=3,
            tree=0,
        ),
        _entry(
            "pop",
            "predictions of noisy majorities; one user's example differs, its prediction hidden",
            _pop,
            copies=3,
            rounds=3,
            scale="1/2",
            points=1,
            halting=0,
            reports=1,
        ),
        _entry("tree_counter", "noisy counts after every bit", _tree_counter, epsilon=1, rounds=2),
    )
}
"""The mechanisms that can be audited by name."""


def instance(specification: str) -> Instance:
    """The instance that a specification names.

    Parameters
    ----------
    specification : str
        ``name`` or ``name:parameter=value,...``; values are fractions or decimals.

    Raises
    ------
    InvalidInput
        If there is no such mechanism or parameter, or a value is out of range.

    Examples
    --------
    >>> from learners.audit import audit
    >>> built = instance("randomized_response:epsilon=0.5,answers=3")
    >>> len(built.pairs), built.privacy.epsilon
    (3, Fraction(1, 2))
    >>> audit(built.run, built.pairs, built.privacy).verdict
    'holds exactly on this instance'
    """
    name, _, listed = specification.partition(":")
    if name not in AUDITABLE:
        raise InvalidInput(f"There is no mechanism {name!r} to audit. {nearest(name, AUDITABLE)}")
    entry = AUDITABLE[name]
    given = dict(entry.parameters)
    for part in filter(None, listed.split(",")):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or key not in given:
            raise InvalidInput(
                f"A parameter of {name} is written as in {entry.usage()}. Got {part!r}."
            )
        given[key] = parsed(value, f"parameter {key!r}")
    return entry.build(**given)
