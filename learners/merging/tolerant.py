"""Calculators for the tolerant learner T(d) and its form for samples, PAC-T(d).

`docs/merging.md` defines both learners and proves their bounds, which are polynomial in d. They are
smaller than the bounds of `learners.merging.algorithm.MergingSOA` only at sizes that no computer
can treat, so no learner implements them. The calculators choose parameters by a coarse search.
Balls check every condition of the theorems at these parameters.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from math import comb
from typing import Annotated

from flint import arb

from learners.accounting import zcdp_rho
from learners.balls import ball, certainly_le, rational_above
from learners.checked import Delta, Epsilon, Failure, Rounds
from learners.concentration import FAILURE
from learners.mechanisms.sparse_vector import OneSidedThreshold
from learners.merging.plan import early_failure
from learners.number_arguments import least_integer
from lsclasses.errors import TooLarge
from lsclasses.options import Option, check_arguments

__all__ = ["TolerantPlan", "TolerantRows", "tolerant_mistakes", "tolerant_rows"]

Dimension = Annotated[int, Option("dimension", minimum=1, maximum=100)]
Error = Annotated[Fraction, Option("error alpha", above=0, below=1)]

MOST = 10**7
"""Largest number of teachers or blocks that a search tries."""


def lists_of(tolerance: int, levels: int) -> tuple[list[int], list[int]]:
    """Return B_1, ..., B_d and u_1, ..., u_d for B_1 = tolerance + 1 and B_(r+1) = 2 B_r + 1.

    u_r is the sum of C(B_r, j) over j <= r, the largest length of a list.

    Examples
    --------
    >>> lists_of(4, 2)
    ([5, 11], [6, 67])
    """
    depths, depth = [], tolerance + 1
    for _ in range(levels):
        depths.append(depth)
        depth = 2 * depth + 1
    lengths = [sum(comb(b, j) for j in range(r + 1)) for r, b in enumerate(depths, start=1)]
    return depths, lengths


def tosses(more: int, less: int) -> Fraction:
    """Return P[Bin(t1 + t2 + 1, 1/2) <= t1] of Lemma L9, for t1 = `less` and t2 = `more`."""
    total = more + less + 1
    return Fraction(sum(comb(total, i) for i in range(less + 1)), 1 << total)


def tolerances(levels: int, seen: list[int], pairs: int, failure: Fraction, d: int) -> list[int]:
    """Return the least tau_(levels-1), ..., tau_0, largest last, for tau_levels = 0.

    `seen` are the numbers of examples of two parties at each level from the last level down. Each
    level fails with probability at most `failure`, over `pairs` ordered pairs of parties.
    """
    found, below = [], 0
    for n in seen[:levels]:
        predictors = sum(comb(n, i) for i in range(d + 1))
        below = _least_tolerance(below, failure / (pairs * predictors))
        found.append(below)
    return found


def _least_tolerance(less: int, failure: Fraction) -> int:
    """Return the least tau from `less` on for which `tosses` is at most a failure probability."""
    return least_integer(lambda tau: tosses(tau, less) <= failure, less - 1, near=less + 20)


# ---- samples


@dataclass(frozen=True)
class TolerantRows:
    """Parameters of PAC-T(d): k blocks of n rows.

    Examples
    --------
    >>> found = tolerant_rows(1, 1, Fraction(1, 10**6), Fraction(1, 10))
    >>> found.rows
    23188
    """

    blocks: int
    size: int

    @property
    def rows(self) -> int:
        """The number of rows of all blocks."""
        return self.blocks * self.size


@check_arguments
def tolerant_rows(
    dimension: Dimension,
    epsilon: Epsilon,
    delta: Delta,
    alpha: Error,
    beta: Failure = FAILURE,
) -> TolerantRows:
    """Return blocks for which PAC-T(d) has error at most alpha, except with probability beta.

    Parameters
    ----------
    dimension : int
        d.
    epsilon, delta : Fraction
        Privacy of a hypothesis.
    alpha, beta : Fraction
        Error, and the probability of a larger error.

    Raises
    ------
    TooLarge
        If more than 10^7 blocks are needed.

    Examples
    --------
    >>> [tolerant_rows(d, 1, Fraction(1, 10**6), Fraction(1, 10)).rows for d in (1, 2)]
    [23188, 108750]
    """

    def rate() -> arb:
        # 2a + ln(1/(1 - delta0)) = epsilon for delta0 = delta.
        return (ball(epsilon) + (1 - ball(delta)).log()) / 2

    blocks = 2
    while blocks <= MOST:
        size = _block_size(dimension, blocks, alpha, beta)
        _, lengths = lists_of(_block_tolerances(dimension, blocks, size, beta)[-1], dimension)
        items = 1 + sum(lengths)

        def needed(count: int = blocks, items: int = items) -> arb:
            logs = ball(3 * items / (delta * beta)).log() + (1 + ball(count * delta)).log()
            return logs / rate()

        least = 1 + least_integer(lambda k: certainly_le(needed, k), 0)
        if least <= blocks:
            return TolerantRows(blocks, size)
        blocks = least
    raise TooLarge(f"PAC-T({dimension}) needs more than {MOST} blocks.", limit=MOST)


def _block_tolerances(d: int, blocks: int, size: int, beta: Fraction) -> list[int]:
    """Return tau_(d-1), ..., tau_0."""
    return tolerances(d, [2 * size] * d, blocks * (blocks - 1), beta / (3 * d), d)


def _block_size(d: int, blocks: int, alpha: Fraction, beta: Fraction) -> int:
    """Return the least block size for which a wrong hypothesis passes no other block."""

    def suffices(size: int) -> bool:
        found = _block_tolerances(d, blocks, size, beta)
        if found[-1] >= size:
            return False
        _, lengths = lists_of(found[-1], d)
        # Level r has lists of u_r functions with at most tau_r errors, where u_0 = 1.
        levels = zip([1, *lengths], [*reversed(found), 0], strict=True)

        def passing() -> arb:
            total = arb(0)
            for length, tau in levels_kept:
                few = (1 - ball(alpha)).beta_lower(arb(size - tau), arb(tau + 1), regularized=True)
                total += length * few
            return total * blocks * (blocks - 1) / 2

        levels_kept = list(levels)
        return certainly_le(passing, beta / 3)

    return least_integer(suffices, 1, near=int(20 * d * d / alpha))


# ---- streams


@dataclass(frozen=True)
class TolerantPlan:
    """Parameters of T(d) that satisfy the conditions of Theorem T2.

    Attributes
    ----------
    dimension, rounds, teachers : int
        d, T and k.
    tolerances : tuple of int
        tau_1, ..., tau_d.
    phases, limits : tuple of int
        K_r and L_r.
    margin, late : int
        m_A, and the largest sum of raises of the thresholds.
    """

    dimension: int
    rounds: int
    teachers: int
    tolerances: tuple[int, ...]
    phases: tuple[int, ...]
    limits: tuple[int, ...]
    margin: int
    late: int

    @cached_property
    def bound(self) -> int:
        """The bound on the mistakes of Theorem T2."""
        first = self.teachers * (self.tolerances[0] + 1) + self.margin - 1
        stages = zip(self.phases, self.limits, strict=True)
        return first + sum(K * (L + self.margin - 1) for K, L in stages) + self.late


WAITING = Fraction(1, 8)
"""Part of epsilon for thresholds."""
SHARES = (0.3, 0.4, 0.5, 0.6, 0.7)
"""Parts of a_r k that the losses of a common function may spend."""
LENGTHS = (0.7, 1.0, 1.5, 2.0)
"""Values of eta_r L_r that the search tries."""


@check_arguments
def tolerant_mistakes(
    dimension: Annotated[int, Option("dimension", minimum=2, maximum=30)],
    rounds: Rounds,
    epsilon: Epsilon,
    delta: Delta,
    beta: Failure = FAILURE,
) -> TolerantPlan:
    """Return a plan of T(d), against oblivious adversaries, from a coarse search.

    Parameters
    ----------
    dimension, rounds : int
        d and T.
    epsilon, delta : Fraction
        Privacy of a game.
    beta : Fraction
        Failure probability of the bound.

    Raises
    ------
    TooLarge
        If more than 10^7 teachers are needed.

    Examples
    --------
    >>> plan = tolerant_mistakes(2, 10**6, 1, Fraction(1, 10**6))
    >>> 10**5 < plan.bound < 10**6
    True
    """
    budget = _Budget(dimension, rounds, Fraction(epsilon), Fraction(delta), Fraction(beta))
    found: list[TolerantPlan] = []
    for share in SHARES:
        for length in LENGTHS:
            low, high = 8, 16
            while high <= MOST and budget.plan(high, share, length) is None:
                low, high = high, 2 * high
            if high > MOST:
                continue
            while high - low > max(1, high // 200):
                middle = (low + high) // 2
                if budget.plan(middle, share, length) is None:
                    low = middle
                else:
                    high = middle
            best = budget.plan(high, share, length)
            assert best is not None
            found.append(best)
    if not found:
        raise TooLarge(f"T({dimension}) needs more than {MOST} teachers.", limit=MOST)
    return min(found, key=lambda plan: plan.bound)


@dataclass(frozen=True)
class _Budget:
    """The requirements on a plan of T(d)."""

    dimension: int
    rounds: int
    epsilon: Fraction
    delta: Fraction
    beta: Fraction

    @cached_property
    def rho(self) -> Fraction:
        """The zCDP of all draws, after the thresholds and half of delta."""
        return zcdp_rho(self.epsilon * (1 - WAITING), self.delta / 2)

    @cached_property
    def part(self) -> Fraction:
        """The failure probability of one of the seven conditions."""
        return self.beta / 7

    @cached_property
    def _known(self) -> dict[int, tuple[tuple[int, ...], list[int], list[int]] | None]:
        return {}

    def shape(self, k: int) -> tuple[tuple[int, ...], list[int], list[int]] | None:
        """Return tau_1, ..., tau_d, the list lengths u_r and the losses L*_r, for k teachers."""
        if k not in self._known:
            self._known[k] = self._shape(k)
        return self._known[k]

    def _shape(self, k: int) -> tuple[tuple[int, ...], list[int], list[int]] | None:
        d, failure = self.dimension, self.part / max(1, self.dimension - 1)
        pairs, start = k * (k - 1), 1
        later = _most_common(self.rounds, Fraction(2, k), self.part / (pairs * d))
        for _ in range(60):
            seen = [2 * start + later] * (d - 2) + [2 * start]
            taus = tolerances(d - 1, seen, pairs, failure, d)
            if taus[-1] + 1 <= start:
                break
            start = taus[-1] + 1
        else:
            return None
        found = (*reversed(taus), 0)
        _, lengths = lists_of(found[0], d)
        losses = [_least_loss(k, lengths[r - 1], found[r], self.part / d) for r in range(1, d)]
        return found, lengths, [*losses, 0]

    def plan(self, k: int, share: float, length: float) -> TolerantPlan | None:
        """Return a plan with k teachers, or None if a condition fails."""
        shape = self.shape(k)
        if shape is None:
            return None
        taus, lengths, losses = shape
        d, phases = self.dimension, [100] * self.dimension
        for _ in range(6):
            missed = self.delta / (2 * sum(phases))
            logs = [
                math.log(u) - math.log(missed) + math.log(7 * d * K / self.beta)
                for u, K in zip(lengths, phases, strict=True)
            ]
            if k * (1 - share) <= 2:
                return None
            rate = max(logs) / (k * (1 - share) - 1) * (1 + 1e-9)
            etas = [share * rate * k / loss for loss in losses[:-1]]
            last = math.sqrt(2 * float(self.rho) / phases[-1])
            etas.append(min(last, 1.0))
            rho_lengths = [length] * d
            phases = [
                self._phases(u, k, rate, eta * loss, x)
                for u, eta, loss, x in zip(lengths, etas, losses, rho_lengths, strict=True)
            ]
        limits = [max(1, math.ceil(length / eta)) for eta in etas]
        rates = [_above(rate)] * d
        slopes = [_below(eta) for eta in etas]
        if not self._private(rates, slopes, phases):
            return None
        numbers = zip(rates, slopes, lengths, phases, losses, limits, strict=True)
        if not self._holds(k, [_Stage(*each) for each in numbers]):
            return None
        waiting = self.epsilon * WAITING
        margin = least_integer(
            lambda a: certainly_le(lambda: early_failure(waiting, self.rounds, a), self.part), 0
        )
        late = OneSidedThreshold(waiting, 0).late(self.part, 1 + sum(phases))
        return TolerantPlan(d, self.rounds, k, taus, tuple(phases), tuple(limits), margin, late)

    def _phases(self, u: int, k: int, rate: float, spent: float, length: float) -> int:
        """Return K_r for G_r = ln(u (1 + k e^(-a k))) + eta L*, in floating point."""
        weight = math.log(u) + math.log1p(k * math.exp(-rate * k)) + spent
        ratio, failure = -math.expm1(-length), math.log(7 * self.dimension / self.beta)
        best = math.inf
        for step in range(1, 120):
            s = 1.1**step - 1
            gain = math.log(ratio * (s + 1) / -math.expm1(-length * (s + 1)))
            if gain > 0:
                best = min(best, (s * weight + failure) / gain)
        return math.ceil(best * (1 + 1e-9)) + 1

    def _private(self, rates: list[Fraction], slopes: list[Fraction], phases: list[int]) -> bool:
        """Return whether Theorem T1 gives the budget."""
        later = [K * a * a / 2 for K, a in zip(phases, rates, strict=True)]
        losses = [(K - 1) * eta * eta / 2 for K, eta in zip(phases, slopes, strict=True)]
        totals = [sum(later)]
        totals += [losses[s] + sum(later[s + 1 :]) for s in range(self.dimension)]
        return max(totals) <= self.rho

    def _holds(self, k: int, stages: list[_Stage]) -> bool:
        """Return whether balls prove the conditions *Bottom* and *Phases* of Theorem T2."""
        missed = self.delta / (2 * sum(stage.phases for stage in stages))
        return all(
            certainly_le(partial(self._bottom, k, stage, missed), 0) and self._phases_hold(k, stage)
            for stage in stages
        )

    def _bottom(self, k: int, stage: _Stage, missed: Fraction) -> arb:
        """Return the right side minus the left side of the condition *Bottom*."""
        right = ball(stage.rate) + ball(stage.length / missed).log()
        right += ball(stage.slope) * stage.loss
        return (
            right + ball(7 * self.dimension * stage.phases / self.beta).log() - stage.rate_ball * k
        )

    def _phases_hold(self, k: int, stage: _Stage) -> bool:
        """Return whether some s proves the condition *Phases*."""

        def needed(s: Fraction) -> arb:
            rare = 1 + k * (-stage.rate_ball * k).exp()
            weight = (stage.length * rare).log() + ball(stage.slope) * stage.loss
            drop = (-ball(stage.slope) * stage.limit).exp()
            gain = (1 - drop) * (ball(s) + 1) / (1 - drop ** (ball(s) + 1))
            parts = ball(s) * weight + ball(7 * self.dimension / self.beta).log()
            return parts - stage.phases * gain.log()

        powers = (Fraction(11, 10) ** step - 1 for step in range(4, 120, 2))
        return any(certainly_le(partial(needed, s), 0) for s in powers)


@dataclass(frozen=True)
class _Stage:
    """The numbers of one stage: a_r, eta_r, u_r, K_r, L*_r and L_r."""

    rate: Fraction
    slope: Fraction
    length: int
    phases: int
    loss: int
    limit: int

    @property
    def rate_ball(self) -> arb:
        """The rate a_r as a ball."""
        return ball(self.rate)


def _above(value: float) -> Fraction:
    return rational_above(lambda: ball(Fraction(value)), 1 << 40)


def _below(value: float) -> Fraction:
    return Fraction(math.floor(value * 2**40), 2**40)


def _most_common(rounds: int, chance: Fraction, failure: Fraction) -> int:
    """Return an m with P[Bin(T, p) > m] <= failure."""

    def more(m: int) -> arb:
        # P[Bin(T, p) >= m + 1] is the regularized incomplete beta function I_p(m + 1, T - m).
        return ball(chance).beta_lower(arb(m + 1), arb(rounds - m), regularized=True)

    return least_integer(
        lambda m: m >= rounds or certainly_le(lambda: more(m), failure),
        -1,
        near=int(rounds * chance) + 1,
    )


def _least_loss(k: int, length: int, tau: int, failure: Fraction) -> int:
    """Return the least L with k u P[Bin(L + 1, 1/k) <= tau] <= failure."""

    def few(L: int) -> arb:
        chance = (1 - ball(Fraction(1, k))).beta_lower(
            arb(L + 1 - tau), arb(tau + 1), regularized=True
        )
        return k * length * chance

    return least_integer(
        lambda L: certainly_le(lambda: few(L), failure), tau, near=k * (2 * tau + 20)
    )
