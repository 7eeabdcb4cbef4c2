"""Adversaries by name, for command-line options such as --adversary."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import get_args

from learners.playing.adversaries.adaptive import Optimal, Repeating, Seeking
from learners.playing.adversaries.base import PointLaw, StreamAdversary
from learners.playing.adversaries.streams import Drifting, FixedStream, Noisy, RandomConcept
from lsclasses.concept_class import ConceptClass
from lsclasses.errors import InvalidInput, nearest
from lsclasses.registry import Registry, instance_of
from lsclasses.specifications import Parameter, Specified, split


@dataclass(frozen=True)
class NamedAdversary(Specified):
    """An adversary with a name for commands, declared in the tuple ``ADVERSARIES`` of its module.

    Attributes
    ----------
    name, title : str
        Name in specifications, and heading in lists.
    parameters : tuple of Parameter
        Parameters of the specification.
    build : callable
        ``build(C, **values)`` returns the adversary that presents points of a class.
    """

    name: str
    title: str
    parameters: tuple[Parameter, ...]
    build: Callable[..., StreamAdversary]


_FLIPPED: dict[str, Callable[[ConceptClass], StreamAdversary]] = {
    "seeking": Seeking,
    "optimal": Optimal,
    "repeating": Repeating,
}
"""Adversaries with labels that can be flipped, in addition to random concepts."""


def _noisy(C: ConceptClass, flip: Fraction, points: PointLaw, of: str) -> StreamAdversary:
    return Noisy(_FLIPPED[of](C) if of in _FLIPPED else RandomConcept(C, points=points), flip)


_POINTS = Parameter(
    "points", "distribution of random points", default="class", choices=get_args(PointLaw)
)

ADVERSARIES = (
    NamedAdversary(
        "random", "random points, labelled by a random concept", (_POINTS,), RandomConcept
    ),
    NamedAdversary(
        "drifting",
        "random points labelled by a random concept that changes every few rounds",
        (Parameter("every", "number of rounds per concept", default=100, minimum=1), _POINTS),
        Drifting,
    ),
    NamedAdversary(
        "noisy",
        "labels of a random concept, or of another adversary, flipped at random",
        (
            Parameter(
                "flip",
                "probability that a label is flipped",
                default=Fraction(1, 10),
                minimum=0,
                maximum=1,
                rational=True,
            ),
            _POINTS,
            Parameter(
                "of",
                "adversary that labels the points",
                default="random",
                choices=("random", *_FLIPPED),
            ),
        ),
        _noisy,
    ),
    NamedAdversary("seeking", "looks for points on which copies disagree", (), Seeking),
    NamedAdversary(
        "optimal",
        "follows a shattered tree, always contradicting",
        (Parameter("mistakes", "number of mistakes of the best concept", default=0, minimum=0),),
        Optimal,
    ),
    NamedAdversary(
        "repeating",
        "follows a shattered tree, and repeats a point until its prediction is right",
        (
            Parameter(
                "patience", "number of correct predictions before a change", default=1, minimum=1
            ),
        ),
        Repeating,
    ),
)
"""The adversaries that this module adds to `NAMED`."""


NAMED = Registry(
    "adversaries",
    "adversary",
    instance_of(
        NamedAdversary, "An adversary is declared by a learners.playing.adversaries.NamedAdversary."
    ),
)
"""The adversaries that `adversary` builds by name, in addition to streams in files."""


def adversary(specification: str, concept_class: ConceptClass) -> StreamAdversary:
    """Return the adversary with this name or specification.

    Parameters
    ----------
    specification : str
        ``"random"``, ``"repeating:patience=2"`` and so on, see `NAMED`, or
        ``"stream:FILE"`` for the examples in a CSV file.
    concept_class : ConceptClass
        Class with the points that the adversary presents.

    Raises
    ------
    InvalidInput
        If there is no such adversary, or an option is wrong.

    Examples
    --------
    >>> import catalog
    >>> C = catalog.build("points:n=9")
    >>> print(adversary("noisy:flip=1/20,points=balanced", C))
    balanced points labelled by a random concept, labels flipped with probability 1/20
    >>> adversary("repeting", C)
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: There is no adversary 'repeting'. Did you mean 'repeating'?
    """
    name, options = split(specification)
    if name == "stream":
        if not options:
            raise InvalidInput("The adversary 'stream' needs a file: stream:examples.csv.")
        return FixedStream.load(options, concept_class)
    if name not in NAMED:
        hint = nearest(name, [*NAMED.names(), "stream"])
        raise InvalidInput(f"There is no adversary {name!r}. {hint}")
    entry = NAMED[name]
    return entry.build(concept_class, **entry.values(**entry.values_in(options)))
