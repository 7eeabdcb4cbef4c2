"""Claims about the privacy of Algorithm 4 [LWY25, Claim D.5], by exact distributions.

**Instance.** The class has the thresholds 00, 01 and 11 on the points b and a. All n rows are
(a, 0), except that one sample has b in one row. If the row of b is drawn, the labellings that label
a by 1 have larger weights, because they disagree with the class's best concept on fewer rows. The
given learner outputs 11 with probability e^-k/2, where k is the least number of replaced rows after
which the rows are b and m - 1 times (a, 1). This learner is (1, 0)-private. The (1, delta)-private
variant reveals with probability delta whether b is among its rows.

The instances have epsilon* < 1 (epsilon <= 1/50), because the given learner is (1, delta)-private,
so a larger epsilon* is no gain. They attain ATTAINED of epsilon*, and
nearly all of delta* = delta m/n. The proof in the paper has 4 e^2 delta m/n, because it
multiplies delta by the ratio of the probabilities of two choices. But delta is added once for every
choice, and the probabilities of the choices sum to 1 (`learners.pac.agnostic`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import ceil

import numpy as np
from flint import arb, ctx

from learners.accounting import ApproximateDP, Event, PureDP, Scope
from learners.balls import ball, round_up
from learners.claim_checks import Claim, ClaimCheck, Outcome, compare, recomputes
from learners.coins import Coins
from learners.exact import PRECISION, exact_distribution
from learners.pac.agnostic import AgnosticEmpirical
from learners.pac.base import BatchLearner
from learners.pac.evidence.instances import Labels
from learners.pac.labellings import Labellings
from learners.pac.samples import Sample
from lsclasses.domain import Domain
from lsclasses.errors import InvalidInput
from lsclasses.hypothesis import Concept, Hypothesis
from lsclasses.table import Table

CONSTANTS = Claim(
    "least epsilon* of Algorithm 4, 1/n <= epsilon <= 1/10, m = epsilon n, with a (1, 0)-private "
    "learner",
    "ln(e^epsilon + 4 e^3 m/(n - m))",
    source="[LWY25, Claim D.5], its proof",
    statements=("LWY25 Claim D.5", "LWY25 Alg 4", "LWY25 Lemma D.3"),
    falsified="epsilon",
    drops="4 e^3 m/(n - m)",
)
DELTA = Claim(
    "delta of Algorithm 4 at epsilon*, 1/n <= epsilon <= 1/10, m = epsilon n, with a "
    "(1, delta)-private learner",
    "delta m/n",
    source="learners.pac.agnostic, for [LWY25, Claim D.5]",
    statements=CONSTANTS.statements,
    falsified="half of it",
)
CODE = Claim(
    "distance of the output distributions of Algorithm 4, by its code and by closed forms",
    "0",
    source="learners.pac.agnostic",
    statements=("LWY25 Alg 4",),
    falsified="scores without the disagreement with the drawn rows",
    incorrect_object=True,
)

CLASS: tuple[Labels, ...] = ((0, 0), (0, 1), (1, 1))
"""The class of the instance: labels of b and a."""
SEEN, UNSEEN, TARGET, OTHER = (1, 0), (0, 1), (1, 1), (0, 0)
"""Outputs of the given learner."""


@dataclass(frozen=True)
class Recognizer(BatchLearner):
    """A private learner for two points, which `AgnosticEmpirical` runs in this example."""

    of: Table
    delta: Fraction

    @property
    def domain(self) -> Domain:
        """The points b and a."""
        return self.of.domain

    @property
    def privacy(self) -> Event:
        """The privacy cost for a replaced row."""
        scope = Scope.adaptive("replace_one")
        if self.delta:
            return ApproximateDP(Fraction(1), self.delta, scope=scope)
        return PureDP(Fraction(1), scope=scope)

    def fit(self, sample: Sample, coins: Coins) -> Hypothesis:
        """Output 11 if few rows are to be replaced, or reveal whether b is among the rows."""
        rows = list(sample)
        found = sum(x == 0 for x, _ in rows)
        if self.delta and coins.flip(self.delta):
            return self._concept(SEEN if found else UNSEEN)
        right = min(1, found) + min(len(rows) - 1, sum(row == (1, 1) for row in rows))
        likely = coins.decays(len(rows) - right) and coins.flip(Fraction(1, 2))
        return self._concept(TARGET if likely else OTHER)

    def _concept(self, labels: Labels) -> Hypothesis:
        return Concept.from_labels(self.domain, labels)


Distribution = dict[Labels, arb]


def by_code(size: int, rate: Fraction, delta: Fraction, first: tuple[int, int]) -> Distribution:
    """Return the output distribution by all branches of the production code."""
    C = Table(CLASS)
    learner = AgnosticEmpirical(C, Recognizer(C, delta), rate, size)
    sample = Sample(C.domain, [first, *[(1, 0)] * (size - 1)])

    def run(coins: Coins) -> Labels:
        hypothesis = learner.fit(sample, coins)
        return tuple(hypothesis._label(x) for x in hypothesis.domain)

    law = exact_distribution(run)
    return {labels: law[labels] for labels in law}


def closed_form(
    size: int, rate: Fraction, delta: Fraction, first: tuple[int, int], *, disagreement: int = 1
) -> Distribution:
    """Return the output distribution, from the labellings of the drawn rows and their scores."""
    drawn = ceil(rate * size)
    rare = first[0] == 0
    wrong = {f: (f[first[0]] != first[1]) + (size - 1) * f[1] for f in CLASS}

    def target(with_first: bool) -> arb:
        """Return the probability of 11, given whether the first row is drawn and is b."""
        common = drawn - with_first
        weights: dict[tuple[int, int], arb] = {}
        for h in CLASS:
            labels = (h[0] if with_first else 0, h[1] if common else 0)
            score = min(
                Fraction(wrong[f], size)
                + disagreement
                * Fraction(with_first * (h[0] != f[0]) + common * (h[1] != f[1]), drawn)
                for f in CLASS
            )
            weights[labels] = (ball(-rate * size * score / 2)).exp()
        total, found = arb(0), arb(0)
        for (_, label), weight in weights.items():
            replaced = drawn - (with_first + min(drawn - 1, common * label))
            found += weight * ball(-replaced).exp() / 2
            total += weight
        return found / total

    share = Fraction(drawn, size) if rare else Fraction(0)
    hidden = ball(1 - delta)
    hit = hidden * (ball(share) * target(True) + ball(1 - share) * target(False))
    return {
        TARGET: hit,
        OTHER: hidden - hit,
        SEEN: ball(delta * share),
        UNSEEN: ball(delta * (1 - share)),
    }


def require_rate(size: int, rate: Fraction) -> int:
    """Return the number m of drawn rows, after a check of the hypotheses of the claim."""
    if not Fraction(1, size) <= rate <= Fraction(1, 10):
        raise InvalidInput(f"The claim needs 1/n <= epsilon <= 1/10. Got {rate} and n = {size}.")
    return ceil(rate * size)


def private_given(drawn: int, delta: Fraction) -> bool:
    """Return whether the given learner is (1, delta)-private on m rows, by all pairs of samples.

    Its output distribution depends only on the numbers of rows b and of rows (a, 1).
    """
    counts = [(b, ones) for b in range(drawn + 1) for ones in range(drawn + 1 - b)]
    laws = {each: given_outputs(drawn, delta, *each) for each in counts}
    excess = arb(0)
    for b, ones in counts:
        for change in product((-1, 0, 1), repeat=2):
            other = laws.get((b + change[0], ones + change[1]))
            if other is not None and abs(sum(change)) < 2:  # one row is replaced
                pairs = zip(laws[b, ones], other, strict=True)
                gaps = ((one - ball(1).exp() * two).max(0) for one, two in pairs)
                excess = excess.max(sum(gaps, arb(0)))
    return bool(excess <= ball(delta) + ball(Fraction(1, 10**20)))


def given_outputs(drawn: int, delta: Fraction, found: int, ones: int) -> tuple[arb, ...]:
    """Return the probabilities of SEEN, UNSEEN, TARGET and OTHER."""
    shown = ball(delta)
    replaced = drawn - min(1, found) - min(drawn - 1, ones)
    target = (1 - shown) * ball(-replaced).exp() / 2
    return shown * bool(found), shown * (not found), target, 1 - shown - target


def claim_hypotheses(size: int, rate: Fraction, drawn: int, delta: Fraction) -> dict[str, bool]:
    """Return the hypotheses of the claim by name."""
    return {
        "1/n <= epsilon <= 0.1": Fraction(1, size) <= rate <= Fraction(1, 10),
        "the given learner is (1, delta)-private": private_given(drawn, delta),
        "the concept for a labelling depends on nothing else": by_drawn_points(size, drawn),
    }


def by_drawn_points(size: int, drawn: int) -> bool:
    """Return whether the possible labellings depend only on the drawn sub-sample.

    The learner draws a sub-sample and chooses a labelling of its points by a concept.
    """
    C, rows = Table(CLASS), [(0, 1), *[(1, 0)] * (drawn - 1)]
    samples = (Sample(C.domain, [first, *[(1, 0)] * (size - 1)]) for first in ((1, 0), (0, 1)))
    one, other = (Labellings.listed(C, rows, sample) for sample in samples)
    return bool(np.array_equal(one.packed, other.packed))


def described(size: int, rate: Fraction, drawn: int) -> str:
    """Return the parameters of an instance in words."""
    return f"epsilon={rate}, n={size}, m={drawn}"


@recomputes(CONSTANTS)
def constants(size: int, rate: Fraction) -> Iterator[Outcome]:
    """Check the epsilon of Algorithm 4 of [LWY25], by the largest loss of an output.

    Compute the largest loss of an output, for the row (b, 0) or (b, 1) instead of (a, 0).
    """
    drawn, losses = require_rate(size, rate), [arb(0)]
    with ctx.workprec(PRECISION):
        usual = closed_form(size, rate, Fraction(0), (1, 0))
        for label in (0, 1):
            law = closed_form(size, rate, Fraction(0), (0, label))
            losses += [abs((law[h] / usual[h]).log()) for h in (TARGET, OTHER)]
        odds = ball(Fraction(drawn, size - drawn))
        stated = (ball(rate).exp() + 4 * arb(3).exp() * odds).log()
        yield compare(
            CONSTANTS,
            described(size, rate, drawn),
            computed=max(losses, key=float),
            stated=stated,
            false=rate,
            trivial=1,
            privacy=(round_up(stated), 0),
            hypotheses=claim_hypotheses(size, rate, drawn, Fraction(0)),
        )


@recomputes(DELTA)
def lost(size: int, rate: Fraction, delta: Fraction) -> Iterator[Outcome]:
    """Check the delta of Algorithm 4 of [LWY25].

    Compute the probability of outputs in excess of e^epsilon* times their usual probability.
    """
    drawn = require_rate(size, rate)
    with ctx.workprec(PRECISION):
        odds = ball(Fraction(drawn, size - drawn))
        factor = ball(rate).exp() + 4 * arb(3).exp() * odds
        usual = closed_form(size, rate, delta, (1, 0))
        law = closed_form(size, rate, delta, (0, 1))
        # Only the sample with b leads to the output SEEN, whose probability is rational.
        seen = delta * Fraction(drawn, size)
        rest = sum((law[h] - factor * usual[h]).max(0) for h in law if h != SEEN)
        stated = delta * Fraction(drawn, size)
        yield compare(
            DELTA,
            f"{described(size, rate, drawn)}, delta={delta}",
            computed=seen if rest == 0 else ball(seen) + rest,
            stated=stated,
            false=stated / 2,
            privacy=(round_up(factor.log()), stated),
            hypotheses=claim_hypotheses(size, rate, drawn, delta),
        )


@recomputes(CODE)
def code(size: int, rate: Fraction, delta: Fraction) -> Iterator[Outcome]:
    """Compare the code of Algorithm 4 of [LWY25] with closed forms.

    Check the claim on the production code, whose branches include the drawn rows.
    """
    drawn = require_rate(size, rate)
    with ctx.workprec(PRECISION):
        apart: list[arb] = []
        twins: list[arb] = []
        for first in ((1, 0), (0, 0), (0, 1)):
            law = by_code(size, rate, delta, first)
            for disagreement, found in ((1, apart), (0, twins)):
                closed = closed_form(size, rate, delta, first, disagreement=disagreement)
                found += [abs(closed[h] - law.get(h, arb(0))).upper() for h in closed]
        yield compare(
            CODE,
            f"{described(size, rate, drawn)}, delta={delta}, 3 samples",
            computed=max(apart),
            stated=Fraction(1, 10**30),
            twin=max(twins),
        )


def checks(topic: str) -> list[ClaimCheck]:
    """Return the checks for 1/n <= epsilon <= 1/10, with the check of the code first."""
    small = Fraction(1, 1000)
    return [
        ClaimCheck(topic, code, (12, Fraction(1, 10), small)),
        ClaimCheck(topic, code, (10, Fraction(1, 10), small)),
        ClaimCheck(topic, constants, (2000, Fraction(1, 50))),
        ClaimCheck(topic, constants, (2000, Fraction(1, 100))),
        ClaimCheck(topic, lost, (2000, Fraction(1, 100), small)),
        ClaimCheck(topic, lost, (100, Fraction(1, 100), small)),
    ]
