"""Noisy answers: an exact audit of all neighbouring data sets, and errors by seeds."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

import catalog
from learners.audit.audit_registry import instance
from learners.claim_checks import Claim, ClaimCheck, Outcome, audited, checked, recomputes
from learners.coins import SeededCoins
from learners.sanitizers.base import SANITIZATION_ERROR, sanitization_error
from learners.sanitizers.noisy_answers import NoisyAnswers
from learners.sanitizers.point_samples import PointSample

__all__ = ["HalfTheNoise", "checks"]

TOPIC = "sanitizers"
SOURCE = "learners.sanitizers.noisy_answers"

PRIVATE = Claim(
    "privacy of NoisyAnswers, all neighbouring data sets",
    "(epsilon, 0)",
    source=SOURCE,
    falsified="half the noise",
)
ERROR = Claim(
    f"{SANITIZATION_ERROR} of NoisyAnswers",
    "m/n",
    "<=",
    SOURCE,
    falsified="m/(8n)",
)


class HalfTheNoise(NoisyAnswers):
    """Wrong: noise as if a replaced row changed half of the answers."""

    @property
    def scale(self) -> Fraction:
        """Half the scale that is paid for."""
        return super().scale / 2


@recomputes(PRIVATE)
def private_answers(specification: str) -> Iterator[Outcome]:
    """All neighbouring data sets, and the same with half of the noise."""
    built = instance(specification)
    good = built.mechanism
    false = built.audit(twin=HalfTheNoise(good.of, good.epsilon, good.beta))
    yield audited(PRIVATE, specification, built.audit(), false=false)


@recomputes(ERROR)
def errors_of_answers(specification: str, rows: int, seeds: int) -> Iterator[Outcome]:
    """Errors of runs from seeds."""
    C = catalog.build(specification).to_table()
    sanitizer = NoisyAnswers(C, Fraction(1))
    sample = PointSample.at(C.domain, np.arange(rows) ** 2 % len(C.domain))
    errors = [
        sanitization_error(sanitizer.release(sample, SeededCoins(seed)), C, sample)
        for seed in range(seeds)
    ]
    (bound,) = sanitizer.bounds(rows)
    where = f"{specification}, n={rows}, {seeds} seeds"
    yield checked(
        ERROR, where, bound, errors, false=Fraction(sanitizer.off, 8 * rows), privacy=(1, 0)
    )


def checks() -> list[ClaimCheck]:
    """The smallest instances first."""
    return [
        ClaimCheck(TOPIC, private_answers, ("noisy_answers",)),
        ClaimCheck(TOPIC, private_answers, ("noisy_answers:points=3",)),
        ClaimCheck(TOPIC, errors_of_answers, ("thresholds:n=6", 500, 20)),
    ]
