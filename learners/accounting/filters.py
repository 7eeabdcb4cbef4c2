"""Privacy filters: budgets (epsilon, delta) that pay for releases."""

from __future__ import annotations

import threading
from collections.abc import Callable
from fractions import Fraction
from typing import TypeVar

from learners.accounting.compositions import Sequential, _checked, _profile, basic, scope
from learners.accounting.conversions import zcdp_epsilon
from learners.accounting.events import Event
from learners.accounting.scopes import ADAPTIVE, FIXED
from learners.checked import DeltaOrZero, EpsilonOrZero
from learners.number_arguments import _shown
from lsclasses.errors import InvalidInput
from lsclasses.options import check_arguments

Released = TypeVar("Released")


class PrivacyFilter:
    """A budget (epsilon, delta) that is charged for releases and refuses releases beyond it.

    The next release and its cost may depend on all previous releases. Basic composition and zCDP
    remain valid for such adaptive costs (as privacy filters: Rogers et al. 2016; Feldman, Zrnic
    2021). The remaining accountants of `learners.accounting` need costs that are fixed in advance,
    so they are not offered. With the method ``"zcdp"``, every privacy loss is converted to zCDP.
    Half of delta is used to convert rho into epsilon, and the other half remains for the deltas of
    the mechanisms. This split is fixed in advance, because a later choice would depend on the
    releases.

    Parameters
    ----------
    epsilon, delta : Fraction or int
        Total budget of all releases.
    method : str
        ``"basic"`` or ``"zcdp"``, fixed for all releases.
    stream : {"adaptive", "fixed"}
        Streams for which the guarantee of each event must hold: streams that depend on earlier
        releases, or only streams that are fixed in advance.

    Raises
    ------
    InvalidInput
        If a parameter is out of range or a float, or the method is unknown.

    Examples
    --------
    >>> from learners.accounting import PureDP, Scope
    >>> budget = PrivacyFilter(1)
    >>> data = Scope.adaptive("replace_one")
    >>> budget.release(PureDP(Fraction(3, 4), scope=data), lambda: "something")
    'something'
    >>> budget.release(PureDP(Fraction(1, 2), scope=data), lambda: "something more")
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: The release was refused. The budget is (epsilon, delta) = \
(1, 0), and the release would overdraw it with (5/4, 0).
    >>> budget.spent
    (Fraction(3, 4), Fraction(0, 1))
    """

    @check_arguments
    def __init__(
        self,
        epsilon: EpsilonOrZero,
        delta: DeltaOrZero = Fraction(0),
        *,
        method: str = "basic",
        stream: str = ADAPTIVE,
    ) -> None:
        self.epsilon = epsilon
        self.delta = delta
        if method not in ("basic", "zcdp"):
            raise InvalidInput(
                "The method of a budget must be 'basic' or 'zcdp'. Other accountants do not hold "
                f"for costs that are chosen along the way. Got {method!r}."
            )
        if method == "zcdp" and not self.delta:
            raise InvalidInput("A budget kept by zCDP needs a positive delta. Got 0.")
        if stream not in (ADAPTIVE, FIXED):
            raise InvalidInput(
                f"The streams of a budget must be {ADAPTIVE!r} or {FIXED!r}. Got {stream!r}."
            )
        self.method, self.stream = method, stream
        self._events: list[Event] = []
        self._lock = threading.Lock()

    @property
    def events(self) -> Sequential:
        """All events charged so far, as one event."""
        return Sequential(tuple(self._events))

    @property
    def spent(self) -> tuple[Fraction, Fraction]:
        """The (epsilon, delta) of all events charged so far."""
        return self._cost(self.events)

    def _cost(self, event: Event) -> tuple[Fraction, Fraction]:
        if self.method == "basic":
            return basic(event)
        # Every loss is converted and the conversion's share of delta is fixed. A rule that picks
        # the cheapest form afterwards would depend on the transcript, so it is not a filter.
        profile, share = _profile(event), self.delta / 2
        return zcdp_epsilon(profile.concentrated, share), profile.delta + share

    def charge(self, event: Event) -> None:
        """Charge the budget for an event, or raise an error if the budget would be exceeded.

        Raises
        ------
        InvalidInput
            If the budget would be overdrawn, or the event covers only streams that are fixed in
            advance and the budget is for adaptive streams. The budget is then unchanged.
        """
        held = scope(event)
        if held is not None and not held.adversary.covers(self.stream):
            raise InvalidInput(
                "The release was refused. The budget covers streams that depend on earlier "
                "releases, and this guarantee covers only streams that are fixed in advance. "
                "Choose delta = 0, or make the budget with stream='fixed'."
            )
        # The check and the charge form one step. Otherwise two threads could both spend the rest.
        with self._lock:
            # The epsilon of zCDP is not additive, so each charge prices the whole history.
            epsilon, delta = self._cost(Sequential((*self._events, _checked(event))))
            if epsilon > self.epsilon or delta > self.delta:
                raise InvalidInput(
                    "The release was refused. The budget is (epsilon, delta) = "
                    f"({_shown(self.epsilon)}, {_shown(self.delta)}), and the release would "
                    f"overdraw it with ({_shown(epsilon)}, {_shown(delta)})."
                )
            self._events.append(event)

    def release(self, event: Event, run: Callable[[], Released]) -> Released:
        """Charge the budget for an event, then run the release. A run that fails stays charged.

        Raises
        ------
        InvalidInput
            If the event would exceed the budget. The release does not run in this case.
        """
        self.charge(event)
        return run()
