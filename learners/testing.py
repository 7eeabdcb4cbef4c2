"""Privacy tests of one line for the test suite of a project: ``assert_private``."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

import numpy as np

from learners.audit import Enclosure, ProgramFinding, program
from learners.audit.claims import Number, checked_claim, claim_text
from learners.audit.enclosures import float_above, float_below, rounded_text, text_above, text_below
from learners.audit.enumerated_programs import Errors, Program
from learners.audit.given_distributions import CONFIDENCE
from learners.audit.program_sources import Source
from learners.audit.programs import DEPTH, MAX_BRANCHES
from learners.exact import TAIL
from lsclasses.numbers import format_number
from lsclasses.verdicts import Verdict

__all__ = ["assert_private"]

SHOWN = 8
"""Largest number of outcomes of an event that an error message lists."""
LONG, NEAR = 500, 30
"""Numbers of characters that a message prints: of an input, or else around a difference."""
NEGLIGIBLE = Fraction(1, 10**9)
"""Default of `resolution`: a claim may be exceeded by so much in delta and still holds."""


def assert_private(
    run: Program,
    inputs: Iterable[Any],
    epsilon: Number,
    delta: Number = 0,
    *,
    neighbours: str | Callable[[Any, Any], bool] = "replace_one",
    source: Source = "coins",
    tail: Number = TAIL,
    max_branches: int = MAX_BRANCHES,
    depth: int = DEPTH,
    samples: int = 50_000,
    confidence: Number = CONFIDENCE,
    seed: int = 0,
    errors: Errors = "raise",
    resolution: Number = NEGLIGIBLE,
) -> ProgramFinding:
    """Fail if a program is not (epsilon, delta)-differentially private on the given inputs.

    The test enumerates all branches of the program if it can. Otherwise, it samples the program,
    and fails only if an event refutes the claim at the given confidence.

    Parameters
    ----------
    run : callable
        ``run(data, source)`` returns the output of the program.
    inputs : iterable
        Inputs of the program. Only neighbouring inputs are compared.
    epsilon, delta : Fraction, float or str
        Claimed privacy. A float is read as it is printed: 0.1 is 1/10.
    neighbours, source, tail, max_branches, depth, samples, confidence, seed, errors
        The arguments of `learners.audit.program`.
    resolution : Fraction
        Tolerance. The claim holds if the upper bound on delta(epsilon) is at most the claimed delta
        plus the tolerance.

    Returns
    -------
    ProgramFinding
        The finding, whose ``blind_spots`` list the parts of the claim that the test does not cover.

    Raises
    ------
    AssertionError
        If the claim is violated, or if too much probability was cut to decide. The message contains
        the two inputs, the event and both probabilities.
    InvalidInput
        If no two inputs are neighbours, or the audit detects that the program keeps state between
        runs or draws from another source (see `learners.audit.program`).
    Exception
        An exception of the program, with ``errors="raise"``.

    Examples
    --------
    >>> def noisy_count(rows, coins):
    ...     return sum(rows) + coins.laplace(2)
    >>> assert_private(noisy_count, [(0, 1), (1, 1)], epsilon="1/2").verdict
    'holds'
    >>> assert_private(noisy_count, [(0, 1), (1, 1)], epsilon="1/4")
    Traceback (most recent call last):
        ...
    AssertionError: The program is not (1/4, 0)-differentially private.
      input A  (0, 1)
      input B  (1, 1)
      event    1, 0, -1, -2, -3, -4, -5, -6 and 78 more
      P[event] = 0.622459 on input A, 0.377541 on input B
      P[event on A] exceeds e^epsilon P[event on B] + delta by 0.137688
      needed   epsilon at least 0.499999 at this delta
    """
    claimed = checked_claim((epsilon, delta))
    audited = program(
        run,
        inputs,
        neighbours,
        source=source,
        tail=tail,
        max_branches=max_branches,
        depth=depth,
        samples=samples,
        confidence=confidence,
        seed=seed,
        errors=errors,
    )
    found = audited.against(claimed, resolution=resolution)
    if found.verdict == Verdict.VIOLATED:
        raise AssertionError(_violation(found))
    if found.verdict == Verdict.UNDECIDED:
        raise AssertionError(
            f"The test does not decide whether the program is {_claim(found)}-differentially "
            f"private, because delta(epsilon) is between {text_below(found.measured.lower, 6)} "
            f"and {text_above(found.measured.upper, 6)}. The enumeration cut off "
            f"{found.blind_spots.cut}. Use a smaller tail or a larger resolution."
        )
    return found


def _violation(found: ProgramFinding) -> str:
    """Return the message of a violated claim."""
    likely, other = "AB"[found.direction], "AB"[1 - found.direction]
    first, second = (_probability(each) for each in found.event.probabilities)
    excess = Enclosure(
        float_below(Fraction(found.measured.lower) - found.delta),
        float_above(Fraction(found.measured.upper) - found.delta),
    )
    lines = [
        f"The program is not {_claim(found)}-differentially private.",
        f"  input A  {_cut(found.pair[0])}",
        f"  input B  {_cut(found.pair[1])}",
        *_difference(*found.pair),
        f"  event    {_outcomes(found.event.outcomes)}",
        f"  P[event] {first} on input A, {second.removeprefix('= ')} on input B",
        f"  P[event on {likely}] exceeds e^epsilon P[event on {other}] + delta by "
        f"{rounded_text(excess, 6) or f'at least {text_below(excess.lower, 6)}'}",
        f"  needed   epsilon {_bound(found.least_epsilon)} at this delta",
    ]
    if not found.enumerated:
        lines.append(f"  sampled  {found.reason} {found.power}")
    return "\n".join(lines)


def _cut(value: Any) -> str:
    """Return the text of an input, with a mark if it is cut."""
    text = repr(value)
    return text if len(text) <= LONG else f"{text[:LONG]}... ({len(text)} characters)"


def _difference(zero: Any, one: Any) -> list[str]:
    """Return the place of the first difference of two long inputs, in words."""
    texts = repr(zero), repr(one)
    if max(map(len, texts)) <= LONG:
        return []
    items = [each.tolist() if isinstance(each, np.ndarray) else each for each in (zero, one)]
    if not all(isinstance(each, (list, tuple)) for each in items):
        items = list(texts)
    sizes = [len(each) for each in items]
    place = next(
        (i for i, pair in enumerate(zip(*items, strict=False)) if repr(pair[0]) != repr(pair[1])),
        min(sizes),
    )
    if items == list(texts):
        shown = [each[max(0, place - NEAR) : place + NEAR] for each in texts]
        return [f"  differ   near character {place}: ...{shown[0]}... and ...{shown[1]}..."]
    if sizes[0] == sizes[1]:
        first, second = (_cut(each[place]) for each in items)
        return [f"  differ   at index {place}: {first} in input A, {second} in input B"]
    return [f"  differ   from index {place} on: {sizes[0]} items in input A, {sizes[1]} in input B"]


def _outcomes(outcomes: tuple[Any, ...]) -> str:
    shown = ", ".join(f"{each!r:.100}" for each in outcomes[:SHOWN])
    more = len(outcomes) - SHOWN
    return shown + (f" and {more} more" if more > 0 else "")


def _probability(value: Fraction | Enclosure) -> str:
    if isinstance(value, Fraction):
        return f"= {format_number(value)}"
    if (known := rounded_text(value, 6)) is not None:
        return f"= {known}"
    return f"between {text_below(value.lower, 4)} and {text_above(value.upper, 4)}"


def _bound(bounds: Enclosure) -> str:
    if math.isinf(bounds.lower):
        return "is infinite"
    if (known := rounded_text(bounds, 6)) is not None:
        return f"= {known}"
    return f"at least {text_below(bounds.lower, 6)}"


def _claim(found: ProgramFinding) -> str:
    return f"({claim_text(found.epsilon)}, {claim_text(found.delta)})"
