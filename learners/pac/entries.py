"""Learners from samples by name, each declared next to its code.

A module with such a learner ends with ``LEARNERS``, a tuple of `SampleEntry`: a name, a title, and
a function that builds the learner for a class. The signature of this function lists the options
(`lsclasses.specifications.parameters_of`). `BATCH_LEARNERS` finds the learners by their lines under
``[batch_learners]`` in ``names.toml``.

The module also contains learners without privacy, for comparison and as parts of other learners.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from typing import Annotated

from learners import checked
from learners.checked import Rows
from learners.coins import Coins
from learners.concentration import FAILURE
from learners.exact import MAX_BRANCHES, OutputDistribution
from learners.pac.base import ERROR, BatchLearner
from learners.pac.distributions import FiniteDistribution
from learners.pac.samples import Sample, count_errors, table_or_class
from learners.playing.entries import Source, base_state, class_of
from lsclasses.concept_class import ConceptClass
from lsclasses.domain import Domain
from lsclasses.error_histograms import error_histogram
from lsclasses.errors import TooLarge
from lsclasses.hypothesis import Hypothesis
from lsclasses.online import MistakeBounded
from lsclasses.options import check_arguments
from lsclasses.registry import Registry, instance_of
from lsclasses.specifications import Entry
from lsclasses.table import Table

__all__ = ["BATCH_LEARNERS", "Alpha", "Beta", "SampleEntry"]


# ---- entries


@dataclass(frozen=True)
class SampleEntry(Entry):
    """A named learner from samples, declared next to the learner, in a tuple ``LEARNERS``.

    Attributes
    ----------
    name, title : str
        Name in specifications, and heading in lists.
    build : callable
        ``build(C, rows, **values)`` returns the `BatchLearner` for a class and a sample size. Rows
        are None if the learner should compute the size that it needs.
    parameters : tuple of Parameter
        Parameters of `build`. ``lsclasses pac NAME --help`` lists them as options.
    details : str
        Further text of its help.
    """

    build: Callable[..., BatchLearner]
    details: str = ""

    @check_arguments
    def learner(self, /, source: Source, rows: Rows | None = None, **given: object) -> BatchLearner:
        """Build the learner of this entry for a class.

        Parameters
        ----------
        source : str or ConceptClass
            Concept class, or its specification.
        rows : int, optional
            Number of rows, if it is known.
        **given
            Values of parameters, possibly as strings.

        Raises
        ------
        InvalidInput
            If the learner has no such parameter, or refuses a value.
        TooLarge
            If the learner cannot be made for this class.

        Examples
        --------
        >>> BATCH_LEARNERS["private-littlestone"].learner("points:n=2^64", alpha="1/5").rows
        15592
        >>> BATCH_LEARNERS["erm"].learner("points:n=9", epsilon=1)
        Traceback (most recent call last):
            ...
        lsclasses.errors.InvalidInput: 'erm' has no parameter 'epsilon'. It has none.
        """
        learner: BatchLearner = self.built(class_of(source), rows, **given)
        return learner


BATCH_LEARNERS = Registry(
    "batch_learners",
    "learner from samples",
    instance_of(
        SampleEntry, "A learner from samples is declared by a learners.pac.entries.SampleEntry."
    ),
)
"""Every learner from samples that has a name."""

Alpha = Annotated[Fraction, ERROR.with_doc("error bound", Fraction(1, 10))]
Beta = Annotated[
    Fraction, checked.FAILURE.with_doc("largest failure probability of the error bound", FAILURE)
]
"""Option for the failure probability of error bounds. `learners.playing.private_options` has the
options of budgets."""


# ---- plain


@dataclass(frozen=True)
class EmpiricalRiskMinimizer(BatchLearner):
    """A batch learner without privacy that returns the first concept with the fewest errors.

    Parameters
    ----------
    of : ConceptClass
        Finite concept class. If its table is too large to search, formulas of the class select one
        of the concepts with the fewest errors, deterministically (`lsclasses.error_histograms`).

    Raises
    ------
    InvalidInput
        If the class has no concepts.
    TooLarge
        If the class cannot be enumerated as a table and no formula counts its concepts.

    Examples
    --------
    >>> import catalog
    >>> from learners.coins import SeededCoins
    >>> C = catalog.build("thresholds:n=7")
    >>> sample = Sample(C.domain, [(1, 0), (3, 1), (2, 1), (5, 1), (5, 0)])
    >>> EmpiricalRiskMinimizer(C).fit(sample, SeededCoins(1)).support
    (2, 3, 4, 5, 6)
    """

    of: ConceptClass
    consistent = True

    def __post_init__(self) -> None:
        table_or_class(self.of)

    @property
    def concept_class(self) -> ConceptClass:
        """The class among whose concepts the learner chooses."""
        return self.of

    @cached_property
    def _candidates(self) -> Table | ConceptClass:
        return table_or_class(self.of)

    @property
    def domain(self) -> Domain:
        """The points that the hypotheses of the learner label."""
        return self._candidates.domain

    def fit(self, sample: Sample, coins: Coins) -> Hypothesis:
        """Return the first concept with the fewest errors on the sample. The coins are not used."""
        self._require(sample.domain)
        candidates = self._candidates
        if not isinstance(candidates, Table):
            histogram = error_histogram(candidates, sample.counts)
            return histogram.sample(histogram.least, 0)
        errors = count_errors(candidates, sample)
        return candidates[errors.index(min(errors))]


@dataclass(frozen=True)
class FinalHypothesis(BatchLearner):
    """A batch learner that returns the hypothesis of an online learner after all rows of a sample.

    Parameters
    ----------
    base : MistakeBounded
        Starting state of the online learner, such as ``SOA(C)`` or ``Halving(C)``.

    Examples
    --------
    >>> import catalog
    >>> from learners.coins import SeededCoins
    >>> from learners.playing.base.halving import Halving
    >>> C = catalog.build("thresholds:n=7")
    >>> sample = Sample(C.domain, [(1, 0), (4, 1)])
    >>> h = FinalHypothesis(Halving(C)).fit(sample, SeededCoins(1))
    >>> [h(x) for x in C.domain]
    [0, 0, 0, 1, 1, 1, 1]
    """

    base: MistakeBounded

    @property
    def consistent(self) -> bool:  # type: ignore[override]
        """Whether the output is consistent with every realizable sample."""
        return self.base.consistent

    @property
    def concept_class(self) -> ConceptClass | None:
        """The concept class of the online learner, or None if it has no class."""
        return getattr(self.base, "version_space", None)

    @property
    def domain(self) -> Domain:
        """The points that the hypotheses of the learner label."""
        return self.base.hypothesis.domain

    def fit(self, sample: Sample, coins: Coins) -> Hypothesis:
        """Return the hypothesis of the online learner after all rows, without using the coins."""
        self._require(sample.domain)
        state = self.base
        for x, y in sample:
            state = state.observe(x, y)
        return state.hypothesis

    def law(
        self, distribution: FiniteDistribution, rows: int, *, max_branches: int = MAX_BRANCHES
    ) -> OutputDistribution[Hypothesis]:
        """Return the exact distribution of the returned hypothesis on a sample of independent rows.

        The method computes the distribution of the online learner's state row by row.

        Raises
        ------
        TooLarge
            If the number of states exceeds `max_branches`.
        """
        self._require(distribution.domain)
        weights, total = distribution.counts, 1
        masses: dict[MistakeBounded, int] = {self.base: 1}
        for _ in range(rows):
            after: dict[MistakeBounded, int] = {}
            for state, mass in masses.items():
                for (x, y), weight in weights.items():
                    reached = state.observe(x, y)
                    after[reached] = after.get(reached, 0) + mass * weight
            masses, total = after, total * distribution.total
            if len(masses) > max_branches:
                raise TooLarge(
                    f"The output distribution of the learner has more than {max_branches} states. "
                    "Use fewer rows, or a distribution on fewer points.",
                    estimate=len(masses),
                    limit=max_branches,
                )
        states = OutputDistribution.of(
            {state: Fraction(mass, total) for state, mass in masses.items()}
        )
        return states.map(lambda state: state.hypothesis)


def _erm(C: ConceptClass, rows: int | None) -> EmpiricalRiskMinimizer:
    return EmpiricalRiskMinimizer(C)


def _final(base: str, C: ConceptClass, rows: int | None) -> FinalHypothesis:
    return FinalHypothesis(base_state(base, C))


LEARNERS = (
    SampleEntry(
        "erm",
        "the first concept with the fewest errors on the rows, without privacy",
        _erm,
        details="The name abbreviates empirical risk minimization.",
    ),
    SampleEntry(
        "soa",
        "the rule of the Standard Optimal Algorithm after all rows, without privacy",
        partial(_final, "soa"),
        details=(
            "The learner reads the rows in order. Its rule predicts the label that leaves the "
            "remaining concepts, which agree with the rows, with the larger Littlestone dimension."
        ),
    ),
    SampleEntry(
        "halving",
        "the majority of the concepts that are consistent with all rows, without privacy",
        partial(_final, "halving"),
    ),
)
