"""A mechanism of another library with its claim, and the result of its audit."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from learners.audit import BlindSpots, Enclosure, ProgramAudit, WitnessEvent, program
from learners.audit.binned_outcomes import merged_bins
from learners.audit.enumerated_programs import Program
from learners.audit.program_sources import Source
from lsclasses.numbers import format_number
from lsclasses.verdicts import Verdict

CLOSE = Fraction(1, 10**6)
"""Relative and absolute excess of a measured loss over its claim that may be a rounding error."""
NEGLIGIBLE = Fraction(1, 10**12)
"""Probability of events that an audit of another library ignores. Programs that compare
floating-point numbers with 53 random bits have events of probability 2^-53."""


@dataclass(frozen=True)
class ExternalFinding:
    """The result of an audit of a mechanism of another library.

    Attributes
    ----------
    claimed : Fraction
        The claimed epsilon, or the claimed rho.
    measured : Enclosure
        Bounds on the least epsilon at the claimed delta plus 10^-12, or on the least rho.
    verdict : Verdict
        `VIOLATED` if the lower bound exceeds the claim by more than rounding explains: by more than
        a factor of 1 + 10^-6 plus 10^-6.
    pair : tuple
        The two inputs with the largest loss.
    event : WitnessEvent
        An event that distinguishes the inputs.
    audit : ProgramAudit
        The losses of all pairs.
    """

    claimed: Fraction
    measured: Enclosure
    verdict: Verdict
    pair: tuple[Any, Any]
    event: WitnessEvent
    audit: ProgramAudit

    @property
    def blind_spots(self) -> BlindSpots:
        """The parts of the claim that the audit does not test."""
        return self.audit.blind_spots


@dataclass(frozen=True)
class ExternalMechanism:
    """A mechanism with its claim of (epsilon, delta)-differential privacy or of rho-zCDP.

    Attributes
    ----------
    name : str
        Name of the mechanism.
    run : callable
        ``run(data)`` or ``run(data, source)``, as for `learners.audit.program`.
    source : str
        Source of the random draws.
    epsilon : Fraction, optional
        Claimed epsilon, or None if the claim is rho.
    delta : Fraction
        Claimed delta.
    rho : Fraction, optional
        Claimed zCDP parameter.

    Examples
    --------
    >>> def respond(bit, rng):
    ...     return bit if rng.random() < 0.75 else 1 - bit
    >>> found = ExternalMechanism("response", respond, "random", Fraction(1)).audit([0, 1])
    >>> found.verdict, round(found.measured.lower, 4)
    ('violated', 1.0986)
    """

    name: str
    run: Program
    source: Source
    epsilon: Fraction | None = None
    delta: Fraction = Fraction(0)
    rho: Fraction | None = None

    @property
    def claim(self) -> str:
        """The claim in words."""
        if self.epsilon is None:
            return f"rho = {format_number(self.rho or Fraction(0))}"
        delta = f", delta = {format_number(self.delta)}" if self.delta else ""
        return f"epsilon = {format_number(self.epsilon)}{delta}"

    def audit(
        self, inputs: Iterable[Any], neighbours: Any = "all", **options: Any
    ) -> ExternalFinding:
        """Compare the claim with the measured loss on neighbouring inputs.

        Parameters
        ----------
        inputs : iterable
            Inputs of the mechanism.
        neighbours : str or callable
            Neighbour relation of the claim.
        **options
            Further arguments of `learners.audit.program`.
        """
        audited = program(self.run, inputs, neighbours, source=self.source, **options)
        if self.epsilon is None:
            claimed, measured = self.rho or Fraction(0), audited.zcdp()
            worst = max(
                range(len(audited.losses)), key=lambda i: audited.losses[i].zcdp().rho.lower
            )
            event = audited.losses[worst].event()
        else:
            delta = self.delta + NEGLIGIBLE
            claimed, measured = self.epsilon, audited.epsilon(delta)
            worst = audited.worst(delta)
            event = audited.losses[worst].event(delta=delta)
        event = replace(event, outcomes=merged_bins(event.outcomes))
        allowed = claimed * (1 + CLOSE) + CLOSE
        if measured.lower > allowed:
            verdict = Verdict.VIOLATED
        elif not audited.enumerated:
            verdict = Verdict.CONSISTENT
        else:
            verdict = Verdict.HOLDS if measured.upper <= allowed else Verdict.UNDECIDED
        return ExternalFinding(claimed, measured, verdict, audited.pairs[worst], event, audited)
