"""Bounds on a dimension that follow from other dimensions by `INEQUALITIES`, and summaries.

A summary of a class searches for each dimension, and derives bounds on the dimensions whose search
stopped.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from lsclasses.class_summary import Summary, SummaryRow
from lsclasses.concept_class import ConceptClass, iterated
from lsclasses.dimensions import DIMENSIONS, Dimension
from lsclasses.dimensions.expressions import Expression, Number, Quantity, Real
from lsclasses.dimensions.inequalities import INEQUALITIES, Inequality
from lsclasses.dimensions.logarithms import rounded
from lsclasses.dimensions.ranges import Range
from lsclasses.errors import InfiniteDimension, InvalidInput, LsclassesError, TooLarge, nearest
from lsclasses.limits import Limit
from lsclasses.numbers import hundredths

if TYPE_CHECKING:
    from lsclasses.table import Table

__all__ = ["Derived", "derive", "derive_growth_function", "stated"]

LOG_PLACES = 11
"""Number of binary places of a bound that contains a logarithm. Rounding keeps it a bound."""
LARGE = 1 << 4096
"""Lower bound that replaces values in a formula that are too large to compute."""
ENTRIES_LIMIT = 1 << 12
"""The largest number of entries of a growth function for which bounds are derived."""
READABLE = 10**30
"""Largest number that a reason prints. The reason prints the names of larger quantities instead."""
COUNTS = ("size", "points")
SCALAR = tuple(
    inequality
    for inequality in INEQUALITIES
    if not {"growth_function", "zero_cover_number"} & inequality.names
)


@dataclass(frozen=True)
class Derived:
    """Bounds on a quantity that follow from inequalities, with the reasons.

    Attributes
    ----------
    range : Range
        The bounds.
    reasons : tuple of str
        Reason for the lower bound and reason for the upper bound, each empty if no inequality
        gives the bound. A reason is a known value, such as ``ldim 9`` or ``log2(1050)/2``.
    """

    range: Range
    reasons: tuple[str, ...]


def derive(name: str, known: Mapping[str, Range]) -> Derived:
    """Return the bounds on a dimension that follow from known values of a non-empty class.

    Parameters
    ----------
    name : str
        A dimension that is a number.
    known : mapping of str to Range
        Known bounds on dimensions, on ``size`` and on ``points``. All other quantities are unknown.

    Raises
    ------
    InvalidInput
        If a name is not the name of a dimension that is a number.
    LsclassesError
        If the known bounds contradict an inequality.

    Examples
    --------
    >>> known = {"ldim": Range(9, 9), "size": Range(1050, 1050)}
    >>> found = derive("randomized_ldim", known)
    >>> found.range.lower, found.range.upper, found.reasons
    (Fraction(9, 2), Fraction(5139, 1024), ('ldim 9', 'log2(1050)/2'))

    Equal bounds determine the value, for example for a class of 2^9 concepts that shatters 9
    points.

    >>> derive("ldim", {"vcdim": Range(9, 9), "size": Range(512, 512)}).range.value
    9
    """
    numbers = _numbers()
    if name not in numbers:
        raise InvalidInput(f"A class has no numeric quantity {name!r}. {nearest(name, numbers)}")
    return _Propagation(known).derived(name)


def derive_growth_function(known: Mapping[str, Range]) -> list[Range]:
    """Return the bounds on the entries of the growth function that follow from known bounds.

    Parameters
    ----------
    known : mapping of str to Range
        Known bounds as in `derive`, including the number of points.

    Returns
    -------
    list of Range
        Bounds for each number of points from 0 on. The entries up to the VC dimension are exact.

    Raises
    ------
    LsclassesError
        If the known bounds contradict an inequality.
    TooLarge
        If there are more than 4096 points, or their number is not known.

    Examples
    --------
    >>> known = {"vcdim": Range(2, 2), "points": Range(5, 5), "size": Range(14, 14)}
    >>> [(entry.lower, entry.upper) for entry in derive_growth_function(known)]
    [(1, 1), (2, 2), (4, 4), (4, 7), (4, 11), (14, 14)]
    """
    return _Propagation(known).growth_function()


def value_or_bounds(entry: Dimension[Any], table: Table, stopped: TooLarge) -> Any:
    """Return the value of a dimension if the numbers of concepts and points determine the value.

    The function is for dimensions whose search was stopped.

    Parameters
    ----------
    entry : Dimension
        The dimension whose search was stopped.
    table : Table
        Table with at least one concept.
    stopped : TooLarge
        Error of a search that found no bounds.

    Raises
    ------
    TooLarge
        If the bounds on the value differ. The error contains both bounds, as tuples for a sequence.
    """
    concepts, points = len(table), len(table.points)
    known = {"size": Range(concepts, concepts), "points": Range(points, points)}
    lower: Any
    upper: Any
    if entry.name not in DIMENSIONS or (entry.kind == "sequence" and points > ENTRIES_LIMIT):
        raise stopped
    if not points:
        # The dual class has no concepts, so its dimensions are -1.
        lower, upper = ((1,), (1,)) if entry.kind == "sequence" else (-1, 0)
        text = ""
    elif entry.kind == "sequence":
        entries = derive_growth_function(known)
        lower, upper = (tuple(getattr(e, side) for e in entries) for side in ("lower", "upper"))
        text = ""
    else:
        found = derive(entry.name, known).range
        lower, upper = found.lower, found.upper
        text = f" So far: {_text(lower, upper)}."
    if lower is not None and lower == upper:
        return lower
    raise TooLarge(
        f"{stopped}{text}",
        estimate=stopped.estimate,
        limit=stopped.limit,
        lower=lower,
        upper=upper,
    ) from None


def stated(C: ConceptClass) -> dict[str, Range]:
    """Return the quantities of a class that need no search, as input of `derive`.

    They are the numbers of concepts and points, and the dimensions with a closed form.

    Examples
    --------
    >>> import catalog
    >>> known = stated(catalog.build("points:n=2^64"))
    >>> known["ldim"].value, derive("eluder_dim", known).range.value == 2**64 - 1
    (1, True)
    """
    known: dict[str, Range] = {}
    with suppress(TooLarge):
        known["size"] = Range(C.size, C.size)
    known["points"] = Range(C.domain.size, C.domain.size)
    for name, entry in DIMENSIONS.items():
        with suppress(TooLarge):
            value = entry.closed_form(C)
            if isinstance(value, (int, Fraction)):
                known[name] = Range(value, value)
    return known


class _Propagation:
    """The known bounds on all quantities, improved by inequalities until no bound changes.

    A formula implies bounds on a fractional dimension only if the dimension is the whole side.
    """

    def __init__(self, known: Mapping[str, Range]) -> None:
        names = set().union(*(inequality.names for inequality in INEQUALITIES))
        self._lower: dict[str, Number] = {name: int(name in COUNTS) for name in names}
        self._upper: dict[str, Number] = {}
        self._reasons: dict[tuple[str, bool], str] = {}
        for name, found in known.items():
            if name not in names and name not in DIMENSIONS:
                raise InvalidInput(f"The quantity {name!r} is unknown. {nearest(name, _numbers())}")
            if found.lower is not None:
                self._lower[name] = max(found.lower, self._lower.get(name, found.lower))
            if found.upper is not None:
                self._upper[name] = found.upper
        # Bounds only improve, so the number of changes shows if an inequality has new bounds.
        self._changes = dict.fromkeys(names, 0)
        last: dict[Inequality, int] = {}
        improving = True
        while improving:
            improving = False
            for inequality in SCALAR:
                changes = sum(self._changes[name] for name in inequality.names)
                if last.get(inequality) != changes:
                    last[inequality] = changes
                    improving |= self._improves(inequality)

    def derived(self, name: str) -> Derived:
        """Return the derived bounds on one quantity."""
        bounds = [known.get(name) for known in (self._lower, self._upper)]
        if _is_fraction(name):
            bounds = [None if bound is None else Fraction(bound) for bound in bounds]
        found = Range(*bounds)
        reasons = [self._reasons.get((name, is_lower), "") for is_lower in (True, False)]
        return Derived(found, tuple(reason for reason in reasons if reason))

    def growth_function(self) -> list[Range]:
        """Return the derived bounds on the entries of the growth function."""
        points = _whole(self._upper.get("points", LARGE))
        if points > ENTRIES_LIMIT:
            raise TooLarge(
                "The growth function has an entry for each number of points. The limit is "
                f"{ENTRIES_LIMIT} points.",
                limit=ENTRIES_LIMIT,
            )
        return [self._entry(k, points) for k in range(points + 1)]

    def _entry(self, k: int, points: int) -> Range:
        lower: Number = 1
        upper: Number = 1 << k
        for inequality in INEQUALITIES:
            left, right = inequality.sides
            if right.bare == "growth_function" and right.index in ("k", k == points and "points"):
                least = _value(left, {**self._lower, "k": k})
                lower = lower if least is None else max(lower, math.ceil(least))
            if left.bare == "growth_function":
                most = _value(right, {**self._upper, "k": k})
                upper = upper if most is None else min(upper, math.floor(most))
        return self._consistent("growth_function", lower, upper)

    def _improves(self, inequality: Inequality) -> bool:
        """Return whether an inequality gives a better bound on one of its quantities."""
        if inequality.condition is not None and not _value(inequality.condition, self._upper):
            return False
        left, right = inequality.sides
        improved = False
        least, most = _value(left, self._lower), _value(right, self._upper)
        for name in right.names:
            if least is not None and _solvable(right, name):
                found = self._least_argument(right, name, least)
                if found is not None and found > self._lower[name]:
                    self._lower[name] = found
                    self._reasons[name, True] = self._because(left, right, name, lower=True)
                    self._changes[name] += 1
                    improved = True
        for name in left.names:
            if most is not None and _solvable(left, name):
                found = self._largest_argument(left, name, most)
                if found is not None and found < self._upper.get(name, math.inf):
                    self._upper[name] = found
                    self._reasons[name, False] = self._because(right, left, name, lower=False)
                    self._changes[name] += 1
                    improved = True
        for name in sorted(inequality.names & self._upper.keys()):
            self._consistent(name, self._lower[name], self._upper[name])
        return improved

    def _least_argument(self, right: Expression, name: str, least: Real) -> Number | None:
        """Return the least value of a quantity with which the right side can reach `least`."""
        if right.bare == name:
            fraction = _is_fraction(name)
            return rounded(least, LOG_PLACES, up=False) if fraction else math.ceil(least)
        at = dict(self._upper)

        def reaches(argument: int) -> bool | None:
            return _at_least(right, {**at, name: argument}, least)

        return _first(reaches, self._lower[name], self._upper.get(name))

    def _largest_argument(self, left: Expression, name: str, most: Real) -> Number | None:
        """Return the largest value of a quantity with which the left side stays within `most`."""
        if left.bare == name:
            fraction = _is_fraction(name)
            return rounded(most, LOG_PLACES, up=True) if fraction else math.floor(most)
        at = dict(self._lower)

        def exceeds(argument: int) -> bool | None:
            return _at_least(left, {**at, name: argument}, most, strictly=True)

        first = _first(exceeds, self._lower[name], self._upper.get(name))
        return None if first is None else first - 1

    def _because(self, given: Expression, own: Expression, name: str, *, lower: bool) -> str:
        """Return the reason for a bound: `given` is the other side, `own` has the quantity."""
        if given.bare is None and given.names <= set(COUNTS):
            known = self._lower if lower else self._upper
            numbers = {count: _whole(known[count]) for count in given.names}
            return given.filled({c: n for c, n in numbers.items() if n < READABLE})
        parts = [self._known(other, lower=lower) for other in sorted(given.names)]
        parts += [self._known(other, lower=not lower) for other in sorted(own.names - {name})]
        return ", ".join(dict.fromkeys(parts))

    def _known(self, name: str, *, lower: bool) -> str:
        """Return a quantity with its value or bound, or the reason for the bound."""
        if (name, lower) in self._reasons:
            return self._reasons[name, lower]
        value = self._lower[name] if lower else self._upper[name]
        if value >= READABLE:
            return name
        exact = self._lower[name] == self._upper.get(name)
        return f"{name} {value}" if exact else f"{name} {'>=' if lower else '<='} {value}"

    def _consistent(self, name: str, lower: Number, upper: Number) -> Range:
        if lower > upper:
            raise LsclassesError(
                f"The known values of the class contradict an inequality of all classes: {name} "
                f"would be at least {lower} and at most {upper}."
            )
        return Range(lower, upper)


def _numbers() -> list[str]:
    """Return the dimensions that are numbers."""
    return [name for name, entry in DIMENSIONS.items() if entry.kind != "sequence"]


def _is_fraction(name: str) -> bool:
    """Return whether a quantity need not be an integer."""
    return name in DIMENSIONS and DIMENSIONS[name].kind == "fraction"


def _solvable(side: Expression, name: str) -> bool:
    """Return whether a bound on one side implies a bound on a quantity in it."""
    return name not in COUNTS and (side.bare == name or not _is_fraction(name))


def _whole(value: Number) -> int:
    return math.ceil(value)


def _value(expression: Expression, at: Mapping[str, Quantity]) -> Real | None:
    """Return the value, or None for an unknown quantity or a value too large to compute."""
    if not expression.names <= at.keys():
        return None
    try:
        return expression(at)
    except TooLarge:
        return None


def _at_least(
    expression: Expression, at: Mapping[str, Quantity], value: Real, *, strictly: bool = False
) -> bool | None:
    """Return whether a formula is at least a value, or exceeds it, or None if this is unknown."""
    if not expression.names <= at.keys():
        return None
    try:
        found = expression(at)
    except TooLarge:
        return True if value < LARGE else None
    return found > value if strictly else found >= value


def _first(holds: Callable[[int], bool | None], start: Number, stop: Number | None) -> int | None:
    """Return the least integer from `start` on at which an increasing condition holds.

    The result is the integer after `stop` if the condition fails up to `stop`, and None if this is
    unknown.
    """
    low = high = math.ceil(start)
    step = 1
    while not (held := holds(high)):
        if held is None or high > LARGE:
            return None
        if stop is not None and high >= stop:
            return high + 1
        low = high + 1
        high = high + step if stop is None else min(high + step, math.ceil(stop))
        step *= 2
    while low < high:
        middle = (low + high) // 2
        held = holds(middle)
        if held is None:
            return None
        low, high = (low, middle) if held else (middle + 1, high)
    return low


ENTRIES = 12
"""Number of entries of the growth function in a summary."""


def summarize(C: ConceptClass, names: Iterable[str] | None, limit: Limit) -> Summary:
    """Return the summary that `ConceptClass.summary` describes."""
    given = list(DIMENSIONS) if names is None else iterated(names, "names of dimensions")
    chosen = [names] if isinstance(names, str) else list(given)
    chosen = list(dict.fromkeys(map(DIMENSIONS.require, chosen)))
    if not chosen:
        raise InvalidInput("A summary needs at least one name of a dimension. Got none.")
    found, start = [], time.monotonic()
    for place, name in enumerate(chosen):
        rest = limit
        if limit.seconds is not None:
            left = limit.seconds - (time.monotonic() - start)
            rest = replace(limit, seconds=max(left / (len(chosen) - place), 1e-3))
        found.append(_searched(C, name, rest))
    if not C.is_empty and C.domain.size != 0:
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
    """Return the results with bounds that follow from other dimensions."""
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
    lower, upper, text = math.inf, math.inf, "infinite"
    if not found.infinite:
        lower, upper, text = found.lower, found.upper, _text(found.lower, found.upper)
    title = DIMENSIONS[found.name].title
    return SummaryRow(found.name, title, text, found.source, lower, upper)


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
