"""Mechanisms of diffprivlib."""

from __future__ import annotations

import copy
import random
from fractions import Fraction
from typing import Any

from learners.adapters.external_mechanisms import ExternalMechanism
from learners.audit.program_sources import Source
from lsclasses.numbers import as_printed

NUMPY_MECHANISMS = frozenset({"Staircase", "Bingham"})
"""Mechanisms whose constructors replace the generator of Python by a generator of NumPy."""


class _SystemRandom(random.SystemRandom):
    """A generator of the type that diffprivlib requires, which draws from another generator."""

    def __new__(cls, source: random.Random) -> _SystemRandom:
        return super().__new__(cls)

    def __init__(self, source: random.Random) -> None:
        self._source = source
        self.gauss_next = None

    def random(self) -> Any:
        return self._source.random()

    def getrandbits(self, k: int, /) -> int:
        return self._source.getrandbits(k)


def from_diffprivlib(
    mechanism: Any, *, name: str = "", inputs_are_mechanisms: bool = False
) -> ExternalMechanism:
    """Return a mechanism of diffprivlib with its epsilon and delta.

    The mechanisms of diffprivlib draw by the methods ``random``, ``getrandbits``, ``normalvariate``
    and ``gammavariate`` of the attribute ``_rng``. The adapter replaces this attribute by the
    generator of the audit. Mechanisms that only compare uniform numbers, such as `Binary` and
    `Exponential`, are then enumerated, unless they have too many branches. For example,
    `PermuteAndFlip` with three candidates has too many branches. Other mechanisms are
    sampled. `Staircase` and `Bingham` call methods of a generator of NumPy, so they receive one.

    Parameters
    ----------
    mechanism : diffprivlib.mechanisms.DPMechanism
        The mechanism, whose method ``randomise`` makes the release.
    name : str
        Name in reports. The default is the name of the class.
    inputs_are_mechanisms : bool
        Whether the inputs of the audit are mechanisms. Mechanisms such as `Exponential` receive the
        data, a list of utilities, when they are made. Then ``mechanism`` only states the claim.
        Without this option, diffprivlib raises ValueError ("Value to be randomised must be None").

    Examples
    --------
    >>> class Binary:
    ...     epsilon, delta, _rng = 1.0, 0.0, None
    ...     def randomise(self, value):
    ...         return value if self._rng.random() < 0.75 else 1 - value
    >>> found = from_diffprivlib(Binary()).audit([0, 1])
    >>> found.verdict, found.audit.enumerated
    ('violated', True)
    """
    names = {kind.__name__ for kind in type(mechanism).__mro__}
    source: Source = "numpy" if names & NUMPY_MECHANISMS else "random"

    def run(data: Any, rng: Any) -> Any:
        # A copy has its own generator, so that no run changes the mechanism.
        used = copy.copy(data if inputs_are_mechanisms else mechanism)
        used._rng = rng if source == "numpy" else _SystemRandom(rng)
        try:
            return used.randomise(None if inputs_are_mechanisms else data)
        except RuntimeError:
            # The error is visible. For example, `PermuteAndFlip` finds no candidate if a uniform
            # number is 0, which has the probability 2^-53.
            return "RuntimeError"

    return ExternalMechanism(
        name or type(mechanism).__name__,
        run,
        source,
        as_printed(float(mechanism.epsilon), "epsilon"),
        as_printed(float(mechanism.delta), "delta") if mechanism.delta else Fraction(0),
    )
