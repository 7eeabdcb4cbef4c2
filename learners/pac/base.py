"""Common interface of learners of a hypothesis from a sample.

A batch learner turns a `Sample` and `Coins` into a `Hypothesis`. It states the privacy cost
(`privacy`), the proved bounds on the outcome (`bounds`), and the number of rows (`rows`).
"""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import Annotated, ClassVar

from learners.accounting import Event
from learners.bounds import Bound
from learners.coins import Coins
from learners.exact import MAX_BRANCHES, OutputDistribution
from learners.not_private import NotPrivateNotice
from learners.pac.distributions import FiniteDistribution
from learners.pac.samples import Example, Sample
from lsclasses.concept_class import ConceptClass
from lsclasses.domain import Domain
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.frozen import ShortRepr
from lsclasses.hypothesis import Hypothesis
from lsclasses.options import Option

POPULATION_ERROR = "population error"
"""Name of the quantity in bounds on `Distribution.loss`."""
EMPIRICAL_ERROR = "empirical error"
"""Name of the quantity in bounds on `Sample.loss`, for empirical learners [LWY25, Def. A.9]."""

TRIVIAL_ERROR = Fraction(1, 2)
"""Error of a fair coin."""

REALIZABLE = "some concept of the class has population loss 0"
ZERO_LOSS = "some hypothesis has population loss 0"
HALF_LOSS = "some hypothesis has population loss at most alpha/2"
INDEPENDENT = "rows are drawn independently"
"""Hypothesis of error bounds that the rows are independent. Such hypotheses have one wording in all
modules, so that `learners.pac.sample_verdicts` finds hypotheses that are not met."""


class FewRows(NotPrivateNotice):
    """A warning: the sample has fewer rows than the error bound of the learner needs."""


class BatchLearner(ShortRepr, ABC):
    """A learner of a hypothesis from a sample.

    A subclass defines `domain` and `fit`. A subclass that does not override `privacy` and `bounds`
    is not private and has no error bounds.
    """

    consistent: ClassVar[bool] = False
    """Whether the hypothesis is consistent with every sample with which a concept is consistent."""
    labels_only: ClassVar[bool] = True
    """Whether the hypothesis may reveal only its labels. If the privacy covers more than labels,
    such as the rules of a list, the hypothesis may reveal this information, too."""

    @property
    @abstractmethod
    def domain(self) -> Domain:
        """The points that the hypotheses of the learner label."""

    @property
    def concept_class(self) -> ConceptClass | None:
        """The concept class of the learner, or None if the learner has no class."""
        return None

    @property
    def privacy(self) -> Event | None:
        """The privacy cost of a release of a hypothesis, or None if the learner is not private."""
        return None

    @property
    def rows(self) -> int | None:
        """The number of rows that the error bound needs, or None if no such number is known."""
        return None

    def reads(self, rows: int) -> int:
        """Return about how many rows of a sample of `rows` rows the learner reads."""
        return rows

    def bounds(self, rows: int | None = None) -> tuple[Bound, ...]:
        """Return the proved error bounds for samples of a size.

        The argument `rows` is the number of rows of a sample. The default is the property ``rows``
        of the learner.
        """
        return ()

    @abstractmethod
    def fit(self, sample: Sample, coins: Coins) -> Hypothesis:
        """Learn a hypothesis from a sample.

        Parameters
        ----------
        sample : Sample
            Labelled examples on the domain of the learner.
        coins : Coins
            Source of randomness, `SecureCoins` for a release.

        Raises
        ------
        InvalidInput
            If the points of the sample are from another domain.
        """

    def law(
        self,
        distribution: FiniteDistribution,
        rows: int,
        *,
        max_branches: int = MAX_BRANCHES,
    ) -> OutputDistribution[Hypothesis]:
        """Return the exact distribution of the hypothesis that `fit` returns on independent rows.

        The method enumerates all samples, and for each sample all outcomes of the learner's coins.

        Parameters
        ----------
        distribution : FiniteDistribution
            Distribution of each row.
        rows : int
            Number of rows.
        max_branches : int
            Largest number of samples, and largest number of outcomes of the coins for a sample.

        Raises
        ------
        TooLarge
            If one of these two numbers exceeds `max_branches`.
        """
        self._require(distribution.domain)
        samples = len(distribution.counts) ** rows
        if samples > max_branches:
            raise TooLarge(
                f"There are {samples} samples of {rows} rows, more than {max_branches}. Use "
                "fewer rows, or a distribution on fewer points.",
                estimate=samples,
                limit=max_branches,
            )

        def learned(examples: tuple[Example, ...], coins: Coins) -> Hypothesis:
            return self.fit(Sample.drawn(self.domain, examples), coins)

        return OutputDistribution.of(dict(_weighted(distribution, rows))).then(
            learned, max_branches=max_branches
        )

    def _require(self, domain: Domain) -> None:
        if domain != self.domain:
            raise InvalidInput(
                f"The learner labels {self.domain.describe()}. Got rows with points of "
                f"{domain.describe()}."
            )


def _weighted(
    distribution: FiniteDistribution, rows: int
) -> Iterator[tuple[tuple[Example, ...], Fraction]]:
    """Yield all samples with their probabilities."""
    counts, total = distribution.counts, distribution.total
    for examples in product(counts, repeat=rows):
        yield examples, Fraction(prod(counts[each] for each in examples), total**rows)


ERROR = Option("error alpha", above=0, below=TRIVIAL_ERROR, reason="which a coin achieves")
Error = Annotated[Fraction, ERROR]
"""A requested error, which must be positive and less than the error of a fair coin."""


def enough_rows(needed: int) -> str:
    """Return the hypothesis 'at least n rows' of a bound, in words."""
    return f"at least {needed} rows"


def warn_of_few_rows(needed: int, given: int, *, stacklevel: int = 3) -> None:
    """Warn (`FewRows`) if the sample is smaller than a bound needs, with both numbers.

    The warning is only for the owner of the rows, because the number of rows may not be public.
    """
    if given < needed:
        warnings.warn(
            f"The bound on the error needs {needed} rows, but there are {given}. The hypothesis is "
            "as private as stated, but need not be accurate.",
            FewRows,
            stacklevel=stacklevel,
        )


def released(learner: BatchLearner) -> Callable[[Sequence[Example], Coins], str]:
    """Return a function for audits, from rows to the learned hypothesis as a string."""
    return lambda rows, coins: str(learner.fit(Sample(learner.domain, rows), coins))
