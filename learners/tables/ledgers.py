"""Ledgers in files: events written to JSON and read back, so that totals can be recomputed."""

from __future__ import annotations

from dataclasses import fields, replace
from fractions import Fraction
from typing import Any

from learners import accounting
from learners.accounting import Event, Scope, checked_neighbours
from learners.codec import Codec, written
from lsclasses.errors import InvalidInput
from lsclasses.numbers import parse_number

KINDS: dict[str, type[Event]] = {
    kind.__name__: kind
    for kind in (
        accounting.PureDP,
        accounting.ApproximateDP,
        accounting.ZCDP,
        accounting.ApproximateZCDP,
        accounting.GaussianDP,
        accounting.BoundedRange,
        accounting.Sequential,
        accounting.SelfComposed,
        accounting.InAdvance,
        accounting.Parallel,
        accounting.AtOnce,
        accounting.OneAtATime,
        accounting.StreamParallel,
        accounting.PostProcessed,
        accounting.Grouped,
        accounting.UnderReplaceOne,
    )
}
"""Names of the types of events that a ledger about a table may contain."""

DEEPEST = 20
"""Largest depth of nested events in a file."""


def event_to_json(event: Event) -> dict[str, object]:
    """Return an event as a JSON object with its class and its fields by name.

    Raises
    ------
    InvalidInput
        If the event is about interactions and not about a table.

    Examples
    --------
    >>> from learners.accounting import PureDP, SelfComposed, Scope
    >>> data = Scope.adaptive("replace_one")
    >>> event_to_json(SelfComposed(PureDP(Fraction(1, 2), name="a cut point", scope=data), 3))
    {'event': 'SelfComposed', 'count': 3, 'of': {'event': 'PureDP', 'name': 'a cut point', \
'scope': {'neighbours': 'replace_one', 'adversary': {'stream': 'adaptive', 'observes': ['every \
released value']}, 'unit': 'item'}, 'epsilon': '1/2'}}
    """
    kind = type(event).__name__
    if KINDS.get(kind) is not type(event):
        raise InvalidInput(
            f"The events of a ledger in a file must be {', '.join(KINDS)}. Got {kind}."
        )
    held = {field.name: getattr(event, field.name) for field in fields(event)}  # type: ignore
    parts = {name: written(value) for name, value in held.items() if name not in NESTED}
    nested = {NESTED[name]: _nested(value) for name, value in held.items() if name in NESTED}
    return {"event": kind, **parts, **nested}


NESTED = {"event": "of", "events": "of"}
"""Fields of events that contain other events, each with its name in a file."""


def _nested(events: Event | tuple[Event, ...]) -> object:
    if isinstance(events, Event):
        return event_to_json(events)
    return [event_to_json(event) for event in events]


def event_from_json(data: object) -> Event:
    """Return the event that `event_to_json` wrote.

    Raises
    ------
    InvalidInput
        If the data are not an event.

    Examples
    --------
    >>> from learners.accounting import PureDP, SelfComposed, Scope
    >>> data = Scope.adaptive("replace_one")
    >>> event = SelfComposed(PureDP(Fraction(1, 2), name="cut points", scope=data), 3)
    >>> event_from_json(event_to_json(event)) == event
    True
    """
    return _event(data, DEEPEST)


def _event(data: object, depth: int) -> Event:
    kind = data.get("event") if isinstance(data, dict) else None
    if not isinstance(data, dict) or not isinstance(kind, str) or kind not in KINDS:
        raise InvalidInput(
            f"an event of a ledger must be one of {', '.join(KINDS)}. Got {data!r:.200}."
        )
    if not depth:
        raise InvalidInput(f"the events of a ledger may be nested at most {DEEPEST} deep.")
    data = _with_scope(data)
    names = {NESTED.get(f.name, f.name): f.name for f in fields(KINDS[kind])}  # type: ignore
    if set(data) - {"event"} != set(names):
        raise InvalidInput(
            f"an event {kind} must have the entries {', '.join(sorted(names))}. "
            f"Got {', '.join(sorted(set(data) - {'event'}))}."
        )
    codec = Codec(
        {
            Fraction: lambda value, name: parse_number(_text(value, name), name),
            int: _integer,
            str: _text,
            Scope: _scope,
            Event: lambda value, name: _event(value, depth - 1),
            tuple[Event, ...]: lambda value, name: tuple(
                _event(part, depth - 1) for part in _list(value)
            ),
        }
    )
    return codec.read(KINDS[kind], {name: data[key] for key, name in names.items()})


def _with_scope(data: dict[str, object]) -> dict[str, object]:
    """Return the data of an event, with the weakest scope if an earlier version wrote none."""
    if data["event"] == "Grouped" and "unit" not in data:
        return data | {"unit": "person"}
    if "neighbours" not in data:
        return data
    rest = {name: value for name, value in data.items() if name != "neighbours"}
    neighbours = _text(data["neighbours"], "neighbours")
    return rest | {"scope": Scope.fixed(checked_neighbours(neighbours)).to_json()}


def event_of_earlier_files(event: Event) -> Event:
    """Return an event as files of versions 0.1 and 0.2 state it: with the weakest adversary model.

    Examples
    --------
    >>> from learners.accounting import PureDP
    >>> event_of_earlier_files(PureDP(1, scope=Scope.adaptive("add_remove"))).scope.adversary.stream
    'fixed'
    """
    changed: dict[str, Any] = {}
    for each in fields(event):  # type: ignore[arg-type]
        value = getattr(event, each.name)
        if isinstance(value, Scope):
            changed[each.name] = Scope.fixed(value.neighbours)
        elif isinstance(value, Event):
            changed[each.name] = event_of_earlier_files(value)
        elif isinstance(value, tuple) and value and isinstance(value[0], Event):
            changed[each.name] = tuple(map(event_of_earlier_files, value))
    return replace(event, **changed)  # type: ignore[type-var]


def _scope(value: object, name: str) -> Scope:
    found = CODEC.read(Scope, value)
    checked_neighbours(found.neighbours)
    return found


CODEC = Codec()


def _integer(value: object, name: str) -> int:
    if type(value) is not int:
        raise InvalidInput(f"The {name} must be an integer. Got {value!r:.200}.")
    return value


def _text(value: object, name: str) -> str:
    # A name on several lines could imitate lines of a ledger.
    if not isinstance(value, str) or not value.isprintable():
        raise InvalidInput(
            f"the {name} of an event must be a string on one line. Got {value!r:.200}."
        )
    return value


def _list(value: object) -> list[object]:
    if not isinstance(value, list):
        raise InvalidInput(f"the parts of an event must be a list. Got {value!r:.200}.")
    return value
