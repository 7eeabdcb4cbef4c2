"""Verdicts on the bounds of a learner from samples, from its results on samples.

A bound depends on hypotheses about the distribution, in the words of `learners.pac.base`. If the
distribution is known, the program checks these hypotheses and computes the quantity exactly.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from learners.bounds import Bound
from learners.pac.base import (
    EMPIRICAL_ERROR,
    HALF_LOSS,
    INDEPENDENT,
    POPULATION_ERROR,
    REALIZABLE,
    ZERO_LOSS,
    BatchLearner,
    enough_rows,
)
from learners.pac.distributions import Distribution
from learners.pac.samples import Sample
from lsclasses.concept_class import ConceptClass
from lsclasses.error_histograms import error_histogram
from lsclasses.hypothesis import Hypothesis
from lsclasses.verdicts import Verdict

JUDGED = (REALIZABLE, ZERO_LOSS, HALF_LOSS, INDEPENDENT)
"""Hypotheses of bounds that the program can check, in addition to the number of rows."""


def not_judged(bound: Bound) -> tuple[str, ...]:
    """Return the hypotheses of a bound that a known distribution does not decide."""
    enough = enough_rows(0).replace("0", "[0-9]+")
    return tuple(
        name for name in bound.hypotheses if name not in JUDGED and not re.fullmatch(enough, name)
    )


def excess(quantity: str) -> str:
    """Return the name of the excess error over the least error of the class."""
    return f"excess {quantity}"


@dataclass(frozen=True)
class Population:
    """A distribution, and the least error of a concept of the class on it.

    Attributes
    ----------
    distribution : Distribution
        Distribution of the examples.
    least : Fraction
        Least population loss of a concept of the learner's class.

    Examples
    --------
    >>> import catalog
    >>> from learners.pac.distributions import UniformDistribution
    >>> from learners.pac.generic import GenericLearner
    >>> C = catalog.build("thresholds:n=7")
    >>> learner = GenericLearner(C, 1)
    >>> realizable = Population(UniformDistribution(C.domain, C.to_table()[3]), Fraction(0))
    >>> [bound.applies for bound in realizable.bounds(learner, learner.rows)]
    [True, False, False]
    >>> realizable.bounds(learner, learner.rows)[1].unmet
    ('at least 4653 rows',)
    >>> noisy = Population(realizable.distribution.noisy(Fraction(1, 9)), Fraction(1, 9))
    >>> noisy.bounds(learner, 10**4)[0].unmet
    ('some hypothesis has population loss 0',)
    """

    distribution: Distribution
    least: Fraction

    def bounds(self, learner: BatchLearner, rows: int) -> tuple[Bound, ...]:
        """Return the learner's bounds for `rows` rows, with the hypotheses that are not met."""
        return tuple(map(self._held, learner.bounds(rows)))

    def _held(self, bound: Bound) -> Bound:
        half = None if bound.value is None else bound.value / 2
        missing = {
            REALIZABLE: self.least > 0,
            ZERO_LOSS: self.least > 0,
            HALF_LOSS: half is None or self.least > half,
        }
        unmet = [name for name in bound.hypotheses if missing.get(name)]
        return replace(bound, unmet=(*bound.unmet, *(n for n in unmet if n not in bound.unmet)))

    def verdict(self, bound: Bound, values: Sequence[Fraction]) -> str:
        """Return the verdict of independent samples on a bound, as a sentence (see `Bound.check`).

        A bound may depend on a hypothesis that this method cannot check, for example of a plug-in's
        learner. A larger value does not violate such a bound, because the hypothesis may be false.

        Examples
        --------
        >>> import catalog
        >>> from learners.pac.distributions import UniformDistribution
        >>> C = catalog.build("thresholds:n=7")
        >>> population = Population(UniformDistribution(C.domain, C.to_table()[3]), Fraction(0))
        >>> bound = Bound("[a paper]", "population error", "a", 1, hypotheses=("it is full moon",))
        >>> population.verdict(bound, [Fraction(1)]), population.verdict(bound, [Fraction(2)])
        ('consistent', 'exceeded, but it depends on a condition without a verdict: it is full moon')
        """
        verdict = bound.check(values)
        unknown = not_judged(bound)
        if verdict == Verdict.VIOLATED and unknown:
            return (
                f"exceeded, but it depends on a condition without a verdict: {', '.join(unknown)}"
            )
        return verdict.in_full

    def measured(
        self, quantity: str, h: Hypothesis, sample: Sample, C: ConceptClass | None
    ) -> Fraction | None:
        """Return the exact value of a bound's quantity, or None for an unknown quantity.

        Parameters
        ----------
        quantity : str
            Quantity of a bound.
        h : Hypothesis
            Hypothesis of the learner.
        sample : Sample
            Rows.
        C : ConceptClass, optional
            Class for the excess over the least error.

        Raises
        ------
        TooLarge
            If the domain must be enumerated but is too large, or no algorithm finds the least
            error of the class on the rows.
        """
        if quantity == POPULATION_ERROR:
            return self.distribution.loss(h)
        if quantity == excess(POPULATION_ERROR):
            return self.distribution.loss(h) - self.least
        if quantity == EMPIRICAL_ERROR:
            return sample.loss(h)
        if quantity == excess(EMPIRICAL_ERROR) and C is not None:
            # Only a finite class has a histogram.
            listed = C.to_table() if C.size is None else C
            least = error_histogram(listed, sample.counts).least
            return Fraction(sample.errors(h) - least, len(sample))
        return None
