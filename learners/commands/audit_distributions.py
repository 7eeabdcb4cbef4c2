"""The report of ``lsclasses audit --distributions``."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from learners.audit.audit_registry import verdict_text
from learners.audit.claims import claim_text
from learners.audit.enclosures import (
    Enclosure,
    bounds_in_words,
    float_above,
    float_below,
    rounded_text,
    text_above,
    text_below,
)
from lsclasses.commands.output import print_json, say
from lsclasses.numbers import format_number

if TYPE_CHECKING:
    from learners.audit import DistributionAudit, DistributionFinding, TradeoffCurve, WitnessEvent

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
        The loss to print.
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
        epsilon, delta = claim_text(found.epsilon), claim_text(found.delta)
        say(f"  claimed   (epsilon, delta) = ({epsilon}, {delta})")
        words = verdict_text(found.verdict)
        measured = bounds_in_words(found.measured, sampled=audit.is_sampled)
        say(f"  measured  delta({epsilon}) {measured}")
        say(f"  verdict   {words}", verdict=(words, found.verdict))
    deltas = [Fraction(0), *DELTAS] + ([found.delta] if found else [])
    for small in sorted(set(deltas)):
        needed = bounds_in_words(audit.epsilon(small))
        say(f"  needed    epsilon {needed} with delta {claim_text(small)}")
    for large in EPSILONS:
        measured = bounds_in_words(audit.delta(large), sampled=audit.is_sampled)
        say(f"  needed    delta {measured} with epsilon {_number(large)}")
    for order in ORDERS:
        say(f"  Renyi     divergence of order {order:g} {bounds_in_words(audit.renyi(order))}")
    zcdp = audit.zcdp()
    say(f"  zCDP      least rho {bounds_in_words(zcdp.rho)}")
    curve = audit.tradeoff()
    say(f"  f-DP      vertices {_vertices(curve, sampled=audit.is_sampled)}")
    event = audit.event() if found is None else found.event
    for line in _witness(event, sampled=audit.is_sampled):
        say(f"  witness   {line}")
    for line in audit.blind_spots.lines():
        say(f"  {line}")
    say("\nlower bounds:" if audit.is_sampled else "")
    say(drawn)


def _witness(event: WitnessEvent, *, sampled: bool) -> list[str]:
    if not event.outcomes:
        return ["no event distinguishes the distributions"]
    shown = ", ".join(repr(each) for each in event.outcomes[:SHOWN])
    more = len(event.outcomes) - SHOWN
    first, second = (_probability(each, sampled=sampled) for each in event.probabilities)
    return [
        shown + (f" and {more} more" if more > 0 else ""),
        f"probability {first} under P, {second} under Q",
    ]


def _probability(value: Fraction | Enclosure, *, sampled: bool) -> str:
    if isinstance(value, Fraction):
        return _number(value)
    if not sampled and (known := rounded_text(value)) is not None:
        return known
    return f"in [{text_below(value.lower)}, {text_above(value.upper)}]"


def _number(value: Fraction) -> str:
    return format_number(value, exact=10**9)


def _vertices(curve: TradeoffCurve, *, sampled: bool) -> str:
    """Return the first vertices: of the lower curve, or from samples of the upper curve."""
    shown = []
    for place in range(min(SHOWN, len(curve.upper))):
        if sampled:
            texts = [text_above(each, 6) for each in curve.upper[place].tolist()]
        else:
            low, high = curve.lower[place].tolist(), curve.upper[place].tolist()
            texts = [_coordinate(*each) for each in zip(low, high, strict=True)]
        shown.append(f"({', '.join(texts)})")
    more = len(curve.upper) - SHOWN
    return ", ".join(shown) + (f" and {more} more" if more > 0 else "")


def _coordinate(low: Any, high: Any) -> str:
    if isinstance(low, Fraction) and low == high:
        return _number(low)
    bounds = Enclosure(float_below(low), float_above(high))
    return rounded_text(bounds, 6) or text_below(bounds.lower, 6)


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
        answer["verdict"] = verdict_text(found.verdict)
        answer["delta"] = _ends(found.measured)
    return answer


def _ends(bounds: Enclosure) -> dict[str, float | None]:
    # JSON has no infinity, so null replaces an infinite value.
    lower, upper = (each if each < math.inf else None for each in bounds)
    return {"lower": lower, "upper": upper}


def _probability_json(value: Any) -> dict[str, object]:
    exact = isinstance(value, Fraction)
    bounds = Enclosure.of(value) if exact else value
    return {**_ends(bounds), "exact": str(value) if exact else None}
