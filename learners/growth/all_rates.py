"""All rates, by paper."""

from __future__ import annotations

from learners.growth import bf25, blm20, gl21, kmmns23, lwy25
from learners.growth.rates import Rate

PAPERS: dict[str, tuple[Rate, ...]] = {
    "LWY25": lwy25.RATES,
    "KMMNS23": (*kmmns23.RATES, *kmmns23.PHASES),
    "GL21": gl21.RATES,
    "BF25": bf25.RATES,
    "BLM20": blm20.RATES,
}
"""Rates by the tag of the paper."""

RATES: dict[str, Rate] = {rate.name: rate for rates in PAPERS.values() for rate in rates}
"""Rates by name."""
