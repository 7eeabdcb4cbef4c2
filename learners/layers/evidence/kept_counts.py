"""Claims about the number of pairs that Update keeps [LWY25, Lemma B.1], by its exact quantile.

**Instance.** The class contains the sets of at most three points, and the concept f is {0, 1, 2}.
After one mistake, a sequence has the hypothesis {0}, {1} or {2}. Let N = N_{s+1} pairs have the
hypotheses {0} and {1}, or {0} and {2}, where the first type is twice as frequent. A right guess
makes {0, 1} or {0, 2}. Update puts the N sequences at random places. Let K pairs of places have
both types. Given K, the numbers of kept pairs that differ, that are both {0, 1} and that are both
{0, 2} are independent binomial numbers with success probability 1/4. Their means are N/18, N/18 and
N/72. No other proportion of hypotheses has a smaller largest mean. So every instance attains at
most 3/4 of the bound, up to lower-order terms.

**Exponents.** No instance tests the exponents of the lemma. Let the stated failure probability be
G (e_1 + e_2) < 1, where e_1 = exp(-2 r_1^2/M), e_2 = exp(-2 r_2^2/(9 N)) and G >= 5 e N. Let
u = M/2 - r_1 and R = u^2/(6 N). If R < r_2, the lemma is trivial. Otherwise N > 33000, because
N/24 >= R >= r_2 >= sqrt(4.5 N ln(5 e N)). For each of at most G labellings g, the inequalities of
the lemma's proof bound the probability of failure:

* |U_g| > u: One of the numbers has a mean of nearly |U_g|^2/(4.5 N) > 1.3 R. The number is at least
  r_2 + .3 R >= 1.3 r_2 below its mean. This has probability at most e_2^1.69 <= e_2 G^-.69.
* .87 u < |U_g| <= u: The mean is still more than R. The probability is at most e_1 e_2 <= e_1/G.
* |U_g| <= .87 u: By Hoeffding's inequality, the probability is at most exp(-2 (r_1 + .13 u)^2/M).
  This is at most e_1 exp(-.03 u^2/M) <= e_1 exp(-.18 r_2) < e_1 e^-200, as u^2/M >= u^2/N = 6 R.

So the exact failure probability is less than G^-.69 + 1/G + e^-200 of the stated probability, which
is less than 1/5000. Therefore, the check compares the number of kept pairs.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import isqrt

from flint import arb, ctx

import catalog
from learners.balls import ball, log
from learners.claim_checks import Claim, ClaimCheck, Outcome, compare, recomputes
from lsclasses.errors import InvalidInput
from lsclasses.numbers import format_number
from lsclasses.point_names import Label
from lsclasses.soa import SOA

PRECISION = 128

KEPT = Claim(
    "least number of good pairs that Update keeps with probability 19/20, sets of 3 points",
    "(M/2 - r_1)^2/(6 N_{s+1}) - r_2 for failure probability 1/20",
    relation=">=",
    source="[LWY25, Lemma B.1]",
    statements=("LWY25 Lemma B.1", "LWY25 Alg 1"),
    falsified="with 7 N_{s+1}/2",
)

FAILURE = Fraction(1, 20)
DIMENSION = 3


def guaranteed(places: int, constant: Fraction) -> tuple[arb, bool]:
    """Return the number of kept pairs in the lemma for M = N_{s+1}, with a constant instead of 6.

    Both terms of the failure probability are equal. The second entry states whether the lemma's
    hypothesis about r_1 holds.

    Raises
    ------
    InvalidInput
        If the number is not positive.
    """
    d, good = DIMENSION, places
    union = (arb(1).exp() * (4 * d + 1) * (2 * places) / (2 * d)) ** d
    deviation = (2 * union / ball(FAILURE)).log()
    r_1, r_2 = (deviation * good / 2).sqrt(), (deviation * 9 * places / 2).sqrt()
    number = (ball(Fraction(good, 2)) - r_1) ** 2 / ball(constant * places) - r_2
    if not number > 0:
        raise InvalidInput(f"The lemma is trivial for {places} places.")
    return number, bool(r_1 > 0) and bool(r_1 <= ball(Fraction(good, 2) - 6))


def hypotheses() -> tuple[list[str], int]:
    """Return whether the hypotheses of [LWY25, Lemma B.1] hold on the instance, by name."""
    C = catalog.build(f"subsets:n=6,k={DIMENSION}")
    first = [SOA(C).observe(point, 1) for point in range(3)]
    target: list[Label] = [1, 1, 1, 0, 0, 0]
    found = []
    for one, other in ((0, 1), (0, 2)):
        apart = [x for x in range(6) if first[one].predict(x) != first[other].predict(x)]
        wrong = next(state for state in (first[one], first[other]) if not state.predict(apart[0]))
        right = wrong.observe(apart[0], target[apart[0]])
        found.append("".join(str(right.predict(x)) for x in range(6)))
    return found, C.ldim()


def log_factorial(n: int) -> arb:
    """Return ln(n!)."""
    return arb(n + 1).lgamma()


class Below:
    """The probability P[Bin(m, 1/4) <= most], computed for m = trials, trials + 1, ... in turn."""

    def __init__(self, trials: int, most: int) -> None:
        self.trials, self.most = trials, most
        # P[Bin <= most] is a regularized incomplete beta function.
        self.below = ball(Fraction(3, 4)).beta_lower(trials - most, most + 1, True)
        log_ways = log_factorial(trials) - log_factorial(most) - log_factorial(trials - most)
        self.exactly = (log_ways + (trials - most) * log(3) - trials * log(4)).exp()

    def advance(self) -> None:
        """Increase the number m of trials by 1."""
        self.below -= self.exactly / 4
        self.exactly *= ball(Fraction(3 * (self.trials + 1), 4 * (self.trials + 1 - self.most)))
        self.trials += 1


def failing(places: int, most: int, width: int) -> arb:
    """Return P[none of the three numbers exceeds `most`], up to P[K is far from its mean]."""
    one, other, pairs = 2 * places // 3, places // 3, places // 2
    mean = one * other // places
    least = mean - width + (other - mean + width) % 2
    steps = range(least, mean + width, 2)
    # P[K = least]: K pairs of both types among all pairs of places, divided by all arrangements.
    ways = log_factorial(pairs) + least * log(2)
    for n in ((one - least) // 2, (other - least) // 2, least):
        ways -= log_factorial(n)
    arrangements = log_factorial(places) - log_factorial(one) - log_factorial(other)
    weight = (ways - arrangements).exp()
    mixed, alike, chances = Below(least, most), Below((one - steps[-1]) // 2, most), []
    for _ in steps:
        chances.append(alike.below)
        alike.advance()
    total, within = arb(0), arb(0)
    for both, chance in zip(steps, reversed(chances), strict=True):
        total += weight * mixed.below * chance
        within += weight
        weight *= ball(Fraction((one - both) * (other - both), (both + 1) * (both + 2)))
        mixed.advance()
        mixed.advance()
    # The probability that 3 m/4 of the m pairs of the rare type are kept is at most 2^m 4^(-3 m/4).
    rare = (other - least) // 2
    if 4 * most < 3 * rare:
        raise InvalidInput(f"The pairs of the rare type may exceed {most}.")
    return (total * (1 - arb(2) ** (-rare // 2))).union(total + (1 - within).max(0))


def least_kept(places: int) -> int:
    """Return the least number of pairs that Update keeps with probability 1 - FAILURE.

    Raises
    ------
    InvalidInput
        If the number is not within sqrt(N)/4 of the mean, or the balls do not determine it.
    """
    spread = isqrt(places)
    low, high = places // 18 - spread // 4, places // 18
    allowed = ball(FAILURE)
    while high - low > 1:
        middle = (low + high) // 2
        if failing(places, middle, 3 * spread) <= allowed:
            low = middle
        else:
            high = middle
    if not (failing(places, low, 3 * spread) <= allowed < failing(places, low + 1, 3 * spread)):
        raise InvalidInput("The quantile is not certain.")
    return low + 1


@recomputes(KEPT)
def counts(places: int) -> Iterator[Outcome]:
    """Check the number of pairs that Update keeps [LWY25, Lemma B.1], by its exact quantile."""
    found, d = hypotheses()
    if found != ["110000", "101000"] or d != DIMENSION:
        raise InvalidInput(f"The class is not the described class. Got {found} and Ldim {d}.")
    with ctx.workprec(PRECISION):
        stated, within = guaranteed(places, Fraction(6))
        yield compare(
            KEPT,
            f"d=3, N_s={format_number(2 * places)}, M={format_number(places)}",
            computed=least_kept(places),
            stated=stated,
            false=guaranteed(places, Fraction(7, 2))[0],
            hypotheses={"ldim": d == DIMENSION, "0 < r_1 <= M/2 - 6": within},
        )


def checks(topic: str) -> list[ClaimCheck]:
    """Return the checks for two sizes, of which the larger attains more of the bound."""
    return [ClaimCheck(topic, counts, (3 << power,), slow=power == 20) for power in (22, 20)]
