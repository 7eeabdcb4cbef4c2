"""Measurements of OpenDP."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from learners.adapters.external_mechanisms import ExternalMechanism
from lsclasses.errors import InvalidInput


def from_opendp(measurement: Any, distance: Any, name: str = "measurement") -> ExternalMechanism:
    """Return a measurement of OpenDP with the claim of its privacy map.

    OpenDP draws from the randomness of the operating system, so an audit samples the measurement.

    Parameters
    ----------
    measurement : opendp.Measurement
        Measurement whose output measure is `MaxDivergence`, ``Approximate<MaxDivergence>`` or
        `ZeroConcentratedDivergence`.
    distance : object
        Distance of the two inputs in the input metric of the measurement. The audited inputs must
        have at most this distance, which the audit does not check.
    name : str
        Name in reports.

    Raises
    ------
    InvalidInput
        If the output measure is another measure.

    Examples
    --------
    >>> class Measurement:
    ...     output_measure = "MaxDivergence"
    ...     def map(self, distance):
    ...         return 0.5 * distance
    >>> from_opendp(Measurement(), 2).claim
    'epsilon = 1'
    """
    measure = str(measurement.output_measure)
    loss = measurement.map(distance)
    delta = Fraction(0)
    if measure == "ZeroConcentratedDivergence":
        return ExternalMechanism(name, measurement, "internal", rho=Fraction(loss))
    if measure.startswith("Approximate") and "MaxDivergence" in measure:
        loss, given = loss
        delta = Fraction(given)
    elif measure != "MaxDivergence":
        raise InvalidInput(
            "The output measure must be MaxDivergence, Approximate<MaxDivergence> or "
            f"ZeroConcentratedDivergence. Got {measure}."
        )
    return ExternalMechanism(name, measurement, "internal", Fraction(loss), delta)
