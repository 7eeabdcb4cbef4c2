"""Online learners that can be run by name, as ``lsclasses run`` lists them.

A learner to come is added to `RUNNABLE`: a name, the options it takes, and a function that builds
it for a class.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from learners.online.base import MistakeBounded
from learners.online.halving import Halving
from learners.online.pop_parameters import FAILURE
from learners.online.registry import base_learner, margin_learner
from lsclasses.concept_class import ConceptClass
from lsclasses.errors import InvalidInput
from lsclasses.points import nearest
from lsclasses.randomized_soa import RandomizedSOA
from lsclasses.soa import SOA, ConservativeSOA

__all__ = ["BASES", "RUNNABLE", "Runnable", "base_state", "runnable"]

Source = str | ConceptClass
"""A class, or the specification of one that may be too large to be built."""


def _class(source: Source) -> ConceptClass:
    if isinstance(source, ConceptClass):
        return source
    import catalog

    return catalog.build(source)


BASES: dict[str, tuple[str, Callable[[Source], MistakeBounded]]] = {
    "soa": ("the Standard Optimal Algorithm", lambda source: SOA(_class(source))),
    "conservative-soa": (
        "the same, changing on mistakes only",
        lambda source: ConservativeSOA(_class(source)),
    ),
    "halving": ("the majority of the concepts left", lambda source: Halving(_class(source))),
    "best": (
        "the SOA, or the family's own learner where the SOA cannot be run",
        lambda source: base_learner(source).state,
    ),
}
"""Deterministic learners with a mistake bound by name: a title, and how to start one."""


def base_state(name: str, source: Source) -> MistakeBounded:
    """The starting state of a deterministic learner.

    Parameters
    ----------
    name : str
        One of `BASES`.
    source : str or ConceptClass

    Raises
    ------
    InvalidInput
        If there is no such learner.
    TooLarge
        If it cannot be run on that class.

    Examples
    --------
    >>> base_state("halving", "thresholds:n=6").mistake_bound
    2
    """
    if name not in BASES:
        raise InvalidInput(f"There is no base learner {name!r}. {nearest(name, BASES)}")
    return BASES[name][1](source)


@dataclass(frozen=True)
class Runnable:
    """How a learner is made for a class.

    Attributes
    ----------
    name, title : str
    options : tuple of str
        The names of the options it takes.
    build : callable
        ``build(source, rounds, **options)`` returns what `learners.online.play.play` plays; an
        option that was not given is missing.
    specified : bool
        Whether it is built from the specification of the class, even where there is a table.
    """

    name: str
    title: str
    options: tuple[str, ...]
    build: Callable[..., Any]
    specified: bool = False


def runnable(name: str, source: Source, rounds: int, options: Mapping[str, Any]) -> Any:
    """The learner of that name for a class.

    Parameters
    ----------
    name : str
        One of `RUNNABLE`.
    source : str or ConceptClass
    rounds : int
        How many will be played, at most.
    options : mapping of str to object
        Those that were given.

    Raises
    ------
    InvalidInput
        If there is no such learner, it does not take an option, or refuses a value.

    Examples
    --------
    >>> runnable("soa", "points:n=9", 100, {}).mistake_bound
    1
    >>> runnable("soa", "points:n=9", 100, {"copies": 7})
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: The learner 'soa' takes no option --copies; it takes none.
    """
    if name not in RUNNABLE:
        raise InvalidInput(f"There is no learner {name!r}. {nearest(name, RUNNABLE)}")
    entry = RUNNABLE[name]
    for option in options:
        if option not in entry.options:
            known = ", ".join(f"--{each}" for each in entry.options) or "none"
            raise InvalidInput(
                f"The learner {name!r} takes no option --{option}; it takes {known}."
            )
    return entry.build(source, rounds, **options)


def _bare(name: str) -> Runnable:
    return Runnable(name, BASES[name][0], (), lambda source, rounds: base_state(name, source))


def _pop(
    source: Source,
    rounds: int,
    *,
    epsilon: Fraction = Fraction(1),
    delta: Fraction = Fraction(1, 10**6),
    base: str = "conservative-soa",
    reports: int | None = None,
    copies: int | None = None,
    theorem: bool = False,
    beta: Fraction | None = None,
) -> Any:
    from learners.online.pop import POP
    from learners.online.pop_parameters import POPParameters

    state = base_state(base, source)
    if not theorem:
        if beta is not None:
            raise InvalidInput("The option --beta is about the theorem's bound; add --theorem.")
        parameters = POPParameters.practical(rounds, epsilon, delta, reports)
        if copies is not None:
            if copies < parameters.copies:
                raise InvalidInput(
                    f"With this budget, privacy needs at least {parameters.copies} copies. "
                    f"Got {copies}."
                )
            parameters = replace(parameters, copies=copies)
        return POP(state, parameters)
    if reports is not None or copies is not None:
        raise InvalidInput(
            "With --theorem, the numbers of reports and copies follow from the other parameters. "
            "Drop --reports and --copies, or --theorem."
        )
    bound, failure = state.mistake_bound, FAILURE if beta is None else beta
    assert bound is not None
    return POP(state, POPParameters.from_theorem(bound, rounds, epsilon, delta, failure), failure)


def _dp_winnow(
    source: Source,
    rounds: int,
    *,
    epsilon: Fraction = Fraction(1),
    delta: Fraction = Fraction(1, 10**6),
    beta: Fraction | None = None,
) -> Any:
    from learners.online.dp_winnow import DPWinnow

    if not isinstance(source, str):
        raise InvalidInput(
            "The private Winnow is for a family with a margin, given by its specification such as "
            f"margin-halfspaces:d=8,norm=3. Got {source!r}."
        )
    weighted = margin_learner(source)
    return DPWinnow.from_theorem(
        weighted.features,
        weighted.margin,
        rounds,
        epsilon,
        delta,
        failure=FAILURE if beta is None else beta,
        bias=weighted.bias,
    )


def _agnostic_pop(
    source: Source,
    rounds: int,
    *,
    epsilon: Fraction = Fraction(1),
    delta: Fraction = Fraction(1, 10**6),
    errors: int = 0,
    mistakes: int | None = None,
    phases: int = 1,
    reports: int | None = None,
) -> Any:
    from learners.online.agnostic_pop import AgnosticPOP

    return AgnosticPOP.practical(
        _class(source),
        errors,
        rounds,
        epsilon,
        delta,
        # A phase that may make all mistakes there can be lasts to the end.
        mistakes=rounds if mistakes is None else mistakes,
        phases=phases,
        reports=reports,
    )


RUNNABLE: dict[str, Runnable] = {
    entry.name: entry
    for entry in (
        Runnable(
            "pop",
            "private predictions by many copies of a base learner [KMMNS23, Alg. 7]",
            ("epsilon", "delta", "reports", "copies", "base", "theorem", "beta"),
            _pop,
        ),
        Runnable(
            "dp-winnow",
            "a private vote of features, for halfspaces with a margin [BF25, section 4]",
            ("epsilon", "delta", "beta"),
            _dp_winnow,
            specified=True,
        ),
        Runnable(
            "agnostic-pop",
            "POP over experts that forgive errors, anew in every phase [KMMNS23, Thm F.4]",
            ("epsilon", "delta", "reports", "errors", "mistakes", "phases"),
            _agnostic_pop,
        ),
        *map(_bare, BASES),
        Runnable(
            "randomized-soa",
            "the optimal randomized learner, on streams that some concept fits",
            (),
            lambda source, rounds: RandomizedSOA(_class(source)),
        ),
    )
}
"""What `runnable` builds, by name."""
