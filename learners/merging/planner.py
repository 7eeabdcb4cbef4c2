"""A search for plans of `MergingSOA` with few mistakes.

The search uses floating point numbers only. It proposes integers and fractions, and `MergingPlan`
proves their bound in ball arithmetic. So a mistake in this module can only make bounds larger.

A plan divides epsilon, delta and beta into *shares*. For given shares, every other number follows
from the number k of nodes: each level gets the least z, D and threshold that its shares allow, and
`_Search.forward` computes the numbers of ready nodes. The search changes one share at a time for a
relaxed bound with real numbers instead of integers. Then it changes random shares for the bound
with integers. The search starts from the shares of the nearest stored plan.
"""

from __future__ import annotations

import math
import random
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from importlib.resources import files
from statistics import NormalDist

from learners.balls import certainly_le
from learners.budget import Budget
from learners.concentration import FAILURE
from learners.mechanisms.sparse_vector import AboveThreshold, OneSidedThreshold
from learners.merging.parameters import PAIR, Level, MergingParameters, list_length
from learners.merging.plan import MARKOV, LevelProof, MergingPlan, early_failure
from learners.number_arguments import least_integer
from lsclasses.errors import InvalidInput, TooLarge

__all__ = ["DIMENSIONS", "plan_for", "stored_plans"]

DIMENSIONS = (2, 3, 4)
"""Dimensions for which plans are stored, and from which a search can start."""

DRAWS = 100
"""Largest number w of draws of groups."""

SAFE = 1 - 1e-9
"""Factor of shares that absorbs the errors of floating point numbers."""

STEP, LEAST_STEP = 0.3, 0.03
"""First and last step of the search over single shares, as logarithms."""

TRIALS = {2: 3000, 3: 1600, 4: 700}
"""Number of random changes of the shares, by dimension."""

EXCESSES = (1.0, 1.01, 1.02, 1.04, 1.08, 1.15)
"""Numbers of nodes that are tried, in multiples of the least number. More nodes leave fewer
functions before the target."""

Shares = dict[str, float]
"""Shares by name. A is the share of epsilon for thresholds, C for a test of groups. r1, r2, ... and
d1, d2, ... are the rho and the delta of the histograms. The others are failure probabilities: fA and
fL for thresholds, and for example b31 for beta3 of level 1."""

NORMAL = NormalDist()

MISSED = (10 / 11) ** DRAWS
"""Largest probability that no draw of groups is good."""

MOST_NODES = 1e15
"""Number of nodes from which on a search stops."""

HOPELESS = 1.03
"""Factor of the bound from which on other numbers of functions are not searched."""

RETRIES = 20
"""Number of numbers of nodes for which a plan is checked, because rounding may need a few more."""


# ---- stored plans


@cache
def stored_plans() -> tuple[MergingPlan, ...]:
    """Return the plans of ``plans.toml``, each checked."""
    return tuple(MergingPlan.from_json(data) for _, data in _stored())


@cache
def _stored() -> tuple[
    tuple[tuple[int, int, Fraction, Fraction, Fraction], dict[str, object]], ...
]:
    text = files("learners.merging").joinpath("plans.toml").read_text(encoding="utf-8")
    found = []
    for data in tomllib.loads(text).get("plan", ()):
        parameters = data["parameters"]
        numbers = (Fraction(data[name]) for name in ("epsilon", "delta", "failure"))
        found.append(((parameters["dimension"], parameters["rounds"], *numbers), data))
    return tuple(found)  # type: ignore[arg-type]


@lru_cache(maxsize=64)
def plan_for(
    dimension: int, rounds: int, budget: Budget, failure: Fraction = FAILURE
) -> MergingPlan:
    """Return a plan with few mistakes, stored or found by a search.

    If a plan for the same budget and more rounds is stored, the result has its numbers, with a
    smaller margin of the thresholds.

    Parameters
    ----------
    dimension : int
        d, from 2 to 4.
    rounds : int
        T.
    budget : Budget
        Privacy of a game, with a positive delta.
    failure : Fraction
        beta, the failure probability of the bound.

    Raises
    ------
    InvalidInput
        If the dimension is out of range, or delta is 0.
    TooLarge
        If the search finds no plan.

    Examples
    --------
    >>> budget = Budget(1, Fraction(1, 10**6))
    >>> [plan_for(d, 10**6, budget).bound for d in (2, 3, 4)]
    [1078, 10607, 203700]
    """
    if dimension not in DIMENSIONS:
        raise InvalidInput(f"Plans exist for the dimensions 2, 3 and 4. Got {dimension}.")
    epsilon, delta = budget
    if not delta:
        raise InvalidInput("A plan needs a positive delta, because histograms spend it. Got 0.")
    asked = (dimension, rounds, epsilon, delta, failure)
    budgets = [key for key, _ in _stored() if key[0] == dimension and key[2:] == asked[2:]]
    longer = [key for key in budgets if key[1] >= rounds]
    if longer:
        key = min(longer)
        plan = next(MergingPlan.from_json(data) for other, data in _stored() if other == key)
        return plan if key == asked else _for_fewer_rounds(plan, rounds)
    return search_plan(*asked, nearest_plan(*asked))


def _for_fewer_rounds(plan: MergingPlan, rounds: int) -> MergingPlan:
    """Return a plan with the least margin for fewer rounds, and equal numbers otherwise."""
    parameters = plan.parameters
    margin = least_integer(
        lambda a: certainly_le(
            lambda: early_failure(Fraction(parameters.epsilon), rounds, a), plan.early
        ),
        0,
        parameters.margin,
    )
    return replace(plan, parameters=replace(parameters, rounds=rounds, margin=margin))


def nearest_plan(
    dimension: int, rounds: int, epsilon: Fraction, delta: Fraction, failure: Fraction
) -> MergingPlan:
    """Return the stored plan for the most similar numbers."""

    def away(key: tuple[int, int, Fraction, Fraction, Fraction]) -> float:
        _, others, *numbers = key
        pairs = zip(numbers, (epsilon, delta, failure), strict=True)
        logs = [abs(_log(one) - _log(other)) for one, other in pairs]
        return sum(logs) + abs(math.log(others / rounds)) / 20

    stored = [(away(key), i) for i, (key, _) in enumerate(_stored()) if key[0] == dimension]
    return MergingPlan.from_json(_stored()[min(stored)[1]][1])


def _log(value: Fraction) -> float:
    return math.log(value.numerator) - math.log(value.denominator)


# ---- shares


@dataclass(frozen=True)
class _Spent:
    """Parts of epsilon, delta and beta, in floating point."""

    waiting: float
    tests: float
    rho: tuple[float, ...]
    delta: tuple[float, ...]
    failures: Shares


def _shares(plan: MergingPlan) -> Shares:
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
class _Numbers:
    """The numbers of one level, real or rounded to integers."""

    ready: float
    slack: float
    distance: float
    top: float = 0
    share: float = 0
    target: float = 0


@dataclass(frozen=True)
class _Search:
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

    def spend(self, shares: Shares) -> _Spent | None:
        """Return the parts of the budget, or None if the shares exceed it."""
        epsilon, levels = float(self.epsilon), range(1, self.dimension + 1)
        waiting, tests = epsilon * shares["A"], epsilon * shares.get("C", 0.0)
        rest = epsilon - waiting - self.tested * tests
        converted = 1 - sum(shares[f"d{r}"] for r in levels)
        if rest <= 0 or converted <= 0:
            return None
        rho = _rho(rest, converted * float(self.delta))
        names = [name for name in shares if name[0] in "fb"]
        left = float(self.failure) - self.tested * MISSED
        if rho <= 0 or left <= 0:
            return None
        whole = sum(shares[f"r{r}"] for r in levels)
        scale = left / sum(shares[name] for name in names) * SAFE
        return _Spent(
            waiting,
            tests,
            tuple(rho * shares[f"r{r}"] / whole * SAFE for r in levels),
            tuple(float(self.delta) * shares[f"d{r}"] * SAFE for r in levels),
            {name: shares[name] * scale for name in names},
        )

    # ---- Theorem M2 in floating point

    def nodes_at(self, r: int, nodes: float) -> float:
        """Return k_r for k nodes of the last level."""
        return nodes * math.prod(self.groups[r - 1 :])

    def levels(self, spent: _Spent, nodes: float, exact: bool) -> list[_Numbers] | None:
        """Return the numbers of all levels for k nodes, or None if a condition fails."""
        found: list[_Numbers] = []
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

    def _test_error(self, spent: _Spent, failure: float, exact: bool) -> float:
        """Return alpha, the error of the test of groups."""
        if exact:
            epsilon = _fraction(spent.tests)
            return AboveThreshold(epsilon, 0).accuracy(DRAWS, _fraction(failure))
        two = 2 / spent.tests
        return two * math.log(2 / failure) + 2 * two * math.log(2 * DRAWS / failure)

    def _noise(self, spent: _Spent, r: int, exact: bool) -> tuple[float, float]:
        """Return the sigma and the threshold of a level."""
        length = self.lengths[r - 1]
        sigma = math.sqrt(length / spent.rho[r - 1])
        return sigma, 1 + _least(sigma, spent.delta[r - 1] / length, exact)

    def _frequent(
        self, spent: _Spent, r: int, nodes: float, groups: float, exact: bool
    ) -> _Numbers:
        """Return top, z, D and S of a level, with the largest top that does not increase S."""
        sigma, threshold = self._noise(spent, r, exact)
        q, length, functions = self.groups[r - 1], self.lengths[r - 1], self.functions[r - 1]
        items, size = length * self.nodes_at(r, nodes), q * groups
        beta1, beta2 = spent.failures[f"b1{r}"], spent.failures[f"b2{r}"]

        def given(top: float) -> tuple[_Numbers, float]:
            frequent = max(1.0, items // top if exact else items / top)
            slack = _least(sigma, beta1 / frequent, exact) - 1
            top = max(top, threshold + slack)
            distance = _distance(items, sigma, slack, top, beta2, exact)
            if distance is None:
                distance = max(slack + _least(sigma, beta2 / items, exact), top)
            dx = (distance + (-1 if r == 1 and q == PAIR else q - 2)) / size
            inner = _inner(length, functions, dx, q)
            share = max(((top - 1) / size) ** (q - 1) * length, inner)
            level = _Numbers(0, slack, distance, top, share)
            highest = 1 + size * (inner / length) ** (1 / (q - 1)) * SAFE
            return level, math.floor(highest) if exact else highest

        level, highest = given(2 * threshold)
        for _ in range(12):
            top = max(highest, threshold + level.slack)
            if abs(top - level.top) <= (0 if exact else 1e-3 * top):
                break
            level, highest = given(top)
        return level

    def _last(self, spent: _Spent, nodes: float, ready: float, exact: bool) -> _Numbers | None:
        """Return the numbers of the last level, if the target is released and not overtaken."""
        d = self.dimension
        sigma, threshold = self._noise(spent, d, exact)
        length = self.lengths[-1]
        slack = _least(sigma, spent.failures[f"b1{d}"] / length, exact) - 1
        if ready < threshold + slack:
            return None
        order = spent.failures[f"b2{d}"]
        distance = _distance(length * nodes, sigma, slack, ready, order, exact)
        return None if distance is None else _Numbers(ready, slack, distance)

    def played_last(self, last: _Numbers, exact: bool) -> float:
        """Return j_d, the number of functions of the last level up to the target."""
        others, rest = (self.lengths[-1] - 1) * last.ready, last.ready - last.distance + 1
        return 1 + (others // rest if exact else others / rest)

    def bound(self, spent: _Spent, nodes: float, exact: bool) -> float:
        """Return the bound on the mistakes for k nodes, or infinity if a condition fails."""
        found = self.levels(spent, nodes, exact)
        if found is None:
            return math.inf
        played = self.played_last(found[-1], exact)
        margin = self.margin(spent, exact)
        periods = sum(self.functions) + played
        late = _late(periods, spent.waiting, spent.failures["fL"])
        middle = sum(
            functions * (self.nodes_at(r + 1, nodes) + margin - 1)
            for r, functions in enumerate(self.functions, start=1)
        )
        first = self.nodes_at(1, nodes) + margin - 1
        return first + middle + (played - 1) * margin + (math.ceil(late) if exact else late)

    def margin(self, spent: _Spent, exact: bool) -> float:
        """Return a, the margin of the thresholds."""
        x = math.exp(-spent.waiting)
        found = math.log(self.rounds / ((1 + x) * spent.failures["fA"])) / spent.waiting
        return max(1, math.ceil(found) if exact else found)

    # ---- the least number of nodes, and its bound

    def best(self, shares: Shares, near: float, exact: bool) -> tuple[float, float]:
        """Return the least bound over the number k of nodes, and this k. `near` is a guess."""
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

    def polish(self, shares: Shares, near: float) -> tuple[float, Shares, float]:
        """Change random shares while the bound with integers does not rise."""
        rng, names, width = random.Random(self.dimension), list(shares), 0.15
        bound, near = self.best(shares, near, True)
        for _ in range(TRIALS[self.dimension]):
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
        found = None if spent is None else self.levels(spent, nodes, True)
        if spent is None or found is None:
            raise InvalidInput(f"No plan with {nodes} nodes exists for these shares.")
        levels = tuple(
            Level(
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
        parameters = MergingParameters(
            self.dimension,
            self.rounds,
            nodes,
            waiting,
            int(self.margin(replace(spent, waiting=float(waiting)), True)),
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
            _fraction(spent.failures["fA"]),
            late,
            raises,
            tuple(self._proof(spent, r, found[r - 1]) for r in range(1, self.dimension + 1)),
            max((_fraction(spent.failures[name]) for name in tests), default=Fraction(0)),
        )

    def _proof(self, spent: _Spent, r: int, numbers: _Numbers) -> LevelProof:
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


def _rho(epsilon: float, delta: float) -> float:
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
    items: float, sigma: float, slack: float, top: float, order: float, exact: bool
) -> float | None:
    """Return a small D < top for the first condition of Theorem M2, or None."""
    if items * _upper((top - slack - 1.5) / sigma) > order:
        return None
    rest, distance = max(top / 2, 1.0), top
    for _ in range(6):
        distance = slack + _least(sigma, min(0.5, order * rest / items), exact)
        if distance >= top or rest == top - distance:
            break
        rest = top - distance
    while exact and distance < top:
        if items * _upper((distance - slack - 0.5) / sigma) <= order * (top - distance):
            break
        distance += 1
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


def _late(periods: float, epsilon: float, failure: float) -> float:
    """Return a quantile of a sum of raises, by the expansion of Cornish and Fisher."""
    x = math.exp(-epsilon)
    deviation, skew = math.sqrt(periods * x) / (1 - x), (1 + x) / math.sqrt(periods * x)
    excess = 6 / periods + (1 - x) ** 2 / (periods * x)
    t = _quantile(failure)
    shape = t + (t * t - 1) * skew / 6 + (t**3 - 3 * t) * excess / 24
    shape -= (2 * t**3 - 5 * t) * skew * skew / 36
    return max(0.0, periods * x / (1 - x) + deviation * shape)


# ---- the search over functions


def _near(functions: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield numbers of functions that differ at one level."""
    for r, number in enumerate(functions):
        step = max(1, number // 6)
        for other in (number + step, number - step):
            if other >= 1:
                yield (*functions[:r], other, *functions[r + 1 :])


def search_plan(
    dimension: int,
    rounds: int,
    epsilon: Fraction,
    delta: Fraction,
    failure: Fraction,
    start: MergingPlan,
) -> MergingPlan:
    """Return a plan that a search finds from the shares of another plan."""
    levels = start.parameters.levels[:-1]
    search = _Search(
        dimension,
        rounds,
        epsilon,
        delta,
        failure,
        tuple(level.functions for level in levels),
        tuple(level.group for level in levels),
    )
    scale = float(start.epsilon / epsilon)
    bound, shares, nodes = search.descend(_shares(start), start.parameters.nodes * scale)
    seen, waiting = {search.functions}, list(_near(search.functions))
    while waiting:
        functions = waiting.pop(0)
        if functions in seen:
            continue
        seen.add(functions)
        tried = replace(search, functions=functions)
        if tried.best(shares, nodes, False)[0] > bound * HOPELESS:
            continue
        other, changed, near = tried.descend(shares, nodes)
        if other < bound:
            bound, shares, nodes, search = other, changed, near, tried
            waiting = list(_near(functions))
    _, shares, nodes = search.polish(shares, nodes)
    if not math.isfinite(bound):
        raise TooLarge(
            f"The search found no plan for d = {dimension}, epsilon {float(epsilon):.3g}, delta "
            f"{float(delta):.3g} and failure probability {float(failure):.3g}. Larger values, or "
            "the practical mode with --nodes, need no plan."
        )
    for extra in range(RETRIES):
        try:
            return search.plan(shares, math.ceil(nodes) + extra * max(1, int(nodes) // 1000))
        except InvalidInput as error:
            refused = error
    raise TooLarge(f"No plan of the search passed its check. {refused}")
