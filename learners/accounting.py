"""What was released and what it costs: trees of events, folded to (epsilon, delta).

An event says what is proved about a release, not how it works. Mechanisms and learners describe
themselves by a tree of events; the accountants below read the tree. Only the nodes know how often
and on which data something happens; every accountant sees the same flat `Profile`, so that no
multiplicity can get lost in one of them.

**Interactions.** The adversary who chooses a stream also chooses *when* its two versions of an
item come [LWY25, Def. 2.4], after all that was shown before. A mechanism is (epsilon, delta)-DP
*on every history* if, whatever was shown before the item that differs, what follows has (epsilon,
delta)-close conditional laws (`Event.on_every_history`). That is more than (epsilon, delta)-DP,
which is about the average over histories: with probability delta a mechanism may announce that it
will reveal its next item. One such announcement costs delta; but an adversary who meets mechanisms
one after the other waits for it, and delta is paid for each of them.

*Lemma.* (a) Pure DP, and a bounded range, hold on every history. (b) So does whatever is known of
a release that is made at once: nothing is shown while it reads, and its coins are its own, drawn
when it is made. (c) Let a transcript be computed from coins that are drawn without looking at the
data and from mechanisms that read one changed item through neighbouring inputs, started whenever
and used in turn, as what was shown and these coins decide; the coins of each mechanism are
independent of all others. If each of them holds on every history, so does their composition.

*Proof.* Before the item, both worlds are one: a history h has the same probability P(h) = Q(h) in
both, and the coins and what the mechanisms answered have the same conditional law given h. (a) If
P(h, r) <= e^epsilon Q(h, r) for every continuation r, then P(r | h) <= e^epsilon Q(r | h); and a
ratio P(h, r)/Q(h, r) in an interval is P(r | h)/Q(r | h). (b) Either the release lies in h, and
what follows does not depend on the item; or it draws from fresh coins. (c) Fix h, the coins and
the answers, by what was just said with the same probability in both worlds. Each mechanism has now
had known questions and given known answers, and goes on by its conditional law, independently of
the others: this is an adaptive, concurrent composition of mechanisms that are close, which adds up
as any other (Vadhan, Wang 2021; Lyu 2022; Haney et al. 2023). Average over coins and answers:
closeness is convex. What an adversary sees of the transcript is a post-processing of it, before
and after the item. QED

Budgets are fractions. Where a bound is irrational (square roots, logarithms), the number returned
is a fraction just above it, computed with balls.
"""

from __future__ import annotations

import math
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import ceil, exp, gcd, isfinite, lcm
from typing import Any, TypeVar

from flint import arb, ctx

from learners.numbers import (
    above,
    checked_nonnegative,
    checked_nonnegative_fraction,
    checked_positive,
    log_in_floats,
    rational,
    real,
)
from lsclasses.errors import InvalidInput
from lsclasses.html import HIDDEN_FROM, hidden, html_list, html_table
from lsclasses.numbers import shown

__all__ = [
    "ApproximateDP",
    "AtOnce",
    "BoundedRange",
    "Budget",
    "CHALLENGE",
    "DATA_NEIGHBOURS",
    "Event",
    "Grouped",
    "NEIGHBOURS",
    "OneAtATime",
    "UnderChallenge",
    "UnderReplaceOne",
    "Parallel",
    "PostProcessed",
    "Profile",
    "PureDP",
    "SelfComposed",
    "Sequential",
    "StreamParallel",
    "Total",
    "ZCDP",
    "advanced",
    "basic",
    "checked_neighbours",
    "geometric_sum",
    "group",
    "neighbours",
    "pld",
    "total",
    "zcdp",
    "zcdp_epsilon",
    "zcdp_rho",
]

DATA_NEIGHBOURS = ("replace_one", "add_remove")
"""Neighbouring inputs: one item is replaced (the length is public), or one is added or removed."""

CHALLENGE = "challenge"
"""Neighbouring interactions [KMMNS23, Def. 3.1]: one user's example is replaced, and what that user
is told is not seen by the others, whose view is compared (`learners.games.OnlineGame`)."""

NEIGHBOURS = (*DATA_NEIGHBOURS, CHALLENGE)
"""The relations under which a guarantee can hold; a ledger never mixes them."""

PRECISION = 128

OVERFLOW = 700
"""For a loss beyond it, exp is no floating point number; losses are added up instead."""

TINIEST = Fraction(1, 10**150)
"""Losses beyond it, or beyond its inverse, are not told apart by a search in floating point."""

LATTICE = 1 << 18
"""Points a privacy loss distribution may have, and losses it may be composed of."""

FLOATING = Fraction(1, 10**12)
"""What privacy loss distributions pay out of delta for being computed in floating point: three
orders of magnitude more than their deltas were seen to be off (tests compare them with balls)."""

Released = TypeVar("Released")
Runs = tuple[tuple[Fraction, int], ...]
"""A multiset of positive numbers: (value, how often), largest value first."""


class Event(ABC):
    """What is known of the privacy of a release: a leaf or a node of the ledger."""

    @abstractmethod
    def profile(self) -> Profile:
        """What one changed item can meet, with multiplicities."""

    @abstractmethod
    def leaves(self) -> Iterable[_Leaf]:
        """Every leaf once, wherever it stands."""

    @property
    @abstractmethod
    def on_every_history(self) -> bool:
        """Whether it holds conditionally on all that was shown before the item that differs.

        See the lemma above. False says that this is not known.

        Examples
        --------
        >>> leak = ApproximateDP(0, Fraction(1, 100))
        >>> PureDP(1).on_every_history, leak.on_every_history, AtOnce(leak).on_every_history
        (True, False, True)
        """

    def _repr_html_(self) -> str:
        """The tree of events, for notebooks."""
        return html_list(_tree(self))


def _tree(event: Any) -> tuple[str, list[Any]]:
    """An event with its parameters, and the events that it is made of."""
    values = {each.name: getattr(event, each.name) for each in fields(event)}
    below: list[Event] = []
    said: list[str] = []
    for name, value in values.items():
        if isinstance(value, Event):
            below.append(value)
        elif isinstance(value, tuple) and value and all(isinstance(v, Event) for v in value):
            below += value
        elif value != "" and value != ():
            said.append(f"{name} {value}")
    title = type(event).__name__ + (f" ({', '.join(said)})" if said else "")
    shown = list(map(_tree, below[:HIDDEN_FROM]))
    note = hidden(events=len(below) - HIDDEN_FROM)
    return title, [*shown, (note, [])] if note else shown


@dataclass(frozen=True)
class Profile:
    """The losses that a changed item can meet in a release, flat.

    The release is a post-processing of an adaptive composition of: `losses`, each a mechanism
    whose privacy loss is at most the value in absolute value; `ranges`, mechanisms whose loss
    takes values in an interval of that width; a `rho`-zCDP mechanism; and an event of probability
    `delta` in which anything may happen. For (epsilon, delta)-DP mechanisms this decomposition
    is the theorem of Kairouz, Oh, Viswanath 2015 (Lyu 2022 for interactive ones).
    """

    losses: Runs = ()
    ranges: Runs = ()
    rho: Fraction = Fraction(0)
    delta: Fraction = Fraction(0)

    def times(self, count: int) -> Profile:
        """The profile of `count` such releases, one after the other."""
        if not count:
            return Profile()
        return Profile(
            tuple((value, often * count) for value, often in self.losses),
            tuple((value, often * count) for value, often in self.ranges),
            self.rho * count,
            self.delta * count,
        )

    @property
    def pathwise(self) -> Fraction:
        """The largest sum of `losses` and `ranges`: what basic composition adds up."""
        return _sum(self.losses) + _sum(self.ranges)

    @property
    def concentrated(self) -> Fraction:
        """The rho of everything, with all losses converted."""
        converted = sum((value**2 / 2 * often for value, often in self.losses), Fraction(0))
        return (
            self.rho
            + converted
            + sum((value**2 / 8 * often for value, often in self.ranges), Fraction(0))
        )


def _sum(runs: Runs) -> Fraction:
    return sum((value * often for value, often in runs), Fraction(0))


def _merged(several: Iterable[Runs]) -> Runs:
    """The union of multisets."""
    counts: dict[Fraction, int] = {}
    for runs in several:
        for value, often in runs:
            counts[value] = counts.get(value, 0) + often
    return tuple(sorted(counts.items(), reverse=True))


def _dominating(several: Sequence[Runs]) -> Runs:
    """The multiset whose i-th largest element is the largest i-th largest of the given ones."""
    ends = {0}
    for runs in several:
        end = 0
        for _, often in runs:
            end += often
            ends.add(end)
    counts: dict[Fraction, int] = {}
    marks = sorted(ends)
    for start, stop in pairwise(marks):
        value = max(_element(runs, start) for runs in several)
        counts[value] = counts.get(value, 0) + stop - start
    return tuple(sorted(counts.items(), reverse=True))


def _element(runs: Runs, index: int) -> Fraction:
    for value, often in runs:
        if index < often:
            return value
        index -= often
    return Fraction(0)


def _runs(value: Fraction) -> Runs:
    return ((value, 1),) if value else ()


def _failure(value: object, name: str = "delta") -> Fraction:
    number = rational(value, name)
    if not 0 <= number < 1:
        raise InvalidInput(f"The {name} must be at least 0 and less than 1. Got {value}.")
    return number


# ---- leaves


@dataclass(frozen=True, kw_only=True)
class _Leaf(Event):
    """One mechanism; `name` says which, `neighbours` under which relation its guarantee holds."""

    name: str = ""
    neighbours: str = "replace_one"

    def leaves(self) -> Iterable[_Leaf]:
        return (self,)

    @property
    def on_every_history(self) -> bool:
        """Unless more is known, a loss that is exceeded with some probability says nothing then."""
        return False

    def _set(self, name: str, value: Fraction) -> None:
        if self.neighbours not in NEIGHBOURS:
            raise InvalidInput(
                f"The neighbours must be one of {', '.join(NEIGHBOURS)}. Got {self.neighbours!r}."
            )
        object.__setattr__(self, name, value)


@dataclass(frozen=True)
class PureDP(_Leaf):
    """A release that is epsilon-differentially private.

    Parameters
    ----------
    epsilon : Fraction or int
        At least 0; floats are refused.
    name : str
        Which mechanism, for people.
    neighbours : str
        ``"replace_one"``, ``"add_remove"`` or ``"challenge"``.

    Raises
    ------
    InvalidInput
        If epsilon is negative or a float, or there is no such neighbour relation.

    Examples
    --------
    >>> basic(PureDP(Fraction(1, 2)))
    (Fraction(1, 2), Fraction(0, 1))
    """

    epsilon: Fraction

    def __post_init__(self) -> None:
        self._set("epsilon", checked_nonnegative_fraction(self.epsilon, "epsilon"))

    def profile(self) -> Profile:
        """One bounded loss."""
        return Profile(losses=_runs(self.epsilon))

    @property
    def on_every_history(self) -> bool:
        """Part (a) of the lemma."""
        return True


@dataclass(frozen=True)
class ApproximateDP(_Leaf):
    """A release that is (epsilon, delta)-differentially private.

    Raises
    ------
    InvalidInput
        If epsilon is negative, delta is not in [0, 1), or one of them is a float.

    Examples
    --------
    >>> basic(SelfComposed(ApproximateDP(Fraction(1, 10), Fraction(1, 10**6)), 5))
    (Fraction(1, 2), Fraction(1, 200000))
    """

    epsilon: Fraction
    delta: Fraction

    def __post_init__(self) -> None:
        self._set("epsilon", checked_nonnegative_fraction(self.epsilon, "epsilon"))
        self._set("delta", _failure(self.delta))

    def profile(self) -> Profile:
        """One bounded loss, and an event in which it is not."""
        return Profile(losses=_runs(self.epsilon), delta=self.delta)


@dataclass(frozen=True)
class ZCDP(_Leaf):
    """A release that is rho-zero-concentrated differentially private (Bun, Steinke 2016).

    All its Rényi divergences of order alpha > 1 are at most rho alpha.

    Raises
    ------
    InvalidInput
        If rho is negative or a float.

    Examples
    --------
    >>> epsilon, delta = zcdp(ZCDP(Fraction(1, 100)), Fraction(1, 10**6))
    >>> round(float(epsilon), 4)
    0.6217
    """

    rho: Fraction

    def __post_init__(self) -> None:
        self._set("rho", checked_nonnegative_fraction(self.rho, "rho"))

    def profile(self) -> Profile:
        """A loss that is concentrated, but not bounded."""
        return Profile(rho=self.rho)


@dataclass(frozen=True)
class BoundedRange(_Leaf):
    """A release whose privacy loss takes values in an interval of width eta (Durfee, Rogers 2019).

    It is eta-DP, because an interval of losses contains 0, and (eta^2/8)-zCDP: with K(a) =
    ln E_Q[(P/Q)^a], K'' is the variance of the loss under a tilted law, at most eta^2/4, so
    K(a) - (eta^2/8) a (a - 1) is concave; it vanishes at 0 and 1, hence is negative for a > 1.
    The exponential mechanism with weights exp(theta score) is theta (max u - min u)-bounded
    range, where u is the change of the vector of scores.

    Raises
    ------
    InvalidInput
        If eta is negative or a float.

    Examples
    --------
    >>> basic(BoundedRange(Fraction(1, 2)))
    (Fraction(1, 2), Fraction(0, 1))
    >>> zcdp(BoundedRange(1), Fraction(1, 10**6)) == zcdp(ZCDP(Fraction(1, 8)), Fraction(1, 10**6))
    False
    """

    eta: Fraction

    def __post_init__(self) -> None:
        self._set("eta", checked_nonnegative_fraction(self.eta, "eta"))

    def profile(self) -> Profile:
        """One loss of bounded range."""
        return Profile(ranges=_runs(self.eta))

    @property
    def on_every_history(self) -> bool:
        """Part (a) of the lemma."""
        return True


# ---- nodes


def _checked(event: Event) -> Event:
    if not isinstance(event, Event):
        raise InvalidInput(f"A ledger is made of events such as PureDP(1). Got {event!r}.")
    return event


@dataclass(frozen=True)
class _OfMany(Event):
    """What is known of several events together."""

    events: tuple[Event, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "events", tuple(map(_checked, self.events)))

    def leaves(self) -> Iterable[_Leaf]:
        return (leaf for event in self.events for leaf in event.leaves())

    @property
    def on_every_history(self) -> bool:
        """If all events do: part (c) of the lemma."""
        return all(event.on_every_history for event in self.events)


@dataclass(frozen=True)
class _OfOne(Event):
    """What is known of one event in other circumstances."""

    event: Event

    def __post_init__(self) -> None:
        _checked(self.event)

    def leaves(self) -> Iterable[_Leaf]:
        return self.event.leaves()

    @property
    def on_every_history(self) -> bool:
        """If the event does."""
        return self.event.on_every_history

    def profile(self) -> Profile:
        """The event's own."""
        return self.event.profile()


@dataclass(frozen=True)
class _Repeated(_OfOne):
    """What is known of `count` releases of one kind."""

    count: int

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "count", checked_nonnegative(self.count, "count"))


@dataclass(frozen=True)
class Sequential(_OfMany):
    """Releases about the same data, each of which may depend on the ones before it.

    Examples
    --------
    >>> basic(Sequential((PureDP(1), ApproximateDP(2, Fraction(1, 100)))))
    (Fraction(3, 1), Fraction(1, 100))
    """

    def profile(self) -> Profile:
        """Everything that any of the events lets a changed item meet."""
        parts = [event.profile() for event in self.events]
        return Profile(
            _merged(part.losses for part in parts),
            _merged(part.ranges for part in parts),
            sum((part.rho for part in parts), Fraction(0)),
            sum((part.delta for part in parts), Fraction(0)),
        )


@dataclass(frozen=True)
class SelfComposed(_Repeated):
    """`count` releases of one kind about the same data, one after the other.

    Examples
    --------
    >>> basic(SelfComposed(PureDP(Fraction(1, 10)), 2**166)) == basic(PureDP(Fraction(2**166, 10)))
    True
    """

    def profile(self) -> Profile:
        """The event's profile, `count` times."""
        return self.event.profile().times(self.count)


@dataclass(frozen=True)
class Parallel(_OfMany):
    """Releases about disjoint parts of the data.

    Which item belongs to which part must not depend on the item: parts are sets of positions (or
    public labels), so that a changed item is met by one of the releases. Where parts depend on
    values, replacing an item touches two of them: use `Sequential` of the two costliest. The data
    are fixed beforehand, or every release reads its part at once; for interactions about parts of
    a stream use `OneAtATime`.

    Examples
    --------
    >>> basic(Parallel((PureDP(1), ApproximateDP(Fraction(1, 2), Fraction(1, 100)))))
    (Fraction(1, 1), Fraction(1, 100))

    As a whole it costs what the dearest of them does; as a part of something else, a profile that
    dominates all of theirs, which may be more:

    >>> two = [Sequential((PureDP(i), PureDP(8 - i))) for i in (2, 3)]
    >>> float(basic(Parallel(tuple(two)))[0]), float(basic(Sequential((Parallel(tuple(two)),)))[0])
    (8.0, 9.0)
    """

    def profile(self) -> Profile:
        """A profile that dominates each of the events', whichever meets the changed item."""
        return _dominating_profile([event.profile() for event in self.events])


@dataclass(frozen=True)
class AtOnce(_OfOne):
    """A release that is made at once of the items it reads, by coins of its own.

    Nothing is shown while it reads, and none of its coins was used or shown before. So it holds on
    every history (part (b) of the lemma).

    Examples
    --------
    >>> histogram = AtOnce(ApproximateDP(1, Fraction(1, 1000), name="histogram"))
    >>> basic(StreamParallel(histogram, 20)), basic(StreamParallel(histogram.event, 20))
    ((Fraction(1, 1), Fraction(1, 1000)), (Fraction(1, 1), Fraction(1, 50)))
    """

    @property
    def on_every_history(self) -> bool:
        """Whatever the event is."""
        return True


@dataclass(frozen=True)
class OneAtATime(_OfMany):
    """Interactive releases on a stream, of which one is active at any time.

    Each starts with fresh coins at a publicly known time, and reads the items from its start to its
    stop, which may be fixed or depend on what it answers. The adversary chooses the items, and when
    its two versions of one come.

    **Claim.** Epsilon is the largest of theirs. Of delta, those that hold on every history cost the
    largest of theirs once, all together; every other one costs its own.

    **Proof.** Let an adversary and a set O of views be given; say that the item comes in release k
    after the history h, a view of all that was shown before it. What follows release k does not
    depend on the item but through what was shown. So P(O, h) - e^epsilon Q(O, h) is at most
    P(h) delta_k if release k holds on every history, and these terms add up to at most max delta_k.
    Otherwise fix what was shown before release k began, in which the item has not come: given that,
    the views of which the item comes in release k contribute at most delta_k, since release k is
    private against the adversary that plays on from there; so release k adds at most delta_k. QED

    The sum is needed: see `StreamParallel`; Henzinger, Safavi, Vadhan 2024 show the same of data
    that are updated adaptively. zCDP that does not hold on every history does not
    survive this either; then all are charged as sequential.

    Examples
    --------
    >>> leak = ApproximateDP(0, Fraction(1, 100))
    >>> basic(OneAtATime((PureDP(1), leak, leak)))
    (Fraction(1, 1), Fraction(1, 50))
    >>> basic(OneAtATime((PureDP(1), AtOnce(leak), AtOnce(leak))))
    (Fraction(1, 1), Fraction(1, 100))
    """

    def profile(self) -> Profile:
        """What one of them lets a changed item meet, and all deltas that have to be added."""
        if self.on_every_history:
            return _dominating_profile([event.profile() for event in self.events])
        if any(event.profile().rho for event in self.events):
            return Sequential(self.events).profile()
        totals = [basic(event) for event in self.events]
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


def _dominating_profile(parts: Sequence[Profile]) -> Profile:
    """A profile that dominates all of these."""
    return Profile(
        _dominating([part.losses for part in parts]),
        _dominating([part.ranges for part in parts]),
        max((part.rho for part in parts), default=Fraction(0)),
        max((part.delta for part in parts), default=Fraction(0)),
    )


@dataclass(frozen=True)
class StreamParallel(_Repeated):
    """At most `count` interactive releases of one kind on a stream, one active at any time.

    It is `OneAtATime` of `count` equal events. If they do not hold on every history, delta adds up,
    and has to: let an instance stop at once but for probability delta, and otherwise reveal the
    next item that is changed. Each is (0, delta)-DP; but an adversary that challenges in the first
    one that goes on succeeds with probability 1 - (1 - delta)^count. That their times are fixed
    beforehand does not help, if they show before the item that they will reveal it.

    Examples
    --------
    >>> basic(StreamParallel(ApproximateDP(1, Fraction(1, 1000)), 20))
    (Fraction(1, 1), Fraction(1, 50))
    """

    def profile(self) -> Profile:
        """The event's own if it holds on every history, else one loss and all deltas."""
        each = self.event.profile()
        if not self.count:
            return Profile()
        if self.event.on_every_history:
            return each
        if each.rho:
            return each.times(self.count)
        epsilon, delta = basic(self.event)
        return Profile(losses=_runs(epsilon), delta=delta * self.count)


@dataclass(frozen=True)
class PostProcessed(_OfOne):
    """Anything computed from a release and from nothing else of the data.

    Examples
    --------
    >>> basic(PostProcessed(PureDP(1)))
    (Fraction(1, 1), Fraction(0, 1))
    """


@dataclass(frozen=True)
class UnderChallenge(_OfOne):
    """What all users but one see of a release that is private when that user's item is replaced.

    This is how a guarantee under ``"replace_one"`` becomes one under ``"challenge"``: the others'
    view is the transcript without the answers given to the one user, a post-processing of it. The
    converse is false: the answer to a user may reveal that user's example without any loss in the
    view of the others, as does a learner that simply repeats the example to whoever sent it.

    Raises
    ------
    InvalidInput
        If the event's guarantee is not one under ``"replace_one"``.

    Examples
    --------
    >>> counter = PureDP(Fraction(1, 2), name="counter")
    >>> predictor = PureDP(1, name="predictor", neighbours="challenge")
    >>> basic(Sequential((UnderChallenge(counter), predictor)))
    (Fraction(3, 2), Fraction(0, 1))
    """

    def __post_init__(self) -> None:
        if (relation := neighbours(self.event)) not in (None, "replace_one"):
            raise InvalidInput(
                "The others' view is part of a transcript that is private under replace_one. "
                f"Got an event whose guarantee holds under {relation}."
            )

    def leaves(self) -> Iterable[_Leaf]:
        """The event's, under the relation ``"challenge"``."""
        for leaf in self.event.leaves():
            yield replace(leaf, neighbours=CHALLENGE)


@dataclass(frozen=True)
class UnderReplaceOne(_OfOne):
    """What a release that is private when an item is added or removed says of one replaced.

    *Proof.* Replacing an item is removing it and adding another: D, D without it, D with the other
    one. Both steps are between neighbours under ``"add_remove"``, and a guarantee under it holds
    for data of every size; so it is `group` for two steps. The converse is false: under
    ``"replace_one"`` the number of items may be released at no cost.

    Raises
    ------
    InvalidInput
        If the event's guarantee is not one under ``"add_remove"``.

    Examples
    --------
    >>> histogram = PureDP(Fraction(1, 4), neighbours="add_remove")
    >>> basic(Sequential((UnderReplaceOne(histogram), PureDP(1))))
    (Fraction(3, 2), Fraction(0, 1))
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        if (relation := neighbours(self.event)) not in (None, "add_remove"):
            raise InvalidInput(
                "Two steps of add_remove make one of replace_one. Got an event whose guarantee "
                f"holds under {relation}."
            )
        Grouped(self.event, 2)

    def leaves(self) -> Iterable[_Leaf]:
        """The event's, under the relation ``"replace_one"``."""
        for leaf in self.event.leaves():
            yield replace(leaf, neighbours="replace_one")

    def profile(self) -> Profile:
        """That of two steps."""
        return Grouped(self.event, 2).profile()


@dataclass(frozen=True)
class Grouped(_OfOne):
    """What an event says about `size` items at once, as `group` does for numbers.

    For challenge-DP these are `size` challenges of one adversary [KMMNS23, Thm 3.4]. It holds
    under every relation: step from the one input to the other item by item (challenge by
    challenge), where P_(i-1)(O) <= e^epsilon P_i(O) + delta. What is known of the event beyond its
    epsilon and delta is lost on the way, except that rho-zCDP becomes size^2 rho-zCDP (Bun,
    Steinke 2016); so group the leaves and compose then, rather than the other way round.

    Raises
    ------
    InvalidInput
        If the size is not positive, or the event is zCDP and has a delta as well.

    Examples
    --------
    >>> each = PureDP(Fraction(1, 10), neighbours="challenge")
    >>> basic(Grouped(each, 3))
    (Fraction(3, 10), Fraction(0, 1))
    >>> orders = SelfComposed(Grouped(each, 3), 1000), Grouped(SelfComposed(each, 1000), 3)
    >>> [round(float(total(event, Fraction(1, 10**6)).epsilon)) for event in orders]
    [88, 300]
    """

    size: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "size", checked_positive(self.size, "group size"))
        profile = _profile(self.event)
        if profile.rho and profile.delta:
            raise InvalidInput(
                "An event that is zCDP only up to a probability delta cannot be grouped: "
                "group its parts."
            )

    def profile(self) -> Profile:
        """One loss, and a delta; or one rho."""
        each = self.event.profile()
        if each.rho:
            return Profile(rho=each.concentrated * self.size**2)
        epsilon, delta = _grouped(*basic(self.event), self.size)
        return Profile(losses=_runs(epsilon), delta=delta)


# ---- accountants


def neighbours(event: Event) -> str | None:
    """The neighbour relation that all leaves share; None if there is no leaf.

    Raises
    ------
    InvalidInput
        If leaves hold under different relations: their losses must not be added.

    Examples
    --------
    >>> neighbours(Sequential((PureDP(1), PureDP(1, neighbours="add_remove"))))
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: The leaves hold under different neighbour relations, \
add_remove and replace_one; state all of them under one.
    """
    relations = sorted({leaf.neighbours for leaf in _checked(event).leaves()})
    if len(relations) > 1:
        hint = "UnderChallenge(event) does that for replace_one" if CHALLENGE in relations else ""
        raise InvalidInput(
            f"The leaves hold under different neighbour relations, {' and '.join(relations)}; "
            f"state all of them under one{hint and f' ({hint})'}."
        )
    return relations[0] if relations else None


def _profile(event: Event) -> Profile:
    neighbours(event)
    return event.profile()


def _alternatives(event: Event) -> tuple[Event, ...]:
    """The events of which a changed item meets one, whichever: the dearest is the price of all."""
    if isinstance(event, Parallel) or (isinstance(event, OneAtATime) and event.on_every_history):
        neighbours(event)
        return event.events
    return ()


def _slack(profile: Profile, delta: Fraction) -> Fraction:
    """What is left of delta for the accountant once the mechanisms have had theirs."""
    slack = _failure(delta) - profile.delta
    if slack <= 0:
        raise InvalidInput(
            f"The delta must exceed the mechanisms' own, {_shown(profile.delta)} in all. "
            f"Got {_shown(delta)}."
        )
    return slack


def basic(event: Event) -> tuple[Fraction, Fraction]:
    """Epsilon and delta by adding up losses; exact.

    Raises
    ------
    InvalidInput
        If an event is known to be zCDP only: no epsilon bounds its loss.

    Examples
    --------
    >>> basic(SelfComposed(PureDP(Fraction(1, 10)), 30))
    (Fraction(3, 1), Fraction(0, 1))
    """
    if others := _alternatives(event):
        parts = [basic(each) for each in others]
        return max(epsilon for epsilon, _ in parts), max(delta for _, delta in parts)
    profile = _profile(event)
    if profile.rho:
        raise InvalidInput(
            "A zCDP event has no epsilon of its own, so that there is nothing to add up; "
            "use zcdp or total, with a delta."
        )
    return profile.pathwise, profile.delta


def advanced(event: Event, delta_slack: Fraction) -> tuple[Fraction, Fraction]:
    """Epsilon and delta by advanced composition [KMMNS23, Thm 3.3] (Dwork, Rothblum, Vadhan 2010).

    For losses of at most epsilon_i: sqrt(2 ln(1/delta_slack) sum epsilon_i^2) + sum epsilon_i
    (e^epsilon_i - 1), with delta = sum delta_i + delta_slack. (A loss in [-epsilon_i, epsilon_i]
    has mean at most epsilon_i (e^epsilon_i - 1); Azuma's inequality does the rest, whether or not
    the epsilons are equal.) The mechanisms may be chosen along the way, their parameters may not.
    For challenge-DP this is about games played one after the other against the same secret bit,
    each with a learner and an adversary chosen after the games before (`CompositionGame`).

    Parameters
    ----------
    event : Event
    delta_slack : Fraction
        Strictly between 0 and 1.

    Returns
    -------
    epsilon, delta : Fraction
        Epsilon rounded up.

    Raises
    ------
    InvalidInput
        If an event is known to be zCDP only, or the slack is out of range.

    Examples
    --------
    >>> epsilon, delta = advanced(SelfComposed(PureDP(Fraction(1, 10)), 1000), Fraction(1, 10**6))
    >>> round(float(epsilon), 2), delta
    (27.14, Fraction(1, 1000000))
    """
    profile = _profile(event)
    slack = _failure(delta_slack, "delta slack")
    if not slack:
        raise InvalidInput("The delta slack must be positive: its logarithm enters. Got 0.")
    if profile.rho:
        raise InvalidInput("A zCDP event has no epsilon of its own; use zcdp or total.")
    entries = _merged((profile.losses, profile.ranges))
    if entries and entries[0][0] > OVERFLOW:
        return profile.pathwise, profile.delta + slack
    squares, drift = Fraction(0), arb(0)
    with ctx.workprec(PRECISION):
        for value, often in entries:
            squares += value * value * often
            drift += real(value) * often * real(value).expm1()
        epsilon = (-2 * real(slack).log() * real(squares)).sqrt() + drift
        return above(epsilon) if squares else Fraction(0), profile.delta + slack


def zcdp_epsilon(rho: Fraction, delta: Fraction) -> Fraction:
    r"""An epsilon for which whatever is rho-zCDP is (epsilon, delta)-DP, rounded up.

    It is the least, over k > 0, of

        (k + 1) rho + (ln(1/delta) + k ln k - (k + 1) ln(k + 1))/k

    (Canonne, Kamath, Steinke 2020). *Proof.* For a loss L, delta = E[(1 - e^(epsilon - L))_+] is
    enough, and (1 - e^-x)_+ <= c e^(k x) for c = k^k/(k + 1)^(k + 1), the largest value of
    (1 - e^-x) e^(-k x). As the Rényi divergence of order k + 1 is at most (k + 1) rho,
    E[e^(k L)] <= e^(k (k + 1) rho); so delta <= c e^(k (k + 1) rho - k epsilon). Without c this is
    the rho + 2 sqrt(rho ln(1/delta)) of Bun, Steinke 2016. Any k is valid; a good one is searched
    for in floating point, then the bound is computed with balls.

    Parameters
    ----------
    rho : Fraction
        At least 0.
    delta : Fraction
        Strictly between 0 and 1.

    Raises
    ------
    InvalidInput
        If a parameter is out of range, or a float.

    Examples
    --------
    >>> round(float(zcdp_epsilon(Fraction(1, 2), Fraction(1, 10**6))), 3)  # the other bound: 5.756
    5.222
    """
    rho, delta = checked_nonnegative_fraction(rho, "rho"), _positive_failure(delta)
    if not rho:
        return Fraction(0)

    def bound(k: float) -> float:
        return (k + 1) * _rough(rho) + _conversion(k, delta) / k

    k = Fraction(_least(bound, rho, delta))
    with ctx.workprec(PRECISION):
        return max(above(real(rho) * real(k + 1) + _sure_conversion(k, delta)), Fraction(0))


@lru_cache(maxsize=256)
def zcdp_rho(epsilon: Fraction, delta: Fraction) -> Fraction:
    """The largest rho for which `zcdp_epsilon` stays within epsilon, rounded down to 32 bits.

    What mechanisms calibrate their noise with: everything together may be rho-zCDP.

    Parameters
    ----------
    epsilon : Fraction
        Positive.
    delta : Fraction
        Strictly between 0 and 1.

    Raises
    ------
    InvalidInput
        If a parameter is out of range, or a float, or both are so small that the search, which is
        in floating point, ends at no positive rho.

    Examples
    --------
    >>> rho = zcdp_rho(Fraction(1), Fraction(1, 10**6))
    >>> round(float(rho), 5), zcdp_epsilon(rho, Fraction(1, 10**6)) <= 1
    (0.02436, True)
    """
    epsilon, delta = checked_nonnegative_fraction(epsilon, "epsilon"), _positive_failure(delta)
    if not epsilon:
        raise InvalidInput("Only rho = 0 is within epsilon = 0. Give a positive epsilon.")
    log = -log_in_floats(delta)
    # (sqrt(epsilon + L) - sqrt(L))^2, without cancellation.
    rough = _rough(epsilon)
    start = Fraction(rough / (math.sqrt(rough + log) + math.sqrt(log))) ** 2

    def loss(k: float) -> float:
        return -(rough - _conversion(k, delta) / k) / (k + 1)

    k = Fraction(_least(loss, start, delta))
    with ctx.workprec(PRECISION):
        ball = (real(epsilon) - _sure_conversion(k, delta)) / real(k + 1)
        mantissa, exponent = (int(part) for part in ball.lower().man_exp())
    if mantissa <= 0:
        raise InvalidInput(
            f"There is no rho to be found within epsilon = {_shown(epsilon)} at delta = "
            f"{_shown(delta)}: the best order is beyond floating point. Give a larger epsilon or a "
            "larger delta."
        )
    spare = max(0, mantissa.bit_length() - 32)
    return Fraction(mantissa >> spare) * Fraction(2) ** (exponent + spare)


def _positive_failure(delta: object) -> Fraction:
    slack = _failure(delta)
    if not slack:
        raise InvalidInput("The delta must be positive: its logarithm enters. Got 0.")
    return slack


def _rough(value: Fraction) -> float:
    """The value for a search in floating point, which ends somewhere valid from anywhere."""
    return float(min(max(value, TINIEST), 1 / TINIEST))


def _conversion(k: float, delta: Fraction) -> float:
    """The number ln(1/delta) + k ln k - (k + 1) ln(k + 1), in floating point."""
    return -log_in_floats(delta) - math.log(k) - (k + 1) * math.log1p(1 / k)


def _sure_conversion(k: Fraction, delta: Fraction) -> arb:
    """The same divided by k, as a ball."""
    order = real(k)
    return (-real(delta).log() - order.log() - (order + 1) * (1 / order).log1p()) / order


def _least(function: Callable[[float], float], rho: Fraction, delta: Fraction) -> float:
    """Where a function of k is about least: one that falls, then rises.

    (Its numerator, a multiple of k or less, is convex in k.) The simpler bound is least at
    k = sqrt(ln(1/delta)/rho), this one not much beyond.
    """
    middle = (math.log(max(-log_in_floats(delta), 1e-30)) - log_in_floats(rho)) / 2
    # Beyond e^300, products of floats end; any k is valid.
    low, high = -20.0, min(max(middle, -14.0) + 6, 300.0)
    for _ in range(90):
        one, two = low + (high - low) / 3, high - (high - low) / 3
        if function(math.exp(one)) <= function(math.exp(two)):
            high = two
        else:
            low = one
    return math.exp((low + high) / 2)


def zcdp(event: Event, delta: Fraction) -> tuple[Fraction, Fraction]:
    """Epsilon at a given delta by zero-concentrated differential privacy (Bun, Steinke 2016).

    An epsilon-DP event is (epsilon^2/2)-zCDP, one of bounded range eta (eta^2/8)-zCDP; rho adds
    up, and `zcdp_epsilon` turns it into an epsilon. Losses that are cheaper as they stand are added
    as they stand: an epsilon_1 that bounds part of the loss on every path and a rho-zCDP rest
    give epsilon_1 + zcdp_epsilon(rho, delta), because the supermartingale behind the rest does not
    see the other steps. Which are cheaper is decided exactly: the bound is concave in what is
    converted (a least value of linear ones), so an optimum converts those below a threshold.

    Parameters
    ----------
    event : Event
    delta : Fraction
        In all; the mechanisms' own deltas are paid out of it.

    Returns
    -------
    epsilon, delta : Fraction
        Epsilon rounded up.

    Raises
    ------
    InvalidInput
        If delta does not exceed the mechanisms' own.

    Examples
    --------
    >>> epsilon, _ = zcdp(SelfComposed(BoundedRange(Fraction(1, 10)), 1000), Fraction(1, 10**6))
    >>> round(float(epsilon), 2)
    8.85
    """
    if others := _alternatives(event):
        return max(zcdp(each, delta) for each in others)
    profile = _profile(event)
    delta = rational(delta, "delta")
    slack = _slack(profile, delta)
    entries = sorted(
        [(value / 2, value, value * value / 2, often) for value, often in profile.losses]
        + [(value / 8, value, value * value / 8, often) for value, often in profile.ranges]
    )
    kept, rho = profile.pathwise, profile.rho
    best = kept + zcdp_epsilon(rho, slack)
    for threshold, value, concentrated, often in entries:
        if threshold >= 1:  # a rho adds itself at least, so nothing is gained from here on
            break
        kept -= value * often
        rho += concentrated * often
        best = min(best, kept + zcdp_epsilon(rho, slack))
    return best, delta


def pld(event: Event, delta: Fraction) -> tuple[Fraction, Fraction]:
    """Epsilon at a given delta by privacy loss distributions (package ``dp-accounting``).

    The best that is true of every composition of mechanisms with these epsilons (Kairouz, Oh,
    Viswanath 2015). It holds for parameters fixed beforehand, not for budgets chosen along the
    way. Losses are rounded up to a lattice, on which they lie exactly where that is possible.
    The package computes in floating point, for which 10^-12 of delta is set aside.

    Parameters
    ----------
    event : Event
    delta : Fraction
        In all; the mechanisms' own deltas are paid out of it.

    Returns
    -------
    epsilon, delta : Fraction

    Raises
    ------
    InvalidInput
        If an event is known to be zCDP only, if delta does not exceed the mechanisms' own by more
        than 10^-12, or if more losses are composed than fit a lattice.

    Examples
    --------
    >>> epsilon, _ = pld(SelfComposed(PureDP(Fraction(1, 10)), 1000), Fraction(1, 10**6))
    >>> round(float(epsilon), 1)
    19.3
    """
    profile = _profile(event)
    delta = rational(delta, "delta")
    slack = _slack(profile, delta)
    if profile.rho:
        raise InvalidInput("A zCDP event has no privacy loss distribution that dominates it.")
    if slack <= FLOATING:
        raise InvalidInput(
            f"Floating point needs {shown(FLOATING)} of delta beyond the mechanisms' own. "
            f"Got {shown(slack)}; use zcdp."
        )
    entries = _merged((profile.losses, profile.ranges))
    if not entries:
        return Fraction(0), delta
    composed = sum(often for _, often in entries)
    if composed > LATTICE:
        raise InvalidInput(
            f"Privacy loss distributions are composed of at most {LATTICE} losses here. "
            f"Got {composed}; use zcdp."
        )
    if max(value for value, _ in entries) > OVERFLOW:
        return profile.pathwise, delta
    from dp_accounting.pld.privacy_loss_distribution import PrivacyLossDistribution

    scale = lcm(*(value.denominator for value, _ in entries))
    step = Fraction(gcd(*(int(value * scale) for value, _ in entries)), scale)
    step = max(step, profile.pathwise / LATTICE)
    parts = []
    for value, often in entries:
        # The package's `from_privacy_parameters`, with places on the lattice by exact fractions: a
        # quotient of floating-point numbers would round 0.14/0.02 up to 8.
        likely = 1 / (1 + exp(-float(value)))
        places = {ceil(value / step): likely, ceil(-value / step): 1 - likely}
        part = PrivacyLossDistribution.create_from_rounded_probability(places, 0.0, float(step))
        parts.append(part.self_compose(often))
    whole_loss = parts[0]
    for part in parts[1:]:
        whole_loss = whole_loss.compose(part)
    found = float(whole_loss.get_epsilon_for_delta(float(slack - FLOATING)))
    if not isfinite(found):
        return profile.pathwise, delta
    return min(max(Fraction(found), Fraction(0)), profile.pathwise), delta


@dataclass(frozen=True)
class Total:
    """The smallest (epsilon, delta) that is known of an event, and how it was found.

    Attributes
    ----------
    epsilon, delta : Fraction
    method : str
        ``basic``, ``advanced``, ``zcdp`` or ``pld``.
    others : tuple of (str, Fraction)
        The epsilons of all methods that apply, by name.
    """

    epsilon: Fraction
    delta: Fraction
    method: str
    others: tuple[tuple[str, Fraction], ...] = field(compare=False, repr=False)

    def _repr_html_(self) -> str:
        """What every accountant finds, for notebooks."""
        rows = [(name, _shown(epsilon)) for name, epsilon in self.others]
        title = f"({_shown(self.epsilon)}, {_shown(self.delta)})-DP by {self.method}"
        return html_table(title, rows, head=("accountant", "epsilon"))


def total(event: Event, delta: Fraction = Fraction(0)) -> Total:
    """The smallest epsilon at a given delta, over all accountants that apply.

    Parameters
    ----------
    event : Event
    delta : Fraction
        In all. With 0, or with no more than the mechanisms' own, only basic composition applies.

    Raises
    ------
    InvalidInput
        If no accountant applies: delta is less than the mechanisms' own, or a zCDP event comes
        without a delta.

    Examples
    --------
    >>> total(SelfComposed(PureDP(Fraction(1, 10)), 3)).method
    'basic'
    >>> best = total(SelfComposed(PureDP(Fraction(1, 10)), 1000), Fraction(1, 10**6))
    >>> best.method, [(name, round(float(epsilon), 1)) for name, epsilon in best.others]
    ('pld', [('basic', 100.0), ('advanced', 27.1), ('zcdp', 20.6), ('pld', 19.3)])
    """
    if others := _alternatives(event):
        return max((total(each, delta) for each in others), key=lambda each: each.epsilon)
    profile = _profile(event)
    delta = _failure(delta)
    if profile.delta > delta:
        raise InvalidInput(
            f"The delta must be at least the mechanisms' own, {_shown(profile.delta)}. "
            f"Got {_shown(delta)}."
        )
    found: dict[str, Fraction] = {}
    if not profile.rho:
        found["basic"] = profile.pathwise
    if profile.delta < delta:
        if not profile.rho:
            found["advanced"] = advanced(event, delta - profile.delta)[0]
        found["zcdp"] = zcdp(event, delta)[0]
        composed = sum(often for _, often in profile.losses + profile.ranges)
        if not profile.rho and composed <= LATTICE and delta - profile.delta > FLOATING:
            found["pld"] = pld(event, delta)[0]
    if not found:
        raise InvalidInput("A zCDP event has an epsilon only together with a positive delta.")
    method = min(found, key=lambda name: found[name])
    return Total(found[method], delta, method, tuple(found.items()))


def group(epsilon: Fraction, delta: Fraction, size: int) -> tuple[Fraction, Fraction]:
    """What an (epsilon, delta) guarantee for one item says about `size` items at once.

    (size epsilon, delta (1 + e^epsilon + ... + e^((size - 1) epsilon))), which is at most the
    size e^(size epsilon) delta of [KMMNS23, Thm 3.4]. For challenge-DP, `size` is the number of
    challenges. `Grouped` does this within a ledger.

    Raises
    ------
    InvalidInput
        If epsilon is negative, delta is not in [0, 1), one of them is a float, or the size is not
        positive.

    Examples
    --------
    >>> group(Fraction(1), Fraction(0), 3)
    (Fraction(3, 1), Fraction(0, 1))
    """
    return _grouped(
        checked_nonnegative_fraction(epsilon, "epsilon"),
        _failure(delta),
        checked_positive(size, "group size"),
    )


def _grouped(epsilon: Fraction, delta: Fraction, size: int) -> tuple[Fraction, Fraction]:
    if not delta or size == 1:
        return size * epsilon, delta
    with ctx.workprec(PRECISION):
        return size * epsilon, above(real(delta) * geometric_sum(epsilon, size))


def geometric_sum(epsilon: Fraction, size: int) -> arb:
    """1 + e^epsilon + ... + e^((size - 1) epsilon) as a ball, whatever the number of summands.

    It is (e^(size epsilon) - 1)/(e^epsilon - 1), or `size` where epsilon is 0.

    Parameters
    ----------
    epsilon : Fraction
        At least 0.
    size : int
        At least 1.

    Examples
    --------
    >>> print(geometric_sum(Fraction(1), 3).str(6, radius=False))
    11.1073
    >>> print(geometric_sum(Fraction(1, 10**12), 10**12).str(6, radius=False))
    1.71828e+12
    """
    if not epsilon:
        return arb(size)
    return (size * real(epsilon)).expm1() / real(epsilon).expm1()


class Budget:
    """An (epsilon, delta) that releases are paid from; what exceeds it is refused beforehand.

    What is released next, and at which cost, may depend on everything released before. Basic
    composition and zCDP stay true then (as privacy filters: Rogers et al. 2016; Feldman, Zrnic
    2021); the other accountants need costs fixed beforehand and are not offered. With zCDP every
    loss is converted, half of delta pays for turning rho into epsilon, and the other half is left
    for the mechanisms' own deltas: a split chosen afterwards would depend on what was released.

    Parameters
    ----------
    epsilon, delta : Fraction or int
    method : str
        ``"basic"`` or ``"zcdp"``, once and for all.

    Raises
    ------
    InvalidInput
        If a parameter is out of range or a float, or there is no such method.

    Examples
    --------
    >>> budget = Budget(1)
    >>> budget.release(PureDP(Fraction(3, 4)), lambda: "something")
    'something'
    >>> budget.release(PureDP(Fraction(1, 2)), lambda: "something more")
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: Nothing was released: the budget is (epsilon, delta) = (1, 0), \
and it would be overdrawn with (5/4, 0).
    >>> budget.spent
    (Fraction(3, 4), Fraction(0, 1))
    """

    def __init__(
        self, epsilon: Fraction | int, delta: Fraction | int = 0, *, method: str = "basic"
    ) -> None:
        self.epsilon = checked_nonnegative_fraction(epsilon, "epsilon")
        self.delta = _failure(delta)
        if method not in ("basic", "zcdp"):
            raise InvalidInput(
                f"A budget is kept by 'basic' composition or 'zcdp': the other accountants do not "
                f"hold for costs chosen along the way. Got {method!r}."
            )
        if method == "zcdp" and not self.delta:
            raise InvalidInput("A budget kept by zCDP needs a positive delta. Got 0.")
        self.method = method
        self._events: list[Event] = []
        self._lock = threading.Lock()

    @property
    def events(self) -> Sequential:
        """Everything charged so far."""
        return Sequential(tuple(self._events))

    @property
    def spent(self) -> tuple[Fraction, Fraction]:
        """The (epsilon, delta) of everything charged so far."""
        return self._cost(self.events)

    def _cost(self, event: Event) -> tuple[Fraction, Fraction]:
        if self.method == "basic":
            return basic(event)
        # Every loss is converted and the conversion's share of delta is fixed: a rule that picks
        # the cheapest way afterwards would depend on the transcript, and no filter allows that.
        profile, share = _profile(event), self.delta / 2
        return zcdp_epsilon(profile.concentrated, share), profile.delta + share

    def charge(self, event: Event) -> None:
        """Pay for an event.

        Raises
        ------
        InvalidInput
            If the budget would be overdrawn; nothing is charged then.
        """
        with self._lock:
            epsilon, delta = self._cost(Sequential((*self._events, _checked(event))))
            if epsilon > self.epsilon or delta > self.delta:
                raise InvalidInput(
                    "Nothing was released: the budget is (epsilon, delta) = "
                    f"({_shown(self.epsilon)}, {_shown(self.delta)}), and it would be overdrawn "
                    f"with ({_shown(epsilon)}, {_shown(delta)})."
                )
            self._events.append(event)

    def release(self, event: Event, run: Callable[[], Released]) -> Released:
        """Pay for an event, then run it; a run that fails has been paid for, since it ran.

        Raises
        ------
        InvalidInput
            If the budget would be overdrawn; nothing runs then.
        """
        self.charge(event)
        return run()


def checked_neighbours(neighbours: object) -> str:
    """The name of a neighbour relation between data sets."""
    if neighbours not in DATA_NEIGHBOURS:
        raise InvalidInput(
            f"Neighbours are related by one of {', '.join(map(repr, DATA_NEIGHBOURS))}. "
            f"Got {neighbours!r}."
        )
    return str(neighbours)


def _shown(value: Fraction) -> str:
    return shown(value, exact=10**9, up=True)
