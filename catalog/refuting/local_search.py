"""Local search for counterexamples among classes with structure on six to ten points.

The search draws classes (`catalog.refuting.structured_search`). It keeps the class of each kind on
which a statement is closest to being false. Then it changes these classes concept by concept. A
statement can contain the mistakes in the best or in the worst order. In this case, the search
counts the orders of the points that attain the best or the worst value, and it prefers classes with
fewer such orders.

`lsclasses.dimensions.queries` computes the mistakes in the best and in the worst order. A local
search needs a finer measure, because the worst order changes only after every order that forces
many mistakes has disappeared. So this module computes the mistakes in every order, or in a sample
of the orders. Classes are arrays of truth values as in `catalog.refuting.structured_search`.
"""

from __future__ import annotations

import math
import time
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache, partial
from typing import Any

import numpy as np

from catalog.refuting.hunt import EvaluatedClass, trial
from catalog.refuting.statement import Statement
from catalog.refuting.structured_search import (
    KINDS,
    Members,
    change,
    members_of_table,
    move,
    table_of_members,
)
from lsclasses.dimensions.expressions import Quantity
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.limits import Limit
from lsclasses.results_file import ResultsFile
from lsclasses.table import Table

# ---- order costs


MOST_POINTS = 10
"""Largest number of points on which all orders are compared."""
EXACT_POINTS = 8
"""Largest number of points for which a sample of orders contains every order."""
SAMPLE = 1536
"""Largest number of orders in a sample that does not contain all orders."""


def _paid(zeros: np.ndarray, ones: np.ndarray) -> np.ndarray:
    """Return the mistakes before a label is known, as `lsclasses.dimensions.queries.paid` does."""
    cost: np.ndarray = np.maximum(zeros, ones)
    cost += (zeros == ones) & (zeros >= 0)
    return cost


def all_order_costs(members: np.ndarray) -> np.ndarray:
    """Return the number of forced mistakes in every order of the points, as in `all_orders`.

    Orders that end in the same points share the computation for these points.

    Parameters
    ----------
    members : numpy.ndarray
        Whether the class contains each of the 2**n concepts on n points.

    Examples
    --------
    On three points, the thresholds cost 1 mistake in the best order and 2 in the worst order.

    >>> members = np.isin(np.arange(8), [0b000, 0b001, 0b011, 0b111])
    >>> all_order_costs(members).tolist()
    [1, 1, 2, 2, 1, 1]
    """
    costs = np.where(members, 0, -1).astype(np.int8)[None]
    for points in range(len(members).bit_length() - 1, 0, -1):
        longer = []
        for place in range(points):
            halves = costs.reshape(len(costs), -1, 2, 1 << place)
            cost = _paid(halves[:, :, 0], halves[:, :, 1])
            longer.append(cost.reshape(len(costs), -1))
        costs = np.concatenate(longer)
    return costs[:, 0]


@cache
def all_orders(points: int) -> np.ndarray:
    """Return all orders of the points, one in each row.

    Examples
    --------
    >>> all_orders(3).tolist()
    [[2, 1, 0], [2, 0, 1], [1, 0, 2], [1, 2, 0], [0, 2, 1], [0, 1, 2]]
    """
    last = np.zeros((1, 0), dtype=np.int8)
    rest = np.arange(points, dtype=np.int8)[None]
    for count in range(points, 0, -1):
        last = np.concatenate([np.hstack([rest[:, [i]], last]) for i in range(count)])
        rest = np.concatenate([np.delete(rest, i, axis=1) for i in range(count)])
    return last


class OrderSample:
    """A weighted sample of the orders of the points.

    Parameters
    ----------
    points : int
        Number of points. All orders belong to the sample if there are at most `EXACT_POINTS`.
    rng : numpy.random.Generator
        Source of random orders.
    exact : bool
        Whether the sample must contain all orders.

    Attributes
    ----------
    exact : bool
        Whether the sample contains all orders.
    version : int
        Number of samples that were drawn.

    Examples
    --------
    >>> sample = OrderSample(3, np.random.default_rng(0))
    >>> members = np.isin(np.arange(8), [0b000, 0b001, 0b011, 0b111])
    >>> sample.exact, sample.costs(members).tolist()
    (True, [1, 1, 2, 2, 1, 1])
    """

    def __init__(self, points: int, rng: np.random.Generator, *, exact: bool = False) -> None:
        self.points, self._rng, self.version = points, rng, 0
        self.exact = exact or points <= EXACT_POINTS
        self._weights = np.ones(math.factorial(points))
        if not self.exact:
            self._take(rng.integers(len(self._weights), size=SAMPLE), np.ones(SAMPLE))

    def costs(self, members: np.ndarray) -> np.ndarray:
        """Return the number of forced mistakes in each order of the sample."""
        if self.exact:
            return all_order_costs(members)
        costs = np.where(members, 0, -1).astype(np.int8)[self._words]
        while costs.shape[1] > 1:
            costs = _paid(costs[:, 0::2], costs[:, 1::2])
        return costs[:, 0]

    def share(self, extreme: np.ndarray) -> float:
        """Return the estimated share of all orders with a property.

        Parameters
        ----------
        extreme : numpy.ndarray
            Whether each order of the sample has the property.
        """
        return float(self._weights[extreme].sum() / self._weights.sum())

    def draw(self, extreme: np.ndarray) -> None:
        """Draw a new sample, half of it from the extreme orders of a class.

        An order is extreme if it has the most, or the fewest, forced mistakes of all orders.

        Parameters
        ----------
        extreme : numpy.ndarray
            Whether each order is extreme, in the sequence of `all_orders`.
        """
        parts, weights = [], []
        for part in (np.flatnonzero(extreme), np.flatnonzero(~extreme)):
            chosen = self._rng.permutation(part)[: SAMPLE // 2]
            parts.append(chosen)
            weights.append(np.full(len(chosen), len(part) / max(1, len(chosen))))
        self._take(np.concatenate(parts), np.concatenate(weights))

    def _take(self, chosen: np.ndarray, weights: np.ndarray) -> None:
        """Take the orders of these numbers as the sample."""
        orders = all_orders(self.points)[chosen]
        places = np.arange(1 << self.points)
        words = np.zeros((len(orders), len(places)), dtype=np.int64)
        for j in range(self.points):
            # The label of the first point decides the half of the words, and so on.
            bit = places >> (self.points - 1 - j) & 1
            words |= bit << orders[:, j, None].astype(np.int64)
        self._words, self._weights = words, weights
        self.version += 1


# ---- local search


SEGMENT = 180.0
"""Seconds of processor time in a segment of a search."""
DRAWN = 1 / 3
"""Share of the total time for drawing classes before the search begins to change classes."""
DRAWN_AGAIN = 1 / 20
"""Share of the total time for drawing classes between two climbs (series of small changes)."""
POINTS = (6, 7, 8, 9, MOST_POINTS)
"""Numbers of points of the drawn classes."""
POINTS_SHARES = (0.1, 0.2, 0.35, 0.25, 0.1)
"""Probabilities of the numbers of points in `POINTS`."""
CONFIRMED = 60.0
"""Time limit, in seconds, for each parameter when the library confirms a counterexample."""
EXTREMES = {"worst_order_mistakes": 1, "best_order_mistakes": -1}
"""Parameters that are numbers of mistakes in an extreme order: 1 for worst, -1 for best order."""
PATIENCE = 1.0
"""Time limit for one parameter of one class, in seconds."""
STEPS = 500
"""Number of compared classes without an improvement after which a climb ends."""
ORDER_STEPS = 4000
"""`STEPS` for a statement with mistakes in extreme orders, whose improvements are small."""
PROPOSED = 20
"""Largest number of proposed classes of a climb, as a multiple of `STEPS` (or `ORDER_STEPS`)."""
ACCEPTED = 20
"""Number of accepted changes after which a climb draws new orders."""
FAR = 1.3
"""Factor by which the share of extreme orders may exceed the share of the climb's best class.

Above this factor, the climb returns to its best class.
"""
CLIMB = 0.5
"""Largest share of the time for one climb, a series of small changes of one class."""
STRICT = 0.75
"""Share of the climbs that reject every change that makes a parameter worse."""
TEMPERATURE = 0.005
"""Relative increase of the share of extreme orders that a climb often accepts."""
SHARE_SCALE = 1e-6
"""Least share of extreme orders in comparisons. Smaller shares count as this share."""


@dataclass(frozen=True)
class Effort:
    """The effort and the outcome of a local search.

    Attributes
    ----------
    seconds : float
        Processor time of the search.
    held, undecided : int
        Number of classes on which the statement holds, and on which it was not decided in time.
    counterexample : EvaluatedClass or None
        A class on which the statement is false, if the search found one.
    """

    seconds: float = 0.0
    held: int = 0
    undecided: int = 0
    counterexample: EvaluatedClass | None = None

    def __add__(self, other: Effort) -> Effort:
        return Effort(
            self.seconds + other.seconds,
            self.held + other.held,
            self.undecided + other.undecided,
            self.counterexample or other.counterexample,
        )


def search_in_segments(
    statement: Statement,
    seconds: float,
    *,
    starts: Sequence[tuple[str, Table]] = (),
    results: ResultsFile | None = None,
    show: Callable[[str], None] = lambda text: None,
) -> Effort:
    """Search for a class on which an inequality is false, in segments of `SEGMENT` seconds.

    Every segment has a different seed. The results file stores each finished segment, so an
    interrupted search loses at most one segment.

    Parameters
    ----------
    statement : Statement
        An inequality ``left <= right`` between linear combinations of parameters.
    seconds : float
        Processor time, which is rounded up to whole segments.
    starts : sequence of (str, Table)
        Classes from which the search may start.
    results : ResultsFile, optional
        Results file.
    show : callable
        Receives a line of progress for each segment.

    Returns
    -------
    Effort
        Sum over all segments, up to the first segment that finds a counterexample.

    Examples
    --------
    >>> found = search_in_segments(Statement("2*ldim <= 2*vcdim + 1"), 60)
    >>> found.counterexample.fails
    True
    """
    total = Effort()
    for number in range(math.ceil(seconds / SEGMENT)):
        name = f"{statement.text} #{number}"
        found = results.get(name, partial(_effort, statement)) if results else None
        if found is None:
            show(f"{statement.text}: segment {number + 1} ...")
            found = LocalSearch(statement, SEGMENT, number, starts).run()
            if results:
                results.add(name, _stored(found))
        total += found
        if total.counterexample is not None:
            break
    return total


def _stored(effort: Effort) -> dict[str, Any]:
    """Return the content of the results file for a segment."""
    table = effort.counterexample.table if effort.counterexample else None
    return {
        "seconds": effort.seconds,
        "held": effort.held,
        "undecided": effort.undecided,
        "labels": None if table is None else table.labels.tolist(),
    }


def _effort(statement: Statement, stored: dict[str, Any]) -> Effort:
    """Return the segment that the results file contains."""
    labels = stored["labels"]
    found = None if labels is None else trial(statement, Table(labels), seconds=CONFIRMED)
    return Effort(stored["seconds"], stored["held"], stored["undecided"], found)


@dataclass(frozen=True, order=True)
class _Distance:
    """Distance of a statement from being false on a class, by slack and by extreme orders."""

    slack: float
    share: float = 0.0


class _Worse(Exception):
    """A parameter is worse than its value on the class that a strict climb changes."""


@dataclass(frozen=True)
class _Point:
    """A class on the way of a climb, with the values and the distance of the statement."""

    members: Members
    values: dict[str, Quantity]
    distance: _Distance


@dataclass
class LocalSearch:
    """A search for a class on which an inequality is false, for some seconds of processor time.

    Parameters
    ----------
    statement : Statement
        An inequality ``left <= right`` between linear combinations of parameters.
    seconds : float
        Processor time.
    seed : int
        Seed of the random classes.
    starts : sequence of (str, Table)
        Further classes on six to ten points, from which a climb may start.

    Examples
    --------
    >>> found = LocalSearch(Statement("2*ldim <= 2*vcdim + 1"), 60, 0).run().counterexample
    >>> found.fails
    True
    """

    statement: Statement
    seconds: float
    seed: int
    starts: Sequence[tuple[str, Table]] = ()
    held: int = 0
    undecided: int = 0
    counterexample: EvaluatedClass | None = None
    _start: float = field(default_factory=time.process_time)

    def __post_init__(self) -> None:
        name = zlib.crc32(self.statement.text.encode())
        self._rng = np.random.default_rng([name, self.seed])
        self._signs = signs(self.statement)
        self._samples: dict[int, OrderSample] = {}
        self._best: dict[tuple[str, int], _Point] = {}
        self._cost: dict[str, float] = dict.fromkeys(self.statement.names, 0.0)
        self._extremes = [name for name in EXTREMES if name in self._signs]

    @property
    def used(self) -> float:
        """The share of the search's time that has passed."""
        return (time.process_time() - self._start) / self.seconds

    @property
    def is_over(self) -> bool:
        """Whether the time has passed or a counterexample is known."""
        return self.counterexample is not None or self.used >= 1

    def run(self) -> Effort:
        """Run the search until its time has passed or a counterexample is found."""
        for name, table in self.starts:
            if len(table.points) in POINTS and not self.is_over:
                self._keep((name, len(table.points)), members_of_table(table))
        self._draw_until(DRAWN)
        while not self.is_over:
            if self._best:
                keys = list(self._best)
                nearest = min(
                    self._rng.permutation(len(keys)), key=lambda i: self._best[keys[i]].distance
                )
                self._climb(self._best.pop(keys[nearest]))
            self._draw_until(self.used + DRAWN_AGAIN)
        seconds = time.process_time() - self._start
        return Effort(seconds, self.held, self.undecided, self.counterexample)

    def _draw_until(self, share: float) -> None:
        while self.used < share and not self.is_over:
            points = int(self._rng.choice(POINTS, p=POINTS_SHARES))
            kind = list(KINDS)[self._rng.integers(len(KINDS))]
            self._keep((kind, points), KINDS[kind](self._rng, points))

    def _keep(self, key: tuple[str, int], members: Members) -> None:
        """Compare the sides on a class, and keep the best class of each kind."""
        found = self._point(members)
        if found and (key not in self._best or found.distance <= self._best[key].distance):
            self._best[key] = found

    def _climb(self, current: _Point) -> None:
        """Change a class step by step towards a counterexample."""
        strict = self._rng.random() < STRICT
        # A move keeps the number of concepts, and a change does not.
        step = move if self._rng.random() < 0.5 else change
        patience = ORDER_STEPS if self._extremes else STEPS
        best, steps, proposed, accepted, end = current, 0, 0, 0, self.used + CLIMB
        while steps < patience and proposed < PROPOSED * patience and self.used < end:
            if self.is_over:
                break
            proposed += 1
            sample = self._sample(current.members) if self._extremes else None
            version = sample.version if sample else 0
            found = self._point(step(current.members, self._rng), current if strict else None)
            if found is None:
                continue
            steps += 1
            if self._accepts(current.distance, found.distance):
                current = found
                accepted += 1
            if sample is None or sample.exact:
                if current.distance < best.distance:
                    best, steps, proposed = current, 0, 0
            elif sample.version > version or accepted >= ACCEPTED:
                # Shares in different samples cannot be compared, but shares in all orders can.
                accepted = 0
                share = self._draw_sample(sample, current)
                current = replace(current, distance=replace(current.distance, share=share))
                if current.distance < best.distance:
                    best, steps, proposed = current, 0, 0
                elif share > FAR * best.distance.share:
                    share = self._draw_sample(sample, best)
                    current = replace(best, distance=replace(best.distance, share=share))

    def _accepts(self, old: _Distance, new: _Distance) -> bool:
        if new <= old:
            return True
        if new.slack > old.slack:
            return False
        scale = TEMPERATURE * max(old.share, SHARE_SCALE)
        return bool(self._rng.random() < math.exp((old.share - new.share) / scale))

    def _point(self, members: Members, strict: _Point | None = None) -> _Point | None:
        """Return the class with its distance, or None if the search cannot continue from it."""
        table = table_of_members(members)
        values: dict[str, Quantity] = {}
        share = 0.0
        try:
            for name in sorted(self.statement.names, key=self._cost.__getitem__):
                if name in values:
                    continue
                start = time.process_time()
                if name in self._extremes:
                    sample = self._sample(members)
                    costs = sample.costs(members)
                    self._add_extremes(values, costs)
                    share = sample.share(self._are_extreme(values, costs))
                else:
                    limit = Limit(seconds=PATIENCE)
                    values[name] = self.statement.value(table, name, limit=limit)
                spent = time.process_time() - start
                self._cost[name] += (spent - self._cost[name]) / 16
                if strict is not None:
                    self._require_no_worse(name, values, strict.values)
            if self._slack(values) < 0 and self._extremes and not self._sample(members).exact:
                # The sample can lack the extreme orders.
                costs = all_order_costs(members)
                self._add_extremes(values, costs)
                extreme = self._are_extreme(values, costs)
                share = float(extreme.mean())
                self._sample(members).draw(extreme)
            slack = self._slack(values)
        except _Worse:
            return None
        except (InvalidInput, TooLarge):
            self.undecided += 1
            return None
        if slack >= 0:
            self.held += 1
            return _Point(members, values, _Distance(slack, share))
        found = trial(self.statement, table, seconds=CONFIRMED)
        if found is None or not found.fails:
            self.undecided += 1
        else:
            self.counterexample = found
        return None

    def _sample(self, members: Members) -> OrderSample:
        """Return the sample of the orders of the points of a class."""
        points = len(members).bit_length() - 1
        if points not in self._samples:
            # Estimates from a sample have to be at most too close to a counterexample.
            exact = any(self._signs[name] != EXTREMES[name] for name in self._extremes)
            self._samples[points] = OrderSample(points, self._rng, exact=exact)
        return self._samples[points]

    def _draw_sample(self, sample: OrderSample, point: _Point) -> float:
        """Draw a sample for a class, and return the share of its extreme orders."""
        costs = all_order_costs(point.members)
        values = dict(point.values)
        self._add_extremes(values, costs)
        extreme = self._are_extreme(values, costs)
        sample.draw(extreme)
        return float(extreme.mean())

    def _require_no_worse(
        self, name: str, values: dict[str, Quantity], old: dict[str, Quantity]
    ) -> None:
        new, before = values[name], old[name]
        assert isinstance(new, (int, Fraction)) and isinstance(before, (int, Fraction))
        if self._signs[name] * (new - before) > 0:
            raise _Worse

    def _slack(self, values: dict[str, Quantity]) -> float:
        sides = self.statement.sides(values)
        assert sides is not None
        return float(sides.right - sides.left)

    def _add_extremes(self, values: dict[str, Quantity], costs: np.ndarray) -> None:
        """Add the mistakes in extreme orders to the values."""
        for name in self._extremes:
            values[name] = int(costs.max() if EXTREMES[name] > 0 else costs.min())

    def _are_extreme(self, values: dict[str, Quantity], costs: np.ndarray) -> np.ndarray:
        """Return for each order whether its mistakes are extreme."""
        found = np.zeros(len(costs), dtype=bool)
        for name in self._extremes:
            found |= costs == values[name]
        return found


def signs(statement: Statement) -> dict[str, int]:
    """Return the sign with which each parameter changes the slack, right - left, of an inequality.

    The sign is 1 if the slack grows with the parameter, and -1 if it falls.

    Raises
    ------
    InvalidInput
        If the statement is not an inequality ``left <= right``, or has a condition.

    Examples
    --------
    >>> signs(Statement("2*ldim <= worst_order_mistakes + eluder_dim"))
    {'ldim': -1, 'worst_order_mistakes': 1, 'eluder_dim': 1}
    """
    comparison = statement.comparison
    if comparison is None or comparison[1] != "<=" or statement.conditions:
        raise InvalidInput(
            f"A local search takes an inequality such as 'vcdim <= ldim'. Got {statement.text!r}."
        )
    middle: dict[str, Quantity] = dict.fromkeys(statement.names, 10)

    def slack(values: dict[str, Quantity]) -> float:
        sides = statement.sides(values)
        assert sides is not None
        return float(sides.right - sides.left)

    return {
        name: int(np.sign(slack({**middle, name: 11}) - slack(middle))) for name in statement.names
    }
