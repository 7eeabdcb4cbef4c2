"""Rates of [BF25]: the private Winnow, decision lists, and greedy covering."""

from __future__ import annotations

from fractions import Fraction

from learners.budget import Budget
from learners.growth.factors import correction, logarithm, power
from learners.growth.rates import DELTA, FAILURE, Rate
from learners.playing.base.base_learner_names import decision_list_margin
from learners.rules.packed import conjunction_count
from learners.rules.sample_sizes import sample_size
from learners.winnow.plan import WinnowParameters

EXPERTS, MARGIN, ROUNDS = 202, Fraction(1, 5), 10**6


def winnow(
    rule: str,
    *,
    experts: int = EXPERTS,
    margin: Fraction = MARGIN,
    rounds: int = ROUNDS,
    epsilon: Fraction = Fraction(1),
    delta: Fraction = DELTA,
) -> int:
    """Return the mistake bound of `DPWinnow` by a rule for its parameters.

    Examples
    --------
    >>> winnow("recommended"), f"{winnow('printed'):.3g}"
    (1971690, '1.55e+19')
    """
    return WinnowParameters.from_theorem(
        Budget(epsilon, delta), experts, margin, rounds, failure=FAILURE, rule=rule
    ).mistakes


def by_margin(u: int) -> int:
    """Return the mistake bound of `DPWinnow` by the printed rule, for rho = 1/u."""
    return winnow("printed", margin=Fraction(1, u))


def by_epsilon(u: int) -> int:
    """Return the mistake bound of `DPWinnow` by the printed rule, for epsilon = 1/u."""
    return winnow("printed", epsilon=Fraction(1, u))


def by_experts(u: int) -> int:
    """Return the mistake bound of `DPWinnow` by the printed rule, for N = 2^u."""
    return winnow("printed", experts=1 << u)


def by_rounds(u: int) -> int:
    """Return the mistake bound of `DPWinnow` by the printed rule, for T = 2^u."""
    return winnow("printed", rounds=1 << u)


def by_delta(u: int) -> int:
    """Return the mistake bound of `DPWinnow` by the printed rule, for delta = 2^-u."""
    return winnow("printed", delta=Fraction(1, 1 << u))


def recommended_by_margin(u: int) -> int:
    """Return the mistake bound of `DPWinnow` by the recommended rule, for rho = 1/u."""
    return winnow("recommended", margin=Fraction(1, u))


def recommended_by_epsilon(u: int) -> int:
    """Return the mistake bound of `DPWinnow` by the recommended rule, for epsilon = 1/u."""
    return winnow("recommended", epsilon=Fraction(1, u))


def recommended_by_experts(u: int) -> int:
    """Return the mistake bound of `DPWinnow` by the recommended rule, for N = 2^u."""
    return winnow("recommended", experts=1 << u)


def lists(rules: int, alternations: int, **others: Fraction | int) -> int:
    """Return the printed mistake bound of `DPWinnow` for r rules and D alternations."""
    margin = decision_list_margin(rules, alternations)
    return winnow("printed", margin=margin, **others)  # type: ignore[arg-type]


def lists_of_one(u: int) -> int:
    """Return the mistake bound of `lists` for r = u rules and D = 1 alternations."""
    return lists(u, 1)


def lists_of_two(u: int) -> int:
    """Return the mistake bound of `lists` for r = u rules and D = 2 alternations."""
    return lists(u, 2)


def lists_by_features(u: int) -> int:
    """Return the mistake bound of lists over 2^u features and their negations, r = 4, D = 1."""
    return lists(4, 1, experts=2 * ((1 << u) + 1))


def lists_by_epsilon(u: int) -> int:
    """Return the mistake bound of `lists` for epsilon = 1/u, r = 4 and D = 1."""
    return lists(4, 1, epsilon=Fraction(1, u))


def rows(
    *,
    variables: int = 100,
    literals: int = 1,
    epsilon: Fraction = Fraction(1),
    delta: Fraction = DELTA,
    alpha: Fraction = Fraction(1, 10),
) -> int:
    """Return the number of examples that suffices for k-decision lists, by the sharper bounds."""
    features = conjunction_count(variables, literals)
    return sample_size(features, epsilon, delta, alpha, FAILURE).rows


def rows_by_variables(u: int) -> int:
    """Return the number of examples that suffices for 1-decision lists over u variables."""
    return rows(variables=u)


def rows_for_pairs(u: int) -> int:
    """Return the number of examples for k-decision lists, for d = u variables and k = 2."""
    return rows(variables=u, literals=2)


def rows_by_error(u: int) -> int:
    """Return the number of examples for k-decision lists, for alpha = 1/u."""
    return rows(alpha=Fraction(1, u))


def rows_by_epsilon(u: int) -> int:
    """Return the number of examples for k-decision lists, for epsilon = 1/u."""
    return rows(epsilon=Fraction(1, u))


def rows_by_delta(u: int) -> int:
    """Return the number of examples for k-decision lists, for delta = 2^-u."""
    return rows(delta=Fraction(1, 1 << u))


WINNOW = ("BF25 Thm 4.5",)
BOTH = ("BF25 Thm 4.11", "BF25 Thm 4.12")
COVER = ("BF25 Cor A.8",)
PRINTED = "mistakes of DPWinnow, printed rule"
LISTS = "mistakes of DPWinnow on decision lists, printed rule"
RECOMMENDED = "mistakes of DPWinnow, recommended rule"
EXAMPLES = "examples of greedy covering"
PAIRS = 2 * ROUNDS / FAILURE
"""The number 2 T/beta in a logarithm of the paper. The proof of this project has U times this
number, because its union bound is over pairs of a hypothesis and a round, for U updates."""
UNION = (
    "The union bound is over pairs of a hypothesis and a round. The page on errata has the reason."
)
FAST = "The batches of the recommended rule make updates rare. See the notes of WinnowParameters."
VACUOUS = (
    "By the printed rule, a phase has more than 10^8 mistakes, so a run of 10^6 rounds makes no "
    "update."
)

RATES = (
    Rate(
        name="winnow-rho",
        statements=WINNOW,
        quantity=PRINTED,
        symbol="1/rho",
        setting="N = 202, epsilon = 1, T = 10^6",
        bound=by_margin,
        start=4,
        doublings=4,
        stated=power(6),
        false=power(5),
        correction=logarithm("5/2", PAIRS, 4),
        note=UNION,
        unmeasured=VACUOUS,
    ),
    Rate(
        name="winnow-epsilon",
        statements=WINNOW,
        quantity=PRINTED,
        symbol="1/epsilon",
        setting="N = 202, rho = 1/5, T = 10^6",
        bound=by_epsilon,
        start=1,
        doublings=4,
        stated=power(4),
        false=power(3),
        correction=logarithm("5/2", PAIRS, 2),
        note=UNION,
        unmeasured=VACUOUS,
    ),
    Rate(
        name="winnow-N",
        statements=WINNOW,
        quantity=PRINTED,
        symbol="log2(N)",
        setting="rho = 1/5, epsilon = 1, T = 10^6",
        bound=by_experts,
        start=8,
        doublings=4,
        stated=power(3),
        false=power(2),
        correction=logarithm("5/2", PAIRS, 2),
        note=UNION,
        unmeasured=VACUOUS,
    ),
    Rate(
        name="winnow-T",
        statements=WINNOW,
        quantity=PRINTED,
        symbol="log2(T)",
        setting="N = 202, rho = 1/5, epsilon = 1",
        bound=by_rounds,
        start=160,
        doublings=4,
        stated=power("5/2"),
        false=power(2),
        unmeasured=VACUOUS,
    ),
    Rate(
        name="winnow-delta",
        statements=WINNOW,
        quantity=PRINTED,
        symbol="log2(1/delta)",
        setting="N = 202, rho = 1/5, epsilon = 1",
        bound=by_delta,
        start=20,
        doublings=4,
        stated=power(2),
        false=power("3/2"),
        correction=logarithm("5/2", PAIRS, 1),
        note=UNION,
        unmeasured=VACUOUS,
    ),
    Rate(
        name="recommended-rho",
        statements=WINNOW,
        quantity=RECOMMENDED,
        symbol="1/rho",
        setting="N = 202, epsilon = 1, T = 10^6",
        bound=recommended_by_margin,
        start=4,
        doublings=4,
        stated=power(6),
        false=power("5/2"),
        correction=logarithm("1/2", PAIRS, 2),
        proved=power(3),
        note=FAST,
        quick=(0,),
    ),
    Rate(
        name="recommended-epsilon",
        statements=WINNOW,
        quantity=RECOMMENDED,
        symbol="1/epsilon",
        setting="N = 202, rho = 1/5, T = 10^6",
        bound=recommended_by_epsilon,
        start=1,
        doublings=4,
        stated=power(4),
        false=power("1/2"),
        proved=power(1),
        note=FAST,
        quick=(0,),
    ),
    Rate(
        name="recommended-N",
        statements=WINNOW,
        quantity=RECOMMENDED,
        symbol="log2(N)",
        setting="rho = 1/5, epsilon = 1, T = 10^6",
        bound=recommended_by_experts,
        start=8,
        doublings=4,
        stated=power(3),
        false=power(1),
        correction=logarithm("1/2", PAIRS, 1),
        proved=power("3/2"),
        note=FAST,
        quick=(0,),
    ),
    Rate(
        name="lists-r-1",
        statements=BOTH,
        quantity=LISTS,
        symbol="r",
        setting="lists with D = 1, N = 202, epsilon = 1, T = 10^6",
        bound=lists_of_one,
        start=4,
        doublings=4,
        stated=power(6),
        false=power(5),
        correction=logarithm("5/2", PAIRS, 4),
        note=UNION,
    ),
    Rate(
        name="lists-r-2",
        statements=BOTH,
        quantity=LISTS,
        symbol="r",
        setting="lists with D = 2, N = 202, epsilon = 1, T = 10^6",
        bound=lists_of_two,
        start=32,
        doublings=4,
        stated=power(12),
        false=power(10),
        correction=logarithm("5/2", PAIRS, 8),
        note=UNION,
        unmeasured="Margins below 1/10^3 need more than 10^7 draws in every update.",
    ),
    Rate(
        name="lists-F",
        statements=BOTH,
        quantity=LISTS,
        symbol="log2(F)",
        setting="lists with r = 4 and D = 1, epsilon = 1, T = 10^6",
        bound=lists_by_features,
        start=8,
        doublings=4,
        stated=power(3),
        false=power(2),
        correction=logarithm("5/2", PAIRS, 2),
        note=UNION,
        unmeasured=VACUOUS,
    ),
    Rate(
        name="lists-epsilon",
        statements=BOTH,
        quantity=LISTS,
        symbol="1/epsilon",
        setting="lists with r = 4 and D = 1, N = 202",
        bound=lists_by_epsilon,
        start=1,
        doublings=4,
        stated=power(4),
        false=power(3),
        correction=logarithm("5/2", PAIRS, 2),
        note=UNION,
        unmeasured=VACUOUS,
    ),
    Rate(
        name="cover-d",
        statements=COVER,
        quantity=EXAMPLES,
        symbol="d",
        setting="k = 1, epsilon = 1, delta = 10^-6, alpha = 1/10",
        bound=rows_by_variables,
        start=100,
        doublings=4,
        stated=power(1) * logarithm(1),
        false=power(1),
        printed="d^k log(d^k/beta)",
    ),
    Rate(
        name="cover-d-2",
        statements=COVER,
        quantity=EXAMPLES,
        symbol="d",
        setting="k = 2, epsilon = 1, delta = 10^-6, alpha = 1/10",
        bound=rows_for_pairs,
        start=10,
        doublings=4,
        stated=power(2) * logarithm(1, 1, 2),
        false=power(2),
        printed="d^k log(d^k/beta)",
        unmeasured="The measurement for k = 1 has the name `cover-d`.",
    ),
    Rate(
        name="cover-alpha",
        statements=COVER,
        quantity=EXAMPLES,
        symbol="1/alpha",
        setting="d = 100, k = 1, epsilon = 1, delta = 10^-6",
        bound=rows_by_error,
        start=10,
        doublings=4,
        stated=power(1),
        false=power(1),
        proved=power(1) * logarithm(1, 64),
        note=(
            "Theorem 3.5 also needs (64/alpha) VC log(64/alpha) examples. The corollary omits the "
            "factor log(64/alpha)."
        ),
    ),
    Rate(
        name="cover-epsilon",
        statements=COVER,
        quantity=EXAMPLES,
        symbol="1/epsilon",
        setting="d = 100, k = 1, delta = 10^-6, alpha = 1/10",
        bound=rows_by_epsilon,
        start=1,
        doublings=4,
        stated=power(1),
        false=power("1/2"),
    ),
    Rate(
        name="cover-delta",
        statements=COVER,
        quantity=EXAMPLES,
        symbol="log2(1/delta)",
        setting="d = 100, k = 1, epsilon = 1, alpha = 1/10",
        bound=rows_by_delta,
        start=20,
        doublings=4,
        stated=power(1),
        false=power("1/2"),
        correction=correction(-1),
    ),
)
