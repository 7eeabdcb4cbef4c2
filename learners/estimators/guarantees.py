"""Budgets as people write them, and the guarantee that a model carries."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import ROUND_CEILING, Context, Decimal, localcontext
from fractions import Fraction
from typing import Any

import numpy as np

from learners.accounting import Event, Sequential, basic, total
from learners.coins import rational
from learners.mechanisms.parameters import checked_neighbours
from lsclasses.errors import InvalidInput

__all__ = ["Guarantee", "budget_fraction"]

LARGEST_EXPONENT = 400
"""Beyond it a number is a typing error; written out, it might fill the memory."""


def budget_fraction(value: Any, name: str) -> Fraction:
    """A budget as the fraction that its decimal digits say: 0.1 is 1/10.

    A privacy parameter that is written as a float or a text is read as it is printed; mechanisms
    themselves refuse floats.

    Raises
    ------
    InvalidInput
        If it is no finite number.

    Examples
    --------
    >>> budget_fraction(0.1, "epsilon"), budget_fraction("1e-6", "delta")
    (Fraction(1, 10), Fraction(1, 1000000))
    """
    if not isinstance(value, (str, float, np.floating, Decimal)):
        return rational(value, name)
    text = str(value)
    exponent = re.search(r"[eE]([-+]?\d+)\s*$", text)
    try:
        if "_" not in text and (exponent is None or abs(int(exponent[1])) <= LARGEST_EXPONENT):
            return Fraction(text)
    except (ValueError, ZeroDivisionError):
        pass
    raise InvalidInput(f"The {name} must be a number such as 0.5. Got {value!r}.")


@dataclass(frozen=True)
class Guarantee:
    """What is known of the privacy of a model.

    Attributes
    ----------
    epsilon, delta : Fraction
        In all.
    neighbours : str
        ``"replace_one"`` or ``"add_remove"``.
    ledger : tuple of (str, Fraction, Fraction)
        What was released, with the cost of each if losses are added up.
    method : str
        How the total was found: ``basic`` if it is the sum, else as in `learners.accounting.Total`.
    simulated : bool
        Whether it was drawn from a seed, so that whoever knows the seed can undo the noise.

    Examples
    --------
    >>> from learners.accounting import ApproximateDP, PureDP
    >>> event = Sequential((PureDP(Fraction(1, 10), name="cut points"),
    ...                     ApproximateDP(Fraction(9, 10), Fraction(1, 10**6), name="rules")))
    >>> print(Guarantee.of(event, simulated=False))
    cut points: epsilon 0.1
    rules: epsilon 0.9, delta 1e-06
    in all: (1, 1e-06)-differentially private, one row replaced
    """

    epsilon: Fraction
    delta: Fraction
    neighbours: str
    ledger: tuple[tuple[str, Fraction, Fraction], ...]
    method: str
    simulated: bool

    @classmethod
    def of(cls, event: Event, *, simulated: bool, delta: Fraction | None = None) -> Guarantee:
        """The guarantee that an event gives, by the best composition where a delta is given."""
        epsilon, spent = basic(event)
        method = "basic"
        if delta is not None and delta > spent:
            found = total(event, delta)
            if found.epsilon < epsilon:
                epsilon, spent, method = found.epsilon, found.delta, found.method
        (neighbours,) = {leaf.neighbours for leaf in event.leaves()}
        ledger: dict[str, tuple[Fraction, Fraction]] = {}
        for part in _parts(event):
            name = next(iter(part.leaves())).name
            before, cost = ledger.get(name, (Fraction(0), Fraction(0))), basic(part)
            ledger[name] = before[0] + cost[0], before[1] + cost[1]
        return cls(
            epsilon,
            spent,
            neighbours,
            tuple((name, *costs) for name, costs in ledger.items()),
            method,
            simulated,
        )

    def __str__(self) -> str:
        relation = {
            "replace_one": "one row replaced",
            "add_remove": "one row added or removed",
        }[self.neighbours]
        lines = [
            f"{name}: epsilon {_decimal(epsilon)}" + (f", delta {_decimal(delta)}" if delta else "")
            for name, epsilon, delta in self.ledger
        ]
        by = "" if self.method == "basic" else f" by {self.method}, which is less than the sum"
        lines.append(
            f"in all: ({_decimal(self.epsilon)}, {_decimal(self.delta)})-differentially private"
            f"{by}, {relation}"
        )
        if self.simulated:
            lines.append(
                "This is a simulation: the randomness came from a seed, so do not publish it."
            )
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        """What `from_json` reads; budgets are texts such as 1/10."""
        return {
            "epsilon": str(self.epsilon),
            "delta": str(self.delta),
            "neighbours": self.neighbours,
            "ledger": [[name, str(epsilon), str(delta)] for name, epsilon, delta in self.ledger],
            "method": self.method,
            "simulated": self.simulated,
        }

    @classmethod
    def from_json(cls, data: Any) -> Guarantee:
        """The guarantee that `to_json` wrote.

        Raises
        ------
        InvalidInput
            If a budget is negative or no number, or it is not said whether it was a simulation.
        """
        if not isinstance(data["simulated"], bool):
            raise InvalidInput(f'"simulated" must be true or false. Got {data["simulated"]!r}.')
        return cls(
            *_saved_budget(data["epsilon"], data["delta"]),
            checked_neighbours(data["neighbours"]),
            tuple((str(name), *_saved_budget(e, d)) for name, e, d in data["ledger"]),
            str(data["method"]),
            data["simulated"],
        )


def _saved_budget(epsilon: Any, delta: Any) -> tuple[Fraction, Fraction]:
    values = budget_fraction(epsilon, "epsilon"), budget_fraction(delta, "delta")
    if min(values) < 0:
        raise InvalidInput(f"a budget is at least 0. Got epsilon {epsilon} and delta {delta}.")
    return values


def _parts(event: Event) -> Iterator[Event]:
    """The releases about the same data that an event is made of."""
    if not isinstance(event, Sequential):
        yield event
        return
    for part in event.events:
        yield from _parts(part)


def _decimal(value: Fraction) -> str:
    """The number with six digits, rounded up where it has more."""
    with localcontext(Context(prec=6, rounding=ROUND_CEILING)):
        rounded = Decimal(value.numerator) / Decimal(value.denominator)
    return f"{float(rounded):.6g}"
