"""A histogram of lists, where each person holds a list of at most l items."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Annotated, Literal

from flint import arb

from learners.accounting import ApproximateDP, ApproximateZCDP, Event, Scope
from learners.balls import certainly_le
from learners.checked import Delta
from learners.coins import Coins
from learners.mechanisms.histograms import Item, Order, Released, _ordered, _present
from learners.mechanisms.noise import gaussian_tail, tail
from learners.number_arguments import least_integer
from lsclasses.errors import InvalidInput
from lsclasses.options import Option, check_fields

Noise = Literal["laplace", "gaussian"]
"""Noise of the counts: discrete Laplace noise or discrete Gaussian noise."""

Length = Annotated[int, Option("largest length of a list", minimum=1)]
Cost = Annotated[Fraction, Option("privacy cost, epsilon or rho", above=0)]


@dataclass(frozen=True)
class ListHistogram:
    """A private histogram of the items of many lists, with one list per person.

    Each list contains at most l different items. The count of an item is the number of lists that
    contain the item. Each positive count gets independent noise Z. The histogram releases every
    item whose noisy count reaches a threshold, with its noisy count.

    * With `noise` "laplace", Z is discrete Laplace noise with q = e^-e for e = epsilon/(2l). The
      outputs are (epsilon, delta)-DP.
    * With `noise` "gaussian", Z is discrete Gaussian noise with parameter sigma^2 = l/rho. The
      outputs are rho-zCDP up to a probability delta (`ApproximateZCDP`).

    The threshold is the least integer tau >= 1 with P[Z >= tau - 1] <= delta/l, so an item of a
    single list is rarely released. For Gaussian noise, `gaussian_tail` bounds this probability.

    **Guarantee.** Two inputs are neighbours if one list is replaced, appears or vanishes. The
    guarantee holds for a release that reads all lists at once. As a part of an interaction, the
    release has the guarantee conditionally on every sequence of earlier answers (`AtOnce`).

    **Proof.** At most l counts fall by one, and at most l counts rise by one. An item that occurs
    in one input only has the count 1 there. Its release has the probability
    d = P[1 + Z >= tau] <= delta/l. Let a <= l items vanish and b <= l items appear.

    1. Pair min(a, b) vanishing items with appearing items. In both worlds, "no item of the pair is
       released" has probability 1 - d, because exactly one of the two items exists. So the
       distributions for a pair are (1 - d) A + d B and (1 - d) A + d B'. The distributions for an
       unpaired item have this form, too.
    2. The pairs and unpaired items number max(a, b) <= l, and they are independent. So together
       they are equal except with a probability of at most l d <= delta.
    3. At most 2l - a - b common items have counts that differ by one. The loss of such an item is
       at most e for Laplace noise. For Gaussian noise, it is 1/(2 sigma^2)-zCDP (Canonne, Kamath,
       Steinke 2020).
    4. All noises are independent, so the costs add up to 2l e = epsilon, or to
       2l/(2 sigma^2) = rho, and to delta. The order of the output is a function of the noisy counts
       and of fresh coins. QED

    Parameters
    ----------
    length : int
        Largest length l of a list.
    cost : Fraction or int
        The epsilon for Laplace noise, or the rho for Gaussian noise.
    delta : Fraction
        Delta of a release.
    noise : {"laplace", "gaussian"}
        Distribution of the noise.

    Raises
    ------
    InvalidInput
        If a parameter is out of range or a float.

    References
    ----------
    Korolova, Kenthapadi, Mishra and Ntoulas 2009, for lists of one item.

    Examples
    --------
    >>> from learners.coins import SeededCoins
    >>> mechanism = ListHistogram(2, 2, Fraction(1, 10**6))
    >>> mechanism.threshold
    30
    >>> lists = [("a", "b")] * 60 + [("b", "c")] * 40
    >>> mechanism.release(lists, SeededCoins(1), key=str)
    (('b', 100), ('a', 67), ('c', 38))
    """

    length: Length
    cost: Cost
    delta: Delta
    noise: Noise = "laplace"

    def __post_init__(self) -> None:
        check_fields(self)
        if self.noise not in ("laplace", "gaussian"):
            raise InvalidInput(f"The noise must be laplace or gaussian. Got {self.noise!r}.")

    @property
    def privacy(self) -> Event:
        """The privacy cost of one release."""
        scope = Scope.adaptive("replace_one")
        if self.noise == "laplace":
            return ApproximateDP(self.cost, self.delta, name="list histogram", scope=scope)
        return ApproximateZCDP(self.cost, self.delta, name="list histogram", scope=scope)

    @property
    def scale(self) -> Fraction:
        """The scale 2l/epsilon of Laplace noise, or the parameter l/rho of Gaussian noise."""
        return (2 if self.noise == "laplace" else 1) * self.length / self.cost

    def tail(self, least: int) -> arb:
        """Return P[Z >= least] for the noise Z of a count, or an upper bound for Gaussian noise."""
        return (tail if self.noise == "laplace" else gaussian_tail)(self.scale, least)

    @cached_property
    def threshold(self) -> int:
        """The least noisy count that is released."""
        share = self.delta / self.length
        # P[Z >= 0] exceeds 1/2, so a threshold of 1 needs a share of at least 1/2.
        return 1 + least_integer(lambda m: certainly_le(lambda: self.tail(m), share), -1)

    def release(
        self,
        lists: Iterable[Iterable[object]] | Mapping[tuple[object, ...], int],
        coins: Coins,
        *,
        key: Order | None = None,
    ) -> Released:
        """Return the items whose noisy counts reach the threshold, with their noisy counts.

        Parameters
        ----------
        lists : iterable of lists, or mapping of list to int
            The data, one list of items per person. A mapping gives the number of persons with each
            list. Items are strings, numbers, tuples of these, or hypotheses.
        coins : Coins
            Source of randomness, `SecureCoins` for a release.
        key : callable, optional
            Sort key for items of equal noisy count. Items of equal noisy count and equal key are
            ordered at random. Without a key, all items of equal noisy count are ordered at random.

        Returns
        -------
        tuple of (item, int)
            Items in canonical form with their noisy counts, in decreasing order of the counts.

        Raises
        ------
        InvalidInput
            If a list has more than l items or repeats an item, or a count is negative.
        """
        counts: Counter[Item] = Counter()
        given = lists.items() if isinstance(lists, Mapping) else ((each, 1) for each in lists)
        for items, number in given:
            held = tuple(items)
            if len(held) > self.length or len(set(held)) < len(held):
                raise InvalidInput(
                    f"A list has at most {self.length} different items, because the noise depends "
                    f"on this number. Got {len(held)} items."
                )
            for item in held:
                counts[item] += number
        present = _present(counts)
        noise = self._noise(len(present), coins)
        noisy = ((item, count + z) for (item, count), z in zip(present.items(), noise, strict=True))
        return _ordered([each for each in noisy if each[1] >= self.threshold], coins, key)

    def _noise(self, count: int, coins: Coins) -> list[int]:
        if self.noise == "laplace":
            return coins.laplaces(self.scale, count)
        return coins.gaussians(self.scale, count)
