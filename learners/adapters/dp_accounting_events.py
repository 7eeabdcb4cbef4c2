"""Events of Google's dp-accounting, whose claims are compared with given distributions."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from learners.adapters.external_mechanisms import CLOSE
from learners.audit import DistributionAudit, Enclosure
from lsclasses.verdicts import Verdict


def event_epsilon(event: Any, delta: Fraction | float, neighbours: str = "replace_one") -> Fraction:
    """Return the epsilon at a delta that the PLD accountant of dp-accounting states for an event.

    Parameters
    ----------
    event : dp_accounting.DpEvent
        The event.
    delta : Fraction or float
        The delta, at least 0.
    neighbours : str
        Neighbour relation of the accountant: ``"replace_one"`` or ``"add_remove"``.

    Raises
    ------
    ImportError
        If dp-accounting is not installed.
    """
    import dp_accounting
    from dp_accounting.pld import PLDAccountant

    relation = {
        "replace_one": dp_accounting.NeighboringRelation.REPLACE_ONE,
        "add_remove": dp_accounting.NeighboringRelation.ADD_OR_REMOVE_ONE,
    }[neighbours]
    accountant = PLDAccountant(relation)
    return Fraction(accountant.compose(event).get_epsilon(float(delta)))


def of_event(
    event: Any,
    audited: DistributionAudit,
    delta: Fraction = Fraction(0),
    neighbours: str = "replace_one",
) -> tuple[Fraction, Enclosure, Verdict]:
    """Compare the epsilon of an event with the loss of two output distributions.

    Parameters
    ----------
    event : dp_accounting.DpEvent
        The event that describes the mechanism.
    audited : DistributionAudit
        The loss of the output distributions of the mechanism on two neighbouring inputs.
    delta : Fraction
        The delta of the comparison.
    neighbours : str
        Neighbour relation of the two inputs.

    Returns
    -------
    claimed : Fraction
        The epsilon that dp-accounting states.
    measured : Enclosure
        Bounds on the least epsilon of the distributions.
    verdict : Verdict
        `VIOLATED` if the distributions need a larger epsilon than the claim times 1 + 10^-6, plus
        10^-6. The blind spots are ``audited.blind_spots``.
    """
    claimed = event_epsilon(event, delta, neighbours)
    measured = audited.epsilon(delta)
    allowed = claimed * (1 + CLOSE) + CLOSE
    if measured.lower > allowed:
        verdict = Verdict.VIOLATED
    elif audited.is_sampled:
        verdict = Verdict.CONSISTENT
    else:
        verdict = Verdict.HOLDS if measured.upper <= allowed else Verdict.UNDECIDED
    return claimed, measured, verdict
