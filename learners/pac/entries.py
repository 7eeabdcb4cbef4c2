"""Learners from samples by name, each declared beside its code.

A module that has such a learner ends with ``LEARNERS``, a tuple of `SampleEntry`: a name, a title,
and a function that builds the learner for a class. What can be chosen stands in the signature of
that function (`lsclasses.specifications.parameters_of`). `BATCH_LEARNERS` finds the learners by the
entry point group ``lsclasses.batch_learners``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

from learners import checked
from learners.concentration import FAILURE
from learners.pac.base import BatchLearner
from learners.playing.entries import Source, class_of
from lsclasses.registry import Registry, instance_of
from lsclasses.specifications import Entry, Option

__all__ = ["Alpha", "Beta", "BATCH_LEARNERS", "SampleEntry"]


@dataclass(frozen=True)
class SampleEntry(Entry):
    """A named learner from samples; declared beside the learner, in a tuple ``LEARNERS``.

    Attributes
    ----------
    name, title : str
    build : callable
        ``build(C, rows, **values)`` returns the `BatchLearner` for a class and a sample size; rows
        are None where the learner is to say how many it needs.
    parameters : tuple of Parameter
        Of `build`; ``lsclasses pac NAME --help`` lists them as options.
    """

    build: Callable[..., BatchLearner]

    def learner(self, source: Source, rows: int | None = None, **given: object) -> BatchLearner:
        """The learner for a class.

        Parameters
        ----------
        source : str or ConceptClass
        rows : int, optional
            How many rows there are, if that is known.
        **given
            Values of parameters, as they are or as texts.

        Raises
        ------
        InvalidInput
            If it has no such parameter, or refuses a value.
        TooLarge
            If it cannot be made for that class.

        Examples
        --------
        >>> BATCH_LEARNERS["private-littlestone"].learner("points:n=2^64", alpha="1/5").rows
        15592
        >>> BATCH_LEARNERS["erm"].learner("points:n=9", epsilon=1)
        Traceback (most recent call last):
            ...
        lsclasses.errors.InvalidInput: 'erm' has no parameter 'epsilon'. It has none.
        """
        size = None if rows is None else checked.positive(rows, "number of rows")
        learner: BatchLearner = self.built(class_of(source), size, **given)
        return learner


BATCH_LEARNERS = Registry(
    "batch_learners",
    "learner from samples",
    instance_of(
        SampleEntry, "A learner from samples is declared by a learners.pac.entries.SampleEntry."
    ),
)
"""Every learner from samples that has a name."""

Alpha = Annotated[Fraction, Option("the error that is promised", default=Fraction(1, 10))]
Beta = Annotated[Fraction, Option("how likely the promise may fail", default=FAILURE)]
"""The options common to learners; `learners.playing.private_options` has the budgets."""
