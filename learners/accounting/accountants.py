"""The smallest total of all accountants."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Annotated

from learners.accounting.compositions import _alternatives, scope
from learners.accounting.epsilons import epsilons
from learners.accounting.events import Event
from learners.accounting.privacy import Privacy
from learners.checked import DeltaOrZero
from learners.number_arguments import _shown
from lsclasses.html import html_table
from lsclasses.options import Option, check_arguments

DeltaSlack = Annotated[Fraction, Option("delta slack", minimum=0, below=1)]


@dataclass(frozen=True)
class Total:
    """Smallest known total privacy of an event, with the accountant that found it.

    Attributes
    ----------
    privacy : Privacy
        Total (epsilon, delta), with neighbour relation, adversary model and unit.
    method : str
        Name of the accountant: ``basic``, ``advanced``, ``zcdp``, ``gaussian``, ``pld`` or
        ``split``.
    others : tuple of (str, Fraction)
        Name and epsilon of every accountant that applies.
    """

    privacy: Privacy
    method: str
    others: tuple[tuple[str, Fraction], ...] = field(compare=False, repr=False)

    @property
    def epsilon(self) -> Fraction:
        """Epsilon of the total privacy."""
        return self.privacy.epsilon

    @property
    def delta(self) -> Fraction:
        """Delta of the total privacy."""
        return self.privacy.delta

    def _repr_html_(self) -> str:
        """Return the result of every accountant, for notebooks."""
        rows = [(name, _shown(epsilon)) for name, epsilon in self.others]
        title = f"{self.privacy.summary} by {self.method}"
        return html_table(title, rows, head=("accountant", "epsilon"))


@check_arguments
def total(event: Event, delta: DeltaOrZero = Fraction(0)) -> Total:
    """Return the smallest epsilon at a given delta, over all accountants that apply.

    Parameters
    ----------
    event : Event
        Releases whose total is computed.
    delta : Fraction
        Total delta. If it equals the sum of the deltas of all mechanisms, only basic composition
        applies.

    Raises
    ------
    InvalidInput
        If no accountant applies, because delta is less than the sum of the mechanisms' deltas, or a
        zCDP event comes without a delta.

    Examples
    --------
    >>> from learners.accounting import PureDP, SelfComposed, Scope
    >>> data = Scope.adaptive("replace_one")
    >>> total(SelfComposed(PureDP(Fraction(1, 10), scope=data), 3)).method
    'basic'
    >>> best = total(SelfComposed(PureDP(Fraction(1, 10), scope=data), 1000), Fraction(1, 10**6))
    >>> best.method, [(name, round(float(epsilon), 1)) for name, epsilon in best.others[1:]]
    ('pld', [('advanced', 27.1), ('zcdp', 20.6), ('gaussian', 21.4), ('pld', 19.3)])
    """
    if others := _alternatives(event):
        most = max((total(each, delta) for each in others), key=lambda each: each.epsilon)
        # The whole event may have a weaker scope than its costliest part.
        return replace(most, privacy=replace(most.privacy, scope=scope(event)))
    found = epsilons(event, delta)
    # `min` returns the first of equal entries, so the simplest accountant wins a tie.
    method = min(found, key=lambda name: found[name])
    stated = scope(event)
    # An event without leaves releases no data, so its delta is 0.
    privacy = Privacy(found[method], Fraction(0) if stated is None else delta, stated)
    return Total(privacy, method, tuple(found.items()))
