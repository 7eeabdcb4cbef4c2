"""The search behind `learners.merging.planner`, in floating point.

For given shares of epsilon, delta and beta, every other number follows from the number k of nodes.
Each level gets the least z, D and threshold that its shares allow. `PlanSearch.levels` computes the
numbers of ready nodes. The search changes one share at a time for a relaxed bound with real
numbers instead of integers. Then it changes random shares for the bound with integers.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from statistics import NormalDist

from learners.mechanisms.sparse_vector import AboveThreshold, OneSidedThreshold
from learners.merging.parameters import PAIR, MergingLevel, MergingParameters, list_length
from learners.merging.plan import MARKOV, LevelProof, MergingPlan, least_margin
from lsclasses.errors import InvalidInput

DRAWS = 100
"""Largest number w of times that groups are drawn."""

SAFE = 1 - 1e-9
"""Factor close to 1 by which shares are reduced to absorb the errors of floating point numbers."""

STEP, LEAST_STEP = 0.3, 0.03
"""First and last step of the search over single shares, as logarithms."""

TRIALS = {2: 3000, 3: 1600, 4: 700}
"""Number of random changes of the shares, by dimension."""

EXCESSES = (1.0, 1.01, 1.02, 1.04, 1.08, 1.15)
"""Candidates for the number of nodes, in multiples of the least number. With more nodes, fewer
functions are published before the target."""

Shares = dict[str, float]
"""Shares by name. A is the share of epsilon for thresholds, C for a test of groups. r1, r2, ... and
d1, d2, ... are the rho and the delta of the histograms. The other names are failure probabilities:
fA and fL of thresholds, and b11, b21, b31, ... for beta1, beta2 and beta3 of each level."""

NORMAL = NormalDist()

MISSED = (10 / 11) ** DRAWS
"""Largest probability that no draw of groups is good."""

LEAST_CHANGE = 1e-6
"""Relative change below which the iteration for the integers of a level stops. Integers below 10^6
must reach a fixed point."""

MOST_NODES = 1e15
"""Number of nodes at which a search stops."""


# ---- shares


@dataclass(frozen=True)
class Spent:
    """The parts of epsilon, delta and beta that a plan spends, in floating point."""

    waiting: float
    tests: float
    rho: tuple[float, ...]
    delta: tuple[float, ...]
    failures: Shares

    def rounded(self) -> Spent:
        """Return the parts as fractions, rounded down so that the check of a plan succeeds."""
        return Spent(
            float(_fraction(self.waiting)),
            float(_fraction(self.tests)),
            tuple(float(_fraction(each)) for each in self.rho),
            tuple(float(_fraction(each)) for each in self.delta),
            {name: float(_fraction(each)) for name, each in self.failures.items()},
        )


def shares_of(plan: MergingPlan) -> Shares:
    """Return the shares of a plan."""
    parameters = plan.parameters
    epsilon, delta = float(plan.epsilon), float(plan.delta)
    found = {"A": float(parameters.epsilon) / epsilon}
    if parameters.grouped:
        found["C"] = float(parameters.group_epsilon) / epsilon
    for r, level in enumerate(parameters.levels, start=1):
        found[f"r{r}"] = float(level.cost)
        found[f"d{r}"] = float(level.delta / plan.delta) if delta else 0.0
    found["fA"], found["fL"] = float(plan.early), float(plan.late_failure)
    for r, proof in enumerate(plan.proofs, start=1):
        found[f"b1{r}"], found[f"b2{r}"] = float(proof.release), float(proof.order)
        if r < parameters.dimension:
            grouped = r in parameters.grouped
            found[f"b3{r}"] = float(plan.group_failure if grouped else proof.matching)
    return found


@dataclass(frozen=True)
class LevelNumbers:
    """The numbers of one level in the search, as real numbers or as integers."""

    ready: float
    slack: float
    distance: float
    top: float = 0
    share: float = 0
    target: float = 0


@dataclass(frozen=True)
class PlanSearch:
    """A search for a plan, for fixed numbers of functions and sizes of groups."""

    dimension: int
    rounds: int
    epsilon: Fraction
    delta: Fraction
    failure: Fraction
    functions: tuple[int, ...]
    groups: tuple[int, ...]

    @cached_property
    def lengths(self) -> tuple[int, ...]:
        return tuple(list_length(r) for r in range(1, self.dimension + 1))

    @cached_property
    def tested(self) -> int:
        """The number of levels with groups of three or more nodes."""
        return sum(q > PAIR for q in self.groups)

    def spend(self, shares: Shares) -> Spent | None:
        """Return the parts of the budget, or None if the shares exceed it."""
        epsilon, levels = float(self.epsilon), range(1, self.dimension + 1)
        waiting, tests = epsilon * shares["A"], epsilon * shares.get("C", 0.0)
        rest = epsilon - waiting - self.tested * tests
        converted = 1 - sum(shares[f"d{r}"] for r in levels)
        if rest <= 0 or converted <= 0:
            return None
        rho = rho_within(rest, converted * float(self.delta))
        names = [name for name in shares if name[0] in "fb"]
        left = float(self.failure) - self.tested * MISSED
        if rho <= 0 or left <= 0:
            return None
        whole = sum(shares[f"r{r}"] for r in levels)
        scale = left / sum(shares[name] for name in names) * SAFE
        return Spent(
            waiting,
            tests,
            tuple(rho * shares[f"r{r}"] / whole * SAFE for r in levels),
            tuple(float(self.delta) * shares[f"d{r}"] * SAFE for r in levels),
            {name: shares[name] * scale for name in names},
        )

    # ---- Theorem M2 in floating point

    def nodes_at(self, r: int, nodes: float) -> float:
        """Return the number k_r of nodes of level r, for k nodes of the last level."""
        return nodes * math.prod(self.groups[r - 1 :])

    def levels(self, spent: Spent, nodes: float, exact: bool) -> list[LevelNumbers] | None:
        """Return the numbers of all levels for k nodes, or None if a condition fails."""
        found: list[LevelNumbers] = []
        ready: float = self.nodes_at(1, nodes)
        for r in range(1, self.dimension):
            q = self.groups[r - 1]
            groups = ready // q if exact else ready / q
            if groups < 1:
                return None
            level = self._frequent(spent, r, nodes, groups, exact)
            beta3, target, after = spent.failures[f"b3{r}"], 0.0, 0.0
            if q == PAIR:
                after = _matched(groups, level.share, -math.log(beta3), exact)
            elif level.share < 1 / MARKOV:
                error = self._test_error(spent, beta3, exact)
                usual = groups * (1 - float(MARKOV) * level.share)
                target = (math.floor(usual) if exact else usual) - error
                after = target - error
            if after < 1:
                return None
            found.append(replace(level, ready=ready, target=target))
            ready = after
        last = self._last(spent, nodes, ready, exact)
        return None if last is None else [*found, last]

    def _test_error(self, spent: Spent, failure: float, exact: bool) -> float:
        """Return alpha, the error of the test of groups."""
        if exact:
            epsilon = _fraction(spent.tests)
            return AboveThreshold(epsilon, 0).accuracy(DRAWS, _fraction(failure))
        two = 2 / spent.tests
        return two * math.log(2 / failure) + 2 * two * math.log(2 * DRAWS / failure)

    def _noise(self, spent: Spent, r: int, exact: bool) -> tuple[float, float]:
        """Return the sigma and the threshold of a level."""
        length = self.lengths[r - 1]
        sigma = math.sqrt(length / spent.rho[r - 1])
        return sigma, 1 + _least(sigma, spent.delta[r - 1] / length, exact)

    def _frequent(
        self, spent: Spent, r: int, nodes: float, groups: float, exact: bool
    ) -> LevelNumbers:
        """Return top, z, D and S of a level, with the largest top that does not increase S."""
        sigma, threshold = self._noise(spent, r, exact)
        q, length, functions = self.groups[r - 1], self.lengths[r - 1], self.functions[r - 1]
        items, size = length * self.nodes_at(r, nodes), q * groups
        beta1, beta2 = spent.failures[f"b1{r}"], spent.failures[f"b2{r}"]

        def given(top: float) -> tuple[LevelNumbers, float]:
            frequent = max(1.0, items // top if exact else items / top)
            slack = _least(sigma, beta1 / frequent, exact) - 1
            top = max(top, threshold + slack)
            distance = _distance(items, sigma, slack, top, order=beta2, exact=exact)
            if distance is None:
                distance = max(slack + _least(sigma, beta2 / items, exact), top)
            dx = (distance + (-1 if r == 1 and q == PAIR else q - 2)) / size
            inner = _inner(length, functions, dx, q)
            share = max(((top - 1) / size) ** (q - 1) * length, inner)
            level = LevelNumbers(0, slack, distance, top, share)
            highest = 1 + size * (inner / length) ** (1 / (q - 1)) * SAFE
            return level, math.floor(highest) if exact else highest

        level, highest = given(2 * threshold)
        for _ in range(12):
            top = max(highest, threshold + level.slack)
            if abs(top - level.top) <= (LEAST_CHANGE if exact else 1e-3) * top:
                break
            level, highest = given(top)
        return level

    def _last(self, spent: Spent, nodes: float, ready: float, exact: bool) -> LevelNumbers | None:
        """Return the numbers of the last level, if the target is released and not overtaken."""
        d = self.dimension
        sigma, threshold = self._noise(spent, d, exact)
        length = self.lengths[-1]
        slack = _least(sigma, spent.failures[f"b1{d}"] / length, exact) - 1
        if ready < threshold + slack:
            return None
        order = spent.failures[f"b2{d}"]
        distance = _distance(length * nodes, sigma, slack, ready, order=order, exact=exact)
        return None if distance is None else LevelNumbers(ready, slack, distance)

    def played_last(self, last: LevelNumbers, exact: bool) -> float:
        """Return the number j_d of functions of the last level up to the target."""
        others, rest = (self.lengths[-1] - 1) * last.ready, last.ready - last.distance + 1
        return 1 + (others // rest if exact else others / rest)

    def bound(self, spent: Spent, nodes: float, exact: bool) -> float:
        """Return the bound on the mistakes for k nodes, or infinity if a condition fails."""
        found = self.levels(spent, nodes, exact)
        if found is None:
            return math.inf
        played = self.played_last(found[-1], exact)
        margin = self.margin(spent, exact)
        periods = sum(self.functions) + played
        late = late_quantile(periods, spent.waiting, spent.failures["fL"])
        middle = sum(
            functions * (self.nodes_at(r + 1, nodes) + margin - 1)
            for r, functions in enumerate(self.functions, start=1)
        )
        first = self.nodes_at(1, nodes) + margin - 1
        return first + middle + (played - 1) * margin + (math.ceil(late) if exact else late)

    def margin(self, spent: Spent, exact: bool) -> float:
        """Return the margin a of the thresholds."""
        x = math.exp(-spent.waiting)
        found = math.log(self.rounds / ((1 + x) * spent.failures["fA"])) / spent.waiting
        return max(1, math.ceil(found) if exact else found)

    # ---- the least number of nodes, and its bound

    def best(self, shares: Shares, near: float, exact: bool) -> tuple[float, float]:
        """Return the least bound over the number k of nodes, and the best k, close to `near`."""
        spent = self.spend(shares)
        if spent is None:
            return math.inf, near
        low, high = near * 0.9, near * 1.1
        unit = 1 if exact else 0
        low, high = (math.floor(low), math.ceil(high) + 1) if exact else (low, high)
        while self.levels(spent, high, exact) is None:
            low, high = high, 2 * high
            if high > MOST_NODES:
                return math.inf, near
        while low >= 1 and self.levels(spent, low, exact) is not None:
            low, high = low // 2 if exact else low / 2, low
        while high - low > max(unit, high / 4000):
            middle = (low + high) // 2 if exact else (low + high) / 2
            if self.levels(spent, middle, exact) is None:
                low = middle
            else:
                high = middle
        tried = [high * excess for excess in EXCESSES]
        if exact:
            tried = [*range(int(high), int(high) + 3), *map(math.ceil, tried[1:])]
        return min((self.bound(spent, nodes, exact), nodes) for nodes in tried)

    def descend(self, shares: Shares, near: float) -> tuple[float, Shares, float]:
        """Change one share at a time while the relaxed bound falls."""
        bound, near = self.best(shares, near, False)
        steps = dict.fromkeys(shares, STEP)
        while max(steps.values()) > LEAST_STEP:
            for name in shares:
                for sign in (1, -1):
                    changed = {**shares, name: shares[name] * math.exp(sign * steps[name])}
                    other, nodes = self.best(changed, near, False)
                    if other < bound:
                        bound, shares, near = other, changed, nodes
                        steps[name] *= 1.3
                        break
                else:
                    steps[name] /= 2
        return bound, shares, near

    def polish(
        self, shares: Shares, near: float, trials: int | None = None
    ) -> tuple[float, Shares, float]:
        """Change random shares while the bound with integers does not rise."""
        rng, names, width = random.Random(self.dimension), list(shares), 0.15
        bound, near = self.best(shares, near, True)
        for _ in range(TRIALS[self.dimension] if trials is None else trials):
            changed = dict(shares)
            for name in rng.sample(names, rng.choice((1, 1, 2, 3))):
                changed[name] *= math.exp(rng.gauss(0, width))
            other, nodes = self.best(changed, near, True)
            if other > bound:
                width = max(0.02, width * 0.995)
                continue
            if other < bound:
                width = min(0.4, width * 1.2)
            bound, shares, near = other, changed, nodes
        return bound, shares, near

    # ---- the plan

    def plan(self, shares: Shares, nodes: int) -> MergingPlan:
        """Return the checked plan of the shares, with every share rounded to a fraction."""
        spent = self.spend(shares)
        if spent is None:
            raise InvalidInput("The shares exceed the budget.")
        return self.finished(spent, nodes)

    def finished(self, spent: Spent, nodes: int) -> MergingPlan:
        """Return the checked plan of parts of the budget, each rounded to a fraction."""
        spent = spent.rounded()
        found = self.levels(spent, nodes, True)
        if found is None:
            raise InvalidInput(f"No plan with {nodes} nodes exists for these shares.")
        levels = tuple(
            MergingLevel(
                _fraction(spent.rho[r]),
                _fraction(spent.delta[r]),
                self.functions[r] if r < self.dimension - 1 else 1,
                "gaussian",
                self.groups[r] if r < self.dimension - 1 else PAIR,
                int(found[r].target),
            )
            for r in range(self.dimension)
        )
        waiting, late = _fraction(spent.waiting), _fraction(spent.failures["fL"])
        early = _fraction(spent.failures["fA"])
        parameters = MergingParameters(
            self.dimension,
            self.rounds,
            nodes,
            waiting,
            least_margin(waiting, self.rounds, early),
            levels,
            _fraction(spent.tests) if self.tested else Fraction(0),
            DRAWS if self.tested else 1,
        )
        periods = sum(self.functions) + int(self.played_last(found[-1], True))
        raises = OneSidedThreshold(waiting, 0).late(late, periods)
        tests = [f"b3{r}" for r in parameters.grouped]
        return MergingPlan(
            parameters,
            self.epsilon,
            self.delta,
            self.failure,
            early,
            late,
            raises,
            tuple(self._proof(spent, r, found[r - 1]) for r in range(1, self.dimension + 1)),
            max((_fraction(spent.failures[name]) for name in tests), default=Fraction(0)),
        )

    def _proof(self, spent: Spent, r: int, numbers: LevelNumbers) -> LevelProof:
        last = r == self.dimension
        matching = Fraction(0) if last else _fraction(spent.failures[f"b3{r}"])
        if not last and self.groups[r - 1] > PAIR:
            matching += _fraction(MISSED * (1 + 1e-6))
        return LevelProof(
            int(numbers.slack),
            int(numbers.distance),
            int(numbers.ready),
            _fraction(spent.failures[f"b1{r}"]),
            _fraction(spent.failures[f"b2{r}"]),
            int(numbers.top),
            matching,
        )


# ---- formulas in floating point


def rho_within(epsilon: float, delta: float) -> float:
    """Return the rho of `learners.accounting.zcdp_rho`, in floating point."""
    bits = -math.log(delta)

    def found(log_k: float) -> float:
        k = math.exp(log_k)
        return (epsilon - (bits - log_k - (k + 1) * math.log1p(1 / k)) / k) / (k + 1)

    # The simpler conversion rho + 2 sqrt(rho L) = epsilon has its best order near L/sqrt(rho).
    start = (math.sqrt(epsilon + bits) - math.sqrt(bits)) ** 2
    middle = math.log(max(bits, 1e-9) / start) / 2
    low, high = middle - 5, middle + 5
    for _ in range(40):
        third = (high - low) / 3
        if found(low + third) >= found(high - third):
            high -= third
        else:
            low += third
    return found((low + high) / 2)


def _fraction(value: float) -> Fraction:
    """Return the value with 24 significant bits, rounded down."""
    mantissa, exponent = math.frexp(value)
    return Fraction(math.floor(mantissa * 2**24)) * Fraction(2) ** (exponent - 24)


def _quantile(probability: float) -> float:
    """Return the t with P[X >= t] = probability for a normal X, and at least 1.

    The bound of `learners.mechanisms.noise.gaussian_tail` holds from t = 1 on.
    """
    return max(1.0, -NORMAL.inv_cdf(max(probability, 1e-300))) if probability < 0.5 else 1.0


def _least(sigma: float, probability: float, exact: bool) -> float:
    """Return the least m with P[Z >= m] <= probability."""
    found = 0.5 + sigma * _quantile(probability)
    return math.ceil(found) if exact else found


def _upper(t: float) -> float:
    return math.erfc(t / math.sqrt(2)) / 2 if t >= 1 else 0.5


def _distance(
    items: float, sigma: float, slack: float, top: float, *, order: float, exact: bool
) -> float | None:
    """Return a small D < top for the first condition of Theorem M2, or None."""
    if items * _upper((top - slack - 1.5) / sigma) > order:
        return None
    rest, distance = max(top / 2, 1.0), top
    for _ in range(6):
        distance = slack + _least(sigma, min(0.5, order * rest / items), exact)
        if distance >= top or abs(rest - (top - distance)) <= LEAST_CHANGE * exact * top:
            break
        rest = top - distance
    while exact and distance < top:
        # The gap is concave in D. So a Newton step never passes its first zero, and no zero follows
        # if the gap does not rise.
        t = (distance - slack - 0.5) / sigma
        gap = order * (top - distance) - items * _upper(t)
        if gap >= 0:
            break
        slope = items * NORMAL.pdf(t) / sigma - order
        if slope <= 0:
            return None
        distance += max(1, math.floor(-gap / slope))
    return distance if slack < distance < top else None


def _inner(length: int, functions: int, dx: float, q: int) -> float:
    """Return the maximum of (y + dx)^(q-1) (l - j y) over y >= 0."""
    y = max(0.0, ((q - 1) * length / functions - dx) / q)
    return (y + dx) ** (q - 1) * (length - functions * y)


def _matched(groups: float, share: float, lam: float, exact: bool) -> float:
    """Return R_(r+1) for pairs, or 0 if a condition fails."""
    root = math.sqrt(lam * lam + 4 * groups * share * lam)
    if share >= 1 or (1 - share) * root < 2 * share * lam:
        return 0
    found = groups * (1 - share) - lam - root
    return math.floor(found) + 1 if exact else found + 0.5


def late_quantile(periods: float, epsilon: float, failure: float) -> float:
    """Return a quantile of a sum of raises, by the expansion of Cornish and Fisher."""
    x = math.exp(-epsilon)
    deviation, skew = math.sqrt(periods * x) / (1 - x), (1 + x) / math.sqrt(periods * x)
    excess = 6 / periods + (1 - x) ** 2 / (periods * x)
    t = _quantile(failure)
    shape = t + (t * t - 1) * skew / 6 + (t**3 - 3 * t) * excess / 24
    shape -= (2 * t**3 - 5 * t) * skew * skew / 36
    return max(0.0, periods * x / (1 - x) + deviation * shape)
