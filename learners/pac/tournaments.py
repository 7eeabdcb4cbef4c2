r"""The exact distributions D_k of samples that tournaments produce [BLM20, section 4.2].

A sample of D_k is a concatenation of samples that lost tournaments. Only the state of the SOA after
this sample S matters. The reason is that the rule SOA(S T) after further examples T depends on this
state and on T. So D_k is represented as a distribution of states:

* Q_0 is the starting state. F_k is Q_k after n more examples of D. p_k(f) is the probability that
  the rule of a state of F_k is f, and theta_k = 1 - sum_f p_k(f)^2 is the probability that the
  rules of two states differ.
* Q_(k+1) is the distribution of the loser of a tournament between two independent states of F_k
  whose rules differ. Both predict the first point on which they differ, with a fair label. The
  state that is wrong loses and learns the example.

**Pairs are never listed.** Write rules as strings of labels in the order of the domain. Two rules
first differ at the point where they part in the tree of these strings. Consider a state whose rule
parts at a point from other rules of total mass m. The state loses to one of the other states with
probability proportional to its mass times m. The reason is that the state is one of the two drawn
states, in either order, and loses for one of the two labels.

**The outcome of a tournament is independent of its cost.** Let C_k be the number of times that n
examples of D are drawn for a sample of D_k. *Claim:* C_k is independent of the state. C_0 = 0. An
attempt of D_(k+1) draws two samples of D_k and two times n examples. By induction, its cost is
independent of the final states, hence of whether their rules differ, and of the loser if their
rules differ. Attempts are independent, so the sum of their costs up to the first attempt whose
rules differ is independent of this attempt's loser. So with c_k(z) = E[z^C_k],

    c_0 = 1,    c_(k+1) = theta_k a/(1 - (1 - theta_k) a),    a(z) = (z c_k(z))^2,

and if D_k is stopped after N examples (the Monte-Carlo variant [BLM20, section 4.3.1]), it yields
the same distribution of states with probability P[n C_k <= N], and otherwise no state.

Masses are integers over a common total. Only the distribution of the costs is rounded, and it is
enclosed in balls.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import islice
from math import gcd

from flint import arb, arb_series, ctx, fmpq

from learners.balls import rational_below
from learners.checked import AuxiliarySize
from learners.exact import PRECISION, OutputDistribution
from learners.pac.distributions import FiniteDistribution
from lsclasses.domain import FiniteDomain
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.hypothesis import Concept, require_enumerable
from lsclasses.numbers import integer
from lsclasses.options import check_arguments
from lsclasses.point_names import Label, Point
from lsclasses.soa import SOA

MAX_LABELS = 1 << 26
"""Largest number of labels that are computed for the rules of all states, which takes half a
minute."""
OVERESTIMATED = 8
"""Factor by which an estimate of the number of states may exceed this number."""
MAX_STATES = 1 << 18
"""Default limit on the number of states of a distribution."""

FIRST_TERMS = 64
"""Number of terms of the distribution of the costs that are computed first."""

SEARCHED = 10
"""Largest dimension for which the distribution of the largest cost is computed."""

RARELY = 1 << 13
"""Cost that tournaments of depth 10 exceed with a probability of at most 10^-9, if they are
defined."""

DENOMINATOR = 1 << 40

LONGEST = 1 << 19
"""Largest budget, in multiples of n, for which the distribution of the costs is computed."""


def dimension_of(base: SOA) -> int:
    """Return the mistake bound d of a starting state for which [BLM20, Observation 11] holds.

    The rule of the learner must be right on its last examples. Tournament examples can contradict
    other examples. So the rule must be right also if no concept is consistent with all examples.

    Raises
    ------
    InvalidInput
        If the learner does not declare that it is consistent and extended to contradictions, or
        can make no more mistakes, because only one concept remains.
    """
    if not (base.consistent and base.extended):
        raise InvalidInput(
            "The base learner's rule must be right on all its examples, even if no concept is "
            "consistent with them, because the proof needs this. SOA(C) has such a rule. "
            "ConservativeSOA forgets correctly predicted examples, and Halving has no rule if no "
            "concept is consistent. "
            f"Got a {type(base).__name__}."
        )
    bound = base.mistake_bound
    if bound is None:
        raise InvalidInput("Some concept must be consistent with the base learner's examples.")
    if bound == 0:
        raise InvalidInput(
            "The Littlestone dimension must be at least 1. A class of dimension 0 has one concept, "
            "which needs no examples to learn and no privacy."
        )
    return bound


class _States:
    """The states of a learner as integers, with their rules and their successors.

    A state with a consistent concept has a number from 0 on. After a contradiction, a state is
    determined by its rule, since each further example overrides the rule at a point [BLM20, Def.
    8]. Such a state is stored as -1 minus the rule. Rules are integers whose highest bit is the
    label of the first point.
    """

    def __init__(self, base: SOA) -> None:
        self._numbers: dict[SOA, int] = {}
        self._after: dict[tuple[int, Point, Label], int] = {}
        self._fitting: list[SOA] = []
        self._rules: list[int] = []
        domain = base.version_space.domain
        require_enumerable(domain, "compute the law of a learner's rules")
        self.domain = domain if isinstance(domain, FiniteDomain) else FiniteDomain(domain)
        self.width = len(self.domain)
        self.bits = {x: 1 << self.width - 1 - j for j, x in enumerate(self.domain)}
        self.start = self._number(base)

    def _number(self, state: SOA) -> int:
        number = self._numbers.get(state)
        if number is None:
            number = self._numbers[state] = len(self._fitting)
            self._fitting.append(state)
            says = state.hypothesis._label
            self._rules.append(int("".join("01"[says(x)] for x in self.domain), 2))
        return number

    def rule(self, state: int) -> int:
        """Return the rule of the state."""
        return -1 - state if state < 0 else self._rules[state]

    def after(self, state: int, x: Point, y: Label) -> int:
        """Return the state after an example."""
        if state < 0:
            return self._overridden(-1 - state, x, y)
        key = state, x, y
        found = self._after.get(key)
        if found is None:
            left = self._fitting[state].observe(x, y)
            found = self._after[key] = (
                self._number(left)
                if left.realizable
                else self._overridden(self._rules[state], x, y)
            )
        return found

    def _overridden(self, rule: int, x: Point, y: Label) -> int:
        bit = self.bits[x]
        return -1 - (rule | bit if y else rule & ~bit)

    def concept(self, rule: int) -> Concept:
        """Return a rule as a concept."""
        packed = (rule << (-self.width % 8)).to_bytes(-(-self.width // 8))
        return Concept(self.domain, packed)


@lru_cache(maxsize=1)
def _states(base: SOA) -> _States:
    """Return the states of a learner, which are equal for all targets and distributions."""
    return _States(base)


Masses = dict[int, int]
"""States with their masses, whose sum represents probability 1."""


@dataclass(frozen=True)
class Level:
    """The distributions of the tournaments of one depth.

    Attributes
    ----------
    k : int
        Depth k of the tournament.
    defined : bool
        Whether D_k is defined: no rule had probability 2^-d or more at the earlier levels.
    law : Law
        Distribution of SOA(S T) for S from D_k and T of n examples from D, over `Concept`s.
    mode : Concept
        Most likely outcome, the first in the order of labels if there are several.
    largest : Fraction
        Probability of the mode, max_f p_k(f).
    differ : Fraction
        Probability theta_k that two outcomes differ.
    expected : Fraction
        Mean of the number of examples of D that a sample of D_k needs.
    states : int
        Number of possible states of the SOA.
    """

    k: int
    defined: bool
    law: OutputDistribution[Concept]
    mode: Concept
    largest: Fraction
    differ: Fraction
    expected: Fraction
    states: int

    def probability(self, h: Concept) -> Fraction:
        """Return the probability of an outcome."""
        return self.law.rational(h) if h in self.law else Fraction(0)


@dataclass(frozen=True)
class Tournaments:
    """The distributions D_k of the samples that tournaments of depth k = 0, 1, ... produce.

    Attributes
    ----------
    base : SOA
        Starting state of the SOA.
    distribution : FiniteDistribution
        Distribution of the examples.
    n : int
        Number of rows that are read together in one step.
    levels : tuple of Level
        Distribution D_k and its statistics, for k = 0, 1, ...
    """

    base: SOA
    distribution: FiniteDistribution
    n: int
    levels: tuple[Level, ...]

    @property
    def dimension(self) -> int:
        """The mistake bound d of the base learner."""
        return dimension_of(self.base)

    @property
    def threshold(self) -> Fraction:
        """The threshold 2^-d. If a hypothesis at depth k reaches it, D_(k+1), ... are undefined."""
        return Fraction(1, 1 << self.dimension)

    @property
    def defined(self) -> tuple[Level, ...]:
        """The levels of the tournament whose outcomes are defined."""
        return tuple(level for level in self.levels if level.defined)

    @property
    def frequent(self) -> Level | None:
        """The first level (D_k) at which a hypothesis has probability at least 2^-d, or None.

        By [BLM20, Lemma 12], there is such a level among k = 0, ..., d on realizable distributions.
        """
        reached = [level for level in self.defined if level.largest >= self.threshold]
        return reached[0] if reached else None

    def within(self, k: int, budget: int) -> arb:
        """Return the probability that a sample of D_k needs at most `budget` times n examples.

        The result is a ball around this probability.

        Raises
        ------
        InvalidInput
            If the levels before k were not computed, or the budget is negative.
        TooLarge
            If the budget is above 2^19.
        """
        budget = integer(budget, "budget")
        if not 0 <= k <= len(self.levels):
            raise InvalidInput(
                f"Costs exist for k from 0 to {len(self.levels)}, the levels that were "
                f"computed and one more. Got {k}."
            )
        if budget < 0:
            raise InvalidInput(f"A budget must be at least 0. Got {budget}.")
        return costs_within([level.differ for level in self.levels[:k]], budget)[-1]


def costs_within(differ: Iterable[Fraction], budget: int) -> list[arb]:
    """Return P[C_k <= budget] for k = 0, 1, ..., if rules differ with the given probabilities.

    Larger probabilities give a larger P[C_k <= budget], because the number of attempts is
    geometric.

    Parameters
    ----------
    differ : iterable of Fraction
        Probabilities theta_0, theta_1, ...
    budget : int
        Budget in multiples of n.

    Raises
    ------
    TooLarge
        If the budget is above 2^19.

    Examples
    --------
    >>> [float(p) for p in costs_within([Fraction(1, 2)], 4)]
    [1.0, 0.75]
    """
    if budget > LONGEST:
        raise TooLarge(
            f"The distribution of tournament costs is computed up to {LONGEST} times n examples. "
            f"Got {budget}.",
            estimate=budget,
            limit=LONGEST,
        )
    chances = tuple(differ)
    # A sample needs an even multiple of n examples. Longer samples than the first terms cover are
    # often nearly impossible, and then these terms are enough.
    whole_length = budget // 2 + 1
    length = min(whole_length, FIRST_TERMS)
    while True:
        found = _costs_below(chances, length)
        if length == whole_length:
            return list(found)
        with ctx.workprec(PRECISION):
            if all(p.is_zero() or p > 1 - arb(2) ** (-PRECISION // 2) for p in found):
                return [p if p.is_zero() else p.union(arb(1)) for p in found]
        length = min(whole_length, 4 * length)


def least_frequency(dimension: int, budget: int) -> Fraction:
    """Return a lower bound on the probability that a hypothesis of loss at most d/n is output.

    On every realizable distribution some p_k(f) >= 2^-d with D_k defined [BLM20, Lemma 12], and
    loss(f) <= d/n [Lemma 13]. While D_j is defined, two rules differ with probability theta_j =
    1 - sum p_j^2 >= 1 - max p_j > 1 - 2^-d. C_k is larger, in distribution, for smaller theta_j,
    and for larger k. The outcomes of tournaments are independent of C_k. So with k drawn uniformly,
    f occurs with probability at least 2^-d P[C_d <= budget]/(d + 1), for the C_d of theta_j =
    1 - 2^-d.

    Beyond d = 10, Markov's inequality replaces the distribution of C_d. The bound is rounded down.

    Parameters
    ----------
    dimension : int
        Littlestone dimension d, at least 1.
    budget : int
        Budget in multiples of n.

    Examples
    --------
    >>> [str(least_frequency(2, budget)) for budget in (5, 6, 8)]
    ['0', '9/256', '27/512']
    """
    largest = Fraction(1, (dimension + 1) << dimension)
    if dimension > SEARCHED:
        within = max(Fraction(0), 1 - mean_costs(dimension)[-1] / max(budget, 1))
    else:
        theta = 1 - Fraction(1, 1 << dimension)
        ball = costs_within([theta] * dimension, min(budget, RARELY))[-1]
        within = rational_below(ball.lower, DENOMINATOR)
    return largest * within


def mean_costs(dimension: int) -> list[Fraction]:
    """Return E[C_0], ..., E[C_d] if two rules differ with probability 1 - 2^-d.

    The means are at most the bounds of [BLM20, Lemma 14]. E[C_(k+1)] = 2 (E[C_k] + 1)/theta_k,
    which increases as theta_k decreases.

    Examples
    --------
    >>> [str(mean) for mean in mean_costs(2)]
    ['0', '8/3', '88/9']
    """
    theta = 1 - Fraction(1, 1 << dimension)
    means = [Fraction(0)]
    for _ in range(dimension):
        means.append(2 * (means[-1] + 1) / theta)
    return means


@lru_cache(maxsize=256)
def _costs_below(differ: tuple[Fraction, ...], length: int) -> tuple[arb, ...]:
    """Return P[C_k < 2 length] for k = 0, 1, ..."""
    found = [arb(1)]
    cap = ctx.cap
    ctx.cap = length
    try:
        with ctx.workprec(PRECISION):
            # The variable of the series is z^2.
            cost, z = arb_series([1], prec=length), arb_series([0, 1], prec=length)
            for theta in differ:
                chance = arb(fmpq(theta.numerator, theta.denominator))
                attempt = z * cost * cost
                cost = chance * attempt / (1 - (1 - chance) * attempt)
                mass = sum(cost.coeffs(), arb(0))
                found.append(mass if theta and not found[-1].is_zero() else arb(0))
    finally:
        ctx.cap = cap
    return tuple(found)


def tournaments(
    base: SOA,
    distribution: FiniteDistribution,
    n: int,
    *,
    most: int | None = None,
    beyond: bool = False,
    max_states: int = MAX_STATES,
) -> Tournaments:
    """Return the exact distributions D_0, D_1, ... [BLM20, section 4.2].

    Parameters
    ----------
    base : SOA
        Starting state.
    distribution : FiniteDistribution
        Distribution of the examples.
    n : int
        Number of rows that are read together in one step.
    most : int, optional
        Largest depth k. The default is the mistake bound d of the base learner.
    beyond : bool
        Whether to continue with deeper tournaments if D_k is not defined, as the Monte-Carlo
        variant of the paper does. The function stops if all hypotheses are equal, because then a
        tournament never finds two different hypotheses.
    max_states : int
        Largest number of states of a distribution.

    Raises
    ------
    InvalidInput
        If the base learner is not consistent with its examples or can make no more mistakes, the
        domain differs, or n is less than 1.
    TooLarge
        If there are more states, or the domain is too large to store hypotheses as tables.

    Examples
    --------
    >>> import catalog
    >>> C = catalog.build("thresholds:n=7")
    >>> D = FiniteDistribution.labelled(C.restrict(3, 1).restrict(2, 0).soa())  # x >= 3, uniform
    >>> found = tournaments(SOA(C), D, n=1)
    >>> level = found.levels[0]
    >>> level.mode, level.largest, level.differ, found.threshold
    (Concept('0001111'), Fraction(3, 7), Fraction(36, 49), Fraction(1, 8))

    In the example, some hypothesis has probability 3/7 >= 1/8 at depth 0, so D_1 is not defined.
    With `beyond`, the tournaments continue:

    >>> [level.largest for level in tournaments(SOA(C), D, n=1, most=2, beyond=True).levels]
    [Fraction(3, 7), Fraction(103, 252), Fraction(26914, 85911)]
    """
    last = None if most is None else integer(most, "number of levels")
    found = levels(base, distribution, n, beyond=beyond, max_states=max_states)
    return Tournaments(
        base, distribution, n, tuple(islice(found, None if last is None else last + 1))
    )


@check_arguments
def levels(
    base: SOA,
    distribution: FiniteDistribution,
    n: AuxiliarySize,
    *,
    beyond: bool = False,
    max_states: int = MAX_STATES,
) -> Iterator[Level]:
    """Yield the levels of `tournaments` one after the other, each when it is computed.

    The function `tournaments` has the description of the levels and of the parameters.
    """
    d = dimension_of(base)
    if distribution.domain != base.version_space.domain:
        raise InvalidInput(
            "The distribution must be on labelled points of the class, which has "
            f"{base.version_space.domain.describe()}. Got {distribution.domain.describe()}."
        )
    states = _states(base)
    masses: Masses = {states.start: 1}
    expected, defined = Fraction(0), True
    for k in range(d + 1):
        final = _examples_learned(states, masses, distribution, n, max_states)
        level = _level(states, final, k, expected, defined=defined)
        yield level
        defined = defined and level.largest < Fraction(1, 1 << d)
        if not level.differ or not (defined or beyond):
            return
        expected = (2 * expected + 2 * n) / level.differ
        masses = _losers(states, final)


def _examples_learned(
    states: _States, masses: Masses, distribution: FiniteDistribution, n: int, max_states: int
) -> Masses:
    """Return the distribution of states after n examples, with the total in the n-th power."""
    weights = distribution.counts
    for step in range(n):
        after: Masses = {}
        for done, (state, mass) in enumerate(masses.items(), 1):
            for (x, y), weight in weights.items():
                reached = states.after(state, x, y)
                after[reached] = after.get(reached, 0) + mass * weight
            # The successors of the first states predict the size before the work takes minutes.
            # Examples in another order lead to equal states, and some are reached more often.
            estimate = len(after) * len(masses) // done // (step + 1)
            for number in (len(after), estimate // OVERESTIMATED):
                if number > max_states or number * states.width > MAX_LABELS:
                    raise TooLarge(
                        f"The distribution has about {max(number, estimate)} states after "
                        f"{step + 1} of {n} examples, each with a rule on {states.width} points. "
                        f"The limit is {max_states} states and {MAX_LABELS} labels. Use fewer "
                        "points, fewer examples or fewer tournaments.",
                        estimate=max(number, estimate),
                        limit=max_states,
                    )
        masses = after
    return masses


def _losers(states: _States, masses: Masses) -> Masses:
    """Return the distribution of the losing state of a tournament, after it has learned."""
    by_rule: dict[int, int] = {}
    for state, mass in masses.items():
        rule = states.rule(state)
        by_rule[rule] = by_rule.get(rule, 0) + mass
    # For each rule, the points where it parts from others, with their total mass.
    partings: dict[int, list[tuple[int, int]]] = {rule: [] for rule in by_rule}
    rules = sorted(by_rule)
    stack = [(0, len(rules))]
    while stack:
        start, stop = stack.pop()
        if stop - start < 2:
            continue
        # The first and the last rule differ in the highest bit in which any two rules differ.
        place = (rules[start] ^ rules[stop - 1]).bit_length() - 1
        middle = bisect_left(rules, 1, start, stop, key=lambda rule: rule >> place & 1)
        for here, there in (((start, middle), (middle, stop)), ((middle, stop), (start, middle))):
            opposed = sum(by_rule[rule] for rule in rules[slice(*there)])
            for rule in rules[slice(*here)]:
                partings[rule].append((place, opposed))
        stack += [(start, middle), (middle, stop)]
    losers: Masses = {}
    for state, mass in masses.items():
        rule = states.rule(state)
        for place, opposed in partings[rule]:
            x = states.domain[states.width - 1 - place]
            # [BLM20, D_k step (v)]: the state loses for the label that its rule does not give.
            reached = states.after(state, x, 1 - (rule >> place & 1))
            losers[reached] = losers.get(reached, 0) + mass * opposed
    common = gcd(*losers.values())
    return {state: mass // common for state, mass in losers.items()}


def _level(states: _States, final: Masses, k: int, expected: Fraction, *, defined: bool) -> Level:
    total = sum(final.values())
    by_rule: dict[int, int] = {}
    for state, mass in final.items():
        rule = states.rule(state)
        by_rule[rule] = by_rule.get(rule, 0) + mass
    likeliest = max(by_rule, key=lambda rule: (by_rule[rule], -rule))
    alike = sum(mass * mass for mass in by_rule.values())
    law = OutputDistribution.of(
        {states.concept(rule): Fraction(mass, total) for rule, mass in by_rule.items()},
        branches=len(final),
    )
    return Level(
        k,
        defined,
        law,
        states.concept(likeliest),
        Fraction(by_rule[likeliest], total),
        1 - Fraction(alike, total * total),
        expected,
        len(final),
    )
