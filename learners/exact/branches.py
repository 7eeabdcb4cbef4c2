"""The branches of a random program, in order.

The module starts with the exact distributions of single draws: uniform, biased, weighted, and
noise from a table.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any, NoReturn

from flint import arb, ctx, fmpq

from learners.coins import Coins, noisy_maximum
from learners.exact.draw_names import draw_in_words
from learners.number_arguments import log_in_floats
from lsclasses.errors import InvalidInput, TooLarge

# ---- draws


PRECISION = 128
"""Bits of the balls that probabilities are computed with."""

Probability = fmpq | arb


@lru_cache(maxsize=1024)
def _uniform(n: int) -> tuple[tuple[int, fmpq], ...]:
    return tuple((value, fmpq(1, n)) for value in range(n))


def _biased(numerator: int, denominator: int) -> tuple[tuple[bool, fmpq], ...]:
    p = fmpq(numerator, denominator)
    return ((True, p), (False, 1 - p))


@lru_cache(maxsize=4096)
def _decaying(numerator: int, denominator: int) -> tuple[tuple[bool, arb], ...]:
    with ctx.workprec(PRECISION):
        exponent = arb(fmpq(-numerator, denominator))
        return ((True, exponent.exp()), (False, -exponent.expm1()))


@lru_cache(maxsize=4096)
def _counted_failures(numerator: int, denominator: int, limit: int) -> tuple[tuple[int, arb], ...]:
    with ctx.workprec(PRECISION):
        exponent = arb(fmpq(-numerator, denominator))
        success, failure = exponent.exp(), -exponent.expm1()
        return (*((k, failure**k * success) for k in range(limit)), (limit, failure**limit))


@lru_cache(maxsize=1024)
def _weighted(
    exponents: tuple[int, ...], denominator: int, counts: tuple[int, ...] | None
) -> tuple[tuple[int, Probability], ...]:
    sizes = (1,) * len(exponents) if counts is None else counts
    if not any(exponents):
        total_size = sum(sizes)
        return tuple((index, fmpq(size, total_size)) for index, size in enumerate(sizes))
    with ctx.workprec(PRECISION):
        weights = [
            size * arb(fmpq(-exponent, denominator)).exp()
            for size, exponent in zip(sizes, exponents, strict=True)
        ]
        total = sum(weights, arb(0))
        return tuple((index, weight / total) for index, weight in enumerate(weights))


@lru_cache(maxsize=1024)
def _largest(
    scores: tuple[int, ...], counts: tuple[int, ...], numerator: int, denominator: int
) -> tuple[tuple[int, arb], ...]:
    chances = noisy_maximum.winning_chances(scores, counts, numerator, denominator, PRECISION)
    return tuple(enumerate(chances))


@lru_cache(maxsize=65536)
def _exceeding(
    margin: int, numerator: int, denominator: int
) -> tuple[tuple[bool, arb], tuple[bool, arb]]:
    with ctx.workprec(PRECISION):
        rate = arb(fmpq(denominator, numerator))
        far = (-rate * (margin if margin >= 1 else 1 - margin)).exp() / (1 + (-rate).exp())
        yes, no = (far, 1 - far) if margin >= 1 else (1 - far, far)
        return ((True, yes), (False, no))


@lru_cache(maxsize=256)
def _noise_table(
    numerator: int, denominator: int, width: int
) -> tuple[tuple[tuple[int, arb], ...], arb, arb]:
    """Return the values 0, 1, -1, ..., -width with their probabilities, the rate, and 1 + q."""
    with ctx.workprec(PRECISION):
        rate = arb(fmpq(denominator, numerator))
        q = (-rate).exp()
        centre = -(-rate).expm1() / (1 + q)
        table = [(0, centre)]
        for size in range(1, width + 1):
            p = centre * (-rate * size).exp()
            table += [(size, p), (-size, p)]
        return tuple(table), rate, 1 + q


def _noise(
    numerator: int, denominator: int, width: int, reach: int
) -> tuple[tuple[tuple[int, arb], ...], arb]:
    """A table that begins with the values up to the reach, and the probability of the others."""
    table, rate, one_and_q = _noise_table(numerator, denominator, width)
    return table, 2 * (-rate * (reach + 1)).exp() / one_and_q


@lru_cache(maxsize=256)
def _gaussian_tail(numerator: int, denominator: int, least: int) -> arb:
    """Return a ball around the sum of exp(-z^2/(2 s)) over all z >= least, where least >= 0."""
    with ctx.workprec(PRECISION):
        rate, total, z = arb(fmpq(denominator, 2 * numerator)), arb(0), least
        negligible = arb(2) ** (-2 * PRECISION)
        while not (weight := (-rate * z * z).exp()) < negligible * (total + weight):
            total, z = total + weight, z + 1
        # Each term is at most exp(-rate (2 z + 1)) times the term before it.
        rest = weight / -(-rate * (2 * z + 1)).expm1()
        return total + arb(0).union(rest)


@lru_cache(maxsize=256)
def _gaussian_table(
    numerator: int, denominator: int, width: int
) -> tuple[tuple[tuple[int, arb], ...], arb]:
    """The values 0, 1, -1, ..., -width with their probabilities, and the sum of all weights."""
    with ctx.workprec(PRECISION):
        rate = arb(fmpq(denominator, 2 * numerator))
        total = 1 + 2 * _gaussian_tail(numerator, denominator, 1)
        table = [(0, 1 / total)]
        for size in range(1, width + 1):
            p = (-rate * size * size).exp() / total
            table += [(size, p), (-size, p)]
        return tuple(table), total


def _gaussian(
    numerator: int, denominator: int, width: int, reach: int
) -> tuple[tuple[tuple[int, arb], ...], arb]:
    """A table that begins with the values up to the reach, and the probability of the others."""
    table, total = _gaussian_table(numerator, denominator, width)
    return table, 2 * _gaussian_tail(numerator, denominator, reach + 1) / total


@lru_cache(maxsize=256)
def _geometric(
    numerator: int, denominator: int, most: int
) -> tuple[tuple[tuple[int, arb], ...], arb]:
    """Return the values 1, ..., most with their probabilities, and the rest."""
    with ctx.workprec(PRECISION):
        p, rest, table = arb(fmpq(numerator, denominator)), arb(1), []
        for value in range(1, most + 1):
            table.append((value, rest * p))
            rest *= 1 - p
        return tuple(table), rest


@lru_cache(maxsize=256)
def _binomial(trials: int, numerator: int, denominator: int) -> tuple[tuple[int, fmpq], ...]:
    """Return the numbers of successes that are possible, with their probabilities."""
    failure, total = denominator - numerator, denominator**trials
    return tuple(
        (k, fmpq(weight, total))
        for k in range(trials + 1)
        if (weight := math.comb(trials, k) * numerator**k * failure ** (trials - k))
    )


@lru_cache(maxsize=256)
def _censored_gaussian(numerator: int, denominator: int, reach: int) -> tuple[tuple[int, arb], ...]:
    """The values 0, 1, -1, ..., -reach. The last two stand for all values beyond them, too."""
    table, total = _gaussian_table(numerator, denominator, max(reach - 1, 0))
    with ctx.workprec(PRECISION):
        end = _gaussian_tail(numerator, denominator, reach) / total
        return (*table, (reach, end), (-reach, end))


# ---- branches


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
    """The end of a run whose branch is cut. Learners catch at most `Exception`, which it is not."""


class CannotEnumerate(InvalidInput):
    """Error that a program draws in a way that has too many possible outcomes to enumerate."""


class NotRepeated(InvalidInput):
    """Error that a program makes different draws after equal outcomes."""


REPEATS = (
    "All its randomness must come from its coins. It must not change its input and must not keep "
    "state between runs."
)
CONTINUES = (
    "The run continues after the end of its branch, because it returns in a finally clause or "
    "catches BaseException. Its coins must be able to end it."
)
ENDED = (
    "The run draws from coins of an earlier run. It must draw only from the coins that the call "
    "receives, and must not keep them."
)


class _Explorations(threading.local):
    """The coins of the explorations of this thread. An exploration can contain another one."""

    def __init__(self) -> None:
        self.coins: list[ExactCoins] = []


_explorations = _Explorations()


def current_coins() -> ExactCoins | None:
    """Return the coins of the innermost exploration in this thread, or None without one."""
    return _explorations.coins[-1] if _explorations.coins else None


@dataclass(eq=False)
class ExactCoins(Coins):
    """Coins by which `exact_distribution` runs a program once for every branch.

    A *branch* is a sequence of outcomes of the draws. The coins store the outcomes of the current
    branch. A run repeats these outcomes and then takes the first outcome of every new draw. The
    method `advance` moves on to the next branch.

    The coins refuse some draws with an exception, after which a run must not continue. The coins
    store the first exception, and `finish` raises it again, because the run may have caught it.

    Parameters
    ----------
    weight : fmpq or arb
        Probability of the state in which the run starts.
    tail, max_branches, depth
        The arguments of `exact_distribution`.
    used : int
        Number of branches, of the limit `max_branches`, that were already explored for other
        states.
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
    _refusal: Exception | None = None
    _ended: bool = False
    _checks: list[Callable[[], None]] = field(default_factory=list)

    def advance(self) -> bool:
        """Move on to the next branch (sequence of outcomes), and return whether one exists."""
        share = 1.0
        for draw in self._path:
            share /= draw.count
        self.branches += 1
        self._share += share
        self._depth = 0
        self._dropped = False
        self._checks.clear()
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

    @contextmanager
    def explored(self) -> Iterator[None]:
        """Return a context in which draws are allowed. After the context, all draws are refused."""
        _explorations.coins.append(self)
        try:
            yield
        finally:
            _explorations.coins.pop()
            self._ended = True

    @property
    def is_cut(self) -> bool:
        """Whether the current branch has been cut."""
        return self._dropped

    def check_at_end(self, check: Callable[[], None]) -> None:
        """Arrange that a function is called at the end of the run. It may raise an error."""
        self._checks.append(check)

    @property
    def draws(self) -> int:
        """Number of draws of the current run."""
        return self._depth

    def refuse(self, problem: Exception) -> NoReturn:
        """Raise an exception that ends the enumeration, even if the run catches the exception."""
        # Coins of an earlier run cannot end the current exploration.
        for coins in (self, current_coins()):
            if coins is not None and coins._refusal is None:
                coins._refusal = problem
        raise problem

    def require_accepted(self) -> None:
        """Raise the exception of the first refused draw again, if the coins have refused a draw."""
        if self._refusal is not None:
            raise self._refusal

    def _refuse(self, estimate: float) -> NoReturn:
        about = f", about {estimate:.3g}" if math.isfinite(estimate) else ""
        self.refuse(
            TooLarge(
                f"The run has more than {self.max_branches} branches{about}. Choose a smaller "
                "instance or a larger tail, or split the run into steps (OutputDistribution.then) "
                "that merge equal states.",
                estimate=estimate,
                limit=self.max_branches,
            )
        )

    def __copy__(self) -> NoReturn:
        self._refuse_copy()

    def __deepcopy__(self, memo: object) -> NoReturn:
        self._refuse_copy()

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        self._refuse_copy()

    def _refuse_copy(self) -> NoReturn:
        self.refuse(
            CannotEnumerate(
                "The program copies its source of randomness, whose copy would repeat the draws."
            )
        )

    def _probability(self) -> Probability:
        """Return the probability of the path so far."""
        if not self._path:
            return self.weight
        last = self._path[-1]
        return last.before * last.options[last.chosen][1]

    def _repeat(self, key: tuple[object, ...]) -> Any:
        draw = self._path[self._depth]
        if self._ended or self._dropped:
            self._require_running()
        if draw.key != key:
            self.refuse(
                NotRepeated(
                    "The run does not repeat itself. After the same outcomes, it drew "
                    f"{draw_in_words(draw.key)} at first and {draw_in_words(key)} later. {REPEATS}"
                )
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
        if self._ended or self._dropped:
            self._require_running()
        if self._depth >= self.depth and _surely_at_most(before, self.tail):
            self._drop(before)
        self._path.append(_Draw(key, options, len(options) if count is None else count, before))
        self._depth += 1
        return options[0][0]

    def _require_running(self) -> None:
        if self._ended:
            self.refuse(InvalidInput(ENDED))
        if self._dropped:
            self.refuse(InvalidInput(CONTINUES))

    def _drop(self, mass: Probability) -> None:
        self._require_running()
        self._cut = mass + self._cut
        self._dropped = True
        raise _Dropped

    def finish(self) -> Probability:
        """Return the probability of the branch of the run that has just ended.

        Raises
        ------
        InvalidInput
            If the run made fewer draws than an earlier run with the same outcomes, or continued
            after a draw at which its branch was cut off.
        Exception
            The exception of the first refused draw, if the run caught this exception.
        """
        self.require_accepted()
        for check in self._checks:
            check()
        if self._dropped:
            raise InvalidInput(CONTINUES)
        if self._depth < len(self._path):
            raise NotRepeated(
                "The run does not repeat itself. After the same outcomes, it drew "
                f"{draw_in_words(self._path[self._depth].key)} at first and ended without this "
                f"draw later. {REPEATS}"
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

    def _failures(self, numerator: int, denominator: int, limit: int) -> int:
        self._require_few(limit // 2)
        drawn: int = self._draw(("failures", numerator, denominator, limit), _counted_failures)
        return drawn

    def _pick(
        self, exponents: tuple[int, ...], denominator: int, counts: tuple[int, ...] | None
    ) -> int:
        if len(exponents) == 1:
            return 0
        drawn: int = self._draw(("pick", exponents, denominator, counts), _weighted)
        return drawn

    def _noisy_maximum(
        self, scores: tuple[int, ...], counts: tuple[int, ...], numerator: int, denominator: int
    ) -> int:
        if len(scores) == 1:
            return 0
        if (size := sum(counts)) > noisy_maximum.MOST_LISTED:
            self._refuse(size * math.prod(draw.count for draw in self._path))
        key = ("noisy maximum", scores, counts, numerator, denominator)
        drawn: int = self._draw(key, _largest)
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
        # The mass beyond m is 2q^(m+1)/(1+q) < 2 exp(-m/scale).
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
        # The mass beyond m is about 2 exp(-m^2/(2 s)).
        try:
            most = math.ceil(math.sqrt(2 * max(0.0, excess) * (numerator / denominator)))
        except OverflowError:
            self._refuse(math.inf)
        self._require_few(most)
        options, rest = _gaussian(numerator, denominator, 1 << most.bit_length(), most)
        self._cut = before * rest + self._cut
        drawn = self._branch(key, options, before, 2 * most + 1)
        return drawn

    def geometric(self, p: Fraction) -> int:
        """Return the number of independent trials until the first success, 1 or more.

        Very large values are cut off, and their probability is added to the tail, as for `laplace`.

        Parameters
        ----------
        p : Fraction
            Probability of a success, above 0 and at most 1.
        """
        if p == 1:
            return 1
        key = ("geometric", p.numerator, p.denominator)
        drawn: int
        if self._depth < len(self._path):
            drawn = self._repeat(key)
            return drawn
        before, excess = self._infinite()
        # More than m trials have the probability (1 - p)^m <= exp(-p m).
        try:
            most = max(1, math.ceil(max(0.0, excess) / float(p)))
        except (OverflowError, ZeroDivisionError):
            self._refuse(math.inf)
        if most > self.max_branches:
            self._refuse(most * math.prod(draw.count for draw in self._path))
        options, rest = _geometric(p.numerator, p.denominator, most)
        self._cut = before * rest + self._cut
        drawn = self._branch(key, options, before)
        return drawn

    def binomial(self, trials: int, p: Fraction) -> int:
        """Return the number of successes among independent trials.

        Parameters
        ----------
        trials : int
            Number of trials, at least 0.
        p : Fraction
            Probability of a success, from 0 to 1.
        """
        if trials == 0 or p in (0, 1):
            return trials * int(p)
        drawn: int = self._draw(("binomial", trials, p.numerator, p.denominator), _binomial)
        return drawn

    def _infinite(self) -> tuple[Probability, float]:
        """Return the probability of the path before an infinite draw, and ln(2 of it/tail)."""
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
