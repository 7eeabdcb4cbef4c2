"""How a mechanism is broken: its twin makes one mistake, and is otherwise the right one.

The folder of each learner has its broken twins in ``incorrect_variants.py``;
`tests.learners.incorrect_variants` has all.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import cache
from itertools import cycle, islice
from types import SimpleNamespace
from typing import Any

from flint import arb

from learners.accounting import basic
from learners.audit import PrivacyLoss
from learners.audit.audit_registry import AUDITABLE
from learners.audit.instances import GameInstance, Instance, UndetectedVariant
from learners.balls import ball
from learners.coins import Coins
from learners.exact import OutputDistribution, Stepwise, exact_distribution
from learners.mechanisms.count_noise import CountNoise
from lsclasses.verdicts import Verdict

Broken = Callable[[Instance], Any]


@dataclass(frozen=True)
class Twin:
    """A broken relative of a mechanism, made of an instance of its audit.

    Attributes
    ----------
    name : str
        Of the audit.
    mistake : str
    run : callable
        Takes the instance and returns how the twin runs on its data; of a game, the twin.
    """

    name: str
    mistake: str
    run: Broken

    @property
    def unseen(self) -> UndetectedVariant | None:
        """What the audit says of this mistake, if its default instance does not show it."""
        declared = {each.mistake: each for each in AUDITABLE[self.name].unseen}
        return declared.get(self.mistake)

    def needs(self, built: Instance | GameInstance) -> arb:
        """The least epsilon at the claimed delta, over the inputs of an instance."""
        _, delta = basic(built.privacy)
        if isinstance(built, GameInstance):
            return built.audit(twin=self.run(built), tail=CUT).least_epsilon
        law = laws(self.run(built))
        least = arb(0)
        for zero, one in built.pairs:
            least = least.max(PrivacyLoss(law(zero), law(one)).epsilon(delta, digits=4))
        return least

    def violates(self, built: Instance | GameInstance) -> bool:
        """Whether it breaks the claim of an instance; the search ends with the first pair."""
        if isinstance(built, GameInstance):
            return built.audit(twin=self.run(built), tail=CUT).verdict == Verdict.VIOLATED
        epsilon, delta = basic(built.privacy)
        law = laws(self.run(built))
        return any(
            PrivacyLoss(law(zero), law(one)).delta(epsilon) > ball(delta)
            for zero, one in built.pairs
        )


def laws(run: Any) -> Callable[[Any], OutputDistribution[Any]]:
    """The output laws of a run, each computed once."""
    return cache(
        run.laws(tail=CUT)
        if isinstance(run, Stepwise)
        else lambda data: exact_distribution(lambda coins: run(data, coins), tail=CUT)
    )


CUT = Fraction(1, 2**24)
"""Where enumerations are cut; violations found are orders of magnitude larger."""


# ---- twins of several mechanisms


class SmallVariance(CountNoise):
    """Gaussian noise of a variance that is too small by a factor."""

    def __init__(self, right: CountNoise, factor: int) -> None:
        super().__init__(*(getattr(right, each.name) for each in fields(CountNoise)))
        object.__setattr__(self, "factor", factor)

    @property
    def variance(self) -> Fraction | None:
        right = super().variance
        return None if right is None else right / self.factor


class RepeatedNoise(CountNoise):
    """Noise for a number of integers, of which only the first few are drawn, and then repeated."""

    def __init__(self, right: CountNoise, period: int) -> None:
        super().__init__(*(getattr(right, each.name) for each in fields(CountNoise)))
        object.__setattr__(self, "period", period)

    def draw(self, count: int, coins: Coins) -> list[int]:
        return list(islice(cycle(super().draw(min(count, self.period), coins)), count))


def relative(kind: type, **changed: Any) -> Broken:
    """A subclass with the same fields, or the same class with other ones."""

    def run(built: Instance) -> Any:
        mechanism = built.mechanism
        kept = {each.name: getattr(mechanism, each.name) for each in fields(mechanism)}
        return built.release(kind(**(kept | changed)))

    return run


def altered(kind: type, **changes: Callable[[Any, Any], Any]) -> Any:
    """A subclass of which some properties are others, made of the mechanism and the right value."""

    def made(name: str, change: Callable[[Any, Any], Any]) -> property:
        return property(lambda of: change(of, getattr(super(twin, of), name)))

    twin = type(kind.__name__, (kind,), {name: made(name, each) for name, each in changes.items()})
    return twin


def other(**changes: Callable[[Any, Any], Any]) -> Broken:
    """The same mechanism with other properties."""
    return lambda built: relative(altered(type(built.mechanism), **changes))(built)


def repeated(period: int) -> Broken:
    """The same mechanism whose counts share the noise of the first few."""
    return other(noise=lambda m, right: RepeatedNoise(right, period))


def variance(factor: int) -> Broken:
    """The same mechanism with Gaussian noise whose variance is too small by a factor."""
    return other(noise=lambda m, right: SmallVariance(right, factor))


def multiplied(path: str, factor: int = 2) -> Broken:
    """The same mechanism with a number of it, or of its parts, so many times as large."""

    def changed(part: Any, names: list[str]) -> Any:
        if isinstance(part, tuple):
            return tuple(changed(each, names) for each in part)
        if not names:
            return factor * part
        name, *rest = names
        return replace(part, **{name: changed(getattr(part, name), rest)})

    return lambda built: built.release(changed(built.mechanism, path.split(".")))


def rerun(release: Callable[[Any, Any, Coins], Hashable]) -> Broken:
    """Another release by the right mechanism."""
    return lambda built: lambda data, coins: release(built.mechanism, data, coins)


def program(make: Callable[[Any], Any]) -> Broken:
    """Another program in the place of the mechanism's runs."""
    return lambda built: built.release(make(built.mechanism))


class SixteenthCoins(Coins):
    """Weights are rounded to multiples of 1/16 of the largest."""

    def __init__(self, coins: Coins) -> None:
        self.coins = coins

    def _pick(self, exponents: Any, denominator: int, counts: Any) -> int:
        sizes = [1] * len(exponents) if counts is None else counts
        chances = [
            size * round(16 * math.exp(-exponent / denominator))
            for exponent, size in zip(exponents, sizes, strict=True)
        ]
        left = [index for index, chance in enumerate(chances) if chance]
        return left[self.coins.pick([0] * len(left), counts=[chances[index] for index in left])]

    def _below(self, n: int) -> int:
        return self.coins._below(n)

    def _flip(self, numerator: int, denominator: int) -> bool:
        return self.coins._flip(numerator, denominator)

    def _decays(self, numerator: int, denominator: int) -> bool:
        return self.coins._decays(numerator, denominator)

    def _laplace(self, numerator: int, denominator: int) -> int:
        return self.coins._laplace(numerator, denominator)

    def _at_least(self, margin: int, numerator: int, denominator: int) -> bool:
        return self.coins._at_least(margin, numerator, denominator)


def in_sixteenths(built: Instance) -> Any:
    if isinstance(built.run, Stepwise):
        right = built.run.program
        return Stepwise(
            SimpleNamespace(
                start=lambda coins: right.start(SixteenthCoins(coins)),
                answer=lambda state, item, coins: right.answer(state, item, SixteenthCoins(coins)),
            )
        )
    return lambda data, coins: built.run(data, SixteenthCoins(coins))
