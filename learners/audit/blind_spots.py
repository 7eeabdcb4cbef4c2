"""The blind spots of an audit: the parts of a privacy claim that the audit does not test."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from learners.audit.enclosures import text_above, text_below

SIZES = "other sizes and parameters than the audited instance"
NEIGHBOURS = "other neighbouring inputs than the compared pairs"
CHANNELS = "side channels, such as running time, memory, errors and log messages"
RANDOMNESS = (
    "the source of randomness in production, and floating-point errors outside the audited program"
)
HIDDEN = (
    "other sources of randomness, and state outside the data, which two identical queries do not "
    "reveal"
)
PROGRAM = "the program that produced the distributions, and its floating-point errors"
STRATEGIES = "other moves of the adversary and longer games than the explored game"


@dataclass(frozen=True)
class BlindSpots:
    r"""The parts of a claim that an audit covers, and the parts that it does not cover.

    Attributes
    ----------
    enumerated : str
        Description of the outcomes that were enumerated or sampled.
    cut : str
        Description of the outcomes that were cut off, with their probability.
    unseen : tuple of str
        Properties of the mechanism that the audited instance cannot show.
    sampled : bool
        Whether the audit sampled outcomes instead of enumerating all outcomes.

    Examples
    --------
    >>> spots = BlindSpots("2 outcomes", "none", (SIZES, NEIGHBOURS))
    >>> print("\n".join(spots.lines()))
    enumerated  2 outcomes
    cut off     none
    not tested  other sizes and parameters than the audited instance
    not tested  other neighbouring inputs than the compared pairs
    """

    enumerated: str
    cut: str
    unseen: tuple[str, ...]
    sampled: bool = False

    def lines(self) -> list[str]:
        """Return one line for each blind spot."""
        return [
            f"{'sampled' if self.sampled else 'enumerated':<12}{self.enumerated}",
            f"cut off     {self.cut}",
            *(f"not tested  {each}" for each in self.unseen),
        ]

    def to_json(self) -> dict[str, object]:
        """Return the blind spots as JSON values."""
        return {"enumerated": self.enumerated, "cut": self.cut, "not_tested": list(self.unseen)}


def sampled_blind_spots(samples: int, error: Fraction, *further: str) -> BlindSpots:
    """Return the blind spots of an audit by samples.

    Parameters
    ----------
    samples : int
        Number of draws for each input in each of two halves.
    error : Fraction
        Largest probability that a bound on the probability of an event is wrong.
    further : str
        Further properties that the samples do not show.

    Examples
    --------
    >>> sampled_blind_spots(1000, Fraction(1, 2 * 10**6)).unseen[0]
    'events with a probability below about 0.0144'
    """
    # The upper bound on the probability of an event that no draw contains.
    rare = -math.expm1(math.log(error) / samples)
    return BlindSpots(
        f"{samples} draws of each input in each of two halves",
        "unknown, because only draws are known",
        (
            f"events with a probability below about {text_below(rare, 3)}",
            SIZES,
            *further,
            CHANNELS,
            RANDOMNESS,
        ),
        True,
    )


def cut_mass(bound: float) -> str:
    """Return the omitted probability in words.

    Examples
    --------
    >>> cut_mass(0), cut_mass(1.5e-9)
    ('no probability', 'probability at most 1.5e-09 for each input')
    """
    if bound <= 0:
        return "no probability"
    return f"probability at most {text_above(bound, 3)} for each input"
