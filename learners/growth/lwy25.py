"""Rates of [LWY25]: the layers, realizable sanitizers, constructed experts and sparse majorities.

**Realizable sanitizers [LWY25, Thm E.5].** The bound `sanitizer_rows` puts the proofs of this
project together. Every data set has a sketch of m points (`sketch_by_vc`), for the VC dimension v.
The sketches are majorities of m functions of the dual class. So their Littlestone dimension is at
most 2 m d* log2(e m), for the dual Littlestone dimension d* [LWY25, Lemmas A.18 and A.19]. This is
the mistake bound of the SOA, and there is one more round. The discriminator of [LWY25, Lemma E.2]
answers each round with its part of the budget. The paper uses a private proper learner with d^6
examples in the discriminator. This project uses the exponential mechanism on a finite class, so
that log|H| replaces d^6.

**Constructed experts [LWY25, Thm 4.4, Thm E.10].** The second term of the regret is M K
(`learners.experts.agnostic`). Here K comes from these sanitizers at the greatest lengths of dyadic
intervals, each with an equal part of the budget. Shorter intervals are not replaced.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import floor

import catalog
from learners.accounting import Event
from learners.balls import ceiling, log
from learners.budget import Budget
from learners.coins import Coins
from learners.growth.factors import correction, exponential, logarithm, power
from learners.growth.rates import DELTA, FAILURE, Rate
from learners.layers.laws import paper_sequences, requirement
from learners.layers.plan import LayeredParameters
from learners.majorities.algorithm import mistakes_at_most
from learners.number_arguments import least_integer
from learners.sanitizers.discriminators import RealizableDiscriminator
from learners.sanitizers.fooling import round_epsilon
from learners.sanitizers.interval_sanitizer import IntervalSanitizer, Places, Replacer
from learners.sanitizers.sketches import sketch_by_vc

# ---- layers


@lru_cache(maxsize=64)
def layered(epsilon: Fraction, delta: Fraction, rounds: int) -> Fraction | int:
    """Return the mistake bound of `LayeredSOA` for a base learner with mistake bound 1.

    Examples
    --------
    >>> int(layered(Fraction(1), DELTA, 10**6))
    674
    """
    parameters = LayeredParameters.from_theorem(Budget(epsilon, delta), 1, rounds, FAILURE)
    value = parameters.bounds[0].value
    assert value is not None
    return value


def layered_by_rounds(u: int) -> Fraction | int:
    """Return the mistake bound of `layered` for T = 2^u."""
    return layered(Fraction(8), DELTA, 1 << u)


def layered_by_epsilon(u: int) -> Fraction | int:
    """Return the mistake bound of `layered` for epsilon = 8/u."""
    return layered(Fraction(8, u), DELTA, 1 << 1024)


def layered_by_delta(u: int) -> Fraction | int:
    """Return the mistake bound of `layered` for delta = 2^-u."""
    return layered(Fraction(8), Fraction(1, 1 << u), 1 << 20)


def sequences(u: int) -> int:
    """Return N_0 by the conditions in the proof of [LWY25, Lemma B.3], for u = 2^d."""
    asked = requirement(
        u.bit_length() - 1,
        10**6,
        Budget(Fraction(1), DELTA),
        FAILURE,
        rule="printed",
        concepts=None,
    )
    return paper_sequences(asked, printed=True)


# ---- realizable sanitizers


def sketch_rounds(alpha: Fraction, dual: int, vc: int) -> int:
    """Return the number of rounds of the game for a class with these dimensions."""
    points = sketch_by_vc(vc, alpha)
    return ceiling(lambda: 2 * points * dual * (1 + log(points)) / log(2)) + 1


def discriminator(
    size: int, alpha: Fraction, budget: Budget, rounds: int
) -> RealizableDiscriminator:
    """Return the discriminator of a round, with an equal part of the budget."""

    def made(epsilon: Fraction) -> RealizableDiscriminator:
        table = catalog.build("points:n=4").to_table()
        return RealizableDiscriminator(table, size, alpha, epsilon, beta=FAILURE / rounds)

    each = round_epsilon(
        lambda epsilon: made(epsilon).privacy, rounds, budget.epsilon, budget.delta
    )
    return made(each)


def sanitizer_rows(
    alpha: Fraction = Fraction(1, 10),
    epsilon: Fraction = Fraction(1),
    dual: int = 1,
    vc: int = 1,
) -> int:
    """Return the number of points of the realizable sanitizer [LWY25, Thm E.5].

    Examples
    --------
    >>> sanitizer_rows()
    137222100
    """
    rounds = sketch_rounds(alpha, dual, vc)
    return discriminator(1, alpha, Budget(epsilon, DELTA), rounds).rows_needed


def rows_by_error(u: int) -> int:
    """Return the number of points of `sanitizer_rows` for alpha = 1/u."""
    return sanitizer_rows(alpha=Fraction(1, u))


def rows_by_epsilon(u: int) -> int:
    """Return the number of points of `sanitizer_rows` for epsilon = 1/u."""
    return sanitizer_rows(epsilon=Fraction(1, u))


def rows_by_dual(u: int) -> int:
    """Return the number of points of `sanitizer_rows` for d* = u."""
    return sanitizer_rows(dual=u)


def rows_by_vc(u: int) -> int:
    """Return the number of points of `sanitizer_rows` for d_V = u."""
    return sanitizer_rows(vc=u)


# ---- constructed experts

LENGTHS = 32
"""Number of lengths of dyadic intervals that are replaced."""
FINE = 32
"""Number of candidate errors between 2^-i and 2^-(i + 1), for each i."""


@lru_cache(maxsize=1024)
def least_error(size: int, epsilon: Fraction) -> Fraction:
    """Return an error alpha of the sanitizer for this number of points.

    Errors are of the form 2^-i (1 - j/FINE). If the number of points is too small for every error,
    the error is 1.
    """

    def error(step: int) -> Fraction:
        whole, part = divmod(step, FINE)
        return Fraction(2 * FINE - part, 2 * FINE) / (1 << whole)

    def fails(step: int) -> bool:
        alpha, budget = error(step), Budget(epsilon, DELTA / LENGTHS)
        rounds = sketch_rounds(alpha, 1, 1)
        return not discriminator(size, alpha, budget, rounds).enough

    if fails(FINE):
        return Fraction(1)
    level = size.bit_length()
    # An error below 1/size needs more points. The guess saves tests.
    high, near = FINE * (level + 1), FINE * max(2, 2 * (level - 27) // 3)
    return error(least_integer(fails, FINE, high, near) - 1)


@dataclass(frozen=True)
class BoundedReplacer(Replacer):
    """A replacer whose bound is known, to compute the bound of an interval.

    Parameters
    ----------
    most : int
        Largest number of true points that a replacement misses.
    """

    most: int

    @property
    def cost(self) -> Event | None:
        """The privacy cost, which is None because the object replaces no points."""
        return None

    @property
    def missed(self) -> int:
        """The largest number of true points that a replacement misses."""
        return self.most

    def replaced(self, points: object, coins: Coins) -> Places:
        """Refuse to replace points."""
        raise NotImplementedError("This replacer states a bound only.")


def excess(epsilon: Fraction, rounds: int) -> int:
    """Return the excess M K of `AgnosticExperts` for a base learner with one mistake.

    Examples
    --------
    >>> excess(Fraction(1), 1 << 50).bit_length()
    39
    """
    depth = rounds.bit_length()
    replacers: list[Replacer | None] = [None] * (depth - LENGTHS)
    for level in range(depth - LENGTHS, depth):
        missed = floor((1 << level) * least_error(1 << level, epsilon / LENGTHS))
        replacers.append(BoundedReplacer(missed))
    return IntervalSanitizer(rounds, tuple(replacers)).seen


def excess_by_rounds(u: int) -> int:
    """Return the number M K of `excess` for T = u."""
    return excess(Fraction(1), u)


def excess_by_epsilon(u: int) -> int:
    """Return the number M K of `excess` for epsilon = 1/u."""
    return excess(Fraction(1, u), 1 << 56)


# ---- sparse majorities


def majority_mistakes(u: int) -> int:
    """Return the mistake bound of `SparseMajority` for d = u."""
    return mistakes_at_most(u)


LAYERS = ("LWY25 Thm 1.1", "LWY25 Thm 3.1", "LWY25 Lemma B.3")
SANITIZER = ("LWY25 Thm E.5",)
EXPERTS = ("LWY25 Thm 4.4", "LWY25 Thm E.10")
MISTAKES = "mistakes of LayeredSOA"
POINTS = "points of the realizable sanitizer"
EXCESS = "excess M K of constructed experts"
NO_SKETCHES = (
    "The number of points exceeds 10^8 at alpha = 1/10. For small classes, this project has a "
    "sanitizer that describes the data in another way."
)
TERMS = (
    "The powers of d_V* and d of the theorem come from a learner that this project does not "
    "implement."
)
SKETCH = 5 * 10**4
"""Least value of alpha m, for the number m of points of a sketch. The number m appears in three
logarithms."""

RATES = (
    Rate(
        name="layers-T",
        statements=LAYERS,
        quantity=MISTAKES,
        symbol="log2(T)",
        setting="d = 1, epsilon = 8, delta = 10^-6, beta = 1/20",
        bound=layered_by_rounds,
        start=1 << 10,
        doublings=4,
        stated=power(1),
        false=power("1/2"),
        quick=(0,),
        note=(
            "Section 2.2 of the paper assumes log(1/delta) >= log(T), which is false for the T of "
            "the ratios (2^1024 and more). The bound of this project does not need this assumption."
        ),
    ),
    Rate(
        name="layers-epsilon",
        statements=LAYERS,
        quantity=MISTAKES,
        symbol="1/epsilon",
        setting="d = 1, delta = 10^-6, T = 2^1024, epsilon = 8 to 1/2",
        bound=layered_by_epsilon,
        start=1,
        doublings=4,
        stated=power(1),
        false=power("1/2"),
        quick=(0,),
    ),
    Rate(
        name="layers-delta",
        statements=LAYERS,
        quantity=MISTAKES,
        symbol="log2(1/delta)",
        setting="d = 1, epsilon = 8, T = 2^20, beta = 1/20",
        bound=layered_by_delta,
        start=20,
        doublings=4,
        stated=power(1),
        false=power("1/2"),
        quick=(1,),
    ),
    Rate(
        name="layers-d",
        statements=("LWY25 Thm 3.1", "LWY25 Lemma B.3"),
        quantity="number N_0 of sequences, printed rule",
        symbol="2^d",
        setting="epsilon = 1, delta = 10^-6, T = 10^6, d = 1 to 5",
        bound=sequences,
        start=2,
        doublings=4,
        stated=exponential(24),
        false=exponential(16),
        correction=power(2) * logarithm(1),
        printed="2^(Theta(2^d)), where the proof has the exponent 24 2^d",
        unmeasured="At d = 2, the proof needs 2^107 sequences in the first layer.",
        note=(
            "At epsilon = 8 and T = 2^40, the constants of the rule `tight`, the default of "
            "`LayeredSOA`, give the mistake bounds 184, 1.1 10^7 and 4 10^12 for d = 1, 2 and 3. "
            "At d = 4, the first layer needs more than 2^60 sequences."
        ),
    ),
    Rate(
        name="sanitizer-alpha",
        statements=SANITIZER,
        quantity=POINTS,
        symbol="1/alpha",
        setting="d* = d_V = 1, epsilon = 1, delta = 10^-6",
        bound=rows_by_error,
        start=10,
        doublings=4,
        stated=power("3/2"),
        false=power(1),
        correction=logarithm(2, SKETCH),
        unmeasured=NO_SKETCHES,
    ),
    Rate(
        name="sanitizer-epsilon",
        statements=SANITIZER,
        quantity=POINTS,
        symbol="1/epsilon",
        setting="d* = d_V = 1, alpha = 1/10, delta = 10^-6",
        bound=rows_by_epsilon,
        start=1,
        doublings=4,
        stated=power(1),
        false=power("1/2"),
        unmeasured=NO_SKETCHES,
    ),
    Rate(
        name="sanitizer-dual",
        statements=SANITIZER,
        quantity=POINTS,
        symbol="d*",
        setting="d_V = 1, alpha = 1/10, epsilon = 1, delta = 10^-6",
        bound=rows_by_dual,
        start=1,
        doublings=4,
        stated=power("1/2"),
        false=power("1/4"),
        correction=logarithm(1, 2 * 10**7),
        unmeasured=NO_SKETCHES,
    ),
    Rate(
        name="sanitizer-vc",
        statements=SANITIZER,
        quantity=POINTS,
        symbol="d_V",
        setting="d* = 1, alpha = 1/10, epsilon = 1, delta = 10^-6",
        bound=rows_by_vc,
        start=1,
        doublings=4,
        stated=power("1/2"),
        false=power("1/4"),
        correction=logarithm("3/2", 10 * SKETCH),
        note=(
            "The factor d^6 of the theorem comes from a learner that this project does not "
            "implement. For a finite class H, the bound of this project has log|H| instead."
        ),
        unmeasured=NO_SKETCHES,
    ),
    Rate(
        name="experts-T",
        statements=EXPERTS,
        quantity=EXCESS,
        symbol="T",
        setting="d = d* = d_V = 1, epsilon = 1, delta = 10^-6, T from 2^56",
        bound=excess_by_rounds,
        start=1 << 56,
        doublings=4,
        stated=power("1/3"),
        false=power("1/4"),
        correction=logarithm("4/3"),
        quick=(0,),
        note=TERMS,
    ),
    Rate(
        name="experts-epsilon",
        statements=EXPERTS,
        quantity=EXCESS,
        symbol="1/epsilon",
        setting="d = d* = d_V = 1, delta = 10^-6, T = 2^56",
        bound=excess_by_epsilon,
        start=1,
        doublings=4,
        stated=power("2/3"),
        false=power("1/2"),
        quick=(0,),
        note=TERMS,
    ),
    Rate(
        name="majority-d",
        statements=("LWY25 Lemma E.9",),
        quantity="mistakes of SparseMajority",
        symbol="d",
        setting="votes that are not exact",
        bound=majority_mistakes,
        start=1,
        doublings=4,
        stated=power(1),
        false=power("1/2"),
        correction=correction("-1/6"),
        note=(
            "The proved number of votes grows like log|X|. In experiments, d_V* votes suffice, but "
            "this project has no proof."
        ),
    ),
)
