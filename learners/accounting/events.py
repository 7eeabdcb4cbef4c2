"""Events, the privacy guarantees of single mechanisms, also on every history.

**Interactions.** The adversary who chooses a stream also chooses *when* the two versions of an item
come [LWY25, Def. 2.4], after all previous answers. Consider the answers from the differing item on,
given all answers before it. A mechanism is (epsilon, delta)-DP *on every history* if, for all
answers before the item, these conditional distributions are (epsilon, delta)-close
(`Event.on_every_history`). This is stronger than (epsilon, delta)-DP, which averages over
histories. With probability delta a mechanism may announce that it will reveal its next item. One
such announcement costs delta. But an adversary who meets mechanisms one after the other waits for
an announcement, so each mechanism costs delta.

*Lemma.* (a) Pure DP, and a bounded range, hold on every history. (b) Every guarantee of a release
that is made at once holds on every history. Such a release shows no answer while it reads, and its
coins are separate, drawn when it is made. (c) Let a transcript be computed from coins that are
drawn independently of the data and from mechanisms that read one changed item through neighbouring
inputs. The answers and these coins decide when mechanisms start and which one is used. The coins of
each mechanism are independent of all other coins. If each mechanism holds on every history, the
composition also holds on every history.

*Proof.* Before the item, both worlds are identical. A history h has the same probability
P(h) = Q(h) in both worlds, and the coins and the mechanisms' answers have the same conditional
distribution given h. (a) If P(h, r) <= e^epsilon Q(h, r) for every continuation r, then
P(r | h) <= e^epsilon Q(r | h). A ratio P(h, r)/Q(h, r) in an interval is P(r | h)/Q(r | h).
(b) Either the release lies in h, and the continuation is independent of the item. Or the release
draws from fresh coins. (c) Fix h, the coins and the answers, which have the same probability in
both worlds. Now each mechanism has known questions and given known answers, and it continues by its
conditional distribution, independently of the others. This is an adaptive, concurrent composition
of close mechanisms, which adds up like every other composition (Vadhan, Wang 2021; Lyu 2022; Haney
et al. 2023). Average over coins and answers, because closeness is convex. The adversary's view of
the transcript is a post-processing of it, before and after the item. QED
"""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Annotated, Any

from learners.accounting.profiles import Profile, _runs
from learners.accounting.scopes import Scope
from learners.checked import DeltaOrZero, EpsilonOrZero, MuSquared, Rho
from lsclasses.errors import InvalidInput
from lsclasses.html import HIDDEN_FROM, hidden, html_list
from lsclasses.numbers import format_number
from lsclasses.options import Option, check_fields


class Event(ABC):
    """The known privacy of one release (a leaf of the ledger) or of several releases (a node)."""

    @abstractmethod
    def profile(self) -> Profile:
        """Return the list of the privacy losses that one changed item can cause."""

    @abstractmethod
    def leaves(self) -> Iterable[_Leaf]:
        """Return every leaf once, at every depth of the tree."""

    @property
    @abstractmethod
    def on_every_history(self) -> bool:
        """Whether the guarantee holds conditionally on every history before the differing item.

        A history is a sequence of answers. The docstring of the module `learners.accounting.events`
        contains the exact definition. False means that no proof is known.

        Examples
        --------
        >>> from learners.accounting import AtOnce
        >>> data = Scope.adaptive("replace_one")
        >>> leak = ApproximateDP(0, Fraction(1, 100), scope=data)
        >>> pure = PureDP(1, scope=data)
        >>> [each.on_every_history for each in (pure, leak, AtOnce(leak))]
        [True, False, True]
        """

    def __str__(self) -> str:
        """Return the tree of events with their costs, one line per event, and the scope.

        Equal events in a row are one line with their number.

        Examples
        --------
        >>> from learners.accounting import Sequential
        >>> data = Scope.adaptive("replace_one")
        >>> count = PureDP(Fraction(1, 10), name="count", scope=data)
        >>> print(Sequential((count, count, PureDP(1, name="histogram", scope=data))))
        Sequential
          2 times count: PureDP, epsilon 1/10
          histogram: PureDP, epsilon 1
        covered: one item replaced, against an adaptive adversary that observes every released value
        """
        scopes = {leaf.scope for leaf in self.leaves()}
        lines = _lines(self, stated=len(scopes) > 1)
        return "\n".join([*lines, *(f"covered: {each}" for each in scopes if len(scopes) == 1)])

    def _repr_html_(self) -> str:
        """Return the tree of events, for notebooks."""
        return html_list(_tree(self))


def _parts(event: Any) -> tuple[dict[str, Any], list[Event]]:
    """Return the parameters of an event, and the events that it is made of."""
    below: list[Event] = []
    values: dict[str, Any] = {}
    for name in (each.name for each in fields(event)):
        value = getattr(event, name)
        if isinstance(value, Event):
            below.append(value)
        elif isinstance(value, tuple) and value and all(isinstance(v, Event) for v in value):
            below += value
        elif value != "" and value != ():
            values[name] = value
    return values, below


def _tree(event: Event) -> tuple[str, list[Any]]:
    """Return an event with its parameters, and below it the trees of its events."""
    values, below = _parts(event)
    said = [f"{name} {value}" for name, value in values.items()]
    title = type(event).__name__ + (f" ({', '.join(said)})" if said else "")
    shown = list(map(_tree, below[:HIDDEN_FROM]))
    note = hidden(events=len(below) - HIDDEN_FROM)
    return title, [*shown, (note, [])] if note else shown


def _lines(event: Event, stated: bool, times: int = 1) -> Iterator[str]:
    """Yield the lines of an event and its events, with the scope of each leaf if `stated`."""
    values, below = _parts(event)
    name, leaf_scope = values.pop("name", ""), values.pop("scope", None)
    costs = [f"{key} {_shown(value)}" for key, value in values.items()]
    scope = [str(leaf_scope)] if stated and leaf_scope is not None else []
    title = ", ".join([type(event).__name__, *costs, *scope])
    yield f"{f'{times} times ' if times > 1 else ''}{f'{name}: ' if name else ''}{title}"
    runs = [(each, len(list(equal))) for each, equal in itertools.groupby(below)]
    for each, count in runs[:HIDDEN_FROM]:
        yield from (f"  {line}" for line in _lines(each, stated, count))
    if note := hidden(events=sum(count for _, count in runs[HIDDEN_FROM:])):
        yield f"  {note}"


def _shown(value: Any) -> str:
    return (
        format_number(value, 4, exact=100, up=True) if isinstance(value, Fraction) else f"{value}"
    )


@dataclass(frozen=True, kw_only=True)
class _Leaf(Event):
    """Guarantee of one mechanism, with the mechanism's name and the scope of the guarantee.

    The scope has no default, because each mechanism states its neighbour relation, its adversary
    model and its unit.
    """

    # Fields that are keyword-only come after the fields of subclasses, so PureDP(1, scope=data)
    # sets epsilon.
    name: str = ""
    scope: Scope

    def leaves(self) -> Iterable[_Leaf]:
        return (self,)

    @property
    def neighbours(self) -> str:
        """Neighbour relation of the guarantee."""
        return self.scope.neighbours

    @property
    def on_every_history(self) -> bool:
        """False, because delta does not bound the privacy loss conditionally on a history."""
        return False

    def __post_init__(self) -> None:
        check_fields(self)
        if not isinstance(self.scope, Scope):
            raise InvalidInput(
                "The scope of a guarantee must be a learners.accounting.Scope, such as "
                f"Scope.adaptive('replace_one'). Got {self.scope!r}."
            )


@dataclass(frozen=True)
class PureDP(_Leaf):
    """A release that is epsilon-differentially private.

    Parameters
    ----------
    epsilon : Fraction or int
        Largest privacy loss, at least 0 and not a float.
    name : str
        Name of the mechanism.
    scope : Scope
        Neighbour relation, adversary model and unit of the guarantee.

    Raises
    ------
    InvalidInput
        If epsilon is negative or a float, or the scope is not a `Scope`.

    Examples
    --------
    >>> from learners.accounting import basic
    >>> basic(PureDP(Fraction(1, 2), scope=Scope.adaptive("replace_one")))
    (Fraction(1, 2), Fraction(0, 1))
    """

    epsilon: EpsilonOrZero

    def profile(self) -> Profile:
        """Return the profile of a loss of at most epsilon."""
        return Profile(losses=_runs(self.epsilon))

    @property
    def on_every_history(self) -> bool:
        """True: the guarantee holds conditionally on every sequence of earlier answers (history).

        Part (a) of the lemma in `learners.accounting.events` has the proof.
        """
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
    >>> from learners.accounting import SelfComposed, basic
    >>> data = Scope.adaptive("replace_one")
    >>> basic(SelfComposed(ApproximateDP(Fraction(1, 10), Fraction(1, 10**6), scope=data), 5))
    (Fraction(1, 2), Fraction(1, 200000))
    """

    epsilon: EpsilonOrZero
    delta: DeltaOrZero

    def profile(self) -> Profile:
        """Return the profile: one privacy loss of at most epsilon, and the probability delta."""
        return Profile(losses=_runs(self.epsilon), delta=self.delta)


@dataclass(frozen=True)
class ZCDP(_Leaf):
    """A release that is rho-zero-concentrated differentially private (Bun, Steinke 2016).

    For all neighbouring inputs, the Rényi divergence of order alpha between the two output
    distributions is at most rho alpha, for every alpha > 1.

    Raises
    ------
    InvalidInput
        If rho is negative or a float.

    Examples
    --------
    >>> from learners.accounting import zcdp
    >>> data = Scope.adaptive("replace_one")
    >>> epsilon, delta = zcdp(ZCDP(Fraction(1, 100), scope=data), Fraction(1, 10**6))
    >>> round(float(epsilon), 4)
    0.6217
    """

    rho: Rho

    def profile(self) -> Profile:
        """Return the profile of a rho-zCDP mechanism."""
        return Profile(rho=self.rho)


@dataclass(frozen=True)
class ApproximateZCDP(_Leaf):
    """A release that is rho-zCDP up to a probability delta (Bun, Steinke 2016).

    For all neighbouring inputs, the two output distributions can be written as (1 - delta) A +
    delta B and (1 - delta) A' + delta B', such that all Rényi divergences of order alpha > 1
    between A and A' are at most rho alpha, in both directions. Under composition, rho and delta add
    up.

    Raises
    ------
    InvalidInput
        If rho is negative, delta is not in [0, 1), or one of them is a float.

    Examples
    --------
    >>> from learners.accounting import zcdp
    >>> data = Scope.adaptive("replace_one")
    >>> event = ApproximateZCDP(Fraction(1, 100), Fraction(1, 10**7), scope=data)
    >>> epsilon, delta = zcdp(event, Fraction(1, 10**6))
    >>> round(float(epsilon), 4), delta
    (0.625, Fraction(1, 1000000))
    """

    rho: Rho
    delta: DeltaOrZero

    def profile(self) -> Profile:
        """Return the profile: one rho, and the probability delta."""
        return Profile(rho=self.rho, delta=self.delta)


@dataclass(frozen=True)
class GaussianDP(_Leaf):
    """A release that is mu-Gaussian differentially private up to a probability delta.

    With probability 1 - delta, one randomized map turns two normal distributions of variance 1,
    whose means differ by mu, into the two output distributions (Dong, Roth, Su 2022). With
    probability delta the output is arbitrary. Under composition, the squares of mu add up
    (`learners.accounting.gaussians`). A mu-GDP release is (mu^2/2)-zCDP, because a randomized map
    does not increase Rényi divergences.

    Raises
    ------
    InvalidInput
        If mu_squared is negative, delta is not in [0, 1), or one of them is a float.

    Examples
    --------
    >>> from learners.accounting import total
    >>> data = Scope.adaptive("replace_one")
    >>> counts = GaussianDP(Fraction(1, 20), scope=data)
    >>> [(name, round(float(e), 3)) for name, e in total(counts, Fraction(1, 10**6)).others]
    [('zcdp', 1.014), ('gaussian', 0.941)]
    """

    mu_squared: MuSquared
    delta: DeltaOrZero = Fraction(0)

    def profile(self) -> Profile:
        """Return the profile: one square of mu, and the probability delta."""
        return Profile(mu_squared=self.mu_squared, delta=self.delta)


@dataclass(frozen=True)
class BoundedRange(_Leaf):
    """A release whose privacy loss takes values in an interval of width eta (Durfee, Rogers 2019).

    The release is eta-DP, because the interval contains 0. It is also (eta^2/8)-zCDP. *Proof.* Let
    P and Q be the output distributions on two neighbouring inputs, and K(a) = ln E_Q[(P/Q)^a]. Then
    K''(a) is the variance of the privacy loss under a tilted distribution, at most eta^2/4. So the
    function K(a) - (eta^2/8) a (a - 1) is concave. It is 0 at a = 0 and a = 1, hence at most 0 for
    a > 1. QED

    For example, the exponential mechanism with weights exp(theta score) has bounded range eta =
    theta (max u - min u), if u is the change of the vector of scores.

    Raises
    ------
    InvalidInput
        If eta is negative or a float.

    Examples
    --------
    >>> from learners.accounting import basic, zcdp
    >>> data = Scope.adaptive("replace_one")
    >>> basic(BoundedRange(Fraction(1, 2), scope=data))
    (Fraction(1, 2), Fraction(0, 1))
    >>> eighth = ZCDP(Fraction(1, 8), scope=data)
    >>> zcdp(BoundedRange(1, scope=data), Fraction(1, 10**6)) == zcdp(eighth, Fraction(1, 10**6))
    False
    """

    eta: Annotated[Fraction, Option("eta", minimum=0)]

    def profile(self) -> Profile:
        """Return the profile of one loss of bounded range."""
        return Profile(ranges=_runs(self.eta))

    @property
    def on_every_history(self) -> bool:
        """True: the guarantee holds conditionally on every sequence of earlier answers (history).

        Part (a) of the lemma in `learners.accounting.events` has the proof.
        """
        return True
