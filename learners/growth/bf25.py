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
    (2164405, '1.55e+19')
    """
    return WinnowParameters.from_theorem(
        Budget(epsilon, delta), experts, margin, rounds, failure=FAILURE, rule=rule
    ).mistakes


def by_margin(u: int) -> int:
    """Return the bound by the printed rule for rho = 1/u."""
    return winnow("printed", margin=Fraction(1, u))


def by_epsilon(u: int) -> int:
    """Return the bound by the printed rule for epsilon = 1/u."""
    return winnow("printed", epsilon=Fraction(1, u))


def by_experts(u: int) -> int:
    """Return the bound by the printed rule for N = 2^u."""
    return winnow("printed", experts=1 << u)


def by_rounds(u: int) -> int:
    """Return the bound by the printed rule for T = 2^u."""
    return winnow("printed", rounds=1 << u)


def by_delta(u: int) -> int:
    """Return the bound by the printed rule for delta = 2^-u."""
    return winnow("printed", delta=Fraction(1, 1 << u))


def recommended_by_margin(u: int) -> int:
    """Return the bound by the recommended rule for rho = 1/u."""
    return winnow("recommended", margin=Fraction(1, u))


def recommended_by_epsilon(u: int) -> int:
    """Return the bound by the recommended rule for epsilon = 1/u."""
    return winnow("recommended", epsilon=Fraction(1, u))


def recommended_by_experts(u: int) -> int:
    """Return the bound by the recommended rule for N = 2^u."""
    return winnow("recommended", experts=1 << u)


def lists(rules: int, alternations: int, **others: Fraction | int) -> int:
    """Return the bound by the printed rule for decision lists with r rules and D alternations."""
    margin = decision_list_margin(rules, alternations)
    return winnow("printed", margin=margin, **others)  # type: ignore[arg-type]


def lists_of_one(u: int) -> int:
    """Return the bound for r = u rules and D = 1."""
    return lists(u, 1)


def lists_of_two(u: int) -> int:
    """Return the bound for r = u rules and D = 2."""
    return lists(u, 2)


def lists_by_features(u: int) -> int:
    """Return the bound for 2^u features, r = 4 and D = 1, with negations and a constant."""
    return lists(4, 1, experts=2 * ((1 << u) + 1))


def lists_by_epsilon(u: int) -> int:
    """Return the bound for epsilon = 1/u, r = 4 and D = 1."""
    return lists(4, 1, epsilon=Fraction(1, u))


def rows(
    *,
    variables: int = 10,
    epsilon: Fraction = Fraction(1),
    delta: Fraction = DELTA,
    alpha: Fraction = Fraction(1, 10),
) -> int:
    """Return the number of examples that suffices for 2-decision lists, by the sharper bounds."""
    features = conjunction_count(variables, 2)
    return sample_size(features, epsilon, delta, alpha, FAILURE).rows


def rows_by_variables(u: int) -> int:
    """Return the number of examples for d = u variables."""
    return rows(variables=u)


def rows_by_error(u: int) -> int:
    """Return the number of examples for alpha = 1/u."""
    return rows(alpha=Fraction(1, u))


def rows_by_epsilon(u: int) -> int:
    """Return the number of examples for epsilon = 1/u."""
    return rows(epsilon=Fraction(1, u))


def rows_by_delta(u: int) -> int:
    """Return the number of examples for delta = 2^-u."""
    return rows(delta=Fraction(1, 1 << u))


WINNOW = ("BF25 Thm 4.5",)
BOTH = ("BF25 Thm 4.11", "BF25 Thm 4.12")
COVER = ("BF25 Cor A.8",)
PRINTED = "mistakes of DPWinnow, printed rule"
LISTS = "mistakes of DPWinnow on decision lists, printed rule"
RECOMMENDED = "mistakes of DPWinnow, recommended rule"
EXAMPLES = "examples of greedy covering"
PAIRS = 2 * ROUNDS / FAILURE
"""2 T/beta. The logarithm has U times as many pairs of a hypothesis and a round, for U updates."""
UNION = "The union bound is over pairs of a hypothesis and a round. The page on errata has a reason."
FAST = "The batches of the recommended rule make updates rare. See the notes of WinnowParameters."
VACUOUS = "The bound of the printed rule exceeds 10^18 mistakes, and a run would make no update."

RATES = (
    Rate(
        "winnow-rho", WINNOW, PRINTED, "1/rho", "N = 202, epsilon = 1, T = 10^6",
        by_margin, 4, 4, power(6), power(5), logarithm("5/2", PAIRS, 4), note=UNION,
        unmeasured=VACUOUS,
    ),
    Rate(
        "winnow-epsilon", WINNOW, PRINTED, "1/epsilon", "N = 202, rho = 1/5, T = 10^6",
        by_epsilon, 1, 4, power(4), power(3), logarithm("5/2", PAIRS, 2), note=UNION,
        unmeasured=VACUOUS,
    ),
    Rate(
        "winnow-N", WINNOW, PRINTED, "log2(N)", "rho = 1/5, epsilon = 1, T = 10^6",
        by_experts, 8, 4, power(3), power(2), logarithm("5/2", PAIRS, 2), note=UNION,
        unmeasured=VACUOUS,
    ),
    Rate(
        "winnow-T", WINNOW, PRINTED, "log2(T)", "N = 202, rho = 1/5, epsilon = 1",
        by_rounds, 160, 4, power("5/2"), power(2), unmeasured=VACUOUS,
    ),
    Rate(
        "winnow-delta", WINNOW, PRINTED, "log2(1/delta)", "N = 202, rho = 1/5, epsilon = 1",
        by_delta, 20, 4, power(2), power("3/2"), logarithm("5/2", PAIRS, 1), note=UNION,
        unmeasured=VACUOUS,
    ),
    Rate(
        "recommended-rho", WINNOW, RECOMMENDED, "1/rho", "N = 202, epsilon = 1, T = 10^6",
        recommended_by_margin, 4, 4, power(6), power("5/2"), logarithm("1/2", PAIRS, 2),
        proved=power(3), note=FAST, quick=(0, 1),
    ),
    Rate(
        "recommended-epsilon", WINNOW, RECOMMENDED, "1/epsilon", "N = 202, rho = 1/5, T = 10^6",
        recommended_by_epsilon, 1, 4, power(4), power("1/2"), proved=power(1), note=FAST, quick=(0, 1),
    ),
    Rate(
        "recommended-N", WINNOW, RECOMMENDED, "log2(N)", "rho = 1/5, epsilon = 1, T = 10^6",
        recommended_by_experts, 8, 4, power(3), power(1), logarithm("1/2", PAIRS, 1),
        proved=power("3/2"), note=FAST, quick=(0, 1),
    ),
    Rate(
        "lists-r-1", BOTH, LISTS, "r", "lists with D = 1, N = 202, epsilon = 1, T = 10^6",
        lists_of_one, 4, 4, power(6), power(5), logarithm("5/2", PAIRS, 4), note=UNION,
    ),
    Rate(
        "lists-r-2", BOTH, LISTS, "r", "lists with D = 2, N = 202, epsilon = 1, T = 10^6",
        lists_of_two, 32, 4, power(12), power(10), logarithm("5/2", PAIRS, 8), note=UNION,
        unmeasured="Margins below 1/10^3 need more than 10^7 draws in every update.",
    ),
    Rate(
        "lists-F", BOTH, LISTS, "log2(F)", "lists with r = 4 and D = 1, epsilon = 1, T = 10^6",
        lists_by_features, 8, 4, power(3), power(2), logarithm("5/2", PAIRS, 2), note=UNION,
        unmeasured=VACUOUS,
    ),
    Rate(
        "lists-epsilon", BOTH, LISTS, "1/epsilon", "lists with r = 4 and D = 1, N = 202",
        lists_by_epsilon, 1, 4, power(4), power(3), logarithm("5/2", PAIRS, 2), note=UNION,
        unmeasured=VACUOUS,
    ),
    Rate(
        "cover-d", COVER, EXAMPLES, "d", "k = 2, epsilon = 1, delta = 10^-6, alpha = 1/10",
        rows_by_variables, 10, 4, power(2) * logarithm(1, 1, 2), power(2),
        printed="d^k log(d^k/beta)",
    ),
    Rate(
        "cover-alpha", COVER, EXAMPLES, "1/alpha", "d = 10, k = 2, epsilon = 1, delta = 10^-6",
        rows_by_error, 10, 4, power(1), power("1/2"), logarithm(1, 64),
        note="Theorem 3.5 also needs (64/alpha) VC log(64/alpha) examples. The statement drops "
        "this logarithm.",
    ),
    Rate(
        "cover-epsilon", COVER, EXAMPLES, "1/epsilon", "d = 10, k = 2, delta = 10^-6, alpha = 1/10",
        rows_by_epsilon, 1, 4, power(1), power("1/2"),
    ),
    Rate(
        "cover-delta", COVER, EXAMPLES, "log2(1/delta)", "d = 10, k = 2, epsilon = 1, alpha = 1/10",
        rows_by_delta, 20, 4, power(1), power("1/2"), correction(-1),
    ),
)  # fmt: skip
