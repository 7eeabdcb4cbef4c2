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
        """Whether the guarantee of every event holds on every history: part (c) of the lemma."""
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
        """Return the losses of all releases together, since each may read a changed item."""
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
    """`count` releases of one type about the same data, one after the other.

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
    """`count` releases of one type about the same data, all fixed before the first release.

    The two data sets and every mechanism are fixed before the first release. `SelfComposed` allows
    mechanisms and items that depend on earlier releases, and costs at least as much
    (`learners.accounting.bounded_ranges`). The guarantee covers only adversaries that fix the
    stream in advance, even if the parts cover adaptive adversaries.

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
    """Releases about disjoint parts of the data.

    The part of an item must be independent of the value of the item. So parts are sets of positions
    (or public labels), and only one of the releases reads a changed item. If parts depend on
    values, replacing an item changes two parts. Then use `Sequential` of the two costliest
    releases. Either the data must be fixed in advance, or every release must read its whole part in
    one step. For interactions about parts of a stream use `OneAtATime`.

    Examples
    --------
    >>> from learners.accounting import ApproximateDP, PureDP, Scope
    >>> data = Scope.adaptive("replace_one")
    >>> half = ApproximateDP(Fraction(1, 2), Fraction(1, 100), scope=data)
    >>> basic(Parallel((PureDP(1, scope=data), half)))
    (Fraction(1, 1), Fraction(1, 100))

    A ledger that consists only of this event costs as much as its most expensive release. As a part
    of another event it costs a profile that dominates the profiles of all its releases, which may
    be more:

    >>> two = [Sequential((PureDP(i, scope=data), PureDP(8 - i, scope=data))) for i in (2, 3)]
    >>> float(basic(Parallel(tuple(two)))[0]), float(basic(Sequential((Parallel(tuple(two)),)))[0])
    (8.0, 9.0)
    """

    def profile(self) -> Profile:
        """Return a profile that dominates each event, since only one event reads a changed item."""
        return _dominating_profile([event.profile() for event in self.events])


@dataclass(frozen=True)
class AtOnce(_OfOne):
    """A release that reads all its items in one step and draws separate coins.

    The release shows no answer while it reads, and its coins are fresh and secret. So its guarantee
    holds on every history (part (b) of the lemma).

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
        """Whether the guarantee holds on every history, which is true for every event."""
        return True


@dataclass(frozen=True)
class OneAtATime(_OfMany):
    """Interactive releases on a stream, of which one is active at any time.

    Each release starts with fresh coins at a publicly known time. It reads the items from its start
    to its stop. The stop may be fixed or depend on the answers of the release. The adversary
    chooses the items, and the time at which it presents two versions of one item.

    **Claim.** Epsilon is the largest epsilon of the releases. The releases whose
    guarantee holds on every history cost the largest of their deltas once, all together. Every
    other release costs its delta.

    **Proof.** Let an adversary and a set O of views be given. Let P and Q be the probabilities for
    the two versions of the item. Let the item come in release k after the history h, a view of all
    previous answers. The part after release k depends on the item only
    through the answers. So P(O, h) - e^epsilon Q(O, h) is at most P(h) delta_k if release k holds
    on every history, and these terms add up to at most max delta_k. Otherwise fix all answers
    before release k began, when the item had not come. Given these answers, consider the views in
    which the item comes in release k. They contribute at most delta_k, since release k is private
    against the adversary that continues from these answers. So release k adds at most delta_k. QED

    The sum is needed, see `StreamParallel`. Henzinger, Safavi, Vadhan 2024 show the same need for
    data that are updated adaptively. zCDP that does not hold on every history does not survive this
    composition either. In this case all releases are charged as sequential.

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
        """Return a profile that dominates the profile of each event, with the sum of deltas."""
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
    """At most `count` interactive releases of one type on a stream, one active at any time.

    This is `OneAtATime` of `count` equal events. If the events do not hold on every history, delta
    adds up. The sum is necessary: let an instance stop at once except with probability delta, and
    otherwise reveal the next changed item. Each instance is (0, delta)-DP. But an adversary that
    challenges in the first instance that continues succeeds with probability
    1 - (1 - delta)^count. Fixed times do not help if the instances announce in advance that they
    will reveal the item.

    Examples
    --------
    >>> from learners.accounting import ApproximateDP, Scope
    >>> data = Scope.adaptive("replace_one")
    >>> basic(StreamParallel(ApproximateDP(1, Fraction(1, 1000), scope=data), 20))
    (Fraction(1, 1), Fraction(1, 50))
    """

    def profile(self) -> Profile:
        """The event's profile if it holds on every history, else one loss and the sum of deltas."""
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
    """Return the weakest scope of the leaves of an event, or None if it has no leaves.

    Raises
    ------
    InvalidInput
        If leaves hold under different neighbour relations, because their losses must not be added.

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
    """Return the neighbour relation of an event, or None if it has no leaves.

    Raises
    ------
    InvalidInput
        If leaves hold under different neighbour relations.

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
    """Return the exact epsilon and delta by adding up losses.

    Raises
    ------
    InvalidInput
        If an event is known to be zCDP only, because no epsilon bounds its loss.

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
