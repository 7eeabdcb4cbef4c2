"""Global stability: how often a learner's likeliest hypothesis comes up [BLM20, section 1.1.1]."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from learners import checked
from learners.balls import ball, rational_above
from learners.bounds import Bound
from learners.exact import MAX_BRANCHES, OutputDistribution
from learners.numbers import integer
from learners.pac.base import INDEPENDENT, POPULATION_ERROR, REALIZABLE, BatchLearner
from learners.pac.distributions import FiniteDistribution
from lsclasses.errors import InvalidInput
from lsclasses.hypothesis import Hypothesis

CONSISTENT_LEARNER = "the learner is consistent"

DENOMINATOR = 1 << 64


@dataclass(frozen=True)
class Stability:
    """The stability of a learner on a distribution: (rows, eta)-globally stable [BLM20, Def. 4].

    Attributes
    ----------
    rows : int
        The size n of the sample.
    law : Law
        The exact law of the hypothesis.
    mode : Hypothesis
        A likeliest one.
    eta : arb
        Its probability, exact up to the width of a ball.
    loss : Fraction
        Its population loss.
    bound : Bound
        [BLM20, Prop. 5] for the loss; unmet if the learner is not consistent or the distribution
        not realizable.
    """

    rows: int
    law: OutputDistribution[Hypothesis]
    mode: Hypothesis
    eta: arb
    loss: Fraction
    bound: Bound


def stable_error(eta: Fraction | arb, rows: int) -> Fraction:
    """The bound ln(1/eta)/n, rounded up, on the error at probability eta [BLM20, Prop. 5].

    *Proof.* A consistent learner outputs h only if h fits the sample. If h errs with probability
    a, that happens with probability (1 - a)^n <= e^(-a n); so eta <= e^(-a n).

    Examples
    --------
    >>> float(stable_error(Fraction(1, 2), 7)) < 0.1
    True
    """
    rows = checked.positive(rows, "number of rows")
    return rational_above(
        lambda: -(eta.lower() if isinstance(eta, arb) else ball(eta)).log() / rows, DENOMINATOR
    )


def stability(
    learner: BatchLearner,
    distribution: FiniteDistribution,
    rows: int,
    *,
    max_branches: int = MAX_BRANCHES,
) -> Stability:
    """The global stability of a learner on a distribution, from the exact law of its hypothesis.

    Parameters
    ----------
    learner : BatchLearner
    distribution : FiniteDistribution
    rows : int
        At least 1.
    max_branches : int
        How many samples, branches or states there may be.

    Raises
    ------
    InvalidInput
        If the number of rows is less than 1, or the distribution is one of other points.
    TooLarge
        If the law is too large; the error says by how much.

    Examples
    --------
    >>> import catalog
    >>> from learners.pac.plain import FinalHypothesis
    >>> from lsclasses.soa import SOA
    >>> C = catalog.build("thresholds:n=7")
    >>> D = FiniteDistribution.labelled(C.restrict(3, 1).restrict(2, 0).soa())
    >>> found = stability(FinalHypothesis(SOA(C)), D, 1)
    >>> found.law.rational(found.mode), found.loss, round(float(found.bound.value), 3)
    (Fraction(3, 7), Fraction(0, 1), 0.847)
    """
    rows = integer(rows, "number of rows")
    if rows < 1:
        raise InvalidInput(f"Stability is about samples of at least 1 row. Got {rows}.")
    law = learner.law(distribution, rows, max_branches=max_branches)
    mode = max(law, key=lambda h: float(law[h].mid()))
    eta = law[mode]
    hypotheses = (CONSISTENT_LEARNER, REALIZABLE, INDEPENDENT)
    C = learner.concept_class
    met = (learner.consistent, C is not None and distribution.is_realizable(C), True)
    bound = Bound(
        source="[BLM20, Prop. 5]",
        quantity=f"{POPULATION_ERROR} of the mode",
        formula="log(1/eta)/n",
        value=stable_error(eta, rows),
        trivial=1,
        hypotheses=hypotheses,
        unmet=tuple(name for name, holds in zip(hypotheses, met, strict=True) if not holds),
    )
    return Stability(rows, law, mode, eta, distribution.loss(mode), bound)
