"""Search for parameters of the tolerant learner T(d), in floating point.

For given shares and a number k of teachers, every other number follows from the conditions of
Theorems T1 and T2 of `docs/merging.md`. The search changes one share at a time while the bound
falls. `TolerantPlan` proves the bound of the result.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from learners.checked import Delta, Epsilon, Failure, Rounds
from learners.concentration import FAILURE
from learners.mechanisms.sparse_vector import OneSidedThreshold
from learners.merging.plan import least_margin
from learners.merging.search import late_quantile, rho_within
from learners.merging.tolerant.plan import (
    CONDITIONS,
    EXPONENTS,
    Dimension,
    TolerantPlan,
    TolerantShape,
    TolerantStage,
    tolerant_shape,
)
from learners.number_arguments import least_integer, log_in_floats, require_size
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.options import check_arguments

__all__ = ["tolerant_mistakes"]

MOST_TEACHERS = 10**7
"""Largest number of teachers that the search tries."""

RATIO = 1.01
"""Ratio of successive numbers of teachers that the search tries."""

SAFE = 1 + 1e-7
"""Factor close to 1 that increases rates and phases to absorb the errors of floating point
numbers."""

STEP, LEAST_STEP = 0.4, 0.02
"""First and last step of the search over single shares, as logarithms."""

RETRIES = 40
"""Number of larger numbers of teachers that are tried if the plan of the search is refused."""

Shares = dict[str, float]
"""Shares by name. A is the share of epsilon for thresholds, and C the share of delta for the
conversion. d1, d2, ... are the shares of the stages in the rest of delta. s1, s2, ... are the
numbers eta_r L*_r, and x1, x2, ... the numbers eta_r L_r."""


@check_arguments
def tolerant_mistakes(
    dimension: Dimension,
    rounds: Rounds,
    epsilon: Epsilon,
    delta: Delta,
    beta: Failure = FAILURE,
) -> TolerantPlan:
    """Return a plan of the learner T(d) of `docs/merging.md` with few mistakes.

    Parameters
    ----------
    dimension, rounds : int
        Dimension d, and number T of rounds.
    epsilon, delta : Fraction
        Privacy of a game.
    beta : Fraction
        Failure probability of the bound.

    Raises
    ------
    TooLarge
        If the search finds no plan with at most 10^7 teachers.

    Examples
    --------
    >>> tolerant_mistakes(2, 10**6, 1, Fraction(1, 10**6)).bound < 220_000
    True
    """
    require_size(epsilon, delta, beta)
    return TolerantSearch(dimension, rounds, epsilon, delta, beta).plan()


@dataclass(frozen=True)
class StageNumbers:
    """The numbers a_r, eta_r, delta0_r, K_r and L_r of a `TolerantStage`, in floating point."""

    rate: float
    slope: float
    missed: float
    phases: int
    limit: int


@dataclass(frozen=True)
class TolerantSearch:
    """A search for a plan of the learner T(d) of `docs/merging.md`."""

    dimension: int
    rounds: int
    epsilon: Fraction
    delta: Fraction
    failure: Fraction

    @cached_property
    def _shapes(self) -> dict[int, TolerantShape | None]:
        return {}

    def shape(self, teachers: int) -> TolerantShape | None:
        """Return the tolerances, the lengths of lists and the losses for k teachers."""
        if teachers not in self._shapes:
            numbers = (self.dimension, self.rounds, teachers, self.failure)
            self._shapes[teachers] = tolerant_shape(*numbers)
        return self._shapes[teachers]

    # ---- the numbers that follow from shares

    def phases(self, weight: float, length: float) -> int:
        """Return K_r for the number G_r = `weight` and eta_r L_r = `length`."""
        ratio = -math.expm1(-length)
        failure = math.log(CONDITIONS * self.dimension) - log_in_floats(self.failure)
        needed = math.inf
        for exponent in map(float, EXPONENTS):
            gain = math.log(ratio * (exponent + 1) / -math.expm1(-length * (exponent + 1)))
            if gain > 0:
                needed = min(needed, (exponent * weight + failure) / gain)
        return math.ceil(needed * SAFE)

    def rho(self, shares: Shares) -> float:
        """Return the zCDP parameter rho of all draws."""
        rest = float(self.epsilon) * (1 - shares["A"])
        return rho_within(rest, shares["C"] * float(self.delta)) / SAFE

    def stages(self, teachers: int, shares: Shares) -> list[StageNumbers] | None:
        """Return the numbers of all stages, or None if Theorem T1 does not give the budget."""
        shape, rho = self.shape(teachers), self.rho(shares)
        if shape is None or rho <= 0:
            return None
        d, found = self.dimension, []
        whole = sum(shares[f"d{r}"] for r in range(1, d + 1))
        failure = math.log(CONDITIONS * d) - log_in_floats(self.failure)
        for r, (length, loss) in enumerate(zip(shape.lengths, shape.losses, strict=True), start=1):
            spent = shares[f"s{r}"] if r < d else 0.0
            phases = self.phases(math.log(length) + spent + 1e-9, shares[f"x{r}"])
            missed = (1 - shares["C"]) * shares[f"d{r}"] / whole / phases
            logs = math.log(length) - math.log(missed) - log_in_floats(self.delta)
            rate = (logs + spent + failure + math.log(phases)) / (teachers - 1) * SAFE
            slope = spent / loss if r < d else math.sqrt(2 * rho / max(1, phases - 1))
            limit = math.ceil(shares[f"x{r}"] / slope * SAFE)
            found.append(StageNumbers(rate, slope, missed * float(self.delta), phases, limit))
        return found if self._cost(found) <= rho else None

    def _cost(self, stages: list[StageNumbers]) -> float:
        """Return the rho of Theorem T1."""
        later = [each.phases * each.rate**2 / 2 for each in stages]
        losses = [(each.phases - 1) * each.slope**2 / 2 for each in stages]
        totals = [losses[s] + sum(later[s + 1 :]) for s in range(len(stages))]
        return max(sum(later), *totals)

    def bound(self, teachers: int, shares: Shares) -> float:
        """Return the bound on the mistakes for k teachers, or infinity if a condition fails."""
        stages, shape = self.stages(teachers, shares), self.shape(teachers)
        if stages is None or shape is None:
            return math.inf
        waiting, part = float(self.epsilon) * shares["A"], float(self.failure) / CONDITIONS
        margin = math.log(self.rounds / ((1 + math.exp(-waiting)) * part)) / waiting
        late = late_quantile(1 + sum(each.phases for each in stages), waiting, part)
        first = teachers * (shape.tolerances[0] + 1) + margin
        return first + sum(each.phases * (each.limit + margin) for each in stages) + late

    # ---- the search

    def best(self, shares: Shares, near: int) -> tuple[float, int]:
        """Return the bound for a small number of teachers, and the step of this number.

        Step i means about 1.01^i teachers. `near` is a guess of the step.
        """
        if not (0 < shares["A"] < 1 and 0 < shares["C"] < 1):
            return math.inf, near

        def bound(step: int) -> float:
            return self.bound(teachers_at(step), shares)

        jump, step = 1, near
        if bound(step) == math.inf:
            while bound(step) == math.inf:
                low, step, jump = step, step + jump, 2 * jump
                if teachers_at(step) > MOST_TEACHERS:
                    return math.inf, near
        else:
            low = step - 1
            while teachers_at(low) > 2 and bound(low) < math.inf:
                step, low, jump = low, low - jump, 2 * jump
            low = max(low, 0)
        if step - low > 1:
            step = least_integer(lambda i: bound(i) < math.inf, low, step)
        return bound(step), step

    def descend(self) -> tuple[Shares, int]:
        """Return shares and a number of teachers, from changes of single shares."""
        shares = {"A": 1 / 8, "C": 1 / 2}
        for r in range(1, self.dimension + 1):
            shares[f"d{r}"], shares[f"x{r}"] = 1.0, 1.0
            if r < self.dimension:
                shares[f"s{r}"] = 10.0
        bound, near = self.best(shares, 600)
        if bound == math.inf:
            raise TooLarge(
                f"The search found no plan of T({self.dimension}) with at most {MOST_TEACHERS} "
                "teachers.",
                limit=MOST_TEACHERS,
            )
        steps = dict.fromkeys(shares, STEP)
        while max(steps.values()) > LEAST_STEP:
            for name in steps:
                for sign in (1, -1):
                    changed = {**shares, name: shares[name] * math.exp(sign * steps[name])}
                    other, step = self.best(changed, near)
                    if other < bound:
                        bound, shares, near = other, changed, step
                        steps[name] *= 1.3
                        break
                else:
                    steps[name] /= 2
        return shares, near

    def plan(self) -> TolerantPlan:
        """Return the checked plan of the search, with every number rounded to a fraction."""
        shares, near = self.descend()
        low, high = teachers_at(near - 1), teachers_at(near)
        teachers = least_integer(lambda k: self.bound(k, shares) < math.inf, low, high)
        refused: InvalidInput | None = None
        for extra in range(RETRIES):
            try:
                return self._finished(teachers + extra, shares)
            except InvalidInput as error:
                refused = error
        raise TooLarge(f"No plan of the search passed its check. {refused}")

    def _finished(self, teachers: int, shares: Shares) -> TolerantPlan:
        numbers = self.stages(teachers, shares)
        if numbers is None:
            raise InvalidInput(f"No plan with {teachers} teachers exists for these shares.")
        stages = tuple(
            TolerantStage(
                _rounded(each.rate * SAFE),
                _rounded(each.slope),
                _rounded(each.missed),
                each.phases,
                each.limit,
            )
            for each in numbers
        )
        waiting, part = _rounded(float(self.epsilon) * shares["A"]), self.failure / CONDITIONS
        periods = 1 + sum(each.phases for each in stages)
        return TolerantPlan(
            self.dimension,
            self.rounds,
            teachers,
            self.epsilon,
            self.delta,
            self.failure,
            waiting,
            _rounded(float(self.delta) * shares["C"]),
            least_margin(waiting, self.rounds, part),
            OneSidedThreshold(waiting, 0).late(part, periods),
            stages,
        )


def teachers_at(step: int) -> int:
    """Return the number of teachers of a step of the search.

    Examples
    --------
    >>> [teachers_at(step) for step in (0, 300, 600)]
    [2, 20, 392]
    """
    return max(2, math.ceil(RATIO**step))


def _rounded(value: float) -> Fraction:
    """Return the value with 32 significant bits, rounded down."""
    mantissa, exponent = math.frexp(value)
    return Fraction(math.floor(mantissa * 2**32)) * Fraction(2) ** (exponent - 32)
