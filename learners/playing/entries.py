"""Online learners by name, each declared in the module of its code.

A module of a learner ends with ``LEARNERS``, a tuple of `OnlineEntry`: a name, a title, and a
function that builds the learner for a class. The signature of that function declares the options
(`lsclasses.specifications.parameters_of`). `ONLINE_LEARNERS` finds the learners by their lines in
``names.toml``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, TypeVar

import catalog
from learners.playing.base.halving import Halving
from learners.playing.base.proper_soa import proper_soa
from learners.playing.learner import Playable
from learners.playing.reduction import known_bound
from lsclasses.concept_class import ConceptClass
from lsclasses.errors import InvalidInput
from lsclasses.online import MistakeBounded
from lsclasses.options import Option
from lsclasses.registry import Registry, instance_of
from lsclasses.soa import SOA, ConservativeSOA
from lsclasses.specifications import Entry

if TYPE_CHECKING:
    from lsclasses.budget_soa import BudgetSOA, RandomizedBudgetSOA

__all__ = [
    "BASES",
    "BASE_LEARNERS",
    "BaseEntry",
    "LEARNERS",
    "ONLINE_LEARNERS",
    "OnlineEntry",
    "Source",
    "base_state",
    "bounded_state",
    "class_of",
]

Source = str | ConceptClass
"""A class, or the specification of a class. A class may be too large to be built."""


def class_of(source: Source) -> ConceptClass:
    """Return the concept class that a specification names, or a given class itself."""
    if isinstance(source, ConceptClass):
        return source
    return catalog.build(source)


# Commands that run another learner load neither Winnow nor majorities.


def _best(source: Source, *, published: bool = False) -> MistakeBounded:
    from learners.playing.base.base_learner_names import base_learner

    return base_learner(source, published=published).state


def _majority(source: Source, *, exact: bool) -> MistakeBounded:
    from learners.majorities.algorithm import sparse_majority

    return sparse_majority(class_of(source), exact=exact)


@dataclass(frozen=True)
class BaseEntry:
    """A named deterministic learner with a mistake bound, for use as a base learner."""

    name: str
    title: str
    start: Callable[[Source], MistakeBounded]
    details: str = ""


BASE_LEARNERS = (
    BaseEntry(
        "soa",
        "the Standard Optimal Algorithm",
        lambda source: SOA(class_of(source)),
        details=(
            "The version space consists of the concepts that agree with all examples so far. The "
            "learner predicts the label that leaves the version space with the larger Littlestone "
            "dimension. With --mistakes, the command plays the optimal learner for streams on "
            "which the best concept makes at most this number of mistakes."
        ),
    ),
    BaseEntry(
        "conservative-soa",
        "the Standard Optimal Algorithm (SOA), with a state that changes only after mistakes",
        lambda source: ConservativeSOA(class_of(source)),
        details=(
            "The version space consists of the concepts that agree with the examples on which the "
            "learner made a mistake. The learner predicts the label that leaves the version space "
            "with the larger Littlestone dimension. So the learner ignores correctly predicted "
            "examples."
        ),
    ),
    BaseEntry(
        "proper-soa",
        "the Standard Optimal Algorithm (SOA), with rules that are concepts of the class",
        lambda source: proper_soa(class_of(source)),
        details=(
            "The rule of a round is the function that gives each point the predicted label. The "
            "usual SOA predicts the label that leaves the larger Littlestone dimension, and its "
            "rule need not be a concept. This learner chooses between equally good labels such "
            "that every rule is a concept. If no such choice exists for the class, the command "
            "refuses the class."
        ),
    ),
    BaseEntry(
        "halving",
        "the majority of the remaining concepts",
        lambda source: Halving(class_of(source)),
        details=(
            "The remaining concepts are the concepts that agree with all examples so far. The "
            "learner predicts the label that most of these concepts give the point."
        ),
    ),
    BaseEntry(
        "sparse-majority",
        "a majority of few concepts of the class [LWY25, Lemma E.9]",
        partial(_majority, exact=False),
        details=(
            "The learner predicts the label that most of a small number of concepts give the "
            "point. It draws these concepts from a weighted mixture of the remaining concepts, "
            "with a fixed seed. The mistake bound is a constant times the Littlestone dimension, "
            "or times the logarithm of the number of concepts."
        ),
    ),
    BaseEntry(
        "exact-majority",
        "a weighted majority of concepts, with fewer mistakes but more votes than sparse-majority",
        partial(_majority, exact=True),
        details=(
            "The learner predicts by the vote of all concepts of a weighted mixture. The learner "
            "sparse-majority draws a small number of concepts from such a mixture instead."
        ),
    ),
    BaseEntry(
        "best",
        "the Standard Optimal Algorithm (SOA), or a learner for the family of the class if the "
        "SOA cannot run",
        _best,
        details=(
            "The SOA runs if a formula or a search of at most 10 seconds gives the Littlestone "
            "dimension of the class. Otherwise, the learner with the least proved mistake bound "
            "runs, such as elimination or Winnow for decision lists."
        ),
    ),
)


BASES = Registry(
    "base_learners",
    "base learner",
    instance_of(BaseEntry, "A base learner is declared by a learners.playing.entries.BaseEntry."),
    first=[each.name for each in BASE_LEARNERS],
)
"""Every base learner by name."""


def base_state(name: str, source: Source) -> MistakeBounded:
    """Return the starting state of a deterministic learner.

    Parameters
    ----------
    name : str
        One of `BASES`.
    source : str or ConceptClass
        Concept class, or its specification.

    Raises
    ------
    InvalidInput
        If there is no such learner.
    TooLarge
        If the learner cannot run on the class.

    Examples
    --------
    >>> base_state("halving", "thresholds:n=6").mistake_bound
    2
    """
    return BASES[name].start(source)


def bounded_state(name: str, source: Source) -> tuple[MistakeBounded, int]:
    """Return the starting state of a learner whose hypotheses are published, and its mistake bound.

    Raises
    ------
    InvalidInput
        If the learner does not exist, or has no mistake bound for the class.
    TooLarge
        If the learner cannot run on the class.

    Examples
    --------
    >>> bounded_state("soa", "thresholds:n=inf")
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: A base learner needs a mistake bound, and 'soa' has none on \
<Thresholds on 0, 1, ...: start 0 or later or never>. Take another learner, or a class of finite \
Littlestone dimension.
    """
    state = _best(source, published=True) if name == "best" else base_state(name, source)
    bound = known_bound(state)
    if bound is None:
        raise InvalidInput(
            f"A base learner needs a mistake bound, and {name!r} has none on {class_of(source)!r}. "
            "Take another learner, or a class of finite Littlestone dimension."
        )
    return state, bound


@dataclass(frozen=True)
class OnlineEntry(Entry):
    """A named online learner, declared in the module of the learner, in a tuple ``LEARNERS``.

    Attributes
    ----------
    name, title : str
        Name in specifications, and heading in lists.
    build : callable
        ``build(source, rounds, **values)`` returns a player for `learners.playing.play.play`.
    parameters : tuple of Parameter
        Parameters of `build`. ``lsclasses run NAME --help`` lists them as options.
    specified : bool
        Whether the learner is built from the specification of the class, even if the class has a
        table.
    details : str
        Further text of its help.
    """

    build: Callable[..., Playable]
    specified: bool = False
    details: str = ""

    def learner(self, /, source: Source, rounds: int, **given: object) -> Playable:
        """Build the learner of this entry for a class.

        Parameters
        ----------
        source : str or ConceptClass
            Concept class, or its specification.
        rounds : int
            Largest number of rounds that will be played.
        **given
            Values of parameters, as values or as strings.

        Raises
        ------
        InvalidInput
            If the learner has no such parameter, or rejects a value.

        Examples
        --------
        >>> ONLINE_LEARNERS["soa"].learner("points:n=9", 100).mistake_bound
        1
        >>> ONLINE_LEARNERS["halving"].learner("points:n=9", 100, copies=7)
        Traceback (most recent call last):
            ...
        lsclasses.errors.InvalidInput: 'halving' has no parameter 'copies'. It has none.
        """
        learner: Playable = self.built(source, rounds, **given)
        return learner


ONLINE_LEARNERS = Registry(
    "learners",
    "learner",
    instance_of(
        OnlineEntry,
        "A learner that can be run is declared by a learners.playing.entries.OnlineEntry.",
    ),
)
"""Every learner that can be run, by name."""


def _started(name: str, source: Source, rounds: int) -> MistakeBounded:
    return base_state(name, source)


S = TypeVar("S", "BudgetSOA", "RandomizedBudgetSOA")

Mistakes = Annotated[int, Option("number of mistakes that the best concept may make", minimum=0)]
"""Number k of mistakes of the best concept, for the learners of k-realizable streams."""


def _soa(source: Source, rounds: int, *, mistakes: Mistakes = 0) -> Playable:
    if mistakes == 0:
        return SOA(class_of(source))
    from lsclasses.budget_soa import BudgetSOA

    return _solved(BudgetSOA(class_of(source), mistakes))


def _randomized_soa(source: Source, rounds: int, *, mistakes: Mistakes = 0) -> Playable:
    if mistakes == 0:
        from lsclasses.randomized_soa import RandomizedSOA

        return RandomizedSOA(class_of(source))
    from lsclasses.budget_soa import RandomizedBudgetSOA

    return _solved(RandomizedBudgetSOA(class_of(source), mistakes))


def _solved(state: S) -> S:
    """Compute the mistake bound, so that a game that is too large is refused before it starts."""
    _ = state.mistake_bound
    return state


LEARNERS = (
    OnlineEntry("soa", BASE_LEARNERS[0].title, _soa, details=BASE_LEARNERS[0].details),
    *(
        OnlineEntry(each.name, each.title, partial(_started, each.name), details=each.details)
        for each in BASE_LEARNERS[1:]
    ),
    OnlineEntry(
        "randomized-soa",
        "the optimal randomized learner, for streams consistent with some concept",
        _randomized_soa,
        details=(
            "The learner predicts 1 with the probability that minimizes the expected number of "
            "mistakes in the worst case. The bound is the randomized Littlestone dimension. With "
            "--mistakes, the learner is optimal for streams on which the best concept makes at "
            "most this number of mistakes."
        ),
    ),
)
