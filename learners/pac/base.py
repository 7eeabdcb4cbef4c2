"""What learners of a hypothesis from a sample share.

A batch learner turns a `Sample` and `Coins` into a `Hypothesis`, says what that costs in privacy
(`privacy`), what is proved of the outcome (`bounds`), and for how many rows (`rows`).
"""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import ClassVar

from learners.accounting import Event
from learners.bounds import Bound
from learners.coins import Coins
from learners.exact import MAX_BRANCHES, OutputDistribution
from learners.not_private import NotPrivateNotice
from learners.number_arguments import rational
from learners.pac.distributions import FiniteDistribution
from learners.pac.samples import Example, Sample
from lsclasses.concept_class import ConceptClass
from lsclasses.domain import Domain
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.frozen import ShortRepr
from lsclasses.hypothesis import Hypothesis

POPULATION_ERROR = "population error"
"""The quantity of bounds on `Distribution.loss`."""
EMPIRICAL_ERROR = "empirical error"
"""The quantity of bounds on `Sample.loss`, for empirical learners [LWY25, Def. A.9]."""

TRIVIAL_ERROR = Fraction(1, 2)
"""The error of a fair coin."""

REALIZABLE = "some concept of the class has population loss 0"
ZERO_LOSS = "some hypothesis has population loss 0"
HALF_LOSS = "some hypothesis has population loss at most alpha/2"
INDEPENDENT = "rows are drawn independently"
"""The hypotheses of bounds. Each has one wording everywhere, so that `learners.pac.sample_verdicts`
finds the hypotheses that are not met."""


class FewRows(NotPrivateNotice):
    """The sample is smaller than the theorem needs for the requested accuracy."""


class BatchLearner(ShortRepr, ABC):
    """A learner of a hypothesis from a sample.

    A subclass supplies `domain` and `fit`; what is not stated otherwise costs no privacy because it
    has none, and has no bounds.
    """

    consistent: ClassVar[bool] = False
    """Whether the hypothesis fits all rows of the sample wherever some concept does."""
    labels_only: ClassVar[bool] = True
    """Whether what is found shows its labels and nothing else. Where the privacy covers more than
    labels, such as the rules of a list, it may show that."""

    @property
    @abstractmethod
    def domain(self) -> Domain:
        """The points that are labelled."""

    @property
    def concept_class(self) -> ConceptClass | None:
        """The class of the learner, if it has one."""
        return None

    @property
    def privacy(self) -> Event | None:
        """The privacy cost of a hypothesis, for all samples; None if the learner is not private."""
        return None

    @property
    def rows(self) -> int | None:
        """The sample size that the learner is made for; None for any."""
        return None

    def reads(self, rows: int) -> int:
        """Roughly the number of rows that the learner reads, which may be far below `rows`."""
        return rows

    def bounds(self, rows: int | None = None) -> tuple[Bound, ...]:
        """The bounds proved for a sample of `rows` rows; for the size that it needs, if omitted."""
        return ()

    @abstractmethod
    def fit(self, sample: Sample, coins: Coins) -> Hypothesis:
        """Learn a hypothesis from a sample.

        Parameters
        ----------
        sample : Sample
            On the learner's domain.
        coins : Coins
            `SecureCoins` for a release.

        Raises
        ------
        InvalidInput
            If the sample is one of points of another domain.
        """

    def law(
        self,
        distribution: FiniteDistribution,
        rows: int,
        *,
        max_branches: int = MAX_BRANCHES,
    ) -> OutputDistribution[Hypothesis]:
        """Return the exact law of the hypothesis for independent rows of a distribution.

        All samples are enumerated, and all branches of the learner's coins on each.

        Parameters
        ----------
        distribution : FiniteDistribution
        rows : int
        max_branches : int
            How many samples, and branches, there may be.

        Raises
        ------
        TooLarge
            If there are more.
        """
        self._require(distribution.domain)
        samples = len(distribution.counts) ** rows
        if samples > max_branches:
            raise TooLarge(
                f"There are {samples} samples of {rows} rows, more than {max_branches}; ask for "
                "fewer rows, or for a distribution on fewer points.",
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


def checked_error(alpha: object) -> Fraction:
    """Return an error as a fraction strictly between 0 and 1/2.

    Raises
    ------
    InvalidInput
        If it is no such fraction: a coin errs half of the time.
    """
    value = rational(alpha, "error alpha")
    if not 0 < value < TRIVIAL_ERROR:
        raise InvalidInput(
            f"The error alpha must be positive and less than 1/2, which a coin achieves. "
            f"Got {value}."
        )
    return value


def enough_rows(needed: int) -> str:
    """Return the hypothesis 'at least n rows', as bounds state it."""
    return f"at least {needed} rows"


def warn_of_few_rows(needed: int, given: int, *, stacklevel: int = 3) -> None:
    """Warn (`FewRows`) if the sample is smaller than a bound needs, with both numbers.

    The warning is for the owner of the rows only: their number may not be public.
    """
    if given < needed:
        warnings.warn(
            f"The promise of a small error needs {needed} rows; there are {given}. What is learned "
            "is as private as stated, but need not be accurate.",
            FewRows,
            stacklevel=stacklevel,
        )


def released(learner: BatchLearner) -> Callable[[Sequence[Example], Coins], str]:
    """Return the function from rows to the text of the hypothesis, for audits."""
    return lambda rows, coins: str(learner.fit(Sample(learner.domain, rows), coins))
