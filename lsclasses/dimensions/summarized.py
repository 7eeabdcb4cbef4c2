"""All dimensions of a class at once: each is searched for, and bounds follow from the others."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from lsclasses.concept_class import ConceptClass, iterated
from lsclasses.dimensions import DIMENSIONS
from lsclasses.dimensions.derived import derive, derive_growth_function, stated
from lsclasses.dimensions.ranges import Range
from lsclasses.errors import InfiniteDimension, InvalidInput, TooLarge
from lsclasses.limits import Limit
from lsclasses.numbers import hundredths
from lsclasses.summary import Summary, SummaryRow

ENTRIES = 12
"""How many entries of the growth function are shown."""


def summarize(C: ConceptClass, names: Iterable[str] | None, limit: Limit) -> Summary:
    """The summary that `ConceptClass.summary` describes."""
    given = list(DIMENSIONS) if names is None else iterated(names, "names of dimensions")
    chosen = [names] if isinstance(names, str) else list(given)
    for name in chosen:
        DIMENSIONS.require(name)
    if not chosen:
        raise InvalidInput(f"A summary needs a dimension, of: {', '.join(DIMENSIONS)}. Got none.")
    found, start = [], time.monotonic()
    for place, name in enumerate(chosen):
        rest = limit
        if limit.seconds is not None:
            left = limit.seconds - (time.monotonic() - start)
            rest = replace(limit, seconds=max(left / (len(chosen) - place), 1e-3))
        found.append(_searched(C, name, rest))
    if not C.is_empty:
        found = _concluded(C, found)
    return Summary(repr(C), tuple(map(_row, found)))


@dataclass(frozen=True)
class _Found:
    """The known bounds on a dimension, equal if its value is known."""

    name: str
    lower: Any
    upper: Any
    source: str
    infinite: bool = False

    @property
    def is_open(self) -> bool:
        return not self.infinite and (self.lower is None or self.lower != self.upper)


def _searched(C: ConceptClass, name: str, limit: Limit) -> _Found:
    try:
        answer = DIMENSIONS[name].evaluate(C, limit=limit)
    except InfiniteDimension:
        return _Found(name, None, None, "closed form", infinite=True)
    except TooLarge as stopped:
        reached = stopped.limit is not None and stopped.limit in (limit.seconds, limit.memory)
        source = "limit reached" if reached else "too large"
        return _Found(name, stopped.lower, stopped.upper, source)
    return _Found(name, answer.value, answer.value, answer.source)


def _concluded(C: ConceptClass, found: list[_Found]) -> list[_Found]:
    """The results with bounds that follow from other dimensions."""
    known = stated(C) | {
        each.name: Range(each.lower, each.upper)
        for each in found
        if DIMENSIONS[each.name].kind != "sequence" and not each.infinite
    }
    return [_derived(each, known) if each.is_open else each for each in found]


def _derived(found: _Found, known: dict[str, Range]) -> _Found:
    lower: Any
    upper: Any
    if DIMENSIONS[found.name].kind == "sequence":
        try:
            entries = derive_growth_function(known)
        except TooLarge:
            return found
        lower, upper = (tuple(getattr(e, side) for e in entries) for side in ("lower", "upper"))
    else:
        better = derive(found.name, known).range
        lower, upper = better.lower, better.upper
    decided = lower is not None and lower == upper
    source = "inequalities" if decided else found.source
    return replace(found, lower=lower, upper=upper, source=source)


def _row(found: _Found) -> SummaryRow:
    text = "infinite" if found.infinite else _text(found.lower, found.upper)
    return SummaryRow(found.name, DIMENSIONS[found.name].title, text, found.source)


def _text(lower: Any, upper: Any) -> str:
    if isinstance(lower, tuple):
        pairs = list(zip(lower, upper, strict=True))
        entries = [str(low) if low == high else f"{low}..{high}" for low, high in pairs]
        return " ".join([*entries[:ENTRIES], *["..."] * (len(entries) > ENTRIES)])
    if lower is None and upper is None:
        return "unknown"
    if lower == upper:
        return str(lower)
    least = lower is not None and hundredths(lower, down=True)
    most = upper is not None and hundredths(upper, up=True)
    if least and most:
        return f"{least} to {most}"
    return f"at least {least}" if least else f"at most {most}"
