"""The branches of a random program: coins that follow one after the other."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NoReturn

from flint import arb, fmpq

from learners.coins import Coins
from learners.exact.draws import (
    Probability,
    _biased,
    _censored_gaussian,
    _decaying,
    _exceeding,
    _gaussian,
    _noise,
    _uniform,
    _weighted,
)
from learners.numbers import log_in_floats
from lsclasses.errors import InvalidInput, TooLarge


@dataclass
class _Draw:
    """A draw on the current path: its request, its outcomes, and the outcome followed."""

    key: tuple[object, ...]
    options: tuple[tuple[object, Probability], ...]
    count: int
    before: Probability
    chosen: int = 0


@dataclass
class _Cut:
    mass: Probability


class _Dropped(BaseException):
    """The end of a run whose branch is cut; not an `Exception`, so that no learner catches it."""


@dataclass(eq=False)
class ExactCoins(Coins):
    """Coins that follow one branch at a time, driven by `exact_distribution`.

    The draws of the path are kept. A run repeats those it has made before and takes the first
    outcome of every new one; `advance` moves on to the next branch.

    Parameters
    ----------
    weight : fmpq or arb
        The probability with which the run is entered.
    tail, max_branches, depth
        As in `exact_distribution`.
    used : int
        How many of `max_branches` have been explored elsewhere.
    """

    weight: Probability
    tail: Fraction
    max_branches: int
    depth: int
    used: int = 0
    branches: int = 0
    _path: list[_Draw] = field(default_factory=list)
    _depth: int = 0
    _cut: Probability = field(default_factory=lambda: fmpq(0))
    _share: float = 0.0
    _dropped: bool = False

    def advance(self) -> bool:
        """Move on to the next branch; False when there is none."""
        share = 1.0
        for draw in self._path:
            share /= draw.count
        self.branches += 1
        self._share += share
        self._depth = 0
        self._dropped = False
        while self._path:
            draw = self._path[-1]
            draw.chosen += 1
            if draw.chosen < draw.count:
                if self.used + self.branches >= self.max_branches:
                    expected = self.branches / self._share if self._share else math.inf
                    self._refuse(self.used + expected)
                return True
            self._path.pop()
        return False

    def _refuse(self, estimate: float) -> NoReturn:
        about = f", about {estimate:.3g}" if math.isfinite(estimate) else ""
        raise TooLarge(
            f"The run has more than {self.max_branches} branches{about}; ask for "
            "a smaller instance, cut earlier (tail), or split it into steps (Law.then) that merge "
            "equal states.",
            estimate=estimate,
            limit=self.max_branches,
        )

    def _probability(self) -> Probability:
        """The probability of the path so far."""
        if not self._path:
            return self.weight
        last = self._path[-1]
        return last.before * last.options[last.chosen][1]

    def _repeat(self, key: tuple[object, ...]) -> Any:
        draw = self._path[self._depth]
        if draw.key != key:
            raise InvalidInput(
                f"The run does not repeat itself: after the same outcomes it drew {draw.key} and "
                f"then {key}. It must be random through its coins only."
            )
        self._depth += 1
        return draw.options[draw.chosen][0]

    def _branch(
        self,
        key: tuple[object, ...],
        options: tuple[tuple[object, Probability], ...],
        before: Probability,
        count: int | None = None,
    ) -> Any:
        if self._depth >= self.depth and _surely_at_most(before, self.tail):
            self._drop(before)
        self._path.append(_Draw(key, options, len(options) if count is None else count, before))
        self._depth += 1
        return options[0][0]

    def _drop(self, mass: Probability) -> None:
        self._cut = mass + self._cut
        self._dropped = True
        raise _Dropped

    def finish(self) -> Probability:
        """The probability of the run that has just come to its end.

        Raises
        ------
        InvalidInput
            If the run made fewer draws than before after the same outcomes, or went on where its
            branch was cut.
        """
        if self._dropped:
            raise InvalidInput(
                "The run goes on where its branch was cut: it returns in a finally clause, or "
                "catches BaseException. Its coins must be able to end it."
            )
        if self._depth < len(self._path):
            raise InvalidInput(
                "The run does not repeat itself: after the same outcomes it drew "
                f"{self._path[self._depth].key} and then nothing. It must be random through its "
                "coins only."
            )
        return self._probability()

    def _draw(
        self,
        key: tuple[object, ...],
        options: Callable[..., tuple[tuple[object, Probability], ...]],
    ) -> Any:
        if self._depth < len(self._path):
            return self._repeat(key)
        return self._branch(key, options(*key[1:]), self._probability())

    def _below(self, n: int) -> int:
        if n > self.max_branches:
            self._refuse(n * math.prod(draw.count for draw in self._path))
        drawn: int = self._draw(("below", n), _uniform)
        return drawn

    def _flip(self, numerator: int, denominator: int) -> bool:
        if numerator in (0, denominator):
            return numerator != 0
        drawn: bool = self._draw(("flip", numerator, denominator), _biased)
        return drawn

    def _decays(self, numerator: int, denominator: int) -> bool:
        if numerator == 0:
            return True
        drawn: bool = self._draw(("decays", numerator, denominator), _decaying)
        return drawn

    def _pick(
        self, exponents: tuple[int, ...], denominator: int, counts: tuple[int, ...] | None
    ) -> int:
        if len(exponents) == 1:
            return 0
        drawn: int = self._draw(("pick", exponents, denominator, counts), _weighted)
        return drawn

    def _at_least(self, margin: int, numerator: int, denominator: int) -> bool:
        drawn: bool = self._draw(("at_least", margin, numerator, denominator), _exceeding)
        return drawn

    def _laplace(self, numerator: int, denominator: int) -> int:
        key = ("laplace", numerator, denominator)
        drawn: int
        if self._depth < len(self._path):
            drawn = self._repeat(key)
            return drawn
        before, excess = self._infinite()
        # Beyond m, 2q^(m+1)/(1+q) < 2 exp(-m/scale) is left.
        try:
            reach = max(0, math.ceil(excess * (numerator / denominator)))
        except OverflowError:
            self._refuse(math.inf)
        self._require_few(reach)
        # Ranges are rounded up, so that draws share the tables of a few.
        options, rest = _noise(numerator, denominator, 1 << reach.bit_length(), reach)
        self._cut = before * rest + self._cut
        drawn = self._branch(key, options, before, 2 * reach + 1)
        return drawn

    def _gaussian(self, numerator: int, denominator: int, reach: int | None = None) -> int:
        drawn: int
        if reach is not None:
            drawn = self._draw(("gaussian", numerator, denominator, reach), _censored_gaussian)
            return drawn
        key = ("gaussian", numerator, denominator)
        if self._depth < len(self._path):
            drawn = self._repeat(key)
            return drawn
        before, excess = self._infinite()
        # Beyond m, about 2 exp(-m^2/(2 s)) is left.
        try:
            most = math.ceil(math.sqrt(2 * max(0.0, excess) * (numerator / denominator)))
        except OverflowError:
            self._refuse(math.inf)
        self._require_few(most)
        options, rest = _gaussian(numerator, denominator, 1 << most.bit_length(), most)
        self._cut = before * rest + self._cut
        drawn = self._branch(key, options, before, 2 * most + 1)
        return drawn

    def _infinite(self) -> tuple[Probability, float]:
        """The probability of the path before an infinite draw, and ln(2 of it/tail)."""
        before = self._probability()
        if _surely_at_most(before, self.tail):
            self._drop(before)
        return before, math.log(2 * float(arb(before).abs_upper())) - log_in_floats(self.tail)

    def _require_few(self, reach: int) -> None:
        """Refuse a draw with too many values."""
        if 2 * reach + 1 > self.max_branches:
            self._refuse((2 * reach + 1) * math.prod(draw.count for draw in self._path))


def _surely_at_most(probability: Probability, bound: Fraction) -> bool:
    return bool(probability <= fmpq(bound.numerator, bound.denominator))
