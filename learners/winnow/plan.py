"""Parameters of `DPWinnow` from a theorem, with bounds on mistakes that may be vacuous.

Privacy does not depend on this module: `learners.winnow.algorithm` computes the privacy cost of any
parameters.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Annotated

from flint import arb, ctx

from learners import checked
from learners.accounting import total, zcdp_rho
from learners.accounting.calibration import require_composition
from learners.balls import ball, ceiling, log, rational_below
from learners.bounds import MARGIN, OBLIVIOUS, Bound
from learners.budget import Budget
from learners.checked import Failure, Rounds
from learners.mechanisms.noise import noise_bound
from learners.mechanisms.sparse_vector import CumulativeAboveThreshold
from learners.number_arguments import require_size
from learners.playing.base.winnow import checked_margin
from learners.winnow.confident import checked_confidence, update_bound
from learners.winnow.winnow_costs import calibrated_rate, rate_for, winnow_cost
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.numbers import format_number
from lsclasses.options import Option, check_arguments

__all__ = ["RULES", "WinnowParameters"]

RULES = ("recommended", "printed")
"""The rules for the learning rate: the rule proved in this library, or [BF25, Thm 4.5]."""
HORIZON = "there are at most T rounds"
CALIBRATIONS = 2
"""Largest number of searches for a rate. The first search almost always suffices."""
NEAR = (32, 33, 34, 35, 36, 37, 38, 39, 40)
"""Batches whose bounds are compared, in fortieths of a nearly best batch.

The number of updates is an integer, so a slightly smaller batch often needs no more updates."""
LEAST_EPSILON = Fraction(1, 10**4)
"""Least epsilon for which a rate is calibrated. Smaller budgets keep the rate of zCDP.

Their bounds exceed the length of every stream, and accountants take long for their tiny ranges."""
GAIN = 256
"""Denominator of the factor by which a calibrated rate exceeds the rate of zCDP."""


Weights = Annotated[int, Option("number of weights", minimum=1)]
Batch = Annotated[int, Option("number of mistakes in an update", minimum=1)]
CountingShare = Annotated[Fraction, Option("share of the budget for counting", above=0, below=1)]


@dataclass(frozen=True)
class WinnowParameters:
    r"""The parameters of `DPWinnow` for a stream with a margin, with their bound.

    Attributes
    ----------
    experts : int
        The number N of experts, each of which has a weight.
    margin : Fraction
        The margin rho of the stream.
    rounds : int
        The number T of rounds.
    epsilon, delta : Fraction
        The budget.
    failure : Fraction
        Largest failure probability beta of the bound. The paper's value is half of it.
    confidence : Fraction
        The confidence ratio c. The bound relies on the drawn experts only at examples with abs(<w,
        z>) > c rho.
    rule : "recommended" or "printed"
        Rule that splits the budget between counting mistakes and drawing experts: the rule of this
        project, or the rule that the paper prints.
    rate, updates, draws, threshold, threshold_epsilon, batch
        Parameters of `DPWinnow`.

    Notes
    -----
    *Conditions.* Write eta = batch * rate, U = `update_bound` (N, rho, eta, c).

    1. U <= K = updates.
    2. draws >= 2 ln(2 U T / beta) / (c rho)^2.
    3. threshold >= batch + a, where in all phases together the counter reports too early by at most
       a.

    *Proof of the bound.* Fix a phase after an update, and a round t. At the time of the draws the
    example (z, y) of round t is fixed and independent of them. Let w be the weights for the draws.
    If y <w, z> > c rho, then by Hoeffding's inequality the drawn experts err or tie on it with
    probability at most exp(-draws (c rho)^2 / 2). There are at most U T pairs of a hypothesis
    among the first U drawn hypotheses and a round. So with probability 1 - beta/2 none of them errs
    where the weights are sure. **The paper takes the union over T rounds only**, for the current
    hypothesis. But a hypothesis stays current because of the experts that were drawn for it. Given
    that it stays, it may err more often than a fresh sample. So the union has to be over pairs
    (`docs/errata.md` has an example).

    Then all mistakes in phases with weights w have y <w, z> <= c rho (in the first phase the
    hypothesis is w). With 3., the first U + 1 phases end with `batch` mistakes cached, if they end,
    except with probability beta/4. So U + 1 full caches would contradict `update_bound`. Hence at
    most U phases end, and if U do, fewer than `batch` mistakes follow. Except with probability
    beta/4, in each of U phases the counter is late by at most b, so that a phase has at most
    threshold + b mistakes. Together: at most U (threshold + b) + batch - 1.

    *Closed form.* Take the rule eta = A / sqrt(K). The condition K >= ln N / ((1 - c) eta rho -
    eta^2/2), which implies 1., is K >= ((ln N + A^2/2) / ((1 - c) A rho))^2. The right side is
    least at A^2 = 2 ln N. The recommended rule pays `threshold_epsilon` once (one third of epsilon)
    and leaves the rest, e, to the draws. The updates * draws draws of bounded range 4 rate satisfy
    zCDP with the parameter 2 updates draws rate^2. So rate = sqrt(rho(e, delta) / (2 updates
    draws)), where rho is `learners.accounting.zcdp_rho`. The printed rule has rate = epsilon / (8
    sqrt(2 updates draws ln(2/delta))) and threshold_epsilon = epsilon / (4 sqrt(2 updates
    ln(2/delta))), and batch = 1.

    *Batches.* A = batch * sqrt(rho(e, delta) / (2 draws)). The privacy cost of a draw does not
    depend on the batch. So the number of updates falls like 1/batch^2, while the number of mistakes
    in a phase grows like batch. With the best batch the bound is of the order ln(N)^(3/2)
    sqrt(ln(T) ln(1/delta)) / (epsilon rho^3), up to lower-order terms, instead of the paper's
    ln(N)^3 ... / (epsilon^4 rho^6).

    Examples
    --------
    >>> hundred = Budget(1, Fraction(1, 10**6)), 202, Fraction(1, 2), 10**6
    >>> best = WinnowParameters.from_theorem(*hundred)
    >>> print(best)
    K = 119 updates, m = 1605 draws each, eta = 0.187 (986 mistakes of rate 0.00019)
    a phase ends after about L = 1068 mistakes (counted with epsilon 0.333)
    at most 127370 mistakes, except with probability 1/20, of 1000000 rounds
    printed: K = 4.88e+08, m = 583, eta = 4.35e-08, L = 6.93e+07, at most 1.19e+17 mistakes
    """

    experts: int
    margin: Fraction
    rounds: int
    epsilon: Fraction
    delta: Fraction
    failure: Fraction
    confidence: Fraction
    rule: str
    rate: Fraction
    updates: int
    draws: int
    threshold: int
    threshold_epsilon: Fraction
    batch: int

    @classmethod
    @check_arguments
    def from_theorem(
        cls,
        budget: Budget,
        experts: Weights,
        margin: Fraction,
        rounds: Rounds,
        *,
        failure: Failure = Fraction(1, 20),
        rule: str = "recommended",
        batch: Batch | None = None,
        confidence: Fraction | None = None,
        share: CountingShare = Fraction(1, 3),
        composition: str = "best",
    ) -> WinnowParameters:
        """Return the parameters that satisfy all conditions of the bound.

        Parameters
        ----------
        budget, experts, margin, rounds, failure, rule
            Values of the attributes with these names. `budget` has epsilon and delta.
        batch : int, optional
            Attribute `batch`. The default is 1 for the printed rule. For the recommended rule, the
            default is a batch whose mistake bound is nearly the least.
        confidence : Fraction, optional
            Attribute `confidence`. The default is 1/2 for the printed rule and for batches of 1,
            and 1/3 for other batches. The value 1/2 is best for batches of 1, and the value 1/3 is
            best for the default batch.
        share : Fraction
            Part of epsilon for counting mistakes, for the recommended rule.
        composition : "best" or "zcdp"
            Accountants that calibrate `rate` for the recommended rule: all accountants for "best",
            only zCDP for "zcdp".

        Raises
        ------
        InvalidInput
            If a parameter is out of range, or a float.
        """
        if rule not in RULES:
            raise InvalidInput(f"The rule must be one of {', '.join(RULES)}. Got {rule!r}.")
        require_composition(composition)
        alone = rule == "printed" or batch == 1
        if confidence is None:
            confidence = Fraction(1, 2) if alone else Fraction(1, 3)
        confidence = checked_confidence(confidence)
        if not confidence:
            raise InvalidInput(
                "The confidence ratio must be positive: a sample errs near 0. Got 0."
            )
        epsilon, delta = Budget.require(budget)
        solver = _Solver(
            experts,
            _computable(checked_margin(margin)),
            rounds,
            epsilon,
            checked.delta(delta),
            failure,
            confidence,
            rule,
            share,
        )
        require_size(solver.epsilon, solver.delta, solver.failure)
        if rule == "printed":
            return solver.solved(batch or 1)
        return _calibrated(solver, batch) if composition == "best" else solver.best(batch)

    @property
    def vacuous(self) -> bool:
        """Whether the bound on mistakes is no less than the number of rounds."""
        return self.mistakes >= self.rounds

    @property
    def needed(self) -> int:
        """The largest number U of updates on streams with the given margin, if the bound holds."""
        return update_bound(self.experts, self.margin, self.rate * self.batch, self.confidence)

    @property
    def mistakes(self) -> int:
        """The bound on the number of mistakes of `DPWinnow`."""
        counter = CumulativeAboveThreshold(self.threshold_epsilon, self.threshold)
        late = counter.late(self.failure / (4 * max(1, self.needed)))
        return self.needed * (self.threshold + late) + self.batch - 1

    @property
    def unmet(self) -> tuple[str, ...]:
        """The conditions of the bound that these parameters violate, in words."""
        broken = []
        if self.needed > self.updates:
            broken.append(ENOUGH_UPDATES)
        if self.draws < _draws_needed(self, self.needed):
            broken.append(ENOUGH_DRAWS)
        reserve = _early(self.threshold_epsilon, self.needed, self.rounds, self.failure)
        if self.threshold < self.batch + reserve:
            broken.append(FULL_CACHE)
        return tuple(broken)

    @property
    def printed(self) -> dict[str, float]:
        """The printed parameters of [BF25, Thm 4.5], with K from its circular conditions."""
        solver = _Solver(
            self.experts,
            self.margin,
            self.rounds,
            self.epsilon,
            self.delta,
            self.failure,
            Fraction(1, 2),
            "printed",
            Fraction(1, 3),
        )
        return solver.as_printed()

    @property
    def bounds(self) -> tuple[Bound, ...]:
        """The bounds on mistakes and on updates."""
        hypotheses = (MARGIN, OBLIVIOUS, HORIZON, ENOUGH_UPDATES, ENOUGH_DRAWS, FULL_CACHE)
        return (
            Bound(
                "[BF25, Thm 4.5], explicit",
                "mistakes",
                "U*(L + b) + B - 1",
                self.mistakes,
                self.rounds,
                self.failure,
                hypotheses,
                self.unmet,
                printed="16*log(2*T**2/beta)*K/eps",
            ),
            Bound(
                "[BF25, Lemma 4.7], explicit",
                "updates",
                "log(N)/(eta*rho - log((1 + c*rho)/2*exp(eta) + (1 - c*rho)/2*exp(-eta)))",
                self.needed,
                self.updates + 1,
                self.failure,
                hypotheses,
                self.unmet,
                printed="log(d)/((1 - c)*eta*rho - eta**2/2)",
            ),
        )

    def __str__(self) -> str:
        eta = float(self.rate * self.batch)
        verdict = (
            f"vacuous: there are only {self.rounds} rounds"
            if self.vacuous
            else f"of {self.rounds} rounds"
        )
        printed = self.printed
        return (
            f"K = {self.updates} updates, m = {self.draws} draws each, eta = {eta:.3g} "
            f"({self.batch} mistakes of rate {format_number(self.rate, 3)})\n"
            f"a phase ends after about L = {self.threshold} mistakes "
            f"(counted with epsilon {format_number(self.threshold_epsilon, 3)})\n"
            f"at most {self.mistakes} mistakes, except with probability {self.failure}, {verdict}\n"
            f"printed: K = {printed['updates']:.3g}, m = {printed['draws']:.3g}, "
            f"eta = {printed['eta']:.3g}, L = {printed['threshold']:.3g}, "
            f"at most {printed['mistakes']:.3g} mistakes"
        )


ENOUGH_UPDATES = "K is at least the bound on updates"
ENOUGH_DRAWS = "m >= 2 ln(2 U T/beta)/(c rho)^2"
FULL_CACHE = "L is at least the batch plus the error of the count"


LEAST_MARGIN = Fraction(1, 10**100)
"""The smallest allowed margin. Smaller margins need 10^200 draws, beyond floating point."""


def _computable(margin: Fraction) -> Fraction:
    if margin < LEAST_MARGIN:
        raise TooLarge(
            f"A margin of {format_number(margin, 2)} asks for more than 10^200 drawn experts in "
            "every hypothesis, by the condition m >= 2 ln(2 U T/beta)/(c rho)^2 of the mistake "
            "bound (docs/winnow.md, Bounds on mistakes). Take a class with a larger margin, such "
            "as decision lists with few alternations, or the concepts of a small class as "
            "features.",
            limit=1e200,
        )
    return margin


def _draws_needed(sought: WinnowParameters | _Solver, updates: int) -> int:
    """2 ln(2 U T / beta) / (c rho)^2, rounded up."""
    pairs = Fraction(2 * max(1, updates) * sought.rounds) / sought.failure
    return ceiling(lambda: 2 * log(pairs) / ball((sought.confidence * sought.margin) ** 2))


def _early(epsilon: Fraction, updates: int, rounds: int, failure: Fraction) -> int:
    """Return a bound on how early phases end, for all of them, with probability 1 - failure/4."""
    # One side is exceeded half as often as both sides. Thresholds and sums get failure/8 each.
    return noise_bound(1 / epsilon, failure / (4 * (updates + 1))) + noise_bound(
        1 / epsilon, failure / (4 * rounds)
    )


def _rounded(compute: Callable[[], arb]) -> Fraction:
    """Return a positive number rounded down to a fraction, by less than 2^-20 of it."""
    size = float(compute().mid())
    return rational_below(compute, 1 << max(0, 22 - math.floor(math.log2(size))))


@lru_cache(maxsize=64)
def _calibrated(solver: _Solver, batch: int | None) -> WinnowParameters:
    """Return the parameters with the smaller bound, by zCDP or by every accountant.

    The results are stored, because the choice of an embedding computes the parameters, too.
    """
    if solver.epsilon < LEAST_EPSILON:
        return solver.solved(batch or solver.batch_in_floats())
    found = best = solver.best(batch)
    for _ in range(CALIBRATIONS):
        faster = replace(solver, gain=solver.gain_at(found))
        if faster.gain <= 1:
            break
        found = faster.best(batch)
        cost = winnow_cost(found.rate, found.threshold_epsilon, found.updates, found.draws)
        if total(cost, solver.delta).epsilon <= solver.epsilon:
            return min(best, found, key=lambda each: each.mistakes)
    return best


@dataclass(frozen=True)
class _Solver:
    """Finds the parameters of `WinnowParameters.from_theorem`."""

    experts: int
    margin: Fraction
    rounds: int
    epsilon: Fraction
    delta: Fraction
    failure: Fraction
    confidence: Fraction
    rule: str
    share: Fraction
    gain: Fraction = Fraction(1)

    def solved(self, batch: int) -> WinnowParameters:
        """Return the parameters for a batch, the fixed point of updates and draws, from below."""
        updates = 1
        while True:
            draws = _draws_needed(self, updates)
            needed = self._updates(draws, batch)
            rate = self._rate(draws, max(updates, needed), batch)
            needed = max(
                needed, update_bound(self.experts, self.margin, rate * batch, self.confidence)
            )
            if needed <= updates:
                break
            updates = needed
        counting = self._counting(updates)
        threshold = batch + _early(counting, updates, self.rounds, self.failure)
        return WinnowParameters(
            self.experts,
            self.margin,
            self.rounds,
            self.epsilon,
            self.delta,
            self.failure,
            self.confidence,
            self.rule,
            rate,
            updates,
            draws,
            threshold,
            counting,
            batch,
        )

    def best(self, batch: int | None) -> WinnowParameters:
        """Return the parameters for a batch, or for a nearly best batch if `batch` is None."""
        if batch is not None:
            return self.solved(batch)
        middle = self.batch_in_floats()
        near = sorted({max(1, middle * part // NEAR[-1]) for part in NEAR})
        return min((self.solved(each) for each in near), key=lambda each: each.mistakes)

    def batch_in_floats(self) -> int:
        """Return a batch with a nearly minimal bound, in floating point. Any batch is valid."""
        best, batch = (math.inf, 1), 1
        while True:
            updates, draws = 1.0, 0.0
            for _ in range(20):
                pairs = 2 * updates * self.rounds / float(self.failure)
                draws = 2 * math.log(pairs) / float(self.confidence * self.margin) ** 2
                updates = self._updates_float(draws, batch)
            each = 3 / float(self.share * self.epsilon)
            best = min(best, (updates * (batch + each * math.log(pairs)), batch))
            if self._saturated(draws, batch):
                return best[1]
            batch = max(batch + 1, batch * 21 // 20)

    def _allowance(self, draws: float) -> float:
        """Return the allowance A for a batch of one: eta = A / sqrt(K)."""
        if self.rule == "printed":
            with ctx.workprec(64):
                square = float((ball(self.epsilon) ** 2 / (-128 * log(self.delta / 2))).mid())
        else:
            square = float(zcdp_rho(self.epsilon * (1 - self.share), self.delta)) / 2
        return float(self.gain) * math.sqrt(square / draws)

    def _saturated(self, draws: float, batch: int) -> bool:
        """Return whether the budget no longer limits the rate."""
        return (batch * self._allowance(draws)) ** 2 >= 2 * self._entropy

    @property
    def _entropy(self) -> float:
        return math.log(max(2, self.experts))

    def _updates_float(self, draws: float, batch: int) -> float:
        allowance = min(batch * self._allowance(draws), math.sqrt(2 * self._entropy))
        slope = float((1 - self.confidence) * self.margin) * allowance
        return ((self._entropy + allowance**2 / 2) / slope) ** 2

    def _updates(self, draws: int, batch: int) -> int:
        """Return the closed form for K. `update_bound` compensates its rounding."""
        return math.ceil(self._updates_float(draws, batch))

    def _rate(self, draws: int, updates: int, batch: int) -> Fraction:
        if self.rule == "printed":
            paid = _rounded(
                lambda: ball(self.epsilon) / (-128 * draws * updates * log(self.delta / 2)).sqrt()
            )
        else:
            paid = self._zcdp_rate(draws * updates)
            if self.gain > 1:
                paid = _rounded(lambda: ball(paid * self.gain))
        # The bound is least at eta = sqrt(2 ln N / K). Larger rates cost more without benefit.
        free = _rounded(lambda: (2 * log(max(2, self.experts)) / updates).sqrt() / batch)
        return min(paid, free)

    def _zcdp_rate(self, releases: int) -> Fraction:
        return rate_for(self.epsilon * (1 - self.share), self.delta, releases)

    def gain_at(self, found: WinnowParameters) -> Fraction:
        """Return the ratio of the calibrated rate to the rate of zCDP, rounded down."""
        best = calibrated_rate(
            self.epsilon, self.delta, found.threshold_epsilon, found.updates, found.draws
        )
        return Fraction(
            math.floor(GAIN * best / self._zcdp_rate(found.updates * found.draws)), GAIN
        )

    def _counting(self, updates: int) -> Fraction:
        if self.rule == "recommended":
            return self.share * self.epsilon
        return _rounded(lambda: ball(self.epsilon) / (-32 * updates * log(self.delta / 2)).sqrt())

    def as_printed(self) -> dict[str, float]:
        """Return the numbers of [BF25, Thm 4.5] and Lemma 4.6 at c = 1/2, with K in closed form."""
        rho, half = float(self.margin), float(self.failure) / 2
        draws = math.ceil(8 * math.log(2 * self.rounds / half) / rho**2)
        updates = math.ceil(self._updates_float(draws, 1))
        counting = float(self.epsilon) / (
            4 * math.sqrt(2 * updates * math.log(2 / float(self.delta)))
        )
        threshold = 8 * math.log(2 * self.rounds / half) / counting
        error = 8 * math.log(2 * self.rounds**2 / half) / counting
        return {
            "updates": updates,
            "draws": draws,
            "eta": self._allowance(draws) / math.sqrt(updates),
            "threshold": threshold,
            "error of the threshold": error,
            "mistakes": 2 * error * updates,
        }
