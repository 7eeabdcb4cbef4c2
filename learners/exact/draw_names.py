"""Names of the draws of a program in messages."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from lsclasses.numbers import format_number


def _fraction(numerator: int, denominator: int) -> str:
    return format_number(Fraction(numerator, denominator), exact=10**6)


NAMES: dict[object, Callable[..., str]] = {
    "below": lambda n: f"a uniform integer below {n}",
    "flip": lambda a, b: f"an event of probability {_fraction(a, b)}",
    "decays": lambda a, b: f"an event of probability e^-({_fraction(a, b)})",
    "failures": lambda a, b, limit: f"a number of failures, at most {limit}",
    "pick": lambda exponents, *_: f"one of {len(exponents)} weighted values",
    "noisy maximum": lambda scores, *_: f"the largest noisy score of {len(scores)} groups",
    "at_least": lambda *_: "a comparison of Laplace noise",
    "laplace": lambda a, b: f"Laplace noise of scale {_fraction(a, b)}",
    "gaussian": lambda a, b, *_: f"Gaussian noise of variance {_fraction(a, b)}",
    "geometric": lambda a, b: f"a number of trials with probability {_fraction(a, b)} of success",
    "binomial": lambda n, a, b: f"a number of successes in {n} trials",
}


def draw_in_words(key: tuple[Any, ...]) -> str:
    """Return the name of a draw, which the enumeration stores as a tuple.

    Examples
    --------
    >>> draw_in_words(("flip", 1, 2)), draw_in_words(("laplace", 5, 2))
    ('an event of probability 1/2', 'Laplace noise of scale 5/2')
    """
    name, *parameters = key
    return NAMES[name](*parameters)
