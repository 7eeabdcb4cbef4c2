"""Guarantees under other neighbour relations, and for several items at once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from learners.accounting.compositions import _OfOne, _profile, basic, neighbours
from learners.accounting.events import _Leaf
from learners.accounting.profiles import Profile, _runs
from learners.accounting.scopes import CHALLENGE, SCOPE_UNITS
from learners.checked import DeltaOrZero, EpsilonOrZero, GroupSize
from learners.number_arguments import PRECISION
from lsclasses.errors import InvalidInput
from lsclasses.options import check_arguments, check_fields

if TYPE_CHECKING:
    from flint import arb


@dataclass(frozen=True)
class UnderChallenge(_OfOne):
    """A guarantee under ``"challenge"``, derived from a guarantee under ``"replace_one"``.

    Under ``"challenge"``, one user's item is replaced, and the guarantee covers only the answers to
    all other users. These answers are a part of the transcript, so they have the guarantee of the
    whole transcript. The converse is false. For example, a learner may return each example to its
    user, which reveals no example to other users.

    Raises
    ------
    InvalidInput
        If the neighbour relation of the event is not ``"replace_one"``.

    Examples
    --------
    >>> from learners.accounting import PureDP, Sequential, Scope
    >>> counter = PureDP(Fraction(1, 2), name="counter", scope=Scope.adaptive("replace_one"))
    >>> predictor = PureDP(1, name="predictor", scope=Scope.adaptive("challenge"))
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
        """Yield the leaves of the event, under the relation ``"challenge"``."""
        for leaf in self.event.leaves():
            yield replace(leaf, scope=leaf.scope.under(CHALLENGE))


@dataclass(frozen=True)
class UnderReplaceOne(_OfOne):
    """A guarantee under ``"replace_one"``, derived from a guarantee under ``"add_remove"``.

    *Proof.* To replace an item of a data set, remove the item and add another item. Each of these
    two steps is between neighbours under ``"add_remove"``, and a guarantee under this relation
    holds for data of every size. So the guarantee is group privacy for two items (`group`). QED The
    converse is false, because under ``"replace_one"`` the number of items may be released at no
    cost.

    Raises
    ------
    InvalidInput
        If the neighbour relation of the event is not ``"add_remove"``.

    Examples
    --------
    >>> from learners.accounting import PureDP, Sequential, Scope
    >>> histogram = PureDP(Fraction(1, 4), scope=Scope.adaptive("add_remove"))
    >>> data = Scope.adaptive("replace_one")
    >>> basic(Sequential((UnderReplaceOne(histogram), PureDP(1, scope=data))))
    (Fraction(3, 2), Fraction(0, 1))
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        if (relation := neighbours(self.event)) not in (None, "add_remove"):
            raise InvalidInput(
                "Two steps of add_remove make one of replace_one. Got an event whose guarantee "
                f"holds under {relation}."
            )
        # The constructor runs its checks, so that a wrong event fails at once.
        Grouped(self.event, 2)

    def leaves(self) -> Iterable[_Leaf]:
        """Yield the leaves of the event, under the relation ``"replace_one"``."""
        for leaf in self.event.leaves():
            yield replace(leaf, scope=leaf.scope.under("replace_one"))

    def profile(self) -> Profile:
        """Return the profile of the event for two steps."""
        return Grouped(self.event, 2).profile()


@dataclass(frozen=True)
class Grouped(_OfOne):
    """Group privacy: the guarantee of an event if `size` items differ instead of one item.

    For challenge-DP, the items are `size` challenges of one adversary [KMMNS23, Thm 3.4]. The
    function `group` computes epsilon and delta, for every neighbour relation. *Proof.* Change one
    item (one challenge) after another. In each step, the distributions before and after the change
    satisfy P_(i-1)(O) <= e^epsilon P_i(O) + delta. QED For (epsilon, delta)-DP, other information
    such as a bounded range is lost in these steps. But rho-zCDP becomes (size^2 rho)-zCDP (Bun,
    Steinke 2016), and mu-GDP becomes (size mu)-GDP (Dong, Roth, Su 2022). So first group each
    mechanism of a ledger, then compose the grouped mechanisms.

    Raises
    ------
    InvalidInput
        If the size is not positive, the event is zCDP with a positive delta, or the unit is
        unknown.

    Examples
    --------
    >>> from learners.accounting import PureDP, SelfComposed, total, Scope
    >>> each = PureDP(Fraction(1, 10), scope=Scope.adaptive("challenge"))
    >>> basic(Grouped(each, 3))
    (Fraction(3, 10), Fraction(0, 1))
    >>> orders = SelfComposed(Grouped(each, 3), 1000), Grouped(SelfComposed(each, 1000), 3)
    >>> [round(float(total(event, Fraction(1, 10**6)).epsilon)) for event in orders]
    [88, 300]
    """

    size: GroupSize
    unit: str = "group"

    def leaves(self) -> Iterable[_Leaf]:
        """Yield the leaves of the event, whose unit is the group or the person."""
        for leaf in self.event.leaves():
            yield replace(leaf, scope=replace(leaf.scope, unit=self.unit))

    def __post_init__(self) -> None:
        check_fields(self)
        if self.unit not in SCOPE_UNITS[1:]:
            raise InvalidInput(
                f"The unit of a group must be one of {', '.join(SCOPE_UNITS[1:])}. "
                f"Got {self.unit!r}."
            )
        profile = _profile(self.event)
        if profile.unbounded and profile.delta:
            raise InvalidInput(
                "An event that is zCDP or Gaussian only up to a probability delta cannot be "
                "grouped. Group its parts."
            )

    def profile(self) -> Profile:
        """Return the profile: one privacy loss and a delta, or one rho, or one mu."""
        each = self.event.profile()
        # A test of level a under P_0 has a power of at most Phi(Phi^-1(a) + size mu) under P_size.
        if each.mu_squared and not (each.rho or each.losses or each.ranges):
            return Profile(mu_squared=each.mu_squared * self.size**2)
        # Group privacy multiplies rho by the square of the size, so bounded losses become part of
        # rho first.
        if each.unbounded:
            return Profile(rho=each.concentrated * self.size**2)
        epsilon, delta = _grouped(*basic(self.event), self.size)
        return Profile(losses=_runs(epsilon), delta=delta)


@check_arguments
def group(epsilon: EpsilonOrZero, delta: DeltaOrZero, size: GroupSize) -> tuple[Fraction, Fraction]:
    """Return (epsilon, delta) of group privacy for `size` items, from a guarantee for one item.

    The result is (size epsilon, delta (1 + e^epsilon + ... + e^((size - 1) epsilon))). The delta in
    [KMMNS23, Thm 3.4], size e^(size epsilon) delta, is at least as large. For challenge-DP, `size`
    is the number of challenges. `Grouped` applies this function within a ledger.

    Raises
    ------
    InvalidInput
        If epsilon is negative, delta is outside [0, 1), one of them is a float, or the size is not
        positive.

    Examples
    --------
    >>> group(Fraction(1), Fraction(0), 3)
    (Fraction(3, 1), Fraction(0, 1))
    """
    return _grouped(epsilon, delta, size)


def _grouped(epsilon: Fraction, delta: Fraction, size: int) -> tuple[Fraction, Fraction]:
    if not delta or size == 1:
        return size * epsilon, delta
    from flint import ctx

    from learners.balls import ball, round_up

    with ctx.workprec(PRECISION):
        return size * epsilon, round_up(ball(delta) * geometric_sum(epsilon, size))


def geometric_sum(epsilon: Fraction, size: int) -> arb:
    """Return 1 + e^epsilon + ... + e^((size - 1) epsilon) as a ball (a number with an error bound).

    The sum is (e^(size epsilon) - 1)/(e^epsilon - 1), or `size` if epsilon is 0.

    Parameters
    ----------
    epsilon : Fraction
        Epsilon of one item, at least 0.
    size : int
        Number of summands, at least 1.

    Examples
    --------
    >>> print(geometric_sum(Fraction(1), 3).str(6, radius=False))
    11.1073
    >>> print(geometric_sum(Fraction(1, 10**12), 10**12).str(6, radius=False))
    1.71828e+12
    """
    from flint import arb

    from learners.balls import ball

    if not epsilon:
        return arb(size)
    # `expm1` avoids the cancellation in e^epsilon - 1 for small epsilon.
    return (size * ball(epsilon)).expm1() / ball(epsilon).expm1()
