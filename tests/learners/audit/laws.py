"""Laws that are known in closed form, to audit audits by."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb
from hypothesis import strategies as st

from learners.coins import Coins
from learners.exact import OutputDistribution, exact_distribution

HALF = Fraction(1, 2)
weights = st.lists(st.integers(0, 6), min_size=4, max_size=4).filter(any)
epsilons = st.fractions(0, 2, max_denominator=20)


def rational_law(parts: list[int]) -> OutputDistribution[int]:
    """The law that gives outcome i the share parts[i]."""
    slots = [i for i, part in enumerate(parts) for _ in range(part)]
    return exact_distribution(lambda coins: slots[coins.below(len(slots))])


def close(ball: arb, value: float) -> bool:
    return abs(float(ball.mid()) - value) < 1e-9 and float(ball.rad()) < 1e-9


@dataclass(frozen=True)
class Program:
    """What answers one item after another, made of two functions."""

    answer: Callable[[Any, Any, Coins], tuple[Any, Hashable]]
    start: Callable[..., Any] = lambda coins: 0
