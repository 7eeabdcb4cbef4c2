"""Events of Google's dp-accounting, whose claims are compared with given distributions."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from learners.adapters.external_mechanisms import CLOSE
from learners.audit import DistributionAudit, Enclosure
from learners.audit.claims import checked_delta
from lsclasses.errors import InvalidInput
from lsclasses.verdicts import Verdict


def event_epsilon(
    event: Any, delta: Fraction | float | str, neighbours: str = "replace_one"
) -> Fraction | float:
    """Return the epsilon at a delta that the PLD accountant of dp-accounting states for an event.

    Parameters
    ----------
    event : dp_accounting.DpEvent
        The event.
    delta : Fraction, float or str
        The delta, at least 0 and less than 1.
    neighbours : str
        Neighbour relation of the accountant: ``"replace_one"`` or ``"add_remove"``.

    Returns
    -------
    Fraction or float
        The epsilon. It is ``math.inf`` if no epsilon is enough, for example for Gaussian noise at
        delta 0.

    Raises
    ------
    InvalidInput
        If the delta is out of range, or the accountant has no such neighbour relation.
    ImportError
        If dp-accounting is not installed.
    """
    allowed = checked_delta(delta)
    if neighbours not in ("replace_one", "add_remove"):
        raise InvalidInput(
            f"The neighbours must be 'replace_one' or 'add_remove'. Got {neighbours!r:.80}."
        )
    import dp_accounting
    from dp_accounting.pld import PLDAccountant

    relation = {
        "replace_one": dp_accounting.NeighboringRelation.REPLACE_ONE,
        "add_remove": dp_accounting.NeighboringRelation.ADD_OR_REMOVE_ONE,
    }[neighbours]
    accountant = PLDAccountant(relation)
    epsilon = float(accountant.compose(event).get_epsilon(float(allowed)))
    return Fraction(epsilon) if math.isfinite(epsilon) else math.inf


def of_event(
    event: Any,
    audited: DistributionAudit,
    delta: Fraction | float | str = 0,
    neighbours: str = "replace_one",
) -> tuple[Fraction | float, Enclosure, Verdict]:
    """Compare the epsilon of an event with the loss of two output distributions.

    Parameters
    ----------
    event : dp_accounting.DpEvent
        The event that describes the mechanism.
    audited : DistributionAudit
        The loss of the output distributions of the mechanism on two neighbouring inputs.
    delta : Fraction, float or str
        The delta of the comparison.
    neighbours : str
        Neighbour relation of the two inputs.

    Returns
    -------
    claimed : Fraction or float
        The epsilon that dp-accounting states, or ``math.inf``, which every distribution satisfies.
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
