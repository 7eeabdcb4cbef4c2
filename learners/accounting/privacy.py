"""Total privacy of a learner or a release: epsilon, delta and the scope of the guarantee."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

from learners.accounting.compositions import _alternatives, basic, scope
from learners.accounting.events import Event
from learners.accounting.profiles import Profile
from learners.accounting.scopes import CHALLENGE, Scope
from learners.checked import EpsilonOrZero
from learners.codec import Codec
from lsclasses.errors import InvalidInput
from lsclasses.numbers import format_number, parse_number
from lsclasses.options import Option, check_fields

CODEC = Codec()


@dataclass(frozen=True)
class Privacy:
    """A privacy guarantee (epsilon, delta) with its neighbour relation, adversary model and unit.

    Iteration gives the pair (epsilon, delta).

    Attributes
    ----------
    epsilon, delta : Fraction
        Parameters of the guarantee.
    scope : Scope or None
        Neighbour relation, adversary model and protected unit (row or person). None is allowed only
        if epsilon and delta are 0, because the guarantee then holds in every scope.
    conditional : bool
        Whether the rows may have been computed from private data by earlier steps that no ledger
        records. The guarantee then covers only the later steps
        (`learners.tables.guarantees.Guarantee`).

    Raises
    ------
    InvalidInput
        If epsilon or delta is negative, or one of them is positive and `scope` is None.

    Examples
    --------
    >>> from learners.accounting import PureDP
    >>> privacy = Privacy.of(PureDP(1, scope=Scope.adaptive("replace_one")))
    >>> print(privacy)
    (1, 0)-DP, one item replaced, against an adaptive adversary that observes every released value
    >>> epsilon, delta = privacy
    >>> epsilon, delta
    (Fraction(1, 1), Fraction(0, 1))
    """

    epsilon: EpsilonOrZero
    delta: Annotated[Fraction, Option("delta", minimum=0)]
    scope: Scope | None
    conditional: bool = False

    def __post_init__(self) -> None:
        check_fields(self)
        if self.scope is None and (self.epsilon or self.delta):
            raise InvalidInput(
                "A guarantee must state its scope (neighbour relation, adversary model and unit). "
                f"Got none for (epsilon, delta) = ({self.epsilon}, {self.delta})."
            )

    @classmethod
    def of(cls, event: Event, delta: Fraction | None = None) -> Privacy:
        """Return the total (epsilon, delta) of an event. An event is a privacy cost.

        Let d be the delta of the total by basic composition. If the given delta is None or at most
        d, the method returns this total. Otherwise it computes the total in zCDP and converts it.
        The conversion spends the given delta minus d. For repetitions of one mechanism and for
        private choices such as exponential mechanisms, it also tries sharper accountants and
        returns the smallest epsilon.
        """
        if delta is None or delta <= event.profile().delta:
            # The conversion from zCDP spends delta beyond the mechanisms' own delta.
            epsilon, delta = basic(event)
        else:
            # Basic composition does not need balls, so the accountant is loaded only on demand.
            from learners.accounting.conversions import zcdp

            epsilon, delta = zcdp(event, delta)
            # The choices of one phase, and the releases of all rounds, may be calibrated by the
            # optimal composition.
            from learners.accounting.epsilons import choices_epsilon, epsilons, repeated_epsilon

            several = _alternatives(event)
            profile = Profile() if several else event.profile()
            if profile.ranges and not profile.unbounded:
                epsilon = min(epsilon, *epsilons(event, delta).values())
            else:
                tightened = choices_epsilon if several else repeated_epsilon
                epsilon = tightened(event, delta, epsilon)
        return cls(epsilon, delta, scope(event))

    def __iter__(self) -> Iterator[Fraction]:
        yield self.epsilon
        yield self.delta

    @property
    def neighbours(self) -> str:
        """Neighbour relation of this guarantee, or an empty string if its scope is None."""
        return "" if self.scope is None else self.scope.neighbours

    @property
    def summary(self) -> str:
        """The pair (epsilon, delta), rounded up, and the type, ``DP`` or ``challenge-DP``."""
        kind = "challenge-DP" if self.neighbours == CHALLENGE else "DP"
        return f"({_shown(self.epsilon)}, {_shown(self.delta)})-{kind}"

    def __str__(self) -> str:
        stated = self.summary if self.scope is None else f"{self.summary}, {self.scope}"
        return stated + ", conditional on the rows as given" * self.conditional

    @classmethod
    def from_json(cls, data: object) -> Privacy:
        """Return the guarantee that `Privacy.to_json` described as JSON values.

        Versions 0.1 and 0.2 of this library wrote no adversary model. The method reads their
        guarantees as guarantees for streams that are fixed in advance.

        Raises
        ------
        LookupError, TypeError
            If an entry is missing or has another type.
        InvalidInput
            If a value is out of range.

        Examples
        --------
        >>> old = {"epsilon": "1/2", "delta": "0", "neighbours": "replace_one"}
        >>> Privacy.from_json(old).scope == Scope.fixed("replace_one")
        True
        """
        if not isinstance(data, dict):
            raise TypeError
        numbers = parse_number(data["epsilon"], "epsilon"), parse_number(data["delta"], "delta")
        if not data.get("neighbours"):
            return cls(*numbers, None)
        stated = {name: value for name, value in data.items() if name not in ("epsilon", "delta")}
        if set(stated) == {"neighbours"}:
            return cls(*numbers, Scope.fixed(CODEC.value(str, stated["neighbours"], "neighbours")))
        return cls(*numbers, CODEC.read(Scope, stated))

    def to_json(self) -> dict[str, object]:
        """Return epsilon, delta and the scope as JSON values. Numbers are strings such as 1/10."""
        stated = {} if self.scope is None else self.scope.to_json()
        return {"epsilon": str(self.epsilon), "delta": str(self.delta), **stated}


def _shown(value: Fraction) -> str:
    return format_number(value, 4, exact=10**4, up=True)
