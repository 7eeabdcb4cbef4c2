"""The guarantee of a model: its ledger and its total."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from learners import accounting
from learners.accounting import (
    CHALLENGE,
    Event,
    Grouped,
    Parallel,
    Privacy,
    Scope,
    Sequential,
    basic,
    checked_neighbours,
    scope,
)
from learners.tables.ledgers import event_from_json, event_of_earlier_files, event_to_json
from lsclasses.errors import InvalidInput
from lsclasses.files.documents import differing
from lsclasses.frozen import set_frozen_fields
from lsclasses.numbers import as_printed, format_number

if TYPE_CHECKING:
    from learners.coins import Coins


def is_simulation(coins: Coins) -> bool:
    """Return whether draws from these coins are a simulation, which is false for `SecureCoins`."""
    from learners.coins import SecureCoins

    return type(coins) is not SecureCoins


def in_sequence(events: Iterable[Event]) -> Sequential:
    """Return the sequential composition of events about one data set, without nesting.

    Examples
    --------
    >>> from learners.accounting import PureDP, Scope
    >>> one = PureDP(1, scope=Scope.adaptive("replace_one"))
    >>> nested = Sequential((one, Sequential((one,))))
    >>> in_sequence([Sequential(()), nested]) == Sequential((one, one))
    True
    """
    return Sequential(tuple(part for event in events for part in _parts(event)))


def _composed(event: Event, method: str, delta: Fraction) -> tuple[Fraction, Fraction]:
    if method == "basic":
        return basic(event)
    if method == "advanced":
        return accounting.advanced(event, delta - basic(event)[1])
    if method == "gaussian":
        return accounting.gaussian(event, delta)
    return accounting.zcdp(event, delta) if method == "zcdp" else accounting.pld(event, delta)


METHODS = ("basic", "advanced", "zcdp", "gaussian", "pld", "split")
"""Methods to compute a total at a delta, by the names of `learners.accounting.Total`."""

ROUNDING = Fraction(1, 10**6)
"""Largest relative difference between a total in a file and the recomputed total, for methods in
floating point. The last digits of floating point may differ between machines and versions."""

EARLIER = Fraction(5, 4)
"""Largest ratio of a total by privacy loss distributions in a file of an earlier version and the
recomputed total, which is smaller."""

RELATIONS = {
    "replace_one": "one row replaced",
    "add_remove": "one row added or removed",
    CHALLENGE: "one user's example replaced, as all other users see it",
}


@dataclass(frozen=True)
class Guarantee:
    """The privacy guarantee of a model: a ledger and the total computed from the ledger.

    The total is always computed from the ledger. The guarantee also states two facts that the
    ledger cannot contain: whether the randomness came from the operating system, and whether the
    rows are original. A guarantee is **conditional on its inputs** if the columns of the rows are
    not declared. In this case, the learner receives a matrix. It cannot check whether the columns
    were chosen, scaled or cut by looking at rows, and the ledger does not contain the cost of such
    choices.

    Parameters
    ----------
    event : Event
        Released values, as the tree of the ledger.
    method : str
        Method that computes the total: ``basic`` for the sum, else a method of
        `learners.accounting.Total`.
    composition_delta : Fraction
        Delta of the total, which `basic` computes itself.
    simulated : bool
        Whether the randomness came from a seed, so that anyone with the seed can undo the noise.
    conditional : bool
        Whether the guarantee covers only the given rows, because earlier steps may have computed
        them from private data.

    Attributes
    ----------
    epsilon, delta : Fraction
        Total epsilon and delta.
    scope : Scope
        Neighbour relation, adversary model and unit of the total.
    ledger : tuple of (str, Fraction, Fraction)
        Releases, each with its cost under basic composition.

    Raises
    ------
    InvalidInput
        If the ledger is empty, the events hold under different relations, or the method does not
        give a total at this delta.

    Examples
    --------
    >>> from learners.accounting import ApproximateDP, PureDP, Scope
    >>> data = Scope.adaptive("replace_one")
    >>> event = Sequential((PureDP(Fraction(1, 10), name="cut points", scope=data),
    ...                     ApproximateDP(Fraction(9, 10), Fraction(1, 10**6), name="rules",
    ...                                   scope=data)))
    >>> print(Guarantee.of(event, simulated=False, conditional=False))
    cut points: epsilon 0.1
    rules: epsilon 0.9, delta 1e-06
    in all: (1, 1e-06)-differentially private, one row replaced
    covered: an adaptive adversary that observes every released value
    """

    event: Event
    method: str
    composition_delta: Fraction
    simulated: bool
    conditional: bool
    epsilon: Fraction = field(init=False, compare=False)
    delta: Fraction = field(init=False, compare=False)

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise InvalidInput(
                f"The method of a total must be one of {', '.join(METHODS)}. Got {self.method!r}."
            )
        epsilon, delta = _composed(self.event, self.method, self.composition_delta)
        if delta != self.composition_delta:
            raise InvalidInput(
                f"The delta of the ledger is {delta} in total. Got {self.composition_delta}."
            )
        if not epsilon and not delta:
            raise InvalidInput(
                "Learning from rows always has a privacy cost. Got a ledger of cost 0."
            )
        set_frozen_fields(self, epsilon=epsilon, delta=delta)

    @classmethod
    def of(
        cls,
        event: Event,
        *,
        simulated: bool,
        conditional: bool,
        delta: Fraction | None = None,
    ) -> Guarantee:
        """Return the guarantee of an event. If a delta is given, the best composition is used.

        An event under zCDP needs a delta.
        """
        if delta is not None and event.profile().unbounded:
            method = accounting.total(event, delta).method
            return cls(in_sequence([event]), method, delta, simulated, conditional)
        epsilon, spent = basic(event)
        method = "basic"
        if delta is not None and delta > spent:
            found = accounting.total(event, delta)
            if found.epsilon < epsilon:
                method, spent = found.method, delta
        return cls(in_sequence([event]), method, spent, simulated, conditional)

    @property
    def scope(self) -> Scope:
        """Neighbour relation, adversary model and unit of the guarantee."""
        found = scope(self.event)
        assert found is not None  # only an event without leaves has no scope, and it costs 0
        return found

    @property
    def neighbours(self) -> str:
        """Neighbour relation of the guarantee."""
        return self.scope.neighbours

    @property
    def ledger(self) -> tuple[tuple[str, Fraction, Fraction], ...]:
        """The releases by name, each with its cost under basic composition.

        The cost of a release under zCDP is its epsilon at the total delta.
        """
        found: dict[str, tuple[Fraction, Fraction]] = {}
        for part in _parts(self.event):
            name = _name(part)
            before, cost = found.get(name, (Fraction(0), Fraction(0))), self._cost(part)
            found[name] = before[0] + cost[0], before[1] + cost[1]
        return tuple((name, *costs) for name, costs in found.items())

    def _cost(self, part: Event) -> tuple[Fraction, Fraction]:
        if not part.profile().unbounded:
            return basic(part)
        return accounting.total(part, self.composition_delta).epsilon, self.composition_delta

    @property
    def _unit(self) -> str:
        """The protected unit in words: one row, or a person with several rows."""
        sizes = {part.size if isinstance(part, Grouped) else 0 for part in _parts(self.event)}
        if self.neighbours == "add_remove" and len(sizes) == 1 and 0 not in sizes:
            (size,) = sizes
            return f"one person added or removed, with at most {size} row{'s' * (size > 1)} used"
        return RELATIONS[self.neighbours]

    @property
    def total(self) -> Privacy:
        """The total (epsilon, delta) with its scope."""
        return Privacy(self.epsilon, self.delta, self.scope, self.conditional)

    def in_earlier_files(self) -> Guarantee:
        """Return the guarantee as a file of version 0.1 or 0.2 states it.

        These files contain no adversary model, so all events have the weakest model.
        """
        return replace(self, event=event_of_earlier_files(self.event))

    def made_conditional(self) -> Guarantee:
        """Return the guarantee marked as conditional, for rows of unknown origin."""
        return self if self.conditional else replace(self, conditional=True)

    def __str__(self) -> str:
        lines = [
            f"{name}: epsilon {format_number(epsilon, up=True)}"
            + (f", delta {format_number(delta, up=True)}" if delta else "")
            for name, epsilon, delta in self.ledger
        ]
        less = sum(epsilon for _, epsilon, _ in self.ledger) > self.epsilon
        by = f" by {self.method}" * (self.method != "basic") + ", which is less than the sum" * less
        lines.append(
            f"in all: ({format_number(self.epsilon, up=True)}, "
            f"{format_number(self.delta, up=True)})-differentially private{by}, {self._unit}"
        )
        lines.append(f"covered: {self.scope.adversary}")
        if self.conditional:
            lines.append(
                "This is conditional on the inputs: the steps that made them from the data (cut "
                "points, scaling, a choice of columns) are not in this ledger."
            )
        if self.simulated:
            lines.append(
                "This is a simulation: the randomness came from a seed, so do not publish it."
            )
        return "\n".join(lines)

    def to_json(self) -> dict[str, object]:
        """Return the guarantee as JSON values for `from_json`. Budgets are strings such as 1/10."""
        return {
            "epsilon": str(self.epsilon),
            "delta": str(self.delta),
            **self.scope.to_json(),
            "method": self.method,
            "conditional": self.conditional,
            "simulated": self.simulated,
            "ledger": [[name, str(epsilon), str(delta)] for name, epsilon, delta in self.ledger],
            "events": [event_to_json(part) for part in _parts(self.event)],
        }

    @classmethod
    def from_json(cls, data: object) -> Guarantee:
        """Return the guarantee that `to_json` wrote, with its total recomputed from the events.

        Raises
        ------
        InvalidInput
            If the data are not a guarantee, or state a total, relation or ledger that differs from
            the total, relation or ledger of the events.
        """
        if not isinstance(data, dict):
            raise InvalidInput(
                f"the privacy of a model must be an object or null. Got {data!r:.200}."
            )
        for flag in ("simulated", "conditional"):
            if not isinstance(data[flag], bool):
                raise InvalidInput(f'"{flag}" must be true or false. Got {data[flag]!r}.')
        found = cls(
            Sequential(tuple(event_from_json(event) for event in data["events"])),
            str(data["method"]),
            as_printed(data["delta"], "delta"),
            data["simulated"],
            data["conditional"],
        )
        checked_neighbours(found.neighbours)
        stated = as_printed(data["epsilon"], "epsilon")
        room = 0 if found.method == "basic" else ROUNDING * found.epsilon
        # Earlier versions rounded up further. Their larger epsilon is true as well, and the
        # guarantee has the recomputed epsilon.
        earlier = found.method == "pld" and found.epsilon <= stated <= EARLIER * found.epsilon
        if abs(stated - found.epsilon) > room and not earlier:
            raise InvalidInput(
                f"its ledger adds up to epsilon {format_number(found.epsilon, up=True)} "
                f"({found.method}), but it states {format_number(stated, up=True)}."
            )
        written = found.to_json() | ({"epsilon": data["epsilon"]} if room else {})
        if not {"adversary", "unit"} & data.keys() and '"scope"' not in json.dumps(data["events"]):
            # Versions 0.1 and 0.2 wrote no adversary model. Their events get the weakest model.
            data = data | {name: written[name] for name in ("adversary", "unit", "events")}
        for strange in differing(written, data):
            raise InvalidInput(
                f'the "{strange}" of its privacy does not follow from its events: '
                f"{data.get(strange)!r:.200} instead of {written.get(strange)!r:.200}."
            )
        return found


def _name(event: Event) -> str:
    """Return the name of a release, or all names of releases about disjoint rows."""
    if isinstance(event, Parallel):
        return "; of other rows, ".join(dict.fromkeys(map(_name, event.events)))
    return next(iter(event.leaves())).name


def _parts(event: Event) -> Iterator[Event]:
    """Yield the sequential parts of an event."""
    if not isinstance(event, Sequential):
        yield event
        return
    for part in event.events:
        yield from _parts(part)
