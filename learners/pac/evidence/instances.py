"""Audit instances of the private learners from samples, and their exact failure probabilities."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations_with_replacement, product
from math import comb
from typing import Annotated

from flint import arb, ctx

from learners.audit.instances import (
    AuditEntry,
    ClaimedDelta,
    ClaimedEpsilon,
    Instance,
    UndetectedVariant,
    neighbouring_tables,
)
from learners.balls import ball
from learners.coins import Coins
from learners.exact import PRECISION
from learners.pac.aggregate import SubsampleAggregate
from learners.pac.agnostic import AgnosticEmpirical
from learners.pac.base import released
from learners.pac.entries import EmpiricalRiskMinimizer
from learners.pac.generic import Choice, GenericLearner
from learners.pac.littlestone_parameters import LittlestoneParameters
from learners.pac.private_littlestone import PrivateLittlestoneLearner
from learners.pac.samples import Example, Sample
from lsclasses.errors import InvalidInput
from lsclasses.hypothesis import Concept, Hypothesis
from lsclasses.options import Option
from lsclasses.soa import SOA
from lsclasses.table import Table

# ---- exact failures


Weights = Mapping[Example, Fraction]
"""Probability of each example."""

Labels = tuple[int, ...]
"""Labels of a hypothesis on the points 0, 1, ...."""


def choice_failure(
    weights: Weights,
    hypotheses: Sequence[Labels],
    epsilon: Fraction,
    rows: int,
    allowed: Fraction,
) -> arb:
    """Return the exact probability that the exponential mechanism chooses a loss above `allowed`.

    The sum is over the numbers of copies of each example, which have a multinomial distribution.
    """
    examples = list(weights)
    losses = [sum(w for (x, y), w in weights.items() if h[_place(x)] != y) for h in hypotheses]
    with ctx.workprec(PRECISION):

        def bad(errors: Sequence[int]) -> arb:
            chances = [(-ball(epsilon * wrong) / 2).exp() for wrong in errors]
            worse = (p for p, loss in zip(chances, losses, strict=True) if loss > allowed)
            return sum(worse, arb(0)) / sum(chances, arb(0))

        def walk(i: int, left: int, mass: Fraction, errors: Sequence[int]) -> arb:
            (x, y), last = examples[i], i == len(examples) - 1
            total = arb(0)
            for n in (left,) if last else range(left + 1):
                chance = mass * comb(left, n) * weights[examples[i]] ** n
                missed = [h[_place(x)] != y for h in hypotheses]
                wrong = [e + n * miss for e, miss in zip(errors, missed, strict=True)]
                total += ball(chance) * bad(wrong) if last else walk(i + 1, left - n, chance, wrong)
            return total

        return walk(0, rows, Fraction(1), [0] * len(hypotheses))


def _place(x: object) -> int:
    assert isinstance(x, int)
    return x


def binomial_tail(trials: int, chance: Fraction, least: int) -> arb:
    """Return P[Bin(trials, chance) >= least], a regularized incomplete beta function."""
    if least <= 0:
        return arb(1)
    return ball(chance).beta_lower(least, trials - least + 1, True) if least <= trials else arb(0)


# ---- aggregate


@dataclass(frozen=True)
class _Known(EmpiricalRiskMinimizer):
    """A deterministic learner that computes each sample once, because an audit has few samples."""

    def fit(self, sample: Sample, coins: Coins) -> Hypothesis:
        """Return the first concept with the fewest errors."""
        rows = tuple(sample)
        if rows not in self._found:
            self._found[rows] = super().fit(sample, coins)
        return self._found[rows]

    @cached_property
    def _found(self) -> dict[tuple[Example, ...], Hypothesis]:
        return {}


def _aggregate_instance(
    *,
    epsilon: ClaimedEpsilon = Fraction(4),
    delta: ClaimedDelta = Fraction(1, 100),
    batches: Annotated[int, Option("number of batches", minimum=1, maximum=16)] = 8,
) -> Instance:
    """Return all tables on one point with a row for each batch."""
    base = _Known(Table([[0], [1]]))
    learner = SubsampleAggregate(base, batches, epsilon, delta)
    pairs = neighbouring_tables([(0, 0), (0, 1)], batches, "replace_one")
    return Instance(learner, released, pairs)


# ---- agnostic


def _agnostic_instance(
    *,
    rate: Annotated[
        Fraction, Option("share of drawn rows, and epsilon for choosing labels")
    ] = Fraction(3, 4),
    inner: Annotated[Fraction, Option("epsilon of the private learner")] = Fraction(16),
    points: Annotated[int, Option("number of different points", minimum=3, maximum=6)] = 3,
    rows: Annotated[int, Option("number of rows of the sample", minimum=2, maximum=64)] = 4,
) -> Instance:
    """Return two concepts that differ at one point, with an inner learner over other concepts.

    Both concepts are 1 at the two points of the inner hypotheses, so the inner learner receives the
    rows unchanged. One of its hypotheses is 1 at the first point and 0 at the second. All others
    have the opposite labels. The more of these there are, the closer the loss is to the epsilon of
    the inner learner with few rows. Either a row moves from one of the points to the other. Or
    labels are half 0 and half 1 at the point on which the choice of a labelling depends, and one
    label is changed.
    """
    rest = (0,) * (points - 3)
    C = Table([[1, 1, label, *rest] for label in (0, 1)])
    others = list(product((0, 1), repeat=points - 2))
    H = Table([[1, 0, *others[0]], *([0, 1, *other] for other in others)])
    learner = AgnosticEmpirical(C, GenericLearner(H, inner), rate, rows)
    half = (rows - 1) // 2
    same, mixed = ((1, 1),) * (rows - 1), ((2, 0),) * half + ((2, 1),) * (rows - 1 - half)
    pairs = (((0, 1), *same), ((1, 1), *same)), (((2, 0), *mixed), ((2, 1), *mixed))
    return Instance(learner, released, pairs)


# ---- generic


def _generic_instance(
    *,
    epsilon: ClaimedEpsilon = Fraction(2),
    points: Annotated[int, Option("number of different points", minimum=1, maximum=2)] = 1,
    rows: Annotated[int, Option("number of rows of the sample", minimum=1, maximum=8)] = 6,
    choice: Choice = "exponential",
) -> Instance:
    """Return all tables of a small size, and all labellings of the points."""
    if choice == "noisy-max" and points > 1:
        raise InvalidInput(
            "With choice=noisy-max, the audit enumerates the noise of every labelling, so the "
            f"number of points must be 1. Got {points}."
        )
    learner = GenericLearner(Table(list(product((0, 1), repeat=points))), epsilon, choice=choice)
    examples = list(product(range(points), (0, 1)))
    pairs = neighbouring_tables(examples, rows, "replace_one")
    return Instance(learner, released, pairs)


# ---- private littlestone


def _choice(
    learner: PrivateLittlestoneLearner,
) -> Callable[[tuple[tuple[int, ...], tuple[int, ...]], Coins], str]:
    """Return the release from the outcomes on the batches and the fresh rows.

    There is one point, so labels are enough. The proof adds that a row is in only one batch, and so
    changes only one outcome.
    """

    def run(data: tuple[tuple[int, ...], tuple[int, ...]], coins: Coins) -> str:
        labels, fresh = data
        outcomes: Counter[Hypothesis] = Counter(
            Concept.from_labels(learner.domain, [label]) for label in labels
        )
        rows = Sample(learner.domain, [(0, label) for label in fresh])
        return str(learner.choose(outcomes, rows, coins))

    return run


def _private_littlestone_instance(
    *,
    epsilon: ClaimedEpsilon = Fraction(4),
    delta: ClaimedDelta = Fraction(1, 100),
    batches: Annotated[int, Option("number of batches", minimum=1, maximum=16)] = 12,
    fresh: Annotated[int, Option("number of rows after the batches", minimum=1, maximum=8)] = 4,
) -> Instance:
    """Return all outcomes on the batches and all fresh rows, one of which differs."""
    parameters = LittlestoneParameters(
        dimension=1,
        auxiliary=1,
        budget=1,
        batches=batches,
        fresh=fresh,
        epsilon=epsilon,
        delta=delta,
        choice_epsilon=epsilon,
    )
    learner = PrivateLittlestoneLearner(SOA(Table([[0], [1]])), parameters)
    outcomes, rows = (
        list(combinations_with_replacement((0, 1), size)) for size in (batches, fresh)
    )
    pairs = (
        *(
            ((one, same), (other, same))
            for one, other in neighbouring_tables((0, 1), batches, "replace_one")
            for same in rows
        ),
        *(
            ((same, one), (same, other))
            for one, other in neighbouring_tables((0, 1), fresh, "replace_one")
            for same in outcomes
        ),
    )
    return Instance(learner, _choice, pairs)


AUDITS = (
    AuditEntry(
        "subsample_aggregate",
        "the hypothesis that a learner finds on most batches",
        _aggregate_instance,
    ),
    AuditEntry(
        "agnostic_empirical",
        "a hypothesis learned privately from drawn rows, with labels chosen by their errors on "
        "all rows",
        _agnostic_instance,
        unseen=(
            UndetectedVariant(
                "takes the first rows instead of random rows",
                "the default instance draws three of four rows, so random drawing does not "
                "reduce the loss",
                "agnostic_empirical:rate=1/26,rows=26,inner=4,points=5",
            ),
            UndetectedVariant(
                "chooses the labels with twice their epsilon",
                "the claim has a factor of 4 for the possible labels of the drawn points, and "
                "no rows are known that need this factor",
            ),
        ),
    ),
    AuditEntry(
        "generic_learner",
        "a hypothesis drawn with an exponential weight of its errors",
        _generic_instance,
    ),
    AuditEntry(
        "private_littlestone",
        "a hypothesis that occurs on many batches, chosen by fresh rows",
        _private_littlestone_instance,
    ),
)
