"""Compositions: the guarantee of several events together, and the sum of their losses.

The lemma about histories is at the top of `learners.accounting.events`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Annotated

from learners.accounting.events import Event, _Leaf
from learners.accounting.profiles import Profile, _dominating_profile, _merged, _runs
from learners.accounting.scopes import FIXED, Scope, composed_scope
from learners.number_arguments import _shown
from lsclasses.errors import InvalidInput
from lsclasses.frozen import set_frozen_fields
from lsclasses.options import Option, check_fields


def _checked(event: Event) -> Event:
    if not isinstance(event, Event):
        raise InvalidInput(f"A ledger is made of events such as PureDP. Got {event!r}.")
    return event


@dataclass(frozen=True)
class _OfMany(Event):
    """Base of events that compose several events."""

    events: tuple[Event, ...]

    def __post_init__(self) -> None:
        set_frozen_fields(self, events=tuple(map(_checked, self.events)))

    def leaves(self) -> Iterable[_Leaf]:
        return (leaf for event in self.events for leaf in event.leaves())

    @property
    def on_every_history(self) -> bool:
        """Whether the guarantees of all parts hold on every history, so that the whole does, too.

        The lemma in `learners.accounting.events` has the proof.
        """
        return all(event.on_every_history for event in self.events)


@dataclass(frozen=True)
class _OfOne(Event):
    """Base of events that are derived from one event."""

    event: Event

    def __post_init__(self) -> None:
        _checked(self.event)

    def leaves(self) -> Iterable[_Leaf]:
        return self.event.leaves()

    @property
    def on_every_history(self) -> bool:
        """Whether the guarantee of the event holds on every history."""
        return self.event.on_every_history

    def profile(self) -> Profile:
        """Return the profile of the event itself."""
        return self.event.profile()


@dataclass(frozen=True)
class _Repeated(_OfOne):
    """Base of events that are `count` releases of one type."""

    count: Annotated[int, Option("count", minimum=0)]

    def __post_init__(self) -> None:
        super().__post_init__()
        check_fields(self)


@dataclass(frozen=True)
class Sequential(_OfMany):
    """Releases about the same data, each of which may depend on the earlier releases.

    Examples
    --------
    >>> from learners.accounting import ApproximateDP, PureDP, Scope
    >>> data = Scope.adaptive("replace_one")
    >>> basic(Sequential((PureDP(1, scope=data), ApproximateDP(2, Fraction(1, 100), scope=data))))
    (Fraction(3, 1), Fraction(1, 100))
    """

    def profile(self) -> Profile:
        """Return the privacy losses of all releases, since each release may read a changed item."""
        parts = [event.profile() for event in self.events]
        return Profile(
            _merged(part.losses for part in parts),
            _merged(part.ranges for part in parts),
            sum((part.rho for part in parts), Fraction(0)),
            sum((part.delta for part in parts), Fraction(0)),
            sum((part.mu_squared for part in parts), Fraction(0)),
        )


@dataclass(frozen=True)
class SelfComposed(_Repeated):
    """A number of equal releases about the same data, one after another.

    The field `count` is the number of releases. Each release may depend on earlier releases.

    Examples
    --------
    >>> from learners.accounting import PureDP, Scope
    >>> data = Scope.adaptive("replace_one")
    >>> tenth = PureDP(Fraction(1, 10), scope=data)
    >>> basic(SelfComposed(tenth, 2**166)) == (Fraction(2**166, 10), 0)
    True
    """

    def profile(self) -> Profile:
        """Return the event's profile, `count` times."""
        return self.event.profile().times(self.count)


@dataclass(frozen=True)
class InAdvance(_Repeated):
    """A number of equal releases about the same data, all fixed before the first release.

    The field `count` is the number of releases. The two neighbouring data sets and every mechanism
    are fixed before the first release. So the guarantee covers only adversaries that fix the stream
    in advance, even if each release is private against adaptive adversaries. `SelfComposed` allows
    mechanisms and items that depend on earlier releases, and costs at least as much
    (`learners.accounting.bounded_ranges`).

    Examples
    --------
    >>> from learners.accounting import BoundedRange, Scope, total
    >>> choice = BoundedRange(Fraction(1, 10), scope=Scope.adaptive("replace_one"))
    >>> events = SelfComposed(choice, 100), InAdvance(choice, 100)
    >>> totals = [total(each, Fraction(1, 10**6)) for each in events]
    >>> [(round(float(t.epsilon), 3), t.privacy.scope.adversary.stream) for t in totals]
    [(2.252, 'adaptive'), (2.246, 'fixed')]
    """

    def leaves(self) -> Iterable[_Leaf]:
        """Yield the leaves of the event, against an adversary that fixes the stream."""
        for leaf in self.event.leaves():
            fixed = replace(leaf.scope.adversary, stream=FIXED)
            yield replace(leaf, scope=replace(leaf.scope, adversary=fixed))

    def profile(self) -> Profile:
        """Return the event's profile, `count` times."""
        return self.event.profile().times(self.count)


@dataclass(frozen=True)
class Parallel(_OfMany):
    """Releases about disjoint parts of the data, whose total is the most expensive release.

    The part to which an item belongs must not depend on the value of the item. So parts are sets of
    positions (or of public labels), and only one release reads a changed item. If parts depend on
    values, a replaced item changes two parts. Then use `Sequential` of the two most expensive
    releases. Either the data must be fixed in advance, or every release must read its whole part in
    one step. For interactive releases about parts of a stream, use `OneAtATime`.

    Examples
    --------
    >>> from learners.accounting import ApproximateDP, PureDP, Scope
    >>> data = Scope.adaptive("replace_one")
    >>> half = ApproximateDP(Fraction(1, 2), Fraction(1, 100), scope=data)
    >>> basic(Parallel((PureDP(1, scope=data), half)))
    (Fraction(1, 1), Fraction(1, 100))

    If this event is the whole ledger, it costs as much as its most expensive release. As a part of
    another event, it is charged with a list of privacy losses that dominates the losses of each of
    its releases, which may cost more:

    >>> two = [Sequential((PureDP(i, scope=data), PureDP(8 - i, scope=data))) for i in (2, 3)]
    >>> float(basic(Parallel(tuple(two)))[0]), float(basic(Sequential((Parallel(tuple(two)),)))[0])
    (8.0, 9.0)
    """

    def profile(self) -> Profile:
        """Return a profile (list of privacy losses) that dominates the profile of each release."""
        return _dominating_profile([event.profile() for event in self.events])


@dataclass(frozen=True)
class AtOnce(_OfOne):
    """A release that reads all its items in one step and draws separate coins.

    The release shows no answer while it reads, and its coins are fresh and secret. So its guarantee
    also holds conditionally on every history, that is, on every sequence of earlier answers (part
    (b) of the lemma in `learners.accounting.events`).

    Examples
    --------
    >>> from learners.accounting import ApproximateDP, Scope
    >>> data = Scope.adaptive("replace_one")
    >>> histogram = AtOnce(ApproximateDP(1, Fraction(1, 1000), name="histogram", scope=data))
    >>> basic(StreamParallel(histogram, 20)), basic(StreamParallel(histogram.event, 20))
    ((Fraction(1, 1), Fraction(1, 1000)), (Fraction(1, 1), Fraction(1, 50)))
    """

    @property
    def on_every_history(self) -> bool:
        """True, because a release that reads all items at once is private given every history."""
        return True


@dataclass(frozen=True)
class OneAtATime(_OfMany):
    """Interactive releases on a stream, of which at most one is active at any time.

    Each release starts with fresh coins at a publicly known time, and reads the items from its
    start to its stop. The stop may be fixed or depend on the answers of the release. The adversary
    chooses the items and the time at which it presents two versions of one item. The releases read
    one of them. A *history* is a sequence of answers before this time.

    **Claim.** The epsilon of the whole is the largest epsilon of a release. Releases whose
    guarantee holds conditionally on every history cost, all together, only the largest of their
    deltas. The delta of every other release is added.

    **Proof.** Fix an adversary and a set O of views. Let P and Q be the distributions of the view
    for the two versions of the item. Let the item come in release k after the history h. The view
    after release k depends on the item only through the answers of release k. If the guarantee of
    release k holds on every history, P(O, h) - e^epsilon Q(O, h) is at most P(h) delta_k. The sum
    of these terms over all h is at most the largest delta_k. Otherwise fix all answers before
    release k began, which do not depend on the item. Given these answers, the views in which the
    item comes in release k contribute at most delta_k, because release k is private against the
    adversary that continues from these answers. So release k adds at most delta_k. QED

    The sum of the deltas is necessary (`StreamParallel` has an example). Henzinger, Safavi, Vadhan
    2024 show the necessity for data that are updated adaptively. If a release is zCDP and its
    guarantee does not hold on every history, all releases are charged as in `Sequential`.

    Examples
    --------
    >>> from learners.accounting import ApproximateDP, PureDP, Scope
    >>> data = Scope.adaptive("replace_one")
    >>> leak = ApproximateDP(0, Fraction(1, 100), scope=data)
    >>> basic(OneAtATime((PureDP(1, scope=data), leak, leak)))
    (Fraction(1, 1), Fraction(1, 50))
    >>> basic(OneAtATime((PureDP(1, scope=data), AtOnce(leak), AtOnce(leak))))
    (Fraction(1, 1), Fraction(1, 100))
    """

    def profile(self) -> Profile:
        """Return a profile (list of privacy losses) that dominates the profile of each release.

        The delta of the profile is computed as in the docstring of the class.
        """
        if self.on_every_history:
            return _dominating_profile([event.profile() for event in self.events])
        if any(event.profile().unbounded for event in self.events):
            return Sequential(self.events).profile()
        totals = [basic(event) for event in self.events]
        # The claim above charges the largest delta of `once`, and the sum of the deltas in `each`.
        once, each = (
            [
                delta
                for event, (_, delta) in zip(self.events, totals, strict=True)
                if event.on_every_history is known
            ]
            for known in (True, False)
        )
        epsilon = max(epsilon for epsilon, _ in totals)
        return Profile(losses=_runs(epsilon), delta=max(once, default=Fraction(0)) + sum(each))


@dataclass(frozen=True)
class StreamParallel(_Repeated):
    """A number of equal interactive releases on a stream, at most one active at any time.

    This is `OneAtATime` of `count` equal releases. Their deltas add up, unless the guarantee of a
    release holds conditionally on every history, that is, on every sequence of answers before the
    changed item. The sum is necessary. *Example:* let each release stop at once with probability 1
    - delta, and otherwise continue and reveal the changed item. Each release is (0, delta)-DP. But
    an adversary that presents the changed item in the first release that continues learns the item
    with probability 1 - (1 - delta)^count. The example also works for releases with fixed starts
    and stops, if a release announces in advance that it will reveal the item.

    Examples
    --------
    >>> from learners.accounting import ApproximateDP, Scope
    >>> data = Scope.adaptive("replace_one")
    >>> basic(StreamParallel(ApproximateDP(1, Fraction(1, 1000), scope=data), 20))
    (Fraction(1, 1), Fraction(1, 50))
    """

    def profile(self) -> Profile:
        """Return the privacy losses of one release, with the sum of deltas if deltas add up."""
        each = self.event.profile()
        if not self.count:
            return Profile()
        if self.event.on_every_history:
            return each
        if each.unbounded:
            return each.times(self.count)
        epsilon, delta = basic(self.event)
        return Profile(losses=_runs(epsilon), delta=delta * self.count)


@dataclass(frozen=True)
class PostProcessed(_OfOne):
    """Post-processing, a result computed from a release without further access to the data.

    Examples
    --------
    >>> from learners.accounting import PureDP, Scope
    >>> basic(PostProcessed(PureDP(1, scope=Scope.adaptive("replace_one"))))
    (Fraction(1, 1), Fraction(0, 1))
    """


def scope(event: Event) -> Scope | None:
    """Return the weakest scope of the mechanisms of an event, or None if it has no mechanisms.

    A scope consists of neighbour relation, adversary model and unit.

    Raises
    ------
    InvalidInput
        If the guarantees of the mechanisms have different neighbour relations, because privacy
        losses under different relations must not be added.

    Examples
    --------
    >>> from learners.accounting import PureDP, Scope
    >>> counts = PureDP(1, scope=Scope.adaptive("replace_one"))
    >>> print(scope(Sequential((counts, PureDP(1, scope=Scope.fixed("replace_one"))))).adversary)
    an adversary that fixes the stream in advance and observes every released value
    >>> scope(Sequential((counts, PureDP(1, scope=Scope.adaptive("add_remove")))))
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: The leaves hold under different neighbour relations, \
add_remove and replace_one. State all of them under one relation.
    """
    return composed_scope(leaf.scope for leaf in _checked(event).leaves())


def neighbours(event: Event) -> str | None:
    """Return the neighbour relation of an event, or None if the event has no mechanisms.

    Raises
    ------
    InvalidInput
        If the guarantees of the mechanisms have different neighbour relations.

    Examples
    --------
    >>> from learners.accounting import PureDP, Scope
    >>> neighbours(PureDP(1, scope=Scope.adaptive("add_remove")))
    'add_remove'
    """
    found = scope(event)
    return None if found is None else found.neighbours


def _profile(event: Event) -> Profile:
    neighbours(event)
    return event.profile()


def _slack(profile: Profile, delta: Fraction) -> Fraction:
    """Return the part of delta that the mechanisms leave for the accountant."""
    slack = delta - profile.delta
    if slack <= 0:
        raise InvalidInput(
            f"The delta must exceed the mechanisms' deltas, {_shown(profile.delta)} in total. "
            f"Got {_shown(delta)}."
        )
    return slack


def _alternatives(event: Event) -> tuple[Event, ...]:
    """The events of which a changed item meets only one, so that the costliest is the total."""
    if isinstance(event, Parallel) or (isinstance(event, OneAtATime) and event.on_every_history):
        neighbours(event)
        return event.events
    return ()


def basic(event: Event) -> tuple[Fraction, Fraction]:
    """Return the exact epsilon and delta of an event by basic composition: sums of both.

    Raises
    ------
    InvalidInput
        If a part of the event is only zCDP or Gaussian, because no epsilon bounds its privacy loss.

    Examples
    --------
    >>> from learners.accounting import PureDP, Scope
    >>> basic(SelfComposed(PureDP(Fraction(1, 10), scope=Scope.adaptive("replace_one")), 30))
    (Fraction(3, 1), Fraction(0, 1))
    """
    if others := _alternatives(event):
        parts = [basic(each) for each in others]
        # The maxima may come from different events. The pair bounds every event.
        return max(epsilon for epsilon, _ in parts), max(delta for _, delta in parts)
    profile = _profile(event)
    if profile.unbounded:
        raise InvalidInput(
            "Basic composition needs an epsilon for every event, but a zCDP event and a Gaussian "
            "event have none. "
            "Use zcdp or total, with a delta."
        )
    return profile.pathwise, profile.delta
