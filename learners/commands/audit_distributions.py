"""The report of ``lsclasses audit --distributions``."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from lsclasses.commands.output import print_json, say
from lsclasses.numbers import format_number

if TYPE_CHECKING:
    from learners.audit import DistributionAudit, DistributionFinding, Enclosure, WitnessEvent

DELTAS = tuple(Fraction(1, 10**k) for k in (9, 6, 3, 1))
EPSILONS = (Fraction(0), Fraction(1, 4), Fraction(1, 2), Fraction(1), Fraction(2))
ORDERS = (1.0, 2.0, 8.0, math.inf)
SHOWN = 6
"""Largest number of outcomes and of vertices that are printed."""


def print_report(
    name: str,
    audit: DistributionAudit,
    found: DistributionFinding | None,
    drawn: str,
    *,
    as_json: bool,
) -> None:
    """Print the loss of two distributions, and the verdict on a claim if there is one.

    Parameters
    ----------
    name : str
        Name of the file.
    audit : DistributionAudit
    found : DistributionFinding or None
        The comparison with the claim.
    drawn : str
        The curve delta(epsilon) as text.
    as_json : bool
        Whether to print JSON.
    """
    if as_json:
        print_json(_json(name, audit, found))
        return
    say(f"{name}: {audit.blind_spots.enumerated}")
    if found is not None:
        epsilon, delta = _number(found.epsilon), _number(found.delta)
        say(f"  claimed   (epsilon, delta) = ({epsilon}, {delta})")
        say(f"  measured  delta({epsilon}) {_between(found.measured, sampled=audit.is_sampled)}")
        say(f"  verdict   {found.verdict.in_full}", verdict=(found.verdict.in_full, found.verdict))
    deltas = [Fraction(0), *DELTAS] + ([found.delta] if found else [])
    for small in sorted(set(deltas)):
        say(f"  needed    epsilon {_between(audit.epsilon(small))} with delta {_number(small)}")
    for large in EPSILONS:
        measured = _between(audit.delta(large), sampled=audit.is_sampled)
        say(f"  needed    delta {measured} with epsilon {_number(large)}")
    for order in ORDERS:
        say(f"  Renyi     divergence of order {order:g} {_between(audit.renyi(order))}")
    zcdp = audit.zcdp()
    say(f"  zCDP      least rho {_between(zcdp.rho)}")
    curve = audit.tradeoff()
    vertices = (curve.upper if audit.is_sampled else curve.lower).tolist()
    shown = ", ".join(f"({_short(x)}, {_short(y)})" for x, y in vertices[:SHOWN])
    more = f" and {len(vertices) - SHOWN} more" if len(vertices) > SHOWN else ""
    say(f"  f-DP      vertices {shown}{more}")
    event = audit.event() if found is None else found.event
    for line in _witness(event):
        say(f"  witness   {line}")
    for line in audit.blind_spots.lines():
        say(f"  {line}")
    say("\nlower bounds:" if audit.is_sampled else "")
    say(drawn)


def _witness(event: WitnessEvent) -> list[str]:
    if not event.outcomes:
        return ["no event distinguishes the distributions"]
    shown = ", ".join(repr(each) for each in event.outcomes[:SHOWN])
    more = len(event.outcomes) - SHOWN
    first, second = (_probability(each) for each in event.probabilities)
    return [
        shown + (f" and {more} more" if more > 0 else ""),
        f"probability {first} under P, {second} under Q",
    ]


def _probability(value: Any) -> str:
    if isinstance(value, Fraction):
        return _number(value)
    return _between(value).removeprefix("= ")


def _number(value: Fraction) -> str:
    return format_number(value, exact=10**9)


def _short(value: Any) -> str:
    return _number(value) if isinstance(value, Fraction) else f"{value:.6g}"


def _between(bounds: Enclosure, *, sampled: bool = False) -> str:
    """Return bounds in words, rounded to the safe side. Samples give only lower bounds."""
    lower, upper = bounds
    if lower == math.inf:
        return "is infinite"
    if upper == math.inf or sampled:
        return f"is at least {_rounded(lower, math.floor)}"
    low, high = _rounded(lower, math.floor), _rounded(upper, math.ceil)
    if upper - lower <= 1e-6 * upper or low == high:
        return f"= {upper:.7g}"
    return f"is in [{low}, {high}]"


def _rounded(value: float, towards: Callable[[float], int]) -> str:
    return f"{towards(value * 10**7) / 10**7:.7g}" if value >= 1e-6 else f"{value:.3g}"


def _json(
    name: str, audit: DistributionAudit, found: DistributionFinding | None
) -> dict[str, object]:
    zcdp, curve = audit.zcdp(), audit.tradeoff()
    event = audit.event() if found is None else found.event
    answer: dict[str, object] = {
        "name": name,
        "exact": audit.is_exact,
        "epsilons": [
            {"delta": str(delta), **_ends(audit.epsilon(delta))} for delta in (Fraction(0), *DELTAS)
        ],
        "deltas": [
            {"epsilon": str(epsilon), **_ends(audit.delta(epsilon))} for epsilon in EPSILONS
        ],
        "ratio": str(audit.ratio()) if audit.is_exact and audit.ratio() != math.inf else None,
        "renyi": [
            {"order": order if order < math.inf else None, **_ends(audit.renyi(order))}
            for order in ORDERS
        ],
        "zcdp": {
            **_ends(zcdp.rho),
            "order": zcdp.order,
            "direction": zcdp.direction,
        },
        "tradeoff": {
            "lower": curve.lower.astype(float).tolist(),
            "upper": curve.upper.astype(float).tolist(),
            "exact": [[str(x), str(y)] for x, y in curve.vertices] if audit.is_exact else None,
        },
        "witness": {
            "event": [repr(outcome) for outcome in event.outcomes],
            "likelier_for": "PQ"[event.direction],
            "probabilities": [_probability_json(each) for each in event.probabilities],
        },
        "blind_spots": audit.blind_spots.to_json(),
    }
    if found is not None:
        answer["claimed"] = {"epsilon": str(found.epsilon), "delta": str(found.delta)}
        answer["verdict"] = found.verdict.in_full
        answer["delta"] = _ends(found.measured)
    return answer


def _ends(bounds: Enclosure) -> dict[str, float | None]:
    # JSON has no infinity, so null replaces an infinite value.
    lower, upper = (each if each < math.inf else None for each in bounds)
    return {"lower": lower, "upper": upper}


def _probability_json(value: Any) -> dict[str, object]:
    from learners.audit import Enclosure

    exact = isinstance(value, Fraction)
    bounds = Enclosure.of(value) if exact else value
    return {**_ends(bounds), "exact": str(value) if exact else None}
